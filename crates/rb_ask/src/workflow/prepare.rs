//! The beginning: the repository is indexed, and what earlier questions found out is written down for the model.

use rb_core::Sha256;
use rb_flow::graph::Node;
use rb_index::{OnDisk, Texts as _};
use rb_tools::Shown;

use super::Ask;
use super::event::{Event, RunEvent};
use super::run_files::Remembered;
use super::world::World;
use crate::error::AskError;
use crate::guide::numbered;
use crate::memory::{Memory, contents_of};

/// Characters of the memory that a model is shown, and of the lines that its facts cite.
const MEMORY: usize = 4_000;
const CITED: usize = 3_000;

pub(crate) struct Prepare;

impl Node<Ask> for Prepare {
    const NAME: &'static str = "prepare";
    const DOES: &'static str =
        "indexes the repository and recalls what earlier questions found out";
    type Reads<'s> = ();
    type Writes = Vec<Event>;

    fn run((): (), world: &mut World) -> Result<Vec<Event>, AskError> {
        world.index()?;
        let (remembered, warning) = recall(world);
        remembered.save(&world.run.dir)?;
        Ok(warning.into_iter().map(|text| RunEvent::Noted { text }.into()).collect())
    }
}

/// What is still true of what earlier questions found out, and what is wrong with the memory.
fn recall(world: &World) -> (Remembered, Option<String>) {
    let Some(file) = &world.memory else { return Default::default() };
    let texts = OnDisk { root: world.repo.root() };
    let (mut memory, warning) = Memory::load(file);
    memory.refresh(|path| texts.text(path).map(|bytes| Sha256::of(&bytes)));
    memory.refresh_searches(world.indexed.as_ref().and_then(contents_of));
    (remembered(memory.context(MEMORY), memory.evidence(&texts)), warning)
}

/// The memory in words, and as many of the cited lines as there is room for.
fn remembered(mut text: String, cited: Vec<Shown>) -> Remembered {
    let mut shown = Vec::new();
    let mut left = CITED;
    for run in cited {
        let lines = numbered(&run);
        let chars = lines.chars().count();
        if chars > left {
            continue;
        }
        if shown.is_empty() {
            text.push_str("Lines that these facts cite, as they are now:\n");
        }
        left -= chars;
        text.push_str(&lines);
        shown.push(run);
    }
    Remembered { text, shown }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn as4_lines_that_facts_cite_are_shown_as_far_as_there_is_room() {
        let run = |path: &str, first: u32, text: &str| Shown {
            path: path.to_owned(),
            hash: Sha256::of(b"x"),
            first,
            lines: vec![text.to_owned()],
        };
        let (fits, long) = (run("a.js", 7, "let a;"), run("b.js", 1, &"x".repeat(CITED)));
        let made = remembered("Facts:\n".to_owned(), vec![long, fits.clone()]);
        let cited = "Lines that these facts cite, as they are now:\na.js\n    7 let a;\n";
        assert_eq!(made.text, format!("Facts:\n{cited}"));
        assert_eq!(made.shown, [fits]);
        assert_eq!(remembered(String::new(), Vec::new()), Remembered::default());
    }
}
