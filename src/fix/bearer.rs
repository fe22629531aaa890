//! Fix for `malformed-credential`: removes the word `Bearer`, because credlint adds it.

use zeroize::Zeroizing;

use super::proof::Change;
use super::repair::{self, Edit, Repair, RepairFor, removal};
use super::view::{ESCAPED, Refusal, Shared, View};
use crate::config::Profile;
use crate::finding::Finding;
use crate::lint::Loaded;
use crate::text::Span;

struct Strip {
    key: Span,
}

/// Returns the fix for a token that starts with the word.
pub(super) fn repair_for(finding: &Finding, profile: &Profile, loaded: &Loaded) -> Option<RepairFor> {
    let setting = repair::setting(finding, profile)?;
    let bearer = setting.facts().is_some_and(|facts| facts.bearer);
    bearer.then(|| Ok((repair::home(setting, loaded)?, Box::new(Strip { key: setting.at.span }) as _)))
}

impl Repair for Strip {
    fn edit(&self, view: &View<'_>, _: &Shared, finding: &Finding) -> Result<Edit, Refusal> {
        let value = view.leaf(self.key)?;
        let (inner, decoded) = (view.inner(value.at.span), view.decoded(value));
        let raw = view.raw(inner);
        let word = raw.get(..6).filter(|word| word.eq_ignore_ascii_case("bearer")).ok_or(ESCAPED)?.len();
        let cut = word + raw[word..].bytes().take_while(|&byte| byte == b' ').count();
        let rest = decoded.strip_prefix(&raw[..cut]).filter(|_| cut > word).ok_or(ESCAPED)?;
        if rest.is_empty() || !rest.bytes().all(|byte| byte.is_ascii_graphic()) {
            return Err("`Bearer` is not the only problem with it");
        }
        Ok(Edit {
            pieces: vec![removal(Span { start: inner.start, end: inner.start + cut })],
            changes: vec![(value.at.span, Change::Value(Zeroizing::new(rest.to_owned())))],
            text: format!("removed `Bearer ` from `{}`", repair::key(finding)),
        })
    }
}
