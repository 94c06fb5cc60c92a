//! The end: the better draft with its verdicts, as JSON and Markdown in the run's folder, and what was verified in the memory.

use std::path::Path;

use rb_core::Sha256;
use rb_core::fs::{self, Durability};
use rb_flow::graph::Node;
use rb_index::{OnDisk, Texts as _};

use super::Ask;
use super::check::checked;
use super::event::{AskEvent, Event, Explored, Outcome, RunEvent};
use super::run_files::{AskFiles as _, load_evidence};
use super::state::State;
use super::world::World;
use crate::answer::{Answer, Author, Counts};
use crate::error::AskError;
use crate::memory::{FACTS, Memory, contents_of};
use crate::render;

pub(crate) struct Finish;

impl Node<Ask> for Finish {
    const NAME: &'static str = "finish";
    const DOES: &'static str = "writes the answer and remembers what was verified";
    type Reads<'s> = &'s State;
    type Writes = Vec<Event>;

    fn run(state: &State, world: &mut World) -> Result<Vec<Event>, AskError> {
        let answer = answer(state, world)?;
        let dir = &world.run.dir;
        let write = |file: &Path, text: &str| fs::write(file, text.as_bytes(), Durability::Relaxed);
        write(&dir.answer_json(), &render::json(&answer))?;
        write(&dir.answer_markdown(), &render::markdown(&answer))?;
        let mut events: Vec<Event> = Vec::new();
        // A memory that cannot be written costs a later question some time, and this one nothing.
        if let Err(error) = remember(state, world, &answer) {
            let text = format!("What was found out is not remembered: {error}");
            events.push(RunEvent::Noted { text }.into());
        }
        let is_verified = answer.counts.verified_claims > 0;
        let outcome = if is_verified { Outcome::Answered } else { Outcome::NothingVerified };
        events.push(AskEvent::Answered { answer: Box::new(answer) }.into());
        events.push(RunEvent::RunEnded { outcome }.into());
        Ok(events)
    }
}

/// Of two drafts the one with more that is verified and less that is not; of equals, the later one.
fn answer(state: &State, world: &World) -> Result<Answer, AskError> {
    let question = &state.start.question;
    let mut best: Option<(i64, Answer, &Explored)> = None;
    for explored in &state.explored {
        let answer = checked(world, question, explored)?;
        let counts = answer.counts;
        let points = i64::from(counts.verified_claims) * 2 - i64::from(counts.claims);
        if best.as_ref().is_none_or(|(most, ..)| points >= *most) {
            best = Some((points, answer, explored));
        }
    }
    let (mut answer, explored) = match best {
        Some((_, answer, explored)) => (answer, Some(explored)),
        None => (nothing(question), None),
    };
    let notes = explored.into_iter().flat_map(|explored| &explored.notes);
    for note in notes.chain(&state.course.notes) {
        if !answer.notes.contains(note) {
            answer.notes.push(note.clone());
        }
    }
    Ok(answer)
}

/// For a journal that holds no exploration, which no run writes.
fn nothing(question: &str) -> Answer {
    Answer {
        question: question.to_owned(),
        author: Author::Extraction,
        sections: Vec::new(),
        not_found: Vec::new(),
        notes: Vec::new(),
        counts: Counts::default(),
    }
}

fn remember(state: &State, world: &World, answer: &Answer) -> Result<(), AskError> {
    let Some(file) = &world.memory else { return Ok(()) };
    let texts = OnDisk { root: world.repo.root() };
    let (mut memory, _) = Memory::load(file);
    memory.refresh(|path| texts.text(path).map(|bytes| Sha256::of(&bytes)));
    if let Some(indexed) = &world.indexed {
        memory.refresh_searches(contents_of(indexed));
    }
    let evidence = load_evidence(&world.run.dir, state.round())?;
    for path in state.files_read() {
        if let Some(file) = evidence.file(&path) {
            memory.note_read(&path, file.hash);
        }
    }
    for search in state.explored.iter().flat_map(|explored| &explored.searches) {
        memory.note_search(search.clone());
    }
    memory.learn(answer);
    memory.summarise(FACTS);
    Ok(memory.save(file)?)
}
