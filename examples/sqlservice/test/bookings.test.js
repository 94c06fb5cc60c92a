'use strict';

const assert = require('node:assert/strict');
const { test } = require('node:test');

const { given, sent } = require('./support/drivers');
const { book, bookingsOf, cancel, isTaken } = require('../src/store/bookings');

test('the bookings of a day', async () => {
  const rows = [{ id: 1, wall: 'north', hour: 9 }];
  given([/day = '2024-06-30'/, rows]);
  assert.deepEqual(await bookingsOf(7, new Date('2024-06-30T23:00:00Z')), rows);
  assert.deepEqual(await bookingsOf(7, '2024-07-01'), []);
  assert.equal(
    sent[0],
    "SELECT id, wall, hour FROM bookings WHERE member_id = 7 AND day = '2024-06-30' ORDER BY hour",
  );
});

test('a wall is taken where somebody has it', async () => {
  given([/wall = 'north'.*hour = 9$/, [{ n: '1' }]], [/count/, [{ n: '0' }]]);
  assert.equal(await isTaken('north', '2024-06-30', 9), true);
  assert.equal(await isTaken('north', '2024-06-30', 10), false);
  assert.equal(await isTaken('south', '2024-06-30', 9), false);
});

test('what is free can be booked', async () => {
  given([/count/, [{ n: '0' }]], [/^INSERT/, [{ id: 44 }]]);
  assert.equal(await book(7, 'north', '2024-06-30', 9), 44);
  assert.equal(
    sent[1],
    "INSERT INTO bookings (member_id, wall, day, hour) VALUES (7, 'north', '2024-06-30', 9) RETURNING id",
  );
});

test('what is taken cannot', async () => {
  given([/count/, [{ n: '1' }]]);
  await assert.rejects(book(7, 'north', '2024-06-30', 9), /north is taken on 2024-06-30 at 9/);
  assert.equal(sent.length, 1);
});

test('a booking is cancelled once', async () => {
  given([/^DELETE FROM bookings WHERE id = 44$/, [{}]]);
  assert.equal(await cancel('44'), true);
  assert.equal(await cancel(45), false);
});
