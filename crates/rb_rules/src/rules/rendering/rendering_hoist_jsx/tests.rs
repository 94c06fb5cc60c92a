use expect_test::expect;

use super::RULE;
use crate::facts::Realm;
use crate::testing::{Setup, check_doc};

#[test]
fn ru1_rendering_hoist_jsx_doc() {
    check_doc(&RULE);
}

#[test]
fn ru1_rendering_hoist_jsx_is_fixed() {
    Setup::new().check(
        &RULE,
        r#"'use client'
import { useState } from 'react'

export default function Box({ busy, items }) {
  const [open] = useState(false)
  const empty = (
    <ul className="x">
      <li>&nbsp;</li>
      <li style={{ top: -1 }} />
      <li />
      <li />
    </ul>
  )
  if (busy) {
    return (
      <p><b /> <i /><i /><i /></p>
    )
  }
  return (
    <div>
      <Row icon={<svg viewBox="0 0 8 8"><path d="M1 1h6" /></svg>} />
      {open && <svg width={8}><path d="M1 1h6" /></svg>}
      text <p><b /><i /><i /><i /></p> text
      {items.length ? items : empty}
    </div>
  )
}
"#,
        expect![[r#"
            7:5 note: this <ul> never changes but is recreated on every render of `Box`; move it to module scope [auto: move it to module scope]
            16:7 note: this <p> never changes but is recreated on every render of `Box`; move it to module scope [auto: move it to module scope]
            21:18 note: this <svg> never changes but is recreated on every render of `Box`; move it to module scope [auto: move it to module scope]
            22:16 note: this <svg> never changes but is recreated on every render of `Box`; move it to module scope [assist: move it to module scope] (not proved: it needs a more descriptive name)
            23:12 note: this <p> never changes but is recreated on every render of `Box`; move it to module scope [assist: move it to module scope] (not proved: it needs a more descriptive name)
            --- auto
            'use client'
            import { useState } from 'react'

            const BOX_ICON = <svg viewBox="0 0 8 8"><path d="M1 1h6" /></svg>

            const BOX_P = <p><b /> <i /><i /><i /></p>

            const EMPTY = (
              <ul className="x">
                <li>&nbsp;</li>
                <li style={{ top: -1 }} />
                <li />
                <li />
              </ul>
            )

            export default function Box({ busy, items }) {
              const [open] = useState(false)
              const empty = EMPTY
              if (busy) {
                return BOX_P
              }
              return (
                <div>
                  <Row icon={BOX_ICON} />
                  {open && <svg width={8}><path d="M1 1h6" /></svg>}
                  text <p><b /><i /><i /><i /></p> text
                  {items.length ? items : empty}
                </div>
              )
            }

            --- assist
            'use client'
            import { useState } from 'react'

            const BOX_ICON2 = <svg width={8}><path d="M1 1h6" /></svg>

            export default function Box({ busy, items }) {
              const [open] = useState(false)
              const empty = (
                <ul className="x">
                  <li>&nbsp;</li>
                  <li style={{ top: -1 }} />
                  <li />
                  <li />
                </ul>
              )
              if (busy) {
                return (
                  <p><b /> <i /><i /><i /></p>
                )
              }
              return (
                <div>
                  <Row icon={<svg viewBox="0 0 8 8"><path d="M1 1h6" /></svg>} />
                  {open && BOX_ICON2}
                  text <p><b /><i /><i /><i /></p> text
                  {items.length ? items : empty}
                </div>
              )
            }

        "#]],
    );
}

#[test]
fn ru1_rendering_hoist_jsx_without_proof() {
    let setup = Setup::new();
    let body = "export const A = ({ on }) => <div>{on}<svg><path d='M1 1' /></svg></div>;";
    let pure = format!("import x from 'x';\n{body}");
    setup.fixes(
        &RULE,
        &pure,
        "import x from 'x';\n\nconst A_ICON = <svg><path d='M1 1' /></svg>;\n\nexport const A = ({ on }) => <div>{on}{A_ICON}</div>;",
    );
    for text in [
        format!("import css from 'styled-jsx/css';\n{body}"),
        format!("import {{ t }} from '@lingui/macro';\n{body}"),
        format!("/** @jsxImportSource theme-ui */\n{body}"),
        format!("const React = load();\n{body}"),
        body.replace("export const", "const"),
        body.replace("</svg>", "{/* why */}</svg>"),
        body.replace("<path d='M1 1'", "<path d='M1\n 1'"),
        body.replace("{on}", "<style jsx>{`b { top: 0 }`}</style>"),
        "export const A = ({ on }) => clone(<svg><path d='M1 1' /></svg>, on);".to_owned(),
    ] {
        setup.no_auto(&RULE, &text);
    }
}

#[test]
fn ru1_rendering_hoist_jsx_leaves_the_rest_alone() {
    let setup = Setup::new();
    for part in [
        // Too small to matter.
        "<i className='skeleton tall' />",
        "<p><b /><i /></p>",
        // Texts are read where they stand.
        "<dl><dt>Using</dt><dd>3.4 kW</dd><dt>Making</dt><dd>1.2 kW</dd></dl>",
        // A part of a drawing.
        "<svg width={on}><g><path d='M1' /><path d='M2' /><path d='M3' /><path d='M4' /></g></svg>",
        // A part of a text that is translated.
        "<Trans>x <svg><path d='M1' /></svg></Trans>",
        // Not literal, or not to be shared.
        "<svg><path d={on} /></svg>",
        "<svg key='a'><path d='M1' /></svg>",
        "<svg ref={on}><path d='M1' /></svg>",
        "<svg onClick={on}><path d='M1' /></svg>",
        "<svg {...on}><path d='M1' /></svg>",
        "<svg><path d='M1' /><Shape /></svg>",
        "<svg css={{ top: 0 }}><path d='M1' /></svg>",
        "<div dangerouslySetInnerHTML={{ __html: on }}></div>",
        "<p><label>a</label><input defaultValue='x' /></p>",
    ] {
        setup.silent(&RULE, &format!("export const A = ({{ on }}) => <div>{{on}}{part}</div>;"));
    }
    let whole = "export const A = ({ on }) => <svg><path d='M1 1' /></svg>;";
    setup.silent(&RULE, whole);
    setup.silent(
        &RULE,
        "export function A(props) { const x = 1; return (<svg><path d='M1 1' /></svg>); }",
    );
    // Not in a component; in one that nothing makes render again; already at the top.
    setup.silent(&RULE, "export const icon = <div><svg><path d='M1 1' /></svg></div>;");
    setup.silent(&RULE, "export const A = () => <Box><svg><path d='M1 1' /></svg></Box>;");
    setup.silent(&RULE, "export const icon = (on) => <div>{on}<svg><path d='M1 1' /></svg></div>;");
    // The compiler does it; rendered once on a server.
    let wrong = "export const A = ({ on }) => <div>{on}<svg><path d='M1 1' /></svg></div>;";
    Setup::new().compiler().silent(&RULE, wrong);
    Setup::new().ssr().realm(Realm::Server).silent(&RULE, wrong);
    Setup::new().path("src/emails/welcome.tsx").silent(&RULE, wrong);
}

#[test]
fn ru1_rendering_hoist_jsx_of_long_texts_is_a_draft() {
    let row = "<li>one</li><li>two</li><li>three</li>".repeat(4);
    Setup::new().no_auto(
        &RULE,
        &format!("export const A = ({{ on }}) => <div>{{on}}<ul>{row}</ul></div>;"),
    );
}

#[test]
fn ru1_rendering_hoist_jsx_names_an_icon_once() {
    Setup::new().fixes(
        &RULE,
        "export const StarIcon = ({ on }) => {\n  if (on) return null;\n  return <svg><path d='M1 1' /></svg>;\n};\n",
        "const STAR_ICON = <svg><path d='M1 1' /></svg>;\n\nexport const StarIcon = ({ on }) => {\n  if (on) return null;\n  return STAR_ICON;\n};\n",
    );
}

#[test]
fn ru1_rendering_hoist_jsx_leaves_memo_components() {
    let setup = Setup::new();
    let body = "if (type === 'a') return <svg><path d='M1 1' /></svg>; return <svg><path d='M2 2' /></svg>;";
    for text in [
        format!("const A = ({{ type }}) => {{ {body} }};\nexport default memo(A);"),
        format!("export const A = memo(({{ type }}) => {{ {body} }});"),
    ] {
        setup.silent(&RULE, &format!("import {{ memo }} from 'react';\n{text}"));
    }
    // A hook makes it render by itself.
    let text = format!(
        "import {{ memo }} from 'react';\nexport const A = memo(({{ type }}) => {{ useTheme(); {body} }});"
    );
    assert_eq!(setup.findings(&RULE, &text).len(), 2);
}

#[test]
fn ru1_rendering_hoist_jsx_candidates() {
    let setup = Setup::new();
    let text = "const Skeleton = () => <div className=\"grey\" />;
export function Box({ busy }) { return <div>{busy && <Skeleton />}</div>; }";
    setup.likely(&RULE, text);
    // Offered to others, or handed something.
    setup.silent(&RULE, &text.replace("const Skeleton", "export const Skeleton"));
    setup.silent(
        &RULE,
        &text.replace("() => <div className=\"grey\" />", "({ a }) => <div className={a} />"),
    );
}
