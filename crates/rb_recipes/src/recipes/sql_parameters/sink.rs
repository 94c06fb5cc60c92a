//! Calls that hand a statement to a driver.

use oxc_ast::AstKind;
use oxc_ast::ast::{Argument, CallExpression, Expression, ObjectExpression, ObjectPropertyKind};
use oxc_semantic::NodeId;
use oxc_span::GetSpan;
use rb_ecma::{Types, words};

use super::driver::{Dialect, Driver, Handle, Marks};
use super::handles::Finder;
use super::home::{Home, behind_arguments, in_argument, in_arguments, in_options, property};
use super::text::is_text;
use super::wrapper::{self, Way, Wrapper};

/// A statement on its way to a driver.
pub(super) struct Sink<'a> {
    pub(super) driver: Driver,
    pub(super) dialect: Dialect,
    pub(super) marks: Marks,
    /// The driver puts values into the text by itself, before the text is sent.
    pub(super) is_client_side: bool,
    /// The values go to the server apart from the text, in `MySQL`'s own way, which knows no `LIMIT ?`.
    pub(super) is_prepared: bool,
    pub(super) text: &'a Expression<'a>,
    /// Where values go, one for each time that the statement is run.
    pub(super) homes: Vec<Home<'a>>,
    /// The clause that a piece of a statement belongs to; empty for a whole one.
    pub(super) opening: &'static str,
    pub(super) call: &'a CallExpression<'a>,
    pub(super) note: Option<String>,
    /// The name for a list of values, should one be needed.
    pub(super) list: String,
}

pub(super) enum FoundSink<'a> {
    Sink(Sink<'a>),
    /// Known, and not able to take parameters.
    Cannot {
        text: &'a Expression<'a>,
        reason: String,
        suggestion: String,
    },
}

const KNEX_RAW: &[(&str, &str)] = &[
    ("raw", ""),
    ("whereRaw", "WHERE"),
    ("andWhereRaw", "WHERE"),
    ("orWhereRaw", "WHERE"),
    ("havingRaw", "HAVING"),
    ("orHavingRaw", "HAVING"),
    ("joinRaw", "JOIN"),
    ("orderByRaw", "ORDER"),
    ("groupByRaw", "GROUP"),
    ("fromRaw", "FROM"),
];

/// What a call does with its text, if a known driver is behind it.
pub(super) fn find<'a>(
    finder: &Finder<'_, 'a>,
    call: &'a CallExpression<'a>,
) -> Option<FoundSink<'a>> {
    let first = call.arguments.first()?.as_expression()?;
    let callee = call.callee.get_inner_expression();
    if let Some(member) = callee.as_member_expression()
        && let Some(method) = member.static_property_name()
        && is_method(method)
        && let Some(Handle::Connection(driver)) = finder.connection(member.object())
    {
        return of_driver(finder, call, driver, method, first);
    }
    if !call.arguments.iter().any(|it| it.as_expression().is_some_and(|it| may_be_text(finder, it)))
    {
        return None;
    }
    let wrapper = wrapper::find(finder, callee)?;
    of_wrapper(finder, call, &wrapper)
}

/// A text that is put together, a name of one, or an object with one in it: anything else is no statement.
fn may_be_text<'a>(finder: &Finder<'_, 'a>, given: &'a Expression<'a>) -> bool {
    match given.get_inner_expression() {
        Expression::ObjectExpression(it) => it.properties.iter().any(|it| match it {
            ObjectPropertyKind::ObjectProperty(it) => {
                !matches!(it.value, Expression::ObjectExpression(_))
                    && may_be_text(finder, &it.value)
            }
            ObjectPropertyKind::SpreadProperty(_) => false,
        }),
        Expression::Identifier(name) => {
            let symbol = finder.module.symbol(name);
            let declarator = symbol.and_then(|it| finder.module.declarator(it));
            declarator.and_then(|it| it.init.as_ref()).is_some_and(is_text)
        }
        other => is_text(other),
    }
}

fn is_method(name: &str) -> bool {
    matches!(
        name,
        "query"
            | "execute"
            | "run"
            | "get"
            | "all"
            | "each"
            | "prepare"
            | "exec"
            | "unsafe"
            | "any"
            | "many"
            | "manyOrNone"
            | "map"
            | "multi"
            | "multiResult"
            | "none"
            | "one"
            | "oneOrNone"
            | "result"
            | "$queryRawUnsafe"
            | "$executeRawUnsafe"
    ) || KNEX_RAW.iter().any(|(it, _)| *it == name)
}

