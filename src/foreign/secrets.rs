//! Values whose names only say that they are credentials, of whatever service: what is around them, and what the reader of
//! their file makes of them.

use std::collections::{BTreeSet, HashMap};
use std::path::{Path, PathBuf};

use super::file_type::{FileType, inside};
use super::group::{self, Encoding, Group, Item, value_matches};
use super::misspelt;
use super::profiles::{ProfileBuilder, runs_commands, shown_name};
use super::read::FileText;
use crate::config::{Oddity, Place, Profile, Unread};
use crate::file::{self, FileError};
use crate::form::{self, Placeholder};
use crate::secret::{Handle, Surroundings, Vault};
use crate::source::{Dialect, Node, Spot, Value, read_embedded};
use crate::text;

/// The names of a file's variables, with their values.
pub(super) type Variables = HashMap<String, Handle>;

/// Returns the values of unknown services with something that is hardly ever intended.
pub(super) fn other_secrets(groups: &[Group], profiles: &[Profile], maker: &mut ProfileBuilder<'_>) -> Vec<Profile> {
    // The values of an embedded file have the same location.
    let known: BTreeSet<(Spot, &str)> =
        profiles.iter().flat_map(|profile| &profile.settings).map(|setting| (setting.at, setting.name())).collect();
    let is_known = |item: &Item| known.contains(&(item.at, shown_name(&item.name).as_str()));
    let mut found = std::mem::take(&mut maker.unread_inputs);
    for group in groups {
        for (item, instead) in
            misspelt::off_stem_of_neighbours(group, |item| says_credential(&item.name) && !is_known(item))
        {
            found.push(misspelt_profile(group, item, instead, maker));
        }
        for item in &group.items {
            if let Some(flaw) = maker.named_file(group, item) {
                found.push(maker.variable_profile(group, item, Some(flaw)));
            }
            if is_known(item) {
                // A pair in an address is known by its ID and its key.
                let whole = profiles.iter().flat_map(|profile| &profile.settings).filter(|one| one.at == item.at);
                let is_pair = whole.clone().count() == 2 && maker.matches(item, is_cut_address);
                found.extend(is_pair.then(|| maker.variable_profile(group, item, Some(Oddity::CutAddress))));
                continue;
            }
            let odd = maker.oddity(group, item, false).or_else(|| maker.another_kind(item));
            if item.encoding == Encoding::Broken || odd.is_some() || is_wrapped(group, item, maker) {
                found.push(maker.variable_profile(group, item, odd));
            }
        }
    }
    found
}

/// Returns the secrets of a dotenv file that are written in quotes, which some readers keep.
pub(super) fn quoted_secrets(roots: &[Value], vault: &mut Vault, origin: FileText<'_>) -> Vec<Profile> {
    if origin.file_type.dialect != Dialect::Dotenv {
        return Vec::new();
    }
    let groups: Vec<Group> = roots.iter().flat_map(|root| group::groups(root, vault)).collect();
    let mut maker = ProfileBuilder::new(vault, origin.name, origin.file_type, roots).with_text(origin);
    let mut found = Vec::new();
    for group in groups.iter().filter(|group| group.embedded_in.is_none()) {
        for item in group.items.iter().filter(|item| is_secret(&item.name)) {
            let quoted =
                maker.written(group, item).is_some_and(|text| text.starts_with("=\"") || text.starts_with("='"));
            if quoted && item.literal_value().is_some_and(|value| maker.vault.facts(value).is_real()) {
                found.push(maker.variable_profile(group, item, Some(Oddity::QuotesForDocker)));
            }
        }
    }
    found
}

