//! What a command line says, to say it again.

use std::ffi::OsString;

use clap::parser::ValueSource;

use super::documents::program;

/// Returns the options of a command line, except some, in the order in which the program lists them: the long name without
/// `--`, and the value, if it takes one.
pub fn given(words: Vec<OsString>, except: &[&str]) -> Vec<(String, Option<OsString>)> {
    let mut program = program();
    program.build();
    let Ok(matches) = program.clone().try_get_matches_from(words) else { return Vec::new() };
    let Some((name, matches)) = matches.subcommand() else { return Vec::new() };
    let mut given = Vec::new();
    for option in program.find_subcommand(name).into_iter().flat_map(clap::Command::get_arguments) {
        let (id, Some(long)) = (option.get_id().as_str(), option.get_long()) else { continue };
        if except.contains(&id) || matches.value_source(id) != Some(ValueSource::CommandLine) {
            continue;
        }
        if option.get_action().takes_values() {
            let values = matches.get_raw(id).into_iter().flatten();
            given.extend(values.map(|value| (long.to_owned(), Some(value.to_owned()))));
        } else {
            given.push((long.to_owned(), None));
        }
    }
    given
}
