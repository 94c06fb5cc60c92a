//! Where code runs often: loops, functions that a list calls for each element, rendering, handlers of events that come in
//! dozens a second.
//!
//! What these rules speak of costs next to nothing where it runs once; nothing is said there. Code of the module level runs
//! once, and so does the body of a handler of clicks.

use oxc_ast::AstKind;
use oxc_ast::ast::{CallExpression, Expression, JSXAttribute, JSXAttributeName, Statement};
use oxc_semantic::{NodeId, SymbolId};
use oxc_span::{GetSpan, Span};
use rb_ecma::{EACH_METHODS, Func, FunctionKind, Module};

use super::shapes::{callback, method};
use super::size::is_small;
use crate::cx::Hit;

/// Why code runs often.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Heat {
    Loop,
    Render,
    Handler,
}

impl Heat {
    pub fn often(self) -> &'static str {
        match self {
            Heat::Loop => "on every iteration",
            Heat::Render => "on every render",
            Heat::Handler => "on every event",
        }
    }
}

/// A loop, or a call that calls its argument for each element.
#[derive(Clone, Copy)]
pub struct Round<'a> {
    pub node: NodeId,
    /// All of it.
    pub span: Span,
    /// What runs each time.
    pub body: Span,
    /// What is gone through, where that is one value.
    pub over: Option<&'a Expression<'a>>,
    /// It ends after a number of rounds that hangs on some data: not `while`.
    pub is_counted: bool,
}

/// Events that come in dozens a second.
const FREQUENT: &[&str] =
    &["scroll", "mousemove", "pointermove", "touchmove", "wheel", "drag", "dragover", "resize"];

/// Events of typing: frequent for work that waits for the next frame, not for what takes microseconds.
const TYPING: &[&str] = &["input", "change", "keydown", "keyup"];

pub fn is_each(call: &CallExpression<'_>) -> bool {
    method_name(call).is_some_and(|name| EACH_METHODS.contains(&name))
        && call
            .arguments
            .first()
            .and_then(|it| it.as_expression())
            .is_some_and(|it| it.get_inner_expression().is_function())
}

fn method_name<'a>(call: &CallExpression<'a>) -> Option<&'a str> {
    match call.callee.get_inner_expression() {
        Expression::StaticMemberExpression(member) => Some(member.property.name.as_str()),
        _ => None,
    }
}

/// The innermost loop that runs a node again and again; none where the node is in a function that is only made there.
pub fn round<'a>(module: &Module<'a>, node: NodeId) -> Option<Round<'a>> {
    let mut inner = module.nodes().kind(node).span();
    for kind in module.ancestors(node) {
        if let Some(round) = round_of(kind, inner) {
            return Some(round);
        }
        if let Some(func) = Func::of(kind)
            && !is_each_callback(module, func)
        {
            return None;
        }
        inner = kind.span();
    }
    None
}

