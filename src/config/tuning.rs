//! The linter's own settings: the `[lint]` table, and comments that allow a finding.
//!
//! They are never read from the environment or a dotenv file, except for comments, which apply only to their own line.

use std::collections::HashMap;
use std::path::PathBuf;
use std::time::SystemTime;

use super::flaws::Flaws;
use super::merge::{self, LintTree};
use super::own_names::OwnNames;
use super::setting::Profile;
use crate::file::{MOST_PATTERNS, PathPattern};
use crate::schema::value::{key_name, shown};
use crate::schema::{self, ProfileId};
use crate::secret::{Handle, MASK, Vault};
use crate::source::{self, Entry, Node, Reader, Scalar, Sources, Spot, Value};
use crate::text;

/// The linter's settings. Words are kept as written; they are validated where the rules are known.
#[derive(Clone, Debug, Default)]
pub struct Tuning {
    /// The severity at which a check fails.
    pub fail_on: Option<String>,
    /// The levels of rules, in order; later ones win.
    pub levels: Vec<Leveled>,
    /// The allowed findings.
    pub allows: Vec<Allow>,
    /// Files that searches skip.
    pub exclude: Vec<PathPattern>,
    /// Names of the project's own.
    pub names: OwnNames,
    /// The number of files with services of the project's own.
    pub services: usize,
    /// The baseline; only a policy can name one.
    pub baseline: Option<PathBuf>,
    /// The number of allows with a pattern.
    patterns: usize,
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
    /// The last day on which it applies, in UTC, and the end of that day.
    pub until: Option<(String, SystemTime)>,
    /// The profile's name as written, in the vault because it could be a secret.
    profile_name: Option<Handle>,
    /// The reason for display; empty if none is given.
    pub reason: String,
    /// Its location.
    pub at: Spot,
    /// The comment, if it is one. It applies to findings on its own line or, if it stands alone, on the next.
    pub comment: Option<source::Allowance>,
}

impl Allow {
    fn new(at: Spot) -> Self {
        let (rule, reason) = (String::new(), String::new());
        Self {
            rule,
            profiles: None,
            path: None,
            variable: None,
            until: None,
            profile_name: None,
            reason,
            at,
            comment: None,
        }
    }
}

/// Adds the leaves of a layer to all leaves, and returns their numbers.
fn number<T>(all: &mut Vec<Option<T>>, leaves: impl IntoIterator<Item = T>) -> Vec<usize> {
    let first = all.len();
    all.extend(leaves.into_iter().map(Some));
    (first..all.len()).collect()
}

/// Returns the leaves with these numbers.
fn take<T>(mut all: Vec<Option<T>>, numbers: impl IntoIterator<Item = usize>) -> Vec<T> {
    numbers.into_iter().filter_map(|number| all.get_mut(number)?.take()).collect()
}

impl Tuning {
    /// Merges the settings of the layers, low to high.
    pub(super) fn from_layers(layers: impl Iterator<Item = Self>) -> Self {
        let (mut words, mut levels, mut allows, mut exclude) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        let (mut fields, mut services) = (Vec::new(), 0);
        let mut named = |names: OwnNames| {
            let (keys, own): (Vec<_>, Vec<_>) = names.fields.into_iter().unzip();
            keys.into_iter().zip(number(&mut fields, own)).collect()
        };
        let trees = layers.inspect(|layer| services += layer.services);
        let trees = trees.map(|layer| LintTree {
            fail_on: number(&mut words, layer.fail_on).pop(),
            levels: number(&mut levels, layer.levels),
            allow: number(&mut allows, layer.allows),
            exclude: number(&mut exclude, layer.exclude),
            names: named(layer.names),
        });
        let trees: Vec<LintTree> = trees.collect();
        let used = merge::merge(trees);
        let own = used.names.keys().cloned().zip(take(fields, used.names.values().copied()));
        Self {
            fail_on: take(words, used.fail_on).pop(),
            levels: take(levels, used.levels),
            allows: take(allows, used.allow),
            exclude: take(exclude, used.exclude),
            names: OwnNames::new(own.collect()),
            services,
            ..Self::default()
        }
    }

    /// Adds a `[lint]` table.
    pub(super) fn add(&mut self, lint: &[Entry], reader: &Reader<'_>, flaws: &mut Flaws) {
        for Entry { key: name, at, value } in lint {
            let key = || format!("lint.{name}");
            match (name.as_str(), &value.node) {
                (_, Node::Null) => {}
                ("fail_on", _) => {
                    let severity = |handle| reader.vault.shown(handle, shown::severity);
                    let said = flaws.read_text(value, (key(), *at), "`error` or `warning`", severity);
                    self.fail_on = said.or_else(|| self.fail_on.take());
                }
                ("levels", Node::Table(levels)) => {
                    for Entry { key: rule, at, value } in levels {
                        let key = format!("lint.levels.{}", shown_rule(rule));
                        let level = |handle| reader.vault.shown(handle, shown::level);
                        let level = flaws.read_text(value, (key, *at), "`off`, `note`, `warning` or `error`", level);
                        self.levels.extend(level.map(|level| Leveled { rule: rule.clone(), level, at: *at }));
                    }
                }
                ("allow", Node::List(allows)) => {
                    for (index, allow) in allows.iter().enumerate() {
                        self.add_allow(index, allow, reader, flaws);
                    }
                }
                ("exclude", Node::List(patterns)) if self.exclude.len() + patterns.len() > MOST_PATTERNS => {
                    flaws.add_mistyped(key(), *at, "a longer list", "at most 1,000 patterns");
                }
                ("exclude", Node::List(patterns)) => {
                    for (index, value) in patterns.iter().enumerate() {
                        let place = (format!("lint.exclude[{index}]"), value.at);
                        self.exclude.extend(flaws.read_text(value, place, PATTERN, |handle| pattern(handle, reader)));
                    }
                }
                ("services", Node::List(files)) => {
                    self.services += files.len();
                    let is_path = |value: &Value| matches!(value.node, Node::Scalar(Scalar::Text, _));
                    for (index, value) in files.iter().enumerate().filter(|(_, value)| !is_path(value)) {
                        flaws.add_mistyped(
                            format!("lint.services[{index}]"),
                            value.at,
                            value.node.describe(),
                            "the path of a file such as `acme.toml`",
                        );
                    }
                }
                ("services", node) => flaws.add_mistyped(key(), *at, node.describe(), "a list of files"),
                ("levels", node) => flaws.add_mistyped(key(), *at, node.describe(), "a table of rules and levels"),
                ("exclude", node) => flaws.add_mistyped(key(), *at, node.describe(), "a list of patterns"),
                ("allow", node) => flaws.add_mistyped(key(), *at, node.describe(), "a list of tables"),
                _ => {}
            }
        }
    }

