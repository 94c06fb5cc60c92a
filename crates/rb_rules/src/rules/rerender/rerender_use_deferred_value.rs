//! A list is filtered with every letter that is typed, before the letter is shown.
//! How long a list is cannot be seen; a plain look at each element is taken for cheap.

use oxc_ast::AstKind;
use oxc_ast::ast::{CallExpression, Expression, JSXElementName};
use oxc_ast_visit::Visit;
use oxc_semantic::SymbolId;
use oxc_span::{GetSpan, Span};
use rb_core::Edit;
use rb_ecma::{Module, Use};

use super::hooks::{State, attribute_around, hook_of_dep, is_ref, is_steady, locals_used, states};
use super::places::{is_array_method, places};
use crate::cx::{Cx, Hit};
use crate::rule::{Category, Doc, FixKind, Impact, Level, Rule};

pub static RULE: Rule = Rule {
    id: "rerender-use-deferred-value",
    title: "Typing waits for a list that hangs on it",
    category: Category::Rerender,
    impact: Impact::Medium,
    fix: FixKind::Assist,
    level: Level::Audit,
    repairs: false,
    doc: Doc {
        what: "A state is the value of an input, and the same render uses it to filter or map an array that is \
               shown.",
        why: "The typed letter appears only when the whole list is done. With `useDeferredValue` the input renders \
              first and the list follows when there is time; it must be memoized for that.",
        wrong: "import { useState } from 'react';\nconst Find = ({ rows, match }) => {\n  const [query, setQuery] = useState('');\n  const hits = rows.filter((row) => match(row, query));\n  return (\n    <>\n      <input value={query} onChange={(e) => setQuery(e.target.value)} />\n      <List rows={hits} />\n    </>\n  );\n};",
        right: "import { useDeferredValue, useMemo, useState } from 'react';\nconst Find = ({ rows, match }) => {\n  const [query, setQuery] = useState('');\n  const deferredQuery = useDeferredValue(query);\n  const hits = useMemo(() => rows.filter((row) => match(row, deferredQuery)), [rows, deferredQuery]);\n  return (\n    <>\n      <input value={query} onChange={(e) => setQuery(e.target.value)} />\n      <List rows={hits} />\n    </>\n  );\n};",
        safe: "Always a draft: what is shown lags behind the input, which tests may notice.",
        leave: "The list is short.",
        given: &[],
    },
    wants: &["value={"],
    applies: |facts| facts.package.react_at_least(18, 0) && !facts.package.react_native,
    check,
};

fn check(cx: &mut Cx<'_, '_>) {
    let module = cx.module;
    for state in states(module) {
        if !is_typed(module, &state) {
            continue;
        }
        let reads: Vec<Use<'_>> = module
            .value_uses(state.symbol())
            .filter(|it| filters(module, &state, it).is_some())
            .collect();
        let Some(first) = reads.first() else { continue };
        let Some(call) = filters(module, &state, first) else { continue };
        if is_small(module, call) || is_made_anew(module, call) || !is_heavy(module, &state, call) {
            continue;
        }
        let message = format!(
            "every keystroke in `{}` waits for this list to render; filter by `useDeferredValue({})` in `useMemo`",
            state.name(),
            state.name()
        );
        let hit = Hit::at(call.span, message).low();
        cx.report(match edits(cx, &state, call, &reads) {
            Some(edits) => hit.assist("filter by the deferred value", edits),
            None => hit,
        });
    }
}

/// Is the state what an input shows?
fn is_typed<'a>(module: &Module<'a>, state: &State<'a>) -> bool {
    module.value_uses(state.symbol()).any(|it| {
        attribute_around(module, it.node).is_some_and(|(name, element)| {
            let tag = match &element.name {
                JSXElementName::Identifier(it) => it.name.as_str(),
                JSXElementName::IdentifierReference(it) => it.name.as_str(),
                _ => "",
            };
            let is_text = tag == "input"
                && !module.slice(element.span).contains("type=\"checkbox\"")
                || tag == "textarea"
                || tag.ends_with("Input")
                || tag.contains("Search")
                || tag == "TextField";
            name == "value" && is_text
        })
    })
}

/// The call of `filter` whose function reads the state while the component renders.
fn filters<'a>(
    module: &Module<'a>,
    state: &State<'a>,
    it: &Use<'a>,
) -> Option<&'a CallExpression<'a>> {
    if hook_of_dep(module, it.node).is_some() || !places(module, state.owner, it.node).render {
        return None;
    }
    let mut inner = it.span;
    for kind in module.ancestors(it.node) {
        if kind.span() == state.owner.span() {
            return None;
        }
        if let AstKind::CallExpression(call) = kind {
            let is_given = call.arguments.iter().any(|argument| {
                argument.span().contains_inclusive(inner)
                    && argument
                        .as_expression()
                        .is_some_and(|it| it.get_inner_expression().is_function())
            });
            let is_filter = call.callee_name() == Some("filter")
                || matches!(call.callee.get_inner_expression(), Expression::StaticMemberExpression(it) if it.property.name == "filter");
            if is_given && is_filter && is_array_method(call) {
                return Some(call);
            }
        }
        inner = kind.span();
    }
    None
}

