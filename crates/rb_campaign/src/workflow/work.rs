//! Every repository without an end is given to the queue; what comes back is written down.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use rb_core::Cancel;
use rb_flow::FlowError;
use rb_flow::graph::Node;
use rb_jobs::{Job, JobId, Queue};

use super::{Campaign, Site, Work};
use crate::error::CampaignError;
use crate::event::CampaignEvent;
use crate::state::State;

/// How often the queue is looked at for what workers elsewhere have done.
const LOOK: Duration = Duration::from_millis(200);

pub(super) struct WorkOn;

impl Node<Campaign> for WorkOn {
    const NAME: &'static str = "work";
    const DOES: &'static str = "gives each repository to a worker and writes down how it ended";
    type Reads<'s> = &'s State;
    type Writes = ();

    fn run(state: &State, site: &mut Site) -> Result<(), CampaignError> {
        let queue = (site.queues)()?;
        let mut open: BTreeMap<JobId, Job> = BTreeMap::new();
        for repository in state.open() {
            let id = state.job_id(&repository.name);
            let job = Job {
                id: id.clone(),
                repository: repository.place.clone(),
                command: state.start.command.clone(),
                needs: BTreeSet::new(),
                most_tries: state.start.most_tries,
            };
            queue.submit(&job)?;
            open.insert(id, job);
        }
        // They end with this node, however it ends.
        let stop = Cancel::default();
        let (tell, told) = mpsc::channel();
        thread::scope(|scope| {
            for _ in 0..site.workers.min(open.len()) {
                let (tell, site, stop) = (tell.clone(), &*site, &stop);
                scope.spawn(move || {
                    let _ = tell.send(worker(site, stop, &tell));
                });
            }
            drop(tell);
            let collected = collect(state, site, &*queue, open, &told);
            stop.cancel();
            collected
        })
    }
}

/// What a worker says: that something ended, or why it left.
type Told = Result<(), CampaignError>;

fn collect(
    state: &State,
    site: &Site,
    queue: &dyn Queue,
    mut open: BTreeMap<JobId, Job>,
    told: &mpsc::Receiver<Told>,
) -> Result<(), CampaignError> {
    loop {
        for result in queue.results()? {
            if let (Some(job), Some(repository)) =
                (open.remove(&result.job), state.repository_of(&result.job))
            {
                let mut end = site.hands.end(&job, &result.end);
                (end.worker, end.tries) = (result.worker, result.tries);
                let (name, round) = (repository.name.clone(), state.round(&repository.name));
                site.log
                    .write(CampaignEvent::RepositoryDone { name, round, end: Box::new(end) })
                    .map_err(FlowError::from)?;
            }
            queue.confirm(&result.job)?;
        }
        if open.is_empty() {
            return Ok(());
        }
        if site.cancel.is_cancelled() {
            return Err(FlowError::Interrupted.into());
        }
        match told.recv_timeout(LOOK) {
            Ok(Err(error)) => return Err(error),
            Ok(Ok(())) | Err(RecvTimeoutError::Timeout) => {}
            // This process has no worker; others may be at work.
            Err(RecvTimeoutError::Disconnected) => thread::sleep(LOOK),
        }
    }
}

/// Takes jobs until `stop` is cancelled or none is left.
fn worker(site: &Site, stop: &Cancel, tell: &mpsc::Sender<Told>) -> Told {
    let queue = (site.queues)()?;
    while !stop.is_cancelled() {
        let Some(taken) = queue.take(&site.has)? else {
            // Others hold what is left, and may die.
            if queue.left()? == 0 {
                return Ok(());
            }
            thread::sleep(LOOK);
            continue;
        };
        match site.hands.work(&taken, stop) {
            Work::Ended(end) => {
                queue.finish(&taken, end)?;
            }
            Work::GivenBack { why } => queue.give_back(&taken, &why)?,
            Work::Interrupted => return Ok(()),
        }
        let _ = tell.send(Ok(()));
    }
    Ok(())
}
