//! Reads the `[trust]` table of the user file or the policy: the hosts that may receive a credential, and the
//! references that may be resolved. It applies to every layer; project files can't have one.

use super::flaws::Flaws;
use super::permitted::empty_list_problem;
use crate::schema::value::shown;
use crate::schema::{self, TRUST_KEYS};
use crate::source::{self, Entry, Node, Problem, Reader, Scalar, Value};

/// The permitted values, one list for each table.
#[derive(Default)]
pub(super) struct TrustLimits {
    pub(super) hosts: Vec<Vec<String>>,
    pub(super) references: Vec<Vec<String>>,
    /// True if no option may start a command despite findings.
    pub(super) no_override: bool,
}

impl TrustLimits {
    /// Reads a `[trust]` table. If it has an error, nothing is permitted, because a limit was intended.
    pub(super) fn read(&mut self, trust: &Entry, reader: &Reader<'_>, problems: &mut Vec<Problem>, flaws: &mut Flaws) {
        let entries = match &trust.value.node {
            Node::Table(entries) => entries,
            Node::Null => return,
            node => {
                self.permit_nothing();
                return flaws.add_mistyped("trust".to_owned(), trust.at, node.describe(), "a table");
            }
        };
        for entry in entries {
            match entry.key.as_str() {
                "hosts" if is_blank(&entry.value, reader) => {
                    problems.push(empty_list_problem("trust.hosts").at(entry.at, "empty"));
                }
                "hosts" => self.hosts.push(read_list(entry, reader, &HOSTS, flaws)),
                "references" => self.references.push(read_list(entry, reader, &REFERENCES, flaws)),
                "override" => match &entry.value.node {
                    Node::Scalar(Scalar::Boolean, handle) => {
                        let is_false = |text: &str| (text == "false").then(String::new);
                        self.no_override |= reader.vault.shown(*handle, is_false).is_some();
                    }
                    node => {
                        self.no_override = true;
                        flaws.add_mistyped("trust.override".to_owned(), entry.at, node.describe(), "true or false");
                    }
                },
                other => {
                    let key = source::shown_path(&["trust", other]);
                    flaws.add_unknown(key, entry.at, other, schema::TRUST_KEYS.to_vec());
                    self.permit_nothing();
                }
            }
        }
    }

    /// Permits nothing.
    fn permit_nothing(&mut self) {
        self.hosts.push(Vec::new());
        self.references.push(Vec::new());
        self.no_override = true;
    }
}

/// Returns `true` for an empty value, and for a list of empty values.
fn is_blank(value: &Value, reader: &Reader<'_>) -> bool {
    match &value.node {
        Node::Null => true,
        Node::Scalar(Scalar::Text, handle) => {
            reader.vault.shown(*handle, |text| text.trim().is_empty().then(String::new)).is_some()
        }
        Node::List(items) => items.iter().all(|item| is_blank(item, reader)),
        _ => false,
    }
}

/// How to read an element of a list.
struct ListElement {
    key: &'static str,
    show: fn(&str) -> Option<String>,
    list: &'static str,
    found: &'static str,
    expected: &'static str,
}

const HOSTS: ListElement = ListElement {
    key: TRUST_KEYS[0],
    show: shown::host_pattern,
    list: "a list of hosts",
    found: "something that is not a host",
    expected: "a host such as `chat.example.com` or `*.example.com`",
};

const REFERENCES: ListElement = ListElement {
    key: TRUST_KEYS[1],
    show: shown::reference_pattern,
    list: "a list of references",
    found: "something that is not a reference",
    expected: "`env:NAME` or `file:PATH`, with `*` as a wildcard",
};

/// Reads a list. Invalid elements are dropped, so an error permits less, not more.
fn read_list(entry: &Entry, reader: &Reader<'_>, element: &ListElement, flaws: &mut Flaws) -> Vec<String> {
    let ListElement { key, show, list, found, expected } = element;
    let Node::List(items) = &entry.value.node else {
        flaws.add_mistyped(format!("trust.{key}"), entry.at, entry.value.node.describe(), *list);
        return Vec::new();
    };
    let read = |(index, item): (usize, &Value)| {
        let read = match item.node {
            Node::Scalar(Scalar::Text, handle) => reader.vault.shown(handle, show),
            _ => None,
        };
        if read.is_none() {
            flaws.add_mistyped(format!("trust.{key}[{index}]"), item.at, found, *expected);
        }
        read
    };
    items.iter().enumerate().filter_map(read).collect()
}
