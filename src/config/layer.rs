//! The layers of a configuration.

use crate::source::SourceId;

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

impl Origin {
    /// Whether it is a configuration file, and no variables.
    #[must_use]
    pub const fn is_file(self) -> bool {
        matches!(self, Self::User | Self::Project | Self::Given)
    }
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
