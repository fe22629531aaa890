//! What only the file around a value tells about it: what its reader makes of the bytes.

/// Something about a value under a name that says *credential*, which no form shows. Its reader decides: what one file
/// keeps, another one takes off.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Oddity {
    /// A line break at the end of a single line, below the `data` of a Secret.
    LineBreak,
    /// The same in a login of `.dockerconfigjson`.
    LineBreakInLogin,
    /// Hex digits below the `data` of a Secret, which decodes them.
    NotEncoded,
    /// Text below the `data` of a Secret that was probably not encoded: letters and digits that decode to no text.
    ProbablyNotEncoded,
    /// A value of a Secret that is base64 of text once more.
    EncodedTwice,
    /// A shell variable as an input of a workflow's action, which expands `${{ … }}` only.
    NotExpandedInWorkflow,
    /// A line of a dotenv file with quotes around `NAME=value`.
    QuotedLine,
    /// Quotes in a dotenv file that a script gives to `docker run --env-file`, which keeps them.
    QuotesForDocker,
    /// A `$` that Docker Compose replaces by the value of a variable that nothing sets.
    ExpandedByCompose,
    /// The same in a `.env` next to a file of Docker Compose.
    ExpandedInDotenv,
    /// A `#` without quotes in a dotenv file: for some readers it begins a comment.
    HashInDotenv,
    /// A `$` that makes Docker Compose reject the file.
    RejectedByCompose,
    /// A `$` that a shell replaces by the value of a variable that nothing sets.
    ExpandedByShell,
    /// `{{ … }}` in a file whose name and place say of no tool that it fills it in.
    Template,
    /// A file that a variable names, which is not there.
    MissingFile,
    /// A directory where a variable names a file.
    Directory,
    /// A file without content that a variable names.
    EmptyFile,
    /// The file of an OAuth client where the key of a service account belongs.
    OauthClientFile,
    /// A character of the password ends the user, the host or the path of an address.
    CutAddress,
    /// An address takes a password from a variable whose value has such a character.
    CutByVariable,
    /// A variable that a program takes from its environment, where what runs it here does not set it.
    NotPassed,
    /// An address that asks for TLS, of a server in the same file of Docker Compose that has none.
    TlsToPlainServer,
    /// A JSON document with line breaks inside its texts.
    BrokenJson,
    /// Keys of AWS's shared credentials file, without the line of a profile above them.
    NoSection,
    /// An address under a name that says key or token.
    Address,
    /// An e-mail address under such a name.
    Email,
    /// A part of a token of three parts.
    TokenPart,
    /// The path of a file under such a name.
    Path,
    /// A JSON document under such a name.
    Document,
}

impl Oddity {
    /// Returns `true` if something should have been put in its place.
    pub const fn is_reference(self) -> bool {
        matches!(
            self,
            Self::Template
                | Self::MissingFile
                | Self::Directory
                | Self::EmptyFile
                | Self::NotExpandedInWorkflow
                | Self::NotPassed
        )
    }

    /// Returns `true` if the value is something else, rather than the right one with something around it.
    pub const fn is_another_kind(self) -> bool {
        matches!(
            self,
            Self::Address | Self::Email | Self::TokenPart | Self::OauthClientFile | Self::Path | Self::Document
        )
    }
}
