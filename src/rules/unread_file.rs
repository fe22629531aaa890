use crate::config::UnreadFile as Unread;
use crate::finding::Severity;
use crate::rule::{Draft, Sink, rule};

rule! {
    #[doc = include_str!("../../docs/rules/unread-file.md")]
    UnreadFile: files {
        id: "unread-file",
        summary: "a file that was not read, or only line by line",
        severity: Error, impact: None, scope: "files", readers: NONE, since: "0.1.0",
    }
}

fn files(unread: &[Unread], sink: &mut Sink<'_>) {
    for Unread { name, at, why, label, help, expects_credentials } in unread {
        // A hook names every file of a repository, and most have no credentials.
        let severity = if *expects_credentials { Severity::Error } else { Severity::Note };
        let draft = Draft::new(format!("`{name}` {why}"), *help).severity(severity);
        sink.push(draft.at(name, *at, *label));
    }
}
