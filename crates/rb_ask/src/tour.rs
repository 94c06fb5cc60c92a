//! An onboarding page: what a newcomer reads in the first hour, every statement cited.
//!
//! Made from the index without a model. What it cannot show with a line of a file it leaves out.

mod later;

use rb_index::IndexError;
use rb_tools::{Repository, ToolError, Toolbox};

use crate::answer::Draft;
use crate::extract::page::Page;
use crate::extract::project::Entries;
use crate::extract::sources::Sources;
use crate::extract::{project, setup};

/// How many tests are named.
const TESTS: usize = 1;

/// Writes the page. What it cites is added to the evidence of `toolbox`.
pub fn write(on: Repository<'_>, toolbox: &mut Toolbox) -> Result<Draft, ToolError> {
    let mut sources = Sources::new(on, toolbox)?;
    let overview = on.indexed.overview().map_err(IndexError::from)?;
    let mut page = Page::default();
    page.heading("What it is");
    project::say_what(&mut page, &mut sources, overview);
    page.heading("Where it starts");
    project::say_entries(&mut page, &mut sources, overview, Entries::Important)?;
    page.heading("The first hour: read these files in this order");
    project::say_reading_order(&mut page, &mut sources, overview)?;
    page.heading("How it is organised");
    project::say_structure(&mut page, &mut sources, overview)?;
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
