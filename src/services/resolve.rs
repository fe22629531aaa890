//! Makes rows of files: what a form is like, references, defaults, and what is wrong in a file, with its line. `build.rs`
//! writes the rows of the built-in files as constants; a file that is read at run time becomes the same.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::file::{
    Cited, ErrorRow, FieldRow, FormRow, HostRow, HostRuleRow, Name, NamesRow, PatternRow, RefusalRow, RelationRow,
    Rows, ServiceFile, Spanned, Texts,
};
use super::rows::{
    Derivation, ErrorText, Expression, Field, Form, Host, HostRule, Issuer, Mistake, Names, Pattern, Purpose, Refusal,
    Relation, Serves, Service, Source,
};
use super::shape::{self, Shape};

/// A mistake in a file is a text that begins with the file and the line.
pub type Result<T> = std::result::Result<T, String>;

/// A file of rows.
pub struct File<T> {
    /// The path, for people.
    pub path: String,
    /// The name of the file without its extension: the first half of its rows' names elsewhere.
    pub id: String,
    /// The rows.
    pub rows: T,
    /// True for a user's file: what says no source was said by the user.
    pub is_of_user: bool,
    /// The positions at which the lines after the first begin.
    lines: Vec<usize>,
}

impl<T> File<T> {
    /// Fails at a place in it.
    pub fn fail<V, W>(&self, at: &Spanned<V>, message: &str) -> Result<W> {
        self.fail_at(at.span().start, message)
    }

    /// Fails at a position in it.
    pub fn fail_at<W>(&self, offset: usize, message: &str) -> Result<W> {
        Err(format!("{}:{}: {message}", self.path, self.line(offset)))
    }

    /// The line of a position.
    pub fn line(&self, offset: usize) -> usize {
        line_at(&self.lines, offset)
    }
}

/// The line of a position, by the positions at which the lines after the first begin.
fn line_at(lines: &[usize], offset: usize) -> usize {
    lines.partition_point(|line| *line <= offset) + 1
}

impl<T: DeserializeOwned> File<T> {
    /// Parses a file.
    pub fn parse(path: String, id: String, text: &str, is_of_user: bool) -> Result<Self> {
        let lines: Vec<usize> = text.match_indices('\n').map(|(at, _)| at + 1).collect();
        let error = match toml::from_str(text) {
            Ok(rows) => return Ok(Self { path, id, rows, is_of_user, lines }),
            Err(error) => error,
        };
        let message = error.message().lines().collect::<Vec<_>>().join(" ");
        // The terms of TOML, not those of its parser.
        let message = message.replace("type: map", "type: table").replace("expected a sequence", "expected a list");
        let message = match message.split_once("expected struct ") {
            Some((before, _)) => format!("{before}expected a table"),
            None => message,
        };
        Err(format!("{path}:{}: {message}", line_at(&lines, error.span().map_or(0, |span| span.start))))
    }
}

/// What files share: the sources of `many.toml`.
#[derive(Serialize, Clone, Copy, Default, Debug)]
pub struct Shared {
    /// The sources by their names.
    pub sources: &'static [(&'static str, Source)],
}

/// Resolves files that may refer to each other, and to services whose rows are known.
pub struct RowResolver<'a> {
    files: &'a [File<ServiceFile>],
    known: &'a [&'static Service],
    shared: Shared,
    /// The forms that were made. `None` for one that is being made.
    forms: RefCell<BTreeMap<String, Option<&'static Form>>>,
    fields: BTreeMap<String, &'static Field>,
    /// The sources and lists that some row refers to.
    used: RefCell<BTreeSet<String>>,
}

/// Makes a list of rows.
pub fn list<'a, T: 'a, U>(
    rows: impl IntoIterator<Item = &'a T>,
    row: impl FnMut(&'a T) -> Result<U>,
) -> Result<&'static [U]> {
    Ok(rows.into_iter().map(row).collect::<Result<Vec<U>>>()?.leak())
}

