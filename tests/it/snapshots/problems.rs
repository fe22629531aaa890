//! The messages about a configuration that can't be read: exit code 2, or 3 if there is none.

use super::{Transcript, shown};
#[cfg(unix)]
use crate::harness::set_mode;
use crate::harness::{Project, Run};

/// A project with one file of that name.
fn with(name: &str, text: impl AsRef<[u8]>) -> Project {
    Project::new().file(name, text)
}

#[test]
fn syntax_errors() {
    let mut transcript = Transcript::new("problems", "syntax");
    for (what, name, text) in [
        ("a table that is not closed", "credlint.toml", "[messaging.r\ntoken = 1\n"),
        ("no value", "credlint.toml", "[storage.x]\nbucket =\n"),
        ("a value without quotes", "credlint.toml", "[storage.x]\nbucket = nightly\n"),
        ("a string that is not closed", "credlint.toml", "[storage.x]\nbucket = \"nightly\n"),
        ("a key without a value", "credlint.toml", "[storage.x]\nbucket\n"),
        ("a key twice", "credlint.toml", "[storage.x]\nbucket = \"a\"\nbucket = \"b\"\n"),
        ("a table twice", "credlint.toml", "[storage.x]\n[storage.x]\n"),
        ("a profile twice", "credlint.toml", "[storage.a-b]\n[storage.a_b]\n"),
        ("a list that is not closed", "credlint.yaml", "messaging: [\n"),
        ("a string that is not closed", "credlint.yaml", "messaging: \"r\n"),
        ("a tab", "credlint.yaml", "messaging:\n\tr: 1\n"),
        ("a wrong indent", "credlint.yaml", "messaging:\n  r: 1\n s: 2\n"),
        ("a tag", "credlint.yaml", "messaging: !thing\n  r: 1\n"),
        ("a tag of a value", "credlint.yaml", "messaging: !thing r\n"),
        ("an alias to nothing", "credlint.yaml", "messaging: *r\n"),
        ("an alias inside what it stands for", "credlint.yaml", "messaging: &r [*r]\n"),
        ("an alias as a key", "credlint.yaml", "a: &a x\n*a : 1\n"),
        ("a list as a key", "credlint.yaml", "? [a]\n: 1\n"),
        ("a merge key with text", "credlint.yaml", "<<: r\n"),
        ("a second document", "credlint.yaml", "messaging:\n---\nstorage:\n"),
        ("a key twice", "credlint.yaml", "storage:\nstorage:\n"),
        ("a list at the top", "credlint.yaml", "- a\n"),
        ("text at the top", "credlint.yaml", "nightly\n"),
        ("no value", "credlint.json", "{\"storage\": }"),
        ("a string that is not closed", "credlint.json", "{\"storage"),
        ("a key without quotes", "credlint.json", "{storage: 1}"),
        ("a single quote", "credlint.json", "{\"storage\": 'x'}"),
        ("a comma too many", "credlint.json", "{\"storage\": {},}"),
        ("a comment", "credlint.json", "// here\n{}"),
        ("two values", "credlint.json", "{} {}"),
        ("a word", "credlint.json", "{\"storage\": nightly}"),
        ("a key twice", "credlint.json", "{\"storage\": {}, \"storage\": {}}"),
        ("a list at the top", "credlint.json", "[]"),
        ("a number at the top", "credlint.json", "3"),
        ("nothing", "credlint.json", ""),
    ] {
        transcript = transcript.check(&format!("{name}: {what}"), &with(name, text), &[]);
    }
    for (what, text) in [
        ("a line without =", "CREDLINT_STORAGE\n"),
        ("a name with a dash", "CREDLINT_A-B=c\n"),
        ("a name twice", "CREDLINT_A__B__C=b\nCREDLINT_A__B__C=c\n"),
        ("a quote that is not closed", "CREDLINT_A__B__C=\"b\n"),
        ("something behind a quote", "CREDLINT_A__B__C=\"b\"c\n"),
    ] {
        transcript = transcript.check(&format!("dotenv: {what}"), &with("x.env", text), &["--env-file", "x.env"]);
    }
    let deep = format!("storage = {}{}\n", "[".repeat(200), "]".repeat(200));
    let mut bomb = String::from("a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n");
    for level in 1..8 {
        bomb += &format!("a{level}: &a{level} [{}]\n", vec![format!("*a{}", level - 1); 10].join(", "));
    }
    transcript
        .check("credlint.toml: too deep", &with("credlint.toml", &deep), &[])
        .check("credlint.yaml: too deep", &with("credlint.yaml", deep.replace(" =", ":")), &[])
        .check("credlint.json: too deep", &with("credlint.json", &deep[10..]), &[])
        .check("credlint.yaml: too many values", &with("credlint.yaml", bomb), &[])
        .keep();
}

