//! Names that a dotenv file sets more than once: its readers use the last line.

use std::collections::{BTreeMap, HashMap};

use super::group::{Group, Item};
use crate::config::Shadow;
use crate::secret::Vault;
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
        let has_value = |item: &&&Item| {
            let facts = item.literal_value().map(|value| vault.facts(value));
            facts.is_some_and(|facts| {
                !facts.empty && facts.reading.placeholder.is_none() && facts.reading.unexpanded.is_none()
            })
        };
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

    /// Returns the earlier line with the value that a line without one replaces.
    pub(super) fn shadow(&self, item: &Item) -> Option<Shadow> {
        self.emptied.get(&item.at).map(|&at| Shadow { at, differs: true })
    }

    /// Returns `true` if a later line has the value.
    pub(super) fn is_replaced(&self, item: &Item) -> bool {
        self.replaced.contains_key(&item.at)
    }
}
