//! A read waits for a whole `Promise.all` of which it needs a part, or a part of a `Promise.all` waits for what it does not
//! need.

use oxc_ast::ast::{BindingPattern, Expression, Statement};
use oxc_semantic::SymbolId;
use oxc_span::{GetSpan, Span};
use rb_core::Edit;
use rb_ecma::Module;

use super::awaits::{Step, depends, is_in_handler, is_meant, is_ordered, waiting_lists};
use super::names::{Sort, elements, promise_all, sort};
use super::proofs::shown;
use super::runs::{parts, promise_code, reading_step, statement_code};
use crate::cx::{Cx, Hit};
use crate::facts::FileKind;
use crate::rule::{Category, Doc, FixKind, Impact, Level, Rule};

pub static RULE: Rule = Rule {
    id: "async-dependencies",
    title: "A read waits for more than it needs",
    category: Category::Waterfalls,
    impact: Impact::Critical,
    fix: FixKind::Assist,
    level: Level::Default,
    repairs: false,
    doc: Doc {
        what: "After `const [a, b] = await Promise.all([…])`, another read is awaited that uses `a` but not `b`; or \
               a read is awaited before a `Promise.all` of which only a part uses it.",
        why: "The other read could start as soon as its own input is available. Now it waits for the slowest of the \
              others.",
        wrong: "async function profile() {
  const [user, flags] = await Promise.all([readUser(), readFlags()]);
  const posts = await readPosts(user.id);
  return { user, flags, posts };
}",
        right: "async function profile() {
  const userPromise = readUser();
  const [user, flags, posts] = await Promise.all([
    userPromise,
    readFlags(),
    userPromise.then((user) => readPosts(user.id)),
  ]);
  return { user, flags, posts };
}",
        safe: "Always a draft. All promises reach one `Promise.all` with no `await` in between, so none is left \
               floating; but a failing call no longer prevents the others from starting, and the error you see is \
               the first in time.",
        leave: "The other read must not start unless all the others succeed.",
        given: &[],
    },
    wants: &["Promise.all"],
    applies: |facts| facts.kind == FileKind::Source,
    check,
};

fn check(cx: &mut Cx<'_, '_>) {
    let module = cx.module;
    for list in waiting_lists(module) {
        for (node, hit) in held_back(cx, list) {
            if !is_in_handler(cx, node) {
                cx.report(hit);
            }
        }
    }
}

/// A `Promise.all` with what each of its elements is bound to.
struct Tuple<'a> {
    step: Step<'a>,
    parts: Vec<(Vec<SymbolId>, &'a Expression<'a>)>,
}

impl<'a> Tuple<'a> {
    /// The elements as they would stand in statements of their own: their lines are further in.
    fn codes(&self, module: &Module<'a>) -> Option<Vec<String>> {
        let outer = module.indent_at(self.step.span().start);
        let code = |value: &'a Expression<'a>| {
            let code = promise_code(module, value)?;
            let own = module.indent_at(value.span().start);
            let is_moved = own.len() > outer.len() && !code.contains('`');
            Some(if is_moved {
                code.replace(&format!("\n{own}"), &format!("\n{outer}"))
            } else {
                code
            })
        };
        self.parts.iter().map(|(_, it)| code(it)).collect()
    }
}

/// What waits for too much in one list of statements.
pub fn held_back<'a>(
    cx: &Cx<'_, 'a>,
    list: &'a [Statement<'a>],
) -> Vec<(oxc_semantic::NodeId, Hit)> {
    let mut found = Vec::new();
    for pair in list.windows(2) {
        let (Some(first), Some(second)) = (Step::of(&pair[0]), Step::of(&pair[1])) else {
            continue;
        };
        let span = Span::new(first.span().start, second.span().end);
        let node = first.node;
        let hit = match (tuple(cx.module, &first), tuple(cx.module, &second)) {
            (Some(tuple), None) if reading_step(cx, &pair[1]).is_some() => {
                behind(cx, &tuple, &second)
            }
            (None, Some(tuple)) if reading_step(cx, &pair[0]).is_some() => {
                ahead(cx, &first, &tuple)
            }
            _ => None,
        };
        let Some(hit) = hit else { continue };
        if !is_ordered(cx.module, node) && !is_meant(cx.module, span) {
            found.push((node, hit));
        }
    }
    found
}

