//! A source file as the checks see it: its syntax tree laid out flat, in the order of the text.
//!
//! Every node has a number, and the nodes below it follow it directly. So a check is a loop, parents are at hand, and nothing
//! recurs. Left out are the inside of comments, the tests in a Rust source, and what is nested deeper than `MAX_DEPTH`.

use std::ops::Range;

use rb_lang::Language;
use tree_sitter::{Node, Tree};

use super::syntax::{Syntax, syntax};

/// Deeper nests are not looked into.
const MAX_DEPTH: usize = 500;
/// A file with more nodes was not written for a kata.
const MAX_NODES: usize = 500_000;
/// Longer pieces of code are clipped in messages.
const MAX_SNIPPET: usize = 60;

const COMMENTS: &[&str] = &["comment", "line_comment", "block_comment", "html_comment"];

/// The number of a node.
pub(crate) type Id = usize;

pub(crate) struct Source<'t> {
    pub(super) syntax: &'static Syntax,
    text: &'t str,
    nodes: Vec<Entry<'t>>,
}

struct Entry<'t> {
    node: Node<'t>,
    parent: Option<Id>,
    /// The first node after it that is not below it.
    end: Id,
    /// Its name in the node around it, or "".
    field: &'t str,
    /// The innermost function around it.
    function: Option<Id>,
    /// The innermost class around it.
    class: Option<Id>,
}

