//! Writes the rows of `src/services/*.toml` and `src/programs/*.toml` as constants, so that nothing is parsed at start-up. What
//! is wrong in a file is refused with its line; what needs a regular expression is tested later.

#![expect(clippy::disallowed_macros, clippy::disallowed_methods, reason = "how cargo and a build script talk")]

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::PathBuf;

use serde::Serialize;
use serde::de::DeserializeOwned;

use constants::Constants;
use program_file::{CommandRow, GroupRow, KeyRow, ProgramFile};
use programs::rows::{Command, Group, Key, Mark, Program, Takes};
use services::file::{ServiceFile, Spanned};
use services::resolve::{File, Result, RowResolver, Shared, list, text, texts};
use services::rows::{Expression, Field, Form, Named};

#[path = "build/constants.rs"]
mod constants;
#[path = "build/program_file.rs"]
mod program_file;
#[path = "build/tables.rs"]
mod tables;

/// The modules of the program that describe rows.
#[allow(dead_code, reason = "the program uses all of it")]
#[path = "src/services"]
mod services {
    pub mod file;
    pub mod resolve;
    pub mod rows;
    pub mod shape;

    pub use rows::{ErrorText, Field, Source, reference};
}

#[allow(dead_code, reason = "the program uses all of it")]
#[path = "src/programs"]
mod programs {
    pub mod rows;
}

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=build");
    println!("cargo::rerun-if-changed=src/services");
    println!("cargo::rerun-if-changed=src/programs");
    for table in [tables::ODDITIES, tables::CODES, tables::TEXTS, tables::WORDS] {
        println!("cargo::rerun-if-changed={table}");
    }
    let out = PathBuf::from(std::env::var_os("OUT_DIR").expect("cargo sets it"));
    let write = |name: &str, text: String| std::fs::write(out.join(name), text).map_err(|error| error.to_string());
    let written = write_rows().and_then(|[services, programs, prefixes, codes, causes]| {
        write("services.rs", services)?;
        write("programs.rs", programs)?;
        write("prefixes.rs", prefixes)?;
        write("codes.rs", codes)?;
        write("connect.rs", causes)?;
        write("oddities.rs", tables::oddities()?)?;
        write("texts.rs", tables::texts()?)?;
        tables::words()?.into_iter().try_for_each(|(name, text)| write(&name, text))
    });
    if let Err(error) = written {
        println!("cargo::error={}", error.replace('\n', " "));
        std::process::exit(1);
    }
    // Debug builds only: a program that is linked to run at one place needs no relocation at every start. That was a third of
    // a start, and the tests start it some 100,000 times. A release stays relocatable.
    let is = |name: &str, value: &str| std::env::var(name).is_ok_and(|found| found == value);
    if is("PROFILE", "debug") && is("CARGO_CFG_TARGET_OS", "linux") && is("CARGO_CFG_TARGET_ENV", "gnu") {
        println!("cargo::rustc-link-arg-bins=-no-pie");
    }
}

/// Reads the files of a directory, in the order of their names, but not the template of new ones.
fn read_all<T: DeserializeOwned>(directory: &str) -> Result<Vec<File<T>>> {
    let mut paths: Vec<_> = std::fs::read_dir(directory)
        .map_err(|error| format!("{directory}: {error}"))?
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.extension().is_some_and(|extension| extension == "toml"))
        .collect();
    paths.sort_by_key(|path| path.file_stem().map(std::ffi::OsStr::to_owned));
    let read = |path: &PathBuf| {
        let shown = path.display().to_string();
        let text = std::fs::read_to_string(path).map_err(|error| format!("{shown}: {error}"))?;
        let id = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        File::parse(shown, id, &text, false)
    };
    paths.iter().map(read).collect()
}

