//! Reading the hosts that may get a credential: `hosts` in a table `[trust]` of the user file or the policy. A project file
//! has no say in it.

use super::flaws::Flaws;
use crate::schema::value::shown;
use crate::schema::{self, TRUST_KEYS};
use crate::source::{self, Entry, Node, Reader, Scalar};

/// Reads a table `[trust]`. A mistake in it permits no host: somebody meant to limit them.
pub(super) fn read(trust: &Entry, reader: &Reader<'_>, lists: &mut Vec<Vec<String>>, flaws: &mut Flaws) {
    let entries = match &trust.value.node {
        Node::Table(entries) => entries,
        Node::Null => return,
        node => {
            lists.push(Vec::new());
            return flaws.mistyped("trust".to_owned(), trust.at, node.describe(), "a table");
        }
    };
    for entry in entries {
        if !TRUST_KEYS.contains(&entry.key.as_str()) {
            let key = source::shown_path(&["trust", &entry.key]);
            flaws.unknown(key, entry.at, &entry.key, schema::TRUST_KEYS.to_vec());
            lists.push(Vec::new());
            continue;
        }
        let Node::List(items) = &entry.value.node else {
            flaws.mistyped("trust.hosts".to_owned(), entry.at, entry.value.node.describe(), "a list of hosts");
            lists.push(Vec::new());
            continue;
        };
        let mut list = Vec::new();
        for (index, item) in items.iter().enumerate() {
            let host = match item.node {
                Node::Scalar(Scalar::Text, handle) => reader.vault.shown(handle, shown::host_pattern),
                _ => None,
            };
            match host {
                Some(host) => list.push(host),
                None => flaws.mistyped(
                    format!("trust.hosts[{index}]"),
                    item.at,
                    "no host",
                    "a host such as `chat.example.com` or `*.example.com`",
                ),
            }
        }
        // A list with a mistake in it stays a list: it permits less, not more.
        lists.push(list);
    }
}
