'use strict';

const crypto = require('crypto');
const fs = require('fs');

function checksum(file) {
  const hash = crypto.createHash('sha256');
  hash.update(fs.readFileSync(file));
  return hash.digest('hex');
}

module.exports = { checksum };
