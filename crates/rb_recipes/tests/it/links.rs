//! Every way in which a name goes from file to file.

use std::fmt::Write as _;

use expect_test::{Expect, expect};
use rb_recipes::links::references;
use rb_recipes::testing::Project;

fn check(fixture: &str, path: &str, name: &str, expected: &Expect) {
    let shown = Project::new(fixture).with_world(|planning| {
        let found = references(planning.world, path, name);
        let mut out = String::new();
        for it in &found.all {
            let text = planning.world.text(&it.path).expect("it is there");
            let whole = &text[it.used.whole.start as usize..it.used.whole.end as usize];
            let name = &text[it.used.name.start as usize..it.used.name.end as usize];
            let line = rb_recipes::links::line_of(&text, it.used.whole.start);
            writeln!(out, "{}:{line} {:?} {whole} ({name})", it.path, it.used.kind)
                .expect("a string takes it");
        }
        for (path, name) in &found.names {
            writeln!(out, "as {path}#{name}").expect("a string takes it");
        }
        for doubt in &found.doubts {
            writeln!(out, "doubt {}:{} {}", doubt.path, doubt.line, doubt.what)
                .expect("a string takes it");
        }
        out
    });
    expected.assert_eq(&shown);
}

#[test]
fn ru3_links_of_modules() {
    check(
        r#"
//- a.ts
export function load() {}
export default 1;
//- index.ts
export * from './a';
export { load as read } from './a';
//- b.ts
import { load, type load as T } from './index';
import * as all from './a';
import { read } from './index.js';
load();
const again = load;
all.load(1);
new all.load();
let x: T;
let y: typeof load;
read`x`;
export { load as mine };
//- c.ts
import { mine } from './b';
mine();
const lazy = async () => (await import('./a')).load();
const { load } = await import('./a');
load();
//- d.ts
import * as all from './a';
console.log(all);
all['load']();
//- e.ts
export { load as own } from './a';
import * as self from './e';
self.own();
export { self };
"#,
        "a.ts",
        "load",
        &expect![[r#"
            b.ts:4 Call load (load)
            b.ts:5 Value load (load)
            b.ts:6 Call all.load (load)
            b.ts:7 New all.load (load)
            b.ts:8 Type T (T)
            b.ts:9 Type load (load)
            b.ts:10 Call read (read)
            b.ts:11 Export load (load)
            c.ts:2 Call mine (mine)
            c.ts:3 Call (await import('./a')).load (load)
            c.ts:5 Call load (load)
            e.ts:3 Call self.own (own)
            as a.ts#load
            as b.ts#mine
            as e.ts#own
            as index.ts#load
            as index.ts#read
            doubt d.ts:2 its module is passed on as one value
            doubt d.ts:3 its module is passed on as one value
            doubt e.ts:4 its module is passed on as one value
        "#]],
    );
}

#[test]
fn ru3_links_of_commonjs() {
    check(
        r#"
//- a.js
function load() {}
function other() {}
module.exports = { load, other };
//- b.js
const { load, other: mine } = require('./a');
const a = require('./a');
const direct = require('./a').load;
load(); a.load(); direct();
require('./a').load();
exports.load = load;
module.exports.again = a.load;
//- c.mjs
import a from './a.js';
import { load } from './a.js';
a.load(); load();
//- d.js
const b = require('./b');
b.load();
const { again } = require('./b');
again();
//- e.js
const a = require('./a');
for (const name of Object.keys(a)) a[name]();
"#,
        "a.js",
        "load",
        &expect![[r#"
            b.js:4 Call load (load)
            b.js:4 Call a.load (load)
            b.js:4 Call direct (direct)
            b.js:5 Call require('./a').load (load)
            b.js:6 Export load (load)
            b.js:7 Export a.load (load)
            c.mjs:3 Call a.load (load)
            c.mjs:3 Call load (load)
            d.js:2 Call b.load (load)
            d.js:4 Call again (again)
            as a.js#load
            as b.js#again
            as b.js#load
            doubt e.js:2 its module is passed on as one value
        "#]],
    );
}

#[test]
fn ru3_links_of_a_function_that_is_the_module() {
    check(
        r#"
//- a.js
module.exports = function load() {};
//- b.js
const load = require('./a');
load();
require('./a')();
load.cached = true;
//- c.mjs
import load from './a.js';
load();
export default load;
//- d.mjs
import load from './c.mjs';
load();
//- e.js
module.exports = { load: require('./a') };
"#,
        "a.js",
        "module.exports",
        &expect![[r#"
            b.js:2 Call load (load)
            b.js:3 Call require('./a') (require('./a'))
            b.js:4 Value load (load)
            c.mjs:2 Call load (load)
            c.mjs:3 Export load (load)
            d.mjs:2 Call load (load)
            e.js:1 Export require('./a') (require('./a'))
            as a.js#module.exports
            as c.mjs#default
            as e.js#load
        "#]],
    );
}
