//! A campaign is made, found by its name, gone on with.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::Arc;

use rb_core::{Cancel, Home, RunId};
use rb_core::{clock, fs};
use rb_flow::{
    Driver, FlowError, Observer, Run, RunDir, RunEvent, Workflow as _, fold, journal, runs,
};
use rb_jobs::{LocalQueue, Queue};
use serde_json::json;

use crate::error::CampaignError;
use crate::event::{CampaignEvent, CampaignStart, Repository};
use crate::state::State;
use crate::workflow::{Campaign, Hands, NAME, Site};

/// Who carries a campaign out, and where.
pub struct Context {
    pub home: Home,
    pub cancel: Cancel,
    pub observer: Option<Observer<Campaign>>,
    pub hands: Arc<dyn Hands>,
    /// Workers in this process.
    pub workers: usize,
    /// What they have: toolchains, and `sandbox`.
    pub has: BTreeSet<String>,
}

/// What is to be done, and where.
#[derive(Debug, Clone)]
pub struct Order {
    pub name: String,
    pub title: String,
    pub command: Vec<String>,
    pub repositories: Vec<Repository>,
    pub most_tries: u32,
}

const LONGEST_NAME: usize = 60;

/// Writes the campaign down. Nothing is done yet.
pub fn start(home: &Home, order: Order) -> Result<State, CampaignError> {
    let is_part = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte);
    let is_name = order.name.bytes().all(is_part) && !order.name.starts_with(['-', '.']);
    if order.name.is_empty() || order.name.len() > LONGEST_NAME || !is_name {
        return Err(CampaignError::BadName(order.name));
    }
    // Two that are made in one moment would have one name.
    fs::create_dir_all(&home.locks())?;
    let Some(_alone) = fs::try_lock(&home.locks().join("campaigns"))? else {
        return Err(CampaignError::Busy);
    };
    if find(home, &order.name)?.is_some() {
        return Err(CampaignError::Taken(order.name));
    }
    let run = Run::create(home, clock::now(), |_| Ok::<_, CampaignError>(false))?;
    let Order { name, title, command, repositories, most_tries } = order;
    let start = CampaignStart {
        run: run.id.clone(),
        workflow: json!({ "name": NAME }),
        name,
        title,
        command,
        repositories,
        most_tries,
    };
    let (mut journal, _) = rb_flow::Journal::<Campaign>::open(&run.dir)?;
    journal.write(RunEvent::RunStarted(start.clone()))?;
    Ok(<State as rb_flow::RunState<Campaign>>::new(start))
}

/// Works on what has no end yet, and returns when nothing is open.
pub fn go_on(context: &Context, id: &RunId) -> Result<State, CampaignError> {
    let mut driver = reopen(context, id)?;
    driver.write(RunEvent::Resumed)?;
    driver.drive()
}

/// Repositories, by name, are open again.
pub fn again(context: &Context, id: &RunId, names: Vec<String>) -> Result<State, CampaignError> {
    let mut driver = reopen(context, id)?;
    let is_known =
        |name: &&String| driver.state.start.repositories.iter().any(|it| it.name == **name);
    if let Some(name) = names.iter().find(|name| !is_known(name)) {
        return Err(CampaignError::UnknownRepository(name.clone()));
    }
    driver.write(CampaignEvent::RepositoriesAgain { names })?;
    Ok(driver.state.clone())
}

fn reopen(context: &Context, id: &RunId) -> Result<Driver<Campaign>, CampaignError> {
    let run = Run::open(&context.home, id.clone())?;
    Driver::reopen(run, context.observer.clone(), |run, _, log| {
        let folder: PathBuf = run.dir.join("queue");
        Ok(Site {
            run,
            log,
            cancel: context.cancel.clone(),
            hands: Arc::clone(&context.hands),
            queues: Arc::new(move || Ok(Box::new(LocalQueue::open(&folder)?) as Box<dyn Queue>)),
            workers: context.workers,
            has: context.has.clone(),
        })
    })
}

/// What the journal of a campaign says.
pub fn read(home: &Home, id: &RunId) -> Result<State, CampaignError> {
    let dir = RunDir::new(home, id);
    match journal::head(&dir)? {
        Some(head) if Campaign::NAMES.contains(&head.workflow.as_str()) => {}
        Some(_) | None => return Err(CampaignError::OtherRun(id.clone())),
    }
    Ok(fold(id, &journal::read::<Campaign>(&dir)?.records)?)
}

/// All campaigns that can be read, oldest first.
pub fn list(home: &Home) -> Result<Vec<State>, CampaignError> {
    let mut all = Vec::new();
    for id in runs::list(home)? {
        match read(home, &id) {
            Ok(state) => all.push(state),
            Err(
                CampaignError::OtherRun(_)
                | CampaignError::Journal(_)
                | CampaignError::Flow(FlowError::BadJournal { .. }),
            ) => {}
            Err(error) => return Err(error),
        }
    }
    Ok(all)
}

/// The campaign of this name.
pub fn find(home: &Home, name: &str) -> Result<Option<State>, CampaignError> {
    Ok(list(home)?.into_iter().find(|state| state.start.name == name))
}
