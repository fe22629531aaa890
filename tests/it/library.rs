//! The public interface of the library, where a table is clearer than runs of the program: layers, set and unset
//! values, levels, allows, baselines, names.

use credlint::{
    Baseline, Candidate, CheckOptions, Checkout, ConfigError, Environment, FileType, LoadOptions, Loaded, Override,
    Report, Search, Severity, Style, Verdict, rules,
};

use crate::harness::{FORMATS, Project};

/// The options of `load`, besides the files of a project.
#[derive(Default)]
struct Given<'a> {
    files: &'a [&'a str],
    env_files: &'a [&'a str],
    variables: &'a [(&'a str, &'a str)],
    policy: Option<&'a str>,
}

fn options(project: &Project, given: &Given<'_>) -> LoadOptions {
    let home = ("HOME".to_owned(), project.home().to_str().unwrap().to_owned());
    let variables = given.variables.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
    let mut options = LoadOptions::new(project.path(), variables.chain([home]).collect::<Environment>());
    options.files = given.files.iter().map(Into::into).collect();
    options.env_files = given.env_files.iter().map(Into::into).collect();
    options.policy = given.policy.map(Into::into);
    options
}

fn load(project: &Project, given: &Given<'_>) -> Result<Loaded, ConfigError> {
    credlint::load(&options(project, given))
}

fn check(project: &Project, given: &Given<'_>, options: &CheckOptions) -> Report {
    credlint::check(&load(project, given).unwrap(), options).unwrap()
}

fn found(report: &Report) -> Vec<&'static str> {
    report.findings.iter().map(|finding| finding.rule).collect()
}

/// The names of the sources that the findings of a rule point at.
fn sources(report: &Report, rule: &str) -> Vec<String> {
    let finding = report.findings.iter().find(|finding| finding.rule == rule);
    let labels = finding.into_iter().flat_map(|finding| &finding.labels);
    let names = labels.map(|label| report.sources.get(label.at.source).name.clone());
    names.map(|name| name.rsplit('/').next().unwrap().to_owned()).collect()
}

fn toml(text: &str) -> Project {
    Project::new().file("credlint.toml", text)
}

/// The layers by their printed names, from low to high.
const LAYERS: [&str; 5] = ["config.toml", "credlint.toml", "low.env", "high.env", "CREDLINT_MESSAGING__R__TOKEN"];

/// The value of a field of `messaging.r` in a layer; each layer has another one.
fn value(layer: usize, field: &str) -> String {
    match field {
        "base_url" => format!("http://layer-{layer}.example"),
        _ => format!("xoxb-{layer}{layer}{layer}{layer}-abcdefghijkl"),
    }
}

/// Checks a project in which these layers set these fields.
fn layered(fields: &[(usize, &str)]) -> Report {
    let of = |layer: usize| fields.iter().filter(move |(one, _)| *one == layer).map(|(_, field)| *field);
    let table = |layer: usize| {
        let lines: String = of(layer).map(|field| format!("{field} = \"{}\"\n", value(layer, field))).collect();
        if lines.is_empty() { lines } else { format!("[messaging.r]\n{lines}") }
    };
    let name = |field: &str| format!("CREDLINT_MESSAGING__R__{}", field.to_uppercase());
    let dotenv =
        |layer| of(layer).map(|field| format!("{}={}\n", name(field), value(layer, field))).collect::<String>();
    let project = Project::new().user(&table(0)).file("credlint.toml", table(1));
    let project = project.file("low.env", dotenv(2)).file("high.env", dotenv(3));
    let variables: Vec<(String, String)> = of(4).map(|field| (name(field), value(4, field))).collect();
    let variables: Vec<(&str, &str)> = variables.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
    let given = Given { env_files: &["low.env", "high.env"], variables: &variables, ..Given::default() };
    check(&project, &given, &CheckOptions::default())
}

#[test]
fn the_highest_layer_with_a_field_wins_and_records_the_lower_ones() {
    for set in 1..32_u32 {
        let layers: Vec<usize> = (0..5).filter(|layer| set & (1 << layer) != 0).rev().collect();
        let fields: Vec<_> = layers.iter().flat_map(|&layer| [(layer, "base_url"), (layer, "token")]).collect();
        let report = layered(&fields);
        // A message shows the address that is used.
        let address = report.findings.iter().find(|finding| finding.rule == "insecure-base-url").unwrap();
        assert!(address.message.ends_with(&value(layers[0], "base_url")), "{layers:?}: {address:?}");
        // The labels show all places of the token, from high to low.
        let expected: Vec<_> = layers.iter().filter(|_| layers.len() > 1).map(|&layer| LAYERS[layer]).collect();
        assert_eq!(sources(&report, "shadowed-credential"), expected, "{layers:?}");
    }
}

#[test]
fn layers_are_resolved_per_field() {
    for address in 0..5 {
        for token in 0..5 {
            let rules = found(&layered(&[(address, "base_url"), (token, "token")]));
            let has = |rule| rules.contains(&rule);
            assert!(has("insecure-base-url") && !has("malformed-address"), "{address} {token}: {rules:?}");
            assert!(!has("missing-token") && !has("shadowed-credential"), "{address} {token}: {rules:?}");
            // The secret is in the user configuration, and the project sets its destination.
            assert_eq!(has("redirected-credential"), token == 0 && address == 1, "{address} {token}");
            assert_eq!(has("literal-secret"), token == 1, "{address} {token}");
        }
    }
}

#[test]
fn named_files_win_in_order_and_replace_discovered_ones() {
    let file = |name: &str, layer: usize| {
        (name.to_owned(), format!("[messaging.r]\nbase_url = \"http://layer-{layer}.example\"\n"))
    };
    let all = ["a.toml", "b.toml", "c.toml"].iter().enumerate().map(|(layer, name)| file(name, layer));
    let project = all.fold(toml("[messaging.found]\n"), |project, (name, text)| project.file(&name, text));
    for (files, highest) in [
        (&["a.toml"][..], 0),
        (&["a.toml", "b.toml", "c.toml"], 2),
        (&["c.toml", "b.toml", "a.toml"], 0),
        (&["a.toml", "c.toml", "b.toml"], 1),
    ] {
        let loaded = load(&project, &Given { files, ..Given::default() }).unwrap();
        let layers: Vec<_> = loaded.layers().iter().map(|layer| layer.name.as_str()).collect();
        assert_eq!(layers, files);
        let ids: Vec<_> = loaded.profile_ids().iter().map(ToString::to_string).collect();
        assert_eq!(ids, ["messaging.r"]);
        let report = credlint::check(&loaded, &CheckOptions::default()).unwrap();
        let address = report.findings.iter().find(|finding| finding.rule == "insecure-base-url").unwrap();
        assert!(address.message.ends_with(&format!("layer-{highest}.example")), "{files:?}");
    }
}

