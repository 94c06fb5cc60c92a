// Notes on disk: one JSON file each, named by the note's id.

import fs from "node:fs";
import path from "node:path";

export function open(dir) {
  if (!fs.existsSync(dir)) {
    fs.mkdirSync(dir, { recursive: true });
  }
  return { dir };
}

export function add(store, text, tags = []) {
  const id = nextId(store);
  const note = { id, text, tags, done: false };
  fs.writeFileSync(path.join(store.dir, `${id}.json`), JSON.stringify(note, null, 2) + "\n");
  return note;
}

export function get(store, id) {
  const file = path.join(store.dir, `${id}.json`);
  if (!fs.existsSync(file)) {
    throw new Error(`there is no note ${id}`);
  }
  return JSON.parse(fs.readFileSync(file, "utf8"));
}

export function finish(store, id) {
  const note = get(store, id);
  note.done = true;
  fs.writeFileSync(path.join(store.dir, `${id}.json`), JSON.stringify(note, null, 2) + "\n");
  return note;
}

export function remove(store, id) {
  get(store, id);
  fs.unlinkSync(path.join(store.dir, `${id}.json`));
}

export function list(store) {
  return fs
    .readdirSync(store.dir)
    .filter((name) => name.endsWith(".json"))
    .map((name) => JSON.parse(fs.readFileSync(path.join(store.dir, name), "utf8")))
    .sort((a, b) => a.id - b.id);
}

function nextId(store) {
  const ids = list(store).map((note) => note.id);
  return Math.max(0, ...ids) + 1;
}
