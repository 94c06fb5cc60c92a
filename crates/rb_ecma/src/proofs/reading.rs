//! READONLY-ASYNC: what is awaited only reads, so that it may begin earlier, later or not at all.

use oxc_ast::ast::{CallExpression, Expression, ObjectPropertyKind, Statement};

use super::{Outside, Purity, has_defaults, pattern_has_defaults};
use crate::functions::Func;
use crate::module::Module;
use crate::types::Types;

/// How far calls are followed: an await, the call in it and the function behind that are a step each.
const READING: u32 = 10;

impl<'a> Module<'a> {
    /// READONLY-ASYNC: what is awaited only reads, and nothing else hangs on whether it ran.
    pub fn is_readonly_async(&self, expression: &Expression<'a>, outside: Outside<'_>) -> bool {
        self.reads_only(expression, outside, READING)
    }

    fn reads_only(&self, expression: &Expression<'a>, outside: Outside<'_>, depth: u32) -> bool {
        let Some(depth) = depth.checked_sub(1) else { return false };
        match expression.get_inner_expression() {
            Expression::AwaitExpression(it) => self.reads_only(&it.argument, outside, depth),
            Expression::CallExpression(call) => self.reading_call(call, outside, depth),
            _ => false,
        }
    }

    fn reading_call(&self, call: &CallExpression<'a>, outside: Outside<'_>, depth: u32) -> bool {
        let pure_arguments = self.pure_arguments(&call.arguments, outside, depth) <= Purity::Pure1;
        if !pure_arguments {
            return false;
        }
        let callee = call.callee.get_inner_expression();
        if let Some(member) = callee.as_member_expression() {
            let Some(name) = member.static_property_name() else { return false };
            let rest = member.object();
            return match name {
                "json" | "text" if call.arguments.is_empty() => {
                    self.reads_only(self.resolved(rest), outside, depth)
                }
                "then" => {
                    self.callbacks_are_pure(name, &call.arguments, outside, depth)
                        && self.reads_only(rest, outside, depth)
                }
                "readFile" | "stat" | "readdir" | "access" => self.is_file_promises(rest),
                "findUnique" | "findFirst" | "findMany" | "count" | "aggregate"
                | "findUniqueOrThrow" | "findFirstOrThrow" => self.is_orm(rest),
                _ => false,
            };
        }
        let Expression::Identifier(name) = callee else { return false };
        let Some(symbol) = self.symbol(name) else {
            return name.name == "fetch" && self.is_plain_fetch(call);
        };
        if let Some(import) = self.import(symbol) {
            let file = ["fs/promises", "node:fs/promises"].contains(&import.source);
            return file && ["readFile", "stat", "readdir"].contains(&name.name.as_str())
                || outside(import);
        }
        self.function_of(callee).is_some_and(|func| self.is_reading_function(func, outside, depth))
    }

    /// Is it made of reads alone? For functions that other files call.
    pub fn is_reader(&self, func: Func<'a>, outside: Outside<'_>) -> bool {
        self.is_reading_function(func, outside, READING)
    }

    fn is_reading_function(&self, func: Func<'a>, outside: Outside<'_>, depth: u32) -> bool {
        if func.is_generator() || has_defaults(func) {
            return false;
        }
        let reads = |it: &Expression<'a>| {
            self.reads_only(it, outside, depth) || self.pure(it, outside, depth) <= Purity::Pure1
        };
        if let Some(value) = func.returned() {
            return self.reads_only(value, outside, depth);
        }
        let mut is_reading = false;
        let all = func.statements().iter().all(|statement| match statement {
            Statement::VariableDeclaration(it) => it.declarations.iter().all(|it| {
                !pattern_has_defaults(&it.id)
                    && it.init.as_ref().is_none_or(|init| {
                        is_reading |= self.reads_only(init, outside, depth);
                        reads(init)
                    })
            }),
            Statement::ReturnStatement(it) => it.argument.as_ref().is_none_or(|value| {
                is_reading |= self.reads_only(value, outside, depth);
                reads(value)
            }),
            _ => false,
        });
        all && is_reading
    }

    /// `fetch(u)`, without an init or with a method that only reads.
    fn is_plain_fetch(&self, call: &CallExpression<'a>) -> bool {
        // A `Request` brings its own method.
        let is_address = call
            .arguments
            .first()
            .and_then(|it| it.as_expression())
            .is_some_and(|it| self.types(it).is_only(Types::STRING));
        is_address && Self::is_reading_init(call)
    }

    fn is_reading_init(call: &CallExpression<'a>) -> bool {
        match call.arguments.get(1) {
            None => true,
            Some(init) => match init.as_expression().map(Expression::get_inner_expression) {
                Some(Expression::ObjectExpression(object)) => {
                    object.properties.iter().all(|property| match property {
                        ObjectPropertyKind::SpreadProperty(_) => false,
                        ObjectPropertyKind::ObjectProperty(it) => {
                            if it.key.is_specific_static_name("method") {
                                matches!(&it.value, Expression::StringLiteral(text)
                                    if ["GET", "HEAD"].contains(&text.value.as_str()))
                            } else {
                                !it.key.is_specific_static_name("body")
                                    && !it.key.is_specific_static_name("signal")
                            }
                        }
                    })
                }
                _ => false,
            },
        }
    }

    fn is_file_promises(&self, object: &Expression<'a>) -> bool {
        if let Expression::StaticMemberExpression(member) = object.get_inner_expression() {
            return member.property.name == "promises"
                && self.is_import_of(&member.object, &["fs", "node:fs"]);
        }
        self.is_import_of(object, &["fs/promises", "node:fs/promises"])
            || matches!(self.export_name(object, "fs"), Some("promises"))
            || matches!(self.export_name(object, "node:fs"), Some("promises"))
    }

    fn is_import_of(&self, object: &Expression<'a>, sources: &[&str]) -> bool {
        let import = self.symbol_of(object).and_then(|it| self.import(it));
        import.is_some_and(|it| sources.contains(&it.source))
    }

    /// `db.user`, `prisma.order`: a client that is imported or kept at the top of the file. What a function is handed may be
    /// a transaction.
    fn is_orm(&self, object: &Expression<'a>) -> bool {
        const CLIENTS: &[&str] = &["prisma", "db", "database", "client", "orm"];
        let Expression::StaticMemberExpression(member) = object.get_inner_expression() else {
            return false;
        };
        let Some(name) = member.object.get_inner_expression().get_identifier_reference() else {
            return false;
        };
        self.symbol(name).is_some_and(|symbol| {
            CLIENTS.contains(&name.name.to_lowercase().as_str()) && self.is_top_level(symbol)
        })
    }
}
