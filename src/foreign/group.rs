//! Groups entries: a section, a table, a container's environment, the data of a Secret. Credentials are matched within
//! one group only, because nearby values often belong to something else.

use std::cell::{OnceCell, RefCell};
use std::collections::HashMap;
use std::rc::Rc;

use zeroize::Zeroizing;

use super::expansion;
use super::file_type::{FileType, inside};
use crate::form;
use crate::secret::{Handle, Vault};
use crate::source::{Dialect, Entry, Node, Scalar, Spot, Value, Variable, read_embedded};
use crate::text::{Span, is_upper_word};

/// Entries of the same section, table or environment.
#[derive(Default)]
pub(super) struct Group {
    /// The path of keys to the group.
    pub(super) path: Vec<String>,
    pub(super) items: Vec<Item>,
    /// Items next to the group: the `type` of a storage, the `uses` of a step.
    pub(super) siblings: Rc<Siblings>,
    /// True for a list of `NAME=value`, which is a container's environment.
    pub(super) assigned: bool,
    /// The name and the syntax of the embedded file that it is in, if any.
    pub(super) embedded_in: Option<(String, Dialect)>,
}

/// A name with its value.
#[derive(Clone)]
pub(super) struct Item {
    pub(super) name: String,
    /// The location of the name.
    pub(super) at: Spot,
    pub(super) value: Handle,
    pub(super) encoding: Encoding,
}

/// The items next to groups of the same table, which share them.
#[derive(Default)]
pub(super) struct Siblings {
    pub(super) items: Vec<Item>,
    /// Those with a name that was asked for, in order. A table may have many entries, and many groups below it.
    by_name: RefCell<HashMap<&'static str, Rc<[usize]>>>,
    /// Those with the name of an endpoint.
    endpoints: Vec<usize>,
}

impl Siblings {
    fn new(entries: &[Entry]) -> Self {
        let mut found = Self::default();
        for entry in entries {
            let of_metadata = || nested(&entry.value, "name").and_then(text).filter(|_| entry.key == "metadata");
            let Some(value) = text(&entry.value).or_else(of_metadata) else { continue };
            let is_endpoint = entry.key.get(..8).is_some_and(|start| start.eq_ignore_ascii_case("endpoint"));
            found.endpoints.extend(is_endpoint.then_some(found.items.len()));
            found.items.push(Item { name: entry.key.clone(), at: entry.at, value, encoding: Encoding::Plain });
        }
        found
    }

    /// Returns the items with a name, ignoring case.
    pub(super) fn named(&self, name: &'static str) -> impl Iterator<Item = &Item> {
        let of_name = || {
            #[cfg(test)]
            crate::text::work::add(self.items.len());
            (0..self.items.len()).filter(|&index| self.items[index].name.eq_ignore_ascii_case(name))
        };
        let found = Rc::clone(self.by_name.borrow_mut().entry(name).or_insert_with(|| of_name().collect()));
        (0..found.len()).map(move |at| &self.items[found[at]])
    }

    /// Returns the items with the name of an endpoint.
    pub(super) fn endpoints(&self) -> impl DoubleEndedIterator<Item = &Item> {
        self.endpoints.iter().map(|&index| &self.items[index])
    }
}

/// The entries of the table around a value.
struct Above<'e> {
    entries: &'e [Entry],
    shared: OnceCell<Rc<Siblings>>,
}

impl<'e> Above<'e> {
    fn new(entries: &'e [Entry]) -> Self {
        Self { entries, shared: OnceCell::new() }
    }

    fn siblings(&self) -> Rc<Siblings> {
        Rc::clone(self.shared.get_or_init(|| Rc::new(Siblings::new(self.entries))))
    }
}

/// How an item gives its value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Encoding {
    /// Literally.
    Plain,
    /// In base64, as in the `data` of a Kubernetes Secret. It has been decoded.
    Base64,
    /// In the `data` of a Kubernetes Secret, but not in base64: the server rejects the whole Secret.
    Broken,
    /// In base64, but the bytes are not text.
    Bytes,
    /// As the name of a value in another document: the `key` of a `secretKeyRef`.
    Reference,
}

