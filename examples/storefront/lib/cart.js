// A cart is a list of product ids with quantities. No function changes the cart it is given.

import { byId } from "./catalog.js";

export function add(cart, id) {
  if (!cart.some((item) => item.id === id)) {
    return [...cart, { id, quantity: 1 }];
  }
  return cart.map((item) => (item.id === id ? { ...item, quantity: item.quantity + 1 } : item));
}

export function count(cart) {
  return cart.reduce((sum, item) => sum + item.quantity, 0);
}

// The items with their products. Products that are no longer sold are left out.
export function lines(cart) {
  return cart
    .map(({ id, quantity }) => ({ product: byId(id), quantity }))
    .filter((line) => line.product !== undefined);
}

export function total(cart) {
  return lines(cart).reduce((sum, { product, quantity }) => sum + product.price * quantity, 0);
}
