//! Walks the graph of a run: performs a node, folds what it says, goes on. It decides nothing.

use std::path::Path;

use rb_core::fs::{self, Durability};
use rb_core::{RunId, clock};
use rb_flow::event::RunStarted;
use rb_flow::graph::{Drawing, END, Folds as _};
use rb_flow::{Event, Journal, Run, Workflow, journal};
use rb_workspace::preflight::Preflight;
use rb_workspace::repo::{Kind, Repo};

use crate::Context;
use crate::error::RunError;
use crate::graph::{self, RunGraph};
use crate::hands;
use crate::log::Log;
use crate::state::{Phase, Saved, State};
use crate::world::World;

/// A run that this process works on.
pub(crate) struct Driver {
    pub(crate) state: State,
    pub(crate) world: World,
    log: Log,
    graph: RunGraph,
}

/// Goes on with a run until it waits for a word or has ended. Where its plan waits, that it is gone on with is a yes.
pub fn resume(context: &Context, id: RunId) -> Result<State, RunError> {
    let mut driver = Driver::reopen(context, id)?;
    let _alone = if driver.state.writes_checkout() { Some(driver.lock_repo()?) } else { None };
    if driver.state.outcome.is_none() {
        // Nobody agrees to a plan that was not made yet.
        let is_planned = driver.state.phase() == Phase::Planned;
        driver.write(Event::Resumed)?;
        if is_planned {
            driver.write(Event::Confirmed)?;
        }
    }
    driver.drive()
}

/// What a run's journal says, without a lock and without any change.
pub fn summary(context: &Context, id: &RunId) -> Result<State, RunError> {
    let dir = context.home.run(id);
    if !dir.is_dir() {
        return Err(rb_flow::RunsError::Unknown(id.clone()).into());
    }
    State::fold(id, &journal::read(&dir)?.records)
}

/// The graphs of all workflows, to be drawn.
pub fn drawings() -> Vec<Drawing> {
    let rollback = Workflow::Rollback { of: RunId::candidate(clock::now(), 1), insist: false };
    [Workflow::Refactor, Workflow::Plan, Workflow::Verify, rollback]
        .iter()
        .map(|workflow| graph::of(workflow).drawing())
        .collect()
}

impl Driver {
    /// Begins a journal for a run that has just been made.
    pub(crate) fn begin(
        context: &Context,
        run: Run,
        started: RunStarted,
        target: Preflight,
    ) -> Result<Driver, RunError> {
        let (mut journal, _) = Journal::open(&run.dir)?;
        if let Some(observer) = &context.observer {
            journal.observe(observer.clone());
        }
        let notes: Vec<String> = target.notes.iter().map(ToString::to_string).collect();
        let repo = target.repo.clone();
        let state = State::new(started.clone());
        journal.write(Event::RunStarted(started))?;
        let log = Log::new(journal);
        let mut driver = Driver::new(context, run, state, repo, log, Some(target));
        for text in notes {
            driver.write(Event::Noted { text })?;
        }
        Ok(driver)
    }

    pub(crate) fn reopen(context: &Context, id: RunId) -> Result<Driver, RunError> {
        let run = Run::open(&context.home, id)?;
        let (mut journal, contents) = Journal::open(&run.dir)?;
        let state = State::fold(&run.id, &contents.records)?;
        if let Some(observer) = &context.observer {
            journal.observe(observer.clone());
        }
        let repo = open_repo(context, &run.id, &state.started)?;
        Ok(Driver::new(context, run, state, repo, Log::new(journal), None))
    }

    fn new(
        context: &Context,
        run: Run,
        state: State,
        repo: Repo,
        log: Log,
        fresh: Option<Preflight>,
    ) -> Driver {
        let started = state.started.clone();
        let graph = graph::of(&started.workflow);
        let mut world = World::new(context.clone(), run, started, repo, log.clone(), fresh);
        world.stand_at(state.base.as_ref().map(|base| base.commit.as_str()), state.tip());
        Driver { state, world, log, graph }
    }

    pub(crate) fn write(&mut self, event: Event) -> Result<(), RunError> {
        self.log.write(event)?;
        self.fold();
        Ok(())
    }

    fn fold(&mut self) {
        for event in self.log.unfolded() {
            self.state.take(&event);
        }
        let base = self.state.base.as_ref().map(|base| base.commit.as_str());
        self.world.stand_at(base, self.state.tip());
    }

    /// Goes on from another node than the one that the run stood at: a person has decided.
    pub(crate) fn go_to(&mut self, node: &str) -> Result<(), RunError> {
        let from = self.state.position.at().map(ToOwned::to_owned);
        self.write(Event::Entered { node: node.to_owned(), from, ms: 0 })
    }

