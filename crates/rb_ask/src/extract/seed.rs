//! Excerpts to begin with: what a model is shown before it makes its first call.

use std::fmt::Write as _;

use rb_index::{FileId, IndexError};
use rb_tools::{Repository, ToolError, Toolbox};

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
    let topic = Topic::of(&mut sources, question, text)?;
    let mut chosen: Vec<(FileId, u32, u32)> = Vec::new();
    let files = with_few_tests(&sources, &topic, &asked);
    for file in files {
        if let Some((first, last)) = lines(&mut sources, &topic, file)? {
            chosen.push((file.file, first, last));
        }
    }
    if chosen.is_empty() {
        chosen = important(&sources)?;
    }
    Ok(excerpts(&mut sources, &chosen, max_chars))
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
    let readme = sources.view.tree.ids().filter(|id| sources.path(*id) == "README.md");
    let mut files: Vec<FileId> = readme.collect();
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
