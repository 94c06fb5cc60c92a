//! A journal that is read on, folded into the state of its run.

use std::collections::VecDeque;
use std::path::PathBuf;

use rb_ask::workflow::Ask;
use rb_core::RunId;
use rb_core::clock::Timestamp;
use rb_flow::journal::{self, Follower};
use rb_flow::{Event, JournalError, Record, RunDir, RunEvent, RunState as _, runs, spending};
use rb_html::Page;
use rb_kata::workflow::Kata;
use rb_models::Ledger;
use rb_refactor::Refactor;
use rb_ticket::workflow::Ticketing;

use super::LogLine;
use crate::pages::run::{Part, RunView, money, parts};
use crate::reply::Problem;
use crate::site::Site;

/// Lines of the log that are kept.
const LOG: usize = 300;

/// What every workflow's run has.
pub(crate) struct RunFacts {
    pub(crate) id: RunId,
    pub(crate) dir: RunDir,
    /// The folder whose code this server shows.
    pub(crate) code: PathBuf,
    /// A process is working on it.
    pub(crate) busy: bool,
    pub(crate) began: Option<Timestamp>,
    pub(crate) last: Option<Timestamp>,
    pub(crate) events: u64,
    pub(crate) ledger: Ledger,
    /// In the order of the first visit: name, visits, milliseconds.
    pub(crate) nodes: Vec<(String, u32, u64)>,
}

/// What the list shows of a run.
#[derive(Debug, Clone)]
pub(crate) struct Row {
    pub(crate) kind: &'static str,
    pub(crate) title: String,
    pub(crate) place: String,
    pub(crate) stands: &'static str,
    /// How it came out, in a few words.
    pub(crate) result: String,
    pub(crate) cost: String,
    pub(crate) began: Option<Timestamp>,
    pub(crate) ms: u64,
}

impl RunFacts {
    /// From the first event to the last, in milliseconds.
    pub(crate) fn ms(&self) -> u64 {
        let span = self.began.zip(self.last).map(|(began, last)| last.since(began).as_millis());
        u64::try_from(span.unwrap_or(0)).unwrap_or(u64::MAX)
    }
}

/// A run of any workflow, followed.
pub(crate) trait Following: Send {
    /// Takes in what was written since. Whether anything changed.
    fn advance(&mut self) -> Result<bool, Problem>;

    /// The parts of the page that change while the run goes on.
    fn parts(&self, site: &Site) -> Result<Vec<Part>, Problem>;

    fn title(&self) -> String;

    /// Lines after `seq`, oldest first.
    fn log_after(&self, seq: u64) -> Page;

    fn facts(&self) -> &RunFacts;

    /// It has ended for good, and nothing works on it.
    fn is_over(&self) -> bool;

    /// `None` before its first event.
    fn row(&self) -> Option<Row>;
}

pub(crate) fn follow(site: &Site, id: &RunId) -> Result<Box<dyn Following>, Problem> {
    let dir = RunDir::new(&site.host.home, id);
    let unknown = || Problem::not_found(format_args!("Run {id}"));
    let head = match journal::head(&dir) {
        Ok(head) => head.ok_or_else(unknown)?,
        Err(JournalError::Missing(_)) => return Err(unknown()),
        Err(error) => return Err(Problem::failed(error)),
    };
    let is = |names: &[&str]| names.contains(&head.workflow.as_str());
    let mut followed: Box<dyn Following> = if is(<Ask as rb_flow::Workflow>::NAMES) {
        Box::new(Followed::<Ask>::new(id, dir, site))
    } else if is(<Kata as rb_flow::Workflow>::NAMES) {
        Box::new(Followed::<Kata>::new(id, dir, site))
    } else if is(<Ticketing as rb_flow::Workflow>::NAMES) {
        Box::new(Followed::<Ticketing>::new(id, dir, site))
    } else if is(<Refactor as rb_flow::Workflow>::NAMES) {
        Box::new(Followed::<Refactor>::new(id, dir, site))
    } else {
        let workflow = head.workflow;
        return Err(Problem::failed(JournalError::OtherWorkflow { run: head.run, workflow }));
    };
    followed.advance()?;
    Ok(followed)
}

