//! `useState(build())` builds on each render and throws it away.
//! What costs little by its name is left alone; nothing is measured.

mod cost;

use oxc_ast::ast::{CallExpression, Expression};
use oxc_span::{GetSpan, Span};
use oxc_syntax::operator::UnaryOperator;
use rb_core::Edit;
use rb_ecma::{Module, Types};

use self::cost::work_of;
use crate::cx::{Cx, Hit};
use crate::rule::{Category, Doc, FixKind, Impact, Level, Rule};

pub static RULE: Rule = Rule {
    id: "rerender-lazy-state-init",
    title: "The initial state is computed on each render",
    category: Category::Rerender,
    impact: Impact::Medium,
    fix: FixKind::Auto,
    level: Level::Default,
    repairs: false,
    doc: Doc {
        what: "`useState` receives the result of a call or `new`. React keeps only the value of the first render, \
               but the call runs on every render. A function in its place is called once.",
        why: "Parsing, reading storage or building an index on every render slows down every update of the \
              component.",
        wrong: "import { useState } from 'react';\nconst Table = ({ rows }) => {\n  const [index] = useState(buildIndex(rows));\n  return <Grid index={index} />;\n};",
        right: "import { useState } from 'react';\nconst Table = ({ rows }) => {\n  const [index] = useState(() => buildIndex(rows));\n  return <Grid index={index} />;\n};",
        safe: "Fixed automatically if the value cannot be a function, which React would call, and the call only \
               computes or reads: calling it less often makes no difference.",
        leave: "The call is as cheap as the function around it, or is meant to run on each render.",
        given: &[],
    },
    wants: &["useState", "useReducer", "useRef"],
    applies: |facts| facts.package.uses_react,
    check,
};

fn check(cx: &mut Cx<'_, '_>) {
    let module = cx.module;
    for &call in module.calls() {
        match module.react_call(call) {
            Some("useState") => check_state(cx, call),
            Some("useReducer") => check_reducer(cx, call),
            Some("useRef") => check_ref(cx, call),
            _ => {}
        }
    }
}

fn check_state<'a>(cx: &mut Cx<'_, 'a>, call: &'a CallExpression<'a>) {
    let Some(value) = call.arguments.first().and_then(|it| it.as_expression()) else { return };
    let work = work_of(cx, value);
    let Some(place) = work.place() else { return };
    let shown = shown(cx.module, place);
    let message = format!(
        "`{shown}` runs on every render, but only the first result is used; pass a function"
    );
    let mut hit = Hit::at(value.span(), message);
    if work.dear.is_none() {
        hit = hit.low();
    }
    let doubt = if work.is_odd {
        Some("it contains an assignment or `await`")
    } else if !never_function(cx.module, value) {
        Some("the value may be a function")
    } else if !is_harmless(cx, value) {
        Some("the call may have side effects")
    } else {
        None
    };
    let edits = lazy(cx.module, value);
    cx.report(if work.waits { hit } else { hit.auto_unless(doubt, "compute it once", edits) });
}

/// A piece of code in one short line.
fn shown(module: &Module<'_>, span: Span) -> String {
    const LONGEST: usize = 48;
    let words: Vec<&str> = module.slice(span).split_whitespace().collect();
    let line = words.join(" ");
    let short: String = line.chars().take(LONGEST).collect();
    if short.len() == line.len() { line } else { format!("{} …", short.trim_end()) }
}

fn check_reducer<'a>(cx: &mut Cx<'_, 'a>, call: &'a CallExpression<'a>) {
    let [_, value] = call.arguments.as_slice() else { return };
    let Some(value) = value.as_expression() else { return };
    let work = work_of(cx, value);
    let Some(place) = work.place() else { return };
    let shown = shown(cx.module, place);
    let message = format!(
        "`{shown}` runs on every render, but only the first result is used; pass a function as the third argument"
    );
    let mut hit = Hit::at(value.span(), message);
    if work.dear.is_none() {
        hit = hit.low();
    }
    let start = value.span().start;
    let mut edits = lazy(cx.module, value);
    edits.insert(0, Edit::insert(start, "undefined, "));
    cx.report(if work.waits { hit } else { hit.assist("compute it once", edits) });
}

