//! Files that are posted together, in as few messages as the service takes.

use std::time::Duration;

use credlint::upload::{Batch, Post, Settings};
use credlint::{Delivered, DeliveryOptions, Environment, LoadOptions};

use crate::harness::Project;
use crate::server::runtime;
use crate::upload::{Service, TOKEN, many};

/// The messages of a service: the number of files in each, and the length of its comment.
fn messages(project: &Project) -> Vec<(usize, u64)> {
    let text = std::fs::read_to_string(project.path().join("ledger")).unwrap_or_default();
    let message = |line: &str| {
        let message: serde_json::Value = serde_json::from_str(line).unwrap();
        (message["files"].as_array().unwrap().len(), message["comment_length"].as_u64().unwrap())
    };
    text.lines().map(message).collect()
}

/// The results of the files, the messages, and the attempts of each file.
type Sent = (Vec<String>, Vec<(usize, u64)>, Vec<u32>);

/// Sends five files in messages of two.
fn send(faults: &[&str], set: impl FnOnce(&mut Batch, &mut Settings)) -> Sent {
    send_files(5, faults, set)
}

fn send_files(count: usize, faults: &[&str], set: impl FnOnce(&mut Batch, &mut Settings)) -> Sent {
    let faults: Vec<&str> = faults.iter().flat_map(|fault| ["--fail", fault]).collect();
    let (project, service) = many(count, "external", &faults);
    let load = LoadOptions::new(project.path(), Environment::from_iter([("T", TOKEN)]));
    let loaded = credlint::load(&load).unwrap();
    let mut options = DeliveryOptions::new("messaging.reports")
        .with_files((0..count).map(|number| project.path().join(format!("many/{number:03}.csv"))));
    (options.batch.one_message, options.batch.concurrency) = (true, Some(1));
    options.post = Post::new(Vec::new()).with_comment(Some(TEXT.into()));
    options.settings.files_per_message = Some(2);
    (options.settings.retries, options.settings.backoff) = (2, Duration::from_millis(5));
    set(&mut options.batch, &mut options.settings);
    let (_cancel, cancelled) = credlint::upload::channel::channel(false);
    let delivered: Delivered = runtime().block_on(loaded.delivery(options, &()).unwrap().run(&(), cancelled));
    drop(service);
    let result = |receipt: &credlint::upload::Receipt| {
        let code = receipt.error.as_ref().map_or("", |error| error.code.as_str());
        let reason = receipt.skip.map_or("", |skip| skip.as_str());
        format!("{} {code}{reason}", receipt.status.as_str()).trim().to_owned()
    };
    let attempts = delivered.receipts.iter().map(|receipt| receipt.attempts).collect();
    (delivered.receipts.iter().map(result).collect(), messages(&project), attempts)
}

const COMPLETION: &str = "files.completeUploadExternal";
const TEXT: &str = "Nightly report";
const COMMENT: u64 = TEXT.len() as u64;

fn results(runs: &[(&str, usize)]) -> Vec<String> {
    runs.iter().flat_map(|&(result, times)| vec![result.to_owned(); times]).collect()
}

#[test]
fn the_first_message_that_is_posted_has_the_comment() {
    let (all, messages, _) = send(&[], |_, _| {});
    assert_eq!((all, messages), (results(&[("delivered", 5)]), vec![(2, COMMENT), (2, 0), (1, 0)]));
    let (all, messages, _) = send(&[&format!("{COMPLETION}=error:file_type_not_allowed,1")], |_, _| {});
    let expected = results(&[("failed file_type_not_allowed", 2), ("delivered", 3)]);
    assert_eq!((all, messages), (expected, vec![(2, COMMENT), (1, 0)]));
    // It may be posted, so it is not posted again.
    let lost = [&format!("{COMPLETION}=lost,1")[..], "files.info=error:missing_scope"];
    let (all, messages, _) = send(&lost, |_, _| {});
    assert_eq!(messages, [(2, COMMENT), (2, 0), (1, 0)], "{all:?}");
    assert!(all[0].starts_with("uncertain") && all[4] == "delivered", "{all:?}");
}

#[test]
fn what_stops_a_run_stops_its_further_messages() {
    let rejected = format!("{COMPLETION}=error:file_type_not_allowed,1");
    let (all, messages, _) = send(&[&rejected], |batch, _| batch.fail_fast = true);
    let expected = results(&[("failed file_type_not_allowed", 2), ("skipped fail-fast", 3)]);
    assert_eq!((all, messages), (expected, vec![]));
    let (all, messages, _) = send(&[&format!("{COMPLETION}=error:channel_not_found,1")], |_, _| {});
    let expected = results(&[("failed channel_not_found", 2), ("skipped channel", 3)]);
    assert_eq!((all, messages), (expected, vec![]));
    let (all, ..) =
        send(&[&format!("{COMPLETION}=lost,1"), "files.info=error:missing_scope"], |batch, _| batch.fail_fast = true);
    assert!(all[0].starts_with("uncertain") && all[2..] == results(&[("skipped fail-fast", 3)]), "{all:?}");
}

