use crate::config::{Profile, Setting, State};
use crate::finding::Severity;
use crate::profile::Split;
use crate::rule::{Draft, Harm, Rule, RuleMeta, Sink, rule};

rule! {
    #[doc = include_str!("../../docs/rules/shadowed-credential.md")]
    ShadowedCredential {
        id: "shadowed-credential",
        summary: "two layers set one credential differently",
        severity: Severity::Note,
        harm: Harm::Doubtful,
        scope: "any",
        since: "0.1.0",
    }
}

impl Rule for ShadowedCredential {
    fn meta(&self) -> &'static RuleMeta {
        &Self::META
    }

    fn profile(&self, profile: &Profile, sink: &mut Sink<'_>) {
        // A winner that is empty or leads nowhere is a mistake of its own.
        let usable = |setting: &&Setting| matches!(setting.state, State::Known(_) | State::Opaque);
        // Half a pair that is hidden is more than a note.
        let split = Split::of_profile(profile).map(|split| split.upper.field.name);
        for credential in profile.credentials().filter(usable).filter(|one| Some(one.field.name) != split) {
            let mut hidden = credential.shadows.iter().filter(|shadow| shadow.differs).peekable();
            if hidden.peek().is_none() {
                continue;
            }
            let message = format!("`{}` is set by more than one layer, and not in the same way", credential.key);
            let help = "if the upper one is meant, nothing is wrong; if not, remove it. `credlint profiles NAME` shows what each field shadows";
            let draft = Draft::new(message, help).key(credential, "this one counts");
            sink.push(hidden.fold(draft, |draft, shadow| draft.at(&credential.key, shadow.at, "this one is hidden")));
        }
    }
}
