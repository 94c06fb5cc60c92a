//! What goes, what stays and what is only said.

use expect_test::{Expect, expect};

use super::RECIPE;
use crate::testing::{Project, shown};

#[track_caller]
fn check(fixture: &str, expected: &Expect) {
    // Line ends of two characters are made visible.
    expected.assert_eq(&shown(&Project::new(fixture).run(&RECIPE)).replace('\r', "␍"));
}

#[test]
fn ru3_unused_imports_names_and_declarations() {
    check(
        r#"
//- tsconfig.json
{ "compilerOptions": { "jsx": "react-jsx", /* why */ "strict": true, }, }
//- a.ts
// Heading of the file.

import fs from 'node:fs';
import * as path from 'node:path';
import a, { b, c as d, e } from 'pkg';
import f, { g } from 'pkg';
import h, * as all from 'pkg';
import {
  one,
  two,
  three,
} from './many';
import type { T, U } from './types';
import { type V, w } from './types';
import React from 'react';

export const x: T = d + one + g + h + w;
export { three };
//- many.ts
export const one = 1, two = 2, three = 3;
//- types.ts
export type T = any; export type U = any; export type V = any; export const w = 1;
"#,
        &expect![[r#"
            chain: 11 unused imports removed from `a.ts`
              a.ts:3 `fs` of `node:fs`
              a.ts:4 `path` of `node:path`
              a.ts:5 `a` of `pkg`
              a.ts:5 `b` of `pkg`
              a.ts:5 `e` of `pkg`
              a.ts:6 `f` of `pkg`
              a.ts:7 `all` of `pkg`
              a.ts:10 `two` of `./many`
              a.ts:13 `U` of `./types`
              a.ts:14 `V` of `./types`
              a.ts:15 `React` of `react`
            //- a.ts
            // Heading of the file.

            import { c as d } from 'pkg';
            import { g } from 'pkg';
            import h from 'pkg';
            import {
              one,
              three,
            } from './many';
            import type { T } from './types';
            import { w } from './types';

            export const x: T = d + one + g + h + w;
            export { three };

        "#]],
    );
}

#[test]
fn ru3_unused_imports_that_run_something() {
    check(
        r#"
//- quiet.js
import { join } from 'node:path';
export const a = 1;
export class A extends Error { static n = 1; }
export const go = () => join('a');
//- loud.js
import { a } from './quiet.js';
console.log(a);
export const b = 1;
//- through.js
import { b } from './loud.js';
export const c = () => b;
//- main.js
import { a } from './quiet.js';
import { b } from './loud.js';
import c from './through.js';
import d from 'unknown-package';
import e from 'quiet-package';
import styles from './a.css';
import data from './data.json';
import './loud.js';
import {} from './loud.js';
export {};
//- a.css
a {}
//- data.json
{}
//- node_modules/quiet-package/package.json
{ "name": "quiet-package", "sideEffects": false }
//- verbatim/tsconfig.json
{ "compilerOptions": { "verbatimModuleSyntax": true } }
//- verbatim/a.ts
import { b } from '../loud.js';
import type { c } from '../loud.js';
export {};
//- plain/tsconfig.json
{}
//- plain/a.ts
import { b } from '../loud.js';
import d from 'unknown-package';
export {};
"#,
        &expect![[r#"
            chain: 6 unused imports removed from `main.js`
              main.js:1 `a` of `./quiet.js`
              main.js:2 `b` of `./loud.js`
              main.js:3 `c` of `./through.js`
              main.js:5 `e` of `quiet-package`
              main.js:6 `styles` of `./a.css`
              main.js:7 `data` of `./data.json`
              note: `./loud.js` is still run: `loud.js` has a side effect when it is loaded: `console.log(a);` on line 2
              note: `./through.js` is still run: `loud.js` has a side effect when it is loaded: `console.log(a);` on line 2
              note: `./a.css` is still run: `a.css` is loaded for its side effects
            chain: 2 unused imports removed from `plain/a.ts`
              plain/a.ts:1 `b` of `../loud.js`
              plain/a.ts:2 `d` of `unknown-package`
            chain: 2 unused imports removed from `verbatim/a.ts`
              verbatim/a.ts:1 `b` of `../loud.js`
              verbatim/a.ts:2 `c` of `../loud.js`
              note: `../loud.js` is still run: `loud.js` has a side effect when it is loaded: `console.log(a);` on line 2
            left: main.js:4:1 `import d from 'unknown-package';`: it is not known whether `unknown-package` has side effects when it is loaded; delete it if its side effects are not needed, or write `import 'unknown-package'`
            //- main.js
            import './loud.js';
            import './through.js';
            import d from 'unknown-package';
            import './a.css';
            import './loud.js';
            import {} from './loud.js';
            export {};

            //- plain/a.ts
            export {};

            //- verbatim/a.ts
            import '../loud.js';
            export {};

        "#]],
    );
}

#[test]
fn ru3_unused_imports_of_common_js() {
    check(
        r#"
//- quiet.js
'use strict';
exports.a = 1;
//- loud.js
global.x = 1;
//- main.js
const fs = require('fs'), path = require('path'), os = require('os');
const { a, b: c, d } = require('./quiet');
const { e, ...rest } = require('./quiet');
var f = require('./loud');
const g = require('unknown-package');
const h = require('./quiet').a;
let i = require('./quiet');
i = 2;
function inner() {
  const j = require('./quiet');
}
module.exports = path.join(c);
"#,
        &expect![[r#"
            chain: 6 unused imports removed from `main.js`
              main.js:1 `fs`, which was required
              main.js:1 `os`, which was required
              main.js:2 `a` of `./quiet`
              main.js:2 `d` of `./quiet`
              main.js:4 `f` of `./loud`
              main.js:6 `h`, which was required
              note: `./loud` is still run: `loud.js` has a side effect when it is loaded: `global.x = 1;` on line 1
            left: main.js:5:7 `const g = require('unknown-package');`: it is not known whether `unknown-package` has side effects when it is loaded; delete it if its side effects are not needed, or keep only `require('unknown-package')`
            //- main.js
            const path = require('path');
            const { b: c } = require('./quiet');
            const { e, ...rest } = require('./quiet');
            require('./loud');
            const g = require('unknown-package');
            let i = require('./quiet');
            i = 2;
            function inner() {
              const j = require('./quiet');
            }
            module.exports = path.join(c);

        "#]],
    );
}

#[test]
fn ru3_unused_imports_uses_that_are_easy_to_miss() {
    check(
        r#"
//- tsconfig.json
{ "compilerOptions": { "jsx": "react", "emitDecoratorMetadata": true, "experimentalDecorators": true } }
//- classic.tsx
import React from 'react';
import { h, Fragment } from 'preact';
import { Button } from './button';
export const a = <Button />;
//- pragma.jsx
/** @jsx make */
import { make } from './make';
export const a = <b />;
//- types.ts
import { A } from './a';
import { B } from './b';
import { C } from './c';
import { D } from './d';
import { E } from './e';
import { F } from './f';
@A() class X { constructor(b: B) {} }
export type T = typeof C;
export { D };
namespace N { export import G = E; }
function f<T>(x: T): x is F { return true }
export { X, N, f };
//- jsdoc.js
import { A } from './a';
import { B } from './b';
/** @param {A} a */
export function f(a) {}
//- evil.js
import { A } from './a';
export const run = (code) => eval(code);
//- with.cjs
const a = require('./a');
with (x) { a; b; }
//- augment.ts
import { A } from './a';
declare module './a' { interface A { b: 1 } }
//- only.ts
import { A } from './a';
declare global { interface Window { a: 1 } }
//- silenced.ts
// eslint-disable-next-line @typescript-eslint/no-unused-vars
import { A } from './a';
import { B } from './b'; // keep this
import {
  C, // for the docs
  D,
} from './c';
// @ts-expect-error no types
import e from 'e';
export const d = D;
//- twice.ts
import { A } from './a';
interface A { x: 1 }
export {};
//- a.ts
export class A {}
//- b.ts
export class B {}
//- c.ts
export const C = 1, D = 2;
"#,
        &expect![[r#"
            chain: 1 unused import removed from `jsdoc.js`
              jsdoc.js:2 `B` of `./b`
            left: augment.ts:1:1 `import { A } from './a';`: without it, the file has no import or export and is no longer a module; write `export {}` instead
            left: classic.tsx:1:8 `React`: JSX of this file may be compiled to calls of `React`; set every compiler to import the JSX runtime by itself (`jsx: react-jsx`, Babel's `runtime: automatic`), then run this again
            left: classic.tsx:2:10 `h`: JSX of this file may be compiled to calls of `h`; set every compiler to import the JSX runtime by itself (`jsx: react-jsx`, Babel's `runtime: automatic`), then run this again
            left: classic.tsx:2:13 `Fragment`: JSX of this file may be compiled to calls of `Fragment`; set every compiler to import the JSX runtime by itself (`jsx: react-jsx`, Babel's `runtime: automatic`), then run this again
            left: evil.js:1:10 `A`: `eval` on line 2 may use it; look at that place, and delete the import by hand if it is not needed
            left: jsdoc.js:1:10 `A`: a JSDoc comment mentions `A`; write `import('…')` in the comment, or keep the import
            left: only.ts:1:1 `import { A } from './a';`: without it, the file has no import or export and is no longer a module; write `export {}` instead
            left: silenced.ts:2:1 `import { A } from './a';`: the comment `// eslint-disable-next-line @typescript-eslint/no-unused-vars` applies to it; delete both if neither is needed
            left: silenced.ts:3:1 `import { B } from './b';`: a comment follows it on the same line; delete it by hand
            left: silenced.ts:4:1 `import { C, // for the docs D, } from './c';`: there is a comment among the names; delete the unused names by hand
            left: silenced.ts:9:1 `import e from 'e';`: the comment `// @ts-expect-error no types` applies to it; delete both if neither is needed
            left: twice.ts:1:10 `A`: `A` is declared a second time in this file; give one of the two another name
            //- jsdoc.js
            import { A } from './a';
            /** @param {A} a */
            export function f(a) {}

        "#]],
    );
}

#[test]
fn ru3_unused_imports_keep_lines_in_order() {
    check(
        "\n//- a.mjs\nimport a from 'node:fs'\r\nimport b from 'node:path'\r\n\r\nimport c from 'node:os'\r\n\r\n(() => b)()\r\n//- b.mjs\nimport a from 'node:fs'; import b from 'node:path'; b();\n//- c.cjs\nconst a = b\nconst c = require('node:fs')\n(0, a)()\nconst d = require('node:fs')\n;(0, a)()\n//- d.mjs\nimport a from 'node:fs'\n'use strict'\n//- e.mjs\nimport a from 'node:fs'\n",
        &expect![[r#"
            chain: 2 unused imports removed from `a.mjs`
              a.mjs:1 `a` of `node:fs`
              a.mjs:4 `c` of `node:os`
            chain: 1 unused import removed from `b.mjs`
              b.mjs:1 `a` of `node:fs`
            chain: 1 unused import removed from `c.cjs`
              c.cjs:4 `d`, which was required
            chain: 1 unused import removed from `e.mjs`
              e.mjs:1 `a` of `node:fs`
            left: d.mjs:1:1 `import a from 'node:fs'`: without it, the string after it would become a directive; delete it by hand
            //- a.mjs
            import b from 'node:path'␍
            ␍
            (() => b)()␍

            //- b.mjs
            import b from 'node:path'; b();

            //- c.cjs
            const a = b
            const c = require('node:fs')
            (0, a)()
            ;(0, a)()

            //- e.mjs

        "#]],
    );
}

#[test]
fn ru3_unused_imports_and_what_compiles_jsx() {
    use std::fmt::Write as _;
    let used =
        "import React from 'react';\nimport { Fragment } from 'react';\nexport const a = <b />;\n";
    let mut fixture = "\n//- package.json\n{ \"name\": \"root\" }\n".to_owned();
    for (name, manifest, config) in [
        ("automatic", "{}", r#"{ "extends": "./base.json", "compilerOptions": {} }"#),
        ("unknown", "{}", r#"{ "extends": "@nowhere/tsconfig" }"#),
        (
            "next",
            r#"{ "dependencies": { "next": "15.0.0" } }"#,
            r#"{ "compilerOptions": { "jsx": "preserve" } }"#,
        ),
        (
            "tested",
            r#"{ "dependencies": { "next": "15.0.0", "vitest": "1" } }"#,
            r#"{ "compilerOptions": { "jsx": "preserve" } }"#,
        ),
        ("factory", "{}", r#"{ "compilerOptions": { "jsx": "react-jsx", "jsxFactory": "h" } }"#),
    ] {
        let _ = writeln!(fixture, "//- {name}/package.json\n{manifest}");
        let _ = writeln!(fixture, "//- {name}/tsconfig.json\n{config}");
        let _ = write!(
            fixture,
            "//- {name}/base.json\n{{ \"compilerOptions\": {{ \"jsx\": \"react-jsx\" }} }}\n"
        );
        let _ = write!(fixture, "//- {name}/a.tsx\n{used}");
    }
    check(
        &fixture,
        &expect![[r#"
            chain: 2 unused imports removed from `automatic/a.tsx`
              automatic/a.tsx:1 `React` of `react`
              automatic/a.tsx:2 `Fragment` of `react`
            chain: 2 unused imports removed from `next/a.tsx`
              next/a.tsx:1 `React` of `react`
              next/a.tsx:2 `Fragment` of `react`
            left: factory/a.tsx:1:8 `React`: JSX of this file may be compiled to calls of `React`; set every compiler to import the JSX runtime by itself (`jsx: react-jsx`, Babel's `runtime: automatic`), then run this again
            left: factory/a.tsx:2:10 `Fragment`: JSX of this file may be compiled to calls of `Fragment`; set every compiler to import the JSX runtime by itself (`jsx: react-jsx`, Babel's `runtime: automatic`), then run this again
            left: tested/a.tsx:1:8 `React`: JSX of this file may be compiled to calls of `React`; set every compiler to import the JSX runtime by itself (`jsx: react-jsx`, Babel's `runtime: automatic`), then run this again
            left: tested/a.tsx:2:10 `Fragment`: JSX of this file may be compiled to calls of `Fragment`; set every compiler to import the JSX runtime by itself (`jsx: react-jsx`, Babel's `runtime: automatic`), then run this again
            left: unknown/a.tsx:1:8 `React`: JSX of this file may be compiled to calls of `React`; set every compiler to import the JSX runtime by itself (`jsx: react-jsx`, Babel's `runtime: automatic`), then run this again
            left: unknown/a.tsx:2:10 `Fragment`: JSX of this file may be compiled to calls of `Fragment`; set every compiler to import the JSX runtime by itself (`jsx: react-jsx`, Babel's `runtime: automatic`), then run this again
            //- automatic/a.tsx
            export const a = <b />;

            //- next/a.tsx
            export const a = <b />;

        "#]],
    );
}
