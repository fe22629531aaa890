//! Requests a ticket: the upload address and the ID of a new file.

use url::{Url, form_urlencoded};

use crate::code::Code;
use crate::schema::value::{BaseUrl, is_loopback};
use crate::secret::MASK;
use crate::upload::error::UploadError;
use crate::upload::payload::FileName;
use crate::upload::session::{Attempts, Session, StepError};
use crate::upload::table::Step;
use crate::upload::wire::answer::Answer;
use crate::upload::wire::ending::Ending;
use crate::upload::wire::show::show_target;

const TICKET: (Step, &str) = (Step::Ticket, "files.getUploadURLExternal");

/// A ticket, which is used for one attempt.
pub struct Ticket {
    pub id: String,
    pub url: Url,
    /// Scheme, host and port of the address, in printable form.
    pub shown: String,
}

/// Requests a ticket.
pub async fn request_ticket(
    session: &Session,
    attempts: &mut Attempts,
    name: &FileName,
    len: u64,
) -> Result<Ticket, StepError> {
    let words = form_urlencoded::Serializer::new(String::new())
        .append_pair("filename", name.as_str())
        .append_pair("length", &len.to_string())
        .finish();
    let is_own = |answer: &Answer| answer.ticket().is_some_and(|(_, id)| session.is_new(id));
    let answer = session.ask_for(attempts, TICKET, words.into(), is_own).await?;
    let (url, id) = answer.ticket().ok_or_else(|| bad_ticket("the service gave no upload address"))?;
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte);
    if !(1..=64).contains(&id.len()) || !id.bytes().all(plain) {
        return Err(bad_ticket("the service gave no ID for the file"));
    }
    let url = upload_url(url, session.base())?;
    let shown = show_target(&url, &attempts.guard).unwrap_or_else(|| MASK.to_owned());
    Ok(Ticket { id: id.to_owned(), url, shown })
}

/// Parses the address of a ticket. The file is sent there, so it must be as safe as the service itself.
fn upload_url(url: &str, base: &BaseUrl) -> Result<Url, StepError> {
    let url = Url::parse(url).map_err(|_| bad_ticket("the upload address that the service gave is not valid"))?;
    let flaw = match url.scheme() {
        _ if !url.username().is_empty() || url.password().is_some() => "contains a username or password",
        "https" => return Ok(url),
        "http" if base.is_loopback() && is_loopback(&url) => return Ok(url),
        _ => "is not https",
    };
    Err(bad_ticket(&format!("the upload address that the service gave {flaw}; nothing was sent to it")))
}

fn bad_ticket(message: &str) -> StepError {
    let error = UploadError::new(Code::BadTicket, message);
    StepError::new(Step::Ticket, Ending::Refused, error.help("check that `base_url` is the service"))
}
