//! Configuration: layers found, read and merged, and every value traced to the layer that set it.
//!
//! figment merges; it sees tables and the numbers of leaves, never a value. All layers are kept, so that a setting
//! knows what it shadows.

mod discover;
mod environment;
mod provider;
mod reference;

use std::collections::HashMap;
use std::path::{Path, PathBuf};

pub use environment::Environment;
use reference::Resolver;

use crate::schema::{self, Field, Kind, ProfileId, Type};
use crate::secret::{Handle, Vault};
use crate::source::{self, Entry, Node, Problem, Reader, Scalar, Sources, Spot, Value, Variable, Variables};
use crate::text;

/// What to load, and from where.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct LoadOptions {
    /// Where discovery starts, and what relative paths are relative to.
    pub directory: PathBuf,
    /// Configuration files, low to high. If there are any, the user's and the project's are not read.
    pub files: Vec<PathBuf>,
    /// Dotenv files, low to high.
    pub env_files: Vec<PathBuf>,
    /// Read only what is named: no discovery, no `CREDLINT_X__Y` variables.
    pub isolated: bool,
    /// Treat every reference as present and opaque.
    pub no_resolve: bool,
    /// The environment.
    pub environment: Environment,
}

impl LoadOptions {
    /// What a command that is started in `directory` loads.
    #[must_use]
    pub fn new(directory: impl Into<PathBuf>, environment: Environment) -> Self {
        Self { directory: directory.into(), environment, ..Self::default() }
    }
}

/// What a layer is, low to high.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Origin {
    /// The user's own file.
    User,
    /// The project's file, found from the working directory upwards.
    Project,
    /// A file named on the command line.
    Given,
    /// A dotenv file named on the command line.
    Dotenv,
    /// The environment.
    Environment,
}

/// One layer of a configuration.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Layer {
    /// What it is.
    pub origin: Origin,
    /// Its name as it is printed.
    pub name: String,
}

/// A configuration that can't be read: exit code 2.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct ConfigError {
    /// Everything that is wrong, not the first thing only.
    pub problems: Vec<Problem>,
    /// What the labels of the problems point into.
    pub sources: Sources,
}

impl std::fmt::Display for ConfigError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let messages: Vec<&str> = self.problems.iter().map(|problem| problem.message.as_str()).collect();
        f.write_str(&messages.join("; "))
    }
}

impl std::error::Error for ConfigError {}

/// A merged configuration, before it is given types.
#[derive(Debug)]
pub struct Config {
    /// Every value.
    pub vault: Vault,
    /// Every source that was read.
    pub sources: Sources,
    /// The layers, low to high.
    pub layers: Vec<Layer>,
    /// The profiles, by kind and name.
    pub profiles: Vec<Merged>,
    /// Keys that mean nothing, of every layer.
    pub unknown: Vec<Unknown>,
    /// Values of the wrong type, of every layer.
    pub mistyped: Vec<Mistyped>,
    /// The severity from which a check fails, if the configuration says.
    pub fail_on: Option<String>,
    /// Whether references were resolved.
    pub resolved: bool,
    /// What was passed over, in words.
    pub notices: Vec<String>,
}

/// A key that means nothing.
#[derive(Clone, Debug)]
pub struct Unknown {
    /// Its path as it may be printed.
    pub key: String,
    /// Where it stands.
    pub at: Spot,
    /// What was probably meant.
    pub suggestion: Option<String>,
    /// The field of a profile that was probably meant.
    pub meant: Option<&'static str>,
    /// What would have been right.
    pub expected: Vec<&'static str>,
    /// The profile it stands in.
    pub profile: Option<ProfileId>,
    /// Whether it is the name of a variable.
    pub variable: bool,
}

/// A value of the wrong type.
#[derive(Clone, Debug)]
pub struct Mistyped {
    /// Its path as it may be printed.
    pub key: String,
    /// Where the key stands.
    pub at: Spot,
    /// What was found, with its article.
    pub found: &'static str,
    /// What is expected, with its article.
    pub expected: String,
    /// The profile it stands in.
    pub profile: Option<ProfileId>,
}

