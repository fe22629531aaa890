//! figment's only home: the merge of the layers. A layer is given to it as tables of numbers, one for each field that
//! the layer sets, so no value, and no copy of one, ever enters it.

use figment::value::{Dict, Map, Num, Value};
use figment::{Error, Figment, Metadata, Profile, Provider};

use super::layers::Tree;
use crate::schema::Kind;

/// A profile of one layer: its kind, its folded name, and the number of the leaf for each field.
type Table = (Kind, String, Vec<(&'static str, usize)>);

/// What one layer sets.
#[derive(Default)]
pub(super) struct Tables(Vec<Table>);

impl Tables {
    pub(super) fn profile(&mut self, kind: Kind, name: String, leaves: Vec<(&'static str, usize)>) {
        self.0.push((kind, name, leaves));
    }

    pub(super) fn leaves(&self) -> impl Iterator<Item = (Kind, &str, &'static str, usize)> {
        self.0
            .iter()
            .flat_map(|(kind, name, leaves)| leaves.iter().map(|&(field, leaf)| (*kind, name.as_str(), field, leaf)))
    }
}

struct Layer<'a>(&'a Tables, &'a Tree);

impl Provider for Layer<'_> {
    fn metadata(&self) -> Metadata {
        Metadata::named(format!("{:?}", self.1.origin))
    }

    fn data(&self) -> Result<Map<Profile, Dict>, Error> {
        let mut kinds = Dict::new();
        for (kind, name, leaves) in &self.0.0 {
            let fields: Dict =
                leaves.iter().map(|&(field, leaf)| (field.to_owned(), Value::from(leaf as u64))).collect();
            let profiles = kinds.entry(kind.name().to_owned()).or_insert_with(|| Value::from(Dict::new()));
            if let Value::Dict(_, profiles) = profiles {
                profiles.insert(name.clone(), Value::from(fields));
            }
        }
        Ok(Profile::Default.collect(kinds))
    }
}

/// For each profile the leaf that wins for each field.
pub(super) fn merge(tables: &[Tables], trees: &[Tree]) -> Vec<(Kind, String, Map<String, usize>)> {
    let layers = tables.iter().zip(trees);
    let figment = layers.fold(Figment::new(), |figment, (tables, tree)| figment.merge(Layer(tables, tree)));
    // Asked once: every question to figment copies the whole tree. It can't fail, since no layer does.
    let merged: Dict = figment.extract().unwrap_or_default();
    let mut profiles = Vec::new();
    for (kind, value) in merged {
        let (Some(kind), Value::Dict(_, names)) = (Kind::find(&kind), value) else { continue };
        for (name, value) in names {
            let Value::Dict(_, fields) = value else { continue };
            let fields = fields.into_iter().filter_map(|(field, value)| Some((field, leaf(&value)?)));
            profiles.push((kind, name, fields.collect()));
        }
    }
    profiles
}

fn leaf(value: &Value) -> Option<usize> {
    match value {
        Value::Num(_, Num::U64(number)) => usize::try_from(*number).ok(),
        _ => None,
    }
}
