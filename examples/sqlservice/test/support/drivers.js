'use strict';

// Stands in for `pg`, `mysql2/promise` and `better-sqlite3`. Each statement is completed with its values, as the database would
// see it, and written down; rows come from what the test laid out with `given`.

const Module = require('node:module');

const sent = [];
let answers = [];

/** Rows for statements that match; the first match answers. */
function given(...pairs) {
  sent.length = 0;
  answers = pairs;
}

const quote = (value) => {
  if (value === null || value === undefined) return 'NULL';
  return typeof value === 'number' ? String(value) : `'${String(value).replaceAll("'", "''")}'`;
};

// Texts in quotes are passed over: a mark in them is none.
function complete(sql, values, mark, valueOf) {
  let used = 0;
  const text = sql.replace(new RegExp(`'(?:[^']|'')*'|${mark}`, 'g'), (piece) => {
    if (piece.startsWith("'")) return piece;
    used += 1;
    return quote(valueOf(piece, used));
  });
  if (used !== values.length) throw new Error(`${values.length} values for ${used} marks in: ${sql}`);
  return text.replace(/\s+/g, ' ').trim();
}

function answerTo(statement) {
  sent.push(statement);
  const pair = answers.find(([pattern]) => pattern.test(statement));
  return pair ? pair[1] : [];
}

class Pool {
  async query(text, values = []) {
    const rows = answerTo(complete(text, values, '\\$\\d+', (mark) => values[Number(mark.slice(1)) - 1]));
    return { rows, rowCount: rows.length };
  }
}

class TurnstilePool {
  async query(text, values = []) {
    const rows = answerTo(complete(text, values, '\\?', (_, at) => values[at - 1]));
    return [/^SELECT/.test(text) ? rows : { affectedRows: rows.length }];
  }

  execute(text, values) {
    return this.query(text, values);
  }
}

class Database {
  prepare(text) {
    const ask = (values) => answerTo(complete(text, values, '\\?', (_, at) => values[at - 1]));
    return {
      all: (...values) => ask(values),
      get: (...values) => ask(values)[0],
      run: (...values) => ({ changes: ask(values).length }),
    };
  }
}

const drivers = { pg: { Pool }, 'mysql2/promise': { createPool: () => new TurnstilePool() }, 'better-sqlite3': Database };
const load = Module._load;
Module._load = function (request, ...rest) {
  return Object.hasOwn(drivers, request) ? drivers[request] : load.call(this, request, ...rest);
};

module.exports = { given, sent };
