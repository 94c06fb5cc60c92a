'use strict';

const assert = require('node:assert/strict');
const path = require('node:path');
const { test } = require('node:test');

const { checksum } = require('../lib/checksum');
const { findDuplicates } = require('../lib/duplicates');
const { listFiles } = require('../lib/walk');
const { folderWith } = require('./support/folder');

test('files are listed in order, folders and all', (t) => {
  const folder = folderWith(t, { 'b.txt': 'b', 'a/z.txt': 'z', 'a/c/d.txt': 'd', '.git/HEAD': 'x' });
  assert.deepEqual(listFiles(folder, ['.git']), ['a/c/d.txt', 'a/z.txt', 'b.txt']);
});

test('the checksum is that of the content', (t) => {
  const folder = folderWith(t, { 'a.txt': 'abc' });
  assert.equal(
    checksum(path.join(folder, 'a.txt')),
    'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
  );
});

test('same content is found, same size is not enough', (t) => {
  const folder = folderWith(t, {
    'one.txt': 'hello',
    'copy/of-one.txt': 'hello',
    'other.txt': 'world',
    'long.txt': 'a longer text',
    'long-too.txt': 'a longer text',
    'empty-1': '',
    'empty-2': '',
  });
  assert.deepEqual(findDuplicates(folder), [
    { size: 13, files: ['long-too.txt', 'long.txt'] },
    { size: 5, files: ['copy/of-one.txt', 'one.txt'] },
  ]);
});

test('a folder without doubles has none', (t) => {
  assert.deepEqual(findDuplicates(folderWith(t, { a: '1', b: '22' })), []);
});
