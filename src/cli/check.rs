//! `credlint check`

use std::path::Path;

use super::args::{CheckArgs, no_effect};
use super::exit::Exit;
use super::output::{Notes, Outputs};
use super::search;
use super::settings::Settings;
use super::terminal::Terminal;
use crate::config::{ConfigError, Tuning};
use crate::file;
use crate::finding::Severity;
use crate::lint::baseline::Baseline;
use crate::lint::{self, CheckOptions, Override};
use crate::report::summary;
use crate::rules;
use crate::text;

/// The maximum size of a baseline file.
const MAX_BASELINE: u64 = 64 * 1024 * 1024;

/// Returns the exit code; as an error where the command stops before the check.
pub fn run(mut args: CheckArgs, settings: Settings, terminal: &Terminal) -> Result<Exit, Exit> {
    let usage = |message: String| terminal.fail(Exit::Usage, &message);
    let (report, baselines) = ((&args.report, args.config.verbose), [&args.baseline, &args.write_baseline]);
    let outputs = Outputs::from_args(report, baselines, &settings, terminal).map_err(usage)?;
    let unread = |error: ConfigError| outputs.unread(&error, Exit::Usage);
    let fail_on = args.report.fail_on;
    // Without anything to check, this directory is searched.
    let implied = has_no_input(&args) && settings.files(&args.config).is_empty() && settings.is_unconfigured();
    let implied = implied && settings.profiles(Vec::new()).is_ok_and(|profiles| profiles.is_empty());
    if implied {
        args.paths.push(".".into());
    }
    let plain = has_no_input(&args) && settings.files(&args.config).is_empty() && args.config.policy.is_none();
    let plain = plain && settings.profiles(Vec::new()).is_ok_and(|profiles| profiles.is_empty());
    let project = settings.project().filter(|_| plain && !implied);
    let (configured, chosen) = (is_configured(&args), !args.profile.is_empty());
    if let Some(message) = without_effect(&args, configured) {
        return Err(usage(message));
    }
    // The variable is a default for the configuration, and a search has none.
    let profiles = if configured { settings.profiles(args.profile.clone()).map_err(usage)? } else { Vec::new() };
    let overrides = overrides(&args.levels).map_err(usage)?;
    if let Some(unknown) = args.only.iter().find(|rule| rules::find(rule).is_none()) {
        return Err(usage(unknown_rule(unknown, rules::nearest(unknown))));
    }
    outputs.load_services(&settings, &args.config, configured)?;
    let given = args.baseline.as_deref().map(baseline).transpose().map_err(usage)?;
    let (no_allow, now, rules) = (args.no_allow, settings.now(), args.only.clone());
    let list_values = outputs.notes == Notes::Full;
    let mut options =
        CheckOptions { profiles, rules, fail_on, overrides, no_allow, list_values, now, ..CheckOptions::default() };
    if !configured {
        let policy = lint::load(&settings.load_policy(&args.config)).map_err(unread)?.policy;
        options.baseline = select_baseline(policy.as_ref(), args.baseline.as_deref(), given).map_err(usage)?;
        return search::run(&args, &settings, &outputs, options, implied);
    }
    let search = match &project {
        Some(project) => search::beside(project, &args, &settings, &outputs)?,
        None => args.environment.then(|| search::environment(&settings, &args.config, configured, &args.require)),
    };
    let mut load = settings.load(args.config);
    load.no_resolve = args.no_resolve;
    let loaded = outputs.load(&load)?;
    if let Ok(loaded) = &loaded {
        outputs.notes.announce(loaded, terminal);
        options.baseline = select_baseline(loaded.policy.as_ref(), args.baseline.as_deref(), given).map_err(usage)?;
    }
    let report = loaded.and_then(|loaded| match &search {
        Some(search) => lint::search_with_profiles(Some(&loaded), search, &options),
        None => lint::check(&loaded, &options).map(|report| (report, Vec::new())),
    });
    let (mut report, notices) = report.map_err(|error| unread(Settings::with_origin(error, chosen)))?;
    report.is_alone = !plain && search.is_none();
    outputs.notes.warn(&notices, terminal);
    Notes::list(&report, terminal);
    let exit = outputs.write(&report, Exit::from_report(&report, args.report.exit_zero));
    if outputs.hints()
        && let Some(more) = summary::more(&report)
    {
        terminal.note(&more);
    }
    Ok(exit)
}

