//! Merges the layers with figment; no other file uses it. figment gets trees whose leaves are numbers, so it never sees a
//! value, and it alone decides which leaves are used: tables are joined key by key, lists are appended, and of single leaves
//! the one of the highest layer wins. A null is no leaf: what a layer sets to null, a lower one still sets.

use std::collections::BTreeMap;

use figment::Figment;
use figment::providers::Serialized;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

/// Kind → profile (with `-` as `_`) → field → number of the leaf.
pub(super) type Tree = BTreeMap<String, BTreeMap<String, BTreeMap<String, usize>>>;

/// The linter's settings of a layer, as the numbers of leaves.
#[derive(Serialize, Deserialize, Default)]
pub(super) struct LintTree {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) fail_on: Option<usize>,
    pub(super) levels: Vec<usize>,
    pub(super) allow: Vec<usize>,
    pub(super) exclude: Vec<usize>,
    pub(super) names: BTreeMap<String, usize>,
}

/// Returns the leaves that are used. Layers are given low to high.
pub(super) fn merge<T: Serialize + DeserializeOwned + Default>(layers: Vec<T>) -> T {
    let start = Figment::from(Serialized::defaults(T::default()));
    let figment = layers.into_iter().fold(start, |figment, layer| figment.admerge(Serialized::defaults(layer)));
    figment.extract().expect("every leaf is a number, in tables of one shape")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tree(leaves: &[(&str, &str, &str, usize)]) -> Tree {
        let mut tree = Tree::new();
        for &(kind, name, field, leaf) in leaves {
            let profiles = tree.entry(kind.to_owned()).or_default();
            profiles.entry(name.to_owned()).or_default().insert(field.to_owned(), leaf);
        }
        tree
    }

    #[test]
    fn highest_layer_wins_for_each_field() {
        let low =
            tree(&[("messaging", "a", "token", 0), ("messaging", "a", "base_url", 1), ("storage", "b", "bucket", 2)]);
        let high = tree(&[("messaging", "a", "token", 3), ("messaging", "c", "token", 4)]);
        let merged = tree(&[
            ("messaging", "a", "token", 3),
            ("messaging", "a", "base_url", 1),
            ("messaging", "c", "token", 4),
            ("storage", "b", "bucket", 2),
        ]);
        assert_eq!(merge(vec![low, Tree::new(), high]), merged);
        assert_eq!(merge::<Tree>(Vec::new()), Tree::new());
    }

    #[test]
    fn lists_of_all_layers_are_appended() {
        let low = LintTree { fail_on: Some(0), allow: vec![1, 2], levels: vec![3], ..LintTree::default() };
        let high = LintTree { allow: vec![4], ..LintTree::default() };
        let merged = merge(vec![low, high]);
        assert_eq!((merged.fail_on, merged.allow, merged.levels), (Some(0), vec![1, 2, 4], vec![3]));
    }
}
