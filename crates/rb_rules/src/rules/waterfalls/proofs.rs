//! What has to be so before a read may start earlier, later, or not at all.
//!
//! READONLY-ASYNC is the ground. On top of it: what a function reads from around itself stays what it is, and what starts a
//! call can neither throw nor be another value a moment later.

use oxc_ast::ast::{
    ArrayExpressionElement, CallExpression, Expression, ObjectPropertyKind, Statement,
    TemplateLiteral,
};
use oxc_semantic::NodeId;
use oxc_span::{GetSpan, Span};
use rb_ecma::{Func, Imported, Module, Types};

use super::names::{Sort, sort};
use crate::cx::Cx;
use crate::exports::exported_function;
use crate::world::{Target, World};

/// How far calls are followed.
const DEPTH: u32 = 3;

/// Why it is not proved that an awaited call only reads; `None` where it is.
pub fn doubt_of_read<'a>(cx: &Cx<'_, 'a>, awaited: &'a Expression<'a>) -> Option<String> {
    let code = || shown(cx.module, awaited.span());
    match sort(cx, awaited) {
        Sort::Read => {}
        Sort::Gate | Sort::Identity => {
            return Some(format!("`{}` may guard the code after it", code()));
        }
        Sort::Prefetch | Sort::Cheap | Sort::Other => {
            return Some(format!("`{}` may have side effects", code()));
        }
    }
    let here = Reader { world: cx.world, path: &cx.facts.path, module: cx.module };
    let proved = cx.is_readonly_async(awaited) && here.is_steady(awaited.span(), DEPTH);
    (!proved).then(|| format!("`{}` may have side effects", code()))
}

/// Why an awaited call may not start before its time: it could throw at once, or read what changes meanwhile.
pub fn doubt_of_start<'a>(cx: &Cx<'_, 'a>, awaited: &'a Expression<'a>) -> Option<String> {
    let here = Reader { world: cx.world, path: &cx.facts.path, module: cx.module };
    let code = || shown(cx.module, awaited.span());
    match started(awaited) {
        Some(call) if here.starts_totally(call) => None,
        _ => Some(format!(
            "`{}` may throw synchronously, or its inputs may change in the meantime",
            code()
        )),
    }
}

/// One line of code, cut where it is long.
pub fn shown(module: &Module<'_>, span: Span) -> String {
    let text = module.slice(span);
    let line = text.lines().next().unwrap_or_default();
    if line.len() == text.len() && text.chars().count() <= 40 {
        return text.to_owned();
    }
    let cut: String = line.chars().take(36).collect();
    format!("{}…", cut.trim_end())
}

/// The call that starts it all: `fetch(u)` of `(await fetch(u)).json()`.
fn started<'a>(awaited: &'a Expression<'a>) -> Option<&'a CallExpression<'a>> {
    let mut current = awaited.get_inner_expression();
    for _ in 0..4 {
        let Expression::CallExpression(call) = current else { return None };
        let member = call.callee.get_inner_expression().as_member_expression();
        match member.map(|it| it.object().get_inner_expression()) {
            Some(Expression::AwaitExpression(it)) => current = it.argument.get_inner_expression(),
            _ => return Some(call),
        }
    }
    None
}

/// A file that reads are looked for in.
struct Reader<'w, 'm, 'a> {
    world: &'w dyn World,
    path: &'w str,
    module: &'m Module<'a>,
}

impl<'a> Reader<'_, '_, 'a> {
    /// Do the functions that a piece of code calls read nothing from around themselves that changes?
    fn is_steady(&self, span: Span, depth: u32) -> bool {
        let Some(depth) = depth.checked_sub(1) else { return false };
        let calls = self.module.calls();
        let first = calls.partition_point(|it| it.span.start < span.start);
        let mut within = calls[first..].iter().take_while(|it| it.span.start < span.end);
        within.all(|call| self.is_steady_call(call, depth))
    }

