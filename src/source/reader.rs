//! Reads files and variables into trees. Configuration is read nowhere else.

use std::path::{Path, PathBuf};

use zeroize::Zeroizing;

use super::allowance;
use super::dotenv;
use super::fault::{self, Fault, Problem};
use super::masking;
use super::pipes::PipeTexts;
use super::sources::{InputPath, Source, Sources};
use super::syntax::{Format, Syntax, blank_byte_order_mark};
use super::tree::{Entry, Node, SourceId, SourceKind};
use super::unparsed;
use super::variables::{self, Variable, Variables};
use crate::code::Code;
use crate::file::{self, FileError, Opened};
use crate::secret::Vault;
use crate::text::{self, LineIndex, Masked};

/// The maximum size of a configuration file.
pub const MAX_FILE: u64 = 8 * 1024 * 1024;
/// Reads files and variables into trees.
pub struct Reader<'a> {
    /// Receives every value.
    pub vault: &'a mut Vault,
    /// Receives every source.
    pub sources: &'a mut Sources,
    /// Names of files in this directory are printed relative to it.
    pub directory: &'a Path,
    /// The texts of files that were read beforehand.
    pub pipes: &'a PipeTexts,
}

impl Reader<'_> {
    /// Returns the name of a file for display.
    pub fn shown_name(&self, path: &Path) -> String {
        let there = path.exists();
        let path = path.strip_prefix(self.directory).unwrap_or(path);
        if path.as_os_str().is_empty() {
            return ".".to_owned();
        }
        if there { text::file(path) } else { text::path(path) }
    }

    pub(super) fn load(&self, path: &Path) -> Result<(Zeroizing<String>, Opened), Problem> {
        let read = self.pipes.get(path).unwrap_or_else(|| file::read_text(path, MAX_FILE));
        read.map_err(|error| {
            let code = match error {
                FileError::NotFound => Code::NotFound,
                FileError::NotRegular(_) => Code::NotARegularFile,
                FileError::TooLarge(_) => Code::TooLarge,
                FileError::NotUtf8(_) => Code::NotUtf8,
                FileError::Io(_) => Code::Unreadable,
            };
            let problem = Problem::new(code, format!("{} can't be read: {error}", self.shown_name(path)));
            match error {
                FileError::NotFound => problem.help("check the path, which is relative to the working directory"),
                FileError::NotUtf8(_) => problem.help("save the file as UTF-8"),
                _ => problem,
            }
        })
    }

    /// Reads a configuration file. Its extension selects the format.
    pub fn read_file(&mut self, path: &Path) -> Result<(SourceId, Vec<Entry>, Opened), Problem> {
        let Some(format) = Format::from_path(path) else {
            let name = self.shown_name(path);
            let (why, help) = if path.is_dir() {
                (
                    " is not a configuration file",
                    "it is a directory: pass the file itself, or run credlint in that directory",
                )
            } else if path.exists() {
                (
                    " is not a configuration file",
                    "pass a file that ends in .toml, .yaml, .yml or .json; for a dotenv file, use --env-file",
                )
            } else {
                (": no such file or directory", "check the path; to choose a profile, use --profile NAME")
            };
            return Err(Problem::new(Code::UnknownFormat, format!("{name}{why}")).help(help));
        };
        let parse = |text: &str, id: SourceId, vault: &mut Vault| {
            format.parse(text, id, vault).and_then(|value| match value.node {
                Node::Table(entries) => Ok(entries),
                Node::Null => Ok(Vec::new()),
                _ => Err(Fault {
                    code: Code::NotATable,
                    message: format!("the top level of a configuration must be a table, not {}", value.node.describe()),
                    labels: vec![(value.at.span, "here")],
                }),
            })
        };
        self.parsed(path, Syntax::Tree(format), parse, |text, entries, vault| masking::mask(text, entries, vault))
    }

    /// Reads a dotenv file.
    pub fn read_dotenv(&mut self, path: &Path) -> Result<(SourceId, Variables, Opened), Problem> {
        let mask = |text: &str, variables: &Vec<Variable>, vault: &Vault| variables::mask(text, variables, vault);
        let (id, variables, opened) = self.parsed(path, Syntax::Dotenv, dotenv::parse, mask)?;
        Ok((id, Variables::new(variables), opened))
    }

    /// Reads a file of a syntax, which becomes a source, whether it can be parsed or not.
    fn parsed<T>(
        &mut self,
        path: &Path,
        syntax: Syntax,
        parse: impl FnOnce(&str, SourceId, &mut Vault) -> Result<T, Fault>,
        mask: impl FnOnce(&str, &T, &Vault) -> Masked,
    ) -> Result<(SourceId, T, Opened), Problem> {
        let (mut text, opened) = self.load(path)?;
        let lines = LineIndex::new(&text);
        // Some parsers reject a byte order mark. Spaces of the same length keep the offsets. In YAML they would be
        // indentation, but its parser accepts the mark.
        if syntax != Syntax::Tree(Format::Yaml) {
            blank_byte_order_mark(&mut text);
        }
        let parsed = parse(&text, self.sources.next(), self.vault);
        let masked = match &parsed {
            Ok(parsed) => mask(&text, parsed, self.vault),
            // A text that is far too large is hidden without a scan.
            Err(fault) if fault.code == Code::TooManyValues => Masked::all(&text),
            Err(_) => unparsed::mask(&text, syntax),
        };
        let name = self.shown_name(path);
        let allowances = allowance::from_comments(&text, masked.comments(), &lines);
        let source = Source::new(SourceKind::File, name.clone(), lines, masked);
        let path = Some(InputPath { path: path.to_owned(), is_dotenv: syntax == Syntax::Dotenv });
        let id = self.sources.add(Source { allowances, path, ..source });
        match parsed {
            Ok(parsed) => Ok((id, parsed, opened)),
            Err(fault) => Err(fault::into_problem(fault, syntax.name(), &name, id, &text)),
        }
    }

    /// Adds a file that was not read, so that labels can refer to it.
    pub(crate) fn add_unread(&mut self, name: &str) -> SourceId {
        let (lines, masked) = (LineIndex::default(), Masked::default());
        self.sources.add(Source::new(SourceKind::File, name.to_owned(), lines, masked))
    }

    /// Adds an environment variable as a source of its own, so that labels can refer to it.
    pub fn add_variable(&mut self, name: &str, value: &str) -> Variable {
        let id = self.sources.next();
        let shown = variables::shown_name(name);
        let variable = Variable::from_environment((name, &shown), value, id, self.vault);
        let masked = variables::mask_one(&variable, &shown, self.vault);
        let lines = LineIndex::new(masked.as_str());
        self.sources.add(Source::new(SourceKind::Environment, shown, lines, masked));
        variable
    }

    /// Resolves a path from a source.
    pub fn resolve(&self, base: Option<&Path>, path: &str) -> PathBuf {
        base.unwrap_or(self.directory).join(path)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn masks_file_except_public_text() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("credlint.toml");
        let text = concat!(
            "# xoxb-old\n[messaging.reports]\nbase_url = \"https://chat.example.com\" # xoxb-comment\n",
            "token = \"xoxb-planted\"\nchannels = [\"C0123456789\", \"SLACK_TOKEN=xoxb-channel\"]\nxoxb-key = \"x\"\n",
            "webhook_url = { env = \"REPORTS_HOOK\" }\ninitial_comment = '''\nxoxb-a\n'''\n[messaging.other]\ntokn = 17\n",
        );
        std::fs::write(&path, text).unwrap();
        let (mut vault, mut sources) = (Vault::default(), Sources::default());
        let pipes = PipeTexts::default();
        let mut reader = Reader { vault: &mut vault, sources: &mut sources, directory: dir.path(), pipes: &pipes };
        let (id, ..) = reader.read_file(&path).unwrap_or_else(|problem| panic!("{problem:?}"));
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
