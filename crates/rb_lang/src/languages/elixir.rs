//! Elixir.
//!
//! Everything is a call, so words like `defmodule` and `def` are told by their names. Specifiers are whole module names,
//! `alias A.{B, C}` taken apart and `__MODULE__` filled in. Modules see each other without an import, so every module
//! that is mentioned is a reference. Each clause of a function is a symbol of its own; `@doc` goes to the first.

use std::cell::{Cell, RefCell};
use std::sync::LazyLock;

use tree_sitter::Node;

use crate::facts::{Facts, Import, ImportKind, ImportedName, ReferenceKind, SymbolKind};
use crate::language::Language;
use crate::tree::{Below, Declaration, Grammar, Reader, clip, line_of};

#[derive(Clone, Copy, Default, PartialEq)]
enum Kind {
    #[default]
    Other,
    Call,
    Unary,
    Binary,
    Clause,
    Anonymous,
    Struct,
    Module,
    Comment,
}

static GRAMMAR: LazyLock<Grammar<Kind>> = LazyLock::new(|| {
    Grammar::new(
        tree_sitter_elixir::LANGUAGE,
        &[
            ("call", Kind::Call),
            ("unary_operator", Kind::Unary),
            ("binary_operator", Kind::Binary),
            ("stab_clause", Kind::Clause),
            ("anonymous_function", Kind::Anonymous),
            ("struct", Kind::Struct),
            ("alias", Kind::Module),
            ("comment", Kind::Comment),
        ],
    )
});

/// What the walk has to remember of the file so far.
#[derive(Default)]
struct WalkState {
    /// The text of the last `@doc`, for the function that follows.
    doc: RefCell<Option<String>>,
    /// A node that was dealt with together with the one around it.
    done: Cell<usize>,
}

pub(super) fn extract(_language: Language, text: &str) -> Facts {
    let seen = WalkState::default();
    let mut facts = GRAMMAR.read(text, |kind, node, reader| visit(kind, node, reader, &seen));
    facts.marks.main |= text.starts_with("#!");
    facts
}

fn visit(kind: Kind, node: Node<'_>, reader: &mut Reader<'_>, seen: &WalkState) -> Below {
    if node.id() == seen.done.get() {
        return Below::Walk;
    }
    match kind {
        Kind::Other => {}
        Kind::Call => return call(node, reader, seen),
        Kind::Unary => return unary(node, reader, seen),
        Kind::Binary => {
            if matches!(reader.field(node, "operator"), "&&" | "||" | "and" | "or") {
                reader.decision();
            }
        }
        // What matches everything is no decision.
        Kind::Clause => {
            if !matches!(reader.field(node, "left"), "_" | "true") {
                reader.decision();
            }
        }
        Kind::Anonymous => {
            if let Some(first) = node.named_child(0) {
                seen.done.set(first.id());
            }
        }
        Kind::Struct => {
            if let Some(module) = node.named_child(0).filter(|module| module.kind() == "alias") {
                mention(ReferenceKind::New, module, reader);
                reader.name(module);
            }
            return Below::Skip;
        }
        Kind::Module => {
            reader.name(node);
            mention(ReferenceKind::Type, node, reader);
        }
        Kind::Comment => {
            if !reader.text(node).starts_with("#!") {
                reader.comment(node, false);
            }
        }
    }
    Below::Walk
}

fn call(node: Node<'_>, reader: &mut Reader<'_>, seen: &WalkState) -> Below {
    let Some(target) = node.child_by_field_name("target") else { return Below::Walk };
    if target.kind() == "dot" {
        if let Some(name) =
            target.child_by_field_name("right").filter(|name| name.kind() == "identifier")
        {
            let qualifier = reader.field(target, "left");
            reader.reference(ReferenceKind::Call, qualifier, reader.text(name), node);
        }
        return Below::Walk;
    }
    match reader.text(target) {
        "defmodule" | "defprotocol" | "defimpl" => module(node, reader, seen),
        word @ ("def" | "defp" | "defmacro" | "defmacrop" | "defguard" | "defguardp"
        | "defdelegate" | "defn" | "defnp") => function(word, node, reader, seen),
        word @ ("alias" | "import" | "use" | "require") => {
            if import(word, node, reader) {
                return Below::Skip;
            }
        }
        "if" | "unless" | "for" | "while" => reader.decision(),
        "case" | "cond" | "with" | "receive" | "try" | "quote" | "unquote" | "defstruct"
        | "defexception" | "defoverridable" | "super" => {}
        name => {
            if target.kind() == "identifier" {
                reader.facts.marks.tests |= name == "test" && do_block(node).is_some();
                reader.reference(ReferenceKind::Call, "", name, node);
            }
        }
    }
    Below::Walk
}

