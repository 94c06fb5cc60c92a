//! Statements about the repository as a whole: what it is, where it starts, how it is organised, what to read first.
//!
//! All of it comes from the overview that the index keeps; here each part is given the lines that show it.

use rb_index::architecture::{Confidence, EntryKind, EntryPoint, Family, Finding};
use rb_index::{FileId, Overview};
use rb_tools::ToolError;

use crate::citation::Citation;
use crate::extract::evidence_lines::{cite_file, clue_line, description_line};
use crate::extract::header;
use crate::extract::page::Page;
use crate::extract::sources::Sources;
use crate::extract::symbols::{Cited, cite_name, declares, key_symbols};
use crate::extract::testing::{Tested, import_of, say_tests_of};
use crate::extract::words::article;

/// The most entry points that are named, and how many of them are named whatever their rank.
const ENTRIES: usize = 5;
const SURE_ENTRIES: usize = 2;
/// The most pairs of layers that are shown, and how many of them may cite files that nothing else led to.
const LAYERS: usize = 6;
const FREE_LAYERS: usize = 3;
/// How many imports are tried to show that one layer is above another.
const IMPORTS: usize = 20;
/// How many files are to be read first, and how many of them are entry points.
const READING: usize = 12;
const FIRST_ENTRIES: usize = 3;
/// The most symbols that are named of a file.
const SYMBOLS: usize = 3;

/// Which entry points are named.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Entries {
    /// The first two.
    First,
    /// Those, and further ones that are among the most important files.
    Important,
}

/// What the README and the manifest say it is, and what kind of product it is found to be.
pub(crate) fn say_what(page: &mut Page, sources: &mut Sources<'_, '_>, overview: &Overview) {
    let said = [description_line(sources), header::readme(sources)];
    for (text, citations) in said.into_iter().flatten() {
        page.say(sources, &text, &citations);
    }
    say_patterns(page, sources, overview, |family| {
        matches!(family, Family::Product | Family::Framework)
    });
}

/// The patterns of some families, each with a line that shows it.
fn say_patterns(
    page: &mut Page,
    sources: &mut Sources<'_, '_>,
    overview: &Overview,
    is_wanted: impl Fn(Family) -> bool,
) {
    let findings = overview.architecture.patterns.iter();
    for finding in findings.filter(|finding| is_wanted(finding.pattern.family())) {
        let lead = pattern(finding);
        for (why, citation) in clues(page, sources, finding) {
            if page.say(sources, &format!("{lead}: {why}."), &[citation]) {
                break;
            }
        }
    }
}

/// The lines that show a finding. First those of files that the page cites already, then those of important files.
fn clues(page: &Page, sources: &mut Sources<'_, '_>, finding: &Finding) -> Vec<(String, Citation)> {
    let mut lines: Vec<(String, Citation)> =
        finding.evidence.iter().filter_map(|clue| clue_line(sources, clue)).collect();
    // Stable: otherwise the clues stay in their order.
    lines.sort_by_key(|(_, citation)| {
        let file = sources.find(&citation.path);
        let is_important = file.is_some_and(|file| sources.is_important(file));
        (!page.cites(&citation.path), !is_important)
    });
    lines
}

/// "This is a web service project"
fn pattern(finding: &Finding) -> String {
    let name = finding.pattern.name();
    // A name such as SvelteKit is written in another way in code.
    let has_hump =
        name.chars().zip(name.chars().skip(1)).any(|(a, b)| a.is_lowercase() && b.is_uppercase());
    let name = if has_hump { name.to_lowercase() } else { name.to_owned() };
    let probably = match finding.confidence {
        Confidence::Sure => "",
        Confidence::Likely => "probably ",
    };
    format!("This is {probably}{} {name} project", article(&name))
}

/// Where the program starts, the product's own entry points first.
pub(crate) fn say_entries(
    page: &mut Page,
    sources: &mut Sources<'_, '_>,
    overview: &Overview,
    wanted: Entries,
) -> Result<(), ToolError> {
    let entries = &overview.architecture.entry_points;
    let is_main = |entry: &&EntryPoint| !entry.secondary && entry.kind != EntryKind::LibraryPart;
    let main: Vec<&EntryPoint> = entries.iter().filter(is_main).collect();
    let named = if main.is_empty() { entries.iter().collect() } else { main };
    let most = match wanted {
        Entries::First => SURE_ENTRIES,
        Entries::Important => ENTRIES,
    };
    let mut said = 0;
    for entry in named {
        if said == most {
            break;
        }
        let Some(file) = sources.find(&entry.path) else { continue };
        if said >= SURE_ENTRIES && !sources.is_important(file) {
            continue;
        }
        if let Some((text, citations)) = entry_point(sources, entry, file)?
            && page.say(sources, &text, &citations)
        {
            said += 1;
        }
    }
    Ok(())
}

