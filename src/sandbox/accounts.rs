//! Authenticates credentials: tokens of the messaging service, key pairs of the storage service.
//!
//! The service has no accounts. It accepts every credential, except those whose form says that they can't work. In
//! strict mode it accepts only the forms that the hosted service issues.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD_NO_PAD;
use hyper::StatusCode;
use hyper::header::{AUTHORIZATION, HeaderMap};
use serde_json::{Value, json};

use super::body::Arguments;
use super::files::Service;
use super::issued;
use super::operation::Operation;
use super::reply::{self, HttpReply, MethodError, MethodResult};

/// The holder of a token, as far as the token tells.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct TokenHolder {
    kind: TokenKind,
    /// The token expires.
    rotating: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum TokenKind {
    Bot,
    User,
    App,
}

/// Returns the token in the header; `None` if there is no header, in which case the token may be an argument.
pub(super) fn bearer(headers: &HeaderMap) -> Option<Result<&str, MethodError>> {
    let Ok(value) = headers.get(AUTHORIZATION)?.to_str() else { return Some(Err("invalid_auth".into())) };
    // The HTTP parser has trimmed the value, so an empty token leaves only the scheme.
    let (scheme, token) = value.split_once(' ').unwrap_or((value, ""));
    Some(if scheme.eq_ignore_ascii_case("bearer") { Ok(token) } else { Err("not_authed".into()) })
}

/// Checks a token. The kinds of tokens: <https://docs.slack.dev/authentication/tokens>.
pub(super) fn authenticate(token: &str, operation: Operation, hosted: bool) -> Result<TokenHolder, MethodError> {
    if token.is_empty() || !token.bytes().all(|byte| byte.is_ascii_graphic()) || token.contains("://") {
        return Err("invalid_auth".into());
    }
    // A refresh token, the token and the cookie of a browser session, legacy tokens, and the token of a workflow run,
    // which is valid for 15 minutes. That a session token alone is `invalid_auth` is reported in
    // https://www.github.com/emtunc/SlackPirate/issues/61; the code for the others is not documented.
    let dead = ["xoxe-", "xoxc-", "xoxd-", "xoxa-", "xoxr-", "xoxs-", "xoxo-", "xwfp-"];
    if dead.iter().any(|prefix| token.starts_with(prefix)) {
        return Err("invalid_auth".into());
    }
    if token.starts_with("xapp-") {
        // App-level tokens work with a few methods only, among them `auth.test`, which secret scanners call with them.
        let allowed = operation == Operation::AuthTest;
        return if allowed {
            Ok(TokenHolder { kind: TokenKind::App, rotating: false })
        } else {
            Err("not_allowed_token_type".into())
        };
    }
    if hosted && !issued::is_access_token(token) {
        return Err("invalid_auth".into());
    }
    let rotating = token.strip_prefix("xoxe.");
    let kind = if rotating.unwrap_or(token).starts_with("xoxp-") { TokenKind::User } else { TokenKind::Bot };
    Ok(TokenHolder { kind, rotating: rotating.is_some() })
}

impl TokenHolder {
    /// Returns the granted scopes, as in `x-oauth-scopes`.
    pub(super) fn scopes(self, host: &Service) -> &str {
        // An app-level token has its own scope, and none of the app's.
        if self.kind == TokenKind::App { "connections:write" } else { &host.scopes }
    }
}

/// <https://docs.slack.dev/reference/methods/auth.test>
pub(super) fn auth_test(host: &Service, caller: TokenHolder) -> Value {
    let mut answer = json!({
        "url": format!("{}/", host.base),
        "team": "Sandbox",
        "user": "credlint",
        "team_id": host.options.team,
        "user_id": "U00000000",
        "is_enterprise_install": false,
    });
    match caller.kind {
        TokenKind::Bot => answer["bot_id"] = "B00000000".into(),
        TokenKind::App => answer["app_id"] = "A00000000".into(),
        TokenKind::User => {}
    }
    if caller.rotating {
        // A rotating token is valid for twelve hours; this one is always new.
        answer["expires_in"] = 43_200.into();
    }
    answer
}

