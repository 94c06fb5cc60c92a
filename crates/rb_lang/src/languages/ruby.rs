//! Ruby.
//!
//! Specifiers are paths as written, without `.rb`: `require_relative` is an include, `require`, `load` and `autoload`
//! look on the load path. Files see each other's constants without an import, so every constant is a reference.
//! A word that is no local name is a call. What `method_missing` and other code that writes code bring is not known.

mod bare_call;

use std::cell::{Cell, RefCell};
use std::sync::LazyLock;

use rustc_hash::{FxHashMap, FxHashSet};
use tree_sitter::Node;

use self::bare_call::bare_call;
use crate::facts::{Facts, ReferenceKind, SymbolKind};
use crate::language::Language;
use crate::tree::{Below, Declaration, Grammar, Reader, one_line};

#[derive(Clone, Copy, Default, PartialEq)]
enum Kind {
    #[default]
    Other,
    Class,
    Singleton,
    Superclass,
    Method,
    Parameters,
    Assignment,
    Targets,
    Local,
    Alias,
    Call,
    Constant,
    Scoped,
    Name,
    If,
    Decision,
    Binary,
    Comment,
}

static GRAMMAR: LazyLock<Grammar<Kind>> = LazyLock::new(|| {
    Grammar::new(
        tree_sitter_ruby::LANGUAGE,
        &[
            // Keywords are nodes of the same name; only those with children are meant, which `visit` sees to.
            ("class", Kind::Class),
            ("module", Kind::Class),
            ("singleton_class", Kind::Singleton),
            ("superclass", Kind::Superclass),
            ("method", Kind::Method),
            ("singleton_method", Kind::Method),
            ("method_parameters", Kind::Parameters),
            ("block_parameters", Kind::Parameters),
            ("lambda_parameters", Kind::Parameters),
            ("assignment", Kind::Assignment),
            ("operator_assignment", Kind::Assignment),
            ("left_assignment_list", Kind::Targets),
            ("exception_variable", Kind::Local),
            ("alias", Kind::Alias),
            ("call", Kind::Call),
            ("constant", Kind::Constant),
            ("scope_resolution", Kind::Scoped),
            ("identifier", Kind::Name),
            ("if", Kind::If),
            ("unless", Kind::Decision),
            ("elsif", Kind::Decision),
            ("if_modifier", Kind::If),
            ("unless_modifier", Kind::Decision),
            ("while", Kind::Decision),
            ("until", Kind::Decision),
            ("while_modifier", Kind::Decision),
            ("until_modifier", Kind::Decision),
            ("for", Kind::Decision),
            ("when", Kind::Decision),
            ("in_clause", Kind::Decision),
            ("rescue", Kind::Decision),
            ("rescue_modifier", Kind::Decision),
            ("conditional", Kind::Decision),
            ("binary", Kind::Binary),
            ("comment", Kind::Comment),
        ],
    )
});

/// What the walk has to remember of the file so far.
#[derive(Default)]
struct WalkState<'t> {
    /// Class bodies, and the `class << self` in them, after a bare `private`.
    private: RefCell<FxHashSet<(Option<u32>, bool)>>,
    /// What `private def …` or `private attr_reader …` covers ends here.
    private_until: Cell<usize>,
    /// The `class << self` around the current node ends here.
    singleton_until: Cell<usize>,
    /// The last symbol of a name in a class, for `private :name`.
    members: RefCell<FxHashMap<(Option<u32>, &'t str), u32>>,
    /// Parameters and variables of the current method.
    locals: RefCell<FxHashSet<&'t str>>,
    /// A node that was dealt with together with the one around it.
    done: Cell<usize>,
}

pub(super) fn extract(_language: Language, text: &str) -> Facts {
    let seen = WalkState::default();
    let mut facts = GRAMMAR.read(text, |kind, node, reader| match node.id() == seen.done.get() {
        true => Below::Skip,
        false if node.is_named() => visit(kind, node, reader, &seen),
        false => Below::Walk,
    });
    facts.marks.main |= text.starts_with("#!");
    facts
}