#[test]
fn unreadable_files() {
    let named = |name: &str| vec!["--config".to_owned(), name.to_owned()];
    let mut transcript = Transcript::new("problems", "files");
    for (what, name, project) in [
        ("not there", "none.toml", Project::new()),
        ("not there, in a directory that is not", "no/such/credlint.toml", Project::new()),
        ("a name that could be anything", "K005Qz7Wv.toml", Project::new()),
        ("a directory", "dir.toml", with("dir.toml/f", "x")),
        ("not UTF-8", "bytes.toml", with("bytes.toml", b"[storage.x]\n# \xff\n")),
        ("too large", "large.toml", with("large.toml", "# nothing but this\n".repeat(1 << 20))),
        ("no format", "credlint.ini", with("credlint.ini", "")),
        ("no format at all", "credlint", with("credlint", "")),
    ] {
        let args = named(name);
        transcript = transcript.check(what, &project, &[args[0].as_str(), args[1].as_str()]);
    }
    transcript
        .check("a dotenv file that is not there", &with("credlint.toml", "[storage.x]\n"), &["--env-file", "x.env"])
        .check("a policy that is not there", &with("credlint.toml", "[storage.x]\n"), &["--policy", "p.toml"])
        .check(
            "a policy with a profile",
            &with("credlint.toml", "[storage.x]\n").file("p.toml", "[lint]\n[storage.y]\n"),
            &["--policy", "p.toml"],
        )
        .check("two side by side", &with("credlint.toml", "").file("credlint.json", "{}"), &[])
        .check(
            "three side by side",
            &with("credlint.toml", "").file("credlint.json", "{}").file("credlint.yaml", ""),
            &[],
        )
        .check(
            "many at once",
            &with("credlint.yaml", "a: [\n").file("x.env", "CREDLINT_NIGHTLY\n"),
            &["--env-file", "x.env", "--env-file", "y.env"],
        )
        .keep();
}

/// Root can read everything, so it gets no message.
#[cfg(unix)]
#[test]
fn a_file_without_read_permission() {
    if rustix::process::geteuid().is_root() {
        return;
    }
    let project = with("credlint.toml", "[storage.x]\n");
    set_mode(&project.path().join("credlint.toml"), 0o000);
    let run = project.run(&["check"]);
    assert_eq!(run.code, 2);
    assert!(run.stderr.contains("credlint.toml can't be read: permission denied"), "{}", run.stderr);
}

#[test]
fn invalid_and_unknown_profile_names() {
    let mut transcript = Transcript::new("problems", "names");
    for name in ["Reports", "a--b", "\"a b\"", "\"a.b\"", "\"\"", "xoxb-1", "k0051a2b3c4d5e6f", &"a".repeat(65)] {
        transcript = transcript.check(name, &with("credlint.toml", format!("[messaging.{name}]\n")), &[]);
    }
    let text = "[messaging.reports]\n[storage.reports]\n[messaging.nightly-run]\n";
    for name in ["reports", "nightly-rum", "storage.repots", "nobody", "xoxb-1", "x.y"] {
        transcript = transcript.check(&format!("--profile {name}"), &with("credlint.toml", text), &["--profile", name]);
    }
    let many: String = (0..12).map(|number| format!("[storage.x{number}]\n")).collect();
    transcript
        .check("--profile nobody, of many", &with("credlint.toml", many), &["--profile", "nobody"])
        .check("--profile nobody, of none", &with("credlint.toml", "# nothing\n"), &["--profile", "nobody"])
        .check("two of them", &with("credlint.toml", text), &["--profile", "reports", "--profile", "nobody"])
        .keep();
}

#[cfg(unix)]
#[test]
fn invalid_variables() {
    use std::os::unix::ffi::OsStringExt;

    let bytes = || std::ffi::OsString::from_vec(b"ab\xff".to_vec());
    Transcript::new("problems", "variables")
        .check("of a field", &Project::new().env("CREDLINT_STORAGE__X__BUCKET", bytes()), &[])
        .check(
            "of a reference",
            &with("credlint.toml", "[storage.x]\nbucket = { env = \"B\" }\n").env("B", bytes()),
            &[],
        )
        .check(
            "of a reference whose name could be anything",
            &with("credlint.toml", "[storage.x]\nbucket = { env = \"hunter2\" }\n").env("hunter2", bytes()),
            &[],
        )
        .keep();
}

#[test]
fn nothing_to_check() {
    Transcript::new("problems", "nothing")
        .check("no configuration", &Project::new(), &[])
        .check("no profiles", &with("credlint.toml", "# nothing\n"), &[])
        .check("nothing that was named", &with("credlint.toml", "[storage.x]\n"), &["--isolated"])
        .check(
            "no profiles, and the file passes",
            &with("credlint.toml", "[lint]\nfail_on = \"warning\"\n"),
            &["--exit-zero"],
        )
        .keep();
}

/// In a narrow terminal, and where only ASCII can be drawn.
#[test]
fn a_narrow_terminal() {
    let text = "[messaging.reports]\nbase_url = \"https://chat.example.com/some/long/path/that/goes/on\"\ntokn = \"xoxb-1\"\n\
                channels = [\"C0123456789\", \"two words\", \"C0123456789\"]\n\
                token = { env = \"REPORTS_TOKEN_OF_THE_NIGHTLY_JOB\" }\n\n\
                [storage.backups]\napplication_key = { env = \"BACKUPS_KEY\" }\nbucket = \"nightly\"\nmy_very_own_setting_name = 3\n";
    let project = with("credlint.toml", text)
        .env("BACKUPS_KEY", "K005abcdefghijklmnopqrstuvwxyz1")
        .env("CREDLINT_STORAGE__BACKUPS__ACCOUNT_ID", "1a2b3c4d5e6f")
        .env("CREDLINT_MESSAGING__REPORTS__CHANELS", "C1");
    let broken =
        with("credlint.toml", "[messaging.reports]\nchannels = [\"C0123456789\", \"C9876543210\"] \"C0000000000\"\n");
    let mut transcript = Transcript::new("problems", "narrow");
    for locale in ["C.UTF-8", "C"] {
        for (what, project) in [("findings", &project), ("a file that can't be read", &broken)] {
            let mut command = project.command(&["check"]);
            command.env("COLUMNS", "40").env("LC_ALL", locale).env("NO_COLOR", "1");
            let run = Run::of(command);
            assert_eq!(locale == "C", run.stdout.is_ascii() && run.stderr.is_ascii(), "{}", run.stdout);
            transcript = transcript.add(&format!("{what}, LC_ALL={locale}"), &shown(&run));
        }
    }
    transcript.keep();
}
