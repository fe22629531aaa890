//! The scripts that install credlint, with a `curl` that copies from a directory.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use super::{documents, text, uses};
use crate::harness::{Project, Run};

/// What is released for this test: a program that prints its version.
const ARCHIVE: &str = "credlint-x86_64-unknown-linux-musl.tar.gz";

/// Writes a substitute for a program into a directory, and returns a `PATH` in which it comes first.
fn stub(project: &Project, name: &str, script: &str) -> String {
    let path = project.dir.path().join("stubs").join(name);
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(&path, script).unwrap();
    crate::harness::set_mode(&path, 0o700);
    format!("{}:/bin:/usr/bin", path.parent().unwrap().display())
}

/// A project with a release, and the variables to install it from there.
struct Release {
    project: Project,
    path: String,
}

impl Release {
    fn new() -> Self {
        let project = Project::new()
            .file("release/credlint-x86_64-unknown-linux-musl/credlint", "#!/bin/sh\necho credlint 9.9.9\n");
        let directory = project.path().join("release");
        let pack =
            "chmod 700 */credlint; tar -czf $0 */credlint; (sha256sum $0 || shasum -a 256 $0) 2>/dev/null > $0.sha256";
        assert!(Command::new("sh").args(["-c", pack, ARCHIVE]).current_dir(directory).status().unwrap().success());
        // It knows only https, as the options ask for.
        let curl = "#!/bin/sh\ncase $* in \"--proto =https --tlsv1.2 \"*) ;; *) exit 9 ;; esac\nwhile [ \"$1\" != -o ]; do shift; done\ncp \"release/${3#https://releases.example/download/v9.9.9/}\" \"$2\" 2> /dev/null || exit 22\n";
        stub(&project, "uname", "#!/bin/sh\n[ \"$1\" = -m ] && echo x86_64 || echo Linux\n");
        let path = stub(&project, "curl", curl);
        Self { project, path }
    }

    fn checksum(self, line: &str) -> Self {
        let project = self.project.file(&format!("release/{ARCHIVE}.sha256"), line);
        Self { project, ..self }
    }

    fn sum(&self) -> String {
        let line = std::fs::read_to_string(self.project.path().join(format!("release/{ARCHIVE}.sha256"))).unwrap();
        line.split(' ').next().unwrap().to_owned()
    }

    fn command(&self, shell: &str) -> Command {
        let mut command = Command::new(shell);
        command.current_dir(self.project.path()).env_clear().env("PATH", &self.path).env("HOME", self.project.home());
        command.env("CREDLINT_RELEASES", "https://releases.example").env("CREDLINT_VERSION", "9.9.9");
        command
    }

    /// Runs a script as `curl … | sh` does.
    fn pipe(&self, script: &[u8]) -> i32 {
        let mut command = self.command("sh");
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        // A shell that found a mistake does not read on.
        let _ = child.stdin.take().unwrap().write_all(script);
        child.wait().unwrap().code().unwrap()
    }

    fn installed(&self) -> PathBuf {
        self.project.home().join(".local/bin/credlint")
    }
}

fn script() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("install.sh")
}

#[test]
fn a_release_is_installed_only_with_its_checksum() {
    let empty = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
    for (line, installed) in [
        (format!("SUM  {ARCHIVE}\n"), true),
        (format!("SUM *{ARCHIVE}"), true),
        // The checksum of another file, which is right.
        (format!("{empty}  /dev/null\n"), false),
        ("SUM  other.tar.gz\n".to_owned(), false),
        (format!("{empty}  {ARCHIVE}\n"), false),
        ("SUM\n".to_owned(), false),
        (String::new(), false),
    ] {
        let release = Release::new();
        let line = line.replace("SUM", &release.sum());
        let release = release.checksum(&line);
        let mut command = release.command("sh");
        command.arg(script());
        let run = Run::of(command);
        assert_eq!(
            (run.code, release.installed().exists()),
            (i32::from(!installed), installed),
            "{line}: {}",
            run.stderr
        );
        assert_eq!(run.stderr.contains("checksum"), !installed, "{}", run.stderr);
        // No other file is left.
        let files = std::fs::read_dir(release.project.home().join(".local/bin")).map_or(0, Iterator::count);
        assert_eq!(files, usize::from(installed));
    }
    let release = Release::new();
    std::fs::remove_file(release.project.path().join("release").join(ARCHIVE)).unwrap();
    assert_eq!(release.pipe(&std::fs::read(script()).unwrap()), 69);
}

