//! Reads files in parallel. Results are in the order of the files, whichever finishes first.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Condvar, Mutex, PoisonError};

use zeroize::Zeroizing;

use super::concern::Concern;
use super::file_type::{FileType, inside, is_nul_separated};
use super::group::{self, Group, Item, value_matches};
use super::profiles::{self, ProfileBuilder};
use super::repeated::Repeated;
use super::runner::{self, Runner};
use super::{committed, configuration, misspelt, secrets, storage};
use crate::code::Code;
use crate::config::{
    Environment, Layer, Listed, NoValue, Origin, OwnNames, Place, Profile, Required, State, UnreadFile,
};
use crate::file::{self, AnyText, FileError, Repositories};
use crate::form::Placeholder;
use crate::secret::{Digest, Handle, Vault};
use crate::shorthand::lock;
use crate::source::{Dialect, Document, MAX_FILE, PipeTexts, Problem, Reader, SourceId, Sources, Spot, Value};
use crate::text::Span;

/// A file to read, and its type.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Candidate {
    /// The path.
    pub path: PathBuf,
    /// The type.
    pub file_type: FileType,
    /// True if the user named the file: then an error is reported.
    pub named: bool,
    /// True if its name has no known type, so that the content decides.
    pub by_content: bool,
    /// Why it is not read, if it is a link that leads to no file, or to one outside the searched directories.
    pub(super) refused: Option<RefusedLink>,
}

impl Candidate {
    /// Creates a candidate for a file that the user named.
    #[must_use]
    pub fn new(path: impl Into<PathBuf>, file_type: FileType) -> Self {
        Self { path: path.into(), file_type, named: true, by_content: false, refused: None }
    }
}

/// Why a link that was found is not followed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum RefusedLink {
    /// It leads to a file outside the searched directories.
    Outside,
    /// It leads to nothing.
    Dangling,
}

/// The credentials found in other programs' files.
#[derive(Debug, Default)]
pub struct SearchResult {
    /// The profiles, by file and location.
    pub profiles: Vec<Profile>,
    /// The files with profiles.
    pub layers: Vec<Layer>,
    /// credlint configurations, recognised by their content.
    pub configurations: Vec<PathBuf>,
    /// The number of files that were read.
    pub files: usize,
    /// The number of variables that were read.
    pub variables: usize,
    /// Variables whose names suggest secrets, but of no known service.
    pub secrets: Vec<Profile>,
    /// Files that were not read, or not in their own syntax.
    pub unread: Vec<UnreadFile>,
    /// What runs with files and variables.
    pub runners: Vec<Runner>,
    /// Values that no rule judges, if they were asked for.
    pub listed: Listed,
    /// What is wrong for some readers of a file, by file.
    pub pending: Vec<(PathBuf, Profile)>,
    /// Required variables that are not set.
    pub required: Vec<Required>,
    /// Files that the operating system did not let this user read, with reasons.
    pub notices: Vec<String>,
    /// The number of named files, and of files with names for credentials, that the operating system did not let this user read.
    pub refused: usize,
}

impl SearchResult {
    /// Adds another result.
    pub(crate) fn add(&mut self, more: Self) {
        self.profiles.extend(more.profiles);
        self.layers.extend(more.layers);
        self.configurations.extend(more.configurations);
        self.secrets.extend(more.secrets);
        self.listed.profiles.extend(more.listed.profiles);
        self.listed.pieces.extend(more.listed.pieces);
        self.unread.extend(more.unread);
        self.runners.extend(more.runners);
        self.pending.extend(more.pending);
        self.required.extend(more.required);
        self.notices.extend(more.notices);
        self.files += more.files;
        self.refused += more.refused;
        self.variables += more.variables;
    }

    /// Returns `true` if there is nothing to report except that a file was read.
    fn is_empty(&self) -> bool {
        !self.has_source() && self.configurations.is_empty() && self.notices.is_empty() && self.runners.is_empty()
    }

    /// Returns `true` if any item has a location in the file.
    fn has_source(&self) -> bool {
        !self.layers.is_empty() || !self.unread.is_empty()
    }
}

/// The layer of a file with profiles.
fn layer(name: &str, source: SourceId) -> Layer {
    Layer { origin: Origin::Given, name: name.to_owned(), exposed: false, source: Some(source) }
}

/// The maximum number of credentials in a file: each takes four kilobytes while the file is judged.
const MAX_CREDENTIALS: usize = if cfg!(test) { 500 } else { 50_000 };

/// The texts about a file that was only partly read, and what to do about it.
const BEGINNING: &str = "only its first part was read";
const SPLIT: &str = "split it, or leave it out if it has no credentials";
const REPAIR: &str = "repair it there, or leave it out if it has no credentials";

