//! Azure: credentials of apps in Entra ID, storage accounts, and Azure OpenAI.

use super::many;
use super::prelude::*;

pub static SERVICE: Service = Service {
    name: "Azure",
    docs: "https://learn.microsoft.com/entra/identity-platform/how-to-add-credentials",
    read: "2026-11-23",
    forms: &[
        &CLIENT_SECRET, &AI_KEY, &STORAGE_KEY, &OLD_STORAGE_KEY, &CUT_STORAGE_KEY, &STORAGE_CONNECTION,
        &CREDENTIALS_WITH_ID, &CREDENTIALS, &OTHER_CREDENTIALS,
    ],
    words: &["MICROSOFT", "AZURE_AD", "AZUREAD", "AZURE", "ARM"],
    fields: &[
        &CLIENT_ID_FIELD, &TENANT_ID_FIELD, &CLIENT_SECRET_FIELD, &CREDENTIALS_FIELD, &STORAGE_KEY_FIELD,
        &STORAGE_CONNECTION_FIELD, &OPENAI_KEY_FIELD,
    ],
    errors: ERRORS,
    ..BLANK
};

/// The patterns by which Microsoft finds its own keys.
const MICROSOFT: Source = Official(
    "https://github.com/microsoft/security-utilities/blob/main/GeneratedRegexPatterns/PreciselyClassifiedSecurityKeys.json",
);
const IDENTITY: Source = Official(
    "https://github.com/Azure/azure-sdk-for-python/blob/main/sdk/identity/azure-identity/azure/identity/_constants.py",
);
const BOTS: Source = Official("https://learn.microsoft.com/azure/bot-service/bot-service-quickstart-registration");
const GOTRUE: Source = Official("https://github.com/supabase/auth/blob/master/example.env");
const CONNECTION: Source =
    Official("https://learn.microsoft.com/azure/storage/common/storage-configure-connection-string");
const TERRAFORM: Source = Official("https://developer.hashicorp.com/terraform/language/backend/azurerm");
const LOGIN: Source = Official("https://github.com/Azure/login");

/// Older ones have other forms.
pub static CLIENT_SECRET: Form = Form {
    id: "azure/client-secret",
    noun: "the value of an Entra client secret",
    patterns: &[Text("[0-9A-Za-z_~.-]{3}[78]Q~[0-9A-Za-z_~.-]{31,34}")],
    purpose: Purpose::Key,
    advice: "goes with the tenant ID and the client ID of its app",
    source: MICROSOFT,
    ..FORM
};

/// Keys of Azure OpenAI and other AI services; older ones are 32 hex digits.
pub static AI_KEY: Form = Form {
    id: "azure/ai-key",
    noun: "the key of an Azure AI service",
    patterns: &[Text("[0-9A-Za-z]{52}JQQJ99[0-9A-Za-z]{26}")],
    purpose: Purpose::Key,
    advice: "goes with the address of its resource, such as `https://NAME.openai.azure.com`",
    source: MICROSOFT,
    ..FORM
};

pub static STORAGE_KEY: Form = Form {
    id: "azure/storage-key",
    noun: "the key of an Azure storage account",
    patterns: &[Text(r"[0-9A-Za-z+/]{76}\+ASt[0-9A-Za-z+/]{5}[AQgw]==")],
    purpose: Purpose::Key,
    advice: "goes with the name of the account",
    source: MICROSOFT,
    ..FORM
};

/// 64 bytes in base64, like many other keys.
pub static OLD_STORAGE_KEY: Form = Form {
    id: "azure/storage-key-old",
    noun: "64 bytes in base64, as keys of Azure storage accounts are",
    patterns: &[Text("[0-9A-Za-z+/]{85}[AQgw]==")],
    certain: false,
    purpose: Purpose::Key,
    source: MICROSOFT,
    ..FORM
};

pub static CUT_STORAGE_KEY: Form = Form {
    id: "azure/storage-key-cut",
    noun: "the key of an Azure storage account without the `==` at its end",
    patterns: &[Text("[0-9A-Za-z+/]{85}[AQgw]")],
    certain: false,
    purpose: Purpose::Key,
    source: MICROSOFT,
    ..FORM
};

pub static STORAGE_CONNECTION: Form = Form {
    id: "azure/storage-connection",
    noun: "an Azure Storage connection string",
    patterns: &[Text("DefaultEndpointsProtocol=[ -~]{20,}")],
    advice: "holds the name of the account and its key",
    source: CONNECTION,
    ..FORM
};

/// What `az ad sp create-for-rbac --sdk-auth` prints.
pub static CREDENTIALS: Form = Form {
    id: "azure/credentials",
    noun: "the JSON of a service principal",
    patterns: &[Json {
        text: r"(?<json>\{(?s:.*)\})",
        has: &[("clientId", "*"), ("clientSecret", "*"), ("tenantId", "*")],
        parts: &[],
    }],
    spaced: true,
    source: LOGIN,
    ..FORM
};

