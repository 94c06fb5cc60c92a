//! The state after a change, compared with the baseline test by test.
//!
//! A failure is run again before it counts (`confirm.rs`). A command that failed before cannot be broken by the change; a command that
//! ran tests before and runs none now has not passed.

use std::collections::BTreeSet;

use rb_core::{Progress, Verdict};
use rb_reports::{Detail, TestId};
use rb_toolchains::{Command, Detected, Purpose};
use serde::{Deserialize, Serialize};

use crate::bench;
use crate::compare::{Comparison, compare};
use crate::diagnostic_comparison::{self, DiagnosticComparison};
use crate::gate::{Gate, GateResult, gate};
use crate::judge::{Standing, judge};
use crate::overall::{Ended, overall};
use crate::plan::Effort;
use crate::record::{Baseline, CommandRun, Flaky, How, Tests};
use crate::selection;
use crate::verifier::{Part, Verifier, VerifyError, step};

/// What was found after a change.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Verification {
    pub effort: Effort,
    pub commands: Vec<Checked>,
    /// Found flaky here; the baseline did not know them.
    pub flaky: Vec<Flaky>,
    /// Of all tests together, where any were compared.
    pub standing: Option<Standing>,
    /// Where the baseline has times to compare with.
    pub benchmark: Option<Gate>,
    pub verdict: Verdict,
    /// It is a pass, and no test is among what passed.
    #[serde(default)]
    pub untested: bool,
    /// Why it is not a pass, that of the failing command first; of a pass, what it does not rest on.
    pub reasons: Vec<String>,
}

/// One command after the change, beside what it did before.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Checked {
    pub run: CommandRun,
    /// Where both runs tell of each test.
    pub comparison: Option<Comparison>,
    /// Where a check complains that runs no tests.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub diagnostics: Option<DiagnosticComparison>,
    pub verdict: Verdict,
    pub reasons: Vec<String>,
}

/// What is checked, and how.
pub struct Request<'a> {
    pub verifier: &'a Verifier,
    pub baseline: &'a Baseline,
    pub detected: &'a Detected,
    pub commands: &'a [Command],
    pub effort: Effort,
    /// Names the outputs: `batch-003`.
    pub name: &'a str,
    /// Test files that reach what was changed. When they fail, the others are not run.
    pub affected: &'a [String],
    /// What was checked on this very commit already: a command that passed there is not run again.
    pub known: &'a [Checked],
    pub progress: &'a dyn Progress,
}

/// Runs the commands and compares. Ends at the first command that fails.
pub fn verify(request: &Request<'_>) -> Result<Verification, VerifyError> {
    let mut verification = Verification {
        effort: request.effort,
        commands: Vec::new(),
        flaky: Vec::new(),
        standing: None,
        benchmark: None,
        verdict: Verdict::NoVerifierRan,
        untested: false,
        reasons: Vec::new(),
    };
    for (command, at) in request.commands.iter().zip(1..) {
        if let Some(known) = request.passed_already(command) {
            verification.commands.push(known.clone());
            continue;
        }
        let name = format!("{}-{at:02}-{}", request.name, command.purpose.name());
        request.progress.begin(&step("verifying", command), 0);
        let checked = request.check_whole(command, &name, &mut verification.flaky);
        request.progress.end();
        let checked = checked?;
        let failed = checked.verdict == Verdict::Fail;
        verification.commands.push(checked);
        if failed {
            break;
        }
    }
    verification.conclude(request);
    if request.effort == Effort::Full && verification.verdict != Verdict::Fail {
        verification.hold_against_benchmark(request)?;
    }
    Ok(verification)
}

