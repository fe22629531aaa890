//! The program as clap sees it, extended by what clap doesn't support: grouped commands and examples.

use std::fmt::Write;

use clap::builder::StyledStr;
use clap::{Command, CommandFactory};

use super::Args;
use super::shared::GLOBAL;
use super::texts::{self, GROUPS, Text};

/// Returns the program with its help texts.
pub fn program() -> Command {
    let mut program = Args::command();
    let names: Vec<String> = program.get_subcommands().map(|command| command.get_name().to_owned()).collect();
    let template = template(&program);
    for name in names {
        let Some(text) = texts::for_command(&name) else { continue };
        program = program.mut_subcommand(name, |command| {
            let examples = examples(&text, &command);
            let long = format!("{examples}\n\n{}", exits(&text, &command));
            command.after_help(StyledStr::from(examples)).after_long_help(StyledStr::from(long))
        });
    }
    let examples = examples(&texts::PROGRAM, &program);
    let short =
        format!("{examples}\n\n`credlint COMMAND -h` shows a command's options, `credlint --help` the exit codes.");
    let long = format!("{examples}\n\n{}", exits(&texts::PROGRAM, &program));
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
    for (title, names) in GROUPS {
        let built: Vec<&Command> = names.iter().filter_map(|name| program.find_subcommand(name)).collect();
        if built.is_empty() {
            continue;
        }
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
fn examples(text: &Text, command: &Command) -> String {
    let width =
        text.examples.iter().filter(|(_, what)| !what.is_empty()).map(|(line, _)| line.len()).max().unwrap_or(0);
    let lines = text.examples.iter().map(|(line, what)| match *what {
        "" => format!("\n  {line}"),
        what => format!("\n  {line:width$}  # {what}"),
    });
    heading("Examples", command) + &lines.collect::<String>()
}

fn exits(text: &Text, command: &Command) -> String {
    let width = text.exits.iter().map(|(code, _)| code.len()).max().unwrap_or(0);
    let lines = text.exits.iter().map(|(code, what)| format!("\n  {code:<width$}  {what}"));
    heading("Exit codes", command) + &lines.collect::<String>()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

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
