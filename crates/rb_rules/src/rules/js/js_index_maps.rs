//! `users.find((u) => u.id === o.userId)` for each order goes through all users for each; a `Map` is built once.

use oxc_ast::AstKind;
use oxc_ast::ast::{CallExpression, Expression, IdentifierReference, TSType};
use oxc_semantic::{NodeId, SymbolId};
use oxc_span::{GetSpan, Span};
use oxc_syntax::operator::{BinaryOperator, LogicalOperator};
use rb_core::Edit;
use rb_ecma::{Func, Module, Types};

use super::hot::{Round, heat, is_before_throw, is_in_hot_function, is_in_waiting_round, round};
use super::lookup::{KeyTest, key_test};
use super::shapes::{
    Chain, callback, camel, chain, insert_before, is_changed_in, is_declared_outside, method,
    only_argument, statement_in_same_function, unused_name, uses_inner,
};
use super::size::{is_constant_name, is_fetched, is_few_by_name, is_small};
use crate::cx::{Cx, Hit};
use crate::facts::FileKind;
use crate::rule::{Category, Doc, FixKind, Impact, Level, Rule};

pub static RULE: Rule = Rule {
    id: "js-index-maps",
    title: "A list is searched by a key in a loop",
    category: Category::JavaScript,
    impact: Impact::LowMedium,
    fix: FixKind::AssistWithAuto,
    level: Level::Audit,
    repairs: false,
    doc: Doc {
        what: "`list.find((x) => x.key === …)`, or `filter`, `some` or `findIndex`, runs for each element of other \
               data, and the list is the same each time.",
        why: "The work grows with the product of both lengths: a thousand orders and a thousand users are a million \
              comparisons, repeated in each render. A `Map` that is built once takes two thousand steps.",
        wrong: "const withUsers = (orders: Order[], users: User[]) =>
  orders.map((order) => ({ ...order, user: users.find((user) => user.id === order.userId) }));",
        right: "const withUsers = (orders: Order[], users: User[]) => {
  const usersById = new Map<string, User>();
  for (const user of users) if (!usersById.has(user.id)) usersById.set(user.id, user);
  return orders.map((order) => ({ ...order, user: usersById.get(order.userId) }));
};",
        safe: "Fixed automatically if types say that the list is an array of objects whose key is a string, boolean \
               or bigint, that the searched value is one too, and if the loop is pure. The `Map` keeps the first of \
               two equal keys, as `find` does. Otherwise it is a draft: a `Map` is built even if the loop has no \
               iterations, reads the key of every element, and finds `NaN`.",
        leave: "Either side is known to be short.",
        given: &[],
    },
    wants: &["find", "some", "filter"],
    applies: |facts| facts.kind == FileKind::Source,
    check,
};

/// A search of a list by a key.
struct Search<'a> {
    call: &'a CallExpression<'a>,
    list: &'a Expression<'a>,
    root: SymbolId,
    method: &'a str,
    key: &'a str,
    /// The name of the element in the predicate.
    element: Option<&'a str>,
    wanted: &'a Expression<'a>,
    round: Round<'a>,
    optional: bool,
}

fn check(cx: &mut Cx<'_, '_>) {
    let module = cx.module;
    let mut fixed: Vec<(Span, &str, &str)> = Vec::new();
    let mut given: Vec<String> = Vec::new();
    let found: Vec<Search<'_>> =
        module.calls().iter().filter_map(|call| search(module, call)).collect();
    for it in &found {
        let list = module.slice(it.list.span());
        let hit = Hit::at(it.call.span, message(it, list));
        let place = (it.method == "find" && !it.optional)
            .then(|| place(module, it))
            .flatten()
            .filter(|place| !fixed.contains(&(*place, list, it.key)));
        let Some(place) = place else {
            cx.report(hit);
            continue;
        };
        fixed.push((place, list, it.key));
        // One map serves every search of the same list in the statement.
        let same: Vec<&Search<'_>> = found
            .iter()
            .filter(|other| {
                other.method == "find"
                    && !other.optional
                    && other.key == it.key
                    && module.slice(other.list.span()) == list
                    && self::place(module, other) == Some(place)
            })
            .collect();
        let doubt = same.iter().find_map(|it| doubt(cx, it));
        cx.report(match edits(module, &same, place, &mut given) {
            Some(edits) => hit.auto_unless(doubt, "build a Map once", edits),
            None => hit,
        });
    }
}