/// Returns the files that a script gives to `docker run --env-file`, from its own directory and from the one above.
pub(super) fn docker_files(text: &str, dialect: Dialect, script: &Path) -> Vec<PathBuf> {
    if !matches!(dialect, Dialect::Shell | Dialect::Assignments) || !text.contains("--env-file") {
        return Vec::new();
    }
    let mut found = Vec::new();
    let mut runs = false;
    for line in text.lines() {
        runs |=
            ["docker run", "docker create", "podman run", "podman create"].iter().any(|command| line.contains(command));
        let flags = line.split("--env-file").skip(1).filter(|_| runs);
        for rest in flags.filter_map(|rest| rest.strip_prefix(['=', ' '])) {
            let word = rest.split_whitespace().next().unwrap_or_default().trim_matches(['"', '\'']);
            let above = script.parent().into_iter().flat_map(|directory| [Some(directory), directory.parent()]);
            let plain = !word.is_empty() && !word.contains('$');
            found.extend(above.flatten().filter(|_| plain).map(|directory| directory.join(word)));
        }
        // A command continues in the next line.
        runs &= line.trim_end().ends_with('\\');
    }
    found
}

/// Returns what is wrong with the file that a variable names, as its reader would open it.
pub(super) fn named_file_flaw(name: &str, value: &str, directory: &Path) -> Option<Oddity> {
    /// A larger file is no credential.
    const MOST: u64 = 1024 * 1024;
    const FILES: [&str; 2] = ["GOOGLE_APPLICATION_CREDENTIALS", "AWS_SHARED_CREDENTIALS_FILE"];
    let of_secret = || name.strip_suffix("_FILE").is_some_and(says_credential);
    let path = value.contains(['/', '\\', '.']) && !value.contains(['$', '{', '<', '\n']) && !value.contains("://");
    if !path || !(FILES.contains(&name) || of_secret()) {
        return None;
    }
    // A directory that is not here is that of another machine, or of a container.
    let here = || directory.join(value).parent().is_some_and(Path::is_dir);
    match file::read_text(&directory.join(value), MOST) {
        Err(FileError::NotFound) => here().then_some(Oddity::MissingFile),
        Err(FileError::NotRegular(_)) if directory.join(value).is_dir() => Some(Oddity::Directory),
        Ok((text, _)) if text.trim().is_empty() => Some(Oddity::EmptyFile),
        Ok((text, _)) if name == FILES[0] && is_oauth_client(&text) => Some(Oddity::OauthClientFile),
        _ => None,
    }
}

/// Returns `true` for the file of an OAuth client, as Google's console downloads it.
fn is_oauth_client(text: &str) -> bool {
    let Ok(document) = serde_json::from_str::<serde_json::Value>(text) else { return false };
    ["installed", "web"].iter().any(|kind| document.get(kind).is_some_and(|client| client.get("client_id").is_some()))
}

/// Returns `true` for a file whose first comments say that it is to be copied and filled in.
pub(super) fn says_template(text: &str) -> bool {
    const SAID: [&str; 8] = [
        "copy this file", "rename this file", "copy to ", "this is a template", "template file", "this is an example",
        "example configuration", "sample configuration",
    ];
    let comment = |line: &&str| line.starts_with(['#', ';']) || line.starts_with("//");
    let first = text.lines().map(str::trim).filter(|line| !line.is_empty()).take(12).take_while(comment);
    first.map(str::to_lowercase).any(|line| SAID.iter().any(|said| line.contains(said)))
}

/// Returns the profile of a value whose name is a letter off.
pub(super) fn misspelt_profile(group: &Group, item: &Item, instead: String, maker: &mut ProfileBuilder<'_>) -> Profile {
    let mut profile = maker.variable_profile(group, item, None);
    let unread = Unread { name: shown_name(&item.name), at: item.at, program: None, instead, partner: None };
    profile.found.iter_mut().for_each(|found| found.unread.push(unread.clone()));
    profile
}

