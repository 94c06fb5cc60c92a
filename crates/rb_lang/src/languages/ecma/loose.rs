//! The same facts from tree-sitter, for texts that the parser refuses, or that it could not be trusted with.
//!
//! Those are broken files, dialects such as Flow, and nesting that nobody wrote by hand. What a symbol or an import is,
//! is the same as in `walk`, but told from single nodes: names bound deep inside of patterns are not looked for.

use std::sync::LazyLock;

use rustc_hash::FxHashSet;
use tree_sitter::Node;

use super::collect::MAX_NESTING;
use super::react;
use crate::facts::{
    Cut, Export, Facts, Import, ImportKind, ImportedName, ReferenceKind, SymbolKind,
};
use crate::language::Language;
use crate::tree::{Below, Declaration, Grammar, Reader, line_of};

#[derive(Clone, Copy, Default, PartialEq)]
enum Kind {
    #[default]
    Other,
    Function,
    Class,
    Method,
    Field,
    Variable,
    Property,
    Assignment,
    Interface,
    Type,
    Enum,
    Module,
    Import,
    Export,
    Call,
    New,
    Element,
    Base,
    Decision,
    Binary,
    Case,
    Comment,
    Name,
    HashBang,
    Directive,
}

const COMMON: &[(&str, Kind)] = &[
    ("function_declaration", Kind::Function),
    ("generator_function_declaration", Kind::Function),
    ("class_declaration", Kind::Class),
    ("method_definition", Kind::Method),
    ("variable_declarator", Kind::Variable),
    ("pair", Kind::Property),
    ("assignment_expression", Kind::Assignment),
    ("import_statement", Kind::Import),
    ("export_statement", Kind::Export),
    ("call_expression", Kind::Call),
    ("new_expression", Kind::New),
    ("class_heritage", Kind::Base),
    ("if_statement", Kind::Decision),
    ("for_statement", Kind::Decision),
    ("for_in_statement", Kind::Decision),
    ("while_statement", Kind::Decision),
    ("do_statement", Kind::Decision),
    ("catch_clause", Kind::Decision),
    ("ternary_expression", Kind::Decision),
    ("switch_case", Kind::Case),
    ("binary_expression", Kind::Binary),
    ("comment", Kind::Comment),
    ("identifier", Kind::Name),
    ("shorthand_property_identifier", Kind::Name),
    ("hash_bang_line", Kind::HashBang),
    ("expression_statement", Kind::Directive),
];

const ELEMENTS: &[(&str, Kind)] =
    &[("jsx_opening_element", Kind::Element), ("jsx_self_closing_element", Kind::Element)];

const TYPES: &[(&str, Kind)] = &[
    ("function_signature", Kind::Function),
    ("abstract_class_declaration", Kind::Class),
    ("method_signature", Kind::Method),
    ("abstract_method_signature", Kind::Method),
    ("public_field_definition", Kind::Field),
    ("interface_declaration", Kind::Interface),
    ("type_alias_declaration", Kind::Type),
    ("enum_declaration", Kind::Enum),
    ("internal_module", Kind::Module),
    ("module", Kind::Module),
    ("extends_type_clause", Kind::Base),
    ("type_identifier", Kind::Name),
];

static JAVASCRIPT: LazyLock<Grammar<Kind>> = LazyLock::new(|| {
    let own = &[("field_definition", Kind::Field)];
    Grammar::new(tree_sitter_javascript::LANGUAGE, &[COMMON, ELEMENTS, own].concat())
});
static TYPESCRIPT: LazyLock<Grammar<Kind>> = LazyLock::new(|| {
    Grammar::new(tree_sitter_typescript::LANGUAGE_TYPESCRIPT, &[COMMON, TYPES].concat())
});
static TSX: LazyLock<Grammar<Kind>> = LazyLock::new(|| {
    Grammar::new(tree_sitter_typescript::LANGUAGE_TSX, &[COMMON, ELEMENTS, TYPES].concat())
});

