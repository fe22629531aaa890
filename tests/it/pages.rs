//! The page of a rule is a test: each fenced example is run with that rule alone. The table of the rules and the last
//! line of each page are compared with the rules; `UPDATE_DOCS=1 cargo test` writes them.

mod limits;
mod schemas;

use std::path::Path;

use credlint::{Candidate, CheckOptions, Environment, FileType, LoadOptions, Report, Search, rules};

use crate::harness;

/// A fenced example with its files and variables.
struct Example {
    line: usize,
    fails: bool,
    /// The kind, the text and the file mode of each part.
    parts: Vec<(String, String, u32)>,
}

/// Reads the examples of a page. A block whose info string says `fails` or `passes` begins one; `… with` and
/// `text file=PATH` add to it. `mode=OCTAL` is the mode of the file; others can't read it, if none is given.
fn examples(page: &str) -> Vec<Example> {
    let mut examples: Vec<Example> = Vec::new();
    let mut lines = page.lines().enumerate();
    while let Some((number, line)) = lines.next() {
        let Some(info) = line.strip_prefix("```") else { continue };
        let body = lines.by_ref().map(|(_, line)| line).take_while(|line| *line != "```");
        let body = body.fold(String::new(), |body, line| body + line + "\n");
        let words: Vec<&str> = info.split_whitespace().collect();
        let mode = words.iter().find_map(|word| word.strip_prefix("mode="));
        let mode = mode.map_or(0o600, |mode| u32::from_str_radix(mode, 8).expect("a mode is octal"));
        let kept =
            words.iter().filter(|word| !["fails", "passes", "with"].contains(word) && !word.starts_with("mode="));
        let part = kept.copied().collect::<Vec<_>>().join(" ");
        match words.last() {
            Some(&verdict @ ("fails" | "passes")) => {
                examples.push(Example { line: number + 1, fails: verdict == "fails", parts: vec![(part, body, mode)] });
            }
            _ if words.contains(&"with") || part.starts_with("text file=") => {
                examples.last_mut().expect("an addition follows its example").parts.push((part, body, mode));
            }
            // Output of a program or a server is not an example.
            _ if words == ["text"] || words == ["console"] => {}
            _ => panic!("line {}: unknown fence `{info}`", number + 1),
        }
    }
    examples
}

fn write(path: &Path, text: &str, mode: u32) {
    std::fs::write(path, text).unwrap();
    harness::set_mode(path, mode);
}

/// Returns `true` if file modes have an effect where the examples are written, which may be in memory as well.
pub fn modes_count() -> bool {
    #[cfg(target_os = "linux")]
    let memory = rustix::fs::statfs(env!("CARGO_TARGET_TMPDIR")).unwrap().f_type == 0x0102_1994;
    #[cfg(not(target_os = "linux"))]
    let memory = false;
    cfg!(unix) && !memory
}

