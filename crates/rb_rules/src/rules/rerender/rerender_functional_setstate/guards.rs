//! Conditions that look at the state before it is computed from: they bound it, or narrow its type.
//! A function is handed a state that has passed none of them. What a condition asks is not looked at.

use oxc_ast::AstKind;
use oxc_ast::ast::{BindingIdentifier, CallExpression, Expression};
use oxc_semantic::SymbolId;
use oxc_span::GetSpan;
use rb_ecma::{Func, Module, Types, Use};

use super::super::hooks::State;

/// What the component makes of the state while it renders: `const canGoBack = page > 0`.
pub(super) fn made_of<'a>(module: &Module<'a>, state: &State<'a>) -> Vec<SymbolId> {
    let owner = state.owner.span();
    let declarators = module.declarators().iter().filter(|it| {
        let init = it.init.as_ref().filter(|it| !it.get_inner_expression().is_function());
        owner.contains_inclusive(it.span)
            && init.is_some_and(|it| module.mentions(it.span(), state.symbol()))
            && module.function_around(it.node_id.get()).is_some_and(|it| it.span() == owner)
    });
    let names = declarators.flat_map(|it| it.id.get_binding_identifiers());
    names.map(BindingIdentifier::symbol_id).collect()
}

/// Does a condition around the call, or one before it that leaves, look at the state or at what is made of it?
pub(super) fn is_guarded<'a>(
    module: &Module<'a>,
    state: &State<'a>,
    made: &[SymbolId],
    call: &CallExpression<'a>,
) -> bool {
    let around: Vec<_> =
        module.ancestors(call.node_id.get()).filter_map(Func::of).map(Func::span).collect();
    let symbols = std::iter::once(state.symbol()).chain(made.iter().copied());
    symbols.flat_map(|it| module.value_uses(it)).any(|it| {
        let mut tests = module.ancestors(it.node).take_while(|kind| Func::of(*kind).is_none());
        tests.any(|kind| {
            let (test, whole) = match kind {
                AstKind::IfStatement(it) => (it.test.span(), it.span),
                AstKind::ConditionalExpression(it) => (it.test.span(), it.span),
                AstKind::LogicalExpression(it) => (it.left.span(), it.span),
                AstKind::SwitchStatement(it) => (it.discriminant.span(), it.span),
                _ => return false,
            };
            let leaves = || {
                let code = module.slice(whole);
                let func = module.function_around(kind.node_id()).map(Func::span);
                let is_before = whole.end <= call.span.start;
                matches!(kind, AstKind::IfStatement(_))
                    && is_before
                    && (code.contains("return") || code.contains("throw"))
                    && func.is_some_and(|it| around.contains(&it))
            };
            test.contains_inclusive(it.span)
                && !call.span.contains_inclusive(test)
                && (whole.contains_inclusive(call.span) || leaves())
        })
    })
}

/// Is the state read as if it were there, though its type says that it may be missing? Something has narrowed it.
pub(super) fn is_narrowed<'a>(module: &Module<'a>, state: &State<'a>, reads: &[Use<'a>]) -> bool {
    let written = state.call.type_arguments.as_ref().and_then(|it| it.params.first());
    let may_miss = written.is_some_and(|it| {
        state.initial().is_none() || module.types_of_written(it).includes(Types::NULLISH)
    });
    may_miss
        && reads.iter().any(|it| match module.parent(it.node) {
            AstKind::StaticMemberExpression(member) => !member.optional,
            AstKind::ComputedMemberExpression(member) => {
                !member.optional && !matches!(member.expression, Expression::Identifier(ref key) if key.span == it.span)
            }
            AstKind::SpreadElement(_) | AstKind::TSNonNullExpression(_) => true,
            _ => false,
        })
}
