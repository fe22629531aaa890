//! What is generated from the arguments: the help, extended by what clap doesn't support (grouped commands, examples and
//! exit codes), completions and man pages.

use std::fmt::Write;

use clap::builder::{PossibleValuesParser, StyledStr};
use clap::{Arg, Command, CommandFactory};

use super::shared::GLOBAL;
use super::texts::{self, GROUPS, Rows};
use super::{Args, Shell};
use crate::report::service_page;
use crate::rules;

/// Returns the completion script for a shell.
pub fn completions(shell: Shell) -> String {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut with_names(Args::command()), "credlint", &mut script);
    String::from_utf8_lossy(&script).into_owned()
}

/// Adds the names that an argument takes besides other words, so that shells complete them.
fn with_names(program: Command) -> Command {
    let explained = |arg: Arg| arg.value_parser(PossibleValuesParser::new(rules::metas().map(|meta| meta.id)));
    let levels = rules::ALL.iter().map(|rule| rule.meta().id).chain(["warnings"]);
    let tuned = |arg: Arg| arg.value_parser(PossibleValuesParser::new(levels.clone()));
    let services = service_page::services_with_fields().map(|service| service.id);
    let known = |arg: Arg| arg.value_parser(PossibleValuesParser::new(services));
    program
        .mut_subcommand("explain", |explain| explain.mut_arg("rule", explained))
        .mut_subcommand("services", |list| list.mut_arg("name", known))
        .mut_subcommand("check", |check| {
            ["deny", "warn", "allow"].into_iter().fold(check, |check, level| check.mut_arg(level, tuned))
        })
}

/// Returns the man page of the program, or of one of its commands. `None` if there is no such command.
pub fn manual(command: Option<&str>) -> Option<String> {
    let mut program = program().disable_help_subcommand(true);
    program.build();
    let page = match command {
        None => program,
        Some(name) => program.find_subcommand(name)?.clone(),
    };
    let mut roff = Vec::new();
    // Writing to a vector can't fail.
    let _ = clap_mangen::Man::new(page).render(&mut roff);
    Some(String::from_utf8_lossy(&roff).into_owned())
}

/// Returns the commands of this build by group.
fn groups(program: &Command) -> impl Iterator<Item = (&'static str, Vec<&Command>)> {
    let built = |names: &[&str]| names.iter().filter_map(|name| program.find_subcommand(name)).collect();
    let groups = GROUPS.iter().map(move |(title, names)| (*title, built(names)));
    groups.filter(|(_, commands): &(_, Vec<_>)| !commands.is_empty())
}

/// Returns the program with its help texts.
pub fn program() -> Command {
    let mut program = Args::command();
    let names: Vec<String> = program.get_subcommands().map(|command| command.get_name().to_owned()).collect();
    let template = template(&program);
    let texts = |name: &str, command: &Command| {
        let text = texts::for_command(name)?;
        let examples = section("Examples", text.examples, "# ", command);
        let long = format!("{examples}\n\n{}", section("Exit codes", text.exits, "", command));
        Some((examples, long))
    };
    for name in names {
        program = program.mut_subcommand(&name, |command| match texts(&name, &command) {
            Some((short, long)) => command.after_help(StyledStr::from(short)).after_long_help(StyledStr::from(long)),
            None => command,
        });
    }
    let (examples, long) = texts("credlint", &program).unwrap_or_default();
    let short =
        format!("{examples}\n\n`credlint COMMAND -h` shows a command's options, `credlint --help` the exit codes.");
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

/// Formats rows, such as command lines that can be typed as they are, with their meanings after a mark.
fn section(title: &str, rows: Rows, mark: &str, command: &Command) -> String {
    let width = rows.iter().filter(|(_, what)| !what.is_empty()).map(|(row, _)| row.len()).max().unwrap_or(0);
    let lines = rows.iter().map(|(row, what)| match *what {
        "" => format!("\n  {row}"),
        what => format!("\n  {row:width$}  {mark}{what}"),
    });
    heading(title, command) + &lines.collect::<String>()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn commands_have_one_group_and_texts() {
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
        }
    }
}
