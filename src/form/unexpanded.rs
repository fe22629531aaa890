//! References that some tool should have expanded.

use zeroize::Zeroizing;

use crate::text;

/// A reference that was not expanded.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Unexpanded {
    /// The tool that should have expanded it.
    pub by: Expander,
    /// True if the value is exactly one reference.
    pub whole: bool,
}

/// The tool that expands a reference.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Expander {
    /// `$NAME`, `${NAME}`, `${NAME:-…}`.
    Shell,
    /// `$(…)`, or a command in backticks.
    Command,
    /// `%NAME%`.
    Windows,
    /// `${{ … }}`, `secrets.NAME`.
    Workflow,
    /// `{{ … }}`, `#{…}#`, `__NAME__`, `@NAME@`, `<%= … %>`.
    Template,
    /// `op://`, `vault:`, `arn:aws:secretsmanager:` and the like, with the tool's name for display.
    Manager(&'static str),
    /// An encrypted value, with the tool that decrypts it.
    Encrypted(&'static str),
    /// `/run/secrets/…`, `file:…`: the path of a file with the value.
    Path,
    /// `SLACK_BOT_TOKEN`, `env:NAME`: the name of a variable with the value.
    Variable,
}

// The words of `src/words.toml`.
include!(concat!(env!("OUT_DIR"), "/words_unexpanded.rs"));

/// Returns the unexpanded reference in a value, ignoring surrounding whitespace.
pub(super) fn find(value: &str) -> Option<Unexpanded> {
    expander(value).map(|by| Unexpanded { by, whole: is_whole(value) })
}

/// Returns `true` if the whole value is one reference.
fn is_whole(value: &str) -> bool {
    const MARKS: &[(&str, &str)] = &[("${{", "}}"), ("{{", "}}"), ("${", "}"), ("<%", "%>"), ("#{", "}"), ("$(", ")")];
    let Some((open, close)) = MARKS.iter().find(|(open, _)| value.contains(open)) else { return true };
    let inner = value.strip_prefix(open).and_then(|rest| rest.strip_suffix(close));
    inner.is_some_and(|inner| !inner.contains(open) && !inner.contains(close))
}

fn expander(value: &str) -> Option<Expander> {
    let start: Zeroizing<String> = Zeroizing::new(value.chars().take(40).map(|c| c.to_ascii_lowercase()).collect());
    let follows = |prefix: &&str| start.starts_with(prefix) && value.len() > prefix.len();
    if let Some((name, _)) = MANAGERS.iter().find(|(_, prefixes)| prefixes.iter().any(follows)) {
        return Some(Expander::Manager(name));
    }
    if let Some((prefix, name)) = ENCRYPTED.iter().find(|(prefix, _)| start.starts_with(prefix)) {
        // The four letters are common, but a value encrypted by that service is long.
        let long = *prefix != "aqic" || (value.starts_with("AQIC") && value.len() >= 100);
        if long && (*prefix != "enc[" || value.ends_with(']')) {
            return Some(Expander::Encrypted(name));
        }
    }
    let is_in = |open: &str, close: &str| value.starts_with(open) && value.ends_with(close);
    if between(value, "${{", "}}").is_some() || names_secret(value) {
        Some(Expander::Workflow)
    } else if [("{{", "}}"), ("<%", "%>"), ("#{", "}")].iter().any(|(one, end)| between(value, one, end).is_some()) {
        Some(Expander::Template)
    } else if is_shell(value) {
        Some(Expander::Shell)
    } else if is_in("$(", ")") || is_in("`", "`") && value.contains(' ') {
        Some(Expander::Command)
    } else if is_between_marks(value, "%") {
        Some(Expander::Windows)
    } else if ["__", "@", "#"].iter().any(|mark| is_between_marks(value, mark)) {
        Some(Expander::Template)
    } else if is_path(value, &start) {
        Some(Expander::Path)
    } else {
        is_variable(value).then_some(Expander::Variable)
    }
}

/// Returns the text between two marks, anywhere in a value.
fn between<'v>(value: &'v str, open: &str, close: &str) -> Option<&'v str> {
    let (_, rest) = value.split_once(open)?;
    let (inner, _) = rest.split_once(close)?;
    (!inner.trim().is_empty()).then_some(inner)
}

