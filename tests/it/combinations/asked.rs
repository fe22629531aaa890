//! Asks the embedded service over a kept connection: thousands of questions, pipelined.

use std::io::{BufRead, BufReader, Write};
use std::net::TcpStream;
use std::time::Duration;

use super::values::base64;

/// A question to the service.
#[derive(Clone, Debug)]
pub enum Query {
    /// Is a file accepted with this token, or without one, at an address with that path and by that operation?
    Token { path: &'static str, operation: &'static str, token: Option<String> },
    /// Is a file shared in that channel?
    Channel(String),
    /// Is the pair of an ID and a key accepted?
    Pair(String, String),
    /// No question: no service is asked about such a field.
    Nothing,
}

/// The first call of the current upload method of the hosted service.
pub const TICKET: &str = "files.getUploadURLExternal";

/// A token that the service accepts.
const TOKEN: &str = "xoxb-7391842650-1739184265-QzWvXkPjHyBdQzWvXkPjHyBd";

impl Query {
    /// Asks whether the token is accepted.
    pub fn token(token: String) -> Self {
        Self::Token { path: "", operation: TICKET, token: Some(token) }
    }

    /// The request. `None` if no client could send it, because the token can't be sent in a header.
    fn request(&self) -> Option<String> {
        let api = |target: &str, token: Option<&str>, form: &str| {
            let authorization = token.map(|token| format!("Authorization: Bearer {token}\r\n")).unwrap_or_default();
            format!(
                "POST {target} HTTP/1.1\r\nHost: localhost\r\n{authorization}\
                 Content-Type: application/x-www-form-urlencoded\r\nContent-Length: {}\r\n\r\n{form}",
                form.len()
            )
        };
        match self {
            Self::Token { path, operation, token } => {
                let target = format!("{}/api/{operation}", path.trim_end_matches('/'));
                let sound = !token.iter().any(|token| token.chars().any(char::is_control));
                sound.then(|| api(&target, token.as_deref(), "filename=a.csv&length=1"))
            }
            // The channels are checked before the file.
            Self::Channel(channel) => {
                let channel: String = channel.bytes().map(|byte| format!("%{byte:02X}")).collect();
                let form = format!("files=%5B%7B%22id%22%3A%22F1%22%7D%5D&channels={channel}");
                Some(api("/api/files.completeUploadExternal", Some(TOKEN), &form))
            }
            Self::Pair(id, key) => Some(format!(
                "GET /b2api/v4/b2_authorize_account HTTP/1.1\r\nHost: localhost\r\nAuthorization: Basic {}\r\n\r\n",
                base64(&format!("{id}:{key}"))
            )),
            Self::Nothing => None,
        }
    }

    /// Returns `true` if an answer accepts what it was asked about.
    fn accepted(&self, answer: &str) -> bool {
        match self {
            Self::Token { .. } => {
                let accepted = answer.contains("\"ok\":true");
                assert!(accepted || answer.contains("\"ok\":false"), "{answer}");
                accepted
            }
            Self::Channel(channel) => {
                let accepted = answer.contains("\"error\":\"file_not_found\"");
                assert!(accepted || answer.contains("\"error\":\"channel_not_found\""), "{answer}");
                // Without a channel, a file stays private.
                accepted && !channel.is_empty()
            }
            Self::Pair(..) => {
                let accepted = answer.starts_with("HTTP/1.1 200 ");
                assert!(accepted || answer.starts_with("HTTP/1.1 401 "), "{answer}");
                accepted
            }
            Self::Nothing => false,
        }
    }
}

/// The number of pipelined questions: their answers must fit the socket buffers.
const BATCH_SIZE: usize = 50;

/// Asks all questions, with an independent client.
pub fn ask(base: &str, questions: &[Query]) -> Vec<bool> {
    let mut stream = TcpStream::connect(base.strip_prefix("http://").unwrap()).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
    let mut answers = BufReader::new(stream.try_clone().unwrap());
    let mut accepted = Vec::with_capacity(questions.len());
    for some in questions.chunks(BATCH_SIZE) {
        let requests: Vec<Option<String>> = some.iter().map(Query::request).collect();
        stream.write_all(requests.iter().flatten().cloned().collect::<String>().as_bytes()).unwrap();
        let asked = some.iter().zip(&requests);
        accepted.extend(asked.map(|(question, sent)| sent.is_some() && question.accepted(&answer(&mut answers))));
    }
    accepted
}

/// Reads one answer, its head and its body.
fn answer(answers: &mut impl BufRead) -> String {
    let (mut text, mut length) = (String::new(), 0);
    while !text.ends_with("\r\n\r\n") {
        let start = text.len();
        assert_ne!(answers.read_line(&mut text).unwrap(), 0, "the connection ended: {text}");
        if let Some(value) = text[start..].to_ascii_lowercase().strip_prefix("content-length:") {
            length = value.trim().parse().unwrap();
        }
    }
    let mut body = vec![0; length];
    answers.read_exact(&mut body).unwrap();
    text + &String::from_utf8(body).unwrap()
}
