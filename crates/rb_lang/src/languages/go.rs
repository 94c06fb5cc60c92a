//! Go.
//!
//! Specifiers are import paths; the name is `*`, bound to the alias or else to the last part of the path, which is a
//! guess where a package is not called as its folder. Files of a package see each other without an import, so the types
//! that are mentioned are references too. Methods belong to their receiver's type where the file declared it before.

use std::sync::LazyLock;

use tree_sitter::Node;

use crate::facts::{Facts, ReferenceKind, SymbolKind};
use crate::language::Language;
use crate::tree::{Below, Declaration, Grammar, Reader};

#[derive(Clone, Copy, Default, PartialEq)]
enum Kind {
    #[default]
    Other,
    Package,
    Import,
    /// `type`, `const` or `var`, with one declaration or a list of them.
    Group,
    Type,
    Constant,
    Variable,
    Function,
    Method,
    InterfaceMethod,
    Field,
    TypeElement,
    Call,
    Conversion,
    Literal,
    Selector,
    QualifiedType,
    TypeName,
    Decision,
    Comment,
}

static GRAMMAR: LazyLock<Grammar<Kind>> = LazyLock::new(|| {
    Grammar::new(
        tree_sitter_go::LANGUAGE,
        &[
            ("package_clause", Kind::Package),
            ("import_spec", Kind::Import),
            ("type_declaration", Kind::Group),
            ("const_declaration", Kind::Group),
            ("var_declaration", Kind::Group),
            ("type_spec", Kind::Type),
            ("type_alias", Kind::Type),
            ("const_spec", Kind::Constant),
            ("var_spec", Kind::Variable),
            ("function_declaration", Kind::Function),
            ("method_declaration", Kind::Method),
            ("method_elem", Kind::InterfaceMethod),
            ("field_declaration", Kind::Field),
            ("type_elem", Kind::TypeElement),
            ("call_expression", Kind::Call),
            ("type_conversion_expression", Kind::Conversion),
            ("composite_literal", Kind::Literal),
            ("selector_expression", Kind::Selector),
            ("qualified_type", Kind::QualifiedType),
            ("type_identifier", Kind::TypeName),
            ("if_statement", Kind::Decision),
            ("for_statement", Kind::Decision),
            ("expression_case", Kind::Decision),
            ("type_case", Kind::Decision),
            ("communication_case", Kind::Decision),
            ("&&", Kind::Decision),
            ("||", Kind::Decision),
            ("comment", Kind::Comment),
        ],
    )
});

/// Types and functions that the language itself declares.
const PREDECLARED: &[&str] = &[
    "any",
    "append",
    "bool",
    "byte",
    "cap",
    "clear",
    "close",
    "comparable",
    "complex",
    "complex128",
    "complex64",
    "copy",
    "delete",
    "error",
    "float32",
    "float64",
    "imag",
    "int",
    "int16",
    "int32",
    "int64",
    "int8",
    "len",
    "make",
    "max",
    "min",
    "new",
    "panic",
    "print",
    "println",
    "real",
    "recover",
    "rune",
    "string",
    "uint",
    "uint16",
    "uint32",
    "uint64",
    "uint8",
    "uintptr",
];

pub(super) fn extract(_language: Language, text: &str) -> Facts {
    GRAMMAR.read(text, visit)
}

