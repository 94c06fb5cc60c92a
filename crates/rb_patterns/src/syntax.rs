//! The syntax tree that rules match on: tree-sitter's, laid out flat in the order of the text.
//!
//! tree-sitter finds parents and siblings by searching from the root; a rule that looks around asks for them
//! all the time. Here every step is one array access, and every step is counted (`fuel`). The tree is read only: rules
//! answer with edits and never change it.

mod node;

use std::borrow::Cow;
use std::ops::Range;

use ast_grep_core::source::{Content, Doc, Edit};
use rb_lang::Language;
use tree_sitter::TreeCursor;

use self::node::SyntaxNode;
use crate::fuel::spend;
use crate::language::RuleLanguage;

/// Bytes of text that cost as much as a step from node to node.
const BYTES_PER_STEP: usize = 16;
/// The text before a match is looked at from its end, to the last line end.
const BYTES_PER_STEP_BEFORE: usize = 64;
/// What goes through a transformation is copied several times and may grow.
const STEPS_PER_TRANSFORMED_BYTE: usize = 16;

/// A parsed text. Its text always ends in a line end, which the file may lack.
#[derive(Clone)]
pub(crate) struct Syntax {
    text: Text,
    language: RuleLanguage,
    rows: Vec<Row>,
}

/// A node. Its children follow it, so that all nodes below it are those up to `next`.
#[derive(Clone, Copy)]
struct Row {
    start: u32,
    end: u32,
    parent: u32,
    /// The sibling before it, or itself.
    previous: u32,
    /// Behind the last node below it.
    next: u32,
    children: u32,
    kind: u16,
    /// Its name in the node around it; 0 for none.
    field: u16,
    /// `NAMED` and the others.
    marks: u8,
}

const NAMED: u8 = 1;
const MISSING: u8 = 2;
const ERROR: u8 = 4;
const EXTRA: u8 = 8;
const HAS_NAMED_CHILD: u8 = 16;

impl Row {
    fn is(&self, mark: u8) -> bool {
        self.marks & mark != 0
    }
}

impl Syntax {
    /// `None` if the text is too large or too tangled.
    pub(crate) fn of_file(text: &str, language: RuleLanguage) -> Option<Self> {
        let text = if text.ends_with('\n') { text.to_owned() } else { format!("{text}\n") };
        Syntax::parse(text, language, |_, _| Part::Kept)
    }

    /// A pattern is a piece of code. What only a whole file has is left out: the tag before PHP, and what stands for
    /// the end of the last line.
    pub(crate) fn of_pattern(text: &str, language: RuleLanguage) -> Option<Self> {
        let before = if language.get() == Language::Php { "<?php " } else { "" };
        let text = format!("{before}{}", text.trim_end());
        let end = text.len();
        let mut syntax = Syntax::parse(format!("{text}\n"), language, |node, depth| {
            let is_tag = node.end_byte() <= before.len() && depth == 1;
            if (is_tag && !before.is_empty()) || (node.start_byte() >= end && depth > 0) {
                Part::LeftOut
            } else {
                Part::Kept
            }
        })?;
        let end = u32::try_from(end).ok()?;
        for row in &mut syntax.rows {
            row.end = row.end.min(end);
        }
        Some(syntax)
    }

