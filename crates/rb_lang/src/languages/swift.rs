//! Swift.
//!
//! Specifiers are modules; `import class UIKit.UIView` is the name `UIView` of `UIKit`. The files of a module see each
//! other without imports, so types that are mentioned are references. What an extension adds belongs to the type, where
//! the file holds it; else the extension is a module that is named as the type. Stored properties of types are left out,
//! computed ones are methods.

use std::sync::LazyLock;

use tree_sitter::Node;

use crate::facts::{Facts, ReferenceKind, SymbolKind};
use crate::language::Language;
use crate::tree::{Below, Declaration, Grammar, Reader, with_line_end};

#[derive(Clone, Copy, Default, PartialEq)]
enum Kind {
    #[default]
    Other,
    Import,
    Type,
    Alias,
    Base,
    Function,
    Special,
    Property,
    Cases,
    Call,
    Navigation,
    Mention,
    Attribute,
    Decision,
    SwitchCase,
    Comment,
}

static GRAMMAR: LazyLock<Grammar<Kind>> = LazyLock::new(|| {
    Grammar::new(
        tree_sitter_swift::LANGUAGE,
        &[
            ("import_declaration", Kind::Import),
            ("class_declaration", Kind::Type),
            ("protocol_declaration", Kind::Type),
            ("typealias_declaration", Kind::Alias),
            ("associatedtype_declaration", Kind::Alias),
            ("inheritance_specifier", Kind::Base),
            ("function_declaration", Kind::Function),
            ("protocol_function_declaration", Kind::Function),
            ("init_declaration", Kind::Special),
            ("deinit_declaration", Kind::Special),
            ("subscript_declaration", Kind::Special),
            ("property_declaration", Kind::Property),
            ("enum_entry", Kind::Cases),
            ("call_expression", Kind::Call),
            ("navigation_expression", Kind::Navigation),
            ("user_type", Kind::Mention),
            ("attribute", Kind::Attribute),
            ("if_statement", Kind::Decision),
            ("guard_statement", Kind::Decision),
            ("for_statement", Kind::Decision),
            ("while_statement", Kind::Decision),
            ("repeat_while_statement", Kind::Decision),
            ("catch_block", Kind::Decision),
            ("ternary_expression", Kind::Decision),
            ("conjunction_expression", Kind::Decision),
            ("disjunction_expression", Kind::Decision),
            ("nil_coalescing_expression", Kind::Decision),
            ("switch_entry", Kind::SwitchCase),
            ("comment", Kind::Comment),
            ("multiline_comment", Kind::Comment),
        ],
    )
    .with_last_line_end()
});

pub(super) fn extract(_language: Language, text: &str) -> Facts {
    let mut facts = with_line_end(text, |text| GRAMMAR.read(text, visit));
    facts.marks.main |= text.starts_with("#!");
    facts
}

fn visit(kind: Kind, node: Node<'_>, reader: &mut Reader<'_>) -> Below {
    match kind {
        Kind::Other => {}
        Kind::Import => {
            import(node, reader);
            return Below::Skip;
        }
        Kind::Type => type_declaration(node, reader),
        Kind::Alias => {
            let (name, kind) = (reader.field(node, "name"), SymbolKind::Type);
            let exported = is_exported(node, reader);
            reader.declare(&Declaration { name, kind, node, body: None, exported });
        }
        Kind::Base => {
            if let Some(base) = node.child_by_field_name("inherits_from") {
                mention(ReferenceKind::Inherit, base, reader);
            }
            return Below::Skip;
        }
        Kind::Function => function(node, reader),
        Kind::Special => special(node, reader),
        Kind::Property => property(node, reader),
        Kind::Cases => cases(node, reader),
        Kind::Call => call(node, reader),
        Kind::Navigation => navigation(node, reader),
        Kind::Mention => mention(ReferenceKind::Type, node, reader),
        Kind::Attribute => {
            attribute(node, reader);
            return Below::Skip;
        }
        Kind::Decision => reader.decision(),
        Kind::SwitchCase => {
            if node.named_child(0).is_none_or(|first| first.kind() != "default_keyword") {
                reader.decision();
            }
        }
        Kind::Comment => {
            let text = reader.text(node);
            reader.comment(node, text.starts_with("///") || text.starts_with("/**"));
        }
    }
    Below::Walk
}

fn import(node: Node<'_>, reader: &mut Reader<'_>) {
    let mut cursor = node.walk();
    let Some(path) = node.named_children(&mut cursor).find(|child| child.kind() == "identifier")
    else {
        return;
    };
    let path = reader.text(path);
    let mut cursor = node.walk();
    let names_one = node.children(&mut cursor).any(|child| {
        matches!(
            child.kind(),
            "class" | "struct" | "enum" | "protocol" | "func" | "var" | "let" | "typealias"
        )
    });
    let (specifier, name, local) = match path.rsplit_once('.') {
        Some((module, name)) if names_one => (module, name, name),
        _ => (path, "*", ""),
    };
    reader.import_name(specifier, name, local, node);
}