/// Spellings of a missing, an empty and a wrong token, and their findings.
#[test]
fn absent_values_do_not_override_lower_layers_but_others_do() {
    let base = "  base_url: https://h.example\n    channels: [C0123456789]\n";
    let yaml = |token: &str| format!("messaging:\n  r:\n  {base}{token}");
    let absent: &[&str] = &["missing-token"];
    let good = "    token: { env: T }\n";
    for (upper, alone, above) in [
        ("", absent, &[][..]),
        ("    token:\n", absent, &[]),
        ("    token: ~\n", absent, &[]),
        ("    token: null\n", absent, &[]),
        ("    token: ''\n", &["empty-credential"], &["empty-credential"]),
        ("    token: { env: EMPTY }\n", &["empty-credential"], &["empty-credential"]),
        ("    token: { env: NOT_SET }\n", &["unresolved-reference"], &["unresolved-reference"]),
        ("    token: []\n", &["wrong-type"], &["wrong-type"]),
        ("    token: {}\n", &["wrong-type"], &["wrong-type"]),
        ("    token: { env: ~ }\n", &["wrong-type"], &["wrong-type"]),
        ("    token: { env: T, file: t }\n", &["conflicting-reference"], &["conflicting-reference"]),
        ("    token: '~'\n", &["literal-secret"], &["literal-secret", "shadowed-credential"]),
        ("    token: { env: T }\n", &[], &[]),
    ] {
        let project = Project::new().file("low.yaml", yaml(good)).file("high.yaml", yaml(upper));
        let variables = &[("T", "xoxb-0000000000-abcdefghijkl"), ("EMPTY", "")][..];
        for (files, expected) in [(&["high.yaml"][..], alone), (&["low.yaml", "high.yaml"], above)] {
            let given = Given { files, variables, ..Given::default() };
            let mut rules = found(&check(&project, &given, &CheckOptions::default()));
            rules.sort_unstable();
            assert_eq!(rules, expected, "{upper:?} over {files:?}");
        }
    }
}

#[test]
fn lists_are_replaced_and_allows_accumulate() {
    let base = "[messaging.r]\nbase_url = \"https://h.example\"\ntoken = { env = \"T\" }\n";
    let allow = |rule: &str| format!("[[lint.allow]]\nrule = \"{rule}\"\nprofile = \"r\"\nreason = \"by hand\"\n");
    let project = Project::new()
        .file("low.toml", format!("{base}channels = [\"#a\", \"#b\", \"#c\"]\n{}", allow("no-channels")))
        .file(
            "high.toml",
            format!("[messaging.r]\nchannels = [\"C0123456789\", \"#d\"]\n{}", allow("malformed-channel")),
        )
        .file("none.toml", "[messaging.r]\nchannels = []\n");
    let variables = &[("T", "xoxb-0000000000-abcdefghijkl")][..];
    let of = |files: &[&str]| {
        let report = check(&project, &Given { files, variables, ..Given::default() }, &CheckOptions::default());
        (found(&report), report.allowed.iter().map(|allowed| allowed.finding.rule).collect::<Vec<_>>())
    };
    assert_eq!(
        of(&["low.toml"]),
        (vec!["malformed-channel", "malformed-channel", "malformed-channel", "unused-allow"], vec![])
    );
    assert_eq!(of(&["low.toml", "high.toml"]), (vec!["unused-allow"], vec!["malformed-channel"]));
    assert_eq!(of(&["low.toml", "none.toml"]), (vec![], vec!["no-channels"]));
}

/// Levels: a later table takes precedence, then the command line from left to right, and a policy can only make them
/// stricter.
#[test]
fn the_level_of_a_finding_follows_the_precedence_of_levels() {
    let note = Some(Severity::Note);
    let warning = Some(Severity::Warning);
    let error = Some(Severity::Error);
    let over = |rule: &str, level| Override::new(rule, level).unwrap();
    for (low, high, overrides, policy, expected) in [
        (None, None, vec![], None, warning),
        (Some("error"), None, vec![], None, error),
        (Some("error"), Some("note"), vec![], None, note),
        (Some("off"), Some("error"), vec![], None, error),
        (None, Some("off"), vec![], None, None),
        (Some("error"), None, vec![over("no-channels", note)], None, note),
        (None, None, vec![over("no-channels", None)], None, None),
        (None, None, vec![over("no-channels", None), over("no-channels", error)], None, error),
        (None, None, vec![over("no-channels", error), over("no-channels", None)], None, None),
        (None, None, vec![over("malformed-channel", error)], None, warning),
        // All warnings: only what is a warning at that point.
        (None, None, vec![over("warnings", error)], None, error),
        (Some("error"), None, vec![over("warnings", None)], None, error),
        (Some("note"), None, vec![over("warnings", error)], None, note),
        (None, None, vec![over("no-channels", error), over("warnings", None)], None, error),
        (Some("error"), None, vec![over("no-channels", warning), over("warnings", note)], None, note),
        // A policy.
        (None, None, vec![], Some("error"), error),
        (None, None, vec![], Some("note"), warning),
        (Some("off"), None, vec![], Some("note"), note),
        (Some("off"), None, vec![], Some("warning"), warning),
        (Some("error"), None, vec![], Some("off"), error),
        (None, None, vec![over("no-channels", None)], Some("error"), error),
        (None, None, vec![over("no-channels", None)], Some("off"), None),
        // A policy that does not mention the rule implies its default level.
        (Some("off"), None, vec![], Some(""), warning),
        (None, None, vec![over("no-channels", error)], Some(""), error),
    ] {
        let lint = |level: Option<&str>| match level {
            None => String::new(),
            Some("") => "[lint]\n".to_owned(),
            Some(level) => format!("[lint]\nlevels = {{ no-channels = \"{level}\" }}\n"),
        };
        let text = "[messaging.r]\nbase_url = \"https://h.example\"\ntoken = { env = \"T\" }\n";
        let project = Project::new()
            .file("low.toml", format!("{text}{}", lint(low)))
            .file("high.toml", lint(high))
            .file("policy.toml", lint(policy));
        let given = Given {
            files: &["low.toml", "high.toml"],
            variables: &[("T", "xoxb-0000000000-abcdefghijkl")],
            policy: policy.map(|_| "policy.toml"),
            ..Given::default()
        };
        let mut options = CheckOptions::default();
        options.overrides.clone_from(&overrides);
        let report = check(&project, &given, &options);
        let what = format!("{low:?} {high:?} {overrides:?} {policy:?}");
        assert_eq!(report.findings.first().map(|finding| finding.severity), expected, "{what}");
        let verdict = match expected {
            Some(Severity::Error) => Verdict::Rejected,
            Some(Severity::Warning) => Verdict::Warned,
            _ => Verdict::Fits,
        };
        assert_eq!(report.profiles[0].1, verdict, "{what}");
        assert_eq!(report.fails(), expected == error, "{what}");
    }
}