fn module(node: Node<'_>, reader: &mut Reader<'_>, seen: &WalkState) {
    let Some(name) = argument(node, 0).filter(|name| matches!(name.kind(), "alias" | "dot")) else {
        return;
    };
    seen.done.set(name.id());
    seen.doc.take();
    let word = reader.field(node, "target");
    let mut full = full_name(reader.text(name), reader);
    if let Some(for_type) = option(node, "for:", reader).filter(|_| word == "defimpl") {
        full = format!("{full}.{}", reader.text(for_type));
    }
    if reader.facts.package.is_none() {
        reader.facts.package = Some(full.as_str().into());
    }
    let kind = if word == "defprotocol" { SymbolKind::Interface } else { SymbolKind::Module };
    reader.declare(&Declaration { name: &full, kind, node, body: do_block(node), exported: true });
    if word == "defimpl" {
        mention(ReferenceKind::Inherit, name, reader);
    }
}

/// `word` is `def` or one of its kin.
fn function(word: &str, node: Node<'_>, reader: &mut Reader<'_>, seen: &WalkState) {
    let Some(head) = argument(node, 0) else { return };
    let head = if reader.field(head, "operator") == "when" {
        head.child_by_field_name("left").unwrap_or(head)
    } else {
        head
    };
    let name = match head.kind() {
        "call" => match head.child_by_field_name("target") {
            Some(target) if target.kind() == "identifier" => reader.text(target),
            // `def unquote(name)()` has a name only when the macro runs.
            _ => return,
        },
        "identifier" => reader.text(head),
        "binary_operator" | "unary_operator" => reader.field(head, "operator"),
        _ => return,
    };
    seen.done.set(head.id());
    let keywords = node_of_kind(arguments(node), "keywords");
    let kind = if word.starts_with("defm") || word.starts_with("defg") {
        SymbolKind::Macro
    } else {
        SymbolKind::Function
    };
    let symbol = reader.declare(&Declaration {
        name,
        kind,
        node,
        body: do_block(node).or(keywords),
        exported: !word.ends_with('p'),
    });
    let symbol_facts = &mut reader.facts.symbols[symbol as usize];
    symbol_facts.signature = symbol_facts.signature.trim_end_matches(',').into();
    if let Some(doc) = seen.doc.take() {
        reader.set_doc(symbol, &doc);
    }
}

/// `@name value`, and `&name/1`.
fn unary(node: Node<'_>, reader: &mut Reader<'_>, seen: &WalkState) -> Below {
    let Some(operand) = node.child_by_field_name("operand") else { return Below::Walk };
    match reader.field(node, "operator") {
        "@" => attribute(node, operand, reader, seen),
        "&" => {
            let function =
                operand.child_by_field_name("left").filter(|left| left.kind() == "identifier");
            if let (Some(function), "/") = (function, reader.field(operand, "operator")) {
                reader.reference(ReferenceKind::Call, "", reader.text(function), node);
            }
            Below::Walk
        }
        _ => Below::Walk,
    }
}