fn visit(kind: Kind, node: Node<'_>, reader: &mut Reader<'_>) -> Below {
    match kind {
        Kind::Other => {}
        Kind::Package => {
            reader.facts.package = node.named_child(0).map(|name| reader.text(name).into());
            return Below::Skip;
        }
        Kind::Import => {
            import(node, reader);
            return Below::Skip;
        }
        Kind::Group => group(node, reader),
        Kind::Type | Kind::Constant | Kind::Variable => {
            // What stands alone is declared with the word before it.
            if reader.holds_until != node.end_byte() {
                specification(node, node, reader);
            }
        }
        Kind::Function => function(SymbolKind::Function, node, reader),
        Kind::Method => {
            let owner = node
                .child_by_field_name("receiver")
                .map_or("", |receiver| receiver_type(receiver, reader));
            if let Some(owner) = reader.declared_type(owner) {
                reader.enter(owner);
            }
            function(SymbolKind::Method, node, reader);
        }
        Kind::InterfaceMethod => function(SymbolKind::Method, node, reader),
        Kind::Field => {
            if node.child_by_field_name("name").is_none()
                && let Some(embedded) = node.child_by_field_name("type")
            {
                type_reference(ReferenceKind::Inherit, embedded, reader);
            }
        }
        Kind::TypeElement => {
            if node.named_child_count() == 1
                && reader.around(0) == "interface_type"
                && let Some(embedded) = node.named_child(0)
            {
                type_reference(ReferenceKind::Inherit, embedded, reader);
            }
        }
        Kind::Call => call(node, reader),
        Kind::Conversion => {
            // `f[T](x)` looks like a conversion to a type with an argument.
            if let Some(function) = node.child_by_field_name("type")
                && function.kind() == "generic_type"
            {
                type_reference(ReferenceKind::Call, function, reader);
            }
        }
        Kind::Literal => {
            if let Some(made) = node.child_by_field_name("type") {
                type_reference(ReferenceKind::New, made, reader);
            }
        }
        Kind::Selector => {
            if let Some(operand) = node.child_by_field_name("operand")
                && operand.kind() == "identifier"
            {
                reader.name(operand);
            }
        }
        Kind::QualifiedType => {
            type_reference(ReferenceKind::Type, node, reader);
            return Below::Skip;
        }
        Kind::TypeName => named_reference(ReferenceKind::Type, "", node, reader),
        Kind::Decision => reader.decision(),
        Kind::Comment => reader.comment(node, false),
    }
    Below::Walk
}

/// `type T …` without a list: the declaration is the whole of it.
fn group(node: Node<'_>, reader: &mut Reader<'_>) {
    let Some(only) = node.named_children(&mut node.walk()).find(|child| child.kind() != "comment")
    else {
        return;
    };
    let listed =
        only.kind() == "var_spec_list" || node.child(1).is_some_and(|child| child.kind() == "(");
    if !listed {
        specification(only, node, reader);
        reader.holds_until = only.end_byte();
    }
}

fn specification(spec: Node<'_>, node: Node<'_>, reader: &mut Reader<'_>) {
    match spec.kind() {
        "const_spec" => values(SymbolKind::Constant, spec, node, reader),
        "var_spec" => values(SymbolKind::Variable, spec, node, reader),
        _ => type_specification(spec, node, reader),
    }
}

fn values(kind: SymbolKind, spec: Node<'_>, node: Node<'_>, reader: &mut Reader<'_>) {
    if reader.scope().is_some() {
        return;
    }
    let body = spec.child_by_field_name("value");
    let names: Vec<Node<'_>> = spec.children_by_field_name("name", &mut spec.walk()).collect();
    for name in names {
        let name = reader.text(name);
        if !matches!(name, "" | "," | "_") {
            // The names of one list do not stand in each other.
            reader.leave();
            reader.declare(&Declaration { name, kind, node, body, exported: is_exported(name) });
        }
    }
}

fn type_specification(spec: Node<'_>, node: Node<'_>, reader: &mut Reader<'_>) {
    let Some(name) = spec.child_by_field_name("name") else { return };
    let definition = spec.child_by_field_name("type");
    let (kind, body) = match definition {
        Some(definition) if definition.kind() == "struct_type" => {
            (SymbolKind::Struct, definition.named_child(0))
        }
        Some(definition) if definition.kind() == "interface_type" => {
            let open =
                definition.children(&mut definition.walk()).find(|child| child.kind() == "{");
            (SymbolKind::Interface, open)
        }
        _ => (SymbolKind::Type, None),
    };
    reader.skip(name);
    let name = reader.text(name);
    if name.is_empty() {
        return;
    }
    let exported = is_exported(name) && !reader.in_function();
    reader.declare(&Declaration { name, kind, node, body, exported });
}

