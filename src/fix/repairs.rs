//! The repairs: which finding has one, in which file, and how it edits the file.

use std::collections::BTreeSet;

use zeroize::Zeroizing;

use super::view::{ALIASED, Change, ESCAPED, Edit, Piece, Refusal, UNPROVEN, View, removal};
use crate::config::{Form, Origin, Profile, Setting};
use crate::finding::Finding;
use crate::lint::Loaded;
use crate::schema::value::BaseUrl;
use crate::schema::{Field, Kind, Role};
use crate::services;
use crate::source::{Node, Scalar, SourceId, Value};
use crate::text::{Span, is_typo};

/// The rule whose fix could be wrong, so its result is checked before it is accepted.
pub(super) const SWAPPED: &str = "swapped-key-pair";

/// A repair of one finding, with the locations of the keys.
pub(super) enum Repair {
    /// Swaps the values of an ID and its key.
    Swap { key: Span, id: Span },
    /// Removes the word `Bearer`, because credlint adds it.
    Bearer { key: Span },
    /// Removes `/api` from the end of an address, because credlint adds it.
    ApiPath { key: Span },
    /// Removes an element that its list already has.
    Remove(Element),
    /// Renames a key that is nearly the name of a field.
    Rename(Rename),
}

/// A repair and its file, or why there is none.
type Found = Result<(SourceId, Repair), Refusal>;

impl Repair {
    /// Returns the repair for a finding. `None` if its rule has no fix.
    pub(super) fn find(finding: &Finding, loaded: &Loaded) -> Option<Found> {
        let profile = loaded.config.profile(finding.profile.as_ref()?)?;
        let label = finding.primary()?;
        let setting = profile.settings.iter().find(|setting| setting.key == label.key);
        let (setting, repair) = match finding.rule {
            SWAPPED => return swap(finding, profile, loaded),
            "unknown-field" => return rename(finding, profile, loaded),
            "malformed-credential" => {
                let token = setting.filter(|token| token.facts().is_some_and(|facts| facts.bearer))?;
                (token, Self::Bearer { key: token.at.span })
            }
            "doubled-api-path" => {
                let address = setting?;
                // At these addresses there is no API, with or without `/api`.
                if matches!(address.address(), Some(Ok(address)) if address.non_api_url().is_some()) {
                    return None;
                }
                (address, Self::ApiPath { key: address.at.span })
            }
            "duplicate-channel" => {
                let place = |setting: &Setting| setting.elements.iter().position(|element| element.key == label.key);
                let (list, index) = profile.settings.iter().find_map(|setting| Some((setting, place(setting)?)))?;
                (list, Self::Remove(Element { key: list.at.span, index }))
            }
            _ => return None,
        };
        Some(home(setting, loaded).map(|source| (source, repair)))
    }

    /// Returns the edit, or why it is not possible. `all` has the repairs of the file.
    pub(super) fn edit(&self, view: &View<'_>, finding: &Finding, all: &[&Self]) -> Result<Edit, Refusal> {
        let label = finding.key();
        match self {
            Self::Swap { key, id } => {
                let [key, id] = [view.leaf(*key)?, view.leaf(*id)?];
                let [one, other] = [key, id].map(|value| Zeroizing::new(view.raw(value.at.span).to_owned()));
                let [secret, public] = [key, id].map(|value| Zeroizing::new(view.decoded(value).to_owned()));
                let half = finding.labels.iter().map(|label| label.key.as_str()).find(|key| *key != label);
                Ok(Edit {
                    pieces: vec![(key.at.span, other), (id.at.span, one)],
                    changes: vec![(key.at.span, Change::Value(public)), (id.at.span, Change::Value(secret))],
                    text: format!("swapped the values of `{label}` and `{}`", half.unwrap_or("the other field")),
                })
            }
            Self::Bearer { key } => {
                let (value, inner, decoded) = view.text(*key)?;
                let raw = view.raw(inner);
                let word = raw.get(..6).filter(|word| word.eq_ignore_ascii_case("bearer")).ok_or(ESCAPED)?.len();
                let cut = word + raw[word..].bytes().take_while(|&byte| byte == b' ').count();
                let rest = decoded.strip_prefix(&raw[..cut]).filter(|_| cut > word).ok_or(ESCAPED)?;
                if rest.is_empty() || !rest.bytes().all(|byte| byte.is_ascii_graphic()) {
                    return Err("`Bearer` is not the only problem with it");
                }
                let range = Span { start: inner.start, end: inner.start + cut };
                Ok(Edit::cut(value, range, rest, format!("removed `Bearer ` from `{label}`")))
            }
            Self::ApiPath { key } => {
                let (value, inner, decoded) = view.text(*key)?;
                let mut kept = decoded;
                while BaseUrl::parse(kept).is_ok_and(|address| address.repeats_api()) {
                    let end = kept.trim_end_matches('/');
                    let end = end.strip_suffix("/files.upload").unwrap_or(end);
                    kept = end.strip_suffix("/api").ok_or(ESCAPED)?;
                }
                let cut = &decoded[kept.len()..];
                let [before, after] =
                    [decoded, kept].map(|value| BaseUrl::parse(value).map(|address| address.origin()));
                if cut.is_empty() || before.is_err() || before != after || !view.raw(inner).ends_with(cut) {
                    return Err(ESCAPED);
                }
                let range = Span { start: inner.end - cut.len(), end: inner.end };
                Ok(Edit::cut(value, range, kept, format!("removed `/api` from `{label}`")))
            }
            Self::Remove(element) => {
                let of_list = |other: &&Self| match other {
                    Self::Remove(other) if other.key == element.key => Some(other.index),
                    _ => None,
                };
                let removed: BTreeSet<usize> = all.iter().filter_map(of_list).collect();
                let (pieces, change) = element.remove(&removed, view)?;
                Ok(Edit { pieces, changes: vec![change], text: format!("removed `{label}` (duplicate)") })
            }
            Self::Rename(rename) => {
                let twin = |other: &&&Self| matches!(other, Self::Rename(other) if rename.is_twin(other, view));
                rename.edit(view, label, all.iter().filter(twin).count() > 1)
            }
        }
    }
}

