//! Functions that become static methods, as fixtures and what comes of them.

use expect_test::{Expect, expect};

use crate::snapshot::snapshot;

#[track_caller]
fn check(fixture: &str, functions: &str, expected: &Expect) {
    let functions: Vec<String> =
        functions.split(' ').map(|it| format!("\"src/a.ts#{it}\"")).collect();
    let operation = format!(
        "{{\"operation\": \"encapsulate\", \"functions\": [{}], \"class\": \"Tools\"}}",
        functions.join(", ")
    );
    expected.assert_eq(&snapshot(fixture, &operation));
}

#[test]
fn st1_encapsulate_changes_declarations_and_users() {
    check(
        r#"
//- src/a.ts
import { sep } from "node:path";

/** Joins. */
export async function join(a: string, b?: string): Promise<string> {
  if (!b) {
    return join(a, `x
y`);
  }
  return a + sep + b;
}

const keep = 1;

// Splits.
export const split = <T,>(text: T, { at = "/" } = {}) => String(text).split(at);
const wrap = text => ({ text, join });

export function* count(to: number) {
  yield* wrap("x").text;
}
export { wrap as wrapped, keep };
export default join;
//- src/index.ts
export { join, split } from "./a";
export * from "./a";
//- src/user.ts
import main, { join, keep } from "./a";
import { split as cut } from "./index";
import * as all from "./a";

const { count } = await import("./a");
export const value = [join("a"), cut(keep), all.wrapped(1), main("b"), count(1)];
["a"].map(join);
type Join = typeof join;
export const table = { join };
"#,
        "join split wrap",
        &expect![[r#"
            `join`, `split`, `wrap` moved into `Tools`, with 2 files
            //- src/a.ts
            import { sep } from "node:path";

            export class Tools {
              /** Joins. */
              static async join(a: string, b?: string): Promise<string> {
                if (!b) {
                  return Tools.join(a, `x
            y`);
                }
                return a + sep + b;
              }

              // Splits.
              static split<T,>(text: T, { at = "/" } = {}) {
                return String(text).split(at);
              }

              static wrap(text) {
                return ({ text, join: Tools.join });
              }
            }

            const keep = 1;

            export function* count(to: number) {
              yield* Tools.wrap("x").text;
            }
            export { keep };
            export default Tools.join;
            //- src/index.ts
            export { Tools } from "./a";
            export * from "./a";
            //- src/user.ts
            import main, { keep, Tools } from "./a";
            import * as all from "./a";

            const { count } = await import("./a");
            export const value = [Tools.join("a"), Tools.split(keep), all.Tools.wrap(1), main("b"), count(1)];
            ["a"].map(Tools.join);
            type Join = typeof Tools.join;
            export const table = { join: Tools.join };
            api: src/a.ts join -> Tools.join
            api: src/a.ts split -> Tools.split
            api: src/a.ts wrap -> Tools.wrap
        "#]],
    );
}

#[test]
fn st1_encapsulate_follows_overloads() {
    check(
        "
//- src/a.ts
function f(a: number): number;
function f(a: string): string;
function f(a: any) {
  return a;
}
f(1);
",
        "f",
        &expect![[r#"
            `f` moved into `Tools`, with 0 files
            //- src/a.ts
            class Tools {
              static f(a: number): number;
              static f(a: string): string;
              static f(a: any) {
                return a;
              }
            }
            Tools.f(1);
        "#]],
    );
}

#[test]
fn st1_encapsulate_is_refused_where_a_method_is_no_function() {
    check(
        "//- src/a.ts\nfunction f() {\n  return this;\n}\n",
        "f",
        &expect![[r#"
        refused: `f` cannot become a static method: it uses `this`
          src/a.ts:1: it uses `this`
        suggestion: leave it out
    "#]],
    );
    check(
        "//- src/a.ts\nconst x = f();\nfunction f() {\n  return 1;\n}\n",
        "f",
        &expect![[r#"
        refused: `f` cannot become a static method: it is called while the file is loaded, before the class would be there
          src/a.ts:2: it is called while the file is loaded, before the class would be there
        suggestion: leave it out
    "#]],
    );
    check(
        "//- src/a.ts\nfunction f() {}\nnew f();\n",
        "f",
        &expect![[r#"
        refused: the function cannot become a static method: it is called with `new` here
          src/a.ts:2: it is called with `new` here
        suggestion: leave it out
    "#]],
    );
    check(
        "//- src/a.ts\nexport default function f() {}\n",
        "f",
        &expect![[r#"
        refused: `f` cannot become a static method: it is declared as the default export
          src/a.ts:1: it is declared as the default export
        suggestion: leave it out
    "#]],
    );
    check(
        "//- src/a.ts\nexport const f = 1;\n",
        "f",
        &expect![[r#"
        refused: `f` cannot become a static method: it is not a function
          src/a.ts:1: it is not a function
        suggestion: leave it out
    "#]],
    );
    check(
        "//- src/a.ts\nclass Tools {}\nfunction f() {}\n",
        "f",
        &expect![[r#"
        refused: `Tools` means something in src/a.ts already
        suggestion: choose another name
    "#]],
    );
    check(
        "//- src/a.ts\nfunction f() {}\n",
        "g",
        &expect![[r#"
        refused: `g` is not declared at the top level of src/a.ts
          src/a.ts:1: f
        suggestion: give the file that declares it, and its name there
    "#]],
    );
}
