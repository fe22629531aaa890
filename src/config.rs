//! Configuration: finds, reads and merges layers, and traces every value to the layer that set it.
//!
//! `layers` gathers the trees, `survey` and `types` examine them, `merge` merges them, and `settle` and `reference`
//! resolve the winners. All layers are kept, so that a setting knows what it shadows.

mod discover;
mod environment;
mod flaws;
mod layer;
mod layers;
mod limits;
mod merge;
pub(crate) mod missing;
mod oddity;
mod options;
mod own_names;
mod permitted;
mod policy;
mod reference;
mod references;
#[cfg(feature = "cli")]
mod service_files;
mod setting;
mod settle;
mod survey;
mod trust;
mod tuning;
mod types;

pub(crate) use discover::has_project_file;
pub(crate) use discover::{is_foreign, project_file};
pub use environment::Environment;
use flaws::Flaws;
pub use layer::{Layer, Origin};
use layers::Gathered;
use limits::TrustLimits;
pub use oddity::Oddity;
pub use options::LoadOptions;
pub use own_names::OwnNames;
pub use permitted::PermittedHosts;
use permitted::PermittedReferences;
use reference::Resolver;
pub(crate) use reference::value_state;
pub use references::ReferencedFiles;
#[cfg(feature = "cli")]
pub(crate) use service_files::{ServiceFile, ServiceFiles};
pub use setting::{
    ApiBeside, Element, ForeignProfile, HostBeside, Known, Listed, Mistyped, NoValue, Place, Profile, ReadBy, Required,
    Setting, Shadow, State, Unknown, UnknownKind, Unread, UnreadFile, WrittenAs,
};
use settle::SettingBuilder;
use survey::Survey;
pub use tuning::{Allow, Tuning, shown_rule};

use std::path::Path;

use crate::code::Code;
use crate::file;
use crate::secret::Vault;
use crate::source::{Problem, Reader, SourceId, Sources, Spot};

/// A configuration that can't be read: exit code 2.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct ConfigError {
    /// All problems, not only the first.
    pub problems: Vec<Problem>,
    /// The sources that the problems refer to.
    pub sources: Sources,
    /// True if references were to be resolved.
    pub resolved: bool,
    /// The files that references name.
    pub(crate) referenced: ReferencedFiles,
}

impl ConfigError {
    /// Creates an error about the request, before anything was read.
    pub(crate) fn from_problems(problems: Vec<Problem>) -> Self {
        Self { problems, sources: Sources::default(), resolved: false, referenced: ReferencedFiles::default() }
    }

    /// Returns every file that was read or referenced.
    pub(crate) fn inputs(&self) -> impl Iterator<Item = std::path::PathBuf> {
        self.sources.paths().map(|(path, _)| path).chain(self.referenced.paths())
    }
}

impl std::fmt::Display for ConfigError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let messages: Vec<&str> = self.problems.iter().map(|problem| problem.message.as_str()).collect();
        f.write_str(&messages.join("; "))
    }
}

impl std::error::Error for ConfigError {}

/// A loaded and merged configuration. All secrets are in its vault.
#[derive(Debug, Default)]
pub struct Loaded {
    /// Every value.
    pub(crate) vault: Vault,
    /// Every source that was read.
    pub(crate) sources: Sources,
    /// The layers, low to high.
    pub(crate) layers: Vec<Layer>,
    /// The profiles, by kind and name.
    pub(crate) profiles: Vec<Profile>,
    /// Unknown keys outside profiles, in all layers.
    pub(crate) unknown: Vec<Unknown>,
    /// Values of the wrong type outside profiles, in all layers.
    pub(crate) mistyped: Vec<Mistyped>,
    /// The linter's settings.
    pub(crate) tuning: Tuning,
    /// The settings of a file of another user, of which only what makes the check stricter acts.
    pub(crate) stricter: Option<Tuning>,
    /// The policy's settings.
    pub(crate) policy: Option<Tuning>,
    /// The source of the policy.
    pub(crate) policy_source: Option<SourceId>,
    /// The files that references name.
    pub(crate) referenced: ReferencedFiles,
    /// True if references were resolved.
    pub(crate) resolved: bool,
    /// Messages about ignored files.
    pub(crate) notices: Vec<String>,
    /// Variables of the process whose names suggest secrets, but of no known service.
    pub(crate) secrets: Vec<Profile>,
    /// Values that no rule judges, if they were asked for.
    pub(crate) listed: Listed,
    /// Files of other programs that were not read, or not in their own syntax.
    pub(crate) unread: Vec<UnreadFile>,
    /// Required variables that are not set.
    pub(crate) required: Vec<Required>,
    /// The hosts that may receive a credential.
    pub(crate) permitted: PermittedHosts,
    /// True if the policy forbids starting a command despite findings.
    pub(crate) no_override: bool,
    /// True if files are checked independently, so that settings may come from elsewhere.
    pub(crate) search: bool,
}

