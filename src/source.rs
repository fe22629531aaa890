//! Sources: files and environment variables, read once into a tree in which every key and value knows its place.
//!
//! Values go into the vault the moment they are parsed. What stays of a text is its masked copy and its line index;
//! the text itself is zeroized. This is the only reader of configuration.

mod dotenv;
mod json;
mod toml;
mod variables;
mod yaml;

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use secrecy::{ExposeSecret, SecretString};
use sha2::{Digest, Sha256};
use zeroize::{Zeroize, Zeroizing};

pub use variables::{Variable, Variables, is_setting};

use crate::code::Code;
use crate::file::{self, FileError, Opened};
use crate::schema;
use crate::secret::{Handle, Vault};
use crate::text::{self, LineIndex, Masked, Span};

/// The largest file that is read as configuration.
pub const MAX_FILE: u64 = 8 * 1024 * 1024;
/// The deepest nesting of tables and lists.
const MAX_DEPTH: usize = 64;
/// The most values that aliases may multiply a YAML document to.
const MAX_NODES: usize = 100_000;

/// Names one source among [`Sources`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct SourceId(usize);

/// What a source is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum SourceKind {
    /// A file, named by its path.
    File,
    /// One environment variable, by its real name.
    Environment,
}

/// A place in a source.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Spot {
    /// Where.
    pub source: SourceId,
    /// Which bytes of it.
    pub span: Span,
}

/// What may be known of a source after its text is gone.
#[derive(Clone, Debug)]
pub struct Source {
    /// What it is.
    pub kind: SourceKind,
    /// Its name as it is printed.
    pub name: String,
    /// Its lines.
    pub lines: LineIndex,
    /// What may be printed of it.
    pub masked: Masked,
    /// What its comments allow.
    pub allowances: Vec<Allowance>,
    /// The file it was read from.
    pub(crate) read: Option<ReadFile>,
}

/// A file as it was when it was read, for who wants to change it later.
#[derive(Clone)]
pub(crate) struct ReadFile {
    /// Where it is.
    pub(crate) path: PathBuf,
    /// What it held.
    pub(crate) stamp: Stamp,
    syntax: Syntax,
}

/// What a text is compared by after it is gone.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Stamp([u8; 32]);

impl Stamp {
    /// That of a text.
    pub(crate) fn of(text: &str) -> Self {
        Self(Sha256::digest(text).into())
    }
}

impl std::fmt::Debug for Stamp {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        // A hash of a short secret could be searched for.
        f.write_str("Stamp(..)")
    }
}

/// How a file is read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Syntax {
    Tree(Format),
    Dotenv,
}

impl std::fmt::Debug for ReadFile {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        // The name of a file may be a token that was pasted there; the source has it as it may be printed.
        write!(f, "ReadFile({:?})", self.syntax)
    }
}

impl ReadFile {
    /// Whether it is a dotenv file.
    pub(crate) fn is_dotenv(&self) -> bool {
        self.syntax == Syntax::Dotenv
    }

    /// Reads a text as this file is read; the variables of a dotenv file as one table. Nothing if it is malformed.
    pub(crate) fn parse(&self, text: &str, source: SourceId, vault: &mut Vault) -> Option<Value> {
        let mut text = Zeroizing::new(text.to_owned());
        if self.syntax != Syntax::Tree(Format::Yaml) {
            blank_mark(&mut text);
        }
        match self.syntax {
            Syntax::Tree(format) => format.parse(&text, source, vault).ok(),
            Syntax::Dotenv => {
                let entry = |Variable { name, at, value, value_at }: Variable| {
                    let value = Value::new(Node::Scalar(Scalar::Text, value), value_at);
                    Entry { key: name, at, value }
                };
                let entries = dotenv::parse(&text, source, vault).ok()?.into_iter().map(entry).collect();
                Some(Value::new(Node::Table(entries), Spot { source, span: Span { start: 0, end: text.len() } }))
            }
        }
    }
}

/// Texts to read in place of what files hold: what a fix would make of them.
#[derive(Clone, Debug, Default)]
pub struct Replaced(HashMap<PathBuf, SecretString>);

impl Replaced {
    /// Reads this text from now on.
    pub(crate) fn insert(&mut self, path: PathBuf, text: &str) {
        self.0.insert(path, SecretString::from(text));
    }

