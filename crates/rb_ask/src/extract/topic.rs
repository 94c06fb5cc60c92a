//! What a question is about, found in the index: the symbols that it names, and the files that answer it, best first.
//!
//! Names are looked up exactly; everything else comes from search. Facts are read only of the files that search brought up, so
//! that a large repository costs little more than a small one.

use std::collections::{BTreeMap, BTreeSet};

use rb_core::progress::Silent;
use rb_index::search::{Hit, Meaning, Question, Signals};
use rb_index::{FileId, IndexError};
use rb_lang::{Facts, SymbolKind, name_words};
use rb_tools::ToolError;

use crate::extract::calls::Calls;
use crate::extract::decisive;
use crate::extract::names::{Names, Written};
use crate::extract::rank::{self, Reasons};
use crate::extract::sources::{Sources, has_word};
use crate::extract::testing::test_module;

/// How many files search is asked for.
const HITS: usize = 30;
/// How many of them are looked through for names that the question spells in words.
const LOOKED_THROUGH: usize = 12;
/// The most declarations of one name that are shown.
const NAMESAKES: usize = 3;
/// The most symbols that one answer is about.
const MOST_NAMED: usize = 4;

/// A symbol, by its place in the facts of its file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct SymbolAt {
    pub(crate) file: FileId,
    pub(crate) symbol: u32,
}

/// A file that answers, and what of it.
#[derive(Debug, Clone)]
pub(crate) struct TopicFile {
    pub(crate) file: FileId,
    /// The symbols that answer best, best first.
    pub(crate) symbols: Vec<SymbolAt>,
    /// The lines that answer best, in their order.
    pub(crate) lines: Vec<u32>,
    /// Words of the question that the file has.
    pub(crate) matched: Vec<String>,
}

pub(crate) struct Topic {
    /// The symbols that the question names, best first.
    pub(crate) named: Vec<SymbolAt>,
    /// Best first, the product's own code before tests and documentation.
    pub(crate) files: Vec<TopicFile>,
    /// Calls around the named symbols, or around what answers best.
    pub(crate) calls: Calls,
    /// Names in the question that no file declares.
    pub(crate) missing: Vec<String>,
    /// Words of the question that no file has which search brought up.
    pub(crate) absent: Vec<String>,
    /// Too few words of the question are there for an answer, and it names nothing that is.
    pub(crate) is_elsewhere: bool,
}

impl Topic {
    /// `text` is what to search for, `question` all that was asked.
    pub(crate) fn of(
        sources: &mut Sources<'_, '_>,
        question: &str,
        text: &str,
    ) -> Result<Topic, ToolError> {
        let (names, subject) = (Names::of(question), Names::of(text));
        let hits = search(sources, text)?;
        let (written, missing) = look_up(sources, &names.written)?;
        let mut files = with_symbols(sources, &hits)?;
        let mut symbols = written;
        symbols.extend(spelled(sources, &names, &subject, &files)?);
        let mut seen = BTreeSet::new();
        symbols.retain(|at| seen.insert(*at));
        symbols.truncate(MOST_NAMED);
        let paths = named_files(sources, &names);
        let around = start_files(sources, &symbols, &files);
        let calls = Calls::around(sources, &around)?;
        let reasons = Reasons { paths: &paths, named: &symbols, calls: &calls };
        let is_known = |file: FileId| files.iter().any(|known| known.file == file);
        let others: BTreeSet<FileId> = reasons.files().filter(|file| !is_known(*file)).collect();
        files.extend(others.into_iter().map(TopicFile::without_symbols));
        for file in &mut files {
            file.add_symbols(&reasons);
        }
        let absent = absent(&subject, &hits);
        let is_elsewhere =
            symbols.is_empty() && paths.is_empty() && 2 * absent.len() >= subject.words.len();
        // Chance matches of a word or two are no answer.
        let is_answer = |file: &TopicFile| {
            reasons.any(file.file) || file.matched.iter().any(|word| says_something(&names, word))
        };
        files.retain(is_answer);
        rank::sort(sources, &mut files, &reasons);
        decisive::add(sources, &subject, &mut files)?;
        Ok(Topic { named: symbols, files, calls, missing, absent, is_elsewhere })
    }

    /// Where a reader begins: the named symbol, or the function that answers best.
    pub(crate) fn start(
        &self,
        sources: &mut Sources<'_, '_>,
    ) -> Result<Option<SymbolAt>, ToolError> {
        let best = self.files.iter().flat_map(|file| &file.symbols);
        for at in self.named.iter().chain(best).copied() {
            let Some(facts) = sources.facts(at.file)? else { continue };
            let is_product = sources.is_product(at.file) || self.named.contains(&at);
            let symbol = facts.symbols.get(at.symbol as usize);
            let is_called = symbol.is_some_and(|symbol| has_body(symbol.kind));
            if is_product && is_called && self.calls.callees_of(at).next().is_some() {
                return Ok(Some(at));
            }
        }
        Ok(None)
    }

