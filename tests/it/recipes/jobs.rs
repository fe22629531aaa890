//! Jobs of Kubernetes, Argo CD and GitLab.

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

use super::{MISTAKE, documents};
use crate::harness::{Project, Run};

const TOKEN: &str = "xoxb-0000000000-0000000000-abcdefghijkl";

/// The words of a list.
fn words(list: &Value) -> Vec<&str> {
    list.as_array().unwrap().iter().map(|word| word.as_str().unwrap()).collect()
}

/// The directory of the program.
fn programs() -> PathBuf {
    Path::new(env!("CARGO_BIN_EXE_credlint")).parent().unwrap().to_owned()
}

/// The configuration in the cluster's file passes with the arguments of the job, if both secrets exist.
#[test]
fn configured_jobs_check_the_mounted_configuration() {
    let [map] = &documents("docs/recipes/kubernetes-configmap.yaml")[..] else { panic!("one document") };
    let [job] = &documents("docs/recipes/kubernetes-configured.yaml")[..] else { panic!("one document") };
    let [hook] = &documents("docs/recipes/argocd-presync.yaml")[..] else { panic!("one document") };
    assert_eq!(hook["spec"], job["spec"], "both jobs have one specification");
    assert_eq!(hook["metadata"]["annotations"]["argocd.argoproj.io/hook"], "PreSync");
    let container = &job["spec"]["template"]["spec"]["containers"][0];
    let project = Project::new();
    let etc = project.path();
    let key = etc.join("application_key");
    std::fs::write(&key, "K005abcdefghijklmnopqrstuvwxyz1\n").unwrap();
    // In the cluster it is in memory, where file modes have no effect.
    let own = std::os::unix::fs::PermissionsExt::from_mode(0o600);
    std::fs::set_permissions(&key, own).unwrap();
    let configuration = map["data"]["credlint.toml"].as_str().unwrap();
    let project = project
        .file("credlint.toml", configuration.replace("/run/secrets/backups/application_key", key.to_str().unwrap()));
    let args: Vec<String> = container["args"]
        .as_array()
        .unwrap()
        .iter()
        .map(|word| word.as_str().unwrap().replace("/etc/credlint", etc.to_str().unwrap()))
        .collect();
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    assert_eq!(project.run(&args).code, 1, "a secret is missing");
    let mut project = project;
    for variable in container["env"].as_array().unwrap() {
        let value = variable["value"].as_str().unwrap_or("xoxb-0000000000-0000000000-abcdefghijkl");
        project = project.env(variable["name"].as_str().unwrap(), value);
    }
    let run = project.run(&args);
    assert_eq!(run.code, 0, "{}{}", run.stdout, run.stderr);
    // Someone who may change the configuration still can't choose where the token is sent.
    let moved =
        std::fs::read_to_string(etc.join("credlint.toml")).unwrap().replace("chat.example.com", "evil.example.com");
    let run = project.file("credlint.toml", moved).run(&args);
    assert!(run.code == 1 && run.stdout.contains("not a permitted host"), "{}", run.stdout);
}

/// Without a configuration, from the variables of the application.
#[test]
fn jobs_without_configuration_check_the_application_environment() {
    let job = documents("docs/recipes/kubernetes-job.yaml").remove(0);
    let pods = documents("docs/recipes/kubernetes-init.yaml");
    assert!(job["metadata"]["name"].is_null() && job["metadata"]["generateName"] == "credlint-");
    let spec = |document: &Value| document["spec"]["template"]["spec"].clone();
    for container in [&spec(&job)["containers"][0], &spec(&pods[0])["initContainers"][0]] {
        assert_eq!(container["envFrom"][0]["secretRef"]["name"], "app");
        let args = words(&container["args"]);
        let mistake = MISTAKE.trim_end().split_once('=').unwrap();
        for (value, code) in [(TOKEN, 0), (mistake.1, 1)] {
            assert_eq!(Project::new().env(mistake.0, value).run(&args).code, code, "{args:?}");
        }
    }
    // The application itself, started by `exec`.
    let command = words(&spec(&pods[1])["containers"][0]["command"]).join(" ");
    let project = Project::new().file("server", "#!/bin/sh\nexit 7\n");
    let server = project.path().join("server");
    let own = std::os::unix::fs::PermissionsExt::from_mode(0o700);
    std::fs::set_permissions(&server, own).unwrap();
    let command = command.replace("/tools/credlint ", "").replace("/app/server", server.to_str().unwrap());
    let command: Vec<&str> = command.split(' ').collect();
    assert_eq!(project.run(&command).code, 7);
    let (name, value) = MISTAKE.trim_end().split_once('=').unwrap();
    let run = project.env(name, value).run(&command);
    assert!(run.code == 125 && run.stderr.contains("the command was not started"), "{}", run.stderr);
}

