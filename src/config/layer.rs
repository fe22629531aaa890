//! The layers of a configuration.

use crate::source::SourceId;

/// The origin of a layer, low to high.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Origin {
    /// The user's configuration.
    User,
    /// The project's configuration, found from the working directory upwards.
    Project,
    /// A configuration named on the command line.
    Given,
    /// A dotenv file named on the command line.
    Dotenv,
    /// The environment.
    Environment,
}

impl Origin {
    /// Returns `true` for a configuration file, false for variables.
    pub const fn is_file(self) -> bool {
        matches!(self, Self::User | Self::Project | Self::Given)
    }
}

/// A layer of the configuration.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Layer {
    /// The origin.
    pub origin: Origin,
    /// The name for display.
    pub name: String,
    /// True if other users can read the file.
    pub exposed: bool,
    /// The file. `None` for the environment, which is many sources.
    pub source: Option<SourceId>,
}
