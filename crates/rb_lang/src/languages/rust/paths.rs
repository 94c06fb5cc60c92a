//! Imports of Rust, and paths that reach another file without one.
//!
//! One import for each leaf of a `use`: the specifier is the path before the last part, the name that last part; `*` for a
//! glob. A path of one part, as in `use serde`, is the specifier itself, taken as a whole (`*`). Paths inside `mod x { … }`
//! are rewritten as seen from the file's own module, so that `super::y` there is `self::y`. `mod x;` is a module, with
//! the names of the inline modules around it (`outer::x`); with `#[path]` it is an include of that path.

use tree_sitter::Node;

use crate::facts::{Import, ImportKind, ImportedName, ReferenceKind, SymbolKind};
use crate::tree::{Below, Reader, line_of};

/// Deeper nests of `{}` in one `use` are left out.
const MAX_USE_DEPTH: usize = 32;

pub(super) fn use_declaration(node: Node<'_>, reader: &mut Reader<'_>) {
    let given_on = node.named_child(0).is_some_and(|child| child.kind() == "visibility_modifier");
    let kind = if given_on { ImportKind::ReExport } else { ImportKind::Static };
    let Some(argument) = node.child_by_field_name("argument") else { return };
    let mut open = vec![(argument, String::new(), 0)];
    while let Some((tree, prefix, depth)) = open.pop() {
        match tree.kind() {
            "use_list" | "scoped_use_list" if depth < MAX_USE_DEPTH => {
                let prefix = joined(&prefix, reader.field(tree, "path"));
                let list = tree.child_by_field_name("list").unwrap_or(tree);
                let children: Vec<Node<'_>> = list.named_children(&mut list.walk()).collect();
                open.extend(
                    children.into_iter().rev().map(|child| (child, prefix.clone(), depth + 1)),
                );
            }
            "use_wildcard" => {
                let path = tree.named_child(0).map_or("", |path| reader.text(path));
                leaf(kind, &joined(&prefix, path), "*", "", tree, reader);
            }
            "use_as_clause" => {
                let path = joined(&prefix, reader.field(tree, "path"));
                let alias = reader.field(tree, "alias");
                named(kind, &path, Some(alias), tree, reader);
            }
            "identifier" | "scoped_identifier" | "self" | "crate" | "super" => {
                let path = joined(&prefix, reader.text(tree));
                named(kind, &path, None, tree, reader);
            }
            _ => {}
        }
    }
}

pub(super) fn extern_crate(node: Node<'_>, reader: &mut Reader<'_>) {
    let name = reader.field(node, "name");
    let alias = reader.field(node, "alias");
    let local = if alias.is_empty() { name } else { alias };
    leaf(ImportKind::Static, name, "*", local, node, reader);
}

/// `mod x;`
pub(super) fn module_file(node: Node<'_>, reader: &mut Reader<'_>) {
    let name = reader.field(node, "name");
    let (kind, specifier) = match path_attribute(reader.attributes_before(node)) {
        Some(path) => (ImportKind::Include, path.to_owned()),
        None => {
            let mut path = inline_modules(reader);
            path.push(name);
            (ImportKind::Module, path.join("::"))
        }
    };
    reader.import(Import {
        specifier: specifier.into(),
        kind,
        names: vec![ImportedName { name: "*".into(), local: name.into() }],
        line: line_of(node),
        uses: 0,
    });
}

/// A path in an expression or a type. One that leads out of the file is an import.
pub(super) fn qualified_path(node: Node<'_>, reader: &mut Reader<'_>) -> Below {
    let text = reader.text(node);
    if is_plain(text) && import_path(text, node, reader) {
        return Below::Skip;
    }
    // Of `a::b` only `a` can be the name of an import.
    if let (Some(_), Some(name)) =
        (node.child_by_field_name("path"), node.child_by_field_name("name"))
    {
        reader.skip(name);
    }
    Below::Walk
}

/// What tokens stand for that the grammar leaves as they are.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Tokens {
    /// Of a macro call: `a::b(…)` and `a.b(…)` are calls there too.
    Code,
    /// Of an attribute: `not(…)` is a list with a name. Only what follows `=` may be code.
    Meta,
}