/// Returns `true` for a secret with something around it that its reader keeps, or a part of one.
fn is_wrapped(group: &Group, item: &Item, maker: &ProfileBuilder<'_>) -> bool {
    let (known, dialect) = match &group.embedded_in {
        Some((name, dialect)) => (FileType::from_key(name).is_some_and(|file_type| file_type.known), *dialect),
        None => (maker.file_type.known, maker.file_type.dialect),
    };
    let dotenv = known && matches!(dialect, Dialect::Assignments | Dialect::Dotenv | Dialect::Shell);
    let kept = keeps_all(group, item);
    // Whatever reads a container's variables, no value of them asks for one.
    let environment = group.path.last().is_some_and(|table| table == "env" || table == "environment");
    if !(kept || dotenv || environment) || !says_credential(&item.name) {
        return false;
    }
    let Some(value) = item.literal_value() else { return false };
    let facts = maker.vault.facts(value);
    let around = facts.surroundings();
    // Plugins replace `<…>` in manifests.
    let literal = || dotenv || maker.file.is_some_and(|file| file.contains("compose"));
    facts.reading.placeholder.is_some_and(|found| found != Placeholder::Brackets || literal())
        || (kept || dotenv) && around == Surroundings::Credential
        || kept && !is_file_name(&item.name) && around == Surroundings::Unknown
}

/// Returns `true` if whoever reads the value gets all of it, also quotes and blanks: in a Secret, and in a list of
/// `NAME=value`, as in a process.
pub(super) fn keeps_all(group: &Group, item: &Item) -> bool {
    is_secret_data(group) || item.encoding == Encoding::Base64 || group.assigned
}

