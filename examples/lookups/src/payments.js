import { parseCsv } from './csv.js';

/**
 * Which payments settle which invoices. A payment without an invoice is loose, whatever is written in its reference.
 *
 * @param {{ number: string, cents: number }[]} invoices
 * @param {string} paymentsCsv
 */
export function matchPayments(invoices, paymentsCsv) {
  const open = invoices.map((it) => ({ number: `${it.number}`, cents: it.cents }));
  const payments = parseCsv(paymentsCsv).map((row) => ({ reference: `${row.reference}`, cents: Number(row.cents) }));

  const paid = [];
  const loose = [];
  payments.forEach(({ reference, cents }) => {
    const invoice = open.find(({ number }) => number === reference);
    if (invoice === undefined) {
      loose.push({ reference, cents });
    } else {
      paid.push({ number: invoice.number, cents, rest: invoice.cents - cents });
    }
  });
  return { paid, loose };
}

/** References that came twice on one day: somebody pressed the button two times. */
export function repeated(paymentsCsv, yesterdayCsv) {
  const before = parseCsv(yesterdayCsv).map((row) => `${row.reference}`);
  const today = parseCsv(paymentsCsv);
  return today.filter((row) => before.includes(row.reference)).map((row) => row.reference);
}
