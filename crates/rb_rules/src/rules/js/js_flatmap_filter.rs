//! `map(…).filter(Boolean)` makes a list with gaps, and another without them.

use oxc_ast::ast::{CallExpression, Expression, Statement};
use oxc_span::GetSpan;
use rb_ecma::{Func, Module, Types};

use super::hot::{Heat, heat, where_hot};
use super::shapes::{callback, method, method_call, only_argument};
use super::size::is_small;
use crate::cx::{Cx, Hit};
use crate::facts::FileKind;
use crate::rule::{Category, Doc, FixKind, Impact, Level, Rule};

pub static RULE: Rule = Rule {
    id: "js-flatmap-filter",
    title: "A list is mapped to gaps that are filtered away",
    category: Category::JavaScript,
    impact: Impact::LowMedium,
    fix: FixKind::Detect,
    level: Level::Audit,
    repairs: false,
    doc: Doc {
        what: "`list.map(…).filter(Boolean)` in hot code, where the callback returns `null`, `undefined` or `false` \
               for what is not wanted.",
        why: "The list is iterated twice, and one of two lists is discarded.",
        wrong: "const Chosen = ({ items }: { items: Item[] }) => <Ids ids={items.map((item) => (item.on ? item.id : null)).filter(Boolean)} />;",
        right: "const Chosen = ({ items }: { items: Item[] }) => {
  const ids: string[] = [];
  for (const item of items) if (item.on && item.id) ids.push(item.id);
  return <Ids ids={ids} />;
};",
        safe: "No fix is offered. `flatMap` does not help: it was measured to be slower than the chain, and keeps \
               `0` and `''`, which `filter(Boolean)` drops. A loop is about twice as fast.",
        leave: "The list is short, or the chain is easier to read. That is usually so.",
        given: &[],
    },
    wants: &["Boolean", "isNaN"],
    applies: |facts| facts.kind == FileKind::Source,
    check,
};

fn check(cx: &mut Cx<'_, '_>) {
    let module = cx.module;
    for call in module.calls() {
        let Some(map) = gaps(module, call) else { continue };
        let Some(list) = method(map).map(|it| it.object) else { continue };
        if is_small(module, list) {
            continue;
        }
        let name = module.slice(list.span());
        let name = if name.len() > 40 || name.contains('\n') { "the list" } else { name };
        let often = heat(module, call.node_id.get()).map_or_else(String::new, often);
        let message = format!(
            "`{name}` is mapped and then filtered to drop empty results{often}; do both in one loop"
        );
        let hit = Hit::at(call.span, message).low();
        if let Some(hit) = where_hot(module, call.node_id.get(), hit) {
            cx.report(hit);
        }
    }
}

/// `, on every render`
fn often(heat: Heat) -> String {
    format!(", {}", heat.often())
}

/// The `map` of `list.map(…).filter(Boolean)`, where its callback leaves gaps.
fn gaps<'a>(module: &Module<'a>, call: &'a CallExpression<'a>) -> Option<&'a CallExpression<'a>> {
    let filter = method(call).filter(|it| it.name == "filter")?;
    let test = only_argument(call).filter(|_| call.type_arguments.is_none())?;
    let (map, _) = method_call(filter.object).filter(|(_, it)| it.name == "map")?;
    let func = callback(map)?;
    if drops_nan(module, test) {
        return parses(module, func.returned()?).then_some(map);
    }
    if !module.is_global_named(test, "Boolean") {
        return None;
    }
    let value = given(func)?;
    let Expression::ConditionalExpression(it) = value.get_inner_expression() else { return None };
    let kept = match (is_nothing(&it.consequent), is_nothing(&it.alternate)) {
        (false, true) => &it.consequent,
        (true, false) => &it.alternate,
        _ => return None,
    };
    // Where zero is a value like others, dropping it is another question.
    let types = module.types(kept);
    let is_counted = types.is_known() && types.includes(Types::NUMBER | Types::BIGINT);
    (!is_counted).then_some(map)
}

/// `(n) => !isNaN(n)`
fn drops_nan<'a>(module: &Module<'a>, test: &'a Expression<'a>) -> bool {
    let Some(func) = Func::of_expression(test) else { return false };
    let Some(Expression::UnaryExpression(it)) = func.returned() else { return false };
    it.operator.is_not() && is_number_call(module, &it.argument, "isNaN")
}

