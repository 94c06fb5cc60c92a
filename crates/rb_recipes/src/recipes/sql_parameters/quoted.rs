//! Values between quotes: the text that they are a part of, or all of, becomes one parameter.

use oxc_ast::ast::Expression;
use oxc_span::GetSpan;
use rb_ecma::{Types, words};

use super::driver::{Dialect, Driver};
use super::expressions::{escapes_by_name, last_name, unquoted};
use super::judge::{Case, Given};
use super::lexer::HOLE;
use super::position::{How, Spot};
use crate::plan::one_line;

impl<'a> Case<'_, 'a> {
    /// A text with holes in it.
    pub(super) fn quoted(
        &self,
        spot: &Spot,
        holes: &[&'a Expression<'a>],
        how: &How,
        cast: bool,
    ) -> Result<Given, (String, String)> {
        self.quoted_at(how, cast, holes[0])?;
        let module = self.finder.module;
        let inner = &self.text.flat[spot.token.start + 1..spot.token.end - 1];
        let backslashes = self.sink.dialect == Dialect::Mysql;
        if backslashes && inner.contains('\\') {
            return Err((
                "MySQL interprets a backslash in the string".to_owned(),
                "pass the whole string as a parameter".to_owned(),
            ));
        }
        let bare: Vec<_> = holes.iter().map(|it| unquoted(it, backslashes).unwrap_or(it)).collect();
        for (hole, bare) in holes.iter().zip(&bare) {
            if bare.span() == hole.span() && escapes_by_name(hole) && !is_stringify(hole) {
                let code = one_line(module.slice(hole.span()));
                return Err((
                    format!("`{code}` escapes the value for use between quotes"),
                    "pass the unescaped value".to_owned(),
                ));
            }
        }
        if inner.chars().eq([HOLE]) {
            return Ok((self.whole(bare[0]), self.nothing(spot, bare[0], how)));
        }
        let quote = &self.text.flat[spot.token.start..=spot.token.start];
        Ok((self.template(&inner.replace(&quote.repeat(2), quote), &bare), None))
    }

    /// A text with holes in it, as code.
    fn template(&self, inner: &str, holes: &[&'a Expression<'a>]) -> String {
        let module = self.finder.module;
        let mut holes = holes.iter();
        let mut template = String::from("`");
        for character in inner.chars() {
            match character {
                HOLE => {
                    let hole = holes.next().map_or("", |it| module.slice(it.span()));
                    template.extend(["${", hole, "}"]);
                }
                '`' | '\\' => template.extend(['\\', character]),
                '$' => template.push_str("\\$"),
                '\n' => template.push_str("\\n"),
                '\r' => template.push_str("\\r"),
                other => template.push(other),
            }
        }
        template.push('`');
        template
    }

    /// A value that is all of a text: it was turned into one.
    fn whole(&self, hole: &'a Expression<'a>) -> String {
        let module = self.finder.module;
        let types = module.types(hole);
        let code = module.code(hole);
        let is_text = !types.is_known() || types.without(Types::NULLISH).is_only(Types::STRING);
        let is_as_it_was = match self.sink.driver {
            // It is sent as a text, and the server makes of it what the column wants.
            Driver::Pg => is_text || types.is_only(Types::NUMBER | Types::STRING | Types::BIGINT),
            // A number is written without quotes, which a column of texts is not compared with.
            Driver::PgPromise => types.is_only(Types::STRING),
            _ => is_text,
        };
        if is_as_it_was { code } else { format!("String({code})") }
    }

    /// What is another now for a value that is not there. Compared for equality, nothing was found and nothing is.
    fn nothing(&self, spot: &Spot, hole: &'a Expression<'a>, how: &How) -> Option<&'static str> {
        if self.sink.driver == Driver::PgPromise {
            return None;
        }
        let types = self.finder.module.types(hole);
        let may_lack = !types.is_known()
            || types.includes(Types::NULLISH)
                && types.without(Types::NULLISH).is_only(Types::STRING);
        let before = self.text.flat[..spot.token.start].trim_end().to_ascii_uppercase();
        let is_negated =
            ["<>", "!=", "NOT LIKE", "NOT ILIKE"].iter().any(|it| before.ends_with(it));
        let is_compared = matches!(how, How::Compare { .. } | How::Element) && !is_negated;
        let refuses_undefined = match self.sink.driver {
            Driver::NodeSqlite | Driver::PostgresJs | Driver::Knex => true,
            Driver::Mysql2 => self.sink.is_prepared,
            Driver::Pg
            | Driver::Mysql
            | Driver::BetterSqlite
            | Driver::Sqlite3
            | Driver::Sequelize
            | Driver::PgPromise
            | Driver::Prisma => false,
        };
        match (may_lack, refuses_undefined) {
            (true, true) => Some(
                "`null` is now passed as NULL and `undefined` is rejected; both were written as strings before",
            ),
            (true, false) if !is_compared => Some(
                "`null` and `undefined` are now passed as NULL; before, they were the strings 'null' and 'undefined'",
            ),
            _ => None,
        }
    }

    fn quoted_at(
        &self,
        how: &How,
        cast: bool,
        hole: &'a Expression<'a>,
    ) -> Result<(), (String, String)> {
        if self.sink.dialect != Dialect::Postgres {
            return Ok(());
        }
        let untyped =
            |why: String| Err((why, "add a cast after the parameter, such as `::text`".to_owned()));
        match how {
            How::Argument(name) if !cast && takes_anything(name) => {
                return untyped(format!(
                    "Postgres cannot infer the type of a parameter of `{}`",
                    name.to_lowercase()
                ));
            }
            _ => {}
        }
        match self.sink.driver {
            Driver::Prisma if !cast => untyped(
                "Prisma sends strings as text, which Postgres does not compare with other types"
                    .to_owned(),
            ),
            Driver::PostgresJs if is_stringify(hole) || is_date_like(hole) => untyped(
                "postgres converts the value to the type of the column, which may change it"
                    .to_owned(),
            ),
            _ => Ok(()),
        }
    }
}

fn is_stringify(hole: &Expression<'_>) -> bool {
    last_name(hole) == Some("stringify")
}

fn is_date_like(hole: &Expression<'_>) -> bool {
    const WORDS: &[&str] = &[
        "date",
        "time",
        "timestamp",
        "at",
        "day",
        "since",
        "until",
        "from",
        "to",
        "start",
        "end",
        "now",
    ];
    last_name(hole)
        .is_some_and(|it| words(it).last().is_some_and(|it| WORDS.contains(&it.as_str())))
}

/// Functions of Postgres that take a value of any type.
fn takes_anything(name: &str) -> bool {
    matches!(
        name,
        "CONCAT"
            | "CONCAT_WS"
            | "FORMAT"
            | "JSON_BUILD_OBJECT"
            | "JSONB_BUILD_OBJECT"
            | "JSON_BUILD_ARRAY"
            | "JSONB_BUILD_ARRAY"
            | "TO_JSON"
            | "TO_JSONB"
            | "NUM_NULLS"
            | "NUM_NONNULLS"
            | "ARRAY_AGG"
            | "PG_TYPEOF"
    )
}
