//! Database URLs: one protocol with many clients, which read them differently. This file has only what no client
//! accepts.

use super::prelude::*;
use super::{supabase, upstash};

pub static SERVICE: Service = Service {
    name: "Databases",
    docs: "https://www.postgresql.org/docs/current/libpq-connect.html#LIBPQ-CONNSTRING-URIS",
    read: "2026-11-23",
    forms: &[&COMMAND, &WITHOUT_AT, &MONGODB_UNESCAPED, &PRISMA_UNESCAPED, &SQLALCHEMY_UNESCAPED, &UNESCAPED],
    words: &["POSTGRESQL", "DATABASE", "POSTGRES", "MONGODB", "DIRECT", "MYSQL", "MONGO", "REDIS", "PG", "DB"],
    fields: &[&URL_FIELD],
    shared: true,
    errors: ERRORS,
    ..BLANK
};

const MONGODB: Source = Official("https://www.mongodb.com/docs/manual/reference/connection-string/");
const PRISMA: Source = Official("https://www.prisma.io/docs/orm/reference/connection-urls");
/// Before version 1.4 it looked for the last one.
const SQLALCHEMY: Source = Example("https://github.com/sqlalchemy/sqlalchemy/issues/11262");
/// Tested: libpq accepts `?` and `#`, SQLAlchemy everything except `@`, Node's parser and redis-py only `@`.
const CLIENTS: Source = Unsure("https://github.com/prisma/prisma/issues/8498");
const COPIED: Source = Example("https://github.com/neondatabase/neon/issues/12804");
const COLON: Source = Example("https://github.com/prisma/prisma/issues/5638");

/// The command that a console offers to copy.
pub static COMMAND: Form = Form {
    id: "database/command",
    noun: "a command that connects to a database",
    patterns: &[Text("psql ['\"]?postgres(?:ql)?://[!-~]+"), Text("redis-cli [ -~]*-u ['\"]?rediss?://[!-~]+")],
    spaced: true,
    source: COPIED,
    ..FORM
};

// No form here is certain: a correctly percent-encoded URL may contain such a value.

/// Three colons before the first slash: the second part is not a port, and the third is not part of an IPv6 address.
pub static WITHOUT_AT: Form = Form {
    id: "database/without-at",
    noun: "a database URL without the `@` before its host",
    patterns: &[
        Text(
            "mysql://[0-9A-Za-z_.-]+:[0-9A-Za-z!*+.;=_~-]{5,}:[0-9A-Za-z-]+[.][0-9A-Za-z.-]+:[0-9]{2,5}(?:[/?][!-~]*)?",
        ),
        Text(
            "postgres(?:ql)?://[0-9A-Za-z_.-]+:[0-9A-Za-z!*+.;=_~-]{5,}:[0-9A-Za-z-]+[.][0-9A-Za-z.-]+:[0-9]{2,5}(?:[/?][!-~]*)?",
        ),
        Text(
            "mongodb://[0-9A-Za-z_.-]+:[0-9A-Za-z!*+.;=_~-]{5,}:[0-9A-Za-z-]+[.][0-9A-Za-z.-]+:[0-9]{2,5}(?:[/?][!-~]*)?",
        ),
    ],
    certain: false,
    source: COLON,
    ..FORM
};

/// Its drivers follow one specification, which lists these characters. After the host, an `@` is valid.
pub static MONGODB_UNESCAPED: Form = Form {
    id: "database/mongodb-unescaped",
    noun: "a MongoDB URL with a bare `@`, `:` or `/` in the user name or password",
    patterns: &[
        Text("mongodb(?:[+]srv)?://[^/?#@]*@[^/?#]*@[!-~]+"),
        Text("mongodb(?:[+]srv)?://[^:/?#@,]+:[^:/?#@,]*:[^/?#@,]*@[!-~]+"),
        Text("mongodb(?:[+]srv)?://[^:/?#@,]+:[^:/?#@,]*[^0-9:/?#@,][^:/?#@,]*/[^@?=&]*@[!-~]+"),
    ],
    // Marks of templates.
    without: &["<", "[", "{", "$", "@@", "%s"],
    certain: false,
    source: MONGODB,
    ..FORM
};

/// Only Prisma accepts these parameters: libpq and SQLAlchemy reject them.
pub static PRISMA_UNESCAPED: Form = Form {
    id: "database/prisma-unescaped",
    noun: "a database URL for Prisma with a bare `/`, `?` or `#` in the password",
    patterns: &[Text(
        "postgres(?:ql)?://[^:/?#@]+:[^:/?#@]*[^0-9:/?#@][^:/?#@]*[/?#][^@]*@[^@/?#]+/[^@?#]*[?](?:[^@#]*&)?(?:schema|connection_limit)=[!-~]+",
    )],
    without: &["<", "[", "{", "$", "%s"],
    certain: false,
    source: PRISMA,
    ..FORM
};

/// SQLAlchemy, recognised by the name of the driver, ends the password at the first `@`. An `@` in the user name is
/// valid.
pub static SQLALCHEMY_UNESCAPED: Form = Form {
    id: "database/sqlalchemy-unescaped",
    noun: "a database URL for SQLAlchemy with a bare `@` in the password",
    patterns: &[Text(
        "[a-z]+[+](?:psycopg2?|pg8000|pymysql|mysqldb|mysqlconnector|pymssql|pyodbc|oracledb|cx_oracle)://[^:/?#]*:[^@/?#]*@[^@/?#]*@[!-~]+",
    )],
    without: &["<", "[", "{", "$", "@@", "%s"],
    certain: false,
    source: SQLALCHEMY,
    ..FORM
};

