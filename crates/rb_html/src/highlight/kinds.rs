//! What the name of a node's kind says about it, in the words that grammars share.

use tree_sitter::Node;

use super::Token;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Shape {
    Comment,
    String,
    /// Code within a string.
    Code,
    Leaf(Option<Token>),
    /// A leaf that names something.
    Name,
    /// Any other node with children.
    Inner,
}

impl Shape {
    pub(super) fn of(node: Node<'_>) -> Shape {
        let kind = node.kind();
        let is_leaf = node.child_count() == 0;
        if !node.is_named() {
            return if is_leaf { Shape::Leaf(keyword(kind)) } else { Shape::Inner };
        }
        if is_comment(kind) {
            Shape::Comment
        } else if is_string(kind) {
            Shape::String
        } else if is_code_in_string(kind) {
            Shape::Code
        } else if !is_leaf {
            Shape::Inner
        } else if is_name(kind) {
            Shape::Name
        } else {
            Shape::Leaf(named_leaf(kind))
        }
    }
}

fn has(kind: &str, words: &[&str]) -> bool {
    words.iter().any(|word| kind.contains(word))
}

fn is_comment(kind: &str) -> bool {
    has(kind, &["comment", "shebang", "hash_bang"])
}

fn is_string(kind: &str) -> bool {
    // A row of strings is coloured one by one.
    !kind.starts_with("concatenated")
        && has(
            kind,
            &["string", "char_literal", "character", "rune_literal", "regex", "heredoc_body"],
        )
}

fn is_code_in_string(kind: &str) -> bool {
    has(kind, &["interpolat", "substitution", "expansion"])
}

fn is_name(kind: &str) -> bool {
    kind.ends_with("identifier") && kind != "type_identifier"
        || matches!(kind, "name" | "word" | "constant" | "alias")
}

/// Keywords are the leaves that a grammar writes as words: `fn`, `not in`, `#include`.
fn keyword(kind: &str) -> Option<Token> {
    let word = kind.strip_prefix(['#', '@']).unwrap_or(kind);
    let is_word = word.starts_with(|c: char| c.is_ascii_alphabetic())
        && word.chars().all(|c| c.is_ascii_alphanumeric() || "_ !".contains(c));
    is_word.then_some(Token::Keyword)
}

fn named_leaf(kind: &str) -> Option<Token> {
    match kind {
        "true" | "false" | "null" | "null_literal" | "none" | "nil" | "undefined" | "this"
        | "self" | "super" | "crate" | "break_statement" | "continue_statement"
        | "pass_statement" => Some(Token::Keyword),
        "type_identifier" => Some(Token::Type),
        kind if kind.ends_with("_type") => Some(Token::Type),
        kind if has(kind, &["integer", "number", "float", "int_literal", "real_literal"]) => {
            Some(Token::Number)
        }
        kind if has(kind, &["hex_literal", "bin_literal", "oct_literal", "imaginary_literal"]) => {
            Some(Token::Number)
        }
        _ => None,
    }
}

/// Whether the child in `field` names the function that its parent calls or declares. Some grammars call without fields.
pub(super) fn names_function(parent: &str, field: Option<&str>, is_first: bool) -> bool {
    match field {
        Some("function" | "method" | "macro") => true,
        Some("name") => {
            has(parent, &["function", "method", "call", "invocation", "constructor"])
                || parent == "command"
        }
        Some("declarator") => parent == "function_declarator",
        Some("target") => parent == "call",
        Some(_) => false,
        None => is_first && matches!(parent, "call_expression" | "call"),
    }
}
