//! The linter's own settings: the `[lint]` table, and comments that allow a finding.
//!
//! They are never read from the environment or a dotenv file, except for comments, which apply only to their own line.

use std::collections::HashMap;
use std::path::PathBuf;
use std::time::SystemTime;

use super::setting::{Mistyped, Profile};
use crate::schema::value::{key_name, shown};
use crate::schema::{self, ProfileId};
use crate::secret::{Handle, MASK, Vault};
use crate::source::{self, Entry, Node, Reader, Scalar, Sources, Spot, Value};
use crate::text::{self, PathPattern};

/// The linter's settings. Words are kept as written; they are validated where the rules are known.
#[derive(Clone, Debug, Default)]
pub struct Tuning {
    /// The severity at which a check fails.
    pub fail_on: Option<String>,
    /// The levels of rules, in order; later ones win.
    pub levels: Vec<Leveled>,
    /// The allowed findings.
    pub allows: Vec<Allow>,
    /// Files that no search reads.
    pub exclude: Vec<PathPattern>,
    /// The baseline; only a policy can name one.
    pub baseline: Option<PathBuf>,
}

/// A level for a rule.
#[derive(Clone)]
pub struct Leveled {
    /// The id of the rule, if it is valid.
    pub rule: String,
    /// `off`, `note`, `warning` or `error`.
    pub level: String,
    /// Its location.
    pub at: Spot,
}

impl std::fmt::Debug for Leveled {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        // An invalid id could be a credential.
        let rule = shown_rule(&self.rule);
        f.debug_struct("Leveled").field("rule", &rule).field("level", &self.level).field("at", &self.at).finish()
    }
}

/// An allow.
#[derive(Clone, Debug)]
pub struct Allow {
    /// The id of the rule, if it is valid.
    pub rule: String,
    /// The profiles. `None` means all.
    pub profiles: Option<Vec<ProfileId>>,
    /// The files, by their path from the root of the repository. `None` means all.
    pub path: Option<PathPattern>,
    /// The variable or key. `None` means all.
    pub variable: Option<PathPattern>,
    /// The last day on which it counts, in UTC, and the end of it.
    pub until: Option<(String, SystemTime)>,
    /// The profile's name as written, in the vault because it could be a secret.
    named: Option<Handle>,
    /// The reason for display; empty if none is given.
    pub reason: String,
    /// Its location.
    pub at: Spot,
    /// The comment, if it is one. It applies to findings on its own line or, if it stands alone, on the next.
    pub comment: Option<source::Allowance>,
}

impl Tuning {
    /// Adds a `[lint]` table. Later levels win; allows accumulate.
    pub(super) fn add(&mut self, lint: &[Entry], reader: &Reader<'_>, flaws: &mut Vec<Mistyped>) {
        for entry in lint {
            match (entry.key.as_str(), &entry.value.node) {
                (_, Node::Null) => {}
                ("fail_on", Node::Scalar(Scalar::Text, handle)) => match reader.vault.shown(*handle, shown::severity) {
                    Some(word) => self.fail_on = Some(word),
                    None => {
                        flaws.push(mistyped("lint.fail_on", entry.at, "a different string", "`error` or `warning`"));
                    }
                },
                ("fail_on", node) => {
                    flaws.push(mistyped("lint.fail_on", entry.at, node.describe(), "`error` or `warning`"));
                }
                ("levels", Node::Table(levels)) => self.levels(levels, reader, flaws),
                ("levels", node) => {
                    flaws.push(mistyped("lint.levels", entry.at, node.describe(), "a table of rules and levels"));
                }
                ("allow", Node::List(allows)) => {
                    for (index, allow) in allows.iter().enumerate() {
                        self.allow(index, allow, reader, flaws);
                    }
                }
                ("exclude", Node::List(patterns)) => {
                    for (index, value) in patterns.iter().enumerate() {
                        let found = match value.node {
                            Node::Scalar(Scalar::Text, handle) => pattern(handle, reader),
                            _ => None,
                        };
                        match found {
                            Some(found) => self.exclude.push(found),
                            None => {
                                let found = match &value.node {
                                    Node::Scalar(Scalar::Text, _) => "a different string",
                                    node => node.describe(),
                                };
                                flaws.push(mistyped(&format!("lint.exclude[{index}]"), value.at, found, PATTERN));
                            }
                        }
                    }
                }
                ("exclude", node) => {
                    flaws.push(mistyped("lint.exclude", entry.at, node.describe(), "a list of patterns"));
                }
                ("allow", node) => flaws.push(mistyped("lint.allow", entry.at, node.describe(), "a list of tables")),
                _ => {}
            }
        }
    }

    fn levels(&mut self, levels: &[Entry], reader: &Reader<'_>, flaws: &mut Vec<Mistyped>) {
        for entry in levels {
            let level = match entry.value.node {
                Node::Scalar(Scalar::Text, handle) => reader.vault.shown(handle, shown::level),
                _ => None,
            };
            match level {
                Some(level) => self.levels.push(Leveled { rule: entry.key.clone(), level, at: entry.at }),
                None => {
                    let found = match &entry.value.node {
                        Node::Scalar(Scalar::Text, _) => "a different string",
                        node => node.describe(),
                    };
                    let key = format!("lint.levels.{}", shown_rule(&entry.key));
                    flaws.push(mistyped(&key, entry.at, found, "`off`, `note`, `warning` or `error`"));
                }
            }
        }
    }