/// Each client ends the password at other characters. Digits alone before them are a port, and after the host an `@` is
/// valid.
pub static UNESCAPED: Form = Form {
    id: "database/unescaped",
    noun: "a database URL with a bare `@`, `/`, `?` or `#` in the password",
    patterns: &[
        Text(
            "(?:mysql|mariadb|postgres(?:ql)?|rediss?)(?:[+][0-9a-z_]+)?://[^:/?#@]*:(?:[^,/?#@]*[^,0-9/?#@][^,/?#@]*[/?#]|[?#])[^@]*@[0-9A-Za-z._-]+(?::[0-9]{2,5})?(?:/[!-~]*)?",
        ),
        Text(
            "(?:mysql|mariadb|postgres(?:ql)?)://[^:/?#@]+:[^/?#@]*@[^/?#@]*@[0-9A-Za-z._-]+(?::[0-9]{2,5})?(?:/[!-~]*)?",
        ),
    ],
    without: &["<", "[", "{", "$", "@@", "%s"],
    certain: false,
    source: CLIENTS,
    ..FORM
};

/// Any client may read it, so a value of unknown form is not reported.
pub static URL_FIELD: Field = Field {
    place: ("database", "url"),
    noun: "a URL that every client can read",
    about: "the URL of the database, with each special character of the password percent-encoded",
    purpose: Purpose::Any,
    takes: &[],
    names: &[
        Names::apart(&["URL"], Official("https://www.prisma.io/docs/orm/reference/connection-urls")),
        Names::apart(&["URI"], Example("https://flask-sqlalchemy.readthedocs.io/en/stable/config/")),
        Names::apart(
            &["CONNECTION_STRING"],
            Example("https://langfuse.com/self-hosting/deployment/infrastructure/cache"),
        ),
    ],
    mistakes: &[
        // Upstash's own client accepts it under any name.
        Mistake {
            forms: &[&upstash::REST_URL],
            repair: "for clients of Redis, set it to the address that begins with `rediss://`; the REST address is for Upstash's own client",
            source: Unsure("https://github.com/vercel-labs/open-agents/issues/892"),
        },
        Mistake {
            forms: &[&COMMAND],
            repair: "set it to the URL alone, without the command and the quotes around the URL",
            source: COPIED,
        },
        Mistake {
            forms: &[&WITHOUT_AT],
            repair: "write `@` between the password and the host: `USER:PASSWORD@HOST:PORT`",
            source: COLON,
        },
        Mistake {
            forms: &[&MONGODB_UNESCAPED],
            repair: "percent-encode the special characters of the user name and the password: `@` is `%40`, `:` is `%3A`, `/` is `%2F`",
            source: MONGODB,
        },
        Mistake {
            forms: &[&PRISMA_UNESCAPED],
            repair: "percent-encode the special characters of the password: `/` is `%2F`, `?` is `%3F`, `#` is `%23`",
            source: PRISMA,
        },
        Mistake {
            forms: &[&SQLALCHEMY_UNESCAPED],
            repair: "percent-encode the special characters of the password: `@` is `%40`; SQLAlchemy takes what follows the first `@` for the host",
            source: SQLALCHEMY,
        },
        Mistake {
            forms: &[&UNESCAPED],
            repair: "percent-encode the special characters of the password, which every client reads: `@` is `%40`, `/` is `%2F`, `?` is `%3F`, `#` is `%23`; some clients take them as they are, others take what follows for the host or the database",
            source: CLIENTS,
        },
        Mistake {
            forms: &[&supabase::POOLER_WITHOUT_PROJECT],
            repair: "copy the URL from the project's Connect dialog: the user of the shared pooler is `postgres.PROJECT` (a role of your own: `ROLE.PROJECT`)",
            source: supabase::POOLER,
        },
    ],
};

/// Error texts in logs.
static ERRORS: &[ErrorText] = &[
    ErrorText {
        texts: &[
            "password authentication failed for user",
            "Authentication failed against database server",
            "bad auth : Authentication failed",
            "WRONGPASS invalid username-password pair or user is disabled",
            "MongoError: Authentication failed",
        ],
        about: &[&URL_FIELD],
        says: "the database refused the user name and the password",
        open: "whether they are of this server",
        source: Example("https://github.com/umami-software/umami/issues/428"),
        ..ERROR
    },
    ErrorText {
        texts: &["The provided database string is invalid", "Error parsing connection string"],
        about: &[&URL_FIELD],
        says: "the address does not parse: often the password has a character that must be percent-encoded, or the value is in quotes",
        open: "whether the program accepts this kind of address",
        source: Example("https://github.com/prisma/prisma/issues/3921"),
        ..ERROR
    },
    ErrorText {
        texts: &["Could not parse rfc1738 URL from string", "Could not parse SQLAlchemy URL from string"],
        about: &[&URL_FIELD],
        says: "SQLAlchemy got an address that does not parse; if the text ends in '', it got none",
        open: "whether the variable reaches the program",
        source: Example("https://github.com/fossasia/open-event-server/issues/2462"),
        ..ERROR
    },
];
