//! The exploration: a model finds the answer, with tools if it can call them, in a few rounds of look-ups otherwise.

mod asking;
mod correction;
mod drafts;

use std::cell::RefCell;

use rb_flow::graph::{Node, View};
use rb_flow::{JournalError, Reply};
use rb_models::{Fault, ModelError};
use rb_schema::roles::explorer::ExplorerResponse;
use rb_tools::{Evidence, Repository, Toolbox};

use self::correction::Correction;
use super::Ask;
use super::check::checked;
use super::event::{AskEvent, Event, Explored};
use super::prompt::{Means, Prompt};
use super::run_files::{Remembered, save_evidence};
use super::state::State;
use super::world::World;
use crate::answer::Author;
use crate::error::AskError;
use crate::extract;
use crate::guide::{Guide, Journey};

/// Characters of the excerpts that a request begins with.
const SEED: usize = 12_000;
/// The same for a model that cannot look further by itself.
const LARGE_SEED: usize = 30_000;

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
    let mut toolbox = Toolbox::default();
    let calls = asking::CALLS.saturating_sub(reads.before.map_or(0, |before| before.calls));
    let means = means(world, calls);
    let correction = correction(reads, world)?;
    let prompt = match &correction {
        Some(correction) => Prompt {
            question: reads.question,
            repair: Some(correction.repair(on, &mut toolbox)?),
            means,
            ..Prompt::default()
        },
        None => first_request(reads, world, on, &mut toolbox, means)?,
    };
    let (reply, journey) = talk(world, on, &mut toolbox, &prompt, reads.round, calls)?;
    let explored = explored(world, reads, correction.as_ref(), reply, journey)?;
    Ok((explored, toolbox.evidence))
}

/// The question, with what is known and found before the first call.
fn first_request<'q>(
    reads: &Reads<'q>,
    world: &World,
    on: Repository<'_>,
    toolbox: &mut Toolbox,
    means: Means,
) -> Result<Prompt<'q>, AskError> {
    let remembered = Remembered::load(&world.run.dir)?;
    for shown in &remembered.shown {
        toolbox.evidence.add(shown);
    }
    let room = if means == Means::Tools { SEED } else { LARGE_SEED };
    let seed = extract::seed(on, toolbox, reads.question, room)?;
    let (question, memory) = (reads.question, remembered.text);
    Ok(Prompt { question, memory, seed, means, ..Prompt::default() })
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

/// What is to be corrected, if this is the round for it.
fn correction(reads: &Reads<'_>, world: &World) -> Result<Option<Correction>, AskError> {
    let Some(before) = reads.before.filter(|_| !reads.faults.is_empty()) else { return Ok(None) };
    Ok(Correction::of(&checked(world, reads.question, before)?))
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
        // The plan that the program makes of a question is the same in each round.
        let is_known = round > 1 && matches!(event, Event::Own(AskEvent::Planned { call: 0, .. }));
        if is_known {
            return;
        }
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
    correction: Option<&Correction>,
    reply: Reply<ExplorerResponse>,
    journey: Journey,
) -> Result<Explored, AskError> {
    let mut notes = Vec::new();
    let (author, draft) = match reply {
        Reply::Answer(response) => {
            let draft = match correction {
                Some(correction) => correction.draft(response),
                None => drafts::of_response(response),
            };
            (world.author(), drafts::or_nothing_found(draft, reads.question, &journey))
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
