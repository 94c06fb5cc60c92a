//! Looks at all processes of a job again and again: how many they are, and what they hold.
//!
//! The kernel's own limits count for a user or for one process; a job is neither.

use std::time::Duration;

use rustix::process::Pid;

use crate::job::Limits;
use crate::proc;

/// Looks come quickly at first, so that a short command is seen at all.
const FIRST: Duration = Duration::from_millis(4);
const LATER: Duration = Duration::from_millis(100);

/// Which limit was passed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Passed {
    Processes(u32),
    Memory(u64),
}

#[derive(Debug)]
pub(crate) struct Watch {
    root: i32,
    limits: Limits,
    /// Processes that set the sandbox up and are no part of the job.
    overhead: usize,
    next: Duration,
    last: usize,
    pub(crate) peak: Option<u64>,
    ticks: u64,
}

impl Watch {
    pub(crate) fn new(root: Pid, overhead: usize, limits: Limits) -> Self {
        let root = root.as_raw_nonzero().get();
        Watch { root, limits, overhead, next: FIRST, last: 0, peak: None, ticks: 0 }
    }

    /// How long until the next look.
    pub(crate) fn pause(&mut self) -> Duration {
        let pause = self.next;
        self.next = (pause * 2).min(LATER);
        pause
    }

    pub(crate) fn look(&mut self) -> Option<Passed> {
        let most = self.limits.processes as usize + self.overhead;
        // From the root down: whoever ends meanwhile is not yet among what those above it waited for, and counts once.
        let mut all: Vec<_> = proc::stat(self.root).map(|it| (self.root, it)).into_iter().collect();
        all.extend(proc::descendants(self.root, most));
        all.retain(|(_, stat)| !stat.is_dead);
        self.hurry_if_growing(all.len(), most);
        let held = all.iter().map(|(_, stat)| stat.resident).sum();
        self.peak = self.peak.max(Some(held)).filter(|peak| *peak > 0);
        let ticks = all.iter().map(|(_, stat)| stat.own_ticks + stat.waited_ticks).sum();
        self.ticks = self.ticks.max(ticks);
        if all.len() > most {
            return Some(Passed::Processes(self.limits.processes));
        }
        let limit = self.limits.memory.filter(|limit| held > *limit)?;
        // What they share was counted for each: asked exactly before it is held against them.
        let exact: u64 =
            all.iter().map(|(pid, stat)| proc::proportional(*pid).unwrap_or(stat.resident)).sum();
        (exact > limit).then_some(Passed::Memory(limit))
    }

    /// A fork bomb grows tenfold between two looks that come slowly.
    fn hurry_if_growing(&mut self, count: usize, most: usize) {
        if count > most / 8 && count > self.last + self.last / 8 {
            self.next = FIRST;
        }
        self.last = count;
    }

    /// Of all processes, once the first of them has ended and was not waited for yet.
    pub(crate) fn cpu(&self) -> Duration {
        let waited = proc::stat(self.root).map_or(0, |stat| stat.own_ticks + stat.waited_ticks);
        let per_second = rustix::param::clock_ticks_per_second().max(1);
        Duration::from_millis(waited.max(self.ticks) * 1000 / per_second)
    }
}
