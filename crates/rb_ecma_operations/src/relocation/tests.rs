//! Wrong moves that generated programs showed: what is exported twice or not as a type, and what is loaded too early or no longer.

use expect_test::{Expect, expect};

use crate::snapshot::snapshot;

#[track_caller]
fn check_move(fixture: &str, symbol: &str, to: &str, expected: &Expect) {
    let operation =
        format!("{{\"operation\": \"move\", \"symbols\": [\"{symbol}\"], \"to\": \"{to}\"}}");
    expected.assert_eq(&snapshot(fixture, &operation));
}

/// Compilers that see one file at a time cannot know that `export { T }` is nothing but a type.
#[test]
fn st2_a_moved_type_is_exported_as_a_type() {
    check_move(
        "
//- a.ts
interface Item { size: number }
export const one = 1;
export type { Item as Thing };
//- c.ts
import type { Thing } from './a';
export const thing: Thing = { size: 1 };
",
        "a.ts#Item",
        "b.ts",
        &expect![[r#"
            `Item` moved to b.ts in 3 files
            //- a.ts
            export const one = 1;
            //- b.ts (created)
            interface Item { size: number }

            export type { Item as Thing };
            //- c.ts
            import type { Thing } from './b';
            export const thing: Thing = { size: 1 };
            api: a.ts Thing -> `Thing` of b.ts
        "#]],
    );
}

#[test]
fn st2_a_target_that_exports_the_name() {
    // Another thing of that name.
    check_move(
        "
//- a.ts
export const alpha = 1;
//- index.ts
export { other, alpha } from './more';
//- more.ts
export const other = 2;
export const alpha = 3;
",
        "a.ts#alpha",
        "index.ts",
        &expect![[r#"
            refused: index.ts exports another `alpha` already
              index.ts:1: alpha
            suggestion: rename one of them first
        "#]],
    );
    // The same, by `export *`.
    check_move(
        "
//- a.ts
export const alpha = 1;
//- index.ts
export * from './more';
//- more.ts
export const alpha = 3;
",
        "a.ts#alpha",
        "index.ts",
        &expect![[r#"
            refused: index.ts exports another `alpha` already
              index.ts:1: alpha
            suggestion: rename one of them first
        "#]],
    );
    // The moved name itself, by way of another file, and by a list.
    check_move(
        "
//- a.ts
export const alpha = 1;
//- index.ts
export { alpha } from './mid';
export const own = 2;
//- mid.ts
export { alpha } from './a';
",
        "a.ts#alpha",
        "index.ts",
        &expect![[r#"
            `alpha` moved to index.ts in 3 files
            //- a.ts (removed)
            //- index.ts
            export const own = 2;

            export const alpha = 1;
            //- mid.ts
            export { alpha } from './index';
            api: a.ts alpha -> `alpha` of index.ts
        "#]],
    );
    check_move(
        "
//- a.ts
export const alpha = 1;
//- index.ts
import { alpha } from './a';
export { alpha };
export const own = () => alpha;
",
        "a.ts#alpha",
        "index.ts",
        &expect![[r#"
            `alpha` moved to index.ts in 2 files
            //- a.ts (removed)
            //- index.ts
            export const own = () => alpha;

            export const alpha = 1;
            api: a.ts alpha -> `alpha` of index.ts
        "#]],
    );
}

/// The shortest cycle is harmless; a longer one makes `tools.ts` run before `more.ts`.
#[test]
fn st2_a_longer_cycle_is_needed_at_load() {
    check_move(
        "
//- base.ts
import { box } from './shop';
export const loop = () => box();
//- index.ts
export { loop } from './base';
export { total } from './more';
//- more.ts
import { loop } from './base';
export const total = 7;
export const run = () => loop();
//- shop.ts
export function box() { return 1; }
//- tools.ts
import { total } from './index';
import { loop } from './base';
export const beta = total % 97;
export const later = () => loop();
",
        "shop.ts#box",
        "tools.ts",
        &expect![[r#"
            refused: index.ts and tools.ts would import each other, and `total` is needed while tools.ts is loaded
              tools.ts:1: total
            suggestion: move what they share along, or to a third file
        "#]],
    );
}

#[test]
fn st2_an_initializer_goes_on_running() {
    let fixture = "
//- a.ts
import { trace } from './trace';
export function twin(n: number) { return n * 2; }
export const value = trace(9);
//- trace.ts
export function trace(n: number) { console.log(n); return n; }
//- user.ts
import { twin } from './a';
console.log(twin(1));
//- both.ts
import { twin } from './a';
import { value } from './a';
console.log(twin(value));
//- through.ts
import './both';
import { twin } from './a';
console.log(twin(3));
//- copy.ts
export function twin(n: number) { return n * 2; }
";
    check_move(
        fixture,
        "a.ts#twin",
        "b.ts",
        &expect![[r#"
        `twin` moved to b.ts in 5 files
        //- a.ts
        import { trace } from './trace';
        export const value = trace(9);
        //- b.ts (created)
        export function twin(n: number) { return n * 2; }
        //- both.ts
        import { twin } from './b';
        import { value } from './a';
        console.log(twin(value));
        //- through.ts
        import './both';
        import { twin } from './b';
        console.log(twin(3));
        //- user.ts
        import './a';
        import { twin } from './b';
        console.log(twin(1));
        api: a.ts twin -> `twin` of b.ts
        note: user.ts goes on importing a.ts, which does something when it is loaded
    "#]],
    );
    let operation =
        r#"{"operation": "replace-duplicate", "keep": "copy.ts#twin", "remove": "a.ts#twin"}"#;
    expect![[r#"
        the copy of `twin` in a.ts replaced by that of copy.ts
        //- a.ts
        import { trace } from './trace';
        export const value = trace(9);
        //- both.ts
        import { twin } from './copy';
        import { value } from './a';
        console.log(twin(value));
        //- through.ts
        import './both';
        import { twin } from './copy';
        console.log(twin(3));
        //- user.ts
        import './a';
        import { twin } from './copy';
        console.log(twin(1));
        api: a.ts twin -> `twin` of copy.ts
        note: user.ts goes on importing a.ts, which does something when it is loaded
    "#]]
    .assert_eq(&snapshot(fixture, operation));
}

/// An import of nothing but a type loads nothing, and must not begin to.
#[test]
fn st2_a_type_does_not_load_its_file() {
    check_move(
        "
//- a.ts
export interface Item { size: number }
export const value = start();
//- user.ts
import { Item } from './a';
export const item: Item = { size: 1 };
",
        "a.ts#Item",
        "b.ts",
        &expect![[r#"
            `Item` moved to b.ts in 3 files
            //- a.ts
            export const value = start();
            //- b.ts (created)
            export interface Item { size: number }
            //- user.ts
            import { Item } from './b';
            export const item: Item = { size: 1 };
            api: a.ts Item -> `Item` of b.ts
        "#]],
    );
}

/// `declare const` is a promise about a global, which no module exports.
#[test]
fn st2_an_ambient_declaration_is_not_imported() {
    let fixture = "
//- a.ts
declare const CONTENT: string;

export const size = () => CONTENT.length;
export const first = () => CONTENT[0];
";
    check_move(
        fixture,
        "a.ts#CONTENT",
        "b.ts",
        &expect![[r#"
        refused: `CONTENT` is only declared: it is a global, and no file can import it
          a.ts:1: CONTENT
        suggestion: move all code that uses it together
    "#]],
    );
    check_move(
        fixture,
        "a.ts#size",
        "b.ts",
        &expect![[r#"
        refused: `CONTENT` is only declared: it is a global, and no file can import it
          a.ts:1: CONTENT
        suggestion: move all code that uses it together
    "#]],
    );
    check_move(
        &fixture.replace("CONTENT[0]", "1"),
        "a.ts#size",
        "b.ts",
        &expect![[r#"
        `size` moved to b.ts in 2 files
        //- a.ts
        export const first = () => 1;
        //- b.ts (created)
        declare const CONTENT: string;

        export const size = () => CONTENT.length;
        api: a.ts size -> `size` of b.ts
        note: `CONTENT` went along: nothing else uses it
    "#]],
    );
}
