import { connect } from '../../lib/db.mjs';

/**
 * Lays out rows by table and writes down every question, in the order in which they are asked.
 * Answers come on a later turn, as those of a database do.
 */
export function rows(tables) {
  const asked = [];
  connect(async (table, query) => {
    asked.push(table);
    await new Promise((done) => setImmediate(done));
    const fits = (row) => Object.entries(query.where ?? {}).every(([name, value]) => row[name] === value);
    let found = (tables[table] ?? []).filter(fits);
    for (const [name, way] of Object.entries(query.orderBy ?? {})) {
      found = found.toSorted((a, b) => (a[name] < b[name] ? -1 : 1) * (way === 'desc' ? -1 : 1));
    }
    return found.slice(0, query.take ?? found.length);
  });
  return { asked };
}

export function broken(message) {
  connect(async () => {
    throw new Error(message);
  });
}
