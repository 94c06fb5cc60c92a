#!/usr/bin/env node
'use strict'
import def, { a as b } from './a.js'
const { join } = require('path')
/** Adds. */
export async function* sum(x = 1, ...rest) {
  for await (const y of rest) if (y && x || !y) yield `${x + `${y}`}`
  return rest?.map((z) => z ** 2) ?? /[/]\/g/.test(x)
}
class A extends b.C { #p = 1; static { A.m() } get q() { return super.q } static m() {} }
export default { run() { try { new A() } catch { throw x } }, ['k']: <A.B x={1}>{def}</A.B> }
module.exports.late = function () { switch (join) { case 1: default: } }
export * as ns from './ns'
