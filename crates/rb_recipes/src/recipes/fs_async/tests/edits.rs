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
            chain: `start` and 7 more functions become async: 2 calls awaited
              src/config.js:9 `fs.existsSync` → `promises.access`
              src/config.js:10 `fs.readFileSync` → `promises.readFile`
              api src/app.js#start: returns its result -> returns a promise
              api src/config.js#load: returns its result -> returns a promise
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
            chain: `read` becomes async: 1 call awaited
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
            chain: 3 calls awaited; 1 enclosing function becomes async
              a.js:4 `fs.readdirSync` → `promises.readdir`
              a.js:6 `fs.readdirSync` → `promises.readdir`
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
            chain: `size` and 2 more functions become async: 2 calls awaited
              a.ts:3 `fs.statSync` → `promises.stat`
              a.ts:5 `fs.readdirSync` → `promises.readdir`
              api a.ts#names: returns its result -> returns a promise
              api a.ts#size: returns its result -> returns a promise
            chain: `load` becomes async: 1 call awaited
              b.js:4 `fs.readFileSync` → `promises.readFile`
              api b.js#load: returns its result -> returns a promise
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
            chain: `read` and 5 more functions become async: 3 calls awaited
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
            chain: `read` and 1 more function become async: 1 call awaited
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
            chain: `read` becomes async: 1 call awaited
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
