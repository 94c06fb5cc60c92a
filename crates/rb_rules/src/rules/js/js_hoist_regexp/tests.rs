use expect_test::expect;

use super::RULE;
use crate::testing::{Setup, check_doc};

#[test]
fn ru1_js_hoist_regexp_doc() {
    check_doc(&RULE);
}

#[test]
fn ru1_js_hoist_regexp_is_fixed() {
    Setup::new().check(
        &RULE,
        "'use client'

import { useState } from 'react'
import type { X } from './x'

export function Form({ names, PATTERN }: { names: string[]; PATTERN: string }) {
  const wordPattern = /^\\w+$/
  const ok = wordPattern.test(PATTERN)
  for (const name of names) {
    if (new RegExp('^[a-z]+$', 'i').test(name)) return null
  }
  return <p>{names.map((name: string) => name.replace(/ (x)/, '-'))}</p>
}
",
        expect![[r#"
            7:23 note: `/^\w+$/` is recreated on every render; move it to a module-level constant [auto: move it to module scope]
            10:9 note: `new RegExp('^[a-z]+$', 'i')` is recreated on every iteration; move it to a module-level constant [auto: move it to module scope]
            12:55 note: `/ (x)/` is recreated on every iteration; move it to a module-level constant [auto: move it to module scope]
            --- auto
            'use client'

            import { useState } from 'react'
            import type { X } from './x'

            const WORD_PATTERN = /^\w+$/
            const FORM_PATTERN = new RegExp('^[a-z]+$', 'i')
            const FORM_PATTERN2 = / (x)/

            export function Form({ names, PATTERN }: { names: string[]; PATTERN: string }) {
              const wordPattern = WORD_PATTERN
              const ok = wordPattern.test(PATTERN)
              for (const name of names) {
                if (FORM_PATTERN.test(name)) return null
              }
              return <p>{names.map((name: string) => name.replace(FORM_PATTERN2, '-'))}</p>
            }

        "#]],
    );
    Setup::new().path("src/a.js").fixes(
        &RULE,
        "#!/usr/bin/env node\n// Words.\nexport function useWords(xs) {\n  return xs.filter(function (x) { return /a/.exec(x); });\n}\n",
        "#!/usr/bin/env node\nconst WORDS_PATTERN = /a/;\n\n// Words.\nexport function useWords(xs) {\n  return xs.filter(function (x) { return WORDS_PATTERN.exec(x); });\n}\n",
    );
}

#[test]
fn ru1_js_hoist_regexp_names_and_orders() {
    Setup::new().path("src/a.js").fixes(
        &RULE,
        "import React from 'react';
export const useSlugs = (titles) => {
  const slugs = titles.map((title) => title.match(/ (a)/));
  return { slugs, words: titles.filter((it) => /b/.test(it)), mails: titles.filter(isMail) };
};
function MailList({ all }) {
  return all.filter((it) => /c/.test(it)).map((it) => <b>{it}</b>);
}
export const useTags = (tags) => tags.some((tag) => { const tagRe = /d/; return tagRe.test(tag); });
",
        "import React from 'react';

const WORDS_PATTERN = /b/;
const MAIL_LIST_PATTERN = /c/;
const TAG_RE = /d/;

export const useSlugs = (titles) => {
  const slugs = titles.map((title) => title.match(/ (a)/));
  return { slugs, words: titles.filter((it) => WORDS_PATTERN.test(it)), mails: titles.filter(isMail) };
};
function MailList({ all }) {
  return all.filter((it) => MAIL_LIST_PATTERN.test(it)).map((it) => <b>{it}</b>);
}
export const useTags = (tags) => tags.some((tag) => { const tagRe = TAG_RE; return tagRe.test(tag); });
",
    );
}

#[test]
fn ru1_js_hoist_regexp_makes_one_constant_of_one_pattern() {
    let setup = Setup::new();
    setup.fixes(
        &RULE,
        "import a from 'a';\n\nconst A = ({ xs }) => <b>{xs.filter((x) => /a/.test(x) || /a/.test(x.y) || /b/.test(x))}</b>;\n",
        "import a from 'a';\n\nconst A_PATTERN = /a/;\nconst A_PATTERN2 = /b/;\n\nconst A = ({ xs }) => <b>{xs.filter((x) => A_PATTERN.test(x) || A_PATTERN.test(x.y) || A_PATTERN2.test(x))}</b>;\n",
    );
    // A constant of that name that is hidden, or one that is not there yet, is not used.
    setup.fixes(
        &RULE,
        "const WORD = /a/;\nconst A = ({ xs, WORD }) => <b>{xs.filter((x) => /a/.test(x))}</b>;\n",
        "const WORD = /a/;\nconst A_PATTERN = /a/;\nconst A = ({ xs, WORD }) => <b>{xs.filter((x) => A_PATTERN.test(x))}</b>;\n",
    );
    setup.fixes(
        &RULE,
        "run();\nconst WORD = /a/;\nconst A = ({ xs }) => <b>{xs.filter((x) => /a/.test(x))}</b>;\n",
        "const A_PATTERN = /a/;\n\nrun();\nconst WORD = /a/;\nconst A = ({ xs }) => <b>{xs.filter((x) => A_PATTERN.test(x))}</b>;\n",
    );
}

#[test]
fn ru1_js_hoist_regexp_proves_before_it_edits() {
    let setup = Setup::new();
    for body in [
        // Flags that keep state; a pattern that may be wrong; what may be no text; a comment.
        "xs.map((x: string) => x.replace(/a/g, 'b'))",
        "xs.map((x: string) => x.match(/a/y))",
        "xs.filter((x) => new RegExp('a{2,1}').test(x))",
        "xs.filter((x) => new RegExp('(?<=a)b').test(x))",
        "xs.filter((x) => new RegExp('a', 'v').test(x))",
        "xs.map((x) => x.search(/a/))",
        "xs.filter((x) => new RegExp('a' /* why */).test(x))",
    ] {
        setup.no_auto(&RULE, &format!("const A = ({{ xs }}) => <b>{{{body}}}</b>;"));
    }
    // Code that runs before the constant would be there.
    let component = "const A = ({ xs }) => <b>{xs.filter((x) => /a/.test(x))}</b>;";
    setup.no_auto(&RULE, &format!("setUp();\nimport a from 'a';\n{component}"));
    setup.no_auto(&RULE, &format!("import a from 'a'; setUp();\n{component}"));
}

#[test]
fn ru1_js_hoist_regexp_tells_rounds_from_ways_out() {
    Setup::new().check(
        &RULE,
        "export async function Page() {
  const rows = await load();
  return <b>{rows.map((row) => { return row.replace(/a/, ''); })}</b>;
}
export async function names(xs) {
  for (const x of xs) await go(new RegExp('a').test(x));
}
",
        expect![[r#"
            3:53 note: `/a/` is recreated on every iteration; move it to a module-level constant [assist: move it to module scope] (not proved: it may be passed to a non-string)
            6:32 note: `new RegExp('a')` is recreated on every iteration; move it to a module-level constant [auto: move it to module scope]
            --- auto
            const NAMES_PATTERN = new RegExp('a');

            export async function Page() {
              const rows = await load();
              return <b>{rows.map((row) => { return row.replace(/a/, ''); })}</b>;
            }
            export async function names(xs) {
              for (const x of xs) await go(NAMES_PATTERN.test(x));
            }

            --- assist
            const PAGE_PATTERN = /a/;

            export async function Page() {
              const rows = await load();
              return <b>{rows.map((row) => { return row.replace(PAGE_PATTERN, ''); })}</b>;
            }
            export async function names(xs) {
              for (const x of xs) await go(new RegExp('a').test(x));
            }

        "#]],
    );
}

#[test]
fn ru1_js_hoist_regexp_silent() {
    let setup = Setup::new();
    for right in [
        // Cold functions: called now and then, when something is clicked, or once.
        "export const isMail = (s: string) => /^\\S+@\\S+$/.test(s);",
        "const A = () => <b onClick={() => /a/.test(location.href) && go()} />;",
        "for (const x of xs) if (/a/.test(x)) go(x);",
        "const PATTERN = /a/; const A = ({ xs }) => <b>{xs.filter((x) => PATTERN.test(x))}</b>;",
        "export const renderMail = (text: string) => text.trim().replace(/ /, '');",
        // Dynamic patterns.
        "const A = ({ xs, q }) => <b>{xs.filter((x) => new RegExp(q, 'i').test(x))}</b>;",
        "const A = ({ xs, q }) => <b>{xs.filter((x) => new RegExp(`^${q}`).test(x))}</b>;",
        // Identity, properties, strangers.
        "const A = ({ xs }) => <b>{xs.map((x) => <Input key={x} pattern={/a/} />)}</b>;",
        "const A = ({ xs }) => <b>{xs.map((x) => validate(/a/, x))}</b>;",
        "const A = ({ x }) => { const re = /a/; re.lastIndex = 2; return <b>{re.test(x)}</b>; };",
        "const A = ({ x }) => { const re = /a/; return <B re={re} on={re.test(x)} />; };",
        // Each round begins anew, which one object for all would not.
        "const A = ({ xs }) => <b>{xs.filter((x) => /a/g.test(x))}</b>;",
        // Not the constructor that it looks like.
        "import { RegExp } from './regexp'; const A = ({ xs }) => <b>{xs.filter((x) => new RegExp('a').test(x))}</b>;",
        // The loop is left there: it is made once at most.
        "function f(xs: string[]) { for (const x of xs) { if (x.a) return x.replace(/a/, ''); } }",
        "function f(xs: string[]) { for (const x of xs) { if (x.a) { throw new Error(x.replace(/a/, '')); } } }",
        // Beside what is waited for it costs nothing.
        "const f = (xs, to) => Promise.all(xs.map(async (x) => { await write(x, to.replace(/a/, '')); }));",
        "async function f(xs: string[]) { await open(); for (const x of xs) go(x.replace(/a/, '')); await close(); }",
        // Not in each render: something is asked first.
        "const A = ({ x, isNew }) => <b {...(isNew && { title: x.replace(/a/, '') })} />;",
        "const A = ({ x, isNew }) => <b>{isNew ? x.replace(/a/, '') : x}</b>;",
        "const A = ({ x, isNew }) => { if (isNew) { return <b>{x.replace(/a/, '')}</b>; } return <i />; };",
        // A handful of rounds.
        "function f(x) { return ['a', 'b'].some((y) => /a/.test(y + x)); }",
    ] {
        setup.silent(&RULE, right);
    }
    // A tool of the command line.
    let text =
        "export function f(xs: string[]) { return xs.map((x: string) => x.replace(/a/, '')); }";
    assert_eq!(setup.findings(&RULE, text).len(), 1);
    setup.package(|it| it.uses_react = false).silent(&RULE, text);
}

#[test]
fn ru1_js_hoist_regexp_candidates() {
    let setup = Setup::new();
    let text = "function Marked({ text, query }) {
  const pattern = new RegExp(`(${query})`, 'gi');
  return <b>{text.split(pattern)}</b>;
}";
    setup.likely(&RULE, text);
    // Not while rendering, or kept.
    setup.silent(
        &RULE,
        &text.replace("Marked", "marked").replace("<b>{text.split(pattern)}</b>", "text"),
    );
    setup.silent(&RULE, "import { useMemo } from 'react';\nfunction Marked({ text, query }) {\n  const pattern = useMemo(() => new RegExp(query, 'gi'), [query]);\n  return <b>{text.split(pattern)}</b>;\n}");
}
