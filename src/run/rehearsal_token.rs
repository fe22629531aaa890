//! Made-up tokens for rehearsals. They share only the form of the real token, which decides how the service treats it.

use crate::secret::Facts;
use crate::services::slack;

/// Returns a made-up token of the same form, or of no known form.
pub(super) fn rehearsal_token(token: &Facts) -> &'static str {
    let forms = [
        (&slack::BOT_TOKEN, "xoxb-stand-in-for-a-rehearsal"),
        (&slack::USER_TOKEN, "xoxp-stand-in-for-a-rehearsal"),
        (&slack::ROTATED_BOT_TOKEN, "xoxe.xoxb-1-stand-in-for-a-rehearsal"),
        (&slack::ROTATED_USER_TOKEN, "xoxe.xoxp-1-stand-in-for-a-rehearsal"),
    ];
    let same = forms.into_iter().find(|(form, _)| token.form() == Some(form));
    same.map_or("stand-in-for-a-rehearsal", |(_, made_up)| made_up)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::secret::Vault;

    #[test]
    fn a_rehearsal_token_shares_only_the_form() {
        let mut vault = Vault::default();
        let mut facts = |value: &str| {
            let handle = vault.store(value);
            vault.facts(handle)
        };
        for token in ["xoxb-", "xoxp-", "xoxe.xoxb-1-", "xoxe.xoxp-1-", "tok_"] {
            let token = facts(&format!("{token}7391842650-1739184265-QzWvXkPjHyBd"));
            let made_up = facts(rehearsal_token(&token));
            assert_eq!(made_up.form(), token.form(), "{made_up:?}");
            // A token that is too short would be rejected.
            assert!(made_up.form().is_none() || !made_up.short, "{made_up:?}");
        }
    }
}
