//! One binding in its own file: its declarations, its uses, and whom the new name would meet there.

use oxc_ast::AstKind;
use oxc_ast::ast::IdentifierReference;
use oxc_semantic::{NodeId, ScopeId, SymbolId};
use oxc_span::{GetSpan, Span};
use oxc_syntax::symbol::SymbolFlags;

use super::file::{File, FileResult};
use crate::plan::Left;

/// Renames a binding; what its file exports of it is left to `exports::follow`. Gives what stands in the way: then nothing
/// of `found` may be used, but the import could keep its name here.
pub(super) fn rename(file: &File<'_, '_>, symbol: SymbolId, found: &mut FileResult) -> Vec<Left> {
    let clashes = clashes(file, symbol);
    forbidden(file, symbol, found);
    for span in declarations(file, symbol) {
        if is_shorthand_pattern(file, span) {
            file.put(found, span, format!("{}: {}", file.old(), file.fresh()));
        } else if is_shorthand_import(file, symbol) {
            file.put(found, span, file.as_new());
        } else {
            file.put_new(found, span);
        }
    }
    for used in file.module.uses(symbol) {
        used_as(file, used.identifier, used.node, found);
    }
    clashes
}

/// Every place that declares a symbol: overloads, merged declarations, `var` twice.
pub(super) fn declarations(file: &File<'_, '_>, symbol: SymbolId) -> Vec<Span> {
    let scoping = file.module.scoping();
    let mut spans = vec![scoping.symbol_span(symbol)];
    spans.extend(scoping.symbol_redeclarations(symbol).iter().map(|it| it.span));
    spans.sort_unstable_by_key(|it| it.start);
    spans.dedup();
    spans
}

/// The node of the name at a place.
pub(super) fn binding_node(file: &File<'_, '_>, span: Span) -> Option<NodeId> {
    let nodes = file.module.nodes();
    nodes
        .iter()
        .find(|node| matches!(node.kind(), AstKind::BindingIdentifier(it) if it.span == span))
        .map(oxc_semantic::AstNode::id)
}

/// `a` of `{ a }` and of `{ a = 1 }`, where both the property and the binding are meant.
pub(super) fn shorthand_of(file: &File<'_, '_>, span: Span) -> Option<NodeId> {
    let node = binding_node(file, span)?;
    let nodes = file.module.nodes();
    let mut around = nodes.ancestor_ids(node).take(2);
    around.find(|&id| {
        matches!(nodes.kind(id), AstKind::BindingProperty(it) if it.shorthand && it.key.span() == span)
    })
}

/// `a` of `import { a }`, which is the name in the other file, too.
fn is_shorthand_import(file: &File<'_, '_>, symbol: SymbolId) -> bool {
    match file.module.declaration(symbol) {
        AstKind::ImportSpecifier(it) => it.imported.span() == it.local.span,
        _ => false,
    }
}

fn is_shorthand_pattern(file: &File<'_, '_>, span: Span) -> bool {
    shorthand_of(file, span).is_some()
}

fn used_as(
    file: &File<'_, '_>,
    name: &IdentifierReference<'_>,
    node: NodeId,
    found: &mut FileResult,
) {
    let module = file.module;
    match module.parent(node) {
        AstKind::ObjectProperty(it) if it.shorthand => {
            let object = module.nodes().parent_id(module.nodes().parent_id(node));
            if !file.is_exported_object(object) {
                file.put(found, name.span, format!("{}: {}", file.old(), file.fresh()));
            }
        }
        AstKind::AssignmentTargetPropertyIdentifier(_) => {
            file.put(found, name.span, format!("{}: {}", file.old(), file.fresh()));
        }
        // Those with one name are a matter of what the file exports.
        AstKind::ExportSpecifier(it) if it.local.span() == it.exported.span() => {}
        AstKind::ExportSpecifier(it) if it.exported.name() == file.fresh() => {
            let span = Span::new(it.local.span().start, it.exported.span().end);
            found.edits.push(rb_core::Edit::replace(span.start, span.end, file.fresh()));
        }
        AstKind::JSXOpeningElement(_) | AstKind::JSXClosingElement(_)
            if file.fresh().starts_with(|it: char| it.is_ascii_lowercase()) =>
        {
            let reason =
                format!("`<{}>` would be an HTML element, not this component", file.fresh());
            file.stop(found, name.span, &reason, "choose a name that begins with a capital letter");
        }
        _ => file.put_new(found, name.span),
    }
}

