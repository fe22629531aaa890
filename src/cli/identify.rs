//! `credlint identify`

use std::io::{BufRead, IsTerminal, Read};

use zeroize::Zeroizing;

use super::args::{IdentifyArgs, ListFormat};
use super::exit::Exit;
use super::quiet::EchoOff;
use super::terminal::Terminal;
use crate::identify::{State, identify};
use crate::report::identify_v1;
use crate::text::Markup;

/// The maximum input size, far longer than any credential.
const LONGEST: u64 = 64 * 1024;

pub fn run(args: &IdentifyArgs, terminal: &Terminal) -> Exit {
    let values = match read(terminal) {
        Ok(values) => values,
        Err(message) => return terminal.fail(Exit::Usage, &message),
    };
    let identified = identify(&values);
    drop(values);
    let broken = |state| !matches!(state, State::Known | State::Unknown);
    let wrong = identified.values.iter().any(|value| broken(value.state()))
        || identified.relation.is_some_and(crate::identify::Relation::is_wrong);
    let exit = if wrong { Exit::Findings } else { Exit::Done };
    match args.format {
        ListFormat::Json => terminal.data(&identify_v1::write(&identified), Markup::Json, exit),
        ListFormat::Human => terminal.document(&identify_v1::human(&identified), exit),
    }
}

/// Reads one or two values: typed without echo, or as lines of standard input.
fn read(terminal: &Terminal) -> Result<Vec<Zeroizing<String>>, String> {
    let stdin = std::io::stdin();
    if stdin.is_terminal() {
        let _quiet = EchoOff::new().map_err(|error| format!("the terminal's echo can't be turned off: {error}"))?;
        let mut values = Vec::new();
        for question in ["value (it is not shown): ", "second value, or Enter: "] {
            terminal.ask(question);
            let mut line = Zeroizing::new(String::new());
            let read = stdin.lock().take(LONGEST).read_line(&mut line);
            terminal.ask("\n");
            read.map_err(|error| format!("the terminal can't be read: {}", error.kind()))?;
            let value = Zeroizing::new(line.trim_end_matches(['\n', '\r']).to_owned());
            if value.is_empty() && !values.is_empty() {
                break;
            }
            values.push(value);
        }
        let more = EchoOff::discard_rest();
        if more.map_err(|error| format!("the terminal can't be read: {}", error.kind()))? {
            return Err("more than two lines were pasted: give one or two values, each on a line".to_owned());
        }
        return Ok(values);
    }
    let mut bytes = Zeroizing::new(Vec::new());
    let read = stdin.lock().take(LONGEST + 1).read_to_end(&mut bytes);
    read.map_err(|error| format!("standard input can't be read: {}", error.kind()))?;
    if bytes.len() as u64 > LONGEST {
        return Err("standard input holds more than one or two values: it has more than 64 KiB".to_owned());
    }
    let text = std::str::from_utf8(&bytes).map_err(|_| "standard input is not UTF-8 text".to_owned())?;
    let lines: Vec<&str> = text.lines().filter(|line| !line.is_empty()).collect();
    match lines.len() {
        0 => Err("standard input is empty: give one or two values, each on a line".to_owned()),
        1 | 2 => Ok(lines.into_iter().map(|line| Zeroizing::new(line.to_owned())).collect()),
        more => Err(format!("standard input has {more} lines: give one or two values, each on a line")),
    }
}
