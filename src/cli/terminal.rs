//! Standard output carries one document; everything else goes to standard error. All output passes through here: a lint
//! forbids other ways (`clippy.toml`), and each text is sanitized once more before it is written.

use std::borrow::Cow;
use std::io::{self, IsTerminal, Write};

use super::args::Color;
use super::args::read::UsageError;
use super::exit::Exit;
use crate::config::{ConfigError, Environment};
use crate::report::human::{self, Style};
use crate::report::page;
use crate::source::{Problem, Sources};
use crate::text::{Markup, outgoing, printable};

/// The paths of the streams, which may lead to files. None of them is opened by this name.
#[cfg(feature = "upload")]
pub const STREAMS: [&str; 2] = ["/dev/stdout", "/dev/stderr"];

/// The width if neither a variable nor the terminal sets one.
const WIDTH: usize = 100;

/// Properties of standard output and standard error.
pub struct Terminal {
    pub stdout: Stream,
    pub stderr: Stream,
}

/// A stream. `person` is true if it is a terminal.
#[derive(Clone, Copy)]
pub struct Stream {
    pub person: bool,
    pub style: Style,
}

impl Stream {
    /// Returns the markup of text written to this stream.
    const fn words(&self) -> Markup {
        if self.style.color { Markup::Colored } else { Markup::Plain }
    }

    /// Spells credlint's own words in characters that the stream can show.
    fn in_supported_characters<'t>(&self, text: &'t str) -> Cow<'t, str> {
        if self.style.unicode || text.is_ascii() {
            return Cow::Borrowed(text);
        }
        let spell = |c: char| match c {
            '…' => "...".to_owned(),
            '✓' => "ok".to_owned(),
            '✗' | '×' => "x".to_owned(),
            '·' => ".".to_owned(),
            '–' | '—' => "-".to_owned(),
            other => other.to_string(),
        };
        text.chars().map(spell).collect::<String>().into()
    }
}

#[expect(clippy::unused_self, reason = "only the terminal writes output")]
impl Terminal {
    pub fn new(environment: &Environment) -> Self {
        let unicode = shows_unicode(environment);
        let columns = environment.get("COLUMNS").and_then(|columns| columns.to_str()?.parse().ok());
        let stream = |person: bool, size: Option<(terminal_size::Width, terminal_size::Height)>| {
            let width = size.map(|(width, _)| usize::from(width.0)).filter(|&width| width > 0);
            // Longer lines are hard to read.
            let width = columns.or(width).unwrap_or(WIDTH).min(120);
            Stream { person, style: Style { color: wants_color(environment, person), width, unicode } }
        };
        let (stdout, stderr) = (standard_output(), standard_error());
        Self {
            stdout: stream(stdout.is_terminal(), terminal_size::terminal_size_of(&stdout)),
            stderr: stream(stderr.is_terminal(), terminal_size::terminal_size_of(&stderr)),
        }
    }

    /// Applies `--color`.
    pub fn choose_color(&mut self, color: Color) {
        for stream in [&mut self.stdout, &mut self.stderr] {
            stream.style.color = match color {
                Color::Auto => stream.style.color,
                Color::Always => true,
                Color::Never => false,
            };
        }
    }

    /// Returns `true` if standard output is a terminal, or colours were asked for.
    pub const fn draws(&self) -> bool {
        self.stdout.person || self.stdout.style.color
    }

    /// Writes a document for people. A closed pipe does not change the exit code; any other failure does.
    pub fn document(&self, text: &str, exit: Exit) -> Exit {
        self.data(&self.stdout.in_supported_characters(text), self.stdout.words(), exit)
    }

    /// Writes lines for people, which wrap on a terminal.
    pub fn lines(&self, text: &str, exit: Exit) -> Exit {
        if self.draws() {
            self.document(&page::wrapped(text, self.stdout.style.width), exit)
        } else {
            self.document(text, exit)
        }
    }

    /// Writes a document for programs, with the same handling of errors.
    pub fn data(&self, text: &str, markup: Markup, exit: Exit) -> Exit {
        match write(text, markup) {
            Ok(()) => exit,
            Err(error) => self.write_error(&error, exit),
        }
    }

    /// Returns the exit code of an offline command whose document could not be written.
    pub fn write_error(&self, error: &io::Error, exit: Exit) -> Exit {
        if error.kind() == io::ErrorKind::BrokenPipe {
            return exit;
        }
        self.fail(exit.max(Exit::NotDone), &format!("the report could not be written: {}", error.kind()))
    }

    /// Prints help or a usage error.
    pub fn usage(&self, error: &UsageError) -> Exit {
        let text = |style: Style| if style.color { error.text.ansi().to_string() } else { error.text.to_string() };
        if error.answer {
            return self.document(&text(self.stdout.style), Exit::Done);
        }
        self.write_diagnostics(&text(self.stderr.style));
        Exit::Usage
    }

