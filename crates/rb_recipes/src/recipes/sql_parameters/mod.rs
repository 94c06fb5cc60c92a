//! `sql-parameters`: values that are written into SQL become parameters of the driver.
//!
//! A site is a hole in a text that is given to a known driver. Names, tables and pieces of SQL are never made parameters; a
//! text whose driver is not known is reported and left.

mod builder;
mod code;
mod driver;
mod expressions;
mod fields;
mod handles;
mod home;
mod judge;
mod lexer;
mod lists;
mod outside;
mod position;
mod quoted;
mod replace;
mod sink;
mod statement;
mod text;
mod wrapper;

use oxc_ast::AstKind;
use oxc_ast::ast::Expression;
use oxc_semantic::NodeId;
use oxc_span::{GetSpan, Span};
use rb_ecma::Module;
use rb_rules::FileKind;

use self::handles::Finder;
pub use self::outside::OPEN_INJECTION;
use self::sink::FoundSink;
use self::statement::Outcome;
use crate::plan::{Chain, Left, Plan, Site, one_line};
use crate::recipe::{Doc, DocLanguage, PlanError, Planning, Recipe};

pub static RECIPE: Recipe = Recipe {
    id: "sql-parameters",
    title: "Pass SQL values as query parameters",
    doc: Doc {
        language: DocLanguage::JavaScript,
        what: "Values inside the text of a statement are passed as parameters of the driver, for pg, pg-promise, \
               mysql, mysql2, better-sqlite3, sqlite3, node:sqlite, knex, sequelize, Prisma and postgres.",
        before: "db.get(`SELECT * FROM users WHERE name = '${name}'`)",
        after: "db.get('SELECT * FROM users WHERE name = ?', [name])",
        safe: "The driver is known, the value is at a place where SQL takes one, and the database reads the \
               parameter as it read the text.",
        leaves: "Names, tables, sort orders, SQL fragments, lists that may be empty, and statements whose driver is \
                 unknown. A site that outside data reaches (requests, arguments, the environment, messages) is \
                 listed first, as an open SQL injection.",
    },
    wants: WANTS,
    needs: &[],
    takes: &[],
    plan,
};

const WANTS: &[&str] = &[
    "SELECT", "select ", "INSERT", "insert ", "UPDATE", "update ", "DELETE", "delete ", "Raw",
    "raw(",
];

const KINDS: &[FileKind] = &[FileKind::Source, FileKind::Script, FileKind::Config];

fn plan(planning: &Planning<'_>) -> Result<Plan, PlanError> {
    let files = planning.files(KINDS, WANTS)?;
    let found = planning.over_modules(&files, |path, module| {
        Reading {
            planning,
            path,
            module,
            plan: Plan::default(),
            seen: Vec::new(),
            lists: Vec::new(),
        }
        .read()
    })?;
    let mut plan = Plan::default();
    for (_, one) in found {
        plan.chains.extend(one.chains);
        plan.left.extend(one.left);
    }
    Ok(plan)
}

/// One file.
struct Reading<'r, 'a> {
    planning: &'r Planning<'r>,
    path: &'r str,
    module: &'r Module<'a>,
    plan: Plan,
    /// Texts that belong to a known driver.
    seen: Vec<Span>,
    /// Functions in which a list of values has got a name.
    lists: Vec<Span>,
}

impl<'r, 'a> Reading<'r, 'a> {
    fn finder(&self) -> Finder<'r, 'a> {
        Finder { world: self.planning.world, path: self.path, module: self.module }
    }

    fn read(mut self) -> Plan {
        let finder = self.finder();
        for call in self.module.calls() {
            match sink::find(&finder, call) {
                Some(FoundSink::Sink(mut sink)) => {
                    sink.list = self.list_name(call.node_id.get());
                    self.statement(&finder, &sink);
                }
                Some(FoundSink::Cannot { text, reason, suggestion }) => {
                    self.cannot(text, &reason, &suggestion);
                }
                None => {}
            }
        }
        self.unknown();
        self.plan
    }

