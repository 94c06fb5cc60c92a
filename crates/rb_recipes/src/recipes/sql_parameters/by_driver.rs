//! What becomes of statements by their drivers.

use expect_test::expect;

use super::tests::check;

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
            left: db.ts:5:37 `table`: `table` stands for the name of a table, which cannot be a parameter; look `table` up in a list of allowed names, and put in the name from the list
            left: db.ts:10:55 `name`: Postgres cannot tell the type of a parameter of `jsonb_build_object`; write a cast behind the parameter, such as `::text`
            left: db.ts:11:34 `id`: Postgres cannot tell the type of `id` here; turn it into a number before, or write a cast into the statement
            left: db.ts:12:48 `id`: several statements in one text take no parameters; run them one by one
            left: db.ts:12:68 `id`: several statements in one text take no parameters; run them one by one
            left: db.ts:13:34 `name`: `NOTIFY` takes no parameters; check the value against a list of allowed ones
            left: db.ts:17:63 `id`: the number of its parameters is not known; write the parameter and its value by hand
            left: db.ts:17:78 `id`: `id` stands for what is sorted or grouped by, which cannot be a parameter; look `id` up in a list of allowed names, and put in the name from the list
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
fn ru3_sql_parameters_of_pg_promise() {
    check(
        r#"
//- model.js
var pgp = require('pg-promise')(), db = pgp('x');
exports.one = function (id, name) {
  var q = "SELECT * FROM users WHERE id = " + id + " AND name = '" + name + "';";
  return db.one(q);
};
exports.search = (text) => db.any(`SELECT * FROM t WHERE a ILIKE '%${text}%' OR b ILIKE '%${text}%'`);
exports.move = (from, to) => db.tx((t) => t.none(`UPDATE t SET a = ${to} WHERE a = ${from}`));
exports.list = (ids) => db.many(`SELECT * FROM t WHERE id IN (${ids.join(',')})`);
exports.hidden = (id) => db.none(`UPDATE t SET a = 'costs $1' WHERE id = ${id}`);
//- typed.ts
import pgPromise, { IDatabase } from 'pg-promise';
export const find = (db: IDatabase<{}>, name: string) => db.oneOrNone(`SELECT * FROM t WHERE name = '${name}'`);
"#,
        &expect![[r#"
            chain: `db.one` takes 2 values as parameters of pg-promise
              model.js:4 2 values in the text of `db.one`
            chain: `db.any` takes 2 values as parameters of pg-promise
              model.js:6 2 values in the text of `db.any`
            chain: `t.none` takes 2 values as parameters of pg-promise
              model.js:7 2 values in the text of `t.none`
            chain: `db.oneOrNone` takes 1 value as parameters of pg-promise
              typed.ts:2 1 value in the text of `db.oneOrNone`
            left: model.js:8:65 `ids.join(',')`: pg-promise writes an array in a way of its own; write `IN ($1:csv)` and pass the list
            left: model.js:9:76 `id`: pg-promise would take the `$1` in a text or comment for a parameter; pass that text as a parameter, too
            //- model.js
            var pgp = require('pg-promise')(), db = pgp('x');
            exports.one = function (id, name) {
              var q = "SELECT * FROM users WHERE id = $1 AND name = $2;";
              return db.one(q, [id, String(name)]);
            };
            exports.search = (text) => db.any('SELECT * FROM t WHERE a ILIKE $1 OR b ILIKE $2', [`%${text}%`, `%${text}%`]);
            exports.move = (from, to) => db.tx((t) => t.none('UPDATE t SET a = $1 WHERE a = $2', [to, from]));
            exports.list = (ids) => db.many(`SELECT * FROM t WHERE id IN (${ids.join(',')})`);
            exports.hidden = (id) => db.none(`UPDATE t SET a = 'costs $1' WHERE id = ${id}`);

            //- typed.ts
            import pgPromise, { IDatabase } from 'pg-promise';
            export const find = (db: IDatabase<{}>, name: string) => db.oneOrNone('SELECT * FROM t WHERE name = $1', [name]);

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
            chain: `pool.query` takes 2 values as parameters of mysql2
              db.js:7 2 values in the text of `pool.query`
            chain: `pool.query` takes 1 value as parameters of mysql2
              db.js:9 1 value in the text of `pool.query`
            chain: `conn.query` takes 2 values as parameters of mysql2
              db.js:12 2 values in the text of `conn.query`
            left: db.js:5:82 `n`: `LIMIT` of a prepared statement takes no parameter in MySQL; turn it into a number before, or write a cast into the statement
            left: db.js:8:69 `id`: mysql2 would take the `?` in a text or comment for a parameter; pass that text as a parameter, too
            left: db.js:10:35 `id`: `id` stands for a name or a piece of SQL, which cannot be a parameter; look `id` up in a list of allowed names, and put in the name from the list
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
              await pool.query('SELECT * FROM users WHERE name = ? LIMIT ?', [name, Number(n)]);
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
            left: a.ts:11:82 `name`: `name` stands for what is sorted or grouped by, which cannot be a parameter; look `name` up in a list of allowed names, and put in the name from the list
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
fn ru3_sql_parameters_of_other_sqlites() {
    check(
        r#"
//- native.mjs
import { DatabaseSync } from 'node:sqlite';
const db = new DatabaseSync(':memory:');
export function load(id, name, row, isOpen) {
  db.prepare(`INSERT INTO t (a, b) VALUES ('${name}', ${id})`).run();
  const found = db.prepare(`SELECT * FROM t WHERE a = '${name}' AND b = ?`).all(row.b ?? 1);
  db.prepare(`UPDATE t SET open = ${isOpen} WHERE id = ${id}`).run();
  db.prepare(`UPDATE t SET done = ${row.done} WHERE id = ${id}`).run();
  db.exec(`DELETE FROM t WHERE id = ${id}`);
  return found;
}
//- promised.ts
import sqlite3 from 'sqlite3';
import { open, Database } from 'sqlite';
export async function load(name: string | null, id: number) {
  const db = await open({ filename: 'a.db', driver: sqlite3.Database });
  await db.run(`INSERT INTO t (a) VALUES ('${name}')`);
  return await db.get<Row>(`SELECT * FROM t WHERE id = ${id} AND name = '${name}'`);
}
export async function list(db: Database, ids: number[]) {
  return db.all(`SELECT * FROM t WHERE id IN (${ids.join()})`);
}
//- neon.ts
import { Pool, neon } from '@neondatabase/serverless';
const sql = neon('x');
export async function load(id: number, name: string) {
  const pool = new Pool({ connectionString: 'x' });
  await sql`SELECT * FROM t WHERE id = ${id}`;
  await sql.query(`SELECT * FROM t WHERE id = ${id}`);
  return (await pool.query(`SELECT * FROM t WHERE id = ${id} AND name = '${name}'`)).rows;
}
"#,
        &expect![[r#"
            chain: `db.prepare` takes 2 values as parameters of node:sqlite
              native.mjs:4 2 values in the text of `db.prepare`
              note: a value that is null is NULL now and one that is undefined is refused, where both were written as a text
            chain: `db.prepare` takes 1 value as parameters of node:sqlite
              native.mjs:6 1 value in the text of `db.prepare`
            chain: `db.prepare` takes 1 value as parameters of node:sqlite
              native.mjs:7 1 value in the text of `db.prepare`
            chain: `pool.query` takes 2 values as parameters of pg
              neon.ts:7 2 values in the text of `pool.query`
            chain: `db.run` takes 1 value as parameters of sqlite3
              promised.ts:5 1 value in the text of `db.run`
              note: a value that is null or undefined is NULL now, where it was the text 'null' or 'undefined'
            chain: `db.get` takes 2 values as parameters of sqlite3
              promised.ts:6 2 values in the text of `db.get`
            chain: `db.all` takes 1 value as parameters of sqlite3
              promised.ts:9 1 value in the text of `db.all`
            left: native.mjs:5:58 `name`: it cannot be told whether its parameter is one value or a list; write the parameter and its value by hand
            left: native.mjs:6:37 `isOpen`: `isOpen` may be a boolean, which node:sqlite does not take; pass `Number(isOpen)`, if it is one
            left: native.mjs:7:37 `row.done`: `row.done` may be a boolean, which node:sqlite does not take; pass `Number(row.done)`, if it is one
            left: native.mjs:8:11 ``DELETE FROM t WHERE id = ${id}``: `exec` of node:sqlite takes no parameters; run it with `run`, or `prepare` and `run`, which take values
            left: neon.ts:6:19 ``SELECT * FROM t WHERE id = ${id}``: it cannot be told which driver the statement is given to; give the driver a type, or pass the values as its parameters by hand
            //- native.mjs
            import { DatabaseSync } from 'node:sqlite';
            const db = new DatabaseSync(':memory:');
            export function load(id, name, row, isOpen) {
              db.prepare('INSERT INTO t (a, b) VALUES (?, ?)').run(name, id);
              const found = db.prepare(`SELECT * FROM t WHERE a = '${name}' AND b = ?`).all(row.b ?? 1);
              db.prepare(`UPDATE t SET open = ${isOpen} WHERE id = ?`).run(id);
              db.prepare(`UPDATE t SET done = ${row.done} WHERE id = ?`).run(id);
              db.exec(`DELETE FROM t WHERE id = ${id}`);
              return found;
            }

            //- neon.ts
            import { Pool, neon } from '@neondatabase/serverless';
            const sql = neon('x');
            export async function load(id: number, name: string) {
              const pool = new Pool({ connectionString: 'x' });
              await sql`SELECT * FROM t WHERE id = ${id}`;
              await sql.query(`SELECT * FROM t WHERE id = ${id}`);
              return (await pool.query('SELECT * FROM t WHERE id = $1 AND name = $2', [id, name])).rows;
            }

            //- promised.ts
            import sqlite3 from 'sqlite3';
            import { open, Database } from 'sqlite';
            export async function load(name: string | null, id: number) {
              const db = await open({ filename: 'a.db', driver: sqlite3.Database });
              await db.run('INSERT INTO t (a) VALUES (?)', [name]);
              return await db.get<Row>('SELECT * FROM t WHERE id = ? AND name = ?', [id, name]);
            }
            export async function list(db: Database, ids: number[]) {
              return db.all(`SELECT * FROM t WHERE id IN (${ids.map(() => '?').join(', ')})`, [...ids]);
            }

        "#]],
    );
}

#[test]
fn ru3_sql_parameters_of_prisma() {
    const CODE: &str = r#"
//- a.ts
import { PrismaClient, Prisma } from '@prisma/client';
const prisma = new PrismaClient();
export async function load(id: number, name: string, raw, tx: Prisma.TransactionClient) {
  await prisma.$queryRawUnsafe(`SELECT * FROM "User" WHERE id = ${id} AND name = '${name}'`);
  await prisma.$queryRawUnsafe(`SELECT * FROM "User" WHERE id = ${raw} OR at > '${name}'::date`);
  return tx.$executeRawUnsafe(`DELETE FROM "User" WHERE id = ${id} LIMIT ${id}`);
}
"#;
    let schema = |provider: &str| {
        format!(
            "//- prisma/schema.prisma\ngenerator client {{\n  provider = \"prisma-client-js\"\n}}\n\
             datasource db {{\n  provider = {provider}\n}}{CODE}"
        )
    };
    check(
        &schema("\"postgresql\""),
        &expect![[r#"
        chain: `prisma.$queryRawUnsafe` takes 1 value as parameters of prisma
          a.ts:4 1 value in the text of `prisma.$queryRawUnsafe`
        chain: `prisma.$queryRawUnsafe` takes 1 value as parameters of prisma
          a.ts:5 1 value in the text of `prisma.$queryRawUnsafe`
        chain: `tx.$executeRawUnsafe` takes 2 values as parameters of prisma
          a.ts:6 2 values in the text of `tx.$executeRawUnsafe`
        left: a.ts:4:85 `name`: Prisma sends a text as a text, which Postgres does not compare with other types; write a cast behind the parameter, such as `::text`
        left: a.ts:5:67 `raw`: `raw` may be a text, which Prisma does not compare with a column of another type; turn it into a number before, or write a cast into the statement
        //- a.ts
        import { PrismaClient, Prisma } from '@prisma/client';
        const prisma = new PrismaClient();
        export async function load(id: number, name: string, raw, tx: Prisma.TransactionClient) {
          await prisma.$queryRawUnsafe(`SELECT * FROM "User" WHERE id = $1 AND name = '${name}'`, id);
          await prisma.$queryRawUnsafe(`SELECT * FROM "User" WHERE id = ${raw} OR at > $1::date`, name);
          return tx.$executeRawUnsafe('DELETE FROM "User" WHERE id = $1 LIMIT $2', id, id);
        }

    "#]],
    );
    check(
        &schema("\"sqlite\""),
        &expect![[r#"
        chain: `prisma.$queryRawUnsafe` takes 2 values as parameters of prisma
          a.ts:4 2 values in the text of `prisma.$queryRawUnsafe`
        chain: `prisma.$queryRawUnsafe` takes 2 values as parameters of prisma
          a.ts:5 2 values in the text of `prisma.$queryRawUnsafe`
        chain: `tx.$executeRawUnsafe` takes 2 values as parameters of prisma
          a.ts:6 2 values in the text of `tx.$executeRawUnsafe`
        //- a.ts
        import { PrismaClient, Prisma } from '@prisma/client';
        const prisma = new PrismaClient();
        export async function load(id: number, name: string, raw, tx: Prisma.TransactionClient) {
          await prisma.$queryRawUnsafe('SELECT * FROM "User" WHERE id = ? AND name = ?', id, name);
          await prisma.$queryRawUnsafe('SELECT * FROM "User" WHERE id = ? OR at > ?::date', raw, name);
          return tx.$executeRawUnsafe('DELETE FROM "User" WHERE id = ? LIMIT ?', id, id);
        }

    "#]],
    );
    check(
        &schema("\"sqlserver\""),
        &expect![[r#"
        left: a.ts:4:32 ``SELECT * FROM "User" WHERE id = ${id} AND name = '${name}'``: the provider of the Prisma schema is not known; use the tagged form `$queryRaw`
        left: a.ts:5:32 ``SELECT * FROM "User" WHERE id = ${raw} OR at > '${name}'::date``: the provider of the Prisma schema is not known; use the tagged form `$queryRaw`
        left: a.ts:6:31 ``DELETE FROM "User" WHERE id = ${id} LIMIT ${id}``: the provider of the Prisma schema is not known; use the tagged form `$queryRaw`
    "#]],
    );
}
