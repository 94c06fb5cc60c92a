//! Items between two brackets, parameters or arguments: where they are, and edits that keep the layout of the list.

use std::ops::Range;

use oxc_span::Span;
use rb_core::Edit;
use rb_ecma::Module;

/// Offsets in one text. Comments belong to the item that they stand at.
#[derive(Debug, Clone)]
pub(crate) struct ItemList {
    /// Behind the opening bracket.
    open: usize,
    /// Before the closing bracket.
    close: usize,
    items: Vec<Item>,
    /// `x => …` and `new X`: there are no brackets.
    is_bare: bool,
}

#[derive(Debug, Clone)]
struct Item {
    whole: Range<usize>,
    /// Without comments around it.
    core: Range<usize>,
}

impl ItemList {
    /// `open` and `close` are the offsets of the brackets.
    pub(crate) fn read(module: &Module<'_>, open: u32, close: u32, spans: &[Span]) -> ItemList {
        let (open, close) = (open as usize + 1, close as usize);
        let mut items = Vec::new();
        let mut start = open;
        for (at, span) in spans.iter().enumerate() {
            let next = spans.get(at + 1).map_or(close, |next| next.start as usize);
            let comma = comma(module, span.end as usize, next).unwrap_or(close);
            items.push(item(module, start, comma));
            start = behind_comment(module, comma + 1, close);
        }
        ItemList { open, close, items, is_bare: false }
    }

    /// Without brackets: `x` of `x => …`, or nothing behind `new X`.
    pub(crate) fn bare(start: u32, end: u32) -> ItemList {
        let (open, close) = (start as usize, end as usize);
        let whole = open..close;
        let items = if start == end { vec![] } else { vec![Item { core: whole.clone(), whole }] };
        ItemList { open, close, items, is_bare: true }
    }

    pub(crate) fn len(&self) -> usize {
        self.items.len()
    }

    pub(crate) fn item<'t>(&self, text: &'t str, at: usize) -> &'t str {
        self.items.get(at).and_then(|item| text.get(item.core.clone())).unwrap_or("")
    }

    pub(crate) fn items(&self, text: &str) -> Vec<String> {
        (0..self.len()).map(|at| self.item(text, at).to_owned()).collect()
    }

    /// The items with the edits made that lie in them; those are taken out.
    pub(crate) fn take_items(&self, text: &str, edits: &mut Vec<Edit>) -> Vec<String> {
        let mut items = Vec::new();
        for item in &self.items {
            let (start, end) = (offset(item.core.start), offset(item.core.end));
            let is_inside = |edit: &Edit| start <= edit.start && edit.end <= end;
            let inside: Vec<Edit> = edits
                .extract_if(.., |edit| is_inside(edit))
                .map(|edit| Edit::replace(edit.start - start, edit.end - start, edit.text))
                .collect();
            let old = text.get(item.core.clone()).unwrap_or("");
            items.push(rb_core::edit::apply(old, &inside).unwrap_or_else(|_| old.to_owned()));
        }
        items
    }

    /// Where this list begins: lists inside of it begin later.
    pub(crate) fn start(&self) -> usize {
        self.open
    }

    /// Each item on a line of its own: the white space before the items and before the closing bracket.
    pub(crate) fn lines<'t>(&self, text: &'t str) -> Option<(&'t str, &'t str)> {
        let last = self.items.last()?;
        let inner = text.get(self.open..last.core.start)?.rsplit_once('\n')?.1;
        let outer = text.get(last.core.end..self.close)?.rsplit_once('\n')?.1;
        (inner.trim().is_empty() && outer.trim().is_empty()).then_some((inner, outer))
    }

    /// Are there comments in the list?
    pub(crate) fn has_comments(&self, module: &Module<'_>) -> bool {
        module.has_comment(Span::new(offset(self.open), offset(self.close)))
    }

    /// All of it on one line, between its brackets.
    pub(crate) fn rewrite(&self, items: &[String]) -> Edit {
        let text = items.join(", ");
        let text = if self.is_bare { format!("({text})") } else { text };
        Edit::replace(offset(self.open), offset(self.close), text)
    }

    /// Replaces every item; `items` has the same length as the list.
    pub(crate) fn replace_all(&self, text: &str, items: &[String]) -> Vec<Edit> {
        if self.is_bare || items.len() != self.len() {
            return vec![self.rewrite(items)];
        }
        let pairs = self.items.iter().zip(items);
        pairs
            .filter(|(old, new)| text.get(old.core.clone()) != Some(new.as_str()))
            .map(|(old, new)| Edit::replace(offset(old.core.start), offset(old.core.end), new))
            .collect()
    }

    /// New items before the one at an index, or behind all.
    pub(crate) fn insert(&self, text: &str, at: usize, new: &[String]) -> Edit {
        if self.is_bare || self.items.is_empty() {
            let mut items = self.items(text);
            items.splice(at.min(items.len())..at.min(items.len()), new.iter().cloned());
            if self.is_bare {
                return self.rewrite(&items);
            }
            return Edit::insert(offset(self.open), items.join(", "));
        }
        let separator = self.separator(text);
        let joined = new.join(&separator);
        match self.items.get(at) {
            Some(next) => Edit::insert(offset(next.core.start), format!("{joined}{separator}")),
            None => {
                let end = self.items.last().map_or(self.open, |last| last.core.end);
                Edit::insert(offset(end), format!("{separator}{joined}"))
            }
        }
    }

    /// The items at these indexes go, with their comments.
    pub(crate) fn remove(&self, text: &str, gone: &Range<usize>) -> Vec<Edit> {
        if gone.is_empty() {
            return Vec::new();
        }
        let kept = self.len() - gone.len();
        if self.is_bare || kept == 0 {
            return vec![self.rewrite(&[])];
        }
        if let Some(next) = self.items.get(gone.end) {
            let start = self.items[gone.start].whole.start;
            return vec![Edit::delete(offset(start), offset(next.whole.start))];
        }
        // The last ones: the comma before them goes, a comment behind it stays.
        let before = &self.items[gone.start - 1];
        let end = self.items[gone.end - 1].whole.end;
        let between = &text[before.core.end..self.items[gone.start].whole.start];
        if between.trim() == "," {
            return vec![Edit::delete(offset(before.core.end), offset(end))];
        }
        let comma = between.find(',').map_or(before.core.end, |comma| before.core.end + comma);
        vec![
            Edit::delete(offset(comma), offset(comma + 1)),
            Edit::delete(offset(self.items[gone.start].whole.start), offset(end)),
        ]
    }

    /// What stands between two items: a line break if each is on a line of its own.
    fn separator(&self, text: &str) -> String {
        let Some(last) = self.items.last() else { return ", ".to_owned() };
        let before = &text[self.open..last.core.start];
        let line = before.rsplit('\n').next().unwrap_or_default();
        let is_own_line = before.contains('\n') && line.trim().is_empty();
        if !is_own_line {
            return ", ".to_owned();
        }
        let end = if before.contains("\r\n") { "\r\n" } else { "\n" };
        format!(",{end}{line}")
    }
}

