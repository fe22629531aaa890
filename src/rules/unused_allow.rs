use std::time::Duration;

use crate::config;
use crate::finding::Severity;
use crate::rule::{Sink, Use, rule};
use crate::source::Inert;

rule! {
    UnusedAllow("unused-allow"): allows, "an allow that matches no finding",
    severity: Warning, impact: None, scope: "any", readers: NONE, since: "0.1.0",
}

/// How long before it expires an allow is reported.
const SOON: Duration = Duration::from_secs(14 * 24 * 60 * 60);

fn allows(uses: &[Use<'_>], sink: &mut Sink<'_>) {
    for one in uses.iter().filter(|one| !one.allow.reason.is_empty()) {
        let rule = config::shown_rule(&one.allow.rule);
        if let Some((message, label)) = describe_expiry(one, &rule) {
            let help = "repair what it allows, or set a later day";
            sink.push(finding(message, help).severity(Severity::Note).at("lint.allow", one.allow.at, label));
            continue;
        }
        if one.used {
            continue;
        }
        let inert = one.allow.comment.as_ref().and_then(|comment| comment.inert);
        if inert == Some(Inert::OtherWords) {
            let help = "write `# credlint: allow(RULE) reason`, with the id that the finding has in brackets";
            sink.push(finding("this comment allows nothing", help).at("lint.allow", one.allow.at, "not an allow"));
            continue;
        }
        let message = format!("this allow for `{rule}` matches no finding");
        let help = match (&one.allow.comment, one.near) {
            // In a table, an unknown rule is an unknown field.
            (None, _) if !one.known => continue,
            (Some(_), _) if inert.is_some() => {
                "this is no comment in this file: write it as one, on the line above, with `#`".to_owned()
            }
            (Some(_), Some(near)) => format!("unknown rule; did you mean `{near}`?"),
            (Some(_), _) => {
                "remove the comment; it applies to its own line, or to the next line if it is on a line of its own, and only to findings in this file".to_owned()
            }
            (None, _) => "remove it, or correct what it is for: its `rule`, `profile`, `path` or `variable`".to_owned(),
        };
        sink.push(finding(message, help).at("lint.allow", one.allow.at, "matches no finding"));
    }
}

/// Says that an allow has expired, or is about to.
fn describe_expiry(one: &Use<'_>, rule: &str) -> Option<(String, &'static str)> {
    let ((day, _), left) = one.allow.until.as_ref().zip(one.time_left)?;
    if left.is_zero() {
        return Some((format!("this allow for `{rule}` ended on {day}"), "it has ended"));
    }
    let soon = one.used && left < SOON;
    soon.then(|| (format!("this allow for `{rule}` ends on {day}; then its finding is back"), "it ends soon"))
}