#[test]
fn fail_on_follows_the_precedence_of_settings() {
    let (error, warning) = (Severity::Error, Severity::Warning);
    for (asked, stated, policy, expected) in [
        (None, None, None, error),
        (None, Some("warning"), None, warning),
        (None, Some("error"), None, error),
        (Some(error), Some("warning"), None, error),
        (Some(warning), Some("error"), None, warning),
        (Some(Severity::Note), None, None, Severity::Note),
        (None, None, Some("warning"), warning),
        (Some(error), None, Some("warning"), warning),
        (None, Some("error"), Some("warning"), warning),
        (None, Some("warning"), Some("error"), warning),
        (None, Some("warning"), Some(""), warning),
        (Some(warning), None, Some("error"), warning),
        (None, None, Some(""), error),
    ] {
        let lint = |word: Option<&str>| match word {
            None | Some("") => "[lint]\n".to_owned(),
            Some(word) => format!("[lint]\nfail_on = \"{word}\"\n"),
        };
        let project = toml(&lint(stated)).file("policy.toml", lint(policy));
        let given = Given { policy: policy.map(|_| "policy.toml"), ..Given::default() };
        let mut options = CheckOptions::default();
        options.fail_on = asked;
        assert_eq!(check(&project, &given, &options).fail_on, expected, "{asked:?} {stated:?} {policy:?}");
    }
}

/// An allow applies to a rule, and to all profiles or those with a name.
#[test]
fn an_allow_matches_by_rule_and_profile() {
    let profiles = "[storage.a]\n[storage.b-c]\n[messaging.a]\n";
    for (allow, left) in [
        ("rule = \"missing-key-pair\"", &["messaging.a"][..]),
        ("rule = \"missing-key-pair\"\nprofile = \"storage.a\"", &["messaging.a", "storage.b-c"]),
        ("rule = \"missing-key-pair\"\nprofile = \"a\"", &["messaging.a", "storage.b-c"]),
        ("rule = \"missing-key-pair\"\nprofile = \"b_c\"", &["messaging.a", "storage.a"]),
        ("rule = \"missing-key-pair\"\nprofile = \"storage.b_c\"", &["messaging.a", "storage.a"]),
        ("rule = \"missing-key-pair\"\nprofile = \"messaging.a\"", &["messaging.a", "storage.a", "storage.b-c"]),
        ("rule = \"missing-key-pair\"\nprofile = \"nobody\"", &["messaging.a", "storage.a", "storage.b-c"]),
        ("rule = \"missing-token\"", &["storage.a", "storage.b-c"]),
        ("rule = \"missing-token\"\nprofile = \"a\"", &["storage.a", "storage.b-c"]),
    ] {
        let project = toml(&format!("{profiles}[[lint.allow]]\n{allow}\nreason = \"by hand\"\n"));
        let mut options = CheckOptions::default();
        options.rules = ["missing-key-pair", "missing-token"].map(str::to_owned).to_vec();
        let report = check(&project, &Given::default(), &options);
        let found: Vec<_> = report.findings.iter().map(|found| found.profile.as_ref().unwrap().to_string()).collect();
        assert_eq!(found, left, "{allow}");
        options.no_allow = true;
        assert_eq!(check(&project, &Given::default(), &options).findings.len(), 3, "{allow}");
    }
    // Of two allows for it, the first one gives the reason, and neither is unused.
    let two = "[[lint.allow]]\nrule = \"missing-key-pair\"\nreason = \"the first\"\n[[lint.allow]]\nrule = \"missing-key-pair\"\nreason = \"the second\"\n";
    let report = check(&toml(&format!("[storage.a]\n{two}")), &Given::default(), &CheckOptions::default());
    assert!(report.findings.is_empty() && !report.fails(), "{:?}", report.findings);
    assert_eq!(report.allowed[0].reason, "the first");
    // An allowed finding remains a finding, so the profile is not known to fit.
    assert_eq!(report.profiles[0].1, Verdict::Unjudged);
}

#[test]
fn a_baseline_matches_known_findings() {
    let project = |text: &str| toml(text);
    let of = |text: &str, baseline: Option<Baseline>| {
        let mut options = CheckOptions::default();
        options.baseline = baseline;
        options.fail_on = Some(Severity::Note);
        check(&project(text), &Given::default(), &options)
    };
    let before = of("[storage.a]\n[storage.b]\n", None);
    assert!(before.fails() && before.baseline.is_none() && !before.is_known(0));
    let known = Baseline::parse(&before.to_baseline().to_json()).unwrap();
    for (text, new, gone) in [
        ("[storage.a]\n[storage.b]\n", vec![], vec![]),
        ("# lines move\n\n[storage.b]\nbucket = \"nightly\"\n[storage.a]\n", vec![], vec![]),
        ("[storage.a]\n[storage.b]\n[storage.c]\n", vec!["storage.c missing-key-pair"], vec![]),
        ("[storage.a]\n", vec![], vec!["storage.b missing-key-pair"]),
        (
            "[storage.a]\naccount_id = \"1a2b3c4d5e6f\"\n[storage.b]\n",
            vec!["storage.a incomplete-key-pair"],
            vec!["storage.a missing-key-pair"],
        ),
        (
            "[messaging.a]\n[storage.a]\n[storage.b]\n[lint]\nlevels = { missing-token = \"off\", malformed-address = \"off\", no-channels = \"off\" }\n",
            vec![],
            vec![],
        ),
        // A level does not change the identity of a finding.
        ("[storage.a]\n[storage.b]\n[lint]\nlevels = { missing-key-pair = \"note\" }\n", vec![], vec![]),
    ] {
        let report = of(text, Some(known.clone()));
        let all = report.findings.iter().enumerate();
        let unknown: Vec<String> = all
            .filter(|(index, _)| !report.is_known(*index))
            .map(|(_, finding)| format!("{} {}", finding.profile.as_ref().unwrap(), finding.rule))
            .collect();
        assert_eq!(unknown, new, "{text}");
        let left = report.baseline.as_ref().unwrap().gone.iter();
        let left: Vec<String> = left.map(|one| format!("{} {}", one.profile.as_ref().unwrap(), one.rule)).collect();
        assert_eq!(left, gone, "{text}");
        assert_eq!(report.fails(), !new.is_empty(), "{text}");
    }
    // The same place in another file is another place.
    let moved = Project::new().file("other.toml", "[storage.a]\n[storage.b]\n");
    let mut options = CheckOptions::default();
    options.baseline = Some(known);
    let report = check(&moved, &Given { files: &["other.toml"], ..Given::default() }, &options);
    assert_eq!(report.baseline.unwrap().gone.len(), 2);
    // With a policy, only the baseline that it names counts.
    let policy = moved.file("bare.toml", "[lint]\n").file("names.toml", "[lint]\nbaseline = \"known.json\"\n");
    for (name, counts) in [("bare.toml", false), ("names.toml", true)] {
        let given = Given { files: &["other.toml"], policy: Some(name), ..Given::default() };
        assert_eq!(check(&policy, &given, &options).baseline.is_some(), counts, "{name}");
    }
    for text in [
        "", "{}", "[]", "{\"schema\":\"credlint/baseline/v2\",\"findings\":[]}",
        "{\"schema\":\"credlint/baseline/v1\"}",
    ] {
        assert!(Baseline::parse(text).is_none(), "{text}");
    }
}

