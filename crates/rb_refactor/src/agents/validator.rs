//! The validator: the baseline before any change, the fast verifier after a task, the full one now and then and at the end.
//!
//! Foreign commands run on a commit and never on loose files, so that whatever they write into the worktree is thrown away
//! before the run goes on.

use std::path::{Path, PathBuf};

use rb_core::fs;
use rb_core::{RepoPath, Task, TaskId, Verdict, VerifierLevel};
use rb_flow::graph::{Node, Update, View};
use rb_index::IndexError;
use rb_toolchains::Command;
use rb_verify::{Baseline, Checked, Effort, Request, Verification};

use crate::error::RunError;
use crate::event::{Event, Failure, RefactorEvent, noted};
use crate::recovery::has_collapsed;
use crate::state::{State, VerifiedCommit};
use crate::verify_setup::{VerifySetup, keep, keep_beside, read_baseline, ready};
use crate::workflow::Refactor;
use crate::world::{Effect, World};

/// Takes the baseline.
pub(crate) struct Baseliner;

pub(crate) struct NoReads;

impl View<'_, State> for NoReads {
    fn of(_: &State) -> Self {
        NoReads
    }
}

pub(crate) struct Taken {
    verdict: Verdict,
    untested: bool,
    reasons: Vec<String>,
    /// What may mend a failure, and what is flaky.
    notes: Vec<String>,
    file: PathBuf,
}

impl Update<Refactor> for Taken {
    fn events(self) -> Vec<Event> {
        let Taken { verdict, untested, reasons, notes, file } = self;
        let taken = RefactorEvent::BaselineTaken { verdict, untested, reasons, file };
        noted(notes).chain([taken.into()]).collect()
    }
}

impl Node<Refactor> for Baseliner {
    const NAME: &'static str = "baseline";
    const DOES: &'static str = "runs the repository's own checks before any change";
    type Reads<'s> = NoReads;
    type Writes = Taken;

    fn run(_: NoReads, world: &mut World) -> Result<Taken, RunError> {
        world.effect(Effect::BaselineStarted)?;
        let clean = world.tip()?;
        world.worktree()?.reset(&clean)?;
        let (ready, prepared) = ready(world)?;
        let commands = all_commands(&ready);
        let taken = rb_verify::baseline(
            &ready.verifier,
            &ready.detected,
            &commands,
            prepared.words,
            &*world.context.progress,
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
        Ok(Taken { verdict, untested, reasons, notes, file })
    }
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
pub(crate) struct Validator;

pub(crate) struct Reads<'s> {
    task: Option<&'s Task>,
    attempt: u32,
    candidate: Option<&'s str>,
    paths: &'s [RepoPath],
    /// How many tasks ended before.
    done: usize,
    /// Checkpoints of earlier tasks stand.
    has_changes: bool,
}

impl<'s> View<'s, State> for Reads<'s> {
    fn of(state: &'s State) -> Self {
        let current = state.current.as_ref();
        Reads {
            task: state.current_task(),
            attempt: current.map_or(1, |current| current.attempt),
            candidate: current.and_then(|current| current.candidate.as_deref()),
            paths: current.map_or(&[], |current| current.paths.as_slice()),
            done: state.ledger.len(),
            has_changes: state.has_changes(),
        }
    }
}

/// What the commands said; `None` where there was nothing to run.
pub(crate) struct Verified(Option<Said>);

impl Verified {
    fn fails(&self) -> bool {
        self.0.as_ref().is_some_and(|said| said.verdict == Verdict::Fail)
    }
}

struct Said {
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

impl Update<Refactor> for Verified {
    fn events(self) -> Vec<Event> {
        let Some(said) = self.0 else { return Vec::new() };
        let Said { task, effort, verdict, untested, reasons, file, failure, flaky } = said;
        let ended =
            RefactorEvent::VerifyEnded { task, effort, verdict, untested, reasons, file, failure };
        noted(flaky).chain([ended.into()]).collect()
    }
}

impl Node<Refactor> for Validator {
    const NAME: &'static str = "validate";
    const DOES: &'static str = "runs the tests, and compares them one by one with the baseline";
    type Reads<'s> = Reads<'s>;
    type Writes = Verified;