/// The format and the errors: <https://docs.slack.dev/reference/methods/conversations.info>.
pub(super) fn conversations_info(host: &Service, arguments: &Arguments) -> MethodResult {
    let id = arguments.get("channel").unwrap_or_default();
    if !issued::is_conversation(id) || !host.has_channel(id) {
        return Err("channel_not_found".into());
    }
    Ok(json!({"channel": {"id": id, "is_member": true, "is_archived": false}}))
}

/// The kinds of conversations, the scope that lists them, and the first letter of an ID. A conversation of several people
/// has no letter of its own, so none is listed as one.
const KINDS: [(&str, &str, Option<char>); 4] = [
    ("public_channel", "channels:read", Some('C')),
    ("private_channel", "groups:read", Some('G')),
    ("im", "im:read", Some('D')),
    ("mpim", "mpim:read", None),
];

/// Lists the channels that exist, a page at a time. What a cursor is, is not documented: here it is the number of the next
/// channel. <https://docs.slack.dev/reference/methods/conversations.list>
pub(super) fn conversations_list(host: &Service, arguments: &Arguments) -> MethodResult {
    let mut letters = Vec::new();
    for name in arguments.get("types").unwrap_or("public_channel").split(',') {
        let (_, scope, letter) = KINDS.iter().find(|(kind, ..)| *kind == name).ok_or("invalid_types")?;
        if !host.scopes.split(',').any(|granted| granted == *scope) {
            return Err(MethodError::scope(scope, &host.scopes));
        }
        letters.extend(letter);
    }
    let limit: usize = arguments.get("limit").unwrap_or("100").parse().map_err(|_| "invalid_limit")?;
    let start: usize = arguments.get("cursor").unwrap_or("0").parse().map_err(|_| "invalid_cursor")?;
    if !(1..1000).contains(&limit) {
        return Err("invalid_limit".into());
    }
    let all: Vec<_> = host.channels().filter(|(id, _)| id.starts_with(&letters[..])).collect();
    let page = all.get(start..).ok_or("invalid_cursor")?;
    let channel =
        |(id, name): &(&str, String)| json!({"id": id, "name": name, "is_member": true, "is_archived": false});
    let channels: Vec<Value> = page.iter().take(limit).map(channel).collect();
    let next = if page.len() > limit { (start + limit).to_string() } else { String::new() };
    Ok(json!({"channels": channels, "response_metadata": {"next_cursor": next}}))
}

/// <https://www.backblaze.com/apidocs/b2-authorize-account>. Its versions put the values in different places.
pub(super) fn authorize_account(host: &Service, path: &str, headers: &HeaderMap) -> HttpReply {
    let Some(version) = path.split('/').nth(2).and_then(version) else {
        // The message of the hosted service is the path, which is not repeated here:
        // https://github.com/bringyourownideas/laravel-backblaze/issues/7
        return reply::storage_error(StatusCode::NOT_FOUND, "not_found", "the sandbox knows the versions v1 to v4");
    };
    let pair = headers.get(AUTHORIZATION).and_then(|value| value.to_str().ok()).and_then(decode_basic);
    let Some(account) = pair.as_deref().and_then(|pair| pair.split_once(':')).and_then(|(id, key)| account(id, key))
    else {
        // The hosted service does not say which of the two is wrong.
        let message = "The applicationKeyId and/or the applicationKey are wrong.";
        return reply::storage_error(StatusCode::UNAUTHORIZED, "unauthorized", message);
    };
    let mut answer = json!({"accountId": account.id, "authorizationToken": "a-made-up-token-of-the-sandbox"});
    let mut storage = json!({
        "apiUrl": host.base,
        "downloadUrl": host.base,
        "s3ApiUrl": host.base,
        "absoluteMinimumPartSize": 5_000_000,
        "recommendedPartSize": 100_000_000,
    });
    let mut allowed = allowed(host, &account, version);
    match version {
        2 | 4 => storage["allowed"] = allowed,
        3 => {
            allowed["infoType"] = "storageApi".into();
            extend(&mut storage, allowed);
        }
        // Version 1 has another name for the part size, and no `allowed`.
        _ => storage["minimumPartSize"] = storage["recommendedPartSize"].clone(),
    }
    if version < 3 {
        extend(&mut answer, storage);
    } else {
        answer["apiInfo"] = json!({"storageApi": storage});
    }
    reply::json(StatusCode::OK, &answer)
}

