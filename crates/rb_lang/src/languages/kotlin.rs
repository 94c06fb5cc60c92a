//! Kotlin.
//!
//! `import a.b.C as D` has the specifier `a.b`, the name `C` and the local name `D`; a wildcard is `*`. Files of a package
//! see each other without an import, so the types that are mentioned are references too. A call whose name begins with a
//! capital letter makes an object. Objects are classes, one without a name is `Companion`.

use std::sync::LazyLock;

use tree_sitter::Node;

use crate::facts::{Facts, ReferenceKind, SymbolKind};
use crate::language::Language;
use crate::tree::{Below, Declaration, Grammar, Reader, with_line_end, without_spaces};

#[derive(Clone, Copy, Default, PartialEq)]
enum Kind {
    #[default]
    Other,
    Package,
    Import,
    Class,
    Object,
    Function,
    Constructor,
    Property,
    Parameter,
    TypeAlias,
    Base,
    Type,
    Call,
    Member,
    Annotation,
    When,
    Decision,
    Comment,
    Name,
}

static GRAMMAR: LazyLock<Grammar<Kind>> = LazyLock::new(|| {
    Grammar::new(
        tree_sitter_kotlin_ng::LANGUAGE,
        &[
            ("package_header", Kind::Package),
            ("import", Kind::Import),
            ("class_declaration", Kind::Class),
            ("object_declaration", Kind::Object),
            ("companion_object", Kind::Object),
            ("function_declaration", Kind::Function),
            ("secondary_constructor", Kind::Constructor),
            ("property_declaration", Kind::Property),
            ("class_parameter", Kind::Parameter),
            ("type_alias", Kind::TypeAlias),
            ("delegation_specifier", Kind::Base),
            ("user_type", Kind::Type),
            ("call_expression", Kind::Call),
            ("navigation_expression", Kind::Member),
            ("annotation", Kind::Annotation),
            ("when_entry", Kind::When),
            ("if_expression", Kind::Decision),
            ("for_statement", Kind::Decision),
            ("while_statement", Kind::Decision),
            ("do_while_statement", Kind::Decision),
            ("catch_block", Kind::Decision),
            ("&&", Kind::Decision),
            ("||", Kind::Decision),
            ("?:", Kind::Decision),
            ("block_comment", Kind::Comment),
            ("line_comment", Kind::Comment),
            ("identifier", Kind::Name),
        ],
    )
    .with_last_line_end()
});

pub(super) fn extract(_language: Language, text: &str) -> Facts {
    with_line_end(text, |text| GRAMMAR.read(text, visit))
}

fn visit(kind: Kind, node: Node<'_>, reader: &mut Reader<'_>) -> Below {
    match kind {
        Kind::Other => {}
        Kind::Package => {
            reader.facts.package =
                node.named_child(0).map(|name| without_spaces(reader.text(name)).into());
            return Below::Skip;
        }
        Kind::Import => {
            import(node, reader);
            return Below::Skip;
        }
        Kind::Class => class(node, reader),
        Kind::Object => {
            let name = reader.field(node, "name");
            let name = if name.is_empty() { "Companion" } else { name };
            declare(name, SymbolKind::Class, node, &["class_body"], reader);
        }
        Kind::Function => function(node, reader),
        Kind::Constructor => declare("constructor", SymbolKind::Method, node, &["block"], reader),
        Kind::Property => property(node, reader),
        Kind::Parameter => parameter(node, reader),
        Kind::TypeAlias => declare(reader.field(node, "type"), SymbolKind::Type, node, &[], reader),
        Kind::Base => base(node, reader),
        Kind::Type => type_reference(ReferenceKind::Type, node, reader),
        Kind::Call => call(node, reader),
        Kind::Member => member(node, reader),
        Kind::Annotation => {
            let name = reader.text(node).trim_start_matches('@');
            let name = name.split('(').next().unwrap_or_default();
            reader.facts.marks.tests |= name.trim_end().ends_with("Test");
        }
        Kind::When => {
            if node.child_by_field_name("condition").is_some() {
                reader.decision();
            }
        }
        Kind::Decision => reader.decision(),
        Kind::Comment => reader.comment(node, reader.text(node).starts_with("/**")),
        Kind::Name => reader.name(node),
    }
    Below::Walk
}

fn class(node: Node<'_>, reader: &mut Reader<'_>) {
    let interface = node.children(&mut node.walk()).any(|child| child.kind() == "interface");
    let kind = if interface {
        SymbolKind::Interface
    } else if Modifiers::of(node, reader).is_enum {
        SymbolKind::Enum
    } else {
        SymbolKind::Class
    };
    declare(reader.field(node, "name"), kind, node, &["class_body", "enum_class_body"], reader);
}

