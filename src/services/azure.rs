//! Azure.

use super::{BLANK, FORM, Form, Pattern, Service, TRUFFLEHOG};

pub static SERVICE: Service =
    Service { name: "Azure", docs: "", read: "2026-11-21", forms: &[&STORAGE_CONNECTION], ..BLANK };

pub static STORAGE_CONNECTION: Form = Form {
    id: "azure/storage-connection",
    noun: "an Azure Storage connection string",
    patterns: &[Pattern::Text("DefaultEndpointsProtocol=[ -~]{20,}")],
    source: TRUFFLEHOG,
    ..FORM
};