    /// The text to read, if there is one.
    pub(crate) fn get(&self, path: &Path) -> Option<Zeroizing<String>> {
        #[expect(clippy::disallowed_methods, reason = "a whole text on its way to a parser or back to its file")]
        self.0.get(path).map(|text| Zeroizing::new(text.expose_secret().to_owned()))
    }
}

/// A comment that allows a finding: `# credlint: allow(rule) reason`.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Allowance {
    /// The id of the rule, if it is spelled as one.
    pub rule: String,
    /// Why, as it may be printed; empty if nobody says.
    pub reason: String,
    /// Where the comment stands.
    pub span: Span,
    /// The line of which it speaks, from 1: its own, or the next if it stands alone.
    pub line: usize,
}

/// Reads the comments that speak to credlint.
fn allowances(text: &str, masked: &Masked, lines: &LineIndex) -> Vec<Allowance> {
    let comments = masked.comments().iter().filter_map(|&(span, alone)| {
        let comment = text.get(span.start..span.end)?.trim_start_matches('#').trim_start();
        let rest = comment.strip_prefix("credlint:")?.trim_start().strip_prefix("allow")?.trim_start();
        let (rules, reason) = rest.strip_prefix('(')?.split_once(')')?;
        let line = lines.position(span.start).line + usize::from(alone);
        let reason = schema::value::show_reason(reason).unwrap_or_default();
        Some((rules.split(','), reason, span, line))
    });
    comments
        .flat_map(|(rules, reason, span, line)| {
            let rule = |rule: &str| schema::value::show_rule(rule.trim()).unwrap_or_default();
            rules.map(move |id| Allowance { rule: rule(id), reason: reason.clone(), span, line }).collect::<Vec<_>>()
        })
        .collect()
}

/// Every source that was read, in order. A copy is cheap: reports take one along.
#[derive(Clone, Debug, Default)]
pub struct Sources(Arc<Vec<Source>>);

impl Sources {
    fn add(&mut self, source: Source) -> SourceId {
        Arc::make_mut(&mut self.0).push(source);
        SourceId(self.0.len() - 1)
    }

    /// Where the files among them are.
    #[cfg(feature = "upload")]
    pub(crate) fn paths(&self) -> Vec<PathBuf> {
        self.0.iter().filter_map(|source| Some(source.read.as_ref()?.path.clone())).collect()
    }

    /// The names of the files among them, as they are printed.
    #[cfg(feature = "cli")]
    pub(crate) fn files(&self) -> impl Iterator<Item = &str> {
        self.0.iter().filter(|source| source.kind == SourceKind::File).map(|source| source.name.as_str())
    }

    /// The source of that number.
    #[must_use]
    pub fn get(&self, id: SourceId) -> &Source {
        &self.0[id.0]
    }
}

/// A value in its place.
#[derive(Clone)]
pub struct Value {
    /// What it is.
    pub node: Node,
    /// Where it stands.
    pub at: Spot,
    /// Where an alias or a merge key brought it in, if it stands elsewhere.
    pub via: Option<Spot>,
}

impl Value {
    fn new(node: Node, at: Spot) -> Self {
        Self { node, at, via: None }
    }
}

/// The shapes of a value.
#[derive(Clone)]
pub enum Node {
    /// YAML `~` or JSON `null`: as if the key were not there.
    Null,
    /// Anything that is written in one piece.
    Scalar(Scalar, Handle),
    /// A list.
    List(Vec<Value>),
    /// A table, its entries in the order of the text.
    Table(Vec<Entry>),
    /// One field said in two ways by one layer: `…__TOKEN` and `…__TOKEN_FILE`.
    Conflict(Vec<Value>),
}

/// The types of scalars.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Scalar {
    /// A string. Every plain scalar of YAML, dotenv and the environment is one.
    Text,
    /// A number of TOML or JSON.
    Number,
    /// `true` or `false` in TOML or JSON.
    Boolean,
    /// A date or time of TOML.
    Date,
}

impl Node {
    /// The type in words, with its article.
    pub const fn describe(&self) -> &'static str {
        match self {
            Self::Null => "nothing",
            Self::Scalar(Scalar::Text, _) => "a string",
            Self::Scalar(Scalar::Number, _) => "a number",
            Self::Scalar(Scalar::Boolean, _) => "a boolean",
            Self::Scalar(Scalar::Date, _) => "a date or time",
            Self::List(_) => "a list",
            Self::Table(_) => "a table",
            Self::Conflict(_) => "two values",
        }
    }
}

