//! Excerpts to begin with: what a model is shown before it makes its first call.

use rb_index::{FileId, IndexError};
use rb_tools::{Repository, ToolError, Toolbox};

use crate::extract::calls::Target;
use crate::extract::excerpts::Excerpts;
use crate::extract::header;
use crate::extract::kind::{self, Asked, Kind};
use crate::extract::sources::Sources;
use crate::extract::symbols::symbol_at;
use crate::extract::topic::{SymbolAt, Topic, TopicFile};

/// The most files, and how many of them come before what the best symbol calls.
const FILES: usize = 8;
const BEST_FILES: usize = 3;
/// The most tests, unless they are asked for: they stand last.
const TESTS: usize = 1;
/// The most symbols of one file, and the most that the best symbol calls.
const SYMBOLS: usize = 3;
const CALLED: usize = 5;
/// The first lines of a symbol that are shown before others, and the longest that is shown whole after them.
const LINES: u32 = 40;
const WHOLE: u32 = 120;
/// A file of so few lines is shown whole.
const SHORT_FILE: u32 = 30;
/// How many lines around a matching line are shown, if the file has no symbol that answers.
const AROUND: u32 = 6;
/// The most attributes and lines of comment above a declaration.
const ABOVE: u32 = 8;

/// Lines of a file.
type Place = (FileId, u32, u32);

/// Numbered excerpts of the files that answer a question best, best first, in `max_chars` characters at most. The lines are added
/// to the evidence of `toolbox`. Empty if nothing was found.
pub fn seed(
    on: Repository<'_>,
    toolbox: &mut Toolbox,
    question: &str,
    max_chars: usize,
) -> Result<String, ToolError> {
    let asked = kind::classify(question);
    let text = if asked.subject.is_empty() { question } else { &asked.subject };
    let mut sources = Sources::new(on, toolbox)?;
    let mut chosen = Vec::new();
    if !is_about_code_as_a_whole(asked.kind) {
        chosen = found(&mut sources, question, text, &asked)?;
    }
    if chosen.is_empty() {
        chosen = important(&sources)?;
    }
    let mut excerpts = Excerpts::new(max_chars);
    for (file, first, last) in chosen {
        excerpts.add(&mut sources, file, first, last);
    }
    excerpts.finish(&mut sources)
}

/// Whether files that have words of the question have them by chance. How to build and test is written in files that search finds.
fn is_about_code_as_a_whole(kind: Kind) -> bool {
    match kind {
        Kind::Overview | Kind::Entry | Kind::Structure | Kind::Parts | Kind::Reading => true,
        Kind::Setup
        | Kind::Tests
        | Kind::Users
        | Kind::History
        | Kind::Where
        | Kind::What
        | Kind::Flow => false,
    }
}

/// The lines that answer best, best first: the beginnings of the symbols of the best files and of what the best symbol calls, then
/// these symbols whole, then others.
fn found(
    sources: &mut Sources<'_, '_>,
    question: &str,
    text: &str,
    asked: &Asked,
) -> Result<Vec<Place>, ToolError> {
    let topic = Topic::of(sources, question, text)?;
    let (mut first, mut whole, mut rest) = (Vec::new(), Vec::new(), Vec::new());
    for (nth, file) in with_few_tests(sources, &topic, asked).into_iter().enumerate() {
        if nth == BEST_FILES {
            first.append(&mut called(sources, &topic)?);
        }
        let places = places(sources, &topic, file)?;
        // A declaration of one line says little by itself.
        let enough = places.iter().position(|(_, from, to)| to > from).map_or(1, |at| at + 1);
        first.extend(places.iter().take(enough).map(|place| beginning(*place)));
        if nth < BEST_FILES {
            whole.extend(places.iter().take(enough));
            rest.extend(places.iter().skip(enough).map(|place| beginning(*place)));
        }
    }
    first.append(&mut called(sources, &topic)?);
    first.append(&mut whole);
    first.append(&mut rest);
    Ok(first)
}

fn beginning((file, first, last): Place) -> Place {
    (file, first, last.min(first.saturating_add(LINES - 1)))
}

