'use strict';

const assert = require('node:assert/strict');
const fs = require('node:fs');
const path = require('node:path');
const { test } = require('node:test');

const { newestFirst } = require('../lib/newest');
const trash = require('../lib/trash');
const { backdate, folderWith } = require('./support/folder');

const read = (folder, name) => fs.readFileSync(path.join(folder, name), 'utf8');

test('what is thrown away comes back', (t) => {
  const folder = folderWith(t, { 'a.txt': 'first' });
  trash.discard(folder, 'a.txt');
  assert.deepEqual(trash.discarded(folder), ['a.txt']);
  assert.equal(trash.restore(folder, 'a.txt'), 'a.txt');
  assert.equal(read(folder, 'a.txt'), 'first');
  assert.deepEqual(trash.discarded(folder), []);
});

test('two files of one name are both kept', (t) => {
  const folder = folderWith(t, { 'a.txt': 'first' });
  trash.discard(folder, 'a.txt');
  fs.writeFileSync(path.join(folder, 'a.txt'), 'second');
  trash.discard(folder, 'a.txt');
  assert.deepEqual(trash.discarded(folder), ['a.txt', 'a.txt~2']);

  fs.writeFileSync(path.join(folder, 'a.txt'), 'third');
  assert.equal(trash.restore(folder, 'a.txt'), 'a.txt~2');
  assert.equal(read(folder, 'a.txt~2'), 'second');
  assert.equal(read(folder, 'a.txt'), 'third');
});

test('what is not there is an error', (t) => {
  const folder = folderWith(t);
  assert.throws(() => trash.discard(folder, 'b.txt'), /there is no b\.txt/);
  assert.throws(() => trash.restore(folder, 'b.txt'), /b\.txt is not in the trash/);
});

test('the newest come first, names decide between equals', (t) => {
  const folder = folderWith(t, { b: '', a: '', c: '', '.hidden': '' });
  backdate(folder, 'a', '2024-01-01');
  backdate(folder, 'b', '2024-01-01');
  backdate(folder, 'c', '2024-03-01');
  assert.deepEqual(newestFirst(folder), ['c', 'a', 'b']);
});
