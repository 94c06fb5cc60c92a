//! Which argument of a call fills which parameter.

use rb_python::ast::helpers::any_over_expr;
use rb_python::ast::{self, Expr};
use rb_python::{Ranged, TextRange};

use super::functions::{Parameter, ParameterKind};

pub(super) struct BoundArguments<'s> {
    pub(super) arguments: Vec<BoundArgument<'s>>,
    /// `*x` at the call, and how many arguments stand before it.
    pub(super) star: Option<(usize, TextRange)>,
    /// `**x` at the call.
    pub(super) double_star: Option<TextRange>,
}

#[derive(Debug, Clone, Copy)]
pub(super) struct BoundArgument<'s> {
    /// None for what `*args` and `**kwargs` of the function take, and for what stands behind `*x`.
    pub(super) parameter: Option<&'s str>,
    pub(super) value: &'s Expr,
    /// Of `value` or `name=value`.
    pub(super) range: TextRange,
    pub(super) is_keyword: bool,
}

/// `parameters` are those that the call fills: without `self` if it is bound.
pub(super) fn bind<'s>(
    call: &'s ast::Arguments,
    parameters: &[Parameter<'s>],
) -> BoundArguments<'s> {
    let is_positional = |parameter: &&Parameter<'_>| {
        matches!(parameter.kind, ParameterKind::PositionalOnly | ParameterKind::Plain)
    };
    let positional: Vec<&str> =
        parameters.iter().filter(is_positional).map(|parameter| parameter.name).collect();
    let mut bound = BoundArguments { arguments: Vec::new(), star: None, double_star: None };
    for (index, value) in call.args.iter().enumerate() {
        if value.is_starred_expr() {
            bound.star.get_or_insert((index, value.range()));
            continue;
        }
        let parameter = positional.get(index).copied().filter(|_| bound.star.is_none());
        let range = value.range();
        bound.arguments.push(BoundArgument { parameter, value, range, is_keyword: false });
    }
    for keyword in &call.keywords {
        let Some(name) = &keyword.arg else {
            bound.double_star.get_or_insert(keyword.range());
            continue;
        };
        let parameter = parameters.iter().find(|parameter| {
            parameter.name == name.as_str()
                && matches!(parameter.kind, ParameterKind::Plain | ParameterKind::KeywordOnly)
        });
        bound.arguments.push(BoundArgument {
            parameter: parameter.map(|parameter| parameter.name),
            value: &keyword.value,
            range: keyword.range(),
            is_keyword: true,
        });
    }
    bound
}

/// Can a call with these arguments be one of this function at all? Python would raise a `TypeError` otherwise.
pub(super) fn fits(call: &ast::Arguments, parameters: &[Parameter<'_>]) -> bool {
    let bound = bind(call, parameters);
    let has = |kind| parameters.iter().any(|parameter| parameter.kind == kind);
    if bound.star.is_some() || bound.double_star.is_some() {
        return true;
    }
    let is_accepted = |argument: &BoundArgument<'_>| {
        argument.parameter.is_some()
            || has(if argument.is_keyword {
                ParameterKind::Keywords
            } else {
                ParameterKind::Variadic
            })
    };
    let is_filled = |parameter: &Parameter<'_>| {
        parameter.default.is_some()
            || matches!(parameter.kind, ParameterKind::Variadic | ParameterKind::Keywords)
            || bound.arguments.iter().any(|argument| argument.parameter == Some(parameter.name))
    };
    bound.arguments.iter().all(is_accepted) && parameters.iter().all(is_filled)
}

/// Evaluating it later, earlier or not at all makes no difference.
pub(super) fn is_simple(value: &Expr) -> bool {
    match value {
        Expr::Name(_) | Expr::Lambda(_) => true,
        Expr::Attribute(attribute) => is_simple(&attribute.value),
        Expr::UnaryOp(operation) => is_simple(&operation.operand),
        Expr::Tuple(tuple) => tuple.elts.iter().all(is_simple),
        Expr::List(list) => list.elts.iter().all(is_simple),
        other => other.is_literal_expr(),
    }
}

/// Does it call something, wait or bind a name, so that leaving it out makes a difference?
pub(super) fn has_effects(value: &Expr) -> bool {
    any_over_expr(value, |part| {
        matches!(
            part,
            Expr::Call(_) | Expr::Await(_) | Expr::Yield(_) | Expr::YieldFrom(_) | Expr::Named(_)
        )
    })
}

/// May they be evaluated in another order? Only one may do something, and the others must not depend on it.
pub(super) fn keeps_order(values: &[&Expr]) -> bool {
    let active: Vec<&&Expr> = values.iter().filter(|value| !is_simple(value)).collect();
    let is_steady = |value: &Expr| value.is_literal_expr() || value.is_name_expr();
    match active[..] {
        [] => true,
        [one] => {
            let binds = one.is_named_expr();
            let mut others = values.iter().filter(|value| is_simple(value));
            others.all(|value| if binds { value.is_literal_expr() } else { is_steady(value) })
        }
        _ => false,
    }
}