fn is_secret_data(group: &Group) -> bool {
    group.path.last().is_some_and(|table| table == "stringData")
}

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
                return match () {
                    () if self.matches(item, is_hex) => Some(Oddity::NotEncoded),
                    () if said && self.matches(item, is_long_word) => Some(Oddity::ProbablyNotEncoded),
                    () => None,
                };
            }
            Encoding::Plain | Encoding::Base64 => {}
            Encoding::Broken | Encoding::Reference => return None,
        }
        if item.encoding == Encoding::Base64 || is_secret_data(group) {
            if item.name == ".dockerconfigjson" {
                return self.matches(item, has_login_with_line_break).then_some(Oddity::LineBreakInLogin);
            }
            if !is_file_name(&item.name) && self.matches(item, ends_in_line_break) {
                return Some(Oddity::LineBreak);
            }
            if says_credential(&item.name) && self.matches(item, is_encoded_text) {
                return Some(Oddity::EncodedTwice);
            }
        }
        if self.is_shell_input(group, item) {
            return Some(Oddity::NotExpandedInWorkflow);
        }
        if self.matches(item, |text| text.contains("://") && text.contains('@')) {
            if self.matches(item, is_cut_address) {
                return Some(Oddity::CutAddress);
            }
            if is_compose(group, self.file) && self.is_cut_by_variable(item) {
                return Some(Oddity::CutByVariable);
            }
        }
        if self.matches(item, is_broken_json) {
            return Some(Oddity::BrokenJson);
        }
        if !known && !says_credential(&item.name) {
            return None;
        }
        if self.is_left_template(group, item) {
            return Some(Oddity::Template);
        }
        if self.is_quoted_line(group, item) {
            return Some(Oddity::QuotedLine);
        }
        if self.has_bare_hash(group, item) {
            return Some(Oddity::HashInDotenv);
        }
        self.expanded(group, item).or_else(|| self.is_without_section(group, item).then_some(Oddity::NoSection))
    }

    /// Returns what an unknown value under the name of a key or token certainly is instead.
    pub(super) fn another_kind(&self, item: &Item) -> Option<Oddity> {
        const KEYS: [&[&str]; 6] =
            [&["token"], &["password"], &["api", "key"], &["access", "key"], &["secret", "key"], &["pat"]];
        let words = text::words(&item.name);
        let own: Vec<&str> = words.iter().map(String::as_str).collect();
        if !KEYS.iter().any(|end| own.ends_with(end)) {
            return None;
        }
        let value = item.literal_value()?;
        let facts = self.vault.facts(value);
        if !facts.is_real() {
            return None;
        }
        let is_endpoint = own.iter().any(|word| matches!(*word, "oauth" | "change" | "reset" | "forgot" | "refresh"));
        match () {
            () if own.last() != Some(&"password") && value_matches(self.vault, value, is_email) => Some(Oddity::Email),
            () if value_matches(self.vault, value, form::is_token_payload) => Some(Oddity::TokenPart),
            () if facts.form().is_some() || is_endpoint => None,
            // Other schemes name places in a store of secrets.
            () if facts.url && !facts.whitespace && value_matches(self.vault, value, is_plain_address) => {
                Some(Oddity::Address)
            }
            () => None,
        }
    }

    fn matches(&self, item: &Item, test: impl FnOnce(&str) -> bool) -> bool {
        value_matches(self.vault, item.value, test)
    }

    /// Returns the file's text behind a name: the text that the value was written as.
    fn written(&self, group: &Group, item: &Item) -> Option<&str> {
        self.text.filter(|_| group.embedded_in.is_none())?.get(item.at.span.end..)
    }

    /// Returns what is wrong with a file that a variable of a dotenv file names. One that is not here may be in a container.
    fn named_file(&self, group: &Group, item: &Item) -> Option<Oddity> {
        let directory = self.path?.parent()?;
        let dotenv = self.file_type.dialect == Dialect::Dotenv && group.embedded_in.is_none();
        let mut flaw = None;
        if dotenv {
            self.matches(item, |value| {
                flaw = named_file_flaw(&item.name, value, directory);
                true
            });
        }
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
            name.len() > 2
                && name.bytes().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit() || byte == b'_')
        };
        input && named() && self.matches(item, variable)
    }

    /// Returns `true` for `{{ NAME }}` in a file of Java properties whose name and directories say of no tool that it
    /// fills it in.
    fn is_left_template(&self, group: &Group, item: &Item) -> bool {
        const TOOLS: [&str; 14] = [
            "j2", "jinja", "jinja2", "tpl", "tmpl", "template", "templates", "erb", "mustache", "hbs", "in", "roles",
            "charts", "ansible",
        ];
        let properties = self.file_type.dialect == Dialect::Properties && group.embedded_in.is_none();
        let of_tool = |path: &str| path.split(['/', '\\', '.', '-', '_']).any(|part| TOOLS.contains(&part));
        let whole = |text: &str| text.starts_with("{{") && text.ends_with("}}");
        properties && self.file.is_some_and(|file| !of_tool(file)) && self.matches(item, whole)
    }

    /// Returns `true` for a `#` in a value of a dotenv file that is written without quotes.
    fn has_bare_hash(&self, group: &Group, item: &Item) -> bool {
        let bare = |text: &str| text.strip_prefix('=').is_some_and(|value| !value.starts_with(['"', '\'', '`', '#']));
        self.file_type.dialect == Dialect::Dotenv
            && self.written(group, item).is_some_and(bare)
            && item.literal_value().is_some_and(|value| self.vault.facts(value).is_real())
            && self.matches(item, |text| text.contains('#') && !text.contains("://"))
    }

    /// Returns `true` for a dotenv file that Docker Compose reads, by the file next to it.
    fn is_env_of_compose(&self) -> bool {
        const FILES: [&str; 4] = ["compose.yaml", "compose.yml", "docker-compose.yaml", "docker-compose.yml"];
        let directory = self.path.filter(|path| path.file_name().is_some_and(|name| name == ".env"));
        let directory = directory.and_then(Path::parent);
        directory.is_some_and(|directory| FILES.iter().any(|name| directory.join(name).is_file()))
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
        let mut dollars = Vec::new();
        self.matches(item, |text| {
            dollars = dollar_names(text);
            true
        });
        if compose && dollars.contains(&Dollar::Rejected) {
            return Some(Oddity::RejectedByCompose);
        }
        let names = dollars.into_iter().filter_map(|dollar| match dollar {
            Dollar::Name(name) => Some(name),
            Dollar::Rejected => None,
        });
        let names: Vec<String> = names.collect();
        if names.is_empty() {
            return None;
        }
        let is_set = |name: &String| match (compose, self.text) {
            (true, _) => false,
            (false, Some(text)) => assigns(text, name),
            (false, None) => true,
        };
        let unset: Vec<String> = names.into_iter().filter(|name| !is_set(name)).collect();
        if dotenv {
            return (!unset.is_empty() && self.is_env_of_compose()).then_some(Oddity::ExpandedInDotenv);
        }
        let is_left = unset.iter().any(|name| !self.variables_beside().contains_key(name));
        let oddity = if compose { Oddity::ExpandedByCompose } else { Oddity::ExpandedByShell };
        is_left.then_some(oddity)
    }

    /// Returns `true` for an address that takes a password with a character that ends it from a variable of the `.env`
    /// next to the file.
    fn is_cut_by_variable(&mut self, item: &Item) -> bool {
        let mut name = None;
        self.matches(item, |text| {
            name = password_variable(text).map(str::to_owned);
            true
        });
        let Some(value) = name.and_then(|name| self.variables_beside().get(&name).copied()) else { return false };
        value_matches(self.vault, value, |text| text.contains(['@', ':', '/', '?', '#', '[', ']']))
    }

    /// Returns the variables of the `.env` next to the file, from which Docker Compose takes what it expands.
    fn variables_beside(&mut self) -> &Variables {
        /// A larger file is not read for its names.
        const MOST: u64 = 1024 * 1024;
        if self.beside_file.is_none() {
            let read = || {
                let path = self.path?.parent()?.join(".env");
                Some(file::read_text(&path, MOST).ok()?.0)
            };
            let mut found = Variables::new();
            if let Some((text, at)) = read().zip(self.roots.first().map(|root| root.at)) {
                let dialect = (Dialect::Dotenv, at.source);
                for root in read_embedded(&text, dialect, self.vault, inside, &|_| at) {
                    let Node::Table(entries) = root.node else { continue };
                    let scalars = entries.into_iter().filter_map(|entry| match entry.value.node {
                        Node::Scalar(_, value) => Some((entry.key, value)),
                        _ => None,
                    });
                    found.extend(scalars);
                }
            }
            self.beside_file = Some(found);
        }
        self.beside_file.get_or_insert_default()
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

/// Returns `true` if a variable's name says that its value is a credential. `KEY` alone may be a sort or cache key.
pub(super) fn says_credential(name: &str) -> bool {
    const ENDS: [&[&str]; 14] = [
        &["token"],
        &["secret"],
        &["password"],
        &["passphrase"],
        &["pass"],
        &["pat"],
        &["credentials"],
        &["dsn"],
        &["api", "key"],
        &["access", "key"],
        &["secret", "key"],
        &["private", "key"],
        &["signing", "key"],
        &["encryption", "key"],
    ];
    /// Words that say nothing alone, in a name of one word.
    const SHORT: [&str; 4] = ["pass", "pat", "secret", "credentials"];
    /// Words of switches: `VNC_NO_PASSWORD`, `ALLOW_EMPTY_PASSWORD`.
    const SWITCHES: [&str; 12] = [
        "no", "allow", "enable", "disable", "skip", "require", "use", "empty", "without", "generate", "random",
        "placeholder",
    ];
    let words = text::words(name);
    let own: Vec<&str> = words.iter().map(String::as_str).collect();
    let alone = matches!(own[..], [word] if SHORT.contains(&word));
    // A token of Cargo's may be a whole header. Source: <https://doc.rust-lang.org/cargo/reference/config.html#credentials>.
    if name.starts_with("CARGO_REGISTR") {
        return false;
    }
    // What a form shows in an empty field, as in the texts of an interface.
    !alone && !own.iter().any(|word| SWITCHES.contains(word)) && ENDS.iter().any(|end| own.ends_with(end))
}

/// Returns `true` for the name of a variable of a process that says that its value is a credential. credlint's own
/// variables are excluded, because other rules check them.
pub(super) fn is_secret(name: &str) -> bool {
    says_credential(name) && !name.to_uppercase().starts_with("CREDLINT_")
}

/// Returns `true` for a service's environment in a file of Docker Compose.
fn is_compose(group: &Group, file: Option<&str>) -> bool {
    let named = file.and_then(|file| file.rsplit(['/', '\\']).next()).is_some_and(|name| name.contains("compose"));
    named
        && group.embedded_in.is_none()
        && group.path.first().is_some_and(|first| first == "services")
        && group.path.last().is_some_and(|last| last == "environment")
}

/// Returns `true` for a key that is the name of a file, which rightly ends in a line break.
fn is_file_name(key: &str) -> bool {
    let words = text::words(key);
    const FILES: [&str; 16] = [
        "file", "hosts", "config", "cert", "pub", "ca", "bundle", "users", "auth", "htpasswd", "json", "keyfile",
        "userlist", "publickey", "agekey", "credentials",
    ];
    let is = |word: &String| FILES.contains(&word.as_str());
    key.contains('.') || words.iter().any(is)
}

fn ends_in_line_break(text: &str) -> bool {
    let bare = text.trim_end_matches(['\r', '\n']);
    // Documents, templates, and the lines of an htpasswd file.
    let other = bare.starts_with(['{', '[', '-']) || bare.contains("{{") || bare.contains(":$");
    bare.len() < text.len() && !bare.trim().is_empty() && !bare.contains('\n') && !other
}

fn is_hex(text: &str) -> bool {
    let digits = text.bytes().filter(u8::is_ascii_digit).count();
    text.len() >= 16 && digits > 0 && digits < text.len() && text.bytes().all(|byte| byte.is_ascii_hexdigit())
}

/// Returns `true` for many letters and digits without a sign of base64: of as many random bytes, few have none.
fn is_long_word(text: &str) -> bool {
    let of_digits = text.as_bytes().chunk_by(|one, other| one.is_ascii_digit() == other.is_ascii_digit());
    text.len() >= 40 && text.bytes().all(|byte| byte.is_ascii_alphanumeric()) && of_digits.count() > 3
}

/// Returns `true` for base64 of a text of one line. Random letters decode to bytes; a login has a colon.
fn is_encoded_text(text: &str) -> bool {
    let plain = |decoded: &str| {
        decoded.len() >= 12 && decoded.bytes().all(|byte| byte.is_ascii_graphic()) && !decoded.contains([':', '{', '"'])
    };
    text.len() >= 16 && form::decode_base64(text).is_ok_and(|decoded| plain(decoded.trim_end()))
}

/// Returns `true` for an address of the web that names no place in a store of secrets.
fn is_plain_address(text: &str) -> bool {
    text.starts_with("http") && !text.contains(".vault.azure.net/")
}

fn is_email(text: &str) -> bool {
    let Some((user, host)) = text.split_once('@') else { return false };
    let plain = |part: &str, more: &[u8]| {
        !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_alphanumeric() || more.contains(&byte))
    };
    let domain = host.rsplit('.').next().filter(|last| last.len() < host.len());
    plain(user, b"._+-")
        && plain(host, b".-")
        && domain
            .is_some_and(|last| (2..=6).contains(&last.len()) && last.bytes().all(|byte| byte.is_ascii_alphabetic()))
}