fn function(node: Node<'_>, reader: &mut Reader<'_>) {
    let name = reader.field(node, "name");
    let in_type = matches!(
        reader.scope_kind(),
        Some(SymbolKind::Class | SymbolKind::Interface | SymbolKind::Enum)
    );
    reader.facts.marks.main |= name == "main" && reader.scope().is_none();
    let kind = if in_type || reader.around(0) == "class_body" {
        SymbolKind::Method
    } else {
        SymbolKind::Function
    };
    declare(name, kind, node, &["function_body"], reader);
}

/// `val` and `var` of a file, class or object.
fn property(node: Node<'_>, reader: &mut Reader<'_>) {
    if !matches!(reader.around(0), "source_file" | "class_body" | "enum_class_body")
        || reader.in_function()
    {
        return;
    }
    let children: Vec<Node<'_>> = node.named_children(&mut node.walk()).collect();
    let declared = children.iter().find(|child| child.kind() == "variable_declaration");
    let name =
        declared.and_then(|declared| declared.named_child(0)).map_or("", |name| reader.text(name));
    // The grammar takes `String.name`, an extension, for a type.
    let receiver = children.iter().find(|child| child.kind() == "user_type");
    let name = match (name, receiver) {
        ("", Some(receiver)) => reader.text(*receiver).rsplit('.').next().unwrap_or_default(),
        _ => name,
    };
    let kind = if Modifiers::of(node, reader).is_const {
        SymbolKind::Constant
    } else {
        SymbolKind::Variable
    };
    declare(name, kind, node, &["=", "getter", "setter", "property_delegate"], reader);
}

/// A parameter of a class that is a property as well.
fn parameter(node: Node<'_>, reader: &mut Reader<'_>) {
    let mut cursor = node.walk();
    let mut children = node.children(&mut cursor);
    if !children.any(|child| matches!(child.kind(), "val" | "var")) {
        return;
    }
    if let Some(name) = children.find(|child| child.kind() == "identifier") {
        declare(reader.text(name), SymbolKind::Variable, node, &["="], reader);
    }
}

/// Declares a symbol whose signature ends where the first child of one of these kinds begins.
fn declare(name: &str, kind: SymbolKind, node: Node<'_>, bodies: &[&str], reader: &mut Reader<'_>) {
    if name.is_empty() {
        return;
    }
    let modifiers = Modifiers::of(node, reader);
    let body = node.children(&mut node.walk()).find(|child| bodies.contains(&child.kind()));
    let exported = !modifiers.private && reader.is_reachable();
    let name = name.trim_matches('`');
    reader.declare_from(modifiers.end, &Declaration { name, kind, node, body, exported });
}

struct Modifiers {
    private: bool,
    is_enum: bool,
    is_const: bool,
    /// Where the annotations end and the signature begins.
    end: usize,
}

impl Modifiers {
    fn of(node: Node<'_>, reader: &Reader<'_>) -> Modifiers {
        let mut found =
            Modifiers { private: false, is_enum: false, is_const: false, end: node.start_byte() };
        let Some(modifiers) = node.child(0).filter(|child| child.kind() == "modifiers") else {
            return found;
        };
        let mut annotations = true;
        for modifier in modifiers.children(&mut modifiers.walk()) {
            if modifier.kind() == "annotation" {
                if annotations {
                    found.end = modifier.end_byte();
                }
                continue;
            }
            annotations = false;
            match reader.text(modifier) {
                "private" => found.private = true,
                "enum" => found.is_enum = true,
                "const" => found.is_const = true,
                _ => {}
            }
        }
        found
    }
}

fn base(node: Node<'_>, reader: &mut Reader<'_>) {
    let Some(child) = node.named_child(0) else { return };
    let base = match child.kind() {
        "constructor_invocation" | "explicit_delegation" => child.named_child(0),
        _ => Some(child),
    };
    if let Some(base) = base
        && base.kind() == "user_type"
    {
        type_reference(ReferenceKind::Inherit, base, reader);
    }
}

