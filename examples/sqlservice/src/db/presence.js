'use strict';

const Database = require('better-sqlite3');

const db = new Database(process.env.PRESENCE_FILE ?? 'presence.db');

module.exports = db;
