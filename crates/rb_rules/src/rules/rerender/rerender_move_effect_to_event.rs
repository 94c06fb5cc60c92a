//! A click sets a flag, and an effect does the work when it sees it.
//! Flags with more than one payload, and effects that need the DOM, are left alone.

use oxc_ast::ast::{CallExpression, Expression, Statement};
use oxc_ast_visit::Visit;
use oxc_span::{GetSpan, Span};
use rb_ecma::Module;

use super::hooks::{Hook, State, call_of, hook_of_dep, hooks, states};
use super::places::places;
use crate::cx::{Cx, Hit};
use crate::rule::{Category, Doc, FixKind, Impact, Level, Rule};

pub static RULE: Rule = Rule {
    id: "rerender-move-effect-to-event",
    title: "An effect does the work of an event handler",
    category: Category::Rerender,
    impact: Impact::Medium,
    fix: FixKind::Detect,
    level: Level::Default,
    repairs: false,
    doc: Doc {
        what: "A state is set only in event handlers, and read only as the condition of one effect, which then \
               sends, navigates or notifies.",
        why: "The work waits for a render, runs again if another dependency of the effect changes while the flag is \
              set, and runs twice in development. The handler knows what happened, and can do it at once.",
        wrong: "import { useEffect, useState } from 'react';\nconst Form = ({ theme }) => {\n  const [sent, setSent] = useState(false);\n  useEffect(() => {\n    if (sent) {\n      post('/join');\n      toast('ok', theme);\n    }\n  }, [sent, theme]);\n  return <button onClick={() => setSent(true)}>Join</button>;\n};",
        right: "const Form = ({ theme }) => (\n  <button\n    onClick={() => {\n      post('/join');\n      toast('ok', theme);\n    }}\n  >\n    Join\n  </button>\n);",
        safe: "No fix is offered: work before and after the render is not the same, and the flag may get other \
               readers.",
        leave: "The effect needs the DOM after the render: focus, measurements, scrolling.",
        given: &[],
    },
    wants: &["useState"],
    applies: |facts| facts.package.uses_react,
    check,
};

fn check(cx: &mut Cx<'_, '_>) {
    let module = cx.module;
    let effects = hooks(module, &["useEffect"]);
    if effects.is_empty() {
        return;
    }
    for state in states(module) {
        let Some(effect) = guarded_effect(module, &state, &effects) else { continue };
        let Some(setter) = set_in_handlers(module, &state, &effect) else { continue };
        let Some(work) = work_of(module, effect.func.span(), effect.func.statements()) else {
            continue;
        };
        let work = module.slice(work);
        let message = format!(
            "`{}` only triggers `{work}(…)` in this effect; call it where `{setter}` is called",
            state.name()
        );
        cx.report(Hit::at(effect.call.callee.span(), message));
    }
}

/// The one effect that reads the state, as the condition of all it does.
fn guarded_effect<'a>(
    module: &Module<'a>,
    state: &State<'a>,
    effects: &[Hook<'a>],
) -> Option<Hook<'a>> {
    let is_plain = match state.initial() {
        None => true,
        Some(it) => matches!(it, Expression::BooleanLiteral(_) | Expression::NullLiteral(_)),
    };
    let reads: Vec<Span> = module
        .value_uses(state.symbol())
        .filter(|it| hook_of_dep(module, it.node).is_none())
        .map(|it| it.span)
        .collect();
    let (true, [read]) = (is_plain, reads.as_slice()) else { return None };
    let effect = effects.iter().find(|it| it.func.span().contains_inclusive(*read))?;
    let guard = match effect.func.statements() {
        // `if (sent) { … }` and nothing else, or `if (!sent) return;` first.
        [Statement::IfStatement(it)] if it.alternate.is_none() => &it.test,
        [Statement::IfStatement(it), _, ..] if is_bare_return(&it.consequent) => &it.test,
        _ => return None,
    };
    let listed = module.value_uses(state.symbol()).all(|it| {
        (*read).contains_inclusive(it.span)
            || hook_of_dep(module, it.node).is_some_and(|call| call.span == effect.call.span)
    });
    let condition = match guard.get_inner_expression() {
        Expression::UnaryExpression(it) => it.argument.get_inner_expression(),
        other => other,
    };
    (listed && condition.span() == *read).then_some(*effect)
}

fn is_bare_return(branch: &Statement<'_>) -> bool {
    match branch {
        Statement::ReturnStatement(it) => it.argument.is_none(),
        Statement::BlockStatement(it) => {
            matches!(it.body.as_slice(), [only] if is_bare_return(only))
        }
        _ => false,
    }
}

/// The name of the setter, where every call of it is in a handler with one and the same plain value, or takes the flag back
/// in the effect.
fn set_in_handlers<'a>(
    module: &Module<'a>,
    state: &State<'a>,
    effect: &Hook<'a>,
) -> Option<&'a str> {
    let setter = state.setter?;
    let mut values: Vec<&str> = Vec::new();
    for it in module.value_uses(setter.symbol_id()) {
        if hook_of_dep(module, it.node).is_some() {
            continue;
        }
        let call = call_of(module, &it)?;
        let value = module.slice(call.arguments.first()?.span());
        if effect.func.span().contains_inclusive(it.span) {
            continue;
        }
        if !places(module, state.owner, it.node).is_handler_only() || value != "true" {
            return None;
        }
        values.push(value);
    }
    (!values.is_empty()).then_some(setter.name.as_str())
}

