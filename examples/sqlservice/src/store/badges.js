'use strict';

const path = require('path');
const { turnstile } = require('../db/turnstile');

// The table is as old as the turnstile: names in capitals, dates as text.

exports.badgeOf = async function badgeOf(memberId) {
  const [rows] = await turnstile.query(`SELECT CODE, ACTIVE FROM BADGES WHERE MEMBER = ${Number(memberId)}`);
  return rows.length > 0 ? { code: rows[0].CODE, active: rows[0].ACTIVE === 1 } : null;
};

exports.block = async function block(code, reason) {
  const [result] = await turnstile.execute(
    `UPDATE BADGES SET ACTIVE = 0, NOTE = '${reason}' WHERE CODE = '${code}'`,
  );
  return result.affectedRows === 1;
};

exports.passages = async function passages(code, from, to) {
  const [rows] = await turnstile.query(
    "SELECT GATE, AT FROM PASSAGES WHERE CODE = '" + code + "' AND AT >= '" + from + "' AND AT < '" + to + "'",
  );
  return rows.map((row) => ({ gate: row.GATE, at: row.AT }));
};
