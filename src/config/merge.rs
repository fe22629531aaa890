//! Merges the layers with figment; no other file uses it. figment gets a tree of kinds, profiles and fields whose
//! leaves are numbers, so it never sees a value. It alone decides which leaf wins.

use std::collections::BTreeMap;

use figment::value::{Dict, Map, Value};
use figment::{Error, Figment, Metadata, Profile, Provider};

/// Kind → profile (with `-` as `_`) → field → number of the leaf.
pub(super) type Tree = BTreeMap<String, BTreeMap<String, BTreeMap<String, usize>>>;

struct LeafLayer(Tree);

impl Provider for LeafLayer {
    fn metadata(&self) -> Metadata {
        Metadata::named("layer")
    }

    fn data(&self) -> Result<Map<Profile, Dict>, Error> {
        Ok(Profile::Default.collect(dict(&self.0, |profiles| {
            Value::from(dict(profiles, |fields| Value::from(dict(fields, |&leaf| Value::from(leaf)))))
        })))
    }
}

fn dict<T>(tree: &BTreeMap<String, T>, value: impl Fn(&T) -> Value) -> Dict {
    tree.iter().map(|(key, below)| (key.clone(), value(below))).collect()
}

/// Returns the winning leaves. Layers are given low to high.
pub(super) fn merge(layers: Vec<Tree>) -> Tree {
    let figment = layers.into_iter().fold(Figment::new(), |figment, layer| figment.merge(LeafLayer(layer)));
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
        assert_eq!(merge(Vec::new()), Tree::new());
    }
}
