//! One look at the findings: what each file becomes, and what stays as it is.

use std::collections::{BTreeMap, HashSet};
use std::path::Path;

use zeroize::Zeroizing;

use super::editor::{Editor, Wish};
use super::{Fixed, Refused, ReplaceError, repair, swap, text_of};
use crate::file;
use crate::finding::Finding;
use crate::lint::{Loaded, Report};
use crate::source::{Replaced, SourceId};

/// What one look at the findings gives.
#[derive(Default)]
pub(super) struct Round {
    /// The new text of each file.
    pub(super) texts: Vec<(SourceId, Zeroizing<String>)>,
    pub(super) fixed: Vec<(SourceId, Vec<Fixed>)>,
    pub(super) refused: Vec<Refused>,
    pub(super) blocked: Vec<(String, String)>,
}

impl Round {
    /// Looks for what can be fixed. `vain` are the keys of pairs that would not fit the other way round either.
    pub(super) fn look(loaded: &Loaded, report: &Report, replaced: &Replaced, vain: &HashSet<String>) -> Self {
        let mut round = Self::default();
        let mut wishes: BTreeMap<SourceId, Vec<Wish<'_>>> = BTreeMap::new();
        for finding in &report.findings {
            if finding.rule == swap::RULE && finding.primary().is_some_and(|label| vain.contains(&label.key)) {
                round.refuse(finding, report, "the two would not fit in each other's place either");
                continue;
            }
            match repair::of(finding, loaded) {
                None => {}
                Some(Ok((source, repair))) => wishes.entry(source).or_default().push(Wish { finding, repair }),
                Some(Err(why)) => round.refuse(finding, report, why),
            }
        }
        // One file may be named twice: it is written once, as what it is in the highest place.
        let mut paths: Vec<&Path> = Vec::new();
        for (id, wishes) in wishes.into_iter().rev() {
            let source = report.sources.get(id);
            let Some(file) = source.read.as_ref().filter(|file| !paths.contains(&file.path.as_path())) else {
                continue;
            };
            paths.push(&file.path);
            let text = file::check_replaceable(&file.path).and_then(|_| text_of(file, replaced));
            let editor = text
                .as_ref()
                .map_err(ToString::to_string)
                .and_then(|text| Editor::new(text, file, id).ok_or_else(|| ReplaceError::Changed.to_string()));
            match editor {
                Ok(editor) => {
                    let edited = editor.grant(wishes);
                    for (finding, why) in edited.refused {
                        round.refuse(finding, report, why);
                    }
                    if !edited.fixed.is_empty() {
                        round.texts.push((id, edited.text));
                        round.fixed.push((id, edited.fixed));
                    }
                }
                Err(why) => round.blocked.push((source.name.clone(), why)),
            }
        }
        round
    }

    fn refuse(&mut self, finding: &Finding, report: &Report, why: impl Into<String>) {
        let Some(label) = finding.primary() else { return };
        let source = report.sources.get(label.at.source);
        let place = match &source.read {
            Some(_) => format!("{}:{}", source.name, source.lines.position(label.at.span.start).line),
            None => format!("environment variable {}", source.name),
        };
        let (rule, key, why) = (finding.rule, label.key.clone(), why.into());
        self.refused.push(Refused { rule, key, file: source.name.clone(), source: place, why });
    }
}
