//! The floors of the architecture: a module uses only lower floors, and modules on one floor don't use each other.

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
    &["examples"],
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
        assert!(floor(module).is_some(), "`{module}` has no floor: give it one in FLOORS and in docs/architecture.md");
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
