'use strict';

const assert = require('node:assert/strict');
const fs = require('node:fs');
const path = require('node:path');
const { test } = require('node:test');

const { archiveOlderThan } = require('../lib/archive');
const { readJournal, note } = require('../lib/journal');
const { backdate, folderWith } = require('./support/folder');

const NOW = new Date('2024-06-30T12:00:00Z');

test('old files go to the folder of their month', (t) => {
  const folder = folderWith(t, { 'old.pdf': 'old', 'new.pdf': 'new', 'deep/older.pdf': 'older' });
  backdate(folder, 'old.pdf', '2024-02-10');
  backdate(folder, 'new.pdf', '2024-06-29');
  backdate(folder, 'deep/older.pdf', '2020-01-01');

  assert.deepEqual(archiveOlderThan(folder, 90, NOW), ['old.pdf']);

  assert.equal(fs.readFileSync(path.join(folder, 'archive/2024-02/old.pdf'), 'utf8'), 'old');
  assert.equal(fs.existsSync(path.join(folder, 'old.pdf')), false);
  assert.equal(fs.existsSync(path.join(folder, 'new.pdf')), true);
  assert.equal(fs.existsSync(path.join(folder, 'deep/older.pdf')), true);
});

test('what is archived is in the journal', (t) => {
  const folder = folderWith(t, { 'b.txt': 'b', 'a.txt': 'a' });
  backdate(folder, 'a.txt', '2023-01-01');
  backdate(folder, 'b.txt', '2023-01-01');
  archiveOlderThan(folder, 1, NOW);
  assert.deepEqual(
    readJournal(folder).map((entry) => `${entry.what} ${entry.name}`),
    ['archive a.txt', 'archive b.txt'],
  );
});

test('a journal begins empty and grows', (t) => {
  const folder = folderWith(t);
  assert.deepEqual(readJournal(folder), []);
  note(folder, { what: 'one' });
  note(folder, { what: 'two' });
  assert.deepEqual(readJournal(folder), [{ what: 'one' }, { what: 'two' }]);
});
