//! Whether a change broke anything that a repository can check by itself: baseline, comparison, gates.
//!
//! `Verifier` runs the commands that `rb_toolchains` found, in the sandbox, and reads their reports. `baseline` takes the state before
//! a change once and finds what is flaky; `verify` takes the state after it and compares test by test. It edits no file of
//! a repository, and believes no exit code alone. What can be told without running anything is `rb_audit`'s.

mod affected;
mod after;
mod baseline;
mod bench;
mod built;
mod collect;
mod command_run;
mod compare;
mod confirm;
mod diagnostic_comparison;
mod durations;
mod flaky;
mod gate;
mod judge;
mod local;
mod not_copied;
mod options;
mod overall;
mod plan;
mod prepare;
pub mod record;
mod selection;
mod shell;
mod site;
mod surroundings;
mod telling;
mod verifier;
mod watched;

pub use affected::affected;
pub use after::{Checked, Request, Verification, verify};
pub use baseline::baseline;
pub use built::{BuiltFile, built_files, unhashed};
pub use compare::{Comparison, compare};
pub use diagnostic_comparison::DiagnosticComparison;
pub use flaky::flaky_words;
pub use gate::{Gate, GateResult, Times, gate};
pub use judge::{Judgement, Level, Standing, Thresholds, judge};
pub use options::{Benchmark, FromCheckout, Options};
pub use plan::{Effort, commands, not_run};
pub use prepare::{Prepared, prepare};
pub use record::{Baseline, CommandRun, Flaky, How, Named, Surroundings, Tests};
pub use shell::{Passed, Shell, is_entry, without_value};
pub use site::Site;
pub use verifier::{Part, Verifier, VerifyError, caches};
