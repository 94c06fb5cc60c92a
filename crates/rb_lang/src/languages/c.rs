//! C, and what C++ shares with it.
//!
//! Specifiers are the paths of `#include`s. The text does not say whether it is a header, so a prototype is a function
//! like a definition, only without complexity. A `#define` without a value names nothing and is left out, as are the
//! fields of structs.

mod lost;

use std::sync::LazyLock;

use tree_sitter::Node;

pub(super) use self::lost::{Lost, is_inside_function, is_misplaced};
use crate::facts::{Cut, Facts, Import, ImportKind, ReferenceKind, SymbolKind};
use crate::language::Language;
use crate::tree::{Below, Declaration, Grammar, Reader, clip, line_count, line_of, one_line};

#[derive(Clone, Copy, Default, PartialEq)]
pub(super) enum Kind {
    #[default]
    Other,
    Function,
    Declarator,
    Declaration,
    Field,
    Typedef,
    Aggregate,
    Enumerator,
    Define,
    Include,
    Call,
    Attribute,
    Decision,
    Case,
    Binary,
    Comment,
}

/// Nodes that the grammars of C and C++ name alike.
pub(super) const KINDS: &[(&str, Kind)] = &[
    ("function_definition", Kind::Function),
    ("function_declarator", Kind::Declarator),
    ("declaration", Kind::Declaration),
    ("field_declaration", Kind::Field),
    ("type_definition", Kind::Typedef),
    ("struct_specifier", Kind::Aggregate),
    ("union_specifier", Kind::Aggregate),
    ("enum_specifier", Kind::Aggregate),
    ("enumerator", Kind::Enumerator),
    ("preproc_def", Kind::Define),
    ("preproc_function_def", Kind::Define),
    ("preproc_include", Kind::Include),
    ("call_expression", Kind::Call),
    ("attribute_specifier", Kind::Attribute),
    ("if_statement", Kind::Decision),
    ("for_statement", Kind::Decision),
    ("while_statement", Kind::Decision),
    ("do_statement", Kind::Decision),
    ("conditional_expression", Kind::Decision),
    ("case_statement", Kind::Case),
    ("binary_expression", Kind::Binary),
    ("comment", Kind::Comment),
];

static GRAMMAR: LazyLock<Grammar<Kind>> =
    LazyLock::new(|| Grammar::new(tree_sitter_c::LANGUAGE, KINDS));

pub(super) fn extract(_language: Language, text: &str) -> Facts {
    if lost::is_hopeless(text) {
        return Facts { lines: line_count(text), cut: Some(Cut::Effort), ..Facts::default() };
    }
    let lost = Lost::default();
    GRAMMAR.read(text, |kind, node, reader| {
        let exported = !reader.in_function();
        match kind {
            Kind::Function => function(node, reader, &lost),
            Kind::Declarator => lost.find(node, reader),
            Kind::Declaration => declaration(node, reader, &lost),
            Kind::Field => lost.claim(node),
            Kind::Typedef => {
                lost.claim(node);
                typedef(node, exported, reader);
            }
            Kind::Aggregate => {
                aggregate(node, exported, reader);
            }
            Kind::Enumerator => enumerator(node, exported, reader),
            Kind::Call => call(node, reader),
            _ => return visit_common(kind, node, reader),
        }
        Below::Walk
    })
}

/// What means the same in C and in C++, wherever it stands.
pub(super) fn visit_common(kind: Kind, node: Node<'_>, reader: &mut Reader<'_>) -> Below {
    match kind {
        Kind::Define => {
            define(node, reader);
            return Below::Skip;
        }
        Kind::Include => {
            include(node, reader);
            return Below::Skip;
        }
        Kind::Attribute => return Below::Skip,
        Kind::Decision => reader.decision(),
        Kind::Case => {
            if node.child_by_field_name("value").is_some() {
                reader.decision();
            }
        }
        Kind::Binary => {
            if matches!(reader.field(node, "operator"), "&&" | "||" | "and" | "or") {
                reader.decision();
            }
        }
        Kind::Comment => {
            let text = reader.text(node);
            let doc = ["/**", "/*!", "///", "//!"].iter().any(|mark| text.starts_with(mark));
            reader.comment(node, doc);
        }
        Kind::Other
        | Kind::Function
        | Kind::Declarator
        | Kind::Declaration
        | Kind::Field
        | Kind::Typedef
        | Kind::Aggregate
        | Kind::Enumerator
        | Kind::Call => {}
    }
    Below::Walk
}

