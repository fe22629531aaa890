use crate::config::Profile;
use crate::finding::Severity;
use crate::profile::{self, Halves};
use crate::rule::{Draft, Harm, Rule, RuleMeta, Sink, rule};

rule! {
    #[doc = include_str!("../../docs/rules/mixed-key-pair.md")]
    MixedKeyPair {
        id: "mixed-key-pair",
        summary: "an id and a key that belong to different pairs",
        severity: Severity::Error,
        harm: Harm::Unfit,
        scope: "storage",
        since: "0.1.0",
    }
}

impl Rule for MixedKeyPair {
    fn meta(&self) -> &'static RuleMeta {
        &Self::META
    }

    fn profile(&self, profile: &Profile, sink: &mut Sink<'_>) {
        let Some(Halves::Mixed { id, key }) = Halves::of_profile(profile) else { return };
        // A half that is set empty is `empty-credential`, one that is misspelt `unknown-field`.
        if profile::explains_absence(profile) {
            return;
        }
        let half = |name| profile.kind().half(name);
        let (Some((own_id, missing_key)), Some((own_key, missing_id))) = (half(id.field.name), half(key.field.name))
        else {
            return;
        };
        let message = format!(
            "`{}` puts {} beside {}; they belong to different key pairs, so authentication fails",
            profile.id, own_key.noun, own_id.noun
        );
        let help = format!(
            "set `{}` to {}, and remove `{}`; or keep `{}` and set `{}` in place of `{}`",
            missing_id.field, missing_id.shown_as, own_id.field, own_id.field, missing_key.field, own_key.field
        );
        let draft = Draft::new(message, help).key(key, format!("goes with `{}`", missing_id.field));
        sink.push(draft.key(id, format!("goes with `{}`", missing_key.field)));
    }
}