/// Returns the swap of the two fields that the labels name.
fn swap(finding: &Finding, profile: &Profile, loaded: &Loaded) -> Option<Found> {
    let named = |setting: &&Setting| finding.labels.iter().any(|label| label.key == setting.key);
    let key = profile.settings.iter().filter(named).find(|setting| setting.field.role == Role::Secret)?;
    let id = profile.setting(profile.kind().partner(key.field.name)?)?;
    // A value of unknown form could be an older application key, which must not become the ID.
    let one_sided = id.what().is_some_and(services::Form::is_key) != key.what().is_some_and(services::Form::is_id);
    Some(match (home(key, loaded), home(id, loaded)) {
        (Ok(_), Ok(_)) if one_sided => Err("only one of the two is certainly in the wrong field"),
        (Ok(one), Ok(other)) if one == other => Ok((one, Repair::Swap { key: key.at.span, id: id.at.span })),
        (Ok(_), Ok(_)) => Err("the ID and the key are in different files"),
        (Err(why), _) | (_, Err(why)) => Err(why),
    })
}

fn rename(finding: &Finding, profile: &Profile, loaded: &Loaded) -> Option<Found> {
    let at = finding.primary()?.at;
    let unknown = profile.unknown.iter().find(|unknown| unknown.at == at)?;
    let field = profile.id.kind.field(unknown.meant?)?;
    // Another program's name for a field is not a typo, unless it also looks like one.
    let word = unknown.key.rsplit_once("__").or_else(|| unknown.key.rsplit_once('.'))?.1.to_lowercase();
    if !unknown.called.is_empty() && !is_typo(&word, [field.name]) {
        return None;
    }
    let rename = Rename { key: at.span, to: unknown.suggestion.clone()?, kind: profile.id.kind, field };
    let layer = loaded.config.layers.iter().position(|layer| layer.source == Some(at.source));
    let source = layer.map_or(Err(IN_THE_ENVIRONMENT), |layer| file_of(layer, loaded));
    Some(source.map(|source| (source, Repair::Rename(rename))))
}

const IN_THE_ENVIRONMENT: Refusal = "it is set in the environment";

/// Returns the file that contains a literal value, if that file may be changed.
fn home(setting: &Setting, loaded: &Loaded) -> Result<SourceId, Refusal> {
    match setting.form {
        _ if setting.via.is_some() => Err(ALIASED),
        Form::Literal => file_of(setting.layer, loaded),
        _ => Err("it is a reference, and credlint does not change what it refers to"),
    }
}

/// Returns the file of a layer, if it may be changed.
fn file_of(layer: usize, loaded: &Loaded) -> Result<SourceId, Refusal> {
    let layer = loaded.config.layers.get(layer).ok_or("its location is unknown")?;
    match (layer.origin, layer.source) {
        (Origin::Project | Origin::Given | Origin::Dotenv, Some(source)) => Ok(source),
        (Origin::User, _) => Err("it is in your user configuration; pass that file with --config to fix it"),
        _ => Err(IN_THE_ENVIRONMENT),
    }
}

/// An element of the list of a key.
pub(super) struct Element {
    key: Span,
    index: usize,
}

