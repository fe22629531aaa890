//! Resolves the winning values: literals, and references `{ env = "NAME" }` and `{ file = "PATH" }`.

use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;

use super::environment::Environment;
use super::missing;
use super::options::LoadOptions;
use super::permitted::{PermittedReferences, real_path_below};
use super::setting::{Known, Shadow, State, WrittenAs};
use super::trust::{self, Author};
use crate::code::Code;
use crate::file;
use crate::schema::value::{CaFile, Flaw, Parsed, shown};
use crate::schema::{Field, Type};
use crate::secret::{Digest, Facts, Handle, MASK, Vault};
use crate::services;
use crate::source::{Entry, Node, Problem, Reader, Scalar, Spot, Value, Variables};

/// The maximum size of a file that is read as a value.
const MAX_VALUE: u64 = 1024 * 1024;

pub(super) struct Resolver<'a, 'r> {
    pub(super) reader: &'a mut Reader<'r>,
    environment: &'a Environment,
    dotenv: Vec<Variables>,
    opaque: bool,
    permitted: PermittedReferences,
    /// Variables found so far, so that each one becomes a single source.
    found: HashMap<String, FoundVariable>,
}

/// A variable and its source.
#[derive(Clone, Copy)]
struct FoundVariable {
    value: Handle,
    at: Spot,
    /// True if it is in a dotenv file that other users can read.
    exposed: bool,
    /// The same variable in a dotenv file, hidden by the environment.
    hidden: Option<Shadow>,
}

/// A resolved string, before its field's type parses it.
#[derive(Clone)]
pub(super) struct ResolvedString {
    pub(super) form: WrittenAs,
    at: Spot,
    /// The location of the value, if it was referenced.
    pub(super) found: Option<Spot>,
    /// A lower location of the same variable.
    pub(super) hidden: Option<Shadow>,
    /// True if its file can be read by other users.
    pub(super) exposed: bool,
    /// True if a discovered project file refers to a file outside the project.
    outside_project: bool,
    /// The value, or why there is none.
    content: Result<Handle, State>,
}

/// The content of a field: its source, its state, and the elements of a list (location, location of the value, state).
pub(super) type ResolvedField = (ResolvedString, State, Vec<(Spot, Option<Spot>, State)>);

impl ResolvedString {
    fn new(form: WrittenAs, at: Spot, content: Result<Handle, State>) -> Self {
        Self { form, at, found: None, hidden: None, exposed: false, outside_project: false, content }
    }

    pub(super) fn literal(at: Spot, content: Result<Handle, State>) -> Self {
        Self::new(WrittenAs::Literal, at, content)
    }
}

impl<'a, 'r> Resolver<'a, 'r> {
    pub(super) fn new(
        reader: &'a mut Reader<'r>,
        options: &'a LoadOptions,
        dotenv: Vec<Variables>,
        permitted: PermittedReferences,
    ) -> Self {
        let (environment, opaque) = (&options.environment, options.no_resolve);
        Self { reader, environment, dotenv, opaque, permitted, found: HashMap::new() }
    }

    /// Resolves the content of a field.
    pub(super) fn resolve_field(&mut self, value: &Value, author: Author<'_>) -> Result<ResolvedField, Problem> {
        let literal = |state: State| ResolvedString::literal(value.at, Err(state));
        let mut elements = Vec::new();
        let resolved = match &value.node {
            Node::List(items) if author.field.ty.is_list() => {
                for item in items {
                    let resolved = self.resolve_string(item, author)?;
                    elements.push((resolved.at, resolved.found, self.parse_value(&resolved, author)));
                }
                literal(if elements.is_empty() { State::Empty } else { State::List })
            }
            // Only a variable may give a list as a single string.
            Node::Scalar(..) if author.field.ty.is_list() && !author.variable => literal(State::Mistyped),
            _ => {
                let mut resolved = self.resolve_string(value, author)?;
                if let (Ok(handle), true) = (&resolved.content, author.field.ty.is_list()) {
                    for part in split_list(*handle, self.reader.vault) {
                        let part = ResolvedString { content: Ok(part), ..resolved.clone() };
                        elements.push((part.at, part.found, self.parse_value(&part, author)));
                    }
                    resolved.content = Err(if elements.is_empty() { State::Empty } else { State::List });
                }
                resolved
            }
        };
        let state = self.parse_value(&resolved, author);
        Ok((resolved, state, elements))
    }

