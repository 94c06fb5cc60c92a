//! Answers to questions about a part of the repository: what it is, where it is defined, how it works, who uses it and how it is
//! tested, in the order that the question asks for.

use rb_tools::ToolError;

use crate::answer::Draft;
use crate::extract::kind::{Asked, Kind};
use crate::extract::page::Page;
use crate::extract::sources::Sources;
use crate::extract::steps::{say_path, say_users};
use crate::extract::symbols::{answering, comment, definition, matching_line, members};
use crate::extract::testing::say_tests;
use crate::extract::topic::{SymbolAt, Topic, TopicFile};

/// How many files an answer to a question about several things names first.
const FIRST: usize = 6;
/// How many files an answer cites before no more are added.
const ENOUGH: usize = 9;
/// A file matches strongly if it has this part of the words that the best one has.
const STRONG: (usize, usize) = (2, 3);
/// How many lines with words of the question are shown of a file.
const LINES: usize = 2;
/// How many tests an answer names, and how many if the question is about tests.
const TESTS: usize = 1;
const ALL_TESTS: usize = 6;

pub(crate) fn answer(
    sources: &mut Sources<'_, '_>,
    question: &str,
    asked: &Asked,
) -> Result<Draft, ToolError> {
    let text = if asked.subject.is_empty() { question } else { &asked.subject };
    let mut page = Page::default();
    if !text.contains(char::is_alphanumeric) {
        page.not_found("a question".to_owned());
        return Ok(page.finish());
    }
    let topic = Topic::of(sources, question, text)?;
    for name in &topic.missing {
        page.not_found(format!("a declaration of {name}"));
    }
    if topic.is_empty() {
        page.not_found(text.to_owned());
        return Ok(page.finish());
    }
    if topic.is_elsewhere {
        let words: Vec<String> = topic.absent.iter().map(|word| format!("\"{word}\"")).collect();
        let what = text.trim().trim_end_matches('?');
        page.not_found(format!("{what} (no file that matches has {})", words.join(" or ")));
        return Ok(page.finish());
    }
    match asked.kind {
        Kind::Tests => {
            tests(&mut page, sources, &topic, ALL_TESTS)?;
            definitions(&mut page, sources, &topic)?;
        }
        Kind::Users => {
            definitions(&mut page, sources, &topic)?;
            users(&mut page, sources, &topic)?;
            tests(&mut page, sources, &topic, TESTS)?;
        }
        Kind::Where | Kind::What | Kind::History if !topic.named.is_empty() => {
            definitions(&mut page, sources, &topic)?;
            works(&mut page, sources, &topic)?;
            users(&mut page, sources, &topic)?;
            tests(&mut page, sources, &topic, TESTS)?;
        }
        Kind::Overview
        | Kind::Entry
        | Kind::Structure
        | Kind::Parts
        | Kind::Reading
        | Kind::Setup
        | Kind::Where
        | Kind::What
        | Kind::History
        | Kind::Flow => {
            page.heading("Where to look");
            files(&mut page, sources, topic.files.iter(), FIRST)?;
            works(&mut page, sources, &topic)?;
            users(&mut page, sources, &topic)?;
            tests(&mut page, sources, &topic, TESTS)?;
        }
    }
    // Whoever asks who uses a symbol wants that alone.
    let is_answered = asked.kind == Kind::Users && !topic.named.is_empty();
    if page.files() < ENOUGH && !is_answered {
        page.heading("Related files");
        let related: Vec<&TopicFile> = related(sources, &topic, asked).collect();
        files(&mut page, sources, related.into_iter(), ENOUGH)?;
    }
    if !page.has_statements() {
        page.not_found(text.to_owned());
    }
    Ok(page.finish())
}

/// What the named symbols are and where they are defined.
fn definitions(
    page: &mut Page,
    sources: &mut Sources<'_, '_>,
    topic: &Topic,
) -> Result<(), ToolError> {
    page.heading("What it is");
    for at in &topic.named {
        let said = [definition(sources, *at)?, comment(sources, *at)?, members(sources, *at)?];
        for (text, citations) in said.into_iter().flatten() {
            page.say(sources, &text, &citations);
        }
    }
    Ok(())
}

/// The calls that the first named symbol makes, or the function that answers best.
fn works(page: &mut Page, sources: &mut Sources<'_, '_>, topic: &Topic) -> Result<(), ToolError> {
    page.heading("How it works");
    if let Some(start) = topic.start(sources)? {
        say_path(page, sources, &topic.calls, start)?;
    }
    Ok(())
}

fn users(page: &mut Page, sources: &mut Sources<'_, '_>, topic: &Topic) -> Result<(), ToolError> {
    page.heading("Who uses it");
    let start = topic.start(sources)?;
    let asked: Vec<SymbolAt> =
        if topic.named.is_empty() { start.into_iter().collect() } else { topic.named.clone() };
    for at in asked {
        say_users(page, sources, &topic.calls, at)?;
    }
    Ok(())
}

fn tests(
    page: &mut Page,
    sources: &mut Sources<'_, '_>,
    topic: &Topic,
    most: usize,
) -> Result<(), ToolError> {
    page.heading("How it is tested");
    say_tests(page, sources, topic, most)
}

/// Says what of each file answers, best first, until the page cites `enough` files.
fn files<'t>(
    page: &mut Page,
    sources: &mut Sources<'_, '_>,
    files: impl Iterator<Item = &'t TopicFile>,
    enough: usize,
) -> Result<(), ToolError> {
    for file in files {
        if page.files() >= enough {
            break;
        }
        if page.cites(sources.path(file.file)) {
            continue;
        }
        if let Some((text, citations)) = answering(sources, file)? {
            page.say(sources, &text, &citations);
        }
        // The comment on the best symbol says more than its name.
        if let Some(at) = file.symbols.first()
            && let Some((text, citations)) = comment(sources, *at)?
        {
            page.say(sources, &text, &citations);
        }
        lines(page, sources, file);
    }
    Ok(())
}

/// The files that belong to an answer although they are not the best: those that the question names or calls reach, those with
/// nearly as many of its words as the best, and important ones. Tests only where they are asked for.
fn related<'t>(
    sources: &Sources<'_, '_>,
    topic: &'t Topic,
    asked: &Asked,
) -> impl Iterator<Item = &'t TopicFile> {
    let best = topic.files.iter().map(|file| file.matched.len()).max().unwrap_or_default();
    topic.files.iter().filter(move |file| {
        let is_reached = file.matched.is_empty();
        let is_strong = is_reached || file.matched.len() * STRONG.1 >= best * STRONG.0;
        let is_aside = sources.is_test(file.file) && asked.kind != Kind::Tests;
        !is_aside && (is_strong || sources.is_important(file.file))
    })
}

/// Shows lines of the product's code that have words of the question, unless they are shown already.
fn lines(page: &mut Page, sources: &mut Sources<'_, '_>, file: &TopicFile) {
    let is_code = sources.view.file(file.file).language.is_some_and(rb_lang::Language::is_read);
    if !is_code || !sources.is_product(file.file) {
        return;
    }
    let mut shown = 0;
    for &line in &file.lines {
        let Some((text, citation)) = matching_line(sources, file.file, line) else { continue };
        if shown < LINES && !page.quotes(&citation) && has_any(&citation.quote, &file.matched) {
            shown += usize::from(page.say(sources, &text, &[citation]));
        }
    }
}

/// Whether a line has one of these words, or a longer form of it.
fn has_any(line: &str, words: &[String]) -> bool {
    let line = line.to_lowercase();
    words.iter().any(|word| line.contains(word.as_str()))
}
