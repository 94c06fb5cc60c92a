// The cart of this tab, and its number in the header.

import { add, count } from "../lib/cart.js";

const KEY = "cart";

export function loadCart() {
  return JSON.parse(sessionStorage.getItem(KEY) ?? "[]");
}

export function addToCart(id) {
  sessionStorage.setItem(KEY, JSON.stringify(add(loadCart(), id)));
  showCount();
}

export function showCount() {
  document.querySelector("#cart-link").textContent = `Cart (${count(loadCart())})`;
}
