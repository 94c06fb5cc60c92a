'use strict';

const assert = require('node:assert/strict');
const { test } = require('node:test');

const { given, sent } = require('./support/drivers');
const badges = require('../src/store/badges');
const presence = require('../src/store/presence');
const { answer } = require('../src/routes');

test('a badge, and none', async () => {
  given([/MEMBER = 7$/, [{ CODE: 'A1', ACTIVE: 1 }]]);
  assert.deepEqual(await badges.badgeOf(7), { code: 'A1', active: true });
  assert.equal(await badges.badgeOf(8), null);
});

test('a badge is blocked with a reason', async () => {
  given([/CODE = 'A1'$/, [{}]]);
  assert.equal(await badges.block('A1', 'lost'), true);
  assert.equal(await badges.block('B2', 'lost'), false);
  assert.equal(sent[0], "UPDATE BADGES SET ACTIVE = 0, NOTE = 'lost' WHERE CODE = 'A1'");
});

test('passages of a time', async () => {
  given([/FROM PASSAGES/, [{ GATE: 'east', AT: '2024-06-30 09:00' }]]);
  assert.deepEqual(await badges.passages('A1', '2024-06-30', '2024-07-01'), [{ gate: 'east', at: '2024-06-30 09:00' }]);
  assert.equal(
    sent[0],
    "SELECT GATE, AT FROM PASSAGES WHERE CODE = 'A1' AND AT >= '2024-06-30' AND AT < '2024-07-01'",
  );
});

test('who is in which hall', () => {
  given([/hall = 'big'/, [{ member_id: 3 }, { member_id: 7 }]], [/^DELETE.*member_id = 7$/, [{}]]);
  presence.enter('7', 'big', '09:30');
  assert.deepEqual(presence.whoIsIn('big'), [3, 7]);
  assert.deepEqual(presence.whoIsIn('small'), []);
  assert.equal(presence.leave(7), true);
  assert.equal(presence.leave(8), false);
  assert.equal(sent[0], "INSERT INTO presence (member_id, hall, since) VALUES (7, 'big', '09:30')");
});

test('a year goes into a table of its own', () => {
  given();
  presence.archiveYear(2023);
  assert.deepEqual(sent, ['CREATE TABLE IF NOT EXISTS presence_2023 AS SELECT * FROM presence']);
});

test('a member with all that is known', async () => {
  given(
    [/FROM members WHERE id = 7/, [{ id: 7, name: 'Ada', email: 'a@example.org' }]],
    [/FROM BADGES/, [{ CODE: 'A1', ACTIVE: 0 }]],
    [/SELECT since/, [{ since: '09:30' }]],
  );
  assert.deepEqual(await answer('GET', '/members/7'), [
    200,
    { id: 7, name: 'Ada', email: 'a@example.org', badge: { code: 'A1', active: false }, since: '09:30' },
  ]);
  assert.equal((await answer('GET', '/members/8'))[0], 404);
});

test('only columns that there are sort the list', async () => {
  given();
  await answer('GET', '/members?sort=city');
  await answer('GET', '/members?sort=name;%20DROP%20TABLE%20members');
  assert.deepEqual(sent.map((it) => it.split(' ORDER BY ')[1]), ['city', 'name']);
});

test('a wall that is taken is a conflict, an unknown page is none of ours', async () => {
  given([/count/, [{ n: '2' }]]);
  const [status, body] = await answer('POST', '/bookings?member=7&wall=north&day=2024-06-30&hour=9');
  assert.deepEqual([status, body.error], [409, 'north is taken on 2024-06-30 at 9']);
  assert.equal((await answer('GET', '/nowhere'))[0], 404);
});
