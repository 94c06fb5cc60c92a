'use strict';

const fs = require('fs');
const path = require('path');

const DEFAULTS = { archiveAfterDays: 180, ignore: ['.filetool', '.git'] };

function settingsFile(folder) {
  return path.join(folder, '.filetool', 'settings.json');
}

/**
 * The settings of a folder; what it does not say is as everywhere.
 * @param {string} folder
 */
function loadSettings(folder) {
  const file = settingsFile(folder);
  if (!fs.existsSync(file)) {
    return { ...DEFAULTS, ignore: [...DEFAULTS.ignore] };
  }
  const own = parse(fs.readFileSync(file, 'utf8'), file);
  return { ...DEFAULTS, ...own };
}

function saveSettings(folder, settings) {
  const file = settingsFile(folder);
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.writeFileSync(file, JSON.stringify(settings, null, 2) + '\n');
}

function parse(text, file) {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Error(`${file} is no JSON: ${error.message}`);
  }
}

// From when settings lay beside the files, as `.filetoolrc`.
function legacySettingsFile(folder) {
  return path.join(folder, '.filetoolrc');
}

module.exports = { loadSettings, saveSettings };
