//! The events of the kata workflow, how its runs begin and how they end.

use std::path::PathBuf;

use rb_core::RunId;
use rb_flow::WorkflowEvent;
use rb_flow::event::ModelChoice;
use rb_schema::roles::supervisor::Decision;
use rb_verify::Options;
use serde::{Deserialize, Serialize};

pub use rb_workspace::project::Place;

use super::Kata;
use crate::constraint::Violation;
use crate::description;
use crate::red::RedReason;
use crate::runner::Runner;
use crate::test_code::WrittenTest;
use crate::text_file::TextFile;

pub type Event = rb_flow::Event<Kata>;
pub type RunEvent = rb_flow::RunEvent<Kata>;
pub type Record = rb_flow::Record<Kata>;

/// How a run began: enough to go on with it in another process.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Start {
    pub run: RunId,
    pub workflow: Kind,
    /// The file that the kata was read from, as it was named.
    pub file: PathBuf,
    pub kata: description::Kata,
    pub runner: Runner,
    pub place: Place,
    pub max_cycles: u32,
    pub models: ModelChoice,
    pub verify: Options,
}

/// What kind of run it is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Kind {
    pub name: String,
    pub version: u32,
}

impl Kind {
    pub(crate) fn kata() -> Self {
        Kind { name: super::NAME.to_owned(), version: 1 }
    }
}

/// Who proposes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Agent {
    Tester,
    Implementer,
    Refactorer,
    Supervisor,
}

impl Agent {
    pub fn name(self) -> &'static str {
        match self {
            Agent::Tester => "tester",
            Agent::Implementer => "implementer",
            Agent::Refactorer => "refactorer",
            Agent::Supervisor => "supervisor",
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "snake_case")]
pub enum KataEvent {
    /// The folder is a project under git. The tree is that of its files, before any cycle.
    ProjectReady {
        tree: String,
        tip: Option<String>,
        files: Vec<String>,
        passing: Vec<String>,
    },
    /// The Tester proposes a test.
    TestProposed {
        requirement: String,
        name: String,
        files: Vec<TextFile>,
    },
    /// The Tester says that nothing is missing.
    NothingToTest {
        reason: String,
    },
    /// The new test fails as it should. It is staged, in this tree.
    Red {
        test: Box<WrittenTest>,
        requirement: String,
        tree: String,
        reason: RedReason,
        output: String,
    },
    /// The new test passes at once although it tests the implementation. It is staged, in this tree.
    Overshot {
        test: Box<WrittenTest>,
        requirement: String,
        tree: String,
        passing: Vec<String>,
    },
    CodeProposed {
        summary: String,
        files: Vec<TextFile>,
        deleted: Vec<String>,
    },
    RefactoringProposed {
        summary: String,
        files: Vec<TextFile>,
        deleted: Vec<String>,
    },
    NothingToRefactor {
        reason: String,
    },
    /// A proposal was refused. The reason is what the model is told.
    Refused {
        agent: Agent,
        refusal: Refusal,
        reason: String,
    },
    /// All tests pass with this tree; it is about to be committed. The commit has no id yet.
    CommitStarted {
        commit: Box<Commit>,
        message: String,
    },
    Committed(Box<Commit>),
    /// What the implementation breaks, after a commit.
    ConstraintsChecked {
        violations: Vec<Violation>,
    },
    Decided {
        decision: Decision,
        guidance: String,
        reason: String,
        by: DecidedBy,
    },
}

/// What was wrong with a proposal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Refusal {
    /// The answer could not be read, or the model refused.
    Unusable,
    /// It writes a file that this agent may not write.
    WrongFile,
    /// No new test, several, or one without an assertion, or a skipped one.
    BadTest,
    /// A test file has a syntax error.
    SyntaxError,
    /// Earlier tests were removed or changed.
    WeakenedTests,
    /// The test does not fail as a new test must, or breaks others.
    NotRed,
    /// The test passes whatever the implementation does.
    Vacuous,
    /// Tests fail with the change.
    TestsFail,
    /// It does not compile, or tests cannot be loaded.
    NotBuilt,
    /// Tests did not end in time.
    TimedOut,
    /// Constraints of the kata are broken, and the proposal does not mend that.
    Constraints,
    /// It changes nothing.
    NoChange,
    /// The model says that it cannot do it.
    Blocked,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CommitKind {
    /// A test that passed at once and is kept.
    Test,
    /// A test and the code that makes it pass.
    Feat,
    Refactor,
}

impl CommitKind {
    pub fn name(self) -> &'static str {
        match self {
            CommitKind::Test => "test",
            CommitKind::Feat => "feat",
            CommitKind::Refactor => "refactor",
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Commit {
    pub kind: CommitKind,
    pub cycle: u32,
    pub id: String,
    pub tree: String,
    /// The first line of the message.
    pub subject: String,
    /// The ids of all tests, which all pass.
    pub passing: Vec<String>,
    /// What a reader should know: inputs of the test that the code spells out.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub remarks: Vec<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DecidedBy {
    Model,
    /// The model gave no decision that is allowed here, or the choice was not its to make.
    Rule,
}

/// How a run ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// The Supervisor says that all requirements are tested.
    Complete,
    CyclesUsedUp,
    /// No progress, or the Supervisor stopped.
    Stopped,
}

impl WorkflowEvent for KataEvent {
    fn is_milestone(&self) -> bool {
        match self {
            KataEvent::CommitStarted { .. } | KataEvent::Committed(_) => true,
            KataEvent::ProjectReady { .. }
            | KataEvent::TestProposed { .. }
            | KataEvent::NothingToTest { .. }
            | KataEvent::Red { .. }
            | KataEvent::Overshot { .. }
            | KataEvent::CodeProposed { .. }
            | KataEvent::RefactoringProposed { .. }
            | KataEvent::NothingToRefactor { .. }
            | KataEvent::Refused { .. }
            | KataEvent::ConstraintsChecked { .. }
            | KataEvent::Decided { .. } => false,
        }
    }
}

impl From<KataEvent> for Event {
    fn from(event: KataEvent) -> Self {
        Event::Own(event)
    }
}
