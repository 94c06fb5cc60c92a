'use strict';

const fs = require('fs');
const path = require('path');

// One filetool at a time works on a folder.
async function withLock(folder, work) {
  const file = path.join(folder, '.filetool', 'lock');
  takeLock(file);
  try {
    return await work();
  } finally {
    fs.unlinkSync(file);
  }
}

function takeLock(file) {
  fs.mkdirSync(path.dirname(file), { recursive: true });
  try {
    fs.writeFileSync(file, String(process.pid), { flag: 'wx' });
  } catch (error) {
    if (error.code !== 'EEXIST') throw error;
    throw new Error(`another filetool is at work here (${file})`);
  }
}

module.exports = { withLock };
