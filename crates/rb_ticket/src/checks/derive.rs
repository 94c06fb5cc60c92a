//! From criteria to checks, without a model.
//!
//! A criterion is understood whole or stays unchecked, with the part that was not understood. Nothing is guessed: a criterion that
//! names no page is checked on the only page that the ticket names, or on the start page if it names none.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use super::grammar::{self, Clause, Mood, Thing};
use super::sentence::{self, Kind, Token};
use super::{By, Check, Expectation, Step, Viewport, with_page_checks};
use crate::ticket::{Criterion, Ticket};

/// The checks of a ticket, and the criteria that have none.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Derived {
    pub checks: Vec<Check>,
    pub unchecked: Vec<Unchecked>,
}

/// A criterion that only a model or a person can check.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Unchecked {
    /// Its id.
    pub criterion: String,
    pub why: String,
}

/// Longer statements hold more than one thought.
const MAX_TOKENS: usize = 200;
const MAX_TEXT: usize = 2_000;

/// Every criterion is in one of the two lists. Pages that a check opens get the checks that hold for every page.
pub fn derive(ticket: &Ticket) -> Derived {
    let pages = pages(ticket);
    let mut checks = Vec::new();
    let mut unchecked = Vec::new();
    for criterion in &ticket.criteria {
        match check(criterion, ticket, &pages) {
            Ok(check) => checks.push(check),
            Err(why) => unchecked.push(Unchecked { criterion: criterion.id.clone(), why }),
        }
    }
    Derived { checks: with_page_checks(checks), unchecked }
}

/// The pages that the ticket speaks of.
fn pages(ticket: &Ticket) -> BTreeSet<String> {
    let plain = [&ticket.title, &ticket.summary];
    let steps = ticket.criteria.iter().flat_map(|criterion| {
        let lines = [&criterion.given, &criterion.when, &criterion.then].into_iter().flatten();
        std::iter::once(&criterion.text).chain(lines)
    });
    let mut pages = BTreeSet::new();
    for text in plain.into_iter().chain(steps).filter(|text| text.len() <= MAX_TEXT) {
        pages.extend(sentence::tokens(text).into_iter().filter_map(|token| match token.kind {
            Kind::Path(path) if is_page(&path) => Some(path),
            _ => None,
        }));
    }
    pages
}

/// Paths of source files are written the same way.
fn is_page(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or_default();
    let name = name.split(['?', '#']).next().unwrap_or_default();
    name.rsplit_once('.').is_none_or(|(_, ending)| matches!(ending, "html" | "htm" | "php"))
}

#[derive(Default)]
struct Draft {
    path: Option<String>,
    viewport: Option<Viewport>,
    steps: Vec<Step>,
    expect: Vec<Expectation>,
}

fn check(
    criterion: &Criterion,
    ticket: &Ticket,
    pages: &BTreeSet<String>,
) -> Result<Check, String> {
    let mut draft = Draft::default();
    if criterion.given.is_empty() && criterion.when.is_empty() && criterion.then.is_empty() {
        draft.sentence(&criterion.text)?;
    } else {
        for line in criterion.given.iter().chain(&criterion.when) {
            draft.action(&tokens(line)?)?;
        }
        for line in &criterion.then {
            draft.statement(&tokens(line)?)?;
        }
    }
    if draft.expect.is_empty() {
        return Err("it does not say what a browser should see".to_owned());
    }
    let path = match draft.first_page() {
        Some(path) => path,
        None => default_page(pages)?,
    };
    let check = Check {
        criterion: Some(criterion.id.clone()),
        says: criterion.text.clone(),
        path,
        viewport: draft.viewport,
        steps: draft.steps,
        expect: draft.expect,
        by: By::Criterion,
    };
    attached(&check, ticket)?;
    check.validate().map_err(|error| error.to_string())?;
    Ok(check)
}

fn default_page(pages: &BTreeSet<String>) -> Result<String, String> {
    let mut named = pages.iter();
    match (named.next(), named.next()) {
        (None, _) => Ok("/".to_owned()),
        (Some(page), None) => Ok(page.clone()),
        (Some(_), Some(_)) => {
            let pages: Vec<String> =
                rb_core::at_most(5, pages.iter().cloned().collect::<Vec<_>>().into_iter());
            Err(format!("it names no page, and the ticket names several ({})", pages.join(", ")))
        }
    }
}

fn attached(check: &Check, ticket: &Ticket) -> Result<(), String> {
    for expectation in &check.expect {
        if let Expectation::LooksLike { picture, .. } = expectation
            && !ticket.attachments.iter().any(|attachment| attachment.name == *picture)
        {
            return Err(format!("the ticket has no attachment `{}`", rb_http::printable(picture)));
        }
    }
    Ok(())
}

