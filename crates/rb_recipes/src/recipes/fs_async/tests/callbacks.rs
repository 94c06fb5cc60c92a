//! Callbacks of arrays, promises and tests.

use expect_test::expect;

use super::check;

#[test]
fn ru3_fs_async_for_each() {
    check(
        r##"
//- package.json
{"type": "module"}
//- a.js
import fs from 'fs';
export function all(paths, files) {
  paths.forEach((path) => {
    if (!path) return;
    fs.unlinkSync(path);
  });
  paths.forEach((path, index) => fs.writeFileSync(path, String(index)));
  fs.readdirSync('.').forEach((name) => {
    if (name === 'a') {
      return;
    }
    return fs.rmSync(name);
  });
  (paths || files).forEach(function ({ name }) {
    fs.rmSync(name);
  });
  paths.forEach(path => { path = path + '/'; fs.mkdirSync(path); });
  fs.readdirSync('.').forEach((name) => console.log(name));
}
all([]);
"##,
        &expect![[r#"
            chain: `all` and 5 more functions become async: 7 calls awaited
              a.js:5 `fs.unlinkSync` → `promises.unlink`
              a.js:7 `fs.writeFileSync` → `promises.writeFile`
              a.js:8 `fs.readdirSync` → `promises.readdir`
              a.js:12 `fs.rmSync` → `promises.rm`
              a.js:15 `fs.rmSync` → `promises.rm`
              a.js:17 `fs.mkdirSync` → `promises.mkdir`
              a.js:18 `fs.readdirSync` → `promises.readdir`
              api a.js#all: returns its result -> returns a promise
            //- a.js
            import fs from 'fs';
            export async function all(paths, files) {
              for (const path of paths) {
                if (!path) continue;
                await fs.promises.unlink(path);
              }
              for (const [index, path] of paths.entries()) {
                await fs.promises.writeFile(path, String(index));
              }
              for (const name of await fs.promises.readdir('.')) {
                if (name === 'a') {
                  continue;
                }
                await fs.promises.rm(name);
              }
              for (const { name } of paths || files) {
                await fs.promises.rm(name);
              }
              for (let path of paths) { path = path + '/'; await fs.promises.mkdir(path); }
              (await fs.promises.readdir('.')).forEach((name) => console.log(name));
            }
            await all([]);

        "#]],
    );
}

#[test]
fn ru3_fs_async_searching() {
    check(
        r##"
//- package.json
{"type": "module"}
//- a.js
import fs from 'fs';
export function find(paths) {
  const first = paths.find((path) => fs.existsSync(path));
  const some = paths.some((path) => fs.existsSync(path));
  const every = paths.every((path) => fs.existsSync(path));
  const left = paths.filter((path) => !fs.existsSync(path));
  return [first, some, every, left];
}
export const one = (paths) => {
  return paths.filter((path) => { return fs.existsSync(path); });
};
export function any(paths) {
  return paths.some((path) => fs.existsSync(path));
}
find([]);
one([]);
any([]);
"##,
        &expect![[r#"
            chain: `find` and 8 more functions become async: 6 calls awaited
              a.js:3 `fs.existsSync` → `promises.access`
              a.js:4 `fs.existsSync` → `promises.access`
              a.js:5 `fs.existsSync` → `promises.access`
              a.js:6 `fs.existsSync` → `promises.access`
              a.js:10 `fs.existsSync` → `promises.access`
              a.js:13 `fs.existsSync` → `promises.access`
              api a.js#any: returns its result -> returns a promise
              api a.js#find: returns its result -> returns a promise
              api a.js#one: returns its result -> returns a promise
            //- a.js
            import fs from 'fs';

            function exists(path) {
              return fs.promises.access(path).then(() => true, () => false);
            }

            export async function find(paths) {
              let first;
              for (const path of paths) {
                if (await exists(path)) {
                  first = path;
                  break;
                }
              }
              let some = false;
              for (const path of paths) {
                if (await exists(path)) {
                  some = true;
                  break;
                }
              }
              let every = true;
              for (const path of paths) {
                if (!(await exists(path))) {
                  every = false;
                  break;
                }
              }
              const left = [];
              for (const path of paths) {
                if (!(await exists(path))) left.push(path);
              }
              return [first, some, every, left];
            }
            export const one = async (paths) => {
              const found = [];
              for (const path of paths) {
                if (await exists(path)) found.push(path);
              }
              return found;
            };
            export async function any(paths) {
              for (const path of paths) {
                if (await exists(path)) return true;
              }
              return false;
            }
            await find([]);
            await one([]);
            await any([]);

        "#]],
    );
}

#[test]
fn ru3_fs_async_mapping() {
    check(
        r##"
//- package.json
{"type": "module"}
//- a.js
import fs from 'fs';
import path from 'path';
const load = (name) => JSON.parse(fs.readFileSync(path.join('.', name), 'utf8'));
export function all(names) {
  const loaded = names.map((name) => load(name));
  const texts = names.map((name) => ({ name, text: fs.readFileSync(name, 'utf8') })).filter((it) => it.text);
  const saved = names.map((name) => save(name));
  return names.map(load);
}
function save(name) {
  fs.writeFileSync(name, '');
  return name;
}
export function saveAll(names) {
  return names.map((name) => save(name));
}
export async function together(names) {
  return Promise.all(names.map((name) => load(name)));
}
all([]);
saveAll([]);
together([]);
"##,
        &expect![[r#"
            chain: `load` and 8 more functions become async: 3 calls awaited
              a.js:3 `fs.readFileSync` → `promises.readFile`
              a.js:6 `fs.readFileSync` → `promises.readFile`
              a.js:11 `fs.writeFileSync` → `promises.writeFile`
              api a.js#all: returns its result -> returns a promise
              api a.js#saveAll: returns its result -> returns a promise
            //- a.js
            import fs from 'fs';
            import path from 'path';
            const load = async (name) => JSON.parse(await fs.promises.readFile(path.join('.', name), 'utf8'));
            export async function all(names) {
              const loaded = await Promise.all(names.map(async (name) => load(name)));
              const texts = (await Promise.all(names.map(async (name) => ({ name, text: await fs.promises.readFile(name, 'utf8') })))).filter((it) => it.text);
              const saved = [];
              for (const name of names) {
                saved.push(await save(name));
              }
              return Promise.all(names.map(load));
            }
            async function save(name) {
              await fs.promises.writeFile(name, '');
              return name;
            }
            export async function saveAll(names) {
              const mapped = [];
              for (const name of names) {
                mapped.push(await save(name));
              }
              return mapped;
            }
            export async function together(names) {
              return Promise.all(names.map(async (name) => load(name)));
            }
            await all([]);
            await saveAll([]);
            together([]);

        "#]],
    );
}

#[test]
fn ru3_fs_async_that_are_left() {
    check(
        r##"
//- package.json
{"type": "module"}
//- a.js
import fs from 'fs';
export function all(names) {
  names.sort((a, b) => fs.statSync(a).size - fs.statSync(b).size);
  names.reduce((sum, name) => sum + fs.statSync(name).size, 0);
  'a'.replace(/a/, (name) => fs.readFileSync(name, 'utf8'));
  process.on('exit', () => fs.unlinkSync('a'));
  setTimeout(() => fs.unlinkSync('b'), 10);
  new Promise((resolve) => resolve(fs.readFileSync('c')));
  names.forEach(function (name) {
    fs.rmSync(this.folder + name);
  });
  names.forEach((name) => {
    for (const it of name) if (it) return;
    fs.rmSync(name);
  });
  new Map().forEach((value) => fs.rmSync(value));
  if (names.some((name) => fs.existsSync(name))) names.map(fs.readFileSync);
  names.filter(exists);
  const made = () => () => fs.readFileSync('d');
  return made;
}
const exists = (name) => fs.existsSync(name);
all([]);
"##,
        &expect![[r#"
            left: a.js:3:24 `fs.statSync(a)`: the comparator of `sort` cannot be async (a.js:3); read the compared values before the sort
              through a.js:3 the callback of names.sort
            left: a.js:3:46 `fs.statSync(b)`: the comparator of `sort` cannot be async (a.js:3); read the compared values before the sort
              through a.js:3 the callback of names.sort
            left: a.js:4:37 `fs.statSync(name)`: `reduce` does not await its callback (a.js:4); read the files beforehand, or check whether the callee awaits promises
              through a.js:4 the callback of names.reduce
            left: a.js:5:30 `fs.readFileSync(name, 'utf8')`: `replace` uses the result of its callback immediately (a.js:5); read the files beforehand, and use their content
              through a.js:5 the callback of 'a'.replace
            left: a.js:6:28 `fs.unlinkSync('a')`: `on('exit', …)` does not await its listener (a.js:6); check whether the listener can be async, then change it by hand
              through a.js:6 the callback of process.on
            left: a.js:7:20 `fs.unlinkSync('b')`: `setTimeout` does not await its callback (a.js:7); read the files beforehand, or check whether the callee awaits promises
              through a.js:7 the callback of setTimeout
            left: a.js:8:36 `fs.readFileSync('c')`: `new Promise` does not await its function (a.js:8); await it before the object is created
              through a.js:8 a function
            left: a.js:10:5 `fs.rmSync(this.folder + name)`: the callback has its own `this`, which a loop does not have (a.js:10); write the `forEach` as a loop, then run again
              through a.js:9 the callback of names.forEach
            left: a.js:14:5 `fs.rmSync(name)`: the callback returns from inside a loop (a.js:13); write the `forEach` as a loop, then run again
              through a.js:12 the callback of names.forEach
            left: a.js:16:32 `fs.rmSync(value)`: the iterated value is not an array (a.js:16); write the `forEach` as a loop, then run again
              through a.js:16 the callback of new Map().forEach
            left: a.js:17:28 `fs.existsSync(name)`: the call is not a statement of its own (a.js:17); write the `some` as a loop, then run again
              through a.js:17 the callback of names.some
            left: a.js:17:60 `fs.readFileSync`: `fs.readFileSync` is passed as a value to code that does not await it; call `readFileSync` in a function of the project, which can be async
            left: a.js:19:28 `fs.readFileSync('d')`: the function is returned by another one, and its callers are unknown (a.js:19); read the file before the function is created, and pass in its content
              through a.js:19 a function
            left: a.js:22:26 `fs.existsSync(name)`: `exists` is passed to `filter`, which does not await it (a.js:18); write a loop instead of `filter`, or read the files beforehand
              through a.js:22 exists
              through a.js:18 exists
        "#]],
    );
}

#[test]
fn ru3_fs_async_promises_and_tests() {
    check(
        r##"
//- package.json
{"devDependencies": {"tap": "1"}}
//- a.js
const fs = require('fs');
function load(path) {
  return fs.readFileSync(path, 'utf8');
}
exports.load = load;
exports.later = (path) => Promise.resolve(path).then((it) => load(it)).catch(() => load('b'));
//- test/a.test.js
const assert = require('assert');
const { load } = require('../a');
describe('load', () => {
  before(function () {
    this.timeout(1);
    load('a');
  });
  it.each([1])('reads %s', (n) => {
    assert.throws(() => load('missing'), /ENOENT/);
    assert.doesNotThrow(() => load('a'));
  });
});
//- test/b.test.js
const t = require('tap');
const { load } = require('../a');
t.test('load', (t) => {
  t.throws(() => load('missing'));
  t.equal(load('a'), 'b');
  t.end();
});
"##,
        &expect![[r#"
            chain: `load` and 8 more functions become async: 1 call awaited
              a.js:3 `fs.readFileSync` → `promises.readFile`
              api a.js#load: returns its result -> returns a promise
            //- a.js
            const fs = require('fs');
            async function load(path) {
              return fs.promises.readFile(path, 'utf8');
            }
            exports.load = load;
            exports.later = (path) => Promise.resolve(path).then(async (it) => load(it)).catch(async () => load('b'));

            //- test/a.test.js
            const assert = require('assert');
            const { load } = require('../a');
            describe('load', () => {
              before(async function () {
                this.timeout(1);
                await load('a');
              });
              it.each([1])('reads %s', async (n) => {
                await assert.rejects(async () => load('missing'), /ENOENT/);
                await assert.doesNotReject(async () => load('a'));
              });
            });

            //- test/b.test.js
            const t = require('tap');
            const { load } = require('../a');
            t.test('load', async (t) => {
              await t.rejects(async () => load('missing'));
              t.equal(await load('a'), 'b');
              t.end();
            });

        "#]],
    );
}