fn base<'a>(driver: Driver, text: &'a Expression<'a>, call: &'a CallExpression<'a>) -> Sink<'a> {
    let dialect = driver.dialect();
    let marks = if dialect == Dialect::Postgres { Marks::Dollar } else { Marks::Question };
    let is_client_side = matches!(driver, Driver::Mysql | Driver::Mysql2 | Driver::Sequelize);
    Sink {
        driver,
        dialect,
        marks,
        is_client_side,
        is_prepared: false,
        text,
        homes: Vec::new(),
        opening: "",
        call,
        note: None,
        list: "params".to_owned(),
    }
}

fn of_driver<'a>(
    finder: &Finder<'_, 'a>,
    call: &'a CallExpression<'a>,
    driver: Driver,
    method: &str,
    first: &'a Expression<'a>,
) -> Option<FoundSink<'a>> {
    let module = finder.module;
    let mut sink = base(driver, first, call);
    let callback = |it: &'a Expression<'a>| is_callback(finder, it);
    match (driver, method) {
        (Driver::Pg, "query")
        | (
            Driver::PgPromise,
            "query" | "any" | "each" | "many" | "manyOrNone" | "map" | "multi" | "multiResult"
            | "none" | "one" | "oneOrNone" | "result",
        ) => in_config(finder, &mut sink, "text", "values"),
        (Driver::Mysql | Driver::Mysql2, "query") => in_config(finder, &mut sink, "sql", "values"),
        (Driver::Mysql2, "execute") => {
            (sink.is_client_side, sink.is_prepared) = (false, true);
            in_config(finder, &mut sink, "sql", "values");
        }
        (Driver::PostgresJs, "unsafe") => sink.homes.push(in_argument(module, call, 1, callback)),
        (Driver::Sqlite3, "run" | "get" | "all" | "each" | "prepare") => {
            sink.homes.push(of_sqlite3(finder, call));
        }
        (Driver::BetterSqlite | Driver::NodeSqlite, "prepare") => match executions(finder, call) {
            Ok(homes) => sink.homes = homes,
            Err(reason) => {
                return Some(cannot(first, reason, "pass the values where the statement is run"));
            }
        },
        (Driver::Sqlite3 | Driver::BetterSqlite | Driver::NodeSqlite, "exec") => {
            let reason = format!("`exec` of {} accepts no parameters", driver.name());
            let suggestion = "run it with `run`, or `prepare` and `run`, which accept values";
            return Some(cannot(first, reason, suggestion));
        }
        (Driver::Knex, _) => {
            sink.opening = KNEX_RAW.iter().find(|(it, _)| *it == method)?.1;
            sink.homes.push(in_argument(module, call, 1, callback));
        }
        (Driver::Sequelize, "query") => sink.homes.push(of_sequelize(finder, call)),
        (Driver::Prisma, "$queryRawUnsafe" | "$executeRawUnsafe") => {
            let Some((dialect, marks)) = prisma_dialect(finder) else {
                let reason = "the provider of the Prisma schema is unknown".to_owned();
                return Some(cannot(first, reason, "use the tagged form `$queryRaw`"));
            };
            (sink.dialect, sink.marks) = (dialect, marks);
            sink.homes.push(in_arguments(module, call, 1, |_| false));
        }
        _ => return None,
    }
    Some(FoundSink::Sink(sink))
}

fn cannot<'a>(text: &'a Expression<'a>, reason: String, suggestion: &str) -> FoundSink<'a> {
    FoundSink::Cannot { text, reason, suggestion: suggestion.to_owned() }
}

/// `query(text, values)`, or `query({ text, values })`.
fn in_config<'a>(finder: &Finder<'_, 'a>, sink: &mut Sink<'a>, text: &str, values: &str) {
    let callback = |it: &'a Expression<'a>| is_callback(finder, it);
    if let Expression::ObjectExpression(config) = sink.text.get_inner_expression()
        && let Some(found) = property(config, text)
    {
        sink.text = &found.value;
        let apart = sink
            .call
            .arguments
            .get(1)
            .and_then(Argument::as_expression)
            .is_some_and(|it| !callback(it));
        let home = if apart {
            in_argument(finder.module, sink.call, 1, callback)
        } else {
            in_options(finder.module, config, values)
        };
        sink.homes.push(home);
        return;
    }
    sink.homes.push(in_argument(finder.module, sink.call, 1, callback));
}