    /// Whether the question names a symbol of the file.
    pub(crate) fn names(&self, file: FileId) -> bool {
        self.named.iter().any(|at| at.file == file)
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.named.is_empty() && self.files.is_empty()
    }
}

impl TopicFile {
    fn without_symbols(file: FileId) -> Self {
        TopicFile { file, symbols: Vec::new(), lines: Vec::new(), matched: Vec::new() }
    }

    /// The symbols that the question names come first, those that they call last.
    fn add_symbols(&mut self, reasons: &Reasons<'_>) {
        let file = self.file;
        let of_file = |at: &SymbolAt| at.file == file;
        let mut symbols: Vec<SymbolAt> = reasons.named.iter().copied().filter(of_file).collect();
        let called = reasons.called().filter(of_file);
        for at in self.symbols.iter().copied().chain(called) {
            if !symbols.contains(&at) {
                symbols.push(at);
            }
        }
        self.symbols = symbols;
    }
}

pub(crate) fn has_body(kind: SymbolKind) -> bool {
    match kind {
        SymbolKind::Function
        | SymbolKind::Method
        | SymbolKind::Class
        | SymbolKind::Component
        | SymbolKind::Macro => true,
        SymbolKind::Struct
        | SymbolKind::Interface
        | SymbolKind::Trait
        | SymbolKind::Enum
        | SymbolKind::Type
        | SymbolKind::Constant
        | SymbolKind::Variable
        | SymbolKind::Module => false,
    }
}

fn search(sources: &Sources<'_, '_>, text: &str) -> Result<Vec<Hit>, ToolError> {
    let question = Question { text: text.to_owned(), limit: HITS, ..Question::default() };
    Ok(sources.on.search.ask(sources.on.indexed, &question, &Silent)?.hits)
}

/// The words that carry meaning and that none of the hits has.
fn absent(names: &Names, hits: &[Hit]) -> Vec<String> {
    let has = |word: &str, matched: &str| {
        word == matched || name_words(word).iter().any(|it| it == matched)
    };
    let is_absent =
        |word: &&String| !hits.iter().any(|hit| hit.matched.iter().any(|it| has(word, it)));
    names.words.iter().filter(is_absent).cloned().collect()
}

/// A matched word counts if it carries meaning: as a part of a word of the question, too.
fn says_something(names: &Names, matched: &str) -> bool {
    names
        .words
        .iter()
        .any(|word| word == matched || name_words(word).iter().any(|part| part == matched))
        || names.written.iter().any(|written| {
            name_words(&written.name).concat() == matched
                || name_words(&written.name).iter().any(|part| part == matched)
        })
}

/// The declarations of names that are written as code, and those of them that have none.
fn look_up(
    sources: &mut Sources<'_, '_>,
    written: &[Written],
) -> Result<(Vec<SymbolAt>, Vec<String>), ToolError> {
    let (mut found, mut missing) = (Vec::new(), Vec::new());
    if written.is_empty() {
        return Ok((found, missing));
    }
    let indexed = sources.on.indexed;
    let searcher = indexed.searcher().map_err(IndexError::from)?;
    for name in written {
        let signals = Signals { words: true, vectors: false, graph: false };
        let text = name.name.clone();
        let question = Question { text, limit: HITS, signals, ..Question::default() };
        let hits = searcher.ask(&question, Meaning::None)?.hits;
        let declaring = hits.iter().filter(|hit| hit.parts.exact > 0.0);
        let files: Vec<FileId> = declaring.filter_map(|hit| sources.find(&hit.path)).collect();
        let symbols = declarations(sources, name, &files)?;
        if symbols.is_empty() && name.is_code && name.owner.is_none() {
            missing.push(name.name.clone());
        }
        found.extend(symbols);
    }
    Ok((found, missing))
}

/// The symbols of some files that have a name, the likeliest first.
fn declarations(
    sources: &mut Sources<'_, '_>,
    name: &Written,
    files: &[FileId],
) -> Result<Vec<SymbolAt>, ToolError> {
    let mut found = Vec::new();
    for &file in files {
        let Some(facts) = sources.facts(file)? else { continue };
        for (symbol, declared) in (0..).zip(&facts.symbols) {
            if *declared.name != *name.name {
                continue;
            }
            let is_other = name.owner.as_ref().is_some_and(|owner| {
                !is_of(&facts, symbol, owner) && stem(sources.path(file)) != owner.as_str()
            });
            let is_local = declared.parent.is_some_and(|parent| {
                let outer = facts.symbols.get(parent as usize);
                outer.is_some_and(|outer| {
                    matches!(outer.kind, SymbolKind::Function | SymbolKind::Method)
                })
            });
            let is_aside = !sources.is_product(file) || sources.is_trivial(file);
            let rank = sources.rank(file);
            let key = (is_other, is_aside, is_local, !declared.exported, rank, symbol);
            found.push((key, SymbolAt { file, symbol }));
        }
    }
    found.sort_unstable();
    let has_owner = found.iter().any(|(key, _)| !key.0);
    found.retain(|(key, _)| !has_owner || !key.0);
    let has_product = found.iter().any(|(key, _)| !key.1);
    found.retain(|(key, _)| !has_product || !key.1);
    Ok(found.into_iter().map(|(_, at)| at).take(NAMESAKES).collect())
}

