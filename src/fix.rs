//! Fixes findings that have a single correct result. Nothing else in the file changes.
//!
//! A file is read again, and must still have the text that was checked. The new text is parsed before it is written,
//! and must have the same meaning except for the intended change. Rounds run in memory until nothing is left to fix, so
//! each file is written once.

mod diff;
mod repairs;
#[cfg(test)]
mod tests;
mod view;

use std::collections::{BTreeMap, HashMap, HashSet};
use std::path::Path;

use zeroize::Zeroizing;

use crate::config::{ConfigError, LoadOptions};
use crate::file;
pub use crate::file::ReplaceError;
use crate::finding::{Finding, Severity};
use crate::lint::{self, CheckOptions, Loaded, Report};
use crate::schema::ProfileId;
use crate::secret::Vault;
use crate::source::{MAX_FILE, ReadFile, Replaced, SourceId, Stamp};
use crate::text::Span;
pub use diff::{DiffLine, Sign};
use repairs::{Repair, SWAPPED};
use view::{Edit, Proof, Refusal, UNPROVEN, View};

/// What can be fixed, and what can't.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Plan {
    /// The files that would change.
    pub files: Vec<FilePlan>,
    /// Findings that can't be fixed although their rule has a fix.
    pub refused: Vec<Refused>,
    /// Files that can't be changed, with reasons.
    pub blocked: Vec<(String, String)>,
}

/// The changes to one file.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct FilePlan {
    /// The file's name for display.
    pub name: String,
    /// The fixes, in the order in which they are applied.
    pub fixed: Vec<Fixed>,
    /// The masked diff.
    pub diff: Vec<DiffLine>,
    file: ReadFile,
    /// Holds the new text.
    replaced: Replaced,
}

/// A finding that is fixed.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Fixed {
    /// The rule that reported it.
    pub rule: &'static str,
    /// The path of its key.
    pub key: String,
    /// The description of the fix.
    pub text: String,
}

/// A finding that is not fixed.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Refused {
    /// The rule that reported it.
    pub rule: &'static str,
    /// The path of its key.
    pub key: String,
    /// The name of the source.
    pub file: String,
    /// The name of the source, with the line.
    pub source: String,
    /// The reason.
    pub why: String,
}

impl FilePlan {
    /// Atomically replaces the file with the new text.
    ///
    /// # Errors
    ///
    /// Returns an error if the file has changed since the check, is a link, or can't be written. The file is then
    /// unchanged.
    pub fn write(&self) -> Result<(), ReplaceError> {
        let text = self.replaced.get(&self.file.path).unwrap_or_default();
        file::replace(&self.file.path, MAX_FILE, |old| Stamp::new(old) == self.file.stamp, &text)
    }
}

/// More rounds than mistakes that can affect one location.
const ROUNDS: usize = 16;

