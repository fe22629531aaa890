//! The command that sends the rest of an upload: the options of this one, and the files that were not posted.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use super::args::again;
use crate::schema::value::ChannelId;
use crate::text;

/// What replaces the files of a command.
pub enum Rest<'a> {
    /// These files.
    Files(Vec<&'a str>),
    /// Those that a report lists.
    Report(&'a Path),
}

/// The most files that are named on a command line; more are left to a report.
pub const NAMED: usize = 20;

/// Returns the paths that can be printed and typed as they are, and the number of the others.
pub fn nameable(files: &[PathBuf]) -> (Vec<&str>, usize) {
    let shown = |file: &PathBuf| file.to_str().is_some_and(|path| text::file_or_path(file) == path);
    let named: Vec<&str> = files.iter().filter(|file| shown(file)).filter_map(|file| file.to_str()).collect();
    let hidden = files.len() - named.len();
    (named, hidden)
}

/// A command line.
pub struct CommandLine {
    /// The line, to be pasted into a shell.
    pub line: String,
    /// The shell variables in place of words that are not printed, with the options that take them.
    pub hidden: Vec<(String, String)>,
}

/// Returns the command line of this process with other files.
pub fn command(words: Vec<OsString>, rest: &Rest<'_>) -> CommandLine {
    // A share and what was excluded are decided, and a file that is a list is not written.
    let mut decided = vec!["files", "files_from", "exclude", "shard", "skip_empty"];
    if let Rest::Report(_) = rest {
        decided.push("report");
    }
    let program = words.first().and_then(|word| word.to_str()).filter(|word| text::file(Path::new(word)) == *word);
    let mut line = format!("{} upload", quoted(program.unwrap_or("credlint")));
    let mut hidden: Vec<(String, String)> = Vec::new();
    let given = again::given(words, &decided);
    // The text is in the first message, which was posted.
    let one_message = given.iter().any(|(option, _)| option == "one-message");
    line += if one_message { " --comment ''" } else { "" };
    let repeated = |option: &str| !(one_message && ["comment", "blocks"].contains(&option));
    for (option, value) in given.into_iter().filter(|(option, _)| repeated(option)) {
        line += &format!(" --{option}");
        let Some(value) = value else { continue };
        if let Some(value) = value.to_str().filter(|value| is_shown(&option, value)) {
            // Otherwise it would be another option.
            line += if value.starts_with('-') { "=" } else { " " };
            line += &quoted(value);
        } else {
            let mut variable = option.replace('-', "_").to_ascii_uppercase();
            let same = hidden.iter().filter(|(_, known)| *known == option).count();
            if same > 0 {
                variable += &format!("_{}", same + 1);
            }
            // A shell stops there unless the variable is set.
            line += &format!(" \"${{{variable}?}}\"");
            hidden.push((variable, option));
        }
    }
    match rest {
        Rest::Report(report) => line += &format!(" --files-from {}", quoted(&report.to_string_lossy())),
        Rest::Files(files) => {
            let dash = files.iter().any(|file| file.starts_with('-'));
            line += if dash { " --" } else { "" };
            for file in files {
                line += &format!(" {}", quoted(file));
            }
        }
    }
    CommandLine { line, hidden }
}

/// Returns `true` if the value of an option may be printed: a text for a message could be anything.
fn is_shown(option: &str, value: &str) -> bool {
    match option {
        "alt-text" | "comment" | "title" => value.is_empty(),
        "channel" => ChannelId::parse(value).is_ok_and(|channel| channel.shown() == value),
        "blocks" | "config" | "env-file" | "policy" => text::file(Path::new(value)) == value,
        "report" => value.strip_prefix("json=").is_some_and(|file| text::file(Path::new(file)) == file),
        _ => text::name(value) == value,
    }
}

/// Returns a word as a shell takes it.
fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || "-_./:=@%+,".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', "'\\''"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(words: &[&str], rest: &Rest<'_>) -> (String, usize) {
        let CommandLine { line, hidden } = command(words.iter().map(OsString::from).collect(), rest);
        (line, hidden.len())
    }

    #[test]
    fn the_options_are_repeated_as_far_as_they_may_be_printed() {
        let upload = |words: &[&str]| {
            line(&[&["./credlint", "--color", "never", "upload"], words].concat(), &Rest::Files(vec!["b c"]))
        };
        for (words, expected, hidden) in [
            (&["-p", "r", "a"][..], "./credlint upload --color never --profile r 'b c'", 0),
            (
                &["-pr", "--shard", "1/2", "--exclude", "x", "--files-from", "list", "--fail-fast", "--skip-empty"],
                "./credlint upload --color never --profile r --fail-fast 'b c'",
                0,
            ),
            (
                &["--channel", "C0123456789", "--channel=D0123456789", "a", "--retries", "0", "-c", "x.toml", "-q"],
                "./credlint upload --color never --quiet --channel C0123456789 --channel D0123456789 --retries 0 --config x.toml 'b c'",
                0,
            ),
            (&["--comment", "", "a"], "./credlint upload --color never --comment '' 'b c'", 0),
            (
                &["--comment", "qzwvxkpjhybd", "--title=-x", "a"],
                "./credlint upload --color never --comment \"${COMMENT?}\" --title \"${TITLE?}\" 'b c'",
                2,
            ),
            (
                &["--env-file", "xoxb-1-planted", "--env-file", "a.env", "--env-file", "xoxb-2-planted", "a"],
                "./credlint upload --color never --env-file \"${ENV_FILE?}\" --env-file a.env --env-file \"${ENV_FILE_2?}\" 'b c'",
                2,
            ),
            (
                &["--one-message", "--comment", "x", "a"],
                "./credlint upload --comment '' --color never --one-message 'b c'",
                0,
            ),
            (
                &["--one-message", "--blocks", "b.json", "a"],
                "./credlint upload --comment '' --color never --one-message 'b c'",
                0,
            ),
            (
                &["--blocks", "b.json", "--alt-text", "x y", "--snippet-type", "python", "a"],
                "./credlint upload --color never --blocks b.json --snippet-type python --alt-text \"${ALT_TEXT?}\" 'b c'",
                1,
            ),
            (&["--report", "json=out.json", "a"], "./credlint upload --color never --report json=out.json 'b c'", 0),
        ] {
            let (line, number) = upload(words);
            let sorted = |line: &str| {
                let mut words: Vec<String> = line.split(" --").map(str::to_owned).collect();
                words[1..].sort();
                words
            };
            // The order of options is that of the help, not of the command line.
            let trim = |line: &str| line.trim_end_matches(" 'b c'").to_owned();
            assert_eq!((sorted(&trim(&line)), number), (sorted(&trim(expected)), hidden), "{line}");
        }
        let report =
            line(&["credlint", "upload", "--report", "json=r", "-p", "r", "a"], &Rest::Report(Path::new("it's")));
        assert_eq!(report, ("credlint upload --profile r --files-from 'it'\\''s'".to_owned(), 0));
        let dash = line(&["xoxb-1-planted", "upload", "a"], &Rest::Files(vec!["-b", "c"]));
        assert_eq!(dash.0, "credlint upload -- -b c");
    }
}
