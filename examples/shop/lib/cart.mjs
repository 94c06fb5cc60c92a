/**
 * @typedef {{ productId: string, name: string, cents: number, quantity: number }} Item
 */

/** Puts something into the cart; what is in it already becomes more. @param {Item[]} items @param {Item} item */
export function addItem(items, item) {
  const known = items.find((it) => it.productId === item.productId);
  if (!known) return [...items, item];
  return items.map((it) => (it === known ? { ...it, quantity: it.quantity + item.quantity } : it));
}

/** Zero takes it out. @param {Item[]} items */
export function setQuantity(items, productId, quantity) {
  if (quantity <= 0) return items.filter((it) => it.productId !== productId);
  return items.map((it) => (it.productId === productId ? { ...it, quantity } : it));
}

/** A cart that was kept in the browser; what cannot be read is an empty one. @param {string | null} text */
export function parseCart(text) {
  try {
    const items = JSON.parse(text ?? '[]');
    return Array.isArray(items) ? items.filter((it) => it && it.quantity > 0) : [];
  } catch {
    return [];
  }
}
