//! How a request ended, in the words of the table that says what follows from it.

/// How a request ended. From top to bottom, the first that fits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ending {
    /// The service said that it is done.
    Done,
    /// 429, or the error `ratelimited`: it was not run.
    Throttled,
    /// An error of the service that says it was not run and may be the next time.
    Busy,
    /// An error of the service after which part of it may have been done all the same.
    Faltered,
    /// Any other error of the service.
    Denied,
    /// A redirect, a web page, a 4xx status, without the service's own word: a refusal, of whoever is on the way.
    Refused,
    /// No connection was made.
    Unconnected,
    /// The other end is not who it should be, or does not speak TLS.
    Untrusted,
    /// The connection was lost, or stood still, before the last byte of the request was handed over.
    Cut,
    /// An answer other than a refusal came before the last byte of the request was handed over.
    Early,
    /// No answer that can be read came to the whole request, or one with status 408 or 5xx.
    Lost,
    /// A 2xx status, and nothing that says whether it is done.
    Silent,
    /// The file, the journal or this machine is the reason.
    Local,
    /// Whoever runs the program stopped it before the last byte of the request was handed over.
    Stopped,
    /// The same after the last byte.
    StoppedLate,
}

impl Ending {
    /// Every ending.
    #[cfg(test)]
    pub const ALL: [Self; 15] = [
        Self::Done,
        Self::Throttled,
        Self::Busy,
        Self::Faltered,
        Self::Denied,
        Self::Refused,
        Self::Unconnected,
        Self::Untrusted,
        Self::Cut,
        Self::Early,
        Self::Lost,
        Self::Silent,
        Self::Local,
        Self::Stopped,
        Self::StoppedLate,
    ];
}
