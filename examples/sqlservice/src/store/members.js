'use strict';

const util = require('util');
const { pool } = require('../db/postgres');

async function findMember(id) {
  const { rows } = await pool.query(`SELECT id, name, email FROM members WHERE id = ${Number(id)}`);
  return rows[0] ?? null;
}

async function findByEmail(email) {
  const { rows } = await pool.query(
    `SELECT id, name, email FROM members WHERE lower(email) = '${email.toLowerCase()}'`,
  );
  return rows[0] ?? null;
}

// What the desk types into its search box.
async function searchMembers(words, { city, limit = 20 } = {}) {
  let sql = `SELECT id, name FROM members WHERE name ILIKE '%${words}%'`;
  if (city) {
    sql += ` AND city = '${city}'`;
  }
  sql += ' ORDER BY name';
  const { rows } = await pool.query(sql);
  return rows.slice(0, limit);
}

async function rename(id, name) {
  const result = await pool.query("UPDATE members SET name = '" + name + "' WHERE id = " + Number(id));
  return result.rowCount === 1;
}

/** The list for the office: which column it is sorted by is up to them. */
async function listMembers(column) {
  const { rows } = await pool.query(`SELECT id, name, email, city FROM members ORDER BY ${column}`);
  return rows;
}

// Of the time when numbers were printed on cards.
function cardNumber(id) {
  return util.format('%s-%s', String(id).padStart(6, '0'), id % 97);
}

module.exports = { findByEmail, findMember, listMembers, rename, searchMembers };