fn item(module: &Module<'_>, start: usize, end: usize) -> Item {
    let whole = trimmed(module.text(), start..end);
    let mut core = whole.clone();
    for comment in module.comments() {
        let (from, to) = (comment.span.start as usize, comment.span.end as usize);
        if from == core.start && to <= core.end {
            core = trimmed(module.text(), to..core.end);
        }
    }
    for comment in module.comments().iter().rev() {
        let (from, to) = (comment.span.start as usize, comment.span.end as usize);
        if to == core.end && from >= core.start {
            core = trimmed(module.text(), core.start..from);
        }
    }
    Item { whole, core }
}

fn trimmed(text: &str, range: Range<usize>) -> Range<usize> {
    let inner = &text[range.clone()];
    let start = range.start + (inner.len() - inner.trim_start().len());
    start..(start + inner.trim().len())
}

/// The first comma between two offsets that is not in a comment.
fn comma(module: &Module<'_>, from: usize, to: usize) -> Option<usize> {
    position(module, from, to, b',')
}

/// The first of a character between two offsets that is not in a comment.
pub(crate) fn position(module: &Module<'_>, from: usize, to: usize, wanted: u8) -> Option<usize> {
    let bytes = module.text().as_bytes();
    let is_comment = |at: usize| {
        let comments = module.comments();
        let next = comments.partition_point(|comment| comment.span.end as usize <= at);
        comments.get(next).is_some_and(|comment| comment.span.start as usize <= at)
    };
    (from..to.min(bytes.len())).find(|&at| bytes[at] == wanted && !is_comment(at))
}

/// A comment on the line of a comma is about what stands before it.
fn behind_comment(module: &Module<'_>, from: usize, to: usize) -> usize {
    let Some(rest) = module.text().get(from..to) else { return from };
    let Some(line) = rest.find('\n') else { return from };
    let text = rest[..line].trim();
    let is_comment = text.starts_with("//") || (text.starts_with("/*") && text.ends_with("*/"));
    if is_comment { from + line } else { from }
}

fn offset(at: usize) -> u32 {
    u32::try_from(at).unwrap_or(u32::MAX)
}
