//! Supabase.

use super::prelude::*;

pub static SERVICE: Service = Service {
    name: "Supabase",
    docs: "https://supabase.com/docs/guides/api/api-keys",
    read: "2026-11-23",
    forms: &[
        &ANON_KEY, &SERVICE_ROLE_KEY, &PUBLISHABLE_KEY, &SECRET_KEY, &ACCESS_TOKEN, &PROJECT_URL, &CUT_URL, &DASHBOARD,
        &REFERENCE, &POOLER_WITHOUT_PROJECT, &DATABASE_URL,
    ],
    words: &["SUPABASE"],
    fields: &[&ANON_KEY_FIELD, &SERVICE_KEY_FIELD, &KEY_FIELD, &ACCESS_TOKEN_FIELD, &URL_FIELD],
    relations: &[Relation::Agree {
        part: "project",
        noun: "project",
        words: &[],
        fields: &[&URL_FIELD, &ANON_KEY_FIELD, &SERVICE_KEY_FIELD, &KEY_FIELD],
        advice: "copy the URL and the keys from the API settings of one project; a key opens only its own project",
        source: KEYS,
    }],
    hosts: &[Host {
        hosts: &["*.supabase.co"],
        serves: Serves::Api,
        home: "https://api.supabase.com",
        source: KEYS,
        ..HOST
    }],
    errors: ERRORS,
    ..BLANK
};

const KEYS: Source = Official("https://supabase.com/docs/guides/api/api-keys");
/// The claims of the older keys, and the lengths of the newer ones in its examples.
const CLI_KEYS: Source = Official("https://github.com/supabase/cli/blob/develop/apps/cli-go/pkg/config/apikeys.go");
/// It rejects any other value: ``Invalid access token format. Must be like `sbp_0102...1920`.``
const CLI_TOKEN: Source =
    Official("https://github.com/supabase/cli/blob/develop/apps/cli-go/internal/utils/access_token.go");
/// It throws `Invalid supabaseUrl: Must be a valid HTTP or HTTPS URL.`
const JS: Source =
    Official("https://github.com/supabase/supabase-js/blob/master/packages/core/supabase-js/src/lib/helpers.ts");
pub(super) const POOLER: Source = Official("https://github.com/orgs/supabase/discussions/50190");
const NEXT: Source =
    Official("https://github.com/supabase/supabase/blob/master/examples/user-management/nextjs-user-management");
/// These names are not documented, but programs use them.
const QUIVR: Source = Example("https://github.com/The-Vibe-Company/quivr/issues/387");
const FIRECRAWL: Source = Example("https://github.com/firecrawl/firecrawl/blob/main/apps/api/.env.example");
const CSHARP: Source = Example("https://github.com/supabase-community/supabase-csharp/issues/33");
const OWN_AUTH: Source = Example("https://github.com/burggraf/supabase-roll-your-own-auth/pull/2");
/// It reads the variables itself.
const SERVER: Source = Official("https://github.com/supabase/server/blob/main/docs/environment-variables.md");

/// A JSON Web Token. A project's token names the project in `ref`; tokens of a self-hosted server don't, and those of
/// the local one are the same for everybody.
const OLDER: &str = r"eyJ[0-9A-Za-z_-]+\.(?<json>eyJ[0-9A-Za-z_-]+)\.[0-9A-Za-z_-]{20,}";

pub static ANON_KEY: Form = Form {
    id: "supabase/anon-key",
    noun: "a Supabase `anon` key",
    patterns: &[
        Json { text: OLDER, has: &[("iss", "supabase"), ("role", "anon")], parts: &[("ref", "project")] },
        Json { text: OLDER, has: &[("iss", "supabase-demo"), ("role", "anon")], parts: &[] },
    ],
    public: true,
    purpose: Purpose::Id,
    advice: "is for browsers and apps, and goes with the URL of the same project",
    source: CLI_KEYS,
    ..FORM
};

pub static SERVICE_ROLE_KEY: Form = Form {
    id: "supabase/service-role-key",
    noun: "a Supabase `service_role` key",
    patterns: &[
        Json { text: OLDER, has: &[("iss", "supabase"), ("role", "service_role")], parts: &[("ref", "project")] },
        Json { text: OLDER, has: &[("iss", "supabase-demo"), ("role", "service_role")], parts: &[] },
    ],
    purpose: Purpose::Key,
    advice: "passes over row level security: it is for servers only",
    source: CLI_KEYS,
    ..FORM
};

/// The newer keys name no project.
pub static PUBLISHABLE_KEY: Form = Form {
    id: "supabase/publishable-key",
    noun: "a Supabase publishable key",
    patterns: &[Text("sb_publishable_[0-9A-Za-z_-]{20,}")],
    public: true,
    purpose: Purpose::Id,
    advice: "is for browsers and apps, instead of the `anon` key",
    source: KEYS,
    ..FORM
};

