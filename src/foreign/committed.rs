//! Files that git would commit: a placeholder there may be filled in later, and no advice puts a secret there.

use std::path::Path;

use super::file_type::FileType;
use crate::config::{Place, Profile};
use crate::file::Repositories;
use crate::source::Dialect;

/// Notes that the file of these profiles would be committed. A workflow always is.
pub(super) fn note_commit<'p>(
    profiles: impl Iterator<Item = &'p mut Profile>,
    (path, text): (&Path, &str),
    file_type: FileType,
    repositories: &Repositories,
) {
    let mut found = profiles.filter_map(|profile| profile.found.as_mut()).peekable();
    if found.peek().is_none() {
        return;
    }
    let committed = repositories.would_commit(path) == Some(true);
    if !committed && !is_workflow(path) {
        return;
    }
    let instead = instead_of_secret(path, text, file_type.dialect);
    for found in found {
        found.instead = Some(instead);
        if committed && found.place == Place::File {
            found.place = Place::Committed;
        }
    }
}

fn is_workflow(path: &Path) -> bool {
    let folders = path.parent().map(|parent| parent.to_string_lossy().replace('\\', "/"));
    folders.is_some_and(|folders| folders.ends_with(".github/workflows"))
}

/// Returns what belongs into such a file in place of a secret.
fn instead_of_secret(path: &Path, text: &str, dialect: Dialect) -> &'static str {
    let name = path.file_name().unwrap_or_default().to_string_lossy().to_ascii_lowercase();
    let is_manifest =
        || ["apiVersion:", "kind:"].iter().all(|key| text.starts_with(key) || text.contains(&format!("\n{key}")));
    match dialect {
        _ if is_workflow(path) => "write `${{ secrets.NAME }}` here, and set that secret",
        Dialect::Yaml if name == ".gitlab-ci.yml" => "write `$NAME` here, and set that variable of the project",
        Dialect::Yaml if name.contains("compose") => "write `${NAME}` here, and set that in an `.env` that git ignores",
        Dialect::Yaml if is_manifest() => {
            "refer to a Secret with `secretKeyRef`, and make that Secret from what git does not have"
        }
        Dialect::Logins if name == ".npmrc" => "write `${NAME}` here, and set that where npm runs",
        Dialect::Assignments if name.contains("dockerfile") || name.contains("containerfile") => {
            "set the variable when the container starts"
        }
        Dialect::Assignments if name.ends_with(".tfvars") => "set the variable `TF_VAR_NAME` where Terraform runs",
        Dialect::Shell | Dialect::Assignments => "write `$NAME` here, and set that where the script runs",
        _ => "keep the secret in one that it ignores, or where the program runs",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_what_belongs_in_place_of_a_secret() {
        let manifest = "apiVersion: v1\nkind: Secret\nstringData:\n  A: b\n";
        for (path, text, word) in [
            (".github/workflows/ci.yml", "", "${{ secrets.NAME }}"),
            (".gitlab-ci.yml", "", "of the project"),
            ("a/docker-compose.yml", "", "`.env`"),
            ("k8s/secret.yaml", manifest, "secretKeyRef"),
            ("values.yaml", "kind: x\n", "in one that it ignores"),
            (".npmrc", "", "npm runs"),
            ("api.Dockerfile", "", "container starts"),
            ("prod.tfvars", "", "TF_VAR_NAME"),
            ("deploy.sh", "", "script runs"),
            (".env", "", "in one that it ignores"),
            ("app.toml", "", "in one that it ignores"),
        ] {
            let path = Path::new(path);
            let dialect = FileType::from_path(path).unwrap().dialect;
            let instead = instead_of_secret(path, text, dialect);
            assert!(instead.contains(word), "{}: {instead}", path.display());
        }
    }
}