/// Returns why a document was not read in its own syntax.
fn unread(document: &Document, name: &str, why: Option<String>, expects_credentials: bool) -> Option<UnreadFile> {
    let start = Spot { source: document.id, span: Span { start: 0, end: 0 } };
    let (at, label, why, help) = if let Some(why) = why {
        (start, BEGINNING, why, SPLIT)
    } else if let Some(flaw) = &document.flaw {
        let at = flaw.labels.first().map_or(start, |(at, _)| *at);
        let label = if flaw.code == Code::DuplicateKey { "set again" } else { "this could not be parsed" };
        let why = flaw.message.strip_prefix(name).unwrap_or(&flaw.message).trim_start_matches(':').trim();
        (at, label, format!("was read line by line: {}", why.trim_start_matches("is ")), REPAIR)
    } else if document.cut {
        (start, BEGINNING, "has more than 100,000 values, and only the first ones were read".to_owned(), SPLIT)
    } else {
        return None;
    };
    Some(UnreadFile { name: name.to_owned(), at, why, label, help, expects_credentials })
}

/// Returns why only the beginning of a file was judged.
fn limit(cut: bool, number: usize) -> Option<String> {
    let size = || format!("is larger than {} MiB, and was read up to there", MAX_FILE / (1024 * 1024));
    let full = || "has more than 50,000 credentials, and only the first ones were judged".to_owned();
    cut.then(size).or_else(|| (number > MAX_CREDENTIALS).then(full))
}

/// The values to ask a service about, from many files. All other values are dropped with their file.
pub type KeptValues = Mutex<Vault>;

/// Keeps the values of recognised credentials that can be asked about.
fn keep_credentials(profiles: &mut [Profile], vault: &Vault, kept: Option<&KeptValues>) {
    let Some(kept) = kept else { return };
    let asked = profiles.iter_mut().filter(|profile| profile.kind().probe.is_some());
    for setting in asked.flat_map(|profile| &mut profile.settings) {
        let recognised = setting.field.is_credential() && setting.credential_form().is_some();
        if let State::Known(known) = &mut setting.state
            && recognised
        {
            let value = vault.sealed(known.handle);
            known.handle = lock(kept).insert(value);
        }
    }
}

/// How files are read.
#[derive(Clone, Copy)]
pub struct ReadOptions<'a> {
    /// Names are relative to this directory.
    pub directory: &'a Path,
    /// The repositories of the files.
    pub repositories: &'a Repositories,
    /// Names of the project's own.
    pub names: &'a OwnNames,
    /// Receives the values that a service may be asked about.
    pub kept: Option<&'a KeptValues>,
    /// Lists all values whose names say that they are credentials, and those with one of these pieces.
    pub list: Option<&'a [Digest]>,
    /// Returns `true` if something may be reported about a profile, so that an excerpt of its file is needed.
    pub may_report: &'a (dyn Fn(&Profile) -> bool + Sync),
}

