//! `--format json`: the report/v1 document. New versions may add keys, but never remove or retype one.

use serde::Serialize;

use crate::config::{ConfigError, Layer, Origin};
use crate::finding::{self, Finding, Severity};
use crate::lint::baseline::BaselineFinding;
use crate::lint::live::Live;
use crate::lint::{Report, SearchStats, Verdict};
use crate::schema::ProfileId;
use crate::source::{Problem, SourceKind, Sources, Spot};
use crate::text::Position;

/// The schema name.
pub const SCHEMA: &str = "credlint/report/v1";

#[derive(Serialize)]
struct ReportV1<'a> {
    schema: &'static str,
    tool: ToolV1,
    resolved: bool,
    summary: SummaryV1,
    /// Present only if files or variables were searched.
    #[serde(skip_serializing_if = "Option::is_none")]
    read: Option<ReadV1>,
    layers: Vec<LayerV1<'a>>,
    profiles: Vec<CheckedV1<'a>>,
    findings: Vec<FindingV1<'a>>,
    allowed: Vec<AllowedV1<'a>>,
    baseline: Option<BaselineV1<'a>>,
    problems: Vec<ProblemV1<'a>>,
}

/// The program that wrote a document.
#[derive(Serialize)]
pub(crate) struct ToolV1 {
    name: &'static str,
    version: &'static str,
}

#[derive(Serialize, Default)]
struct SummaryV1 {
    profiles: usize,
    errors: usize,
    warnings: usize,
    notes: usize,
    /// The number of profiles with this verdict.
    fits: usize,
    unjudged: usize,
    warned: usize,
    rejected: usize,
}

/// The inputs that a search read.
#[derive(Serialize)]
struct ReadV1 {
    files: usize,
    variables: usize,
    recognised: usize,
}

/// A profile with its kind and name.
#[derive(Serialize)]
pub(crate) struct NamedV1<'a> {
    kind: &'static str,
    name: &'a str,
    /// Present only if files are checked independently.
    #[serde(skip_serializing_if = "Option::is_none")]
    file: Option<&'a str>,
}

impl<'a> From<&'a ProfileId> for NamedV1<'a> {
    fn from(id: &'a ProfileId) -> Self {
        Self { kind: id.kind.name, name: &id.name, file: id.file.as_deref() }
    }
}

#[derive(Serialize)]
struct CheckedV1<'a> {
    #[serde(flatten)]
    profile: NamedV1<'a>,
    verdict: &'static str,
    /// Present only if the service was asked.
    live: Option<LiveV1<'a>>,
}

/// The service's answers about a profile.
#[derive(Serialize)]
struct LiveV1<'a> {
    state: &'static str,
    service: Option<&'a str>,
    names: &'a [String],
    not_asked: Vec<NotAskedV1<'a>>,
    credentials: Vec<CredentialV1<'a>>,
    token_kind: Option<&'static str>,
    expires_in: Option<u64>,
    workspace: Option<&'a str>,
    scopes: Option<&'a [String]>,
    channels: Vec<ChannelV1<'a>>,
    capabilities: Option<&'a [String]>,
    buckets: Option<&'a [String]>,
}

#[derive(Serialize)]
struct NotAskedV1<'a> {
    name: &'a str,
    reason: &'a str,
}

#[derive(Serialize)]
struct CredentialV1<'a> {
    field: &'a str,
    state: &'static str,
}

#[derive(Serialize)]
struct ChannelV1<'a> {
    id: &'a str,
    reachable: &'static str,
}

impl<'a> From<&'a Live> for LiveV1<'a> {
    fn from(live: &'a Live) -> Self {
        Self {
            state: live.state.name(),
            service: live.service.as_deref(),
            names: &live.names,
            not_asked: live.not_asked.iter().map(|(name, reason)| NotAskedV1 { name, reason }).collect(),
            credentials: live
                .credentials
                .iter()
                .map(|(field, life)| CredentialV1 { field, state: life.name() })
                .collect(),
            token_kind: live.token_kind,
            expires_in: live.expires_in,
            workspace: live.workspace.as_deref(),
            scopes: live.scopes.as_deref(),
            channels: live.channels.iter().map(|(id, reach)| ChannelV1 { id, reachable: reach.name() }).collect(),
            capabilities: live.capabilities.as_deref(),
            buckets: live.buckets.as_deref(),
        }
    }
}

