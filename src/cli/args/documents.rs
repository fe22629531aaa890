//! What is generated from the arguments: the program as clap sees it, extended by what clap doesn't support (grouped
//! commands and examples), completions and man pages.

use std::fmt::Write;

use clap::builder::{PossibleValuesParser, StyledStr};
use clap::{Command, CommandFactory};
use clap_mangen::Man;

use super::shared::GLOBAL;
use super::texts::{self, COLOURS, FILES, GROUPS, PROXIES, Text, VARIABLES};
use super::{Args, Shell};
use crate::report::service_page;
use crate::rules;

/// The date of the last change to the pages.
const DATE: &str = "2026-11-22";

/// The maximum length of a line in the page's source.
const SOURCE_WIDTH: usize = 78;

/// Prints the profiles of this directory, one per line, to a shell that completes a word.
const PROFILES: &str = r#"credlint profiles --no-resolve --format json 2>/dev/null | grep -o '"kind":"[^"]*","name":"[^"]*","verdict"' | sed 's/"kind":"//; s/","name":"/./; s/","verdict"//'"#;

/// Returns the completion script for a shell: with the ids of rules and services, and, where a shell makes it easy, the
/// profiles of the directory.
pub fn completions(shell: Shell) -> String {
    let mut program = with_names(Args::command());
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut program, "credlint", &mut script);
    let script = String::from_utf8_lossy(&script).into_owned();
    let has_profile = |line: &str| line.contains("-p+[") || line.contains("--profile=[");
    match shell {
        Shell::Bash => {
            let files = "\n                    COMPREPLY=($(compgen -f \"${cur}\"))";
            let names = format!("\n                    COMPREPLY=($(compgen -W \"$({PROFILES})\" -- \"${{cur}}\"))");
            ["--profile)", "-p)"]
                .into_iter()
                .fold(script, |script, option| script.replace(&format!("{option}{files}"), &format!("{option}{names}")))
        }
        Shell::Zsh => {
            let function =
                format!("_credlint_profiles() {{\n    compadd -- ${{(f)\"$({PROFILES})\"}}\n}}\n\n_credlint() {{");
            let line = |line: &str| {
                if has_profile(line) {
                    line.replace(":NAME:_default", ":NAME:_credlint_profiles")
                } else {
                    line.to_owned()
                }
            };
            let lines: Vec<String> = script.lines().map(line).collect();
            lines.join("\n").replacen("_credlint() {", &function, 1) + "\n"
        }
        Shell::Fish => {
            format!("{script}complete -c credlint -s p -l profile -x -a \"({})\"\n", PROFILES.replace('"', "\\\""))
        }
        _ => script,
    }
}

/// Adds the words that an argument takes, which are checked elsewhere.
fn with_names(program: Command) -> Command {
    let rules = || {
        let ids = rules::ALL.iter().map(|rule| rule.meta().id).chain(rules::live::ALL.iter().map(|meta| meta.id));
        PossibleValuesParser::new(ids)
    };
    let levels = || PossibleValuesParser::new(rules::ALL.iter().map(|rule| rule.meta().id).chain(["warnings"]));
    // A program that prints a script ends after it.
    let services: Vec<&'static str> = service_page::judged().map(|service| &*service.id().leak()).collect();
    let commands: Vec<&'static str> =
        program.get_subcommands().map(|command| &*command.get_name().to_owned().leak()).collect();
    program
        .mut_subcommand("explain", |explain| explain.mut_arg("rule", |rule| rule.value_parser(rules())))
        .mut_subcommand("services", |shown| {
            shown.mut_arg("name", |name| name.value_parser(PossibleValuesParser::new(services)))
        })
        .mut_subcommand("man", |man| {
            man.mut_arg("command", |name| name.value_parser(PossibleValuesParser::new(commands)))
        })
        .mut_subcommand("check", |check| {
            ["deny", "warn", "allow"]
                .into_iter()
                .fold(check, |check, level| check.mut_arg(level, |arg| arg.value_parser(levels())))
        })
}

/// Returns the man page of the program, or of one of its commands. `None` if there is no such command.
pub fn manual(command: Option<&str>) -> Option<String> {
    let mut program = Args::command().disable_help_subcommand(true);
    program.build();
    let (page, text) = match command {
        None => (program, texts::PROGRAM),
        Some(name) => (program.find_subcommand(name)?.clone(), texts::for_command(name)?),
    };
    let mut out = head(&page);
    if command.is_none() {
        commands(&mut out, &page);
    }
    let service = page.get_name() == "credlint" || ["upload", "verify"].contains(&page.get_name());
    let variables = [(VARIABLES, text.configured), (COLOURS, true), (PROXIES, service)];
    let variables = variables.into_iter().filter(|(_, read)| *read).flat_map(|(rows, _)| rows);
    list(&mut out, "ENVIRONMENT", variables);
    if text.configured {
        list(&mut out, "FILES", FILES);
    }
    list(&mut out, "EXIT STATUS", text.exits);
    examples(&mut out, &text);
    see_also(&mut out, &page, &text);
    Some(short_lines(&out))
}

