//! Functions of the project that hand their text and their values on to a driver.

use oxc_ast::ast::{Argument, BindingPattern, CallExpression, Expression};
use oxc_semantic::SymbolId;
use rb_ecma::{Func, Module};
use rb_rules::World;

use super::driver::{Driver, Handle};
use super::handles::{Finder, expression_at, top_level};
use crate::links::links;

/// How a caller gives something: an argument, or a property of one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Way {
    pub(super) argument: usize,
    pub(super) property: Option<String>,
    pub(super) is_rest: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Wrapper {
    pub(super) driver: Driver,
    pub(super) is_client_side: bool,
    pub(super) is_prepared: bool,
    pub(super) text: Way,
    pub(super) values: Option<Way>,
    pub(super) note: Option<String>,
}

const DEPTH: u32 = 3;

/// What a function that is called hands on, if it does.
pub(super) fn find<'a>(finder: &Finder<'_, 'a>, callee: &Expression<'a>) -> Option<Wrapper> {
    at_depth(finder, callee, DEPTH)
}

fn at_depth<'a>(finder: &Finder<'_, 'a>, callee: &Expression<'a>, depth: u32) -> Option<Wrapper> {
    let depth = depth.checked_sub(1)?;
    let module = finder.module;
    if let Some(func) = module.function_of(callee).or_else(|| finder.method_of_class(callee)) {
        return of_function(finder, func, depth);
    }
    let (path, name) = finder.foreign(callee)?;
    exported(finder.world, &path, &name)
}

fn exported(world: &dyn World, path: &str, name: &str) -> Option<Wrapper> {
    let (path, name) = world.origin(path, name).unwrap_or((path.to_owned(), name.to_owned()));
    world.ask("sql-wrapper", &path, &name, |module| {
        let finder = Finder { world, path: &path, module };
        let links = links(world, &path)?;
        let export = links.export(&name)?;
        let by_name = export.local.as_ref().and_then(|local| {
            let symbol = top_level(module, local)?;
            function_of_symbol(module, symbol)
        });
        let func = match by_name {
            Some(func) => func,
            None => {
                let place = export.value?;
                Func::of_expression(expression_at(module, place.start, place.end)?)?
            }
        };
        of_function(&finder, func, DEPTH)
    })?
}

fn function_of_symbol<'a>(module: &Module<'a>, symbol: SymbolId) -> Option<Func<'a>> {
    let node = module.scoping().symbol_declaration(symbol);
    match module.nodes().kind(node) {
        oxc_ast::AstKind::Function(_) => Func::of(module.nodes().kind(node)),
        _ => Func::of_expression(module.initializer(symbol)?),
    }
}

fn of_function<'a>(finder: &Finder<'_, 'a>, func: Func<'a>, depth: u32) -> Option<Wrapper> {
    let span = func.span();
    let calls = finder.module.calls();
    let inside =
        |it: &&&'a CallExpression<'a>| span.start <= it.span.start && it.span.end <= span.end;
    calls.iter().filter(inside).find_map(|call| handed_on(finder, func, call, depth))
}

/// A call within a function that hands the function's parameters on.
fn handed_on<'a>(
    finder: &Finder<'_, 'a>,
    func: Func<'a>,
    call: &'a CallExpression<'a>,
    depth: u32,
) -> Option<Wrapper> {
    let callee = call.callee.get_inner_expression();
    let argument = |at: usize| call.arguments.get(at);
    if !call.arguments.iter().any(|it| is_of_parameters(finder, it)) {
        return None;
    }
    if let Some(member) = callee.as_member_expression()
        && let Some(Handle::Connection(driver)) = finder.connection(member.object())
    {
        return to_driver(finder, func, call, driver, member.static_property_name());
    }
    let inner = at_depth(finder, callee, depth)?;
    let text = argument(inner.text.argument)?;
    let way =
        |way: &Way, given: &'a Argument<'a>| through(finder, func, given, way.property.as_deref());
    let values = match &inner.values {
        Some(values) => match argument(values.argument) {
            Some(it) => Some(way(values, it)?),
            None => None,
        },
        None => None,
    };
    Some(Wrapper { text: way(&inner.text, text)?, values, ..inner })
}

/// Does it mention a name that is not of the file's top? Parameters are such; most calls have none and cost no more.
fn is_of_parameters<'a>(finder: &Finder<'_, 'a>, argument: &Argument<'a>) -> bool {
    let module = finder.module;
    let names = module.identifiers_in(oxc_span::GetSpan::span(argument));
    names.iter().any(|it| module.symbol(it).is_some_and(|it| !module.is_top_level(it)))
}