/// `C`, `a.b.C` or `C<T>`. Its names are seen to; its type arguments are not.
fn type_reference(kind: ReferenceKind, node: Node<'_>, reader: &mut Reader<'_>) {
    let names: Vec<Node<'_>> = node
        .named_children(&mut node.walk())
        .filter(|child| child.kind() == "identifier")
        .collect();
    let (Some(first), Some(last)) = (names.first(), names.last()) else { return };
    // A base is seen twice, first as what it is.
    if reader.holds_until == last.end_byte() {
        return;
    }
    reader.holds_until = last.end_byte();
    reader.name(*first);
    let qualifier = reader.text.get(first.start_byte()..last.start_byte()).unwrap_or_default();
    reader.reference(kind, qualifier.trim_end_matches('.'), reader.text(*last), *last);
    names.iter().rev().for_each(|name| reader.skip(*name));
}

fn call(node: Node<'_>, reader: &mut Reader<'_>) {
    let Some(function) = node.named_child(0) else { return };
    let (qualifier, name) = match function.kind() {
        "identifier" => ("", reader.text(function)),
        "navigation_expression" => {
            let Some((object, name)) = ends(function) else { return };
            (reader.text(object), reader.text(name))
        }
        _ => return,
    };
    let kind =
        if name.starts_with(char::is_uppercase) { ReferenceKind::New } else { ReferenceKind::Call };
    reader.reference(kind, qualifier, name, node);
}

/// `a.b`: `b` cannot be the name of an import, and `A` is a type by the way it is written.
fn member(node: Node<'_>, reader: &mut Reader<'_>) {
    let Some((object, name)) = ends(node) else { return };
    let text = reader.text(object);
    if object.kind() == "identifier" && text.starts_with(char::is_uppercase) {
        reader.reference(ReferenceKind::Type, "", text, object);
    }
    reader.skip(name);
}

/// The object and the name of `a.b.c`.
fn ends(node: Node<'_>) -> Option<(Node<'_>, Node<'_>)> {
    let object = node.named_child(0)?;
    let name = node
        .named_children(&mut node.walk())
        .skip(1)
        .filter(|child| child.kind() == "identifier")
        .last()?;
    Some((object, name))
}

fn import(node: Node<'_>, reader: &mut Reader<'_>) {
    let wildcard = node.children(&mut node.walk()).any(|child| child.kind() == "*");
    let path = without_spaces(node.named_child(0).map_or("", |path| reader.text(path)));
    let alias = node
        .named_child(1)
        .filter(|alias| alias.kind() == "identifier")
        .map(|alias| reader.text(alias));
    let (specifier, name, local) = match path.rsplit_once('.') {
        Some((specifier, name)) if !wildcard => (specifier, name, alias.unwrap_or(name)),
        _ => (&*path, "*", ""),
    };
    reader.import_name(specifier, name, local, node);
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};

    use super::*;
    use crate::languages::shown;

    #[track_caller]
    fn check(text: &str, expected: &Expect) {
        expected.assert_eq(&shown(Language::Kotlin, text));
    }

    /// The scanner of the grammar would look for the end of an annotation for ever.
    #[test]
    fn ix1_an_annotation_at_the_end_of_the_text_comes_to_an_end() {
        let shapes =
            ["class A\n@B", "class A {\n  val x = 1\n  @B(", "class A {\n  val x: Int\n  @B"];
        for shape in shapes {
            assert!(crate::languages::extract(Language::Kotlin, shape).unwrap().symbols.len() <= 2);
            // The same where a look at the beginning of the text ends, and where a text is cut.
            for filler in 450..520 {
                let begin = format!("/*{}*/{shape}", "-".repeat(filler));
                let rest = "nnotation(1, 2, 3)\nfun f() { g() }\n".repeat(100);
                crate::languages::extract(Language::Kotlin, &format!("{begin}{rest}")).unwrap();
            }
            let deep = format!("{shape}{}", "(".repeat(4000));
            crate::languages::extract(Language::Kotlin, &deep).unwrap();
        }
        let facts = crate::languages::extract(Language::Kotlin, "fun f() = 1").unwrap();
        assert_eq!((facts.symbols[0].span.end, facts.lines), (11, 1));
        assert_eq!(crate::languages::extract(Language::Kotlin, "").unwrap().lines, 0);
    }

    const SAMPLE: &str = r#"package com.example.store

import com.example.Item
import com.example.tools.*
import java.io.IOException as Failure

/** Keeps things. */
@Deprecated("x")
data class Store<T>(val size: Int, private var name: String = "a", plain: Int) : Base(size), Named by item, Shape<T> {
    companion object {
        const val MAX = 1
        fun make() = Store<Item>(1, "b", 2)
    }
    object Shared : Zone
    constructor(a: Int) : this(a, "b", 3) { prepare() }

    val ready: Boolean get() = true
    private lateinit var hidden: Item
    val String.width: Int get() = 1

