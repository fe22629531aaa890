//! Which files are read, how, and for which program, as rows. A new program needs rows here and in `names`.

use std::path::{Component, Path};

use super::names::{Family, ValueKind};
use crate::config::Place;
use crate::source::Dialect;

/// A program with its own names for credentials, which have no meaning in other files.
#[derive(Debug)]
pub(super) struct Program {
    /// The program's name.
    pub(super) name: &'static str,
    /// How its groups are recognised.
    pub(super) mark: Mark,
    /// The names in such a group.
    pub(super) keys: &'static [(&'static str, ValueKind)],
    /// Names that other programs have for the same values, with the name that this one reads.
    pub(super) instead: &'static [(&'static str, &'static str)],
    /// True if the file must have a complete pair, because the program reads it nowhere else.
    pub(super) whole: bool,
    /// The source of this information.
    #[cfg_attr(not(test), expect(dead_code, reason = "documentation for people; a test requires it"))]
    pub(super) source: &'static str,
}

/// How a group of a program is recognised.
#[derive(Clone, Copy, Debug)]
pub(super) enum Mark {
    /// A section of a file with this name that has this key and value.
    Section(&'static str, &'static str),
    /// A group that has this key and value.
    Holds(&'static str, &'static str),
    /// A group with this key and value beside it.
    Beside(&'static str, &'static str),
    /// A group with a value beside it that starts like this.
    Begins(&'static str, &'static str),
    /// An element of a list with this name.
    In(&'static str),
}

/// The names of an S3-style pair, where the service is known.
const ACCESS: [(&str, ValueKind); 2] =
    [("access_key_id", ValueKind::Id(Family::Access)), ("secret_access_key", ValueKind::Key(Family::Access))];
const ACCOUNT: (ValueKind, ValueKind) = (ValueKind::Id(Family::Plain), ValueKind::Key(Family::Plain));

/// What people write for rclone's `account` and `key`.
pub(super) const RCLONE: &[(&str, &str)] = &[
    ("account_id", "account"),
    ("key_id", "account"),
    ("application_key_id", "account"),
    ("account_key", "key"),
    ("application_key", "key"),
];

/// All programs with rows of their own.
pub(super) const PROGRAMS: &[Program] = &[
    Program {
        name: "rclone",
        mark: Mark::Section("type", "b2"),
        keys: &[("account", ACCOUNT.0), ("key", ACCOUNT.1)],
        instead: RCLONE,
        whole: true,
        source: "https://rclone.org/b2/",
    },
    Program {
        name: "kopia",
        mark: Mark::Beside("type", "b2"),
        keys: &[("keyID", ACCOUNT.0), ("key", ACCOUNT.1)],
        instead: &[],
        whole: false,
        source: "https://kopia.io/docs/reference/command-line/common/repository-create-b2/",
    },
    Program {
        name: "gobackup",
        mark: Mark::Holds("type", "b2"),
        keys: &ACCESS,
        instead: &[],
        whole: false,
        source: "https://gobackup.github.io/configuration/storages/b2",
    },
    Program {
        name: "benji",
        mark: Mark::Beside("module", "b2"),
        keys: &[("accountId", ACCOUNT.0), ("applicationKey", ACCOUNT.1)],
        instead: &[],
        whole: false,
        source: "https://github.com/elemental-lf/benji/issues/58",
    },
    Program {
        name: "slack-github-action",
        mark: Mark::Begins("uses", "slackapi/slack-github-action"),
        keys: &[("token", ValueKind::Token), ("webhook", ValueKind::Webhook)],
        instead: &[],
        whole: false,
        source: "https://github.com/slackapi/slack-github-action",
    },
    Program {
        name: "Grafana",
        mark: Mark::Beside("type", "slack"),
        keys: &[("token", ValueKind::Token), ("url", ValueKind::Webhook)],
        instead: &[],
        whole: false,
        source: "https://grafana.com/docs/grafana/latest/alerting/set-up/provision-alerting-resources/file-provisioning/",
    },
    // `app_token` is an access token. The webhook's address may also be that of the API, with a token in a header.
    Program {
        name: "Alertmanager",
        mark: Mark::In("slack_configs"),
        keys: &[("api_url", ValueKind::Webhook), ("app_token", ValueKind::Token)],
        instead: &[],
        whole: false,
        source: "https://prometheus.io/docs/alerting/latest/configuration/#slack_config",
    },
    // The global table, recognised by other keys that only it has.
    Program {
        name: "Alertmanager",
        mark: Mark::In("global"),
        keys: &[("slack_api_url", ValueKind::Webhook), ("slack_app_token", ValueKind::Token)],
        instead: &[],
        whole: false,
        source: "https://prometheus.io/docs/alerting/latest/configuration/#file-layout-and-global-settings",
    },
];

/// The type of a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FileType {
    /// The syntax.
    pub(crate) dialect: Dialect,
    /// What the file is used for.
    pub(crate) place: Place,
    /// True if the file is read even if git ignores it, because its name shows that it has variables or credentials.
    pub(crate) known: bool,
    /// True if the user stated the type, so that what stands in the file does not change it.
    pub(crate) stated: bool,
}

