//! Names of the top level of a file: what binds them, and where they are used.

use std::collections::{BTreeMap, BTreeSet};

use oxc_ast::AstKind;
use oxc_semantic::{NodeId, SymbolFlags};
use oxc_span::GetSpan;
use rb_ecma::Module;
use rb_ecma::links::UseKind;

use super::{Binding, NameUse};

pub(super) fn bindings(module: &Module<'_>) -> BTreeMap<String, Binding> {
    let scoping = module.scoping();
    let root = scoping.get_bindings(scoping.root_scope_id());
    root.iter()
        .map(|(name, symbol)| {
            let is_import = scoping.symbol_flags(*symbol).contains(SymbolFlags::Import)
                || scoping.symbol_flags(*symbol).contains(SymbolFlags::TypeImport);
            let binding = if is_import { Binding::Imported } else { Binding::Declared };
            (name.to_string(), binding)
        })
        .collect()
}

pub(super) fn all(module: &Module<'_>) -> BTreeSet<String> {
    let bound = module.scoping().symbol_names().map(ToString::to_string);
    let used = module.identifiers().iter().map(|it| it.name.to_string());
    bound.chain(used).collect()
}

pub(super) fn uses(module: &Module<'_>) -> Vec<NameUse> {
    let bindings = bindings(module);
    let mut found = Vec::new();
    for node in module.nodes().iter() {
        let AstKind::IdentifierReference(identifier) = node.kind() else { continue };
        let symbol = module.symbol(identifier);
        if symbol.is_some_and(|symbol| !module.is_top_level(symbol)) {
            continue;
        }
        let reference = identifier.reference_id.get().map(|id| module.scoping().get_reference(id));
        let is_write = reference.is_some_and(|it| it.flags().is_write());
        let is_type = reference.is_some_and(|it| it.flags().is_type());
        let is_typeof = reference.is_some_and(|it| it.flags().is_value_as_type());
        let kind = if is_write {
            UseKind::Write
        } else {
            kind_of(module, node.id(), is_type || is_typeof)
        };
        let name = identifier.name.to_string();
        found.push(NameUse {
            binding: symbol.and_then(|_| bindings.get(&name).copied()),
            name,
            range: identifier.span.into(),
            kind,
            at_load: kind != UseKind::Type && is_at_load(module, node.id()),
            is_shorthand: is_shorthand(module, node.id()),
        });
    }
    found
}

fn kind_of(module: &Module<'_>, node: NodeId, is_type: bool) -> UseKind {
    let span = module.nodes().kind(node).span();
    match module.parent(node) {
        AstKind::ExportSpecifier(_) | AstKind::ExportDefaultDeclaration(_) => UseKind::Export,
        _ if is_type => UseKind::Type,
        AstKind::CallExpression(call) if call.callee.span() == span => UseKind::Call,
        AstKind::NewExpression(new) if new.callee.span() == span => UseKind::New,
        AstKind::TaggedTemplateExpression(tagged) if tagged.tag.span() == span => UseKind::Call,
        AstKind::JSXOpeningElement(_)
        | AstKind::JSXClosingElement(_)
        | AstKind::JSXMemberExpression(_) => UseKind::Element,
        _ => UseKind::Value,
    }
}

fn is_shorthand(module: &Module<'_>, node: NodeId) -> bool {
    matches!(module.parent(node), AstKind::ObjectProperty(it) if it.shorthand)
        || matches!(module.parent(node), AstKind::AssignmentTargetPropertyIdentifier(_))
}

/// Is it evaluated when the file is loaded? A function that is called at once, or handed to a call, counts as run.
fn is_at_load(module: &Module<'_>, node: NodeId) -> bool {
    let mut inner = node;
    let mut is_deferred = false;
    for ancestor in module.nodes().ancestor_ids(node) {
        match module.nodes().kind(ancestor) {
            AstKind::Function(_) | AstKind::ArrowFunctionExpression(_) => {
                is_deferred = !is_run(module, ancestor);
            }
            AstKind::PropertyDefinition(it) => {
                let value = it.value.as_ref().map(GetSpan::span);
                let is_value = value == Some(module.nodes().kind(inner).span());
                is_deferred = is_value && !it.r#static;
            }
            AstKind::ExportSpecifier(_) => is_deferred = true,
            _ => {}
        }
        if is_deferred {
            return false;
        }
        inner = ancestor;
    }
    true
}

/// `(() => …)()`, `list.map(() => …)`, `new Promise(() => …)`.
fn is_run(module: &Module<'_>, function: NodeId) -> bool {
    let mut node = function;
    loop {
        match module.parent(node) {
            AstKind::ParenthesizedExpression(_) => node = module.nodes().parent_id(node),
            AstKind::CallExpression(_) | AstKind::NewExpression(_) => return true,
            _ => return false,
        }
    }
}
