"use strict";

// What was done to a folder, one line of JSON each.

const fs = require("fs");
const path = require("path");

function journalFile(folder) {
  return path.join(folder, ".filetool", "journal.log");
}

function note(folder, entry) {
  const file = journalFile(folder);
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.appendFileSync(file, JSON.stringify(entry) + "\n");
}

function readJournal(folder) {
  const file = journalFile(folder);
  if (!fs.existsSync(file)) return [];
  return fs
    .readFileSync(file, "utf8")
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line));
}

module.exports = { note, readJournal };
