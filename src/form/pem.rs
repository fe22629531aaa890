//! PEM keys that were damaged on their way into a variable.

use crate::text;

/// What is wrong with a PEM key.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Pem {
    /// It has only its first lines.
    Cut,
    /// It has quotes around it.
    Quoted,
}

/// Returns what is wrong with a value that starts like PEM. Programs repair other differences: a literal `\n` instead
/// of each line break, and Windows line breaks.
pub(crate) fn flaw(value: &str) -> Option<Pem> {
    let bare = value.trim_start().trim_start_matches(['"', '\'']);
    let quoted = bare.len() < value.trim_start().len();
    // The first word, which is all that a shell takes without quotes.
    if bare.trim_end_matches(['"', '\'']) == "-----BEGIN" {
        return Some(Pem::Cut);
    }
    let label = bare.strip_prefix("-----BEGIN ")?;
    let (label, body) = label.split_once("-----")?;
    if !label.bytes().all(|byte| byte.is_ascii_uppercase() || byte == b' ' || byte.is_ascii_digit()) {
        return None;
    }
    if body.contains(&format!("-----END {label}-----")) {
        return quoted.then_some(Pem::Quoted);
    }
    // A value with other characters may be meant for people: `-----BEGIN PRIVATE KEY-----...`.
    let inside = body.replace("\\n", "\n").replace("\\r", "\r");
    text::is_word_of(&inside, "+/=\r\n \"'").then_some(Pem::Cut)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn accepts_line_breaks_that_programs_repair() {
        let key = "-----BEGIN PRIVATE KEY-----\nMIIEvQIBADAN\n-----END PRIVATE KEY-----\n";
        assert_eq!(flaw(key), None);
        assert_eq!(flaw(&key.replace('\n', "\\n")), None);
        assert_eq!(flaw(&key.replace('\n', "\r\n")), None);
        assert_eq!(flaw(key.trim_end()), None);
        assert_eq!(flaw(&format!("\"{key}\"")), Some(Pem::Quoted));
        for cut in [
            "-----BEGIN", "-----BEGIN PRIVATE KEY-----", "-----BEGIN RSA PRIVATE KEY-----\nMIIE",
            "\"-----BEGIN PRIVATE KEY-----",
        ] {
            assert_eq!(flaw(cut), Some(Pem::Cut), "{cut}");
        }
        for other in ["", "x", "-----BEGIN PRIVATE KEY-----...", "-----BEGIN your KEY-----"] {
            assert_eq!(flaw(other), None, "{other}");
        }
    }
}