#[test]
fn no_link_is_followed_by_the_installation() {
    for name in ["credlint", "credlint.new"] {
        let release = Release::new();
        let (link, target) = (release.installed().with_file_name(name), release.project.path().join("target"));
        std::fs::create_dir_all(link.parent().unwrap()).unwrap();
        std::fs::write(&target, "mine").unwrap();
        std::os::unix::fs::symlink(&target, link).unwrap();
        assert_eq!(release.pipe(&std::fs::read(script()).unwrap()), 0);
        assert_eq!(std::fs::read_to_string(target).unwrap(), "mine");
        assert!(release.installed().symlink_metadata().unwrap().is_file());
    }
    let release = Release::new();
    std::fs::create_dir_all(release.installed()).unwrap();
    assert_eq!(release.pipe(&std::fs::read(script()).unwrap()), 1);
    assert_eq!(std::fs::read_dir(release.installed()).unwrap().count(), 0);
}

/// Whatever part of it arrives: it does nothing, and the exit code says so.
#[test]
fn a_download_that_was_cut_off_does_nothing() {
    let (release, script) = (Release::new(), std::fs::read(script()).unwrap());
    let first = script.iter().position(|&byte| byte == b'\n').unwrap() + 1;
    let whole = script.trim_ascii_end().len();
    let lines = script.iter().enumerate().filter(|(_, byte)| **byte == b'\n').map(|(at, _)| at + 1);
    for cut in lines.flat_map(|at| [at.saturating_sub(8), at]).filter(|at| (first + 1..whole).contains(at)) {
        assert_ne!(release.pipe(&script[..cut]), 0, "{cut}");
        assert!(!release.installed().exists(), "{cut}");
    }
    assert_eq!(release.pipe(&script[..whole]), 0);
    assert!(release.installed().exists());
}

/// Runs the script of the actions. Returns the result and the path of the program.
fn action(release: &Release, variables: &[(&str, &str)]) -> (Run, String) {
    let (temporary, outputs) = (release.project.dir.path().join("temp"), release.project.dir.path().join("outputs"));
    std::fs::create_dir_all(&temporary).unwrap();
    std::fs::write(&outputs, "").unwrap();
    let root = env!("CARGO_MANIFEST_DIR");
    let mut command = release.command("bash");
    command.arg(format!("{root}/.github/install.sh")).env("SOURCE", root).env("FEATURES", "cli");
    command.env("RUNNER_TEMP", temporary).env("GITHUB_OUTPUT", &outputs).envs(variables.iter().copied());
    command.env("GITHUB_PATH", release.project.dir.path().join("paths"));
    let run = Run::of(command);
    let outputs = std::fs::read_to_string(outputs).unwrap();
    (run, outputs.trim_end().strip_prefix("program=").unwrap_or_default().to_owned())
}

