//! AWS. The names of its tools are also used for other servers with Amazon S3's protocol: the host next to them
//! decides.

use super::prelude::*;
use super::{google, many, scaleway, spaces, tigris};

pub static SERVICE: Service = Service {
    name: "AWS",
    docs: "https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_identifiers.html#identifiers-unique-ids",
    read: "2026-11-23",
    forms: &[&ACCESS_KEY_ID, &TEMPORARY_KEY_ID, &USER_ID, &PAIR_IN_ADDRESS, &SES_PASSWORD, &SECRET_AND_PROMPT],
    words: &["AWS"],
    fields: &[&ID_FIELD, &KEY_FIELD, &SESSION_FIELD, &ENDPOINT_FIELD],
    relations: &[Relation::Needs {
        form: &TEMPORARY_KEY_ID,
        field: &SESSION_FIELD,
        whole: true,
        advice: "a key ID that begins with `ASIA` is of temporary credentials: set `AWS_SESSION_TOKEN`, which is issued with them, too",
        source: TEMPORARY,
    }],
    shared: true,
    at: HOSTS,
    errors: ERRORS,
    ..BLANK
};

const IDS: Source =
    Official("https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_identifiers.html#identifiers-unique-ids");
const VARIABLES: Source = Official("https://docs.aws.amazon.com/cli/latest/userguide/cli-configure-envvars.html");
const KEYS: Source = Official("https://docs.aws.amazon.com/IAM/latest/UserGuide/id_credentials_access-keys.html");
const TEMPORARY: Source =
    Official("https://docs.aws.amazon.com/IAM/latest/UserGuide/id_credentials_temp_use-resources.html");
const SES: Source = Official("https://docs.aws.amazon.com/ses/latest/dg/smtp-credentials.html");
const ENDPOINTS: Source = Official("https://docs.aws.amazon.com/sdkref/latest/guide/feature-ss-endpoints.html");
/// Names in programs that accept the address of another server.
const LARAVEL: Source = Example("https://github.com/laravel/framework/blob/12.x/config/filesystems.php");
const DJANGO: Source = Example("https://django-storages.readthedocs.io/en/latest/backends/amazon-S3.html");
const BEANSTALK: Source =
    Official("https://docs.aws.amazon.com/sdk-for-php/v3/developer-guide/guide_credentials_environment.html");
const R2: Source = Official("https://developers.cloudflare.com/r2/api/tokens/");
const SPACES: Source = Official("https://docs.digitalocean.com/products/spaces/how-to/manage-access/");
const SCALEWAY: Source = Official("https://www.scaleway.com/en/docs/object-storage/api-cli/object-storage-aws-cli/");
const HMAC: Source = Official("https://cloud.google.com/storage/docs/authentication/hmackeys");
const TIGRIS: Source = Official("https://www.tigrisdata.com/docs/sdks/s3/aws-cli/");
const STORJ: Source = Official("https://storj.dev/dcs/access");

/// The prefix is documented, the length only in examples.
pub static ACCESS_KEY_ID: Form = Form {
    purpose: Purpose::Id,
    protocol: Some(Protocol::S3),
    ..Form::new("aws/access-key-id", "an AWS access key ID", &[Text("AKIA[0-9A-Z]{16}")], IDS)
};

pub static TEMPORARY_KEY_ID: Form = Form {
    id: "aws/temporary-key-id",
    noun: "an AWS access key ID of temporary credentials",
    patterns: &[Text("ASIA[0-9A-Z]{16}")],
    purpose: Purpose::Id,
    protocol: Some(Protocol::S3),
    advice: "goes with the secret access key and the session token that were issued with it",
    source: IDS,
    ..FORM
};

pub static PAIR_IN_ADDRESS: Form =
    Form::new("aws/pair-in-address", "an AWS access key pair in a URL", &[Text("https://AKIA[ -~]{16,}")], IDS);

/// Made from a secret access key: a byte for the version, 4 or, before 2019, 2, and a digest, in base64. Other values may
/// look alike.
pub static SES_PASSWORD: Form = Form {
    id: "aws/ses-smtp-password",
    noun: "an SMTP password of Amazon SES",
    patterns: &[Text("B[A-P][0-9A-Za-z+/]{42}"), Text("A[g-v][0-9A-Za-z+/]{42}")],
    certain: false,
    purpose: Purpose::Key,
    advice: "is for SMTP only; calls to AWS need a secret access key",
    source: SES,
    ..FORM
};

