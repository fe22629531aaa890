//! HCP Terraform.

use super::prelude::*;

pub static SERVICE: Service = Service {
    name: "HCP Terraform",
    docs: "https://developer.hashicorp.com/terraform/cloud-docs/users-teams-organizations/api-tokens",
    read: "2026-11-21",
    forms: &[&TOKEN],
    ..BLANK
};

pub static TOKEN: Form = Form::new(
    "hcp-terraform/token",
    "an HCP Terraform token",
    &[Text(r"[0-9A-Za-z_-]{14}\.atlasv1\.[0-9A-Za-z_-]{60,}")],
    Official(SERVICE.docs),
);
