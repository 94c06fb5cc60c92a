//! Scala.
//!
//! `import a.b.{C, D => E}` has the specifier `a.b` and the names `C` and `D`, the latter as `E`; a wildcard is `*`. Files
//! of a package see each other without an import, so the types that are mentioned are references too. Objects are
//! classes. A call whose name begins with a capital letter makes an object.

use std::sync::LazyLock;

use tree_sitter::Node;

use crate::facts::{Facts, Import, ImportKind, ImportedName, ReferenceKind, SymbolKind};
use crate::language::Language;
use crate::tree::{Below, Declaration, Grammar, Reader, line_of};

#[derive(Clone, Copy, Default, PartialEq)]
enum Kind {
    #[default]
    Other,
    Package,
    Import,
    Type(SymbolKind),
    Function,
    Value,
    Given,
    Bases,
    TypeName,
    StableType,
    New,
    Call,
    Member,
    Annotation,
    Case,
    Operator,
    Decision,
    Comment,
    Name,
}

static GRAMMAR: LazyLock<Grammar<Kind>> = LazyLock::new(|| {
    Grammar::new(
        tree_sitter_scala::LANGUAGE,
        &[
            ("package_clause", Kind::Package),
            ("import_declaration", Kind::Import),
            ("class_definition", Kind::Type(SymbolKind::Class)),
            ("object_definition", Kind::Type(SymbolKind::Class)),
            ("package_object", Kind::Type(SymbolKind::Class)),
            ("trait_definition", Kind::Type(SymbolKind::Trait)),
            ("enum_definition", Kind::Type(SymbolKind::Enum)),
            ("type_definition", Kind::Type(SymbolKind::Type)),
            ("function_definition", Kind::Function),
            ("function_declaration", Kind::Function),
            ("val_definition", Kind::Value),
            ("val_declaration", Kind::Value),
            ("var_definition", Kind::Value),
            ("var_declaration", Kind::Value),
            ("given_definition", Kind::Given),
            ("extends_clause", Kind::Bases),
            ("type_identifier", Kind::TypeName),
            ("stable_type_identifier", Kind::StableType),
            ("instance_expression", Kind::New),
            ("call_expression", Kind::Call),
            ("field_expression", Kind::Member),
            ("annotation", Kind::Annotation),
            ("case_clause", Kind::Case),
            ("operator_identifier", Kind::Operator),
            ("if_expression", Kind::Decision),
            ("for_expression", Kind::Decision),
            ("while_expression", Kind::Decision),
            ("do_while_expression", Kind::Decision),
            ("guard", Kind::Decision),
            ("block_comment", Kind::Comment),
            ("comment", Kind::Comment),
            ("identifier", Kind::Name),
        ],
    )
});

pub(super) fn extract(_language: Language, text: &str) -> Facts {
    GRAMMAR.read(text, visit)
}

fn visit(kind: Kind, node: Node<'_>, reader: &mut Reader<'_>) -> Below {
    match kind {
        Kind::Other => {}
        Kind::Package => package(node, reader),
        Kind::Import => {
            import(node, reader);
            return Below::Skip;
        }
        Kind::Type(kind) => {
            if let Some(name) = node.child_by_field_name("name") {
                reader.skip(name);
            }
            declare(reader.field(node, "name"), kind, node, reader);
        }
        Kind::Function => function(node, reader),
        Kind::Value => value(node, reader),
        Kind::Given => {
            let name = reader.field(node, "name");
            if !name.is_empty() && !reader.in_function() {
                declare(name, SymbolKind::Constant, node, reader);
            }
        }
        Kind::Bases => bases(node, reader),
        Kind::TypeName => {
            reader.name(node);
            reader.reference(ReferenceKind::Type, "", reader.text(node), node);
        }
        Kind::StableType => {
            type_reference(ReferenceKind::Type, node, reader);
            return Below::Skip;
        }
        Kind::New => {
            if let Some(made) = node.named_child(0)
                && let Some(named) = type_reference(ReferenceKind::New, made, reader)
            {
                reader.skip(named);
            }
        }
        Kind::Call => call(node, reader),
        Kind::Member => member(node, reader),
        Kind::Annotation => {
            let name = reader.field(node, "name");
            reader.facts.marks.main |= name == "main";
            reader.facts.marks.tests |= name == "Test";
        }
        Kind::Case => {
            if reader.field(node, "pattern") != "_" {
                reader.decision();
            }
        }
        Kind::Operator => {
            if matches!(reader.text(node), "&&" | "||") {
                reader.decision();
            }
        }
        Kind::Decision => reader.decision(),
        Kind::Comment => reader.comment(node, reader.text(node).starts_with("/**")),
        Kind::Name => reader.name(node),
    }
    Below::Walk
}

