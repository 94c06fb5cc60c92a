//! Answers without a model: what the index knows of a question's subject, in plain sentences made from facts.
//!
//! Every sentence has citations of lines that were really read, and names nothing that they do not have. Words of files are
//! quoted as such. It reads facts only of the files concerned, and asks no model.

pub(crate) mod about;
pub(crate) mod calls;
mod decisive;
pub(crate) mod evidence_lines;
mod excerpts;
#[cfg(test)]
mod fixture;
pub(crate) mod header;
mod history;
mod kind;
mod names;
pub(crate) mod page;
pub(crate) mod project;
mod rank;
mod seed;
pub(crate) mod setup;
pub(crate) mod sources;
mod steps;
pub(crate) mod symbols;
pub(crate) mod testing;
pub(crate) mod topic;
pub(crate) mod words;

use rb_index::IndexError;
use rb_tools::{Repository, ToolError, Toolbox};

use self::kind::{Asked, Kind};
use self::page::Page;
use self::project::Entries;
use self::sources::Sources;
use crate::answer::Draft;

pub use self::seed::seed;

/// What a reader should know about every answer that was made here.
pub const NOTE: &str = "No model was used: the sentences are made from the index, and words of files are quoted. A model would \
    explain why the code is as it is, connect these facts, and answer the question directly.";

/// A file counts as important if it is among so many.
pub const IMPORTANT: usize = 20;

/// How many of the most important files an overview names, and how many tests: of interest are the files.
const TOP: usize = 6;
/// How many are named if the main parts are asked for.
const PARTS: usize = 12;
const TESTS: usize = 1;
const ALL_TESTS: usize = 8;

/// Answers a question from the index. What is cited is added to the evidence of `toolbox`.
pub fn answer(
    on: Repository<'_>,
    toolbox: &mut Toolbox,
    question: &str,
) -> Result<Draft, ToolError> {
    let asked = kind::classify(question);
    let mut sources = Sources::new(on, toolbox)?;
    let draft = about_all(&mut sources, &asked)?;
    // A repository without entry points or layers still has files that have these words.
    if draft.sections.is_empty() {
        return about::answer(&mut sources, question, &asked);
    }
    Ok(draft)
}

/// What git says of the files that a draft cites first: when they last changed. For the notes of the answer.
pub fn history_notes(on: Repository<'_>, question: &str, draft: &Draft) -> Vec<String> {
    /// How many files are looked up, and how many commits of a file whose history is asked for.
    const FILES: usize = 2;
    const COMMITS: u32 = 5;
    let asked = kind::classify(question);
    let (files, commits) = match asked.kind {
        Kind::History => (FILES, COMMITS),
        Kind::Where | Kind::What | Kind::Users | Kind::Flow => (1, 1),
        Kind::Overview
        | Kind::Entry
        | Kind::Structure
        | Kind::Parts
        | Kind::Reading
        | Kind::Setup
        | Kind::Tests => (0, 0),
    };
    let statements = draft.sections.iter().flat_map(|section| &section.statements);
    let mut paths: Vec<&str> = Vec::new();
    for citation in statements.flat_map(|statement| &statement.citations) {
        if !paths.contains(&citation.path.as_str()) {
            paths.push(&citation.path);
        }
    }
    paths.into_iter().take(files).flat_map(|path| history::notes(on, path, commits)).collect()
}

/// The answer to a question about the repository as a whole; empty for every other question.
fn about_all(sources: &mut Sources<'_, '_>, asked: &Asked) -> Result<Draft, ToolError> {
    if !is_about_all(asked) {
        return Ok(Draft::default());
    }
    let mut page = Page::default();
    let indexed = sources.on.indexed;
    let overview = indexed.overview().map_err(IndexError::from)?;
    match asked.kind {
        Kind::Overview => {
            page.heading("What it is");
            project::say_what(&mut page, sources, overview);
            page.heading("Where it starts");
            project::say_entries(&mut page, sources, overview, Entries::First)?;
            page.heading("The most important files");
            project::say_files(&mut page, sources, overview, TOP)?;
            page.heading("How it is organised");
            project::say_structure(&mut page, sources, overview)?;
            page.heading("How it is tested");
            if !setup::say_test_command(&mut page, sources) {
                project::say_tests(&mut page, sources, overview, TESTS)?;
            }
        }
        Kind::Entry => {
            page.heading("Where it starts");
            project::say_entries(&mut page, sources, overview, Entries::Important)?;
            page.heading("The most important files");
            project::say_files(&mut page, sources, overview, TOP)?;
        }
        Kind::Structure => {
            page.heading("How it is organised");
            project::say_structure(&mut page, sources, overview)?;
            page.heading("Where it starts");
            project::say_entries(&mut page, sources, overview, Entries::First)?;
            page.heading("The most important files");
            project::say_files(&mut page, sources, overview, TOP)?;
        }
        Kind::Parts => {
            page.heading("The main parts");
            project::say_files(&mut page, sources, overview, PARTS)?;
            page.heading("How it is organised");
            project::say_structure(&mut page, sources, overview)?;
        }
        Kind::Reading => {
            page.heading("What to read first");
            project::say_reading_order(&mut page, sources, overview)?;
        }
        Kind::Setup => {
            page.heading("How to build, run and test it");
            setup::say_commands(&mut page, sources);
        }
        Kind::Tests => {
            page.heading("How it is tested");
            project::say_tests(&mut page, sources, overview, ALL_TESTS)?;
            page.heading("How to run the tests");
            setup::say_commands(&mut page, sources);
        }
        Kind::Users | Kind::History | Kind::Where | Kind::What | Kind::Flow => {}
    }
    Ok(page.finish())
}

fn is_about_all(asked: &Asked) -> bool {
    match asked.kind {
        Kind::Overview
        | Kind::Entry
        | Kind::Structure
        | Kind::Parts
        | Kind::Reading
        | Kind::Setup => true,
        Kind::Tests => asked.subject.is_empty(),
        Kind::Users | Kind::History | Kind::Where | Kind::What | Kind::Flow => false,
    }
}
