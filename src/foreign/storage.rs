//! Matches the ID and the key of pairs, and decides whose an S3-style pair is.

use std::collections::{BTreeMap, HashMap};
use std::sync::LazyLock;

use zeroize::Zeroizing;

use super::group::{Group, Item, value_matches};
use super::names;
use crate::form;
use crate::programs::rclone;
use crate::schema::Kind;
use crate::schema::value::BaseUrl;
use crate::secret::Vault;
use crate::services::{self, Field, Purpose, Serves, s3};
use crate::text::is_word_of;

/// The tuple of names to which restic gave another meaning: the account ID may be a keyID, or only tell whose pair it is.
pub(super) const ACCOUNT: &str = "account";

/// An item with the field that it is for.
#[derive(Clone, Copy)]
pub(super) struct NamedItem<'i> {
    pub(super) item: &'i Item,
    /// The kind of profile, and the name of the field.
    pub(super) place: (&'static str, &'static str),
    pub(super) purpose: Purpose,
    /// The tuple of its name.
    pub(super) tuple: &'static str,
}

impl<'i> NamedItem<'i> {
    pub(super) fn new(item: &'i Item, field: &'static Field, tuple: &'static str) -> Self {
        Self { item, place: field.place, purpose: field.purpose, tuple }
    }

    /// Returns an item in a field of a kind.
    pub(super) fn of_kind(kind: &'static Kind, field: &'static str, item: &'i Item) -> Self {
        Self { item, place: (kind.name, field), purpose: Purpose::Other, tuple: "" }
    }

    /// Returns it as the ID of a kind's first pair, or else as the key.
    fn in_pair(self, kind: &'static Kind, is_id: bool) -> Self {
        let pair = &kind.pairs[0];
        let (half, purpose) = if is_id { (&pair.id, Purpose::Id) } else { (&pair.key, Purpose::Key) };
        Self { place: (kind.name, half.field), purpose, ..self }
    }
}

