//! Writes the rows of single files as constants.

#![expect(clippy::use_debug, reason = "a literal of Rust is how its value prints")]

use std::collections::BTreeMap;
use std::fmt::Write as _;

use serde::Deserialize;
use serde::de::DeserializeOwned;

use crate::constants;
use crate::services::file::Rows;
use crate::services::resolve::{File, Result};

fn read<T: DeserializeOwned>(path: &str) -> Result<File<T>> {
    let text = std::fs::read_to_string(path).map_err(|error| format!("{path}: {error}"))?;
    File::parse(path.to_owned(), String::new(), &text, false)
}

/// What only the file around a value tells about it.
pub const ODDITIES: &str = "src/config/oddities.toml";

/// A row of it.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct OddityRow {
    about: String,
    what: String,
    label: String,
    help: String,
    #[serde(default = "note")]
    severity: String,
    #[serde(default = "nothing")]
    instead: String,
}

fn note() -> String {
    "note".to_owned()
}

fn nothing() -> String {
    "nothing".to_owned()
}

/// Writes the type of oddities, in the order of their file, and the row of each.
pub fn oddities() -> Result<String> {
    let file: File<Rows<OddityRow>> = read(ODDITIES)?;
    let (mut variants, mut rows) = (String::new(), String::new());
    for (name, row) in &file.rows.0 {
        let OddityRow { about, what, label, help, severity, instead } = row;
        if !["note", "warning"].contains(&&**severity) || !["nothing", "reference", "other"].contains(&&**instead) {
            return file
                .fail(name, "`severity` is \"note\" or \"warning\", and `instead` is \"reference\" or \"other\"");
        }
        let name = constants::variant_name(name.get_ref());
        let _ = writeln!(variants, "#[doc = {about:?}]\n{name},");
        let texts = format!(
            "what: {what:?}, label: {label:?}, help: {help:?}, warns: {}, instead: Instead::{}",
            severity == "warning",
            constants::variant_name(instead)
        );
        let _ = writeln!(rows, "Self::{name} => &OddityRow {{ {texts} }},");
    }
    let about = "/// Something about a value that no form shows: its reader decides. What one file keeps, another one takes off.";
    Ok(format!(
        "{about}\n#[derive(Clone, Copy, PartialEq, Eq, Debug)]\npub enum Oddity {{\n{variants}}}\n\nimpl Oddity {{\n\
         /// Returns its row.\npub const fn row(self) -> &'static OddityRow {{\nmatch self {{\n{rows}}}\n}}\n}}\n"
    ))
}

/// The codes of errors.
pub const CODES: &str = "src/codes.toml";

/// The words of codes.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct CodesFile {
    ours: Vec<String>,
    named: BTreeMap<String, String>,
    stops: BTreeMap<String, Vec<String>>,
    connect: BTreeMap<String, (String, String, String)>,
}

/// Writes the type of codes, our own and those of the service's refusals, and why no connection was made.
pub fn codes<'a>(refusals: impl Iterator<Item = &'a str>) -> Result<[String; 2]> {
    let CodesFile { ours, named, stops, connect } = read(CODES)?.rows;
    let variant = |word: &str| {
        let plain = || constants::variant_name(&word.replace('_', "-"));
        named.get(word).cloned().unwrap_or_else(plain)
    };
    let mut service: Vec<&str> = refusals.collect();
    service.sort_unstable();
    if let Some(unknown) = stops.values().flatten().find(|word| !service.contains(&word.as_str())) {
        return Err(format!("{CODES}: `{unknown}` is no refusal of the service"));
    }
    let all: Vec<&str> = ours.iter().map(String::as_str).chain(service.iter().copied()).collect();
    let list = |words: &[&str]| words.iter().map(|word| format!("Self::{}, ", variant(word))).collect::<String>();
    let mut variants = String::new();
    for word in &all {
        let of = if service.contains(word) { ", a word of the service" } else { "" };
        let _ = writeln!(variants, "/// `{word}`{of}\n{},", variant(word));
    }
    let words: String = all.iter().map(|word| format!("Self::{} => {word:?},\n", variant(word))).collect();
    let stops = stops.iter().flat_map(|(why, words)| words.iter().map(move |word| (why, word)));
    let stops: String = stops.map(|(why, word)| format!("Self::{} => Some({why:?}),\n", variant(word))).collect();
    let cause = |(name, (code, says, help)): (&String, &(String, String, String))| {
        let name = name.to_uppercase();
        format!("const {name}: ConnectCause = ConnectCause(Code::{}, {says:?}, {help:?});\n", variant(code))
    };
    let causes = connect.iter().map(cause).collect();
    let codes = format!(
        "/// An error code that scripts may rely on.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        #[non_exhaustive]
        pub enum Code {{
            {variants}
        }}

        impl Code {{
            /// All codes.
            pub const ALL: &[Self] = &[{}];

            /// All known error codes of the messaging service.
            const SERVICE: &[Self] = &[{}];

            /// Returns the word used in documents.
            pub const fn as_str(self) -> &'static str {{
                match self {{ {words} }}
            }}

            /// Returns why every other file would get the same error. `None` if it may depend on the size, the type or the
            /// content of the file.
            #[allow(clippy::match_same_arms, reason = \"one arm a code\")]
            pub(crate) const fn stops(self) -> Option<&'static str> {{
                match self {{ {stops} _ => None }}
            }}
        }}",
        list(&all),
        list(&service)
    );
    Ok([codes, causes])
}

