//! Decides whether the name of a key in another program's file, or of a variable, may be printed.

use super::shown::env_name;
use crate::text;

/// The maximum length of a word in a key, and known words that are longer.
const LONGEST_KEY: usize = 12;
const LONG: [&str; 5] = ["notifications", "configuration", "authentication", "authorization", "infrastructure"];

/// Returns the key of another program's file, or the name of a process variable, unless it could be a credential.
pub(crate) fn key_name(value: &str) -> Option<String> {
    // `$schema`, and sections named by people: `my remote`.
    let bare = value.strip_prefix('$').unwrap_or(value).replace(' ', "-");
    let joined = value.replace(['-', '.'], "_");
    // Four words of four letters have the form of an app password.
    let words: Vec<&str> = joined.split('_').collect();
    let password = words.windows(4).any(|four| text::is_app_password(&four.join("-")));
    if password || text::opaque(value) || text::opaque(&joined.replace('_', "-")) || text::opaque_path(value) {
        return None;
    }
    // Variables may have numbers and more words in their names.
    let known = |word: &&str| word.len() <= LONGEST_KEY || LONG.contains(&&*word.to_lowercase());
    let variable = words.iter().all(known) && env_name(&joined).is_some();
    (variable || text::is_plain_name(&bare)).then(|| value.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn other_programs_keys_are_shown_unless_suspicious() {
        for shown in [
            "SLACK_BOT_TOKEN", "token", "application_key", "secretKeyRef", "apiVersion", "app.kubernetes.io/name",
            "b2_account_id", "B2_APPLICATION_KEY", "RCLONE_CONFIG_MY_OWN_NIGHTLY_SECRET_ACCESS_KEY", "SLACK_TOKEN_2",
            "slack-token-2", "SLACK_NOTIFICATIONS_TOKEN", "spring.slack.oauth2-token", "$schema", "my remote",
        ] {
            assert_eq!(key_name(shown).as_deref(), Some(shown));
        }
        for hidden in [
            "", "$", "xoxb-1-2-a", "K0014pbwo1zxcIVMnqS", "0051a2b3c4d5e6f0000000001", "1a2b3c4d5e6f", "hunter2",
            "hunter2x", "QzWvXkPj", "xQ7zJ3wX9kV4qZ8jW2yK5vH6", "K005/Qz/WvX/kPj/HyBd", "xoxb_SLACK_TOKEN",
            "xapp-1-A7QZWVB9XKP_SLACK_TOKEN", "xapp_1_A7QZWVB9XKP_SLACK_TOKEN", "qzwv-xkpj-hybd-tmrf_SLACK_TOKEN",
            "SLACK_TOKEN_QZWV_XKPJ_HYBD_TMRF", "qzwvxkpjhybdq_SLACK_TOKEN", "a=b", "näme", "[0]",
        ] {
            assert_eq!(key_name(hidden), None, "{hidden}");
        }
    }
}
