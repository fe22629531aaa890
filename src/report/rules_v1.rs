//! `rules --format json`: the rules/v1 document, the catalogue of rules.

use serde::Serialize;

use super::json_v1::{TOOL, ToolV1, to_string};
use crate::rules;

/// The schema name.
pub const SCHEMA: &str = "credlint/rules/v1";

#[derive(Serialize)]
struct RulesV1 {
    schema: &'static str,
    tool: ToolV1,
    rules: Vec<RuleV1>,
}

#[derive(Serialize)]
struct RuleV1 {
    id: &'static str,
    severity: &'static str,
    scope: &'static str,
    summary: &'static str,
    since: &'static str,
    url: String,
    page: &'static str,
}

/// Returns the catalogue as a JSON document.
pub fn write() -> String {
    let rules = rules::ALL.iter().map(|rule| rule.meta()).map(|meta| RuleV1 {
        id: meta.id,
        severity: meta.severity.name(),
        scope: meta.scope,
        summary: meta.summary,
        since: meta.since,
        url: super::url(meta.id),
        page: meta.page,
    });
    to_string(&RulesV1 { schema: SCHEMA, tool: TOOL, rules: rules.collect() })
}