impl Item {
    /// Creates an item from a variable.
    pub(super) fn from_variable(variable: &Variable) -> Self {
        Self { name: variable.name.clone(), at: variable.at, value: variable.value, encoding: Encoding::Plain }
    }

    /// Returns the value, unless the item refers to another document.
    pub(super) fn literal_value(&self) -> Option<Handle> {
        matches!(self.encoding, Encoding::Plain | Encoding::Base64).then_some(self.value)
    }
}

impl Group {
    /// Returns the last item with a name, ignoring case. The last one wins if a name occurs twice.
    pub(super) fn get(&self, name: &str) -> Option<&Item> {
        let is_named = |item: &&Item| {
            #[cfg(test)]
            crate::text::work::add(1);
            item.name.eq_ignore_ascii_case(name)
        };
        self.items.iter().rev().find(is_named)
    }

    /// Returns `true` if an item next to the group has this value.
    pub(super) fn has_sibling(&self, name: &'static str, word: &str, vault: &Vault) -> bool {
        self.siblings.named(name).any(|item| value_matches(vault, item.value, |text| text.eq_ignore_ascii_case(word)))
    }

    /// Returns `true` if an item of the group has this value.
    pub(super) fn has_value(&self, name: &str, word: &str, vault: &Vault) -> bool {
        self.get(name).is_some_and(|item| value_matches(vault, item.value, |text| text.eq_ignore_ascii_case(word)))
    }
}

/// Returns `true` if a value passes a test.
pub(super) fn value_matches(vault: &Vault, handle: Handle, test: impl FnOnce(&str) -> bool) -> bool {
    vault.shown(handle, |text| test(text).then_some(())).is_some()
}

/// Returns the groups of a document.
pub(super) fn groups(root: &Value, vault: &mut Vault) -> Vec<Group> {
    let mut finder = Finder { vault, path: Vec::new(), found: Vec::new(), files: Vec::new() };
    finder.visit(root, &Above::new(&[]), Data::Plain);
    finder.found
}

/// What the values of a table contain.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Data {
    /// Settings.
    Plain,
    /// Texts and files: the `data` of a ConfigMap, the `stringData` of a Secret.
    Texts,
    /// The same in base64: the `data` of a Secret.
    Encoded,
}

/// The maximum nesting depth of embedded files.
const DEEPEST: usize = 2;

struct Finder<'v> {
    vault: &'v mut Vault,
    path: Vec<String>,
    found: Vec<Group>,
    /// The embedded files around the current value, with their syntaxes, the outermost first.
    files: Vec<(String, Dialect)>,
}

