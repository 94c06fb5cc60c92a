//! The look at the application: criteria become checks, a model adds some, a browser carries them out.
//!
//! A model only plans. Whether a criterion is met is what the browser saw, and all of it is in the evidence.

mod planned;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use rb_change::verify_setup::{self, VerifySetup};
use rb_core::Verdict;
use rb_core::fs::{self, Durability};
use rb_flow::event::noted;
use rb_flow::graph::{Node, View};
use rb_schema::roles::verify_agent::VerifyResponse;

use super::Ticketing;
use super::event::{Event, Orders, Round, TicketEvent};
use super::prompt::{self, Planning};
use super::state::State;
use super::world::World;
use crate::browse::{
    self, CheckResult, CheckVerdict, Head, Issue, Observation, Verification, VerifyContext,
    VerifyOptions,
};
use crate::checks::{By, Check, derive, with_page_checks};
use crate::error::TicketError;
use crate::preview::{self, Preview, PreviewError, PreviewOptions};
use crate::ticket::Ticket;

pub(crate) struct Verifier;

/// The criteria, the files that were changed, and how the application is reached.
pub(crate) struct Reads<'s> {
    ticket: &'s Ticket,
    orders: &'s Orders,
    changed: Vec<String>,
    number: u32,
    /// Criteria that the last look left unchecked, each with the reason.
    unchecked: &'s [String],
    is_browsed: bool,
}

impl<'s> View<'s, State> for Reads<'s> {
    fn of(state: &'s State) -> Self {
        let files = state.change.ledger.iter().flat_map(|entry| &entry.touched_files);
        let mut changed: Vec<String> = files.map(ToString::to_string).collect();
        changed.sort();
        changed.dedup();
        Reads {
            ticket: &state.start.ticket,
            orders: &state.start.orders,
            changed,
            unchecked: state.rounds.last().map_or(&[], |round| &round.unchecked),
            number: u32::try_from(state.rounds.len() + 1).unwrap_or(u32::MAX),
            is_browsed: state.is_browsed(),
        }
    }
}

impl Node<Ticketing> for Verifier {
    const NAME: &'static str = "browse";
    const DOES: &'static str = "tries the criteria in a browser";
    type Reads<'s> = Reads<'s>;
    type Writes = Vec<Event>;

    fn run(reads: Reads<'_>, world: &mut World) -> Result<Vec<Event>, TicketError> {
        // Killed after it was entered.
        if reads.is_browsed {
            return Ok(Vec::new());
        }
        let commit = world.change.tip()?;
        world.change.worktree()?.reset(&commit)?;
        let worktree = world.change.worktree()?.dir().to_owned();
        let preview = match preview(&worktree, reads.orders) {
            Ok(preview) => preview,
            Err(PreviewError::Unknown) => {
                let why = "there is no application to look at; give `--preview` or `--preview-url`";
                return Ok(unseen(&reads, &commit, why));
            }
            Err(error) => return Err(error.into()),
        };
        let Some(preview) = preview else {
            return Ok(unseen(&reads, &commit, "the browser was turned off"));
        };
        world.change.host.progress.begin("looking at the application", 0);
        let seen = look(&reads, world, &worktree, &preview);
        world.change.host.progress.end();
        let (verification, unchecked, folder) = seen?;
        Ok(vec![entered(&reads, commit, &verification, unchecked, folder)])
    }
}

fn preview(worktree: &Path, orders: &Orders) -> Result<Option<Preview>, PreviewError> {
    let order = &orders.preview;
    if order.off {
        return Ok(None);
    }
    let (command, url) = (order.command.as_deref(), order.url.as_deref());
    preview::find(worktree, PreviewOptions { command, url }).map(Some)
}

/// Nothing was looked at, and that is no pass.
fn unseen(reads: &Reads<'_>, commit: &str, why: &str) -> Vec<Event> {
    let unchecked = reads.ticket.criteria.iter().map(|it| format!("{}: {why}", it.id)).collect();
    let round = Round {
        number: reads.number,
        commit: commit.to_owned(),
        checks: 0,
        met: 0,
        unchecked,
        issues: Vec::new(),
        folder: PathBuf::new(),
    };
    let note = format!("nothing was looked at in a browser: {why}");
    noted(Some(note)).chain([TicketEvent::Browsed(Box::new(round)).into()]).collect()
}