/// Returns `true` for a variable's name in capitals.
fn is_upper_name(name: &str) -> bool {
    text::is_variable_name(name) && text::is_upper_word(name)
}

/// Returns `true` for `$NAME` as the complete value, in capitals because a password may start with `$`, or `${NAME…}`
/// anywhere.
fn is_shell(value: &str) -> bool {
    let bare = value.trim_start_matches('$');
    if bare.len() < value.len() && bare.len() >= 2 && is_upper_name(bare) {
        return true;
    }
    between(value, "${", "}").is_some_and(|inner| {
        let name = inner.split([':', '-', '?', '+', '=', '%', '#', '/', '!', '.']).next().unwrap_or_default();
        text::is_variable_name(name)
    })
}

/// Returns `true` for a name in capitals between marks.
fn is_between_marks(value: &str, mark: &str) -> bool {
    let inner = value.strip_prefix(mark).and_then(|rest| rest.strip_suffix(mark));
    inner.is_some_and(|inner| {
        inner.len() >= 3
            && is_upper_name(inner)
            && !inner.starts_with('_')
            && inner.bytes().any(|byte| byte.is_ascii_uppercase())
    })
}

/// Returns `true` for `secrets.NAME`, `env.NAME`, `vars.NAME` and `process.env.NAME`, also in `{{ … }}`, `${ … }` and
/// `$(…)`, which nothing expands to it.
fn names_secret(value: &str) -> bool {
    let bare = ["{{", "${", "$("].iter().find_map(|open| value.strip_prefix(open));
    let value = bare.map_or(value, |inner| inner.trim_end_matches(['}', ')']).trim());
    let rest = ["secrets.", "vars.", "process.env.", "os.environ.", "env."]
        .iter()
        .find_map(|prefix| value.strip_prefix(prefix));
    rest.is_some_and(|name| is_upper_name(name) && name.len() >= 2)
}

fn is_path(value: &str, start: &str) -> bool {
    let plain = text::is_word_of(value, "-_./~$@ ");
    if let Some(rest) = start.strip_prefix("file:") {
        return !rest.is_empty();
    }
    plain && MOUNTS.iter().any(|mount| start.starts_with(mount) && value.len() > mount.len())
}