struct Followed<W: RunView> {
    facts: RunFacts,
    follower: Follower<Record<W>>,
    state: Option<W::State>,
    /// The events that money hangs on.
    calls: Vec<Record<W>>,
    log: VecDeque<LogLine>,
}

impl<W: RunView> Followed<W> {
    fn new(id: &RunId, dir: RunDir, site: &Site) -> Self {
        let follower = Follower::new(&dir);
        let facts = RunFacts {
            id: id.clone(),
            dir,
            code: site.root.clone(),
            busy: false,
            began: None,
            last: None,
            events: 0,
            ledger: Ledger::default(),
            nodes: Vec::new(),
        };
        Followed { facts, follower, state: None, calls: Vec::new(), log: VecDeque::new() }
    }

    fn take(&mut self, record: Record<W>) {
        self.facts.began.get_or_insert(record.at);
        self.facts.last = Some(record.at);
        self.facts.events = record.seq;
        match (&mut self.state, &record.event) {
            (state, Event::Run(RunEvent::RunStarted(start))) => {
                *state = Some(W::State::new(start.clone()));
            }
            (Some(state), event) => state.take(event),
            (None, _) => {}
        }
        if let Event::Run(RunEvent::Entered { from: Some(from), ms, .. }) = &record.event {
            match self.facts.nodes.iter_mut().find(|(name, ..)| name == from) {
                Some((_, visits, spent)) => {
                    *visits += 1;
                    *spent += ms;
                }
                None => self.facts.nodes.push((from.clone(), 1, *ms)),
            }
        }
        if self.log.len() == LOG {
            self.log.pop_front();
        }
        self.log.push_back(LogLine::of(&record));
        let is_call = |record: &Record<W>| {
            matches!(
                record.event,
                Event::Run(
                    RunEvent::ModelCallStarted { .. }
                        | RunEvent::ModelCalled { .. }
                        | RunEvent::Recovered { .. }
                        | RunEvent::Resumed
                )
            )
        };
        // Another event says that no call is under way: one of them is enough.
        if is_call(&record) || self.calls.last().is_some_and(is_call) {
            self.calls.push(record);
        }
    }
}

impl<W: RunView> Following for Followed<W>
where
    W::State: Send,
{
    fn advance(&mut self) -> Result<bool, Problem> {
        let records = self.follower.read().map_err(Problem::failed)?;
        let busy = runs::is_busy(&self.facts.dir).map_err(Problem::failed)?;
        let changed = !records.is_empty() || busy != self.facts.busy;
        self.facts.busy = busy;
        if !records.is_empty() {
            for record in records {
                self.take(record);
            }
            self.facts.ledger = spending::ledger(&self.calls);
        }
        Ok(changed)
    }

    fn parts(&self, site: &Site) -> Result<Vec<Part>, Problem> {
        let Some(state) = &self.state else {
            return Err(Problem::not_found(format_args!("The start of run {}", self.facts.id)));
        };
        Ok(parts::<W>(site, state, &self.facts))
    }

    fn title(&self) -> String {
        self.state.as_ref().map_or_else(String::new, |state| W::title(state))
    }

    fn log_after(&self, seq: u64) -> Page {
        let mut page = Page::new();
        self.log.iter().filter(|line| line.seq > seq).for_each(|line| line.write(&mut page));
        page
    }

    fn facts(&self) -> &RunFacts {
        &self.facts
    }

    fn is_over(&self) -> bool {
        let has_ended = self.state.as_ref().is_some_and(|state| state.course().outcome.is_some());
        has_ended && !self.facts.busy
    }

    fn row(&self) -> Option<Row> {
        let (state, facts) = (self.state.as_ref()?, &self.facts);
        let is_paid = facts.ledger.total().calls > 0;
        Some(Row {
            kind: W::kind(state),
            title: W::title(state),
            place: W::place(state),
            stands: W::stands(state, facts.busy),
            result: W::result(state),
            cost: if is_paid { money(facts.ledger.gone()) } else { String::new() },
            began: facts.began,
            ms: facts.ms(),
        })
    }
}
