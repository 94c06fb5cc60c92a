import { db } from './db.mjs';
import { lineTotal, orderTotal } from './pricing.mjs';
import { formatCents } from './format.mjs';

/**
 * All that the page of an order shows, or null where there is no such order.
 * @param {string | number} id
 */
export async function loadOrderPage(id) {
  const orderId = String(id);
  const order = await db.order.findUnique({ where: { id: orderId } });
  const lines = await db.orderLine.findMany({ where: { orderId } });
  const shipment = await db.shipment.findFirst({ where: { orderId } });
  if (!order) return null;

  const customer = await db.customer.findUnique({ where: { id: order.customerId } });
  return {
    number: order.number,
    customer: customer ? customer.name : 'unknown',
    lines: lines.map((line) => ({ name: line.name, total: lineTotal(line) })),
    total: orderTotal(lines, order.couponPercent),
    tracking: shipment?.tracking ?? null,
  };
}

/**
 * The orders of a customer, the newest first.
 * @param {string} customerId
 */
export async function ordersOf(customerId) {
  const orders = await db.order.findMany({ where: { customerId }, orderBy: { placedAt: 'desc' } });
  return orders.map((order) => ({ id: order.id, number: order.number, total: formatCents(order.cents) }));
}

/** Numbers for the people behind the counter. */
export async function loadSales() {
  const orders = await db.order.findMany({ where: { state: 'paid' } });
  const returned = await db.order.count({ where: { state: 'returned' } });
  const waiting = await db.shipment.findMany({ where: { state: 'packed' } });
  const byDay = new Map();
  for (const order of orders) {
    byDay.set(order.placedAt, (byDay.get(order.placedAt) ?? 0) + order.cents);
  }
  const days = [...byDay].map(([day, cents]) => ({ day, cents }));
  return { days, returned, waiting: waiting.length };
}
