//! C++.
//!
//! On top of C: classes, namespaces, templates, members. A method that is defined outside its class (`A::b`) is named `b`
//! and has the class as its parent where the file holds it. Fields are left out, constants of a class are not.
//! A test of googletest is named as its reports do: `Suite.Name`.

mod macros;

use std::borrow::Cow;
use std::cell::{Cell, RefCell};
use std::sync::LazyLock;

use rb_core::Sha256;
use rustc_hash::FxHashSet;
use tree_sitter::Node;

use super::c;
use crate::facts::{Facts, ReferenceKind, SymbolKind};
use crate::language::Language;
use crate::tree::{Below, Declaration, Grammar, Reader};

#[derive(Clone, Copy, Default, PartialEq)]
enum Kind {
    #[default]
    Other,
    /// As in C.
    C(c::Kind),
    Class,
    Bases,
    Access,
    Namespace,
    Template,
    Friend,
    Alias,
    New,
}

static GRAMMAR: LazyLock<Grammar<Kind>> = LazyLock::new(|| {
    let common = c::KINDS.iter().map(|&(name, kind)| (name, Kind::C(kind)));
    let own = [
        ("class_specifier", Kind::Class),
        ("struct_specifier", Kind::Class),
        ("union_specifier", Kind::Class),
        ("base_class_clause", Kind::Bases),
        ("access_specifier", Kind::Access),
        ("namespace_definition", Kind::Namespace),
        ("template_declaration", Kind::Template),
        ("friend_declaration", Kind::Friend),
        ("alias_declaration", Kind::Alias),
        ("concept_definition", Kind::Alias),
        ("new_expression", Kind::New),
        ("for_range_loop", Kind::C(c::Kind::Decision)),
        ("catch_clause", Kind::C(c::Kind::Decision)),
    ];
    // What comes later wins.
    Grammar::new(tree_sitter_cpp::LANGUAGE, &common.chain(own).collect::<Vec<_>>())
});

/// What the walk has to remember of the file so far.
#[derive(Default)]
struct WalkState<'t> {
    /// Classes in whose private part the walk is.
    private: RefCell<FxHashSet<u32>>,
    /// Methods that their class declares as private.
    private_methods: RefCell<FxHashSet<(u32, &'t str)>>,
    /// Where the nameless namespace around the current node ends.
    hidden_until: Cell<usize>,
    /// The declaration that was taken together with its `template <…>`, and where it starts.
    templated: Cell<(usize, usize)>,
    lost: c::Lost,
}

pub(super) fn extract(_language: Language, text: &str) -> Facts {
    let seen = WalkState::default();
    let blanked = macros::blanked(text);
    let mut facts = GRAMMAR.read(&blanked, |kind, node, reader| visit(kind, node, reader, &seen));
    if let Cow::Owned(blanked) = &blanked {
        // A hash is that of the text as it is.
        for symbol in &mut facts.symbols {
            let range = symbol.span.start as usize..symbol.span.end as usize;
            let Some(real) = text.get(range.clone()) else { continue };
            if blanked.get(range) != Some(real) {
                symbol.hash = Sha256::of(real.as_bytes());
            }
        }
    }
    facts
}

fn visit<'t>(kind: Kind, node: Node<'_>, reader: &mut Reader<'t>, seen: &WalkState<'t>) -> Below {
    match kind {
        Kind::C(c::Kind::Call) => call(node, reader),
        Kind::C(c::Kind::Enumerator) => {
            c::enumerator(node, is_exported(node, reader, seen), reader);
        }
        Kind::C(c::Kind::Declarator) => seen.lost.find(node, reader),
        Kind::C(
            c::Kind::Function
            | c::Kind::Declaration
            | c::Kind::Field
            | c::Kind::Typedef
            | c::Kind::Aggregate,
        )
        | Kind::Class
        | Kind::Alias => {
            if node.id() != seen.templated.get().0 {
                declare(kind, node, node, reader, seen);
            }
        }
        Kind::C(common) => return c::visit_common(common, node, reader),
        Kind::Bases => bases(node, reader),
        Kind::Access => access(node, reader, seen),
        Kind::Namespace => namespace(node, reader, seen),
        Kind::Template => template(node, reader, seen),
        // `friend void f();` says who may look in; it declares nothing of this class.
        Kind::Friend => {
            let defines = (0..2)
                .filter_map(|at| node.named_child(at))
                .any(|child| child.kind() == "function_definition");
            return if defines { Below::Walk } else { Below::Skip };
        }
        Kind::New => {
            if let Some(class) = node.child_by_field_name("type") {
                let (qualifier, name) = path(class, reader);
                reader.reference(ReferenceKind::New, qualifier, name, node);
            }
        }
        Kind::Other => {}
    }
    Below::Walk
}