fn function(node: Node<'_>, reader: &mut Reader<'_>, lost: &Lost) {
    let Some(declarator) = node.child_by_field_name("declarator") else { return };
    lost.claim(declarator);
    let Some(name) = declared(declarator).map(|declared| reader.text(declared.name)) else {
        return;
    };
    if is_keyword(name) || is_inside_function(node, reader) {
        return;
    }
    reader.facts.marks.main |= name == "main";
    reader.facts.marks.tests |= name.starts_with("test_") && reader.field(node, "type") == "void";
    let misplaced = is_misplaced(node, reader);
    let symbol = reader.declare(&Declaration {
        name,
        kind: SymbolKind::Function,
        node,
        body: node.child_by_field_name("body"),
        exported: !specifiers(node, reader).is_static && (misplaced || !reader.in_function()),
    });
    if misplaced {
        reader.facts.symbols[symbol as usize].parent = None;
    }
}

/// Prototypes and variables; those inside functions are nobody else's business.
fn declaration(node: Node<'_>, reader: &mut Reader<'_>, lost: &Lost) {
    lost.claim(node);
    if !holds_declarations(reader) || lost.around(node) {
        return;
    }
    let specifiers = specifiers(node, reader);
    for_each_declarator(node, reader, |declarator, node, reader| {
        let declared = declared(declarator)?;
        let name = reader.text(declared.name);
        let kind = match declared.what {
            What::Function => SymbolKind::Function,
            What::Value if specifiers.is_const => SymbolKind::Constant,
            What::Value | What::Pointer => SymbolKind::Variable,
        };
        let (body, exported) = (list_value(declarator), !specifiers.is_static);
        (!is_keyword(name))
            .then(|| reader.declare(&Declaration { name, kind, node, body, exported }))
    });
}

/// Can a declaration at the current node be named from elsewhere? Not in a function, nor in a lambda that a variable holds.
pub(super) fn holds_declarations(reader: &Reader<'_>) -> bool {
    let in_value = matches!(reader.scope_kind(), Some(SymbolKind::Variable | SymbolKind::Constant));
    !in_value && !reader.in_function()
}

/// `declare` gets every declarator of `node` with the node that stands for it, and gives the symbol back.
///
/// Of `int a, b;` each is its own node: it is neither nested in the first nor as long as all of them together.
pub(super) fn for_each_declarator<'t>(
    node: Node<'_>,
    reader: &mut Reader<'t>,
    mut declare: impl FnMut(Node<'_>, Node<'_>, &mut Reader<'t>) -> Option<u32>,
) {
    let parent = reader.scope();
    let head = head(node, reader);
    let mut cursor = node.walk();
    let mut declarators = node.children_by_field_name("declarator", &mut cursor).peekable();
    let mut alone = true;
    while let Some(declarator) = declarators.next() {
        alone &= declarators.peek().is_none();
        let declared = declare(declarator, if alone { node } else { declarator }, reader);
        let Some(symbol) = declared else { continue };
        reader.facts.symbols[symbol as usize].parent = parent;
        if !alone || head.ends_with("{…}") {
            let end =
                list_value(declarator).map_or(declarator.end_byte(), |value| value.start_byte());
            let tail =
                clip(reader.text.get(declarator.start_byte()..end).unwrap_or_default(), MAX_HEAD);
            reader.facts.symbols[symbol as usize].signature =
                one_line(&format!("{head} {tail}")).into();
        }
    }
}

const MAX_HEAD: usize = 400;

