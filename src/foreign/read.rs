//! Reading many files side by side. What is found comes in the order of the files, whichever was read first.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use super::group::{self, Group, How, Item};
use super::profiles::{self, Maker};
use super::program::Sort;
use super::{expansion, storage};
use crate::code::Code;
use crate::config::{Environment, Layer, NamedSecret, Origin, Place, Profile, Setting};
use crate::file::{self, FileError};
use crate::secret::Vault;
use crate::source::{Dialect, Document, MAX_FILE, Problem, Reader, Replaced, Sources};
use crate::text;

/// A file to read, and as what.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Candidate {
    /// Where it is.
    pub path: PathBuf,
    /// As what to read it.
    pub sort: Sort,
    /// It was named, and not found in a directory: why it can't be read is worth a word.
    pub named: bool,
}

impl Candidate {
    /// A file that was named.
    #[must_use]
    pub fn new(path: impl Into<PathBuf>, sort: Sort) -> Self {
        Self { path: path.into(), sort, named: true }
    }
}

/// What was found in other programs' files.
#[derive(Debug, Default)]
pub struct Searched {
    /// The profiles, by file and place.
    pub profiles: Vec<Profile>,
    /// The files with profiles.
    pub layers: Vec<Layer>,
    /// How many files were read.
    pub files: usize,
    /// How many variables of the process were.
    pub variables: usize,
    /// Variables of the process that are named like secrets and are of neither service.
    pub secrets: Vec<NamedSecret>,
    /// What could not be read, in words.
    pub notices: Vec<String>,
}

/// What one file came to.
enum Read {
    /// It was read, and nothing in it concerns either service.
    Nothing,
    /// It was not read.
    Not(Option<String>),
    /// It has profiles.
    Found(Vec<Profile>, Sources),
}

/// Reads files. `sources` takes in those that have profiles.
pub fn read(candidates: &[Candidate], directory: &Path, sources: &mut Sources) -> Searched {
    let next = AtomicUsize::new(0);
    let results: Mutex<Vec<(usize, Read)>> = Mutex::default();
    let first = sources.count();
    let work = || {
        while let Some((index, candidate)) = {
            let index = next.fetch_add(1, Ordering::Relaxed);
            candidates.get(index).map(|candidate| (index, candidate))
        } {
            let read = one(candidate, directory, first + index);
            results.lock().unwrap_or_else(PoisonError::into_inner).push((index, read));
        }
    };
    let threads = std::thread::available_parallelism().map_or(1, usize::from).min(candidates.len().div_ceil(16));
    std::thread::scope(|scope| {
        for _ in 1..threads {
            scope.spawn(work);
        }
        work();
    });
    let mut results = results.into_inner().unwrap_or_else(PoisonError::into_inner);
    results.sort_unstable_by_key(|(index, _)| *index);
    let mut searched = Searched::default();
    for (index, read) in results {
        match read {
            Read::Nothing => searched.files += 1,
            Read::Not(why) => searched.notices.extend(why),
            Read::Found(profiles, part) => {
                searched.files += 1;
                let source = profiles.first().map(|profile| profile.at.source);
                let name = source.map(|source| part.get(source).name.clone()).unwrap_or_default();
                searched.layers.push(Layer { origin: Origin::Given, name, exposed: false, source });
                searched.profiles.extend(profiles);
                sources.put(first + index, part);
            }
        }
    }
    searched
}

/// What is read of a text at all: the names of the two services, and how tokens of one begin.
fn concerns(text: &[u8]) -> bool {
    let mut rest = text;
    while let Some(at) = rest.iter().position(|byte| matches!(byte | 0x20, b's' | b'b' | b'x') || *byte == b'2') {
        let tail = &rest[at..];
        let begins = |word: &[u8]| tail.len() >= word.len() && tail[..word.len()].eq_ignore_ascii_case(word);
        if begins(b"slack") || begins(b"b2") || begins(b"backblaze") || begins(b"xox") {
            return true;
        }
        rest = &tail[1..];
    }
    false
}

fn one(candidate: &Candidate, directory: &Path, id: usize) -> Read {
    let said = |why: &FileError| {
        let name = candidate.path.strip_prefix(directory).unwrap_or(&candidate.path);
        candidate.named.then(|| format!("{} was not read: {why}", text::file(name)))
    };
    let (mut text, _) = match file::read_text(&candidate.path, MAX_FILE) {
        Ok(read) => read,
        Err(error) => return Read::Not(said(&error)),
    };
    if !concerns(text.as_bytes()) {
        return Read::Nothing;
    }
    let (mut vault, mut sources) = (Vault::default(), Sources::part(id));
    let replaced = Replaced::default();
    let mut reader = Reader { vault: &mut vault, sources: &mut sources, directory, replaced: &replaced };
    let name = reader.name(&candidate.path);
    let document = match reader.document_text(&name, &mut text, candidate.sort.dialect) {
        Ok(document) => document,
        Err(problem) => return Read::Not(Some(unparsed(&problem))),
    };
    let profiles = profiles(&document, &mut vault, candidate.sort, Some(&name));
    if profiles.is_empty() { Read::Nothing } else { Read::Found(profiles, sources) }
}