/// A key with its value.
#[derive(Clone)]
pub struct Entry {
    /// The key. It may be a secret that was pasted in the wrong place: print it through [`shown_key`] only.
    pub key: String,
    /// Where the key stands.
    pub at: Spot,
    /// Its value.
    pub value: Value,
}

/// A key as it may be printed.
pub fn shown_key(path: &[&str]) -> String {
    if schema::is_public_key(path) {
        path.last().copied().unwrap_or_default().to_owned()
    } else {
        crate::secret::MASK.to_owned()
    }
}

/// A key path as it may be printed: `messaging.reports.token`.
pub fn shown_path(path: &[&str]) -> String {
    (1..=path.len()).map(|length| shown_key(&path[..length])).collect::<Vec<_>>().join(".")
}

/// Why a source can't be used: exit code 2.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Problem {
    /// A stable name.
    pub code: Code,
    /// What is wrong.
    pub message: String,
    /// What to do about it.
    pub help: Option<String>,
    /// Where, the first place first.
    pub labels: Vec<(Spot, String)>,
}

impl Problem {
    pub(crate) fn new(code: Code, message: impl Into<String>) -> Self {
        Self { code, message: message.into(), help: None, labels: Vec::new() }
    }

    pub(crate) fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    pub(crate) fn at(mut self, spot: Spot, text: impl Into<String>) -> Self {
        self.labels.push((spot, text.into()));
        self
    }
}

/// The formats of configuration files.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Format {
    Toml,
    Yaml,
    Json,
}

impl Format {
    /// The extensions in which a configuration is sought, in the order of search.
    pub const EXTENSIONS: [&str; 4] = ["toml", "yaml", "yml", "json"];

    fn of(path: &Path) -> Option<Self> {
        match path.extension()?.to_str()? {
            "toml" => Some(Self::Toml),
            "yaml" | "yml" => Some(Self::Yaml),
            "json" => Some(Self::Json),
            _ => None,
        }
    }

    fn parse(self, text: &str, source: SourceId, vault: &mut Vault) -> Result<Value, Fault> {
        match self {
            Self::Toml => toml::parse(text, source, vault),
            Self::Yaml => yaml::parse(text, source, vault),
            Self::Json => json::parse(text, source, vault),
        }
    }

    const fn name(self) -> &'static str {
        match self {
            Self::Toml => "TOML",
            Self::Yaml => "YAML",
            Self::Json => "JSON",
        }
    }
}

/// What a parser found wrong. The message is ours or has passed [`plain`]: parsers quote their input.
pub(crate) struct Fault {
    code: Code,
    message: String,
    labels: Vec<(Span, &'static str)>,
}

impl Fault {
    fn syntax(message: &str, span: Span) -> Self {
        Self { code: Code::Syntax, message: plain(message), labels: vec![(span, "here")] }
    }

    fn duplicate(first: Span, second: Span) -> Self {
        let labels = vec![(second, "again here"), (first, "first here")];
        Self { code: Code::DuplicateKey, message: "a key is set twice".to_owned(), labels }
    }

    fn too_deep(span: Span) -> Self {
        let message = format!("nested more than {MAX_DEPTH} levels deep");
        Self { code: Code::TooDeep, message, labels: vec![(span, "here")] }
    }
}

/// A parser's own words, without anything that it may have quoted.
fn plain(message: &str) -> String {
    let mut quoted = None;
    let mut out = String::new();
    for word in message.split_inclusive(' ') {
        let opens = word.chars().find(|c| "\"'`".contains(*c));
        match (quoted, opens) {
            // One quoted mark of punctuation is the parser's, not the file's.
            (None, Some(quote)) if word.matches(quote).count() >= 2 && !word.chars().any(char::is_alphanumeric) => {
                out.push_str(word);
            }
            (None, Some(quote)) => {
                out.push_str("… ");
                quoted = (word.matches(quote).count() == 1).then_some(quote);
            }
            (None, None) if text::opaque(word) => out.push_str("… "),
            (None, None) => out.push_str(word),
            (Some(quote), _) if word.contains(quote) => quoted = None,
            (Some(_), _) => {}
        }
    }
    text::printable(out.trim_end())
}

/// Reads files and variables into trees.
pub struct Reader<'a> {
    /// Takes in every value.
    pub vault: &'a mut Vault,
    /// Takes in every source.
    pub sources: &'a mut Sources,
    /// Names of files below it are printed relative to it.
    pub directory: &'a Path,
    /// What to read in place of what files hold.
    pub replaced: &'a Replaced,
}

