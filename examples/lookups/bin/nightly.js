#!/usr/bin/env node
import { readFileSync } from 'node:fs';
import path from 'node:path';

import { buildInvoices } from '../src/invoices.js';
import { matchPayments } from '../src/payments.js';
import { reminders } from '../src/reminders.js';
import { countryReport } from '../src/report.js';

const folder = process.argv[2] ?? 'data';
const read = (name) => readFileSync(path.join(folder, `${name}.csv`), 'utf8');

const { invoices, unknown } = buildInvoices(read('customers'), read('usage'), read('prices'));
const { paid, loose } = matchPayments(invoices, read('payments'));

for (const invoice of invoices) {
  console.log(`${invoice.number}  ${invoice.name}  ${(invoice.cents / 100).toFixed(2)}`);
}
for (const row of unknown) console.log(`left out: ${row}`);
for (const row of loose) console.log(`no invoice for payment ${row.reference}`);
for (const line of reminders(invoices, paid, read('customers'))) console.log(line);
console.log(countryReport(invoices, read('customers')));
