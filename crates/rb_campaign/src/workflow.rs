//! The campaign workflow: work on what has no end yet, then wait for a person, who may have repositories done again.

mod work;

use std::collections::BTreeSet;
use std::sync::Arc;

use rb_core::Cancel;
use rb_flow::graph::{Drawing, Graph, Node};
use rb_flow::{Log, Run, Workflow, World};
use rb_jobs::{Job, JobEnd, Queue, QueueError, Taken};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use self::work::WorkOn;
use crate::error::CampaignError;
use crate::event::{CampaignEvent, CampaignStart, End, Outcome};
use crate::state::State;

pub(crate) const NAME: &str = "campaign";

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Campaign;

/// Nobody ends a campaign: it waits, and can be gone on with.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Never {}

impl Campaign {
    /// Its graph, to be drawn.
    pub fn drawing() -> Drawing {
        graph().drawing()
    }
}

impl Workflow for Campaign {
    type Start = CampaignStart;
    type Event = CampaignEvent;
    type Outcome = Never;
    type State = State;
    type World = Site;
    type Error = CampaignError;
    const NAMES: &'static [&'static str] = &[NAME];

    fn graph(_: &CampaignStart) -> Graph<Campaign> {
        graph()
    }

    fn picture(state: &State) -> Option<Value> {
        let counts = Outcome::ALL.map(|it| (it.word().to_owned(), state.count(it).into()));
        let counts: Map<String, Value> = counts.into_iter().collect();
        Some(json!({
            "run": state.start.run,
            "workflow": state.start.workflow,
            "name": state.start.name,
            "repositories": state.start.repositories.len(),
            "outcomes": counts,
        }))
    }
}

fn graph() -> Graph<Campaign> {
    Graph::new(NAME)
        .node::<WorkOn>()
        .then::<Decide>()
        .node::<Decide>()
        .waits_while(|state| state.open().next().is_none())
        .then::<WorkOn>()
}

/// What became of a job in a worker's hands.
#[derive(Debug)]
pub enum Work {
    Ended(JobEnd),
    /// It can be tried again.
    GivenBack {
        why: String,
    },
    /// It was cancelled. Whoever takes the job next goes on with it.
    Interrupted,
}

/// Those who carry out jobs.
pub trait Hands: Send + Sync {
    /// May be called again with a job that a worker died over; goes on with what it left.
    fn work(&self, taken: &Taken, cancel: &Cancel) -> Work;

    /// What the end of a job means for the repository.
    fn end(&self, job: &Job, end: &JobEnd) -> End;
}

/// Makes a queue of its own for a worker.
pub type Queues = Arc<dyn Fn() -> Result<Box<dyn Queue>, QueueError> + Send + Sync>;

/// What a campaign is carried out with.
pub struct Site {
    pub(crate) run: Run,
    pub(crate) log: Log<Campaign>,
    pub(crate) cancel: Cancel,
    pub(crate) hands: Arc<dyn Hands>,
    pub(crate) queues: Queues,
    /// Workers in this process; none where others do the work.
    pub(crate) workers: usize,
    /// What they have.
    pub(crate) has: BTreeSet<String>,
}

impl World<Campaign> for Site {
    fn run(&self) -> &Run {
        &self.run
    }

    fn cancel(&self) -> &Cancel {
        &self.cancel
    }
}

/// A person looks at what came of it.
struct Decide;

impl Node<Campaign> for Decide {
    const NAME: &'static str = "decide";
    const DOES: &'static str = "waits until repositories are to be done again";
    type Reads<'s> = ();
    type Writes = ();

    fn run((): (), _: &mut Site) -> Result<(), CampaignError> {
        Ok(())
    }
}

#[cfg(test)]
mod tests;