fn visit<'t>(kind: Kind, node: Node<'_>, reader: &mut Reader<'t>, seen: &WalkState<'t>) -> Below {
    match kind {
        Kind::Other => {}
        Kind::Class => class(node, reader, seen),
        Kind::Singleton => seen.singleton_until.set(node.end_byte()),
        Kind::Superclass => return superclass(node, reader),
        Kind::Method => method(node, reader, seen),
        Kind::Parameters => parameters(node, reader, seen),
        Kind::Assignment => assignment(node, reader, seen),
        Kind::Targets => {
            targets(node, reader, seen);
            return Below::Skip;
        }
        Kind::Local => {
            if let Some(name) = node.named_child(0) {
                seen.locals.borrow_mut().insert(reader.text(name));
            }
        }
        Kind::Alias => {
            declare_method(reader.field(node, "name"), node, None, reader, seen);
            return Below::Skip;
        }
        Kind::Call => return call(node, reader, seen),
        Kind::Constant => {
            reader.name(node);
            reader.reference(ReferenceKind::Type, "", reader.text(node), node);
        }
        Kind::Scoped => return scoped(node, reader),
        Kind::Name => word(node, reader, seen),
        Kind::If => {
            reader.decision();
            let condition = reader.field(node, "condition");
            reader.facts.marks.main |= condition.contains("__FILE__")
                && (condition.contains("$0") || condition.contains("$PROGRAM_NAME"));
        }
        Kind::Decision => reader.decision(),
        Kind::Binary => {
            if matches!(reader.field(node, "operator"), "&&" | "||" | "and" | "or") {
                reader.decision();
            }
        }
        Kind::Comment => {
            if !reader.text(node).starts_with("#!") {
                reader.comment(node, false);
            }
        }
    }
    Below::Walk
}

fn class<'t>(node: Node<'_>, reader: &mut Reader<'t>, seen: &WalkState<'t>) {
    let Some(name) = node.child_by_field_name("name") else { return };
    seen.done.set(name.id());
    let kind = if node.kind() == "module" { SymbolKind::Module } else { SymbolKind::Class };
    // The signature ends with the class's head, not with its first statement's line.
    let head = node.child_by_field_name("superclass").unwrap_or(name).end_byte();
    let exported = !reader.in_function();
    let body = node.child_by_field_name("body");
    let symbol =
        reader.declare(&Declaration { name: last_name(name, reader), kind, node, body, exported });
    set_signature(symbol, node.start_byte(), head, reader);
    if name.kind() == "scope_resolution" {
        let outer = reader.field(name, "scope");
        let (qualifier, outer) = outer.rsplit_once("::").unwrap_or(("", outer));
        reader.reference(ReferenceKind::Type, qualifier, outer, node);
    }
}

fn superclass(node: Node<'_>, reader: &mut Reader<'_>) -> Below {
    let Some(base) = node.named_child(0) else { return Below::Skip };
    if inherit(base, reader) { Below::Skip } else { Below::Walk }
}

/// `false` where the base is not a plain constant, as in `Struct.new(:a)`.
fn inherit(base: Node<'_>, reader: &mut Reader<'_>) -> bool {
    let qualifier = match base.kind() {
        "constant" => "",
        "scope_resolution" => reader.field(base, "scope"),
        _ => return false,
    };
    reader.reference(ReferenceKind::Inherit, qualifier, last_name(base, reader), base);
    true
}

fn method<'t>(node: Node<'_>, reader: &mut Reader<'t>, seen: &WalkState<'t>) {
    let Some(name) = node.child_by_field_name("name") else { return };
    // Of `name=` it is the inner `name` that looks like a call.
    seen.done.set(name.child_by_field_name("name").unwrap_or(name).id());
    seen.locals.borrow_mut().clear();
    let text = reader.text(name);
    reader.facts.marks.tests |= text.starts_with("test_");
    let Some(last) = node.child_count().checked_sub(1).and_then(|last| node.child(last)) else {
        return;
    };
    let head = node.child_by_field_name("parameters").unwrap_or(name).end_byte();
    // An empty method has no body, only its `end`.
    let body = node.child_by_field_name("body").unwrap_or(last);
    let symbol = declare_method(text, node, Some(body), reader, seen);
    set_signature(symbol, node.start_byte(), head, reader);
}

