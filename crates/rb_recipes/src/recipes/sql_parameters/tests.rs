//! Fixtures with what comes of them.

use expect_test::{Expect, expect};

use super::RECIPE;
use super::lexer::lex;
use crate::testing::Project;

pub(super) fn check(fixture: &str, expected: &Expect) {
    Project::new(fixture.trim_start()).check(&RECIPE, expected);
}

/// Tokens as words: kind and text.
fn tokens(text: &str, backslashes: bool) -> String {
    let Some(found) = lex(text, backslashes) else { return "does not end".to_owned() };
    let shown = found.iter().map(|it| format!("{:?}({})", it.kind, &text[it.start..it.end]));
    shown.collect::<Vec<_>>().join(" ")
}

#[test]
fn ru3_sql_parameters_lexer() {
    let table = [
        ("a = 'it''s' -- b'\n AND c", false),
        (r"a = 'it\'s' # c", true),
        (r"a = 'back\' AND", false),
        ("a::text = $1 AND b @> $2 AND c ? 'd' AND e ?| array['f']", false),
        ("`a`.\"b\" = [c d] OR x[1] = ARRAY[2]", false),
        ("E'\\n' || $$it's$$ || $t$ $$ $t$", false),
        ("/* ? ' */ ?? = ? LIMIT :n, @p0 + @@x", false),
        ("'no end", false),
        ("/* no end", false),
        ("a<=>b != 1.5e3 ;", true),
    ];
    let shown: Vec<String> = table.iter().map(|(text, it)| tokens(text, *it)).collect();
    expect![[r#"
        Word(a) Operator(=) Text('it''s') Comment(-- b') Word(AND) Word(c)
        Word(a) Operator(=) Text('it\'s') Comment(# c)
        Word(a) Operator(=) Text('back\') Word(AND)
        Word(a) Cast(::) Word(text) Operator(=) Mark($1) Word(AND) Word(b) Operator(@>) Mark($2) Word(AND) Word(c) Mark(?) Text('d') Word(AND) Word(e) Operator(?|) Word(array) Operator([) Text('f') Operator(])
        Name(`a`) Dot(.) Double("b") Operator(=) Name([c d]) Word(OR) Word(x) Operator([) Number(1) Operator(]) Operator(=) Word(ARRAY) Operator([) Number(2) Operator(])
        does not end
        Comment(/* ? ' */) Mark(??) Operator(=) Mark(?) Word(LIMIT) Mark(:n) Comma(,) Mark(@p0) Operator(+) Mark(@@x)
        does not end
        does not end
        Word(a) Operator(<=>) Word(b) Operator(!=) Number(1.5e3) Semicolon(;)
    "#]].assert_eq(&(shown.join("\n") + "\n"));
}

#[test]
fn ru3_sql_parameters_of_sqlite3_with_callbacks() {
    check(
        r#"
//- db.js
const sqlite3 = require('sqlite3').verbose();
const db = new sqlite3.Database('a.db');
function load(name, id, cb) {
  db.get(`SELECT * FROM users WHERE name = '${name}' AND id = ${id};`, cb);
  db.run(`DELETE FROM users WHERE id=${id}`, [], function (err) { cb(err, this.changes); });
  db.all('SELECT * FROM users WHERE id = ' + id + ' AND a = ?', [1], cb);
  db.all('SELECT * FROM users WHERE a = ? AND id = ' + id, [1], cb);
  db.all('SELECT * FROM users WHERE a = ? AND id = ' + id, name, cb);
  db.each(
    `SELECT * FROM users
     WHERE name LIKE '%${name}%' ESCAPE '!'`,
    (err, row) => cb(err, row)
  );
  db.exec(`DELETE FROM users WHERE id = ${id}`, cb);
  db.run(`CREATE TABLE t${id} (a)`);
  db.run(`INSERT INTO users (a, b, c, d) VALUES ('${name.first}', '${name.second}', '${name.third}', '${name.fourth}')`, cb);
}
module.exports = { load, db };
"#,
        &expect![[r#"
            chain: `db.get`: 2 values moved to sqlite3 parameters
              db.js:4 2 values in the SQL string of `db.get`
            chain: `db.run`: 1 value moved to sqlite3 parameters
              db.js:5 1 value in the SQL string of `db.run`
            chain: `db.all`: 1 value moved to sqlite3 parameters
              db.js:6 1 value in the SQL string of `db.all`
            chain: `db.all`: 1 value moved to sqlite3 parameters
              db.js:7 1 value in the SQL string of `db.all`
            chain: `db.each`: 1 value moved to sqlite3 parameters
              db.js:9 1 value in the SQL string of `db.each`
            chain: `db.run`: 4 values moved to sqlite3 parameters
              db.js:16 4 values in the SQL string of `db.run`
              note: `null` and `undefined` are now passed as NULL; before, they were the strings 'null' and 'undefined'
            left: db.js:8:56 `id`: it is unclear whether its parameter is one value or a list; write the parameter and its value by hand
            left: db.js:14:11 ``DELETE FROM users WHERE id = ${id}``: `exec` of sqlite3 accepts no parameters; run it with `run`, or `prepare` and `run`, which accept values
            left: db.js:15:27 `id`: `id` is part of a name, which cannot be a parameter; look `id` up in a list of allowed names, and use the name from the list
            //- db.js
            const sqlite3 = require('sqlite3').verbose();
            const db = new sqlite3.Database('a.db');
            function load(name, id, cb) {
              db.get('SELECT * FROM users WHERE name = ? AND id = ?;', [name, id], cb);
              db.run('DELETE FROM users WHERE id=?', [id], function (err) { cb(err, this.changes); });
              db.all('SELECT * FROM users WHERE id = ? AND a = ?', [id, 1], cb);
              db.all('SELECT * FROM users WHERE a = ? AND id = ?', [1, id], cb);
              db.all('SELECT * FROM users WHERE a = ? AND id = ' + id, name, cb);
              db.each(
                `SELECT * FROM users
                 WHERE name LIKE ? ESCAPE '!'`,
                [`%${name}%`],
                (err, row) => cb(err, row)
              );
              db.exec(`DELETE FROM users WHERE id = ${id}`, cb);
              db.run(`CREATE TABLE t${id} (a)`);
              db.run('INSERT INTO users (a, b, c, d) VALUES (?, ?, ?, ?)', [
                name.first,
                name.second,
                name.third,
                name.fourth
              ], cb);
            }
            module.exports = { load, db };

        "#]],
    );
}

#[test]
fn ru3_sql_parameters_through_variables() {
    check(
        r#"
//- db.js
import sqlite3 from 'sqlite3';
const db = new sqlite3.Database('a.db');
export function search(q, cb) {
  let sql = `SELECT * FROM t WHERE a = '${q.a}'`;
  if (q.b) {
    sql += ` AND b = ${q.b}`;
  }
  if (q.c) sql += ` AND c LIKE '%${q.c}%'`;
  for (const d of q.ds) {
    sql = sql + ' AND d <> \'' + d + '\'';
  }
  sql += ' ORDER BY a';
  console.log(sql);
  db.all(sql, cb);
}
export function steady(id, req, cb) {
  const sql = `SELECT * FROM t WHERE id = ${id}`;
  db.get(sql, cb);
  const other = `SELECT * FROM t WHERE id = ${req.params.id}`;
  req.params = {};
  db.get(other, cb);
}
export function lost(id, cb) {
  let sql = `SELECT * FROM t WHERE id = ${id}`;
  sql = decorate(sql);
  db.get(sql, cb);
}
//- pg.ts
import pg from 'pg';
const client = new pg.Client();
export async function search(a: string, b?: number) {
  let text = `SELECT * FROM t WHERE a = '${a}'`;
  if (b) text += ` AND b = ${b}`;
  return client.query(text);
}
"#,
        &expect![[r#"
            chain: `db.all`: 4 values moved to sqlite3 parameters
              db.js:14 4 values in the SQL string of `db.all`
              note: `null` and `undefined` are now passed as NULL; before, they were the strings 'null' and 'undefined'
              note: the logged statement now contains placeholders instead of values
            chain: `db.get`: 1 value moved to sqlite3 parameters
              db.js:18 1 value in the SQL string of `db.get`
            chain: `db.get`: 1 value moved to sqlite3 parameters
              db.js:21 1 value in the SQL string of `db.get`
            chain: `client.query`: 2 values moved to pg parameters
              pg.ts:6 2 values in the SQL string of `client.query`
            left: db.js:24:13 ``SELECT * FROM t WHERE id = ${id}``: `sql` is also used in other ways; collect the values in a list next to the SQL string, and pass that list
            //- db.js
            import sqlite3 from 'sqlite3';
            const db = new sqlite3.Database('a.db');
            export function search(q, cb) {
              let sql = 'SELECT * FROM t WHERE a = ?';
              const params = [q.a];
              if (q.b) {
                sql += ' AND b = ?';
                params.push(q.b);
              }
              if (q.c) { sql += ' AND c LIKE ?'; params.push(`%${q.c}%`); }
              for (const d of q.ds) {
                sql = sql + ' AND d <> ?';
                params.push(d);
              }
              sql += ' ORDER BY a';
              console.log(sql);
              db.all(sql, params, cb);
            }
            export function steady(id, req, cb) {
              const sql = 'SELECT * FROM t WHERE id = ?';
              db.get(sql, [id], cb);
              const other = 'SELECT * FROM t WHERE id = ?';
              const params = [req.params.id];
              req.params = {};
              db.get(other, params, cb);
            }
            export function lost(id, cb) {
              let sql = `SELECT * FROM t WHERE id = ${id}`;
              sql = decorate(sql);
              db.get(sql, cb);
            }

            //- pg.ts
            import pg from 'pg';
            const client = new pg.Client();
            export async function search(a: string, b?: number) {
              let text = 'SELECT * FROM t WHERE a = $1';
              const params: unknown[] = [a];
              if (b) text += ` AND b = $${params.push(b)}`;
              return client.query(text, params);
            }

        "#]],
    );
}

#[test]
fn ru3_sql_parameters_across_files() {
    check(
        r#"
//- db/index.js
const { Pool } = require('pg');
const pool = new Pool();
module.exports = {
  query: (text, params) => pool.query(text, params),
  raw(text) { return pool.query(text); },
};
//- db/run.js
const sqlite3 = require('sqlite3');
const db = new sqlite3.Database(':memory:');
function run({ sql, params = [] }) {
  return new Promise((resolve) => db.all(sql, params, resolve));
}
exports.run = run;
exports.getDb = () => db;
//- a.js
const db = require('./db');
const { run, getDb } = require('./db/run');
exports.find = async (id, app) => {
  await db.query(`SELECT * FROM t WHERE id = ${id}`);
  await db.raw(`SELECT * FROM t WHERE id = ${id}`);
  await run({ sql: `SELECT * FROM t WHERE id = ${id}` });
  getDb().all(`SELECT * FROM t WHERE id = ${id}`, () => {});
  app.locals.db.query(`SELECT * FROM t WHERE id = ${id}`);
  return `SELECT ${id} from the list`;
};
function helper(conn, id) {
  conn.all(`SELECT * FROM t WHERE id = ${id}`, () => {});
}
helper(getDb(), 1);
"#,
        &expect![[r#"
            chain: `db.query`: 1 value moved to pg parameters
              a.js:4 1 value in the SQL string of `db.query`
            chain: `run`: 1 value moved to sqlite3 parameters
              a.js:6 1 value in the SQL string of `run`
            chain: `getDb().all`: 1 value moved to sqlite3 parameters
              a.js:7 1 value in the SQL string of `getDb().all`
            chain: `conn.all`: 1 value moved to sqlite3 parameters
              a.js:12 1 value in the SQL string of `conn.all`
            left: a.js:5:16 ``SELECT * FROM t WHERE id = ${id}``: the function that runs it does not pass on parameters; make that function accept values and pass them to the driver
            left: a.js:8:23 ``SELECT * FROM t WHERE id = ${id}``: the driver of the statement is unknown; declare the type of the driver, or pass the values as parameters by hand
            //- a.js
            const db = require('./db');
            const { run, getDb } = require('./db/run');
            exports.find = async (id, app) => {
              await db.query('SELECT * FROM t WHERE id = $1', [id]);
              await db.raw(`SELECT * FROM t WHERE id = ${id}`);
              await run({ sql: 'SELECT * FROM t WHERE id = ?', params: [id] });
              getDb().all('SELECT * FROM t WHERE id = ?', [id], () => {});
              app.locals.db.query(`SELECT * FROM t WHERE id = ${id}`);
              return `SELECT ${id} from the list`;
            };
            function helper(conn, id) {
              conn.all('SELECT * FROM t WHERE id = ?', [id], () => {});
            }
            helper(getDb(), 1);

        "#]],
    );
}
