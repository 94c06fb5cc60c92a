'use strict';

const assert = require('node:assert/strict');
const { test } = require('node:test');

const { given, sent } = require('./support/drivers');
const members = require('../src/store/members');

const ADA = { id: 7, name: 'Ada', email: 'ada@example.org' };

test('a member is found by number', async () => {
  given([/WHERE id = 7$/, [ADA]]);
  assert.deepEqual(await members.findMember('7'), ADA);
  assert.equal(await members.findMember(8), null);
  assert.deepEqual(sent, [
    'SELECT id, name, email FROM members WHERE id = 7',
    'SELECT id, name, email FROM members WHERE id = 8',
  ]);
});

test('addresses are compared without regard to case', async () => {
  given([/lower\(email\) = 'ada@example\.org'/, [ADA]]);
  assert.deepEqual(await members.findByEmail('Ada@Example.org'), ADA);
  assert.equal(await members.findByEmail('alan@example.org'), null);
});

test('the search takes a city where there is one', async () => {
  given([/FROM members/, [ADA, { id: 8, name: 'Adam' }, { id: 9, name: 'Adele' }]]);
  assert.equal((await members.searchMembers('ad')).length, 3);
  assert.equal((await members.searchMembers('ad', { city: 'Graz', limit: 2 })).length, 2);
  assert.deepEqual(sent, [
    "SELECT id, name FROM members WHERE name ILIKE '%ad%' ORDER BY name",
    "SELECT id, name FROM members WHERE name ILIKE '%ad%' AND city = 'Graz' ORDER BY name",
  ]);
});

test('a new name is written, for one who is there', async () => {
  given([/WHERE id = 7$/, [ADA]]);
  assert.equal(await members.rename(7, 'Ada L.'), true);
  assert.equal(await members.rename(8, 'Nobody'), false);
  assert.equal(sent[0], "UPDATE members SET name = 'Ada L.' WHERE id = 7");
});

test('the list is in the order that was asked for', async () => {
  given([/ORDER BY city$/, [ADA]]);
  assert.deepEqual(await members.listMembers('city'), [ADA]);
});
