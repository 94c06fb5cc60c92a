//! What a hole holds: a value, an SQL fragment, marks for parameters, or a constant.

use oxc_ast::AstKind;
use oxc_ast::ast::{
    Argument, ArrowFunctionExpression, CallExpression, Expression, ObjectPropertyKind,
};
use oxc_semantic::SymbolId;
use rb_ecma::{Imported, Module, words};
use rb_rules::Target;

use super::code::constant;
use super::driver::Handle;
use super::handles::{Finder, top_level};

/// Words of a name that say that it holds SQL and no value.
const SQL_WORDS: &[&str] = &[
    "sql",
    "clause",
    "clauses",
    "column",
    "columns",
    "col",
    "cols",
    "table",
    "tables",
    "identifier",
    "ident",
    "fragment",
    "fragments",
    "placeholder",
    "placeholders",
    "subquery",
    "expr",
    "expression",
    "schema",
    "operator",
    "quoted",
    "escaped",
    "literal",
    "cte",
];
/// As the last word of a name.
const SQL_ENDS: &[&str] = &[
    "where",
    "filter",
    "filters",
    "condition",
    "conditions",
    "query",
    "order",
    "direction",
    "join",
    "joins",
    "fields",
    "marks",
    "bindings",
    "select",
    "set",
    "sets",
    "sort",
    "dir",
    "op",
    "limit_clause",
    "values",
    "params",
    "function",
];
/// Words of functions that make text safe by themselves.
const ESCAPING: &[&str] = &[
    "escape",
    "quote",
    "esc",
    "sanitize",
    "literal",
    "ident",
    "identifier",
    "format",
    "sql",
    "raw",
    "wrap",
    "stringify",
];

/// The last name of an expression: `id` of `req.params.id`, of `id` and of `getId()`.
pub(super) fn last_name<'e>(expression: &'e Expression<'_>) -> Option<&'e str> {
    match expression.get_inner_expression() {
        Expression::Identifier(it) => Some(it.name.as_str()),
        Expression::StaticMemberExpression(it) => Some(it.property.name.as_str()),
        Expression::PrivateFieldExpression(it) => Some(it.field.name.as_str()),
        Expression::CallExpression(it) => last_name(&it.callee),
        Expression::AwaitExpression(it) => last_name(&it.argument),
        Expression::ChainExpression(it) => match &it.expression {
            oxc_ast::ast::ChainElement::CallExpression(it) => last_name(&it.callee),
            other => other.as_member_expression()?.static_property_name(),
        },
        _ => None,
    }
}

/// Does the name say that it is SQL, and no value?
pub(super) fn is_named_sql(expression: &Expression<'_>) -> bool {
    let Some(name) = last_name(expression) else { return false };
    let words = words(name);
    words.iter().any(|it| SQL_WORDS.contains(&it.as_str()))
        || words.last().is_some_and(|it| SQL_ENDS.contains(&it.as_str()))
}

/// Does the name say nothing but SQL? `order`, `table` and `filter` are names of values, too.
pub(super) fn is_surely_sql(expression: &Expression<'_>) -> bool {
    const SURE: &[&str] = &[
        "sql",
        "clause",
        "clauses",
        "column",
        "columns",
        "col",
        "cols",
        "identifier",
        "ident",
        "fragment",
        "fragments",
        "placeholder",
        "placeholders",
        "subquery",
        "expr",
        "expression",
        "quoted",
        "escaped",
        "literal",
        "cte",
    ];
    let words = last_name(expression).map(words).unwrap_or_default();
    words.iter().any(|it| SURE.contains(&it.as_str()))
}

/// A call that says that it escapes or quotes.
pub(super) fn escapes_by_name(expression: &Expression<'_>) -> bool {
    let Expression::CallExpression(call) = expression.get_inner_expression() else { return false };
    let names = last_name(&call.callee).map(words).unwrap_or_default();
    names.iter().any(|it| ESCAPING.contains(&it.as_str()))
}

