//! A flag is awaited before a condition that costs nothing and may make it needless.

use oxc_ast::ast::{Expression, IfStatement, LogicalOperator, Statement, UnaryOperator};
use oxc_semantic::SymbolId;
use oxc_span::{GetSpan, Span};
use rb_core::Edit;
use rb_ecma::Module;

use super::awaits::{Step, delete_statement, is_in_try, is_meant, is_ordered, waiting_lists};
use super::inside::inside;
use super::names::{Sort, called_name, sort, words};
use super::proofs::{
    doubt_of_condition, doubt_of_read, doubt_of_rendering, is_last, is_settled, reads_clock, shown,
};
use super::runs::runs_with;
use crate::cx::{Cx, Hit};
use crate::facts::FileKind;
use crate::rule::{Category, Doc, FixKind, Impact, Level, Rule};

pub static RULE: Rule = Rule {
    id: "async-cheap-condition-before-await",
    title: "A flag is awaited before a condition that is free",
    category: Category::Waterfalls,
    impact: Impact::High,
    fix: FixKind::AssistWithAuto,
    level: Level::Default,
    repairs: false,
    doc: Doc {
        what: "`const on = await read()` is used once, in the `if (on && condition)` directly below, and the \
               condition only looks at names that are bound once.",
        why: "If the condition is false, the read was for nothing.",
        wrong: "async function run(isOwner: boolean) {
  const on = await fetch('/flags/export');
  if (on && isOwner) start();
}",
        right: "async function run(isOwner: boolean) {
  if (isOwner && (await fetch('/flags/export'))) start();
}",
        safe: "Fixed automatically if the call is proved to only read and the condition can neither throw nor change \
               meanwhile. The `if` must be the last statement of its function and have no `else`: code after it \
               would run earlier. A feature-flag client that records who was asked does more than read: there it is \
               a draft.",
        leave: "The call has an effect that is wanted whatever the condition says.",
        given: &[],
    },
    wants: &["await"],
    applies: |facts| facts.kind == FileKind::Source,
    check,
};

fn check(cx: &mut Cx<'_, '_>) {
    let module = cx.module;
    for list in waiting_lists(module) {
        for (at, pair) in list.windows(2).enumerate() {
            if let Statement::IfStatement(condition) = &pair[1]
                && let Some(step) = Step::of(&pair[0])
                && let Some(hit) = found(cx, &step, condition)
                && !(at > 0 && runs_with(cx, &list[at - 1], &step, condition.test.span()))
            {
                cx.report(hit);
            }
        }
    }
}

fn found<'a>(cx: &Cx<'_, 'a>, step: &Step<'a>, condition: &'a IfStatement<'a>) -> Option<Hit> {
    let module = cx.module;
    let &[symbol] = step.symbols() else { return None };
    let name = step.name()?;
    if !asks(cx, step) || module.uses(symbol).count() != 1 {
        return None;
    }
    // It must take time, and be for nothing but its answer.
    let within = inside(cx, step.awaited.span());
    if within.is_idle || within.writes || within.throws {
        return None;
    }
    let sides = sides(&condition.test)?;
    let (flags, free): (Vec<_>, Vec<_>) =
        sides.into_iter().partition(|it| is_flag(module, it, symbol));
    let [flag] = flags[..] else { return None };
    let span = Span::new(step.span().start, condition.test.span().end);
    let fits = free.iter().all(|it| is_settled(cx, it, step.awaited))
        && !is_ordered(module, step.node)
        && !is_meant(module, span)
        && !reads_clock(module, span);
    if !fits {
        return None;
    }
    let message = format!(
        "`{name}` is awaited even if `{}` is false; check that first and await in the condition",
        free.iter().map(|it| shown(module, it.span())).collect::<Vec<_>>().join(" && ")
    );
    let hit = Hit::at(step.span(), message);
    Some(match edits(module, step, condition, flag, &free) {
        Some(edits) => hit.auto_unless(
            doubt(cx, step, condition, &free),
            "check the cheap condition first",
            edits,
        ),
        None => hit,
    })
}

/// The parts of `a && b && c`, in their order; none for anything else.
fn sides<'a>(test: &'a Expression<'a>) -> Option<Vec<&'a Expression<'a>>> {
    let mut sides = Vec::new();
    let mut current = test;
    while let Expression::LogicalExpression(both) = current
        && both.operator == LogicalOperator::And
    {
        sides.push(&both.right);
        current = &both.left;
    }
    sides.push(current);
    sides.reverse();
    (sides.len() > 1).then_some(sides)
}

