//! Parameters that become an object, as fixtures and what comes of them.

use expect_test::{Expect, expect};

use crate::snapshot::snapshot;

#[track_caller]
fn check(fixture: &str, rest: &str, expected: &Expect) {
    let operation = format!(
        "{{\"operation\": \"parameter-object\", \"function\": \"src/a.ts#load\", \"class\": \"Options\"{rest}}}"
    );
    expected.assert_eq(&snapshot(fixture, &operation));
}

const LOAD: &str = r#"
//- src/a.ts
/** Loads. */
export function load(
  path: string,
  size: number = 1,
  deep = false,
): string {
  return path + size + deep;
}
//- src/user.ts
import { load } from "./a";
const path = "x";
load(path, 2);
load(
  load("y"),
  3,
  true,
);
"#;

#[test]
fn st1_parameter_object_wraps_parameters_and_calls() {
    check(
        LOAD,
        "",
        &expect![[r#"
            parameters of `load` wrapped in `Options`, with 3 calls
            //- src/a.ts
            export interface Options {
              path: string;
              size?: number;
              deep?: boolean;
            }

            /** Loads. */
            export function load({
              path,
              size = 1,
              deep = false,
            }: Options): string {
              return path + size + deep;
            }
            //- src/user.ts
            import { load } from "./a";
            const path = "x";
            load({ path, size: 2 });
            load({
              path: load({ path: "y" }),
              size: 3,
              deep: true,
            });
            api: src/a.ts load(path: string, size: number = 1, deep = false) -> load({ path, size = 1, deep = false, }: Options)
        "#]],
    );
    check(
        LOAD,
        r#", "parameters": ["size", "deep"], "module": "src/types.ts""#,
        &expect![[r#"
        parameters of `load` wrapped in `Options`, with 2 calls
        //- src/a.ts
        import type { Options } from "./types";

        /** Loads. */
        export function load(path: string, { size = 1, deep = false }: Options = {}): string {
          return path + size + deep;
        }
        //- src/types.ts (created)
        export interface Options {
          size?: number;
          deep?: boolean;
        }
        //- src/user.ts
        import { load } from "./a";
        const path = "x";
        load(path, { size: 2 });
        load(load("y"), { size: 3, deep: true });
        api: src/a.ts load(path: string, size: number = 1, deep = false) -> load(path: string, { size = 1, deep = false }: Options = {})
    "#]],
    );
}

#[test]
fn st1_parameter_object_has_no_interface_in_javascript() {
    let fixture = "//- src/a.js\nexport const load = (a, b = 2) => a + b;\nload(1);\n";
    let operation =
        r#"{"operation": "parameter-object", "function": "src/a.js#load", "class": "Options"}"#;
    expect![[r#"
        parameters of `load` wrapped in `Options`, with 1 call
        //- src/a.js
        export const load = ({ a, b = 2 }) => a + b;
        load({ a: 1 });
        api: src/a.js load(a, b = 2) -> load({ a, b = 2 })
    "#]]
    .assert_eq(&snapshot(fixture, operation));
}

#[test]
fn st1_parameter_object_is_refused_where_it_would_change_something() {
    check(
        "//- src/a.ts\nfunction load<T>(a: T) {}\n",
        "",
        &expect![[r#"
        refused: the type of `a` depends on a type parameter
          src/a.ts:1: `a`
        suggestion: name the other parameters
    "#]],
    );
    check(
        "//- src/a.ts\nfunction load(a = f()) {}\n",
        "",
        &expect![[r#"
        refused: the type of `a` is not written
          src/a.ts:1: `a`
        suggestion: annotate it first
    "#]],
    );
    check(
        "//- src/a.ts\nfunction load(...a: number[]) {}\n",
        "",
        &expect![[r#"
        refused: a rest parameter, a pattern or a member cannot go into the object
        suggestion: name the other parameters
    "#]],
    );
    check(
        "//- src/a.ts\nfunction load(a: number) {}\nload(...[1]);\n",
        "",
        &expect![[r#"
        refused: some calls of `load` cannot pass an object
          src/a.ts:2: it spreads a list over the parameters
        suggestion: write their arguments out first
    "#]],
    );
    check(
        "//- src/a.ts\nfunction load(a: number) {}\nlet Options;\n",
        "",
        &expect![[r#"
        refused: `Options` means something in src/a.ts already
        suggestion: choose another name
    "#]],
    );
    let module = r#", "module": "src/b.ts""#;
    check(
        "//- src/a.ts\ntype T = 1;\nfunction load(a: T) {}\n",
        module,
        &expect![[r#"
        refused: the types of `a: T;` would have to be imported there
        suggestion: declare the interface in the file of the function
    "#]],
    );
}