fn attribute(
    node: Node<'_>,
    operand: Node<'_>,
    reader: &mut Reader<'_>,
    seen: &WalkState,
) -> Below {
    // `@name` without a value reads the attribute.
    let Some(value) = argument(operand, 0) else { return Below::Skip };
    let name = reader.field(operand, "target");
    match name {
        // `@doc since: "1.0"` adds to a text.
        "doc" if value.kind() == "keywords" => {}
        "doc" => {
            seen.doc.replace(text_of(value, reader));
        }
        "moduledoc" => {
            if let (Some(symbol), Some(doc)) = (reader.scope(), text_of(value, reader)) {
                reader.set_doc(symbol, &doc);
            }
        }
        "behaviour" => mention(ReferenceKind::Inherit, value, reader),
        "type" | "typep" | "opaque" => {
            declare_attribute(value, SymbolKind::Type, name != "typep", node, reader);
        }
        "callback" | "macrocallback" => {
            let symbol = declare_attribute(value, SymbolKind::Function, true, node, reader);
            if let (Some(symbol), Some(doc)) = (symbol, seen.doc.take()) {
                reader.set_doc(symbol, &doc);
            }
        }
        "spec" | "typedoc" | "impl" | "deprecated" | "since" | "derive" | "enforce_keys"
        | "compile" | "dialyzer" | "vsn" | "tag" | "moduletag" | "describetag"
        | "external_resource" | "on_load" | "before_compile" | "after_compile"
        | "on_definition" | "optional_callbacks" => {}
        _ if !reader.in_function() => {
            let kind = SymbolKind::Constant;
            reader.declare(&Declaration { name, kind, node, body: None, exported: false });
            seen.done.set(operand.id());
            return Below::Walk;
        }
        _ => {}
    }
    // What else stands here is about types or prose; the attributes between a comment and its function end here.
    reader.attribute(node);
    Below::Skip
}

/// The name in `name(…) :: …`.
fn declare_attribute(
    value: Node<'_>,
    kind: SymbolKind,
    exported: bool,
    node: Node<'_>,
    reader: &mut Reader<'_>,
) -> Option<u32> {
    let head = value.child_by_field_name("left")?;
    let head =
        if head.kind() == "binary_operator" { head.child_by_field_name("left")? } else { head };
    let name = if head.kind() == "call" { reader.field(head, "target") } else { reader.text(head) };
    Some(reader.declare(&Declaration { name, kind, node, body: None, exported }))
}

/// Is it one of Elixir's own, with a module as its argument?
fn import(word: &str, node: Node<'_>, reader: &mut Reader<'_>) -> bool {
    let Some(first) = argument(node, 0).filter(|first| matches!(first.kind(), "alias" | "dot"))
    else {
        return false;
    };
    let line = line_of(node);
    let renamed = option(node, "as:", reader).map(|name| reader.text(name));
    let list = first.child_by_field_name("right").filter(|right| right.kind() == "tuple");
    let mut modules = Vec::new();
    if let Some(list) = list {
        let left = full_name(reader.field(first, "left"), reader);
        let mut cursor = list.walk();
        modules.extend(
            list.named_children(&mut cursor).map(|last| format!("{left}.{}", reader.text(last))),
        );
    } else {
        modules.push(full_name(reader.text(first), reader));
    }
    for module in modules {
        reader.facts.marks.tests |= word == "use" && module.starts_with("ExUnit.Case");
        let short = module.rsplit('.').next().unwrap_or_default();
        let whole = |local: &str| vec![ImportedName { name: "*".into(), local: local.into() }];
        let names = match word {
            "alias" => whole(renamed.unwrap_or(short)),
            "require" => whole(renamed.unwrap_or(&module)),
            "import" => only(node, reader).unwrap_or_else(|| whole("")),
            _ => Vec::new(),
        };
        reader.import(Import {
            specifier: module.into(),
            kind: ImportKind::Static,
            names,
            line,
            uses: 0,
        });
    }
    true
}

/// The functions of `import A, only: [f: 1, g: 2]`.
fn only(node: Node<'_>, reader: &Reader<'_>) -> Option<Vec<ImportedName>> {
    let list = option(node, "only:", reader)?;
    let pairs = node_of_kind(Some(list), "keywords")?;
    let mut cursor = pairs.walk();
    let names = pairs.named_children(&mut cursor).map(|pair| {
        let name = reader.field(pair, "key").trim().trim_end_matches(':');
        ImportedName { name: name.into(), local: name.into() }
    });
    Some(names.collect())
}

