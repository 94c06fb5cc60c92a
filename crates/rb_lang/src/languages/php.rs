//! PHP.
//!
//! `use A\B\C as D` is the name `C` of the namespace `A\B`, called `D` here; what comes from the global namespace has the
//! specifier `\`. A path that starts at the file's own folder (`__DIR__ . '/x.php'`) starts with `./`. Classes of one
//! namespace see each other without a `use`, so types that are mentioned are references. Properties are left out.

use std::sync::LazyLock;

use tree_sitter::Node;

use crate::facts::{Facts, Import, ImportKind, ImportedName, ReferenceKind, SymbolKind};
use crate::language::Language;
use crate::tree::{Below, Declaration, Grammar, Reader, line_of};

#[derive(Clone, Copy, Default, PartialEq)]
enum Kind {
    #[default]
    Other,
    Namespace,
    Use,
    Class,
    Bases,
    Function,
    Constants,
    Case,
    Include,
    Call,
    MethodCall,
    StaticCall,
    New,
    Type,
    ClassConstant,
    Attribute,
    Decision,
    Binary,
    Comment,
    Variable,
    Qualified,
    Name,
}

static GRAMMAR: LazyLock<Grammar<Kind>> = LazyLock::new(|| {
    Grammar::new(
        tree_sitter_php::LANGUAGE_PHP,
        &[
            ("namespace_definition", Kind::Namespace),
            ("namespace_use_declaration", Kind::Use),
            ("class_declaration", Kind::Class),
            ("interface_declaration", Kind::Class),
            ("trait_declaration", Kind::Class),
            ("enum_declaration", Kind::Class),
            ("base_clause", Kind::Bases),
            ("class_interface_clause", Kind::Bases),
            ("use_declaration", Kind::Bases),
            ("function_definition", Kind::Function),
            ("method_declaration", Kind::Function),
            ("const_declaration", Kind::Constants),
            ("enum_case", Kind::Case),
            ("include_expression", Kind::Include),
            ("include_once_expression", Kind::Include),
            ("require_expression", Kind::Include),
            ("require_once_expression", Kind::Include),
            ("function_call_expression", Kind::Call),
            ("member_call_expression", Kind::MethodCall),
            ("nullsafe_member_call_expression", Kind::MethodCall),
            ("scoped_call_expression", Kind::StaticCall),
            ("object_creation_expression", Kind::New),
            ("named_type", Kind::Type),
            ("class_constant_access_expression", Kind::ClassConstant),
            ("attribute", Kind::Attribute),
            ("if_statement", Kind::Decision),
            ("else_if_clause", Kind::Decision),
            ("foreach_statement", Kind::Decision),
            ("for_statement", Kind::Decision),
            ("while_statement", Kind::Decision),
            ("do_statement", Kind::Decision),
            ("case_statement", Kind::Decision),
            ("match_conditional_expression", Kind::Decision),
            ("catch_clause", Kind::Decision),
            ("conditional_expression", Kind::Decision),
            ("binary_expression", Kind::Binary),
            ("comment", Kind::Comment),
            ("variable_name", Kind::Variable),
            ("qualified_name", Kind::Qualified),
            ("name", Kind::Name),
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
        Kind::Namespace => namespace(node, reader),
        Kind::Use => {
            uses(node, reader);
            return Below::Skip;
        }
        Kind::Class => class(node, reader),
        Kind::Bases => bases(node, reader),
        Kind::Function => function(node, reader),
        Kind::Constants => constants(node, reader),
        Kind::Case => {
            let name = reader.field(node, "name");
            let kind = SymbolKind::Constant;
            reader.declare(&Declaration { name, kind, node, body: None, exported: true });
        }
        Kind::Include => include(node, reader),
        Kind::Call => call(node, reader),
        Kind::MethodCall => method_call("object", node, reader),
        Kind::StaticCall => method_call("scope", node, reader),
        Kind::New => {
            if let Some(class) = node.named_child(0) {
                mention(ReferenceKind::New, class, reader);
            }
        }
        Kind::Type | Kind::ClassConstant => {
            if let Some(class) = node.named_child(0) {
                mention(ReferenceKind::Type, class, reader);
            }
        }
        Kind::Attribute => reader.facts.marks.tests |= reader.text(node) == "Test",
        Kind::Decision => reader.decision(),
        Kind::Binary => {
            if matches!(reader.field(node, "operator"), "&&" | "||" | "and" | "or" | "xor" | "??") {
                reader.decision();
            }
        }
        Kind::Comment => reader.comment(node, reader.text(node).starts_with("/**")),
        // `$name` is not the `name` of an import.
        Kind::Variable => return Below::Skip,
        Kind::Qualified => {
            qualified(node, reader);
            return Below::Skip;
        }
        Kind::Name => reader.name(node),
    }
    Below::Walk
}

fn namespace(node: Node<'_>, reader: &mut Reader<'_>) {
    let name = reader.field(node, "name");
    if reader.facts.package.is_none() && !name.is_empty() {
        reader.facts.package = Some(name.into());
    }
}

/// One import for each clause, `use A\{B, C as D}` flattened.
fn uses(node: Node<'_>, reader: &mut Reader<'_>) {
    let group = node.child_by_field_name("body");
    let mut cursor = node.walk();
    let prefix = node
        .named_children(&mut cursor)
        .find(|child| child.kind() == "namespace_name")
        .map_or("", |prefix| reader.text(prefix));
    let clauses = group.unwrap_or(node);
    let mut cursor = clauses.walk();
    for clause in
        clauses.named_children(&mut cursor).filter(|child| child.kind() == "namespace_use_clause")
    {
        let Some(path) = clause.named_child(0) else { continue };
        let (namespace, name) = split(reader.text(path));
        let specifier = match (prefix, namespace) {
            ("", "") => "\\".to_owned(),
            (prefix, "") => prefix.to_owned(),
            ("", namespace) => namespace.to_owned(),
            (prefix, namespace) => format!("{prefix}\\{namespace}"),
        };
        let alias = reader.field(clause, "alias");
        let local = if alias.is_empty() { name } else { alias };
        reader.import(Import {
            specifier: specifier.trim_start_matches(|c| c == '\\' && specifier.len() > 1).into(),
            kind: ImportKind::Static,
            names: vec![ImportedName { name: name.into(), local: local.into() }],
            line: line_of(clause),
            uses: 0,
        });
    }
}

fn class(node: Node<'_>, reader: &mut Reader<'_>) {
    let name = reader.field(node, "name");
    let kind = match node.kind() {
        "interface_declaration" => SymbolKind::Interface,
        "trait_declaration" => SymbolKind::Trait,
        "enum_declaration" => SymbolKind::Enum,
        _ => SymbolKind::Class,
    };
    declare(name, kind, node, !reader.in_function(), reader);
}

fn function(node: Node<'_>, reader: &mut Reader<'_>) {
    let name = reader.field(node, "name");
    let method = node.kind() == "method_declaration";
    let class = reader.scope().map(|scope| &reader.facts.symbols[scope as usize]);
    let in_test_class = class
        .is_some_and(|class| class.name.ends_with("Test") || class.signature.contains("TestCase"));
    reader.facts.marks.tests |= method && name.starts_with("test") && in_test_class;
    let exported = !is_private(node, reader) && !reader.in_function();
    declare(
        name,
        if method { SymbolKind::Method } else { SymbolKind::Function },
        node,
        exported,
        reader,
    );
}

/// Attributes belong to the declaration's node, but not to its signature.
fn declare(name: &str, kind: SymbolKind, node: Node<'_>, exported: bool, reader: &mut Reader<'_>) {
    let body = node.child_by_field_name("body");
    let attributes = node.child_by_field_name("attributes");
    let start = attributes.map_or(node.start_byte(), |attributes| attributes.end_byte());
    reader.declare_from(start, &Declaration { name, kind, node, body, exported });
}

/// `protected` members can be named by classes of other files.
fn is_private(node: Node<'_>, reader: &Reader<'_>) -> bool {
    let mut cursor = node.walk();
    node.named_children(&mut cursor)
        .any(|child| child.kind() == "visibility_modifier" && reader.text(child) == "private")
}

fn bases(node: Node<'_>, reader: &mut Reader<'_>) {
    let mut cursor = node.walk();
    for base in node.named_children(&mut cursor) {
        mention(ReferenceKind::Inherit, base, reader);
    }
}

fn constants(node: Node<'_>, reader: &mut Reader<'_>) {
    let parent = reader.scope();
    let exported = !is_private(node, reader);
    let mut cursor = node.walk();
    let mut elements =
        node.named_children(&mut cursor).filter(|child| child.kind() == "const_element").peekable();
    let mut alone = true;
    while let Some(element) = elements.next() {
        alone &= elements.peek().is_none();
        let name = element.named_child(0).map_or("", |name| reader.text(name));
        let node = if alone { node } else { element };
        let kind = SymbolKind::Constant;
        let symbol = reader.declare(&Declaration { name, kind, node, body: None, exported });
        reader.facts.symbols[symbol as usize].parent = parent;
    }
}

fn include(node: Node<'_>, reader: &mut Reader<'_>) {
    let mut path = node.named_child(0);
    while let Some(inner) = path.filter(|path| path.kind() == "parenthesized_expression") {
        path = inner.named_child(0);
    }
    let Some(specifier) = path.and_then(|path| include_path(path, reader)) else { return };
    reader.import(Import {
        specifier: specifier.into(),
        kind: ImportKind::Include,
        names: Vec::new(),
        line: line_of(node),
        uses: 0,
    });
}

/// A plain string, or one behind the folder of the file.
fn include_path(path: Node<'_>, reader: &Reader<'_>) -> Option<String> {
    if path.kind() != "binary_expression" {
        return literal(path, reader).map(str::to_owned);
    }
    let folder = match reader.field(path, "left") {
        "__DIR__" | "dirname(__FILE__)" => ".",
        "dirname(__DIR__)" | "dirname(dirname(__FILE__))" => "..",
        _ => return None,
    };
    let rest = literal(path.child_by_field_name("right")?, reader)?;
    Some(format!("{folder}/{}", rest.trim_start_matches('/')))
}

fn call(node: Node<'_>, reader: &mut Reader<'_>) {
    let Some(function) = node.child_by_field_name("function") else { return };
    if !matches!(function.kind(), "name" | "qualified_name") {
        return;
    }
    let (qualifier, name) = split(reader.text(function));
    let first = node
        .child_by_field_name("arguments")
        .and_then(|arguments| arguments.named_child(0)?.named_child(0))
        .and_then(|first| literal(first, reader));
    match (name, first) {
        ("define", Some(constant)) => {
            let kind = SymbolKind::Constant;
            reader.declare(&Declaration { name: constant, kind, node, body: None, exported: true });
            return;
        }
        ("it" | "test" | "describe", Some(_)) => reader.facts.marks.tests = true,
        _ => {}
    }
    reader.reference(ReferenceKind::Call, qualifier, name, node);
}

fn method_call(receiver: &str, node: Node<'_>, reader: &mut Reader<'_>) {
    let Some(name) = node.child_by_field_name("name").filter(|name| name.kind() == "name") else {
        return;
    };
    let receiver = reader.field(node, receiver);
    reader.reference(ReferenceKind::Call, receiver, reader.text(name), node);
}

/// The mention of a class by its name.
fn mention(kind: ReferenceKind, class: Node<'_>, reader: &mut Reader<'_>) {
    if !matches!(class.kind(), "name" | "qualified_name") {
        return;
    }
    let (qualifier, name) = split(reader.text(class));
    if !matches!(name, "self" | "static" | "parent") {
        reader.reference(kind, qualifier, name, class);
    }
}

/// `A\B` uses an import of `A`; `\A\B` uses none.
fn qualified(node: Node<'_>, reader: &mut Reader<'_>) {
    let first = node.child_by_field_name("prefix").and_then(|prefix| prefix.named_child(0));
    if let Some(first) = first.filter(|first| first.start_byte() == node.start_byte()) {
        reader.name(first);
    }
}

/// `A\B` and `C` of `A\B\C`; the qualifier of `\C` is `\`.
fn split(path: &str) -> (&str, &str) {
    match path.rsplit_once('\\') {
        Some(("", name)) => ("\\", name),
        Some(parts) => parts,
        None => ("", path),
    }
}

/// The content of a string in which nothing is put in.
fn literal<'t>(node: Node<'_>, reader: &Reader<'t>) -> Option<&'t str> {
    let content = node.named_child(0)?;
    let plain = matches!(node.kind(), "string" | "encapsed_string")
        && node.named_child_count() == 1
        && content.kind() == "string_content";
    plain.then(|| reader.text(content))
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};

    use super::*;
    use crate::languages::shown;

    #[track_caller]
    fn check(text: &str, expected: &Expect) {
        expected.assert_eq(&shown(Language::Php, text));
    }

    #[test]
    fn ix2_symbols() {
        check(
            r#"#!/usr/bin/env php
<?php
declare(strict_types=1);
namespace App\Models;

const LIMIT = 3, OTHER = 4;
define('GLOBAL_C', 1);
/**
 * A user.
 */
#[Entity]
abstract class User extends Base implements I, \Ns\J {
    use SomeTrait;
    const X = 1;
    private const Y = 2;
    public static ?int $count = 0;
    public function __construct(private readonly int $x) { parent::__construct(); }
    /** Hides. */
    #[Pure]
    private function hidden(): void {}
    protected static function prot(): static { return new static; }
    abstract function abs(int $a): ?string;
    public function run(array $a) {
        if ($a && $b || $c and $d) { } elseif ($x) {}
        foreach ($a as $k => $v) { do {} while (0); }
        switch ($x) { case 1: break; default: }
        $r = match($x) { 1, 2 => 3, default => 4 };
        try {} catch (E $e) {}
        return $a ? 1 : ($b ?? 2);
    }
}
interface I extends A { const K = 1; public function m(); }
trait T { public function t() {} }
enum Suit: string implements HasX { case Hearts = 'H'; public function label(): string { return 'x'; } }
// Of the file.
function top(int $a) { function inner() {} }
"#,
            &expect![[r#"
                +constant LIMIT 6..6 `LIMIT = 3`
                +constant OTHER 6..6 `OTHER = 4`
                +constant GLOBAL_C 7..7 `define('GLOBAL_C', 1)`
                +class User 11..31 `abstract class User extends Base implements I, \Ns\J` doc "A user."
                +constant X in User 14..14 `const X = 1`
                -constant Y in User 15..15 `private const Y = 2`
                +method __construct in User 17..17 `public function __construct(private readonly int $x)`
                -method hidden in User 19..20 `private function hidden(): void` doc "Hides."
                +method prot in User 21..21 `protected static function prot(): static`
                +method abs in User 22..22 `abstract function abs(int $a): ?string`
                +method run in User 23..30 `public function run(array $a)` complexity 13
                +interface I 32..32 `interface I extends A`
                +constant K in I 32..32 `const K = 1`
                +method m in I 32..32 `public function m()`
                +trait T 33..33 `trait T`
                +method t in T 33..33 `public function t()`
                +enum Suit 34..34 `enum Suit: string implements HasX`
                +constant Hearts in Suit 34..34 `case Hearts = 'H'`
                +method label in Suit 34..34 `public function label(): string`
                +function top 36..36 `function top(int $a)` doc "Of the file."
                -function inner in top 36..36 `function inner()`
                Inherit Base from User
                Inherit I from User
                Inherit \Ns . J from User
                Inherit SomeTrait from User
                Call parent . __construct from __construct
                Type E from run
                Inherit A from I
                Inherit HasX from Suit
                package App\Models
                mark main
            "#]],
        );
    }

    #[test]
    fn ix3_imports_and_references() {
        check(
            r#"<?php
namespace App;
use Foo\Bar;
use Foo\Baz as Qux, A\B;
use Exception;
use function Foo\helper as h;
use Grp\{One, Two\Three as T, function f1};
require __DIR__ . '/x.php';
require_once 'vendor/autoload.php';
include(dirname(__FILE__) . '/y.php');
require $dynamic;

final class UserTest extends TestCase {
    public function testRun(Bar $bar, ?One $one): B {
        $this->hidden(); $obj->a->b(); $o?->nullsafe(); $f(); f()->g();
        self::make(); Qux::make(); Foo\Bar::make();
        \strlen('a'); h(); helper();
        new Bar(); new \A\B\C(1); new class extends Z { function m() {} };
        return Bar::LIMIT;
    }
}
?>
<p><?= top() ?></p>
"#,
            &expect![[r#"
                +class UserTest 13..21 `final class UserTest extends TestCase`
                +method testRun in UserTest 14..20 `public function testRun(Bar $bar, ?One $one): B`
                -method m in testRun 18..18 `function m()`
                import Static `Foo` [Bar] uses 3
                import Static `Foo` [Baz as Qux] uses 1
                import Static `A` [B] uses 1
                import Static `\` [Exception] uses 0
                import Static `Foo` [helper as h] uses 1
                import Static `Grp` [One] uses 1
                import Static `Grp\Two` [Three as T] uses 0
                import Static `Grp` [f1] uses 0
                import Include `./x.php` [] uses 0
                import Include `vendor/autoload.php` [] uses 0
                import Include `./y.php` [] uses 0
                Call dirname from top
                Inherit TestCase from UserTest
                Type Bar from testRun x2
                Type One from testRun
                Type B from testRun
                Call $this . hidden from testRun
                Call $obj->a . b from testRun
                Call $o . nullsafe from testRun
                Call ? . g from testRun
                Call f from testRun
                Call self . make from testRun
                Call Qux . make from testRun
                Call Foo\Bar . make from testRun
                Call \ . strlen from testRun
                Call h from testRun
                Call helper from testRun
                New Bar from testRun
                New \A\B . C from testRun
                Inherit Z from testRun
                Call top from top
                package App
                mark tests
            "#]],
        );
    }

    #[test]
    fn ix2_broken_code_gives_what_it_can() {
        check(
            "<?php\nfunction good() {}\nclass A {\n  function f( {\n}\nfunction also($x) { return $x; }\n",
            &expect![[r#"
                +function good 2..2 `function good()`
                +class A 3..6 `class A`
                +method f in A 4..5 `function f(`
                +method also in A 6..6 `function also($x)`
                syntax errors 2
            "#]],
        );
    }
}
