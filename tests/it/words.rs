//! Keeps phrases that read as if they were translated out of everything that people read.

use std::path::{Path, PathBuf};

/// A phrase that is wrong in any text, and its replacement.
const WRONG: &[(&str, &str)] = &[
    ("in force", "valid"),
    ("mend", "fix"),
    ("mends", "fixes"),
    ("mended", "fixed"),
    ("and its kin", "and compatible …"),
    ("is none of", "is not one of; expected one of"),
    ("is none:", "is not a …:"),
    ("waved through", "can't be disabled"),
    ("as none does", "which no … does"),
    ("one half of", "the ID; the key; one field of"),
    ("half a pair", "an incomplete pair"),
    ("half a key pair", "an incomplete key pair"),
    ("halves", "the ID and the key"),
    ("its other half", "the other field of the pair"),
    ("a whole pair", "a complete pair"),
    ("wait so long", "wait this long"),
    ("wait so many", "wait this many"),
    ("leads nowhere", "a missing variable or file"),
    ("lead nowhere", "missing variables or files"),
    ("said in two ways", "set twice"),
    ("can't be called so", "an invalid name"),
    ("a file that travels", "a file that is likely to be shared"),
    ("all the same", "anyway"),
    ("of one's own", "of your own"),
    ("spoken to", "supported"),
    ("was broken off", "was interrupted"),
    ("gone on with", "resumed"),
    ("is no news", "is not reported"),
    ("is no secret", "is not secret"),
    ("nothing needs to be done", "no action needed"),
    ("nothing but what is allowed", "only allowed findings"),
    ("was asked first", "verification"),
    ("take the others' permission", "run `chmod 600 …`"),
    ("taken from there", "value comes from …"),
    ("stands beside", "is next to"),
    ("stand side by side", "found both"),
    ("of its choice", "that it sets"),
    ("written out in a file", "a plaintext secret in a file"),
    ("has a say in", "affects"),
    ("white space", "whitespace"),
    ("nobody's business", "ignored"),
    ("knows nobody", "has no accounts"),
    ("knows nothing of", "does not know"),
    ("in the place of", "instead of; replaces"),
    ("told apart", "distinguished"),
    ("is taken for", "is treated as"),
    ("gone on", "continued"),
    ("no say in", "does not affect"),
    ("has no business", "does not belong"),
    ("as it stands", "as it is"),
    ("what is said of", "what is reported about"),
    ("are strangers", "don't use each other"),
    ("is the word of", "comes from"),
    ("the way of the", "the … flow"),
    ("half-way", "before it was complete"),
    ("broken off", "cut off; interrupted"),
    ("breaks off", "closes; ends early"),
    ("leads somewhere", "has a target"),
    ("lead somewhere", "have a target"),
    ("speaks of", "is about; reports"),
    ("speak of", "are about; report"),
    ("stands beside", "is next to"),
    ("beside it", "next to it"),
    ("beside its", "with its"),
    ("less one", "minus one"),
    ("takes no", "rejects; does not accept"),
    ("how it came out", "its result"),
    ("what came of it", "the result"),
    ("became of it", "the result"),
];

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn files(directory: &str, extension: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut open = vec![root().join(directory)];
    while let Some(directory) = open.pop() {
        for entry in std::fs::read_dir(directory).unwrap() {
            let path = entry.unwrap().path();
            match path.is_dir() {
                true => open.push(path),
                false if path.extension().is_some_and(|found| found == extension) => found.push(path),
                false => {}
            }
        }
    }
    found.sort();
    found
}

/// A text with the line where it begins.
type Texts = Vec<(usize, String)>;

/// Phrases that are wrong in comments and in names of functions. Messages may need them.
const WRONG_IN_CODE: &[(&str, &str)] = &[
    ("told by", "recognised by"),
    ("stands in", "is in"),
    ("stands there", "is there"),
    ("stands before", "precedes"),
    ("stands behind", "follows"),
    ("goes on", "continues"),
    ("of ones own", "self-hosted; custom"),
    ("so many bytes", "this many bytes"),
    ("what is said", "what is printed or reported"),
    ("is said of", "is reported about"),
    ("set to nothing", "empty"),
    ("whence", "where … from"),
    ("no half of", "not part of"),
];