/// A read, or a question: `isEnabled()`, `hasFeature()`.
fn asks<'a>(cx: &Cx<'_, 'a>, step: &Step<'a>) -> bool {
    match sort(cx, step.awaited) {
        Sort::Read => true,
        Sort::Other => called_name(step.awaited).is_some_and(|name| {
            let words = words(name);
            let first = words.first().map(String::as_str).unwrap_or_default();
            words.len() > 1 && ["is", "has", "should"].contains(&first)
        }),
        Sort::Prefetch | Sort::Identity | Sort::Gate | Sort::Cheap => false,
    }
}

/// `f` or `!f`.
fn is_flag<'a>(module: &Module<'a>, side: &Expression<'a>, symbol: SymbolId) -> bool {
    match side {
        Expression::UnaryExpression(it) if it.operator == UnaryOperator::LogicalNot => {
            module.symbol_of(&it.argument) == Some(symbol)
        }
        other => module.symbol_of(other) == Some(symbol),
    }
}

fn doubt<'a>(
    cx: &Cx<'_, 'a>,
    step: &Step<'a>,
    condition: &IfStatement<'a>,
    free: &[&Expression<'a>],
) -> Option<String> {
    let module = cx.module;
    if is_in_try(module, step.node) {
        return Some(
            "the enclosing `try` may rely on an error that would no longer be thrown".to_owned(),
        );
    }
    if module.function_around(step.node).is_none() {
        return Some("this is a top-level `await`".to_owned());
    }
    let is_typed = step.bound.as_ref().is_some_and(|it| it.declarator.type_annotation.is_some());
    if is_typed {
        return Some("its type annotation would be lost".to_owned());
    }
    if condition.alternate.is_some() || !is_last(module, step.node, condition.span) {
        return Some("code that runs if the condition is false would run earlier".to_owned());
    }
    doubt_of_read(cx, step.awaited)
        .or_else(|| free.iter().find_map(|it| doubt_of_condition(cx, it)))
        .or_else(|| doubt_of_rendering(cx))
}

fn edits<'a>(
    module: &Module<'a>,
    step: &Step<'a>,
    condition: &IfStatement<'a>,
    flag: &Expression<'a>,
    free: &[&Expression<'a>],
) -> Option<Vec<Edit>> {
    let test = condition.test.span();
    let gap = Span::new(step.span().start, condition.span.start);
    let line = module.text()[step.span().end as usize..].lines().next().unwrap_or_default();
    if module.has_comment(gap) || module.has_comment(test) || !line.trim().is_empty() {
        return None;
    }
    let awaited = format!("(await {})", module.operand_code(step.awaited));
    let asked = match flag {
        Expression::UnaryExpression(_) => format!("!{awaited}"),
        _ => awaited,
    };
    let first: Vec<String> = free.iter().map(|it| operand(module, it)).collect();
    let first = first.join(" && ");
    // Between the parentheses of the `if`, whatever parentheses stand around the sides.
    let open = module.text()[condition.span.start as usize..].find('(')?;
    let start = condition.span.start + u32::try_from(open).ok()? + 1;
    let upto = condition.consequent.span().start;
    let close = module.slice(Span::new(start, upto)).rfind(')')?;
    let end = start + u32::try_from(close).ok()?;
    let delete = delete_statement(module, step.span())?;
    Some(vec![delete, Edit::replace(start, end, format!("{first} && {asked}"))])
}