/// The round that a node is, if what is inside of it at `inner` runs each time.
fn round_of(kind: AstKind<'_>, inner: Span) -> Option<Round<'_>> {
    let (body, over, is_counted) = match kind {
        AstKind::ForStatement(it) => {
            let test = it.test.as_ref().map(GetSpan::span);
            if it.init.as_ref().is_some_and(|init| init.span().contains_inclusive(inner)) {
                return None;
            }
            (it.body.span(), None, test.is_some())
        }
        AstKind::ForInStatement(it) => (it.body.span(), None, true),
        AstKind::ForOfStatement(it) => (it.body.span(), Some(&it.right), true),
        AstKind::WhileStatement(it) => (it.span, None, false),
        AstKind::DoWhileStatement(it) => (it.span, None, false),
        AstKind::CallExpression(call) if is_each(call) => {
            let func = callback(call)?;
            (func.span(), Some(method(call)?.object), true)
        }
        _ => return None,
    };
    let is_for = matches!(kind, AstKind::ForStatement(_));
    (is_for || body.contains_inclusive(inner)).then_some(Round {
        node: node_of(kind)?,
        span: kind.span(),
        body,
        over,
        is_counted,
    })
}

fn node_of(kind: AstKind<'_>) -> Option<NodeId> {
    Some(match kind {
        AstKind::ForStatement(it) => it.node_id.get(),
        AstKind::ForInStatement(it) => it.node_id.get(),
        AstKind::ForOfStatement(it) => it.node_id.get(),
        AstKind::WhileStatement(it) => it.node_id.get(),
        AstKind::DoWhileStatement(it) => it.node_id.get(),
        AstKind::CallExpression(it) => it.node_id.get(),
        _ => return None,
    })
}

/// Is something awaited in a round around the node? Beside that a search costs nothing.
pub fn is_in_waiting_round(module: &Module<'_>, node: NodeId) -> bool {
    let mut inner = module.nodes().kind(node).span();
    for kind in module.ancestors(node) {
        if round_of(kind, inner).is_some_and(|it| module.slice(it.body).contains("await ")) {
            return true;
        }
        if Func::of(kind).is_some_and(|func| !is_each_callback(module, func)) {
            return false;
        }
        inner = kind.span();
    }
    false
}

/// Does the branch that the node is in end in a `throw`? It is taken when something went wrong.
pub fn is_before_throw(module: &Module<'_>, node: NodeId) -> bool {
    let around = module.ancestors(node);
    let mut own =
        around.take_while(|kind| Func::of(*kind).is_none_or(|func| is_each_callback(module, func)));
    own.any(|kind| match kind {
        AstKind::ThrowStatement(_) => true,
        AstKind::BlockStatement(it) => matches!(it.body.last(), Some(Statement::ThrowStatement(_))),
        _ => false,
    })
}

fn is_each_callback(module: &Module<'_>, func: Func<'_>) -> bool {
    matches!(module.parent(func.node()), AstKind::CallExpression(call)
        if is_each(call) && call.arguments.first().is_some_and(|it| it.span() == func.span()))
}

/// Why a node runs often, if it does.
pub fn heat(module: &Module<'_>, node: NodeId) -> Option<Heat> {
    let (looped, reason) = context(module, node);
    if looped { Some(Heat::Loop) } else { reason }
}

/// The finding as it is where code runs often, a candidate in a function of which nothing shows it. The module level runs once.
pub fn where_hot(module: &Module<'_>, node: NodeId, hit: Hit) -> Option<Hit> {
    if heat(module, node).is_some() {
        return Some(hit);
    }
    let around = module.function_around(node)?;
    // What `useMemo` keeps is computed where something changed.
    let is_kept = matches!(module.parent(around.node()), AstKind::CallExpression(call)
        if call.callee_name() == Some("useMemo"));
    (!is_kept).then(|| hit.likely("it may not run often"))
}

/// Does the function that a node belongs to run often by itself: a component, a hook, a handler of many events?
pub fn is_in_hot_function(module: &Module<'_>, node: NodeId) -> bool {
    context(module, node).1.is_some()
}

/// Is a node in a loop of its function, and why does the function run often?
fn context(module: &Module<'_>, node: NodeId) -> (bool, Option<Heat>) {
    let mut inner = module.nodes().kind(node).span();
    let mut looped = false;
    for kind in module.ancestors(node) {
        let round = round_of(kind, inner);
        looped |= round.is_some_and(|it| !it.over.is_some_and(|over| is_small(module, over)));
        if let Some(func) = Func::of(kind) {
            let reason = match role(module, func) {
                Role::Runs => {
                    inner = kind.span();
                    continue;
                }
                Role::Render => Some(Heat::Render),
                Role::Handler => Some(Heat::Handler),
                Role::Other => None,
            };
            return (looped, reason);
        }
        inner = kind.span();
    }
    // The module level runs once.
    (false, None)
}

/// When a function runs.
enum Role {
    /// Right where it stands.
    Runs,
    Render,
    Handler,
    Other,
}

fn role<'a>(module: &Module<'a>, func: Func<'a>) -> Role {
    if let AstKind::CallExpression(call) = module.parent(func.node())
        && (is_each_callback(module, func) || call.callee.span() == func.span())
    {
        return Role::Runs;
    }
    if kind_of(module, func) != FunctionKind::Other || is_render_helper(module, func) {
        return Role::Render;
    }
    if is_handler(module, func, FREQUENT) { Role::Handler } else { Role::Other }
}