/// With a `kubectl` that records its arguments and has fixed answers.
#[test]
fn the_script_exits_with_the_result_of_the_job() {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/recipes/kubernetes-check.sh");
    let kubectl = "#!/bin/sh\necho \"$*\" >> asked\ncase $1 in\ncreate) echo job.batch/credlint-x; exit \"$CREATE\" ;;\nlogs) echo log; exit 1 ;;\nwait) exit \"$WAIT\" ;;\nesac\n";
    for (create, wait, code, calls) in [("0", "0", 0, 3), ("0", "1", 1, 3), ("1", "0", 1, 1)] {
        let project = Project::new().file("bin/kubectl", kubectl);
        let bin = project.path().join("bin");
        let own = std::os::unix::fs::PermissionsExt::from_mode(0o700);
        std::fs::set_permissions(bin.join("kubectl"), own).unwrap();
        let mut command = Command::new("/bin/sh");
        command.arg(&script).args(["job.yaml", "--namespace", "a b"]).current_dir(project.path());
        command.env("PATH", format!("{}:/bin:/usr/bin", bin.display())).env("CREATE", create).env("WAIT", wait);
        let run = Run::of(command);
        let asked = std::fs::read_to_string(project.path().join("asked")).unwrap();
        assert_eq!((run.code, asked.lines().count()), (code, calls), "{asked}{}", run.stderr);
        assert!(asked.lines().all(|line| line.ends_with("--namespace a b")), "{asked}");
        assert_eq!(asked.contains("wait --for=condition=complete --timeout=30s job.batch/credlint-x"), calls == 3);
    }
}

/// Runs the lines of a job, as a runner passes them to its shell.
fn script(project: &Project, lines: &[String], variables: &[(&str, &str)]) -> Run {
    let mut command = Command::new("/bin/sh");
    command.args(["-e", "-c", &lines.join("\n")]).current_dir(project.path()).env_clear();
    command.env("PATH", format!("{}:/bin:/usr/bin", programs().display())).env("HOME", project.home());
    command.envs(variables.iter().copied());
    Run::of(command)
}

fn lines(job: &Value) -> Vec<String> {
    words(&job["script"]).into_iter().map(str::to_owned).collect()
}

/// A component with these inputs, as GitLab inserts them.
fn component(name: &str, inputs: &[(&str, &str)]) -> Value {
    let [head, job] = &documents(name)[..] else { panic!("two documents") };
    let mut text = job.to_string();
    for (input, declared) in head["spec"]["inputs"].as_object().unwrap() {
        let given = inputs.iter().find(|(name, _)| name == input).map(|(_, value)| *value);
        let value = given.or(declared["default"].as_str()).unwrap_or_else(|| panic!("{input} is missing"));
        text = text.replace(&format!("$[[ inputs.{input} ]]"), value);
    }
    assert!(!text.contains("$[["), "{text}");
    serde_json::from_str(&text).unwrap()
}

