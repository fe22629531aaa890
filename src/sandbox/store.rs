//! Keeping what arrives: under a name of our own, whole or not at all, and never outside the directory.

use std::fs::{DirBuilder, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

pub(super) fn prepare(directory: &Path) -> io::Result<()> {
    let mut builder = DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::DirBuilderExt;
        builder.mode(0o700);
    }
    builder.create(directory)
}

/// A new file that nobody else can read.
fn create(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt;
        options.mode(0o600);
    }
    options.open(path)
}

/// A file that is being received. Dropped before [`Incoming::keep`], it leaves nothing behind.
pub(super) struct Incoming {
    /// None: counted and thrown away.
    file: Option<(File, Part)>,
    pub(super) size: u64,
}

struct Part {
    path: PathBuf,
    kept: bool,
}

impl Drop for Part {
    fn drop(&mut self) {
        if !self.kept {
            let _ = std::fs::remove_file(&self.path);
        }
    }
}

impl Incoming {
    pub(super) fn new(store: Option<&Path>, id: &str) -> io::Result<Self> {
        let file = match store {
            None => None,
            Some(store) => {
                let path = store.join(format!(".{id}.part"));
                let file = create(&path)?;
                Some((file, Part { path, kept: false }))
            }
        };
        Ok(Self { file, size: 0 })
    }

    /// Writes right here: the disk of a developer's machine is not what a rehearsal waits for.
    pub(super) fn write(&mut self, chunk: &[u8]) -> io::Result<()> {
        self.size += chunk.len() as u64;
        self.file.as_mut().map_or(Ok(()), |(file, _)| file.write_all(chunk))
    }

    /// Gives the file its name. The id goes before it: no two are the same, and none begins with a dot.
    pub(super) fn keep(mut self, id: &str, name: &str) -> io::Result<()> {
        let Some((_, part)) = &mut self.file else { return Ok(()) };
        std::fs::rename(&part.path, part.path.with_file_name(format!("{id}-{}", tame(name))))?;
        part.kept = true;
        Ok(())
    }
}

/// The last part of a name, with nothing in it that means something to a shell or a file system.
fn tame(name: &str) -> String {
    let base = name.rsplit(['/', '\\']).next().unwrap_or_default();
    base.chars().take(100).map(|c| if c.is_ascii_alphanumeric() || "-_.".contains(c) { c } else { '_' }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_name_leads_out_of_the_directory() {
        for (name, tamed) in [
            ("report.csv", "report.csv"),
            ("../../etc/passwd", "passwd"),
            ("..\\..\\evil", "evil"),
            ("..", ".."),
            ("a b\n\u{1b}é", "a_b___"),
            ("/", ""),
        ] {
            assert_eq!(tame(name), tamed, "{name:?}");
        }
        assert_eq!(tame(&"x".repeat(300)).len(), 100);
    }

    #[test]
    fn what_is_not_kept_is_removed() {
        let dir = tempfile::tempdir().unwrap();
        let names = || {
            let entries = std::fs::read_dir(dir.path()).unwrap();
            entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect::<Vec<_>>()
        };
        let mut incoming = Incoming::new(Some(dir.path()), "F1").unwrap();
        incoming.write(b"abc").unwrap();
        assert_eq!(names(), [".F1.part"]);
        drop(incoming);
        assert!(names().is_empty());
        let mut incoming = Incoming::new(Some(dir.path()), "F2").unwrap();
        incoming.write(b"abc").unwrap();
        incoming.keep("F2", "..").unwrap();
        assert_eq!(names(), ["F2-.."]);
    }
}