/// Some shells print it after output that does not end in a line break.
pub static SECRET_AND_PROMPT: Form = Form {
    id: "aws/secret-and-prompt",
    noun: "a secret access key and a `%` that some shells print behind it",
    patterns: &[Text("[0-9A-Za-z+/]{40}%")],
    certain: false,
    purpose: Purpose::Key,
    source: Example("https://github.com/aws/aws-cli/issues/602"),
    ..FORM
};

/// Of a user, a role or a group, and its ARN.
pub static USER_ID: Form = Form {
    id: "aws/user-id",
    noun: "the name of a user, role or group of AWS",
    patterns: &[Text("A(?:GPA|IDA|ROA)[0-9A-Z]{16,17}"), Text("arn:aws[a-z-]*:(?:iam|sts)::[0-9]{12}:[!-~]+")],
    public: true,
    purpose: Purpose::Name,
    source: IDS,
    ..FORM
};

pub static ID_FIELD: Field = Field {
    place: ("aws", "access_key_id"),
    noun: "an access key ID",
    about: "the access key ID; at AWS it begins with `AKIA`, or with `ASIA` for temporary credentials",
    takes: &[&ACCESS_KEY_ID, &TEMPORARY_KEY_ID],
    names: &[
        Names::apart(&["ACCESS_KEY_ID"], VARIABLES),
        Names::new(&["S3_ACCESS_KEY_ID"], DJANGO),
        Names::new(&["ACCESS_KEY"], DJANGO),
    ],
    mistakes: &[Mistake {
        forms: &[&USER_ID],
        repair: "set it to the ID of an access key, which begins with `AKIA`: the user's page in IAM lists them under its security credentials",
        source: IDS,
    }],
    ..FIELD
};

/// The form is not documented. In all of AWS's examples it is 40 characters of base64.
pub static KEY_FIELD: Field = Field {
    place: ("aws", "secret_access_key"),
    noun: "a secret access key",
    about: "the secret access key, which is shown once, when the key is made",
    purpose: Purpose::Key,
    names: &[
        Names::apart(&["SECRET_ACCESS_KEY"], VARIABLES),
        Names::new(&["S3_SECRET_ACCESS_KEY"], DJANGO),
        Names::new(&["SECRET_KEY"], BEANSTALK),
    ],
    mistakes: ID_AS_KEY,
    ..FIELD
};

/// No server issues such a value as a secret.
pub const ID_AS_KEY: &[Mistake] =
    &[Mistake { forms: &[&ACCESS_KEY_ID, &TEMPORARY_KEY_ID], repair: ID_REPAIR, source: KEYS }];
const ID_REPAIR: &str =
    "set it to the secret access key that belongs to this ID, and the name for the access key ID to this value";

/// The documentation says that its size and form are not fixed.
pub static SESSION_FIELD: Field = Field {
    place: ("aws", "session_token"),
    noun: "a session token",
    about: "the session token, which is issued with temporary credentials",
    purpose: Purpose::OtherToken,
    names: &[
        Names::apart(&["SESSION_TOKEN"], VARIABLES),
        Names::new(
            &["SECURITY_TOKEN"],
            Official("https://github.com/boto/botocore/blob/develop/botocore/credentials.py"),
        ),
    ],
    ..FIELD
};

pub static ENDPOINT_FIELD: Field = Field {
    place: ("aws", "endpoint"),
    noun: "the address of the server",
    about: "the address of the S3 API, without the bucket",
    purpose: Purpose::Endpoint,
    names: &[
        Names::new(&["ENDPOINT_URL_S3", "ENDPOINT_URL"], ENDPOINTS),
        Names::new(&["ENDPOINT"], LARAVEL),
        Names::new(&["S3_ENDPOINT_URL", "S3_ENDPOINT"], DJANGO),
    ],
    ..FIELD
};

