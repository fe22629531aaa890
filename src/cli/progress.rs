//! The progress bar: bytes, rate and time left, for somebody who watches.

use std::time::Duration;

use indicatif::{BinaryBytes, ProgressBar, ProgressDrawTarget, ProgressStyle};
use tokio::sync::watch;

use super::terminal::Terminal;
use crate::text;
use crate::upload::Progress;

/// Shows how far an upload is, until the sender is dropped. Draws nothing where nobody watches.
pub fn show(name: String, terminal: &Terminal) -> watch::Sender<Progress> {
    let (sender, mut receiver) = watch::channel(Progress::default());
    if terminal.is_watched() {
        tokio::spawn(async move {
            let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr()).with_message(name);
            bar.enable_steady_tick(Duration::from_millis(100));
            while receiver.changed().await.is_ok() {
                let Progress { taken, total, .. } = *receiver.borrow_and_update();
                if bar.length() != total {
                    bar.set_style(style(total.is_some()));
                    bar.set_length(total.unwrap_or(0));
                }
                bar.set_position(taken);
            }
            bar.finish_and_clear();
        });
    }
    sender
}

/// `12 bytes`, `12.30 KiB`.
pub fn size(bytes: u64) -> String {
    if bytes < 1024 {
        text::count(usize::try_from(bytes).unwrap_or(usize::MAX), "byte")
    } else {
        BinaryBytes(bytes).to_string()
    }
}

fn style(known: bool) -> ProgressStyle {
    let template = if known {
        "{msg}  {wide_bar} {bytes} of {total_bytes}  {bytes_per_sec}  {eta} left"
    } else {
        "{msg}  {spinner} {bytes}  {bytes_per_sec}"
    };
    ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar())
}
