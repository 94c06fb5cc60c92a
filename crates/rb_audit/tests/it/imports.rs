//! Imports that lead nowhere, and imports that nobody uses.

use expect_test::expect;

use crate::support::{check, silent};

const MOVED: &str = r#"
//- src/util/date.ts
export function format(d: Date): string {
  return d.toISOString();
}
export const EPOCH = 0;
//- src/page.ts
import { format } from "./util/date";
export const shown = format(new Date());
//- src/other.ts
import { EPOCH } from "./util/date";
export const start = EPOCH;
"#;

#[test]
fn ve6_a_moved_file_leaves_its_importers_behind() {
    check(
        MOVED,
        r#"
//- gone src/util/date.ts
//- src/lib/date.ts
export function format(d: Date): string {
  return d.toISOString();
}
export const EPOCH = 0;
//- src/page.ts
import { format } from "./lib/date";
export const shown = format(new Date());
"#,
        &expect![[r#"
            Error unresolved_import src/other.ts:1 `./util/date` does not resolve to a file <- src/util/date.ts:1
        "#]],
    );
    silent(
        MOVED,
        r#"
//- gone src/util/date.ts
//- src/lib/date.ts
export function format(d: Date): string {
  return d.toISOString();
}
export const EPOCH = 0;
//- src/page.ts
import { format } from "./lib/date";
export const shown = format(new Date());
//- src/other.ts
import { EPOCH } from "./lib/date";
export const start = EPOCH;
"#,
    );
}

#[test]
fn ve6_an_import_is_written_that_leads_nowhere() {
    let before = "
//- package.json
{ \"name\": \"a\", \"dependencies\": { \"react\": \"18\" } }
//- src/a.ts
export const a = 1;
//- src/b.ts
import { a } from './a';
export const b = a;
";
    check(
        before,
        "
//- src/b.ts
import { a } from './aa';
export const b = a;
",
        &expect![[r#"
            Error unresolved_import src/b.ts:1 `./aa` does not resolve to a file <- src/b.ts:1
        "#]],
    );
    check(
        before,
        "
//- src/b.ts
import { a } from './a';
import { merge } from 'left-merge';
import { useState } from 'react';
import fs from 'node:fs';
export const b = merge(a, fs, useState);
",
        &expect![[r#"
            Warning unresolved_import src/b.ts:2 the package `left-merge` is not listed in any package.json <- src/b.ts:2
        "#]],
    );
}

#[test]
fn ve6_the_last_use_of_an_import_goes() {
    let before = "
//- src/a.ts
export const a = 1;
export const c = 2;
export type T = number;
//- src/b.ts
import { a, c, type T } from './a';
import * as all from './a';
import './side';
export const b: T = a + c + all.a;
//- src/side.ts
console.log('side');
";
    check(
        before,
        "
//- src/b.ts
import { a, c, type T } from './a';
import * as all from './a';
import './side';
export const b = a + all.a;
",
        &expect![[r#"
            Warning orphaned_import src/b.ts:1 `T` is imported but not used <- src/b.ts:4
            Warning orphaned_import src/b.ts:1 `c` is imported but not used <- src/b.ts:4
        "#]],
    );
    silent(
        before,
        "
//- src/b.ts
import { a } from './a';
import * as all from './a';
import './side';
export const b = a + all.a;
",
    );
}

#[test]
fn ve6_an_import_that_was_unused_before_is_not_this_changes() {
    silent(
        "
//- a.ts
import { b } from './b';
import { lost } from './nowhere';
export const a = 1;
//- b.ts
export const b = 1;
",
        "
//- a.ts
import { b } from './b';
import { lost } from './nowhere';
export const a = 2;
",
    );
}

#[test]
fn ve6_imports_that_work_in_ways_that_nobody_sees() {
    // JSX needs React, a comment names a type, a dynamic import names a file that is made later.
    silent(
        "
//- a.jsx
import React from 'react';
export const A = () => React.createElement('p');
//- b.js
import { T } from './t';
export const b = 1;
//- t.js
export class T {}
",
        "
//- a.jsx
import React from 'react';
export const A = () => <p />;
//- b.js
import { T } from './t';
/** @param {T} it */
export const b = (it) => import(`./made/${it}`);
",
    );
}

#[test]
fn ve6_what_is_loaded_inside_of_a_function() {
    silent(
        "
//- a.js
exports.a = 1;
//- b.js
const { a } = require('./a');
exports.b = a;
",
        "
//- b.js
exports.b = () => {
  const { a } = require('./a');
  return a;
};
",
    );
}
