'use strict';

const fs = require('fs');
const path = require('path');

// Texts with `{{names}}` in them. Read once, when the program starts.
class Templates {
  constructor(folder) {
    this.texts = new Map();
    for (const name of fs.readdirSync(folder)) {
      this.texts.set(name, fs.readFileSync(path.join(folder, name), 'utf8'));
    }
  }

  fill(name, values) {
    const text = this.texts.get(name);
    if (text === undefined) throw new Error(`there is no template ${name}`);
    return text.replace(/\{\{(\w+)\}\}/g, (_, key) => values[key] ?? '');
  }
}

module.exports = { Templates };
