//! The tests of a run before and after, in numbers and by name.
//!
//! Where runners tell of each test, tests are compared by name; where they give sums alone, only sums are shown. A suite that did
//! not run is no suite that passed.

use rb_core::Verdict;
use rb_reports::Diagnostic;
use rb_toolchains::Purpose;
use rb_verify::{Baseline, CommandRun, Comparison, DiagnosticComparison, Effort};
use serde::Serialize;

use super::facts::Facts;

/// What the suites did.
#[derive(Debug, Serialize)]
pub(crate) struct Tests {
    pub(crate) baseline: Option<Side>,
    pub(crate) after: Option<Side>,
    /// Test by test; `None` where no runner told of each test on both sides.
    pub(crate) compared: Option<Compared>,
}

/// One side: before any change, or after all of them.
#[derive(Debug, Serialize)]
pub(crate) struct Side {
    pub(crate) verdict: Verdict,
    pub(crate) reasons: Vec<String>,
    /// How much was run; `None` for the baseline, which runs all.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) effort: Option<Effort>,
    /// The task after which it was taken; `None` for all changes together.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) task: Option<String>,
    pub(crate) passed: u64,
    pub(crate) failed: u64,
    pub(crate) skipped: u64,
    /// In percent; `None` where no test ran.
    pub(crate) pass_rate: Option<f64>,
    pub(crate) commands: Vec<Ran>,
}

#[derive(Debug, Serialize)]
pub(crate) struct Ran {
    pub(crate) purpose: &'static str,
    pub(crate) command: String,
    pub(crate) folder: String,
    /// Against what was before.
    pub(crate) verdict: Verdict,
    /// What it says by itself.
    #[serde(skip)]
    pub(crate) own: Verdict,
    pub(crate) passed: Option<u64>,
    pub(crate) failed: Option<u64>,
    pub(crate) skipped: Option<u64>,
    /// What a check complains about: how much it is, what of it is new, and how much is gone.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) diagnostics: Option<Diagnosed>,
    pub(crate) ms: u64,
    pub(crate) reasons: Vec<String>,
    /// Failures of earlier runs that this one did not repeat.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) flakes: Vec<String>,
}

/// It failed before and fails now; whether it is worse cannot be told.
const NOT_COMPARED: &str = "fails, as before; not compared";

#[derive(Debug, Default, Serialize)]
pub(crate) struct Diagnosed {
    pub(crate) count: usize,
    /// Place, code and message of each.
    pub(crate) new: Vec<String>,
    pub(crate) fixed: usize,
    /// What differs, in words; empty where nothing was compared.
    #[serde(skip)]
    pub(crate) words: String,
}

/// Names of tests, sorted; a flaky test is in no other list.
#[derive(Debug, Default, Serialize)]
pub(crate) struct Compared {
    /// Passed before and after.
    pub(crate) kept: usize,
    pub(crate) broken: Vec<String>,
    pub(crate) fixed: Vec<String>,
    pub(crate) still_failing: Vec<String>,
    pub(crate) new: Vec<String>,
    pub(crate) new_failing: Vec<String>,
    pub(crate) removed: Vec<String>,
    pub(crate) now_skipped: Vec<String>,
    pub(crate) flaky: Vec<String>,
}

impl Tests {
    pub(crate) fn of(facts: &Facts) -> Tests {
        let after = facts.after.as_ref();
        Tests {
            baseline: facts.baseline.as_ref().map(Side::before),
            after: after.map(|after| {
                let runs = after.verification.commands.iter();
                let mut side = Side::of(
                    after.verification.verdict,
                    &after.verification.reasons,
                    runs.map(|it| (&it.run, it.verdict, it.reasons.as_slice())),
                );
                for (ran, checked) in side.commands.iter_mut().zip(&after.verification.commands) {
                    ran.compare(checked.diagnostics.as_ref());
                }
                side.effort = Some(after.effort);
                side.task = after.task.map(|task| task.to_string());
                side
            }),
            compared: after.and_then(|after| {
                let mut compared = Compared::default();
                let comparisons: Vec<&Comparison> = after
                    .verification
                    .commands
                    .iter()
                    .filter_map(|it| it.comparison.as_ref())
                    .collect();
                for comparison in &comparisons {
                    compared.add(comparison);
                }
                // What was flaky after an earlier task was kept out of its verdict.
                let earlier = facts.tasks.iter().filter_map(|task| task.verification.as_ref());
                let found = earlier.chain([&after.verification]).flat_map(|it| &it.flaky);
                compared.flaky.extend(found.map(|it| it.test.to_string()));
                compared.flaky.sort();
                compared.flaky.dedup();
                (!comparisons.is_empty()).then_some(compared)
            }),
        }
    }

