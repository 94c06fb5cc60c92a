import { db } from './db.mjs';
import { slugify, titleCase } from './format.mjs';

export async function getCategories() {
  return db.category.findMany({ where: { visible: true }, orderBy: { name: 'asc' } });
}

export async function getFeatured() {
  return db.product.findMany({ where: { featured: true }, take: 8 });
}

export async function getBanners() {
  return db.banner.findMany({ where: { active: true } });
}

/** @param {string} slug */
export async function getProduct(slug) {
  return db.product.findUnique({ where: { slug } });
}

/** @param {string} productId */
export async function getReviews(productId) {
  return db.review.findMany({ where: { productId } });
}

/** What the first page is made of. */
export async function loadHome() {
  const featured = await getFeatured();
  const categories = await getCategories();
  const banners = await getBanners();
  const names = categories.map((category) => category.name);
  return { featured, banners: banners.slice(0, 3), names };
}

/**
 * A product with what is shown around it.
 * @param {string} id
 */
export async function loadProductPage(id) {
  const productId = `${id}`;
  const product = await db.product.findUnique({ where: { id: productId } });
  const reviews = await db.review.findMany({ where: { productId } });
  const stock = await db.stock.findFirst({ where: { productId } });
  if (!product) return null;
  const stars = reviews.reduce((sum, review) => sum + review.stars, 0);
  return {
    ...product,
    rating: reviews.length > 0 ? stars / reviews.length : null,
    available: (stock?.amount ?? 0) > 0,
  };
}

/**
 * @param {string} words
 * @param {boolean} inStockOnly
 */
export async function search(words, inStockOnly) {
  const wanted = slugify(words);
  const products = await db.product.findMany({ orderBy: { name: 'asc' } });
  const stock = await db.stock.findMany({ where: { location: 'shop' } });
  const hits = products.filter((product) => slugify(product.name).includes(wanted));
  if (!inStockOnly) return hits;
  return hits.filter((product) => stock.some((row) => row.productId === product.id && row.amount > 0));
}

/**
 * Hits with the name of their category, as the page of results shows them.
 * @param {string} words
 */
export async function loadResults(words) {
  const hits = await search(words, false);
  const categories = await db.category.findMany({ where: { visible: true } });
  const names = new Map(categories.map((category) => [category.id, category.name]));
  return hits.map((hit) => ({ id: hit.id, name: hit.name, cents: hit.cents, category: names.get(hit.categoryId) ?? 'Other' }));
}

/** Before the shop had categories, these were their names. */
function legacyCategory(code) {
  return { F: 'food', D: 'drinks', N: 'news' }[code] ?? 'other';
}
