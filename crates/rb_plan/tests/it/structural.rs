//! Directives that ask for structural changes of Python code: one task that carries out operations.

use std::fmt::Write as _;

use expect_test::{Expect, expect};
use rb_core::{Proposer, RepoPath};
use rb_plan::{Plan, Translated, propose, translate, translation_brief};
use rb_schema::roles::translator::TranslatorResponse;
use serde_json::{Value, json};

use crate::support::{Repo, shown};

const SHOP: &str = r#"//- pyproject.toml
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
//- tests/test_cart.py
import unittest

from shop.cart import total


class TotalTest(unittest.TestCase):
    def test_total(self):
        self.assertEqual(total([1, 2]), 3)
"#;

#[track_caller]
fn check(fixture: &str, directive: &str, expected: &Expect) {
    let repo = Repo::asked(fixture, directive);
    expected.assert_eq(&with_changes(&repo, &repo.plan()));
}

/// A plan, and what its proposals make of the files.
fn with_changes(repo: &Repo, made: &Plan) -> String {
    let mut text = shown(made);
    for prepared in made.prepared.values() {
        for (path, after) in repo.changes(prepared) {
            match after {
                Some(after) => write!(text, "//- {path}\n{after}"),
                None => writeln!(text, "removed {path}"),
            }
            .expect("a string takes it");
        }
    }
    text
}