/// Reads files. Those with profiles or flaws are added to `sources`; if nothing may be reported about a file, its lines
/// are not kept, because a copy takes several times the memory of the file.
pub fn read(candidates: &[Candidate], reading: ReadOptions<'_>, sources: &mut Sources) -> SearchResult {
    let (next, nothing) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let results: Mutex<Vec<(usize, SearchResult, Sources)>> = Mutex::default();
    let first = sources.count();
    let work = || {
        let mut buffer = Zeroizing::default();
        let turns = std::iter::from_fn(|| {
            let index = next.fetch_add(1, Ordering::Relaxed);
            Some((index, candidates.get(index)?))
        });
        for (index, candidate) in turns {
            let (mut vault, mut part) = (Vault::default(), Sources::starting_at(first + index));
            let (directory, pipes) = (reading.directory, PipeTexts::default());
            let mut reader = Reader { vault: &mut vault, sources: &mut part, directory, pipes: &pipes };
            let read = reading.read_file(&mut reader, candidate, &mut buffer);
            // Most files have nothing to keep.
            if read.is_empty() {
                nothing.fetch_add(read.files, Ordering::Relaxed);
            } else {
                lock(&results).push((index, read, part));
            }
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
    results.sort_unstable_by_key(|(index, ..)| *index);
    let mut searched = SearchResult { files: nothing.into_inner(), ..SearchResult::default() };
    for (index, read, part) in results {
        if read.has_source() {
            sources.insert_part(first + index, part);
        }
        searched.add(read);
    }
    let pending = std::mem::take(&mut searched.pending);
    searched.secrets.extend(runner::confirmed(pending, &searched.runners));
    searched
}

/// Returns the result for a text that was not read at all.
fn unread_text(reader: &mut Reader<'_>, name: &str, expected: bool, (why, help): (&str, &'static str)) -> SearchResult {
    let at = Spot { source: reader.add_unread(name), span: Span { start: 0, end: 0 } };
    let (name, why) = (name.to_owned(), format!("was not read: {why}"));
    SearchResult {
        unread: vec![UnreadFile { name, at, why, label: "not read", help, expects_credentials: expected }],
        ..SearchResult::default()
    }
}

/// Returns the result for a named file whose type follows neither from its name nor from its content.
fn unknown_type(reader: &mut Reader<'_>, candidate: &Candidate) -> SearchResult {
    let name = reader.shown_name(&candidate.path);
    let help = "pass --as to say what it is, such as --as env, or leave it out";
    unread_text(reader, &name, false, ("neither its name nor its content tells what it is", help))
}

impl ReadOptions<'_> {
    /// Reads a file. The buffer is reused for the text.
    fn read_file(
        self,
        reader: &mut Reader<'_>,
        candidate: &Candidate,
        buffer: &mut Zeroizing<Vec<u8>>,
    ) -> SearchResult {
        /// A larger buffer is not reused.
        const KEPT: usize = 1024 * 1024;
        let expects_credentials = candidate.file_type.known;
        if let Some(refused) = candidate.refused {
            let name = reader.shown_name(&candidate.path);
            let why = match refused {
                RefusedLink::Outside => (
                    "it is a link to a file outside of what is searched",
                    "search the directory that it leads to, too, or name the file",
                ),
                RefusedLink::Dangling => {
                    ("it is a link to a file that does not exist", "create that file, or remove the link")
                }
            };
            let expected = expects_credentials && !is_made_later(&candidate.path, self.repositories);
            return unread_text(reader, &name, expected, why);
        }
        let AnyText { mut text, cut } = match file::read_any(&candidate.path, MAX_FILE, buffer, candidate.named) {
            Ok(read) => read,
            Err(error) => {
                let name = reader.shown_name(&candidate.path);
                let by_system = matches!(error, FileError::Io(_));
                if by_system && (candidate.named || expects_credentials) {
                    let notices = vec![format!("{name} was not read: {error}")];
                    return SearchResult { refused: 1, notices, ..SearchResult::default() };
                }
                // A file found in a directory may have been removed meanwhile.
                if !candidate.named && !by_system {
                    return SearchResult::default();
                }
                let help = "name a regular file that you may read, or leave it out with --exclude";
                return unread_text(reader, &name, expects_credentials, (&error.to_string(), help));
            }
        };
        let read = self.read_text(reader, candidate, (&mut text, cut));
        if text.capacity() <= KEPT {
            *buffer = Zeroizing::new(std::mem::take(&mut *text).into_bytes());
        }
        read
    }

    /// Reads the text of a file.
    fn read_text(
        self,
        reader: &mut Reader<'_>,
        candidate: &Candidate,
        (text, cut): (&mut String, bool),
    ) -> SearchResult {
        let expects_credentials = candidate.file_type.known;
        let told =
            if candidate.by_content { candidate.file_type.detect_by_content(text) } else { Some(candidate.file_type) };
        let file_type = told.unwrap_or(candidate.file_type);
        let dialect = file_type.dialect;
        if (candidate.named || expects_credentials) && is_binary(text, candidate.file_type.dialect) {
            let name = reader.shown_name(&candidate.path);
            let help = "decrypt it, save it as UTF-8, or leave it out with --exclude";
            return match encryption(text) {
                // Each checkout without the key has it like this.
                Some(why) => unread_text(reader, &name, false, (why, help)),
                None => unread_text(reader, &name, expects_credentials, (BINARY, help)),
            };
        }
        if told.is_none() {
            return unknown_type(reader, candidate);
        }
        let mut searched = SearchResult { files: 1, ..SearchResult::default() };
        let (mut concern, may_be_own) = Concern::from_file(text.as_bytes(), file_type, self.names);
        if file_type.place == Place::Environment || self.list.is_some() && expects_credentials {
            concern = Concern::Everywhere;
        }
        let may_be_own = may_be_own && !file_type.stated && configuration::may_be_configuration(text, dialect);
        let concerned = concern.is_any() || cut && (candidate.named || expects_credentials);
        if !concerned && !may_be_own {
            return searched;
        }
        let was_meant = may_be_own && configuration::is_broken_configuration(text, dialect);
        let _room = ParseBudget::reserve(text.len());
        let documents = if may_be_own { None } else { concern.documents(text) };
        let read = reader.read(text, dialect, inside, documents.as_deref());
        if may_be_own && read.is_complete() && configuration::is_configuration(read.roots())
            || was_meant && read.is_broken()
        {
            return SearchResult { configurations: vec![candidate.path.clone()], ..SearchResult::default() };
        }
        // A text that only starts like JSON or YAML may be anything.
        if candidate.by_content && !read.is_complete() && !cut {
            return unknown_type(reader, candidate);
        }
        if !concerned {
            return searched;
        }
        // A copy may still have the comment.
        let mut file_type = file_type;
        let copied = candidate.path.file_name().is_some_and(|name| name == ".env");
        if file_type.place == Place::File
            && !copied
            && secrets::says_template(text)
            && self.repositories.would_commit(&candidate.path) == Some(true)
        {
            file_type.place = Place::Example;
        }
        // Most files are never named.
        let name = reader.shown_name(&candidate.path);
        let origin = FileText { file_type, name: Some(&name), text, path: Some(&candidate.path) };
        let found = credentials(read.roots(), reader.vault, origin, (self.names, self.list));
        let Credentials { mut profiles, mut secrets, mut pending, listed } = found;
        let all = profiles.iter_mut().chain(&mut secrets).chain(&mut pending);
        committed::note_commit(all, (&candidate.path, text), file_type, self.repositories);
        searched.runners = runner::runners((read.roots(), text), file_type.dialect, &candidate.path, reader.vault);
        searched.pending = pending.into_iter().map(|profile| (candidate.path.clone(), profile)).collect();
        let limit = limit(cut, profiles.len().max(secrets.len()));
        let (whole, any) = (
            read.is_complete() && limit.is_none(),
            ![&profiles, &secrets, &listed.profiles].iter().all(|all| all.is_empty()) || !searched.pending.is_empty(),
        );
        if whole && !any {
            return searched;
        }
        keep_credentials(&mut profiles, reader.vault, self.kept);
        let speaks = || {
            !searched.pending.is_empty()
                || self.kept.is_some()
                || self.list.is_some()
                || profiles.iter().chain(&secrets).any(self.may_report)
        };
        // A comment may allow a finding, or be unused.
        let source = if whole && !text.contains("credlint:") && !speaks() {
            reader.add_unread(&name)
        } else {
            let document = reader.add_document(&name, None, text, read);
            searched.unread.extend(unread(&document, &name, limit, expects_credentials));
            document.id
        };
        searched.layers.extend(any.then(|| layer(&name, source)));
        SearchResult { profiles, secrets, listed, ..searched }
    }
}

