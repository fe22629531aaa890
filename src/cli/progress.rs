//! Upload progress: a bar on a terminal, otherwise an occasional line. It runs on a separate thread, so a blocked
//! terminal doesn't delay uploads.

use std::path::{Path, PathBuf};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use tokio::sync::watch;

use crate::shorthand::lock;
use crate::text;
use crate::upload::{Progress, Waiting};

/// The maximum number of waiting files shown individually; more are only counted.
const NAMED: usize = 3;
/// The refresh interval of the bar.
const REDRAW_INTERVAL: Duration = Duration::from_millis(200);
/// The interval of progress lines in a log: frequent enough to show activity, rare enough not to flood it.
pub const LOG_INTERVAL: Duration = Duration::from_secs(30);

/// The progress display of one run.
pub struct Display {
    tally: Arc<Mutex<ProgressTally>>,
    stop: Option<Sender<()>>,
    /// Closed by the thread at its end.
    cleared: Receiver<()>,
}

/// How long the bar may take to disappear. Where nobody reads the terminal, it stays.
const CLEAR_TIME: Duration = Duration::from_millis(500);

/// Writes a progress line.
type Say = Box<dyn Fn(&str) + Send>;

impl Display {
    /// Draws a bar on standard error.
    pub fn drawn(files: usize, bytes: u64) -> Self {
        #[expect(
            clippy::disallowed_methods,
            reason = "the text is credlint's own, except file names, which are escaped"
        )]
        let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr());
        Self::start(ProgressTally::new(files, bytes), REDRAW_INTERVAL, move |tally| match tally {
            Some(tally) => draw(&bar, tally),
            None => bar.finish_and_clear(),
        })
    }

    /// Writes a line at each interval.
    pub fn logged(files: usize, bytes: u64, every: Duration, say: Say) -> Self {
        Self::start(ProgressTally::new(files, bytes), every, move |tally| {
            let line = tally.map(|tally| settled(tally).line());
            if let Some(line) = line {
                say(&line);
            }
        })
    }

    /// Updates the display at each interval, and clears it at the end. `show` must not hold the lock while it writes:
    /// the uploads need it, and a terminal may block for any time.
    fn start(
        tally: ProgressTally,
        every: Duration,
        mut show: impl FnMut(Option<&Mutex<ProgressTally>>) + Send + 'static,
    ) -> Self {
        let tally = Arc::new(Mutex::new(tally));
        let (stop, stopped) = mpsc::channel::<()>();
        let (clears, cleared) = mpsc::channel();
        let shown = Arc::clone(&tally);
        let keep = move || {
            let _clears: Sender<()> = clears;
            while stopped.recv_timeout(every) == Err(RecvTimeoutError::Timeout) {
                show(Some(&shown));
            }
            show(None);
        };
        // If no thread can be started, the files are sent without a display.
        let _ = std::thread::Builder::new().name("progress".to_owned()).spawn(keep);
        Self { tally, stop: Some(stop), cleared }
    }

    /// Shows the progress of a file until the sender is dropped.
    pub fn file(&self, path: &Path) -> watch::Sender<Progress> {
        let (sender, receiver) = watch::channel(Progress::default());
        let mut tally = lock(&self.tally);
        // Drop finished rows now, so that they don't pile up between two updates.
        if tally.rows.len() >= tally.room {
            tally.remove_finished();
            tally.room = 64.max(2 * tally.rows.len());
        }
        tally.rows.push(WaitingRow { path: path.to_owned(), receiver });
        sender
    }

    /// Counts a file as done.
    pub fn done(&self) {
        lock(&self.tally).done += 1;
    }

    /// Ends the display and clears the bar.
    pub fn end(mut self, drawn: bool) {
        drop(self.stop.take());
        if drawn {
            let _ = self.cleared.recv_timeout(CLEAR_TIME);
        }
    }
}

