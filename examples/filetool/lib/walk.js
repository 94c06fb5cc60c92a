'use strict';

const fs = require('fs');
const path = require('path');

// All files below a folder, as paths from there, in the order of their names.
function listFiles(folder, ignore = [], prefix = '') {
  const found = [];
  const entries = fs.readdirSync(path.join(folder, prefix), { withFileTypes: true });
  entries.sort((a, b) => (a.name < b.name ? -1 : 1));
  for (const entry of entries) {
    if (ignore.includes(entry.name)) continue;
    const name = path.posix.join(prefix, entry.name);
    if (entry.isDirectory()) {
      found.push(...listFiles(folder, ignore, name));
    } else if (entry.isFile()) {
      found.push(name);
    }
  }
  return found;
}

module.exports = { listFiles };