    fn run(reads: Reads<'_>, world: &mut World) -> Result<Verified, RunError> {
        let (Some(task), Some(commit)) = (reads.task, reads.candidate) else {
            return Ok(Verified(None));
        };
        let effort = effort(world, task, reads.done);
        let affected = affected(world, commit, reads.paths)?;
        let clean = world.tip()?;
        let looked = Looked { task: Some(task.id), attempt: reads.attempt, commit };
        let checked = check(world, looked, effort, (&affected, &[]))?;
        let is_broken = effort == Effort::Full && checked.fails() && reads.has_changes;
        if !is_broken
            || look(world, &clean, &format!("before-{}", task.id))?.verdict != Verdict::Fail
        {
            return Ok(checked);
        }
        // It failed in full without this task: that is looked into at the end, and this one is judged by what each task is.
        check(world, looked, Effort::Fast, (&affected, &[]))
    }
}

/// Fast, or full where the task asks for it or it is time for it again.
fn effort(world: &World, task: &Task, done: usize) -> Effort {
    let every = world.started.verify.as_ref().map_or(1, |verify| verify.full_every.max(1));
    let is_time = (done + 1).is_multiple_of(every as usize);
    if is_time || task.verifier_level == VerifierLevel::Full { Effort::Full } else { Effort::Fast }
}

/// Tests that reach what the commit touches, by the index of the worktree with the change.
fn affected(world: &World, commit: &str, paths: &[RepoPath]) -> Result<Vec<String>, RunError> {
    let touched: Vec<String> = paths.iter().map(ToString::to_string).collect();
    let Some(known) = world.candidate.as_ref().filter(|known| known.commit == commit) else {
        // Resumed after the audit: all tests are run.
        return Ok(Vec::new());
    };
    let view = known.indexed.view().map_err(IndexError::from)?;
    Ok(rb_verify::affected(&view, &touched))
}

/// Verifies all changes of the run together.
pub(crate) struct WholeValidator;

pub(crate) struct WholeReads<'s> {
    is_known: bool,
    /// What the last task was verified as.
    last: Option<&'s VerifiedCommit>,
}

impl<'s> View<'s, State> for WholeReads<'s> {
    fn of(state: &'s State) -> Self {
        WholeReads {
            is_known: state.verified_in_full.is_some(),
            last: state.verified_commit.as_ref(),
        }
    }
}

/// The commands of an earlier verification; none where its record cannot be read.
fn already_checked(world: &World, file: &Path) -> Result<Vec<Checked>, RunError> {
    let record = fs::read_optional(&world.run.dir.join(file))?.unwrap_or_default();
    let record = serde_json::from_slice::<Verification>(&record);
    Ok(record.map(|record| record.commands).unwrap_or_default())
}

impl Node<Refactor> for WholeValidator {
    const NAME: &'static str = "validate_all";
    const DOES: &'static str = "runs everything that the repository checks itself by";
    type Reads<'s> = WholeReads<'s>;
    type Writes = Verified;

    fn run(reads: WholeReads<'_>, world: &mut World) -> Result<Verified, RunError> {
        if reads.is_known {
            return Ok(Verified(None));
        }
        let tip = world.tip()?;
        let known = match reads.last.filter(|last| last.commit == tip) {
            Some(last) => already_checked(world, &last.file)?,
            None => Vec::new(),
        };
        let looked = Looked { task: None, attempt: 1, commit: &tip };
        check(world, looked, Effort::Full, (&[], &known))
    }
}

/// What is verified.
#[derive(Clone, Copy)]
struct Looked<'c> {
    /// `None` for the run as a whole.
    task: Option<TaskId>,
    attempt: u32,
    commit: &'c str,
}

impl Looked<'_> {
    /// Names the outputs. Every try has its own.
    fn name(&self) -> String {
        match (self.task, self.attempt) {
            (None, _) => "whole".to_owned(),
            (Some(task), 1) => task.to_string(),
            (Some(task), attempt) => format!("{task}-try{attempt}"),
        }
    }
}

/// Verifies the worktree at a commit and leaves it there.
fn check(
    world: &mut World,
    looked: Looked<'_>,
    effort: Effort,
    (affected, known): (&[String], &[Checked]),
) -> Result<Verified, RunError> {
    let (task, name) = (looked.task, looked.name());
    let baseline = read_baseline(world)?;
    let limit = world.started.verify.as_ref().map_or(0, |it| it.options.thresholds.abort);
    let verification = verify(world, task, effort, looked.commit, (&name, affected, known))?;
    let file = keep_beside(world, &name, &verification)?;
    let failure = failure(&baseline, &verification, u64::from(limit));
    let runs = verification.commands.iter().map(|checked| &checked.run);
    let flaky = rb_verify::flaky_words(&verification.flaky, runs);
    let Verification { verdict, untested, reasons, .. } = verification;
    Ok(Verified(Some(Said { task, effort, verdict, untested, reasons, file, failure, flaky })))
}

/// All checks of the repository at a commit of the run, for whoever looks for the cause of something.
pub(crate) fn look(world: &mut World, commit: &str, name: &str) -> Result<Verification, RunError> {
    let verification = verify(world, None, Effort::Full, commit, (name, &[], &[]))?;
    keep_beside(world, name, &verification)?;
    Ok(verification)
}

fn verify(
    world: &mut World,
    task: Option<TaskId>,
    effort: Effort,
    commit: &str,
    (name, affected, known): (&str, &[String], &[Checked]),
) -> Result<Verification, RunError> {
    world.effect(Effect::VerifyStarted { task, effort })?;
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
        progress: &*world.context.progress,
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