/// The texts of the help that clap has no place for.
pub const TEXTS: &str = "src/cli/args/texts.toml";

/// The groups of commands, what several commands say, and the texts of each.
#[derive(Deserialize)]
struct TextsFile {
    groups: Vec<(String, Vec<String>)>,
    shared: BTreeMap<String, (String, String)>,
    printing: CommandTexts,
    #[serde(flatten)]
    commands: BTreeMap<String, CommandTexts>,
}

/// The texts of a command.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct CommandTexts {
    /// Command lines and their effects, each with the feature that it needs.
    #[serde(default)]
    examples: Vec<Vec<String>>,
    /// `None` for a command that only prints.
    exits: Option<Vec<Exit>>,
}

/// An exit code.
#[derive(Deserialize)]
#[serde(untagged)]
enum Exit {
    /// What several commands say, by its name.
    Shared(String),
    /// The code and its meaning.
    Own(String, String),
}

/// Writes the groups of commands, and the texts of each.
pub fn texts() -> Result<String> {
    let TextsFile { groups, shared, printing, commands } = read(TEXTS)?.rows;
    let one = |text: &CommandTexts| -> Result<String> {
        let mut examples = String::new();
        for example in &text.examples {
            let [line, effect, feature @ ..] = &example[..] else {
                return Err(format!("{TEXTS}: an example is a line and its effect"));
            };
            let features = feature.iter().map(|feature| format!("#[cfg(feature = {feature:?})] "));
            let _ = write!(examples, "{}({line:?}, {effect:?}), ", features.collect::<String>());
        }
        let mut exits = String::new();
        for exit in text.exits.as_ref().or(printing.exits.as_ref()).into_iter().flatten() {
            let (code, meaning) = match exit {
                Exit::Own(code, meaning) => (code, meaning),
                Exit::Shared(name) => {
                    let found = shared.get(name).ok_or_else(|| format!("{TEXTS}: there is no shared `{name}`"))?;
                    (&found.0, &found.1)
                }
            };
            let _ = write!(exits, "({code:?}, {meaning:?}), ");
        }
        Ok(format!("Text {{ examples: &[{examples}], exits: &[{exits}] }}"))
    };
    let mut arms = String::new();
    for (name, text) in &commands {
        let _ = writeln!(arms, "{name:?} => {},", one(text)?);
    }
    let groups: String = groups.iter().map(|(title, names)| format!("({title:?}, &{names:?}), ")).collect();
    Ok(format!(
        "/// Commands grouped by purpose, in the order in which people need them.
        pub const GROUPS: &[(&str, &[&str])] = &[{groups}];

        /// Returns the texts of a command, or of the program itself.
        pub fn for_command(name: &str) -> Option<Text> {{
            Some(match name {{ {arms} _ => return None }})
        }}"
    ))
}

/// Lists of words.
pub const WORDS: &str = "src/words.toml";

/// A list of words, or words with one, several or a number each.
#[derive(Deserialize)]
#[serde(untagged)]
enum List {
    Words(Vec<String>),
    Pairs(Vec<(String, String)>),
    Several(Vec<(String, Vec<String>)>),
    Numbers(Vec<(String, usize)>),
}

/// Writes the lists of each module as its constants.
pub fn words() -> Result<Vec<(String, String)>> {
    let modules: BTreeMap<String, BTreeMap<String, List>> = read(WORDS)?.rows;
    let constant = |(name, list): (&String, &List)| {
        let (of, all) = match list {
            List::Words(all) => ("&str", format!("{all:?}")),
            List::Pairs(all) => ("(&str, &str)", format!("{all:?}")),
            List::Numbers(all) => ("(&str, usize)", format!("{all:?}")),
            List::Several(all) => {
                let pair = |(word, several): &(String, Vec<String>)| format!("({word:?}, &{several:?}), ");
                ("(&str, &[&str])", format!("[{}]", all.iter().map(pair).collect::<String>()))
            }
        };
        format!("pub(super) const {}: &[{of}] = &{all};\n", name.to_uppercase())
    };
    let module = |(name, lists): (&String, &BTreeMap<String, List>)| {
        (format!("words_{name}.rs"), lists.iter().map(constant).collect())
    };
    Ok(modules.iter().map(module).collect())
}
