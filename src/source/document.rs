//! Files of other programs.

#[cfg(test)]
mod tests;

#[cfg(test)]
use std::path::Path;
use std::path::PathBuf;

use zeroize::{Zeroize, Zeroizing};

use super::allowance;
use super::fault::{self, Fault, Problem};
use super::parsed::Parsed;
use super::reader::Reader;
use super::sources::{InputPath, Source};
use super::syntax::{Format, blank_byte_order_mark, check_size};
use super::tree::{Entry, Node, SourceId, SourceKind, Spot, Value};
use super::{assignments, heredocs, json, keyed, lines, logins, markup, masking, nul_separated, yaml};
use crate::code::Code;
use crate::secret::Vault;
use crate::text::{LineIndex, Span};

/// The syntax of another program's file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Dialect {
    /// `NAME=value` in systemd units, Dockerfiles, `*.tfvars` and texts without a name.
    Assignments,
    /// The same in a file for libraries, containers and shells.
    Dotenv,
    /// The same in a shell: whitespace ends a value, and a command may follow.
    Shell,
    /// Sections of `key = value` or `key: value`, for an unknown program.
    Ini,
    /// The same for rclone.
    Goconfig,
    /// The same for the AWS tools, and programs in Python.
    Configparser,
    Toml,
    /// JSON with comments and other extensions in common use.
    Json,
    /// YAML with several documents and any tags. A template that is not valid YAML is read as [`Dialect::Lines`].
    Yaml,
    /// `key: value` or `key = value` lines; lines with the same indentation form a group.
    Lines,
    /// Java properties.
    Properties,
    /// Logins for hosts, as in `.netrc`.
    Logins,
    /// Settings of .NET in XML. A text that does not start like XML is read as what it looks like.
    Xml,
    /// The output of `env -0`.
    Nul,
}

impl Dialect {
    /// Returns `true` for sections of `key = value`.
    pub(crate) const fn is_ini(self) -> bool {
        matches!(self, Self::Ini | Self::Goconfig | Self::Configparser)
    }
}

/// Returns the syntax of an embedded file by its name and its text. The name may be empty.
pub(crate) type DetectEmbedded = fn(&str, &str) -> Dialect;

/// A file of another program, with a tree for each document in it.
///
/// Nothing is decoded or expanded. A name that occurs twice has two entries, in text order. The span of a value
/// includes its quotes; the value doesn't.
pub(crate) struct Document {
    pub(crate) id: SourceId,
    /// The documents, usually tables.
    pub(crate) roots: Vec<Value>,
    /// True if it has too many values, and the last ones were not read.
    pub(crate) cut: bool,
    /// Why it was read line by line, if it could not be parsed in its own syntax. `None` for a YAML template.
    pub(crate) flaw: Option<Problem>,
}

/// A parsed text that is not a source yet. For most texts there is nothing to report, so they need no masked copy.
pub(crate) struct ParsedText {
    parsed: Parsed,
    fault: Option<Fault>,
    dialect: Dialect,
}

impl ParsedText {
    /// Returns the documents, usually tables.
    pub(crate) fn roots(&self) -> &[Value] {
        &self.parsed.roots
    }

    /// Returns `true` if all of it was parsed in its own syntax.
    pub(crate) const fn is_complete(&self) -> bool {
        self.fault.is_none() && !self.parsed.cut
    }

    /// Returns `true` if it is not valid in its own syntax.
    pub(crate) fn is_broken(&self) -> bool {
        self.fault.as_ref().is_some_and(|fault| fault.code == Code::Syntax)
    }
}

