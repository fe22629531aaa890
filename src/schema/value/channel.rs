//! IDs of channels and workspaces.

use super::shown::{self, CHANNEL};
use crate::secret::{self, MASK};
use crate::shorthand::{debug, words};
use crate::text;

/// The ID of a channel or conversation. IDs are opaque: only characters that can't be sent are rejected.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct ChannelId(String);

words! {
    /// What is wrong with a channel ID.
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    #[non_exhaustive]
    pub enum ChannelFlaw {
        /// It is empty.
        Empty = "is empty",
        /// It contains a comma, which separates IDs.
        Comma = "contains a comma",
        /// It contains whitespace or a control character.
        Whitespace = "contains whitespace or a control character",
        /// A URL.
        Url = "is a URL",
        /// A name. This and the following variants apply to the hosted service only; other servers' IDs have any form.
        Name = "is a name, not an ID",
        /// An ID in lower case.
        Case = "is an ID in lower case",
        /// An ID with a leading `#` or `@`.
        Mark = "is an ID with `#` or `@` before it",
        /// A mention of a channel or user: `<#C…|name>`, `<@U…>`.
        Mention = "is a mention from a message",
        /// A list in brackets, or part of one.
        List = "is part of a list in brackets",
        /// It begins or ends with a quote.
        Quotes = "begins or ends with a quote",
        /// An ID followed by a message's timestamp.
        Thread = "is an ID followed by a message timestamp",
        /// The end of a link: an ID followed by a message or another component.
        Path = "is the end of a link",
        /// A link without its scheme.
        Link = "is a link",
        /// An e-mail address.
        Email = "is an e-mail address",
        /// A workspace ID.
        Workspace = "is a workspace ID",
        /// The ID of an app, a bot, a file or a user group.
        Object = "is the ID of an app, a bot, a file or a user group",
        /// The timestamp of a message.
        Time = "is a message timestamp",
        /// A truncated ID.
        Short = "is a truncated ID",
        /// Anything else.
        Other = "is not a channel ID",
    }

    /// Describes the flaw, to follow "a channel".
    pub fn describe;
}

/// Where to find the ID of a channel, instead of its name.
pub(crate) const IN_PLACE_OF_NAME: &str = "use the channel ID, which Slack shows in the channel's details";

impl std::fmt::Display for ChannelFlaw {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "the channel {}", self.describe())
    }
}

impl std::error::Error for ChannelFlaw {}

impl ChannelFlaw {
    /// Returns what to write instead. `hosted` is true for the hosted service, whose links are known.
    pub const fn advice(self, hosted: bool) -> &'static str {
        match self {
            Self::Url | Self::Link if hosted => {
                "use the ID alone: in a link to a channel it is the part after `/archives/`"
            }
            Self::Case => "write the ID in upper case, as Slack shows it",
            Self::Mark => "use the ID alone, without the `#` or `@`",
            Self::Mention => {
                "use the ID alone: in `<#C…|name>` or `<@U…>` it is the part after `#` or `@`, up to the `|` or `>`"
            }
            Self::List => {
                "in a variable, write the IDs separated by commas, without brackets or quotes; in a file, write a list with one ID in each element"
            }
            Self::Quotes => "use the ID alone, without the quotes",
            Self::Thread => {
                "use the ID alone; to reply in a thread, pass the time of its first message to `credlint upload --thread`"
            }
            Self::Path => "use the ID alone: it begins with `C`, `G` or `D` and ends at the next `/`",
            Self::Email => "use the ID of the conversation: Slack does not accept an e-mail address here",
            Self::Workspace => {
                "use the channel ID, which begins with `C`, `G` or `D`; a workspace ID belongs in `workspace`"
            }
            Self::Object | Self::Time | Self::Other => {
                "use the channel ID, which begins with `C`, `G` or `D`; Slack shows it in the channel's details"
            }
            Self::Short => "copy the whole ID again: Slack IDs have at least 9 characters, usually 11",
            _ => "write each channel as a separate ID, such as `C0123456789`",
        }
    }
}

impl std::str::FromStr for ChannelId {
    type Err = ChannelFlaw;

    fn from_str(value: &str) -> Result<Self, ChannelFlaw> {
        Self::parse(value)
    }
}

impl ChannelId {
    /// Parses an ID.
    ///
    /// # Errors
    ///
    /// Returns the first flaw.
    pub fn parse(value: &str) -> Result<Self, ChannelFlaw> {
        if value.is_empty() {
            Err(ChannelFlaw::Empty)
        } else if secret::is_url(value.trim()) {
            Err(ChannelFlaw::Url)
        } else if value.contains(',') {
            Err(ChannelFlaw::Comma)
        } else if value.chars().any(|c| c.is_whitespace() || c.is_control()) {
            Err(ChannelFlaw::Whitespace)
        } else {
            Ok(Self(value.to_owned()))
        }
    }

    /// Returns `true` for a name (`#general`, `@ann`).
    pub fn is_name(&self) -> bool {
        self.0.starts_with(['#', '@'])
    }