impl<'t> Source<'t> {
    /// `None` for a text with syntax errors, for one that is too large, and for a language that has no checks.
    pub(crate) fn new(language: Language, text: &'t str, tree: &'t Tree) -> Option<Source<'t>> {
        if tree.root_node().has_error() {
            return None;
        }
        let mut source = Source { syntax: syntax(language)?, text, nodes: Vec::new() };
        source.lay_out(tree)?;
        source.set_owners();
        Some(source)
    }

    fn lay_out(&mut self, tree: &'t Tree) -> Option<()> {
        let mut cursor = tree.walk();
        let mut around: Vec<Id> = Vec::new();
        // Where a mark like `#[test]` was seen: the depth of the item that it marks.
        let mut mark: Option<usize> = None;
        loop {
            let node = cursor.node();
            let depth = around.len();
            let is_comment = COMMENTS.contains(&node.kind());
            let is_attribute = node.kind() == "attribute_item";
            let is_test = mark == Some(depth) && node.is_named() && !is_attribute && !is_comment;
            if is_test {
                mark = None;
            } else {
                if self.nodes.len() >= MAX_NODES {
                    return None;
                }
                if is_attribute && is_test_mark(self.text_of(node)) {
                    mark = Some(depth);
                }
                let id = self.nodes.len();
                self.nodes.push(Entry {
                    node,
                    parent: around.last().copied(),
                    end: id + 1,
                    field: cursor.field_name().unwrap_or_default(),
                    function: None,
                    class: None,
                });
                if !is_comment && depth < MAX_DEPTH && cursor.goto_first_child() {
                    around.push(id);
                    continue;
                }
            }
            while !cursor.goto_next_sibling() {
                if !cursor.goto_parent() {
                    return Some(());
                }
                if let Some(parent) = around.pop() {
                    self.nodes[parent].end = self.nodes.len();
                }
            }
        }
    }

    fn set_owners(&mut self) {
        for id in 0..self.nodes.len() {
            let Some(parent) = self.nodes[id].parent else { continue };
            let above = &self.nodes[parent];
            let function = if self.is_function(parent) { Some(parent) } else { above.function };
            let class = if self.is_class(parent) { Some(parent) } else { above.class };
            self.nodes[id].function = function;
            self.nodes[id].class = class;
        }
    }

    pub(super) fn len(&self) -> usize {
        self.nodes.len()
    }

    pub(super) fn ids(&self) -> Range<Id> {
        0..self.nodes.len()
    }

    /// The node and all below it.
    pub(super) fn within(&self, id: Id) -> Range<Id> {
        id..self.nodes[id].end
    }

    pub(super) fn kind(&self, id: Id) -> &'t str {
        self.nodes[id].node.kind()
    }

    /// Is it a named node of one of these kinds? Keywords often have the same name as the node that they begin.
    pub(super) fn is(&self, id: Id, kinds: &[&str]) -> bool {
        self.nodes[id].node.is_named() && kinds.contains(&self.kind(id))
    }

    /// Is it this keyword or sign?
    pub(super) fn is_token(&self, id: Id, word: &str) -> bool {
        !self.nodes[id].node.is_named() && self.kind(id) == word
    }

    pub(super) fn is_leaf(&self, id: Id) -> bool {
        self.nodes[id].end == id + 1
    }

    pub(super) fn is_comment(&self, id: Id) -> bool {
        self.is(id, COMMENTS)
    }

    /// A named node that is no comment.
    pub(super) fn is_code(&self, id: Id) -> bool {
        self.nodes[id].node.is_named() && !self.is_comment(id)
    }

    pub(super) fn parent(&self, id: Id) -> Option<Id> {
        self.nodes[id].parent
    }

    /// Is the node around it of one of these kinds?
    pub(super) fn is_in(&self, id: Id, kinds: &[&str]) -> bool {
        self.parent(id).is_some_and(|parent| self.is(parent, kinds))
    }

    /// Its name in the node around it, or "".
    pub(super) fn field_name(&self, id: Id) -> &'t str {
        self.nodes[id].field
    }

    /// All direct children, keywords and signs as well.
    pub(super) fn children(&self, id: Id) -> impl Iterator<Item = Id> {
        let end = self.nodes[id].end;
        let first = Some(id + 1).filter(|&child| child < end);
        std::iter::successors(first, move |&child| {
            Some(self.nodes[child].end).filter(|&next| next < end)
        })
    }

    /// The direct children that are named and no comments.
    pub(super) fn named(&self, id: Id) -> impl Iterator<Item = Id> {
        self.children(id).filter(move |&child| self.is_code(child))
    }

    pub(super) fn fields(&self, id: Id, name: &str) -> impl Iterator<Item = Id> {
        self.named(id).filter(move |&child| self.field_name(child) == name)
    }

    pub(super) fn field(&self, id: Id, name: &str) -> Option<Id> {
        self.fields(id, name).next()
    }

    pub(super) fn has_token(&self, id: Id, word: &str) -> bool {
        self.children(id).any(|child| self.is_token(child, word))
    }

    /// Does a declaration have this modifier: `static`, `public`?
    pub(super) fn has_modifier(&self, id: Id, word: &str) -> bool {
        self.children(id).any(|child| {
            self.is_token(child, word)
                || (self.is(child, &["modifiers"]) && self.has_token(child, word))
                || (self.is(child, &["accessibility_modifier"]) && self.text(child) == word)
        })
    }

    pub(super) fn text(&self, id: Id) -> &'t str {
        self.text_of(self.nodes[id].node)
    }

    fn text_of(&self, node: Node<'_>) -> &'t str {
        // The tree is that of the text with a line end behind it.
        let end = node.end_byte().min(self.text.len());
        self.text.get(node.start_byte()..end).unwrap_or_default()
    }

    /// The text for a message: on one line, and not long.
    pub(super) fn snippet(&self, id: Id) -> String {
        let text: String = self.text(id).chars().take(MAX_SNIPPET * 4).collect();
        let line = text.split_whitespace().collect::<Vec<_>>().join(" ").replace(" .", ".");
        if line.chars().count() <= MAX_SNIPPET {
            return line;
        }
        line.chars().take(MAX_SNIPPET).chain(['…']).collect()
    }

    /// Counted from 1.
    pub(super) fn line(&self, id: Id) -> u32 {
        u32::try_from(self.nodes[id].node.start_position().row + 1).unwrap_or(u32::MAX)
    }

    /// First and last row, counted from 0.
    pub(super) fn rows(&self, id: Id) -> (usize, usize) {
        let node = self.nodes[id].node;
        let (start, end) = (node.start_position().row, node.end_position());
        let last = if end.column == 0 && end.row > start { end.row - 1 } else { end.row };
        (start, last)
    }

    pub(super) fn row_count(&self) -> usize {
        self.text.lines().count()
    }

    /// The innermost function around it, itself not counted.
    pub(super) fn function_of(&self, id: Id) -> Option<Id> {
        self.nodes[id].function
    }

    /// The innermost class around it, itself not counted.
    pub(super) fn class_of(&self, id: Id) -> Option<Id> {
        self.nodes[id].class
    }

    /// A function with a name: a closure counts if it is assigned to one.
    pub(super) fn is_function(&self, id: Id) -> bool {
        self.is(id, self.syntax.functions) || self.is_named_closure(id)
    }

    fn is_named_closure(&self, id: Id) -> bool {
        self.is(id, self.syntax.closures)
            && self.field_name(id) == "value"
            && self.is_in(id, self.syntax.closure_names)
    }

    pub(super) fn functions(&self) -> impl Iterator<Item = Id> {
        self.ids().filter(move |&id| self.is_function(id))
    }

    /// A type with fields.
    pub(super) fn is_class(&self, id: Id) -> bool {
        self.is(id, self.syntax.classes)
            && (self.kind(id) != "type_spec"
                || self.field(id, "type").is_some_and(|of| self.is(of, &["struct_type"])))
    }

    /// A function right in the body of a class: not one inside a method.
    pub(super) fn is_member(&self, id: Id) -> bool {
        self.class_of(id).is_some_and(|class| self.function_of(class) == self.function_of(id))
    }

    /// The name of a function or type.
    pub(super) fn name_id(&self, id: Id) -> Option<Id> {
        let holder = if self.is_named_closure(id) { self.parent(id)? } else { id };
        ["name", "key", "property"].into_iter().find_map(|field| self.field(holder, field))
    }

    pub(super) fn name(&self, id: Id) -> &'t str {
        self.name_id(id).map_or("?", |name| self.text(name))
    }

    /// Where something stands, for the end of a message: " in `score`", or nothing at the top of a file.
    pub(super) fn place(&self, id: Id) -> String {
        let Some(function) = self.function_of(id) else { return String::new() };
        format!(" in `{}`", self.name(function))
    }
}

