import assert from 'node:assert/strict';
import { test } from 'node:test';

import { matchPayments, repeated } from '../src/payments.js';
import { reminders, stubborn } from '../src/reminders.js';

const INVOICES = [
  { number: 'INV-1', customerId: 'C1', name: 'Ada', cents: 5000 },
  { number: 'INV-2', customerId: 'C2', name: 'Alan', cents: 700 },
  { number: 'INV-3', customerId: 'C3', name: 'Grace', cents: 123456 },
  { number: 'INV-2', customerId: 'C4', name: 'Emmy', cents: 1 },
];
const CUSTOMERS = 'id;email\nC1;ada@example.org\nC2;alan@example.org\nC1;second@example.org\n';
const payments = (...rows) => ['reference;cents', ...rows].join('\n');

test('a payment goes to the first invoice of its number', () => {
  const { paid, loose } = matchPayments(INVOICES, payments('INV-2;700', 'INV-1;1000', 'thanks;5', 'INV-2;10'));
  assert.deepEqual(paid, [
    { number: 'INV-2', cents: 700, rest: 0 },
    { number: 'INV-1', cents: 1000, rest: 4000 },
    { number: 'INV-2', cents: 10, rest: 690 },
  ]);
  assert.deepEqual(loose, [{ reference: 'thanks', cents: 5 }]);
});

test('payments of yesterday are seen again', () => {
  const today = payments('a;1', 'b;2', 'a;1', 'c;3');
  assert.deepEqual(repeated(today, payments('c;3', 'a;1')), ['a', 'a', 'c']);
  assert.deepEqual(repeated(today, payments()), []);
});

test('who has paid is left in peace, who paid a part owes the rest', () => {
  const paid = [
    { number: 'INV-2', cents: 700, rest: 0 },
    { number: 'INV-1', cents: 1000, rest: 4000 },
    { number: 'INV-1', cents: 4000, rest: 1 },
  ];
  assert.deepEqual(reminders(INVOICES, paid, CUSTOMERS), [
    'remind ada@example.org: 40.00',
    'remind Grace: 1,234.56',
  ]);
});

test('small sums are not worth a letter', () => {
  const paid = [{ number: 'INV-1', cents: 4901, rest: 99 }];
  assert.deepEqual(reminders(INVOICES.slice(0, 1), paid, CUSTOMERS), []);
});

test('the stubborn are on every list', () => {
  assert.deepEqual(stubborn(['d', 'a', 'b'], ['b', 'd'], ['d', 'c', 'b']), ['d', 'b']);
  assert.deepEqual(stubborn(['a']), ['a']);
});
