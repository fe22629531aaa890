//! What is generated from the arguments: completions and man pages.

use clap::CommandFactory;

use super::{Args, Shell};

/// The script that completes commands and options in a shell.
pub fn completions(shell: Shell) -> String {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Args::command(), "credlint", &mut script);
    String::from_utf8_lossy(&script).into_owned()
}

/// The man page of the program, or of one of its commands. `None` if there is no such command.
pub fn manual(command: Option<&str>) -> Option<String> {
    let mut program = Args::command().disable_help_subcommand(true);
    program.build();
    let page = match command {
        None => program,
        Some(name) => program.find_subcommand(name)?.clone(),
    };
    let title = page.get_display_name().unwrap_or("credlint").to_uppercase();
    let mut roff = Vec::new();
    // Writing to a vector can't fail.
    let _ = clap_mangen::Man::new(page)
        .title(title)
        .source(concat!("credlint ", env!("CARGO_PKG_VERSION")))
        .render(&mut roff);
    // The text after the options is that on exit codes.
    Some(String::from_utf8_lossy(&roff).replace(".SH EXTRA\nExit codes:\n", ".SH \"EXIT STATUS\"\n.nf\n"))
}
