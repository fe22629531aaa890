//! Looks up whether a file that may have been posted is in its channels. Only the service's record counts.

use std::time::Duration;

use bytes::Bytes;
use serde_json::Value;
use url::form_urlencoded;

use crate::code::Code;
use crate::schema::value::ChannelId;
use crate::source::Problem;
use crate::upload::post::Post;
use crate::upload::session::{Attempts, Session, StepError, Upload};
use crate::upload::table::{Next, Step};
use crate::upload::wire::answer::Ending;
use crate::upload::wire::call::Target;
use crate::upload::wire::guard::show_ts;

const INFO: (Step, &str) = (Step::Query, "files.info");

/// The number of lookups of a file that may have been posted: sharing takes the service a moment.
const LOOKUPS: u32 = 4;

/// The longest wait before the second lookup. It doubles with each.
const FIRST_PAUSE: Duration = Duration::from_secs(1);

/// How long the first file of a run waits for the answer that lets completions reuse connections.
const LONGEST_QUESTION: Duration = Duration::from_secs(2);

const ABSENT: &str = "the service did not confirm that the file is in the channels";

/// How often the service has to say that a file is in no channel, if it was posted just now: sharing takes a moment.
pub const UNTIL_SHARED: u32 = LOOKUPS;

/// The same before the completion is repeated.
pub const TWICE: u32 = 2;

/// The same if only an earlier run may have posted the file.
pub const ONCE: u32 = 1;

/// Why a file is not known to be in its channels.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MissingShare {
    /// The service says that it is in none of them.
    Shown,
    /// The service could not be asked, or its answer is not clear.
    Unknown(&'static str),
}

impl MissingShare {
    /// Returns the end of a sentence.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Shown => ABSENT,
            Self::Unknown(why) => why,
        }
    }
}

impl Upload<'_> {
    /// Returns the record of a file, if it was shared in every channel of the post; otherwise, the reason why that is not
    /// certain.
    pub async fn find_shared(&mut self, id: &str, denials: u32) -> Result<Value, MissingShare> {
        // What the service throttles is asked again without counting as an attempt of the file.
        let own = (self.attempts.tries, self.attempts.budget.tries);
        self.attempts.budget.tries = self.attempts.session.settings.retries;
        let seen = self.look(id, denials).await;
        (self.attempts.tries, self.attempts.budget.tries) = own;
        seen
    }

    async fn look(&mut self, id: &str, denials: u32) -> Result<Value, MissingShare> {
        let words = query(id);
        let mut pause = self.attempts.session.settings.backoff.min(FIRST_PAUSE);
        let (mut absence, mut denied) = (MissingShare::Shown, 0);
        for look in 0..LOOKUPS {
            if look > 0 {
                // To look is not to wait for another attempt, so it does not use the retry budget.
                self.attempts
                    .pause(pause, Code::NoAnswer, self.attempts.tries.max(1))
                    .await
                    .map_err(|_| MissingShare::Unknown("whether it was posted was not looked up"))?;
                pause *= 2;
            }
            absence = match self.attempts.record_of(id, &words).await {
                Ok(record) => match check_shared(&record, self.post) {
                    Ok(()) => return Ok(record),
                    Err(absence) => absence,
                },
                Err(failed) if failed.error.code == Code::MissingScope => {
                    let why = "whether it was posted can't be looked up: the token lacks the scope files:read";
                    return Err(MissingShare::Unknown(why));
                }
                Err(failed) if failed.error.code == Code::FileNotFound => MissingShare::Shown,
                Err(failed) => {
                    let why = MissingShare::Unknown("whether it was posted could not be looked up");
                    match failed.retry_after {
                        _ if failed.next != Next::Retry => return Err(why),
                        Some(retry_after) if !self.attempts.budget.spend(retry_after) => return Err(why),
                        Some(retry_after) => pause = pause.max(retry_after),
                        None => {}
                    }
                    why
                }
            };
            denied += u32::from(absence == MissingShare::Shown);
            if denied == denials {
                break;
            }
        }
        Err(absence)
    }

    /// Returns the record of a posted file, once it is in its channels; the given record if no confirmation is requested.
    pub async fn confirm(&mut self, id: Option<&str>, record: Value) -> Result<Value, StepError> {
        let (session, post) = (self.attempts.session, self.post);
        let shared = check_shared(&record, post).is_ok();
        if !session.settings.confirm_shares || shared && show_ts(&record, post, &self.attempts.guard).is_some() {
            return Ok(record);
        }
        let seen = match id {
            Some(id) => self.find_shared(id, UNTIL_SHARED).await,
            None => Err(MissingShare::Unknown("its answer has no ID to look the file up by")),
        };
        match seen {
            // The answer says that it is shared; only the timestamp is not known.
            Err(_) if shared => Ok(record),
            Err(MissingShare::Shown) => Err(StepError::not_confirmed("did not show the file in the channels")),
            Err(MissingShare::Unknown(why)) => Err(StepError::not_confirmed(why)),
            Ok(record) => Ok(record),
        }
    }
}

