//! Tests of a text alone.

use std::collections::HashSet;

use crate::form;
use crate::text::is_word_of;

pub(super) fn ends_in_line_break(text: &str) -> bool {
    let bare = text.trim_end_matches(['\r', '\n']);
    // Documents, templates, and the lines of an htpasswd file.
    let other = bare.starts_with(['{', '[', '-']) || bare.contains("{{") || bare.contains(":$");
    bare.len() < text.len() && !bare.trim().is_empty() && !bare.contains('\n') && !other
}

pub(super) fn is_hex(text: &str) -> bool {
    let digits = text.bytes().filter(u8::is_ascii_digit).count();
    text.len() >= 16 && digits > 0 && digits < text.len() && text.bytes().all(|byte| byte.is_ascii_hexdigit())
}

/// Returns `true` for many letters and digits without a sign of base64: of as many random bytes, few have none.
pub(super) fn is_long_word(text: &str) -> bool {
    let of_digits = text.as_bytes().chunk_by(|one, other| one.is_ascii_digit() == other.is_ascii_digit());
    text.len() >= 40 && text.bytes().all(|byte| byte.is_ascii_alphanumeric()) && of_digits.count() > 3
}

/// Returns `true` for base64 of a text of one line. Random letters decode to bytes; a login has a colon.
pub(super) fn is_encoded_text(text: &str) -> bool {
    let plain = |decoded: &str| {
        decoded.len() >= 12 && decoded.bytes().all(|byte| byte.is_ascii_graphic()) && !decoded.contains([':', '{', '"'])
    };
    text.len() >= 16 && form::decode_base64(text).is_ok_and(|decoded| plain(decoded.trim_end()))
}

/// Returns `true` for an address of the web that names no place in a store of secrets.
pub(super) fn is_plain_address(text: &str) -> bool {
    text.starts_with("http") && !text.contains(".vault.azure.net/")
}

pub(super) fn is_email(text: &str) -> bool {
    let Some((user, host)) = text.split_once('@') else { return false };
    let plain = |part: &str, more: &str| !part.is_empty() && is_word_of(part, more);
    let domain = host.rsplit('.').next().filter(|last| last.len() < host.len());
    plain(user, "._+-")
        && plain(host, ".-")
        && domain
            .is_some_and(|last| (2..=6).contains(&last.len()) && last.bytes().all(|byte| byte.is_ascii_alphabetic()))
}

/// Returns `true` for base64 of a text without a user and a colon, as a login of Docker begins.
pub(super) fn has_no_user(login: &str) -> bool {
    form::decode_base64(login).is_ok_and(|login| !login.trim().is_empty() && !login.contains(':'))
}

/// Returns `true` for a JSON object that can be parsed once the line breaks inside its texts are gone.
pub(super) fn is_broken_json(text: &str) -> bool {
    let parses = |text: &str| serde_json::from_str::<serde::de::IgnoredAny>(text).is_ok();
    if !text.trim_start().starts_with('{') || !text.contains('\n') || !text.contains("private_key") || parses(text) {
        return false;
    }
    parses(&zeroize::Zeroizing::new(text.replace(['\n', '\r'], " ")))
}

/// Returns what follows each `$` in a value, unless it is meant as a reference: in braces, in capitals, or the whole value.
/// That is a name without braces, which may be part of a password, or `None` if it is neither a name nor another `$`.
pub(super) fn dollar_names(text: &str) -> Vec<Option<String>> {
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
            if name.bytes().next().is_none_or(|first| first.is_ascii_digit()) {
                found.push(None);
            } else if is_mixed(name) && text.len() > length + 1 {
                found.push(Some(name.to_owned()));
            }
            length
        };
        rest = &after[skipped..];
    }
    found
}

/// Returns `true` for a name that nobody gives a variable: with digits among letters, or capitals among small letters.
fn is_mixed(name: &str) -> bool {
    let has = |is: fn(&u8) -> bool| name.as_bytes().iter().any(is);
    let mixed = has(u8::is_ascii_lowercase) && (has(u8::is_ascii_digit) || has(u8::is_ascii_uppercase));
    mixed && !name.contains('_')
}

/// Returns the variables that a script sets, of those whose names may be part of a password.
pub(super) fn assigned_names(text: &str) -> HashSet<String> {
    #[cfg(test)]
    crate::text::work::add(text.len());
    const TAKES: [&str; 7] = ["read", "for", "-r", "local", "declare", "-v", "getopts"];
    let word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let (mut found, mut before, mut at) = (HashSet::new(), "", 0);
    while let Some(start) = text[at..].find(word).map(|offset| at + offset) {
        let end = text[start..].find(|c| !word(c)).map_or(text.len(), |length| start + length);
        let name = &text[start..end];
        if is_mixed(name) && (text[end..].starts_with('=') || TAKES.contains(&before)) {
            found.insert(name.to_owned());
        }
        let flag = text[..start].ends_with('-');
        before = if flag { &text[start - 1..end] } else { name };
        at = end;
    }
    found
}

/// Who fills in a reference inside a text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Mark {
    /// `${NAME}` and `$NAME`: a shell, Docker Compose, a reader of dotenv files.
    Shell,
    /// `$(NAME)`: Kubernetes.
    Kubernetes,
    /// `{{ .Values.NAME }}`: Helm.
    Chart,
}

