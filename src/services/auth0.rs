//! Auth0. Its SDKs differ in what they accept as a domain.

use super::prelude::*;

pub static SERVICE: Service = Service {
    name: "Auth0",
    docs: "https://auth0.com/docs/customize/custom-domains/multiple-custom-domains/sdk-configuration",
    read: "2026-11-24",
    forms: &[&ADDRESS],
    words: &["AUTH0"],
    fields: &[&DOMAIN_FIELD],
    ..BLANK
};

/// The older SDKs for Node and browsers add `https://` themselves; the one for single-page apps accepts both.
const DOMAIN: Source = Unsure("https://github.com/auth0/nextjs-auth0/issues/1822");

pub static ADDRESS: Form = Form {
    id: "auth0/address",
    noun: "the address of an Auth0 tenant",
    patterns: &[Address { hosts: &["*.auth0.com"], path: "" }],
    public: true,
    purpose: Purpose::Endpoint,
    source: Official("https://auth0.com/docs/get-started/auth0-overview/create-tenants"),
    ..FORM
};

/// A custom domain is also valid, so a value of unknown form is not reported.
pub static DOMAIN_FIELD: Field = Field {
    place: ("auth0", "domain"),
    noun: "the domain of a tenant",
    about: "the domain of the tenant, such as `TENANT.eu.auth0.com`, without `https://`",
    purpose: Purpose::Any,
    names: &[Names::new(&["DOMAIN"], Official("https://github.com/auth0/nextjs-auth0/blob/main/README.md"))],
    mistakes: &[Mistake {
        forms: &[&ADDRESS],
        repair: "write the domain alone, without `https://` and without the slash behind it: most SDKs add them; a program that takes an address has it right",
        source: DOMAIN,
    }],
    ..FIELD
};