/// `whole` is the node with the `template <…>` before it, where there is one.
fn declare<'t>(
    kind: Kind,
    node: Node<'_>,
    whole: Node<'_>,
    reader: &mut Reader<'t>,
    seen: &WalkState<'t>,
) {
    let exported = is_exported(node, reader, seen);
    match kind {
        Kind::C(c::Kind::Function) => function(node, whole, exported, reader, seen),
        Kind::C(c::Kind::Declaration | c::Kind::Field) => {
            declaration(node, whole, exported, reader, seen);
        }
        Kind::C(c::Kind::Typedef) => {
            seen.lost.claim(node);
            c::typedef(node, exported, reader);
        }
        Kind::C(c::Kind::Aggregate) => {
            c::aggregate(node, exported, reader);
        }
        Kind::Class => class(node, whole, exported, reader, seen),
        Kind::Alias => {
            let name = reader.field(node, "name");
            let kind = SymbolKind::Type;
            reader.declare(&Declaration { name, kind, node: whole, body: None, exported });
        }
        _ => {}
    }
}

fn is_exported(node: Node<'_>, reader: &Reader<'_>, seen: &WalkState<'_>) -> bool {
    let private = reader.scope().is_some_and(|scope| seen.private.borrow().contains(&scope));
    !private && node.start_byte() >= seen.hidden_until.get() && c::holds_declarations(reader)
}

fn function<'t>(
    node: Node<'_>,
    whole: Node<'_>,
    exported: bool,
    reader: &mut Reader<'t>,
    seen: &WalkState<'t>,
) {
    let Some(declarator) = node.child_by_field_name("declarator") else { return };
    seen.lost.claim(declarator);
    let Some(declared) = c::declared(declarator) else { return };
    let (qualifier, name) = path(declared.name, reader);
    if c::is_keyword(name) || (macros::is_macro(name) && c::is_inside_function(node, reader)) {
        return;
    }
    let parameters = declared_parameters(node, reader);
    let test = (node.child_by_field_name("type").is_none() && is_test_macro(name))
        .then(|| parameters.split(',').map(str::trim).collect::<Vec<_>>().join("."));
    reader.facts.marks.tests |= test.is_some();
    reader.facts.marks.main |= name == "main" && qualifier.is_empty();
    let owner = Owner::of(qualifier, reader);
    let is_static = c::specifiers(node, reader).is_static && !owner.is_class;
    let is_private =
        owner.symbol.is_some_and(|class| seen.private_methods.borrow().contains(&(class, name)));
    let misplaced = c::is_misplaced(node, reader);
    let mut cursor = node.walk();
    let initializers =
        node.children(&mut cursor).find(|child| child.kind() == "field_initializer_list");
    let symbol = reader.declare(&Declaration {
        name: test.as_deref().unwrap_or(name),
        kind: if owner.is_class { SymbolKind::Method } else { SymbolKind::Function },
        node: whole,
        body: initializers.or_else(|| node.child_by_field_name("body")),
        exported: (exported || misplaced) && !is_static && !is_private,
    });
    if misplaced {
        reader.facts.symbols[symbol as usize].parent = None;
    }
    owner.adopt(symbol, reader);
}

/// Prototypes, variables and constants; of the fields of a class only the constants.
fn declaration<'t>(
    node: Node<'_>,
    whole: Node<'_>,
    exported: bool,
    reader: &mut Reader<'t>,
    seen: &WalkState<'t>,
) {
    seen.lost.claim(node);
    if !c::holds_declarations(reader) || seen.lost.around(node) {
        return;
    }
    let specifiers = c::specifiers(node, reader);
    let in_class = is_class(reader.scope_kind());
    let class = reader.scope().filter(|_| in_class);
    c::for_each_declarator(node, reader, |declarator, node_or_part, reader| {
        let declared = c::declared(declarator)?;
        let (qualifier, name) = path(declared.name, reader);
        let owner = Owner::of(qualifier, reader);
        let kind = match declared.what {
            c::What::Function if owner.is_class => SymbolKind::Method,
            c::What::Function => SymbolKind::Function,
            c::What::Value if specifiers.is_const && (!in_class || specifiers.is_static) => {
                SymbolKind::Constant
            }
            _ if in_class => return None,
            _ => SymbolKind::Variable,
        };
        if c::is_keyword(name) {
            return None;
        }
        let node = if node_or_part == node { whole } else { node_or_part };
        let exported = exported && (in_class || !specifiers.is_static);
        let body = c::list_value(declarator);
        if let (false, Some(class)) = (exported, class) {
            seen.private_methods.borrow_mut().insert((class, name));
        }
        Some(reader.declare(&Declaration { name, kind, node, body, exported }))
    });
}

