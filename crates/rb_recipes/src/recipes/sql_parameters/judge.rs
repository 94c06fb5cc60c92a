//! What becomes of each hole: a parameter, or nothing, and why.
//!
//! A parameter has to mean what the text meant for every ordinary value. Where SQL saw a number and the driver may now see a
//! text, the place decides: beside a column the database converts, elsewhere it does not.

use oxc_ast::ast::Expression;
use oxc_span::GetSpan;
use rb_ecma::{Types, words};

use super::driver::{Dialect, Driver};
use super::expressions::{
    escaped_by_driver, escapes_by_name, is_constant, is_marks, is_named_sql, is_surely_sql,
    last_name, quotes_name,
};
use super::handles::Finder;
use super::lexer::Kind;
use super::lists;
use super::outside;
use super::position::{How, Position, Spot};
use super::sink::Sink;
use super::text::SqlText;
use crate::plan::one_line;

pub(super) struct Case<'c, 'a> {
    pub(super) finder: &'c Finder<'c, 'a>,
    pub(super) sink: &'c Sink<'a>,
    pub(super) text: &'c SqlText<'a>,
}

/// How the parameter is written into the text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Mark {
    One,
    /// `$1::interval`
    Typed(String),
    /// `= ANY($1)`, `<> ALL($1)`
    Any {
        negated: bool,
    },
    /// Code that gives as many marks as there are values.
    Many(String),
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Verdict {
    /// These bytes of the text become a mark.
    Parameter {
        from: usize,
        to: usize,
        mark: Mark,
        value: String,
        note: Option<&'static str>,
    },
    /// Marks that are there already, or constants.
    Harmless,
    Left {
        reason: String,
        suggestion: String,
    },
}

