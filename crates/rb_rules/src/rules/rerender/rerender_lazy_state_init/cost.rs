//! What evaluating an expression costs, as far as it can be told from the names.
//! A function is looked into one file further, not those that it imports itself.

use oxc_ast::ast::{
    ArrayExpressionElement, CallExpression, Expression, IdentifierReference, NewExpression,
};
use oxc_ast_visit::{Visit, walk};
use oxc_span::Span;
use rb_ecma::{Func, Module};

use crate::cx::Cx;
use crate::exports::exported_function;

/// What an expression does when it is evaluated, functions inside not looked into.
#[derive(Default)]
pub(super) struct Work {
    /// The first call that may cost something.
    pub(super) dear: Option<Span>,
    /// The first that costs little, but makes an object.
    small: Option<Span>,
    has_hook: bool,
    /// It assigns, or waits.
    pub(super) is_odd: bool,
    pub(super) waits: bool,
}

impl Work {
    pub(super) fn place(&self) -> Option<Span> {
        if self.has_hook { None } else { self.dear.or(self.small) }
    }
}

pub(super) fn work_of<'a>(cx: &Cx<'_, 'a>, value: &Expression<'a>) -> Work {
    let mut look = Look { cx, work: Work::default() };
    look.visit_expression(value);
    look.work
}

struct Look<'m, 'c, 'a> {
    cx: &'m Cx<'c, 'a>,
    work: Work,
}

impl<'a> Visit<'a> for Look<'_, '_, 'a> {
    fn visit_function(&mut self, _: &oxc_ast::ast::Function<'a>, _: oxc_syntax::scope::ScopeFlags) {
    }

    fn visit_arrow_function_expression(&mut self, _: &oxc_ast::ast::ArrowFunctionExpression<'a>) {}

    fn visit_assignment_expression(&mut self, it: &oxc_ast::ast::AssignmentExpression<'a>) {
        self.work.is_odd = true;
        walk::walk_assignment_expression(self, it);
    }

    fn visit_update_expression(&mut self, _: &oxc_ast::ast::UpdateExpression<'a>) {
        self.work.is_odd = true;
    }

    fn visit_await_expression(&mut self, it: &oxc_ast::ast::AwaitExpression<'a>) {
        self.work.waits = true;
        self.work.is_odd = true;
        walk::walk_await_expression(self, it);
    }

    fn visit_yield_expression(&mut self, _: &oxc_ast::ast::YieldExpression<'a>) {
        self.work.waits = true;
        self.work.is_odd = true;
    }

    fn visit_new_expression(&mut self, it: &NewExpression<'a>) {
        let given = it.arguments.first().and_then(|it| it.as_expression());
        let is_of_language =
            QUICK.iter().any(|name| self.cx.module.is_global_named(&it.callee, name));
        // A date, or a set of a few, costs no more than the function around it would. What else is made may be as quick.
        let is_quick = self.cx.module.is_global_named(&it.callee, "Date")
            || (is_of_language && given.is_none_or(is_short));
        if !is_quick {
            let slot = if is_of_language { &mut self.work.dear } else { &mut self.work.small };
            slot.get_or_insert(it.span);
        }
        walk::walk_new_expression(self, it);
    }

    fn visit_call_expression(&mut self, call: &CallExpression<'a>) {
        match cost(self.cx, call) {
            Cost::Hook => self.work.has_hook = true,
            Cost::Cheap => {}
            Cost::Small => {
                self.work.small.get_or_insert(call.span);
            }
            Cost::Dear => {
                self.work.dear.get_or_insert(call.span);
            }
        }
        walk::walk_call_expression(self, call);
    }
}

/// Classes of the language that are quickly made where they are given nothing, or a little.
const QUICK: &[&str] =
    &["AbortController", "Array", "Error", "Map", "Object", "Set", "WeakMap", "WeakSet"];

#[derive(Clone, Copy, PartialEq, Eq)]
enum Cost {
    Hook,
    Cheap,
    /// Not much, but not nothing.
    Small,
    Dear,
}

/// Functions of the language that cost nothing.
const CHEAP: &[&str] = &[
    "Array",
    "BigInt",
    "Boolean",
    "Date",
    "Number",
    "Object",
    "String",
    "Symbol",
    "isNaN",
    "parseFloat",
    "parseInt",
];

