// Drivers that run nothing: each says what statement the database would see, by its own rules for parameters.
// Numbers in quotes and without are one: the column decides. Everything else has to be the same, letter by letter.
'use strict';

const text = (value) => `'${String(value).split("'").join("''")}'`;
const literal = (value) => {
  if (value === null || value === undefined) return 'null';
  if (typeof value === 'number' || typeof value === 'bigint') return String(value);
  if (typeof value === 'boolean') return String(value);
  if (typeof value === 'string') return text(value);
  throw new TypeError(`cannot bind ${Object.prototype.toString.call(value)}`);
};

// Pieces of a statement: texts, names and comments as they are, marks apart.
const pieces = (sql) =>
  sql.match(/'(?:[^']|'')*'|"[^"]*"|`[^`]*`|--[^\n]*|\/\*[^]*?\*\/|\$\d+|\?|[^'"`?$\-/]+|[^]/g) ?? [];

const tidy = (sql, sqlite) => {
  let out = sql.replace(/interval '([^']*)'/gi, "'$1'::interval");
  out = pieces(out).map((it) => (/^'-?\d+(\.\d+)?'$/.test(it) ? it.slice(1, -1) : it)).join('');
  if (sqlite) out = out.replace(/\btrue\b/g, '1').replace(/\bfalse\b/g, '0').replace(/"([^"]*)"/g, "'$1'");
  return out.replace(/\s*,\s*/g, ', ').replace(/\s+/g, ' ').trim();
};

// `$1`: numbered, and there are as many values as numbers.
const numbered = (sql, values = []) => {
  const used = new Set();
  let out = pieces(sql).map((it) => {
    if (!/^\$\d+$/.test(it)) return it;
    const at = Number(it.slice(1));
    used.add(at);
    const value = values[at - 1];
    return Array.isArray(value) ? `{${value.map(literal).join(', ')}}` : literal(value);
  }).join('');
  if (used.size !== values.length) throw new Error(`${values.length} values for ${used.size} marks`);
  out = out.replace(/= ANY\(\{([^}]*)\}\)/g, 'IN ($1)').replace(/<> ALL\(\{([^}]*)\}\)/g, 'NOT IN ($1)');
  return tidy(out, false);
};

// `?`, seen by the server: not in texts, and as many as there are values.
const counted = (sql, values = [], bind = literal, sqlite = false) => {
  let at = 0;
  const out = pieces(sql).map((it) => (it === '?' ? bind(values[at++]) : it)).join('');
  if (at !== values.length) throw new Error(`${values.length} values for ${at} marks`);
  return tidy(out, sqlite);
};

// `?`, replaced before the statement is sent, wherever it stands; a list becomes its elements.
const replaced = (sql, values) => {
  if (values === undefined) return tidy(sql.replace(/"([^"]*)"/g, "'$1'"), false);
  let at = 0;
  const escape = (value) => (Array.isArray(value) ? value.map(escape).join(', ') : literal(value));
  const out = sql.replace(/\?/g, (it) => (at < values.length ? escape(values[at++]) : it));
  return tidy(out.replace(/"([^"]*)"/g, "'$1'"), false);
};

const strict = (value) => {
  if (value === undefined || typeof value === 'boolean') throw new TypeError('cannot bind this');
  return literal(value);
};

const make = (name) => {
  const say = (line) => exports_.__log?.(line);
  const callback = (args) => (typeof args.at(-1) === 'function' ? args.pop() : undefined);
  const answer = (cb, line) => {
    say(line);
    const rows = [{ n: 1 }];
    if (cb) { setImmediate(() => cb(null, rows)); return undefined; }
    return Promise.resolve({ rows, 0: rows, length: 1, [Symbol.iterator]: [rows][Symbol.iterator] });
  };
  class Connection {
    query(...args) {
      const cb = callback(args);
      let [sql, values] = args;
      if (typeof sql === 'object') [sql, values] = [sql.text ?? sql.sql, values ?? sql.values];
      if (name === 'sequelize') return answer(cb, replaced(sql, values?.replacements));
      return answer(cb, name === 'pg' ? numbered(sql, values) : replaced(sql, values));
    }
    execute(...args) {
      const cb = callback(args);
      const bind = (value) => { if (value === undefined) throw new TypeError('undefined'); return literal(value); };
      return answer(cb, counted(args[0].replace(/"([^"]*)"/g, "'$1'"), args[1], bind));
    }
    connect(cb) { return cb ? setImmediate(() => cb(null, this, () => {})) : Promise.resolve(this); }
    getConnection(cb) { return this.connect(cb); }
    escape(value) { return literal(value); }
    release() {}
    unsafe(sql, values) { return answer(undefined, numbered(sql, values)); }
    raw(sql, values) { return answer(undefined, counted(sql, values)); }
    prepare(sql) {
      const run = (...values) => { say(counted(sql, values.flat(), strict, true)); return [{ n: 1 }]; };
      return { run, get: run, all: run, iterate: run, pluck() { return this; } };
    }
    exec(sql) { say(tidy(sql, true)); }
  }
  const old = (kind) => function (sql, ...args) {
    const cb = callback(args);
    const values = args.length === 1 && Array.isArray(args[0]) ? args[0] : args;
    const number = (value) => (typeof value === 'boolean' ? String(Number(value)) : literal(value));
    answer(cb ?? (() => {}), `${kind} ${counted(sql, values, number, true)}`);
    return this;
  };
  if (name === 'sqlite3') for (const kind of ['run', 'get', 'all', 'each']) Connection.prototype[kind] = old(kind);
  const create = () => new Connection();
  const exports_ = ['better-sqlite3'].includes(name) ? class extends Connection {} : name === 'knex' || name === 'postgres' ? create : {};
  Object.assign(exports_, { Pool: Connection, Client: Connection, Database: Connection, Sequelize: Connection });
  Object.assign(exports_, { createPool: create, createConnection: create, verbose: () => exports_, escape: literal });
  return exports_;
};

exports.make = make;
