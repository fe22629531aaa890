use crate::config::{Profile, Setting};
use crate::finding::Severity;
use crate::profile::{Standing, is_hosted};
use crate::rule::{Draft, Harm, Rule, RuleMeta, Sink, rule};
use crate::schema::STORAGE;
use crate::schema::value::{Flaw, NameFlaw, Parsed};

rule! {
    #[doc = include_str!("../../docs/rules/malformed-bucket.md")]
    MalformedBucket {
        id: "malformed-bucket",
        summary: "a name that no bucket of Backblaze B2 can have",
        severity: Severity::Error,
        harm: Harm::None,
        scope: "storage",
        since: "0.1.0",
    }
}

impl Rule for MalformedBucket {
    fn meta(&self) -> &'static RuleMeta {
        &Self::META
    }

    fn profile(&self, profile: &Profile, sink: &mut Sink<'_>) {
        if *profile.kind() != STORAGE || !is_hosted(profile) {
            return;
        }
        let Some(bucket) = profile.present("bucket") else { return };
        // A reference or a token in its place is a mistake of its own.
        if Standing::of_setting(profile, bucket).is_wrong() {
            return;
        }
        let Some(flaw) = flaw(bucket) else { return };
        let (text, help) = describe(flaw);
        let message = format!("the `bucket` of `{}` is not a valid name of a Backblaze B2 bucket", profile.id);
        sink.push(Draft::new(message, help).value(bucket, text));
    }
}

fn flaw(bucket: &Setting) -> Option<NameFlaw> {
    match bucket.parsed()? {
        Ok(Parsed::Id(name)) => NameFlaw::find(name),
        Err(Flaw::Id { flaw, .. }) => flaw,
        _ => None,
    }
}

/// What is wrong, and what to do. The rules for names are those of
/// <https://www.backblaze.com/docs/cloud-storage-create-and-manage-buckets>.
const fn describe(flaw: NameFlaw) -> (&'static str, &'static str) {
    match flaw {
        NameFlaw::Url => (
            "this is a URL",
            "set `bucket` to the name alone: what stands after `s3://` or `b2://`, up to the next `/`",
        ),
        NameFlaw::Slash => (
            "this is a path",
            "set `bucket` to the name alone; the path within the bucket belongs to the program that uses it",
        ),
        NameFlaw::Dot => (
            "contains a `.`",
            "set `bucket` to the name as the bucket list shows it; names have letters, digits and `-`, and a host belongs in `endpoint`",
        ),
        NameFlaw::Underscore => {
            ("contains an `_`", "set `bucket` to the name as the bucket list shows it; names have `-`, and no `_`")
        }
        NameFlaw::Character => (
            "contains a character that is not a letter, a digit or `-`",
            "set `bucket` to the name as the bucket list shows it; names have letters, digits and `-`",
        ),
        NameFlaw::Short => (
            "shorter than 6 characters",
            "set `bucket` to the whole name as the bucket list shows it; names have 6 to 63 characters",
        ),
        NameFlaw::Long => (
            "longer than 63 characters",
            "set `bucket` to the name as the bucket list shows it; names have 6 to 63 characters",
        ),
        NameFlaw::Reserved => (
            "begins with `b2-`",
            "set `bucket` to the name as the bucket list shows it; Backblaze keeps names that begin with `b2-` for itself",
        ),
    }
}
