//! Which entries of the project call a function: the components of a route, handlers, actions.
//!
//! Files that import the function's file are looked at, each but once for all who ask; those that get it through a barrel are
//! not: too few callers is the safe side for all who ask.

use std::sync::Arc;

use oxc_ast::ast::{CallExpression, Expression};
use oxc_semantic::SymbolId;
use oxc_span::GetSpan;
use rb_ecma::{Imported, Module};

use super::entries::{EntryKind, entries};
use super::names::calls_in;
use crate::cx::Cx;
use crate::facts::{Facts, FileKind, Route};
use crate::world::Target;

/// An entry that calls the function.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Caller {
    pub(super) path: String,
    pub(super) route: Option<Route>,
    pub(super) kind: EntryKind,
    pub(super) entry: String,
    /// What it is called with, as far as two calls can be told to be alike.
    pub(super) arguments: Option<String>,
}

/// A call of something that is imported.
struct Outward {
    source: String,
    name: String,
    caller: Caller,
}

/// Everybody who calls what the file binds to `symbol`, and exports as `exported`.
pub(super) fn callers(
    cx: &Cx<'_, '_>,
    symbol: Option<SymbolId>,
    exported: Option<&str>,
) -> Vec<Caller> {
    let mut found = Vec::new();
    let path = &*cx.facts.path;
    if let Some(symbol) = symbol {
        let own = entry_calls(cx.module, cx.facts, &|call| {
            (cx.module.symbol_of(&call.callee) == Some(symbol)).then_some(())
        });
        found.extend(own.into_iter().map(|((), caller)| caller));
    }
    let Some(name) = exported else { return found };
    for importer in cx.world.importers(path) {
        let Some(facts) = cx.world.facts(&importer) else { continue };
        if facts.kind != FileKind::Source || importer == path {
            continue;
        }
        let there = cx
            .world
            .ask("calls of entries", &importer, "", |module| Arc::new(outward(module, &facts)));
        let leads_here = |it: &&Outward| {
            it.name == name
                && cx.world.resolve(&importer, &it.source) == Target::File(path.to_owned())
        };
        let there = there.unwrap_or_default();
        found.extend(there.iter().filter(leads_here).map(|it| it.caller.clone()));
    }
    found
}

fn outward(module: &Module<'_>, facts: &Facts) -> Vec<Outward> {
    let calls = entry_calls(module, facts, &|call| {
        let import = module.import(module.symbol_of(&call.callee)?)?;
        let name = match import.imported {
            Imported::Default => "default",
            Imported::Named(name) => name,
            Imported::Namespace => return None,
        };
        Some((import.source.to_owned(), name.to_owned()))
    });
    calls.into_iter().map(|((source, name), caller)| Outward { source, name, caller }).collect()
}

fn entry_calls<'a, T>(
    module: &Module<'a>,
    facts: &Facts,
    pick: &dyn Fn(&CallExpression<'a>) -> Option<T>,
) -> Vec<(T, Caller)> {
    let mut found = Vec::new();
    for entry in entries(facts, module) {
        for call in calls_in(module, entry.func.span()) {
            let Some(picked) = pick(call) else { continue };
            let caller = Caller {
                path: facts.path.to_string(),
                route: facts.route,
                kind: entry.kind,
                entry: entry.name.to_owned(),
                arguments: arguments(module, call),
            };
            found.push((picked, caller));
        }
    }
    found
}

/// `f(params.slug)` and `f(slug)` are taken for alike: both ask for the slug.
fn arguments<'a>(module: &Module<'a>, call: &CallExpression<'a>) -> Option<String> {
    let mut shown = Vec::new();
    for argument in &call.arguments {
        let text = match argument.as_expression()?.get_inner_expression() {
            Expression::Identifier(it) => it.name.to_string(),
            Expression::StaticMemberExpression(it) => it.property.name.to_string(),
            it @ (Expression::StringLiteral(_)
            | Expression::NumericLiteral(_)
            | Expression::BooleanLiteral(_)) => module.slice(it.span()).to_owned(),
            _ => return None,
        };
        shown.push(text);
    }
    Some(shown.join(", "))
}
