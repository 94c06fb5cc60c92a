//! Structural changes of a Python project: a directive, and recipes with arguments.

use expect_test::{Expect, expect};
use rb_testkit::{Cli, Ran, Repo};

use crate::cli;

const SHOP: &str = r#"
//- pyproject.toml
[project]
name = "shop"
version = "1"
//- shop/__init__.py
//- shop/cart.py
def total(prices):
    return sum(prices)


def count(prices):
    return len(prices)
//- shop/report.py
from shop.cart import count, total


def line(prices):
    return f"{count(prices)}: {total(prices)}"
//- tests/__init__.py
//- tests/test_shop.py
import unittest

from shop.cart import total
from shop.report import line


class ShopTest(unittest.TestCase):
    def test_total(self):
        self.assertEqual(total([1, 2]), 3)

    def test_line(self):
        self.assertEqual(line([1, 2]), "2: 3")


if __name__ == "__main__":
    unittest.main()
"#;

struct Case {
    repo: Repo,
    cli: Cli,
}

impl Case {
    fn new() -> Self {
        Case::of(SHOP)
    }

    fn of(fixture: &str) -> Self {
        let repo = Repo::git_repo(fixture);
        let beside = std::fs::canonicalize(repo.beside("")).unwrap();
        let cli = cli().hide(beside.display().to_string(), "[TMP]");
        Case { repo, cli }
    }

    fn run(&self, command: &[&str], more: &[&str]) -> Ran {
        let root = self.repo.root().display().to_string();
        let args = command.iter().copied().chain([root.as_str()]).chain(more.iter().copied());
        self.cli.run(args)
    }

    #[expect(clippy::needless_pass_by_value, reason = "snapshots are written in place")]
    fn check_fix(&self, args: &[&str], expected: Expect) {
        expected.assert_eq(&self.shown(&self.run(&["rules", "fix"], args)));
    }

    /// Without the blank that a diff writes for an empty line, which no snapshot keeps.
    fn shown(&self, ran: &Ran) -> String {
        self.cli.shown(ran).lines().map(|line| line.trim_end().to_owned() + "\n").collect()
    }
}

const TESTS: &str = r#"["python3 -m unittest discover -v"]"#;

