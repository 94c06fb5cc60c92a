//! The walk over a tree-sitter tree that the readers of details share: once, top down, without recursion.

use tree_sitter::{Node, TreeCursor};
use tree_sitter_language::LanguageFn;

use super::{Details, Fate};
use crate::tree::{line_of, parse_text};

/// A node with all nodes around it.
pub(super) struct NodeContext<'p, 't> {
    pub(super) text: &'t str,
    pub(super) node: Node<'t>,
    /// Its name in the node around it.
    pub(super) field: &'p str,
    /// Outermost first.
    pub(super) around: &'p [Node<'t>],
}

impl<'t> NodeContext<'_, 't> {
    pub(super) fn text(&self, node: Node<'_>) -> &'t str {
        self.text.get(node.byte_range()).unwrap_or_default()
    }

    pub(super) fn own_text(&self) -> &'t str {
        self.text(self.node)
    }

    pub(super) fn field_text(&self, node: Node<'_>, field: &str) -> &'t str {
        node.child_by_field_name(field).map_or("", |child| self.text(child))
    }

    pub(super) fn line(&self) -> u32 {
        line_of(self.node)
    }

    pub(super) fn parent(&self) -> Option<Node<'t>> {
        self.around.last().copied()
    }

    /// The kind of the node around this one; with 1, around that, and so on.
    pub(super) fn kind_around(&self, levels: usize) -> &'t str {
        self.around.iter().rev().nth(levels).map_or("", |node| node.kind())
    }

    /// The innermost node around this one of one of these kinds.
    pub(super) fn inside(&self, kinds: &[&str]) -> Option<Node<'t>> {
        self.around.iter().rev().copied().find(|node| kinds.contains(&node.kind()))
    }

    pub(super) fn is_top(&self, functions: &[&str]) -> bool {
        self.inside(functions).is_none()
    }

    /// The fate of a call, by the node around it.
    pub(super) fn fate(&self, words: &FateWords) -> Fate {
        let Some(parent) = self.parent() else { return Fate::Other };
        let kind = parent.kind();
        let is = |list: &[&str]| list.contains(&kind);
        if is(words.awaited) {
            Fate::Awaited
        } else if is(words.returned) {
            Fate::Returned
        } else if is(words.statement) {
            Fate::Statement
        } else if is(words.assigned) && matches!(self.field, "right" | "value") {
            let target = ["left", "pattern", "name"]
                .iter()
                .find_map(|field| parent.child_by_field_name(field));
            match target {
                Some(target) if target.kind() == "identifier" => {
                    Fate::Assigned(self.text(target).into())
                }
                _ => Fate::Used,
            }
        } else if is(words.used) {
            Fate::Used
        } else {
            Fate::Other
        }
    }
}

/// What the nodes around a call are called.
pub(super) struct FateWords {
    pub(super) awaited: &'static [&'static str],
    pub(super) returned: &'static [&'static str],
    pub(super) statement: &'static [&'static str],
    pub(super) assigned: &'static [&'static str],
    pub(super) used: &'static [&'static str],
}

/// Deeper nests are not looked into.
const MAX_DEPTH: usize = 2000;
/// More places than these tell nobody more.
const MAX_ERRORS: usize = 100;

/// Calls `visit` for each named node, in the order of the text.
pub(super) fn read(
    language: LanguageFn,
    text: &str,
    visit: impl Fn(&NodeContext<'_, '_>, &mut Details),
) -> Details {
    let mut details = Details::default();
    let Some(tree) = parse_text(language, text) else {
        details.is_open = true;
        return details;
    };
    let mut cursor = tree.walk();
    let mut around: Vec<Node<'_>> = Vec::new();
    loop {
        let node = cursor.node();
        if (node.is_error() || node.is_missing()) && details.errors.len() < MAX_ERRORS {
            details.errors.push(line_of(node));
        }
        if node.is_named() {
            let field = cursor.field_name().unwrap_or_default();
            visit(&NodeContext { text, node, field, around: &around }, &mut details);
        }
        if around.len() < MAX_DEPTH && cursor.goto_first_child() {
            around.push(node);
            continue;
        }
        if !go_on(&mut cursor, &mut around) {
            details.close();
            return details;
        }
    }
}

fn go_on(cursor: &mut TreeCursor<'_>, around: &mut Vec<Node<'_>>) -> bool {
    loop {
        if cursor.goto_next_sibling() {
            return true;
        }
        if !cursor.goto_parent() {
            return false;
        }
        around.pop();
    }
}

/// The named children, comments left out.
pub(super) fn children(node: Node<'_>) -> Vec<Node<'_>> {
    let mut cursor = node.walk();
    node.named_children(&mut cursor).filter(|child| !child.kind().contains("comment")).collect()
}