fn check_ref<'a>(cx: &mut Cx<'_, 'a>, call: &'a CallExpression<'a>) {
    const CHEAP: &[&str] = &[
        "AbortController",
        "Array",
        "DOMRect",
        "Date",
        "Map",
        "Object",
        "Set",
        "WeakMap",
        "WeakSet",
    ];
    let Some(Expression::NewExpression(made)) =
        call.arguments.first().and_then(|it| it.as_expression())
    else {
        return;
    };
    let Expression::Identifier(class) = &made.callee else { return };
    if CHEAP.contains(&class.name.as_str()) {
        return;
    }
    let message = format!(
        "`new {}(…)` runs on every render, but only the first instance is kept; start with `null` and create it lazily",
        class.name
    );
    cx.report(Hit::at(made.span, message).low());
}

fn lazy<'a>(module: &Module<'a>, value: &Expression<'a>) -> Vec<Edit> {
    let span = value.span();
    let needs_parens = matches!(
        value.get_inner_expression(),
        Expression::ObjectExpression(_) | Expression::SequenceExpression(_)
    ) || module.slice(span).starts_with('{');
    if needs_parens {
        vec![Edit::insert(span.start, "() => ("), Edit::insert(span.end, ")")]
    } else {
        vec![Edit::insert(span.start, "() => ")]
    }
}

/// Surely no function: by its type, or because of what makes it.
fn never_function<'a>(module: &Module<'a>, value: &Expression<'a>) -> bool {
    let types = module.types(value);
    if types.is_known() {
        return !types.includes(Types::FUNCTION);
    }
    match value.get_inner_expression() {
        Expression::NewExpression(it) => it.callee.get_identifier_reference().is_some_and(|name| {
            module.is_global(name) && name.name != "Function" && name.name != "Proxy"
        }),
        Expression::CallExpression(call) => {
            let member = call.callee.get_inner_expression().as_member_expression();
            member.is_some_and(|it| {
                module.is_global_named(it.object(), "JSON")
                    || (it.static_property_name() == Some("getItem")
                        && module.is_storage(it.object()))
            })
        }
        Expression::LogicalExpression(it) => {
            never_function(module, &it.left) && never_function(module, &it.right)
        }
        Expression::ConditionalExpression(it) => {
            never_function(module, &it.consequent) && never_function(module, &it.alternate)
        }
        _ => false,
    }
}

/// Does it make no difference how often it is evaluated? It computes, or reads what is outside.
fn is_harmless<'a>(cx: &Cx<'_, 'a>, value: &Expression<'a>) -> bool {
    const MADE: &[&str] =
        &["Date", "Map", "Set", "URL", "URLSearchParams", "WeakMap", "WeakSet", "RegExp"];
    let module = cx.module;
    if cx.is_pure1(value) {
        return true;
    }
    let arguments = |list: &[oxc_ast::ast::Argument<'a>]| {
        list.iter().all(|it| it.as_expression().is_some_and(|it| is_harmless(cx, it)))
    };
    match value.get_inner_expression() {
        Expression::NewExpression(it) => {
            let class = it.callee.get_identifier_reference();
            class.is_some_and(|name| MADE.contains(&name.name.as_str()) && module.is_global(name))
                && arguments(&it.arguments)
        }
        Expression::CallExpression(call) => only_reads(module, call) && arguments(&call.arguments),
        Expression::StaticMemberExpression(it) => is_harmless(cx, &it.object),
        Expression::LogicalExpression(it) => {
            is_harmless(cx, &it.left) && is_harmless(cx, &it.right)
        }
        Expression::BinaryExpression(it) => is_harmless(cx, &it.left) && is_harmless(cx, &it.right),
        Expression::UnaryExpression(it) => {
            it.operator != UnaryOperator::Delete && is_harmless(cx, &it.argument)
        }
        Expression::ConditionalExpression(it) => {
            [&it.test, &it.consequent, &it.alternate].into_iter().all(|it| is_harmless(cx, it))
        }
        _ => false,
    }
}