fn tuple<'a>(module: &Module<'a>, step: &Step<'a>) -> Option<Tuple<'a>> {
    let values = elements(promise_all(module, step.awaited)?)?;
    let bound = step.bound.as_ref()?;
    let BindingPattern::ArrayPattern(pattern) = &bound.declarator.id else { return None };
    if pattern.rest.is_some() || pattern.elements.len() != values.len() || values.len() < 2 {
        return None;
    }
    let symbols = |pattern: &Option<BindingPattern<'a>>| {
        let names = pattern.iter().flat_map(BindingPattern::get_binding_identifiers);
        names.filter_map(|it| it.symbol_id.get()).collect()
    };
    let parts = pattern.elements.iter().map(symbols).zip(values).collect();
    Some(Tuple { step: step.clone(), parts })
}

/// `const [a, b] = await Promise.all([…]); const c = await f(a);`
fn behind<'a>(cx: &Cx<'_, 'a>, tuple: &Tuple<'a>, later: &Step<'a>) -> Option<Hit> {
    let module = cx.module;
    let is_needed =
        |symbols: &[SymbolId]| symbols.iter().any(|&it| module.mentions(later.span(), it));
    let (needed, others): (Vec<_>, Vec<_>) =
        tuple.parts.iter().partition(|(symbols, _)| is_needed(symbols));
    let idle: Vec<_> = others.into_iter().filter(|(_, it)| sort(cx, it) == Sort::Read).collect();
    if needed.is_empty() || idle.is_empty() || has_gate(cx, tuple) {
        return None;
    }
    let name = |it: &(Vec<SymbolId>, &'a Expression<'a>)| {
        it.0.first().map_or_else(
            || format!("`{}`", shown(module, it.1.span())),
            |&symbol| format!("`{}`", module.name(symbol)),
        )
    };
    let message = format!(
        "`{}` needs only {} but also waits for {}; chain it with `.then` and await everything together",
        later.label(module),
        needed.iter().map(|it| name(it)).collect::<Vec<_>>().join(" and "),
        idle.iter().map(|it| name(it)).collect::<Vec<_>>().join(" and "),
    );
    let hit = Hit::at(later.span(), message);
    Some(match needed[..] {
        [source] => match chained(module, tuple, source, later) {
            Some(edit) => hit.assist("chain it and await everything together", vec![edit]),
            None => hit,
        },
        _ => hit,
    })
}

fn has_gate<'a>(cx: &Cx<'_, 'a>, tuple: &Tuple<'a>) -> bool {
    tuple.parts.iter().any(|(_, it)| matches!(sort(cx, it), Sort::Gate | Sort::Identity))
}

fn chained<'a>(
    module: &Module<'a>,
    tuple: &Tuple<'a>,
    source: &(Vec<SymbolId>, &'a Expression<'a>),
    later: &Step<'a>,
) -> Option<Edit> {
    let span = Span::new(tuple.step.span().start, later.span().end);
    let [symbol] = source.0[..] else { return None };
    let at = tuple.parts.iter().position(|it| it.1.span() == source.1.span())?;
    let BindingPattern::ArrayPattern(pattern) = &tuple.step.bound.as_ref()?.declarator.id else {
        return None;
    };
    let is_name = pattern.elements[at].as_ref().is_some_and(BindingPattern::is_binding_identifier);
    if !is_name || module.has_comment(span) {
        return None;
    }
    let name = module.name(symbol);
    let promise = module.fresh_name(&format!("{name}Promise"));
    let (mut targets, _) = parts(module, &tuple.step)?;
    let mut values = tuple.codes(module)?;
    let (more, value) = parts(module, later)?;
    let [value] = &value[..] else { return None };
    if !is_read_beside(module, symbol, span) && matches!(source.1, Expression::CallExpression(_)) {
        // Nobody else wants it: it needs no name.
        targets[at] = more.into_iter().next()?;
        values[at] = format!("{}.then(({name}) => {value})", values[at]);
        return Some(whole(module, span, None, &targets, &values));
    }
    let start = std::mem::replace(&mut values[at], promise.clone());
    targets.extend(more);
    values.push(format!("{promise}.then(({name}) => {value})"));
    Some(whole(module, span, Some((&promise, &start)), &targets, &values))
}

