//! What runs with which files and variables: `docker run` in a script, the services of Docker Compose, and the steps of
//! a workflow.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};

use super::group::{nested, text};
use super::secrets::says_credential;
use crate::config::{Oddity, Profile, WrittenAs};
use crate::secret::Vault;
use crate::source::{Dialect, Node, Spot, Value};

include!(concat!(env!("OUT_DIR"), "/words_runner.rs"));

/// Something that runs.
#[derive(Debug)]
pub struct Runner {
    /// The files that it reads.
    files: Vec<PathBuf>,
    /// The variables that it gets. `None` for `docker run`, which gets those of the file.
    names: Option<HashSet<String>>,
}

/// Returns the findings that these runners confirm, of those that depend on who reads the file: quotes for `docker run`, and
/// a variable that nothing which reads the file gets.
pub(super) fn confirmed(pending: Vec<(PathBuf, Profile)>, runners: &[Runner]) -> Vec<Profile> {
    if runners.is_empty() {
        return Vec::new();
    }
    let canonical = |path: &PathBuf| path.canonicalize().ok();
    let mut by_file: HashMap<PathBuf, Vec<&Option<HashSet<String>>>> = HashMap::new();
    for runner in runners {
        for file in runner.files.iter().filter_map(canonical) {
            by_file.entry(file).or_default().push(&runner.names);
        }
    }
    let is_wrong = |path: &PathBuf, profile: &Profile| {
        let Some(names) = canonical(path).and_then(|path| by_file.get(&path)) else { return false };
        let setting = profile.settings.first();
        match setting.map(|setting| (setting.oddity, &setting.form)) {
            Some((Some(Oddity::NotPassed), WrittenAs::Env(taken))) => {
                let mut passed = names.iter().filter_map(|names| names.as_ref()).peekable();
                passed.peek().is_some() && passed.all(|names| !names.contains(taken))
            }
            _ => names.iter().any(|names| names.is_none()),
        }
    };
    pending.into_iter().filter(|(path, profile)| is_wrong(path, profile)).map(|(_, profile)| profile).collect()
}

/// Returns what a file runs.
pub(super) fn runners((roots, text): (&[Value], &str), dialect: Dialect, path: &Path, vault: &Vault) -> Vec<Runner> {
    let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    let directory = path.parent().unwrap_or(Path::new(""));
    match dialect {
        Dialect::Shell | Dialect::Assignments => docker_files(text, directory),
        Dialect::Yaml if name.contains("compose") => {
            services(roots).filter_map(|(_, service)| mounting(service, directory, vault)).collect()
        }
        Dialect::Yaml if directory.ends_with(".github/workflows") && text.contains("env:") => {
            npm_steps(roots, text, directory, vault).into_iter().collect()
        }
        _ => Vec::new(),
    }
}

/// Returns the files that a script gives to `docker run --env-file`, from its own directory and from the one above.
fn docker_files(text: &str, directory: &Path) -> Vec<Runner> {
    if !text.contains("--env-file") {
        return Vec::new();
    }
    let (mut files, mut runs) = (Vec::new(), false);
    for line in text.lines() {
        runs |=
            ["docker run", "docker create", "podman run", "podman create"].iter().any(|command| line.contains(command));
        let flags = line.split("--env-file").skip(1).filter(|_| runs);
        for rest in flags.filter_map(|rest| rest.strip_prefix(['=', ' '])) {
            let word = rest.split_whitespace().next().unwrap_or_default().trim_matches(['"', '\'']);
            let above = [Some(directory), directory.parent()].into_iter().flatten();
            let plain = !word.is_empty() && !word.contains('$');
            files.extend(above.filter(|_| plain).map(|directory| directory.join(word)));
        }
        // A command continues in the next line.
        runs &= line.trim_end().ends_with('\\');
    }
    vec![Runner { files, names: None }]
}

/// Returns the services of a file of Docker Compose.
fn services(roots: &[Value]) -> impl Iterator<Item = (&str, &Value)> {
    let all = roots.iter().filter_map(|root| nested(root, "services")).flat_map(Value::entries);
    all.map(|service| (service.key.as_str(), &service.value))
}

/// Returns the texts of a value: itself, those of its list, and those under a key of the tables in it.
fn texts(value: &Value, key: &str, vault: &Vault) -> Vec<String> {
    let of = |value: &Value| vault.shown(text(value)?, |text| Some(text.to_owned()));
    let own = |value: &Value| of(value).or_else(|| of(nested(value, key)?));
    match &value.node {
        Node::List(values) => values.iter().filter_map(own).collect(),
        _ => own(value).into_iter().collect(),
    }
}

