//! Which files are read, as what, and for which program: rows. Adding a program is adding rows, here and in `names`.

use std::path::{Component, Path};

use super::names::{Family, ValueKind};
use crate::config::Place;
use crate::source::Dialect;

/// A program whose files have names for credentials that say nothing elsewhere.
#[derive(Debug)]
pub(super) struct Program {
    /// What it is called.
    pub(super) name: &'static str,
    /// By what one of its groups is known.
    pub(super) mark: Mark,
    /// The names in such a group.
    pub(super) keys: &'static [(&'static str, ValueKind)],
    /// It needs both halves of a pair there: nothing else holds one.
    pub(super) whole: bool,
    /// Where that was read.
    #[cfg_attr(not(test), expect(dead_code, reason = "read by people, and asked for by a test"))]
    pub(super) source: &'static str,
}

/// By what a group of a program is known.
#[derive(Clone, Copy, Debug)]
pub(super) enum Mark {
    /// It is a section of such a file, and holds this name with this word.
    Section(&'static str, &'static str),
    /// It holds this name with this word.
    Holds(&'static str, &'static str),
    /// This name with this word stands beside it.
    Beside(&'static str, &'static str),
    /// A value beside it begins so.
    Begins(&'static str, &'static str),
    /// A list of that name holds it.
    In(&'static str),
}

/// The names of an S3-style pair, where the service is not in doubt.
const ACCESS: [(&str, ValueKind); 2] =
    [("access_key_id", ValueKind::Id(Family::Access)), ("secret_access_key", ValueKind::Key(Family::Access))];
const ACCOUNT: (ValueKind, ValueKind) = (ValueKind::Id(Family::Plain), ValueKind::Key(Family::Plain));

/// Every program with rows of its own.
pub(super) const PROGRAMS: &[Program] = &[
    Program {
        name: "rclone",
        mark: Mark::Section("type", "b2"),
        keys: &[("account", ACCOUNT.0), ("key", ACCOUNT.1)],
        whole: true,
        source: "https://rclone.org/b2/",
    },
    Program {
        name: "kopia",
        mark: Mark::Beside("type", "b2"),
        keys: &[("keyID", ACCOUNT.0), ("key", ACCOUNT.1)],
        whole: false,
        source: "https://kopia.io/docs/reference/command-line/common/repository-create-b2/",
    },
    Program {
        name: "gobackup",
        mark: Mark::Holds("type", "b2"),
        keys: &ACCESS,
        whole: false,
        source: "https://gobackup.github.io/configuration/storages/b2",
    },
    Program {
        name: "benji",
        mark: Mark::Beside("module", "b2"),
        keys: &[("accountId", ACCOUNT.0), ("applicationKey", ACCOUNT.1)],
        whole: false,
        source: "https://github.com/elemental-lf/benji/issues/58",
    },
    Program {
        name: "slack-github-action",
        mark: Mark::Begins("uses", "slackapi/slack-github-action"),
        keys: &[("token", ValueKind::Token), ("webhook", ValueKind::Webhook)],
        whole: false,
        source: "https://github.com/slackapi/slack-github-action",
    },
    Program {
        name: "Grafana",
        mark: Mark::Beside("type", "slack"),
        keys: &[("token", ValueKind::Token), ("url", ValueKind::Webhook)],
        whole: false,
        source: "https://grafana.com/docs/grafana/latest/alerting/set-up/provision-alerting-resources/file-provisioning/",
    },
    // Its `app_token` is an access token. The webhook's address may also be that of the API, with a token in a header.
    Program {
        name: "Alertmanager",
        mark: Mark::In("slack_configs"),
        keys: &[("api_url", ValueKind::Webhook), ("app_token", ValueKind::Token)],
        whole: false,
        source: "https://prometheus.io/docs/alerting/latest/configuration/#slack_config",
    },
    // Its global table, by what else only it has there.
    Program {
        name: "Alertmanager",
        mark: Mark::In("global"),
        keys: &[("slack_api_url", ValueKind::Webhook), ("slack_app_token", ValueKind::Token)],
        whole: false,
        source: "https://prometheus.io/docs/alerting/latest/configuration/#file-layout-and-global-settings",
    },
];

/// How a file is read, and what it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FileType {
    /// How.
    pub(crate) dialect: Dialect,
    /// What stands in it.
    pub(crate) place: Place,
    /// The name alone says that it is a file with variables or credentials, whatever a list of ignored files says.
    pub(crate) known: bool,
}