/// Returns `true` for a document with a login, in base64, that ends in a line break.
fn has_login_with_line_break(text: &str) -> bool {
    let Ok(document) = serde_json::from_str::<serde_json::Value>(text) else { return false };
    let logins = document.get("auths").and_then(serde_json::Value::as_object).into_iter().flat_map(|all| all.values());
    let mut encoded = logins.filter_map(|login| login.get("auth")?.as_str());
    encoded.any(|login| form::decode_base64(login).is_ok_and(|login| login.ends_with(['\n', '\r'])))
}

/// Returns `true` for a JSON object that can be parsed once the line breaks inside its texts are gone.
fn is_broken_json(text: &str) -> bool {
    let parses = |text: &str| serde_json::from_str::<serde::de::IgnoredAny>(text).is_ok();
    if !text.trim_start().starts_with('{') || !text.contains('\n') || !text.contains("private_key") || parses(text) {
        return false;
    }
    parses(&zeroize::Zeroizing::new(text.replace(['\n', '\r'], " ")))
}

/// What follows a `$`.
#[derive(PartialEq, Eq)]
enum Dollar {
    /// A name without braces, which may be part of a password.
    Name(String),
    /// Neither a name nor a brace nor another `$`.
    Rejected,
}

/// Returns what each `$` in a value means, unless it is meant as a reference: in braces, in capitals, or the whole value.
fn dollar_names(text: &str) -> Vec<Dollar> {
    let mut found = Vec::new();
    // Whoever writes a template knows what a `$` is.
    if text.contains("${") || text.contains("$(") || text.contains("://") {
        return found;
    }
    let mut rest = text;
    while let Some(at) = rest.find('$') {
        let after = &rest[at + 1..];
        let length = after.bytes().take_while(|byte| byte.is_ascii_alphanumeric() || *byte == b'_').count();
        let name = &after[..length];
        let skipped = if after.starts_with('$') {
            1
        } else {
            match name.bytes().next() {
                None => found.push(Dollar::Rejected),
                Some(first) if first.is_ascii_digit() => found.push(Dollar::Rejected),
                Some(_) if is_part_of_password(name, text) => found.push(Dollar::Name(name.to_owned())),
                Some(_) => {}
            }
            length
        };
        rest = &after[skipped..];
    }
    found
}

