//! Imports that stay sorted, as fixtures and what comes of them.

use expect_test::{Expect, expect};

use crate::snapshot::snapshot;

#[track_caller]
fn check(fixture: &str, expected: &Expect) {
    let operation = r#"{"operation": "rename-module", "path": "util/b.ts", "to": "util/x.ts"}"#;
    expected.assert_eq(&snapshot(fixture, operation));
}

const FILES: &str = "
//- util/b.ts
export const b = 1;
//- util/c.ts
export const c = 1;
//- util/d.ts
export const d = 1;
";

#[test]
fn st1_a_changed_import_goes_to_its_place() {
    let user = "//- user.ts
import { b } from './util/b';
import { c } from './util/c';
import { d } from './util/d';

export * from './util/b';
export * from './util/c';
//- mixed.ts
import { b } from './util/b';
import { d } from './util/d';
import { c } from './util/c';
//- two.ts
import { b } from './util/b';
import { c } from './util/c';
";
    check(
        &format!("{FILES}{user}"),
        &expect![[r#"
        util/b.ts renamed to util/x.ts; 3 other files follow
        //- mixed.ts
        import { b } from './util/x';
        import { d } from './util/d';
        import { c } from './util/c';
        //- two.ts
        import { b } from './util/x';
        import { c } from './util/c';
        //- user.ts
        import { c } from './util/c';
        import { d } from './util/d';
        import { b } from './util/x';

        export * from './util/c';
        export * from './util/x';
        //- util/b.ts (removed)
        //- util/x.ts (created)
        export const b = 1;
        api: util/b.ts a module -> util/x.ts
    "#]],
    );
}

/// What is loaded first runs first.
#[test]
fn st2_an_import_stays_before_one_that_runs_something() {
    let user = "//- user.ts
import { b } from './util/b';
import { c } from './util/c';
import { d } from './util/d';
";
    let quiet = FILES.replace("export const c = 1;", "export const c = 1;\nconsole.log(c);");
    check(
        &format!("{quiet}{user}"),
        &expect![[r#"
        util/b.ts renamed to util/x.ts; 1 other file follows
        //- user.ts
        import { c } from './util/c';
        import { d } from './util/d';
        import { b } from './util/x';
        //- util/b.ts (removed)
        //- util/x.ts (created)
        export const b = 1;
        api: util/b.ts a module -> util/x.ts
    "#]],
    );
    let both = quiet.replace("export const b = 1;", "export const b = Math.random();");
    check(
        &format!("{both}{user}"),
        &expect![[r#"
        util/b.ts renamed to util/x.ts; 1 other file follows
        //- user.ts
        import { b } from './util/x';
        import { c } from './util/c';
        import { d } from './util/d';
        //- util/b.ts (removed)
        //- util/x.ts (created)
        export const b = Math.random();
        api: util/b.ts a module -> util/x.ts
    "#]],
    );
}

#[test]
fn st1_imports_that_a_move_adds_are_sorted() {
    let operation = r#"{"operation": "move", "symbols": ["a.ts#sum"], "to": "new.ts"}"#;
    let fixture = "
//- a.ts
import { b } from './util/b';
import type { C } from './util/c';
import { d } from './util/d';

export const sum = (c: C) => b + c + d;
export const own = b;
//- user.ts
import { sum, own } from './a';
import { b } from './util/b';
import type { C } from './util/c';

sum(own as C);
//- util/b.ts
export const b = 1;
//- util/c.ts
export type C = number;
//- util/d.ts
export const d = 1;
//- existing.ts
import { a } from './util/a';
import { c } from './util/c';
import { e } from './util/e';
";
    expect![[r#"
        `sum` moved to new.ts in 3 files
        //- a.ts
        import { b } from './util/b';

        export const own = b;
        //- new.ts (created)
        import { b } from './util/b';
        import type { C } from './util/c';
        import { d } from './util/d';

        export const sum = (c: C) => b + c + d;
        //- user.ts
        import { own } from './a';
        import { sum } from './new';
        import { b } from './util/b';
        import type { C } from './util/c';

        sum(own as C);
        api: a.ts sum -> `sum` of new.ts
    "#]]
    .assert_eq(&snapshot(fixture, operation));
}