/// A module by its name; what stands before the last dot is the qualifier.
fn mention(kind: ReferenceKind, module: Node<'_>, reader: &mut Reader<'_>) {
    let path = reader.text(module);
    let (qualifier, name) = path.rsplit_once('.').unwrap_or(("", path));
    reader.reference(kind, qualifier, name, module);
}

/// The name as written, with the modules around it in the place of `__MODULE__`.
fn full_name(name: &str, reader: &Reader<'_>) -> String {
    let Some(rest) = name.strip_prefix("__MODULE__") else { return name.to_owned() };
    let mut full = rest.to_owned();
    let mut around = reader.scope();
    while let Some(symbol) = around.map(|symbol| &reader.facts.symbols[symbol as usize]) {
        if symbol.kind == SymbolKind::Module && full.len() < MAX_DOC {
            full.insert_str(0, &symbol.name);
            full.insert(0, '.');
        }
        around = symbol.parent;
    }
    full.trim_start_matches('.').to_owned()
}

/// What a string or a sigil says, without the indentation of a heredoc.
fn text_of(value: Node<'_>, reader: &Reader<'_>) -> Option<String> {
    if !matches!(value.kind(), "string" | "sigil") {
        return None;
    }
    let content = node_of_kind(Some(value), "quoted_content")?;
    let lines = clip(reader.text(content), MAX_DOC).lines().map(str::trim);
    Some(lines.collect::<Vec<_>>().join("\n"))
}

/// Docs are cut to less than this where they are kept.
const MAX_DOC: usize = 8000;