/// Each job verifies what it runs: nothing is kept from another one.
#[test]
fn an_action_runs_only_what_it_verified() {
    let release = Release::new();
    for kept in ["credlint-9.9.9-cli", "credlint-9.9.9-all"] {
        let kept = release.project.dir.path().join("temp").join(kept);
        std::fs::create_dir_all(&kept).unwrap();
        std::fs::write(kept.join("credlint"), "#!/bin/sh\necho kept\n").unwrap();
        crate::harness::set_mode(&kept.join("credlint"), 0o700);
    }
    let (run, program) = action(&release, &[("VERSION", "v9.9.9")]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    assert_eq!(Run::of(Command::new(&program)).stdout, "credlint 9.9.9\n");
    // Later steps find it.
    let paths = std::fs::read_to_string(release.project.dir.path().join("paths")).unwrap();
    assert_eq!(format!("{}/credlint", paths.trim_end()), program);
    assert_ne!(action(&release, &[("VERSION", "9.9.9")]).1, program, "a directory of its own");
    let changed = Release::new().checksum(&format!("0  {ARCHIVE}\n"));
    assert_eq!(action(&changed, &[("VERSION", "9.9.9")]).0.code, 1);
    assert_eq!(action(&changed, &[("VERSION", "1; x")]).0.code, 2);
    for file in ["action.yml", "upload/action.yml"] {
        let mut used = Vec::new();
        uses(&documents(file).remove(0), &mut used);
        assert!(!used.iter().any(|action| action.contains("cache")), "{file}");
        let steps = documents(file).remove(0)["runs"]["steps"].take();
        let programs: Vec<_> =
            steps.as_array().unwrap().iter().filter_map(|step| step["env"]["PROGRAM"].as_str()).collect();
        assert_eq!(programs, ["${{ steps.install.outputs.program }}"]);
    }
}

/// The version of the action is that of Cargo.toml, unless another one is given. What is not released is built, by
/// programs that don't see the credential.
#[test]
fn a_build_does_not_see_the_credential() {
    for (version, what) in [("", "--path"), ("v9.9.8", "credlint@9.9.8")] {
        let release = Release::new();
        let seen = release.project.path().join("seen");
        let cargo = format!(
            "#!/bin/sh\n{{ echo \"$*\"; env; }} > '{}'\nwhile [ \"$1\" != --root ]; do shift; done\nmkdir -p \"$2/bin\"\necho built > \"$2/bin/credlint\"\n",
            seen.display()
        );
        stub(&release.project, "cargo", &cargo);
        let secrets = [("REPORTS_TOKEN", "s3cret"), ("CARGO_REGISTRY_TOKEN", "s3cret"), ("GITHUB_TOKEN", "s3cret")];
        let variables = [&secrets[..], &[("VERSION", version), ("CARGO_HOME", "kept")]].concat();
        let (run, program) = action(&release, &variables);
        assert_eq!(run.code, 0, "{}", run.stderr);
        let seen = std::fs::read_to_string(seen).unwrap();
        assert!(seen.contains(what) && seen.contains("CARGO_HOME=kept") && !seen.contains("s3cret"), "{seen}");
        assert_eq!(std::fs::read_to_string(program).unwrap(), "built\n");
    }
}

/// What can't be undone is done by a job that builds nothing: building runs code of every dependency.
#[test]
fn nothing_is_built_where_it_is_published() {
    let workflow = documents(".github/workflows/release.yml").remove(0);
    let mut published = 0;
    for (name, job) in workflow["jobs"].as_object().unwrap() {
        let text = job.to_string();
        if !text.contains("id-token") && !text.contains("secrets.") {
            continue;
        }
        for step in job["steps"].as_array().unwrap() {
            let run = step["run"].as_str().unwrap_or_default();
            assert!(!run.contains("cargo") || run == "cargo publish --locked --no-verify", "{name}: {run}");
            assert!(!run.contains(".ci/") && !run.contains("maturin"), "{name}: {run}");
            published += usize::from(run.contains("publish"));
        }
    }
    assert_eq!(published, 2, "the crate and the wheels");
    // It was built before, without a token.
    let verified = &workflow["jobs"]["crate"];
    assert!(
        verified.to_string().contains("cargo package --locked")
            && workflow["jobs"]["draft"]["needs"].to_string().contains("crate")
    );
    assert_eq!(verified["permissions"], serde_json::json!({ "contents": "read" }));
}

/// A tag can be moved, a digest can't.
#[test]
fn images_are_built_from_pinned_ones() {
    let docker = text("Dockerfile");
    assert!(!docker.contains("syntax="), "the builder's own front end is enough");
    let mut pinned = 0;
    for from in docker.lines().filter_map(|line| line.strip_prefix("FROM ")).filter(|from| *from != "scratch") {
        let digest = from.split(' ').next().unwrap().rsplit_once("@sha256:").map_or("", |(_, digest)| digest);
        assert!(digest.len() == 64 && digest.chars().all(|c| c.is_ascii_hexdigit()), "{from}");
        pinned += 1;
    }
    assert_eq!(pinned, 2);
}

/// Whoever copies a command from a page gets one that uses https only.
#[test]
fn documented_downloads_use_https_only() {
    for page in ["docs/installing.md", "install.sh"] {
        let text = text(page);
        let commands: Vec<&str> = text.lines().filter(|line| line.contains("curl ")).collect();
        assert!(!commands.is_empty(), "{page}");
        assert!(commands.iter().all(|line| line.contains("curl --proto '=https' --tlsv1.2 ")), "{page}: {commands:?}");
    }
}
