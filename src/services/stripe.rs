//! Stripe.

use super::prelude::*;

pub static SERVICE: Service = Service {
    name: "Stripe",
    docs: "https://docs.stripe.com/keys",
    read: "2026-11-23",
    forms: &[&SECRET_KEY, &PUBLISHABLE_KEY, &CLIENT_SECRET, &WEBHOOK_SECRET, &OBJECT_ID],
    words: &["PUBLIC_STRIPE", "STRIPE"],
    fields: &[&SECRET_KEY_FIELD, &PUBLISHABLE_KEY_FIELD, &WEBHOOK_SECRET_FIELD],
    relations: &[Relation::Agree {
        part: "mode",
        noun: "mode",
        words: &["live", "test"],
        fields: &[&SECRET_KEY_FIELD, &PUBLISHABLE_KEY_FIELD],
        advice: "copy both keys from the same mode: objects of the one don't exist in the other",
        source: KEYS,
    }],
    errors: ERRORS,
    ..BLANK
};

const KEYS: Source = Official("https://docs.stripe.com/keys");
const OBJECTS: Source = Official("https://docs.stripe.com/api/webhook_endpoints/object");
const HOOKS: Source = Official("https://github.com/stripe/stripe-node/blob/master/src/Webhooks.ts");
/// These names are not documented, but programs use them.
const APPS: Source = Example("https://github.com/vercel/nextjs-subscription-payments");
const CASHIER: Source = Example("https://laravel.com/docs/billing#api-keys");
const CALCOM: Source = Example("https://github.com/calcom/cal.com/blob/main/.env.example");
const EDGE: Source =
    Example("https://github.com/supabase/supabase/blob/master/examples/edge-functions/supabase/.env.local.example");
const STRIPE_EVENT: Source = Example("https://github.com/integrallis/stripe_event");
const DJ_STRIPE: Source = Example("https://github.com/dj-stripe/dj-stripe");

/// Clerk's keys have the same prefix: <https://clerk.com/docs/deployments/clerk-environment-variables>.
const SHARED: Issuer = Issuer::Several(&["Clerk"]);

/// A secret or a restricted key. The length is not documented.
pub static SECRET_KEY: Form = Form {
    id: "stripe/secret-key",
    noun: "a secret API key",
    patterns: &[
        Text("sk_(?<mode>live)_[0-9A-Za-z_]{10,}"),
        Text("sk_(?<mode>test)_[0-9A-Za-z_]{10,}"),
        Text("rk_(?<mode>live)_[0-9A-Za-z_]{10,}"),
        Text("rk_(?<mode>test)_[0-9A-Za-z_]{10,}"),
        // Of an organization: <https://docs.stripe.com/keys/organization-api-keys>.
        Text("sk_org_[0-9A-Za-z_]{10,}"),
    ],
    issued_by: SHARED,
    purpose: Purpose::Key,
    advice: "is for a server only, and goes with the publishable key of the same mode",
    called: &[("STRIPE_API_KEY", "Stripe's CLI")],
    source: KEYS,
    ..FORM
};

pub static PUBLISHABLE_KEY: Form = Form {
    id: "stripe/publishable-key",
    noun: "a publishable API key",
    patterns: &[Text("pk_(?<mode>live)_[0-9A-Za-z_]{10,}"), Text("pk_(?<mode>test)_[0-9A-Za-z_]{10,}")],
    issued_by: SHARED,
    public: true,
    purpose: Purpose::Id,
    advice: "is for browsers and apps; calls from a server need the secret key",
    source: KEYS,
    ..FORM
};

/// Of one payment, for the one customer.
pub static CLIENT_SECRET: Form = Form {
    id: "stripe/client-secret",
    noun: "the client secret of one Stripe payment",
    patterns: &[Text("pi_[0-9A-Za-z]{24}_secret_[0-9A-Za-z]{25}")],
    advice: "is of one payment, and no key",
    source: Scanner("https://github.com/trufflesecurity/trufflehog/tree/main/pkg/detectors/stripepaymentintent"),
    ..FORM
};

/// Services that follow the same standard issue the same form.
pub static WEBHOOK_SECRET: Form = Form {
    id: "stripe/webhook-secret",
    noun: "the signing secret of a webhook",
    patterns: &[Text("whsec_[0-9A-Za-z+/]{16,}=*")],
    issued_by: Issuer::Many,
    advice: "is what a program checks the events of one endpoint with; it calls nothing",
    source: HOOKS,
    ..FORM
};

/// Of an account, a price, a product or an endpoint for events. Other services may also put words before their keys.
pub static OBJECT_ID: Form = Form {
    id: "stripe/object-id",
    noun: "a value that begins like the ID of an object at Stripe",
    patterns: &[Text("(?:acct|price|prod|we)_[0-9A-Za-z]{14,}")],
    with: &[Class::Lower, Class::Upper],
    issued_by: Issuer::Many,
    certain: false,
    public: true,
    purpose: Purpose::Name,
    source: OBJECTS,
    ..FORM
};