/// The code of a value, and what is to be said of it.
pub(super) type Given = (String, Option<&'static str>);

pub(super) fn left(reason: impl Into<String>, suggestion: impl Into<String>) -> Verdict {
    Verdict::Left { reason: reason.into(), suggestion: suggestion.into() }
}

impl<'a> Case<'_, 'a> {
    pub(super) fn verdict(&self, spot: &Spot) -> Verdict {
        let token = spot.token;
        let holes: Vec<&'a Expression<'a>> =
            self.text.holes_within(token.start, token.end).map(|it| it.expression).collect();
        let Some(first) = holes.first().copied() else { return Verdict::Harmless };
        let module = self.finder.module;
        if holes
            .iter()
            .all(|it| is_constant(self.finder, it) || is_marks(module, it) || quotes_name(it))
        {
            return Verdict::Harmless;
        }
        let before = self.text.flat[..token.start].chars().next_back();
        if token.kind == Kind::Hole && matches!(before, Some('$' | ':' | '@')) {
            // A mark whose number or name is computed.
            return Verdict::Harmless;
        }
        let code = one_line(module.slice(oxc_span::GetSpan::span(first)));
        let (how, cast) = match &spot.position {
            // The author says that it is quoted already.
            Position::Not(_) if is_quoted_by_name(first) => return Verdict::Harmless,
            Position::Not(what) => return not_a_value(&code, what),
            Position::Value { how, cast } => (how, *cast || matches!(how, How::Typed { .. })),
        };
        if let How::List { from, to, negated } = how {
            let is_quoted = token.kind != Kind::Hole;
            return lists::verdict(self, spot, first, is_quoted, (*from, *to, *negated));
        }
        let found = match token.kind {
            Kind::Hole => self.bare(first, how, cast, &code),
            _ => self.quoted(spot, &holes, how, cast),
        };
        let (value, note) = match found {
            Ok(found) => found,
            Err((reason, suggestion)) => return left(reason, suggestion),
        };
        let (from, mark) = match how {
            How::Typed { from, name } => (*from, Mark::Typed(name.clone())),
            _ => (token.start, Mark::One),
        };
        Verdict::Parameter { from, to: token.end, mark, value, note }
    }

    /// A hole without quotes around it.
    fn bare(
        &self,
        hole: &'a Expression<'a>,
        how: &How,
        cast: bool,
        code: &str,
    ) -> Result<Given, (String, String)> {
        let module = self.finder.module;
        if let Some(inner) = escaped_by_driver(self.finder, hole) {
            return Ok((module.code(inner), None));
        }
        let types = module.types(hole);
        let is_number = types.is_only(Types::NUMBER | Types::BIGINT);
        let is_outside = outside::source(self.finder, hole.span()).is_some();
        if let Some(refused) = refused(hole, types, code, how, is_outside) {
            return Err(refused);
        }
        if *how == How::Limit && !is_number && self.takes_only_numbers() {
            return Ok((format!("Number({})", module.code(hole)), None));
        }
        self.bare_at(how, cast, is_number)
            .map_err(|(reason, suggestion)| (reason.replace("{}", code), suggestion))?;
        let has_no_booleans = matches!(self.sink.driver, Driver::BetterSqlite | Driver::NodeSqlite);
        if !has_no_booleans || types.is_known() && !types.includes(Types::BOOLEAN) {
            return Ok((module.code(hole), None));
        }
        if types.is_known() {
            return Ok((format!("Number({})", module.code(hole)), None));
        }
        if is_yes_or_no(hole) {
            let driver = self.sink.driver.name();
            return Err((
                format!("`{code}` may be a boolean, which {driver} does not accept"),
                format!("pass `Number({code})` if it is one"),
            ));
        }
        Ok((module.code(hole), None))
    }

    /// Does `LIMIT` take no text, and the driver a parameter there?
    fn takes_only_numbers(&self) -> bool {
        self.sink.dialect == Dialect::Mysql && !self.sink.is_prepared
    }

    /// May a value without quotes be a parameter here, though it may come as a text?
    fn bare_at(&self, how: &How, cast: bool, is_number: bool) -> Result<(), (String, String)> {
        let dialect = self.sink.dialect;
        if self.sink.driver == Driver::Prisma && dialect == Dialect::Postgres && !is_number && !cast
        {
            return typed(
                "`{}` may be a string, which Prisma does not compare with a column of another type",
            );
        }
        match (how, dialect) {
            (How::Limit, Dialect::Mysql) if self.sink.is_prepared => {
                typed("MySQL accepts no parameter for `LIMIT` in a prepared statement")
            }
            (How::Limit, Dialect::Mysql | Dialect::Any) if !is_number => {
                typed("`{}` may be a string, which `LIMIT` does not accept")
            }
            (
                How::Compare { column: true }
                | How::Stored
                | How::Element
                | How::List { .. }
                | How::Limit,
                _,
            ) => Ok(()),
            _ if cast => Ok(()),
            (How::Compare { .. }, Dialect::Mysql | Dialect::Postgres)
            | (How::Argument(_) | How::Computed(_), Dialect::Mysql) => Ok(()),
            (How::Computed(operator), Dialect::Postgres)
                if matches!(operator.as_str(), "+" | "-" | "||") =>
            {
                Ok(())
            }
            (How::Argument(name), Dialect::Postgres) if is_typed_function(name) => Ok(()),
            (_, Dialect::Postgres) => typed("Postgres cannot infer the type of `{}` here"),
            (How::Computed(operator), Dialect::Sqlite)
                if matches!(operator.as_str(), "/" | "%" | "||") =>
            {
                typed("`{}` is used in integer arithmetic, but the driver may pass a fraction")
            }
            (_, Dialect::Sqlite | Dialect::Mysql) if is_number => Ok(()),
            _ => typed("`{}` may be a string, but the statement now contains a number"),
        }
    }
}

fn typed(why: &str) -> Result<(), (String, String)> {
    let suggestion = "convert it to a number first, or add a cast to the statement";
    Err((why.to_owned(), suggestion.to_owned()))
}