fn class<'t>(
    node: Node<'_>,
    whole: Node<'_>,
    exported: bool,
    reader: &mut Reader<'t>,
    seen: &WalkState<'t>,
) {
    let Some(body) = node.child_by_field_name("body") else { return };
    let Some(name) = node.child_by_field_name("name") else { return };
    let (_, name) = path(name, reader);
    let kind = c::kind_of_aggregate(node);
    let symbol =
        reader.declare(&Declaration { name, kind, node: whole, body: Some(body), exported });
    if kind == SymbolKind::Class {
        seen.private.borrow_mut().insert(symbol);
    }
}

/// The class that a function belongs to: by what stands before its name, or by where it stands.
struct Owner {
    is_class: bool,
    symbol: Option<u32>,
}

impl Owner {
    fn of(qualifier: &str, reader: &Reader<'_>) -> Owner {
        if qualifier.is_empty() {
            return Owner { is_class: is_class(reader.scope_kind()), symbol: None };
        }
        let without_arguments = qualifier.split('<').next().unwrap_or_default();
        let last = without_arguments.rsplit("::").next().unwrap_or_default();
        let symbol = reader.declared_type(last);
        let is_namespace = symbol
            .is_some_and(|symbol| reader.facts.symbols[symbol as usize].kind == SymbolKind::Module);
        Owner { is_class: !is_namespace, symbol }
    }

    fn adopt(&self, symbol: u32, reader: &mut Reader<'_>) {
        if self.symbol.is_some() {
            reader.facts.symbols[symbol as usize].parent = self.symbol;
        }
    }
}

fn is_class(kind: Option<SymbolKind>) -> bool {
    matches!(kind, Some(SymbolKind::Class | SymbolKind::Struct | SymbolKind::Type))
}

fn bases(node: Node<'_>, reader: &mut Reader<'_>) {
    let mut cursor = node.walk();
    for base in node.named_children(&mut cursor) {
        if matches!(base.kind(), "type_identifier" | "qualified_identifier" | "template_type") {
            let (qualifier, name) = path(base, reader);
            reader.reference(ReferenceKind::Inherit, qualifier, name, base);
        }
    }
}

fn access(node: Node<'_>, reader: &Reader<'_>, seen: &WalkState<'_>) {
    let Some(class) = reader.scope() else { return };
    // `protected` members can be named by classes of other files.
    if reader.text(node).starts_with("private") {
        seen.private.borrow_mut().insert(class);
    } else {
        seen.private.borrow_mut().remove(&class);
    }
}

fn namespace(node: Node<'_>, reader: &mut Reader<'_>, seen: &WalkState<'_>) {
    let name = reader.field(node, "name");
    if name.is_empty() {
        seen.hidden_until.set(seen.hidden_until.get().max(node.end_byte()));
        return;
    }
    let exported = is_exported(node, reader, seen);
    let body = node.child_by_field_name("body");
    reader.declare(&Declaration { name, kind: SymbolKind::Module, node, body, exported });
}

fn template<'t>(node: Node<'_>, reader: &mut Reader<'t>, seen: &WalkState<'t>) {
    // `template <> template <…>` was seen through from the outer one.
    if node.start_byte() < seen.templated.get().1 {
        return;
    }
    let mut inner = node;
    while inner.kind() == "template_declaration" {
        let last = u32::try_from(inner.named_child_count()).unwrap_or_default().saturating_sub(1);
        let Some(child) = inner.named_child(last) else { return };
        inner = child;
    }
    seen.templated.set((inner.id(), inner.start_byte()));
    let kind = match inner.kind() {
        "function_definition" => Kind::C(c::Kind::Function),
        "declaration" => Kind::C(c::Kind::Declaration),
        "class_specifier" | "struct_specifier" | "union_specifier" => Kind::Class,
        "alias_declaration" | "concept_definition" => Kind::Alias,
        _ => {
            seen.templated.set((0, inner.start_byte()));
            return;
        }
    };
    declare(kind, inner, node, reader, seen);
}