    fn is_steady_call(&self, call: &'a CallExpression<'a>, depth: u32) -> bool {
        let Expression::Identifier(name) = call.callee.get_inner_expression() else { return true };
        let Some(symbol) = self.module.symbol(name) else { return true };
        if let Some(func) = self.module.function_of(&call.callee) {
            return self.is_steady_function(func, depth);
        }
        let Some(import) = self.module.import(symbol) else { return true };
        if import.source.ends_with("fs/promises") {
            return true;
        }
        let Target::File(file) = self.world.resolve(self.path, import.source) else { return false };
        let name = match import.imported {
            Imported::Default => "default",
            Imported::Named(name) => name,
            Imported::Namespace => return false,
        };
        let Some((file, name)) = self.world.origin(&file, name) else { return false };
        let answer = self.world.ask("steady reader", &file, &name, |module| {
            let there = Reader { world: self.world, path: &file, module };
            exported_function(module, &name)
                .is_some_and(|func| func.is_async() && there.is_steady_function(func, depth))
        });
        answer.unwrap_or(false)
    }

    fn is_steady_function(&self, func: Func<'a>, depth: u32) -> bool {
        let around = self.module.captures(func.span());
        around.into_iter().all(|it| self.module.is_stable(it)) && self.is_steady(func.span(), depth)
    }

    fn starts_totally(&self, call: &'a CallExpression<'a>) -> bool {
        let arguments = call.arguments.iter();
        let mut still = arguments.map(|it| it.as_expression().is_some_and(|it| self.is_still(it)));
        if !still.all(|it| it) {
            return false;
        }
        let callee = call.callee.get_inner_expression();
        let Expression::Identifier(name) = callee else {
            // `db.user.findMany(…)`, `fs.readFile(…)`: READONLY-ASYNC knows the object.
            return callee.as_member_expression().is_some();
        };
        match self.module.symbol(name) {
            None => name.name == "fetch",
            Some(symbol) => match self.module.import(symbol) {
                // That of another file was held to be asynchronous by `is_steady_call`.
                Some(_) => true,
                None => self.module.function_of(callee).is_some_and(Func::is_async),
            },
        }
    }

    /// Can it be evaluated at once, without a throw, and give later what it gives now?
    fn is_still(&self, expression: &Expression<'a>) -> bool {
        match expression.get_inner_expression() {
            Expression::NumericLiteral(_)
            | Expression::StringLiteral(_)
            | Expression::BooleanLiteral(_)
            | Expression::NullLiteral(_)
            | Expression::BigIntLiteral(_) => true,
            // An object may be another inside by then.
            it @ Expression::Identifier(name) => match self.module.symbol(name) {
                Some(symbol) => {
                    let types = self.module.types(it);
                    self.module.is_stable(symbol)
                        && types.is_only(Types::PRIMITIVE | Types::NULLISH)
                }
                None => name.name == "undefined",
            },
            Expression::TemplateLiteral(it) => self.is_still_text(it),
            Expression::ArrayExpression(it) => it.elements.iter().all(|it| match it {
                ArrayExpressionElement::SpreadElement(_) => false,
                ArrayExpressionElement::Elision(_) => true,
                other => self.is_still(other.to_expression()),
            }),
            Expression::ObjectExpression(it) => it.properties.iter().all(|it| match it {
                ObjectPropertyKind::SpreadProperty(_) => false,
                ObjectPropertyKind::ObjectProperty(it) => {
                    !it.computed && !it.method && self.is_still(&it.value)
                }
            }),
            _ => false,
        }
    }

    fn is_still_text(&self, template: &TemplateLiteral<'a>) -> bool {
        let plain = Types::PRIMITIVE.without(Types::SYMBOL);
        template
            .expressions
            .iter()
            .all(|it| self.is_still(it) && self.module.types(it).is_only(plain))
    }
}

