import assert from "node:assert/strict";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { test } from "node:test";

import * as notes from "../src/store.js";

function fresh(t) {
  const dir = fs.mkdtempSync(path.join(os.tmpdir(), "notes-"));
  t.after(() => fs.rmSync(dir, { recursive: true }));
  return notes.open(path.join(dir, "store"));
}

test("a note comes back as it was added", (t) => {
  const store = fresh(t);
  const added = notes.add(store, "Water the plants", ["home"]);
  assert.deepEqual(added, { id: 1, text: "Water the plants", tags: ["home"], done: false });
  assert.deepEqual(notes.get(store, 1), added);
});

test("ids go on after the highest", (t) => {
  const store = fresh(t);
  for (const text of ["one", "two", "three"]) {
    notes.add(store, text);
  }
  notes.remove(store, 2);
  assert.equal(notes.add(store, "four").id, 4);
  assert.deepEqual(notes.list(store).map((note) => note.text), ["one", "three", "four"]);
});

test("ten comes after nine", (t) => {
  const store = fresh(t);
  for (let at = 1; at <= 10; at += 1) {
    notes.add(store, `note ${at}`);
  }
  assert.deepEqual(notes.list(store).map((note) => note.id), [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
});

test("finishing is kept", (t) => {
  const store = fresh(t);
  notes.add(store, "one");
  notes.finish(store, 1);
  assert.equal(notes.get(notes.open(store.dir), 1).done, true);
});

test("what is not there is an error", (t) => {
  const store = fresh(t);
  for (const act of [notes.get, notes.finish, notes.remove]) {
    assert.throws(() => act(store, 7), /there is no note 7/);
  }
});
