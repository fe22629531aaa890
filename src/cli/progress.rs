//! How far an upload is: drawn for somebody who watches, a line now and then where nobody does. Kept by a thread of its
//! own: a terminal that takes nothing holds up no upload.

use std::path::{Path, PathBuf};
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use indicatif::{MultiProgress, ProgressBar, ProgressDrawTarget, ProgressStyle};
use tokio::sync::watch;

use crate::text;
use crate::upload::{Progress, Waiting};

/// More files than these are not shown one by one.
const ROWS: usize = 8;
/// More than these that wait are counted.
const NAMED: usize = 3;
/// How often what is drawn is drawn again.
const DRAWN_EVERY: Duration = Duration::from_millis(200);
/// How often a line is written where nobody watches: often enough to see that it goes on, and no log is filled.
pub const SAID_EVERY: Duration = Duration::from_secs(30);

/// The display of one run.
pub struct Display {
    tally: Arc<Mutex<Tally>>,
    stop: Option<Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

/// Where a line goes.
type Say = Box<dyn Fn(&str) + Send>;

impl Display {
    /// Draws bars on standard error.
    pub fn drawn(files: usize, bytes: u64) -> Self {
        #[expect(
            clippy::disallowed_methods,
            reason = "what is drawn is ours, but for names of files, which are escaped"
        )]
        let all = MultiProgress::with_draw_target(ProgressDrawTarget::stderr());
        let mut bars = Bars::new(all, files);
        Self::start(Tally::new(files, bytes), DRAWN_EVERY, move |tally| match tally {
            Some(tally) => bars.draw(tally),
            None => bars.clear(),
        })
    }

    /// Hands in a line every so often.
    pub fn said(files: usize, bytes: u64, every: Duration, say: Say) -> Self {
        Self::start(Tally::new(files, bytes), every, move |tally| {
            // The lock is not held while somebody reads.
            let line = tally.map(|mut tally| {
                tally.settle();
                tally.line()
            });
            if let Some(line) = line {
                say(&line);
            }
        })
    }

    /// Shows it every so often; at the end once more, with nothing.
    fn start(
        tally: Tally,
        every: Duration,
        mut show: impl FnMut(Option<MutexGuard<'_, Tally>>) + Send + 'static,
    ) -> Self {
        let tally = Arc::new(Mutex::new(tally));
        let (stop, stopped) = mpsc::channel::<()>();
        let shown = Arc::clone(&tally);
        let keep = move || {
            while stopped.recv_timeout(every) == Err(RecvTimeoutError::Timeout) {
                show(Some(lock(&shown)));
            }
            show(None);
        };
        // Without a thread nothing is shown, and the files are sent all the same.
        let thread = std::thread::Builder::new().name("progress".to_owned()).spawn(keep).ok();
        Self { tally, stop: Some(stop), thread }
    }

    /// Shows how far a file is, until the sender is dropped.
    pub fn file(&self, path: &Path) -> watch::Sender<Progress> {
        let (sender, receiver) = watch::channel(Progress::default());
        let mut tally = lock(&self.tally);
        // What has ended since the last look is not kept until the next.
        if tally.rows.len() >= tally.room {
            tally.settle();
            tally.room = 64.max(2 * tally.rows.len());
        }
        tally.rows.push(Row { path: path.to_owned(), receiver, bar: None });
        sender
    }

    /// Another file is done.
    pub fn done(&self) {
        lock(&self.tally).done += 1;
    }

    /// Shows nothing more. What was drawn is gone after that.
    pub fn end(mut self, drawn: bool) {
        drop(self.stop.take());
        // Lines may have no reader, who would be waited for.
        if drawn && let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

fn lock(tally: &Mutex<Tally>) -> MutexGuard<'_, Tally> {
    tally.lock().unwrap_or_else(PoisonError::into_inner)
}

/// How far all of it is.
struct Tally {
    begun: Instant,
    files: usize,
    done: usize,
    /// Bytes of the files that have ended.
    ended: u64,
    /// Bytes of all files, as they were found.
    total: u64,
    rows: Vec<Row>,
    /// So many rows, and those that have ended are taken out.
    room: usize,
}

/// A file that is under way.
struct Row {
    path: PathBuf,
    receiver: watch::Receiver<Progress>,
    bar: Option<ProgressBar>,
}

impl Tally {
    fn new(files: usize, bytes: u64) -> Self {
        Self { begun: Instant::now(), files, done: 0, ended: 0, total: bytes, rows: Vec::new(), room: 64 }
    }

    /// Takes out what has ended. Each counts as whole then, whatever became of it: nothing of it is still to come.
    fn settle(&mut self) {
        let mut ended = 0;
        self.rows.retain(|row| {
            // Only a sender that was dropped is an error.
            let open = row.receiver.has_changed().is_ok();
            if !open {
                let Progress { taken, total, .. } = *row.receiver.borrow();
                let len = || std::fs::metadata(&row.path).map_or(0, |meta| meta.len());
                ended += total.map_or_else(|| taken.max(len()), |total| total.max(taken));
                row.bar.iter().for_each(ProgressBar::finish_and_clear);
            }
            open
        });
        self.ended += ended;
    }

    fn taken(&self) -> u64 {
        self.ended + self.rows.iter().map(|row| row.receiver.borrow().taken).sum::<u64>()
    }

    /// How far it is, in words.
    fn line(&self) -> String {
        let taken = self.taken();
        let mut line = if self.files > 1 { format!("{} of {} files, ", self.done, self.files) } else { String::new() };
        line += &text::size(taken);
        if self.total >= taken && self.total > 0 {
            line += &format!(" of {}", text::size(self.total));
        }
        line += " sent";
        if let Some(left) = left(self.begun.elapsed(), taken, self.total) {
            line += &format!(", about {} left", text::duration(left));
        }
        let waits = |row: &Row| row.receiver.borrow().waiting.map(|waiting| (text::file(&row.path), waiting));
        let waiting: Vec<_> = self.rows.iter().filter_map(waits).collect();
        for (name, waiting) in waiting.iter().take(NAMED) {
            line += &format!("; {name}: {}", countdown(waiting));
        }
        match waiting.len().saturating_sub(NAMED) {
            0 => {}
            more => line += &format!("; {} waiting", text::count(more, "more file")),
        }
        line
    }
}

/// How long it takes still, as fast as it was so far.
fn left(elapsed: Duration, taken: u64, total: u64) -> Option<Duration> {
    #[expect(clippy::cast_precision_loss, reason = "nobody reads an estimate that closely")]
    let share = total.checked_sub(taken).filter(|_| taken > 0)? as f64 / taken as f64;
    Duration::try_from_secs_f64((elapsed.as_secs_f64() * share).ceil()).ok()
}

/// How long it waits still, and for what.
fn countdown(waiting: &Waiting) -> String {
    let left = waiting.until.saturating_duration_since(Instant::now()).as_secs_f64().ceil();
    format!("waiting {left:.0} s ({}), then attempt {} of {}", waiting.why, waiting.attempt, waiting.attempts)
}

/// What is drawn: how far the whole is, and under it the files that are under way.
struct Bars {
    all: MultiProgress,
    /// The whole, if there is more than one file.
    whole: Option<ProgressBar>,
}

impl Bars {
    fn new(all: MultiProgress, files: usize) -> Self {
        let whole = (files > 1).then(|| all.add(ProgressBar::new(0).with_style(style(WHOLE))));
        Self { all, whole }
    }

    fn draw(&mut self, mut tally: MutexGuard<'_, Tally>) {
        tally.settle();
        if let Some(whole) = &self.whole {
            let taken = tally.taken();
            whole.set_length(tally.total.max(taken));
            whole.set_message(format!("{} of {} files", tally.done, tally.files));
            whole.set_position(taken);
        }
        let mut shown = tally.rows.iter().filter(|row| row.bar.is_some()).count();
        for row in &mut tally.rows {
            if row.bar.is_none() && shown < ROWS {
                shown += 1;
                row.bar = Some(self.all.add(ProgressBar::no_length().with_style(style(UNKNOWN))));
            }
            let Some(bar) = &row.bar else { continue };
            let Progress { taken, total, waiting, .. } = *row.receiver.borrow();
            if bar.length() != total {
                bar.set_style(style(if total.is_some() { KNOWN } else { UNKNOWN }));
                bar.set_length(total.unwrap_or(0));
            }
            let name = text::file(&row.path);
            bar.set_position(taken);
            bar.set_message(waiting.map_or_else(|| name.clone(), |waiting| format!("{name}  {}", countdown(&waiting))));
        }
    }

    fn clear(&self) {
        self.whole.iter().for_each(ProgressBar::finish_and_clear);
        let _ = self.all.clear();
    }
}

const WHOLE: &str = "{msg}  {wide_bar} {bytes} of {total_bytes}  {bytes_per_sec}  {eta} left";
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

    /// The next line that fits.
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
    fn where_nobody_watches_a_line_is_written_every_so_often() {
        let (sender, lines) = mpsc::channel();
        let say = move |line: &str| drop(sender.send(line.to_owned()));
        let display = Display::said(3, 4096, Duration::from_millis(5), Box::new(say));
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
        // What has ended counts as whole, though it was given up.
        drop(first);
        display.done();
        wait(&lines, |line| line.starts_with("1 of 3 files, 2.00 KiB of 4.00 KiB sent"));
        display.end(false);
        // The thread ends, and with it what it says it with.
        while lines.recv_timeout(Duration::from_secs(20)).is_ok() {}
        assert_eq!(lines.recv(), Err(mpsc::RecvError));
    }

    #[test]
    fn what_has_ended_is_not_kept() {
        let display = Display::said(10_000, 0, SAID_EVERY, Box::new(|_| {}));
        for _ in 0..10_000 {
            drop(display.file("none".as_ref()));
        }
        assert!(lock(&display.tally).rows.len() <= 64);
        let open: Vec<_> = (0..200).map(|_| display.file("none".as_ref())).collect();
        assert!(lock(&display.tally).rows.len() >= open.len());
    }

    #[test]
    fn what_is_left_is_estimated_by_what_was() {
        let seconds = Duration::from_secs;
        assert_eq!(left(seconds(10), 100, 400), Some(seconds(30)));
        assert_eq!(left(seconds(10), 400, 400), Some(seconds(0)));
        assert_eq!((left(seconds(10), 0, 400), left(seconds(10), 500, 400)), (None, None));
    }
}
