//! Code that means to mislead, and code that only looks like a site.

use std::fmt::Write as _;

use expect_test::expect;

use super::RECIPE;
use super::tests::check;
use crate::testing::Project;

#[expect(clippy::too_many_lines, reason = "one file of many traps")]
#[test]
fn ru3_sql_parameters_of_hostile_code() {
    check(
        r#"
//- db.js
const sqlite3 = require('sqlite3');
const mysql = require('mysql2');
const db = new sqlite3.Database('a.db');
const pool = mysql.createPool({});
const TABLE = 'users';
function shadow(db, id) {
  db.all(`SELECT * FROM t WHERE id = ${id}`, () => {});
}
shadow({ all() {} }, 1);
async function* all(id, name, list, opts, cb) {
  label: for (const row of list) {
    db.get(`SELECT * FROM ${TABLE} WHERE id = ${/* the id */ id} AND n = ${row}`, cb);
    if (row) continue label;
  }
  db['all'](`SELECT * FROM t WHERE id = ${id}`, cb);
  db[opts.method](`SELECT * FROM t WHERE id = ${id}`, cb);
  db.all(...[`SELECT * FROM t WHERE id = ${id}`], cb);
  db.all(`SELECT * FROM t WHERE id = ${id}`, ...opts);
  db.all(`SELECT * FROM t WHERE id = ${(name, id)} AND a = ${id ? 1 : 2} AND b = ${id || 0}`, cb);
  db.all(`SELECT '?' AS q, * FROM t -- what?
    WHERE id = ${id}`, cb);
  db.all(`SELECT * FROM t WHERE a = 'it''s' AND b = 'it''s ${name} \`x\` $\{y}'`, cb);
  db.all(`SELECT * FROM t WHERE id = ${id} -- ${name}`, cb);
  db.all(`SELECT * FROM t WHERE a = ? AND b = '${name}' AND c = ?`, [1, ...opts, 2], cb);
  db.all(`SELECT * FROM t WHERE a = ? AND b = '${name}'`, opts, cb);
  db.all(`SELECT * FROM t WHERE a = :a AND b = '${name}'`, { ':a': 1 }, cb);
  db.all('SELECT * FROM t WHERE a = ' + id + 1, cb);
  db.all('SELECT * FROM t WHERE a = ' + (id + 1) + ' AND b = "' + name + '"', cb);
  db.all("SELECT * FROM t WHERE a = '" + name + '\' AND b = ' + id, cb);
  db.all(['SELECT * FROM t', 'WHERE a =', id, `AND b = '${name}'`].join(' '), cb);
  db.all(`SELECT * FROM t ${opts.where} AND b = '${name}' ORDER BY ${opts.order} LIMIT ${id}`, cb);
  db.all(`SELECT * FROM t WHERE ${name} LIKE '${await name}'`, cb);
  pool.query(`SELECT * FROM t WHERE a = '\\${name}' OR b = '${name}\n'`, cb);
  pool.query('SELECT * FROM t WHERE a = ' + pool.escape(name) + ' AND b = ' + id, cb);
  yield eval(`db.all("SELECT * FROM t WHERE a = '${name}'")`);
}
class Repo {
  static #db = new sqlite3.Database('b.db');
  static load = (id) => Repo.#db.all(`SELECT * FROM t WHERE id = ${id}`);
  #own = db;
  @dec() load(id) {
    return new Promise((resolve) => this.#own.all(`SELECT * FROM t WHERE id = ${id}`, resolve));
  }
}
module.exports = { all, Repo };
//- cycle-a.js
export * from './cycle-b.js';
//- cycle-b.js
export * from './cycle-a.js';
import { conn } from './cycle-a.js';
export const go = (id) => conn.query(`SELECT * FROM t WHERE id = ${id}`);
"#,
        &expect![[r#"
            chain: `db['all']`: 1 value moved to sqlite3 parameters
              db.js:15 1 value in the SQL string of `db['all']`
            chain: `db.all`: 1 value moved to sqlite3 parameters
              db.js:19 1 value in the SQL string of `db.all`
            chain: `db.all`: 1 value moved to sqlite3 parameters
              db.js:20 1 value in the SQL string of `db.all`
            chain: `db.all`: 1 value moved to sqlite3 parameters
              db.js:22 1 value in the SQL string of `db.all`
            chain: `db.all`: 1 value moved to sqlite3 parameters
              db.js:23 1 value in the SQL string of `db.all`
            chain: `db.all`: 1 value moved to sqlite3 parameters
              db.js:24 1 value in the SQL string of `db.all`
            chain: `db.all`: 2 values moved to sqlite3 parameters
              db.js:28 2 values in the SQL string of `db.all`
            chain: `db.all`: 2 values moved to sqlite3 parameters
              db.js:29 2 values in the SQL string of `db.all`
            chain: `db.all`: 2 values moved to sqlite3 parameters
              db.js:30 2 values in the SQL string of `db.all`
            chain: `db.all`: 2 values moved to sqlite3 parameters
              db.js:31 2 values in the SQL string of `db.all`
            chain: `db.all`: 1 value moved to sqlite3 parameters
              db.js:32 1 value in the SQL string of `db.all`
            chain: `pool.query`: 1 value moved to mysql2 parameters
              db.js:33 1 value in the SQL string of `pool.query`
            chain: `pool.query`: 2 values moved to mysql2 parameters
              db.js:34 2 values in the SQL string of `pool.query`
            chain: `Repo.#db.all`: 1 value moved to sqlite3 parameters
              db.js:39 1 value in the SQL string of `Repo.#db.all`
            chain: `this.#own.all`: 1 value moved to sqlite3 parameters
              db.js:42 1 value in the SQL string of `this.#own.all`
            left: cycle-b.js:3:38 ``SELECT * FROM t WHERE id = ${id}``: the driver of the statement is unknown; declare the type of the driver, or pass the values as parameters by hand
            left: db.js:7:10 ``SELECT * FROM t WHERE id = ${id}``: the driver of the statement is unknown; declare the type of the driver, or pass the values as parameters by hand
            left: db.js:12:62 `id`: the SQL string cannot be edited in place: it contains a comment, or it is built elsewhere; write the parameter and its value by hand
            left: db.js:12:76 `row`: the SQL string cannot be edited in place: it contains a comment, or it is built elsewhere; write the parameter and its value by hand
            left: db.js:16:19 ``SELECT * FROM t WHERE id = ${id}``: the driver of the statement is unknown; declare the type of the driver, or pass the values as parameters by hand
            left: db.js:18:40 `id`: its arguments use spread syntax; write the parameter and its value by hand
            left: db.js:19:84 `id || 0`: `id || 0` may be an SQL fragment, not a value; compute the value first, separately from the SQL string
            left: db.js:23:49 `name`: `name` is part of a comment, which cannot be a parameter; rewrite the statement so that `name` is a value, or take it from a list of allowed strings
            left: db.js:25:50 `name`: it is unclear whether its parameter is one value or a list; write the parameter and its value by hand
            left: db.js:26:51 `name`: its parameters use another style of placeholder; use the same style for the new parameter
            left: db.js:27:41 `id`: `id` is part of a name, which cannot be a parameter; look `id` up in a list of allowed names, and use the name from the list
            left: db.js:31:29 `opts.where`: `opts.where` is an SQL fragment, which cannot be a parameter; rewrite the statement so that `opts.where` is a value, or take it from a list of allowed strings
            left: db.js:31:70 `opts.order`: `opts.order` is a sort or grouping key, which cannot be a parameter; look `opts.order` up in a list of allowed names, and use the name from the list
            left: db.js:32:35 `name`: `name` is a column or a condition, which cannot be a parameter; look `name` up in a list of allowed names, and use the name from the list
            left: db.js:33:46 `name`: MySQL interprets a backslash in the string; pass the whole string as a parameter
            //- db.js
            const sqlite3 = require('sqlite3');
            const mysql = require('mysql2');
            const db = new sqlite3.Database('a.db');
            const pool = mysql.createPool({});
            const TABLE = 'users';
            function shadow(db, id) {
              db.all(`SELECT * FROM t WHERE id = ${id}`, () => {});
            }
            shadow({ all() {} }, 1);
            async function* all(id, name, list, opts, cb) {
              label: for (const row of list) {
                db.get(`SELECT * FROM ${TABLE} WHERE id = ${/* the id */ id} AND n = ${row}`, cb);
                if (row) continue label;
              }
              db['all']('SELECT * FROM t WHERE id = ?', [id], cb);
              db[opts.method](`SELECT * FROM t WHERE id = ${id}`, cb);
              db.all(...[`SELECT * FROM t WHERE id = ${id}`], cb);
              db.all(`SELECT * FROM t WHERE id = ${id}`, ...opts);
              db.all(`SELECT * FROM t WHERE id = ? AND a = ${id ? 1 : 2} AND b = ${id || 0}`, [(name, id)], cb);
              db.all(`SELECT '?' AS q, * FROM t -- what?
                WHERE id = ?`, [id], cb);
              db.all(`SELECT * FROM t WHERE a = 'it''s' AND b = ?`, [`it's ${name} \`x\` \${y}`], cb);
              db.all(`SELECT * FROM t WHERE id = ? -- ${name}`, [id], cb);
              db.all('SELECT * FROM t WHERE a = ? AND b = ? AND c = ?', [1, name, ...opts, 2], cb);
              db.all(`SELECT * FROM t WHERE a = ? AND b = '${name}'`, opts, cb);
              db.all(`SELECT * FROM t WHERE a = :a AND b = '${name}'`, { ':a': 1 }, cb);
              db.all('SELECT * FROM t WHERE a = ' + id + 1, cb);
              db.all('SELECT * FROM t WHERE a = ? AND b = ?', [id + 1, name], cb);
              db.all("SELECT * FROM t WHERE a = ?" + ' AND b = ?', [name, id], cb);
              db.all(['SELECT * FROM t', 'WHERE a =', '?', 'AND b = ?'].join(' '), [id, name], cb);
              db.all(`SELECT * FROM t ${opts.where} AND b = ? ORDER BY ${opts.order} LIMIT ?`, [name, id], cb);
              db.all(`SELECT * FROM t WHERE ${name} LIKE ?`, [await name], cb);
              pool.query(`SELECT * FROM t WHERE a = '\\${name}' OR b = ?`, [`${name}\n`], cb);
              pool.query('SELECT * FROM t WHERE a = ? AND b = ?', [name, id], cb);
              yield eval(`db.all("SELECT * FROM t WHERE a = '${name}'")`);
            }
            class Repo {
              static #db = new sqlite3.Database('b.db');
              static load = (id) => Repo.#db.all('SELECT * FROM t WHERE id = ?', [id]);
              #own = db;
              @dec() load(id) {
                return new Promise((resolve) => this.#own.all('SELECT * FROM t WHERE id = ?', [id], resolve));
              }
            }
            module.exports = { all, Repo };

        "#]],
    );
}

#[test]
fn ru3_sql_parameters_name_each_list() {
    check(
        r#"
//- a.js
import sqlite3 from 'sqlite3';
const db = new sqlite3.Database('a');
export function f(o, cb) {
  let a = `SELECT * FROM t WHERE a = '${o.a}'`;
  if (o.b) a += ` AND b = '${o.b}'`;
  let b = `SELECT * FROM u ${o.sql} AND a = '${o.a}'`;
  if (o.b) b += ` AND b = '${o.b}'`;
  db.all(a, () => db.all(b, cb));
}
export function g(o, cb) {
  let a = `SELECT * FROM t WHERE a = '${o.a}'`;
  if (o.b) a += ` AND b = '${o.b}'`;
  db.all(a, cb);
}
"#,
        &expect![[r#"
            chain: `db.all`: 2 values moved to sqlite3 parameters
              a.js:8 2 values in the SQL string of `db.all`
            chain: `db.all`: 2 values moved to sqlite3 parameters
              a.js:8 2 values in the SQL string of `db.all`
            chain: `db.all`: 2 values moved to sqlite3 parameters
              a.js:13 2 values in the SQL string of `db.all`
            left: a.js:6:30 `o.sql`: `o.sql` is an SQL fragment, which cannot be a parameter; rewrite the statement so that `o.sql` is a value, or take it from a list of allowed strings
            //- a.js
            import sqlite3 from 'sqlite3';
            const db = new sqlite3.Database('a');
            export function f(o, cb) {
              let a = 'SELECT * FROM t WHERE a = ?';
              const params = [o.a];
              if (o.b) { a += ' AND b = ?'; params.push(o.b); }
              let b = `SELECT * FROM u ${o.sql} AND a = ?`;
              const params2 = [o.a];
              if (o.b) { b += ' AND b = ?'; params2.push(o.b); }
              db.all(a, params, () => db.all(b, params2, cb));
            }
            export function g(o, cb) {
              let a = 'SELECT * FROM t WHERE a = ?';
              const params = [o.a];
              if (o.b) { a += ' AND b = ?'; params.push(o.b); }
              db.all(a, params, cb);
            }

        "#]],
    );
}

#[test]
fn ru3_sql_parameters_keep_line_ends_and_look_alikes() {
    let fixture = "//- a.js\nimport Database from 'better-sqlite3'\r\nconst db = new Database('a')\r\nexport function f(o) {\r\n\
                   \x20 const one = `SELECT * FROM t WHERE a = '${o.a}'`\r\n  o.a = 1\r\n  return db.prepare(one).get()\r\n}\r\n\
                   //- b.ts\nimport Database from 'better-sqlite3';\nimport { Table } from './c';\nenum E { A = 'a' }\n\
                   const db = new Database('a');\nexport const g = (ids: string[]) => {\n  const placeholders = ids.map(() => '?').join(',');\n  \
                   db.prepare(`SELECT * FROM ${Table.Users} WHERE a = '${E.A}' AND id IN (${placeholders})`).all(...ids);\n  \
                   db.prepare(`SELECT * FROM t WHERE id IN (${Array(ids.length).fill('?').join(', ')})`).all(ids);\n};\n\
                   //- c.ts\nexport enum Table { Users = 'users' }\n";
    let outcome = Project::new(fixture).run(&RECIPE);
    expect![[r#"
        chain: `db.prepare`: 1 value moved to better-sqlite3 parameters
          a.js:6 1 value in the SQL string of `db.prepare`
        //- a.js
        import Database from 'better-sqlite3'␍
        const db = new Database('a')␍
        export function f(o) {␍
          const one = 'SELECT * FROM t WHERE a = ?'␍
          const params = [o.a]␍
          o.a = 1␍
          return db.prepare(one).get(...params)␍
        }␍

    "#]]
    .assert_eq(&crate::testing::shown(&outcome).replace('\r', "␍"));
}

#[test]
fn ru3_sql_parameters_of_texts_that_are_logged_or_shared() {
    check(
        r#"
//- a.js
const sqlite3 = require('sqlite3');
const db = new sqlite3.Database('a.db');
const once = `SELECT * FROM t WHERE id = ${process.env.ID}`;
exports.load = (id, cb) => {
  const query = `SELECT * FROM t WHERE id = ${id}`;
  console.log('runs', query);
  db.all(query, [], cb);
  const twice = `SELECT * FROM t WHERE name = '${id}'`;
  db.all(twice, cb);
  db.get(twice, cb);
  db.all(once, cb);
  let sql = `SELECT * FROM t WHERE id = ${id}`;
  sql += ` AND b = ${id}`;
  console.log(sql);
  db.all(sql, cb);
};
//- c.js
const db = require('slonik')('x');
exports.find = (id) => db.one(`SELECT * FROM t WHERE id = ${id}`);
//- models/index.js
const Sequelize = require('sequelize');
const sequelize = new Sequelize('x');
const db = {};
for (const model of require('./all')) db[model.name] = model;
db.Sequelize = Sequelize;
db.sequelize = sequelize;
db.other = Math.random() > 0.5 ? sequelize : null;
module.exports = db;
//- b.js
const db = require('./models');
exports.find = (req) => {
  db.other.query(`SELECT * FROM t WHERE id = ${req.id}`);
  return db.sequelize.query("SELECT * FROM Users WHERE login='" + req.body.login + "'", {
    model: db.User
  });
};
"#,
        &expect![[r#"
            chain: `db.all`: 1 value moved to sqlite3 parameters
              a.js:7 1 value in the SQL string of `db.all`
              note: the logged statement now contains placeholders instead of values
            chain: `db.all`: 2 values moved to sqlite3 parameters
              a.js:15 2 values in the SQL string of `db.all`
              note: the logged statement now contains placeholders instead of values
            chain: `db.sequelize.query`: 1 value moved to sequelize parameters
              b.js:4 1 value in the SQL string of `db.sequelize.query`
            left: a.js:3:14 ``SELECT * FROM t WHERE id = ${process.env.ID}``: open SQL injection: `process.env.ID` reaches the query in a.js:3; `once` is created once for the whole file; write the statement where it is run, and pass the values there
            left: a.js:8:17 ``SELECT * FROM t WHERE name = '${id}'``: `twice` is also used in other ways; write the statement where it is run, and pass the values there
            left: b.js:3:18 ``SELECT * FROM t WHERE id = ${req.id}``: the driver of the statement is unknown; declare the type of the driver, or pass the values as parameters by hand
            left: c.js:2:31 ``SELECT * FROM t WHERE id = ${id}``: `slonik` is not a supported driver; pass the values as parameters by hand
            //- a.js
            const sqlite3 = require('sqlite3');
            const db = new sqlite3.Database('a.db');
            const once = `SELECT * FROM t WHERE id = ${process.env.ID}`;
            exports.load = (id, cb) => {
              const query = 'SELECT * FROM t WHERE id = ?';
              console.log('runs', query);
              db.all(query, [id], cb);
              const twice = `SELECT * FROM t WHERE name = '${id}'`;
              db.all(twice, cb);
              db.get(twice, cb);
              db.all(once, cb);
              let sql = 'SELECT * FROM t WHERE id = ?';
              const params = [id];
              sql += ' AND b = ?';
              params.push(id);
              console.log(sql);
              db.all(sql, params, cb);
            };

            //- b.js
            const db = require('./models');
            exports.find = (req) => {
              db.other.query(`SELECT * FROM t WHERE id = ${req.id}`);
              return db.sequelize.query("SELECT * FROM Users WHERE login=?", {
                model: db.User,
                replacements: [req.body.login]
              });
            };

        "#]],
    );
}

#[test]
fn ru3_sql_parameters_of_a_long_file() {
    let mut fixture =
        String::from("//- db.js\nconst { Pool } = require('pg');\nconst pool = new Pool();\n");
    for at in 0..1250 {
        let id = if at % 50 == 0 { "${id}" } else { "$1" };
        let values = if at % 50 == 0 { "" } else { ", [id]" };
        let _ = writeln!(
            fixture,
            "exports.f{at} = async (id) => {{\n  const sql = `SELECT * FROM t WHERE id = {id} AND n = {at}`;\n  return pool.query(sql{values});\n}};"
        );
    }
    let outcome = Project::new(&fixture).run(&RECIPE);
    assert_eq!((outcome.plan.chains.len(), outcome.plan.left.len()), (25, 0));
    let text = outcome.changed.values().next().expect("the file is changed");
    assert_eq!(text.matches("pool.query(sql, [id])").count(), 1250);
    assert!(!text.contains("${"), "no value is left in a text");
}
