//! Commands of this program that a page started: each runs as a process of its own, and what it says is shown.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};

use rb_core::clock::{self, Timestamp};
use rb_core::process::{Cmd, Exit, Output, ProcessError};
use rb_core::{Cancel, RunId};

/// How much of what a command says is kept while it runs.
const OUTPUT: usize = 4 << 20;
/// How much of an error is shown.
const WORDS: usize = 8000;
/// Commands that have ended and are still known.
const ENDED: usize = 20;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum JobState {
    Running,
    Done { output: Arc<str> },
    Failed { words: Arc<str>, at: Timestamp },
}

/// What became of the wish to start a command.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Started {
    Now(JobId),
    /// The same command is under way.
    Already(JobId),
    /// Another command about the same run is under way.
    Busy,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct JobId(u64);

struct Job {
    id: JobId,
    /// The run that it is about. That of a start is known once the command has said it.
    run: Option<RunId>,
    args: Vec<String>,
    state: JobState,
}

#[derive(Default)]
pub(crate) struct Jobs {
    /// Oldest first.
    all: Mutex<Vec<Job>>,
    threads: Mutex<Vec<JoinHandle<()>>>,
    next: AtomicU64,
    cancel: Cancel,
}

impl Jobs {
    /// Starts the command, unless it or another one about the run is under way. Without a run, it begins one.
    pub(crate) fn start(
        self: &Arc<Self>,
        run: Option<&RunId>,
        args: &[&str],
        command: Cmd,
    ) -> Started {
        let id = JobId(self.next.fetch_add(1, Ordering::Relaxed));
        let mut all = lock(&self.all);
        for job in all.iter().filter(|job| job.state == JobState::Running) {
            match (job.args == args, run.is_some() && job.run.as_ref() == run) {
                (true, _) => return Started::Already(job.id),
                (false, true) => return Started::Busy,
                (false, false) => {}
            }
        }
        let args = args.iter().map(|&arg| arg.to_owned()).collect();
        all.push(Job { id, run: run.cloned(), args, state: JobState::Running });
        drop(all);
        let jobs = Arc::clone(self);
        let mut threads = lock(&self.threads);
        threads.retain(|thread| !thread.is_finished());
        threads.push(thread::spawn(move || jobs.carry_out(id, command)));
        Started::Now(id)
    }

    fn carry_out(&self, id: JobId, command: Cmd) {
        let mut has_run = false;
        let mut hear = |stderr: &[u8]| {
            if !has_run && let Some(run) = run_of(stderr) {
                has_run = true;
                self.change(id, |job| job.run = job.run.take().or(Some(run)));
            }
        };
        let ended = command.limit(OUTPUT).run_heard(&self.cancel, &mut hear);
        if let Ok(output) = &ended {
            hear(&output.stderr);
        }
        let state = state(ended);
        self.change(id, |job| {
            job.state = match state {
                // The run has it, too.
                JobState::Done { .. } if job.run.is_some() => JobState::Done { output: "".into() },
                state => state,
            };
        });
        self.forget();
    }

    fn change(&self, id: JobId, change: impl FnOnce(&mut Job)) {
        if let Some(job) = lock(&self.all).iter_mut().find(|job| job.id == id) {
            change(job);
        }
    }

    /// Drops the oldest of those that have ended.
    fn forget(&self) {
        let mut all = lock(&self.all);
        let is_ended = |job: &Job| job.state != JobState::Running;
        let mut extra = all.iter().filter(|job| is_ended(job)).count().saturating_sub(ENDED);
        all.retain(|job| {
            let goes = extra > 0 && is_ended(job);
            extra -= usize::from(goes);
            !goes
        });
    }

    /// Of the last command about the run.
    pub(crate) fn of_run(&self, run: &RunId) -> Option<JobState> {
        let all = lock(&self.all);
        let job = all.iter().rev().find(|job| job.run.as_ref() == Some(run));
        job.map(|job| job.state.clone())
    }

    pub(crate) fn is_running(&self, run: &RunId) -> bool {
        self.of_run(run) == Some(JobState::Running)
    }

    /// Whether the last command about the run was this one, and did not fail.
    pub(crate) fn has_done(&self, run: &RunId, args: &[&str]) -> bool {
        let all = lock(&self.all);
        let last = all.iter().rev().find(|job| job.run.as_ref() == Some(run));
        last.is_some_and(|job| job.args == args && matches!(job.state, JobState::Done { .. }))
    }