/// Locks the tally, without the files that are done.
fn settled(tally: &Mutex<ProgressTally>) -> MutexGuard<'_, ProgressTally> {
    let mut tally = lock(tally);
    tally.remove_finished();
    tally
}

/// Total progress.
struct ProgressTally {
    begun: Instant,
    files: usize,
    done: usize,
    /// Bytes of finished files.
    ended: u64,
    /// Bytes of all files, measured when they were found.
    total: u64,
    rows: Vec<WaitingRow>,
    /// The number of rows at which finished ones are removed.
    room: usize,
}

/// A file in progress.
struct WaitingRow {
    path: PathBuf,
    receiver: watch::Receiver<Progress>,
}

impl ProgressTally {
    fn new(files: usize, bytes: u64) -> Self {
        Self { begun: Instant::now(), files, done: 0, ended: 0, total: bytes, rows: Vec::new(), room: 64 }
    }

    /// Removes finished rows. Each counts in full, even after a failure, because no more of it will be sent.
    fn remove_finished(&mut self) {
        let mut ended = 0;
        self.rows.retain(|row| {
            // `has_changed` fails only if the sender was dropped.
            let open = row.receiver.has_changed().is_ok();
            if !open {
                let Progress { taken, total, .. } = *row.receiver.borrow();
                let len = || std::fs::metadata(&row.path).map_or(0, |meta| meta.len());
                ended += total.map_or_else(|| taken.max(len()), |total| total.max(taken));
            }
            open
        });
        self.ended += ended;
    }

    fn taken(&self) -> u64 {
        self.ended + self.rows.iter().map(|row| row.receiver.borrow().taken).sum::<u64>()
    }

    /// Returns how many files are done, or the name of the only one.
    fn what(&self) -> String {
        match self.rows.first() {
            Some(row) if self.files == 1 => text::file(&row.path),
            _ => format!("{} of {} files", self.done, self.files),
        }
    }

    /// Describes the progress in words.
    fn line(&self) -> String {
        let taken = self.taken();
        let mut line = if self.files > 1 { format!("{}, ", self.what()) } else { String::new() };
        line += &text::size(taken);
        if self.total >= taken && self.total > 0 {
            line += &format!(" of {}", text::size(self.total));
        }
        line += " sent";
        if let Some(left) = remaining_time(self.begun.elapsed(), taken, self.total) {
            line += &format!(", about {} left", text::duration(left));
        }
        match self.waiting() {
            none if none.is_empty() => line,
            waiting => format!("{line}; {waiting}"),
        }
    }

    /// Describes the waits.
    fn waiting(&self) -> String {
        let waits = |row: &WaitingRow| {
            Some(format!("{}: {}", text::file(&row.path), countdown(&row.receiver.borrow().waiting?)))
        };
        let mut waiting: Vec<String> = self.rows.iter().filter_map(waits).collect();
        let more = waiting.len().saturating_sub(NAMED);
        waiting.truncate(NAMED);
        if more > 0 {
            waiting.push(format!("{} waiting", text::count(more, "more file")));
        }
        waiting.join("; ")
    }
}

/// Estimates the remaining time at the current average speed.
fn remaining_time(elapsed: Duration, taken: u64, total: u64) -> Option<Duration> {
    #[expect(clippy::cast_precision_loss, reason = "an estimate needs no more precision")]
    let share = total.checked_sub(taken).filter(|_| taken > 0)? as f64 / taken as f64;
    Duration::try_from_secs_f64((elapsed.as_secs_f64() * share).ceil()).ok()
}

/// Describes the remaining wait and its reason.
fn countdown(waiting: &Waiting) -> String {
    let left = waiting.until.saturating_duration_since(Instant::now()).as_secs_f64().ceil();
    format!("waiting {left:.0} s ({}), then attempt {} of {}", waiting.why, waiting.attempt, waiting.attempts)
}

