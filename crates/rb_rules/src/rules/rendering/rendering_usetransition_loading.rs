//! A loading flag kept by hand, where `useTransition` has one.
//!
//! Names prove nothing: what counts is who sets the flag, when, and what it is used for.

mod draft;

use oxc_ast::AstKind;
use oxc_ast::ast::{ArrowFunctionExpression, AwaitExpression, Expression, Function, Statement};
use oxc_ast_visit::{Visit, walk};
use oxc_semantic::SymbolId;
use oxc_span::{GetSpan, Span};
use oxc_syntax::scope::ScopeFlags;
use rb_ecma::{Func, Module};

use super::super::advanced::hooks::{State, effects, states};
use crate::cx::{Cx, Hit};
use crate::rule::{Category, Doc, FixKind, Impact, Level, Rule};

pub static RULE: Rule = Rule {
    id: "rendering-usetransition-loading",
    title: "A loading flag is kept by hand",
    category: Category::Rendering,
    impact: Impact::Low,
    fix: FixKind::Assist,
    level: Level::Audit,
    repairs: false,
    doc: Doc {
        what: "A state is set to `true` at the start of an async function and to `false` at its end, nothing else \
               sets it, and it only shows that something is in progress.",
        why: "Two more renders, and a flag that stays on if the request fails. `useTransition` maintains such a flag \
              by itself.",
        wrong: "import { useState } from 'react';

export function Search() {
  const [busy, setBusy] = useState(false);
  const [rows, setRows] = useState([]);
  const go = async (q) => {
    setBusy(true);
    setRows(await find(q));
    setBusy(false);
  };
  return <div onInput={go}>{busy ? <Spinner /> : rows}</div>;
}",
        right: "import { useState, useTransition } from 'react';

export function Search() {
  const [busy, startTransition] = useTransition();
  const [rows, setRows] = useState([]);
  const go = (q) => {
    startTransition(async () => {
      const found = await find(q);
      startTransition(() => setRows(found));
    });
  };
  return <div onInput={go}>{busy ? <Spinner /> : rows}</div>;
}",
        safe: "A draft: errors of the request now go to the nearest error boundary, updates inside have low \
               priority, and the function no longer returns a promise. State that is set after an `await` is wrapped \
               again, as React requires. Responses still arrive in any order.",
        leave: "The flag covers several requests, disables input, or comes with an error that is shown.",
        given: &[],
    },
    wants: &["useState"],
    applies: |facts| facts.package.react_at_least(19, 0),
    check,
};

fn check(cx: &mut Cx<'_, '_>) {
    let module = cx.module;
    let all: Vec<State<'_>> = states(module).collect();
    let setters: Vec<SymbolId> = all.iter().filter_map(|it| it.setter).collect();
    for state in &all {
        let Some(handler) = handler(module, state, &setters) else { continue };
        let flag = module.name(state.value).to_owned();
        let message = format!(
            "`{flag}` is set manually around one request; use the pending flag of `useTransition`"
        );
        let hit = Hit::at(state.declarator.span, message);
        cx.report(match draft::edits(module, state, &handler, &setters) {
            Some(edits) => hit.assist("use `useTransition`", edits),
            None => hit,
        });
    }
}

/// The async function that sets the flag, first and last.
struct Handler<'a> {
    func: Func<'a>,
    /// What stands between the two.
    work: &'a [Statement<'a>],
    /// The end is in `finally`.
    is_guarded: bool,
}

fn handler<'a>(
    module: &Module<'a>,
    state: &State<'a>,
    setters: &[SymbolId],
) -> Option<Handler<'a>> {
    if !matches!(state.initial()?, Expression::BooleanLiteral(it) if !it.value) {
        return None;
    }
    let setter = state.setter?;
    let uses: Vec<_> = module.value_uses(setter).collect();
    let [first, _] = uses[..] else { return None };
    let func = module.function_around(first.node)?;
    module.component_or_hook_around(func.node())?;
    let is_effect = effects(module).any(|it| it.callback.span().contains_inclusive(func.span()));
    if !func.is_async() || is_effect || !only_shows(module, state.value) {
        return None;
    }
    let [start, rest @ ..] = func.statements() else { return None };
    if !sets(module, start, setter, true) {
        return None;
    }
    let (work, is_guarded) = match rest {
        [work @ .., end] if sets(module, end, setter, false) => (work, false),
        [Statement::TryStatement(it)] if it.handler.is_none() => {
            match &it.finalizer.as_ref()?.body[..] {
                [end] if sets(module, end, setter, false) => (&it.block.body[..], true),
                _ => return None,
            }
        }
        _ => return None,
    };
    let is_one = awaits(work) == 1;
    let others = setters.iter().filter(|it| **it != setter);
    let span = Span::new(work.first()?.span().start, work.last()?.span().end);
    let updates = others.into_iter().any(|&it| module.mentions(span, it));
    let fails = work.iter().any(|it| matches!(it, Statement::TryStatement(_)));
    (is_one && updates && !fails).then_some(Handler { func, work, is_guarded })
}

/// `setBusy(true);`
fn sets<'a>(module: &Module<'a>, statement: &Statement<'a>, setter: SymbolId, to: bool) -> bool {
    let Statement::ExpressionStatement(it) = statement else { return false };
    let Expression::CallExpression(call) = &it.expression else { return false };
    module.symbol_of(&call.callee) == Some(setter)
        && matches!(call.arguments.first().and_then(|it| it.as_expression()),
            Some(Expression::BooleanLiteral(it)) if it.value == to)
}

