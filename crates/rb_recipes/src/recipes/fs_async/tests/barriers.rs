//! What stops a chain, and that it is left whole.

use expect_test::expect;

use super::check;

#[test]
fn ru3_fs_async_started_and_left() {
    check(
        r##"
//- a.js
const fs = require('fs');
async function prepare() {
  fs.mkdirSync('out');
}
async function later() {
  await null;
  fs.mkdirSync('late');
}
async function main() {
  prepare();
  later();
  use('out');
}
main();
"##,
        &expect![[r#"
            chain: a.js: 1 call awaited, in functions that are already async
              a.js:7 `fs.mkdirSync` → `promises.mkdir`
            left: a.js:3:3 `fs.mkdirSync('out')`: `prepare` is called without `await`, and the code after it may rely on its effects (a.js:10); await it there, then run again
              through a.js:2 prepare
            //- a.js
            const fs = require('fs');
            async function prepare() {
              fs.mkdirSync('out');
            }
            async function later() {
              await null;
              await fs.promises.mkdir('late');
            }
            async function main() {
              prepare();
              later();
              use('out');
            }
            main();

        "#]],
    );
}

#[test]
fn ru3_fs_async_whole_chains() {
    check(
        r##"
//- package.json
{"type": "module"}
//- a.js
import fs from 'fs';
export function load(path) {
  return fs.readFileSync(path, 'utf8');
}
export function other(path) {
  return fs.statSync(path);
}
//- b.js
import { load, other } from './a.js';
export class Config {
  constructor(path) {
    this.text = load(path);
  }
}
export async function main() {
  new Config('a');
  console.log(load('b'), other('c'));
}
main();
"##,
        &expect![[r#"
            chain: `other` becomes async: 1 call awaited
              a.js:6 `fs.statSync` → `promises.stat`
              api a.js#other: returns its result -> returns a promise
            left: a.js:3:10 `fs.readFileSync(path, 'utf8')`: the constructor of `Config` cannot be async (b.js:3); read the file in an async static `create`, and pass the content to the constructor
              through a.js:2 load
              through b.js:3 constructor
            //- a.js
            import fs from 'fs';
            export function load(path) {
              return fs.readFileSync(path, 'utf8');
            }
            export async function other(path) {
              return fs.promises.stat(path);
            }

            //- b.js
            import { load, other } from './a.js';
            export class Config {
              constructor(path) {
                this.text = load(path);
              }
            }
            export async function main() {
              new Config('a');
              console.log(load('b'), await other('c'));
            }
            main();

        "#]],
    );
}

#[test]
fn ru3_fs_async_of_functions() {
    check(
        r##"
//- package.json
{"type": "module"}
//- a.js
import fs from 'fs';
const getter = { get text() { return fs.readFileSync('a'); } };
function* lines() { yield fs.readFileSync('b'); }
function defaults(text = fs.readFileSync('c')) { return text; }
class Fields { text = fs.readFileSync('d'); static { fs.readFileSync('e'); } }
function saveSync() { fs.writeFileSync('f', ''); }
let total = 0;
function count() { total += fs.statSync('g').size; }
let cache;
function cached() { if (!cache) cache = fs.readFileSync('h'); return cache; }
let only;
function single() { return (only ??= new Thing(fs.readFileSync('i'))); }
function again() { return fs.readFileSync('j'); }
function tagged() { return again`x`; }
const bound = again.bind(null);
function optional(it) { return it?.load(fs.readFileSync('k')).x; }
export async function main() {
  getter.text; [...lines()]; defaults(); new Fields(); saveSync(); count(); cached(); single(); tagged(); bound(); optional();
}
main();
"##,
        &expect![[r#"
            chain: `cached` and 1 more function become async: 2 calls awaited
              a.js:10 `fs.readFileSync` → `promises.readFile`
              a.js:16 `fs.readFileSync` → `promises.readFile`
            left: a.js:2:38 `fs.readFileSync('a')`: `text` is a getter or setter, which cannot be async (a.js:2); make it a method
              through a.js:2 text
            left: a.js:3:27 `fs.readFileSync('b')`: `lines` is a generator, which cannot use `await` (a.js:3); make it an async generator, and loop over it with `for await`
              through a.js:3 lines
            left: a.js:4:26 `fs.readFileSync('c')`: a parameter default cannot use `await`; call it beforehand, and use its result
            left: a.js:5:23 `fs.readFileSync('d')`: a class field initializer cannot use `await`; call it beforehand, and use its result
            left: a.js:5:54 `fs.readFileSync('e')`: a static class block cannot use `await`; call it beforehand, and use its result
            left: a.js:6:23 `fs.writeFileSync('f', '')`: the name of `saveSync` says that it is synchronous (a.js:6); add an async `save` next to it, and have callers use that
              through a.js:6 saveSync
            left: a.js:8:29 `fs.statSync('g')`: `total` is shared, and would be read before the `await` and written after it (a.js:8); read the file first, then update `total` in one step
              through a.js:8 count
            left: a.js:12:48 `fs.readFileSync('i')`: `only` is shared, and would be read before the `await` and written after it (a.js:12); read the file first, then update `only` in one step
              through a.js:12 single
            left: a.js:13:27 `fs.readFileSync('j')`: `again` is used as a value, and its callers are unknown (a.js:14); call it by its name where the value is used
              through a.js:13 again
              through a.js:14 again
            //- a.js
            import fs from 'fs';
            const getter = { get text() { return fs.readFileSync('a'); } };
            function* lines() { yield fs.readFileSync('b'); }
            function defaults(text = fs.readFileSync('c')) { return text; }
            class Fields { text = fs.readFileSync('d'); static { fs.readFileSync('e'); } }
            function saveSync() { fs.writeFileSync('f', ''); }
            let total = 0;
            function count() { total += fs.statSync('g').size; }
            let cache;
            async function cached() { if (!cache) cache = await fs.promises.readFile('h'); return cache; }
            let only;
            function single() { return (only ??= new Thing(fs.readFileSync('i'))); }
            function again() { return fs.readFileSync('j'); }
            function tagged() { return again`x`; }
            const bound = again.bind(null);
            async function optional(it) { return it?.load(await fs.promises.readFile('k')).x; }
            export async function main() {
              getter.text; [...lines()]; defaults(); new Fields(); saveSync(); count(); await cached(); single(); tagged(); bound(); await optional();
            }
            main();

        "#]],
    );
}

#[test]
fn ru3_fs_async_public_api() {
    check(
        r##"
//- package.json
{"name": "it", "main": "index.js"}
//- index.js
const fs = require('fs');
exports.load = function (path) {
  return fs.readFileSync(path, 'utf8');
};
//- b.js
const { load } = require('./index');
async function main() {
  load('a');
}
main();
"##,
        &expect![[r#"
            left: index.js:3:10 `fs.readFileSync(path, 'utf8')`: `load` is public API: other packages call it synchronously (index.js:2); allow changes of the public API (allow_public_api_changes), or export an async version next to it
              through index.js:2 exports.load
        "#]],
    );
}

#[test]
fn ru3_fs_async_public_api_that_gives_a_promise_already() {
    check(
        r##"
//- package.json
{"name": "it", "main": "index.js"}
//- index.js
const fs = require('fs');
const { check } = require('./check');
module.exports = function load(path) {
  const text = fs.readFileSync(path, 'utf8');
  return Promise.resolve(text).then(check);
};
//- check.js
const fs = require('fs');
exports.check = function check(text) {
  const known = fs.readFileSync('known', 'utf8');
  return Promise.resolve(text === known);
};
"##,
        &expect![[r#"
            chain: `check` becomes async: 1 call awaited
              check.js:3 `fs.readFileSync` → `promises.readFile`
            left: index.js:4:16 `fs.readFileSync(path, 'utf8')`: `index.js` is public API: instead of throwing, it would return a rejected promise (index.js:3); allow changes of the public API (allow_public_api_changes), or make it async by hand
              through index.js:3 load
            //- check.js
            const fs = require('fs');
            exports.check = async function check(text) {
              const known = await fs.promises.readFile('known', 'utf8');
              return Promise.resolve(text === known);
            };

        "#]],
    );
}

#[test]
fn ru3_fs_async_top_levels() {
    check(
        r##"
//- a.js
const fs = require('fs');
const text = fs.readFileSync('a', 'utf8');
module.exports = { text };
//- b.js
const { text } = require('./a');
console.log(text);
//- c.js
const fs = require('fs');
function early() {
  return text;
}
const text = fs.readFileSync('a', 'utf8');
console.log(early());
//- webpack.config.js
const fs = require('fs');
module.exports = { banner: fs.readFileSync('banner', 'utf8') };
//- dynamic.js
const fs = require('fs');
module.exports = (path) => fs.readFileSync(path);
"##,
        &expect![[r#"
            left: a.js:2:14 `fs.readFileSync('a', 'utf8')`: a.js is CommonJS: its top level cannot use `await` (a.js:1); move it into a function that is called and awaited
              through a.js (top level)
            left: c.js:5:14 `fs.readFileSync('a', 'utf8')`: the top level of c.js cannot use `await`, and cannot be moved into a function: functions use names declared below the first awaited call (c.js:1); put it into an async `main` by hand, then run again
              through c.js (top level)
            left: dynamic.js:2:28 `fs.readFileSync(path)`: `dynamic.js` is exported but not called in the project, and external callers may not await it (dynamic.js:2); make sure that its callers await it, then change it by hand
              through dynamic.js:2 module.exports
            left: webpack.config.js:2:28 `fs.readFileSync('banner', 'utf8')`: webpack.config.js is loaded by a tool (webpack.config.js:1); check whether the tool awaits promises
              through webpack.config.js (top level)
        "#]],
    );
}

#[test]
fn ru3_fs_async_doubles() {
    check(
        r##"
//- package.json
{"devDependencies": {"jest": "1", "sinon": "1", "proxyquire": "1"}}
//- mocked.js
const fs = require('fs');
exports.mocked = async (path) => fs.readFileSync(path);
//- stubbed.js
const fs = require('fs');
exports.stubbed = async (path) => fs.statSync(path);
//- given.js
const fs = require('fs');
exports.given = async (path) => fs.readdirSync(path);
//- replaced.js
const fs = require('fs');
function replaced(path) {
  return fs.readFileSync(path);
}
exports.replaced = replaced;
//- free.js
const fs = require('fs');
exports.free = async (path) => fs.readFileSync(path);
//- test/a.test.js
jest.mock('fs', () => ({ readFileSync: () => 'x' }));
const { mocked } = require('../mocked');
test('a', async () => expect(await mocked('x')).toBe('x'));
//- test/b.test.js
const fs = require('fs');
const sinon = require('sinon');
const { stubbed } = require('../stubbed');
sinon.stub(fs, 'statSync').returns(1);
test('b', async () => expect(await stubbed('x')).toBe(1));
//- test/c.test.js
const load = require('proxyquire').noCallThru();
const { given } = load('../given', { fs: { readdirSync: () => [] } });
test('c', async () => expect(await given('x')).toBe([]));
//- test/d.test.js
const it = require('../replaced');
jest.spyOn(it, 'replaced').mockReturnValue('y');
test('d', () => expect(it.replaced('x')).toBe('y'));
//- test/e.test.js
const { free } = require('../free');
test('e', async () => expect(await free('x')).toBe('y'));
"##,
        &expect![[r#"
            chain: free.js: 1 call awaited, in functions that are already async
              free.js:2 `fs.readFileSync` → `promises.readFile`
            left: given.js:2:33 `fs.readdirSync(path)`: `fs` is mocked at test/c.test.js:2; mock the promise functions in the test, too
            left: mocked.js:2:34 `fs.readFileSync(path)`: `fs` is mocked at test/a.test.js:1; mock the promise functions in the test, too
            left: replaced.js:3:10 `fs.readFileSync(path)`: `replaced` is mocked at test/d.test.js:2 (replaced.js:2); make the mock return a promise, then run again
              through replaced.js:2 replaced
            left: stubbed.js:2:35 `fs.statSync(path)`: `statSync` is mocked at test/b.test.js:4; mock the promise function in the test
            //- free.js
            const fs = require('fs');
            exports.free = async (path) => fs.promises.readFile(path);

        "#]],
    );
}

#[test]
fn ru3_fs_async_of_tests() {
    check(
        r##"
//- a.js
const fs = require('fs');
exports.load = (path) => fs.readFileSync(path, 'utf8');
exports.size = (path) => fs.statSync(path).size;
exports.list = (path) => fs.readdirSync(path);
//- test/a.test.js
const { expect } = require('chai');
const { load, size, list } = require('../a');
describe('load', () => {
  const early = load('a');
  it('throws', () => {
    expect(() => size('missing')).to.throw(Error);
  });
  it('is over', (done) => {
    list('a');
    done();
  });
});
"##,
        &expect![[r#"
            left: a.js:2:26 `fs.readFileSync(path, 'utf8')`: `describe` does not await its function (test/a.test.js:3); move the call into `before`
              through a.js:2 exports.load
              through test/a.test.js:3 the callback of describe
            left: a.js:3:26 `fs.statSync(path)`: this use of `expect` has no form for promises (test/a.test.js:6); await the call, then pass its result to `expect`
              through a.js:3 exports.size
              through test/a.test.js:6 the callback of expect
            left: a.js:4:26 `fs.readdirSync(path)`: the test ends with a callback, so it must not also return a promise (test/a.test.js:8); use `await` in the test and remove the callback, then run again
              through a.js:4 exports.list
              through test/a.test.js:8 the callback of it
        "#]],
    );
}

#[test]
fn ru3_fs_async_descriptors_and_values() {
    check(
        r##"
//- package.json
{"type": "module"}
//- a.js
import fs, { readFileSync } from 'fs';
export async function main(paths) {
  const fd = fs.openSync('a');
  fs.readFileSync('with a descriptor');
  fs.closeSync(fd);
}
export async function more(paths) {
  fs.readFileSync(0);
  fs.statSync('a', { throwIfNoEntry: false });
  fs.realpathSync.native('a');
  paths.map(readFileSync);
  const { existsSync } = fs;
  return existsSync('b');
}
main([]);
more([]);
"##,
        &expect![[r#"
            left: a.js:3:14 `fs.openSync('a')`: `fs.openSync` takes a file descriptor, but the promise form takes a `FileHandle`; open the file with `fs.promises.open`, and use its `FileHandle` throughout
            left: a.js:4:3 `fs.readFileSync('with a descriptor')`: the enclosing function also uses file descriptors, which have no promise form; open the file with `fs.promises.open`, and use its `FileHandle` throughout
            left: a.js:5:3 `fs.closeSync(fd)`: `fs.closeSync` takes a file descriptor, but the promise form takes a `FileHandle`; open the file with `fs.promises.open`, and use its `FileHandle` throughout
            left: a.js:8:3 `fs.readFileSync(0)`: `fs.readFileSync` is called with a file descriptor, which the promise form does not accept; read from a `FileHandle`, or from a stream
            left: a.js:9:3 `fs.statSync('a', { throwIfNoEntry: false })`: `fs.statSync` uses `throwIfNoEntry`, which the promise form does not support; handle a missing file with `try` and `catch`, then run again
            left: a.js:10:3 `fs.realpathSync`: `fs.realpathSync.native` has no promise form; call `realpathSync` in a function of the project, which can be async
            left: a.js:11:13 `readFileSync`: `readFileSync` is passed as a value to code that does not await it; call `readFileSync` in a function of the project, which can be async
            left: a.js:12:11 `existsSync`: `existsSync` is taken from the module in an unsupported way; call it by its name, as `fs.existsSync`, then run again
        "#]],
    );
}

/// A throw before the promise is there becomes a rejection, which a caller that does not await never sees.
#[test]
fn ru3_fs_async_throws_of_functions_that_give_promises() {
    check(
        r##"
//- package.json
{"type": "module"}
//- a.js
import fs from 'fs';
import { send } from 'mailer';
export const handler = function build(argv) {
  if (!argv.input) {
    throw new Error('no input');
  }
  const text = fs.readFileSync(argv.input, 'utf8');
  return send(text).then(() => text);
};
export function caught(argv) {
  let text;
  try {
    if (!argv.input) throw new Error('no input');
    text = fs.readFileSync(argv.input, 'utf8');
  } catch {
    text = '';
  }
  return send(text).then(() => { throw new Error('sent'); });
}
"##,
        &expect![[r#"
            chain: `caught` becomes async: 1 call awaited
              a.js:14 `fs.readFileSync` → `promises.readFile`
            left: a.js:7:16 `fs.readFileSync(argv.input, 'utf8')`: `build` throws here before it returns its promise, and its callers may rely on that (a.js:5); make the function async if its callers handle a rejection, then run again
              through a.js:3 build
            //- a.js
            import fs from 'fs';
            import { send } from 'mailer';
            export const handler = function build(argv) {
              if (!argv.input) {
                throw new Error('no input');
              }
              const text = fs.readFileSync(argv.input, 'utf8');
              return send(text).then(() => text);
            };
            export async function caught(argv) {
              let text;
              try {
                if (!argv.input) throw new Error('no input');
                text = await fs.promises.readFile(argv.input, 'utf8');
              } catch {
                text = '';
              }
              return send(text).then(() => { throw new Error('sent'); });
            }

        "#]],
    );
}