#[test]
fn gitlab_jobs_write_their_reports() {
    let jobs = documents("docs/recipes/gitlab-ci.yml").remove(0);
    let component = component("templates/check.yml", &[]);
    for job in [&jobs["credlint"], &component["credlint"]] {
        let reports = job["artifacts"]["reports"].as_object().unwrap();
        for (text, code) in [("A=b\n", 0), (MISTAKE, 1)] {
            let project = Project::new().file(".env", text);
            let run = script(&project, &lines(job), &[]);
            assert_eq!(run.code, code, "{}", run.stderr);
            let read =
                |kind: &str| std::fs::read_to_string(project.path().join(reports[kind].as_str().unwrap())).unwrap();
            assert_eq!(read("codequality").contains("wrong-credential"), code == 1);
        }
    }
    let before = lines(&jobs["credlint-before-deploy"]);
    let (name, value) = MISTAKE.trim_end().split_once('=').unwrap();
    assert_eq!(script(&Project::new(), &before, &[(name, value)]).code, 1);
    assert_eq!(script(&Project::new(), &before, &[(name, TOKEN)]).code, 0);
}

#[cfg(all(feature = "upload", feature = "sandbox"))]
#[test]
fn a_repeated_gitlab_job_posts_nothing_twice() {
    let given = [("profile", "reports"), ("files", "many"), ("hosts", "127.0.0.1")];
    let component = component("templates/upload.yml", &given);
    let recipe = documents("docs/recipes/gitlab-ci.yml").remove(0);
    for job in [&component["credlint-upload"], &recipe["credlint-upload"]] {
        assert_eq!(job["cache"]["when"], "always");
        let kept = job["cache"]["paths"][0].as_str().unwrap();
        let lines: Vec<String> = lines(job).iter().map(|line| line.replace(" reports/", " many/")).collect();
        assert!(lines.iter().any(|line| line.contains(&format!("--journal {kept}/"))));
        let (project, _service) = crate::upload::many(3, "external", &[]);
        for _ in 0..2 {
            let run = script(&project, &lines, &[("T", crate::upload::TOKEN)]);
            assert_eq!(run.code, 0, "{}{}", run.stdout, run.stderr);
            assert_eq!(crate::upload::messages(&project).len(), 3);
        }
    }
    // What delivers nothing works, too.
    for option in ["--dry-run", "--comment 'a b' --rehearse"] {
        let given = [&given[..], &[("options", option)]].concat();
        let job = self::component("templates/upload.yml", &given);
        let (project, _service) = crate::upload::many(1, "external", &[]);
        let run = script(&project, &lines(&job["credlint-upload"]), &[("T", crate::upload::TOKEN)]);
        assert!(run.code == 0 && crate::upload::messages(&project).is_empty(), "{}{}", run.stdout, run.stderr);
    }
    // Without hosts nothing is sent. Without the input, GitLab does not start the pipeline.
    let declared = &documents("templates/upload.yml")[0]["spec"]["inputs"]["hosts"];
    assert!(declared.is_object() && declared["default"].is_null(), "{declared}");
    for hosts in ["", " ", ","] {
        let given = [("profile", "reports"), ("files", "many"), ("hosts", hosts)];
        let job = self::component("templates/upload.yml", &given)["credlint-upload"].take();
        let (project, _service) = crate::upload::many(1, "external", &[]);
        let hosts = job["variables"]["CREDLINT_HOSTS"].as_str().unwrap();
        let run = script(&project, &lines(&job), &[("T", crate::upload::TOKEN), ("CREDLINT_HOSTS", hosts)]);
        assert!(run.code == 2 && run.stdout.contains("no-hosts"), "{} {}", run.code, run.stdout);
        assert!(crate::upload::messages(&project).is_empty());
    }
    // A branch can bring a link for a directory before a pattern.
    let given = [("profile", "reports"), ("files", "linked/*.csv"), ("hosts", "127.0.0.1")];
    let job = self::component("templates/upload.yml", &given)["credlint-upload"].take();
    let (project, _service) = crate::upload::many(1, "external", &[]);
    std::os::unix::fs::symlink("many", project.path().join("linked")).unwrap();
    let run = script(&project, &lines(&job), &[("T", crate::upload::TOKEN)]);
    assert!(run.code == 3 && run.stdout.contains("no-match"), "{} {}", run.code, run.stdout);
    // Another runner may lack the journal, so a failure is repeated in the job, with what was delivered left out.
    assert!(component["credlint-upload"]["retry"].is_null());
    let fault = "files.completeUploadExternal=error:not_in_channel,1";
    let (project, _service) = crate::upload::many(3, "external", &["--fail", fault]);
    let run = script(&project, &lines(&component["credlint-upload"]), &[("T", crate::upload::TOKEN)]);
    assert_eq!((run.code, crate::upload::messages(&project).len()), (0, 3), "{}{}", run.stdout, run.stderr);
    // The files that the first attempt delivered are in its report; none of them is sent again, wherever they are.
    let summary = |attempt: usize| {
        let path = project.path().join(format!(".credlint-reports/{attempt}.json"));
        let report: Value = serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap();
        ["delivered", "failed", "skipped"].map(|status| report["summary"][status].as_u64().unwrap())
    };
    let [first, second] = [summary(1), summary(2)];
    assert_eq!((first.iter().sum::<u64>(), second[0], second[2]), (3, first[1] + first[2], first[0]));
    assert_eq!(component["credlint-upload"]["artifacts"]["paths"][0], ".credlint-reports");
    // An uncertain upload exits with 4, which is not repeated.
    let (project, _service) = crate::upload::many(1, "files.upload", &["--fail", "files.upload=lost,1"]);
    let run = script(&project, &lines(&component["credlint-upload"]), &[("T", crate::upload::TOKEN)]);
    assert!(run.code == 4 && run.stdout.contains("Look in the channel"), "{}{}", run.stdout, run.stderr);
    let written = std::fs::read_to_string(project.path().join("credlint.env")).unwrap();
    assert_eq!(written, "CREDLINT_EXIT_CODE=4\n");
}

