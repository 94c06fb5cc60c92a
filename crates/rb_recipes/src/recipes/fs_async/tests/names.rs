//! The names that calls take: those at hand, new ones, and what becomes of declarations.

use expect_test::expect;

use super::check;

#[test]
fn ru3_fs_async_takes_the_promise_module_that_is_there() {
    check(
        r##"
//- package.json
{"type": "module"}
//- src/whole.js
import fs from 'node:fs/promises';
import fsSync from 'node:fs';

export async function workspace(shadow) {
  if (fsSync.existsSync('pnpm-workspace.yaml')) return fs.readFile('pnpm-workspace.yaml', 'utf8');
  return fsSync.readFileSync('package.json', 'utf8');
}
//- src/kept.js
import * as fsp from 'fs/promises';
import * as fs from 'fs';

export async function size(file) {
  await fsp.access(file);
  return fs.statSync(file).size;
}
export const open = (file) => fs.createReadStream(file);
//- src/required.cjs
const fsp = require('fs/promises');
const fs = require('fs');

async function load(file) {
  await fsp.access(file);
  return fs.readFileSync(file, 'utf8');
}
load('a');
//- src/shadowed.js
import { readFile } from 'fs/promises';
import { readFileSync } from 'fs';
import fs from 'fs';
import fsp from 'fs/promises';

export async function one(readFile, fsp) {
  return readFileSync('a') + fs.readFileSync('b');
}
export async function two() {
  return readFile('c');
}
//- src/inner.cjs
const { readFileSync } = require('fs');

async function lazy() {
  const { readFile } = require('fs/promises');
  return readFile('a');
}
async function eager() {
  return readFileSync('b', 'utf8');
}
lazy().then(eager);
"##,
        &expect![[r#"
            chain: src/inner.cjs: 1 call awaited, in functions that are already async
              src/inner.cjs:8 `readFileSync` → `readFile`
            chain: src/kept.js: 1 call awaited, in functions that are already async
              src/kept.js:6 `fs.statSync` → `stat`
            chain: src/required.cjs: 1 call awaited, in functions that are already async
              src/required.cjs:6 `fs.readFileSync` → `readFile`
            chain: src/shadowed.js: 2 calls awaited, in functions that are already async
              src/shadowed.js:7 `fs.readFileSync` → `promises.readFile`
              src/shadowed.js:7 `readFileSync` → `readFile`
            chain: src/whole.js: 2 calls awaited, in functions that are already async
              src/whole.js:5 `fsSync.existsSync` → `access`
              src/whole.js:6 `fsSync.readFileSync` → `readFile`
            //- src/inner.cjs
            const { readFile: readFileAsync } = require('fs/promises');

            async function lazy() {
              const { readFile } = require('fs/promises');
              return readFile('a');
            }
            async function eager() {
              return readFileAsync('b', 'utf8');
            }
            lazy().then(eager);

            //- src/kept.js
            import * as fsp from 'fs/promises';
            import * as fs from 'fs';

            export async function size(file) {
              await fsp.access(file);
              return (await fsp.stat(file)).size;
            }
            export const open = (file) => fs.createReadStream(file);

            //- src/required.cjs
            const fsp = require('fs/promises');

            async function load(file) {
              await fsp.access(file);
              return fsp.readFile(file, 'utf8');
            }
            load('a');

            //- src/shadowed.js
            import { readFile, readFile as readFileAsync } from 'fs/promises';
            import fs from 'fs';
            import fsp from 'fs/promises';

            export async function one(readFile, fsp) {
              return (await readFileAsync('a')) + (await fs.promises.readFile('b'));
            }
            export async function two() {
              return readFile('c');
            }

            //- src/whole.js
            import fs from 'node:fs/promises';

            export async function workspace(shadow) {
              if (await fs.access('pnpm-workspace.yaml').then(() => true, () => false)) return fs.readFile('pnpm-workspace.yaml', 'utf8');
              return fs.readFile('package.json', 'utf8');
            }

        "#]],
    );
}

#[test]
fn ru3_fs_async_adds_to_the_declaration_that_is_there() {
    check(
        r##"
//- package.json
{"type": "module"}
//- src/gone.js
import { createWriteStream, existsSync, renameSync } from "node:fs";
import { pipeline } from "node:stream";
import { readFile, writeFile } from "node:fs/promises";

export async function keep(file, text) {
  if (existsSync(file)) renameSync(file, `${file}.old`);
  await writeFile(file, await readFile(text));
  await pipeline(text, createWriteStream(file));
}
//- src/all.js
import { existsSync } from 'node:fs'
import { writeFile, readFile } from 'node:fs/promises'

export async function there(file) {
  return existsSync(file) ? readFile(file) : writeFile(file, '')
}
//- src/types.ts
import { readFileSync } from 'fs';
import type { FileHandle } from 'fs/promises';

export async function text(file: string, handle?: FileHandle): Promise<string> {
  return readFileSync(file, 'utf8');
}
//- src/required.cjs
const { readdirSync } = require('fs');
const {
  readFile,
  stat,
} = require('fs/promises');

async function all(folder) {
  for (const file of readdirSync(folder)) await readFile(file, await stat(file));
}
all('a');
"##,
        &expect![[r#"
            chain: src/all.js: 1 call awaited, in functions that are already async
              src/all.js:5 `existsSync` → `access`
            chain: src/gone.js: 2 calls awaited, in functions that are already async
              src/gone.js:6 `existsSync` → `access`
              src/gone.js:6 `renameSync` → `rename`
              note: src/gone.js: check-then-act on `file` (line 6) is no longer atomic
            chain: src/required.cjs: 1 call awaited, in functions that are already async
              src/required.cjs:8 `readdirSync` → `readdir`
            chain: src/types.ts: 1 call awaited, in functions that are already async
              src/types.ts:5 `readFileSync` → `readFile`
            //- src/all.js
            import { writeFile, readFile, access } from 'node:fs/promises'

            export async function there(file) {
              return (await access(file).then(() => true, () => false)) ? readFile(file) : writeFile(file, '')
            }

            //- src/gone.js
            import { createWriteStream } from "node:fs";
            import { pipeline } from "node:stream";
            import { access, readFile, rename, writeFile } from "node:fs/promises";

            export async function keep(file, text) {
              if (await access(file).then(() => true, () => false)) await rename(file, `${file}.old`);
              await writeFile(file, await readFile(text));
              await pipeline(text, createWriteStream(file));
            }

            //- src/required.cjs
            const {
              readdir,
              readFile,
              stat,
            } = require('fs/promises');

            async function all(folder) {
              for (const file of await readdir(folder)) await readFile(file, await stat(file));
            }
            all('a');

            //- src/types.ts
            import { readFile } from 'fs/promises';
            import type { FileHandle } from 'fs/promises';

            export async function text(file: string, handle?: FileHandle): Promise<string> {
              return readFile(file, 'utf8');
            }

        "#]],
    );
}

#[test]
fn ru3_fs_async_new_names_and_long_lists() {
    check(
        r##"
//- package.json
{"type": "module"}
//- src/taken.cjs
const { statSync } = require('fs');

async function size(file) {
  const stat = statSync(file);
  return stat.size;
}
size('a');
//- src/long.js
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  realpathSync,
  readdirSync,
  writeFileSync,
} from 'node:fs';

export async function all(file) {
  if (!existsSync(file)) mkdirSync(file);
  copyFileSync(realpathSync(file), 'a');
  writeFileSync('b', readdirSync('.').join());
}
"##,
        &expect![[r#"
            chain: src/long.js: 6 calls awaited, in functions that are already async
              src/long.js:11 `existsSync` → `access`
              src/long.js:11 `mkdirSync` → `mkdir`
              src/long.js:12 `copyFileSync` → `copyFile`
              src/long.js:12 `realpathSync` → `realpath`
              src/long.js:13 `readdirSync` → `readdir`
              src/long.js:13 `writeFileSync` → `writeFile`
              note: src/long.js: check-then-act on `file` (line 11) is no longer atomic
            chain: src/taken.cjs: 1 call awaited, in functions that are already async
              src/taken.cjs:4 `statSync` → `stat`
            //- src/long.js
            import {
              access,
              copyFile,
              mkdir,
              readdir,
              realpath,
              writeFile,
            } from 'node:fs/promises';

            export async function all(file) {
              if (!(await access(file).then(() => true, () => false))) await mkdir(file);
              await copyFile(await realpath(file), 'a');
              await writeFile('b', (await readdir('.')).join());
            }

            //- src/taken.cjs
            const { stat: statAsync } = require('fs/promises');

            async function size(file) {
              const stat = await statAsync(file);
              return stat.size;
            }
            size('a');

        "#]],
    );
}

#[test]
fn ru3_fs_async_leaves_what_gets_another_promise_module() {
    check(
        r##"
//- package.json
{"type": "module"}
//- src/a.js
import { readFileSync } from 'fs';
export async function load(file) {
  return readFileSync(file, 'utf8');
}
//- src/b.js
import fs from 'fs';
export async function load(file) {
  return fs.readFileSync(file, 'utf8');
}
//- test/a.test.js
import { load } from '../src/a.js';
import { load as other } from '../src/b.js';
vi.mock('node:fs/promises');
it('loads', async () => {
  await load('a');
  await other('a');
});
"##,
        &expect![[r#"
            chain: src/b.js: 1 call awaited, in functions that are already async
              src/b.js:3 `fs.readFileSync` → `promises.readFile`
            left: src/a.js:3:10 `readFileSync(file, 'utf8')`: `fs/promises` is mocked at test/a.test.js:3; mock the promise functions in the test, too
            //- src/b.js
            import fs from 'fs';
            export async function load(file) {
              return fs.promises.readFile(file, 'utf8');
            }

        "#]],
    );
}

#[test]
fn ru3_fs_async_says_where_looking_and_writing_come_apart() {
    check(
        r##"
//- package.json
{"type": "module"}
//- src/a.js
import fs from 'fs';
export async function once(file) {
  if (!fs.existsSync(file)) fs.writeFileSync(file, '');
  fs.unlinkSync(file);
}
export async function apart(file, other) {
  if (!fs.existsSync(file)) fs.writeFileSync(other, '');
  fs.copyFileSync(file, 'b');
}
export async function before(file) {
  fs.writeFileSync(file, '');
  return fs.readFileSync(file);
}
"##,
        &expect![[r#"
            chain: src/a.js: 1 call awaited, in functions that are already async
              src/a.js:4 `fs.unlinkSync` → `promises.unlink`
              note: src/a.js: check-then-act on `file` (lines 3 and 4) is no longer atomic
            chain: src/a.js: 3 calls awaited, in functions that are already async
              src/a.js:7 `fs.existsSync` → `promises.access`
              src/a.js:7 `fs.writeFileSync` → `promises.writeFile`
              src/a.js:8 `fs.copyFileSync` → `promises.copyFile`
            chain: src/a.js: 2 calls awaited, in functions that are already async
              src/a.js:11 `fs.writeFileSync` → `promises.writeFile`
              src/a.js:12 `fs.readFileSync` → `promises.readFile`
            left: src/a.js:3:8 `fs.existsSync(file)`: check-then-act on `file` (line 3) would no longer be atomic: two calls of `once` could overwrite each other's changes; run the calls one after the other (a lock or queue per file), then change it by hand
            left: src/a.js:3:29 `fs.writeFileSync(file, '')`: check-then-act on `file` (line 3) would no longer be atomic: two calls of `once` could overwrite each other's changes; run the calls one after the other (a lock or queue per file), then change it by hand
            //- src/a.js
            import fs from 'fs';

            function exists(path) {
              return fs.promises.access(path).then(() => true, () => false);
            }

            export async function once(file) {
              if (!fs.existsSync(file)) fs.writeFileSync(file, '');
              await fs.promises.unlink(file);
            }
            export async function apart(file, other) {
              if (!(await exists(file))) await fs.promises.writeFile(other, '');
              await fs.promises.copyFile(file, 'b');
            }
            export async function before(file) {
              await fs.promises.writeFile(file, '');
              return fs.promises.readFile(file);
            }

        "#]],
    );
}