impl Reader<'_> {
    /// Reads a file of another program, and skips what it can't interpret.
    #[cfg(test)]
    pub(crate) fn document(&mut self, path: &Path, dialect: Dialect) -> Result<Document, Problem> {
        let (mut text, _) = self.load(path)?;
        let read = self.read(&mut text, dialect, |_, _| Dialect::Assignments, None);
        Ok(self.add_document(&self.shown_name(path), Some(path.to_owned()), &text, read))
    }

    /// Reads a text that is not a file, such as standard input, with `name` as its name in reports. The text is
    /// zeroized.
    pub(crate) fn document_text(
        &mut self,
        name: &str,
        text: &mut String,
        dialect: Dialect,
        inside: DetectEmbedded,
    ) -> Document {
        let read = self.read(text, dialect, inside, None);
        let document = self.add_document(name, None, text, read);
        text.zeroize();
        document
    }

    /// Reads a text, which becomes the next source if it [is added](Self::add_document). If documents are given, only
    /// those parts of a YAML text are read.
    pub(crate) fn read(
        &mut self,
        text: &mut String,
        dialect: Dialect,
        inside: DetectEmbedded,
        documents: Option<&[Span]>,
    ) -> ParsedText {
        let dialect = detect_dialect(dialect, text, inside);
        // In YAML, spaces would be indentation. Its parser accepts the byte order mark.
        if dialect != Dialect::Yaml {
            blank_byte_order_mark(text);
        }
        let id = self.sources.next();
        // A part that can't be parsed must not hide an assignment.
        let read = match documents {
            Some(documents) if dialect == Dialect::Yaml => yaml_documents(text, documents, id, self.vault),
            _ => parse(text, dialect, id, self.vault, inside),
        };
        let (parsed, fault) = match read {
            Ok(parsed) => (parsed, None),
            Err(fault) => (parse_lines(text, dialect, id, self.vault), Some(fault)),
        };
        ParsedText { parsed, fault, dialect }
    }

    /// Adds a parsed text to the sources, with a masked copy.
    pub(crate) fn add_document(&mut self, name: &str, path: Option<PathBuf>, text: &str, read: ParsedText) -> Document {
        let ParsedText { parsed, fault, dialect, .. } = read;
        // Show NUL-terminated variables on separate lines. The offsets stay the same.
        let on_lines = (dialect == Dialect::Nul).then(|| Zeroizing::new(text.replace('\0', "\n")));
        let text = on_lines.as_ref().map_or(text, |text| text.as_str());
        let index = LineIndex::new(text);
        let toml = dialect == Dialect::Toml && fault.is_none();
        let masked = masking::mask_all(text, &parsed, toml);
        let comments = [masked.comments(), &parsed.comments].concat();
        let allowances = allowance::from_comments(text, &comments, &index);
        let source = Source::new(SourceKind::File, name.to_owned(), index, masked);
        let id = self.sources.add(Source {
            allowances,
            path: path.map(|path| InputPath { path, is_dotenv: false }),
            ..source
        });
        let flaw = fault.map(|fault| fault::into_problem(fault, syntax_name(dialect), name, id, text));
        Document { id, roots: parsed.roots, cut: parsed.cut, flaw }
    }
}

/// Reads a text embedded in a value, such as a file in a ConfigMap. `to` maps its locations to those of the source.
pub(crate) fn read_embedded(
    text: &str,
    (dialect, source): (Dialect, SourceId),
    vault: &mut Vault,
    inside: DetectEmbedded,
    to: &impl Fn(Span) -> Spot,
) -> Vec<Value> {
    let mut roots = match parse(text, dialect, source, vault, inside) {
        Ok(parsed) => parsed.roots,
        Err(_) => lines::parse(text, source, vault).roots,
    };
    for root in &mut roots {
        relocate(root, &|at| to(at.span));
    }
    roots
}

/// Reads a script. A heredoc other than a list of assignments is read in its own syntax, if it is valid or has a name.
fn parse_script(text: &str, script: Dialect, source: SourceId, vault: &mut Vault, inside: DetectEmbedded) -> Parsed {
    let (mut parts, mut found) = (Vec::new(), Parsed::default());
    for heredoc in heredocs::find(text) {
        let name = &text[heredoc.name.start..heredoc.name.end];
        let (plain, starts) = heredoc.content(text);
        let dialect = inside(name, &plain);
        // A heredoc may also be a script for another program; one that is written to a file is not part of this script.
        if dialect == Dialect::Shell || dialect == Dialect::Assignments && name.is_empty() {
            continue;
        }
        let read = parse(&plain, dialect, source, vault, inside);
        let lines = |_| (!name.is_empty()).then(|| parse_lines(&plain, dialect, source, vault));
        let is_tree = |root: &Value| matches!(root.node, Node::Table(_) | Node::List(_));
        let Some(read) = read.map_or_else(lines, Some).filter(|read| read.roots.iter().any(is_tree)) else { continue };
        let there = |at: usize| {
            let line = starts.partition_point(|(start, _)| *start <= at).saturating_sub(1);
            starts.get(line).map_or(at, |(start, there)| there + at - start)
        };
        let moved = |span: Span| Span { start: there(span.start), end: there(span.end) };
        found.marks.extend(read.marks.into_iter().map(moved));
        found.comments.extend(read.comments.into_iter().map(|(comment, alone)| (moved(comment), alone)));
        found.hidden.extend(read.hidden.into_iter().map(moved));
        found.cut |= read.cut;
        let entry = |mut value: Value| {
            relocate(&mut value, &|at| Spot { span: moved(at.span), ..at });
            Entry { key: name.to_owned(), at: Spot { source, span: heredoc.name }, value }
        };
        parts.push((heredoc.body, read.roots.into_iter().map(entry).collect()));
    }
    let Parsed { roots, marks, comments, hidden, cut } = assignments::parse(text, script, source, vault, parts);
    found.marks.extend(marks);
    found.comments.extend(comments);
    found.hidden.extend(hidden);
    found.hidden.sort_unstable();
    Parsed { roots, cut: cut || found.cut, ..found }
}

fn relocate(value: &mut Value, to: &impl Fn(Spot) -> Spot) {
    value.at = to(value.at);
    value.via = value.via.take().map(|via| Box::new(to(*via)));
    match &mut value.node {
        Node::Table(entries) => entries.iter_mut().for_each(|entry| {
            entry.at = to(entry.at);
            relocate(&mut entry.value, to);
        }),
        Node::List(values) | Node::Conflict(values) => values.iter_mut().for_each(|value| relocate(value, to)),
        Node::Null | Node::Scalar(..) => {}
    }
}

