'use strict';

const fs = require('fs');
const path = require('path');
const { checksum } = require('./checksum');
const { listFiles } = require('./walk');

/**
 * Groups of files with the same content, the largest first.
 * Only files of one size are read at all.
 */
function findDuplicates(folder, ignore = ['.filetool']) {
  const bySize = new Map();
  for (const name of listFiles(folder, ignore)) {
    const { size } = fs.statSync(path.join(folder, name));
    if (size === 0) continue;
    bySize.set(size, [...(bySize.get(size) ?? []), name]);
  }

  const groups = [];
  for (const [size, names] of bySize) {
    if (names.length < 2) continue;
    const bySum = new Map();
    for (const name of names) {
      const sum = checksum(path.join(folder, name));
      bySum.set(sum, [...(bySum.get(sum) ?? []), name]);
    }
    for (const files of bySum.values()) {
      if (files.length > 1) groups.push({ size, files });
    }
  }
  return groups.sort((a, b) => b.size - a.size);
}

module.exports = { findDuplicates };
