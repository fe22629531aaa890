//! Reads from a terminal that does not show what is typed.

#[cfg(unix)]
mod unix {
    use std::io;
    use std::sync::{Arc, Mutex};

    use rustix::process::{getpgrp, getsid};
    use rustix::stdio::stdin;
    use rustix::termios::{LocalModes, OptionalActions, SpecialCodeIndex, Termios, tcgetattr, tcsetattr};
    use signal_hook::consts::{SIGCONT, SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGTSTP};
    use signal_hook::iterator::Signals;
    use signal_hook::low_level::emulate_default_handler;
    use zeroize::Zeroizing;

    use crate::shorthand::lock;

    /// A terminal with echo turned off. Dropping it, or a signal that ends or stops the program, discards what was not
    /// read, and turns echo on.
    pub struct EchoOff(State);

    /// The settings to return to, while echo is off.
    type State = Arc<Mutex<Option<Termios>>>;

    impl EchoOff {
        pub fn new() -> io::Result<Self> {
            let before = tcgetattr(stdin())?;
            let state = State::default();
            let signals = Signals::new([SIGCONT, SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGTSTP])?;
            let watched = Arc::clone(&state);
            std::thread::Builder::new().name("terminal".to_owned()).spawn(|| watch(signals, watched))?;
            let mut held = lock(&state);
            turn_echo_off(&before)?;
            *held = Some(before);
            drop(held);
            Ok(Self(state))
        }

        /// Discards the rest of the typed or pasted input, so that a shell does not run it. Returns `true` if it has
        /// more than whitespace.
        pub fn discard_rest() -> io::Result<bool> {
            // Otherwise an incomplete line can't be read, and is left to the shell.
            let mut now = tcgetattr(stdin())?;
            now.local_modes.remove(LocalModes::ICANON);
            now.special_codes[SpecialCodeIndex::VMIN] = 0;
            // In tenths of a second: a terminal passes a long paste on in parts.
            now.special_codes[SpecialCodeIndex::VTIME] = 2;
            tcsetattr(stdin(), OptionalActions::Now, &now)?;
            let (mut bytes, mut more) = (Zeroizing::new([0; 4096]), false);
            loop {
                match rustix::io::read(stdin(), bytes.as_mut_slice())? {
                    0 => return Ok(more),
                    read => more |= !bytes[..read].trim_ascii().is_empty(),
                }
            }
        }
    }

    impl Drop for EchoOff {
        fn drop(&mut self) {
            if let Some(before) = lock(&self.0).take() {
                let _ = tcsetattr(stdin(), OptionalActions::Flush, &before);
            }
        }
    }

    fn turn_echo_off(before: &Termios) -> io::Result<()> {
        let mut quiet = before.clone();
        quiet.local_modes.remove(LocalModes::ECHO);
        // One line at a time, also if a program before has left the terminal in another mode.
        quiet.local_modes.insert(LocalModes::ICANON);
        Ok(tcsetattr(stdin(), OptionalActions::Flush, &quiet)?)
    }

    fn watch(mut signals: Signals, state: State) {
        for signal in signals.forever() {
            // As the system does: the first program of a session can't be continued by anybody.
            if signal == SIGTSTP && getsid(None).is_ok_and(|session| session == getpgrp()) {
                continue;
            }
            let held = lock(&state);
            let Some(before) = &*held else {
                let _ = emulate_default_handler(signal);
                continue;
            };
            if signal == SIGCONT {
                // SIGSTOP gives no notice, and a shell that takes the terminal back turns its own echo on.
                if tcgetattr(stdin()).is_ok_and(|now| now.local_modes.contains(LocalModes::ECHO)) {
                    let _ = turn_echo_off(before);
                }
                continue;
            }
            let _ = tcsetattr(stdin(), OptionalActions::Flush, before);
            let _ = emulate_default_handler(signal);
        }
    }
}

#[cfg(unix)]
pub use unix::EchoOff;

/// On other platforms, values are not read from a terminal that would echo them.
#[cfg(not(unix))]
pub struct EchoOff;

#[cfg(not(unix))]
impl EchoOff {
    pub fn new() -> std::io::Result<Self> {
        Err(std::io::Error::new(std::io::ErrorKind::Unsupported, "pipe the value into the command"))
    }

    pub fn discard_rest() -> std::io::Result<bool> {
        Ok(false)
    }
}
