// Loyalty points: one for every full euro of a product's price.

export function pointsFor(product) {
  return Math.floor(product.price / 100);
}

export function pointsLabel(points) {
  return points === 1 ? "Earn 1 point" : `Earn ${points} points`;
}
