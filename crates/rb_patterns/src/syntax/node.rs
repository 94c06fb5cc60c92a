//! A node of the flat tree, as ast-grep asks for it. Each answer is paid for.

use std::borrow::Cow;
use std::ops::Range;

use ast_grep_core::Position;
use ast_grep_core::source::SgNode;

use super::{ERROR, EXTRA, HAS_NAMED_CHILD, MISSING, NAMED, Row, Syntax};
use crate::fuel::spend;

#[derive(Clone, Copy)]
pub(crate) struct SyntaxNode<'t> {
    syntax: &'t Syntax,
    index: u32,
}

/// How tree-sitter numbers and names what it could not parse.
const ERROR_KIND: (u16, &str) = (u16::MAX, "ERROR");

impl<'t> SyntaxNode<'t> {
    pub(super) fn root(syntax: &'t Syntax) -> Self {
        SyntaxNode { syntax, index: 0 }
    }

    pub(super) fn text(self) -> &'t str {
        let row = self.row();
        self.syntax.text.piece(row.start, row.end)
    }

    #[inline]
    fn row(self) -> &'t Row {
        spend(1);
        // An index comes from the layout of the same tree, which has a root at least.
        &self.syntax.rows[self.index as usize]
    }

    fn at(self, index: u32) -> Self {
        SyntaxNode { index, ..self }
    }

    fn sibling_after(self) -> Option<Self> {
        let row = self.row();
        let is_inside = row.next < self.at(row.parent).row().next;
        (row.parent != self.index && is_inside).then(|| self.at(row.next))
    }

    fn sibling_before(self) -> Option<Self> {
        let previous = self.row().previous;
        (previous != self.index).then(|| self.at(previous))
    }

    fn parent_node(self) -> Option<Self> {
        let parent = self.row().parent;
        (parent != self.index).then(|| self.at(parent))
    }

    fn position(self, byte: u32) -> Position {
        let byte = byte as usize;
        let before = self.syntax.text.0.as_bytes().get(..byte).unwrap_or_default();
        spend(before.len() / super::BYTES_PER_STEP);
        let line = before.split(|&byte| byte == b'\n').count() - 1;
        let column = before.iter().rev().take_while(|&&byte| byte != b'\n').count();
        Position::new(line, column, byte)
    }
}

struct Children<'t> {
    next: SyntaxNode<'t>,
    left: usize,
}

impl<'t> Iterator for Children<'t> {
    type Item = SyntaxNode<'t>;

    fn next(&mut self) -> Option<SyntaxNode<'t>> {
        self.left = self.left.checked_sub(1)?;
        let child = self.next;
        self.next = child.at(child.row().next);
        Some(child)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.left, Some(self.left))
    }
}

impl ExactSizeIterator for Children<'_> {}

impl<'t> SgNode<'t> for SyntaxNode<'t> {
    fn parent(&self) -> Option<Self> {
        self.parent_node()
    }

    fn ancestors(&self, _root: Self) -> impl Iterator<Item = Self> {
        std::iter::successors(self.parent_node(), |node| node.parent_node())
    }

    fn children(&self) -> impl ExactSizeIterator<Item = Self> {
        Children { next: self.at(self.index + 1), left: self.row().children as usize }
    }

    fn dfs(&self) -> impl Iterator<Item = Self> {
        let node = *self;
        (self.index..self.row().next).map(move |index| {
            spend(1);
            node.at(index)
        })
    }

    fn child(&self, nth: usize) -> Option<Self> {
        self.children().nth(nth)
    }

    fn next(&self) -> Option<Self> {
        self.sibling_after()
    }

    fn prev(&self) -> Option<Self> {
        self.sibling_before()
    }

    fn next_all(&self) -> impl Iterator<Item = Self> {
        std::iter::successors(self.sibling_after(), |node| node.sibling_after())
    }

    fn prev_all(&self) -> impl Iterator<Item = Self> {
        std::iter::successors(self.sibling_before(), |node| node.sibling_before())
    }

    fn kind(&self) -> Cow<'_, str> {
        let kind = self.row().kind;
        if kind == ERROR_KIND.0 {
            return Cow::Borrowed(ERROR_KIND.1);
        }
        let grammar = rb_lang::grammar(self.syntax.language.get());
        let name = grammar.as_ref().and_then(|grammar| grammar.node_kind_for_id(kind));
        Cow::Owned(name.unwrap_or_default().to_owned())
    }

    fn kind_id(&self) -> u16 {
        self.row().kind
    }

    fn node_id(&self) -> usize {
        self.index as usize
    }

    fn range(&self) -> Range<usize> {
        let row = self.row();
        row.start as usize..row.end as usize
    }

    fn start_pos(&self) -> Position {
        self.position(self.row().start)
    }

    fn end_pos(&self) -> Position {
        self.position(self.row().end)
    }

    fn is_named(&self) -> bool {
        self.row().is(NAMED)
    }

    fn is_named_leaf(&self) -> bool {
        !self.row().is(HAS_NAMED_CHILD)
    }

    fn is_leaf(&self) -> bool {
        self.row().children == 0
    }

    fn is_missing(&self) -> bool {
        self.row().is(MISSING)
    }

    fn is_error(&self) -> bool {
        self.row().is(ERROR)
    }

    fn is_extra(&self) -> bool {
        self.row().is(EXTRA)
    }

    fn field(&self, name: &str) -> Option<Self> {
        let grammar = rb_lang::grammar(self.syntax.language.get())?;
        self.child_by_field_id(grammar.field_id_for_name(name)?.get())
    }

    fn field_children(&self, field_id: Option<u16>) -> impl Iterator<Item = Self> {
        self.children()
            .filter(move |child| Some(child.row().field) == field_id.filter(|&id| id > 0))
    }

    fn child_by_field_id(&self, field_id: u16) -> Option<Self> {
        self.field_children(Some(field_id)).next()
    }
}
