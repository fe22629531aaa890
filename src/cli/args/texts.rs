//! Texts of the help that clap has no place for: groups, examples, exit codes. They are rows of `texts.toml`.

/// Names with their meanings.
pub type Rows = &'static [(&'static str, &'static str)];

/// The texts of one command.
pub struct Text {
    /// Command lines that can be typed as they are, each with its effect. A test runs them.
    pub examples: Rows,
    /// The exit codes that the command can return.
    pub exits: Rows,
}

include!(concat!(env!("OUT_DIR"), "/texts.rs"));
