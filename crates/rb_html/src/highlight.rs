//! Colours of source text, told from the syntax tree by the names that grammars give their nodes.
//!
//! One set of names serves all grammars, so that no language needs its own list. The text may be a part of a file, or broken: what
//! the parser makes of it is coloured, and what it cannot read stays plain.

mod kinds;

use std::ops::Range;

use rb_lang::Language;
use tree_sitter::{Node, TreeCursor};

use self::kinds::Shape;

/// Longer texts stay plain.
const MOST_BYTES: usize = 256 << 10;

/// What a piece of source text is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Token {
    Keyword,
    String,
    Comment,
    Number,
    Type,
    Function,
}

impl Token {
    /// Its class in `diff.css`.
    pub fn class(self) -> &'static str {
        match self {
            Token::Keyword => "k",
            Token::String => "s",
            Token::Comment => "c",
            Token::Number => "d",
            Token::Type => "t",
            Token::Function => "f",
        }
    }
}

/// The coloured pieces of a text: sorted, disjoint, never empty, on the bounds of characters.
pub fn spans(language: Language, text: &str) -> Vec<(Range<usize>, Token)> {
    if text.len() > MOST_BYTES {
        return Vec::new();
    }
    let opening = opening(language, text);
    let whole = format!("{opening}{text}");
    let Some(tree) = rb_lang::parse(language, &whole) else { return Vec::new() };
    let mut spans = Vec::new();
    let mut end = opening.len();
    walk(&mut tree.walk(), &whole, |range, token| {
        let range = range.start..range.end.min(whole.len());
        let is_new = range.start >= end && range.start < range.end;
        if is_new && whole.get(range.clone()).is_some() {
            end = range.end;
            spans.push((range.start - opening.len()..range.end - opening.len(), token));
        }
    });
    spans
}

/// A part of a PHP file has no tag that opens the code.
fn opening(language: Language, text: &str) -> &'static str {
    if language == Language::Php && !text.contains("<?") { "<?php\n" } else { "" }
}

/// What the nodes above say about a node.
#[derive(Clone, Copy)]
struct Frame<'t> {
    /// Below a string that has code in it.
    inherited: Option<Token>,
    /// Where the name of the nearest called or declared function ends.
    function_end: usize,
    parent: &'t str,
    /// The parent's first child.
    first: Option<usize>,
}

fn walk(cursor: &mut TreeCursor<'_>, text: &str, mut paint: impl FnMut(Range<usize>, Token)) {
    let mut frames = vec![Frame { inherited: None, function_end: 0, parent: "", first: None }];
    loop {
        let above = *frames.last().expect("the root's frame stays");
        let (token, below) = visit(cursor, text, above);
        if let Some(token) = token {
            paint(cursor.node().byte_range(), token);
        }
        if let Some(below) = below
            && cursor.goto_first_child()
        {
            frames.push(Frame { first: Some(cursor.node().id()), ..below });
            continue;
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                return;
            }
            frames.pop();
        }
    }
}

/// The colour of a node, and the frame of its children if they are to be visited.
fn visit<'t>(
    cursor: &TreeCursor<'t>,
    text: &str,
    above: Frame<'t>,
) -> (Option<Token>, Option<Frame<'t>>) {
    let node = cursor.node();
    let is_function = node.is_named()
        && kinds::names_function(above.parent, cursor.field_name(), above.first == Some(node.id()));
    let function_end = if is_function { node.end_byte() } else { above.function_end };
    let below =
        |inherited| Some(Frame { inherited, function_end, parent: node.kind(), first: None });
    match Shape::of(node) {
        Shape::Comment => (Some(Token::Comment), None),
        Shape::String if has_code(node) => (None, below(Some(Token::String))),
        Shape::String => (Some(Token::String), None),
        Shape::Code => (None, below(None)),
        Shape::Inner => (None, below(above.inherited)),
        Shape::Leaf(_) | Shape::Name if above.inherited.is_some() => (above.inherited, None),
        Shape::Leaf(token) => (token, None),
        Shape::Name if node.end_byte() == function_end => (Some(Token::Function), None),
        Shape::Name => (is_type_name(node, text).then_some(Token::Type), None),
    }
}

fn has_code(string: Node<'_>) -> bool {
    let mut cursor = string.walk();
    string.children(&mut cursor).any(|child| Shape::of(child) == Shape::Code)
}

/// `Name` in the languages that have no node for the names of types. Constants have no small letter.
fn is_type_name(node: Node<'_>, text: &str) -> bool {
    let name = text.get(node.byte_range()).unwrap_or_default();
    name.starts_with(char::is_uppercase) && name.contains(char::is_lowercase)
}

#[cfg(test)]
mod tests;
