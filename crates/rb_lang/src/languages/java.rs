//! Java.
//!
//! `import a.b.C` has the specifier `a.b` and the name `C`; `import static a.b.C.m` has `a.b.C` and `m`; a wildcard is `*`.
//! Files of a package see each other without an import, so the types that are mentioned are references too. Of the
//! fields only constants are symbols.

use std::sync::LazyLock;

use tree_sitter::Node;

use crate::facts::{Facts, ReferenceKind, SymbolKind};
use crate::language::Language;
use crate::tree::{Below, Declaration, Grammar, Reader, without_spaces};

#[derive(Clone, Copy, Default, PartialEq)]
enum Kind {
    #[default]
    Other,
    Package,
    Import,
    Type(SymbolKind),
    Method,
    Field,
    Bases,
    Call,
    New,
    ScopedType,
    TypeName,
    FieldAccess,
    MethodReference,
    Annotation,
    Case,
    Decision,
    Comment,
    Name,
}

static GRAMMAR: LazyLock<Grammar<Kind>> = LazyLock::new(|| {
    Grammar::new(
        tree_sitter_java::LANGUAGE,
        &[
            ("package_declaration", Kind::Package),
            ("import_declaration", Kind::Import),
            ("class_declaration", Kind::Type(SymbolKind::Class)),
            ("record_declaration", Kind::Type(SymbolKind::Class)),
            ("interface_declaration", Kind::Type(SymbolKind::Interface)),
            ("annotation_type_declaration", Kind::Type(SymbolKind::Interface)),
            ("enum_declaration", Kind::Type(SymbolKind::Enum)),
            ("method_declaration", Kind::Method),
            ("constructor_declaration", Kind::Method),
            ("compact_constructor_declaration", Kind::Method),
            ("annotation_type_element_declaration", Kind::Method),
            ("field_declaration", Kind::Field),
            ("constant_declaration", Kind::Field),
            ("superclass", Kind::Bases),
            ("super_interfaces", Kind::Bases),
            ("extends_interfaces", Kind::Bases),
            ("method_invocation", Kind::Call),
            ("object_creation_expression", Kind::New),
            ("scoped_type_identifier", Kind::ScopedType),
            ("type_identifier", Kind::TypeName),
            ("field_access", Kind::FieldAccess),
            ("method_reference", Kind::MethodReference),
            ("annotation", Kind::Annotation),
            ("marker_annotation", Kind::Annotation),
            ("switch_label", Kind::Case),
            ("if_statement", Kind::Decision),
            ("for_statement", Kind::Decision),
            ("enhanced_for_statement", Kind::Decision),
            ("while_statement", Kind::Decision),
            ("do_statement", Kind::Decision),
            ("catch_clause", Kind::Decision),
            ("ternary_expression", Kind::Decision),
            ("&&", Kind::Decision),
            ("||", Kind::Decision),
            ("block_comment", Kind::Comment),
            ("line_comment", Kind::Comment),
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
        Kind::Package => {
            let name = node.named_children(&mut node.walk()).last();
            reader.facts.package = name.map(|name| without_spaces(reader.text(name)).into());
            return Below::Skip;
        }
        Kind::Import => {
            import(node, reader);
            return Below::Skip;
        }
        Kind::Type(kind) => declare(kind, node, reader),
        Kind::Method => method(node, reader),
        Kind::Field => field(node, reader),
        Kind::Bases => bases(node, reader),
        Kind::Call => call(node, reader),
        Kind::New => {
            if let Some(made) = node.child_by_field_name("type")
                && let Some(named) = type_reference(ReferenceKind::New, made, reader)
            {
                reader.skip(named);
            }
        }
        Kind::ScopedType => {
            type_reference(ReferenceKind::Type, node, reader);
            return Below::Skip;
        }
        Kind::TypeName => {
            type_reference(ReferenceKind::Type, node, reader);
        }
        Kind::FieldAccess => {
            if let Some(object) = node.child_by_field_name("object") {
                static_access(object, reader);
            }
            if let Some(field) = node.child_by_field_name("field") {
                reader.skip(field);
            }
        }
        Kind::MethodReference => {
            if let Some(object) = node.named_child(0) {
                static_access(object, reader);
            }
        }
        Kind::Annotation => annotation(node, reader),
        Kind::Case => {
            if reader.text(node).starts_with("case") {
                reader.decision();
            }
        }
        Kind::Decision => reader.decision(),
        Kind::Comment => reader.comment(node, reader.text(node).starts_with("/**")),
        Kind::Name => reader.name(node),
    }
    Below::Walk
}

fn declare(kind: SymbolKind, node: Node<'_>, reader: &mut Reader<'_>) {
    let name = reader.field(node, "name");
    if name.is_empty() {
        return;
    }
    let modifiers = Modifiers::of(node);
    let exported = !modifiers.private && reader.is_reachable();
    let body = node.child_by_field_name("body");
    reader.declare_from(modifiers.end, &Declaration { name, kind, node, body, exported });
}

fn method(node: Node<'_>, reader: &mut Reader<'_>) {
    if reader.field(node, "name") == "main" && Modifiers::of(node).fixed {
        reader.facts.marks.main = true;
    }
    declare(SymbolKind::Method, node, reader);
}

/// `static final` fields, and all fields of an interface.
fn field(node: Node<'_>, reader: &mut Reader<'_>) {
    let modifiers = Modifiers::of(node);
    let constant = node.kind() == "constant_declaration" || (modifiers.fixed && modifiers.last);
    if !constant || reader.in_function() {
        return;
    }
    let exported = !modifiers.private && reader.is_reachable();
    let declarators: Vec<Node<'_>> =
        node.children_by_field_name("declarator", &mut node.walk()).collect();
    for declarator in declarators {
        let name = reader.field(declarator, "name");
        let body = declarator.child_by_field_name("value");
        reader.leave();
        let declaration = Declaration { name, kind: SymbolKind::Constant, node, body, exported };
        reader.declare_from(modifiers.end, &declaration);
    }
}

struct Modifiers {
    private: bool,
    /// `static`
    fixed: bool,
    /// `final`
    last: bool,
    /// Where the annotations end and the signature begins.
    end: usize,
}

impl Modifiers {
    fn of(node: Node<'_>) -> Modifiers {
        let mut found =
            Modifiers { private: false, fixed: false, last: false, end: node.start_byte() };
        let Some(modifiers) = node.child(0).filter(|child| child.kind() == "modifiers") else {
            return found;
        };
        let mut annotations = true;
        for modifier in modifiers.children(&mut modifiers.walk()) {
            match modifier.kind() {
                "annotation" | "marker_annotation" => {
                    if annotations {
                        found.end = modifier.end_byte();
                    }
                    continue;
                }
                "private" => found.private = true,
                "static" => found.fixed = true,
                "final" => found.last = true,
                _ => {}
            }
            annotations = false;
        }
        found
    }
}

fn bases(node: Node<'_>, reader: &mut Reader<'_>) {
    let list = node.named_child(0).filter(|child| child.kind() == "type_list").unwrap_or(node);
    let bases: Vec<Node<'_>> = list.named_children(&mut list.walk()).collect();
    let named: Vec<Node<'_>> = bases
        .into_iter()
        .filter_map(|base| type_reference(ReferenceKind::Inherit, base, reader))
        .collect();
    named.into_iter().rev().for_each(|base| reader.skip(base));
}

/// `C`, `a.b.C`, `A.C` or `C<T>` as a reference. Gives the node without type arguments: it needs no second look.
fn type_reference<'n>(
    kind: ReferenceKind,
    node: Node<'n>,
    reader: &mut Reader<'_>,
) -> Option<Node<'n>> {
    let node = match node.kind() {
        "generic_type" => node.named_child(0)?,
        _ => node,
    };
    match node.kind() {
        "type_identifier" => reader.type_name(kind, node, false),
        "scoped_type_identifier" => reader.type_name(kind, node, true),
        _ => return None,
    }
    Some(node)
}

