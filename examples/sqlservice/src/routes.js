'use strict';

const members = require('./store/members');
const bookings = require('./store/bookings');
const badges = require('./store/badges');
const presence = require('./store/presence');

const COLUMNS = ['name', 'email', 'city'];

/** From a path to what is done; a route gives a status and what is sent. */
const routes = [
  ['GET', /^\/members$/, async (_, query) => {
    const column = COLUMNS.includes(query.sort) ? query.sort : 'name';
    return [200, query.q ? await members.searchMembers(query.q, { city: query.city }) : await members.listMembers(column)];
  }],
  ['GET', /^\/members\/(\d+)$/, async ([id]) => {
    const member = await members.findMember(id);
    if (!member) return [404, { error: 'no such member' }];
    return [200, { ...member, badge: await badges.badgeOf(id), since: presence.since(id) }];
  }],
  ['POST', /^\/members\/(\d+)\/name$/, async ([id], query) => [(await members.rename(id, query.name)) ? 204 : 404, null]],
  ['POST', /^\/bookings$/, async (_, query) => {
    try {
      return [201, { id: await bookings.book(query.member, query.wall, query.day, query.hour) }];
    } catch (error) {
      return [409, { error: error.message }];
    }
  }],
  ['DELETE', /^\/bookings\/(\d+)$/, async ([id]) => [(await bookings.cancel(id)) ? 204 : 404, null]],
];

async function answer(method, address) {
  const url = new URL(address, 'http://localhost');
  for (const [verb, pattern, handle] of routes) {
    const match = verb === method && pattern.exec(url.pathname);
    if (match) return handle(match.slice(1), Object.fromEntries(url.searchParams));
  }
  return [404, { error: 'no such page' }];
}

module.exports = { answer };