pub(super) fn tokens(tokens: Tokens, node: Node<'_>, reader: &mut Reader<'_>) {
    let mut members = Vec::new();
    // The path that is being read, and what stands before the current token.
    let mut path: Option<Node<'_>> = None;
    let mut end = 0;
    let mut before = "";
    let mut code = tokens == Tokens::Code;
    for token in node.children(&mut node.walk()) {
        let kind = token.kind();
        if tokens == Tokens::Meta && matches!(kind, "=" | ",") {
            code = kind == "=";
        }
        match kind {
            "identifier" | "self" | "super" | "crate" | "metavariable" => {
                if matches!(before, "::" | ".") {
                    members.push(token);
                }
                // A path goes on after `::` and `.` alone. One that begins with a dot has lost what it is of.
                if !(matches!(before, "::" | ".") && path.is_some()) {
                    end_path(path, end, reader);
                    path = (before != "fn").then_some(token);
                }
                end = token.end_byte();
            }
            "::" | "." | "!" => {}
            _ => {
                if code
                    && kind == "token_tree"
                    && matches!(before, "identifier" | "!")
                    && reader.text(token).starts_with('(')
                {
                    token_call(path, end, reader);
                }
                end_path(path.take(), end, reader);
            }
        }
        before = kind;
    }
    end_path(path, end, reader);
    members.into_iter().rev().for_each(|member| reader.skip(member));
}

fn token_call(path: Option<Node<'_>>, end: usize, reader: &mut Reader<'_>) {
    let Some(start) = path else { return };
    let text = reader.text.get(start.start_byte()..end).unwrap_or_default();
    let dotted = reader.text[..start.start_byte()].ends_with('.');
    let at = text.rfind(['.', ':']).map_or(0, |at| at + 1);
    let (qualifier, name) = (text[..at].trim_end_matches(['.', ':']), &text[at..]);
    let qualifier = if dotted { "f()" } else { qualifier };
    if !(qualifier.is_empty() && super::EVERYWHERE.contains(&name)) {
        reader.reference(ReferenceKind::Call, qualifier, name, start);
    }
}

fn end_path(path: Option<Node<'_>>, end: usize, reader: &mut Reader<'_>) {
    let Some(start) = path else { return };
    let text = reader.text.get(start.start_byte()..end).unwrap_or_default();
    let text = text.split('.').next().unwrap_or_default();
    if is_plain(text) {
        import_path(text, start, reader);
    }
}

/// Takes a path from `crate` or `super` as an import. False where it begins with something else.
fn import_path(path: &str, node: Node<'_>, reader: &mut Reader<'_>) -> bool {
    if !(path.starts_with("crate::") || path.starts_with("super::")) {
        return false;
    }
    let path = seen_from_file(path, reader);
    if let Some((specifier, name)) = path.rsplit_once("::")
        && specifier != "self"
    {
        reader.import_by_path(specifier, name, node);
    }
    true
}

/// A leaf that ends in a name: `a::b` or `a::{self}`.
fn named(
    kind: ImportKind,
    path: &str,
    alias: Option<&str>,
    node: Node<'_>,
    reader: &mut Reader<'_>,
) {
    let path = path.strip_suffix("::self").unwrap_or(path);
    let last = path.rsplit("::").next().unwrap_or_default();
    let local = match alias {
        Some("_") => "",
        Some(alias) => alias,
        None => last,
    };
    match path.rsplit_once("::") {
        Some((specifier, name)) => leaf(kind, specifier, name, local, node, reader),
        None => leaf(kind, path, "*", local, node, reader),
    }
}

fn leaf(
    kind: ImportKind,
    specifier: &str,
    name: &str,
    local: &str,
    node: Node<'_>,
    reader: &mut Reader<'_>,
) {
    let specifier = seen_from_file(specifier, reader);
    reader.import(Import {
        specifier: specifier.into(),
        kind,
        names: vec![ImportedName { name: name.into(), local: local.into() }],
        line: line_of(node),
        uses: 0,
    });
}

/// Two parts of a path as one, without spaces and without the `::` that a path may begin with.
fn joined(prefix: &str, rest: &str) -> String {
    let mut path = prefix.to_owned();
    if !prefix.is_empty() && !rest.is_empty() {
        path.push_str("::");
    }
    path.extend(rest.trim_start_matches("::").split_whitespace());
    path
}

