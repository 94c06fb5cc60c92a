//! Work that is done above an early return which does not need it.
//! Only the statements of the component itself are looked at; nothing is moved.

use oxc_ast::ast::{Argument, BindingIdentifier, Expression, JSXExpressionContainer, Statement};
use oxc_ast_visit::Visit;
use oxc_span::{GetSpan, Span};
use rb_ecma::Module;

use super::hooks::{Hook, hook_of_dep, hooks, is_jsx, locals_used};
use super::places::is_array_method;
use crate::cx::{Cx, Hit};
use crate::rule::{Category, Doc, FixKind, Impact, Level, Rule};

pub static RULE: Rule = Rule {
    id: "rerender-memo",
    title: "Work is done before an early return that does not use it",
    category: Category::Rerender,
    impact: Impact::Medium,
    fix: FixKind::Detect,
    level: Level::Audit,
    repairs: false,
    doc: Doc {
        what: "A `useMemo` builds elements through a call, or iterates over data more than once, above an `if (…) \
               return …` that shows something else and does not use the result.",
        why: "The work is done even if nothing of it is shown. In a memoized component of its own, it is done only \
              when that renders.",
        wrong: "import { useMemo } from 'react';\nconst Card = ({ user, busy }) => {\n  const pic = useMemo(() => <Pic id={hash(user)} />, [user]);\n  if (busy) return <Spin />;\n  return <p>{pic}</p>;\n};",
        right: "import { memo } from 'react';\nconst UserPic = memo(function UserPic({ user }) {\n  return <Pic id={hash(user)} />;\n});\nconst Card = ({ user, busy }) => (busy ? <Spin /> : <p><UserPic user={user} /></p>);",
        safe: "No fix is offered: a new component changes when things are mounted and where errors are thrown, and \
               needs a name.",
        leave: "The early return is rare, the work is cheap, or React Compiler is on.",
        given: &[],
    },
    wants: &["useMemo"],
    applies: |facts| facts.package.uses_react && !facts.package.compiler,
    check,
};

fn check(cx: &mut Cx<'_, '_>) {
    let module = cx.module;
    for hook in hooks(module, &["useMemo"]) {
        let Some((name, is_costly)) = result(module, &hook) else { continue };
        let Some(early) = early_return(module, &hook, name) else { continue };
        let line = module.line(early.start);
        let what = if is_costly { "is computed" } else { "is built" };
        let message = format!(
            "`{}` {what} even if line {line} returns without it; move it into a memoized component",
            name.name
        );
        let hit = Hit::at(hook.call.span, message);
        cx.report(if is_costly { hit.low() } else { hit });
    }
}

/// The name of the result, where it is worth to be put off; and whether it is data and no element.
fn result<'a>(module: &Module<'a>, hook: &Hook<'a>) -> Option<(&'a BindingIdentifier<'a>, bool)> {
    let oxc_ast::AstKind::VariableDeclarator(declarator) = module.parent(hook.call.node_id.get())
    else {
        return None;
    };
    let name = declarator.id.get_binding_identifier()?;
    let returned = hook.func.returned().or_else(|| match hook.func.statements().last()? {
        Statement::ReturnStatement(it) => it.argument.as_ref(),
        _ => None,
    })?;
    let mut look = Cost::default();
    match hook.func.body() {
        Some(body) => look.visit_function_body(body),
        None => look.visit_expression(returned),
    }
    // It looks by itself whether there is something to do.
    let is_guarded = look.returns > 1;
    if is_jsx(returned) {
        // To write elements down costs nothing worth the words: what they show is not rendered yet.
        let is_worth = look.calls > 0 && !is_guarded;
        return is_worth.then_some((name, false));
    }
    let is_guarded = is_guarded || module.slice(hook.func.span()).contains("?.");
    (look.passes > 1 && !is_guarded).then_some((name, true))
}

#[derive(Default)]
struct Cost {
    calls: usize,
    /// Array methods that go through all elements.
    passes: usize,
    returns: usize,
}

impl<'a> Visit<'a> for Cost {
    fn visit_jsx_expression_container(&mut self, it: &JSXExpressionContainer<'a>) {
        // A handler is only made.
        let is_handler =
            it.expression.as_expression().is_some_and(|it| it.get_inner_expression().is_function());
        if !is_handler {
            oxc_ast_visit::walk::walk_jsx_expression_container(self, it);
        }
    }

    fn visit_call_expression(&mut self, it: &oxc_ast::ast::CallExpression<'a>) {
        self.calls += 1;
        // To leave out what is missing is no work to speak of.
        let is_tidying = matches!(it.arguments.as_slice(),
            [Argument::Identifier(only)] if only.name == "Boolean");
        self.passes += usize::from(is_array_method(it) && !is_tidying);
        oxc_ast_visit::walk::walk_call_expression(self, it);
    }

    fn visit_return_statement(&mut self, it: &oxc_ast::ast::ReturnStatement<'a>) {
        self.returns += 1;
        oxc_ast_visit::walk::walk_return_statement(self, it);
    }
}