    fn statement(&mut self, finder: &Finder<'_, 'a>, sink: &sink::Sink<'a>) {
        if let Some((outcome, seen)) = builder::convert(finder, sink) {
            self.seen.extend(seen);
            self.note(sink, outcome);
            return;
        }
        let Some(text) = text::read(self.module, sink.text) else { return };
        self.see(sink.text, &text);
        if text.holes.is_empty() {
            return;
        }
        if text.flat.chars().count() == 1 {
            self.shared(sink.text);
            return;
        }
        let outcome = statement::convert(finder, sink, &text);
        self.note(sink, outcome);
    }

    /// A constant text that is not made for this one statement.
    fn shared(&mut self, name: &'a Expression<'a>) {
        let Some(symbol) = self.module.symbol_of(name) else { return };
        let Some(init) = self.module.initializer(symbol) else { return };
        let Some(text) = text::read(self.module, init) else { return };
        if !text::is_text(init)
            || self.seen.contains(&init.span())
            || !statement::holds_values(&self.finder(), &text)
        {
            return;
        }
        self.seen.push(init.span());
        let name = self.module.name(symbol);
        let reason = if self.module.is_top_level(symbol) {
            format!("`{name}` is created once for the whole file")
        } else {
            format!("`{name}` is also used in other ways")
        };
        let suggestion = "write the statement where it is run, and pass the values there";
        self.leave(init.span(), reason, suggestion.to_owned());
    }

    /// A name for a list of values that no other list around has got.
    fn list_name(&self, node: NodeId) -> String {
        let here = self.function(node);
        let others =
            self.lists.iter().filter(|it| it.start < here.end && here.start < it.end).count();
        if others == 0 { "params".to_owned() } else { format!("params{}", others + 1) }
    }

    fn function(&self, node: NodeId) -> Span {
        self.module.function_around(node).map_or(self.module.program().span, rb_ecma::Func::span)
    }

    fn see(&mut self, expression: &'a Expression<'a>, text: &text::SqlText<'a>) {
        self.seen.push(expression.span());
        let through = text.through.iter().filter_map(|it| self.module.initializer(*it));
        self.seen.extend(through.map(GetSpan::span));
    }

    fn note(&mut self, sink: &sink::Sink<'a>, outcome: Outcome) {
        for (span, reason, suggestion) in outcome.left {
            self.leave(span, reason, suggestion);
        }
        if outcome.edits.is_empty() {
            return;
        }
        if outcome.is_named {
            self.lists.push(self.function(sink.call.node_id.get()));
        }
        let line = self.module.line(sink.call.span.start);
        let count = outcome.converted;
        let values = if count == 1 { "1 value".to_owned() } else { format!("{count} values") };
        let what = one_line(self.module.slice(sink.call.callee.span()));
        let mut chain = Chain {
            title: format!("`{what}`: {values} moved to {} parameters", sink.driver.name()),
            sites: vec![Site {
                path: self.path.to_owned(),
                line,
                what: format!("{values} in the SQL string of `{what}`"),
            }],
            notes: outcome.notes,
            ..Chain::default()
        };
        chain.notes.dedup();
        for edit in outcome.edits {
            chain.edit(self.path, edit);
        }
        self.plan.chains.push(chain);
    }

    fn cannot(&mut self, expression: &'a Expression<'a>, reason: &str, suggestion: &str) {
        let Some(text) = text::read(self.module, expression) else { return };
        self.see(expression, &text);
        if statement::holds_values(&self.finder(), &text) {
            self.leave(expression.span(), reason.to_owned(), suggestion.to_owned());
        }
    }