/// Does the flag decide what is shown, and nothing else? What forbids input needs it at once, and not at low priority.
fn only_shows(module: &Module<'_>, flag: SymbolId) -> bool {
    let mut uses = module.value_uses(flag).peekable();
    uses.peek().is_some()
        && uses.all(|it| {
            let around = module.ancestors(it.node).find(|kind| {
                matches!(kind, AstKind::JSXExpressionContainer(_))
                    || Func::of(*kind).is_some()
                    || matches!(kind, AstKind::CallExpression(_) | AstKind::VariableDeclarator(_))
            });
            let Some(AstKind::JSXExpressionContainer(container)) = around else { return false };
            matches!(
                module.parent(container.node_id.get()),
                AstKind::JSXElement(_) | AstKind::JSXFragment(_)
            )
        })
}

/// How often the statements themselves wait.
fn awaits(statements: &[Statement<'_>]) -> usize {
    struct Awaits(usize);
    impl<'a> Visit<'a> for Awaits {
        fn visit_await_expression(&mut self, it: &AwaitExpression<'a>) {
            self.0 += 1;
            walk::walk_await_expression(self, it);
        }

        fn visit_for_of_statement(&mut self, it: &oxc_ast::ast::ForOfStatement<'a>) {
            // Once for each element is more than once.
            self.0 += 1;
            walk::walk_for_of_statement(self, it);
        }

        fn visit_function(&mut self, _: &Function<'a>, _: ScopeFlags) {}

        fn visit_arrow_function_expression(&mut self, _: &ArrowFunctionExpression<'a>) {}
    }
    let mut count = Awaits(0);
    for statement in statements {
        count.visit_statement(statement);
    }
    count.0
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::RULE;
    use crate::testing::{Setup, check_doc};

    #[test]
    fn ru1_rendering_usetransition_loading_doc() {
        check_doc(&RULE);
    }

    #[test]
    fn ru1_rendering_usetransition_loading_is_drafted() {
        Setup::new().check(&RULE, RULE.doc.wrong, expect![[r#"
            4:9 note: `busy` is set manually around one request; use the pending flag of `useTransition` [assist: use `useTransition`]
            --- assist
            import { useState, useTransition } from 'react';

            export function Search() {
              const [busy, startTransition] = useTransition();
              const [rows, setRows] = useState([]);
              const go = (q) => {
                startTransition(async () => {
                  const found = await find(q);
                  startTransition(() => setRows(found));
                });
              };
              return <div onInput={go}>{busy ? <Spinner /> : rows}</div>;
            }
        "#]]);
        Setup::new().check(
            &RULE,
            "import React from 'react'
export const Search = () => {
  const [busy, setBusy] = React.useState<boolean>(false)
  const [rows, setRows] = React.useState([])
  const [n, setN] = React.useState(0)
  async function go(q: string) {
    setBusy(true)
    setN(n + 1)
    const found = await find(q, {
      limit: 3,
    })
    log(found)
    setRows(found)
    setBusy(false)
  }
  return <div onInput={go}>{busy && <Spinner />}{rows}</div>
}
",
            expect![[r#"
                3:9 note: `busy` is set manually around one request; use the pending flag of `useTransition` [assist: use `useTransition`]
                --- assist
                import React from 'react'
                export const Search = () => {
                  const [busy, startTransition] = React.useTransition()
                  const [rows, setRows] = React.useState([])
                  const [n, setN] = React.useState(0)
                  function go(q: string) {
                    startTransition(async () => {
                      setN(n + 1)
                      const found = await find(q, {
                        limit: 3,
                      })
                      log(found)
                      startTransition(() => setRows(found))
                    })
                  }
                  return <div onInput={go}>{busy && <Spinner />}{rows}</div>
                }

            "#]],
        );
        // In `finally`: found, but not drafted.
        Setup::new().check(
            &RULE,
            &RULE
                .doc
                .wrong
                .replace("    setRows(", "    try {\n    setRows(")
                .replace("    setBusy(false);\n", "    } finally { setBusy(false); }\n"),
            expect![[r#"
                4:9 note: `busy` is set manually around one request; use the pending flag of `useTransition`
            "#]],
        );
    }

    #[test]
    fn ru1_rendering_usetransition_loading_leaves_the_rest_alone() {
        let wrong = RULE.doc.wrong;
        // In React 18 the function may not wait.
        Setup::new().react(18, 3).silent(&RULE, wrong);
        let setup = Setup::new();
        for (from, to) in [
            // Several requests.
            ("setRows(await find(q));", "await log(q); setRows(await find(q));"),
            ("setRows(await find(q));", "for (const it of q) setRows(await find(it));"),
            // It forbids input, or is handed on.
            ("onInput={go}", "onInput={go} disabled={busy}"),
            ("onInput={go}", "onInput={() => busy || go()}"),
            ("<div", "<Progress on={busy} /><div"),
            // An error is kept.
            (
                "setRows(await find(q));",
                "try { setRows(await find(q)); } catch (e) { setRows(e); }",
            ),
            // Another writer; not at the end; nothing is set.
            ("onInput={go}", "onInput={go} onBlur={() => setBusy(false)}"),
            ("setBusy(false);\n  }", "setBusy(false);\n    done();\n  }"),
            ("setRows(await find(q));", "await find(q);"),
            ("useState(false)", "useState(true)"),
        ] {
            assert!(wrong.contains(from), "{from}");
            let text = wrong.replace(from, to);
            let text = if to.starts_with("<Progress") {
                text.replace("return <Progress", "return <><Progress")
                    .replace("</div>;", "</div></>;")
            } else {
                text
            };
            setup.silent(&RULE, &text);
        }
    }
}