fn is_test_mark(attribute: &str) -> bool {
    let words: String = attribute.split_whitespace().collect();
    words == "#[cfg(test)]" || words == "#[test]"
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with_source<T>(language: Language, text: &str, read: impl Fn(&Source<'_>) -> T) -> T {
        let tree = rb_lang::parse(language, text).unwrap();
        read(&Source::new(language, text, &tree).unwrap())
    }

    #[test]
    fn ka4_functions_and_their_owners_are_known() {
        let check = |language, text: &str, expected: &[&str]| {
            let names = with_source(language, text, |source| {
                source
                    .functions()
                    .map(|id| {
                        let class = source.class_of(id).map_or("-", |class| source.name(class));
                        format!("{}{} of {class}", source.name(id), source.place(id))
                    })
                    .collect::<Vec<_>>()
            });
            assert_eq!(names, expected, "{text}");
        };
        check(Language::Rust, "fn a() { fn b() {} }", &["a of -", "b in `a` of -"]);
        check(Language::Python, "class A:\n    def b(self): pass\n", &["b of A"]);
        check(
            Language::TypeScript,
            "const a = () => 1;\nclass B { c() { d(() => 2); } }\n",
            &["a of -", "c of B"],
        );
        check(
            Language::JavaScript,
            "module.x = { a: function () {} };\nclass B { c = () => 1; }\n",
            &["a of -", "c of B"],
        );
        check(Language::Go, "package a\nfunc (b B) C() {}\n", &["C of -"]);
        check(Language::Java, "class A { A() {} void b() {} }", &["A of A", "b of A"]);
        check(
            Language::Ruby,
            "class A\n  def b = 1\n  def self.c; end\nend\n",
            &["b of A", "c of A"],
        );
    }

    #[test]
    fn ka4_tests_in_a_rust_source_are_left_out() {
        let text = "fn a() {}\n#[cfg(test)]\n// Tests.\nmod tests { fn b() {} }\n#[test]\nfn c() {}\n\
                    fn d() {}\n";
        let names = with_source(Language::Rust, text, |source| {
            source.functions().map(|id| source.name(id).to_owned()).collect::<Vec<_>>()
        });
        assert_eq!(names, ["a", "d"]);
    }

    #[test]
    fn ka4_a_file_with_syntax_errors_has_no_source() {
        let text = "fn a( {";
        let tree = rb_lang::parse(Language::Rust, text).unwrap();
        assert!(Source::new(Language::Rust, text, &tree).is_none());
    }
}
