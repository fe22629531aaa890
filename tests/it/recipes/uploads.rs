//! The action that uploads, in repeated attempts of a run.

use serde_json::Value;

use super::runner::Job;
use crate::harness::Project;
use crate::upload::{many, messages};

const FILE: &str = "upload/action.yml";
const INPUTS: [(&str, &str); 3] = [("profile", "reports"), ("files", "many\n"), ("hosts", "127.0.0.1")];

/// Runs an attempt. `lost` is the step at whose end the runner is lost.
fn attempt<'a>(project: &'a Project, inputs: &'a [(&'a str, &'a str)], number: usize, lost: Option<&str>) -> Job<'a> {
    let mut job = Job::new(FILE, project, inputs);
    job.attempt = number;
    job.run(lost);
    job
}

fn results(job: &Job) -> (String, String) {
    (job.output("exit-code"), job.output("uncertain"))
}

fn ended(code: &str, uncertain: &str) -> (String, String) {
    (code.to_owned(), uncertain.to_owned())
}

/// The runner of the first attempt was lost while it sent: only the mark of its beginning is left.
#[test]
fn a_lost_runner_is_detected() {
    let (project, _service) = many(3, "external", &[]);
    attempt(&project, &INPUTS, 1, Some("upload"));
    let second = attempt(&project, &INPUTS, 2, None);
    assert_eq!(results(&second), ended("4", "true"));
    assert!(second.runs["journal"].stdout.contains("attempt 1 began to upload"));
    assert!(!second.runs.contains_key("upload"));
    // Someone looked in the channel, and confirms it.
    let again = [&INPUTS[..], &[("retry-uncertain", "true")]].concat();
    assert_eq!(results(&attempt(&project, &again, 3, None)), ended("0", "false"));
    // From here the journal resumes it.
    assert_eq!(results(&attempt(&project, &INPUTS, 4, None)), ended("0", "false"));
    assert_eq!(messages(&project).len(), 6);
    // If another runner is lost, the files that earlier attempts delivered are not sent again.
    attempt(&project, &INPUTS, 5, Some("upload"));
    assert_eq!(results(&attempt(&project, &INPUTS, 6, None)), ended("4", "true"));
    assert_eq!(results(&attempt(&project, &again, 7, None)), ended("0", "false"));
    assert_eq!(messages(&project).len(), 6);
}

#[test]
fn a_repeated_attempt_resumes_the_previous_one() {
    let (project, _service) = many(3, "external", &["--fail", "files.completeUploadExternal=lost,1"]);
    for number in 1..=3 {
        let job = attempt(&project, &INPUTS, number, None);
        let result: Value = serde_json::from_str(&job.output("result")).unwrap();
        assert_eq!(result["schema"], "credlint/upload/v1");
        assert_eq!(job.output("uncertain"), if job.output("exit-code") == "4" { "true" } else { "false" });
        // Nothing is posted twice, in any attempt.
        let mut names = messages(&project).concat();
        names.sort();
        names.dedup();
        assert_eq!(messages(&project).len(), names.len(), "{number}");
    }
    assert_eq!(messages(&project).len(), 3);
}

/// An attempt that sent nothing is known to have sent nothing, whatever stopped it.
#[test]
fn a_refused_attempt_does_not_block_the_next_one() {
    let (project, _service) = many(1, "external", &[]);
    let webhook = "[messaging.reports]\nbase_url = \"https://chat.example.com\"\nwebhook_url = { env = \"T\" }\n";
    let project = project.file("webhook.toml", webhook).file("broken.toml", "[").env("CREDLINT_FORMAT", "json");
    let refusals = [(("config", "webhook.toml"), "1"), (("config", "broken.toml"), "2"), (("profile", "none"), "2")];
    let refusals = [&refusals[..], &[(("options", "--no-such"), "2"), (("files", "missing"), "3")]].concat();
    let count = refusals.len();
    for (number, (refused, code)) in refusals.into_iter().enumerate() {
        let inputs = [&[refused][..], &INPUTS].concat();
        let job = attempt(&project, &inputs, number + 1, None);
        assert_eq!(results(&job), ended(code, "false"), "{refused:?}");
        if code == "1" {
            // The finding is at its key, and the log describes what happened.
            let said = &job.runs["upload"].stdout;
            assert!(said.contains("::error file=webhook.toml,line=3"), "{said}");
            assert!(!said.contains("credlint/upload/v1"), "{said}");
        }
    }
    // It was cancelled before it began to send.
    attempt(&project, &INPUTS, count + 1, Some("journal"));
    assert_eq!(results(&attempt(&project, &INPUTS, count + 2, None)), ended("0", "false"));
    assert_eq!(messages(&project).len(), 1);
}

