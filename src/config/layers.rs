//! Reading the layers, each into a tree, and what they say of the linter itself.

use std::path::{Path, PathBuf};

use super::environment::Environment;
use super::flaws::Flaws;
use super::layer::{Layer, Origin};
use super::options::LoadOptions;
use super::setting::{Mistyped, Unknown};
use super::tuning::Tuning;
use super::{discover, hosts};
use crate::code::Code;
use crate::source::{Entry, Node, Problem, Reader, SourceId, Variable, Variables};

/// A layer with its tree.
pub(super) struct Tree {
    pub(super) origin: Origin,
    /// The file, if it is one.
    pub(super) source: Option<SourceId>,
    /// The directory that relative paths in it are relative to.
    pub(super) base: Option<PathBuf>,
    pub(super) entries: Vec<Entry>,
    pub(super) strays: Vec<Variable>,
}

/// What was read.
#[derive(Default)]
pub(super) struct Gathered {
    pub(super) trees: Vec<Tree>,
    pub(super) layers: Vec<Layer>,
    pub(super) dotenv: Vec<Variables>,
    pub(super) problems: Vec<Problem>,
    pub(super) notices: Vec<String>,
    /// The lists of hosts that the user file and the policy permit.
    pub(super) hosts: Vec<Vec<String>>,
    /// Keys beside them that mean nothing.
    pub(super) unknown: Vec<Unknown>,
}

impl Gathered {
    pub(super) fn read(&mut self, reader: &mut Reader<'_>, options: &LoadOptions) {
        let found = discover::files(options, reader, &mut self.notices);
        let files = match found {
            Ok(files) => files,
            Err(problem) => {
                self.problems.push(problem);
                Vec::new()
            }
        };
        for (origin, path) in files {
            match reader.file(&path) {
                // The owner is asked again of what was really opened.
                Ok((.., opened)) if origin == Origin::Project && !discover::is_trusted(&opened.meta) => {
                    self.notices.push(discover::untrusted(&reader.name(&path)));
                }
                Ok((id, entries, opened)) => {
                    let base = path.parent().map(|parent| options.directory.join(parent));
                    let layer = Layer { origin, name: reader.name(&path), exposed: opened.exposed, source: Some(id) };
                    self.add(layer, Tree { origin, source: Some(id), base, entries, strays: Vec::new() });
                }
                Err(problem) => self.problems.push(problem),
            }
        }
        for path in &options.env_files {
            let path = options.directory.join(path);
            match reader.dotenv(&path) {
                Ok((id, variables, opened)) => {
                    let (entries, strays) = variables.settings();
                    let base = path.parent().map(Path::to_path_buf);
                    let layer = Layer {
                        origin: Origin::Dotenv,
                        name: reader.name(&path),
                        exposed: opened.exposed,
                        source: Some(id),
                    };
                    self.add(layer, Tree { origin: Origin::Dotenv, source: Some(id), base, entries, strays });
                    self.dotenv.push(variables);
                }
                Err(problem) => self.problems.push(problem),
            }
        }
        if !options.isolated {
            self.environment(reader, &options.environment);
        }
    }

    fn environment(&mut self, reader: &mut Reader<'_>, environment: &Environment) {
        let mut variables = Vec::new();
        for (name, value) in environment.settings() {
            match value.to_str() {
                Some(value) => variables.push(reader.variable(name, value)),
                None => {
                    let shown = reader.variable(name, "").shown_name();
                    self.problems.push(
                        Problem::new(
                            Code::NotUtf8,
                            format!("the value of the environment variable {shown} is not UTF-8"),
                        )
                        .help("set it to UTF-8 text, or keep the value in a file and name that with …_FILE"),
                    );
                }
            }
        }
        let (entries, strays) = Variables::new(variables).settings();
        if !entries.is_empty() || !strays.is_empty() {
            let tree = Tree { origin: Origin::Environment, source: None, base: None, entries, strays };
            let name = "environment".to_owned();
            self.add(Layer { origin: Origin::Environment, name, exposed: false, source: None }, tree);
        }
    }

    fn add(&mut self, layer: Layer, tree: Tree) {
        self.layers.push(layer);
        self.trees.push(tree);
    }

    /// Reads a policy: a file with a table `[lint]` and nothing else.
    pub(super) fn policy(&mut self, reader: &mut Reader<'_>, path: &Path, flaws: &mut Vec<Mistyped>) -> Option<Tuning> {
        let entries = match reader.file(path) {
            Ok((_, entries, _)) => entries,
            Err(problem) => {
                self.problems.push(problem);
                return None;
            }
        };
        let mut policy = Tuning::default();
        let before = self.problems.len();
        for entry in &entries {
            match &entry.value.node {
                Node::Table(lint) if entry.key == "lint" => policy.add(lint, reader, flaws),
                _ if entry.key == "trust" => trust(entry, reader, &mut self.hosts, &mut self.unknown, flaws),
                _ => self.problems.push(
                    Problem::new(Code::Policy, format!("{} holds more than [lint] and [trust]", reader.name(path)))
                        .help("a policy is a table [lint], and perhaps one [trust], in a file of its own; profiles stay in the configuration")
                        .at(entry.at, "not a part of a policy"),
                ),
            }
        }
        (self.problems.len() == before).then_some(policy)
    }

    /// What the user file says of the hosts that may get a credential.
    pub(super) fn users_hosts(&mut self, reader: &Reader<'_>, flaws: &mut Vec<Mistyped>) {
        let Self { trees, hosts, unknown, .. } = self;
        let own = trees.iter().filter(|tree| tree.origin == Origin::User).flat_map(|tree| &tree.entries);
        for entry in own.filter(|entry| entry.key == "trust") {
            trust(entry, reader, hosts, unknown, flaws);
        }
    }

    /// What the layers say of the linter itself.
    pub(super) fn tuning(&self, reader: &Reader<'_>, flaws: &mut Vec<Mistyped>) -> Tuning {
        let mut tuning = Tuning::default();
        for tree in &self.trees {
            if tree.origin.is_file() {
                for entry in tree.entries.iter().filter(|entry| entry.key == "lint") {
                    if let Node::Table(entries) = &entry.value.node {
                        tuning.add(entries, reader, flaws);
                    }
                }
            }
            if let Some(id) = tree.source {
                tuning.comments(reader, id);
            }
        }
        tuning
    }
}

fn trust(
    entry: &Entry,
    reader: &Reader<'_>,
    hosts: &mut Vec<Vec<String>>,
    unknown: &mut Vec<Unknown>,
    flaws: &mut Vec<Mistyped>,
) {
    let mut found = Flaws::default();
    hosts::read(entry, reader, hosts, &mut found);
    flaws.append(&mut found.mistyped);
    unknown.append(&mut found.unknown);
}