/// Writes the constants of all services, those of all programs, the beginnings of secrets, and the codes of errors.
fn write_rows() -> Result<[String; 5]> {
    let mut services: Vec<File<ServiceFile>> = read_all("src/services")?;
    services.sort_by_key(|service| service.rows.order);
    let resolver = RowResolver::new(&services, &[], Shared::default())?;
    let mut out = String::new();
    let mut all = Vec::new();
    let mut forms = Vec::new();
    for file in &services {
        let row = resolver.service(file)?;
        // The template of new services is only tried.
        if file.id == "template" {
            continue;
        }
        forms.extend(row.forms);
        let module = module(&file.id);
        let _ = writeln!(
            out,
            "/// {}.\n#[allow(unused_imports, clippy::unreadable_literal, clippy::wildcard_imports)]\npub mod {module} {{ use super::*;",
            row.name
        );
        for form in row.forms {
            write_constant(&mut out, &constants::name::<Form>(form.id), Form::TYPE, form);
        }
        for field in row.fields {
            write_constant(&mut out, &constants::name::<Field>(field.id), Field::TYPE, field);
        }
        write_constant(&mut out, "SERVICE", "Service", &row);
        out += "}\n";
        all.push(format!("&{module}::SERVICE"));
        if file.id == "many" {
            out += "/// What all files may use.\n#[cfg(feature = \"cli\")]\n";
            write_constant(&mut out, "SHARED", "resolve::Shared", &share(&file.rows));
        }
    }
    let _ = writeln!(out, "/// The built-in services.\npub static SERVICES: &[&Service] = &[{}];", all.join(", "));
    resolver.finish()?;
    let refusals = services.iter().flat_map(|file| &file.rows.refusal);
    let [codes, causes] =
        tables::codes(refusals.flat_map(|row| &row.codes.0).map(|(code, _)| code.get_ref().as_str()))?;
    Ok([out, write_programs(&resolver)?, write_prefixes(&forms), codes, causes])
}

/// Writes how secrets begin, and how Slack's do, for what masks names of files: it is below the rows.
fn write_prefixes(forms: &[&Form]) -> String {
    let secret = forms.iter().filter(|form| !form.public && form.certain);
    let patterns = secret.flat_map(|form| form.patterns.iter().map(move |pattern| (form.id, pattern)));
    let texts = patterns.filter(|(_, pattern)| matches!(pattern.expression, Expression::Text(_)));
    let all: Vec<(&str, &str)> = texts.map(|(id, pattern)| (id, pattern.shape.prefix)).collect();
    let shortest = |wanted: &dyn Fn(&str, &str) -> bool| -> BTreeSet<&str> {
        let known =
            all.iter().filter(|(id, prefix)| prefix.len() >= 3 && wanted(id, prefix)).map(|(_, prefix)| *prefix);
        let known: BTreeSet<&str> = known.collect();
        let is_longer = |prefix: &&str| known.iter().any(|other| other != prefix && prefix.starts_with(other));
        known.iter().copied().filter(|prefix| !is_longer(prefix)).collect()
    };
    // Others are words, or begin names of files as well.
    let marked = shortest(&|_, prefix| {
        prefix.ends_with(['_', '-', '.']) && !["key-", "re_", "pi_"].contains(&prefix)
            || prefix.len() >= 4 && prefix.bytes().all(|byte| byte.is_ascii_uppercase())
    });
    let slack = shortest(&|id, _| id.starts_with("slack/"));
    let write = |name: &str, all: BTreeSet<&str>| {
        format!("const {name}: &[&str] = &{:?};\n", all.into_iter().collect::<Vec<_>>())
    };
    write("PREFIXES", marked) + &write("SLACK_PREFIXES", slack)
}

/// What all files may use of one.
fn share(rows: &ServiceFile) -> Shared {
    let sources = rows.sources.0.iter().map(|(name, row)| (text(name.get_ref()), *row));
    Shared { sources: sources.collect::<Vec<_>>().leak() }
}

/// The name of a module.
fn module(id: &str) -> String {
    id.replace('-', "_")
}

fn write_constant(out: &mut String, name: &str, of: &str, row: &impl Serialize) {
    let value = Constants::of(row);
    let value = if let Some((path, _)) = of.rsplit_once("::") { format!("{path}::{value}") } else { value };
    let _ = writeln!(out, "pub static {name}: {of} = {value};");
}