/// `parseInt(text, 10)`
fn parses<'a>(module: &Module<'a>, value: &Expression<'a>) -> bool {
    ["parseInt", "parseFloat"].iter().any(|name| is_number_call(module, value, name))
        || matches!(value.get_inner_expression(), Expression::CallExpression(call)
            if module.is_global_named(&call.callee, "Number"))
}

/// `isNaN(…)` or `Number.isNaN(…)`
fn is_number_call<'a>(module: &Module<'a>, value: &Expression<'a>, name: &str) -> bool {
    let Expression::CallExpression(call) = value.get_inner_expression() else { return false };
    match call.callee.get_inner_expression() {
        Expression::StaticMemberExpression(it) => {
            it.property.name == name && module.is_global_named(&it.object, "Number")
        }
        callee => module.is_global_named(callee, name),
    }
}

/// What a callback gives, with nothing before it but declarations.
fn given(func: Func<'_>) -> Option<&Expression<'_>> {
    if let Some(value) = func.returned() {
        return Some(value);
    }
    let (last, before) = func.statements().split_last()?;
    let Statement::ReturnStatement(last) = last else { return None };
    let declares = before.iter().all(|it| matches!(it, Statement::VariableDeclaration(_)));
    declares.then_some(last.argument.as_ref()).flatten()
}

fn is_nothing(arm: &Expression<'_>) -> bool {
    match arm.get_inner_expression() {
        Expression::NullLiteral(_) => true,
        Expression::BooleanLiteral(it) => !it.value,
        Expression::Identifier(it) => it.name == "undefined",
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::RULE;
    use crate::testing::{Setup, check_doc};

    #[test]
    fn ru1_js_flatmap_filter_doc() {
        check_doc(&RULE);
    }

    #[test]
    fn ru1_js_flatmap_filter_finds() {
        Setup::new().check(
            &RULE,
            "function A({ xs }) {
  return <p>
    {xs.map((x) => (x.on ? <b key={x.id}/> : null)).filter(Boolean)}
    {xs.all.map(function (x) { const y = x.y; return !y ? undefined : y.id; }).filter(Boolean)}
    {xs.map((x) => x.on ? x.id : false).filter(Boolean).map(f)}
  </p>;
}
",
            expect![[r#"
                3:6 note: `xs` is mapped and then filtered to drop empty results, on every render; do both in one loop
                4:6 note: `xs.all` is mapped and then filtered to drop empty results, on every render; do both in one loop
                5:6 note: `xs` is mapped and then filtered to drop empty results, on every render; do both in one loop
            "#]],
        );
    }

    #[test]
    fn ru1_js_flatmap_filter_silent() {
        let setup = Setup::new();
        for body in [
            // Bounded sources.
            "['a', 'b'].map((x) => (x ? x : null)).filter(Boolean)",
            "s.split(',').map((x) => (x ? x.trim() : null)).filter(Boolean)",
            "xs.slice(0, 5).map((x) => (x.on ? x.id : null)).filter(Boolean)",
            "Object.values(Tone).map((x) => (x ? x.trim() : null)).filter(Boolean)",
            // Zero may be a value.
            "xs.map((x) => (x.on ? x.list.length : null)).filter(Boolean)",
            // Filters that say more to the compiler, or do something else.
            "xs.map((x) => (x.on ? x.id : null)).filter((x): x is string => Boolean(x))",
            "xs.map((x) => (x.on ? x.id : null)).filter<string>(Boolean)",
            "xs.map((x) => (x.on ? x.id : null)).filter((x) => x > 2)",
            // No gap that is left on purpose.
            "xs.map((x) => x.id).filter(Boolean)",
            "xs.map((x) => (x.on ? x.id : x.no)).filter(Boolean)",
            "xs.flatMap((x) => (x.on ? [x.id] : []))",
        ] {
            setup.silent(&RULE, &format!("const A = ({{ xs, s }}) => <b>{{{body}}}</b>;"));
        }
        // Nothing shows that it runs often.
        setup.likely(
            &RULE,
            "export const f = (xs) => xs.map((x) => (x.on ? x.id : null)).filter(Boolean);",
        );
        setup.likely(
            &RULE,
            "export const f = (xs) => xs.map((x) => parseInt(x, 10)).filter((n) => !isNaN(n));",
        );
        setup
            .silent(&RULE, "export const f = (xs) => xs.map((x) => x.n).filter((n) => !isNaN(n));");
    }
}
