//! Certificate files.

use std::path::{Path, PathBuf};

use crate::text;

/// The path of a file with trusted CA certificates. It is opened when a connection needs it.
#[derive(Clone, PartialEq, Eq)]
pub struct CaFile(PathBuf);

impl CaFile {
    /// Creates the path; a relative one is relative to the working directory.
    #[must_use]
    pub fn new(path: impl Into<PathBuf>) -> Self {
        Self(path.into())
    }

    /// Returns the path.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.0
    }

    /// Returns the path for display. It could be a secret that was pasted there.
    #[must_use]
    pub fn shown(&self) -> String {
        text::path(&self.0)
    }
}

impl std::fmt::Debug for CaFile {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "CaFile({})", self.shown())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ca_file_is_shown_like_any_path() {
        let file = CaFile::new("certificates/authority.pem");
        assert_eq!(
            (file.path(), file.shown().as_str()),
            (Path::new("certificates/authority.pem"), "certificates/authority.pem")
        );
        assert_eq!(format!("{file:?}"), "CaFile(certificates/authority.pem)");
        assert_eq!(format!("{:?}", CaFile::new("xoxb-1")), "CaFile(********)");
    }
}