/// More than one look at a text of each element: a function of its own, another pass, a list inside of the list.
fn is_heavy<'a>(module: &Module<'a>, state: &State<'a>, call: &CallExpression<'a>) -> bool {
    struct Calls<'m, 'a> {
        module: &'m Module<'a>,
        state: SymbolId,
        is_heavy: bool,
    }
    impl<'a> Visit<'a> for Calls<'_, 'a> {
        fn visit_call_expression(&mut self, it: &CallExpression<'a>) {
            let is_own = it.callee.get_identifier_reference().is_some();
            self.is_heavy |=
                is_array_method(it) || (is_own && self.module.mentions(it.span, self.state));
            oxc_ast_visit::walk::walk_call_expression(self, it);
        }
    }
    let mut look = Calls { module, state: state.symbol(), is_heavy: false };
    for argument in &call.arguments {
        look.visit_argument(argument);
    }
    let sorts = module.ancestors(call.node_id.get()).take(4).any(|kind| {
        matches!(kind, AstKind::StaticMemberExpression(it) if ["sort", "toSorted", "reduce"].contains(&it.property.name.as_str()))
    });
    look.is_heavy || sorts
}

/// A handful that is written down in the file.
fn is_small<'a>(module: &Module<'a>, call: &CallExpression<'a>) -> bool {
    let Some(member) = call.callee.get_inner_expression().as_member_expression() else {
        return true;
    };
    match module.resolved(member.object()) {
        Expression::ArrayExpression(it) => it.elements.len() < 50,
        Expression::CallExpression(it) => {
            // `Object.keys(options)`
            it.callee
                .get_inner_expression()
                .as_member_expression()
                .is_some_and(|it| module.is_global_named(it.object(), "Object"))
        }
        _ => false,
    }
}

/// Is the list one that this very render makes, under a name of its own? A memo of it never holds.
fn is_made_anew<'a>(module: &Module<'a>, call: &CallExpression<'a>) -> bool {
    let Some(member) = call.callee.get_inner_expression().as_member_expression() else {
        return false;
    };
    let Some(list) = module.symbol_of(member.object()).filter(|&it| !module.is_top_level(it))
    else {
        return false;
    };
    match module.initializer(list).map(Expression::get_inner_expression) {
        Some(Expression::ArrayExpression(_)) => true,
        Some(Expression::CallExpression(it)) => is_array_method(it),
        _ => false,
    }
}

fn edits<'a>(
    cx: &Cx<'_, 'a>,
    state: &State<'a>,
    call: &CallExpression<'a>,
    reads: &[Use<'a>],
) -> Option<Vec<Edit>> {
    let module = cx.module;
    let AstKind::VariableDeclaration(statement) = module.parent(state.declarator.node_id.get())
    else {
        return None;
    };
    if !is_one_statement(module, statement.span, call, reads) {
        return None;
    }
    let AstKind::VariableDeclarator(declarator) = module
        .ancestors(call.node_id.get())
        .find(|kind| matches!(kind, AstKind::VariableDeclarator(_)))?
    else {
        return None;
    };
    let value = declarator.init.as_ref()?;
    let name = deferred_name(module, state);
    let deferred = module.import_name("react", "useDeferredValue")?;
    let style = module.style();
    let line = format!(
        "{}{}const {name} = {}({}){}",
        style.line_end,
        module.indent_at(statement.span.start),
        deferred.name,
        state.name(),
        style.semicolon()
    );
    let mut edits = deferred.edits;
    edits.push(Edit::insert(statement.span.end, line));
    let inside =
        module.value_uses(state.symbol()).filter(|it| declarator.span.contains_inclusive(it.span));
    for it in inside {
        edits.push(Edit::replace(it.span.start, it.span.end, name.clone()));
    }
    let is_memo = matches!(value.get_inner_expression(), Expression::CallExpression(it) if module.is_react_call(it, "useMemo"));
    if is_memo {
        return Some(edits);
    }
    memoized(module, state, value, &name, edits)
}

/// Does all that is filtered by it stand in one statement below the state?
fn is_one_statement<'a>(
    module: &Module<'a>,
    state: Span,
    call: &CallExpression<'a>,
    reads: &[Use<'a>],
) -> bool {
    let Some(siblings) = module.siblings(call.node_id.get()) else { return false };
    let place = siblings.statement().span();
    reads.iter().all(|it| place.contains_inclusive(it.span))
        && siblings.list.iter().any(|it| it.span() == state)
        && state.end <= place.start
}

/// `deferredQuery`.
fn deferred_name(module: &Module<'_>, state: &State<'_>) -> String {
    let mut letters = state.name().chars();
    let first = letters.next().into_iter().flat_map(char::to_uppercase);
    let name: String = "deferred".chars().chain(first).chain(letters).collect();
    module.fresh_name(&name)
}

