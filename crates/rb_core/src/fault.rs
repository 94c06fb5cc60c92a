//! Places where a test may kill the process. Without the feature `fault` every call is empty.
//!
//! Each effect of `fs` and `process` passes here first, so the effects of a run can be enumerated and
//! the run cut off before any one of them, or in the middle of a write.

use std::path::Path;

/// Marks an effect that is about to happen. Returns how many bytes of it to perform before the kill, if
/// this one was chosen to be torn.
#[cfg(not(feature = "fault"))]
#[inline]
pub(crate) fn point(_what: &str, _path: &Path) -> Torn {
    Torn::No
}

/// Whether the effect is to be cut off half-way.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Torn {
    No,
    #[cfg(feature = "fault")]
    Half,
}

#[cfg(feature = "fault")]
pub(crate) use armed::point;
#[cfg(feature = "fault")]
pub use armed::{arm, die};

#[cfg(feature = "fault")]
mod armed {
    use super::{Path, Torn};
    use std::io::Write as _;
    use std::sync::OnceLock;
    use std::sync::atomic::{AtomicU64, Ordering};

    static PLAN: OnceLock<Plan> = OnceLock::new();
    static COUNT: AtomicU64 = AtomicU64::new(0);

    enum Plan {
        Trace(std::path::PathBuf),
        Kill(u64),
        Tear(u64),
    }

    /// Takes `trace:FILE`, `kill:N` or `tear:N`; effects count from 1.
    pub fn arm(plan: &str) -> Result<(), String> {
        let bad = || format!("`{plan}` is no fault plan: trace:FILE, kill:N or tear:N");
        let (verb, rest) = plan.split_once(':').ok_or_else(bad)?;
        let number = || rest.parse().map_err(|_| bad());
        let plan = match verb {
            "trace" => Plan::Trace(rest.into()),
            "kill" => Plan::Kill(number()?),
            "tear" => Plan::Tear(number()?),
            _ => return Err(bad()),
        };
        PLAN.set(plan).map_err(|_| "a fault plan is armed already".to_owned())
    }

    pub(crate) fn point(what: &str, path: &Path) -> Torn {
        let Some(plan) = PLAN.get() else { return Torn::No };
        let count = COUNT.fetch_add(1, Ordering::SeqCst) + 1;
        match plan {
            Plan::Trace(file) => trace(file, count, what, path),
            Plan::Kill(at) if *at == count => die(),
            Plan::Tear(at) if *at == count => {
                if !matches!(what, "write" | "append" | "spawn") {
                    die();
                }
                return Torn::Half;
            }
            Plan::Kill(_) | Plan::Tear(_) => {}
        }
        Torn::No
    }

    #[expect(clippy::disallowed_methods, reason = "the trace itself must not count as an effect")]
    fn trace(file: &Path, count: u64, what: &str, path: &Path) {
        let mut out = std::fs::OpenOptions::new()
            .create(true)
            .append(true)
            .open(file)
            .expect("the trace file can be opened");
        // One call, so that lines of two threads do not mix.
        let line = format!("{count}\t{what}\t{}\n", path.display());
        out.write_all(line.as_bytes()).expect("the trace can be written");
    }

    /// Ends the process as a power cut would: no destructor runs.
    pub fn die() -> ! {
        let me = rustix::process::getpid();
        let _ = rustix::process::kill_process(me, rustix::process::Signal::KILL);
        loop {
            std::thread::park();
        }
    }
}
