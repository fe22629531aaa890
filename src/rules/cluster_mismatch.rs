use crate::config::Profile;
use crate::profile::{Storage, Values};
use crate::rule::{Draft, ReadBy, Sink, rule};

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
    let (key_is_odd, endpoint_is_odd) = (odd(key), odd(endpoint));
    if profile.reader() == ReadBy::Declared {
        let (what, help) = match (key_is_odd, endpoint_is_odd) {
            (true, true) => (
                "a keyID, an application key and an endpoint from different clusters",
                "copy the keyID and applicationKey of one key from the console's page Application Keys again, and the endpoint from the details of the bucket",
            ),
            (true, false) => (
                "a keyID and an application key from different clusters",
                "copy both again, as the console's page Application Keys showed them together; one of the two is probably from another account or an older key",
            ),
            _ => (
                "a keyID and an endpoint from different clusters",
                "set `endpoint` to the one shown with the bucket; if the bucket is right, use an application key of its account",
            ),
        };
        let message = format!("`{}` has {what}", profile.id);
        let text = |agrees| if agrees { "from the same cluster as the keyID" } else { "from a different cluster" };
        let mut draft = Draft::new(message, help).value(id, "the first three digits name the cluster");
        for (setting, agrees) in [key, endpoint].into_iter().flatten() {
            draft = draft.value(setting, text(agrees));
        }
        return sink.push(draft);
    }
    let odd: Vec<_> = [key, endpoint].into_iter().flatten().filter(|(_, agrees)| !agrees).collect();
    let names: Vec<String> = odd.iter().map(|(setting, _)| format!("`{}`", setting.name())).collect();
    let verb = if odd.len() == 1 { "is" } else { "are" };
    let message = format!("{} {verb} from a different cluster than `{}`", names.join(" and "), id.name());
    let help = match (key_is_odd, endpoint_is_odd) {
        (true, true) => "copy the keyID, the applicationKey and the endpoint from the same account",
        (true, false) => {
            "copy the keyID and the applicationKey again, as the console's page Application Keys showed them together"
        }
        _ => "use the endpoint that is shown with the bucket, and an application key of the same account",
    };
    let draft = Draft::new(message, help).value(id, "the first three digits name the cluster");
    sink.push(odd.iter().fold(draft, |draft, (setting, _)| draft.value(setting, "from a different cluster")));
}