    /// Resolves a string.
    fn resolve_string(&mut self, value: &Value, author: Author<'_>) -> Result<ResolvedString, Problem> {
        let literal = |content| Ok(ResolvedString::literal(value.at, content));
        let keys = match &value.node {
            Node::Scalar(Scalar::Text, handle) => return literal(Ok(*handle)),
            Node::Conflict(ways) => return literal(Err(State::Conflict(ways.iter().map(|way| way.at).collect()))),
            Node::Table(keys) => keys,
            _ => return literal(Err(State::Mistyped)),
        };
        let find = |name: &str| keys.iter().find(|entry| entry.key == name);
        let string = |entry: &Entry| match entry.value.node {
            Node::Scalar(Scalar::Text, handle) => Some(handle),
            _ => None,
        };
        match (find("env"), find("file")) {
            (Some(env), Some(file)) => literal(Err(State::Conflict(vec![env.at, file.at]))),
            (Some(env), None) => match string(env) {
                Some(name) => match trust::refuse_variable(author) {
                    None => self.resolve_variable(name, value.at, author),
                    Some(refusal) => literal(Err(State::Refused(refusal))),
                },
                None => literal(Err(State::Mistyped)),
            },
            (None, Some(file)) => match string(file) {
                Some(path) => Ok(self.resolve_file(path, value.at, author)),
                None => literal(Err(State::Mistyped)),
            },
            (None, None) => literal(Err(State::Mistyped)),
        }
    }