/// The findings of a single rule in an example.
fn findings(example: &Example, rule: &str) -> Vec<String> {
    // Temporary files may be in memory, where file modes have no effect; the build directory is on a disk.
    let root = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    let (project, home) = (root.path().join("project"), root.path().join("home"));
    std::fs::create_dir_all(project.join(".git")).unwrap();
    std::fs::create_dir_all(home.join(".config/credlint")).unwrap();
    let mut variables = vec![("HOME".to_owned(), home.to_str().unwrap().to_owned())];
    let (mut files, mut env_files, mut candidates) = (Vec::new(), Vec::new(), Vec::new());
    for (index, (part, body, mode)) in example.parts.iter().enumerate() {
        match part.split(' ').collect::<Vec<_>>()[..] {
            ["env"] => variables.extend(body.lines().map(|line| {
                let (name, value) = line.split_once('=').expect("NAME=value");
                (name.to_owned(), value.to_owned())
            })),
            ["dotenv"] => {
                env_files.push(project.join(format!("{index}.env")));
                write(&env_files[env_files.len() - 1], body, *mode);
            }
            [format @ ("toml" | "yaml" | "json")] => {
                files.push(project.join(format!("given-{index}.{format}")));
                write(&files[files.len() - 1], body, *mode);
            }
            [format, "project"] => write(&project.join(format!("credlint.{format}")), body, *mode),
            [format, "user"] => write(&home.join(format!(".config/credlint/config.{format}")), body, *mode),
            // A file of another program.
            [_, found] if found.starts_with("found=") => {
                let path = project.join(found.strip_prefix("found=").unwrap());
                write(&path, body, *mode);
                // What `env -0` prints.
                let file_type = if found.ends_with("=variables") {
                    write(&path, &body.replace('\n', "\0"), *mode);
                    FileType::named("env0")
                } else {
                    FileType::from_path(Path::new(path.file_name().unwrap()))
                };
                let file_type = file_type.expect("a known kind of file");
                candidates.push(Candidate::new(path, file_type));
            }
            ["text", file] => {
                let path = project.join(file.strip_prefix("file=").unwrap());
                std::fs::create_dir_all(path.parent().unwrap()).unwrap();
                write(&path, body, *mode);
            }
            _ => panic!("line {}: unknown part `{part}`", example.line),
        }
    }
    let mut options = CheckOptions::default();
    options.rules = vec![rule.to_owned()];
    let messages =
        |report: Report| report.findings.iter().map(|finding| finding.message.clone()).collect::<Vec<String>>();
    if !candidates.is_empty() {
        let search = Search::new(project).with_files(candidates);
        return messages(credlint::search(&search, &options).unwrap().0);
    }
    let mut load = LoadOptions::new(&project, variables.into_iter().collect::<Environment>());
    (load.files, load.env_files) = (files, env_files);
    let loaded = credlint::load(&load).unwrap_or_else(|error| panic!("{rule}.md:{}: {error}", example.line));
    messages(credlint::check(&loaded, &options).unwrap())
}

