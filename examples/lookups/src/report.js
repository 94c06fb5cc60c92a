import path from 'node:path';
import { parseCsv } from './csv.js';
import { formatCents } from './money.js';

const EU = [
  'AT', 'BE', 'BG', 'CY', 'CZ', 'DE', 'DK', 'EE', 'ES', 'FI', 'FR', 'GR', 'HR', 'HU', 'IE', 'IT', 'LT', 'LU', 'LV', 'MT',
  'NL', 'PL', 'PT', 'RO', 'SE', 'SI', 'SK',
];

/** Who pays no tax here: everybody outside of the union. */
export function untaxed(invoices) {
  return invoices.filter((invoice) => !EU.includes(invoice.country));
}

/** Sums by country, the largest first; countries of customers who bought nothing have a line as well. */
export function countryReport(invoices, customersCsv) {
  const sums = invoices.map((it) => ({ country: `${it.country}`, cents: it.cents }));
  const countries = [...new Set(parseCsv(customersCsv).map((row) => row.country))];
  const rows = countries.map((country) => {
    const own = sums.filter((it) => it.country === country);
    return { country, count: own.length, cents: own.reduce((sum, it) => sum + it.cents, 0) };
  });
  rows.sort((a, b) => b.cents - a.cents || (a.country < b.country ? -1 : 1));
  return rows.map((row) => `${row.country} ${row.count} ${formatCents(row.cents)}`).join('\n');
}