pub static CREDENTIALS_WITH_ID: Form = Form {
    id: "azure/credentials-with-id",
    noun: "the JSON of a service principal with a GUID as `clientSecret`",
    patterns: &[Text(
        r#"\{(?s:.*)"clientSecret"[ \t]*:[ \t]*"[0-9A-Fa-f]{8}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{12}"(?s:.*)\}"#,
    )],
    spaced: true,
    source: Example("https://github.com/Azure/login/pull/140"),
    ..FORM
};

/// What `az ad sp create-for-rbac` prints without `--sdk-auth`.
pub static OTHER_CREDENTIALS: Form = Form {
    id: "azure/credentials-of-cli",
    noun: "the output of `az ad sp create-for-rbac`",
    patterns: &[Json {
        text: r"(?<json>\{(?s:.*)\})",
        has: &[("appId", "*"), ("password", "*"), ("tenant", "*")],
        parts: &[],
    }],
    spaced: true,
    source: Official("https://learn.microsoft.com/cli/azure/ad/sp#az-ad-sp-create-for-rbac"),
    ..FORM
};

pub static CLIENT_ID_FIELD: Field = Field {
    place: ("azure", "client_id"),
    noun: "a client ID",
    about: "the application (client) ID of the app, a GUID",
    purpose: Purpose::Id,
    takes: &[&many::GUID],
    names: &[Names::new(&["CLIENT_ID"], IDENTITY), Names::new(&["APP_ID"], BOTS)],
    ..FIELD
};

/// A GUID, a domain, or a word such as `common`.
pub static TENANT_ID_FIELD: Field = Field {
    place: ("azure", "tenant_id"),
    noun: "a tenant ID",
    about: "the directory (tenant) ID, a GUID, or a domain of the tenant",
    purpose: Purpose::Id,
    takes: &[&many::GUID],
    names: &[Names::new(&["TENANT_ID"], IDENTITY), Names::new(&["APP_TENANT_ID"], BOTS)],
    ..FIELD
};

/// Older tools issued GUIDs as secrets.
pub static CLIENT_SECRET_FIELD: Field = Field {
    place: ("azure", "client_secret"),
    noun: "the value of a client secret",
    about: "the value of the client secret, which the portal shows once, beside the secret ID",
    takes: &[&CLIENT_SECRET],
    names: &[
        Names::new(&["CLIENT_SECRET"], IDENTITY),
        Names::new(&["APP_PASSWORD"], BOTS),
        Names {
            behind: &["GOTRUE"],
            unless: &[&AI_KEY, &STORAGE_KEY, &OLD_STORAGE_KEY, &STORAGE_CONNECTION],
            within: false,
            ..Names::new(&["SECRET"], GOTRUE)
        },
    ],
    mistakes: &[Mistake {
        forms: &[&many::GUID],
        repair: "if this is the secret ID, set it to the client secret value from the column \"Value\", or create a new secret; older tools issued GUIDs as secrets",
        source: Unsure("https://github.com/formbricks/formbricks/issues/2879"),
    }],
    ..FIELD
};

pub static CREDENTIALS_FIELD: Field = Field {
    place: ("azure", "credentials"),
    noun: "the JSON of a service principal",
    about: "JSON with `clientId`, `clientSecret`, `subscriptionId` and `tenantId`",
    purpose: Purpose::Key,
    takes: &[&CREDENTIALS],
    names: &[Names { within: false, ..Names::new(&["CREDENTIALS"], LOGIN) }],
    mistakes: &[
        Mistake {
            forms: &[&CREDENTIALS_WITH_ID],
            repair: "if `clientSecret` is the secret ID, set it to the client secret value, which the portal shows once; older tools issued GUIDs as secrets",
            source: Unsure("https://github.com/Azure/login/pull/140"),
        },
        Mistake {
            forms: &[&OTHER_CREDENTIALS],
            repair: "`azure/login` and SDKs read `clientId`, `clientSecret` and `tenantId`: rename `appId`, `password` and `tenant`, and add `subscriptionId`",
            source: Unsure("https://github.com/Azure/login"),
        },
    ],
};

