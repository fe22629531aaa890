//! What a fix is: one file beside this one, and a line in `round.rs`.

use zeroize::Zeroizing;

use super::proof::Change;
use super::view::{Refusal, Shared, View};
use crate::config::{Form, Origin, Profile, Setting};
use crate::finding::Finding;
use crate::lint::Loaded;
use crate::source::SourceId;
use crate::text::Span;

/// A way to put a finding right, in one file.
pub(super) trait Repair {
    /// Notes what the other repairs of the file should know.
    fn announce(&self, _: &View<'_>, _: &mut Shared) {}

    /// What to do to the file, or why it can't be done.
    fn edit(&self, view: &View<'_>, shared: &Shared, finding: &Finding) -> Result<Edit, Refusal>;
}

/// The bytes that a repair moves, and what the file says then.
pub(super) struct Edit {
    pub(super) pieces: Vec<(Span, Zeroizing<String>)>,
    pub(super) changes: Vec<(Span, Change)>,
    /// What is done, in words.
    pub(super) text: String,
}

/// A range that goes.
pub(super) fn removal(span: Span) -> (Span, Zeroizing<String>) {
    (span, Zeroizing::default())
}

/// In which file to do what about a finding, or why not.
pub(super) type Wanted = Result<(SourceId, Box<dyn Repair>), Refusal>;

/// The path of the key that a finding points at first.
pub(super) fn key(finding: &Finding) -> &str {
    finding.primary().map(|label| label.key.as_str()).unwrap_or_default()
}

/// The setting that a finding points at first.
pub(super) fn setting<'a>(finding: &Finding, profile: &'a Profile) -> Option<&'a Setting> {
    let label = finding.primary()?;
    profile.settings.iter().find(|setting| setting.key == label.key)
}

/// The file in which a value is written out, if it is one that may be changed.
pub(super) fn home(setting: &Setting, loaded: &Loaded) -> Result<SourceId, Refusal> {
    if setting.via.is_some() {
        return Err("it comes from an alias or a merge key");
    }
    if setting.form != Form::Literal {
        return Err("it is a reference, and credlint does not change what it refers to");
    }
    layer_file(setting.layer, loaded)
}

/// The file of a layer, if it is one that may be changed.
pub(super) fn layer_file(layer: usize, loaded: &Loaded) -> Result<SourceId, Refusal> {
    let layer = loaded.config.layers.get(layer).ok_or("its location is unknown")?;
    match (layer.origin, layer.source) {
        (Origin::Project | Origin::Given | Origin::Dotenv, Some(source)) => Ok(source),
        (Origin::User, _) => Err("it is in your user configuration; pass that file with --config to fix it"),
        _ => Err("it is set in the environment"),
    }
}
