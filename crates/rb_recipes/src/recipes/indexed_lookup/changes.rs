//! May the list, or a key in it, change between the building of the index and the last search?
//!
//! A list that this function made and gave to nobody changes only where its name stands. Any other is safe where nothing in
//! the loop runs code that is not known, waits, or writes to what may be the list.

use oxc_ast::AstKind;
use oxc_semantic::SymbolId;
use oxc_span::{GetSpan, Span};
use rb_ecma::{Func, Module, PURE_METHODS};
use rb_rules::rules::js::hot::is_each;
use rb_rules::rules::js::shapes::method;

use super::At;
use super::array::{Array, made_array};
use super::lookup::{Ask, Lookup};
use super::place::IndexScope;
use super::quiet::quiet;
use super::report::Why;

/// `Err` with the reason where the list may change.
pub(super) fn stays<'a>(
    at: &At<'_, '_, 'a>,
    it: &Lookup<'a>,
    place: &IndexScope<'a>,
) -> Result<(), Why> {
    let module = at.module;
    let list = module.slice(it.list.span());
    let uses = uses(module, it.root, place);
    if let Some(what) = uses.changed {
        return Err(Why::new(
            what.replace("{}", list),
            "build the index where the list changes, and keep the two in sync",
        ));
    }
    let is_own = it.names.is_empty() && is_fresh(at, it.root) && !uses.escapes;
    if is_own && matches!(it.ask, Ask::Has(_)) {
        return Ok(());
    }
    quiet(at, it, place)
}

/// Made by the declaration itself, and not another name for something.
fn is_fresh(at: &At<'_, '_, '_>, symbol: SymbolId) -> bool {
    let init = at.module.initializer(symbol);
    init.is_some_and(|init| made_array(at, init) == Some(Array::Fresh))
}

#[derive(Default)]
struct Uses {
    changed: Option<&'static str>,
    escapes: bool,
}

/// What the uses of the name do to the list.
fn uses(module: &Module<'_>, root: SymbolId, place: &IndexScope<'_>) -> Uses {
    let mut found = Uses::default();
    let home = home(module, module.scoping().symbol_declaration(root));
    let is_home = home == self::home(module, place.node);
    for it in module.value_uses(root) {
        let manner = if it.is_write() { Manner::Changes } else { manner(module, it.node, it.span) };
        let is_own = is_home && self::home(module, it.node) == home;
        let is_before = it.span.end <= place.zone.start;
        let is_after = it.span.start >= place.zone.end;
        match manner {
            Manner::Reads => {}
            Manner::Changes if place.zone.contains_inclusive(it.span) => {
                found.changed = Some("the loop changes `{}`");
            }
            // The index is built behind what changed the list before, and anew before the next loop.
            Manner::Changes if is_own && (!place.is_lazy || is_before && place.is_final) => {}
            Manner::Changes if place.is_lazy => {
                found.changed.get_or_insert("`{}` may change during an `await` in the loop");
            }
            Manner::Escapes if is_own && is_after && place.is_final && !place.is_lazy => {}
            Manner::Changes | Manner::Escapes => found.escapes = true,
        }
    }
    found
}

/// The function whose call runs a node; functions that are called at once for each element belong to the one around.
fn home(module: &Module<'_>, mut node: oxc_semantic::NodeId) -> Option<Span> {
    loop {
        let func = module.function_around(node)?;
        let is_each = !func.is_async()
            && matches!(module.parent(func.node()), AstKind::CallExpression(call)
                if is_each(call) && call.arguments.first().is_some_and(|it| it.span() == func.span()));
        if !is_each {
            return Some(func.span());
        }
        node = func.node();
    }
}

/// May somebody who is not seen here put something into the list, or hold it?
pub(super) fn is_given_away(module: &Module<'_>, symbol: SymbolId) -> bool {
    module.value_uses(symbol).any(|it| {
        let is_kept = match module.parent(it.node) {
            AstKind::ReturnStatement(_) => true,
            AstKind::CallExpression(call) => module.function_of(&call.callee).is_some(),
            _ => false,
        };
        !is_kept && !it.is_write() && manner(module, it.node, it.span) == Manner::Escapes
    })
}