/// Of a text that is no file, such as standard input.
pub fn text(name: &str, text: &mut String, sort: Sort, directory: &Path, sources: &mut Sources) -> Searched {
    let (mut vault, replaced) = (Vault::default(), Replaced::default());
    let mut searched = Searched { files: 1, ..Searched::default() };
    let mut reader = Reader { vault: &mut vault, sources, directory, replaced: &replaced };
    match reader.document_text(name, text, sort.dialect) {
        Ok(document) => {
            if sort.place == Place::Environment {
                let groups = document.roots.iter().flat_map(|root| group::groups(root, &mut vault));
                for group in groups.collect::<Vec<_>>() {
                    searched.variables += group.items.len();
                    let (profiles, secrets) = variables(&group, &mut vault, Some(name));
                    searched.profiles.extend(profiles);
                    searched.secrets.extend(secrets);
                }
                searched.files = 0;
            } else {
                searched.profiles = profiles(&document, &mut vault, sort, Some(name));
            }
            let layer =
                Layer { origin: Origin::Given, name: name.to_owned(), exposed: false, source: Some(document.id) };
            searched.layers.push(layer);
        }
        Err(problem) => searched.notices.push(unparsed(&problem)),
    }
    searched
}

fn unparsed(problem: &Problem) -> String {
    match problem.code {
        Code::Syntax => format!("not searched: {}", problem.message),
        _ => problem.message.clone(),
    }
}

fn profiles(document: &Document, vault: &mut Vault, sort: Sort, file: Option<&str>) -> Vec<Profile> {
    let mut groups: Vec<Group> = document.roots.iter().flat_map(|root| group::groups(root, vault)).collect();
    storage::litestream(&mut groups, vault);
    let brackets = document.roots.iter().any(expansion::has_vault_plugin);
    let mut maker = Maker::new(vault, file, sort, brackets);
    for group in &groups {
        maker.group(group);
    }
    let mut profiles = maker.profiles;
    // Where every value is a stand-in, the file is made to be filled in, whatever it is called.
    if sort.place == Place::File && !sort.known && is_blank(&profiles) {
        profiles.iter_mut().filter_map(|profile| profile.found.as_mut()).for_each(|found| found.place = Place::Example);
    }
    profiles
}

/// Whether there are stand-ins, and no credential beside them.
fn is_blank(profiles: &[Profile]) -> bool {
    let facts = || profiles.iter().flat_map(Profile::credentials).filter_map(Setting::facts);
    facts().any(|facts| facts.reading.stand_in.is_some())
        && facts().all(|facts| facts.reading.stand_in.is_some() || facts.reading.form.is_none())
}

/// The variables of a process as one document.
pub fn environment(environment: &Environment, directory: &Path, sources: &mut Sources) -> Searched {
    let (mut vault, replaced) = (Vault::default(), Replaced::default());
    let mut reader = Reader { vault: &mut vault, sources, directory, replaced: &replaced };
    let mut items = Vec::new();
    let mut searched = Searched::default();
    for (name, value) in environment.named() {
        searched.variables += 1;
        // A value that is no text is no credential of either service.
        let Some(value) = value.to_str() else { continue };
        let variable = reader.variable(name, value);
        let at = variable.at;
        items.push(Item { name: name.to_owned(), at, value: variable.value, how: How::Plain });
    }
    let group = Group { path: Vec::new(), items, beside: Vec::new() };
    (searched.profiles, searched.secrets) = variables(&group, &mut vault, None);
    searched
}

/// What the variables of a process hold: profiles, and what is named like a secret and is of neither service.
fn variables(group: &Group, vault: &mut Vault, file: Option<&str>) -> (Vec<Profile>, Vec<NamedSecret>) {
    let sort = Sort { dialect: Dialect::Nul, place: Place::Environment, known: true };
    let mut maker = Maker::new(vault, file, sort, false);
    maker.group(group);
    let profiles = maker.profiles;
    let known: BTreeSet<_> = profiles.iter().flat_map(|profile| &profile.settings).map(|setting| setting.at).collect();
    let other = group.items.iter().filter(|item| !known.contains(&item.at) && is_secret(&item.name));
    let secret =
        |item: &Item| NamedSecret { name: profiles::shown(&item.name), at: item.at, facts: vault.facts(item.value) };
    (profiles, other.map(secret).collect())
}

/// Whether a variable is named like one that holds a secret. Names of credlint's own are not: they have rules of their own.
fn is_secret(name: &str) -> bool {
    let upper = name.to_uppercase();
    let ends = ["_TOKEN", "_SECRET", "_KEY", "_PASSWORD"].iter().any(|end| upper.ends_with(end));
    ends && !upper.starts_with("CREDLINT_")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_concerns_neither_service_is_not_read_further() {
        for text in ["SLACK_TOKEN=", "a: Slack", "x B2_", "backblaze", "xoxb-"] {
            assert!(concerns(text.as_bytes()), "{text}");
        }
        for text in ["", "b", "sla ck", "xo", "password=1", "a=2"] {
            assert!(!concerns(text.as_bytes()), "{text}");
        }
        assert!(is_secret("DB_PASSWORD") && !is_secret("CREDLINT_STORAGE__A__APPLICATION_KEY") && !is_secret("KEYS"));
    }
}
