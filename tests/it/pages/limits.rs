//! Each limit of `docs/limits.md` is the constant in the code.

use super::root;

/// The row, by its section and first cell, and the constant with its file below `src`.
const LIMITS: &[(&str, &str, &str, &str)] = &[
    ("Configuration", "a configuration, a dotenv file", "source/reader.rs", "MAX_FILE"),
    ("Configuration", "values in a file; a YAML alias counts each time it is used", "source/fault.rs", "MAX_VALUES"),
    ("Configuration", "nested tables and lists", "source/fault.rs", "MAX_DEPTH"),
    ("Configuration", "text that YAML aliases repeat", "source/yaml.rs", "MAX_REPEATED"),
    ("Configuration", "a file that a reference names", "config/reference.rs", "MAX_VALUE"),
    ("Configuration", "files with services of your own", "lint/own_services.rs", "MOST_FILES"),
    ("Configuration", "each of them", "lint/own_services.rs", "LONGEST"),
    ("Configuration", "a compiled pattern in it", "form/recognise.rs", "LARGEST_OWN"),
    ("Configuration", "the name of a profile", "schema/name.rs", "LONGEST"),
    ("Configuration", "a baseline", "cli/check.rs", "MAX_BASELINE"),
    ("Files of other programs", "a file", "source/reader.rs", "MAX_FILE"),
    ("Files of other programs", "values in a file", "source/fault.rs", "MAX_VALUES"),
    ("Files of other programs", "files inside a file, one in another", "foreign/group.rs", "DEEPEST"),
    ("Files of other programs", "ignore files that apply to a directory", "file/repository.rs", "MAX_IGNORE"),
    ("Files of other programs", "a pattern", "file/pattern.rs", "LONGEST"),
    ("Files of other programs", "patterns in `exclude`, and allows with one", "file/pattern.rs", "MOST_PATTERNS"),
    ("Values", "a value whose wrappings (quotes, `Bearer `, base64) are examined", "form.rs", "MAX_LENGTH"),
    ("Values", "wrappings in one another", "form.rs", "MAX_DEPTH"),
    ("Values", "a value that is compared with patterns of your own", "form/recognise.rs", "LONGEST_FOR_OWN"),
    ("Values", "the input of `identify`", "cli/identify.rs", "LONGEST"),
    ("Commands", "a log for `why`", "why/log.rs", "LONGEST"),
    ("Commands", "answers of `why`", "why.rs", "MAX_ANSWERS"),
    ("Commands", "credentials in an answer of `why`", "why.rs", "MAX_CREDENTIALS"),
    ("Commands", "questions of `verify PATH` and `verify --environment`", "run/found.rs", "MAX_CREDENTIALS"),
    ("Commands", "findings in a report for people", "report/human.rs", "DRAWN"),
    ("Commands", "results in SARIF", "report/sarif.rs", "RESULTS"),
    ("Commands", "annotations of each type on GitHub", "report/github.rs", "SHOWN"),
    ("Commands", "the job summary on GitHub", "report/github.rs", "SUMMARY"),
    ("Uploads", "the list of `--files-from`", "upload/inputs.rs", "LIST_LIMIT"),
    ("Uploads", "a `ca_file`", "upload/wire/http.rs", "LIMIT"),
    ("Uploads", "an answer of the service", "upload/wire/call.rs", "LIMIT"),
    ("Uploads", "channels of a file with `external`", "upload/post.rs", "CHANNELS"),
    ("Uploads", "a snippet with `external`", "upload/post.rs", "SNIPPET"),
    ("Uploads", "an alternative text", "upload/post.rs", "ALT_TEXT"),
    ("Uploads", "the file of `--blocks`", "upload/post/blocks.rs", "LIMIT"),
    ("Uploads", "blocks of a message", "upload/post/blocks.rs", "MOST"),
    ("Uploads", "a line of a journal", "upload/journal.rs", "LONGEST"),
    ("Uploads", "the least length of a secret that is searched for in files", "upload/secrets.rs", "SHORTEST"),
    ("Uploads", "files that fail to reach the service, in a row", "upload/run_control.rs", "UNREACHED"),
    ("Uploads", "a pause before a retry, unless the service asks for more", "upload/retry.rs", "LONGEST_PAUSE"),
];

/// The value of a constant: a product of numbers, or seconds.
fn constant(file: &str, name: &str) -> u64 {
    let source = std::fs::read_to_string(root("src").join(file)).unwrap();
    let line = source.lines().find(|line| line.contains(&format!("const {name}: "))).unwrap();
    let value = line.split_once(" = ").unwrap().1.trim_end_matches(';');
    let value = value.trim_start_matches("Duration::from_secs(").trim_end_matches(')');
    value.split(" * ").map(|factor| factor.replace('_', "").parse::<u64>().expect(line)).product()
}

/// The value of a cell, such as `8 MiB`.
fn documented(cell: &str) -> u64 {
    let (number, unit) = cell.split_once(' ').unwrap_or((cell, ""));
    let unit = match unit {
        "" | "bytes" | "characters" | "seconds" => 1,
        "KiB" => 1024,
        "MiB" => 1024 * 1024,
        other => panic!("unknown unit {other}"),
    };
    number.replace(',', "").parse::<u64>().unwrap() * unit
}

#[test]
fn documented_limits_are_the_constants() {
    let page = std::fs::read_to_string(root("docs/limits.md")).unwrap();
    let (mut section, mut rows) = ("", Vec::new());
    for line in page.lines() {
        if let Some(title) = line.strip_prefix("## ") {
            section = title;
        } else if let Some(row) = line.strip_prefix("| ").filter(|row| !row.starts_with("what |")) {
            let cells: Vec<&str> = row.split(" | ").collect();
            rows.push((section, cells[0], cells[1]));
        }
    }
    let known: Vec<_> = LIMITS.iter().map(|(section, what, ..)| (*section, *what)).collect();
    assert_eq!(rows.iter().map(|(section, what, _)| (*section, *what)).collect::<Vec<_>>(), known);
    for ((_, what, cell), (_, _, file, name)) in rows.iter().zip(LIMITS) {
        assert_eq!(documented(cell), constant(file, name), "{what}: {name} in src/{file}");
    }
}
