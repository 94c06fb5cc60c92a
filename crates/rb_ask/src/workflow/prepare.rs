//! The beginning: the repository is indexed, and what earlier questions found out is written down for the model.

use rb_core::Sha256;
use rb_flow::graph::Node;
use rb_index::{OnDisk, Texts};
use rb_tools::Evidence;

use super::Ask;
use super::event::{Event, RunEvent};
use super::prompt::excerpts;
use super::run_files::Remembered;
use super::state::State;
use super::world::World;
use crate::error::AskError;
use crate::guide::runs;
use crate::memory::{Fact, Memory, contents_of};

/// Characters of the memory that a model is shown: at most so many without the lines that its facts cite, and with them.
const FACTS: usize = 1_100;
const MEMORY: usize = 2_000;

const LINES: &str = "Lines that these facts cite:\n";

pub(crate) struct Prepare;

impl Node<Ask> for Prepare {
    const NAME: &'static str = "prepare";
    const DOES: &'static str =
        "indexes the repository and recalls what earlier questions found out";
    type Reads<'s> = &'s State;
    type Writes = Vec<Event>;

    fn run(state: &State, world: &mut World) -> Result<Vec<Event>, AskError> {
        world.index()?;
        let (remembered, warning) = recall(world, &state.start.question);
        remembered.save(&world.run.dir)?;
        Ok(warning.into_iter().map(|text| RunEvent::Noted { text }.into()).collect())
    }
}

/// What is still true of what earlier questions found out about the subject, and what is wrong with the memory.
fn recall(world: &World, question: &str) -> (Remembered, Option<String>) {
    let Some(file) = &world.memory else { return Default::default() };
    let texts = OnDisk { root: world.repo.root() };
    let (mut memory, warning) = Memory::load(file);
    memory.refresh(|path| texts.text(path).map(|bytes| Sha256::of(&bytes)));
    memory.refresh_searches(world.indexed.as_ref().and_then(contents_of));
    let (text, facts) = memory.context(question, &texts, FACTS);
    (remembered(text, &facts, &texts), warning)
}

/// The memory in words, and the lines that its facts cite: all of a fact, for as many facts as there is room for.
fn remembered(mut text: String, facts: &[&Fact], texts: &dyn Texts) -> Remembered {
    let room = MEMORY.saturating_sub(text.chars().count() + LINES.len());
    let (mut evidence, mut shown, mut lines) = (Evidence::default(), Vec::new(), String::new());
    for fact in facts {
        let mut more = evidence.clone();
        for cited in fact.evidence(texts) {
            more.add(&cited);
        }
        let merged = runs(&more);
        let excerpts = excerpts(&merged);
        if excerpts.chars().count() <= room {
            (evidence, shown, lines) = (more, merged, excerpts);
        }
    }
    if !shown.is_empty() {
        text.push_str(LINES);
        text.push_str(&lines);
    }
    Remembered { text, shown }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::citation::CheckedCitation;
    use crate::citation::fixture::{Files, cite};

    #[test]
    fn as4_the_lines_of_the_facts_are_shown_once_as_far_as_there_is_room() {
        let long = format!("{}\n", "x".repeat(MEMORY));
        let files =
            Files::new(&[("a.js", "let a;\nlet b;\nlet c;\nlet d;\n"), ("b.js", long.as_str())]);
        let fact = |path: &str, first: u32, last: u32, quote: &str| {
            let cited = CheckedCitation {
                citation: cite(path, first, last, quote),
                hash: files.text(path).map(|bytes| Sha256::of(&bytes)),
                repaired_from: None,
                fault: None,
            };
            Fact { text: String::new(), citations: vec![cited] }
        };
        let too_long = fact("b.js", 1, 1, &"x".repeat(MEMORY));
        let (two, one) = (fact("a.js", 1, 2, "let a;\nlet b;"), fact("a.js", 2, 2, "let b;"));
        let other = fact("a.js", 4, 4, "let d;");
        let made = remembered("Facts:\n".to_owned(), &[&too_long, &two, &one, &other], &files);
        let lines = "a.js\n    1 | let a;\n    2 | let b;\n      ...\n    4 | let d;\n";
        assert_eq!(made.text, format!("Facts:\n{LINES}{lines}"));
        assert_eq!(made.shown, [files.lines("a.js", 1, 2), files.lines("a.js", 4, 4)]);
        assert_eq!(remembered(String::new(), &[], &files), Remembered::default());
    }
}