pub static SECRET_KEY_FIELD: Field = Field {
    place: ("stripe", "secret_key"),
    noun: "a secret key",
    about: "the secret key, which begins with `sk_`, or a restricted one, which begins with `rk_`",
    takes: &[&SECRET_KEY],
    names: &[
        Names::apart(&["SECRET_KEY"], APPS),
        Names::new(&["API_KEY"], Official("https://docs.stripe.com/cli/api_keys")),
        Names::new(&["SECRET"], CASHIER),
        Names::new(&["PRIVATE_KEY"], CALCOM),
    ],
    mistakes: &[
        Mistake {
            forms: &[&PUBLISHABLE_KEY],
            repair: "set it to the secret key of the same mode, which begins with `sk_`",
            source: Official("https://docs.stripe.com/keys"),
        },
        Mistake {
            forms: &[&WEBHOOK_SECRET],
            repair: "set it to the secret key, which begins with `sk_`; this one checks the events of a webhook",
            source: HOOKS,
        },
        Mistake {
            forms: &[&OBJECT_ID],
            repair: "set it to the secret key, which begins with `sk_`; an ID is not a credential",
            source: OBJECTS,
        },
    ],
    ..FIELD
};

pub static PUBLISHABLE_KEY_FIELD: Field = Field {
    place: ("stripe", "publishable_key"),
    noun: "a publishable key",
    about: "the publishable key, which begins with `pk_`",
    takes: &[&PUBLISHABLE_KEY],
    names: &[Names::apart(&["PUBLISHABLE_KEY"], APPS), Names::new(&["PUBLIC_KEY"], DJ_STRIPE)],
    mistakes: &[
        Mistake {
            forms: &[&SECRET_KEY],
            repair: "set it to the publishable key, which begins with `pk_`; this name is made for browsers, so rotate the secret key if it got there",
            source: KEYS,
        },
        Mistake {
            forms: &[&WEBHOOK_SECRET],
            repair: "set it to the publishable key, which begins with `pk_`",
            source: HOOKS,
        },
    ],
    ..FIELD
};

pub static WEBHOOK_SECRET_FIELD: Field = Field {
    place: ("stripe", "webhook_secret"),
    noun: "the signing secret of a webhook",
    about: "the signing secret of the endpoint, which begins with `whsec_`",
    purpose: Purpose::Key,
    takes: &[&WEBHOOK_SECRET],
    names: &[
        Names::new(&["WEBHOOK_SECRET"], APPS),
        Names::new(&["WEBHOOK_SIGNING_SECRET"], EDGE),
        Names::new(&["SIGNING_SECRET"], STRIPE_EVENT),
    ],
    mistakes: &[
        Mistake {
            forms: &[&SECRET_KEY, &PUBLISHABLE_KEY],
            repair: "set it to the signing secret of the endpoint, which begins with `whsec_`",
            source: HOOKS,
        },
        Mistake {
            forms: &[&OBJECT_ID],
            repair: "set it to the signing secret of the endpoint, which begins with `whsec_`; its page shows both",
            source: OBJECTS,
        },
    ],
};

/// Error texts in logs.
static ERRORS: &[ErrorText] = &[
    ErrorText {
        texts: &[
            "This API call cannot be made with a publishable API key",
            "Publishable key sent, but only secret keys can be used",
        ],
        about: &[&SECRET_KEY_FIELD],
        says: "a publishable key was sent where a secret key belongs",
        open: "whether the program reads another variable",
        source: Example("https://github.com/mohammedhammoud/django-rest-framework-stripe/issues/3"),
        ..ERROR
    },
    ErrorText {
        texts: &["Invalid API Key provided"],
        near: &["stripe", "StripeAuthenticationError"],
        about: &[&SECRET_KEY_FIELD],
        says: "Stripe does not recognise the secret key",
        open: "whether it was rolled or deleted",
        source: Example("https://github.com/OriginProtocol/dshop/issues/326"),
        ..ERROR
    },
    ErrorText {
        texts: &[
            "A similar object exists in test mode, but a live mode key was used",
            "a similar object exists in live mode, but a test mode key was used",
        ],
        about: &[&SECRET_KEY_FIELD, &PUBLISHABLE_KEY_FIELD],
        says: "the object was made in the other mode than the key's",
        open: "which mode the object has: look at what made it",
        source: Example("https://github.com/stripe/stripe-node/issues/149"),
        ..ERROR
    },
    ErrorText {
        texts: &["No signatures found matching the expected signature for payload"],
        about: &[&WEBHOOK_SECRET_FIELD],
        says: "the signing secret of a webhook does not fit what arrived, or the body was changed before it was checked",
        open: "of which endpoint the secret is: each has its own, and `stripe listen` prints another",
        source: Official("https://github.com/stripe/stripe-node/blob/master/src/Webhooks.ts"),
        ..ERROR
    },
    ErrorText {
        texts: &["You did not provide an API key. You need to provide your API key in the Authorization header"],
        about: &[&SECRET_KEY_FIELD],
        says: "no key arrived",
        open: "whether the variable reaches the program",
        source: Example("https://github.com/stripe-samples/firebase-subscription-payments/issues/7"),
        ..ERROR
    },
];
