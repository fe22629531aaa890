//! Recognises text that another tool expands before a program reads the value: shells, pipelines, templates.

use crate::schema::value::key_name;
use crate::source::Value;

/// Returns the name that a value refers to, if the whole value is a reference and the name may be printed: `$NAME`,
/// `${NAME}`, `${NAME:-…}`, `$(NAME)`, `%NAME%`, `${{ secrets.NAME }}`, `{{ .Values.NAME | quote }}`,
/// LiteLLM's `os.environ/NAME`.
pub(super) fn refers_to(value: &str) -> Option<String> {
    const MARKS: [(&str, &str); 7] =
        [("${{", "}}"), ("{{", "}}"), ("${", "}"), ("$(", ")"), ("%", "%"), ("$", ""), ("os.environ/", "")];
    let value = value.trim();
    let (start, end) = MARKS.into_iter().find(|(start, _)| value.starts_with(start))?;
    let inner = value.strip_prefix(start)?.strip_suffix(end)?;
    shown_name(match start {
        "${{" => inner.trim().rsplit('.').next()?,
        "{{" => chart_value(inner)?,
        "${" => inner.split([':', '-', '?', '+', '=']).next()?,
        _ => inner,
    })
}

/// Returns the value of a chart that a template takes, as `Values.NAME`.
fn chart_value(template: &str) -> Option<&str> {
    let mut found = template.split([' ', '(', ')']).filter_map(|word| word.strip_prefix('.'));
    found.find(|word| word.starts_with("Values.")).filter(|_| !template.contains("{{"))
}

/// Returns a name if it may be printed. A single word could be a password.
pub(super) fn shown_name(name: &str) -> Option<String> {
    let alone = !name.contains(['-', '_', '.']) && name.contains(|c: char| c.is_ascii_lowercase());
    key_name(name).filter(|_| !alone && !name.contains([' ', '/', '$']))
}

/// Returns `true` if part of a value is meant to be replaced.
pub(super) fn is_expanded(value: &str) -> bool {
    let value = value.trim();
    ["{{", "${", "$(", "<%", "#{", "{%", "[["].iter().any(|mark| value.contains(mark))
        || value.starts_with(['$', '`', '%', '@', '!'])
        || value.starts_with("<path:")
        // Concourse and BOSH. Source: <https://concourse-ci.org/vars.html>.
        || value.starts_with("((") && value.ends_with("))")
        || value.contains('`')
}

/// Returns `true` if Argo CD's vault plugin fills in the document, which expands `<…>`. Source:
/// <https://codefresh.io/learn/argo-cd/argo-cd-vault-plugin-the-basics-and-a-quick-tutorial>.
pub(super) fn has_vault_plugin(value: &Value) -> bool {
    value.has(&|key| key.starts_with("avp.kubernetes.io/"), &|_| false)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_name_of_reference() {
        for (value, name) in [
            ("$SLACK_TOKEN", Some("SLACK_TOKEN")),
            ("${SLACK_TOKEN:-}", Some("SLACK_TOKEN")),
            ("${{ secrets.SLACK_TOKEN }}", Some("SLACK_TOKEN")),
            ("$(B2_KEY)", Some("B2_KEY")),
            ("%B2_KEY%", Some("B2_KEY")),
            ("xoxb-1", None),
            ("$(pass show b2)", None),
            ("${{ secrets.B2_KEY B2_ID }}", None),
            // A word that could be a password.
            ("$hunter", None),
            ("${{ a.b }} x", None),
            ("{{ .Values.slack.botToken | quote }}", Some("Values.slack.botToken")),
            ("{{ required \"why\" .Values.b2Key }}", Some("Values.b2Key")),
            ("{{ .Release.Name }}", None),
            ("{{ .Values.a }}{{ .Values.b }}", None),
        ] {
            assert_eq!(refers_to(value).as_deref(), name, "{value}");
        }
        assert!(is_expanded("{{ .Values.token }}") && is_expanded("a${B}") && !is_expanded("K001abc/+"));
    }
}