#[test]
fn a_report_counts_findings_and_verdicts() {
    let text = "[messaging.r]\nbase_url = \"https://h.example\"\ntoken = { env = \"T\" }\n[storage.a]\n[storage.b]\n";
    let variables = &[("T", "xoxb-0000000000-abcdefghijkl")][..];
    let report = check(&toml(text), &Given { variables, ..Given::default() }, &CheckOptions::default());
    assert_eq!([Severity::Error, Severity::Warning, Severity::Note].map(|severity| report.count(severity)), [2, 1, 0]);
    assert_eq!([0, 1, 2, 3].map(|index| report.is_failing(index)), [false, true, true, false]);
    assert!(report.fails() && !report.is_unanswered() && report.live_answers(&report.profiles[0].0).is_none());
    assert_eq!(
        report.profiles.iter().map(|(_, verdict)| verdict.name()).collect::<Vec<_>>(),
        ["warned", "rejected", "rejected"]
    );
}

/// A profile is chosen by its kind and name, or the name alone; `-` and `_` are one letter.
#[test]
fn profiles_are_selected_by_kind_and_name() {
    let project = toml("[messaging.a]\n[messaging.night-run]\n[storage.a]\n[storage.b]\n");
    let loaded = load(&project, &Given::default()).unwrap();
    let ids = loaded.profile_ids();
    for (name, called) in [
        ("messaging.a", &["messaging.a"][..]),
        ("a", &["messaging.a", "storage.a"]),
        ("night-run", &["messaging.night-run"]),
        ("night_run", &["messaging.night-run"]),
        ("messaging.night_run", &["messaging.night-run"]),
        ("storage.night-run", &[]),
        ("nightrun", &[]),
        ("storage", &[]),
        ("storage.", &[]),
        (".b", &[]),
        ("", &[]),
        ("B", &[]),
    ] {
        let found: Vec<_> = ids.iter().filter(|id| id.is_named(name)).map(ToString::to_string).collect();
        assert_eq!(found, called, "{name}");
        let mut options = CheckOptions::default();
        options.profiles = vec![name.to_owned()];
        match credlint::check(&loaded, &options) {
            Ok(report) => assert_eq!(report.profiles.iter().map(|(id, _)| id.to_string()).collect::<Vec<_>>(), called),
            Err(error) => {
                let code = if called.is_empty() { "unknown-profile" } else { "ambiguous-profile" };
                assert_eq!((called.len() == 1, error.problems[0].code.as_str()), (false, code), "{name}");
            }
        }
    }
    // In the order on the command line, each once; every mistake is reported.
    let mut options = CheckOptions::default();
    options.profiles = ["b", "night_run", "storage.b", "night-run"].map(str::to_owned).to_vec();
    let report = credlint::check(&loaded, &options).unwrap();
    assert_eq!(
        report.profiles.iter().map(|(id, _)| id.to_string()).collect::<Vec<_>>(),
        ["storage.b", "messaging.night-run"]
    );
    options.profiles = ["nobody", "b", "a"].map(str::to_owned).to_vec();
    let error = credlint::check(&loaded, &options).unwrap_err();
    assert_eq!(
        error.problems.iter().map(|problem| problem.code.as_str()).collect::<Vec<_>>(),
        ["unknown-profile", "ambiguous-profile"]
    );
    assert_eq!(error.to_string(), "there is no profile of that name; `a` could be `messaging.a` and `storage.a`");
}

/// The spelling of the highest file, or else of the first variable.
#[test]
fn a_profile_name_is_spelled_as_in_the_highest_file() {
    for (low, high, variable, spelled) in [
        ("night-run", "night_run", "NIGHT_RUN", "night_run"),
        ("night_run", "night-run", "NIGHT_RUN", "night-run"),
        ("night-run", "", "NIGHT_RUN", "night-run"),
        ("", "night-run", "NIGHT_RUN", "night-run"),
        ("", "", "NIGHT_RUN", "night_run"),
    ] {
        let table = |name: &str| if name.is_empty() { String::new() } else { format!("[storage.{name}]\n") };
        let project = Project::new().file("low.toml", table(low)).file("high.toml", table(high));
        let name = format!("CREDLINT_STORAGE__{variable}__BUCKET");
        let given = Given { files: &["low.toml", "high.toml"], variables: &[(&name, "nightly")], ..Given::default() };
        let ids = load(&project, &given).unwrap().profile_ids();
        assert_eq!(ids.iter().map(ToString::to_string).collect::<Vec<_>>(), [format!("storage.{spelled}")]);
    }
}

#[test]
fn an_unused_allow_that_ends_soon_only_matches_nothing() {
    let allow = "[storage.x]\nbucket = 'nightly'\n[[lint.allow]]\nrule = 'no-channels'\nprofile = 'storage.x'\n";
    let project = toml(&format!("{allow}until = 1970-01-10\nreason = 'a'\n"));
    let mut options = CheckOptions::default();
    options.now = Some(std::time::UNIX_EPOCH);
    let report = check(&project, &Given::default(), &options);
    let unused = report.findings.iter().filter(|finding| finding.rule == "unused-allow");
    let messages: Vec<&str> = unused.map(|finding| finding.message.as_str()).collect();
    assert_eq!(messages, ["this allow for `no-channels` matches no finding"]);
}