impl Loaded {
    /// Creates a configuration from profiles in other programs' files, with the settings of the project and the policy.
    pub(crate) fn from_found(mut own: Self, found: Vec<Profile>, layers: Vec<Layer>, secrets: Vec<Profile>) -> Self {
        // The check of the project's configuration reports the project's flaws; the policy's concern every check.
        own.unknown.retain(|unknown| Some(unknown.at.source) == own.policy_source);
        own.mistyped.retain(|mistyped| Some(mistyped.at.source) == own.policy_source);
        // Its comments apply to its own lines only.
        own.tuning.allows.retain(|allow| allow.comment.is_none());
        for id in layers.iter().filter_map(|layer| layer.source) {
            own.tuning.add_comments(&own.sources, id);
        }
        for tuning in std::iter::once(&mut own.tuning).chain(&mut own.policy) {
            tuning.resolve_profiles(&found, &own.vault);
        }
        Self { layers, profiles: found, secrets, search: true, ..own }
    }

    /// Takes the settings for those of another user, and returns the names of those that don't act.
    pub(crate) fn distrust(&mut self) -> Vec<String> {
        let mut tuning = std::mem::take(&mut self.tuning);
        let tables = tuning.allows.iter().filter(|allow| allow.comment.is_none()).count();
        let allows = (tables > 0).then(|| "`allow`".to_owned());
        let exclude = (!tuning.exclude.is_empty()).then(|| "`exclude`".to_owned());
        let names = tuning.names.names().next().map(|_| "`names`".to_owned());
        let services = (tuning.services > 0).then(|| "`services`".to_owned());
        (tuning.allows, tuning.names, tuning.services) = (Vec::new(), OwnNames::default(), 0);
        self.stricter = Some(tuning);
        allows.into_iter().chain(exclude).chain(names).chain(services).collect()
    }

    /// Returns `true` if a value of the project's `[lint]` table has the wrong type, or a key in it is unknown.
    pub(crate) fn has_flawed_lint(&self) -> bool {
        let mistyped = self.mistyped.iter().map(|mistyped| (&mistyped.key, mistyped.at));
        let unknown = self.unknown.iter().map(|unknown| (&unknown.key, unknown.at));
        let own = |at: Spot| Some(at.source) != self.policy_source;
        mistyped.chain(unknown).any(|(key, at)| (key.starts_with("lint.") || key.starts_with("names")) && own(at))
    }

    /// Finds, reads and merges the configuration.
    ///
    /// # Errors
    ///
    /// Returns an error if a file or variable can't be read, is malformed, or has an invalid profile name.
    pub(crate) fn load(options: &LoadOptions) -> Result<Self, ConfigError> {
        Self::load_after(options, options.sources(), None)
    }