/// The string literals and the comments of a source. Consecutive lines of comments are one text.
fn texts(source: &str) -> (Texts, Texts) {
    let (mut literals, mut comments): (Texts, Texts) = (Vec::new(), Vec::new());
    let (mut rest, mut line, mut last) = (source, 1, 0);
    while let Some(c) = rest.chars().next() {
        let hashes = rest.strip_prefix('r').map(|rest| rest.len() - rest.trim_start_matches('#').len());
        let end = if rest.starts_with("//") {
            let end = rest.find('\n').unwrap_or(rest.len());
            let text = rest[..end].trim_start_matches(['/', '!']).trim();
            let before = &source[..source.len() - rest.len()];
            let whole = before[before.rfind('\n').map_or(0, |at| at + 1)..].trim().is_empty();
            match comments.last_mut().filter(|_| whole && last + 1 == line) {
                Some((_, comment)) => *comment += &format!(" {text}"),
                None => comments.push((line, text.to_owned())),
            }
            last = if whole { line } else { 0 };
            end
        } else if let Some(raw) = hashes.filter(|&hashes| rest[1 + hashes..].starts_with('"')) {
            let body = &rest[raw + 2..];
            let end = body.find(&format!("\"{}", "#".repeat(raw))).unwrap();
            literals.push((line, body[..end].to_owned()));
            raw + 2 + end + 1 + raw
        } else if c == '"' {
            let mut escaped = false;
            let end = rest[1..].find(|c| {
                let ends = c == '"' && !escaped;
                escaped = c == '\\' && !escaped;
                ends
            });
            let end = end.unwrap();
            literals.push((line, rest[1..=end].to_owned()));
            end + 2
        } else if rest.starts_with("'\"'") || rest.starts_with("'\\''") {
            if rest.starts_with("'\"'") { 3 } else { 4 }
        } else {
            c.len_utf8()
        };
        line += rest[..end].matches('\n').count();
        rest = &rest[end..];
    }
    (literals, comments)
}

/// The string literals of a source, without those of the tests at its end.
fn literals(source: &str) -> Texts {
    texts(source.split("#[cfg(test)]\nmod ").next().unwrap()).0
}

/// The names of the functions of a source, as words.
fn functions(source: &str) -> Texts {
    let name = |line: &str| {
        let (before, name) = line.split_once("fn ")?;
        let end = name.find(|c: char| !c.is_ascii_alphanumeric() && c != '_')?;
        (before.is_empty() || before.ends_with(' ')).then(|| name[..end].replace('_', " "))
    };
    source.lines().enumerate().filter_map(|(index, line)| Some((index + 1, name(line)?))).collect()
}

/// The comments of a script or a configuration, which begin with `#`.
fn hash_comments(source: &str) -> Texts {
    let mut comments: Texts = Vec::new();
    let mut last = 0;
    for (index, line) in source.lines().enumerate() {
        let whole = line.trim_start().strip_prefix('#');
        let Some(text) = whole.or_else(|| Some(line.split_once(" # ")?.1)) else { continue };
        match comments.last_mut().filter(|_| whole.is_some() && last == index) {
            Some((_, comment)) => *comment += &format!(" {}", text.trim()),
            None => comments.push((index + 1, text.trim().to_owned())),
        }
        last = if whole.is_some() { index + 1 } else { 0 };
    }
    comments
}

/// The wrong phrases of a text: whole words, whatever their case.
fn wrong(text: &str) -> Vec<&'static str> {
    listed(text, WRONG)
}

