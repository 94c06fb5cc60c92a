'use strict';

const { pool } = require('../db/postgres');
const { toDay } = require('../days');

async function bookingsOf(memberId, day) {
  const { rows } = await pool.query(
    `SELECT id, wall, hour FROM bookings
     WHERE member_id = ${Number(memberId)} AND day = '${toDay(day)}'
     ORDER BY hour`,
  );
  return rows;
}

async function isTaken(wall, day, hour) {
  const sql = `SELECT count(*) AS n FROM bookings WHERE wall = '${wall}' AND day = '${toDay(day)}' AND hour = ${Number(hour)}`;
  const { rows } = await pool.query(sql);
  return Number(rows[0].n) > 0;
}

async function book(memberId, wall, day, hour) {
  if (await isTaken(wall, day, hour)) {
    throw new Error(`${wall} is taken on ${toDay(day)} at ${hour}`);
  }
  const { rows } = await pool.query(
    `INSERT INTO bookings (member_id, wall, day, hour) VALUES (${Number(memberId)}, '${wall}', '${toDay(day)}', ${Number(hour)}) RETURNING id`,
  );
  return rows[0].id;
}

async function cancel(id) {
  const { rowCount } = await pool.query(`DELETE FROM bookings WHERE id = ${Number(id)}`);
  return rowCount > 0;
}

module.exports = { book, bookingsOf, cancel, isTaken };