/// Returns `true` for a text that some tool completes, so that it need not be valid yet.
fn is_template(text: &str) -> bool {
    ["{{", "{%", "<%", "[[", "${", "#@", "@@"].iter().any(|mark| text.contains(mark))
}

/// Reads an invalid text line by line.
fn parse_lines(text: &str, dialect: Dialect, source: SourceId, vault: &mut Vault) -> Parsed {
    match dialect {
        Dialect::Toml => keyed::parse(text, &keyed::ANY, source, vault),
        Dialect::Json => {
            let (lines, unclosed) = one_entry_per_line(text);
            let mut parsed = lines::parse(&lines, source, vault);
            parsed.hidden.extend(unclosed.map(|start| Span { start, end: text.len() }));
            parsed.hidden.sort_unstable();
            parsed
        }
        _ => lines::parse(text, source, vault),
    }
}

/// Puts each entry of JSON on a line of its own. The offsets stay the same. Also returns where the first line ends that
/// has an unclosed quote.
fn one_entry_per_line(text: &str) -> (Zeroizing<String>, Option<usize>) {
    let mut bytes = Zeroizing::new(text.as_bytes().to_vec());
    let (mut open, mut escaped, mut unclosed) = (None, false, None);
    for at in 0..bytes.len() {
        match bytes[at] {
            b'"' if !escaped => open = if open.is_some() { None } else { Some(at) },
            // An unclosed quote ends with its line, and is not part of a value.
            b'\n' => {
                if let Some(quote) = open.take() {
                    bytes[quote] = b' ';
                    unclosed = unclosed.or(Some(at));
                }
            }
            b'{' | b'}' | b'[' | b']' | b',' if open.is_none() => bytes[at] = b'\n',
            _ => {}
        }
        escaped = bytes[at] == b'\\' && !escaped;
    }
    if let Some(at) = open {
        bytes[at] = b' ';
    }
    // Only single ASCII bytes were replaced.
    (Zeroizing::new(String::from_utf8_lossy(&bytes).into_owned()), unclosed)
}

/// Returns the name of a syntax that can fail to parse.
fn syntax_name(dialect: Dialect) -> &'static str {
    match dialect {
        Dialect::Toml => "TOML",
        Dialect::Json => "JSON",
        _ => "YAML",
    }
}

/// Returns the syntax of a text: a name that indicates XML is also used for other syntaxes.
fn detect_dialect(dialect: Dialect, text: &str, inside: DetectEmbedded) -> Dialect {
    let markup = text.trim_start_matches('\u{feff}').trim_start().starts_with('<');
    if dialect == Dialect::Xml && !markup { inside("", text) } else { dialect }
}

fn parse(
    text: &str,
    dialect: Dialect,
    source: SourceId,
    vault: &mut Vault,
    inside: DetectEmbedded,
) -> Result<Parsed, Fault> {
    match detect_dialect(dialect, text, inside) {
        Dialect::Assignments if !text.starts_with("#!") => Ok(parse_script(text, dialect, source, vault, inside)),
        Dialect::Assignments | Dialect::Shell => Ok(parse_script(text, Dialect::Shell, source, vault, inside)),
        Dialect::Dotenv => Ok(assignments::parse(text, dialect, source, vault, Vec::new())),
        Dialect::Ini => Ok(keyed::parse(text, &keyed::ANY, source, vault)),
        Dialect::Goconfig => Ok(keyed::parse(text, &keyed::GOCONFIG, source, vault)),
        Dialect::Configparser => Ok(keyed::parse(text, &keyed::CONFIGPARSER, source, vault)),
        Dialect::Lines => Ok(lines::parse(text, source, vault)),
        Dialect::Properties => Ok(keyed::parse(text, &keyed::PROPERTIES, source, vault)),
        Dialect::Logins => Ok(logins::parse(text, source, vault)),
        Dialect::Nul => Ok(nul_separated::parse(text, source, vault)),
        Dialect::Xml => Ok(markup::parse(text, source, vault)),
        Dialect::Toml => {
            Format::Toml.parse(text, source, vault).map(|root| Parsed { roots: vec![root], ..Parsed::default() })
        }
        Dialect::Json => {
            let parsed = json::parse_loosely(text, source, vault)?;
            let roots = parsed.roots.into_iter().map(check_size).collect::<Result<_, _>>()?;
            Ok(Parsed { roots, ..parsed })
        }
        Dialect::Yaml => yaml_documents(text, &[Span { start: 0, end: text.len() }], source, vault),
    }
}

/// Reads documents of YAML. A template that is not valid is read line by line.
fn yaml_documents(text: &str, documents: &[Span], source: SourceId, vault: &mut Vault) -> Result<Parsed, Fault> {
    match yaml::parse_documents(text, documents, source, vault) {
        Ok(roots) => Ok(Parsed { roots, ..Parsed::default() }),
        Err(fault) if fault.code == Code::Syntax && is_template(text) => Ok(lines::parse(text, source, vault)),
        Err(fault) => Err(fault),
    }
}
