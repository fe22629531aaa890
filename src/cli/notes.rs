//! Notes on standard error about what was read, controlled by -q and -v.

use super::terminal::Terminal;
use crate::config::Origin;
use crate::lint::{Inventoried, Loaded, Report};
use crate::report::summary;

/// How much to say about what was read.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Notes {
    /// -q
    None,
    /// One line.
    Short,
    /// -v
    Full,
}

impl Notes {
    pub const fn new(quiet: bool, verbose: bool) -> Self {
        match (quiet, verbose) {
            (true, _) => Self::None,
            (false, true) => Self::Full,
            (false, false) => Self::Short,
        }
    }

    /// Prints what was read and what was ignored.
    pub fn announce(self, loaded: &Loaded, terminal: &Terminal) {
        if self == Self::None {
            return;
        }
        self.warn(loaded.notices(), terminal);
        let layers = loaded.layers();
        let names: Vec<&str> = layers.iter().map(|layer| layer.name.as_str()).collect();
        terminal.note(&format!("read: {}", if names.is_empty() { "nothing".to_owned() } else { names.join(", ") }));
        if self != Self::Full {
            return;
        }
        for (number, layer) in layers.iter().enumerate() {
            let place = match (number, layers.len()) {
                (_, 1) => "",
                (0, _) => " (lowest)",
                (number, all) if number + 1 == all => " (highest)",
                _ => "",
            };
            terminal.note(&format!("layer {}{place}: {}, {}", number + 1, layer.name, about(layer.origin)));
        }
        let profiles: Vec<String> = loaded.profile_ids().iter().map(ToString::to_string).collect();
        terminal
            .note(&format!("profiles: {}", if profiles.is_empty() { "none".to_owned() } else { profiles.join(", ") }));
    }

    /// Prints what a search found.
    pub fn found(self, report: &Report, terminal: &Terminal) {
        if self == Self::Full && report.tally.is_some() {
            for (id, verdict) in &report.profiles {
                terminal.note(&format!("found: {id}: {}", verdict.name()));
            }
            for Inventoried { name, what, state, with } in &report.inventory {
                let what = what.map(|what| format!("{what}, ")).unwrap_or_default();
                let with = if with.is_empty() { String::new() } else { format!("; with {}", with.join(", ")) };
                terminal.note(&format!("variable: {name}: {what}{}{with}", summary::state(state)));
            }
        }
    }

    /// Prints only what was ignored.
    pub fn warn(self, notices: &[String], terminal: &Terminal) {
        for notice in notices.iter().filter(|_| self != Self::None) {
            terminal.warn(notice);
        }
    }
}

/// Describes a layer.
const fn about(origin: Origin) -> &'static str {
    match origin {
        Origin::User => "your own file",
        Origin::Project => "the project's file",
        Origin::Given => "named with --config",
        Origin::Dotenv => "named with --env-file",
        Origin::Environment => "variables of this process",
    }
}
