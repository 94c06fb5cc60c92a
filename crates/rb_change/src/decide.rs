//! The decision about a finished run, and its landing.

use rb_core::RunId;
use rb_core::fs;
use rb_flow::{Driver, Event, FlowError, Journal, Run, RunEvent, RunState as _, fold, runs};
use rb_workspace::preflight::check_state;
use rb_workspace::repo::{Head, Kind, RepoError};

use crate::changes::{Changes, Changing as _, Context};
use crate::error::ChangeError;
use crate::event::{ChangeEvent, Decision};
use crate::landing::{Decide, prepare_landing};
use crate::open::{open_repo, reopen, summary};

/// The commits that land.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Commits {
    /// One for each task.
    All,
    /// A single one, with this message or one that lists the tasks.
    One { message: Option<String> },
}

/// Lands a run that waits, or finishes a landing that was cut off.
pub fn accept<W: Changes>(
    context: &Context<W>,
    id: RunId,
    decision: Decision,
    commits: Commits,
) -> Result<W::State, W::Error> {
    let mut driver = reopen(context, id)?;
    must_be_open(&driver)?;
    let _alone = driver.world.as_ref().lock_repo()?;
    if let Some(rollback) = unfinished_rollback_of(context, &driver.world.as_ref().run.id)? {
        let state = format!("is being rolled back by {rollback}; resume that first");
        return Err(driver.world.as_ref().wrong_state(&state).into());
    }
    match driver.state.change().decision {
        None => {
            if let Some(state) = driver.state.undecidable() {
                return Err(driver.world.as_ref().wrong_state(&state).into());
            }
            let squash = squash(&driver, commits)?;
            decide(&mut driver, decision, squash)
                .map_err(|error| W::explain(&driver.state, &driver.world, error))?;
        }
        Some(before) if before != decision => {
            let state = "already has another decision; finish that with `resume`";
            return Err(driver.world.as_ref().wrong_state(state).into());
        }
        Some(_) => {}
    }
    driver.drive()
}

/// Drops a run: its worktree and branch go, the checkout was never touched.
pub fn reject<W: Changes>(context: &Context<W>, id: RunId) -> Result<W::State, W::Error> {
    if is_without_repo(context, &id) {
        return Ok(reject_without_repo(context, id)?);
    }
    let mut driver = reopen(context, id)?;
    must_be_open(&driver)?;
    match driver.state.change().decision {
        None => {
            let decided = ChangeEvent::Decided { decision: Decision::Reject, squash: None };
            driver.write(Event::Own(decided.into()))?;
            driver.go_to::<Decide>()?;
        }
        Some(Decision::Reject) => {}
        Some(Decision::Accept) => {
            let state = "is being accepted; finish it with `accept`, or undo it with `rollback`";
            return Err(driver.world.as_ref().wrong_state(state).into());
        }
        Some(Decision::KeepBranch) => {
            return Err(driver.world.as_ref().wrong_state("was already accepted").into());
        }
    }
    driver.drive()
}

pub fn must_be_open<W: Changes>(driver: &Driver<W>) -> Result<(), ChangeError> {
    match driver.state.ending() {
        Some(words) => {
            Err(driver.world.as_ref().wrong_state(&format!("has already ended ({words})")))
        }
        None => Ok(()),
    }
}

/// The rollback of `id` that was begun and not finished, if there is one.
fn unfinished_rollback_of<W: Changes>(
    context: &Context<W>,
    id: &RunId,
) -> Result<Option<RunId>, ChangeError> {
    for other in runs::list(&context.host.home)? {
        // One that cannot be read is no reason to stop.
        let Ok(state) = summary::<W>(&context.host, &other) else { continue };
        let undoes = W::undone(state.start()).is_some_and(|undone| undone.of == *id);
        if undoes && state.ending().is_none() && state.change().rollback.is_some() {
            return Ok(Some(other));
        }
    }
    Ok(None)
}

/// Whether the repository is gone, and branch and checkout with it.
fn is_without_repo<W: Changes>(context: &Context<W>, id: &RunId) -> bool {
    let Ok(state) = summary::<W>(&context.host, id) else { return false };
    let repo = open_repo(&context.host, id, &W::target(state.start()));
    matches!(repo, Err(ChangeError::Repo(RepoError::Gone(_))))
}

/// What is left lies below the home.
fn reject_without_repo<W: Changes>(
    context: &Context<W>,
    id: RunId,
) -> Result<W::State, ChangeError> {
    let run = Run::open(&context.host.home, id)?;
    let (mut journal, contents) = Journal::<W>::open(&run.dir)?;
    let mut state = fold::<W>(&run.id, &contents.records)?;
    if state.ending().is_some() {
        return Ok(state);
    }
    fs::remove_dir_all(&context.host.home.worktree(&run.id))?;
    let decided = ChangeEvent::Decided { decision: Decision::Reject, squash: None };
    let ended = RunEvent::RunEnded { outcome: W::REJECTED };
    let changes = [decided, ChangeEvent::Cleaned].map(|event| Event::<W>::Own(event.into()));
    for event in changes.into_iter().chain([ended.into()]) {
        state.take(&event);
        journal.write(event).map_err(FlowError::from)?;
    }
    Ok(state)
}

/// Plans the landing before the decision is entered: one that cannot land stays undecided.
fn decide<W: Changes>(
    driver: &mut Driver<W>,
    decision: Decision,
    squash: Option<String>,
) -> Result<(), W::Error> {
    let repo = &driver.world.as_ref().repo;
    if decision == Decision::Accept && repo.kind == Kind::Git {
        check_state(repo).map_err(ChangeError::from)?;
    }
    let decision = match decision {
        Decision::Accept if must_keep_branch(driver)? => Decision::KeepBranch,
        other => other,
    };
    if decision != Decision::Accept {
        let decided = ChangeEvent::Decided { decision, squash: None };
        driver.write(Event::Own(decided.into()))?;
        return driver.go_to::<Decide>();
    }
    let landing = prepare_landing(driver.state.change(), squash.as_deref(), driver.world.as_mut())?;
    let events =
        [ChangeEvent::Decided { decision, squash }, ChangeEvent::LandingStarted { landing }];
    for event in events {
        driver.write(Event::Own(event.into()))?;
    }
    driver.go_to::<Decide>()
}

/// The message of the one commit that is to land, if there is to be one.
fn squash<W: Changes>(driver: &Driver<W>, commits: Commits) -> Result<Option<String>, ChangeError> {
    let Commits::One { message } = commits else { return Ok(None) };
    let world = driver.world.as_ref();
    if driver.state.change().carried() || world.repo.kind == Kind::Folder {
        return Err(world.wrong_state("is applied without a commit, so there is nothing to squash"));
    }
    Ok(Some(message.unwrap_or_else(|| driver.state.squash_message())))
}

/// A detached HEAD has no branch that could go on.
fn must_keep_branch<W: Changes>(driver: &Driver<W>) -> Result<bool, ChangeError> {
    let repo = &driver.world.as_ref().repo;
    Ok(repo.kind == Kind::Git
        && matches!(repo.head()?, Head::Detached { .. })
        && !driver.state.change().carried())
}
