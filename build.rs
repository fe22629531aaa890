//! Writes the rows of `src/services/*.toml` and `src/programs/*.toml` as constants, so that nothing is parsed at start-up. What
//! is wrong in a file is refused with its line; what needs a regular expression is tested later.

#![expect(clippy::disallowed_macros, clippy::disallowed_methods, reason = "how cargo and a build script talk")]
#![expect(clippy::use_debug, reason = "the debug output of a text is its literal in Rust")]

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::fmt::Debug;
use std::fmt::Write as _;
use std::path::Path;

use file::{
    Cited, CommandRow, ErrorRow, FieldRow, FormRow, GroupRow, HostRuleRow, Name, PatternRow, ProgramFile, RelationRow,
    Rows, ServiceFile, SourceRow, Spanned, Texts,
};

#[path = "src/services/file.rs"]
mod file;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=src/services");
    println!("cargo::rerun-if-changed=src/programs");
    let out = std::env::var_os("OUT_DIR").expect("cargo sets it");
    let written = Catalogue::read().and_then(|catalogue| {
        std::fs::write(Path::new(&out).join("services.rs"), catalogue.services()?)
            .map_err(|error| error.to_string())?;
        std::fs::write(Path::new(&out).join("programs.rs"), catalogue.programs()?).map_err(|error| error.to_string())
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

type Result<T> = std::result::Result<T, String>;

/// A file of rows.
struct Read<T> {
    path: String,
    /// The name of the file without its extension: the first half of its names elsewhere.
    id: String,
    text: String,
    rows: T,
    /// The sources and lists that some row refers to.
    used: RefCell<BTreeSet<String>>,
}

/// All files.
struct Catalogue {
    services: Vec<Read<ServiceFile>>,
    programs: Vec<Read<ProgramFile>>,
}

/// Reads the files of a directory, in the order of their names.
fn read_all<T: serde::de::DeserializeOwned>(directory: &str) -> Result<Vec<Read<T>>> {
    let mut paths: Vec<_> = std::fs::read_dir(directory)
        .map_err(|error| format!("{directory}: {error}"))?
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.extension().is_some_and(|extension| extension == "toml"))
        .collect();
    paths.sort_by_key(|path| path.file_stem().map(std::ffi::OsStr::to_owned));
    let read = |path: &std::path::PathBuf| {
        let shown = path.display().to_string();
        let text = std::fs::read_to_string(path).map_err(|error| format!("{shown}: {error}"))?;
        let rows = toml::from_str(&text)
            .map_err(|error| place(&shown, &text, error.span().map_or(0, |span| span.start), error.message()))?;
        let id = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        Ok(Read { path: shown, id, text, rows, used: RefCell::default() })
    };
    paths.iter().map(read).collect()
}

/// Returns a message with its line.
fn place(path: &str, text: &str, offset: usize, message: &str) -> String {
    let line = text[..offset.min(text.len())].matches('\n').count() + 1;
    format!("{path}:{line}: {message}")
}

/// The name of a constant.
fn constant(name: &str) -> String {
    name.to_uppercase().replace('-', "_")
}

/// The name of a module.
fn module(id: &str) -> String {
    id.replace('-', "_")
}

/// Writes references to constants of the same module.
fn refs<'a>(names: impl Iterator<Item = &'a Name>, end: &str) -> String {
    names.map(|name| format!("&{}{end}", constant(name.get_ref()))).collect::<Vec<_>>().join(", ")
}

fn quoted(text: impl AsRef<str>) -> String {
    format!("{:?}", text.as_ref())
}

/// Writes a list.
fn list<T>(items: &[T], mut write: impl FnMut(&T) -> Result<String>) -> Result<String> {
    Ok(format!("&[{}]", items.iter().map(&mut write).collect::<Result<Vec<_>>>()?.join(", ")))
}

fn texts(items: &[String]) -> String {
    format!("&{items:?}")
}

fn tuples(rows: &Rows<String>) -> String {
    let rows: Vec<_> = rows.0.iter().map(|(key, value)| (key.get_ref(), value)).collect();
    format!("&{rows:?}")
}

fn optional(enumeration: &str, value: Option<impl Debug>) -> String {
    value.map_or_else(|| "None".to_owned(), |value| format!("Some({enumeration}::{value:?})"))
}

