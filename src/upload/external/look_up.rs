//! Looks up whether a file that may have been posted is in its channels. Only the service's record counts.

use bytes::Bytes;
use serde_json::Value;
use url::form_urlencoded;

use crate::code::Code;
use crate::upload::post::Post;
use crate::upload::session::{Attempts, Session};
use crate::upload::table::{Next, Step};
use crate::upload::wire::call::Target;

const INFO: (Step, &str) = (Step::Query, "files.info");

/// The number of lookups of a file that may have been posted: sharing takes the service a moment.
const LOOKS: u32 = 4;

const ABSENT: &str = "the service did not confirm that the file is in the channels";

/// How often to ask if a file is in no channel.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LookupPolicy {
    /// Ask again: the file was posted just now, and sharing takes a moment.
    UntilShared,
    /// Accept the answer: only an earlier run may have posted the file.
    Once,
}

/// Returns the record of a file, if it was shared in every channel of the post; otherwise, the reason why that is not
/// certain.
pub async fn look_up(
    session: &Session,
    post: &Post,
    id: &str,
    policy: LookupPolicy,
    attempts: &mut Attempts,
) -> Result<Value, &'static str> {
    let words: Bytes = form_urlencoded::Serializer::new(String::new()).append_pair("file", id).finish().into();
    let mut pause = session.settings.backoff;
    let mut why = ABSENT;
    for look in 0..LOOKS {
        if look > 0 {
            if !attempts.budget.spend(pause) {
                return Err(why);
            }
            attempts
                .pause(pause, Code::NoAnswer, attempts.tries.max(1))
                .await
                .map_err(|_| "whether it was posted was not looked up")?;
            pause *= 2;
        }
        match session.ask(attempts, INFO, Target::Operation, words.clone()).await {
            Ok(answer) => {
                if let Some(record) = answer.record().filter(|record| is_shared(record, post)) {
                    return Ok(record.clone());
                }
                if policy == LookupPolicy::Once {
                    return Err(ABSENT);
                }
            }
            Err(failed) if failed.error.code == Code::MissingScope => {
                return Err("whether it was posted can't be looked up: the token lacks the scope files:read");
            }
            Err(failed) if failed.error.code == Code::FileNotFound => {
                if policy == LookupPolicy::Once {
                    return Err(ABSENT);
                }
            }
            Err(failed) if failed.next == Next::Retry => {
                why = "whether it was posted could not be looked up";
                match failed.retry_after {
                    Some(retry_after) if !attempts.budget.spend(retry_after) => return Err(why),
                    Some(retry_after) => pause = pause.max(retry_after),
                    None => {}
                }
            }
            Err(_) => return Err("whether it was posted could not be looked up"),
        }
    }
    Err(why)
}

/// Returns `true` if a record of `files.info` shows the file in every channel. The conversation with a user has an ID
/// of its own, so only the number of those is compared.
fn is_shared(record: &Value, post: &Post) -> bool {
    let mut shared: Vec<&str> = Vec::new();
    for list in ["channels", "groups", "ims"] {
        shared.extend(record[list].as_array().into_iter().flatten().filter_map(Value::as_str));
    }
    for kind in ["public", "private"] {
        shared.extend(record["shares"][kind].as_object().into_iter().flatten().map(|(id, _)| id.as_str()));
    }
    shared.sort_unstable();
    shared.dedup();
    let (users, channels): (Vec<&str>, Vec<&str>) =
        post.channels.iter().map(|channel| channel.as_str()).partition(|id| id.starts_with(['U', 'W']));
    channels.iter().all(|id| shared.contains(id)) && shared.len() >= channels.len() + users.len()
}
