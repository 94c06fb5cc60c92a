//! Lines that an operation made too long are broken, as formatters do: what is in brackets goes to lines of its own.
//!
//! Lines that were there before stay as they are, however long. The program stays the same; where it would not, nothing is broken.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use rb_core::Edit;
use rb_python::ast::comparable::ComparableStmt;
use rb_python::ast::token::{Token, TokenKind};
use rb_python::{Ranged, Source, TextRange, TextSize};

use super::text_style;
use crate::files::Files;
use crate::imports::line_limit;
use crate::outcome::FileChange;
use crate::project::is_python;

/// Breaks at most so many lines of a file: each takes one more look at it.
const MOST: usize = 2000;

/// All edited and created Python files, fitted.
pub(super) fn fitted(
    files: &dyn Files,
    changes: BTreeMap<String, FileChange>,
) -> BTreeMap<String, FileChange> {
    let fit = |(path, change): (String, FileChange)| {
        let change = match change {
            FileChange::Edited(text) if is_python(&path) => {
                FileChange::Edited(fit_text(files, &path, text))
            }
            FileChange::Created(text) if is_python(&path) => {
                FileChange::Created(fit_text(files, &path, text))
            }
            other => other,
        };
        (path, change)
    };
    changes.into_iter().map(fit).collect()
}

fn fit_text(files: &dyn Files, path: &str, text: Arc<str>) -> Arc<str> {
    let before = files.text(path).unwrap_or_default();
    let limit = line_limit(files, &before);
    let mut done: BTreeSet<String> =
        before.lines().map(|line| line.trim_end().to_owned()).collect();
    let Ok(mut source) = Source::parse(path, Arc::clone(&text)) else { return text };
    for _ in 0..MOST {
        let is_long = |line: &&str| line.chars().count() > limit && !done.contains(*line);
        let Some(long) = source.text().lines().map(str::trim_end).find(is_long) else { break };
        let long = long.to_owned();
        let edits = Line::find(&source, &long).map(|line| line.broken()).unwrap_or_default();
        let new = rb_core::edit::apply(source.text(), &edits).ok().filter(|_| !edits.is_empty());
        match new.and_then(|new| Source::parse(path, new.into()).ok()) {
            Some(new) => source = new,
            None => _ = done.insert(long),
        }
    }
    if is_same(path, &text, &source) { Arc::clone(source.text()) } else { text }
}

fn is_same(path: &str, before: &Arc<str>, after: &Source) -> bool {
    let Ok(before) = Source::parse(path, Arc::clone(before)) else { return false };
    let program = |source: &'_ Source| -> bool {
        source.body().len() == before.body().len()
            && source
                .body()
                .iter()
                .zip(before.body())
                .all(|(new, old)| ComparableStmt::from(new) == ComparableStmt::from(old))
    };
    program(after)
}

/// One line of a file, and the brackets around it and in it.
struct Line<'s> {
    source: &'s Source,
    range: TextRange,
    tokens: &'s [Token],
    /// The bracket that is open where the line begins.
    around: Option<Token>,
    /// Behind the line.
    next: Option<Token>,
}

impl<'s> Line<'s> {
    /// None for a line that must not be touched: with a comment, or a part of a string.
    fn find(source: &'s Source, text: &str) -> Option<Self> {
        let whole: &str = source.text();
        let mut at = 0;
        let start = whole.split_inclusive('\n').find_map(|line| {
            let start = at;
            at += line.len();
            (line.trim_end() == text).then_some(start)
        })?;
        let range = TextRange::new(start.try_into().ok()?, (start + text.len()).try_into().ok()?);
        let tokens = source.parsed().tokens();
        let first = tokens.partition_point(|token| token.end() <= range.start());
        let last = tokens.partition_point(|token| token.start() < range.end());
        let own = tokens.get(first..last)?;
        let is_plain = own.iter().all(|token| {
            token.kind() != TokenKind::Comment
                && (range.contains_range(token.range()) || is_line_break(token.kind()))
        });
        if !is_plain || text.ends_with('\\') {
            return None;
        }
        let around = open_before(&tokens[..first]);
        let next = tokens[last..]
            .iter()
            .find(|token| !token.kind().is_trivia() && !is_line_break(token.kind()));
        Some(Line { source, range, tokens: own, around, next: next.copied() })
    }

    fn broken(&self) -> Vec<Edit> {
        let ways = [
            Self::one_per_line,
            Self::before_operators,
            Self::names_in_brackets,
            Self::brackets_apart,
        ];
        ways.iter().map(|way| way(self)).find(|edits| !edits.is_empty()).unwrap_or_default()
    }

