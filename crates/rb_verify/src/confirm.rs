//! A failure counts when it repeats: whatever failed is run again, and only what fails every time is held against the change.
//!
//! Tests that pass in another run are quarantined by name. A command that crashed, hung or lost its report and then passes has not
//! failed; what happened is kept as a flake of the run.

use std::collections::BTreeSet;

use rb_core::Verdict;
use rb_reports::TestId;
use rb_toolchains::{Command, Purpose};

use crate::after::{Checked, Request};
use crate::flaky::{self, Tally};
use crate::record::{CommandRun, Flaky, How};
use crate::selection;
use crate::verifier::{Part, VerifyError};

impl Request<'_> {
    /// Runs a command, and again while its failure is not confirmed. Adds the tests that turn out to be flaky to `flaky`.
    pub(crate) fn check(
        &self,
        command: &Command,
        part: Part<'_>,
        name: &str,
        flaky: &mut Vec<Flaky>,
    ) -> Result<Checked, VerifyError> {
        let before = self.before(command);
        let mut quarantine = self.quarantine(command, flaky);
        let run = self.verifier.run(command, part, name, before)?;
        let mut checked = self.judged(command, run, part, &quarantine);
        // A selection that found nothing to run says nothing; all of the suite is run next.
        let is_mute =
            matches!(part, Part::Selected(files) if !selection::speaks(&checked.run, files));
        if checked.verdict != Verdict::Fail || is_mute {
            return Ok(checked);
        }
        let mut tally = Tally::new(checked.suspects());
        tally.add(&checked.run);
        for nth in 1..=repeats(&checked.run, self.verifier.options.confirm_runs) {
            let known = std::iter::once(&checked.run).chain(self.before(command));
            let name = format!("{name}-again{nth}");
            let (again, is_whole) =
                flaky::again(self.verifier, command, (part, known), before, &name, &mut tally)?;
            quarantine.extend(tally.flaky(&command.folder).into_iter().map(|flaky| flaky.test));
            checked = self.judged(command, checked.run, part, &quarantine);
            if checked.verdict == Verdict::Fail && is_whole {
                checked = self.passed_over(command, checked, again, part, &quarantine);
            }
            if checked.verdict != Verdict::Fail {
                break;
            }
        }
        flaky.extend(tally.flaky(&command.folder));
        Ok(checked)
    }

    /// Replaces `failed` with `again` if that passes.
    fn passed_over(
        &self,
        command: &Command,
        failed: Checked,
        again: CommandRun,
        part: Part<'_>,
        quarantine: &BTreeSet<TestId>,
    ) -> Checked {
        let mut again = self.judged(command, again, part, quarantine);
        if again.verdict == Verdict::Fail {
            return failed;
        }
        again.run.flakes.extend(flake(&failed.run, &failed.reasons));
        again
    }
}

impl Checked {
    /// The tests that the failure names.
    fn suspects(&self) -> BTreeSet<TestId> {
        let Some(comparison) = &self.comparison else { return BTreeSet::new() };
        let named = [&comparison.broken, &comparison.new_failing, &comparison.now_skipped];
        let mut suspects: BTreeSet<TestId> = named.into_iter().flatten().cloned().collect();
        // What a command that was ended did not come to is its fault, not that of the tests.
        if !self.run.how.was_ended() && comparison.has_lost_tests() {
            suspects.extend(comparison.gone.iter().cloned());
        }
        suspects
    }
}

/// How a failure that did not repeat is reported.
pub(crate) fn flake(run: &CommandRun, reasons: &[String]) -> Option<String> {
    let what = match &run.how {
        how if how.was_ended() => format!("`{}` {}", run.command.line, how.brief()),
        _ => reasons.first()?.clone(),
    };
    Some(format!("{what}; it passed when it was rerun"))
}

/// Runs that confirm that a suite does not come to its tests, for instance because it cannot be loaded.
const LOST: u32 = 2;

/// How often a failed command is run again at most. What took all its time or memory is tried once more; a check that names its findings
/// finds them again.
pub(crate) fn repeats(run: &CommandRun, most: u32) -> u32 {
    let is_test = matches!(run.command.purpose, Purpose::Test | Purpose::Integration);
    let has_tests = run.tests.as_ref().is_some_and(|tests| tests.ran() > 0);
    match run.how {
        How::NotRun => 0,
        How::TimedOut { .. } | How::TooManyProcesses { .. } | How::OutOfMemory { .. } => {
            most.min(1)
        }
        How::Exit { .. } if !run.diagnostics.is_empty() => 0,
        How::Signal { .. } | How::Exit { .. } if !is_test => most.min(1),
        How::Signal { .. } | How::Hung => most,
        How::Exit { .. } if has_tests => most,
        How::Exit { .. } => most.min(LOST),
    }
}