/// Returns `true` for a name that nobody gives a variable: with digits among letters, or capitals among small letters.
fn is_part_of_password(name: &str, text: &str) -> bool {
    let has = |is: fn(&u8) -> bool| name.as_bytes().iter().any(is);
    let mixed = has(u8::is_ascii_lowercase) && (has(u8::is_ascii_digit) || has(u8::is_ascii_uppercase));
    mixed && !name.contains('_') && text.len() > name.len() + 1
}

/// Returns `true` if a script sets a variable.
fn assigns(text: &str, name: &str) -> bool {
    text.match_indices(name).any(|(at, _)| {
        let word = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
        let before = &text[..at];
        let whole = !before.bytes().next_back().is_some_and(word);
        let rest = &text[at + name.len()..];
        let taken = ["read", "for", "-r", "local", "declare", "-v", "getopts"];
        let command = before.trim_end_matches([' ', '\t']).rsplit([' ', '\t', '\n']).next();
        whole
            && !rest.bytes().next().is_some_and(word)
            && (rest.starts_with('=') || command.is_some_and(|word| taken.contains(&word)))
    })
}

/// Returns the variable that an address takes its password from: `scheme://user:${NAME}@host`.
fn password_variable(text: &str) -> Option<&str> {
    let (_, rest) = text.split_once("://")?;
    let (_, rest) = rest.split_once(":$")?;
    let (name, rest) = match rest.strip_prefix('{') {
        Some(braced) => {
            let (inner, rest) = braced.split_once('}')?;
            (inner.split([':', '-', '?']).next()?, rest)
        }
        None => rest.split_at(rest.bytes().take_while(|byte| byte.is_ascii_alphanumeric() || *byte == b'_').count()),
    };
    rest.starts_with('@').then_some(name)
}