/// `package a.b` and then `package c` is the package `a.b.c`.
fn package(node: Node<'_>, reader: &mut Reader<'_>) {
    let Some(name) = node.child_by_field_name("name") else { return };
    let part: String = reader.text(name).split_whitespace().collect();
    let package = match reader.facts.package.take() {
        Some(outer) => format!("{outer}.{part}"),
        None => part,
    };
    reader.facts.package = Some(package.into());
    reader.skip(name);
}

fn function(node: Node<'_>, reader: &mut Reader<'_>) {
    let name = reader.field(node, "name");
    let kind = if in_type(reader) || reader.around(0).ends_with("template_body") {
        SymbolKind::Method
    } else {
        SymbolKind::Function
    };
    reader.facts.marks.main |=
        name == "main" && reader.text(node).contains("Array[String]") && !reader.in_function();
    declare(name, kind, node, reader);
}

fn in_type(reader: &Reader<'_>) -> bool {
    matches!(reader.scope_kind(), Some(SymbolKind::Class | SymbolKind::Trait | SymbolKind::Enum))
}

/// `val` and `var` of a file, class or object. A `val` in capitals or with a capital letter is a constant.
fn value(node: Node<'_>, reader: &mut Reader<'_>) {
    let local = matches!(reader.around(0), "block" | "indented_block");
    if local || reader.in_function() {
        return;
    }
    let pattern = node.child_by_field_name("pattern").or_else(|| node.child_by_field_name("name"));
    let Some(pattern) = pattern.filter(|pattern| pattern.kind() == "identifier") else { return };
    let name = reader.text(pattern);
    let constant = node.kind().starts_with("val") && name.starts_with(char::is_uppercase);
    declare(name, if constant { SymbolKind::Constant } else { SymbolKind::Variable }, node, reader);
}

fn declare(name: &str, kind: SymbolKind, node: Node<'_>, reader: &mut Reader<'_>) {
    if name.is_empty() {
        return;
    }
    let body = match kind {
        SymbolKind::Constant | SymbolKind::Variable => {
            node.child_by_field_name("value").or_else(|| node.child_by_field_name("body"))
        }
        _ => node.child_by_field_name("body"),
    };
    let exported = !is_private(node, reader) && reader.is_reachable();
    let mut cursor = node.walk();
    let annotations =
        node.children(&mut cursor).take_while(|child| child.kind() == "annotation").last();
    let start = annotations.map_or(node.start_byte(), |annotations| annotations.end_byte());
    reader.declare_from(start, &Declaration { name, kind, node, body, exported });
}

/// `private`, but not `private[package]`.
fn is_private(node: Node<'_>, reader: &Reader<'_>) -> bool {
    let mut cursor = node.walk();
    let modifiers = node.children(&mut cursor).find(|child| child.kind() == "modifiers");
    modifiers.is_some_and(|modifiers| {
        modifiers
            .children(&mut modifiers.walk())
            .any(|modifier| matches!(reader.text(modifier), "private" | "private[this]"))
    })
}

fn bases(node: Node<'_>, reader: &mut Reader<'_>) {
    let bases: Vec<Node<'_>> = node.children_by_field_name("type", &mut node.walk()).collect();
    let mut named = Vec::new();
    for base in bases {
        let Some(base) = type_reference(ReferenceKind::Inherit, base, reader) else { continue };
        named.push(base);
        let name = reader.text(base);
        reader.facts.marks.main |= name == "App" && reader.around(0) == "object_definition";
        reader.facts.marks.tests |=
            ["Suite", "Spec", "Tests"].iter().any(|word| name.ends_with(word));
    }
    named.into_iter().rev().for_each(|base| reader.skip(base));
}

/// `C`, `a.b.C` or `C[T]` as a reference. Gives the node without type arguments: it needs no second look.
fn type_reference<'n>(
    kind: ReferenceKind,
    node: Node<'n>,
    reader: &mut Reader<'_>,
) -> Option<Node<'n>> {
    let node = match node.kind() {
        "generic_type" => node.child_by_field_name("type")?,
        "compound_type" => node.child_by_field_name("base")?,
        _ => node,
    };
    match node.kind() {
        "type_identifier" => reader.type_name(kind, node, false),
        "stable_type_identifier" => reader.type_name(kind, node, true),
        _ => return None,
    }
    Some(node)
}

