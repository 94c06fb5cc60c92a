//! All items of one list are awaited before the first read for an item of the next begins.

use oxc_ast::ast::{BindingPattern, Expression, Statement};
use oxc_semantic::SymbolId;
use oxc_span::{GetSpan, Span};
use rb_core::Edit;
use rb_ecma::{Func, Module};

use crate::cx::{Cx, Hit};
use crate::facts::FileKind;
use crate::rule::{Category, Doc, FixKind, Impact, Level, Rule};
use crate::rules::waterfalls::awaits::{Step, is_meant, is_ordered, waiting_lists};
use crate::rules::waterfalls::names::{Sort, mapping, promise_all, sort};

pub static RULE: Rule = Rule {
    id: "server-parallel-nested-fetching",
    title: "Reads for each item wait for all items before them",
    category: Category::Server,
    impact: Impact::Critical,
    fix: FixKind::Assist,
    level: Level::Default,
    repairs: false,
    doc: Doc {
        what: "`await Promise.all(xs.map(f))` is followed directly by `await Promise.all(ys.map(g))` over its \
               result.",
        why: "One slow item of the first list delays the second read of every other item.",
        wrong: "async function owners(ids: string[]) {
  const chats = await Promise.all(ids.map((id) => readChat(id)));
  const users = await Promise.all(chats.map((chat) => readUser(chat.owner)));
  return users;
}",
        right: "async function owners(ids: string[]) {
  const users = await Promise.all(ids.map((id) => readChat(id).then((chat) => readUser(chat.owner))));
  return users;
}",
        safe: "Always a draft: the number of concurrent calls and the order of errors change.",
        leave: "The first list is deduplicated or batched on purpose, or the other side limits calls.",
        given: &[],
    },
    wants: &["Promise.all"],
    applies: |facts| facts.kind == FileKind::Source,
    check,
};

fn check(cx: &mut Cx<'_, '_>) {
    let module = cx.module;
    for list in waiting_lists(module) {
        for pair in list.windows(2) {
            if let Some(hit) = found(cx, &pair[0], &pair[1]) {
                cx.report(hit);
            }
        }
    }
}

fn found<'a>(cx: &Cx<'_, 'a>, first: &'a Statement<'a>, second: &'a Statement<'a>) -> Option<Hit> {
    let module = cx.module;
    let (first, second) = (Step::of(first)?, Step::of(second)?);
    let (items, outer) = mapping(promise_all(module, first.awaited)?)?;
    let (results, inner) = mapping(promise_all(module, second.awaited)?)?;
    let &[symbol] = first.symbols() else { return None };
    let name = first.name()?;
    let is_chained = module.symbol_of(results) == Some(symbol);
    let span = Span::new(first.span().start, second.span().end);
    let fits = is_chained
        && second.name().is_some()
        && parameter(outer).is_some()
        && parameter(inner).is_some()
        // The whole of the first result may be needed for each item.
        && !module.mentions(inner.span(), symbol)
        && [first.awaited, second.awaited].into_iter().all(|it| sort(cx, it) == Sort::Read)
        && !is_ordered(module, first.node)
        && !is_meant(module, span);
    if !fits {
        return None;
    }
    let message = format!(
        "every read for `{}` waits until all of `{name}` are loaded; chain the second read to each item of `{}`",
        second.name()?,
        crate::rules::waterfalls::proofs::shown(module, items.span()),
    );
    let hit = Hit::at(span, message);
    Some(match draft(module, &first, &second, outer, inner, symbol) {
        Some(edits) => hit.assist("chain the reads per item", edits),
        None => hit,
    })
}