impl Reader<'_> {
    /// The name of a file as it is printed.
    pub fn name(&self, path: &Path) -> String {
        let there = path.exists();
        let path = path.strip_prefix(self.directory).unwrap_or(path);
        if there { text::file(path) } else { text::path(path) }
    }

    fn load(&self, path: &Path) -> Result<(Zeroizing<String>, Opened), Problem> {
        let read = file::read_text(path, MAX_FILE);
        let read = read.map(|(text, opened)| (self.replaced.get(path).unwrap_or(text), opened));
        read.map_err(|error| {
            let code = match error {
                FileError::NotFound => Code::NotFound,
                FileError::NotRegular(_) => Code::NotARegularFile,
                FileError::TooLarge(_) => Code::TooLarge,
                FileError::NotUtf8(_) => Code::NotUtf8,
                FileError::Io(_) => Code::Unreadable,
            };
            let problem = Problem::new(code, format!("{} can't be read: {error}", self.name(path)));
            match error {
                FileError::NotFound => problem.help("check the path; names are relative to the working directory"),
                FileError::NotUtf8(_) => problem.help("save the file as UTF-8"),
                _ => problem,
            }
        })
    }

    /// Reads a configuration file. The format follows from the extension.
    pub fn file(&mut self, path: &Path) -> Result<(SourceId, Vec<Entry>, Opened), Problem> {
        let Some(format) = Format::of(path) else {
            return Err(Problem::new(Code::UnknownFormat, format!("{} is not a configuration file", self.name(path)))
                .help("the name ends in .toml, .yaml, .yml or .json; a dotenv file goes with --env-file"));
        };
        let (mut text, opened) = self.load(path)?;
        let lines = LineIndex::new(&text);
        // Not every parser takes a byte order mark. Spaces of the same length keep the offsets; in YAML they would
        // be indentation, but its parser takes the mark.
        let read = Some(ReadFile { path: path.to_owned(), stamp: Stamp::of(&text), syntax: Syntax::Tree(format) });
        if format != Format::Yaml {
            blank_mark(&mut text);
        }
        let id = SourceId(self.sources.0.len());
        let parsed = format.parse(&text, id, self.vault);
        let name = self.name(path);
        let parsed = parsed.and_then(|value| match value.node {
            Node::Table(entries) => Ok(entries),
            Node::Null => Ok(Vec::new()),
            _ => Err(Fault {
                code: Code::NotATable,
                message: format!("the top of a configuration is a table, not {}", value.node.describe()),
                labels: vec![(value.at.span, "here")],
            }),
        });
        let masked = parsed.as_ref().map_or_else(|_| Masked::all(&text), |entries| mask(&text, entries, self.vault));
        let allowances = allowances(&text, &masked, &lines);
        let id =
            self.sources.add(Source { kind: SourceKind::File, name: name.clone(), lines, masked, allowances, read });
        match parsed {
            Ok(entries) => Ok((id, entries, opened)),
            Err(fault) => Err(problem(fault, format.name(), &name, id, &text)),
        }
    }

    /// Reads a dotenv file.
    pub fn dotenv(&mut self, path: &Path) -> Result<(SourceId, Variables, Opened), Problem> {
        let (mut text, opened) = self.load(path)?;
        let lines = LineIndex::new(&text);
        let read = Some(ReadFile { path: path.to_owned(), stamp: Stamp::of(&text), syntax: Syntax::Dotenv });
        blank_mark(&mut text);
        let id = SourceId(self.sources.0.len());
        let name = self.name(path);
        let parsed = dotenv::parse(&text, id, self.vault);
        let masked = match &parsed {
            Ok(variables) => variables::mask(&text, variables, self.vault),
            Err(_) => Masked::all(&text),
        };
        let allowances = allowances(&text, &masked, &lines);
        let id =
            self.sources.add(Source { kind: SourceKind::File, name: name.clone(), lines, masked, allowances, read });
        match parsed {
            Ok(variables) => Ok((id, Variables::new(variables), opened)),
            Err(fault) => Err(problem(fault, "dotenv", &name, id, &text)),
        }
    }

    /// Takes in one environment variable; it becomes a source of its own, so that a label can point at it.
    pub fn variable(&mut self, name: &str, value: &str) -> Variable {
        let id = SourceId(self.sources.0.len());
        let variable = Variable::from_environment(name, value, id, self.vault);
        let masked = variables::mask_one(&variable, self.vault);
        let lines = LineIndex::new(masked.as_str());
        let (name, allowances) = (variable.shown_name(), Vec::new());
        self.sources.add(Source { kind: SourceKind::Environment, name, lines, masked, allowances, read: None });
        variable
    }

    /// A path that a source says, as it is opened.
    pub fn resolve(&self, base: Option<&Path>, path: &str) -> PathBuf {
        base.unwrap_or(self.directory).join(path)
    }
}

