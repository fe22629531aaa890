//! Comments that allow findings.

use crate::schema::value::shown;
use crate::text::{LineIndex, Span};

/// A comment that allows a finding: `# credlint: allow(rule) reason`.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Allowance {
    /// The id of the rule, if it is spelled like one.
    pub rule: String,
    /// The reason for display; empty if none is given.
    pub reason: String,
    /// The location of the comment.
    pub span: Span,
    /// The line that it applies to, from 1: its own, or the next if it stands alone.
    pub line: usize,
}

/// Parses the given comments: their ranges, and whether each stands alone on its line.
pub(super) fn from_comments(text: &str, comments: &[(Span, bool)], lines: &LineIndex) -> Vec<Allowance> {
    let comments = comments.iter().filter_map(|&(span, alone)| {
        let comment = text.get(span.start..span.end)?.trim_start_matches(['#', ';', '/', '*']).trim_start();
        let rest = comment.strip_prefix("credlint:")?.trim_start().strip_prefix("allow")?.trim_start();
        let (rules, reason) = rest.strip_prefix('(')?.split_once(')')?;
        let line = lines.position(span.start).line + usize::from(alone);
        let reason = shown::reason(reason).unwrap_or_default();
        Some((rules.split(','), reason, span, line))
    });
    comments
        .flat_map(|(rules, reason, span, line)| {
            let rule = |rule: &str| shown::rule(rule.trim()).unwrap_or_default();
            rules.map(move |id| Allowance { rule: rule(id), reason: reason.clone(), span, line }).collect::<Vec<_>>()
        })
        .collect()
}
