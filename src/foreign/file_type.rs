//! Decides which files are read, and how, by their names or their content.

use std::path::Path;
use std::path::PathBuf;

use crate::config::Place;
use crate::programs::PROGRAMS;
use crate::source::Dialect;
use crate::text::is_word_of;

/// The type of a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FileType {
    /// The syntax.
    pub(crate) dialect: Dialect,
    /// What the file is used for.
    pub(crate) place: Place,
    /// True if the file is read even if git ignores it, because its name shows that it has variables or credentials.
    pub(crate) known: bool,
    /// True if the user stated the type, so that the content does not change it.
    pub(crate) stated: bool,
}

/// The directory of the last file, and the root of its repository.
pub(super) type LastRoot = Option<(PathBuf, Option<PathBuf>)>;

// The words of `src/words.toml`.
include!(concat!(env!("OUT_DIR"), "/words_file_type.rs"));

/// Returns the names of files that are read even if git ignores them, each with the word of its dialect.
pub(super) fn known_names() -> impl Iterator<Item = &'static (&'static str, &'static str)> {
    KNOWN.iter().chain(PROGRAMS.iter().flat_map(|program| program.files))
}

/// Returns the dialect that a row names.
fn dialect(word: &str) -> Dialect {
    match word {
        "dotenv" => Dialect::Dotenv,
        "goconfig" => Dialect::Goconfig,
        "configparser" => Dialect::Configparser,
        word => WORDS.iter().find(|(known, _)| *known == word).map_or(Dialect::Assignments, |(_, dialect)| *dialect),
    }
}

/// The directory in which every file has variables, as in projects made by cookiecutter-django.
const OF_VARIABLES: &str = ".envs";

impl FileType {
    /// Returns the type of a file by its path from the root of its repository. `None` if it has no settings.
    #[must_use]
    pub fn from_path(path: &Path) -> Option<Self> {
        // A name that is not UTF-8 may end in `.env`, too.
        let name = path.file_name()?.to_string_lossy();
        let name = name.as_ref();
        let of_variables = || {
            let inside = path.parent().into_iter().flatten().any(|part| part == OF_VARIABLES);
            (inside && !name.trim_start_matches('.').contains('.')).then_some((Dialect::Dotenv, true))
        };
        let (mut dialect, known) = find_dialect(name).or_else(of_variables)?;
        // A drop-in of a unit.
        let folder = path.parent().and_then(Path::file_name).map(|folder| folder.to_string_lossy());
        if dialect == Dialect::Ini && folder.is_some_and(|folder| folder.ends_with(".service.d")) {
            dialect = Dialect::Assignments;
        }
        let place = if is_in_examples(path) { Place::Example } else { Place::File };
        Some(Self { dialect, place, known, stated: false })
    }

    /// Returns the type of a file that is named by a key or by a line of a script.
    pub(super) fn from_key(key: &str) -> Option<Self> {
        if key.contains('.') { Self::from_path(Path::new(key)) } else { None }
    }

    /// Returns the type of a file on disk. A checkout may be anywhere, so only the path from the root of its repository
    /// tells whether it is an example; outside of one, the path from `top`. `last` caches the previous answer.
    pub(super) fn on_disk(path: &Path, top: &Path, last: &mut LastRoot) -> Option<Self> {
        let found = Self::from_path(path)?;
        // The place of these names below the root decides.
        let is_by_place = path.iter().any(|part| part == "test" || part == "spec");
        if found.place != Place::Example && !is_by_place {
            return Some(found);
        }
        let directory = path.parent()?;
        if last.as_ref().is_none_or(|(last, _)| last != directory) {
            let root = directory.ancestors().find(|directory| directory.join(".git").exists());
            *last = Some((directory.to_owned(), root.map(Path::to_owned)));
        }
        let root = last.as_ref().and_then(|(_, root)| root.as_deref()).unwrap_or(top);
        match path.strip_prefix(root) {
            Ok(below) => Self::from_path(below),
            Err(_) => Self::from_path(Path::new(path.file_name()?)),
        }
    }

    /// Returns the type for a path of which only the file's name tells that it is an example: anybody may name a
    /// directory.
    pub(crate) fn in_any_directory(self, path: &Path) -> Self {
        let name = path.file_name().map(Path::new);
        let by_name = name
            .and_then(Self::from_path)
            .map_or_else(|| name.is_some_and(is_in_examples), |by_name| by_name.place == Place::Example);
        let place = if self.place == Place::Example && !by_name { Place::File } else { self.place };
        Self { place, ..self }
    }

