// The product list: the pick of the week, the cards and the search field.

import { PICK_OF_THE_WEEK, PRODUCTS, byId, formatPrice, search } from "../lib/catalog.js";
import { pointsFor, pointsLabel } from "../lib/points.js";
import { openQuickView } from "./quick-view.js";
import { addToCart, showCount } from "./session.js";

const grid = document.querySelector("#products");
const template = document.querySelector("#card");
const field = document.querySelector("#search");

function showPick() {
  const product = byId(PICK_OF_THE_WEEK);
  const pick = document.querySelector("#pick");
  pick.querySelector(".name").textContent = product.name;
  pick.querySelector(".points").textContent = pointsLabel(pointsFor(product));
}

function card(product) {
  const item = template.content.cloneNode(true);
  item.querySelector(".picture").style.background = product.color;
  item.querySelector(".name").textContent = product.name;
  item.querySelector(".price").textContent = formatPrice(product.price);

  const view = item.querySelector(".view");
  view.ariaLabel = `Quick view: ${product.name}`;
  view.addEventListener("click", () => openQuickView(product));

  const buy = item.querySelector(".buy");
  buy.ariaLabel = `Add to cart: ${product.name}`;
  buy.addEventListener("click", () => addToCart(product.id));
  return item;
}

function showProducts() {
  grid.replaceChildren(...search(PRODUCTS, field.value).map(card));
}

field.addEventListener("input", showProducts);
showPick();
showProducts();
showCount();
