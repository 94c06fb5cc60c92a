//! What a journal says about a kata: where the cycle stands, and everything that the agents and the reports need.
//!
//! The whole course of a run is decided here, by folding events into `Phase`; the graph only follows it.

use rb_flow::{Course, RunState};
use rb_schema::roles::supervisor::Decision;
use serde::Serialize;

use super::Kata;
use super::event::{
    Agent, Commit, CommitKind, DecidedBy, Event, KataEvent, Outcome, Refusal, RunEvent, Start,
};
use crate::constraint::Violation;
use crate::red::RedReason;
use crate::test_code::WrittenTest;
use crate::text_file::TextFile;

/// Tries of an agent before the Supervisor is called.
pub const TRIES: u32 = 3;
/// Calls of the Supervisor without a commit in between, after which a run is stuck.
pub const INTERVENTIONS: u32 = 4;

#[derive(Debug, Clone)]
pub struct State {
    pub start: Start,
    pub phase: Phase,
    /// Counted from 1; 0 before the first.
    pub cycle: u32,
    /// The try of the agent at hand, counted from 1.
    pub attempt: u32,
    /// How often an agent was asked in this run: what makes each question its own.
    pub asked: u32,
    /// The tree of the last green state, or of the new project.
    pub base: Option<String>,
    /// The ids of the tests that pass in it.
    pub passing: Vec<String>,
    /// The commit that the branch was at before the first cycle.
    first_tip: Option<String>,
    /// A commit that was begun, with its message, and of which nobody has said that it was made.
    pub(crate) committing: Option<(Commit, String)>,
    /// What the Supervisor said to the agent at hand.
    pub guidance: Option<String>,
    /// Why proposals of the agent at hand were refused, oldest first.
    pub refused: Vec<RefusedProposal>,
    /// The staged test that is to be made to pass.
    pub red: Option<StagedTest>,
    pub tests: Vec<TestRecord>,
    pub commits: Vec<Commit>,
    pub refusals: Vec<(u32, Agent, Refusal)>,
    pub decisions: Vec<DecisionRecord>,
    pub overshoots: u32,
    /// Calls of the Supervisor since the last commit.
    pub interventions: u32,
    /// Troubles that a later commit or a confirmed end shows to be overcome.
    pub recoveries: u32,
    pub violations: Vec<Violation>,
    /// Constraints that the Refactorer could not meet without breaking tests.
    pub conflicts: Vec<Violation>,
    pub course: Course<Kata>,
}

/// Where a cycle stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Phase {
    SetUp,
    Tester,
    /// A proposed test is to be proved.
    ProveTest {
        requirement: String,
        name: String,
        files: Vec<TextFile>,
    },
    Implementer,
    ProveCode {
        summary: String,
        files: Vec<TextFile>,
        deleted: Vec<String>,
    },
    Refactorer,
    ProveRefactoring {
        summary: String,
        files: Vec<TextFile>,
        deleted: Vec<String>,
    },
    /// A test that passes at once is committed.
    KeepTest,
    Supervisor(Trouble),
    Finish(Outcome),
}

/// What the Supervisor is called for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Trouble {
    /// The Tester gave no usable test.
    NoTest,
    /// The new test passes at once.
    Overshoot,
    /// The Tester says that the kata is complete.
    ClaimsComplete { reason: String },
    /// The Implementer did not make the test pass.
    NoCode,
    /// The Refactorer broke tests, or could not meet the constraints.
    NoRefactoring,
    /// No cycle is left.
    NoCycles,
}

