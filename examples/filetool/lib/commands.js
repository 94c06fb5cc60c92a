'use strict';

// What can be typed behind `filetool`. Each command gets the folder and the rest of the words, and gives lines to print.

const path = require('path');
const os = require('os');
const { loadSettings, saveSettings } = require('./settings');
const { findDuplicates } = require('./duplicates');
const { archiveOlderThan } = require('./archive');
const { writeCatalogue } = require('./catalogue');
const { readJournal } = require('./journal');
const { newestFirst } = require('./newest');
const { withLock } = require('./lock');
const trash = require('./trash');
const { humanSize } = require('./size');
const { version } = require('./version');

const USAGE = 'usage: filetool duplicates|archive|catalogue|trash|restore|newest|log|keep FOLDER [...]';

const commands = {
  async duplicates(folder) {
    const settings = loadSettings(folder);
    const groups = findDuplicates(folder, settings.ignore);
    return groups.map((group) => `${humanSize(group.size)} × ${group.files.length}: ${group.files.join(', ')}`);
  },

  async archive(folder, words) {
    const settings = loadSettings(folder);
    const at = words.indexOf('--days');
    const days = at >= 0 ? Number(words[at + 1]) : settings.archiveAfterDays;
    return withLock(folder, async () => {
      const moved = archiveOlderThan(folder, days, new Date());
      return moved.length ? moved.map((name) => `archived ${name}`) : ['nothing is that old'];
    });
  },

  async catalogue(folder) {
    const out = path.join(folder, 'CATALOGUE.md');
    const count = writeCatalogue(folder, out);
    return [`${count} files in ${out}`];
  },

  async trash(folder, [name]) {
    trash.discard(folder, name);
    return [`${name} is in the trash`];
  },

  async restore(folder, [name]) {
    const back = trash.restore(folder, name);
    return [`${back} is back`];
  },

  async newest(folder) {
    return newestFirst(folder).slice(0, 10);
  },

  async log(folder) {
    return readJournal(folder).map((entry) => `${entry.at} ${entry.what} ${entry.name}`);
  },

  async keep(folder, patterns) {
    const settings = loadSettings(folder);
    settings.ignore = [...new Set([...settings.ignore, ...patterns])];
    saveSettings(folder, settings);
    return [`ignored: ${settings.ignore.join(' ')}`];
  },
};

async function run(argv, print) {
  const [name, folder, ...words] = argv;
  if (name === '--version') {
    print(version);
    return 0;
  }
  if (!Object.hasOwn(commands, name ?? '') || !folder) {
    print(USAGE);
    return 2;
  }
  for (const line of await commands[name](folder, words)) {
    print(line);
  }
  return 0;
}

module.exports = { run };
