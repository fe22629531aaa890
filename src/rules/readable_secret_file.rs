use crate::config::{Form, Origin, Profile, Setting};
use crate::profile::Assessment;
use crate::rule::{Draft, Sink, rule};
use crate::schema::Role;
use crate::secret::{Facts, MASK};
use crate::source::{SourceId, Spot};

rule! {
    #[doc = include_str!("../../docs/rules/readable-secret-file.md")]
    ReadableSecretFile: profile, all_profiles {
        id: "readable-secret-file",
        summary: "a file with a secret that other users can read",
        severity: Warning, impact: Readable, scope: "any", readers: DECLARED, since: "0.1.0",
    }
}

/// Returns the advice, with the path of the file if it may be named.
fn help(secret: &Setting) -> String {
    // No command to paste: the path is relative to the file that names it, and that is seldom where commands are run.
    let file = match &secret.form {
        Form::File(path) if !path.contains(MASK) => format!("`{path}`"),
        _ => "the file".to_owned(),
    };
    format!(
        "run `chmod 600` on {file}, and rotate the secret if others may have read it; or pass the secret in the environment"
    )
}

fn profile(profile: &Profile, sink: &mut Sink<'_>) {
    let exposed: Vec<&Setting> = profile.credentials().filter(|setting| is_exposed(setting)).collect();
    for (index, secret) in exposed.iter().enumerate() {
        // A file that several settings refer to is one finding.
        let same = |other: &&&Setting| {
            secret.form == Form::Literal && other.form == Form::Literal && other.layer == secret.layer
        };
        if exposed[..index].iter().any(|other| same(&other)) {
            continue;
        }
        let (what, text) = match secret.form {
            Form::Literal => ("is in", "in a file that other users can read"),
            _ => ("is read from", "other users can read this file"),
        };
        let message = format!("`{}` {what} a file that other users of this machine can read", secret.key);
        let draft = Draft::new(message, help(secret)).key(secret, text);
        let more = exposed[index + 1..].iter().filter(same);
        sink.push(more.fold(draft, |draft, other| draft.key(other, "also readable by others")));
    }
}

/// A dotenv file that several profiles use is one finding.
fn all_profiles(profiles: &[&Profile], sink: &mut Sink<'_>) {
    let spoken: Vec<SourceId> = profiles
        .iter()
        .flat_map(|profile| profile.credentials())
        .filter(|setting| is_exposed(setting) && setting.form == Form::Literal)
        .map(|setting| setting.at.source)
        .collect();
    let mut served: Vec<Served<'_>> = Vec::new();
    for profile in profiles {
        let settings = profile.credentials().filter(|setting| is_served(profile, setting));
        served.extend(settings.filter_map(|setting| Some(Served { profile, setting, at: setting.found? })));
    }
    served.retain(|one| !spoken.contains(&one.at.source));
    for (index, one) in served.iter().enumerate() {
        if served[..index].iter().any(|before| before.at.source == one.at.source) {
            continue;
        }
        let message = format!("`{}` is read from a file that other users of this machine can read", one.setting.key);
        let draft = Draft::new(message, help(one.setting)).profile(one.profile);
        let mut draft = draft.at(&one.setting.key, one.at, "in a file that other users can read");
        let mut shown = vec![one.at];
        for other in served[index..].iter().filter(|other| other.at.source == one.at.source) {
            if !shown.contains(&other.at) {
                shown.push(other.at);
                draft = draft.at(&other.setting.key, other.at, "also readable by others");
            }
        }
        sink.push(draft);
    }
}

/// A setting whose value comes from a dotenv file.
#[derive(Clone, Copy)]
struct Served<'a> {
    profile: &'a Profile,
    setting: &'a Setting,
    at: Spot,
}

/// A dotenv file often belongs to another program or is a checked-in example, so only definite credentials count.
fn is_served(profile: &Profile, setting: &Setting) -> bool {
    matches!(setting.form, Form::Env(_))
        && setting.exposed
        && setting.field.role == Role::Secret
        && setting.facts().is_some_and(|facts| facts.is_real() && !facts.sample)
        && matches!(Assessment::from_setting(profile, setting), Assessment::Recognised(_))
}

/// `literal-secret` reports secrets in a shared file, which must be moved whatever the file's mode.
fn is_exposed(setting: &Setting) -> bool {
    let travels = setting.form == Form::Literal && matches!(setting.origin, Origin::Project | Origin::Given);
    let reference = matches!(setting.form, Form::Env(_));
    setting.exposed
        && !travels
        && !reference
        && setting.field.role == Role::Secret
        && setting.facts().is_some_and(Facts::is_real)
}