/// A service that is not reached by several messages is not sent the rest.
#[test]
fn messages_that_do_not_reach_the_service_stop_the_run() {
    let down = [&format!("{COMPLETION}=503")[..], "files.info=error:missing_scope"];
    let (all, messages, _) = send_files(9, &down, |_, settings| settings.retries = 0);
    assert!(messages.is_empty() && all[..6].iter().all(|result| result.starts_with("uncertain")), "{all:?}");
    assert_eq!(all[6..], results(&[("skipped unreachable", 3)]));
}

/// A service that does not recover is not waited for again and again.
#[test]
fn messages_that_fail_share_their_retries() {
    let down = format!("{COMPLETION}=error:service_unavailable");
    let (all, messages, attempts) = send(&[&down], |_, _| {});
    assert_eq!((all, messages), (results(&[("failed service_unavailable", 5)]), vec![]));
    assert_eq!(attempts, [3, 3, 1, 1, 1]);
    // One that is posted shows that it is there, so the next message has all of them.
    let up = [format!("{COMPLETION}=error:service_unavailable,2")];
    let (all, messages, attempts) = send(&[&up[0]], |_, _| {});
    assert_eq!((all, messages.len()), (results(&[("delivered", 5)]), 3));
    assert_eq!(attempts, [3, 3, 1, 1, 1]);
}

/// One file has one number of retries and one time to wait, whatever its steps are.
#[test]
fn a_file_has_one_budget_for_all_of_its_steps() {
    for (retries, completions, expected) in
        [(2, 1, "failed service_unavailable"), (3, 1, "delivered"), (3, 2, "failed service_unavailable")]
    {
        let faults = ["upload=503,2".to_owned(), format!("{COMPLETION}=error:service_unavailable,{completions}")];
        for one_message in [false, true] {
            let (all, _, attempts) = send_files(1, &[&faults[0], &faults[1]], |batch, settings| {
                (batch.one_message, settings.retries) = (one_message, retries);
            });
            assert_eq!((all, attempts), (results(&[(expected, 1)]), vec![1 + retries]), "{completions}");
        }
    }
    // So it is with the time.
    let (project, _service) =
        many(1, "external", &["--fail", "upload=429:2,1", "--fail", &format!("{COMPLETION}=429:2,1")]);
    let run = crate::upload::upload(&project, &["--max-wait", "3", "many"]);
    assert_eq!((run.code, messages(&project).len()), (3, 0), "{}", run.stdout);
}

/// The hosted service takes 14 files in a message, so a rehearsal sends as many messages as it would get.
#[test]
fn a_rehearsal_makes_as_many_messages_as_the_service_gets() {
    let mut project = crate::upload::project("https://x.slack.com").env("T", TOKEN);
    for number in 0..30 {
        project = project.file(&format!("many/{number:03}.csv"), "x");
    }
    let run = crate::upload::upload(&project, &["--rehearse", "--one-message", "many"]);
    assert_eq!((run.code, &run.document()["summary"]["rehearsed"]), (0, &30.into()), "{}", run.stdout);
    // The strict sandbox accepts no more.
    let service = Service::start(&project, &["--hosted", "--fail", "files.info=error:missing_scope"]);
    let loaded = credlint::load(&LoadOptions::new(
        project.path(),
        Environment::from_iter([
            ("T", TOKEN),
            ("CREDLINT_MESSAGING__REPORTS__BASE_URL", &service.1),
            ("CREDLINT_MESSAGING__REPORTS__UPLOAD_METHOD", "external"),
        ]),
    ))
    .unwrap();
    for (files, expected) in [(14, "delivered"), (15, "uncertain")] {
        let mut options = DeliveryOptions::new("messaging.reports")
            .with_files((0..files).map(|number| project.path().join(format!("many/{number:03}.csv"))));
        (options.batch.one_message, options.settings.retries) = (true, 0);
        let (_cancel, cancelled) = credlint::upload::channel::channel(false);
        let delivered = runtime().block_on(loaded.delivery(options, &()).unwrap().run(&(), cancelled));
        assert_eq!(delivered.receipts[0].status.as_str(), expected, "{files}");
    }
}
