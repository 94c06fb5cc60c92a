//! Which files and which parts of them are chosen, and why.

use std::fmt::Write as _;

use expect_test::{Expect, expect};
use rb_core::RepoPath;
use rb_index::{Activity, FileActivity, History};
use rb_pack::{Budgets, Need, Omitted, Pack, Shown};

use crate::support::{Ask, Repo, files, functions, summary};

#[expect(clippy::needless_pass_by_value, reason = "an `Expect` is written in place")]
#[track_caller]
fn check(fixture: &str, ask: &Ask, expected: Expect) {
    expected.assert_eq(&summary(&Repo::new(fixture).pack(ask)));
}

#[test]
fn rf4_files_in_scope_then_tests_then_imports_then_users() {
    let fixture = format!(
        "
//- src/core.ts
import {{ helper }} from './helper'
{}
export function last() {{ return helper() }}
//- src/helper.ts
/** Helps. */
export function helper(): number {{ return 1 }}
export function other(): number {{ return 2 }}
//- src/index.ts
export * from './core'
//- src/app.ts
import {{ step2 }} from './core'

export function app() {{
  const a = 1
  const b = step2(a)
  return b
}}
//- src/far.ts
import {{ step3 }} from './index'
export const far = () => step3(1)
//- src/core.test.ts
import {{ step1 }} from './core'
it('steps', () => {{ step1(1) }})
",
        functions("step", 6, 30)
    );
    let ask = Ask::new("Simplify the steps", "src/core.ts").place("src/core.ts", 40, "a finding");
    check(
        &fixture,
        &ask,
        expect![[r#"
            *src/core.ts: in scope; 1 place (line 40: a finding); used by 3 files
                whole, 183 lines
            src/core.test.ts: test of src/core.ts: named after it and imports it
                whole, 2 lines
            src/helper.ts: imported by src/core.ts: helper
                whole, 3 lines
            src/app.ts: uses step2 of src/core.ts
                signatures 3-7  export function app(); 3-7 (use of step2)
            src/index.ts: imports src/core.ts
                whole, 1 lines
            src/far.ts: uses step3 of src/core.ts via src/index.ts
                whole, 2 lines
        "#]],
    );
}

#[test]
fn rf4_files_in_scope_are_ordered_by_places_and_fan_in() {
    let fixture = "
//- a.ts
export function a() {}
//- b.ts
export function b() {}
//- c.ts
export function c() {}
//- one.ts
import { b } from './b'
b()
//- two.ts
import { b } from './b'
b()
";
    // What was changed lately comes after what many use.
    let ask = Ask::new("Tidy", "a.ts b.ts c.ts").place("c.ts", 1, "a finding");
    let pack = Repo::with_history(files(fixture), &Lately("a.ts")).pack(&ask);
    let paths: Vec<&str> = pack.files.iter().map(|file| file.path.as_str()).collect();
    assert_eq!(paths, ["c.ts", "b.ts", "a.ts", "one.ts", "two.ts"]);
}

/// One file was changed lately.
struct Lately(&'static str);

impl History for Lately {
    fn head(&self) -> Option<String> {
        Some("0123456789".to_owned())
    }

    fn activity(&self, head: &str) -> Activity {
        let path = RepoPath::new(self.0).expect("a plain path");
        let files = vec![FileActivity { path, commits: 3, weight: 2.5 }];
        Activity { head: Some(head.to_owned()), commits: 9, files }
    }
}

#[test]
fn rf4_of_equals_the_one_that_was_changed_lately_comes_first() {
    let names = ["a.ts", "b.ts", "c.ts"];
    let text = b"export function f() {}\n".to_vec();
    let files = names.map(|name| (name.to_owned(), text.clone())).into();
    let pack = Repo::with_history(files, &Lately("b.ts")).pack(&Ask::new("Tidy", "a.ts b.ts c.ts"));
    let shown: Vec<&str> = pack.files.iter().map(|file| file.path.as_str()).collect();
    assert_eq!(shown, ["b.ts", "a.ts", "c.ts"]);
    assert_eq!(pack.files[0].reason, "in scope; 3 commits lately");
}

#[test]
fn pk1_files_in_scope_are_shown_whole_while_there_is_room() {
    let fixture = format!(
        "\n//- src/a.ts\n{}//- src/b.ts\n{}//- src/c.ts\n{}",
        functions("alpha", 4, 30),
        functions("beta", 9, 30),
        functions("gamma", 40, 60)
    );
    let check = |files: &str, expected: &[bool]| {
        let pack = Repo::new(&fixture).pack(&Ask::new("Tidy", files));
        let is_whole = |path: &str| {
            let file = pack.files.iter().find(|file| file.path == path);
            file.is_some_and(|it| matches!(it.shown[..], [Shown::Whole { .. }]))
        };
        assert_eq!(files.split(' ').map(is_whole).collect::<Vec<_>>(), expected, "{files}");
    };
    check("src/a.ts src/b.ts", &[true, true]);
    // The long one gets what the short ones leave.
    check("src/b.ts src/c.ts", &[true, false]);
    check("src/c.ts", &[false]);
}

/// What a pack shows of a file: whether all of it, and how.
fn shown(pack: &Pack, path: &str) -> Vec<Shown> {
    let file = pack.files.iter().find(|file| file.path == path);
    file.map(|file| file.shown.clone()).unwrap_or_default()
}

#[test]
fn pk1_a_file_of_six_hundred_lines_is_shown_whole() {
    let repo = Repo::new(&format!("\n//- src/a.ts\n{}", functions("step", 15, 41)));
    let pack = repo.pack(&Ask::new("Tidy", "src/a.ts"));
    assert!(matches!(shown(&pack, "src/a.ts")[..], [Shown::Whole { .. }]), "{}", summary(&pack));
    assert_eq!((pack.files[0].lines, pack.sizes.excerpt_lines), (615, 0));
}

#[test]
fn pk1_a_pack_grows_for_the_files_that_the_task_names_and_for_no_others() {
    let fixture = format!(
        "\n//- src/long.ts\nimport {{ far1 }} from './far'\n{}//- src/far.ts\n{}",
        functions("step", 40, 60),
        functions("far", 40, 60),
    );
    let repo = Repo::new(&fixture);
    let mut ask = Ask::new("Tidy", "src/long.ts");
    let pack = repo.pack(&ask);
    assert!(pack.sizes.chars <= 40_000);
    assert!(!matches!(shown(&pack, "src/long.ts")[..], [Shown::Whole { .. }]));

    ask.budgets = Budgets::default();
    let pack = repo.pack(&ask);
    assert!(matches!(shown(&pack, "src/long.ts")[..], [Shown::Whole { .. }]), "{}", summary(&pack));
    assert!(!matches!(shown(&pack, "src/far.ts")[..], [Shown::Whole { .. }]), "{}", summary(&pack));
    assert!((70_000..100_000).contains(&pack.sizes.chars), "{}", pack.sizes.chars);

    // The files of a folder are a choice, and one can be made of fewer.
    ask.task.files = Vec::new();
    ask.folder = Some("src/".to_owned());
    assert!(repo.pack(&ask).sizes.chars <= 40_000);
}

#[test]
fn pk1_a_long_file_is_shown_with_its_imports() {
    let fixture = format!(
        "\n//- src/a.ts\nimport {{ zip }} from 'zip'\nimport {{ map }} from 'map'\n{}",
        functions("step", 60, 40)
    );
    let pack = Repo::new(&fixture).pack(&Ask::new("Split step31 in two", "src/a.ts"));
    let shown = shown(&pack, "src/a.ts");
    let has_imports = |it: &Shown| matches!(it, Shown::Excerpt { first: 1, why, .. } if why.contains("the imports"));
    assert!(shown.iter().any(has_imports), "{}", summary(&pack));
}

#[test]
fn pk1_callers_in_the_other_files_in_scope_are_shown() {
    let fixture = format!(
        "\n//- src/a.ts\n{}//- src/b.ts\nimport {{ step20 }} from './a'\n{}export function last() {{\n  return step20(1)\n}}\n",
        functions("step", 60, 40),
        functions("other", 60, 40),
    );
    // Nothing but the finding says which function it is about.
    let ask = Ask::new("Mend it", "src/a.ts src/b.ts").place("src/a.ts", 19 * 40 + 5, "a finding");
    let pack = Repo::new(&fixture).pack(&ask);
    let is_caller =
        |it: &Shown| matches!(it, Shown::Excerpt { text, .. } if text.contains("return step20(1)"));
    assert!(shown(&pack, "src/b.ts").iter().any(is_caller), "{}", summary(&pack));
}

#[test]
fn pk1_every_place_that_is_not_shown_is_listed_with_its_lines() {
    let mut text = String::new();
    for nth in 1..=60 {
        let _ = writeln!(text, "export function f{nth}() {{\n  openGate()");
        text += &"  step()\n".repeat(80);
        text += "}\n";
    }
    let mut ask = Ask::new("Make `openGate` optional", "src/a.ts");
    let pack = Repo::new(&format!("\n//- src/a.ts\n{text}")).pack(&ask);
    let prompt = ask.prompt(&pack);
    let excerpts: Vec<(u32, u32)> = shown(&pack, "src/a.ts")
        .iter()
        .filter_map(|it| match it {
            Shown::Excerpt { first, last, .. } => Some((*first, *last)),
            Shown::Whole { .. } | Shown::Signatures { .. } => None,
        })
        .collect();
    for nth in 0..60 {
        let (first, last) = (nth * 83 + 1, nth * 83 + 83);
        let is_shown = excerpts.iter().any(|(from, to)| *from <= first && last <= *to);
        assert!(is_shown || prompt.contains(&format!("(f{})", nth + 1)), "f{}: {prompt}", nth + 1);
    }
    assert!(prompt.contains("- src/a.ts: no room left for lines "), "{prompt}");

    // Also if nothing of the file is shown.
    ask.budgets.excerpt_lines = 0;
    ask.budgets.chars = 9_000;
    let repo = Repo::new(&format!("\n//- src/a.ts\n{text}"));
    let pack = repo.pack(&ask);
    assert!(ask.prompt(&pack).contains("no room left for lines 1-"), "{}", summary(&pack));
}

#[test]
fn pk1_where_else_the_repository_has_a_name_of_the_goal_is_said() {
    let check = |goal: &str, expected: Expect| {
        let fixture = "
//- src/a.ts
export const openGate = () => openGates
//- src/b.ts
import { openGate } from './a'
openGate()
//- docs/gates.md
Call openGate, then send `Gate-Name`.
//- Cargo.lock
openGate
";
        let pack = Repo::new(fixture).pack(&Ask::new(goal, "src/a.ts"));
        let prompt = Ask::new(goal, "src/a.ts").prompt(&pack);
        let said = prompt.split_once("## Names of the goal, in all files of the repository\n");
        let said = said.and_then(|(_, rest)| rest.split("\n\n").next());
        expected.assert_eq(said.unwrap_or_default());
    };
    check(
        "Let `openGate` be `shutGate`",
        expect![[r#"
            - openGate: on 4 lines; 1 not shown: docs/gates.md:1
            - shutGate: on no line"#]],
    );
    check("Export openGates() of openGates", expect!["- openGates: on 1 line, shown here"]);
    check(
        "Send a Gate-Name header",
        expect!["- Gate-Name: on 1 line; 1 not shown: docs/gates.md:1"],
    );
    check("Open the gate", expect![[r#""#]]);
}

#[test]
fn pk1_a_name_of_every_line_is_no_place() {
    let text = "openGate()\n".repeat(150);
    let fixture = format!("\n//- src/a.ts\n{text}//- src/b.ts\n{text}");
    let prompt = |files: &str| {
        let ask = Ask::new("Make `openGate` optional", files);
        ask.prompt(&Repo::new(&fixture).pack(&ask))
    };
    assert!(!prompt("src/a.ts").contains("## Names of the goal"));
}

#[test]
fn rf4_without_places_the_functions_nearest_to_the_goal_are_shown() {
    let text = functions("step", 30, 30) + &functions("parseHeader", 1, 40);
    let fixture = format!("\n//- src/a.ts\n{text}");
    check(
        &fixture,
        &Ask::new("Split parseHeader1 in two", "src/a.ts"),
        expect![[r#"
            *src/a.ts: in scope
                signatures 1-30  export function step1(value: number): number | 31-60  export function step2(value: number): number | 61-90  export function step3(value: number): number | 91-120  export function step4(value: number): number | 121-150  export function step5(value: number): number | 151-180  export function step6(value: number): number | 181-210  export function step7(value: number): number | 211-240  export function step8(value: number): number | 241-270  export function step9(value: number): number | 271-300  export function step10(value: number): number | 301-330  export function step11(value: number): number | 331-360  export function step12(value: number): number | 361-390  export function step13(value: number): number | 391-420  export function step14(value: number): number | 421-450  export function step15(value: number): number | 451-480  export function step16(value: number): number | 481-510  export function step17(value: number): number | 511-540  export function step18(value: number): number | 541-570  export function step19(value: number): number | 571-600  export function step20(value: number): number | 601-630  export function step21(value: number): number | 631-660  export function step22(value: number): number | 661-690  export function step23(value: number): number | 691-720  export function step24(value: number): number | 721-750  export function step25(value: number): number | 751-780  export function step26(value: number): number | 781-810  export function step27(value: number): number | 811-840  export function step28(value: number): number | 841-870  export function step29(value: number): number | 871-900  export function step30(value: number): number | 901-940  export function parseHeader1(value: number): number; 1-332 (step1; step2; step3; step4; step5; step6; step7; step8; step9; step10; step11); 899-940 (parseHeader1: matches the goal)
        "#]],
    );
    // Nothing of the goal is in the file: what is most complex.
    check(
        &fixture,
        &Ask::new("Improve", "src/a.ts"),
        expect![[r#"
            *src/a.ts: in scope
                signatures 1-30  export function step1(value: number): number | 31-60  export function step2(value: number): number | 61-90  export function step3(value: number): number | 91-120  export function step4(value: number): number | 121-150  export function step5(value: number): number | 151-180  export function step6(value: number): number | 181-210  export function step7(value: number): number | 211-240  export function step8(value: number): number | 241-270  export function step9(value: number): number | 271-300  export function step10(value: number): number | 301-330  export function step11(value: number): number | 331-360  export function step12(value: number): number | 361-390  export function step13(value: number): number | 391-420  export function step14(value: number): number | 421-450  export function step15(value: number): number | 451-480  export function step16(value: number): number | 481-510  export function step17(value: number): number | 511-540  export function step18(value: number): number | 541-570  export function step19(value: number): number | 571-600  export function step20(value: number): number | 601-630  export function step21(value: number): number | 631-660  export function step22(value: number): number | 661-690  export function step23(value: number): number | 691-720  export function step24(value: number): number | 721-750  export function step25(value: number): number | 751-780  export function step26(value: number): number | 781-810  export function step27(value: number): number | 811-840  export function step28(value: number): number | 841-870  export function step29(value: number): number | 871-900  export function step30(value: number): number | 901-940  export function parseHeader1(value: number): number; 1-332 (step1; step2; step3; step4; step5; step6; step7; step8; step9; step10; step11); 899-940 (parseHeader1)
        "#]],
    );
}

#[test]
fn rf4_a_prompt_grows_long_only_for_what_the_goal_refers_to() {
    let mut fixture = "\n//- src/a.ts\n".to_owned();
    for nth in 0..60 {
        let _ = writeln!(fixture, "export function step{nth}(total: number) {{");
        for item in 0..18 {
            let _ = writeln!(fixture, "  total += weigh(items[{item}], rates.of({nth}, {item}))");
        }
        fixture += "  return total\n}\n";
    }
    let repo = Repo::new(&fixture);
    let tokens = |goal: &str| repo.pack(&Ask::new(goal, "src/a.ts")).sizes.tokens;
    let (any, meant) = (tokens("Improve"), tokens("Let `weigh` take one argument"));
    assert!((9_000..14_000).contains(&any), "{any}");
    assert!(meant > any + 2_000, "{meant}");
}

#[test]
fn pk1_a_place_is_shown_with_the_function_around_it() {
    let fixture = format!("\n//- src/a.ts\n{}", functions("step", 40, 60));
    let ask = Ask::new("Tidy", "src/a.ts").place("src/a.ts", 2_000, "a finding");
    let pack = Repo::new(&fixture).pack(&ask);
    let is_whole_function =
        |it: &Shown| matches!(it, Shown::Excerpt { first: 1_979, last: 2_042, .. });
    assert!(shown(&pack, "src/a.ts").iter().any(is_whole_function), "{}", summary(&pack));
}

#[test]
fn rf4_a_long_function_is_shown_around_the_place() {
    let fixture = format!("\n//- src/a.ts\n{}", functions("huge", 1, 1800));
    let ask = Ask::new("Tidy", "src/a.ts").place("src/a.ts", 1500, "a finding");
    check(
        &fixture,
        &ask,
        expect![[r#"
            *src/a.ts: in scope; 1 place (line 1500: a finding)
                signatures 1-1800  export function huge1(value: number): number; 1-362 (huge1); 1479-1522 (huge1; line 1500: a finding)
        "#]],
    );
    let ask = ask.place("src/a.ts", 9_999, "beyond the end").place("src/a.ts", 0, "nowhere");
    check(
        &fixture,
        &ask,
        expect![[r#"
            *src/a.ts: in scope; 3 places (line 0: nowhere, line 1500: a finding, line 9999: beyond the end)
                signatures 1-1800  export function huge1(value: number): number; 1-362 (huge1); 1479-1522 (huge1; line 1500: a finding)
        "#]],
    );
}

#[test]
fn rf4_of_a_long_function_the_parts_that_speak_of_the_goal_are_shown() {
    let filler = "  await workOnTheNextItemOfTheQueue()\n".repeat(900);
    let fixture = format!(
        "\n//- src/a.ts\nexport function cancel() {{\n{filler}  const refund = pay()\n{filler}}}\n"
    );
    check(
        &fixture,
        &Ask::new("Move the refund out", "src/a.ts"),
        expect![[r#"
            *src/a.ts: in scope
                signatures 1-1803  export function cancel(); 1-442 (cancel); 879-922 (cancel: matches the goal)
        "#]],
    );
    check(
        &fixture,
        &Ask::new("Improve", "src/a.ts"),
        expect![[r#"
            *src/a.ts: in scope
                signatures 1-1803  export function cancel(); 1-482 (cancel); 1799-1803 (cancel)
        "#]],
    );
}

#[test]
fn rf4_texts_without_symbols_are_shown_from_their_beginning_or_their_places() {
    let fixture =
        format!("\n//- notes.txt\n{}", "some words that fill a line of these notes\n".repeat(1800));
    check(
        &fixture,
        &Ask::new("Tidy", "notes.txt"),
        expect![[r#"
            *notes.txt: in scope
                1-522 (code outside declarations)
        "#]],
    );
    let ask = Ask::new("Tidy", "notes.txt").place("notes.txt", 1500, "a site");
    check(
        &fixture,
        &ask,
        expect![[r#"
            *notes.txt: in scope; 1 place (line 1500: a site)
                1-482 (code outside declarations); 1479-1522 (code outside declarations; line 1500: a site)
        "#]],
    );
}

#[test]
fn rf4_without_files_the_scope_is_searched_by_the_words_of_the_goal() {
    let mut fixture = "\n//- src/http_header.ts\nexport function parse() {}\n".to_owned();
    for nth in 0..60 {
        let _ = write!(fixture, "//- src/a{nth}.ts\nexport function a{nth}() {{}}\n");
    }
    let repo = Repo::new(&format!("{fixture}//- lib/header.ts\nexport function outside() {{}}\n"));
    let mut ask = Ask::new("Tidy the headers", "");
    assert_eq!(repo.pack(&ask).files.len(), 0, "nothing may be changed");
    ask.folder = Some("src/".to_owned());
    let pack = repo.pack(&ask);
    assert_eq!(pack.files.len(), 40);
    let paths: Vec<&str> = pack.files.iter().map(|file| file.path.as_str()).collect();
    assert_eq!(paths[0], "src/http_header.ts");
    assert!(!paths.contains(&"lib/header.ts"), "{paths:?}");
}

#[test]
fn rf4_many_users_are_cut_to_the_most_telling_and_the_rest_is_counted() {
    let mut fixture =
        "\n//- hub.ts\n/** Connects. */\nexport function hub() {}\nexport function quiet() {}\n"
            .to_owned();
    for nth in 0..90 {
        let name = if nth == 47 { "hub" } else { "quiet" };
        let _ = write!(
            fixture,
            "//- user{nth:02}.ts\nimport {{ {name} }} from './hub'\nexport const a = () => {name}()\n"
        );
    }
    let ask = Ask::new("Tidy", "hub.ts").place("hub.ts", 2, "a finding");
    let repo = Repo::new(&fixture);
    let pack = repo.pack(&ask);
    assert_eq!(pack.files[0].reason, "in scope; 1 place (line 2: a finding); used by 90 files");
    assert_eq!(pack.files[1].path, "user47.ts", "it uses what the place is in");
    let named = repo.pack(&Ask::new("Tidy `hub`", "hub.ts"));
    assert_eq!(named.files[1].path, "user47.ts", "it uses what the goal names");
    let users = pack.files.len() - 1;
    assert!(users > 0 && users <= 16, "{users}");
    let reason = "only 16 files that use those of the task are considered; left out: ";
    let is_beyond = |it: &Omitted| it.path == "(44 more files)" && it.reason.starts_with(reason);
    assert!(pack.omitted.iter().any(is_beyond), "{:?}", pack.omitted);
}

#[test]
fn pk1_what_the_task_names_and_what_tests_it_are_shown_beside_long_files() {
    let long = functions("step", 20, 45);
    let repo = Repo::new(&format!(
        "\n//- src/long.ts\n{long}//- src/kind.ts\nexport const kind = (it: unknown) => typeof it\n//- test/long.test.ts\n\
         import {{ step7 }} from '../src/long'\ntest('steps', () => step7(1))\n//- test/wide.test.ts\n\
         import {{ mergeAll }} from '../src/merge'\n{}//- src/merge.ts\nexport function mergeAll(some: string) {{\n  return some.trim()\n}}\n\
         export function other() {{\n  return 'other'\n}}\n",
        functions("check", 20, 45),
    ));
    let ask = |goal: &str, path: &str| {
        let mut ask = Ask::new(goal, path);
        ask.budgets = Budgets::default();
        ask
    };
    let pack = repo.pack(&ask("Tell kinds apart as src/kind.ts does", "src/long.ts"));
    for path in ["src/long.ts", "src/kind.ts", "test/long.test.ts"] {
        assert!(matches!(shown(&pack, path)[..], [Shown::Whole { .. }]), "{}", summary(&pack));
    }
    // Where only a test may be changed, the code that it is about is shown.
    let pack = repo.pack(&ask("Add a test that pins what mergeAll gives", "test/wide.test.ts"));
    let is_tested =
        |it: &Shown| !matches!(it, Shown::Signatures { .. }) && it.text().contains("some.trim()");
    assert!(shown(&pack, "src/merge.ts").iter().any(is_tested), "{}", summary(&pack));
}

#[test]
fn rf4_python_rust_and_go_are_chosen_alike() {
    check(
        "
//- shop/cart.py
from shop.price import price

def total(items):
    return sum(price(item) for item in items)
//- shop/price.py
def price(item):
    \"\"\"The price of one item.\"\"\"
    return 1
//- shop/app.py
from shop import cart

def main():
    return cart.total([])
//- tests/test_cart.py
from shop.cart import total

def test_total():
    assert total([]) == 0
",
        &Ask::new("Tidy", "shop/cart.py"),
        expect![[r#"
            *shop/cart.py: in scope; used by 2 files
                whole, 4 lines
            tests/test_cart.py: test of shop/cart.py: named after it and imports it
                whole, 4 lines
            shop/price.py: imported by shop/cart.py: price
                whole, 3 lines
            shop/app.py: uses total of shop/cart.py
                signatures 3-4  def main(); 2-4 (use of total)
        "#]],
    );
    check(
        "
//- go.mod
module example.com/shop
//- cart/cart.go
package cart

import \"example.com/shop/price\"

func Total() int { return price.Of(1) }
//- cart/other.go
package cart

func Twice() int { return 2 * Total() }
//- price/price.go
package price

// Of is the price.
func Of(item int) int { return item }
//- price/unused.go
package price

func Unused() {}
",
        &Ask::new("Tidy", "cart/cart.go"),
        expect![[r#"
            *cart/cart.go: in scope; used by 1 file
                whole, 5 lines
            price/price.go: imported by cart/cart.go: Of
                whole, 4 lines
            cart/other.go: uses Total of cart/cart.go
                whole, 3 lines
        "#]],
    );
}

#[test]
fn rf4_a_file_that_the_task_names_is_shown() {
    let fixture = "
//- bin/print.js
console.log((1).toFixed(2))
//- src/money.js
/** Two digits. */
export function format(cents) { return cents }
//- src/other.js
export const other = 1
//- src/new.js
export const made = 1
";
    let mut ask = Ask::new("bin/print.js uses `format` of src/money.js.", "bin/print.js");
    ask.task.scope_globs = vec!["/bin/print.js".to_owned(), "/src/new.js".to_owned()];
    check(
        fixture,
        &ask,
        expect![[r#"
            *bin/print.js: in scope
                whole, 1 lines
            src/new.js: named by the task
                whole, 1 lines
            src/money.js: named by the task
                whole, 2 lines
        "#]],
    );
}

#[test]
fn rf4_of_a_document_that_the_task_names_the_lines_about_it_are_shown() {
    let filler = "Nothing of interest.\n\n".repeat(60);
    let fixture = format!(
        "
//- src/money.js
export function format(cents) {{ return cents }}
//- docs/money.txt
{filler}`format` takes cents.

{filler}"
    );
    let mut ask = Ask::new("Rename `format` to show, also in docs/money.txt", "src/money.js");
    ask.task.scope_globs = vec!["/src/money.js".to_owned(), "/docs/money.txt".to_owned()];
    check(
        &fixture,
        &ask,
        expect![[r#"
        *src/money.js: in scope
            whole, 1 lines
        docs/money.txt: named by the task
            111-127 (code outside declarations: matches the goal)
    "#]],
    );
}

/// A file of two long functions, and others that have nothing to do with the task.
fn with_far_files() -> String {
    format!(
        "
//- src/core.ts
{}//- src/far.ts
{}
export function hidden(): number {{ return 1 }}
//- src/user.ts
{}
export function caller(): number {{
  return hidden()
}}
",
        functions("step", 4, 40),
        functions("far", 4, 40),
        functions("user", 4, 40),
    )
}

#[test]
fn rf5_what_was_asked_for_is_shown() {
    let mut ask = Ask::new("Simplify step2", "src/core.ts");
    ask.needs = ["hidden", "callers of hidden", "src/far.ts:50-60", "src/none.ts"]
        .map(|text| Need::Asked(text.to_owned()))
        .into();
    check(
        &with_far_files(),
        &ask,
        expect![[r#"
            *src/core.ts: in scope
                whole, 160 lines
            src/far.ts: asked for, asked for: hidden
                39-82 (asked for); 160-162 (asked for: hidden)
            src/user.ts: asked for: uses of hidden
                160-164 (asked for: uses of hidden)
            - (asked for: src/none.ts): the index has no such file or name
        "#]],
    );
}

#[test]
fn rf5_a_file_that_was_asked_for_is_shown_whole_or_in_parts() {
    let repo = Repo::new(&with_far_files());
    let mut ask = Ask::new("Simplify step2", "src/core.ts");
    ask.needs = vec![Need::Asked("the file `src/far.ts`".to_owned())];
    let shown = |ask: &Ask| {
        let pack = repo.pack(ask);
        let file = pack.files.iter().find(|file| file.path == "src/far.ts").cloned();
        file.map(|file| file.shown).unwrap_or_default()
    };
    assert!(matches!(&shown(&ask)[..], [Shown::Whole { .. }]), "{:?}", shown(&ask));
    ask.budgets.excerpt_lines = 100;
    ask.budgets.chars = 9_000;
    assert!(
        shown(&ask).iter().any(|it| matches!(it, Shown::Excerpt { .. })),
        "too long for half of the room: {:?}",
        shown(&ask)
    );
}

#[test]
fn rf7_what_the_last_patch_touched_comes_first() {
    let mut files = String::from("\n//- src/core.ts\n");
    files += &functions("step", 60, 40);
    let repo = Repo::new(&files);
    let holds = |ask: &Ask, line: u32| {
        let pack = repo.pack(ask);
        let shown = pack.files.iter().flat_map(|file| &file.shown);
        let mut excerpts = shown.filter_map(|it| match it {
            Shown::Excerpt { first, last, .. } => Some(*first..=*last),
            Shown::Whole { .. } | Shown::Signatures { .. } => None,
        });
        excerpts.any(|lines| lines.contains(&line))
    };
    let mut ask = Ask::new("Simplify step2", "src/core.ts");
    // Inside of the last function.
    let line = 59 * 40 + 20;
    assert!(!holds(&ask, line), "it is too far from the goal");
    let (path, why) = ("src/core.ts".to_owned(), "changed by the last try".to_owned());
    ask.needs = vec![Need::Lines { path, first: line, last: line, why }];
    assert!(holds(&ask, line) && holds(&ask, 59 * 40 + 2), "with its function");
}

#[test]
fn pk1_what_the_goal_names_comes_before_what_shares_its_words() {
    let long = |name: &str| functions(name, 14, 90);
    let fixture = format!(
        "\n//- src/a.ts\n{}//- src/b.ts\n{}//- src/c.ts\n{}{}{}",
        long("moveWidgetA"),
        long("moveWidgetB"),
        long("moveWidgetC"),
        functions("openGate", 1, 90),
        functions("closeGate", 1, 90),
    );
    let goal = "Move `openGate1` and `closeGate1` into a module of their own, as widgets are moved";
    let mut ask = Ask::new(goal, "src/a.ts src/b.ts src/c.ts");
    ask.budgets.excerpt_lines = 400;
    let summary = summary(&Repo::new(&fixture).pack(&ask));
    for name in ["openGate1: matches the goal", "closeGate1: matches the goal"] {
        let (shown, left) = summary.split_once("\n- ").unwrap_or((&summary, ""));
        assert!(shown.contains(name) && !left.contains(name), "{name}: {summary}");
    }
}
