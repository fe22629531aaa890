//! SMTP: the names that programs use for a mail server and a login, and what the servers of mail services accept.

use super::prelude::*;
use super::{aws, brevo, google, mailgun, many, resend, sendgrid};

pub static SERVICE: Service = Service {
    name: "SMTP",
    docs: "https://www.rfc-editor.org/rfc/rfc4954",
    read: "2026-11-23",
    forms: &[&POSTMARK_ACCESS_KEY, &DSN_UNESCAPED],
    words: &["MAILER", "EMAIL", "SMTP", "MAIL"],
    fields: &[&PASSWORD_FIELD, &USER_FIELD, &HOST_FIELD, &DSN_FIELD],
    shared: true,
    at: AT_HOSTS,
    errors: ERRORS,
    ..BLANK
};

/// No standard documents these names, but programs use them.
const DJANGO: Source = Example("https://docs.djangoproject.com/en/stable/ref/settings/#email-host");
const LARAVEL: Source = Example("https://github.com/laravel/laravel/blob/master/.env.example");
const MASTODON: Source = Example("https://docs.joinmastodon.org/admin/config/#email");
const DISCOURSE: Source = Example("https://github.com/discourse/discourse/blob/main/config/discourse_defaults.conf");
const CHATWOOT: Source = Example("https://github.com/chatwoot/chatwoot/blob/develop/.env.example");
const NEXT_AUTH: Source = Example("https://authjs.dev/getting-started/providers/nodemailer");
const JOPLIN: Source = Example("https://github.com/laurent22/joplin/blob/dev/.env-sample");
const FLASK: Source = Example("https://flask-mail.readthedocs.io/en/latest/#configuring");
const PEERTUBE: Source = Example("https://github.com/Chocobozzz/PeerTube/blob/develop/support/docker/production/.env");
const GITEA: Source = Example("https://docs.gitea.com/administration/config-cheat-sheet#mailer-mailer");
const SUPABASE: Source = Example("https://github.com/supabase/supabase/blob/master/docker/.env.example");

const SYMFONY: Source = Official("https://symfony.com/doc/current/mailer.html#using-built-in-transports");

const SENDGRID: Source = Official(
    "https://www.twilio.com/docs/sendgrid/for-developers/sending-email/upgrade-your-authentication-method-to-api-keys",
);
const SES: Source = Official("https://docs.aws.amazon.com/ses/latest/dg/smtp-credentials.html");
const RESEND: Source = Official("https://resend.com/docs/send-with-smtp");
/// The form of the tokens is not documented, only reported.
const POSTMARK: Source = Example("https://postmarkapp.com/developer/user-guide/send-email-with-smtp");

/// The user of an SMTP token. Its form is not documented.
pub static POSTMARK_ACCESS_KEY: Form = Form {
    id: "smtp/postmark-access-key",
    noun: "the access key of a Postmark SMTP token",
    patterns: &[Text("PM-[A-Z]-[0-9A-Za-z._-]{16,}")],
    purpose: Purpose::Id,
    advice: "is the user name; the secret key of the same SMTP token is the password",
    source: POSTMARK,
    ..FORM
};

/// PHP ends the password at the first of these. Digits alone before them are a port.
pub static DSN_UNESCAPED: Form = Form {
    id: "smtp/dsn-unescaped",
    noun: "the DSN of a mailer with a bare `/`, `?` or `#` in the password",
    patterns: &[Text(
        "[a-z+]+://[^:/?#@]*:(?:[^/?#@]*[^0-9/?#@][^/?#@]*[/?#]|[?#])[^@]*@[0-9A-Za-z._-]+(?::[0-9]{2,5})?(?:[/?][!-~]*)?",
    )],
    without: &["<", "[", "{", "$", "%s"],
    certain: false,
    source: SYMFONY,
    ..FORM
};

/// Symfony's name. Only mistakes are reported.
pub static DSN_FIELD: Field = Field {
    place: ("smtp", "dsn"),
    noun: "a DSN that the mailer can read",
    about: "the DSN of the mailer, with each special character of the user name and the password percent-encoded",
    purpose: Purpose::Any,
    names: &[Names::new(&["DSN"], SYMFONY)],
    mistakes: &[Mistake {
        forms: &[&DSN_UNESCAPED],
        repair: "percent-encode the special characters of the password: `/` is `%2F`, `?` is `%3F`, `#` is `%23`",
        source: SYMFONY,
    }],
    ..FIELD
};

