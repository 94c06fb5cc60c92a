'use strict';

const fs = require('fs');
const path = require('path');
const journal = require('./journal');

const DAY = 24 * 60 * 60 * 1000;

/** `archive/2024-05/report.pdf`: old files by the month they were last written in. */
function archivePath(name, modified) {
  const month = modified.toISOString().slice(0, 7);
  return path.join('archive', month, name);
}

// Only the files of the folder itself: what lies deeper was put there on purpose.
function archiveOlderThan(folder, days, now) {
  const moved = [];
  for (const name of fs.readdirSync(folder).sort()) {
    const from = path.join(folder, name);
    const stat = fs.statSync(from);
    if (!stat.isFile() || name.startsWith('.')) continue;
    if (now - stat.mtime < days * DAY) continue;

    const to = archivePath(name, stat.mtime);
    fs.mkdirSync(path.join(folder, path.dirname(to)), { recursive: true });
    fs.renameSync(from, path.join(folder, to));
    journal.note(folder, { at: now.toISOString(), what: 'archive', name });
    moved.push(name);
  }
  return moved;
}

module.exports = { archiveOlderThan };