fn call(node: Node<'_>, reader: &mut Reader<'_>) {
    let Some(function) = node.child_by_field_name("function") else { return };
    let (qualifier, name) = match function.kind() {
        "identifier" | "qualified_identifier" | "template_function" => path(function, reader),
        "field_expression" => {
            let Some(field) = function.child_by_field_name("field") else { return };
            (reader.field(function, "argument"), path(field, reader).1)
        }
        _ => return,
    };
    reader.facts.marks.tests |= is_test_macro(name) && qualifier.is_empty();
    reader.reference(ReferenceKind::Call, qualifier, name, node);
}

/// `a::b` and `c` of `a::b::c<int>`.
fn path<'t>(node: Node<'_>, reader: &Reader<'t>) -> (&'t str, &'t str) {
    let mut last = node;
    loop {
        last = match last.kind() {
            "qualified_identifier" | "template_type" | "template_function" | "template_method" => {
                match last.child_by_field_name("name") {
                    Some(name) => name,
                    None => break,
                }
            }
            _ => break,
        };
    }
    let before = reader.text.get(node.start_byte()..last.start_byte()).unwrap_or_default();
    let end = match last.kind() {
        // `operator bool` without its parameters.
        "operator_cast" => {
            let from = last.child_by_field_name("type").unwrap_or(last).end_byte();
            let rest = reader.text.get(from..last.end_byte()).unwrap_or_default();
            from + rest.find('(').unwrap_or(rest.len())
        }
        _ => last.end_byte(),
    };
    let name = reader.text.get(last.start_byte()..end).unwrap_or_default();
    (before.trim_end().trim_end_matches("::"), name.trim_end())
}

/// `Suite, Name` of `TEST(Suite, Name)`.
fn declared_parameters<'t>(node: Node<'_>, reader: &Reader<'t>) -> &'t str {
    node.child_by_field_name("declarator")
        .map_or("", |declarator| reader.field(declarator, "parameters"))
        .trim_matches(['(', ')'])
}