const AT_AWS: &[&str] = &[
    "s3.amazonaws.com", "s3.*.amazonaws.com", "s3-*.amazonaws.com", "*.s3.amazonaws.com", "*.vpce.amazonaws.com",
    "s3.*.amazonaws.com.cn", "sts.amazonaws.com", "sts.*.amazonaws.com", "sqs.*.amazonaws.com", "sns.*.amazonaws.com",
    "dynamodb.*.amazonaws.com",
];
const AT_R2: &[&str] = &["*.r2.cloudflarestorage.com"];
const AT_SPACES: &[&str] = &["*.digitaloceanspaces.com"];
const AT_SCALEWAY: &[&str] =
    &["s3.*.scw.cloud", "*.s3.fr-par.scw.cloud", "*.s3.nl-ams.scw.cloud", "*.s3.pl-waw.scw.cloud"];
const AT_GOOGLE: &[&str] = &["storage.googleapis.com"];
const AT_TIGRIS: &[&str] = &["*.storage.tigris.dev", "t3.storage.dev", "*.t3.storage.dev"];
const AT_STORJ: &[&str] = &["gateway.storjshare.io", "gateway.*.storjshare.io"];

/// Which server accepts which pairs. Servers that are not listed issue values of unknown form.
pub const HOSTS: &[HostRule] = &[
    HostRule {
        hosts: AT_AWS,
        whose: "AWS",
        field: &ID_FIELD,
        takes: &[&ACCESS_KEY_ID, &TEMPORARY_KEY_ID],
        beside: &[&ACCESS_KEY_ID, &TEMPORARY_KEY_ID],
        noun: "an access key ID of its own",
        repair: "set it to an access key ID of AWS, which begins with `AKIA` or `ASIA`, or set the address to that of the service that issued this one",
        source: KEYS,
        ..AT
    },
    HostRule {
        hosts: AT_AWS,
        whose: "AWS",
        field: &KEY_FIELD,
        refuses: &[&SES_PASSWORD, &SECRET_AND_PROMPT],
        beside: &[&ACCESS_KEY_ID, &TEMPORARY_KEY_ID],
        noun: "a secret access key",
        repair: "set it to the secret access key that belongs to the access key ID, 40 characters",
        source: SES,
        ..AT
    },
    HostRule {
        hosts: AT_R2,
        whose: "Cloudflare R2",
        field: &ID_FIELD,
        takes: &[&many::HEX_32],
        only: true,
        noun: "an access key ID of 32 hex digits",
        repair: "set it to the access key ID that Cloudflare shows when an R2 API token is made, 32 hex digits; 64 hex digits are the secret access key",
        source: R2,
        ..AT
    },
    HostRule {
        hosts: AT_R2,
        whose: "Cloudflare R2",
        field: &KEY_FIELD,
        refuses: &[&many::HEX_32],
        noun: "a secret access key of 64 hex digits",
        repair: "set it to the secret access key that Cloudflare shows when an R2 API token is made, 64 hex digits; 32 hex digits are the access key ID or the account ID",
        source: R2,
        ..AT
    },
    HostRule {
        hosts: AT_SPACES,
        whose: "DigitalOcean Spaces",
        field: &ID_FIELD,
        takes: &[&spaces::ACCESS_KEY_ID],
        noun: "an access key of its own",
        repair: "set it to an access key of Spaces, which DigitalOcean's control panel makes",
        source: SPACES,
        ..AT
    },
    HostRule {
        hosts: AT_SPACES,
        whose: "DigitalOcean Spaces",
        field: &KEY_FIELD,
        noun: "the secret of an access key of its own",
        repair: "set it to the secret that was shown with the access key of Spaces; a token of DigitalOcean's API does not work there",
        source: SPACES,
        ..AT
    },
    HostRule {
        hosts: AT_SCALEWAY,
        whose: "Scaleway",
        field: &ID_FIELD,
        takes: &[&scaleway::ACCESS_KEY],
        noun: "an access key of its own",
        repair: "set it to the access key of a Scaleway API key, which begins with `SCW`",
        source: SCALEWAY,
        ..AT
    },
    HostRule {
        hosts: AT_SCALEWAY,
        whose: "Scaleway",
        field: &KEY_FIELD,
        noun: "the secret key of an API key of its own",
        repair: "set it to the secret key of a Scaleway API key, a UUID",
        source: SCALEWAY,
        ..AT
    },
    HostRule {
        hosts: AT_GOOGLE,
        whose: "Google Cloud Storage",
        field: &ID_FIELD,
        takes: &[&google::HMAC_KEY],
        refuses: &[&many::EMAIL],
        noun: "the access ID of an HMAC key",
        repair: "make an HMAC key for the service account (Cloud Storage, Settings, Interoperability), and set it to its access ID, which begins with `GOOG`",
        source: HMAC,
        ..AT
    },
    HostRule {
        hosts: AT_GOOGLE,
        whose: "Google Cloud Storage",
        field: &KEY_FIELD,
        noun: "the secret of an HMAC key",
        repair: "make an HMAC key for the service account (Cloud Storage, Settings, Interoperability), and set it to its secret",
        source: HMAC,
        ..AT
    },
    HostRule {
        hosts: AT_TIGRIS,
        whose: "Tigris",
        field: &ID_FIELD,
        takes: &[&tigris::ACCESS_KEY_ID],
        noun: "an access key ID of its own",
        repair: "set it to the access key ID of Tigris, which begins with `tid_`",
        source: TIGRIS,
        ..AT
    },
    HostRule {
        hosts: AT_TIGRIS,
        whose: "Tigris",
        field: &KEY_FIELD,
        takes: &[&tigris::SECRET_KEY],
        noun: "a secret access key of its own",
        repair: "set it to the secret access key of Tigris, which begins with `tsec_`",
        source: TIGRIS,
        ..AT
    },
    HostRule {
        hosts: AT_STORJ,
        whose: "Storj",
        field: &ID_FIELD,
        noun: "an access key of its own",
        repair: "set it to the access key of S3 credentials made at Storj",
        source: STORJ,
        ..AT
    },
];

