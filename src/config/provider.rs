//! figment's only home: the merge of the layers. A layer is given to it as a table of numbers, one for each field that
//! the layer sets, so no value, and no copy of one, ever enters it.

use figment::value::{Dict, Map, Num, Value};
use figment::{Error, Figment, Metadata, Profile, Provider};

use super::layers::Tree;

/// What one layer sets: the number of a field of a profile, and that of the leaf that sets it.
pub(super) type Table = Vec<(usize, usize)>;

struct Layer<'a>(&'a Table, &'a Tree);

impl Provider for Layer<'_> {
    fn metadata(&self) -> Metadata {
        Metadata::named(format!("{:?}", self.1.origin))
    }

    fn data(&self) -> Result<Map<Profile, Dict>, Error> {
        let fields = self.0.iter().map(|&(field, leaf)| (field.to_string(), Value::from(leaf as u64)));
        Ok(Profile::Default.collect(fields.collect::<Dict>()))
    }
}

/// The leaves that win.
pub(super) fn merge(tables: &[Table], trees: &[Tree]) -> Vec<usize> {
    let layers = tables.iter().zip(trees).filter(|(table, _)| !table.is_empty());
    let figment = layers.fold(Figment::new(), |figment, (table, tree)| figment.merge(Layer(table, tree)));
    // Asked once: every question to figment copies the whole tree. It can't fail, since no layer does.
    let merged = figment.data().unwrap_or_default();
    merged.into_values().flatten().filter_map(|(_, value)| leaf(&value)).collect()
}

fn leaf(value: &Value) -> Option<usize> {
    match value {
        Value::Num(_, Num::U64(number)) => usize::try_from(*number).ok(),
        _ => None,
    }
}
