use crate::config::Profile;
use crate::profile::{Storage, Values};
use crate::rule::{Draft, Sink, rule};

rule! {
    #[doc = include_str!("../../docs/rules/cluster-mismatch.md")]
    ClusterMismatch: profile {
        id: "cluster-mismatch",
        summary: "a keyID, application key or endpoint from different clusters",
        severity: Warning, impact: Unfit, scope: "storage", readers: ALL, since: "0.1.0",
    }
}

fn profile(profile: &Profile, sink: &mut Sink<'_>) {
    let Some(storage) = Storage::from_profile(profile) else { return };
    let Values::Clusters { id, key, endpoint } = storage.values() else { return };
    let odd = |part: Option<(_, bool)>| part.is_some_and(|(_, agrees)| !agrees);
    let (what, help) = match (odd(key), odd(endpoint)) {
        (true, true) => (
            "a keyID, an application key and an endpoint",
            "copy the keyID and applicationKey of one key from the console's page Application Keys again, and the endpoint from the details of the bucket",
        ),
        (true, false) => (
            "a keyID and an application key",
            "copy both again, as the console's page Application Keys showed them together; one of the two is probably from another account or an older key",
        ),
        _ => (
            "a keyID and an endpoint",
            "use the endpoint that is shown with the bucket; if the bucket is right, use an application key of its account",
        ),
    };
    let parts = [key, endpoint].into_iter().flatten();
    let message = if profile.found.is_none() {
        format!("`{}` has {what} from different clusters", profile.id)
    } else {
        let odd = parts.clone().filter(|(_, agrees)| !agrees).map(|(setting, _)| format!("`{}`", setting.name()));
        let names: Vec<String> = odd.collect();
        let verb = if names.len() == 1 { "is" } else { "are" };
        format!("{} {verb} from a different cluster than `{}`", names.join(" and "), id.name())
    };
    let text = |agrees| if agrees { "from the same cluster as the keyID" } else { "from a different cluster" };
    let draft = Draft::new(message, help).value(id, "the first three digits name the cluster");
    sink.push(parts.fold(draft, |draft, (setting, agrees)| draft.value(setting, text(agrees))));
}
