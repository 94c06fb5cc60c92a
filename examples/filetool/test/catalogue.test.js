'use strict';

const assert = require('node:assert/strict');
const fs = require('node:fs');
const path = require('node:path');
const { test } = require('node:test');

const { writeCatalogue } = require('../lib/catalogue');
const { humanSize } = require('../lib/size');
const { backdate, folderWith } = require('./support/folder');

test('the catalogue has a line for each file, and none for itself', (t) => {
  const folder = folderWith(t, { 'b.bin': 'x'.repeat(2048), 'a.txt': 'hello', 'sub/c.txt': 'c' });
  backdate(folder, 'a.txt', '2024-01-31');
  backdate(folder, 'b.bin', '2023-12-01');
  const out = path.join(folder, 'CATALOGUE.md');

  writeCatalogue(folder, out);
  assert.equal(writeCatalogue(folder, out), 2);

  const lines = fs.readFileSync(out, 'utf8').trim().split('\n');
  assert.equal(lines[0], `# ${path.basename(folder)}`);
  assert.deepEqual(lines.slice(4), ['| a.txt | 5 B | 2024-01-31 |', '| b.bin | 2.0 kB | 2023-12-01 |']);
});

test('sizes are short', () => {
  const sizes = [0, 999, 1000, 12_345, 5_400_000, 3e12];
  assert.deepEqual(sizes.map(humanSize), ['0 B', '999 B', '1.0 kB', '12 kB', '5.4 MB', '3000 GB']);
});