/// `C` of `C.FIELD` or `C::method` is a class by the way it is written.
fn static_access(object: Node<'_>, reader: &mut Reader<'_>) {
    let name = reader.text(object);
    if object.kind() == "identifier" && name.starts_with(char::is_uppercase) {
        reader.reference(ReferenceKind::Type, "", name, object);
    }
}

fn call(node: Node<'_>, reader: &mut Reader<'_>) {
    let Some(name) = node.child_by_field_name("name") else { return };
    let object = node.child_by_field_name("object");
    if object.is_some() {
        reader.skip(name);
    }
    let qualifier = object.map_or("", |object| reader.text(object));
    reader.reference(ReferenceKind::Call, qualifier, reader.text(name), node);
}

fn annotation(node: Node<'_>, reader: &mut Reader<'_>) {
    let name = reader.field(node, "name");
    let (qualifier, name) = name.rsplit_once('.').unwrap_or(("", name));
    if name.ends_with("Test") {
        reader.facts.marks.tests = true;
    }
    if !matches!(name, "Override" | "Deprecated" | "SuppressWarnings" | "FunctionalInterface") {
        reader.reference(ReferenceKind::Type, qualifier, name, node);
    }
}

fn import(node: Node<'_>, reader: &mut Reader<'_>) {
    let wildcard = node.children(&mut node.walk()).any(|child| child.kind() == "asterisk");
    let path =
        node.named_children(&mut node.walk()).find(|child| child.kind().ends_with("identifier"));
    let path = without_spaces(path.map_or("", |path| reader.text(path)));
    let (specifier, name, local) = match path.rsplit_once('.') {
        Some((specifier, name)) if !wildcard => (specifier, name, name),
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
        expected.assert_eq(&shown(Language::Java, text));
    }

    const SAMPLE: &str = r#"// A licence.
package com.example.store;

import java.util.List;
import java.util.concurrent.*;
import static org.junit.Assert.fail;
import static com.example.Tools.*;

/**
 * Keeps things.
 */
@Deprecated
@Named(value = "x")
public abstract class Store<T extends Item> extends Base<T> implements Closeable, io.Named<Key> {
    public static final int MAX = 1, MIN = compute();
    private static final String SECRET = "x";
    private List<T> items;

    static { fail("never"); }

    public Store(int size) { super(size); this.items = Lists.of(size); }

    // Picks one.
    @Test(timeout = 1)
    public <R> List<R> pick(Map.Entry<String, R> entry, int... rest) throws IOException {
        if (rest.length > MAX && ready() || entry == null) {
            for (int i = 0; i < 3; i++) { work(i); }
        }
        switch (rest.length) { case 1: case 2: break; default: }
        try { entry.key.go(Kind.ROUND); } catch (Error e) { throw new a.b.Failure(e); }
        items.stream().map(Item::name).fail();
        return new ArrayList<R>() { void inner() {} };
    }

    abstract void later();

    private interface Hidden extends A, B { int K = 1; void run(); }
    enum Kind implements Shape { ROUND, FLAT { void bend() {} }; Kind() {} }
    protected record Point(int x, int y) { Point { check(x); } }
    @interface Named { String value() default ""; }

    public static void main(String[] args) {}
}
"#;

    #[test]
    fn ix2_symbols() {
        check(
            SAMPLE,
            &expect![[r#"
                +class Store 12..43 `public abstract class Store<T extends Item> extends Base<T> implements Closeable, io.Named<Key>` doc "Keeps things."
                +constant MAX in Store 15..15 `public static final int MAX`
                +constant MIN in Store 15..15 `public static final int MAX = 1, MIN`
                -constant SECRET in Store 16..16 `private static final String SECRET`
                +method Store in Store 21..21 `public Store(int size)`
                +method pick in Store 24..33 `public <R> List<R> pick(Map.Entry<String, R> entry, int... rest) throws IOException` complexity 8 doc "Picks one."
                -method inner in pick 32..32 `void inner()`
                +method later in Store 35..35 `abstract void later()`
                -interface Hidden in Store 37..37 `private interface Hidden extends A, B`
                -constant K in Hidden 37..37 `int K`
                -method run in Hidden 37..37 `void run()`
                +enum Kind in Store 38..38 `enum Kind implements Shape`
                +method bend in Kind 38..38 `void bend()`
                +method Kind in Kind 38..38 `Kind()`
                +class Point in Store 39..39 `protected record Point(int x, int y)`
                +method Point in Point 39..39 `Point`
                +interface Named in Store 40..40 `@interface Named`
                +method value in Named 40..40 `String value() default ""`
                +method main in Store 42..42 `public static void main(String[] args)`
                import Static `java.util` [List] uses 2
                import Static `java.util.concurrent` [* as ] uses 0
                import Static `org.junit.Assert` [fail] uses 1
                import Static `com.example.Tools` [* as ] uses 0
                Type Named from Store
                Type T from Store x3
                Type Item from Store
                Inherit Base from Store
                Inherit Closeable from Store
                Inherit io . Named from Store
                Type Key from Store
                Call compute from MIN
                Type String from SECRET
                Type List from Store
                Call fail from Store
                Call Lists . of from Store
                Type Test from pick
                Type R from pick x4
                Type List from pick
                Type Map . Entry from pick
                Type String from pick
                Type IOException from pick
                Call ready from pick
                Call work from pick
                Call entry.key . go from pick
                Type Kind from pick
                Type Error from pick
                New a.b . Failure from pick
                Call ? . fail from pick
                Call ? . map from pick
                Call items . stream from pick
                Type Item from pick
                New ArrayList from pick
                Inherit A from Hidden
                Inherit B from Hidden
                Inherit Shape from Kind
                Call check from Point
                Type String from value
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
            "package a;\nclass Good { void f() { if ( } }\nclass { }\nclass Also { int g( { } void h() {} }\n",
            &expect![[r#"
                +class Good 2..2 `class Good`
                +method f in Good 2..2 `void f()`
                +class Also 4..4 `class Also`
                +method g in Also 4..4 `int g(`
                +method h in Also 4..4 `void h()`
                package a
                syntax errors 3
            "#]],
        );
    }
}