fn call(node: Node<'_>, reader: &mut Reader<'_>) {
    let Some(function) = node.child_by_field_name("function") else { return };
    let function = match function.kind() {
        "generic_function" => function.child_by_field_name("function").unwrap_or(function),
        _ => function,
    };
    let (qualifier, name) = match function.kind() {
        "identifier" if reader.text(function) != "this" => ("", reader.text(function)),
        "field_expression" => (reader.field(function, "value"), reader.field(function, "field")),
        _ => return,
    };
    let kind =
        if name.starts_with(char::is_uppercase) { ReferenceKind::New } else { ReferenceKind::Call };
    reader.reference(kind, qualifier, name, node);
}

/// `a.b`: `b` cannot be the name of an import, and `A` is an object by the way it is written.
fn member(node: Node<'_>, reader: &mut Reader<'_>) {
    if let Some(object) = node.child_by_field_name("value") {
        let text = reader.text(object);
        if object.kind() == "identifier" && text.starts_with(char::is_uppercase) {
            reader.reference(ReferenceKind::Type, "", text, object);
        }
    }
    if let Some(field) = node.child_by_field_name("field") {
        reader.skip(field);
    }
}

/// `import a.b.C, d.{E, F => G}`: the grammar gives the parts of all paths in one row.
fn import(node: Node<'_>, reader: &mut Reader<'_>) {
    let mut path = String::new();
    let mut names = Vec::new();
    for part in node.children(&mut node.walk()) {
        match part.kind() {
            "identifier" | "operator_identifier" | "." => path.push_str(reader.text(part)),
            "namespace_wildcard" => names.push(taken("*", "")),
            "namespace_selectors" => names.extend(selectors(part, reader)),
            "as_renamed_identifier" => names.extend(selector(part, reader)),
            "," => {
                push_import(node, &std::mem::take(&mut path), std::mem::take(&mut names), reader);
            }
            _ => {}
        }
    }
    push_import(node, &path, names, reader);
}

fn push_import(node: Node<'_>, path: &str, mut names: Vec<ImportedName>, reader: &mut Reader<'_>) {
    let mut path = path.trim_end_matches('.');
    if names.is_empty() {
        let (specifier, name) = path.rsplit_once('.').unwrap_or((path, "*"));
        names.push(taken(name, if name == "*" { path } else { name }));
        path = specifier;
    }
    reader.import(Import {
        specifier: path.into(),
        kind: ImportKind::Static,
        names,
        line: line_of(node),
        uses: 0,
    });
}

fn selectors(node: Node<'_>, reader: &Reader<'_>) -> Vec<ImportedName> {
    node.named_children(&mut node.walk()).filter_map(|part| selector(part, reader)).collect()
}

/// `A`, `A => B`, `A as B` or a wildcard; nothing for `A => _`, which takes nothing.
fn selector(part: Node<'_>, reader: &Reader<'_>) -> Option<ImportedName> {
    match part.kind() {
        "namespace_wildcard" => Some(taken("*", "")),
        "identifier" => Some(taken(reader.text(part), reader.text(part))),
        "arrow_renamed_identifier" | "as_renamed_identifier" => {
            let alias = reader.field(part, "alias");
            (alias != "_").then(|| taken(reader.field(part, "name"), alias))
        }
        _ => None,
    }
}

fn taken(name: &str, local: &str) -> ImportedName {
    ImportedName { name: name.into(), local: local.into() }
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};

    use super::*;
    use crate::languages::shown;

    #[track_caller]
    fn check(text: &str, expected: &Expect) {
        expected.assert_eq(&shown(Language::Scala, text));
    }

    const SAMPLE: &str = r#"package com.example
package store

import com.example.Item
import com.example.tools._
import java.{util => ju, io}
import a.b.{C, D => E, F => _}, g.H

/** Keeps things. */
@deprecated("x")
sealed abstract class Store[T <: Item](val size: Int)(implicit z: Zone) extends Base[T](size) with Named with a.Shape[Key] {
  val Max = 1
  private lazy val hidden: Item = make(1)
  var count: Int = 2
  type Items = Map[String, Item]
  def this(a: Int) = this(a)

