//! Twilio.

use super::{FORM, Form, Pattern, Service, Source};

pub static SERVICE: Service = Service {
    name: "Twilio",
    docs: "https://www.twilio.com/docs/glossary/what-is-a-sid",
    read: "2026-11-21",
    forms: &[&ACCOUNT_SID, &API_KEY_SID],
};

pub static ACCOUNT_SID: Form = Form {
    id: "twilio/account-sid",
    noun: "a Twilio Account SID",
    patterns: &[Pattern::Text("AC[0-9A-Fa-f]{32}")],
    source: Source::Official(SERVICE.docs),
    ..FORM
};

pub static API_KEY_SID: Form = Form {
    id: "twilio/api-key-sid",
    noun: "a Twilio API key SID",
    patterns: &[Pattern::Text("SK[0-9A-Fa-f]{32}")],
    source: Source::Official(SERVICE.docs),
    ..FORM
};
