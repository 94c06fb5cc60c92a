//! `overview`: what the repository is and where to begin reading.

use std::collections::BTreeMap;

use rb_core::plural;
use rb_index::architecture::{Confidence, Layering, Pattern};
use rb_index::{Overview, TopFile, test_links};
use serde_json::json;

use super::arguments::{Arguments, schema};
use super::page::{Block, Page};
use super::{Tool, words};
use crate::read_cache::ReadCache;
use crate::toolbox::{Output, Repository, ToolError, ToolSpec};

pub(crate) const TOOL: Tool = Tool { spec, run };

/// As many as count as important everywhere else.
const TOP: usize = 20;
const EVIDENCE: usize = 2;
const ENTRY_POINTS: usize = 10;
const LAYERS: usize = 8;
const FOLDERS: usize = 4;
const TEST_FOLDERS: usize = 8;
const PACKAGES: usize = 12;
const REASONS: usize = 8;

fn spec() -> ToolSpec {
    ToolSpec {
        name: "overview",
        title: "Overview of the repository",
        description: "Describes the repository: what it is, languages, architecture, layers, entry points, the most important files \
                      with the parts of their score, where the tests are, and what was left out. Call it first.",
        input: schema(&json!({}), &[]),
    }
}

fn run(
    on: Repository<'_>,
    _cache: &mut ReadCache,
    _arguments: &Arguments,
) -> Result<Output, ToolError> {
    let overview = on.indexed.overview_with_top(TOP)?;
    let mut page = Page::new();
    head(&mut page, &overview);
    architecture(&mut page, &overview);
    entry_points(&mut page, &overview)?;
    top(&mut page, &overview)?;
    tests(&mut page, on, &overview)?;
    rest(&mut page, &overview);
    Ok(page.finish())
}

fn head(page: &mut Page, overview: &Overview) {
    let what = &overview.architecture.what;
    let name = what.name.as_deref().unwrap_or("This repository");
    let kinds: Vec<&str> = what.kinds.iter().map(|kind| kind.name()).collect();
    let kinds = if kinds.is_empty() { String::new() } else { format!(": {}", kinds.join(", ")) };
    page.line(&format!("{}{kinds}", words::one_line(name, 100)));
    if let Some(description) = &what.description {
        page.line(&words::one_line(description, 400));
    }
    let totals = overview.totals;
    page.line(&format!(
        "{} files ({} with code), {} lines, {} symbols",
        totals.files, totals.source_files, totals.lines, totals.symbols
    ));
    let languages: Vec<String> = overview
        .languages
        .iter()
        .take(8)
        .map(|share| {
            format!("{} ({} files, {} lines)", share.language.name(), share.files, share.lines)
        })
        .collect();
    if !languages.is_empty() {
        page.line(&format!("Languages: {}", languages.join(", ")));
    }
}

fn architecture(page: &mut Page, overview: &Overview) {
    let found = &overview.architecture.patterns;
    if !found.is_empty() {
        page.blank();
        page.line("Architecture:");
    }
    for finding in found.iter().take(12) {
        let sure = match finding.confidence {
            Confidence::Sure => "",
            Confidence::Likely => " (likely)",
        };
        let evidence: Vec<String> = finding
            .evidence
            .iter()
            .take(EVIDENCE)
            .map(|clue| words::one_line(&clue.text, 160))
            .collect();
        page.line(&format!("  {}{sure}: {}", finding.pattern.name(), evidence.join("; ")));
    }
    for layering in overview.architecture.layers.iter().take(2) {
        layers(page, layering);
    }
}

