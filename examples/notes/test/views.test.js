import assert from "node:assert/strict";
import { test } from "node:test";

import { line, summary } from "../src/render.js";
import { search } from "../src/search.js";
import { countTags, withTag } from "../src/tags.js";

const NOTES = [
  { id: 1, text: "Water the\n  plants", tags: ["home", "weekly"], done: false },
  { id: 2, text: "Call the plumber about the leak below the kitchen sink", tags: ["home"], done: true },
  { id: 3, text: "Renew the domain", tags: [], done: false },
];

test("a line shows state, text and tags", () => {
  assert.equal(line(NOTES[0]), "[ ] 1: Water the plants #home #weekly");
  assert.equal(line(NOTES[1]), "[x] 2: Call the plumber about the leak below t… #home");
});

test("the summary counts", () => {
  assert.equal(summary(NOTES).split("\n").at(-1), "2 open, 1 done");
  assert.equal(summary([]), "0 open, 0 done");
});

test("search finds any case and keeps the order", () => {
  assert.deepEqual(search(NOTES, "THE").map((hit) => hit.id), [1, 2, 3]);
  assert.deepEqual(search(NOTES, "plum"), [{ id: 2, excerpt: NOTES[1].text }]);
  assert.deepEqual(search(NOTES, "nowhere"), []);
});

test("an excerpt is one short line", () => {
  const long = [{ id: 1, text: `so ${"very ".repeat(20)}long`, tags: [], done: false }];
  const [{ excerpt }] = search(long, "long");
  assert.equal(excerpt.length, 60);
  assert.ok(excerpt.endsWith("…"));
});

test("tags are counted, the most used first", () => {
  assert.deepEqual(countTags(NOTES), [
    { tag: "home", count: 2 },
    { tag: "weekly", count: 1 },
  ]);
  const odd = [{ tags: ["constructor", "10", "9"] }];
  assert.deepEqual(countTags(odd).map(({ tag }) => tag), ["10", "9", "constructor"]);
});

test("notes are found by tag", () => {
  assert.deepEqual(withTag(NOTES, "weekly").map((note) => note.id), [1]);
});