type Removal = Result<(Vec<Piece>, (Span, Change)), Refusal>;

impl Element {
    /// Returns the pieces and the change that remove it. `removed` are all elements of the list that will be removed.
    fn remove(&self, removed: &BTreeSet<usize>, view: &View<'_>) -> Removal {
        let value = &view.slot(self.key)?.entry.value;
        view.own(self.key, value)?;
        match &value.node {
            Node::List(items) => self.in_list(value, items, removed, view),
            _ => self.in_variable(removed, view),
        }
    }

    /// Removes an element from a list in a variable, which is a single string.
    fn in_variable(&self, removed: &BTreeSet<usize>, view: &View<'_>) -> Removal {
        let (value, inner, decoded) = view.text(self.key)?;
        if view.raw(inner) != decoded || !view.is_dotenv {
            return Err(ESCAPED);
        }
        let pieces: Vec<&str> = decoded.split(',').collect();
        if self.index == 0 || self.index >= pieces.len() {
            return Err(UNPROVEN);
        }
        let start = inner.start + pieces[..self.index].iter().map(|piece| piece.len() + 1).sum::<usize>() - 1;
        let end = start + 1 + pieces[self.index].len();
        let kept = pieces.iter().enumerate().filter(|(index, _)| !removed.contains(index)).map(|(_, piece)| *piece);
        let kept = Zeroizing::new(kept.collect::<Vec<_>>().join(","));
        Ok((vec![removal(Span { start, end })], (value.at.span, Change::Value(kept))))
    }

    fn in_list(&self, list: &Value, items: &[Value], removed: &BTreeSet<usize>, view: &View<'_>) -> Removal {
        let item = items.get(self.index).filter(|_| self.index > 0).ok_or(UNPROVEN)?;
        let literal = |item: &Value| matches!(item.node, Node::Scalar(Scalar::Text, _));
        let twin = |other: &Value| literal(other) && view.decoded(other) == view.decoded(item);
        if !literal(item) || !items[..self.index].iter().any(twin) {
            return Err("one of the two is a reference, whose value may change");
        }
        view.own(self.key, item)?;
        let ranges = if view.raw(list.at.span).starts_with('[') {
            self.between_commas(list.at.span.end.saturating_sub(1), items, removed, view)?
        } else {
            let before = view.line_before(item.at.span.start);
            if before.trim() != "-" {
                return Err(ESCAPED);
            }
            let dash = item.at.span.start - before.trim_start().len();
            vec![view.room(Span { start: dash, end: item.at.span.end })]
        };
        Ok((ranges.into_iter().map(removal).collect(), (item.at.span, Change::Gone)))
    }

    /// Returns the ranges of an element and one comma.
    fn between_commas(
        &self,
        bracket: usize,
        items: &[Value],
        removed: &BTreeSet<usize>,
        view: &View<'_>,
    ) -> Result<Vec<Span>, Refusal> {
        let (at, span) = (self.index, items[self.index].at.span);
        let gap = |index: usize| {
            let start = items[index].at.span.end;
            let end = items.get(index + 1).map_or(bracket, |next| next.at.span.start);
            Span { start, end: end.max(start) }
        };
        let kept = (0..items.len()).rev().find(|index| !removed.contains(index)).unwrap_or(0);
        let before = view.comma(gap(at - 1)).ok_or(UNPROVEN)?;
        if at > kept && view.comma(gap(items.len() - 1)).is_none() {
            // It is the last element, so the comma before it is removed.
            let alone = !view.raw(Span { start: before + 1, end: span.start }).contains('#')
                && !view.rest_of_line(span.end).contains('#');
            return Ok(if alone {
                vec![Span { start: before, end: span.end }]
            } else {
                vec![Span { start: before, end: before + 1 }, view.room(span)]
            });
        }
        let after = view.comma(gap(at)).ok_or(UNPROVEN)?;
        Ok(if view.raw(Span { start: span.end, end: after }).trim().is_empty() {
            vec![view.room(Span { start: span.start, end: after + 1 })]
        } else {
            vec![span, Span { start: after, end: after + 1 }]
        })
    }
}

/// A key and its new name.
pub(super) struct Rename {
    key: Span,
    to: String,
    kind: &'static Kind,
    field: &'static Field,
}

impl Rename {
    /// Returns `true` if a key of the same table, such as this one, gets the same name.
    fn is_twin(&self, other: &Self, view: &View<'_>) -> bool {
        self.to == other.to && view.first_beside(self.key) == view.first_beside(other.key)
    }

    /// Returns the edit, or why the key can't have that name, or could mean another field.
    fn edit(&self, view: &View<'_>, label: &str, has_twin: bool) -> Result<Edit, Refusal> {
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
