//! `credlint init`

use std::io;
use std::path::{Path, PathBuf};

use super::args::InitArgs;
use super::exit::Exit;
use super::terminal::Terminal;
use crate::file;
use crate::report::starter::{self, Syntax};
use crate::schema::Kind;
use crate::text;

/// The file names of a project configuration.
const NAMES: [&str; 4] = ["credlint.toml", "credlint.yaml", "credlint.yml", "credlint.json"];

pub fn run(mut args: InitArgs, terminal: &Terminal) -> Result<Exit, Exit> {
    // `init -` is what people type who want to see the text first.
    if args.kinds.iter().any(|kind| kind == "-")
        && args.output.replace(PathBuf::from("-")).is_some_and(|path| !is_standard_output(&path))
    {
        let message = "`-` prints the configuration, and -o writes it to a file: choose one";
        return Err(terminal.fail(Exit::Usage, message));
    }
    let named: Vec<&Kind> = args.kinds.iter().filter_map(|kind| Kind::find(kind)).collect();
    // Each kind once, in the order of the schema.
    let wanted = |kind: &&&Kind| named.is_empty() || named.contains(kind);
    let kinds: Vec<&Kind> = Kind::all().iter().filter(wanted).copied().collect();
    let syntax = syntax(args.format, args.output.as_deref());
    let syntax = syntax.map_err(|message| terminal.fail(Exit::Usage, &message))?;
    let starter = starter::write(&kinds, syntax);
    let path = match args.output {
        Some(path) if is_standard_output(&path) => return Ok(terminal.document(&starter.text, Exit::Done)),
        Some(path) => path,
        // Two project configurations in one directory are an error.
        None => match NAMES.iter().find(|name| Path::new(name).symlink_metadata().is_ok()) {
            Some(name) => return Err(exists(name, terminal)),
            None => PathBuf::from(if syntax == Syntax::Yaml { "credlint.yaml" } else { "credlint.toml" }),
        },
    };
    let name = text::path(&path);
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

fn is_standard_output(path: &Path) -> bool {
    path == Path::new("-")
}

/// Returns the format that was asked for, or that of the file's extension. `check` reads a file by its extension, so
/// the two must agree.
fn syntax(asked: Option<Syntax>, output: Option<&Path>) -> Result<Syntax, String> {
    let Some(path) = output.filter(|path| !is_standard_output(path)) else { return Ok(asked.unwrap_or(Syntax::Toml)) };
    let by_name = match path.extension().and_then(|extension| extension.to_str()) {
        Some("toml") => Some(Syntax::Toml),
        Some("yaml" | "yml") => Some(Syntax::Yaml),
        _ => None,
    };
    match (by_name, asked) {
        (Some(by_name), Some(asked)) if by_name != asked => {
            Err(format!("the extension of {} does not match --format; leave out --format", text::path(path)))
        }
        (Some(by_name), _) => Ok(by_name),
        (None, _) => Err(format!("{} must end in .toml, .yaml or .yml", text::path(path))),
    }
}
