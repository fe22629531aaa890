//! What the values of halves say, where the names of the fields make no pair: which are ids, which are keys, and which
//! of them belong together.

use super::assessment;
use crate::config::{Profile, Setting};
use crate::form::Form;
use crate::schema::{Kind, Pair, Role};

/// A half of a pair: what its name says, and what its value does.
#[derive(Clone, Copy, Debug)]
pub struct PairValue<'a> {
    /// The half.
    pub setting: &'a Setting,
    /// What the value is, where that is known of the service that the profile is for.
    pub form: Option<Form>,
    /// The pair whose name it has, counted from the first.
    named: usize,
}

/// The pair of an application key, and that of the master application key, by their number in the kind.
const APPLICATION: usize = 0;
const MASTER: usize = 1;

impl<'a> PairValue<'a> {
    /// A half of a profile's pairs. `None` for another field.
    #[must_use]
    pub fn from_setting(profile: &'a Profile, setting: &'a Setting) -> Option<Self> {
        let is = |Pair { id, key }: &Pair| [id.field, key.field].contains(&setting.field.name);
        let named = profile.kind().pairs.iter().position(is)?;
        let known = |form: &Form| form.is_certain() || assessment::is_hosted(profile);
        let secret = setting.field.role == Role::Secret;
        let told = |form: &Form| match form {
            // What has their form could be anything, in the field of a key.
            Form::BucketId | Form::Email => !secret,
            form => form.is_id() || form.is_key() || *form == Form::StoragePair,
        };
        Some(Self { setting, form: setting.what().filter(told).filter(known), named })
    }

    /// Its field.
    #[must_use]
    pub const fn field(self) -> &'static str {
        self.setting.field.name
    }

    /// Its value is certainly a key.
    #[must_use]
    pub fn holds_key(self) -> bool {
        self.form.is_some_and(Form::is_key)
    }

    /// Its value is certainly an id of a key.
    #[must_use]
    pub fn holds_id(self) -> bool {
        self.form.is_some_and(Form::is_id)
    }

    /// Its value is not what its name says: a key as an id, or an id as a key.
    #[must_use]
    pub fn is_misplaced(self) -> bool {
        if self.setting.field.role == Role::Secret { self.holds_id() } else { self.holds_key() }
    }

    /// Its value is neither an id of a key nor a key: a bucket ID or an e-mail address.
    #[must_use]
    pub fn is_neither(self) -> bool {
        matches!(self.form, Some(Form::BucketId | Form::Email))
    }

    /// The pair that its value is of.
    fn valued(self) -> Option<usize> {
        match self.form? {
            Form::KeyId | Form::ApplicationKey => Some(APPLICATION),
            Form::AccountId | Form::MasterKey => Some(MASTER),
            _ => None,
        }
    }

    /// The pair that it is of: by its value, or else by its name.
    fn pair(self) -> usize {
        self.valued().unwrap_or(self.named)
    }

    /// Its value is of another pair than its name.
    #[must_use]
    pub fn is_of_other_pair(self) -> bool {
        self.pair() != self.named
    }

    /// It is of the pair of the master application key.
    #[must_use]
    pub fn is_master(self) -> bool {
        self.pair() == MASTER
    }

    /// The field where it belongs by its value, and that of the half that is missing.
    #[must_use]
    pub fn homes(self, kind: &Kind) -> Option<[&'static str; 2]> {
        let Pair { id, key } = kind.pairs.get(self.pair())?;
        let is_key = (self.setting.field.role == Role::Secret) != self.is_misplaced();
        Some(if is_key { [key.field, id.field] } else { [id.field, key.field] })
    }

    /// What it looks like. `None` if that is not known.
    #[must_use]
    pub fn looks(self) -> Option<&'static str> {
        Some(match self.form? {
            Form::KeyId => "the keyID of an application key",
            Form::MasterKeyId => "the keyID of the master application key",
            Form::MasterKey => "the master application key",
            Form::StoragePair => "an ID and a key in one value",
            form => form.noun(),
        })
    }

    /// What it is called: by its value, or else by its name.
    #[must_use]
    pub fn noun(self, kind: &Kind) -> &'static str {
        self.looks().or_else(|| kind.half(self.field()).map(|(half, _)| half.noun)).unwrap_or_default()
    }
}

/// An id and a key whose values belong together, whatever their names.
#[derive(Clone, Copy, Debug)]
pub struct MatchingPair<'a> {
    /// The half that holds the id.
    pub id: PairValue<'a>,
    /// The half that holds the key.
    pub key: PairValue<'a>,
    pair: usize,
}