/// `self` and `super` mean the inline module around them; this says the same from the module that the file is.
fn seen_from_file(path: &str, reader: &Reader<'_>) -> String {
    let mut modules = inline_modules(reader);
    let mut rest = path;
    let mut parts = Vec::new();
    if modules.is_empty() || !matches!(path.split("::").next(), Some("self" | "super")) {
        return path.to_owned();
    }
    loop {
        let (first, after) = rest.split_once("::").unwrap_or((rest, ""));
        match first {
            "super" if modules.pop().is_none() => parts.push("super"),
            "self" | "super" => {}
            _ => break,
        }
        rest = after;
    }
    if parts.is_empty() {
        parts.push("self");
    }
    parts.extend(modules);
    if !rest.is_empty() {
        parts.push(rest);
    }
    parts.join("::")
}

fn inline_modules<'a>(reader: &'a Reader<'_>) -> Vec<&'a str> {
    reader
        .scopes()
        .filter(|scope| scope.kind == SymbolKind::Module)
        .map(|scope| &*scope.name)
        .collect()
}

fn is_plain(path: &str) -> bool {
    path.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | ':' | '#'))
}

/// The file in `#[path = "…"]`.
fn path_attribute(attributes: &str) -> Option<&str> {
    let attribute =
        attributes.split("#[").map(str::trim_start).find_map(|rest| rest.strip_prefix("path"))?;
    let value = attribute.trim_start().strip_prefix('=')?.trim_start().strip_prefix('"')?;
    value.split_once('"').map(|(path, _)| path)
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};

    use crate::language::Language;
    use crate::languages::shown;

    #[track_caller]
    fn check(text: &str, expected: &Expect) {
        expected.assert_eq(&shown(Language::Rust, text));
    }

    #[test]
    fn ix3_imports() {
        check(
            r#"
use a::{b, c::{self, d as e, *}, Tr as _};
use std::io;
use serde;
use {x::y, ::z::w};
pub use crate::q::Z as W;
extern crate alloc as al;
mod plain;
#[cfg(unix)]
#[path = "sys/unix.rs"]
// Not everywhere.
mod sys;
mod outer {
    mod file;
    use super::b;
    use super::super::up;
    use self::file::F;
    mod deep { use super::file::G; use super::super::super::far; }
}
fn f(p: crate::types::P) -> io::Result<e> {
    crate::work::go(crate::types::P);
    check!(super::near(1), io::Error);
    <e as super::Q>::go();
    d::Error::new();
    self::plain::f();
    crate::gen::Vector::<b>::new()
}
mod tests {
    use super::*;
    fn t() { super::f(); super::plain::f(); super::super::g(); }
}
"#,
            &expect![[r#"
                -module outer 13..19 `mod outer`
                -module deep in outer 18..18 `mod deep`
                -function f 20..27 `fn f(p: crate::types::P) -> io::Result<e>`
                -module tests 28..31 `mod tests`
                -function t in tests 30..30 `fn t()`
                import Static `a` [b] uses 1
                import Static `a` [c] uses 0
                import Static `a::c` [d as e] uses 2
                import Static `a::c` [* as ] uses 0
                import Static `a` [Tr as ] uses 0
                import Static `std` [io] uses 2
                import Static `serde` [* as serde] uses 0
                import Static `x` [y] uses 0
                import Static `z` [w] uses 0
                import ReExport `crate::q` [Z as W] uses 0
                import Static `alloc` [* as al] uses 0
                import Module `plain` [* as plain] uses 0
                import Include `sys/unix.rs` [* as sys] uses 0
                import Module `outer::file` [* as file] uses 0
                import Static `self` [b] uses 1
                import Static `super` [up] uses 0
                import Static `self::outer::file` [F] uses 0
                import Static `self::outer::file` [G] uses 0
                import Static `super` [far] uses 0
                import Static `crate::types` [P as ] uses 2
                import Static `crate::work` [go as ] uses 1
                import Static `super` [near as ] uses 1
                import Static `super` [Q as ] uses 1
                import Static `crate::gen` [Vector as ] uses 1
                import Static `self` [* as ] uses 0
                import Static `self::plain` [f as ] uses 1
                import Static `super` [g as ] uses 1
                Call crate::work . go from f
                Call check from f
                Call super . near from f
                Call ? . go from f
                Call d::Error . new from f
                Call self::plain . f from f
                Call crate::gen::Vector . new from f
                Call super . f from t
                Call super::plain . f from t
                Call super::super . g from t
            "#]],
        );
    }
}