/// Makes a text of a row.
pub fn text(text: &str) -> &'static str {
    text.to_owned().leak()
}

/// Returns `true` for a word in the names of variables.
fn is_shouted(word: &str) -> bool {
    !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit() || byte == b'_')
}

/// Makes the texts of a row.
pub fn texts(all: &[String]) -> &'static [&'static str] {
    all.iter().map(|one| text(one)).collect::<Vec<_>>().leak()
}

type Pairs = &'static [(&'static str, &'static str)];

fn pairs(rows: &Rows<String>) -> Pairs {
    rows.0.iter().map(|(name, value)| (text(name.get_ref()), text(value))).collect::<Vec<_>>().leak()
}

/// Finds a row by its name.
fn find<'a, T>(rows: &'a Rows<T>, name: &str) -> Option<&'a T> {
    rows.0.iter().find(|(key, _)| key.get_ref() == name).map(|(_, row)| row)
}

/// The name of a row among all files.
fn full_name<T>(from: &File<T>, name: &str) -> String {
    if name.contains('/') { name.to_owned() } else { format!("{}/{name}", from.id) }
}

impl<'a> RowResolver<'a> {
    /// Makes the forms and the fields of all files, to which other rows refer.
    pub fn new(files: &'a [File<ServiceFile>], known: &'a [&'static Service], shared: Shared) -> Result<Self> {
        let (forms, used) = (RefCell::default(), RefCell::default());
        let mut resolver = Self { files, known, shared, forms, fields: BTreeMap::new(), used };
        for file in files {
            for (name, _) in &file.rows.form.0 {
                resolver.form(file, name)?;
            }
        }
        for file in files {
            for (name, field) in &file.rows.field.0 {
                let field = resolver.make_field(file, name, field)?;
                resolver.fields.insert(field.id.to_owned(), field);
            }
        }
        Ok(resolver)
    }

    fn file(&self, id: &str) -> Option<&'a File<ServiceFile>> {
        self.files.iter().find(|file| file.id == id)
    }