/// For texts that nobody wrote by hand. The grammar without types has the fewest ways to read them.
pub(super) fn extract_tangled(text: &str) -> Facts {
    finish(JAVASCRIPT.read(text, visit))
}

pub(super) fn extract(language: Language, text: &str) -> Facts {
    finish(match language {
        Language::TypeScript => TYPESCRIPT.read(text, visit),
        Language::Tsx => TSX.read(text, visit),
        // Flow's types are nearer to TypeScript's than to none.
        _ if is_flow(text) => TSX.read(text, visit),
        _ => JAVASCRIPT.read(text, visit),
    })
}

/// What is exported is known at the end of the file.
fn finish(mut facts: Facts) -> Facts {
    let listed: FxHashSet<&str> = facts.exports.iter().map(|export| &*export.local).collect();
    for symbol in facts.symbols.iter_mut().filter(|symbol| symbol.parent.is_none()) {
        symbol.exported |= listed.contains(&*symbol.name);
    }
    for index in 0..facts.symbols.len() {
        if let Some(parent) = facts.symbols[index].parent {
            facts.symbols[index].exported &= facts.symbols[parent as usize].exported;
        }
    }
    facts
}

/// The mark stands in the first comment.
fn is_flow(text: &str) -> bool {
    crate::tree::clip(text, 2000).contains("@flow")
}

fn visit(kind: Kind, node: Node<'_>, reader: &mut Reader<'_>) -> Below {
    match kind {
        Kind::Other => {}
        Kind::Function => named(node, SymbolKind::Function, is_exported(node, reader), reader),
        Kind::Class => named(node, SymbolKind::Class, is_exported(node, reader), reader),
        Kind::Method => method(node, reader),
        Kind::Field => held(node, "property", "value", SymbolKind::Method, reader),
        Kind::Variable => variable(node, reader),
        Kind::Property => held(node, "key", "value", SymbolKind::Method, reader),
        Kind::Assignment => assignment(node, reader),
        Kind::Interface => named(node, SymbolKind::Interface, is_exported(node, reader), reader),
        Kind::Type => named(node, SymbolKind::Type, is_exported(node, reader), reader),
        Kind::Enum => named(node, SymbolKind::Enum, is_exported(node, reader), reader),
        Kind::Module => named(node, SymbolKind::Module, true, reader),
        Kind::Import => {
            import(node, reader);
            return Below::Skip;
        }
        Kind::Export => export(node, reader),
        Kind::Call => call(node, reader),
        Kind::New => refer(ReferenceKind::New, node.child_by_field_name("constructor"), reader),
        Kind::Element => element(node, reader),
        Kind::Base => bases(node, reader),
        Kind::Decision | Kind::Case => reader.decision(),
        Kind::Binary => {
            if matches!(reader.field(node, "operator"), "&&" | "||" | "??") {
                reader.decision();
            }
        }
        Kind::Comment => reader.comment(node, reader.text(node).starts_with("/**")),
        Kind::Name => reader.name(node),
        Kind::HashBang => reader.facts.marks.main = true,
        Kind::Directive => directive(node, reader),
    }
    Below::Walk
}

/// A symbol, unless it lies in so many others that hashing each with its content would take too long.
fn declare(declaration: &Declaration<'_, '_>, reader: &mut Reader<'_>) {
    let start = declaration.node.start_byte();
    declare_from(export_before(start, reader).unwrap_or(start), declaration, reader);
}

/// As `declare`, with a signature that begins at `start`.
fn declare_from(start: usize, declaration: &Declaration<'_, '_>, reader: &mut Reader<'_>) {
    let mut around = reader.scope();
    for _ in 0..MAX_NESTING {
        match around {
            Some(symbol) => around = reader.facts.symbols[symbol as usize].parent,
            None => {
                reader.declare_from(start, declaration);
                return;
            }
        }
    }
    reader.facts.cut = Some(Cut::Depth);
}

