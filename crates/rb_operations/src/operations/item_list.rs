//! A list in brackets: the arguments of a call, the parameters of a function.
//!
//! Items are put in and taken out in the style that the list has: on one line or one per line, with or without a comma behind the last.
//! Comments stay with their items. Lines that get too long are for `line_fit` to break.

use rb_core::Edit;
use rb_python::ast::token::TokenKind;
use rb_python::{Ranged, Source, TextRange, TextSize, ast};

use super::text_style;

pub(super) struct ItemList<'s> {
    source: &'s Source,
    brackets: TextRange,
    items: Vec<Item>,
}

/// What is between two commas; `*` and `/` of a signature too.
#[derive(Debug, Clone, Copy)]
struct Item {
    /// With the parentheses around it.
    range: TextRange,
    comma: Option<TextRange>,
}

impl<'s> ItemList<'s> {
    pub(super) fn arguments(source: &'s Source, arguments: &ast::Arguments) -> Self {
        let nodes: Vec<TextRange> =
            arguments.iter_source_order().map(|argument| argument.range()).collect();
        Self::new(source, arguments.range(), &nodes)
    }

    pub(super) fn parameters(source: &'s Source, parameters: &ast::Parameters) -> Self {
        let nodes: Vec<TextRange> =
            parameters.iter_source_order().map(|parameter| parameter.range()).collect();
        Self::new(source, parameters.range(), &nodes)
    }

    /// `nodes`: the ranges of the items.
    pub(super) fn new(source: &'s Source, brackets: TextRange, nodes: &[TextRange]) -> Self {
        let mut items = Vec::new();
        let mut open: Option<TextRange> = None;
        let list = ItemList { source, brackets, items: Vec::new() };
        for token in source.parsed().tokens().in_range(list.inside()) {
            let range = token.range();
            let is_in_node = nodes.iter().any(|node| node.contains_range(range));
            if token.kind() == TokenKind::Comma && !is_in_node {
                items.extend(open.take().map(|item| Item { range: item, comma: Some(range) }));
            } else if !token.kind().is_trivia() {
                open = Some(open.map_or(range, |item| item.cover(range)));
            }
        }
        items.extend(open.map(|range| Item { range, comma: None }));
        ItemList { items, ..list }
    }

    pub(super) fn len(&self) -> usize {
        self.items.len()
    }