/// Returns the names of the variables in a table or a list of `NAME=value`.
fn names(value: &Value, vault: &Vault) -> HashSet<String> {
    match &value.node {
        Node::Table(entries) => entries.iter().map(|entry| entry.key.clone()).collect(),
        _ => {
            let name = |text: String| text.split('=').next().unwrap_or_default().to_owned();
            texts(value, "name", vault).into_iter().map(name).collect()
        }
    }
}

/// Returns a service with the files that it mounts and its variables, if it gets a credential, and all of them are listed.
fn mounting(service: &Value, directory: &Path, vault: &Vault) -> Option<Runner> {
    let names = names(nested(service, "environment")?, vault);
    let all = nested(service, "env_file").is_none() && names.iter().any(|name| says_credential(name));
    let mounts = texts(nested(service, "volumes").filter(|_| all)?, "source", vault);
    let files = mounts.iter().filter_map(|mount| mount.split(':').next()).filter(|file| file.contains('.'));
    Some(Runner { files: files.map(|file| directory.join(file)).collect(), names: Some(names) })
}

/// Returns the steps of a workflow that run a package manager with a token of npm's, if nothing else there says where the
/// token is from.
fn npm_steps(roots: &[Value], whole: &str, directory: &Path, vault: &Vault) -> Option<Runner> {
    const OTHERS: [&str; 6] = ["registry-url", "npmrc", "_authToken", "npm config", "npm login", "working-directory"];
    if OTHERS.iter().any(|other| whole.contains(other)) {
        return None;
    }
    let of_npm = |name: &String| says_credential(name) && (name.contains("NPM") || name.contains("NODE_AUTH"));
    let runs = |step: &Value| {
        let run = nested(step, "run").map(|run| texts(run, "", vault)).unwrap_or_default();
        let managed = |line: &str| ["npm", "pnpm", "yarn"].contains(&line.split(' ').next().unwrap_or_default());
        let given = || nested(step, "env").is_some_and(|env| names(env, vault).iter().any(of_npm));
        run.iter().flat_map(|run| run.lines()).any(|line| managed(line.trim())) && given()
    };
    let jobs = roots.iter().filter_map(|root| nested(root, "jobs")).flat_map(Value::entries);
    let mut steps = jobs.filter_map(|job| nested(&job.value, "steps")).flat_map(Value::elements);
    let word = |c: char| !(c.is_ascii_alphanumeric() || c == '_');
    let names = || whole.split(word).map(str::to_owned).collect();
    let root = directory.parent()?.parent()?;
    steps.any(runs).then(|| Runner { files: vec![root.join(".npmrc")], names: Some(names()) })
}

/// What a file of Docker Compose says of its services.
#[derive(Default)]
pub(super) struct Compose {
    /// Servers of Redis without TLS.
    pub(super) plain_redis: HashSet<String>,
    /// The files with a service's variables, with the place of their key.
    pub(super) env_files: HashMap<String, (Spot, Vec<PathBuf>)>,
}

impl Compose {
    pub(super) fn read(roots: &[Value], directory: Option<&Path>, vault: &Vault) -> Self {
        let mut found = Self::default();
        for (name, service) in services(roots) {
            #[cfg(test)]
            crate::text::work::add(service.entries().len());
            if nested(service, "image").is_some_and(|image| is_redis(image, vault)) && !says_tls(service, vault) {
                found.plain_redis.insert(name.to_owned());
            }
            if let Some((directory, files)) = directory.zip(nested(service, "env_file")) {
                let paths = texts(files, "path", vault).into_iter().map(|file| directory.join(file));
                found.env_files.insert(name.to_owned(), (files.at, paths.collect()));
            }
        }
        found
    }
}

/// Returns `true` for the image of a server of Redis's protocol.
fn is_redis(image: &Value, vault: &Vault) -> bool {
    let image = texts(image, "", vault).pop().unwrap_or_default();
    let name = image.strip_prefix("docker.io/").unwrap_or(&image).split([':', '@']).next();
    name.is_some_and(|name| REDIS.contains(&name))
}

/// Returns `true` if a text or a key below those of a service names TLS, or a file that may do.
fn says_tls(service: &Value, vault: &Vault) -> bool {
    let says = |value: &Value| {
        let text = text(value).and_then(|text| vault.shown(text, |text| Some(text.to_lowercase())));
        text.is_some_and(|text| ["tls", "ssl", "stunnel", ".conf"].iter().any(|word| text.contains(word)))
    };
    service.entries().iter().any(|entry| entry.value.has(&|key| key.to_lowercase().contains("tls"), &says))
}
