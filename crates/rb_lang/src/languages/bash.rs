//! Shell scripts: Bash, and what sh, Zsh and Ksh have in common with it.
//!
//! Specifiers are the paths of `source` and `.`; one that starts at the script's own folder starts with `./`, other
//! variables stay as written (`$LIB/x.sh`). Every command is a call, for nothing tells a function from a program.
//! Of the variables only those that are `readonly` or exported are declared.

use std::sync::LazyLock;

use tree_sitter::Node;

use crate::facts::{Facts, Import, ImportKind, ReferenceKind, SymbolKind};
use crate::language::Language;
use crate::tree::{Below, Declaration, Grammar, Reader, clip, line_of};

#[derive(Clone, Copy, Default, PartialEq)]
enum Kind {
    #[default]
    Other,
    Function,
    Command,
    Declaration,
    Decision,
    Case,
    Comment,
}

static GRAMMAR: LazyLock<Grammar<Kind>> = LazyLock::new(|| {
    Grammar::new(
        tree_sitter_bash::LANGUAGE,
        &[
            ("function_definition", Kind::Function),
            ("command", Kind::Command),
            ("declaration_command", Kind::Declaration),
            ("if_statement", Kind::Decision),
            ("elif_clause", Kind::Decision),
            ("for_statement", Kind::Decision),
            ("c_style_for_statement", Kind::Decision),
            ("while_statement", Kind::Decision),
            ("&&", Kind::Decision),
            ("||", Kind::Decision),
            ("case_item", Kind::Case),
            ("comment", Kind::Comment),
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
        Kind::Function => function(node, reader),
        Kind::Command => command(node, reader),
        Kind::Declaration => declaration(node, reader),
        Kind::Decision => reader.decision(),
        Kind::Case => {
            if reader.field(node, "value") != "*" {
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

fn function(node: Node<'_>, reader: &mut Reader<'_>) {
    let name = reader.field(node, "name");
    reader.facts.marks.tests |= name.starts_with("test_");
    let body = node.child_by_field_name("body");
    let exported = !reader.in_function();
    reader.declare(&Declaration { name, kind: SymbolKind::Function, node, body, exported });
}

fn command(node: Node<'_>, reader: &mut Reader<'_>) {
    let Some(name) = node.child_by_field_name("name").and_then(|name| name.named_child(0)) else {
        return;
    };
    // `$cmd` and `"$dir/tool"` say nothing of what is called.
    if name.kind() != "word" {
        return;
    }
    let argument = node.child_by_field_name("argument");
    match (reader.text(name), argument) {
        ("source" | ".", Some(path)) => {
            if let Some(specifier) = path_of(path, reader) {
                reader.import(Import {
                    specifier: specifier.into(),
                    kind: ImportKind::Include,
                    names: Vec::new(),
                    line: line_of(node),
                    uses: 0,
                });
            }
        }
        ("alias", Some(argument)) => alias(argument, node, reader),
        // Bats.
        ("@test", _) => reader.facts.marks.tests = true,
        (":" | "[" | "}" | "{", _) => {}
        (name, _) => reader.reference(ReferenceKind::Call, "", name, node),
    }
}

fn alias(argument: Node<'_>, node: Node<'_>, reader: &mut Reader<'_>) {
    if let Some((name, _)) = reader.text(argument).split_once('=') {
        let exported = !reader.in_function();
        reader.declare(&Declaration { name, kind: SymbolKind::Macro, node, body: None, exported });
    }
}

/// `readonly A=1`, `declare -r A=1`, `export A=1`.
fn declaration(node: Node<'_>, reader: &mut Reader<'_>) {
    let mut words = clip(reader.text(node), MAX_OPTIONS).split_whitespace();
    let kind = match words.next() {
        Some("readonly") => SymbolKind::Constant,
        Some("export") => SymbolKind::Variable,
        Some("declare" | "typeset") => {
            let mut options = words.take_while(|word| word.starts_with('-'));
            if !options.any(|option| option.contains('r')) {
                return;
            }
            SymbolKind::Constant
        }
        _ => return,
    };
    if reader.in_function() {
        return;
    }
    let parent = reader.scope();
    let mut cursor = node.walk();
    for assignment in
        node.named_children(&mut cursor).filter(|child| child.kind() == "variable_assignment")
    {
        let name = reader.field(assignment, "name");
        let symbol = reader.declare(&Declaration {
            name,
            kind,
            node: assignment,
            body: None,
            exported: true,
        });
        reader.facts.symbols[symbol as usize].parent = parent;
    }
}

/// More than the longest list of options.
const MAX_OPTIONS: usize = 100;
/// Longer paths are not read.
const MAX_PATH: usize = 300;

/// The path without quotes. `None` where there is nothing but a variable.
fn path_of(path: Node<'_>, reader: &Reader<'_>) -> Option<String> {
    let text = reader.text(path);
    if text.len() > MAX_PATH {
        return None;
    }
    let text = text.trim_matches(['"', '\'']);
    for folder in ["$(dirname", "$(cd", "`dirname", "${BASH_SOURCE", "${0%"] {
        if text.starts_with(folder) {
            let end = text.rfind([')', '}', '`'])?;
            let rest = text[end + 1..].trim_start_matches(['"', '/']);
            return (!rest.is_empty()).then(|| format!("./{rest}"));
        }
    }
    let plain = text.replace(['"', '\''], "");
    let only_variable = plain.starts_with('$') && !plain.contains('/');
    (!only_variable && !plain.contains(['(', '`'])).then_some(plain)
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};

    use super::*;
    use crate::languages::shown;

    #[track_caller]
    fn check(text: &str, expected: &Expect) {
        expected.assert_eq(&shown(Language::Bash, text));
    }

    #[test]
    fn ix2_symbols() {
        check(
            r#"#!/usr/bin/env bash
# The library.
source ./lib/util.sh
. "$DIR/other.sh"
. "${BASH_SOURCE%/*}/x.sh"
source "$(dirname "$0")/lib.sh"
source "$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"/deep/y.sh
source "$file"
readonly MAX=3 MIN=1
export PATH_X=/a
plain=value
declare -gr CONST=1
declare -a list=(1 2)
alias ll='ls -l'
# Says hello.
function foo { echo hi; }
function bar() {
  local x=1
  if [ "$x" = 1 ] && foo || bar; then "$x"; elif true; then :; fi
  for i in a b; do baz; done
  for ((i=0;i<3;i++)); do :; done
  until false; do :; done
  case $x in a|b) foo "$(other)";; *) ;; esac
  [[ $x && $y ]]
  inner() { :; }
}
my-func() ( echo sub; )
bar | my-func > out
"#,
            &expect![[r#"
                +constant MAX 9..9 `MAX=3`
                +constant MIN 9..9 `MIN=1`
                +variable PATH_X 10..10 `PATH_X=/a`
                +constant CONST 12..12 `CONST=1`
                +macro ll 14..14 `alias ll='ls -l'`
                +function foo 16..16 `function foo` doc "Says hello."
                +function bar 17..26 `function bar()` complexity 10
                -function inner in bar 25..25 `inner()`
                +function my-func 27..27 `my-func()`
                import Include `./lib/util.sh` [] uses 0
                import Include `$DIR/other.sh` [] uses 0
                import Include `./x.sh` [] uses 0
                import Include `./lib.sh` [] uses 0
                import Include `./deep/y.sh` [] uses 0
                Call dirname from top x2
                Call cd from top
                Call pwd from top
                Call echo from foo
                Call foo from bar x2
                Call bar from bar
                Call true from bar
                Call baz from bar
                Call false from bar
                Call other from bar
                Call echo from my-func
                Call bar from top
                Call my-func from top
                mark main
            "#]],
        );
    }

    #[test]
    fn ix2_broken_code_gives_what_it_can() {
        check(
            "good() { echo 1; }\n)\nalso() {\n  run me\n}\n@test \"adds\" { run good; }\nif [ x\n",
            &expect![[r#"
                +function good 1..1 `good()`
                +function also 3..5 `also()`
                Call echo from good
                Call run from also
                Call x from top
                mark tests
                syntax errors 2
            "#]],
        );
    }
}
