//! What is written down of every command that ran: enough to read it a year later, and to compare with another run.

use std::path::PathBuf;

use rb_core::Verdict;
use rb_reports::{Counts, Detail, Diagnostic, Outcome, Report, TestId, TestResult, Trouble};
use rb_sandbox::{Ended, Guarantees};
use rb_toolchains::{Command, Purpose};
use serde::{Deserialize, Serialize};

use crate::built::BuiltFile;
use crate::gate::Times;

/// One command, run once.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct CommandRun {
    pub command: Named,
    pub how: How,
    pub ms: u64,
    /// Processor time of all its processes, where it could be measured.
    pub cpu_ms: Option<u64>,
    /// Bytes that all its processes held at once at most, where it could be measured.
    pub peak_memory: Option<u64>,
    pub stdout: Option<PathBuf>,
    pub stderr: Option<PathBuf>,
    /// Head and tail of what it said; empty for a command that went well.
    pub said: String,
    /// What its tests did; `None` for a command that is no test, or told nothing of them.
    pub tests: Option<Tests>,
    /// What a check that runs no tests complains about, as far as its output can be read.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub diagnostics: Vec<Diagnostic>,
    /// How many errors it says that it found.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub errors: Option<u64>,
    /// What a build that went well made for browsers.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub built: Vec<BuiltFile>,
    pub verdict: Verdict,
    /// Why it is not a pass.
    pub reasons: Vec<String>,
    /// What went wrong and does not count: failures of earlier runs of the same code that this run did not repeat, and that it did not
    /// end though its report was complete.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub flakes: Vec<String>,
}

/// Which command it was. Two runs of the same command have equal names.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Named {
    pub purpose: Purpose,
    /// Relative to the root; empty is the root.
    pub folder: String,
    pub line: String,
    /// The file and the place in it; empty for a line of the configuration.
    pub found: String,
    /// The project does not run it: that it fails from the start is not held against the repository.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub optional: bool,
}

/// How a command ended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "how")]
pub enum How {
    Exit {
        code: i32,
    },
    Signal {
        signal: i32,
    },
    TimedOut {
        after_s: u64,
    },
    TooManyProcesses {
        limit: u32,
    },
    OutOfMemory {
        limit: u64,
    },
    /// It had written its report and did not end; what it did is in the report.
    Hung,
    /// It was not started, for the reason given.
    NotRun,
}

impl From<&Ended> for How {
    fn from(ended: &Ended) -> Self {
        match ended {
            Ended::Exit(code) => How::Exit { code: *code },
            Ended::Signal(signal) => How::Signal { signal: *signal },
            Ended::TimedOut(limit) => How::TimedOut { after_s: limit.as_secs() },
            Ended::TooManyProcesses(limit) => How::TooManyProcesses { limit: *limit },
            Ended::OutOfMemory(limit) => How::OutOfMemory { limit: *limit },
            Ended::Enough => How::Hung,
        }
    }
}

impl How {
    /// Whether it was ended from outside, so that what it said breaks off.
    pub fn was_ended(&self) -> bool {
        match self {
            How::Exit { .. } | How::Hung | How::NotRun => false,
            How::Signal { .. }
            | How::TimedOut { .. }
            | How::TooManyProcesses { .. }
            | How::OutOfMemory { .. } => true,
        }
    }

    /// Whether nothing speaks against it but, perhaps, its report.
    pub fn is_success(&self) -> bool {
        matches!(self, How::Exit { code: 0 } | How::Hung)
    }

    /// As [`How::words`], without what to do about it.
    pub fn brief(&self) -> String {
        let words = self.words();
        words.split_once(';').map_or(words.clone(), |(brief, _)| brief.to_owned())
    }

    /// To be read after "the command".
    pub fn words(&self) -> String {
        match self {
            How::Exit { code } => format!("exited with code {code}"),
            How::Signal { signal } => format!("was killed by signal {signal}"),
            How::TimedOut { after_s } => {
                format!(
                    "did not finish within {after_s} s and was stopped; raise --timeout or verify.timeout_s"
                )
            }
            How::TooManyProcesses { limit } => format!(
                "had more than {limit} processes at once and was stopped; raise verify.processes"
            ),
            How::OutOfMemory { limit } => format!(
                "used more than {} MiB of memory and was stopped; raise verify.memory_mb",
                limit >> 20
            ),
            How::Hung => "wrote its report, did not exit and was stopped".to_owned(),
            How::NotRun => "was not run".to_owned(),
        }
    }
}

/// What the tests of a command did.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Tests {
    pub counts: Counts,
    pub detail: Detail,
    /// Sorted by id. Empty where only counts are known.
    pub results: Vec<TestResult>,
    pub troubles: Vec<Trouble>,
}

impl From<Report> for Tests {
    fn from(report: Report) -> Self {
        let Report { tests, counts, troubles, detail } = report;
        Tests { counts, detail, results: tests, troubles }
    }
}

impl Tests {
    pub fn ran(&self) -> u64 {
        self.counts.passed + self.counts.failed
    }

    pub fn failed(&self) -> impl Iterator<Item = &TestResult> {
        self.results.iter().filter(|test| test.outcome == Outcome::Failed)
    }
}

/// What stood around the commands.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Surroundings {
    pub sandbox: Guarantees,
    /// Program and what it says of its version, sorted.
    pub versions: Vec<(String, String)>,
    /// Lockfile and the hash of its bytes, sorted.
    pub lockfiles: Vec<(String, String)>,
    /// How dependencies got into the worktree, and what is missing.
    pub dependencies: Vec<String>,
}

/// The state before any change.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Baseline {
    pub surroundings: Surroundings,
    pub commands: Vec<CommandRun>,
    /// Tests whose outcome changes without a change of the code, by the command that runs them.
    pub flaky: Vec<Flaky>,
    /// Where a benchmark was chosen and could be run.
    pub benchmark: Option<Times>,
    pub verdict: Verdict,
    /// It is a pass, and no test is among what passed.
    #[serde(default)]
    pub untested: bool,
    /// Why it is not a pass, that of the failing command first; of a pass, what it does not rest on.
    pub reasons: Vec<String>,
    /// What may mend a failure that is not the repository's.
    #[serde(default)]
    pub hints: Vec<String>,
    /// What was seen and not used.
    pub notes: Vec<String>,
    /// Checks that the project has, does not run itself, and that were not run.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub optional: Vec<Named>,
}

impl Baseline {
    /// What a command did before any change.
    pub(crate) fn run_of(&self, command: &Command) -> Option<&CommandRun> {
        let is_same = |run: &&CommandRun| {
            run.command.line == command.line && run.command.folder == command.folder
        };
        self.commands.iter().find(is_same)
    }

    /// Whether nothing is known that keeps a command from being started, such as a program that is not installed.
    pub fn can_start(&self, command: &Command) -> bool {
        self.run_of(command).is_none_or(|run| run.how != How::NotRun)
    }
}

/// A test in quarantine.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Flaky {
    pub folder: String,
    pub test: TestId,
    pub passed: u32,
    pub failed: u32,
    /// Runs that skipped it or did not report it.
    #[serde(default)]
    pub missing: u32,
}