/// The first `if (…) return …` behind the memo, where neither it nor anything before it uses the result.
fn early_return<'a>(
    module: &Module<'a>,
    hook: &Hook<'a>,
    name: &BindingIdentifier<'a>,
) -> Option<Span> {
    let siblings = module.siblings(hook.call.node_id.get())?;
    // In the body of the component itself, and not in a block of it.
    let body = hook.owner.body()?;
    if !std::ptr::eq(siblings.list, body.statements.as_slice()) {
        return None;
    }
    let symbol = name.symbol_id();
    let read = locals_used(module, hook.func.span(), hook.owner);
    let early = siblings.after().iter().find_map(|statement| match statement {
        Statement::IfStatement(it) if it.alternate.is_none() && returns(&it.consequent) => Some(it),
        _ => None,
    })?;
    // What the condition looks at is missing then, and the memo has nothing to do.
    let is_about_it = read.iter().any(|&one| module.mentions(early.test.span(), one));
    let is_used_before = module
        .value_uses(symbol)
        .any(|it| it.span.start < early.span.end || hook_of_dep(module, it.node).is_some());
    let is_used_at_all = module.value_uses(symbol).next().is_some();
    // What fails, fails now and then.
    let is_rare = module.slice(early.test.span()).to_lowercase().contains("error");
    (!is_about_it && !is_used_before && is_used_at_all && !is_rare).then_some(early.span)
}

/// Does the branch return something that is shown?
fn returns(branch: &Statement<'_>) -> bool {
    match branch {
        Statement::ReturnStatement(it) => it
            .argument
            .as_ref()
            .is_some_and(|it| is_jsx(it) || matches!(it, Expression::NullLiteral(_))),
        Statement::BlockStatement(it) => it.body.last().is_some_and(returns),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::RULE;
    use crate::testing::{Setup, check_doc};

    #[test]
    fn ru1_rerender_memo_doc() {
        check_doc(&RULE);
    }

    #[test]
    fn ru1_rerender_memo_is_found() {
        Setup::new().check(
            &RULE,
            "import * as React from 'react'
export function Card({ user, rows, busy }: Props) {
  const pic = React.useMemo(() => {
    const id = hash(user)
    return <Pic id={id} />
  }, [user])
  const top = React.useMemo(() => rows.filter((it) => it.ok).sort(byName), [rows])
  const n = 1

  if (busy) {
    log(n)
    return null
  }
  return <p>{pic}{top}</p>
}
",
            expect![[r#"
                3:15 warning: `pic` is built even if line 10 returns without it; move it into a memoized component
                7:15 note: `top` is computed even if line 10 returns without it; move it into a memoized component
            "#]],
        );
    }

    #[test]
    fn ru1_rerender_memo_leaves_others() {
        let setup = Setup::new();
        for body in [
            // A cheap element, a cheap computation.
            "const pic = useMemo(() => <b>x</b>, []); if (busy) return <Spin />; return <p>{pic}</p>;",
            "const pic = useMemo(() => rows.map(String), [rows]); if (busy) return <Spin />; return <p>{pic}</p>;",
            "const pic = useMemo(() => <Pic id={user} onClick={() => go(user)} />, [user]); if (busy) return <Spin />; return <p>{pic}</p>;",
            "const pics = useMemo(() => [...rows.map(toPic), user].filter(Boolean), [rows, user]); if (busy) return <Spin />; return <p>{pics}</p>;",
            // A failure is rare.
            "const top = useMemo(() => rows.filter(ok).sort(by), [rows]); if (error) return <Oops />; return <p>{top}</p>;",
            "const top = useMemo(() => rows.filter(ok).sort(by), [rows]); if (busy.isError) return <Oops />; return <p>{top}</p>;",
            // Used in an effect, by the early return, or before it.
            "const pic = useMemo(() => <Pic id={hash(user)} />, [user]); useEffect(() => go(pic), [pic]); if (busy) return <Spin />; return <p>{pic}</p>;",
            "const pic = useMemo(() => <Pic id={hash(user)} />, [user]); if (busy) return <p>{pic}</p>; return <b>{pic}</b>;",
            "const pic = useMemo(() => <Pic id={hash(user)} />, [user]); const both = [pic]; if (busy) return <Spin />; return <b>{both}</b>;",
            // Without data there is nothing to do.
            "const pic = useMemo(() => <Pic id={hash(user)} />, [user]); if (!user) return null; return <p>{pic}</p>;",
            "const top = useMemo(() => rows?.filter(ok).sort(by), [rows]); if (busy) return <Spin />; return <p>{top}</p>;",
            "const pic = useMemo(() => { if (!user) return null; return <Pic id={hash(user)} />; }, [user]); if (busy) return <Spin />; return <p>{pic}</p>;",
            // No early return.
            "const pic = useMemo(() => <Pic id={hash(user)} />, [user]); return <p>{pic}</p>;",
        ] {
            setup.silent(&RULE, &format!("import {{ useEffect, useMemo }} from 'react';\nfunction Card({{ user, rows, busy, error }}) {{ {body} }}"));
        }
        // React Compiler is on.
        setup.compiler().silent(&RULE, RULE.doc.wrong);
    }
}
