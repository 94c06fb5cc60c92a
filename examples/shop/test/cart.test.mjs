import assert from 'node:assert/strict';
import { test } from 'node:test';

import { addItem, parseCart, setQuantity } from '../lib/cart.mjs';
import { formatCents, slugify, titleCase } from '../lib/format.mjs';
import { orderTotal, shippingFor } from '../lib/pricing.mjs';

const bread = { productId: 'p1', name: 'Bread', cents: 300, quantity: 1 };
const milk = { productId: 'p2', name: 'Milk', cents: 120, quantity: 2 };

test('the same again is one line with more', () => {
  const cart = addItem(addItem([bread], milk), { ...bread, quantity: 2 });
  assert.deepEqual(cart, [{ ...bread, quantity: 3 }, milk]);
  assert.equal(bread.quantity, 1);
});

test('zero takes it out', () => {
  assert.deepEqual(setQuantity([bread, milk], 'p1', 0), [milk]);
  assert.deepEqual(setQuantity([bread], 'p1', 4), [{ ...bread, quantity: 4 }]);
});

test('a cart that cannot be read is empty', () => {
  for (const text of [null, '', '{', '{}', '[null, {"quantity": 0}]']) {
    assert.deepEqual(parseCart(text), []);
  }
  assert.deepEqual(parseCart(JSON.stringify([milk])), [milk]);
});

test('totals are rounded once', () => {
  assert.equal(orderTotal([bread, milk]), 540);
  assert.equal(orderTotal([{ cents: 333, quantity: 1 }, { cents: 333, quantity: 1 }], 15), 566);
});

test('shipping is free from fifty on, and for nothing', () => {
  assert.deepEqual([0, 1, 4999, 5000].map(shippingFor), [0, 490, 490, 0]);
});

test('formats', () => {
  assert.equal(formatCents(1234), '€ 12.34');
  assert.equal(slugify('  Crème  fraîche! '), 'creme-fraiche');
  assert.equal(titleCase('rye bread'), 'Rye Bread');
});
