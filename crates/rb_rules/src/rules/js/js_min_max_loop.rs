//! Sorting a whole list to take one end of it.

use oxc_ast::AstKind;
use oxc_ast::ast::{ArrayExpressionElement, BindingPattern, CallExpression, Expression};
use oxc_semantic::{NodeId, SymbolId};
use oxc_span::{GetSpan, Span};
use oxc_syntax::operator::BinaryOperator;
use rb_core::Edit;
use rb_ecma::{Module, Types};

use super::hot::where_hot;
use super::shapes::{callback, chain, method, method_call, number, only_argument, parameter};
use super::size::is_small;
use crate::cx::{Cx, Hit};
use crate::facts::FileKind;
use crate::rule::{Category, Doc, FixKind, Impact, Level, Rule};

pub static RULE: Rule = Rule {
    id: "js-min-max-loop",
    title: "A list is sorted to take its least or greatest element",
    category: Category::JavaScript,
    impact: Impact::Low,
    fix: FixKind::AssistWithAuto,
    level: Level::Audit,
    repairs: false,
    doc: Doc {
        what: "A copy of a list is sorted by a number, and only its first or last element is used.",
        why: "Sorting compares each element many times and copies the list; one pass finds the minimum or maximum.",
        wrong: "type Post = { at: number };
const Newest = ({ posts }: { posts: Post[] }) => <Card post={[...posts].sort((a, b) => b.at - a.at)[0]} />;",
        right: "type Post = { at: number };
const Newest = ({ posts }: { posts: Post[] }) => (
  <Card post={posts.reduce((best, post) => (post.at > best.at ? post : best), posts[0])} />
);",
        safe: "Fixed automatically if a copy is sorted, and types say that the list is an array and the key a \
               number. Of equal elements, the fix takes the one that the sorted list would have at that end, and an \
               empty list still gives `undefined`. It does not use `Math.max(...list)`, which gives `-Infinity` for \
               an empty list and fails for a very long one. If `NaN` is among the keys, neither way gives a \
               meaningful answer.",
        leave: "The list is short, or the sorted list is needed anyway.",
        given: &[],
    },
    wants: &["sort", "toSorted"],
    applies: |facts| facts.kind == FileKind::Source,
    check,
};

#[derive(Clone, Copy, PartialEq, Eq)]
enum End {
    First,
    Last,
}

/// How a sorted list is read at one end.
struct EndRead {
    end: End,
    /// The whole of `sorted[0]`.
    span: Span,
    /// `.at(0)`: its type says that there may be nothing.
    by_at: bool,
}

/// `sort` by the difference of two numbers.
struct Order<'a> {
    ascending: bool,
    /// `.at` of `a.at - b.at`; empty for `a - b`.
    key: &'a str,
}

fn check(cx: &mut Cx<'_, '_>) {
    let module = cx.module;
    for call in module.calls() {
        let Some(method) = method(call) else { continue };
        if !["sort", "toSorted"].contains(&method.name) || method.optional {
            continue;
        }
        let node = call.node_id.get();
        let Some(order) = order(module, call) else { continue };
        // A list that is sorted in place may be read by others, who count on its order.
        let is_copy = method.name == "toSorted" || is_fresh(method.object);
        if !is_copy || is_small(module, source(method.object)) {
            continue;
        }
        let list = module.slice(source(method.object).span());
        if let Some(taken) = taken(module, node, call.span) {
            let hit = Hit::at(taken.span, message(list, &order, &[taken.end]));
            let hit = match edits(cx, call, &order, &taken) {
                Some(edits) => {
                    hit.auto_unless(doubt(cx, call, &order), "find it in one pass", edits)
                }
                None => hit,
            };
            if let Some(hit) = where_hot(module, node, hit) {
                cx.report(hit);
            }
        } else if let Some(ends) = named_ends(module, node) {
            let hit = Hit::at(call.span, message(list, &order, &ends));
            if let Some(hit) = where_hot(module, node, hit) {
                cx.report(hit);
            }
        }
    }
}

fn message(list: &str, order: &Order<'_>, ends: &[End]) -> String {
    let what = match ends {
        [end] if (*end == End::First) == order.ascending => "smallest",
        [_] => "largest",
        _ => "smallest and the largest",
    };
    let list = list.split_whitespace().collect::<Vec<_>>().join(" ");
    let list = if list.chars().count() > 50 { "the list".to_owned() } else { format!("`{list}`") };
    format!("{list} is sorted only to take the {what} element; use a single pass")
}