/// The total size of the larger texts that are being parsed: a tree takes twenty times the memory.
static PARSED: (Mutex<usize>, Condvar) = (Mutex::new(0), Condvar::new());

/// A share of the memory for parsing.
struct ParseBudget(usize);

impl ParseBudget {
    const ALL: usize = 2 * 1024 * 1024;
    /// A smaller text needs no share.
    const LEAST: usize = 128 * 1024;

    /// Waits until enough memory is free. A text that is larger than the whole budget is parsed alone.
    fn reserve(size: usize) -> Self {
        let size = if size < Self::LEAST { 0 } else { size.min(Self::ALL) };
        if size > 0 {
            let used = lock(&PARSED.0);
            let full = |used: &mut usize| *used + size > Self::ALL;
            *PARSED.1.wait_while(used, full).unwrap_or_else(PoisonError::into_inner) += size;
        }
        Self(size)
    }
}

impl Drop for ParseBudget {
    fn drop(&mut self) {
        if self.0 > 0 {
            *lock(&PARSED.0) -= self.0;
            PARSED.1.notify_all();
        }
    }
}

const BINARY: &str = "it is not a text";

/// Returns the reason why a file is not read that a program encrypted whole.
fn encryption(text: &str) -> Option<&'static str> {
    const STARTS: [(&str, &str); 3] = [
        ("\0GITCRYPT\0", "git-crypt has encrypted it"),
        ("age-encryption.org/v1\n", "age has encrypted it"),
        ("Salted__", "OpenSSL has encrypted it"),
    ];
    STARTS.iter().find(|(start, _)| text.starts_with(start)).map(|(_, why)| *why)
}

/// Returns `true` for content that is not text, such as an encrypted file or UTF-16 without a byte order mark. A single
/// NUL in a text spoils only one value, and NULs separate the variables of a process.
fn is_binary(text: &str, dialect: Dialect) -> bool {
    if dialect == Dialect::Nul && text.contains('\0') {
        return !is_nul_separated(text);
    }
    let is_odd = |c: &char| *c == char::REPLACEMENT_CHARACTER || c.is_control() && !c.is_whitespace() && *c != '\x1b';
    text.starts_with('\0') || text.contains('\0') && text.chars().filter(is_odd).count() * 20 > text.len()
}

/// Reads standard input.
pub fn read_stdin(
    text: &mut String,
    file_type: FileType,
    reading: ReadOptions<'_>,
    sources: &mut Sources,
) -> SearchResult {
    let (name, mut vault, pipes) = ("<stdin>", Vault::default(), PipeTexts::default());
    let mut searched = SearchResult { files: 1, ..SearchResult::default() };
    let mut reader = Reader { vault: &mut vault, sources, directory: reading.directory, pipes: &pipes };
    if is_binary(text, file_type.dialect) {
        return unread_text(&mut reader, name, true, (BINARY, "decrypt it, or decode it to UTF-8"));
    }
    let document = reader.document_text(name, text, file_type.dialect, inside);
    if file_type.place == Place::Environment {
        let groups = document.roots.iter().flat_map(|root| group::groups(root, &mut vault));
        searched.variables = groups.map(|group| group.items.len()).sum();
    }
    let origin = FileText { file_type, name: Some(name), text, path: None };
    let found = credentials(&document.roots, &mut vault, origin, (reading.names, reading.list));
    (searched.profiles, searched.secrets, searched.listed) = (found.profiles, found.secrets, found.listed);
    searched.unread.extend(unread(
        &document,
        name,
        limit(false, searched.profiles.len().max(searched.secrets.len())),
        true,
    ));
    // A program that has nothing to describe prints `[]`.
    if file_type.place == Place::Environment || document.flaw.is_none() && !document.roots.iter().any(Value::is_any_set)
    {
        searched.files = 0;
    }
    keep_credentials(&mut searched.profiles, &vault, reading.kept);
    searched.layers.push(layer(name, document.id));
    searched
}

