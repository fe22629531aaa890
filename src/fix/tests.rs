//! Tests fixes with hand-made findings, so that they don't depend on recognised forms.

use super::*;
use crate::config::Environment;
use crate::finding::Label;
use crate::schema::Role;
use crate::secret::MASK;

/// Returns the swapped file, or why the swap is refused.
fn swapped(name: &str, text: &str, env: &[(&str, &str)]) -> Result<String, String> {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join(name);
    std::fs::write(&path, text).unwrap();
    let mut load = LoadOptions::new(dir.path(), env.iter().copied().collect::<Environment>());
    let files = if name == ".env" { &mut load.env_files } else { &mut load.files };
    files.push(path);
    let loaded = lint::load(&load).unwrap_or_else(|error| panic!("{error}"));
    let mut report = lint::check(&loaded, &CheckOptions::default()).unwrap();
    let profile = &loaded.config.profiles[0];
    let settings = &profile.settings;
    let label = |role: Role| {
        let setting = settings.iter().find(|setting| setting.field.role == role).unwrap();
        Label { primary: role == Role::Secret, key: setting.key.clone(), text: String::new(), at: setting.at }
    };
    report.findings = vec![Finding {
        rule: "swapped-key-pair",
        severity: Severity::Error,
        profile: Some(profile.id.clone()),
        message: String::new(),
        help: String::new(),
        labels: vec![label(Role::Secret), label(Role::Identifier)],
    }];
    let mut round = Round::look(&loaded, &report, &Replaced::default(), &HashSet::new());
    match (round.edited.pop(), round.refused.pop()) {
        (Some((_, edited)), None) => Ok(edited.text.to_string()),
        (None, Some(refused)) => Err(refused.why),
        (edited, refused) => panic!("{} {refused:?}", edited.is_some()),
    }
}

#[test]
fn a_swap_moves_only_the_two_values() {
    for (name, before, after) in [
        (
            "a.toml",
            "# c\n[storage.b]\napplication_key_id = 'K005abc' # id\r\nbucket = 'n'\napplication_key = \"0051\\u0061\" # key\n",
            "# c\n[storage.b]\napplication_key_id = \"0051\\u0061\" # id\r\nbucket = 'n'\napplication_key = 'K005abc' # key\n",
        ),
        (
            "a.toml",
            "storage.b = { account_id = 'K005', master_application_key = '1a2b' }",
            "storage.b = { account_id = '1a2b', master_application_key = 'K005' }",
        ),
        (
            "a.yaml",
            "storage:\n  b:\n    application_key: 0051 # a\n    application_key_id: 'K''5'\n",
            "storage:\n  b:\n    application_key: 'K''5' # a\n    application_key_id: 0051\n",
        ),
        (
            "a.json",
            "{\"storage\":{\"b\":{\"account_id\": \"K\\/5\",\n\"master_application_key\":\"1a\"}}}",
            "{\"storage\":{\"b\":{\"account_id\": \"1a\",\n\"master_application_key\":\"K\\/5\"}}}",
        ),
        (
            ".env",
            "export CREDLINT_STORAGE__B__ACCOUNT_ID=K005 # a\nX=1\nCREDLINT_STORAGE__B__MASTER_APPLICATION_KEY='1a'",
            "export CREDLINT_STORAGE__B__ACCOUNT_ID='1a' # a\nX=1\nCREDLINT_STORAGE__B__MASTER_APPLICATION_KEY=K005",
        ),
    ] {
        assert_eq!(swapped(name, before, &[]).as_deref(), Ok(after), "{name}");
    }
}

#[test]
fn a_swap_needs_both_values_literally_in_one_file() {
    for (name, text, env, why) in [
        (
            "a.toml",
            "[storage.b]\napplication_key_id = 'K005'\napplication_key = { env = 'K' }\n",
            &[("K", "0051")][..],
            "a reference",
        ),
        (
            "a.toml",
            "[storage.b]\napplication_key_id = 'K005'\n",
            &[("CREDLINT_STORAGE__B__APPLICATION_KEY", "0051")],
            "the environment",
        ),
        (
            "a.yaml",
            "x: &x K005\nstorage:\n  b:\n    application_key_id: *x\n    application_key: '0051'\n",
            &[],
            "an alias",
        ),
        ("a.yaml", "storage:\n  b: &b {application_key_id: K005, application_key: '0051'}\n  c: *b\n", &[], "an alias"),
        (
            "a.yaml",
            "x: &x {application_key_id: K005}\nstorage:\n  b:\n    <<: *x\n    application_key: '0051'\n",
            &[],
            "an alias",
        ),
        (
            "a.yaml",
            "storage:\n  b:\n    application_key_id: >-\n      K005\n    application_key: '0051'\n",
            &[],
            "affect other values",
        ),
    ] {
        let refused = swapped(name, text, env).unwrap_err();
        assert!(refused.contains(why), "{text}: {refused}");
    }
}

#[test]
fn a_swap_is_described_and_debug_shows_no_text() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("a.toml");
    std::fs::write(&path, "[messaging.r]\nbase_url = 'https://h.example'\ntokn = 'Bearer xoxb-planted'\n").unwrap();
    let mut load = LoadOptions::new(dir.path(), Environment::default());
    load.files.push(path.clone());
    let plan = plan(&load, &CheckOptions::default()).unwrap();
    let shown = format!("{plan:?}");
    assert!(shown.contains(MASK) && !shown.contains("planted"), "{shown}");
    assert_eq!(plan.files[0].fixed.len(), 2);
    // A file that changed after the plan was made is not overwritten.
    std::fs::write(&path, "[messaging.r]\nbase_url = 'https://h.example'\ntokn = 'Bearer xoxb-Planted'\n").unwrap();
    assert!(matches!(plan.files[0].write(), Err(ReplaceError::Changed)));
    assert!(std::fs::read_to_string(&path).unwrap().contains("Bearer xoxb-Planted"));
}