/// Properties that change while one waits, so that they are asked again afterwards.
const CHANGING: &[&str] = &[
    "aborted",
    "active",
    "cancelled",
    "canceled",
    "closed",
    "connected",
    "current",
    "destroyed",
    "disposed",
    "done",
    "ignore",
    "loading",
    "mounted",
    "pending",
    "ready",
    "running",
    "stale",
    "stopped",
    "unmounted",
    "value",
];

/// Does a condition say the same before and after the waiting? It must be PURE0 over names that are bound once, and what it
/// reads of an object must not be what the awaited call is handed.
pub fn is_settled<'a>(
    cx: &Cx<'_, 'a>,
    condition: &Expression<'a>,
    awaited: &Expression<'a>,
) -> bool {
    let module = cx.module;
    let span = condition.span();
    let has_member = module.slice(span).contains('.');
    let handed = module.captures(awaited.span());
    module.is_pure0(condition)
        && module.identifiers_in(span).iter().all(|name| match module.symbol(name) {
            Some(symbol) => module.is_stable(symbol) && !(has_member && handed.contains(&symbol)),
            None => name.name == "undefined",
        })
        && !CHANGING.iter().any(|it| module.slice(span).to_lowercase().contains(&format!(".{it}")))
}

/// Why a condition may not be asked before the waiting without anybody seeing it.
pub fn doubt_of_condition<'a>(cx: &Cx<'_, 'a>, condition: &Expression<'a>) -> Option<String> {
    let module = cx.module;
    let code = || shown(module, condition.span());
    if !module.is_total(condition) {
        return Some(format!("`{}` may throw", code()));
    }
    let names = module.identifiers_in(condition.span());
    let local = names
        .iter()
        .all(|it| module.symbol(it).is_none_or(|symbol| module.import(symbol).is_none()));
    let bare = !module.slice(condition.span()).contains('.');
    (!(local && bare)).then(|| format!("`{}` may change in the meantime", code()))
}

/// Does a branch but leave the function, with a value that nothing can change and nobody sees being made? It runs a moment
/// earlier when nothing is awaited above it.
pub fn leaves_quietly<'a>(cx: &Cx<'_, 'a>, branch: &'a Statement<'a>) -> bool {
    let module = cx.module;
    let is_still = |it: &Expression<'a>| {
        cx.is_pure1(it)
            && !module.slice(it.span()).contains(['.', '['])
            && module.captures(it.span()).into_iter().all(|it| module.is_stable(it))
    };
    match branch {
        Statement::BlockStatement(it) => match &it.body[..] {
            [only] => leaves_quietly(cx, only),
            _ => false,
        },
        Statement::ReturnStatement(it) => it.argument.as_ref().is_none_or(is_still),
        Statement::ThrowStatement(it) => match it.argument.get_inner_expression() {
            Expression::NewExpression(new) => {
                let is_error = new
                    .callee
                    .get_identifier_reference()
                    .is_some_and(|name| module.is_global(name) && name.name.ends_with("Error"));
                let mut arguments = new.arguments.iter();
                is_error && arguments.all(|it| it.as_expression().is_some_and(is_still))
            }
            _ => false,
        },
        _ => false,
    }
}

/// Is it the last statement of its function, so that nothing runs earlier where it does nothing?
pub fn is_last(module: &Module<'_>, node: NodeId, statement: Span) -> bool {
    module
        .function_around(node)
        .and_then(|it| it.statements().last())
        .is_some_and(|last| last.span() == statement)
}

/// Next tells by the reads of a page whether it can be built ahead.
pub fn doubt_of_rendering(cx: &Cx<'_, '_>) -> Option<String> {
    let matters = cx.facts.package.uses_next && cx.facts.is_server();
    matters.then(|| "it may change what Next.js prerenders".to_owned())
}

/// Is the time taken around here?
pub fn reads_clock(module: &Module<'_>, span: Span) -> bool {
    const CLOCKS: &[&str] =
        &["Date.now(", "performance.now(", "console.time", "new Date()", "hrtime", "getTime("];
    let text = module.slice(span);
    CLOCKS.iter().any(|it| text.contains(it))
}
