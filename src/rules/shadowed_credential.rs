use crate::config::{Profile, Setting, State};
use crate::rule::{Sink, rule};

rule! {
    ShadowedCredential("shadowed-credential"): profile, "a credential set differently in two layers",
    severity: Note, impact: Doubtful, scope: "any", readers: DECLARED, since: "0.1.0",
}

fn profile(profile: &Profile, sink: &mut Sink<'_>) {
    // Other rules report an empty or unresolved winner.
    let usable = |setting: &&Setting| matches!(setting.state, State::Known(_) | State::Opaque);
    for credential in profile.credentials().filter(usable) {
        let mut hidden = credential.shadows.iter().filter(|shadow| shadow.differs).peekable();
        if hidden.peek().is_none() {
            continue;
        }
        let message = format!("`{}` is set differently in two layers", credential.key);
        let help = "if the value labelled `used` is not the one you intended, remove it; `credlint profiles NAME` shows where each value comes from";
        let draft = finding(message, help).key(credential, "used");
        sink.push(hidden.fold(draft, |draft, shadow| draft.at(&credential.key, shadow.at, "overridden")));
    }
}
