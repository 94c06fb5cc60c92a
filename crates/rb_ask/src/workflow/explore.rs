//! The exploration: a model finds the answer, with tools if it can call them, in a few rounds of look-ups otherwise.

mod asking;
mod drafts;

use std::cell::RefCell;
use std::collections::BTreeSet;

use rb_flow::graph::{Node, View};
use rb_flow::{JournalError, Reply};
use rb_models::{Fault, ModelError};
use rb_schema::roles::explorer::ExplorerResponse;
use rb_tools::{Evidence, Repository, Toolbox};

use super::Ask;
use super::event::{AskEvent, Event, Explored};
use super::prompt::{Means, Prompt, Repair};
use super::run_files::{Remembered, load_evidence, save_evidence};
use super::state::State;
use super::world::World;
use crate::answer::Author;
use crate::error::AskError;
use crate::extract;
use crate::guide::{Guide, Journey, numbered, runs};

/// Characters of the excerpts that a request begins with.
const SEED: usize = 6_000;
/// The same for a model that cannot look further by itself.
const LARGE_SEED: usize = 30_000;
/// Bytes of the lines that a model gets back that it read before its answer failed the check.
const READ_BEFORE: usize = 24_000;

pub(crate) struct Explore;

pub(crate) struct Reads<'s> {
    question: &'s str,
    round: u32,
    /// The draft that failed its check, and why.
    before: Option<&'s Explored>,
    faults: &'s [String],
}

impl<'s> View<'s, State> for Reads<'s> {
    fn of(state: &'s State) -> Self {
        let round = state.round();
        Reads {
            question: &state.start.question,
            round,
            // A round that was killed at its end is performed again, and is not its own predecessor.
            before: state.explored.iter().rfind(|explored| explored.round < round),
            faults: &state.faults,
        }
    }
}

impl Node<Ask> for Explore {
    const NAME: &'static str = "explore";
    const DOES: &'static str = "has a model look for the answer, with tools and within limits";
    type Reads<'s> = Reads<'s>;
    type Writes = Vec<Event>;

    fn run(reads: Reads<'_>, world: &mut World) -> Result<Vec<Event>, AskError> {
        world.index()?;
        world.progress.begin("exploring", 0);
        let explored = explore(&reads, world);
        world.progress.end();
        let (explored, evidence) = explored?;
        save_evidence(&world.run.dir, reads.round, &evidence)?;
        Ok(vec![AskEvent::Explored(Box::new(explored)).into()])
    }
}

fn explore(reads: &Reads<'_>, world: &World) -> Result<(Explored, Evidence), AskError> {
    let on = world.repository().expect("it was indexed just now");
    let remembered = Remembered::load(&world.run.dir)?;
    let mut toolbox = Toolbox::default();
    for shown in &remembered.shown {
        toolbox.evidence.add(shown);
    }
    let calls = asking::CALLS.saturating_sub(reads.before.map_or(0, |before| before.calls));
    let means = means(world, calls);
    let room = if means == Means::Tools { SEED } else { LARGE_SEED };
    let seed = extract::seed(on, &mut toolbox, reads.question, room)?;
    let prompt = Prompt {
        question: reads.question,
        memory: &remembered.text,
        seed: &seed,
        found: String::new(),
        repair: repair(reads, world, &mut toolbox)?,
        means,
    };
    let (reply, journey) = talk(world, on, &mut toolbox, &prompt, reads.round, calls)?;
    let explored = explored(world, reads, reply, journey)?;
    Ok((explored, toolbox.evidence))
}

/// A provider that calls tools by itself needs none of ours, but a server of them.
fn means(world: &World, calls: u32) -> Means {
    let can_call = world.route().provider.abilities().tools || world.mcp.is_some();
    match calls {
        0 => Means::Nothing,
        _ if can_call => Means::Tools,
        _ => Means::Needs,
    }
}

/// The answer that failed its check, with the lines of the files that it cites, as far as they were read.
fn repair(
    reads: &Reads<'_>,
    world: &World,
    toolbox: &mut Toolbox,
) -> Result<Option<Repair>, AskError> {
    let Some(before) = reads.before.filter(|_| !reads.faults.is_empty()) else { return Ok(None) };
    let statements = before.draft.sections.iter().flat_map(|section| &section.statements);
    let citations = statements.flat_map(|statement| &statement.citations);
    let cited: BTreeSet<&str> = citations.map(|citation| citation.path.as_str()).collect();
    let mut read = String::new();
    for shown in runs(&load_evidence(&world.run.dir, before.round)?) {
        let excerpt = numbered(&shown) + "\n";
        if !cited.contains(shown.path.as_str()) || read.len() + excerpt.len() > READ_BEFORE {
            continue;
        }
        read.push_str(&excerpt);
        toolbox.evidence.add(&shown);
    }
    let answer = serde_json::to_string(&before.draft).expect("a draft is plain data");
    Ok(Some(Repair { answer, faults: reads.faults.to_vec(), read }))
}

/// Asks the model, led by the guide.
fn talk(
    world: &World,
    on: Repository<'_>,
    toolbox: &mut Toolbox,
    prompt: &Prompt<'_>,
    round: u32,
    calls: u32,
) -> Result<(Reply<ExplorerResponse>, Journey), AskError> {
    let unwritten: RefCell<Option<JournalError>> = RefCell::new(None);
    let tell = |event: Event| {
        if let Err(error) = world.log.write(event) {
            unwritten.borrow_mut().get_or_insert(error);
        }
    };
    let mut guide = Guide::new(on, toolbox, prompt.question, Box::new(tell));
    let reply = asking::ask(world, prompt, &mut guide, round, calls);
    let (failure, journey) = (guide.failure(), guide.journey().clone());
    drop(guide);
    if let Some(failure) = failure {
        return Err(failure.into());
    }
    if let Some(error) = unwritten.into_inner() {
        return Err(error.into());
    }
    Ok((reply?, journey))
}

/// What came of the conversation. Where the model gave nothing usable, the program says what was looked for.
fn explored(
    world: &World,
    reads: &Reads<'_>,
    reply: Reply<ExplorerResponse>,
    journey: Journey,
) -> Result<Explored, AskError> {
    let mut notes = Vec::new();
    let (author, draft) = match reply {
        Reply::Answer(response) => {
            (world.author(), drafts::of_response(response, reads.question, &journey))
        }
        // Whoever raises the cap or adds a key can go on from here.
        Reply::Stopped(error) if reads.before.is_none() || !is_over_cap(&error) => {
            return Err(error.into());
        }
        reply => {
            notes.push(drafts::why_no_answer(&reply));
            match reads.before {
                // The first answer stands, with what its check found.
                Some(before) => (before.author.clone(), before.draft.clone()),
                None => (Author::Extraction, drafts::nothing_found(reads.question, &journey)),
            }
        }
    };
    notes.extend(drafts::eviction_note(&journey.evicted));
    let Journey { calls, files_read, searches, reads_avoided, evicted, ended } = journey;
    Ok(Explored {
        round: reads.round,
        author,
        draft,
        calls,
        files_read,
        searches,
        reads_avoided,
        evicted,
        ended,
        notes,
    })
}

/// The call would cost more than may be spent.
fn is_over_cap(error: &ModelError) -> bool {
    matches!(error.fault, Fault::OverCap { .. })
}
