//! Rules that are kept elsewhere.

use expect_test::expect;
use rb_audit::{RuleHit, Rules};

use crate::support::check_with;

struct NoConsole;

impl Rules for NoConsole {
    fn findings(&self, _path: &str, text: &[u8]) -> Vec<RuleHit> {
        let text = String::from_utf8_lossy(text);
        let lines = (1..).zip(text.lines()).filter(|(_, line)| line.contains("console."));
        let hit = |(line, _)| RuleHit {
            rule: "no-console".to_owned(),
            line,
            message: "do not print".to_owned(),
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
