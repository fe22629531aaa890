//! Finds the files of a delivery.

use std::path::{Path, PathBuf};

use super::{Delivery, DeliveryError, Event, Observer};
use crate::file::{FileSet, PathPatterns};
use crate::schema::Method;
use crate::text;
use crate::upload::{Exclusions, FileList, Inputs, LeftOut, Mode, names_of_current_directory};

/// Above this number, the user is asked to confirm: it may be the wrong directory.
const ASK_ABOVE: usize = 1000;

impl Delivery<'_> {
    /// Finds the files to send.
    pub(super) fn list_files(&mut self, observer: &impl Observer) -> Result<(), DeliveryError> {
        let id = &self.profile.id;
        let named = std::mem::take(&mut self.options.files);
        let list = self.options.files_from.as_deref().map(FileList::read).transpose();
        let list = list.map_err(|problem| DeliveryError::List(id.clone(), self.loaded.error(vec![problem])))?;
        let FileList { files: listed, uncertain } = list.unwrap_or_default();
        self.keep_apart_from_inputs(named.iter().chain(&listed))?;
        let inputs = Inputs::expand(named, listed, &self.exclusions()?);
        for (&why, &number) in &inputs.left_out {
            observer.event(id, Event::LeftOut(why, number));
        }
        for (number, event) in
            [(inputs.repeated, Event::Repeated(inputs.repeated)), (uncertain, Event::Uncertain(uncertain))]
        {
            if number > 0 {
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
        self.files = inputs.files;
        (self.options.batch.found, self.options.batch.no_match) = (inputs.found, inputs.no_match);
        if let Some(sender) = &self.sender
            && self.options.mode == Mode::Live
            && self.files.len() > ASK_ABOVE
            && !observer.confirm(id, self.files.len(), &sender.base_url.origin())
        {
            return Err(DeliveryError::Declined);
        }
        match all {
            // Exactly that was requested.
            0 if self.options.skip_empty && inputs.left_out.contains_key(&LeftOut::Empty) => Ok(()),
            0 if inputs.left_out.is_empty() => {
                Err(DeliveryError::Usage("no files to send: the list is empty".to_owned()))
            }
            0 => Err(DeliveryError::Usage("no files to send: all of them are left out".to_owned())),
            1 => Ok(()),
            _ if self.options.batch.name.is_some() => {
                Err(DeliveryError::Usage("--filename needs exactly one file".to_owned()))
            }
            _ if self.options.post.title.is_some() => {
                Err(DeliveryError::Usage("--title needs exactly one file".to_owned()))
            }
            _ if self.options.post.alt_text.is_some() => {
                Err(DeliveryError::Usage("--alt-text needs exactly one file".to_owned()))
            }
            _ => Ok(()),
        }
    }

    /// Refuses a journal that is also an input.
    fn keep_apart_from_inputs<'f>(&self, mut named: impl Iterator<Item = &'f PathBuf>) -> Result<(), DeliveryError> {
        let Some(journal) = &self.options.journal else { return Ok(()) };
        let written = FileSet::new([journal.clone()]);
        let what = if FileSet::new(self.loaded.inputs()).contains(journal) {
            "a file of the configuration"
        } else if self.options.files_from.iter().any(|list| written.contains(list)) {
            "the list of files"
        } else if named.any(|file| written.contains(file)) {
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
    fn exclusions(&mut self) -> Result<Exclusions, DeliveryError> {
        let (variables, read): (Vec<_>, Vec<_>) = self.tuned.sources.paths().partition(|(_, variables)| *variables);
        let paths = |files: Vec<(PathBuf, bool)>| files.into_iter().map(|(path, _)| path);
        let secret = FileSet::new(paths(variables).chain(self.loaded.referenced.paths()));
        if !self.options.allow_secret_files {
            self.options.batch.secret = secret.clone();
        }
        let Self { options, .. } = self;
        let own =
            paths(read).chain(options.journal.clone()).chain(options.blocks.clone()).chain(options.written.clone());
        let here = names_of_current_directory();
        let directory = here.first().map_or(Path::new(""), PathBuf::as_path);
        let exclude = PathPatterns::parse(&self.options.exclude, directory)
            .map_err(|flaw| DeliveryError::Usage(format!("invalid --exclude pattern: {flaw}")))?;
        let named_empty = self.options.skip_empty;
        // Only this method rejects them.
        let external = self.sender.as_ref().is_some_and(|sender| sender.method == Method::External);
        Ok(Exclusions {
            own: FileSet::new(own),
            secret,
            shard: self.options.shard.map(|shard| (shard, here)),
            exclude,
            found_empty: named_empty || external,
            named_empty,
        })
    }
}
