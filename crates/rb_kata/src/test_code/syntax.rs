//! A syntax tree as a list of its nodes in the order of the text, so that every walk is a loop and no nesting can exhaust the
//! stack. It knows no language's rules.

use std::collections::BTreeSet;
use std::ops::Range;

use rb_lang::Language;
use tree_sitter::{Node, Tree};

/// The place of a node in the list; 0 is the root.
pub(crate) type NodeId = usize;

pub(crate) struct Syntax<'t> {
    pub(crate) language: Language,
    source: &'t str,
    entries: Vec<Entry<'t>>,
}

struct Entry<'t> {
    node: Node<'t>,
    /// Its name in the node around it; empty if it has none.
    field: &'t str,
    parent: NodeId,
    /// The first node behind all that is inside this one.
    end: NodeId,
}

impl<'t> Syntax<'t> {
    pub(crate) fn new(language: Language, tree: &'t Tree, source: &'t str) -> Syntax<'t> {
        let mut entries: Vec<Entry<'t>> = Vec::new();
        let mut open: Vec<NodeId> = Vec::new();
        let mut cursor = tree.walk();
        loop {
            let id = entries.len();
            let field = cursor.field_name().unwrap_or_default();
            let parent = open.last().copied().unwrap_or_default();
            entries.push(Entry { node: cursor.node(), field, parent, end: id + 1 });
            if cursor.goto_first_child() {
                open.push(id);
                continue;
            }
            while !cursor.goto_next_sibling() {
                if !cursor.goto_parent() {
                    return Syntax { language, source, entries };
                }
                let end = entries.len();
                if let Some(parent) = open.pop() {
                    entries[parent].end = end;
                }
            }
        }
    }

    pub(crate) fn kind(&self, id: NodeId) -> &'t str {
        self.entries[id].node.kind()
    }

    pub(crate) fn text(&self, id: NodeId) -> &'t str {
        let range = self.bytes(id);
        self.slice(range.start, range.end)
    }

    /// Empty where the bounds are not in order. The parser may have read a line end behind the text.
    pub(crate) fn slice(&self, start: usize, end: usize) -> &'t str {
        self.source.get(start..end.min(self.source.len())).unwrap_or_default()
    }

    pub(crate) fn bytes(&self, id: NodeId) -> Range<usize> {
        self.entries[id].node.byte_range()
    }

    /// Counted from 1.
    pub(crate) fn line(&self, id: NodeId) -> u32 {
        let row = self.entries[id].node.start_position().row;
        u32::try_from(row).unwrap_or(u32::MAX - 1).saturating_add(1)
    }

    pub(crate) fn end(&self, id: NodeId) -> NodeId {
        self.entries[id].end
    }

    /// The node and all inside it.
    pub(crate) fn subtree(&self, id: NodeId) -> Range<NodeId> {
        id..self.end(id)
    }

    pub(crate) fn parent(&self, id: NodeId) -> Option<NodeId> {
        (id > 0).then(|| self.entries[id].parent)
    }

    pub(crate) fn field_of(&self, id: NodeId) -> &'t str {
        self.entries[id].field
    }

    pub(crate) fn children(&self, id: NodeId) -> impl Iterator<Item = NodeId> {
        let end = self.end(id);
        let next = move |child: &NodeId| (*child < end).then(|| self.end(*child));
        std::iter::successors(Some(id + 1), next).take_while(move |child| *child < end)
    }

    /// The named children, without comments.
    pub(crate) fn named(&self, id: NodeId) -> impl Iterator<Item = NodeId> {
        self.children(id).filter(move |&child| self.is_named(child) && !self.is_comment(child))
    }

    pub(crate) fn field(&self, id: NodeId, name: &str) -> Option<NodeId> {
        self.children(id).find(|&child| self.field_of(child) == name && !self.is_comment(child))
    }

    /// The text of a field; empty if there is none.
    pub(crate) fn field_text(&self, id: NodeId, name: &str) -> &'t str {
        self.field(id, name).map_or("", |child| self.text(child))
    }

    pub(crate) fn is_named(&self, id: NodeId) -> bool {
        self.entries[id].node.is_named()
    }

    pub(crate) fn is_leaf(&self, id: NodeId) -> bool {
        self.end(id) == id + 1
    }

    pub(crate) fn is_comment(&self, id: NodeId) -> bool {
        let kind = self.kind(id);
        kind.ends_with("comment") || kind == "line_continuation"
    }

    pub(crate) fn has_error(&self, id: NodeId) -> bool {
        self.entries[id].node.has_error()
    }

    /// The line of the first place that the grammar does not allow. Where the parser gave up on a large part of the text, that is
    /// the bracket in it that is not closed, or the first smaller error inside.
    pub(crate) fn error_line(&self) -> Option<u32> {
        let is_wrong = |&id: &NodeId| {
            let node = self.entries[id].node;
            node.is_error() || node.is_missing()
        };
        let mut id = (0..self.entries.len()).find(is_wrong)?;
        loop {
            let node = self.entries[id].node;
            if node.start_position().row == node.end_position().row {
                return Some(self.line(id));
            }
            if let Some(bracket) = self.unclosed_bracket(id) {
                return Some(self.line(bracket));
            }
            match (id + 1..self.end(id)).find(is_wrong) {
                Some(inner) => id = inner,
                // Something is missing, and nothing before the end of the text shows it.
                None if id == 0 => return u32::try_from(self.source.lines().count()).ok(),
                None => return Some(self.line(id)),
            }
        }
    }

    /// The last bracket directly in a node that nothing in the node closes.
    fn unclosed_bracket(&self, id: NodeId) -> Option<NodeId> {
        let mut open = Vec::new();
        for child in self.children(id).filter(|&child| !self.is_named(child)) {
            match self.kind(child) {
                "(" | "[" | "{" => open.push(child),
                ")" | "]" | "}" => drop(open.pop()),
                _ => {}
            }
        }
        open.pop()
    }

    /// Does it name something: a variable, a type, a member?
    pub(crate) fn is_name(&self, id: NodeId) -> bool {
        if !self.is_leaf(id) || !self.is_named(id) {
            return false;
        }
        let kind = self.kind(id);
        kind.ends_with("identifier")
            || matches!(
                kind,
                "constant"
                    | "instance_variable"
                    | "class_variable"
                    | "global_variable"
                    | "shorthand_property_identifier_pattern"
            )
    }

    /// All names in these nodes.
    pub(crate) fn names(&self, range: Range<NodeId>) -> BTreeSet<String> {
        range.filter(|&id| self.is_name(id)).map(|id| self.text(id).to_owned()).collect()
    }
}
