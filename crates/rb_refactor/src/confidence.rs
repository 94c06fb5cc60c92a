//! How far a change can be trusted: a number from 0 to 100, with the parts that it is the sum of.
//!
//! `Signals` is what was measured of a change, `confidence` an additive function of it. It is no probability: it ranks changes, so
//! that a person looks first where least is known. No praise raises it; a change that nothing was run on stays in the lower
//! half, one that no test reaches below those that are tested, and one that fails has none. `docs/reports.md` holds the same table for people.

use std::collections::BTreeMap;

use rb_audit::Severity;
use rb_change::Examination;
use rb_core::plural;
use rb_core::{Proposer, Task, TaskKind, Verdict};
use rb_schema::roles::critic::Decision as CriticDecision;
use rb_workspace::answer::Rung;
use rb_workspace::ledger::LedgerEntry;
use serde::{Deserialize, Serialize};

/// What was measured of one change. What was not measured is `None`, and earns nothing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Signals {
    pub origin: Origin,
    /// How exactly the proposal fitted; `None` where no text had to be placed.
    pub rung: Option<Rung>,
    pub audit: Option<Audit>,
    pub verdict: Verdict,
    /// A pass without a test among what passed.
    pub untested: bool,
    pub reach: Option<Reach>,
    pub removed: Removed,
    /// Lines of logic that are gone and nowhere again.
    pub lost_lines: usize,
    /// Added and removed.
    pub changed_lines: usize,
    /// Tries that it took, counted from 1.
    pub attempts: u32,
    pub critic: Critic,
    pub contracts: Contracts,
}

/// Where a change comes from. Later is worse.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Origin {
    /// Every precondition of the edit was proved.
    Proved,
    /// Computed by a recipe or a formatter.
    Recipe,
    /// Brought by a person.
    Given,
    Model,
}

/// What reading the change found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Audit {
    pub errors: usize,
    pub warnings: usize,
}

/// How many of the changed lines lie in files that a test reaches by imports.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Reach {
    pub reached: usize,
    pub changed: usize,
}

/// Statements with side effects that were removed and do not reappear.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Removed {
    /// In files that a test reaches by imports.
    pub reached: usize,
    pub unreached: usize,
}

/// What a critic said. Later is worse; consent is worth as much as silence.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Critic {
    NotAsked,
    Accepted,
    /// It wanted less, in scope or in lines.
    Less,
    Rejected,
}

/// Changes of what others rely on, all of them allowed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Contracts {
    pub breaking: usize,
    pub other: usize,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Confidence {
    /// From 0 to 100; the sum of the parts.
    pub score: u8,
    pub parts: Vec<Part>,
    /// Before the bounds: it tells apart what they make equal.
    #[serde(skip)]
    pub sum: i32,
}

/// What one signal gave or took.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Part {
    pub what: String,
    pub points: i32,
}

/// The most that a change gets which nothing was run on.
pub const UNVERIFIED: i32 = 50;

/// The most that a change gets which was checked, and by no test.
pub const UNTESTED: i32 = 55;

/// The most that a change gets which passes, and which no test is known to reach: what is tested stands above it.
pub const UNREACHED: i32 = 60;

/// The most that any change gets. A test that can get to a file by imports need not run the lines that changed, and whether it
/// does is not measured.
pub const BY_IMPORTS: i32 = 90;

/// The sum of what the signals give and take.
pub fn confidence(signals: &Signals) -> Confidence {
    if let Some(why) = signals.fault() {
        let parts = vec![Part { what: why.to_owned(), points: 0 }];
        return Confidence { score: 0, parts, sum: 0 };
    }
    let mut parts: Vec<Part> = signals.takes_for_removed().into_iter().collect();
    parts.extend(signals.gives());
    parts.extend(signals.takes().into_iter().filter(|part| part.points != 0));
    let sum: i32 = parts.iter().map(|part| part.points).sum();
    let (most, why) = signals.bound();
    let bounded = sum.clamp(0, most);
    if bounded != sum {
        let what =
            if sum < 0 { "not below 0".to_owned() } else { format!("at most {most}, {why}") };
        parts.push(Part { what, points: bounded - sum });
    }
    let score = u8::try_from(bounded).expect("it lies between 0 and 100");
    Confidence { score, parts, sum }
}

