//! `overview`: what the repository is and where to begin reading.

use std::collections::{BTreeMap, BTreeSet};

use rb_core::{at_most, plural};
use rb_index::architecture::{Confidence, Layering, MOST_SECONDARY, Pattern};
use rb_index::{Overview, TopFile, View, test_links};
use serde_json::json;

use super::arguments::{Arguments, schema};
use super::page::{Block, Page};
use super::{Tool, words};
use crate::read_cache::ReadCache;
use crate::toolbox::{Output, Repository, ToolError, ToolSpec};

pub(crate) const TOOL: Tool = Tool { spec, run };

/// As many as count as important everywhere else.
const TOP: usize = 20;
const LANGUAGES: usize = 8;
const PATTERNS: usize = 12;
const EVIDENCE: usize = 2;
const LAYERINGS: usize = 2;
const ENTRY_POINTS: usize = 10;
const LAYERS: usize = 8;
const FOLDERS: usize = 4;
const AGAINST: usize = 3;
const TEST_FOLDERS: usize = 8;
const PACKAGES: usize = 12;
const REASONS: usize = 8;
const BROKEN: usize = 3;

fn spec() -> ToolSpec {
    ToolSpec {
        name: "overview",
        title: "Overview of the repository",
        description: "Describes the repository: what it is, languages, architecture, layers, entry points, the most important files \
                      with the parts of their score, where the tests are, and what was left out. Useful before anything \
                      else if nothing is known.",
        input: schema(&json!({}), &[]),
    }
}

fn run(
    on: Repository<'_>,
    _cache: &mut ReadCache,
    _arguments: &Arguments,
) -> Result<Output, ToolError> {
    let overview = on.indexed.overview_with_top(TOP)?;
    let view = on.indexed.view()?;
    let mut page = Page::new();
    head(&mut page, &overview);
    architecture(&mut page, &overview);
    entry_points(&mut page, &overview)?;
    top(&mut page, &overview)?;
    tests(&mut page, &view, &overview)?;
    rest(&mut page, &view, &overview);
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
        "{} ({} with code), {}, {}",
        count(totals.files, "file"),
        totals.source_files,
        count(totals.lines, "line"),
        count(totals.symbols, "symbol")
    ));
    let shares = overview.languages.iter().map(|share| {
        let (files, lines) = (count(share.files, "file"), count(share.lines, "line"));
        format!("{} ({files}, {lines})", share.language.name())
    });
    let languages = at_most(LANGUAGES, shares);
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
    for finding in found.iter().take(PATTERNS) {
        let sure = match finding.confidence {
            Confidence::Sure => "",
            Confidence::Likely => " (likely)",
        };
        let clues = finding.evidence.iter().map(|clue| words::one_line(&clue.text, 160));
        let evidence = at_most(EVIDENCE, clues).join("; ");
        page.line(&format!("  {}{sure}: {evidence}", finding.pattern.name()));
    }
    left_out(page, found.len(), PATTERNS, "more pattern");
    let layerings = &overview.architecture.layers;
    for layering in layerings.iter().take(LAYERINGS) {
        layers(page, layering);
    }
    left_out(page, layerings.len(), LAYERINGS, "more layering");
}

fn count(number: u64, word: &str) -> String {
    plural(usize::try_from(number).unwrap_or(usize::MAX), word)
}

/// Says how many of a list do not stand there, if any.
fn left_out(page: &mut Page, all: usize, most: usize, word: &str) {
    if let Some(more) = all.checked_sub(most).filter(|more| *more > 0) {
        page.line(&format!("  ({} left out)", plural(more, word)));
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
    left_out(page, layering.layers.len(), LAYERS, "lower layer");
    for against in layering.against.iter().take(AGAINST) {
        page.line(&format!(
            "  against the order: {} imports {}, such as {}",
            words::path(&against.from),
            words::path(&against.to),
            words::path(&against.example.0)
        ));
    }
    left_out(page, layering.against.len(), AGAINST, "more upward dependency");
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
        // Of those beside the product, the index keeps no more.
        let is_cut = points.iter().filter(|point| point.secondary).count() >= MOST_SECONDARY;
        let least = if is_cut { "at least " } else { "" };
        page.line(&format!("  ({least}{} left out)", plural(left, "entry point")));
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
    let shown = u64::try_from(overview.top.len() - left).unwrap_or(u64::MAX);
    let others = overview.totals.files.saturating_sub(shown);
    if others > 0 {
        let others = count(others, "other file");
        page.line(&format!("  ({others} left out. `list_files` lists all.)"));
    }
    Ok(())
}

fn tests(page: &mut Page, view: &View<'_>, overview: &Overview) -> Result<(), ToolError> {
    page.blank();
    let tests = overview.tests;
    if tests.files == 0 {
        page.line("Tests: no file looks like a test by its path.");
        return Ok(());
    }
    page.line(&format!(
        "Tests: {}; {} of {} source files have at least one.",
        count(tests.files, "test file"),
        tests.tested,
        tests.source_files
    ));
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

fn rest(page: &mut Page, view: &View<'_>, overview: &Overview) {
    let packages = overview.packages.iter().map(|package| package.name.as_str());
    let packages = words::listed_of(packages, PACKAGES, external_packages(view));
    if !packages.is_empty() {
        page.line(&format!("External packages, the most used first: {packages}"));
    }
    let cycles = &overview.cycles;
    if cycles.groups > 0 {
        let (groups, files) = (count(cycles.groups, "group"), count(cycles.files, "file"));
        page.line(&format!("Import cycles: {groups} of {files}"));
    }
    let reasons =
        overview.set_aside.iter().map(|aside| format!("{} {}", aside.files, aside.reason));
    let aside = at_most(REASONS, reasons);
    if !aside.is_empty() {
        page.line(&format!("Set aside (not read, or ranked last): {}", aside.join(", ")));
    }
    let broken = words::listed(view.broken(), BROKEN);
    if !broken.is_empty() {
        page.line(&format!("With syntax errors: {broken}"));
    }
}

/// How many there are. The index keeps the names of the most used ones alone.
fn external_packages(view: &View<'_>) -> usize {
    let names: BTreeSet<&str> = view.tree.ids().flat_map(|id| view.uses(id).1).collect();
    names.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn as9_a_cut_list_says_how_many_are_left_out() {
        let check = |all, most, expected: &str| {
            let mut page = Page::new();
            left_out(&mut page, all, most, "more upward dependency");
            assert_eq!(page.finish().text, expected);
        };
        check(5, 3, "  (2 more upward dependencies left out)\n");
        check(4, 3, "  (1 more upward dependency left out)\n");
        check(3, 3, "");
        check(0, 3, "");
    }
}