fn named(node: Node<'_>, kind: SymbolKind, exported: bool, reader: &mut Reader<'_>) {
    let name = unquoted(reader.field(node, "name"));
    let body = node.child_by_field_name("body");
    declare(&Declaration { name, kind, node, body, exported }, reader);
}

fn method(node: Node<'_>, reader: &mut Reader<'_>) {
    let private =
        reader.text(node).starts_with("private ") || reader.field(node, "name").starts_with('#');
    named(node, SymbolKind::Method, !private, reader);
}

/// A function under the name of what holds it.
fn held(node: Node<'_>, name: &str, value: &str, kind: SymbolKind, reader: &mut Reader<'_>) {
    let Some(value) = node.child_by_field_name(value).map(bare) else { return };
    if is_function(value) {
        // JavaScript's grammar and TypeScript's call the name of a field differently.
        let name = node.child_by_field_name(name).or_else(|| node.child_by_field_name("name"));
        let name = name.map_or("", |name| reader.text(name));
        let body = value.child_by_field_name("body");
        declare(&Declaration { name: unquoted(name), kind, node, body, exported: true }, reader);
    }
}

fn is_function(node: Node<'_>) -> bool {
    matches!(node.kind(), "arrow_function" | "function_expression" | "generator_function")
}

/// Without parentheses and casts.
fn bare(mut node: Node<'_>) -> Node<'_> {
    while let "parenthesized_expression"
    | "as_expression"
    | "satisfies_expression"
    | "non_null_expression" = node.kind()
        && let Some(inner) = node.named_child(0)
    {
        node = inner;
    }
    node
}

/// Functions anywhere; other values only where the statement starts its line, as those of the file itself do.
fn variable(node: Node<'_>, reader: &mut Reader<'_>) {
    let Some(id) = node.child_by_field_name("name") else { return };
    let value = node.child_by_field_name("value");
    if let Some(specifier) = value.and_then(|value| required(value, reader)) {
        return bind_required(node, id, specifier, reader);
    }
    let word = word_before(node.start_byte(), reader);
    let statement = node.start_byte() - word.len();
    let export = export_before(statement, reader);
    let exported = export.is_some();
    let name = reader.text(id);
    let (kind, body) = match value {
        Some(value) if is_function(value) => {
            (SymbolKind::Function, value.child_by_field_name("body"))
        }
        Some(value) if value.kind() == "class" => {
            (SymbolKind::Class, value.child_by_field_name("body"))
        }
        _ if word.starts_with("const") => (SymbolKind::Constant, None),
        _ => (SymbolKind::Variable, None),
    };
    let is_value = body.is_none();
    let starts_line =
        node.start_position().column == word.len() + if exported { "export ".len() } else { 0 };
    if id.kind() != "identifier" || (is_value && (!starts_line || word.is_empty())) {
        return;
    }
    // One of several is told by its own words.
    let several = reader.text[node.end_byte()..].trim_start().starts_with(',');
    let start = if several { node.start_byte() } else { export.unwrap_or(statement) };
    declare_from(start, &Declaration { name, kind, node, body, exported }, reader);
}

/// `const `, `let `, `var ` just before a place, with its space.
fn word_before<'t>(at: usize, reader: &Reader<'t>) -> &'t str {
    let before = &reader.text[..at];
    ["const ", "let ", "var "]
        .into_iter()
        .find_map(|word| before.ends_with(word).then(|| &before[at - word.len()..]))
        .unwrap_or("")
}

fn is_exported(node: Node<'_>, reader: &Reader<'_>) -> bool {
    export_before(node.start_byte(), reader).is_some()
}

/// Where the `export` stands that what starts `at` belongs to.
fn export_before(at: usize, reader: &Reader<'_>) -> Option<usize> {
    let from = reader.text.floor_char_boundary(at.saturating_sub(40));
    let mut before = reader.text[from..at].trim_end();
    for word in ["abstract", "declare", "default"] {
        before = before.strip_suffix(word).unwrap_or(before).trim_end();
    }
    let before = before.strip_suffix("export")?;
    Some(from + before.len())
}