/// Plans all possible fixes without writing a file.
///
/// # Errors
///
/// Returns an error if the configuration can't be read, or a requested profile does not exist.
pub fn plan(load: &LoadOptions, check: &CheckOptions) -> Result<Plan, ConfigError> {
    let run = |load: &LoadOptions| {
        let loaded = lint::load(load)?;
        let report = lint::check(&loaded, check)?;
        Ok((loaded, report))
    };
    let (first, mut report) = run(load)?;
    let mut ineffective = HashSet::new();
    let mut round = Round::look(&first, &report, &load.replaced, &ineffective);
    let (mut load, mut fixed) = (load.clone(), BTreeMap::<SourceId, Vec<Fixed>>::new());
    let mut last: Option<Loaded> = None;
    for _ in 0..ROUNDS {
        if round.edited.is_empty() {
            break;
        }
        let mut next = load.clone();
        for (id, edited) in &round.edited {
            if let Some(file) = &first.config.sources.get(*id).read {
                next.replaced.insert(file.path.clone(), &edited.text);
            }
        }
        // The fix exposed a value that can't be read, so it is discarded.
        let Ok((loaded, after)): Result<_, ConfigError> = run(&next) else { break };
        let worse = ineffective_fixes(&round, &report, &after);
        if !worse.is_empty() {
            ineffective.extend(worse);
            round = Round::look(last.as_ref().unwrap_or(&first), &report, &load.replaced, &ineffective);
            continue;
        }
        (report, ineffective) = (after, HashSet::new());
        load = next;
        for (id, edited) in round.edited {
            fixed.entry(id).or_default().extend(edited.fixed);
        }
        round = Round::look(&loaded, &report, &load.replaced, &ineffective);
        last = Some(loaded);
    }
    let Round { refused, blocked, .. } = round;
    let mut plan = Plan { files: Vec::new(), refused, blocked };
    for (id, fixed) in fixed {
        let (before, after) = (first.config.sources.get(id), last.as_ref().map(|last| last.config.sources.get(id)));
        let (Some(after), Some(file)) = (after, before.read.clone()) else { continue };
        let (old, new) = (text_of(&file, &Replaced::default()), load.replaced.get(&file.path));
        match (old, new) {
            (Ok(old), Some(new)) => {
                let diff = diff::lines([&old, before.masked.as_str()], [&new, after.masked.as_str()]);
                let replaced = load.replaced.clone();
                plan.files.push(FilePlan { name: before.name.clone(), fixed, diff, file, replaced });
            }
            (Err(error), _) => plan.blocked.push((before.name.clone(), error.to_string())),
            (Ok(_), None) => {}
        }
    }
    Ok(plan)
}

/// Returns the keys of pairs that don't fit after a swap either: they have no single correct result.
fn ineffective_fixes(round: &Round, before: &Report, after: &Report) -> Vec<String> {
    let swapped = |finding: &&Finding| {
        let mut fixed = round.edited.iter().flat_map(|(_, edited)| &edited.fixed);
        finding.rule == SWAPPED && fixed.any(|fixed| fixed.rule == SWAPPED && fixed.key == finding.key())
    };
    let errors = |report: &Report, profile: &Option<ProfileId>| -> Vec<&'static str> {
        let errors = report.findings.iter().filter(|finding| finding.severity == Severity::Error);
        errors.filter(|finding| finding.profile == *profile).map(|finding| finding.rule).collect()
    };
    let worse = |finding: &&Finding| {
        let known = errors(before, &finding.profile);
        errors(after, &finding.profile).iter().any(|rule| *rule == SWAPPED || !known.contains(rule))
    };
    before.findings.iter().filter(swapped).filter(worse).map(|finding| finding.key().to_owned()).collect()
}

/// The result of one round.
#[derive(Default)]
struct Round {
    /// The files with a new text.
    edited: Vec<(SourceId, Edited)>,
    refused: Vec<Refused>,
    blocked: Vec<(String, String)>,
}

impl Round {
    /// Plans all possible fixes. `ineffective` has the keys of pairs that don't fit after a swap either.
    fn look(loaded: &Loaded, report: &Report, replaced: &Replaced, ineffective: &HashSet<String>) -> Self {
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
fn text_of(file: &ReadFile, replaced: &Replaced) -> Result<Zeroizing<String>, ReplaceError> {
    if let Some(text) = replaced.get(&file.path) {
        return Ok(text);
    }
    let (text, _) = file::read_text(&file.path, MAX_FILE).map_err(ReplaceError::Read)?;
    if Stamp::new(&text) == file.stamp { Ok(text) } else { Err(ReplaceError::Changed) }
}

/// A new text, and what it fixes.
struct Edited {
    text: Zeroizing<String>,
    fixed: Vec<Fixed>,
}

/// Findings that can't be fixed, with reasons.
type Refusals<'f> = Vec<(&'f Finding, Refusal)>;

impl Edited {
    /// Applies all repairs that are possible together. `None` if the file no longer parses as it did.
    fn new<'f>(
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