    fn parse(
        text: String,
        language: RuleLanguage,
        part: impl Fn(tree_sitter::Node<'_>, usize) -> Part,
    ) -> Option<Self> {
        let tree = rb_lang::parse(language.get(), &text)?;
        let rows = Layout::default().of(tree.walk(), part)?;
        Some(Syntax { text: Text(text), language, rows })
    }

    pub(crate) fn errors(&self) -> usize {
        self.rows.iter().filter(|row| row.is(ERROR | MISSING)).count()
    }

    /// The first piece of text that could not be parsed. An error around all of it is none: some grammars give one to an
    /// expression without the end of its statement, and a pattern begins below it.
    pub(crate) fn first_error(&self) -> Option<&str> {
        let around = self.rows.iter().take_while(|row| row.children == 1).count();
        let row = self.rows.iter().skip(around).find(|row| row.is(ERROR))?;
        Some(self.text.piece(row.start, row.end))
    }

    pub(crate) fn len(&self) -> usize {
        self.rows.len()
    }
}

enum Part {
    Kept,
    LeftOut,
}

#[derive(Default)]
struct Layout {
    rows: Vec<Row>,
    /// The nodes around, each with its last child so far.
    around: Vec<(u32, Option<u32>)>,
}

impl Layout {
    /// Without recursion: no nesting can exhaust the stack.
    fn of(
        mut self,
        mut cursor: TreeCursor<'_>,
        part: impl Fn(tree_sitter::Node<'_>, usize) -> Part,
    ) -> Option<Vec<Row>> {
        loop {
            let kept = match part(cursor.node(), self.around.len()) {
                Part::Kept => Some(self.add(&cursor)?),
                Part::LeftOut => None,
            };
            if let Some(index) = kept
                && cursor.goto_first_child()
            {
                self.around.push((index, None));
                continue;
            }
            while !cursor.goto_next_sibling() {
                if !cursor.goto_parent() {
                    return Some(self.rows);
                }
                self.leave()?;
            }
        }
    }

    fn add(&mut self, cursor: &TreeCursor<'_>) -> Option<u32> {
        let node = cursor.node();
        let index = u32::try_from(self.rows.len()).ok()?;
        let (parent, previous) = match self.around.last_mut() {
            Some((parent, last)) => (*parent, last.replace(index).unwrap_or(index)),
            None => (index, index),
        };
        if parent != index {
            let around = self.rows.get_mut(parent as usize)?;
            around.children += 1;
            around.marks |= if node.is_named() { HAS_NAMED_CHILD } else { 0 };
        }
        self.rows.push(Row {
            start: u32::try_from(node.start_byte()).ok()?,
            end: u32::try_from(node.end_byte()).ok()?,
            parent,
            previous,
            next: index + 1,
            children: 0,
            kind: node.kind_id(),
            field: cursor.field_id().map_or(0, std::num::NonZero::get),
            marks: marks(node),
        });
        Some(index)
    }

    fn leave(&mut self) -> Option<()> {
        let (index, _) = self.around.pop()?;
        self.rows.get_mut(index as usize)?.next = u32::try_from(self.rows.len()).ok()?;
        Some(())
    }
}

fn marks(node: tree_sitter::Node<'_>) -> u8 {
    [
        (node.is_named(), NAMED),
        (node.is_missing(), MISSING),
        (node.is_error(), ERROR),
        (node.is_extra(), EXTRA),
    ]
    .into_iter()
    .filter_map(|(is, mark)| is.then_some(mark))
    .fold(0, |marks, mark| marks | mark)
}

impl Doc for Syntax {
    type Source = Text;
    type Lang = RuleLanguage;
    type Node<'r> = SyntaxNode<'r>;

    fn get_lang(&self) -> &RuleLanguage {
        &self.language
    }

    fn get_source(&self) -> &Text {
        &self.text
    }

    fn do_edit(&mut self, _: &Edit<Text>) -> Result<(), String> {
        Err("a syntax tree is read only".to_owned())
    }

    fn root_node(&self) -> SyntaxNode<'_> {
        SyntaxNode::root(self)
    }

    fn get_node_text<'a>(&'a self, node: &SyntaxNode<'a>) -> Cow<'a, str> {
        Cow::Borrowed(node.text())
    }
}

/// The text of a file. ast-grep copies out of it as often as a rule says, and each copy is counted.
#[derive(Clone)]
pub(crate) struct Text(String);

impl Text {
    fn piece(&self, start: u32, end: u32) -> &str {
        spend(1 + (end.saturating_sub(start) as usize) / BYTES_PER_STEP);
        self.0.get(start as usize..end as usize).unwrap_or_default()
    }
}

impl Content for Text {
    type Underlying = u8;

    fn get_range(&self, range: Range<usize>) -> &[u8] {
        let per_step = if range.start == 0 { BYTES_PER_STEP_BEFORE } else { BYTES_PER_STEP };
        spend(1 + range.len() / per_step);
        self.0.as_bytes().get(range).unwrap_or_default()
    }

    fn decode_str(text: &str) -> Cow<'_, [u8]> {
        Cow::Borrowed(text.as_bytes())
    }

    fn encode_bytes(bytes: &[u8]) -> Cow<'_, str> {
        spend(bytes.len().saturating_mul(STEPS_PER_TRANSFORMED_BYTE));
        String::from_utf8_lossy(bytes)
    }

    fn get_char_column(&self, _: usize, offset: usize) -> usize {
        let before = self.0.get(..offset).unwrap_or_default();
        let line = before.rfind('\n').map_or(before, |end| &before[end + 1..]);
        spend(1 + line.len() / BYTES_PER_STEP);
        line.chars().count()
    }
}
