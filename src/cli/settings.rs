//! Settings: the arguments and the option variables, resolved. clap's types end in this file.

use std::path::PathBuf;

use super::args::{ConfigArgs, Format};
use crate::config::{Environment, LoadOptions};

/// What every command starts from.
pub struct Settings {
    environment: Environment,
    directory: PathBuf,
}

impl Settings {
    pub fn of(environment: Environment) -> Result<Self, String> {
        let directory = std::env::current_dir()
            .map_err(|error| format!("the working directory can't be found: {}", error.kind()))?;
        Ok(Self { environment, directory })
    }

    /// What to load.
    pub fn load(&self, args: ConfigArgs) -> LoadOptions {
        let mut options = LoadOptions::new(&self.directory, self.environment.clone());
        options.files = args.config;
        if options.files.is_empty() && !args.isolated {
            // A path need not be UTF-8.
            let named = self.environment.get("CREDLINT_CONFIG").filter(|path| !path.is_empty());
            options.files.extend(named.map(PathBuf::from));
        }
        options.env_files = args.env_file;
        options.isolated = args.isolated;
        options
    }

    /// The profiles to check: as given, or else those of the variable, separated by commas.
    pub fn profiles(&self, given: Vec<String>) -> Result<Vec<String>, String> {
        if !given.is_empty() {
            return Ok(given);
        }
        let named = self.option("CREDLINT_PROFILE")?.unwrap_or_default();
        Ok(named.split(',').map(str::trim).filter(|name| !name.is_empty()).map(str::to_owned).collect())
    }

    /// The format: as given, or else that of the variable.
    pub fn format(&self, given: Option<Format>) -> Result<Format, String> {
        match (given, self.option("CREDLINT_FORMAT")?) {
            (Some(format), _) => Ok(format),
            (None, None | Some("human")) => Ok(Format::Human),
            (None, Some("json")) => Ok(Format::Json),
            (None, Some(_)) => Err("the value of CREDLINT_FORMAT is neither `human` nor `json`".to_owned()),
        }
    }

    /// A variable that stands for an option. An empty one is as good as none.
    fn option(&self, name: &str) -> Result<Option<&str>, String> {
        let Some(value) = self.environment.get(name).filter(|value| !value.is_empty()) else { return Ok(None) };
        value.to_str().map(Some).ok_or_else(|| format!("the value of the environment variable {name} is not UTF-8"))
    }
}
