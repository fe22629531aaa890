//! `check --fix` and `--diff`: values are moved, and the rest of a file stays unchanged.

#[cfg(unix)]
use std::path::Path;

use proptest::prelude::*;

use crate::harness::{Project, Run};

const SECRET: &str = "xoxb-7391842650-QzWvXkPjHyBd";

fn read(project: &Project, name: &str) -> String {
    std::fs::read_to_string(project.path().join(name)).unwrap()
}

/// The names of everything in a directory.
#[cfg(unix)]
fn names(path: &Path) -> Vec<String> {
    let names = std::fs::read_dir(path).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let mut names: Vec<String> = names.collect();
    names.sort();
    names
}

fn words<'a>(name: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    let file = if name == "a.env" { ["--env-file", name] } else { ["--config", name] };
    [&["check"], more, &file].concat()
}

/// Each mistake in each format, before and after.
#[cfg(unix)]
const FIXES: &[(&str, &str, &str)] = &[
    (
        "a.toml",
        "# top\r\n[messaging.r] # table\r\nbase_url = \"https://h.example/x/api/\"  # end\r\n\r\ntokn = { env = 'T' }\r\nchannels = ['C1', 'C2', 'C1']\r\n",
        "# top\r\n[messaging.r] # table\r\nbase_url = \"https://h.example/x\"  # end\r\n\r\ntoken = { env = 'T' }\r\nchannels = ['C1', 'C2']\r\n",
    ),
    (
        "a.toml",
        "\u{feff}[messaging.r]\nbase_url = '''https://h.example/api/files.upload'''\n\"tokn\" = 'Bearer  §'\nchannels = [\n  \"C1\", # one\n  \"C1\", # two\n  \"C2\",\n  \"C2\",\n  \"C1\" # last\n]\n",
        "\u{feff}[messaging.r]\nbase_url = '''https://h.example'''\n\"token\" = '§'\nchannels = [\n  \"C1\", # one\n  # two\n  \"C2\"\n  # last\n]\n",
    ),
    (
        "a.yaml",
        "# top\nmessaging:\n  r: # r\n    'base-url': https://h.example/api # end\n    token: bearer §\n    channels:\n      - C1 # one\n      - 'C1' # two\n      - C2\n      - C1",
        "# top\nmessaging:\n  r: # r\n    'base_url': https://h.example # end\n    token: §\n    channels:\n      - C1 # one\n      # two\n      - C2",
    ),
    (
        "a.yaml",
        "messaging: {r: {base_url: \"https://h.example/api/\", token: {env: T}, channels: [C1, C1 , \"C2\" ,C2]}}\n",
        "messaging: {r: {base_url: \"https://h.example\", token: {env: T}, channels: [C1, \"C2\" ]}}\n",
    ),
    (
        "a.yaml",
        "\u{feff}messaging:\n  r:\n    base_url: https://h.example/api\n    token: {env: T}\n    channels: [C1]\n",
        "\u{feff}messaging:\n  r:\n    base_url: https://h.example\n    token: {env: T}\n    channels: [C1]\n",
    ),
    (
        "a.json",
        "{\"messaging\": {\"r\": {\n  \"base_url\": \"https://h.example/api\",\n  \"tokne\": \"Bearer §\",\n  \"chanels\": [\n    \"C1\",\n    \"C1\",\n    \"C2\",\n    \"C1\"\n  ]\n}}}\n",
        "{\"messaging\": {\"r\": {\n  \"base_url\": \"https://h.example\",\n  \"token\": \"§\",\n  \"channels\": [\n    \"C1\",\n    \"C2\"\n  ]\n}}}\n",
    ),
    (
        "a.env",
        "# top\nOTHER='Bearer x'\nexport CREDLINT_MESSAGING__R__BASE_URL=https://h.example/api # end\r\nCREDLINT_MESSAGING__R__TOKN=\"Bearer §\"\nCREDLINT_MESSAGING__R__CHANNELS=C1, C2, C1,C1\n",
        "# top\nOTHER='Bearer x'\nexport CREDLINT_MESSAGING__R__BASE_URL=https://h.example # end\r\nCREDLINT_MESSAGING__R__TOKEN=\"§\"\nCREDLINT_MESSAGING__R__CHANNELS=C1, C2\n",
    ),
];

