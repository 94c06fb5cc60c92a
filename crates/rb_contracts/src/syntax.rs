//! A syntax tree, walked by hand: `Piece` is a node together with the text it stands in.
//!
//! Parsing is bounded by counted work and walks do not recurse, so that no text can hold it up. It knows no language's
//! rules; those are with the readers.

use std::ops::ControlFlow;

use rb_core::Sha256;
use rb_lang::Language;
use tree_sitter::{Node, ParseOptions, Parser, Tree};

pub(crate) struct Parsed {
    pub(crate) text: String,
    tree: Tree,
}

/// Larger files are data, or made by a program.
const MAX_TEXT: usize = 2 << 20;
/// A longer type is told by its beginning and its hash.
const MAX_NORMAL: usize = 2000;

/// `None` for a language that is not read here, and for a text that costs far more than its size explains.
pub(crate) fn parse(language: Language, text: String) -> Option<Parsed> {
    let grammar = match language {
        Language::JavaScript => tree_sitter_javascript::LANGUAGE,
        Language::TypeScript => tree_sitter_typescript::LANGUAGE_TYPESCRIPT,
        Language::Tsx => tree_sitter_typescript::LANGUAGE_TSX,
        Language::Python => tree_sitter_python::LANGUAGE,
        Language::Rust => tree_sitter_rust::LANGUAGE,
        Language::Go => tree_sitter_go::LANGUAGE,
        Language::Java => tree_sitter_java::LANGUAGE,
        _ => return None,
    };
    if text.len() > MAX_TEXT || text.contains('\0') {
        return None;
    }
    let mut parser = Parser::new();
    parser.set_language(&grammar.into()).expect("grammar and runtime are built together");
    let mut reports_left = 20_000 + text.len() / 5;
    let mut stop_when_spent = |_: &tree_sitter::ParseState| {
        reports_left = reports_left.saturating_sub(1);
        if reports_left == 0 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    let options = ParseOptions::new().progress_callback(&mut stop_when_spent);
    let bytes = text.as_bytes();
    let mut read = |at: usize, _| bytes.get(at..).unwrap_or_default();
    let tree = parser.parse_with_options(&mut read, None, Some(options))?;
    Some(Parsed { text, tree })
}

impl Parsed {
    pub(crate) fn root(&self) -> Piece<'_> {
        Piece { node: self.tree.root_node(), source: &self.text }
    }
}

#[derive(Clone, Copy)]
pub(crate) struct Piece<'t> {
    node: Node<'t>,
    source: &'t str,
}

