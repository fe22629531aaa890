//! What a file makes of a value: what its reader keeps, decodes, expands or cuts.

mod text;

use std::collections::{HashMap, HashSet};
use std::path::{Component, Path};

use super::file_type::inside;
use super::group::{Encoding, Group, Item, nested, text as text_of, value_matches};
use super::profiles::{ProfileBuilder, runs_commands};
use super::runner::Compose;
use super::secrets::{is_secret_data, named_file_flaw, names_file, says_credential};
use super::storage::host_of;
use crate::config::Oddity;
use crate::file;
use crate::form;
use crate::secret::Handle;
use crate::services::Form;
use crate::source::{Dialect, Spot, Value, read_embedded};
use crate::text::{ends_in, is_upper_word, words};
use text::{
    Mark, assigned_names, dollar_names, ends_in_line_break, has_end_of_password, has_no_user, is_broken_json,
    is_document, is_email, is_encoded_text, is_hex, is_long_word, is_plain_address, password_variable,
};
pub(super) use text::{is_cut_address, is_path};

include!(concat!(env!("OUT_DIR"), "/words_oddity.rs"));

/// The names of a file's variables, with their values.
pub(super) type Variables = HashMap<String, Handle>;

impl ProfileBuilder<'_> {
    /// Returns what the file around an item tells about its value.
    pub(super) fn oddity(&mut self, group: &Group, item: &Item, known: bool) -> Option<Oddity> {
        // The variable of a container is known by its name.
        if item.name == "value" && group.get("name").is_some() {
            return None;
        }
        match item.encoding {
            Encoding::Bytes => {
                let said = says_credential(&item.name);
                let word = || said && self.matches(item, is_long_word);
                let certain = |form: &Form| form.certain && form.identifies_issuer();
                if self.vault.facts(item.value).form().is_some_and(certain) {
                    return Some(Oddity::CredentialNotEncoded);
                }
                let hex = self.matches(item, is_hex).then_some(Oddity::NotEncoded);
                return hex.or_else(|| word().then_some(Oddity::ProbablyNotEncoded));
            }
            Encoding::Plain | Encoding::Base64 => {}
            Encoding::Broken | Encoding::Reference => return None,
        }
        if let Some(flaw) = self.flaw_of_login(group, item) {
            return Some(flaw);
        }
        if item.encoding == Encoding::Base64 || is_secret_data(group) {
            if self.keeps_line_break(group, item) {
                return Some(Oddity::LineBreak);
            }
            if is_taken_as_it_is(&item.name) && self.matches(item, is_encoded_text) {
                return Some(Oddity::EncodedTwice);
            }
        }
        let address = |text: &str| text.contains("://") && (text.contains('@') || text.starts_with("rediss:"));
        let address = self.matches(item, address);
        if self.is_shell_input(group, item) {
            Some(Oddity::NotExpandedInWorkflow)
        } else if address && self.matches(item, is_cut_address) {
            Some(Oddity::CutAddress)
        } else if address && self.is_cut_by_variable(group, item) {
            Some(Oddity::CutByVariable)
        } else if address && self.asks_for_tls_in_vain(group, item) {
            Some(Oddity::TlsToPlainServer)
        } else if self.matches(item, is_broken_json) {
            Some(Oddity::BrokenJson)
        } else if !known && !says_credential(&item.name) && !self.is_password_of_compose(group, item) {
            None
        } else if group.assigned && self.written(group, item).is_some_and(|text| text.starts_with(':')) {
            Some(Oddity::ColonInList)
        } else if self.is_left_template(group, item) {
            Some(Oddity::Template)
        } else if !known && self.is_its_id(group, item) {
            Some(Oddity::IdAsSecret)
        } else if self.is_quoted_line(group, item) {
            Some(Oddity::QuotedLine)
        } else if self.has_bare_hash(group, item) {
            Some(Oddity::HashInDotenv)
        } else {
            self.expanded(group, item).or_else(|| self.is_without_section(group, item).then_some(Oddity::NoSection))
        }
    }

    /// Returns `true` for a line break at the end of a value of a Secret, which every reader gets.
    pub(super) fn keeps_line_break(&self, group: &Group, item: &Item) -> bool {
        let data = item.encoding == Encoding::Base64 || item.encoding == Encoding::Plain && is_secret_data(group);
        data && !is_file_name(&item.name) && self.matches(item, ends_in_line_break)
    }

    /// Returns `true` for a variable `PASS` of a service: alone, the word says little elsewhere.
    fn is_password_of_compose(&self, group: &Group, item: &Item) -> bool {
        is_compose(group, self.file) && item.name.eq_ignore_ascii_case("pass")
    }

    /// Returns what is wrong with the login of a registry: base64 of a user, a colon and a password, or the password that was
    /// taken from it.
    fn flaw_of_login(&self, group: &Group, item: &Item) -> Option<Oddity> {
        match &group.path[..] {
            _ if !item.name.eq_ignore_ascii_case("auth") => None,
            [.., table] if table == "auths" => {
                self.matches(item, ends_in_line_break).then_some(Oddity::LineBreakInLogin)
            }
            [.., table, _] if table == "auths" => self.matches(item, has_no_user).then_some(Oddity::LoginWithoutUser),
            _ => None,
        }
    }

    /// Returns `true` for a secret that is the ID of its pair: `APP_SECRET` and `APP_ID`.
    fn is_its_id(&mut self, group: &Group, item: &Item) -> bool {
        /// Each may look through its group.
        const MOST: usize = 16;
        let endings = [("_SECRET", "_ID"), ("_secret", "_id"), ("Secret", "Id"), ("-secret", "-id")];
        let id = endings.iter().find_map(|(secret, id)| Some(item.name.strip_suffix(secret)?.to_owned() + id));
        let Some((id, value)) = id.zip(item.literal_value()).filter(|_| self.known.looked_at < MOST) else {
            return false;
        };
        self.known.looked_at += 1;
        let other = group.items.iter().find(|other| other.name == id).and_then(Item::literal_value);
        let (own, other) = (self.vault.facts(value), other.map(|other| self.vault.facts(other)));
        let counts = self.matches(item, |text| text.len() >= 8 && text.bytes().any(|byte| byte.is_ascii_digit()));
        counts && own.is_real() && other.is_some_and(|other| other.digest == own.digest)
    }

    /// Returns what an unknown value under the name of a key or token certainly is instead.
    pub(super) fn another_kind(&self, item: &Item) -> Option<Oddity> {
        let words = words(&item.name);
        if !ends_in(&words, &["token", "password", "api key", "access key", "secret key", "pat"]) {
            return None;
        }
        let value = item.literal_value()?;
        let facts = self.vault.facts(value);
        if !facts.is_real() {
            return None;
        }
        let is_endpoint =
            words.iter().any(|word| ["oauth", "change", "reset", "forgot", "refresh"].contains(&word.as_str()));
        let is_part = |text: &str| match text.split_once('.') {
            Some((one, other)) => !other.contains('.') && [one, other].into_iter().any(form::is_token_payload),
            None => form::is_token_payload(text),
        };
        // Other schemes name places in a store of secrets.
        let is_address = |text: &str| {
            facts.form().is_none() && !is_endpoint && facts.url && !facts.whitespace && is_plain_address(text)
        };
        let is_password = words.last().is_some_and(|last| last == "password");
        self.vault.shown(value, |text| {
            if !is_password && is_email(text) {
                Some(Oddity::Email)
            } else if is_part(text) {
                Some(Oddity::TokenPart)
            } else if !is_password && is_path(text) {
                Some(Oddity::Path)
            } else if !is_password && is_document(text) {
                Some(Oddity::Document)
            } else {
                is_address(text).then_some(Oddity::Address)
            }
        })
    }

    pub(super) fn matches(&self, item: &Item, test: impl FnOnce(&str) -> bool) -> bool {
        value_matches(self.vault, item.value, test)
    }

    /// Returns the file's text behind a name: the text that the value was written as.
    pub(super) fn written(&self, group: &Group, item: &Item) -> Option<&str> {
        self.text.filter(|_| group.embedded_in.is_none())?.get(item.at.span.end..)
    }

    /// Returns what is wrong with a file that a variable of a dotenv file names, below the directory of that file. One that is
    /// not here may be in a container.
    pub(super) fn named_file(&mut self, group: &Group, item: &Item) -> Option<Oddity> {
        /// Each may have a mebibyte.
        const MOST: usize = 16;
        let directory = self.path?.parent()?;
        let dotenv = self.file_type.dialect == Dialect::Dotenv && group.embedded_in.is_none();
        if !dotenv || self.known.looked_at >= MOST || !names_file(&item.name) {
            return None;
        }
        self.known.looked_at += 1;
        let flaw = self.vault.shown(item.value, |value| {
            let mut parts = Path::new(value).components();
            let below = parts.all(|part| matches!(part, Component::Normal(_) | Component::CurDir));
            if below { named_file_flaw(&item.name, value, directory) } else { None }
        });
        flaw.filter(|flaw| *flaw != Oddity::MissingFile)
    }

    /// Returns `true` for a line such as `"NAME=value"` of a dotenv file.
    fn is_quoted_line(&self, group: &Group, item: &Item) -> bool {
        let start = item.at.span.start;
        let before = || self.text?.get(..start)?.rsplit('\n').next();
        let dotenv = self.file_type.dialect == Dialect::Dotenv && group.embedded_in.is_none();
        dotenv && before().is_some_and(|before| matches!(before.trim_start(), "\"" | "'"))
    }

    /// Returns `true` for a shell variable as an input of a workflow's action.
    fn is_shell_input(&self, group: &Group, item: &Item) -> bool {
        let input = self.is_literal(group) && group.path.last().is_some_and(|last| last == "with");
        let named = || says_credential(&item.name) || item.name.eq_ignore_ascii_case("creds");
        let variable = |text: &str| {
            let name = text.strip_prefix('$').unwrap_or_default();
            let name = name.strip_prefix('{').and_then(|name| name.strip_suffix('}')).unwrap_or(name);
            name.len() > 2 && is_upper_word(name)
        };
        input && named() && self.matches(item, variable)
    }

    /// Returns `true` for `{{ NAME }}` in a file of Java properties whose name and directories say of no tool that it
    /// fills it in.
    fn is_left_template(&self, group: &Group, item: &Item) -> bool {
        let properties = self.file_type.dialect == Dialect::Properties && group.embedded_in.is_none();
        let of_tool = |path: &str| path.split(['/', '\\', '.', '-', '_']).any(|part| TOOLS.contains(&part));
        let whole = |text: &str| text.starts_with("{{") && text.ends_with("}}");
        properties && self.file.is_some_and(|file| !of_tool(file)) && self.matches(item, whole)
    }

    /// Returns `true` for a `#` in a value of a dotenv file that is written without quotes.
    fn has_bare_hash(&self, group: &Group, item: &Item) -> bool {
        // After `=`, a `#` may begin a comment in place of a value.
        let comment = |value: &str| value.starts_with('#') && !self.is_like_password(item);
        let bare = |text: &str| {
            text.strip_prefix('=').is_some_and(|value| !value.starts_with(['"', '\'', '`']) && !comment(value))
        };
        self.file_type.dialect == Dialect::Dotenv
            && self.written(group, item).is_some_and(bare)
            && item.literal_value().is_some_and(|value| self.vault.facts(value).is_real())
            && self.matches(item, |text| text.contains('#') && !text.contains("://"))
    }

    /// Returns `true` for a single word of letters and digits, or with other signs, as a password has them.
    fn is_like_password(&self, item: &Item) -> bool {
        let has = |text: &str, is: fn(u8) -> bool| text.bytes().any(is);
        self.matches(item, |text| {
            text.len() > 8
                && !text.contains(char::is_whitespace)
                && has(text, |byte| byte.is_ascii_digit())
                && has(text, |byte| byte.is_ascii_lowercase())
                && has(text, |byte| byte.is_ascii_uppercase())
        })
    }

    /// Returns `true` for a dotenv file that Docker Compose reads, by the file next to it.
    fn is_env_of_compose(&mut self) -> bool {
        const FILES: [&str; 4] = ["compose.yaml", "compose.yml", "docker-compose.yaml", "docker-compose.yml"];
        let directory = self.path.filter(|path| path.file_name().is_some_and(|name| name == ".env"));
        let directory = directory.and_then(Path::parent);
        let ask = || directory.is_some_and(|directory| FILES.iter().any(|name| directory.join(name).is_file()));
        *self.known.beside_compose.get_or_insert_with(ask)
    }

    /// Returns what happens to a `$` in a secret that Docker Compose or a shell expands.
    fn expanded(&mut self, group: &Group, item: &Item) -> Option<Oddity> {
        let compose = is_compose(group, self.file);
        let script =
            group.embedded_in.is_none() && runs_commands(self.file.unwrap_or_default(), self.file_type.dialect);
        let written = self.written(group, item).unwrap_or_default();
        let (single, double) = (written.starts_with("='"), written.starts_with("=\""));
        let dotenv = self.file_type.dialect == Dialect::Dotenv && group.embedded_in.is_none() && !single;
        let expands = compose || dotenv || script && double;
        if !expands {
            return None;
        }
        let dollars = self.vault.shown(item.value, |text| Some(dollar_names(text))).unwrap_or_default();
        if compose && dollars.contains(&None) {
            return Some(Oddity::RejectedByCompose);
        }
        let names: Vec<String> = dollars.into_iter().flatten().collect();
        if names.is_empty() {
            return None;
        }
        let text = self.text.filter(|_| !compose).unwrap_or_default();
        let set = self.known.assigned.get_or_insert_with(|| assigned_names(text));
        let unset: Vec<String> = names.into_iter().filter(|name| !set.contains(name)).collect();
        if dotenv {
            return (!unset.is_empty() && self.is_env_of_compose()).then_some(Oddity::ExpandedInDotenv);
        }
        let is_left = unset.iter().any(|name| !self.variables_beside().contains_key(name));
        let oddity = if compose { Oddity::ExpandedByCompose } else { Oddity::ExpandedByShell };
        is_left.then_some(oddity)
    }

    /// Returns `true` for an address that takes a password with a character that ends it from a variable: of the `.env` next
    /// to a file of Docker Compose, of a chart's values, or of the same script, dotenv file or container.
    fn is_cut_by_variable(&mut self, group: &Group, item: &Item) -> bool {
        /// Each may look through its group.
        const MOST: usize = 16;
        let taken = |text: &str| password_variable(text).map(|(mark, name)| (mark, name.to_owned()));
        let taken = self.vault.shown(item.value, taken);
        let Some((mark, name)) = taken.filter(|_| self.known.looked_at < MOST) else { return false };
        self.known.looked_at += 1;
        let written = self.written(group, item).unwrap_or_default();
        let top = group.embedded_in.is_none();
        let dotenv = top && self.file_type.dialect == Dialect::Dotenv;
        let script = top && runs_commands(self.file.unwrap_or_default(), self.file_type.dialect);
        let container = group.path.last().is_some_and(|last| last == "env");
        let own = group.get(&name).filter(|item| item.name == name);
        let value = match mark {
            Mark::Chart => self.chart_value(&name),
            Mark::Shell if is_compose(group, self.file) => self.variables_beside().get(&name).copied(),
            Mark::Shell if (dotenv || script) && !written.starts_with("='") => own.and_then(Item::literal_value),
            Mark::Kubernetes if container => own.and_then(|item| self.container_value(item)),
            _ => None,
        };
        value.is_some_and(|value| value_matches(self.vault, value, has_end_of_password))
    }

    /// Returns a variable of a container: its value, or that of the key of a Secret in the same file.
    fn container_value(&self, item: &Item) -> Option<Handle> {
        if item.encoding != Encoding::Reference {
            return item.literal_value();
        }
        let key = self.vault.shown(item.value, |key| Some(key.to_owned()))?;
        self.known.secret_values.get(&key).copied()
    }

    /// Returns a value of the chart that a template belongs to.
    fn chart_value(&mut self, path: &str) -> Option<Handle> {
        if self.known.chart_values.is_none() {
            let templates = self.path?.ancestors().find(|path| path.ends_with("templates"))?;
            let at = self.roots.first()?.at;
            let values = self.read_beside(&templates.parent()?.join("values.yaml"), Dialect::Yaml, at);
            self.known.chart_values = Some(values);
        }
        let mut found = self.known.chart_values.as_ref()?.first()?;
        for part in path.split('.') {
            found = nested(found, part)?;
        }
        text_of(found)
    }

    /// Returns `true` for an address of Redis with TLS, of a server of the same file that has none.
    fn asks_for_tls_in_vain(&mut self, group: &Group, item: &Item) -> bool {
        let host = |text: &str| Some(text).filter(|text| text.starts_with("rediss://")).and_then(host_of);
        let host = self.vault.shown(item.value, host).filter(|_| is_compose(group, self.file));
        host.is_some_and(|host| self.compose().plain_redis.contains(&host))
    }

    fn compose(&mut self) -> &Compose {
        let (roots, directory) = (self.roots, self.path.and_then(Path::parent));
        self.known.compose.get_or_insert_with(|| Compose::read(roots, directory, self.vault))
    }

    /// Compares the variables of services with those of their files, and keeps the values of Secrets, which containers of
    /// the same file may get.
    pub(super) fn look_beside(&mut self, groups: &[Group]) {
        /// Each may have a mebibyte.
        const MOST: usize = 16;
        let secret = |group: &&Group| {
            is_secret_data(group) || group.items.first().is_some_and(|item| item.encoding == Encoding::Base64)
        };
        let mut seen = HashSet::new();
        for item in groups.iter().filter(secret).flat_map(|group| &group.items) {
            self.known.secret_values.extend(item.literal_value().map(|value| (item.name.clone(), value)));
            // It is unknown which of several Secrets with this key is meant.
            if !seen.insert(item.name.as_str()) {
                self.known.secret_values.remove(&item.name);
            }
        }
        let (mut read, file) = (0, self.file);
        for group in groups.iter().filter(|group| is_compose(group, file)) {
            let service = group.path.get(1).cloned().unwrap_or_default();
            let Some((at, files)) = self.compose().env_files.get(&service).cloned() else { continue };
            let mut variables = Variables::new();
            for file in files {
                read += 1;
                if read <= MOST {
                    variables.extend(self.variables_of(&file, at));
                }
            }
            self.repeated.compare_with_files(group, (at, &variables), self.vault);
        }
    }

    /// Returns the variables of a dotenv file, with this place.
    fn variables_of(&mut self, path: &Path, at: Spot) -> Variables {
        let roots = self.read_beside(path, Dialect::Dotenv, at);
        let entries = roots.iter().flat_map(Value::entries);
        entries.filter_map(|entry| Some((entry.key.clone(), text_of(&entry.value)?))).collect()
    }

    /// Returns the documents of another file, with this place. None if it can't be read.
    fn read_beside(&mut self, path: &Path, dialect: Dialect, at: Spot) -> Vec<Value> {
        /// A larger file is not read for its values.
        const MOST: u64 = 1024 * 1024;
        let Ok((text, _)) = file::read_text(path, MOST) else { return Vec::new() };
        read_embedded(&text, (dialect, at.source), self.vault, inside, &|_| at)
    }

    /// Returns the variables of the `.env` next to the file, from which Docker Compose takes what it expands.
    fn variables_beside(&mut self) -> &Variables {
        if self.known.beside_file.is_none() {
            let path = self.path.and_then(Path::parent).map(|directory| directory.join(".env"));
            let place = path.zip(self.roots.first().map(|root| root.at));
            self.known.beside_file = Some(place.map_or_else(Variables::new, |(path, at)| self.variables_of(&path, at)));
        }
        self.known.beside_file.get_or_insert_default()
    }

    /// Returns `true` for a key of AWS's credentials file that no section contains.
    fn is_without_section(&self, group: &Group, item: &Item) -> bool {
        let (name, section, dialect) = match &group.embedded_in {
            Some((name, dialect)) => (name.as_str(), group.path.last() != Some(name), *dialect),
            None => (self.file.unwrap_or_default(), !group.path.is_empty(), self.file_type.dialect),
        };
        let of_aws = name.rsplit(['/', '\\']).next().is_some_and(|name| matches!(name, "credentials" | "cloud"));
        of_aws
            && dialect.is_ini()
            && !section
            && item.name == "aws_secret_access_key"
            && group.get("aws_access_key_id").is_some()
    }
}

/// Returns `true` for a service's environment in a file of Docker Compose.
fn is_compose(group: &Group, file: Option<&str>) -> bool {
    let named = file.and_then(|file| file.rsplit(['/', '\\']).next()).is_some_and(|name| name.contains("compose"));
    named
        && group.embedded_in.is_none()
        && group.path.first().is_some_and(|first| first == "services")
        && group.path.last().is_some_and(|last| last == "environment")
}

/// Returns `true` for the name of a value that its program sends as it is. Keys that sign and encrypt are often base64.
fn is_taken_as_it_is(name: &str) -> bool {
    let words = words(name);
    let ends = || ends_in(&words, &["token", "password", "pass", "api key"]);
    says_credential(name) && !words.iter().any(|word| word == "jwt") && ends()
}

/// Returns `true` for a key that is the name of a file, which rightly ends in a line break.
pub(super) fn is_file_name(key: &str) -> bool {
    let words = words(key);
    let is = |word: &String| OF_FILES.contains(&word.as_str());
    key.contains('.') || words.iter().any(is)
}
