//! What earlier runs wrote down.

use std::collections::HashMap;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::Path;

use serde_json::Value;

use super::line::{FAMILY, Line, SCHEMA};
use super::lock::{not_a_journal, unreadable};
use crate::file;
use crate::upload::error::UploadError;

/// More is no journal of ours: a line has a few hundred bytes.
const LIMIT: u64 = 1024 * 1024 * 1024;

/// What the lines of a journal say.
#[derive(Debug, Default)]
pub struct Replayed {
    /// The last line of each file.
    pub last: HashMap<String, Line>,
    /// The last that was delivered of each, whatever came after it.
    pub delivered: HashMap<String, Line>,
    /// The last step of each that may have posted it, with the id to look it up by, if it was not delivered since.
    pub posting: HashMap<String, Line>,
}

impl Replayed {
    /// Whether there is any file of which it is open whether it was posted.
    pub fn has_open(&self) -> bool {
        !self.posting.is_empty() || self.last.values().any(|line| line.state.is_uncertain())
    }

    /// Whether that is open of this one.
    pub fn is_open(&self, key: &str) -> bool {
        self.posting.contains_key(key) || self.last.get(key).is_some_and(|line| line.state.is_uncertain())
    }

    fn add(&mut self, line: Line) {
        if line.state.is_delivered() {
            self.posting.remove(&line.key);
            self.delivered.insert(line.key.clone(), line.clone());
        } else if line.state.is_uncertain() && line.file_id.is_some() {
            self.posting.insert(line.key.clone(), line.clone());
        }
        self.last.insert(line.key.clone(), line);
    }
}

/// Reads a journal to its last whole line, and cuts off what comes after. With the length of what is left.
pub fn replay(file: &mut File, path: &Path) -> Result<(Replayed, u64), UploadError> {
    let broken = |error: io::Error| unreadable(path, &format!("can't be read: {}", error.kind()));
    if file.metadata().map_err(broken)?.len() > LIMIT {
        return Err(not_a_journal(path, "is larger than 1 GiB"));
    }
    let mut text = Vec::new();
    file.seek(SeekFrom::Start(0)).and_then(|_| file.read_to_end(&mut text)).map_err(broken)?;
    // What has no end was being written when the run was broken off: the step that it announces was not taken.
    let whole = text.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
    let replayed = lines(&text[..whole], path)?;
    if whole == 0 && !b"{\"schema\":\"credlint/journal/".starts_with(&text[..text.len().min(28)]) {
        return Err(not_a_journal(path, "is none: line 1 can't be read"));
    }
    if whole < text.len() {
        file::cut(file, whole as u64).map_err(broken)?;
    }
    file.sync_all().map_err(broken)?;
    #[cfg(unix)]
    if let Some(directory) = path.parent() {
        // The name of a new file has to last, too.
        let directory = if directory.as_os_str().is_empty() { Path::new(".") } else { directory };
        File::open(directory).and_then(|directory| directory.sync_all()).map_err(broken)?;
    }
    Ok((replayed, whole as u64))
}

fn lines(text: &[u8], path: &Path) -> Result<Replayed, UploadError> {
    let mut replayed = Replayed::default();
    for (index, line) in text.split_inclusive(|&byte| byte == b'\n').enumerate() {
        match serde_json::from_slice(line).ok().filter(|line: &Line| line.schema == SCHEMA) {
            Some(line) => replayed.add(line),
            None => return Err(invalid(index, line, path)),
        }
    }
    Ok(replayed)
}

/// Why a line can't be read. It is never passed over: another journal, or this one without it, would send again what it
/// knows to be delivered.
fn invalid(index: usize, line: &[u8], path: &Path) -> UploadError {
    let number = index + 1;
    let schema =
        serde_json::from_slice::<Value>(line).ok().and_then(|line| Some(line.get("schema")?.as_str()?.to_owned()));
    let newer = "use the version of credlint that wrote it";
    match schema.as_deref() {
        Some(SCHEMA) => {
            let why = format!("can't be used: line {number} has a field or a word that this version does not know");
            unreadable(path, &why).help(newer)
        }
        Some(schema) if schema.starts_with(FAMILY) => {
            unreadable(path, &format!("can't be used: line {number} is of another version")).help(newer)
        }
        _ if index == 0 => not_a_journal(path, "is none: line 1 can't be read"),
        _ => unreadable(path, &format!("can't be used: line {number} can't be read"))
            .help("restore that line; without it, a file that was delivered may be sent again"),
    }
}
