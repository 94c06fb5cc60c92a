//! Names that come into a file, and those that go.

use expect_test::expect;

use super::check;

#[test]
fn ru3_fs_async_named_imports() {
    check(
        r##"
//- package.json
{"type": "module"}
//- all_gone.js
import { readFileSync, existsSync } from "fs";
export async function a(p) {
  return existsSync(p) ? readFileSync(p) : null;
}
//- some_stay.js
import { readFileSync, createReadStream, type Stats } from 'node:fs';
export async function b(p) {
  createReadStream(p);
  return readFileSync(p);
}
//- with_default.js
import fs, { readFileSync } from 'fs';
export async function c(p) {
  return readFileSync(p) + fs.constants.F_OK;
}
//- taken.js
import { readFileSync } from 'fs';
const readFile = 1;
export async function d(p, access) {
  return readFileSync(p) + readFile + access;
}
//- use.js
import { a } from './all_gone.js';
import { b } from './some_stay.js';
import { c } from './with_default.js';
import { d } from './taken.js';
await Promise.all([a, b, c, d].map((it) => it('x')));
"##,
        &expect![[r#"
            chain: all_gone.js: 2 calls awaited, in functions that are already async
              all_gone.js:3 `existsSync` → `access`
              all_gone.js:3 `readFileSync` → `readFile`
            chain: some_stay.js: 1 call awaited, in functions that are already async
              some_stay.js:4 `readFileSync` → `readFile`
            chain: taken.js: 1 call awaited, in functions that are already async
              taken.js:4 `readFileSync` → `readFile`
            chain: with_default.js: 1 call awaited, in functions that are already async
              with_default.js:3 `readFileSync` → `readFile`
            //- all_gone.js
            import { access, readFile } from "fs/promises";
            export async function a(p) {
              return (await access(p).then(() => true, () => false)) ? await readFile(p) : null;
            }

            //- some_stay.js
            import { createReadStream, type Stats } from 'node:fs';
            import { readFile } from 'node:fs/promises';
            export async function b(p) {
              createReadStream(p);
              return readFile(p);
            }

            //- taken.js
            import { readFile as readFileAsync } from 'fs/promises';
            const readFile = 1;
            export async function d(p, access) {
              return (await readFileAsync(p)) + readFile + access;
            }

            //- with_default.js
            import fs from 'fs';
            import { readFile } from 'fs/promises';
            export async function c(p) {
              return (await readFile(p)) + fs.constants.F_OK;
            }

        "#]],
    );
}

#[test]
fn ru3_fs_async_named_imports_of_others() {
    check(
        r##"
//- package.json
{"type": "module"}
//- there.js
import { readFile } from 'fs/promises';
import { readFileSync } from 'fs';
export async function e(p) {
  await readFile(p);
  return readFileSync(p);
}
//- promised.js
import { promises, existsSync } from 'node:fs';
export async function h(p) {
  await promises.stat(p);
  return existsSync(p);
}
//- lazy.js
export async function i(p) {
  const { writeFileSync } = await import("fs");
  writeFileSync(p, '');
}
//- long.js
import {
  existsSync,
  readFileSync,
  watch,
} from 'fs';
export async function f(p) {
  watch(p);
  return existsSync(p) && readFileSync(p);
}
//- extra.js
import { readJsonSync, copySync, pathExists } from 'fs-extra';
export async function g(p) {
  await pathExists(p);
  copySync(p, 'b');
  return readJsonSync(p);
}
//- use.js
import { e } from './there.js';
import { f } from './long.js';
import { g } from './extra.js';
import { h } from './promised.js';
import { i } from './lazy.js';
await Promise.all([e, f, g, h, i].map((it) => it('x')));
"##,
        &expect![[r#"
            chain: extra.js: 2 calls awaited, in functions that are already async
              extra.js:4 `copySync` → `copy`
              extra.js:5 `readJsonSync` → `readJson`
            chain: lazy.js: 1 call awaited, in functions that are already async
              lazy.js:3 `writeFileSync` → `writeFile`
            chain: long.js: 2 calls awaited, in functions that are already async
              long.js:8 `existsSync` → `access`
              long.js:8 `readFileSync` → `readFile`
            chain: promised.js: 1 call awaited, in functions that are already async
              promised.js:4 `existsSync` → `access`
            chain: there.js: 1 call awaited, in functions that are already async
              there.js:5 `readFileSync` → `readFile`
            //- extra.js
            import { pathExists, copy, readJson } from 'fs-extra';
            export async function g(p) {
              await pathExists(p);
              await copy(p, 'b');
              return readJson(p);
            }

            //- lazy.js
            export async function i(p) {
              const { writeFile } = await import("fs/promises");
              await writeFile(p, '');
            }

            //- long.js
            import {
              watch,
            } from 'fs';
            import { access, readFile } from 'fs/promises';
            export async function f(p) {
              watch(p);
              return (await access(p).then(() => true, () => false)) && (await readFile(p));
            }

            //- promised.js
            import { promises } from 'node:fs';
            export async function h(p) {
              await promises.stat(p);
              return promises.access(p).then(() => true, () => false);
            }

            //- there.js
            import { readFile } from 'fs/promises';
            export async function e(p) {
              await readFile(p);
              return readFile(p);
            }

        "#]],
    );
}

#[test]
fn ru3_fs_async_named_requires() {
    check(
        r##"
//- all_gone.js
const { readFileSync, existsSync } = require('fs');
exports.a = async (p) => existsSync(p) && readFileSync(p);
//- some_stay.js
const { readFileSync, createReadStream } = require('node:fs');
exports.b = async (p) => {
  createReadStream(p);
  return readFileSync(p);
};
//- renamed.js
const { readFileSync: read } = require("fs");
exports.c = async (p) => read(p);
//- member.js
const readFileSync = require('fs').readFileSync;
exports.d = async (p) => readFileSync(p);
//- inline.js
exports.e = async (p) => require('fs').readFileSync(p);
//- extra.js
const { outputFileSync, remove } = require('fs-extra');
exports.f = async (p) => {
  outputFileSync(p, 'x');
  await remove(p);
};
//- use.js
const all = [require('./all_gone').a, require('./some_stay').b, require('./renamed').c];
const more = [require('./member').d, require('./inline').e, require('./extra').f];
for (const it of [...all, ...more]) it('x');
"##,
        &expect![[r#"
            chain: all_gone.js: 2 calls awaited, in functions that are already async
              all_gone.js:2 `existsSync` → `access`
              all_gone.js:2 `readFileSync` → `readFile`
            chain: extra.js: 1 call awaited, in functions that are already async
              extra.js:3 `outputFileSync` → `outputFile`
            chain: inline.js: 1 call awaited, in functions that are already async
              inline.js:1 `require('fs').readFileSync` → `promises.readFile`
            chain: member.js: 1 call awaited, in functions that are already async
              member.js:2 `readFileSync` → `readFile`
            chain: renamed.js: 1 call awaited, in functions that are already async
              renamed.js:2 `read` → `readFile`
            chain: some_stay.js: 1 call awaited, in functions that are already async
              some_stay.js:4 `readFileSync` → `readFile`
            //- all_gone.js
            const { access, readFile } = require('fs/promises');
            exports.a = async (p) => (await access(p).then(() => true, () => false)) && (await readFile(p));

            //- extra.js
            const { remove, outputFile } = require('fs-extra');
            exports.f = async (p) => {
              await outputFile(p, 'x');
              await remove(p);
            };

            //- inline.js
            exports.e = async (p) => require('fs').promises.readFile(p);

            //- member.js
            const readFile = require('fs/promises').readFile;
            exports.d = async (p) => readFile(p);

            //- renamed.js
            const { readFile } = require("fs/promises");
            exports.c = async (p) => readFile(p);

            //- some_stay.js
            const { createReadStream } = require('node:fs');
            const { readFile } = require('node:fs/promises');
            exports.b = async (p) => {
              createReadStream(p);
              return readFile(p);
            };

        "#]],
    );
}

#[test]
fn ru3_fs_async_old_types_of_node() {
    check(
        r##"
//- package.json
{"devDependencies": {"@types/node": "^12.0.0"}}
//- a.ts
import { readFileSync, existsSync } from "fs";
export async function a(p: string) {
  return existsSync(p) ? readFileSync(p) : null;
}
a("x");
"##,
        &expect![[r#"
            chain: a.ts: 2 calls awaited, in functions that are already async
              a.ts:3 `existsSync` → `access`
              a.ts:3 `readFileSync` → `readFile`
            //- a.ts
            import { promises as fs } from "fs";
            export async function a(p: string) {
              return (await fs.access(p).then(() => true, () => false)) ? await fs.readFile(p) : null;
            }
            a("x");

        "#]],
    );
}