    /// Statements with values in them that no known driver is given.
    fn unknown(&mut self) {
        for node in self.module.nodes().iter() {
            let (span, parent) = match node.kind() {
                AstKind::TemplateLiteral(it) => (it.span, self.module.parent(node.id())),
                AstKind::BinaryExpression(it) => (it.span, self.module.parent(node.id())),
                _ => continue,
            };
            let is_part = matches!(
                parent,
                AstKind::BinaryExpression(_)
                    | AstKind::TemplateLiteral(_)
                    | AstKind::TaggedTemplateExpression(_)
            );
            let is_seen = self.seen.iter().any(|it| it.start <= span.start && span.end <= it.end);
            if is_part || is_seen {
                continue;
            }
            let Some(expression) = expression_of(parent, span) else { continue };
            let Some(text) = text::read(self.module, expression) else { continue };
            if statement::is_template_or_sum(expression.get_inner_expression())
                && statement::holds_values(&self.finder(), &text)
            {
                let (reason, suggestion) = self.nobody();
                self.leave(span, reason, suggestion.to_owned());
            }
        }
    }

    /// Why it is not known who runs a statement.
    fn nobody(&self) -> (String, &'static str) {
        match self.other_driver() {
            Some(other) => (
                format!("`{other}` is not a supported driver"),
                "pass the values as parameters by hand",
            ),
            None => (
                "the driver of the statement is unknown".to_owned(),
                "declare the type of the driver, or pass the values as parameters by hand",
            ),
        }
    }

    /// A driver that the file loads and that nothing is known of.
    fn other_driver(&self) -> Option<&'static str> {
        const OTHERS: &[&str] = &[
            "mssql",
            "tedious",
            "oracledb",
            "cassandra-driver",
            "snowflake-sdk",
            "mariadb",
            "@libsql/client",
            "@clickhouse/client",
            "duckdb",
            "sql.js",
            "typeorm",
            "expo-sqlite",
            "@vercel/postgres",
            "slonik",
        ];
        let links = crate::links::links(self.planning.world, self.path)?;
        OTHERS.iter().copied().find(|other| links.imports.iter().any(|it| it.specifier == *other))
    }

    fn leave(&mut self, span: Span, reason: String, suggestion: String) {
        let place = self.module.place(span.start);
        let reason = match outside::source(&self.finder(), span) {
            Some(code) => format!(
                "{OPEN_INJECTION}`{code}` reaches the query in {}:{}; {reason}",
                self.path, place.line
            ),
            None => reason,
        };
        self.plan.left.push(Left {
            path: self.path.to_owned(),
            line: place.line,
            column: place.column,
            code: one_line(self.module.slice(span)),
            reason,
            suggestion,
            through: Vec::new(),
        });
    }
}

/// The expression of these bytes under a node.
fn expression_of<'a>(parent: AstKind<'a>, span: Span) -> Option<&'a Expression<'a>> {
    let is_it = |it: &&'a Expression<'a>| it.span() == span;
    match parent {
        AstKind::VariableDeclarator(it) => it.init.as_ref().filter(is_it),
        AstKind::CallExpression(it) => {
            it.arguments.iter().filter_map(|it| it.as_expression()).find(is_it)
        }
        AstKind::NewExpression(it) => {
            it.arguments.iter().filter_map(|it| it.as_expression()).find(is_it)
        }
        AstKind::ReturnStatement(it) => it.argument.as_ref().filter(is_it),
        AstKind::ExpressionStatement(it) => Some(&it.expression).filter(is_it),
        AstKind::AssignmentExpression(it) => Some(&it.right).filter(is_it),
        AstKind::ObjectProperty(it) => Some(&it.value).filter(is_it),
        AstKind::ConditionalExpression(it) => {
            [&it.consequent, &it.alternate].into_iter().find(is_it)
        }
        _ => None,
    }
}

#[cfg(test)]
mod by_driver;
#[cfg(test)]
mod injections;
#[cfg(test)]
mod tests;
#[cfg(test)]
mod traps;