    /// Checks the form of the hosted service's IDs. Source: its own check, `^[CGDZ][A-Z0-9]{8,}$`, as quoted in
    /// <https://github.com/slackapi/bolt-js/issues/2115>; a list accepts users as well:
    /// <https://docs.slack.dev/reference/methods/files.completeUploadExternal>.
    ///
    /// # Errors
    ///
    /// Returns what the value is instead.
    pub fn check_hosted(&self) -> Result<(), ChannelFlaw> {
        let value = self.0.as_str();
        if is_id(value, CHANNEL) { Ok(()) } else { Err(classify(value)) }
    }

    /// Returns the ID to send.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Returns the ID for display: in the hosted service's form, or a plain name, as other servers have it.
    pub fn shown(&self) -> String {
        let named = || Some(&self.0).filter(|id| !id.contains(['.', '/']) && text::is_plain_name(id)).cloned();
        shown::channel(&self.0).or_else(named).unwrap_or_else(|| MASK.to_owned())
    }
}

debug!(ChannelId, |own| "ChannelId({})", own.shown());

fn is_id(value: &str, first: &[char]) -> bool {
    shown::is_id(value, first, 9..)
}

/// Classifies a value that is not an ID of the hosted service.
fn classify(value: &str) -> ChannelFlaw {
    let numbers = |text: &str| {
        text.len() >= 10 && text.contains('.') && text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.')
    };
    let digits = value.bytes().filter(u8::is_ascii_digit).count();
    let begins = |rest: &str| rest.split_once(['/', ':', '|']).is_some_and(|(id, _)| is_id(id, CHANNEL));
    let name = value.trim_start_matches(['#', '@']);
    match value {
        _ if value.starts_with(['#', '@']) && is_id(name, CHANNEL) => ChannelFlaw::Mark,
        _ if value.starts_with(['#', '@']) => ChannelFlaw::Name,
        _ if value.starts_with(['[', '{']) || value.ends_with([']', '}']) => ChannelFlaw::List,
        _ if ["<#", "<@", "<!"].iter().any(|start| value.starts_with(start)) => ChannelFlaw::Mention,
        _ if value.starts_with(QUOTES) || value.ends_with(QUOTES) => ChannelFlaw::Quotes,
        _ if numbers(value) => ChannelFlaw::Time,
        _ if begins(value) && value.split_once(':').is_some_and(|(_, time)| numbers(time)) => ChannelFlaw::Thread,
        _ if value.contains(".slack.com/") => ChannelFlaw::Link,
        _ if begins(value) || value.starts_with("archives/") || value.starts_with("/archives/") => ChannelFlaw::Path,
        _ if value.split_once('@').is_some_and(|(_, host)| host.contains('.')) => ChannelFlaw::Email,
        _ if is_id(value, &['T', 'E']) && digits > 0 => ChannelFlaw::Workspace,
        _ if is_id(value, &['A', 'B', 'F', 'S']) && digits > 0 => ChannelFlaw::Object,
        // Channel names are lower case, so a value with digits in the right places is an ID in lower case.
        _ if is_id(&value.to_ascii_uppercase(), CHANNEL)
            && digits >= 3
            && value.as_bytes().get(1).is_some_and(u8::is_ascii_digit) =>
        {
            ChannelFlaw::Case
        }
        _ if shown::is_id(value, CHANNEL, ..) && digits > 0 => ChannelFlaw::Short,
        _ if is_name(value) => ChannelFlaw::Name,
        _ => ChannelFlaw::Other,
    }
}

const QUOTES: [char; 7] = ['"', '\'', '`', '“', '”', '‘', '’'];

/// Returns `true` for a valid channel name: no capitals, and no punctuation except `-` and `_`.
fn is_name(value: &str) -> bool {
    value.chars().all(|c| c.is_alphanumeric() && !c.is_uppercase() || c == '-' || c == '_')
        && value.chars().any(char::is_alphabetic)
}

/// The ID of a workspace or organisation of the messaging service.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct WorkspaceId(String);

impl WorkspaceId {
    /// Parses an ID: `T` or `E`, then capitals and digits. The form of conversation IDs is `^[CGDZ][A-Z0-9]{8,}$`
    /// (<https://github.com/slackapi/bolt-js/issues/2115>); those of workspaces (`T`) and organisations (`E`) differ in
    /// the first letter.
    pub fn parse(value: &str) -> Option<Self> {
        shown::workspace(value).map(Self)
    }

