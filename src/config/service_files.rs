//! `services` in `[lint]`: the files of a project's own services. They are found before a configuration is loaded, because
//! the rows in them say what its values are.

use std::path::{Component, Path, PathBuf};

use super::discover;
use super::layer::Origin;
use super::options::LoadOptions;
use super::permitted::real_path_below;
use crate::code::Code;
use crate::file;
use crate::secret::{MASK, Vault};
use crate::source::{Entry, Node, Problem, Reader, Scalar, Sources, Spot};
use crate::text;

/// A file of a project's own service.
pub(crate) struct ServiceFile {
    pub(crate) path: PathBuf,
    /// Its name for people.
    pub(crate) name: String,
    /// Where it is named.
    pub(crate) at: Spot,
}

/// The files that the configuration and the policy name.
#[derive(Default)]
pub(crate) struct ServiceFiles {
    pub(crate) files: Vec<ServiceFile>,
    pub(crate) problems: Vec<Problem>,
    pub(crate) sources: Sources,
}

impl ServiceFiles {
    /// Finds them. What can't be read is left to whoever loads it.
    pub(crate) fn find(options: &LoadOptions) -> Self {
        let mut found = Self { sources: options.sources(), ..Self::default() };
        let given = options.files.iter().map(|path| (Origin::Given, options.directory.join(path)));
        let mut all: Vec<_> = given.collect();
        if all.is_empty() && !options.isolated {
            // A laptop and the pipeline must agree, so the user's own file names none.
            let project = discover::project_file(options).filter(|(_, foreign)| !foreign);
            all.extend(project.map(|(path, _)| (Origin::Project, path)));
        }
        all.extend(options.policy.iter().map(|path| (Origin::Given, options.directory.join(path))));
        // A pipe gives its content only once.
        for (origin, path) in all.into_iter().filter(|(_, path)| path.is_file()) {
            found.add_named_in(&path, origin, options);
        }
        found
    }

    fn add_named_in(&mut self, path: &Path, origin: Origin, options: &LoadOptions) {
        // Values of this vault are never examined.
        let mut vault = Vault::default();
        let Self { files, problems, sources } = self;
        let (directory, pipes) = (&*options.directory, &options.pipes);
        let mut reader = Reader { vault: &mut vault, sources, directory, pipes };
        let Ok((_, entries, opened)) = reader.read_file(path) else { return };
        if origin == Origin::Project && !file::is_own(&opened.meta) {
            return;
        }
        let base = path.parent().unwrap_or(directory);
        for (named, at) in named(&entries, &reader) {
            let is_plain = |part: Component<'_>| matches!(part, Component::Normal(_) | Component::CurDir);
            let plain = !named.is_empty() && Path::new(&named).components().all(is_plain);
            let Some(path) = real_path_below(base, &base.join(&named)).filter(|_| plain) else {
                let message = "a file of a service is below the directory of the file that names it";
                problems.push(Problem::new(Code::ServiceFile, message).at(at, "named here"));
                continue;
            };
            if !files.iter().any(|file| file.path == path) {
                let shown = path.exists() || text::is_plain_name(&named);
                let name = if shown { reader.shown_name(&base.join(&named)) } else { MASK.to_owned() };
                files.push(ServiceFile { path, name, at });
            }
        }
    }
}

/// Returns the paths in `lint.services`. Those of the wrong type are reported when the configuration is checked.
fn named(entries: &[Entry], reader: &Reader<'_>) -> Vec<(String, Spot)> {
    let below = |entries: &[Entry], key: &str| {
        entries.iter().find(|entry| entry.key == key).map(|entry| entry.value.node.clone())
    };
    let Some(Node::Table(lint)) = below(entries, "lint") else { return Vec::new() };
    let Some(Node::List(items)) = below(&lint, "services") else { return Vec::new() };
    let path = |handle| reader.vault.shown(handle, |path| Some(path.to_owned()));
    let texts = items.iter().filter_map(|item| match item.node {
        Node::Scalar(Scalar::Text, handle) => Some((path(handle)?, item.at)),
        _ => None,
    });
    texts.collect()
}
