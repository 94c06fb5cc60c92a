//! The edits: one declaration instead of the state and its effect.
//! Whether they may be made is the rule's to say.

use oxc_ast::AstKind;
use oxc_ast::ast::{Expression, Statement, VariableDeclaration};
use oxc_semantic::SymbolId;
use oxc_span::{GetSpan, Span};
use rb_core::Edit;
use rb_ecma::Module;

use super::super::imports::{bring, settle};
use super::Derived;
use crate::cx::Cx;

/// Where the declaration goes.
pub(super) struct Place<'a> {
    state: &'a VariableDeclaration<'a>,
    effect: Span,
    is_at_state: bool,
}

/// `None` where there is no place at which all that is read is there, and nobody needs the value before.
pub(super) fn place<'a>(module: &Module<'a>, it: &Derived<'a>) -> Option<Place<'a>> {
    let AstKind::VariableDeclaration(state) = module.parent(it.state.declarator.node_id.get())
    else {
        return None;
    };
    let [_] = state.declarations.as_slice() else { return None };
    let siblings = module.siblings(it.effect.call.node_id.get())?;
    let statement = siblings.statement();
    let Statement::ExpressionStatement(effect) = statement else { return None };
    let is_together = siblings.list.iter().any(|it| it.span() == state.span);
    if effect.expression.span() != it.effect.call.span || !is_together {
        return None;
    }
    let effect = effect.span;
    let declared = |limit: u32| {
        it.reads.iter().all(|&symbol| {
            module.is_stable(symbol) && module.scoping().symbol_span(symbol).end <= limit
        })
    };
    if declared(state.span.start) {
        return Some(Place { state, effect, is_at_state: true });
    }
    let is_needed_late = module.uses(it.state.symbol()).all(|one| one.span.start >= effect.end);
    (is_needed_late && effect.start > state.span.start && declared(effect.start)).then_some(Place {
        state,
        effect,
        is_at_state: false,
    })
}

pub(super) fn edits<'a>(
    cx: &Cx<'_, 'a>,
    it: &Derived<'a>,
    place: &Place<'a>,
    all_gone: &[Span],
) -> Option<Vec<Edit>> {
    let module = cx.module;
    let (kept, gone) = if place.is_at_state {
        (place.state.span, place.effect)
    } else {
        (place.effect, place.state.span)
    };
    if module.has_comment(kept) {
        return None;
    }
    let mut edits = vec![module.delete_statement(gone)?];
    let calls = [it.state.call.span, it.effect.call.span];
    let mut symbols: Vec<SymbolId> = [&it.state.call.callee, &it.effect.call.callee]
        .into_iter()
        .filter_map(|callee| module.symbol_of(callee))
        .collect();
    let is_plain = module.is_pure0(it.value) || is_truth(module, it.value);
    let value = if is_plain {
        module.code(it.value)
    } else {
        let (name, brought) = bring(module, "useMemo", &mut symbols, &calls)?;
        edits.extend(brought);
        let code = module.code(it.value);
        let (open, close) = if code.starts_with('{') { ("(", ")") } else { ("", "") };
        format!("{name}(() => {open}{code}{close}, {})", kept_deps(module, it)?)
    };
    let written = it.state.call.type_arguments.as_ref().and_then(|it| it.params.first());
    // `useState<string>()` is `undefined`, too.
    let missing = if it.state.initial().is_none() { " | undefined" } else { "" };
    let written =
        written.map_or(String::new(), |it| format!(": {}{missing}", module.slice(it.span())));
    let end = if module.slice(kept).ends_with(';') { ";" } else { "" };
    let code = format!("const {}{written} = {value}{end}", it.state.name());
    edits.push(Edit::replace(kept.start, kept.end, code));
    edits.extend(settle(module, &symbols, &calls, all_gone)?);
    Some(edits)
}

/// `Boolean(user)`: no identity to keep, and nothing to compute.
fn is_truth<'a>(module: &Module<'a>, value: &Expression<'a>) -> bool {
    let Expression::CallExpression(call) = value.get_inner_expression() else { return false };
    module.is_global_named(&call.callee, "Boolean")
        && call.arguments.iter().filter_map(|it| it.as_expression()).all(|it| module.is_pure0(it))
}

/// The dependencies as they are written; the setter is no more.
fn kept_deps<'a>(module: &Module<'a>, it: &Derived<'a>) -> Option<String> {
    let setter = it.state.setter_symbol();
    let deps = it.effect.dep_list()?;
    if deps.iter().all(|dep| module.symbol_of(dep) != setter) {
        return Some(module.slice(it.effect.deps?.span).to_owned());
    }
    let kept = deps.iter().filter(|dep| module.symbol_of(dep) != setter);
    let texts: Vec<&str> = kept.map(|dep| module.slice(dep.span())).collect();
    Some(format!("[{}]", texts.join(", ")))
}
