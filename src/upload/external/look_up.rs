//! Whether a file that may have been posted is in its channels: only the service's word counts.

use bytes::Bytes;
use serde_json::Value;
use url::form_urlencoded;

use crate::code::Code;
use crate::upload::post::Post;
use crate::upload::session::{Attempts, Session};
use crate::upload::table::{Next, Step};
use crate::upload::wire::call::Target;

const INFO: (Step, &str) = (Step::Query, "files.info");

/// How often the service is asked for a file that may have been posted: sharing takes it a moment.
const LOOKS: u32 = 4;

const ABSENT: &str = "the service did not confirm that the file is in the channels";

/// What to make of the answer that a file is in no channel.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Patience {
    /// It was posted a moment ago, and sharing takes a moment: ask again.
    UntilShared,
    /// It was posted by an earlier run, if at all: that is the answer.
    Once,
}

/// What the service knows of a file, if it has been shared in every channel of the post; or else in words why that
/// is not certain.
pub async fn look_up(
    session: &Session,
    post: &Post,
    id: &str,
    patience: Patience,
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
                if patience == Patience::Once {
                    return Err(ABSENT);
                }
            }
            Err(failed) if failed.error.code == Code::MissingScope => {
                return Err("whether it was posted can't be looked up: the token lacks the scope files:read");
            }
            Err(failed) if failed.error.code == Code::FileNotFound => {
                if patience == Patience::Once {
                    return Err(ABSENT);
                }
            }
            Err(failed) if failed.next == Next::Retry => {
                why = "whether it was posted could not be looked up";
                match failed.asked {
                    Some(asked) if !attempts.budget.spend(asked) => return Err(why),
                    Some(asked) => pause = pause.max(asked),
                    None => {}
                }
            }
            Err(_) => return Err("whether it was posted could not be looked up"),
        }
    }
    Err(why)
}

/// Whether a record of `files.info` shows the file in every channel. A conversation with a user has an id of its own,
/// so of those only the number counts.
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