impl Signals {
    /// Why nothing of it can be trusted.
    fn fault(&self) -> Option<&'static str> {
        if self.verdict == Verdict::Fail {
            return Some("verification fails");
        }
        let errors = self.audit.is_some_and(|audit| audit.errors > 0);
        errors.then_some("the audit found errors")
    }

    /// The most that the sum can be, and why.
    fn bound(&self) -> (i32, &'static str) {
        match (self.verdict, self.reach) {
            (Verdict::Fail | Verdict::NoVerifierRan, _) => {
                (UNVERIFIED, "because no tests were run")
            }
            (Verdict::Pass, _) if self.untested => (UNTESTED, "because no test ran"),
            (Verdict::Pass, None) => (UNREACHED, "because test coverage was not measured"),
            (Verdict::Pass, Some(Reach { reached: 0, .. })) => {
                (UNREACHED, "because no test imports it")
            }
            (Verdict::Pass, Some(_)) => (BY_IMPORTS, "because line coverage was not measured"),
        }
    }

    /// What weighs most is named first.
    fn takes_for_removed(&self) -> Option<Part> {
        let Removed { reached, unreached } = self.removed;
        let statements = plural(reached + unreached, "statement");
        let what = match (reached, unreached) {
            (0, 0) => return None,
            (_, 0) => format!("{statements} with effects removed, in code that tests import"),
            (0, _) => format!("{statements} with effects removed, in code that no test imports"),
            (_, _) => {
                format!(
                    "{statements} with effects removed, {unreached} in code that no test imports"
                )
            }
        };
        let points = (capped(reached, 5, 30) + capped(unreached, 10, 30)).min(30);
        Some(Part { what, points: -points })
    }

    fn gives(&self) -> Vec<Part> {
        let (verdict, beside) = match (self.verdict, self.untested) {
            (Verdict::Pass, false) => (40, ""),
            (Verdict::Pass, true) => (25, " (no tests)"),
            (Verdict::Fail | Verdict::NoVerifierRan, _) => (0, ""),
        };
        let (origin, by) = match self.origin {
            Origin::Proved => (20, "every precondition was proved"),
            Origin::Recipe => (15, "computed by a recipe or a formatter"),
            Origin::Given => (10, "provided by you"),
            Origin::Model => (5, "written by a model"),
        };
        let fit = match self.rung {
            None | Some(Rung::Exact) => 5,
            Some(Rung::Whitespace | Rung::Indentation | Rung::BlankLine | Rung::ContextMark) => 3,
            Some(Rung::Context) => 0,
        };
        let fits = match self.rung {
            None => "no patch to apply".to_owned(),
            Some(rung) => format!("the patch applied {}", rung.words()),
        };
        let (audit, audited) = match self.audit {
            None => (0, "not audited".to_owned()),
            Some(audit) => (15 - capped(audit.warnings, 3, 15), plural(audit.warnings, "warning")),
        };
        let (reach, reached) = match self.reach {
            None => (0, "test coverage not measured".to_owned()),
            Some(Reach { reached: 0, .. }) => (0, "no test imports it".to_owned()),
            Some(Reach { reached, changed }) => (
                share(20, reached, changed),
                format!("tests import the files of {reached} of {changed} changed lines"),
            ),
        };
        let part = |what: String, points| Part { what, points };
        vec![
            part(format!("verification: {}{beside}", self.verdict.words()), verdict),
            part(by.to_owned(), origin),
            part(fits, fit),
            part(format!("audit: {audited}"), audit),
            part(reached, reach),
        ]
    }

    fn takes(&self) -> Vec<Part> {
        let critic = match self.critic {
            Critic::NotAsked | Critic::Accepted => 0,
            Critic::Less => 5,
            Critic::Rejected => 25,
        };
        let again = self.attempts.saturating_sub(1) as usize;
        let lost = plural(self.lost_lines, "line");
        let take = |what: String, points: i32| Part { what, points: -points };
        vec![
            take(
                format!("{lost} of logic removed or rewritten"),
                capped(self.lost_lines, 1, 30) / 3,
            ),
            take(
                plural(self.changed_lines, "changed line"),
                capped(self.changed_lines, 1, 400) / 40,
            ),
            take(
                format!("{} before it passed", plural(again, "failed attempt")),
                capped(again, 4, 12),
            ),
            take("the critic objected".to_owned(), critic),
            take(
                plural(self.contracts.breaking, "breaking change") + " of the public interface",
                capped(self.contracts.breaking, 10, 20),
            ),
            take(
                plural(self.contracts.other, "other change") + " of the public interface",
                capped(self.contracts.other, 1, 5),
            ),
        ]
    }

    /// Of two changes to one thing: the worse of what cannot be added, the sum of what can.
    #[must_use]
    pub fn and(&self, other: &Signals) -> Signals {
        let both = |a: Option<Audit>, b: Option<Audit>| match (a, b) {
            (Some(a), Some(b)) => {
                Some(Audit { errors: a.errors + b.errors, warnings: a.warnings + b.warnings })
            }
            // What was found stays found, though nobody looked at the other.
            (one, other) => one.or(other).filter(|audit| audit.errors > 0),
        };
        let reach = |a: Option<Reach>, b: Option<Reach>| {
            let (a, b) = (a?, b?);
            Some(Reach { reached: a.reached + b.reached, changed: a.changed + b.changed })
        };
        Signals {
            origin: self.origin.max(other.origin),
            rung: self.rung.max(other.rung),
            audit: both(self.audit, other.audit),
            verdict: worse(self.verdict, other.verdict),
            untested: self.untested || other.untested,
            reach: reach(self.reach, other.reach),
            removed: Removed {
                reached: self.removed.reached + other.removed.reached,
                unreached: self.removed.unreached + other.removed.unreached,
            },
            lost_lines: self.lost_lines + other.lost_lines,
            changed_lines: self.changed_lines + other.changed_lines,
            attempts: self.attempts.max(other.attempts),
            critic: self.critic.max(other.critic),
            contracts: Contracts {
                breaking: self.contracts.breaking + other.contracts.breaking,
                other: self.contracts.other + other.contracts.other,
            },
        }
    }
}

