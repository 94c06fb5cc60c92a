//! An onboarding page: what a newcomer reads in the first hour, every statement cited.
//!
//! Made from the index without a model. What it cannot show with a line of a file it leaves out.

mod later;

use rb_index::architecture::EntryKind;
use rb_index::{FileId, IndexError, Overview};
use rb_tools::{Repository, ToolError, Toolbox};

use crate::answer::Draft;
use crate::extract::page::Page;
use crate::extract::sources::Sources;
use crate::extract::{project, setup};

/// How many files to read in the first hour, and how many of them are entry points.
const READING: usize = 10;
const ENTRIES: usize = 3;
/// How many tests are named.
const TESTS: usize = 4;

/// Writes the page. What it cites is added to the evidence of `toolbox`.
pub fn write(on: Repository<'_>, toolbox: &mut Toolbox) -> Result<Draft, ToolError> {
    let mut sources = Sources::new(on, toolbox)?;
    let overview = on.indexed.overview().map_err(IndexError::from)?;
    let mut page = Page::default();
    page.heading("What it is");
    project::say_what(&mut page, &mut sources, overview);
    page.heading("How it is organised");
    project::say_structure(&mut page, &mut sources, overview)?;
    page.heading("Where it starts");
    project::say_entries(&mut page, &mut sources, overview)?;
    page.heading("The first hour: read these files in this order");
    for file in reading_order(&sources, overview) {
        project::say_file(&mut page, &mut sources, file)?;
    }
    page.heading("How to build and test it");
    setup::say_commands(&mut page, &mut sources);
    page.heading("How it is tested");
    project::say_tests(&mut page, &mut sources, overview, TESTS)?;
    page.heading("What changes most");
    later::say_hotspots(&mut page, &mut sources, overview)?;
    page.heading("What to leave alone");
    later::say_generated(&mut page, &mut sources);
    if !page.has_statements() {
        page.not_found("source code to show around in".to_owned());
    }
    Ok(page.finish())
}

/// From where it starts to what it is made of, the most important first.
fn reading_order(sources: &Sources<'_, '_>, overview: &Overview) -> Vec<FileId> {
    let entries = overview
        .architecture
        .entry_points
        .iter()
        .filter(|entry| !entry.secondary && entry.kind != EntryKind::LibraryPart);
    let entries = entries.take(ENTRIES).map(|entry| &entry.path);
    let core = overview.top.iter().map(|top| &top.path);
    let mut files: Vec<FileId> = Vec::new();
    for file in entries.chain(core).filter_map(|path| sources.find(path)) {
        let is_read = sources.is_product(file) && !sources.is_trivial(file);
        if is_read && !files.contains(&file) && files.len() < READING {
            files.push(file);
        }
    }
    files
}