#[cfg(unix)]
#[test]
fn each_fix_is_applied_in_each_format() {
    use std::os::unix::fs::{MetadataExt, PermissionsExt};
    for (name, before, after) in FIXES {
        let [before, after] = [before, after].map(|text| text.replace('§', SECRET));
        let project = Project::new().file(name, &before).env("T", "xoxb-1");
        let path = project.path().join(name);
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o640)).unwrap();
        let look = project.run(&words(name, &["--diff"]));
        assert_eq!(look.code, 1, "{}", look.stderr);
        assert_eq!(read(&project, name), before, "--diff changes nothing");
        let fix = project.run(&words(name, &["--fix"]));
        assert_eq!(read(&project, name), after, "{}", fix.stderr);
        assert_eq!(fix.code, 0, "{}{}", fix.stdout, fix.stderr);
        assert!(fix.stderr.contains(&format!("fixed {name}: ")), "{}", fix.stderr);
        for run in [&look, &fix] {
            assert!(!format!("{}{}", run.stdout, run.stderr).contains("QzWvX"), "{}{}", run.stdout, run.stderr);
        }
        // A second run writes nothing, and no temporary file is left.
        let seen = path.metadata().unwrap();
        assert_eq!(seen.permissions().mode() & 0o7777, 0o640);
        let again = project.run(&words(name, &["--fix"]));
        assert_eq!((again.code, read(&project, name)), (0, after), "{}", again.stderr);
        let now = path.metadata().unwrap();
        assert_eq!((now.ino(), now.mtime_nsec(), now.ctime_nsec()), (seen.ino(), seen.mtime_nsec(), seen.ctime_nsec()));
        assert!(!again.stderr.contains("fixed"), "{}", again.stderr);
        assert_eq!(names(&project.path()), [".git", name]);
        assert_eq!(project.run(&words(name, &[])).code, 0);
        assert_eq!(project.run(&words(name, &["--diff"])).stdout, "nothing to fix\n");
    }
}

#[test]
fn fix_and_diff_keep_json_output_a_single_document() {
    let text = "[messaging.r]\nbase_url = 'https://h.example/api'\ntoken = { env = 'T' }\nchannels = ['C1']\n";
    let project = Project::new().file("credlint.toml", text).env("T", SECRET);
    let look = project.run(&["check", "--diff", "--format", "json"]);
    assert_eq!(look.document()["findings"][0]["rule"], "doubled-api-path");
    assert!(look.stderr.contains("-base_url = 'https://h.example/api'"), "{}", look.stderr);
    let fix = project.run(&["check", "--fix", "--format", "json"]);
    assert_eq!((fix.code, fix.document()["findings"].as_array().unwrap().len()), (0, 0));
    assert!(fix.stderr.contains("fixed credlint.toml: 1 of 1"), "{}", fix.stderr);
    assert_eq!(project.run(&["check", "--fix", "--diff"]).code, 2);
}

/// At a host without an API, `/api` is not the mistake.
#[test]
fn the_api_path_of_an_unknown_host_is_not_removed() {
    let text =
        "[messaging.r]\nbase_url = 'https://api.slack.com/api'\ntoken = { env = 'T' }\nchannels = ['C0123456789']\n";
    let project = Project::new().file("credlint.toml", text).env("T", SECRET);
    let fix = project.run(&["check", "--fix", "--format", "json"]);
    assert_eq!((fix.code, read(&project, "credlint.toml").as_str()), (1, text), "{}", fix.stderr);
    assert_eq!(fix.document()["findings"][0]["rule"], "doubled-api-path");
    assert_eq!(fix.document()["findings"][0]["help"], "set `base_url` to `https://slack.com`");
}

