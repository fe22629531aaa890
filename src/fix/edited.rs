//! Edits one file: selects compatible repairs, and proves that the new text has the intended meaning.

use std::collections::HashMap;

use zeroize::Zeroizing;

use super::plan::Fixed;
use super::proof::{Edit, Proof};
use super::repairs::Repair;
use super::view::{Refusal, UNPROVEN, View};
use crate::finding::Finding;
use crate::secret::Vault;
use crate::source::{ReadFile, SourceId};
use crate::text::Span;

/// A new text, and what it fixes.
pub(super) struct Edited {
    pub(super) text: Zeroizing<String>,
    pub(super) fixed: Vec<Fixed>,
}

/// Findings that can't be fixed, with reasons.
type Refusals<'f> = Vec<(&'f Finding, Refusal)>;

impl Edited {
    /// Applies all repairs that are possible together. `None` if the file no longer parses as it did.
    pub(super) fn new<'f>(
        text: &str,
        file: &ReadFile,
        source: SourceId,
        repairs: &[(&'f Finding, Repair)],
    ) -> Option<(Self, Refusals<'f>)> {
        let mut vault = Vault::default();
        let root = file.parse(text, source, &mut vault)?;
        let view = View::new(text, &root, &vault, file.is_dotenv());
        let all: Vec<&Repair> = repairs.iter().map(|(_, repair)| repair).collect();
        let (mut edits, mut refused, mut taken) = (Vec::new(), Vec::new(), Vec::<Span>::new());
        for &(finding, ref repair) in repairs {
            match repair.edit(&view, finding, &all) {
                Ok(edit) => edits.push((finding, edit)),
                Err(why) => refused.push((finding, why)),
            }
        }
        // Edits that overlap wait for the next round.
        edits.retain(|(_, Edit { pieces, .. })| {
            let apart = |span: &Span| taken.iter().all(|other| other.end <= span.start || span.end <= other.start);
            let free = pieces.iter().all(|(span, _)| apart(span));
            taken.extend(pieces.iter().filter(|_| free).map(|(span, _)| *span));
            free
        });
        // Returns the new text if it has the intended meaning.
        let proven = |granted: &[(&Finding, Edit)]| {
            let edits = || granted.iter().map(|(_, edit)| edit);
            let new = replace(text, edits().flat_map(|edit| &edit.pieces).map(|(span, with)| (*span, with.as_str())))?;
            let mut vault_of_new = Vault::default();
            let parsed = file.parse(&new, source, &mut vault_of_new)?;
            let changes: HashMap<_, _> =
                edits().flat_map(|edit| &edit.changes).map(|(at, change)| (*at, change)).collect();
            Proof { old: &vault, new: &vault_of_new, changes }.same(&root, &parsed).then_some(new)
        };
        let text = proven(&edits).unwrap_or_else(|| {
            // Some repair fails the proof: try each one on top of those that passed.
            let mut best = Zeroizing::new(text.to_owned());
            for edit in std::mem::take(&mut edits) {
                edits.push(edit);
                match proven(&edits) {
                    Some(better) => best = better,
                    None => refused.extend(edits.pop().map(|(finding, _)| (finding, UNPROVEN))),
                }
            }
            best
        });
        let fixed = |(finding, edit): (&Finding, Edit)| Fixed {
            rule: finding.rule,
            key: finding.key().to_owned(),
            text: edit.text,
        };
        Some((Self { text, fixed: edits.into_iter().map(fixed).collect() }, refused))
    }
}

fn replace<'p>(old: &str, pieces: impl Iterator<Item = (Span, &'p str)>) -> Option<Zeroizing<String>> {
    let mut pieces: Vec<_> = pieces.collect();
    pieces.sort_by_key(|(span, _)| *span);
    let room = old.len() + pieces.iter().map(|(_, with)| with.len()).sum::<usize>();
    // Allocate once: a growing string would leave copies of secrets in memory.
    let mut text = Zeroizing::new(String::with_capacity(room));
    let mut at = 0;
    for (span, with) in pieces {
        text.push_str(old.get(at..span.start)?);
        text.push_str(with);
        at = span.end;
    }
    text.push_str(old.get(at..)?);
    Some(text)
}