impl<'t> Piece<'t> {
    pub(crate) fn kind(self) -> &'t str {
        self.node.kind()
    }

    pub(crate) fn is(self, kind: &str) -> bool {
        self.node.kind() == kind
    }

    pub(crate) fn text(self) -> &'t str {
        self.source.get(self.node.byte_range()).unwrap_or_default()
    }

    pub(crate) fn line(self) -> u32 {
        u32::try_from(self.node.start_position().row).unwrap_or(u32::MAX - 1) + 1
    }

    pub(crate) fn start(self) -> usize {
        self.node.start_byte()
    }

    /// Something in it could not be read.
    pub(crate) fn has_error(self) -> bool {
        self.node.has_error()
    }

    fn piece(self, node: Node<'t>) -> Piece<'t> {
        Piece { node, source: self.source }
    }

    pub(crate) fn field(self, name: &str) -> Option<Piece<'t>> {
        self.node.child_by_field_name(name).map(|node| self.piece(node))
    }

    pub(crate) fn fields(self, name: &str) -> Vec<Piece<'t>> {
        let mut cursor = self.node.walk();
        self.node.children_by_field_name(name, &mut cursor).map(|node| self.piece(node)).collect()
    }

    /// The text of a field; empty where there is none.
    pub(crate) fn field_text(self, name: &str) -> &'t str {
        self.field(name).map_or("", Piece::text)
    }

    pub(crate) fn parent(self) -> Option<Piece<'t>> {
        self.node.parent().map(|node| self.piece(node))
    }

    /// The nearest piece around this one that is of one of the kinds.
    pub(crate) fn around(self, kinds: &[&str]) -> Option<Piece<'t>> {
        let mut at = self.parent();
        while let Some(piece) = at {
            if kinds.contains(&piece.kind()) {
                return Some(piece);
            }
            at = piece.parent();
        }
        None
    }

    /// The named children, without comments.
    pub(crate) fn children(self) -> Vec<Piece<'t>> {
        let mut cursor = self.node.walk();
        self.node
            .named_children(&mut cursor)
            .filter(|node| !node.is_extra())
            .map(|node| self.piece(node))
            .collect()
    }

    pub(crate) fn child(self, kind: &str) -> Option<Piece<'t>> {
        let mut cursor = self.node.walk();
        self.node
            .children(&mut cursor)
            .find(|node| node.kind() == kind)
            .map(|node| self.piece(node))
    }

    pub(crate) fn has(self, token: &str) -> bool {
        self.child(token).is_some()
    }

    pub(crate) fn previous(self) -> Option<Piece<'t>> {
        self.node.prev_named_sibling().map(|node| self.piece(node))
    }

    /// Everything below and with this piece, from the top, in the order of the text.
    pub(crate) fn all(self) -> All<'t> {
        All { cursor: self.node.walk(), source: self.source, next: true }
    }

    /// The arguments of a call.
    pub(crate) fn arguments(self) -> Vec<Piece<'t>> {
        self.field("arguments").map(Piece::children).unwrap_or_default()
    }

    /// The text of a plain string, without its quotes. Strings that are put together when the program runs have none.
    pub(crate) fn literal(self) -> Option<&'t str> {
        let is_text = self.kind().contains("string");
        let is_put_together = || {
            self.children().iter().any(|child| {
                matches!(
                    child.kind(),
                    "template_substitution" | "interpolation" | "string_interpolation"
                )
            })
        };
        if !is_text || is_put_together() {
            return None;
        }
        let text = self.text();
        let start = text.find(['"', '\'', '`'])?;
        let text = text[start..].trim_end_matches('#');
        let quote = if text.len() >= 6 && (text.starts_with("\"\"\"") || text.starts_with("'''")) {
            3
        } else {
            1
        };
        text.get(quote..text.len().checked_sub(quote)?)
    }

    /// The text as it would be without comments and without anyone's taste in spaces, quotes and last commas.
    pub(crate) fn normal(self) -> String {
        let mut out = String::new();
        let mut skip_to = 0;
        for piece in self.all() {
            let is_string =
                piece.node.is_named() && (piece.is("string") || piece.is("string_literal"));
            if piece.node.is_extra() || (piece.node.child_count() > 0 && !is_string) {
                if piece.node.is_extra() {
                    skip_to = skip_to.max(piece.node.end_byte());
                }
                continue;
            }
            if piece.start() < skip_to || piece.text().is_empty() {
                continue;
            }
            if is_string {
                skip_to = piece.node.end_byte();
                push_token(&mut out, &format!("\"{}\"", piece.literal().unwrap_or(piece.text())));
            } else {
                push_token(&mut out, piece.text());
            }
        }
        bounded(&out)
    }
}

fn push_token(out: &mut String, token: &str) {
    let token = if token == ";" { "," } else { token };
    if matches!(token, ")" | "]" | "}" | ">") && out.ends_with(", ") {
        out.truncate(out.len() - 2);
    }
    if token == "|" && (out.is_empty() || out.ends_with(['(', '<', '=', ':', '{', '['])) {
        return;
    }
    let is_word = |c: char| c.is_alphanumeric() || c == '_' || c == '$';
    if out.ends_with(is_word) && token.starts_with(is_word) {
        out.push(' ');
    }
    out.push_str(token);
    if token == "," {
        out.push(' ');
    }
}

/// A text of which no tree could be made, without spaces and comments that stand on lines of their own.
pub(crate) fn flat(text: &str) -> String {
    let lines = text
        .lines()
        .map(str::trim)
        .filter(|line| !line.starts_with("//") && !line.starts_with('*'));
    let words: Vec<&str> = lines.flat_map(str::split_whitespace).collect();
    bounded(&words.join(" "))
}

/// Very long texts keep their beginning and get the hash of the whole.
pub(crate) fn bounded(text: &str) -> String {
    let text = text.trim_end_matches([',', ' ']);
    if text.len() <= MAX_NORMAL {
        return text.to_owned();
    }
    let end = text.floor_char_boundary(200);
    format!("{}… {}", &text[..end], Sha256::of(text.as_bytes()).short())
}

pub(crate) struct All<'t> {
    cursor: tree_sitter::TreeCursor<'t>,
    source: &'t str,
    next: bool,
}

impl<'t> Iterator for All<'t> {
    type Item = Piece<'t>;

    fn next(&mut self) -> Option<Piece<'t>> {
        if !self.next {
            return None;
        }
        let piece = Piece { node: self.cursor.node(), source: self.source };
        self.next = self.cursor.goto_first_child();
        while !self.next {
            if self.cursor.goto_next_sibling() {
                self.next = true;
            } else if !self.cursor.goto_parent() {
                break;
            }
        }
        Some(piece)
    }
}