/// What no other name would mend.
fn forbidden(file: &File<'_, '_>, symbol: SymbolId, found: &mut FileResult) {
    let module = file.module;
    let scope = module.scoping().symbol_scope_id(symbol);
    let is_within = |node: NodeId| {
        module.scoping().scope_ancestors(module.scope_of(node)).any(|it| it == scope)
    };
    for node in module.nodes().iter() {
        let what = match node.kind() {
            AstKind::CallExpression(call) if module.is_global_named(&call.callee, "eval") => "eval",
            AstKind::WithStatement(_) => "with",
            _ => continue,
        };
        if is_within(node.id()) {
            let reason = format!("`{what}` can access `{}` by name", file.old());
            file.stop(
                found,
                node.kind().span(),
                &reason,
                &format!("write it without `{what}` first"),
            );
        }
    }
    let around = module.nodes().kind(module.scoping().get_node_id(scope));
    let owner = match around {
        AstKind::TSNamespaceDeclaration(_) | AstKind::TSModuleBlock(_) => "a namespace",
        AstKind::TSExternalModuleDeclaration(_) | AstKind::TSGlobalDeclaration(_) => {
            "another module"
        }
        AstKind::TSEnumDeclaration(_) | AstKind::TSEnumBody(_) => "an enum",
        _ => "",
    };
    if !owner.is_empty() {
        let reason =
            format!("`{}` is a member of {owner}, whose uses are not traced from here", file.old());
        let span = module.scoping().symbol_span(symbol);
        file.stop(found, span, &reason, "qualify it with its owner, or rename it by hand");
    }
    if matches!(file.old(), "React" | "h") && !module.elements().is_empty() {
        let span = module.scoping().symbol_span(symbol);
        let reason =
            format!("the JSX elements of this file may compile to calls of `{}`", file.old());
        file.stop(found, span, &reason, "keep the name");
    }
    for span in declarations(file, symbol) {
        if let Some(node) = binding_node(file, span)
            && let AstKind::FormalParameter(it) = module.parent(node)
            && (it.accessibility.is_some() || it.readonly || it.r#override)
        {
            let reason = format!("the parameter `{}` is also a field of its class", file.old());
            file.stop(found, span, &reason, "declare the field separately first");
        }
    }
}

/// Whom the new name would meet.
fn clashes(file: &File<'_, '_>, symbol: SymbolId) -> Vec<Left> {
    let mut left = Vec::new();
    let scoping = file.module.scoping();
    let scope = scoping.symbol_scope_id(symbol);
    if let Some(taken) = file.bound(scope, file.fresh()) {
        left.push(file.taken(scoping.symbol_span(taken)));
    }
    let mut between: Vec<(ScopeId, Span)> = Vec::new();
    for reference in scoping.get_resolved_references(symbol) {
        let span = file.module.nodes().kind(reference.node_id()).span();
        between.push((file.module.scope_of(reference.node_id()), span));
    }
    for span in declarations(file, symbol) {
        if let Some(node) = binding_node(file, span) {
            between.push((file.module.scope_of(node), span));
        }
    }
    for (from, span) in between {
        let inner = scoping.scope_ancestors(from).take_while(|it| *it != scope);
        for taken in inner.filter_map(|it| file.bound(it, file.fresh())) {
            let line = file.line(scoping.symbol_span(taken));
            let reason =
                format!("the `{}` of line {line} would be used here instead", file.fresh());
            left.push(file.left(
                span,
                &reason,
                "choose another name, or rename the other one first",
            ));
        }
    }
    left.extend(captured(file, scope));
    left
}

/// Uses of the new name that mean something further out and would mean the renamed.
fn captured(file: &File<'_, '_>, scope: ScopeId) -> Vec<Left> {
    let mut left = Vec::new();
    let scoping = file.module.scoping();
    let is_within = |inner: ScopeId| scoping.scope_ancestors(inner).any(|it| it == scope);
    let is_outside = |symbol: SymbolId| {
        let outer = scoping.symbol_scope_id(symbol);
        outer != scope && scoping.scope_ancestors(scope).any(|it| it == outer)
    };
    for name in file.module.identifiers().iter().filter(|it| it.name == file.fresh()) {
        let Some(reference) = name.reference_id.get().map(|it| scoping.get_reference(it)) else {
            continue;
        };
        let own = file.module.scope_of(reference.node_id());
        if is_within(own) && reference.symbol_id().is_none_or(is_outside) {
            let reason =
                format!("`{}` means something else here, and would be shadowed", file.fresh());
            left.push(file.left(name.span, &reason, "choose another name"));
        }
    }
    // `var` reaches out of its block, and may not meet a `let` on its way.
    for other in scoping.symbol_ids().filter(|&it| scoping.symbol_name(it) == file.fresh()) {
        let is_var = scoping.symbol_flags(other).contains(SymbolFlags::FunctionScopedVariable);
        if is_var && is_outside(other) {
            for span in declarations(file, other) {
                let inside = binding_node(file, span).map(|node| file.module.scope_of(node));
                if inside.is_some_and(is_within) {
                    left.push(file.taken(span));
                }
            }
        }
    }
    left
}

impl File<'_, '_> {
    pub(super) fn bound(&self, scope: ScopeId, name: &str) -> Option<SymbolId> {
        let bindings = self.module.scoping().get_bindings(scope);
        bindings.iter().find(|(it, _)| it.as_str() == name).map(|(_, symbol)| *symbol)
    }

    fn taken(&self, span: Span) -> Left {
        let reason = format!("`{}` already exists", self.fresh());
        self.left(span, &reason, "choose another name, or rename the other one first")
    }
}