    /// Returns the provisional type of a file whose name has no known type, before it is read.
    pub(super) fn without_name(path: &Path, directory: &Path) -> Self {
        let below = path.strip_prefix(directory).ok().or_else(|| path.file_name().map(Path::new));
        let place = if below.is_some_and(is_in_examples) { Place::Example } else { Place::File };
        Self { place, known: false, ..Self::from_dialect(Dialect::Assignments) }
    }

    /// Detects the type of such a file from its text. `None` if it could be anything, such as a program or a letter.
    pub(super) fn detect_by_content(self, text: &str) -> Option<Self> {
        let mut lines = text.trim_start_matches('\u{feff}').lines().map(str::trim).filter(|line| !line.is_empty());
        if text.contains('\0') && !is_nul_separated(text) {
            return None;
        }
        let first = lines.clone().next().unwrap_or_default();
        let file_type = match first.strip_prefix("#!") {
            Some(_) if names_shell(first) => Self::from_dialect(Dialect::Shell),
            Some(_) => return None,
            None => Self::from_text(text),
        };
        // Few lines of a program or a letter are assignments, and programs have spaces around `=`.
        let is_name = |name: &str| !name.is_empty() && is_word_of(name, "_.-");
        let assigns = |line: &str| {
            let line = line.strip_prefix("export ").unwrap_or(line);
            line.split_once('=').is_some_and(|(name, _)| is_name(name))
        };
        let told = match file_type.dialect {
            Dialect::Assignments => lines.all(|line| line.starts_with('#') || assigns(line)),
            Dialect::Nul if text.contains('\0') => text.split_terminator('\0').all(assigns),
            _ => true,
        };
        let place = if self.place == Place::Example { self.place } else { file_type.place };
        told.then_some(Self { place, known: false, stated: false, ..file_type })
    }

    /// Returns the type of a text without a name, such as standard input, by its first meaningful line.
    #[must_use]
    pub fn from_text(text: &str) -> Self {
        // Other texts with NULs are no variables.
        if text.contains('\0') && is_nul_separated(text) || is_printed_by_env(text) {
            return Self::from_dialect(Dialect::Nul);
        }
        let lines = text.trim_start_matches('\u{feff}').lines().map(str::trim);
        let Some(line) = lines.into_iter().find(|line| !line.is_empty() && !line.starts_with(['#', ';'])) else {
            return Self::from_dialect(Dialect::Assignments);
        };
        let name = |c: char| c.is_ascii_alphanumeric() || "_.-\"'".contains(c);
        let key = line.len() - line.trim_start_matches(name).len();
        let behind = &line[key..];
        let section = line.strip_prefix('[').and_then(|rest| rest.split_once(']'));
        Self::from_dialect(match line.as_bytes() {
            [b'<', ..] if text.contains("<add ") || text.contains("<setting ") => Dialect::Xml,
            // A unit of systemd sets variables.
            [b'[', ..] if ["[Unit]", "[Service]"].contains(&line) => Dialect::Assignments,
            // A TOML table and an INI section start alike, but TOML quotes its strings.
            [b'[', ..]
                if section.is_some_and(|(inside, _)| {
                    !inside.is_empty()
                        && inside.chars().all(|c| name(c) || "[ ".contains(c))
                        && !inside.starts_with(['"', '{'])
                }) =>
            {
                let quoted = text.lines().filter_map(|line| line.split_once('=')).all(|(_, value)| {
                    let value = value.trim_start();
                    value.starts_with(['"', '\'', '[', '{'])
                        || value.starts_with(|c: char| c.is_ascii_digit())
                        || value.starts_with("true")
                        || value.starts_with("false")
                });
                if quoted { Dialect::Toml } else { Dialect::Ini }
            }
            [b'{' | b'[', ..] => Dialect::Json,
            [b'-', b'-', b'-', ..] | [b'-', b' ', ..] | [b'%', ..] => Dialect::Yaml,
            _ if key > 0 && behind.starts_with(':') && behind[1..].chars().next().is_none_or(char::is_whitespace) => {
                Dialect::Yaml
            }
            _ if behind.starts_with(" = ") && behind[3..].starts_with(['"', '\'', '[', '{']) => Dialect::Toml,
            _ if line.contains("{{") || line.contains("{%") => Dialect::Yaml,
            _ => Dialect::Assignments,
        })
    }

    /// Returns the type with a name from [`FileType::names`].
    #[must_use]
    pub fn named(word: &str) -> Option<Self> {
        WORDS.iter().find(|(known, _)| *known == word).map(|(_, dialect)| Self::from_dialect(*dialect))
    }

