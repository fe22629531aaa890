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

/// The string literals of a source, with their lines. Tests at the end of a file are left out.
fn literals(source: &str) -> Vec<(usize, String)> {
    let source = source.split("#[cfg(test)]\nmod ").next().unwrap();
    let (mut found, mut rest, mut line) = (Vec::new(), source, 1);
    while let Some(c) = rest.chars().next() {
        let hashes = rest.strip_prefix('r').map(|rest| rest.len() - rest.trim_start_matches('#').len());
        let end = if rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else if let Some(raw) = hashes.filter(|&hashes| rest[1 + hashes..].starts_with('"')) {
            let body = &rest[raw + 2..];
            let end = body.find(&format!("\"{}", "#".repeat(raw))).unwrap();
            found.push((line, body[..end].to_owned()));
            raw + 2 + end + 1 + raw
        } else if c == '"' {
            let mut escaped = false;
            let end = rest[1..].find(|c| {
                let ends = c == '"' && !escaped;
                escaped = c == '\\' && !escaped;
                ends
            });
            let end = end.unwrap();
            found.push((line, rest[1..=end].to_owned()));
            end + 2
        } else if rest.starts_with("'\"'") || rest.starts_with("'\\''") {
            if rest.starts_with("'\"'") { 3 } else { 4 }
        } else {
            c.len_utf8()
        };
        line += rest[..end].matches('\n').count();
        rest = &rest[end..];
    }
    found
}

/// The wrong phrases of a text: whole words, whatever their case.
fn wrong(text: &str) -> Vec<&'static str> {
    let text = text.to_lowercase();
    let edge = |c: Option<char>| c.is_none_or(|c| !c.is_alphanumeric());
    let occurs = |phrase: &str| {
        text.match_indices(phrase)
            .any(|(at, _)| edge(text[..at].chars().next_back()) && edge(text[at + phrase.len()..].chars().next()))
    };
    WRONG.iter().map(|(phrase, _)| *phrase).filter(|phrase| occurs(phrase)).collect()
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

#[test]
fn listed_phrases_are_found_only_in_literals() {
    let source = "// not in force\nlet a = '\"'; // \"in force\nlet b = \"it is \\\"in force\\\"\";\nlet c = r#\"halves\"#;\n#[cfg(test)]\nmod tests { \"mend\" }\n";
    let found: Vec<_> = literals(source).into_iter().map(|(line, text)| (line, wrong(&text))).collect();
    assert_eq!(found, [(3, vec!["in force"]), (4, vec!["halves"])]);
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