fn tokens(text: &str) -> Result<Vec<Token>, String> {
    let too_long = || format!("it is longer than {MAX_TEXT} characters");
    if text.chars().count() > MAX_TEXT {
        return Err(too_long());
    }
    let mut tokens = sentence::tokens(text);
    if tokens.len() > MAX_TOKENS {
        return Err(too_long());
    }
    // The keyword of a Gherkin line may still be there.
    let is_keyword = |token: &Token| matches!(&token.kind, Kind::Word(word) if matches!(word.as_str(), "given" | "when" | "then" | "and" | "but"));
    if tokens.first().is_some_and(is_keyword) {
        tokens.remove(0);
    }
    Ok(tokens)
}

fn not_understood(tokens: &[Token]) -> String {
    format!(
        "this part is not understood without a model: {}",
        rb_http::printable(&sentence::raw(tokens))
    )
}

fn is_word(token: &Token, words: &[&str]) -> bool {
    matches!(&token.kind, Kind::Word(word) if words.contains(&word.as_str()))
}

impl Draft {
    /// The first step of opening a page is where the check begins.
    fn first_page(&mut self) -> Option<String> {
        if let Some(Step::Goto(path)) = self.steps.first() {
            let path = path.clone();
            self.steps.remove(0);
            return Some(path);
        }
        self.path.take()
    }

    /// A plain criterion. `When I click "A", …` and `Clicking "A" shows …` begin with a step.
    fn sentence(&mut self, text: &str) -> Result<(), String> {
        let tokens = sentence_tokens(text)?;
        let Some(first) = tokens.first() else {
            return Err("it is empty".to_owned());
        };
        let is_then = |token: &Token| token.kind == Kind::Break || is_word(token, &["then"]);
        let verb = |token: &Token| is_word(token, &["shows", "open", "leads", "redirect"]);
        if is_word(first, &["when", "after", "once"]) {
            let Some(end) = tokens.iter().position(is_then) else {
                return Err(not_understood(&tokens));
            };
            self.action(&tokens[1..end])?;
            return self.statement(&tokens[end + 1..]);
        }
        if is_word(first, &["click", "press", "hover"])
            && let Some(end) = tokens.iter().position(verb)
        {
            self.action(&tokens[..end])?;
            return self.statement(&tokens[end..]);
        }
        self.statement(&tokens)
    }

    fn action(&mut self, tokens: &[Token]) -> Result<(), String> {
        let tokens = self.take_viewport(tokens)?;
        for piece in pieces(&tokens) {
            self.steps.extend(grammar::step(piece).ok_or_else(|| not_understood(piece))?);
        }
        Ok(())
    }

    fn statement(&mut self, tokens: &[Token]) -> Result<(), String> {
        let tokens = self.take_viewport(tokens)?;
        let tokens = self.take_page(tokens)?;
        let mut waiting: Vec<Thing> = Vec::new();
        let mut mood: Option<Mood> = None;
        for piece in pieces(&tokens) {
            let fail = || not_understood(piece);
            match grammar::clause(piece).ok_or_else(fail)? {
                Clause::Other(expectation) if waiting.is_empty() => self.expect.push(expectation),
                Clause::Shows(next, things) if waiting.is_empty() => {
                    self.add(next, things).ok_or_else(fail)?;
                    mood = Some(next);
                }
                Clause::Are(next, things) => {
                    waiting.extend(things);
                    self.add(next, std::mem::take(&mut waiting)).ok_or_else(fail)?;
                    mood = None;
                }
                Clause::Things(things) => match mood {
                    // `shows "A" and "B" is hidden` reads both ways, so a list ends at a verb of its own.
                    Some(mood) => self.add(mood, things).ok_or_else(fail)?,
                    None => waiting.extend(things),
                },
                Clause::Other(_) | Clause::Shows(..) => return Err(fail()),
            }
        }
        if waiting.is_empty() { Ok(()) } else { Err(not_understood(&tokens)) }
    }

    fn add(&mut self, mood: Mood, things: Vec<Thing>) -> Option<()> {
        for thing in things {
            self.expect.push(mood.of(thing)?);
        }
        Some(())
    }

    /// Takes `on /cart` or `the page /cart` out of a statement.
    fn take_page(&mut self, mut tokens: Vec<Token>) -> Result<Vec<Token>, String> {
        let Some((range, path)) = page_phrase(&tokens) else { return Ok(tokens) };
        let another = || {
            format!("it names more than one page: {}", rb_http::printable(&sentence::raw(&tokens)))
        };
        let known = self.path.as_ref().or(match self.steps.first() {
            Some(Step::Goto(path)) => Some(path),
            Some(_) | None => None,
        });
        if known.is_some_and(|known| *known != path) {
            return Err(another());
        }
        self.path = Some(path);
        tokens.drain(range);
        if page_phrase(&tokens).is_some() { Err(not_understood(&tokens)) } else { Ok(tokens) }
    }