impl Request<'_> {
    fn passed_already(&self, command: &Command) -> Option<&Checked> {
        self.known.iter().find(|checked| {
            let named = &checked.run.command;
            let is_same = named.line == command.line && named.folder == command.folder;
            is_same && checked.verdict == Verdict::Pass
        })
    }

    pub(crate) fn before(&self, command: &Command) -> Option<&CommandRun> {
        self.baseline.run_of(command)
    }

    /// The whole command, after the tests that reach the change where that is worth it.
    fn check_whole(
        &self,
        command: &Command,
        name: &str,
        flaky: &mut Vec<Flaky>,
    ) -> Result<Checked, VerifyError> {
        match self.first_the_affected(command, name, flaky)? {
            Some(failed) => Ok(failed),
            None => self.check(command, Part::All, name, flaky),
        }
    }

    /// Runs the tests that reach the change alone, where that is worth it; `Some` when they fail.
    fn first_the_affected(
        &self,
        command: &Command,
        name: &str,
        flaky: &mut Vec<Flaky>,
    ) -> Result<Option<Checked>, VerifyError> {
        let Some(before) = self.before(command) else { return Ok(None) };
        if before.ms < self.verifier.options.affected_first_ms || command.purpose != Purpose::Test {
            return Ok(None);
        }
        let files = selection::own(command, before, self.affected);
        if files.is_empty() {
            return Ok(None);
        }
        let name = format!("{name}-affected");
        let checked = self.check(command, Part::Selected(&files), &name, flaky)?;
        let failed = checked.verdict == Verdict::Fail && selection::speaks(&checked.run, &files);
        Ok(failed.then_some(checked))
    }

    /// The verdict on one run of the command, held against the baseline. Tests in `quarantine` do not count.
    pub(crate) fn judged(
        &self,
        command: &Command,
        run: CommandRun,
        part: Part<'_>,
        quarantine: &BTreeSet<TestId>,
    ) -> Checked {
        let before = self.before(command);
        match before.and_then(per_test).zip(per_test(&run)) {
            Some((was, is)) => {
                let comparison = compare(&within(was, is, part), &is.results, quarantine);
                self.by_its_tests(before, run, comparison)
            }
            None => Self::by_its_end(command, before, run, part),
        }
    }

    pub(crate) fn quarantine(&self, command: &Command, found: &[Flaky]) -> BTreeSet<TestId> {
        let all = self.baseline.flaky.iter().chain(found);
        let here = all.filter(|flaky| flaky.folder == command.folder);
        here.map(|flaky| flaky.test.clone()).collect()
    }

    /// The verdict where both sides tell of each test.
    fn by_its_tests(
        &self,
        before: Option<&CommandRun>,
        run: CommandRun,
        comparison: Comparison,
    ) -> Checked {
        let judgement = judge(&comparison, self.verifier.options.thresholds);
        let (mut verdict, mut reasons) = (judgement.verdict, judgement.reasons);
        let was_well = before.is_some_and(|before| before.how.is_success());
        let has_excuse = !comparison.flaky.is_empty() || !comparison.still_failing.is_empty();
        let is_excused = has_excuse && !run.how.was_ended();
        let was_ended = before.is_some_and(|before| before.how.was_ended());
        let is_worse = was_well || (run.how.was_ended() && !was_ended);
        if verdict == Verdict::Pass && is_worse && !run.how.is_success() && !is_excused {
            verdict = Verdict::Fail;
            reasons.push(format!("no test failed, but `{}` {}", run.command.line, run.how.words()));
        }
        let troubles =
            |run: &CommandRun| run.tests.as_ref().map_or(0, |tests| tests.troubles.len());
        if before.is_some_and(|before| troubles(&run) > troubles(before)) {
            verdict = Verdict::Fail;
            let all = run.tests.iter().flat_map(|tests| &tests.troubles);
            reasons.extend(all.map(|trouble| trouble.message.clone()));
        }
        Checked { run, comparison: Some(comparison), diagnostics: None, verdict, reasons }
    }

    /// The verdict where tests cannot be compared one by one: by what it complains about, by exit code and counts.
    fn by_its_end(
        command: &Command,
        before: Option<&CommandRun>,
        run: CommandRun,
        part: Part<'_>,
    ) -> Checked {
        let mut reasons = run.reasons.clone();
        let mut verdict = run.verdict;
        let mut diagnostics = None;
        let Some(before) = before else {
            return Checked { run, comparison: None, diagnostics, verdict, reasons };
        };
        if run.how == How::NotRun && before.how.is_success() {
            verdict = Verdict::Fail;
            reasons
                .insert(0, format!("`{}` ran before the change, but cannot run now", command.line));
        } else if verdict == Verdict::Fail
            && let Some(held) = diagnostic_comparison::hold(before, &run)
        {
            (verdict, reasons, diagnostics) = (held.verdict, held.reasons, held.comparison);
        } else if verdict != Verdict::Fail && before.verdict == Verdict::Fail {
            let fixed = diagnostic_comparison::counted(&before.diagnostics).count();
            diagnostics = Some(DiagnosticComparison { fixed, ..DiagnosticComparison::default() });
        }
        if matches!(part, Part::All)
            && let Some(was) = before.tests.as_ref().filter(|tests| tests.ran() > 0)
        {
            let counts = run.tests.as_ref().map(|tests| tests.counts).unwrap_or_default();
            if counts.passed < was.counts.passed {
                verdict = Verdict::Fail;
                let (now, then) = (counts.passed, was.counts.passed);
                reasons.push(format!("{now} tests passed, {then} before the change"));
            }
        }
        Checked { run, comparison: None, diagnostics, verdict, reasons }
    }
}