/// Draws the bar of the run, and below it the files that wait.
fn draw(bar: &ProgressBar, tally: &Mutex<ProgressTally>) {
    let (taken, total, what, waiting) = {
        let tally = settled(tally);
        (tally.taken(), tally.total, tally.what(), tally.waiting())
    };
    let template = if total > 0 { KNOWN } else { UNKNOWN };
    bar.set_style(style(&if waiting.is_empty() { template.to_owned() } else { format!("{template}\n{{prefix}}") }));
    bar.set_length(total.max(taken));
    bar.set_message(what);
    bar.set_prefix(waiting);
    bar.set_position(taken);
}

const KNOWN: &str = "{msg}  {wide_bar} {bytes} of {total_bytes}  {bytes_per_sec}  {eta} left";
const UNKNOWN: &str = "{msg}  {spinner} {bytes}  {bytes_per_sec}";

fn style(template: &str) -> ProgressStyle {
    ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::code::Code;

    fn progress(taken: u64, total: u64) -> Progress {
        let mut progress = Progress::default();
        (progress.taken, progress.total) = (taken, Some(total));
        progress
    }

    /// Returns the next line that matches.
    fn wait(lines: &mpsc::Receiver<String>, fits: impl Fn(&str) -> bool) -> String {
        let mut last = String::new();
        loop {
            last = lines.recv_timeout(Duration::from_secs(20)).unwrap_or_else(|_| panic!("no such line: {last}"));
            if fits(&last) {
                return last;
            }
        }
    }

    #[test]
    fn without_a_terminal_a_line_is_written_at_intervals() {
        let (sender, lines) = mpsc::channel();
        let say = move |line: &str| drop(sender.send(line.to_owned()));
        let display = Display::logged(3, 4096, Duration::from_millis(5), Box::new(say));
        assert_eq!(wait(&lines, |_| true), "0 of 3 files, 0 bytes of 4.00 KiB sent");
        let first = display.file("a.csv".as_ref());
        first.send_replace(progress(1024, 2048));
        assert!(wait(&lines, |line| line.contains("1.00 KiB of 4.00 KiB sent, about ")).ends_with(" left"));
        let until = Instant::now() + Duration::from_secs(100);
        let waiting = Waiting { why: Code::Ratelimited, until, attempt: 2, attempts: 5 };
        first.send_modify(|progress| progress.waiting = Some(waiting));
        let line = wait(&lines, |line| line.contains("waiting"));
        assert!(
            line.contains("left; a.csv: waiting ") && line.ends_with(" s (ratelimited), then attempt 2 of 5"),
            "{line}"
        );
        // A finished file counts in full, even if it was aborted.
        drop(first);
        display.done();
        wait(&lines, |line| line.starts_with("1 of 3 files, 2.00 KiB of 4.00 KiB sent"));
        display.end(false);
        // Wait for the thread to end, which drops its sender.
        while lines.recv_timeout(Duration::from_secs(20)).is_ok() {}
        assert_eq!(lines.recv(), Err(mpsc::RecvError));
    }

    #[test]
    fn finished_files_are_not_kept() {
        let display = Display::logged(10_000, 0, LOG_INTERVAL, Box::new(|_| {}));
        for _ in 0..10_000 {
            drop(display.file("none".as_ref()));
        }
        assert!(lock(&display.tally).rows.len() <= 64);
        let open: Vec<_> = (0..200).map(|_| display.file("none".as_ref())).collect();
        assert!(lock(&display.tally).rows.len() >= open.len());
    }

    #[test]
    fn the_remaining_time_is_estimated() {
        let seconds = Duration::from_secs;
        assert_eq!(remaining_time(seconds(10), 100, 400), Some(seconds(30)));
        assert_eq!(remaining_time(seconds(10), 400, 400), Some(seconds(0)));
        assert_eq!((remaining_time(seconds(10), 0, 400), remaining_time(seconds(10), 500, 400)), (None, None));
    }
}