/// "The program starts in `src/main.rs`, which declares `main`."
fn entry_point(
    sources: &mut Sources<'_, '_>,
    entry: &EntryPoint,
    file: FileId,
) -> Result<Option<Cited>, ToolError> {
    let lead = match entry.kind {
        EntryKind::Program => "The program starts in",
        EntryKind::Server => "The server starts in",
        EntryKind::App => "The user interface starts in",
        EntryKind::Function => "The platform calls the function in",
        EntryKind::Worker => "The worker starts in",
        EntryKind::Library => "Others import the library from",
        EntryKind::LibraryPart => "Others can also import",
        EntryKind::Script => "A script that can be started is",
    };
    let Some((what, citation)) = start_line(sources, file)? else { return Ok(None) };
    let mut citations = vec![citation];
    citations.extend(naming_line(sources, entry));
    Ok(Some((format!("{lead} `{}`, {what}.", entry.path), citations)))
}

/// What a file that is started has to show: its main function, else its most telling symbol, else its first line of code.
fn start_line(
    sources: &mut Sources<'_, '_>,
    file: FileId,
) -> Result<Option<(String, Citation)>, ToolError> {
    let facts = sources.facts(file)?;
    let main = facts.as_ref().and_then(|facts| {
        let is_main = |name: &str| matches!(name, "main" | "Main" | "run" | "cli" | "handler");
        let mut symbols = facts.symbols.iter();
        symbols.find(|symbol| symbol.parent.is_none() && is_main(&symbol.name)).cloned()
    });
    let key = match main {
        Some(main) => Some(main),
        None => key_symbols(sources, file, 1)?.into_iter().next(),
    };
    if let Some(symbol) = key
        && let Some(citation) = cite_name(sources, file, &symbol)
    {
        return Ok(Some((format!("which declares `{}`", symbol.name), citation)));
    }
    Ok(cite_file(sources, file).map(|(line, citation)| (format!("which has `{line}`"), citation)))
}

/// The line of a manifest that names an entry point.
fn naming_line(sources: &mut Sources<'_, '_>, entry: &EntryPoint) -> Option<Citation> {
    let manifest = entry.reasons.iter().find_map(|reason| {
        let path = reason.split(' ').next()?;
        sources.find(path).filter(|_| path != entry.path)
    })?;
    let (stem, _) = entry.path.rsplit_once('.').unwrap_or((&entry.path, ""));
    let text = sources.text(manifest)?;
    let line = (1..).zip(&text.lines).find(|(_, line)| line.contains(stem))?.0;
    sources.cite(manifest, line, line)
}

/// How the code is cut: patterns, and which folders stand above which, each with an import that shows it.
pub(crate) fn say_structure(
    page: &mut Page,
    sources: &mut Sources<'_, '_>,
    overview: &Overview,
) -> Result<(), ToolError> {
    say_patterns(page, sources, overview, |family| {
        matches!(family, Family::Shape | Family::Structure)
    });
    let Some(layering) = overview.architecture.layers.first() else { return Ok(()) };
    let folders: Vec<Vec<&str>> = layering
        .layers
        .iter()
        .map(|layer| layer.folders.iter().map(|folder| folder.path.as_str()).collect())
        .collect();
    let mut said = 0;
    for (upper, lower) in folders.iter().zip(folders.iter().skip(1)) {
        if said == LAYERS {
            break;
        }
        let strangers = if said < FREE_LAYERS { Strangers::Allowed } else { Strangers::None };
        if say_layers(page, sources, upper, lower, strangers)? {
            said += 1;
        }
    }
    Ok(())
}

/// Files that are not among the most important ones and that the page does not cite yet.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Strangers {
    Allowed,
    None,
}

/// An import from one layer to another.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct LayerImport {
    strangers: usize,
    /// Of the less important of the two files.
    worst_rank: usize,
    from: FileId,
    to: FileId,
    above: String,
    below: String,
}

/// Says that one layer is above another, by the import that leads a reader to the fewest further files. Whether there is one.
fn say_layers(
    page: &mut Page,
    sources: &mut Sources<'_, '_>,
    upper: &[&str],
    lower: &[&str],
    strangers: Strangers,
) -> Result<bool, ToolError> {
    for import in layer_imports(page, sources, upper, lower).into_iter().take(IMPORTS) {
        if strangers == Strangers::None && import.strangers > 0 {
            break;
        }
        if let Some((text, citations)) = layers(sources, &import)?
            && page.say(sources, &text, &citations)
        {
            return Ok(true);
        }
    }
    Ok(false)
}