/// Finds a row by its name.
fn find<'a, T>(rows: &'a Rows<T>, name: &str) -> Option<&'a T> {
    rows.0.iter().find(|(key, _)| key.get_ref() == name).map(|(_, row)| row)
}

impl<T> Read<T> {
    fn fail<V, W>(&self, at: &Spanned<V>, message: &str) -> Result<W> {
        Err(place(&self.path, &self.text, at.span().start, message))
    }
}

impl Catalogue {
    fn read() -> Result<Self> {
        let mut services: Vec<Read<ServiceFile>> = read_all("src/services")?;
        services.sort_by_key(|service| service.rows.order);
        let mut programs: Vec<Read<ProgramFile>> = read_all("src/programs")?;
        programs.sort_by_key(|program| program.rows.order);
        Ok(Self { services, programs })
    }

    fn service(&self, id: &str) -> Option<&Read<ServiceFile>> {
        self.services.iter().find(|service| service.id == id)
    }

    /// Splits a name into the file and the row that it means.
    fn split<'a, T>(&'a self, from: &'a Read<T>, name: &'a str) -> Option<(&'a Read<ServiceFile>, &'a str)> {
        match name.split_once('/') {
            Some((service, name)) => Some((self.service(service)?, name)),
            None => Some((self.service(&from.id)?, name)),
        }
    }

    /// Writes a reference to a form.
    fn form<T>(&self, from: &Read<T>, name: &Name) -> Result<String> {
        match self.split(from, name.get_ref()).filter(|(service, name)| find(&service.rows.form, name).is_some()) {
            Some((service, name)) => Ok(format!("&crate::services::{}::{}", module(&service.id), constant(name))),
            None => from.fail(name, &format!("there is no form `{}`", name.get_ref())),
        }
    }

    fn forms<T>(&self, from: &Read<T>, names: &[Name]) -> Result<String> {
        list(names, |name| self.form(from, name))
    }

    /// Writes a reference to a field.
    fn field<T>(&self, from: &Read<T>, name: &Name) -> Result<String> {
        match self.split(from, name.get_ref()).filter(|(service, name)| find(&service.rows.field, name).is_some()) {
            Some((service, name)) => Ok(format!("&crate::services::{}::{}_FIELD", module(&service.id), constant(name))),
            None => from.fail(name, &format!("there is no field `{}`", name.get_ref())),
        }
    }

    /// Finds a row that others refer to, and notes that it is used.
    fn shared<'a, T, R>(
        &'a self,
        from: &'a Read<T>,
        name: &'a str,
        table: fn(&ServiceFile) -> &Rows<R>,
    ) -> Option<&'a R> {
        let (service, name) = self.split(from, name)?;
        service.used.borrow_mut().insert(name.to_owned());
        find(table(&service.rows), name)
    }

    /// Writes a source.
    fn source<T>(&self, from: &Read<T>, cited: &Spanned<Cited>) -> Result<String> {
        match cited.get_ref() {
            Cited::Source(source) => Ok(written(source)),
            Cited::Name(name) => self
                .shared(from, name, |rows| &rows.sources)
                .map_or_else(|| from.fail(cited, &format!("there is no source `{name}`")), |row| Ok(written(row))),
        }
    }

    /// Writes the constants of all services.
    fn services(&self) -> Result<String> {
        let mut out = String::new();
        for service in &self.services {
            let test = if service.id == "template" { "#[cfg(test)]\n" } else { "" };
            let _ = writeln!(out, "/// {}.\n{test}pub mod {} {{", service.rows.name, module(&service.id));
            self.write_service(service, &mut out)?;
            out += "}\n";
        }
        let all = self.services.iter().filter(|service| service.id != "template");
        let all: Vec<_> = all.map(|service| format!("&{}::SERVICE", module(&service.id))).collect();
        let _ = writeln!(out, "/// All services.\npub static SERVICES: &[&Service] = &[{}];", all.join(", "));
        for service in &self.services {
            let known = service.rows.sources.0.iter().map(|(name, _)| name);
            for name in known.chain(service.rows.texts.0.iter().map(|(name, _)| name)) {
                if !service.used.borrow().contains(name.get_ref()) {
                    return service.fail(name, &format!("nothing refers to `{}`", name.get_ref()));
                }
            }
        }
        Ok(out)
    }

    fn write_service(&self, service: &Read<ServiceFile>, out: &mut String) -> Result<()> {
        let rows = &service.rows;
        for (name, form) in &rows.form.0 {
            *out += &self.write_form(service, name, form)?;
        }
        for (name, field) in &rows.field.0 {
            *out += &self.write_field(service, name, field)?;
        }
        let rules = match &rows.at_as {
            Some(other) if self.service(other.get_ref()).is_some() => {
                format!("super::{}::HOST_RULES", module(other.get_ref()))
            }
            Some(other) => return service.fail(other, &format!("there is no service `{}`", other.get_ref())),
            None => list(&rows.at, |rule| self.host_rule(service, rule))?,
        };
        let forms = refs(rows.form.0.iter().map(|(name, _)| name), "");
        let fields = refs(rows.field.0.iter().map(|(name, _)| name), "_FIELD");
        let mut refusals: Vec<_> = rows
            .refusal
            .iter()
            .flat_map(|row| row.codes.0.iter().map(|(code, meaning)| (code.get_ref(), meaning, &row.advice)))
            .collect();
        refusals.sort_unstable();
        let refusals: Vec<_> = refusals.iter().map(|row| format!("super::Refusal{row:?}")).collect();
        let _ = writeln!(
            out,
            "pub static HOST_RULES: &[super::HostRule] = {rules};
            pub static SERVICE: super::Service = super::Service {{ id: {id:?}, name: {name:?}, docs: {docs:?}, read: {read:?}, since: {since:?},
                forms: &[{forms}], words: &{words:?}, ignored_before: &{ignored:?}, api: &{api:?}, fields: &[{fields}],
                pairs: {pairs}, relations: {relations}, shared: {shared}, at: HOST_RULES, hosts: {hosts},
                refusals: &[{refusals}], errors: {errors} }};",
            id = service.id, name = rows.name, docs = rows.docs, read = rows.read, since = rows.since, words = rows.words,
            ignored = rows.ignored_before, api = rows.api, shared = rows.shared, refusals = refusals.join(", "),
            pairs = list(&rows.pair, |pair| {
                let field = |row: &file::PairFieldRow| {
                    format!("super::PairField {{ field: {:?}, noun: {:?}, shown_as: {:?} }}", row.field, row.noun, row.shown_as)
                };
                Ok(format!(
                    "super::Pair {{ id: {}, key: {}, part: {:?}, beside: &{:?}, not_for: {}, keeps_id: {} }}",
                    field(&pair.id), field(&pair.key), pair.part, pair.beside, optional("super::Protocol", pair.not_for),
                    pair.keeps_id,
                ))
            })?,
            relations = list(&rows.relation, |relation| self.relation(service, relation))?,
            hosts = list(&rows.host, |host| {
                Ok(format!(
                    "super::Host {{ hosts: &{:?}, under: &{:?}, serves: super::Serves::{:?}, noun: {:?}, home: {:?}, source: {} }}",
                    host.hosts, host.under, host.serves, host.noun, host.home, self.source(service, &host.source)?,
                ))
            })?,
            errors = list(&rows.error, |error| self.error(service, error))?,
        );
        Ok(())
    }

    fn write_form(&self, service: &Read<ServiceFile>, name: &Name, form: &FormRow) -> Result<String> {
        // The row, what it is like, what that is like, and so on.
        let mut chain = vec![form];
        while let Some(like) = &chain[chain.len() - 1].like {
            let rows = &service.rows;
            match find(&rows.base, like.get_ref()).or_else(|| find(&rows.form, like.get_ref())) {
                Some(next) if chain.len() < 8 => chain.push(next),
                _ => return service.fail(like, &format!("there is no form or base `{}`", like.get_ref())),
            }
        }
        /// The first row that says something.
        macro_rules! said {
            ($key:ident) => {
                chain.iter().find_map(|row| row.$key.as_ref())
            };
        }
        let text = |text: Option<&String>| quoted(text.map_or("", String::as_str));
        let flag = |flag: Option<&bool>, default: bool| flag.copied().unwrap_or(default);
        let Some(source) = said!(source) else { return service.fail(name, "a form needs a `source`") };
        let Some(patterns) = said!(patterns) else { return service.fail(name, "a form needs `patterns`") };
        let issuer = match said!(issued_by) {
            None => "This".to_owned(),
            Some(Texts::List(others)) => format!("Several({})", texts(others)),
            Some(Texts::Word(word)) if word == "many" => "Many".to_owned(),
            Some(Texts::Word(_)) => return service.fail(name, "`issued_by` is a list of services, or \"many\""),
        };
        Ok(format!(
            "pub static {constant}: super::Form = super::Form {{ id: \"{id}/{name}\", noun: {noun}, patterns: {patterns}, without: {without},
            with: {with}, issued_by: super::Issuer::{issuer}, certain: {certain}, public: {public}, purpose: super::Purpose::{purpose:?},
            protocol: {protocol}, parts: {parts}, looks: {looks}, advice: {advice}, in_pair: {in_pair}, unsaid_with: {unsaid_with},
            completeness: super::Completeness::{completeness:?}, shortest: {shortest}, spaced: {spaced}, rest: {rest},
            expires: {expires}, in_browsers: {in_browsers}, called: &{called:?}, source: {source} }};\n",
            constant = constant(name.get_ref()), id = service.id, name = name.get_ref(), noun = text(said!(noun)),
            patterns = list(patterns, |pattern| pattern_row(service, pattern))?,
            without = said!(without).map_or("&[]".to_owned(), |without| texts(without)),
            with = list(said!(with).map_or(&[][..], Vec::as_slice), |class| Ok(format!("super::Class::{class:?}")))?,
            certain = flag(said!(certain), true), public = flag(said!(public), false),
            purpose = said!(purpose).copied().unwrap_or_default(), protocol = optional("super::Protocol", said!(protocol)),
            parts = said!(parts).map_or("&[]".to_owned(), tuples), looks = text(said!(looks)), advice = text(said!(advice)),
            in_pair = text(said!(in_pair)), unsaid_with = self.forms(service, said!(unsaid_with).map_or(&[], Vec::as_slice))?,
            completeness = said!(completeness).copied().unwrap_or_default(), shortest = said!(shortest).unwrap_or(&0),
            spaced = flag(said!(spaced), false), rest = flag(said!(rest), false), expires = flag(said!(expires), false),
            in_browsers = flag(said!(in_browsers), false), called = said!(called).map_or(&[][..], Vec::as_slice),
            source = self.source(service, source)?,
        ))
    }

    fn write_field(&self, service: &Read<ServiceFile>, name: &Name, field: &FieldRow) -> Result<String> {
        let kind = field.kind.as_ref().or(service.rows.kind.as_ref()).unwrap_or(&service.id);
        let place = if field.hint { ("", "") } else { (kind.as_str(), name.get_ref().as_str()) };
        let names = list(&field.names, |names| {
            Ok(format!(
                "super::Names {{ words: &{:?}, tuple: {:?}, allowed_prefixes: &{:?}, unless: {}, words_between: {}, in_references: super::ReferenceScope::{:?}, in_tables: {}, source: {} }}",
                names.words,
                names.tuple,
                names.allowed_prefixes,
                self.forms(service, &names.unless)?,
                names.words_between,
                names.in_references,
                names.in_tables,
                self.source(service, &names.source)?,
            ))
        })?;
        let mistakes = list(&field.mistake, |mistake| {
            Ok(format!(
                "super::Mistake {{ forms: {}, repair: {:?}, source: {} }}",
                self.forms(service, &mistake.forms)?,
                mistake.repair,
                self.source(service, &mistake.source)?,
            ))
        })?;
        Ok(format!(
            "pub static {}_FIELD: super::Field = super::Field {{ place: {place:?}, noun: {:?}, about: {:?}, purpose: super::Purpose::{:?}, takes: {}, names: {names}, mistakes: {mistakes} }};\n",
            constant(name.get_ref()),
            field.noun,
            field.about,
            field.purpose,
            self.forms(service, &field.takes)?,
        ))
    }

    fn host_rule(&self, service: &Read<ServiceFile>, rule: &HostRuleRow) -> Result<String> {
        Ok(format!(
            "super::HostRule {{ hosts: &{:?}, whose: {:?}, field: {}, takes: {}, refuses: {}, beside: {}, words: &{:?}, only: {}, noun: {:?}, repair: {:?}, source: {} }}",
            rule.hosts,
            rule.whose,
            self.field(service, &rule.field)?,
            self.forms(service, &rule.takes)?,
            self.forms(service, &rule.refuses)?,
            self.forms(service, &rule.beside)?,
            rule.words,
            rule.only,
            rule.noun,
            rule.repair,
            self.source(service, &rule.source)?,
        ))
    }

    fn relation(&self, service: &Read<ServiceFile>, row: &Spanned<RelationRow>) -> Result<String> {
        let relation = row.get_ref();
        let missing = |key: &str| service.fail(row, &format!("this relation needs `{key}`"));
        let field =
            |name: &Option<Name>, key| name.as_ref().map_or_else(|| missing(key), |name| self.field(service, name));
        let Some(source) = &relation.source else { return missing("source") };
        let end = format!("advice: {:?}, source: {} }}", relation.advice, self.source(service, source)?);
        let noun = &relation.noun;
        Ok(match (&relation.agree, &relation.differ, &relation.needs, &relation.beside) {
            (Some(part), None, None, None) => {
                let fields = list(&relation.fields, |name| self.field(service, name))?;
                format!(
                    "super::Relation::Agree {{ part: {part:?}, noun: {noun:?}, words: &{:?}, fields: {fields}, {end}",
                    relation.words
                )
            }
            (None, Some(part), None, None) => {
                let (field, other) = (field(&relation.field, "field")?, field(&relation.other, "other")?);
                format!(
                    "super::Relation::Differ {{ part: {part:?}, field: {field}, other: {other}, noun: {noun:?}, {end}"
                )
            }
            (None, None, Some(needed), None) => {
                let Some(form) = &relation.form else { return missing("form") };
                let (form, field) = (self.form(service, form)?, self.field(service, needed)?);
                format!("super::Relation::Needs {{ form: {form}, field: {field}, whole: {}, {end}", relation.whole)
            }
            (None, None, None, Some(beside)) => {
                let (forms, field) = (self.forms(service, &relation.forms)?, field(&relation.field, "field")?);
                let beside = self.field(service, beside)?;
                format!(
                    "super::Relation::Beside {{ forms: {forms}, field: {field}, beside: {beside}, noun: {noun:?}, {end}"
                )
            }
            _ => return service.fail(row, "a relation has one of `agree`, `differ`, `needs` and `beside`"),
        })
    }

    fn error<T>(&self, from: &Read<T>, row: &ErrorRow) -> Result<String> {
        let texts = match row.texts.get_ref() {
            Texts::List(list) => list,
            Texts::Word(name) => {
                let Some(list) = self.shared(from, name, |rows| &rows.texts) else {
                    return from.fail(&row.texts, &format!("there is no list `{name}`"));
                };
                list
            }
        };
        let kinds = |name: &Name| {
            let Some((kind, key)) = name.get_ref().split_once('/') else {
                return from.fail(name, "the place of a field is `kind/field`");
            };
            let known = self.services.iter().any(|service| {
                let own = service.rows.kind.as_ref().unwrap_or(&service.id);
                find(&service.rows.field, key).is_some_and(|field| field.kind.as_ref().unwrap_or(own) == kind)
            });
            if known { Ok(format!("({kind:?}, {key:?})")) } else { from.fail(name, "there is no such field") }
        };
        Ok(format!(
            "crate::services::ErrorText {{ texts: &{texts:?}, context_words: &{:?}, hosts: &{:?}, about: {}, others: {}, rules: &{:?}, meaning: {:?}, next_step: {:?}, source: {} }}",
            row.context_words,
            row.hosts,
            list(&row.about, |name| self.field(from, name))?,
            list(&row.others, kinds)?,
            row.rules,
            row.meaning,
            row.next_step,
            self.source(from, &row.source)?,
        ))
    }

    /// Writes the constants of all programs.
    fn programs(&self) -> Result<String> {
        let mut out = String::new();
        for program in &self.programs {
            let rows = &program.rows;
            let _ = writeln!(
                out,
                "/// {name}.\npub mod {module} {{ pub static PROGRAM: super::Program = super::Program {{ name: {name:?}, files: &{files:?},
                groups: {groups}, instead: &{instead:?}, commands: {commands}, whole: {whole}, own_names: {own_names}, errors: {errors}, source: {source} }}; }}",
                name = rows.name, module = module(&program.id), files = rows.files, instead = rows.instead, whole = rows.whole,
                own_names = rows.own_names, source = written(&rows.source),
                groups = list(&rows.group, |row| self.group(program, row))?,
                commands = list(&rows.command, |row| command(program, row))?,
                errors = list(&rows.error, |row| self.error(program, row))?,
            );
        }
        let all: Vec<_> = self.programs.iter().map(|program| format!("&{}::PROGRAM", module(&program.id))).collect();
        let _ = writeln!(out, "/// All programs.\npub static PROGRAMS: &[&Program] = &[{}];", all.join(", "));
        Ok(out)
    }

    fn group(&self, program: &Read<ProgramFile>, row: &Spanned<GroupRow>) -> Result<String> {
        let group = row.get_ref();
        let pair = |name: &str, pair: &Option<(String, String)>| pair.as_ref().map(|pair| format!("{name}{pair:?}"));
        let word = |name: &str, word: &Option<String>| word.as_ref().map(|word| format!("{name}({word:?})"));
        let mut marks = [
            pair("Section", &group.section),
            pair("Holds", &group.holds),
            pair("Beside", &group.beside),
            pair("Begins", &group.begins),
            word("File", &group.file),
            word("In", &group.within),
            group.command.then(|| "Command".to_owned()),
        ]
        .into_iter()
        .flatten();
        let (Some(mark), None) = (marks.next(), marks.next()) else {
            return program
                .fail(row, "a group has one of `section`, `holds`, `beside`, `begins`, `file`, `in` and `command`");
        };
        let keys = list(&group.names, |key| {
            Ok(format!("({:?}, {}, {:?})", key.name, self.field(program, &key.field)?, key.tuple))
        })?;
        Ok(format!("super::Group {{ mark: super::Mark::{mark}, keys: {keys} }}"))
    }
}

