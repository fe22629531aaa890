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
        ("messaging.channels", "a Google Cloud HMAC key|a DigitalOcean Spaces access key", "plain|half", "hosted"),
        "taken, foreign-credential",
        "the pattern of an id has no greatest length; none has sixty characters, or the beginning of such a key",
    ),
    exception(
        (
            "messaging.base_url|messaging.ca_file|messaging.initial_comment|storage.api_url|storage.endpoint|storage.bucket",
            "64 bytes in base64, as keys of Azure storage accounts are|\
             the key of an Azure storage account without the `==` at its end|a session token of a user, a JWT|\
             the public address of an R2 bucket|\
             the address of an account's R2 storage|\
             the address of Amazon S3 in a region|\
             the address of a file in Firebase's storage|\
             the URL of a Supabase project|\
             a link to a chat|\
             an invitation to a Discord server|\
             a link to a Discord channel|\
             an address of New Relic for US accounts|\
             an address of New Relic for EU accounts|\
             a GUID|\
             a New Relic browser key|\
             a Mailgun key or SMTP password|\
             32 letters and digits, as a client secret has|\
             22 letters and digits|\
             an SMTP password of Amazon SES|\
             68 letters and digits, as the token of a webhook has|\
             two keys of 32 hex digits, as a DSN has|\
             the address of a security or minidump endpoint|\
             the `google-services.json` of an Android app|\
             the URL of a Supabase project with a single slash|\
             the URL of a Supabase database|\
             a secret access key and a `%` that some shells print after it|\
             a database URL without the `@` before its host|\
             a database URL with a bare `@`, `/`, `?` or `#` in the password|\
             the DSN of a mailer with a bare `/`, `?` or `#` in the password|\
             the address of an Auth0 tenant|\
             a value that begins like the ID of an object at Stripe|\
             the SID of something else at Twilio|\
             the ID of an OpenAI organization|\
             the name of a user, role or group of AWS|\
             128 hex digits, as a secret key base of Rails has|\
             an address of the Supabase dashboard|\
             20 letters, as the reference of a Supabase project has|\
             a database URL for SQLAlchemy with a bare `@` in the password|\
             a database URL for Prisma with a bare `/`, `?` or `#` in the password|\
             a URL of Supabase's shared pooler whose user names no project|\
             a Sentry DSN with a secret key|\
             a Sentry DSN|\
             a MongoDB URL with a bare `@`, `:` or `/` in the user name or password|\
             a DSN without `https://`|\
             40 characters, as an older API token has|\
             37 hex digits, as an older Global API Key has|\
             a Global API Key with one character more|\
             a key of CurseForge|\
             the fingerprint of a key|\
             40 hex digits|\
             40 hex digits, such as an application key|\
             a client token of Datadog|\
             a project API key of PostHog|\
             a public access token of Mapbox|\
             an address of Datadog|\
             an address of sentry.io|\
             the client ID of a GitHub app|\
             the Client ID of an Access service token|\
             the REST address of an Upstash database|the host of an Upstash database without `https://`|\
             20 hex digits|\
             30 letters and digits, as keys and tokens of Pushover have|\
             32 bytes in base64 with the URL-safe alphabet|\
             a JSON object with the key of tokens|\
             a client-side token of the sandbox|\
             a live client-side token|\
             a number, as the ID of an app is|\
             a private key in base64|\
             a secret key of Turnstile|\
             a site key of Turnstile|\
             the ID of an endpoint for webhooks|\
             20 letters and digits|\
             26 small letters and digits, as a token or an ID of Mattermost has|\
             32 letters and digits|\
             64 letters and digits|\
             a contact for Web Push|\
             a public key for Web Push|\
             a value that begins like a Render API key|\
             a value that begins like an older Notion token|\
             a value that begins like the ID of a Vercel project|\
             a value that begins like the ID of a Vercel team|\
             a value that looks like the ID of an object at HCP Terraform|\
             a value that looks like the ID of an object at Render|\
             an Okta API token|\
             an address at Cloudinary|\
             an issuer at Okta|\
             the ID of a Cognito identity pool|\
             the ID of a Cognito user pool|\
             the ID of an ngrok authtoken or API key|\
             the address of Cognito's pages for logins|\
             the address of Okta's console for administrators|\
             the address of a Keycloak server, without a realm|\
             the address of a Snowflake account|\
             the address of the methods of Okta's OAuth, without a server's name|\
             the identifier of a Dynatrace token, without its secret part|\
             the issuer of a Cognito user pool|\
             the name of a Mailchimp data centre|\
             the token of a project's badges|\
             the user name of PayPal's older API|\
             the word `FlyV1` alone",
            "plain",
            "*",
        ),
        "a secret, fits",
        "an address is no secret, and what looks like many other values is none for sure",
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
