//! Rust.
//!
//! The methods of an `impl` belong to its type where the file declared that before, else to nothing. Macro calls are not
//! expanded: what looks like a call among their tokens is taken as one. What imports look like is said in `paths`.

mod paths;

use std::cell::Cell;
use std::sync::LazyLock;

use tree_sitter::Node;

use self::paths::{Tokens, extern_crate, module_file, qualified_path, tokens, use_declaration};
use crate::facts::{Facts, ReferenceKind, SymbolKind};
use crate::language::Language;
use crate::tree::{Below, Declaration, Grammar, Reader};

#[derive(Clone, Copy, Default, PartialEq)]
enum Kind {
    #[default]
    Other,
    Function,
    Item(SymbolKind),
    Impl,
    Mod,
    Use,
    ExternCrate,
    Attribute,
    Meta,
    Comment,
    Call,
    MacroCall,
    Struct,
    Path,
    Tokens,
    Arm,
    Decision,
    Name,
}

static GRAMMAR: LazyLock<Grammar<Kind>> = LazyLock::new(|| {
    Grammar::new(
        tree_sitter_rust::LANGUAGE,
        &[
            ("function_item", Kind::Function),
            ("function_signature_item", Kind::Function),
            ("struct_item", Kind::Item(SymbolKind::Struct)),
            ("union_item", Kind::Item(SymbolKind::Struct)),
            ("enum_item", Kind::Item(SymbolKind::Enum)),
            ("trait_item", Kind::Item(SymbolKind::Trait)),
            ("type_item", Kind::Item(SymbolKind::Type)),
            ("associated_type", Kind::Item(SymbolKind::Type)),
            ("const_item", Kind::Item(SymbolKind::Constant)),
            ("static_item", Kind::Item(SymbolKind::Variable)),
            ("macro_definition", Kind::Item(SymbolKind::Macro)),
            ("impl_item", Kind::Impl),
            ("mod_item", Kind::Mod),
            ("use_declaration", Kind::Use),
            ("extern_crate_declaration", Kind::ExternCrate),
            ("attribute_item", Kind::Attribute),
            ("attribute", Kind::Meta),
            ("line_comment", Kind::Comment),
            ("block_comment", Kind::Comment),
            ("call_expression", Kind::Call),
            ("macro_invocation", Kind::MacroCall),
            ("struct_expression", Kind::Struct),
            ("scoped_identifier", Kind::Path),
            ("scoped_type_identifier", Kind::Path),
            ("token_tree", Kind::Tokens),
            ("match_arm", Kind::Arm),
            ("if_expression", Kind::Decision),
            ("while_expression", Kind::Decision),
            ("for_expression", Kind::Decision),
            ("&&", Kind::Decision),
            ("||", Kind::Decision),
            ("identifier", Kind::Name),
            ("type_identifier", Kind::Name),
        ],
    )
});

/// Macros of the standard library, and constructors of its prelude. A call of them says nothing about the project.
const EVERYWHERE: &[&str] = &[
    "Err",
    "Ok",
    "Some",
    "assert",
    "assert_eq",
    "assert_ne",
    "concat",
    "dbg",
    "debug_assert",
    "debug_assert_eq",
    "debug_assert_ne",
    "env",
    "eprint",
    "eprintln",
    "format",
    "include_str",
    "matches",
    "panic",
    "print",
    "println",
    "stringify",
    "todo",
    "unimplemented",
    "unreachable",
    "vec",
    "write",
    "writeln",
];

pub(super) fn extract(_language: Language, text: &str) -> Facts {
    // Where the attribute ends that the walk is in.
    let meta_until = Cell::new(0);
    GRAMMAR.read(text, |kind, node, reader| visit(kind, node, reader, &meta_until))
}

