//! Parses the command line. Error messages never repeat a secret.

use std::ffi::OsString;
use std::path::Path;

use clap::FromArgMatches;
use clap::error::{ContextKind, ContextValue, ErrorKind};

use super::documents::program;
use super::{Args, Command};
use crate::text;

include!(concat!(env!("OUT_DIR"), "/words_read.rs"));

/// Help, the version or a usage error, with the stream it belongs to.
#[derive(Debug)]
pub struct UsageError {
    /// The text, which may contain colour escapes.
    pub text: clap::builder::StyledStr,
    /// True for help and the version, false for errors.
    pub answer: bool,
}

/// Returns an option that is also the name of a file here. If a pattern or another program lists files, such a file
/// would change the meaning of the command. Words of `exec` after `--` belong to the command.
fn ambiguous(words: &[OsString]) -> Option<&Path> {
    let end = words.iter().position(|word| word == "--").unwrap_or(words.len());
    let (before, after) = words.split_at(end);
    let options = before.iter().skip(1).filter(|word| word.as_encoded_bytes().starts_with(b"-"));
    let is_exec = before.iter().any(|word| word == "exec");
    let dashes = after.iter().filter(|word| !is_exec && *word == "-");
    options.chain(dashes).map(Path::new).find(|word| word.symlink_metadata().is_ok())
}

/// Parses the words of a command line.
pub fn from_words(words: Vec<OsString>) -> Result<Args, UsageError> {
    if let Some(word) = ambiguous(&words) {
        let name = text::path(word);
        let text = format!(
            "error: `{name}` is an option, and also the name of a file here\n\n  tip: for the file, write ./{name}; for the option, move the file\n"
        );
        return Err(UsageError { text: text.into(), answer: false });
    }
    let words = without_aliases(words);
    let command = words.get(1).map(|word| word.to_string_lossy().into_owned()).unwrap_or_default();
    let separated = words.iter().any(|word| word == "--");
    let read = || {
        let matches = program().try_get_matches_from(words)?;
        let mut args = Args::from_arg_matches(&matches)?;
        if let (Command::Check(check), Some(matches)) = (&mut args.command, matches.subcommand_matches("check")) {
            check.levels = levels(matches);
        }
        Ok(args)
    };
    read().map_err(|mut error: clap::Error| {
        let answer = matches!(error.kind(), ErrorKind::DisplayHelp | ErrorKind::DisplayVersion);
        let word =
            [ContextKind::InvalidSubcommand, ContextKind::InvalidArg].into_iter().find_map(|kind| error.get(kind));
        if let Some(ContextValue::String(word)) = word
            && let Some((name, feature)) = missing_feature(word)
        {
            let text = format!("error: this build has no `{name}`: it was built without the feature `{feature}`\n");
            return UsageError { text: text.into(), answer: false };
        }
        let suggestion = match error.get(ContextKind::InvalidSubcommand) {
            Some(ContextValue::String(word)) => suggestion(word),
            _ => hint_for_word((&command, separated), &error),
        };
        mask(&mut error);
        if let Some(suggestion) = suggestion {
            // clap compares letters only, so its suggestion may be unrelated.
            error.remove(ContextKind::SuggestedSubcommand);
            error.remove(ContextKind::SuggestedArg);
            error.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![suggestion.into()]));
        }
        UsageError { text: error.with_cmd(&program()).render(), answer }
    })
}

/// Replaces what other linters call `--format`.
fn without_aliases(mut words: Vec<OsString>) -> Vec<OsString> {
    let end = words.iter().position(|word| word == "--").unwrap_or(words.len());
    for word in &mut words[..end] {
        if word == "--json" {
            *word = "--format=json".into();
        } else if let Some(rest) = word.to_str().and_then(|word| word.strip_prefix("--output-format"))
            && (rest.is_empty() || rest.starts_with('='))
        {
            *word = format!("--format{rest}").into();
        }
    }
    words
}

/// Commands and options that a build may lack, with the feature that provides them.
const OPTIONAL: &[(&str, &str, bool)] = &[
    ("upload", "upload", cfg!(feature = "upload")),
    ("verify", "upload", cfg!(feature = "upload")),
    ("sandbox", "sandbox", cfg!(feature = "sandbox")),
    ("--rehearse", "sandbox", cfg!(feature = "sandbox")),
];

/// Returns the command or option that this build lacks, and its feature.
fn missing_feature(word: &str) -> Option<(&'static str, &'static str)> {
    let found = OPTIONAL.iter().find(|(name, _, built)| *name == word && !built);
    found.map(|&(name, feature, _)| (name, feature))
}

/// Returns the command that an unknown word was probably meant to be.
fn suggestion(word: &str) -> Option<&'static str> {
    ELSEWHERE.iter().find(|(_, words)| words.contains(&word)).map(|(suggestion, _)| *suggestion)
}

