//! The words for each oddity of a value.

use crate::config::{Oddity, Setting};
use crate::finding::{Finding, Severity};
use crate::rule::RuleMeta;

/// What a finding says: what the value does, to follow its name; the label; the advice; the severity.
struct Words(&'static str, &'static str, &'static str, Severity);

/// Returns the finding about an oddity. An error needs a form that tells what belongs there, so none is one here.
pub fn finding(meta: &RuleMeta, setting: &Setting, oddity: Oddity) -> Finding {
    use Severity::{Note, Warning};
    let Words(what, label, help, severity) = match oddity {
        Oddity::LineBreak => Words(
            "ends in a line break, which every reader of the Secret gets",
            "the line break is part of the value",
            "leave the line break out: `printf %s VALUE | base64 -w0`, not `echo`; in YAML `|-`, not `|`",
            Note,
        ),
        Oddity::LineBreakInLogin => Words(
            "has a login whose password ends in a line break",
            "the line break is part of the password",
            "make it again with `kubectl create secret docker-registry`, or encode `USER:PASSWORD` with `printf %s`, not `echo`",
            Note,
        ),
        Oddity::NotEncoded => Words(
            "holds hex digits, which the cluster decodes as base64 into other bytes",
            "not encoded",
            "encode the digits in base64, without a line break at their end, or move them below `stringData`, which takes plain text",
            Warning,
        ),
        Oddity::ProbablyNotEncoded => Words(
            "holds letters and digits that the cluster decodes as base64, and not to a text",
            "probably not encoded",
            "if it is the value itself, encode it in base64, or move it below `stringData`, which takes plain text",
            Note,
        ),
        Oddity::EncodedTwice => Words(
            "is base64 of a text, in a Secret that is decoded once",
            "encoded once more than the cluster decodes",
            "encode it once below `data`, and not at all below `stringData`",
            Note,
        ),
        Oddity::NotExpandedInWorkflow => Words(
            "holds a shell variable, which a workflow gives to the action as it is",
            "not expanded",
            "write `${{ secrets.NAME }}` or `${{ env.NAME }}`",
            Note,
        ),
        Oddity::QuotedLine => Words(
            "is set by a line with quotes around all of it", "the name begins with the quote",
            "put the quotes around the value alone: NAME=\"value\"", Note,
        ),
        Oddity::QuotesForDocker => Words(
            "has quotes around it that `docker run --env-file` keeps",
            "a script here gives this file to Docker",
            "write the value without quotes: that command takes each line as it is",
            Warning,
        ),
        Oddity::ExpandedByCompose => Words(
            "has a `$` that Docker Compose replaces by a variable that nothing here sets",
            "the rest of the word is dropped",
            "write `$$` for each `$` of the value",
            Warning,
        ),
        Oddity::ExpandedInDotenv => Words(
            "has a `$` that Docker Compose replaces by a variable that nothing here sets",
            "the rest of the word is dropped",
            "put single quotes around the value",
            Note,
        ),
        Oddity::HashInDotenv => Words(
            "has a `#` outside of quotes, where some readers of dotenv files begin a comment",
            "dropped by some readers from the `#` on",
            "put quotes around the value; for `docker run --env-file`, which keeps quotes, choose a value without `#`",
            Note,
        ),
        Oddity::RejectedByCompose => Words(
            "has a `$` that is no reference to a variable, so Docker Compose rejects the file",
            "not a reference",
            "write `$$` for each `$` of the value",
            Warning,
        ),
        Oddity::ExpandedByShell => Words(
            "has a `$` in double quotes that the shell replaces by a variable that nothing here sets",
            "the rest of the word is dropped",
            "put single quotes around the value",
            Note,
        ),
        Oddity::Template => Words(
            "holds a template that nothing in this file's name or place says is filled in",
            "not filled in",
            "set it to the value itself, or name the file as its tool wants, such as `NAME.j2`",
            Note,
        ),
        Oddity::MissingFile => Words(
            "names a file that is not here",
            "no such file",
            "create the file, or correct the path; a path inside a container is right there",
            Note,
        ),
        Oddity::Directory => Words(
            "names a directory, where a file belongs",
            "a directory",
            "set it to the path of the file; Docker makes a directory of a path that does not exist",
            Warning,
        ),
        Oddity::EmptyFile => {
            Words("names an empty file", "an empty file", "write the credential into the file", Warning)
        }
        Oddity::OauthClientFile => Words(
            "names the file of an OAuth client, not the key of a service account",
            "the file of an OAuth client",
            "set it to the key of a service account, whose JSON has `\"type\": \"service_account\"`",
            Warning,
        ),
        Oddity::CutAddress => Words(
            "is an address whose password has a character that ends it",
            "read as another host, path or fragment",
            "encode these characters of the password: `@` as `%40`, `:` as `%3A`, `/` as `%2F`, `#` as `%23`, `?` as `%3F`",
            Note,
        ),
        Oddity::CutByVariable => Words(
            "takes a password from a variable whose value has a character that ends it in an address",
            "read as another host, path or fragment",
            "encode these characters where the password is set, or choose one with letters and digits alone: nothing encodes it here",
            Note,
        ),
        Oddity::NotPassed => Words(
            "takes a variable that what runs the program here does not get",
            "not passed to it, although others are",
            "set this variable where the program runs, or take the one that is set there",
            Note,
        ),
        Oddity::TlsToPlainServer => Words(
            "asks for TLS of a server in this file that has none",
            "an address with TLS",
            "write `redis://`, or give the server a certificate and `--tls-port`",
            Note,
        ),
        Oddity::BrokenJson => Words(
            "is a JSON document with line breaks inside its texts, which no program can parse",
            "a line break in JSON is written `\\n`",
            "set it to the file as it was downloaded, in one line, or in base64 if its program decodes that",
            Warning,
        ),
        Oddity::NoSection => Words(
            "is in no profile of the credentials file, where no program reads it",
            "no `[default]` line above it",
            "write the line `[default]` above it",
            Note,
        ),
        Oddity::Address => {
            Words("holds an address", "an address", "set it to the credential itself, if no address belongs here", Note)
        }
        Oddity::Email => Words(
            "holds an e-mail address",
            "an e-mail address",
            "set it to the credential itself, if no e-mail address belongs here",
            Note,
        ),
        Oddity::Path => Words(
            "holds the path of a file",
            "a path",
            "set it to the credential itself, unless its program reads a path",
            Note,
        ),
        Oddity::Document => Words(
            "holds a JSON document",
            "a document",
            "set it to the credential itself, if no document belongs here",
            Note,
        ),
        Oddity::TokenPart => Words(
            "holds a part of a token of three parts",
            "without the other parts",
            "set it to the whole token: three parts with dots between them",
            Note,
        ),
    };
    Finding::new(meta, format!("`{}` {what}", setting.name()), help).severity(severity).value(setting, label)
}
