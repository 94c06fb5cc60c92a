//! Walks the graph of a run: performs a node, folds what it says, goes on. It decides nothing.

use rb_core::RunId;
use rb_core::clock;
use rb_core::fs::{self, Durability};

use crate::error::FlowError;
use crate::event::{Event, Record, RunEvent};
use crate::graph::{END, Graph, Node};
use crate::journal::{Journal, Observer};
use crate::log::Log;
use crate::runs::Run;
use crate::workflow::{RunFailure as _, RunState as _, Workflow, World as _};

/// A run that this process works on.
pub struct Driver<W: Workflow> {
    pub state: W::State,
    pub world: W::World,
    log: Log<W>,
    graph: Graph<W>,
}

/// What a journal says.
pub fn fold<W: Workflow>(run: &RunId, records: &[Record<W>]) -> Result<W::State, FlowError> {
    let bad =
        |message: &str| FlowError::BadJournal { run: run.clone(), message: message.to_owned() };
    let Some((first, rest)) = records.split_first() else { return Err(bad("it is empty")) };
    let Event::Run(RunEvent::RunStarted(start)) = &first.event else {
        return Err(bad("it does not begin with the start of a run"));
    };
    let mut state = W::State::new(start.clone());
    for record in rest {
        state.take(&record.event);
    }
    Ok(state)
}

impl<W: Workflow> Driver<W> {
    /// Begins the journal of a run that has just been made.
    pub fn begin(
        run: Run,
        start: W::Start,
        observer: Option<Observer<W>>,
        world: impl FnOnce(Run, Log<W>) -> W::World,
    ) -> Result<Driver<W>, W::Error> {
        let (mut journal, _) = Journal::open(&run.dir).map_err(FlowError::from)?;
        journal.observe(observer);
        journal.write(RunEvent::RunStarted(start.clone())).map_err(FlowError::from)?;
        let log = Log::new(&run.dir, journal);
        Ok(Driver::new(W::State::new(start), world(run, log.clone()), log))
    }

    /// Opens a run to go on with it.
    pub fn reopen(
        run: Run,
        observer: Option<Observer<W>>,
        world: impl FnOnce(Run, &W::State, Log<W>) -> Result<W::World, W::Error>,
    ) -> Result<Driver<W>, W::Error> {
        let (mut journal, contents) = Journal::open(&run.dir).map_err(FlowError::from)?;
        journal.observe(observer);
        let state = fold(&run.id, &contents.records)?;
        let log = Log::new(&run.dir, journal);
        let world = world(run, &state, log.clone())?;
        Ok(Driver::new(state, world, log))
    }

    fn new(state: W::State, mut world: W::World, log: Log<W>) -> Driver<W> {
        let graph = W::graph(state.start());
        world.follow(&state);
        Driver { state, world, log, graph }
    }

    pub fn write(&mut self, event: impl Into<Event<W>>) -> Result<(), W::Error> {
        self.log.write(event).map_err(FlowError::from)?;
        self.fold();
        Ok(())
    }

    fn fold(&mut self) {
        for event in self.log.unfolded() {
            self.state.take(&event);
        }
        self.world.follow(&self.state);
    }

    /// Goes on from another node than the one that the run stood at: a person has decided.
    pub fn go_to<N: Node<W>>(&mut self) -> Result<(), W::Error> {
        let from = self.at();
        self.write(RunEvent::Entered { node: N::NAME.to_owned(), from, ms: 0 })
    }

    fn at(&self) -> Option<String> {
        self.state.course().position.at().map(ToOwned::to_owned)
    }

    /// Steps until there is nothing to do without a person. However it ends, the run can be resumed.
    pub fn drive(mut self) -> Result<W::State, W::Error> {
        let stepped = self.steps();
        self.fold();
        let result = match stepped {
            Ok(()) => Ok(()),
            Err(error) if self.world.cancel().is_cancelled() && error.is_interruption() => {
                self.leave();
                self.write(RunEvent::Interrupted)?;
                Err(FlowError::Interrupted.into())
            }
            Err(error) => {
                self.leave();
                // Where even this cannot be written (a full disk), the journal ends before it.
                let _ = self.write(RunEvent::Stopped { reason: error.to_string() });
                Err(W::explain(&self.state, &self.world, error))
            }
        };
        self.save();
        result.map(|()| self.state.clone())
    }

    fn steps(&mut self) -> Result<(), W::Error> {
        if self.at().is_none() {
            let node = self.entry()?;
            self.write(RunEvent::Entered { node, from: None, ms: 0 })?;
        }
        while let Some(node) = self.at() {
            if self.state.course().outcome.is_some() {
                return Ok(());
            }
            if self.world.cancel().is_cancelled() {
                return Err(FlowError::Interrupted.into());
            }
            self.within_runtime()?;
            if self.graph.waits(&node, &self.state) {
                if !self.state.course().waiting {
                    self.write(RunEvent::Waiting)?;
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
            let position = &self.state.course().position;
            let next = self.graph.next(&node, &self.state, position).to_owned();
            if next == END {
                return Ok(());
            }
            let ms = u64::try_from(clock::now().since(begun).as_millis()).unwrap_or(u64::MAX);
            self.write(RunEvent::Entered { node: next, from: Some(node), ms })?;
        }
        Ok(())
    }

    fn entry(&self) -> Result<String, FlowError> {
        let run = || self.world.run().id.clone();
        let entry = W::entry(&self.state)
            .map_err(|message| FlowError::BadJournal { run: run(), message })?;
        Ok(entry.unwrap_or_else(|| self.graph.first()).to_owned())
    }

    fn within_runtime(&self) -> Result<(), FlowError> {
        match W::runtime_limit(&self.state) {
            Some(limit_s) if self.state.course().worked_ms / 1000 >= limit_s => {
                Err(FlowError::Runtime { run: self.world.run().id.clone(), limit_s })
            }
            Some(_) | None => Ok(()),
        }
    }

    fn leave(&mut self) {
        W::leave(&self.state, &mut self.world);
        self.fold();
    }

    /// The state as it is left, for whoever looks. The journal is what counts.
    fn save(&self) {
        let Some(picture) = W::picture(&self.state) else { return };
        let text = serde_json::to_vec_pretty(&picture).expect("plain data");
        let _ = fs::write(&self.world.run().dir.state(), &text, Durability::Relaxed);
    }
}
