//! Reads a policy: a `[lint]` table, optionally a `[trust]` table, and nothing else. Because a policy can't be
//! weakened, an unknown word in it is an error.

use std::path::Path;

use super::flaws::Flaws;
use super::limits::TrustLimits;
use super::setting::Unknown;
use super::tuning::Tuning;
use super::types;
use crate::code::Code;
use crate::schema::POLICY_KEYS;
use crate::source::{Entry, Node, Problem, Reader, Scalar};

/// Reads a policy. `None` if it is invalid.
pub(super) fn read(
    path: &Path,
    reader: &mut Reader<'_>,
    limits: &mut TrustLimits,
    problems: &mut Vec<Problem>,
    flaws: &mut Flaws,
) -> Option<Tuning> {
    let entries = match reader.read_file(path) {
        Ok((_, entries, _)) => entries,
        Err(problem) => {
            problems.push(problem);
            return None;
        }
    };
    let mut policy = Tuning::default();
    let before = problems.len();
    for entry in &entries {
        match &entry.value.node {
            Node::Table(lint) if entry.key == "lint" => {
                policy.add(lint, reader, flaws);
                let mut found = Flaws::default();
                types::check_lint(entry, &POLICY_KEYS, &mut found);
                problems.extend(found.unknown.into_iter().map(|Unknown { key, at, expected, .. }| {
                    let known = expected.iter().map(|key| format!("`{key}`")).collect::<Vec<_>>().join(", ");
                    let message = format!("{} sets the unknown `{key}`", reader.shown_name(path));
                    let help = format!("valid fields: {known}");
                    Problem::new(Code::Policy, message).help(help).at(at, "not allowed in a policy")
                }));
                for entry in lint.iter().filter(|entry| entry.key == "baseline") {
                    match baseline_path(entry, path, reader) {
                        Ok(named) => policy.baseline = named,
                        Err(problem) => problems.push(problem),
                    }
                }
            }
            _ if entry.key == "names" => policy.names.add(entry, reader, flaws),
            _ if entry.key == "trust" => limits.read(entry, reader, problems, flaws),
            _ => problems.push(
                Problem::new(
                    Code::Policy,
                    format!("{} contains more than [lint], [names] and [trust]", reader.shown_name(path)),
                )
                .help("a policy has only the tables [lint], [names] and [trust]; keep profiles in the configuration")
                .at(entry.at, "not allowed in a policy"),
            ),
        }
    }
    (problems.len() == before).then_some(policy)
}

/// Returns the baseline that a policy names, relative to the policy.
fn baseline_path(entry: &Entry, path: &Path, reader: &Reader<'_>) -> Result<Option<std::path::PathBuf>, Problem> {
    match entry.value.node {
        Node::Null => Ok(None),
        Node::Scalar(Scalar::Text, handle) if !reader.vault.is_empty(handle) => {
            #[expect(clippy::disallowed_methods, reason = "the path of a baseline, to open it")]
            let named = reader.vault.open(handle);
            Ok(Some(reader.resolve(path.parent(), named)))
        }
        _ => Err(Problem::new(Code::Policy, format!("`lint.baseline` of {} is not a path", reader.shown_name(path)))
            .help("set it to the file that --write-baseline wrote, relative to the policy")
            .at(entry.at, "expected a path")),
    }
}