fn is_variable(value: &str) -> bool {
    if let Some(name) = value.strip_prefix("env://") {
        return text::is_variable_name(name.trim_start_matches('/'));
    }
    let name = ["env:", "ENV:", "$env:", "env/"].iter().find_map(|prefix| value.strip_prefix(prefix));
    if let Some(name) = name {
        return name.len() >= 2 && is_upper_name(name);
    }
    let call = ["env(", "getenv(", "ENV["].iter().find_map(|prefix| value.strip_prefix(prefix));
    if let Some(rest) = call {
        let inner = rest.trim_end_matches([')', ']']).trim_matches(['"', '\'']);
        return is_upper_name(inner) && inner.len() >= 2;
    }
    // Digits may occur only as in the names of services: `B2_KEY_ID`, `S3_SECRET_KEY`, `OAUTH2_TOKEN`.
    let word = |part: &str| {
        let letters = part.bytes().filter(u8::is_ascii_uppercase).count();
        letters == part.len()
            || (letters > 0 && part.len() - letters == 1 && part.ends_with(|c: char| c.is_ascii_digit()))
    };
    let mut parts = value.split('_');
    value.contains('_')
        && parts.all(|part| !part.is_empty() && word(part))
        && value.rsplit('_').next().is_some_and(|end| ENDS.contains(&end))
        // A phrase that asks for a value is not a name.
        && super::placeholder::find(value).is_none()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn detects_tool_that_expands_value() {
        for (value, expected) in [
            ("$SLACK_TOKEN", Some(Expander::Shell)),
            ("${SLACK_TOKEN}", Some(Expander::Shell)),
            ("$${SLACK_TOKEN}", Some(Expander::Shell)),
            ("${token:-none}", Some(Expander::Shell)),
            ("prefix-${A}", Some(Expander::Shell)),
            ("$ecret1", None),
            ("$1", None),
            ("$Ab", None),
            ("$_TOKEN", Some(Expander::Shell)),
            ("${_token}", Some(Expander::Shell)),
            ("${1a}", None),
            ("a$B", None),
            ("%SLACK_TOKEN%", Some(Expander::Windows)),
            ("%abC%", None),
            ("%AB%", None),
            ("$(cat token)", Some(Expander::Command)),
            ("$(cat token", None),
            ("cat token)", None),
            ("`cat token`", Some(Expander::Command)),
            ("`cat token", None),
            ("cat token`", None),
            ("`cat`", None),
            ("${{ secrets.SLACK_TOKEN }}", Some(Expander::Workflow)),
            ("secrets.SLACK_TOKEN", Some(Expander::Workflow)),
            ("{{ secrets.SLACK_TOKEN }}", Some(Expander::Workflow)),
            ("${ secrets.SLACK_TOKEN }", Some(Expander::Workflow)),
            ("{{ secrets.slack_token }}", Some(Expander::Template)),
            ("{{ .Values.token }}", Some(Expander::Template)),
            ("__SLACK_TOKEN__", Some(Expander::Template)),
            ("@SLACK_TOKEN@", Some(Expander::Template)),
            ("#{SlackToken}#", Some(Expander::Template)),
            ("op://", None),
            ("op://vault/item/field", Some(Expander::Manager("1Password"))),
            ("vault:secret/x#token", Some(Expander::Manager("Vault"))),
            ("ref+vault://secret/x#/token", Some(Expander::Manager("vals"))),
            ("arn:aws:secretsmanager:eu-west-1:1:secret:x", Some(Expander::Manager("AWS Secrets Manager"))),
            ("@Microsoft.KeyVault(SecretUri=https://x)", Some(Expander::Manager("Azure Key Vault"))),
            ("ENC[AES256_GCM,data:x]", Some(Expander::Encrypted("SOPS"))),
            ("$ANSIBLE_VAULT;1.1;AES256", Some(Expander::Encrypted("ansible-vault"))),
            ("-----BEGIN PGP MESSAGE-----", Some(Expander::Encrypted("gpg"))),
            ("AQICshort", None),
            ("/run/secrets/slack_token", Some(Expander::Path)),
            ("~/token", Some(Expander::Path)),
            ("~/", None),
            ("file:///run/secrets/x", Some(Expander::Path)),
            ("/aB3+x/9", None),
            ("SLACK_BOT_TOKEN", Some(Expander::Variable)),
            ("env:SLACK_BOT_TOKEN", Some(Expander::Variable)),
            ("env:production", None),
            ("getenv('SLACK_BOT_TOKEN')", Some(Expander::Variable)),
            ("getenv('production')", None),
            ("B2_KEY", Some(Expander::Variable)),
            ("SLACK_2_TOKEN", None),
            ("SLACK22_TOKEN", None),
            ("slack_TOKEN", None),
            ("SLACK_BOT", None),
            ("URL", None),
            ("YOUR_TOKEN", None),
            ("NIGHTLY", None),
            ("xoxb-1234567890", None),
            ("", None),
        ] {
            assert_eq!(find(value).map(|found| found.by), expected, "{value:?}");
        }
    }

    #[test]
    fn whole_reference_has_no_other_text() {
        for (value, whole) in [
            ("${TOKEN}", true),
            ("$TOKEN", true),
            ("x-${TOKEN}", false),
            ("${USER}-${TOKEN}", false),
            ("{{ token }}-{{ user", false),
            ("{{ token }}-user}}", false),
        ] {
            assert_eq!(find(value).map(|found| found.whole), Some(whole), "{value}");
        }
    }
}
