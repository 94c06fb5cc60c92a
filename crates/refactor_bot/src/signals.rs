//! Ctrl-C and its relatives. The first asks the work to stop at the next safe place, the second ends the
//! program at once; both are safe, because a run can be killed at any instant and resumed.

use std::io::{self, Read as _};
use std::os::unix::net::UnixStream;
use std::thread::{self, JoinHandle};

use rb_core::Cancel;
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::{flag, low_level};

use crate::error::{CliError, ErrorKind};
use crate::ui::Ui;

/// The thread that tells the person that the signal was heard.
pub(crate) struct Listener {
    cancel: Cancel,
    thread: JoinHandle<()>,
}

impl Listener {
    /// Lets it finish its sentence before the program ends.
    pub(crate) fn finish(self) {
        if self.cancel.is_cancelled() {
            let _ = self.thread.join();
        }
    }
}

/// Registers the handlers. They only set flags and wake a thread, which does the talking.
pub(crate) fn install(cancel: &Cancel, ui: &Ui) -> Result<Listener, CliError> {
    register(cancel, ui.clone()).map_err(|error| CliError::new(ErrorKind::Environment, error))
}

fn register(cancel: &Cancel, ui: Ui) -> io::Result<Listener> {
    let (mut woken, waker) = UnixStream::pair()?;
    let interrupted = i32::from(ErrorKind::Interrupted.exit_code());
    for signal in [SIGINT, SIGTERM, SIGHUP] {
        // In this order: the first signal finds the flag down and raises it.
        flag::register_conditional_shutdown(signal, interrupted, cancel.flag())?;
        flag::register(signal, cancel.flag())?;
        low_level::pipe::register(signal, waker.try_clone()?)?;
    }
    let thread = thread::spawn(move || {
        // At a question the program ends at once, and says how to continue.
        if woken.read_exact(&mut [0]).is_ok() && !ui.is_asking() {
            ui.note("stopping after this step; press Ctrl-C again to stop at once");
        }
    });
    Ok(Listener { cancel: cancel.clone(), thread })
}