    /// `from a import b, c`, each name on a line of its own.
    fn names_in_brackets(&self) -> Vec<Edit> {
        let first = self.tokens.iter().find(|token| !is_line_break(token.kind()));
        let is_from = first.is_some_and(|token| token.kind() == TokenKind::From);
        let import = self.tokens.iter().find(|token| token.kind() == TokenKind::Import);
        let Some(import) = import.filter(|_| is_from && self.around.is_none()) else {
            return Vec::new();
        };
        let names = TextRange::new(import.end(), self.range.end());
        let text = self.source.slice(names);
        if text.contains(['(', '*', ';']) {
            return Vec::new();
        }
        let (line_break, unit) =
            (text_style::line_break(self.source), text_style::indent_unit(self.source));
        let indentation = text_style::indentation_at(self.source, self.range.start());
        let start = format!("{indentation}{unit}");
        let names_apart: Vec<&str> = text.split(',').map(str::trim).collect();
        let lines = names_apart.join(&format!(",{line_break}{start}"));
        let text = format!(" ({line_break}{start}{lines},{line_break}{indentation})");
        vec![Edit::replace(names.start().into(), names.end().into(), text)]
    }

    /// The line is all that is in a bracket, and one condition: it is broken before its operators.
    fn before_operators(&self) -> Vec<Edit> {
        if !self.is_all_in_bracket() {
            return Vec::new();
        }
        let mut depth = 0_usize;
        let mut logic: Vec<Token> = Vec::new();
        let mut comparisons: Vec<Token> = Vec::new();
        let mut before: Option<TokenKind> = None;
        for token in self.tokens.iter().filter(|token| !is_line_break(token.kind())) {
            let is_second_word = matches!(
                (before, token.kind()),
                (Some(TokenKind::Is), TokenKind::Not) | (Some(TokenKind::Not), TokenKind::In)
            );
            before = Some(token.kind());
            match token.kind() {
                kind if is_opening(kind) => depth += 1,
                kind if is_closing(kind) => depth = depth.saturating_sub(1),
                _ if depth > 0 || is_second_word => {}
                TokenKind::Comma
                | TokenKind::Equal
                | TokenKind::For
                | TokenKind::If
                | TokenKind::Lambda
                | TokenKind::ColonEqual => return Vec::new(),
                TokenKind::And | TokenKind::Or => logic.push(*token),
                kind if is_comparison(kind) => comparisons.push(*token),
                _ => {}
            }
        }
        let operators = if logic.is_empty() { comparisons } else { logic };
        let line_break = text_style::line_break(self.source);
        let indentation = text_style::indentation_at(self.source, self.range.start());
        let broken = |operator: &Token| {
            let start = TextRange::new(self.range.start(), operator.start());
            let text = self.source.slice(start);
            let blank = TextSize::of(&text[text.trim_end().len()..]);
            let from = operator.start() - blank;
            Edit::replace(
                from.into(),
                operator.start().into(),
                format!("{line_break}{indentation}"),
            )
        };
        operators.iter().map(broken).collect()
    }

    /// The line is all that is in a bracket: its items go to lines of their own.
    fn one_per_line(&self) -> Vec<Edit> {
        let commas = self.commas();
        let end = self.range.end();
        let has_items = commas.iter().any(|comma| comma.end() != end);
        if !self.is_all_in_bracket() || !has_items {
            return Vec::new();
        }
        let line_break = text_style::line_break(self.source);
        let indentation = text_style::indentation_at(self.source, self.range.start());
        let mut edits = Vec::new();
        for comma in commas.iter().filter(|comma| comma.end() != end) {
            let rest = self.source.slice(TextRange::new(comma.end(), end));
            let blank = TextSize::of(&rest[..rest.len() - rest.trim_start().len()]);
            let next = comma.end() + blank;
            let text = format!("{line_break}{indentation}");
            edits.push(Edit::replace(comma.end().into(), next.into(), text));
        }
        if commas.last().is_some_and(|last| last.end() != end) {
            edits.push(Edit::insert(end.into(), ","));
        }
        edits
    }

    /// A bracket opens before the line and closes behind it.
    fn is_all_in_bracket(&self) -> bool {
        let (Some(open), Some(close)) = (self.around, self.next) else { return false };
        let before = TextRange::new(open.end(), self.range.start());
        let behind = TextRange::new(self.range.end(), close.start());
        let is_blank = |range| self.source.slice(range).trim().is_empty();
        is_closing(close.kind()) && is_blank(before) && is_blank(behind)
    }

