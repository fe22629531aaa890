//! `credlint init`

use std::io;
use std::path::{Path, PathBuf};

use super::args::InitArgs;
use super::exit::Exit;
use super::terminal::Terminal;
use crate::file;
use crate::report::starter;
use crate::schema::Kind;
use crate::text;

/// The file names of a project configuration.
pub(super) const NAMES: [&str; 4] = ["credlint.toml", "credlint.yaml", "credlint.yml", "credlint.json"];

pub fn run(args: InitArgs, terminal: &Terminal) -> Result<Exit, Exit> {
    // Each kind once, in the order of the schema.
    let wanted = |kind: &&&Kind| args.kinds.is_empty() || args.kinds.iter().any(|name| name == kind.name);
    let kinds: Vec<&Kind> = Kind::all().iter().filter(wanted).copied().collect();
    let starter = starter::write(&kinds);
    let path = match args.output {
        Some(path) if path == Path::new("-") => return Ok(terminal.document(&starter.text, Exit::Done)),
        // `check` reads a file by its extension.
        Some(path) if path.extension().is_none_or(|extension| extension != "toml") => {
            return Err(terminal.fail(Exit::Usage, &format!("{} must end in .toml", text::path(&path))));
        }
        Some(path) => path,
        // Two project configurations in one directory are an error.
        None => match NAMES.iter().find(|name| Path::new(name).symlink_metadata().is_ok()) {
            Some(name) => return Err(exists(name, terminal)),
            None => PathBuf::from(NAMES[0]),
        },
    };
    let name = text::path(&path);
    let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty());
    if parent.is_some_and(file::is_linked) {
        let message = format!("{name} is behind a symbolic link in the repository: choose another file");
        return Err(terminal.fail(Exit::Usage, &message));
    }
    file::create(&path, &starter.text).map_err(|error| match error.kind() {
        io::ErrorKind::AlreadyExists => exists(&name, terminal),
        io::ErrorKind::NotFound => terminal
            .fail(Exit::NotDone, &format!("{name} can't be written: there is no such directory; create it first")),
        kind => terminal.fail(Exit::NotDone, &format!("{name} can't be written: {kind}")),
    })?;
    terminal.note(&format!("wrote {name}; set {}, then run `credlint check`", starter.variables.join(", ")));
    Ok(Exit::Done)
}

fn exists(name: &str, terminal: &Terminal) -> Exit {
    let ways = "name another file with -o FILE, or print with -o -";
    terminal.fail(Exit::Usage, &format!("{name} already exists, and init never overwrites a file; {ways}"))
}
