//! Reads a policy: a `[lint]` table, optionally a `[trust]` table, and nothing else. Because a policy can't be
//! weakened, an unknown word in it is an error.

use std::path::Path;

use super::flaws::Flaws;
use super::limits::Limits;
use super::tuning::Tuning;
use crate::code::Code;
use crate::schema::{ALLOW_KEYS, POLICY_KEYS};
use crate::source::{self, Entry, Node, Problem, Reader, Scalar};

/// Reads a policy. `None` if it is invalid.
pub(super) fn read(
    path: &Path,
    reader: &mut Reader<'_>,
    limits: &mut Limits,
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
                problems.extend(unknown_keys(&["lint"], lint, &POLICY_KEYS, path, reader));
                for entry in lint.iter().filter(|entry| entry.key == "allow") {
                    let Node::List(allows) = &entry.value.node else { continue };
                    for allow in allows {
                        let Node::Table(allow) = &allow.node else { continue };
                        problems.extend(unknown_keys(&["lint", "allow"], allow, ALLOW_KEYS, path, reader));
                    }
                }
                for entry in lint.iter().filter(|entry| entry.key == "baseline") {
                    match baseline_path(entry, path, reader) {
                        Ok(named) => policy.baseline = named,
                        Err(problem) => problems.push(problem),
                    }
                }
            }
            _ if entry.key == "trust" => limits.read(entry, reader, problems, flaws),
            _ => problems.push(
                Problem::new(
                    Code::Policy,
                    format!("{} contains more than [lint] and [trust]", reader.shown_name(path)),
                )
                .help("a policy has only the tables [lint] and [trust]; keep profiles in the configuration")
                .at(entry.at, "not allowed in a policy"),
            ),
        }
    }
    (problems.len() == before).then_some(policy)
}

/// Returns a problem for each unknown key of a table.
fn unknown_keys(table: &[&str], entries: &[Entry], known: &[&str], path: &Path, reader: &Reader<'_>) -> Vec<Problem> {
    let unknown = entries.iter().filter(|entry| !known.contains(&entry.key.as_str())).map(|entry| {
        let key = source::shown_path(&[table, &[&entry.key]].concat());
        let known = known.iter().map(|key| format!("`{key}`")).collect::<Vec<_>>().join(", ");
        Problem::new(Code::Policy, format!("{} sets the unknown `{key}`", reader.shown_name(path)))
            .help(format!("valid fields: {known}"))
            .at(entry.at, "not allowed in a policy")
    });
    unknown.collect()
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
