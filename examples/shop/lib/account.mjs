import { db } from './db.mjs';

/**
 * @param {string} id
 * @param {boolean} withOrders
 */
export async function loadAccount(id, withOrders) {
  const customerId = String(id);
  const customer = await db.customer.findUnique({ where: { id: customerId } });
  const coupons = await db.coupon.findMany({ where: { customerId, used: false } });
  const orders = await db.order.findMany({ where: { customerId }, orderBy: { placedAt: 'desc' } });
  if (!customer) return null;
  return {
    name: customer.name,
    coupons: coupons.map((coupon) => coupon.code),
    orders: withOrders ? orders.map((order) => order.number) : [],
  };
}

/**
 * Who gets a letter, and what the letter is about.
 * @param {string} id
 * @param {boolean} optedOut
 */
export async function loadLetter(id, optedOut) {
  const customerId = String(id);
  const orders = await db.order.findMany({ where: { customerId } });
  if (optedOut) return null;
  return { count: orders.length };
}

/** When somebody is behind the counter. */
export async function getHours() {
  return db.setting.findMany({ where: { scope: 'hours' } });
}

/** What applies to everybody: the shop's settings by name. */
export async function loadSettings() {
  const rows = await db.setting.findMany({ where: { scope: 'shop' } });
  const banners = await db.banner.findMany({ where: { active: true } });
  const settings = Object.fromEntries(rows.map((row) => [row.name, row.value]));
  return { ...settings, hasBanner: banners.length > 0 };
}