#[test]
fn st1_st3_a_directive_renames_in_python_and_the_tests_pass() {
    let case = Case::new();
    let (fast, full) = (format!("fast_verifier={TESTS}"), format!("full_verifier={TESTS}"));
    let directive = "Rename total in shop/cart.py to grand_total";
    let ran =
        case.run(&["run"], &["--directive", directive, "--yes", "--set", &fast, "--set", &full]);
    ran.expect_code(0);
    expect![[r#"
        exit 0
        --- stdout
        run [RUN]  [TMP]/project
          batch-001  applied  `total` renamed to `grand_total` in 3 files  (3 files, +5 -5)  confidence 83 of 100
              note: shop/cart.py:1: the public interface changed: `total` of `shop.cart` was removed
        tests    2 passed (2 before)
        backup   [USER]/home/backups/project-[HASH]/[RUN]
        report   [USER]/home/runs/[RUN]/report

        Accepted: the changes are in your checkout, committed on main. To undo:
          refactor-bot rollback [RUN]
        --- stderr
        indexing
        planning
        planned 1 task
        saving the history
        checking the saved history
        saving files
        checking the saved files
        baseline: python3 -m unittest discover -v
        baseline: pass
        batch-001: `total` renamed to `grand_total` in 3 files
        verifying: python3 -m unittest discover -v
        batch-001: applied, pass
    "#]].assert_eq(&case.shown(&ran));
    assert_eq!(
        case.repo.read("shop/report.py"),
        "from shop.cart import count, grand_total\n\n\ndef line(prices):\n    return f\"{count(prices)}: {grand_total(prices)}\"\n"
    );
    assert!(case.repo.read("tests/test_shop.py").contains("grand_total([1, 2])"));
}

#[test]
fn st1_st3_a_directive_removes_a_module_and_shows_the_diff() {
    let case = Case::new();
    case.repo.write("shop/tax.py", "RATE = 7\n");
    case.repo.commit_all("tax");
    let directive = ["--directive", "Merge shop/tax.py into shop/cart.py", "--no-verify"];
    let ran = case.run(&["run"], &directive);
    let id = ran.stdout.split_whitespace().nth(1).unwrap().to_owned();
    let ran = case.cli.run(["runs", "show", &id, "--diff"]);
    expect![[r#"
        exit 0
        --- stdout
        diff --git a/shop/cart.py b/shop/cart.py
        index [OID]..[OID] 100644
        --- a/shop/cart.py
        +++ b/shop/cart.py
        @@ -1,3 +1,6 @@
        +RATE = 7
        +
        +
         def total(prices):
             return sum(prices)
 
        diff --git a/shop/tax.py b/shop/tax.py
        deleted file mode 100644
        index [OID]..[OID]
        --- a/shop/tax.py
        +++ /dev/null
        @@ -1 +0,0 @@
        -RATE = 7
    "#]]
    .assert_eq(&case.shown(&ran));
    case.cli.run(["accept", &id]).expect_code(0);
    assert!(!case.repo.root().join("shop/tax.py").exists());
    assert!(case.repo.read("shop/cart.py").contains("RATE = 7"));
}

#[test]
fn st1_a_recipe_moves_a_function_to_a_new_file() {
    let case = Case::new();
    let symbol = ["--recipe", "move", "--arg", "symbol=shop/cart.py#count"];
    let args = [&symbol[..], &["--arg", "to=shop/numbers.py"]].concat();
    case.check_fix(
        &[&args[..], &["--dry-run"]].concat(),
        expect![[r#"
            exit 0
            --- stdout
            # move: 1 of 1 site in 1 chain, 3 files
            #
            # `count` moved from shop/cart.py to shop/numbers.py
            #   shop/cart.py:5 `count` is moved to shop/numbers.py
            #   public API: shop.cart.count → shop.numbers.count: shop/cart.py#count
            # `count` moved from shop/cart.py to shop/numbers.py
            diff --git a/shop/cart.py b/shop/cart.py
            --- a/shop/cart.py
            +++ b/shop/cart.py
            @@ -1,6 +1,2 @@
             def total(prices):
                 return sum(prices)
            -
            -
            -def count(prices):
            -    return len(prices)
            diff --git a/shop/numbers.py b/shop/numbers.py
            new file mode 100644
            --- /dev/null
            +++ b/shop/numbers.py
            @@ -0,0 +1,2 @@
            +def count(prices):
            +    return len(prices)
            diff --git a/shop/report.py b/shop/report.py
            --- a/shop/report.py
            +++ b/shop/report.py
            @@ -1,4 +1,5 @@
            -from shop.cart import count, total
            +from shop.cart import total
            +from shop.numbers import count
 
 
             def line(prices):
            --- stderr
            planning
        "#]],
    );
    let ran = case.run(&["rules", "fix"], &[&args[..], &["--no-verify", "--yes"]].concat());
    ran.expect_code(0);
    let made = case.repo.read("shop/numbers.py");
    assert_eq!(made, "def count(prices):\n    return len(prices)\n");
    assert!(case.repo.read("shop/report.py").contains("from shop.numbers import count"));
}

/// The file counts with all of its lines where it goes and where it comes, and that is more than a task may change.
#[test]
fn st1_a_large_module_is_renamed_in_one_task() {
    let lines: Vec<String> =
        (0..600).map(|number| format!("NUMBER_{number} = {number}\n")).collect();
    let lines = lines.concat();
    let user = "//- shop/limits.py\nfrom shop.numbers import NUMBER_1\n\nLIMIT = NUMBER_1\n";
    let case = Case::of(&format!("{SHOP}{user}//- shop/numbers.py\n{lines}"));
    let args = ["--recipe", "rename-module", "--arg", "path=shop/numbers.py"];
    let args = [&args[..], &["--to", "shop/amounts.py", "--no-verify", "--yes"]].concat();
    case.run(&["rules", "fix"], &args).expect_code(0);
    assert_eq!(case.repo.read("shop/amounts.py"), lines);
    assert!(!case.repo.exists("shop/numbers.py"));
    assert!(case.repo.read("shop/limits.py").contains("from shop.amounts import NUMBER_1"));
}

#[test]
fn st1_a_recipe_says_which_arguments_it_needs() {
    let case = Case::new();
    case.check_fix(
        &["--recipe", "merge", "--arg", "into=shop/cart.py"],
        expect![[r#"
        exit 2
        --- stderr
        error: the recipe `merge` needs --arg modules=…
        hint: `refactor-bot rules explain merge` shows its use
    "#]],
    );
    case.check_fix(
        &["--recipe", "merge", "--arg", "modules=a.py", "--arg", "into=b.py", "--arg", "x=1"],
        expect![[r#"
            exit 2
            --- stderr
            error: the recipe `merge` takes no --arg x=…
            hint: `refactor-bot rules explain merge` shows its use
        "#]],
    );
    case.check_fix(
        &["--recipe", "merge", "--arg", "into"],
        expect![[r#"
        exit 2
        --- stderr
        error: `--arg into` is not of the form NAME=VALUE
        hint: `refactor-bot rules explain merge` shows its use
    "#]],
    );
    case.check_fix(
        &["--recipe", "move", "--to", "a.py", "--arg", "to=b.py"],
        expect![[r#"
        exit 2
        --- stderr
        error: --to is given twice
        hint: `refactor-bot rules explain move` shows its use
    "#]],
    );
}

const STORE: &str = r#"
//- package.json
{ "name": "store", "type": "module", "private": true }
//- src/format.ts
/** Money as people write it. */
export const money = (value: number): string => `${value.toFixed(2)} EUR`;

export function plural(count: number, word: string): string {
  return count === 1 ? word : `${word}s`;
}
//- src/cart/total.ts
import { money, plural } from '../format';

export function total(prices: number[]): string {
  return `${plural(prices.length, 'price')}: ${money(prices[0])}`;
}
//- test/total.test.ts
import * as format from '../src/format';

console.log(format.plural(2, 'x'));
"#;

#[test]
fn st1_st3_a_directive_moves_code_in_typescript() {
    let case = Case::of(STORE);
    let directive = "Move plural from format.ts to a new file called words.ts";
    let ran = case.run(&["run"], &["--directive", directive, "--no-verify", "--yes"]);
    ran.expect_code(0);
    let texts = ["src/words.ts", "src/format.ts", "src/cart/total.ts", "test/total.test.ts"];
    let texts: Vec<String> =
        texts.iter().map(|path| format!("//- {path}\n{}", case.repo.read(path))).collect();
    expect![[r#"
        //- src/words.ts
        export function plural(count: number, word: string): string {
          return count === 1 ? word : `${word}s`;
        }
        //- src/format.ts
        /** Money as people write it. */
        export const money = (value: number): string => `${value.toFixed(2)} EUR`;
        //- src/cart/total.ts
        import { money } from '../format';
        import { plural } from '../words';

        export function total(prices: number[]): string {
          return `${plural(prices.length, 'price')}: ${money(prices[0])}`;
        }
        //- test/total.test.ts
        import { plural } from '../src/words';

        console.log(plural(2, 'x'));
    "#]]
    .assert_eq(&texts.concat());
}

#[test]
fn st1_recipes_of_operations_work_on_typescript() {
    let case = Case::of(STORE);
    let (path, to) = ("path=src/format.ts", "to=src/money.ts");
    case.check_fix(
        &["--recipe", "rename-module", "--arg", path, "--arg", to, "--dry-run"],
        expect![[r#"
            exit 0
            --- stdout
            # rename-module: 1 of 1 site in 1 chain, 4 files
            #
            # src/format.ts renamed to src/money.ts; 2 other files follow
            #   src/format.ts:1 src/format.ts
            #   exported within the project: a module → src/money.ts: src/format.ts#*
            # src/format.ts renamed to src/money.ts; 2 other files follow
            diff --git a/src/cart/total.ts b/src/cart/total.ts
            --- a/src/cart/total.ts
            +++ b/src/cart/total.ts
            @@ -1,4 +1,4 @@
            -import { money, plural } from '../format';
            +import { money, plural } from '../money';

             export function total(prices: number[]): string {
               return `${plural(prices.length, 'price')}: ${money(prices[0])}`;
            diff --git a/src/format.ts b/src/money.ts
            similarity index 100%
            rename from src/format.ts
            rename to src/money.ts
            diff --git a/test/total.test.ts b/test/total.test.ts
            --- a/test/total.test.ts
            +++ b/test/total.test.ts
            @@ -1,3 +1,3 @@
            -import * as format from '../src/format';
            +import * as format from '../src/money';

             console.log(format.plural(2, 'x'));
            --- stderr
            planning
        "#]],
    );
}
