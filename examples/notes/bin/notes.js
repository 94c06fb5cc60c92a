#!/usr/bin/env node
import { summary } from "../src/render.js";
import { search } from "../src/search.js";
import * as notes from "../src/store.js";
import { countTags } from "../src/tags.js";

const USAGE = `usage: notes add TEXT [--tag TAG]... | list | done ID | rm ID | find WORDS | tags`;

const commands = {
  add(store, words) {
    const tags = [];
    const text = [];
    for (let at = 0; at < words.length; at += 1) {
      if (words[at] === "--tag" && at + 1 < words.length) {
        at += 1;
        tags.push(words[at]);
      } else {
        text.push(words[at]);
      }
    }
    return `added ${notes.add(store, text.join(" "), tags).id}`;
  },

  list(store) {
    return summary(notes.list(store));
  },

  done(store, [id]) {
    return `done ${notes.finish(store, Number(id)).id}`;
  },

  rm(store, [id]) {
    notes.remove(store, Number(id));
    return `removed ${id}`;
  },

  find(store, words) {
    const hits = search(notes.list(store), words.join(" "));
    return hits.map((hit) => `${hit.id}: ${hit.excerpt}`).join("\n");
  },

  tags(store) {
    const counts = countTags(notes.list(store));
    return counts.map(({ tag, count }) => `${count}\t${tag}`).join("\n");
  },
};

const [name, ...words] = process.argv.slice(2);
if (!Object.hasOwn(commands, name ?? "")) {
  console.error(USAGE);
  process.exitCode = 2;
} else {
  try {
    console.log(commands[name](notes.open(process.env.NOTES_DIR ?? ".notes"), words));
  } catch (error) {
    console.error(`notes: ${error.message}`);
    process.exitCode = 1;
  }
}
