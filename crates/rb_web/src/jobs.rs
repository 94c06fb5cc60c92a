//! Commands of this program that a page started: each runs as a process of its own, and what it says is shown.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};

use rb_core::Cancel;
use rb_core::process::{Cmd, Exit, Output, ProcessError};

/// How much of what a command says is kept.
const OUTPUT: usize = 4 << 20;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum JobState {
    Running,
    Done { output: String },
    Failed { words: String },
}

/// By what they are about: a run, or a name of the page that started them.
#[derive(Default)]
pub(crate) struct Jobs {
    states: Mutex<BTreeMap<String, JobState>>,
    threads: Mutex<Vec<JoinHandle<()>>>,
    cancel: Cancel,
}

impl Jobs {
    /// Starts the command unless one about the same is still running.
    pub(crate) fn start(self: &Arc<Self>, about: &str, command: Cmd) -> bool {
        let mut states = lock(&self.states);
        if states.get(about) == Some(&JobState::Running) {
            return false;
        }
        states.insert(about.to_owned(), JobState::Running);
        drop(states);
        let (jobs, about) = (Arc::clone(self), about.to_owned());
        let work = move || {
            let ended = command.limit(OUTPUT).run(&jobs.cancel);
            lock(&jobs.states).insert(about, state(ended));
        };
        lock(&self.threads).push(thread::spawn(work));
        true
    }

    pub(crate) fn state(&self, about: &str) -> Option<JobState> {
        lock(&self.states).get(about).cloned()
    }

    /// Ends what is under way. A run that is cut off here can be resumed.
    pub(crate) fn end(&self) {
        self.cancel.cancel();
        let threads = std::mem::take(&mut *lock(&self.threads));
        for thread in threads {
            let _ = thread.join();
        }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn state(ended: Result<Output, ProcessError>) -> JobState {
    let output = match ended {
        Ok(output) => output,
        Err(error) => return JobState::Failed { words: error.to_string() },
    };
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).trim().to_owned();
    let stderr = text(&output.stderr);
    // A run that ends badly is a result, which its page shows. An error is a command that did nothing.
    let error = stderr.find("error: ").filter(|at| *at == 0 || stderr[..*at].ends_with('\n'));
    match (output.exit, error) {
        (Exit::Code(0), _) | (Exit::Code(_), None) => {
            JobState::Done { output: text(&output.stdout) }
        }
        (Exit::Code(_), Some(at)) => JobState::Failed { words: stderr[at..].to_owned() },
        (Exit::Signal(signal), _) => {
            JobState::Failed { words: format!("ended by signal {signal}") }
        }
    }
}