/// What stands before the first declarator, without the body of a struct: `static const struct a {…}`.
fn head(node: Node<'_>, reader: &Reader<'_>) -> String {
    let body = node.child_by_field_name("type").and_then(|named| named.child_by_field_name("body"));
    let declarator = node.child_by_field_name("declarator");
    let end = body.or(declarator).map_or(node.end_byte(), |end| end.start_byte());
    let text =
        clip(reader.text.get(node.start_byte()..end).unwrap_or_default(), MAX_HEAD).trim_end();
    if body.is_some() { format!("{text} {{…}}") } else { text.to_owned() }
}

/// `{…}` of `int a[] = {…}`: not part of the signature.
pub(super) fn list_value(declarator: Node<'_>) -> Option<Node<'_>> {
    let value = declarator.child_by_field_name("value")?;
    matches!(value.kind(), "initializer_list" | "lambda_expression").then_some(value)
}

pub(super) fn typedef(node: Node<'_>, exported: bool, reader: &mut Reader<'_>) {
    let named = node.child_by_field_name("type");
    let body = named.and_then(|named| named.child_by_field_name("body"));
    let nameless =
        named.filter(|named| body.is_some() && named.child_by_field_name("name").is_none());
    let kind = nameless.map_or(SymbolKind::Type, kind_of_aggregate);
    for_each_declarator(node, reader, |declarator, node, reader| {
        let name = reader.text(declared(declarator)?.name);
        Some(reader.declare(&Declaration { name, kind, node, body: None, exported }))
    });
}

/// A struct, union or enum that has both a name and a body.
pub(super) fn aggregate(node: Node<'_>, exported: bool, reader: &mut Reader<'_>) -> Option<u32> {
    let body = node.child_by_field_name("body")?;
    let name = reader.text(node.child_by_field_name("name")?);
    let kind = kind_of_aggregate(node);
    // In `typedef struct a {…} b;` the names stand beside each other.
    let beside =
        reader.scope().map(|scope| &reader.facts.symbols[scope as usize]).and_then(|scope| {
            (scope.kind == SymbolKind::Type && scope.signature.starts_with("typedef"))
                .then_some(scope.parent)
        });
    let symbol = reader.declare(&Declaration { name, kind, node, body: Some(body), exported });
    if let Some(parent) = beside {
        reader.facts.symbols[symbol as usize].parent = parent;
    }
    Some(symbol)
}

pub(super) fn kind_of_aggregate(node: Node<'_>) -> SymbolKind {
    match node.kind() {
        "struct_specifier" => SymbolKind::Struct,
        "class_specifier" => SymbolKind::Class,
        "enum_specifier" => SymbolKind::Enum,
        _ => SymbolKind::Type,
    }
}

pub(super) fn enumerator(node: Node<'_>, exported: bool, reader: &mut Reader<'_>) {
    let name = reader.field(node, "name");
    reader.declare(&Declaration { name, kind: SymbolKind::Constant, node, body: None, exported });
}

fn define(node: Node<'_>, reader: &mut Reader<'_>) {
    let Some(name) = node.child_by_field_name("name") else { return };
    // After a mistake, the parser may take a word of the next lines for the name.
    if name.start_position().row != node.start_position().row {
        return;
    }
    let name = reader.text(name);
    let value = node.child_by_field_name("value");
    let kind = match (node.kind(), value) {
        ("preproc_function_def", _) => SymbolKind::Macro,
        (_, Some(_)) => SymbolKind::Constant,
        (_, None) => return,
    };
    let symbol = reader.declare(&Declaration { name, kind, node, body: None, exported: true });
    // The text of a macro may be long; that of a constant is what it is.
    if let Some(parameters) = node.child_by_field_name("parameters") {
        let head = reader.text.get(node.start_byte()..parameters.end_byte()).unwrap_or_default();
        reader.facts.symbols[symbol as usize].signature = one_line(head).into();
    }
}

fn include(node: Node<'_>, reader: &mut Reader<'_>) {
    let Some(path) = node.child_by_field_name("path") else { return };
    let kind = match path.kind() {
        "string_literal" => ImportKind::Include,
        "system_lib_string" => ImportKind::SystemInclude,
        _ => return,
    };
    let specifier = reader.text(path).trim_matches(['"', '<', '>']).into();
    reader.import(Import { specifier, kind, names: Vec::new(), line: line_of(node), uses: 0 });
}

fn call(node: Node<'_>, reader: &mut Reader<'_>) {
    let Some(function) = node.child_by_field_name("function") else { return };
    let (qualifier, name) = match function.kind() {
        "identifier" => ("", reader.text(function)),
        "field_expression" => (reader.field(function, "argument"), reader.field(function, "field")),
        _ => return,
    };
    reader.reference(ReferenceKind::Call, qualifier, name, node);
}

/// What a declarator declares.
pub(super) struct Declared<'n> {
    pub(super) name: Node<'n>,
    pub(super) what: What,
}