/// Returns `true` for an address whose password ends it, so that what is read as its host, path or fragment is another one
/// than meant.
fn is_cut_address(text: &str) -> bool {
    let Some((scheme, rest)) = text.trim().split_once("://") else { return false };
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"+-._".contains(&byte);
    // Templates, lists of hosts, and texts around an address.
    if scheme.is_empty() || !scheme.bytes().all(plain) || rest.contains(['{', '<', '$', ',', ' ', '\n', '[', '\'', '"'])
    {
        return false;
    }
    let end = rest.find(['/', '?', '#']).unwrap_or(rest.len());
    let (authority, behind) = rest.split_at(end);
    let web = scheme.eq_ignore_ascii_case("http") || scheme.eq_ignore_ascii_case("https");
    if let Some((login, _)) = authority.rsplit_once('@') {
        let password = login.split_once(':').map_or("", |(_, password)| password);
        // `user@example.com` is a name that many servers take.
        return password.contains('@') || behind.starts_with('#') && behind.contains('@') && !web;
    }
    let Some((user, port)) = authority.rsplit_once(':') else { return false };
    let number = !port.is_empty() && port.len() <= 5 && port.bytes().all(|byte| byte.is_ascii_digit());
    if user.is_empty() || port.is_empty() || !behind.contains('@') {
        return false;
    }
    // `https://h.example:8443/@ann`.
    !number || !web && !behind.starts_with('/')
}