/// `(a, b) => a.k - b.k`, and which way it goes.
fn order<'a>(module: &Module<'a>, call: &'a CallExpression<'a>) -> Option<Order<'a>> {
    only_argument(call)?;
    let func = callback(call)?;
    let (first, second) = (parameter(func, 0)?, parameter(func, 1)?);
    let Expression::BinaryExpression(it) = func.returned()?.get_inner_expression() else {
        return None;
    };
    if it.operator != BinaryOperator::Subtraction || func.params().items.len() != 2 {
        return None;
    }
    let (left, left_key) = operand(module, &it.left)?;
    let (right, right_key) = operand(module, &it.right)?;
    let ascending = match (left == first, right == second, left == second, right == first) {
        (true, true, _, _) => true,
        (_, _, true, true) => false,
        _ => return None,
    };
    (left_key == right_key).then_some(Order { ascending, key: left_key })
}

/// The symbol and the rest of `a.b.c`.
fn operand<'a>(module: &Module<'a>, side: &'a Expression<'a>) -> Option<(SymbolId, &'a str)> {
    let chain = chain(side)?;
    let rest = Span::new(chain.root.span.end, side.span().end);
    Some((module.symbol(chain.root)?, module.slice(rest)))
}

/// A copy, or a list that was made on the spot.
fn is_fresh(list: &Expression<'_>) -> bool {
    match list.get_inner_expression() {
        Expression::ArrayExpression(_) => true,
        inner @ Expression::CallExpression(_) => {
            let Expression::CallExpression(call) = inner else { return false };
            let Expression::StaticMemberExpression(it) = call.callee.get_inner_expression() else {
                return false;
            };
            ["slice", "filter", "map", "flatMap", "values", "keys", "entries", "from", "concat"]
                .contains(&it.property.name.as_str())
        }
        _ => false,
    }
}

/// What was copied: `x` of `[...x]` and of `x.slice()`.
fn source<'a>(list: &'a Expression<'a>) -> &'a Expression<'a> {
    match list.get_inner_expression() {
        Expression::ArrayExpression(it) => match it.elements.as_slice() {
            [ArrayExpressionElement::SpreadElement(only)] => &only.argument,
            _ => list,
        },
        inner => match method_call(inner) {
            Some((call, method)) if method.name == "slice" && call.arguments.is_empty() => {
                method.object
            }
            _ => list,
        },
    }
}

/// Which end is read right behind the call, or behind the name at `node`.
fn taken(module: &Module<'_>, node: NodeId, span: Span) -> Option<EndRead> {
    let mut around = module.ancestors(node);
    match around.next()? {
        AstKind::ComputedMemberExpression(it) if it.object.span() == span => {
            let is_written = matches!(around.next(), Some(AstKind::AssignmentExpression(outer))
                if outer.left.span() == it.span);
            let end = match number(&it.expression) {
                Some(at) => (at == 0.0).then_some(End::First)?,
                None => is_last_index(module, &it.expression, span).then_some(End::Last)?,
            };
            (!is_written && !it.optional).then_some(EndRead { end, span: it.span, by_at: false })
        }
        AstKind::StaticMemberExpression(it) if it.property.name == "at" && !it.optional => {
            let AstKind::CallExpression(call) = around.next()? else { return None };
            let at = number(only_argument(call)?)?;
            let end = if at == 0.0 {
                End::First
            } else if at + 1.0 == 0.0 {
                End::Last
            } else {
                return None;
            };
            Some(EndRead { end, span: call.span, by_at: true })
        }
        _ => None,
    }
}

/// `sorted.length - 1`, where `sorted` is what stands at `span`.
fn is_last_index(module: &Module<'_>, index: &Expression<'_>, span: Span) -> bool {
    let Expression::BinaryExpression(it) = index.get_inner_expression() else { return false };
    let Expression::StaticMemberExpression(length) = it.left.get_inner_expression() else {
        return false;
    };
    it.operator == BinaryOperator::Subtraction
        && number(&it.right).is_some_and(|by| by.to_bits() == 1.0_f64.to_bits())
        && length.property.name == "length"
        && module.slice(length.object.span()) == module.slice(span)
}

