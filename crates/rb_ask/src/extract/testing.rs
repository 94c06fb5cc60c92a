//! How something is tested: tests that have its name, tests that import it, and tests in the same file.

use rb_index::FileId;
use rb_index::calls::FactsSource as _;
use rb_index::resolve::Resolution;
use rb_index::test_links::{self, TestLink, Why};
use rb_lang::{Facts, Symbol, SymbolKind};
use rb_tools::ToolError;

use crate::citation::Citation;
use crate::extract::page::Page;
use crate::extract::sources::{Sources, has_word};
use crate::extract::symbols::{cite_name, key_symbols, symbol_at};
use crate::extract::topic::{SymbolAt, Topic};

/// What is tested: a file, and a symbol of it if one is asked about.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Tested {
    pub(crate) file: FileId,
    pub(crate) symbol: Option<SymbolAt>,
}

/// Says how the named symbols are tested, or the files that answer best; so many tests at most.
pub(crate) fn say_tests(
    page: &mut Page,
    sources: &mut Sources<'_, '_>,
    topic: &Topic,
    most: usize,
) -> Result<(), ToolError> {
    /// How many files that answer best are looked at.
    const BEST: usize = 3;
    let named = topic.named.iter().map(|at| Tested { file: at.file, symbol: Some(*at) });
    let mut tested: Vec<Tested> = named.collect();
    if tested.is_empty() {
        let product = topic.files.iter().filter(|file| sources.is_product(file.file)).take(BEST);
        tested.extend(product.map(|file| {
            let symbol = file.symbols.first().copied();
            Tested { file: file.file, symbol }
        }));
    }
    let found: Vec<FileId> =
        topic.files.iter().map(|file| file.file).filter(|file| sources.is_test(*file)).collect();
    say_tests_of(page, sources, &tested, &found, most)
}

/// Says which tests there are of some files. `found` are tests that search brought up, best first.
pub(crate) fn say_tests_of(
    page: &mut Page,
    sources: &mut Sources<'_, '_>,
    tested: &[Tested],
    found: &[FileId],
    most: usize,
) -> Result<(), ToolError> {
    let links = test_links::link(sources.view.tree, &sources.edges);
    let mut left = most;
    for one in tested {
        let mut tests: Vec<FileId> = found.to_vec();
        tests.extend(linked(sources, &links, one.file));
        let mut seen: Vec<FileId> = Vec::new();
        for candidate in tests {
            if left == 0 {
                return Ok(());
            }
            if seen.contains(&candidate) || page.cites(sources.path(candidate)) {
                continue;
            }
            seen.push(candidate);
            if let Some((text, citations)) = test_sentence(sources, *one, candidate)?
                && page.say(sources, &text, &citations)
            {
                left -= 1;
            }
        }
        if let Some((text, citations)) = own_tests(sources, one.file)? {
            page.say(sources, &text, &citations);
        }
    }
    Ok(())
}

/// The tests of a file, the surest first.
fn linked(sources: &Sources<'_, '_>, links: &[TestLink], file: FileId) -> Vec<FileId> {
    let mut links: Vec<(Why, usize, FileId)> = links
        .iter()
        .filter(|link| link.source == file)
        .map(|link| (link.why, sources.rank(link.test), link.test))
        .collect();
    links.sort_unstable();
    links.into_iter().map(|(.., test)| test).collect()
}

type Cited = Option<(String, Vec<Citation>)>;

/// "The test `test/view.js` uses `render`.", else "… imports `lib/view.js`."
fn test_sentence(
    sources: &mut Sources<'_, '_>,
    tested: Tested,
    test: FileId,
) -> Result<Cited, ToolError> {
    let path = sources.path(test).to_owned();
    let symbol = match tested.symbol {
        Some(at) => symbol_at(sources, at)?.map(|(_, symbol)| symbol),
        None => None,
    };
    if let Some(symbol) = symbol
        && let Some(line) = line_with(sources, test, &symbol.name)
        && let Some(citation) = sources.cite(test, line, line)
    {
        let mut citations = vec![citation];
        citations.extend(cite_name(sources, tested.file, &symbol));
        return Ok(Some((format!("The test `{path}` uses `{}`.", symbol.name), citations)));
    }
    let Some(line) = import_of(sources, test, tested.file)? else { return Ok(None) };
    let Some(imported) = sources.cite(test, line, line) else { return Ok(None) };
    let source = sources.path(tested.file).to_owned();
    let keys = key_symbols(sources, tested.file, 1)?;
    let declared = keys.first().and_then(|symbol| cite_name(sources, tested.file, symbol));
    let citations: Vec<Citation> = std::iter::once(imported).chain(declared).collect();
    Ok(Some((format!("The test `{path}` imports `{source}`."), citations)))
}

/// The first line that has a name; one that calls it is better than one that only imports it.
fn line_with(sources: &mut Sources<'_, '_>, file: FileId, name: &str) -> Option<u32> {
    let text = sources.text(file)?;
    let lines = || (1..).zip(&text.lines).filter(|(_, line)| has_word(line, name));
    let is_use = |line: &str| {
        let line = line.trim_start();
        !["import", "from", "use ", "const ", "var ", "let ", "//", "#", "*", "/*"]
            .iter()
            .any(|begin| line.starts_with(begin))
    };
    let used = lines().find(|(_, line)| is_use(line) && line.contains('('));
    used.or_else(|| lines().next()).map(|(number, _)| number)
}

/// The line on which one file imports another.
pub(crate) fn import_of(
    sources: &mut Sources<'_, '_>,
    from: FileId,
    to: FileId,
) -> Result<Option<u32>, ToolError> {
    let Some(facts) = sources.facts(from)? else { return Ok(None) };
    let resolutions = sources.view.resolutions(from);
    let leads_there = |resolution: &Resolution| match resolution {
        Resolution::Inside(files) => files.contains(&to),
        Resolution::External(_) | Resolution::Builtin | Resolution::Unresolved => false,
    };
    let mut imports = facts.imports.iter().zip(resolutions);
    Ok(imports.find(|(_, resolution)| leads_there(resolution)).map(|(import, _)| import.line))
}

/// The module with the tests that a file of the product holds.
pub(crate) fn test_module(facts: &Facts) -> Option<&Symbol> {
    let is_module = |symbol: &&Symbol| {
        symbol.kind == SymbolKind::Module && matches!(&*symbol.name, "tests" | "test")
    };
    facts.symbols.iter().find(is_module).filter(|_| facts.marks.tests)
}

/// "`src/cache.rs` has tests of its own, in the module `tests`."
fn own_tests(sources: &mut Sources<'_, '_>, file: FileId) -> Result<Cited, ToolError> {
    let Some(facts) = sources.facts(file)? else { return Ok(None) };
    if sources.is_test(file) {
        return Ok(None);
    }
    let said = test_module(&facts).and_then(|module| {
        let citation = cite_name(sources, file, module)?;
        let path = sources.path(file);
        let text = format!("`{path}` has tests of its own, in the module `{}`.", module.name);
        Some((text, vec![citation]))
    });
    Ok(said)
}