fn version(segment: &str) -> Option<u8> {
    ["v1", "v2", "v3", "v4"].iter().position(|known| *known == segment).and_then(|index| u8::try_from(index + 1).ok())
}

fn extend(object: &mut Value, more: Value) {
    if let (Value::Object(object), Value::Object(more)) = (object, more) {
        object.extend(more);
    }
}

/// Returns what a key may be used for. Before version 4, a key is for one bucket or for all.
fn allowed(host: &Service, account: &KeyAccount<'_>, version: u8) -> Value {
    // https://www.backblaze.com/docs/cloud-storage-application-key-capabilities
    let mut capabilities = vec!["listBuckets", "listFiles", "readFiles", "writeFiles", "deleteFiles"];
    if account.master {
        capabilities.extend(["listKeys", "writeKeys", "deleteKeys", "writeBuckets", "deleteBuckets", "shareFiles"]);
    }
    let mut allowed = json!({"capabilities": capabilities, "namePrefix": null});
    // The master key has access to all buckets, and it alone manages keys.
    let bucket = host.options.bucket.as_ref().filter(|_| !account.master).map(|name| ("0".repeat(24), name));
    if version == 4 {
        allowed["buckets"] = bucket.map(|(id, name)| json!([{"id": id, "name": name}])).into();
    } else {
        let (id, name) = bucket.unzip();
        extend(&mut allowed, json!({"bucketId": id, "bucketName": name}));
    }
    allowed
}

struct KeyAccount<'a> {
    id: &'a str,
    master: bool,
}

/// Returns the account, if the forms of the ID and the key allow that they are a pair. An application key ID consists
/// of a cluster, an account and a serial number, which is 0 in a master key ID:
/// <https://github.com/Backblaze/b2-sdk-python/blob/master/b2sdk/_internal/account_info/abstract.py>. The forms of the
/// keys are those of <https://github.com/Backblaze/b2-sdk-python/blob/master/doc/source/glossary.rst>: an account ID
/// belongs to a master key of 42 hexadecimal digits, an application key ID to a key of `K`, the cluster and 27 more
/// characters. That the clusters agree is inferred from samples. Which key belongs to a master key ID is not
/// documented, so either is accepted.
fn account<'a>(id: &'a str, key: &str) -> Option<KeyAccount<'a>> {
    let hex = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte));
    let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    let master_key = key.len() == 42 && hex(key);
    match id.len() {
        12 if hex(id) && master_key => Some(KeyAccount { id, master: true }),
        25 if hex(id) && digits(&id[..3]) => {
            let (cluster, account, serial) = (&id[..3], &id[3..15], &id[15..]);
            let master = serial.bytes().all(|byte| byte == b'0');
            let application_key = || {
                key.len() == 31
                    && key.strip_prefix('K').and_then(|rest| rest.strip_prefix(cluster)).is_some_and(|rest| {
                        rest.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"+/".contains(&byte))
                    })
            };
            let fits = application_key() || master && master_key;
            fits.then_some(KeyAccount { id: account, master })
        }
        _ => None,
    }
}

/// Decodes the text after `Basic`.
fn decode_basic(value: &str) -> Option<String> {
    let (scheme, encoded) = value.split_once(' ')?;
    if !scheme.eq_ignore_ascii_case("basic") {
        return None;
    }
    // Padding is optional.
    String::from_utf8(STANDARD_NO_PAD.decode(encoded.trim_end_matches('=')).ok()?).ok()
}

#[cfg(test)]
mod tests {
    use hyper::header::HeaderValue;

    use super::*;

