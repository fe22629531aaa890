//! Names that are set more than once: readers of a dotenv file use the last line, and a service of Docker Compose its own
//! variables before those of its files.

use std::collections::{BTreeMap, HashMap};

use super::group::{Group, Item};
use super::oddity::Variables;
use crate::config::Shadow;
use crate::secret::{Handle, Vault};
use crate::source::Spot;

/// What lines with the same name do to each other, by the places of their names.
#[derive(Default)]
pub(super) struct Repeated {
    /// The last line has no value, and an earlier one has one.
    emptied: BTreeMap<Spot, Spot>,
    /// A later line has the value.
    replaced: BTreeMap<Spot, Spot>,
}

impl Repeated {
    /// Compares the lines of a file.
    pub(super) fn among(groups: &[Group], vault: &Vault) -> Self {
        let mut found = Self::default();
        let has_value = |item: &&&Item| item.literal_value().is_some_and(|value| vault.facts(value).is_real());
        for group in groups.iter().filter(|group| group.embedded_in.is_none()) {
            let mut by_name: HashMap<&str, Vec<&Item>> = HashMap::new();
            group.items.iter().for_each(|item| by_name.entry(&item.name).or_default().push(item));
            for lines in by_name.values().filter(|lines| lines.len() > 1) {
                let Some((last, earlier)) = lines.split_last() else { continue };
                if has_value(&last) {
                    found.replaced.extend(earlier.iter().map(|item| (item.at, last.at)));
                } else if let Some(used) = earlier.iter().rfind(has_value) {
                    found.emptied.insert(last.at, used.at);
                }
            }
        }
        found
    }

    /// Compares the variables of a service with those of its files, which they replace.
    pub(super) fn compare_with_files(&mut self, group: &Group, (at, files): (Spot, &Variables), vault: &Vault) {
        let is_real = |value: Handle| vault.facts(value).is_real();
        let stands_in = |value: Handle| {
            let facts = vault.facts(value);
            facts.empty || facts.reading.placeholder.is_some()
        };
        let without = group.items.iter().filter(|item| item.literal_value().is_some_and(stands_in));
        let emptied = without.filter(|item| files.get(&item.name).is_some_and(|value| is_real(*value)));
        self.emptied.extend(emptied.map(|item| (item.at, at)));
    }

    /// Returns the earlier line with the value that a line without one replaces.
    pub(super) fn shadow(&self, item: &Item) -> Option<Shadow> {
        self.emptied.get(&item.at).map(|&at| Shadow { at, differs: true })
    }

    /// Returns `true` if a later line has the value.
    pub(super) fn is_replaced(&self, item: &Item) -> bool {
        self.replaced.contains_key(&item.at)
    }
}