fn entered(
    reads: &Reads<'_>,
    commit: String,
    verification: &Verification,
    unchecked: Vec<String>,
    folder: PathBuf,
) -> Event {
    let count = |verdict| verification.results.iter().filter(|it| it.verdict == verdict).count();
    let met = count(CheckVerdict::Met);
    let round = Round {
        number: reads.number,
        commit,
        checks: met + count(CheckVerdict::NotMet),
        met,
        unchecked,
        issues: issues(verification),
        folder,
    };
    TicketEvent::Browsed(Box::new(round)).into()
}

/// What a fix can be about. That nothing was checked is none.
fn issues(verification: &Verification) -> Vec<Issue> {
    match verification.verdict() {
        Verdict::Fail => verification.report().issues,
        Verdict::Pass | Verdict::NoVerifierRan => Vec::new(),
    }
}

/// How often a model may plan or correct its checks.
const PLANS: u32 = 2;

/// All that came of a look, in its folder.
pub(super) const CHECKS: &str = "checks.json";

/// Where a look leaves its evidence, within the folder of the run.
fn folder(number: u32) -> PathBuf {
    PathBuf::from("browser").join(number.to_string())
}

type Seen = (Verification, Vec<String>, PathBuf);

fn look(
    reads: &Reads<'_>,
    world: &mut World,
    worktree: &Path,
    preview: &Preview,
) -> Result<Seen, TicketError> {
    let folder = folder(reads.number);
    let derived = derive(reads.ticket);
    let mut unchecked: BTreeMap<String, String> =
        derived.unchecked.into_iter().map(|it| (it.criterion, it.why)).collect();
    let own = derived.checks;
    let (setup, _) = verify_setup::ready(&mut world.change)?;
    let site = Site { reads, worktree, preview, folder: &folder };
    let mut planned = planned_before(world, reads.number)?;
    if !planned.is_empty() {
        let before = reads.unchecked.iter().filter_map(|line| line.split_once(": "));
        unchecked = before.map(|(id, why)| (id.to_owned(), why.to_owned())).collect();
    }
    let carried_out = (|| {
        let mut failed: Vec<CheckResult> = Vec::new();
        for number in 1..=PLANS {
            // A fix is judged by the checks that found the issues.
            if number > 1 || planned.is_empty() {
                let is_needed =
                    if number == 1 { !unchecked.is_empty() } else { !failed.is_empty() };
                if world.models.is_none() || !is_needed {
                    break;
                }
                let pages = site.observe(world, &setup, &own)?;
                let decided: Vec<String> =
                    own.iter().filter_map(|check| check.criterion.clone()).collect();
                let asked = Planning {
                    ticket: reads.ticket,
                    pictures: reads.orders.pictures.keys().map(String::as_str).collect(),
                    decided: &decided,
                    pages: &pages,
                    changed: &reads.changed,
                    failed: &failed,
                };
                let attempt = (reads.number - 1) * PLANS + number;
                let Some(answer) = plan(world, &asked, attempt)? else { break };
                let named = planned::Named::new(reads.ticket, &reads.orders.pictures);
                let checks = planned::checks(&answer, &named, &mut unchecked);
                // A criterion keeps its checks until there are new ones: none is dropped because it failed.
                planned.retain(|old| checks.iter().all(|new| new.criterion != old.criterion));
                planned.extend(checks);
            }
            let verification = site.verify(world, &setup, &own, &planned)?;
            failed = misfits(&verification);
            if failed.is_empty() || number == PLANS {
                return Ok(verification);
            }
        }
        site.verify(world, &setup, &own, &planned)
    })();
    world.change.ready = Some(setup);
    let verification: Verification = carried_out?;
    unchecked.retain(|id, _| planned.iter().all(|check| check.criterion.as_ref() != Some(id)));
    let unchecked = unchecked.into_iter().map(|(id, why)| format!("{id}: {why}")).collect();
    Ok((verification, unchecked, folder))
}

/// The checks that a model planned for the look before this one.
fn planned_before(world: &World, number: u32) -> Result<Vec<Check>, TicketError> {
    let file = world.change.run.dir.join(folder(number - 1)).join(CHECKS);
    let Some(bytes) = fs::read_optional(&file)? else { return Ok(Vec::new()) };
    let before: Verification = serde_json::from_slice(&bytes)
        .map_err(|error| world.change.bad_journal(&format!("{}: {error}", file.display())))?;
    Ok(before.results.into_iter().filter(is_planned).map(|result| result.check).collect())
}

