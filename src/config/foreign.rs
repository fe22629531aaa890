//! Resolves keys that are other programs' names for a field, where several fields are possible.

use super::setting::{Profile, Unknown};

/// Chooses a field for each such key: the one that is already set under its own name, or else the counterpart of one
/// that is set.
pub(super) fn choose(profile: &mut Profile) {
    let kind = profile.kind();
    for index in 0..profile.unknown.len() {
        let called = std::mem::take(&mut profile.unknown[index].called);
        let is_set = |field: &str| {
            let meant = |other: &Unknown| other.called.len() == 1 && other.meant == Some(field);
            profile.setting(field).is_some() || profile.unknown.iter().any(meant)
        };
        let taken = called.iter().find(|field| profile.setting(field).is_some());
        let completes = called.iter().find(|field| kind.partner(field).is_some_and(is_set));
        let chosen = taken.or(completes).or(called.first()).copied();
        let unknown = &mut profile.unknown[index];
        if let (Some(old), Some(new)) = (unknown.meant, chosen) {
            unknown.suggestion = unknown.suggestion.take().map(|name| renamed(&name, old, new));
            unknown.meant = Some(new);
        }
        unknown.called = called;
    }
}

/// Replaces the field in a key, in the style of a variable or a file.
fn renamed(name: &str, old: &str, new: &str) -> String {
    let (old_upper, new_upper) = (old.to_uppercase(), new.to_uppercase());
    match name.rsplit_once("__") {
        Some((head, field)) => format!("{head}__{}", field.replacen(&old_upper, &new_upper, 1)),
        None => new.to_owned(),
    }
}
