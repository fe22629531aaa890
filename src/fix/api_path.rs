//! Fix for `doubled-api-path`: removes `/api` from the end of an address, because credlint adds it.

use zeroize::Zeroizing;

use super::proof::Change;
use super::repair::{self, Edit, Repair, RepairFor, removal};
use super::view::{ESCAPED, Refusal, Shared, View};
use crate::config::Profile;
use crate::finding::Finding;
use crate::lint::Loaded;
use crate::schema::value::BaseUrl;
use crate::text::Span;

struct Cut {
    key: Span,
}

pub(super) fn repair_for(finding: &Finding, profile: &Profile, loaded: &Loaded) -> Option<RepairFor> {
    let setting = repair::setting(finding, profile)?;
    // At these addresses there is no API, with or without `/api`.
    if matches!(setting.address(), Some(Ok(address)) if address.non_api_url().is_some()) {
        return None;
    }
    Some(repair::home(setting, loaded).map(|source| (source, Box::new(Cut { key: setting.at.span }) as _)))
}

impl Repair for Cut {
    fn edit(&self, view: &View<'_>, _: &Shared, finding: &Finding) -> Result<Edit, Refusal> {
        let value = view.leaf(self.key)?;
        let (inner, decoded) = (view.inner(value.at.span), view.decoded(value));
        let mut kept = decoded;
        while BaseUrl::parse(kept).is_ok_and(|address| address.repeats_api()) {
            let end = kept.trim_end_matches('/');
            let end = end.strip_suffix("/files.upload").unwrap_or(end);
            kept = end.strip_suffix("/api").ok_or(ESCAPED)?;
        }
        let cut = &decoded[kept.len()..];
        let [before, after] = [decoded, kept].map(|value| BaseUrl::parse(value).map(|address| address.origin()));
        if cut.is_empty() || before.is_err() || before != after || !view.raw(inner).ends_with(cut) {
            return Err(ESCAPED);
        }
        Ok(Edit {
            pieces: vec![removal(Span { start: inner.end - cut.len(), end: inner.end })],
            changes: vec![(value.at.span, Change::Value(Zeroizing::new(kept.to_owned())))],
            text: format!("removed `/api` from `{}`", repair::key(finding)),
        })
    }
}
