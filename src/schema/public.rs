//! Decides which keys and values of a configuration may be printed, by their position.

use super::kind::Kind;
use super::name;
use super::value::shown;
use crate::text;

/// The keys of the `lint` table.
pub const LINT_KEYS: &[&str] = &["fail_on", "levels", "allow", "exclude", "services"];

/// Those that the user's own file may have: a laptop and the pipeline know the same services.
pub const USER_LINT_KEYS: &[&str] = &["fail_on", "levels", "allow", "exclude"];

/// The keys of the `lint` table in a policy.
pub const POLICY_KEYS: [&str; 6] = ["fail_on", "levels", "allow", "exclude", "services", "baseline"];

/// The keys of an element of `lint.allow`.
pub const ALLOW_KEYS: &[&str] = &["rule", "profile", "path", "variable", "until", "reason"];

/// The keys of the `trust` table, which only the user file and a policy may have.
pub const TRUST_KEYS: &[&str] = &["hosts", "references", "override"];

/// The keys of a reference.
pub const REFERENCE_KEYS: &[&str] = &["env", "file"];

/// The top-level tables of a configuration.
pub fn top_keys() -> impl Iterator<Item = &'static str> + Clone {
    Kind::names().chain(["lint", "names"])
}

/// Returns `true` for a top-level key that other programs put into a configuration: editors, templates, SOPS.
pub fn is_ignored_key(key: &str) -> bool {
    matches!(key, "$schema" | "sops") || key.starts_with("x-")
}

/// Returns `true` if a configuration may have this key at its top.
pub fn is_top_key(key: &str) -> bool {
    top_keys().chain(["trust"]).any(|known| known == key) || is_ignored_key(key)
}

/// Returns `true` if the last key of a path may be printed: it [is known](is_known_key), or a plain name. Any other key
/// could be a secret that was pasted in the wrong place.
pub fn is_public_key(path: &[&str]) -> bool {
    is_known_key(path) || path.last().is_some_and(|key| text::is_plain_name(key))
}

/// Returns `true` if the last key of a path is a name that credlint knows, another program's name for a field, or close
/// enough to be a typo of one.
pub fn is_known_key(path: &[&str]) -> bool {
    match path {
        [top] => text::is_typo(top, top_keys().chain(["trust"])),
        ["trust", key] => text::is_typo(key, TRUST_KEYS.iter().copied()),
        ["lint", key] => text::is_typo(key, POLICY_KEYS.iter().copied()),
        ["lint", "allow", key] => text::is_typo(key, ALLOW_KEYS.iter().copied()),
        [kind, name] => Kind::find(kind).is_some() && name::is_profile_name(name),
        [kind, _, field] => Kind::find(kind).is_some_and(|kind| {
            text::is_typo(field, kind.field_names()) || kind.fields_by_alias(field).next().is_some()
        }),
        [kind, _, _, key] => Kind::find(kind).is_some() && text::is_typo(key, REFERENCE_KEYS.iter().copied()),
        _ => false,
    }
}

/// Returns what may be printed of the value at a path, which ends with a field or a reference's key.
pub fn shown_value(path: &[&str], value: &str) -> Option<String> {
    match path {
        ["lint", "levels", _] => shown::level(value),
        ["lint", "allow", "rule"] => shown::rule(value),
        ["lint", "allow", "profile"] => name::shown_id(value),
        ["lint", "allow", "until"] => shown::date(value),
        ["lint", "fail_on"] => shown::severity(value),
        ["lint", "baseline"] => shown::path(value),
        // A file that does not exist could be anything.
        ["lint", "services"] => Some(value).filter(|path| text::is_plain_name(path)).and_then(shown::path),
        ["trust", "hosts"] => shown::host(value),
        ["trust", "references"] => shown::reference_pattern(value),
        [kind, _, field] => Kind::find(kind)?.field(field)?.ty.show(value),
        [kind, _, _, "env"] => Kind::find(kind).and_then(|_| shown::env_name(value)),
        [kind, _, _, "file"] => Kind::find(kind).and_then(|_| shown::path(value)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shows_only_known_names_and_typos() {
        for path in [
            &["messaging"][..],
            &["mesaging"],
            &["lint", "fail_on"],
            &["trust", "references"],
            &["lint", "allow", "reasn"],
            &["messaging", "reports"],
            &["storage", "x", "aplication_key"],
            &["messaging", "x", "token", "env"],
            &["messaging", "x", "bot_token"],
            &["storage", "x", "accountId"],
            &["storage", "x", "secret-access-key"],
            &["storage", "x", "key"],
        ] {
            assert!(is_known_key(path) && is_public_key(path), "{path:?}");
        }
        for path in [
            &["production"][..],
            &["message", "reports"],
            &["messaging", "REPORTS"],
            &["messaging", "x", "key"],
            &["messaging", "x", "my_setting"],
            &["messaging", "x", "token", "environment"],
            &["lint", "levels", "missing-token"],
            &["lint", "allow", "password"],
            &["other", "x"],
        ] {
            assert!(!is_known_key(path) && is_public_key(path), "{path:?}");
        }
        for path in [
            &["hunter2"][..],
            &["messaging", "x", "hunter2"],
            &["messaging", "x", "correcthorsebatterystaple"],
            &["messaging", "x", "qzwv-xkpj-hybd-tmrf"],
            &["storage", "x", "key "],
            &["storage", "x", "keyS3cr"],
            &["messaging", "Xoxb"],
            &["storage", "b", "master_appl\u{1b}[2Jication_key"],
            &["storage", "b", "application_key_idS3cr"],
            &["messaging", "x", "token", "hunter2"],
            &[],
        ] {
            assert!(!is_public_key(path), "{path:?}");
        }
    }

    #[test]
    fn shows_values_of_known_place_and_form() {
        for (path, shown, hidden) in [
            (["lint", "allow", "until"].as_slice(), "2026-12-31", "hunter2"),
            (&["lint", "allow", "profile"], "messaging.reports", "messaging.Xoxb"),
            (&["lint", "allow", "profile"], "storage.x", "other.reports"),
            (&["lint", "fail_on"], "warning", "hunter2"),
            (&["lint", "baseline"], "./baseline.json", "hunter2"),
            (&["trust", "hosts"], "chat.example.com", "hunter2"),
            (&["trust", "hosts"], "localhost", "user@chat.example.com"),
            (&["trust", "references"], "env:REPORTS_*", "env:xoxb-1"),
            (&["trust", "references"], "file:/run/secrets/*", "file:/run/../secrets"),
            (&["messaging", "x", "token", "env"], "REPORTS_TOKEN", "xoxb-1"),
            (&["messaging", "x", "token", "file"], "./token.txt", "hunter2"),
        ] {
            assert_eq!(shown_value(path, shown).as_deref(), Some(shown), "{path:?}");
            assert_eq!(shown_value(path, hidden), None, "{path:?} {hidden}");
        }
    }
}