/// The text of a file, and where it is from.
#[derive(Clone, Copy)]
pub(super) struct FileText<'a> {
    /// What it is.
    pub(super) file_type: FileType,
    /// Its name for display.
    pub(super) name: Option<&'a str>,
    /// The whole text.
    pub(super) text: &'a str,
    /// Where it is, unless it is no file.
    pub(super) path: Option<&'a Path>,
}

/// The credentials in a file.
#[derive(Default)]
pub(super) struct Credentials {
    pub(super) profiles: Vec<Profile>,
    /// Other values whose names suggest secrets.
    secrets: Vec<Profile>,
    /// What is wrong only for some readers.
    pending: Vec<Profile>,
    /// Values that no rule judges.
    listed: Listed,
}

/// Returns the credentials in a file.
pub(super) fn credentials(
    roots: &[Value],
    vault: &mut Vault,
    origin: FileText<'_>,
    (names, list): (&OwnNames, Option<&[Digest]>),
) -> Credentials {
    let FileText { file_type, name: file, .. } = origin;
    let mut groups: Vec<Group> = roots.iter().flat_map(|root| group::groups(root, vault)).collect();
    if file_type.place == Place::Environment {
        let (profiles, secrets): (Vec<_>, Vec<_>) = groups
            .chunks(1)
            .map(|group| profiles_in_variables(group, vault, (file, names), (&[], None), None))
            .map(|found| (found.profiles, found.secrets))
            .unzip();
        return Credentials { profiles: profiles.concat(), secrets: secrets.concat(), ..Credentials::default() };
    }
    storage::complete_replicas(&mut groups, vault);
    storage::complete_barman_secrets(&mut groups, vault);
    let mut maker = ProfileBuilder::new(vault, file, file_type, roots).with_names(names).with_text(origin);
    maker.most = MAX_CREDENTIALS + 1;
    if file_type.dialect == Dialect::Dotenv {
        maker.repeated = Repeated::among(&groups, maker.vault);
    }
    maker.look_beside(&groups);
    for group in &groups {
        if maker.is_full() {
            break;
        }
        maker.add_group(group);
    }
    let profiles = std::mem::take(&mut maker.profiles);
    let secrets = secrets::other_secrets(&groups, &profiles, &mut maker);
    let listed = secrets::listed(&groups, [&profiles, &secrets], &mut maker, list);
    Credentials { profiles, secrets, pending: maker.pending, listed }
}

/// Returns `true` for a link that git commits to a file that git ignores: each checkout makes its own.
fn is_made_later(link: &Path, repositories: &Repositories) -> bool {
    let target = link.read_link().ok().zip(link.parent()).map(|(target, directory)| directory.join(target));
    repositories.would_commit(link) == Some(true)
        && target.is_some_and(|target| repositories.would_commit(&target) == Some(false))
}

/// The variables of a process, and the program that reads them.
#[derive(Clone, Copy)]
pub struct Process<'a> {
    /// Its environment.
    pub environment: &'a Environment,
    /// Dotenv files whose variables it also gets, unless it already has them. The last one wins.
    pub env_files: &'a [PathBuf],
    /// Their contents, if they were read.
    pub pipes: &'a PipeTexts,
    /// The names of required variables.
    pub required: &'a [String],
    /// The variable whose value was read from standard input, for the command to store it.
    pub piped: Option<&'a str>,
    /// The command that gets the variables, with its arguments. Empty if it is unknown.
    pub command: &'a [OsString],
}

