//! The key pair of a profile: what the names of its fields form, what its values are, and how to get to one pair.

use std::ptr;

use super::assessment::{is_hosted, is_local, names_other_server};
use super::server::s3_endpoint;
use crate::config::{Profile, Setting, WrittenAs};
use crate::schema::Role;
use crate::services::{Form, Pair, PairField};

/// The key pairs that the names of the fields form, whatever their values. Empty fields count as absent.
#[derive(Clone, Debug)]
pub enum PairByName<'a> {
    /// One complete pair and nothing else.
    Fits { id: &'a Setting, key: &'a Setting },
    /// An ID and a key from different pairs.
    Mixed { id: &'a Setting, key: &'a Setting },
    /// A complete pair and fields of others.
    Two { whole: [&'a Setting; 2], spare: Vec<&'a Setting> },
    /// Fields that don't form a pair, such as a single field or two IDs.
    Incomplete { present: Vec<&'a Setting> },
    /// No field is set.
    Missing,
}

impl<'a> PairByName<'a> {
    /// Groups the fields of a profile. `None` if its kind has no pairs.
    pub fn from_profile(profile: &'a Profile) -> Option<Self> {
        let pairs = profile.kind().pairs;
        if pairs.is_empty() || profile.broken || !profile.kind().judged_together {
            return None;
        }
        let half = |Pair { id, key, .. }: &Pair| (profile.present(id.field), profile.present(key.field));
        let halves: Vec<_> = pairs.iter().map(half).collect();
        let whole = halves.iter().position(|(id, key)| id.is_some() && key.is_some());
        let ids = || halves.iter().filter_map(|(id, _)| *id);
        let keys = || halves.iter().filter_map(|(_, key)| *key);
        if let Some(number) = whole
            && let (Some(id), Some(key)) = halves[number]
        {
            let others = halves.iter().enumerate().filter(|(other, _)| *other != number);
            let beside = |setting: &&Setting| pairs[number].beside.contains(&setting.field.name);
            let spare = others.flat_map(|(_, (id, key))| [*id, *key]).flatten();
            let spare: Vec<_> = spare.filter(|setting| !beside(setting)).collect();
            return Some(if spare.is_empty() { Self::Fits { id, key } } else { Self::Two { whole: [id, key], spare } });
        }
        Some(match (&ids().collect::<Vec<_>>()[..], &keys().collect::<Vec<_>>()[..]) {
            ([], []) => Self::Missing,
            ([id], [key]) => Self::Mixed { id, key },
            _ => Self::Incomplete { present: halves.iter().flat_map(|(id, key)| [*id, *key]).flatten().collect() },
        })
    }
}

/// What the values of a pair reveal, if its names fit. Each pair has a single verdict, so that one mistake gives one
/// finding. Sources: those of the forms, unless another one is given.
#[derive(Clone, Copy, Debug)]
pub enum PairByValue<'a> {
    /// The values fit, or their forms are unknown.
    Silent,
    /// One value in both fields.
    Equal { id: &'a Setting, key: &'a Setting },
    /// A key in the ID's field, an ID in the key's field, or both. Each has a flag that is true if it is certainly
    /// misplaced.
    Swapped { id: (&'a Setting, bool), key: (&'a Setting, bool) },
    /// The ID's field has a bucket ID or an e-mail address.
    NotAnId { id: &'a Setting, form: &'static Form },
    /// An ID and a key from different pairs, each in a field of the right type.
    Mixed { id: &'a Setting, key: &'a Setting },
    /// A pair that the S3-compatible API does not accept.
    RefusedByS3 { id: &'a Setting, key: &'a Setting, endpoint: &'a Setting },
    /// A pair in the fields of another one.
    OtherPair { id: &'a Setting, key: &'a Setting, pair: &'static Pair },
    /// The ID is from another cluster than the key or the endpoint. Each has a flag that is true if it agrees with the
    /// ID.
    Clusters { id: &'a Setting, key: Option<(&'a Setting, bool)>, endpoint: Option<(&'a Setting, bool)> },
}

impl<'a> PairByValue<'a> {
    /// Compares the values of a profile's complete pairs.
    pub fn from_profile(profile: &'a Profile) -> Self {
        if profile.broken {
            return Self::Silent;
        }
        let by_name = PairByName::from_profile(profile);
        let whole = |pair: &'static Pair| {
            let (id, key) = (profile.present(pair.id.field)?, profile.present(pair.key.field)?);
            // A profile of one pair must not have fields of others.
            let fits = by_name.is_none() || matches!(by_name, Some(PairByName::Fits { .. }));
            fits.then(|| Self::compare(profile, id, key))?
        };
        profile.kind().pairs.iter().find_map(whole).unwrap_or(Self::Silent)
    }

    /// Compares an ID and a key. Some pairs are recognised by the forms of their values; of all others, each value is judged in
    /// its field, so that only both together are a mistake of the pair.
    fn compare(profile: &'a Profile, id: &'a Setting, key: &'a Setting) -> Option<Self> {
        let told = profile.kind().tells_pairs_apart();
        // Your own server may have any pair.
        let any = is_local(profile) || names_other_server(profile);
        let takes = |field: &Setting, form: &'static Form| field.field.forms().contains(&form);
        let (of_id, of_key) = (id.credential_form(), key.credential_form());
        let id_is_key = of_id.is_some_and(|form| takes(key, form) && !takes(id, form));
        let key_is_id = of_key.is_some_and(|form| takes(id, form) && !takes(key, form));
        // A key never equals its ID.
        let twice = id.facts().zip(key.facts()).is_some_and(|(id, key)| id.digest == key.digest);
        // 12 hex digits could be anything, unless they are part of the ID next to them.
        let own = id.agrees_with(key, "account") == Some(true);
        let certain = key_is_id && (twice || own || of_key.is_some_and(|form| form.certain));
        let swapped = if told {
            // An ID field with neither an ID nor a key is another mistake.
            let neither = of_id.is_some_and(|form| !form.is_key() && !form.is_id()) && is_hosted(profile);
            id_is_key || certain && !neither
        } else {
            // The form of a key is often unknown: then only its place beside the ID tells.
            let unknown = of_id.is_none_or(|form| !form.certain) && id.facts().is_some_and(|facts| facts.random);
            certain && !any && (id_is_key || unknown)
        };
        if swapped {
            return Some(Self::Swapped { id: (id, id_is_key), key: (key, key_is_id) });
        }
        // Of one reference in both fields, another rule says more.
        let one_reference = id.form == key.form && id.form != WrittenAs::Literal;
        let equal = twice && !any && !one_reference && id.facts().is_some_and(|facts| facts.random);
        let of_pairs = if told { Self::compare_pairs(profile, id, key) } else { None };
        of_pairs.or(equal.then_some(Self::Equal { id, key }))
    }

    /// Compares the pairs that an ID and a key belong to by their forms, each in a field of the right type.
    fn compare_pairs(profile: &'a Profile, id: &'a Setting, key: &'a Setting) -> Option<Self> {
        let (kind, hosted) = (profile.kind(), is_hosted(profile));
        if let Some(form) = id.credential_form().filter(|form| hosted && is_not_part_of_pair(form)) {
            return Some(Self::NotAnId { id, form });
        }
        let of_id = kind.pair_of(id.credential_form().filter(|form| form.is_id()));
        let of_key = kind.pair_of(key.credential_form().filter(|form| form.is_key()));
        let of_both = match (of_id, of_key) {
            (Some(one), Some(other)) if one.part != other.part => return Some(Self::Mixed { id, key }),
            (Some(pair), Some(_)) => Some(pair),
            _ => None,
        };
        let s3 = s3_endpoint(profile);
        // Either value identifies the pair, unless it is not documented which keys are issued with that ID.
        if let Some(endpoint) = s3.filter(|_| of_id.or(of_key).is_some_and(Pair::is_rejected_by_s3)) {
            return Some(Self::RefusedByS3 { id, key, endpoint });
        }
        let agrees = |setting: &'a Setting| Some((setting, of_id.and(id.agrees_with(setting, "cluster"))?));
        let (key_agrees, endpoint) = (agrees(key), s3.and_then(agrees));
        if [key_agrees, endpoint].into_iter().flatten().any(|(_, agrees)| !agrees) {
            return Some(Self::Clusters { id, key: key_agrees, endpoint });
        }
        let pair = of_both.filter(|pair| pair.id.field != id.field.name)?;
        (hosted || !pair.is_rejected_by_s3()).then_some(Self::OtherPair { id, key, pair })
    }
}

/// Returns `true` if other rules report the profile's pair, by its names or its values.
pub fn is_pair_reported(profile: &Profile) -> bool {
    let fits = matches!(PairByName::from_profile(profile), None | Some(PairByName::Fits { .. }));
    !fits || !matches!(PairByValue::from_profile(profile), PairByValue::Silent)
}

/// Returns `true` if a field of the pair is empty or misspelt, which other rules report.
pub fn explains_absence(profile: &Profile) -> bool {
    let is_pair_field = |field: &str| profile.kind().pair_field(field).is_some();
    let empty = profile.settings.iter().any(|setting| is_pair_field(setting.field.name) && !setting.is_present());
    empty || profile.unknown.iter().any(|unknown| unknown.meant.is_some_and(is_pair_field))
}

/// Returns `true` for a value that is neither an ID nor a key, but is pasted as one: the ID of something else, or an
/// address.
fn is_not_part_of_pair(form: &Form) -> bool {
    form.public && !form.is_id()
}

/// Describes the value of a pair's field: the noun, and for an ID also its key, unless the noun names it.
pub fn describe(profile: &Profile, setting: &Setting) -> Option<(&'static str, String)> {
    let form = setting.credential_form()?;
    let noun = pair_noun(form);
    let of = profile.kind().pair_of(Some(form)).filter(|_| form.is_id() && form.in_pair.is_empty());
    Some((noun, of.map_or(noun.to_owned(), |pair| format!("{noun}, the keyID of {}", pair.key.noun))))
}

/// Returns the noun of a form in messages about several pairs.
const fn pair_noun(form: &Form) -> &'static str {
    if form.in_pair.is_empty() { form.noun } else { form.in_pair }
}

/// A field of a key pair that is set, with the form of its value.
#[derive(Clone, Copy, Debug)]
pub struct PairValue<'a> {
    /// The setting.
    pub setting: &'a Setting,
    /// The form of the value, if it may be part of a pair, or certainly is not.
    form: Option<&'static Form>,
    /// The pair that the field's name belongs to.
    named: &'static Pair,
    /// The pair that the value belongs to, or else the field's name.
    pair: &'static Pair,
}