impl Finder<'_> {
    fn visit(&mut self, value: &Value, above: &Above<'_>, data: Data) {
        match &value.node {
            Node::Table(entries) => self.table(entries, above, data),
            Node::List(values) => self.list(values, above),
            Node::Conflict(values) => values.iter().for_each(|value| self.visit(value, above, data)),
            Node::Null | Node::Scalar(..) => {}
        }
    }

    fn table(&mut self, entries: &[Entry], above: &Above<'_>, data: Data) {
        let environment = self.path.last().is_some_and(|table| table == "env" || table == "variables");
        let item = |entry: &Entry| {
            // A variable with a description, as in Heroku's `app.json` and GitLab's `variables`. Sources:
            // <https://devcenter.heroku.com/articles/app-json-schema#env>,
            // <https://docs.gitlab.com/ci/yaml/#variablesdescription>.
            let described = || nested(&entry.value, "value").and_then(text).filter(|_| environment);
            let plain = text(&entry.value).or_else(described);
            let plain =
                plain.map(|value| if data == Data::Encoded { self.decoded(value) } else { (value, Encoding::Plain) });
            let (value, how) = plain.or_else(|| Some((secret_key_ref(&entry.value)?, Encoding::Reference)))?;
            Some(Item { name: entry.key.clone(), at: entry.at, value, encoding: how })
        };
        let items = entries.iter().filter_map(item).collect();
        self.push(items, above, false);
        self.add_login(entries, above);
        let inside = Above::new(entries);
        // Looked up once: a table that was read line by line may have many entries.
        let kind = get(entries, "kind").and_then(text);
        let is = |word: &str| kind.is_some_and(|kind| value_matches(self.vault, kind, |kind| kind == word));
        // Below `generate`, Kyverno has the whole manifest in `data`, and that of a Secret holds no tables. Source:
        // <https://kyverno.io/docs/policy-types/cluster-policy/generate/>.
        let flat = |table: &Value| table.entries().iter().all(|entry| !matches!(entry.value.node, Node::Table(_)));
        let generated = self.path.last().is_some_and(|table| table == "generate");
        let secret = is("Secret") && !generated && get(entries, "data").is_none_or(flat);
        let map = is("ConfigMap");
        let image = get(entries, "image").and_then(text);
        let command = get(entries, "command").map_or(&[][..], Value::elements);
        for entry in entries {
            // Encrypted values can't be checked.
            if entry.key == "encryptedData" {
                continue;
            }
            self.path.push(entry.key.clone());
            let inner = match entry.key.as_str() {
                "data" if secret => Data::Encoded,
                "stringData" if secret => Data::Texts,
                "data" if map => Data::Texts,
                _ => Data::Plain,
            };
            // A file that a script writes, or that a chart contains as a table.
            let tree = matches!(entry.value.node, Node::Table(_) | Node::List(_));
            let named = FileType::from_key(&entry.key).filter(|_| tree);
            self.files.extend(named.map(|named| (entry.key.clone(), named.dialect)));
            self.visit(&entry.value, &inside, inner);
            if named.is_some() {
                self.files.pop();
            }
            self.read_embedded_file(entry, data);
            if is_script_key(&entry.key) {
                // A container's arguments follow its command.
                let before = if entry.key == "args" { command } else { &[] };
                self.script(entry, image, before);
            }
            self.path.pop();
        }
    }

    /// Adds the parts of a login: the user name and the password that Docker's `auth` has in base64, for the address that is
    /// its table's name; or the token of a header, for the `url` next to it.
    fn add_login(&mut self, entries: &[Entry], above: &Above<'_>) {
        let find = |key: &str| entries.iter().find(|entry| entry.key.eq_ignore_ascii_case(key));
        let parts = match &self.path[..] {
            [.., table, host] if table == "auths" => find("auth").and_then(|auth| {
                let login = form::decode_base64(self.open(text(&auth.value)?)).ok()?;
                let (user, password) = login.split_once(':')?;
                Some((auth, "auths", host.clone(), Some(user.to_owned()), Zeroizing::new(password.to_owned())))
            }),
            [.., table] if table == "headers" => find("authorization").and_then(|header| {
                let address = self.open(get(above.entries, "url").and_then(text)?).to_owned();
                let token = self.open(text(&header.value)?).strip_prefix("Bearer ")?;
                Some((header, "Bearer", address, None, Zeroizing::new(token.to_owned())))
            }),
            _ => None,
        };
        let Some((at, table, host, user, password)) = parts else { return };
        let mut item = |name: &str, value: &str| Item {
            name: name.to_owned(),
            at: at.at,
            value: self.vault.store(value),
            encoding: Encoding::Plain,
        };
        let mut items = vec![item("host", &host), item(&at.key, &password)];
        items.extend(user.map(|user| item("username", &user)));
        self.path.push(table.to_owned());
        self.push(items, &Above::new(&[]), false);
        self.path.pop();
    }

    /// Reads a file embedded in a value. It is recognised by its name or, where values are files, by its content.
    fn read_embedded_file(&mut self, entry: &Entry, data: Data) {
        let Some(handle) = text(&entry.value).filter(|_| self.files.len() < DEEPEST) else { return };
        // The Helm chart of Velero. Source: <https://github.com/vmware-tanzu/helm-charts/blob/main/charts/velero/values.yaml>.
        let of_velero = || self.path.iter().rev().nth(1).is_some_and(|table| table == "secretContents");
        // Lines of `NAME=value` for docker/build-push-action. Source: <https://github.com/docker/build-push-action#inputs>.
        let of_build = || {
            let input = ["build-args", "secrets"].contains(&entry.key.as_str());
            input && self.path.iter().rev().nth(1).is_some_and(|table| table == "with")
        };
        let named = FileType::from_key(&entry.key)
            .or_else(|| of_velero().then(|| FileType::from_dialect(Dialect::Configparser)))
            .or_else(|| of_build().then(|| FileType::from_dialect(Dialect::Dotenv)));
        if named.is_none() && data == Data::Plain {
            return;
        }
        let decoded = (data == Data::Encoded).then(|| form::decode_base64(self.open(handle)).ok()).flatten();
        let text =
            Zeroizing::new(decoded.map_or_else(|| self.open(handle).to_owned(), |mut text| std::mem::take(&mut *text)));
        // A single line is a value, unless it has a file's name.
        if named.is_none() && !text.trim().contains('\n') {
            return;
        }
        let dialect = named.map_or_else(|| inside(&entry.key, &text), |named| named.dialect);
        self.read_embedded_text(&text, (&entry.key, dialect), &|_| entry.at);
    }

    /// Reads the text of an embedded file.
    fn read_embedded_text(&mut self, text: &str, (name, dialect): (&str, Dialect), to: &impl Fn(Span) -> Spot) {
        self.files.push((name.to_owned(), dialect));
        let source = to(Span::default()).source;
        for root in read_embedded(text, (dialect, source), self.vault, inside, to) {
            self.visit(&root, &Above::new(&[]), Data::Plain);
        }
        self.files.pop();
    }

    /// Reads commands: a script, a list of them, or a list of words. The image may be the program.
    fn script(&mut self, Entry { at: key, value, .. }: &Entry, image: Option<Handle>, command: &[Value]) {
        if self.files.len() >= DEEPEST {
            return;
        }
        let (values, key) = match &value.node {
            Node::List(values) => (values.as_slice(), None),
            _ => (std::slice::from_ref(value), Some(*key)),
        };
        let before = command.iter().filter_map(|value| Some((self.open(text(value)?), value.at)));
        let before: Vec<(&str, Spot)> = before.collect();
        let texts = || values.iter().filter_map(|value| Some((self.open(text(value)?), value.at)));
        // A string that grows would leave copies in memory.
        let capacity = texts().chain(before.iter().copied()).map(|(text, _)| text.len() + 2).sum::<usize>()
            + image.map_or(1, |image| self.open(image).len());
        let buffer = || Zeroizing::new(String::with_capacity(capacity));
        // Each line has the location of its value. The list as words is one more line.
        let (mut lines, mut words) = (buffer(), buffer());
        words.push_str(image.map_or("_", |image| self.open(image)));
        let (mut of_lines, mut of_words) = (Vec::new(), Vec::new());
        for (text, at) in before {
            words.push(' ');
            of_words.push(Part { start: words.len(), length: usize::MAX, at, key: None });
            words.push_str(if text.contains(char::is_whitespace) { "_" } else { text });
        }
        for (text, at) in texts() {
            let is_word = !text.contains(|c: char| c.is_whitespace() || "'\";&|<>#()`".contains(c));
            // For other texts, the length does not tell where the bytes are.
            let length = if text.is_ascii() { text.len() } else { usize::MAX };
            words.push(' ');
            of_words.push(Part { start: words.len(), length, at, key });
            words.push_str(if is_word || values.len() == 1 { text } else { "_" });
            of_lines.push(Part { start: lines.len(), length, at, key });
            if !is_word || values.len() == 1 {
                lines.push_str(text);
            }
            lines.push('\n');
        }
        let (lines_to, words_to) = (locate(&of_lines), locate(&of_words));
        if of_lines.is_empty() {
            return;
        }
        self.read_embedded_text(&lines, ("", Dialect::Shell), &lines_to);
        if image.is_some() || values.len() > 1 {
            self.read_embedded_text(&words, ("", Dialect::Shell), &words_to);
        }
    }

    fn list(&mut self, values: &[Value], above: &Above<'_>) {
        let named: Vec<Item> = values.iter().filter_map(|value| self.named(value)).collect();
        // In a list of commands, a command follows the value.
        let commands = self.path.last().is_some_and(|list| is_script_key(list));
        let environment = self.path.last().is_some_and(|list| list.starts_with("env"));
        let assigned = values.iter().filter(|_| !commands).filter_map(|value| self.assigned(value, environment));
        let assigned: Vec<Item> = assigned.collect();
        self.push(named, above, false);
        self.push(assigned, above, environment);
        for (index, value) in values.iter().enumerate() {
            let last = self.path.pop();
            self.path.push(format!("{}[{index}]", last.clone().unwrap_or_default()));
            self.visit(value, above, Data::Plain);
            self.path.pop();
            self.path.extend(last);
        }
    }

    fn push(&mut self, items: Vec<Item>, above: &Above<'_>, assigned: bool) {
        if !items.is_empty() {
            let (path, within) = (self.path.clone(), self.files.last().cloned());
            self.found.push(Group { path, items, siblings: above.siblings(), assigned, embedded_in: within });
        }
    }

    /// Returns a variable of a container: `name` with `value`, or with `valueFrom` and the key of a Secret; `key` with
    /// `value` in Render's `envVars` (<https://render.com/docs/blueprint-spec#environment-variables>) and in lists of
    /// the same name.
    fn named(&self, value: &Value) -> Option<Item> {
        let Node::Table(entries) = &value.node else { return None };
        // duplicati uses `Name` and `Value`.
        let find =
            |name: &str| entries.iter().find(|entry| entry.key.eq_ignore_ascii_case(name)).map(|entry| &entry.value);
        let variables = || self.path.last().is_some_and(|list| list.to_lowercase().starts_with("env"));
        let name = find("name").or_else(|| find("key").filter(|_| variables()))?;
        let (value, how) = match find("value").and_then(text) {
            Some(value) => (value, Encoding::Plain),
            None => {
                let reference = nested(find("valueFrom")?, "secretKeyRef")?;
                (nested(reference, "key").and_then(text)?, Encoding::Reference)
            }
        };
        Some(Item { name: self.name(text(name)?)?, at: name.at, value, encoding: how })
    }

    /// Returns `NAME=value` from a list element, as in compose files, or `NAME:value` in a list of variables. Quotes are part of the value.
    fn assigned(&mut self, value: &Value, environment: bool) -> Option<Item> {
        let handle = text(value)?;
        let whole = self.open(handle);
        // A colon is a typing error that gives the container no value.
        let colon =
            || whole.split_once(':').filter(|(name, value)| environment && is_upper_word(name) && !value.is_empty());
        let (name, _) = whole.split_once('=').or_else(colon)?;
        if !name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_') {
            return None;
        }
        let (name, whole) = (name.to_owned(), Zeroizing::new(whole.to_owned()));
        let stored = self.vault.store(&whole[name.len() + 1..]);
        // In a quoted element, the name starts after the quote.
        let Span { start, end } = value.at.span;
        let quote = usize::from(end - start > whole.len());
        let at = Span { start: start + quote, end: (start + quote + name.len()).min(end) };
        let at = Spot { span: at, ..value.at };
        Some(Item { name, at, value: stored, encoding: Encoding::Plain })
    }

    /// Decodes base64.
    fn decoded(&mut self, handle: Handle) -> (Handle, Encoding) {
        let text = self.open(handle);
        // A value that some tool fills in is not base64 yet, and an elided one in a document is not any more.
        if form::awaits_substitution(text) || expansion::is_expanded(text) || text.contains("...") {
            return (handle, Encoding::Plain);
        }
        match form::decode_base64(text) {
            Ok(text) => (self.vault.store(&text), Encoding::Base64),
            Err(form::DecodeError::NotText) => (handle, Encoding::Bytes),
            Err(form::DecodeError::NotBase64) => (handle, Encoding::Broken),
        }
    }

    fn name(&self, handle: Handle) -> Option<String> {
        let name = self.open(handle);
        let plain = |c: char| c.is_ascii_alphanumeric() || "_-.".contains(c);
        name.chars().all(plain).then(|| name.to_owned())
    }

    #[expect(
        clippy::disallowed_methods,
        reason = "a variable's name that is given as a value, NAME=value, and files in values"
    )]
    fn open(&self, handle: Handle) -> &str {
        self.vault.open(handle)
    }
}

