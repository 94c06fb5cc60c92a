//! C#.
//!
//! `using A.B;` and `using static A.B;` have the specifier `A.B` and the name `*`; `using C = A.B.C;` has `A.B` and the name
//! `C`. The file's package is its first namespace. Files of a namespace see each other without an import, so the types
//! that are mentioned are references too. Of the fields only constants are symbols; properties and events all are.

use std::sync::LazyLock;

use tree_sitter::Node;

use crate::facts::{Facts, ReferenceKind, SymbolKind};
use crate::language::Language;
use crate::tree::{Below, Declaration, Grammar, Reader, without_spaces};

#[derive(Clone, Copy, Default, PartialEq)]
enum Kind {
    #[default]
    Other,
    Namespace,
    Using,
    Symbol(SymbolKind),
    Operator,
    Field,
    Bases,
    /// A node with a type in its field `type` or `returns`.
    Typed,
    TypeArguments,
    TypeTest,
    Call,
    New,
    Member,
    Attribute,
    TopStatement,
    Arm,
    Decision,
    Comment,
    Name,
}

static GRAMMAR: LazyLock<Grammar<Kind>> = LazyLock::new(|| {
    Grammar::new(
        tree_sitter_c_sharp::LANGUAGE,
        &[
            ("namespace_declaration", Kind::Namespace),
            ("file_scoped_namespace_declaration", Kind::Namespace),
            ("using_directive", Kind::Using),
            ("class_declaration", Kind::Symbol(SymbolKind::Class)),
            ("record_declaration", Kind::Symbol(SymbolKind::Class)),
            ("struct_declaration", Kind::Symbol(SymbolKind::Struct)),
            ("interface_declaration", Kind::Symbol(SymbolKind::Interface)),
            ("enum_declaration", Kind::Symbol(SymbolKind::Enum)),
            ("delegate_declaration", Kind::Symbol(SymbolKind::Type)),
            ("method_declaration", Kind::Symbol(SymbolKind::Method)),
            ("constructor_declaration", Kind::Symbol(SymbolKind::Method)),
            ("local_function_statement", Kind::Symbol(SymbolKind::Function)),
            ("property_declaration", Kind::Symbol(SymbolKind::Variable)),
            ("event_declaration", Kind::Symbol(SymbolKind::Variable)),
            ("destructor_declaration", Kind::Operator),
            ("indexer_declaration", Kind::Operator),
            ("operator_declaration", Kind::Operator),
            ("conversion_operator_declaration", Kind::Operator),
            ("field_declaration", Kind::Field),
            ("event_field_declaration", Kind::Field),
            ("base_list", Kind::Bases),
            ("variable_declaration", Kind::Typed),
            ("parameter", Kind::Typed),
            ("array_type", Kind::Typed),
            ("nullable_type", Kind::Typed),
            ("cast_expression", Kind::Typed),
            ("typeof_expression", Kind::Typed),
            ("catch_declaration", Kind::Typed),
            ("declaration_pattern", Kind::Typed),
            ("type_parameter_constraint", Kind::Typed),
            ("type_argument_list", Kind::TypeArguments),
            ("as_expression", Kind::TypeTest),
            ("is_expression", Kind::TypeTest),
            ("invocation_expression", Kind::Call),
            ("object_creation_expression", Kind::New),
            ("member_access_expression", Kind::Member),
            ("attribute", Kind::Attribute),
            ("global_statement", Kind::TopStatement),
            ("switch_section", Kind::Arm),
            ("switch_expression_arm", Kind::Arm),
            ("if_statement", Kind::Decision),
            ("for_statement", Kind::Decision),
            ("foreach_statement", Kind::Decision),
            ("while_statement", Kind::Decision),
            ("do_statement", Kind::Decision),
            ("catch_clause", Kind::Decision),
            ("conditional_expression", Kind::Decision),
            ("&&", Kind::Decision),
            ("||", Kind::Decision),
            ("??", Kind::Decision),
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
        Kind::Namespace => {
            if reader.facts.package.is_none() {
                reader.facts.package = Some(without_spaces(reader.field(node, "name")).into());
            }
            node.child_by_field_name("name").into_iter().for_each(|name| reader.skip(name));
        }
        Kind::Using => {
            using(node, reader);
            return Below::Skip;
        }
        Kind::Symbol(kind) => symbol(kind, node, reader),
        Kind::Operator => operator(node, reader),
        Kind::Field => field(node, reader),
        Kind::Bases => {
            for base in node.named_children(&mut node.walk()) {
                let base = base.child_by_field_name("type").unwrap_or(base);
                type_reference(ReferenceKind::Inherit, base, reader);
            }
        }
        Kind::Typed => typed(node, reader),
        Kind::TypeArguments => {
            for argument in node.named_children(&mut node.walk()) {
                type_reference(ReferenceKind::Type, argument, reader);
            }
        }
        Kind::TypeTest => {
            if let Some(tested) = node.child_by_field_name("right") {
                type_reference(ReferenceKind::Type, tested, reader);
            }
        }
        Kind::Call => call(node, reader),
        Kind::New => {
            if let Some(made) = node.child_by_field_name("type") {
                type_reference(ReferenceKind::New, made, reader);
            }
        }
        Kind::Member => member(node, reader),
        Kind::Attribute => attribute(node, reader),
        Kind::TopStatement => {
            let declares =
                node.named_child(0).is_some_and(|child| child.kind() == "local_function_statement");
            reader.facts.marks.main |= !declares;
        }
        Kind::Arm => {
            let first = node.child(0).map_or("", |child| child.kind());
            if !matches!(first, "default" | "discard") {
                reader.decision();
            }
        }
        Kind::Decision => reader.decision(),
        Kind::Comment => reader.comment(node, reader.text(node).starts_with("///")),
        Kind::Name => reader.name(node),
    }
    Below::Walk
}

fn symbol(kind: SymbolKind, node: Node<'_>, reader: &mut Reader<'_>) {
    let name = reader.field(node, "name");
    let kind = match kind {
        SymbolKind::Class
            if node.children(&mut node.walk()).any(|child| child.kind() == "struct") =>
        {
            SymbolKind::Struct
        }
        _ => kind,
    };
    if name == "Main" && has_modifier(node, &["static"], reader) {
        reader.facts.marks.main = true;
    }
    declare(name, kind, node, reader);
    typed(node, reader);
}

/// Members that the language names by a sign.
fn operator(node: Node<'_>, reader: &mut Reader<'_>) {
    let name = match node.kind() {
        "destructor_declaration" => format!("~{}", reader.field(node, "name")),
        "indexer_declaration" => "this".to_owned(),
        "operator_declaration" => format!("operator {}", reader.field(node, "operator")),
        _ => format!("operator {}", reader.field(node, "type")),
    };
    declare(&name, SymbolKind::Method, node, reader);
    typed(node, reader);
}

/// `const` and `static readonly` fields, and all events.
fn field(node: Node<'_>, reader: &mut Reader<'_>) {
    let constant = has_modifier(node, &["const"], reader)
        || (has_modifier(node, &["static"], reader) && has_modifier(node, &["readonly"], reader));
    let kind = match node.kind() {
        "event_field_declaration" => SymbolKind::Variable,
        _ if constant => SymbolKind::Constant,
        _ => return,
    };
    let list =
        node.named_children(&mut node.walk()).find(|child| child.kind() == "variable_declaration");
    let Some(list) = list else { return };
    let names: Vec<Node<'_>> = list
        .named_children(&mut list.walk())
        .filter(|child| child.kind() == "variable_declarator")
        .collect();
    for name in names {
        reader.leave();
        let equals = name.children(&mut name.walk()).find(|child| child.kind() == "=");
        declare_with(reader.field(name, "name"), kind, node, equals, reader);
    }
}

fn declare(name: &str, kind: SymbolKind, node: Node<'_>, reader: &mut Reader<'_>) {
    let body =
        ["body", "accessors", "value"].iter().find_map(|&field| node.child_by_field_name(field));
    declare_with(name, kind, node, body, reader);
}

fn declare_with(
    name: &str,
    kind: SymbolKind,
    node: Node<'_>,
    body: Option<Node<'_>>,
    reader: &mut Reader<'_>,
) {
    if name.is_empty() {
        return;
    }
    let exported =
        kind != SymbolKind::Function && is_visible(node, reader) && reader.is_reachable();
    let mut cursor = node.walk();
    let attributes =
        node.children(&mut cursor).take_while(|child| child.kind() == "attribute_list").last();
    let start = attributes.map_or(node.start_byte(), |attributes| attributes.end_byte());
    let symbol = reader.declare_from(start, &Declaration { name, kind, node, body, exported });
    let doc = &reader.facts.symbols[symbol as usize].doc;
    if doc.contains("<summary>") {
        let doc = doc.replace("<summary>", "").replace("</summary>", "");
        reader.set_doc(symbol, &doc);
    }
}

/// A type is seen by the whole assembly unless it says otherwise; a member of a class is not.
fn is_visible(node: Node<'_>, reader: &Reader<'_>) -> bool {
    match reader.scope_kind() {
        None => !has_modifier(node, &["private", "file"], reader),
        Some(SymbolKind::Interface) => true,
        Some(_) => {
            has_modifier(node, &["public", "internal", "protected"], reader)
                || node
                    .children(&mut node.walk())
                    .any(|child| child.kind() == "explicit_interface_specifier")
        }
    }
}

fn has_modifier(node: Node<'_>, words: &[&str], reader: &Reader<'_>) -> bool {
    node.children(&mut node.walk())
        .any(|child| child.kind() == "modifier" && words.contains(&reader.text(child)))
}

fn typed(node: Node<'_>, reader: &mut Reader<'_>) {
    for field in ["type", "returns"] {
        if let Some(named) = node.child_by_field_name(field) {
            type_reference(ReferenceKind::Type, named, reader);
        }
    }
}

/// `C`, `A.B.C` or `C<T>`; arrays, arguments and their like are seen when the walk gets to them.
fn type_reference(kind: ReferenceKind, node: Node<'_>, reader: &mut Reader<'_>) {
    match node.kind() {
        "identifier" => reader.reference(kind, "", reader.text(node), node),
        "generic_name" => {
            if let Some(name) = node.named_child(0) {
                reader.reference(kind, "", reader.text(name), node);
            }
        }
        "qualified_name" => {
            let name =
                node.child_by_field_name("name").map_or("", |name| simple_name(name, reader));
            reader.reference(kind, reader.field(node, "qualifier"), name, node);
        }
        _ => {}
    }
}

fn simple_name<'t>(node: Node<'_>, reader: &Reader<'t>) -> &'t str {
    match node.kind() {
        "generic_name" => node.named_child(0).map_or("", |name| reader.text(name)),
        _ => reader.text(node),
    }
}

fn call(node: Node<'_>, reader: &mut Reader<'_>) {
    let Some(function) = node.child_by_field_name("function") else { return };
    let (qualifier, name) = match function.kind() {
        "identifier" | "generic_name" => ("", Some(function)),
        "member_access_expression" => {
            (reader.field(function, "expression"), function.child_by_field_name("name"))
        }
        "conditional_access_expression" => {
            let binding =
                function.named_child(1).and_then(|binding| binding.child_by_field_name("name"));
            (reader.field(function, "condition"), binding)
        }
        _ => return,
    };
    let name = name.map_or("", |name| simple_name(name, reader));
    if !(qualifier.is_empty() && name == "nameof") {
        reader.reference(ReferenceKind::Call, qualifier, name, node);
    }
}

/// `a.B`: `B` cannot be the name of an import, and `A` is a type by the way it is written.
fn member(node: Node<'_>, reader: &mut Reader<'_>) {
    if let Some(object) = node.child_by_field_name("expression") {
        let text = reader.text(object);
        if object.kind() == "identifier" && text.starts_with(char::is_uppercase) {
            reader.reference(ReferenceKind::Type, "", text, object);
        }
    }
    if let Some(name) = node.child_by_field_name("name")
        && name.kind() == "identifier"
    {
        reader.skip(name);
    }
}

fn attribute(node: Node<'_>, reader: &mut Reader<'_>) {
    let path = reader.field(node, "name");
    let (qualifier, name) = path.rsplit_once('.').unwrap_or(("", path));
    if matches!(name, "Test" | "TestCase" | "TestMethod" | "Fact" | "Theory") {
        reader.facts.marks.tests = true;
    }
    reader.reference(ReferenceKind::Type, qualifier, name, node);
}

fn using(node: Node<'_>, reader: &mut Reader<'_>) {
    let alias = node.child_by_field_name("name");
    let path = node
        .named_children(&mut node.walk())
        .filter(|child| Some(child.id()) != alias.map(|alias| alias.id()))
        .last();
    let path = without_spaces(path.map_or("", |path| reader.text(path)));
    let alias = alias.map(|alias| reader.text(alias));
    let (specifier, name, local) = match (alias, path.rsplit_once('.')) {
        (Some(alias), Some((specifier, name))) => (specifier, name, alias),
        (alias, _) => (&*path, "*", alias.unwrap_or_default()),
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
        expected.assert_eq(&shown(Language::CSharp, text));
    }

    const SAMPLE: &str = r#"using System.Collections.Generic;
using static System.Math;
using Things = Example.Tools.Thing;

namespace Example.Stores
{
    /// <summary>Keeps things.</summary>
    [Serializable]
    public partial class Store<T> : Base<T>, Example.INamed where T : Item
    {
        public const int Max = 1, Min = 2;
        private static readonly string Secret = Make();
        private int count;
        public event EventHandler Changed;
        public int Size { get; private set; }
        public Item First => items.First();
        public int this[int i] { get { return 1; } }

        public Store(int size) : base(size) { }
        ~Store() { }

        // Picks one.
        [Test, TestCase(1)]
        public async Task<List<R>> Pick<R>(Things things, params Item[] rest)
        {
            if (rest.Length > Max && Ready() || things == null) { }
            foreach (var item in rest) { item.Kind?.Go(Kind.Round); }
            switch (count) { case 1: case 2: break; default: break; }
            var q = count switch { 1 => 2, _ => 3 };
            try { Tools.Run<int>(things ?? rest); } catch (Failure e) { }
            Item? made = new Item<Key>(1) { Name = nameof(made) };
            int Local(int z) => z;
            return (Wanted)made as Other;
        }

        public static Store operator +(Store a, Store b) => a;
        public static implicit operator int(Store a) => 1;
        void INamed.Explicit() { }
        int Hidden() => 1;

        internal enum Kind : byte { Round, Flat }
        protected struct Bits { }
        public record Point(int X) : Shape(X);
        record struct Pair(int X);
        public interface IInner : IA { void Run(); int Width { get; } }
        public delegate void Changing(Item item);

        static void Main(string[] args) { }
    }

    file class Local { }
}
"#;

    #[test]
    fn ix2_symbols() {
        check(
            SAMPLE,
            &expect![[r#"
                +class Store 8..49 `public partial class Store<T> : Base<T>, Example.INamed where T : Item` doc "Keeps things."
                +constant Max in Store 11..11 `public const int Max`
                +constant Min in Store 11..11 `public const int Max = 1, Min`
                -constant Secret in Store 12..12 `private static readonly string Secret`
                +variable Changed in Store 14..14 `public event EventHandler Changed`
                +variable Size in Store 15..15 `public int Size`
                +variable First in Store 16..16 `public Item First`
                +method this in Store 17..17 `public int this[int i]`
                +method Store in Store 19..19 `public Store(int size) : base(size)`
                -method ~Store in Store 20..20 `~Store()`
                +method Pick in Store 23..34 `public async Task<List<R>> Pick<R>(Things things, params Item[] rest)` complexity 10 doc "Picks one."
                -function Local in Pick 32..32 `int Local(int z)`
                +method operator + in Store 36..36 `public static Store operator +(Store a, Store b)`
                +method operator int in Store 37..37 `public static implicit operator int(Store a)`
                +method Explicit in Store 38..38 `void INamed.Explicit()`
                -method Hidden in Store 39..39 `int Hidden()`
                +enum Kind in Store 41..41 `internal enum Kind : byte`
                +struct Bits in Store 42..42 `protected struct Bits`
                +class Point in Store 43..43 `public record Point(int X) : Shape(X)`
                -struct Pair in Store 44..44 `record struct Pair(int X)`
                +interface IInner in Store 45..45 `public interface IInner : IA`
                +method Run in IInner 45..45 `void Run()`
                +variable Width in IInner 45..45 `int Width`
                +type Changing in Store 46..46 `public delegate void Changing(Item item)`
                -method Main in Store 48..48 `static void Main(string[] args)`
                -class Local 51..51 `file class Local`
                import Static `System.Collections.Generic` [* as ] uses 0
                import Static `System.Math` [* as ] uses 0
                import Static `Example.Tools` [Thing as Things] uses 1
                Type Serializable from Store
                Inherit Base from Store
                Inherit Example . INamed from Store
                Type T from Store
                Type Item from Store
                Call Make from Secret
                Type EventHandler from Changed
                Type Item from First
                Call items . First from First
                Type Task from Pick
                Type Test from Pick
                Type TestCase from Pick
                Type List from Pick
                Type R from Pick
                Type Things from Pick
                Type Item from Pick x2
                Call Ready from Pick
                Call item.Kind . Go from Pick
                Type Kind from Pick
                Call Tools . Run from Pick
                Type Tools from Pick
                Type Failure from Pick
                New Item from Pick
                Type Key from Pick
                Type Other from Pick
                Type Wanted from Pick
                Type Store from operator + x3
                Type Store from operator int
                Inherit Shape from Point
                Inherit IA from IInner
                Type Item from Changing
                package Example.Stores
                mark main
                mark tests
            "#]],
        );
    }

    #[test]
    fn ix2_top_level_statements_are_a_program() {
        check(
            "namespace A.B;\nusing X;\nclass C { }\nvoid Helper() { }\nConsole.WriteLine(1);\n",
            &expect![[r#"
                +class C 3..3 `class C`
                -function Helper 4..4 `void Helper()`
                import Static `X` [* as ] uses 0
                Call Console . WriteLine from top
                Type Console from top
                package A.B
                mark main
            "#]],
        );
    }

    #[test]
    fn ix2_broken_code_gives_what_it_can() {
        check(
            "namespace A {\n  class Good { void F() { if ( } }\n  class { }\n  class Also { int G( { } void H() { } }\n}\n",
            &expect![[r#"
                +class Good 2..2 `class Good`
                -method F in Good 2..2 `void F()`
                +class Also 4..4 `class Also`
                -variable G in Also 4..4 `int G(`
                -method H in Also 4..4 `void H()`
                package A
                syntax errors 2
            "#]],
        );
    }
}