    /// The share of tests that pass after the change. Flaky ones are not counted.
    pub(crate) fn rate(&self) -> Result<(f64, String), String> {
        if let Some(compared) = &self.compared {
            let (passed, failed) = (compared.passed(), compared.failed());
            if passed + failed > 0 {
                return Ok((percent(passed, passed + failed), history(passed, failed)));
            }
        }
        let Some(after) = &self.after else {
            return Err("no test was run after the change".to_owned());
        };
        let count = |number: u64| usize::try_from(number).unwrap_or(usize::MAX);
        let (passed, failed) = (count(after.passed), count(after.failed));
        match after.pass_rate {
            Some(rate) => Ok((rate, history(passed, failed))),
            None => Err("no test ran after the change".to_owned()),
        }
    }

    /// The share of tests that are there before and after and ended as they did.
    pub(crate) fn equivalence(&self) -> Result<(f64, String), String> {
        let Some(compared) = &self.compared else {
            return Err("no tests could be compared by name".to_owned());
        };
        let Compared { kept, broken, fixed, still_failing, now_skipped, .. } = compared;
        let same = kept + still_failing.len();
        let all = same + broken.len() + fixed.len() + now_skipped.len();
        if all == 0 {
            return Err("no test exists both before and after".to_owned());
        }
        Ok((
            percent(same, all),
            format!("{same} of {all} tests had the same outcome as before, compared by name"),
        ))
    }
}

fn history(passed: usize, failed: usize) -> String {
    format!("{passed} of {} tests, without flaky ones", passed + failed)
}

impl Side {
    fn before(baseline: &Baseline) -> Side {
        let runs = baseline.commands.iter().map(|run| (run, run.verdict, run.reasons.as_slice()));
        Side::of(baseline.verdict, &baseline.reasons, runs)
    }

    fn of<'r>(
        verdict: Verdict,
        reasons: &[String],
        runs: impl Iterator<Item = (&'r CommandRun, Verdict, &'r [String])>,
    ) -> Side {
        let commands: Vec<Ran> =
            runs.map(|(run, verdict, reasons)| ran(run, verdict, reasons)).collect();
        let sum = |of: fn(&Ran) -> Option<u64>| commands.iter().filter_map(of).sum();
        let (passed, failed) = (sum(|ran| ran.passed), sum(|ran| ran.failed));
        let count = |number: u64| usize::try_from(number).unwrap_or(usize::MAX);
        let all = count(passed) + count(failed);
        Side {
            verdict,
            reasons: reasons.to_vec(),
            effort: None,
            task: None,
            passed,
            failed,
            skipped: sum(|ran| ran.skipped),
            pass_rate: (all > 0).then(|| percent(count(passed), all)),
            commands,
        }
    }

    /// Whether any test ran.
    pub(crate) fn has_tests(&self) -> bool {
        self.passed + self.failed > 0
    }

    pub(crate) fn words(&self) -> String {
        let Side { passed, failed, skipped, .. } = self;
        if !self.has_tests() {
            return "no test ran".to_owned();
        }
        format!("{passed} passed, {failed} failed, {skipped} skipped")
    }
}

/// What a word of a command line says about what the command is.
const CHECKS: [(&str, &str); 8] = [
    ("test", "test"),
    ("tests", "test"),
    ("pytest", "test"),
    ("jest", "test"),
    ("vitest", "test"),
    ("build", "build"),
    ("lint", "lint"),
    ("check", "check"),
];