/// The settings of one profile after the merge.
#[derive(Clone, Debug)]
pub struct Merged {
    /// Its name.
    pub id: ProfileId,
    /// Where its table, or else its first variable, stands.
    pub at: Spot,
    /// A layer has something else than a table in its place.
    pub mistyped: bool,
    /// Its fields.
    pub settings: Vec<Setting>,
}

/// A field of a profile, as the highest layer that sets it says.
#[derive(Clone, Debug)]
pub struct Setting {
    /// Which field.
    pub field: &'static Field,
    /// The layer that wins.
    pub layer: usize,
    /// Where the key stands in it.
    pub at: Spot,
    /// What it says.
    pub shape: Shape,
    /// The layers that it shadows, high to low, and where their keys stand.
    pub shadows: Vec<(usize, Spot)>,
}

/// What a setting says.
#[derive(Clone, Debug)]
pub enum Shape {
    /// One string.
    Text(Text),
    /// Several. The flag tells that they were written in one piece, separated by commas.
    List(Vec<Text>, bool),
    /// Something else; reported as such, and present.
    Mistyped,
    /// Two references, or a value and a reference.
    Conflict(Vec<Spot>),
}

/// A string, or a reference to one.
#[derive(Clone, Debug)]
pub struct Text {
    /// How it is said.
    pub form: Form,
    /// Where it is said.
    pub at: Spot,
    /// What was found.
    pub content: Content,
    /// Where it was found, if that is another place.
    pub found: Option<Spot>,
}

/// How a string is said. Names are as they may be printed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Form {
    /// Written out.
    Literal,
    /// `{ env = "NAME" }`.
    Env(String),
    /// `{ file = "PATH" }`.
    File(String),
}

/// What was found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Content {
    /// A value.
    Known(Handle),
    /// Not looked for.
    Opaque,
    /// Nothing, and why.
    Missing(String),
}

/// A layer with its tree.
struct Tree {
    origin: Origin,
    /// The directory that relative paths in it are relative to.
    base: Option<PathBuf>,
    entries: Vec<Entry>,
    strays: Vec<Variable>,
}

/// One field that one layer sets.
struct Leaf<'a> {
    layer: usize,
    at: Spot,
    value: &'a Value,
}

impl Config {
    /// Finds, reads and merges.
    ///
    /// # Errors
    /// If a file or a variable can't be read, is malformed, or names a profile as none may be called.
    pub fn load(options: &LoadOptions) -> Result<Self, ConfigError> {
        let (mut vault, mut sources) = (Vault::default(), Sources::default());
        let mut reader = Reader { vault: &mut vault, sources: &mut sources, directory: &options.directory };
        let mut gathered = Gathered::default();
        gathered.read(&mut reader, options);
        let fail_on = gathered.lint(&reader);
        let mut resolver =
            Resolver::new(&options.environment, std::mem::take(&mut gathered.dotenv), options.no_resolve);
        let Gathered { trees, layers, mut problems, notices, .. } = gathered;
        let mut survey = Survey::default();
        for (index, tree) in trees.iter().enumerate() {
            survey.layer(index, tree);
        }
        problems.append(&mut survey.problems);
        let profiles = if problems.is_empty() {
            survey.merge(&trees, &mut reader, &mut resolver, &mut problems)
        } else {
            Vec::new()
        };
        if !problems.is_empty() {
            return Err(ConfigError { problems, sources });
        }
        let (unknown, mistyped) = (survey.unknown, survey.mistyped);
        let resolved = !options.no_resolve;
        Ok(Self { vault, sources, layers, profiles, unknown, mistyped, fail_on, resolved, notices })
    }
}

/// What was read.
#[derive(Default)]
struct Gathered {
    trees: Vec<Tree>,
    layers: Vec<Layer>,
    dotenv: Vec<Variables>,
    problems: Vec<Problem>,
    notices: Vec<String>,
}