    /// Returns the type for a syntax, regardless of the file's name.
    pub(super) fn from_dialect(dialect: Dialect) -> Self {
        // `env -0` prints the variables of a process.
        let place = if dialect == Dialect::Nul { Place::Environment } else { Place::File };
        Self { dialect, place, known: true, stated: true }
    }

    /// Returns the names of all types.
    pub fn names() -> impl Iterator<Item = &'static str> + Clone {
        WORDS.iter().map(|(word, _)| *word)
    }

    /// Returns the name of the type.
    #[must_use]
    pub fn name(self) -> &'static str {
        let dialect = match self.dialect {
            Dialect::Dotenv => Dialect::Assignments,
            dialect if dialect.is_ini() => Dialect::Ini,
            dialect => dialect,
        };
        WORDS.iter().find(|(_, known)| *known == dialect).map_or("", |(word, _)| word)
    }
}

/// Returns `true` if the first line of a script names a shell: `#!/usr/bin/env bash`.
pub(super) fn names_shell(line: &str) -> bool {
    let is_shell = |word: &str| word.rsplit('/').next().is_some_and(|name| name.ends_with("sh"));
    line.strip_prefix("#!").is_some_and(|line| line.split_whitespace().any(is_shell))
}

/// Returns `true` if nearly all parts between NULs are variables.
pub(super) fn is_nul_separated(text: &str) -> bool {
    let parts = || text.split_terminator('\0');
    let sets = |part: &&str| {
        part.split_once('=').is_some_and(|(name, _)| !name.is_empty() && !name.contains(char::is_control))
    };
    parts().filter(|part| !sets(part)).count() * 5 <= parts().count()
}

/// Returns `true` for the variables of a process as `env` prints them: quotes and spaces belong to the values.
fn is_printed_by_env(text: &str) -> bool {
    let has = |name: &str| text.lines().any(|line| line.strip_prefix(name).is_some_and(|rest| rest.starts_with('=')));
    let path = text.lines().any(|line| line.starts_with("PATH=/"));
    path && ["HOME", "HOSTNAME", "PWD", "SHLVL", "USER"].into_iter().any(has)
}

/// The file types by name.
const WORDS: &[(&str, Dialect)] = &[
    ("env", Dialect::Assignments),
    ("env0", Dialect::Nul),
    ("sh", Dialect::Shell),
    ("ini", Dialect::Ini),
    ("toml", Dialect::Toml),
    ("json", Dialect::Json),
    ("yaml", Dialect::Yaml),
    ("template", Dialect::Lines),
    ("properties", Dialect::Properties),
    ("xml", Dialect::Xml),
    ("logins", Dialect::Logins),
];

fn find_dialect(name: &str) -> Option<(Dialect, bool)> {
    if LOCKS.contains(&name) {
        return None;
    }
    let lower = name.to_ascii_lowercase();
    if let Some((_, word)) = known_names().find(|(known, _)| *known == lower) {
        return Some((dialect(word), true));
    }
    let ends_in = |text: &str| text.rsplit_once('.').map_or("", |(_, ending)| ending).to_owned();
    let mut bare = lower.as_str();
    while let Some((stem, _)) = bare.rsplit_once('.').filter(|(_, ending)| COPIES.contains(ending)) {
        bare = stem;
    }
    let own = ENDINGS.iter().find(|(known, _)| *known == ends_in(bare)).map(|(_, word)| dialect(word));
    let is_other = OTHERS.contains(&&*ends_in(bare));
    if [".env.", ".env-", ".env_"].iter().any(|start| lower.starts_with(start)) {
        let tree = own.filter(|own| matches!(own, Dialect::Json | Dialect::Yaml | Dialect::Toml | Dialect::Shell));
        return (!is_other).then_some((tree.unwrap_or(Dialect::Dotenv), true));
    }
    // `env.example` and `app.env.production`, but not `env.yaml`.
    if (lower.starts_with("env.") || lower.contains(".env.")) && (own.is_none() || own == Some(Dialect::Dotenv)) {
        return (!is_other).then_some((Dialect::Dotenv, true));
    }
    let of_family = |family: &&str| {
        let behind = lower.strip_prefix(*family);
        behind.is_some_and(|behind| behind.is_empty() || behind.starts_with(['.', '-', '_']))
            || lower.strip_suffix(*family).is_some_and(|before| before.ends_with('.'))
    };
    if FAMILIES.iter().any(of_family) && !is_other {
        return Some((Dialect::Assignments, false));
    }
    let mut rest = lower.as_str();
    // `values.yaml.example` has the type of `values.yaml`.
    while let Some((stem, ending)) = rest.rsplit_once('.') {
        // `.config` is the kernel's.
        if stem.is_empty() && ending == "config" {
            return None;
        }
        if let Some((_, word)) = ENDINGS.iter().find(|(known, _)| *known == ending) {
            let known = matches!(ending, "env" | "tfvars") || lower.ends_with(".tfvars.json");
            return Some((dialect(word), known));
        }
        if !COPIES.contains(&ending) {
            return None;
        }
        rest = stem;
    }
    None
}

