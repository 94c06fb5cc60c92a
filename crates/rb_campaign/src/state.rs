//! What the journal of a campaign says.

use std::collections::BTreeMap;

use rb_core::Usd;
use rb_flow::{Course, Event, RunState};
use rb_jobs::JobId;

use crate::event::{CampaignEvent, CampaignStart, End, Outcome, Repository};
use crate::workflow::Campaign;

#[derive(Debug, Clone)]
pub struct State {
    pub start: CampaignStart,
    /// By name.
    standing: BTreeMap<String, Standing>,
    course: Course<Campaign>,
}

/// Where a repository stands.
#[derive(Debug, Clone, Default)]
struct Standing {
    /// How often it was to be done again.
    round: u32,
    end: Option<End>,
    /// What earlier rounds cost.
    spent: Usd,
}

impl State {
    /// In the order of the list, each with its end if it has one.
    pub fn repositories(&self) -> impl Iterator<Item = (&Repository, Option<&End>)> {
        self.start.repositories.iter().map(|it| (it, self.end(&it.name)))
    }

    pub fn end(&self, name: &str) -> Option<&End> {
        self.standing.get(name)?.end.as_ref()
    }

    pub fn open(&self) -> impl Iterator<Item = &Repository> {
        self.repositories().filter(|(_, end)| end.is_none()).map(|(repository, _)| repository)
    }

    pub fn count(&self, outcome: Outcome) -> usize {
        self.repositories().filter(|(_, end)| end.is_some_and(|it| it.outcome == outcome)).count()
    }

    /// All rounds of all repositories.
    pub fn spent(&self) -> Usd {
        let of = |it: &Standing| it.spent + it.end.as_ref().map_or(Usd::default(), |end| end.cost);
        self.standing.values().map(of).sum()
    }

    /// The job of a repository in the round that it is in.
    pub fn job_id(&self, name: &str) -> JobId {
        let at = self.start.repositories.iter().position(|it| it.name == name).unwrap_or_default();
        let round = self.round(name) + 1;
        let id = format!("{}-{:05}-{round}", self.start.run, at + 1);
        id.parse().expect("digits, letters and hyphens")
    }

    /// The repository that a job of the present round is for.
    pub fn repository_of(&self, job: &JobId) -> Option<&Repository> {
        let at = job.as_str().rsplit('-').nth(1)?.parse::<usize>().ok()?.checked_sub(1)?;
        let repository = self.start.repositories.get(at)?;
        (self.job_id(&repository.name) == *job).then_some(repository)
    }

    pub(crate) fn round(&self, name: &str) -> u32 {
        self.standing.get(name).map_or(0, |it| it.round)
    }
}

impl RunState<Campaign> for State {
    fn new(start: CampaignStart) -> Self {
        State { start, standing: BTreeMap::new(), course: Course::default() }
    }

    fn start(&self) -> &CampaignStart {
        &self.start
    }

    fn take(&mut self, event: &Event<Campaign>) {
        match event {
            Event::Own(CampaignEvent::RepositoryDone { name, round, end }) => {
                let standing = self.standing.entry(name.clone()).or_default();
                // The first end of a round is the one that counts.
                if standing.round == *round && standing.end.is_none() {
                    standing.end = Some((**end).clone());
                }
            }
            Event::Own(CampaignEvent::RepositoriesAgain { names }) => {
                for name in names {
                    let standing = self.standing.entry(name.clone()).or_default();
                    if let Some(end) = standing.end.take() {
                        standing.round += 1;
                        standing.spent = standing.spent + end.cost;
                    }
                }
            }
            Event::Run(_) => {}
        }
        self.course.take(event, "");
    }

    fn course(&self) -> &Course<Campaign> {
        &self.course
    }
}
