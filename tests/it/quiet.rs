//! `credlint identify` at a terminal: typed text is not shown or left to the shell, and echo is restored.

use std::fs::File;
use std::io::{Read, Write};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};
use rustix::termios::{LocalModes, tcgetattr};

use crate::harness::{Project, terminal};

const ASKS: &str = "value (it is not shown): ";
const TOKEN: &str = "xoxb-123456789012-1234567890123-AbCdEfGhIjKlMnOpQrStUvWx";

/// A program at a terminal.
struct Session {
    child: Child,
    person: File,
    terminal: File,
    output: Receiver<Vec<u8>>,
    shown: String,
}

impl Session {
    /// Starts a program as the first of a session, whose terminal sends signals to it.
    fn start(project: &Project, words: &[&str]) -> Self {
        let (controller, terminal) = terminal();
        let own = project.command(&[]);
        let mut command = Command::new("setsid");
        command.arg("--ctty").args(words).env_clear().current_dir(project.path());
        command.envs(own.get_envs().filter_map(|(name, value)| Some((name, value?))));
        command.env("CREDLINT", own.get_program()).env("PATH", "/usr/bin:/bin");
        let end = || Stdio::from(terminal.try_clone().unwrap());
        let child = command.stdin(end()).stdout(end()).stderr(end()).spawn().unwrap();
        let person = File::from(controller);
        let mut reader = person.try_clone().unwrap();
        let (send, output) = channel();
        std::thread::spawn(move || {
            let mut part = [0; 4096];
            while let Ok(len @ 1..) = reader.read(&mut part) {
                if send.send(part[..len].to_vec()).is_err() {
                    break;
                }
            }
        });
        Self { child, person, terminal, output, shown: String::new() }
    }

    fn identify(project: &Project) -> Self {
        let mut session = Self::start(project, &[env!("CARGO_BIN_EXE_credlint"), "identify"]);
        session.wait_for(ASKS);
        assert!(!session.echoes());
        session
    }

    /// Starts a shell with job control.
    fn shell(project: &Project) -> Self {
        let mut session = Self::start(project, &["bash", "--norc", "--noprofile", "-i"]);
        session.send("set +o emacs; PS1='ready> '\n");
        session.wait_for("ready> ");
        session
    }

    fn send(&mut self, text: &str) {
        self.person.write_all(text.as_bytes()).unwrap();
    }

    /// Waits until a text was shown, and forgets what was shown before.
    fn wait_for(&mut self, text: &str) -> String {
        let end = Instant::now() + Duration::from_secs(20);
        loop {
            if let Some(at) = self.shown.find(text) {
                let rest = self.shown.split_off(at + text.len());
                return std::mem::replace(&mut self.shown, rest);
            }
            let left = end.saturating_duration_since(Instant::now());
            let part = self.output.recv_timeout(left).unwrap_or_else(|_| panic!("no {text:?}: {:?}", self.shown));
            self.shown.push_str(&String::from_utf8_lossy(&part));
        }
    }

    fn echoes(&self) -> bool {
        tcgetattr(&self.terminal).unwrap().local_modes.contains(LocalModes::ECHO)
    }

