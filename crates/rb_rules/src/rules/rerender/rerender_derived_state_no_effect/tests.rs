use expect_test::expect;

use super::RULE;
use crate::testing::{Setup, check_doc};

fn component(body: &str) -> String {
    format!(
        "import {{ useEffect, useRef, useState }} from 'react';\nfunction A({{ a, b, f }}: {{ a: string; b: string; f: any }}) {{\n{body}\n  return <p>{{s}}</p>;\n}}\n"
    )
}

#[test]
fn ru1_rerender_derived_state_no_effect_doc() {
    check_doc(&RULE);
}

#[test]
fn ru1_rerender_derived_state_no_effect_is_fixed() {
    Setup::new().check(
        &RULE,
        "import * as React from 'react'
import { useEffect as after, useState } from 'react'

type Props = { first: string; last: string; rows: number[]; user: { age: number } }
export const Card = ({ first, last, rows, user }: Props) => {
  const [name, setName] = useState<string>('')
  const [big, setBig] = useState<number[]>([])
  const [adult, setAdult] = React.useState(false)
  const [title, setTitle] = useState('')

  after(() => setName(first + ' ' + last), [first, last])

  React.useEffect(() => {
    setBig(rows.filter((row) => row > 9))
  }, [rows])

  React.useEffect(() => { setAdult(user.age > 17) }, [user.age])
  const shown = name.trim()
  after(() => { setTitle(`${shown}!`) }, [shown])

  return <p title={title}>{name}{big}{adult}</p>
}
",
        expect![[r#"
            11:3 warning: an effect derives `name` from other values, one render late; compute it during render [auto: compute it during render]
            13:3 warning: an effect derives `big` from other values, one render late; compute it during render [auto: compute it during render]
            17:3 warning: an effect derives `adult` from other values, one render late; compute it during render [auto: compute it during render]
            19:3 warning: an effect derives `title` from other values, one render late; compute it during render [auto: compute it during render]
            --- auto
            import * as React from 'react'
            import { useMemo } from 'react'

            type Props = { first: string; last: string; rows: number[]; user: { age: number } }
            export const Card = ({ first, last, rows, user }: Props) => {
              const name: string = first + ' ' + last
              const big: number[] = useMemo(() => rows.filter((row) => row > 9), [rows])
              const adult = user.age > 17

              const shown = name.trim()
              const title = `${shown}!`

              return <p title={title}>{name}{big}{adult}</p>
            }

        "#]],
    );
}

#[test]
fn ru1_rerender_derived_state_no_effect_takes_imports_along() {
    Setup::new().fixes(
        &RULE,
        "import { useEffect, useState } from \"react\";\n\nexport function A({ a }: { a: number }) {\n  const [s, setS] = useState(0);\n  const [t, setT] = useState(0);\n\n  useEffect(() => {\n    setS(a * 2);\n  }, [a]);\n  useEffect(() => {\n    setT(s * 2);\n  }, [s]);\n\n  return <p>{t}</p>;\n}\n",
        "export function A({ a }: { a: number }) {\n  const s = a * 2;\n  const t = s * 2;\n\n  return <p>{t}</p>;\n}\n",
    );
}

#[test]
fn ru1_rerender_derived_state_no_effect_keeps_what_is_made() {
    Setup::new().fixes(
        &RULE,
        "import { useEffect, useState } from 'react'\r\nexport function useTags(a: string, b: string) {\r\n  const [tags, setTags] = useState<string[]>([])\r\n  useEffect(() => {\r\n    setTags([a, b])\r\n  }, [a, b, setTags])\r\n  return tags\r\n}\r\n",
        "import { useMemo } from 'react'\r\nexport function useTags(a: string, b: string) {\r\n  const tags: string[] = useMemo(() => [a, b], [a, b])\r\n  return tags\r\n}\r\n",
    );
}

#[test]
fn ru1_rerender_derived_state_no_effect_leaves_state() {
    let setup = Setup::new();
    for body in [
        // Edited elsewhere.
        "const [s, setS] = useState(''); useEffect(() => { setS(a); }, [a]); const clear = () => setS('');",
        "const [s, setS] = useState(''); useEffect(() => { setS(a); }, [a]); f(setS);",
        // What the browser, the clock, chance, storage or a ref say.
        "const [s, setS] = useState(0); useEffect(() => { setS(window.innerWidth + a.length); }, [a]);",
        "const [s, setS] = useState(''); useEffect(() => { setS(localStorage.getItem(a)); }, [a]);",
        "const [s, setS] = useState(0); useEffect(() => { setS(Date.now() - a); }, [a]);",
        "const [s, setS] = useState(0); useEffect(() => { setS(Math.random() * a.length); }, [a]);",
        "const [s, setS] = useState(0); const r = useRef(null); useEffect(() => { setS(r.current.offsetWidth + a); }, [a]);",
        // It is there once the component is mounted.
        "const [s, setS] = useState(false); useEffect(() => { setS(true); }, []);",
        // A cleanup, a condition that keeps the last value, something asynchronous.
        "const [s, setS] = useState(''); useEffect(() => { setS(a); return () => f(); }, [a]);",
        "const [s, setS] = useState(''); useEffect(() => { if (b) setS(a); }, [a, b]);",
        "const [s, setS] = useState(''); useEffect(() => { f(a).then(setS); }, [a]);",
        "const [s, setS] = useState(''); useEffect(() => { f(a).then((it) => setS(it)); }, [a]);",
        "const [s, setS] = useState(''); useEffect(() => { const go = async () => setS(await f(a)); go(); }, [a]);",
        // From itself.
        "const [s, setS] = useState(''); useEffect(() => { setS(s + a); }, [a]);",
        "const [s, setS] = useState(''); useEffect(() => { setS((it) => it + a); }, [a]);",
        // Other work in the effect.
        "const [s, setS] = useState(''); useEffect(() => { setS(a); f(a); }, [a]);",
    ] {
        setup.silent(&RULE, &component(body));
    }
}

#[test]
fn ru1_rerender_derived_state_no_effect_needs_a_proof() {
    let setup = Setup::new();
    for body in [
        // One dependency too many, or none at all.
        "const [s, setS] = useState(''); useEffect(() => { setS(a + ''); }, [a, b]);",
        "const [s, setS] = useState(''); useEffect(() => { setS(a + b); });",
        // The setter would call a function.
        "const [s, setS] = useState(null); useEffect(() => { setS(f); }, [f]);",
        // Calls that nobody knows.
        "const [s, setS] = useState(''); useEffect(() => { setS(f(a)); }, [a, f]);",
        "const [s, setS] = useState(begin()); useEffect(() => { setS(a + b); }, [a, b]);",
        // Types, and what is kept for good.
        "const [s, setS] = useState('x'); useEffect(() => { setS(a ? 'y' : 'z'); }, [a]);",
        "const [s, setS] = useState(''); useEffect(() => { setS(a + b); }, [a, b]); const [t] = useState(s);",
        "let c = a; const [s, setS] = useState(''); c = b; useEffect(() => { setS(c + ''); }, [c]);",
        // The value is needed before what it is computed from is there.
        "const [s, setS] = useState(''); const c = a + s; useEffect(() => { setS(c + ''); }, [c]);",
        "const [s, setS] = useState(''); useEffect(() => { /* both */ setS(a + b); }, [a, b]);",
    ] {
        setup.no_auto(&RULE, &component(body));
    }
}

#[test]
fn ru1_rerender_derived_state_no_effect_out_of_step() {
    let setup = Setup::new();
    for body in [
        // What was chosen when the token came is kept.
        "const [relay, setRelay] = useState(first); const [shown, setShown] = useState(first);\n  useEffect(() => {\n    setShown(relay);\n  }, [token]);\n  return <Pick at={shown} onPick={setRelay} />;",
        "const [shown, setShown] = useState('');\n  useEffect(() => {\n    setShown(`${token} ${first}`);\n  }, []);\n  return <p>{shown}</p>;",
        "const [shown, setShown] = useState('');\n  useEffect(() => {\n    setShown(`${token} ${first}`);\n  }, deps);\n  return <p>{shown}</p>;",
        // Nobody knows what the function reads.
        "const [shown, setShown] = useState('');\n  useEffect(() => {\n    setShown(store.read(token));\n  }, [token, first]);\n  return <p>{shown}</p>;",
    ] {
        setup.silent(
            &RULE,
            &format!("import {{ useEffect, useState }} from 'react';\nimport {{ store }} from './store';\nexport const Full = ({{ token, first, deps }}) => {{\n  {body}\n}};"),
        );
    }
}

#[test]
fn ru1_rerender_derived_state_no_effect_two_passes() {
    Setup::new().silent(
        &RULE,
        "import { useLayoutEffect, useState } from 'react';\nexport const Drawer = ({ isOpen }) => {\n  const [shown, setShown] = useState(false);\n  useLayoutEffect(() => {\n    setShown(isOpen);\n  }, [isOpen]);\n  return <p className={shown ? 'in' : ''} />;\n};",
    );
}

#[test]
fn ru1_rerender_derived_state_no_effect_keeps_the_type() {
    Setup::new().check(
        &RULE,
        "import { useEffect, useState } from 'react';
export const Pick = ({ id }: { id?: string }) => {
  const [value, setValue] = useState<string>();
  const [on, setOn] = useState(false);
  useEffect(() => {
    setValue(id);
  }, [id]);
  useEffect(() => {
    setOn(Boolean(id));
  }, [id]);
  return <p hidden={on}>{value}</p>;
};
",
        expect![[r#"
            5:3 warning: an effect derives `value` from other values, one render late; compute it during render [assist: compute it during render] (not proved: the value may be a function, which the setter would call)
            8:3 warning: an effect derives `on` from other values, one render late; compute it during render [auto: compute it during render]
            --- auto
            import { useEffect, useState } from 'react';
            export const Pick = ({ id }: { id?: string }) => {
              const [value, setValue] = useState<string>();
              const on = Boolean(id);
              useEffect(() => {
                setValue(id);
              }, [id]);
              return <p hidden={on}>{value}</p>;
            };

            --- assist
            import { useEffect, useState } from 'react';
            export const Pick = ({ id }: { id?: string }) => {
              const value: string | undefined = id;
              const [on, setOn] = useState(false);
              useEffect(() => {
                setOn(Boolean(id));
              }, [id]);
              return <p hidden={on}>{value}</p>;
            };

        "#]],
    );
}