    // Picks one.
    @Throws(Failure::class)
    override suspend fun <R> pick(items: List<R>, then: () -> Unit): R? {
        if (ready && then.ok || items.isEmpty()) return null
        for (item in items) { hidden?.name!!.go(item) }
        val kind = when (size) { 1, 2 -> Kind.ROUND; is Int -> b; else -> c }
        try { other.tools.run { it.x } } catch (e: Failure) { }
        val o = object : Named { override fun inner() {} }
        fun local() {}
        return o ?: a.b.Thing()
    }

    enum class Kind(val sides: Int) {
        ROUND(1),
        FLAT(2) {
            override fun bend() {}
        };

        abstract fun bend()
    }
    private inner class Inner
    sealed interface Shape
    annotation class Marked(val x: Int)
}

typealias Items = Map<String, Item>
internal fun List<String>.longest(): Int = 1
fun `is ready`() {}
@Test
fun works() {}
fun main(args: Array<String>) {}
"#;

    #[test]
    fn ix2_symbols() {
        check(
            SAMPLE,
            &expect![[r#"
                +class Store 8..44 `data class Store<T>(val size: Int, private var name: String = "a", plain: Int) : Base(size), Named by item, Shape<T>` doc "Keeps things."
                +variable size in Store 9..9 `val size: Int`
                -variable name in Store 9..9 `private var name: String`
                +class Companion in Store 10..13 `companion object`
                +constant MAX in Companion 11..11 `const val MAX`
                +method make in Companion 12..12 `fun make()`
                +class Shared in Store 14..14 `object Shared : Zone`
                +method constructor in Store 15..15 `constructor(a: Int) : this(a, "b", 3)`
                +variable ready in Store 17..17 `val ready: Boolean`
                -variable hidden in Store 18..18 `private lateinit var hidden: Item`
                +variable width in Store 19..19 `val String.width: Int`
                +method pick in Store 22..31 `override suspend fun <R> pick(items: List<R>, then: () -> Unit): R?` complexity 9 doc "Picks one."
                -method inner in pick 28..28 `override fun inner()`
                -function local in pick 29..29 `fun local()`
                +enum Kind in Store 33..40 `enum class Kind(val sides: Int)`
                +variable sides in Kind 33..33 `val sides: Int`
                +method bend in Kind 36..36 `override fun bend()`
                +method bend in Kind 39..39 `abstract fun bend()`
                -class Inner in Store 41..41 `private inner class Inner`
                +interface Shape in Store 42..42 `sealed interface Shape`
                +class Marked in Store 43..43 `annotation class Marked(val x: Int)`
                +variable x in Marked 43..43 `val x: Int`
                +type Items 46..46 `typealias Items = Map<String, Item>`
                +function longest 47..47 `internal fun List<String>.longest(): Int`
                +function is ready 48..48 `fun `is ready`()`
                +function works 49..50 `fun works()`
                +function main 51..51 `fun main(args: Array<String>)`
                import Static `com.example` [Item] uses 3
                import Static `com.example.tools` [* as ] uses 0
                import Static `java.io` [IOException as Failure] uses 2
                Type Deprecated from Store
                Type Int from size
                Type String from name
                Type Int from Store
                Inherit Base from Store
                Inherit Named from Store
                Inherit Shape from Store
                Type T from Store
                New Store from make
                Type Item from make
                Inherit Zone from Shared
                Type Int from constructor
                Call prepare from constructor
                Type Boolean from ready
                Type Item from hidden
                Type String from width
                Type Int from width
                Type Throws from pick
                Type Failure from pick x2
                Type List from pick
                Type R from pick x2
                Type Unit from pick
                Call items . isEmpty from pick
                Call hidden?.name!! . go from pick
                Type Kind from pick
                Type Int from pick
                Call other.tools . run from pick
                Inherit Named from pick
                New a.b . Thing from pick
                Type Int from sides
                Type Int from x
                Type Map from Items
                Type String from Items
                Type Item from Items
                Type List from longest
                Type String from longest
                Type Int from longest
                Type Test from works
                Type Array from main
                Type String from main
                package com.example.store
                mark main
                mark tests
            "#]],
        );
    }

    #[test]
    fn ix2_broken_code_gives_what_it_can() {
        check(
            "package a\nfun good() {}\nfun broken() {\n  if (a { }\n}\nclass Late\n",
            &expect![[r#"
                +function good 2..2 `fun good()`
                +function broken 3..5 `fun broken()`
                +class Late 6..6 `class Late`
                Call a from broken
                package a
                syntax errors 1
            "#]],
        );
    }
}
