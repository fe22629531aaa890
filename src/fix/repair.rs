//! The interface of a fix. Each fix is a file in this folder and a line in `round.rs`.

use zeroize::Zeroizing;

use super::proof::Change;
use super::view::{Refusal, Shared, View};
use crate::config::{Form, Origin, Profile, Setting};
use crate::finding::Finding;
use crate::lint::Loaded;
use crate::source::SourceId;
use crate::text::Span;

/// A repair of one finding in one file.
pub(super) trait Repair {
    /// Records what other repairs of the file need to know.
    fn announce(&self, _: &View<'_>, _: &mut Shared) {}

    /// Returns the edit, or why it is not possible.
    fn edit(&self, view: &View<'_>, shared: &Shared, finding: &Finding) -> Result<Edit, Refusal>;
}

/// The edit of a repair: the ranges to replace, and the changes of meaning.
pub(super) struct Edit {
    pub(super) pieces: Vec<(Span, Zeroizing<String>)>,
    pub(super) changes: Vec<(Span, Change)>,
    /// The description of the change.
    pub(super) text: String,
}

/// Returns an edit that removes a range.
pub(super) fn removal(span: Span) -> (Span, Zeroizing<String>) {
    (span, Zeroizing::default())
}

/// The file and the repair for a finding, or why there is none.
pub(super) type RepairFor = Result<(SourceId, Box<dyn Repair>), Refusal>;

/// Returns the path of the key with the primary label.
pub(super) fn key(finding: &Finding) -> &str {
    finding.primary().map(|label| label.key.as_str()).unwrap_or_default()
}

/// Returns the setting with the primary label.
pub(super) fn setting<'a>(finding: &Finding, profile: &'a Profile) -> Option<&'a Setting> {
    let label = finding.primary()?;
    profile.settings.iter().find(|setting| setting.key == label.key)
}

/// Returns the file that contains a literal value, if that file may be changed.
pub(super) fn home(setting: &Setting, loaded: &Loaded) -> Result<SourceId, Refusal> {
    if setting.via.is_some() {
        return Err("it comes from an alias or a merge key");
    }
    if setting.form != Form::Literal {
        return Err("it is a reference, and credlint does not change what it refers to");
    }
    layer_file(setting.layer, loaded)
}

/// Returns the file of a layer, if it may be changed.
pub(super) fn layer_file(layer: usize, loaded: &Loaded) -> Result<SourceId, Refusal> {
    let layer = loaded.config.layers.get(layer).ok_or("its location is unknown")?;
    match (layer.origin, layer.source) {
        (Origin::Project | Origin::Given | Origin::Dotenv, Some(source)) => Ok(source),
        (Origin::User, _) => Err("it is in your user configuration; pass that file with --config to fix it"),
        _ => Err("it is set in the environment"),
    }
}
