use crate::config;
use crate::rule::{Sink, Use, rule};

rule! {
    AllowWithoutReason("allow-without-reason"): allows, "an allow without a reason, which is ignored",
    severity: Error, impact: None, scope: "any", readers: NONE, since: "0.1.0",
}

fn allows(uses: &[Use<'_>], sink: &mut Sink<'_>) {
    let unknown = |one: &Use<'_>| one.allow.comment.is_none() && !one.known;
    // In a table, an unknown rule is an unknown field.
    for one in uses.iter().filter(|one| one.allow.reason.is_empty() && !unknown(one)) {
        let message = format!("the allow for `{}` has no reason", config::shown_rule(&one.allow.rule));
        let help = match one.allow.comment {
            Some(_) => "add a reason after `)`: `# credlint: allow(rule) reason`",
            None => "add `reason = \"…\"`",
        };
        sink.push(finding(message, help).at("lint.allow", one.allow.at, "no reason given"));
    }
}
