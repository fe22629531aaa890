//! All messages of all rules on one page, so that the wording can be read as a whole. It is generated from the
//! snapshots; `UPDATE_DOCS=1 cargo test` writes it.

use std::collections::BTreeMap;
use std::path::Path;

/// A message as a person sees it.
#[derive(Default)]
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

/// The page: each title once, with all its help texts and labels.
fn page() -> String {
    let mut page = String::from(
        "# Messages\n\nEvery message of every rule, as the tests produce it: the title, what the labels say, and the help. \
         `UPDATE_DOCS=1 cargo nextest run pages` writes this page from the snapshots.\n",
    );
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it/snapshots");
    for folder in ["rules", "verify"] {
        let mut files: Vec<_> =
            std::fs::read_dir(root.join(folder)).unwrap().map(|entry| entry.unwrap().path()).collect();
        files.sort();
        for file in files {
            let rule = file.file_stem().unwrap().to_str().unwrap();
            let own = message_list(rule, &std::fs::read_to_string(&file).unwrap());
            page += &format!("\n## {rule}\n\n{own}");
            // In other programs' files and in variables, a rule speaks with their names.
            let found = std::fs::read_to_string(root.join("found").join(file.file_name().unwrap())).unwrap_or_default();
            let found = message_list(rule, &found);
            if !found.is_empty() && found != own {
                page += &format!("\nIn files of other programs and in variables:\n\n{found}");
            }
        }
    }
    page
}

/// The list of a rule's messages in a snapshot.
fn message_list(rule: &str, snapshot: &str) -> String {
    let mut titles: BTreeMap<String, (Vec<String>, Vec<String>)> = BTreeMap::new();
    for Message { title, labels, help } in messages(rule, snapshot) {
        let (known, helps) = titles.entry(title).or_default();
        let new: Vec<_> = labels.into_iter().filter(|label| !known.contains(label)).collect();
        known.extend(new);
        if !helps.contains(&help) {
            helps.push(help);
        }
    }
    let mut list = String::new();
    for (title, (labels, helps)) in titles {
        list += &format!("- **{}**\n", escaped(&title));
        list.extend(labels.iter().map(|label| format!("  - *{}*\n", escaped(label))));
        list.extend(helps.iter().map(|help| format!("  - help: {}\n", escaped(help))));
    }
    list
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
    assert!(page.contains("**`storage.x` has `application_key` but no `application_key_id`**"), "{page}");
    assert!(page.contains("**`SLACK_TOKEN` is a webhook URL, not a token**"), "{page}");
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