fn listed(text: &str, phrases: &[(&'static str, &str)]) -> Vec<&'static str> {
    let text = text.to_lowercase();
    let edge = |c: Option<char>| c.is_none_or(|c| !c.is_alphanumeric());
    let occurs = |phrase: &str| {
        text.match_indices(phrase)
            .any(|(at, _)| edge(text[..at].chars().next_back()) && edge(text[at + phrase.len()..].chars().next()))
    };
    phrases.iter().map(|(phrase, _)| *phrase).filter(|phrase| occurs(phrase)).collect()
}

#[test]
fn messages_and_documents_avoid_listed_phrases() {
    let mut faults = Vec::new();
    let mut look = |path: &Path, line: usize, text: &str| {
        for phrase in wrong(text) {
            let instead = WRONG.iter().find(|(wrong, _)| *wrong == phrase).unwrap().1;
            let path = path.strip_prefix(root()).unwrap().display();
            faults.push(format!("{path}:{line}: `{phrase}`: say `{instead}`"));
        }
    };
    for path in files("src", "rs") {
        for (line, text) in literals(&std::fs::read_to_string(&path).unwrap()) {
            look(&path, line, &text);
        }
    }
    let top = ["README.md", "CONTRIBUTING.md", "CHANGELOG.md", "CODE_OF_CONDUCT.md", "SECURITY.md"];
    let top = top.map(|name| root().join(name));
    let forms = files(".github/ISSUE_TEMPLATE", "yml");
    let pages = [files("docs", "md"), files("tests/it/snapshots/help", "snap"), top.into(), forms].concat();
    assert!(pages.len() > 60, "{pages:?}");
    for path in pages {
        for (index, text) in std::fs::read_to_string(&path).unwrap().lines().enumerate() {
            look(&path, index + 1, text);
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

/// Comments and names are read as often as messages.
#[test]
fn comments_and_names_avoid_listed_phrases() {
    let folders = ["src", "tests", "benches"].map(|folder| files(folder, "rs")).concat();
    let rust = [folders, vec![root().join("build.rs")]].concat();
    let folder = |name: &str| std::fs::read_dir(root().join(name)).unwrap().map(|entry| entry.unwrap().path());
    let scripts = [".ci", ".cargo"].into_iter().flat_map(folder);
    let scripts = scripts.chain(files("benches", "py")).chain(files("benches", "sh"));
    let workflows = ["templates", ".github", "upload"].into_iter().flat_map(|folder| files(folder, "yml"));
    let top = ["action.yml", "justfile", "Cargo.toml", "clippy.toml", "deny.toml", "pyproject.toml", "Dockerfile"];
    let others: Vec<_> = scripts.chain(workflows).chain(top.map(|name| root().join(name))).collect();
    assert!(rust.len() > 200 && others.len() > 20, "{} {}", rust.len(), others.len());
    let read = |path: &PathBuf| std::fs::read_to_string(path).unwrap();
    let rust = rust.iter().map(|path| (path, [texts(&read(path)).1, functions(&read(path))].concat()));
    let mut faults = Vec::new();
    for (path, texts) in rust.chain(others.iter().map(|path| (path, hash_comments(&read(path))))) {
        for (line, text) in texts {
            for phrase in [wrong(&text), listed(&text, WRONG_IN_CODE)].concat() {
                let (_, instead) = WRONG.iter().chain(WRONG_IN_CODE).find(|(wrong, _)| *wrong == phrase).unwrap();
                let path = path.strip_prefix(root()).unwrap().display();
                faults.push(format!("{path}:{line}: `{phrase}`: say `{instead}`"));
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn listed_phrases_are_found_in_literals_comments_and_names() {
    let source = "// not in force\nlet a = '\"'; // \"in force\nlet b = \"it is \\\"in force\\\"\";\nlet c = r#\"halves\"#;\n#[cfg(test)]\nmod tests { \"mend\" }\n";
    let found: Vec<_> = literals(source).into_iter().map(|(line, text)| (line, wrong(&text))).collect();
    assert_eq!(found, [(3, vec!["in force"]), (4, vec!["halves"])]);
    let comments = texts("/// it is in\n/// force\nlet a = \"// half\"; // not\n").1;
    assert_eq!(comments, [(1, "it is in force".to_owned()), (3, "not".to_owned())]);
    let comments = hash_comments("a = 1 # in\n# a\n  # b\nc\n# force\n");
    assert_eq!(
        comments.iter().map(|(line, text)| (*line, text.as_str())).collect::<Vec<_>>(),
        [(1, "in"), (2, "a b"), (5, "force")]
    );
    assert_eq!(
        functions("fn a_pair() {}\n    pub const fn is(b: u8) {}\n"),
        [(1, "a pair".to_owned()), (2, "is".to_owned())]
    );
    assert_eq!(wrong("recommended amendments to enforce; behalves"), [""; 0]);
    assert_eq!(wrong("A whole pair. Mend it!"), ["mend", "a whole pair"]);
}

/// A page that is read in a hurry stays short: its words, code and tables included.
#[test]
fn pages_read_in_a_hurry_are_short() {
    for (page, most) in [("README.md", 1100), ("docs/uploading.md", 900), ("docs/exit-codes.md", 450)] {
        let words = std::fs::read_to_string(root().join(page)).unwrap().split_whitespace().count();
        assert!(words <= most, "{page} has {words} words, and {most} are enough");
    }
}
