//! All messages of all rules on one page, so that the wording can be read as a whole. It is generated from the
//! snapshots; `UPDATE_DOCS=1 cargo test` writes it.

use std::collections::BTreeSet;
use std::path::Path;

/// A message as a person sees it.
#[derive(Clone, Default)]
struct Message {
    title: String,
    labels: Vec<String>,
    help: String,
}

/// The messages of one rule in its snapshot: titles and help texts from the drawn output, labels from the facts below
/// it.
fn messages(rule: &str, snapshot: &str) -> Vec<Message> {
    let mut messages = Vec::new();
    for case in snapshot.split("\n## ") {
        let (picture, facts) = case.split_once("-- facts\n").unwrap_or((case, ""));
        let mut drawn = pictures(rule, picture);
        for (message, labels) in drawn.iter_mut().zip(labels(rule, facts)) {
            message.labels = labels;
        }
        messages.extend(drawn);
    }
    messages
}

fn pictures(rule: &str, picture: &str) -> Vec<Message> {
    let mut messages: Vec<Message> = Vec::new();
    let (mut own, mut help) = (false, false);
    for line in picture.lines() {
        let code = line.split_once('[').map(|(_, rest)| rest.trim_end_matches(']'));
        if ["error[", "warning[", "note["].iter().any(|start| line.starts_with(start)) {
            own = code == Some(rule);
        } else if !own {
        } else if let Some(title) = ["  × ", "  ⚠ ", "  ☞ "].iter().find_map(|mark| line.strip_prefix(mark)) {
            help = false;
            messages.push(Message { title: title.to_owned(), ..Message::default() });
        } else if let Some(message) = messages.last_mut() {
            if let Some(more) = line.strip_prefix("  │ ") {
                message.title.extend([" ", more]);
            } else if let Some(first) = line.strip_prefix("  help: ") {
                help = true;
                first.clone_into(&mut message.help);
            } else if let Some(more) = line.strip_prefix("        ").filter(|_| help) {
                message.help.extend([" ", more]);
            } else {
                help = false;
            }
        }
    }
    messages
}

fn labels(rule: &str, facts: &str) -> Vec<Vec<String>> {
    let mut labels: Vec<Vec<String>> = Vec::new();
    let mut own = false;
    for line in facts.lines() {
        if let Some(label) = line.strip_prefix("  ") {
            // `KEY at PLACE: TEXT`; a place has no colon that is followed by a space.
            let text = label.split_once(" at ").and_then(|(_, rest)| rest.split_once(": "));
            if let (true, Some(labels), Some((_, text))) = (own, labels.last_mut(), text) {
                labels.push(text.to_owned());
            }
        } else {
            own = line.split(' ').nth(1) == Some(rule);
            if own {
                labels.push(Vec::new());
            }
        }
    }
    labels
}

/// The page: for each rule, each title once, and what the labels say.
fn page() -> String {
    let mut page = String::from(
        "# Messages\n\nSearch this page for a message to find its rule, whose page has the cause and the fix. Not every message is \
         here: `error[RULE]` in the report names the rule. `…` stands for a name of yours. `wrong-credential`, `foreign-credential`, `mixed-credentials` and `exposed-credential` are shown with examples: the \
         pages of the [services](../services/README.md) have every kind of value.\n",
    );
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it/snapshots");
    let names = |folder: &str| {
        let entries = std::fs::read_dir(root.join(folder)).unwrap().map(|entry| entry.unwrap().path());
        entries.map(|path| path.file_stem().unwrap().to_str().unwrap().to_owned()).collect::<BTreeSet<String>>()
    };
    let read = |folder: &str, rule: &str| {
        messages(rule, &std::fs::read_to_string(root.join(folder).join(format!("{rule}.snap"))).unwrap_or_default())
    };
    for (folders, pages) in [(&["rules", "found"][..], ""), (&["verify"], "../verify/")] {
        for rule in folders.iter().flat_map(|folder| names(folder)).collect::<BTreeSet<String>>() {
            // In other programs' files and in variables, a rule speaks with their names.
            let all: Vec<Message> = folders.iter().flat_map(|folder| read(folder, &rule)).collect();
            page += &format!("\n## [{rule}]({pages}{rule}.md)\n\n{}", message_list(&all));
        }
    }
    page
}