/// What React makes of a function; found by its place, since there may be many.
pub fn kind_of<'a>(module: &Module<'a>, func: Func<'a>) -> FunctionKind {
    let all = module.functions();
    let start = func.span().start;
    let first = all.partition_point(|it| it.func.span().start < start);
    all[first..]
        .iter()
        .take_while(|it| it.func.span().start == start)
        .find(|it| it.func.node() == func.node())
        .map_or(FunctionKind::Other, |it| it.kind)
}

/// `renderRow`, with elements in it: what renders a mail or a page as text is called so as well.
fn is_render_helper<'a>(module: &Module<'a>, func: Func<'a>) -> bool {
    let elements = module.elements();
    let first = elements.partition_point(|it| it.span.start < func.span().start);
    let shows = elements.get(first).is_some_and(|it| it.span.end <= func.span().end);
    shows
        && name_of(module, func).is_some_and(|symbol| {
            module
                .name(symbol)
                .strip_prefix("render")
                .is_some_and(|rest| rest.starts_with(|c: char| c.is_uppercase()))
        })
}

/// The name that a function is kept under, by itself or through `useCallback`.
pub fn name_of<'a>(module: &Module<'a>, func: Func<'a>) -> Option<SymbolId> {
    if let Func::Function(it) = func
        && let Some(id) = &it.id
    {
        return id.symbol_id.get();
    }
    let mut around = module.ancestors(func.node());
    let declarator = match around.next()? {
        AstKind::VariableDeclarator(it) => it,
        AstKind::CallExpression(call) if module.is_react_call(call, "useCallback") => {
            match around.next()? {
                AstKind::VariableDeclarator(it) => it,
                _ => return None,
            }
        }
        _ => return None,
    };
    declarator.id.get_binding_identifier()?.symbol_id.get()
}

/// Is the function what an input, a key or a scroll calls?
pub fn is_typing_or_scrolling<'a>(module: &Module<'a>, func: Func<'a>) -> bool {
    is_handler(module, func, FREQUENT) || is_handler(module, func, TYPING)
}

fn is_handler<'a>(module: &Module<'a>, func: Func<'a>, events: &[&str]) -> bool {
    if is_listener(module, func.node(), events) {
        return true;
    }
    let Some(symbol) = name_of(module, func) else { return false };
    module.value_uses(symbol).any(|it| is_listener(module, it.node, events))
}

/// Is the node the value of `onScroll={…}`, or what `addEventListener("scroll", …)` is given?
fn is_listener(module: &Module<'_>, node: NodeId, events: &[&str]) -> bool {
    let mut around = module.ancestors(node);
    match around.next() {
        Some(AstKind::JSXExpressionContainer(_)) => {
            matches!(around.next(), Some(AstKind::JSXAttribute(attribute))
                if is_event_attribute(attribute, events))
        }
        Some(AstKind::CallExpression(call)) => {
            let name = match call.callee.get_inner_expression() {
                Expression::Identifier(it) => Some(it.name.as_str()),
                _ => method_name(call),
            };
            name == Some("addEventListener")
                && matches!(call.arguments.first().and_then(|it| it.as_expression()),
                    Some(Expression::StringLiteral(event)) if events.contains(&event.value.as_str()))
        }
        _ => false,
    }
}

fn is_event_attribute(attribute: &JSXAttribute<'_>, events: &[&str]) -> bool {
    let JSXAttributeName::Identifier(name) = &attribute.name else { return false };
    name.name.strip_prefix("on").is_some_and(|event| events.contains(&&*event.to_lowercase()))
}