/// Returns the sections that clap generates, from the name to the options.
fn head(page: &Command) -> String {
    let title = page.get_display_name().unwrap_or("credlint").to_uppercase();
    let man = Man::new(page.clone())
        .title(title)
        .date(DATE)
        .manual("credlint manual")
        .source(concat!("credlint ", env!("CARGO_PKG_VERSION")));
    let mut roff = Vec::new();
    // Writing to a vector can't fail.
    let _ = man
        .render_title(&mut roff)
        .and_then(|()| man.render_name_section(&mut roff))
        .and_then(|()| man.render_synopsis_section(&mut roff))
        .and_then(|()| man.render_description_section(&mut roff))
        .and_then(|()| man.render_options_section(&mut roff));
    String::from_utf8_lossy(&roff).into_owned()
}

/// Returns the commands of this build by group.
fn groups(program: &Command) -> impl Iterator<Item = (&'static str, Vec<&Command>)> {
    let built = |names: &[&str]| names.iter().filter_map(|name| program.find_subcommand(name)).collect();
    let groups = GROUPS.iter().map(move |(title, names)| (*title, built(names)));
    groups.filter(|(_, commands): &(_, Vec<_>)| !commands.is_empty())
}

/// Writes the commands of this build, by group, each with the name of its page.
fn commands(out: &mut String, program: &Command) {
    out.push_str(".SH COMMANDS\n");
    for (title, built) in groups(program) {
        // Writing to a string can't fail.
        let _ = writeln!(out, ".SS {}", escaped(title));
        for command in built {
            let about = command.get_about().map(ToString::to_string).unwrap_or_default();
            item(out, &format!("credlint-{}(1)", command.get_name()), &about);
        }
    }
}

fn list<'t>(out: &mut String, title: &str, rows: impl IntoIterator<Item = &'t (&'t str, &'t str)>) {
    let _ = writeln!(out, ".SH \"{title}\"");
    for (name, what) in rows {
        item(out, name, what);
    }
}

fn item(out: &mut String, name: &str, what: &str) {
    let _ = writeln!(out, ".TP\n\\fB{}\\fR\n{}", escaped(name), line(what));
}

fn examples(out: &mut String, text: &Text) {
    out.push_str(".SH EXAMPLES\n");
    for (number, (example, what)) in text.examples.iter().enumerate() {
        let apart = if number == 0 { "" } else { ".PP\n" };
        let what = if what.is_empty() { String::new() } else { format!("{}:\n", line(what)) };
        let _ = write!(out, "{apart}{what}.RS 4\n.nf\n{}\n.fi\n.RE\n", line(example));
    }
}

fn see_also(out: &mut String, page: &Command, text: &Text) {
    let program = (page.get_name() != "credlint").then_some("credlint".to_owned());
    let others = program.into_iter().chain(text.see.iter().map(|name| format!("credlint-{name}")));
    let pages: Vec<String> = others.map(|name| format!("\\fB{}\\fR(1)", escaped(&name))).collect();
    let _ = write!(out, ".SH \"SEE ALSO\"\n{}", pages.join(",\n"));
    let end = if pages.is_empty() { "" } else { "\n.PP\n" };
    let _ = writeln!(out, "{end}{}", line(concat!(env!("CARGO_PKG_REPOSITORY"), "/tree/main/docs")));
}

/// Escapes text for roff.
fn escaped(text: &str) -> String {
    text.replace('\\', "\\e").replace('-', "\\-").replace('\'', "\\(aq").replace('`', "\\(ga").replace('~', "\\(ti")
}

/// Escapes text that makes up a line of its own: roff would read a leading dot as a request.
fn line(text: &str) -> String {
    let text = escaped(text);
    if text.starts_with('.') { format!("\\&{text}") } else { text }
}