/// Returns the pairs among names with the same stem, in the fields of a kind's first pair. Names of the same tuple form a
/// pair, if that is unambiguous; among the rest, a single ID and a single key do. An account ID beside a keyID is not part
/// of a pair.
pub(super) fn pairs<'i>(kind: &'static Kind, named: &[NamedItem<'i>]) -> Vec<Vec<NamedItem<'i>>> {
    let of = |purpose: Purpose| named.iter().filter(move |named| named.purpose == purpose);
    let in_pair = |purpose| of(purpose).map(|half| half.in_pair(kind, purpose == Purpose::Id)).collect();
    let (mut ids, mut keys): (Vec<_>, Vec<_>) = (in_pair(Purpose::Id), in_pair(Purpose::Key));
    if let [half] = of(Purpose::Half).collect::<Vec<_>>()[..] {
        match (&ids[..], &keys[..]) {
            ([], [_]) => ids.push(half.in_pair(kind, true)),
            ([id], []) => keys.push(NamedItem { tuple: id.tuple, ..half.in_pair(kind, false) }),
            _ => {}
        }
    }
    // Values that are set twice, as in branches of a script, form no pair, because it is unknown which belong together.
    let mut found = Vec::new();
    for NamedItem { tuple, .. } in ids.clone() {
        let of_tuple = |all: &[NamedItem<'_>]| only_index(all.iter().map(|other| other.tuple == tuple));
        if let (Some(id), Some(key)) = (of_tuple(&ids), of_tuple(&keys)) {
            found.push(vec![ids.remove(id), keys.remove(key)]);
        }
    }
    if found.is_empty() && keys.len() == 1 {
        let chosen = match ids[..] {
            [_] => Some(0),
            _ => only_index(ids.iter().map(|id| id.tuple != ACCOUNT)),
        };
        if let Some(id) = chosen {
            found.push(vec![ids.remove(id), keys.remove(0)]);
            // The remaining IDs are account IDs, which only tell the owner of a pair.
            ids.clear();
        }
    }
    found.extend(ids.into_iter().chain(keys).map(|half| vec![half]));
    found
}

/// Returns the index of the only true element.
fn only_index(all: impl Iterator<Item = bool>) -> Option<usize> {
    let mut found = all.enumerate().filter(|(_, is)| *is).map(|(at, _)| at);
    found.next().filter(|_| found.next().is_none())
}

/// Returns the pairs of rclone remotes that are defined by variables, `RCLONE_CONFIG_REMOTE_OPTION`. A remote must set its
/// type. Source: <https://rclone.org/docs/#config-file>.
pub(super) fn rclone_remotes<'g>(
    kind: &'static Kind,
    group: &'g Group,
    vault: &Vault,
) -> Vec<(String, Vec<NamedItem<'g>>)> {
    let named: HashMap<&str, &Item> = group.items.iter().map(|item| (item.name.as_str(), item)).collect();
    let option =
        |remote: &str, option: &str| named.get(&*format!("RCLONE_CONFIG_{remote}_{}", option.to_uppercase())).copied();
    let is_b2 = |item: &Item| value_matches(vault, item.value, |text| text.eq_ignore_ascii_case("b2"));
    let typed = group.items.iter().filter_map(|item| item.name.strip_prefix("RCLONE_CONFIG_")?.strip_suffix("_TYPE"));
    let remotes = typed.filter(|remote| option(remote, "type").is_some_and(is_b2));
    let read = |remote: &str, name: &str| {
        let mut others = rclone::PROGRAM.instead.iter().filter(|(_, instead)| *instead == name);
        option(remote, name).or_else(|| others.find_map(|(other, _)| option(remote, other)))
    };
    let half = |remote: &str, name: &str| {
        Some(NamedItem::of_kind(kind, "", read(remote, name)?).in_pair(kind, name == "account"))
    };
    let pair = |remote: &str| ["account", "key"].into_iter().filter_map(|name| half(remote, name)).collect();
    remotes.map(|remote| (remote.to_lowercase(), pair(remote))).collect()
}

/// Returns the S3-style pairs among items that have the endpoint of a kind's service, with their stems and endpoints.
pub(super) fn s3_pairs<'g>(
    kind: &'static Kind,
    group: &Group,
    items: &[&'g Item],
    vault: &mut Vault,
) -> Vec<(String, [NamedItem<'g>; 2], Item)> {
    let mut stems: BTreeMap<String, [Vec<NamedItem<'g>>; 2]> = BTreeMap::new();
    for item in items {
        let Some(found) = names::s3_meaning(&item.name) else { continue };
        let is_id = *found.field == s3::ID_FIELD;
        let half = NamedItem::new(item, found.field, found.tuple).in_pair(kind, is_id);
        stems.entry(found.stem).or_default()[usize::from(!is_id)].push(half);
    }
    if stems.is_empty() {
        return Vec::new();
    }
    let (alone, endpoints) = (stems.len() == 1, Endpoints::of(group, vault));
    let with_endpoint = |(stem, [ids, keys]): (String, [Vec<NamedItem<'g>>; 2])| {
        let ([id], [key]) = (&ids[..], &keys[..]) else { return None };
        let endpoint = endpoints.find(group, (&stem, &[], alone), vault)?;
        Some((stem, [*id, *key], endpoint))
    };
    stems.into_iter().filter_map(with_endpoint).collect()
}

/// The endpoints of a group. They are looked up once, because a group may have many pairs.
struct Endpoints {
    /// This service's S3 endpoints by their stems. `None` for a stem that has only another endpoint.
    by_stem: HashMap<String, Option<Item>>,
    /// This service's S3 endpoints with their stems, and whether only programs of the protocol read such an address.
    own: Vec<(String, Item, bool)>,
}

impl Endpoints {
    fn of(group: &Group, vault: &mut Vault) -> Self {
        let (mut by_stem, mut own) = (HashMap::<String, Option<Item>>::new(), Vec::new());
        for item in &group.items {
            let found = parse_endpoint(item, vault);
            let stated = || item.name.to_uppercase().contains("ENDPOINT") && !vault.is_empty(item.value);
            if found.is_none() && !stated() {
                continue;
            }
            let stem = names::endpoint_stem(&item.name);
            let known = by_stem.entry(stem.clone()).or_default();
            *known = known.take().or_else(|| found.clone());
            let of_protocol = || value_matches(vault, item.value, |text| text.starts_with("s3:"));
            own.extend(found.map(|endpoint| (stem, endpoint, of_protocol())));
        }
        Self { by_stem, own }
    }

    /// Returns this service's S3 endpoint for the pair with a stem: the one of the same stem. If the pair is `alone` and
    /// states no endpoint of its own, also one for any pair, whose name has at most the words `more` of its own. Outside
    /// the group's table, only an item with this exact name counts.
    fn find(&self, group: &Group, (stem, more, alone): (&str, &[&str], bool), vault: &mut Vault) -> Option<Item> {
        if let Some(stated) = self.by_stem.get(&names::without_protocol(stem)) {
            return stated.clone();
        }
        let mut shared = self.own.iter().filter(|(of, _, any)| *any || names::is_for_any_pair(of, more));
        let shared = shared.next().map(|(_, endpoint, _)| endpoint.clone());
        let beside = || group.siblings.endpoints().find_map(|item| parse_endpoint(item, vault));
        if alone { shared.or_else(beside) } else { None }
    }
}

/// Returns this service's S3 endpoint for the pair with a stem, as [`Endpoints::find`] does.
pub(super) fn endpoint_of(group: &Group, pair: (&str, &[&str], bool), vault: &mut Vault) -> Option<Item> {
    Endpoints::of(group, vault).find(group, pair, vault)
}

/// Adds an endpoint to litestream's global credentials. They apply to every replica without its own credentials, unless
/// such a replica uses another service. Source: <https://litestream.io/reference/config/>.
pub(super) fn complete_replicas(groups: &mut [Group], vault: &mut Vault) {
    const ID: &str = "access-key-id";
    let of_replica = |group: &&Group| {
        let at = |start: &str| group.path.iter().any(|part| part.starts_with(start));
        at("dbs[") && at("replica") && group.get(ID).is_none()
    };
    let mut found = None;
    for replica in groups.iter().filter(of_replica) {
        match replica.items.iter().find_map(|item| parse_endpoint(item, vault).map(|_| item)) {
            Some(item) => found = found.or_else(|| Some(item.clone())),
            None => return,
        }
    }
    let top = groups.iter_mut().find(|group| group.path.is_empty() && group.get(ID).is_some());
    if let (Some(top), Some(item)) = (top, found) {
        top.items.push(item);
    }
}

/// Adds the endpoint of a barman object store to the Secret in the same file that its `s3Credentials` refer to by name.
/// Source: <https://cloudnative-pg.io/docs/1.29/appendixes/object_stores/>.
pub(super) fn complete_barman_secrets(groups: &mut [Group], vault: &mut Vault) {
    let mut found: Vec<(String, Item)> = Vec::new();
    for store in groups.iter().filter(|group| group.path.last().is_some_and(|last| last == "s3Credentials")) {
        let Some(endpoint) = endpoint_of(store, ("", &[], true), vault) else { continue };
        let is_below = |group: &&Group| group.path.split_last().is_some_and(|(_, above)| above == store.path);
        let references = groups.iter().filter(is_below);
        let names = references.filter_map(|group| group.get("name"));
        let names = names.filter_map(|item| vault.shown(item.value, |name| Some(name.to_owned())));
        found.extend(names.map(|name| (name, endpoint.clone())));
    }
    for group in groups {
        let is_secret = group.has_sibling("kind", "Secret", vault);
        let own = found.iter().find(|(name, _)| is_secret && group.has_sibling("metadata", name, vault));
        if let Some((_, endpoint)) = own {
            group.items.push(endpoint.clone());
        }
    }
}

/// The hosts of S3-compatible APIs with a region in them, by what is before and behind it.
static S3_HOSTS: LazyLock<Vec<(&str, &str)>> = LazyLock::new(|| {
    let rows = services::built_in().iter().flat_map(|service| service.hosts);
    let hosts = rows.filter(|row| row.serves == Serves::S3).flat_map(|row| row.hosts);
    hosts.filter_map(|host| host.split_once('*')).collect()
});

/// Returns a service's S3 endpoint from a value: alone, in an address, or with a bucket as restic and litestream write it.
fn parse_endpoint(item: &Item, vault: &mut Vault) -> Option<Item> {
    let value = item.literal_value()?;
    let host =
        vault.shown(value, |text| S3_HOSTS.iter().find_map(|(start, domain)| s3_host_in(text, start, domain)))?;
    Some(Item { value: vault.store(&host), ..item.clone() })
}

/// Returns the host in a text that starts and ends like this.
fn s3_host_in(text: &str, start: &str, domain: &str) -> Option<String> {
    let is_domain = |part: &[u8]| part.eq_ignore_ascii_case(domain.as_bytes());
    let before = &text[..text.as_bytes().windows(domain.len()).position(is_domain)?];
    let labels = before.rsplit(|c: char| !(c.is_ascii_alphanumeric() || "-.".contains(c))).next()?;
    let host = labels.to_ascii_lowercase() + domain;
    // A bucket may precede the host.
    let host = host.find(start).map(|at| &host[at..])?;
    BaseUrl::parse(&format!("https://{host}")).ok()?.s3_region().map(|_| host.to_owned())
}

/// Returns the IDs and the keys in addresses: duplicity's `b2://ID:KEY@BUCKET`, and duplicati's
/// `b2://BUCKET?auth-username=ID&auth-password=KEY`. Sources:
/// <https://duplicity.gitlab.io/stable/duplicity.1.html#url-format>,
/// <https://github.com/duplicati/duplicati/pull/3348>.
pub(super) fn pairs_in_addresses(group: &Group, vault: &mut Vault) -> Vec<[Item; 2]> {
    let mut found = Vec::new();
    for item in &group.items {
        let parts = vault.shown(item.value, pair_in_address);
        found.extend(parts.map(|parts| parts.map(|half| Item { value: vault.store(&half), ..item.clone() })));
    }
    found
}

/// Returns two items as the ID and the key of a kind's first pair.
pub(super) fn as_pair<'i>(kind: &'static Kind, [id, key]: &'i [Item; 2]) -> [NamedItem<'i>; 2] {
    [(id, true), (key, false)].map(|(item, is_id)| NamedItem::of_kind(kind, "", item).in_pair(kind, is_id))
}

/// Returns the ID and the key in such an address.
pub fn pair_in_address(text: &str) -> Option<[Zeroizing<String>; 2]> {
    let rest = text.strip_prefix("b2://")?;
    if let Some((_, query)) = rest.split_once('?') {
        let get = |name: &str| query.split('&').find_map(|part| part.strip_prefix(name)?.strip_prefix('='));
        return Some([form::decode_percent(get("auth-username")?)?, form::decode_percent(get("auth-password")?)?]);
    }
    let (pair, _) = rest.rsplit_once('@')?;
    let (id, key) = pair.split_once(':')?;
    Some([form::decode_percent(id)?, form::decode_percent(key)?])
}

/// Returns the address of an API as credlint uses it: without `/api`, and only the host if it is the service's own.
/// `None` if another server's address is not a plain host.
pub(super) fn parse_api(text: &str, kind: &Kind) -> Option<BaseUrl> {
    let plain = text.trim().trim_end_matches('/');
    let plain = plain.strip_suffix("/api").unwrap_or(plain);
    let address = BaseUrl::parse_endpoint(plain).ok()?;
    if kind.is_hosted_at(&address) {
        return BaseUrl::parse(&format!("https://{}", address.host())).ok();
    }
    // A reference may look like a host.
    let (_, host) = plain.split_once("://")?;
    is_word_of(host, ".-:[]").then_some(address)
}

/// Returns `true` for an address of this machine or its network.
pub(super) fn is_local(value: &str) -> bool {
    BaseUrl::parse(value.trim()).is_ok_and(|address| address.is_loopback() || address.is_bare_name())
}

/// Returns the host of an address, with any scheme or none.
pub(super) fn host_of(text: &str) -> Option<String> {
    let text = text.trim();
    let rest = text.split_once("://").map_or(text, |(_, rest)| rest);
    let authority = rest.split(['/', '?', '#']).next()?;
    let host = authority.rsplit_once('@').map_or(authority, |(_, host)| host);
    let host = host
        .rsplit_once(':')
        .filter(|(_, port)| port.bytes().all(|byte| byte.is_ascii_digit()))
        .map_or(host, |(host, _)| host);
    (!host.is_empty() && is_word_of(host, ".-_[]:")).then(|| host.trim_end_matches('.').to_ascii_lowercase())
}

#[cfg(test)]
mod tests {
    use super::super::group::Encoding;
    use super::*;
    use crate::source::{Sources, Spot};
    use crate::text::Span;

    #[test]
    fn recognises_local_addresses() {
        for (text, local) in [
            ("http://127.0.0.1:9000", true),
            ("http://minio:9000 ", true),
            ("http://localhost", true),
            ("https://h.example", false),
            ("a b", false),
        ] {
            assert_eq!(is_local(text), local, "{text}");
        }
    }

    #[test]
    fn extracts_host_of_address() {
        for (text, host) in [
            ("https://ann:x@Db.Example.com.:5432/a?b", Some("db.example.com")),
            ("db", Some("db")),
            ("[::1]:80", Some("[::1]")),
            ("http://", None),
            ("a b", None),
            ("${HOST}", None),
        ] {
            assert_eq!(host_of(text).as_deref(), host, "{text}");
        }
    }

    #[test]
    fn finds_endpoint_in_addresses_of_programs() {
        let mut vault = Vault::default();
        let mut found = |text: &str| {
            let at = Spot { source: Sources::default().next(), span: Span::default() };
            let item = Item { name: "a".to_owned(), at, value: vault.store(text), encoding: Encoding::Plain };
            let endpoint = parse_endpoint(&item, &mut vault)?;
            vault.shown(endpoint.value, |host| Some(host.to_owned()))
        };
        for text in [
            "S3.us-west-004.BackblazeB2.com", "https://s3.us-west-004.backblazeb2.com/nightly",
            "s3://nightly.s3.us-west-004.backblazeb2.com/db", "s3:https://s3.us-west-004.backblazeb2.com/nightly",
            "a b_s3.us-west-004.backblazeb2.com",
        ] {
            assert_eq!(found(text).as_deref(), Some("s3.us-west-004.backblazeb2.com"), "{text}");
        }
        for text in
            ["", ".backblazeb2.com", "api.backblazeb2.com", "s3.us-west-004.backblaze.com", "s3.a_b.backblazeb2.com"]
        {
            assert_eq!(found(text), None, "{text}");
        }
    }
}