    #[test]
    fn authenticates_tokens() {
        let with = |value: &'static str, operation, hosted| {
            let headers = HeaderMap::from_iter([(AUTHORIZATION, HeaderValue::from_static(value))]);
            let token = bearer(&headers).unwrap();
            match token.and_then(|token| authenticate(token, operation, hosted)) {
                Ok(caller) => Ok((caller.kind, caller.rotating)),
                Err(refused) => Err(format!("{refused:?}").split('"').nth(1).unwrap().to_owned()),
            }
        };
        assert!(bearer(&HeaderMap::new()).is_none());
        for (value, expected) in [
            ("Basic dTpw", Err("not_authed")),
            ("Bearer", Err("invalid_auth")),
            ("Bearer ", Err("invalid_auth")),
            ("Bearer a b", Err("invalid_auth")),
            ("Bearer https://hooks.example.com/x", Err("invalid_auth")),
            ("Bearer xoxe-1-abc", Err("invalid_auth")),
            ("Bearer xoxc-1", Err("invalid_auth")),
            ("Bearer xapp-1-A1", Err("not_allowed_token_type")),
            ("bearer xoxb-1", Ok((TokenKind::Bot, false))),
            ("Bearer xoxp-1", Ok((TokenKind::User, false))),
            ("Bearer xoxe.xoxb-1-a", Ok((TokenKind::Bot, true))),
            ("Bearer xoxe.xoxp-1-a", Ok((TokenKind::User, true))),
            ("Bearer stand-in-for-a-rehearsal", Ok((TokenKind::Bot, false))),
        ] {
            assert_eq!(with(value, Operation::FilesUpload, false), expected.map_err(str::to_owned), "{value}");
            // A strict service also rejects what others reject, and none of these tokens is long enough for it.
            let code = if value.starts_with("Bearer xapp") { "not_allowed_token_type" } else { "invalid_auth" };
            let strict = if value.starts_with("Basic") { "not_authed" } else { code };
            assert_eq!(with(value, Operation::FilesUpload, true), Err(strict.to_owned()), "{value}");
        }
        for hosted in [false, true] {
            assert_eq!(with("Bearer xapp-1-A1", Operation::AuthTest, hosted), Ok((TokenKind::App, false)));
            let rotating = with("Bearer xoxe.xoxp-1-QzWvXkPjHyBdQzWv", Operation::AuthTest, hosted);
            assert_eq!(rotating, Ok((TokenKind::User, true)));
        }
    }

    #[test]
    fn decodes_base64() {
        // RFC 4648, section 10.
        for (encoded, text) in [("", ""), ("Zg==", "f"), ("Zm8=", "fo"), ("Zm9v", "foo"), ("Zm9vYmFy", "foobar")] {
            assert_eq!(decode_basic(&format!("basic {encoded}")).as_deref(), Some(text));
        }
        assert_eq!(
            (decode_basic("Basic Zm9*"), decode_basic("Bearer Zm9v"), decode_basic("Basic /w==")),
            (None, None, None)
        );
    }

    #[test]
    fn authenticates_key_pairs() {
        let application = format!("K005{}", "Ab+/x".repeat(6)).split_at(31).0.to_owned();
        let (other, master) = (application.replace("K005", "K004"), format!("005{}", "0a".repeat(20))[..42].to_owned());
        let (account_id, key_id, master_id) =
            ("1a2b3c4d5e6f", "0051a2b3c4d5e6f0000000001", "0051a2b3c4d5e6f0000000000");
        for (id, key, fits) in [
            (account_id, &master, true),
            (master_id, &master, true),
            (key_id, &application, true),
            (key_id, &other, false),
            (key_id, &master, false),
            (account_id, &application, false),
            (master_id, &application, true),
            (master_id, &other, false),
            (&application, &key_id.to_owned(), false),
            (&master, &account_id.to_owned(), false),
            ("1a2b3c4d5e6f1a2b3c4d5e6f", &application, false),
            ("", &String::new(), false),
        ] {
            let found = account(id, key);
            assert_eq!(found.is_some(), fits, "{id} {key}");
            assert!(found.is_none_or(|account| account.id == account_id && account.master == (id != key_id)));
        }
    }
}
