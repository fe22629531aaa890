//! `credlint identify`

use std::io::{BufRead, IsTerminal, Read};

use zeroize::Zeroizing;

use super::args::{ListArgs, ListFormat};
use super::exit::Exit;
use super::quiet::EchoOff;
use super::settings::Settings;
use super::terminal::Terminal;
use crate::config::ConfigError;
use crate::file;
use crate::finding::{Finding, Severity};
use crate::foreign::{self, FileType};
use crate::identify::{Identity, Relation, State, identify, identify_in};
use crate::lint::{self, CheckOptions, Search};
use crate::report::identify_v1::{self, NamedValue};
use crate::schema::value::key_name;
use crate::text::{self, Markup};

/// The maximum input size, far longer than any credential.
const LONGEST: u64 = 64 * 1024;

/// What somebody pasted.
#[derive(Default)]
struct Pasted {
    values: Vec<Zeroizing<String>>,
    /// The names of the values, if every line is `NAME=value`.
    names: Vec<String>,
    /// Those lines.
    lines: Zeroizing<String>,
}

pub fn run(args: &ListArgs, settings: &Settings, terminal: &Terminal) -> Result<Exit, Exit> {
    settings.load_services_here().map_err(|error| terminal.unread(&error))?;
    let pasted = read(terminal).and_then(split_pasted).map_err(|message| terminal.fail(Exit::Usage, &message))?;
    let fields: Vec<_> = pasted.names.iter().map(|name| foreign::field_under(name)).collect();
    let mut identified = identify_in(&pasted.values, &fields);
    if !pasted.names.is_empty() {
        // Names tell which values belong together.
        identified.relation = None;
    }
    let named = match &pasted.values[..] {
        [name] if pasted.names.is_empty() => {
            foreign::expected_value(name).map(|about| vec![NamedValue { name: None, wanted: Some(about) }])
        }
        _ => None,
    };
    let shown = |name: &String| NamedValue { name: key_name(name), wanted: foreign::expected_value(name) };
    let named = named.unwrap_or_else(|| pasted.names.iter().map(shown).collect());
    let findings = check_pasted(&pasted, &identified.values, settings).map_err(|error| terminal.unread(&error))?;
    drop(pasted);
    let broken = |value: &Identity| !matches!(value.state(), State::Known | State::Unknown);
    // Under names, the rules decide.
    let wrong = match &findings {
        Some(findings) => findings.iter().any(|finding| finding.severity == Severity::Error),
        None => identified.values.iter().any(broken) || identified.relation.is_some_and(Relation::is_wrong),
    };
    let exit = if wrong { Exit::Findings } else { Exit::Done };
    Ok(match args.format {
        ListFormat::Json => {
            terminal.data(&identify_v1::write(&identified, &named, findings.as_deref()), Markup::Json, exit)
        }
        ListFormat::Human => terminal.lines(&identify_v1::human(&identified, &named, findings.as_deref()), exit),
    })
}

/// Checks `NAME=value` lines like `check -`, and references in them as in a process: nothing expands pasted text.
/// `None` for values without names.
fn check_pasted(
    pasted: &Pasted,
    values: &[Identity],
    settings: &Settings,
) -> Result<Option<Vec<Finding>>, ConfigError> {
    if pasted.names.is_empty() {
        return Ok(None);
    }
    let findings = |text: &str| {
        let search = Search::new(settings.directory()).with_isolated(true).with_text(text, FileType::from_text(text));
        lint::search(&search, &CheckOptions::default()).map(|(report, _)| report.findings)
    };
    let mut found = findings(&pasted.lines)?;
    let mut references = Zeroizing::new(String::new());
    for ((name, value), _) in
        pasted.names.iter().zip(&pasted.values).zip(values).filter(|(_, value)| value.is_reference())
    {
        references.extend([name, "=", value.as_str(), "\0"]);
    }
    if !references.is_empty() {
        found.extend(findings(&references)?.into_iter().filter(|finding| finding.rule == "unexpanded-reference"));
    }
    Ok(Some(found))
}

/// Returns the values in pasted text: one or two lines, the two words of a line, the ID and the key in an address, or
/// the values of `NAME=value` lines.
fn split_pasted(lines: Vec<Zeroizing<String>>) -> Result<Pasted, String> {
    let own = || lines.iter().filter(|line| !line.trim_start().starts_with('#'));
    let parts: Option<Vec<_>> = own().map(|line| assignment(line)).collect();
    // A value may also contain `=`: one or two lines count only with the name of a credential.
    let is_named = |parts: &Vec<_>| parts.len() > 2 || parts.iter().any(|&(name, value)| is_name(name, value));
    if let Some(parts) = parts.filter(is_named) {
        let mut pasted = Pasted::default();
        for (line, (name, value)) in own().zip(parts) {
            pasted.names.push(name.to_owned());
            pasted.values.push(Zeroizing::new(value.to_owned()));
            pasted.lines.push_str(line);
            pasted.lines.push('\n');
        }
        return Ok(pasted);
    }
    if let [line] = &lines[..] {
        let words: Vec<&str> = line.split_whitespace().collect();
        let is_known = |word: &&str| identify(&[word]).values.iter().all(|value| value.state() == State::Known);
        let pair = foreign::pair_in_address(line).map(Vec::from).or_else(|| {
            let both = words.len() == 2 && words.iter().all(is_known);
            both.then(|| words.iter().map(|word| Zeroizing::new((*word).to_owned())).collect())
        });
        return Ok(Pasted { values: pair.unwrap_or(lines), ..Pasted::default() });
    }
    match lines.len() {
        0 => Err("standard input is empty: give one or two values, each on a line".to_owned()),
        1 | 2 => Ok(Pasted { values: lines, ..Pasted::default() }),
        more => Err(format!(
            "standard input has {more} lines: give one or two values, each on a line, or lines of NAME=value"
        )),
    }
}

/// Splits `NAME=value`.
fn assignment(line: &str) -> Option<(&str, &str)> {
    let (name, value) = line.trim_start().strip_prefix("export ").unwrap_or(line.trim_start()).split_once('=')?;
    let value = value.trim();
    let quoted = ['"', '\''].into_iter().find_map(|quote| value.strip_prefix(quote)?.strip_suffix(quote));
    text::is_variable_name(name).then_some((name, quoted.unwrap_or(value)))
}

/// Returns `true` for the name of a credential, or a name in capitals with a value: base64 may end in `=`.
fn is_name(name: &str, value: &str) -> bool {
    let capitals = !name.bytes().any(|byte| byte.is_ascii_lowercase());
    let base64 = !name.contains('_') && value.bytes().all(|byte| byte == b'=');
    capitals && !base64 || foreign::is_credential_name(name)
}

/// Reads lines: one or two that are typed without echo, or those of standard input.
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
    let bytes = file::read_wiped(stdin.lock(), 0, LONGEST)
        .map_err(|error| format!("standard input can't be read: {}", error.kind()))?;
    if bytes.len() as u64 > LONGEST {
        return Err("standard input holds more than one or two values: it has more than 64 KiB".to_owned());
    }
    let text = std::str::from_utf8(&bytes).map_err(|_| "standard input is not UTF-8 text".to_owned())?;
    let lines = text.lines().filter(|line| !line.is_empty());
    Ok(lines.map(|line| Zeroizing::new(line.to_owned())).collect())
}
