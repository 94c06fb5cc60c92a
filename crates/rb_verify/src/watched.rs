//! A command is watched while it runs: whoever looks on sees its last line and how long it took the last time, and a runner that has
//! written its report and does not end is ended.

use std::path::PathBuf;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use rb_core::{Cancel, Interrupted, Progress, fs};
use rb_sandbox::{Job, Ran, SandboxError};

use crate::verifier::Verifier;

/// What a watcher knows of a command.
pub(crate) struct Watched<'w> {
    /// How long it took the last time.
    pub(crate) took: Option<Duration>,
    /// Whether it has written all of its report.
    pub(crate) is_complete: &'w dyn Fn() -> bool,
}

/// How often it is looked at.
const PAUSE: Duration = Duration::from_millis(500);

/// Silence that is worth telling.
const SILENCE: Duration = Duration::from_mins(1);

pub(crate) fn run(
    verifier: &Verifier,
    job: &Job,
    watched: &Watched<'_>,
) -> Result<Ran, SandboxError> {
    let enough = Cancel::new();
    let grace = Duration::from_secs(verifier.options.report_grace_s);
    let mut seen = OutputState::new(job, watched.took);
    seen.tell(&*verifier.progress);
    let (sandbox, cancel, stop) = (&verifier.sandbox, &verifier.cancel, &enough);
    thread::scope(|scope| {
        let (sender, receiver) = mpsc::channel();
        scope.spawn(move || {
            let _ = sender.send(sandbox.run_until(job, cancel, stop));
        });
        loop {
            match receiver.recv_timeout(PAUSE) {
                Ok(ran) => return ran,
                Err(RecvTimeoutError::Timeout) => {
                    seen.look();
                    seen.tell(&*verifier.progress);
                    if seen.quiet >= grace && (watched.is_complete)() {
                        enough.cancel();
                    }
                }
                // The thread panicked, which the scope passes on.
                Err(RecvTimeoutError::Disconnected) => {
                    return Err(SandboxError::Cancelled(Interrupted));
                }
            }
        }
    })
}

/// What was seen of the outputs.
struct OutputState {
    outputs: [PathBuf; 2],
    sizes: [u64; 2],
    line: String,
    /// How long nothing was printed.
    quiet: Duration,
    took: Option<Duration>,
}

impl OutputState {
    fn new(job: &Job, took: Option<Duration>) -> OutputState {
        let outputs = ["stdout", "stderr"].map(|name| {
            let mut path = job.log.clone().into_os_string();
            path.push(format!(".{name}"));
            PathBuf::from(path)
        });
        OutputState { outputs, sizes: [0; 2], line: String::new(), quiet: Duration::ZERO, took }
    }

    fn look(&mut self) {
        self.quiet += PAUSE;
        for (output, size) in self.outputs.iter().zip(&mut self.sizes) {
            let now = output.metadata().map_or(0, |meta| meta.len());
            if now == *size {
                continue;
            }
            (*size, self.quiet) = (now, Duration::ZERO);
            let tail = fs::read_tail(output, TAIL).unwrap_or_default();
            let text = String::from_utf8_lossy(&tail);
            let text = rb_reports::without_colors(&text);
            if let Some(line) = text.lines().rev().map(str::trim).find(|line| !line.is_empty()) {
                line.clone_into(&mut self.line);
            }
        }
    }

    fn tell(&self, progress: &dyn Progress) {
        progress.detail(&self.words());
    }

    /// `(about 40 s) ok lib/a.test.js`.
    fn words(&self) -> String {
        let took = self.took.filter(|took| took.as_secs() > 0);
        let took = took.map(|took| format!("(about {}) ", length(took))).unwrap_or_default();
        if self.quiet >= SILENCE {
            format!("{took}no output for {}", length(self.quiet))
        } else {
            format!("{took}{}", self.line)
        }
    }
}

/// How much of an output is searched for its last line.
const TAIL: u64 = 2048;

fn length(time: Duration) -> String {
    match time.as_secs() {
        seconds @ 0..120 => format!("{seconds} s"),
        seconds => format!("{} min", seconds / 60),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ve2_whoever_looks_on_sees_the_last_line_and_what_it_took() {
        let check = |line: &str, quiet: u64, took: Option<u64>, expected: &str| {
            let seen = OutputState {
                outputs: [PathBuf::new(), PathBuf::new()],
                sizes: [0; 2],
                line: line.to_owned(),
                quiet: Duration::from_secs(quiet),
                took: took.map(Duration::from_millis),
            };
            assert_eq!(seen.words(), expected);
        };
        check("", 0, None, "");
        check("ok a", 3, None, "ok a");
        check("ok a", 3, Some(40_500), "(about 40 s) ok a");
        check("ok a", 3, Some(20), "ok a");
        check("ok a", 61, Some(600_000), "(about 10 min) no output for 61 s");
        check("", 180, None, "no output for 3 min");
    }
}