/// Names of files that are read even if git ignores them: credentials for programs and pipelines are usually ignored.
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

/// File extensions.
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

/// Files with these extensions that are large and have no settings.
const LOCKS: &[&str] =
    &["package-lock.json", "composer.lock", "pnpm-lock.yaml", "yarn.lock", "deno.lock", "flake.lock", "Cargo.lock"];

/// Words in a file or directory name that indicate an example, a template, a test or documentation.
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

impl Program {
    /// Returns the name of a value that the program reads under another one.
    pub(super) fn instead_of(&self, name: &str) -> Option<&'static str> {
        let found = self.instead.iter().find(|(other, _)| name.eq_ignore_ascii_case(other));
        found.map(|(_, instead)| *instead)
    }
}

impl FileType {
    /// Returns the type of a file by its path from the root of its repository. `None` if it has no settings.
    #[must_use]
    pub fn from_path(path: &Path) -> Option<Self> {
        let name = path.file_name()?.to_str()?;
        let (dialect, known) = dialect(name)?;
        // Build-time variables are usually replaced when the image is run.
        let image = name.to_ascii_lowercase().contains("dockerfile");
        let place = if image || is_in_examples(path) { Place::Example } else { Place::File };
        Some(Self { dialect, place, known, stated: false })
    }

    /// Returns the type of a file on disk. A checkout may be anywhere, so only the path from the root of its repository
    /// tells whether it is an example; outside of one, the path from `top`.
    #[cfg(feature = "cli")]
    pub(super) fn on_disk(path: &Path, top: &Path) -> Option<Self> {
        let found = Self::from_path(path)?;
        if found.place != Place::Example {
            return Some(found);
        }
        let root = path.ancestors().skip(1).find(|directory| directory.join(".git").exists());
        let below = path.strip_prefix(root.unwrap_or(top)).ok();
        Self::from_path(below.or_else(|| path.file_name().map(Path::new))?)
    }

    /// Returns the type with a name from [`FileType::words`].
    #[must_use]
    pub fn named(word: &str) -> Option<Self> {
        let (_, dialect) = WORDS.iter().find(|(known, _)| *known == word)?;
        // `env -0` prints the variables of a process.
        let place = if *dialect == Dialect::Nul { Place::Environment } else { Place::File };
        Some(Self { dialect: *dialect, place, known: true, stated: true })
    }

    /// Returns the names of all types.
    pub fn words() -> impl Iterator<Item = &'static str> + Clone {
        WORDS.iter().map(|(word, _)| *word)
    }

    /// Returns the name of the type.
    #[must_use]
    pub fn word(self) -> &'static str {
        WORDS.iter().find(|(_, dialect)| *dialect == self.dialect).map_or("", |(word, _)| word)
    }
}

/// The file types by name.
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
    // `env.example` is another spelling of `.env.example`.
    if lower.strip_prefix("env.").is_some_and(is_example) {
        return Some((Dialect::Assignments, true));
    }
    let mut rest = lower.as_str();
    // `values.yaml.example` has the type of `values.yaml`.
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

/// Returns `true` if a component of a path indicates that the file is not used.
fn is_in_examples(path: &Path) -> bool {
    path.components().any(|part| match part {
        Component::Normal(part) => part.to_str().is_some_and(is_example),
        _ => false,
    })
}

/// Returns `true` if a path component indicates that the file is not used.
fn is_example(part: &str) -> bool {
    let lower = part.to_ascii_lowercase();
    lower.split(['.', '-', '_']).any(|word| EXAMPLES.contains(&word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_type_follows_from_the_name() {
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
    fn every_program_has_a_source() {
        for program in PROGRAMS {
            assert!(program.source.starts_with("https://") && !program.keys.is_empty(), "{}", program.name);
        }
    }
}
