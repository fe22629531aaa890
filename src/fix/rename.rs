//! Renames a key, if it can only mean one field.

use zeroize::Zeroizing;

use super::proof::{Change, Edit};
use super::view::{ESCAPED, Refusal, View};
use crate::schema::{Field, Kind};
use crate::source::{Node, Scalar};
use crate::text::{Span, is_typo};

/// A key and its new name.
pub(super) struct Rename {
    pub(super) key: Span,
    pub(super) to: String,
    pub(super) kind: &'static Kind,
    pub(super) field: &'static Field,
}

impl Rename {
    /// Returns `true` if a key of the same table, such as this one, gets the same name.
    pub(super) fn is_twin(&self, other: &Self, view: &View<'_>) -> bool {
        self.to == other.to && view.first_beside(self.key) == view.first_beside(other.key)
    }

    /// Returns the edit, or why the key can't have that name, or could mean another field.
    pub(super) fn edit(&self, view: &View<'_>, label: &str, has_twin: bool) -> Result<Edit, Refusal> {
        let (slot, dotenv) = (view.slot(self.key)?, view.is_dotenv);
        let key = slot.entry.key.as_str();
        let (prefix, word) = match key.rsplit_once("__").filter(|_| dotenv) {
            Some((prefix, word)) => (Some(prefix), word.to_lowercase()),
            None => (None, key.to_owned()),
        };
        // The kind and the profile must match, or the variable would move to another profile.
        if slot.depth != if dotenv { 0 } else { 2 } || prefix != self.to.rsplit_once("__").map(|(prefix, _)| prefix) {
            return Err("it is not a field of a profile");
        }
        let near: Vec<&str> = self.kind.field_names().filter(|name| is_typo(&word, [*name])).collect();
        if near != [self.field.name] {
            return Err("more than one field, or none, has a similar name");
        }
        let file = format!("{}_FILE", self.to);
        if slot.table.iter().any(|entry| entry.key == self.to || (dotenv && entry.key == file)) {
            return Err("the correct field is already set");
        }
        if has_twin {
            return Err("two keys would get the same name");
        }
        let fits = match slot.entry.value.node {
            Node::Table(_) => true,
            Node::List(_) => self.field.ty.is_list(),
            Node::Scalar(Scalar::Text, _) => dotenv || !self.field.ty.is_list(),
            _ => false,
        };
        if !fits {
            return Err("its value has another type");
        }
        let inner = view.inner(self.key);
        if view.raw(inner) != key {
            return Err(ESCAPED);
        }
        Ok(Edit {
            pieces: vec![(inner, Zeroizing::new(self.to.clone()))],
            changes: vec![(self.key, Change::Key(self.to.clone()))],
            text: format!("renamed `{label}` to `{}`", self.to),
        })
    }
}
