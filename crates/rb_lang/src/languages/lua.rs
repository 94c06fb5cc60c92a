//! Lua.
//!
//! Specifiers are the strings of `require`, with the local name that the module is given. A function is a symbol in all
//! its spellings: `function a.b()`, `a.b = function()`, `{ b = function() }`; its name is the last part. Of the values
//! only those written in capitals are declared.

use std::cell::RefCell;
use std::sync::LazyLock;

use rustc_hash::FxHashMap;
use tree_sitter::Node;

use crate::facts::{Facts, Import, ImportKind, ImportedName, ReferenceKind, SymbolKind};
use crate::language::Language;
use crate::tree::{Below, Declaration, Grammar, Reader, line_of};

#[derive(Clone, Copy, Default, PartialEq)]
enum Kind {
    #[default]
    Other,
    Function,
    Assignment,
    Field,
    Call,
    Decision,
    Comment,
    Name,
}

static GRAMMAR: LazyLock<Grammar<Kind>> = LazyLock::new(|| {
    Grammar::new(
        tree_sitter_lua::LANGUAGE,
        &[
            ("function_declaration", Kind::Function),
            ("assignment_statement", Kind::Assignment),
            ("field", Kind::Field),
            ("function_call", Kind::Call),
            ("if_statement", Kind::Decision),
            ("elseif_statement", Kind::Decision),
            ("for_statement", Kind::Decision),
            ("while_statement", Kind::Decision),
            ("repeat_statement", Kind::Decision),
            ("and", Kind::Decision),
            ("or", Kind::Decision),
            ("comment", Kind::Comment),
            ("identifier", Kind::Name),
        ],
    )
});

pub(super) fn extract(_language: Language, text: &str) -> Facts {
    // The names that `require`d modules are given, by where the call starts.
    let given = RefCell::default();
    let mut facts = GRAMMAR.read(text, |kind, node, reader| visit(kind, node, reader, &given));
    for import in facts.imports.iter_mut().filter(|import| !import.names.is_empty()) {
        // The declaration of the name is not a use of it.
        import.uses = import.uses.saturating_sub(1);
    }
    facts.marks.main |= text.starts_with("#!");
    facts
}

fn visit<'t>(
    kind: Kind,
    node: Node<'_>,
    reader: &mut Reader<'t>,
    given: &RefCell<FxHashMap<usize, &'t str>>,
) -> Below {
    match kind {
        Kind::Other => {}
        Kind::Function => {
            if let Some(name) = node.child_by_field_name("name") {
                let exported = !reader.text(node).starts_with("local") && !reader.in_function();
                function(name, node, node, exported, reader);
            }
        }
        Kind::Assignment => assignment(node, reader, given),
        Kind::Field => {
            if let (Some(name), Some(value)) =
                (node.child_by_field_name("name"), node.child_by_field_name("value"))
                && value.kind() == "function_definition"
                && matches!(name.kind(), "identifier" | "string")
                && (name.kind() == "string" || name.start_byte() == node.start_byte())
            {
                function(name, value, node, !reader.in_function(), reader);
            }
        }
        Kind::Call => call(node, reader, given),
        Kind::Decision => reader.decision(),
        Kind::Comment => reader.comment(node, false),
        Kind::Name => {
            let before =
                node.start_byte().checked_sub(1).and_then(|at| reader.text.as_bytes().get(at));
            // The field of another table is no use of a name.
            if !matches!(before, Some(b'.' | b':')) {
                reader.name(node);
            }
        }
    }
    Below::Walk
}

/// `a[key] = …` has a name only when the program runs.
fn is_named(target: Node<'_>) -> bool {
    target.kind() != "bracket_index_expression"
        || target.child_by_field_name("field").is_some_and(|field| field.kind() == "string")
}

/// `function` is the node with parameters and body, `node` the whole statement.
fn function(
    name: Node<'_>,
    function: Node<'_>,
    node: Node<'_>,
    exported: bool,
    reader: &mut Reader<'_>,
) -> u32 {
    let end = function.child_count().checked_sub(1).and_then(|last| function.child(last));
    let kind = if name.kind() == "method_index_expression" {
        SymbolKind::Method
    } else {
        SymbolKind::Function
    };
    let name = last_name(name, reader);
    reader.facts.marks.tests |= name.starts_with("test_");
    let symbol = reader.declare(&Declaration {
        name,
        kind,
        node,
        // An empty function has no body, only its `end`.
        body: function.child_by_field_name("body").or(end),
        exported,
    });
    let doc = clean(&reader.facts.symbols[symbol as usize].doc);
    reader.set_doc(symbol, &doc);
    symbol
}

fn assignment<'t>(
    node: Node<'_>,
    reader: &mut Reader<'t>,
    given: &RefCell<FxHashMap<usize, &'t str>>,
) {
    let (Some(targets), Some(values)) = (node.named_child(0), node.named_child(1)) else { return };
    // The statement around it begins with `local`.
    let before = reader.text.get(..node.start_byte()).unwrap_or_default();
    let local = before.trim_end().ends_with("local");
    let (parent, in_function) = (reader.scope(), reader.in_function());
    let exported = !local && !in_function;
    let (mut target_cursor, mut value_cursor) = (targets.walk(), values.walk());
    let targets = targets.children_by_field_name("name", &mut target_cursor);
    let pairs = targets.zip(values.children_by_field_name("value", &mut value_cursor));
    for (at, (target, value)) in pairs.enumerate().filter(|(_, (target, _))| is_named(*target)) {
        let node = if at == 0 { node } else { value };
        let symbol = match value.kind() {
            "function_definition" => function(target, value, node, exported, reader),
            "function_call" => {
                given.borrow_mut().insert(value.start_byte(), reader.text(target));
                continue;
            }
            _ if is_constant(last_name(target, reader)) && !in_function => {
                let name = last_name(target, reader);
                let kind = SymbolKind::Constant;
                reader.declare(&Declaration { name, kind, node, body: None, exported })
            }
            _ => continue,
        };
        reader.facts.symbols[symbol as usize].parent = parent;
    }
}