/// Error texts in logs.
static ERRORS: &[ErrorText] = &[
    ErrorText {
        texts: &["InvalidClientTokenId"],
        about: &[&ID_FIELD, &KEY_FIELD, &SESSION_FIELD],
        says: "AWS does not recognise the access key ID, or a temporary one came without its session token",
        open: "whether the key was deleted, or is of another partition",
        source: Official("https://docs.aws.amazon.com/IAM/latest/APIReference/CommonErrors.html"),
        ..ERROR
    },
    ErrorText {
        texts: &["InvalidAccessKeyId", "The AWS Access Key Id you provided does not exist in our records"],
        about: &[&ID_FIELD, &KEY_FIELD, &SESSION_FIELD, &ENDPOINT_FIELD],
        says: "the server does not recognise the access key ID; other S3 services use the same text",
        open: "whether the key was deleted, and to which server it was sent",
        source: Example("https://github.com/hkusu/s3-upload-action/issues/11"),
        ..ERROR
    },
    ErrorText {
        texts: &[
            "SignatureDoesNotMatch",
            "The request signature we calculated does not match the signature you provided",
        ],
        about: &[&KEY_FIELD, &ID_FIELD, &ENDPOINT_FIELD],
        says: "the server knows the access key ID, and the secret is another one's; other S3 services use the same text",
        open: "whether the secret is of another key, or the name of a file has letters beyond ASCII",
        source: Example("https://github.com/restic/restic/issues/2734"),
        ..ERROR
    },
    ErrorText {
        texts: &[
            "Unable to locate credentials",
            "Credentials could not be loaded, please check your action inputs",
            "Could not load credentials from any providers",
            "Partial credentials found in",
        ],
        about: &[&ID_FIELD, &KEY_FIELD, &SESSION_FIELD],
        says: "the program found no access key, or only one field of it",
        open: "whether the program should get a role instead of a key",
        source: Official("https://github.com/boto/botocore/blob/develop/botocore/exceptions.py"),
        ..ERROR
    },
    ErrorText {
        texts: &["ExpiredToken", "ExpiredTokenException"],
        near: &["amazonaws", "security token included", "provided token has expired"],
        about: &[&SESSION_FIELD, &ID_FIELD, &KEY_FIELD],
        says: "the temporary credentials have expired",
        open: "nothing: get new ones, all three values",
        source: Official("https://docs.aws.amazon.com/IAM/latest/APIReference/CommonErrors.html"),
        ..ERROR
    },
];
