//! How a request ended, in the categories of the table that decides what happens next.

/// How a request ended. If several variants apply, the first one counts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ending {
    /// The service confirmed the request.
    Done,
    /// 429, or the error `ratelimited`: the request was not run.
    Throttled,
    /// A temporary error of the service: the request was not run, and may succeed later.
    Busy,
    /// An error of the service after which part of the request may have succeeded.
    Faltered,
    /// Any other error of the service.
    Denied,
    /// A redirect, a web page or a 4xx status, without an error code of the service: refused by the service or by
    /// something in between, such as a gateway.
    Refused,
    /// No connection was made.
    Unconnected,
    /// The certificate of the other end is not trusted, or it does not speak TLS.
    Untrusted,
    /// The connection was lost, or stalled, before the last byte of the request was handed over.
    Cut,
    /// An answer other than a refusal came before the last byte of the request was handed over.
    Early,
    /// The whole request was sent, and no readable answer came, or one with the status 408 or 5xx.
    Lost,
    /// A 2xx status that does not say whether the request succeeded.
    Silent,
    /// The request failed because of the file, the journal or this machine.
    Local,
    /// The user stopped the program before the last byte of the request was handed over.
    Stopped,
    /// The user stopped the program after the last byte.
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
