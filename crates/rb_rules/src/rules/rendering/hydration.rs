//! What is surely not part of the first render: shown only once a state or fetched data says so.
//!
//! Told by the names that conditions and loops use; a hook may have its value at once, so this errs on the side of silence.

use oxc_ast::AstKind;
use oxc_ast::ast::Statement;
use oxc_semantic::{NodeId, SymbolId};
use oxc_span::{GetSpan, Span};
use rb_ecma::{FunctionKind, Module};

use super::super::advanced::hooks::is_from_hook;

/// How far a value is followed through `const b = a.x`.
const STEPS: u32 = 3;

/// Does a piece of code use what a hook gave?
pub(super) fn is_hook_value(module: &Module<'_>, span: Span) -> bool {
    comes_from_hook(module, span, STEPS)
}

fn comes_from_hook(module: &Module<'_>, span: Span, steps: u32) -> bool {
    let names = module.identifiers_in(span).iter();
    names.filter_map(|it| module.symbol(it)).any(|symbol| symbol_from_hook(module, symbol, steps))
}

fn symbol_from_hook(module: &Module<'_>, symbol: SymbolId, steps: u32) -> bool {
    if is_from_hook(module, symbol) {
        return true;
    }
    if steps == 0 || module.is_top_level(symbol) {
        return false;
    }
    let init = module.declarator(symbol).and_then(|it| it.init.as_ref());
    init.is_some_and(|init| {
        !init.get_inner_expression().is_function()
            && comes_from_hook(module, init.span(), steps - 1)
    })
}

/// Is a node rendered only where what a hook gave allows it: behind a condition, in a list, after an early return?
pub(super) fn is_behind_hook(module: &Module<'_>, node: NodeId) -> bool {
    let mut inner = module.nodes().kind(node).span();
    for kind in module.ancestors(node) {
        let guard = match kind {
            AstKind::ConditionalExpression(it) if it.test.span() != inner => Some(it.test.span()),
            AstKind::LogicalExpression(it) if it.right.span() == inner => Some(it.left.span()),
            AstKind::IfStatement(it) if it.test.span() != inner => Some(it.test.span()),
            AstKind::CallExpression(it) if it.callee.span() != inner => Some(it.callee.span()),
            _ => None,
        };
        if guard.is_some_and(|span| is_hook_value(module, span)) {
            return true;
        }
        let statements = match kind {
            AstKind::FunctionBody(it) => &it.statements[..],
            AstKind::BlockStatement(it) => &it.body[..],
            _ => &[],
        };
        if leaves_early(module, statements, inner) {
            return true;
        }
        let is_component = match kind {
            AstKind::Function(_) | AstKind::ArrowFunctionExpression(_) => {
                let start = kind.span().start;
                let mut all = module.functions().iter();
                all.any(|it| it.func.span().start == start && it.kind != FunctionKind::Other)
            }
            _ => false,
        };
        if is_component {
            return false;
        }
        inner = kind.span();
    }
    false
}

fn leaves_early(module: &Module<'_>, statements: &[Statement<'_>], before: Span) -> bool {
    statements.iter().take_while(|it| it.span().start < before.start).any(|it| match it {
        Statement::IfStatement(it) => {
            let last = match &it.consequent {
                Statement::BlockStatement(block) => block.body.last(),
                other => Some(other),
            };
            matches!(last, Some(Statement::ReturnStatement(_) | Statement::ThrowStatement(_)))
                && is_hook_value(module, it.test.span())
        }
        _ => false,
    })
}