fn per_test(run: &CommandRun) -> Option<&Tests> {
    run.tests.as_ref().filter(|tests| tests.detail == Detail::PerTest && !tests.results.is_empty())
}

/// The tests of the baseline that a part of the suite can be held against.
fn within(was: &Tests, is: &Tests, part: Part<'_>) -> Vec<rb_reports::TestResult> {
    match part {
        Part::All => was.results.clone(),
        Part::Selected(_) => {
            let here: BTreeSet<&TestId> = is.results.iter().map(|test| &test.id).collect();
            was.results.iter().filter(|test| here.contains(&test.id)).cloned().collect()
        }
    }
}

impl<'c> Ended<'c> {
    fn of(checked: &'c Checked) -> Self {
        let Checked { run, verdict, reasons, .. } = checked;
        Ended { run, verdict: *verdict, reasons }
    }
}

impl Verification {
    /// The tests that speak against the change, by name.
    pub fn failing_tests(&self) -> Vec<String> {
        let compared = self.commands.iter().filter_map(|checked| checked.comparison.as_ref());
        let failing = compared.flat_map(|it| {
            let lost = if it.has_lost_tests() { it.gone.as_slice() } else { &[] };
            [&it.broken, &it.new_failing, &it.now_skipped].into_iter().flatten().chain(lost)
        });
        failing.map(ToString::to_string).collect()
    }

    /// Reasons from commands that could not start, before the change or after it. They say nothing about the change.
    pub fn not_started(&self) -> Vec<String> {
        let is_meant =
            |it: &&Checked| it.run.how == How::NotRun && it.verdict == Verdict::NoVerifierRan;
        let ended: Vec<Ended<'_>> = self.commands.iter().filter(is_meant).map(Ended::of).collect();
        ended.iter().flat_map(Ended::words).collect()
    }

    fn conclude(&mut self, request: &Request<'_>) {
        let thresholds = request.verifier.options.thresholds;
        let mut all = Comparison::default();
        let mut compared = false;
        for checked in &self.commands {
            if let Some(comparison) = &checked.comparison {
                compared = true;
                all.add(comparison);
            }
        }
        self.standing = compared.then(|| judge(&all, thresholds).standing);
        let whole = overall(self.commands.iter().map(Ended::of));
        self.verdict = whole.verdict;
        self.untested = whole.untested;
        self.reasons = whole.reasons;
    }

    fn hold_against_benchmark(&mut self, request: &Request<'_>) -> Result<(), VerifyError> {
        let chosen = request.verifier.options.benchmark.as_ref();
        let Some((chosen, before)) = chosen.zip(request.baseline.benchmark.as_ref()) else {
            return Ok(());
        };
        let name = format!("{}-benchmark", request.name);
        match bench::measure(request.verifier, chosen, request.detected, &name)? {
            Ok(after) => {
                let gate = gate(before, &after, f64::from(chosen.threshold) / 100.0);
                if gate.result == GateResult::Slower {
                    self.fail(format!("benchmark: `{}` {}", chosen.line, gate.words()));
                }
                self.benchmark = Some(gate);
            }
            Err(why) => self.fail(format!("benchmark: {why}")),
        }
        Ok(())
    }

    fn fail(&mut self, why: String) {
        (self.verdict, self.untested) = (Verdict::Fail, false);
        self.reasons.insert(0, why);
    }
}