/// The imports from one layer to another, those with the fewest strangers first, then the most important ones.
fn layer_imports(
    page: &Page,
    sources: &Sources<'_, '_>,
    upper: &[&str],
    lower: &[&str],
) -> Vec<LayerImport> {
    let within = |folders: &[&str], path: &str| -> Option<String> {
        let holds =
            |folder: &&&str| path.strip_prefix(**folder).is_some_and(|rest| rest.starts_with('/'));
        folders.iter().find(holds).map(|folder| (*folder).to_owned())
    };
    let is_stranger =
        |file: &FileId| !sources.is_important(*file) && !page.cites(sources.path(*file));
    let mut imports: Vec<LayerImport> = sources
        .edges
        .iter()
        .filter_map(|&(from, to)| {
            let above = within(upper, sources.path(from))?;
            let below = within(lower, sources.path(to))?;
            let is_meant = sources.is_product(from) && sources.is_product(to) && above != below;
            let strangers = [from, to].iter().filter(|file| is_stranger(file)).count();
            let worst_rank = sources.rank(to).max(sources.rank(from));
            let import = LayerImport { strangers, worst_rank, from, to, above, below };
            is_meant.then_some(import)
        })
        .collect();
    imports.sort();
    imports
}

/// "`src/api/` is above `src/db/`: `src/api/cart.js` imports `src/db/store.js`."
fn layers(sources: &mut Sources<'_, '_>, import: &LayerImport) -> Result<Option<Cited>, ToolError> {
    let LayerImport { from, to, above, below, .. } = import;
    let Some(line) = import_of(sources, *from, *to)? else { return Ok(None) };
    let Some(imported) = sources.cite(*from, line, line) else { return Ok(None) };
    let keys = key_symbols(sources, *to, 1)?;
    let Some(symbol) = keys.first() else { return Ok(None) };
    let Some(declared) = cite_name(sources, *to, symbol) else { return Ok(None) };
    let (from, to) = (sources.path(*from), sources.path(*to));
    let text = format!(
        "`{above}/` is above `{below}/`: `{from}` imports `{to}`, which declares `{}`.",
        symbol.name
    );
    Ok(Some((text, vec![imported, declared])))
}

/// What the most important files declare, so many of them; those that the page cites already are left out.
pub(crate) fn say_files(
    page: &mut Page,
    sources: &mut Sources<'_, '_>,
    overview: &Overview,
    most: usize,
) -> Result<(), ToolError> {
    let mut said = 0;
    for top in &overview.top {
        let Some(file) = sources.find(&top.path) else { continue };
        if said == most || !sources.is_important(file) {
            break;
        }
        if !page.cites(&top.path) && sources.is_product(file) && say_file(page, sources, file)? {
            said += 1;
        }
    }
    Ok(())
}

/// What the files declare that a newcomer reads first, in this order.
pub(crate) fn say_reading_order(
    page: &mut Page,
    sources: &mut Sources<'_, '_>,
    overview: &Overview,
) -> Result<(), ToolError> {
    for file in reading_order(sources, overview) {
        say_file(page, sources, file)?;
    }
    Ok(())
}

/// From where it starts to what it is made of, the most important first.
fn reading_order(sources: &Sources<'_, '_>, overview: &Overview) -> Vec<FileId> {
    let entries = overview
        .architecture
        .entry_points
        .iter()
        .filter(|entry| !entry.secondary && entry.kind != EntryKind::LibraryPart);
    let entries = entries.take(FIRST_ENTRIES).map(|entry| &entry.path);
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

/// States what a file declares and how it begins. Returns whether there was anything to state.
pub(crate) fn say_file(
    page: &mut Page,
    sources: &mut Sources<'_, '_>,
    file: FileId,
) -> Result<bool, ToolError> {
    let keys = key_symbols(sources, file, SYMBOLS)?;
    let said = [declares(sources, file, &keys), header::begins(sources, file)];
    let mut is_any = false;
    for (text, citations) in said.into_iter().flatten() {
        is_any |= page.say(sources, &text, &citations);
    }
    Ok(is_any)
}

/// Tests of the most important files, so many of them.
pub(crate) fn say_tests(
    page: &mut Page,
    sources: &mut Sources<'_, '_>,
    overview: &Overview,
    most: usize,
) -> Result<(), ToolError> {
    let top = overview.top.iter().filter_map(|top| sources.find(&top.path));
    let tested: Vec<Tested> = top
        .filter(|file| sources.is_product(*file))
        .take(most * 2)
        .map(|file| Tested { file, symbol: None })
        .collect();
    say_tests_of(page, sources, &tested, &[], most)
}

#[cfg(test)]
mod tests;
