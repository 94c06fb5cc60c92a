use expect_test::expect;

use super::check;

/// With a default, and a value for calls outside of tests.
const LOG: &str = r#"{"operation": "add-parameter", "function": "src/a.ts#load", "name": "log", "default": "False", "annotation": null,
    "values": [{"value": "True", "calls": "not-tests"}]}"#;
/// With a default alone.
const OPTIONAL: &str = r#"{"operation": "add-parameter", "function": "src/a.ts#load", "name": "log", "default": "7", "annotation": null,
    "values": []}"#;
/// Without a default.
const REQUIRED: &str = r#"{"operation": "add-parameter", "function": "src/a.js#load", "name": "log", "default": null, "annotation": null,
    "values": [{"value": "'x'", "calls": "all"}]}"#;

#[test]
fn st1_add_parameter_passes_values_by_place_and_pads() {
    check(
        r#"
//- src/a.ts
/**
 * Loads.
 *
 * @param path where
 */
export function load(path: string, size = 1): string {
  return path + size;
}
export const twice = () => load(load("a"), 2);
//- src/index.ts
export { load as read } from "./a";
//- src/user.ts
import * as all from "./index";
import { load } from "./a";

all.read(
  "x",
  1,
);
load("y", /* size */ 2 // two
);
load.call(null, "z");
console.log("load", load.name);
//- src/a.test.ts
import { load } from "./a";
load("t");
"#,
        LOG,
        &expect![[r#"
            parameter `log` added to `load`, passed by 5 calls
            //- src/a.ts
            /**
             * Loads.
             *
             * @param path where
             * @param log
             */
            export function load(path: string, size = 1, log: boolean = false): string {
              return path + size;
            }
            export const twice = () => load(load("a", undefined, true), 2, true);
            //- src/user.ts
            import * as all from "./index";
            import { load } from "./a";

            all.read(
              "x",
              1,
              true,
            );
            load("y", /* size */ 2, true // two
            );
            load.call(null, "z", undefined, true);
            console.log("load", load.name);
            api: src/a.ts load(path: string, size = 1) -> load(path: string, size = 1, log: boolean = false)
        "#]],
    );
}

#[test]
fn st1_add_parameter_follows_overloads_and_arrows() {
    check(
        "
//- src/a.ts
export function load(a: number): number;
export function load(a: number, b?: string): number;
export function load(a: number, b?: unknown): number {
  return a;
}
",
        OPTIONAL,
        &expect![[r#"
            parameter `log` added to `load`
            //- src/a.ts
            export function load(a: number): number;
            export function load(a: number, b?: string, log?: number): number;
            export function load(a: number, b?: unknown, log: number = 7): number {
              return a;
            }
            api: src/a.ts load(a: number, b?: unknown) -> load(a: number, b?: unknown, log: number = 7)
        "#]],
    );
    check(
        "//- src/a.ts\nexport const load = x => x;\nload(1);\n",
        OPTIONAL,
        &expect![[r#"
        parameter `log` added to `load`
        //- src/a.ts
        export const load = (x, log: number = 7) => x;
        load(1);
        api: src/a.ts load(x) -> load(x, log: number = 7)
    "#]],
    );
    check(
        "//- src/a.js\r\nexport const load = x => x;\r\nload(1);",
        REQUIRED,
        &expect![[r#"
        parameter `log` added to `load`, passed by 1 call
        //- src/a.js
        export const load = (x, log) => x;
        load(1, 'x');
        api: src/a.js load(x) -> load(x, log)
    "#]],
    );
}

#[test]
fn st1_add_parameter_is_refused_where_calls_would_change() {
    let callback = "
//- src/a.ts
export function load(a: string) {
  return a;
}
//- src/user.ts
import { load } from './a';
['1'].map(load);
";
    check(
        callback,
        OPTIONAL,
        &expect![[r#"
        refused: not every use of `load` is a call that can be changed
          src/user.ts:2: it is passed on here, not called
        suggestion: change these places by hand first
    "#]],
    );
    let spread = "
//- src/a.ts
export function load(...all: string[]) {
  return all;
}
load('a', 'b');
load(...['c']);
load();
";
    check(
        spread,
        OPTIONAL,
        &expect![[r#"
        refused: some calls of `load` cannot be kept right
          src/a.ts:4: it passes more arguments than there are parameters
          src/a.ts:5: it spreads a list, which may be longer
        suggestion: give a default, or a value for these calls
    "#]],
    );
    let taken = "//- src/a.ts\nconst log = 1;\nexport function load() {\n  return log;\n}\n";
    check(
        taken,
        OPTIONAL,
        &expect![[r#"
        refused: `load` uses the name `log` already
          src/a.ts:2: in this function
        suggestion: choose another name
    "#]],
    );
    let component = "//- src/a.tsx\nexport function Load(props) {\n  return <p>{props.x}</p>;\n}\n";
    let operation = OPTIONAL.replace("src/a.ts#load", "src/a.tsx#Load");
    check(
        component,
        &operation,
        &expect![[r#"
        refused: the signature of `Load` is not its own: it is a component
          src/a.tsx:1: it is a component
        suggestion: change it by hand
    "#]],
    );
    check(
        "//- src/a.ts\nexport const load = 1;\n",
        OPTIONAL,
        &expect![[r#"
        refused: src/a.ts declares no function `load`
        suggestion: name a function, `Class.method` or `Class.constructor`
    "#]],
    );
    let unread = "
//- src/a.ts
export function load(a: string) {
  return a;
}
//- src/b.vue
<script>
import { load } from './a';
</script>
";
    check(
        unread,
        OPTIONAL,
        &expect![[r#"
        refused: not every use of `load` is a call that can be changed
          src/b.vue:2: ./a
        suggestion: change these places by hand first
    "#]],
    );
    let untyped = OPTIONAL.replace(r#""default": "7""#, r#""default": null"#);
    check(
        "//- src/a.ts\nexport function load() {}\n",
        &untyped,
        &expect![[r#"
        refused: the type of `log` is not known
          src/a.ts:1: the signature
        suggestion: say which type the parameter of `load` has
    "#]],
    );
}

#[test]
fn st2_add_parameter_knows_a_rest_parameter_and_arguments() {
    let rest = "
//- src/a.ts
export function load(a: string, ...rest: string[]) {
  return a;
}
load('a');
";
    check(
        rest,
        OPTIONAL,
        &expect![[r#"
        parameter `log` added to `load`
        //- src/a.ts
        export function load(a: string, log: number = 7, ...rest: string[]) {
          return a;
        }
        load('a');
        api: src/a.ts load(a: string, ...rest: string[]) -> load(a: string, log: number = 7, ...rest: string[])
    "#]],
    );
    let arguments = "
//- src/a.ts
export function load(a: string) {
  return arguments.length;
}
load('a');
";
    check(
        arguments,
        OPTIONAL,
        &expect![[r#"
        parameter `log` added to `load`
        //- src/a.ts
        export function load(a: string, log: number = 7) {
          return arguments.length;
        }
        load('a');
        api: src/a.ts load(a: string) -> load(a: string, log: number = 7)
    "#]],
    );
    check(
        arguments,
        LOG,
        &expect![[r#"
        refused: `load` reads `arguments`
          src/a.ts:1: `arguments` is used in it
        suggestion: give its arguments names first
    "#]],
    );
}

#[test]
fn st1_calls_in_some_files_alone_pass_a_value() {
    let fixture = r#"
//- src/a.ts
export function load(path: string) { return path; }
//- src/cart/one.ts
import { load } from "../a";
load("x");
//- src/two.ts
import { load } from "./a";
load("y");
"#;
    let narrow = |place: &str| {
        let head = r#"{"operation": "add-parameter", "function": "src/a.ts#load", "name": "log", "default": "false", "annotation": null"#;
        format!(
            r#"{head}, "values": [{{"value": "true", "calls": "all", "within": ["{place}"]}}]}}"#
        )
    };
    check(
        fixture,
        &narrow("src/cart/"),
        &expect![[r#"
        parameter `log` added to `load`, passed by 1 call
        //- src/a.ts
        export function load(path: string, log: boolean = false) { return path; }
        //- src/cart/one.ts
        import { load } from "../a";
        load("x", true);
        api: src/a.ts load(path: string) -> load(path: string, log: boolean = false)
    "#]],
    );
    check(
        fixture,
        &narrow("src/two.ts#run"),
        &expect![[r#"
        refused: calls in one function are told from others in Python alone
        suggestion: name files, or folders with a `/`
    "#]],
    );
}