fn type_declaration(node: Node<'_>, reader: &mut Reader<'_>) {
    let name = reader.field(node, "name");
    let kind = match reader.field(node, "declaration_kind") {
        "struct" => SymbolKind::Struct,
        "enum" => SymbolKind::Enum,
        "extension" => SymbolKind::Module,
        _ if node.kind() == "protocol_declaration" => SymbolKind::Interface,
        _ => SymbolKind::Class,
    };
    let body = node.child_by_field_name("body");
    let exported = is_exported(node, reader);
    let extended = reader.declared_type(name).filter(|_| kind == SymbolKind::Module && exported);
    match extended {
        Some(extended) => reader.enter(extended),
        None => {
            reader.declare(&Declaration { name, kind, node, body, exported });
        }
    }
}

/// What has no name of its own.
fn special(node: Node<'_>, reader: &mut Reader<'_>) {
    let name = match node.kind() {
        "init_declaration" => "init",
        "deinit_declaration" => "deinit",
        _ => "subscript",
    };
    let mut cursor = node.walk();
    let computed =
        node.named_children(&mut cursor).find(|child| child.kind() == "computed_property");
    let body = node.child_by_field_name("body").or(computed);
    let exported = is_exported(node, reader);
    reader.declare(&Declaration { name, kind: SymbolKind::Method, node, body, exported });
}

fn function(node: Node<'_>, reader: &mut Reader<'_>) {
    // The field `name` is that of the result, too; what follows `func` may be an operator.
    let mut cursor = node.walk();
    let mut after = node.children(&mut cursor).skip_while(|child| child.kind() != "func").skip(1);
    let name = after.next().map_or("", |name| reader.text(name));
    let in_type = is_type(reader.scope_kind());
    let in_test_case = reader
        .scope()
        .is_some_and(|scope| reader.facts.symbols[scope as usize].signature.contains("XCTestCase"));
    reader.facts.marks.tests |= in_test_case && name.starts_with("test");
    let body = node.child_by_field_name("body");
    let exported = is_exported(node, reader);
    let kind = if in_type { SymbolKind::Method } else { SymbolKind::Function };
    reader.declare(&Declaration { name, kind, node, body, exported });
}

/// Values at the top of a file, constants of a type, and computed properties.
fn property(node: Node<'_>, reader: &mut Reader<'_>) {
    let Some(in_type) = owner(reader) else { return };
    let mut cursor = node.walk();
    let (mut is_let, mut is_static) = (false, false);
    for child in node.named_children(&mut cursor) {
        match child.kind() {
            "value_binding_pattern" => is_let |= reader.text(child).starts_with("let"),
            "modifiers" => {
                is_static |= reader.text(child).split_whitespace().any(|word| word == "static");
            }
            _ => {}
        }
    }
    let computed = node.child_by_field_name("computed_value");
    let kind = match (in_type, computed) {
        (true, Some(_)) => SymbolKind::Method,
        (false, Some(_)) => SymbolKind::Function,
        (false, None) if !is_let => SymbolKind::Variable,
        (_, None) if is_let && (is_static || !in_type) => SymbolKind::Constant,
        _ => return,
    };
    let exported = is_exported(node, reader);
    let word = if is_let { "let" } else { "var" };
    declare_names(word, node, (kind, computed), exported, reader);
}

/// Is the current node in a type, or at the top of the file? `None` inside functions and closures.
fn owner(reader: &Reader<'_>) -> Option<bool> {
    match reader.scope_kind() {
        None => Some(false),
        kind if is_type(kind) => Some(true),
        _ => None,
    }
}

fn cases(node: Node<'_>, reader: &mut Reader<'_>) {
    let exported = is_exported(node, reader);
    declare_names("case", node, (SymbolKind::Constant, None), exported, reader);
}

