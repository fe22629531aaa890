//! What a setting holds: a literal, or a reference `{ env = "NAME" }` or `{ file = "PATH" }`, looked up for the values
//! that won.

use std::collections::HashMap;
use std::path::Path;

use super::environment::Environment;
use super::missing;
use super::permitted::PermittedReferences;
use super::refusal;
use super::setting::{Form, Known, Shadow, State};
use super::trust::{self, Author};
use crate::code::Code;
use crate::file;
use crate::schema::value::{CaFile, Flaw, Parsed, shown};
use crate::schema::{Field, Type};
use crate::secret::{Handle, MASK, Vault};
use crate::source::{Entry, Node, Problem, Reader, Scalar, Spot, Value, Variables};

/// The largest file that is read as one value.
const MAX_VALUE: u64 = 1024 * 1024;

pub(super) struct Resolver<'a> {
    environment: &'a Environment,
    dotenv: Vec<Variables>,
    opaque: bool,
    permitted: PermittedReferences,
    /// Variables that were found before, so that each becomes one source.
    found: HashMap<String, FoundVariable>,
}

/// A variable that was found.
#[derive(Clone, Copy)]
struct FoundVariable {
    value: Handle,
    at: Spot,
    /// It stands in a dotenv file that other users can read.
    exposed: bool,
    /// The same variable in a dotenv file, which the environment hides.
    hidden: Option<Shadow>,
}

/// A string, or a reference to one, before its field's type reads it.
#[derive(Clone)]
struct ResolvedString {
    form: Form,
    at: Spot,
    /// Where the value was found, if that is another place.
    found: Option<Spot>,
    /// Where else it was found, in a place that does not count.
    hidden: Option<Shadow>,
    /// It was found in a file that other users can read: one of its own, or a dotenv file.
    exposed: bool,
    /// It was found in a file that a discovered project file points to, and that is not one of the project.
    outside_project: bool,
    /// The value, or why there is none.
    content: Result<Handle, State>,
}

/// What a field holds.
pub(super) struct ResolvedField {
    pub(super) form: Form,
    pub(super) found: Option<Spot>,
    /// Where else it was found, in a place that does not count.
    pub(super) hidden: Option<Shadow>,
    /// It was found in a file that other users can read: one of its own, or a dotenv file.
    pub(super) exposed: bool,
    pub(super) state: State,
    /// The elements of a list: where each stands, where its value was found, and what is there.
    pub(super) elements: Vec<(Spot, Option<Spot>, State)>,
}

impl ResolvedField {
    /// What is written out where it stands.
    pub(super) const fn new(state: State) -> Self {
        Self { form: Form::Literal, found: None, hidden: None, exposed: false, state, elements: Vec::new() }
    }
}

impl ResolvedString {
    fn new(form: Form, at: Spot, content: Result<Handle, State>) -> Self {
        Self { form, at, found: None, hidden: None, exposed: false, outside_project: false, content }
    }

    fn literal(at: Spot, content: Result<Handle, State>) -> Self {
        Self::new(Form::Literal, at, content)
    }
}

impl<'a> Resolver<'a> {
    pub(super) fn new(
        environment: &'a Environment,
        dotenv: Vec<Variables>,
        opaque: bool,
        permitted: PermittedReferences,
    ) -> Self {
        Self { environment, dotenv, opaque, permitted, found: HashMap::new() }
    }

