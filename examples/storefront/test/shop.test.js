import assert from "node:assert/strict";
import { test } from "node:test";

import { add, count, lines, total } from "../lib/cart.js";
import { PICK_OF_THE_WEEK, PRODUCTS, byId, formatPrice, search } from "../lib/catalog.js";
import { pointsFor, pointsLabel } from "../lib/points.js";

const names = (products) => products.map((product) => product.name);

test("every product has an id of its own, and the pick of the week is one of them", () => {
  assert.equal(new Set(PRODUCTS.map((product) => product.id)).size, PRODUCTS.length);
  assert.equal(byId(PICK_OF_THE_WEEK).name, "Green tea");
  assert.equal(byId("nothing"), undefined);
});

test("search finds products by a part of their name", () => {
  assert.deepEqual(names(search(PRODUCTS, "tea")), ["Stoneware teapot", "Green tea"]);
  assert.deepEqual(names(search(PRODUCTS, " towel ")), ["Linen towel"]);
  assert.deepEqual(search(PRODUCTS, "bicycle"), []);
});

test("an empty search finds everything", () => {
  assert.deepEqual(search(PRODUCTS, ""), PRODUCTS);
});

test("prices are shown in euros", () => {
  assert.equal(formatPrice(2400), "€24.00");
  assert.equal(formatPrice(5), "€0.05");
});

test("a full euro is a point", () => {
  assert.equal(pointsFor(byId("teapot")), 24);
  assert.equal(pointsFor(byId("honey")), 9);
  assert.equal(pointsLabel(24), "Earn 24 points");
  assert.equal(pointsLabel(1), "Earn 1 point");
});

test("the same product twice is one line of the cart", () => {
  const cart = add(add(add([], "towel"), "honey"), "towel");
  assert.deepEqual(cart, [
    { id: "towel", quantity: 2 },
    { id: "honey", quantity: 1 },
  ]);
  assert.equal(count(cart), 3);
  assert.equal(total(cart), 4650);
});

test("products that are no longer sold are left out", () => {
  const cart = add([{ id: "kettle", quantity: 1 }], "candle");
  assert.deepEqual(lines(cart), [{ product: byId("candle"), quantity: 1 }]);
  assert.equal(total(cart), 700);
});