/// Wraps the page's source, and removes the trailing blanks and the breaks beside empty lines that the generator
/// leaves.
fn short_lines(page: &str) -> String {
    let mut out = String::with_capacity(page.len());
    let mut as_is = false;
    for line in page.replace(".br\n.sp\n.br\n", ".sp\n").replace(".br\n\n.br\n", ".sp\n").lines() {
        match line {
            ".nf" => as_is = true,
            ".fi" => as_is = false,
            _ => {}
        }
        if as_is || line.starts_with('.') {
            out.extend([line, "\n"]);
            continue;
        }
        let mut width = 0;
        for word in line.split_ascii_whitespace() {
            let fits = width > 0 && width + 1 + word.len() <= SOURCE_WIDTH;
            if fits {
                out.push(' ');
            } else if width > 0 {
                out.push('\n');
            }
            // roff reads either character at the start of a line as a request.
            if !fits && width > 0 && word.starts_with(['.', '\'']) {
                out.push_str("\\&");
            }
            out.push_str(word);
            width = if fits { width + 1 } else { 0 } + word.len();
        }
        if width > 0 {
            out.push('\n');
        }
    }
    out
}

/// Returns the program with its help texts.
pub fn program() -> Command {
    let mut program = Args::command();
    let names: Vec<String> = program.get_subcommands().map(|command| command.get_name().to_owned()).collect();
    let template = template(&program);
    for name in names {
        let Some(text) = texts::for_command(&name) else { continue };
        program = program.mut_subcommand(name, |command| {
            let examples = help_examples(&text, &command);
            let long = format!("{examples}\n\n{}", help_exits(&text, &command));
            command.after_help(StyledStr::from(examples)).after_long_help(StyledStr::from(long))
        });
    }
    let examples = help_examples(&texts::PROGRAM, &program);
    let short =
        format!("{examples}\n\n`credlint COMMAND -h` shows a command's options, `credlint --help` the exit codes.");
    let long = format!("{examples}\n\n{}", help_exits(&texts::PROGRAM, &program));
    program.help_template(template).after_help(StyledStr::from(short)).after_long_help(StyledStr::from(long))
}

/// Styles a heading as clap styles its own.
fn heading(text: &str, command: &Command) -> String {
    let style = command.get_styles().get_header();
    format!("{style}{text}:{style:#}")
}

/// Returns a help template that lists the commands of this build by group.
fn template(program: &Command) -> StyledStr {
    let mut out = "{about-with-newline}\n{usage-heading} {usage}\n".to_owned();
    let style = program.get_styles().get_literal();
    let width = program.get_subcommands().map(|command| command.get_name().len()).max().unwrap_or(0);
    for (title, built) in groups(program) {
        // Writing to a string can't fail.
        let _ = write!(out, "\n{}\n", heading(title, program));
        for command in built {
            let about = command.get_about().map(ToString::to_string).unwrap_or_default();
            let name = command.get_name();
            let _ = writeln!(out, "  {style}{name}{style:#}{:1$}  {about}", "", width - name.len());
        }
    }
    // clap's {all-args} would list the commands again. Every option of the program itself is global.
    let _ = write!(out, "\n{}\n{{options}}{{after-help}}", heading(GLOBAL, program));
    out.into()
}

/// Formats command lines that can be typed as they are.
fn help_examples(text: &Text, command: &Command) -> String {
    let width =
        text.examples.iter().filter(|(_, what)| !what.is_empty()).map(|(line, _)| line.len()).max().unwrap_or(0);
    let lines = text.examples.iter().map(|(line, what)| match *what {
        "" => format!("\n  {line}"),
        what => format!("\n  {line:width$}  # {what}"),
    });
    heading("Examples", command) + &lines.collect::<String>()
}

fn help_exits(text: &Text, command: &Command) -> String {
    let width = text.exits.iter().map(|(code, _)| code.len()).max().unwrap_or(0);
    let lines = text.exits.iter().map(|(code, what)| format!("\n  {code:<width$}  {what}"));
    heading("Exit codes", command) + &lines.collect::<String>()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn every_command_is_in_one_group_and_has_its_texts() {
        let program = program();
        let built: BTreeSet<&str> = program.get_subcommands().map(Command::get_name).collect();
        let grouped: Vec<&str> = GROUPS.iter().flat_map(|(_, names)| *names).copied().collect();
        assert_eq!(grouped.len(), grouped.iter().collect::<BTreeSet<_>>().len(), "a command is in two groups");
        assert!(built.iter().all(|name| grouped.contains(name)), "{built:?} are not all in a group");
        #[cfg(all(feature = "upload", feature = "sandbox"))]
        assert_eq!(built, grouped.iter().copied().collect(), "a group has a command that there is not");
        for name in built {
            let text = texts::for_command(name).unwrap_or_else(|| panic!("`{name}` has no examples"));
            assert!((1..=5).contains(&text.examples.len()), "{name}");
            assert!(text.see.iter().all(|other| grouped.contains(other)), "{name}");
        }
    }
}