/// Puts spaces of the same length in place of a byte order mark: offsets stay.
fn blank_mark(text: &mut String) {
    if text.starts_with('\u{feff}') {
        text.replace_range(..3, "   ");
    }
}

fn problem(fault: Fault, format: &str, name: &str, id: SourceId, text: &str) -> Problem {
    let message = match fault.code {
        Code::Syntax => format!("{name} is not valid {format}: {}", fault.message),
        _ => format!("{name}: {}", fault.message),
    };
    let mut problem = Problem::new(fault.code, message);
    if fault.code == Code::DuplicateKey {
        problem = problem.help("keep one of the two; formats disagree on which would win");
    }
    for (span, label) in fault.labels {
        problem = problem.at(Spot { source: id, span: visible(span, text) }, label);
    }
    problem
}

/// A place of no width can't be pointed at: the character after it, or the one before it at the end of a line.
fn visible(span: Span, text: &str) -> Span {
    if span.start < span.end {
        return span;
    }
    let after = text.get(span.start..).and_then(|rest| rest.chars().next()).filter(|c| !c.is_whitespace());
    let before = text.get(..span.start).and_then(|rest| rest.trim_end().chars().next_back());
    match (after, before) {
        (Some(c), _) => Span { start: span.start, end: span.start + c.len_utf8() },
        (None, Some(c)) => {
            let end = text.get(..span.start).map_or(span.start, |rest| rest.trim_end().len());
            Span { start: end - c.len_utf8(), end }
        }
        (None, None) => span,
    }
}

/// Puts a value into the vault. A copy that the parser made to unescape it is zeroized.
fn store(value: Cow<'_, str>, vault: &mut Vault) -> Handle {
    let handle = vault.store(&value);
    if let Cow::Owned(mut copy) = value {
        copy.zeroize();
    }
    handle
}

fn mask<'a>(text: &'a str, entries: &'a [Entry], vault: &'a Vault) -> Masked {
    let mut spans = Spans { text, vault, shown: Vec::new(), values: Vec::new(), words: HashSet::new() };
    spans.table(entries, &mut Vec::new());
    let Spans { mut shown, mut values, words, .. } = spans;
    shown.sort_unstable();
    values.sort_unstable();
    Masked::new(text, &shown, &values, &words)
}

/// Collects which ranges of a text are public, and which hold values.
struct Spans<'a> {
    text: &'a str,
    vault: &'a Vault,
    shown: Vec<Span>,
    values: Vec<Span>,
    /// Public keys: a word of the text outside every range is shown only if it is one of them.
    words: HashSet<&'a str>,
}

impl<'a> Spans<'a> {
    fn table(&mut self, entries: &'a [Entry], path: &mut Vec<&'a str>) {
        for entry in entries {
            path.push(&entry.key);
            if schema::is_public_key(path) && self.is_verbatim(entry.at.span, &entry.key) {
                self.shown.push(entry.at.span);
                self.words.insert(&entry.key);
            } else {
                self.values.push(entry.at.span);
            }
            self.value(&entry.value, path);
            path.pop();
        }
    }

    fn value(&mut self, value: &'a Value, path: &mut Vec<&'a str>) {
        match &value.node {
            Node::Null => self.shown.push(value.at.span),
            Node::Conflict(ways) => ways.iter().for_each(|way| self.value(way, path)),
            Node::Scalar(_, handle) => {
                let shown = self.vault.shown(*handle, schema::show_at(path));
                if shown.is_some_and(|shown| self.is_verbatim(value.at.span, &shown)) {
                    self.shown.push(value.at.span);
                } else {
                    self.values.push(value.at.span);
                }
            }
            Node::List(items) => items.iter().for_each(|item| self.value(item, path)),
            Node::Table(entries) => self.table(entries, path),
        }
    }