#[test]
fn rules_are_found_by_id() {
    for (id, nearest) in [
        ("no-channels", Some("no-channels")),
        ("no_channels", Some("no-channels")),
        ("no-chanels", Some("no-channels")),
        // Two ids have the word.
        ("mixed", None),
        ("warnings", None),
        ("", None),
    ] {
        assert_eq!(rules::nearest(id), nearest, "{id}");
    }
    assert!(rules::find("no-channels").is_some() && rules::find("no_channels").is_none());
    assert!(rules::find("dead-credential").is_none() && rules::meta("dead-credential").is_some());
    assert_eq!(rules::meta("no-channels").unwrap().severity, Severity::Warning);
    assert!(rules::meta("warnings").is_none());
    assert_eq!(Override::new("no-chanels", None), Err(Some("no-channels")));
    assert_eq!(Override::new("dead-credential", None), Err(None));
    assert!(Override::new("warnings", None).is_ok() && Override::new("no-channels", None).is_ok());
}

#[test]
fn an_environment_contains_only_the_given_variables() {
    let environment = Environment::from_iter([("A", "1"), ("B", "2"), ("A", "3")]);
    assert_eq!(environment.get("A").unwrap(), "3");
    assert!(environment.get("a").is_none() && environment.get("C").is_none());
    assert_eq!(format!("{environment:?}"), "Environment(3 variables)");
}

/// The library provides what the command writes, in every format, and nothing that the command never shows.
#[test]
fn library_output_matches_the_command_in_every_format() {
    let text = "[messaging.r]\nbase_url = \"http://h.example\"\ntoken = \"xoxb-0000000000-abcdefghijkl\"\n[storage.\"##[a\"]\n";
    for text in [text, "[messaging.r]\nbase_url = \"http://h.example\"\n[storage.a]\n", "[storage"] {
        let project = toml(text);
        let checkout = Checkout::new(project.path());
        let load = LoadOptions::new(project.path(), Environment::from_iter([("HOME", project.home())]));
        let checked = credlint::load(&load).and_then(|loaded| credlint::check(&loaded, &CheckOptions::default()));
        let formats = |name: &str| match (&checked, name) {
            (Ok(report), "json") => report.to_json(),
            (Ok(report), "sarif") => report.to_sarif(&checkout),
            (Ok(report), "gitlab") => report.to_gitlab(&checkout),
            (Ok(report), "github") => report.to_github(&checkout),
            (Ok(report), "concise") => report.to_concise(),
            (Ok(report), _) => report.to_human(Style { color: false, width: 100, unicode: true }),
            (Err(error), "json") => error.to_json(),
            (Err(error), "sarif") => error.to_sarif(&checkout),
            (Err(error), "gitlab") => error.to_gitlab(&checkout),
            (Err(error), "github") => error.to_github(&checkout),
            (Err(error), "concise") => error.to_concise(),
            (Err(error), _) => error.to_human(Style { color: false, width: 100, unicode: true }),
        };
        for name in FORMATS {
            let summary = project.dir.path().join("summary");
            let mut command = project.command(&["check", "--format", name, "--output", "report"]);
            command.env("GITHUB_STEP_SUMMARY", &summary);
            crate::harness::Run::of(command);
            let written = std::fs::read_to_string(project.path().join("report")).unwrap();
            assert_eq!(formats(name), written, "{name} of {text}");
            if name == "github" {
                let own = checked.as_ref().map_or_else(ConfigError::to_github_summary, Report::to_github_summary);
                assert_eq!(own, std::fs::read_to_string(&summary).unwrap());
            }
        }
    }
}

#[test]
fn a_search_can_be_built_step_by_step() {
    let webhook = "https://hooks.slack.com/services/T01234567/B01234567/AbCdEfGhIjKlMnOpQrStUvWx";
    let project = Project::new()
        .file("a.env", format!("SLACK_BOT_TOKEN={webhook}\n"))
        .file("credlint.toml", "[storage.x]\n")
        .file("policy.toml", "[lint]\nfail_on = \"warning\"\n");
    let file_type = FileType::named("env").unwrap();
    let search = Search::new(project.path())
        .with_files([Candidate::new(project.path().join("a.env"), file_type)])
        .with_configurations([project.path().join("credlint.toml")])
        .with_text(format!("SLACK_BOT_TOKEN={webhook}\n"), file_type)
        .with_environment(Environment::from_iter([("SLACK_BOT_TOKEN", webhook)]))
        .with_root(project.path())
        .with_isolated(true)
        .with_policy(project.path().join("policy.toml"));
    let (report, notices) = credlint::search(&search, &CheckOptions::default()).unwrap();
    let found = |rule: &str| report.findings.iter().filter(|finding| finding.rule == rule).count();
    assert_eq!((found("wrong-credential"), found("missing-key-pair")), (3, 1), "{}", report.to_concise());
    assert_eq!((report.fail_on, notices.len()), (Severity::Warning, 0));
    let tally = report.search_stats.unwrap();
    assert_eq!((tally.files, tally.variables), (3, 1));
    // Identifying a value needs only types of the standard library.
    assert!(credlint::identify(&[webhook]).relation.is_none());
}

#[test]
fn options_can_be_built_step_by_step() {
    let project = Project::new()
        .file("a.toml", "[storage.a]\n[storage.b]\n")
        .file("b.env", "CREDLINT_STORAGE__C__BUCKET=nightly\n")
        .file("policy.toml", "[lint]\nlevels = { missing-key-pair = \"note\" }\n");
    // What is isolated reads no variables.
    let unread = Environment::from_iter([("CREDLINT_STORAGE__A__APPLICATION_KEY", "mine")]);
    let load = LoadOptions::new(project.path(), unread)
        .with_files(["a.toml"])
        .with_env_files(["b.env"])
        .with_isolated(true)
        .with_no_resolve(true)
        .with_root(project.path());
    let loaded = credlint::load(&load).unwrap();
    let options = CheckOptions::default().with_profiles(["a", "c"]).with_rules(["missing-key-pair"]);
    let report = credlint::check(&loaded, &options).unwrap();
    assert_eq!((found(&report).len(), report.resolved, report.fails()), (2, false, true));
    let known = options.clone().with_baseline(report.to_baseline());
    assert!(!credlint::check(&loaded, &known).unwrap().fails());
    let noted = options.clone().with_overrides([Override::new("missing-key-pair", Some(Severity::Note)).unwrap()]);
    assert!(!credlint::check(&loaded, &noted).unwrap().fails());
    assert!(credlint::check(&loaded, &noted.with_fail_on(Severity::Note).with_no_allow(true)).unwrap().fails());
    // A policy can't be overridden.
    let loaded = credlint::load(&load.with_policy("policy.toml")).unwrap();
    assert_eq!(credlint::check(&loaded, &options).unwrap().findings[0].severity, Severity::Error);
}

