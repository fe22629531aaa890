//! Microsoft Teams.

use super::prelude::*;

pub static SERVICE: Service = Service {
    name: "Microsoft Teams",
    docs: "https://learn.microsoft.com/en-us/microsoftteams/platform/webhooks-and-connectors/how-to/add-incoming-webhook",
    read: "2026-11-21",
    forms: &[&WEBHOOK, &WORKFLOW_WEBHOOK],
    ..BLANK
};

pub static WEBHOOK: Form = Form {
    id: "teams/webhook",
    noun: "a Teams webhook",
    patterns: &[Address { hosts: &["outlook.office.com"], path: "webhook[!-~]{4,}" }],
    purpose: Purpose::Webhook,
    source: Official(SERVICE.docs),
    ..FORM
};

pub static WORKFLOW_WEBHOOK: Form = Form {
    id: "teams/workflow-webhook",
    noun: "a Teams workflow webhook",
    patterns: &[Address { hosts: &["*.webhook.office.com"], path: "webhookb2/[!-~]*" }],
    purpose: Purpose::Webhook,
    source: Official(SERVICE.docs),
    ..FORM
};
