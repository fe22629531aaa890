//! What a command line says, to say it again.

use std::ffi::OsString;

use clap::parser::ValueSource;

use super::documents::program;

/// An option with its value, if it takes one.
pub struct Given {
    /// The long name, without `--`.
    pub option: String,
    pub value: Option<OsString>,
}

/// Returns the options of a command line, except some, in the order in which the program lists them.
pub fn given(words: Vec<OsString>, except: &[&str]) -> Vec<Given> {
    let mut program = program();
    program.build();
    let Ok(matches) = program.clone().try_get_matches_from(words) else { return Vec::new() };
    let Some((name, matches)) = matches.subcommand() else { return Vec::new() };
    let options = program.find_subcommand(name).into_iter().flat_map(clap::Command::get_arguments);
    let typed = options.filter(|option| {
        let id = option.get_id().as_str();
        !except.contains(&id) && matches.value_source(id) == Some(ValueSource::CommandLine)
    });
    let mut given = Vec::new();
    for option in typed {
        let (id, Some(long)) = (option.get_id().as_str(), option.get_long()) else { continue };
        let one = |value| Given { option: long.to_owned(), value };
        if option.get_action().takes_values() {
            let values = matches.get_raw(id).into_iter().flatten();
            given.extend(values.map(|value| one(Some(value.to_owned()))));
        } else {
            given.push(one(None));
        }
    }
    given
}