/// A configuration, a file and variables are checked in one run, and the report has what each of them gave.
#[test]
fn report_of_several_inputs_includes_all_of_them() {
    let webhook = "https://hooks.slack.com/services/T01234567/B01234567/AbCdEfGhIjKlMnOpQrStUvWx";
    let token = "xoxb-123456789012-1234567890123-AbCdEfGhIjKlMnOpQrStUvWx";
    let project = Project::new()
        .file("a.env", format!("SLACK_BOT_TOKEN={token}\nSLACK_APP_TOKEN={webhook} # credlint: allow(wrong-credential) a\n"))
        .file(
            "credlint.toml",
            format!("[lint]\nfail_on = \"warning\"\n[messaging.r]\ntoken = {{ env = \"T\" }}\nchannels = [\"C0123456789\"]\n[messaging.s]\ntoken = \"{token}\" # credlint: allow(literal-secret) a\nchannels = [\"C0123456789\"]\n"),
        )
        .file("policy.toml", "[lint]\nlevels = { none-such = \"off\" }\n");
    let search = || {
        Search::new(project.path())
            .with_files([Candidate::new(project.path().join("a.env"), FileType::named("env").unwrap())])
            .with_configurations([project.path().join("credlint.toml")])
            .with_environment(Environment::from_iter([("SLACK_BOT_TOKEN", token)]))
    };
    let checked = |search: &Search| credlint::search(search, &CheckOptions::default()).unwrap().0;
    let report = checked(&search());
    let layers: Vec<&str> = report.layers.iter().map(|layer| layer.name.rsplit('/').next().unwrap()).collect();
    assert_eq!(layers, ["credlint.toml", "a.env"]);
    let profiles: Vec<String> = report.profiles.iter().map(|(id, verdict)| format!("{id} {verdict:?}")).collect();
    assert_eq!(profiles, ["messaging.r Rejected", "messaging.s Rejected", "app.slack Unjudged", "app.slack Fits"]);
    let anchors: Vec<String> = report.anchors.iter().map(|(id, _)| id.to_string()).collect();
    assert_eq!(anchors, ["messaging.r", "messaging.s", "app.slack", "app.slack"]);
    assert_eq!((report.not_looked_up, report.resolved, report.fail_on), (1, false, Severity::Warning));
    assert_eq!((found(&report), report.allowed.len()), (vec!["malformed-address"; 2], 2));
    let tally = report.search_stats.unwrap();
    assert_eq!((tally.files, tally.variables, tally.recognised, tally.refused), (2, 1, 3, 0));
    // The levels of the directory's configuration apply, and each configuration says itself when it fails.
    let other = Project::new()
        .file("credlint.toml", "[lint.levels]\nwrong-credential = \"off\"\n")
        .file("b/credlint.toml", "[lint]\nfail_on = \"warning\"\n[storage.x]\n");
    let text = format!("SLACK_BOT_TOKEN={webhook}\n");
    let env = FileType::named("env").unwrap();
    let both = checked(
        &Search::new(other.path()).with_configurations([other.path().join("b/credlint.toml")]).with_text(text, env),
    );
    assert_eq!((found(&both), both.fail_on), (vec!["missing-key-pair"], Severity::Warning));
    // A variable that no service knows is of no profile.
    let unknown = Environment::from_iter([("INTERNAL_TOKEN", "****")]);
    let unknown = checked(&Search::new(other.path()).with_environment(unknown));
    assert!(!unknown.findings.is_empty(), "{}", unknown.to_concise());
    assert!(unknown.findings.iter().all(|finding| finding.profile.is_none()), "{}", unknown.to_concise());
    // The flaws of a policy are reported once.
    let flawed = checked(&search().with_policy(project.path().join("policy.toml")));
    assert_eq!(found(&flawed).iter().filter(|rule| **rule == "unknown-field").count(), 1, "{}", flawed.to_concise());
}

/// Only the hosted service's tokens have a known form: elsewhere a token may look made up, but no server issues what a
/// console masked.
#[test]
fn self_hosted_servers_may_issue_tokens_that_look_made_up() {
    let right = "xoxb-123456789012-1234567890123-AbCdEfGhIjKlMnOpQrStUvWx";
    let (made_up, short) = (&["placeholder-credential"][..], &["malformed-credential"][..]);
    for (address, tokens) in [
        ("https://slack.com", [made_up, made_up, made_up, made_up, short, &[]]),
        ("https://chat.example.com", [&[], made_up, made_up, made_up, &[], &[]]),
        ("http://localhost:8065", [&[][..]; 6]),
    ] {
        let values = ["xoxb-test", "your-token", "****", "xoxb-", "xoxb-1234-abc", right];
        for (token, rules) in values.into_iter().zip(tokens) {
            let text = "[messaging.r]\ntoken = { env = \"T\" }\nchannels = [\"C0123456789\"]\n";
            let project = toml(&format!("{text}base_url = \"{address}\"\n"));
            let report =
                check(&project, &Given { variables: &[("T", token)], ..Given::default() }, &CheckOptions::default());
            assert_eq!(found(&report), rules, "{address} {token}");
        }
    }
}

