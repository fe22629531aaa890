//! The only values that the linter and the service may disagree about, with reasons.

/// An intended disagreement. `*` stands for any, `|` separates several.
pub struct Exception {
    pub field: &'static str,
    pub form: &'static str,
    pub wrapping: &'static str,
    pub place: &'static str,
    pub fault: &'static str,
    pub reason: &'static str,
}

const fn exception(
    (field, form, wrapping, place): (&'static str, &'static str, &'static str, &'static str),
    fault: &'static str,
    reason: &'static str,
) -> Exception {
    Exception { field, form, wrapping, place, fault, reason }
}

pub const EXCEPTIONS: &[Exception] = &[
    exception(
        ("messaging.token", "BotToken|UserToken|RotatedBotToken|RotatedUserToken", "a space behind", "*"),
        "taken, malformed-credential",
        "servers drop white space at the end of a header; no client sends it, since other parts of a header break",
    ),
    exception(
        ("messaging.token", "stand-in", "plain|a space behind|half|one less", "*"),
        "taken, placeholder-credential",
        "letters alone could be issued: the service knows nobody, and takes whatever has the form",
    ),
    exception(
        ("storage.application_key|storage.account_id", "stand-in", "plain|capitals", "*"),
        "taken, placeholder-credential",
        "the same for a key, and for an id of one digit",
    ),
    exception(
        ("messaging.channels", "a Google Cloud HMAC key", "plain|half", "hosted"),
        "taken, foreign-credential",
        "the pattern of an id has no greatest length; none has sixty characters",
    ),
    exception(("messaging.webhook_url", "Webhook", "plain", "*"), "a secret, fits", "that is where it belongs"),
    exception(
        ("storage.application_key|storage.application_key_id|storage.account_id", "OldApplicationKey", "plain", "*"),
        "refused, unjudged",
        "one sample is no form: such a key may still be in force",
    ),
    exception(
        ("storage.application_key_id", "MasterKeyId", "plain", "hosted|s3"),
        "taken, unjudged",
        "the key that is issued with the newer id of a master key is not documented",
    ),
    exception(
        ("storage.master_application_key", "*", "plain|half|one less|one more", "hosted"),
        "refused, unjudged",
        "twelve hex digits are no certain sign of the service, so that nothing is known of what stands beside them",
    ),
    exception(
        ("storage.account_id", "AccountId", "capitals|half|one less|one more", "hosted"),
        "refused, warned unrecognised-credential",
        "hex digits in capitals, or of another number, are much else",
    ),
];