/// A call that quotes a name: `wrapIdentifier(table)`, `mysql.escapeId(column)`.
pub(super) fn quotes_name(expression: &Expression<'_>) -> bool {
    let Expression::CallExpression(call) = expression.get_inner_expression() else { return false };
    let Some(name) = last_name(&call.callee) else { return false };
    let words = words(name);
    let has = |those: &[&str]| words.iter().any(|it| those.contains(&it.as_str()));
    has(&["identifier", "ident", "identifiers"])
        || (has(&["escape", "quote", "wrap"]) && has(&["id", "name", "table", "column"]))
}

/// One of a few constants, whatever the program does.
pub(super) fn is_constant<'a>(finder: &Finder<'_, 'a>, expression: &Expression<'a>) -> bool {
    let module = finder.module;
    if constant(module, expression).is_some() {
        return true;
    }
    let is_constant = |it: &Expression<'a>| is_constant(finder, it);
    match module.resolved(expression) {
        Expression::ConditionalExpression(it) => {
            is_constant(&it.consequent) && is_constant(&it.alternate)
        }
        Expression::LogicalExpression(it) => is_constant(&it.left) && is_constant(&it.right),
        Expression::BinaryExpression(it) => is_constant(&it.left) && is_constant(&it.right),
        Expression::TemplateLiteral(it) => it.expressions.iter().all(is_constant),
        Expression::BooleanLiteral(_) | Expression::NullLiteral(_) => true,
        Expression::ComputedMemberExpression(it) => match module.resolved(&it.object) {
            Expression::ObjectExpression(object) => object.properties.iter().all(|it| match it {
                ObjectPropertyKind::ObjectProperty(it) => is_constant(&it.value),
                ObjectPropertyKind::SpreadProperty(_) => false,
            }),
            _ => false,
        },
        Expression::Identifier(name) => is_foreign_constant(finder, None, module.symbol(name)),
        Expression::StaticMemberExpression(it) => {
            let Expression::Identifier(owner) = it.object.get_inner_expression() else {
                return false;
            };
            is_foreign_constant(finder, Some(it.property.name.as_str()), module.symbol(owner))
        }
        _ => false,
    }
}

/// A member of an enumeration, or a constant of another file.
fn is_foreign_constant(
    finder: &Finder<'_, '_>,
    member: Option<&str>,
    symbol: Option<SymbolId>,
) -> bool {
    let module = finder.module;
    let Some(symbol) = symbol else { return false };
    if matches!(module.declaration(symbol), AstKind::TSEnumDeclaration(_)) {
        return member.is_some();
    }
    let Some(import) = module.import(symbol) else { return false };
    let Target::File(path) = finder.world.resolve(finder.path, import.source) else { return false };
    let exported = match import.imported {
        Imported::Named(it) => it,
        Imported::Default => "default",
        Imported::Namespace => return false,
    };
    let world = finder.world;
    let (path, exported) =
        world.origin(&path, exported).unwrap_or((path.clone(), exported.to_owned()));
    let key = format!("{exported}.{}", member.unwrap_or_default());
    let answer = world.ask("sql-constant", &path, &key, |module| {
        let links = crate::links::links(world, &path)?;
        let local = links.export(&exported)?.local.clone()?;
        let symbol = top_level(module, &local)?;
        if matches!(module.declaration(symbol), AstKind::TSEnumDeclaration(_)) {
            return Some(member.is_some());
        }
        let there = Finder { world, path: &path, module };
        match (module.initializer(symbol)?.get_inner_expression(), member) {
            (Expression::ObjectExpression(object), Some(member)) => {
                let found = super::home::property(object, member)?;
                Some(is_constant(&there, &found.value))
            }
            (value, None) => Some(is_constant(&there, value)),
            _ => None,
        }
    });
    answer.flatten().unwrap_or(false)
}