    fn take_viewport(&mut self, tokens: &[Token]) -> Result<Vec<Token>, String> {
        let mut tokens = tokens.to_vec();
        let Some((range, viewport)) = viewport_phrase(&tokens) else { return Ok(tokens) };
        if self.viewport.is_some_and(|known| known != viewport) {
            return Err("it names more than one size of the window".to_owned());
        }
        self.viewport = Some(viewport);
        tokens.drain(range);
        Ok(tokens)
    }
}

/// As `tokens`, but `when` at the beginning means something.
fn sentence_tokens(text: &str) -> Result<Vec<Token>, String> {
    let with_keyword = sentence::tokens(text.get(..MAX_TEXT.min(text.len())).unwrap_or_default());
    let rest = tokens(text)?;
    let keeps = with_keyword.first().is_some_and(|first| is_word(first, &["when"]));
    Ok(if keeps { with_keyword.into_iter().take(1).chain(rest).collect() } else { rest })
}

/// The parts between commas, `and` and `but`.
fn pieces(tokens: &[Token]) -> impl Iterator<Item = &[Token]> {
    tokens
        .split(|token| token.kind == Kind::Break || is_word(token, &["and", "but"]))
        .filter(|piece| !piece.is_empty())
}

const ARTICLES: [&str; 3] = ["the", "a", "an"];

/// Where a statement names its page, unless the page is what the statement is about ("the URL is /cart").
fn page_phrase(tokens: &[Token]) -> Option<(std::ops::Range<usize>, String)> {
    tokens.iter().enumerate().find_map(|(at, token)| {
        let Kind::Path(path) = &token.kind else { return None };
        let mut start = at;
        while start > 0 && is_word(&tokens[start - 1], &["page", "route", "path", "the", "a"]) {
            start -= 1;
        }
        let before = start.checked_sub(1).map(|before| &tokens[before]);
        let is_place = before.is_some_and(|token| is_word(token, &["on", "at", "in"]));
        let is_verb =
            start >= 2 && is_word(&tokens[start - 2], &["am", "is", "lands", "land", "user"]);
        let is_subject = before.is_none_or(|token| token.kind == Kind::Break);
        if is_place && !is_verb {
            start -= 1;
        } else if !is_subject {
            return None;
        }
        let mut end = at + 1;
        if tokens.get(end).is_some_and(|token| is_word(token, &["page", "route"])) {
            end += 1;
        }
        Some((start..end, path.clone()))
    })
}

/// `at 375 px`, `on a phone`, `in a window of 375×667`.
fn viewport_phrase(tokens: &[Token]) -> Option<(std::ops::Range<usize>, Viewport)> {
    tokens.iter().enumerate().find_map(|(at, token)| {
        let viewport = match &token.kind {
            Kind::Pixels(width) => wide(*width),
            Kind::Size(width, height) => Viewport { width: *width, height: *height },
            Kind::Word(word) if word == "phone" => Viewport::PHONE,
            Kind::Word(word) if word == "tablet" => Viewport::TABLET,
            Kind::Word(_)
            | Kind::Quoted(_)
            | Kind::Css(_)
            | Kind::Path(_)
            | Kind::Number(_)
            | Kind::Break => {
                return None;
            }
        };
        let around = ["viewport", "screen", "window", "width", "size", "of", "wide", "page"];
        let mut start = at;
        while start > 0
            && (is_word(&tokens[start - 1], &around) || is_word(&tokens[start - 1], &ARTICLES))
        {
            start -= 1;
        }
        let before = start.checked_sub(1).map(|before| &tokens[before]);
        let start = match before {
            Some(token) if is_word(token, &["at", "on", "in", "with", "use"]) => start - 1,
            Some(_) | None => return None,
        };
        let mut end = at + 1;
        while tokens
            .get(end)
            .is_some_and(|token| is_word(token, &["wide", "width", "screen", "viewport", "window"]))
        {
            end += 1;
        }
        Some((start..end, viewport))
    })
}

/// A window of this width, with the height of a device that has it.
fn wide(width: u32) -> Viewport {
    let height = match width {
        0..=480 => Viewport::PHONE.height,
        481..=1024 => Viewport::TABLET.height,
        _ => Viewport::DESKTOP.height,
    };
    Viewport { width, height }
}

#[cfg(test)]
mod tests;
