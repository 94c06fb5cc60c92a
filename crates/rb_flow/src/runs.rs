//! The folders of runs below the home, and the lock that says who works on one.

use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

use rb_core::clock::Timestamp;
use rb_core::fs::{self, FsError, Lock};
use rb_core::{Home, RunId};
use thiserror::Error;

/// A run that this process alone works on.
#[derive(Debug)]
pub struct Run {
    pub id: RunId,
    pub dir: RunDir,
    _lock: Lock,
}

/// The folder of a run, and where in it the files are that every run has.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RunDir(PathBuf);

impl RunDir {
    pub fn new(home: &Home, id: &RunId) -> RunDir {
        RunDir(home.run(id))
    }

    pub fn path(&self) -> &Path {
        &self.0
    }

    /// A file or folder by its name.
    pub fn join(&self, name: impl AsRef<Path>) -> PathBuf {
        self.0.join(name)
    }

    pub fn journal(&self) -> PathBuf {
        self.join("journal.jsonl")
    }

    pub fn lock(&self) -> PathBuf {
        self.join("lock")
    }

    /// The picture of the state, for whoever looks.
    pub fn state(&self) -> PathBuf {
        self.join("state.json")
    }

    /// The answers of models, one file each.
    pub fn answers(&self) -> PathBuf {
        self.join("answers")
    }

    /// What each agent was sent and answered, for people: a folder per agent.
    pub fn transcripts(&self) -> PathBuf {
        self.join("transcripts")
    }

    /// The random part of the marks around foreign text in its prompts.
    pub fn fence(&self) -> PathBuf {
        self.join("fence")
    }

    pub fn report(&self) -> PathBuf {
        self.join("report")
    }
}

/// Whoever looks whether a run is busy has its lock for an instant. A process that works on it has it for longer than this.
const LOOK_ENDS: Duration = Duration::from_millis(500);
const BETWEEN_TRIES: Duration = Duration::from_millis(5);

#[derive(Debug, Error)]
pub enum RunsError {
    #[error("there is no run {0}")]
    Unknown(RunId),
    #[error("another process is working on run {0}")]
    Busy(RunId),
    #[error("another process is landing or rolling back in {}", .0.display())]
    RepoBusy(PathBuf),
    #[error(transparent)]
    Fs(#[from] FsError),
}

impl Run {
    /// Takes the first name for a run at `at` that is neither used nor, by `taken`, unfit.
    pub fn create<E: From<RunsError>>(
        home: &Home,
        at: Timestamp,
        mut taken: impl FnMut(&RunId) -> Result<bool, E>,
    ) -> Result<Run, E> {
        let fs_error = |error: FsError| E::from(RunsError::from(error));
        fs::create_dir_all(&home.runs()).map_err(fs_error)?;
        for nth in 1.. {
            let id = RunId::candidate(at, nth);
            // A used name is passed over by looking; only of two that come at once does making it decide.
            if home.run(&id).exists()
                || taken(&id)?
                || !fs::create_dir_new(&home.run(&id)).map_err(fs_error)?
            {
                continue;
            }
            return Run::lock(home, id).map_err(E::from);
        }
        unreachable!("the loop ends only by returning")
    }

    /// Opens a run that exists. Exactly one process at a time can hold it.
    pub fn open(home: &Home, id: RunId) -> Result<Run, RunsError> {
        if !home.run(&id).is_dir() {
            return Err(RunsError::Unknown(id));
        }
        Run::lock(home, id)
    }

    fn lock(home: &Home, id: RunId) -> Result<Run, RunsError> {
        let dir = RunDir::new(home, &id);
        let until = Instant::now() + LOOK_ENDS;
        loop {
            if let Some(lock) = fs::try_lock(&dir.lock())? {
                return Ok(Run { id, dir, _lock: lock });
            }
            if Instant::now() >= until {
                return Err(RunsError::Busy(id));
            }
            thread::sleep(BETWEEN_TRIES);
        }
    }
}

/// Keeps others from writing into the same checkout. `name` tells repositories apart, `root` is for the
/// message.
pub fn lock_repo(home: &Home, name: &str, root: &Path) -> Result<Lock, RunsError> {
    fs::create_dir_all(&home.locks())?;
    fs::try_lock(&home.locks().join(name))?.ok_or_else(|| RunsError::RepoBusy(root.to_owned()))
}

/// Every run below the home, oldest first.
pub fn list(home: &Home) -> Result<Vec<RunId>, RunsError> {
    let names = fs::list(&home.runs())?;
    Ok(names.iter().filter_map(|name| name.to_str()?.parse().ok()).collect())
}

/// Whether a process holds the run just now.
pub fn is_busy(dir: &RunDir) -> Result<bool, RunsError> {
    Ok(fs::is_locked(&dir.lock())?)
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicBool, Ordering};

    use super::*;

    #[test]
    fn two_runs_of_one_second_get_two_names_and_one_holder_each() {
        let temp = tempfile::tempdir().unwrap();
        let home = Home::new(temp.path());
        let at = Timestamp::from_unix_ms(0);
        let create = || Run::create(&home, at, |_| Ok::<_, RunsError>(false));
        let first = create().unwrap();
        let second = create().unwrap();
        assert_eq!(
            (first.id.as_str(), second.id.as_str()),
            ("19700101T000000Z", "19700101T000000Z-2")
        );
        assert!(matches!(Run::open(&home, first.id.clone()), Err(RunsError::Busy(_))));
        let id = first.id.clone();
        drop(first);
        assert!(Run::open(&home, id).is_ok());
        assert_eq!(list(&home).unwrap().len(), 2);
    }

    #[test]
    fn ux4_a_run_is_opened_while_others_look_whether_it_is_busy() {
        let temp = tempfile::tempdir().unwrap();
        let home = Home::new(temp.path());
        let at = Timestamp::from_unix_ms(0);
        let run = Run::create(&home, at, |_| Ok::<_, RunsError>(false)).unwrap();
        let (id, dir) = (run.id.clone(), run.dir.clone());
        assert!(is_busy(&dir).unwrap());
        drop(run);
        let is_done = AtomicBool::new(false);
        thread::scope(|scope| {
            scope.spawn(|| {
                while !is_done.load(Ordering::Relaxed) {
                    let _ = is_busy(&dir).unwrap();
                    thread::yield_now();
                }
            });
            let opened: Vec<bool> =
                (0..500).map(|_| Run::open(&home, id.clone()).is_ok()).collect();
            is_done.store(true, Ordering::Relaxed);
            assert!(opened.iter().all(|opened| *opened), "a look made it busy");
        });
    }
}
