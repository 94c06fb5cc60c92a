use expect_test::expect;

use super::RULE;
use crate::testing::{Setup, check_doc};

#[test]
fn ru1_rerender_split_combined_hooks_doc() {
    check_doc(&RULE);
}

#[test]
fn ru1_rerender_split_combined_hooks_is_found() {
    Setup::new().check(
        &RULE,
        "import React, { useMemo } from 'react'
export function Page({ path, title, rows, query, order }) {
  React.useEffect(() => {
    const full = base(path)
    track(full)
    if (title) document.title = title
  }, [path, title])
  const shown = useMemo(() => {
    const hits = rows.filter((row) => row.name.includes(query))
    return hits.map((row) => row[order])
  }, [rows, query, order])
  return <main>{shown}</main>
}
",
        expect![[r#"
            3:3 warning: the work for `path` re-runs even if only `title` changes; move line 6 to a separate effect [assist: split the effect]
            9:5 note: `hits` is recomputed even if only `order` changes; move it to a separate `useMemo` [assist: split the memo]
            --- assist
            import React, { useMemo } from 'react'
            export function Page({ path, title, rows, query, order }) {
              React.useEffect(() => {
                const full = base(path)
                track(full)
              }, [path])
              React.useEffect(() => {
                if (title) document.title = title
              }, [title])
              const hits = useMemo(() => rows.filter((row) => row.name.includes(query)), [rows, query])
              const shown = useMemo(() => hits.map((row) => row[order]), [hits, order])
              return <main>{shown}</main>
            }

        "#]],
    );
}

#[test]
fn ru1_rerender_split_combined_hooks_leaves_others() {
    let setup = Setup::new();
    for effect in [
        // They share a value, a function or a global: the order may matter.
        "useEffect(() => { track(a, b); document.title = a; }, [a, b])",
        "useEffect(() => { send(a); send(b); }, [a, b])",
        "useEffect(() => { document.title = a; document.lang = b; }, [a, b])",
        "useEffect(() => { one(a); two(b); one(a); }, [a, b])",
        // A cleanup, an early return, shared handling of errors.
        "useEffect(() => { one(a); two(b); return () => stop(); }, [a, b])",
        "useEffect(() => { if (!a) return; two(b); }, [a, b])",
        "useEffect(() => { try { one(a); two(b); } catch {} }, [a, b])",
        // Measures of the layout.
        "useLayoutEffect(() => { one(a); two(b); }, [a, b])",
        // What was seen last is kept for others; functions that are but called.
        "useEffect(() => { ref.current = a; go(b); }, [a, b])",
        "useEffect(() => { a('x'); b.go(1); }, [a, b])",
        // What hangs on nothing, and what is listed but not read.
        "useEffect(() => { reset(); two(b); }, [a, b])",
        "useEffect(() => { one(a); two(b); }, [a, b, c])",
        "useEffect(() => { one(a); two(b); })",
        "useEffect(() => { one(a); }, [a])",
    ] {
        setup.silent(&RULE, &format!("import {{ useEffect, useLayoutEffect }} from 'react';\nfunction A({{ a, b, c }}) {{ {effect}; return <i />; }}"));
    }
    // React Compiler is on.
    setup.compiler().silent(&RULE, RULE.doc.wrong);
}

#[test]
fn ru1_rerender_split_combined_hooks_leaves_memos_that_never_change_alone() {
    let setup = Setup::new();
    for (made, last) in [
        // It is made of what the first step reads.
        ("const low = rows.reduce((a, row) => Math.min(a, row.n), 9);", "low"),
        ("const n = rows.length; const low = n > 3 ? n : 3;", "low"),
        // A flag changes once in a while.
        ("const low = who.role === 'admin';", "low"),
    ] {
        setup.silent(&RULE, &format!("import {{ useMemo }} from 'react';\nfunction A({{ rows, who }}) {{ {made} const x = useMemo(() => {{ const on = rows.filter((row) => row.on); return on.map((row) => row.n - {last}); }}, [rows, {last}]); return <i>{{x}}</i>; }}"));
    }
    let text = "import { useMemo } from 'react';\nfunction A({ rows, who }) { const low = rows.length + who.n; const x = useMemo(() => { const on = rows.filter((row) => row.on); return on.map((row) => row.n - low); }, [rows, low]); return <i>{x}</i>; }";
    assert_eq!(setup.findings(&RULE, text).len(), 1);
}

#[test]
fn ru1_rerender_split_combined_hooks_keeps_types_and_comments() {
    Setup::new().check(
        &RULE,
        "import { useMemo } from 'react'
export function Page({ rows, query, order }: Props) {
  const n = 1

  /** Names that are shown. */
  const shown = useMemo((): Name[] => {
    const hits = rows.filter(
      (row) => row.name.includes(query)
    )
    return hits.map((row) => row[order])
  }, [rows, query, order])
  const other = useMemo<Name[]>(() => {
    const kept = rows.filter((row) => row.on)
    return kept.map((row) => row.of(query, order))
  }, [rows, query, order])
  return <main>{shown}{other}{n}</main>
}
",
        expect![[r#"
            7:5 note: `hits` is recomputed even if only `order` changes; move it to a separate `useMemo` [assist: split the memo]
            13:5 note: `kept` is recomputed even if only `query`, `order` change; move it to a separate `useMemo` [assist: split the memo]
            --- assist
            import { useMemo } from 'react'
            export function Page({ rows, query, order }: Props) {
              const n = 1

              const hits = useMemo(() => rows.filter(
                (row) => row.name.includes(query)
              ), [rows, query])
              /** Names that are shown. */
              const shown = useMemo((): Name[] => hits.map((row) => row[order]), [hits, order])
              const kept = useMemo(() => rows.filter((row) => row.on), [rows])
              const other = useMemo<Name[]>(() => kept.map((row) => row.of(query, order)), [kept, query, order])
              return <main>{shown}{other}{n}</main>
            }

        "#]],
    );
}

#[test]
fn ru1_rerender_split_combined_hooks_leaves_values_that_change_together() {
    let setup = Setup::new();
    for (made, hook) in [
        // Taken from what the other group reads, or from the same object.
        (
            "const { heat } = config.params ?? {};",
            "useEffect(() => { form.fill(config); if (heat) last.current.heat = heat; }, [config, heat])",
        ),
        (
            "const page = usePage(id); const title = page?.title; const icon = page?.meta?.icon;",
            "useEffect(() => { if (title !== a) setA(title); if (icon !== b) setB(icon); }, [title, icon])",
        ),
        // The first step reads what a hook makes of the value that the second one reads.
        (
            "const t = useWords(); const fits = useMemo(() => (row) => t(row.id) === a, [a, t]);",
            "const x = useMemo(() => { const ids = rows.filter(fits).map((row) => row.id); return rows.filter((row) => ids.includes(t(row.id))); }, [rows, fits, t])",
        ),
        (
            "const { places } = usePlaces({ id: rows.map((row) => row.place) });",
            "const x = useMemo(() => { const byId = new Map(places.map((it) => [it.id, it])); return rows.map((row) => byId.get(row.place)); }, [places, rows])",
        ),
    ] {
        setup.silent(&RULE, &format!("import {{ useEffect, useMemo, useRef }} from 'react';\nfunction A({{ a, b, id, rows, config, form, setA, setB }}) {{ const last = useRef({{}}); {made} {hook}; return <i />; }}"));
    }
    // What comes from the props, or begins with the same value, changes alone.
    for made in [
        "const { x, y } = props;",
        "const { a } = props; const [x] = useState(a); const [y] = useState(a);",
    ] {
        let text = format!(
            "import {{ useEffect, useState }} from 'react';\nfunction A(props) {{ {made} useEffect(() => {{ one(x); two(y); }}, [x, y]); return <i />; }}"
        );
        assert_eq!(setup.findings(&RULE, &text).len(), 1, "{text}");
    }
}

#[test]
fn ru1_rerender_split_combined_hooks_candidates() {
    let text = "import { useMemo } from 'react';
function List({ rows, kind, order }: { rows: Row[]; kind: string; order: string }) {
  const sorted = useMemo(() => {
    const some = rows.filter((row) => row.kind === kind);
    const all = some.toSorted((a, b) => compare(a, b, order));
    return all;
  }, [rows, kind, order]);
  return <Rows rows={sorted} />;
}";
    Setup::new().likely(&RULE, text);
    Setup::new().silent(&RULE, &text.replace("return all", "return some"));
}