/// Is the name used outside of this piece of the text?
fn is_read_beside(module: &Module<'_>, symbol: SymbolId, span: Span) -> bool {
    module.uses(symbol).any(|it| !span.contains_inclusive(it.span))
}

/// `const a = await f(); const [b, c] = await Promise.all([g(a), h()]);`
fn ahead<'a>(cx: &Cx<'_, 'a>, earlier: &Step<'a>, tuple: &Tuple<'a>) -> Option<Hit> {
    let module = cx.module;
    let hangs = |it: &Expression<'a>| depends(module, it.span(), earlier);
    let (needing, others): (Vec<_>, Vec<_>) = tuple.parts.iter().partition(|(_, it)| hangs(it));
    let idle: Vec<_> = others.into_iter().filter(|(_, it)| sort(cx, it) == Sort::Read).collect();
    if needing.is_empty() || idle.is_empty() || has_gate(cx, tuple) {
        return None;
    }
    let code = |it: &Expression<'a>| format!("`{}`", shown(module, it.span()));
    let names = idle.iter().map(|it| code(it.1)).collect::<Vec<_>>().join(" and ");
    let name = earlier.label(module);
    let message = if idle.len() == 1 {
        format!("{names} does not depend on `{name}` but waits for it; run them in parallel")
    } else {
        format!("{names} do not depend on `{name}` but wait for it; run them in parallel")
    };
    let hit = Hit::at(idle[0].1.span(), message);
    Some(match started_first(module, earlier, tuple, &hangs) {
        Some(edit) => hit.assist("run them in parallel", vec![edit]),
        None => hit,
    })
}

fn started_first<'a>(
    module: &Module<'a>,
    earlier: &Step<'a>,
    tuple: &Tuple<'a>,
    hangs: &dyn Fn(&Expression<'a>) -> bool,
) -> Option<Edit> {
    let span = Span::new(earlier.span().start, tuple.step.span().end);
    let name = earlier.name()?;
    if module.has_comment(span) {
        return None;
    }
    let promise = module.fresh_name(&format!("{name}Promise"));
    let (first, _) = parts(module, earlier)?;
    let (more, _) = parts(module, &tuple.step)?;
    let codes = tuple.codes(module)?;
    let start = promise_code(module, earlier.awaited)?;
    let is_read = earlier.symbols().iter().any(|&it| is_read_beside(module, it, span));
    let is_once = tuple.parts.iter().filter(|(_, it)| hangs(it)).count() == 1;
    let is_inline = !is_read && is_once && matches!(earlier.awaited, Expression::CallExpression(_));
    let from = if is_inline { &start } else { &promise };
    let chained = tuple.parts.iter().zip(codes).map(|((_, value), code)| {
        if hangs(value) { format!("{from}.then(({name}) => {code})") } else { code }
    });
    // What nobody reads any more is not bound.
    let (first, kept) = if is_read { (first, Some(promise.clone())) } else { (Vec::new(), None) };
    let targets: Vec<String> = first.into_iter().chain(more).collect();
    let values: Vec<String> = kept.into_iter().chain(chained).collect();
    let started = (!is_inline).then_some((promise.as_str(), start.as_str()));
    Some(whole(module, span, started, &targets, &values))
}

