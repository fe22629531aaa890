use crate::config::{Profile, Setting};
use crate::profile::{Assessment, is_hosted};
use crate::rule::{Draft, Sink, rule};
use crate::schema::STORAGE;
use crate::schema::value::{Flaw, NameFlaw, Parsed};

rule! {
    #[doc = include_str!("../../docs/rules/malformed-bucket.md")]
    MalformedBucket: profile {
        id: "malformed-bucket",
        summary: "an invalid Backblaze B2 bucket name",
        severity: Error, impact: None, scope: "storage", readers: DECLARED, since: "0.1.0",
    }
}

fn profile(profile: &Profile, sink: &mut Sink<'_>) {
    if *profile.kind() != STORAGE || !is_hosted(profile) {
        return;
    }
    let Some(bucket) = profile.present("bucket") else { return };
    // Other rules report a reference or a token in this field.
    if Assessment::from_setting(profile, bucket).is_wrong() {
        return;
    }
    let Some(flaw) = flaw(bucket) else { return };
    let (text, help) = describe(flaw);
    let message = format!("the `bucket` of `{}` is not a valid Backblaze B2 bucket name", profile.id);
    sink.push(Draft::new(message, help).value(bucket, text));
}

fn flaw(bucket: &Setting) -> Option<NameFlaw> {
    match bucket.parsed()? {
        Ok(Parsed::Id(name)) => NameFlaw::find(name),
        Err(Flaw::Id { flaw, .. }) => flaw,
        _ => None,
    }
}

/// Returns the problem and the advice. The rules for names are those of
/// <https://www.backblaze.com/docs/cloud-storage-create-and-manage-buckets>.
const fn describe(flaw: NameFlaw) -> (&'static str, &'static str) {
    match flaw {
        NameFlaw::Url => {
            ("this is a URL", "set `bucket` to the name alone: the part between `s3://` or `b2://` and the next `/`")
        }
        NameFlaw::Slash => ("this is a path", "set `bucket` to the name alone, without the path inside the bucket"),
        NameFlaw::Dot => (
            "contains a `.`",
            "copy the name from the bucket list: it has only letters, digits and `-`; a host belongs in `endpoint`",
        ),
        NameFlaw::Underscore => {
            ("contains an `_`", "copy the name from the bucket list: it may contain `-`, but no `_`")
        }
        NameFlaw::Character => (
            "contains a character that is not a letter, a digit or `-`",
            "copy the name from the bucket list: it has only letters, digits and `-`",
        ),
        NameFlaw::Short => {
            ("shorter than 6 characters", "copy the whole name from the bucket list: it has 6 to 63 characters")
        }
        NameFlaw::Long => {
            ("longer than 63 characters", "copy the name from the bucket list: it has 6 to 63 characters")
        }
        NameFlaw::Reserved => {
            ("begins with `b2-`", "copy the name from the bucket list: Backblaze reserves names that begin with `b2-`")
        }
    }
}
