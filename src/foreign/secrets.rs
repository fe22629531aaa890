//! Values whose names only say that they are credentials, of whatever service, with something that is hardly ever intended.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::path::Path;

use super::file_type::FileType;
use super::group::{Encoding, Group, Item};
use super::misspelt;
use super::oddity::{is_cut_address, is_file_name};
use super::profiles::{ProfileBuilder, shown_name};
use crate::config::{Listed, Oddity, Place, Profile};
use crate::file::{self, FileError};
use crate::form::Placeholder;
use crate::secret::{Digest, Surroundings};
use crate::source::{Dialect, Spot};
use crate::text;

include!(concat!(env!("OUT_DIR"), "/words_secrets.rs"));

/// The maximum number of values of a file that are kept until it is known who reads it.
const MOST_PENDING: usize = 1000;

/// Returns the values of unknown services with something that is hardly ever intended.
pub(super) fn other_secrets(groups: &[Group], profiles: &[Profile], maker: &mut ProfileBuilder<'_>) -> Vec<Profile> {
    // The values of an embedded file have the same location.
    let known: BTreeSet<(Spot, &str)> =
        profiles.iter().flat_map(|profile| &profile.settings).map(|setting| (setting.at, setting.name())).collect();
    // A pair in an address is known by its ID and its key.
    let mut settings: HashMap<Spot, usize> = HashMap::new();
    for setting in profiles.iter().flat_map(|profile| &profile.settings) {
        *settings.entry(setting.at).or_default() += 1;
    }
    let is_known = |item: &Item| known.contains(&(item.at, shown_name(&item.name).as_str()));
    let mut found = std::mem::take(&mut maker.unread_inputs);
    for group in groups {
        let wanted = |item: &Item| says_credential(&item.name) && !is_known(item);
        for (item, instead) in misspelt::off_neighbours(group, &wanted) {
            found.push(maker.unread_profile(group, item, None, instead));
        }
        for item in &group.items {
            if found.len() >= maker.most {
                return found;
            }
            if maker.pending.len() < MOST_PENDING
                && let Some(oddity) = depends_on_reader(group, item, maker)
            {
                let pending = maker.variable_profile(group, item, Some(oddity));
                maker.pending.push(pending);
            }
            if let Some(flaw) = maker.named_file(group, item) {
                found.push(maker.variable_profile(group, item, Some(flaw)));
            }
            if is_known(item) {
                let is_pair = settings.get(&item.at) == Some(&2) && maker.matches(item, is_cut_address);
                found.extend(is_pair.then(|| maker.variable_profile(group, item, Some(Oddity::CutAddress))));
                continue;
            }
            let odd = maker.oddity(group, item, false).or_else(|| maker.another_kind(item));
            let replaces = || says_credential(&item.name) && maker.repeated.shadow(item).is_some();
            if item.encoding == Encoding::Broken || odd.is_some() || is_wrapped(group, item, maker) || replaces() {
                found.push(maker.variable_profile(group, item, odd));
            }
        }
    }
    found
}

/// Returns what is wrong with a value for some readers of its file: a secret of a dotenv file that is written in quotes, and
/// a variable that the program takes from its environment.
fn depends_on_reader(group: &Group, item: &Item, maker: &ProfileBuilder<'_>) -> Option<Oddity> {
    let of_npm = || maker.file_type.dialect == Dialect::Logins && item.name == "_authToken";
    let taken = |text: &str| text.starts_with("os.environ/") || text.starts_with("${") && of_npm();
    if maker.matches(item, taken) {
        return Some(Oddity::NotPassed);
    }
    is_quoted(group, item, maker).then_some(Oddity::QuotesForDocker)
}

/// The maximum number of values of a file that are listed, although no rule judges them.
const MOST_LISTED: usize = 1000;

/// Lists the values that are in no profile and whose names say that they are credentials, or that have one of these pieces.
/// Nothing if `pieces` is `None`.
pub(super) fn listed(
    groups: &[Group],
    known: [&[Profile]; 2],
    maker: &mut ProfileBuilder<'_>,
    pieces: Option<&[Digest]>,
) -> Listed {
    let mut listed = Listed::default();
    let Some(pieces) = pieces else { return listed };
    let known: HashSet<Spot> =
        known.into_iter().flatten().flat_map(|profile| &profile.settings).map(|setting| setting.at).collect();
    for (group, item) in groups.iter().flat_map(|group| group.items.iter().map(move |item| (group, item))) {
        let Some(value) = item.literal_value().filter(|_| listed.profiles.len() < MOST_LISTED) else { continue };
        let found = maker.vault.pieces(value, pieces, item.name.to_lowercase().contains("pass"));
        if !known.contains(&item.at) && (!found.is_empty() || may_be_credential(&item.name)) {
            listed.profiles.push(maker.variable_profile(group, item, None));
        }
        listed.pieces.extend(found.into_iter().map(|(number, piece)| (item.at, number, piece)));
    }
    listed
}

