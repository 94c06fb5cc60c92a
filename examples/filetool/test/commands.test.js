'use strict';

const assert = require('node:assert/strict');
const { execFile } = require('node:child_process');
const path = require('node:path');
const { test } = require('node:test');
const { promisify } = require('node:util');

const { run } = require('../lib/commands');
const { withLock } = require('../lib/lock');
const { backdate, folderWith } = require('./support/folder');

async function printed(...argv) {
  const lines = [];
  const code = await run(argv, (line) => lines.push(line));
  return { code, lines };
}

test('duplicates are told with their size', async (t) => {
  const folder = folderWith(t, { 'a.txt': 'same', 'b.txt': 'same' });
  assert.deepEqual(await printed('duplicates', folder), { code: 0, lines: ['4 B × 2: a.txt, b.txt'] });
});

test('what is kept out stays out', async (t) => {
  const folder = folderWith(t, { 'a.txt': 'same', 'build/b.txt': 'same' });
  assert.deepEqual((await printed('keep', folder, 'build')).lines, ['ignored: .filetool .git build']);
  assert.deepEqual((await printed('duplicates', folder)).lines, []);
});

test('archive, and the log of it', async (t) => {
  const folder = folderWith(t, { 'a.txt': 'a' });
  assert.deepEqual((await printed('archive', folder)).lines, ['nothing is that old']);
  backdate(folder, 'a.txt', '2020-01-01');
  assert.deepEqual((await printed('archive', folder, '--days', '30')).lines, ['archived a.txt']);
  const { lines } = await printed('log', folder);
  assert.match(lines[0], /^\d{4}-\S+ archive a\.txt$/);
});

test('there and back', async (t) => {
  const folder = folderWith(t, { 'a.txt': 'a' });
  assert.deepEqual((await printed('trash', folder, 'a.txt')).lines, ['a.txt is in the trash']);
  assert.deepEqual((await printed('restore', folder, 'a.txt')).lines, ['a.txt is back']);
  assert.deepEqual((await printed('newest', folder)).lines, ['a.txt']);
});

test('a folder is worked on by one at a time', async (t) => {
  const folder = folderWith(t);
  await withLock(folder, async () => {
    await assert.rejects(() => withLock(folder, async () => {}), /another filetool/);
  });
  assert.equal(await withLock(folder, async () => 'free again'), 'free again');
});

test('who types something else is told what there is', async () => {
  const { code, lines } = await printed('sort', '.');
  assert.equal(code, 2);
  assert.match(lines[0], /^usage: filetool duplicates/);
});

test('the program prints its version, and its errors go to stderr', async (t) => {
  const program = path.join(__dirname, '..', 'bin', 'filetool.js');
  const ran = promisify(execFile);
  const { stdout } = await ran(process.execPath, [program, '--version']);
  assert.equal(stdout, '2.3.0\n');
  await assert.rejects(ran(process.execPath, [program, 'trash', folderWith(t), 'no.txt']), (error) => {
    assert.equal(error.code, 1);
    assert.equal(error.stderr, 'filetool: there is no no.txt\n');
    return true;
  });
});
