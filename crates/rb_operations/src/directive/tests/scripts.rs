use std::fmt::Write as _;

use expect_test::expect;

use super::shown;
use crate::directive::understand;
use crate::testing::MemoryFiles;

const STORE: &str = r#"
//- package.json
{ "name": "store" }
//- src/cart/index.ts
export { total } from './total';
//- src/cart/total.ts
export const RATE = 1;
export function total(prices: number[], digits = 2): number {
  return 0;
}
export class Cart {
  addItem(item: string) {}
}
//- src/format.ts
export const money = (value: number) => `${value}`;
export function plural(count: number) {
  return `${count}`;
}
//- src/money.js
export function round(value) {}
//- test/total.test.ts
import { total } from '../src/cart/total';
"#;

#[test]
fn st3_directives_for_scripts() {
    let files = MemoryFiles::new(STORE);
    let mut text = String::new();
    for directive in [
        "Move money and plural from format.ts to a new file called text.ts",
        "Move `plural` to src/cart/total.ts and update all imports",
        "Extract money from src/format.ts into a new module money_format",
        "Rename src/format.ts to src/formatting.ts",
        "Rename the file total.ts in cart to sum.ts and update the references",
        "Merge money.js into format.ts",
        "Get rid of format.ts and put it all in money.js",
        "Add a log boolean parameter to total in total.ts with a base case of false. Make it true in all calls except tests",
        "Remove the digits parameter from total",
        "Rename the prices parameter of total to amounts",
        "Swap the parameters of total: digits, prices",
        "Wrap the standalone functions in format.ts in a new class called Format",
        "Move totl to format.ts",
        "Convert all synchronous file operations to async",
    ] {
        let _ = write!(text, "{directive}\n  {}\n", read(&files, directive));
    }
    expect![[r#"
        Move money and plural from format.ts to a new file called text.ts
          {"operation":"move","symbols":["src/format.ts#money","src/format.ts#plural"],"to":"src/text.ts"}
        Move `plural` to src/cart/total.ts and update all imports
          {"operation":"move","symbols":["src/format.ts#plural"],"to":"src/cart/total.ts"}
        Extract money from src/format.ts into a new module money_format
          {"operation":"move","symbols":["src/format.ts#money"],"to":"src/money_format.ts"}
        Rename src/format.ts to src/formatting.ts
          {"operation":"rename-module","path":"src/format.ts","to":"src/formatting.ts"}
        Rename the file total.ts in cart to sum.ts and update the references
          {"operation":"rename-module","path":"src/cart/total.ts","to":"src/cart/sum.ts"}
        Merge money.js into format.ts
          {"operation":"merge","modules":["src/money.js"],"into":"src/format.ts","merge_tests":false}
        Get rid of format.ts and put it all in money.js
          {"operation":"merge","modules":["src/format.ts"],"into":"src/money.js","merge_tests":false}
        Add a log boolean parameter to total in total.ts with a base case of false. Make it true in all calls except tests
          {"operation":"add-parameter","function":"src/cart/total.ts#total","name":"log","default":"false","annotation":null,"values":[{"value":"true","calls":"not-tests"}],"logs":false}
        Remove the digits parameter from total
          {"operation":"remove-parameter","function":"src/cart/total.ts#total","name":"digits"}
        Rename the prices parameter of total to amounts
          {"operation":"rename-parameter","function":"src/cart/total.ts#total","parameter":"prices","to":"amounts"}
        Swap the parameters of total: digits, prices
          nothing structural
        Wrap the standalone functions in format.ts in a new class called Format
          {"operation":"encapsulate","functions":["src/format.ts#money","src/format.ts#plural"],"class":"Format"}
        Move totl to format.ts
          ? totl: nothing in the project is called `totl`
            src/cart/total.ts:2 total
        Convert all synchronous file operations to async
          nothing structural
    "#]].assert_eq(&text);
}

/// A name that both have: nobody knows which one is meant.
#[test]
fn st3_two_languages_with_the_same_name() {
    let fixture = "//- cart.py\ndef total(): pass\n//- sums.py\n//- cart.ts\nexport function total() {}\n//- sums.ts\n";
    let files = MemoryFiles::new(fixture);
    let directives = [
        "Move total from cart.ts to sums.ts",
        "Move total from cart.py to sums.py",
        "Move total from cart to sums",
    ];
    let read = directives.map(|directive| read(&files, directive)).join("\n");
    expect![[r#"
        {"operation":"move","symbols":["cart.ts#total"],"to":"sums.ts"}
        {"operation":"move","symbols":["cart.py#total"],"to":"sums.py"}
        ? : it could mean Python or JavaScript and TypeScript; name the file"#]]
    .assert_eq(&read);
}

fn read(files: &MemoryFiles, directive: &str) -> String {
    understand(files, directive).map_or("nothing structural".to_owned(), |it| shown(&it))
}