#[derive(Clone, Copy, PartialEq)]
pub(super) enum What {
    Function,
    /// It points to something; what is `const` about it is said of that.
    Pointer,
    Value,
}

/// Finds the name inside stars, brackets and parameters: `f` of `(*f(int))[3]`.
pub(super) fn declared(declarator: Node<'_>) -> Option<Declared<'_>> {
    let mut node = declarator;
    let mut what = What::Value;
    loop {
        match node.kind() {
            "function_declarator" => what = What::Function,
            "pointer_declarator" => what = What::Pointer,
            "operator_cast" => return Some(Declared { name: node, what: What::Function }),
            "init_declarator"
            | "array_declarator"
            | "parenthesized_declarator"
            | "attributed_declarator"
            | "reference_declarator"
            | "variadic_declarator" => {}
            "identifier"
            | "field_identifier"
            | "type_identifier"
            | "primitive_type"
            | "operator_name"
            | "destructor_name"
            | "qualified_identifier"
            | "template_function" => {
                return Some(Declared { name: node, what });
            }
            _ => return None,
        }
        node = node.child_by_field_name("declarator").or_else(|| {
            let last = u32::try_from(node.named_child_count()).ok()?.checked_sub(1)?;
            node.named_child(if node.kind() == "attributed_declarator" { 0 } else { last })
        })?;
    }
}

#[derive(Clone, Copy, Default)]
pub(super) struct Specifiers {
    pub(super) is_static: bool,
    pub(super) is_const: bool,
}

/// The words before a declaration's type.
pub(super) fn specifiers(node: Node<'_>, reader: &Reader<'_>) -> Specifiers {
    let mut specifiers = Specifiers::default();
    let mut cursor = node.walk();
    for child in node.children(&mut cursor) {
        match child.kind() {
            "storage_class_specifier" => specifiers.is_static |= reader.text(child) == "static",
            "type_qualifier" => {
                specifiers.is_const |=
                    matches!(reader.text(child), "const" | "constexpr" | "constinit");
            }
            _ => {}
        }
    }
    specifiers
}

/// Where macros hide braces, statements look like declarations to the grammar, or names are missing.
pub(super) fn is_keyword(name: &str) -> bool {
    matches!(
        name,
        "" | "if"
            | "else"
            | "for"
            | "while"
            | "do"
            | "switch"
            | "case"
            | "return"
            | "sizeof"
            | "defined"
    )
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};

    use super::*;
    use crate::languages::shown;

    #[track_caller]
    fn check(text: &str, expected: &Expect) {
        expected.assert_eq(&shown(Language::C, text));
    }

    #[test]
    fn ix2_functions_and_references() {
        check(
            r#"#include <stdio.h>
#include "util/list.h"
#include CONFIG_HEADER

/* Adds two numbers.
 * Never overflows. */
int add(int a, int b);
extern int a1(void), *b1(int);
__attribute__((format(printf, 1, 2))) void die(const char *fmt, ...);

static inline char *copy(const char *s)
{
	int local = 3;
	int inner(int);
	if (s && local || !s)
		return strdup(s);
	for (;;) { list->ops.run(1); (*hook)(3); }
	switch (local) { case 1: break; case 2: default: ; }
	do { local = s ? 1 : 2; } while (local);
	return copy(s);
}
int **two(void) { return 0; }
int (*get_handler(int x))(char) { return 0; }
int old(a, b) int a; char b; { return a; }
void test_old(void) { old(1, 2); }
int main(int argc, char **argv) { return add(argc, 1); }
"#,
            &expect![[r#"
                +function add 7..7 `int add(int a, int b)` doc "Adds two numbers.\nNever overflows."
                +function a1 8..8 `extern int a1(void)`
                +function b1 8..8 `extern int *b1(int)`
                +function die 9..9 `__attribute__((format(printf, 1, 2))) void die(const char *fmt, ...)`
                -function copy 11..21 `static inline char *copy(const char *s)` complexity 9
                +function two 22..22 `int **two(void)`
                +function get_handler 23..23 `int (*get_handler(int x))(char)`
                +function old 24..24 `int old(a, b) int a; char b`
                +function test_old 25..25 `void test_old(void)`
                +function main 26..26 `int main(int argc, char **argv)`
                import SystemInclude `stdio.h` [] uses 0
                import Include `util/list.h` [] uses 0
                Call strdup from copy
                Call list->ops . run from copy
                Call copy from copy
                Call old from test_old
                Call add from main
                mark main
                mark tests
            "#]],
        );
    }

    #[test]
    fn ix2_types_values_and_macros() {
        check(
            r#"#ifndef A_H
#define A_H
#define MAX 10 /* items */
/// Squares.
#define SQ(x) \
	((x) * (x))
typedef struct point { int x, y; struct in { int q; } in; } point_t, *point_p;
typedef struct { int x; } plain;
typedef int (*callback)(int, char *);
typedef unsigned char uint8_t;
union u { int a; struct part { int b; } part; };
enum color { RED, GREEN = 2, };
typedef enum { ON, OFF } state;
enum { ANON };
struct fwd;
extern int ext_var;
static int counter = 0, *other, arr[3];
int (*handler)(int);
static const char *names[] = {
	"a", "b"
};
const int limit = 3;
void f(void) { struct local_s { int a; }; extern int x; typedef int t; }
#endif
"#,
            &expect![[r#"
                +constant MAX 3..3 `#define MAX 10`
                +macro SQ 5..6 `#define SQ(x)` doc "Squares."
                +type point_t 7..7 `typedef struct point {…} point_t`
                +type point_p 7..7 `typedef struct point {…} *point_p`
                +struct point 7..7 `struct point`
                +struct in in point 7..7 `struct in`
                +struct plain 8..8 `typedef struct {…} plain`
                +type callback 9..9 `typedef int (*callback)(int, char *)`
                +type uint8_t 10..10 `typedef unsigned char uint8_t`
                +type u 11..11 `union u`
                +struct part in u 11..11 `struct part`
                +enum color 12..12 `enum color`
                +constant RED in color 12..12 `RED`
                +constant GREEN in color 12..12 `GREEN = 2`
                +enum state 13..13 `typedef enum {…} state`
                +constant ON in state 13..13 `ON`
                +constant OFF in state 13..13 `OFF`
                +constant ANON 14..14 `ANON`
                +variable ext_var 16..16 `extern int ext_var`
                -variable counter 17..17 `static int counter = 0`
                -variable other 17..17 `static int *other`
                -variable arr 17..17 `static int arr[3]`
                +variable handler 18..18 `int (*handler)(int)`
                -variable names 19..21 `static const char *names[]`
                +constant limit 22..22 `const int limit = 3`
                +function f 23..23 `void f(void)`
                -struct local_s in f 23..23 `struct local_s`
                -type t in f 23..23 `typedef int t`
            "#]],
        );
    }

    #[test]
    fn ix2_broken_code_gives_what_it_can() {
        check(
            "int good(void) { return 1; }\nint broken( {\n\nstatic int also(int x)\n{\n\treturn x;\n}\n#if X\n} else {\n#endif\nint last(void);\n",
            &expect![[r#"
                +function good 1..1 `int good(void)`
                -function also 4..7 `static int also(int x)`
                +function last 11..11 `int last(void)`
                syntax errors 2
            "#]],
        );
    }
}