impl Trouble {
    /// What may be decided. The first is what the rule decides where the Supervisor does not, and never ends a run as complete.
    pub fn decisions(&self) -> &'static [Decision] {
        match self {
            Trouble::NoTest => {
                &[Decision::NextTest, Decision::RefactorFirst, Decision::Done, Decision::Stop]
            }
            Trouble::Overshoot => {
                &[Decision::NextTest, Decision::KeepTest, Decision::Done, Decision::Stop]
            }
            Trouble::ClaimsComplete { .. } => &[Decision::NextTest, Decision::Done],
            Trouble::NoCode => &[
                Decision::SimplerTest,
                Decision::RefactorFirst,
                Decision::RetryImplementation,
                Decision::Stop,
            ],
            Trouble::NoRefactoring => {
                &[Decision::SkipRefactoring, Decision::RetryRefactoring, Decision::Stop]
            }
            Trouble::NoCycles => &[Decision::Stop, Decision::Done],
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RefusedProposal {
    pub refusal: Refusal,
    pub reason: String,
    /// What was proposed, where it could be read.
    pub files: Vec<TextFile>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StagedTest {
    pub test: WrittenTest,
    pub requirement: String,
    pub tree: String,
    /// `None` where it passes at once.
    pub reason: Option<RedReason>,
    /// What shows that it fails.
    pub output: String,
    /// The ids of all tests, where it passes at once.
    pub passing: Vec<String>,
}

/// A test that is committed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct TestRecord {
    pub cycle: u32,
    pub name: String,
    pub requirement: String,
    /// Why it failed first; `None` where it passed at once.
    pub reason: Option<RedReason>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct DecisionRecord {
    pub cycle: u32,
    pub decision: Decision,
    pub guidance: String,
    pub reason: String,
    pub by: DecidedBy,
}

impl State {
    /// In a word or two that do not change. `busy`: a process is working on the run.
    pub fn stands(&self, busy: bool) -> &'static str {
        match self.course.outcome {
            Some(Outcome::Complete) => "complete",
            Some(Outcome::CyclesUsedUp) => "out of cycles",
            Some(Outcome::Stopped) => "stopped",
            None if busy => "at work",
            None => "resumable",
        }
    }

    fn take_own(&mut self, event: &KataEvent) {
        match event {
            KataEvent::ProjectReady { tree, tip, passing, .. } => {
                self.base = Some(tree.clone());
                self.first_tip.clone_from(tip);
                self.passing.clone_from(passing);
                self.next_cycle(None);
            }
            KataEvent::TestProposed { requirement, name, files } => {
                self.asked += 1;
                let (requirement, name) = (requirement.clone(), name.clone());
                self.phase = Phase::ProveTest { requirement, name, files: files.clone() };
            }
            KataEvent::NothingToTest { reason } => {
                self.asked += 1;
                self.trouble(Trouble::ClaimsComplete { reason: reason.clone() });
            }
            KataEvent::Red { test, requirement, tree, reason, output } => {
                self.red = Some(StagedTest {
                    test: (**test).clone(),
                    requirement: requirement.clone(),
                    tree: tree.clone(),
                    reason: Some(*reason),
                    output: output.clone(),
                    passing: Vec::new(),
                });
                self.go(Phase::Implementer, None);
            }
            KataEvent::Overshot { test, requirement, tree, passing } => {
                self.overshoots += 1;
                self.red = Some(StagedTest {
                    test: (**test).clone(),
                    requirement: requirement.clone(),
                    tree: tree.clone(),
                    reason: None,
                    output: String::new(),
                    passing: passing.clone(),
                });
                self.trouble(Trouble::Overshoot);
            }
            KataEvent::CodeProposed { summary, files, deleted } => {
                self.asked += 1;
                let (summary, files) = (summary.clone(), files.clone());
                self.phase = Phase::ProveCode { summary, files, deleted: deleted.clone() };
            }
            KataEvent::RefactoringProposed { summary, files, deleted } => {
                self.asked += 1;
                let (summary, files) = (summary.clone(), files.clone());
                self.phase = Phase::ProveRefactoring { summary, files, deleted: deleted.clone() };
            }
            KataEvent::NothingToRefactor { .. } => {
                self.asked += 1;
                self.next_cycle(None);
            }
            KataEvent::Refused { agent, refusal, reason } => self.refuse(*agent, *refusal, reason),
            KataEvent::CommitStarted { commit, message } => {
                self.committing = Some(((**commit).clone(), message.clone()));
            }
            KataEvent::Committed(commit) => self.committed(commit),
            KataEvent::ConstraintsChecked { violations } => self.violations.clone_from(violations),
            KataEvent::Decided { decision, guidance, reason, by } => {
                self.asked += 1;
                self.decisions.push(DecisionRecord {
                    cycle: self.cycle,
                    decision: *decision,
                    guidance: guidance.clone(),
                    reason: reason.clone(),
                    by: *by,
                });
                self.decided(*decision, guidance);
            }
        }
    }

    /// Goes on to an agent for the first time.
    fn go(&mut self, phase: Phase, guidance: Option<String>) {
        self.phase = phase;
        self.attempt = 1;
        self.refused.clear();
        self.guidance = guidance;
    }

    fn next_cycle(&mut self, guidance: Option<String>) {
        self.red = None;
        if self.cycle >= self.start.max_cycles {
            self.interventions = 0;
            return self.trouble(Trouble::NoCycles);
        }
        self.cycle += 1;
        self.go(Phase::Tester, guidance);
    }

    fn refuse(&mut self, agent: Agent, refusal: Refusal, reason: &str) {
        self.refusals.push((self.cycle, agent, refusal));
        let files = match &self.phase {
            Phase::ProveTest { files, .. }
            | Phase::ProveCode { files, .. }
            | Phase::ProveRefactoring { files, .. } => files.clone(),
            Phase::SetUp
            | Phase::Tester
            | Phase::Implementer
            | Phase::Refactorer
            | Phase::KeepTest
            | Phase::Supervisor(_)
            | Phase::Finish(_) => {
                // The answer itself could not be read.
                self.asked += 1;
                Vec::new()
            }
        };
        self.refused.push(RefusedProposal { refusal, reason: reason.to_owned(), files });
        self.attempt += 1;
        let is_last = self.attempt > TRIES;
        match agent {
            Agent::Tester if is_last => self.trouble(Trouble::NoTest),
            Agent::Tester => self.phase = Phase::Tester,
            Agent::Implementer if is_last => self.trouble(Trouble::NoCode),
            Agent::Implementer => self.phase = Phase::Implementer,
            Agent::Refactorer if is_last => {
                self.conflicts.clone_from(&self.violations);
                self.trouble(Trouble::NoRefactoring);
            }
            Agent::Refactorer => self.phase = Phase::Refactorer,
            // Its decision is made by rule.
            Agent::Supervisor => {}
        }
    }

    fn trouble(&mut self, trouble: Trouble) {
        self.interventions += 1;
        self.phase = Phase::Supervisor(trouble);
    }

    fn committed(&mut self, commit: &Commit) {
        self.committing = None;
        self.base = Some(commit.tree.clone());
        self.passing.clone_from(&commit.passing);
        self.commits.push(commit.clone());
        if self.interventions > 0 {
            self.recoveries += 1;
        }
        self.interventions = 0;
        match commit.kind {
            CommitKind::Feat | CommitKind::Test => {
                if let Some(staged) = self.red.take() {
                    self.tests.push(TestRecord {
                        cycle: self.cycle,
                        name: staged.test.name,
                        requirement: staged.requirement,
                        reason: staged.reason,
                    });
                }
                if commit.kind == CommitKind::Feat {
                    self.go(Phase::Refactorer, None);
                } else {
                    let guidance = self.guidance.take();
                    self.next_cycle(guidance);
                }
            }
            CommitKind::Refactor => {
                self.conflicts.clear();
                self.next_cycle(None);
            }
        }
    }

    fn decided(&mut self, decision: Decision, guidance: &str) {
        let guidance = (!guidance.trim().is_empty()).then(|| guidance.trim().to_owned());
        let is_end = matches!(
            &self.phase,
            Phase::Supervisor(Trouble::ClaimsComplete { .. } | Trouble::NoCycles)
        );
        match decision {
            Decision::Done => {
                // That a kata is complete at its end is no recovery.
                self.recoveries += u32::from(!is_end);
                self.red = None;
                self.go(Phase::Finish(Outcome::Complete), None);
            }
            Decision::Stop if self.phase == Phase::Supervisor(Trouble::NoCycles) => {
                self.go(Phase::Finish(Outcome::CyclesUsedUp), None);
            }
            Decision::Stop => self.go(Phase::Finish(Outcome::Stopped), None),
            // The guidance is for the test after this one.
            Decision::KeepTest => self.go(Phase::KeepTest, guidance),
            Decision::NextTest | Decision::SimplerTest => {
                self.red = None;
                self.go(Phase::Tester, guidance);
            }
            Decision::RefactorFirst => {
                self.red = None;
                self.go(Phase::Refactorer, guidance);
            }
            Decision::RetryImplementation => self.go(Phase::Implementer, guidance),
            Decision::RetryRefactoring => self.go(Phase::Refactorer, guidance),
            Decision::SkipRefactoring => self.next_cycle(guidance),
        }
    }

    /// How many cycles the run has used. The last one of a complete kata does not count if nothing was committed in it: the
    /// Tester only found that no test is missing.
    pub fn cycles(&self) -> u32 {
        let has_commit = self.commits.iter().any(|commit| commit.cycle == self.cycle);
        let is_complete = self.course.outcome == Some(Outcome::Complete);
        self.cycle - u32::from(is_complete && !has_commit && self.cycle > 0)
    }

    /// The commit that the branch must be at; `None` before the first.
    pub(crate) fn tip(&self) -> Option<&str> {
        self.commits.last().map(|commit| commit.id.as_str()).or(self.first_tip.as_deref())
    }

    /// Whether the Supervisor was called so often without a commit that a run is stuck.
    pub(crate) fn is_stuck(&self) -> bool {
        self.interventions > INTERVENTIONS
    }
}

impl RunState<Kata> for State {
    fn new(start: Start) -> Self {
        State {
            start,
            phase: Phase::SetUp,
            cycle: 0,
            attempt: 1,
            asked: 0,
            base: None,
            passing: Vec::new(),
            first_tip: None,
            committing: None,
            guidance: None,
            refused: Vec::new(),
            red: None,
            tests: Vec::new(),
            commits: Vec::new(),
            refusals: Vec::new(),
            decisions: Vec::new(),
            overshoots: 0,
            interventions: 0,
            recoveries: 0,
            violations: Vec::new(),
            conflicts: Vec::new(),
            course: Course::default(),
        }
    }

    fn start(&self) -> &Start {
        &self.start
    }

    fn take(&mut self, event: &Event) {
        match event {
            Event::Own(own) => self.take_own(own),
            Event::Run(RunEvent::Suspected { path, findings, .. }) => {
                for found in findings {
                    self.course
                        .note(format!("{path}:{}: suspicious text: {}", found.line, found.excerpt));
                }
            }
            Event::Run(_) => {}
        }
        self.course.take(event, "");
    }

    fn course(&self) -> &Course<Kata> {
        &self.course
    }
}