/// A finding, as it appears in every document.
#[derive(Serialize)]
pub(crate) struct FindingV1<'a> {
    rule: &'static str,
    severity: &'static str,
    profile: Option<NamedV1<'a>>,
    message: &'a str,
    help: &'a str,
    url: String,
    fingerprint: String,
    /// True if the baseline lists it.
    known: bool,
    labels: Vec<LabelV1<'a>>,
}

/// An allowed finding and the allow that matched it.
#[derive(Serialize)]
struct AllowedV1<'a> {
    #[serde(flatten)]
    finding: FindingV1<'a>,
    reason: &'a str,
    #[serde(flatten)]
    at: PlaceV1<'a>,
}

/// A comparison with the baseline.
#[derive(Serialize)]
struct BaselineV1<'a> {
    known: usize,
    new: usize,
    gone: &'a [BaselineFinding],
}

#[derive(Serialize)]
struct LabelV1<'a> {
    primary: bool,
    key: Option<&'a str>,
    text: &'a str,
    #[serde(flatten)]
    at: PlaceV1<'a>,
}

/// A location. Line and column are present only if the source has text.
#[derive(Serialize)]
pub(crate) struct PlaceV1<'a> {
    source: LayerV1<'a>,
    span: Option<SpanV1>,
}

impl<'a> PlaceV1<'a> {
    pub(crate) fn new(at: Spot, sources: &'a Sources) -> Self {
        let source = sources.get(at.source);
        let kind = match source.kind {
            SourceKind::File => "file",
            SourceKind::Environment => "environment",
        };
        let span = super::has_lines(source).then(|| SpanV1 {
            start: source.lines.position(at.span.start).into(),
            end: source.lines.position(at.span.end).into(),
        });
        Self { source: LayerV1 { kind, name: &source.name }, span }
    }
}

/// A layer, or the source of a location.
#[derive(Serialize)]
pub(crate) struct LayerV1<'a> {
    kind: &'static str,
    name: &'a str,
}

impl<'a> From<&'a Layer> for LayerV1<'a> {
    fn from(layer: &'a Layer) -> Self {
        Self { kind: if layer.origin == Origin::Environment { "environment" } else { "file" }, name: &layer.name }
    }
}

#[derive(Serialize)]
struct SpanV1 {
    start: PositionV1,
    end: PositionV1,
}

#[derive(Serialize)]
struct PositionV1 {
    line: usize,
    column: usize,
    offset: usize,
}

impl From<Position> for PositionV1 {
    fn from(Position { line, column, offset }: Position) -> Self {
        Self { line, column, offset }
    }
}

/// A problem, as it appears in every document.
#[derive(Serialize)]
pub(crate) struct ProblemV1<'a> {
    code: &'static str,
    message: &'a str,
    help: Option<&'a str>,
    labels: Vec<LabelV1<'a>>,
}

pub(crate) fn findings<'a>(findings: &'a [Finding], sources: &'a Sources) -> Vec<FindingV1<'a>> {
    let fingerprints = finding::fingerprints(findings, sources);
    findings.iter().zip(fingerprints).map(|(found, fingerprint)| shown(found, fingerprint, sources)).collect()
}

fn shown<'a>(finding: &'a Finding, fingerprint: String, sources: &'a Sources) -> FindingV1<'a> {
    let labels = finding.labels.iter().map(|label| LabelV1 {
        primary: label.primary,
        key: Some(&label.key),
        text: &label.text,
        at: PlaceV1::new(label.at, sources),
    });
    FindingV1 {
        rule: finding.rule,
        severity: finding.severity.name(),
        profile: finding.profile.as_ref().map(NamedV1::from),
        message: &finding.message,
        help: &finding.help,
        url: super::url(finding.rule),
        fingerprint,
        known: false,
        labels: labels.collect(),
    }
}

