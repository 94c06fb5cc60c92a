//! Which tests change their outcome though the code does not.
//!
//! What failed is run again, alone where the runner can be asked for it. A test that then passes is flaky: it is named, kept out of
//! every comparison, and never counted as broken or as fixed. A test that one run does not report and another does is flaky, too.

use std::collections::{BTreeMap, BTreeSet};

use rb_core::at_most;
use rb_reports::{Detail, Outcome, TestId};
use rb_toolchains::Command;

use crate::record::{CommandRun, Flaky};
use crate::verifier::{Part, Verifier, VerifyError};

/// How often each suspect passed, failed and was missing, over several runs of the same code.
#[derive(Debug, Clone, Default)]
pub(crate) struct Tally {
    suspects: BTreeSet<TestId>,
    seen: BTreeMap<TestId, RunCounts>,
}

#[derive(Debug, Clone, Copy, Default)]
struct RunCounts {
    passed: u32,
    failed: u32,
    /// Runs that skipped it or did not report it.
    missing: u32,
}

impl Tally {
    pub(crate) fn new(suspects: BTreeSet<TestId>) -> Tally {
        Tally { suspects, seen: BTreeMap::new() }
    }

    pub(crate) fn add(&mut self, run: &CommandRun) {
        let mut reported = BTreeSet::new();
        for test in run.tests.iter().flat_map(|tests| &tests.results) {
            let seen = self.seen.entry(test.id.clone()).or_default();
            match test.outcome {
                Outcome::Passed => seen.passed += 1,
                Outcome::Failed => seen.failed += 1,
                Outcome::Skipped => continue,
            }
            reported.insert(&test.id);
        }
        // A run that was ended from outside lost its tests; they did not go missing by themselves.
        if !run.how.was_ended() {
            for id in self.suspects.iter().filter(|id| !reported.contains(id)) {
                self.seen.entry(id.clone()).or_default().missing += 1;
            }
        }
    }

    /// The suspects that have not passed yet.
    pub(crate) fn open(&self) -> BTreeSet<&TestId> {
        let has_passed = |id: &&TestId| self.seen.get(id).is_some_and(|seen| seen.passed > 0);
        self.suspects.iter().filter(|id| !has_passed(id)).collect()
    }

    pub(crate) fn flaky(&self, folder: &str) -> Vec<Flaky> {
        let both = |seen: &RunCounts| seen.passed > 0 && seen.failed + seen.missing > 0;
        let flaky = self.seen.iter().filter(|(_, seen)| both(seen));
        flaky
            .map(|(test, &RunCounts { passed, failed, missing })| Flaky {
                folder: folder.to_owned(),
                test: test.clone(),
                passed,
                failed,
                missing,
            })
            .collect()
    }
}

/// The most tests that are named.
const NAMED: usize = 5;

/// What was found flaky, a line each for the tests and for every command: for a person who wonders why a failure does not count.
pub fn flaky_words<'r>(
    flaky: &[Flaky],
    runs: impl IntoIterator<Item = &'r CommandRun>,
) -> Vec<String> {
    let names = at_most(NAMED, flaky.iter().map(|flaky| format!("`{}`", flaky.test)));
    let tests = match flaky.len() {
        0 => None,
        1 => Some(format!("1 flaky test is ignored: {}", names.join(", "))),
        many => Some(format!("{many} flaky tests are ignored: {}", names.join(", "))),
    };
    tests.into_iter().chain(runs.into_iter().flat_map(|run| run.flakes.clone())).collect()
}

/// Runs the suspects that have not passed yet once more, alone where the runner can be asked for their files, which `known` runs tell.
/// Gives the run, and whether it was one of the whole `part`.
pub(crate) fn again<'r>(
    verifier: &Verifier,
    command: &Command,
    (part, known): (Part<'_>, impl Iterator<Item = &'r CommandRun>),
    before: Option<&CommandRun>,
    name: &str,
    tally: &mut Tally,
) -> Result<(CommandRun, bool), VerifyError> {
    let files = files_of(known, &tally.open());
    if let (Some(files), Some(_)) = (&files, &command.select) {
        let run = verifier.run(command, Part::Selected(files), name, before)?;
        if run.tests.as_ref().is_some_and(|tests| tests.ran() > 0) {
            tally.add(&run);
            return Ok((run, false));
        }
        // The selection selected nothing; the whole suite is asked for.
        let run = verifier.run(command, part, &format!("{name}-all"), before)?;
        tally.add(&run);
        return Ok((run, true));
    }
    let run = verifier.run(command, part, name, before)?;
    tally.add(&run);
    Ok((run, true))
}

/// The files of all these tests; `None` when one of them is not known.
fn files_of<'r>(
    known: impl Iterator<Item = &'r CommandRun>,
    ids: &BTreeSet<&TestId>,
) -> Option<Vec<String>> {
    let mut files: BTreeMap<&TestId, &str> = BTreeMap::new();
    for tests in known.filter_map(|run| run.tests.as_ref()) {
        let reported = tests.results.iter().filter(|_| tests.detail == Detail::PerTest);
        for test in reported.filter(|test| ids.contains(&test.id)) {
            if let Some(file) = &test.file {
                files.entry(&test.id).or_insert(file);
            }
        }
    }
    if ids.is_empty() || ids.iter().any(|id| !files.contains_key(id)) {
        return None;
    }
    let distinct: BTreeSet<&str> = files.into_values().collect();
    Some(distinct.into_iter().map(str::to_owned).collect())
}