/// Why what stands without quotes is surely no plain value.
fn refused(
    hole: &Expression<'_>,
    types: Types,
    code: &str,
    how: &How,
    is_outside: bool,
) -> Option<(String, String)> {
    let is_number = types.is_only(Types::NUMBER | Types::BIGINT);
    // Behind `column =` stands a value, whatever its name, unless the name says nothing but SQL.
    let is_value = matches!(
        how,
        How::Compare { column: true } | How::Stored | How::Limit | How::Element | How::List { .. }
    );
    let is_sql = if is_value { is_surely_sql(hole) } else { is_named_sql(hole) };
    if !is_number && ((is_sql && !is_outside) || escapes_by_name(hole)) {
        return Some((
            format!("by its name, `{code}` is an SQL fragment"),
            "write placeholders where the fragment is built, and pass its values along".to_owned(),
        ));
    }
    match hole.get_inner_expression() {
        Expression::LogicalExpression(it) if is_outside && is_value && is_plain(&it.right) => {}
        Expression::ConditionalExpression(_)
        | Expression::LogicalExpression(_)
        | Expression::TemplateLiteral(_)
            if !is_number =>
        {
            return Some((
                format!("`{code}` may be an SQL fragment, not a value"),
                "compute the value first, separately from the SQL string".to_owned(),
            ));
        }
        Expression::CallExpression(_) if !is_number && !is_plain_call(hole) => {
            return Some((
                format!("`{code}` may return an SQL fragment, not a value"),
                "pass its result as a parameter if it is a value".to_owned(),
            ));
        }
        _ => {}
    }
    let objects = Types::OBJECT | Types::ARRAY | Types::FUNCTION | Types::PROMISE;
    (types.is_known() && types.includes(objects)).then(|| {
        (
            format!("`{code}` is an object, which the driver would not convert to the same string"),
            "pass the member that is the value".to_owned(),
        )
    })
}

/// A number, or something that is no text written here: text without quotes around it would be SQL.
fn is_plain(value: &Expression<'_>) -> bool {
    match value.get_inner_expression() {
        Expression::StringLiteral(it) => it.value.parse::<f64>().is_ok(),
        Expression::TemplateLiteral(_) | Expression::ConditionalExpression(_) => false,
        _ => true,
    }
}

/// `isOpen`, `row.done`, `!x`
fn is_yes_or_no(hole: &Expression<'_>) -> bool {
    const FIRST: &[&str] = &["is", "has", "can", "should", "was", "did"];
    const LAST: &[&str] = &[
        "active",
        "archived",
        "bool",
        "boolean",
        "checked",
        "complete",
        "completed",
        "deleted",
        "disabled",
        "done",
        "enabled",
        "flag",
        "hidden",
        "open",
        "private",
        "public",
        "published",
        "read",
        "verified",
        "visible",
    ];
    if matches!(hole.get_inner_expression(), Expression::UnaryExpression(it) if it.operator.is_not())
    {
        return true;
    }
    let words = last_name(hole).map(words).unwrap_or_default();
    let is_in =
        |it: Option<&String>, list: &[&str]| it.is_some_and(|it| list.contains(&it.as_str()));
    words.len() > 1 && is_in(words.first(), FIRST) || is_in(words.last(), LAST)
}

fn is_quoted_by_name(hole: &Expression<'_>) -> bool {
    last_name(hole).is_some_and(|it| words(it).iter().any(|it| it == "quoted" || it == "escaped"))
}

fn not_a_value(code: &str, what: &str) -> Verdict {
    let it = if code.chars().count() > 40 { "it".to_owned() } else { format!("`{code}`") };
    let suggestion = if what.contains("name") || what.contains("sort") || what.contains("column") {
        format!("look {it} up in a list of allowed names, and use the name from the list")
    } else {
        format!(
            "rewrite the statement so that {it} is a value, or take it from a list of allowed strings"
        )
    };
    left(format!("`{code}` is {what}, which cannot be a parameter"), suggestion)
}

/// Calls that give a number or a value of their receiver: no function of the project, which could give SQL.
fn is_plain_call(hole: &Expression<'_>) -> bool {
    let Expression::CallExpression(call) = hole.get_inner_expression() else { return false };
    match call.callee.get_inner_expression() {
        Expression::Identifier(it) => {
            matches!(it.name.as_str(), "Number" | "parseInt" | "parseFloat" | "BigInt" | "String")
        }
        Expression::StaticMemberExpression(it) => {
            matches!(
                it.property.name.as_str(),
                "getTime" | "valueOf" | "now" | "toString" | "toFixed" | "trim" | "length"
            ) || matches!(&it.object, Expression::Identifier(it) if it.name == "Math" || it.name == "Number")
        }
        _ => false,
    }
}

/// Functions of Postgres with one type for the argument, and `CAST`, which says it.
fn is_typed_function(name: &str) -> bool {
    matches!(
        name,
        "CAST"
            | "PG_CANCEL_BACKEND"
            | "PG_TERMINATE_BACKEND"
            | "PG_SLEEP"
            | "PG_ADVISORY_LOCK"
            | "PG_ADVISORY_UNLOCK"
            | "PG_ADVISORY_XACT_LOCK"
            | "TO_TIMESTAMP"
            | "COALESCE"
            | "NULLIF"
    )
}