fn is_test_macro(name: &str) -> bool {
    matches!(
        name,
        "TEST"
            | "TEST_F"
            | "TEST_P"
            | "TYPED_TEST"
            | "TYPED_TEST_P"
            | "TEST_CASE"
            | "SCENARIO"
            | "TEST_CASE_METHOD"
            | "BOOST_AUTO_TEST_CASE"
            | "BOOST_FIXTURE_TEST_CASE"
    )
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};

    use super::*;
    use crate::languages::shown;

    #[track_caller]
    fn check(text: &str, expected: &Expect) {
        expected.assert_eq(&shown(Language::Cpp, text));
    }

    #[test]
    fn ix2_classes() {
        check(
            r#"#include <vector>
namespace a::b {
/// Holds things.
template <typename T>
class Foo : public Base<T>, private ns::Other {
  int x_ = 3;
  void priv();
 public:
  static constexpr int kMax = 3;
  explicit Foo(int a) : x_(a) {}
  Foo() = default;
  virtual ~Foo();
  bool operator==(const Foo& o) const { return x_ == o.x_ && true; }
  operator bool() const { return true; }
  T& get() { return this->load(); }
  // Puts.
  template <class U>
  void put(U u);
  virtual int pure() = 0;
  using Self = Foo;
  typedef int Int;
  struct Inner { int a; void deep(); };
  enum class E : int { A, B = 2 };
  friend void swap(Foo& a, Foo& b);
  friend class Bar;
  int (*fp)(int);
  static int count, more;
 protected:
  int kept();
 private:
  struct Hidden { };
};
template <typename T>
void Foo<T>::priv() {
  std::vector<int>(3); obj.run<int>(1); make<int>(2); ns::call(3);
  new Foo<int>(1); auto p = new ns::Other;
  for (auto x : y) { try { a->b.c(1); } catch (int e) { } }
  auto l = [&](int q) { int local = q ? 1 : 2; return local; };
}
template <> class Foo<int> {};
Foo::~Foo() {}
Foo::Foo(int x) : Base(x), a(x) {}
}  // namespace a::b
int a::b::C::go(int x) const { return x or 1; }
int C::total = 3;
C::operator bool() const { return true; }
"#,
            &expect![[r#"
                +module a::b 2..43 `namespace a::b`
                +class Foo in a::b 4..32 `template <typename T> class Foo : public Base<T>, private ns::Other` doc "Holds things."
                -method priv in Foo 7..7 `void priv()`
                +constant kMax in Foo 9..9 `static constexpr int kMax = 3`
                +method Foo in Foo 10..10 `explicit Foo(int a)`
                +method Foo in Foo 11..11 `Foo() = default`
                +method ~Foo in Foo 12..12 `virtual ~Foo()`
                +method operator== in Foo 13..13 `bool operator==(const Foo& o) const` complexity 2
                +method operator bool in Foo 14..14 `operator bool() const`
                +method get in Foo 15..15 `T& get()`
                +method put in Foo 17..18 `template <class U> void put(U u)` doc "Puts."
                +method pure in Foo 19..19 `virtual int pure() = 0`
                +type Self in Foo 20..20 `using Self = Foo`
                +type Int in Foo 21..21 `typedef int Int`
                +struct Inner in Foo 22..22 `struct Inner`
                +method deep in Inner 22..22 `void deep()`
                +enum E in Foo 23..23 `enum class E : int`
                +constant A in E 23..23 `A`
                +constant B in E 23..23 `B = 2`
                +method kept in Foo 29..29 `int kept()`
                -struct Hidden in Foo 31..31 `struct Hidden`
                -method priv in Foo 33..39 `template <typename T> void Foo<T>::priv()` complexity 4
                +class Foo in a::b 40..40 `template <> class Foo<int>`
                +method ~Foo in Foo 41..41 `Foo::~Foo()`
                +method Foo in Foo 42..42 `Foo::Foo(int x)`
                +method go 44..44 `int a::b::C::go(int x) const` complexity 2
                +variable total 45..45 `int C::total = 3`
                +method operator bool 46..46 `C::operator bool() const`
                import SystemInclude `vector` [] uses 0
                Inherit Base from Foo
                Inherit ns . Other from Foo
                Call this . load from get
                Call std . vector from priv
                Call obj . run from priv
                Call make from priv
                Call ns . call from priv
                New Foo from priv
                New ns . Other from priv
                Call a->b . c from priv
            "#]],
        );
    }

    #[test]
    fn ix2_namespaces_and_functions() {
        check(
            r#"namespace { int hidden; void quiet(); class Secret {}; }
namespace util { int shown(); }
int util::shown() { return 1; }
std::ostream& operator<<(std::ostream& o, const Foo& f) { return o; }
template <typename T> using Vec = std::vector<T>;
template <typename T> concept Named = requires(T t) { t.name; };
template <typename T> template <typename U> T pick(U u) { return u; }
extern "C" { int c_fn(void); }
constexpr int kA = 1;
static int counter;
auto handler = [](int x) { int inner = x; return inner; };
auto f() -> int;
class Fwd;
LIB_BEGIN_NAMESPACE
/// Shown to all.
class LIB_EXPORT Window final : public Base {
 public:
  LIB_NODISCARD int width() const;
};
TEST(Suite, Name) { EXPECT_EQ(1, 2); }
int main() { return f(); }
"#,
            &expect![[r#"
                -variable hidden 1..1 `int hidden`
                -function quiet 1..1 `void quiet()`
                -class Secret 1..1 `class Secret`
                +module util 2..2 `namespace util`
                +function shown in util 2..2 `int shown()`
                +function shown in util 3..3 `int util::shown()`
                +function operator<< 4..4 `std::ostream& operator<<(std::ostream& o, const Foo& f)`
                +type Vec 5..5 `template <typename T> using Vec = std::vector<T>`
                +type Named 6..6 `template <typename T> concept Named = requires(T t) { t.name; }`
                +function pick 7..7 `template <typename T> template <typename U> T pick(U u)`
                +function c_fn 8..8 `int c_fn(void)`
                +constant kA 9..9 `constexpr int kA = 1`
                -variable counter 10..10 `static int counter`
                +variable handler 11..11 `auto handler`
                +function f 12..12 `auto f() -> int`
                +class Window 16..19 `class Window final : public Base` doc "Shown to all."
                +method width in Window 18..18 `int width() const`
                +function Suite.Name 20..20 `TEST(Suite, Name)`
                +function main 21..21 `int main()`
                Inherit Base from Window
                Call EXPECT_EQ from Suite.Name
                Call f from main
                mark main
                mark tests
            "#]],
        );
    }

    #[test]
    fn ix2_broken_code_gives_what_it_can() {
        check(
            "class A {\n  void f();\n  int (\n};\nvoid A::f() { g(; }\nnamespace n {\nint h() { return 1; }\n",
            &expect![[r#"
                +class A 1..4 `class A`
                -method f in A 2..2 `void f()`
                -method f in A 5..5 `void A::f()`
                +module n 6..7 `namespace n`
                +function h in n 7..7 `int h()`
                Call g from f
                syntax errors 3
            "#]],
        );
    }
}