/// The value in a memo: it has to be kept for the deferral to be of use.
fn memoized<'a>(
    module: &Module<'a>,
    state: &State<'a>,
    value: &Expression<'a>,
    name: &str,
    mut edits: Vec<Edit>,
) -> Option<Vec<Edit>> {
    let memo = module.import_name("react", "useMemo")?;
    let deps: Vec<String> = locals_used(module, value.span(), state.owner)
        .into_iter()
        .filter(|&it| !is_steady(module, it) && !is_ref(module, it))
        .map(|it| if it == state.symbol() { name.to_owned() } else { module.name(it).to_owned() })
        .collect();
    // Both names come in at one place of one import.
    match (edits.first_mut(), memo.edits.first()) {
        (Some(both), Some(one)) if both.start == one.start && both.end == one.end => {
            both.text.push_str(&one.text);
        }
        _ => edits.extend(memo.edits.clone()),
    }
    edits.push(Edit::insert(value.span().start, format!("{}(() => ", memo.name)));
    edits.push(Edit::insert(value.span().end, format!(", [{}])", deps.join(", "))));
    Some(edits)
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::RULE;
    use crate::testing::{Setup, check_doc};

    #[test]
    fn ru1_rerender_use_deferred_value_doc() {
        check_doc(&RULE);
    }

    #[test]
    fn ru1_rerender_use_deferred_value_is_found() {
        let setup = Setup::new();
        setup.check(&RULE, RULE.doc.wrong, expect![[r#"
            4:16 note: every keystroke in `query` waits for this list to render; filter by `useDeferredValue(query)` in `useMemo` [assist: filter by the deferred value]
            --- assist
            import { useState, useDeferredValue, useMemo } from 'react';
            const Find = ({ rows, match }) => {
              const [query, setQuery] = useState('');
              const deferredQuery = useDeferredValue(query);
              const hits = useMemo(() => rows.filter((row) => match(row, deferredQuery)), [rows, match, deferredQuery]);
              return (
                <>
                  <input value={query} onChange={(e) => setQuery(e.target.value)} />
                  <List rows={hits} />
                </>
              );
            };
        "#]]);
        setup.check(
            &RULE,
            "import * as React from 'react'
export function Find({ rows }) {
  const [q, setQ] = React.useState('')
  const hits = React.useMemo(() => rows.filter((row) => row.tags.some((tag) => tag.includes(q))).map((row) => row.id), [rows, q])
  return <p><SearchInput value={q} onChange={setQ} />{hits}</p>
}
",
            expect![[r#"
                4:36 note: every keystroke in `q` waits for this list to render; filter by `useDeferredValue(q)` in `useMemo` [assist: filter by the deferred value]
                --- assist
                import * as React from 'react'
                export function Find({ rows }) {
                  const [q, setQ] = React.useState('')
                  const deferredQ = React.useDeferredValue(q)
                  const hits = React.useMemo(() => rows.filter((row) => row.tags.some((tag) => tag.includes(deferredQ))).map((row) => row.id), [rows, deferredQ])
                  return <p><SearchInput value={q} onChange={setQ} />{hits}</p>
                }

            "#]],
        );
    }

    #[test]
    fn ru1_rerender_use_deferred_value_leaves_others() {
        let setup = Setup::new();
        for body in [
            // One look at each.
            "const hits = rows.filter((it) => it.kind === kindOf('x') && it.name.includes(q)); return <p><input value={q} />{hits}</p>;",
            "const hits = rows.filter((it) => it.name.toLowerCase().includes(q)); return <p><input value={q} />{hits}</p>;",
            // A short list, the server filters, a value that settled.
            "const hits = FEW.filter((it) => it === q); return <p><input value={q} />{hits}</p>;",
            "const { data } = useQuery(['rows', q]); return <p><input value={q} />{data}</p>;",
            "const late = useDebounce(q); const hits = rows.filter((it) => it === late); return <p><input value={q} />{hits}</p>;",
            "const late = useDeferredValue(q); const hits = rows.filter((it) => it === late); return <p><input value={q} />{hits}</p>;",
            // Filtered when something happens.
            "return <p><input value={q} /><b onClick={() => go(rows.filter((it) => it === q))} /></p>;",
            // A new array with each render: no memo would hold.
            "const sorted = rows.filter((it) => it.ok).sort(by); const hits = sorted.filter((it) => it.tags.some((tag) => tag.includes(q))); return <p><input value={q} />{hits}</p>;",
            "const all = [...rows, ...more]; const hits = all.filter((it) => match(it, q)); return <p><input value={q} />{hits}</p>;",
            // No input.
            "const hits = rows.filter((it) => it === q); return <p><Tabs value={q} />{hits}</p>;",
            "const hits = rows.filter((it) => it.ok); return <p><input value={q} />{hits}</p>;",
        ] {
            setup.silent(&RULE, &format!("import {{ useDeferredValue, useState }} from 'react';\nconst FEW = ['a', 'b'];\nfunction A({{ rows }}) {{ const [q, setQ] = useState(''); {body} }}"));
        }
        // Not before React 18.
        setup.react(17, 0).silent(&RULE, RULE.doc.wrong);
    }
}