fn visit(kind: Kind, node: Node<'_>, reader: &mut Reader<'_>, meta_until: &Cell<usize>) -> Below {
    match kind {
        Kind::Other => {}
        Kind::Function => function(node, reader),
        Kind::Item(kind) => item(kind, node, reader),
        Kind::Impl => implementation(node, reader),
        Kind::Mod => return module(node, reader),
        Kind::Use => {
            use_declaration(node, reader);
            return Below::Skip;
        }
        Kind::ExternCrate => {
            extern_crate(node, reader);
            return Below::Skip;
        }
        Kind::Attribute => attribute(node, reader),
        Kind::Meta => {
            if !takes_expressions(node, reader) {
                meta_until.set(node.end_byte());
            }
        }
        Kind::Comment => comment(node, reader),
        Kind::Call => call(node, reader),
        Kind::MacroCall => {
            if let Some(name) = node.child_by_field_name("macro") {
                path_reference(ReferenceKind::Call, name, reader);
            }
        }
        Kind::Struct => {
            if let Some(name) = node.child_by_field_name("name") {
                path_reference(ReferenceKind::New, name, reader);
            }
        }
        Kind::Path => return qualified_path(node, reader),
        Kind::Tokens if node.start_byte() < meta_until.get() => tokens(Tokens::Meta, node, reader),
        Kind::Tokens => tokens(Tokens::Code, node, reader),
        Kind::Arm => {
            if reader.field(node, "pattern") != "_" {
                reader.decision();
            }
        }
        Kind::Decision => reader.decision(),
        Kind::Name => reader.name(node),
    }
    Below::Walk
}

fn function(node: Node<'_>, reader: &mut Reader<'_>) {
    let name = reader.field(node, "name");
    if name.is_empty() {
        return;
    }
    let method = reader.around(0) == "declaration_list"
        && matches!(reader.around(1), "impl_item" | "trait_item");
    if name == "main" && reader.scope().is_none() && !method {
        reader.facts.marks.main = true;
    }
    let kind = if method { SymbolKind::Method } else { SymbolKind::Function };
    let body = node.child_by_field_name("body");
    let exported = is_exported(node, reader);
    reader.declare(&Declaration { name, kind, node, body, exported });
}

fn item(kind: SymbolKind, node: Node<'_>, reader: &mut Reader<'_>) {
    let name = reader.field(node, "name");
    // `const _: () = …;` checks something and names nothing.
    if matches!(name, "" | "_") {
        return;
    }
    let exported = match kind {
        SymbolKind::Macro => reader.attributes_before(node).contains("macro_export"),
        _ => is_exported(node, reader),
    };
    let body = match kind {
        SymbolKind::Macro => {
            node.children(&mut node.walk()).find(|child| matches!(child.kind(), "(" | "[" | "{"))
        }
        SymbolKind::Constant | SymbolKind::Variable => node.child_by_field_name("value"),
        _ => node.child_by_field_name("body"),
    };
    reader.declare(&Declaration { name, kind, node, body, exported });
    if kind == SymbolKind::Trait
        && let Some(bounds) = node.child_by_field_name("bounds")
    {
        for bound in bounds.named_children(&mut bounds.walk()) {
            path_reference(ReferenceKind::Inherit, bound, reader);
        }
    }
}

fn implementation(node: Node<'_>, reader: &mut Reader<'_>) {
    let owner = node.child_by_field_name("type").map_or("", |owner| base_name(owner, reader));
    if let Some(owner) = reader.declared_type(owner) {
        reader.enter(owner);
    }
    if let Some(implemented) = node.child_by_field_name("trait") {
        path_reference(ReferenceKind::Inherit, implemented, reader);
        reader.holds_until = node.end_byte();
    }
}

/// `mod x { … }` is a symbol, `mod x;` an import.
fn module(node: Node<'_>, reader: &mut Reader<'_>) -> Below {
    let body = node.child_by_field_name("body");
    if body.is_none() {
        module_file(node, reader);
        return Below::Skip;
    }
    let name = reader.field(node, "name");
    let exported = is_exported(node, reader);
    reader.declare(&Declaration { name, kind: SymbolKind::Module, node, body, exported });
    Below::Walk
}

/// What a trait demands or an `impl` of a trait gives can be named through the trait.
fn is_exported(node: Node<'_>, reader: &Reader<'_>) -> bool {
    if reader.in_function() {
        return false;
    }
    if reader.around(0) == "declaration_list" {
        match reader.around(1) {
            "trait_item" => return reader.scopes().last().is_some_and(|scope| scope.exported),
            "impl_item" if node.start_byte() < reader.holds_until => return true,
            _ => {}
        }
    }
    let visibility =
        node.children(&mut node.walk()).find(|child| child.kind() == "visibility_modifier");
    visibility.is_some_and(|visibility| reader.text(visibility) != "pub(self)")
}