fn call<'t>(node: Node<'_>, reader: &mut Reader<'t>, given: &RefCell<FxHashMap<usize, &'t str>>) {
    let Some(function) = node.child_by_field_name("name") else { return };
    let argument =
        node.child_by_field_name("arguments").and_then(|arguments| arguments.named_child(0));
    let string = argument
        .filter(|argument| argument.kind() == "string")
        .map(|string| reader.field(string, "content"));
    let (qualifier, name) = match function.kind() {
        "identifier" => ("", reader.text(function)),
        "dot_index_expression" => {
            (reader.field(function, "table"), reader.field(function, "field"))
        }
        "method_index_expression" => {
            (reader.field(function, "table"), reader.field(function, "method"))
        }
        _ => return,
    };
    match (qualifier, name, string) {
        ("", "require", Some(module)) => {
            let local = given.borrow().get(&node.start_byte()).copied();
            let names = local.map(|local| ImportedName { name: "*".into(), local: local.into() });
            reader.import(Import {
                specifier: module.into(),
                kind: ImportKind::Require,
                names: names.into_iter().collect(),
                line: line_of(node),
                uses: 0,
            });
            return;
        }
        ("", "describe" | "it", Some(_)) => reader.facts.marks.tests = true,
        _ => {}
    }
    reader.reference(ReferenceKind::Call, qualifier, name, node);
}

/// `c` of `a.b.c`, `a.b:c` and `a["c"]`.
fn last_name<'t>(name: Node<'_>, reader: &Reader<'t>) -> &'t str {
    let part = name
        .child_by_field_name("field")
        .or_else(|| name.child_by_field_name("method"))
        .unwrap_or(name);
    reader.text(part.child_by_field_name("content").unwrap_or(part))
}

fn is_constant(name: &str) -> bool {
    name.starts_with(|c: char| c.is_ascii_uppercase())
        && name.len() > 1
        && name.chars().all(|c| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_')
}

/// What is left of `---` and `--[[ … ]]` once `--` is gone.
fn clean(doc: &str) -> String {
    let lines =
        doc.lines().map(|line| line.trim_start_matches(['-', '[']).trim_end_matches(']').trim());
    lines.collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};

    use super::*;
    use crate::languages::shown;

    #[track_caller]
    fn check(text: &str, expected: &Expect) {
        expected.assert_eq(&shown(Language::Lua, text));
    }

    #[test]
    fn ix2_symbols() {
        check(
            r#"#!/usr/bin/env lua
local M = {}
local json = require "dkjson"
local a, b = require("a.b"), require('c')
require 'x.y'
M.x = require("z").foo
local LIMIT <const> = 3
VERSION = "1"
plain = 2

--- Does it.
-- Twice.
function top(a, b) end
--[[ Counts. ]]
local function loc()
  if a and b or c then elseif d then end
  for i = 1, 2 do end
  for k, v in pairs(t) do end
  while x do end
  repeat local inner = function() end until y
end
function M.dot(x) self.a.b(json.encode(1)) M:call(2) f "str" end
function M.a.b:colon(x) return get().field end
local anon = function(x) return x end
M.assigned = function() json.decode() end
M[key] = function() end
M["str"], M.two = function() end, function() end
return { exported = function() end, ["k"] = function() end, [key] = function() end, top = top }
"#,
            &expect![[r#"
                -constant LIMIT 7..7 `LIMIT <const> = 3`
                +constant VERSION 8..8 `VERSION = "1"`
                +function top 13..13 `function top(a, b)` doc "Does it.\nTwice."
                -function loc 15..21 `local function loc()` complexity 9 doc "Counts."
                -function inner in loc 20..20 `inner = function()`
                +function dot 22..22 `function M.dot(x)`
                +method colon 23..23 `function M.a.b:colon(x)`
                -function anon 24..24 `anon = function(x)`
                +function assigned 25..25 `M.assigned = function()`
                +function str 27..27 `M["str"], M.two = function()`
                +function two 27..27 `function()`
                +function exported 28..28 `exported = function()`
                +function k 28..28 `["k"] = function()`
                import Require `dkjson` [* as json] uses 2
                import Require `a.b` [* as a] uses 2
                import Require `c` [* as b] uses 2
                import Require `x.y` [] uses 0
                import Require `z` [] uses 0
                Call pairs from loc
                Call self.a . b from dot
                Call json . encode from dot
                Call M . call from dot
                Call f from dot
                Call get from colon
                Call json . decode from assigned
                mark main
            "#]],
        );
    }

    #[test]
    fn ix2_broken_code_gives_what_it_can() {
        check(
            "function good() end\nlocal x = = 3\nfunction also(x)\n  return x.y()\nend\ndescribe('a', function() it('b', f) end)\n",
            &expect![[r#"
                +function good 1..1 `function good()`
                +function also 3..5 `function also(x)`
                Call x . y from also
                Call describe from top
                Call it from top
                mark tests
                syntax errors 1
            "#]],
        );
    }
}