/// The call that does something to the world; `None` where there is none, or the DOM is needed, or there is a cleanup.
fn work_of<'a>(module: &Module<'a>, span: Span, statements: &'a [Statement<'a>]) -> Option<Span> {
    const DOM: &[&str] = &[
        "focus",
        "scrollIntoView",
        "scrollTo",
        "getBoundingClientRect",
        ".current",
        "document.",
        "select()",
        "showModal",
        "offsetHeight",
        "offsetWidth",
        "addEventListener",
        "setTimeout",
        "setInterval",
        "requestAnimationFrame",
    ];
    let text = module.slice(span);
    if DOM.iter().any(|word| text.contains(word)) {
        return None;
    }
    let mut look = Work::default();
    for statement in statements {
        look.visit_statement(statement);
    }
    if look.returns_value { None } else { look.found }
}

#[derive(Default)]
struct Work {
    found: Option<Span>,
    returns_value: bool,
}

/// What does something to the world, by its name.
const WORK: &[&str] = &[
    "fetch",
    "post",
    "put",
    "patch",
    "mutate",
    "mutateAsync",
    "navigate",
    "push",
    "replace",
    "redirect",
    "toast",
    "notify",
    "track",
    "alert",
    "send",
    "submit",
    "signOut",
    "logout",
    "success",
    "error",
    "request",
    "capture",
    "invalidateQueries",
    "refetch",
];

const WORK_STARTS: &[&str] =
    &["send", "submit", "post", "create", "delete", "save", "track", "notify", "navigate", "log"];

impl<'a> Visit<'a> for Work {
    fn visit_call_expression(&mut self, call: &CallExpression<'a>) {
        let name = call.callee_name().unwrap_or_default();
        let is_work = WORK.contains(&name)
            || WORK_STARTS.iter().any(|start| {
                name.strip_prefix(start)
                    .is_some_and(|rest| rest.starts_with(|c: char| c.is_uppercase()))
            });
        if is_work {
            self.found.get_or_insert(call.callee.span());
        }
        oxc_ast_visit::walk::walk_call_expression(self, call);
    }

    fn visit_arrow_function_expression(&mut self, it: &oxc_ast::ast::ArrowFunctionExpression<'a>) {
        let was = self.returns_value;
        oxc_ast_visit::walk::walk_arrow_function_expression(self, it);
        self.returns_value = was;
    }

    fn visit_return_statement(&mut self, it: &oxc_ast::ast::ReturnStatement<'a>) {
        self.returns_value |= it.argument.is_some();
        oxc_ast_visit::walk::walk_return_statement(self, it);
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::RULE;
    use crate::testing::{Setup, check_doc};

    #[test]
    fn ru1_rerender_move_effect_to_event_doc() {
        check_doc(&RULE);
    }

    #[test]
    fn ru1_rerender_move_effect_to_event_is_found() {
        Setup::new().check(
            &RULE,
            "import * as React from 'react'
export function Buy({ item, router }) {
  const [buy, setBuy] = React.useState(false)
  const onBuy = React.useCallback(() => { setBuy(true) }, [])
  React.useEffect(() => {
    if (!buy) return
    fetch('/buy', { method: 'POST', body: item }).then(() => router.push('/done'))
    setBuy(false)
  }, [buy, item, router])
  return <button onClick={onBuy}>Buy</button>
}
",
            expect![[r#"
                5:3 warning: `buy` only triggers `fetch(…)` in this effect; call it where `setBuy` is called
            "#]],
        );
    }

    #[test]
    fn ru1_rerender_move_effect_to_event_leaves_others() {
        let setup = Setup::new();
        for body in [
            // Shown as well.
            "const [sent, setSent] = useState(false); useEffect(() => { if (sent) post('/x'); }, [sent]); return <button disabled={sent} onClick={() => setSent(true)} />;",
            // The DOM after the render.
            "const [open, setOpen] = useState(false); useEffect(() => { if (open) ref.current.focus(); }, [open]); return <button onClick={() => setOpen(true)} />;",
            // Several payloads.
            "const [id, setId] = useState(null); useEffect(() => { if (id) post(id); }, [id]); return <p><b onClick={() => setId(1)} /><b onClick={() => setId(2)} /></p>;",
            // From storage.
            "const [sent, setSent] = useState(() => localStorage.getItem('x') === '1'); useEffect(() => { if (sent) post('/x'); }, [sent]); return <button onClick={() => setSent(true)} />;",
            // A cleanup.
            "const [on, setOn] = useState(false); useEffect(() => { if (!on) return; send('on'); return () => send('off'); }, [on]); return <button onClick={() => setOn(true)} />;",
            // Set elsewhere.
            "const [on, setOn] = useState(false); useEffect(() => { if (on) send('on'); }, [on]); useEffect(() => { load().then(() => setOn(true)); }, []); return <button onClick={() => setOn(true)} />;",
            "const [on, setOn] = useState(false); useEffect(() => { if (on) send('on'); }, [on]); return <Child setOn={setOn} />;",
            // Nothing done to the world.
            "const [on, setOn] = useState(false); useEffect(() => { if (on) compute(); }, [on]); return <button onClick={() => setOn(true)} />;",
        ] {
            setup.silent(&RULE, &format!("import {{ useEffect, useState }} from 'react';\nfunction A({{ ref }}) {{ {body} }}"));
        }
    }
}
