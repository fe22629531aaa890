//! Fixes: where a finding has one right answer, bytes of a file are moved, and nothing else of it changes.
//!
//! A file is read again, and must still hold what was checked. What is put in its place is parsed before it is
//! written, and must say the same but for what was to change. Rounds are played in memory until nothing is left to
//! fix, so that a file is written once.

mod diff;
mod document;

use std::collections::{BTreeMap, HashSet};
use std::path::Path;

use zeroize::Zeroizing;

pub use crate::file::ReplaceError;
pub use diff::{DiffLine, Sign};
use document::{Document, What, Wish};

use crate::config::{ConfigError, Form, LoadOptions, Origin, Profile, Setting};
use crate::file;
use crate::finding::{Finding, Severity};
use crate::lint::{self, CheckOptions, Loaded, Report};
use crate::schema::{ProfileId, Role};
use crate::secret::KeyShape;
use crate::source::{MAX_FILE, ReadFile, Replaced, SourceId, Stamp};
use crate::text::Span;

/// More rounds than mistakes can be stacked in one place.
const ROUNDS: usize = 16;
/// The one fix that could be wrong: whether it helps is seen by checking what it makes.
const SWAPPED: &str = "swapped-key-pair";

/// What can be fixed, and what can't.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Plan {
    /// The files that would change.
    pub files: Vec<FilePlan>,
    /// Findings of rules that have fixes, which have none all the same.
    pub refused: Vec<Refused>,
    /// Files that can't be changed, and why.
    pub blocked: Vec<(String, String)>,
}

/// What would change in one file.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct FilePlan {
    /// Its name as it is printed.
    pub name: String,
    /// What is fixed, in the order in which it was done.
    pub fixed: Vec<Fixed>,
    /// The change, masked.
    pub diff: Vec<DiffLine>,
    file: ReadFile,
    /// Holds the new text.
    replaced: Replaced,
}

/// A finding that is fixed.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Fixed {
    /// The rule that found it.
    pub rule: &'static str,
    /// The path of its key.
    pub key: String,
    /// What is done about it.
    pub text: String,
}

/// A finding that is not fixed.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Refused {
    /// The rule that found it.
    pub rule: &'static str,
    /// The path of its key.
    pub key: String,
    /// The name of the source where it was found.
    pub file: String,
    /// The same with its line.
    pub source: String,
    /// Why not.
    pub why: String,
}

impl FilePlan {
    /// Puts the new text in the place of the old one, in one step.
    ///
    /// # Errors
    /// If the file has changed since it was checked, is a link, or anything else is in the way; it is then untouched.
    pub fn write(&self) -> Result<(), ReplaceError> {
        let text = self.replaced.get(&self.file.path).unwrap_or_default();
        file::replace(&self.file.path, MAX_FILE, |old| Stamp::of(old) == self.file.stamp, &text)
    }
}