/// Returns `true` if no argument says what to check.
fn has_no_input(args: &CheckArgs) -> bool {
    let configuration = !args.config.env_file.is_empty() || args.config.isolated || !args.profile.is_empty();
    let files = args.files.without_effect(&[]).is_some();
    let searching = args.list || files || !args.require.is_empty();
    args.paths.is_empty() && !(args.environment || configuration || args.no_resolve || searching)
}

/// Returns `true` if the configuration is checked, alone or together with the variables of the process.
fn is_configured(args: &CheckArgs) -> bool {
    let named = !args.config.config.is_empty() || !args.config.env_file.is_empty() || !args.profile.is_empty();
    args.paths.is_empty() && (named || !args.environment)
}

/// Returns what to say about an option that has no effect on what is checked. clap can't tell: it drops a `requires` if
/// the argument conflicts with another one.
fn without_effect(args: &CheckArgs, configured: bool) -> Option<String> {
    let stdin = args.paths.iter().any(|path| path == Path::new("-"));
    let file = args.paths.iter().any(|path| path != Path::new("-"));
    let config = "the configuration: add --config or --profile";
    let options = [
        ("--no-resolve", args.no_resolve, configured, config),
        ("--require", !args.require.is_empty(), args.environment, "the variables of the process: add --environment"),
        ("--list", args.list, file && !stdin, "files and directories: name one, and leave out `-`"),
    ];
    let first = options.into_iter().find(|&(_, given, acts, _)| given && !acts);
    let (option, purpose) = match first {
        Some((option, .., purpose)) => (option, purpose),
        None => args.files.without_effect(&args.paths)?,
    };
    Some(no_effect(option, purpose))
}

/// Returns the level overrides that -D, -W and -A ask for.
fn overrides(levels: &[(String, &'static str)]) -> Result<Vec<Override>, String> {
    let level = |(rule, level): &(String, &'static str)| {
        Override::new(rule, Severity::find(level)).map_err(|near| unknown_rule(rule, near))
    };
    levels.iter().map(level).collect()
}

fn unknown_rule(rule: &str, near: Option<&str>) -> String {
    match near {
        Some(near) => format!("unknown rule{}; did you mean `{near}`?", text::quoted(rule)),
        None => format!("unknown rule{}; run `credlint explain` for a list", text::quoted(rule)),
    }
}

fn baseline(path: &Path) -> Result<Baseline, String> {
    let (text, _) = file::read_text(path, MAX_BASELINE)
        .map_err(|error| format!("the baseline {} can't be read: {error}", text::path(path)))?;
    Baseline::parse(&text)
        .ok_or_else(|| format!("{} is not a baseline: write one with --write-baseline", text::file(path)))
}

/// Returns the baseline to use. If there is a policy, the policy names it: any other baseline could be part of the very
/// change under review.
fn select_baseline(
    policy: Option<&Tuning>,
    path: Option<&Path>,
    given: Option<Baseline>,
) -> Result<Option<Baseline>, String> {
    let Some(policy) = policy else { return Ok(given) };
    let same = |one: &Path, other: &Path| match (one.canonicalize(), other.canonicalize()) {
        (Ok(one), Ok(other)) => one == other,
        _ => false,
    };
    match (&policy.baseline, path) {
        (None, None) => Ok(None),
        (Some(named), None) => baseline(named).map(Some),
        (Some(named), Some(path)) if same(named, path) => Ok(given),
        (_, Some(path)) => Err(format!(
            "with --policy, only the baseline of the policy is used: add `baseline = \"…\"` to [lint] in the policy, or remove --baseline {}",
            text::path(path)
        )),
    }
}
