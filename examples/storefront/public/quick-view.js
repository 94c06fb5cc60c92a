// The quick view: one dialog, filled anew for every product.

import { formatPrice } from "../lib/catalog.js";

const dialog = document.querySelector("#quick-view");

export function openQuickView(product) {
  dialog.querySelector(".picture").style.background = product.color;
  dialog.querySelector(".name").textContent = product.name;
  dialog.querySelector(".about").textContent = product.about;
  dialog.querySelector(".price").textContent = formatPrice(product.price);
  dialog.showModal();
}

dialog.querySelector(".close").addEventListener("click", () => dialog.close());
