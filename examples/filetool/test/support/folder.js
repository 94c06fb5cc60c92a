'use strict';

const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');

/** A folder with the given files that is gone when the test is done. */
function folderWith(t, files = {}) {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'filetool-'));
  t.after(() => fs.rmSync(folder, { recursive: true, force: true }));
  for (const [name, content] of Object.entries(files)) {
    const file = path.join(folder, name);
    fs.mkdirSync(path.dirname(file), { recursive: true });
    fs.writeFileSync(file, content);
  }
  return folder;
}

/** Makes a file look as if it was last written on that day. */
function backdate(folder, name, day) {
  const time = new Date(`${day}T12:00:00Z`);
  fs.utimesSync(path.join(folder, name), time, time);
}

module.exports = { backdate, folderWith };