fn cost<'a>(cx: &Cx<'_, 'a>, call: &CallExpression<'a>) -> Cost {
    let module = cx.module;
    let name = call.callee_name().unwrap_or_default();
    let is_hook = name == "use"
        || name
            .strip_prefix("use")
            .is_some_and(|rest| rest.starts_with(|c: char| c.is_uppercase()));
    if is_hook {
        return Cost::Hook;
    }
    if let Some(member) = call.callee.get_inner_expression().as_member_expression() {
        return method_cost(member, call);
    }
    let Some(function) = call.callee.get_inner_expression().get_identifier_reference() else {
        // A function that is called where it is written.
        return Cost::Small;
    };
    if module.is_global(function) && CHEAP.contains(&name) {
        return Cost::Cheap;
    }
    if let Some(func) = module.function_of(&call.callee) {
        return if works(module, func, DEPTH) { Cost::Dear } else { Cost::Cheap };
    }
    if let Some(works) = works_elsewhere(cx, function) {
        return if works { Cost::Dear } else { Cost::Cheap };
    }
    match name {
        "dayjs" | "moment" => Cost::Small,
        "t" | "_" | "cn" | "clsx" => Cost::Cheap,
        _ if is_question(name) || call.arguments.is_empty() => Cost::Cheap,
        // What nobody has seen: likely more than nothing.
        _ => Cost::Small,
    }
}

/// Calls of the same file that are followed.
const DEPTH: u32 = 3;

/// Does a function loop, go through data or read storage, by itself or by another one of its file?
fn works<'a>(module: &Module<'a>, func: Func<'a>, depth: u32) -> bool {
    let Some(depth) = depth.checked_sub(1) else { return false };
    let span = func.span();
    let first = module.calls().partition_point(|call| call.span.start < span.start);
    let mut inside = module.calls()[first..].iter().take_while(|call| call.span.start < span.end);
    let text = module.slice(span);
    ["for (", "for(", "while (", "while("].iter().any(|it| text.contains(it))
        || inside.any(|call| match call.callee.get_inner_expression().as_member_expression() {
            Some(member) => method_cost(member, call) == Cost::Dear,
            None => module.function_of(&call.callee).is_some_and(|it| works(module, it, depth)),
        })
}

/// Does a function of another file? `None` where it is not seen.
fn works_elsewhere<'a>(cx: &Cx<'_, 'a>, function: &IdentifierReference<'a>) -> Option<bool> {
    let import = cx.module.import(cx.module.symbol(function)?)?;
    let (path, name) = cx.origin(import)?;
    cx.world.ask("works", &path, &name, |module| {
        exported_function(module, &name).map(|func| works(module, func, DEPTH))
    })?
}

fn is_question(name: &str) -> bool {
    ["is", "has", "get", "can", "should"].iter().any(|start| {
        name.strip_prefix(start).is_some_and(|rest| rest.starts_with(|c: char| c.is_uppercase()))
    })
}

fn method_cost(member: &oxc_ast::ast::MemberExpression<'_>, call: &CallExpression<'_>) -> Cost {
    const GOING_THROUGH: &[&str] = &[
        "filter",
        "map",
        "flatMap",
        "reduce",
        "reduceRight",
        "sort",
        "toSorted",
        "parse",
        "stringify",
        "from",
        "fromEntries",
        "entries",
        "values",
        "keys",
        "getItem",
        "getBoundingClientRect",
        "matchMedia",
    ];
    match member.static_property_name() {
        // One or two elements are no work.
        Some("keys" | "values" | "entries" | "from" | "map" | "filter")
            if is_small_literal(member, call) =>
        {
            Cost::Cheap
        }
        Some(name) if GOING_THROUGH.contains(&name) => Cost::Dear,
        Some("find" | "findIndex" | "findLast" | "some" | "every" | "utc") => Cost::Small,
        // What nobody knows may be no more than a look.
        _ => Cost::Cheap,
    }
}

fn is_small_literal(
    member: &oxc_ast::ast::MemberExpression<'_>,
    call: &CallExpression<'_>,
) -> bool {
    is_short(member.object())
        || call.arguments.first().and_then(|it| it.as_expression()).is_some_and(is_short)
}

/// A few elements that are written in place.
fn is_short(value: &Expression<'_>) -> bool {
    match value {
        Expression::ArrayExpression(list) => {
            list.elements.len() <= 8 && !list.elements.iter().any(ArrayExpressionElement::is_spread)
        }
        Expression::ObjectExpression(object) => object.properties.len() <= 8,
        _ => false,
    }
}
