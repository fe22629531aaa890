//! Maps findings to files of the repository, as GitHub and GitLab require. A variable is in no file, and a user file is
//! in no repository; such a finding is shown at the next best location, with a note that says so.

use std::path::PathBuf;

use crate::config::Origin;
use crate::file;
use crate::finding::Finding;
use crate::lint::Report;
use crate::source::{Problem, SourceKind, Sources, Spot};
use crate::text::{Position, printable};

/// The file in which a project could set what is not set in any file. It may not exist.
const PROJECT_FILE: &str = "credlint.toml";

/// The repository in which pipelines show findings. Both paths are absolute.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Checkout {
    /// The working directory, to which source names are relative.
    pub directory: PathBuf,
    /// The root of the repository, to which paths in documents are relative.
    pub root: PathBuf,
}

/// A location in a file of the repository.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FileLocation {
    /// The path of the file, relative to the root, with `/` as the separator.
    pub path: String,
    /// The position of the first character.
    pub start: Position,
    /// The position after the last character.
    pub end: Position,
}

impl FileLocation {
    /// Returns the start of a file.
    fn top(path: String) -> Self {
        let start = Position { line: 1, column: 1, offset: 0 };
        Self { path, start, end: Position { column: 2, offset: 1, ..start } }
    }
}

impl Checkout {
    /// Creates a checkout for the repository that contains a directory: the nearest parent with `.git`, or else the
    /// directory itself.
    #[must_use]
    pub fn new(directory: impl Into<PathBuf>) -> Self {
        let directory = directory.into();
        let root = directory.ancestors().find(|directory| directory.join(".git").exists()).unwrap_or(&directory);
        Self { root: root.to_path_buf(), directory }
    }

    /// Sets the root, such as the one that the CI service names.
    #[must_use]
    pub fn with_root(mut self, root: impl Into<PathBuf>) -> Self {
        self.root = root.into();
        self
    }

    /// Returns the path of a file relative to the root. `None` if it is outside the repository.
    fn path(&self, name: &str) -> Option<String> {
        let path = file::normalize(&self.directory.join(name));
        let inside = path.strip_prefix(&self.root).ok()?;
        let parts: Vec<_> = inside.iter().map(|part| part.to_string_lossy()).collect();
        (!parts.is_empty()).then(|| parts.join("/"))
    }

    /// Returns the location in the repository. `None` if it is outside.
    pub(crate) fn place(&self, at: Spot, sources: &Sources) -> Option<FileLocation> {
        let source = sources.get(at.source);
        if !super::has_lines(source) {
            return None;
        }
        let path = self.path(&source.name)?;
        let (start, end) = (source.lines.position(at.span.start), source.lines.position(at.span.end));
        Some(FileLocation { path, start, end })
    }

    /// Returns where to show a finding, and a note if that is not its real location. The first label inside the
    /// repository wins, then the definition of the profile, then the start of the first file that was read or could be
    /// written.
    pub(crate) fn finding(&self, finding: &Finding, report: &Report) -> (FileLocation, Option<String>) {
        let Some(primary) = finding.primary() else { return (self.start_of_project(report), None) };
        if let Some(place) = self.place(primary.at, &report.sources) {
            return (place, None);
        }
        let where_it_is = name(primary.at, &report.sources);
        let really = match report.sources.get(primary.at.source).kind {
            SourceKind::File => format!("it is in {where_it_is}, outside the repository"),
            SourceKind::Environment => format!("it is in the {where_it_is}"),
        };
        let other = finding.labels.iter().find_map(|label| self.place(label.at, &report.sources));
        let (place, shown) = if let Some(place) = other {
            (place, "shown at another location that it refers to")
        } else if let Some(place) = self.definition(finding, report) {
            (place, "shown where the profile is defined")
        } else {
            (
                self.start_of_project(report),
                "shown at the top of a file, because no file in the repository defines the profile",
            )
        };
        (place, Some(format!("{really}; {shown}")))
    }

    fn definition(&self, finding: &Finding, report: &Report) -> Option<FileLocation> {
        let profile = finding.profile.as_ref()?;
        let &(_, at) = report.anchors.iter().find(|(id, _)| id == profile)?;
        self.place(at, &report.sources)
    }

    /// Returns where to show a problem.
    pub(crate) fn problem(&self, problem: &Problem, report: &Report) -> FileLocation {
        let label = problem.labels.iter().find_map(|&(at, _)| self.place(at, &report.sources));
        label.unwrap_or_else(|| self.start_of_project(report))
    }

    fn start_of_project(&self, report: &Report) -> FileLocation {
        let mut files = report.layers.iter().filter(|layer| layer.origin != Origin::Environment);
        let first = files.find_map(|layer| self.path(&layer.name));
        FileLocation::top(first.or_else(|| self.path(PROJECT_FILE)).unwrap_or_else(|| PROJECT_FILE.to_owned()))
    }
}

/// Formats a location for text: `credlint.toml:3:1`, or the name of a variable.
pub fn name(at: Spot, sources: &Sources) -> String {
    let source = sources.get(at.source);
    if super::has_lines(source) {
        let Position { line, column, .. } = source.lines.position(at.span.start);
        format!("{}:{line}:{column}", source.name)
    } else {
        format!("environment variable {}", source.name)
    }
}

/// Joins a message, its help and a note into one line without control characters.
pub fn sentence(message: &str, help: Option<&str>, note: Option<&str>) -> String {
    let mut out = printable(message);
    if let Some(help) = help {
        out.extend([". Help: ", &printable(help)]);
    }
    if let Some(note) = note {
        out.extend([" (", &printable(note), ")"]);
    }
    out
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn paths_are_relative_to_the_repository() {
        let checkout = Checkout { directory: "/repo/deploy".into(), root: "/repo".into() };
        for (name, path) in [
            ("credlint.toml", Some("deploy/credlint.toml")),
            ("./a/./credlint.toml", Some("deploy/a/credlint.toml")),
            ("../credlint.toml", Some("credlint.toml")),
            ("/repo/credlint.toml", Some("credlint.toml")),
            ("../../credlint.toml", None),
            ("/repository/credlint.toml", None),
            ("/home/me/.config/credlint/config.toml", None),
            ("..", None),
        ] {
            assert_eq!(checkout.path(name).as_deref(), path, "{name}");
        }
    }
}