/// Reads the variables of a process as a document.
///
/// # Errors
///
/// Returns an error if a dotenv file can't be read.
pub fn read_environment(
    process: Process<'_>,
    reading: ReadOptions<'_>,
    sources: &mut Sources,
) -> Result<SearchResult, Problem> {
    let (mut vault, directory) = (Vault::default(), reading.directory);
    let mut reader = Reader { vault: &mut vault, sources, directory, pipes: process.pipes };
    let (mut items, mut named) = (Vec::new(), Vec::new());
    let mut searched = SearchResult::default();
    for (name, value) in process.environment.sorted() {
        // The character that replaces a byte that is not UTF-8 makes a credential malformed.
        let value = Zeroizing::new(value.to_string_lossy().into_owned());
        let variable = reader.add_variable(&name, &value);
        let flaw = secrets::named_file_flaw(&name, &value, directory);
        named.extend(flaw.map(|flaw| (Item::from_variable(&variable), flaw)));
        items.push(Item::from_variable(&variable));
    }
    for path in process.env_files.iter().rev() {
        let (source, variables, _) = reader.read_dotenv(&directory.join(path))?;
        let set: BTreeSet<String> = items.iter().map(|item| item.name.clone()).collect();
        let more = variables.iter().filter(|variable| !set.contains(&variable.name));
        items.extend(more.map(Item::from_variable));
        searched.layers.push(Layer { origin: Origin::Dotenv, ..layer(&reader.sources.get(source).name, source) });
    }
    searched.variables = items.len();
    let required = process.required.iter().map(|name| (name.as_str(), false));
    for (name, piped) in process.piped.map(|name| (name, true)).into_iter().chain(required) {
        let item = items.iter().rev().find(|item| item.name == name);
        let absence = item.map_or(Some(NoValue::Unset), |item| no_value(item.value, piped, reader.vault));
        if let Some(absence) = absence {
            let at = item.map_or_else(|| reader.add_variable(name, "").at, |item| item.at);
            searched.required.push(Required { name: profiles::shown_name(name), at, absence, piped });
        }
    }
    // There is nothing more to say about a text that stands for a value.
    let replaced = searched.required.iter().find(|required| matches!(required.absence, NoValue::StandIn(_)));
    items.retain(|item| replaced.is_none_or(|required| required.at != item.at));
    // If a name occurs twice, a program reads either the first or the last value.
    let reversed = items.iter().rev().cloned().collect();
    let groups = [items, reversed].map(|mut items: Vec<Item>| {
        items.dedup_by(|next, kept| next.name == kept.name);
        Group { items, ..Group::default() }
    });
    let command = (process.command, process.piped);
    let found = profiles_in_variables(&groups, &mut vault, (None, reading.names), command, reading.list);
    (searched.profiles, searched.secrets, searched.listed) = (found.profiles, found.secrets, found.listed);
    let mut maker = ProfileBuilder::new(&mut vault, None, FileType::from_dialect(Dialect::Nul), &[]);
    let of_files = named.iter().map(|(item, flaw)| maker.variable_profile(&Group::default(), item, Some(*flaw)));
    searched.secrets.extend(of_files);
    keep_credentials(&mut searched.profiles, &vault, reading.kept);
    Ok(searched)
}

/// Returns what a required variable has in place of a value. Whatever a store gets is kept, so it gets no text that stands
/// for a value either.
fn no_value(value: Handle, piped: bool, vault: &Vault) -> Option<NoValue> {
    if vault.is_empty(value) || piped && value_matches(vault, value, |text| text.trim().is_empty()) {
        return Some(NoValue::Empty);
    }
    if !piped {
        return None;
    }
    let dash = value_matches(vault, value, |text| text == "-").then_some("a single `-`");
    // A server of your own may issue a key such as `xoxb-test`.
    let found = vault.facts(value).reading.placeholder.filter(|found| *found != Placeholder::Stub);
    dash.or_else(|| found.map(Placeholder::describe)).map(NoValue::StandIn)
}

