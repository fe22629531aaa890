//! `credlint init`

use std::io;

use super::args::InitArgs;
use super::exit::Exit;
use super::terminal::Terminal;
use crate::file;
use crate::report::starter;
use crate::schema::Kind;
use crate::text;

pub fn run(args: InitArgs, terminal: &Terminal) -> Exit {
    let named: Vec<&Kind> = args.kinds.iter().filter_map(|kind| Kind::find(kind)).collect();
    // In the order of the schema, and each once.
    let wanted = |kind: &&&Kind| named.is_empty() || named.contains(kind);
    let kinds: Vec<&Kind> = Kind::all().iter().filter(wanted).copied().collect();
    let starter = starter::write(&kinds);
    let Some(path) = args.output else { return terminal.document(&starter.text, Exit::Done) };
    let name = text::path(&path);
    if path.extension().is_none_or(|extension| extension != "toml") {
        return terminal.fail(Exit::Usage, &format!("{name} should end in .toml: the starter file is TOML"));
    }
    match file::create(&path, &starter.text) {
        Ok(()) => {
            terminal.note(&format!("wrote {name}; set {}, then run: credlint check", starter.variables.join(", ")));
            Exit::Done
        }
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
            terminal.fail(Exit::NotDone, &format!("{name} already exists and was not overwritten"))
        }
        Err(error) => terminal.fail(Exit::NotDone, &format!("{name} can't be written: {}", error.kind())),
    }
}