/// `a.b = function …`, `a['b'] = class …`; `module.exports = …` and `exports.a = …` export.
fn assignment(node: Node<'_>, reader: &mut Reader<'_>) {
    let (Some(target), Some(value)) =
        (node.child_by_field_name("left"), node.child_by_field_name("right").map(bare))
    else {
        return;
    };
    let Some(name) = member_name(target, reader) else { return };
    let owner = target.child_by_field_name("object").map_or("", |it| reader.text(bare(it)));
    let exports = matches!(owner, "exports" | "module.exports");
    let is_class = value.kind() == "class";
    let local = if value.kind() == "identifier" { reader.text(value) } else { "" };
    if owner == "module" && name == "exports" {
        export_value(value, local, reader);
    } else if exports {
        let local = if is_function(value) || is_class { name } else { local };
        reader.facts.exports.push(Export { name: name.into(), local: local.into() });
    }
    if (is_function(value) || is_class) && owner != "module" {
        let kind = match (is_class, exports) {
            (true, _) => SymbolKind::Class,
            (false, true) => SymbolKind::Function,
            (false, false) => SymbolKind::Method,
        };
        let body = value.child_by_field_name("body");
        declare(&Declaration { name, kind, node, body, exported: exports }, reader);
    }
}

/// The name in `a.b` and `a['b']`.
fn member_name<'t>(target: Node<'_>, reader: &Reader<'t>) -> Option<&'t str> {
    match target.kind() {
        "member_expression" => Some(reader.field(target, "property")),
        "subscript_expression" => {
            let index = target.child_by_field_name("index")?;
            let text = unquoted(reader.text(index));
            let plain = index.kind() == "string"
                || (index.kind() == "template_string" && !text.contains("${"));
            plain.then_some(text)
        }
        _ => None,
    }
}

fn export_value(value: Node<'_>, local: &str, reader: &mut Reader<'_>) {
    if value.kind() != "object" {
        return reader.facts.exports.push(Export { name: "default".into(), local: local.into() });
    }
    let mut cursor = value.walk();
    for property in value.named_children(&mut cursor) {
        let (name, local) = match property.kind() {
            "shorthand_property_identifier" => (reader.text(property), reader.text(property)),
            "pair" => {
                let name = reader.field(property, "key");
                let local = match property.child_by_field_name("value").map(bare) {
                    Some(value) if value.kind() == "identifier" => reader.text(value),
                    Some(value) if is_function(value) => unquoted(name),
                    _ => "",
                };
                (name, local)
            }
            "method_definition" => (reader.field(property, "name"), reader.field(property, "name")),
            _ => continue,
        };
        reader.facts.exports.push(Export { name: unquoted(name).into(), local: local.into() });
    }
}

fn import(node: Node<'_>, reader: &mut Reader<'_>) {
    let mut names = Vec::new();
    let mut specifier = reader.field(node, "source");
    let mut kind = if reader.text(node).starts_with("import type") {
        ImportKind::TypeOnly
    } else {
        ImportKind::Static
    };
    let mut cursor = node.walk();
    for child in node.named_children(&mut cursor) {
        match child.kind() {
            "import_clause" => import_clause(child, &mut names, reader),
            "import_require_clause" => {
                kind = ImportKind::Require;
                specifier = reader.field(child, "source");
                let local = child.named_child(0).map_or("", |id| reader.text(id));
                names.push(ImportedName { name: "*".into(), local: local.into() });
            }
            _ => {}
        }
    }
    let specifier = unquoted(specifier).into();
    reader.import(Import { specifier, kind, names, line: line_of(node), uses: 0 });
}

