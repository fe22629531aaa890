//! HCP Terraform.

use super::{BLANK, FORM, Form, Pattern, Service, Source};

pub static SERVICE: Service = Service {
    name: "HCP Terraform",
    docs: "https://developer.hashicorp.com/terraform/cloud-docs/users-teams-organizations/api-tokens",
    read: "2026-11-21",
    forms: &[&TOKEN],
    ..BLANK
};

pub static TOKEN: Form = Form {
    id: "hcp-terraform/token",
    noun: "an HCP Terraform token",
    patterns: &[Pattern::Text(r"[0-9A-Za-z_-]{14}\.atlasv1\.[0-9A-Za-z_-]{60,}")],
    source: Source::Official(SERVICE.docs),
    ..FORM
};