/// Findings without a single right fix, or in places that are not changed, are reported and left alone.
#[test]
fn findings_that_are_not_fixed_are_reported() {
    let base = "base_url = 'https://h.example'\nchannels = ['C1']\n";
    for (name, text, why) in [
        ("a.toml", format!("[messaging.r]\n{base}token = {{ env = 'B' }}\n"), "a reference"),
        ("a.toml", format!("[messaging.r]\n{base}token = \"\\u0042earer x\"\n"), "escapes"),
        ("a.toml", format!("[messaging.r]\n{base}token = 'Bearer a b'\n"), "not the only problem"),
        ("a.toml", format!("[messaging.r]\n{base}token = 'a'\ntokn = 'b'\n"), "is already set"),
        ("a.toml", format!("[messaging.r]\n{base}tokn = 'a'\ntokne = 'b'\n"), "two keys"),
        (
            "a.toml",
            "[messaging.r]\nbase_url = 'https://h.example'\nchannel = 'C1'\ntoken = 'x-1'\n".into(),
            "another type",
        ),
        (
            "a.toml",
            "[messaging.r]\nbase_url = 'https://h.example'\nchannels = [{ env = 'C' }, 'C1']\ntoken = 'x-1'\n".into(),
            "reference",
        ),
        (
            "a.yaml",
            "messaging:\n  r: &r {base_url: 'https://h.example/api', token: x-1, channels: [C1]}\n  s: *r\n".into(),
            "alias",
        ),
        (
            "a.yaml",
            "x: &t Bearer x-1\nmessaging:\n  r: {base_url: 'https://h.example', token: *t, channels: [C1]}\n".into(),
            "alias",
        ),
        (
            "a.yaml",
            "messaging:\n  r: {base_url: 'https://h.example', token: Bearer *x, channels: [C1]}\n".into(),
            "affect other values",
        ),
    ] {
        let project = Project::new().file(name, &text).env("B", "Bearer x-1").env("C", "C1");
        let run = project.run(&words(name, &["--fix"]));
        assert!(run.stderr.contains("not fixed: ") && run.stderr.contains(why), "{text}\n{}", run.stderr);
        assert_eq!(read(&project, name), text, "{}", run.stderr);
        assert!([0, 1].contains(&run.code));
    }
}

const KEY_ID: &str = "0051a2b3c4d5e6f0000000001";
const KEY: &str = "K005abcdefghijklmnopqrstuvwxyz1";
const ACCOUNT_ID: &str = "1a2b3c4d5e6f";
const MASTER_KEY: &str = "0050123456789abcdef0123456789abcdef0123456";

/// The result of a swap is checked before anything is written.
#[test]
fn swapped_values_are_exchanged_only_if_they_then_match() {
    let application = |id: &str, key: &str| {
        format!("[storage.b] # nightly\napplication_key_id = '{id}'\napplication_key = '{key}'\n")
    };
    let project = Project::new().file("credlint.toml", application(KEY, KEY_ID));
    assert_eq!(project.rules(&[])[0], "swapped-key-pair");
    let run = project.run(&["check", "--fix"]);
    assert_eq!((run.code, read(&project, "credlint.toml")), (0, application(KEY_ID, KEY)), "{}", run.stderr);
    assert_eq!(project.rules(&[]), ["literal-secret"]);

    let either = "not make a matching pair";
    let one = "only one of the two";
    let master = format!("[storage.b]\naccount_id = '{MASTER_KEY}'\nmaster_application_key = '{ACCOUNT_ID}'\n");
    for (text, why) in [
        // Swapped, they would be `mixed-key-values`.
        (application(KEY, ACCOUNT_ID), either),
        (application(MASTER_KEY, KEY_ID), either),
        // Swapped, they would be `master-key-on-s3-endpoint`.
        (format!("{master}endpoint = 'https://s3.us-west-005.backblazeb2.com'\n"), either),
        (application(KEY, KEY), one),
        (application(KEY_ID, KEY_ID), one),
        (application(KEY, "N2Zug0evLcHDlh_L0Z0AJhiGGdY"), one),
        (application("no-known-shape", KEY_ID), one),
    ] {
        let project = Project::new().file("credlint.toml", &text);
        let seen = project.path().join("credlint.toml").metadata().unwrap().modified().unwrap();
        let look = project.run(&["check", "--diff"]);
        assert!(look.stdout.ends_with("nothing to fix\n") && look.stderr.contains(why), "{text}{}", look.stderr);
        let run = project.run(&["check", "--fix"]);
        assert_eq!((run.code, read(&project, "credlint.toml")), (1, text.clone()), "{}", run.stderr);
        assert_eq!(project.path().join("credlint.toml").metadata().unwrap().modified().unwrap(), seen);
        assert!(run.stderr.contains(why) && run.stdout.contains("error[swapped-key-pair]"), "{text}{}", run.stderr);
        assert_eq!(project.rules(&[])[0], "swapped-key-pair");
    }
    // A rejected fix does not prevent others.
    let [bad, good] = [application(KEY, ACCOUNT_ID), application(KEY, KEY_ID)].map(|text| text.replace("b]", "§]"));
    let base = "[messaging.r]\nbase_url = 'https://h.example/api'\ntoken = 'x-1'\nchannels = ['C1']\n";
    let text = [bad.replace('§', "bad").as_str(), &good.replace('§', "good"), base].concat();
    let project = Project::new().file("credlint.toml", &text);
    let run = project.run(&["check", "--fix"]);
    let good = application(KEY_ID, KEY).replace("b]", "good]");
    let fixed = [bad.replace('§', "bad"), good, base.replace("/api", "")].concat();
    assert_eq!(read(&project, "credlint.toml"), fixed);
    assert!(run.code == 1 && run.stderr.contains("fixed credlint.toml: 2 of 3"), "{}", run.stderr);
}