fn message(it: &Search<'_>, list: &str) -> String {
    let key = it.key;
    match it.method {
        "find" | "findIndex" => {
            format!(
                "`{list}` is searched by `{key}` on every iteration; build a Map keyed by `{key}` before the loop"
            )
        }
        "some" => {
            format!(
                "`{list}` is searched by `{key}` on every iteration; build a Set of `{key}` before the loop"
            )
        }
        _ => format!(
            "`{list}` is filtered by `{key}` on every iteration; group it by `{key}` before the loop"
        ),
    }
}

fn search<'a>(module: &Module<'a>, call: &'a CallExpression<'a>) -> Option<Search<'a>> {
    let method = method(call)?;
    if !["find", "findIndex", "some", "filter"].contains(&method.name) {
        return None;
    }
    only_argument(call)?;
    let KeyTest { operator, key, element, wanted } = key_test(module, callback(call)?)?;
    if operator != BinaryOperator::StrictEquality {
        return None;
    }
    let node = call.node_id.get();
    let round = round(module, node).filter(|it| it.is_counted)?;
    let list = chain(method.object)?;
    let root = module.symbol(list.root)?;
    let is_invariant = is_declared_outside(module, root, round.span)
        && !list.names.contains(&"current")
        && !is_changed_in(module, root, round.span);
    let varies = uses_inner(module, wanted.span(), round.span);
    let is_place = method.name == "findIndex"
        && round.over.is_some_and(|over| is_picked_from(module, over, root));
    let is_long = !is_place
        && !is_small(module, method.object)
        && !is_short_by_name(module, &list)
        && round.over.is_none_or(|over| {
            !is_small(module, over) && chain(over).is_none_or(|it| !is_short_by_name(module, &it))
        });
    let is_hot = heat(module, node).is_some()
        && (is_in_hot_function(module, node)
            || is_memo(module, node)
            || is_fetched(module, method.object)
            || round.over.is_some_and(|over| {
                is_fetched(module, over)
                    || is_handed(module, over) && is_handed(module, method.object)
            }));
    let is_rare = is_behind_equality(module, node, round.body)
        || is_in_waiting_round(module, node)
        || is_before_throw(module, node);
    (is_invariant && varies && is_long && is_hot && !is_rare).then_some(Search {
        call,
        list: method.object,
        root,
        method: method.name,
        key,
        element,
        wanted,
        round,
        optional: method.optional,
    })
}

/// `x.id === wanted && …`: reached for one element of many.
fn is_behind_equality(module: &Module<'_>, node: NodeId, body: Span) -> bool {
    let start = module.nodes().kind(node).span().start;
    module.ancestors(node).take_while(|kind| body.contains_inclusive(kind.span())).any(|kind| {
        matches!(kind, AstKind::LogicalExpression(it)
            if it.operator == LogicalOperator::And
                && it.right.span().start <= start
                && matches!(it.left.get_inner_expression(), Expression::BinaryExpression(test)
                    if test.operator == BinaryOperator::StrictEquality))
    })
}

/// `const shown = pick(users, at)`: a part of the list, and whoever picks it knows the places too.
fn is_picked_from<'a>(module: &Module<'a>, over: &'a Expression<'a>, list: SymbolId) -> bool {
    let symbol = module.symbol_of(over);
    let init = symbol.and_then(|it| module.declarator(it)).and_then(|it| it.init.as_ref());
    matches!(init, Some(Expression::CallExpression(call)) if module.mentions(call.span, list))
}

/// An array that the function is called with: as long as its callers like.
fn is_handed<'a>(module: &Module<'a>, list: &'a Expression<'a>) -> bool {
    let Some(symbol) = module.symbol_of(list) else { return false };
    let node = module.scoping().symbol_declaration(symbol);
    let mut around = std::iter::once(module.nodes().kind(node)).chain(module.ancestors(node));
    around.next().is_some_and(|kind| matches!(kind, AstKind::FormalParameter(_)))
        && module.types(list).is_only(Types::ARRAY)
}

