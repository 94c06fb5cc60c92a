use expect_test::expect;

use super::check;

const SHOP: &str = "
//- src/shop.ts
import { Emitter } from 'events';
export interface Priced {
  price(item: string, count?: number): number;
}
export class Shop implements Priced {
  constructor(private readonly name: string, size: number) {}
  price(item: string, count = 1): number {
    return count + this.other();
  }
  other(): number {
    return this.price('a', 2);
  }
  static open(kind: number) {
    return new Shop('x', 1);
  }
}
export class Sale extends Shop {
  price(item: string, count = 1): number {
    return super.price(item, count) / 2;
  }
}
//- src/unrelated.ts
export class Other {
  price(item: string) {
    return 1;
  }
}
new Other().price('x');
//- src/user.ts
import { Shop, Sale } from './shop';
const shop = new Shop('s', 2);
shop.price('a');
new Sale('t', 3).price('b', 4);
export const sum = (priced: Shop, sale: Sale) => priced.price('c') + sale.price('d');
Shop.open(1);
";

#[test]
fn st2_members_of_a_family_change_together() {
    check(
        SHOP,
        r#"{"operation": "add-parameter", "function": "src/shop.ts#Shop.price", "name": "log", "default": "false", "annotation": null,
            "values": [{"value": "true", "calls": "all"}]}"#,
        &expect![[r#"
            parameter `log` added to `Shop.price`, passed by 6 calls
            //- src/shop.ts
            import { Emitter } from 'events';
            export interface Priced {
              price(item: string, count?: number, log?: boolean): number;
            }
            export class Shop implements Priced {
              constructor(private readonly name: string, size: number) {}
              price(item: string, count = 1, log: boolean = false): number {
                return count + this.other();
              }
              other(): number {
                return this.price('a', 2, true);
              }
              static open(kind: number) {
                return new Shop('x', 1);
              }
            }
            export class Sale extends Shop {
              price(item: string, count = 1, log: boolean = false): number {
                return super.price(item, count, true) / 2;
              }
            }
            //- src/user.ts
            import { Shop, Sale } from './shop';
            const shop = new Shop('s', 2);
            shop.price('a', undefined, true);
            new Sale('t', 3).price('b', 4, true);
            export const sum = (priced: Shop, sale: Sale) => priced.price('c', undefined, true) + sale.price('d', undefined, true);
            Shop.open(1);
            api: src/shop.ts Shop.price(item: string, count = 1) -> Shop.price(item: string, count = 1, log: boolean = false)
        "#]],
    );
}

#[test]
fn st2_members_of_a_class_itself_are_known() {
    check(
        SHOP,
        r#"{"operation": "remove-parameter", "function": "src/shop.ts#Shop.open", "name": "kind"}"#,
        &expect![[r#"
            parameter `kind` removed from `Shop.open` and 1 call
            //- src/shop.ts
            import { Emitter } from 'events';
            export interface Priced {
              price(item: string, count?: number): number;
            }
            export class Shop implements Priced {
              constructor(private readonly name: string, size: number) {}
              price(item: string, count = 1): number {
                return count + this.other();
              }
              other(): number {
                return this.price('a', 2);
              }
              static open() {
                return new Shop('x', 1);
              }
            }
            export class Sale extends Shop {
              price(item: string, count = 1): number {
                return super.price(item, count) / 2;
              }
            }
            //- src/user.ts
            import { Shop, Sale } from './shop';
            const shop = new Shop('s', 2);
            shop.price('a');
            new Sale('t', 3).price('b', 4);
            export const sum = (priced: Shop, sale: Sale) => priced.price('c') + sale.price('d');
            Shop.open();
            api: src/shop.ts Shop.open(kind: number) -> Shop.open()
        "#]],
    );
    check(
        SHOP,
        r#"{"operation": "remove-parameter", "function": "src/shop.ts#Shop.constructor", "name": "size"}"#,
        &expect![[r#"
            parameter `size` removed from `Shop.constructor` and 3 calls
            //- src/shop.ts
            import { Emitter } from 'events';
            export interface Priced {
              price(item: string, count?: number): number;
            }
            export class Shop implements Priced {
              constructor(private readonly name: string) {}
              price(item: string, count = 1): number {
                return count + this.other();
              }
              other(): number {
                return this.price('a', 2);
              }
              static open(kind: number) {
                return new Shop('x');
              }
            }
            export class Sale extends Shop {
              price(item: string, count = 1): number {
                return super.price(item, count) / 2;
              }
            }
            //- src/user.ts
            import { Shop, Sale } from './shop';
            const shop = new Shop('s');
            shop.price('a');
            new Sale('t').price('b', 4);
            export const sum = (priced: Shop, sale: Sale) => priced.price('c') + sale.price('d');
            Shop.open(1);
            api: src/shop.ts Shop.constructor(private readonly name: string, size: number) -> Shop.constructor(private readonly name: string)
        "#]],
    );
}

#[test]
fn st2_members_are_refused_where_a_receiver_is_not_known() {
    let operation = r#"{"operation": "add-parameter", "function": "src/shop.ts#Shop.price", "name": "log", "default": "false",
        "annotation": null, "values": []}"#;
    let unknown = format!("{SHOP}//- src/b.ts\nexport const f = (x: any) => x.price('q');\n");
    check(
        &unknown,
        operation,
        &expect![[r#"
        refused: not every use of `Shop.price` is a call that can be changed
          src/b.ts:1: what it is called on is not known
        suggestion: change these places by hand first
    "#]],
    );
    let outside = "//- src/shop.ts\nimport { Base } from 'base';\nexport class Shop extends Base {\n  price() {}\n}\n";
    check(
        outside,
        operation,
        &expect![[r#"
            refused: not every use of `Shop.price` is a call that can be changed
              src/shop.ts:2: `Shop` extends a class that is not part of the project
            suggestion: change these places by hand first
        "#]],
    );
    let remove = r#"{"operation": "remove-parameter", "function": "src/shop.ts#Shop.price", "name": "item"}"#;
    check(
        SHOP,
        remove,
        &expect![[r#"
            refused: another function may be called instead of `Shop.price`
              src/unrelated.ts:1: this may be taken for it
            suggestion: change its signature by hand
        "#]],
    );
}
