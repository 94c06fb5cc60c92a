use expect_test::expect;

use super::check;

const REORDER: &str =
    r#"{"operation": "reorder-parameters", "function": "src/a.ts#load", "order": ["b", "a", "c"]}"#;

#[test]
fn st1_reorder_parameters_reorders_calls() {
    check(
        "
//- src/a.ts
export function load(
  a: number,
  b: number,
  c = 1,
): number {
  return a - b;
}
load(1, 2);
load(load(1, 2), 7, load(3, 4, 5));
load(
  1,
  2,
  3,
);
",
        REORDER,
        &expect![[r#"
            parameters of `load` reordered, with 5 calls
            //- src/a.ts
            export function load(
              b: number,
              a: number,
              c = 1,
            ): number {
              return a - b;
            }
            load(2, 1);
            load(7, load(2, 1), load(4, 3, 5));
            load(
              2,
              1,
              3,
            );
            api: src/a.ts load(a: number, b: number, c = 1) -> load(b: number, a: number, c = 1)
        "#]],
    );
    check(
        "
//- src/a.ts
export const load = (a = 1, b = 2, c?: number) => a - b;
load(1);
load(1, 2, 3);
load();
",
        REORDER,
        &expect![[r#"
            parameters of `load` reordered, with 2 calls
            //- src/a.ts
            export const load = (b = 2, a = 1, c?: number) => a - b;
            load(undefined, 1);
            load(2, 1, 3);
            load();
            api: src/a.ts load(a = 1, b = 2, c?: number) -> load(b = 2, a = 1, c?: number)
        "#]],
    );
}

#[test]
fn st1_reorder_parameters_is_refused_where_the_order_shows() {
    let effects = "//- src/a.ts\nfunction load(a: number, b: number, c: number) {}\nload(f(), g(), 1);\nload(x, g(), 1);\n";
    check(
        effects,
        REORDER,
        &expect![[r#"
            refused: some calls of `load` cannot be reordered
              src/a.ts:2: its arguments may do something, and would be evaluated in another order
              src/a.ts:3: its arguments may do something, and would be evaluated in another order
            suggestion: put their arguments into constants first
        "#]],
    );
    let default = "//- src/a.ts\nfunction load(a: number, b = a, c = 2) {}\n";
    check(
        default,
        REORDER,
        &expect![[r#"
        refused: the order cannot be made: a required parameter would follow an optional one
          src/a.ts:1: a required parameter would follow an optional one
        suggestion: choose another order
    "#]],
    );
    let overloads = "//- src/a.ts\nfunction load(a: number): void;\nfunction load(a: number, b?: number, c?: number): void {}\n";
    check(
        overloads,
        REORDER,
        &expect![[r#"
        refused: the order cannot be made: another declaration has other parameters
          src/a.ts:1: another declaration has other parameters
        suggestion: choose another order
    "#]],
    );
    let other = "//- src/a.ts\nfunction load(a: number, b: number) {}\n";
    check(
        other,
        REORDER,
        &expect![[r#"
        refused: the parameters of `load` are a, b
        suggestion: name each of them once
    "#]],
    );
}