/// What the symbol calls where a reader begins, outside of tests.
fn called(sources: &mut Sources<'_, '_>, topic: &Topic) -> Result<Vec<Place>, ToolError> {
    let Some(start) = topic.start(sources)? else { return Ok(Vec::new()) };
    let mut called: Vec<SymbolAt> = Vec::new();
    for step in topic.calls.callees_of(start) {
        if let Target::Symbol(at) = step.to
            && at != start
            && !called.contains(&at)
            && !sources.is_test(at.file)
        {
            called.push(at);
        }
    }
    let mut places = Vec::new();
    for at in called.into_iter().take(CALLED) {
        places.extend(place(sources, at)?.map(beginning));
    }
    Ok(places)
}

/// The best files that have many of the question's words, or what it names. Tests stand last, as few as may be, unless they are
/// asked for.
fn with_few_tests<'t>(
    sources: &Sources<'_, '_>,
    topic: &'t Topic,
    asked: &Asked,
) -> Vec<&'t TopicFile> {
    let is_aside = |file: &&TopicFile| {
        asked.kind != Kind::Tests && sources.is_test(file.file) && !topic.names(file.file)
    };
    let best = topic.files.iter().map(|file| file.matched.len()).max().unwrap_or_default();
    let is_weak = |file: &TopicFile| !file.matched.is_empty() && file.matched.len() * 2 < best;
    let (tests, others): (Vec<_>, Vec<_>) = topic.files.iter().partition(is_aside);
    let others = others.into_iter().enumerate();
    let others =
        others.filter(|(nth, file)| *nth < BEST_FILES || topic.names(file.file) || !is_weak(file));
    let others = others.map(|(_, file)| file);
    others.chain(tests.into_iter().take(TESTS)).take(FILES).collect()
}

/// The beginnings of the files where a reader starts, for a question about the repository as a whole.
fn important(sources: &Sources<'_, '_>) -> Result<Vec<Place>, ToolError> {
    let indexed = sources.on.indexed;
    let overview = indexed.overview().map_err(IndexError::from)?;
    let entries = overview.architecture.entry_points.iter();
    let entries = entries.filter(|entry| !entry.secondary).map(|entry| &entry.path);
    let top = overview.top.iter().map(|top| &top.path);
    let mut files: Vec<FileId> = header::find_readme(sources).into_iter().collect();
    for file in entries.take(FILES / 2).chain(top).filter_map(|path| sources.find(path)) {
        if !files.contains(&file) {
            files.push(file);
        }
    }
    Ok(files.into_iter().take(FILES).map(|file| (file, 1, LINES)).collect())
}

/// The lines of a file that answer, best first: all of a short one, its named symbols, its best ones, else what is around the best
/// line.
fn places(
    sources: &mut Sources<'_, '_>,
    topic: &Topic,
    file: &TopicFile,
) -> Result<Vec<Place>, ToolError> {
    let lines = sources.text(file.file).map_or(0, |text| text.lines.len());
    let lines = u32::try_from(lines).unwrap_or(u32::MAX);
    if lines <= SHORT_FILE {
        return Ok(vec![(file.file, 1, lines)]);
    }
    let named = topic.named.iter().filter(|at| at.file == file.file);
    let mut places = Vec::new();
    for at in named.chain(&file.symbols).copied() {
        let place = place(sources, at)?;
        places.extend(place.filter(|it| !places.contains(it)));
        if places.len() == SYMBOLS {
            break;
        }
    }
    if let (true, Some(line)) = (places.is_empty(), file.lines.first().copied()) {
        let first = line.saturating_sub(AROUND).max(1);
        places.push((file.file, first, line.saturating_add(AROUND)));
    }
    Ok(places)
}

/// A symbol with what stands right above it, without the end of a long one.
fn place(sources: &mut Sources<'_, '_>, at: SymbolAt) -> Result<Option<Place>, ToolError> {
    let Some((_, symbol)) = symbol_at(sources, at)? else { return Ok(None) };
    let (first, last) = (symbol.span.first_line, symbol.span.last_line);
    let last = last.min(first.saturating_add(WHOLE - 1));
    let Some(text) = sources.text(at.file) else { return Ok(None) };
    let above = text.lines.iter().take((first as usize).saturating_sub(1)).rev();
    let above = above.take(ABOVE as usize).take_while(|line| is_attached(line)).count();
    let first = first.saturating_sub(u32::try_from(above).unwrap_or_default()).max(1);
    Ok(Some((at.file, first, last)))
}

/// Whether a line is an attribute, a decorator or a comment of what is declared below it.
fn is_attached(line: &str) -> bool {
    let line = line.trim_start();
    ["#[", "@", "//", "/*", "*"].iter().any(|begin| line.starts_with(begin))
}