/// The ends that a name for the sorted list is read at, where it is read nowhere else.
fn named_ends(module: &Module<'_>, node: NodeId) -> Option<Vec<End>> {
    let AstKind::VariableDeclarator(declarator) = module.parent(node) else { return None };
    let BindingPattern::BindingIdentifier(id) = &declarator.id else { return None };
    let symbol = id.symbol_id.get().filter(|&it| module.is_stable(it))?;
    let mut ends: Vec<End> = Vec::new();
    for it in module.uses(symbol) {
        let is_length = matches!(module.parent(it.node), AstKind::StaticMemberExpression(member)
            if member.property.name == "length");
        if is_length {
            continue;
        }
        let end = taken(module, it.node, it.span)?.end;
        if !ends.contains(&end) {
            ends.push(end);
        }
    }
    (!ends.is_empty()).then_some(ends)
}

/// Why it is not proved that one pass finds the same.
fn doubt<'a>(
    cx: &Cx<'_, 'a>,
    call: &'a CallExpression<'a>,
    order: &Order<'a>,
) -> Option<&'static str> {
    let module = cx.module;
    let list = source(method(call)?.object);
    if !module.types(list).is_only(Types::ARRAY) || !module.is_pure0(list) {
        return Some("it may not be an array");
    }
    if !is_number(module, list, order) {
        return Some("the key may not be a number");
    }
    if module.has_comment(call.span) {
        return Some("a comment would be lost");
    }
    let config = format!("{}/tsconfig.json", cx.facts.package.dir);
    let checked = ["tsconfig.json", config.trim_start_matches('/')].into_iter().any(|path| {
        cx.world.text(path).is_some_and(|text| text.contains("noUncheckedIndexedAccess"))
    });
    checked.then_some("`noUncheckedIndexedAccess` makes the first element possibly undefined")
}

fn is_number<'a>(module: &Module<'a>, list: &Expression<'a>, order: &Order<'a>) -> bool {
    let Some(mut written) = module.declared_type(list).and_then(|it| module.element_type(it))
    else {
        return false;
    };
    for name in order.key.split('.').filter(|it| !it.is_empty()) {
        if !module.types_of_written(written).is_only(Types::OBJECT) {
            return false;
        }
        let Some(member) = module.member_type(written, name.trim()) else { return false };
        written = member;
    }
    module.types_of_written(written).is_only(Types::NUMBER)
}

/// `list.reduce(…)`, with the end that the sorted list would have.
fn edits<'a>(
    cx: &Cx<'_, 'a>,
    call: &'a CallExpression<'a>,
    order: &Order<'a>,
    taken: &EndRead,
) -> Option<Vec<Edit>> {
    let module = cx.module;
    let list = source(method(call)?.object);
    // The list is named twice in the result.
    chain(list)?;
    let text = module.slice(list.span());
    let (best, it) = (module.fresh_name("best"), element_name(module, text));
    let compare = match (taken.end, order.ascending) {
        (End::First, true) => "<",
        (End::First, false) => ">",
        (End::Last, true) => ">=",
        (End::Last, false) => "<=",
    };
    let key = order.key;
    let code = if taken.by_at {
        let types = at_types(module, list)?;
        format!(
            "{text}.reduce{types}(({best}, {it}) => ({best} === undefined || {it}{key} {compare} {best}{key} ? {it} : {best}), undefined)"
        )
    } else {
        format!(
            "{text}.reduce(({best}, {it}) => ({it}{key} {compare} {best}{key} ? {it} : {best}), {text}[0])"
        )
    };
    Some(vec![Edit::replace(taken.span.start, taken.span.end, code)])
}

/// `<T | undefined>` for a list of `T`; nothing in plain JavaScript.
fn at_types<'a>(module: &Module<'a>, list: &Expression<'a>) -> Option<String> {
    if !module.is_typescript() {
        return Some(String::new());
    }
    let written = module.declared_type(list).and_then(|it| module.element_type(it))?;
    Some(format!("<{} | undefined>", module.slice(written.span())))
}

/// `post` of `posts`.
fn element_name(module: &Module<'_>, list: &str) -> String {
    let name = list.rsplit('.').next().unwrap_or(list);
    let one = name.strip_suffix('s').filter(|it| it.len() > 2).unwrap_or("item");
    module.fresh_name(one)
}

#[cfg(test)]
mod tests;
