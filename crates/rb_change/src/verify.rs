//! Verification: the baseline before any change, the fast verifier after a task, the full one now and then and at the end.
//!
//! Foreign commands run on a commit and never on loose files, so that whatever they write into the worktree is thrown away
//! before the run goes on.

use std::path::{Path, PathBuf};

use rb_core::fs;
use rb_core::{RepoPath, Task, TaskId, Verdict, VerifierLevel};
use rb_flow::Event;
use rb_flow::event::noted;
use rb_flow::graph::{Node, Update};
use rb_index::IndexError;
use rb_toolchains::Command;
use rb_verify::{Baseline, Checked, Effort, Request, Verification};

use crate::changes::{Changes, Reads};
use crate::error::ChangeError;
use crate::event::ChangeEvent;
use crate::failure::Failure;
use crate::state::ChangeState;
use crate::verify_setup::{VerifySetup, keep, keep_beside, read_baseline, ready};
use crate::world::ChangeWorld;

/// Takes the baseline.
pub struct Baseliner;

pub struct BaselineResult {
    verdict: Verdict,
    untested: bool,
    reasons: Vec<String>,
    /// What may mend a failure, and what is flaky.
    notes: Vec<String>,
    file: PathBuf,
}

impl<W: Changes> Update<W> for BaselineResult {
    fn events(self) -> Vec<Event<W>> {
        let BaselineResult { verdict, untested, reasons, notes, file } = self;
        let taken = ChangeEvent::BaselineTaken { verdict, untested, reasons, file };
        noted(notes).chain([Event::Own(taken.into())]).collect()
    }
}

impl<W: Changes> Node<W> for Baseliner {
    const NAME: &'static str = "baseline";
    const DOES: &'static str = "runs the repository's own checks before any change";
    type Reads<'s> = ();
    type Writes = BaselineResult;

    fn run((): (), world: &mut W::World) -> Result<BaselineResult, W::Error> {
        Ok(baseline(world.as_mut())?)
    }
}

fn baseline(world: &mut ChangeWorld) -> Result<BaselineResult, ChangeError> {
    world.write(ChangeEvent::BaselineStarted)?;
    let clean = world.tip()?;
    world.worktree()?.reset(&clean)?;
    let (ready, prepared) = ready(world)?;
    let commands = all_commands(&ready);
    let taken = rb_verify::baseline(
        &ready.verifier,
        &ready.detected,
        &commands,
        prepared.words,
        &*world.host.progress,
    );
    world.worktree()?.reset(&clean)?;
    let mut taken = taken?;
    if commands.is_empty() {
        taken.reasons.push("no command was found that verifies this repository".to_owned());
    }
    world.ready = Some(ready);
    let file = keep(world, "baseline", &taken)?;
    let flaky = rb_verify::flaky_words(&taken.flaky, &taken.commands);
    let Baseline { verdict, untested, reasons, hints, .. } = taken;
    let notes = hints.into_iter().chain(flaky).collect();
    Ok(BaselineResult { verdict, untested, reasons, notes, file })
}

/// The commands of both verifiers, each once: what the full one adds comes last.
fn all_commands(ready: &VerifySetup) -> Vec<Command> {
    let options = &ready.verifier.options;
    let mut commands = rb_verify::commands(&ready.detected, Effort::Full, options);
    for command in rb_verify::commands(&ready.detected, Effort::Fast, options) {
        let same = |known: &Command| known.line == command.line && known.folder == command.folder;
        if !commands.iter().any(same) {
            commands.push(command);
        }
    }
    commands
}

/// Verifies one task's change.
pub struct Validator;

/// What the commands said; `None` where there was nothing to run.
pub struct Verified(Option<CheckResult>);

impl Verified {
    fn fails(&self) -> bool {
        self.0.as_ref().is_some_and(|said| said.verdict == Verdict::Fail)
    }
}

struct CheckResult {
    task: Option<TaskId>,
    effort: Effort,
    verdict: Verdict,
    untested: bool,
    reasons: Vec<String>,
    file: PathBuf,
    failure: Option<Failure>,
    /// What failed and did not fail again.
    flaky: Vec<String>,
}

impl<W: Changes> Update<W> for Verified {
    fn events(self) -> Vec<Event<W>> {
        let Some(said) = self.0 else { return Vec::new() };
        let CheckResult { task, effort, verdict, untested, reasons, file, failure, flaky } = said;
        let ended =
            ChangeEvent::VerifyEnded { task, effort, verdict, untested, reasons, file, failure };
        noted(flaky).chain([Event::Own(ended.into())]).collect()
    }
}