/// Text that is made of nothing but marks for parameters: `ids.map(() => '?').join()`.
pub(super) fn is_marks<'a>(module: &Module<'a>, expression: &Expression<'a>) -> bool {
    if last_name(expression)
        .is_some_and(|it| words(it).iter().any(|it| it.starts_with("placeholder")))
    {
        return true;
    }
    let resolved = module.resolved(expression);
    match resolved {
        Expression::CallExpression(call) => makes_marks(module, call),
        Expression::TemplateLiteral(it) => {
            is_mark_text(&it.quasis.iter().map(|it| it.value.raw.as_str()).collect::<String>())
        }
        Expression::StringLiteral(it) => is_mark_text(it.value.as_str()),
        Expression::ConditionalExpression(it) => {
            is_marks(module, &it.consequent) && is_marks(module, &it.alternate)
        }
        _ => false,
    }
}

fn makes_marks<'a>(module: &Module<'a>, call: &CallExpression<'a>) -> bool {
    let Some(member) = call.callee.get_inner_expression().as_member_expression() else {
        return false;
    };
    let first = call.arguments.first().and_then(Argument::as_expression);
    match member.static_property_name() {
        Some("join" | "slice" | "replace" | "trim" | "substring") => {
            is_marks(module, member.object())
        }
        Some("repeat") => is_marks(module, member.object()),
        Some("fill" | "from" | "map") => {
            let by = if member.static_property_name() == Some("from") {
                call.arguments.get(1).and_then(Argument::as_expression)
            } else {
                first
            };
            by.is_some_and(|it| match it.get_inner_expression() {
                Expression::ArrowFunctionExpression(arrow) => {
                    arrow_value(arrow).is_some_and(|it| is_marks(module, it))
                }
                other => is_marks(module, other),
            })
        }
        _ => false,
    }
}

/// `?`, `$1`, `:p`, `@p0`, with casts, brackets and commas.
fn is_mark_text(text: &str) -> bool {
    let text = text.trim();
    let is_one = |it: &str| {
        let it = it
            .split("::")
            .next()
            .unwrap_or(it)
            .trim_matches(|c: char| c.is_whitespace() || "()".contains(c));
        it.is_empty() || it == "?" || it.starts_with(['$', ':', '@'])
    };
    !text.is_empty() && text.contains(['?', '$', ':', '@']) && text.split(',').all(is_one)
}

/// The value of an arrow function that is but an expression.
pub(super) fn arrow_value<'e, 'a>(
    arrow: &'e ArrowFunctionExpression<'a>,
) -> Option<&'e Expression<'a>> {
    if arrow.r#async {
        return None;
    }
    arrow.body.as_expression()
}

/// What stands behind a text that was made safe for quotes by hand: `x` of `x.replace(/'/g, "''")`.
pub(super) fn unquoted<'e, 'a>(
    expression: &'e Expression<'a>,
    backslashes: bool,
) -> Option<&'e Expression<'a>> {
    let Expression::CallExpression(call) = expression.get_inner_expression() else { return None };
    let member = call.callee.as_member_expression()?;
    let [what, with] = &call.arguments[..] else { return None };
    let is_quote = match (member.static_property_name()?, what.as_expression()?) {
        ("replace" | "replaceAll", Expression::RegExpLiteral(it)) => {
            it.regex.pattern.text == "'" && it.regex.flags.to_string() == "g"
        }
        ("replaceAll", Expression::StringLiteral(it)) => it.value == "'",
        _ => false,
    };
    let Expression::StringLiteral(with) = with.as_expression()? else { return None };
    let doubles = with.value == "''" || (backslashes && with.value == "\\'");
    (is_quote && doubles).then(|| member.object())
}

/// What a driver's own function makes a literal of: `x` of `pool.escape(x)`.
pub(super) fn escaped_by_driver<'e, 'a>(
    finder: &Finder<'_, 'a>,
    expression: &'e Expression<'a>,
) -> Option<&'e Expression<'a>> {
    let Expression::CallExpression(call) = expression.get_inner_expression() else { return None };
    let member = call.callee.as_member_expression()?;
    let name = member.static_property_name()?;
    let owner = finder.handle(member.object())?;
    let is_driver = !matches!(owner, Handle::File(_));
    let [only] = &call.arguments[..] else { return None };
    (is_driver && (name == "escape" || name == "escapeLiteral")).then(|| only.as_expression())?
}
