//! `profiles --format json`: the profiles/v1 document. New versions may add keys, but never remove or retype one.

use serde::Serialize;

use super::json_v1::{LayerV1, NamedV1, PlaceV1, ProblemV1, TOOL, ToolV1, problem, to_string};
use crate::config::{Form, Layer, Profile, Setting, State};
use crate::lint::Verdict;
use crate::profile::Assessment;
use crate::secret::MASK;
use crate::source::{Problem, Sources};

/// The schema name.
pub const SCHEMA: &str = "credlint/profiles/v1";

#[derive(Serialize)]
struct ProfilesV1<'a> {
    schema: &'static str,
    tool: ToolV1,
    resolved: bool,
    layers: Vec<LayerV1<'a>>,
    profiles: Vec<ProfileV1<'a>>,
    problems: Vec<ProblemV1<'a>>,
}

#[derive(Serialize)]
struct ProfileV1<'a> {
    #[serde(flatten)]
    name: NamedV1<'a>,
    verdict: &'static str,
    fields: Vec<FieldV1<'a>>,
}

#[derive(Serialize)]
struct FieldV1<'a> {
    name: &'static str,
    state: &'static str,
    /// The assessment of a credential; null for other fields.
    standing: Option<&'static str>,
    value: Option<String>,
    form: FormV1<'a>,
    set: PlaceV1<'a>,
    shadows: Vec<PlaceV1<'a>>,
}

#[derive(Serialize)]
struct FormV1<'a> {
    kind: &'static str,
    /// The name of the variable or the path of the file, if it may be printed.
    name: Option<&'a str>,
}

/// Returns profiles as a JSON document, or the reasons why there are none.
pub fn write(
    profiles: &[(&Profile, Verdict)],
    layers: &[Layer],
    problems: &[Problem],
    sources: &Sources,
    resolved: bool,
) -> String {
    to_string(&ProfilesV1 {
        schema: SCHEMA,
        tool: TOOL,
        resolved,
        layers: layers.iter().map(LayerV1::from).collect(),
        profiles: profiles.iter().map(|&(each, verdict)| profile(each, verdict, sources)).collect(),
        problems: problems.iter().map(|each| problem(each, sources)).collect(),
    })
}

fn profile<'a>(profile: &'a Profile, verdict: Verdict, sources: &'a Sources) -> ProfileV1<'a> {
    let fields = profile.settings.iter().map(|setting| field(profile, setting, sources));
    ProfileV1 { name: (&profile.id).into(), verdict: verdict.name(), fields: fields.collect() }
}

fn field<'a>(profile: &Profile, setting: &'a Setting, sources: &'a Sources) -> FieldV1<'a> {
    let shown = setting.shown();
    let (state, value) = match &setting.state {
        State::Known(_) | State::List => ("known", Some(shown.unwrap_or_else(|| MASK.to_owned()))),
        State::Opaque => ("opaque", None),
        State::Empty => ("empty", None),
        State::Missing(_) | State::Refused(_) => ("missing", None),
        State::Mistyped => ("mistyped", None),
        State::Conflict(_) => ("conflict", None),
    };
    let form = match &setting.form {
        Form::Literal => FormV1 { kind: "literal", name: None },
        Form::Env(name) => FormV1 { kind: "env", name: Some(name) },
        Form::File(path) => FormV1 { kind: "file", name: Some(path) },
    };
    FieldV1 {
        name: setting.field.name,
        state,
        standing: Assessment::from_setting(profile, setting).name(),
        value,
        form,
        set: PlaceV1::new(setting.at, sources),
        shadows: setting.shadows.iter().map(|shadow| PlaceV1::new(shadow.at, sources)).collect(),
    }
}
