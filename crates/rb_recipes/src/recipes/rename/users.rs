//! A file that takes something from one where a name has changed.

use oxc_ast::AstKind;
use oxc_ast::ast::{
    ExportAllDeclaration, Expression, ImportDeclarationSpecifier, ImportSpecifier,
    ModuleExportName, Statement, TSImportTypeQualifier, TSModuleReference,
};
use oxc_semantic::NodeId;
use oxc_span::{GetSpan, Span};

use super::file::{File, FileResult};
use super::holder::{Holder, HolderKind};
use super::{doubles, exports, scope};
use crate::links::{ImportKind, WHOLE, links};

/// What of a file has changed.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Changed {
    /// It exports the new name in the place of the old one.
    Name,
    /// A member of something that it exports under this name.
    MemberOf(String),
}

pub(super) struct Source<'s> {
    pub(super) path: &'s str,
    pub(super) changed: &'s Changed,
    pub(super) held: HolderKind,
    /// It is `CommonJS`.
    pub(super) is_common: bool,
}

/// Everything that the file takes of it.
pub(super) fn read(file: &File<'_, '_>, source: &Source<'_>, found: &mut FileResult) {
    declarations(file, source, found);
    let is_whole = match source.changed {
        Changed::Name => true,
        Changed::MemberOf(name) => name == WHOLE,
    };
    let holder = Holder { file, held: source.held, has_default: source.is_common };
    if is_whole {
        calls(&holder, source, found);
        doubles::read(&holder, source.path, found);
    } else {
        member_of_whole(&holder, source, found);
    }
}

fn declarations(file: &File<'_, '_>, source: &Source<'_>, found: &mut FileResult) {
    for statement in &file.module.program().body {
        match statement {
            Statement::ImportDeclaration(it) if file.leads_to(&it.source.value, source.path) => {
                for specifier in it.specifiers.iter().flatten() {
                    imported(file, source, specifier, found);
                }
            }
            Statement::ExportFromDeclaration(it)
                if file.leads_to(&it.source.value, source.path) =>
            {
                for specifier in &it.specifiers {
                    given_on(file, source, &specifier.local, &specifier.exported, found);
                }
            }
            Statement::ExportAllDeclaration(it) if file.leads_to(&it.source.value, source.path) => {
                star(file, source, it, found);
            }
            Statement::TSImportEqualsDeclaration(it) => {
                if let TSModuleReference::ExternalModuleReference(from) = &it.module_reference
                    && file.leads_to(&from.expression.value, source.path)
                    && let Some(symbol) = it.id.symbol_id.get()
                {
                    let holder = Holder { file, held: source.held, has_default: source.is_common };
                    holder.symbol(symbol, found);
                }
            }
            _ => {}
        }
    }
}

/// `export * from`, `export * as name from`.
fn star(
    file: &File<'_, '_>,
    source: &Source<'_>,
    it: &ExportAllDeclaration<'_>,
    found: &mut FileResult,
) {
    match (&it.exported, source.changed) {
        (None, Changed::Name) => all_given_on(file, found),
        (None, Changed::MemberOf(name)) => {
            found.objects.insert(name.clone());
        }
        (Some(name), Changed::Name) => {
            found.objects.insert(name.name().to_string());
        }
        (Some(_), Changed::MemberOf(_)) => {
            let holder = Holder { file, held: source.held, has_default: false };
            holder.lost(it.span, "its module is passed on as one value", found);
        }
    }
}

/// `export *`: what the file exports by itself goes first.
fn all_given_on(file: &File<'_, '_>, found: &mut FileResult) {
    let own = links(file.world, file.path);
    if own.is_none_or(|it| it.export(file.old()).is_none()) {
        found.given = true;
    }
}