fn query(id: &str) -> Bytes {
    form_urlencoded::Serializer::new(String::new()).append_pair("file", id).finish().into()
}

/// Checks that the service can be asked about a file, by asking about none. Only an answer of the service counts.
pub async fn check_lookups(session: &Session) -> Result<(), Problem> {
    let mut attempts = session.query_attempts();
    loop {
        let words = Bytes::from_static(b"file=F00000000");
        let failed = match attempts.ask(INFO, Target::Operation, words).await {
            Err(failed) if failed.error.code != Code::FileNotFound => failed,
            _ => {
                session.can_be_asked();
                return Ok(());
            }
        };
        // Whatever answers instead of the service will do so again.
        let failed = match failed.ending {
            Ending::Refused | Ending::Page => failed,
            _ => match attempts.recover(failed).await {
                Ok(()) => continue,
                Err(failed) => failed,
            },
        };
        let message = format!("nothing was sent: shares can't be confirmed; {}", failed.error.message);
        return Err(Problem { message, ..failed.error });
    }
}

impl Attempts<'_> {
    /// Asks the service once in a run about a file that is not posted yet: if it answers, doubt about a completion can be
    /// resolved, and completions may reuse connections.
    pub async fn find_out(&mut self, id: &str) {
        if self.session.is_worth_asking() {
            let own = self.tries;
            let asked = self.ask(INFO, Target::Operation, query(id));
            match tokio::time::timeout(LONGEST_QUESTION, asked).await {
                Ok(Ok(answer)) if answer.get("file").is_object() => self.session.can_be_asked(),
                Ok(Err(failed)) if failed.error.code == Code::FileNotFound => self.session.can_be_asked(),
                _ => {}
            }
            self.tries = own;
        }
    }

    /// Returns the service's record of a file. An answer about another file was meant for another request.
    async fn record_of(&mut self, id: &str, words: &Bytes) -> Result<Value, StepError> {
        loop {
            let failed = match self.ask(INFO, Target::Operation, words.clone()).await {
                Ok(answer) => match answer.get("file") {
                    record if record.is_object() && record.get("id").is_none_or(|named| named == id) => {
                        self.session.can_be_asked();
                        return Ok(record.clone());
                    }
                    _ if self.reuse && self.leave_connection() => continue,
                    _ => return Ok(Value::Null),
                },
                Err(failed) => failed,
            };
            if failed.error.code == Code::FileNotFound {
                self.session.can_be_asked();
            }
            if failed.ending != Ending::Throttled {
                return Err(failed);
            }
            self.recover(failed).await?;
        }
    }
}

/// Returns the error if a record names another size than that of the file, of which `sent` bytes were sent; 0 if that is
/// not known. A service that has not looked at the file yet may say 0.
pub fn size_error(step: Step, record: &Value, sent: u64) -> Option<StepError> {
    let size = record["size"].as_u64().filter(|&size| size > 0 && sent > 0 && size != sent)?;
    Some(StepError::size_differs(step, size, sent))
}

/// Checks that a record of `files.info` shows the file in all of its channels. A name is not shown, and the conversation
/// with a user has an ID of its own, so only the number of those is compared.
fn check_shared(record: &Value, post: &Post) -> Result<(), MissingShare> {
    let mut shared: Vec<&str> = Vec::new();
    for list in ["channels", "groups", "ims"] {
        shared.extend(record[list].as_array().into_iter().flatten().filter_map(Value::as_str));
    }
    for kind in ["public", "private"] {
        shared.extend(record["shares"][kind].as_object().into_iter().flatten().map(|(id, _)| id.as_str()));
    }
    shared.sort_unstable();
    shared.dedup();
    let is_shown = |channel: &ChannelId| shared.contains(&channel.as_str());
    let has_another_id =
        |channel: &ChannelId| channel.as_str().starts_with(['U', 'W']) || channel.check_hosted().is_err();
    if shared.is_empty() {
        Err(MissingShare::Shown)
    } else if post.channels.iter().all(|channel| is_shown(channel) || has_another_id(channel))
        && shared.len() >= post.channels.len()
    {
        Ok(())
    } else {
        Err(MissingShare::Unknown("the file is not in all of the channels"))
    }
}
