//! Compares the values of fields whose names don't form a pair: which are IDs, which are keys, and which belong
//! together.

use std::ptr;

use super::assessment;
use crate::config::{Profile, Setting};
use crate::schema::Role;
use crate::services::{Form, Pair};

/// A field of a key pair, with the form of its value.
#[derive(Clone, Copy, Debug)]
pub struct PairValue<'a> {
    /// The setting.
    pub setting: &'a Setting,
    /// The form of the value, if the profile's service issues it.
    pub form: Option<&'static Form>,
    /// The pair that the field's name belongs to.
    named: &'static Pair,
    /// The pair that the value belongs to, or else the field's name.
    pair: &'static Pair,
}

/// Returns `true` for what is neither an ID nor a key, but is pasted as one: the ID of something else, an address.
pub fn is_no_half(form: &Form) -> bool {
    form.public && !form.is_id()
}

impl<'a> PairValue<'a> {
    /// Creates the value of a pair's field. `None` for other fields.
    pub fn from_setting(profile: &'a Profile, setting: &'a Setting) -> Option<Self> {
        let is = |Pair { id, key, .. }: &Pair| [id.field, key.field].contains(&setting.field.name);
        let named = profile.kind().pairs.iter().find(|pair| is(pair))?;
        let known = |form: &&'static Form| form.certain || assessment::is_hosted(profile);
        let secret = setting.field.role == Role::Secret;
        let told = |form: &&'static Form| match form {
            // In a key's field, values of these forms could be anything.
            form if is_no_half(form) => !secret,
            form => form.is_id() || form.is_key() || form.is_whole_pair(),
        };
        let form = setting.what().filter(told).filter(known);
        Some(Self { setting, form, named, pair: profile.kind().pair_of(form).unwrap_or(named) })
    }

    /// Returns the name of the field.
    pub const fn field(self) -> &'static str {
        self.setting.field.name
    }

    /// Returns `true` if the value is certainly a key.
    pub fn holds_key(self) -> bool {
        self.form.is_some_and(Form::is_key)
    }

    /// Returns `true` if the value is certainly a key's ID.
    pub fn holds_id(self) -> bool {
        self.form.is_some_and(Form::is_id)
    }

    /// Returns `true` if a key is in an ID's field, or an ID in a key's field.
    pub fn is_misplaced(self) -> bool {
        if self.setting.field.role == Role::Secret { self.holds_id() } else { self.holds_key() }
    }

    /// Returns `true` if the value is neither an ID nor a key, but a bucket ID or an e-mail address.
    pub fn is_neither(self) -> bool {
        self.form.is_some_and(is_no_half)
    }

    /// Returns `true` if the value belongs to another pair than the name.
    pub fn belongs_to_other_pair(self) -> bool {
        !ptr::eq(self.pair, self.named)
    }

    /// Returns `true` if nothing says that the value belongs anywhere else.
    pub fn fits_name(self) -> bool {
        !self.is_misplaced() && !self.belongs_to_other_pair() && !self.is_neither()
    }

    /// Returns `true` if it belongs to a pair that the S3-compatible API does not take.
    pub fn is_refused_by_s3(self) -> bool {
        self.pair.is_refused_by_s3()
    }

    /// Returns the field that the value belongs in, and the field of its missing counterpart.
    pub fn right_fields(self) -> [&'static str; 2] {
        let Pair { id, key, .. } = self.pair;
        let is_key = (self.setting.field.role == Role::Secret) != self.is_misplaced();
        if is_key { [key.field, id.field] } else { [id.field, key.field] }
    }

    /// Describes the value. `None` if its form is unknown.
    pub fn looks(self) -> Option<&'static str> {
        self.form.map(in_pair)
    }

    /// Returns the noun for the value, or else for the field.
    pub fn noun(self) -> &'static str {
        let Pair { id, key, .. } = self.named;
        self.looks().unwrap_or(if id.field == self.field() { id.noun } else { key.noun })
    }
}

/// Returns the noun of a form among those of several pairs.
const fn in_pair(form: &Form) -> &'static str {
    if form.in_pair.is_empty() { form.noun } else { form.in_pair }
}

/// Describes the value of a pair's field: the noun, and for an ID that does not say so what it is the keyID of.
pub fn described(profile: &Profile, setting: &Setting) -> Option<(&'static str, String)> {
    let form = setting.what()?;
    let noun = in_pair(form);
    let of = profile.kind().pair_of(Some(form)).filter(|_| form.is_id() && form.in_pair.is_empty());
    Some((noun, of.map_or(noun.to_owned(), |pair| format!("{noun}, the keyID of {}", pair.key.noun))))
}

