//! What the end of a request says of the files that come after: whether another one can fare better.

use super::receipt::{RunEffect, Skip};
use super::table::Step;
use super::wire::ending::Ending;
use crate::code::Code;

/// What a failure says of the files that come after it. `status` is that of the answer, if there was one.
pub(super) fn run_effect(step: Step, ending: Ending, status: Option<u16>, code: Code) -> RunEffect {
    // The address on a ticket knows neither token nor channel.
    let asked = step != Step::Bytes;
    match ending {
        Ending::Denied if asked => verdict(code).map_or(RunEffect::Reached, RunEffect::Stop),
        Ending::Refused if asked && status == Some(401) => RunEffect::Stop(Skip::Token),
        Ending::Unconnected | Ending::Untrusted => RunEffect::Unreached,
        // A ticket is asked for with a few words: it is not the file that it fails by.
        Ending::Lost | Ending::Cut if step == Step::Ticket => RunEffect::Unreached,
        Ending::Lost | Ending::Cut | Ending::Local | Ending::Stopped | Ending::StoppedLate => RunEffect::Unknown,
        Ending::Done
        | Ending::Throttled
        | Ending::Busy
        | Ending::Faltered
        | Ending::Denied
        | Ending::Refused
        | Ending::Early
        | Ending::Silent => RunEffect::Reached,
    }
}

/// Whether an error of the service is one that every other file would get as well: not if it can lie in the size, the type
/// or the content of the file.
const fn verdict(code: Code) -> Option<Skip> {
    match code {
        Code::AccountInactive
        | Code::InvalidAuth
        | Code::IsBot
        | Code::MissingScope
        | Code::NoPermission
        | Code::NotAllowedTokenType
        | Code::NotAuthed
        | Code::TeamAccessNotGranted
        | Code::TokenExpired
        | Code::TokenRevoked
        | Code::TwoFactorSetupRequired => Some(Skip::Token),
        Code::ChannelIsArchived
        | Code::ChannelNotFound
        | Code::ChannelsLimitExceeded
        | Code::InvalidChannel
        | Code::InvalidThreadTs
        | Code::NotInChannel
        | Code::PostingToChannelDenied
        | Code::PostingToGeneralChannelDenied
        | Code::SlackConnectFileUploadSharingBlocked => Some(Skip::Channel),
        Code::AccessDenied
        | Code::Accesslimited
        | Code::DeprecatedEndpoint
        | Code::EkmAccessDenied
        | Code::EnterpriseIsRestricted
        | Code::FileUploadsDisabled
        | Code::MethodDeprecated
        | Code::OrgLoginRequired
        | Code::RestrictedAction
        | Code::TeamAddedToOrg
        | Code::UnknownMethod
        | Code::UpgradeRequired => Some(Skip::Workspace),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_failure_says_of_the_next_file() {
        use Step::{Bytes, Completion, Post, Ticket};
        let token = RunEffect::Stop(Skip::Token);
        for (step, ending, status, code, expected) in [
            (Post, Ending::Denied, Some(200), Code::InvalidAuth, token),
            (Completion, Ending::Denied, Some(200), Code::ChannelNotFound, RunEffect::Stop(Skip::Channel)),
            (Ticket, Ending::Denied, Some(200), Code::UnknownMethod, RunEffect::Stop(Skip::Workspace)),
            (Post, Ending::Denied, Some(200), Code::FileTypeNotAllowed, RunEffect::Reached),
            (Post, Ending::Refused, Some(401), Code::HttpStatus, token),
            (Post, Ending::Refused, Some(413), Code::HttpStatus, RunEffect::Reached),
            // The token does not go there.
            (Bytes, Ending::Denied, Some(200), Code::InvalidAuth, RunEffect::Reached),
            (Bytes, Ending::Refused, Some(401), Code::HttpStatus, RunEffect::Reached),
            (Bytes, Ending::Unconnected, None, Code::ConnectionRefused, RunEffect::Unreached),
            (Post, Ending::Untrusted, None, Code::TlsFailed, RunEffect::Unreached),
            (Ticket, Ending::Lost, Some(503), Code::HttpStatus, RunEffect::Unreached),
            // That may be for its size.
            (Post, Ending::Cut, None, Code::ConnectionLost, RunEffect::Unknown),
            (Post, Ending::Local, None, Code::FileChanged, RunEffect::Unknown),
        ] {
            assert_eq!(run_effect(step, ending, status, code), expected, "{step:?} {ending:?} {code}");
        }
    }
}