/// What is known of one task's change, to be turned into signals.
#[derive(Debug, Clone, Copy)]
pub struct Material<'m> {
    pub task: &'m Task,
    pub entry: &'m LedgerEntry,
    /// What it passed has no test among it.
    pub untested: bool,
    pub examination: Option<&'m Examination>,
    pub critic: Option<CriticDecision>,
    /// Lines that were added and removed, by file.
    pub lines: &'m BTreeMap<String, usize>,
}

impl Material<'_> {
    /// The whole change.
    pub fn signals(&self) -> Signals {
        self.of(|_| true)
    }

    /// The share of one file in it.
    pub fn signals_of(&self, path: &str) -> Signals {
        self.of(|other| other == path)
    }

    fn of(&self, is_meant: impl Fn(&str) -> bool) -> Signals {
        let Material { task, entry, untested, examination, critic, lines } = self;
        let sum = |is_counted: &dyn Fn(&str) -> bool| -> usize {
            let meant = lines.iter().filter(|(path, _)| is_meant(path) && is_counted(path));
            meant.map(|(_, count)| *count).sum()
        };
        let changed = sum(&|_| true);
        let audit = examination.map(|examination| {
            let found = |severity| {
                let meant = examination.findings.iter().filter(|it| is_meant(&it.path));
                meant.filter(|it| it.severity == severity).count()
            };
            Audit { errors: found(Severity::Error), warnings: found(Severity::Warning) }
        });
        // Tests that were not run, or fail, vouch for nothing.
        let around = examination.and_then(|examination| examination.around.as_ref());
        let around = around.filter(|_| entry.verdict == Verdict::Pass && !untested);
        let reach = around.map(|around| Reach {
            reached: sum(&|path| around.tested.iter().any(|tested| tested == path)),
            changed,
        });
        let removed = |is_reached: bool| {
            let found = examination.iter().flat_map(|it| it.removed().map(move |one| (it, one)));
            let meant = found.filter(|(_, one)| is_meant(&one.path));
            meant.filter(|(it, one)| (around.is_some() && it.is_reached(one)) == is_reached).count()
        };
        let contracts = || examination.iter().flat_map(|examination| &examination.allowed);
        let contracts = |breaking| {
            contracts().filter(|it| it.breaking == breaking && is_meant(&it.file)).count()
        };
        let lost = examination.iter().flat_map(|examination| &examination.residue.lost);
        Signals {
            origin: origin(task),
            rung: entry.rung,
            audit,
            verdict: entry.verdict,
            untested: *untested,
            reach,
            removed: Removed { reached: removed(true), unreached: removed(false) },
            lost_lines: lost.filter(|line| is_meant(&line.path)).count(),
            changed_lines: changed,
            attempts: entry.attempts,
            critic: critic.map_or(Critic::NotAsked, decision),
            contracts: Contracts { breaking: contracts(true), other: contracts(false) },
        }
    }
}

fn origin(task: &Task) -> Origin {
    if let TaskKind::FormatOnly { .. } = task.kind {
        return Origin::Recipe;
    }
    match task.by {
        Proposer::Rule { .. } => Origin::Proved,
        Proposer::Recipe { .. } => Origin::Recipe,
        Proposer::Given => Origin::Given,
        Proposer::Model => Origin::Model,
    }
}

fn decision(decision: CriticDecision) -> Critic {
    match decision {
        CriticDecision::Accept | CriticDecision::Noop => Critic::Accepted,
        CriticDecision::ShrinkScope | CriticDecision::ShrinkDiff => Critic::Less,
        CriticDecision::Reject => Critic::Rejected,
    }
}

pub(crate) fn worse(a: Verdict, b: Verdict) -> Verdict {
    match (a, b) {
        (Verdict::Fail, _) | (_, Verdict::Fail) => Verdict::Fail,
        (Verdict::NoVerifierRan, _) | (_, Verdict::NoVerifierRan) => Verdict::NoVerifierRan,
        (Verdict::Pass, Verdict::Pass) => Verdict::Pass,
    }
}

/// `each` for every one of `count`, and never more than `most`.
fn capped(count: usize, each: i32, most: i32) -> i32 {
    i32::try_from(count).unwrap_or(most).saturating_mul(each).min(most)
}

/// That part of `whole`, rounded down.
fn share(whole: i32, part: usize, of: usize) -> i32 {
    let part = part.min(of) as u128;
    let points = (part * u128::try_from(whole).unwrap_or(0)).checked_div(of as u128);
    points.and_then(|points| i32::try_from(points).ok()).unwrap_or(0)
}

#[cfg(test)]
mod tests;