/// The statement that awaits all, below the promise that is started before, if it has a name.
fn whole(
    module: &Module<'_>,
    span: Span,
    started: Option<(&str, &str)>,
    targets: &[String],
    values: &[String],
) -> Edit {
    let style = module.style();
    let (indent, end) = (module.indent_at(span.start), style.semicolon());
    let code = statement_code(module, span.start, "const", targets, values);
    let first = started.map_or_else(String::new, |(promise, start)| {
        format!("const {promise} = {start}{end}{}{indent}", style.line_end)
    });
    Edit::replace(span.start, span.end, format!("{first}{code}"))
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::RULE;
    use crate::testing::{Setup, check_doc};

    #[test]
    fn ru1_async_dependencies_doc() {
        check_doc(&RULE);
    }

    #[test]
    fn ru1_async_dependencies_behind() {
        Setup::new().check(&RULE, RULE.doc.wrong, expect![[r#"
            3:3 error: `posts` needs only `user` but also waits for `flags`; chain it with `.then` and await everything together [assist: chain it and await everything together]
            --- assist
            async function profile() {
              const userPromise = readUser();
              const [user, flags, posts] = await Promise.all([
                userPromise,
                readFlags(),
                userPromise.then((user) => readPosts(user.id))
              ]);
              return { user, flags, posts };
            }
        "#]]);
    }

    #[test]
    fn ru1_async_dependencies_ahead() {
        Setup::new().path("src/a.js").check(
            &RULE,
            "const profile = async () => {
  const user = await readUser()
  const [posts, flags] = await Promise.all([readPosts(user.id), readFlags()])
  return { user, posts, flags }
}",
            expect![[r#"
                3:65 error: `readFlags()` does not depend on `user` but waits for it; run them in parallel [assist: run them in parallel]
                --- assist
                const profile = async () => {
                  const userPromise = readUser()
                  const [user, posts, flags] = await Promise.all([
                    userPromise,
                    userPromise.then((user) => readPosts(user.id)),
                    readFlags()
                  ])
                  return { user, posts, flags }
                }
            "#]],
        );
    }

    #[test]
    fn ru1_async_dependencies_binds_what_is_read() {
        Setup::new().check(
            &RULE,
            "async function f(s: string) {
  const id = await readId(s);
  const [tags, flags] = await Promise.all([readTags(id), readFlags(s)]);
  const own = await readOwn(s);
  const [rows, texts, names] = await Promise.all([readRows(own), readTexts(own), readNames(s)]);
  return [tags, flags, rows, texts, names];
}
async function g(s: string) {
  const [text, id] = await Promise.all([readText(s), readId(s)]);
  const tags = await readTags(id);
  return [text, tags];
}",
            expect![[r#"
                3:58 error: `readFlags(s)` does not depend on `id` but waits for it; run them in parallel [assist: run them in parallel]
                5:82 error: `readNames(s)` does not depend on `own` but waits for it; run them in parallel [assist: run them in parallel]
                10:3 error: `tags` needs only `id` but also waits for `text`; chain it with `.then` and await everything together [assist: chain it and await everything together]
                --- assist
                async function f(s: string) {
                  const [tags, flags] = await Promise.all([
                    readId(s).then((id) => readTags(id)),
                    readFlags(s)
                  ]);
                  const ownPromise = readOwn(s);
                  const [rows, texts, names] = await Promise.all([
                    ownPromise.then((own) => readRows(own)),
                    ownPromise.then((own) => readTexts(own)),
                    readNames(s)
                  ]);
                  return [tags, flags, rows, texts, names];
                }
                async function g(s: string) {
                  const [text, tags] = await Promise.all([
                    readText(s),
                    readId(s).then((id) => readTags(id))
                  ]);
                  return [text, tags];
                }
            "#]],
        );
    }

    #[test]
    fn ru1_async_dependencies_ahead_of_several() {
        let text = "async function f(s) {\n  const a = await readA(s);\n  const [b, c, d] = await Promise.all([readB(a), readC(s), readD(s)]);\n  return [b, c, d];\n}";
        let found = Setup::new().findings(&RULE, text);
        let said: Vec<&str> = found.iter().map(|it| it.message.as_str()).collect();
        assert_eq!(
            said,
            [
                "`readC(s)` and `readD(s)` do not depend on `a` but wait for it; run them in parallel"
            ]
        );
    }

    #[test]
    fn ru1_async_dependencies_keeps_lines_in_place() {
        Setup::new().check(
            &RULE,
            "async function f(s: string) {
  const [text, id] = await Promise.all([
    readText({
      s,
    }),
    readId(s),
  ]);
  const tags = await readTags(
    id,
  );
  return [text, id, tags];
}",
            expect![[r#"
                8:3 error: `tags` needs only `id` but also waits for `text`; chain it with `.then` and await everything together [assist: chain it and await everything together]
                --- assist
                async function f(s: string) {
                  const idPromise = readId(s);
                  const [text, id, tags] = await Promise.all([
                    readText({
                      s,
                    }),
                    idPromise,
                    idPromise.then((id) => readTags(
                      id,
                    )),
                  ]);
                  return [text, id, tags];
                }
            "#]],
        );
    }

    #[test]
    fn ru1_async_dependencies_without_a_draft() {
        Setup::new().check(
            &RULE,
            "async function f() {
  const [a, b, { c }] = await Promise.all([getA(), getB(), getC()]);
  const d = await getD(a, b);
  const [g, h, i] = await Promise.all([getG(), getH(), getI()]);
  // of both
  const { k } = await getK(h);
  return [c, d, g, i, k];
}",
            expect![[r#"
                3:3 error: `d` needs only `a` and `b` but also waits for `c`; chain it with `.then` and await everything together
                6:3 error: `k` needs only `h` but also waits for `g` and `i`; chain it with `.then` and await everything together
            "#]],
        );
    }

    #[test]
    fn ru1_async_dependencies_is_silent() {
        let setup = Setup::new();
        for body in [
            // All of it is needed.
            "const [a, b] = await Promise.all([getA(), getB()]); const c = await getC(a, b);",
            // Nothing of it is needed: `async-parallel` tells.
            "const [a, b] = await Promise.all([getA(), getB()]); const c = await getC();",
            // A branch between guards the later call.
            "const [a, b] = await Promise.all([getA(), getB()]); if (!a) return; const c = await getC(a);",
            // Effects, gates, transactions, order.
            "const [a, b] = await Promise.all([getA(), getB()]); const c = await saveC(a);",
            "const [a, b] = await Promise.all([getSession(), getB()]); const c = await getC(a);",
            "const [a, b] = await Promise.all([getA(), requireB()]); const c = await getC(a);",
            "const s = await auth(); const [a, b] = await Promise.all([getA(s.id), getB()]);",
            "const { id } = await params; const [a, b] = await Promise.all([getA(id), getB()]);",
            "await db.$transaction(async (t) => { const [a, b] = await Promise.all([t.getA(), t.getB()]); const c = await t.getC(a); });",
            "// c must come after b\nconst [a, b] = await Promise.all([getA(), getB()]); const c = await getC(a);",
            // What is not needed costs nothing.
            "const [a, b] = await Promise.all([getA(), cookies()]); const c = await getC(a);",
            // Not taken apart.
            "const all = await Promise.all([getA(), getB()]); const c = await getC(all[0]);",
            "const [a, ...rest] = await Promise.all([getA(), getB()]); const c = await getC(a);",
        ] {
            setup.silent(&RULE, &format!("async function f(params, db) {{ {body} }}"));
        }
    }
}