fn import_clause(clause: Node<'_>, names: &mut Vec<ImportedName>, reader: &Reader<'_>) {
    let mut cursor = clause.walk();
    for child in clause.named_children(&mut cursor) {
        let mut bind = |name: &str, local: &str| {
            names.push(ImportedName { name: name.into(), local: local.into() });
        };
        match child.kind() {
            "identifier" => bind("default", reader.text(child)),
            "namespace_import" => bind("*", child.named_child(0).map_or("", |id| reader.text(id))),
            "named_imports" => {
                let mut cursor = child.walk();
                for specifier in child.named_children(&mut cursor) {
                    let name = reader.field(specifier, "name");
                    let alias = reader.field(specifier, "alias");
                    bind(unquoted(name), if alias.is_empty() { name } else { alias });
                }
            }
            _ => {}
        }
    }
}

fn export(node: Node<'_>, reader: &mut Reader<'_>) {
    let source = unquoted(reader.field(node, "source"));
    let mut names = Vec::new();
    let mut cursor = node.walk();
    for child in node.children(&mut cursor) {
        match child.kind() {
            "*" => names.push(("*", "")),
            "namespace_export" => {
                names.push(("*", child.named_child(0).map_or("", |id| reader.text(id))));
            }
            "export_clause" => {
                let mut cursor = child.walk();
                for specifier in child.named_children(&mut cursor) {
                    let name = unquoted(reader.field(specifier, "name"));
                    let alias = unquoted(reader.field(specifier, "alias"));
                    names.push((name, if alias.is_empty() { name } else { alias }));
                }
            }
            "default" => names.push((default_name(node, reader), "default")),
            _ => {}
        }
    }
    names.extend(declared_name(node, reader).map(|name| (name, name)));
    for &(name, given) in names.iter().filter(|(_, given)| !given.is_empty()) {
        let local = if source.is_empty() { name } else { given };
        reader.facts.exports.push(Export { name: given.into(), local: local.into() });
    }
    if !source.is_empty() {
        let names = names
            .iter()
            .map(|&(name, given)| ImportedName { name: name.into(), local: given.into() });
        let names = names.collect();
        reader.import(Import {
            specifier: source.into(),
            kind: ImportKind::ReExport,
            names,
            line: line_of(node),
            uses: 0,
        });
    }
}

fn default_name<'t>(node: Node<'_>, reader: &Reader<'t>) -> &'t str {
    match node.child_by_field_name("value").or_else(|| node.child_by_field_name("declaration")) {
        Some(value) if value.kind() == "identifier" => reader.text(value),
        Some(value) => reader.field(value, "name"),
        None => "",
    }
}

/// The first name that `export const a`, `export function a` and so on declare.
fn declared_name<'t>(node: Node<'_>, reader: &Reader<'t>) -> Option<&'t str> {
    let declaration = node.child_by_field_name("declaration")?;
    let is_default = reader.text(node)["export".len()..].trim_start().starts_with("default");
    let name = declaration.child_by_field_name("name").or_else(|| {
        let mut cursor = declaration.walk();
        let mut children = declaration.named_children(&mut cursor);
        children.find(|child| child.kind() == "variable_declarator")?.child_by_field_name("name")
    })?;
    (!is_default).then(|| reader.text(name))
}

fn call(node: Node<'_>, reader: &mut Reader<'_>) {
    let Some(function) = node.child_by_field_name("function") else { return };
    if let Some(specifier) = required(node, reader) {
        let kind =
            if function.kind() == "import" { ImportKind::Dynamic } else { ImportKind::Require };
        let specifier = specifier.into();
        return reader.import(Import {
            specifier,
            kind,
            names: Vec::new(),
            line: line_of(node),
            uses: 0,
        });
    }
    if reader.scope().is_none()
        && matches!(reader.text(function), "describe" | "it" | "test" | "suite")
    {
        reader.facts.marks.tests = true;
    }
    refer(ReferenceKind::Call, Some(function), reader);
    let name = reader.text(function);
    let name = name.strip_prefix("React.").unwrap_or(name);
    if react::is_hook(name)
        && let Some(symbol) = reader.scope()
    {
        let hooks = &mut reader.facts.symbols[symbol as usize].hooks;
        if let Err(place) = hooks.binary_search_by(|hook| (**hook).cmp(name)) {
            hooks.insert(place, name.into());
        }
    }
}