/// Does it run when a component renders with other data?
fn is_memo(module: &Module<'_>, node: NodeId) -> bool {
    module.ancestors(node).any(|kind| {
        matches!(kind, AstKind::CallExpression(call) if module.is_react_call(call, "useMemo"))
    })
}

/// Lists that are written by hand, or are as long as a menu: no number of users makes them long.
fn is_short_by_name<'a>(module: &Module<'a>, list: &Chain<'a>) -> bool {
    const SHORT: &[&str] = &[
        "column",
        "tab",
        "option",
        "step",
        "field",
        "type",
        "locale",
        "language",
        "level",
        "role",
        "status",
        "statuse",
        "mode",
        "theme",
        "provider",
        "plugin",
        "filter",
        "sort",
        "sorting",
        "action",
        "menu",
        "color",
        "size",
        "variant",
        "section",
        "breakpoint",
        "tool",
        "header",
        "param",
        "arg",
        "route",
        "plan",
        "categorie",
        "setting",
        "tier",
        "integration",
        "app",
        "panel",
        "day",
        "weekday",
        "month",
        "input",
        "layer",
        "chain",
        "network",
        "feature",
        "value",
        "parameter",
        "key",
    ];
    let name = list.names.last().copied().unwrap_or(list.root.name.as_str());
    let word = name.rfind(|c: char| c.is_uppercase()).map_or(name, |at| &name[at..]);
    let word = word.to_lowercase();
    let word = word.strip_suffix('s').unwrap_or(&word);
    let is_import = module.symbol(list.root).is_some_and(|it| module.import(it).is_some());
    let is_constant = is_constant_name(name) || is_constant_name(list.root.name.as_str());
    SHORT.contains(&word)
        || is_few_by_name(name)
        || is_constant
        || is_import
        || is_typed_in(module, list.root)
}

/// The words of a command line: `.action((names) => …)`.
fn is_typed_in<'a>(module: &Module<'a>, root: &IdentifierReference<'a>) -> bool {
    let Some(symbol) = module.symbol(root) else { return false };
    let node = module.scoping().symbol_declaration(symbol);
    if !matches!(module.nodes().kind(node), AstKind::FormalParameter(_)) {
        return false;
    }
    let func = module.ancestors(node).find_map(Func::of);
    func.is_some_and(|func| {
        matches!(module.parent(func.node()), AstKind::CallExpression(call)
            if method(call).is_some_and(|it| it.name == "action"))
    })
}

/// The statement before which the map goes: in the function of the loop, and with the list made before it.
fn place(module: &Module<'_>, it: &Search<'_>) -> Option<Span> {
    let statement = statement_in_same_function(module, it.round.node)?;
    let declared = module.scoping().symbol_span(it.root);
    let is_before = declared.end <= statement.start;
    is_before.then_some(statement)
}

/// Why it is not proved that the map finds what `find` found.
fn doubt<'a>(cx: &Cx<'_, 'a>, it: &Search<'a>) -> Option<&'static str> {
    let module = cx.module;
    let Some((_, key)) = entry(module, it) else {
        return Some("the type of the key is unknown");
    };
    let keys = module.types_of_written(key);
    if !is_plain_key(key) || !module.types(it.wanted).is_only(keys) {
        return Some("the searched value may have a different type than the key");
    }
    if !module.is_total(it.wanted) {
        return Some("the searched value would be evaluated even if the list is empty");
    }
    if !module.types(it.list).is_only(Types::ARRAY) || !matches!(it.list, Expression::Identifier(_))
    {
        return Some("the list may not be an array");
    }
    if !module.is_stable(it.root) || !is_computing(cx, it) || !is_first(module, it) {
        return Some("the loop may mutate the list");
    }
    if module.scoping().symbol_names().any(|it| it == "Map") {
        return Some("`Map` is shadowed here");
    }
    module.has_comment(it.call.span).then_some("a comment would be lost")
}

/// The types of the elements and of their key, where both are written.
fn entry<'a>(module: &Module<'a>, it: &Search<'a>) -> Option<(&'a TSType<'a>, &'a TSType<'a>)> {
    let list = module.declared_type(it.list)?;
    let element = module.element_type(list)?;
    if !module.types_of_written(element).is_only(Types::OBJECT) {
        return None;
    }
    let key = module.member_type(element, it.key)?;
    let keys = module.types_of_written(key);
    keys.is_only(Types::STRING | Types::BOOLEAN | Types::BIGINT).then_some((element, key))
}