/// A self-hosted server may accept any password.
pub static PASSWORD_FIELD: Field = Field {
    place: ("smtp", "password"),
    noun: "an SMTP password",
    about: "the password for the mail server; many mail services take a key of their own in its place",
    purpose: Purpose::Key,
    names: &[
        Names::apart(&["PASSWORD"], LARAVEL),
        Names::apart(&["PASS"], SUPABASE),
        Names::new(&["PASSWD"], GITEA),
        Names::new(&["HOST_PASSWORD"], DJANGO),
        Names::new(&["SERVER_PASSWORD"], NEXT_AUTH),
        Names::new(&["AUTH_PASSWORD"], JOPLIN),
    ],
    ..FIELD
};

pub static USER_FIELD: Field = Field {
    place: ("smtp", "user"),
    noun: "an SMTP user name",
    about: "the user name for the mail server; with some mail services it is the same word for everybody",
    purpose: Purpose::Id,
    names: &[
        Names::apart(&["USERNAME"], LARAVEL),
        Names::apart(&["USER"], SUPABASE),
        Names::apart(&["USER_NAME"], DISCOURSE),
        Names::new(&["LOGIN"], MASTODON),
        Names::new(&["HOST_USER"], DJANGO),
        Names::new(&["SERVER_USER"], NEXT_AUTH),
        Names::new(&["AUTH_USER"], JOPLIN),
    ],
    ..FIELD
};

/// `EMAIL_ADDRESS` is not a server.
pub static HOST_FIELD: Field = Field {
    place: ("smtp", "host"),
    noun: "a mail server",
    about: "the host of the mail server",
    purpose: Purpose::Endpoint,
    names: &[
        Names::apart(&["HOST"], LARAVEL),
        Names::apart(&["SERVER"], FLASK),
        Names::new(&["SERVER_HOST"], NEXT_AUTH),
        Names::new(&["HOSTNAME"], PEERTUBE),
        Names { unless: &[&many::EMAIL], ..Names::new(&["ADDRESS"], CHATWOOT) },
    ],
    ..FIELD
};