/// Returns the syntax of a file inside another one, by its name and its text.
pub(super) fn inside(name: &str, text: &str) -> Dialect {
    FileType::from_key(name).unwrap_or_else(|| FileType::from_text(text)).dialect
}

/// Returns `true` if everybody means such a path as an example: by a directory for examples or the tests of a language,
/// or by the file's name. Other words, such as `default` and `test`, also name what is deployed.
fn is_in_examples(path: &Path) -> bool {
    let directories: Vec<&str> = path.parent().into_iter().flatten().filter_map(|part| part.to_str()).collect();
    let is_test = |(index, part): (usize, &&str)| {
        let of_language = ["test", "spec"].contains(part) && (index == 0 || directories[index - 1] == "src");
        TESTS.contains(part) || of_language || has_word(part, EXAMPLES)
    };
    directories.iter().enumerate().any(is_test)
        || path
            .file_name()
            .map(|name| name.to_string_lossy())
            .is_some_and(|name| has_word(&name, EXAMPLES) || has_word(&name, TEMPLATES))
}

fn has_word(name: &str, words: &[&str]) -> bool {
    let lower = name.to_ascii_lowercase();
    lower.split(['.', '-', '_']).any(|word| words.contains(&word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_name_dialects_that_exist() {
        for (name, word) in known_names().chain(ENDINGS) {
            let known = WORDS.iter().any(|(known, _)| known == word);
            assert!(known || ["dotenv", "goconfig", "configparser"].contains(word), "{name}: {word}");
        }
    }

    #[test]
    fn detects_type_from_name() {
        for (path, expected) in [
            (".env", Some((Dialect::Dotenv, Place::File, true))),
            ("deploy/.env.production", Some((Dialect::Dotenv, Place::File, true))),
            (".env.example", Some((Dialect::Dotenv, Place::Example, true))),
            ("env.sample", Some((Dialect::Dotenv, Place::Example, true))),
            ("backup.env.tpl", Some((Dialect::Dotenv, Place::Example, true))),
            ("prod.tfvars", Some((Dialect::Assignments, Place::File, true))),
            ("prod.auto.tfvars.json", Some((Dialect::Json, Place::File, true))),
            ("prod.json", Some((Dialect::Json, Place::File, false))),
            ("home/rclone.conf", Some((Dialect::Goconfig, Place::File, true))),
            ("k8s/secret.yaml", Some((Dialect::Yaml, Place::File, false))),
            ("values.yaml.example", Some((Dialect::Yaml, Place::Example, false))),
            ("tests/fixtures/app.toml", Some((Dialect::Toml, Place::Example, false))),
            ("Dockerfile", Some((Dialect::Assignments, Place::File, false))),
            ("Dockerfile.prod", Some((Dialect::Assignments, Place::File, false))),
            ("api.dockerfile", Some((Dialect::Assignments, Place::File, false))),
            ("config/default.json", Some((Dialect::Json, Place::File, false))),
            ("dist/.env", Some((Dialect::Dotenv, Place::File, true))),
            ("docs/a.yaml", Some((Dialect::Yaml, Place::File, false))),
            ("environments/test/.env", Some((Dialect::Dotenv, Place::File, true))),
            ("test/.env", Some((Dialect::Dotenv, Place::Example, true))),
            ("src/test/resources/a.properties", Some((Dialect::Properties, Place::Example, false))),
            ("a/__tests__/b.json", Some((Dialect::Json, Place::Example, false))),
            ("my-examples/.env", Some((Dialect::Dotenv, Place::Example, true))),
            (".env.dist", Some((Dialect::Dotenv, Place::Example, true))),
            ("env.test.ts", None),
            ("env.production", Some((Dialect::Dotenv, Place::File, true))),
            ("env.yaml", Some((Dialect::Yaml, Place::File, false))),
            (".env.yaml", Some((Dialect::Yaml, Place::File, true))),
            ("api.env.local", Some((Dialect::Dotenv, Place::File, true))),
            ("api.env.ts", None),
            ("env.go.tmpl", None),
            (".envs/.production/.django", Some((Dialect::Dotenv, Place::File, true))),
            (".envs/README.md", None),
            ("settings.jsonc", Some((Dialect::Json, Place::File, false))),
            ("Makefile", Some((Dialect::Assignments, Place::File, false))),
            ("rules.mk", Some((Dialect::Assignments, Place::File, false))),
            ("Containerfile", Some((Dialect::Assignments, Place::File, false))),
            ("Dockerfile-prod", Some((Dialect::Assignments, Place::File, false))),
            ("Dockerfile.md", None),
            ("Caddyfile", Some((Dialect::Assignments, Place::File, false))),
            (".sentryclirc", Some((Dialect::Ini, Place::File, true))),
            (".passwd-s3fs", Some((Dialect::Logins, Place::File, true))),
            ("bin/deploy", None),
            ("env.example.md", None),
            (".aws/credentials", Some((Dialect::Configparser, Place::File, true))),
            ("app.service.d/override.conf", Some((Dialect::Assignments, Place::File, false))),
            ("app.properties", Some((Dialect::Properties, Place::File, false))),
            ("Web.config", Some((Dialect::Xml, Place::File, false))),
            ("linux/.config", None),
            (".env_sample", Some((Dialect::Dotenv, Place::Example, true))),
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
        for word in FileType::names() {
            assert_eq!(FileType::named(word).map(FileType::name), Some(word));
        }
        let words = PROGRAMS.iter().flat_map(|program| program.files).map(|(_, word)| *word);
        let unknown = words.filter(|word| FileType::named(word).is_none());
        assert!(unknown.into_iter().all(|word| ["goconfig", "configparser"].contains(&word)));
    }
    #[test]
    fn detects_type_of_unnamed_text_from_first_line() {
        for (text, word) in [
            ("A=1\0B=2\0", "env0"),
            ("A=1\nPATH=/bin:/usr/bin\nHOSTNAME=x\n", "env0"),
            ("A=1\nPATH=/bin:/usr/bin\n", "env"),
            ("A=1\nHOME=/root\nPATH=x:$PATH\n", "env"),
            ("", "env"),
            ("# A comment.\n; Another.\n\na: 1\n", "yaml"),
            ("\u{feff}{\"a\": 1}", "json"),
            ("[\"a\"]", "json"),
            ("[]", "json"),
            ("<configuration><add key=\"a\"/></configuration>", "xml"),
            ("<setting name=\"a\"/>", "xml"),
            ("<a href=\"b\">", "env"),
            ("[Service]\nEnvironment=A=1\n", "env"),
            ("[[a.b]]\nc = 1\n", "toml"),
            ("[a]\nb = true\n", "toml"),
            ("[a]\nb = false\n", "toml"),
            ("[a]\nb = 'c'\n", "toml"),
            ("[a]\nb = 'c'\nd = e\n", "ini"),
            ("---\na: 1\n", "yaml"),
            ("- a\n", "yaml"),
            ("%YAML 1.2\n", "yaml"),
            ("a:\n  b: 1\n", "yaml"),
            ("a:b\n", "env"),
            (": a\n", "env"),
            ("a = 'b'\n", "toml"),
            ("a = b\n", "env"),
            ("a{{ .Values.b }}\n", "yaml"),
            ("a{% if b %}\n", "yaml"),
        ] {
            assert_eq!(FileType::from_text(text).name(), word, "{text}");
        }
    }

    #[cfg(feature = "cli")]
    #[test]
    fn detects_type_from_content() {
        let told = |path: &str, text: &str| {
            let file_type = FileType::without_name(Path::new(path), Path::new("")).detect_by_content(text)?;
            Some((file_type.name(), file_type.place, file_type.known))
        };
        for (text, expected) in [
            ("A=1\nb.c-d=2\n", Some(("env", Place::File))),
            ("A=1\n=2\n", None),
            ("A=1\nb c=2\n", None),
            ("A=1\0B=2\0", Some(("env0", Place::Environment))),
            ("A=1\0b c\0", None),
            // As `env` prints a function of a shell.
            ("BASH_FUNC_a%%=() {  b\n}\nPATH=/bin\nHOME=/root\n", Some(("env0", Place::Environment))),
        ] {
            assert_eq!(told("a", text), expected.map(|(word, place)| (word, place, false)), "{text}");
            // An example stays an example, whatever its content.
            let example = expected.map(|(word, _)| (word, Place::Example, false));
            assert_eq!(told("examples/a", text), example, "{text}");
        }
    }
}