  // Picks one.
  override def pick[R](items: List[R], kind: ju.List): R = {
    if (items.isEmpty && kind.ok || count > 1) C.stop(io.File)
    items match { case Round(x) if x > 1 => 1; case _ => 2 }
    for (i <- items) yield other.tools.run[Int](i)
    try { E(1) } catch { case e: Failure => 1 }
    val o = new Named with Shape { def inner = 1 }
    def local = 1
    new Store[Int](1)
  }
  def later: Int
  private[store] def near = 1
  private def secret = 1
}

case class Point(x: Int)
object Store extends App with Q { def apply() = new Store(1) }
trait Tr { def t: Int; val u: Int }
enum Color(val r: Int) extends I:
  case Red extends Color(1)
  case Green, Blue
given ord: Ordering[Item] with
  def compare(a: Item) = 1
extension (x: Int)
  def doubled = 2 * x
def top = 1
class StoreTest extends AnyFunSuite {}
"#;

    #[test]
    fn ix2_symbols() {
        check(
            SAMPLE,
            &expect![[r#"
                +class Store 10..31 `sealed abstract class Store[T <: Item](val size: Int)(implicit z: Zone) extends Base[T](size) with Named with a.Shape[Key]` doc "Keeps things."
                +constant Max in Store 12..12 `val Max`
                -variable hidden in Store 13..13 `private lazy val hidden: Item`
                +variable count in Store 14..14 `var count: Int`
                +type Items in Store 15..15 `type Items = Map[String, Item]`
                +method this in Store 16..16 `def this(a: Int)`
                +method pick in Store 19..27 `override def pick[R](items: List[R], kind: ju.List): R` complexity 8 doc "Picks one."
                -method inner in pick 24..24 `def inner`
                -function local in pick 25..25 `def local`
                +method later in Store 28..28 `def later: Int`
                +method near in Store 29..29 `private[store] def near`
                -method secret in Store 30..30 `private def secret`
                +class Point 33..33 `case class Point(x: Int)`
                +class Store 34..34 `object Store extends App with Q`
                +method apply in Store 34..34 `def apply()`
                +trait Tr 35..35 `trait Tr`
                +method t in Tr 35..35 `def t: Int`
                +variable u in Tr 35..35 `val u: Int`
                +enum Color 36..38 `enum Color(val r: Int) extends I`
                +constant ord 39..40 `given ord: Ordering[Item] with`
                +method compare in ord 40..40 `def compare(a: Item)`
                +function doubled 42..42 `def doubled`
                +function top 43..43 `def top`
                +class StoreTest 44..44 `class StoreTest extends AnyFunSuite`
                import Static `com.example` [Item] uses 5
                import Static `com.example.tools` [* as ] uses 0
                import Static `java` [util as ju, io] uses 2
                import Static `a.b` [C, D as E] uses 2
                import Static `g` [H] uses 0
                Type deprecated from Store
                Type Item from Store
                Type Int from Store
                Type Zone from Store
                Inherit Base from Store
                Inherit Named from Store
                Inherit a . Shape from Store
                Type T from Store
                Type Key from Store
                Type Item from hidden
                Call make from hidden
                Type Int from count
                Type Map from Items
                Type String from Items
                Type Item from Items
                Type Int from this
                Type List from pick
                Type R from pick x2
                Type ju . List from pick
                Call C . stop from pick
                Type C from pick
                Type Round from pick
                Call other.tools . run from pick
                Type Int from pick x2
                New E from pick
                Type Failure from pick
                New Named from pick
                Type Shape from pick
                New Store from pick
                Type Int from later
                Type Int from Point
                Inherit App from Store
                Inherit Q from Store
                New Store from apply
                Type Int from t
                Type Int from u
                Type Int from Color
                Inherit I from Color
                Inherit Color from Color
                Type Ordering from ord
                Type Item from ord
                Type Item from compare
                Type Int from top
                Inherit AnyFunSuite from StoreTest
                package com.example.store
                mark main
                mark tests
            "#]],
        );
    }

    #[test]
    fn ix2_broken_code_gives_what_it_can() {
        check(
            "object Good { def f = 1 }\nclass { }\nobject Also { def g = if }\ndef h = 2\n",
            &expect![[r#"
                +class Good 1..1 `object Good`
                +method f in Good 1..1 `def f`
                +class Also 3..3 `object Also`
                +method g in Also 3..3 `def g`
                +function h 4..4 `def h`
                syntax errors 2
            "#]],
        );
    }
}