    /// What a field holds.
    pub(super) fn resolve_field(
        &mut self,
        field: &Field,
        value: &Value,
        author: Author<'_>,
        reader: &mut Reader<'_>,
    ) -> Result<ResolvedField, Problem> {
        match &value.node {
            Node::List(items) if field.ty.is_list() => {
                let mut elements = Vec::with_capacity(items.len());
                for item in items {
                    let resolve_string = self.resolve_string(field, item, author, reader)?;
                    elements.push((
                        resolve_string.at,
                        resolve_string.found,
                        read(field, &resolve_string, author, reader),
                    ));
                }
                let state = if elements.is_empty() { State::Empty } else { State::List };
                Ok(ResolvedField { elements, ..ResolvedField::new(state) })
            }
            // A list is one string only where there is no other way to say it: in a variable.
            Node::Scalar(..) if field.ty.is_list() && !author.variable => Ok(ResolvedField::new(State::Mistyped)),
            _ => {
                let resolve_string = self.resolve_string(field, value, author, reader)?;
                let mut elements = Vec::new();
                let state = match resolve_string.content {
                    Ok(handle) if field.ty.is_list() => {
                        let parts = split(handle, reader);
                        elements.extend(parts.into_iter().map(|part| {
                            let part = ResolvedString { content: Ok(part), ..resolve_string.clone() };
                            (part.at, part.found, read(field, &part, author, reader))
                        }));
                        if elements.is_empty() { State::Empty } else { State::List }
                    }
                    _ => read(field, &resolve_string, author, reader),
                };
                let ResolvedString { form, found, hidden, exposed, .. } = resolve_string;
                Ok(ResolvedField { form, found, hidden, exposed, state, elements })
            }
        }
    }