#[test]
fn the_user_configuration_and_the_environment_are_not_changed() {
    let text = "[messaging.r]\nbase_url = 'https://h.example/api'\nchannels = ['C1']\n";
    let project = Project::new().user(text).env("CREDLINT_MESSAGING__R__TOKEN", "Bearer x-1");
    let run = project.run(&["check", "--fix"]);
    assert_eq!(run.code, 1);
    assert!(
        run.stderr.contains("in your user configuration") && run.stderr.contains("in the environment"),
        "{}",
        run.stderr
    );
    assert_eq!(std::fs::read_to_string(project.home().join(".config/credlint/config.toml")).unwrap(), text);
}

#[cfg(unix)]
#[test]
fn a_file_that_cannot_be_replaced_is_left_unchanged() {
    use std::os::unix::fs::PermissionsExt;
    let text = "[messaging.r]\nbase_url = 'https://h.example/api'\ntoken = { env = 'T' }\nchannels = ['C1']\n";
    let refused = |project: &Project, why: &str| {
        let run = project.run(&["check", "--fix"]);
        assert_eq!(run.code, 3, "{}", run.stderr);
        assert!(run.stderr.contains("not changed: ") && run.stderr.contains(why), "{}", run.stderr);
        assert_eq!(read(project, "credlint.toml"), text);
        assert!(!run.stderr.contains("fixed credlint.toml"), "{}", run.stderr);
    };
    let project = Project::new().file("real.toml", text).env("T", "x-1");
    std::os::unix::fs::symlink("real.toml", project.path().join("credlint.toml")).unwrap();
    refused(&project, "symbolic link");
    assert!(project.path().join("credlint.toml").symlink_metadata().unwrap().is_symlink());
    let project = Project::new().file("credlint.toml", text).env("T", "x-1");
    std::fs::hard_link(project.path().join("credlint.toml"), project.path().join("twin")).unwrap();
    refused(&project, "hard links");
    std::fs::remove_file(project.path().join("twin")).unwrap();
    std::fs::set_permissions(project.path().join("credlint.toml"), std::fs::Permissions::from_mode(0o444)).unwrap();
    refused(&project, "read-only");
}

/// Root may write anywhere and change owners, so as root the program runs as another user.
#[cfg(unix)]
#[test]
fn fix_writes_nothing_without_write_permission() {
    use std::os::unix::fs::{MetadataExt, PermissionsExt};
    use std::os::unix::process::CommandExt;
    let text = "[messaging.r]\nbase_url = 'https://h.example/api'\ntoken = { env = 'T' }\nchannels = ['C1']\n";
    let project = Project::new().file("credlint.toml", text).env("T", "x-1");
    let root = project.path().metadata().unwrap().uid() == 0;
    let mode = |path: &Path, mode| std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode)).unwrap();
    mode(project.dir.path(), 0o755);
    mode(&project.path().join("credlint.toml"), 0o644);
    let mut modes = vec![(0o555, "permission denied")];
    if root {
        modes.push((0o777, "keep its owner"));
    }
    for (open, why) in modes {
        mode(&project.path(), open);
        let mut command = project.command(&["check", "--fix"]);
        if root {
            command.uid(65534).gid(65534);
        }
        // If that user can't start the program, there is nothing to test.
        if command.output().is_ok() {
            let run = Run::of(command);
            assert_eq!(run.code, 3, "{}", run.stderr);
            assert!(run.stderr.contains("not changed: credlint.toml: ") && run.stderr.contains(why), "{}", run.stderr);
        }
        assert_eq!(read(&project, "credlint.toml"), text);
        assert_eq!(names(&project.path()), [".git", "credlint.toml"]);
    }
    mode(&project.path(), 0o755);
}

/// A piece of a document, and what a fix makes of it.
type Piece = (String, String);

fn same(text: impl Into<String>) -> Piece {
    let text = text.into();
    (text.clone(), text)
}