/// Storage, the clock and the document, looked at.
fn only_reads<'a>(module: &Module<'a>, call: &CallExpression<'a>) -> bool {
    let Some(member) = call.callee.get_inner_expression().as_member_expression() else {
        return false;
    };
    let owner = member.object();
    match member.static_property_name() {
        Some("getItem") => module.is_storage(owner),
        Some("parse" | "stringify") => module.is_global_named(owner, "JSON"),
        Some("now") => module.is_global_named(owner, "Date"),
        Some("querySelector" | "getElementById") => module.is_global_named(owner, "document"),
        Some("matchMedia") => module.is_global_named(owner, "window"),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::RULE;
    use crate::testing::{Setup, check_doc};

    fn state(value: &str) -> String {
        format!(
            "import {{ useState }} from 'react';\nfunction A({{ rows, make }}: Props) {{\n  const [x] = useState({value});\n  return <b>{{x}}</b>;\n}}\n"
        )
    }

    #[test]
    fn ru1_rerender_lazy_state_init_doc() {
        check_doc(&RULE);
    }

    #[test]
    fn ru1_rerender_lazy_state_init_is_fixed() {
        Setup::new().check(
            &RULE,
            "import * as React from 'react'
import { useState as use_state, useReducer, useRef } from 'react'

const count = (rows: string[]) => rows.filter((row) => row.length > 1).length
const App = ({ rows }: { rows: string[] }) => {
  const [a] = React.useState(JSON.parse(localStorage.getItem('a') ?? '[]'))
  const [b] = use_state<Set<string>>(new Set(rows))
  const [c] = use_state({ rows: rows.map((row) => row.trim()) })
  const [d] = use_state(count(rows))
  const [e] = use_state(new Map())
  const [f] = use_state(elsewhere(rows))
  const [g, send] = useReducer(reduce, build(rows))
  const h = useRef(new Engine(rows))
  return <p>{a}{b.size}{c.rows}{d}{e.size}{f}{g}</p>
}
",
            expect![[r#"
                6:30 warning: `JSON.parse(localStorage.getItem('a') ?? '[]')` runs on every render, but only the first result is used; pass a function [auto: compute it once]
                7:38 warning: `new Set(rows)` runs on every render, but only the first result is used; pass a function [auto: compute it once]
                8:25 warning: `rows.map((row) => row.trim())` runs on every render, but only the first result is used; pass a function [auto: compute it once]
                9:25 warning: `count(rows)` runs on every render, but only the first result is used; pass a function [auto: compute it once]
                11:25 note: `elsewhere(rows)` runs on every render, but only the first result is used; pass a function [assist: compute it once] (not proved: the value may be a function)
                12:40 note: `build(rows)` runs on every render, but only the first result is used; pass a function as the third argument [assist: compute it once]
                13:20 note: `new Engine(…)` runs on every render, but only the first instance is kept; start with `null` and create it lazily
                --- auto
                import * as React from 'react'
                import { useState as use_state, useReducer, useRef } from 'react'

                const count = (rows: string[]) => rows.filter((row) => row.length > 1).length
                const App = ({ rows }: { rows: string[] }) => {
                  const [a] = React.useState(() => JSON.parse(localStorage.getItem('a') ?? '[]'))
                  const [b] = use_state<Set<string>>(() => new Set(rows))
                  const [c] = use_state(() => ({ rows: rows.map((row) => row.trim()) }))
                  const [d] = use_state(() => count(rows))
                  const [e] = use_state(new Map())
                  const [f] = use_state(elsewhere(rows))
                  const [g, send] = useReducer(reduce, build(rows))
                  const h = useRef(new Engine(rows))
                  return <p>{a}{b.size}{c.rows}{d}{e.size}{f}{g}</p>
                }

                --- assist
                import * as React from 'react'
                import { useState as use_state, useReducer, useRef } from 'react'

                const count = (rows: string[]) => rows.filter((row) => row.length > 1).length
                const App = ({ rows }: { rows: string[] }) => {
                  const [a] = React.useState(JSON.parse(localStorage.getItem('a') ?? '[]'))
                  const [b] = use_state<Set<string>>(new Set(rows))
                  const [c] = use_state({ rows: rows.map((row) => row.trim()) })
                  const [d] = use_state(count(rows))
                  const [e] = use_state(new Map())
                  const [f] = use_state(() => elsewhere(rows))
                  const [g, send] = useReducer(reduce, undefined, () => build(rows))
                  const h = useRef(new Engine(rows))
                  return <p>{a}{b.size}{c.rows}{d}{e.size}{f}{g}</p>
                }

            "#]],
        );
    }

    #[test]
    fn ru1_rerender_lazy_state_init_leaves_what_is_cheap() {
        let setup = Setup::new();
        for value in [
            "0",
            "[]",
            "{}",
            "() => build(rows)",
            "make",
            "props.makeInitial",
            "String(rows)",
            "parseInt(rows, 10)",
            "Array()",
            "rows.trim()",
            "Number(rows) > 3",
            "isDark(rows)",
            "getData('x')",
            "t('label')",
            "rows.toDate()",
            "Math.max(1, 2)",
            "Date.now()",
            "new Date()",
            "new Date(rows)",
            "new Date(new Date().getFullYear(), 1, 3)",
            "new Set()",
            "new Map<string, number>()",
            "new Set(['a', 'b'])",
            "new Map([['a', 1]])",
            "new AbortController()",
            "rows.get('x')",
            "rows.getValue()",
            // A hook must stay where it is.
            "useId()",
            "useInitial(build(rows))",
        ] {
            setup.silent(&RULE, &state(value));
        }
        setup.silent(&RULE, "import { useState } from 'react';\nconst zero = () => 0;\nfunction A() { const [x] = useState(zero()); return <b>{x}</b>; }");
        setup.silent(&RULE, "import { useState } from './store';\nfunction A() { const [x] = useState(build()); return <b>{x}</b>; }");
        setup.silent(&RULE, "import { useRef } from 'react';\nfunction A() { const x = useRef(new Map()); return <b ref={x}/>; }");
    }

    #[test]
    fn ru1_rerender_lazy_state_init_needs_a_proof() {
        let setup = Setup::new();
        for value in [
            // It may give a function, which React would call.
            "make(rows)",
            // It may count, or register something.
            "nextId(rows)",
            "(last = build(rows))",
            "new Engine(rows)",
        ] {
            setup.no_auto(&RULE, &state(value));
        }
        setup.no_auto(&RULE, "import { useState } from 'react';\nlet id = 0;\nconst next = (n: number): number => { for (let i = 0; i < n; i++) id += n; return id; };\nfunction A() { const [x] = useState(next(1)); return <b>{x}</b>; }");
    }

    #[test]
    fn ru1_rerender_lazy_state_init_keeps_the_text() {
        Setup::new().fixes(
            &RULE,
            &state("/* once */ JSON.parse(rows) // all\n  "),
            &state("/* once */ () => JSON.parse(rows) // all\n  "),
        );
    }

    #[test]
    fn ru1_rerender_lazy_state_init_shows_the_call_in_one_line() {
        let found = Setup::new().findings(&RULE, &state("addDays(\n    rows,\n    21\n  )"));
        assert!(found[0].message.starts_with("`addDays( rows, 21 )` runs"), "{}", found[0].message);
    }

    #[test]
    fn ru1_rerender_lazy_state_init_looks_into_other_files() {
        let text = "import { useState } from 'react';\nimport { start } from './start';\nfunction A({ rows }) { const [x] = useState(start(rows)); return <b>{x}</b>; }";
        let with = |start: &str| Setup::new().path("src/a.tsx").file("src/start.ts", start);
        // As cheap as the function around it.
        let only = "export const start = (rows) => (rows.length === 1 ? rows[0].id : null);";
        with(only).silent(&RULE, text);
        for dear in [
            "export const start = (rows) => rows.filter((it) => it.on);",
            "const pick = (rows) => rows.map((it) => it.id);\nexport function start(rows) { return pick(rows)[0]; }",
        ] {
            let found = with(dear).findings(&RULE, text);
            assert_eq!(found[0].severity, crate::Severity::Warning, "{dear}");
        }
        // What is not seen is not called dear.
        let found = Setup::new().findings(&RULE, text);
        assert_eq!(found[0].severity, crate::Severity::Note);
    }
}
