use expect_test::expect;

use super::RULE;
use crate::testing::{Setup, check_doc};

#[test]
fn ru1_rerender_dependencies_doc() {
    check_doc(&RULE);
}

#[test]
fn ru1_rerender_dependencies_is_found() {
    Setup::new().check(
        &RULE,
        "import React, { useCallback, useEffect as effect, useMemo } from 'react'

type User = { name: string; age: number; tags: string[] }
export function Hi({ user, row, width, props }: { user: User; row?: User; width: number; props: any }) {
  const loud = useMemo(() => user.name.toUpperCase(), [user])
  const both = useMemo(() => `${user.name} ${user.age}`.trim(), [width, user])
  const maybe = useMemo(() => shout(row?.name), [row])
  const greet = useCallback(() => alert(user.name), [user])
  effect(() => { document.title = props.title }, [props])
  React.useEffect(() => { if (width < 768) fold() }, [width])
  effect(() => { go(user.name) }, [{ name: user.name }, () => go, [1]])
  return <b onClick={greet}>{loud}{both}{maybe}</b>
}
",
        expect![[r#"
            5:56 note: `useMemo` re-runs whenever `user` is a new object, but reads only `user.name`; depend on that [auto: depend on what it reads]
            6:73 note: `useMemo` re-runs whenever `user` is a new object, but reads only `user.age` and `user.name`; depend on that [auto: depend on what it reads]
            7:50 note: `useMemo` re-runs whenever `row` is a new object, but reads only `row?.name`; depend on that [assist: depend on what it reads] (not proved: the member may not be a primitive)
            8:54 note: `useCallback` returns a new function whenever `user` is a new object, but reads only `user.name`; depend on that [assist: depend on what it reads] (not proved: the function may have side effects)
            9:51 note: `useEffect` re-runs whenever `props` is a new object, but reads only `props.title`; depend on that [assist: depend on what it reads] (not proved: the effect would run less often)
            10:55 note: `useEffect` runs on every change of `width`, but only `width < 768` matters; depend on that
            11:36 note: the object in the dependency array is new on every render, so `useEffect` runs every time; remove it
            11:57 note: the function in the dependency array is new on every render, so `useEffect` runs every time; remove it
            11:67 note: the array in the dependency array is new on every render, so `useEffect` runs every time; remove it
            --- auto
            import React, { useCallback, useEffect as effect, useMemo } from 'react'

            type User = { name: string; age: number; tags: string[] }
            export function Hi({ user, row, width, props }: { user: User; row?: User; width: number; props: any }) {
              const loud = useMemo(() => user.name.toUpperCase(), [user.name])
              const both = useMemo(() => `${user.name} ${user.age}`.trim(), [width, user.age, user.name])
              const maybe = useMemo(() => shout(row?.name), [row])
              const greet = useCallback(() => alert(user.name), [user])
              effect(() => { document.title = props.title }, [props])
              React.useEffect(() => { if (width < 768) fold() }, [width])
              effect(() => { go(user.name) }, [{ name: user.name }, () => go, [1]])
              return <b onClick={greet}>{loud}{both}{maybe}</b>
            }

            --- assist
            import React, { useCallback, useEffect as effect, useMemo } from 'react'

            type User = { name: string; age: number; tags: string[] }
            export function Hi({ user, row, width, props }: { user: User; row?: User; width: number; props: any }) {
              const loud = useMemo(() => user.name.toUpperCase(), [user])
              const both = useMemo(() => `${user.name} ${user.age}`.trim(), [width, user])
              const maybe = useMemo(() => shout(row?.name), [row?.name])
              const greet = useCallback(() => alert(user.name), [user.name])
              effect(() => { document.title = props.title }, [props.title])
              React.useEffect(() => { if (width < 768) fold() }, [width])
              effect(() => { go(user.name) }, [{ name: user.name }, () => go, [1]])
              return <b onClick={greet}>{loud}{both}{maybe}</b>
            }

        "#]],
    );
}

#[test]
fn ru1_rerender_dependencies_leaves_what_needs_the_whole() {
    let setup = Setup::new();
    for memo in [
        // Called with its receiver, passed whole, written.
        "useMemo(() => user.name(), [user])",
        "useMemo(() => user.id + pick(user), [user])",
        "useMemo(() => show(user[key]), [user, key])",
        "useEffect(() => { user.name = 'x'; }, [user])",
        // Guarded, because it may be missing.
        "useMemo(() => show(user ? user.name : ''), [user])",
        // A ref, a member that is an object, too many to list.
        "useEffect(() => { go(ref.current); }, [ref])",
        "useMemo(() => list(user.friends), [user])",
        "useMemo(() => list(user.id, user.name, user.email), [user])",
        "useMemo(() => list(user.name), [user.name])",
        // A text is no object; another list of the same length is another list.
        "useMemo(() => show(text.length * 2), [text])",
        "useEffect(() => { go(rows.length); }, [rows])",
        // Things with a life of their own.
        "useEffect(() => { go(editor.isEmpty); }, [editor])",
        "useEffect(() => { go(query.status); }, [query])",
        "useMemo(() => show(LIST.length), [LIST])",
        // The memo itself is what is too much.
        "useMemo(() => key && !user.length && !rows.length, [key, user, rows])",
        // The object stands for what was made of it and is not listed.
        "useMemo(() => ({ max: first.length / rows.length }), [key, rows])",
    ] {
        setup.silent(
            &RULE,
            &format!("import {{ useEffect, useMemo, useRef }} from 'react';\nconst LIST = [];\nfunction A({{ user, key, editor, text, rows }}) {{ const ref = useRef(null); const query = useQuery(); const first = rows.slice(1); const x = {memo}; return <b>{{x}}</b>; }}"),
        );
    }
    // A text by its type.
    for text in ["path: string", "path?: string", "path: string | null"] {
        setup.silent(&RULE, &format!("import {{ useMemo }} from 'react';\nfunction A({{ path = '' }}: {{ {text} }}) {{ const x = useMemo(() => show(path.length > 0), [path]); return <b>{{x}}</b>; }}"));
    }
    // Objects that are watched while they are read.
    setup.silent(
        &RULE,
        &format!("import {{ observer }} from 'mobx-react-lite';\n{}", RULE.doc.wrong),
    );
}

#[test]
fn ru1_rerender_dependencies_knows_that_there_is_a_location() {
    Setup::new().check(
        &RULE,
        "import { useMemo } from 'react';
import { useLocation } from 'react-router-dom';
import { useLocation as useOther } from './location';
export function useScopes(names: string[], user: any) {
  const location = useLocation();
  const place = useOther();
  const isOpen = useMemo(() => names.some((it) => location.pathname.startsWith(it)), [names, location]);
  const isShut = useMemo(() => names.some((it) => place.pathname === it || user.id === it), [names, place, user]);
  return { isOpen, isShut };
}
",
        expect![[r#"
            7:94 note: `useMemo` re-runs whenever `location` is a new object, but reads only `location.pathname`; depend on that [assist: depend on what it reads] (not proved: the member may not be a primitive)
            8:108 note: `useMemo` re-runs whenever `user` is a new object, but reads only `user.id`; depend on that [assist: depend on what it reads] (not proved: the object may be undefined during render)
            --- assist
            import { useMemo } from 'react';
            import { useLocation } from 'react-router-dom';
            import { useLocation as useOther } from './location';
            export function useScopes(names: string[], user: any) {
              const location = useLocation();
              const place = useOther();
              const isOpen = useMemo(() => names.some((it) => location.pathname.startsWith(it)), [names, location.pathname]);
              const isShut = useMemo(() => names.some((it) => place.pathname === it || user.id === it), [names, place, user?.id]);
              return { isOpen, isShut };
            }

        "#]],
    );
}

#[test]
fn ru1_rerender_dependencies_needs_a_proof() {
    let setup = Setup::new();
    for body in [
        // An effect runs less often.
        "useEffect(() => { document.title = user.name; }, [user])",
        // The object may be missing while rendering.
        "useMemo(() => String(other.name), [other])",
        "useMemo(() => String(row.name), [row])",
        // The callback has an effect.
        "useCallback(() => save(user.name), [user])",
    ] {
        setup.no_auto(
            &RULE,
            &format!("import {{ useCallback, useEffect, useMemo }} from 'react';\nfunction A({{ user, row, other }}: {{ user: {{ name: string }}; row: {{ name: string }} | null; other: Imported }}) {{ const x = {body}; return <b>{{x}}</b>; }}"),
        );
    }
    // Without strict null checks a type proves nothing of that kind.
    setup.package(|it| it.strict = false).no_auto(&RULE, "import { useCallback } from 'react';\nfunction A({ user }: { user: { name: string } }) { const x = useCallback(() => user.name, [user]); return <b>{x}</b>; }");
}

#[test]
fn ru1_rerender_dependencies_of_what_is_chosen_as_a_whole() {
    let text = |set: &str| {
        format!(
            "import {{ useEffect, useState }} from 'react';\nexport const Pick = ({{ teams, id }}) => {{\n  const [team, setTeam] = useState(null);\n  useEffect(() => {{\n    if (team?.id !== id) report(id);\n  }}, [id, team]);\n  return <Rows rows={{teams}} onPick={{(it) => {set}}} />;\n}};"
        )
    };
    // Another object is another team.
    Setup::new().silent(&RULE, &text("setTeam(it)"));
    // The same team in new clothes.
    for set in ["setTeam({ ...team, name: it })", "setTeam((prev) => rename(prev, it))"] {
        assert_eq!(Setup::new().findings(&RULE, &text(set)).len(), 1, "{set}");
    }
}

#[test]
fn ru1_rerender_dependencies_of_what_saves_nothing() {
    let setup = Setup::new();
    for body in [
        // A few comparisons.
        "const n = useMemo(() => { if (!wide) { return 1; } return rows.length > 2 ? 2 : 3; }, [rows, wide]);",
        "const n = useMemo(() => Array.isArray(wide) && wide.length === rows.length, [rows, wide]);",
        // All there is of the state is read.
        "const [at, setAt] = useState({ width: 0, height: 0 }); useEffect(() => { report(at.width, at.height); }, [at]);",
    ] {
        setup.silent(
            &RULE,
            &format!("import {{ useEffect, useMemo, useState }} from 'react';\nexport const Page = ({{ rows, wide }}: {{ rows: string[]; wide: boolean }}) => {{ {body} return <p>{{n}}</p>; }};"),
        );
    }
}
