//! The client: sends files to one service with one token, by either method.

use std::time::Instant;

use super::error::SettingNames;
use super::external::{Placed, check_lookups};
use super::payload::Payload;
use super::post::{FileName, Post};
use super::receipt::{FileLabels, Receipt, Skip, Status};
use super::session::{Session, Upload, Watch};
use super::settings::{FILES_PER_MESSAGE, Settings};
use super::wire::guard::show_id;
use super::wire::http::Credential;
use crate::code::Code;
use crate::schema::value::{BaseUrl, BearerToken};
use crate::schema::{MESSAGING, Method};
use crate::source::Problem;

/// Sends files to one service with one token.
pub struct Client {
    session: Session,
    method: Method,
    /// The labels of the files.
    pub(super) labels: FileLabels,
}

impl std::fmt::Debug for Client {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (base, settings) = (self.session.base(), &self.session.settings);
        f.debug_struct("Client").field("base", base).field("settings", settings).finish_non_exhaustive()
    }
}

impl Client {
    /// Creates a client. It does not connect, but for an https address it reads the system's CA certificates and those
    /// of [`Settings::ca_file`].
    ///
    /// # Errors
    /// Code `insecure-base-url` for plain http to another machine, whatever the lint levels are; `ca-file` if that file
    /// can't be used; `no-ca-certificates` and `client-setup` if this machine is not set up for https.
    pub fn new(base: &BaseUrl, token: &BearerToken, settings: Settings) -> Result<Self, Problem> {
        let method = settings.method.unwrap_or_else(|| Method::for_service(base));
        // No file that contains the token is sent with it.
        let own_secrets = settings.own_secrets.with("token", token.secret());
        // The token of a rehearsal is a placeholder, and not a secret of the profile.
        let known = settings.own_secrets.secrets().next().is_some();
        let labels = FileLabels::new(if known { &settings.own_secrets } else { &own_secrets });
        Ok(Self {
            session: Session::new(
                base,
                Credential::Token(token),
                Settings { own_secrets, ..settings },
                &SettingNames::MESSAGING,
            )?,
            method,
            labels,
        })
    }

    /// Returns the address of the service.
    #[must_use]
    pub const fn base_url(&self) -> &BaseUrl {
        self.session.base()
    }

    /// Returns the method of the upload.
    #[must_use]
    pub const fn method(&self) -> Method {
        self.method
    }

    /// Checks that the service can confirm shares, if they are to be confirmed.
    ///
    /// # Errors
    /// The service's error, such as `missing_scope` or `unknown_method`.
    pub async fn check_lookups(&self) -> Result<(), Problem> {
        if self.session.settings.confirm_shares { check_lookups(&self.session).await } else { Ok(()) }
    }

    /// Sends one file in its own message. Needs a tokio runtime with I/O and time; dropping the future aborts the
    /// request.
    ///
    /// There is no time limit for a stream without data: cancel it through `watch`.
    pub async fn upload(&self, post: &Post, payload: Payload, watch: Watch) -> Receipt {
        let mut file = [self.send_without_posting(post, payload, watch).await];
        self.post_sent(post, &mut file, |_| None).await;
        let [(receipt, _)] = file;
        receipt
    }

    /// Sends a file without posting it, if the method supports that; [`Client::post_sent`] posts it. Another method
    /// posts it at once.
    pub(super) async fn send_without_posting(
        &self,
        post: &Post,
        payload: Payload,
        watch: Watch,
    ) -> (Receipt, Option<Placed>) {
        match self.method {
            Method::FilesUpload => (self.with(post, watch).post_form(payload).await, None),
            Method::External => self.with(post, watch).place(payload).await,
        }
    }

    /// Posts the files that [`Client::send_without_posting`] has sent, in as few messages as the service takes. The text is in the first
    /// one that is posted. `stops` gets the results of each message, and returns why no other one is posted; first it
    /// gets none.
    pub(super) async fn post_sent(
        &self,
        post: &Post,
        begun: &mut [(Receipt, Option<Placed>)],
        mut stops: impl FnMut(&[(Receipt, Option<Placed>)]) -> Option<Skip>,
    ) {
        let hosted = || if MESSAGING.is_hosted_at(self.base_url()) { FILES_PER_MESSAGE } else { usize::MAX };
        let most = self.session.settings.files_per_message.unwrap_or_else(hosted).max(1);
        let (mut post, mut budget, mut stopped) = (post.clone(), None, stops(&[]));
        let mut rest = begun;
        while !rest.is_empty() {
            let mut sent = rest.iter().enumerate().filter(|(_, (_, placed))| placed.is_some());
            let end = sent.nth(most).map_or(rest.len(), |(at, _)| at);
            let (message, others) = rest.split_at_mut(end);
            if stopped.is_some() {
                for (receipt, _) in message.iter_mut().filter(|(_, placed)| placed.is_some()) {
                    (receipt.status, receipt.skip) = (Status::Skipped, stopped);
                }
            } else {
                let watch = message.iter().find_map(|(_, placed)| Some(placed.as_ref()?.watch.clone()));
                self.with(&post, watch.unwrap_or_default()).complete_one(message, &mut budget).await;
                // Also if it only may be posted.
                if message.iter().any(|(receipt, _)| matches!(receipt.status, Status::Delivered | Status::Uncertain)) {
                    (post.comment, post.blocks) = (None, None);
                }
                stopped = stops(message);
            }
            rest = others;
        }
    }

    fn with<'a>(&'a self, post: &'a Post, watch: Watch) -> Upload<'a> {
        Upload { attempts: self.session.attempts(post, watch), post }
    }

    /// Returns the receipt of a file that an earlier run may have posted. It is `delivered` if the service confirms
    /// that. With `repeat`, the completion of that run is repeated if the file is in no channel.
    pub(super) async fn look_up(
        &self,
        post: &Post,
        name: &FileName,
        id: Option<String>,
        (denials, repeat): (u32, bool),
        watch: &Watch,
    ) -> Receipt {
        let started = Instant::now();
        let mut receipt = self.session.receipt(post, name);
        let mut upload = self.with(post, watch.clone());
        let found = match self.method {
            Method::External => upload.look_up(id.as_deref(), denials, repeat.then(|| post.title_of(name))).await,
            Method::FilesUpload => Err("`files.upload` has no way to look that up".to_owned()),
        };
        let guard = &upload.attempts.guard;
        receipt.file_id = id.and_then(|id| show_id(&id, guard));
        match found {
            Ok(record) => {
                receipt.status = Status::Delivered;
                receipt.record(&record, post, guard);
            }
            Err(why) => {
                receipt.status = Status::Uncertain;
                let message = format!("an earlier run may have posted it; {why}");
                let help = "look in the channel; if it is not there, run it again with --retry-uncertain";
                receipt.error = Some(Problem::new(Code::UncertainBefore, message).help(help));
            }
        }
        receipt.with_elapsed(started)
    }

    /// Returns `true` if the ID of a file may be printed.
    pub(super) fn may_show(&self, id: &str) -> bool {
        show_id(id, &self.session.guard).is_some()
    }
}
