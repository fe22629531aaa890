//! `--format json`: the report/v1 document, and the parts that it shares with the others. `profiles --format json` and
//! `explain --format json`: profiles/v1 and rules/v1. New versions may add keys, but never remove or retype one.

use serde::{Serialize, Serializer};
use serde_json::value::{RawValue, to_raw_value};

use crate::config::{Layer, Origin};
use crate::config::{Profile, Setting, State, WrittenAs};
use crate::finding::{self, Finding, Severity};
use crate::lint::inventory::{Inventoried, ValueState};
use crate::lint::live::Live;
use crate::lint::{Report, Verdict};
use crate::profile::Assessment;
use crate::rules::RuleMeta;
use crate::schema::ProfileId;
use crate::secret::MASK;
use crate::services::Service;
use crate::source::{Problem, SourceKind, Sources, Spot};
use crate::text::Position;

/// A JSON object, whose keys are in the order in which they were added.
#[derive(Debug, Default)]
pub(crate) struct Object(Vec<(&'static str, Box<RawValue>)>);

impl Object {
    /// Creates a document of the program.
    pub(crate) fn document(schema: &'static str) -> Self {
        let tool = Self::new("name", env!("CARGO_PKG_NAME")).with("version", env!("CARGO_PKG_VERSION"));
        Self::new("schema", schema).with("tool", tool)
    }

    /// Creates an object with a key.
    pub(crate) fn new(key: &'static str, value: impl Serialize) -> Self {
        Self::default().with(key, value)
    }

    /// Adds a key.
    pub(crate) fn with(mut self, key: &'static str, value: impl Serialize) -> Self {
        // This can't fail: keys are strings, and numbers are finite.
        self.0.extend(to_raw_value(&value).map(|value| (key, value)));
        self
    }

    /// Adds a key, unless it has no value.
    pub(crate) fn with_some(self, key: &'static str, value: Option<impl Serialize>) -> Self {
        match value {
            Some(value) => self.with(key, value),
            None => self,
        }
    }

    /// Adds a list.
    pub(crate) fn with_list(self, key: &'static str, values: impl IntoIterator<Item: Serialize>) -> Self {
        self.with(key, values.into_iter().collect::<Vec<_>>())
    }

    /// Adds the keys of another object.
    pub(crate) fn with_all(mut self, other: Self) -> Self {
        self.0.extend(other.0);
        self
    }
}

impl Serialize for Object {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(key, value)| (key, value)))
    }
}

/// Serializes a document as one line.
pub(crate) fn to_string(document: &impl Serialize) -> String {
    // This can't fail: keys are strings, and numbers are finite.
    serde_json::to_string(document).unwrap_or_default() + "\n"
}

/// Returns a report as a JSON document.
pub fn report(report: &Report) -> String {
    let sources = &report.sources;
    let profiles = report.profiles.iter().map(|(id, verdict)| {
        // Null unless the service was asked.
        with_id(id).with("verdict", verdict.name()).with("live", report.live_answers(id).map(live))
    });
    let allowed: Vec<Finding> = report.allowed.iter().map(|allowed| allowed.finding.clone()).collect();
    let reasons = report.allowed.iter().map(|allowed| (&allowed.reason, allowed.at));
    let allowed = findings(&allowed, sources, |_| false).into_iter().zip(reasons);
    let read = report.search_stats.map(|tally| {
        let read = Object::new("files", tally.files).with("variables", tally.variables);
        read.with("recognised", tally.recognised)
            .with("unknown", tally.unknown)
            .with("empty", tally.empty)
            .with("weakened", report.weakened)
            .with("unread", tally.refused + tally.unsearched)
    });
    let compared = report.baseline.as_ref().map(|comparison| {
        let (known, all) = (comparison.known.len(), report.findings.len());
        Object::new("known", known).with("new", all - known).with("gone", &comparison.gone)
    });
    let summary = Object::new("profiles", report.profiles.len())
        .with("errors", report.count(Severity::Error))
        .with("warnings", report.count(Severity::Warning))
        .with("notes", report.count(Severity::Note))
        .with("off", report.off);
    let summary = Verdict::ALL
        .iter()
        .fold(summary, |summary, verdict| summary.with(verdict.name(), report.count_profiles(*verdict)));
    let document = Object::document("credlint/report/v1")
        .with("resolved", report.resolved)
        .with("summary", summary)
        .with_some("read", read)
        .with_list("layers", report.layers.iter().map(layer))
        .with_list("profiles", profiles)
        .with("findings", findings(&report.findings, sources, |index| report.is_known(index)))
        .with_list(
            "allowed",
            allowed.map(|(finding, (reason, at))| finding.with("reason", reason).with_all(place(at, sources))),
        )
        .with("baseline", compared)
        .with("problems", problems(&report.problems, sources));
    let values = report.values.as_ref().map(|values| values.iter().map(|one| value(one, sources)).collect::<Vec<_>>());
    to_string(&document.with_some("values", values))
}