/// The layout of a profile in a format.
struct Shape {
    file: &'static str,
    head: &'static str,
    profile: [&'static str; 6],
    element: [&'static str; 2],
}

/// `§` is the number of the profile, `¶` a comment.
const SHAPES: [Shape; 3] = [
    Shape {
        file: "credlint.toml",
        head: "# ¶\n",
        profile: [
            "# ¶\n[messaging.p§]  # ¶\nbase_url = \"https://h.example/é",
            "\" # ¶\n\n",
            " = '",
            "xoxb-§'\t# ¶\nchannels = [\n",
            "",
            "] # ¶\n",
        ],
        element: ["  'C", "',\n"],
    },
    Shape {
        file: "credlint.yaml",
        head: "# ¶\nmessaging:\n",
        profile: [
            "  # ¶\n  p§:  # ¶\n    base_url: https://h.example/é", " # ¶\n\n    ", ": ",
            "xoxb-§  # ¶\n    channels:\n", "", "    # ¶\n",
        ],
        element: ["    - C", "\n"],
    },
    Shape {
        file: "credlint.json",
        head: "{\"messaging\": {",
        profile: [
            "\n \"p§\": {\n  \"base_url\": \"https://h.example/é", "\",\n\n  \"", "\" : \"",
            "xoxb-§\",\n  \"channels\": [", "\"C9\"", "]}",
        ],
        element: ["\"C", "\", "],
    },
];

/// One profile, with or without each mistake.
fn profile(shape: &Shape, number: usize, mistakes: (bool, bool, bool, String), ids: &[u8]) -> Vec<Piece> {
    let (path, bearer, name, comment) = mistakes;
    let fill = |text: &str| same(text.replace('§', &number.to_string()).replace('¶', &comment));
    let [start, address, key, list, last, end] = shape.profile;
    // No ASCII letters in a path: unchanged text must stay as it is.
    let mut pieces = vec![fill(start), (if path { "/api" } else { "" }.to_owned(), String::new()), fill(address)];
    pieces.push((if name { "tokn" } else { "token" }.to_owned(), "token".to_owned()));
    pieces.push(fill(key));
    pieces.push((if bearer { "Bearer " } else { "" }.to_owned(), String::new()));
    pieces.push(fill(list));
    for (index, id) in ids.iter().enumerate() {
        let [before, after] = shape.element;
        let element = format!("{before}{id}{after}");
        let twin = ids[..index].contains(id);
        pieces.push((element.clone(), if twin { String::new() } else { element }));
    }
    pieces.extend([fill(last), fill(end)]);
    pieces
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, failure_persistence: None, ..ProptestConfig::default() })]

    /// Bytes outside of a fix stay unchanged, and a second fix finds nothing.
    #[test]
    fn a_fix_changes_only_its_bytes_and_is_idempotent(
        profiles in prop::collection::vec(
            ((any::<bool>(), any::<bool>(), any::<bool>(), "[ -~é日]{0,12}"), prop::collection::vec(0_u8..4, 1..6)),
            1..4,
        ),
        shape in 0..SHAPES.len(),
        crlf in any::<bool>(),
        bom in any::<bool>(),
    ) {
        let shape = &SHAPES[shape];
        let mut pieces: Vec<Piece> = if bom { vec![same("\u{feff}")] } else { vec![] };
        pieces.push(same(shape.head.replace('¶', "top")));
        for (number, (mistakes, ids)) in profiles.into_iter().enumerate() {
            if number > 0 && shape.file.contains("json") {
                pieces.push(same(","));
            }
            pieces.extend(profile(shape, number, mistakes, &ids));
        }
        if shape.file.contains("json") {
            pieces.push(same("}}\n"));
        }
        let ends = |text: String| if crlf { text.replace('\n', "\r\n") } else { text };
        let before = ends(pieces.iter().map(|(before, _)| before.as_str()).collect());
        let after = ends(pieces.iter().map(|(_, after)| after.as_str()).collect());
        let project = Project::new().file(shape.file, &before);
        let look = project.run(&["check", "--diff"]);
        prop_assert!(!look.stdout.contains("xoxb-") && !look.stderr.contains("xoxb-"));
        prop_assert_eq!(read(&project, shape.file), before);
        for _ in 0..2 {
            let run: Run = project.run(&["check", "--fix"]);
            prop_assert_eq!(run.code, 0, "{}{}", run.stdout, run.stderr);
            prop_assert_eq!(&read(&project, shape.file), &after);
        }
    }
}
