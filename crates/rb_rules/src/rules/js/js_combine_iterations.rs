//! One list is gone through three times or more where once would do.
//!
//! Nothing is said where each round waits for somebody: that takes longer than any pass.

use std::collections::BTreeMap;

use oxc_ast::AstKind;
use oxc_ast::ast::CallExpression;
use oxc_semantic::SymbolId;
use oxc_span::{GetSpan, Span};
use rb_ecma::{Func, Module};

use super::hot::{Heat, heat, is_in_hot_function, round, where_hot};
use super::shapes::{
    callback, method, method_call, only_argument, parameter, statement_in_same_function,
};
use super::size::is_small;
use crate::cx::{Cx, Hit};
use crate::facts::FileKind;
use crate::rule::{Category, Doc, FixKind, Impact, Level, Rule};

pub static RULE: Rule = Rule {
    id: "js-combine-iterations",
    title: "One list is gone through several times",
    category: Category::JavaScript,
    impact: Impact::LowMedium,
    fix: FixKind::Detect,
    level: Level::Audit,
    repairs: false,
    doc: Doc {
        what: "Three or more `filter` or `map` calls iterate over the same list in one block of hot code, or a \
               `filter` and a `map` follow each other in the body of a loop.",
        why: "Each pass iterates over the whole list, and most create another list that is discarded.",
        wrong: "const Counts = ({ jobs }: { jobs: Job[] }) => {
  const open = jobs.filter((job) => job.state === 'open').length;
  const done = jobs.filter((job) => job.state === 'done').length;
  const lost = jobs.filter((job) => job.state === 'lost').length;
  return <Bar parts={[open, done, lost]} />;
};",
        right: "const Counts = ({ jobs }: { jobs: Job[] }) => {
  let [open, done, lost] = [0, 0, 0];
  for (const job of jobs) {
    if (job.state === 'open') open++;
    else if (job.state === 'done') done++;
    else if (job.state === 'lost') lost++;
  }
  return <Bar parts={[open, done, lost]} />;
};",
        safe: "No fix is offered: the callbacks would run in another order, and type narrowing would be lost.",
        leave: "The list is short, the passes are easier to read, or the same iteration waits for something. That is \
                usually so.",
        given: &[],
    },
    wants: &["filter", "map"],
    applies: |facts| facts.kind == FileKind::Source,
    check,
};

fn check(cx: &mut Cx<'_, '_>) {
    let module = cx.module;
    let mut passes: BTreeMap<(u32, SymbolId), Vec<&CallExpression<'_>>> = BTreeMap::new();
    let mut chains: Vec<Span> = Vec::new();
    for call in module.calls() {
        if !is_pass(cx, call) {
            continue;
        }
        let Some(method) = method(call) else { continue };
        if let Some(list) = module.symbol_of(method.object)
            && let Some(block) = block(module, call)
            && !is_small(module, method.object)
        {
            passes.entry((block.start, list)).or_default().push(call);
        }
        if is_hot_chain(cx, call) && !waits(module, &[call]) {
            chains.push(call.span);
        }
    }
    let mut hits: Vec<(Span, Hit)> = passes
        .into_iter()
        .filter(|(_, calls)| calls.len() >= 3)
        .filter(|((_, list), calls)| module.is_stable(*list) && !waits(module, calls))
        .filter_map(|((_, list), calls)| {
            let (name, count) = (module.name(list), calls.len());
            let node = calls[0].node_id.get();
            let often = heat(module, node).map_or("", |_| " on every render or iteration");
            let message = format!(
                "`{name}` is iterated {count} times{often}; combine the passes into one loop"
            );
            let hit = where_hot(module, node, Hit::at(calls[0].span, message).low())?;
            Some((calls[0].span, hit))
        })
        .collect();
    hits.extend(chains.into_iter().map(|span| {
        let message = "a list is filtered and mapped on every iteration; do both in one inner loop";
        (span, Hit::at(span, message).low())
    }));
    hits.sort_by_key(|(span, _)| span.start);
    for (_, hit) in hits {
        cx.report(hit);
    }
}

/// `list.filter((x) => …)` or `map`, with a callback of one parameter that but computes.
fn is_pass<'a>(cx: &Cx<'_, 'a>, call: &'a CallExpression<'a>) -> bool {
    let module = cx.module;
    let is_named = method(call).is_some_and(|it| ["filter", "map"].contains(&it.name));
    is_named
        && only_argument(call).is_some()
        && callback(call).is_some_and(|func| {
            func.params().items.len() == 1
                && func.return_type().is_none()
                && parameter(func, 0).is_some()
                && (module.is_pure_function(func, &|import| cx.is_pure_outside(import))
                    || func.returned().is_some()
                        && super::quiet::is_quiet(func)
                        && !shows(module, func.span()))
        })
}

/// Is something awaited in the round that goes through the list, or between the first pass and the last?
fn waits(module: &Module<'_>, calls: &[&CallExpression<'_>]) -> bool {
    let [first, ..] = calls else { return false };
    let last = calls.last().unwrap_or(first);
    let node = first.node_id.get();
    let around = |node| module.function_around(node).map(Func::span);
    let within = round(module, node)
        .map_or_else(|| Span::new(first.span.start, last.span.end), |it| it.body);
    module.nodes().iter().any(|it| {
        matches!(it.kind(), AstKind::AwaitExpression(_))
            && within.contains_inclusive(it.kind().span())
            && around(it.id()) == around(node)
    })
}

/// Does it make elements? Then the passes are how the page is written.
fn shows(module: &Module<'_>, span: Span) -> bool {
    let elements = module.elements();
    let first = elements.partition_point(|it| it.span.start < span.start);
    elements.get(first).is_some_and(|it| it.span.start < span.end)
}