impl<'a> PairValue<'a> {
    fn from_setting(profile: &'a Profile, setting: &'a Setting) -> Option<Self> {
        let is = |Pair { id, key, .. }: &Pair| [id.field, key.field].contains(&setting.field.name);
        let named = profile.kind().pairs.iter().find(|pair| is(pair))?;
        let known = |form: &&'static Form| form.certain || is_hosted(profile);
        // In a key's field, a value that looks like the ID of something else could be anything.
        let told = |form: &&'static Form| match form {
            form if is_not_part_of_pair(form) => setting.field.role != Role::Secret,
            form => form.is_id() || form.is_key(),
        };
        let form = setting.credential_form().filter(told).filter(known);
        Some(Self { setting, form, named, pair: profile.kind().pair_of(form).unwrap_or(named) })
    }

    /// Returns the name of the field.
    pub const fn field(self) -> &'static str {
        self.setting.field.name
    }

    /// Returns `true` if the name of the field is that of a key.
    pub fn is_key_by_name(self) -> bool {
        self.setting.field.role == Role::Secret
    }

    fn is_key(self) -> bool {
        self.form.map_or(self.is_key_by_name(), Form::is_key)
    }

    /// Returns `true` if a key is in an ID's field, or an ID in a key's field.
    pub fn is_misplaced(self) -> bool {
        !self.is_neither() && self.is_key() != self.is_key_by_name()
    }

    /// Returns `true` if the value is neither an ID nor a key, but a bucket ID or an e-mail address.
    pub fn is_neither(self) -> bool {
        self.form.is_some_and(is_not_part_of_pair)
    }

    /// Returns `true` unless the value is known to belong elsewhere.
    pub fn fits_name(self) -> bool {
        !self.is_misplaced() && !self.is_neither() && ptr::eq(self.pair, self.named)
    }

    /// Returns the field that the value belongs in.
    fn right_field(self) -> Option<&'static PairField> {
        (!self.is_neither()).then_some(if self.is_key() { &self.pair.key } else { &self.pair.id })
    }

    /// Returns the pair that the two values form, whatever their names.
    pub fn pair_with(self, other: Self) -> Option<&'static Pair> {
        let whole = !self.is_neither() && !other.is_neither() && self.is_key() != other.is_key();
        (whole && ptr::eq(self.pair, other.pair)).then_some(self.pair)
    }

    /// Describes the value. `None` if its form is unknown.
    pub fn looks_like(self) -> Option<&'static str> {
        self.form.map(pair_noun)
    }

    /// Returns the noun for the value, or else for the field.
    pub fn noun(self) -> &'static str {
        let Pair { id, key, .. } = self.named;
        self.looks_like().unwrap_or(if self.is_key_by_name() { key.noun } else { id.noun })
    }

    /// Returns `true` if it belongs to another account than the ID of another pair.
    pub fn is_of_other_account(self, id: Self) -> bool {
        self.setting.agrees_with(id.setting, "account") == Some(false)
    }

    /// Returns `true` if it repeats a part of the ID of another pair: the account.
    pub fn is_account_in(self, id: Self) -> bool {
        let kept = self.form.is_some_and(Form::is_id) && self.pair.keeps_id;
        kept && self.setting.agrees_with(id.setting, "account") == Some(true)
    }
}

