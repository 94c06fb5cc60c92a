'use strict';

/** A day as the databases write it. */
function toDay(value) {
  return value instanceof Date ? value.toISOString().slice(0, 10) : String(value);
}

module.exports = { toDay };
