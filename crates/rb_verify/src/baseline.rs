//! The state before any change, taken once: every command, every test, what is flaky, and what stood around it.

use std::collections::BTreeSet;
use std::path::Path;
use std::thread;

use rb_core::{Progress, Verdict};
use rb_reports::TestId;
use rb_toolchains::{Command, Detected, Purpose};

use crate::bench;
use crate::command_run::named;
use crate::confirm::{flake, repeats};
use crate::flaky::{self, Tally};
use crate::not_copied;
use crate::overall::{Ended, Overall, overall};
use crate::plan::not_run;
use crate::record::{Baseline, CommandRun, Flaky, How, Tests};
use crate::surroundings;
use crate::verifier::{Part, Verifier, VerifyError, step};

/// Runs `commands` and looks a second time at whatever failed.
pub fn baseline(
    verifier: &Verifier,
    detected: &Detected,
    commands: &[Command],
    dependencies: Vec<String>,
    progress: &dyn Progress,
) -> Result<Baseline, VerifyError> {
    let mut surroundings = surroundings::look(verifier, detected, dependencies)?;
    let (env, cancel) = (verifier.site.env.clone(), verifier.cancel.clone());
    let known = commands.to_vec();
    let versions = thread::spawn(move || surroundings::versions(&env, &known, &cancel));
    let mut runs = Vec::new();
    let mut quarantine = Vec::new();
    for (command, at) in commands.iter().zip(1..) {
        let name = format!("baseline-{at:02}-{}", command.purpose.name());
        progress.begin(&step("baseline", command), 0);
        let taken = one(verifier, command, &name);
        progress.end();
        let (run, flaky) = taken?;
        if command.is_configured() && run.how == How::NotRun {
            let (line, why) = (command.line.clone(), run.reasons.join("; "));
            return Err(VerifyError::Configured { line, why });
        }
        quarantine.extend(flaky);
        runs.push(run);
    }
    quarantine.sort();
    let Overall { verdict, untested, reasons } = conclude(&runs);
    let mut notes = detected.notes.clone();
    let benchmark = match &verifier.options.benchmark {
        Some(chosen) if verdict != Verdict::Fail => {
            match bench::measure(verifier, chosen, detected, "baseline-benchmark")? {
                Ok(times) => Some(times),
                Err(why) => {
                    notes.push(format!("the benchmark could not be measured: {why}"));
                    None
                }
            }
        }
        _ => None,
    };
    surroundings.versions = versions.join().unwrap_or_default();
    let flaky = quarantine;
    let site = &verifier.site;
    let inside = site.root.strip_prefix(&site.worktree).unwrap_or(Path::new(""));
    let not_copied = not_copied::hint(&runs, &site.root, inside, &site.checkouts);
    let hints = site.passed.hint(&runs).into_iter().chain(not_copied).collect();
    Ok(Baseline {
        surroundings,
        commands: runs,
        flaky,
        benchmark,
        verdict,
        untested,
        reasons,
        hints,
        notes,
        optional: not_run(detected, &verifier.options).into_iter().map(named).collect(),
    })
}

fn one(
    verifier: &Verifier,
    command: &Command,
    name: &str,
) -> Result<(CommandRun, Vec<Flaky>), VerifyError> {
    let mut run = verifier.run(command, Part::All, name, None)?;
    let mut tally = Tally::new(failed(&run));
    tally.add(&run);
    // What took all of its time would take as much again.
    let is_late = matches!(run.how, How::TimedOut { .. });
    if run.verdict == Verdict::Fail && !is_late && repeats(&run, 1) > 0 {
        let name = format!("{name}-again1");
        let known = (Part::All, std::iter::once(&run));
        let (mut again, is_whole) =
            flaky::again(verifier, command, known, Some(&run), &name, &mut tally)?;
        if is_whole && failed(&run).is_empty() && again.verdict == Verdict::Pass {
            again.flakes.extend(flake(&run, &run.reasons));
            run = again;
        }
    }
    if run.tests.is_some() {
        for nth in 1..=verifier.options.flake_runs {
            tally.add(&verifier.run(command, Part::All, &format!("{name}-flake{nth}"), None)?);
        }
    }
    let flaky = tally.flaky(&command.folder);
    forgive(&mut run, &flaky);
    Ok((run, flaky))
}

fn failed(run: &CommandRun) -> BTreeSet<TestId> {
    run.tests.iter().flat_map(Tests::failed).map(|test| test.id.clone()).collect()
}

/// A command that failed by flaky tests alone has not failed.
pub(crate) fn forgive(run: &mut CommandRun, flaky: &[Flaky]) {
    let Some(tests) = &run.tests else { return };
    let known = |id: &TestId| flaky.iter().any(|flaky| flaky.test == *id);
    let failures = failed(run);
    let all_flaky = !failures.is_empty() && failures.iter().all(known);
    if run.verdict == Verdict::Fail && all_flaky && tests.troubles.is_empty() {
        run.verdict = if tests.counts.passed > 0 { Verdict::Pass } else { Verdict::NoVerifierRan };
        run.reasons = vec![format!("{} flaky tests failed and were run again", failures.len())];
    }
}

fn conclude(runs: &[CommandRun]) -> Overall {
    overall(runs.iter().map(|run| Ended { run, verdict: stands(run), reasons: &run.reasons }))
}

/// Integration tests often need what a sandbox has not, and nobody may ever have run an optional check: when they fail from the start,
/// they are no verifier.
fn stands(run: &CommandRun) -> Verdict {
    let is_integration = run.command.purpose == Purpose::Integration;
    match run.verdict {
        Verdict::Fail if is_integration || run.command.optional => Verdict::NoVerifierRan,
        verdict => verdict,
    }
}