pub static SECRET_KEY: Form = Form {
    purpose: Purpose::Key,
    advice: "is for servers only, instead of the `service_role` key; a browser's request with it is refused",
    ..Form::new("supabase/secret-key", "a Supabase secret key", &[Text("sb_secret_[0-9A-Za-z_-]{20,}")], KEYS)
};

pub static ACCESS_TOKEN: Form = Form {
    advice: "is of a person, for the CLI and the management API; a project's API does not take it",
    ..Form::new("supabase/access-token", "a Supabase access token", &[Text("sbp_[0-9A-Za-z_.=+/~-]{20,80}")], CLI_TOKEN)
};

pub static PROJECT_URL: Form = Form {
    id: "supabase/project-url",
    noun: "the URL of a Supabase project",
    patterns: &[Address { hosts: &["<project>.supabase.co"], path: "(?:(?:rest|auth|storage|functions)/v1)?" }],
    public: true,
    purpose: Purpose::Endpoint,
    source: KEYS,
    ..FORM
};

/// The address in the browser while somebody looks for the keys.
pub static DASHBOARD: Form = Form {
    id: "supabase/dashboard",
    noun: "an address of the Supabase dashboard",
    patterns: &[Address {
        hosts: &["supabase.com", "app.supabase.com", "app.supabase.io"],
        path: "(?:dashboard/)?project/[a-z]{20}(?:/.*)?",
    }],
    public: true,
    purpose: Purpose::Other,
    source: Official("https://supabase.com/docs/guides/platform/migrating-within-supabase"),
    ..FORM
};

/// Twenty letters, like other names.
pub static REFERENCE: Form = Form {
    id: "supabase/reference",
    noun: "20 letters, as the reference of a Supabase project has",
    patterns: &[Text("[a-z]{20}")],
    issued_by: Issuer::Many,
    certain: false,
    public: true,
    purpose: Purpose::Name,
    source: CLI_KEYS,
    ..FORM
};

pub static CUT_URL: Form = Form {
    id: "supabase/cut-url",
    noun: "the URL of a Supabase project with a single slash",
    patterns: &[Text(r"https?:/[0-9a-z]+\.supabase\.co/?")],
    public: true,
    source: JS,
    ..FORM
};

/// Without the project, the shared pooler does not find the user. `options=reference=…` is the other way to name it.
pub static POOLER_WITHOUT_PROJECT: Form = Form {
    id: "supabase/pooler-without-project",
    noun: "a URL of Supabase's shared pooler whose user names no project",
    patterns: &[Text(
        r"postgres(?:ql)?://[0-9A-Za-z_]+(?::[^@/?#]*)?@[0-9a-z-]+\.pooler\.supabase\.com(?:[:/?][!-~]*)?",
    )],
    without: &["reference", "://user:", "://username:", "://USER", "<", "[", "{", "$"],
    certain: false,
    source: POOLER,
    ..FORM
};

pub static DATABASE_URL: Form = Form {
    id: "supabase/database-url",
    noun: "the URL of a Supabase database",
    patterns: &[Text(
        r"postgres(?:ql)?://[!-~]*@(?:db\.[0-9a-z]+\.supabase\.co|[0-9a-z-]+\.pooler\.supabase\.com)(?:[:/?][!-~]*)?",
    )],
    certain: false,
    advice: "is for clients of Postgres; the API has a URL of its own",
    source: Official("https://supabase.com/docs/guides/database/connecting-to-postgres"),
    ..FORM
};

pub static ANON_KEY_FIELD: Field = Field {
    place: ("supabase", "anon_key"),
    noun: "an `anon` or publishable key",
    about: "the publishable key, which begins with `sb_publishable_`, or the older `anon` key",
    takes: &[&ANON_KEY, &PUBLISHABLE_KEY],
    names: &[
        Names::new(&["ANON_KEY"], NEXT),
        Names::new(&["PUBLISHABLE_KEY"], SERVER),
        Names::new(&["ANON_TOKEN"], FIRECRAWL),
    ],
    mistakes: &[
        Mistake {
            forms: &[&SERVICE_ROLE_KEY],
            repair: "set it to the `anon` key of the project; whoever gets a `service_role` key can read and change everything, so rotate it if it got into a browser or an app",
            source: KEYS,
        },
        Mistake {
            forms: &[&SECRET_KEY],
            repair: "set it to the publishable key of the project, which begins with `sb_publishable_`; rotate the secret key if it got into a browser or an app",
            source: KEYS,
        },
        Mistake {
            forms: &[&ACCESS_TOKEN],
            repair: "set it to the publishable or `anon` key of the project; the access token is for the CLI and the management API",
            source: KEYS,
        },
    ],
    ..FIELD
};

