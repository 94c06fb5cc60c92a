//! Excerpts to begin with: what a model is shown before it makes its first call.

use std::fmt::Write as _;

use rb_index::{FileId, IndexError};
use rb_tools::{Repository, ToolError, Toolbox};

use crate::extract::header;
use crate::extract::kind::{self, Asked, Kind};
use crate::extract::sources::Sources;
use crate::extract::symbols::symbol_at;
use crate::extract::topic::{Topic, TopicFile};

/// The most files, and the most lines of one of them.
const FILES: usize = 8;
const LINES: u32 = 40;
/// The most tests, unless they are asked for: they stand last.
const TESTS: usize = 1;
/// How many lines around a matching line are shown, if the file has no symbol that answers.
const AROUND: u32 = 6;

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
    Ok(excerpts(&mut sources, &chosen, max_chars))
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

/// The lines that answer best, of the files that answer best.
fn found(
    sources: &mut Sources<'_, '_>,
    question: &str,
    text: &str,
    asked: &Asked,
) -> Result<Vec<(FileId, u32, u32)>, ToolError> {
    let topic = Topic::of(sources, question, text)?;
    let mut found = Vec::new();
    for file in with_few_tests(sources, &topic, asked) {
        if let Some((first, last)) = lines(sources, &topic, file)? {
            found.push((file.file, first, last));
        }
    }
    Ok(found)
}

/// The best files. Tests stand last, as few as may be, unless they are asked for.
fn with_few_tests<'t>(
    sources: &Sources<'_, '_>,
    topic: &'t Topic,
    asked: &Asked,
) -> Vec<&'t TopicFile> {
    let is_aside = |file: &&TopicFile| {
        asked.kind != Kind::Tests && sources.is_test(file.file) && !topic.names(file.file)
    };
    let (tests, others): (Vec<_>, Vec<_>) = topic.files.iter().partition(is_aside);
    others.into_iter().chain(tests.into_iter().take(TESTS)).take(FILES).collect()
}

/// The beginnings of the files where a reader starts, for a question about the repository as a whole.
fn important(sources: &Sources<'_, '_>) -> Result<Vec<(FileId, u32, u32)>, ToolError> {
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

fn excerpts(
    sources: &mut Sources<'_, '_>,
    chosen: &[(FileId, u32, u32)],
    max_chars: usize,
) -> String {
    let mut excerpts = String::new();
    let mut left = max_chars;
    for &(file, first, last) in chosen {
        let Some(text) = sources.text(file) else { continue };
        let mut excerpt = format!("{}\n", sources.path(file));
        let mut shown = None;
        for number in first..=last {
            let Some(line) = text.lines.get((number as usize).saturating_sub(1)) else { break };
            let before = excerpt.len();
            let _ = writeln!(excerpt, "{number:>5} {line}");
            // A line that no longer fits is not shown, and nothing below it.
            if excerpt.chars().count() > left {
                excerpt.truncate(before);
                break;
            }
            shown = Some(number);
        }
        let Some(last) = shown else { break };
        sources.show(file, first, last);
        left = left.saturating_sub(excerpt.chars().count() + 1);
        if !excerpts.is_empty() {
            excerpts.push('\n');
        }
        excerpts.push_str(&excerpt);
    }
    excerpts
}

/// The lines of a file that answer: a named symbol, else its best symbol, else what is around the best line.
fn lines(
    sources: &mut Sources<'_, '_>,
    topic: &Topic,
    file: &TopicFile,
) -> Result<Option<(u32, u32)>, ToolError> {
    let named = topic.named.iter().filter(|at| at.file == file.file);
    for at in named.chain(&file.symbols).copied() {
        if let Some((_, symbol)) = symbol_at(sources, at)? {
            let first = symbol.span.first_line;
            return Ok(Some((first, symbol.span.last_line.min(first + LINES - 1))));
        }
    }
    let line = file.lines.first().copied();
    Ok(line.map(|line| (line.saturating_sub(AROUND).max(1), line.saturating_add(AROUND))))
}