/// A function, or a name that can only be one.
pub(super) fn is_callback<'a>(finder: &Finder<'_, 'a>, expression: &Expression<'a>) -> bool {
    let inner = expression.get_inner_expression();
    if inner.is_function() || finder.module.function_of(inner).is_some() {
        return true;
    }
    if let Expression::CallExpression(it) = inner
        && it
            .callee
            .as_member_expression()
            .is_some_and(|it| it.static_property_name() == Some("bind"))
    {
        return true;
    }
    finder.module.types(inner).is_only(Types::FUNCTION)
        || super::expressions::last_name(inner).is_some_and(|name| {
            words(name).iter().any(|it| {
                ["cb", "callback", "done", "next", "handler", "fn", "resolve", "reject"]
                    .contains(&it.as_str())
            })
        })
}

/// Values one by one, or in a list; a callback behind them.
fn of_sqlite3<'a>(finder: &Finder<'_, 'a>, call: &'a CallExpression<'a>) -> Home<'a> {
    let callback = |it: &'a Expression<'a>| is_callback(finder, it);
    let second = call.arguments.get(1);
    match second.and_then(Argument::as_expression) {
        None if second.is_some() => Home::Odd("its arguments use spread syntax"),
        None => in_argument(finder.module, call, 1, callback),
        Some(it) if callback(it) => in_argument(finder.module, call, 1, callback),
        Some(it) => match it.get_inner_expression() {
            Expression::ArrayExpression(_) | Expression::ObjectExpression(_) => {
                in_argument(finder.module, call, 1, callback)
            }
            it if finder.module.types(it).is_only(Types::ARRAY) => Home::Given(it),
            it if finder.module.types(it).is_only(Types::PRIMITIVE) || call.arguments.len() > 3 => {
                in_arguments(finder.module, call, 1, callback)
            }
            _ => Home::Odd("it is unclear whether its parameter is one value or a list"),
        },
    }
}

fn of_sequelize<'a>(finder: &Finder<'_, 'a>, call: &'a CallExpression<'a>) -> Home<'a> {
    let Some(options) = call.arguments.get(1) else {
        return behind_arguments(finder.module, call, "{ replacements: ", " }");
    };
    match options.as_expression().map(Expression::get_inner_expression) {
        Some(Expression::ObjectExpression(it)) if property(it, "bind").is_some() => {
            Home::Odd("its parameters are passed with `bind`")
        }
        Some(Expression::ObjectExpression(it)) => in_options(finder.module, it, "replacements"),
        _ => Home::Odd("its options are built elsewhere"),
    }
}

/// The calls that run a prepared statement.
fn executions<'a>(
    finder: &Finder<'_, 'a>,
    call: &'a CallExpression<'a>,
) -> Result<Vec<Home<'a>>, String> {
    let module = finder.module;
    match execution(finder, call.node_id.get()) {
        Execution::Run(run) => return Ok(vec![in_run(finder, run)]),
        Execution::Other(why) => return Err(why.to_owned()),
        Execution::None => {}
    }
    let AstKind::VariableDeclarator(declarator) = module.parent(call.node_id.get()) else {
        return Err("it is unknown where the prepared statement is run".to_owned());
    };
    let symbol = declarator.id.get_binding_identifier().and_then(|it| it.symbol_id.get());
    let Some(symbol) = symbol.filter(|&it| module.is_stable(it)) else {
        return Err("it is unknown where the prepared statement is run".to_owned());
    };
    let mut homes = Vec::new();
    for used in module.value_uses(symbol) {
        match execution(finder, used.node) {
            Execution::Run(run) => homes.push(in_run(finder, run)),
            Execution::None | Execution::Other(_) => {
                return Err(format!("`{}` is also used in other ways", module.name(symbol)));
            }
        }
    }
    if homes.is_empty() {
        Err("the prepared statement is not run here".to_owned())
    } else {
        Ok(homes)
    }
}

enum Execution<'a> {
    Run(&'a CallExpression<'a>),
    None,
    Other(&'static str),
}