fn imported<'a>(
    file: &File<'_, 'a>,
    source: &Source<'_>,
    specifier: &ImportDeclarationSpecifier<'a>,
    found: &mut FileResult,
) {
    let holder = Holder { file, held: source.held, has_default: source.is_common };
    match (specifier, source.changed) {
        (ImportDeclarationSpecifier::ImportSpecifier(it), Changed::Name) => {
            if it.imported.name() == file.old() {
                named(file, it, found);
            } else if it.imported.name() == "default" && source.is_common {
                bound(&holder, &it.local, found);
            }
        }
        (ImportDeclarationSpecifier::ImportSpecifier(it), Changed::MemberOf(name)) => {
            if it.imported.name() == name.as_str() {
                bound(&holder, &it.local, found);
            } else if name == WHOLE && it.imported.name() == file.old() {
                named(file, it, found);
            }
        }
        (ImportDeclarationSpecifier::ImportDefaultSpecifier(it), Changed::Name) => {
            if source.is_common {
                bound(&holder, &it.local, found);
            }
        }
        (ImportDeclarationSpecifier::ImportDefaultSpecifier(it), Changed::MemberOf(name)) => {
            if name == "default" || (name == WHOLE && source.is_common) {
                bound(&holder, &it.local, found);
            }
        }
        (ImportDeclarationSpecifier::ImportNamespaceSpecifier(it), Changed::Name) => {
            bound(&holder, &it.local, found);
        }
        (ImportDeclarationSpecifier::ImportNamespaceSpecifier(it), Changed::MemberOf(name)) => {
            if name == WHOLE {
                bound(&holder, &it.local, found);
            }
        }
    }
}

fn bound<'a>(
    holder: &Holder<'_, '_, 'a>,
    id: &oxc_ast::ast::BindingIdentifier<'a>,
    found: &mut FileResult,
) {
    if let Some(symbol) = id.symbol_id.get() {
        holder.symbol(symbol, found);
    }
}

/// `import { old }` and `import { old as other }`.
fn named(file: &File<'_, '_>, it: &ImportSpecifier<'_>, found: &mut FileResult) {
    let (imported, local) = (it.imported.span(), it.local.span);
    if imported != local {
        return file.first_of_two(found, imported, local, &it.local.name);
    }
    let Some(symbol) = it.local.symbol_id.get() else { return };
    let mut own = FileResult::default();
    let clashes = scope::rename(file, symbol, &mut own);
    let follows = clashes.is_empty();
    if follows {
        own.edits.retain(|it| it.start != local.start);
        file.put_new(&mut own, local);
        found.take(own);
    } else {
        file.put(found, local, format!("{} as {}", file.fresh(), file.old()));
        found.notes.push(format!(
            "`{}` keeps its name in {}, where `{}` is already used",
            file.old(),
            file.path,
            file.fresh()
        ));
    }
    exports::follow(file, symbol, follows, found);
}

/// `export { old } from`, `export { old as other } from`.
fn given_on(
    file: &File<'_, '_>,
    source: &Source<'_>,
    local: &ModuleExportName<'_>,
    exported: &ModuleExportName<'_>,
    found: &mut FileResult,
) {
    match source.changed {
        Changed::Name if local.name() == file.old() => {
            if local.span() == exported.span() {
                file.put_new(found, local.span());
                found.given = true;
            } else {
                file.first_of_two(found, local.span(), exported.span(), &exported.name());
            }
        }
        Changed::Name if local.name() == "default" && source.is_common => {
            found.objects.insert(exported.name().to_string());
        }
        Changed::MemberOf(name) if local.name() == name.as_str() => {
            found.objects.insert(exported.name().to_string());
        }
        Changed::Name | Changed::MemberOf(_) => {}
    }
}

/// `require`, `import()`, and `import('…')` as a type.
fn calls(holder: &Holder<'_, '_, '_>, source: &Source<'_>, found: &mut FileResult) {
    let file = holder.file;
    for node in file.module.nodes().iter() {
        match node.kind() {
            AstKind::CallExpression(call)
                if file.module.is_global_named(&call.callee, "require") =>
            {
                if let Some(oxc_ast::ast::Argument::StringLiteral(it)) = call.arguments.first()
                    && file.leads_to(&it.value, source.path)
                {
                    holder.node(node.id(), call.span, found);
                }
            }
            AstKind::ImportExpression(it) => {
                if let Expression::StringLiteral(from) = &it.source
                    && file.leads_to(&from.value, source.path)
                {
                    promised(holder, node.id(), it.span, found);
                }
            }
            AstKind::TSImportType(it) if file.leads_to(&it.source.value, source.path) => {
                import_type(holder, node.id(), it, found);
            }
            _ => {}
        }
    }
}

