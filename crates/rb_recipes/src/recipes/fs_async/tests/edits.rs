//! What is written where: awaits, imports, types.

use expect_test::expect;

use super::check;

#[test]
fn ru3_fs_async_up_the_call_graph() {
    check(
        r##"
//- package.json
{"type": "module"}
//- src/config.js
import fs from 'node:fs';

/**
 * Loads it.
 * @param {string} path
 * @returns {object} the configuration
 */
export function load(path) {
  if (!fs.existsSync(path)) return {};
  const text = fs.readFileSync(path, 'utf8').trim();
  return JSON.parse(text);
}
//- src/app.js
import { load } from './config.js';

export const start = (path) => {
  const { port } = load(path);
  return port + 1;
};
//- src/main.js
import { start } from './app.js';

async function main() {
  console.log(start('a.json'));
}
main();
//- test/app.test.js
import { start } from '../src/app.js';

describe('start', () => {
  it('starts', () => {
    expect(start('a.json')).toBe(2);
  });
  it('throws', () => {
    expect(() => start('missing.json')).toThrow('ENOENT');
  });
  it('throws of what it is given', () => {
    expect(() => start(names().first)).toThrow();
    expect(() => {
      start('a');
    }).not.toThrow();
  });
});
"##,
        &expect![[r#"
            chain: `start` and 7 more functions become async: 2 calls wait
              src/config.js:9 `fs.existsSync` → `promises.access`
              src/config.js:10 `fs.readFileSync` → `promises.readFile`
              api src/app.js#start: gives its result -> gives a promise of it
              api src/config.js#load: gives its result -> gives a promise of it
            //- src/app.js
            import { load } from './config.js';

            export const start = async (path) => {
              const { port } = await load(path);
              return port + 1;
            };

            //- src/config.js
            import fs from 'node:fs';

            /**
             * Loads it.
             * @param {string} path
             * @returns {Promise<object>} the configuration
             */
            export async function load(path) {
              if (!(await fs.promises.access(path).then(() => true, () => false))) return {};
              const text = (await fs.promises.readFile(path, 'utf8')).trim();
              return JSON.parse(text);
            }

            //- src/main.js
            import { start } from './app.js';

            async function main() {
              console.log(await start('a.json'));
            }
            main();

            //- test/app.test.js
            import { start } from '../src/app.js';

            describe('start', () => {
              it('starts', async () => {
                expect(await start('a.json')).toBe(2);
              });
              it('throws', async () => {
                await expect(start('missing.json')).rejects.toThrow('ENOENT');
              });
              it('throws of what it is given', async () => {
                await expect(async () => start(names().first)).rejects.toThrow();
                await expect(async () => {
                  await start('a');
                }).resolves.not.toThrow();
              });
            });

        "#]],
    );
}

#[test]
fn ru3_fs_async_precedence() {
    check(
        r##"
//- a.js
const fs = require('fs');
const read = (path) => fs.readFileSync(path, 'utf8');
async function all(path) {
  const a = read(path).length;
  const b = !read(path) && read(path);
  const c = read(path) + read(path);
  const d = [...read(path)];
  const e = `${read(path)}`;
  const f = read(path)?.length;
  const g = read(path) ? read(path) : 1;
  const h = (read(path)).length;
  const i = typeof read(path);
  const j = read(path)[0];
  const k = read(path) ** 2;
  new (read(path))();
  for (const line of read(path)) console.log(line);
  while (read(path)) break;
  if (read(path)) return read(path);
  try {
    return read(path);
  } finally {
    await read(path);
  }
}
all('a');
"##,
        &expect![[r#"
            chain: `read` becomes async: 1 call waits
              a.js:2 `fs.readFileSync` → `promises.readFile`
            //- a.js
            const fs = require('fs');
            const read = async (path) => fs.promises.readFile(path, 'utf8');
            async function all(path) {
              const a = (await read(path)).length;
              const b = !(await read(path)) && (await read(path));
              const c = (await read(path)) + (await read(path));
              const d = [...(await read(path))];
              const e = `${await read(path)}`;
              const f = (await read(path))?.length;
              const g = (await read(path)) ? await read(path) : 1;
              const h = (await read(path)).length;
              const i = typeof (await read(path));
              const j = (await read(path))[0];
              const k = (await read(path)) ** 2;
              new (await read(path))();
              for (const line of await read(path)) console.log(line);
              while (await read(path)) break;
              if (await read(path)) return read(path);
              try {
                return await read(path);
              } finally {
                await read(path);
              }
            }
            all('a');

        "#]],
    );
}

#[test]
fn ru3_fs_async_without_semicolons() {
    check(
        r##"
//- a.js
const fs = require('fs')
async function all(path) {
  const a = 1
  fs.readdirSync(path).sort()
  if (a)
    fs.readdirSync(path).sort()
  ;[1, 2].forEach((n) => {
    fs.writeFileSync(path, String(n))
  })
}
all('a')
"##,
        &expect![[r#"
            chain: a.js: 2 calls wait, in functions that are async already
              a.js:4 `fs.readdirSync` → `promises.readdir`
              a.js:6 `fs.readdirSync` → `promises.readdir`
            chain: 1 call waits, with 1 function around
              a.js:8 `fs.writeFileSync` → `promises.writeFile`
            //- a.js
            const fs = require('fs')
            async function all(path) {
              const a = 1
              ;(await fs.promises.readdir(path)).sort()
              if (a)
                (await fs.promises.readdir(path)).sort()
              for (const n of [1, 2]) {
                await fs.promises.writeFile(path, String(n))
              }
            }
            all('a')

        "#]],
    );
}

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
            chain: all_gone.js: 2 calls wait, in functions that are async already
              all_gone.js:3 `existsSync` → `access`
              all_gone.js:3 `readFileSync` → `readFile`
            chain: some_stay.js: 1 call waits, in functions that are async already
              some_stay.js:4 `readFileSync` → `readFile`
            chain: taken.js: 1 call waits, in functions that are async already
              taken.js:4 `readFileSync` → `readFile`
            chain: with_default.js: 1 call waits, in functions that are async already
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
            chain: extra.js: 2 calls wait, in functions that are async already
              extra.js:4 `copySync` → `copy`
              extra.js:5 `readJsonSync` → `readJson`
            chain: lazy.js: 1 call waits, in functions that are async already
              lazy.js:3 `writeFileSync` → `writeFile`
            chain: long.js: 2 calls wait, in functions that are async already
              long.js:8 `existsSync` → `access`
              long.js:8 `readFileSync` → `readFile`
            chain: promised.js: 1 call waits, in functions that are async already
              promised.js:4 `existsSync` → `access`
            chain: there.js: 1 call waits, in functions that are async already
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
            chain: all_gone.js: 2 calls wait, in functions that are async already
              all_gone.js:2 `existsSync` → `access`
              all_gone.js:2 `readFileSync` → `readFile`
            chain: extra.js: 1 call waits, in functions that are async already
              extra.js:3 `outputFileSync` → `outputFile`
            chain: inline.js: 1 call waits, in functions that are async already
              inline.js:1 `require('fs').readFileSync` → `promises.readFile`
            chain: member.js: 1 call waits, in functions that are async already
              member.js:2 `readFileSync` → `readFile`
            chain: renamed.js: 1 call waits, in functions that are async already
              renamed.js:2 `read` → `readFile`
            chain: some_stay.js: 1 call waits, in functions that are async already
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
            chain: a.ts: 2 calls wait, in functions that are async already
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

#[test]
fn ru3_fs_async_types() {
    check(
        r##"
//- package.json
{"type": "module"}
//- a.ts
import fs from 'fs';
export function size(path: string): number {
  return fs.statSync(path).size;
}
export const names = (path: string): string[] => fs.readdirSync(path);
const both = <T extends string>(path: T): [number, string[]] => [size(path), names(path)!];
export async function use() {
  const [a, b] = both('x') as [number, string[]];
  return a + b.length + (size('y') as number) + size('z')!;
}
use();
//- b.js
import fs from 'fs';
/** @returns {{ a: string }} it */
export function load(path) {
  return { a: fs.readFileSync(path, 'utf8') };
}
//- b.d.ts
export function load(path: string): { a: string };
export function other(): void;
//- c.js
import { load } from './b.js';
export async function c() {
  return load('x').a;
}
c();
"##,
        &expect![[r#"
            chain: `size` and 2 more functions become async: 2 calls wait
              a.ts:3 `fs.statSync` → `promises.stat`
              a.ts:5 `fs.readdirSync` → `promises.readdir`
              api a.ts#names: gives its result -> gives a promise of it
              api a.ts#size: gives its result -> gives a promise of it
            chain: `load` becomes async: 1 call waits
              b.js:4 `fs.readFileSync` → `promises.readFile`
              api b.js#load: gives its result -> gives a promise of it
            //- a.ts
            import fs from 'fs';
            export async function size(path: string): Promise<number> {
              return (await fs.promises.stat(path)).size;
            }
            export const names = async (path: string): Promise<string[]> => fs.promises.readdir(path);
            const both = async <T extends string>(path: T): Promise<[number, string[]]> => [await size(path), (await names(path))!];
            export async function use() {
              const [a, b] = (await both('x')) as [number, string[]];
              return a + b.length + ((await size('y')) as number) + (await size('z'))!;
            }
            use();

            //- b.d.ts
            export function load(path: string): Promise<{ a: string }>;
            export function other(): void;

            //- b.js
            import fs from 'fs';
            /** @returns {Promise<{ a: string }>} it */
            export async function load(path) {
              return { a: await fs.promises.readFile(path, 'utf8') };
            }

            //- c.js
            import { load } from './b.js';
            export async function c() {
              return (await load('x')).a;
            }
            c();

        "#]],
    );
}

#[test]
fn ru3_fs_async_members_and_methods() {
    check(
        r##"
//- store.js
const fs = require('fs');
class Store {
  constructor(path) {
    this.path = path;
  }
  read() {
    return this.parse(fs.readFileSync(this.path, 'utf8'));
  }
  static open(path) {
    return new Store(path).read();
  }
  parse(text) {
    return JSON.parse(text);
  }
  #save(data) {
    fs.writeFileSync(this.path, data);
  }
  save(data) {
    this.#save(data);
  }
}
const helpers = {
  list(path) {
    return fs.readdirSync(path);
  },
  count(path) {
    return this.list(path).length;
  },
};
module.exports = { Store, helpers };
//- main.js
const { Store, helpers } = require('./store');
async function main() {
  const store = new Store('a.json');
  store.save('1');
  console.log(store.read(), Store.open('b').a, helpers.count('.'));
}
main();
"##,
        &expect![[r#"
            chain: `read` and 5 more functions become async: 3 calls wait
              store.js:7 `fs.readFileSync` → `promises.readFile`
              store.js:16 `fs.writeFileSync` → `promises.writeFile`
              store.js:24 `fs.readdirSync` → `promises.readdir`
            //- main.js
            const { Store, helpers } = require('./store');
            async function main() {
              const store = new Store('a.json');
              await store.save('1');
              console.log(await store.read(), (await Store.open('b')).a, await helpers.count('.'));
            }
            main();

            //- store.js
            const fs = require('fs');
            class Store {
              constructor(path) {
                this.path = path;
              }
              async read() {
                return this.parse(await fs.promises.readFile(this.path, 'utf8'));
              }
              static async open(path) {
                return new Store(path).read();
              }
              parse(text) {
                return JSON.parse(text);
              }
              async #save(data) {
                await fs.promises.writeFile(this.path, data);
              }
              async save(data) {
                await this.#save(data);
              }
            }
            const helpers = {
              async list(path) {
                return fs.promises.readdir(path);
              },
              async count(path) {
                return (await this.list(path)).length;
              },
            };
            module.exports = { Store, helpers };

        "#]],
    );
}

#[test]
fn ru3_fs_async_a_program_is_wrapped() {
    check(
        r##"
//- cli.js
#!/usr/bin/env node
const fs = require('fs');
const path = require('path');

// Where it is.
const config = read('config.json');
const text = `a
  b`;
if (config.verbose) {
  console.log(text);
}
show(config);

function read(name) {
  return JSON.parse(fs.readFileSync(path.resolve(name), 'utf8'));
}
function show(it) {
  console.log(it);
}
"##,
        &expect![[r#"
            chain: `read` becomes async: 1 call waits
              cli.js:15 `fs.readFileSync` → `promises.readFile`
            //- cli.js
            #!/usr/bin/env node
            const fs = require('fs');
            const path = require('path');

            async function main() {
              // Where it is.
              const config = await read('config.json');
              const text = `a
              b`;
              if (config.verbose) {
                console.log(text);
              }
              show(config);
            }

            main();

            async function read(name) {
              return JSON.parse(await fs.promises.readFile(path.resolve(name), 'utf8'));
            }
            function show(it) {
              console.log(it);
            }

        "#]],
    );
}

#[test]
fn ru3_fs_async_a_program_ends_with_its_call() {
    check(
        r##"
//- cli.js
const fs = require('fs');
function main() {
  console.log(fs.readFileSync('a', 'utf8'));
}
main();
//- other.js
const { load } = require('./lib');
if (require.main === module) {
  // Shown.
  const it = load('x');
  console.log(it);
}
//- lib.js
const fs = require('fs');
function load(path) {
  return fs.readFileSync(path);
}
module.exports = { load };
if (require.main === module) {
  load('y');
}
"##,
        &expect![[r#"
            chain: `main` becomes async: 1 call waits
              cli.js:3 `fs.readFileSync` → `promises.readFile`
            chain: `load` becomes async: 1 call waits
              lib.js:3 `fs.readFileSync` → `promises.readFile`
              api lib.js#load: gives its result -> gives a promise of it
            //- cli.js
            const fs = require('fs');
            async function main() {
              console.log(await fs.promises.readFile('a', 'utf8'));
            }
            main();

            //- lib.js
            const fs = require('fs');
            async function load(path) {
              return fs.promises.readFile(path);
            }
            module.exports = { load };
            if (require.main === module) {
              load('y');
            }

            //- other.js
            const { load } = require('./lib');
            if (require.main === module) {
              (async () => {
                // Shown.
                const it = await load('x');
                console.log(it);
              })();
            }

        "#]],
    );
}

#[test]
fn ru3_fs_async_twins() {
    check(
        r##"
//- fsx.js
const fs = require('fs');
async function readText(path) {
  return fs.promises.readFile(path, 'utf8');
}
function readTextSync(path) {
  return fs.readFileSync(path, 'utf8');
}
const fsx = { readText, readTextSync };
module.exports = fsx;
//- a.js
const fsx = require('./fsx');
function load(path) {
  return JSON.parse(fsx.readTextSync(path));
}
async function main() {
  console.log(load('a'), fsx.readTextSync('b'));
}
class Early {
  constructor() {
    this.text = fsx.readTextSync('c');
  }
}
new Early();
main();
"##,
        &expect![[r#"
            chain: `load` becomes async: 2 calls wait
              a.js:3 `fsx.readTextSync` → its twin `readText`
              a.js:6 `fsx.readTextSync` → its twin `readText`
            left: a.js:10:17 `fsx.readTextSync`: the constructor of `Early` cannot wait (a.js:9); read the file in a static `create` that is async, and give the constructor what was read
              through a.js:9 constructor
            left: fsx.js:6:10 `fs.readFileSync(path, 'utf8')`: `readTextSync` has a twin that waits, `readText`, which callers take where they can (fsx.js:5); delete `readTextSync` when nobody calls it any more
              through fsx.js:5 readTextSync
            //- a.js
            const fsx = require('./fsx');
            async function load(path) {
              return JSON.parse(await fsx.readText(path));
            }
            async function main() {
              console.log(await load('a'), await fsx.readText('b'));
            }
            class Early {
              constructor() {
                this.text = fsx.readTextSync('c');
              }
            }
            new Early();
            main();

        "#]],
    );
}

#[test]
fn ru3_fs_async_crlf() {
    check(
        r##"
//- a.js
const fs = require('fs');
function read(path) {
  return [path].filter((it) => fs.existsSync(it));
}
async function main() {
  read('a').length;
}
main();
"##,
        &expect![[r#"
            chain: `read` and 1 more function become async: 1 call waits
              a.js:3 `fs.existsSync` → `promises.access`
            //- a.js
            const fs = require('fs');
            async function read(path) {
              const found = [];
              for (const it of [path]) {
                if (await fs.promises.access(it).then(() => true, () => false)) found.push(it);
              }
              return found;
            }
            async function main() {
              (await read('a')).length;
            }
            main();

        "#]],
    );
}

#[test]
fn ru3_fs_async_line_ends_and_comments() {
    check(
        r##"
//- a.js
const fs = require('fs'); // files
/* reads */ function read(/* path */ path) { // it
  return /* now */ fs /* here */ . /* there */ readFileSync /* this */ (path) /* end */; // done
}
async function main() { read('a') /* one */; /* two */ read('b').length }
main();
"##,
        &expect![[r#"
            chain: `read` becomes async: 1 call waits
              a.js:3 `fs /* here */ . /* there */ readFileSync` → `promises.readFile`
            //- a.js
            const fs = require('fs'); // files
            /* reads */ async function read(/* path */ path) { // it
              return /* now */ fs /* here */ . /* there */ promises.readFile /* this */ (path) /* end */; // done
            }
            async function main() { await read('a') /* one */; /* two */ (await read('b')).length }
            main();

        "#]],
    );
}
