'use strict';

const fs = require('fs');
const path = require('path');

// Names of the folder, the one that was written last in front.
function newestFirst(folder) {
  const names = fs.readdirSync(folder).filter((name) => !name.startsWith('.'));
  return names.sort((a, b) => {
    const left = fs.statSync(path.join(folder, a)).mtimeMs;
    const right = fs.statSync(path.join(folder, b)).mtimeMs;
    return right - left || a.localeCompare(b);
  });
}

module.exports = { newestFirst };