fn arguments(call: Node<'_>) -> Option<Node<'_>> {
    node_of_kind(Some(call), "arguments")
}

fn argument(call: Node<'_>, at: u32) -> Option<Node<'_>> {
    arguments(call)?.named_child(at)
}

fn do_block(call: Node<'_>) -> Option<Node<'_>> {
    node_of_kind(Some(call), "do_block")
}

/// The value of `key: value` among the arguments.
fn option<'n>(call: Node<'n>, key: &str, reader: &Reader<'_>) -> Option<Node<'n>> {
    let keywords = node_of_kind(arguments(call), "keywords")?;
    let mut cursor = keywords.walk();
    let mut pairs = keywords.named_children(&mut cursor);
    pairs.find(|pair| reader.field(*pair, "key").trim() == key)?.child_by_field_name("value")
}

fn node_of_kind<'n>(node: Option<Node<'n>>, kind: &str) -> Option<Node<'n>> {
    let node = node?;
    let mut cursor = node.walk();
    node.named_children(&mut cursor).find(|child| child.kind() == kind)
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};

    use super::*;
    use crate::languages::shown;

    #[track_caller]
    fn check(text: &str, expected: &Expect) {
        expected.assert_eq(&shown(Language::Elixir, text));
    }

    #[test]
    fn ix2_symbols() {
        check(
            r#"defmodule MyApp.Store do
  @moduledoc """
  Keeps things.

  In a row.
  """
  @behaviour Foo.Bar
  @limit Application.get_env(:a, :b)
  @type t :: %__MODULE__{}
  @typep p(a) :: a
  @callback fetch(t) :: any
  defstruct [:a, b: 1]

  @doc "Gets."
  @doc since: "1.0"
  @spec get(t, integer) :: any
  def get(store, key) when is_atom(key) and key != nil do
    if key && store do
      helper(key)
    else
      @limit
    end

    case key do
      :a -> 1
      _ -> 2
    end

    cond do
      key -> fn a -> a end
      true -> 1
    end

    for x <- [1], do: x
  end

  def get(a), do: a
  def no_args, do: 1
  def default(a \\ build())
  @doc false
  defp helper(x), do: x

  @doc ~S"""
  Makes code.
  """
  defmacro mac(x) do
    quote do: unquote(x)
  end

  defguard is_x(a) when a == 1
  defdelegate size(x), to: Map
  def a + b, do: 1
  # Said in a comment.
  @impl true
  def init(_), do: 1

  defmodule Inner do
    alias __MODULE__.Deep
  end
end

defprotocol P do
  def m(x)
end

defimpl P, for: Integer do
  def m(x), do: x
end
"#,
            &expect![[r#"
                +module MyApp.Store 1..60 `defmodule MyApp.Store` doc "Keeps things.\n\nIn a row."
                -constant limit in MyApp.Store 8..8 `@limit Application.get_env(:a, :b)`
                +type t in MyApp.Store 9..9 `@type t :: %__MODULE__{}`
                -type p in MyApp.Store 10..10 `@typep p(a) :: a`
                +function fetch in MyApp.Store 11..11 `@callback fetch(t) :: any`
                +function get in MyApp.Store 17..35 `def get(store, key) when is_atom(key) and key != nil` complexity 7 doc "Gets."
                +function get in MyApp.Store 37..37 `def get(a)`
                +function no_args in MyApp.Store 38..38 `def no_args`
                +function default in MyApp.Store 39..39 `def default(a \\ build())`
                -function helper in MyApp.Store 41..41 `defp helper(x)`
                +macro mac in MyApp.Store 46..48 `defmacro mac(x)` doc "Makes code."
                +macro is_x in MyApp.Store 50..50 `defguard is_x(a) when a == 1`
                +function size in MyApp.Store 51..51 `defdelegate size(x)`
                +function + in MyApp.Store 52..52 `def a + b`
                +function init in MyApp.Store 55..55 `def init(_)` doc "Said in a comment."
                +module Inner in MyApp.Store 57..59 `defmodule Inner`
                +interface P 62..64 `defprotocol P`
                +function m in P 63..63 `def m(x)`
                +module P.Integer 66..68 `defimpl P, for: Integer`
                +function m in P.Integer 67..67 `def m(x)`
                import Static `MyApp.Store.Inner.Deep` [* as Deep] uses 0
                Inherit Foo . Bar from MyApp.Store
                Call Application . get_env from limit
                Type Application from limit
                Call is_atom from get
                Call helper from get
                Call build from default
                Type Map from size
                Inherit P from P.Integer
                Type Integer from P.Integer
                package MyApp.Store
            "#]],
        );
    }

    #[test]
    fn ix3_imports_and_references() {
        check(
            r#"#!/usr/bin/env elixir
defmodule T do
  use ExUnit.Case, async: true
  import Ecto.Query, only: [from: 2, where: 3]
  import Helpers
  alias MyApp.{User, Post}
  alias MyApp.Long.Name, as: N
  alias __MODULE__.Inner
  require Logger

  test "y", %{a: a} do
    key |> N.run() |> foo()
    %User{name: 1}
    :ets.new(:a, [])
    Enum.map(list, &helper/1)
    Logger.info("x")
    Supervisor.start_link([{MyApp.Worker, []}, Post])
  end
end
"#,
            &expect![[r#"
                +module T 2..19 `defmodule T`
                import Static `ExUnit.Case` [] uses 0
                import Static `Ecto.Query` [from, where] uses 0
                import Static `Helpers` [* as ] uses 0
                import Static `MyApp.User` [* as User] uses 1
                import Static `MyApp.Post` [* as Post] uses 1
                import Static `MyApp.Long.Name` [* as N] uses 1
                import Static `T.Inner` [* as Inner] uses 0
                import Static `Logger` [* as Logger] uses 1
                Call test from T
                Call N . run from T
                Type N from T
                Call foo from T
                New User from T
                Call :ets . new from T
                Call Enum . map from T
                Type Enum from T
                Call helper from T
                Call Logger . info from T
                Type Logger from T
                Call Supervisor . start_link from T
                Type Supervisor from T
                Type MyApp . Worker from T
                Type Post from T
                package T
                mark main
                mark tests
            "#]],
        );
    }

    #[test]
    fn ix2_broken_code_gives_what_it_can() {
        check(
            "defmodule A do\n  def good(x), do: x\n  def bad( do\n  end\n  def also(y) do\n    y.z()\n  end\nend\n",
            &expect![[r#"
                +module A 1..8 `defmodule A`
                +function good in A 2..2 `def good(x)`
                +function bad in A 3..7 `def bad( do end def also(y) do y.z() end`
                +function also in bad 5..5 `def also(y)`
                Call do from bad
                Call end from bad
                Call y . z from bad
                package A
                syntax errors 1
            "#]],
        );
    }
}