    /// The commas that part its items; none if others may be among them.
    fn commas(&self) -> Vec<Token> {
        let mut depth = 0_usize;
        let mut commas = Vec::new();
        for token in self.tokens {
            match token.kind() {
                kind if is_opening(kind) => depth += 1,
                kind if is_closing(kind) => depth = depth.saturating_sub(1),
                // The commas of a lambda or of `for a, b in c` do not part items.
                TokenKind::Lambda | TokenKind::For if depth == 0 => return Vec::new(),
                TokenKind::Comma if depth == 0 => commas.push(*token),
                _ => {}
            }
        }
        commas
    }

    /// The largest bracket of the line is opened: what is in it goes to a line of its own.
    fn brackets_apart(&self) -> Vec<Edit> {
        let mut open: Vec<Token> = Vec::new();
        let mut strings = 0_usize;
        let mut largest: Option<TextRange> = None;
        for token in self.tokens {
            match token.kind() {
                TokenKind::FStringStart | TokenKind::TStringStart => strings += 1,
                TokenKind::FStringEnd | TokenKind::TStringEnd => {
                    strings = strings.saturating_sub(1);
                }
                _ if strings > 0 => {}
                kind if is_opening(kind) => open.push(*token),
                kind if is_closing(kind) => {
                    let Some(first) = open.pop().filter(|_| open.is_empty()) else { continue };
                    let inside = TextRange::new(first.end(), token.start());
                    if largest.is_none_or(|largest| inside.len() >= largest.len()) {
                        largest = Some(inside);
                    }
                }
                _ => {}
            }
        }
        // An open bracket that ends on another line: the pairs in it are not the outermost.
        open.retain(|token| token.end() != self.range.end());
        let Some(inside) = largest.filter(|inside| open.is_empty() && !inside.is_empty()) else {
            return Vec::new();
        };
        let (line_break, unit) =
            (text_style::line_break(self.source), text_style::indent_unit(self.source));
        let indentation = text_style::indentation_at(self.source, self.range.start());
        let content = self.source.slice(inside).trim();
        let comma = if self.is_only_parameter(inside) { "," } else { "" };
        let text =
            format!("{line_break}{indentation}{unit}{content}{comma}{line_break}{indentation}");
        vec![Edit::replace(inside.start().into(), inside.end().into(), text)]
    }

    /// `x: int` in `def f(x: int)`: formatters put a comma behind it.
    fn is_only_parameter(&self, inside: TextRange) -> bool {
        let kinds = || self.tokens.iter().map(Token::kind).filter(|kind| !is_line_break(*kind));
        let is_definition = matches!(kinds().next(), Some(TokenKind::Def))
            || kinds().take(2).eq([TokenKind::Async, TokenKind::Def]);
        let is_first = self
            .tokens
            .iter()
            .find(|token| is_opening(token.kind()))
            .is_some_and(|token| token.end() == inside.start());
        let has_comma = self
            .tokens
            .iter()
            .any(|token| token.kind() == TokenKind::Comma && inside.contains_range(token.range()));
        is_definition && is_first && !has_comma
    }
}

fn open_before(tokens: &[Token]) -> Option<Token> {
    let mut open: Vec<Token> = Vec::new();
    for token in tokens {
        if is_opening(token.kind()) {
            open.push(*token);
        } else if is_closing(token.kind()) {
            open.pop();
        }
    }
    open.pop()
}

fn is_opening(kind: TokenKind) -> bool {
    matches!(kind, TokenKind::Lpar | TokenKind::Lsqb | TokenKind::Lbrace)
}

fn is_closing(kind: TokenKind) -> bool {
    matches!(kind, TokenKind::Rpar | TokenKind::Rsqb | TokenKind::Rbrace)
}

fn is_comparison(kind: TokenKind) -> bool {
    matches!(
        kind,
        TokenKind::EqEqual
            | TokenKind::NotEqual
            | TokenKind::Less
            | TokenKind::Greater
            | TokenKind::LessEqual
            | TokenKind::GreaterEqual
            | TokenKind::In
            | TokenKind::Is
    )
}

