//! Python.
//!
//! Specifiers are modules as written, a relative import with its dots: `from ..a import b` is `..a` with the name `b`.
//! `import a.b` binds `a`, and is kept as the module `a.b` under the local name `a.b`'s first part.

use std::sync::LazyLock;

use tree_sitter::Node;

use crate::facts::{Facts, Import, ImportKind, ImportedName, ReferenceKind, SymbolKind};
use crate::language::Language;
use crate::tree::{Below, Declaration, Grammar, Reader, line_of};

#[derive(Clone, Copy, Default, PartialEq)]
enum Kind {
    #[default]
    Other,
    Function,
    Class,
    Assignment,
    Import,
    ImportFrom,
    Call,
    Decorator,
    Decision,
    Comment,
    Name,
    If,
}

static GRAMMAR: LazyLock<Grammar<Kind>> = LazyLock::new(|| {
    Grammar::new(
        tree_sitter_python::LANGUAGE,
        &[
            ("function_definition", Kind::Function),
            ("class_definition", Kind::Class),
            ("assignment", Kind::Assignment),
            ("import_statement", Kind::Import),
            ("import_from_statement", Kind::ImportFrom),
            ("future_import_statement", Kind::ImportFrom),
            ("call", Kind::Call),
            ("decorator", Kind::Decorator),
            ("if_statement", Kind::If),
            ("elif_clause", Kind::Decision),
            ("for_statement", Kind::Decision),
            ("while_statement", Kind::Decision),
            ("except_clause", Kind::Decision),
            ("case_clause", Kind::Decision),
            ("conditional_expression", Kind::Decision),
            ("boolean_operator", Kind::Decision),
            ("if_clause", Kind::Decision),
            ("for_in_clause", Kind::Decision),
            ("comment", Kind::Comment),
            ("identifier", Kind::Name),
        ],
    )
});

pub(super) fn extract(_language: Language, text: &str) -> Facts {
    let mut facts = GRAMMAR.read(text, visit);
    facts.marks.main |= text.starts_with("#!");
    facts
}

fn visit(kind: Kind, node: Node<'_>, reader: &mut Reader<'_>) -> Below {
    match kind {
        Kind::Other => {}
        Kind::Function => function(node, reader),
        Kind::Class => class(node, reader),
        Kind::Assignment => assignment(node, reader),
        Kind::Import => {
            import(node, reader);
            return Below::Skip;
        }
        Kind::ImportFrom => {
            import_from(node, reader);
            return Below::Skip;
        }
        Kind::Call => call(node, reader),
        Kind::Decorator => reader.attribute(node),
        Kind::If => {
            reader.decision();
            let condition = reader.field(node, "condition");
            if condition.starts_with("__name__") && condition.contains("__main__") {
                reader.facts.marks.main = true;
            }
            if matches!(condition, "TYPE_CHECKING" | "typing.TYPE_CHECKING") {
                let types = node.child_by_field_name("consequence");
                reader.holds_until = types.map_or(0, |types| types.end_byte());
            }
        }
        Kind::Decision => reader.decision(),
        Kind::Comment => reader.comment(node, false),
        Kind::Name => reader.name(node),
    }
    Below::Walk
}

fn function(node: Node<'_>, reader: &mut Reader<'_>) {
    let name = reader.field(node, "name");
    if name.is_empty() {
        return;
    }
    let in_class = reader.scope_kind() == Some(SymbolKind::Class);
    if name.starts_with("test") {
        reader.facts.marks.tests = true;
    }
    let body = node.child_by_field_name("body");
    let exported = is_public(name) && !reader.in_function();
    let kind = if in_class { SymbolKind::Method } else { SymbolKind::Function };
    let symbol = reader.declare(&Declaration { name, kind, node, body, exported });
    docstring(symbol, body, reader);
}

fn class(node: Node<'_>, reader: &mut Reader<'_>) {
    let name = reader.field(node, "name");
    if name.is_empty() {
        return;
    }
    let body = node.child_by_field_name("body");
    let exported = is_public(name) && !reader.in_function();
    let symbol =
        reader.declare(&Declaration { name, kind: SymbolKind::Class, node, body, exported });
    docstring(symbol, body, reader);
    let Some(bases) = node.child_by_field_name("superclasses") else { return };
    let mut cursor = bases.walk();
    for base in bases.named_children(&mut cursor) {
        if matches!(base.kind(), "identifier" | "attribute") {
            let (qualifier, name) = split_path(reader.text(base));
            reader.reference(ReferenceKind::Inherit, qualifier, name, base);
        }
    }
}