/// Returns a hint about a word that a command does not accept.
fn hint_for_word((command, separated): (&str, bool), error: &clap::Error) -> Option<&'static str> {
    let option =
        matches!(error.get(ContextKind::InvalidArg), Some(ContextValue::String(word)) if word.starts_with('-'));
    let about = |kind, name: &str| match error.get(kind) {
        Some(ContextValue::String(word)) => word == name,
        Some(ContextValue::Strings(words)) => words.iter().any(|word| word == name),
        _ => false,
    };
    let paths = [ContextKind::InvalidArg, ContextKind::PriorArg].into_iter().any(|kind| about(kind, "[PATH]..."));
    match (command, error.kind()) {
        ("check", ErrorKind::ArgumentConflict) if paths => {
            Some("a search does not read the configuration; check it in a run of its own")
        }
        (_, ErrorKind::UnknownArgument) if about(ContextKind::InvalidArg, "-f") => {
            Some("write --format, such as --format json")
        }
        (_, ErrorKind::UnknownArgument) if about(ContextKind::InvalidArg, "--sarif") => Some("write --format sarif"),
        // It may be an option of the command.
        ("exec", ErrorKind::UnknownArgument) if !separated => {
            Some("put `--` before the command: `credlint exec -- COMMAND`")
        }
        _ if option => None,
        ("identify", ErrorKind::UnknownArgument) => {
            Some("run `credlint identify` alone, then type the value: an argument stays in the shell's history")
        }
        ("init", ErrorKind::InvalidValue) => Some("name the file with -o FILE; -o - prints it"),
        _ => None,
    }
}

/// Returns the values of -D, -W and -A in the order of the command line.
fn levels(matches: &clap::ArgMatches) -> Vec<(String, &'static str)> {
    let mut found = Vec::new();
    for (name, level) in [("deny", "error"), ("warn", "warning"), ("allow", "off")] {
        let words = matches.get_many::<String>(name).into_iter().flatten();
        let places = matches.indices_of(name).into_iter().flatten();
        found.extend(places.zip(words).map(|(place, word)| (place, word.clone(), level)));
    }
    found.sort_by_key(|&(place, ..)| place);
    found.into_iter().map(|(_, word, level)| (word, level)).collect()
}

/// Masks words in clap's error that could be credentials: clap repeats every word it can't place.
fn mask(error: &mut clap::Error) {
    for kind in [ContextKind::InvalidArg, ContextKind::InvalidValue, ContextKind::InvalidSubcommand] {
        let masked = match error.get(kind) {
            Some(ContextValue::String(word)) => ContextValue::String(shown(word)),
            Some(ContextValue::Strings(words)) => ContextValue::Strings(words.iter().map(|word| shown(word)).collect()),
            _ => continue,
        };
        error.insert(kind, masked);
    }
    // clap's suggested replacements repeat the word as well.
    for kind in [ContextKind::Suggested, ContextKind::TrailingArg] {
        if error.get(kind).is_some() {
            error.insert(kind, ContextValue::None);
        }
    }
}

/// Returns a word if it may be printed: a probable typo, a short number such as `5/4`, or an argument as clap writes it,
/// such as `--format <FORMAT>`.
fn shown(word: &str) -> String {
    let marks = "-<>[]. =";
    let plain = word.len() <= 40 && word.chars().all(|c| c.is_ascii_alphabetic() || marks.contains(c));
    let own = |command: &clap::Command| command.get_arguments().any(|argument| argument.to_string() == word);
    // clap renders arguments only after the program was built.
    let mut built = program();
    built.build();
    let number = word.len() <= 5 && word.bytes().all(|byte| byte.is_ascii_digit() || b"-/".contains(&byte));
    if number || (plain && !text::may_be_credential(word)) || built.get_subcommands().any(own) {
        word.to_owned()
    } else {
        crate::secret::MASK.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_are_consistent() {
        program().debug_assert();
    }

    /// Passes trivially for a build with all features; CI runs it with every set of features.
    #[test]
    fn missing_features_are_reported() {
        let message = |words: &[&str]| {
            let words = ["credlint"].iter().chain(words).map(OsString::from).collect();
            from_words(words).map_or_else(|error| error.text.to_string(), |_| String::new())
        };
        for &(name, feature, built) in OPTIONAL {
            let words = if name.starts_with("--") { vec!["upload", "f", name] } else { vec![name] };
            let expected = format!("error: this build has no `{name}`: it was built without the feature `{feature}`\n");
            let there = built && (name != "--rehearse" || cfg!(feature = "upload"));
            assert_eq!(message(&words).starts_with("error: this build has no"), !there, "{name}");
            assert_eq!(message(&words) == expected, !built && (words.len() == 1 || cfg!(feature = "upload")), "{name}");
        }
    }

    #[test]
    fn usage_errors_do_not_repeat_credentials() {
        for words in [
            &["credlint", "xoxb-1-planted"][..],
            &["credlint", "init", "xoxb-1-planted"],
            &["credlint", "completions", "xoxb-1-planted"],
            &["credlint", "check", "--xoxb-1-planted"],
            &["credlint", "check", "--format", "xoxb-1-planted"],
            &["credlint", "check", "--format=xoxb-1-planted"],
            &["credlint", "check", "--report", "xoxb-1-planted"],
            &["credlint", "check", "--report", "xoxb-1-planted=x"],
            &["credlint", "--color", "Xoxb1planted", "explain"],
            &["credlint", "explain", "--format", "xoxb-1-planted"],
            &["credlint", "upload", "f", "--stall-timeout", "xoxb-1-planted"],
            &["credlint", "verify", "--max-wait", "xoxb-1-planted"],
            &["credlint", "sandbox", "--listen", "xoxb-1-planted"],
            &["credlint", "explain", "a", "xoxb-1-planted"],
        ] {
            let error = from_words(words.iter().map(OsString::from).collect()).unwrap_err();
            let text = error.text.to_string();
            assert!(!text.contains("planted") && !error.answer, "{text}");
        }
        let error = from_words(["credlint", "chek"].map(OsString::from).to_vec()).unwrap_err();
        assert!(error.text.to_string().contains("chek"), "{}", error.text);
        let error = from_words(["credlint", "check", "--report", "sarif"].map(OsString::from).to_vec()).unwrap_err();
        assert!(error.text.to_string().contains("'--report <FORMAT=FILE>'"), "{}", error.text);
    }
}