/// Finds out what can be fixed. Nothing is written.
///
/// # Errors
/// If the configuration can't be read, or a profile is asked for that does not exist.
pub fn plan(load: &LoadOptions, check: &CheckOptions) -> Result<Plan, ConfigError> {
    let run = |load: &LoadOptions| {
        let loaded = lint::load(load)?;
        let report = lint::check(&loaded, check)?;
        Ok((loaded, report))
    };
    let (first, mut report) = run(load)?;
    let mut vain = HashSet::new();
    let mut round = Round::of(&first, &report, &load.replaced, &vain);
    let (mut load, mut fixed) = (load.clone(), BTreeMap::<SourceId, Vec<Fixed>>::new());
    let mut last: Option<Loaded> = None;
    for _ in 0..ROUNDS {
        if round.texts.is_empty() {
            break;
        }
        let mut next = load.clone();
        for (id, text) in &round.texts {
            if let Some(file) = &first.config.sources.get(*id).read {
                next.replaced.insert(file.path.clone(), text);
            }
        }
        // A value that nobody looked at before may be one that can't be read: then the fix is not taken.
        let Ok((loaded, after)): Result<_, ConfigError> = run(&next) else { break };
        let worse = in_vain(&round, &report, &after);
        if !worse.is_empty() {
            vain.extend(worse);
            round = Round::of(last.as_ref().unwrap_or(&first), &report, &load.replaced, &vain);
            continue;
        }
        (report, vain) = (after, HashSet::new());
        load = next;
        for (id, mut more) in round.fixed {
            fixed.entry(id).or_default().append(&mut more);
        }
        round = Round::of(&loaded, &report, &load.replaced, &vain);
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

/// The keys of those pairs that do not fit after their halves changed places either: there is more than one way out.
fn in_vain(round: &Round, before: &Report, after: &Report) -> Vec<String> {
    let swapped = |finding: &&Finding| {
        let key = finding.primary().map(|label| &label.key);
        let mut fixed = round.fixed.iter().flat_map(|(_, fixed)| fixed);
        finding.rule == SWAPPED && fixed.any(|fixed| fixed.rule == SWAPPED && Some(&fixed.key) == key)
    };
    let of = |report: &Report, profile: &Option<ProfileId>| -> Vec<&'static str> {
        let errors = report.findings.iter().filter(|finding| finding.severity == Severity::Error);
        errors.filter(|finding| finding.profile == *profile).map(|finding| finding.rule).collect()
    };
    let worse = |finding: &&Finding| {
        let known = of(before, &finding.profile);
        of(after, &finding.profile).iter().any(|rule| *rule == SWAPPED || !known.contains(rule))
    };
    let keys = before.findings.iter().filter(swapped).filter(worse);
    keys.filter_map(|finding| Some(finding.primary()?.key.clone())).collect()
}

/// The text of a file as it was checked.
fn text_of(file: &ReadFile, replaced: &Replaced) -> Result<Zeroizing<String>, ReplaceError> {
    if let Some(text) = replaced.get(&file.path) {
        return Ok(text);
    }
    let (text, _) = file::read_text(&file.path, MAX_FILE).map_err(ReplaceError::Read)?;
    if Stamp::of(&text) == file.stamp { Ok(text) } else { Err(ReplaceError::Changed) }
}

/// What one look at the findings gives.
#[derive(Default)]
struct Round {
    /// The new text of each file.
    texts: Vec<(SourceId, Zeroizing<String>)>,
    fixed: Vec<(SourceId, Vec<Fixed>)>,
    refused: Vec<Refused>,
    blocked: Vec<(String, String)>,
}

impl Round {
    fn of(loaded: &Loaded, report: &Report, replaced: &Replaced, vain: &HashSet<String>) -> Self {
        let mut round = Self::default();
        let mut wishes: BTreeMap<SourceId, Vec<Wish<'_>>> = BTreeMap::new();
        for finding in &report.findings {
            if finding.rule == SWAPPED && finding.primary().is_some_and(|label| vain.contains(&label.key)) {
                round.refuse(finding, report, "the two would not fit in each other's place either");
                continue;
            }
            match wish(finding, loaded) {
                None => {}
                Some(Ok((source, what))) => wishes.entry(source).or_default().push(Wish { finding, what }),
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
            let document = text
                .as_ref()
                .map_err(ToString::to_string)
                .and_then(|text| Document::new(text, file, id).ok_or_else(|| ReplaceError::Changed.to_string()));
            match document {
                Ok(document) => {
                    let outcome = document.fix(wishes);
                    for (finding, why) in outcome.refused {
                        round.refuse(finding, report, why);
                    }
                    if !outcome.fixed.is_empty() {
                        round.texts.push((id, outcome.text));
                        round.fixed.push((id, outcome.fixed));
                    }
                }
                Err(why) => {
                    round.blocked.push((source.name.clone(), why));
                }
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

type Wished = Result<(SourceId, What), &'static str>;

/// What to do about a finding, and in which file. Nothing if its rule has no fix.
fn wish(finding: &Finding, loaded: &Loaded) -> Option<Wished> {
    let id = finding.profile.as_ref()?;
    let profile = loaded.config.profile(id)?;
    match finding.rule {
        SWAPPED => swap(finding, profile, loaded),
        "malformed-credential" => {
            let setting = setting(finding, profile)?;
            let bearer = setting.facts().is_some_and(|facts| facts.bearer);
            bearer.then(|| Ok((home(setting, loaded)?, What::Strip { key: setting.at.span })))
        }
        "doubled-api-path" => {
            let setting = setting(finding, profile)?;
            Some(home(setting, loaded).map(|source| (source, What::Cut { key: setting.at.span })))
        }
        "duplicate-channel" => {
            let label = finding.primary()?;
            let place = |setting: &Setting| setting.elements.iter().position(|element| element.key == label.key);
            let (setting, index) = profile.settings.iter().find_map(|setting| Some((setting, place(setting)?)))?;
            Some(home(setting, loaded).map(|source| (source, What::Remove { key: setting.at.span, index })))
        }
        "unknown-field" => rename(finding, profile, loaded),
        _ => None,
    }
}

/// The setting that a finding points at first.
fn setting<'a>(finding: &Finding, profile: &'a Profile) -> Option<&'a Setting> {
    let label = finding.primary()?;
    profile.settings.iter().find(|setting| setting.key == label.key)
}

/// The file in which a value is written out, if it is one that may be changed.
fn home(setting: &Setting, loaded: &Loaded) -> Result<SourceId, &'static str> {
    if setting.via.is_some() {
        return Err("it comes through an alias or a merge key");
    }
    if setting.form != Form::Literal {
        return Err("it is a reference, and what that leads to is not changed");
    }
    layer_file(setting.layer, loaded)
}

/// The file of a layer, if it is one that may be changed.
fn layer_file(layer: usize, loaded: &Loaded) -> Result<SourceId, &'static str> {
    let layer = loaded.config.layers.get(layer).ok_or("its place is not known")?;
    match (layer.origin, layer.source) {
        (Origin::Project | Origin::Given | Origin::Dotenv, Some(source)) => Ok(source),
        (Origin::User, _) => Err("it stands in the user's own file; name that with --config to fix it"),
        _ => Err("it stands in the environment"),
    }
}

/// Both halves of the pair that the labels name.
fn swap(finding: &Finding, profile: &Profile, loaded: &Loaded) -> Option<Wished> {
    let named = |setting: &&Setting| finding.labels.iter().any(|label| label.key == setting.key);
    let key = profile.settings.iter().filter(named).find(|setting| setting.field.role == Role::Secret)?;
    let id = profile.setting(profile.kind().partner(key.field.name)?)?;
    // A half of no known shape could be anything, a key of the older form too, and must not end up as the id.
    let one_sided = id.shape().is_some_and(KeyShape::is_key) != key.shape().is_some_and(KeyShape::is_id);
    Some(match (home(key, loaded), home(id, loaded)) {
        (Ok(_), Ok(_)) if one_sided => Err("only one of the two is known to be in the other's field"),
        (Ok(one), Ok(other)) if one == other => Ok((one, What::Swap { key: key.at.span, id: id.at.span })),
        (Ok(_), Ok(_)) => Err("its halves stand in two files"),
        (Err(why), _) | (_, Err(why)) => Err(why),
    })
}

/// A field that is nearly one that exists.
fn rename(finding: &Finding, profile: &Profile, loaded: &Loaded) -> Option<Wished> {
    let label = finding.primary()?;
    let unknown = profile.unknown.iter().find(|unknown| unknown.at == label.at)?;
    let field = profile.id.kind.field(unknown.meant?)?;
    let to = unknown.suggestion.clone()?;
    let layer = loaded.config.layers.iter().position(|layer| layer.source == Some(unknown.at.source));
    let source = match layer {
        Some(layer) => layer_file(layer, loaded),
        None => Err("it stands in the environment"),
    };
    Some(source.map(|source| (source, What::Rename { key: label.at.span, to, kind: profile.id.kind, field })))
}

/// Two ranges that share a byte, or a place where something is put in.
fn overlap(one: Span, other: Span) -> bool {
    one.start < other.end && other.start < one.end
}

#[cfg(test)]
mod tests;