fn attribute(node: Node<'_>, reader: &mut Reader<'_>) {
    reader.attribute(node);
    let name = node
        .named_child(0)
        .and_then(|attribute| attribute.named_child(0))
        .map_or("", |name| reader.text(name));
    let name = name.rsplit("::").next().unwrap_or_default();
    if matches!(name, "test" | "rstest" | "test_case" | "quickcheck") || name.ends_with("_test") {
        reader.facts.marks.tests = true;
    }
}

/// `#[case(f(1))]`: the parameters of a test are code.
fn takes_expressions(attribute: Node<'_>, reader: &Reader<'_>) -> bool {
    let name = attribute.named_child(0).map_or("", |name| reader.text(name));
    let name = name.rsplit("::").next().unwrap_or_default();
    matches!(name, "case" | "test_case" | "values")
}

fn comment(node: Node<'_>, reader: &mut Reader<'_>) {
    // `//!` speaks of the module around it, not of what follows.
    if node.child_by_field_name("inner").is_none() {
        reader.comment(node, node.child_by_field_name("outer").is_some());
    }
}

fn call(node: Node<'_>, reader: &mut Reader<'_>) {
    let Some(function) = node.child_by_field_name("function") else { return };
    let function = match function.kind() {
        "generic_function" => function.child_by_field_name("function").unwrap_or(function),
        _ => function,
    };
    if function.kind() == "field_expression" {
        let qualifier = reader.field(function, "value");
        let name = reader.field(function, "field");
        reader.reference(ReferenceKind::Call, qualifier, name, node);
    } else {
        path_reference(ReferenceKind::Call, function, reader);
    }
}

/// `a::b`, `b` and `a::<T>::b` as a reference; nothing for what is not a path.
fn path_reference(kind: ReferenceKind, path: Node<'_>, reader: &mut Reader<'_>) {
    let path = match path.kind() {
        "generic_type" | "generic_type_with_turbofish" => {
            path.child_by_field_name("type").unwrap_or(path)
        }
        _ => path,
    };
    match path.kind() {
        "identifier" | "type_identifier" => {
            let name = reader.text(path);
            if !EVERYWHERE.contains(&name) {
                reader.reference(kind, "", name, path);
            }
        }
        "scoped_identifier" | "scoped_type_identifier" => {
            let qualifier =
                path.child_by_field_name("path").map_or("", |before| match before.kind() {
                    "generic_type" => reader.field(before, "type"),
                    _ => reader.text(before),
                });
            reader.reference(kind, qualifier, reader.field(path, "name"), path);
        }
        _ => {}
    }
}

/// `Foo` of `&a::Foo<T>`.
fn base_name<'t>(mut node: Node<'_>, reader: &Reader<'t>) -> &'t str {
    loop {
        let inner = match node.kind() {
            "generic_type" | "reference_type" => node.child_by_field_name("type"),
            "scoped_type_identifier" => node.child_by_field_name("name"),
            "type_identifier" => return reader.text(node),
            _ => return "",
        };
        let Some(inner) = inner else { return "" };
        node = inner;
    }
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};

    use super::*;
    use crate::languages::shown;

    #[track_caller]
    fn check(text: &str, expected: &Expect) {
        expected.assert_eq(&shown(Language::Rust, text));
    }

    const SAMPLE: &str = r#"//! About the module.
// A licence.

/// Keeps things.
///
/// In a row.
#[derive(Debug, Clone)]
pub struct Store<T> {
    items: Vec<T>, // not a doc
}

/** Many. */
pub(crate) enum Shape { Round, Flat(u8) }
union Bits { a: u8 }
pub type Result<T> = std::result::Result<T, Error>;
const LIMIT: usize = 3;
const _: () = assert!(LIMIT > 2);
pub static mut COUNT: u32 = 0;

pub trait Named: Debug + fmt::Display {
    const ID: u32;
    type Out;
    fn name(&self) -> String;
    fn twice(&self) -> String { self.name() }
}

impl<T: Named> Store<T> {
    pub fn new() -> Self { Store { items: Vec::<T>::new() } }
    fn pick(&self, n: Option<u8>) -> u8 {
        match n {
            Some(a) if a > 2 && self.ok(a) => a,
            None => 1,
            _ => loop { if let Some(x) = self.items.first() { break 2; } },
        }
    }
}