    fn known(&self, id: &str) -> Option<&'static Service> {
        self.known.iter().copied().find(|service| service.id == id && self.file(id).is_none())
    }

    /// Returns the form that a name means.
    pub fn form<T>(&self, from: &File<T>, name: &Name) -> Result<&'static Form> {
        let id = full_name(from, name.get_ref());
        match self.forms.borrow().get(&id) {
            Some(Some(form)) => return Ok(form),
            Some(None) => return from.fail(name, &format!("`{id}` refers to itself")),
            None => {}
        }
        let (service, own) = id.split_once('/').unwrap_or_default();
        if let Some(form) = self.known(service).and_then(|known| known.forms.iter().find(|form| form.id == id)) {
            return Ok(form);
        }
        let file = self.file(service);
        let row = file.and_then(|file| Some((file, file.rows.form.0.iter().find(|(name, _)| name.get_ref() == own)?)));
        let Some((file, (at, row))) = row else {
            return from.fail(name, &format!("there is no form `{}`", name.get_ref()));
        };
        self.forms.borrow_mut().insert(id.clone(), None);
        let form: &'static Form = Box::leak(Box::new(self.make_form(file, at, row, &id)?));
        self.forms.borrow_mut().insert(id, Some(form));
        Ok(form)
    }

    fn forms<T>(&self, from: &File<T>, names: &'a [Name]) -> Result<&'static [&'static Form]> {
        list(names, |name| self.form(from, name))
    }

    /// Returns the field that a name means.
    pub fn field<T>(&self, from: &File<T>, name: &Name) -> Result<&'static Field> {
        let id = full_name(from, name.get_ref());
        let known = || {
            let service = self.known(id.split_once('/')?.0)?;
            service.fields.iter().copied().find(|field| field.id == id)
        };
        match self.fields.get(&id).copied().or_else(known) {
            Some(field) => Ok(field),
            None => from.fail(name, &format!("there is no field `{}`", name.get_ref())),
        }
    }

    /// Finds a row that other files may refer to, and notes that it is used.
    fn shared<T, R>(&self, from: &File<T>, name: &str, table: fn(&ServiceFile) -> &Rows<R>) -> Option<&'a R> {
        let id = full_name(from, name);
        let (service, name) = id.split_once('/')?;
        let row = find(table(&self.file(service)?.rows), name)?;
        self.used.borrow_mut().insert(id);
        Some(row)
    }

    fn source<T, V>(&self, from: &File<T>, at: &Spanned<V>, cited: Option<&Spanned<Cited>>) -> Result<Source> {
        let Some(cited) = cited else {
            // What people say about their own values counts as official.
            let own = || Ok(Source::Official(text(&from.path)));
            return if from.is_of_user { own() } else { from.fail(at, "a `source` is missing") };
        };
        match cited.get_ref() {
            Cited::Source(source) => Ok(*source),
            Cited::Name(name) => {
                if let Some(source) = self.shared(from, name, |rows| &rows.sources) {
                    return Ok(*source);
                }
                let own = name.strip_prefix("many/");
                match self.shared.sources.iter().find(|(known, _)| own == Some(*known)) {
                    Some((_, source)) => Ok(*source),
                    None => from.fail(cited, &format!("there is no source `{name}`")),
                }
            }
        }
    }

    fn make_form(&self, file: &File<ServiceFile>, name: &Name, form: &FormRow, id: &str) -> Result<Form> {
        // The row, what it is like, what that is like, and so on.
        let mut chain = vec![form];
        while let Some(like) = &chain[chain.len() - 1].like {
            let rows = &file.rows;
            match find(&rows.base, like.get_ref()).or_else(|| find(&rows.form, like.get_ref())) {
                Some(next) if chain.len() < 8 => chain.push(next),
                _ => return file.fail(like, &format!("there is no form or base `{}`", like.get_ref())),
            }
        }
        /// The first row that says something.
        macro_rules! said {
            ($key:ident) => {
                chain.iter().find_map(|row| row.$key.as_ref())
            };
        }
        let text_of = |text: Option<&String>| self::text(text.map_or("", String::as_str));
        let flag = |flag: Option<&bool>, default: bool| flag.copied().unwrap_or(default);
        let missing = |key: &str| file.fail(name, &format!("a form needs `{key}`"));
        let Some(patterns) = said!(patterns).filter(|all| !all.is_empty()) else { return missing("patterns") };
        let Some(noun) = said!(noun).filter(|noun| !noun.is_empty()) else { return missing("noun") };
        let Some(sample) = said!(sample) else { return missing("sample") };
        let issued_by = match said!(issued_by) {
            None => Issuer::This,
            Some(Texts::List(others)) => Issuer::Several(texts(others)),
            Some(Texts::Word(word)) if word == "many" => Issuer::Many,
            Some(Texts::Word(_)) => return file.fail(name, "`issued_by` is a list of services, or \"many\""),
        };
        let unsaid_with = chain.iter().find_map(|row| row.unsaid_with.as_ref());
        let unsaid_with = unsaid_with.map(|names| list(names, |name| self.form(file, name))).transpose()?;
        let called = said!(called).map_or(&[][..], Vec::as_slice);
        Ok(Form {
            id: text(id),
            noun: text(noun),
            patterns: list(patterns, |row| pattern(file, row))?,
            samples: match sample {
                Texts::List(all) => texts(all),
                Texts::Word(one) => vec![text(one)].leak(),
            },
            without: said!(without).map_or(&[], |without| texts(without)),
            with: said!(with).cloned().unwrap_or_default().leak(),
            issued_by,
            certain: flag(said!(certain), true),
            public: flag(said!(public), false),
            purpose: said!(purpose).copied().unwrap_or_default(),
            protocol: said!(protocol).copied(),
            parts: said!(parts).map_or(&[], pairs),
            looks: text_of(said!(looks)),
            advice: text_of(said!(advice)),
            in_pair: text_of(said!(in_pair)),
            unsaid_with: unsaid_with.unwrap_or_default(),
            completeness: said!(completeness).copied().unwrap_or_default(),
            shortest: said!(shortest).copied().unwrap_or_default(),
            spaced: flag(said!(spaced), false),
            rest: flag(said!(rest), false),
            expires: flag(said!(expires), false),
            in_browsers: flag(said!(in_browsers), false),
            called: list(called, |(name, programs)| Ok((text(name), text(programs))))?,
            source: self.source(file, name, said!(source))?,
        })
    }

    fn make_field(&self, file: &File<ServiceFile>, name: &Name, row: &'a FieldRow) -> Result<&'static Field> {
        let kind = row.kind.as_ref().or(file.rows.kind.as_ref()).unwrap_or(&file.id);
        let place = if row.hint { ("", "") } else { (text(kind), text(name.get_ref())) };
        let takes = self.forms(file, &row.takes)?;
        let first = takes.first().filter(|_| file.is_of_user);
        let noun = first.filter(|_| row.noun.is_empty()).map_or_else(|| text(&row.noun), |form| form.noun);
        let about = if file.is_of_user && row.about.is_empty() && !row.hint { noun } else { text(&row.about) };
        if noun.is_empty() || row.names.is_empty() {
            return file.fail(name, "a field needs `noun` and `names`");
        }
        if row.hint != about.is_empty() {
            return file.fail(name, "a field says where its value is shown (`about`), or is only a `hint`");
        }
        if self.fields.values().any(|other| !row.hint && other.place == place) {
            return file.fail(name, &format!("there are two fields `{}` of `{}`", place.1, place.0));
        }
        let names = list(&row.names, |names| self.names(file, names))?;
        let mistakes = list(&row.mistake, |mistake| {
            let said = mistake.get_ref();
            let forms = self.forms(file, &said.forms)?;
            if said.repair.is_empty() {
                return file.fail(mistake, "a mistake needs `repair`");
            }
            if let Some(right) = forms.iter().find(|form| takes.contains(form)) {
                return file.fail(mistake, &format!("the field takes `{}`, so it is no mistake", right.id));
            }
            let source = self.source(file, mistake, said.source.as_ref())?;
            Ok(Mistake { forms, repair: text(&said.repair), source })
        })?;
        let purpose = match (row.purpose, takes) {
            (Purpose::Other, [form, ..]) => form.purpose,
            (purpose, _) => purpose,
        };
        let id = text(&full_name(file, name.get_ref()));
        Ok(Box::leak(Box::new(Field { id, place, noun, about, purpose, takes, names, mistakes })))
    }

    fn names(&self, file: &File<ServiceFile>, row: &'a Spanned<NamesRow>) -> Result<Names> {
        let names = row.get_ref();
        if let Some(word) = names.words.iter().find(|word| !is_shouted(word)) {
            return file.fail(row, &format!("`{word}` has other characters than capitals, digits and `_`"));
        }
        Ok(Names {
            words: texts(&names.words),
            tuple: text(&names.tuple),
            allowed_prefixes: texts(&names.allowed_prefixes),
            unless: self.forms(file, &names.unless)?,
            words_between: names.words_between,
            in_references: names.in_references,
            in_tables: names.in_tables,
            source: self.source(file, row, names.source.as_ref())?,
        })
    }

    fn host_rule(&self, file: &File<ServiceFile>, row: &'a Spanned<HostRuleRow>) -> Result<HostRule> {
        let rule = row.get_ref();
        Ok(HostRule {
            hosts: texts(&rule.hosts),
            whose: text(&rule.whose),
            field: self.field(file, &rule.field)?,
            takes: self.forms(file, &rule.takes)?,
            refuses: self.forms(file, &rule.refuses)?,
            beside: self.forms(file, &rule.beside)?,
            words: texts(&rule.words),
            only: rule.only,
            noun: text(&rule.noun),
            repair: text(&rule.repair),
            source: self.source(file, row, rule.source.as_ref())?,
        })
    }

    /// The rules for hosts of a service, or those of the service that it names.
    fn host_rules(&self, file: &File<ServiceFile>, own: &'a ServiceFile) -> Result<&'static [HostRule]> {
        let Some(other) = &own.at_as else { return list(&own.at, |rule| self.host_rule(file, rule)) };
        if let Some(known) = self.known(other.get_ref()) {
            return Ok(known.at);
        }
        match self.file(other.get_ref()).filter(|other| other.rows.at_as.is_none()) {
            Some(other) => self.host_rules(other, &other.rows),
            None => file.fail(other, &format!("there is no service `{}`", other.get_ref())),
        }
    }

    fn relation(&self, file: &File<ServiceFile>, row: &'a Spanned<RelationRow>) -> Result<Relation> {
        let said = row.get_ref();
        fn missing<T>(file: &File<ServiceFile>, row: &Spanned<RelationRow>, key: &str) -> Result<T> {
            file.fail(row, &format!("this relation needs `{key}`"))
        }
        let field = |name: &Option<Name>, key| {
            name.as_ref().map_or_else(|| missing(file, row, key), |name| self.field(file, name))
        };
        let source = self.source(file, row, said.source.as_ref())?;
        let (advice, noun) = (text(&said.advice), text(&said.noun));
        let fields = || list(&said.fields, |name| self.field(file, name));
        let kinds = [said.agree.is_some(), said.differ.is_some(), said.needs.is_some(), said.beside.is_some()];
        let made = [(&said.signed_by, Derivation::Signed), (&said.sha256_of, Derivation::Sha256)];
        let made = made.into_iter().filter_map(|(with, how)| Some((with.as_ref()?, how)));
        if kinds.into_iter().filter(|said| *said).count() + made.clone().count() != 1 {
            let all = "`agree`, `differ`, `needs`, `beside`, `signed_by` and `sha256_of`";
            return file.fail(row, &format!("a relation has one of {all}"));
        }
        if let Some((with, how)) = made.clone().next() {
            if said.fields.is_empty() {
                return missing(file, row, "fields");
            }
            return Ok(Relation::Made { how, fields: fields()?, with: self.field(file, with)?, advice, source });
        }
        if let Some(part) = &said.agree {
            let fields = fields()?;
            if !fields.iter().flat_map(|field| field.takes).any(|form| has_part(form, part)) {
                return file.fail(row, &format!("no form of these fields has the part `{part}`"));
            }
            let noun = if noun.is_empty() { text(part) } else { noun };
            return Ok(Relation::Agree { part: text(part), noun, words: texts(&said.words), fields, advice, source });
        }
        if let Some(part) = &said.differ {
            let (field, other) = (field(&said.field, "field")?, field(&said.other, "other")?);
            return Ok(Relation::Differ { part: text(part), field, other, noun, advice, source });
        }
        if let Some(needed) = &said.needs {
            let Some(form) = &said.form else { return missing(file, row, "form") };
            let (form, field) = (self.form(file, form)?, self.field(file, needed)?);
            return Ok(Relation::Needs { form, field, whole: said.whole, advice, source });
        }
        let (forms, field, beside) =
            (self.forms(file, &said.forms)?, field(&said.field, "field")?, field(&said.beside, "beside")?);
        let holding = said.holding.as_ref().map(|(part, word)| (text(part), text(word)));
        Ok(Relation::Beside { forms, field, beside, words: texts(&said.words), holding, noun, advice, source })
    }

    fn host(&self, file: &File<ServiceFile>, row: &Spanned<HostRow>) -> Result<Host> {
        let host = row.get_ref();
        if (host.serves == Serves::Api) != host.home.starts_with("https://") {
            return file.fail(row, "an API, and nothing else, has a `home`, which begins with `https://`");
        }
        Ok(Host {
            hosts: texts(&host.hosts),
            under: texts(&host.under),
            serves: host.serves,
            noun: text(&host.noun),
            home: text(&host.home),
            source: self.source(file, row, host.source.as_ref())?,
        })
    }

    /// Makes the row of a text in logs.
    pub fn error<T>(&self, from: &File<T>, row: &'a Spanned<ErrorRow>) -> Result<ErrorText> {
        let error = row.get_ref();
        let place = |name: &Name| {
            let Some(place) = name.get_ref().split_once('/') else {
                return from.fail(name, "the place of a field is `kind/field`");
            };
            let mut fields = self.known.iter().flat_map(|known| known.fields).chain(self.fields.values());
            match fields.find(|field| field.place == place) {
                Some(field) => Ok(field.place),
                None => from.fail(name, "there is no such field"),
            }
        };
        Ok(ErrorText {
            texts: texts(error.texts.get_ref()),
            context_words: texts(&error.context_words),
            about: list(&error.about, |name| self.field(from, name))?,
            others: list(&error.others, place)?,
            words: texts(&error.words),
            rules: texts(&error.rules),
            repeats: error.repeats,
            is_code: false,
            meaning: text(&error.meaning),
            next_step: text(&error.next_step),
            source: self.source(from, row, error.source.as_ref())?,
        })
    }

    /// Makes the words of a service. A user's ones are no other service's.
    fn words(&self, file: &File<ServiceFile>) -> Result<&'static [&'static str]> {
        let rows = &file.rows;
        if let Some((name, _)) = rows.field.0.first().filter(|_| file.is_of_user && rows.words.is_empty()) {
            return file.fail(name, "a service with fields needs `words`, which name it in variables");
        }
        list(&rows.words, |word| {
            if !is_shouted(word.get_ref()) {
                let message = format!("`{}` has other characters than capitals, digits and `_`", word.get_ref());
                return file.fail(word, &message);
            }
            let others = self.known.iter().filter(|_| file.is_of_user);
            match others.into_iter().find(|other| other.words.contains(&word.get_ref().as_str())) {
                Some(other) => file.fail(word, &format!("`{}` is a word of {}", word.get_ref(), other.name)),
                None => Ok(text(word.get_ref())),
            }
        })
    }

    /// Makes the row of a service.
    pub fn service(&self, file: &'a File<ServiceFile>) -> Result<Service> {
        let rows = &file.rows;
        let mut refusals = Vec::new();
        for row in &rows.refusal {
            let advice = text(&row.advice);
            let codes = row.codes.0.iter();
            refusals.extend(codes.map(|(code, means)| Refusal {
                code: text(code.get_ref()),
                meaning: text(means),
                advice,
            }));
        }
        refusals.sort_by_key(|refusal| refusal.code);
        let mut errors = rows.error.iter().map(|error| self.error(file, error)).collect::<Result<Vec<_>>>()?;
        for row in &rows.refusal {
            errors.extend(self.codes(file, row)?);
        }
        let own = |name: &str| self.fields.get(&full_name(file, name)).copied();
        Ok(Service {
            id: text(&file.id),
            name: text(&rows.name),
            docs: text(&rows.docs),
            read: text(&rows.read),
            since: text(&rows.since),
            forms: list(&rows.form.0, |(name, _)| self.form(file, name))?,
            words: self.words(file)?,
            ignored_before: texts(&rows.ignored_before),
            in_logs: texts(&rows.in_logs),
            api: texts(&rows.api),
            fields: rows.field.0.iter().filter_map(|(name, _)| own(name.get_ref())).collect::<Vec<_>>().leak(),
            pairs: rows.pair.clone().leak(),
            relations: list(&rows.relation, |relation| self.relation(file, relation))?,
            shared: rows.shared,
            at: self.host_rules(file, rows)?,
            hosts: list(&rows.host, |host| self.host(file, host))?,
            refusals: refusals.leak(),
            errors: errors.leak(),
        })
    }

    /// Makes the rows of the codes with which a service refuses a request, as a log has them.
    fn codes(&self, file: &'a File<ServiceFile>, row: &RefusalRow) -> Result<Vec<ErrorText>> {
        let about = list(&row.about, |name| self.field(file, name))?;
        let advice =
            ["`{scope}`", "{credential}", "{address}", "{operations}{operation}", "{operation}", "{arguments}"]
                .into_iter()
                .zip([
                    "that the answer names", "the token", "the address", "one of its methods", "this method",
                    "check the values",
                ])
                .fold(row.advice.clone(), |advice, (name, words)| advice.replace(name, words));
        let error = |(code, means): &(Name, String)| ErrorText {
            texts: texts(std::slice::from_ref(code.get_ref())),
            context_words: texts(&file.rows.in_logs),
            about,
            is_code: true,
            meaning: text(means),
            next_step: text(&advice),
            source: Source::Official(text(&file.rows.docs)),
            ..ErrorText::EMPTY
        };
        Ok(row.codes.0.iter().map(error).collect())
    }

    /// Fails if a file has a source to which nothing refers.
    pub fn finish(&self) -> Result<()> {
        for file in self.files {
            for (name, _) in &file.rows.sources.0 {
                if !self.used.borrow().contains(&full_name(file, name.get_ref())) {
                    return file.fail(name, &format!("nothing refers to `{}`", name.get_ref()));
                }
            }
        }
        Ok(())
    }
}

