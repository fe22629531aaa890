//! A snapshot of the environment, taken once and replaceable in tests.

use std::borrow::Cow;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

use zeroize::Zeroize;

use crate::secret::Vault;
use crate::shorthand::debug;
use crate::source;
use crate::source::{PipeTexts, Problem, Reader, Sources};

/// Environment variables at one point in time.
#[derive(Clone, Default)]
pub struct Environment(Vec<(OsString, OsString)>);

impl Environment {
    /// Captures the environment of this process.
    #[must_use]
    pub fn process() -> Self {
        std::env::vars_os().collect()
    }

    /// Returns the value of a variable; the last one if it occurs twice.
    pub fn get(&self, name: &str) -> Option<&OsStr> {
        self.0.iter().rev().find(|(known, _)| known == name).map(|(_, value)| value.as_os_str())
    }

    /// Sets a variable, whatever its value was.
    #[cfg(feature = "cli")]
    #[must_use]
    pub(crate) fn with_variable(mut self, name: &str, value: &str) -> Self {
        self.0.retain(|(known, _)| known != name);
        self.0.push((name.into(), value.into()));
        self
    }

    /// Adds the variables of dotenv files that are not set here. The last file wins.
    ///
    /// # Errors
    ///
    /// Returns the problem of a file that can't be read, with the sources that it refers to.
    pub(crate) fn with_dotenv_files(
        mut self,
        (files, pipes): (&[PathBuf], &PipeTexts),
        directory: &Path,
    ) -> Result<Self, (Problem, Sources)> {
        let (mut vault, mut sources) = (Vault::default(), Sources::default());
        let mut reader = Reader { vault: &mut vault, sources: &mut sources, directory, pipes };
        let read: Result<Vec<_>, _> = files.iter().map(|path| reader.read_dotenv(&directory.join(path))).collect();
        let read = match read {
            Ok(read) => read,
            Err(problem) => return Err((problem, sources)),
        };
        for variable in read.iter().rev().flat_map(|(_, variables, _)| variables.iter()) {
            if self.get(&variable.name).is_none() {
                #[expect(clippy::disallowed_methods, reason = "the command gets the value")]
                self.0.push((variable.name.clone().into(), vault.open(variable.value).into()));
            }
        }
        Ok(self)
    }

    /// Returns all variables with their values.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (&OsStr, &OsStr)> {
        self.0.iter().map(|(name, value)| (name.as_os_str(), value.as_os_str()))
    }

    /// Returns the names of all variables.
    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        self.0.iter().filter_map(|(name, _)| name.to_str())
    }

    /// Returns all variables, sorted by name. Bytes of a name that are not UTF-8 are replaced.
    pub(crate) fn sorted(&self) -> Vec<(Cow<'_, str>, &OsStr)> {
        let mut named: Vec<_> =
            self.0.iter().map(|(name, value)| (name.to_string_lossy(), value.as_os_str())).collect();
        named.sort_by(|(one, _), (other, _)| one.cmp(other));
        named
    }

    /// Returns `true` if a variable sets a field.
    pub(crate) fn has_settings(&self) -> bool {
        self.names().any(source::is_setting)
    }

    /// Returns the variables that set fields, sorted by name.
    pub(super) fn settings(&self) -> Vec<(Cow<'_, str>, &OsStr)> {
        let mut settings = self.sorted();
        settings.retain(|(name, _)| source::is_setting(name));
        settings
    }
}

impl Drop for Environment {
    fn drop(&mut self) {
        for (_, value) in self.0.drain(..) {
            value.into_encoded_bytes().zeroize();
        }
    }
}

impl<K: Into<OsString>, V: Into<OsString>> FromIterator<(K, V)> for Environment {
    fn from_iter<I: IntoIterator<Item = (K, V)>>(variables: I) -> Self {
        Self(variables.into_iter().map(|(name, value)| (name.into(), value.into())).collect())
    }
}

debug!(Environment, |own| "Environment({} variables)", own.0.len());