/// An ID and a key whose values belong together, whatever their names.
#[derive(Clone, Copy, Debug)]
pub struct MatchingPair<'a> {
    /// The ID.
    pub id: PairValue<'a>,
    /// The key.
    pub key: PairValue<'a>,
    pair: &'static Pair,
}

impl<'a> MatchingPair<'a> {
    /// Combines two values if they form a pair. A value of unknown form counts as what its name says.
    pub fn from_values(one: PairValue<'a>, other: PairValue<'a>) -> Option<Self> {
        let is_key = |half: PairValue<'_>| half.form.map_or(half.setting.field.role == Role::Secret, Form::is_key);
        let (id, key) = match (is_key(one), is_key(other)) {
            (false, true) => (one, other),
            (true, false) => (other, one),
            _ => return None,
        };
        // With some IDs it is not documented which key is issued, so any key is accepted.
        let open = id.form.is_some_and(|form| match form.unsaid_with {
            [] => false,
            unsaid => {
                ptr::eq(id.named, key.named)
                    || key.form.is_some_and(|key| key.pair().is_some() && !unsaid.contains(&key))
            }
        });
        let pair = if open { key.pair } else { id.pair };
        let whole = [id, key].iter().all(|half| !half.is_neither() && !half.form.is_some_and(Form::is_whole_pair));
        (whole && ptr::eq(pair, key.pair)).then_some(Self { id, key, pair })
    }

    /// Returns `true` for a pair that the S3-compatible API does not take.
    pub fn is_refused_by_s3(self) -> bool {
        self.pair.is_refused_by_s3()
    }

    /// Returns the noun for the pair.
    pub fn noun(self) -> String {
        format!("{} and its ID", self.pair.key.noun)
    }

    /// Returns the fields that the ID and the key belong in.
    pub const fn right_fields(self) -> [&'static str; 2] {
        [self.pair.id.field, self.pair.key.field]
    }

    /// Returns instructions that move both values to their fields.
    pub fn instructions(self) -> String {
        let right_fields = self.right_fields();
        let halves = [self.id, self.key];
        let taken = |home: &str| halves.iter().any(|half| half.field() == home);
        let wrong: Vec<_> = halves.iter().zip(right_fields).filter(|(half, home)| half.field() != *home).collect();
        if wrong.iter().all(|(_, home)| !taken(home)) {
            let renames = wrong.iter().map(|(half, home)| format!("rename `{}` to `{home}`", half.field()));
            return renames.collect::<Vec<_>>().join(", and ");
        }
        let sets = wrong.iter().map(|(half, home)| format!("set `{home}` to the value of `{}`", half.field()));
        let mut help = sets.collect::<Vec<_>>().join(", and ");
        let left: Vec<_> =
            halves.iter().map(|half| half.field()).filter(|field| !right_fields.contains(field)).collect();
        if !left.is_empty() {
            help += &format!(", then remove `{}`", left.join("` and `"));
        }
        help
    }
}

/// Returns the problem and the advice for a value with an ID and a key, joined by a colon.
pub fn joined(profile: &Profile, half: PairValue<'_>) -> Option<(String, String)> {
    let Pair { id, key, .. } = half.named;
    half.form.is_some_and(Form::is_whole_pair).then(|| {
        let message = format!("`{}` of `{}` holds an ID and a key in one value", half.field(), profile.id);
        let help = format!(
            "split it at the colon: `{}` takes the part before it, and `{}` takes the part after it",
            id.field, key.field
        );
        (message, help)
    })
}

/// Returns instructions to set one complete pair, whatever is set now. With `s3`, the master application key is left
/// out: the S3-compatible API rejects it.
pub fn complete_pair(profile: &Profile, s3: bool) -> String {
    let pairs = profile.kind().pairs;
    let usable = pairs.iter().enumerate().filter(|(_, pair)| !s3 || !pair.is_refused_by_s3());
    let ways = usable.map(|(number, Pair { id, key, .. })| {
        let others = pairs.iter().enumerate().filter(|(other, _)| *other != number);
        let others = others.flat_map(|(_, pair)| [pair.id.field, pair.key.field]);
        let rest: Vec<_> = others.filter(|field| profile.present(field).is_some()).collect();
        let rest = if rest.is_empty() { String::new() } else { format!(", and remove `{}`", rest.join("` and `")) };
        format!("set `{}` to {}, and `{}` to {}{rest}", id.field, id.shown_as, key.field, key.shown_as)
    });
    let ways = ways.collect::<Vec<_>>().join("; or ");
    if s3 { format!("the S3-compatible API does not accept a master application key: {ways}") } else { ways }
}