/// Names of files that are read whatever a list of ignored files says: what a pipeline or a program reads is ignored by git
/// more often than not.
const KNOWN: &[(&str, Dialect)] = &[
    (".env", Dialect::Assignments),
    (".envrc", Dialect::Assignments),
    (".flaskenv", Dialect::Assignments),
    (".dev.vars", Dialect::Assignments),
    ("rclone.conf", Dialect::Ini),
    (".rclone.conf", Dialect::Ini),
    ("litestream.yml", Dialect::Yaml),
    ("alertmanager.yml", Dialect::Yaml),
    ("alertmanager.yaml", Dialect::Yaml),
    (".autorestic.yml", Dialect::Yaml),
    (".autorestic.yaml", Dialect::Yaml),
];

/// Endings of names.
const ENDINGS: &[(&str, Dialect)] = &[
    ("env", Dialect::Assignments),
    ("tfvars", Dialect::Assignments),
    ("sh", Dialect::Assignments),
    ("bash", Dialect::Assignments),
    ("zsh", Dialect::Assignments),
    ("fish", Dialect::Assignments),
    ("bat", Dialect::Assignments),
    ("cmd", Dialect::Assignments),
    ("ps1", Dialect::Assignments),
    ("service", Dialect::Assignments),
    ("conf", Dialect::Ini),
    ("ini", Dialect::Ini),
    ("cfg", Dialect::Ini),
    ("toml", Dialect::Toml),
    ("json", Dialect::Json),
    ("yaml", Dialect::Yaml),
    ("yml", Dialect::Yaml),
];

/// Files of those endings that hold no settings, and are large.
const LOCKS: &[&str] =
    &["package-lock.json", "composer.lock", "pnpm-lock.yaml", "yarn.lock", "deno.lock", "flake.lock", "Cargo.lock"];

/// Words in the name of a file or a directory that make it an example, a template, a test or a document.
const EXAMPLES: &[&str] = &[
    "example",
    "examples",
    "sample",
    "samples",
    "template",
    "templates",
    "tpl",
    "tmpl",
    "dist",
    "default",
    "defaults",
    "test",
    "tests",
    "testing",
    "testdata",
    "spec",
    "specs",
    "fixture",
    "fixtures",
    "mock",
    "mocks",
    "demo",
    "demos",
    "doc",
    "docs",
    "documentation",
    "e2e",
    "stub",
    "stubs",
    "j2",
    "erb",
];

impl FileType {
    /// What a file is, by its path. `None` if it is no file with settings.
    #[must_use]
    pub fn from_path(path: &Path) -> Option<Self> {
        let name = path.file_name()?.to_str()?;
        let (dialect, known) = dialect(name)?;
        // What an image is built with is set anew when it is run.
        let image = name.to_ascii_lowercase().contains("dockerfile");
        let example = path.components().any(|part| match part {
            Component::Normal(part) => part.to_str().is_some_and(is_example),
            _ => false,
        });
        Some(Self { dialect, place: if example || image { Place::Example } else { Place::File }, known })
    }

    /// What a file is that is to be read as one of [`FileType::words`].
    #[must_use]
    pub fn named(word: &str) -> Option<Self> {
        let (_, dialect) = WORDS.iter().find(|(known, _)| *known == word)?;
        // `env -0` prints what a process has.
        let place = if *dialect == Dialect::Nul { Place::Environment } else { Place::File };
        Some(Self { dialect: *dialect, place, known: true })
    }

    /// The words for the ways to read a file.
    pub fn words() -> impl Iterator<Item = &'static str> + Clone {
        WORDS.iter().map(|(word, _)| *word)
    }

    /// The word for it.
    #[must_use]
    pub fn word(self) -> &'static str {
        WORDS.iter().find(|(_, dialect)| *dialect == self.dialect).map_or("", |(word, _)| word)
    }
}