/// Is the use one that only reads, at once?
pub(super) fn only_reads(module: &Module<'_>, node: oxc_semantic::NodeId, span: Span) -> bool {
    manner(module, node, span) == Manner::Reads
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Manner {
    Reads,
    Changes,
    Escapes,
}

const CHANGING: &[&str] =
    &["push", "pop", "shift", "unshift", "splice", "sort", "reverse", "fill", "copyWithin"];

fn manner(module: &Module<'_>, node: oxc_semantic::NodeId, span: Span) -> Manner {
    let mut around = module.ancestors(node);
    match around.next() {
        Some(AstKind::StaticMemberExpression(member)) if member.object.span() == span => {
            member_manner(module, member.node_id.get(), member.span, member.property.name.as_str())
        }
        Some(AstKind::ComputedMemberExpression(member)) if member.object.span() == span => {
            entry_manner(around.next(), member.span)
        }
        Some(AstKind::ForOfStatement(it)) if it.right.span() == span => Manner::Reads,
        Some(
            AstKind::SpreadElement(_)
            | AstKind::TemplateLiteral(_)
            | AstKind::BinaryExpression(_)
            | AstKind::UnaryExpression(_)
            | AstKind::IfStatement(_),
        ) => Manner::Reads,
        Some(AstKind::NewExpression(it)) => {
            let is_copied =
                ["Set", "Map"].iter().any(|name| module.is_global_named(&it.callee, name));
            if is_copied { Manner::Reads } else { Manner::Escapes }
        }
        Some(AstKind::CallExpression(call)) => {
            let is_looked_at = method(call).is_some_and(|it| {
                module.is_global_named(it.object, "Array") && ["isArray", "from"].contains(&it.name)
                    || module.is_global_named(it.object, "JSON")
                    || module.is_global_named(it.object, "console")
            });
            if is_looked_at { Manner::Reads } else { Manner::Escapes }
        }
        _ => Manner::Escapes,
    }
}

/// What becomes of `list[at]`.
fn entry_manner(parent: Option<AstKind<'_>>, entry: Span) -> Manner {
    let is_written = match parent {
        Some(AstKind::AssignmentExpression(it)) => it.left.span() == entry,
        Some(AstKind::UnaryExpression(it)) => it.operator.is_delete(),
        Some(AstKind::CallExpression(it)) if it.callee.span() == entry => return Manner::Escapes,
        Some(AstKind::ForOfStatement(it)) => it.left.span() == entry,
        Some(AstKind::ForInStatement(it)) => it.left.span() == entry,
        Some(
            AstKind::UpdateExpression(_)
            | AstKind::ArrayAssignmentTarget(_)
            | AstKind::ObjectAssignmentTarget(_)
            | AstKind::AssignmentTargetWithDefault(_)
            | AstKind::AssignmentTargetPropertyProperty(_)
            | AstKind::AssignmentTargetRest(_),
        ) => true,
        _ => false,
    };
    if is_written { Manner::Changes } else { Manner::Reads }
}

fn member_manner(
    module: &Module<'_>,
    member: oxc_semantic::NodeId,
    span: Span,
    name: &str,
) -> Manner {
    match module.parent(member) {
        AstKind::CallExpression(call) if call.callee.span() == span => {
            let callback = call.arguments.first().and_then(|it| it.as_expression());
            let sees_all = callback.and_then(Func::of_expression).is_some_and(|func| {
                func.params().items.len() > 2 && !["reduce", "reduceRight"].contains(&name)
                    || func.params().items.len() > 3
            });
            if CHANGING.contains(&name) {
                Manner::Changes
            } else if (PURE_METHODS.contains(&name) || name == "forEach") && !sees_all {
                Manner::Reads
            } else {
                Manner::Escapes
            }
        }
        AstKind::AssignmentExpression(it) if it.left.span() == span => Manner::Changes,
        AstKind::UpdateExpression(_) => Manner::Changes,
        _ if name == "length" => Manner::Reads,
        _ => Manner::Escapes,
    }
}