fn function(kind: SymbolKind, node: Node<'_>, reader: &mut Reader<'_>) {
    let name = reader.field(node, "name");
    if name.is_empty() {
        return;
    }
    if kind == SymbolKind::Function {
        let parameters = reader.field(node, "parameters");
        reader.facts.marks.main |=
            name == "main" && reader.facts.package.as_deref() == Some("main");
        reader.facts.marks.tests |=
            ["Test", "Benchmark", "Fuzz"].iter().any(|word| name.starts_with(word))
                && parameters.contains("testing.");
    }
    let body = node.child_by_field_name("body");
    let exported = is_exported(name) && !reader.in_function();
    reader.declare(&Declaration { name, kind, node, body, exported });
}

/// `T` of `(t *T[K])`.
fn receiver_type<'t>(receiver: Node<'_>, reader: &Reader<'t>) -> &'t str {
    let mut node =
        receiver.named_child(0).and_then(|parameter| parameter.child_by_field_name("type"));
    while let Some(inner) = node {
        node = match inner.kind() {
            "type_identifier" => return reader.text(inner),
            "generic_type" => inner.child_by_field_name("type"),
            "pointer_type" | "parenthesized_type" => inner.named_child(0),
            _ => None,
        };
    }
    ""
}

fn call(node: Node<'_>, reader: &mut Reader<'_>) {
    let Some(function) = node.child_by_field_name("function") else { return };
    let function = match function.kind() {
        "index_expression" => function.child_by_field_name("operand").unwrap_or(function),
        _ => function,
    };
    match function.kind() {
        "identifier" => named_reference(ReferenceKind::Call, "", function, reader),
        "selector_expression" => {
            let qualifier = reader.field(function, "operand");
            reader.reference(ReferenceKind::Call, qualifier, reader.field(function, "field"), node);
        }
        _ => {}
    }
}

/// `T`, `p.T`, `*T` or `T[K]`, which is then no mention of the type any more.
fn type_reference(kind: ReferenceKind, node: Node<'_>, reader: &mut Reader<'_>) {
    let node = match node.kind() {
        "generic_type" => node.child_by_field_name("type").unwrap_or(node),
        "pointer_type" => node.named_child(0).unwrap_or(node),
        _ => node,
    };
    match node.kind() {
        "type_identifier" => {
            named_reference(kind, "", node, reader);
            reader.skip(node);
        }
        "qualified_type" => {
            if let (Some(package), Some(name)) =
                (node.child_by_field_name("package"), node.child_by_field_name("name"))
            {
                reader.name(package);
                named_reference(kind, reader.text(package), name, reader);
            }
            reader.skip(node);
        }
        _ => {}
    }
}

fn named_reference<'t>(
    kind: ReferenceKind,
    qualifier: &'t str,
    name: Node<'_>,
    reader: &mut Reader<'t>,
) {
    let text = reader.text(name);
    if !PREDECLARED.contains(&text) {
        reader.reference(kind, qualifier, text, name);
    }
}

fn import(node: Node<'_>, reader: &mut Reader<'_>) {
    let path = reader.field(node, "path").trim_matches(['"', '`']);
    let local = match reader.field(node, "name") {
        "_" | "." => "",
        "" => package_name(path),
        alias => alias,
    };
    reader.import_name(path, "*", local, node);
}

/// The last part of the path that is not a version: `bar` of `foo/bar/v3`, `yaml` of `yaml.v2`.
fn package_name(path: &str) -> &str {
    let (before, last) = path.rsplit_once('/').unwrap_or(("", path));
    if is_version(last) && !before.is_empty() {
        return before.rsplit('/').next().unwrap_or_default();
    }
    match last.rsplit_once('.') {
        Some((name, version)) if is_version(version) => name,
        _ => last,
    }
}

fn is_version(part: &str) -> bool {
    part.strip_prefix('v').is_some_and(|digits| {
        !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
    })
}

fn is_exported(name: &str) -> bool {
    name.chars().next().is_some_and(char::is_uppercase)
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};

    use super::*;
    use crate::languages::shown;

    #[track_caller]
    fn check(text: &str, expected: &Expect) {
        expected.assert_eq(&shown(Language::Go, text));
    }

    const SAMPLE: &str = r#"// Package main is an example.
