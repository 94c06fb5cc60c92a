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
            chain: `db.get` takes 2 values as parameters of sqlite3
              db.js:4 2 values in the text of `db.get`
            chain: `db.run` takes 1 value as parameters of sqlite3
              db.js:5 1 value in the text of `db.run`
            chain: `db.all` takes 1 value as parameters of sqlite3
              db.js:6 1 value in the text of `db.all`
            chain: `db.all` takes 1 value as parameters of sqlite3
              db.js:7 1 value in the text of `db.all`
            chain: `db.each` takes 1 value as parameters of sqlite3
              db.js:9 1 value in the text of `db.each`
            chain: `db.run` takes 4 values as parameters of sqlite3
              db.js:16 4 values in the text of `db.run`
            left: db.js:8:56 `id`: it cannot be told whether its parameter is one value or a list; write the parameter and its value by hand
            left: db.js:14:11 ``DELETE FROM users WHERE id = ${id}``: `exec` of sqlite3 takes no parameters; run it with `run`, or `prepare` and `run`, which take values
            left: db.js:15:27 `id`: `id` stands for a part of a name, which cannot be a parameter; take `id` from a list of allowed names, or quote it as a name
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
fn ru3_sql_parameters_of_pg() {
    check(
        r#"
//- db.ts
import { Pool, PoolClient } from "pg";
export const pool = new Pool();
export async function find(id: number, name: string, tags: string[], table: string) {
  const { rows } = await pool.query<User>(`SELECT * FROM users WHERE id = ${id} AND name ILIKE '${name}%'`);
  await pool.query(`SELECT * FROM ${table} WHERE a = $1 AND id = ${id}`, [name]);
  await pool.query(`SELECT * FROM users WHERE tag IN (${tags.map((t) => `'${t}'`).join(", ")})`);
  await pool.query(`SELECT * FROM users WHERE id NOT IN (${tags.join(",")}) LIMIT ${id}`);
  await pool.query({ text: `SELECT data->>'${name}' FROM users WHERE at > '${name}'::date`, name: "q" });
  await pool.query(`SELECT * FROM users WHERE at > now() - interval '${id} days'`);
  await pool.query(`SELECT jsonb_build_object('a', '${name}')`);
  await pool.query(`SELECT abs(${id}), ${id}::int`);
  await pool.query(`UPDATE users SET a = a + ${id} WHERE name = '${id}'; DELETE FROM b`);
  await pool.query(`NOTIFY c, '${name}'`);
  return rows;
}
export async function withClient(client: PoolClient, params: unknown[], id: string) {
  await client.query(`UPDATE users SET name = $1 WHERE id = ${id} ORDER BY ${id}`, params);
  pool.connect((err, other, done) => {
    other.query("SELECT * FROM users WHERE id = '" + id + "'", (err2, res) => done());
  });
}
"#,
        &expect![[r#"
            chain: `pool.query` takes 2 values as parameters of pg
              db.ts:4 2 values in the text of `pool.query`
            chain: `pool.query` takes 1 value as parameters of pg
              db.ts:5 1 value in the text of `pool.query`
            chain: `pool.query` takes 1 value as parameters of pg
              db.ts:6 1 value in the text of `pool.query`
              note: an empty list is an empty list for Postgres now, where it was a syntax error
            chain: `pool.query` takes 2 values as parameters of pg
              db.ts:7 2 values in the text of `pool.query`
              note: an empty list is an empty list for Postgres now, where it was a syntax error
            chain: `pool.query` takes 2 values as parameters of pg
              db.ts:8 2 values in the text of `pool.query`
            chain: `pool.query` takes 1 value as parameters of pg
              db.ts:9 1 value in the text of `pool.query`
            chain: `pool.query` takes 1 value as parameters of pg
              db.ts:11 1 value in the text of `pool.query`
            chain: `other.query` takes 1 value as parameters of pg
              db.ts:19 1 value in the text of `other.query`
            left: db.ts:5:37 `table`: `table` stands for the name of a table, which cannot be a parameter; take `table` from a list of allowed names, or quote it as a name
            left: db.ts:10:55 `name`: Postgres cannot tell the type of a parameter of `jsonb_build_object`; write a cast behind the parameter, such as `::text`
            left: db.ts:11:34 `id`: Postgres cannot tell the type of `id` here; turn it into a number before, or write a cast into the statement
            left: db.ts:12:48 `id`: several statements in one text take no parameters; run them one by one
            left: db.ts:12:68 `id`: several statements in one text take no parameters; run them one by one
            left: db.ts:13:34 `name`: `NOTIFY` takes no parameters; check the value against a list of allowed ones
            left: db.ts:17:63 `id`: the number of its parameters is not known; write the parameter and its value by hand
            left: db.ts:17:78 `id`: `id` stands for what is sorted or grouped by, which cannot be a parameter; take `id` from a list of allowed names, or quote it as a name
            //- db.ts
            import { Pool, PoolClient } from "pg";
            export const pool = new Pool();
            export async function find(id: number, name: string, tags: string[], table: string) {
              const { rows } = await pool.query<User>("SELECT * FROM users WHERE id = $1 AND name ILIKE $2", [id, `${name}%`]);
              await pool.query(`SELECT * FROM ${table} WHERE a = $1 AND id = $2`, [name, id]);
              await pool.query("SELECT * FROM users WHERE tag = ANY($1)", [tags]);
              await pool.query("SELECT * FROM users WHERE id <> ALL($1) LIMIT $2", [tags, id]);
              await pool.query({ text: "SELECT data->>$1 FROM users WHERE at > $2::date", name: "q", values: [name, name] });
              await pool.query("SELECT * FROM users WHERE at > now() - $1::interval", [`${id} days`]);
              await pool.query(`SELECT jsonb_build_object('a', '${name}')`);
              await pool.query(`SELECT abs(${id}), $1::int`, [id]);
              await pool.query(`UPDATE users SET a = a + ${id} WHERE name = '${id}'; DELETE FROM b`);
              await pool.query(`NOTIFY c, '${name}'`);
              return rows;
            }
            export async function withClient(client: PoolClient, params: unknown[], id: string) {
              await client.query(`UPDATE users SET name = $1 WHERE id = ${id} ORDER BY ${id}`, params);
              pool.connect((err, other, done) => {
                other.query("SELECT * FROM users WHERE id = $1", [id], (err2, res) => done());
              });
            }

        "#]],
    );
}

#[test]
fn ru3_sql_parameters_of_mysql() {
    check(
        r#"
//- db.js
const mysql = require('mysql2/promise');
const pool = mysql.createPool({});
exports.run = async (id, ids, name, n) => {
  await pool.query(`SELECT * FROM users WHERE id IN (${ids.join(',')}) AND name = "${name}" LIMIT ${Number(n)}`);
  await pool.execute(`SELECT * FROM users WHERE id IN (${ids.join(',')}) LIMIT ${n}`);
  await pool.query(`SELECT * FROM users WHERE id = ${mysql.escape(id)} AND a = ${pool.escape(name)}`);
  await pool.query(`SELECT * FROM users WHERE name = '${name.replace(/'/g, "''")}' LIMIT ${n}`);
  await pool.query(`SELECT * FROM users WHERE q = 'why?' AND id = ${id}`);
  await pool.query(`SELECT * FROM ?? WHERE id = ${id} AND c = ?`, ['users', name]);
  await pool.query({ sql: `KILL ${id}`, timeout: 5 });
  const conn = await pool.getConnection();
  const [rows] = await conn.query('SELECT * FROM a WHERE b = \'' + name + '\' AND c > DATE_SUB(NOW(), INTERVAL ' + n + ' DAY)');
  return rows;
};
"#,
        &expect![[r#"
            chain: `pool.query` takes 3 values as parameters of mysql2
              db.js:4 3 values in the text of `pool.query`
            chain: `pool.execute` takes 1 value as parameters of mysql2
              db.js:5 1 value in the text of `pool.execute`
            chain: `pool.query` takes 2 values as parameters of mysql2
              db.js:6 2 values in the text of `pool.query`
            chain: `pool.query` takes 1 value as parameters of mysql2
              db.js:7 1 value in the text of `pool.query`
            chain: `pool.query` takes 1 value as parameters of mysql2
              db.js:9 1 value in the text of `pool.query`
            chain: `conn.query` takes 2 values as parameters of mysql2
              db.js:12 2 values in the text of `conn.query`
            left: db.js:5:82 `n`: `LIMIT` of a prepared statement takes no parameter in MySQL; turn it into a number before, or write a cast into the statement
            left: db.js:7:92 `n`: `n` may be a text, which `LIMIT` does not take; turn it into a number before, or write a cast into the statement
            left: db.js:8:69 `id`: mysql2 would take the `?` in a text or comment for a parameter; pass that text as a parameter, too
            left: db.js:10:35 `id`: `id` stands for a name or a piece of SQL, which cannot be a parameter; take `id` from a list of allowed names, or quote it as a name
            //- db.js
            const mysql = require('mysql2/promise');
            const pool = mysql.createPool({});
            exports.run = async (id, ids, name, n) => {
              await pool.query('SELECT * FROM users WHERE id IN (?) AND name = ? LIMIT ?', [
                ids,
                name,
                Number(n)
              ]);
              await pool.execute(`SELECT * FROM users WHERE id IN (${ids.map(() => '?').join(', ')}) LIMIT ${n}`, [...ids]);
              await pool.query('SELECT * FROM users WHERE id = ? AND a = ?', [id, name]);
              await pool.query(`SELECT * FROM users WHERE name = ? LIMIT ${n}`, [name]);
              await pool.query(`SELECT * FROM users WHERE q = 'why?' AND id = ${id}`);
              await pool.query('SELECT * FROM ?? WHERE id = ? AND c = ?', ['users', id, name]);
              await pool.query({ sql: `KILL ${id}`, timeout: 5 });
              const conn = await pool.getConnection();
              const [rows] = await conn.query('SELECT * FROM a WHERE b = ? AND c > DATE_SUB(NOW(), INTERVAL ? DAY)', [name, n]);
              return rows;
            };

        "#]],
    );
}

#[test]
fn ru3_sql_parameters_of_prepared_statements() {
    check(
        r#"
//- store.ts
import Database from 'better-sqlite3';
export class Store {
  private db: Database.Database;
  constructor(file: string) {
    this.db = new Database(file);
  }
  get(id: number, flag: boolean, name: string) {
    this.db.prepare(`UPDATE t SET flag = ${flag} WHERE id = ${id} AND n = '${id}'`).run();
    const rows = this.db.prepare(`SELECT * FROM t WHERE name = '${name}' AND x = ?`).pluck().all(id);
    const one = this.db.prepare(`SELECT * FROM t WHERE name = '${name}'`);
    const later = () => one.get();
    one.get();
    const open = this.db.prepare(`SELECT * FROM t WHERE id = ${id}`);
    return [rows, later, open];
  }
  list(ids: number[], names: string[]) {
    this.db.prepare(`SELECT * FROM t WHERE id IN (${ids.join(',')})`).all();
    this.db.prepare(`SELECT * FROM t WHERE name IN ('${names.join("','")}')`).all();
    if (names.length === 0) return [];
    this.db.prepare(`SELECT count(*) FROM t WHERE length(name) > ${ids.length} AND name IN ('${names.join("','")}')`).get();
    const marks = ids.map(() => '?').join(',');
    return this.db.prepare(`SELECT * FROM t WHERE id IN (${marks})`).all(...ids);
  }
}
"#,
        &expect![[r#"
            chain: `this.db.prepare` takes 3 values as parameters of better-sqlite3
              store.ts:8 3 values in the text of `this.db.prepare`
            chain: `this.db.prepare` takes 1 value as parameters of better-sqlite3
              store.ts:9 1 value in the text of `this.db.prepare`
            chain: `this.db.prepare` takes 1 value as parameters of better-sqlite3
              store.ts:10 1 value in the text of `this.db.prepare`
            chain: `this.db.prepare` takes 1 value as parameters of better-sqlite3
              store.ts:17 1 value in the text of `this.db.prepare`
            chain: `this.db.prepare` takes 2 values as parameters of better-sqlite3
              store.ts:20 2 values in the text of `this.db.prepare`
            left: store.ts:13:34 ``SELECT * FROM t WHERE id = ${id}``: `open` is not only run here; give the values where the statement is run
            left: store.ts:18:56 `names.join("','")`: `names` may be empty, which is `IN ('')` now and would be no list then; return before the query when the list is empty
            //- store.ts
            import Database from 'better-sqlite3';
            export class Store {
              private db: Database.Database;
              constructor(file: string) {
                this.db = new Database(file);
              }
              get(id: number, flag: boolean, name: string) {
                this.db.prepare('UPDATE t SET flag = ? WHERE id = ? AND n = ?').run(Number(flag), id, String(id));
                const rows = this.db.prepare('SELECT * FROM t WHERE name = ? AND x = ?').pluck().all(name, id);
                const one = this.db.prepare('SELECT * FROM t WHERE name = ?');
                const params = [name];
                const later = () => one.get(...params);
                one.get(...params);
                const open = this.db.prepare(`SELECT * FROM t WHERE id = ${id}`);
                return [rows, later, open];
              }
              list(ids: number[], names: string[]) {
                this.db.prepare(`SELECT * FROM t WHERE id IN (${ids.map(() => '?').join(', ')})`).all(...ids);
                this.db.prepare(`SELECT * FROM t WHERE name IN ('${names.join("','")}')`).all();
                if (names.length === 0) return [];
                this.db.prepare(`SELECT count(*) FROM t WHERE length(name) > ? AND name IN (${names.map(() => '?').join(', ')})`).get(ids.length, ...names);
                const marks = ids.map(() => '?').join(',');
                return this.db.prepare(`SELECT * FROM t WHERE id IN (${marks})`).all(...ids);
              }
            }

        "#]],
    );
}

#[test]
fn ru3_sql_parameters_of_query_libraries() {
    check(
        r#"
//- prisma/schema.prisma
datasource db {
  provider = "mysql"
}
//- a.ts
import knex from 'knex';
import { Sequelize, QueryTypes } from 'sequelize';
import { PrismaClient } from '@prisma/client';
import postgres from 'postgres';
const db = knex({ client: 'pg' });
const sequelize = new Sequelize('x');
const prisma = new PrismaClient();
const sql = postgres();
export async function all(name: string, id: number, ids: number[]) {
  await db.raw(`SELECT * FROM t WHERE name = '${name}'`);
  await db('t').whereRaw(`lower(name) = '${name}' AND id = ${id}`).orderByRaw(`${name} DESC`);
  await db.raw(`SELECT * FROM t WHERE id IN (${ids.join(', ')}) AND a = ?`, [1]);
  await sequelize.query(`SELECT * FROM t WHERE name = '${name}'`, { type: QueryTypes.SELECT });
  await sequelize.query(`SELECT * FROM t WHERE id = ${id}`);
  await sequelize.query(`SELECT * FROM t WHERE a = :a AND id = ${id}`, { replacements: { a: 1 } });
  await prisma.$queryRawUnsafe<Row[]>(`SELECT * FROM t WHERE name = '${name}'`);
  await prisma.$transaction(async (tx) => {
    await tx.$executeRawUnsafe(`DELETE FROM t WHERE id = ${id} AND a = ?`, 1);
  });
  await prisma.$queryRaw`SELECT * FROM t WHERE id = ${id}`;
  await sql`SELECT * FROM t WHERE id = ${id}`;
  await sql.unsafe(`SELECT * FROM t WHERE id = ${id}`);
}
"#,
        &expect![[r#"
            chain: `db.raw` takes 1 value as parameters of knex
              a.ts:10 1 value in the text of `db.raw`
            chain: `db('t').whereRaw` takes 2 values as parameters of knex
              a.ts:11 2 values in the text of `db('t').whereRaw`
            chain: `db.raw` takes 1 value as parameters of knex
              a.ts:12 1 value in the text of `db.raw`
            chain: `sequelize.query` takes 1 value as parameters of sequelize
              a.ts:13 1 value in the text of `sequelize.query`
            chain: `sequelize.query` takes 1 value as parameters of sequelize
              a.ts:14 1 value in the text of `sequelize.query`
            chain: `prisma.$queryRawUnsafe` takes 1 value as parameters of prisma
              a.ts:16 1 value in the text of `prisma.$queryRawUnsafe`
            chain: `tx.$executeRawUnsafe` takes 1 value as parameters of prisma
              a.ts:18 1 value in the text of `tx.$executeRawUnsafe`
            chain: `sql.unsafe` takes 1 value as parameters of postgres
              a.ts:22 1 value in the text of `sql.unsafe`
            left: a.ts:11:82 `name`: `name` stands for what is sorted or grouped by, which cannot be a parameter; take `name` from a list of allowed names, or quote it as a name
            left: a.ts:15:66 `id`: its parameters are written in another way; name the new parameter as the others are
            //- a.ts
            import knex from 'knex';
            import { Sequelize, QueryTypes } from 'sequelize';
            import { PrismaClient } from '@prisma/client';
            import postgres from 'postgres';
            const db = knex({ client: 'pg' });
            const sequelize = new Sequelize('x');
            const prisma = new PrismaClient();
            const sql = postgres();
            export async function all(name: string, id: number, ids: number[]) {
              await db.raw('SELECT * FROM t WHERE name = ?', [name]);
              await db('t').whereRaw('lower(name) = ? AND id = ?', [name, id]).orderByRaw(`${name} DESC`);
              await db.raw(`SELECT * FROM t WHERE id IN (${ids.map(() => '?').join(', ')}) AND a = ?`, [...ids, 1]);
              await sequelize.query('SELECT * FROM t WHERE name = ?', { type: QueryTypes.SELECT, replacements: [name] });
              await sequelize.query('SELECT * FROM t WHERE id = ?', { replacements: [id] });
              await sequelize.query(`SELECT * FROM t WHERE a = :a AND id = ${id}`, { replacements: { a: 1 } });
              await prisma.$queryRawUnsafe<Row[]>('SELECT * FROM t WHERE name = ?', name);
              await prisma.$transaction(async (tx) => {
                await tx.$executeRawUnsafe('DELETE FROM t WHERE id = ? AND a = ?', id, 1);
              });
              await prisma.$queryRaw`SELECT * FROM t WHERE id = ${id}`;
              await sql`SELECT * FROM t WHERE id = ${id}`;
              await sql.unsafe('SELECT * FROM t WHERE id = $1', [id]);
            }

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
            chain: `db.all` takes 4 values as parameters of sqlite3
              db.js:14 4 values in the text of `db.all`
            chain: `db.get` takes 1 value as parameters of sqlite3
              db.js:18 1 value in the text of `db.get`
            chain: `db.get` takes 1 value as parameters of sqlite3
              db.js:21 1 value in the text of `db.get`
            chain: `client.query` takes 2 values as parameters of pg
              pg.ts:6 2 values in the text of `client.query`
            left: db.js:24:13 ``SELECT * FROM t WHERE id = ${id}``: `sql` is used in other ways, too; keep the values in a list beside the text, and pass it
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
            chain: `db.query` takes 1 value as parameters of pg
              a.js:4 1 value in the text of `db.query`
            chain: `run` takes 1 value as parameters of sqlite3
              a.js:6 1 value in the text of `run`
            chain: `getDb().all` takes 1 value as parameters of sqlite3
              a.js:7 1 value in the text of `getDb().all`
            chain: `conn.all` takes 1 value as parameters of sqlite3
              a.js:12 1 value in the text of `conn.all`
            left: a.js:5:16 ``SELECT * FROM t WHERE id = ${id}``: the function that it is given to passes no parameters on; let that function take values, and pass them to the driver
            left: a.js:8:23 ``SELECT * FROM t WHERE id = ${id}``: it cannot be told which driver the statement is given to; give the driver a type, or pass the values as its parameters by hand
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
