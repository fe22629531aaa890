//! The floors of the house: a module uses only what lies below it, and modules on one floor are strangers.

use std::path::{Path, PathBuf};
use std::process::Command;

/// From the ground up. `docs/architecture.md` draws the same.
const FLOORS: &[&[&str]] = &[
    &["secret", "file"],
    &["text"],
    &["schema"],
    &["source"],
    &["config", "finding"],
    &["profile"],
    &["rules", "upload", "sandbox"],
    &["lint"],
    &["report", "delivery", "verify", "fix"],
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

/// The code of a file, line by line, comments aside.
fn code(path: &Path) -> Vec<String> {
    let text = std::fs::read_to_string(path).unwrap();
    text.lines().map(|line| line.split("//").next().unwrap().to_owned()).collect()
}

fn floor(module: &str) -> Option<usize> {
    FLOORS.iter().position(|floor| floor.contains(&module))
}

/// Whether a line of module `own` that says `crate::used` looks down.
fn looks_down(own: &str, used: &str) -> bool {
    own == used || floor(used) < floor(own) && floor(used).is_some()
}

#[test]
fn a_module_uses_only_what_lies_below_it() {
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

#[test]
fn every_floor_is_a_module_and_drawn_in_the_architecture() {
    let drawing = std::fs::read_to_string(root().join("docs/architecture.md")).unwrap();
    for (number, floor) in FLOORS.iter().enumerate() {
        let line = format!(" {number}  {}", floor.join(" · "));
        assert!(drawing.contains(&line), "docs/architecture.md does not draw `{line}`");
        for module in *floor {
            assert!(root().join(format!("src/{module}.rs")).exists(), "`{module}` is no module");
        }
    }
}

#[test]
fn the_door_is_small() {
    let main = std::fs::read_to_string(root().join("src/main.rs")).unwrap();
    assert!(main.lines().count() <= 30);
}

#[test]
fn a_library_has_one_home() {
    let src = root().join("src");
    for (library, homes) in [
        ("figment", &["config/provider.rs"][..]),
        ("clap", &["cli/args"]),
        ("clap_complete", &["cli/args"]),
        ("clap_mangen", &["cli/args"]),
        ("textwrap", &["report/human.rs", "report/page.rs"]),
        ("miette", &["report/human.rs"]),
        ("reqwest", &["upload/"]),
        ("hyper", &["sandbox", "upload/wire/fault.rs"]),
        ("multer", &["sandbox"]),
        ("base64", &["sandbox", "upload/"]),
        ("percent_encoding", &["report/sarif.rs", "sandbox", "upload/"]),
        ("similar", &["fix/diff.rs"]),
        ("anstyle_query", &["cli/terminal.rs"]),
        ("indicatif", &["cli/progress.rs"]),
        ("granit_parser", &["source/yaml.rs"]),
        ("jsonc_parser", &["source/json.rs"]),
        ("toml", &["source/toml.rs", "source.rs"]),
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
fn a_check_can_reach_no_network() {
    // The builds without `upload` and `sandbox` have no HTTP client, no server and no runtime to reach it with.
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
    // In the whole program, the floors below `lint` hold no `upload` (see above), and the command asks for none.
    for file in ["src/lint.rs", "src/cli/check.rs"] {
        for line in code(&root().join(file)) {
            assert!(!["upload", "sandbox", "std::net"].iter().any(|word| line.contains(word)), "{file}: {line}");
        }
    }
}
