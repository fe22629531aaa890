//! Fields under the names that other programs give them: which field is meant, where several could be.

use super::setting::{Profile, Unknown};

/// Chooses for each foreign name of a profile: what is set already under its own name, or else the other half of what is.
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

/// The same name with another field, in the letters of a variable or of a file.
fn renamed(name: &str, old: &str, new: &str) -> String {
    let (old_upper, new_upper) = (old.to_uppercase(), new.to_uppercase());
    match name.rsplit_once("__") {
        Some((head, field)) => format!("{head}__{}", field.replacen(&old_upper, &new_upper, 1)),
        None => new.to_owned(),
    }
}