/// Whether a symbol is declared in something of this name, or as a member of it.
fn is_of(facts: &Facts, symbol: u32, owner: &str) -> bool {
    let symbol = &facts.symbols[symbol as usize];
    let outer = symbol.parent.and_then(|parent| facts.symbols.get(parent as usize));
    outer.is_some_and(|outer| *outer.name == *owner) || has_word(&symbol.signature, owner)
}

fn stem(path: &str) -> &str {
    let name = path.rsplit('/').next().unwrap_or(path);
    name.split('.').next().unwrap_or(name)
}

/// The hits as files with symbols. What is generated or vendored is left out, and so are the tests that a file of the product holds.
fn with_symbols(sources: &mut Sources<'_, '_>, hits: &[Hit]) -> Result<Vec<TopicFile>, ToolError> {
    let mut files = Vec::new();
    for hit in hits {
        let Some(file) = sources.find(&hit.path).filter(|file| !sources.is_trivial(*file)) else {
            continue;
        };
        let facts = sources.facts(file)?;
        let tests = facts.as_ref().and_then(|facts| Some(test_module(facts)?.span));
        let is_test = |line: u32| {
            tests.is_some_and(|tests| (tests.first_line..=tests.last_line).contains(&line))
        };
        let symbols =
            hit.symbols.iter().filter(|symbol| !is_test(symbol.first_line)).filter_map(|symbol| {
                let mut declared = (0..).zip(facts.iter().flat_map(|facts| &facts.symbols));
                let found = declared.find(|(_, declared)| {
                    *declared.name == *symbol.name && declared.span.first_line == symbol.first_line
                });
                Some(SymbolAt { file, symbol: found?.0 })
            });
        files.push(TopicFile {
            file,
            symbols: symbols.collect(),
            lines: hit.lines.iter().map(|line| line.line).filter(|line| !is_test(*line)).collect(),
            matched: hit.matched.clone(),
        });
    }
    Ok(files)
}

/// Symbols that the question spells in words: "the select proxy function". A single word is a symbol only if the question is
/// about little else, or calls it one.
fn spelled(
    sources: &mut Sources<'_, '_>,
    names: &Names,
    subject: &Names,
    files: &[TopicFile],
) -> Result<Vec<SymbolAt>, ToolError> {
    let mut wanted: BTreeMap<String, bool> = BTreeMap::new();
    for run in &names.runs {
        let is_name = run.words.len() > 1 || run.is_named || subject.words.len() == 1;
        if is_name {
            *wanted.entry(run.words.concat()).or_default() |= run.is_named;
        }
    }
    let mut found = Vec::new();
    let product = files.iter().filter(|file| sources.is_product(file.file));
    let product: Vec<FileId> = product.map(|file| file.file).take(LOOKED_THROUGH).collect();
    for (place, file) in product.into_iter().enumerate() {
        let Some(facts) = sources.facts(file)? else { continue };
        for (symbol, declared) in (0..).zip(&facts.symbols) {
            let Some(is_named) = wanted.get(&name_words(&declared.name).concat()) else { continue };
            let is_local = declared.parent.is_some() && !declared.exported;
            found.push(((!is_named, is_local, place, symbol), SymbolAt { file, symbol }));
        }
    }
    found.sort_unstable();
    Ok(found.into_iter().map(|(_, at)| at).take(NAMESAKES).collect())
}

/// The files that the question names, by the whole path or its end.
fn named_files(sources: &Sources<'_, '_>, names: &Names) -> Vec<FileId> {
    let mut found = Vec::new();
    for path in &names.paths {
        if let Some(file) = sources.find(path) {
            found.push(file);
            continue;
        }
        let end = format!("/{path}");
        let ids = sources.view.tree.ids();
        let mut ending: Vec<FileId> = ids.filter(|id| sources.path(*id).ends_with(&end)).collect();
        ending.sort_by_key(|file| sources.rank(*file));
        found.extend(ending.into_iter().take(NAMESAKES));
    }
    found
}

/// The files whose calls are looked at.
fn start_files(sources: &Sources<'_, '_>, named: &[SymbolAt], files: &[TopicFile]) -> Vec<FileId> {
    /// How many files that answer are taken besides those of named symbols.
    const BEST: usize = 3;
    let best = files.iter().filter(|file| sources.is_product(file.file)).take(BEST);
    let mut start: Vec<FileId> = named.iter().map(|at| at.file).collect();
    start.extend(best.map(|file| file.file));
    start.sort_unstable();
    start.dedup();
    start
}
