'use strict';

const mysql = require('mysql2/promise');

const turnstile = mysql.createPool(process.env.TURNSTILE_URL ?? 'mysql://localhost/turnstile');

module.exports = { turnstile };