    /// The text of an item, with the parentheses around it.
    pub(super) fn text(&self, index: usize) -> &'s str {
        self.source.slice(self.items[index].range)
    }

    pub(super) fn range(&self, index: usize) -> TextRange {
        self.items[index].range
    }

    /// All between the brackets.
    pub(super) fn inside(&self) -> TextRange {
        let one = TextSize::from(1);
        TextRange::new(self.brackets.start() + one, self.brackets.end() - one)
    }

    /// The item in which a node stands.
    pub(super) fn index_of(&self, node: TextRange) -> Option<usize> {
        self.items.iter().position(|item| item.range.contains_range(node))
    }

    /// `*` or `/` alone.
    pub(super) fn marker(&self, marker: &str) -> Option<usize> {
        (0..self.items.len()).find(|index| self.text(*index) == marker)
    }

    /// Puts an item before the one at this index, or behind the last.
    pub(super) fn insert(&self, at: usize, text: &str) -> Vec<Edit> {
        match self.items.get(at) {
            None => self.append(text),
            Some(next) if self.is_vertical() && self.begins_line(next.range.start()) => {
                let text = format!("{text},{}{}", self.line_break(), self.indentation(next));
                vec![Edit::insert(next.range.start().into(), text)]
            }
            Some(next) => vec![Edit::insert(next.range.start().into(), format!("{text}, "))],
        }
    }

    fn append(&self, text: &str) -> Vec<Edit> {
        let Some(last) = self.items.last() else {
            return vec![Edit::insert(u32::from(self.brackets.start()) + 1, text)];
        };
        if self.is_vertical() {
            return self.append_line(last, text);
        }
        match last.comma {
            Some(comma) => vec![Edit::insert(comma.end().into(), format!(" {text},"))],
            None => vec![Edit::insert(last.range.end().into(), format!(", {text}"))],
        }
    }

    fn append_line(&self, last: &Item, text: &str) -> Vec<Edit> {
        let line = format!("{}{}{text}", self.line_break(), self.indentation(last));
        let end = last.range.end();
        let behind = last.comma.map_or(end, TextRange::end);
        let line_end = self.comment_behind(behind).unwrap_or(behind);
        match last.comma {
            Some(_) => vec![Edit::insert(line_end.into(), format!("{line},"))],
            None if line_end == end => vec![Edit::insert(end.into(), format!(",{line}"))],
            None => vec![Edit::insert(end.into(), ","), Edit::insert(line_end.into(), line)],
        }
    }

    /// The items from an index on become those of a call: `f(a, b)` becomes `f(g(a, b))`.
    pub(super) fn wrapped(&self, from: usize, callee: &str) -> Vec<Edit> {
        let close = self.inside().end();
        let Some(first) = self.items.get(from) else {
            return self.insert(from, &format!("{callee}()"));
        };
        if self.begins_line(first.range.start()) && self.begins_line(close) {
            return self.wrapped_lines(first, callee);
        }
        let open = format!("{callee}(");
        let start = first.range.start();
        let mut edits = vec![Edit::insert(start.into(), open.clone())];
        // What is aligned with the first argument stays so.
        let shift = " ".repeat(open.chars().count());
        edits.extend(
            self.line_starts(start, close).map(|line| Edit::insert(line.into(), shift.clone())),
        );
        edits.push(Edit::insert(close.into(), ")"));
        edits
    }

    /// Items on lines of their own are indented by one more step.
    fn wrapped_lines(&self, first: &Item, callee: &str) -> Vec<Edit> {
        let (line_break, close) = (self.line_break(), self.inside().end());
        let indentation = self.indentation(first);
        let unit = text_style::indent_unit(self.source);
        let begin = self.source.line_start(first.range.start());
        let mut edits =
            vec![Edit::insert(begin.into(), format!("{indentation}{callee}({line_break}{unit}"))];
        let end = self.source.line_start(close);
        edits.extend(self.line_starts(begin, end).map(|line| Edit::insert(line.into(), unit)));
        edits.push(Edit::insert(end.into(), format!("{indentation}){line_break}")));
        edits
    }

    /// Where lines begin behind one place and before another, except within strings and on blank lines.
    fn line_starts(&self, from: TextSize, to: TextSize) -> impl Iterator<Item = TextSize> {
        let mut lines = Vec::new();
        let mut at = self.source.line_end(from);
        while at < to {
            let end = self.source.line_end(at);
            let is_blank = self.source.slice(TextRange::new(at, end)).trim().is_empty();
            if !is_blank && !text_style::is_in_string(self.source, at) {
                lines.push(at);
            }
            at = end;
        }
        lines.into_iter()
    }

    /// Takes items out, with their comments and commas.
    pub(super) fn remove(&self, indexes: &[usize]) -> Vec<Edit> {
        let mut edits = Vec::new();
        let mut index = 0;
        while index < self.items.len() {
            let run = (index..self.items.len()).take_while(|at| indexes.contains(at)).count();
            if run > 0 {
                edits.push(self.remove_run(index, index + run - 1));
            }
            index += run + 1;
        }
        edits
    }

    fn remove_run(&self, first: usize, last: usize) -> Edit {
        let (begin, end) = (self.items[first], self.items[last]);
        let behind = end.comma.map_or(end.range.end(), TextRange::end);
        let line_end = self.comment_behind(behind).unwrap_or(behind);
        if self.begins_line(begin.range.start()) && self.ends_line(line_end) {
            let start = self.source.line_start(begin.range.start());
            return delete(start, self.source.line_end(line_end));
        }
        if let Some(next) = self.items.get(last + 1) {
            return delete(begin.range.start(), next.range.start());
        }
        match first.checked_sub(1).map(|before| self.items[before]) {
            None => delete(begin.range.start(), behind),
            Some(before) if self.comment_behind_comma(&before) => {
                delete(begin.range.start(), behind)
            }
            Some(before) => delete(before.range.end(), end.range.end()),
        }
    }

    /// One item per line, or asked to be so by a comma behind the only one.
    fn is_vertical(&self) -> bool {
        let Some(last) = self.items.last() else { return false };
        let is_alone = self.items.len() == 1 && last.comma.is_none();
        self.begins_line(last.range.start()) && !is_alone
    }

    fn begins_line(&self, at: TextSize) -> bool {
        let before = TextRange::new(self.source.line_start(at), at);
        self.source.slice(before).trim().is_empty()
    }

    fn ends_line(&self, at: TextSize) -> bool {
        let behind = TextRange::new(at, self.source.line_end(at));
        self.source.slice(behind).trim().is_empty()
    }

    /// The end of a comment that stands behind this place, on its line.
    fn comment_behind(&self, at: TextSize) -> Option<TextSize> {
        let inside = TextRange::new(at, self.brackets.end());
        let next = self.source.parsed().tokens().in_range(inside).first()?;
        (next.kind() == TokenKind::Comment
            && self.source.line(next.start()) == self.source.line(at))
        .then(|| next.end())
    }

    fn comment_behind_comma(&self, item: &Item) -> bool {
        item.comma.is_some_and(|comma| self.comment_behind(comma.end()).is_some())
    }

    fn indentation(&self, item: &Item) -> &'s str {
        let at = item.range.start();
        self.source.slice(TextRange::new(self.source.line_start(at), at))
    }

    fn line_break(&self) -> &'static str {
        text_style::line_break(self.source)
    }
}

fn delete(start: TextSize, end: TextSize) -> Edit {
    Edit::delete(start.into(), end.into())
}

#[cfg(test)]
mod tests;