    fn add_allow(&mut self, index: usize, allow: &Value, reader: &Reader<'_>, flaws: &mut Flaws) {
        let key = format!("lint.allow[{index}]");
        let whole = "a table with `rule` and `reason`";
        let Node::Table(entries) = &allow.node else {
            return flaws.add_mistyped(key, allow.at, allow.node.describe(), whole);
        };
        let before = flaws.mistyped.len();
        if !entries.iter().any(|entry| entry.key == "rule" && !matches!(entry.value.node, Node::Null)) {
            flaws.add_mistyped(key.clone(), allow.at, "a table without `rule`", whole);
        }
        let mut found = Allow::new(allow.at);
        for Entry { key: name, at, value } in entries {
            if matches!(value.node, Node::Null) {
                continue;
            }
            // Reported as an unknown field. Without its restriction, the allow would apply everywhere.
            if !schema::ALLOW_KEYS.contains(&name.as_str()) {
                return;
            }
            let ((Node::Scalar(Scalar::Text, handle), _) | (Node::Scalar(Scalar::Date, handle), "until")) =
                (&value.node, name.as_str())
            else {
                flaws.add_mistyped(format!("{key}.{name}"), *at, value.node.describe(), "a string");
                continue;
            };
            let shown = |show: fn(&str) -> Option<String>| reader.vault.shown(*handle, show);
            let expected = match name.as_str() {
                "path" => {
                    found.path = pattern(*handle, reader);
                    found.path.is_none().then_some(PATTERN)
                }
                "variable" => {
                    found.variable = pattern(*handle, reader).filter(|_| shown(key_name).is_some());
                    found.variable.is_none().then_some("the name of a variable or a key")
                }
                "until" => {
                    found.until = shown(shown::date).and_then(|day| text::end_of_day(&day).map(|end| (day, end)));
                    found.until.is_none().then_some("a day such as 2026-12-31")
                }
                "rule" => {
                    (found.rule, found.at) = (shown(shown::rule).unwrap_or_default(), *at);
                    None
                }
                "profile" => {
                    found.profile_name = Some(*handle);
                    None
                }
                _ => {
                    found.reason = shown(shown::reason).unwrap_or_default();
                    None
                }
            };
            if let Some(expected) = expected {
                flaws.add_mistyped(format!("{key}.{name}"), *at, "a different string", expected);
            }
        }
        let has_pattern = |allow: &Allow| allow.path.is_some() || allow.variable.is_some();
        self.patterns += usize::from(has_pattern(&found));
        if has_pattern(&found) && self.patterns > MOST_PATTERNS {
            flaws.add_mistyped(key, allow.at, "one more pattern", "at most 1,000 allows with a pattern");
        }
        // An invalid allow is reported, and allows nothing.
        if flaws.mistyped.len() == before {
            self.allows.push(found);
        }
    }

    /// Resolves the profiles that allows name.
    pub(super) fn resolve_profiles(&mut self, profiles: &[Profile], vault: &Vault) {
        let mut by_name: HashMap<String, Vec<&ProfileId>> = HashMap::new();
        if self.allows.iter().any(|allow| allow.profile_name.is_some()) {
            for id in profiles.iter().map(|profile| &profile.id) {
                for name in id.names() {
                    by_name.entry(name).or_default().push(id);
                }
            }
        }
        for allow in &mut self.allows {
            let Some(handle) = allow.profile_name else { continue };
            #[expect(
                clippy::disallowed_methods,
                reason = "compared with the names of profiles, and only those are kept"
            )]
            let named = by_name.get(&schema::fold(vault.open(handle)));
            allow.profiles = Some(named.into_iter().flatten().copied().cloned().collect());
        }
    }

    /// Adds the comments of a source.
    pub(super) fn add_comments(&mut self, sources: &Sources, id: source::SourceId) {
        for allowance in &sources.get(id).allowances {
            self.allows.push(Allow {
                rule: allowance.rule.clone(),
                reason: allowance.reason.clone(),
                comment: Some(allowance.clone()),
                ..Allow::new(Spot { source: id, span: allowance.span })
            });
        }
    }
}

/// What a pattern must be.
const PATTERN: &str = "a pattern for files, such as `vendor/` or `*.env`";

fn pattern(handle: Handle, reader: &Reader<'_>) -> Option<PathPattern> {
    #[expect(clippy::disallowed_methods, reason = "compared with names of files, and never printed")]
    PathPattern::parse(reader.vault.open(handle)).ok()
}

/// Returns the id of a rule for display, where the list of rules is not available.
pub fn shown_rule(id: &str) -> String {
    if shown::rule(id).is_some() && !text::may_be_credential(id) { id.to_owned() } else { MASK.to_owned() }
}
