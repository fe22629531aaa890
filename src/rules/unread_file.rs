use crate::config::UnreadFile as Unread;
use crate::finding::Severity;
use crate::rule::{Sink, rule};

rule! {
    UnreadFile("unread-file"): files, "a file that was not read, or only line by line",
    severity: Error, impact: None, scope: "files", readers: NONE, since: "0.1.0",
}

/// From this number on, files whose names say nothing of credentials are counted in one note: a hook names every file.
const COUNTED: usize = 3;

fn files(unread: &[Unread], sink: &mut Sink<'_>) {
    let others = unread.iter().filter(|file| !file.expects_credentials);
    let counted = others.clone().count() >= COUNTED;
    for Unread { name, at, why, label, help, expects_credentials } in unread {
        if counted && !expects_credentials {
            continue;
        }
        // A hook names every file of a repository, and most have no credentials.
        let severity = if *expects_credentials { Severity::Error } else { Severity::Note };
        let draft = finding(format!("`{name}` {why}"), *help).severity(severity);
        sink.push(draft.at(name, *at, *label));
    }
    let first = others.clone().next().filter(|_| counted);
    if let Some(first) = first {
        let names: Vec<String> = others.clone().take(COUNTED).map(|file| format!("`{}`", file.name)).collect();
        let number = others.count();
        let more = if number > COUNTED { format!(" and {} more", number - COUNTED) } else { String::new() };
        let message = format!("{number} files were not read, or only line by line: {}{more}", names.join(", "));
        let help = "`credlint check FILE` says why; leave them out if they have no credentials";
        sink.push(finding(message, help).severity(Severity::Note).at(&first.name, first.at, first.label));
    }
}
