//! Which tests change their outcome though the code does not.
//!
//! What failed is run again, alone where the runner can be asked for it. A test that then passes is flaky: it is named, kept out of
//! every comparison, and never counted as broken or as fixed.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use rb_reports::{Detail, Outcome, TestId};
use rb_toolchains::Command;

use crate::record::{CommandRun, Flaky};
use crate::verifier::{Part, Verifier, VerifyError};

/// How often each test passed and failed, over several runs of the same code.
#[derive(Debug, Clone, Default)]
pub(crate) struct Tally(BTreeMap<TestId, (u32, u32)>);

impl Tally {
    pub(crate) fn add(&mut self, run: &CommandRun) {
        for test in run.tests.iter().flat_map(|tests| &tests.results) {
            let (passed, failed) = self.0.entry(test.id.clone()).or_default();
            match test.outcome {
                Outcome::Passed => *passed += 1,
                Outcome::Failed => *failed += 1,
                Outcome::Skipped => {}
            }
        }
    }

    fn has_passed(&self, id: &TestId) -> bool {
        self.0.get(id).is_some_and(|(passed, _)| *passed > 0)
    }

    pub(crate) fn flaky(&self, folder: &str) -> Vec<Flaky> {
        let both = self.0.iter().filter(|(_, (passed, failed))| *passed > 0 && *failed > 0);
        both.map(|(test, &(passed, failed))| Flaky {
            folder: folder.to_owned(),
            test: test.clone(),
            passed,
            failed,
        })
        .collect()
    }
}

/// Runs `suspects` again, `times` at most, until each of them has passed once.
pub(crate) fn again(
    verifier: &Verifier,
    command: &Command,
    first: &CommandRun,
    suspects: &BTreeSet<TestId>,
    times: u32,
    name: &str,
    tally: &mut Tally,
) -> Result<(), VerifyError> {
    let took = Duration::from_millis(first.ms);
    for nth in 1..=times {
        let open: BTreeSet<&TestId> = suspects.iter().filter(|id| !tally.has_passed(id)).collect();
        if open.is_empty() {
            return Ok(());
        }
        let files = files_of(first, &open);
        let part = match (&files, &command.select) {
            (Some(files), Some(_)) => Part::Selected(files),
            _ => Part::All,
        };
        let run = verifier.run(command, part, &format!("{name}-again{nth}"), Some(took))?;
        let ran = run.tests.as_ref().is_some_and(|tests| tests.ran() > 0);
        tally.add(&run);
        if !ran && matches!(part, Part::Selected(_)) {
            // The selection selected nothing; the whole suite is asked for once.
            let name = format!("{name}-again{nth}-all");
            tally.add(&verifier.run(command, Part::All, &name, Some(took))?);
        }
    }
    Ok(())
}

/// The files of all these tests; `None` when one of them is not known.
fn files_of(run: &CommandRun, ids: &BTreeSet<&TestId>) -> Option<Vec<String>> {
    let tests = run.tests.as_ref().filter(|tests| tests.detail == Detail::PerTest)?;
    let mut files = Vec::new();
    for test in tests.results.iter().filter(|test| ids.contains(&test.id)) {
        files.push(test.file.clone()?);
    }
    files.sort();
    files.dedup();
    (!files.is_empty()).then_some(files)
}
