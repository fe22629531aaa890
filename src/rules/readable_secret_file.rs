use std::collections::HashMap;

use crate::config::{Origin, Profile, Setting, WrittenAs};
use crate::profile::Assessment;
use crate::rule::{Sink, rule};
use crate::schema::Role;
use crate::secret::MASK;
use crate::source::SourceId;

rule! {
    ReadableSecretFile("readable-secret-file"): all_profiles, "a file with a secret that other users can read",
    severity: Warning, impact: Readable, scope: "any", readers: DECLARED, since: "0.1.0",
}

/// Returns the advice, with the path of the file if it may be named.
fn help(secret: &Setting) -> String {
    // No command to paste: the path is relative to the file that names it, and that is seldom where commands are run.
    let file = match &secret.form {
        WrittenAs::File(path) if !path.contains(MASK) => format!("`{path}`"),
        _ => "the file".to_owned(),
    };
    format!(
        "run `chmod 600` on {file}, and rotate the secret if others may have read it; or pass the secret in the environment"
    )
}

/// A file of the configuration gives one finding, whichever profiles use it.
fn all_profiles(profiles: &[&Profile], sink: &mut Sink<'_>) {
    let mut files: Vec<Vec<(&Profile, &Setting)>> = Vec::new();
    let mut numbers: HashMap<SourceId, usize> = HashMap::new();
    for profile in profiles {
        for secret in profile.credentials().filter(|secret| is_readable(profile, secret)) {
            let source = match secret.form {
                WrittenAs::Literal => Some(secret.at.source),
                WrittenAs::Env(_) => secret.found.map(|found| found.source),
                // Each reference names a file of its own.
                WrittenAs::File(_) => None,
            };
            let new = files.len();
            let number = source.map_or(new, |source| *numbers.entry(source).or_insert(new));
            match files.get_mut(number) {
                Some(secrets) => secrets.push((profile, secret)),
                None => files.push(vec![(profile, secret)]),
            }
        }
    }
    for secrets in files {
        let (profile, first) = secrets[0];
        let (what, text) = match first.form {
            WrittenAs::Literal => ("is in", "in a file that other users can read"),
            WrittenAs::Env(_) => ("is read from", "in a file that other users can read"),
            WrittenAs::File(_) => ("is read from", "other users can read this file"),
        };
        let message = format!("`{}` {what} a file that other users of this machine can read", first.key);
        let mut shown = Vec::new();
        let mut draft = finding(message, help(first)).profile(profile);
        for (_, secret) in secrets {
            let text = if shown.is_empty() { text } else { "also readable by others" };
            // A variable is shown where it was found, once for all profiles that refer to it.
            let at = secret.found.unwrap_or(secret.at);
            if !shown.contains(&at) {
                shown.push(at);
                draft = match secret.found {
                    Some(at) => draft.at(&secret.key, at, text),
                    None => draft.key(secret, text),
                };
            }
        }
        sink.push(draft);
    }
}

/// Returns `true` if others can read the file that a secret is in. `literal-secret` reports secrets in a shared file, which
/// must be moved whatever the file's mode.
fn is_readable(profile: &Profile, secret: &Setting) -> bool {
    let Some(facts) = secret.facts().filter(|facts| facts.is_real()) else { return false };
    let counts = match secret.form {
        WrittenAs::Literal => !matches!(secret.origin, Origin::Project | Origin::Given),
        WrittenAs::File(_) => true,
        // A dotenv file often belongs to another program or is a checked-in example, so only definite credentials count.
        WrittenAs::Env(_) => {
            !facts.sample && matches!(Assessment::from_setting(profile, secret), Assessment::Recognised(_))
        }
    };
    counts && secret.exposed && secret.field.role == Role::Secret
}
