//! Combines the check and the client: check, then send, and check, then verify. Callers show the progress and choose
//! the exit code; this module prints nothing.

mod answer;
mod ask;
mod delivery;
#[cfg(feature = "cli")]
mod found;
mod sender;

pub use ask::{Verification, VerifyOptions};
pub use delivery::{Delivered, Delivery, DeliveryError, DeliveryOptions, Event, Observer, Outcome};
#[cfg(feature = "cli")]
pub use found::FoundCredentials;

#[cfg(test)]
mod tests {
    use std::path::Path;

    use tokio::sync::watch;

    use super::*;
    use crate::config::{Environment, LoadOptions};
    use crate::lint::{self, EXAMINED, Loaded};
    use crate::upload::{Mode, Status};

    /// Loads a profile with an address where no server listens.
    fn load(directory: &Path) -> Loaded {
        let port = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let text = format!(
            "[messaging.reports]\nbase_url = 'http://127.0.0.1:{port}'\ntoken = {{ env = 'TOKEN' }}\nchannels = ['C0123456789']\n"
        );
        std::fs::write(directory.join("credlint.toml"), text).unwrap();
        std::fs::write(directory.join("report.csv"), "1,2").unwrap();
        let environment = Environment::from_iter([("TOKEN", "xoxb-1234567890-AbCdEfGhIjKl")]);
        lint::load(&LoadOptions::new(directory, environment)).unwrap()
    }

    /// Runs a task and counts how often the rules ran on a profile.
    fn counted<T>(work: impl Future<Output = T>) -> (T, usize) {
        let before = EXAMINED.get();
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        let ended = runtime.block_on(work);
        (ended, EXAMINED.get() - before)
    }

    #[test]
    fn rules_run_once() {
        let directory = tempfile::tempdir().unwrap();
        let loaded = load(directory.path());
        for (mode, verify, status) in [
            (Mode::Live, false, Status::Failed),
            (Mode::Live, true, Status::Failed),
            (Mode::DryRun, false, Status::Skipped),
        ] {
            let (delivered, examined) = counted(async {
                let mut options = DeliveryOptions::new("reports");
                options.files = vec![directory.path().join("report.csv")];
                options.settings.retries = 0;
                (options.mode, options.verify) = (mode, verify);
                let (_cancel, cancelled) = watch::channel(false);
                loaded.delivery(options, &()).unwrap().run(&(), cancelled).await
            });
            assert_eq!((delivered.receipts[0].status, examined), (status, 1), "{mode:?} {verify}");
        }
        let mut options = VerifyOptions::default();
        options.settings.retries = 0;
        let (report, examined) = counted(loaded.verify(&options));
        assert_eq!((report.unwrap().is_unanswered(), examined), (true, 1));
    }
}