    /// Whether a range reads just as what may be shown, quotes aside: an escape could spell anything.
    fn is_verbatim(&self, span: Span, shown: &str) -> bool {
        let raw = self.text.get(span.start..span.end).unwrap_or_default();
        let quoted = raw.get(1..raw.len().saturating_sub(1)).filter(|_| raw.starts_with(['"', '\'']));
        // An address is shown in its normal form: hosts in small letters, no slash at the end.
        [Some(raw), quoted].into_iter().flatten().any(|raw| raw.trim_end_matches('/').eq_ignore_ascii_case(shown))
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// A tree in short: `{key@line:column: value}`.
    pub(crate) fn sketch(value: &Value, text: &str, vault: &Vault) -> String {
        let raw = |span: Span| text[span.start..span.end].to_owned();
        match &value.node {
            Node::Null => "null".to_owned(),
            #[expect(clippy::disallowed_methods, reason = "a test looks at made-up values")]
            Node::Scalar(ty, handle) => format!("{ty:?}({:?} from {:?})", vault.open(*handle), raw(value.at.span)),
            Node::List(items) => {
                format!("[{}]", items.iter().map(|item| sketch(item, text, vault)).collect::<Vec<_>>().join(", "))
            }
            Node::Conflict(_) => "conflict".to_owned(),
            Node::Table(entries) => {
                let entry = |entry: &Entry| {
                    format!("{}<{}>: {}", entry.key, raw(entry.at.span), sketch(&entry.value, text, vault))
                };
                format!("{{{}}}", entries.iter().map(entry).collect::<Vec<_>>().join(", "))
            }
        }
    }

    type Parse = fn(&str, SourceId, &mut Vault) -> Result<Value, Fault>;

    pub(crate) fn parsed(parse: Parse, text: &str) -> String {
        let mut vault = Vault::default();
        match parse(text, SourceId(0), &mut vault) {
            Ok(value) => sketch(&value, text, &vault),
            Err(fault) => {
                let at = fault.labels.iter().map(|(span, _)| text.get(span.start..span.end).unwrap_or("?").to_owned());
                format!("{} at {:?}: {}", fault.code, at.collect::<Vec<_>>(), fault.message)
            }
        }
    }

    #[test]
    fn a_parsers_words_pass_without_what_it_quotes() {
        assert_eq!(plain("missing value, expected `=`"), "missing value, expected `=`");
        assert_eq!(plain("unknown anchor 'xoxb-1 and more' found"), "unknown anchor … found");
        assert_eq!(plain("bad `hunter2` here"), "bad … here");
        assert_eq!(plain("unexpected K0014pbwo1zxcIVMnqS"), "unexpected …");
    }

    #[test]
    fn a_file_is_masked_but_for_what_is_public() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("credlint.toml");
        let text = concat!(
            "# xoxb-old\n[messaging.reports]\nbase_url = \"https://chat.example.com\" # xoxb-comment\n",
            "token = \"xoxb-planted\"\nchannels = [\"C0123456789\", \"xoxb-channel\"]\nxoxb-key = \"x\"\n",
            "webhook_url = { env = \"REPORTS_HOOK\" }\ninitial_comment = '''\nxoxb-a\n'''\n[messaging.other]\ntokn = 17\n",
        );
        std::fs::write(&path, text).unwrap();
        let (mut vault, mut sources) = (Vault::default(), Sources::default());
        let replaced = Replaced::default();
        let mut reader =
            Reader { vault: &mut vault, sources: &mut sources, directory: dir.path(), replaced: &replaced };
        let (id, ..) = reader.file(&path).unwrap_or_else(|problem| panic!("{problem:?}"));
        assert_eq!(
            sources.get(id).masked.as_str(),
            concat!(
                "# ********\n[messaging.reports]\nbase_url = \"https://chat.example.com\" # ********\n",
                "token = \"********\"\nchannels = [\"C0123456789\", \"********\"]\n******** = \"********\"\n",
                "webhook_url = { env = \"REPORTS_HOOK\" }\ninitial_comment = '********'\n\n\n[messaging.other]\ntokn = ********\n",
            )
        );
        assert_eq!(sources.get(id).name, "credlint.toml");
    }
}
