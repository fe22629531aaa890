//! The floors of the architecture: a module uses only lower floors, and modules on one floor don't use each other.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;

/// From the lowest floor up. `docs/architecture.md` draws the same.
const FLOORS: &[&[&str]] = &[
    &["services", "text", "file", "code", "shorthand"],
    &["form", "programs"],
    &["secret"],
    &["schema"],
    &["source"],
    &["config", "finding"],
    &["profile", "rule", "identify", "foreign"],
    &["rules", "upload", "sandbox"],
    &["lint"],
    &["why"],
    &["report", "run"],
    &["cli"],
];

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn sources(directory: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in std::fs::read_dir(directory).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files.extend(sources(&path));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
    files.sort();
    files
}

/// The lines of code in a file, without comments.
fn code(path: &Path) -> Vec<String> {
    let text = std::fs::read_to_string(path).unwrap();
    text.lines().map(|line| line.split("//").next().unwrap().to_owned()).collect()
}

fn floor(module: &str) -> Option<usize> {
    FLOORS.iter().position(|floor| floor.contains(&module))
}

/// Returns `true` if module `own` may use `crate::used`.
fn looks_down(own: &str, used: &str) -> bool {
    own == used || floor(used) < floor(own) && floor(used).is_some()
}

#[test]
fn modules_use_only_lower_floors() {
    assert!(looks_down("rules", "profile") && !looks_down("profile", "rules") && !looks_down("rules", "upload"));
    let src = root().join("src");
    let mut faults = Vec::new();
    for path in sources(&src) {
        let relative = path.strip_prefix(&src).unwrap();
        let first = relative.iter().next().unwrap().to_str().unwrap();
        let module = first.strip_suffix(".rs").unwrap_or(first);
        if ["main", "lib"].contains(&module) {
            continue;
        }
        assert!(floor(module).is_some(), "`{module}` has no floor: give it one in FLOORS");
        for (number, line) in code(&path).iter().enumerate() {
            for (at, _) in line.match_indices("crate::") {
                let rest = &line[at + "crate::".len()..];
                let used: String = rest.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
                if !looks_down(module, &used) {
                    faults.push(format!("src/{}:{} looks up or sideways at `{used}`", relative.display(), number + 1));
                }
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

/// The modules with a file of their own: the path of each, and its code without its tests.
fn modules() -> BTreeMap<Vec<String>, String> {
    let src = root().join("src");
    let mut modules = BTreeMap::new();
    for path in sources(&src) {
        let relative = path.strip_prefix(&src).unwrap().with_extension("");
        let names: Vec<String> = relative.iter().map(|name| name.to_str().unwrap().to_owned()).collect();
        let text = code(&path).join("\n");
        let text = text.split("#[cfg(test)]\nmod tests {").next().unwrap();
        if names.last().unwrap() != "tests" {
            // Visibility is not a dependency.
            modules.insert(names, text.replace("pub(in crate::", "pub("));
        }
    }
    modules
}

/// Every path with `::` in a piece of code; `a::{b, c::d}` is `a::b` and `a::c::d`.
fn paths(code: &str) -> Vec<Vec<String>> {
    let is_name = |c: char| c.is_alphanumeric() || c == '_';
    let (mut paths, mut prefix, mut outer) = (Vec::new(), Vec::<String>::new(), Vec::new());
    let mut rest = code;
    while let Some(c) = rest.chars().next() {
        let name: String = rest.chars().take_while(|&c| is_name(c)).collect();
        rest = &rest[name.len().max(if name.is_empty() { c.len_utf8() } else { 0 })..];
        if !name.is_empty() {
            prefix.push(name);
            match rest.strip_prefix("::") {
                Some(more) if more.starts_with('{') => {
                    outer.push(prefix.len());
                    rest = &more[1..];
                    continue;
                }
                Some(more) if more.starts_with(is_name) => {
                    rest = more;
                    continue;
                }
                _ => paths.push(prefix.clone()),
            }
        } else if c == '{' {
            outer.push(prefix.len());
        } else if c == '}' {
            outer.pop();
        }
        prefix.truncate(outer.last().copied().unwrap_or(0));
    }
    paths.retain(|path| path.len() > 1);
    paths
}

#[test]
fn paths_are_extracted_from_source() {
    let found = paths("use super::{a, b::{C, d::E}}; fn f() { if crate::x::y(1) { self::z() } } use g::*; h::<I>::j()");
    let found: Vec<String> = found.iter().map(|path| path.join("::")).collect();
    assert_eq!(found, ["super::a", "super::b::C", "super::b::d::E", "crate::x::y", "self::z"]);
}

/// The module that a path in module `own` refers to.
fn target<'a>(modules: &'a BTreeMap<Vec<String>, String>, own: &[String], path: &[String]) -> Option<&'a Vec<String>> {
    let supers = path.iter().take_while(|name| *name == "super").count();
    let mut full: Vec<String> = match path[0].as_str() {
        "crate" => path[1..].to_vec(),
        "self" => [own, &path[1..]].concat(),
        "super" => [&own[..own.len().checked_sub(supers)?], &path[supers..]].concat(),
        child if modules.contains_key(&[own, &[child.to_owned()]].concat()) => [own, path].concat(),
        _ => return None,
    };
    while !full.is_empty() {
        if let Some((module, _)) = modules.get_key_value(&full) {
            return Some(module);
        }
        full.pop();
    }
    None
}

#[test]
fn files_of_a_folder_have_no_cyclic_dependencies() {
    let modules = modules();
    let mut reach: BTreeMap<&Vec<String>, BTreeSet<&Vec<String>>> = BTreeMap::new();
    for (own, code) in &modules {
        let used = paths(code).iter().filter_map(|path| target(&modules, own, path)).collect::<Vec<_>>();
        let within = used.into_iter().filter(|used| used[0] == own[0] && *used != own);
        reach.insert(own, within.collect());
    }
    assert!(reach.values().map(BTreeSet::len).sum::<usize>() > modules.len(), "the test finds what is imported");
    // Dependencies are transitive.
    for over in modules.keys() {
        let further = reach[over].clone();
        for reached in reach.values_mut().filter(|reached| reached.contains(over)) {
            reached.extend(&further);
        }
    }
    let mut knots: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for (own, reached) in &reach {
        if reached.contains(own) {
            knots.entry(&own[0]).or_default().push(own.join("/"));
        }
    }
    assert!(knots.is_empty(), "cyclic dependencies: {knots:#?}");
}

#[test]
fn every_floor_is_a_module_and_documented_in_the_architecture() {
    let drawing = std::fs::read_to_string(root().join("docs/architecture.md")).unwrap();
    for (number, floor) in FLOORS.iter().enumerate() {
        let line = format!(" {number}  {}", floor.join(" · "));
        assert!(drawing.contains(&line), "docs/architecture.md does not draw `{line}`");
        for module in *floor {
            assert!(root().join(format!("src/{module}.rs")).exists(), "`{module}` is not a module");
        }
    }
}

#[test]
fn main_rs_is_small() {
    let main = std::fs::read_to_string(root().join("src/main.rs")).unwrap();
    assert!(main.lines().count() <= 30);
}

#[test]
fn each_dependency_is_used_in_one_place() {
    let src = root().join("src");
    for (library, homes) in [
        ("figment", &["config/merge.rs"][..]),
        ("clap", &["cli/args"]),
        ("clap_complete", &["cli/args"]),
        ("clap_mangen", &["cli/args"]),
        ("textwrap", &["report/human.rs", "report/page.rs"]),
        ("miette", &["report/human.rs"]),
        ("reqwest", &["upload/wire/"]),
        // A check never has a runtime, and everything else has this one, except for a test.
        ("tokio::runtime", &["cli/runtime.rs", "run.rs", "upload/wire/http.rs"]),
        ("hyper", &["sandbox", "upload/wire/fault.rs"]),
        ("multer", &["sandbox"]),
        ("base64", &["form/embedded.rs", "form/wrapping.rs", "sandbox", "upload/"]),
        ("percent_encoding", &["form/wrapping.rs", "report/sarif.rs", "sandbox", "upload/"]),
        ("memchr", &["upload/secrets.rs"]),
        ("anstyle_query", &["cli/terminal.rs"]),
        ("indicatif", &["cli/progress.rs"]),
        ("granit_parser", &["source/yaml.rs"]),
        ("jsonc_parser", &["source/json.rs"]),
        ("toml", &["source/toml.rs", "source/syntax.rs"]),
    ] {
        for path in sources(&src) {
            let relative = path.strip_prefix(&src).unwrap().to_str().unwrap();
            let word = format!("{library}::");
            let says = |line: &str| {
                line.match_indices(&word)
                    .any(|(at, _)| !line[..at].ends_with(|c: char| c.is_alphanumeric() || "_:".contains(c)))
            };
            let line = code(&path).into_iter().find(|line| says(line));
            let home = homes.iter().any(|home| relative.starts_with(home));
            assert!(home || line.is_none(), "src/{relative} uses {library}: {line:?}");
        }
    }
}

#[test]
fn the_sandbox_shares_no_format_code_with_the_linter() {
    // `combinations.rs` compares the linter with the service, which proves nothing if they share code.
    let folder = root().join("src/sandbox");
    let files = sources(&folder);
    assert!(files.contains(&folder.join("issued.rs")), "the test looks in the right folder");
    for path in files.into_iter().chain([root().join("src/sandbox.rs")]) {
        for used in ["form", "secret", "schema", "profile"] {
            let line = code(&path).into_iter().find(|line| line.contains(&format!("crate::{used}")));
            assert_eq!(line, None, "{} uses code of the linter", path.display());
        }
    }
}

#[test]
fn a_build_without_upload_has_no_network_dependencies() {
    // A build without `upload` and `sandbox` has no HTTP client, no server and no runtime.
    let tree = |features: &[&str]| {
        let output = Command::new(env!("CARGO"))
            .args(["tree", "--offline", "--locked", "--edges", "normal", "--prefix", "none", "--no-default-features"])
            .args(features)
            .current_dir(root())
            .output()
            .unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap()
    };
    for features in [&[][..], &["--features", "cli"]] {
        let tree = tree(features);
        for network in ["reqwest", "hyper", "tokio", "rustls", "h2", "socket2", "mio"] {
            let built = tree.lines().any(|line| line.split(' ').next() == Some(network));
            assert!(!built, "{network} is built by {features:?}");
        }
    }
    assert!(tree(&["--features", "upload"]).contains("reqwest"), "the test looks for the right name");
    // In the full program, the floors below `lint` do not use `upload` (see above), and neither does the command.
    for file in ["src/lint.rs", "src/cli/check.rs"] {
        for line in code(&root().join(file)) {
            assert!(!["upload", "sandbox", "std::net"].iter().any(|word| line.contains(word)), "{file}: {line}");
        }
    }
}

/// A checkout on Windows fails at a name that is a device there, whatever its extension.
#[test]
fn file_names_are_valid_on_windows() {
    fn walk(directory: &Path, found: &mut Vec<PathBuf>) {
        for entry in std::fs::read_dir(directory).unwrap().map(Result::unwrap) {
            let name = entry.file_name().to_string_lossy().to_lowercase();
            let stem = name.split('.').next().unwrap();
            let device = ["con", "prn", "aux", "nul"].contains(&stem)
                || ["com", "lpt"].iter().any(|port| stem.len() == 4 && stem.starts_with(port));
            if device || name.ends_with(['.', ' ']) || name.contains(|c: char| "<>:\"|?*\\".contains(c)) {
                found.push(entry.path());
            }
            if entry.file_type().unwrap().is_dir() {
                walk(&entry.path(), found);
            }
        }
    }
    let mut found = Vec::new();
    for directory in ["benches", "docs", "examples", "src", "templates", "tests", "upload"] {
        walk(&root().join(directory), &mut found);
    }
    assert!(found.is_empty(), "{found:?}");
}

/// Words of services and programs.
const VENDORS: &[&str] = &[
    "slack", "backblaze", "b2", "xoxb", "xoxp", "xapp", "twilio", "stripe", "telegram", "rclone", "restic", "kopia",
    "alertmanager", "grafana", "litestream", "netrc", "npm", "twine", "duplicity", "duplicati", "duplicacy",
    "gobackup", "benji", "autorestic", "helm", "heroku", "robusta", "ddns", "sentry", "anthropic", "aws", "azure",
    "brevo", "clerk", "cloudflare", "discord", "groq", "mailgun", "newrelic", "openai", "openrouter", "mapbox",
    "datadog", "posthog", "tailscale", "registries", "resend", "scaleway", "sendgrid", "smtp", "supabase", "upstash",
    "auth0", "rails",
];

/// Words of services that are words of other things, too: formats of reports, protocols, parts of any address.
const COMMON: &[&str] =
    &["github", "google", "s3", "registry", "databases", "database", "relic", "r2", "gitlab", "spaces"];

/// Where a service or a program may be named outside of `services` and `programs`, and why.
const NAMED: &[(&str, &[&str])] = &[
    ("the examples of `services` and `explain` ask for one", &["cli/args/texts.rs"]),
    (
        "what a rule of the two first services says, in their terms",
        &["rules/malformed_address.rs", "rules/unrecognised_credential.rs", "rules/wrong_credential.rs"],
    ),
    ("the profiles of those two: their fields take the rows' forms", &["schema/kinds.rs"]),
    (
        "addresses and IDs that credlint itself sends something to",
        &["schema/value.rs", "schema/value/channel.rs", "schema/value/token.rs"],
    ),
    (
        "what `upload` and `verify` say on the wire, and the embedded service",
        &[
            "code.rs", "run/sender.rs", "sandbox/accounts.rs", "sandbox/faults.rs", "sandbox/issued.rs",
            "sandbox/operation.rs", "upload/ask.rs",
        ],
    ),
    ("what references to secret managers look like", &["form/unexpanded.rs"]),
    ("names of files that several programs share, and their syntax", &["foreign/file_type.rs", "source/logins.rs"]),
    ("the syntax of one program", &["foreign/names.rs", "foreign/profiles.rs", "foreign/storage.rs"]),
    (
        "what a value looks like before its form is known: the beginnings of made-up and of wrapped tokens",
        &["form/placeholder.rs", "form/wrapping.rs", "text/shown.rs"],
    ),
    ("the kind that only tests have", &["schema/third.rs"]),
];

/// The text of the code of a file, without comments, tests and examples of them.
fn own_code(path: &Path) -> String {
    let lines = code(path);
    let end = lines.windows(2).position(|pair| pair[0].trim() == "#[cfg(test)]" && pair[1].starts_with("mod "));
    lines[..end.unwrap_or(lines.len())].join("\n")
}

fn names_a_vendor(code: &str) -> bool {
    let words = code.split(|c: char| !c.is_ascii_alphanumeric()).map(str::to_ascii_lowercase);
    words.into_iter().any(|word| VENDORS.contains(&word.as_str()))
}

/// A new service or program is looked for, too.
#[test]
fn every_service_and_program_is_looked_for() {
    let words = |text: &str| text.to_lowercase().split(['_', ' ', '-']).map(str::to_owned).collect::<Vec<_>>();
    let mut names: Vec<String> = sources(&root().join("src/programs"))
        .iter()
        .map(|path| path.file_stem().unwrap().to_str().unwrap().to_owned())
        .collect();
    let list = std::fs::read_to_string(root().join("docs/services/README.md")).unwrap();
    names.extend(list.lines().filter_map(|line| Some(line.strip_prefix("- [")?.split_once(']')?.0.to_owned())));
    let missing: Vec<_> = names
        .iter()
        .filter(|name| !words(name).iter().any(|word| [VENDORS, COMMON].concat().contains(&word.as_str())))
        .collect();
    assert!(names.len() > 10 && missing.is_empty(), "VENDORS has no word of {missing:?}");
}

#[test]
fn services_and_programs_are_named_elsewhere_only_with_a_reason() {
    assert!(names_a_vendor("slack::TOKEN") && names_a_vendor("\"B2_KEY\"") && !names_a_vendor("slackers b2b"));
    let src = root().join("src");
    let relative = |path: &PathBuf| path.strip_prefix(&src).unwrap().to_str().unwrap().to_owned();
    let rows = |name: &str| ["services", "programs"].iter().any(|folder| name.starts_with(folder));
    let files = sources(&src).into_iter().filter(|path| !rows(&relative(path)) && !path.ends_with("tests.rs"));
    let found: BTreeSet<String> =
        files.filter(|path| names_a_vendor(&own_code(path))).map(|path| relative(&path)).collect();
    let known: BTreeSet<String> = NAMED.iter().flat_map(|(_, files)| *files).map(|file| (*file).to_owned()).collect();
    let new: Vec<_> = found.difference(&known).collect();
    assert!(new.is_empty(), "they name a service: move it to its row, or say why: {new:?}");
    let gone: Vec<_> = known.difference(&found).collect();
    assert!(gone.is_empty(), "they name none any more: {gone:?}");
}

#[test]
fn rows_hold_no_logic() {
    for folder in ["services", "programs"] {
        let files = sources(&root().join("src").join(folder));
        assert!(files.len() >= 10, "the test looks in the right folder");
        for path in files {
            for line in code(&path) {
                let words: Vec<&str> = line.split(|c: char| !c.is_alphanumeric() && c != '!').collect();
                let logic = ["fn", "if", "match", "for", "while", "loop", "macro_rules!", "impl"];
                // A word in a text is none of the language.
                let first = words.iter().find(|word| !word.is_empty());
                let is = first.is_some_and(|first| logic.contains(first)) || line.contains("fn(");
                assert!(!is, "{}: {line}", path.display());
            }
        }
    }
}