fn declare_method<'t>(
    name: &'t str,
    node: Node<'_>,
    body: Option<Node<'_>>,
    reader: &mut Reader<'t>,
    seen: &WalkState<'t>,
) -> u32 {
    let scope = reader.scope();
    let in_class = matches!(reader.scope_kind(), Some(SymbolKind::Class | SymbolKind::Module));
    let kind = if in_class { SymbolKind::Method } else { SymbolKind::Function };
    let exported = is_exported(node, reader, seen);
    let symbol = reader.declare(&Declaration { name, kind, node, body, exported });
    seen.members.borrow_mut().insert((scope, name), symbol);
    symbol
}

fn is_exported(node: Node<'_>, reader: &Reader<'_>, seen: &WalkState<'_>) -> bool {
    let body = (reader.scope(), node.start_byte() < seen.singleton_until.get());
    // `def self.x` is not touched by a `private` before it.
    let private = seen.private.borrow().contains(&body) && node.kind() != "singleton_method";
    !private && node.start_byte() >= seen.private_until.get() && !reader.in_function()
}

fn set_signature(symbol: u32, start: usize, end: usize, reader: &mut Reader<'_>) {
    let head = reader.text.get(start..end).unwrap_or_default();
    reader.facts.symbols[symbol as usize].signature = one_line(head).into();
}

fn parameters<'t>(node: Node<'_>, reader: &Reader<'t>, seen: &WalkState<'t>) {
    let mut locals = seen.locals.borrow_mut();
    let mut cursor = node.walk();
    for parameter in node.named_children(&mut cursor) {
        let name = parameter.child_by_field_name("name").unwrap_or(parameter);
        locals.insert(reader.text(name));
    }
}

/// `NAME = …` declares a constant, or a class where it is made on the spot; `name = …` a variable.
fn assignment<'t>(node: Node<'_>, reader: &mut Reader<'t>, seen: &WalkState<'t>) {
    let Some(target) = node.child_by_field_name("left") else { return };
    match target.kind() {
        "identifier" => {
            seen.locals.borrow_mut().insert(reader.text(target));
        }
        "constant" | "scope_resolution" if node.kind() == "assignment" => {
            seen.done.set(target.id());
            let value = node.child_by_field_name("right");
            let made = value.filter(|value| value.kind() == "call").map_or(("", ""), |value| {
                (reader.field(value, "receiver"), reader.field(value, "method"))
            });
            let kind = match made {
                ("Struct" | "Class", "new") | ("Data", "define") => SymbolKind::Class,
                ("Module", "new") => SymbolKind::Module,
                _ => SymbolKind::Constant,
            };
            let block = value.and_then(|value| value.child_by_field_name("block"));
            constant(target, kind, (node, block), reader, seen);
        }
        _ => {}
    }
}

fn targets<'t>(node: Node<'_>, reader: &mut Reader<'t>, seen: &WalkState<'t>) {
    let parent = reader.scope();
    let mut cursor = node.walk();
    for target in node.named_children(&mut cursor) {
        match target.kind() {
            "identifier" => {
                seen.locals.borrow_mut().insert(reader.text(target));
            }
            "constant" => {
                let symbol = constant(target, SymbolKind::Constant, (target, None), reader, seen);
                reader.facts.symbols[symbol as usize].parent = parent;
            }
            _ => {}
        }
    }
}

fn constant<'t>(
    target: Node<'_>,
    kind: SymbolKind,
    (node, body): (Node<'_>, Option<Node<'_>>),
    reader: &mut Reader<'t>,
    seen: &WalkState<'t>,
) -> u32 {
    let name = last_name(target, reader);
    let scope = reader.scope();
    let exported = node.start_byte() >= seen.private_until.get() && !reader.in_function();
    let symbol = reader.declare(&Declaration { name, kind, node, body, exported });
    seen.members.borrow_mut().insert((scope, name), symbol);
    symbol
}