    /// Returns the ID, which may be printed.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classifies_values_that_are_not_channel_ids() {
        use ChannelFlaw::*;
        for (value, flaw) in [
            ("C0123456789", None),
            ("C024BE91L", None),
            ("GABCDEFGH", None),
            ("D0123456789", None),
            ("U0123456789", None),
            ("W0123456789", None),
            ("#general", Some(Name)),
            ("@ann", Some(Name)),
            ("general", Some(Name)),
            ("nightly-reports_2", Some(Name)),
            ("große-liste", Some(Name)),
            ("general2024", Some(Name)),
            ("general-2024-01", Some(Name)),
            ("c0123456789", Some(Case)),
            ("c0123abcdeF", Some(Case)),
            ("#C0123456789", Some(Mark)),
            ("@U0123456789", Some(Mark)),
            ("<#C0123456789|general>", Some(Mention)),
            ("<@U0123456789>", Some(Mention)),
            ("<!here>", Some(Mention)),
            ("[\"C0123456789\"", Some(List)),
            ("\"D0123456789\"]", Some(List)),
            ("[C0123456789]", Some(List)),
            ("\"C0123456789\"", Some(Quotes)),
            ("'general'", Some(Quotes)),
            ("\"general", Some(Quotes)),
            ("general\"", Some(Quotes)),
            ("C0123456789:1700000000.000100", Some(Thread)),
            ("C0123456789/p1700000000000100", Some(Path)),
            ("archives/C0123456789", Some(Path)),
            ("myteam.slack.com/archives/C0123456789", Some(Link)),
            ("ann@example.com", Some(Email)),
            ("T0123456789", Some(Workspace)),
            ("E0123456789", Some(Workspace)),
            ("A0123456789", Some(Object)),
            ("F0123456789", Some(Object)),
            ("1700000000.000100", Some(Time)),
            ("C0123", Some(Short)),
            ("C1", Some(Short)),
            ("General", Some(Other)),
            ("GENERAL", Some(Other)),
            ("TEAMCHANNEL", Some(Other)),
            ("ANNOUNCEMENTS", Some(Other)),
            ("0123456789", Some(Other)),
        ] {
            assert_eq!(ChannelId::parse(value).unwrap().check_hosted().err(), flaw, "{value:?}");
        }
    }

    #[test]
    fn parses_channel_ids() {
        assert_eq!(ChannelFlaw::Comma.to_string(), format!("the channel {}", ChannelFlaw::Comma.describe()));
        for (value, flaw) in [
            ("C0123456789", None),
            ("#general", None),
            ("", Some(ChannelFlaw::Empty)),
            ("C1,C2", Some(ChannelFlaw::Comma)),
            ("C1 ", Some(ChannelFlaw::Whitespace)),
            ("https://h.example/a,b", Some(ChannelFlaw::Url)),
        ] {
            assert_eq!(ChannelId::parse(value).err(), flaw, "{value:?}");
        }
        assert_eq!(shown::channel("#general").as_deref(), Some("#general"));
        assert_eq!(shown::channel("xoxb-1-2"), None);
        for (id, is_shown) in
            [("hunter2", false), ("4xp9fdt77pncbef59f4k1qe83o", false), ("town-square", true), ("GENERAL", true)]
        {
            let expected = if is_shown { id } else { MASK };
            assert_eq!(format!("{:?}", ChannelId::parse(id).unwrap()), format!("ChannelId({expected})"));
        }
    }

    #[test]
    fn finds_flaws_of_channel_ids() {
        for (value, flaw) in [
            ("C0\t1", Some(ChannelFlaw::Whitespace)),
            ("C0\u{7}1", Some(ChannelFlaw::Whitespace)),
            (" https://h.example ", Some(ChannelFlaw::Url)),
            ("C1, C2", Some(ChannelFlaw::Comma)),
            ("@ann", None),
        ] {
            assert_eq!(ChannelId::parse(value).err(), flaw, "{value:?}");
        }
        let id = |value: &str| ChannelId::parse(value).unwrap();
        assert!(id("#general").is_name() && id("@ann").is_name() && !id("C0123456789").is_name());
        assert_eq!(
            (id("hunter2").as_str(), id("hunter2").shown(), id("C01").shown()),
            ("hunter2", MASK.to_owned(), "C01".to_owned())
        );
    }

    #[test]
    fn each_channel_flaw_has_its_own_description() {
        use ChannelFlaw::*;
        let words = [
            Empty, Comma, Whitespace, Url, Name, Case, Mark, Mention, List, Quotes, Thread, Path, Link, Email,
            Workspace, Object, Time, Short, Other,
        ]
        .map(ChannelFlaw::describe);
        let mut different = words.to_vec();
        different.sort_unstable();
        different.dedup();
        assert_eq!(different.len(), words.len(), "{words:?}");
    }

    #[cfg(feature = "upload")]
    #[test]
    fn parses_workspace_ids() {
        for (value, valid) in [
            ("T0123456789", true),
            ("E01234567", true),
            ("T0123456", false),
            ("t0123456789", false),
            ("C0123456789", false),
            ("T0123456789-x", false),
            ("TABCDEFGHIJKLMNOPQRSTUVWXYZ", false),
            ("", false),
        ] {
            assert_eq!(WorkspaceId::parse(value).is_some(), valid, "{value:?}");
        }
        assert_eq!(WorkspaceId::parse("T0123456789").unwrap().as_str(), "T0123456789");
    }
}