    /// One string, or a reference to one.
    fn resolve_string(
        &mut self,
        field: &Field,
        value: &Value,
        author: Author<'_>,
        reader: &mut Reader<'_>,
    ) -> Result<ResolvedString, Problem> {
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
                Some(name) => match trust::refuse_variable(field, author) {
                    None => self.variable(name, value.at, author, reader),
                    Some(refusal) => literal(Err(State::Refused(refusal))),
                },
                None => literal(Err(State::Mistyped)),
            },
            (None, Some(file)) => match string(file) {
                Some(path) => Ok(self.file(field, path, value.at, author, reader)),
                None => literal(Err(State::Mistyped)),
            },
            (None, None) => literal(Err(State::Mistyped)),
        }
    }

    fn variable(
        &mut self,
        name: Handle,
        at: Spot,
        author: Author<'_>,
        reader: &mut Reader<'_>,
    ) -> Result<ResolvedString, Problem> {
        let shown = reader.vault.shown(name, shown::env_name).unwrap_or_else(|| MASK.to_owned());
        let form = Form::Env(shown.clone());
        #[expect(
            clippy::disallowed_methods,
            reason = "the name of a variable, to look it up; printed only if it is one"
        )]
        let name = reader.vault.open(name).to_owned();
        if let Err(refusal) = self.permitted.variable(&name) {
            return Ok(ResolvedString::new(form, at, Err(State::Refused(refusal))));
        }
        if self.opaque {
            return Ok(ResolvedString::new(form, at, Err(State::Opaque)));
        }
        let found = match self.found.get(&name) {
            Some(&found) => Some(found),
            None => self.look_up(&name, &shown, at, reader)?,
        };
        Ok(match found {
            Some(found) => {
                self.found.insert(name, found);
                let FoundVariable { value, at: there, exposed, hidden } = found;
                ResolvedString { found: Some(there), hidden, exposed, ..ResolvedString::new(form, at, Ok(value)) }
            }
            None => {
                let beside = if author.variable { None } else { Some(author.base) };
                let missing = missing::variable(&name, &shown, self.environment, beside);
                ResolvedString::new(form, at, Err(State::Missing(Box::new(missing))))
            }
        })
    }

    /// In the real environment, then in the dotenv files, the last one first.
    fn look_up(
        &self,
        name: &str,
        shown: &str,
        at: Spot,
        reader: &mut Reader<'_>,
    ) -> Result<Option<FoundVariable>, Problem> {
        let below = self.dotenv.iter().rev().find_map(|variables| Some((variables.get(name)?, variables.exposed)));
        if let Some(value) = self.environment.get(name) {
            let Some(value) = value.to_str() else {
                let message = format!("the value of the environment variable {shown} is not UTF-8");
                return Err(Problem::new(Code::NotUtf8, message).at(at, "value comes from there"));
            };
            let variable = reader.variable(name, value);
            let facts = reader.vault.facts(variable.value);
            let hidden = below.map(|(below, _)| {
                let hidden = reader.vault.facts(below.value);
                let differs = facts.is_real() && hidden.is_real() && facts.digest != hidden.digest;
                Shadow { at: below.at, differs, what: hidden.form() }
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

    fn file(
        &self,
        field: &Field,
        path: Handle,
        at: Spot,
        author: Author<'_>,
        reader: &mut Reader<'_>,
    ) -> ResolvedString {
        let shown = reader.vault.shown(path, shown::path).unwrap_or_else(|| MASK.to_owned());
        let form = Form::File(shown.clone());
        #[expect(clippy::disallowed_methods, reason = "the path of a file, to open it; printed only if it is one")]
        let resolve_string = reader.vault.open(path);
        let path = match trust::allowed_file(field, author, resolve_string, &self.permitted) {
            Ok(_) if self.opaque => return ResolvedString::new(form, at, Err(State::Opaque)),
            Ok(path) => path,
            Err(refusal) => return ResolvedString::new(form, at, Err(State::Refused(refusal))),
        };
        let outside_project = author.project && refusal::below(author.base, &path).is_none();
        match file::read_text(&path, MAX_VALUE) {
            Ok((text, opened)) => {
                let value =
                    text.strip_suffix('\n').map_or(text.as_str(), |text| text.strip_suffix('\r').unwrap_or(text));
                let content = Ok(reader.vault.store(value));
                ResolvedString { exposed: opened.exposed, outside_project, ..ResolvedString::new(form, at, content) }
            }
            Err(error) => {
                let relative = !author.variable && Path::new(resolve_string).is_relative();
                let missing = missing::file(resolve_string, &shown, &error, relative);
                ResolvedString::new(form, at, Err(State::Missing(Box::new(missing))))
            }
        }
    }
}

/// What is known of a string, as the type of its field reads it.
fn read(field: &Field, resolve_string: &ResolvedString, author: Author<'_>, reader: &mut Reader<'_>) -> State {
    let handle = match &resolve_string.content {
        Ok(handle) => *handle,
        Err(state) => return state.clone(),
    };
    if reader.vault.facts(handle).empty {
        return State::Empty;
    }
    #[expect(clippy::disallowed_methods, reason = "public values are parsed into validated types here")]
    let value = reader.vault.open(handle);
    if resolve_string.form != Form::Literal
        && let Some(refusal) = trust::refuse_value(field, author, value)
    {
        return State::Refused(refusal);
    }
    let parsed = match field.ty {
        Type::Path => {
            // What a variable holds is said in the environment, whoever asks for it.
            let base = Some(author.base).filter(|_| !matches!(resolve_string.form, Form::Env(_)));
            Ok(Parsed::Path(CaFile::new(reader.resolve(base, value))))
        }
        ty => ty.parse(value),
    };
    // Whoever may write a project file must not have a report tell what stands in any file of this machine.
    let shown = if resolve_string.outside_project { None } else { field.ty.show(value) };
    known(handle, parsed, shown, reader.vault)
}

/// What is known of a value in another program's file, as the type of the field reads it that it would stand in here.
pub(crate) fn value_state(field: &Field, handle: Handle, vault: &Vault) -> State {
    if vault.facts(handle).empty {
        return State::Empty;
    }
    #[expect(clippy::disallowed_methods, reason = "public values are parsed into validated types here")]
    let value = vault.open(handle);
    known(handle, field.ty.parse(value), field.ty.show(value), vault)
}

fn known(handle: Handle, parsed: Result<Parsed, Flaw>, shown: Option<String>, vault: &Vault) -> State {
    let mut facts = vault.facts(handle);
    match &parsed {
        Err(Flaw::Word) => return State::Mistyped,
        Ok(Parsed::Url(address)) => facts.cluster = address.s3_cluster().map(|number| vault.cluster(number)),
        _ => {}
    }
    State::Known(Box::new(Known { handle, facts, parsed, shown }))
}

/// Splits at commas; spaces around an element do not count.
fn split(whole: Handle, reader: &mut Reader<'_>) -> Vec<Handle> {
    #[expect(clippy::disallowed_methods, reason = "splits a list; the parts go straight back into the vault")]
    let whole = zeroize::Zeroizing::new(reader.vault.open(whole).to_owned());
    if whole.trim_matches(' ').is_empty() {
        return Vec::new();
    }
    whole.split(',').map(|part| reader.vault.store(part.trim_matches(' '))).collect()
}
