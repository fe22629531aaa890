//! The name under which a file is posted.

use std::path::Path;

use crate::code::Code;
use crate::upload::error::UploadError;

/// The name under which a file is posted: not empty, no `/`, no control characters.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FileName(String);

impl FileName {
    /// Validates a name.
    ///
    /// # Errors
    /// Code `file-name`, if the name is not valid.
    pub fn new(name: impl Into<String>) -> Result<Self, UploadError> {
        let name = name.into();
        let flaw = if name.is_empty() {
            "it is empty"
        } else if name.contains('/') {
            "it contains a `/`"
        } else if name.chars().any(char::is_control) {
            "it contains a control character"
        } else if name == "." || name == ".." {
            "it names a directory"
        } else {
            return Ok(Self(name));
        };
        Err(bad_name(flaw))
    }

    /// Takes the last component of a path.
    ///
    /// # Errors
    /// Code `file-name`, if the path has no last component, or one that is not UTF-8.
    pub fn from_path(path: &Path) -> Result<Self, UploadError> {
        let name = path.file_name().ok_or_else(|| bad_name("the path has no file name"))?;
        Self::new(name.to_str().ok_or_else(|| bad_name("it is not UTF-8"))?)
    }

    /// Returns the name.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

fn bad_name(flaw: &str) -> UploadError {
    UploadError::new(Code::FileName, format!("the file can't be posted under its name: {flaw}"))
        .help("choose another name with --filename")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names() {
        for name in ["report.csv", "a\"b\\c%22;d", "日本.csv", "-", "...", " "] {
            assert_eq!(FileName::new(name).unwrap().as_str(), name);
        }
        for name in ["", "a/b", "a\r\nX: 1", "a\0", "\u{7f}", ".", ".."] {
            assert_eq!(FileName::new(name).unwrap_err().code, Code::FileName, "{name:?}");
        }
        assert_eq!(FileName::from_path("/tmp/x/report.csv".as_ref()).unwrap().as_str(), "report.csv");
        assert!(FileName::from_path("/".as_ref()).is_err());
        #[cfg(unix)]
        {
            use std::os::unix::ffi::OsStrExt;
            let latin = Path::new(std::ffi::OsStr::from_bytes(b"caf\xe9.csv"));
            assert!(FileName::from_path(latin).unwrap_err().help.unwrap().contains("--filename"));
        }
    }
}
