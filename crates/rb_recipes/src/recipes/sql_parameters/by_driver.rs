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
            chain: `pool.query`: 2 values moved to pg parameters
              db.ts:4 2 values in the SQL string of `pool.query`
            chain: `pool.query`: 1 value moved to pg parameters
              db.ts:5 1 value in the SQL string of `pool.query`
            chain: `pool.query`: 1 value moved to pg parameters
              db.ts:6 1 value in the SQL string of `pool.query`
              note: Postgres now accepts an empty list, which was a syntax error before
            chain: `pool.query`: 2 values moved to pg parameters
              db.ts:7 2 values in the SQL string of `pool.query`
              note: Postgres now accepts an empty list, which was a syntax error before
            chain: `pool.query`: 2 values moved to pg parameters
              db.ts:8 2 values in the SQL string of `pool.query`
            chain: `pool.query`: 1 value moved to pg parameters
              db.ts:9 1 value in the SQL string of `pool.query`
            chain: `pool.query`: 1 value moved to pg parameters
              db.ts:11 1 value in the SQL string of `pool.query`
            chain: `other.query`: 1 value moved to pg parameters
              db.ts:19 1 value in the SQL string of `other.query`
            left: db.ts:5:37 `table`: `table` is a table name, which cannot be a parameter; look `table` up in a list of allowed names, and use the name from the list
            left: db.ts:10:55 `name`: Postgres cannot infer the type of a parameter of `jsonb_build_object`; add a cast after the parameter, such as `::text`
            left: db.ts:11:34 `id`: Postgres cannot infer the type of `id` here; convert it to a number first, or add a cast to the statement
            left: db.ts:12:48 `id`: a string with several statements accepts no parameters; run them one by one
            left: db.ts:12:68 `id`: a string with several statements accepts no parameters; run them one by one
            left: db.ts:13:34 `name`: `NOTIFY` accepts no parameters; check the value against a list of allowed values
            left: db.ts:17:63 `id`: the number of its parameters is unknown; write the parameter and its value by hand
            left: db.ts:17:78 `id`: `id` is a sort or grouping key, which cannot be a parameter; look `id` up in a list of allowed names, and use the name from the list
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
            chain: `db.one`: 2 values moved to pg-promise parameters
              model.js:4 2 values in the SQL string of `db.one`
            chain: `db.any`: 2 values moved to pg-promise parameters
              model.js:6 2 values in the SQL string of `db.any`
            chain: `t.none`: 2 values moved to pg-promise parameters
              model.js:7 2 values in the SQL string of `t.none`
            chain: `db.oneOrNone`: 1 value moved to pg-promise parameters
              typed.ts:2 1 value in the SQL string of `db.oneOrNone`
            left: model.js:8:65 `ids.join(',')`: pg-promise formats arrays differently; write `IN ($1:csv)` and pass the list
            left: model.js:9:76 `id`: pg-promise would treat the `$1` in a string or comment as a parameter; pass that string as a parameter, too
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
            chain: `pool.query`: 3 values moved to mysql2 parameters
              db.js:4 3 values in the SQL string of `pool.query`
            chain: `pool.execute`: 1 value moved to mysql2 parameters
              db.js:5 1 value in the SQL string of `pool.execute`
            chain: `pool.query`: 2 values moved to mysql2 parameters
              db.js:6 2 values in the SQL string of `pool.query`
            chain: `pool.query`: 2 values moved to mysql2 parameters
              db.js:7 2 values in the SQL string of `pool.query`
            chain: `pool.query`: 1 value moved to mysql2 parameters
              db.js:9 1 value in the SQL string of `pool.query`
            chain: `conn.query`: 2 values moved to mysql2 parameters
              db.js:12 2 values in the SQL string of `conn.query`
            left: db.js:5:82 `n`: MySQL accepts no parameter for `LIMIT` in a prepared statement; convert it to a number first, or add a cast to the statement
            left: db.js:8:69 `id`: mysql2 would treat the `?` in a string or comment as a parameter; pass that string as a parameter, too
            left: db.js:10:35 `id`: `id` is a name or an SQL fragment, which cannot be a parameter; look `id` up in a list of allowed names, and use the name from the list
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
            chain: `this.db.prepare`: 3 values moved to better-sqlite3 parameters
              store.ts:8 3 values in the SQL string of `this.db.prepare`
            chain: `this.db.prepare`: 1 value moved to better-sqlite3 parameters
              store.ts:9 1 value in the SQL string of `this.db.prepare`
            chain: `this.db.prepare`: 1 value moved to better-sqlite3 parameters
              store.ts:10 1 value in the SQL string of `this.db.prepare`
            chain: `this.db.prepare`: 1 value moved to better-sqlite3 parameters
              store.ts:17 1 value in the SQL string of `this.db.prepare`
            chain: `this.db.prepare`: 2 values moved to better-sqlite3 parameters
              store.ts:20 2 values in the SQL string of `this.db.prepare`
            left: store.ts:13:34 ``SELECT * FROM t WHERE id = ${id}``: `open` is also used in other ways; pass the values where the statement is run
            left: store.ts:18:56 `names.join("','")`: `names` may be empty: that is now `IN ('')`, but would become an invalid empty list; return before the query if the list is empty
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
            chain: `db.raw`: 1 value moved to knex parameters
              a.ts:10 1 value in the SQL string of `db.raw`
            chain: `db('t').whereRaw`: 2 values moved to knex parameters
              a.ts:11 2 values in the SQL string of `db('t').whereRaw`
            chain: `db.raw`: 1 value moved to knex parameters
              a.ts:12 1 value in the SQL string of `db.raw`
            chain: `sequelize.query`: 1 value moved to sequelize parameters
              a.ts:13 1 value in the SQL string of `sequelize.query`
            chain: `sequelize.query`: 1 value moved to sequelize parameters
              a.ts:14 1 value in the SQL string of `sequelize.query`
            chain: `prisma.$queryRawUnsafe`: 1 value moved to prisma parameters
              a.ts:16 1 value in the SQL string of `prisma.$queryRawUnsafe`
            chain: `tx.$executeRawUnsafe`: 1 value moved to prisma parameters
              a.ts:18 1 value in the SQL string of `tx.$executeRawUnsafe`
            chain: `sql.unsafe`: 1 value moved to postgres parameters
              a.ts:22 1 value in the SQL string of `sql.unsafe`
            left: a.ts:11:82 `name`: `name` is a sort or grouping key, which cannot be a parameter; look `name` up in a list of allowed names, and use the name from the list
            left: a.ts:15:66 `id`: its parameters use another style of placeholder; use the same style for the new parameter
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
            chain: `db.prepare`: 2 values moved to node:sqlite parameters
              native.mjs:4 2 values in the SQL string of `db.prepare`
              note: `null` is now passed as NULL and `undefined` is rejected; both were written as strings before
            chain: `db.prepare`: 1 value moved to node:sqlite parameters
              native.mjs:6 1 value in the SQL string of `db.prepare`
            chain: `db.prepare`: 1 value moved to node:sqlite parameters
              native.mjs:7 1 value in the SQL string of `db.prepare`
            chain: `pool.query`: 2 values moved to pg parameters
              neon.ts:7 2 values in the SQL string of `pool.query`
            chain: `db.run`: 1 value moved to sqlite3 parameters
              promised.ts:5 1 value in the SQL string of `db.run`
              note: `null` and `undefined` are now passed as NULL; before, they were the strings 'null' and 'undefined'
            chain: `db.get`: 2 values moved to sqlite3 parameters
              promised.ts:6 2 values in the SQL string of `db.get`
            chain: `db.all`: 1 value moved to sqlite3 parameters
              promised.ts:9 1 value in the SQL string of `db.all`
            left: native.mjs:5:58 `name`: it is unclear whether its parameter is one value or a list; write the parameter and its value by hand
            left: native.mjs:6:37 `isOpen`: `isOpen` may be a boolean, which node:sqlite does not accept; pass `Number(isOpen)` if it is one
            left: native.mjs:7:37 `row.done`: `row.done` may be a boolean, which node:sqlite does not accept; pass `Number(row.done)` if it is one
            left: native.mjs:8:11 ``DELETE FROM t WHERE id = ${id}``: `exec` of node:sqlite accepts no parameters; run it with `run`, or `prepare` and `run`, which accept values
            left: neon.ts:6:19 ``SELECT * FROM t WHERE id = ${id}``: the driver of the statement is unknown; declare the type of the driver, or pass the values as parameters by hand
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
        chain: `prisma.$queryRawUnsafe`: 1 value moved to prisma parameters
          a.ts:4 1 value in the SQL string of `prisma.$queryRawUnsafe`
        chain: `prisma.$queryRawUnsafe`: 1 value moved to prisma parameters
          a.ts:5 1 value in the SQL string of `prisma.$queryRawUnsafe`
        chain: `tx.$executeRawUnsafe`: 2 values moved to prisma parameters
          a.ts:6 2 values in the SQL string of `tx.$executeRawUnsafe`
        left: a.ts:4:85 `name`: Prisma sends strings as text, which Postgres does not compare with other types; add a cast after the parameter, such as `::text`
        left: a.ts:5:67 `raw`: `raw` may be a string, which Prisma does not compare with a column of another type; convert it to a number first, or add a cast to the statement
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
        chain: `prisma.$queryRawUnsafe`: 2 values moved to prisma parameters
          a.ts:4 2 values in the SQL string of `prisma.$queryRawUnsafe`
        chain: `prisma.$queryRawUnsafe`: 2 values moved to prisma parameters
          a.ts:5 2 values in the SQL string of `prisma.$queryRawUnsafe`
        chain: `tx.$executeRawUnsafe`: 2 values moved to prisma parameters
          a.ts:6 2 values in the SQL string of `tx.$executeRawUnsafe`
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
        left: a.ts:4:32 ``SELECT * FROM "User" WHERE id = ${id} AND name = '${name}'``: the provider of the Prisma schema is unknown; use the tagged form `$queryRaw`
        left: a.ts:5:32 ``SELECT * FROM "User" WHERE id = ${raw} OR at > '${name}'::date``: the provider of the Prisma schema is unknown; use the tagged form `$queryRaw`
        left: a.ts:6:31 ``DELETE FROM "User" WHERE id = ${id} LIMIT ${id}``: the provider of the Prisma schema is unknown; use the tagged form `$queryRaw`
    "#]],
    );
}
