//! Configuration: layers found, read and merged, and every value traced to the layer that set it.
//!
//! figment merges; it sees tables and the numbers of leaves, never a value. All layers are kept, so that a setting
//! knows what it shadows.

mod discover;
mod environment;
mod layers;
mod provider;
mod reference;
mod survey;
mod tuning;

use std::path::PathBuf;

pub use environment::Environment;
use layers::Gathered;
use reference::Resolver;
use survey::Survey;
pub use survey::choice;
pub use tuning::{Allow, Tuning, shown_rule};

use crate::schema::value::CaFile;
use crate::schema::{Field, ProfileId};
use crate::secret::{Handle, Vault};
use crate::source::{Problem, Reader, Replaced, SourceId, Sources, Spot};

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
    /// A file with a table `[lint]` that nothing else can weaken.
    pub policy: Option<PathBuf>,
    /// Texts to read in place of what files hold.
    pub(crate) replaced: Replaced,
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
    /// It is a file that other users can read.
    pub exposed: bool,
    /// The file it was read from; the environment is many sources.
    pub source: Option<SourceId>,
}

/// A configuration that can't be read: exit code 2.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct ConfigError {
    /// Everything that is wrong, not the first thing only.
    pub problems: Vec<Problem>,
    /// What the labels of the problems point into.
    pub sources: Sources,
    /// Whether references were to be resolved.
    pub resolved: bool,
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
    /// What the configuration says of the linter itself.
    pub tuning: Tuning,
    /// What the policy says of it.
    pub policy: Option<Tuning>,
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
    /// Where an alias or a merge key brought it in.
    pub via: Option<Spot>,
    /// What it says.
    pub shape: Shape,
    /// The layers that it shadows, high to low.
    pub shadows: Vec<Shadow>,
}

/// A layer whose setting is hidden by that of a higher one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Shadow {
    /// The layer.
    pub layer: usize,
    /// Where the key stands in it.
    pub at: Spot,
    /// It says something else than the layer that wins.
    pub differs: bool,
}

/// What a setting says.
#[derive(Clone, Debug)]
pub enum Shape {
    /// One string.
    Text(Text),
    /// A list that was written as one.
    List(Vec<Text>),
    /// A list that was written in one piece, separated by commas, and the piece.
    Split(Vec<Text>, Text),
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
    /// It was found in a file of its own that other users can read.
    pub exposed: bool,
    /// Which file it names, if it is a path.
    pub names: Option<CaFile>,
}

impl Text {
    fn new(form: Form, at: Spot, content: Content) -> Self {
        Self { form, at, content, found: None, exposed: false, names: None }
    }
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
    /// Something of another type; reported as such, and present.
    Mistyped,
    /// Two references, or a value and a reference.
    Conflict(Vec<Spot>),
}

impl Config {
    /// Finds, reads and merges.
    ///
    /// # Errors
    /// If a file or a variable can't be read, is malformed, or names a profile as none may be called.
    pub fn load(options: &LoadOptions) -> Result<Self, ConfigError> {
        let (mut vault, mut sources) = (Vault::default(), Sources::default());
        let mut reader = Reader {
            vault: &mut vault,
            sources: &mut sources,
            directory: &options.directory,
            replaced: &options.replaced,
        };
        let mut gathered = Gathered::default();
        gathered.read(&mut reader, options);
        let mut flaws = Vec::new();
        let mut policy = options
            .policy
            .as_ref()
            .and_then(|path| gathered.policy(&mut reader, &options.directory.join(path), &mut flaws));
        let mut tuning = gathered.tuning(&reader, &mut flaws);
        let mut resolver =
            Resolver::new(&options.environment, std::mem::take(&mut gathered.dotenv), options.no_resolve);
        let Gathered { trees, layers, mut problems, notices, .. } = gathered;
        let mut survey = Survey::default();
        for (index, tree) in trees.iter().enumerate() {
            survey.layer(index, tree, reader.vault);
        }
        for tree in &trees {
            survey.strays(tree);
        }
        problems.append(&mut survey.problems);
        let profiles = if problems.is_empty() {
            survey.merge(&trees, &mut reader, &mut resolver, &mut problems)
        } else {
            Vec::new()
        };
        if !problems.is_empty() {
            return Err(ConfigError { problems, sources, resolved: !options.no_resolve });
        }
        for tuning in std::iter::once(&mut tuning).chain(&mut policy) {
            tuning.name_profiles(&profiles, &vault);
        }
        let (unknown, mut mistyped) = (survey.unknown, survey.mistyped);
        mistyped.extend(flaws.into_iter().map(|flaw| {
            let expected = flaw.expected.to_owned();
            Mistyped { key: flaw.key, at: flaw.at, found: flaw.found, expected, profile: None }
        }));
        let resolved = !options.no_resolve;
        Ok(Self { vault, sources, layers, profiles, unknown, mistyped, tuning, policy, resolved, notices })
    }
}