pub(crate) fn problem<'a>(problem: &'a Problem, sources: &'a Sources) -> ProblemV1<'a> {
    let labels = problem.labels.iter().enumerate().map(|(index, (at, text))| LabelV1 {
        primary: index == 0,
        key: None,
        text,
        at: PlaceV1::new(*at, sources),
    });
    ProblemV1 {
        code: problem.code.as_str(),
        message: &problem.message,
        help: problem.help.as_deref(),
        labels: labels.collect(),
    }
}

pub(crate) const TOOL: ToolV1 = ToolV1 { name: env!("CARGO_PKG_NAME"), version: env!("CARGO_PKG_VERSION") };

impl Report {
    /// Returns the report as a JSON document, report/v1.
    #[must_use]
    pub fn to_json(&self) -> String {
        report(self)
    }
}

impl ConfigError {
    /// Returns the same document as [`Report::to_json`] for a configuration that can't be read.
    #[must_use]
    pub fn to_json(&self) -> String {
        error(self)
    }
}

fn report(report: &Report) -> String {
    let layers = report.layers.iter().map(LayerV1::from);
    let profiles = report.profiles.iter().map(|(id, verdict)| CheckedV1 {
        profile: id.into(),
        verdict: verdict.name(),
        live: report.live_of(id).map(LiveV1::from),
    });
    let mut reported = findings(&report.findings, &report.sources);
    for (index, finding) in reported.iter_mut().enumerate() {
        finding.known = report.is_known(index);
    }
    let found: Vec<Finding> = report.allowed.iter().map(|allowed| allowed.finding.clone()).collect();
    let prints = finding::fingerprints(&found, &report.sources);
    let allowed = report.allowed.iter().zip(prints).map(|(allowed, fingerprint)| AllowedV1 {
        finding: shown(&allowed.finding, fingerprint, &report.sources),
        reason: &allowed.reason,
        at: PlaceV1::new(allowed.at, &report.sources),
    });
    to_string(&ReportV1 {
        schema: SCHEMA,
        tool: TOOL,
        resolved: report.resolved,
        summary: SummaryV1 {
            profiles: report.profiles.len(),
            errors: report.count(Severity::Error),
            warnings: report.count(Severity::Warning),
            notes: report.count(Severity::Note),
            fits: report.count_profiles(Verdict::Fits),
            unjudged: report.count_profiles(Verdict::Unjudged),
            warned: report.count_profiles(Verdict::Warned),
            rejected: report.count_profiles(Verdict::Rejected),
        },
        read: report.tally.map(|SearchStats { files, variables, recognised, .. }| ReadV1 {
            files,
            variables,
            recognised,
        }),
        layers: layers.collect(),
        profiles: profiles.collect(),
        findings: reported,
        allowed: allowed.collect(),
        baseline: report.baseline.as_ref().map(|comparison| BaselineV1 {
            known: comparison.known.len(),
            new: report.findings.len() - comparison.known.len(),
            gone: &comparison.gone,
        }),
        problems: report.problems.iter().map(|found| problem(found, &report.sources)).collect(),
    })
}

fn error(error: &ConfigError) -> String {
    to_string(&ReportV1 {
        schema: SCHEMA,
        tool: TOOL,
        resolved: error.resolved,
        summary: SummaryV1::default(),
        read: None,
        layers: Vec::new(),
        profiles: Vec::new(),
        findings: Vec::new(),
        allowed: Vec::new(),
        baseline: None,
        problems: error.problems.iter().map(|found| problem(found, &error.sources)).collect(),
    })
}

/// Serializes a document as one line.
pub(crate) fn to_string(document: &impl Serialize) -> String {
    // This can't fail: keys are strings, and numbers are finite.
    serde_json::to_string(document).unwrap_or_default() + "\n"
}
