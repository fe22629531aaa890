//! A loaded configuration, and the selection of profiles.

use std::path::PathBuf;

use crate::code::Code;
use crate::config::{ConfigError, Layer, LoadOptions, Loaded, Profile};
use crate::schema::value::Parsed;
use crate::schema::{self, ProfileId};
use crate::services;
use crate::source::Problem;
use crate::text;

/// Finds, reads and merges a configuration.
///
/// # Errors
///
/// Returns an error if a file or variable is malformed or can't be read. The error has all problems, not only the
/// first.
pub fn load(options: &LoadOptions) -> Result<Loaded, ConfigError> {
    let mut loaded = Loaded::load(options)?;
    loaded.notices.extend(unused_services(&loaded));
    Ok(loaded)
}

/// Says that the services of a configuration are not used, if they are not.
pub(crate) fn unused_services(config: &Loaded) -> Option<String> {
    let named = config.tuning.services + config.policy.as_ref().map_or(0, |policy| policy.services);
    let unused = named > 0 && services::own().is_empty();
    unused.then(|| "`services` is not used: a program calls `load_services` before anything else".to_owned())
}

impl Loaded {
    /// Returns the layers that were read, low to high.
    #[must_use]
    pub fn layers(&self) -> &[Layer] {
        &self.layers
    }

    /// Returns messages about ignored files.
    #[must_use]
    pub fn notices(&self) -> &[String] {
        &self.notices
    }

    /// Returns the ids of the profiles, sorted by kind and name.
    #[must_use]
    pub fn profile_ids(&self) -> Vec<ProfileId> {
        self.profiles.iter().map(|profile| profile.id.clone()).collect()
    }

    /// Creates an error about a request, with the sources of this configuration.
    pub(crate) fn error(&self, problems: Vec<Problem>) -> ConfigError {
        let Loaded { sources, resolved, referenced, .. } = self;
        ConfigError { problems, sources: sources.clone(), resolved: *resolved, referenced: referenced.clone() }
    }

    /// Returns every file that was read or is referenced. None of them may be overwritten.
    pub(crate) fn inputs(&self) -> impl Iterator<Item = PathBuf> {
        let Loaded { sources, referenced, profiles, .. } = self;
        let settings = profiles.iter().flat_map(|profile| &profile.settings);
        let certificates = settings.filter_map(|setting| match setting.parsed()? {
            Ok(Parsed::Path(file)) => Some(file.path().to_owned()),
            _ => None,
        });
        sources.paths().map(|(path, _)| path).chain(referenced.paths()).chain(certificates)
    }

    /// Returns the profile with a name.
    ///
    /// # Errors
    ///
    /// Returns an error if there is none, or if several kinds have one.
    pub(crate) fn select(&self, name: &str) -> Result<&Profile, ConfigError> {
        let problem = match self.profiles_named(name)[..] {
            [profile] => return Ok(profile),
            [] => self.unknown(name),
            ref several => {
                let names = several.iter().map(|profile| format!("`{}`", profile.id)).collect::<Vec<_>>().join(" and ");
                Problem::new(Code::AmbiguousProfile, format!("`{}` could be {names}", text::name(name)))
                    .help("add the kind to the name")
            }
        };
        Err(self.error(vec![problem]))
    }

    fn unknown(&self, name: &str) -> Problem {
        let bare = name.rsplit_once('.').map_or(name, |(_, bare)| bare);
        let ids: Vec<(String, &str)> =
            self.profiles.iter().map(|profile| (profile.id.to_string(), profile.id.name.as_str())).collect();
        let near = text::nearest(name, ids.iter().map(|(full, _)| full.as_str()))
            .or_else(|| text::nearest(bare, ids.iter().map(|&(_, bare)| bare)));
        // A name that is not nearly right could be a secret, so it is not repeated.
        let kind = name.split_once('.').is_none_or(|(kind, _)| schema::is_public_key(&[kind]));
        let shown = if near.is_some() && kind && schema::is_profile_name(bare) {
            format!("`{name}`")
        } else {
            "of that name".to_owned()
        };
        let problem = Problem::new(Code::UnknownProfile, format!("there is no profile {shown}"));
        match near {
            Some(near) => problem.help(format!("did you mean `{near}`?")),
            None if self.layers.is_empty() => {
                problem.help("there is no configuration here: `credlint init` writes one, --config FILE names another")
            }
            None if ids.is_empty() => problem.help("the configuration has no profiles"),
            None if ids.len() <= 10 => {
                let names = ids.iter().map(|(full, _)| format!("`{full}`")).collect::<Vec<_>>().join(", ");
                problem.help(format!("available profiles: {names}"))
            }
            None => problem.help("run `credlint profiles` for a list"),
        }
    }
}