impl Gathered {
    fn read(&mut self, reader: &mut Reader<'_>, options: &LoadOptions) {
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
                Ok((_, entries, _)) => {
                    let base = path.parent().map(|parent| options.directory.join(parent));
                    self.add(origin, reader.name(&path), Tree { origin, base, entries, strays: Vec::new() });
                }
                Err(problem) => self.problems.push(problem),
            }
        }
        for path in &options.env_files {
            let path = options.directory.join(path);
            match reader.dotenv(&path) {
                Ok((_, variables)) => {
                    let (entries, strays) = variables.settings();
                    let base = path.parent().map(Path::to_path_buf);
                    self.add(
                        Origin::Dotenv,
                        reader.name(&path),
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
            self.add(Origin::Environment, "environment".to_owned(), tree);
        }
    }

    fn add(&mut self, origin: Origin, name: String, tree: Tree) {
        self.layers.push(Layer { origin, name });
        self.trees.push(tree);
    }

    /// The settings of the linter itself; never taken from the environment or a dotenv file.
    fn lint(&mut self, reader: &Reader<'_>) -> Option<String> {
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

/// What the layers say, sorted by field.
#[derive(Default)]
struct Survey<'a> {
    leaves: Vec<Leaf<'a>>,
    /// For each layer, the profiles and fields it sets, for figment.
    dicts: Vec<provider::Tables>,
    /// Every profile, by kind and folded name.
    profiles: HashMap<(Kind, String), Header>,
    unknown: Vec<Unknown>,
    mistyped: Vec<Mistyped>,
    problems: Vec<Problem>,
}

struct Header {
    id: ProfileId,
    at: Spot,
    file: bool,
    mistyped: bool,
}

impl<'a> Survey<'a> {
    fn layer(&mut self, index: usize, tree: &'a Tree) {
        let mut tables = provider::Tables::default();
        let file = !matches!(tree.origin, Origin::Dotenv | Origin::Environment);
        for entry in &tree.entries {
            match Kind::find(&entry.key) {
                Some(kind) => match &entry.value.node {
                    Node::Table(profiles) => self.profiles(index, kind, profiles, file, &mut tables),
                    Node::Null => {}
                    node => self.mistype(&[&entry.key], entry.at, node.describe(), "a table of profiles", None),
                },
                None if entry.key == "lint" => self.lint(entry),
                None => self.unknown(&[&entry.key], entry.at, schema::top_keys().collect(), None),
            }
        }
        for stray in &tree.strays {
            let profile = stray.profile().and_then(|(kind, name)| {
                self.profiles.get(&(kind, schema::fold(&name))).map(|header| header.id.clone())
            });
            self.unknown.push(Unknown {
                key: stray.shown_name(),
                at: stray.at,
                suggestion: stray.suggestion().map(|(name, _)| name),
                meant: stray.suggestion().map(|(_, field)| field),
                expected: Vec::new(),
                profile,
                variable: true,
            });
        }
        self.dicts.push(tables);
    }

    fn profiles(&mut self, layer: usize, kind: Kind, profiles: &'a [Entry], file: bool, tables: &mut provider::Tables) {
        let mut seen: HashMap<String, Spot> = HashMap::new();
        for entry in profiles {
            if !schema::is_profile_name(&entry.key) {
                self.problems.push(
                    Problem::new("bad-name", format!("a {kind} profile can't be called so"))
                        .help("a name has lower case letters and digits, in groups joined by one `-` or `_`, such as `nightly-reports`; names are printed, so nothing that looks like a credential passes")
                        .at(entry.at, "this name"),
                );
                continue;
            }
            let folded = schema::fold(&entry.key);
            if let Some(&first) = seen.get(&folded) {
                self.problems.push(
                    Problem::new("duplicate-key", format!("the profile {kind}.{} stands twice in one file", entry.key))
                        .help("`-` and `_` are one letter in names; keep one of the two")
                        .at(entry.at, "again here")
                        .at(first, "first here"),
                );
                continue;
            }
            seen.insert(folded.clone(), entry.at);
            let id = ProfileId::new(kind, &entry.key);
            // The spelling and the place of the highest file; of a variable only if there is no file.
            let header = self.profiles.entry((kind, folded.clone())).or_insert_with(|| Header {
                id: id.clone(),
                at: entry.at,
                file,
                mistyped: false,
            });
            if file {
                (header.id, header.at, header.file) = (id, entry.at, true);
            }
            let id = header.id.clone();
            match &entry.value.node {
                Node::Table(fields) => {
                    let leaves = self.fields(layer, &id, fields, file);
                    tables.profile(kind, folded, leaves);
                }
                Node::Null => tables.profile(kind, folded, Vec::new()),
                node => {
                    header.mistyped = true;
                    self.mistype(&[kind.name(), &entry.key], entry.at, node.describe(), "a table of fields", Some(id));
                }
            }
        }
    }

    fn fields(&mut self, layer: usize, id: &ProfileId, fields: &'a [Entry], file: bool) -> Vec<(&'static str, usize)> {
        let mut leaves = Vec::new();
        for entry in fields {
            let path = [id.kind.name(), &id.name, &entry.key];
            match id.kind.field(&entry.key) {
                None => {
                    self.unknown(&path, entry.at, id.kind.fields().iter().map(|field| field.name).collect(), Some(id));
                }
                Some(_) if matches!(entry.value.node, Node::Null) => {}
                Some(field) => {
                    self.types(field, &path, entry, id, file);
                    self.leaves.push(Leaf { layer, at: entry.at, value: &entry.value });
                    leaves.push((field.name, self.leaves.len() - 1));
                }
            }
        }
        leaves
    }

    /// Looks for wrong types and for unknown keys of references.
    fn types(&mut self, field: &Field, path: &[&str], entry: &'a Entry, id: &ProfileId, file: bool) {
        let expected = match field.ty {
            Type::List => "a list of strings".to_owned(),
            Type::Text | Type::Choice(_) => "a string, `{ env = \"NAME\" }` or `{ file = \"PATH\" }`".to_owned(),
        };
        match &entry.value.node {
            Node::Conflict(_) => {}
            Node::Table(keys) => self.reference(path, entry.at, keys, id, &expected),
            // A list is one string only where there is no other way to say it: in a variable.
            Node::Scalar(Scalar::Text, _) if field.ty != Type::List || !file => {}
            Node::List(items) if field.ty == Type::List => {
                for (index, item) in items.iter().enumerate() {
                    match &item.node {
                        Node::Scalar(Scalar::Text, _) => {}
                        Node::Table(keys) => self.reference(path, item.at, keys, id, "a string"),
                        node => {
                            let key = format!("{}[{index}]", source::shown_path(path));
                            let (found, expected) = (node.describe(), "a string".to_owned());
                            self.mistyped.push(Mistyped {
                                key,
                                at: item.at,
                                found,
                                expected,
                                profile: Some(id.clone()),
                            });
                        }
                    }
                }
            }
            node => self.mistype(path, entry.at, node.describe(), &expected, Some(id.clone())),
        }
    }

    fn reference(&mut self, path: &[&str], at: Spot, keys: &'a [Entry], id: &ProfileId, expected: &str) {
        let mut known = 0;
        for entry in keys {
            let path = [path, &[&entry.key]].concat();
            if !schema::REFERENCE_KEYS.contains(&entry.key.as_str()) {
                self.unknown(&path, entry.at, schema::REFERENCE_KEYS.to_vec(), Some(id));
                continue;
            }
            known += 1;
            if !matches!(entry.value.node, Node::Scalar(Scalar::Text, _)) {
                self.mistype(&path, entry.at, entry.value.node.describe(), "a string", Some(id.clone()));
            }
        }
        if known == 0 && keys.is_empty() {
            self.mistype(path, at, "an empty table", expected, Some(id.clone()));
        }
    }

    fn lint(&mut self, entry: &'a Entry) {
        match &entry.value.node {
            Node::Table(keys) => {
                for key in keys {
                    if !schema::LINT_KEYS.contains(&key.key.as_str()) {
                        self.unknown(&["lint", &key.key], key.at, schema::LINT_KEYS.to_vec(), None);
                    } else if key.key == "fail_on"
                        && !matches!(key.value.node, Node::Scalar(Scalar::Text, _) | Node::Null)
                    {
                        self.mistype(&["lint", "fail_on"], key.at, key.value.node.describe(), "a string", None);
                    }
                }
            }
            Node::Null => {}
            node => self.mistype(&["lint"], entry.at, node.describe(), "a table", None),
        }
    }

    fn unknown(&mut self, path: &[&str], at: Spot, expected: Vec<&'static str>, profile: Option<&ProfileId>) {
        let word = path.last().copied().unwrap_or_default();
        let near = text::nearest(word, expected.iter().copied());
        let meant = near.filter(|_| path.len() == 3);
        let (key, suggestion) = (source::shown_path(path), near.map(str::to_owned));
        self.unknown.push(Unknown { key, at, suggestion, meant, expected, profile: profile.cloned(), variable: false });
    }

    fn mistype(&mut self, path: &[&str], at: Spot, found: &'static str, expected: &str, profile: Option<ProfileId>) {
        let key = source::shown_path(path);
        self.mistyped.push(Mistyped { key, at, found, expected: expected.to_owned(), profile });
    }

    /// Lets figment decide which leaf wins, and resolves the winners only.
    fn merge(
        &mut self,
        trees: &[Tree],
        reader: &mut Reader<'_>,
        resolver: &mut Resolver<'_>,
        problems: &mut Vec<Problem>,
    ) -> Vec<Merged> {
        let dicts = std::mem::take(&mut self.dicts);
        let mut history: HashMap<(Kind, &str, &str), Vec<usize>> = HashMap::new();
        for tables in &dicts {
            for (kind, name, field, leaf) in tables.leaves() {
                history.entry((kind, name, field)).or_default().push(leaf);
            }
        }
        let mut merged = Vec::new();
        for (kind, name, fields) in provider::merge(&dicts, trees) {
            let Some(header) = self.profiles.get(&(kind, name.clone())) else { continue };
            let mut settings = Vec::new();
            // In the order of the schema, so that a report reads the same whatever the order of the file.
            for field in kind.fields() {
                let Some(&winner) = fields.get(field.name) else { continue };
                let leaf = &self.leaves[winner];
                let base = trees[leaf.layer].base.as_deref();
                let variable = matches!(trees[leaf.layer].origin, Origin::Dotenv | Origin::Environment);
                let shape = resolver.shape(field, leaf.value, base, variable, reader).unwrap_or_else(|problem| {
                    problems.push(problem);
                    Shape::Mistyped
                });
                let shadows = history.get(&(kind, name.as_str(), field.name)).into_iter().flatten().rev();
                let shadows = shadows
                    .filter(|&&other| other != winner)
                    .map(|&other| (self.leaves[other].layer, self.leaves[other].at));
                settings.push(Setting { field, layer: leaf.layer, at: leaf.at, shape, shadows: shadows.collect() });
            }
            merged.push(Merged { id: header.id.clone(), at: header.at, mistyped: header.mistyped, settings });
        }
        for header in self.profiles.values() {
            if header.mistyped && !merged.iter().any(|profile| profile.id == header.id) {
                merged.push(Merged { id: header.id.clone(), at: header.at, mistyped: true, settings: Vec::new() });
            }
        }
        merged.sort_by_key(|profile| (profile.id.kind, schema::fold(&profile.id.name)));
        // Profiles are spelled as the highest file spells them, also in what was noted before that file was read.
        for profile in self
            .unknown
            .iter_mut()
            .filter_map(|unknown| unknown.profile.as_mut())
            .chain(self.mistyped.iter_mut().filter_map(|mistyped| mistyped.profile.as_mut()))
        {
            if let Some(header) = self.profiles.get(&(profile.kind, schema::fold(&profile.name))) {
                *profile = header.id.clone();
            }
        }
        merged
    }
}
