//! Names a letter off another one: of a listed name whose partner is in the same place, or of the first word that its
//! neighbours share.

use std::collections::{HashMap, HashSet};

use super::group::{Group, Item};
use super::storage::NamedItem;
use crate::services;
use crate::text::is_upper_word;

/// Larger groups are not written by hand.
const MOST: usize = 300;

/// With more partners, each of many names would be compared with each of many.
const MOST_PARTNERS: usize = 16;

/// Returns the unknown items that are a letter off a listed name, each with that name and its partner.
pub(super) fn off_listed_name<'g>(
    group: &'g Group,
    named: &[NamedItem<'g>],
    is_known: impl Fn(&Item) -> bool,
) -> Vec<(&'g Item, String, &'g Item)> {
    if group.items.len() > MOST || named.len() > MOST_PARTNERS {
        return Vec::new();
    }
    let unknown: Vec<&Item> = group.items.iter().filter(|item| is_upper_word(&item.name) && !is_known(item)).collect();
    let present: HashSet<_> = named.iter().map(|named| named.place).collect();
    let mut found: Vec<(&Item, String, &Item)> = Vec::new();
    for partner in named.iter().filter(|named| is_upper_word(&named.item.name) && !unknown.is_empty()) {
        let (kind, _) = partner.place;
        let rows = services::all().iter().flat_map(|service| service.fields.iter().map(move |row| (service, *row)));
        let found_row = rows.into_iter().find(|(_, row)| row.place == partner.place);
        let Some((service, prefix)) = found_row.and_then(|(service, row)| Some((service, prefix_of(partner, row)?)))
        else {
            continue;
        };
        let absent = service.fields.iter().filter(|field| field.place.0 == kind && !present.contains(&field.place));
        let listed = absent.filter(|field| field.is_secret() || field.purpose == services::Purpose::Id);
        let words = listed.flat_map(|field| field.names).flat_map(|names| names.words);
        for expected in words.map(|word| format!("{prefix}{word}")) {
            let off = unknown.iter().find(|item| is_letter_off(&item.name, &expected));
            if let Some(item) = off.filter(|item| found.iter().all(|(other, ..)| other.at != item.at)) {
                found.push((item, expected, partner.item));
            }
        }
    }
    found
}

/// Returns what precedes the listed words of a name.
fn prefix_of<'i>(named: &NamedItem<'i>, row: &services::Field) -> Option<&'i str> {
    let words = row.names.iter().flat_map(|names| names.words);
    words.filter_map(|word| named.item.name.strip_suffix(word)).min_by_key(|rest| rest.len())
}

/// Returns the items that are in none of the sections of their neighbours, or whose first word is a letter off theirs, each
/// with the right name.
pub(super) fn off_neighbours<'g>(group: &'g Group, is_wanted: &impl Fn(&Item) -> bool) -> Vec<(&'g Item, String)> {
    if group.items.len() > MOST {
        return Vec::new();
    }
    let mut found = off_stem_of_neighbours(group, is_wanted);
    found.extend(out_of_section(group, is_wanted));
    found
}

/// Returns the items that are in none of the sections that at least two neighbours name before a `__`, because one `_` is
/// missing, each with the right name. Programs that split names there read `APP_DB__PASSWORD`, and not `APP_DB_PASSWORD`.
fn out_of_section<'g>(group: &'g Group, is_wanted: &impl Fn(&Item) -> bool) -> Vec<(&'g Item, String)> {
    let mut counts: HashMap<&str, usize> = HashMap::new();
    let named = group.items.iter().filter_map(|item| item.name.rsplit_once("__")).map(|(section, _)| section);
    // A program's own name alone also begins other variables.
    for section in named.filter(|section| section.contains('_') && is_upper_word(section)) {
        *counts.entry(section).or_default() += 1;
    }
    let wanted = group.items.iter().filter(|item| !counts.is_empty() && is_wanted(item));
    let off = wanted.filter_map(|item| {
        let mut splits = item.name.match_indices('_').map(|(at, _)| (&item.name[..at], &item.name[at + 1..]));
        let is_section = |&(section, rest): &(&str, &str)| {
            counts.get(section).is_some_and(|count| *count > 1) && !rest.starts_with('_') && !rest.contains("__")
        };
        let (section, rest) = splits.find(is_section)?;
        let name = format!("{section}__{rest}");
        group.get(&name).is_none().then_some((item, name))
    });
    off.collect()
}