fn call<'t>(node: Node<'_>, reader: &mut Reader<'t>, seen: &WalkState<'t>) -> Below {
    let Some(method) = node.child_by_field_name("method") else { return Below::Walk };
    let name = reader.text(method);
    let Some(receiver) = node.child_by_field_name("receiver") else {
        seen.done.set(method.id());
        return bare_call(name, node, reader, seen);
    };
    let qualifier = reader.text(receiver);
    if name == "new" && matches!(receiver.kind(), "constant" | "scope_resolution") {
        seen.done.set(receiver.id());
        reader.name(receiver);
        let (qualifier, name) = qualifier.rsplit_once("::").unwrap_or(("", qualifier));
        reader.reference(ReferenceKind::New, qualifier, name, node);
    } else {
        reader.facts.marks.tests |= name == "describe" && qualifier == "RSpec";
        reader.reference(ReferenceKind::Call, qualifier, name, node);
    }
    Below::Walk
}

fn scoped(node: Node<'_>, reader: &mut Reader<'_>) -> Below {
    let Some(name) = node.child_by_field_name("name") else { return Below::Walk };
    if name.kind() != "constant" {
        return Below::Walk;
    }
    let scope = node.child_by_field_name("scope");
    let qualifier = scope.map_or("", |scope| reader.text(scope));
    reader.reference(ReferenceKind::Type, qualifier, reader.text(name), node);
    let plain = scope.is_none_or(|scope| matches!(scope.kind(), "constant" | "scope_resolution"));
    if plain { Below::Skip } else { Below::Walk }
}

/// A word by itself: a visibility, a local name, or a call without arguments.
fn word<'t>(node: Node<'_>, reader: &mut Reader<'t>, seen: &WalkState<'t>) {
    let name = reader.text(node);
    let before = node.start_byte().checked_sub(1).and_then(|at| reader.text.as_bytes().get(at));
    // The method of a call with a receiver.
    if matches!(before, Some(b'.' | b':')) {
        return;
    }
    let in_class = matches!(reader.scope_kind(), Some(SymbolKind::Class | SymbolKind::Module));
    let body = (reader.scope(), node.start_byte() < seen.singleton_until.get());
    match name {
        "private" if in_class => {
            seen.private.borrow_mut().insert(body);
        }
        // A protected method can be called by the same class's code in other files.
        "public" | "protected" | "module_function" if in_class => {
            seen.private.borrow_mut().remove(&body);
        }
        "__FILE__" | "__dir__" | "__method__" | "block_given?" => {}
        _ if seen.locals.borrow().contains(name) => {}
        _ => reader.reference(ReferenceKind::Call, "", name, node),
    }
}

