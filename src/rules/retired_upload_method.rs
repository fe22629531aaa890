use crate::config::Profile;
use crate::profile::Messaging;
use crate::rule::{Sink, rule};
use crate::schema::{MESSAGING, Method};

rule! {
    RetiredUploadMethod("retired-upload-method"): profile, "`files.upload` with a service that has retired it",
    severity: Error, impact: None, scope: "messaging", readers: DECLARED, since: "0.1.0",
}

fn profile(profile: &Profile, sink: &mut Sink<'_>) {
    let Some(messaging) = Messaging::from_profile(profile) else { return };
    let (Some(method), Some(base_url)) = (profile.present("upload_method"), profile.setting("base_url")) else {
        return;
    };
    if messaging.is_hosted() && messaging.method() == Some(Method::FilesUpload) {
        let service = MESSAGING.service_name();
        let message = format!("`{}` uses `files.upload`, which {service} has retired", profile.id);
        let help = "set `upload_method` to `external`, or remove it to choose the method by the host";
        let draft = finding(message, help).value(method, "retired on 2025-11-12");
        sink.push(draft.value(base_url, service));
    }
}
