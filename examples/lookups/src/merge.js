import { parseCsv } from './csv.js';

/**
 * Rows of a later export that the earlier one has not, by customer. The export of the evening repeats most of the one
 * of noon.
 */
export function newRows(earlierCsv, laterCsv) {
  const known = parseCsv(earlierCsv).map((row) => `${row.customer}/${row.product}/${row.day}`);
  const added = [];
  for (const row of parseCsv(laterCsv)) {
    if (known.indexOf(`${row.customer}/${row.product}/${row.day}`) === -1) {
      added.push(row);
    }
  }
  return added;
}

/** Customers of all exports, each once, where they came first. */
export function allCustomers(exports) {
  const names = [];
  for (const text of exports) {
    for (const row of parseCsv(text)) {
      if (!names.includes(row.customer)) names.push(row.customer);
    }
  }
  return names;
}

/** Where each customer of a list stands in the ranking of last month, -1 for those who are new. */
export function ranks(customers, rankingText) {
  const ranking = rankingText.split(',');
  return customers.map((customer) => ranking.indexOf(customer));
}