/// `NAME = …` at the top of the file; in a class only what is written in capitals.
fn assignment(node: Node<'_>, reader: &mut Reader<'_>) {
    let Some(target) = node.child_by_field_name("left") else { return };
    if target.kind() != "identifier" || reader.in_function() {
        return;
    }
    let name = reader.text(target);
    let constant = is_constant(name);
    let in_class = reader.scope_kind() == Some(SymbolKind::Class);
    if name.starts_with("__") || (in_class && !constant) {
        return;
    }
    let kind = if constant { SymbolKind::Constant } else { SymbolKind::Variable };
    reader.declare(&Declaration { name, kind, node, body: None, exported: is_public(name) });
}

fn call(node: Node<'_>, reader: &mut Reader<'_>) {
    let Some(function) = node.child_by_field_name("function") else { return };
    match function.kind() {
        "identifier" => reader.reference(ReferenceKind::Call, "", reader.text(function), node),
        "attribute" => {
            let object = function.child_by_field_name("object");
            let qualifier = match object {
                Some(object) if is_super(object, reader) => "super",
                _ => object.map_or("", |object| reader.text(object)),
            };
            let name = reader.field(function, "attribute");
            reader.reference(ReferenceKind::Call, qualifier, name, node);
        }
        _ => {}
    }
}

/// `super()`, `super(A, self)`
fn is_super(node: Node<'_>, reader: &Reader<'_>) -> bool {
    node.kind() == "call" && reader.field(node, "function") == "super"
}

fn import(node: Node<'_>, reader: &mut Reader<'_>) {
    let mut cursor = node.walk();
    for child in node.children_by_field_name("name", &mut cursor) {
        let (module, local) = match child.kind() {
            "aliased_import" => (reader.field(child, "name"), reader.field(child, "alias")),
            _ => {
                let module = reader.text(child);
                (module, module.split('.').next().unwrap_or_default())
            }
        };
        reader.import(Import {
            specifier: module.into(),
            kind: kind(node, reader),
            names: vec![ImportedName { name: "*".into(), local: local.into() }],
            line: line_of(node),
            uses: 0,
        });
    }
}

/// When the import happens: with the file, when a function runs, or never, if it is for the type checker alone.
fn kind(node: Node<'_>, reader: &Reader<'_>) -> ImportKind {
    if node.start_byte() < reader.holds_until {
        ImportKind::TypeOnly
    } else if reader.in_function() {
        ImportKind::Dynamic
    } else {
        ImportKind::Static
    }
}

fn import_from(node: Node<'_>, reader: &mut Reader<'_>) {
    let specifier = if node.kind() == "future_import_statement" {
        "__future__"
    } else {
        reader.field(node, "module_name")
    };
    let mut names = Vec::new();
    let mut cursor = node.walk();
    for child in node.children_by_field_name("name", &mut cursor) {
        let (name, local) = match child.kind() {
            "aliased_import" => (reader.field(child, "name"), reader.field(child, "alias")),
            _ => (reader.text(child), reader.text(child)),
        };
        names.push(ImportedName { name: name.into(), local: local.into() });
    }
    let mut cursor = node.walk();
    if node.children(&mut cursor).any(|child| child.kind() == "wildcard_import") {
        names.push(ImportedName { name: "*".into(), local: "".into() });
    }
    let specifier: String = specifier.split_whitespace().collect();
    reader.import(Import {
        specifier: specifier.into(),
        kind: kind(node, reader),
        names,
        line: line_of(node),
        uses: 0,
    });
}

/// The string that a body begins with.
fn docstring(symbol: u32, body: Option<Node<'_>>, reader: &mut Reader<'_>) {
    let Some(first) = body.and_then(|body| body.named_child(0)) else { return };
    let Some(string) = first.named_child(0) else { return };
    if first.kind() != "expression_statement" || string.kind() != "string" {
        return;
    }
    let text = reader.text(string).trim_start_matches(|c: char| c.is_ascii_alphabetic());
    let lines: Vec<&str> = text.trim_matches(['"', '\'']).lines().map(str::trim).collect();
    reader.set_doc(symbol, &lines.join("\n"));
}