/// Returns `true` for a name under which somebody may keep a credential: `hftoken`, `GCP_SA_KEY`, `dsn1`.
fn may_be_credential(name: &str) -> bool {
    const INSIDE: [&str; 9] =
        ["token", "secret", "passw", "passphrase", "credential", "apikey", "api_key", "webhook", "dsn"];
    const LAST: [&str; 7] = ["key", "pass", "pat", "auth", "pin", "jwt", "pem"];
    let lower = name.to_lowercase();
    let last = text::words(name).pop().unwrap_or_default();
    INSIDE.iter().any(|word| lower.contains(word))
        || LAST.contains(&last.trim_end_matches(|c: char| c.is_ascii_digit()))
}

/// Returns `true` for a secret of a dotenv file that is written in quotes, which some readers keep.
fn is_quoted(group: &Group, item: &Item, maker: &ProfileBuilder<'_>) -> bool {
    let quoted = |text: &str| text.starts_with("=\"") || text.starts_with("='");
    maker.file_type.dialect == Dialect::Dotenv
        && is_secret(&item.name)
        && maker.written(group, item).is_some_and(quoted)
        && item.literal_value().is_some_and(|value| maker.vault.facts(value).is_real())
}

/// Names of files with credentials that don't end like those of others.
const NAMING_FILES: [&str; 3] = ["GOOGLE_APPLICATION_CREDENTIALS", "AWS_SHARED_CREDENTIALS_FILE", KUBECONFIG];

/// The list of files of kubectl, which leaves out those that are missing.
const KUBECONFIG: &str = "KUBECONFIG";

/// Returns `true` for the name of a variable with the path of a credential's file.
pub(super) fn names_file(name: &str) -> bool {
    NAMING_FILES.contains(&name) || name.strip_suffix("_FILE").is_some_and(says_credential)
}

/// Returns what is wrong with the file that a variable names, as its reader would open it.
pub(super) fn named_file_flaw(name: &str, value: &str, directory: &Path) -> Option<Oddity> {
    /// A larger file is no credential.
    const MOST: u64 = 1024 * 1024;
    if name == KUBECONFIG && value.contains(':') {
        let flaws: Option<Vec<Oddity>> = value.split(':').map(|file| named_file_flaw(name, file, directory)).collect();
        return flaws?.first().copied();
    }
    let path = value.contains(['/', '\\', '.']) && !value.contains(['$', '{', '<', '\n']) && !value.contains("://");
    if !path || !names_file(name) {
        return None;
    }
    // A directory that is not here is that of another machine, or of a container.
    let here = || directory.join(value).parent().is_some_and(Path::is_dir);
    match file::read_text(&directory.join(value), MOST) {
        Err(FileError::NotFound) => here().then_some(Oddity::MissingFile),
        Err(FileError::NotRegular(_)) if directory.join(value).is_dir() => Some(Oddity::Directory),
        Ok((text, _)) if text.trim().is_empty() => Some(Oddity::EmptyFile),
        Ok((text, _)) if name == NAMING_FILES[0] && is_oauth_client(&text) => Some(Oddity::OauthClientFile),
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
    // A copy that is deployed often keeps the words "example configuration".
    const SAID: [&str; 3] = ["copy this file", "rename this file", "this is a template"];
    let comment = |line: &&str| line.starts_with(['#', ';']) || line.starts_with("//");
    let first = text.lines().map(str::trim).filter(|line| !line.is_empty()).take(12).take_while(comment);
    first.map(str::to_lowercase).any(|line| SAID.iter().any(|said| line.contains(said)))
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

pub(super) fn is_secret_data(group: &Group) -> bool {
    group.path.last().is_some_and(|table| table == "stringData")
}

/// Returns `true` if a variable's name says that its value is a credential. `KEY` alone may be a sort or cache key.
pub(super) fn says_credential(name: &str) -> bool {
    /// Words that say nothing alone, in a name of one word.
    const SHORT: [&str; 4] = ["pass", "pat", "secret", "credentials"];
    let words = text::words(name);
    let alone = matches!(&words[..], [word] if SHORT.contains(&word.as_str()));
    // A token of Cargo's may be a whole header. Source: <https://doc.rust-lang.org/cargo/reference/config.html#credentials>.
    // So may a key of RubyGems': GitHub Packages wants `Bearer`.
    // Source: <https://docs.github.com/en/packages/working-with-a-github-packages-registry/working-with-the-rubygems-registry>.
    if name.starts_with("CARGO_REGISTR") || name == "GEM_HOST_API_KEY" {
        return false;
    }
    // What a form shows in an empty field, as in the texts of an interface.
    !alone && !words.iter().any(|word| SWITCHES.contains(&word.as_str())) && text::ends_in(&words, ENDS)
}

/// Returns `true` for the name of a variable of a process that says that its value is a credential. credlint's own
/// variables are excluded, because other rules check them.
pub(super) fn is_secret(name: &str) -> bool {
    says_credential(name) && !name.to_uppercase().starts_with("CREDLINT_")
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
}