pub static STORAGE_KEY_FIELD: Field = Field {
    place: ("azure", "storage_key"),
    noun: "the key of a storage account",
    about: "the key of the storage account: 88 characters with `==` at the end",
    takes: &[&STORAGE_KEY, &OLD_STORAGE_KEY],
    names: &[
        Names::new(&["STORAGE_KEY"], Official("https://learn.microsoft.com/cli/azure/azure-cli-configuration")),
        Names::new(
            &["STORAGE_ACCESS_KEY"],
            Official("https://github.com/Azure/azure-storage-node/blob/master/README.md"),
        ),
        Names::new(&["STORAGE_ACCOUNT_KEY"], Example("https://github.com/Azure/azurefile-dockervolumedriver")),
        Names {
            // Other Azure services also have access keys.
            unless: &[&AI_KEY, &CLIENT_SECRET],
            within: false,
            ..Names::new(&["ACCESS_KEY"], TERRAFORM)
        },
    ],
    mistakes: &[
        Mistake {
            forms: &[&CUT_STORAGE_KEY],
            repair: "copy the key again with the `==` at its end: a double click leaves that out, and most programs refuse base64 that is cut",
            source: Unsure("https://github.com/Azure/azurefile-dockervolumedriver/issues/36"),
        },
        Mistake {
            forms: &[&STORAGE_CONNECTION],
            repair: "set it to the key alone, which follows `AccountKey=`; the whole string belongs in `AZURE_STORAGE_CONNECTION_STRING`",
            source: CONNECTION,
        },
    ],
    ..FIELD
};

pub static STORAGE_CONNECTION_FIELD: Field = Field {
    place: ("azure", "storage_connection"),
    noun: "a connection string",
    about: "the connection string of the storage account, which begins with `DefaultEndpointsProtocol=`",
    purpose: Purpose::Key,
    takes: &[&STORAGE_CONNECTION],
    names: &[
        Names::new(&["STORAGE_CONNECTION_STRING"], CONNECTION),
        Names::new(
            &["WEB_JOBS_STORAGE"],
            Official("https://learn.microsoft.com/azure/azure-functions/functions-app-settings"),
        ),
    ],
    ..FIELD
};

/// Older keys are 32 hex digits, as many other values are.
pub static OPENAI_KEY_FIELD: Field = Field {
    place: ("azure", "openai_key"),
    noun: "a key of Azure OpenAI",
    about: "a key of the resource, from its page \"Keys and Endpoint\"",
    takes: &[&AI_KEY],
    names: &[Names::new(
        &["OPENAI_API_KEY"],
        Official("https://github.com/openai/openai-python/blob/main/src/openai/lib/azure.py"),
    )],
    ..FIELD
};

/// Error texts in logs.
static ERRORS: &[ErrorText] = &[
    ErrorText {
        texts: &["AADSTS7000215", "AADSTS50012: Invalid client secret is provided"],
        about: &[&CLIENT_SECRET_FIELD, &CREDENTIALS_FIELD],
        rules: &[
            "wrong-credential", "foreign-credential", "malformed-credential", "placeholder-credential",
            "unexpanded-reference",
        ],
        says: "the client secret is not one of this application; often it is the secret's ID in place of its value",
        open: "whether the secret belongs to this application",
        source: Example("https://github.com/Azure/login/issues/475"),
        ..ERROR
    },
    ErrorText {
        texts: &["AADSTS7000222"],
        about: &[&CLIENT_SECRET_FIELD, &CREDENTIALS_FIELD],
        says: "the client secret has expired",
        open: "nothing: make a new secret, and store its value",
        source: Official(
            "https://learn.microsoft.com/en-us/troubleshoot/azure/azure-kubernetes/create-upgrade-delete/troubleshooting-authentication-service-principal",
        ),
        ..ERROR
    },
    ErrorText {
        texts: &["Login failed with Error: Using auth-type: SERVICE_PRINCIPAL. Not all values are present"],
        about: &[&CLIENT_ID_FIELD, &TENANT_ID_FIELD, &CLIENT_SECRET_FIELD, &CREDENTIALS_FIELD],
        says: "azure/login got no client ID, tenant ID or secret",
        open: "whether the secrets of the repository have these names, and reach this run: pull requests from forks get none",
        source: Example("https://github.com/Azure/login/issues/408"),
        ..ERROR
    },
    ErrorText {
        texts: &["Access denied due to invalid subscription key or wrong API endpoint"],
        about: &[&OPENAI_KEY_FIELD],
        says: "the key is not one of the resource at this address",
        open: "whether the key and the address belong to one resource",
        source: Example("https://github.com/openai/openai-python/issues/1209"),
        ..ERROR
    },
    ErrorText {
        texts: &["AADSTS700016"],
        about: &[&CLIENT_ID_FIELD, &TENANT_ID_FIELD, &CREDENTIALS_FIELD],
        says: "the tenant has no application with this client ID",
        open: "whether the client ID and the tenant ID belong together",
        source: Example("https://github.com/Azure/login/issues/561"),
        ..ERROR
    },
    ErrorText {
        texts: &["Access denied due to missing subscription key"],
        about: &[&OPENAI_KEY_FIELD],
        says: "no key arrived",
        open: "whether the variable reaches the program",
        source: Example("https://github.com/openai/openai-python/issues/1527"),
        ..ERROR
    },
];