    /// Loads a configuration after others: `sources` continues theirs, and `file` identifies its profiles.
    pub(crate) fn load_after(
        options: &LoadOptions,
        mut sources: Sources,
        file: Option<&Path>,
    ) -> Result<Self, ConfigError> {
        let resolved = !options.no_resolve;
        let mut vault = Vault::default();
        let mut reader =
            Reader { vault: &mut vault, sources: &mut sources, directory: &options.directory, pipes: &options.pipes };
        let mut gathered = Gathered::default();
        gathered.read(&mut reader, options);
        let (mut limits, mut flaws) = (TrustLimits::default(), Flaws::default());
        let policy_source = options.policy.as_ref().map(|_| reader.sources.next());
        let mut policy = options.policy.as_ref().and_then(|path| {
            let path = options.directory.join(path);
            policy::read(&path, &mut reader, &mut limits, &mut gathered.problems, &mut flaws)
        });
        let mut tuning = gathered.read_tuning(&reader, &mut flaws);
        gathered.read_user_limits(&reader, &mut limits, &mut flaws);
        let Gathered { trees, dotenv, mut problems, notices } = gathered;
        let TrustLimits { hosts, references, no_override } = limits;
        let permitted = PermittedHosts::new(hosts, &options.environment).unwrap_or_else(|problem| {
            problems.push(problem);
            PermittedHosts::default()
        });
        let references = PermittedReferences::new(references);
        let all = permitted.clone();
        for path in options.env_files.iter().filter(|path| file::is_behind_link(path, &options.directory)) {
            if !references.permits_all() {
                let message = format!("{} is behind a symbolic link", reader.shown_name(&options.directory.join(path)));
                problems.push(Problem::new(Code::NotARegularFile, message).help(
                    "`references` under `[trust]` limits what is read, and a change to the repository can add such a link: name the file that it leads to",
                ));
            }
        }
        let referenced = ReferencedFiles::find(&trees, &reader);
        let mut survey = Survey::new(&trees, reader.vault);
        problems.append(&mut survey.problems);
        let mut profiles = Vec::new();
        if problems.is_empty() {
            let (resolver, problems) = (Resolver::new(&mut reader, options, dotenv, references), &mut problems);
            profiles = SettingBuilder { trees: &trees, permitted, resolver, problems }.build_profiles(&mut survey);
            if let Some(file) = file {
                let name = reader.shown_name(file);
                for profile in &mut profiles {
                    profile.id = profile.id.clone().in_file(&name);
                }
            }
        }
        if !problems.is_empty() {
            return Err(ConfigError { problems, sources, resolved, referenced });
        }
        for tuning in std::iter::once(&mut tuning).chain(&mut policy) {
            tuning.resolve_profiles(&profiles, &vault);
        }
        let Flaws { mut unknown, mut mistyped } = survey.outside;
        unknown.append(&mut flaws.unknown);
        mistyped.append(&mut flaws.mistyped);
        let layers = trees.into_iter().map(|tree| tree.layer).collect();
        Ok(Self {
            vault,
            sources,
            layers,
            profiles,
            unknown,
            mistyped,
            tuning,
            policy,
            policy_source,
            referenced,
            resolved,
            notices,
            permitted: all,
            no_override,
            ..Self::default()
        })
    }

    /// Returns the profiles with a name, given as `kind.name` or name.
    pub(crate) fn profiles_named(&self, name: &str) -> Vec<&Profile> {
        self.profiles.iter().filter(|profile| profile.id.is_named(name)).collect()
    }
}

#[cfg(all(test, feature = "upload"))]
mod tests {
    use super::{LoadOptions, Loaded};

    /// Such a value could be any secret of this machine.
    #[test]
    fn unknown_value_from_outside_project_is_unverified() {
        let (own, other) = ("application_key_id = { env = 'V' }", "application_key = { env = 'V' }");
        for (given, field, value, unverified) in [
            (false, own, "mine", true),
            (false, own, "0051a2b3c4d5e6f0000000001", false),
            // The ID of a master key, in the field of another one.
            (false, own, "1a2b3c4d5e6f", false),
            (false, "application_key_id = 'mine'", "", false),
            (false, other, "mine", false),
            (true, own, "mine", false),
        ] {
            let directory = tempfile::tempdir().unwrap();
            std::fs::write(directory.path().join("credlint.toml"), format!("[storage.x]\n{field}\n")).unwrap();
            let files = given.then_some("credlint.toml");
            let options = LoadOptions::new(directory.path(), [("V", value)].into_iter().collect()).with_files(files);
            let config = Loaded::load(&options).unwrap();
            assert_eq!(config.profiles[0].settings[0].is_unverified_id(), unverified, "{given} {field} {value}");
        }
    }

    /// An upload leaves these files out, and no others.
    #[test]
    fn only_references_name_files_of_the_configuration() {
        let directory = tempfile::tempdir().unwrap();
        let text = "[messaging.r]\ntoken = { file = 'secrets/token' }\ninitial_comment = 'report.csv'\nchannels = ['a.csv', { file = 'b' }]\n";
        std::fs::write(directory.path().join("credlint.toml"), text).unwrap();
        let config = Loaded::load(&LoadOptions::new(directory.path(), [("A", "")].into_iter().collect())).unwrap();
        let named = ["secrets/token", "b"].map(|name| directory.path().join(name));
        assert_eq!(config.referenced.paths().collect::<Vec<_>>(), named);
    }
}
