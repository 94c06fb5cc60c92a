import assert from 'node:assert/strict';
import { test } from 'node:test';

import { parseCsv } from '../src/csv.js';
import { buildInvoices } from '../src/invoices.js';

const CUSTOMERS = 'id;name;country\nC1;Ada;GB\nC2;Alan;GB\nC3;Grace;US\n';
const PRICES = 'product;cents\ncalls;10\nstorage;500\ncalls;99\n';
const usage = (...rows) => ['customer;product;quantity', ...rows].join('\n');

test('a file that is not well-formed stops the run', () => {
  assert.deepEqual(parseCsv('a;b\n1; 2\n'), [{ a: '1', b: '2' }]);
  assert.throws(() => parseCsv('a;b\n1;2\n3\n'), /line 3 has 1 cells, not 2/);
});

test('what a customer used is added up', () => {
  const { invoices } = buildInvoices(CUSTOMERS, usage('C1;calls;3', 'C3;storage;2', 'C1;storage;1'), PRICES);
  assert.deepEqual(invoices, [
    { number: 'INV-C1', customerId: 'C1', name: 'Ada', country: 'GB', lines: 2, cents: 530 },
    { number: 'INV-C3', customerId: 'C3', name: 'Grace', country: 'US', lines: 1, cents: 1000 },
  ]);
});

test('of two prices the first counts', () => {
  const { invoices } = buildInvoices(CUSTOMERS, usage('C2;calls;1'), PRICES);
  assert.equal(invoices[0].cents, 10);
});

test('of two customers with one number the first is charged for each of them', () => {
  const doubled = `${CUSTOMERS}C1;Other Ada;FR\n`;
  const { invoices } = buildInvoices(doubled, usage('C1;calls;1'), PRICES);
  assert.deepEqual(invoices.map((it) => it.name), ['Ada', 'Other Ada']);
  assert.deepEqual(invoices.map((it) => it.lines), [1, 1]);
});

test('unknown customers and products are left out and told, in order', () => {
  const { invoices, unknown } = buildInvoices(
    CUSTOMERS,
    usage('C9;calls;1', 'C1;fax;1', '__proto__;calls;1', 'C1;calls;1'),
    PRICES,
  );
  assert.deepEqual(unknown, ['C9 calls', 'C1 fax', '__proto__ calls']);
  assert.equal(invoices.length, 1);
});

test('nothing used, nothing charged', () => {
  assert.deepEqual(buildInvoices(CUSTOMERS, usage(), PRICES), { invoices: [], unknown: [] });
});