/// Returns the key in a plain reference to a Secret, as in k8up's `accountIDSecretRef`.
fn secret_key_ref(value: &Value) -> Option<Handle> {
    let Node::Table(entries) = &value.node else { return None };
    let known = entries.iter().all(|entry| matches!(entry.key.as_str(), "name" | "key" | "optional"));
    get(entries, "name").and_then(text).and_then(|_| get(entries, "key")).and_then(text).filter(|_| known)
}

/// Returns `true` for a key whose value is executed: in workflows, GitLab jobs, containers and compose files.
pub(super) fn is_script_key(key: &str) -> bool {
    matches!(key, "run" | "script" | "before_script" | "after_script" | "command" | "entrypoint" | "args")
}

/// A value that is part of a joined text.
struct Part {
    /// Where it begins in the joined text.
    start: usize,
    length: usize,
    /// Where it is in the file.
    at: Spot,
    /// Its key, if it is the only one.
    key: Option<Spot>,
}

/// Locates a range of a joined text: in the value, if that is written literally, or else at its key.
fn locate(parts: &[Part]) -> impl Fn(Span) -> Spot + '_ {
    move |span| {
        let index = parts.partition_point(|part| part.start <= span.start).saturating_sub(1);
        let Part { start, length, at, key } = parts[index];
        // A quoted string is longer by two bytes, and a block by more.
        let longer = (at.span.end - at.span.start).checked_sub(length).filter(|longer| [0, 2].contains(longer));
        let inside = longer.filter(|_| start <= span.start && span.end - start <= length);
        inside.map_or(key.unwrap_or(at), |longer| {
            let by = at.span.start + longer / 2;
            Spot { span: Span { start: span.start - start + by, end: span.end - start + by }, ..at }
        })
    }
}