/// The list of statements of the function around.
fn block(module: &Module<'_>, call: &CallExpression<'_>) -> Option<Span> {
    let node = call.node_id.get();
    module.function_around(node)?;
    statement_in_same_function(module, node)?;
    let siblings = module.siblings(node)?;
    let first = siblings.list.first()?.span();
    let last = siblings.list.last()?.span();
    Some(Span::new(first.start, last.end))
}

/// `list.filter(…).map(…)` in the body of a loop, over a list that may be long.
fn is_hot_chain<'a>(cx: &Cx<'_, 'a>, call: &'a CallExpression<'a>) -> bool {
    let module = cx.module;
    let Some(outer) = method(call).filter(|it| it.name == "map") else { return false };
    let Some((inner, filter)) = method_call(outer.object) else { return false };
    let goes_on = matches!(module.parent(call.node_id.get()), AstKind::StaticMemberExpression(_));
    filter.name == "filter"
        && !goes_on
        && is_pass(cx, inner)
        && !is_small(module, filter.object)
        && heat(module, call.node_id.get()) == Some(Heat::Loop)
        && is_in_hot_function(module, call.node_id.get())
        && round(module, call.node_id.get()).is_some_and(|round| {
            // A part of the element is as long as one element is.
            super::shapes::chain(filter.object)
                .and_then(|it| module.symbol(it.root))
                .is_some_and(|root| super::shapes::is_declared_outside(module, root, round.span))
        })
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::RULE;
    use crate::testing::{Setup, check_doc};

    #[test]
    fn ru1_js_combine_iterations_doc() {
        check_doc(&RULE);
    }

    #[test]
    fn ru1_js_combine_iterations_finds() {
        Setup::new().check(
            &RULE,
            "function A({ xs, ys }) {
  const a = xs.filter((x) => x.on);
  const b = xs.filter((x) => !x.on), c = xs.map((x) => x.id);
  const all = ys.map((y) => xs.filter((x) => x.y === y.id).map((x) => x.id));
  return <b>{a}{b}{c}{all}</b>;
}
",
            expect![[r#"
                2:13 note: `xs` is iterated 3 times on every render or iteration; combine the passes into one loop
                4:29 note: a list is filtered and mapped on every iteration; do both in one inner loop
            "#]],
        );
    }

    #[test]
    fn ru1_js_combine_iterations_silent() {
        let setup = Setup::new();
        for body in [
            // Twice; lists that differ.
            "const a = xs.filter((x) => x.on); const b = xs.filter((x) => !x.on); return <b>{a}{b}</b>;",
            "const a = xs.filter((x) => x.on); const b = ys.filter((x) => !x.on); const c = a.map((x) => x.id); return <b>{c}{b}</b>;",
            // Readable chains.
            "return <b>{xs.filter((x) => x.on).map((x) => x.id)}</b>;",
            // Small and literal lists.
            "const s = [1, 2, 3]; const a = s.filter((x) => x > 1); const b = s.filter((x) => x < 1); const c = s.map((x) => x + 1); return <b>{a}{b}{c}</b>;",
            // Effects, the index, elements.
            "const a = xs.filter((x) => see(x)); const b = xs.filter((x) => see(x)); const c = xs.map((x) => see(x)); return <b>{a}{b}{c}</b>;",
            "const a = xs.filter((x, i) => i); const b = xs.filter((x, i) => !i); const c = xs.map((x, i) => i); return <b>{a}{b}{c}</b>;",
            "return <b>{xs.map((x) => <i>{x.a}</i>)}{xs.map((x) => <i>{x.b}</i>)}{xs.map((x) => <i>{x.c}</i>)}</b>;",
            // Filters that say more to the compiler; kept by `useMemo`.
            "const a = xs.filter((x): x is A => x.a); const b = xs.filter((x): x is B => x.b); const c = xs.filter((x): x is C => x.c); return <b>{a}{b}{c}</b>;",
            "const all = useMemo(() => { const a = xs.filter((x) => x.a); const b = xs.filter((x) => x.b); const c = xs.filter((x) => x.c); return [a, b, c]; }, [xs]); return <b>{all}</b>;",
            // Never in one run.
            "if (ys) { return xs.map((x) => x.a); } if (xs) { return xs.map((x) => x.b); } return xs.map((x) => x.c);",
        ] {
            setup.silent(&RULE, &format!("function A({{ xs, ys }}) {{ {body} return <p/>; }}"));
        }
        // What is waited for in the same round takes longer than any pass.
        for body in [
            "for (const y of ys) { const xs = await read(y); send(xs.map((x) => x.a), xs.map((x) => x.b), xs.map((x) => x.c)); }",
            "while (true) { const xs = await read(); if (!xs) break; await save(xs.map((x) => x.a)); await save(xs.map((x) => x.b)); await save(xs.map((x) => x.c)); }",
            "for (const y of ys) { await save(all.filter((x) => x.y === y.id).map((x) => x.id)); }",
        ] {
            setup.silent(&RULE, &format!("export async function f(ys, all) {{ {body} }}"));
        }
        setup.silent(&RULE, "export async function A({ xs }) { const a = xs.filter((x) => x.a); await save(a); const b = xs.filter((x) => x.b); const c = xs.filter((x) => x.c); return <b>{a}{b}{c}</b>; }");
        // Nothing shows that it runs often.
        setup.likely(&RULE, "export function f(xs) { return [xs.filter((x) => x.a), xs.filter((x) => x.b), xs.filter((x) => x.c)]; }");
    }
}
