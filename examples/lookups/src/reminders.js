import { parseCsv } from './csv.js';
import { formatCents } from './money.js';

const SMALL = 100;

/** A line for each customer who still owes something worth a letter. */
export function reminders(invoices, paid, customersCsv) {
  const contacts = parseCsv(customersCsv).map((row) => ({ customerId: `${row.id}`, email: row.email }));
  const settled = paid.filter((it) => it.rest <= 0).map((it) => `${it.number}`);
  const partial = paid.map((it) => ({ number: `${it.number}`, rest: it.rest }));

  const lines = [];
  for (const invoice of invoices) {
    const number = invoice.number;
    if (settled.includes(number)) continue;
    const part = partial.find((it) => it.number === number);
    const owed = part ? part.rest : invoice.cents;
    if (owed < SMALL) continue;
    const contact = contacts.find((it) => it.customerId === invoice.customerId);
    lines.push(`remind ${contact?.email ?? invoice.name}: ${formatCents(owed)}`);
  }
  return lines;
}

/** Customers who were reminded on each of the last days, in the order in which they are on the newest list. */
export function stubborn(newest, ...older) {
  return newest.filter((name) => older.every((names) => names.includes(name)));
}
