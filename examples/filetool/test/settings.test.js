'use strict';

const assert = require('node:assert/strict');
const { test } = require('node:test');

const { loadSettings, saveSettings } = require('../lib/settings');
const { folderWith } = require('./support/folder');

test('a folder without settings has the usual ones', (t) => {
  const settings = loadSettings(folderWith(t));
  assert.deepEqual(settings, { archiveAfterDays: 180, ignore: ['.filetool', '.git'] });
});

test('what a folder says goes before what is usual', (t) => {
  const folder = folderWith(t, { '.filetool/settings.json': '{ "archiveAfterDays": 30 }' });
  assert.equal(loadSettings(folder).archiveAfterDays, 30);
  assert.deepEqual(loadSettings(folder).ignore, ['.filetool', '.git']);
});

test('the usual settings are nobody’s to change', (t) => {
  loadSettings(folderWith(t)).ignore.push('mine');
  assert.deepEqual(loadSettings(folderWith(t)).ignore, ['.filetool', '.git']);
});

test('settings are kept', (t) => {
  const folder = folderWith(t);
  saveSettings(folder, { archiveAfterDays: 7, ignore: [] });
  assert.deepEqual(loadSettings(folder), { archiveAfterDays: 7, ignore: [] });
});

test('broken settings name their file', (t) => {
  const folder = folderWith(t, { '.filetool/settings.json': '{ "archive' });
  assert.throws(() => loadSettings(folder), /settings\.json is no JSON/);
});