/// Returns the profiles in the variables of a process, and other variables whose names suggest secrets. Later groups
/// replace some variables of the first one, and only profiles with such a variable are new.
fn profiles_in_variables(
    groups: &[Group],
    vault: &mut Vault,
    (file, names): (Option<&str>, &OwnNames),
    (command, piped): (&[OsString], Option<&str>),
    list: Option<&[Digest]>,
) -> Credentials {
    let maker = ProfileBuilder::new(vault, file, FileType::from_dialect(Dialect::Nul), &[]).with_names(names);
    let mut maker = maker.for_command(command);
    let (mut profiles, mut items) = (Vec::new(), Vec::new());
    let mut seen: BTreeSet<Spot> = BTreeSet::new();
    for (index, group) in groups.iter().enumerate() {
        maker.add_group(group);
        let is_new = |profile: &Profile| profile.settings.iter().any(|setting| !seen.contains(&setting.at));
        profiles.extend(maker.profiles.drain(..).filter(|profile| index == 0 || is_new(profile)));
        items.extend(group.items.iter().filter(|item| seen.insert(item.at)));
    }
    let known: BTreeSet<_> = profiles.iter().flat_map(|profile| &profile.settings).map(|setting| setting.at).collect();
    let nowhere = Group::default();
    let mut secrets = Vec::new();
    let all = Group { items: items.iter().map(|item| (*item).clone()).collect(), ..Group::default() };
    let wanted = |item: &Item| secrets::is_secret(&item.name) && !known.contains(&item.at);
    for (item, instead) in misspelt::off_neighbours(&all, &wanted) {
        secrets.push(maker.unread_profile(&nowhere, item, None, instead));
    }
    for item in all.items.iter().filter(|item| !known.contains(&item.at)) {
        let piped = piped == Some(item.name.as_str());
        let odd = maker.oddity(&all, item, piped).or_else(|| maker.another_kind(item));
        if secrets.len() > MAX_CREDENTIALS {
            break;
        }
        if piped || odd.is_some() || secrets::is_secret(&item.name) {
            secrets.push(maker.variable_profile(&nowhere, item, odd));
        }
    }
    let listed = secrets::listed(std::slice::from_ref(&all), [&profiles, &secrets], &mut maker, list);
    Credentials { profiles, secrets, listed, ..Credentials::default() }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Reads with the default options.
    fn read_with<T>(directory: &Path, read: impl FnOnce(ReadOptions<'_>) -> T) -> T {
        let (repositories, names) = (&Repositories::default(), &OwnNames::default());
        read(ReadOptions { directory, repositories, names, kept: None, list: None, may_report: &|_| true })
    }

    /// Reads a file that was named or found.
    fn read_one(path: &Path, named: bool) -> SearchResult {
        let candidate = Candidate { named, ..Candidate::new(path, FileType::from_path(path).unwrap()) };
        read_with(path.parent().unwrap(), |reading| read(&[candidate], reading, &mut Sources::default()))
    }

    /// Reads a text of this type.
    fn read_as(file_type: FileType, text: &str) -> SearchResult {
        let mut text = text.to_owned();
        read_with(Path::new(""), |reading| read_stdin(&mut text, file_type, reading, &mut Sources::default()))
    }

    #[test]
    fn reports_missing_file_only_if_named() {
        let path = tempfile::tempdir().unwrap().path().join("a.yaml");
        let (named, found) = (read_one(&path, true), read_one(&path, false));
        assert_eq!((named.unread.len(), named.refused, found.unread.len(), found.refused), (1, 0, 0, 0));
    }

    #[test]
    fn reports_that_rest_of_large_file_was_not_read() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("a.yaml");
        std::fs::File::create(&path).unwrap().set_len(MAX_FILE + 1).unwrap();
        let unread = read_one(&path, true).unread;
        assert_eq!(unread.first().map(|unread| unread.label), Some(BEGINNING));
    }

    #[test]
    fn detects_configuration_if_all_tables_match() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("a.toml");
        let own = "[storage.a]\nkey_id = \"x\"\napplication_key = \"y\"\n";
        for (text, is) in [(own, true), (&format!("{own}[other]\n"), false)] {
            std::fs::write(&path, text).unwrap();
            assert_eq!(read_one(&path, false).configurations.len(), usize::from(is), "{text}");
        }
    }

    #[test]
    fn reports_why_file_could_not_be_parsed() {
        for (text, label) in [
            ("[slack]\ntoken = 1\ntoken = 2\n", Some("set again")),
            ("[slack]\ntoken = [\n", Some("this could not be parsed")),
            ("[slack]\ntoken = 1\n", None),
        ] {
            let found = read_as(FileType::from_dialect(Dialect::Toml), text);
            assert_eq!(found.unread.first().map(|unread| unread.label), label, "{text}");
        }
    }

    #[test]
    fn reports_wrapping_of_unknown_value_only_in_secrets() {
        for (name, text, count) in [
            (".env", "MY_TOKEN=\"'abcdefgh12345678'\"\n", 0),
            ("a.yaml", "kind: Secret\nstringData:\n  my-token: '\"abcdefgh12345678\"'\n", 1),
            ("a.yaml", "kind: Secret\nstringData:\n  my-token: abcdefgh12345678\n", 0),
        ] {
            let found = read_as(FileType::from_path(Path::new(name)).unwrap(), text);
            assert_eq!(found.secrets.len(), count, "{text}");
        }
    }

    /// Each input takes about as much work for each value, however many there are.
    #[test]
    fn work_grows_with_the_size_of_a_file() {
        type Input = fn(usize) -> String;
        fn all(count: usize, line: impl Fn(usize) -> String) -> String {
            (0..count).map(line).collect()
        }
        let inputs: [(&str, Input); 28] = [
            (".env", |n| "SLACK_TOKEN=1\n".repeat(n)),
            (".env", |n| all(n, |i| format!("A{i}_SLACK_TOKEN=xoxb-{i}\n"))),
            (".env", |n| all(n, |i| format!("A{i}_B2_KEY_ID=1\nA{i}_B2_APPLICATION_KEY=2\n"))),
            (".env", |n| all(n, |i| format!("RCLONE_CONFIG_R{i}_TYPE=b2\nRCLONE_CONFIG_R{i}_KEY=2\n"))),
            (".env", |n| all(n, |i| format!("S{i}_ACCESS_KEY_ID=1\nS{i}_SECRET_ACCESS_KEY=2\nS{i}_ENDPOINT=x\n"))),
            ("a.yaml", |n| format!("b: &b\n{}{}", "  K_SLACK_TOKEN: x\n", all(n, |i| format!("k{i}: *b\n")))),
            ("a.yaml", |n| {
                format!("b: &b |\n  export SLACK_TOKEN=1\n{}", all(n, |i| format!("k{i}:\n  script: *b\n")))
            }),
            ("a.yaml", |n| all(n, |i| format!("a{i}: x\nt{i}:\n  slack_token: x\n"))),
            ("a.yaml", |n| format!("env:\n{}", "- SLACK_TOKEN=x\n".repeat(n))),
            ("a.yaml", |n| "---\nslack_token: x\n".repeat(n)),
            (".pgpass", |n| all(n, |i| format!("h{i}:5432:db:user:password{i}\n"))),
            (".passwd-s3fs", |n| all(n, |i| format!("AKIA{i}:secret{i}\n"))),
            ("a.sh", |n| all(n, |i| format!("echo A{i}_SLACK_TOKEN=xoxb-{i} >> .env\n"))),
            ("a.sh", |n| all(n, |i| format!("cat > a.env <<EOF\nA{i}_SLACK_TOKEN=your-token\nEOF\n"))),
            ("a.sh", |n| all(n, |i| format!("sed -i 's|A|A{i}_SLACK_TOKEN=xoxb-{i}|' .env\n"))),
            ("a.json", |n| {
                format!("{{\"auths\": {{{}}}}}", all(n, |i| format!("\"r{i}.example\": {{\"auth\": \"YTpi\"}},")))
            }),
            (".npmrc", |n| all(n, |i| format!("//r{i}.example.com/:_authToken=npm_{i}\n"))),
            ("rclone.conf", |n| all(n, |i| format!("[p{i}]\ntype = b2\naccount = {i}\nkey = {i}\n"))),
            (".netrc", |n| format!("machine h.example.com\n{}", "login a password b\n".repeat(n))),
            ("a.toml", |n| all(n, |i| format!("s{i}.{}slack_token = '1'\n", "k.".repeat(20)))),
            ("a.sh", |n| format!("SLACK_TOKEN=1; {}", "a; B=1; ".repeat(n))),
            ("a.sh", |n| all(n, |i| format!("export A{i}_TOKEN=\"ab$cd{i}x\"\n"))),
            (".env", |n| all(n, |i| format!("A{i}_TOKEN=\"abc{i}\"\n"))),
            (".env", |n| all(n, |i| format!("P{i}_PASSWORD=a@b{i}\nU{i}=postgres://u:${{P{i}_PASSWORD}}@db/a\n"))),
            (".env", |n| all(n, |i| format!("A_B{i}__C=1\nA_B{i}__D=2\nA_B{i}_SLACK_TOKEN=3\n"))),
            ("docker-compose.yml", |n| {
                let lines = |i| {
                    format!(
                        "  s{i}:\n    image: redis\n    env_file: a.env\n    environment:\n      SLACK_TOKEN{i}: ''\n      U: rediss://s{i}\n"
                    )
                };
                format!("services:\n{}", all(n, lines))
            }),
            ("a.yaml", |n| format!("x:\n  y:\n{}", all(n, |i| format!("    a{i}_SLACK_BOT_TOKEN: abc\n")))),
            ("a.yaml", |n| {
                let names = |i| all(20, |j| format!("  A{j}_AWS_ACCESS_KEY_ID: {i}\n  A{j}_AWS_SECRET_ACESS_KEX: b\n"));
                all(n, |i| format!("g{i}:\n{}", names(i)))
            }),
        ];
        for (name, text) in inputs {
            let file_type = FileType::from_path(Path::new(name)).unwrap();
            let work = |count: usize| {
                let text = text(count);
                crate::text::work::steps_of(|| {
                    read_as(file_type, &text);
                })
            };
            let _ = work(1);
            let (once, twice) = (work(60), work(120));
            assert!(once > 60 && twice * 10 < once * 22, "{name} {once} {twice}: {}", text(2));
        }
    }

    #[test]
    fn reports_that_only_the_first_credentials_were_judged() {
        for (count, judged) in [(MAX_CREDENTIALS, MAX_CREDENTIALS), (MAX_CREDENTIALS + 9, MAX_CREDENTIALS + 1)] {
            let text: String = (0..count).map(|i| format!("A{i}_SLACK_TOKEN=x\n")).collect();
            let found = read_as(FileType::from_path(Path::new(".env")).unwrap(), &text);
            assert_eq!((found.profiles.len(), found.unread.is_empty()), (judged, judged == count));
        }
    }

    #[test]
    fn dotenv_file_of_process_is_a_dotenv_layer() {
        let directory = tempfile::tempdir().unwrap();
        std::fs::write(directory.path().join(".env"), "A=1\n").unwrap();
        let process = Process {
            environment: &Environment::default(),
            env_files: &[PathBuf::from(".env")],
            pipes: &PipeTexts::default(),
            required: &[],
            command: &[],
            piped: None,
        };
        let found = read_with(directory.path(), |reading| read_environment(process, reading, &mut Sources::default()));
        let found = found.unwrap();
        assert_eq!(found.layers.iter().map(|layer| layer.origin).collect::<Vec<_>>(), [Origin::Dotenv]);
    }
}
