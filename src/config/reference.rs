//! References: `{ env = "NAME" }` and `{ file = "PATH" }`, looked up for the values that won.

use std::collections::HashMap;
use std::path::Path;

use super::{Content, Environment, Form, Shape, Text};
use crate::code::Code;
use crate::file;
use crate::schema::value::{CaFile, show_env_name, show_path};
use crate::schema::{Field, Type};
use crate::secret::{Handle, MASK};
use crate::source::{Entry, Node, Problem, Reader, Scalar, Spot, Value, Variables};

/// The largest file that is read as one value.
const MAX_VALUE: u64 = 1024 * 1024;

pub(super) struct Resolver<'a> {
    environment: &'a Environment,
    dotenv: Vec<Variables>,
    opaque: bool,
    /// Variables that were found before, so that each becomes one source.
    found: HashMap<String, (Handle, Spot)>,
}

impl<'a> Resolver<'a> {
    pub(super) fn new(environment: &'a Environment, dotenv: Vec<Variables>, opaque: bool) -> Self {
        Self { environment, dotenv, opaque, found: HashMap::new() }
    }

    /// What a field says. `base` is the directory of the file that says it.
    pub(super) fn shape(
        &mut self,
        field: &Field,
        value: &Value,
        base: Option<&Path>,
        variable: bool,
        reader: &mut Reader<'_>,
    ) -> Result<Shape, Problem> {
        if field.ty != Type::List {
            let mut text = self.text(value, base, reader)?;
            if let (Type::Path, Content::Known(path)) = (field.ty, &text.content) {
                // What a variable holds is said in the environment, whoever asks for it.
                let base = base.filter(|_| !matches!(text.form, Form::Env(_)));
                #[expect(
                    clippy::disallowed_methods,
                    reason = "the path of a file, to open it; printed only if it is one"
                )]
                let path = reader.resolve(base, reader.vault.open(*path));
                text.names = Some(CaFile::new(path));
            }
            return Ok(Shape::Text(text));
        }
        match &value.node {
            Node::List(items) => {
                let items = items.iter().map(|item| self.text(item, base, reader));
                Ok(Shape::List(items.collect::<Result<_, _>>()?))
            }
            // A list is one string only where there is no other way to say it: in a variable.
            Node::Scalar(..) if !variable => Ok(Shape::Text(Text::new(Form::Literal, value.at, Content::Mistyped))),
            _ => {
                let text = self.text(value, base, reader)?;
                Ok(match text.content {
                    Content::Known(_) | Content::Opaque | Content::Missing(_) => {
                        Shape::Split(split(&text, reader), text)
                    }
                    Content::Mistyped | Content::Conflict(_) => Shape::Text(text),
                })
            }
        }
    }

    /// One string, or a reference to one.
    fn text(&mut self, value: &Value, base: Option<&Path>, reader: &mut Reader<'_>) -> Result<Text, Problem> {
        let literal = |content| Ok(Text::new(Form::Literal, value.at, content));
        let keys = match &value.node {
            Node::Scalar(Scalar::Text, handle) => return literal(Content::Known(*handle)),
            Node::Conflict(ways) => return literal(Content::Conflict(ways.iter().map(|way| way.at).collect())),
            Node::Table(keys) => keys,
            _ => return literal(Content::Mistyped),
        };
        let find = |name: &str| keys.iter().find(|entry| entry.key == name);
        let string = |entry: &Entry| match entry.value.node {
            Node::Scalar(Scalar::Text, handle) => Some(handle),
            _ => None,
        };
        match (find("env"), find("file")) {
            (Some(env), Some(file)) => literal(Content::Conflict(vec![env.at, file.at])),
            (Some(env), None) => match string(env) {
                Some(name) => self.variable(name, value.at, reader),
                None => literal(Content::Mistyped),
            },
            (None, Some(file)) => match string(file) {
                Some(path) => Ok(self.file(path, value.at, base, reader)),
                None => literal(Content::Mistyped),
            },
            (None, None) => literal(Content::Mistyped),
        }
    }

    fn variable(&mut self, name: Handle, at: Spot, reader: &mut Reader<'_>) -> Result<Text, Problem> {
        let shown = reader.vault.shown(name, show_env_name).unwrap_or_else(|| MASK.to_owned());
        let form = Form::Env(shown.clone());
        if self.opaque {
            return Ok(Text::new(form, at, Content::Opaque));
        }
        #[expect(
            clippy::disallowed_methods,
            reason = "the name of a variable, to look it up; printed only if it is one"
        )]
        let name = reader.vault.open(name).to_owned();
        let found = match self.found.get(&name) {
            Some(&found) => Some(found),
            None => self.look_up(&name, &shown, at, reader)?,
        };
        Ok(match found {
            Some((handle, found)) => {
                self.found.insert(name, (handle, found));
                Text { found: Some(found), ..Text::new(form, at, Content::Known(handle)) }
            }
            None => {
                let missing = Content::Missing(format!("the environment variable {shown} is not set"));
                Text::new(form, at, missing)
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
    ) -> Result<Option<(Handle, Spot)>, Problem> {
        if let Some(value) = self.environment.get(name) {
            let Some(value) = value.to_str() else {
                let message = format!("the value of the environment variable {shown} is not UTF-8");
                return Err(Problem::new(Code::NotUtf8, message).at(at, "taken from there"));
            };
            let variable = reader.variable(name, value);
            return Ok(Some((variable.value, variable.at)));
        }
        Ok(self
            .dotenv
            .iter()
            .rev()
            .find_map(|variables| variables.get(name))
            .map(|variable| (variable.value, variable.at)))
    }

    fn file(&self, path: Handle, at: Spot, base: Option<&Path>, reader: &mut Reader<'_>) -> Text {
        let shown = reader.vault.shown(path, show_path).unwrap_or_else(|| MASK.to_owned());
        let form = Form::File(shown.clone());
        if self.opaque {
            return Text::new(form, at, Content::Opaque);
        }
        #[expect(clippy::disallowed_methods, reason = "the path of a file, to open it; printed only if it is one")]
        let path = reader.resolve(base, reader.vault.open(path));
        match file::read_text(&path, MAX_VALUE) {
            Ok((text, opened)) => {
                let value =
                    text.strip_suffix('\n').map_or(text.as_str(), |text| text.strip_suffix('\r').unwrap_or(text));
                let content = Content::Known(reader.vault.store(value));
                Text { exposed: opened.exposed, ..Text::new(form, at, content) }
            }
            Err(error) => Text::new(form, at, Content::Missing(format!("the file {shown} can't be read: {error}"))),
        }
    }
}

/// Splits at commas; spaces around an element do not count.
fn split(text: &Text, reader: &mut Reader<'_>) -> Vec<Text> {
    let Content::Known(handle) = text.content else { return Vec::new() };
    #[expect(clippy::disallowed_methods, reason = "splits a list; the parts go straight back into the vault")]
    let whole = zeroize::Zeroizing::new(reader.vault.open(handle).to_owned());
    if whole.trim_matches(' ').is_empty() {
        return Vec::new();
    }
    let parts = whole.split(',').map(|part| part.trim_matches(' '));
    parts.map(|part| Text { content: Content::Known(reader.vault.store(part)), ..text.clone() }).collect()
}
