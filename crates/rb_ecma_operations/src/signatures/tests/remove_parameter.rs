use expect_test::expect;

use super::check;

const REMOVE: &str =
    r#"{"operation": "remove-parameter", "function": "src/a.ts#load", "name": "size"}"#;

#[test]
fn st1_remove_parameter_shortens_calls() {
    check(
        "
//- src/a.ts
/**
 * @param {string} path where
 * @param {number} size how much
 */
export const load = async (path: string, size = 1, last?: number): Promise<string> => path + last;
//- src/user.ts
import { load as l } from './a';
l('x', 2);
l('x');
l(
  'y', // why
  3, // size
  4,
);
l(
  'z',
  5,
);
",
        REMOVE,
        &expect![[r#"
            parameter `size` removed from `load` and 3 calls
            //- src/a.ts
            /**
             * @param {string} path where
             */
            export const load = async (path: string, last?: number): Promise<string> => path + last;
            //- src/user.ts
            import { load as l } from './a';
            l('x');
            l('x');
            l(
              'y', // why
              4,
            );
            l(
              'z',
            );
            api: src/a.ts load(path: string, size = 1, last?: number) -> load(path: string, last?: number)
        "#]],
    );
    check(
        "//- src/a.ts\nconst load = size => 1;\nload(2);\n",
        REMOVE,
        &expect![[r#"
        parameter `size` removed from `load` and 1 call
        //- src/a.ts
        const load = () => 1;
        load();
        api: src/a.ts load(size) -> load()
    "#]],
    );
}

#[test]
fn st1_remove_parameter_is_refused_where_something_would_be_lost() {
    let used = "//- src/a.ts\nexport function load(size: number) {\n  return () => size;\n}\n";
    check(
        used,
        REMOVE,
        &expect![[r#"
        refused: `size` cannot be removed: it is used in the function
          src/a.ts:1: it is used in the function
        suggestion: remove what uses it first
    "#]],
    );
    let effect = "
//- src/a.ts
export function load(size: number) {
  return 1;
}
load(next());
load(...all);
";
    check(
        effect,
        REMOVE,
        &expect![[r#"
        refused: some arguments cannot be dropped
          src/a.ts:4: the argument may do something
          src/a.ts:5: it spreads a list over the parameters
        suggestion: move them out of the calls first
    "#]],
    );
    let missing = "//- src/a.ts\nexport function load() {}\n";
    check(
        missing,
        REMOVE,
        &expect![[r#"
        refused: `load` has no parameter `size`
        suggestion: name one of its parameters
    "#]],
    );
    let length =
        "//- src/a.ts\nfunction load(size: number) {}\nload.length;\nnew Map([['a', load]]);\n";
    check(
        length,
        REMOVE,
        &expect![[r#"
        refused: not every use of `load` is a call that can be changed
          src/a.ts:2: its number of parameters is read here
          src/a.ts:3: it is passed on here, not called
        suggestion: change these places by hand first
    "#]],
    );
}