/// A value in a file may still be expanded; a value in a process is what its program gets.
#[test]
fn values_in_files_may_still_be_expanded() {
    let rules = |text: &str, file_type: &str| {
        let search = Search::new(std::env::temp_dir()).with_isolated(true);
        let search = search.with_text(text, FileType::named(file_type).unwrap());
        let (report, _) = credlint::search(&search, &CheckOptions::default()).unwrap();
        let found = report.findings.iter().map(|finding| format!("{} {}", finding.severity, finding.rule));
        found.collect::<Vec<_>>().join(", ")
    };
    let reference = ["note unexpanded-reference", "error unexpanded-reference"];
    let made_up = ["note placeholder-credential", "error placeholder-credential"];
    let (quoted, spaced) = ("warning malformed-credential", "note malformed-credential");
    for (text, file, process) in [
        ("REDIS_URL=redis://:${PASS}@cache:6379", "", reference[0]),
        ("DATABASE_URL=${URL}", "", reference[1]),
        ("OPENAI_API_KEY=sk-test\nOPENAI_BASE_URL=https://llm.example.com/v1", "", ""),
        ("OPENAI_API_KEY=****\nOPENAI_BASE_URL=https://llm.example.com/v1", made_up[0], made_up[0]),
        ("SMTP_PASSWORD=\"a b c\"\nSMTP_HOST=mail.example.com", "", quoted),
        ("SMTP_PASSWORD=\"a b c\"\nSMTP_HOST=smtp.sendgrid.net", "error wrong-credential", quoted),
        ("GOOGLE_APPLICATION_CREDENTIALS=/run/key.json", "", ""),
        ("GOOGLE_APPLICATION_CREDENTIALS=\"/run/key.json\"", "", quoted),
        ("SLACK_WEBHOOK_URL=https://chat.example.com/hooks/abc", "", ""),
        ("SMTP_HOST=mail.example.com\nSMTP_PASSWORD= abc ", "", spaced),
        (
            "GOOGLE_APPLICATION_CREDENTIALS={\"type\":\"service_account\"}",
            "note wrong-credential",
            "note wrong-credential",
        ),
        ("TWILIO_API_KEY=SK0123456789abcdef0123456789abcdef\nTWILIO_ACCOUNT_SID=", "", "note incomplete-credentials"),
        (
            "TWILIO_API_KEY=SK0123456789abcdef0123456789abcdef\nTWILIO_ACCOUNT_SID=AC0123456789abcdef0123456789abcdef",
            "",
            "",
        ),
        ("STRIPE_SECRET_KEY=sk_test_dummy", made_up[0], made_up[0]),
        ("STRIPE_SECRET_KEY=sk_live_xxxxxxxxxxxx", made_up[1], made_up[1]),
    ] {
        assert_eq!(rules(&format!("{text}\n"), "env"), file, "{text}");
        assert_eq!(rules(&text.replace('\n', "\0"), "env0"), process, "{text}");
    }
}

/// The name of a bucket may be in capitals, as that of a variable is.
#[test]
fn bucket_name_in_capitals_is_not_a_reference() {
    for (bucket, rules) in [
        ("nightly", &[][..]),
        ("NIGHTLY_BACKUPS", &["malformed-address"]),
        // Variables of credentials end so.
        ("NIGHTLY_KEY", &["malformed-address"]),
        ("${BUCKET}", &["unexpanded-reference"]),
        ("$BUCKET", &["unexpanded-reference"]),
    ] {
        let pair = "application_key_id = { env = \"I\" }\napplication_key = { env = \"K\" }\n";
        let project = toml(&format!("[storage.x]\nbucket = \"{bucket}\"\n{pair}"));
        let variables = [("I", "0051a2b3c4d5e6f0000000001"), ("K", "K005abcdefghijklmnopqrstuvwxyz1")];
        let report = check(&project, &Given { variables: &variables, ..Given::default() }, &CheckOptions::default());
        assert_eq!(found(&report), rules, "{bucket}");
    }
}

/// A value that many issue, or that has no certain form, may be right, and one that belongs nowhere here is not.
#[test]
fn a_value_of_a_profile_is_wrong_if_it_certainly_belongs_elsewhere() {
    let right = "xoxb-123456789012-1234567890123-AbCdEfGhIjKlMnOpQrStUvWx";
    let app = "[app.a]\nbot_token = { env = \"T\" }\nsigning_secret = { env = \"V\" }\n";
    let bucket = "[storage.b]\napplication_key_id = { env = \"I\" }\napplication_key = { env = \"K\" }\nbucket = \"whsec_0123456789abcdefghijklmnopqrstuv\"\n";
    let key = "[storage.k]\napplication_key_id = { env = \"I\" }\napplication_key = { env = \"V\" }\n";
    let elsewhere = format!("{key}endpoint = \"https://s3.example.com\"\n");
    let token = |host: &str, token: &str| {
        format!(
            "[messaging.m]\nbase_url = \"https://{host}\"\nchannels = [\"C0123456789\"]\ntoken = {{ env = \"{token}\" }}\n"
        )
    };
    let comment = token("chat.example.com", "T") + "initial_comment = \"REPORT_URL=https://chat.example.com/1\"\n";
    let (hosted, own) = (token("slack.com", "V"), token("chat.example.com", "V"));
    let of_many = "whsec_0123456789abcdefghijklmnopqrstuv";
    for (text, value, rules) in [
        (app, of_many, &[][..]),
        // A client ID, as other numbers look, too.
        (app, "123456789012.1234567890123", &[]),
        (app, right, &["wrong-credential"]),
        (app, "https://slack.com/api", &["foreign-credential"]),
        (app, "https://example.com/x", &["foreign-credential"]),
        (bucket, "", &["foreign-credential"]),
        (key, "https://example.com/x", &["foreign-credential"]),
        (&elsewhere, "https://example.com/x", &["foreign-credential"]),
        // 42 hex digits, which another server need not have issued.
        (&elsewhere, "0050123456789abcdef0123456789abcdef0123456,", &[]),
        (&comment, "", &[]),
        // The length is known only for the forms that belong there.
        (&hosted, "ghp_aB3dE5gHiJ", &["unrecognised-credential"]),
        (&own, "ghp_aB3dE5gHiJ", &[]),
        (&own, "two words", &["malformed-credential"]),
    ] {
        let (id, key) = ("0051a2b3c4d5e6f0000000001", "K005abcdefghijklmnopqrstuvwxyz1");
        let variables = &[("T", right), ("I", id), ("K", key), ("V", value)][..];
        let report = check(&toml(text), &Given { variables, ..Given::default() }, &CheckOptions::default());
        assert_eq!(found(&report), rules, "{value}\n{text}");
    }
}

/// What fits must be known to fit.
#[test]
fn undocumented_pairs_are_not_judged() {
    let pair = "[storage.a]\napplication_key_id = { env = \"I\" }\napplication_key = { env = \"K\" }\n";
    for (id, verdict) in
        [("0051a2b3c4d5e6f0000000001", Verdict::Fits), ("0051a2b3c4d5e6f0000000000", Verdict::Unjudged)]
    {
        let variables = &[("I", id), ("K", "K005abcdefghijklmnopqrstuvwxyz1")][..];
        let report = check(&toml(pair), &Given { variables, ..Given::default() }, &CheckOptions::default());
        assert_eq!((found(&report), report.profiles[0].1), (vec![], verdict), "{id}");
    }
}