/// The command of every pod, run by its shell.
#[cfg(all(feature = "upload", feature = "sandbox"))]
#[test]
fn pods_of_an_indexed_job_send_every_file_once() {
    let mut job = documents("docs/recipes/kubernetes-upload.yaml");
    assert_eq!(job.len(), 1);
    let spec = job.remove(0)["spec"].take();
    assert_eq!((&spec["completionMode"], &spec["completions"]), (&serde_json::json!("Indexed"), &spec["parallelism"]));
    let container = &spec["template"]["spec"]["containers"][0];
    assert_eq!(container["command"], serde_json::json!(["/bin/sh", "-c"]));
    let script = container["args"][0].as_str().unwrap();
    let pods: usize = spec["completions"].as_str().unwrap().parse().unwrap();
    assert!(script.contains(&format!("+ 1))/{pods}\"")), "{script}");
    let (project, _service) = crate::upload::many(20, "files.upload", &[]);
    let root = project.path();
    let script = script
        .replace("/etc/credlint/", &format!("{}/", root.display()))
        .replace("/state/", &format!("{}/", root.display()));
    let program = Path::new(env!("CARGO_BIN_EXE_credlint")).parent().unwrap();
    for round in 0..2 {
        for index in 0..pods {
            let mut command = Command::new("/bin/sh");
            command.args(["-c", &script]).current_dir(root.join("many")).env_clear().env("T", crate::upload::TOKEN);
            command.env("PATH", program).env("HOME", project.home()).env("JOB_COMPLETION_INDEX", index.to_string());
            let run = Run::of(command);
            assert_eq!(run.code, 0, "{}{}", run.stdout, run.stderr);
        }
        let mut sent = crate::upload::messages(&project).concat();
        sent.sort();
        assert_eq!(sent, (0..20).map(|number| format!("{number:03}.csv")).collect::<Vec<_>>(), "{round}");
    }
}
