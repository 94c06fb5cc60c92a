import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

import { allCustomers, newRows, ranks } from '../src/merge.js';
import { formatCents } from '../src/money.js';
import { countryReport, untaxed } from '../src/report.js';

test('every country of a customer has a line, the largest sum first', () => {
  const invoices = [
    { country: 'US', cents: 100 },
    { country: 'GB', cents: 250000 },
    { country: 'US', cents: 50 },
  ];
  const customers = 'id;country\n1;DE\n2;US\n3;GB\n4;US\n5;AT\n';
  assert.equal(countryReport(invoices, customers), 'GB 1 2,500.00\nUS 2 1.50\nAT 0 0.00\nDE 0 0.00');
});

test('outside of the union no tax is paid', () => {
  const invoices = ['DE', 'US', 'SK', 'GB', 'AT'].map((country) => ({ country }));
  assert.deepEqual(untaxed(invoices).map((it) => it.country), ['US', 'GB']);
});

test('only what is new comes out of the second export', () => {
  const noon = 'customer;product;day\nA;calls;1\nB;calls;1\n';
  const evening = 'customer;product;day\nB;calls;1\nB;calls;2\nA;storage;1\nA;calls;1\nB;calls;2\n';
  assert.deepEqual(
    newRows(noon, evening).map((row) => `${row.customer}${row.product}${row.day}`),
    ['Bcalls2', 'Astorage1', 'Bcalls2'],
  );
});

test('customers of several exports, each once', () => {
  assert.deepEqual(allCustomers(['customer\nb\na\nb', 'customer\nc\na']), ['b', 'a', 'c']);
});

test('ranks are places of the first', () => {
  assert.deepEqual(ranks(['b', 'x', 'a'], 'a,b,c,b'), [1, -1, 0]);
});

test('cents are shown as money', () => {
  assert.deepEqual([0, 5, 1234, 100000000, -250].map(formatCents), ['0.00', '0.05', '12.34', '1,000,000.00', '-2.50']);
});

test('a night with the files of the folder', () => {
  const root = fileURLToPath(new URL('..', import.meta.url));
  const printed = execFileSync(process.execPath, ['bin/nightly.js', 'data'], { cwd: root, encoding: 'utf8' });
  assert.equal(
    printed,
    [
      'INV-C-100  Ada Analytics  18.90',
      'INV-C-102  Hopper Haulage  13.50',
      'INV-C-103  Noether Nuts  0.96',
      'left out: C-999 calls',
      'no invoice for payment hello',
      'remind grace@example.org: 12.50',
      'GB 1 18.90',
      'US 1 13.50',
      'DE 1 0.96',
      '',
    ].join('\n'),
  );
});