const AT_HOSTS: &[HostRule] = &[
    HostRule {
        hosts: &["smtp.sendgrid.net"],
        whose: "SendGrid",
        field: &USER_FIELD,
        words: &["apikey"],
        only: true,
        noun: "the word `apikey` as the user name",
        repair: "set it to the word `apikey`; the API key is the password",
        source: SENDGRID,
        ..AT
    },
    HostRule {
        hosts: &["smtp.sendgrid.net"],
        whose: "SendGrid",
        field: &PASSWORD_FIELD,
        takes: &[&sendgrid::KEY],
        only: true,
        noun: "an API key as the password",
        repair: "set it to an API key, which begins with `SG.` and has 69 characters; the user name is the word `apikey`",
        source: SENDGRID,
        ..AT
    },
    HostRule {
        hosts: SES_HOSTS,
        whose: "Amazon SES",
        field: &USER_FIELD,
        takes: &[&aws::ACCESS_KEY_ID],
        only: true,
        noun: "an access key ID as the SMTP user name",
        repair: "set it to the SMTP user name that the SES console made, an access key ID that begins with `AKIA`",
        source: SES,
        ..AT
    },
    HostRule {
        hosts: SES_HOSTS,
        whose: "Amazon SES",
        field: &PASSWORD_FIELD,
        takes: &[&aws::SES_PASSWORD],
        only: true,
        noun: "an SMTP password of 44 characters",
        repair: "create SMTP credentials in the SES console of the region; the SMTP password is computed from the secret access key, and is not that key",
        source: SES,
        ..AT
    },
    HostRule {
        hosts: &["smtp.postmarkapp.com", "smtp-broadcasts.postmarkapp.com"],
        whose: "Postmark",
        field: &USER_FIELD,
        takes: &[&many::GUID, &POSTMARK_ACCESS_KEY],
        words: &["POSTMARK_API_TEST"],
        only: true,
        noun: "a server API token as the user name and the password, or an SMTP token",
        repair: "set user name and password to the server API token, or to the access key and the secret key of an SMTP token",
        source: POSTMARK,
        ..AT
    },
    HostRule {
        hosts: &["smtp-relay.brevo.com", "smtp-relay.sendinblue.com"],
        whose: "Brevo",
        field: &PASSWORD_FIELD,
        takes: &[&brevo::SMTP_KEY],
        noun: "an SMTP key",
        repair: "set it to an SMTP key, which begins with `xsmtpsib-`; the API key is for HTTP calls only",
        source: Example("https://github.com/sendinblue/APIv3-ruby-library/issues/81"),
        ..AT
    },
    HostRule {
        hosts: &["smtp.resend.com"],
        whose: "Resend",
        field: &USER_FIELD,
        words: &["resend"],
        only: true,
        noun: "the word `resend` as the user name",
        repair: "set it to the word `resend`; the API key is the password",
        source: RESEND,
        ..AT
    },
    HostRule {
        hosts: &["smtp.resend.com"],
        whose: "Resend",
        field: &PASSWORD_FIELD,
        takes: &[&resend::KEY],
        noun: "an API key as the password",
        repair: "set it to an API key of Resend, which begins with `re_`",
        source: RESEND,
        ..AT
    },
    HostRule {
        hosts: &["smtp.mailgun.org", "smtp.eu.mailgun.org"],
        whose: "Mailgun",
        field: &PASSWORD_FIELD,
        // SMTP passwords that Mailgun generates also have this form.
        takes: &[&mailgun::NEW_KEY],
        noun: "the SMTP password of the user",
        repair: "set it to the SMTP password of the user, which the page of the sending domain resets; API keys are for HTTP calls only",
        source: Example(
            "https://help.mailgun.com/hc/en-us/articles/203380100-Where-can-I-find-my-API-keys-and-SMTP-credentials",
        ),
        ..AT
    },
    HostRule {
        hosts: &["smtp.gmail.com"],
        whose: "Gmail",
        field: &PASSWORD_FIELD,
        // Some programs sign in with it.
        takes: &[&google::ACCESS_TOKEN],
        noun: "an app password",
        repair: "set it to an app password, 16 letters; it needs 2-Step Verification",
        source: Example("https://support.google.com/mail/answer/185833"),
        ..AT
    },
];

const SES_HOSTS: &[&str] = &["email-smtp.*.amazonaws.com", "email-smtp-fips.*.amazonaws.com"];

/// Error texts in logs.
static ERRORS: &[ErrorText] = &[
    ErrorText {
        texts: &[
            "535-5.7.8 Username and Password not accepted", "535, b'5.7.8 Username and Password not accepted",
            "534-5.7.9 Application-specific password required",
        ],
        about: &[&PASSWORD_FIELD, &USER_FIELD, &HOST_FIELD],
        says: "Gmail refused the user name and the password: it accepts an app password, not that of the account",
        open: "whether the app password was revoked: a new password of the account does that",
        source: Example("https://github.com/jgyates/genmon/issues/604"),
        ..ERROR
    },
    ErrorText {
        texts: &["535 Authentication Credentials Invalid"],
        about: &[&PASSWORD_FIELD, &USER_FIELD, &HOST_FIELD],
        says: "Amazon SES refused the user name and the password: the password is made from the secret access key, and is not that key",
        open: "whether they are of this region",
        source: Official("https://docs.aws.amazon.com/ses/latest/dg/troubleshoot-smtp.html"),
        ..ERROR
    },
    ErrorText {
        texts: &[
            "535, 'Authentication failed", "535 Authentication failed", "535 5.7.0 Authentication failed",
            "535 5.7.8 Authentication failed", "535 5.7.8 Error: authentication failed",
        ],
        about: &[&PASSWORD_FIELD, &USER_FIELD, &HOST_FIELD],
        says: "the mail server refused the user name and the password",
        open: "whether the account may send by SMTP",
        source: Example("https://github.com/CoderBounty/coderbounty/issues/342"),
        ..ERROR
    },
];