/// Returns a value of a list, with everything about it that may be told.
fn value(one: &Inventoried, sources: &Sources) -> Object {
    let parts = one.parts.iter().map(|(noun, word)| Object::new("noun", noun).with("word", word));
    Object::new("name", &one.name)
        .with("profile", one.profile.as_ref().map(with_id))
        .with("state", one.state.map(ValueState::name))
        .with("service", one.service())
        .with("what", one.form.map(|form| form.noun))
        .with_list("parts", parts)
        .with("looks", &one.looks)
        .with("together", &one.with)
        .with("rules", &one.rules)
        .with_all(place(one.at, sources))
        .with_list("shadows", one.shadows.iter().map(|shadow| place(*shadow, sources)))
}

/// Returns a profile with its kind and name, and with its file if files are checked independently.
pub(crate) fn with_id(id: &ProfileId) -> Object {
    Object::new("kind", id.kind.name).with("name", &id.name).with_some("file", id.file.as_deref())
}

/// Returns the service's answers about a profile.
fn live(live: &Live) -> Object {
    let not_asked = live.not_asked.iter().map(|(name, reason)| Object::new("name", name).with("reason", reason));
    let credentials =
        live.credentials.iter().map(|(field, life)| Object::new("field", field).with("state", life.name()));
    let channels = live.channels_with_ids().map(|(shown, id, reach)| {
        let name = id.map(|_| shown);
        Object::new("id", id.unwrap_or(shown)).with_some("name", name).with("reachable", reach.name())
    });
    Object::new("state", live.state.name())
        .with("service", &live.service)
        .with("names", &live.names)
        .with_list("not_asked", not_asked)
        .with_list("credentials", credentials)
        .with("token_kind", live.token_kind)
        .with("expires_in", live.expires_in)
        .with("workspace", &live.workspace)
        .with("scopes", &live.scopes)
        .with_list("channels", channels)
        .with("capabilities", &live.capabilities)
        .with("buckets", &live.buckets)
}

/// Returns findings, as they appear in every document. `known` tells which ones the baseline lists.
pub(crate) fn findings(findings: &[Finding], sources: &Sources, known: impl Fn(usize) -> bool) -> Vec<Object> {
    let fingerprints = finding::fingerprints(findings, sources);
    let each = findings.iter().zip(fingerprints).enumerate().map(|(index, (finding, fingerprint))| {
        let labels = finding.labels.iter();
        Object::new("rule", finding.rule)
            .with("severity", finding.severity.name())
            .with("profile", finding.profile.as_ref().map(with_id))
            .with("message", &finding.message)
            .with("help", &finding.help)
            .with("url", super::url(finding.rule))
            .with("fingerprint", fingerprint)
            .with("known", known(index))
            .with_list("labels", labels.map(|one| label(one.primary, Some(&one.key), &one.text, one.at, sources)))
    });
    each.collect()
}

/// Returns a finding without its location.
pub(crate) fn unplaced(finding: &Finding) -> Object {
    let Finding { rule, severity, message, help, .. } = finding;
    Object::new("rule", rule).with("severity", severity.name()).with("message", message).with("help", help)
}