/// Neither a later attempt nor another job has a journal of this job.
#[test]
fn a_journal_of_another_job_is_not_used() {
    let (project, _service) = many(2, "external", &[]);
    let (other, _other_service) = many(2, "external", &[]);
    attempt(&other, &INPUTS, 1, None);
    // The journal of somebody else says that all files were delivered.
    let delivered = std::fs::read_to_string(other.dir.path().join("temp/credlint-journals/upload/1.jsonl")).unwrap();
    assert!(delivered.contains("delivered"));
    for artifact in ["credlint-journal.job.0.upload.attempt-9", "credlint-journal.job.0.upload.attempt-1-other"] {
        for file in ["9.jsonl", "1.jsonl", "9.begun", "1.begun"] {
            Job::plant(&project, artifact, file, &delivered);
        }
    }
    assert_eq!(results(&attempt(&project, &INPUTS, 2, None)), ended("0", "false"));
    assert_eq!(messages(&project).len(), 2);
    // The names of two uploads are different, even if the parts are joined to the same text.
    let name = |id, journal| {
        let inputs = [&INPUTS[..], &[("journal", journal)]].concat();
        let mut job = Job::new(FILE, &project, &inputs);
        job.id = id;
        job.only("inputs").artifact_name()
    };
    let mut names =
        vec![name("a", "0-x"), name("a-0", "x"), name("a-0-0", "x"), name("a", "x-attempt-1"), name("a", "x")];
    names.sort();
    names.dedup();
    assert_eq!(names.len(), 5, "{names:?}");
}

/// A dry run delivers nothing, so it needs no journal, and leaves none.
#[test]
fn a_dry_run_works() {
    let (project, _service) = many(1, "external", &[]);
    attempt(&project, &INPUTS, 1, Some("upload"));
    let dry = [&INPUTS[..], &[("dry-run", "true")]].concat();
    let job = attempt(&project, &dry, 2, None);
    assert_eq!(results(&job), ended("0", "false"), "{}", job.runs["upload"].stderr);
    let result: Value = serde_json::from_str(&job.output("result")).unwrap();
    assert_eq!((&result["mode"], &result["uploads"][0]["status"]), (&"dry-run".into(), &"skipped".into()));
    assert_eq!(std::fs::read_dir(project.dir.path().join("artifacts")).unwrap().count(), 1);
    for option in ["--dry-run", "--rehearse"] {
        let inputs = [&INPUTS[..], &[("options", option), ("journal", option.trim_start_matches('-'))]].concat();
        let job = attempt(&project, &inputs, 1, None);
        assert_eq!(results(&job), ended("0", "false"), "{}", job.runs["upload"].stderr);
    }
    assert_eq!(messages(&project).len(), 1);
}

#[test]
fn invalid_inputs_send_nothing() {
    let (project, _service) = many(1, "external", &[]);
    for invalid in
        [("hosts", ""), ("hosts", " ,"), ("journal", "../x"), ("journal", ""), ("dry-run", "yes"), ("verify", "1")]
    {
        let inputs = [&[invalid][..], &INPUTS].concat();
        let job = attempt(&project, &inputs, 1, None);
        assert_eq!((job.runs["inputs"].code, job.runs.len()), (2, 1), "{invalid:?}");
    }
    assert!(!project.dir.path().join("artifacts").exists());
    assert!(messages(&project).is_empty());
}

#[test]
fn an_uncertain_upload_is_reported() {
    let (project, _service) = many(1, "files.upload", &["--fail", "files.upload=lost,1"]);
    let job = attempt(&project, &INPUTS, 1, None);
    assert_eq!(results(&job), ended("4", "true"));
    let said = &job.runs["upload"].stdout;
    assert!(said.contains("::error title=credlint::a file may have been posted"), "{said}");
}

/// The jobs of a matrix: each sends its share, with a journal of its own.
#[test]
fn jobs_of_a_matrix_send_every_file_once() {
    let (project, _service) = many(12, "external", &[]);
    for (share, number) in [("1/3", 1), ("2/3", 1), ("3/3", 1), ("2/3", 2)] {
        let (journal, options) = (share.replace('/', "-of-"), "--retries=0\n--fail-fast\n");
        let inputs = [&INPUTS[..], &[("shard", share), ("options", options), ("journal", &journal)]].concat();
        assert_eq!(results(&attempt(&project, &inputs, number, None)), ended("0", "false"));
    }
    assert_eq!(messages(&project).len(), 12);
}

/// Findings are shown as they were found: with the same layers.
#[test]
fn a_refused_upload_is_annotated_with_its_own_configuration() {
    let (project, _service) = many(1, "external", &[]);
    let webhook = "[messaging.reports]\nbase_url = \"https://chat.example.com\"\nwebhook_url = { env = \"T\" }\n";
    let policy = "[trust]\nhosts = ['slack.com']\n";
    let project = project
        .file("webhook.toml", webhook)
        .file("policy.toml", policy)
        .env("CREDLINT_MESSAGING__REPORTS__TOKEN", crate::upload::TOKEN);
    for (number, (config, option)) in
        [("webhook.toml", "--isolated"), ("credlint.toml", "--policy=policy.toml")].into_iter().enumerate()
    {
        let inputs = [&INPUTS[..], &[("config", config), ("options", option)]].concat();
        let job = attempt(&project, &inputs, number + 1, None);
        assert_eq!(results(&job), ended("1", "false"), "{}", job.runs["upload"].stderr);
        let said = &job.runs["upload"].stdout;
        assert!(said.contains(&format!("::error file={config}")), "{option}: {said}");
    }
    assert!(messages(&project).is_empty());
}
