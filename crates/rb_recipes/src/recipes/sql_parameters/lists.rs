//! `IN (…)` with a list in it.

use oxc_ast::AstKind;
use oxc_ast::ast::{Argument, BindingPattern, CallExpression, Expression, Statement};
use oxc_span::GetSpan;
use rb_ecma::{Module, Types};

use super::driver::{Dialect, Driver};
use super::expressions::{arrow_value, escaped_by_driver};
use super::judge::{Case, Mark, Verdict, left};
use super::position::Spot;
use crate::plan::one_line;

/// The list behind a text of its elements.
struct List<'a> {
    /// Code that gives it.
    code: String,
    /// The expression, where it is one that stands in the code.
    array: Option<&'a Expression<'a>>,
    /// The elements had quotes around them; an empty list gave a text of no letters.
    gave_empty_text: bool,
}

pub(super) fn verdict<'a>(
    case: &Case<'_, 'a>,
    spot: &Spot,
    hole: &'a Expression<'a>,
    is_quoted: bool,
    (from, to, negated): (usize, usize, bool),
) -> Verdict {
    let module = case.finder.module;
    let code = one_line(module.slice(hole.span()));
    let found = if is_quoted { joined_by_quotes(module, hole) } else { joined(case, hole) };
    let Some(list) = found else { return no_list(case, spot, hole, is_quoted, &code) };
    if list.gave_empty_text && !list.array.is_some_and(|it| is_never_empty(module, hole, it)) {
        return left(
            format!(
                "`{}` may be empty: that is now `IN ('')`, but would become an invalid empty list",
                list.code
            ),
            "return before the query if the list is empty",
        );
    }
    placed(case, spot, list, (from, to, negated))
}

const EMPTY: &str = "Postgres now accepts an empty list, which was a syntax error before";

/// The list in the way of the driver.
fn placed<'a>(
    case: &Case<'_, 'a>,
    spot: &Spot,
    list: List<'a>,
    (from, to, negated): (usize, usize, bool),
) -> Verdict {
    let module = case.finder.module;
    let is_simple = list.array.is_some_and(|it| module.is_pure0(it));
    match (case.sink.driver, case.sink.dialect) {
        (Driver::Pg | Driver::PostgresJs, _) => Verdict::Parameter {
            from,
            to,
            mark: Mark::Any { negated },
            value: list.code,
            note: Some(EMPTY),
        },
        (Driver::PgPromise, _) => {
            left("pg-promise formats arrays differently", "write `IN ($1:csv)` and pass the list")
        }
        (Driver::Prisma, Dialect::Postgres) => left(
            "Prisma needs the element type of a list",
            "use `Prisma.join` with the tagged form `$queryRaw`",
        ),
        (Driver::Mysql | Driver::Mysql2 | Driver::Sequelize, _) if case.sink.is_client_side => {
            in_brackets(spot, Mark::One, list.code)
        }
        _ if !is_simple => left(
            format!(
                "`{}` would be computed twice, for the placeholders and for the values",
                list.code
            ),
            "put the list into a constant before the query",
        ),
        _ => {
            let quote = module.style().quoted("?");
            let separator = module.style().quoted(", ");
            let marks = format!("{}.map(() => {quote}).join({separator})", list.code);
            in_brackets(spot, Mark::Many(marks), format!("...{}", list.code))
        }
    }
}

fn in_brackets(spot: &Spot, mark: Mark, value: String) -> Verdict {
    let token = spot.token;
    Verdict::Parameter { from: token.start, to: token.end, mark, value, note: None }
}

/// One value in the brackets, or something that cannot be read.
fn no_list<'a>(
    case: &Case<'_, 'a>,
    spot: &Spot,
    hole: &'a Expression<'a>,
    is_quoted: bool,
    code: &str,
) -> Verdict {
    let types = case.finder.module.types(hole);
    let is_one = types.is_only(Types::NUMBER) || (is_quoted && types.is_only(Types::STRING));
    if is_one {
        let value = case.finder.module.code(hole);
        return Verdict::Parameter {
            from: spot.token.start,
            to: spot.token.end,
            mark: Mark::One,
            value,
            note: None,
        };
    }
    left(
        format!("the number of values in `{code}` is unknown"),
        "write one placeholder for each value of the list, and pass the list",
    )
}

/// `'${list.join("','")}'`
fn joined_by_quotes<'a>(module: &Module<'a>, hole: &'a Expression<'a>) -> Option<List<'a>> {
    let (array, separator) = join(module, hole)?;
    let is_quoted = separator.split(',').map(str::trim).eq(["'", "'"])
        || separator.split(',').map(str::trim).eq(["\"", "\""]);
    is_quoted.then(|| List { code: module.code(array), array: Some(array), gave_empty_text: true })
}

/// `${list.join(',')}`, `${list}`, and elements that are quoted one by one.
fn joined<'a>(case: &Case<'_, 'a>, hole: &'a Expression<'a>) -> Option<List<'a>> {
    let module = case.finder.module;
    let array = match join(module, hole) {
        Some((array, separator)) if separator.trim() == "," => array,
        None if module.types(hole).is_only(Types::ARRAY) => hole,
        Some(_) | None => return None,
    };
    if let Some(list) = quoted_one_by_one(case, array) {
        return Some(list);
    }
    if makes_text(module, array) {
        return None;
    }
    Some(List { code: module.code(array), array: Some(array), gave_empty_text: false })
}

