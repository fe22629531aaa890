//! Fix for `unknown-field`: renames a key that is nearly the name of a field.

use zeroize::Zeroizing;

use super::proof::Change;
use super::repair::{self, Edit, Repair, RepairFor};
use super::view::{ESCAPED, Refusal, Shared, Slot, View};
use crate::config::Profile;
use crate::finding::Finding;
use crate::lint::Loaded;
use crate::schema::{Field, Kind};
use crate::source::{Entry, Node, Scalar};
use crate::text::{Span, is_typo};

struct Rename {
    key: Span,
    to: String,
    kind: &'static Kind,
    field: &'static Field,
}

pub(super) fn repair_for(finding: &Finding, profile: &Profile, loaded: &Loaded) -> Option<RepairFor> {
    let label = finding.primary()?;
    let unknown = profile.unknown.iter().find(|unknown| unknown.at == label.at)?;
    let field = profile.id.kind.field(unknown.meant?)?;
    // Another program's name for a field is not a typo, unless it also looks like one.
    let word = unknown.key.rsplit_once("__").or_else(|| unknown.key.rsplit_once('.'))?.1.to_lowercase();
    if !unknown.called.is_empty() && !is_typo(&word, [field.name]) {
        return None;
    }
    let to = unknown.suggestion.clone()?;
    let layer = loaded.config.layers.iter().position(|layer| layer.source == Some(unknown.at.source));
    let source = match layer {
        Some(layer) => repair::layer_file(layer, loaded),
        None => Err("it is set in the environment"),
    };
    let rename = Rename { key: label.at.span, to, kind: profile.id.kind, field };
    Some(source.map(|source| (source, Box::new(rename) as _)))
}

impl Repair for Rename {
    fn announce(&self, view: &View<'_>, shared: &mut Shared) {
        if let Some(first) = view.first_beside(self.key) {
            *shared.names.entry((first, self.to.clone())).or_insert(0) += 1;
        }
    }

    fn edit(&self, view: &View<'_>, shared: &Shared, finding: &Finding) -> Result<Edit, Refusal> {
        let slot = view.slot(self.key)?;
        self.check(slot, view)?;
        let twins = view.first_beside(self.key).and_then(|first| shared.names.get(&(first, self.to.clone())));
        if twins.is_some_and(|&count| count > 1) {
            return Err("two keys would get the same name");
        }
        if !self.fits(slot, view) {
            return Err("its value has another type");
        }
        let inner = view.inner(self.key);
        if view.raw(inner) != slot.entry.key {
            return Err(ESCAPED);
        }
        Ok(Edit {
            pieces: vec![(inner, Zeroizing::new(self.to.clone()))],
            changes: vec![(self.key, Change::Key(self.to.clone()))],
            text: format!("renamed `{}` to `{}`", repair::key(finding), self.to),
        })
    }
}

impl Rename {
    /// Returns an error if the key can't have that name, or could mean another field.
    fn check(&self, slot: &Slot<'_>, view: &View<'_>) -> Result<(), Refusal> {
        let dotenv = view.is_dotenv;
        let (prefix, word) = match slot.entry.key.rsplit_once("__").filter(|_| dotenv) {
            Some((prefix, word)) => (Some(prefix), word.to_lowercase()),
            None => (None, slot.entry.key.clone()),
        };
        // The kind and the profile must match, or the variable would move to another profile.
        if slot.depth != if dotenv { 0 } else { 2 } || prefix != self.to.rsplit_once("__").map(|(prefix, _)| prefix) {
            return Err("it is not a field of a profile");
        }
        let near: Vec<&str> = self.kind.field_names().filter(|name| is_typo(&word, [*name])).collect();
        if near != [self.field.name] {
            return Err("more than one field, or none, has a similar name");
        }
        let is = |entry: &Entry, name: &str| entry.key == name;
        let file = format!("{}_FILE", self.to);
        if slot.table.iter().any(|entry| is(entry, &self.to) || (dotenv && is(entry, &file))) {
            return Err("the correct field is already set");
        }
        Ok(())
    }

    fn fits(&self, slot: &Slot<'_>, view: &View<'_>) -> bool {
        match (&slot.entry.value.node, self.field.ty) {
            (Node::Table(_), _) => true,
            (Node::List(_), ty) => ty.is_list(),
            (Node::Scalar(Scalar::Text, _), ty) => view.is_dotenv || !ty.is_list(),
            _ => false,
        }
    }
}