package main

import (
	"fmt"
	h "net/http"
	_ "embed"
	. "a/dots"
	"github.com/foo/bar/v3"
	"gopkg.in/yaml.v2"
)

// Limit is how many.
const Limit = 3

const (
	// First of them.
	First = iota
	second, third = 1, 2
)

var plain, Given = h.Get, func() { var inner int; _ = inner }

// Store keeps things.
// In a row.
type Store struct {
	Base
	*h.Client
	items map[string]Item // not a doc
}

type (
	// Getter gets.
	Getter interface {
		fmt.Stringer
		Get(key string) (Item, error)
	}
	List[K comparable] []K
	Alias = bar.Thing
)

// Get gets.
func (s *Store) Get(key string) (Item, error) {
	if item, ok := s.items[key]; ok && item.Valid() || plain == nil {
		return item, nil
	}
	for range key {
		switch key {
		case "a", "b":
		default:
		}
	}
	type local struct{ at yaml.Node }
	go func() { helper(len(key)) }()
	_ = []Item{{}}
	return Item{Name: fmt.Sprint(Limit)}, &h.ProtocolError{}
}

func (l List[K]) Len() int { return Map[K, int](l, other.Size[K](1)) }

func (f *Foreign) hidden() {}

func TestGet(t *testing.T) { main() }

func main() {}
"#;

    #[test]
    fn ix2_symbols() {
        check(
            SAMPLE,
            &expect![[r#"
                +constant Limit 14..14 `const Limit` doc "Limit is how many."
                +constant First 18..18 `First` doc "First of them."
                -constant second 19..19 `second, third`
                -constant third 19..19 `second, third`
                -variable plain 22..22 `var plain, Given`
                +variable Given 22..22 `var plain, Given`
                +struct Store 26..30 `type Store struct` doc "Store keeps things.\nIn a row."
                +interface Getter 34..37 `Getter interface` doc "Getter gets."
                +method Get in Getter 36..36 `Get(key string) (Item, error)`
                +type List 38..38 `List[K comparable] []K`
                +type Alias 39..39 `Alias = bar.Thing`
                +method Get in Store 43..57 `func (s *Store) Get(key string) (Item, error)` complexity 6 doc "Get gets."
                -struct local in Get 53..53 `type local struct`
                +method Len in List 59..59 `func (l List[K]) Len() int`
                -method hidden 61..61 `func (f *Foreign) hidden()`
                +function TestGet 63..63 `func TestGet(t *testing.T)`
                -function main 65..65 `func main()`
                import Static `fmt` [* as fmt] uses 2
                import Static `net/http` [* as h] uses 3
                import Static `embed` [* as ] uses 0
                import Static `a/dots` [* as ] uses 0
                import Static `github.com/foo/bar/v3` [* as bar] uses 1
                import Static `gopkg.in/yaml.v2` [* as yaml] uses 1
                Inherit Base from Store
                Inherit h . Client from Store
                Type Item from Store
                Inherit fmt . Stringer from Getter
                Type Item from Get
                Type K from List
                Type bar . Thing from Alias
                Type Store from Get
                Type Item from Get x2
                Call item . Valid from Get
                Type yaml . Node from local
                Call helper from Get
                New Item from Get
                Call fmt . Sprint from Get
                New h . ProtocolError from Get
                Type List from Len
                Type K from Len x3
                Call Map from Len
                Call other . Size from Len
                Type Foreign from hidden
                Type testing . T from TestGet
                Call main from TestGet
                package main
                mark main
                mark tests
            "#]],
        );
    }

    #[test]
    fn ix2_broken_code_gives_what_it_can() {
        check(
            "package a\n\nfunc good() {}\n\ntype struct {\n\nfunc Also() { if }\n\nvar X = = 1\n",
            &expect![[r#"
                -function good 3..3 `func good()`
                +variable X 9..9 `var X`
                package a
                syntax errors 4
            "#]],
        );
    }
}