fn join<'a>(
    module: &Module<'a>,
    hole: &'a Expression<'a>,
) -> Option<(&'a Expression<'a>, &'a str)> {
    let _ = module;
    let (object, call) = method(hole, "join")?;
    let separator = match call.arguments.first().map(Argument::as_expression) {
        None => ",",
        Some(Some(Expression::StringLiteral(it))) => it.value.as_str(),
        Some(_) => return None,
    };
    Some((object, separator))
}

fn method<'a>(
    expression: &'a Expression<'a>,
    name: &str,
) -> Option<(&'a Expression<'a>, &'a CallExpression<'a>)> {
    let Expression::CallExpression(call) = expression.get_inner_expression() else { return None };
    let Expression::StaticMemberExpression(member) = call.callee.get_inner_expression() else {
        return None;
    };
    (member.property.name == name).then_some((&member.object, &**call))
}

/// `list.map(x => `'${x}'`)`, and `list.map(x => pool.escape(x))`.
fn quoted_one_by_one<'a>(case: &Case<'_, 'a>, array: &'a Expression<'a>) -> Option<List<'a>> {
    let module = case.finder.module;
    let (list, call) = method(array, "map")?;
    let Expression::ArrowFunctionExpression(arrow) = call.arguments.first()?.as_expression()?
    else {
        return None;
    };
    let body = arrow_value(arrow)?;
    let element = escaped_by_driver(case.finder, body).or_else(|| between_quotes(body))?;
    let parameter = match &arrow.params.items[..] {
        [only] => match &only.pattern {
            BindingPattern::BindingIdentifier(it) => it.symbol_id.get(),
            _ => None,
        },
        _ => None,
    };
    if parameter.is_some() && module.symbol_of(element) == parameter {
        return Some(List { code: module.code(list), array: Some(list), gave_empty_text: false });
    }
    let (start, end) = (array.span().start as usize, array.span().end as usize);
    let (from, to) = (body.span().start as usize, body.span().end as usize);
    let code = format!(
        "{}{}{}",
        &module.text()[start..from],
        module.slice(element.span()),
        &module.text()[to..end]
    );
    Some(List { code, array: None, gave_empty_text: false })
}

/// `x` of `'${x}'`.
fn between_quotes<'e, 'a>(body: &'e Expression<'a>) -> Option<&'e Expression<'a>> {
    match body.get_inner_expression() {
        Expression::TemplateLiteral(it) => {
            let quotes = it.quasis.iter().map(|it| it.value.raw.as_str());
            let is_it = quotes.clone().eq(["'", "'"]) || quotes.eq(["\"", "\""]);
            is_it.then(|| it.expressions.first())?
        }
        Expression::BinaryExpression(it) => {
            let Expression::BinaryExpression(left) = it.left.get_inner_expression() else {
                return None;
            };
            let quote = |it: &Expression<'_>| matches!(it, Expression::StringLiteral(it) if it.value == "'" || it.value == "\"");
            (quote(&left.left) && quote(&it.right)).then_some(&left.right)
        }
        _ => None,
    }
}

/// Does it make texts of its elements, which could be SQL?
fn makes_text<'a>(module: &Module<'a>, array: &'a Expression<'a>) -> bool {
    let Some((_, call)) = method(array, "map") else { return false };
    match call.arguments.first().and_then(Argument::as_expression) {
        Some(Expression::ArrowFunctionExpression(arrow)) => match arrow_value(arrow) {
            Some(Expression::StaticMemberExpression(_)) => false,
            Some(body) => !module.types(body).is_only(Types::NUMBER),
            None => true,
        },
        Some(it) => {
            !module.is_global_named(it, "Number") && !module.is_global_named(it, "parseInt")
        }
        None => true,
    }
}

/// Is the query not reached with an empty list?
fn is_never_empty<'a>(module: &Module<'a>, inside: &Expression<'a>, list: &Expression<'a>) -> bool {
    if let Expression::ArrayExpression(it) = module.resolved(list) {
        return it.elements.iter().any(|it| !it.is_spread());
    }
    let name = compact(module.slice(list.span()));
    let here = inside.span();
    module.nodes().iter().any(|node| {
        let AstKind::IfStatement(test) = node.kind() else { return false };
        let within = |span: oxc_span::Span| span.start <= here.start && here.end <= span.end;
        let condition = compact(module.slice(test.test.span()));
        if within(test.consequent.span()) {
            return has_some(&condition, &name);
        }
        // A way out before, in a block around the query.
        let is_before = test.span.end <= here.start
            && within(module.parent(test.node_id.get()).span())
            && test.alternate.is_none();
        is_before && has_none(&condition, &name) && leaves(&test.consequent)
    })
}

fn compact(code: &str) -> String {
    code.chars().filter(|it| !it.is_whitespace()).collect()
}

fn has_some(condition: &str, name: &str) -> bool {
    let lengths = [
        format!("{name}.length"),
        format!("{name}.length>0"),
        format!("{name}.length!==0"),
        format!("{name}?.length"),
    ];
    condition.split("&&").any(|it| lengths.iter().any(|length| it == length))
}

fn has_none(condition: &str, name: &str) -> bool {
    let nones = [
        format!("!{name}.length"),
        format!("{name}.length===0"),
        format!("{name}.length==0"),
        format!("{name}.length<1"),
        format!("!{name}?.length"),
    ];
    condition.split("||").any(|it| nones.iter().any(|none| it == none))
}

fn leaves(statement: &Statement<'_>) -> bool {
    match statement {
        Statement::ReturnStatement(_)
        | Statement::ThrowStatement(_)
        | Statement::ContinueStatement(_) => true,
        Statement::BlockStatement(it) => it.body.last().is_some_and(leaves),
        _ => false,
    }
}