#[test]
fn examples_on_rule_pages_have_the_stated_findings() {
    let mut faults = Vec::new();
    for rule in rules::ALL {
        let meta = rule.meta();
        assert!(meta.page.trim_start().starts_with(&format!("# {}\n", meta.id)), "{}: the title is the id", meta.id);
        let examples = examples(meta.page);
        assert!(examples.iter().any(|example| example.fails), "{}: no example fails", meta.id);
        assert!(examples.iter().any(|example| !example.fails), "{}: no example passes", meta.id);
        for example in examples {
            if example.fails && example.parts.iter().any(|(.., mode)| *mode != 0o600) && !modes_count() {
                continue;
            }
            let findings = findings(&example, meta.id);
            if findings.is_empty() == example.fails {
                faults.push(format!("docs/rules/{}.md:{}: {findings:?}", meta.id, example.line));
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn rules_pages_and_source_files_correspond() {
    let names = |directory: &str, extension: &str| {
        let entries = std::fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join(directory)).unwrap();
        let paths = entries.map(|entry| entry.unwrap().path());
        let mut names: Vec<String> = paths
            .filter(|path| path.extension().is_some_and(|found| found == extension))
            .map(|path| path.file_stem().unwrap().to_str().unwrap().replace('_', "-"))
            .filter(|name| name != "README")
            .collect();
        names.sort();
        names
    };
    let mut ids: Vec<String> = rules::ALL.iter().map(|rule| rule.meta().id.to_owned()).collect();
    ids.sort();
    assert_eq!(names("docs/rules", "md"), ids);
    assert_eq!(names("src/rules", "rs"), ids);
}

/// The template is compiled with the unit tests, so what `just new-rule` writes compiles if it differs only by its names.
#[test]
#[cfg(unix)]
fn the_command_for_new_rules_writes_the_compiled_template() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let read = |path: &Path| std::fs::read_to_string(path).unwrap();
    let recipes = read(&root.join("justfile"));
    let recipe = recipes.split_once("\nnew-rule id:\n").unwrap().1;
    let recipe: String = recipe
        .lines()
        .map_while(|line| if line.is_empty() { Some(line) } else { line.strip_prefix("    ") })
        .fold(String::new(), |script, line| script + line + "\n");
    let dir = tempfile::tempdir().unwrap();
    for directory in ["src/rule", "src/rules", "docs/rules"] {
        std::fs::create_dir_all(dir.path().join(directory)).unwrap();
    }
    for file in ["Cargo.toml", "src/rule/template.rs", "src/rule/template.md"] {
        std::fs::copy(root.join(file), dir.path().join(file)).unwrap();
    }
    let run = |id: &str| {
        let script = recipe.replace("{{id}}", id);
        std::process::Command::new("bash").args(["-c", &script]).current_dir(dir.path()).output().unwrap()
    };
    assert_eq!(run("Not an id").status.code(), Some(2));
    let output = run("two-new-words");
    let said = String::from_utf8(output.stdout).unwrap();
    assert!(
        output.status.success() && said.contains("mod two_new_words;\n    two_new_words::TwoNewWords,\n"),
        "{said}"
    );
    let rule = read(&root.join("src/rule/template.rs"))
        .replace(" in \"template.md\"", "")
        .replace("TemplateRule", "TwoNewWords")
        .replace("template-rule", "two-new-words")
        .replace("0.0.0", env!("CARGO_PKG_VERSION"));
    assert_eq!(read(&dir.path().join("src/rules/two_new_words.rs")), rule);
    let page = read(&root.join("src/rule/template.md")).replace("template-rule", "two-new-words");
    assert_eq!(read(&dir.path().join("docs/rules/two-new-words.md")), page);
    assert!(!run("two-new-words").status.success(), "an existing rule is not overwritten");
}

#[test]
fn rule_ids_read_well_after_allow() {
    for rule in rules::ALL {
        let id = rule.meta().id;
        assert!(
            id.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-') && id.contains('-'),
            "{id}"
        );
        assert!(!["disallow-", "forbid-", "check-", "require-"].iter().any(|prefix| id.starts_with(prefix)), "{id}");
        assert!(rules::find(id).is_some());
    }
}

#[test]
fn the_rule_table_is_up_to_date() {
    let mut table = String::from("| rule | severity | what it finds |\n|---|---|---|\n");
    for rule in rules::ALL {
        let meta = rule.meta();
        table += &format!("| [`{0}`]({0}.md) | {1} | {2} |\n", meta.id, meta.severity, meta.summary);
    }
    compare_section("docs/rules/README.md", "rules", &table);
}

#[test]
fn the_last_line_of_every_page_matches_the_rule() {
    for rule in rules::ALL {
        let meta = rule.meta();
        let expected = format!("Severity: {}. Since: {}.", meta.severity, meta.since);
        let file = format!("docs/rules/{}.md", meta.id);
        let text = std::fs::read_to_string(root(&file)).unwrap();
        let body = text.trim_end();
        let last = body.lines().next_back().unwrap();
        let body = if last.starts_with("Severity: ") { &body[..body.len() - last.len()] } else { body };
        compare_file(&file, &format!("{}\n\n{expected}\n", body.trim_end()));
    }
}

fn root(file: &str) -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(file)
}

/// Compares a file with what it should say, or writes it.
fn compare_file(file: &str, expected: &str) {
    #[expect(clippy::disallowed_methods, reason = "a switch of this test, not of the program")]
    if std::env::var_os("UPDATE_DOCS").is_some() {
        std::fs::write(root(file), expected).unwrap();
    } else {
        let text = std::fs::read_to_string(root(file)).unwrap();
        assert_eq!(text, expected, "{file} is out of date: run `UPDATE_DOCS=1 cargo test`");
    }
}

/// Compares the text between two marks in a file with the expected one, or writes it.
pub fn compare_section(file: &str, name: &str, expected: &str) {
    let path = root(file);
    let text = std::fs::read_to_string(&path).unwrap();
    let (begin, end) = (format!("<!-- {name}:begin -->\n"), format!("<!-- {name}:end -->"));
    let start = text.find(&begin).unwrap_or_else(|| panic!("{file} has no {begin}")) + begin.len();
    let stop = start + text[start..].find(&end).unwrap_or_else(|| panic!("{file} has no {end}"));
    #[expect(clippy::disallowed_methods, reason = "a switch of this test, not of the program")]
    if std::env::var_os("UPDATE_DOCS").is_some() {
        std::fs::write(&path, format!("{}{expected}{}", &text[..start], &text[stop..])).unwrap();
    } else {
        assert_eq!(&text[start..stop], expected, "{file} is out of date: run `UPDATE_DOCS=1 cargo test`");
    }
}