/// `import('…')`: awaited, or gone on with by `then`.
fn promised(holder: &Holder<'_, '_, '_>, node: NodeId, span: Span, found: &mut FileResult) {
    let module = holder.file.module;
    let parent = module.nodes().parent_id(node);
    match module.nodes().kind(parent) {
        AstKind::AwaitExpression(it) => holder.node(parent, it.span, found),
        AstKind::CallExpression(_)
            if doubles::is_actual(holder.file, parent) || doubles::is_mock(holder.file, parent) => {
        }
        AstKind::StaticMemberExpression(it) if it.property.name == "then" => {
            let AstKind::CallExpression(call) = module.parent(parent) else {
                return holder.lost(span, "it is passed on as one value", found);
            };
            let then = call.arguments.first().and_then(|it| it.as_expression());
            match then.and_then(|it| module.function_of(it)) {
                Some(func) => holder.parameter(func.params(), span, found),
                None => holder.lost(span, "it is passed on as one value", found),
            }
        }
        AstKind::ExpressionStatement(_) => {}
        AstKind::ReturnStatement(_) | AstKind::ArrowFunctionExpression(_)
            if doubles::is_lazy(holder.file, parent) => {}
        _ => holder.lost(span, "it is passed on as one value", found),
    }
}

fn import_type(
    holder: &Holder<'_, '_, '_>,
    node: NodeId,
    it: &oxc_ast::ast::TSImportType<'_>,
    found: &mut FileResult,
) {
    let file = holder.file;
    let Some(mut first) = it.qualifier.as_ref() else {
        return type_of_module(holder, node, it.span, found);
    };
    loop {
        match first {
            TSImportTypeQualifier::Identifier(name) => {
                if name.name == file.old() {
                    file.put_new(found, name.span);
                }
                return;
            }
            TSImportTypeQualifier::QualifiedName(name) => first = &name.left,
        }
    }
}

/// `typeof import('…')`: harmless where it says what the real module is.
fn type_of_module(holder: &Holder<'_, '_, '_>, node: NodeId, span: Span, found: &mut FileResult) {
    let nodes = holder.file.module.nodes();
    let around = nodes.ancestor_ids(node).take(4).any(|it| {
        let is_call = matches!(nodes.kind(it), AstKind::CallExpression(_));
        is_call && (doubles::is_actual(holder.file, it) || doubles::is_in_factory(holder.file, it))
    });
    if !around {
        holder.lost(span, "its type is passed on", found);
    }
}

/// `ns.Held.old`, where the module is taken as a whole and the value is a member of it.
fn member_of_whole(holder: &Holder<'_, '_, '_>, source: &Source<'_>, found: &mut FileResult) {
    let Changed::MemberOf(name) = source.changed else { return };
    let file = holder.file;
    let Some(theirs) = links(file.world, file.path) else { return };
    let wholes = theirs
        .imports
        .iter()
        .filter(|it| matches!(&it.target, rb_rules::Target::File(target) if target == source.path));
    for import in wholes {
        let is_whole = matches!(import.taken, ImportKind::Whole);
        let is_named =
            matches!(&import.taken, ImportKind::Name(taken) if import.is_call && taken == name);
        for used in &import.uses {
            let span = Span::new(used.whole.start, used.whole.end);
            let member = used.member.as_deref();
            if is_whole && member.is_none() {
                holder.lost(span, "its module is passed on as one value", found);
            } else if (member == Some(name) || is_named)
                && let Some(node) = node_at(file, span)
            {
                holder.node(node, span, found);
            }
        }
    }
}

/// The name or the member expression at a place.
fn node_at(file: &File<'_, '_>, span: Span) -> Option<NodeId> {
    let mut nodes = file.module.nodes().iter();
    let node = nodes.find(|it| {
        let is_name = matches!(
            it.kind(),
            AstKind::StaticMemberExpression(_)
                | AstKind::IdentifierReference(_)
                | AstKind::TSQualifiedName(_)
                | AstKind::JSXMemberExpression(_)
        );
        is_name && it.kind().span() == span
    });
    node.map(oxc_semantic::AstNode::id)
}