/// Returns the variable that an address takes its password from as it is: `scheme://user:${NAME}@host`.
pub(super) fn password_variable(text: &str) -> Option<(Mark, &str)> {
    let (_, rest) = text.split_once("://")?;
    let (_, rest) = rest.split_once(":$").or_else(|| rest.split_once(":{"))?;
    let word = |text: &str| text.bytes().take_while(|byte| byte.is_ascii_alphanumeric() || *byte == b'_').count();
    let (mark, name, rest) = if let Some(template) = rest.strip_prefix('{').filter(|_| text.contains(":{{")) {
        let (inner, rest) = template.split_once("}}")?;
        let name = inner.trim().trim_matches('-').trim().strip_prefix(".Values.")?;
        (Mark::Chart, name, rest)
    } else if let Some(braced) = rest.strip_prefix('{') {
        let (inner, rest) = braced.split_once('}')?;
        (Mark::Shell, inner.split([':', '-', '?']).next()?, rest)
    } else if let Some(braced) = rest.strip_prefix('(') {
        let (name, rest) = braced.split_once(')')?;
        (Mark::Kubernetes, name, rest)
    } else {
        let (name, rest) = rest.split_at(word(rest));
        (Mark::Shell, name, rest)
    };
    let plain = name.split('.').all(|part| !part.is_empty() && word(part) == part.len());
    (plain && rest.starts_with('@')).then_some((mark, name))
}

/// Returns `true` for a password with a character that ends it in an address. A file or an address is none.
pub(super) fn has_end_of_password(text: &str) -> bool {
    text.contains(['@', ':', '/', '?', '#', '[', ']']) && !text.contains(['$', '{', '<', ' ', '\n'])
}

/// Returns `true` for the path of a file: several words, with a `/` before each.
pub(in crate::foreign) fn is_path(text: &str) -> bool {
    let rest = ["~/", "./", "../", "/"].iter().find_map(|start| text.strip_prefix(start));
    let plain = |part: &str| {
        part.len() > 1
            && part.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || b"._-".contains(&byte))
    };
    let is = |rest: &str| {
        rest.contains('/') && rest.split('/').all(plain) && rest.contains(|c: char| c.is_ascii_lowercase())
    };
    rest.is_some_and(is)
}

/// Returns `true` for a JSON object.
pub(super) fn is_document(text: &str) -> bool {
    text.trim_start().starts_with('{')
        && serde_json::from_str::<serde_json::Map<String, serde_json::Value>>(text)
            .is_ok_and(|object| !object.is_empty())
}

/// Returns `true` for an address whose password ends it, so that what is read as its host, path or fragment is another one
/// than meant.
pub(in crate::foreign) fn is_cut_address(text: &str) -> bool {
    let Some((scheme, rest)) = text.trim().split_once("://") else { return false };
    // Templates, lists of hosts, and texts around an address.
    if scheme.is_empty()
        || !is_word_of(scheme, "+-._")
        || rest.contains(['{', '<', '$', ',', ' ', '\n', '[', '\'', '"'])
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

#[cfg(test)]
mod tests {
    use super::*;

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
    fn paths_and_documents_are_told() {
        for text in ["/etc/keys/app.key", "~/keys/a1", "./keys/api.txt", "/run/secrets/api_key"] {
            assert!(is_path(text), "{text}");
        }
        for text in ["/Zx9Lm4/t7Yb1", "/a/b", "/token", "abc/def", "//x", "/12/34", ""] {
            assert!(!is_path(text), "{text}");
        }
        assert!(is_document(r#"{"a": 1}"#) && !is_document("{}") && !is_document("{{ a }}") && !is_document("[1]"));
    }

    #[test]
    fn password_variable_of_address() {
        for (text, name) in [
            ("postgres://app:${DB_PASSWORD}@db:5432/app", Some((Mark::Shell, "DB_PASSWORD"))),
            ("postgres://app:$DB_PASSWORD@db", Some((Mark::Shell, "DB_PASSWORD"))),
            ("postgres://${USER}:${PASS:-x}@db", Some((Mark::Shell, "PASS"))),
            ("postgres://app:$(DB_PASSWORD)@db", Some((Mark::Kubernetes, "DB_PASSWORD"))),
            ("postgres://app:{{ .Values.db.password }}@db", Some((Mark::Chart, "db.password"))),
            ("postgres://app:{{ .Values.db.password | urlquery }}@db", None),
            ("postgres://app:${DB_PASSWORD}x@db", None),
            ("http://h:${PORT}/", None),
        ] {
            assert_eq!(password_variable(text), name, "{text}");
        }
    }

    #[test]
    fn dollars_of_a_password() {
        let kinds = |text: &str| -> Vec<bool> { dollar_names(text).iter().map(Option::is_some).collect() };
        assert_eq!(kinds("Lm$kd9x"), [true]);
        assert_eq!(kinds("Lm$9x"), [false]);
        assert_eq!(kinds("ends$"), [false]);
        for text in ["$kd9x", "Lm$$kd9x", "${kd9x}-a", "pre-$HOME", "a$user", "postgres://$dbUser:$dbPass@db", "plain"]
        {
            assert!(kinds(text).is_empty(), "{text}");
        }
    }
}
