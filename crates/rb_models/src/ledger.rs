//! What calls took, by role, by task and by file: tokens, money and time.
//!
//! A `Booking` is one call and goes into the journal; a `Ledger` is nothing but their sum, so that a resumed run
//! has the one of the run that it goes on with. What several files share is cut into whole tokens and billionths
//! of a dollar that sum up exactly. A replayed call is booked as it was recorded, but was not paid for.

mod table;

use std::collections::{BTreeMap, BTreeSet};

use rb_core::{RepoPath, TaskId, Usd};
use serde::{Deserialize, Serialize};

use crate::call::{Cost, Counted, Usage};
use crate::tokens::OwnCount;

pub use table::By;

/// One call, with all its tries.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Booking {
    pub role: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub task: Option<TaskId>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub files: Vec<RepoPath>,
    pub provider: String,
    pub model: String,
    pub usage: Usage,
    pub cost: Cost,
    /// What it may have cost at most, where nobody knows; see `Purse`.
    #[serde(default, skip_serializing_if = "is_nothing")]
    pub presumed: Usd,
    pub ms: u64,
    pub tries: u32,
    #[serde(default)]
    pub replayed: bool,
    /// Beside the provider's count in `usage`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub own_count: Option<OwnCount>,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde calls it so")]
fn is_nothing(usd: &Usd) -> bool {
    *usd == Usd::default()
}

/// What some calls took together.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Sum {
    pub calls: u64,
    /// An estimate as soon as one of them is.
    pub usage: Usage,
    /// As far as it is known.
    pub cost: Usd,
    /// Calls whose cost nobody knows.
    pub unknown: u64,
    pub ms: u64,
}

/// What calls are about, or that they are about nothing of the kind. Those come last.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum About<T> {
    This(T),
    Nothing,
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Ledger {
    total: Sum,
    gone: Usd,
    roles: BTreeMap<String, Sum>,
    tasks: BTreeMap<About<TaskId>, Sum>,
    files: BTreeMap<About<RepoPath>, Sum>,
}

impl Ledger {
    pub fn from_bookings<'a>(bookings: impl IntoIterator<Item = &'a Booking>) -> Self {
        let mut ledger = Ledger::default();
        bookings.into_iter().for_each(|booking| ledger.book(booking));
        ledger
    }

    pub fn book(&mut self, booking: &Booking) {
        let sum = Sum::of(booking);
        self.total.add(sum);
        self.roles.entry(booking.role.clone()).or_default().add(sum);
        let task = booking.task.map_or(About::Nothing, About::This);
        self.tasks.entry(task).or_default().add(sum);
        if !booking.replayed {
            self.gone = self.gone + booking.cost.usd().unwrap_or_default() + booking.presumed;
        }
        let mut seen = BTreeSet::new();
        let files = booking.files.iter().filter(|file| seen.insert(*file)).cloned();
        let mut files: Vec<About<RepoPath>> = files.map(About::This).collect();
        if files.is_empty() {
            files.push(About::Nothing);
        }
        let shares = sum.shares(files.len());
        for (file, share) in files.into_iter().zip(shares) {
            self.files.entry(file).or_default().add(share);
        }
    }

    pub fn total(&self) -> Sum {
        self.total
    }

    /// What counts against a cap: paid in fact, or presumed to be.
    pub fn gone(&self) -> Usd {
        self.gone
    }

    pub fn roles(&self) -> &BTreeMap<String, Sum> {
        &self.roles
    }

    pub fn tasks(&self) -> &BTreeMap<About<TaskId>, Sum> {
        &self.tasks
    }

    /// Each call is counted in full at every file that it is about; everything else is shared.
    pub fn files(&self) -> &BTreeMap<About<RepoPath>, Sum> {
        &self.files
    }

    /// All tokens, also of calls that are about no file, for each file that a call was about; rounded up.
    pub fn tokens_per_file(&self) -> Option<u64> {
        let files = self.files.keys().filter(|file| **file != About::Nothing).count() as u64;
        (files > 0).then(|| self.total.usage.total().div_ceil(files))
    }
}

impl Sum {
    fn of(booking: &Booking) -> Self {
        Sum {
            calls: 1,
            usage: booking.usage,
            cost: booking.cost.usd().unwrap_or_default(),
            unknown: u64::from(booking.cost == Cost::Unknown),
            ms: booking.ms,
        }
    }

    fn add(&mut self, other: Sum) {
        let add = |to: &mut u64, more: u64| *to = to.saturating_add(more);
        for (to, more) in counts(&mut self.usage).into_iter().zip(counts(&mut { other.usage })) {
            add(to, *more);
        }
        if other.usage.counted == Counted::Estimate {
            self.usage.counted = Counted::Estimate;
        }
        add(&mut self.calls, other.calls);
        add(&mut self.unknown, other.unknown);
        add(&mut self.ms, other.ms);
        self.cost = self.cost + other.cost;
    }

    fn shares(self, among: usize) -> Vec<Sum> {
        let mut shares: Vec<Sum> =
            self.cost.shares(among).map(|cost| Sum { cost, ..self }).collect();
        for (nth, share) in shares.iter_mut().enumerate() {
            for count in counts(&mut share.usage) {
                *count = part(*count, nth, among);
            }
            share.ms = part(share.ms, nth, among);
        }
        shares
    }
}

fn counts(usage: &mut Usage) -> [&mut u64; 5] {
    let Usage { input, output, cache_read, cache_write, reasoning, counted: _ } = usage;
    [input, output, cache_read, cache_write, reasoning]
}

/// The share of the `nth` of so many; the first ones take what is left over.
fn part(whole: u64, nth: usize, among: usize) -> u64 {
    let (nth, among) = (nth as u64, among as u64);
    whole / among + u64::from(nth < whole % among)
}