fn to_driver<'a>(
    finder: &Finder<'_, 'a>,
    func: Func<'a>,
    call: &'a CallExpression<'a>,
    driver: Driver,
    method: Option<&str>,
) -> Option<Wrapper> {
    let (text_key, values_key) = match (driver, method) {
        (Driver::Pg, Some("query"))
        | (
            Driver::PgPromise,
            Some("query" | "any" | "many" | "manyOrNone" | "none" | "one" | "oneOrNone" | "result"),
        ) => ("text", "values"),
        (Driver::Mysql | Driver::Mysql2, Some("query" | "execute")) => ("sql", "values"),
        (Driver::PostgresJs, Some("unsafe"))
        | (Driver::Sqlite3, Some("run" | "get" | "all" | "each")) => ("", ""),
        (Driver::Sqlite3, None) => return loosely(finder, func, call, driver),
        _ => return None,
    };
    let first = call.arguments.first()?;
    let is_prepared = method == Some("execute");
    let is_client_side = matches!(driver, Driver::Mysql | Driver::Mysql2) && !is_prepared;
    let wrapper =
        |text, values| Wrapper { driver, is_client_side, is_prepared, text, values, note: None };
    if let Some(text) = through(finder, func, first, None) {
        let values = call.arguments.get(1).and_then(|it| through(finder, func, it, None));
        return Some(wrapper(text, values));
    }
    let Expression::ObjectExpression(config) = finder.module.resolved(first.as_expression()?)
    else {
        return None;
    };
    let part = |key: &str| {
        let found = super::home::property(config, key)?;
        parameter(finder, func, &found.value)
    };
    Some(wrapper(part(text_key)?, part(values_key)))
}

/// The method is computed, and the text is taken apart on its way: the values tell where they come from, and the parameter
/// beside them is the text.
fn loosely<'a>(
    finder: &Finder<'_, 'a>,
    func: Func<'a>,
    call: &'a CallExpression<'a>,
    driver: Driver,
) -> Option<Wrapper> {
    const TEXTS: &[&str] = &["query", "sql", "text", "statement"];
    let values = through(finder, func, call.arguments.get(1)?, None)?;
    let owner = values.property.as_ref()?;
    let span = func.span();
    let key = TEXTS.iter().find(|key| {
        let read = format!(".{key}");
        **key != owner.as_str() && finder.module.slice(span).contains(&read)
    })?;
    let text = Way { argument: values.argument, property: Some((*key).to_owned()), is_rest: false };
    let note = "a function splits the SQL string before it reaches the driver; the values are passed on unchanged"
        .to_owned();
    Some(Wrapper {
        driver,
        is_client_side: false,
        is_prepared: false,
        text,
        values: Some(values),
        note: Some(note),
    })
}

fn through<'a>(
    finder: &Finder<'_, 'a>,
    func: Func<'a>,
    given: &'a Argument<'a>,
    key: Option<&str>,
) -> Option<Way> {
    let mut way = match given {
        Argument::SpreadElement(it) => {
            let way = parameter(finder, func, &it.argument)?;
            way.is_rest.then_some(way)?
        }
        other => parameter(finder, func, other.as_expression()?)?,
    };
    if let Some(key) = key {
        // A parameter that is handed on whole keeps its properties.
        way.property.is_none().then_some(())?;
        way.property = Some(key.to_owned());
    }
    Some(way)
}

/// Which parameter of the function an expression is, or which property of one.
fn parameter<'a>(finder: &Finder<'_, 'a>, func: Func<'a>, given: &Expression<'a>) -> Option<Way> {
    let module = finder.module;
    match given.get_inner_expression() {
        Expression::Identifier(name) => {
            let symbol = module.symbol(name)?;
            if !module.is_stable(symbol) {
                return None;
            }
            let is_it = |pattern: &BindingPattern<'a>| {
                pattern
                    .get_binding_identifier()
                    .is_some_and(|it| it.symbol_id.get() == Some(symbol))
            };
            let params = func.params();
            if let Some(argument) = params.items.iter().position(|it| is_it(&it.pattern)) {
                return Some(Way { argument, property: None, is_rest: false });
            }
            if params.rest.as_ref().is_some_and(|it| is_it(&it.rest.argument)) {
                return Some(Way { argument: params.items.len(), property: None, is_rest: true });
            }
            destructured(func, symbol)
        }
        Expression::StaticMemberExpression(member) => {
            let way = parameter(finder, func, &member.object)?;
            let is_plain = way.property.is_none() && !way.is_rest;
            is_plain.then(|| Way { property: Some(member.property.name.to_string()), ..way })
        }
        Expression::LogicalExpression(it) if matches!(it.right, Expression::ArrayExpression(_)) => {
            parameter(finder, func, &it.left)
        }
        _ => None,
    }
}

/// `{ query, params }` of a function's parameters.
fn destructured(func: Func<'_>, symbol: SymbolId) -> Option<Way> {
    func.params().items.iter().enumerate().find_map(|(argument, it)| {
        let BindingPattern::ObjectPattern(pattern) = &it.pattern else { return None };
        pattern.properties.iter().find_map(|property| {
            let inner = match &property.value {
                BindingPattern::AssignmentPattern(it) => &it.left,
                other => other,
            };
            let bound = inner.get_binding_identifier()?;
            let key = property.key.static_name()?.to_string();
            (bound.symbol_id.get() == Some(symbol)).then_some(Way {
                argument,
                property: Some(key),
                is_rest: false,
            })
        })
    })
}
