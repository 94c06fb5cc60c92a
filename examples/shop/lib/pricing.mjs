// All amounts are cents; what is rounded is rounded once, at the end.

const FREE_SHIPPING_FROM = 5000;
const SHIPPING = 490;

/** @param {{ cents: number, quantity: number }} line */
export function lineTotal(line) {
  return line.cents * line.quantity;
}

/**
 * @param {{ cents: number, quantity: number }[]} lines
 * @param {number} [percent] off
 */
export function orderTotal(lines, percent = 0) {
  const sum = lines.reduce((total, line) => total + lineTotal(line), 0);
  return Math.round(sum * (1 - percent / 100));
}

export function shippingFor(cents) {
  return cents === 0 || cents >= FREE_SHIPPING_FROM ? 0 : SHIPPING;
}
