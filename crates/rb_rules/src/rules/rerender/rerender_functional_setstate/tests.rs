use expect_test::expect;

use super::RULE;
use crate::testing::{Setup, check_doc};

#[test]
fn ru1_rerender_functional_setstate_doc() {
    check_doc(&RULE);
}

#[test]
fn ru1_rerender_functional_setstate_is_found() {
    Setup::new().check(
        &RULE,
        "import React, { useCallback, useEffect, useState as state } from 'react'
import { load } from './load'

export function List({ id }) {
  const [list, setList] = state([])
  const [form, setForm] = React.useState({ name: '' })
  const [n, setN] = state(0)
  const add = useCallback((x) => setList([...list, x]), [id, list])
  const remove = useCallback((x) => { setList(list.filter((it) => it !== x)) }, [])
  useEffect(() => {
    const timer = setInterval(() => setN(n + 1), 1000)
    return () => clearInterval(timer)
  }, [n])
  const more = async () => {
    const next = await load()
    setList(list.concat(next))
  }
  load().then((it) => setForm({ ...form, it }))
  return <Rows add={add} remove={remove} more={more} onChange={(e) => setForm({ ...form, name: e.target.value })} />
}
",
        expect![[r#"
            8:34 warning: `setList` uses the `list` captured by the callback, which is recreated on every change; pass an updater function [assist: use an updater function] (not proved: the setter is used elsewhere, and calls in one tick would accumulate)
            9:39 warning: `setList` uses the `list` captured when the callback was created; pass an updater function [assist: use an updater function] (not proved: the setter is used elsewhere, and calls in one tick would accumulate)
            16:5 warning: `setList` uses the `list` from before the `await`; pass an updater function [assist: use an updater function] (not proved: the setter is used elsewhere, and calls in one tick would accumulate)
            18:23 warning: `setForm` uses the `form` from before the promise settled; pass an updater function [assist: use an updater function] (not proved: the setter is used elsewhere, and calls in one tick would accumulate)
            19:71 note: `setForm` uses the `form` from the last render; pass an updater function
            11:37 warning: `setN` uses the `n` from before the timer; pass an updater function [assist: use an updater function] (not proved: it may run more than once before the next render)
            --- assist
            import React, { useCallback, useEffect, useState as state } from 'react'
            import { load } from './load'

            export function List({ id }) {
              const [list, setList] = state([])
              const [form, setForm] = React.useState({ name: '' })
              const [n, setN] = state(0)
              const add = useCallback((x) => setList((prev) => [...prev, x]), [id])
              const remove = useCallback((x) => { setList((prev) => prev.filter((it) => it !== x)) }, [])
              useEffect(() => {
                const timer = setInterval(() => setN((prev) => prev + 1), 1000)
                return () => clearInterval(timer)
              }, [n])
              const more = async () => {
                const next = await load()
                setList((prev) => prev.concat(next))
              }
              load().then((it) => setForm((prev) => ({ ...prev, it })))
              return <Rows add={add} remove={remove} more={more} onChange={(e) => setForm({ ...form, name: e.target.value })} />
            }

        "#]],
    );
}

#[test]
fn ru1_rerender_functional_setstate_is_fixed_in_handlers() {
    let setup = Setup::new();
    setup.fixes(
        &RULE,
        "import { useState } from \"react\";\nfunction A() {\n  const [on, setOn] = useState(0);\n  return <button onClick={() => setOn(on + 1)}>{on}</button>;\n}",
        "import { useState } from \"react\";\nfunction A() {\n  const [on, setOn] = useState(0);\n  return <button onClick={() => setOn((prev) => prev + 1)}>{on}</button>;\n}",
    );
    setup.fixes(
        &RULE,
        "import { useCallback, useState } from 'react'\nfunction A({ by }: { by: number }) {\n  const [sum, setSum] = useState({ n: 1, by })\n  const add = useCallback(() => {\n    setSum({ ...sum, by })\n  }, [by, sum])\n  return <button onClick={add}>{sum.n}</button>\n}",
        "import { useCallback, useState } from 'react'\nfunction A({ by }: { by: number }) {\n  const [sum, setSum] = useState({ n: 1, by })\n  const add = useCallback(() => {\n    setSum((prev) => ({ ...prev, by }))\n  }, [by])\n  return <button onClick={add}>{sum.n}</button>\n}",
    );
}

#[test]
fn ru1_rerender_functional_setstate_finds_a_name() {
    let setup = Setup::new();
    let text = |call: &str, before: &str| {
        format!(
            "import {{ useState }} from 'react';\nconst last = (prev) => prev;\nfunction A() {{ const [a, setA] = useState([1]); {before}return <i onClick={{() => setA({call})}}>{{a}}</i>; }}"
        )
    };
    setup.fixes(&RULE, &text("a.concat(1)", ""), &text("(prev) => prev.concat(1)", ""));
    setup.fixes(
        &RULE,
        &text("a.concat(1)", "const prev = 1; "),
        &text("(prev2) => prev2.concat(1)", "const prev = 1; "),
    );
    setup.fixes(
        &RULE,
        &text("a.map((prev) => prev + a.length)", ""),
        &text("(prev2) => prev2.map((prev) => prev + prev2.length)", ""),
    );
}

#[test]
fn ru1_rerender_functional_setstate_leaves_others() {
    let setup = Setup::new();
    for body in [
        // The setter of another pair.
        "const [a, setA] = useState(0); const [b, setB] = useState(0); return <i onClick={() => setA(b + 1)}>{a}</i>",
        // A setter from outside may take no functions.
        "const { count, setCount } = props; return <i onClick={() => setCount(count + 1)} />",
        // A function already.
        "const [a, setA] = useState(0); return <i onClick={() => setA((it) => it + 1)}>{a}</i>",
        // The value is needed besides.
        "const [a, setA] = useState([]); const add = (x) => { const next = a.concat(x); setA(next); save(next); }; return <i onClick={add} />",
        "const [a, setA] = useState(0); return <i onClick={() => setA(1)}>{a}</i>",
        // What was seen comes back.
        "const [a, setA] = useState([]); return <i onClick={() => save().catch(() => setA([...a]))}>{a}</i>",
        // The guard and the value are to see the same state: a function would step over the end.
        "const [a, setA] = useState(0); const next = () => { if (a < props.last) { setA(a + 1); } }; return <i onClick={next}>{a}</i>",
        "const [a, setA] = useState(0); const back = () => { if (a <= 1) return; setA(a - 1); }; return <i onClick={back}>{a}</i>",
        "const [a, setA] = useState([]); return <i onClick={() => a.length < 3 && setA([...a, 1])}>{a}</i>",
        // Two states move together: the other one makes the callback anew, and is the old one.
        "const [a, setA] = useState([]); const [b, setB] = useState([]); const undo = useCallback(() => { const last = b[0]; setB(b.slice(1)); setA([last, ...a]); }, [a, b]); return <i onClick={undo}>{a}</i>",
        "const [a, setA] = useState([]); const [b, setB] = useState([]); const undo = () => { setB(b.slice(1)); setA([b[0], ...a]); }; return <i onClick={undo}>{a}</i>",
        // The value is needed besides, and made twice.
        "const [a, setA] = useState([]); return <i onClick={() => { setA([...a, 1]); props.onChange([...a, 1]); }}>{a}</i>",
        // The guard looks at what was made of the state.
        "const [a, setA] = useState(0); const canGoBack = a > 0; const back = () => { if (canGoBack) { setA(a - 1); } }; return <i onClick={back}>{a}</i>",
        // A part of the state that was taken while rendering.
        "const [a, setA] = useState({ rows: [] }); const { rows } = a; return <Rows rows={rows} onDrop={(x) => setA({ ...a, rows: rows.filter((it) => it !== x) })} />",
        // The way that waits does not lead there.
        "const [a, setA] = useState(false); const flip = async () => { if (props.far) { await props.far(); return; } setA(!a); }; return <i onClick={flip}>{a}</i>",
        // What is shown is what is switched.
        "const [a, setA] = useState(false); return <i onClick={() => setA(!a)}>{a}</i>",
        "const [a, setA] = useState(null); const pick = (id) => { setA(a === id ? null : id); }; return <Rows onPick={pick} at={a} />",
        // Something else keeps the state in the list.
        "const [a, setA] = useState(0); const more = useCallback(() => { props.load(a); setA(a + 10); }, [a, props]); return <i onClick={more}>{a}</i>",
        // Nobody sees what is listed.
        "const [a, setA] = useState(0); const more = useCallback(() => { setA(a + 10); }, props.deps); return <i onClick={more}>{a}</i>",
        // A condition narrows the type, around the handler or in it; the state of the function has passed none.
        "const [a, setA] = useState(); return a && <Edit onPick={(kind) => setA({ ...a, kind })} />",
        "const [a, setA] = useState({ name: 'list' }); return a.name === 'one' ? <Edit onPick={() => setA({ ...a, name: 'list' })} /> : null",
        "const [a, setA] = useState(); if (!a) return null; return <Edit onPick={(kind) => setA({ ...a, kind })} />",
        "const [a, setA] = useState(); useEffect(() => { if (a) { setA({ ...a, at: props.at }); } }, [props.at]); return <i>{a}</i>",
        "const [a, setA] = useState(); const save = async () => { if (!a) { return; } await props.save(); setA({ ...a, kind: 1 }); }; return <i onClick={save} />",
        // Another thing of the same name.
        "const [a, setA] = useState(0); return <i onClick={(a) => setA(a + 1)} />",
    ] {
        setup.silent(
            &RULE,
            &format!("import {{ useCallback, useEffect, useState }} from 'react';\nfunction A(props) {{ {body}; }}"),
        );
    }
    // The other state is set and not computed.
    let found = setup.findings(&RULE, "import { useCallback, useState } from 'react';\nfunction A() { const [a, setA] = useState([]); const [b, setB] = useState(0); const add = useCallback((x) => { setA([...a, x, b]); setB(0); }, [a, b]); return <i onClick={add}>{a}</i>; }");
    assert_eq!(found.len(), 1);
    // State of a class.
    setup.silent(&RULE, "import React from 'react';\nclass A extends React.Component { add() { this.setState({ n: this.state.n + 1 }); } }");
}

#[test]
fn ru1_rerender_functional_setstate_needs_a_proof() {
    let setup = Setup::new();
    for body in [
        // Two calls add up.
        "return <i onClick={() => { setA(a + 1); setA(a + 2); }}>{a}</i>",
        // The component may call it more than once.
        "return <Box onClick={() => setA(a + 1)}>{a}</Box>",
        "return <i onMouseMove={() => setA(a + 1)}>{a}</i>",
        // The event is spent.
        "return <i onClick={(e) => setA(a + e.detail)}>{a}</i>",
        "return <i onClick={(click) => setA(a + click.detail)}>{a}</i>",
        // What else is read may change until then.
        "const ref = useRef(1); return <i onClick={() => setA(a + ref.current)}>{a}</i>",
        "return <i onClick={() => setA(a + window.scrollY)}>{a}</i>",
        "return <i onClick={() => setA(a + settings.step)}>{a}</i>",
        // One event passes through both.
        "const add = () => setA(a + 1); return <p onClick={add}><i onClick={add}>{a}</i></p>",
        // The handler is kept with an old state.
        "const kept = useMemo(() => <i onClick={() => setA(a + 1)} />, []); return <p>{kept}{a}</p>",
        "const add = useCallback(() => setA(a + props.by), [a]); return <i onClick={add}>{a}</i>",
        // The value may be a function.
        "return <i onClick={() => setA(a || props.other)}>{a}</i>",
        // It waits, or runs later.
        "return <i onClick={async () => { await save(); setA(a + 1); }}>{a}</i>",
        "return <i onClick={() => setTimeout(() => setA(a + 1), 9)}>{a}</i>",
        // The call may have effects.
        "return <i onClick={() => setA(next(a))}>{a}</i>",
        "let by = 1; by++; return <i onClick={() => setA(a + by)}>{a}</i>",
        // The callback holds an old state.
        "const add = useCallback(() => setA(a + 1), []); return <i onClick={add}>{a}</i>",
        "return <i onClick={() => setA(a /* one more */ + 1)}>{a}</i>",
    ] {
        setup.no_auto(&RULE, &format!("import {{ useCallback, useMemo, useRef, useState }} from 'react';\nimport {{ settings }} from './settings';\nfunction A(props) {{ const [a, setA] = useState(0); {body}; }}"));
    }
}

#[test]
fn ru1_rerender_functional_setstate_reads_types_and_lists() {
    let text = |body: &str| {
        format!(
            "import {{ useCallback, useState }} from 'react';\nimport type {{ Draft }} from './draft';\nfunction A() {{ {body} }}"
        )
    };
    let setup = Setup::new().path("src/a.tsx");
    // The type says that it may be missing, so it was narrowed in a way that is not seen.
    for state in ["useState<Draft | undefined>(start)", "useState<Draft>()"] {
        setup.silent(&RULE, &text(&format!("const [a, setA] = {state}; const has = Boolean(a); return has ? <Edit onPick={{(kind) => setA({{ ...a, kind }})}} /> : null;")));
    }
    setup.check(
        &RULE,
        &text(
            "const [a, setA] = useState<Draft>(start); const [n, setN] = useState(0);\nconst step = useCallback(() => setN(n + 1));\nconst flip = useCallback(() => setA({ ...a, on: !a.on }), [a.on]);\nreturn <Edit onPick={(kind) => setA({ ...a, kind })} onStep={step} onFlip={flip} />;",
        ),
        expect![[r#"
            5:32 warning: `setA` uses the `a` captured by the callback, which is recreated on every change; pass an updater function [assist: use an updater function] (not proved: the setter is used elsewhere, and calls in one tick would accumulate)
            6:32 note: `setA` uses the `a` from the last render; pass an updater function [assist: use an updater function] (not proved: the setter is used elsewhere, and calls in one tick would accumulate)
            4:32 note: `setN` uses the `n` from the last render; pass an updater function [assist: use an updater function] (not proved: it may run more than once before the next render)
            --- assist
            import { useCallback, useState } from 'react';
            import type { Draft } from './draft';
            function A() { const [a, setA] = useState<Draft>(start); const [n, setN] = useState(0);
            const step = useCallback(() => setN((prev) => prev + 1));
            const flip = useCallback(() => setA((prev) => ({ ...prev, on: !prev.on })), [a.on]);
            return <Edit onPick={(kind) => setA((prev) => ({ ...prev, kind }))} onStep={step} onFlip={flip} />; }
        "#]],
    );
}

#[test]
fn ru1_rerender_functional_setstate_of_one_moment() {
    let setup = Setup::new();
    for body in [
        // The offset that was asked for is the one that is counted from.
        "const more = async () => { const rows = await load({ offset: n }); setN(n + rows.length); };\n  return <List onEnd={more} />;",
        // What is called may only be asked in this place.
        "useEffect(() => { read(() => { setN(n + node.getLatest().size); }); }, []);\n  return <p>{n}</p>;",
        // Another handler of the element sets it first.
        "return <Select onCreate={(it) => { save(it).then(() => setN(n + it)); }} onChange={(it) => setN(it)} />;",
    ] {
        let text = format!(
            "import {{ useEffect, useState }} from 'react';\nexport const A = ({{ node }}) => {{\n  const [n, setN] = useState(0);\n  {body}\n}};"
        );
        setup.silent(&RULE, &text);
    }
}
