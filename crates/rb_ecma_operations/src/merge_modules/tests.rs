//! Merges, as fixtures and what comes of them.

use expect_test::{Expect, expect};

use crate::snapshot::snapshot;

#[track_caller]
fn check(fixture: &str, modules: &str, into: &str, expected: &Expect) {
    let modules: Vec<String> = modules.split(' ').map(|it| format!("\"{it}\"")).collect();
    let operation = format!(
        "{{\"operation\": \"merge\", \"modules\": [{}], \"into\": \"{into}\"}}",
        modules.join(", ")
    );
    expected.assert_eq(&snapshot(fixture, &operation));
}

const FIXTURE: &str = r#"
//- src/dates.ts
import { pad } from './pad';
import { format } from './format';
export { zone } from './zone';

/** Now. */
export const now = () => pad(format(1));
const hidden = 2;
export default hidden;
export { hidden as shown };
//- src/format.ts
import { pad } from './pad';

export function format(n: number): string {
  return pad(String(n));
}
//- src/pad.ts
export const pad = (s: string) => s;
//- src/zone.ts
export const zone = 'UTC';
//- src/user.ts
import value, { now } from './dates';
import { format } from './format';
console.log(value, now(), format(2));
//- src/other.ts
import { shown, zone } from './dates';
import { format } from './format';
import * as dates from './dates';
console.log(shown, zone, format(2), dates.now());
//- src/index.ts
export * from './dates';
export * from './format';
"#;

#[test]
fn st1_merge_into_a_module() {
    check(
        FIXTURE,
        "src/dates.ts",
        "src/format.ts",
        &expect![[r#"
            src/dates.ts merged into src/format.ts in 5 files
            //- src/dates.ts (removed)
            //- src/format.ts
            import { pad } from './pad';

            export { zone } from './zone';

            export function format(n: number): string {
              return pad(String(n));
            }

            /** Now. */
            export const now = () => pad(format(1));
            const hidden = 2;
            export default hidden;

            export { hidden as shown };
            //- src/index.ts
            export * from './format';
            //- src/other.ts
            import { format, shown, zone } from './format';
            import * as dates from './format';
            console.log(shown, zone, format(2), dates.now());
            //- src/user.ts
            import value, { now } from './format';
            import { format } from './format';
            console.log(value, now(), format(2));
            api: src/dates.ts a module -> src/format.ts
        "#]],
    );
}

#[test]
fn st1_merge_into_a_new_module() {
    check(
        FIXTURE,
        "src/format.ts src/pad.ts",
        "src/text.ts",
        &expect![[r#"
        src/format.ts, src/pad.ts merged into src/text.ts in 7 files
        //- src/dates.ts
        import { format, pad } from './text';
        export { zone } from './zone';

        /** Now. */
        export const now = () => pad(format(1));
        const hidden = 2;
        export default hidden;
        export { hidden as shown };
        //- src/format.ts (removed)
        //- src/index.ts
        export * from './dates';
        export * from './text';
        //- src/other.ts
        import { shown, zone } from './dates';
        import { format } from './text';
        import * as dates from './dates';
        console.log(shown, zone, format(2), dates.now());
        //- src/pad.ts (removed)
        //- src/text.ts (created)
        export function format(n: number): string {
          return pad(String(n));
        }

        export const pad = (s: string) => s;
        //- src/user.ts
        import value, { now } from './dates';
        import { format } from './text';
        console.log(value, now(), format(2));
        api: src/format.ts a module -> src/text.ts
        api: src/pad.ts a module -> src/text.ts
    "#]],
    );
}

#[test]
fn st1_merge_is_refused() {
    check(
        "
//- a.ts
export const x = 1;
//- b.ts
export const x = 2;
",
        "a.ts",
        "b.ts",
        &expect![[r#"
            refused: a.ts and b.ts both export `x`
              b.ts:1: x
            suggestion: rename one of them first
        "#]],
    );
    check(
        "
//- a.ts
console.log(1);
//- b.ts
export const x = 2;
",
        "a.ts",
        "b.ts",
        &expect![[r#"
            refused: a.ts does something when it is loaded
              a.ts:1: runs when the file is loaded
            suggestion: move that code into a function first
        "#]],
    );
}

#[test]
fn st1_merge_of_reexports_and_comments() {
    check(
        "
//- a.ts
// Licensed to you.
import { x } from './x';

// Main exports
export * from './y';

/** The one. */
export const a = x;
//- b.ts
import { x } from './x';

export const b = x;
//- x.ts
export const x = 1;
//- y.ts
export const y = 1;
",
        "a.ts",
        "b.ts",
        &expect![[r#"
            a.ts merged into b.ts in 2 files
            //- a.ts (removed)
            //- b.ts
            import { x } from './x';

            export * from './y';

            export const b = x;

            /** The one. */
            export const a = x;
            api: a.ts a module -> b.ts
            note: comments of a.ts were not moved: lines 1, 4
        "#]],
    );
}
