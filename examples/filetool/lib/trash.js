'use strict';

const fs = require('fs');
const path = require('path');

const trashFolder = (folder) => path.join(folder, '.filetool', 'trash');

exports.discard = function discard(folder, name) {
  const from = path.join(folder, name);
  if (!fs.existsSync(from)) {
    throw new Error(`there is no ${name}`);
  }
  fs.mkdirSync(trashFolder(folder), { recursive: true });
  fs.renameSync(from, freeName(trashFolder(folder), name));
};

// The one that was thrown away last, if there are several of the name.
exports.restore = function restore(folder, name) {
  const kept = discarded(folder).filter((it) => it === name || it.startsWith(`${name}~`));
  if (kept.length === 0) throw new Error(`${name} is not in the trash`);
  const last = kept[kept.length - 1];
  const to = freeName(folder, name);
  fs.renameSync(path.join(trashFolder(folder), last), to);
  return path.basename(to);
};

exports.discarded = discarded;

function discarded(folder) {
  const dir = trashFolder(folder);
  return fs.existsSync(dir) ? fs.readdirSync(dir).sort() : [];
}

// `name`, or `name~2`, `name~3`, … where it is taken.
function freeName(folder, name) {
  let target = path.join(folder, name);
  for (let n = 2; fs.existsSync(target); n += 1) {
    target = path.join(folder, `${name}~${n}`);
  }
  return target;
}
