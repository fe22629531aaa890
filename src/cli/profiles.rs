//! `credlint profiles`

use std::collections::HashMap;

use super::args::{ListFormat, ProfilesArgs};
use super::exit::Exit;
use super::output::Notes;
use super::settings::Settings;
use super::terminal::Terminal;
use crate::code::Code;
use crate::config::{ConfigError, Profile, Setting, State, WrittenAs};
use crate::lint::{self, CheckOptions, Loaded, Verdict};
use crate::profile::Assessment;
use crate::report::{json_v1, summary, values};
use crate::schema::ProfileId;
use crate::secret::MASK;
use crate::source::{Problem, Spot};
use crate::text::Markup;

pub fn run(args: ProfilesArgs, settings: Settings, terminal: &Terminal) -> Result<Exit, Exit> {
    let json = args.format == ListFormat::Json;
    let notes = Notes::new(false, args.config.verbose);
    let fail = |error: ConfigError| fail(&error, json, terminal);
    settings.load_services(&args.config, true).map_err(fail)?;
    let mut load = settings.load(args.config);
    load.no_resolve = args.no_resolve;
    let loaded = lint::load(&load).map_err(fail)?;
    notes.announce(&loaded, terminal);
    let chosen = args.profile.as_deref().map(|name| loaded.select(name)).transpose().map_err(fail)?;
    if json {
        return Ok(document(chosen, &loaded, terminal));
    }
    if let Some(profile) = chosen {
        let verdict = verdicts(&loaded)(&profile.id);
        return Ok(terminal.document(&table(profile, verdict, &loaded), Exit::Done));
    }
    let names: String = loaded.profile_ids().iter().map(|id| format!("{id}\n")).collect();
    if names.is_empty() {
        terminal.problem(&no_profiles(&loaded));
        return Err(Exit::NotDone);
    }
    Ok(terminal.document(&names, Exit::Done))
}

/// Prints one profile, or all of them, as a JSON document.
fn document(chosen: Option<&Profile>, loaded: &Loaded, terminal: &Terminal) -> Exit {
    let verdict = verdicts(loaded);
    let profiles = chosen.map_or(&loaded.profiles[..], std::slice::from_ref);
    let problems: Vec<Problem> = profiles.is_empty().then(|| no_profiles(loaded)).into_iter().collect();
    let profiles: Vec<_> = profiles.iter().map(|profile| (profile, verdict(&profile.id))).collect();
    let text = json_v1::profiles(&profiles, &loaded.layers, &problems, &loaded.sources, loaded.resolved);
    terminal.data(&text, Markup::Json, if problems.is_empty() { Exit::Done } else { Exit::NotDone })
}

fn no_profiles(loaded: &Loaded) -> Problem {
    Problem { code: Code::NothingToList, ..lint::nothing_to_check(loaded) }
}

fn fail(error: &ConfigError, json: bool, terminal: &Terminal) -> Exit {
    if json {
        let text = json_v1::profiles(&[], &[], &error.problems, &error.sources, error.resolved);
        return terminal.data(&text, Markup::Json, Exit::Usage);
    }
    terminal.unread(error)
}

/// Checks all profiles at once: some rules compare several profiles.
fn verdicts(loaded: &Loaded) -> impl Fn(&ProfileId) -> Verdict {
    let report = lint::check(loaded, &CheckOptions::default());
    let known: HashMap<_, _> = report.map(|report| report.profiles.into_iter().collect()).unwrap_or_default();
    move |id| known.get(id).copied().unwrap_or(Verdict::Unjudged)
}

/// Formats the fields of a profile: name, masked value, where it was set, what it shadows.
fn table(profile: &Profile, verdict: Verdict, loaded: &Loaded) -> String {
    let place = |spot: Spot| values::set_in(spot, &loaded.sources);
    let mut rows = vec![["FIELD", "VALUE", "STANDING", "SET IN", "SHADOWS"].map(str::to_owned)];
    for setting in &profile.settings {
        let shadows: Vec<String> = setting.shadows.iter().map(|shadow| place(shadow.at)).collect();
        let assessment = match &setting.state {
            State::Missing(_) => "missing",
            _ => summary::state(Assessment::from_setting(profile, setting).name().unwrap_or_default(), None),
        };
        rows.push([
            setting.field.name.to_owned(),
            value(setting),
            assessment.to_owned(),
            place(setting.at),
            shadows.join(", "),
        ]);
    }
    format!("{}\n{}verdict: {}\n", profile.id, values::columns(&rows), verdict.name())
}

fn value(setting: &Setting) -> String {
    let value = match &setting.state {
        State::Known(_) | State::List => setting.shown().unwrap_or_else(|| MASK.to_owned()),
        State::Opaque => "(not looked up)".to_owned(),
        State::Empty => "(empty)".to_owned(),
        State::Missing(_) => "(not found)".to_owned(),
        State::Refused(_) => "(not read)".to_owned(),
        State::Mistyped => "(wrong type)".to_owned(),
        State::Conflict(_) => "(set twice)".to_owned(),
    };
    match &setting.form {
        WrittenAs::Literal => value,
        WrittenAs::Env(name) => format!("{value} from env {name}"),
        WrittenAs::File(path) => format!("{value} from file {path}"),
    }
}