    fn resolve_variable(&mut self, name: Handle, at: Spot, author: Author<'_>) -> Result<ResolvedString, Problem> {
        let shown = self.reader.vault.shown(name, shown::env_name).unwrap_or_else(|| MASK.to_owned());
        let form = WrittenAs::Env(shown.clone());
        #[expect(
            clippy::disallowed_methods,
            reason = "the name of a variable, to look it up; printed only if it is one"
        )]
        let name = self.reader.vault.open(name).to_owned();
        if let Err(refusal) = self.permitted.check_variable(&name) {
            return Ok(ResolvedString::new(form, at, Err(State::Refused(refusal))));
        }
        if self.opaque {
            return Ok(ResolvedString::new(form, at, Err(State::Opaque)));
        }
        let found = match self.found.get(&name) {
            Some(&found) => Some(found),
            None => self.look_up(&name, &shown, at)?,
        };
        Ok(match found {
            Some(found) => {
                self.found.insert(name, found);
                let FoundVariable { value, at: there, exposed, hidden } = found;
                ResolvedString { found: Some(there), hidden, exposed, ..ResolvedString::new(form, at, Ok(value)) }
            }
            None => {
                let beside = if author.variable { None } else { Some(author.base) };
                let missing = missing::explain_variable(&name, &shown, self.environment, beside);
                ResolvedString::new(form, at, Err(State::Missing(Box::new(missing))))
            }
        })
    }

    /// Looks up a variable in the environment, then in the dotenv files, the last one first.
    fn look_up(&mut self, name: &str, shown: &str, at: Spot) -> Result<Option<FoundVariable>, Problem> {
        let below = self.dotenv.iter().rev().find_map(|variables| Some((variables.get(name)?, variables.exposed)));
        if let Some(value) = self.environment.get(name) {
            let Some(value) = value.to_str() else {
                let message = format!("the value of the environment variable {shown} is not UTF-8");
                return Err(Problem::new(Code::NotUtf8, message).at(at, "value comes from there"));
            };
            let variable = self.reader.add_variable(name, value);
            let facts = self.reader.vault.facts(variable.value);
            let hidden = below.map(|(below, _)| {
                let hidden = self.reader.vault.facts(below.value);
                let differs = facts.is_real() && hidden.is_real() && facts.digest != hidden.digest;
                Shadow { at: below.at, differs }
            });
            return Ok(Some(FoundVariable { value: variable.value, at: variable.at, exposed: false, hidden }));
        }
        Ok(below.map(|(variable, exposed)| FoundVariable {
            value: variable.value,
            at: variable.at,
            exposed,
            hidden: None,
        }))
    }

    fn resolve_file(&mut self, path: Handle, at: Spot, author: Author<'_>) -> ResolvedString {
        let shown = self.reader.vault.shown(path, shown::path).unwrap_or_else(|| MASK.to_owned());
        let form = WrittenAs::File(shown.clone());
        #[expect(clippy::disallowed_methods, reason = "the path of a file, to open it; printed only if it is one")]
        let resolved = self.reader.vault.open(path);
        let path = match trust::allowed_file(author, resolved, &self.permitted) {
            Ok(_) if self.opaque => return ResolvedString::new(form, at, Err(State::Opaque)),
            Ok(path) => path,
            Err(refusal) => return ResolvedString::new(form, at, Err(State::Refused(refusal))),
        };
        let outside_project = author.project && real_path_below(author.base, &path).is_none();
        match file::read_text(&path, MAX_VALUE) {
            Ok((text, opened)) => {
                let value =
                    text.strip_suffix('\n').map_or(text.as_str(), |text| text.strip_suffix('\r').unwrap_or(text));
                let content = Ok(self.reader.vault.store(value));
                ResolvedString { exposed: opened.exposed, outside_project, ..ResolvedString::new(form, at, content) }
            }
            Err(error) => {
                let relative = !author.variable && Path::new(resolved).is_relative();
                let missing = missing::explain_file(resolved, &shown, &error, relative);
                ResolvedString::new(form, at, Err(State::Missing(Box::new(missing))))
            }
        }
    }

    /// Parses a string according to the type of its field.
    fn parse_value(&mut self, resolved: &ResolvedString, author: Author<'_>) -> State {
        let handle = match &resolved.content {
            Ok(handle) => *handle,
            Err(state) => return state.clone(),
        };
        if self.reader.vault.is_empty(handle) {
            return State::Empty;
        }
        #[expect(clippy::disallowed_methods, reason = "public values are parsed into validated types here")]
        let value = self.reader.vault.open(handle);
        if resolved.form != WrittenAs::Literal
            && let Some(refusal) = trust::refuse_value(author, value)
        {
            return State::Refused(refusal);
        }
        let parsed = match author.field.ty {
            Type::Path => {
                // A path in a variable is relative to the working directory, whichever file refers to the variable.
                let base = Some(author.base).filter(|_| !matches!(resolved.form, WrittenAs::Env(_)));
                Ok(Parsed::Path(CaFile::new(self.reader.resolve(base, value))))
            }
            ty => ty.parse(value),
        };
        // Otherwise anybody who can change a project file could make a report show the content of any file.
        let shown = if resolved.outside_project { None } else { author.field.ty.show(value) };
        known_state(self.reader.vault.facts(handle), handle, parsed, shown)
    }
}

/// Returns the state of a value in another program's file, parsed as the corresponding field.
pub(crate) fn value_state(field: &Field, handle: Handle, vault: &Vault) -> State {
    if vault.is_empty(handle) {
        return State::Empty;
    }
    #[expect(clippy::disallowed_methods, reason = "public values are parsed into validated types here")]
    let value = vault.open(handle);
    let own = field.row.map_or(&[][..], services::own_forms_in);
    known_state(vault.facts_among(handle, own), handle, field.ty.parse(value), field.ty.show(value))
}

fn known_state(mut facts: Arc<Facts>, handle: Handle, parsed: Result<Parsed, Flaw>, shown: Option<String>) -> State {
    match &parsed {
        Err(Flaw::Word) => return State::Mistyped,
        Ok(Parsed::Url(address)) => {
            let facts = Arc::make_mut(&mut facts);
            facts.parts.extend(address.s3_cluster().map(|number| ("cluster", Digest::from_part(number))));
        }
        _ => {}
    }
    State::Known(Box::new(Known { handle, facts, parsed, shown }))
}

/// Splits at commas and trims spaces.
fn split_list(whole: Handle, vault: &mut Vault) -> Vec<Handle> {
    #[expect(clippy::disallowed_methods, reason = "splits a list; the parts go straight back into the vault")]
    let whole = zeroize::Zeroizing::new(vault.open(whole).to_owned());
    if whole.trim_matches(' ').is_empty() {
        return Vec::new();
    }
    whole.split(',').map(|part| vault.store(part.trim_matches(' '))).collect()
}