    /// Prints an error in the style of clap and the diagnostics, and returns the exit code.
    pub fn fail(&self, exit: Exit, message: &str) -> Exit {
        self.marked("error:", "1;31", message);
        exit
    }

    /// Prints a warning.
    pub fn warn(&self, message: &str) {
        self.marked("warning:", "1;33", message);
    }

    fn marked(&self, mark: &str, color: &str, message: &str) {
        let mark = self.stderr.style.paint(mark, color);
        say(&format!("{mark} {}\n", printable(message)), self.stderr.words());
    }

    /// Prints a note.
    pub fn note(&self, message: &str) {
        note(message);
    }

    /// Writes a document for people and leaves write errors to the caller.
    #[cfg(feature = "upload")]
    pub fn write(&self, text: &str) -> io::Result<()> {
        write(&self.stdout.in_supported_characters(text), self.stdout.words())
    }

    /// Prints a question without a line break.
    pub fn ask(&self, question: &str) {
        say(question, Markup::Plain);
    }

    /// Asks for confirmation. Returns `true` if nobody can answer.
    #[cfg(feature = "upload")]
    pub fn confirm(&self, question: &str) -> bool {
        let stdin = io::stdin();
        if !self.stderr.person || !stdin.is_terminal() {
            return true;
        }
        say(&format!("{} [y/N] ", printable(question)), Markup::Plain);
        let mut answer = String::new();
        let read = stdin.read_line(&mut answer);
        read.is_ok() && ["y", "yes"].contains(&answer.trim().to_ascii_lowercase().as_str())
    }

    /// Prints diagnostics to standard error.
    pub fn write_diagnostics(&self, text: &str) {
        say(&self.stderr.in_supported_characters(text), self.stderr.words());
    }

    /// Prints why the configuration can't be read, and returns the exit code.
    pub fn unread(&self, error: &ConfigError) -> Exit {
        self.problems(&error.problems, &error.sources);
        Exit::Usage
    }

    /// Prints why nothing was done.
    pub fn problems(&self, problems: &[Problem], sources: &Sources) {
        self.write_diagnostics(&human::problems(problems, sources, self.stderr.style));
    }

    /// Prints a problem without its location.
    pub fn problem(&self, problem: &Problem) {
        self.problems(std::slice::from_ref(problem), &Sources::default());
    }
}

/// Returns `true` if the locale supports more than ASCII. An unset locale, as in containers, counts as UTF-8.
fn shows_unicode(environment: &Environment) -> bool {
    let set = |name| environment.get(name).filter(|value| !value.is_empty());
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"].into_iter().find_map(set);
    locale.is_none_or(|locale| {
        let locale = locale.to_string_lossy().to_ascii_lowercase();
        locale.contains("utf-8") || locale.contains("utf8")
    })
}

/// Returns `true` if the environment asks for colours. As in other tools, `FORCE_COLOR=0` turns them off, and
/// `CLICOLOR_FORCE=0` does not force them.
fn wants_color(environment: &Environment, person: bool) -> bool {
    let flag = |name| {
        let value = environment.get(name).filter(|value| !value.is_empty())?;
        Some(value != "0" && value != "false")
    };
    if anstyle_query::no_color() {
        return false;
    }
    match (flag("FORCE_COLOR"), flag("CLICOLOR_FORCE")) {
        (Some(forced), _) => forced,
        (None, Some(true)) => true,
        _ => person && anstyle_query::clicolor().unwrap_or_else(anstyle_query::term_supports_color),
    }
}

/// Writes to standard output and flushes it.
pub fn write(text: &str, markup: Markup) -> io::Result<()> {
    let mut stdout = standard_output().lock();
    stdout.write_all(outgoing(text, markup).as_bytes()).and_then(|()| stdout.flush())
}

/// Prints a note where no `Terminal` is available.
pub fn note(message: &str) {
    say(&format!("{}\n", printable(message)), Markup::Plain);
}

/// Prints an error where no `Terminal` is available.
pub fn error(message: &str) {
    say(&format!("error: {}\n", printable(message)), Markup::Plain);
}

/// Writes to standard error. A failure is ignored: there is nowhere to report it.
fn say(text: &str, markup: Markup) {
    let _ = standard_error().write_all(outgoing(text, markup).as_bytes());
}

#[expect(clippy::disallowed_methods, reason = "the only way out: the text has passed `outgoing`")]
fn standard_output() -> io::Stdout {
    io::stdout()
}

#[expect(clippy::disallowed_methods, reason = "the only way out: the text has passed `outgoing`")]
fn standard_error() -> io::Stderr {
    io::stderr()
}