fn layers(page: &mut Page, layering: &Layering) {
    let whose = layering.pattern.map_or("by imports", Pattern::name);
    page.blank();
    page.line(&format!("Layers ({whose}), the topmost first:"));
    for layer in layering.layers.iter().take(LAYERS) {
        let folders: Vec<String> = layer
            .folders
            .iter()
            .take(FOLDERS)
            .map(|folder| {
                let files = plural(folder.files as usize, "file");
                format!("{} ({files})", words::path(&folder.path))
            })
            .collect();
        let more = match layer.folders.len().saturating_sub(FOLDERS) {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        page.line(&format!("  {}{more}", folders.join(", ")));
    }
    if let Some(more) = layering.layers.len().checked_sub(LAYERS).filter(|more| *more > 0) {
        page.line(&format!("  ({} left out)", plural(more, "lower layer")));
    }
    for against in layering.against.iter().take(3) {
        page.line(&format!(
            "  against the order: {} imports {}, such as {}",
            words::path(&against.from),
            words::path(&against.to),
            words::path(&against.example.0)
        ));
    }
}

fn entry_points(page: &mut Page, overview: &Overview) -> Result<(), ToolError> {
    let points = &overview.architecture.entry_points;
    if points.is_empty() {
        return Ok(());
    }
    page.blank();
    page.line("Entry points:");
    let left = page.each(points, ENTRY_POINTS, |point| {
        let mut block = Block::about(&point.path);
        let reasons = words::one_line(&point.reasons.join("; "), 200);
        let path = words::path(&point.path);
        block.line(&format!("  {path} ({}): {reasons}", point.kind.name()));
        Ok(block)
    })?;
    if left > 0 {
        page.line(&format!("  ({} left out)", plural(left, "entry point")));
    }
    Ok(())
}

fn top(page: &mut Page, overview: &Overview) -> Result<(), ToolError> {
    if overview.top.is_empty() {
        return Ok(());
    }
    page.blank();
    page.line(
        "Most important files, score = 0.4 centrality + 0.25 naming + 0.2 size + 0.15 activity:",
    );
    let left = page.each(&overview.top, TOP, |TopFile { path, lines, used_by, importance }| {
        let mut block = Block::about(path);
        block.line(&format!(
            "  {:.2}  {} (centrality {:.2}, naming {:.2}, size {:.2}, activity {:.2}; {}, used by {})",
            importance.score,
            words::path(path),
            importance.centrality,
            importance.naming,
            importance.size,
            importance.activity,
            plural(*lines as usize, "line"),
            plural(*used_by as usize, "file"),
        ));
        Ok(block)
    })?;
    if left > 0 {
        page.line(&format!("  ({} left out)", plural(left, "file")));
    }
    page.line("  `list_files` lists the others.");
    Ok(())
}

fn tests(page: &mut Page, on: Repository<'_>, overview: &Overview) -> Result<(), ToolError> {
    page.blank();
    let tests = overview.tests;
    if tests.files == 0 {
        page.line("Tests: no file looks like a test by its path.");
        return Ok(());
    }
    page.line(&format!(
        "Tests: {} test files; {} of {} source files have at least one.",
        tests.files, tests.tested, tests.source_files
    ));
    let view = on.indexed.view()?;
    let mut folders: BTreeMap<&str, usize> = BTreeMap::new();
    for file in view.tree.files.iter().filter(|file| test_links::is_test_path(&file.path)) {
        let folder = file.path.rsplit_once('/').map_or(".", |(folder, _)| folder);
        *folders.entry(folder).or_default() += 1;
    }
    let mut folders: Vec<(&str, usize)> = folders.into_iter().collect();
    folders.sort_by_key(|(_, files)| std::cmp::Reverse(*files));
    let left = page.each(&folders, TEST_FOLDERS, |(folder, files)| {
        let mut block = Block::default();
        block.line(&format!("  {} ({})", words::path(folder), plural(*files, "file")));
        Ok(block)
    })?;
    if left > 0 {
        page.line(&format!("  ({} left out)", plural(left, "folder")));
    }
    Ok(())
}

fn rest(page: &mut Page, overview: &Overview) {
    let packages = overview.packages.iter().map(|package| package.name.as_str());
    let packages = words::listed(packages, PACKAGES);
    if !packages.is_empty() {
        page.line(&format!("External packages, the most used first: {packages}"));
    }
    let cycles = &overview.cycles;
    if cycles.groups > 0 {
        page.line(&format!("Import cycles: {} groups of {} files", cycles.groups, cycles.files));
    }
    let aside: Vec<String> = overview
        .set_aside
        .iter()
        .take(REASONS)
        .map(|aside| format!("{} {}", aside.files, aside.reason))
        .collect();
    if !aside.is_empty() {
        page.line(&format!("Set aside (not read, or ranked last): {}", aside.join(", ")));
    }
    if !overview.broken.is_empty() {
        let broken = words::listed(overview.broken.iter().map(String::as_str), 3);
        page.line(&format!("With syntax errors: {broken}"));
    }
}