/// The one parameter.
fn parameter(func: Func<'_>) -> Option<&BindingPattern<'_>> {
    match &func.params().items[..] {
        [only] if func.params().rest.is_none() => Some(&only.pattern),
        _ => None,
    }
}

/// What a callback gives as a promise: `f(x)` of `x => f(x)` and of `async x => await f(x)`.
fn promised(func: Func<'_>) -> Option<&Expression<'_>> {
    let value = func.returned()?;
    let value = match value.get_inner_expression() {
        Expression::AwaitExpression(it) => &it.argument,
        _ => value,
    };
    matches!(value, Expression::CallExpression(_)).then_some(value)
}

fn draft<'a>(
    module: &Module<'a>,
    first: &Step<'a>,
    second: &Step<'a>,
    outer: Func<'a>,
    inner: Func<'a>,
    symbol: SymbolId,
) -> Option<Vec<Edit>> {
    let span = Span::new(first.span().start, second.span().end);
    let is_typed = |step: &Step<'a>| {
        step.bound.as_ref().is_some_and(|it| it.declarator.type_annotation.is_some())
    };
    if module.has_comment(span) || is_typed(first) || is_typed(second) {
        return None;
    }
    let (value, next) = (promised(outer)?, promised(inner)?);
    let waits = |it: &Expression<'a>| module.slice(it.span()).contains("await");
    if waits(value) || waits(next) {
        return None;
    }
    // The parameter of the second may hide a name that the first uses; inside of `then` that does no harm.
    let item = module.slice(parameter(inner)?.span());
    let is_plain = parameter(inner)?.is_binding_identifier();
    let argument = if is_plain { item.to_owned() } else { format!("({item})") };
    let head = if is_plain { format!("({argument})") } else { argument };
    let is_last = module.value_uses(symbol).count() == 1;
    let chained = if is_last {
        format!("{}.then({head} => {})", module.code(value), module.code(next))
    } else {
        let name = is_plain.then_some(item)?;
        format!(
            "{}.then(async ({name}) => [{name}, await {}] as const)",
            module.code(value),
            module.code(next)
        )
    };
    let all = module.slice(first.awaited.span());
    let offset = (value.span().start - first.awaited.span().start) as usize;
    let length = (value.span().end - value.span().start) as usize;
    let awaited = format!("{}{chained}{}", &all[..offset], &all[offset + length..]);
    let style = module.style();
    let (end, eol) = (style.semicolon(), style.line_end);
    let indent = module.indent_at(span.start);
    let (one, two) = (first.name()?, second.name()?);
    let code = if is_last {
        format!("const {two} = await {awaited}{end}")
    } else {
        let pairs = module.fresh_name("pairs");
        format!(
            "const {pairs} = await {awaited}{end}{eol}{indent}const {one} = {pairs}.map(([it]) => it){end}{eol}{indent}const {two} = {pairs}.map(([, it]) => it){end}"
        )
    };
    let code = if module.is_typescript() { code } else { code.replace(" as const)", ")") };
    Some(vec![Edit::replace(span.start, span.end, code)])
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::RULE;
    use crate::testing::{Setup, check_doc};

    #[test]
    fn ru1_server_parallel_nested_fetching_doc() {
        check_doc(&RULE);
    }

    #[test]
    fn ru1_server_parallel_nested_fetching_chains() {
        Setup::new().check(&RULE, RULE.doc.wrong, expect![[r#"
            2:3 error: every read for `users` waits until all of `chats` are loaded; chain the second read to each item of `ids` [assist: chain the reads per item]
            --- assist
            async function owners(ids: string[]) {
              const users = await Promise.all(ids.map((id) => readChat(id).then((chat) => readUser(chat.owner))));
              return users;
            }
        "#]]);
        // The first result is used later: pairs.
        let text = "const f = async (ids) => {
  const chats = await Promise.all(ids.map(async (id) => await readChat(id)))
  const users = await Promise.all(chats.map((chat) => readUser(chat.owner)))
  return { chats, users }
}";
        Setup::new().path("src/a.js").check(&RULE, text, expect![[r#"
            2:3 error: every read for `users` waits until all of `chats` are loaded; chain the second read to each item of `ids` [assist: chain the reads per item]
            --- assist
            const f = async (ids) => {
              const pairs = await Promise.all(ids.map(async (id) => await readChat(id).then(async (chat) => [chat, await readUser(chat.owner)])))
              const chats = pairs.map(([it]) => it)
              const users = pairs.map(([, it]) => it)
              return { chats, users }
            }
        "#]]);
        Setup::new().path("src/a.ts").check(
            &RULE,
            "async function f(ids: string[]) {
  const chats = await Promise.all(ids.map((id) => readChat(id)));
  const users = await Promise.all(chats.map(({ owner }) => readUser(owner)));
  return users;
}",
            expect![[r#"
                2:3 error: every read for `users` waits until all of `chats` are loaded; chain the second read to each item of `ids` [assist: chain the reads per item]
                --- assist
                async function f(ids: string[]) {
                  const users = await Promise.all(ids.map((id) => readChat(id).then(({ owner }) => readUser(owner))));
                  return users;
                }
            "#]],
        );
    }

    #[test]
    fn ru1_server_parallel_nested_fetching_is_silent() {
        let setup = Setup::new();
        for body in [
            // Batches, and doubles taken out between.
            "const a = await Promise.all(ids.map((id) => readA(id))); const keys = [...new Set(a.map((it) => it.k))]; const b = await Promise.all(keys.map((k) => readB(k)));",
            "const a = await Promise.all(ids.map((id) => readA(id))); const b = await Promise.all([...new Set(a)].map((k) => readB(k)));",
            // The whole list is needed for each.
            "const a = await Promise.all(ids.map((id) => readA(id))); const b = await Promise.all(a.map((it) => readB(it, a.length)));",
            // More than one parameter.
            "const a = await Promise.all(ids.map((id) => readA(id))); const b = await Promise.all(a.map((it, i) => readB(it, i)));",
            // Another list.
            "const a = await Promise.all(ids.map((id) => readA(id))); const b = await Promise.all(ids.map((id) => readB(id)));",
            // Effects, order.
            "const a = await Promise.all(ids.map((id) => saveA(id))); const b = await Promise.all(a.map((it) => readB(it)));",
            "// in batches, because of the rate limit\nconst a = await Promise.all(ids.map((id) => readA(id))); const b = await Promise.all(a.map((it) => readB(it)));",
        ] {
            setup.silent(&RULE, &format!("async function f(ids) {{ {body} }}"));
        }
    }
}
