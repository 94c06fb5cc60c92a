//! Members of enums, of objects that are constants, of classes and of interfaces.

use oxc_ast::AstKind;
use oxc_ast::ast::{
    BindingPattern, Expression, ObjectExpression, ObjectPropertyKind, TSEnumDeclaration,
    TSEnumMemberName,
};
use oxc_semantic::SymbolId;
use oxc_span::{GetSpan, Span};

use super::class;
use super::exports::key;
use super::file::{File, FileResult};
use super::holder::{Holder, HolderKind};
use super::spread::Spread;
use super::target::Symbol;
use crate::recipe::PlanError;

/// What the owner of the member is.
enum Owner {
    Enum(bool),
    Object,
    Other,
}

pub(super) fn rename(
    spread: &mut Spread<'_>,
    symbol: &Symbol,
    member: &str,
) -> Result<(), PlanError> {
    let owner = spread.planning.world.with_module(&symbol.path, |module| {
        let names = &spread.names;
        let file = File { module, path: &symbol.path, names, world: spread.planning.world };
        let root = module.scoping().root_scope_id();
        file.bound(root, &symbol.name).map(|id| owner(&file, id))
    });
    let missing = || {
        let Symbol { name, path, .. } = symbol;
        PlanError::Argument(format!("there is no member `{member}` of `{name}` in {path}"))
    };
    match owner.flatten() {
        Some(Owner::Enum(has_values)) => spread.held = HolderKind::Enum(has_values),
        Some(Owner::Object) => spread.held = HolderKind::Object,
        Some(Owner::Other) | None => {
            return if class::rename(spread, symbol, member)? { Ok(()) } else { Err(missing()) };
        }
    }
    let held = spread.held;
    let name = symbol.name.as_str();
    spread.file(&symbol.path, |file, found| held_here(file, name, held, found));
    if spread.chain.edits.is_empty() && spread.left.is_empty() {
        return Err(missing());
    }
    Ok(())
}

fn owner(file: &File<'_, '_>, id: SymbolId) -> Owner {
    match file.module.declaration(id) {
        AstKind::TSEnumDeclaration(it) => Owner::Enum(it.body.members.iter().all(|it| {
            matches!(
                it.initializer,
                Some(Expression::StringLiteral(_) | Expression::NumericLiteral(_))
            )
        })),
        AstKind::VariableDeclarator(it) if object(it.init.as_ref()).is_some() => Owner::Object,
        _ => Owner::Other,
    }
}

/// The literal behind `{ … }`, `{ … } as const` and `Object.freeze({ … })`.
fn object<'n, 'a>(init: Option<&'n Expression<'a>>) -> Option<&'n ObjectExpression<'a>> {
    match init?.get_inner_expression() {
        Expression::ObjectExpression(it) => Some(it),
        Expression::CallExpression(call) if call.arguments.len() == 1 => {
            let Expression::StaticMemberExpression(callee) = &call.callee else { return None };
            let is_freeze =
                callee.property.name == "freeze" && callee.object.is_specific_id("Object");
            is_freeze.then(|| object(call.arguments[0].as_expression())).flatten()
        }
        _ => None,
    }
}

/// The file of an enum or of an object.
fn held_here(file: &File<'_, '_>, name: &str, held: HolderKind, found: &mut FileResult) {
    let module = file.module;
    let Some(id) = file.bound(module.scoping().root_scope_id(), name) else { return };
    let holder = Holder { file, held, has_default: false };
    for node in module.scoping().symbol_declarations(id) {
        match module.nodes().kind(node) {
            AstKind::TSEnumDeclaration(it) => of_enum(file, it, found),
            AstKind::VariableDeclarator(it) => {
                if let Some(literal) = object(it.init.as_ref()) {
                    if it.type_annotation.is_some()
                        || !matches!(it.id, BindingPattern::BindingIdentifier(_))
                    {
                        let reason = format!("the type of `{name}` is declared separately");
                        file.stop(found, it.span, &reason, "rename the member of the type");
                    }
                    of_object(&holder, literal, found);
                }
            }
            _ => {}
        }
    }
    if found.edits.is_empty() {
        return;
    }
    holder.symbol(id, found);
    holder.exported(id, found);
}

fn of_enum(file: &File<'_, '_>, it: &TSEnumDeclaration<'_>, found: &mut FileResult) {
    for member in &it.body.members {
        let (span, name) = match &member.id {
            TSEnumMemberName::Identifier(it) => (it.span, it.name.as_str()),
            TSEnumMemberName::String(it) | TSEnumMemberName::ComputedString(it) => {
                (Span::new(it.span.start + 1, it.span.end - 1), it.value.as_str())
            }
            TSEnumMemberName::ComputedTemplateString(_) => continue,
        };
        if name == file.fresh() {
            let reason = format!("`{}` already exists", file.fresh());
            file.stop(found, span, &reason, "choose another name");
        } else if name == file.old() {
            file.put_new(found, span);
        }
    }
    // Members speak of each other by their bare names.
    for name in file.module.identifiers_in(it.body.span) {
        let is_member = |id: SymbolId| file.module.scoping().symbol_flags(id).is_enum_member();
        if name.name == file.old() && file.module.symbol(name).is_some_and(is_member) {
            file.put_new(found, name.span);
        } else if name.name == file.fresh() {
            let reason =
                format!("`{}` means something else here, and would be shadowed", file.fresh());
            file.stop(found, name.span, &reason, "choose another name");
        }
    }
}

fn of_object(holder: &Holder<'_, '_, '_>, literal: &ObjectExpression<'_>, found: &mut FileResult) {
    let file = holder.file;
    for property in &literal.properties {
        let it = match property {
            ObjectPropertyKind::ObjectProperty(it) if !it.computed => it,
            _ => {
                let reason = "other members are computed or spread here";
                file.stop(found, property.span(), reason, "list the members explicitly");
                continue;
            }
        };
        if it.key.static_name().as_deref() == Some(file.fresh()) {
            let reason = format!("`{}` already exists", file.fresh());
            file.stop(found, it.span, &reason, "choose another name");
        } else if it.shorthand && it.key.static_name().as_deref() == Some(file.old()) {
            file.put(found, it.key.span(), format!("{}: {}", file.fresh(), file.old()));
        } else {
            key(file, &it.key, found);
        }
    }
    this_of(holder, literal, found);
}

/// `this` in the methods of the object is the object.
fn this_of(holder: &Holder<'_, '_, '_>, literal: &ObjectExpression<'_>, found: &mut FileResult) {
    let nodes = holder.file.module.nodes();
    for node in nodes.iter() {
        let AstKind::ThisExpression(this) = node.kind() else { continue };
        if !literal.span.contains_inclusive(this.span) {
            continue;
        }
        let of_function = nodes
            .ancestor_ids(node.id())
            .find(|&it| matches!(nodes.kind(it), AstKind::Function(_) | AstKind::Class(_)));
        let Some(function) = of_function else { continue };
        let is_method = matches!(nodes.parent_kind(function), AstKind::ObjectProperty(_))
            && nodes.kind(nodes.parent_id(nodes.parent_id(function))).span() == literal.span;
        if is_method {
            holder.node(node.id(), this.span, found);
        }
    }
}
