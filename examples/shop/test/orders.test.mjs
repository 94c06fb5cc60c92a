import assert from 'node:assert/strict';
import { test } from 'node:test';

import { loadOrderPage, loadSales, ordersOf } from '../lib/orders.mjs';
import { broken, rows } from './support/rows.mjs';

const TABLES = {
  order: [
    { id: '7', number: 'A-7', customerId: 'c1', couponPercent: 10, cents: 900, state: 'paid', placedAt: '2024-06-01' },
    { id: '8', number: 'A-8', customerId: 'c1', cents: 250, state: 'paid', placedAt: '2024-06-02' },
    { id: '9', number: 'A-9', customerId: 'c2', cents: 100, state: 'returned', placedAt: '2024-06-02' },
    { id: '10', number: 'A-10', customerId: 'c2', cents: 50, state: 'paid', placedAt: '2024-06-02' },
  ],
  orderLine: [
    { orderId: '7', name: 'Bread', cents: 300, quantity: 2 },
    { orderId: '7', name: 'Milk', cents: 200, quantity: 2 },
    { orderId: '8', name: 'Tea', cents: 250, quantity: 1 },
  ],
  shipment: [{ orderId: '7', tracking: 'T1', state: 'sent' }, { orderId: '8', state: 'packed' }],
  customer: [{ id: 'c1', name: 'Ada' }],
};

test('the page of an order has its lines, its total and its parcel', async () => {
  const { asked } = rows(TABLES);
  assert.deepEqual(await loadOrderPage(7), {
    number: 'A-7',
    customer: 'Ada',
    lines: [{ name: 'Bread', total: 600 }, { name: 'Milk', total: 400 }],
    total: 900,
    tracking: 'T1',
  });
  assert.deepEqual(asked, ['order', 'orderLine', 'shipment', 'customer']);
});

test('an order without parcel and customer', async () => {
  rows({ ...TABLES, customer: [], shipment: [] });
  const page = await loadOrderPage('8');
  assert.equal(page.customer, 'unknown');
  assert.equal(page.tracking, null);
});

test('no order, no page, and nobody is looked up', async () => {
  const { asked } = rows(TABLES);
  assert.equal(await loadOrderPage('99'), null);
  assert.ok(!asked.includes('customer'));
});

test('a database that is down is an error', async () => {
  broken('no connection');
  await assert.rejects(loadOrderPage('7'), /no connection/);
});

test('orders of a customer, the newest first', async () => {
  rows(TABLES);
  assert.deepEqual(await ordersOf('c1'), [
    { id: '8', number: 'A-8', total: '€ 2.50' },
    { id: '7', number: 'A-7', total: '€ 9.00' },
  ]);
});

test('sales by day, what came back and what waits', async () => {
  const { asked } = rows(TABLES);
  assert.deepEqual(await loadSales(), {
    days: [{ day: '2024-06-01', cents: 900 }, { day: '2024-06-02', cents: 300 }],
    returned: 1,
    waiting: 1,
  });
  assert.deepEqual(asked, ['order', 'order', 'shipment']);
});