/// Returns a value of a table.
pub(super) fn get<'v>(entries: &'v [Entry], key: &str) -> Option<&'v Value> {
    entries.iter().find(|entry| entry.key == key).map(|entry| &entry.value)
}

/// Returns a value in a nested table.
pub(super) fn nested<'v>(value: &'v Value, key: &str) -> Option<&'v Value> {
    get(value.entries(), key)
}

/// Returns the text of a scalar.
pub(super) fn text(value: &Value) -> Option<Handle> {
    match value.node {
        Node::Scalar(Scalar::Text | Scalar::Number, handle) => Some(handle),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::super::file_type;
    use super::*;
    use crate::source::{PipeTexts, Reader, Sources};

    #[test]
    fn locates_variable_in_list_at_its_name() {
        for text in ["env:\n  - A_B=x\n", "env:\n  - \"A_B=x\"\n", "env: ['A_B=x']\n", "env: [ A_B= ]\n"] {
            let (mut vault, mut sources, pipes) = (Vault::default(), Sources::default(), PipeTexts::default());
            let mut reader =
                Reader { vault: &mut vault, sources: &mut sources, directory: Path::new(""), pipes: &pipes };
            let read = reader.read(&mut text.to_owned(), Dialect::Yaml, file_type::inside, None);
            let found = groups(&read.roots()[0], &mut vault);
            let places: Vec<&str> =
                found[0].items.iter().map(|item| item.at.span).map(|at| &text[at.start..at.end]).collect();
            assert_eq!(places, ["A_B"], "{text}");
        }
    }

    #[test]
    fn maps_joined_text_to_original_values() {
        let source = Sources::default().next();
        let spot = |start, end| Spot { source, span: Span { start, end } };
        let parts = [
            Part { start: 0, length: 5, at: spot(100, 105), key: None },
            // In quotes.
            Part { start: 6, length: 3, at: spot(110, 115), key: None },
            // A block, and a text whose length does not tell where its bytes are.
            Part { start: 10, length: 4, at: spot(120, 140), key: Some(spot(50, 55)) },
            Part { start: 15, length: usize::MAX, at: spot(150, 160), key: None },
        ];
        let located = locate(&parts);
        for ((start, end), (from, to)) in [
            ((0, 5), (100, 105)),
            ((1, 3), (101, 103)),
            ((6, 9), (111, 114)),
            ((7, 8), (112, 113)),
            // It ends in the next value.
            ((3, 8), (100, 105)),
            ((10, 12), (50, 55)),
            ((16, 17), (150, 160)),
        ] {
            assert_eq!(located(Span { start, end }).span, Span { start: from, end: to }, "{start} {end}");
        }
    }
}
