import { EOL } from 'node:os';
import { parseCsv } from './csv.js';

/**
 * One invoice for each customer who used something, in the order of the customers.
 *
 * Where a product has two prices the first one counts, as it does in the shop.
 */
export function buildInvoices(customersCsv, usageCsv, pricesCsv) {
  const customers = parseCsv(customersCsv).map((row) => ({ id: `${row.id}`, name: row.name, country: row.country }));
  const prices = parseCsv(pricesCsv).map((row) => ({ product: `${row.product}`, cents: Number(row.cents) }));
  const usage = parseCsv(usageCsv).map((row) => ({
    customerId: `${row.customer}`,
    product: `${row.product}`,
    quantity: Number(row.quantity),
  }));

  const unknown = [];
  const lines = [];
  for (const { customerId, product, quantity } of usage) {
    const customer = customers.find((it) => it.id === customerId);
    const price = prices.find((it) => it.product === product);
    if (!customer || !price) {
      unknown.push(`${customerId} ${product}`);
      continue;
    }
    lines.push({ customerId: `${customerId}`, product, cents: price.cents * quantity });
  }

  const invoices = [];
  for (const { id, name, country } of customers) {
    const own = lines.filter((line) => line.customerId === id);
    if (own.length === 0) continue;
    let cents = 0;
    for (const line of own) cents += line.cents;
    invoices.push({
      number: `INV-${id}`,
      customerId: id,
      name,
      country,
      lines: own.length,
      cents,
    });
  }
  return { invoices, unknown };
}

// Was printed on paper once, with the lines one below the other.
function asText(invoice) {
  return [invoice.number, invoice.name, `${invoice.cents}`].join('\n');
}
