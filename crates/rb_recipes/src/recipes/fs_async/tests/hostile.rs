//! Code that is hard to follow: nothing breaks, nothing wrong is written.

use std::fmt::Write as _;

use expect_test::expect;

use super::{RECIPE, check};
use crate::testing::Project;

#[test]
fn ru3_fs_async_mixed_and_dynamic() {
    check(
        r##"
//- package.json
{"type": "module"}
//- a.mjs
import fs from 'fs';
export function load(path) { return fs.readFileSync(path); }
export function evaluated(path) { return fs.readFileSync(path); }
export { load as read };
//- b.mjs
const { load } = await import('./a.mjs');
console.log(load('a'));
//- c.cjs
const all = require('./a.mjs');
for (const name in all) all[name]('x');
//- d.mjs
import fs from 'fs';
function hidden() { return fs.readFileSync('a'); }
eval('hidden()');
//- e.mjs
import fs from 'fs';
console.log(fs['readFileSync']('a'));
const name = 'readFileSync';
console.log(fs[name]('a'));
fs.existsSync = () => true;
//- f.mjs
import fs from 'fs';
export async function f() { return fs.existsSync('a'); }
f();
"##,
        &expect![[r#"
            left: a.mjs:2:37 `fs.readFileSync(path)`: not all uses of `load` are known: its module is passed on as one value (c.cjs:2) (a.mjs:2); import the function by its name
              through a.mjs:2 load
            left: a.mjs:3:42 `fs.readFileSync(path)`: not all uses of `evaluated` are known: its module is passed on as one value (c.cjs:2) (a.mjs:3); import the function by its name
              through a.mjs:3 evaluated
            left: d.mjs:2:28 `fs.readFileSync('a')`: `eval` in d.mjs:3 may use it in a way that cannot be traced (d.mjs:2); remove that, then run again
              through d.mjs:2 hidden
            left: e.mjs:2:13 `fs['readFileSync']`: `readFileSync` is taken from the module in an unsupported way; call it by its name, as `fs.readFileSync`, then run again
            left: f.mjs:2:36 `fs.existsSync('a')`: `existsSync` is mocked at e.mjs:5; mock the promise function in the test
        "#]],
    );
}

#[test]
fn ru3_fs_async_cycles_and_shadows() {
    check(
        r##"
//- package.json
{"type": "module"}
//- a.js
export * from './b.js';
import fs from 'fs';
export function first(path) { return path ? second(path) : fs.readFileSync('a'); }
import { second } from './b.js';
//- b.js
export * from './a.js';
import { first } from './a.js';
export function second(path) { return first(path.slice(1)); }
//- c.js
import { first } from './b.js';
const fs = { readFileSync: (it) => it };
fs.readFileSync('not a file');
export async function c(readFileSync) {
  readFileSync('not a file');
  {
    const first = () => 1;
    first();
  }
  return first('x');
}
c((it) => it);
"##,
        &expect![[r#"
            chain: `first` and 1 more function become async: 1 call awaited
              a.js:3 `fs.readFileSync` → `promises.readFile`
              api a.js#first: returns its result -> returns a promise
              api a.js#second: returns its result -> returns a promise
              api b.js#first: returns its result -> returns a promise
              api b.js#second: returns its result -> returns a promise
            //- a.js
            export * from './b.js';
            import fs from 'fs';
            export async function first(path) { return path ? await second(path) : await fs.promises.readFile('a'); }
            import { second } from './b.js';

            //- b.js
            export * from './a.js';
            import { first } from './a.js';
            export async function second(path) { return first(path.slice(1)); }

        "#]],
    );
}

#[test]
fn ru3_fs_async_decorators_labels_and_more() {
    check(
        r##"
//- a.ts
import * as fs from 'fs';
function log(target: unknown, name: string) {}
class Loader {
  @log
  load(path: string) { return fs.readFileSync(path); }
  private async all(paths: string[]) {
    outer: for (const path of paths) {
      for (const it of path) {
        if (fs.existsSync(it)) continue outer;
        if (fs.statSync(path).isFile()) break outer;
      }
    }
    switch (fs.readdirSync('.').length) { case fs.readdirSync('a').length: break; }
    do { paths.pop(); } while (fs.existsSync('x'));
    const { [fs.readlinkSync('k')]: value = fs.realpathSync('v') } = {} as Record<string, string>;
    return (fs.readFileSync('a'), value);
  }
}
namespace Inner { export const text = fs.readFileSync('n', 'utf8'); }
enum Size { A = fs.statSync('e').size }
abstract class Base { abstract read(): string; over(path: string): string; over(path: string) { return fs.readFileSync(path, 'utf8'); } }
function over(a: string): string;
function over(a: number): string;
function over(a: any): string { return fs.readFileSync(String(a), 'utf8'); }
over(1);
new Loader().load('a');
"##,
        &expect![[r#"
            chain: a.ts: 8 calls awaited, in functions that are already async
              a.ts:9 `fs.existsSync` → `promises.access`
              a.ts:10 `fs.statSync` → `promises.stat`
              a.ts:13 `fs.readdirSync` → `promises.readdir`
              a.ts:14 `fs.existsSync` → `promises.access`
              a.ts:15 `fs.readlinkSync` → `promises.readlink`
              a.ts:15 `fs.realpathSync` → `promises.realpath`
              a.ts:16 `fs.readFileSync` → `promises.readFile`
            left: a.ts:5:31 `fs.readFileSync(path)`: the callers of `load` of `Loader` are unknown (a.ts:5); give it a plain name
              through a.ts:5 load
            left: a.ts:19:39 `fs.readFileSync('n', 'utf8')`: a namespace cannot use `await`; call it beforehand, and use its result
            left: a.ts:20:17 `fs.statSync('e')`: an enum cannot use `await`; call it beforehand, and use its result
            left: a.ts:21:104 `fs.readFileSync(path, 'utf8')`: `over` is declared more than once (a.ts:21); give it one declaration
              through a.ts:21 over
            left: a.ts:24:40 `fs.readFileSync(String(a), 'utf8')`: `over` is declared more than once (a.ts:24); give it one declaration
              through a.ts:24 over
            //- a.ts
            import * as fs from 'fs';

            function exists(path: string | Buffer | URL): Promise<boolean> {
              return fs.promises.access(path).then(() => true, () => false);
            }

            function log(target: unknown, name: string) {}
            class Loader {
              @log
              load(path: string) { return fs.readFileSync(path); }
              private async all(paths: string[]) {
                outer: for (const path of paths) {
                  for (const it of path) {
                    if (await exists(it)) continue outer;
                    if ((await fs.promises.stat(path)).isFile()) break outer;
                  }
                }
                switch ((await fs.promises.readdir('.')).length) { case (await fs.promises.readdir('a')).length: break; }
                do { paths.pop(); } while (await exists('x'));
                const { [await fs.promises.readlink('k')]: value = await fs.promises.realpath('v') } = {} as Record<string, string>;
                return (await fs.promises.readFile('a'), value);
              }
            }
            namespace Inner { export const text = fs.readFileSync('n', 'utf8'); }
            enum Size { A = fs.statSync('e').size }
            abstract class Base { abstract read(): string; over(path: string): string; over(path: string) { return fs.readFileSync(path, 'utf8'); } }
            function over(a: string): string;
            function over(a: number): string;
            function over(a: any): string { return fs.readFileSync(String(a), 'utf8'); }
            over(1);
            new Loader().load('a');

        "#]],
    );
}

#[test]
fn ru3_fs_async_interfaces_and_plugins() {
    check(
        r##"
//- package.json
{"type": "module"}
//- a.ts
import fs from 'fs';
import { Plugin, define } from 'tool';
export class Mine implements Plugin {
  run() { return fs.readFileSync('a'); }
}
export class Other extends Plugin {
  go() { return fs.readFileSync('b'); }
}
export default define({
  setup() { return fs.readFileSync('c'); },
});
const typed: () => Buffer = () => fs.readFileSync('d');
type Result = ReturnType<typeof used>;
export function used() { return fs.readFileSync('e'); }
typed(); used();
new Mine().run(); new Other().go();
"##,
        &expect![[r#"
            left: a.ts:4:18 `fs.readFileSync('a')`: `run` may be called by a type that `Mine` extends or implements (a.ts:3); check whether that type awaits promises, then change it by hand
              through a.ts:4 run
            left: a.ts:7:17 `fs.readFileSync('b')`: `go` may be called by a type that `Other` extends or implements (a.ts:6); check whether that type awaits promises, then change it by hand
              through a.ts:7 go
            left: a.ts:10:20 `fs.readFileSync('c')`: `setup` is part of an object that is passed to other code, which does not await it (a.ts:9); check whether that code awaits promises, then change it by hand
              through a.ts:10 setup
            left: a.ts:12:35 `fs.readFileSync('d')`: `typed` has a declared type with a return type (a.ts:12); make the type return a promise, then run again
              through a.ts:12 typed
            left: a.ts:14:33 `fs.readFileSync('e')`: its type is used by `typeof used` (a.ts:13); write the type out, then run again
              through a.ts:14 used
        "#]],
    );
}

#[test]
fn ru3_fs_async_components() {
    check(
        r##"
//- package.json
{"dependencies": {"react": "18"}, "type": "module"}
//- a.jsx
import fs from 'fs';
const read = () => fs.readFileSync('a', 'utf8');
export function Page() { return <p onClick={() => fs.unlinkSync('x')}>{read()}</p>; }
export function useText() { return fs.readFileSync('b', 'utf8'); }
"##,
        &expect![[r#"
            left: a.jsx:2:20 `fs.readFileSync('a', 'utf8')`: `Page` is a component, which cannot be async (a.jsx:3); read the file outside the component
              through a.jsx:2 read
              through a.jsx:3 Page
            left: a.jsx:3:51 `fs.unlinkSync('x')`: a component does not await it (a.jsx:3); read the file outside the component
              through a.jsx:3 a function
            left: a.jsx:4:36 `fs.readFileSync('b', 'utf8')`: `useText` is a hook, which cannot be async (a.jsx:4); read the file outside the component
              through a.jsx:4 useText
        "#]],
    );
}

#[test]
fn ru3_fs_async_long_files() {
    let mut text = String::from("//- a.js\nconst fs = require('fs');\n");
    for at in 0..700 {
        let next = if at == 0 { "t".to_owned() } else { format!("f{}(t)", at - 1) };
        write!(
            text,
            "function f{at}(p) {{\n  const t = fs.readFileSync(p, 'utf8');\n  [t].forEach((x) => {{\n    fs.writeFileSync(x, t);\n  }});\n  return {next};\n}}\n"
        )
        .unwrap();
    }
    text.push_str("async function main() {\n  f699('a');\n}\nmain();\n");
    let outcome = Project::new(&text).run(&RECIPE);
    assert_eq!(outcome.plan.share(), (1400, 1400));
    assert_eq!(outcome.plan.chains.len(), 1);
}
