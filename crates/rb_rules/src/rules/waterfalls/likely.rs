//! Reads that wait for an earlier one they do not use, where something stands in the way of a proof: a guard between the two,
//! or a question who is there.

use oxc_ast::ast::{Expression, IfStatement, Statement};
use oxc_semantic::{NodeId, SymbolId};
use oxc_span::{GetSpan, Span};
use rb_ecma::Module;

use super::awaits::{Step, depends, is_check_by_name, is_meant, is_ordered, is_way_out, leaves};
use super::inside::inside;
use super::names::{Sort, called_name, has_effect, sort, words};
use crate::cx::{Cx, Hit};

/// More statements between the two make it another piece of work.
const MOST_BETWEEN: usize = 4;

/// A read that may start with the one before it.
pub struct Candidate {
    pub node: NodeId,
    /// Of the statement that waits.
    pub span: Span,
    pub hit: Hit,
}

/// The candidates of one list of statements.
pub fn likely_waterfalls<'a>(cx: &Cx<'_, 'a>, list: &'a [Statement<'a>]) -> Vec<Candidate> {
    let steps: Vec<(usize, Step<'a>, Sort)> = list
        .iter()
        .enumerate()
        .filter_map(|(at, it)| Some((at, Step::of(it)?)))
        .map(|(at, step)| {
            let sort = sort(cx, step.awaited);
            (at, step, sort)
        })
        .collect();
    let pairs = steps.windows(2).filter_map(|pair| {
        let [(from, first, one), (to, second, other)] = pair else { return None };
        let between = &list[from + 1..*to];
        let condition = condition(cx, (first, *one), (second, *other), between)?;
        let message = format!(
            "`{}` does not depend on `{}` but waits for it; run them in parallel",
            second.label(cx.module),
            first.label(cx.module)
        );
        let hit = Hit::at(second.span(), message).likely(condition);
        Some(Candidate { node: second.node, span: second.span(), hit })
    });
    pairs.collect()
}

/// What is not proved of two steps that may be a waterfall; nothing where they are none, or where a proof is tried elsewhere.
fn condition<'a>(
    cx: &Cx<'_, 'a>,
    (first, one): (&Step<'a>, Sort),
    (second, other): (&Step<'a>, Sort),
    between: &'a [Statement<'a>],
) -> Option<String> {
    let module = cx.module;
    if first.symbols().is_empty() || second.symbols().is_empty() || between.len() > MOST_BETWEEN {
        return None;
    }
    let guard = match between_of(module, between) {
        Between::Nothing => None,
        Between::Guard(guard) if is_for_absence(module, guard, first) => Some(guard),
        Between::Guard(_) | Between::More => return None,
    };
    let called = match called_name(second.awaited)? {
        "all" | "allSettled" => "its calls".to_owned(),
        name => format!("`{name}()`"),
    };
    let condition = match (one, other, guard) {
        (Sort::Read, Sort::Read | Sort::Identity, Some(guard)) => {
            let line = module.line(guard.span.start);
            format!("{called} would also run if line {line} exits early")
        }
        (Sort::Identity, Sort::Read, None) => {
            format!("{called} may have to wait for the authentication check")
        }
        (Sort::Read, Sort::Identity, None) => format!("{called} may have side effects"),
        // Reads side by side have a proof or none elsewhere. A guard behind the question who is there says that nobody else may
        // cause work.
        _ => return None,
    };
    let span = Span::new(first.span().start, second.span().end);
    let is_free = !needs(module, first, between, second)
        && !is_ordered(module, first.node)
        && !is_meant(module, span)
        && [first, second].iter().all(|it| only_reads(cx, it));
    is_free.then_some(condition)
}

/// What stands between two steps.
enum Between<'a> {
    /// Constants at most.
    Nothing,
    /// One way out, and constants.
    Guard(&'a IfStatement<'a>),
    More,
}

fn between_of<'a>(module: &Module<'a>, between: &'a [Statement<'a>]) -> Between<'a> {
    let mut guard = None;
    for statement in between {
        match statement {
            Statement::VariableDeclaration(it) if !waits(module, it.span) => {}
            Statement::IfStatement(it) if it.alternate.is_none() && is_exit(&it.consequent) => {
                if waits(module, it.span) || guard.replace(&**it).is_some() {
                    return Between::More;
                }
            }
            _ => return Between::More,
        }
    }
    guard.map_or(Between::Nothing, Between::Guard)
}

/// `if (!chat) return`, and not for want of rights: who may not see a thing is to cause no more work.
fn is_for_absence<'a>(module: &Module<'a>, guard: &IfStatement<'a>, first: &Step<'a>) -> bool {
    const RIGHTS: &[&str] = &[
        "401",
        "403",
        "access",
        "admin",
        "denied",
        "forbidden",
        "member",
        "membership",
        "owner",
        "permission",
        "permissions",
        "role",
        "roles",
        "unauthenticated",
        "unauthorized",
    ];
    let Expression::UnaryExpression(test) = &guard.test else { return false };
    let is_first = module.symbol_of(&test.argument).is_some_and(|it| first.symbols().contains(&it));
    let texts = [module.slice(guard.span), module.slice(first.span())];
    let mut said = texts.iter().flat_map(|it| words(it));
    test.operator.is_not() && is_first && !said.any(|it| RIGHTS.contains(&it.as_str()))
}

/// Does the branch end in leaving, by a statement or by a call such as `notFound()`?
fn is_exit(statement: &Statement<'_>) -> bool {
    match statement {
        Statement::BlockStatement(it) => it.body.last().is_some_and(is_exit),
        Statement::ExpressionStatement(it) => is_way_out(&it.expression),
        other => leaves(other),
    }
}

fn waits(module: &Module<'_>, span: Span) -> bool {
    module.slice(span).contains("await ")
}

/// Does the later step use the earlier one, by itself or through what is made of it between?
fn needs<'a>(
    module: &Module<'a>,
    first: &Step<'a>,
    between: &'a [Statement<'a>],
    second: &Step<'a>,
) -> bool {
    let mut made: Vec<SymbolId> = first.symbols().to_vec();
    for statement in between {
        let Statement::VariableDeclaration(it) = statement else { continue };
        if made.iter().any(|&symbol| module.mentions(it.span, symbol)) {
            let names = it.declarations.iter().flat_map(|it| it.id.get_binding_identifiers());
            made.extend(names.filter_map(|it| it.symbol_id.get()));
        }
    }
    depends(module, second.span(), first)
        || made.iter().any(|&symbol| module.mentions(second.span(), symbol))
}

/// Nothing that is known of the function behind the call speaks of a write or a check.
fn only_reads<'a>(cx: &Cx<'_, 'a>, step: &Step<'a>) -> bool {
    let it = inside(cx, step.awaited.span());
    let has_effect = has_effect(step.awaited);
    !(has_effect || it.writes || it.guards || it.is_idle || is_check_by_name(cx.module, step))
}
