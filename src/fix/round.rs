//! One round of fixes: the new text of each file, and the findings that can't be fixed.

use std::collections::{BTreeMap, HashSet};
use std::path::Path;

use zeroize::Zeroizing;

use super::editor::{Editor, PlannedRepair};
use super::plan::{Fixed, Refused};
use super::repair::RepairFor;
use super::{api_path, bearer, channel, field, swap};
use crate::file::{self, ReplaceError};
use crate::finding::Finding;
use crate::lint::{Loaded, Report};
use crate::source::{MAX_FILE, ReadFile, Replaced, SourceId, Stamp};

/// The result of one round.
#[derive(Default)]
pub(super) struct Round {
    /// The new text of each file.
    pub(super) texts: Vec<(SourceId, Zeroizing<String>)>,
    pub(super) fixed: Vec<(SourceId, Vec<Fixed>)>,
    pub(super) refused: Vec<Refused>,
    pub(super) blocked: Vec<(String, String)>,
}

impl Round {
    /// Plans all possible fixes. `ineffective` has the keys of pairs that don't fit after a swap either.
    pub(super) fn look(loaded: &Loaded, report: &Report, replaced: &Replaced, ineffective: &HashSet<String>) -> Self {
        let mut round = Self::default();
        let mut repairs: BTreeMap<SourceId, Vec<PlannedRepair<'_>>> = BTreeMap::new();
        for finding in &report.findings {
            if finding.rule == swap::RULE && finding.primary().is_some_and(|label| ineffective.contains(&label.key)) {
                round.refuse(finding, report, "swapping the two would not make a matching pair");
                continue;
            }
            match repair_for(finding, loaded) {
                None => {}
                Some(Ok((source, repair))) => {
                    repairs.entry(source).or_default().push(PlannedRepair { finding, repair });
                }
                Some(Err(why)) => round.refuse(finding, report, why),
            }
        }
        // A file may be loaded twice: fix it once, as its highest layer.
        let mut paths: Vec<&Path> = Vec::new();
        for (id, repairs) in repairs.into_iter().rev() {
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
                    let edited = editor.apply(repairs);
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

/// Returns the repair for a finding. `None` if its rule has no fix.
fn repair_for(finding: &Finding, loaded: &Loaded) -> Option<RepairFor> {
    let id = finding.profile.as_ref()?;
    let profile = loaded.config.profile(id)?;
    match finding.rule {
        swap::RULE => swap::repair_for(finding, profile, loaded),
        "malformed-credential" => bearer::repair_for(finding, profile, loaded),
        "doubled-api-path" => api_path::repair_for(finding, profile, loaded),
        "duplicate-channel" => channel::repair_for(finding, profile, loaded),
        "unknown-field" => field::repair_for(finding, profile, loaded),
        _ => None,
    }
}

/// Returns the text of a file as it was checked.
pub(super) fn text_of(file: &ReadFile, replaced: &Replaced) -> Result<Zeroizing<String>, ReplaceError> {
    if let Some(text) = replaced.get(&file.path) {
        return Ok(text);
    }
    let (text, _) = file::read_text(&file.path, MAX_FILE).map_err(ReplaceError::Read)?;
    if Stamp::new(&text) == file.stamp { Ok(text) } else { Err(ReplaceError::Changed) }
}
