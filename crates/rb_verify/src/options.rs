//! How verification is to be done. Every value has a default that a stranger's repository can live with.

use std::fmt;
use std::time::Duration;

use rb_sandbox::Choice;
use serde::{Deserialize, Serialize, Serializer};

use crate::judge::Thresholds;
use crate::shell::without_value;

/// What a person chose for a run; kept with it, so that a resumed run goes on in the same way.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Options {
    pub sandbox: Choice,
    /// For each command.
    pub timeout_s: u64,
    /// For all processes of a command together.
    pub memory_mb: u64,
    pub processes: u32,
    /// Command lines that check every task. When empty, unit tests and lint are found from the repository.
    pub fast: Vec<String>,
    /// Command lines that check the whole. When empty, they are found from the repository.
    pub full: Vec<String>,
    /// Whether checks are run that the project has and does not run itself.
    pub optional: bool,
    /// Runs of all tests beyond the first, to find flaky ones. Failing tests are run again in any case.
    pub flake_runs: u32,
    /// So often a test that seems broken is run again before it counts as broken.
    pub confirm_runs: u32,
    /// How long a runner may be silent after its report is complete, before it counts as hanging and is stopped.
    pub report_grace_s: u64,
    /// A suite that took so long in the baseline is begun with the tests that reach the change.
    pub affected_first_ms: u64,
    pub dependencies: FromCheckout,
    /// Patterns of files of the checkout that git does not keep and that come along all the same.
    pub carry: Vec<String>,
    /// Variables that commands get beyond what every program gets: `NAME`, as the shell has it, or `NAME=VALUE`, whose value
    /// is never written down.
    #[serde(serialize_with = "without_values")]
    pub env: Vec<String>,
    /// Whether missing dependencies may be installed, which reaches for the network and may run foreign code.
    pub install: bool,
    pub thresholds: Thresholds,
    pub benchmark: Option<Benchmark>,
}

/// A command whose time must not grow.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Benchmark {
    pub line: String,
    pub runs: u32,
    /// Percent by which it may become slower.
    pub threshold: u32,
}

/// How the worktree comes to what is installed in the checkout.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FromCheckout {
    /// Links into the checkout, which is only read.
    Link,
    /// A copy; for tools that do not follow links out of the project.
    Copy,
    /// Nothing is taken from there.
    Nothing,
}

fn without_values<S: Serializer>(env: &[String], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(env.iter().map(|entry| without_value(entry)))
}

impl Default for Options {
    fn default() -> Self {
        Options {
            sandbox: Choice::Auto,
            timeout_s: 1800,
            memory_mb: 8192,
            processes: 2048,
            fast: Vec::new(),
            full: Vec::new(),
            optional: false,
            flake_runs: 0,
            confirm_runs: 4,
            report_grace_s: 15,
            affected_first_ms: 10_000,
            dependencies: FromCheckout::Link,
            carry: Vec::new(),
            env: Vec::new(),
            install: false,
            thresholds: Thresholds::default(),
            benchmark: None,
        }
    }
}

impl fmt::Debug for Options {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = serde_json::to_string(self).map_err(|_| fmt::Error)?;
        out.write_str(&text)
    }
}

impl Options {
    pub(crate) fn timeout(&self) -> Duration {
        Duration::from_secs(self.timeout_s)
    }
}