/// `B` of `A::B`.
fn last_name<'t>(node: Node<'_>, reader: &Reader<'t>) -> &'t str {
    reader.text(node.child_by_field_name("name").unwrap_or(node))
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};

    use super::*;
    use crate::languages::shown;

    #[track_caller]
    fn check(text: &str, expected: &Expect) {
        expected.assert_eq(&shown(Language::Ruby, text));
    }

    #[test]
    fn ix2_symbols() {
        check(
            r#"#!/usr/bin/env ruby
# Keeps things.
module A::M
  VERSION = "1.0"
  X, Y = 1, 2
  Point = Struct.new(:a, :b) do
    def norm; end
  end
  # A store.
  class Store < Base::Klass
    include Comparable, Enumerable
    attr_accessor :name, :age
    attr_writer :token
    private attr_reader :secret
    SIZES = [1, 2].freeze
    private_constant :SIZES

    # Makes one.
    def initialize(a, b = 1, *c, d:, &block)
      @a = a if b && c or d
      foo = a ? 1 : 2
      case foo
      when 1, 2 then 3
      else 4
      end
    rescue KeyError => e
      e while foo
    end

    def self.build(x) = new(x)
    def ==(o)
      o
    end
    def name=(v); end
    class << self
      def meta; end
      private
      def hidden_meta; end
    end
    def seen; end
    private
    def hidden; end
    def self.still_seen; end
    public
    def shown; end
    private def inline_hidden; end
    def late; end
    private :late
    protected
    def prot; end
    alias_method :other, :shown
    alias again shown
    define_method(:dyn) { shown }
  end
end

def top; end
top if __FILE__ == $0
"#,
            &expect![[r#"
                +module M 3..55 `module A::M` doc "Keeps things."
                +constant VERSION in M 4..4 `VERSION = "1.0"`
                +constant X in M 5..5 `X`
                +constant Y in M 5..5 `Y`
                +class Point in M 6..8 `Point = Struct.new(:a, :b)`
                +method norm in Point 7..7 `def norm`
                +class Store in M 10..54 `class Store < Base::Klass` doc "A store."
                +method name in Store 12..12 `attr_accessor :name`
                +method age in Store 12..12 `attr_accessor :age`
                +method token= in Store 13..13 `attr_writer :token`
                -method secret in Store 14..14 `attr_reader :secret`
                -constant SIZES in Store 15..15 `SIZES = [1, 2].freeze`
                +method initialize in Store 19..28 `def initialize(a, b = 1, *c, d:, &block)` complexity 8 doc "Makes one."
                +method build in Store 30..30 `def self.build(x)`
                +method == in Store 31..33 `def ==(o)`
                +method name= in Store 34..34 `def name=(v)`
                +method meta in Store 36..36 `def meta`
                -method hidden_meta in Store 38..38 `def hidden_meta`
                +method seen in Store 40..40 `def seen`
                -method hidden in Store 42..42 `def hidden`
                +method still_seen in Store 43..43 `def self.still_seen`
                +method shown in Store 45..45 `def shown`
                -method inline_hidden in Store 46..46 `def inline_hidden`
                -method late in Store 47..47 `def late`
                +method prot in Store 50..50 `def prot`
                +method other in Store 51..51 `alias_method :other, :shown`
                +method again in Store 52..52 `alias again shown`
                +method dyn in Store 53..53 `define_method(:dyn)`
                +function top 57..57 `def top`
                Type A from M
                New Struct from Point
                Inherit Base . Klass from Store
                Inherit Comparable from Store
                Inherit Enumerable from Store
                Call ? . freeze from SIZES
                Type KeyError from initialize
                Call new from build
                Call shown from dyn
                Call top from top
                mark main
            "#]],
        );
    }

    #[test]
    fn ix3_imports_and_references() {
        check(
            r#"require 'json'
require_relative '../lib/x.rb'
load 'a.rb'
autoload :Foo, 'foo/bar'
require File.expand_path('../../lib/y', __FILE__)
require "plugins/#{name}"

class A
  def run(input, &block)
    helper.call(input) { |x| x.go + y }
    Foo.new(1)
    Bar::Baz.new.start
    Foo.build
    result = compute
    result&.save(Mod::LIMIT)
    other_method
    ::Top::Level
    a, b = split
    a + b + c
  end
end

RSpec.describe Foo do
  it "works" do
    expect(1).to eq(2)
  end
end
"#,
            &expect![[r#"
                +class A 8..21 `class A`
                +method run in A 9..20 `def run(input, &block)`
                import SystemInclude `json` [] uses 0
                import Include `../lib/x` [] uses 0
                import SystemInclude `a` [] uses 0
                import SystemInclude `foo/bar` [Foo] uses 3
                import Include `../lib/y` [] uses 0
                Call require from top
                Call name from top
                Call helper . call from run
                Call helper from run
                Call x . go from run
                Call y from run
                New Foo from run
                Call Bar::Baz.new . start from run
                New Bar . Baz from run
                Call Foo . build from run
                Type Foo from run
                Call compute from run
                Call result . save from run
                Type Mod . LIMIT from run
                Call other_method from run
                Type ::Top . Level from run
                Call split from run
                Call c from run
                Call RSpec . describe from top
                Type RSpec from top
                Type Foo from top
                Call it from top
                Call ? . to from top
                Call expect from top
                Call eq from top
                mark tests
            "#]],
        );
    }

    #[test]
    fn ix2_broken_code_gives_what_it_can() {
        check(
            "class A\n  def good; end\n  def bad(\n  def also(x)\n    x.y\n  end\nend\nmodule (\n",
            &expect![[r#"
                +class A 1..7 `class A`
                +method good in A 2..2 `def good`
                +method bad in A 3..6 `def bad( def`
                Call also from bad
                Call x from bad x2
                Call x . y from bad
                syntax errors 2
            "#]],
        );
    }
}