/// A mistyped table, field or variable gives one finding, which says what it is.
#[test]
fn a_name_in_the_wrong_place_is_one_finding() {
    let reports = "[messaging.reports]\nbase_url = 'https://chat.example.com'\ntoken = { env = 'T' }\n";
    let (channels, backups) = (format!("{reports}channels = ['C0123456789']\n"), "[storage.backups]\n");
    let pair = "application_key_id = '0051a2b3c4d5e6f0000000001'\napplication_key = { env = 'K' }\n";
    let (id, key) = ("0051a2b3c4d5e6f0000000001", "K005abcdefghijklmnopqrstuvwxyz1");
    let whole = format!("{backups}{pair}");
    for (text, variables, messages) in [
        (
            format!("{reports}channels = '#general'\n"),
            &[][..],
            &["`messaging.reports.channels`: expected a list of strings, found a string"][..],
        ),
        (channels.replace("'T'", "3"), &[], &["`messaging.reports.token.env`: expected a string, found a number"]),
        // Of similar names, one is misspelt if its profile is not whole.
        (
            channels.clone(),
            &[("CREDLINT_MESSAGING__REPORST__TOKEN", "mine")],
            &["unknown variable `CREDLINT_MESSAGING__REPORST__TOKEN`"],
        ),
        (
            whole.clone(),
            &[("CREDLINT_STORAGE__BACKPUS__APPLICATION_KEY", key)],
            &["unknown variable `CREDLINT_STORAGE__BACKPUS__APPLICATION_KEY`"],
        ),
        (
            whole,
            &[
                ("CREDLINT_STORAGE__BACKPUS__APPLICATION_KEY", key),
                ("CREDLINT_STORAGE__BACKPUS__APPLICATION_KEY_ID", id),
            ],
            &[],
        ),
        (
            "[app.deploybot]\nbot_token = { env = 'T' }\n".to_owned(),
            &[("CREDLINT_APP__DEPLOYBTO__SIGNING_SECRET", "mine")],
            &[],
        ),
        (
            format!("[storage.a.b]\n{pair}[storage.a.c]\n{pair}"),
            &[],
            &["unknown table `storage.a.b`", "unknown table `storage.a.c`"],
        ),
        (format!("[storage]\n{pair}"), &[], &["`storage.application_key_id` is outside a profile"]),
        (format!("[storage.bucket]\n{pair}"), &[], &[]),
    ] {
        let token = ("T", "xoxb-123456789012-1234567890123-AbCdEfGhIjKlMnOpQrStUvWx");
        let variables: Vec<_> = [token, ("K", key)].iter().chain(variables).copied().collect();
        let given = Given { variables: &variables, ..Given::default() };
        let report = check(&toml(&text), &given, &CheckOptions::default());
        let found: Vec<&str> = report.findings.iter().map(|finding| finding.message.as_str()).collect();
        assert_eq!(found, messages, "{text}");
    }
}

/// A bucket's ID is not part of a pair, whatever is next to it.
#[test]
fn bucket_id_and_key_are_not_a_pair() {
    for (fields, message) in [
        (
            ["application_key_id", "master_application_key"],
            "`application_key_id` of `storage.a` holds a bucket ID, not a keyID",
        ),
        (
            ["application_key_id", "application_key"],
            "`storage.a` has fields of both key pairs, and the values of `application_key_id` and `application_key` do not belong together",
        ),
    ] {
        let [id, key] = fields;
        let third = if key == "application_key" { "account_id = \"1a2b3c4d5e6f\"\n" } else { "" };
        let text = format!("[storage.a]\n{id} = {{ env = \"I\" }}\n{key} = {{ env = \"K\" }}\n{third}");
        let variables = &[("I", "85644d98debc657d880b0e1e"), ("K", "K005abcdefghijklmnopqrstuvwxyz1")][..];
        let report = check(&toml(&text), &Given { variables, ..Given::default() }, &CheckOptions::default());
        let messages: Vec<&str> = report.findings.iter().map(|finding| finding.message.as_str()).collect();
        assert_eq!(messages, [message]);
    }
}

/// No service issues an address as a key or a token, whatever address it is.
#[test]
fn address_is_not_a_key() {
    let addresses = [
        "https://example.com/x",
        "https://slack.com/api",
        "redis://h.example.com:6379",
        "https://app.datadoghq.eu",
        "postgresql://postgres:pw@db.abcdefghijklmnopqrst.supabase.co:5432/postgres",
    ];
    for name in [
        "STRIPE_SECRET_KEY", "GITHUB_TOKEN", "SLACK_BOT_TOKEN", "SLACK_SIGNING_SECRET", "TWILIO_AUTH_TOKEN",
        "OPENAI_API_KEY", "SUPABASE_ANON_KEY", "DISCORD_TOKEN", "B2_APPLICATION_KEY",
    ] {
        for address in addresses {
            let search = Search::new(std::env::temp_dir()).with_isolated(true);
            let search = search.with_environment(Environment::from_iter([(name, address)]));
            let (report, _) = credlint::search(&search, &CheckOptions::default()).unwrap();
            assert_eq!(report.count(Severity::Error), 1, "{name}={address}: {}", report.to_concise());
        }
    }
}

/// C programs read the first variable with a name, and shells the last.
#[test]
fn each_of_two_variables_with_one_name_is_checked() {
    let (id, key) = ("0051a2b3c4d5e6f0000000001", "K0057391842650abcdefghijklmnop/");
    let rules = |variables: &[(&str, &str)]| {
        let search = Search::new(std::env::temp_dir())
            .with_isolated(true)
            .with_environment(variables.iter().copied().collect::<Environment>());
        let (report, _) = credlint::search(&search, &CheckOptions::default()).unwrap();
        report.findings.iter().map(|finding| finding.rule).collect::<Vec<_>>()
    };
    let pair = |ids: [&'static str; 2]| {
        [("B2_APPLICATION_KEY_ID", ids[0]), ("B2_APPLICATION_KEY", key), ("B2_APPLICATION_KEY_ID", ids[1])]
    };
    assert_eq!(rules(&pair([id, id])), Vec::<&str>::new());
    assert_eq!(rules(&pair([id, "1a2b3c4d5e6f"])), ["mixed-credentials"]);
    assert_eq!(rules(&pair(["1a2b3c4d5e6f", id])), ["mixed-credentials"]);
    // Each problem is reported once.
    let beside = [("SLACK_BOT_TOKEN", "https://hooks.slack.com/services/T0/B0/abc"), ("A", "1"), ("A", "2")];
    assert_eq!(rules(&beside), ["wrong-credential"]);
}
