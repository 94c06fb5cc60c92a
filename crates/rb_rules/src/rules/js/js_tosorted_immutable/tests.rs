use expect_test::expect;

use super::RULE;
use crate::rule::Given;
use crate::testing::{Setup, check_doc};

const REACT: &str =
    "import React, { useState as state, useReducer, useContext, useMemo, useRef } from 'react';\n";

#[test]
fn ru1_js_tosorted_immutable_doc() {
    check_doc(&RULE);
}

#[test]
fn ru1_js_tosorted_immutable_finds_each_owner() {
    Setup::new().check(
        &RULE,
        &format!(
            "{REACT}
function A(props) {{
  const {{ xs: list }} = props;
  const [rows, setRows] = state<Row[]>([]);
  const [s, dispatch] = useReducer(reduce, {{}});
  const [n] = React.useState([]);
  const ctx = useContext(Ctx);
  const {{ data }} = useQuery(options);
  const stored = useSelector((it) => it.list);
  const onClick = () => {{
    rows.sort();
    n.splice(0, 1);
    setRows((old) => old.reverse());
  }};
  return (
    <p onClick={{onClick}}>
      {{list.sort((a, b) => a - b).map(f)}}
      {{s.items.reverse().map(f)}}
      {{ctx.list.sort((a, b) => a - b)}}
      {{(data ?? []).sort(byName)}}
      {{stored.reverse().map(f)}}
      {{props.groups.map((group) => group.items.sort().map(f))}}
    </p>
  );
}}
export function useSorted(xs: string[]) {{
  return useMemo(() => xs.sort(), [xs]);
}}
"
        ),
        expect![[r#"
            12:5 warning: `sort` mutates `rows`, which is state; sort a copy
            13:5 warning: `splice` mutates `n`, which is state; change a copy
            14:22 warning: `reverse` mutates `old`, which is state; reverse a copy [assist: reverse a copy] (not proved: it may not be an array)
            18:8 warning: `sort` mutates `list`, which is a prop; sort a copy [assist: sort a copy] (not proved: it may not be an array)
            19:8 warning: `reverse` mutates `s.items`, which is state; reverse a copy [assist: reverse a copy] (not proved: it may not be an array)
            20:8 warning: `sort` mutates `ctx.list`, which is a context value; sort a copy [assist: sort a copy] (not proved: other code may depend on the mutation)
            21:8 warning: `sort` mutates `data ?? []`, which is query cache data; sort a copy [assist: sort a copy] (not proved: other code may depend on the mutation)
            22:8 warning: `reverse` mutates `stored`, which is a store value; reverse a copy [assist: reverse a copy] (not proved: other code may depend on the mutation)
            23:36 warning: `sort` mutates `group.items`, which is a prop; sort a copy [assist: sort a copy] (not proved: it may not be an array)
            28:24 note: `sort` mutates `xs`, which is a hook argument; sort a copy [assist: sort a copy] (not proved: other code may depend on the mutation)
            --- assist
            import React, { useState as state, useReducer, useContext, useMemo, useRef } from 'react';

            function A(props) {
              const { xs: list } = props;
              const [rows, setRows] = state<Row[]>([]);
              const [s, dispatch] = useReducer(reduce, {});
              const [n] = React.useState([]);
              const ctx = useContext(Ctx);
              const { data } = useQuery(options);
              const stored = useSelector((it) => it.list);
              const onClick = () => {
                rows.sort();
                n.splice(0, 1);
                setRows((old) => [...old].reverse());
              };
              return (
                <p onClick={onClick}>
                  {[...list].sort((a, b) => a - b).map(f)}
                  {[...s.items].reverse().map(f)}
                  {[...ctx.list].sort((a, b) => a - b)}
                  {[...(data ?? [])].sort(byName)}
                  {[...stored].reverse().map(f)}
                  {props.groups.map((group) => [...group.items].sort().map(f))}
                </p>
              );
            }
            export function useSorted(xs: string[]) {
              return useMemo(() => [...xs].sort(), [xs]);
            }

        "#]],
    );
}

#[test]
fn ru1_js_tosorted_immutable_is_fixed() {
    let setup = Setup::new();
    let newer = Setup::new().given(&[Given::EsYear(2023)]);
    let before = "const A = ({ xs }: { xs: string[] }) => <b>{xs.sort().map(f)}</b>;";
    setup.fixes(
        &RULE,
        before,
        "const A = ({ xs }: { xs: string[] }) => <b>{[...xs].sort().map(f)}</b>;",
    );
    newer.fixes(
        &RULE,
        before,
        "const A = ({ xs }: { xs: string[] }) => <b>{xs.toSorted().map(f)}</b>;",
    );
    newer.clone().package(|it| it.react_native = true).fixes(
        &RULE,
        before,
        "const A = ({ xs }: { xs: string[] }) => <b>{[...xs].sort().map(f)}</b>;",
    );
    newer.fixes(
        &RULE,
        "import { useMemo } from 'react'\nfunction A(props: { xs: X[]; on: boolean }) {\n  const xs = useMemo(() => props.xs.reverse(), [props.xs])\n  return props.on ? <B xs={xs} /> : null\n}\n",
        "import { useMemo } from 'react'\nfunction A(props: { xs: X[]; on: boolean }) {\n  const xs = useMemo(() => props.xs.toReversed(), [props.xs])\n  return props.on ? <B xs={xs} /> : null\n}\n",
    );
    setup.fixes(
        &RULE,
        "import { useState } from 'react';\nfunction A() {\n  const [xs, set] = useState<X[]>([]);\n  const first = xs.sort(byName);\n  return <B x={first[0]} n={first.length} onClick={set} />;\n}\n",
        "import { useState } from 'react';\nfunction A() {\n  const [xs, set] = useState<X[]>([]);\n  const first = [...xs].sort(byName);\n  return <B x={first[0]} n={first.length} onClick={set} />;\n}\n",
    );
}

#[test]
fn ru1_js_tosorted_immutable_proves_before_it_edits() {
    let setup = Setup::new();
    for body in [
        // A statement; read later, or by a function that runs later; handed on; of unknown type.
        "xs.sort(); return <b>{xs.map(f)}</b>;",
        "const a = xs.sort().map(f); return <b>{a}{xs.map(f)}</b>;",
        "const later = () => xs[0]; return <b onClick={later}>{xs.sort().map(f)}</b>;",
        "const a = xs.sort(); return <B a={a} />;",
        "const a = xs.sort(); useEffect(() => f(a), [a]); return <b/>;",
        "return <b>{any.sort((a, b) => a - b).map(f)}</b>;",
        "return <b>{any.all.reverse().map(f)}</b>;",
        // Another name for it; what was taken out; in a loop.
        "const ys = xs; return <b>{ys.sort().map(f)}</b>;",
        "const out = xs.splice(0, 1); return <b>{out.map(f)}</b>;",
        "return <b>{any.map((it) => xs.reverse().map(f))}</b>;",
        // Elements of a list, which others reach through the list.
        "return <b>{groups.map((group) => group.rows.sort().map(f))}{groups[0].rows[0]}</b>;",
    ] {
        setup.no_auto(
            &RULE,
            &format!("function A({{ xs, any, groups }}: {{ xs: string[]; any: any; groups: {{ rows: string[] }}[] }}) {{ {body} }}"),
        );
    }
    // Data of a cache, arguments of a hook.
    setup.no_auto(
        &RULE,
        "function A() { const { data } = useQuery(q); return <b>{data.sort(byName).map(f)}</b>; }",
    );
    setup.no_auto(&RULE, "function useA(xs: string[]) { return xs.sort().map(f); }");
}

#[test]
fn ru1_js_tosorted_immutable_silent() {
    let setup = Setup::new();
    for body in [
        // Fresh arrays.
        "return <b>{[...props.xs].sort().map(f)}</b>;",
        "return <b>{props.xs.filter(g).sort().map(f)}{props.xs.slice().reverse().map(f)}</b>;",
        "return <b>{Object.keys(props.xs).sort().map(f)}{Array.from(props.xs).sort().map(f)}</b>;",
        "const ys = [...props.xs]; ys.sort((a, b) => a - b); return <b>{ys.map(f)}</b>;",
        "const ys = props.xs.map(f); ys.reverse(); return <b>{ys.map(f)}</b>;",
        "let ys = props.xs; ys = [...ys]; ys.sort((a, b) => a - b); return <b>{ys.map(f)}</b>;",
        "const ys = []; for (const x of props.xs) ys.push(x); ys.sort((a, b) => a - b); return <b>{ys}</b>;",
        // Refs.
        "const ref = useRef([]); ref.current.sort((a, b) => a - b); return <b>{props.ref.current.reverse().map(f)}</b>;",
        // Something else that is called so.
        "props.sort('name'); return <b/>;",
        "props.animation.reverse(); return <b/>;",
        "props.canvas.fill('red'); return <b/>;",
        "const [params] = useSearchParams(); params.sort(); return <b/>;",
        // What the function made itself.
        "const ys = useMemo(() => props.xs.filter(g), [props.xs]); return <b>{ys}</b>;",
        "const sum = props.xs.reduce((all, x) => { all.splice(0, 1); return all; }, []); return <b>{sum}</b>;",
    ] {
        setup.silent(&RULE, &format!("{REACT}function A(props) {{ {body} }}"));
    }
    // Drafts of immer, lists of immutable.js, functions that render nothing.
    setup.silent(&RULE, "import { produce } from 'immer';\nfunction A({ xs }) { return <b onClick={() => produce(xs, (draft) => { draft.sort((a, b) => a - b); })} />; }");
    setup
        .clone()
        .package(|it| {
            it.dependencies.insert("immutable".into());
        })
        .silent(&RULE, "function A({ xs }) { return <b>{xs.sort((a, b) => a - b).map(f)}</b>; }");
    setup.silent(
        &RULE,
        "export function sortRows(rows) { return rows.sort((a, b) => a - b).map(f); }",
    );
}

#[test]
fn ru1_js_tosorted_immutable_copies_around_parentheses() {
    Setup::new().check(
        &RULE,
        "const A = ({ order }) => <p>{(order.rows || []).sort((a, b) => a.n - b.n).map(f)}</p>;\n",
        expect![[r#"
            1:30 warning: `sort` mutates `order.rows || []`, which is a prop; sort a copy [assist: sort a copy] (not proved: it may not be an array)
            --- assist
            const A = ({ order }) => <p>{[...(order.rows || [])].sort((a, b) => a.n - b.n).map(f)}</p>;

        "#]],
    );
}