    fn wait_until(&self, holds: impl Fn(&Self) -> bool) {
        let end = Instant::now() + Duration::from_secs(20);
        while !holds(self) {
            assert!(Instant::now() < end, "{:?}", self.shown);
            std::thread::sleep(Duration::from_millis(5));
        }
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn more_than_two_lines_are_not_left_to_the_shell() {
    for (paste, says, code) in [
        ("{a}\n{a}\ntouch pwned\n", "lines were pasted", 2),
        ("{a}\n{a}\ntouch pwned", "lines were pasted", 2),
        ("{a}\n\n{a}\ntouch pwned\n", "lines were pasted", 2),
        ("{a}\n{a}\n\n", "the two are the same value", 1),
        ("{a}\n\n", "a bot token", 0),
    ] {
        let project = Project::new();
        let mut shell = Session::shell(&project);
        shell.send("$CREDLINT identify; echo code $?\n");
        shell.wait_for(ASKS);
        shell.send(&paste.replace("{a}", TOKEN));
        let shown = shell.wait_for("\ncode ");
        assert!(shown.contains(says), "{paste:?} {shown}");
        shell.send("\necho en''d\n");
        let after = shell.wait_for("end\r\n");
        assert!(after.starts_with(&format!("{code}\r")), "{paste:?} {after}");
        assert!(!after.contains("touch") && !shown.contains("touch"), "{paste:?} {shown} {after}");
        assert!(!project.path().join("pwned").exists() && !(shown + &after).contains(&TOKEN[40..]), "{paste:?}");
        shell.send("echo $((6 * 7)); history\n");
        let history = shell.wait_for("history\r\n");
        assert!(!history.contains("touch"), "{history}");
        assert!(shell.echoes());
    }
}

#[test]
fn signal_restores_terminal() {
    use std::os::unix::process::ExitStatusExt;
    let project = Project::new();
    for signal in [Signal::INT, Signal::QUIT, Signal::TERM, Signal::HUP] {
        let mut session = Session::identify(&project);
        session.send(&TOKEN[..20]);
        kill_process(Pid::from_child(&session.child), signal).unwrap();
        let status = session.child.wait().unwrap();
        assert_eq!(status.signal(), Some(signal.as_raw()));
        assert!(session.echoes(), "{signal:?}");
    }
    for (key, signal) in [("\u{3}", Signal::INT), ("\u{1c}", Signal::QUIT)] {
        let mut session = Session::identify(&project);
        session.send(TOKEN);
        session.send(key);
        assert_eq!(session.child.wait().unwrap().signal(), Some(signal.as_raw()));
        assert!(session.echoes(), "{signal:?}");
    }
    // The first program of a session is not stopped, because it could not be continued.
    let mut session = Session::identify(&project);
    session.send("\u{1a}");
    session.send(&format!("{TOKEN}\n\n"));
    session.wait_for("a bot token");
    assert!(session.child.wait().unwrap().success() && session.echoes());
}

#[test]
fn stopped_program_restores_echo() {
    let project = Project::new();
    for stop in ["\u{1a}", "TSTP", "STOP"] {
        let mut shell = Session::shell(&project);
        shell.send("$CREDLINT identify & echo pid $! .\n");
        shell.wait_for("\npid ");
        let pid = shell.wait_for(" .").trim_end_matches(" .").parse().unwrap();
        // In the background it is stopped, since it may not change the terminal. `fg` does not continue a program of
        // whose stop the shell does not know yet.
        shell.wait_for("ready> ");
        shell.send("until jobs %1 | grep -q Stopp''ed; do sleep 0.02; done; fg\n");
        shell.wait_for(ASKS);
        shell.wait_until(|shell| !shell.echoes());
        // No program learns of SIGSTOP before it stops: what was typed before is the shell's.
        if stop != "STOP" {
            shell.send(&TOKEN[..30]);
        }
        let signal = match stop {
            "TSTP" => Some(Signal::TSTP),
            "STOP" => Some(Signal::STOP),
            _ => None,
        };
        if let Some(signal) = signal {
            // The kernel passes typed text on after some time, without a signal.
            std::thread::sleep(Duration::from_millis(300));
            kill_process(Pid::from_raw(pid).unwrap(), signal).unwrap();
        } else {
            shell.send(stop);
        }
        shell.wait_for("Stopped");
        shell.wait_for("ready> ");
        shell.wait_until(Session::echoes);
        shell.send("echo en''d\n");
        let shown = shell.wait_for("end\r\n");
        assert!(!shown.contains("xoxb"), "{shown}");
        shell.send("fg; echo code $?\n");
        shell.wait_until(|shell| !shell.echoes());
        shell.send(&format!("{TOKEN}\n\n"));
        let shown = shell.wait_for("code 0");
        assert!(shown.contains("a bot token") && !shown.contains("xoxb-"), "{shown}");
        shell.wait_until(Session::echoes);
    }
}