fn is_plain_key(key: &TSType<'_>) -> bool {
    matches!(
        key,
        TSType::TSStringKeyword(_) | TSType::TSBooleanKeyword(_) | TSType::TSBigIntKeyword(_)
    )
}

/// Is the loop a call of an array method that has no effect?
fn is_computing<'a>(cx: &Cx<'_, 'a>, it: &Search<'a>) -> bool {
    let module = cx.module;
    let AstKind::CallExpression(call) = module.nodes().kind(it.round.node) else { return false };
    let Some(over) = method(call) else { return false };
    let Some(func) = callback(call) else { return false };
    module.types(over.object).is_only(Types::ARRAY)
        && cx.is_pure1(over.object)
        && module.is_pure_function(func, &|import| cx.is_pure_outside(import))
}

/// Does nothing of the statement run before the loop?
fn is_first(module: &Module<'_>, it: &Search<'_>) -> bool {
    let mut inner = it.round.span;
    for kind in module.ancestors(it.round.node) {
        match kind {
            AstKind::StaticMemberExpression(_)
            | AstKind::VariableDeclarator(_)
            | AstKind::AwaitExpression(_)
            | AstKind::ChainExpression(_) => {}
            AstKind::CallExpression(call) if call.callee.span().start == inner.start => {}
            AstKind::VariableDeclaration(declaration) => {
                return declaration.declarations.len() == 1;
            }
            AstKind::ReturnStatement(_) | AstKind::ExpressionStatement(_) => return true,
            _ => return false,
        }
        inner = kind.span();
    }
    false
}

fn edits<'a>(
    module: &Module<'a>,
    same: &[&Search<'a>],
    place: Span,
    given: &mut Vec<String>,
) -> Option<Vec<Edit>> {
    let it = *same.first()?;
    let style = module.style();
    let (list, key) = (module.slice(it.list.span()), it.key);
    let base = chain(it.list)?;
    let name = base.names.last().copied().unwrap_or(base.root.name.as_str());
    let words = [name, "By"].into_iter().chain(key.split('_'));
    let map = unused_name(module, &camel(&words.collect::<Vec<_>>()), given);
    let element = it.element.map_or_else(|| module.fresh_name("item"), str::to_owned);
    // A draft builds the map even where the loop, which may be behind a test, would not run.
    let is_there = module.types(it.list).is_only(Types::ARRAY);
    let missing = if is_there { "" } else { " ?? []" };
    let types = type_arguments(module, it, is_there);
    let (indent, semi) = (&style.indent, style.semicolon());
    let lines = [
        format!("const {map} = new Map{types}(){semi}"),
        format!("for (const {element} of {list}{missing}) {{"),
        format!("{indent}if (!{map}.has({element}.{key})) {{"),
        format!("{indent}{indent}{map}.set({element}.{key}, {element}){semi}"),
        format!("{indent}}}"),
        "}".to_owned(),
    ];
    let mut edits = vec![insert_before(module, place, &lines)?];
    for it in same {
        let text = format!("{map}.get({})", module.code(it.wanted));
        edits.push(Edit::replace(it.call.span.start, it.call.span.end, text));
    }
    Some(edits)
}

fn type_arguments<'a>(module: &Module<'a>, it: &Search<'a>, is_there: bool) -> String {
    let list = module.slice(it.list.span());
    let is_name = list.chars().all(|c| c.is_alphanumeric() || "._$".contains(c));
    // `typeof` takes names alone; without arguments the map is one of anything.
    if !module.is_typescript() || !is_name {
        return String::new();
    }
    let one = if is_there {
        format!("(typeof {list})[number]")
    } else {
        format!("NonNullable<typeof {list}>[number]")
    };
    match entry(module, it) {
        Some((element, key)) if is_plain_key(key) => {
            let element = module.slice(element.span());
            let is_short = !element.contains('\n') && element.len() < 40;
            let element = if is_short { element.to_owned() } else { one };
            format!("<{}, {element}>", module.slice(key.span()))
        }
        _ => format!("<{one}['{}'], {one}>", it.key)
            .replace('\'', if module.style().quoted("").starts_with('"') { "\"" } else { "'" }),
    }
}

#[cfg(test)]
mod tests;
