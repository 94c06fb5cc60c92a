//! The text of code without comments and layout: equal texts mean equal code, however it is formatted.
//!
//! Where a language ends statements with lines or indentation, `;`, `{` and `}` stand for that.

use std::ops::Range;

use rb_lang::Language;

use super::syntax::{NodeId, Syntax};

/// Nodes that are one token, whatever the grammar sees inside: their white space counts.
const ATOMS: &[&str] = &[
    "string",
    "string_literal",
    "raw_string_literal",
    "interpreted_string_literal",
    "template_string",
    "heredoc_body",
    "regex",
];
/// A comma behind their only element has a meaning.
const TUPLES: &[&str] = &["tuple_expression", "tuple", "tuple_type", "tuple_pattern", "token_tree"];

pub(super) fn normal_text(syntax: &Syntax<'_>, range: Range<NodeId>) -> String {
    let mut tokens = Tokens {
        syntax,
        sequences: sequences(syntax.language),
        words: Vec::new(),
        seen: syntax.bytes(range.start).start,
    };
    let mut open: Vec<(NodeId, &'static str)> = Vec::new();
    let mut id = range.start;
    while id < range.end {
        while let Some(&(end, closer)) = open.last()
            && end <= id
        {
            tokens.push(closer);
            open.pop();
        }
        if syntax.is_comment(id) {
            tokens.seen = tokens.seen.max(syntax.bytes(id).end);
            id = syntax.end(id);
            continue;
        }
        if id != range.start && tokens.is_statement(id) {
            open.push((syntax.end(id), ";"));
        }
        if syntax.language == Language::Python && syntax.kind(id) == "block" {
            tokens.push("{");
            open.push((syntax.end(id), "}"));
        }
        if syntax.is_leaf(id) || ATOMS.contains(&syntax.kind(id)) {
            tokens.leaf(id);
            id = syntax.end(id);
        } else {
            id += 1;
        }
    }
    while let Some((_, closer)) = open.pop() {
        tokens.push(closer);
    }
    tokens.words.join(" ")
}

/// The nodes whose children are statements that a line end may end; none where each has its own `;`.
fn sequences(language: Language) -> &'static [&'static str] {
    match language {
        Language::Python => &["block", "module"],
        Language::JavaScript | Language::TypeScript | Language::Tsx => {
            &["program", "statement_block", "class_body", "switch_case", "switch_default"]
        }
        Language::Go => &["source_file", "statement_list"],
        Language::Ruby => &[
            "program",
            "body_statement",
            "block_body",
            "then",
            "else",
            "ensure",
            "begin",
            "do",
            "parenthesized_statements",
        ],
        _ => &[],
    }
}

struct Tokens<'s, 't> {
    syntax: &'s Syntax<'t>,
    sequences: &'static [&'static str],
    words: Vec<String>,
    /// Up to here the source is in the tokens.
    seen: usize,
}

impl Tokens<'_, '_> {
    fn is_statement(&self, id: NodeId) -> bool {
        let parent = self.syntax.parent(id);
        self.syntax.is_named(id)
            && parent.is_some_and(|parent| self.sequences.contains(&self.syntax.kind(parent)))
    }

    fn leaf(&mut self, id: NodeId) {
        let bytes = self.syntax.bytes(id);
        // Some tokens of some grammars have no node.
        let between = self.syntax.slice(self.seen, bytes.start).trim();
        if !between.is_empty() {
            self.words.push(between.to_owned());
        }
        self.seen = self.seen.max(bytes.end);
        let text = self.syntax.text(id).trim();
        if text.is_empty() || (text == ";" && !self.sequences.is_empty()) {
            return;
        }
        if matches!(text, ")" | "]" | "}")
            && self.words.last().is_some_and(|last| last == ",")
            && !self.is_tuple_of_one(id)
        {
            self.words.pop();
        }
        self.words.push(double_quoted(text));
    }

    fn push(&mut self, token: &str) {
        if token != ";" || self.words.last().is_none_or(|last| last != ";") {
            self.words.push(token.to_owned());
        }
    }

    fn is_tuple_of_one(&self, closer: NodeId) -> bool {
        let Some(parent) = self.syntax.parent(closer) else { return false };
        let commas = self.syntax.children(parent).filter(|&child| self.syntax.text(child) == ",");
        TUPLES.contains(&self.syntax.kind(parent)) && commas.take(2).count() == 1
    }
}

/// Formatters choose the quotes of a string. A `char` of Rust is quoted like one; the compiler tells them apart.
fn double_quoted(text: &str) -> String {
    let inner = text.strip_prefix('\'').and_then(|rest| rest.strip_suffix('\''));
    match inner {
        Some(inner) if !inner.contains(['\'', '"', '\\', '#']) => format!("\"{inner}\""),
        _ => text.to_owned(),
    }
}