/// One symbol for each name; of several, each is its own node, lest they be nested in the first.
fn declare_names(
    word: &str,
    node: Node<'_>,
    (kind, body): (SymbolKind, Option<Node<'_>>),
    exported: bool,
    reader: &mut Reader<'_>,
) {
    let parent = reader.scope();
    let mut cursor = node.walk();
    let mut names = node
        .children_by_field_name("name", &mut cursor)
        .filter(|name| matches!(name.kind(), "pattern" | "simple_identifier"))
        .peekable();
    let mut alone = true;
    while let Some(name) = names.next() {
        alone &= names.peek().is_none();
        // Patterns that take a tuple apart name several things; they are rare at the top of a file.
        let bound = name.child_by_field_name("bound_identifier").unwrap_or(name);
        let symbol = reader.declare(&Declaration {
            name: reader.text(bound),
            kind,
            node: if alone { node } else { name },
            body,
            exported,
        });
        let symbol = &mut reader.facts.symbols[symbol as usize];
        symbol.parent = parent;
        if !alone {
            symbol.signature = format!("{word} {}", symbol.name).into();
        }
    }
}

/// Neither it nor what it stands in is private.
fn is_exported(node: Node<'_>, reader: &Reader<'_>) -> bool {
    let parent = reader.scope().map(|scope| &reader.facts.symbols[scope as usize]);
    if parent.is_some_and(|parent| !parent.exported) || reader.in_function() {
        return false;
    }
    let mut cursor = node.walk();
    let modifiers = node.named_children(&mut cursor).find(|child| child.kind() == "modifiers");
    !modifiers.is_some_and(|modifiers| {
        reader
            .text(modifiers)
            .split_whitespace()
            .any(|word| matches!(word, "private" | "fileprivate"))
    })
}

fn is_type(kind: Option<SymbolKind>) -> bool {
    matches!(
        kind,
        Some(
            SymbolKind::Class
                | SymbolKind::Struct
                | SymbolKind::Enum
                | SymbolKind::Interface
                | SymbolKind::Module
        )
    )
}

fn call(node: Node<'_>, reader: &mut Reader<'_>) {
    let Some(function) = node.named_child(0) else { return };
    match function.kind() {
        "simple_identifier" => {
            let name = reader.text(function);
            let kind = if is_capitalized(name) { ReferenceKind::New } else { ReferenceKind::Call };
            reader.reference(kind, "", name, node);
        }
        "navigation_expression" => {
            let Some(suffix) = function.child_by_field_name("suffix") else { return };
            let qualifier = reader.field(function, "target");
            reader.reference(ReferenceKind::Call, qualifier, reader.field(suffix, "suffix"), node);
        }
        _ => {}
    }
}

/// `Color` of `Color.red`.
fn navigation(node: Node<'_>, reader: &mut Reader<'_>) {
    let Some(target) = node.child_by_field_name("target") else { return };
    let name = reader.text(target);
    if target.kind() == "simple_identifier" && is_capitalized(name) {
        reader.name(target);
        reader.reference(ReferenceKind::Type, "", name, node);
    }
}

/// A type by its name: the last part of `A.B<C>`.
fn mention(kind: ReferenceKind, node: Node<'_>, reader: &mut Reader<'_>) {
    let mut cursor = node.walk();
    let Some(last) =
        node.named_children(&mut cursor).filter(|part| part.kind() == "type_identifier").last()
    else {
        return;
    };
    reader.name(last);
    let before = reader.text.get(node.start_byte()..last.start_byte()).unwrap_or_default();
    reader.reference(kind, before.trim_end_matches('.'), reader.text(last), node);
}

fn attribute(node: Node<'_>, reader: &mut Reader<'_>) {
    match reader.text(node) {
        "@main" | "@UIApplicationMain" | "@NSApplicationMain" => reader.facts.marks.main = true,
        text => reader.facts.marks.tests |= text == "@Test" || text.starts_with("@Test("),
    }
}

fn is_capitalized(name: &str) -> bool {
    name.starts_with(char::is_uppercase)
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};

    use super::*;
    use crate::languages::shown;

    #[track_caller]
    fn check(text: &str, expected: &Expect) {
        expected.assert_eq(&shown(Language::Swift, text));
    }

    #[test]
    fn ix2_symbols() {
        check(
            r#"/// How many.
public let limit = 3
var counter: Int = 0, other = 1
private let hidden = Foo()
let handler = { (x: Int) in let inner = x; return inner }

/// Keeps things.
@objc public final class Store<T>: Base, Ns.Proto where T: X {
  static let shared = Store()
  private var x: Int { get { 1 } set { } }
  let y: Foo.Bar?
  init(a: Int, _ b: String = "x") throws { super.init() }
  deinit {}
  subscript(i: Int) -> Int { 1 }
  static func == (l: Store, r: Store) -> Bool { true }
  private func hid() { func local() {} }
  class Inner { fileprivate typealias T = Int }
}
struct P: Codable { let a: Int; static var b = 1 }
enum Color: String { case red, green = "g"; case blue(Int); func f() {} }
public protocol Proto: AnyObject { associatedtype I; var v: Int { get }; func m(); init() }
extension Store: Extra { func ext() {} }
extension Array { func first() {} }
private extension Store { func sum() -> Int { 0 } }
actor A { }
@main struct App { static func main() {} }
"#,
            &expect![[r#"
                +constant limit 2..2 `public let limit = 3` doc "How many."
                +variable counter 3..3 `var counter`
                +variable other 3..3 `var other`
                -constant hidden 4..4 `private let hidden = Foo()`
                +constant handler 5..5 `let handler = { (x: Int) in let inner = x; return inner }`
                +class Store 8..18 `@objc public final class Store<T>: Base, Ns.Proto where T: X` doc "Keeps things."
                +constant shared in Store 9..9 `static let shared = Store()`
                -method x in Store 10..10 `private var x: Int`
                +method init in Store 12..12 `init(a: Int, _ b: String = "x") throws`
                +method deinit in Store 13..13 `deinit`
                +method subscript in Store 14..14 `subscript(i: Int) -> Int`
                +method == in Store 15..15 `static func == (l: Store, r: Store) -> Bool`
                -method hid in Store 16..16 `private func hid()`
                -function local in hid 16..16 `func local()`
                +class Inner in Store 17..17 `class Inner`
                -type T in Inner 17..17 `fileprivate typealias T = Int`
                +struct P 19..19 `struct P: Codable`
                +enum Color 20..20 `enum Color: String`
                +constant red in Color 20..20 `case red`
                +constant green in Color 20..20 `case green`
                +constant blue in Color 20..20 `case blue(Int)`
                +method f in Color 20..20 `func f()`
                +interface Proto 21..21 `public protocol Proto: AnyObject`
                +type I in Proto 21..21 `associatedtype I`
                +method m in Proto 21..21 `func m()`
                +method init in Proto 21..21 `init()`
                +method ext in Store 22..22 `func ext()`
                +module Array 23..23 `extension Array`
                +method first in Array 23..23 `func first()`
                -module Store 24..24 `private extension Store`
                -method sum in Store 24..24 `func sum() -> Int`
                +class A 25..25 `actor A`
                +struct App 26..26 `@main struct App`
                +method main in App 26..26 `static func main()`
                Type Int from other
                New Foo from hidden
                Type Int from handler
                Inherit Base from Store
                Inherit Ns . Proto from Store
                Type X from Store
                New Store from shared
                Type Int from x
                Type Foo . Bar from Store
                Type Int from init
                Type String from init
                Call super . init from init
                Type Int from subscript x2
                Type Store from == x2
                Type Bool from ==
                Type Int from T
                Inherit Codable from P
                Type Int from P
                Inherit String from Color
                Type Int from blue
                Inherit AnyObject from Proto
                Type Int from Proto
                Type Store from Store
                Inherit Extra from Store
                Type Array from Array
                Type Store from Store
                Type Int from sum
                mark main
            "#]],
        );
    }

    #[test]
    fn ix3_imports_and_references() {
        check(
            r#"import Foundation
import class UIKit.UIView
@testable import MyApp

final class StoreTests: XCTestCase {
  let view: UIView<Ns.Item>
  func testRun<T>(_ x: T) async -> [Item] {
    guard let y = x, y > 1 && b == "" || c else { return }
    for i in 0..<3 { while true {} }
    repeat {} while false
    switch x { case .a, .b: break; case let .c(z): break; default: break }
    do { try foo() } catch { }
    let q = a ? b : c ?? d
    obj.a.call(1); Foo(); Foo.make(); self.z?.go(); f().g()
    list.map { $0.x() }
    Color.red.use()
  }
}
"#,
            &expect![[r#"
                +class StoreTests 5..18 `final class StoreTests: XCTestCase`
                +method testRun in StoreTests 7..17 `func testRun<T>(_ x: T) async -> [Item]` complexity 12
                import Static `Foundation` [* as ] uses 0
                import Static `UIKit` [UIView] uses 1
                import Static `MyApp` [* as ] uses 0
                Inherit XCTestCase from StoreTests
                Type UIView from StoreTests
                Type Ns . Item from StoreTests
                Type T from testRun
                Type Item from testRun
                Call foo from testRun
                Call obj.a . call from testRun
                New Foo from testRun
                Call Foo . make from testRun
                Type Foo from testRun
                Call self.z . go from testRun
                Call ? . g from testRun
                Call f from testRun
                Call list . map from testRun
                Call $0 . x from testRun
                Call Color.red . use from testRun
                Type Color from testRun
                mark tests
            "#]],
        );
    }

    #[test]
    fn ix2_broken_code_gives_what_it_can() {
        check(
            "func good() {}\nclass A {\n  func bad( {\n}\nfunc also(x: B) { x.go() }\n",
            &expect![[r#"
                +function good 1..1 `func good()`
                +class A 2..5 `class A`
                +method bad in A 3..4 `func bad(`
                +method also in A 5..5 `func also(x: B)`
                Type B from also
                Call x . go from also
                syntax errors 2
            "#]],
        );
    }
}