/// `statement.run(…)`, with `pluck()` and its like between.
fn execution<'a>(finder: &Finder<'_, 'a>, mut node: NodeId) -> Execution<'a> {
    let module = finder.module;
    for _ in 0..6 {
        let member = match module.parent(node) {
            AstKind::StaticMemberExpression(it) => it,
            AstKind::TSAsExpression(_)
            | AstKind::TSNonNullExpression(_)
            | AstKind::ParenthesizedExpression(_) => {
                node = module.nodes().parent_id(node);
                continue;
            }
            _ => return Execution::None,
        };
        let id = member.node_id.get();
        let AstKind::CallExpression(call) = module.parent(id) else { return Execution::None };
        if call.callee.span() != member.span {
            return Execution::None;
        }
        match member.property.name.as_str() {
            "get" | "all" | "run" | "iterate" => return Execution::Run(call),
            "pluck" | "raw" | "expand" | "safeIntegers" | "setReadBigInts" | "setReturnArrays" => {
                node = call.node_id.get();
            }
            "bind" => return Execution::Other("its parameters are bound with `bind`"),
            _ => return Execution::Other("it is unknown where the prepared statement is run"),
        }
    }
    Execution::None
}

fn in_run<'a>(finder: &Finder<'_, 'a>, run: &'a CallExpression<'a>) -> Home<'a> {
    let module = finder.module;
    match run
        .arguments
        .first()
        .and_then(Argument::as_expression)
        .map(Expression::get_inner_expression)
    {
        Some(Expression::ObjectExpression(_)) => Home::Odd("it uses named parameters"),
        Some(Expression::ArrayExpression(_)) if run.arguments.len() == 1 => {
            in_argument(module, run, 0, |_| false)
        }
        Some(it) if run.arguments.len() == 1 && module.types(it).is_only(Types::ARRAY) => {
            Home::Given(it)
        }
        Some(it) if run.arguments.len() == 1 && !module.types(it).is_only(Types::PRIMITIVE) => {
            Home::Odd("it is unclear whether its parameter is one value or a list")
        }
        _ => in_arguments(module, run, 0, |_| false),
    }
}

fn of_wrapper<'a>(
    finder: &Finder<'_, 'a>,
    call: &'a CallExpression<'a>,
    wrapper: &Wrapper,
) -> Option<FoundSink<'a>> {
    let (text, config) = given_text(call, &wrapper.text)?;
    let mut sink = base(wrapper.driver, text, call);
    (sink.is_client_side, sink.is_prepared) = (wrapper.is_client_side, wrapper.is_prepared);
    sink.note.clone_from(&wrapper.note);
    let home = match (&wrapper.values, config) {
        (None, _) => {
            let reason = "the function that runs it does not pass on parameters".to_owned();
            return Some(cannot(
                text,
                reason,
                "make that function accept values and pass them to the driver",
            ));
        }
        (Some(Way { property: Some(key), .. }), Some(config)) => {
            in_options(finder.module, config, key)
        }
        (Some(Way { argument, property: None, is_rest: true }), _) => {
            in_arguments(finder.module, call, *argument, |_| false)
        }
        (Some(Way { argument, property: None, .. }), _) => {
            in_argument(finder.module, call, *argument, |it| is_callback(finder, it))
        }
        _ => return None,
    };
    sink.homes.push(home);
    Some(FoundSink::Sink(sink))
}

/// The text that a wrapper is given, and the object around it.
fn given_text<'a>(
    call: &'a CallExpression<'a>,
    way: &Way,
) -> Option<(&'a Expression<'a>, Option<&'a ObjectExpression<'a>>)> {
    let given = call.arguments.get(way.argument)?.as_expression()?;
    let Some(key) = &way.property else { return Some((given, None)) };
    let Expression::ObjectExpression(config) = given.get_inner_expression() else { return None };
    Some((&property(config, key)?.value, Some(&**config)))
}

/// By the schema of the package, or of the project.
fn prisma_dialect(finder: &Finder<'_, '_>) -> Option<(Dialect, Marks)> {
    let dir =
        finder.world.facts(finder.path).map(|it| it.package.dir.to_string()).unwrap_or_default();
    let dir = if dir.is_empty() { dir } else { format!("{dir}/") };
    let places = [
        format!("{dir}prisma/schema.prisma"),
        "prisma/schema.prisma".to_owned(),
        format!("{dir}schema.prisma"),
    ];
    let schema = places.iter().find_map(|it| finder.world.text(it))?;
    let line =
        schema.lines().map(str::trim).filter(|it| it.starts_with("provider")).find_map(|it| {
            ["postgresql", "postgres", "cockroachdb", "mysql", "sqlite"]
                .into_iter()
                .find(|name| it.contains(&format!("\"{name}\"")))
        })?;
    Some(match line {
        "mysql" => (Dialect::Mysql, Marks::Question),
        "sqlite" => (Dialect::Sqlite, Marks::Question),
        _ => (Dialect::Postgres, Marks::Dollar),
    })
}