pub static SERVICE_KEY_FIELD: Field = Field {
    place: ("supabase", "service_role_key"),
    noun: "a `service_role` or secret key",
    about: "the secret key, which begins with `sb_secret_`, or the older `service_role` key",
    takes: &[&SERVICE_ROLE_KEY, &SECRET_KEY],
    names: &[
        Names::new(&["SECRET_KEY"], SERVER),
        Names::new(&["SERVICE_ROLE_KEY"], Official("https://supabase.com/docs/guides/functions/secrets")),
        Names::new(&["SERVICE_KEY", "SERVICE_ROLE"], QUIVR),
        Names::new(&["SERVICE_TOKEN"], FIRECRAWL),
    ],
    mistakes: &[
        Mistake {
            forms: &[&ANON_KEY],
            repair: "set it to the `service_role` key of the project, which the API settings show below the `anon` key; row level security hides the rows from this one",
            source: KEYS,
        },
        Mistake {
            forms: &[&PUBLISHABLE_KEY],
            repair: "set it to a secret key of the project, which begins with `sb_secret_`",
            source: KEYS,
        },
        Mistake {
            forms: &[&ACCESS_TOKEN],
            repair: "set it to the secret or `service_role` key of the project; the access token is for the CLI and the management API",
            source: KEYS,
        },
    ],
    ..FIELD
};

/// Programs accept either kind under these names, and some an access token.
pub static KEY_FIELD: Field = Field {
    place: ("supabase", "key"),
    noun: "a key of the project",
    about: "a key of the project: the publishable one in browsers, the secret one on servers",
    purpose: Purpose::Key,
    takes: &[&ANON_KEY, &PUBLISHABLE_KEY, &SERVICE_ROLE_KEY, &SECRET_KEY, &ACCESS_TOKEN],
    names: &[Names::new(&["KEY"], CSHARP), Names::new(&["API_KEY"], OWN_AUTH)],
    mistakes: &[],
};

pub static ACCESS_TOKEN_FIELD: Field = Field {
    place: ("supabase", "access_token"),
    noun: "an access token",
    about: "an access token of your account, which begins with `sbp_`",
    purpose: Purpose::AccessToken,
    takes: &[&ACCESS_TOKEN],
    names: &[Names::new(&["ACCESS_TOKEN"], CLI_TOKEN)],
    mistakes: &[Mistake {
        forms: &[&ANON_KEY, &SERVICE_ROLE_KEY, &PUBLISHABLE_KEY, &SECRET_KEY],
        repair: TOKEN,
        source: CLI_TOKEN,
    }],
};

const TOKEN: &str = "set it to an access token of your account, which begins with `sbp_`; the keys of a project don't open the management API";

/// A self-hosted server or a custom domain may have any host.
pub static URL_FIELD: Field = Field {
    place: ("supabase", "url"),
    noun: "the URL of the project",
    about: "the URL of the project, `https://PROJECT.supabase.co`",
    takes: &[&PROJECT_URL],
    names: &[Names::new(&["URL"], NEXT)],
    mistakes: &[
        Mistake { forms: &[&DATABASE_URL, &POOLER_WITHOUT_PROJECT], repair: DATABASE, source: JS },
        Mistake { forms: &[&CUT_URL], repair: "write two slashes behind `https:`", source: CSHARP },
        Mistake { forms: &[&DASHBOARD], repair: URL, source: KEYS },
        Mistake {
            forms: &[&REFERENCE],
            repair: URL,
            source: Example("https://github.com/PxA-Labs/AutoMaintainer/pull/240"),
        },
        Mistake {
            forms: &[&ANON_KEY, &SERVICE_ROLE_KEY, &PUBLISHABLE_KEY, &SECRET_KEY, &ACCESS_TOKEN],
            repair: URL,
            source: JS,
        },
    ],
    ..FIELD
};

const URL: &str = "set it to the URL of the project, `https://PROJECT.supabase.co`";
const DATABASE: &str = "set it to the URL of the project, which begins with `https://` and is no database's; change the database's password if browsers got this one";

/// Error texts in logs.
static ERRORS: &[ErrorText] = &[
    ErrorText {
        texts: &["Tenant or user not found"],
        about: &[&URL_FIELD],
        others: &[("database", "url")],
        says: "the pooler does not recognise the project: the user name or the host is of another one",
        open: "which of the pooler's hosts the project has: the console shows it",
        source: Example("https://github.com/supabase/cli/issues/4277"),
        ..ERROR
    },
    ErrorText {
        texts: &["Double check your Supabase anon or service_role API key"],
        about: &[&ANON_KEY_FIELD, &SERVICE_KEY_FIELD, &KEY_FIELD, &URL_FIELD],
        says: "the project at this address does not recognise the key",
        open: "whether the keys of the project were rotated",
        source: Official("https://supabase.com/docs/guides/api/api-keys"),
        ..ERROR
    },
];