    fn allow(&mut self, index: usize, allow: &Value, reader: &Reader<'_>, flaws: &mut Vec<Mistyped>) {
        let key = format!("lint.allow[{index}]");
        let Node::Table(entries) = &allow.node else {
            flaws.push(mistyped(&key, allow.at, allow.node.describe(), "a table with `rule` and `reason`"));
            return;
        };
        let before = flaws.len();
        if !entries.iter().any(|entry| entry.key == "rule" && !matches!(entry.value.node, Node::Null)) {
            flaws.push(mistyped(&key, allow.at, "a table without `rule`", "a table with `rule` and `reason`"));
        }
        let mut found = Allow {
            rule: String::new(),
            profiles: None,
            path: None,
            variable: None,
            until: None,
            named: None,
            reason: String::new(),
            at: allow.at,
            comment: None,
        };
        for entry in entries {
            let name = entry.key.as_str();
            if matches!(entry.value.node, Node::Null) {
                continue;
            }
            // Reported as an unknown field. Without what it was to narrow, the allow would apply everywhere.
            if !schema::ALLOW_KEYS.contains(&name) {
                return;
            }
            let ((Node::Scalar(Scalar::Text, handle), _) | (Node::Scalar(Scalar::Date, handle), "until")) =
                (&entry.value.node, name)
            else {
                flaws.push(mistyped(&format!("{key}.{name}"), entry.at, entry.value.node.describe(), "a string"));
                continue;
            };
            let handle = *handle;
            let shown = |show: fn(&str) -> Option<String>| reader.vault.shown(handle, show);
            match name {
                "rule" => (found.rule, found.at) = (shown(shown::rule).unwrap_or_default(), entry.at),
                "profile" => found.named = Some(handle),
                "path" => {
                    found.path = pattern(handle, reader);
                    if found.path.is_none() {
                        flaws.push(mistyped(&format!("{key}.path"), entry.at, "a different string", PATTERN));
                    }
                }
                "variable" => {
                    found.variable = pattern(handle, reader).filter(|_| shown(key_name).is_some());
                    if found.variable.is_none() {
                        let expected = "the name of a variable or a key";
                        flaws.push(mistyped(&format!("{key}.variable"), entry.at, "a different string", expected));
                    }
                }
                "until" => {
                    found.until = shown(shown::date).and_then(|day| text::day(&day).map(|end| (day, end)));
                    if found.until.is_none() {
                        let expected = "a day such as 2026-12-31";
                        flaws.push(mistyped(&format!("{key}.until"), entry.at, "a different string", expected));
                    }
                }
                _ => found.reason = shown(shown::reason).unwrap_or_default(),
            }
        }
        // An invalid allow is reported, and allows nothing.
        if flaws.len() == before {
            self.allows.push(found);
        }
    }

    /// Resolves the profiles that allows name.
    pub(super) fn name_profiles(&mut self, profiles: &[Profile], vault: &Vault) {
        let mut by_name: HashMap<String, Vec<&ProfileId>> = HashMap::new();
        if self.allows.iter().any(|allow| allow.named.is_some()) {
            for id in profiles.iter().map(|profile| &profile.id) {
                for name in id.names() {
                    by_name.entry(name).or_default().push(id);
                }
            }
        }
        for allow in &mut self.allows {
            let Some(handle) = allow.named else { continue };
            #[expect(
                clippy::disallowed_methods,
                reason = "compared with the names of profiles, and only those are kept"
            )]
            let named = by_name.get(&schema::fold(vault.open(handle)));
            allow.profiles = Some(named.into_iter().flatten().copied().cloned().collect());
        }
    }

    /// Adds the comments of a source.
    pub(super) fn comments(&mut self, sources: &Sources, id: source::SourceId) {
        for allowance in &sources.get(id).allowances {
            self.allows.push(Allow {
                rule: allowance.rule.clone(),
                profiles: None,
                path: None,
                variable: None,
                until: None,
                named: None,
                reason: allowance.reason.clone(),
                at: Spot { source: id, span: allowance.span },
                comment: Some(allowance.clone()),
            });
        }
    }
}

/// What a pattern must be.
const PATTERN: &str = "a pattern for files, such as `vendor/` or `*.env`";

fn pattern(handle: Handle, reader: &Reader<'_>) -> Option<PathPattern> {
    #[expect(clippy::disallowed_methods, reason = "compared with names of files, and never printed")]
    PathPattern::parse(reader.vault.open(handle))
}

fn mistyped(key: &str, at: Spot, found: &'static str, expected: &str) -> Mistyped {
    Mistyped { key: key.to_owned(), at, found, expected: expected.to_owned() }
}

/// Returns the id of a rule for display, where the list of rules is not available.
pub fn shown_rule(id: &str) -> String {
    if shown::rule(id).is_some() && !text::opaque(id) { id.to_owned() } else { MASK.to_owned() }
}
