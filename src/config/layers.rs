//! Reads each layer into a tree, and the linter's own settings.

use std::path::{Path, PathBuf};

use super::discover;
use super::environment::Environment;
use super::flaws::Flaws;
use super::layer::{Layer, Origin};
use super::limits::TrustLimits;
use super::options::LoadOptions;
use super::tuning::Tuning;
use crate::code::Code;
use crate::file;
use crate::source::{Entry, Node, Problem, Reader, Variable, Variables};

/// A layer and its tree.
pub(super) struct Tree {
    pub(super) layer: Layer,
    /// The directory for relative paths.
    pub(super) base: Option<PathBuf>,
    pub(super) entries: Vec<Entry>,
    pub(super) strays: Vec<Variable>,
}

/// Everything that was read.
#[derive(Default)]
pub(super) struct Gathered {
    pub(super) trees: Vec<Tree>,
    pub(super) dotenv: Vec<Variables>,
    pub(super) problems: Vec<Problem>,
    pub(super) notices: Vec<String>,
}

impl Gathered {
    pub(super) fn read(&mut self, reader: &mut Reader<'_>, options: &LoadOptions) {
        let files = discover::files(options, reader, &mut self.notices).unwrap_or_else(|problem| {
            self.problems.push(problem);
            Vec::new()
        });
        for (origin, path) in files {
            match reader.read_file(&path) {
                // Check the owner again, on the file that was actually opened.
                Ok((.., opened)) if origin == Origin::Project && !file::is_own(&opened.meta) => {
                    self.notices.push(discover::untrusted(&reader.shown_name(&path)));
                }
                Ok((id, entries, opened)) => {
                    let base = path.parent().map(|parent| options.directory.join(parent));
                    let layer =
                        Layer { origin, name: reader.shown_name(&path), exposed: opened.exposed, source: Some(id) };
                    self.trees.push(Tree { layer, base, entries, strays: Vec::new() });
                }
                Err(mut problem) => {
                    if let Some(variable) = options.files_from.filter(|_| origin == Origin::Given) {
                        problem.message += &format!(" (`{variable}` names it)");
                    }
                    self.problems.push(problem);
                }
            }
        }
        for path in &options.env_files {
            let path = options.directory.join(path);
            match reader.read_dotenv(&path) {
                Ok((id, mut variables, opened)) => {
                    variables.exposed = opened.exposed;
                    let (entries, strays) = variables.settings();
                    let base = path.parent().map(Path::to_path_buf);
                    let (origin, exposed) = (Origin::Dotenv, opened.exposed);
                    let layer = Layer { origin, name: reader.shown_name(&path), exposed, source: Some(id) };
                    self.trees.push(Tree { layer, base, entries, strays });
                    self.dotenv.push(variables);
                }
                Err(problem) => self.problems.push(problem),
            }
        }
        if !options.isolated && !options.trust_only {
            self.add_environment(reader, &options.environment);
        }
    }

    fn add_environment(&mut self, reader: &mut Reader<'_>, environment: &Environment) {
        let mut variables = Vec::new();
        for (name, value) in environment.settings() {
            match value.to_str() {
                Some(value) => variables.push(reader.add_variable(&name, value)),
                None => {
                    let shown = reader.add_variable(&name, "").shown_name();
                    let message = format!("the value of the environment variable {shown} is not UTF-8");
                    let help = "set it to UTF-8 text, or put the value into a file and set …_FILE to its path";
                    self.problems.push(Problem::new(Code::NotUtf8, message).help(help));
                }
            }
        }
        let (entries, strays) = Variables::new(variables).settings();
        if !entries.is_empty() || !strays.is_empty() {
            let name = "environment".to_owned();
            let layer = Layer { origin: Origin::Environment, name, exposed: false, source: None };
            self.trees.push(Tree { layer, base: None, entries, strays });
        }
    }

    /// Reads the limits that the user file sets for every layer.
    pub(super) fn read_user_limits(&mut self, reader: &Reader<'_>, limits: &mut TrustLimits, flaws: &mut Flaws) {
        let own = self.trees.iter().filter(|tree| tree.layer.origin == Origin::User).flat_map(|tree| &tree.entries);
        for entry in own.filter(|entry| entry.key == "trust") {
            limits.read(entry, reader, &mut self.problems, flaws);
        }
    }

    /// Reads the linter's own settings.
    pub(super) fn read_tuning(&self, reader: &Reader<'_>, flaws: &mut Flaws) -> Tuning {
        let layers = self.trees.iter().map(|tree| {
            let mut tuning = Tuning::default();
            for entry in tree.entries.iter().filter(|_| tree.layer.origin.is_file()) {
                match (entry.key.as_str(), &entry.value.node) {
                    ("lint", Node::Table(entries)) => tuning.add(entries, reader, flaws),
                    // A laptop and the pipeline must agree.
                    ("names", _) if tree.layer.origin != Origin::User => tuning.names.add(entry, reader, flaws),
                    _ => {}
                }
            }
            if tree.layer.origin == Origin::User {
                tuning.services = 0;
            }
            if let Some(id) = tree.layer.source {
                tuning.add_comments(reader.sources, id);
            }
            tuning
        });
        Tuning::from_layers(layers)
    }
}