/// How files can be read, by word.
const WORDS: &[(&str, Dialect)] = &[
    ("env", Dialect::Assignments),
    ("env0", Dialect::Nul),
    ("ini", Dialect::Ini),
    ("toml", Dialect::Toml),
    ("json", Dialect::Json),
    ("yaml", Dialect::Yaml),
    ("template", Dialect::Lines),
];

fn dialect(name: &str) -> Option<(Dialect, bool)> {
    if LOCKS.contains(&name) {
        return None;
    }
    let lower = name.to_ascii_lowercase();
    if let Some((_, dialect)) = KNOWN.iter().find(|(known, _)| *known == lower) {
        return Some((*dialect, true));
    }
    if [".env.", ".env-", ".env_"].iter().any(|start| lower.starts_with(start)) {
        // `.env.d.ts` and the like are code, and `.env.md` is a document.
        let other = ["ts", "js", "mjs", "py", "rb", "go", "rs", "php", "java", "md", "txt", "html", "gpg", "enc"];
        let ending = lower.rsplit('.').next().unwrap_or_default();
        return (!other.contains(&ending)).then_some((Dialect::Assignments, true));
    }
    if lower == "dockerfile" || lower.starts_with("dockerfile.") || lower.ends_with(".dockerfile") {
        return Some((Dialect::Assignments, false));
    }
    // `env.example` is `example.env` the other way round.
    if lower.strip_prefix("env.").is_some_and(is_example) {
        return Some((Dialect::Assignments, true));
    }
    let mut rest = lower.as_str();
    // `values.yaml.example` is read as what it is an example of.
    while let Some((stem, ending)) = rest.rsplit_once('.') {
        if let Some((_, dialect)) = ENDINGS.iter().find(|(known, _)| *known == ending) {
            let known = matches!(ending, "env" | "tfvars") || lower.ends_with(".tfvars.json");
            return Some((*dialect, known));
        }
        let template = ["example", "sample", "template", "tpl", "tmpl", "dist", "default", "j2", "erb", "bak", "orig"];
        if !template.contains(&ending) {
            return None;
        }
        rest = stem;
    }
    (rest == "env").then_some((Dialect::Assignments, true))
}

/// Whether a part of a path says that what stands there is not used.
fn is_example(part: &str) -> bool {
    let lower = part.to_ascii_lowercase();
    lower.split(['.', '-', '_']).any(|word| EXAMPLES.contains(&word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_known_by_its_name() {
        for (path, expected) in [
            (".env", Some((Dialect::Assignments, Place::File, true))),
            ("deploy/.env.production", Some((Dialect::Assignments, Place::File, true))),
            (".env.example", Some((Dialect::Assignments, Place::Example, true))),
            ("env.sample", Some((Dialect::Assignments, Place::Example, true))),
            ("backup.env.tpl", Some((Dialect::Assignments, Place::Example, true))),
            ("prod.tfvars", Some((Dialect::Assignments, Place::File, true))),
            ("home/rclone.conf", Some((Dialect::Ini, Place::File, true))),
            ("k8s/secret.yaml", Some((Dialect::Yaml, Place::File, false))),
            ("values.yaml.example", Some((Dialect::Yaml, Place::Example, false))),
            ("tests/fixtures/app.toml", Some((Dialect::Toml, Place::Example, false))),
            ("Dockerfile", Some((Dialect::Assignments, Place::Example, false))),
            (".env_sample", Some((Dialect::Assignments, Place::Example, true))),
            (".env.d.ts", None),
            ("env.md", None),
            ("package-lock.json", None),
            ("main.rs", None),
            ("example", None),
        ] {
            let found = FileType::from_path(Path::new(path))
                .map(|file_type| (file_type.dialect, file_type.place, file_type.known));
            assert_eq!(found, expected, "{path}");
        }
        for word in FileType::words() {
            assert_eq!(FileType::named(word).map(FileType::word), Some(word));
        }
    }

    #[test]
    fn every_program_says_where_its_names_were_read() {
        for program in PROGRAMS {
            assert!(program.source.starts_with("https://") && !program.keys.is_empty(), "{}", program.name);
        }
    }
}
