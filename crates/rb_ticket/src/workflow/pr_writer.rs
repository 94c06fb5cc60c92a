//! The writer of the pull request: text, evidence, the results of the agents, and what each of them took.

use std::path::{Path, PathBuf};

use rb_core::fs::{self, Durability};
use rb_flow::graph::Node;
use rb_flow::journal;
use rb_schema::roles::pr_agent::PrResponse;
use serde::Serialize;

use super::Ticketing;
use super::event::{Event, RunEvent, TicketEvent};
use super::prompt;
use super::state::State;
use super::verifier::CHECKS;
use super::world::World;
use crate::browse::Verification;
use crate::context_use;
use crate::error::TicketError;
use crate::pr::{FixResult, ImplResult, LastLook, Pictures, Words, body, facts, heading, markdown};

pub(crate) struct PrWriter;

impl Node<Ticketing> for PrWriter {
    const NAME: &'static str = "write_pr";
    const DOES: &'static str = "writes the pull request with its evidence";
    type Reads<'s> = &'s State;
    type Writes = Vec<Event>;

    fn run(state: &State, world: &mut World) -> Result<Vec<Event>, TicketError> {
        let dir = world.change.run.dir.report();
        fs::remove_dir_all(&dir)?;
        fs::create_dir_all(&dir)?;
        let verification = last_look(state, world.change.run.dir.path());
        let look = look(state, verification.as_ref());
        copy_evidence(state, world.change.run.dir.path(), &dir)?;
        write_json(&dir.join(IMPL), &ImplResult::of(state, state.branch()))?;
        for (number, fix) in FixResult::all(state).iter().enumerate() {
            write_json(&dir.join(format!("fix-{}.json", number + 1)), fix)?;
        }
        if state.change.has_changes() {
            let base = state.change.base.as_ref().map_or("", |base| base.commit.as_str());
            let tip = state.change.tip().unwrap_or_default();
            let diff = world.change.worktree()?.diff(base, tip)?;
            fs::write(&dir.join("change.diff"), &diff, Durability::Relaxed)?;
            let words = words(state, world, look.as_ref(), &diff)?;
            let text = markdown(state, &words, look.as_ref());
            fs::write(&dir.join("pr.md"), text.as_bytes(), Durability::Relaxed)?;
            write_json(&dir.join("pr.json"), &words)?;
        }
        let records = journal::read::<Ticketing>(&world.change.run.dir)?.records;
        write_json(&dir.join("context.json"), &context_use::of(&records))?;
        Ok(vec![TicketEvent::PrWritten { dir }.into()])
    }
}

/// What the implementing agent returned.
const IMPL: &str = "impl.json";

/// Title and body of a pull request on a server, which has the branch and no pictures.
pub fn hosted(state: &State, words: &Words) -> (String, String) {
    let run = state.report.as_deref().and_then(Path::parent);
    let verification = run.and_then(|run| last_look(state, run));
    let look = look(state, verification.as_ref());
    let title = heading(&state.start.ticket, &words.title);
    (title, body(state, words, look.as_ref(), Pictures::Listed))
}

/// Writes down which branch has the change now, after it was pushed, kept, landed or removed.
pub fn record_branch(state: &State, branch: Option<String>) -> Result<(), TicketError> {
    match &state.report {
        Some(report) => write_json(&report.join(IMPL), &ImplResult::of(state, branch)),
        None => Ok(()),
    }
}

fn look<'l>(state: &'l State, verification: Option<&'l Verification>) -> Option<LastLook<'l>> {
    state.rounds.last().map(|round| LastLook {
        round,
        results: verification.map_or(&[], |it| &it.results),
        evidence: verification.map(|it| &it.evidence),
    })
}

fn write_json(path: &Path, value: &impl Serialize) -> Result<(), TicketError> {
    let text = serde_json::to_vec_pretty(value).expect("plain data");
    Ok(fs::write(path, &text, Durability::Relaxed)?)
}

/// All of the last look, as it was kept.
fn last_look(state: &State, run: &Path) -> Option<Verification> {
    let round = state.rounds.last()?;
    let bytes = fs::read_optional(&run.join(&round.folder).join(CHECKS)).ok().flatten()?;
    serde_json::from_slice(&bytes).ok()
}

/// Pictures, manifest and report of each look.
fn copy_evidence(state: &State, run: &Path, dir: &Path) -> Result<(), TicketError> {
    let last = state.rounds.last().map(|round| round.number);
    for round in state.rounds.iter().filter(|round| round.folder != PathBuf::new()) {
        let from = run.join(&round.folder);
        let report = fs::read_optional(&from.join("verify.json"))?.unwrap_or_default();
        let name = format!("verify-{}.json", round.number);
        fs::write(&dir.join(name), &report, Durability::Relaxed)?;
        if Some(round.number) != last {
            continue;
        }
        let to = dir.join("evidence");
        fs::create_dir_all(&to)?;
        for name in fs::list(&from)? {
            let is_picture = Path::new(&name).extension().is_some_and(|it| it == "png");
            let is_evidence = is_picture || name == "evidence.json";
            if is_evidence {
                fs::write(&to.join(&name), &fs::read(&from.join(&name))?, Durability::Relaxed)?;
            }
        }
    }
    Ok(())
}

/// A model writes them, if there is one; the results are never its own.
fn words(
    state: &State,
    world: &World,
    look: Option<&LastLook<'_>>,
    diff: &[u8],
) -> Result<Words, TicketError> {
    let Some(desk) = world.models.clone() else { return Ok(Words::plain(state)) };
    let facts = facts(state, look);
    let ticket = &state.start.ticket;
    let query = world.query(1, |fence| prompt::describe(ticket, &facts, diff, fence))?;
    match world.ask::<PrResponse>(&desk, query)? {
        Ok(PrResponse { title, summary, risk, rollback }) => {
            Ok(Words { title, summary, risk, rollback })
        }
        Err(why) => {
            let text = format!("the model wrote no usable text for the pull request: {why}");
            world.write(RunEvent::Noted { text })?;
            Ok(Words::plain(state))
        }
    }
}
