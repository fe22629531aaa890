//! Removes an element of a list: with its comma or its dash, and its lines if nothing else is on them.

use std::collections::BTreeSet;

use zeroize::Zeroizing;

use super::proof::{Change, Piece, removal};
use super::view::{ESCAPED, Refusal, UNPROVEN, View};
use crate::source::{Node, Scalar, Value};
use crate::text::Span;

/// An element of the list of a key.
pub(super) struct Element {
    pub(super) key: Span,
    pub(super) index: usize,
}

type Removal = Result<(Vec<Piece>, (Span, Change)), Refusal>;

impl Element {
    /// Returns the pieces and the change that remove it. `removed` are all elements of the list that will be removed.
    pub(super) fn remove(&self, removed: &BTreeSet<usize>, view: &View<'_>) -> Removal {
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