fn is_planned(result: &CheckResult) -> bool {
    result.check.by == By::Model
}

/// Checks of the model that were not met: its own mistakes are among them. None where no check counts.
fn misfits(verification: &Verification) -> Vec<CheckResult> {
    if verification.refusal.is_some() {
        return Vec::new();
    }
    let is_misfit =
        |result: &&CheckResult| is_planned(result) && result.verdict != CheckVerdict::Met;
    verification.results.iter().filter(is_misfit).cloned().collect()
}

/// What a model answers; `None` where nothing usable came.
fn plan(
    world: &World,
    asked: &Planning<'_>,
    attempt: u32,
) -> Result<Option<VerifyResponse>, TicketError> {
    let Some(desk) = world.models.clone() else { return Ok(None) };
    let query = world.query(attempt, |fence| prompt::plan_checks(asked, fence))?;
    match world.ask::<VerifyResponse>(&desk, query)? {
        Ok(answer) => Ok(Some(answer)),
        Err(why) => {
            let text = format!("the model planned no usable checks: {why}");
            world.write(super::event::RunEvent::Noted { text })?;
            Ok(None)
        }
    }
}

/// Where one look takes place.
struct Site<'a> {
    reads: &'a Reads<'a>,
    worktree: &'a Path,
    preview: &'a Preview,
    /// Within the folder of the run.
    folder: &'a Path,
}

impl Site<'_> {
    fn verify(
        &self,
        world: &mut World,
        ready: &VerifySetup,
        own: &[Check],
        planned: &[Check],
    ) -> Result<Verification, TicketError> {
        let checks = with_page_checks([own, planned].concat());
        let verification = self.within(world, ready, |context| browse::verify(context, &checks))?;
        let evidence = world.change.run.dir.join(self.folder);
        let report = serde_json::to_vec_pretty(&verification.report()).expect("plain data");
        fs::write(&evidence.join("verify.json"), &report, Durability::Relaxed)?;
        let all = serde_json::to_vec_pretty(&verification).expect("plain data");
        fs::write(&evidence.join(CHECKS), &all, Durability::Relaxed)?;
        Ok(verification)
    }

    /// The pages that the ticket is about, as a browser shows them.
    fn observe(
        &self,
        world: &mut World,
        ready: &VerifySetup,
        own: &[Check],
    ) -> Result<Vec<Observation>, TicketError> {
        let mut paths: Vec<String> = vec!["/".to_owned()];
        paths.extend(own.iter().map(|check| check.path.clone()));
        paths.sort();
        paths.dedup();
        paths.truncate(4);
        self.within(world, ready, |context| browse::look(context, &paths))
    }

    fn within<T>(
        &self,
        world: &mut World,
        ready: &VerifySetup,
        work: impl FnOnce(&VerifyContext<'_>) -> Result<T, browse::VerifyError>,
    ) -> Result<T, TicketError> {
        let scratch = world.change.run.dir.join("browser/scratch");
        let evidence = world.change.run.dir.join(self.folder);
        for folder in [&scratch, &evidence] {
            fs::remove_dir_all(folder)?;
            fs::create_dir_all(folder)?;
        }
        let tree = world.change.worktree()?;
        let head = || -> Result<Head, String> {
            let commit = tree.tip().map_err(|error| error.to_string())?;
            let paths = tree.changed_paths().map_err(|error| error.to_string())?;
            let changes = paths.iter().map(ToString::to_string).collect();
            let since = browse::head_since(tree.git()).map_err(|error| error.to_string())?;
            Ok(Head { commit, since, changes })
        };
        let host = &ready.verifier.site;
        let context = VerifyContext {
            sandbox: &ready.verifier.sandbox,
            env: &host.env,
            chromium: None,
            scratch: &scratch,
            worktree: self.worktree,
            preview: self.preview,
            trust_url: self.reads.orders.preview.trust_url,
            writable: Vec::new(),
            readable: host.borrowed.clone(),
            checkouts: host.checkouts.clone(),
            evidence: &evidence,
            pictures: &self.reads.orders.pictures,
            head: &head,
            cancel: &ready.verifier.cancel,
            options: VerifyOptions::default(),
        };
        let done = work(&context);
        let _ = fs::remove_dir_all(&scratch);
        Ok(done?)
    }
}
