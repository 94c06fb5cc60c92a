'use strict';

const fs = require('fs');
const path = require('path');
const util = require('util');
const { humanSize } = require('./size');
const { Templates } = require('./templates');

const templates = new Templates(path.join(__dirname, '..', 'templates'));

// One line for each file of the folder; gives how many there are.
function writeCatalogue(folder, out) {
  const rows = [];
  for (const name of fs.readdirSync(folder).sort()) {
    const stat = fs.statSync(path.join(folder, name));
    if (!stat.isFile() || path.join(folder, name) === out) continue;
    rows.push(`| ${name} | ${humanSize(stat.size)} | ${stat.mtime.toISOString().slice(0, 10)} |`);
  }
  const page = templates.fill('catalogue.md', { folder: path.basename(folder), rows: rows.join('\n') });
  fs.writeFileSync(out, page);
  return rows.length;
}

module.exports = { writeCatalogue };