impl<W: Changes> Node<W> for Validator {
    const NAME: &'static str = "validate";
    const DOES: &'static str = "runs the tests, and compares them one by one with the baseline";
    type Reads<'s> = Reads<'s>;
    type Writes = Verified;

    fn run(reads: Reads<'_>, world: &mut W::World) -> Result<Verified, W::Error> {
        Ok(verify_task(&reads, world.as_mut())?)
    }
}

fn verify_task(reads: &Reads<'_>, world: &mut ChangeWorld) -> Result<Verified, ChangeError> {
    let (Some(task), Some(current)) = (reads.task, &reads.change.current) else {
        return Ok(Verified(None));
    };
    let Some(commit) = &current.candidate else { return Ok(Verified(None)) };
    let effort = effort(world, task, reads.change.ledger.len());
    let affected = affected(world, commit, &current.paths)?;
    let clean = world.tip()?;
    let looked = VerifySubject {
        task: Some(task.id),
        attempt: current.attempt,
        without_mends: current.without_mends,
        commit,
    };
    let checked = check(world, looked, effort, (&affected, &[]))?;
    let is_broken = effort == Effort::Full && checked.fails() && reads.change.has_changes();
    if !is_broken || look(world, &clean, &format!("before-{}", task.id))?.verdict != Verdict::Fail {
        return Ok(checked);
    }
    // It failed in full without this task: that is looked into at the end, and this one is judged by what each task is.
    check(world, looked, Effort::Fast, (&affected, &[]))
}

/// Fast, or full where the task asks for it or it is time for it again.
fn effort(world: &ChangeWorld, task: &Task, done: usize) -> Effort {
    let every = world.options.verify.as_ref().map_or(1, |verify| verify.full_every.max(1));
    let is_time = (done + 1).is_multiple_of(every as usize);
    if is_time || task.verifier_level == VerifierLevel::Full { Effort::Full } else { Effort::Fast }
}

/// Tests that reach what the commit touches, by the index of the worktree with the change.
fn affected(
    world: &ChangeWorld,
    commit: &str,
    paths: &[RepoPath],
) -> Result<Vec<String>, ChangeError> {
    let touched: Vec<String> = paths.iter().map(ToString::to_string).collect();
    let Some(known) = world.candidate.as_ref().filter(|known| known.commit == commit) else {
        // Resumed after the audit: all tests are run.
        return Ok(Vec::new());
    };
    let view = known.indexed.view().map_err(IndexError::from)?;
    Ok(rb_verify::affected(&view, &touched))
}

/// Verifies all changes of the run together.
pub struct WholeValidator;

impl WholeValidator {
    pub const NAME: &'static str = "validate_all";
}

/// The commands of an earlier verification; none where its record cannot be read.
fn already_checked(world: &ChangeWorld, file: &Path) -> Result<Vec<Checked>, ChangeError> {
    let record = fs::read_optional(&world.run.dir.join(file))?.unwrap_or_default();
    let record = serde_json::from_slice::<Verification>(&record);
    Ok(record.map(|record| record.commands).unwrap_or_default())
}

impl<W: Changes> Node<W> for WholeValidator {
    const NAME: &'static str = WholeValidator::NAME;
    const DOES: &'static str = "runs all checks of the repository";
    type Reads<'s> = Reads<'s>;
    type Writes = Verified;

    fn run(reads: Reads<'_>, world: &mut W::World) -> Result<Verified, W::Error> {
        Ok(verify_all(reads.change, world.as_mut())?)
    }
}

fn verify_all(change: &ChangeState, world: &mut ChangeWorld) -> Result<Verified, ChangeError> {
    if change.verified_in_full.is_some() {
        return Ok(Verified(None));
    }
    let tip = world.tip()?;
    let known = match change.verified_commit.as_ref().filter(|last| last.commit == tip) {
        Some(last) => already_checked(world, &last.file)?,
        None => Vec::new(),
    };
    let looked = VerifySubject { task: None, attempt: 1, without_mends: false, commit: &tip };
    check(world, looked, Effort::Full, (&[], &known))
}

/// What is verified.
#[derive(Clone, Copy)]
struct VerifySubject<'c> {
    /// `None` for the run as a whole.
    task: Option<TaskId>,
    attempt: u32,
    /// It was verified with its mends before.
    without_mends: bool,
    commit: &'c str,
}

