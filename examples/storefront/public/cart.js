// The cart: a row for every product, and the sum.

import { lines, total } from "../lib/cart.js";
import { formatPrice } from "../lib/catalog.js";
import { loadCart, showCount } from "./session.js";

const template = document.querySelector("#row");

function row({ product, quantity }) {
  const item = template.content.cloneNode(true);
  item.querySelector(".name").textContent = product.name;
  item.querySelector(".quantity").textContent = quantity;
  item.querySelector(".price").textContent = formatPrice(product.price * quantity);
  return item;
}

const cart = loadCart();
const rows = lines(cart).map(row);
document.querySelector("#rows").replaceChildren(...rows);
document.querySelector("#total").textContent = formatPrice(total(cart));
document.querySelector("#filled").hidden = rows.length === 0;
document.querySelector("#empty").hidden = rows.length > 0;
showCount();
