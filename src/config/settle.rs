//! Turns the winning leaves into settings with their values and the settings that they hide.

use std::path::{Path, PathBuf};

use super::layer::Origin;
use super::layers::Tree;
use super::merge;
use super::permitted::PermittedHosts;
use super::reference::{ResolvedString, Resolver};
use super::setting::{Element, Mistyped, Profile, Setting, Shadow, State, Unknown, WrittenAs, join_with_or};
use super::survey::{Header, Leaf, Survey};
use super::trust::Author;
use crate::schema::{Field, Type, fold};
use crate::secret::{Digest, Facts};
use crate::source::{Node, Problem, Reader, Scalar, Value};

/// The inputs for settings.
pub(super) struct SettingBuilder<'s, 'r> {
    pub(super) trees: &'s [Tree],
    pub(super) permitted: PermittedHosts,
    pub(super) resolver: Resolver<'s, 'r>,
    pub(super) problems: &'s mut Vec<Problem>,
}

impl SettingBuilder<'_, '_> {
    /// Returns the profiles, sorted by kind and name. Only winning leaves are looked up.
    pub(super) fn build_profiles(&mut self, survey: &mut Survey<'_>) -> Vec<Profile> {
        let winners = merge::merge(std::mem::take(&mut survey.layers));
        let mut headers = std::mem::take(&mut survey.headers);
        headers.sort_by_cached_key(|header| (header.id.kind.name, fold(&header.id.name)));
        headers.into_iter().map(|header| self.build_profile(header, &winners, &survey.leaves)).collect()
    }

    fn build_profile(&mut self, header: Header, winners: &merge::Tree, leaves: &[Leaf<'_>]) -> Profile {
        let Header { id, at, broken, leaves: set, flaws, .. } = header;
        let winners = winners.get(id.kind.name).and_then(|profiles| profiles.get(&fold(&id.name)));
        let mut profile = Profile {
            id,
            at,
            broken,
            permitted: self.permitted.clone(),
            settings: Vec::new(),
            unknown: flaws.unknown,
            mistyped: flaws.mistyped,
            found: None,
        };
        for (field, set) in profile.kind().fields.iter().zip(set) {
            let Some(&winner) = winners.and_then(|winners| winners.get(field.name)) else { continue };
            let hidden = set.iter().rev().filter(|&&leaf| leaf != winner).map(|&leaf| &leaves[leaf]);
            let setting = self.build_setting(&profile, field, &leaves[winner], hidden);
            // Literal words were checked with their layer; this checks words from references.
            if let (Type::Choice(words), State::Mistyped) = (field.ty, &setting.state)
                && setting.form != WrittenAs::Literal
            {
                let (key, at) = (setting.key.clone(), setting.found.unwrap_or(setting.at));
                let (found, expected) = ("a different string", join_with_or(words));
                profile.mistyped.push(Mistyped { key, at, found, expected });
            }
            profile.settings.push(setting);
        }
        resolve_aliases(&mut profile);
        profile
    }

    fn build_setting<'l>(
        &mut self,
        profile: &Profile,
        field: &'static Field,
        leaf: &Leaf<'_>,
        hidden: impl Iterator<Item = &'l Leaf<'l>>,
    ) -> Setting {
        let Tree { layer, base, .. } = &self.trees[leaf.layer];
        let (origin, base) = (layer.origin, base.as_deref());
        let author = Author {
            field,
            base: base.unwrap_or(self.resolver.reader.directory),
            variable: !origin.is_file(),
            project: origin == Origin::Project,
        };
        let held = self.resolver.resolve_field(leaf.value, author);
        let (resolved, state, elements) = held.unwrap_or_else(|problem| {
            self.problems.push(problem);
            (ResolvedString::literal(leaf.at, Err(State::Empty)), State::Empty, Vec::new())
        });
        let ResolvedString { form, found, hidden: behind, exposed, .. } = resolved;
        let shadow = |other: &Leaf<'_>| Shadow {
            at: other.at,
            differs: differs(
                (leaf.value, base),
                (other.value, self.trees[other.layer].base.as_deref()),
                self.resolver.reader,
            ),
        };
        let shadows = behind.into_iter().chain(hidden.map(shadow)).collect();
        let key = format!("{}.{}", profile.id, field.name);
        let elements = elements.into_iter().enumerate().map(|(index, (at, found, state))| Element {
            key: format!("{key}[{index}]"),
            at,
            found,
            state,
        });
        Setting {
            field,
            elements: elements.collect(),
            key,
            foreign_name: None,
            layer: leaf.layer,
            origin,
            at: leaf.at,
            via: leaf.via,
            oddity: None,
            exposed: if form == WrittenAs::Literal { layer.exposed } else { exposed },
            form,
            found,
            state,
            shadows,
        }
    }
}

/// Chooses a field for each key that is another program's name for several: the one that is already set under its own
/// name, or else the counterpart of one that is set.
fn resolve_aliases(profile: &mut Profile) {
    let kind = profile.kind();
    for index in 0..profile.unknown.len() {
        let called = std::mem::take(&mut profile.unknown[index].aliases);
        let is_set = |field: &str| {
            let meant = |other: &Unknown| other.aliases.len() == 1 && other.meant == Some(field);
            profile.setting(field).is_some() || profile.unknown.iter().any(meant)
        };
        let taken = called.iter().find(|field| profile.setting(field).is_some());
        let completes = called.iter().find(|field| kind.partner(field).is_some_and(is_set));
        let chosen = taken.or(completes).or(called.first()).copied();
        let unknown = &mut profile.unknown[index];
        if let (Some(old), Some(new)) = (unknown.meant, chosen) {
            unknown.suggestion = unknown.suggestion.take().map(|name| replace_field(&name, old, new));
            unknown.meant = Some(new);
        }
        unknown.aliases = called;
    }
}

/// Replaces the field in a key, in the style of a variable or a file.
fn replace_field(name: &str, old: &str, new: &str) -> String {
    let (old_upper, new_upper) = (old.to_uppercase(), new.to_uppercase());
    match name.rsplit_once("__") {
        Some((head, field)) => format!("{head}__{}", field.replacen(&old_upper, &new_upper, 1)),
        None => new.to_owned(),
    }
}

/// Returns `true` if two layers set different values, as far as can be told without resolving references: literals are
/// compared by value, references by target. Empty values, placeholders and other types are ignored: other rules report
/// them, or they are meant to be replaced.
fn differs(one: (&Value, Option<&Path>), other: (&Value, Option<&Path>), reader: &Reader<'_>) -> bool {
    #[derive(PartialEq)]
    enum StatedValue {
        Value(Digest),
        Env(Digest),
        File(PathBuf),
    }
    let says = |(value, base): (&Value, Option<&Path>)| {
        let string = |value: &Value| match value.node {
            Node::Scalar(Scalar::Text, handle) => Some((handle, reader.vault.facts(handle))),
            _ => None,
        };
        let Node::Table(keys) = &value.node else {
            let real = |facts: &Facts| facts.is_real();
            return string(value).filter(|(_, facts)| real(facts)).map(|(_, facts)| StatedValue::Value(facts.digest));
        };
        let [entry] = &keys[..] else { return None };
        let (handle, facts) = string(&entry.value)?;
        match entry.key.as_str() {
            "env" => Some(StatedValue::Env(facts.digest)),
            #[expect(clippy::disallowed_methods, reason = "the path of a file, to compare it with another")]
            "file" => Some(StatedValue::File(reader.resolve(base, reader.vault.open(handle)))),
            _ => None,
        }
    };
    says(one).zip(says(other)).is_some_and(|(one, other)| one != other)
}
