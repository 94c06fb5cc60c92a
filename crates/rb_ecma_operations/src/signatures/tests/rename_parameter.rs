use expect_test::expect;

use super::check;

const RENAME: &str = r#"{"operation": "rename-parameter", "function": "src/a.ts#load", "parameter": "size", "to": "amount"}"#;

#[test]
fn st1_rename_parameter_changes_its_uses() {
    check(
        "
//- src/a.ts
/** @param {number} [size=1] how much */
export function load(size: unknown): size is number;
export function load(size?: any): boolean {
  let rest: typeof size;
  ({ size } = { size: 1 });
  const inner = (size: number) => size;
  return { size, other: size, 'size': inner }.size === `size ${size}`;
}
",
        RENAME,
        &expect![[r#"
            parameter `size` of `load` renamed to `amount`
            //- src/a.ts
            /** @param {number} [amount=1] how much */
            export function load(amount: unknown): amount is number;
            export function load(amount?: any): boolean {
              let rest: typeof amount;
              ({ size: amount } = { size: 1 });
              const inner = (size: number) => size;
              return { size: amount, other: amount, 'size': inner }.size === `size ${amount}`;
            }
        "#]],
    );
}

#[test]
fn st1_rename_parameter_renames_a_property_in_the_calls() {
    check(
        "
//- src/a.ts
export function load({ size, path: where = 'x' }: { size: number; path?: string }) {
  return size + where;
}
//- src/user.ts
import { load } from './a';
const size = 1;
load({ size });
load({ path: 'y', size: 2 });
",
        RENAME,
        &expect![[r#"
            parameter `size` of `load` renamed to `amount` in 2 calls
            //- src/a.ts
            export function load({ amount, path: where = 'x' }: { amount: number; path?: string }) {
              return amount + where;
            }
            //- src/user.ts
            import { load } from './a';
            const size = 1;
            load({ amount: size });
            load({ path: 'y', amount: 2 });
            api: src/a.ts size -> amount
        "#]],
    );
    check(
        "
//- src/a.ts
export function load({ size }: { size: number }) {
  return size;
}
load(options);
load({ ...options });
",
        RENAME,
        &expect![[r#"
            refused: not every call of `load` passes an object literal
              src/a.ts:4: what is passed here is not a plain object literal
              src/a.ts:5: what is passed here is not a plain object literal
            suggestion: write object literals there first
        "#]],
    );
}

#[test]
fn st1_rename_parameter_is_refused_where_names_meet() {
    let inner = "
//- src/a.ts
export function load(size: number) {
  return [1].map((amount) => amount + size);
}
";
    check(
        inner,
        RENAME,
        &expect![[r#"
        refused: `size` cannot be renamed to `amount`: another `let` or function of this name is here
          src/a.ts:2: another `let` or function of this name is here
        suggestion: choose another name
    "#]],
    );
    let outer =
        "//- src/a.ts\nconst amount = 1;\nexport const load = (size: number) => size + amount;\n";
    check(
        outer,
        RENAME,
        &expect![[r#"
        refused: `size` cannot be renamed to `amount`: the function uses this name already
          src/a.ts:2: the function uses this name already
        suggestion: choose another name
    "#]],
    );
    let other = "//- src/a.ts\nexport const load = ({ size }: Options) => size;\n";
    check(
        other,
        RENAME,
        &expect![[r#"
        refused: `size` cannot be renamed to `amount`: its type is declared elsewhere
          src/a.ts:1: its type is declared elsewhere
        suggestion: choose another name
    "#]],
    );
    let keyword = RENAME.replace("amount", "class");
    check(
        other,
        &keyword,
        &expect![[r#"
        refused: `class` cannot be the name of a parameter
        suggestion: choose another name
    "#]],
    );
}