fn split_path(path: &str) -> (&str, &str) {
    path.rsplit_once('.').unwrap_or(("", path))
}

fn is_public(name: &str) -> bool {
    !name.starts_with('_') || (name.starts_with("__") && name.ends_with("__"))
}

fn is_constant(name: &str) -> bool {
    name.chars().any(|c| c.is_ascii_uppercase()) && !name.chars().any(|c| c.is_ascii_lowercase())
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};

    use super::*;
    use crate::languages::shown;

    #[track_caller]
    fn check(text: &str, expected: &Expect) {
        expected.assert_eq(&shown(Language::Python, text));
    }

    const SAMPLE: &str = r#"#!/usr/bin/env python
import os.path as p, sys
from ..models import (User as U, Post)
from . import *

# How many.
LIMIT = 3
limit: int = 4

@decorated
class Store(Base, abc.ABC):
    """Keeps things.

    In a row.
    """
    SIZE = 1
    plain = 2

    async def get(self, key: str) -> U:
        if key and p.exists(key):
            return self.load(key)
        for a in [b for b in key if b]:
            sys.exit(1)
        def inner():
            pass

def _hidden():
    'one'
    Store().get("x")

if __name__ == "__main__":
    _hidden()
"#;

    #[test]
    fn ix2_symbols() {
        check(
            SAMPLE,
            &expect![[r#"
                +constant LIMIT 7..7 `LIMIT = 3` doc "How many."
                +variable limit 8..8 `limit: int = 4`
                +class Store 11..25 `class Store(Base, abc.ABC)` doc "Keeps things.\n\nIn a row."
                +constant SIZE in Store 16..16 `SIZE = 1`
                +method get in Store 19..25 `async def get(self, key: str) -> U` complexity 6
                -function inner in get 24..25 `def inner()`
                -function _hidden 27..29 `def _hidden()` doc "one"
                import Static `os.path` [* as p] uses 1
                import Static `sys` [* as sys] uses 1
                import Static `..models` [User as U, Post] uses 1
                import Static `.` [* as ] uses 0
                Inherit Base from Store
                Inherit abc . ABC from Store
                Call p . exists from get
                Call self . load from get
                Call sys . exit from get
                Call ? . get from _hidden
                Call Store from _hidden
                Call _hidden from top
                mark main
            "#]],
        );
    }

    #[test]
    fn ix3_when_an_import_happens() {
        check(
            "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from a import A\nelse:\n    A = None\nimport b\ndef f():\n    import c\n    return c.d()\n",
            &expect![[r#"
                +constant A 5..5 `A = None`
                +function f 7..9 `def f()`
                import Static `typing` [TYPE_CHECKING] uses 1
                import TypeOnly `a` [A] uses 1
                import Static `b` [* as b] uses 0
                import Dynamic `c` [* as c] uses 1
                Call c . d from f
            "#]],
        );
    }

    #[test]
    fn ix2_a_signature_holds_no_comment() {
        check(
            "def f():  # noqa\n    pass\nclass A(  # of B\n    B,\n):\n    # why\n    def g(\n        self,  # :me\n        a=\"#\",\n    ):  # end\n        pass\n",
            &expect![[r##"
                +function f 1..2 `def f()`
                +class A 3..11 `class A( B, )`
                +method g in A 7..11 `def g( self, a="#", )` doc "why"
                Inherit B from A
            "##]],
        );
    }

    #[test]
    fn ix2_a_call_of_the_base_class() {
        check(
            "class A(B):\n    def f(self):\n        super().f()\n        super(A, self).g()\n        supers().h()\n",
            &expect![[r#"
                +class A 1..5 `class A(B)`
                +method f in A 2..5 `def f(self)`
                Inherit B from A
                Call super . f from f
                Call super from f x2
                Call super . g from f
                Call ? . h from f
                Call supers from f
            "#]],
        );
    }

    #[test]
    fn ix2_broken_code_gives_what_it_can() {
        check(
            "def good():\n    pass\n\nclass (:\n\ndef also(x):\n    return x\n",
            &expect![[r#"
            +function good 1..2 `def good()`
            +function also 6..7 `def also(x)`
            syntax errors 1
        "#]],
        );
    }
}