fn is_line_break(kind: TokenKind) -> bool {
    matches!(
        kind,
        TokenKind::Newline | TokenKind::NonLogicalNewline | TokenKind::Indent | TokenKind::Dedent
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::MemoryFiles;

    fn check(line: &str, expected: &str) {
        let files = MemoryFiles::new("//- setup.cfg\n[flake8]\nmax-line-length = 60\n");
        let new = fit_text(&files, "a.py", line.into());
        assert_eq!(&*new, expected, "from {line:?}");
        assert_eq!(fit_text(&files, "a.py", Arc::clone(&new)), new, "it is stable");
    }

    #[test]
    fn st1_long_lines_are_broken_at_brackets() {
        let (a, b) = ("a".repeat(20), "b".repeat(20));
        check(&format!("x = {a} + f({b}, {a})\n"), &format!("x = {a} + f(\n    {b}, {a}\n)\n"));
        check(
            &format!("f(g({a}), g({b}), g(z={a}))\n"),
            &format!("f(\n    g({a}),\n    g({b}),\n    g(z={a}),\n)\n"),
        );
        check(
            &format!("def f({a}: int, *, {b}: int = 1, **kwargs): pass\n"),
            &format!("def f(\n    {a}: int,\n    *,\n    {b}: int = 1,\n    **kwargs,\n): pass\n"),
        );
        check(
            &format!("f(\n    {a}, {b}, {a}, {b},\n)\n"),
            &format!("f(\n    {a},\n    {b},\n    {a},\n    {b},\n)\n"),
        );
    }

    #[test]
    fn st1_a_bracket_that_stays_open_is_broken_before() {
        let (a, b) = ("a".repeat(20), "b".repeat(20));
        check(
            &format!("assert list(f({a}, {b}, 1)) == [\n    1,\n]\n"),
            &format!("assert list(\n    f({a}, {b}, 1)\n) == [\n    1,\n]\n"),
        );
    }

    #[test]
    fn st1_a_condition_in_brackets_is_broken_before_its_operators() {
        let (a, b) = ("a".repeat(25), "b".repeat(25));
        check(
            &format!("assert (\n    f({a}, 1) is not {b}\n)\n"),
            &format!("assert (\n    f({a}, 1)\n    is not {b}\n)\n"),
        );
        check(
            &format!("if (\n    {a} in x and {b} or y == z\n):\n    pass\n"),
            &format!("if (\n    {a} in x\n    and {b}\n    or y == z\n):\n    pass\n"),
        );
        check(
            &format!("f(\n    {a}=g({b}, 1) == {b}\n)\n"),
            &format!("f(\n    {a}=g(\n        {b}, 1\n    ) == {b}\n)\n"),
        );
    }

    #[test]
    fn st1_the_only_parameter_gets_a_comma() {
        let a = "a".repeat(50);
        let (broken, plain) = (format!("(\n    {a},\n)"), format!("(\n    {a}\n)"));
        check(&format!("def f({a}): pass\n"), &format!("def f{broken}: pass\n"));
        check(&format!("async def f({a}): pass\n"), &format!("async def f{broken}: pass\n"));
        check(&format!("return_value = f({a})\n"), &format!("return_value = f{plain}\n"));
    }

    #[test]
    fn st1_long_imports_get_brackets() {
        let (a, b) = ("a".repeat(20), "b".repeat(20));
        check(
            &format!("from .m import {a} as {a}, {b}\n"),
            &format!("from .m import (\n    {a} as {a},\n    {b},\n)\n"),
        );
        check(
            &format!("def f():\r\n    from m import {a} as {b}, c\r\n"),
            &format!(
                "def f():\r\n    from m import (\r\n        {a} as {b},\r\n        c,\r\n    )\r\n"
            ),
        );
    }

    #[test]
    fn st1_lines_that_cannot_be_broken_stay() {
        let (a, b) = ("a".repeat(25), "b".repeat(30));
        let comment = format!("f({a}, {b}, 1)  # why\n");
        let string = format!("x = '{a} ({b}, 123, 456)'\n");
        let generator = format!("f(\n    {a} for {a}, {b} in x\n)\n");
        let lambda = format!("f(\n    lambda {a}, {b}: {a}\n)\n");
        let interpolated = format!("x = f'{{g({a}, {b})}} and more'\n");
        for text in [comment, string, generator, lambda, interpolated] {
            check(&text, &text);
        }
    }

    #[test]
    fn st1_lines_that_were_long_before_stay() {
        let long = format!("f({}, {})\n", "a".repeat(60), "b".repeat(60));
        let files = MemoryFiles::new(&format!("//- a.py\n{long}"));
        let text = format!("{long}x = 1\n");
        assert_eq!(&*fit_text(&files, "a.py", text.as_str().into()), text);
    }
}
