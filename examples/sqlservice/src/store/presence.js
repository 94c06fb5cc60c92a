'use strict';

const db = require('../db/presence');

function enter(memberId, hall, at) {
  db.prepare(`INSERT INTO presence (member_id, hall, since) VALUES (${Number(memberId)}, '${hall}', '${at}')`).run();
}

function leave(memberId) {
  return db.prepare(`DELETE FROM presence WHERE member_id = ${Number(memberId)}`).run().changes > 0;
}

function whoIsIn(hall) {
  const rows = db.prepare(`SELECT member_id FROM presence WHERE hall = '${hall}' ORDER BY since`).all();
  return rows.map((row) => row.member_id);
}

function since(memberId) {
  const row = db.prepare(`SELECT since FROM presence WHERE member_id = ${Number(memberId)}`).get();
  return row ? row.since : null;
}

/** One table for each year that is over. */
function archiveYear(year) {
  db.prepare(`CREATE TABLE IF NOT EXISTS presence_${year} AS SELECT * FROM presence`).run();
}

module.exports = { archiveYear, enter, leave, since, whoIsIn };