/// Returns problems, as they appear in every document.
pub(crate) fn problems(problems: &[Problem], sources: &Sources) -> Vec<Object> {
    let each = problems.iter().map(|problem| {
        let labels = problem.labels.iter().enumerate();
        Object::new("code", problem.code.as_str())
            .with("message", &problem.message)
            .with("help", &problem.help)
            .with_list("labels", labels.map(|(index, (at, text))| label(index == 0, None, text, *at, sources)))
    });
    each.collect()
}

fn label(primary: bool, key: Option<&str>, text: &str, at: Spot, sources: &Sources) -> Object {
    Object::new("primary", primary).with("key", key).with("text", text).with_all(place(at, sources))
}

/// Returns a location. Line and column are present only if the source has text.
pub(crate) fn place(at: Spot, sources: &Sources) -> Object {
    let source = sources.get(at.source);
    let kind = match source.kind {
        SourceKind::File => "file",
        SourceKind::Environment => "environment",
    };
    let position = |offset| {
        let Position { line, column, offset } = source.lines.position(offset);
        Object::new("line", line).with("column", column).with("offset", offset)
    };
    let span = super::has_lines(source)
        .then(|| Object::new("start", position(at.span.start)).with("end", position(at.span.end)));
    Object::new("source", Object::new("kind", kind).with("name", &source.name)).with("span", span)
}

fn layer(layer: &Layer) -> Object {
    let kind = if layer.origin == Origin::Environment { "environment" } else { "file" };
    Object::new("kind", kind).with("name", &layer.name)
}

/// Returns profiles as a JSON document, or the reasons why there are none.
pub fn profiles(
    profiles: &[(&Profile, Verdict)],
    layers: &[Layer],
    reasons: &[Problem],
    sources: &Sources,
    resolved: bool,
) -> String {
    let profiles = profiles.iter().map(|(profile, verdict)| {
        let fields = profile.settings.iter().map(|setting| field(profile, setting, sources));
        with_id(&profile.id).with("verdict", verdict.name()).with_list("fields", fields)
    });
    let document = Object::document("credlint/profiles/v1")
        .with("resolved", resolved)
        .with_list("layers", layers.iter().map(layer))
        .with_list("profiles", profiles)
        .with("problems", problems(reasons, sources));
    to_string(&document)
}

fn field(profile: &Profile, setting: &Setting, sources: &Sources) -> Object {
    let (state, value) = match &setting.state {
        State::Known(_) | State::List => ("known", Some(setting.shown().unwrap_or_else(|| MASK.to_owned()))),
        State::Opaque => ("opaque", None),
        State::Empty => ("empty", None),
        State::Missing(_) | State::Refused(_) => ("missing", None),
        State::Mistyped => ("mistyped", None),
        State::Conflict(_) => ("conflict", None),
    };
    // The name of the variable or the path of the file, if it may be printed.
    let (kind, name) = match &setting.form {
        WrittenAs::Literal => ("literal", None),
        WrittenAs::Env(name) => ("env", Some(name)),
        WrittenAs::File(path) => ("file", Some(path)),
    };
    Object::new("name", setting.field.name)
        .with("state", state)
        // Null for a field that does not hold a credential.
        .with("standing", Assessment::from_setting(profile, setting).name())
        .with("value", value)
        .with("form", Object::new("kind", kind).with("name", name))
        .with("set", place(setting.at, sources))
        .with_list("shadows", setting.shadows.iter().map(|shadow| place(shadow.at, sources)))
}

/// Returns what is known of services as a JSON document.
pub fn services(services: &[&'static Service]) -> String {
    to_string(&Object::document("credlint/services/v1").with("services", services))
}

/// Returns the catalogue of rules as a JSON document.
pub fn rules(metas: &[&RuleMeta]) -> String {
    let rules = metas.iter().map(|meta| {
        Object::new("id", meta.id)
            .with("severity", meta.severity.name())
            .with("scope", meta.scope)
            .with("summary", meta.summary)
            .with("since", meta.since)
            .with("url", super::url(meta.id))
            .with("page", meta.page)
    });
    to_string(&Object::document("credlint/rules/v1").with_list("rules", rules))
}