impl<'a> MatchingPair<'a> {
    /// The id and the key among two halves, if they belong together. What has no known form is what its name says.
    #[must_use]
    pub fn from_values(one: PairValue<'a>, other: PairValue<'a>) -> Option<Self> {
        let is_key = |half: PairValue<'_>| match half.form {
            Some(form) if form.is_key() => true,
            Some(form) if form.is_id() => false,
            _ => half.setting.field.role == Role::Secret,
        };
        let (id, key) = match (is_key(one), is_key(other)) {
            (false, true) => (one, other),
            (true, false) => (other, one),
            _ => return None,
        };
        // What key goes with the newer ID of a master key is documented nowhere, so nothing is held against it.
        let newer = id.form == Some(Form::MasterKeyId) && (key.form == Some(Form::MasterKey) || id.named == key.named);
        let id_pair = if newer { key.pair() } else { id.pair() };
        let whole = [id, key].iter().all(|half| !half.is_neither() && half.form != Some(Form::StoragePair));
        (whole && id_pair == key.pair()).then_some(Self { id, key, pair: id_pair })
    }

    /// It is the pair of the master application key.
    #[must_use]
    pub const fn is_master(self) -> bool {
        self.pair == MASTER
    }

    /// What it is called.
    #[must_use]
    pub fn noun(self, kind: &Kind) -> String {
        kind.pairs.get(self.pair).map(|pair| format!("{} and its ID", pair.key.noun)).unwrap_or_default()
    }

    /// The fields where its halves belong.
    #[must_use]
    pub fn homes(self, kind: &Kind) -> Option<[&'static str; 2]> {
        kind.pairs.get(self.pair).map(|Pair { id, key }| [id.field, key.field])
    }

    /// How to get its halves where they belong, to be followed as it stands.
    #[must_use]
    pub fn moves(self, kind: &Kind) -> String {
        let Some(homes) = self.homes(kind) else { return String::new() };
        let halves = [self.id, self.key];
        let taken = |home: &str| halves.iter().any(|half| half.field() == home);
        let wrong: Vec<_> = halves.iter().zip(homes).filter(|(half, home)| half.field() != *home).collect();
        if wrong.iter().all(|(_, home)| !taken(home)) {
            let renames = wrong.iter().map(|(half, home)| format!("rename `{}` to `{home}`", half.field()));
            return renames.collect::<Vec<_>>().join(", and ");
        }
        let sets = wrong.iter().map(|(half, home)| format!("set `{home}` to the value of `{}`", half.field()));
        let mut help = sets.collect::<Vec<_>>().join(", and ");
        let left: Vec<_> = halves.iter().map(|half| half.field()).filter(|field| !homes.contains(field)).collect();
        if !left.is_empty() {
            help += &format!(", then remove `{}`", left.join("` and `"));
        }
        help
    }
}

/// What is wrong with a half that holds an id and a key, joined by a colon, and what to do.
#[must_use]
pub fn joined(profile: &Profile, half: PairValue<'_>) -> Option<(String, String)> {
    let Pair { id, key } = profile.kind().pairs.get(half.named)?;
    (half.form == Some(Form::StoragePair)).then(|| {
        let message = format!("`{}` of `{}` holds an ID and a key in one value", half.field(), profile.id);
        let help = format!(
            "split it at the colon: `{}` takes the part before it, and `{}` takes the part after it",
            id.field, key.field
        );
        (message, help)
    })
}

/// How to set one whole pair, whatever stands there now. `s3`: the S3-compatible API takes no master application key.
#[must_use]
pub fn complete_pair(profile: &Profile, s3: bool) -> String {
    let pairs = profile.kind().pairs;
    let usable = pairs.iter().enumerate().filter(|(number, _)| !s3 || *number != MASTER);
    let ways = usable.map(|(number, Pair { id, key })| {
        let others = pairs.iter().enumerate().filter(|(other, _)| *other != number);
        let others = others.flat_map(|(_, pair)| [pair.id.field, pair.key.field]);
        let rest: Vec<_> = others.filter(|field| profile.present(field).is_some()).collect();
        let rest = if rest.is_empty() { String::new() } else { format!(", and remove `{}`", rest.join("` and `")) };
        format!("set `{}` to {}, and `{}` to {}{rest}", id.field, id.shown_as, key.field, key.shown_as)
    });
    let ways = ways.collect::<Vec<_>>().join("; or ");
    if s3 { format!("the S3-compatible API does not accept a master application key: {ways}") } else { ways }
}
