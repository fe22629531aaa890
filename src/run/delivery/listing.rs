//! Finds the files of a delivery.

use std::path::{Path, PathBuf};

use super::{Delivery, DeliveryError, Event, Observer};
use crate::file::FileSet;
use crate::source::Problem;
use crate::text;
use crate::upload::{Exclusions, Inputs, Mode};

/// Above this number, the user is asked to confirm: it may be the wrong directory.
const ASK_ABOVE: usize = 1000;

impl Delivery<'_> {
    /// Finds the files to send.
    pub(super) fn list_files(&mut self, observer: &impl Observer) -> Result<(), DeliveryError> {
        let id = &self.profile.id;
        let mut named = std::mem::take(&mut self.options.files);
        if let Some(list) = &self.options.files_from {
            named.extend(Inputs::read_list(list).map_err(|error| {
                let problem = Problem { help: error.help, ..Problem::new(error.code, error.message) };
                DeliveryError::List(id.clone(), self.loaded.error(vec![problem]))
            })?);
        }
        self.keep_apart_from_inputs(&named)?;
        let inputs = Inputs::expand(named, &self.exclusions());
        for (files, event) in [
            (inputs.own_files, Event::OwnLeftOut(inputs.own_files)),
            (inputs.secret_files, Event::SecretLeftOut(inputs.secret_files)),
            (inputs.dotenv_files, Event::VariablesLeftOut(inputs.dotenv_files)),
            (inputs.excluded, Event::Excluded(inputs.excluded)),
            (inputs.repeated, Event::Repeated(inputs.repeated)),
        ] {
            if files > 0 {
                observer.event(id, event);
            }
        }
        for number in &inputs.unmatched {
            let number = (self.options.exclude.len() > 1).then_some(number + 1);
            observer.event(id, Event::ExcludesNothing(number));
        }
        let all = inputs.files.len() + inputs.other_shares;
        if let Some(shard) = self.options.shard {
            observer.event(id, Event::Share(shard, inputs.files.len(), all));
        }
        self.bytes = inputs.bytes;
        (self.files, self.options.batch.found) = (inputs.files, inputs.found);
        if let Some(sender) = &self.sender
            && self.options.mode == Mode::Live
            && self.files.len() > ASK_ABOVE
            && !observer.confirm(id, self.files.len(), &sender.base_url.origin())
        {
            return Err(DeliveryError::Declined);
        }
        match all {
            0 => Err(DeliveryError::Usage("no files to send: the list is empty".to_owned())),
            1 => Ok(()),
            _ if self.options.batch.name.is_some() => {
                Err(DeliveryError::Usage("--filename needs exactly one file".to_owned()))
            }
            _ if self.options.post.title.is_some() => {
                Err(DeliveryError::Usage("--title needs exactly one file".to_owned()))
            }
            _ => Ok(()),
        }
    }

    /// Refuses a journal that is also an input.
    fn keep_apart_from_inputs(&self, named: &[PathBuf]) -> Result<(), DeliveryError> {
        let Some(journal) = &self.options.journal else { return Ok(()) };
        let written = FileSet::new([journal.clone()]);
        let what = if FileSet::new(self.loaded.inputs()).has(journal) {
            "a file of the configuration"
        } else if self.options.files_from.iter().any(|list| written.has(list)) {
            "the list of files"
        } else if named.iter().any(|file| written.has(file)) {
            "one of the files to send"
        } else {
            return Ok(());
        };
        let message =
            format!("the journal {} is {what}: choose another file with --journal", text::file_or_path(journal));
        Err(DeliveryError::Usage(message))
    }

    /// Returns the files to leave out of directories and patterns. A file that the configuration reads a value from is
    /// refused even if it is named, unless that is allowed.
    fn exclusions(&mut self) -> Exclusions {
        let (variables, read): (Vec<_>, Vec<_>) = self.tuned.sources.paths().partition(|(_, variables)| *variables);
        let paths = |files: Vec<(PathBuf, bool)>| files.into_iter().map(|(path, _)| path);
        let secret = FileSet::new(paths(variables).chain(self.loaded.config.referenced.paths()));
        if !self.options.allow_secret_files {
            self.options.batch.secret = secret.clone();
        }
        let own = paths(read).chain(self.options.journal.clone());
        let shard = self.options.shard.map(|shard| (shard, names_of_current_directory()));
        Exclusions { own: FileSet::new(own), secret, shard, exclude: self.options.exclude.clone() }
    }
}

/// Returns the names of the current directory: the system's, and the shell's, which may lead through a link. Empty if
/// it can't be determined: then shares are computed from the paths as given.
fn names_of_current_directory() -> Vec<PathBuf> {
    let Ok(directory) = std::env::current_dir() else { return Vec::new() };
    let real = |path: &Path| path.canonicalize().ok();
    #[expect(clippy::disallowed_methods, reason = "it is the shell's name of this directory, and no setting")]
    let shell = std::env::var_os("PWD").map(PathBuf::from);
    let shell = shell.filter(|shell| shell.is_absolute() && real(shell) == real(&directory));
    std::iter::once(directory).chain(shell).collect()
}
