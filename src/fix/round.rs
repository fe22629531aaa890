//! One round of fixes: the new text of each file, and the findings that can't be fixed.

use std::collections::{BTreeMap, HashSet};
use std::path::Path;

use zeroize::Zeroizing;

use super::edited::Edited;
use super::plan::Refused;
use super::repairs::{Repair, SWAPPED};
use crate::file::{self, ReplaceError};
use crate::finding::Finding;
use crate::lint::{Loaded, Report};
use crate::source::{MAX_FILE, ReadFile, Replaced, SourceId, Stamp};

/// The result of one round.
#[derive(Default)]
pub(super) struct Round {
    /// The files with a new text.
    pub(super) edited: Vec<(SourceId, Edited)>,
    pub(super) refused: Vec<Refused>,
    pub(super) blocked: Vec<(String, String)>,
}

impl Round {
    /// Plans all possible fixes. `ineffective` has the keys of pairs that don't fit after a swap either.
    pub(super) fn look(loaded: &Loaded, report: &Report, replaced: &Replaced, ineffective: &HashSet<String>) -> Self {
        let mut round = Self::default();
        let mut repairs: BTreeMap<SourceId, Vec<(&Finding, Repair)>> = BTreeMap::new();
        for finding in &report.findings {
            let found = if finding.rule == SWAPPED && ineffective.contains(finding.key()) {
                Some(Err("swapping the two would not make a matching pair"))
            } else {
                Repair::find(finding, loaded)
            };
            match found {
                None => {}
                Some(Ok((source, repair))) => repairs.entry(source).or_default().push((finding, repair)),
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
            let edited = file::check_replaceable(&file.path)
                .and_then(|_| Edited::new(&text_of(file, replaced)?, file, id, &repairs).ok_or(ReplaceError::Changed));
            match edited {
                Ok((edited, refused)) => {
                    for (finding, why) in refused {
                        round.refuse(finding, report, why);
                    }
                    if !edited.fixed.is_empty() {
                        round.edited.push((id, edited));
                    }
                }
                Err(error) => round.blocked.push((source.name.clone(), error.to_string())),
            }
        }
        round
    }

    fn refuse(&mut self, finding: &Finding, report: &Report, why: &str) {
        let Some(label) = finding.primary() else { return };
        let source = report.sources.get(label.at.source);
        let place = match &source.read {
            Some(_) => format!("{}:{}", source.name, source.lines.position(label.at.span.start).line),
            None => format!("environment variable {}", source.name),
        };
        let (rule, key, why) = (finding.rule, label.key.clone(), why.to_owned());
        self.refused.push(Refused { rule, key, file: source.name.clone(), source: place, why });
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