/// The list of a rule's messages, without the names that the tests use.
fn message_list(messages: &[Message]) -> String {
    let titles: BTreeSet<String> = messages.iter().map(|message| without_names(&message.title)).collect();
    let labels = messages.iter().flat_map(|message| &message.labels).map(|label| without_names(label));
    // It says nothing about the mistake, and is the same for all rules.
    let labels: BTreeSet<String> = labels.filter(|label| !label.starts_with("value comes from ")).collect();
    let mut list: String = titles.iter().map(|title| format!("- {}\n", escaped(title))).collect();
    if !labels.is_empty() {
        let labels: Vec<String> = labels.iter().map(|label| format!("*{}*", escaped(label))).collect();
        list += &format!("\nLabels: {}\n", labels.join("; "));
    }
    list
}

/// Replaces what a person chose: names of profiles, variables and files.
fn without_names(text: &str) -> String {
    let is_name = |code: &str| {
        let upper = code.chars().all(|c| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_');
        let kind = ["app.", "messaging.", "storage."].iter().any(|kind| code.starts_with(kind));
        let file = [".env", ".toml", ".yaml", ".yml", ".json", ".conf", ".txt"].iter().any(|end| code.ends_with(end));
        let path = code.contains('/') && !code.starts_with("/api") && !code.contains("://");
        kind || file || path || code.contains("****") || code.starts_with("CREDLINT_") || upper && code.len() > 2
    };
    // What these are about is not known to credlint.
    let strange = ["unknown ", "the allow for ", "this allow for "].iter().any(|begin| text.starts_with(begin));
    let parts = text.split('`').enumerate().map(|(index, part)| match index % 2 {
        1 if is_name(part) || strange && index == 1 => "…",
        _ => part,
    });
    parts.collect::<Vec<_>>().join("`")
}

/// Escapes Markdown outside of code.
fn escaped(text: &str) -> String {
    let parts = text.split('`').enumerate().map(|(index, part)| match index % 2 {
        0 => part.replace('*', "\\*").replace('<', "\\<").replace('[', "\\["),
        _ => part.to_owned(),
    });
    parts.collect::<Vec<_>>().join("`")
}

#[test]
fn the_messages_page_matches_the_snapshots() {
    let page = page();
    assert!(page.contains("- `…` has `application_key` but no `application_key_id`\n"), "{page}");
    assert!(page.contains("- `…` is a webhook URL, not a token\n"), "{page}");
    for internal in ["storage.x", "messaging.x", "app.x", "THE_", "****"] {
        assert!(!page.contains(internal), "{internal}");
    }
    for rule in credlint::rules::ALL {
        assert!(page.contains(&format!("\n## [{0}]({0}.md)\n\n- ", rule.meta().id)), "{}", rule.meta().id);
    }
    assert!(page.split_whitespace().count() <= 9000, "too long to be read");
    super::compare_file("docs/rules/messages.md", &page);
}

#[test]
fn messages_are_parsed_from_snapshots() {
    let snapshot = "## one\n\n-- stdout\nerror[a-rule]\n\n  × a title\n  │ goes on\n   ╭─[x]\n   ╰────\n  help: do this\n        and that\n\n\
                    warning[other]\n\n  ⚠ not this\n  help: nor this\n-- facts\nerror a-rule x.y 1\n  x.y at file f 1:1: label: one\n\
                    warning other x.y 2\n  x.y at file f 1:1: not this\n";
    let messages = messages("a-rule", snapshot);
    assert_eq!(messages.len(), 1);
    let Message { title, labels, help } = &messages[0];
    assert_eq!((title.as_str(), help.as_str()), ("a title goes on", "do this and that"));
    assert_eq!(labels, &["label: one"]);
}