/// What `require('…')` or `import('…')` names.
fn required<'t>(node: Node<'_>, reader: &Reader<'t>) -> Option<&'t str> {
    if node.kind() != "call_expression"
        || !matches!(reader.field(node, "function"), "require" | "import")
    {
        return None;
    }
    let argument = node.child_by_field_name("arguments")?.named_child(0)?;
    (argument.kind() == "string").then(|| unquoted(reader.text(argument)))
}

fn bind_required(node: Node<'_>, id: Node<'_>, specifier: &str, reader: &mut Reader<'_>) {
    let mut names = Vec::new();
    if id.kind() == "identifier" {
        names.push(ImportedName { name: "*".into(), local: reader.text(id).into() });
    }
    let mut cursor = id.walk();
    for property in id.named_children(&mut cursor) {
        let (name, local) = match property.kind() {
            "shorthand_property_identifier_pattern" => {
                (reader.text(property), reader.text(property))
            }
            "pair_pattern" => (reader.field(property, "key"), reader.field(property, "value")),
            _ => continue,
        };
        names.push(ImportedName { name: name.into(), local: local.into() });
    }
    let specifier = specifier.into();
    reader.import(Import {
        specifier,
        kind: ImportKind::Require,
        names,
        line: line_of(node),
        uses: 0,
    });
}

fn refer(kind: ReferenceKind, target: Option<Node<'_>>, reader: &mut Reader<'_>) {
    let Some(target) = target else { return };
    match target.kind() {
        "identifier" | "type_identifier" => reader.reference(kind, "", reader.text(target), target),
        "member_expression" => {
            let qualifier = reader.field(target, "object");
            let name = reader.field(target, "property");
            reader.reference(kind, qualifier, name, target);
        }
        _ => {}
    }
}

fn element(node: Node<'_>, reader: &mut Reader<'_>) {
    reader.facts.marks.jsx = true;
    let name = reader.field(node, "name");
    if let Some(symbol) = reader.scope() {
        let symbol = &mut reader.facts.symbols[symbol as usize];
        if symbol.kind == SymbolKind::Function && react::is_component_name(&symbol.name) {
            symbol.kind = SymbolKind::Component;
        }
        symbol.suspense |= matches!(name, "Suspense" | "React.Suspense");
    }
    let (qualifier, name) = name.rsplit_once('.').unwrap_or(("", name));
    if !qualifier.is_empty() || react::is_component_name(name) {
        reader.reference(ReferenceKind::Element, qualifier, name, node);
    }
}

/// `extends` and `implements`, of classes and interfaces.
fn bases(node: Node<'_>, reader: &mut Reader<'_>) {
    let mut cursor = node.walk();
    for child in node.named_children(&mut cursor) {
        match child.kind() {
            "extends_clause" => {
                refer(ReferenceKind::Inherit, child.child_by_field_name("value"), reader);
            }
            "implements_clause" => {
                let mut cursor = child.walk();
                for base in child.named_children(&mut cursor) {
                    inherit(base, reader);
                }
            }
            _ => inherit(child, reader),
        }
    }
}

fn inherit(base: Node<'_>, reader: &mut Reader<'_>) {
    let named =
        if base.kind() == "generic_type" { base.child_by_field_name("name") } else { Some(base) };
    refer(ReferenceKind::Inherit, named, reader);
}

fn directive(node: Node<'_>, reader: &mut Reader<'_>) {
    if reader.facts.symbols.is_empty() && reader.scope().is_none() {
        match unquoted(reader.text(node).trim_end_matches(';')) {
            "use client" => reader.facts.marks.use_client = true,
            "use server" => reader.facts.marks.use_server = true,
            _ => {}
        }
    }
}

fn unquoted(text: &str) -> &str {
    text.trim_matches(['\'', '"', '`'])
}