impl Ran {
    /// What the command is called. A command that is not known is run as a test, so that one without a count of tests is called by its
    /// own words.
    pub(crate) fn check(&self) -> &'static str {
        if self.purpose != Purpose::Test.name() || self.passed.is_some() {
            return self.purpose;
        }
        let mut words = self.command.split(|c: char| !c.is_ascii_alphanumeric());
        let named = words.find_map(|word| {
            let known = CHECKS.iter().find(|(known, _)| *known == word);
            known.map(|(_, check)| *check)
        });
        named.unwrap_or("command")
    }

    /// The verdict, and never that no verifier ran for a check that ran and failed.
    pub(crate) fn verdict_words(&self) -> &'static str {
        match (self.verdict, self.own) {
            (Verdict::NoVerifierRan, Verdict::Fail) => NOT_COMPARED,
            (verdict, _) => verdict.words(),
        }
    }

    fn compare(&mut self, compared: Option<&DiagnosticComparison>) {
        let Some(compared) = compared else { return };
        let known = self.diagnostics.get_or_insert_default();
        known.new = compared.new.iter().map(Diagnostic::words).collect();
        known.fixed = compared.fixed;
        known.words = compared.words();
    }
}

fn ran(run: &CommandRun, verdict: Verdict, reasons: &[String]) -> Ran {
    let counts = run.tests.as_ref().map(|tests| tests.counts);
    Ran {
        purpose: run.command.purpose.name(),
        command: run.command.line.clone(),
        folder: run.command.folder.clone(),
        verdict,
        own: run.verdict,
        passed: counts.map(|counts| counts.passed),
        failed: counts.map(|counts| counts.failed),
        skipped: counts.map(|counts| counts.skipped),
        diagnostics: (!run.diagnostics.is_empty())
            .then(|| Diagnosed { count: run.diagnostics.len(), ..Diagnosed::default() }),
        ms: run.ms,
        reasons: reasons.to_vec(),
        flakes: run.flakes.clone(),
    }
}

impl Compared {
    fn add(&mut self, comparison: &Comparison) {
        let Comparison { broken, fixed, still_failing, new, .. } = comparison;
        let Comparison { new_failing, gone, now_skipped, flaky, kept, .. } = comparison;
        self.kept += kept;
        let lists = [
            (&mut self.broken, broken),
            (&mut self.fixed, fixed),
            (&mut self.still_failing, still_failing),
            (&mut self.new, new),
            (&mut self.new_failing, new_failing),
            (&mut self.removed, gone),
            (&mut self.now_skipped, now_skipped),
            (&mut self.flaky, flaky),
        ];
        for (mine, theirs) in lists {
            mine.extend(theirs.iter().map(ToString::to_string));
            mine.sort();
        }
    }

    fn passed(&self) -> usize {
        self.kept + self.fixed.len() + self.new.len()
    }

    fn failed(&self) -> usize {
        self.broken.len() + self.still_failing.len() + self.new_failing.len()
    }

    /// The lists that are not empty, with a heading each; what is bad first.
    pub(crate) fn lists(&self) -> Vec<(&'static str, &[String])> {
        let lists = [
            ("broken", &self.broken),
            ("new and failing", &self.new_failing),
            ("skipped now", &self.now_skipped),
            ("removed", &self.removed),
            ("failing before and after", &self.still_failing),
            ("flaky, not counted", &self.flaky),
            ("fixed", &self.fixed),
            ("new", &self.new),
        ];
        let lists = lists.into_iter().filter(|(_, names)| !names.is_empty());
        lists.map(|(heading, names)| (heading, names.as_slice())).collect()
    }
}

/// Rounded down to a tenth, so that 100 means all.
fn percent(part: usize, whole: usize) -> f64 {
    let tenths = part as u128 * 1000 / (whole.max(1) as u128);
    f64::from(u32::try_from(tenths).unwrap_or(1000)) / 10.0
}