fn command(program: &Read<ProgramFile>, row: &Spanned<CommandRow>) -> Result<String> {
    let command = row.get_ref();
    let words = |name: &str, words: &Option<Vec<String>>| words.as_ref().map(|words| format!("{name}(&{words:?})"));
    let mut kinds = [
        words("Words", &command.arguments),
        words("Flags", &command.flags),
        words("Settings", &command.settings),
        command.assignments.then(|| "Assignments".to_owned()),
        command.address.as_ref().map(|address| format!("Address({address:?})")),
    ]
    .into_iter()
    .flatten();
    let (Some(takes), None) = (kinds.next(), kinds.next()) else {
        return program.fail(row, "a command has one of `arguments`, `flags`, `settings`, `assignments` and `address`");
    };
    Ok(format!("super::Command {{ words: &{:?}, takes: super::Takes::{takes} }}", command.words))
}

fn written(source: &SourceRow) -> String {
    let (kind, place) = match source {
        SourceRow::Official(place) => ("Official", place),
        SourceRow::Example(place) => ("Example", place),
        SourceRow::Scanner(place) => ("Scanner", place),
        SourceRow::Unsure(place) => ("Unsure", place),
    };
    format!("crate::services::Source::{kind}({place:?})")
}

fn pattern_row(service: &Read<ServiceFile>, row: &Spanned<PatternRow>) -> Result<String> {
    match row.get_ref() {
        PatternRow::Text(text) => Ok(format!("super::Pattern::Text({text:?})")),
        PatternRow::Table(table) if table.hosts.is_empty() != table.text.is_empty() && !table.text.is_empty() => {
            Ok(format!(
                "super::Pattern::Json {{ text: {:?}, has: {}, parts: {} }}",
                table.text,
                tuples(&table.has),
                tuples(&table.parts)
            ))
        }
        PatternRow::Table(table) if !table.hosts.is_empty() && table.text.is_empty() => {
            Ok(format!("super::Pattern::Address {{ hosts: &{:?}, path: {:?} }}", table.hosts, table.path))
        }
        PatternRow::Table(_) => service.fail(row, "a pattern has `hosts`, or `text` with the JSON that it `has`"),
    }
}
