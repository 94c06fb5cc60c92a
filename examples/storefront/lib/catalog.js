// The products, and how they are found. Prices are cents.

export const PRODUCTS = [
  { id: "teapot", name: "Stoneware teapot", price: 2400, color: "#8a9a86", about: "Holds four cups. Safe in the dishwasher." },
  { id: "green-tea", name: "Green tea", price: 1200, color: "#a9b665", about: "A bag of 100 grams, picked in spring." },
  { id: "towel", name: "Linen towel", price: 1850, color: "#c9b79c", about: "Washed linen, 50 by 70 centimetres." },
  { id: "honey", name: "Forest honey", price: 950, color: "#d09a45", about: "A jar of 250 grams, dark and strong." },
  { id: "candle", name: "Beeswax candle", price: 700, color: "#e0c068", about: "Burns for 30 hours." },
  { id: "board", name: "Oak board", price: 3200, color: "#a47551", about: "Oiled by hand, 40 centimetres long." },
];

export const PICK_OF_THE_WEEK = "green-tea";

export function byId(id) {
  return PRODUCTS.find((product) => product.id === id);
}

export function search(products, query) {
  return products.filter((product) => product.name.includes(query.trim()));
}

export function formatPrice(cents) {
  return `€${(cents / 100).toFixed(2)}`;
}