/// Returns the items whose first word is a letter off the one that at least three neighbours share, each with the right
/// name.
fn off_stem_of_neighbours<'g>(group: &'g Group, is_wanted: &impl Fn(&Item) -> bool) -> Vec<(&'g Item, String)> {
    let first = |item: &'g Item| item.name.split_once('_').filter(|(word, _)| word.len() >= 6 && is_upper_word(word));
    let mut counts: HashMap<&str, usize> = HashMap::new();
    for (word, _) in group.items.iter().filter_map(first) {
        *counts.entry(word).or_default() += 1;
    }
    let names: HashSet<&str> = group.items.iter().map(|item| item.name.as_str()).collect();
    let mut shared: Vec<&str> = counts.iter().filter(|(_, count)| **count >= 3).map(|(word, _)| *word).collect();
    shared.sort_unstable();
    let off = group.items.iter().filter(|item| is_wanted(item)).filter_map(|item| {
        let (word, rest) = first(item).filter(|(word, _)| counts[word] == 1)?;
        let right = shared.iter().find(|right| is_letter_off(word, right))?;
        let name = format!("{right}_{rest}");
        (!names.contains(name.as_str())).then_some((item, name))
    });
    off.collect()
}

/// Returns `true` for a slip of the keyboard: a letter too many, too few, another one, or two exchanged. A number or an `S`
/// at the end makes another name.
fn is_letter_off(name: &str, right: &str) -> bool {
    let letters = |name: &str| name.bytes().filter(|byte| !byte.is_ascii_digit()).collect::<Vec<_>>();
    let of_plural = |many: &str, one: &str| many.strip_suffix('S') == Some(one) && !one.ends_with('S');
    let mut words = name.split('_').zip(right.split('_'));
    let mut plural = || words.any(|(one, other)| of_plural(one, other) || of_plural(other, one));
    right.len() >= 6
        && name != right
        && name.len().abs_diff(right.len()) < 2
        && name.as_bytes().first() == right.as_bytes().first()
        && is_one_slip(name.as_bytes(), right.as_bytes())
        && letters(name) != letters(right)
        && !plural()
}

/// Returns `true` if one letter is too many, too few or another one, or two are exchanged. In one pass, since there may be
/// many names.
fn is_one_slip(name: &[u8], right: &[u8]) -> bool {
    #[cfg(test)]
    crate::text::work::add(1);
    let same = name.iter().zip(right).take_while(|(one, other)| one == other).count();
    let (name, right) = (&name[same..], &right[same..]);
    match (name, right) {
        ([], [_]) | ([_], []) => true,
        ([_, one @ ..], [_, other @ ..]) if one == other => true,
        ([a, b, one @ ..], [c, d, other @ ..]) if (a, b) == (d, c) => one == other,
        ([_, one @ ..], other) if one == other => true,
        (one, [_, other @ ..]) => one == other,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_letter_is_off() {
        for (name, right, off) in [
            ("AWS_SECRET_ACESS_KEY", "AWS_SECRET_ACCESS_KEY", true),
            ("AWS_SERCET_ACCESS_KEY", "AWS_SECRET_ACCESS_KEY", true),
            ("WORDPRES", "WORDPRESS", true),
            ("WORDPRSES", "WORDPRESS", true),
            ("TOKEN_1", "TOKEN_2", false),
            ("GLUE_TOKEN", "BLUE_TOKEN", false),
            ("SLACK_TOKEN", "SLACK_TOKEN", false),
            ("SLACK_TOKENS", "SLACK_TOKEN", false),
            ("STRIPE_WEBHOOKS_SECRET", "STRIPE_WEBHOOK_SECRET", false),
        ] {
            assert_eq!(is_letter_off(name, right), off, "{name}");
        }
    }
}