#[test]
fn st3_a_rename_in_python_is_one_task() {
    check(
        SHOP,
        "Rename total in shop/cart.py to grand_total",
        &expect![[r#"
        batch-001 Restructure risk 55 Full critical | `total` renamed to `grand_total` in 3 files
          shop/cart.py shop/report.py tests/test_cart.py
        //- shop/cart.py
        def grand_total(prices):
            return sum(prices)


        def count(prices):
            return len(prices)
        //- shop/report.py
        from shop.cart import count, grand_total


        def line(prices):
            return f"{count(prices)}: {grand_total(prices)}"
        //- tests/test_cart.py
        import unittest

        from shop.cart import grand_total


        class TotalTest(unittest.TestCase):
            def test_total(self):
                self.assertEqual(grand_total([1, 2]), 3)
    "#]],
    );
}

#[test]
fn st3_a_move_to_a_new_file_is_one_task() {
    check(
        SHOP,
        "Move count from shop/cart.py to a new file shop/numbers.py",
        &expect![[r#"
        batch-001 Restructure risk 53 Full critical | `count` moved from shop/cart.py to shop/numbers.py
          shop/cart.py shop/report.py
        //- shop/cart.py
        def total(prices):
            return sum(prices)
        //- shop/numbers.py
        def count(prices):
            return len(prices)
        //- shop/report.py
        from shop.cart import total
        from shop.numbers import count


        def line(prices):
            return f"{count(prices)}: {total(prices)}"
    "#]],
    );
}

#[test]
fn st3_a_task_is_made_again_over_changed_files() {
    let repo = Repo::asked(SHOP, "Rename total in shop/cart.py to grand_total");
    let made = repo.plan();
    let task = &made.tasks[0];
    let Proposer::Recipe { id, arguments, .. } = &task.by else { panic!("{task:#?}") };
    assert_eq!(id, "operations");
    assert!(arguments["operations"].contains("\"rename\""), "{arguments:?}");
    let report = repo.text("shop/report.py").replace("def line", "# New.\ndef line");
    let path = repo.root().join("shop/report.py");
    rb_core::fs::write(&path, report.as_bytes(), rb_core::fs::Durability::Relaxed).unwrap();
    let again = repo.with(|input| propose(input, task).unwrap()).expect("a change");
    let texts = repo.texts_after(&again);
    let text = &texts[&RepoPath::new("shop/report.py").unwrap()];
    assert!(text.contains("# New.") && text.contains("grand_total(prices)"), "{text}");
    repo.apply(&again);
    assert!(repo.with(|input| propose(input, task).unwrap()).is_none());
}

/// Neither operations nor the recipe `rename` do the rest of what was asked for.
#[test]
fn st3_a_condition_that_is_not_understood_leaves_everything_as_it_is() {
    let script =
        "//- package.json\n{\"private\": true}\n//- src/cart.js\nexport const total = 1;\n";
    for (fixture, directive) in [
        (SHOP, "Rename total in shop/cart.py to sum_up but keep a deprecated alias"),
        (script, "Rename total in src/cart.js to sumUp but keep a deprecated alias"),
    ] {
        let plan = Repo::asked(fixture, directive).plan();
        assert!(plan.tasks.is_empty(), "{}", shown(&plan));
        let why = plan.unserved.expect("a reason").why;
        let expected = "the condition in \"but keep a deprecated alias\" was not understood, so nothing is changed; \
                        say it in another way, or leave it out";
        assert_eq!(why, expected);
        let plan = Repo::asked(fixture, directive).with_model().plan();
        assert!(plan.tasks.iter().all(|it| it.by == Proposer::Model), "{}", shown(&plan));
        assert_eq!(plan.untranslated, [expected]);
    }
}

#[test]
fn st3_an_unclear_name_is_listed_with_its_candidates() {
    let fixture = format!("{SHOP}//- shop/tax.py\ndef total(prices):\n    return 0\n");
    check(
        &fixture,
        "Rename total to grand_total",
        &expect![[r#"
            left shop/cart.py:1 operations: `total` is declared in 2 files; name the file
            left shop/tax.py:1 operations: `total` is declared in 2 files; name the file
            unserved: `total` is declared in 2 files; name the file; there are `total` (shop/cart.py:1), `total` (shop/tax.py:1)
        "#]],
    );
}

#[test]
fn st3_what_is_not_understood_is_said() {
    check(
        SHOP,
        "Rename total in shop/cart.py to grand_total. Translate the error messages to French.",
        &expect![[r#"
            batch-001 Restructure risk 55 Full critical | `total` renamed to `grand_total` in 3 files
              shop/cart.py shop/report.py tests/test_cart.py
            unserved: "Translate the error messages to French" was not understood
              --provider claude-code (Claude Code, with its own login)
              --provider anthropic (with ANTHROPIC_API_KEY in the environment)
              --provider ollama --model NAME (a model on this machine)
            //- shop/cart.py
            def grand_total(prices):
                return sum(prices)


            def count(prices):
                return len(prices)
            //- shop/report.py
            from shop.cart import count, grand_total


            def line(prices):
                return f"{count(prices)}: {grand_total(prices)}"
            //- tests/test_cart.py
            import unittest

            from shop.cart import grand_total


            class TotalTest(unittest.TestCase):
                def test_total(self):
                    self.assertEqual(grand_total([1, 2]), 3)
        "#]],
    );
}

#[test]
fn st3_a_refused_operation_leaves_its_reason() {
    check(
        SHOP,
        "Rename total in shop/cart.py to count",
        &expect![[r#"
        left shop/cart.py:5 operations: `count` is taken
        unserved: `count` is taken
          --provider claude-code (Claude Code, with its own login)
          --provider anthropic (with ANTHROPIC_API_KEY in the environment)
          --provider ollama --model NAME (a model on this machine)
    "#]],
    );
}

#[test]
fn st3_scripts_are_renamed_as_before() {
    let fixture = format!(
        "{SHOP}//- package.json\n{{\"private\": true, \"type\": \"module\"}}\n//- web/cart.js\n\
         export function total() {{\n  return 1;\n}}\n"
    );
    check(
        &fixture,
        "Rename total in web/cart.js to sum",
        &expect![[r#"
            batch-001 Small risk 26 Fast critical | Rename `web/cart.js#total` to `sum` (1 place)
              web/cart.js
            //- web/cart.js
            export function sum() {
              return 1;
            }
        "#]],
    );
    check(
        &fixture,
        "Rename total to sum",
        &expect![[r#"
            batch-001 Small risk 26 Fast critical | Rename `total` to `sum` (1 place)
              web/cart.js
            //- web/cart.js
            export function sum() {
              return 1;
            }
        "#]],
    );
    check(
        &fixture,
        "Rename count to number",
        &expect![[r#"
        batch-001 Restructure risk 53 Full critical | `count` renamed to `number` in 2 files
          shop/cart.py shop/report.py
        //- shop/cart.py
        def total(prices):
            return sum(prices)


        def number(prices):
            return len(prices)
        //- shop/report.py
        from shop.cart import number, total


        def line(prices):
            return f"{number(prices)}: {total(prices)}"
    "#]],
    );
}

#[test]
fn st3_a_chain_over_the_budget_is_one_task() {
    let lines = "    print(1)\n".repeat(400);
    let fixture = format!("{SHOP}//- shop/long.py\ndef long():\n{lines}    return 1\n");
    let repo = Repo::asked(&fixture, "Move long from shop/long.py to shop/cart.py");
    let made = repo.plan();
    let [task] = &made.tasks[..] else { panic!("{}", shown(&made)) };
    let prepared = &made.prepared[&task.id];
    let lines = prepared.added + prepared.removed;
    assert!(lines > 800 && task.diff_budget_loc.is_some_and(|it| it > lines), "{task:#?}");
    assert_eq!(task.api_changes.names, ["shop/long.py#long"]);
}

#[test]
fn st3_what_may_not_be_touched_is_left() {
    let mut repo = Repo::asked(SHOP, "Rename total in shop/cart.py to grand_total");
    repo.closed.push("tests/".to_owned());
    expect![[r#"
        left shop/cart.py:1 operations: it would change tests/test_cart.py, which this run may not touch
        unserved: it would change tests/test_cart.py, which this run may not touch
          --provider claude-code (Claude Code, with its own login)
          --provider anthropic (with ANTHROPIC_API_KEY in the environment)
          --provider ollama --model NAME (a model on this machine)
    "#]].assert_eq(&shown(&repo.plan()));
}

#[test]
fn st3_a_merged_module_is_removed() {
    let fixture = format!("{SHOP}//- shop/tax.py\nRATE = 7\n");
    check(
        &fixture,
        "Merge shop/tax.py into shop/cart.py",
        &expect![[r#"
        batch-001 Restructure risk 53 Full critical | shop/tax.py merged into shop/cart.py
          shop/cart.py shop/tax.py
        //- shop/cart.py
        RATE = 7


        def total(prices):
            return sum(prices)


        def count(prices):
            return len(prices)
        removed shop/tax.py
    "#]],
    );
}

/// What comes of operations that a model chose for a directive which no program understands.
#[track_caller]
fn answered(operations: &Value, rest: &str) -> (Repo, Result<Plan, Vec<String>>) {
    let repo = vague();
    let answer = json!({ "operations": operations, "rest": rest });
    let answer: TranslatorResponse = serde_json::from_value(answer).expect("an answer");
    let own = repo.plan();
    let translated = repo.with(|input| translate(input, &own, &answer).expect("no interruption"));
    let result = match translated {
        Translated::Plan(plan) => Ok(*plan),
        Translated::Refused(reasons) => Err(reasons),
        Translated::Nothing { rest } => Err(vec![format!("nothing: {rest}")]),
    };
    if let Ok(plan) = &result {
        repo.check(plan);
    }
    (repo, result)
}

fn vague() -> Repo {
    let directive = "Rename totl in shop/cart.py to something better, and let callers round";
    let mut repo = Repo::asked(SHOP, directive).with_model();
    repo.found.push("shop/cart.py".to_owned());
    repo
}

#[test]
fn st3_a_model_chooses_operations_and_the_program_edits() {
    let operations = json!([
        { "operation": "rename", "symbol": "shop/cart.py#total", "to": "sum_of_prices" },
        {
            "operation": "add-parameter", "function": "shop/cart.py#sum_of_prices", "name": "digits", "default": "None",
            "values": [{ "value": "2", "calls": "not-tests" }],
        },
    ]);
    let (repo, made) = answered(&operations, "Round the result of sum_of_prices to digits.");
    expect![[r#"
        batch-001 Restructure risk 55 Full critical | `total` renamed to `sum_of_prices` in 3 files; parameter `digits` added to `sum_of_prices`, `digits=2` in 1 call
          shop/cart.py shop/report.py tests/test_cart.py
        batch-002 Small risk 33 Full after batch-001 | Round the result of sum_of_prices to digits, in shop/cart.py
          shop/cart.py tests/test_cart.py
        //- shop/cart.py
        def sum_of_prices(prices, digits=None):
            return sum(prices)


        def count(prices):
            return len(prices)
        //- shop/report.py
        from shop.cart import count, sum_of_prices


        def line(prices):
            return f"{count(prices)}: {sum_of_prices(prices, digits=2)}"
        //- tests/test_cart.py
        import unittest

        from shop.cart import sum_of_prices


        class TotalTest(unittest.TestCase):
            def test_total(self):
                self.assertEqual(sum_of_prices([1, 2]), 3)
    "#]].assert_eq(&with_changes(&repo, &made.expect("a plan")));
}

#[test]
fn st3_operations_of_a_model_are_checked() {
    let total = "shop/cart.py#total";
    let rename =
        |symbol: &str, to: &str| json!([{ "operation": "rename", "symbol": symbol, "to": to }]);
    let mut text = String::new();
    for operations in [
        json!([]),
        rename("shop/cart.py#totals", "x"),
        rename("shop/basket.py#total", "x"),
        rename("../cart.py#total", "x"),
        rename("total", "x"),
        rename(total, "count"),
        rename(total, "total"),
        rename(total, "not a name"),
        json!([{ "operation": "move", "symbols": [total] }]),
        json!([{ "operation": "move", "symbols": [total], "to": "../outside.py" }]),
        json!([{ "operation": "merge", "symbol": total, "modules": ["shop/cart.py"], "into": "shop/report.py" }]),
        json!([{ "operation": "inline-reexport", "symbol": total }]),
        json!(vec![json!({ "operation": "rename", "symbol": total, "to": "x" }); 21]),
    ] {
        let (_, made) = answered(&operations, "");
        let reasons = made.expect_err("it is refused");
        writeln!(text, "{}", reasons.join("; ")).expect("a string takes it");
    }
    expect![[r#"
        nothing: 
        shop/cart.py has no top-level name `totals`; check the name, or name the file that declares it (shop/cart.py:1)
        shop/basket.py is not a Python file that can be read; check the path, and that the file has no syntax errors (shop/basket.py:1)
        ../cart.py is not a Python file that can be read; check the path, and that the file has no syntax errors (../cart.py:1)
        operation 1: `total` is not of the form `path/to/file.py#name`
        `count` is taken; choose another name, or rename the other one first (shop/cart.py:5)
        `total` has this name already; choose another name (shop/cart.py:1)
        `not a name` is not a name in Python; choose another name (shop/cart.py:1)
        operation 1: missing field `to`
        ../outside.py cannot be the file of a Python module; name a file such as `package/module.py` (shop/cart.py:1)
        operation 1: unknown field `symbol`, expected one of `modules`, `into`, `merge_tests`
        no import of `total` goes through another module; name a file that imports it from elsewhere (shop/cart.py:1)
        21 operations, more than 20
    "#]].assert_eq(&text);
}

#[test]
fn st3_a_model_is_shown_symbols_and_signatures() {
    let repo = vague();
    let own = repo.plan();
    let text = repo.with(|input| translation_brief(input, &own)).expect("there is a question");
    expect![[r#"
        ## What is wanted
        Rename totl in shop/cart.py to something better, and let callers round

        ## What the program did not understand
        - nothing in the project is called `totl`; there are `total` (shop/cart.py:1)

        ## Symbols
        shop/cart.py#count(prices)
        shop/cart.py#total(prices)
        tests/test_cart.py#TotalTest(unittest.TestCase)
        tests/test_cart.py#TotalTest.test_total(self)

    "#]]
    .assert_eq(&text);
}

/// A plan that is clear is shown as well: there may be more to do than the program understood.
#[test]
fn st3_a_model_may_add_to_what_the_program_understood() {
    let repo = Repo::asked(SHOP, "Rename total in shop/cart.py to grand_total").with_model();
    let own = repo.plan();
    let text = repo.with(|input| translation_brief(input, &own)).expect("there is a question");
    expect![[r###"
        ## What is wanted
        Rename total in shop/cart.py to grand_total

        ## What the program made of it
        {"operation":"rename","symbol":"shop/cart.py#total","to":"grand_total"}

        ## What comes of that
        - `total` renamed to `grand_total` in 3 files
        - public API: total → grand_total: shop/cart.py#total
        - `total` is public: users outside of this project have to follow. To keep the old name for them, add `total = grand_total` at the end of shop/cart.py
        - 2 mentions in prose were not changed: tests/test_cart.py:6, tests/test_cart.py:7

        ## Symbols
        shop/cart.py#total(prices)
        shop/cart.py#count(prices)
        shop/report.py#line(prices)
        tests/test_cart.py#TotalTest(unittest.TestCase)
        tests/test_cart.py#TotalTest.test_total(self)

    "###]].assert_eq(&text);
    let translated = |operations: Value, rest: &str| {
        let answer = json!({ "operations": operations, "rest": rest });
        let answer: TranslatorResponse = serde_json::from_value(answer).expect("an answer");
        repo.with(|input| translate(input, &own, &answer).expect("no interruption"))
    };
    let total =
        json!({ "operation": "rename", "symbol": "shop/cart.py#total", "to": "grand_total" });
    let class = json!({ "operation": "rename", "symbol": "tests/test_cart.py#TotalTest", "to": "GrandTotalTest" });
    let Translated::Plan(more) = translated(json!([total, class]), "") else { panic!("a plan") };
    let after = with_changes(&repo, &more);
    assert!(after.contains("class GrandTotalTest(unittest.TestCase):"), "{after}");
    let same = translated(json!([]), "");
    assert!(matches!(same, Translated::Nothing { .. }), "{same:?}");
    let rest = "Tell of it in shop/report.py";
    let Translated::Plan(both) = translated(json!([]), rest) else { panic!("a plan") };
    assert!(both.tasks[0].goal.contains("renamed"), "{}", shown(&both));
    assert!(both.tasks[1].goal.contains(rest), "{}", shown(&both));
}

/// An alias is an operation in Python; a script is not renamed without the one that was asked for.
#[test]
fn st1_an_alias_is_kept_or_nothing_is_renamed() {
    let python = Repo::asked(
        SHOP,
        "Rename total in shop/cart.py to sum_up, and keep the old name as an alias",
    );
    let plan = python.plan();
    let change = python.with(|input| propose(input, &plan.tasks[0]).unwrap()).expect("a change");
    let cart = &python.texts_after(&change)[&RepoPath::new("shop/cart.py").unwrap()];
    assert!(cart.contains("\ntotal = sum_up\n"), "{cart}");
    let script =
        "//- package.json\n{\"private\": true}\n//- src/cart.js\nexport const total = 1;\n";
    let directive = "Rename total in src/cart.js to sumUp, and keep the old name as an alias";
    let plan = Repo::asked(script, directive).plan();
    assert!(plan.tasks.is_empty(), "{}", shown(&plan));
    expect!["the old name can stay as an alias in Python alone, so nothing is changed; rename `total` without one, and export the old name by hand"].assert_eq(&plan.unserved.expect("a reason").why);
}
