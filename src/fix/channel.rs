//! Fix for `duplicate-channel`: removes an element that the list already has.

use std::collections::BTreeSet;

use zeroize::Zeroizing;

use super::proof::Change;
use super::repair::{self, Edit, Repair, RepairFor, removal};
use super::view::{ESCAPED, Refusal, Shared, UNPROVEN, View};
use crate::config::{Profile, Setting};
use crate::finding::Finding;
use crate::lint::Loaded;
use crate::source::{Node, Scalar, Value};
use crate::text::Span;

struct Remove {
    key: Span,
    index: usize,
}

type Pieces = Vec<(Span, Zeroizing<String>)>;

pub(super) fn repair_for(finding: &Finding, profile: &Profile, loaded: &Loaded) -> Option<RepairFor> {
    let label = finding.primary()?;
    let place = |setting: &Setting| setting.elements.iter().position(|element| element.key == label.key);
    let (setting, index) = profile.settings.iter().find_map(|setting| Some((setting, place(setting)?)))?;
    Some(repair::home(setting, loaded).map(|source| (source, Box::new(Remove { key: setting.at.span, index }) as _)))
}

impl Repair for Remove {
    fn announce(&self, _: &View<'_>, shared: &mut Shared) {
        shared.removed.entry(self.key).or_default().insert(self.index);
    }

    fn edit(&self, view: &View<'_>, shared: &Shared, finding: &Finding) -> Result<Edit, Refusal> {
        let removed = shared.removed.get(&self.key).ok_or(UNPROVEN)?;
        let value = &view.slot(self.key)?.entry.value;
        view.own(self.key, value)?;
        let (pieces, change) = match &value.node {
            Node::List(items) => self.in_list(value, items, removed, view)?,
            _ => self.in_variable(removed, view)?,
        };
        let text = format!("removed `{}` (duplicate)", repair::key(finding));
        Ok(Edit { pieces, changes: vec![change], text })
    }
}

impl Remove {
    /// Removes an element from a list in a variable, which is a single string.
    fn in_variable(&self, removed: &BTreeSet<usize>, view: &View<'_>) -> Result<(Pieces, (Span, Change)), Refusal> {
        let value = view.leaf(self.key)?;
        let (inner, decoded) = (view.inner(value.at.span), view.decoded(value));
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

    fn in_list(
        &self,
        list: &Value,
        items: &[Value],
        removed: &BTreeSet<usize>,
        view: &View<'_>,
    ) -> Result<(Pieces, (Span, Change)), Refusal> {
        let item = items.get(self.index).filter(|_| self.index > 0).ok_or(UNPROVEN)?;
        let literal = |item: &Value| matches!(item.node, Node::Scalar(Scalar::Text, _));
        let twin = |other: &Value| literal(other) && view.decoded(other) == view.decoded(item);
        if !literal(item) || !items[..self.index].iter().any(twin) {
            return Err("one of the two is a reference, whose value may change");
        }
        view.own(self.key, item)?;
        let pieces = if view.raw(list.at.span).starts_with('[') {
            self.between_commas(list.at.span.end.saturating_sub(1), items, removed, view)?
        } else {
            behind_dash(item.at.span, view)?
        };
        Ok((pieces, (item.at.span, Change::Gone)))
    }

    /// Returns the edit that removes an element with one comma, and its lines if nothing else is on them.
    fn between_commas(
        &self,
        bracket: usize,
        items: &[Value],
        removed: &BTreeSet<usize>,
        view: &View<'_>,
    ) -> Result<Pieces, Refusal> {
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
            if alone {
                return Ok(vec![removal(Span { start: before, end: span.end })]);
            }
            return Ok(vec![removal(Span { start: before, end: before + 1 }), removal(view.room(span))]);
        }
        let after = view.comma(gap(at)).ok_or(UNPROVEN)?;
        if view.raw(Span { start: span.end, end: after }).trim().is_empty() {
            return Ok(vec![removal(view.room(Span { start: span.start, end: after + 1 }))]);
        }
        Ok(vec![removal(span), removal(Span { start: after, end: after + 1 })])
    }
}

/// Returns the edit that removes an element of a YAML list with one element per line.
fn behind_dash(span: Span, view: &View<'_>) -> Result<Pieces, Refusal> {
    let before = view.line_before(span.start);
    if before.trim() != "-" {
        return Err(ESCAPED);
    }
    let dash = span.start - before.trim_start().len();
    Ok(vec![removal(view.room(Span { start: dash, end: span.end }))])
}