impl VerifySubject<'_> {
    /// Names the outputs. Every try has its own.
    fn name(&self) -> String {
        let again = if self.without_mends { "-unmended" } else { "" };
        match (self.task, self.attempt) {
            (None, _) => "whole".to_owned(),
            (Some(task), 1) => format!("{task}{again}"),
            (Some(task), attempt) => format!("{task}-try{attempt}{again}"),
        }
    }
}

/// Verifies the worktree at a commit and leaves it there.
fn check(
    world: &mut ChangeWorld,
    looked: VerifySubject<'_>,
    effort: Effort,
    (affected, known): (&[String], &[Checked]),
) -> Result<Verified, ChangeError> {
    let (task, name) = (looked.task, looked.name());
    let baseline = read_baseline(world)?;
    let limit = world.options.verify.as_ref().map_or(0, |it| it.options.thresholds.abort);
    let verification = verify(world, task, effort, looked.commit, (&name, affected, known))?;
    let file = keep_beside(world, &name, &verification)?;
    let failure = failure(&baseline, &verification, u64::from(limit));
    let runs = verification.commands.iter().map(|checked| &checked.run);
    let flaky = rb_verify::flaky_words(&verification.flaky, runs);
    let Verification { verdict, untested, reasons, .. } = verification;
    Ok(Verified(Some(CheckResult {
        task,
        effort,
        verdict,
        untested,
        reasons,
        file,
        failure,
        flaky,
    })))
}

/// All checks of the repository at a commit of the run, for whoever looks for the cause of something.
pub fn look(
    world: &mut ChangeWorld,
    commit: &str,
    name: &str,
) -> Result<Verification, ChangeError> {
    let verification = verify(world, None, Effort::Full, commit, (name, &[], &[]))?;
    keep_beside(world, name, &verification)?;
    Ok(verification)
}

fn verify(
    world: &mut ChangeWorld,
    task: Option<TaskId>,
    effort: Effort,
    commit: &str,
    (name, affected, known): (&str, &[String], &[Checked]),
) -> Result<Verification, ChangeError> {
    world.write(ChangeEvent::VerifyStarted { task, effort })?;
    world.worktree()?.reset(commit)?;
    let baseline = read_baseline(world)?;
    let (ready, _) = ready(world)?;
    let commands = rb_verify::commands(&ready.detected, effort, &ready.verifier.options);
    let inside = |path: &String| match &*ready.inside {
        "" => Some(path.clone()),
        folder => Some(path.strip_prefix(folder)?.strip_prefix('/')?.to_owned()),
    };
    let affected: Vec<String> = affected.iter().filter_map(inside).collect();
    let verification = rb_verify::verify(&Request {
        verifier: &ready.verifier,
        baseline: &baseline,
        detected: &ready.detected,
        commands: &commands,
        effort,
        name,
        affected: &affected,
        known,
        progress: &*world.host.progress,
    });
    world.ready = Some(ready);
    world.worktree()?.reset(commit)?;
    Ok(verification?)
}

/// The share of passing tests is that of the whole suite, whatever part of it was run again.
fn failure(baseline: &Baseline, after: &Verification, limit: u64) -> Option<Failure> {
    if after.verdict != Verdict::Fail {
        return None;
    }
    let tests = baseline.commands.iter().filter_map(|command| command.tests.as_ref());
    let (passed, ran) =
        tests.fold((0, 0), |(passed, ran), it| (passed + it.counts.passed, ran + it.ran()));
    let compared = after.commands.iter().filter_map(|checked| checked.comparison.as_ref());
    let broken: usize = compared.map(|comparison| comparison.broken.len()).sum();
    let left = passed.saturating_sub(broken as u64);
    let collapsed = has_collapsed((passed, ran), (left, ran), limit);
    Some(if collapsed { Failure::Collapse } else { Failure::Verify })
}

/// Whether fewer than `limit` percent of the tests pass now, so that the run is given up. A baseline below the limit cannot fall
/// below it.
fn has_collapsed(before: (u64, u64), after: (u64, u64), limit: u64) -> bool {
    let below = |(passed, ran): (u64, u64)| passed * 100 < ran * limit;
    after.1 > 0 && below(after) && !below(before)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rf7_below_85_percent_the_run_is_given_up() {
        let check = |before, after, expected| {
            assert_eq!(has_collapsed(before, after, 85), expected, "{before:?} {after:?}");
        };
        check((100, 100), (84, 100), true);
        check((100, 100), (85, 100), false);
        check((20, 20), (17, 20), false);
        check((20, 20), (16, 20), true);
        // It was as bad before.
        check((8, 10), (7, 10), false);
        // Nothing ran: that is no rate.
        check((10, 10), (0, 0), false);
    }
}
