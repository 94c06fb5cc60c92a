#!/usr/bin/env node
'use strict';

const { run } = require('../lib/commands');

run(process.argv.slice(2), console.log).then(
  (code) => {
    process.exitCode = code;
  },
  (error) => {
    console.error(`filetool: ${error.message}`);
    process.exitCode = 1;
  },
);