/// Returns `true` if a setting's value was found where nothing takes off what is around it.
pub(super) fn is_kept(place: Place, group: &Group, item: &Item) -> bool {
    place == Place::Environment || keeps_all(group, item)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_secrets() {
        for name in ["DB_PASSWORD", "apiKey", "TOKEN", "CI_PAT", "db.passphrase", "SENTRY_DSN"] {
            assert!(is_secret(name), "{name}");
        }
        for name in [
            "CREDLINT_STORAGE__A__APPLICATION_KEY", "KEYS", "SORT_KEY", "pass", "loginPasswordPlaceholder",
            "VNC_NO_PASSWORD",
        ] {
            assert!(!is_secret(name), "{name}");
        }
    }

    #[test]
    fn password_that_ends_address_is_found() {
        for text in [
            "postgres://r:h#abc@10.1.2.3:5432/shop", "b2://0051:K005ab/cd@nightly/home", "amqp://u:a?b@mq/vhost",
            "postgres://u:Harbor@tide#1@db/app", "redis://:p@ss@cache:6379", "postgres://u:12#x@db/app",
            "https://bot:tok/en@git.example.com/x",
        ] {
            assert!(is_cut_address(text), "{text}");
        }
        for text in [
            "postgres://r:h%23abc@10.1.2.3:5432/shop", "https://h.example:8443/@ann/feed",
            "https://cdn.example/p@1.2.3", "smtp://ann@example.com:secret@mail.example.com",
            "http://localhost:3000/users/@me", "redis://cache:6379/0", "mongodb://u:p@a:1,b:2/db?x=@y",
            "postgres://u:${PASSWORD}@db/app", "https://k@o1.ingest.sentry.io/2", "ssh://git@host:2222/a@b",
            "https://h.example/a?mail=ann@b.example", "a@b", "",
        ] {
            assert!(!is_cut_address(text), "{text}");
        }
    }

    #[test]
    fn password_variable_of_address() {
        for (text, name) in [
            ("postgres://app:${DB_PASSWORD}@db:5432/app", Some("DB_PASSWORD")),
            ("postgres://app:$DB_PASSWORD@db", Some("DB_PASSWORD")),
            ("postgres://${USER}:${PASS:-x}@db", Some("PASS")),
            ("postgres://app:${DB_PASSWORD}x@db", None),
            ("http://h:${PORT}/", None),
        ] {
            assert_eq!(password_variable(text), name, "{text}");
        }
    }

    #[test]
    fn dollars_of_a_password() {
        let kinds = |text: &str| -> Vec<bool> {
            dollar_names(text).iter().map(|dollar| matches!(dollar, Dollar::Name(_))).collect()
        };
        assert_eq!(kinds("Lm$kd9x"), [true]);
        assert_eq!(kinds("Lm$9x"), [false]);
        assert_eq!(kinds("ends$"), [false]);
        for text in ["$kd9x", "Lm$$kd9x", "${kd9x}-a", "pre-$HOME", "a$user", "postgres://$dbUser:$dbPass@db", "plain"]
        {
            assert!(kinds(text).is_empty(), "{text}");
        }
    }
}