impl<T> Named for Store<T> {
    const ID: u32 = 1;
    type Out = u8;
    fn name(&self) -> String { fn local() {} local(); String::new() }
}

impl other::Named for Foreign {
    fn name(&self) {}
}
impl Foreign {
    fn hidden() {}
}

mod inner {
    pub fn deep() {}
}

extern "C" {
    fn strlen(text: *const u8) -> usize;
}

#[macro_export]
macro_rules! square { ($x:expr) => { $crate::multiply($x, $x) }; }
macro_rules! hidden { () => {} }

fn main() {
    println!("{}", helper(1).trim(other::go(2)));
    square!(3);
    crate::tools::run::<u8>();
}

#[cfg(test)]
mod tests {
    #[tokio::test]
    // Why.
    async fn works() {}
}
"#;

    #[test]
    fn ix2_symbols() {
        check(
            SAMPLE,
            &expect![[r#"
                +struct Store 8..10 `pub struct Store<T>` doc "Keeps things.\n\nIn a row."
                +enum Shape 13..13 `pub(crate) enum Shape` doc "Many."
                -struct Bits 14..14 `union Bits`
                +type Result 15..15 `pub type Result<T> = std::result::Result<T, Error>`
                -constant LIMIT 16..16 `const LIMIT: usize`
                +variable COUNT 18..18 `pub static mut COUNT: u32`
                +trait Named 20..25 `pub trait Named: Debug + fmt::Display`
                +constant ID in Named 21..21 `const ID: u32`
                +type Out in Named 22..22 `type Out`
                +method name in Named 23..23 `fn name(&self) -> String`
                +method twice in Named 24..24 `fn twice(&self) -> String`
                +method new in Store 28..28 `pub fn new() -> Self`
                -method pick in Store 29..35 `fn pick(&self, n: Option<u8>) -> u8` complexity 5
                +constant ID in Store 39..39 `const ID: u32`
                +type Out in Store 40..40 `type Out = u8`
                +method name in Store 41..41 `fn name(&self) -> String`
                -function local in name 41..41 `fn local()`
                +method name 45..45 `fn name(&self)`
                -method hidden 48..48 `fn hidden()`
                -module inner 51..53 `mod inner`
                +function deep in inner 52..52 `pub fn deep()`
                -function strlen 56..56 `fn strlen(text: *const u8) -> usize`
                +macro square 60..60 `macro_rules! square`
                -macro hidden 61..61 `macro_rules! hidden`
                -function main 63..67 `fn main()`
                -module tests 70..74 `mod tests`
                -function works in tests 73..73 `async fn works()` doc "Why."
                import Static `crate::tools` [run as ] uses 1
                Inherit Debug from Named
                Inherit fmt . Display from Named
                Call self . name from twice
                New Store from new
                Call Vec . new from new
                Call self . ok from pick
                Call self.items . first from pick
                Inherit Named from Store
                Call local from name
                Call String . new from name
                Inherit other . Named from top
                Call $crate . multiply from square
                Call helper from main
                Call ? . trim from main
                Call other . go from main
                Call square from main
                Call crate::tools . run from main
                mark main
                mark tests
            "#]],
        );
    }

    #[test]
    fn ix2_a_list_in_an_attribute_is_no_call() {
        check(
            "#![cfg_attr(not(test), deny(missing_docs))]\n#[cfg(all(not(windows), feature = \"a\"))]\n#[derive(Debug, crate::a::Derive)]\n#[arg(value_parser = parse(1), long)]\nstruct S;\n#[case(made(1))]\nfn f() { m!(not(1)); }\n",
            &expect![[r#"
                -struct S 5..5 `struct S`
                -function f 7..7 `fn f()`
                import Static `crate::a` [Derive as ] uses 1
                Call parse from top
                Call made from top
                Call m from f
                Call not from f
            "#]],
        );
    }

    #[test]
    fn ix2_broken_code_gives_what_it_can() {
        check(
            "fn good() {}\n\nimpl Foo { fn (x) }\n\nstruct ;\nuse a::{b, ;\n\npub fn also() { if }\n",
            &expect![[r#"
                -function good 1..1 `fn good()`
                +function also 8..8 `pub fn also()`
                import Static `a` [b] uses 0
                syntax errors 3
            "#]],
        );
    }
}
