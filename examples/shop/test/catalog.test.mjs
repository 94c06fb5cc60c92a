import assert from 'node:assert/strict';
import { test } from 'node:test';

import { getHours, loadAccount, loadLetter, loadSettings } from '../lib/account.mjs';
import { getProduct, getReviews, loadHome, loadProductPage, loadResults, search } from '../lib/catalog.mjs';
import { rows } from './support/rows.mjs';

const TABLES = {
  product: [
    { id: 'p1', slug: 'rye-bread', name: 'Rye Bread', cents: 390, categoryId: 'k1', featured: true },
    { id: 'p2', slug: 'creme', name: 'Crème fraîche', featured: false },
    { id: 'p3', slug: 'bread-knife', name: 'Bread Knife', featured: true },
  ],
  category: [
    { id: 'k2', name: 'Tools', visible: true },
    { id: 'k1', name: 'Food', visible: true },
    { id: 'k0', name: 'Old', visible: false },
  ],
  banner: ['a', 'b', 'c', 'd'].map((text) => ({ text, active: true })),
  review: [{ productId: 'p1', stars: 5 }, { productId: 'p1', stars: 4 }],
  stock: [{ productId: 'p1', amount: 3, location: 'shop' }, { productId: 'p3', amount: 0, location: 'shop' }],
  customer: [{ id: 'c1', name: 'Ada' }],
  coupon: [{ code: 'TEN', customerId: 'c1', used: false }, { code: 'OLD', customerId: 'c1', used: true }],
  order: [{ number: 'A-1', customerId: 'c1', placedAt: '1' }, { number: 'A-2', customerId: 'c1', placedAt: '2' }],
  setting: [{ scope: 'shop', name: 'title', value: 'Corner' }, { scope: 'hours', name: 'Mon', value: '9-18' }],
};

test('the first page: featured products, visible categories, three banners', async () => {
  const { asked } = rows(TABLES);
  const home = await loadHome();
  assert.deepEqual(home.featured.map((it) => it.id), ['p1', 'p3']);
  assert.deepEqual(home.names, ['Food', 'Tools']);
  assert.deepEqual(home.banners.map((it) => it.text), ['a', 'b', 'c']);
  assert.deepEqual(asked, ['product', 'category', 'banner']);
});

test('a product with its stars and whether it is there', async () => {
  rows(TABLES);
  const bread = await loadProductPage('p1');
  assert.deepEqual([bread.name, bread.rating, bread.available], ['Rye Bread', 4.5, true]);
  const knife = await loadProductPage('p3');
  assert.deepEqual([knife.rating, knife.available], [null, false]);
  assert.equal(await loadProductPage('p9'), null);
});

test('a product is found by its slug, its reviews by its id', async () => {
  rows(TABLES);
  assert.equal((await getProduct('creme')).id, 'p2');
  assert.equal((await getReviews('p1')).length, 2);
});

test('search knows accents, and what is in the shop', async () => {
  rows(TABLES);
  assert.deepEqual((await search('bread', false)).map((it) => it.id), ['p3', 'p1']);
  assert.deepEqual((await search('bread', true)).map((it) => it.id), ['p1']);
  assert.deepEqual((await search('CREME', false)).map((it) => it.id), ['p2']);
});

test('results have the name of their category', async () => {
  rows(TABLES);
  assert.deepEqual(await loadResults('bread'), [
    { id: 'p3', name: 'Bread Knife', cents: undefined, category: 'Other' },
    { id: 'p1', name: 'Rye Bread', cents: 390, category: 'Food' },
  ]);
});

test('an account has open coupons, and orders where they are wanted', async () => {
  rows(TABLES);
  assert.deepEqual(await loadAccount('c1', true), { name: 'Ada', coupons: ['TEN'], orders: ['A-2', 'A-1'] });
  assert.deepEqual((await loadAccount('c1', false)).orders, []);
  assert.equal(await loadAccount('c9', true), null);
});

test('who opted out gets no letter', async () => {
  rows(TABLES);
  assert.deepEqual(await loadLetter('c1', false), { count: 2 });
  assert.equal(await loadLetter('c1', true), null);
});

test('settings of the shop by name, and its hours', async () => {
  rows(TABLES);
  assert.deepEqual(await loadSettings(), { title: 'Corner', hasBanner: true });
  assert.deepEqual((await getHours()).map((it) => it.name), ['Mon']);
});