/// Makes the row of one file, with the services to which it may refer.
pub fn resolve(file: &File<ServiceFile>, known: &[&'static Service], shared: Shared) -> Result<Service> {
    let resolver = RowResolver::new(std::slice::from_ref(file), known, shared)?;
    let service = resolver.service(file)?;
    resolver.finish()?;
    Ok(service)
}

/// Returns `true` if a value of a form may have a part.
fn has_part(form: &Form, part: &str) -> bool {
    let is_captured = |text: &str| text.contains(&format!("(?<{part}>"));
    let has = |pattern: &Pattern| match pattern.expression {
        Expression::Text(text) => is_captured(text),
        Expression::Address { hosts, path } => {
            is_captured(path) || hosts.iter().any(|host| host.contains(&format!("<{part}>")))
        }
        Expression::Json { parts, .. } => parts.iter().any(|(_, name)| *name == part),
    };
    form.parts.iter().any(|(name, _)| *name == part) || form.patterns.iter().any(has)
}

fn pattern(file: &File<ServiceFile>, row: &Spanned<PatternRow>) -> Result<Pattern> {
    let shape = |pattern: &str| Shape::of(pattern).or_else(|error| file.fail(row, &error));
    match row.get_ref() {
        PatternRow::Text(pattern) => {
            Ok(Pattern { expression: Expression::Text(text(pattern)), shape: shape(pattern)? })
        }
        PatternRow::Table(table) if table.hosts.is_empty() != table.text.is_empty() && !table.text.is_empty() => {
            let (has, parts) = (pairs(&table.has), pairs(&table.parts));
            let expression = Expression::Json { text: text(&table.text), has, parts };
            Ok(Pattern { expression, shape: shape(&table.text)? })
        }
        PatternRow::Table(table) if !table.hosts.is_empty() && table.text.is_empty() => {
            if let Err(error) = shape::parse(&table.path) {
                return file.fail(row, &error);
            }
            let expression = Expression::Address { hosts: texts(&table.hosts), path: text(&table.path) };
            Ok(Pattern { expression, shape: shape("http.*")? })
        }
        PatternRow::Table(_) => file.fail(row, "a pattern has `hosts`, or `text` with the JSON that it `has`"),
    }
}