/// The fields of key pairs that are set.
#[derive(Clone, Debug)]
pub struct PairValues<'a> {
    profile: &'a Profile,
    /// In the order of the pairs.
    pub all: Vec<PairValue<'a>>,
    /// The endpoint, if it is the S3-compatible API, which rejects some pairs.
    s3: Option<&'a Setting>,
}

impl<'a> PairValues<'a> {
    /// Collects the fields of a profile.
    pub fn from_profile(profile: &'a Profile) -> Self {
        let fields = profile.kind().pairs.iter().flat_map(|pair| [pair.id.field, pair.key.field]);
        let present = fields.filter_map(|field| PairValue::from_setting(profile, profile.present(field)?));
        let mut all: Vec<PairValue<'a>> = present.collect();
        // With some IDs it is not documented which key is issued, so any key is accepted.
        for index in 0..all.len() {
            let Some(unsaid) = all[index].form.map(|form| form.unsaid_with).filter(|unsaid| !unsaid.is_empty()) else {
                continue;
            };
            let open = |key: &&PairValue<'_>| {
                let said = key.form.is_some_and(|form| form.pair().is_some() && !unsaid.contains(&form));
                key.is_key() && (said || ptr::eq(key.named, all[index].named))
            };
            if let Some(pair) = all.iter().find(open).map(|key| key.pair) {
                all[index].pair = pair;
            }
        }
        Self { profile, all, s3: s3_endpoint(profile) }
    }

    /// Returns the value of a setting.
    pub fn value_of(&self, setting: &Setting) -> Option<PairValue<'a>> {
        self.all.iter().copied().find(|half| ptr::eq(half.setting, setting))
    }

    /// Returns the S3-compatible API, if it accepts none of the values.
    pub fn refused_at(&self) -> Option<&'a Setting> {
        self.s3.filter(|_| self.all.iter().all(|half| half.pair.is_rejected_by_s3()))
    }

    /// Returns `true` if a value belongs to a pair that the S3-compatible API at its endpoint does not accept.
    pub fn has_refused(&self) -> bool {
        self.s3.is_some() && self.all.iter().any(|half| half.pair.is_rejected_by_s3())
    }

    /// Returns the fewest steps to one pair, by what the values are. Alternatives with the same number of steps are all
    /// listed.
    pub fn advice(&self) -> String {
        let usable = self.profile.kind().pairs.iter().filter(|pair| self.s3.is_none() || !pair.is_rejected_by_s3());
        if self.all.is_empty() {
            let pairs = usable.map(|Pair { id, key, .. }| format!("`{}` and `{}`", id.field, key.field));
            return format!("set {}", pairs.collect::<Vec<_>>().join(", or "));
        }
        let ways = usable.map(|pair| [&pair.id, &pair.key].map(|field| (field, self.value_for(field))));
        let filled =
            |values: &[(_, Option<PairValue<'_>>); 2]| values.iter().filter(|(_, value)| value.is_some()).count();
        let most = ways.clone().map(|values| filled(&values)).max();
        let best: Vec<_> = ways.filter(|values| Some(filled(values)) == most).collect();
        let mut advice = best.iter().map(|values| self.steps(*values)).collect::<Vec<_>>().join("; or ");
        if let [[(_, Some(_)), (_, None)]] = best[..] {
            advice += "; if the key is lost, create a new one";
        }
        if self.has_refused() {
            advice = format!("the S3-compatible API does not accept a master application key: {advice}");
        }
        advice
    }

    /// Returns the value that belongs in a field. If several do, the one that is there.
    fn value_for(&self, field: &PairField) -> Option<PairValue<'a>> {
        let mut own =
            self.all.iter().copied().filter(|half| half.right_field().is_some_and(|home| ptr::eq(home, field)));
        own.clone().find(|half| half.field() == field.field).or_else(|| own.next())
    }

    /// Returns the steps to a pair. Each field's value is in some setting, or missing.
    fn steps(&self, values: [(&PairField, Option<PairValue<'_>>); 2]) -> String {
        let mut kept = values.map(|(field, _)| field.field).to_vec();
        let (mut renamed, mut set) = (Vec::new(), Vec::new());
        match values {
            [(id, Some(one)), (key, Some(other))] if [other.field(), one.field()] == [id.field, key.field] => {
                set.push(format!("swap the values of `{}` and `{}`", id.field, key.field));
            }
            _ => {
                for (PairField { field, shown_as, .. }, value) in values {
                    match value {
                        Some(value) if value.field() == *field => {}
                        Some(value) if self.profile.present(field).is_none() => {
                            kept.push(value.field());
                            renamed.push(format!("rename `{}` to `{field}`", value.field()));
                        }
                        Some(value) => set.push(format!("set `{field}` to the value of `{}`", value.field())),
                        None => set.push(format!("set `{field}` to {shown_as}")),
                    }
                }
            }
        }
        let spare = self.all.iter().map(|half| half.field()).filter(|field| !kept.contains(field));
        let spare: Vec<_> = spare.map(|field| format!("`{field}`")).collect();
        let removed = (!spare.is_empty()).then(|| format!("remove {}", spare.join(" and ")));
        renamed.into_iter().chain(set).chain(removed).collect::<Vec<_>>().join(", and ")
    }
}