    /// The run that the command is about, and how far the command is. `None` once it is forgotten.
    pub(crate) fn get(&self, id: JobId) -> Option<(Option<RunId>, JobState)> {
        let all = lock(&self.all);
        let job = all.iter().find(|job| job.id == id);
        job.map(|job| (job.run.clone(), job.state.clone()))
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

/// The run that a command with `--verbose` begins, in a line of its own. It comes early.
fn run_of(stderr: &[u8]) -> Option<RunId> {
    let text = String::from_utf8_lossy(&stderr[..stderr.len().min(64 << 10)]);
    let whole = &text[..text.rfind('\n')?];
    whole.lines().find_map(|line| line.strip_prefix("run ")?.parse().ok())
}

fn state(ended: Result<Output, ProcessError>) -> JobState {
    let failed = |words: &str| {
        let words: String = words.chars().take(WORDS).collect();
        JobState::Failed { words: words.into(), at: clock::now() }
    };
    let output = match ended {
        Ok(output) => output,
        Err(error) => return failed(&error.to_string()),
    };
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).trim().to_owned();
    let stderr = text(&output.stderr);
    // A run that ends badly is a result, which its page shows. An error is a command that did nothing.
    let error = stderr.find("error: ").filter(|at| *at == 0 || stderr[..*at].ends_with('\n'));
    match (output.exit, error) {
        (Exit::Code(0), _) | (Exit::Code(_), None) => {
            JobState::Done { output: text(&output.stdout).into() }
        }
        (Exit::Code(_), Some(at)) => failed(&stderr[at..]),
        (Exit::Signal(signal), _) => failed(&format!("ended by signal {signal}")),
    }
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use rb_core::fs::{self, Durability};
    use rb_core::process::Env;

    use super::*;

    const RUN: &str = "20260131T120000Z";

    fn shell(script: &str) -> Cmd {
        let env = Env::default().with("PATH", "/usr/bin:/bin");
        Cmd::new("sh", &env).args(["-c", script])
    }

    fn until<T>(mut look: impl FnMut() -> Option<T>) -> T {
        let deadline = Instant::now() + Duration::from_mins(1);
        loop {
            if let Some(found) = look() {
                return found;
            }
            assert!(Instant::now() < deadline, "it did not come");
            thread::yield_now();
        }
    }

    fn started(started: Started) -> JobId {
        let Started::Now(id) = started else { panic!("{started:?}") };
        id
    }

    fn ended(jobs: &Jobs, id: JobId) -> JobState {
        until(|| jobs.get(id).map(|(_, state)| state).filter(|state| *state != JobState::Running))
    }

    #[test]
    fn ux4_a_start_belongs_to_the_run_that_it_names_and_blocks_no_other() {
        let (jobs, dir) = (Arc::new(Jobs::default()), tempfile::tempdir().unwrap());
        let go = dir.path().join("go");
        let script = format!(
            "echo 'run {RUN}' >&2; while [ ! -e {} ]; do sleep 0.01; done; echo 'error: no' >&2; exit 1",
            go.display()
        );
        let id = started(jobs.start(None, &["run", "."], shell(&script)));
        let other = started(jobs.start(None, &["ask", "."], shell("echo said")));
        let run = until(|| jobs.get(id).unwrap().0);
        assert_eq!(run.as_str(), RUN);
        assert_eq!(jobs.start(None, &["run", "."], shell("exit 0")), Started::Already(id));
        assert_eq!(jobs.start(Some(&run), &["accept"], shell("exit 0")), Started::Busy);
        assert_eq!(ended(&jobs, other), JobState::Done { output: "said".into() });
        fs::write(&go, b"", Durability::Relaxed).unwrap();
        ended(&jobs, id);
        // It failed after it had begun: the page of the run shows why.
        let Some(JobState::Failed { words, .. }) = jobs.of_run(&run) else { panic!("not failed") };
        assert_eq!(&*words, "error: no");
    }

    #[test]
    fn ux4_what_was_carried_out_is_known_and_only_the_last_ones_are_kept() {
        let jobs = Arc::new(Jobs::default());
        let run: RunId = RUN.parse().unwrap();
        ended(&jobs, started(jobs.start(Some(&run), &["accept"], shell("exit 0"))));
        assert!(jobs.has_done(&run, &["accept"]));
        assert!(!jobs.has_done(&run, &["reject"]));
        let failing = "echo 'error: no' >&2; exit 1";
        ended(&jobs, started(jobs.start(Some(&run), &["accept"], shell(failing))));
        assert!(!jobs.has_done(&run, &["accept"]), "the last one failed");
        for _ in 0..ENDED {
            ended(&jobs, started(jobs.start(None, &["ask"], shell("exit 0"))));
        }
        until(|| (lock(&jobs.all).len() <= ENDED).then_some(()));
        assert_eq!(jobs.of_run(&run), None);
        assert!(lock(&jobs.threads).len() <= 2, "threads that have ended are let go");
    }

    #[test]
    fn ux4_only_a_whole_line_names_a_run() {
        let named = |text: &str| run_of(text.as_bytes()).map(|run| run.to_string());
        assert_eq!(named(&format!("warning: x\nrun {RUN}\nrun 20270131T120000Z\n")).unwrap(), RUN);
        for text in ["", "run 2026", "run 20260131T12000", "runs\n", "run nothing\n"] {
            assert_eq!(named(text), None, "{text}");
        }
        // More digits may follow, as in `20260131T120000Z-2`.
        assert_eq!(named(&format!("run {RUN}")), None);
    }
}
