//! The progress display, for somebody who watches: how far the whole is, and under it the files that are under way.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::time::Duration;

use indicatif::{MultiProgress, ProgressBar, ProgressDrawTarget, ProgressStyle};
use tokio::sync::watch;

use super::terminal::Terminal;
use crate::text;
use crate::upload::Progress;

/// More files than these are not shown one by one.
const ROWS: usize = 8;

/// The display of one run.
pub struct Display {
    rows: Option<Rows>,
}

struct Rows {
    all: MultiProgress,
    /// The whole, if there is more than one file.
    whole: Option<ProgressBar>,
    bytes: Arc<AtomicU64>,
    shown: Arc<AtomicUsize>,
}

impl Display {
    pub fn new(files: usize, terminal: &Terminal) -> Self {
        let rows = terminal.is_watched().then(|| {
            #[expect(
                clippy::disallowed_methods,
                reason = "what is drawn is ours, but for names of files, which are escaped"
            )]
            let all = MultiProgress::with_draw_target(ProgressDrawTarget::stderr());
            let whole = (files > 1).then(|| {
                let whole = all.add(ProgressBar::new(files as u64));
                whole.set_style(style("{pos} of {len} files  {wide_bar} {msg}  {elapsed}"));
                whole.enable_steady_tick(Duration::from_millis(200));
                whole
            });
            Rows { all, whole, bytes: Arc::default(), shown: Arc::default() }
        });
        Self { rows }
    }

    /// Shows how far a file is, until the sender is dropped. Nothing where nobody watches.
    pub fn file(&self, path: &Path) -> Option<watch::Sender<Progress>> {
        let rows = self.rows.as_ref()?;
        let (sender, mut receiver) = watch::channel(Progress::default());
        let name = text::file(path);
        let bar = (rows.shown.fetch_add(1, Ordering::Relaxed) < ROWS)
            .then(|| rows.all.add(ProgressBar::no_length().with_message(name.clone()).with_style(style(UNKNOWN))));
        let (whole, bytes, shown) = (rows.whole.clone(), Arc::clone(&rows.bytes), Arc::clone(&rows.shown));
        tokio::spawn(async move {
            let mut before = 0;
            while receiver.changed().await.is_ok() {
                let Progress { taken, total, waiting, .. } = *receiver.borrow_and_update();
                if let Some(bar) = &bar {
                    match waiting {
                        Some(why) => bar.set_message(format!("{name}  waiting to try again ({why})")),
                        None => bar.set_message(name.clone()),
                    }
                    if bar.length() != total {
                        bar.set_style(style(if total.is_some() { KNOWN } else { UNKNOWN }));
                        bar.set_length(total.unwrap_or(0));
                    }
                    bar.set_position(taken);
                }
                // Another try begins from nothing again.
                let sum = bytes.fetch_add(taken.wrapping_sub(before), Ordering::Relaxed);
                before = taken;
                if let Some(whole) = &whole {
                    whole.set_message(text::size(sum));
                }
            }
            shown.fetch_sub(1, Ordering::Relaxed);
            if let Some(bar) = &bar {
                bar.finish_and_clear();
            }
        });
        Some(sender)
    }

    /// Another file is done.
    pub fn done(&self) {
        if let Some(whole) = self.rows.as_ref().and_then(|rows| rows.whole.as_ref()) {
            whole.inc(1);
        }
    }
}

impl Drop for Display {
    fn drop(&mut self) {
        if let Some(rows) = &self.rows {
            if let Some(whole) = &rows.whole {
                whole.finish_and_clear();
            }
            // What was drawn goes away before the receipts are written.
            let _ = rows.all.clear();
        }
    }
}

const KNOWN: &str = "{msg}  {wide_bar} {bytes} of {total_bytes}  {bytes_per_sec}  {eta} left";
const UNKNOWN: &str = "{msg}  {spinner} {bytes}  {bytes_per_sec}";

fn style(template: &str) -> ProgressStyle {
    ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar())
}
