//! Rules that are kept elsewhere.

use expect_test::expect;
use rb_audit::{RuleHit, Rules, Severity, When};

use crate::support::check_with;

struct NoConsole;

impl Rules for NoConsole {
    fn findings(&self, _when: When, _path: &str, text: &[u8]) -> Vec<RuleHit> {
        let text = String::from_utf8_lossy(text);
        let lines = (1..).zip(text.lines()).filter(|(_, line)| line.contains("console."));
        let hit = |(line, text): (u32, &str)| RuleHit {
            rule: "no-console".to_owned(),
            line,
            message: "do not print".to_owned(),
            severity: if text.contains("error") { Severity::Error } else { Severity::Warning },
        };
        lines.map(hit).collect()
    }
}

#[test]
fn ve6_a_rule_objects_to_what_is_new() {
    check_with(
        "
//- a.js
console.log(1);
",
        "
//- a.js
const before = 1;
if (before) {
  console.log(1);
  console.log(2);
}
",
        &NoConsole,
        &expect![[r#"
            Warning anti_pattern a.js:4 no-console: do not print <- a.js:4
        "#]],
    );
}

#[test]
fn ru5_what_only_moved_or_was_rewritten_in_its_place_is_not_new() {
    // Into another file; a second one there is new.
    check_with(
        "
//- a.js
export function a() {
  console.log(1);
}
//- b.js
export const b = 1;
",
        "
//- a.js
export function a() {}
//- b.js
export const b = 1;
if (b) {
    console.log(1);
    console.log(1);
}
",
        &NoConsole,
        &expect![[r#"
            Warning anti_pattern b.js:4 no-console: do not print <- b.js:4
        "#]],
    );
    // What stays where it was does not cover a copy elsewhere.
    check_with(
        "
//- a.js
export const a = 1;
console.log('a');
//- b.js
export const b = 1;
",
        "
//- a.js
export const a = 2;
console.log('a');
//- b.js
export const b = 1;
console.log('a');
",
        &NoConsole,
        &expect![[r#"
            Warning anti_pattern b.js:2 no-console: do not print <- b.js:2
        "#]],
    );
    // Its line says something else now; the one below it is new.
    check_with(
        "
//- a.js
export const a = 1;
console.log('a');
export const b = 1;
",
        "
//- a.js
export const a = 1;
console.log(a, 1);
console.error(a);
export const b = 1;
",
        &NoConsole,
        &expect![[r#"
            Error anti_pattern a.js:3 no-console: do not print <- a.js:3
        "#]],
    );
    // The whole file went elsewhere, with its one; the other one is new.
    check_with(
        "
//- a.js
export const a = 1;
export const b = 2;
console.log('a');
",
        "
//- gone a.js
//- lib/a.js
export const a = 1;
export const b = 2;
console.log('a');
//- c.js
console.log('a');
export const c = 3;
export const d = 4;
export const e = 5;
",
        &NoConsole,
        &expect![[r#"
            Warning anti_pattern c.js:1 no-console: do not print <- c.js:1
        "#]],
    );
}
