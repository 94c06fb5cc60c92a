//! Tests of rules, in words.

use expect_test::{Expect, expect};

use crate::load;

#[track_caller]
fn check(rules: &str, expected: &Expect) {
    let results = load(rules).test();
    let lines: Vec<String> = results.iter().map(ToString::to_string).collect();
    expected.assert_eq(&lines.join("\n"));
}

#[test]
fn ru4_tests_pass() {
    check(
        "
id: no-f
language: ts
rule: { pattern: f($A) }
fix: g($A)
tests:
  valid: g(1)
  invalid:
    - f(1)
    - code: f(f(f(1)))
      fixed: g(g(g(1)))
---
id: untested
language: ts
rule: { pattern: f($A) }
",
        &expect![[r#"
            rules/a.yml:7: no-f: passed
            rules/a.yml:9: no-f: passed
            rules/a.yml:10: no-f: passed
            rules/a.yml:13: untested: has no tests; add `tests:` with `valid` and `invalid` code"#]],
    );
}

#[test]
fn ru4_tests_fail_in_words() {
    check(
        "
id: a
language: ts
rule: { pattern: f($A) }
fix: g($A)
tests:
  valid:
    - ok()
    - |
      f(1)
      g(f(2))
  invalid:
    - |
      ff(1)
      ff(2)
    - code: f(1)
      fixed: h(1)
---
id: again
language: ts
rule: { pattern: f($A) }
fix: f(f($A))
tests: { invalid: f(1) }
---
id: breaks
language: ts
rule: { pattern: f($A) }
fix: f((
tests: { invalid: [f(1)] }
---
id: no-fix
language: ts
rule: { pattern: f($A) }
tests: { invalid: { code: f(1), fixed: g(1) } }
",
        &expect![[r#"
            rules/a.yml:8: a: passed
            rules/a.yml:10: a: finds something in valid code
              + f(1)
              + f(2)
            rules/a.yml:14: a: finds nothing in invalid code
              - ff(1)
              - ff(2)
            rules/a.yml:16: a: fixes the code otherwise than the case says
              - h(1)
              + g(1)
            rules/a.yml:23: again: changes its own result when the fix is made again
              - f(f(1))
              + f(f(f(1)))
            rules/a.yml:29: breaks: leaves code that does not parse
              + f((
            rules/a.yml:34: no-fix: makes no edit, but the case says how the code is fixed"#]],
    );
}

#[test]
fn ru4_a_rule_that_is_off_is_tested() {
    check(
        "{ id: a, severity: off, files: [x], language: ts, rule: { pattern: f($A) }, tests: { invalid: f(1), valid: g(1) } }",
        &expect![[r#"
            rules/a.yml:1: a: passed
            rules/a.yml:1: a: passed"#]],
    );
}

/// Code with an error before the fix may have it afterwards too.
#[test]
fn ru4_old_syntax_errors_are_not_the_fix_s() {
    check(
        "
id: a
language: ts
rule: { pattern: f($A) }
fix: g($A)
tests:
  invalid:
    - code: f(1) )
      fixed: g(1) )
",
        &expect!["rules/a.yml:8: a: passed"],
    );
}
