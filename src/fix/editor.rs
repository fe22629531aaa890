//! Edits one file: selects compatible repairs, and proves that the new text has the intended meaning.

use std::collections::{BTreeMap, HashMap};

use zeroize::Zeroizing;

use super::plan::Fixed;
use super::proof::Proof;
use super::repair::{self, Edit, Repair};
use super::view::{Shared, UNPROVEN, View};
use crate::finding::Finding;
use crate::secret::Vault;
use crate::source::{ReadFile, SourceId, Value};

/// A finding with its repair.
pub(super) struct PlannedRepair<'f> {
    pub(super) finding: &'f Finding,
    pub(super) repair: Box<dyn Repair>,
}

/// The result of the repairs.
pub(super) struct Edited<'f> {
    pub(super) text: Zeroizing<String>,
    pub(super) fixed: Vec<Fixed>,
    pub(super) refused: Vec<(&'f Finding, &'static str)>,
}

/// A file in memory.
pub(super) struct Editor<'a> {
    text: &'a str,
    file: &'a ReadFile,
    source: SourceId,
    vault: Vault,
    root: Value,
}

type Edits<'f> = Vec<(&'f Finding, Edit)>;

impl<'a> Editor<'a> {
    /// Creates an editor. `None` if the file no longer parses as it did.
    pub(super) fn new(text: &'a str, file: &'a ReadFile, source: SourceId) -> Option<Self> {
        let mut vault = Vault::default();
        let root = file.parse(text, source, &mut vault)?;
        Some(Self { text, file, source, vault, root })
    }

    /// Applies all repairs that are possible together.
    pub(super) fn apply<'f>(&self, repairs: Vec<PlannedRepair<'f>>) -> Edited<'f> {
        let view = View::new(self.text, &self.root, &self.vault, self.file.is_dotenv());
        let mut shared = Shared::default();
        for wish in &repairs {
            wish.repair.announce(&view, &mut shared);
        }
        let (mut edits, mut refused) = (Edits::new(), Vec::new());
        for PlannedRepair { finding, repair } in repairs {
            match repair.edit(&view, &shared, finding) {
                Ok(edit) => edits.push((finding, edit)),
                Err(why) => refused.push((finding, why)),
            }
        }
        let mut granted = apart(edits);
        let text = self.proven(granted.iter().map(|(_, edit)| edit)).unwrap_or_else(|| {
            // Some repair fails the proof: try each one on top of those that passed.
            let mut text = Zeroizing::new(self.text.to_owned());
            for (finding, edit) in std::mem::take(&mut granted) {
                match self.proven(granted.iter().map(|(_, edit)| edit).chain([&edit])) {
                    Some(better) => {
                        text = better;
                        granted.push((finding, edit));
                    }
                    None => refused.push((finding, UNPROVEN)),
                }
            }
            text
        });
        let fixed = granted.into_iter().map(|(finding, edit)| Fixed {
            rule: finding.rule,
            key: repair::key(finding).to_owned(),
            text: edit.text,
        });
        Edited { text, fixed: fixed.collect(), refused }
    }

    /// Returns the new text if it has the intended meaning.
    fn proven<'e>(&self, granted: impl Iterator<Item = &'e Edit>) -> Option<Zeroizing<String>> {
        let (mut pieces, mut changes) = (Vec::new(), HashMap::new());
        for edit in granted {
            pieces.extend(edit.pieces.iter().map(|(span, with)| (*span, with.as_str())));
            changes.extend(edit.changes.iter().map(|(span, change)| (*span, change)));
        }
        pieces.sort_by_key(|(span, _)| *span);
        let room = self.text.len() + pieces.iter().map(|(_, with)| with.len()).sum::<usize>();
        // Allocate once: a growing string would leave copies of secrets in memory.
        let mut text = Zeroizing::new(String::with_capacity(room));
        let mut at = 0;
        for (span, with) in pieces {
            text.push_str(self.text.get(at..span.start)?);
            text.push_str(with);
            at = span.end;
        }
        text.push_str(self.text.get(at..)?);
        let mut vault = Vault::default();
        let root = self.file.parse(&text, self.source, &mut vault)?;
        let proof = Proof { old: &self.vault, new: &vault, changes };
        proof.same(&self.root, &root).then_some(text)
    }
}

/// Returns the edits that don't overlap. The others wait for the next round.
fn apart(edits: Edits<'_>) -> Edits<'_> {
    let mut taken: BTreeMap<usize, usize> = BTreeMap::new();
    let free = |(_, edit): &(&Finding, Edit)| {
        let free = edit.pieces.iter().all(|&(span, _)| {
            let before = taken.range(..span.end).next_back();
            before.is_none_or(|(_, &end)| end <= span.start)
        });
        if free {
            taken.extend(edit.pieces.iter().map(|(span, _)| (span.start, span.end)));
        }
        free
    };
    edits.into_iter().filter(free).collect()
}
