//! Code that is meant to lead astray: no recipe falls over it, breaks a file, or finds more to do the second time.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use rb_recipes::testing::{Project, files};
use rb_recipes::{ALL, Recipe};

/// Everything that hides who calls whom.
const NASTY: &str = r#"
//- package.json
{ "name": "nasty", "private": true }
//- patched.js
const fs = require('fs');
const real = fs.readFileSync;
fs.readFileSync = function (...given) { return real.apply(this, given); };
function read(path) { return fs.readFileSync(path, 'utf8'); }
module.exports = { read };
//- evil.js
const fs = require('fs');
function read(path) { return eval('fs.readFileSync(path)'); }
function other(path) { return fs.readFileSync(path); }
with (Math) { max(1, 2); }
new Function('other', 'return other()')(other);
exports[read.name] = read;
exports.other = other;
//- computed.js
const fs = require('fs');
const name = 'readFile' + 'Sync';
const read = (path) => fs[name](path);
const direct = (path) => fs['readFileSync'](path);
const lib = require(process.env.LIB || './a');
module.exports = { read, direct, lib, ...require('./evil') };
//- a.mjs
export * from './b.mjs';
export * from './c.mjs';
export { a as b } from './b.mjs';
import * as self from './a.mjs';
export { self };
//- b.mjs
export * from './a.mjs';
export { c as a } from './c.mjs';
//- c.mjs
export * from './b.mjs';
import fs from 'node:fs';
export const c = (list, x) => { for (const y of x) { if (list.includes(y)) fs.writeFileSync(y, ''); } };
const lazy = await import('./' + c.name + '.mjs').catch(() => null);
//- mixed.js
import a from './a.mjs';
const b = require('./patched');
module.exports = { a, b };
//- decorated.ts
import { readFileSync } from 'fs';
function log(target: unknown, key?: string): any {}
@log
export class Service {
  @log private text = readFileSync('a', 'utf8');
  static #cache = new Map<string, string>();
  static { Service.#cache.set('a', readFileSync('a', 'utf8')); }
  @log get size() { return readFileSync('a').length; }
  *lines() { yield* readFileSync('a', 'utf8').split('\n'); }
  [Symbol.iterator]() { return this.lines(); }
  async load(db: any, id: string) { return db.query(`SELECT * FROM a WHERE id = '${id}'`); }
}
export namespace Inner { export const read = () => readFileSync('b'); }
declare module './decorated' { interface Service { extra: string } }
//- shadow.js
const fs = require('fs');
function outer(fs) {
  const readFileSync = (x) => x;
  { let fs = { readFileSync }; fs.readFileSync('not the real one'); }
  return fs.readFileSync('nor this');
}
function real() { var fs = require('fs'); return fs.readFileSync('this one'); }
label: for (const fs of [1]) { continue label; }
try { throw 0 } catch (fs) { fs.readFileSync; }
module.exports = { outer, real };
//- broken.js
function (
//- empty.js
//- bom.js
﻿const fs = require('fs'); fs.readFileSync('a');
//- comments.js
const /* 1 */ fs /* 2 */ = /* 3 */ require /* 4 */ ( /* 5 */ 'fs' /* 6 */ ) /* 7 */
function /* a */ read /* b */ ( /* c */ path /* d */ ) /* e */ { /* f */
  return /* g */ fs /* h */ . /* i */ readFileSync /* j */ ( /* k */ path /* l */ ) // m
} // n
module.exports /* x */ = /* y */ { /* z */ read /* , */ }
//- uses.js
const { read } = require('./comments')
;[1, 2].forEach(x => read(x))
;(function () { read('a') })()
`${read('b')}`
//- sql.js
const { Client } = require('pg');
const db = new Client();
exports.a = (t, x) => db.query(`SELECT '${x}', "${t}", $$${x}$$ -- ${x}
  FROM ${t} WHERE a = '${x}' AND b LIKE '%${x}%' /* ${x} */ AND c IN (${x.map((y) => `'${y}'`).join()})`);
exports.b = (x) => db.query('SELECT ' + x + " WHERE a = '" + x + "' OR b = ?");
//- lookup.js
exports.f = function (list, rows) {
  for (const row of rows) {
    if (list.includes(row)) list.push(row);
    if (arguments[0].indexOf(row) > -1) eval('list = []');
    row.found = rows.find((it) => it === row || (rows.length = 0));
  }
};
"#;

fn with_arguments(project: &Project, recipe: &Recipe) -> Project {
    match recipe.id {
        "rename" => project.clone().argument("symbol", "comments.js#read").argument("to", "load"),
        _ => project.clone(),
    }
}

fn survives(fixture: &str) {
    let project = Project::new(fixture);
    for recipe in ALL.iter().filter(|it| it.needs.is_empty() || it.id == "rename") {
        // A second run that has work, or a chain that was refused, is a failure in there.
        let outcome = with_arguments(&project, recipe).run(recipe);
        let known: BTreeSet<String> = files(fixture).into_iter().map(|(path, _)| path).collect();
        assert!(outcome.changed.keys().all(|path| known.contains(path)), "{}", recipe.id);
        for path in ["evil.js", "broken.js"] {
            assert!(!outcome.changed.contains_key(path), "{}: {path} was touched", recipe.id);
        }
    }
}

#[test]
fn ru3_hostile_code_is_survived() {
    survives(NASTY);
}

/// Each file of the project alone, and cut off at every third line: what is left seldom parses, and nothing may fall over.
#[test]
fn ru3_pieces_of_hostile_code_are_survived() {
    for (path, text) in files(NASTY).into_iter().filter(|(path, _)| path != "package.json") {
        let lines: Vec<&str> = text.lines().collect();
        for end in (1..=lines.len()).step_by(3) {
            let fixture = format!("//- {path}\n{}\n", lines[..end].join("\n"));
            let project = Project::new(&fixture);
            for recipe in ALL.iter().filter(|it| it.needs.is_empty()) {
                project.run(recipe);
            }
        }
    }
}

/// The same for Python, with the operations that it has.
const NASTY_PYTHON: &str = r#"
//- pyproject.toml
[project]
name = "nasty
//- nasty/__init__.py
from .broken import *
from .computed import read as read, __all__
from . import missing
__getattr__ = lambda name: eval(name)
//- nasty/broken.py
def read(path, mode='r'
    return open(path
//- nasty/computed.py
__all__ = ['re' + 'ad'] + [name for name in dir() if name]
def read(path, *, mode='r', **rest):
    "read(path): \N{DIGIT ONE} \
    return globals()['re' 'ad'](path, **rest) if rest else open(path, mode)
exec('def other(): return read(1)')
read = property(read) if read else None
//- nasty/twice.py
import nasty.computed as computed, nasty.twice as twice
def read(self, path): return f"{read!r:>{path}} {'read'}"
class Read:
    read = read
    def read(self, path, /, *rest): return super().read(path, *rest)
    def __getattribute__(self, name): return getattr(computed, name)
del read
match computed:
    case computed.read(): read = lambda read: (read := read)
//- nasty/empty.py
//- nasty/ä.py
def é(ﬁ): return 'é' "é" b'' + ﬁ; \
    x = 1
"#;

/// Arguments that fit the operations, on every file of the project.
fn operation_arguments(path: &str) -> Vec<(&'static str, String)> {
    let symbol = format!("{path}#read");
    let named = |name, value: &str| (name, value.to_owned());
    vec![
        named("symbol", &symbol),
        named("function", &symbol),
        named("functions", &symbol),
        named("keep", &symbol),
        named("remove", "nasty/twice.py#read"),
        named("modules", path),
        named("into", "nasty/empty.py"),
        named("path", path),
        named("to", "nasty/new.py"),
        named("name", "mode"),
        named("parameter", "path"),
        named("order", "mode, path"),
        named("class", "Reader"),
        named("operations", &format!(r#"[{{"operation":"rename","symbol":"{symbol}","to":"x"}}]"#)),
    ]
}

#[test]
fn st1_operations_survive_hostile_python() {
    for (path, _) in files(NASTY_PYTHON) {
        for recipe in ALL.iter().filter(|it| !it.needs.is_empty()) {
            let arguments = operation_arguments(&path);
            let given = arguments.iter().filter(|(name, _)| recipe.needs.contains(name));
            let project = given.fold(Project::new(NASTY_PYTHON), |project, (name, value)| {
                project.argument(name, value)
            });
            // An argument may be refused: `nasty/new.py` is no name for a function.
            if let Ok(outcome) = project.run_once(recipe) {
                let broken = "nasty/broken.py";
                let is_touched = outcome.changed.contains_key(broken);
                assert!(!is_touched, "{}: {broken} was touched", recipe.id);
            }
        }
    }
}

#[test]
fn ru3_a_file_of_five_thousand_lines() {
    let mut text = String::from("const fs = require('fs');\nconst list = [];\n");
    for at in 0..800 {
        write!(
            text,
            "function read{at}(path) {{\n  const text = fs.readFileSync(path, 'utf8');\n  return text + {};\n}}\nfunction dead{at}() {{\n  return 1;\n}}\n",
            if at == 0 { "''".to_owned() } else { format!("read{}(path)", at - 1) }
        )
        .expect("a string takes it");
    }
    text.push_str(
        "async function main() {\n  return read799('a');\n}\nmodule.exports = { main };\n",
    );
    assert!(text.lines().count() > 5_000);
    let fixture = format!("//- package.json\n{{ \"private\": true }}\n//- large.js\n{text}");
    let project = Project::new(&fixture);
    for recipe in ALL.iter().filter(|it| it.needs.is_empty()) {
        let outcome = project.run(recipe);
        match recipe.id {
            "fs-async" => assert_eq!(outcome.plan.share(), (800, 800)),
            "dead-code" => assert!(outcome.plan.share().0 >= 800),
            _ => {}
        }
    }
}
