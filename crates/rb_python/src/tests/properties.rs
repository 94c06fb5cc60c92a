//! What holds for any text.

use proptest::prelude::*;
use ruff_python_ast::AnyNodeRef;
use ruff_python_ast::visitor::source_order::{self, SourceOrderVisitor, TraversalSignal};
use ruff_text_size::TextSize;

use super::parse;
use crate::nesting::depth;
use crate::{ScopeId, Source};

/// Pieces that make Python of a sort, and break it.
const PIECES: &[&str] = &[
    "x",
    "y",
    "é",
    "ﬁ",
    "f",
    "C",
    "1",
    "'a'",
    "\"x\"",
    "'",
    "'''",
    "f'{",
    "}'",
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    ",",
    ".",
    ":",
    " = ",
    ":=",
    " -> ",
    "*",
    "**",
    "\\",
    "\n",
    "\n    ",
    "\n        ",
    "\r\n",
    "\t",
    "\u{feff}",
    " ",
    ";",
    "#",
    "def f(x, *y):",
    "class C(x):",
    "lambda x: ",
    " for x in ",
    " if ",
    " else ",
    "if x:",
    "else:",
    "try:",
    "except x as y:",
    "with x as y:",
    "import x.y",
    "from .x import y",
    "from x import *",
    " as ",
    "global x",
    "nonlocal x",
    "del x",
    "match x:",
    "case [x, *y]:",
    "type x[T] = ",
    "[T: 'x']",
    "__all__",
    " += ",
    "return ",
    "yield ",
    "await ",
    "async ",
    "@",
    "pass",
    "cast('x', y)",
    "x: 'List[x]'",
    "not ",
    " and ",
    " + ",
    "-",
    "~",
    "__x",
    "__class__",
    "print",
];

fn python() -> impl Strategy<Value = String> {
    prop::collection::vec(prop::sample::select(PIECES), 0..60).prop_map(|pieces| pieces.concat())
}

/// An expression that is valid.
fn expression() -> impl Strategy<Value = String> {
    let leaf = prop::sample::select(vec!["a", "1", "'s'", "f'{b}'"]).prop_map(str::to_owned);
    leaf.prop_recursive(40, 120, 3, |inner| {
        let two = (inner.clone(), inner.clone());
        prop_oneof![
            inner.clone().prop_map(|x| format!("({x})")),
            inner.clone().prop_map(|x| format!("[{x}, {x}]")),
            inner.clone().prop_map(|x| format!("({x}).a")),
            inner.clone().prop_map(|x| format!("f({x}).b.c")),
            inner.clone().prop_map(|x| format!("(not {x})")),
            inner.clone().prop_map(|x| format!("-({x})")),
            inner.clone().prop_map(|x| format!("(lambda a, b: {x})")),
            inner.clone().prop_map(|x| format!("f'{{ {x} }} {{c}}'")),
            two.clone().prop_map(|(x, y)| format!("({x} + {y})")),
            two.clone().prop_map(|(x, y)| format!("({x} + 1 * {y} - 1)")),
            two.clone().prop_map(|(x, y)| format!("({x} and {y} or {x})")),
            two.clone().prop_map(|(x, y)| format!("({x})[{y}](k={y})")),
            two.clone().prop_map(|(x, y)| format!("[{x} for i in {y} if {x}]")),
            two.prop_map(|(x, y)| format!("({x} if 1 else {y})")),
        ]
    })
}

fn check_ranges(source: &Source) {
    let scopes = source.scopes();
    for name in &scopes.names {
        if source.slice(name.range).is_ascii() {
            assert_eq!(source.slice(name.range), name.name);
        }
        assert_eq!(scopes.name_at(name.range), Some(name));
        scopes.scope_at(name.range);
        if let Some(variable) = name.variable {
            assert!(scopes.names_of(variable).any(|other| other == name));
        }
    }
    assert!(scopes.names.is_sorted_by_key(|name| name.range.start()));
    for variable in &scopes.variables {
        assert!(!variable.bindings.is_empty());
        assert!(scopes.scope(variable.scope).variables.contains_key(&variable.name));
        for binding in &variable.bindings {
            assert!(binding.statement.contains_range(binding.range));
        }
    }
    for string in source.strings() {
        assert!(string.range.contains_range(string.content));
        source.slice(string.content);
    }
    for import in source.imports() {
        for (at, name) in import.names.iter().enumerate() {
            assert!(import.range.contains_range(name.range));
            import.specifier(at);
        }
    }
    for entry in source.all().into_iter().flat_map(|all| &all.entries) {
        source.slice(entry.range);
    }
    assert_eq!(scopes.scope(ScopeId(0)).range.end(), TextSize::of(&**source.text()));
}

/// The depth of the tree, all nodes counted.
#[derive(Default)]
struct Deepest {
    now: usize,
    most: usize,
}

impl<'a> SourceOrderVisitor<'a> for Deepest {
    fn enter_node(&mut self, _: AnyNodeRef<'a>) -> TraversalSignal {
        self.now += 1;
        self.most = self.most.max(self.now);
        TraversalSignal::Traverse
    }

    fn leave_node(&mut self, _: AnyNodeRef<'a>) {
        self.now -= 1;
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(256) })]

    #[test]
    fn st2_any_text_is_parsed_or_refused(text in "\\PC*") {
        if let Ok(source) = Source::parse("a.py", text.into()) {
            check_ranges(&source);
        }
    }

    #[test]
    fn st2_any_pieces_of_python_are_parsed_or_refused(text in python()) {
        if let Ok(source) = Source::parse("a.py", text.into()) {
            check_ranges(&source);
        }
    }

    #[test]
    fn st2_depth_is_an_upper_bound(text in expression()) {
        let text = format!("x = {text}\n");
        let source = parse(&text);
        check_ranges(&source);
        let mut deepest = Deepest::default();
        source_order::walk_body(&mut deepest, source.body());
        // A level is at most three nodes: a call, its arguments, a keyword.
        let bound = depth(&text, ruff_python_parser::Mode::Module);
        prop_assert!(deepest.most <= 3 * bound + 3, "{} > 3 * {bound}: {text}", deepest.most);
    }
}