    /// Steps until there is nothing to do without a person. However it ends, the run can be resumed.
    pub(crate) fn drive(mut self) -> Result<State, RunError> {
        let stepped = self.steps();
        self.fold();
        let result = match stepped {
            Ok(()) => Ok(()),
            Err(error) if self.world.context.cancel.is_cancelled() && error.is_interruption() => {
                self.leave_nothing();
                self.write(Event::Interrupted)?;
                Err(RunError::Interrupted)
            }
            Err(error) => {
                self.leave_nothing();
                // Where even this cannot be written (a full disk), the journal ends before it.
                let _ = self.write(Event::Stopped { reason: error.to_string() });
                Err(self.explained(error))
            }
        };
        self.save();
        result.map(|()| self.state.clone())
    }

    fn steps(&mut self) -> Result<(), RunError> {
        if self.state.position.at().is_none() {
            let node = self.entry()?;
            self.write(Event::Entered { node, from: None, ms: 0 })?;
        }
        while let Some(node) = self.state.position.at().map(ToOwned::to_owned) {
            if self.state.outcome.is_some() {
                return Ok(());
            }
            if self.world.context.cancel.is_cancelled() {
                return Err(RunError::Interrupted);
            }
            self.within_runtime()?;
            if self.graph.waits(&node, &self.state) {
                if !self.state.waiting {
                    self.write(Event::Waiting)?;
                }
                return Ok(());
            }
            let begun = clock::now();
            let said = self.graph.perform(&node, &self.state, &mut self.world);
            self.fold();
            for event in said? {
                self.write(event)?;
            }
            if let Some(error) = self.world.stopped() {
                return Err(error);
            }
            let next = self.graph.next(&node, &self.state, &self.state.position).to_owned();
            if next == END {
                return Ok(());
            }
            let ms = u64::try_from(clock::now().since(begun).as_millis()).unwrap_or(u64::MAX);
            self.write(Event::Entered { node: next, from: Some(node), ms })?;
        }
        Ok(())
    }

    /// Where a run without a position stands: at its beginning, or, in a journal of before there was a graph, where it waits.
    fn entry(&self) -> Result<String, RunError> {
        if self.state.decision.is_some() || self.state.waiting {
            return Ok(graph::DECIDE.to_owned());
        }
        if self.state.backup.is_some() || self.state.base.is_some() {
            let message =
                "it was started by an older version; reject it and start again".to_owned();
            return Err(RunError::BadJournal { run: self.world.run.id.clone(), message });
        }
        Ok(self.graph.first().to_owned())
    }

    fn within_runtime(&self) -> Result<(), RunError> {
        match self.state.started.orders.max_runtime_s {
            Some(limit) if self.state.worked_ms / 1000 >= limit && !self.state.is_ending() => {
                Err(RunError::Runtime { run: self.world.run.id.clone(), limit_s: limit })
            }
            Some(_) | None => Ok(()),
        }
    }

    /// Removes a worktree that nobody goes on with: that of a look, which is begun anew, or of a run that has no backup.
    fn leave_nothing(&mut self) {
        let is_look = matches!(self.state.started.workflow, Workflow::Verify | Workflow::Plan);
        let is_run = matches!(self.state.started.workflow, Workflow::Refactor);
        if is_look || (is_run && self.state.base.is_some() && self.state.lacks_backup()) {
            // What cannot be removed is found by `runs gc`.
            let _ = hands::clean(&self.state, &mut self.world);
            self.fold();
        }
    }

    /// The state as it is left, for whoever looks. The journal is what counts.
    fn save(&self) {
        if !self.state.started.orders.plans {
            return;
        }
        let text = serde_json::to_vec_pretty(&Saved::of(&self.state)).expect("plain data");
        let _ = fs::write(&self.world.run.dir.join("state.json"), &text, Durability::Relaxed);
    }

    /// Git has many words for a full disk; the disk itself has one.
    pub(crate) fn explained(&self, error: RunError) -> RunError {
        const HARDLY_ANY: u64 = 1 << 20;
        let can_go_on = matches!(self.state.started.workflow, Workflow::Refactor);
        let error = match error {
            RunError::Model(source) if can_go_on => {
                let run = self.world.run.id.clone();
                return RunError::NoAnswer { run, error: Box::new(source) };
            }
            other => other,
        };
        let home = self.world.context.home.root();
        let free = |at: &&Path| fs::free_space(at).unwrap_or(u64::MAX);
        let tightest = [home, self.world.repo.common_dir.as_path()].into_iter().min_by_key(free);
        let tightest = tightest.expect("there are two places");
        let is_full =
            error.is_disk_full() || (error.git_error().is_some() && free(&tightest) < HARDLY_ANY);
        if !is_full {
            return error;
        }
        let at = error.fs_error().map_or(tightest, |error| error.path.as_path());
        RunError::DiskFull { is_home: at.starts_with(home), at: at.to_owned() }
    }
}

/// Opens the repository that a run works on, as it was when the run began.
pub(crate) fn open_repo(
    context: &Context,
    run: &RunId,
    started: &RunStarted,
) -> Result<Repo, RunError> {
    let Context { home, env, cancel, .. } = context;
    Ok(match started.kind {
        Kind::Git => Repo::open_git(&started.repo, started.scope.clone(), env, cancel)?,
        Kind::Folder => Repo::open_folder(&started.repo, home, run, env, cancel)?,
    })
}