/// Writes the constants of all programs.
fn write_programs(resolver: &RowResolver<'_>) -> Result<String> {
    let mut programs: Vec<File<ProgramFile>> = read_all("src/programs")?;
    programs.sort_by_key(|program| program.rows.order);
    // Rows of the files live as long as those that are made of them.
    let programs: &[File<ProgramFile>] = programs.leak();
    let (mut out, mut all) = (String::new(), Vec::new());
    for file in programs {
        let rows = &file.rows;
        let pair = |(one, other): &(String, String)| Ok((text(one), text(other)));
        let row = Program {
            name: text(&rows.name),
            files: list(&rows.files, pair)?,
            groups: list(&rows.group, |row| group(resolver, file, row))?,
            instead: list(&rows.instead, pair)?,
            commands: list(&rows.command, |row| command(file, row))?,
            whole: rows.whole,
            own_names: rows.own_names,
            errors: list(&rows.error, |row| resolver.error(file, row))?,
            source: rows.source,
        };
        let module = module(&file.id);
        let _ = writeln!(
            out,
            "/// {}.\n#[allow(unused_imports, clippy::unreadable_literal, clippy::wildcard_imports)]\npub mod {module} {{ use super::*;",
            row.name
        );
        write_constant(&mut out, "PROGRAM", "Program", &row);
        out += "}\n";
        all.push(format!("&{module}::PROGRAM"));
    }
    let _ = writeln!(out, "/// All programs.\npub static PROGRAMS: &[&Program] = &[{}];", all.join(", "));
    Ok(out)
}

/// The one of several kinds that a row says.
fn only_one<T>(said: impl IntoIterator<Item = Option<T>>) -> Option<T> {
    let mut said = said.into_iter().flatten();
    said.next().filter(|_| said.next().is_none())
}

fn group(resolver: &RowResolver<'_>, file: &File<ProgramFile>, row: &Spanned<GroupRow>) -> Result<Group> {
    let group = row.get_ref();
    let pair = |pair: &Option<(String, String)>, mark: fn(&'static str, &'static str) -> Mark| {
        pair.as_ref().map(|(key, value)| mark(text(key), text(value)))
    };
    let mark = only_one([
        pair(&group.section, Mark::Section),
        pair(&group.holds, Mark::Holds),
        pair(&group.beside, Mark::Beside),
        pair(&group.begins, Mark::Begins),
        group.file.as_ref().map(|name| Mark::File(text(name))),
        group.sets.as_ref().map(|names| Mark::Sets(texts(names))),
        group.within.as_ref().map(|name| Mark::In(text(name))),
        group.command.then_some(Mark::Command),
    ]);
    let Some(mark) = mark else {
        return file.fail(
            row,
            "a group has one of `section`, `holds`, `beside`, `begins`, `file`, `sets`, `in` and `command`",
        );
    };
    let key = |key: &KeyRow| -> Result<Key> {
        Ok(Key { name: text(&key.name), field: resolver.field(file, &key.field)?, tuple: text(&key.tuple) })
    };
    let keys = list(&group.names, key)?;
    Ok(Group { mark, keys, inputs: texts(&group.inputs) })
}

fn command(file: &File<ProgramFile>, row: &Spanned<CommandRow>) -> Result<Command> {
    let command = row.get_ref();
    let takes = only_one([
        command.arguments.as_ref().map(|words| Takes::Words(texts(words))),
        command.flags.as_ref().map(|words| Takes::Flags(texts(words))),
        command.settings.as_ref().map(|words| Takes::Settings(texts(words))),
        command.assignments.then_some(Takes::Assignments),
        command.address.as_ref().map(|address| Takes::Address(text(address))),
    ]);
    match takes {
        Some(takes) => Ok(Command { words: texts(&command.words), takes }),
        None => file.fail(row, "a command has one of `arguments`, `flags`, `settings`, `assignments` and `address`"),
    }
}