/// A side of `&&`, in parentheses where it binds less.
fn operand<'a>(module: &Module<'a>, side: &Expression<'a>) -> String {
    let text = module.slice(side.span());
    match side {
        // Of the operators that PURE0 knows, these bind less than `&&`.
        Expression::ConditionalExpression(_) => format!("({text})"),
        Expression::LogicalExpression(it) if it.operator != LogicalOperator::And => {
            format!("({text})")
        }
        _ => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::RULE;
    use crate::testing::{Setup, check_doc};

    #[test]
    fn ru1_async_cheap_condition_before_await_doc() {
        check_doc(&RULE);
    }

    #[test]
    fn ru1_async_cheap_condition_before_await_is_fixed() {
        Setup::new().fixes(&RULE, RULE.doc.wrong, RULE.doc.right);
        Setup::new().path("src/a.js").fixes(
            &RULE,
            "const run = async (a, b) => {
  const on = await fetch('/x')
  if ((a || b) && !on) {
    start()
  }
}
",
            "const run = async (a, b) => {
  if ((a || b) && !(await fetch('/x'))) {
    start()
  }
}
",
        );
        Setup::new().fixes(
            &RULE,
            "async function run(a: boolean, b: boolean) {
  const on = await fetch('/x');
  if (a && on && (b || a)) start();
}",
            "async function run(a: boolean, b: boolean) {
  if (a && (b || a) && (await fetch('/x'))) start();
}",
        );
    }

    #[test]
    fn ru1_async_cheap_condition_before_await_drafts() {
        Setup::new().check(
            &RULE,
            "async function run(user: { isOwner: boolean } | null) {
  const on = await readFlag('x');
  if (on && user.isOwner) await work();
  const enabled = await client.isEnabled('y');
  if (enabled && (user ? true : false)) await work();
}
",
            expect![[r#"
                2:3 warning: `on` is awaited even if `user.isOwner` is false; check that first and await in the condition [assist: check the cheap condition first] (not proved: code that runs if the condition is false would run earlier)
                4:3 warning: `enabled` is awaited even if `user ? true : false` is false; check that first and await in the condition [assist: check the cheap condition first] (not proved: `client.isEnabled('y')` may have side effects)
                --- assist
                async function run(user: { isOwner: boolean } | null) {
                  if (user.isOwner && (await readFlag('x'))) await work();
                  if ((user ? true : false) && (await client.isEnabled('y'))) await work();
                }

            "#]],
        );
    }

    #[test]
    fn ru1_async_cheap_condition_before_await_looks_inside() {
        let found = |body: &str| {
            let text = format!(
                "const repo = {{ async getKey(id) {{ {body} }} }};
export async function f(on) {{
  const key = await repo.getKey(1);
  if (on && !key) {{
    note();
  }}
}}"
            );
            Setup::new().findings(&RULE, &text).len()
        };
        assert_eq!(found("return db.find(id);"), 1);
        let stub = "export async function f(on) {
  const repo = { getKey: async (_id: number) => null as string | null };
  const key = await repo.getKey(1);
  if (!!on && !key) {
    note();
  }
}";
        Setup::new().silent(&RULE, stub);
        // It waits for nothing, keeps something, or is a check.
        assert_eq!(found("return null;"), 0);
        assert_eq!(found("last = await db.find(id); return last;"), 0);
        assert_eq!(found("if (!id) throw new Error(); return db.find(id);"), 0);
    }

    #[test]
    fn ru1_async_cheap_condition_before_await_is_silent() {
        let setup = Setup::new();
        for body in [
            // The condition depends on the flag, or on what the call does.
            "const on = await getFlag(); if (on && on.all) work();",
            "const on = await getFlag(state); if (on && state.ready2) work();",
            "const on = await getFlag(); if (on && ref.current) work();",
            "const on = await getFlag(); if (on && isOwner()) work();",
            "const row = await Row.findOne({ lock: true }); if (!row && isOwner) work();",
            // Better started together.
            "const a = await getA(); const b = await getB(); if (!a && !b) work();",
            // It is used elsewhere too.
            "const on = await getFlag(); if (on && isOwner) work(); log(on);",
            // Not asked, but done.
            "const ok = await save(); if (ok && isOwner) work();",
            "const ok = await verifyToken(); if (ok && isOwner) work();",
            "const s = await getSession(); if (s && isOwner) work();",
            // Not `&&`, or not beside each other.
            "const on = await getFlag(); if (on || isOwner) work();",
            "const on = await getFlag(); note(); if (on && isOwner) work();",
            "const on = await getFlag(); if (on) work();",
        ] {
            setup.silent(&RULE, &format!("async function f(isOwner, ref, state) {{ {body} }}"));
        }
    }

    #[test]
    fn ru1_async_cheap_condition_before_await_proves_little() {
        let setup = Setup::new();
        for body in [
            "const on = await readFlag('x'); if (on && isOwner) work();",
            // What follows would run before the caller goes on.
            "const on = await fetch('/x'); if (on && isOwner) work(); more();",
            "const on = await fetch('/x'); if (on && isOwner) work(); else more();",
            "const on: Response = await fetch('/x'); if (on && isOwner) work();",
            "const on = await fetch('/x'); if (on && user.isOwner) work();",
            "try { const on = await fetch('/x'); if (on && isOwner) work(); } catch {}",
            "const on = await fetch('/x'); // why\n if (on && isOwner) work();",
            "const on = await fetch('/x'); if (on /* why */ && isOwner) work();",
        ] {
            // Each on its own line, so that an edit can be made.
            let body = body.replace("; ", ";\n");
            setup.no_auto(&RULE, &format!("async function f(isOwner, user) {{\n{body}\n}}"));
        }
    }
}
