// The client of the shop's database: tables with the few questions that the shop asks.

/**
 * @typedef {{ where?: Record<string, unknown>, orderBy?: Record<string, 'asc' | 'desc'>, take?: number }} Query
 * @typedef {(table: string, query: Query) => Promise<any[]>} Source
 */

/** @type {Source} */
let source = async (table) => {
  throw new Error(`no database is connected (asked for ${table})`);
};

/** Says where rows come from: the database, or what a test lays out. @param {Source} next */
export function connect(next) {
  source = next;
}

/** @param {string} name */
function table(name) {
  return {
    /** @param {Query} query */
    findMany: async (query) => source(name, query ?? {}),
    /** @param {Query} query */
    findFirst: async (query) => (await source(name, { ...query, take: 1 }))[0] ?? null,
    /** @param {Query} query */
    findUnique: async (query) => (await source(name, { ...query, take: 1 }))[0] ?? null,
    /** @param {Query} query */
    count: async (query) => (await source(name, query ?? {})).length,
  };
}

export const db = {
  banner: table('banner'),
  category: table('category'),
  coupon: table('coupon'),
  customer: table('customer'),
  order: table('order'),
  orderLine: table('orderLine'),
  product: table('product'),
  review: table('review'),
  setting: table('setting'),
  shipment: table('shipment'),
  stock: table('stock'),
};
