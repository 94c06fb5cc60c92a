//! Calls without a receiver: some of them are Ruby's way to declare, to hide and to import.

use tree_sitter::Node;

use super::{WalkState, declare_method, inherit, is_exported, set_signature};
use crate::facts::{Import, ImportKind, ImportedName, ReferenceKind, SymbolKind};
use crate::tree::{Below, Declaration, Reader, line_of};

/// A call without a receiver: some of them are Ruby's way to declare things.
pub(super) fn bare_call<'t>(
    name: &'t str,
    node: Node<'_>,
    reader: &mut Reader<'t>,
    seen: &WalkState<'t>,
) -> Below {
    let in_class = matches!(reader.scope_kind(), Some(SymbolKind::Class | SymbolKind::Module));
    match name {
        "require" | "require_relative" | "load" | "autoload" if import(name, node, reader) => {
            return Below::Skip;
        }
        "include" | "extend" | "prepend" if in_class => {
            let mut plain = true;
            for_each_argument(node, |argument| plain &= inherit(argument, reader));
            return if plain { Below::Skip } else { Below::Walk };
        }
        "attr_accessor" | "attr_reader" | "attr_writer" | "attr" if in_class => {
            attributes(name, node, reader, seen);
            return Below::Skip;
        }
        "define_method" | "alias_method" if in_class => {
            if let Some(made) = argument(node, 0)
                .map(|first| literal(first, reader))
                .filter(|made| !made.is_empty())
            {
                let body = node.child_by_field_name("block");
                let symbol = declare_method(made, node, body, reader, seen);
                let end = node.child_by_field_name("arguments").unwrap_or(node).end_byte();
                set_signature(symbol, node.start_byte(), end, reader);
                return Below::Walk;
            }
        }
        "private" | "private_class_method" | "private_constant" if in_class => {
            make_private(node, reader, seen);
            return Below::Walk;
        }
        "public" | "protected" | "module_function" if in_class => return Below::Walk,
        "describe" | "it" | "test" | "context" | "specify" => {
            reader.facts.marks.tests |= node.child_by_field_name("block").is_some();
        }
        _ => {}
    }
    reader.reference(ReferenceKind::Call, "", name, node);
    Below::Walk
}

/// `private def x`, `private attr_reader :x` and `private :x, :y`.
fn make_private<'t>(node: Node<'_>, reader: &mut Reader<'t>, seen: &WalkState<'t>) {
    let scope = reader.scope();
    for_each_argument(node, |argument| {
        if matches!(argument.kind(), "simple_symbol" | "string") {
            let member = seen.members.borrow().get(&(scope, literal(argument, reader))).copied();
            if let Some(member) = member {
                reader.facts.symbols[member as usize].exported = false;
            }
        } else {
            seen.private_until.set(argument.end_byte());
        }
    });
}

fn attributes<'t>(macro_name: &str, node: Node<'_>, reader: &mut Reader<'t>, seen: &WalkState<'t>) {
    let parent = reader.scope();
    let exported = is_exported(node, reader, seen);
    for_each_argument(node, |argument| {
        let name = literal(argument, reader);
        if name.is_empty() {
            return;
        }
        let setter = format!("{name}=");
        let symbol = reader.declare(&Declaration {
            name: if macro_name == "attr_writer" { &setter } else { name },
            kind: SymbolKind::Method,
            node: argument,
            body: None,
            exported,
        });
        seen.members.borrow_mut().insert((parent, name), symbol);
        let symbol = &mut reader.facts.symbols[symbol as usize];
        symbol.parent = parent;
        symbol.signature = format!("{macro_name} :{name}").into();
    });
}

/// Is the path one that can be read off the code?
fn import(name: &str, node: Node<'_>, reader: &mut Reader<'_>) -> bool {
    let path = argument(node, u32::from(name == "autoload"));
    let Some((relative, specifier)) = path.and_then(|path| import_path(path, reader)) else {
        return false;
    };
    let kind = if relative || name == "require_relative" {
        ImportKind::Include
    } else {
        ImportKind::SystemInclude
    };
    let mut names = Vec::new();
    if name == "autoload" {
        let constant = argument(node, 0).map_or("", |first| literal(first, reader));
        names.push(ImportedName { name: constant.into(), local: constant.into() });
    }
    let specifier = specifier.strip_suffix(".rb").unwrap_or(specifier).into();
    reader.import(Import { specifier, kind, names, line: line_of(node), uses: 0 });
    true
}

/// A plain string, or `File.expand_path('x', __dir__)`, which is relative to the file.
fn import_path<'t>(path: Node<'_>, reader: &Reader<'t>) -> Option<(bool, &'t str)> {
    match path.kind() {
        "string" => {
            let path = literal(path, reader);
            (!path.is_empty()).then_some((false, path))
        }
        "call"
            if reader.field(path, "receiver") == "File"
                && reader.field(path, "method") == "expand_path" =>
        {
            let from = reader.text(argument(path, 1)?);
            let path = literal(argument(path, 0)?, reader);
            match from {
                "__dir__" => Some((true, path)),
                // Seen from the file itself, its own folder is one up.
                "__FILE__" => Some((true, path.strip_prefix("../")?)),
                _ => None,
            }
        }
        _ => None,
    }
}

fn argument(call: Node<'_>, at: u32) -> Option<Node<'_>> {
    call.child_by_field_name("arguments")?.named_child(at)
}

fn for_each_argument(call: Node<'_>, mut visit: impl FnMut(Node<'_>)) {
    let Some(arguments) = call.child_by_field_name("arguments") else { return };
    let mut cursor = arguments.walk();
    for argument in arguments.named_children(&mut cursor) {
        visit(argument);
    }
}

/// `name` of `:name`, `'name'` and `"name"`; empty for what is put together at run time.
fn literal<'t>(node: Node<'_>, reader: &Reader<'t>) -> &'t str {
    match node.kind() {
        "simple_symbol" => reader.text(node).trim_start_matches(':'),
        "string" if node.named_child_count() == 1 => match node.named_child(0) {
            Some(content) if content.kind() == "string_content" => reader.text(content),
            _ => "",
        },
        _ => "",
    }
}
