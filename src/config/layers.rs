//! Reading the layers, each into a tree, and what they say of the linter itself.

use std::path::{Path, PathBuf};

use super::{Environment, Layer, LoadOptions, Origin, discover};
use crate::schema;
use crate::source::{Entry, Node, Problem, Reader, SourceId, Variable, Variables};

/// A layer with its tree.
pub(super) struct Tree {
    pub(super) origin: Origin,
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
                Ok((.., meta)) if origin == Origin::Project && !discover::is_trusted(&meta) => {
                    self.notices.push(discover::untrusted(&reader.name(&path)));
                }
                Ok((source, entries, _)) => {
                    let base = path.parent().map(|parent| options.directory.join(parent));
                    self.add(
                        origin,
                        reader.name(&path),
                        Some(source),
                        Tree { origin, base, entries, strays: Vec::new() },
                    );
                }
                Err(problem) => self.problems.push(problem),
            }
        }
        for path in &options.env_files {
            let path = options.directory.join(path);
            match reader.dotenv(&path) {
                Ok((source, variables)) => {
                    let (entries, strays) = variables.settings();
                    let base = path.parent().map(Path::to_path_buf);
                    self.add(
                        Origin::Dotenv,
                        reader.name(&path),
                        Some(source),
                        Tree { origin: Origin::Dotenv, base, entries, strays },
                    );
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
                        Problem::new("not-utf8", format!("the value of the environment variable {shown} is not UTF-8"))
                            .help("set it to UTF-8 text, or keep the value in a file and name that with …_FILE"),
                    );
                }
            }
        }
        let (entries, strays) = Variables::new(variables).settings();
        if !entries.is_empty() || !strays.is_empty() {
            let tree = Tree { origin: Origin::Environment, base: None, entries, strays };
            self.add(Origin::Environment, "environment".to_owned(), None, tree);
        }
    }

    fn add(&mut self, origin: Origin, name: String, source: Option<SourceId>, tree: Tree) {
        self.layers.push(Layer { origin, name, source });
        self.trees.push(tree);
    }

    /// The settings of the linter itself; never taken from the environment or a dotenv file.
    pub(super) fn lint(&mut self, reader: &Reader<'_>) -> Option<String> {
        let mut fail_on = None;
        for tree in &self.trees {
            for entry in tree.entries.iter().filter(|entry| entry.key == "lint") {
                let Node::Table(entries) = &entry.value.node else { continue };
                for entry in entries {
                    match (entry.key.as_str(), &entry.value.node) {
                        ("fail_on", Node::Scalar(_, handle)) => {
                            let shown = reader.vault.shown(*handle, schema::value::show_severity);
                            if shown.is_none() {
                                self.problems.push(
                                    Problem::new("invalid-setting", "`lint.fail_on` is neither `error` nor `warning`")
                                        .at(entry.at, "set here"),
                                );
                            }
                            fail_on = shown.or(fail_on);
                        }
                        (_, Node::Null) => {}
                        (key @ ("levels" | "allow"), _) => self.problems.push(
                            Problem::new(
                                "not-in-this-version",
                                format!("`lint.{key}` is not in this version of credlint"),
                            )
                            .help("remove it; until it is there, a finding can't be silenced, only fixed")
                            .at(entry.at, "set here"),
                        ),
                        _ => {}
                    }
                }
            }
        }
        fail_on
    }
}
