//! The patterns of `.pre-commit-hooks.yaml`, from the table of names that a search reads.

use std::path::Path;

use regex::bytes::RegexBuilder;

use super::configuration::has_configuration_name;
use super::file_type::{COPIES, ENDINGS, FAMILIES, FileType, LOCKS, OTHERS, known_names};

/// Returns the patterns for `files` and `exclude`, in a syntax that Python has, too.
fn patterns() -> [String; 2] {
    let either = |words: &[&str]| words.iter().map(|word| regex::escape(word)).collect::<Vec<_>>().join("|");
    let known: Vec<&str> = known_names().map(|(name, _)| *name).collect();
    let endings: Vec<&str> = ENDINGS.iter().map(|(name, _)| *name).collect();
    let (known, endings, copies, families) = (either(&known), either(&endings), either(COPIES), either(FAMILIES));
    let files = format!(
        r"(?i)(^|/)({known}|\.envs/(.*/)?\.?[^/.]+|\.?env[._-][^/]*|[^/]*\.env(\.[^/]*)?|({families})([._-][^/]*)?|[^/]+\.({families})|[^/]*\.({endings})(\.({copies}))*)$"
    );
    let exclude = format!(
        r"(?i)(^|/)(({})|(\.?env|[^/]*\.env|({families}))([._-][^/]*)?\.({})(\.({copies}))*|\.config)$",
        either(LOCKS),
        either(OTHERS)
    );
    [files, exclude]
}

/// `UPDATE_DOCS=1` writes them.
#[test]
fn hook_gets_the_names_that_a_search_reads() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(".pre-commit-hooks.yaml");
    let (text, patterns) = (std::fs::read_to_string(&path).unwrap(), patterns());
    let mut expected = String::new();
    for line in text.lines() {
        let key = ["files", "exclude"].iter().position(|key| line.starts_with(&format!("  {key}: ")));
        let line = key.map(|at| format!("  {}: '{}'", ["files", "exclude"][at], patterns[at]));
        expected += &(line.unwrap_or_else(|| text.lines().nth(expected.lines().count()).unwrap().to_owned()) + "\n");
    }
    #[expect(clippy::disallowed_methods, reason = "a test of the program's files")]
    let update = std::env::var_os("UPDATE_DOCS").is_some();
    if update {
        std::fs::write(&path, &expected).unwrap();
    } else {
        assert_eq!(text, expected, "run with UPDATE_DOCS=1");
    }
    let compiled = patterns.map(|pattern| RegexBuilder::new(&pattern).unicode(false).build().unwrap());
    let gets = |name: &str| compiled[0].is_match(name.as_bytes()) && !compiled[1].is_match(name.as_bytes());
    let known = known_names().map(|(name, _)| (*name).to_owned());
    let endings =
        ENDINGS.iter().flat_map(|(ending, _)| ["a", "", "values.prod"].map(|stem| format!("{stem}.{ending}")));
    let mut names: Vec<String> = known.chain(endings).collect();
    names
        .extend(COPIES.iter().flat_map(|copy| [format!("a.yaml.{copy}"), format!(".env.{copy}"), format!("a.{copy}")]));
    names.extend(
        OTHERS.iter().flat_map(|other| [format!(".env.{other}"), format!("env.{other}"), format!("a.{other}")]),
    );
    names.extend(LOCKS.iter().map(|name| (*name).to_owned()));
    let more = [
        "Dockerfile", "Dockerfile.prod", "api.dockerfile", ".env_prod", ".env.d.ts", "env.example", "env.py", "env.ts",
        ".config", "Web.config", "main.rs", "credlint.toml", "Makefile", ".ENV", "app.properties",
        "a.yaml.example.bak", ".envs/.local/.django", "Dockerfile-a", "Dockerfile.md", "api.env.local", "api.env.ts",
        "env.go.tmpl", "Containerfile.prod", "Caddyfile", "rules.mk", "deploy",
    ];
    names.extend(more.map(str::to_owned));
    for name in names.iter().flat_map(|name| [name.clone(), format!("a.b/{name}")]) {
        let path = Path::new(&name);
        let reads = FileType::from_path(path).is_some() || has_configuration_name(path);
        // A name that is read only by its words is given, too, and then looked at again.
        assert!(gets(&name) || !reads, "{name} is read by a search");
        let env = name.rsplit('/').next().unwrap().to_lowercase().starts_with("env.");
        assert!(!gets(&name) || reads || env, "{name} is not read by a search");
    }
    assert!(!gets("env.py") && !gets("src/env.ts") && gets(".npmrc") && gets("env.example"));
}
