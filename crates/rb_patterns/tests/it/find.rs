//! Findings, their messages and edits.

use std::fmt::Write as _;

use expect_test::{Expect, expect};
use rb_core::edit::apply;
use rb_lang::Language;

use crate::load;

#[track_caller]
fn check(rules: &str, code: &str, expected: &Expect) {
    let findings = load(rules).find("src/a.ts", Language::TypeScript, code);
    let mut lines = String::new();
    for found in &findings.matches {
        let text = &code[found.start as usize..found.end as usize];
        let _ = write!(lines, "{} {:?} `{text}`: {}", found.rule, found.severity, found.message);
        if let Some(note) = &found.note {
            let _ = write!(lines, " ({note})");
        }
        for edit in &found.edits {
            let _ = write!(lines, " -> `{}`", edit.text);
        }
        lines += if found.fix_waits { " -> waits\n" } else { "\n" };
    }
    let edits: Vec<_> = findings.matches.iter().flat_map(|found| found.edits.clone()).collect();
    if !edits.is_empty() {
        lines += &apply(code, &edits).expect("edits of rules that do not overlap");
    }
    expected.assert_eq(&lines.replace('\r', "␍"));
}

#[test]
fn ru4_a_rule_finds_and_fixes() {
    check(
        "
id: no-console-log
language: TypeScript
severity: warning
message: use the logger, not console.log($$$A)
note: It is in src/logger.ts.
rule: { pattern: console.log($$$A) }
fix: logger.info($$$A)
",
        "console.log(a, 'b');\nfunction f() {\n  console.log(); // c\n}",
        &expect![[r#"
            no-console-log Warning `console.log(a, 'b')`: use the logger, not console.log(a, 'b') (It is in src/logger.ts.) -> `logger.info(a, 'b')`
            no-console-log Warning `console.log()`: use the logger, not console.log() (It is in src/logger.ts.) -> `logger.info()`
            logger.info(a, 'b');
            function f() {
              logger.info(); // c
            }"#]],
    );
}

#[test]
fn ru4_of_overlapping_fixes_the_outer_is_made_first() {
    check(
        "{ id: a, language: ts, rule: { pattern: f($A) }, fix: g($A) }",
        "f(f(1)); f(2)",
        &expect![[r#"
            a Hint `f(f(1))`:  -> `g(f(1))`
            a Hint `f(1)`:  -> waits
            a Hint `f(2)`:  -> `g(2)`
            g(f(1)); g(2)"#]],
    );
}

#[test]
fn ru4_several_rules_come_in_the_order_of_the_text() {
    check(
        "
{ id: b, language: ts, severity: error, message: b, rule: { pattern: f($A) } }
---
{ id: a, language: ts, severity: info, message: a, rule: { kind: number } }
---
{ id: c, language: ts, severity: off, message: c, rule: { kind: number } }
---
{ id: d, language: tsx, message: d, rule: { kind: number } }
---
{ id: e, language: ts, message: e, rule: { pattern: $X, kind: identifier }, constraints: { X: { regex: '^f' } } }
---
",
        "f(1); 2",
        &expect![[r#"
            b Error `f(1)`: b
            e Hint `f`: e
            a Info `1`: a
            a Info `2`: a
        "#]],
    );
}

#[test]
fn ru4_utilities_transformations_and_rewriters_work() {
    check(
        "
id: util
language: ts
rule:
  matches: is-literal
  inside: { kind: arguments, inside: { pattern: f($$$) } }
utils:
  is-literal:
    any: [{ kind: number }, { kind: string }]
---
id: transform
language: ts
message: rename $A to $B
rule: { pattern: get($A) }
transform:
  B: { convert: { source: $A, toCase: camelCase } }
fix: get($B)
---
id: rewrite
language: ts
rule: { pattern: 'set([$$$A])' }
rewriters:
  - id: number
    rule: { kind: number, pattern: $N }
    fix: big($N)
transform:
  B: { rewrite: { source: $$$A, rewriters: [number], joinBy: ' | ' } }
fix: set($B)
",
        "f(1, 'a', x); get(user_name); set([1, 2])",
        &expect![[r#"
            util Hint `1`: 
            util Hint `'a'`: 
            transform Hint `get(user_name)`: rename user_name to userName -> `get(userName)`
            rewrite Hint `set([1, 2])`:  -> `set(big(1) | big(2))`
            f(1, 'a', x); get(userName); set(big(1) | big(2))"#]],
    );
}

#[test]
fn ru4_a_fix_can_take_in_more_than_the_match() {
    check(
        "
id: no-b
language: ts
rule: { kind: pair, has: { field: key, regex: ^b$ } }
fix: { template: '', expandEnd: { regex: ',' } }
",
        "const x = { a: 1, b: 2, c: 3 }",
        &expect![[r#"
            no-b Hint `b: 2`:  -> ``
            const x = { a: 1,  c: 3 }"#]],
    );
    // The first of several is made.
    check(
        "
id: a
language: ts
rule: { pattern: f() }
fix: [{ title: one, template: g() }, { title: two, template: h() }]
",
        "f()",
        &expect![[r#"
            a Hint `f()`:  -> `g()`
            g()"#]],
    );
}

#[test]
fn ru4_a_fix_keeps_the_indentation() {
    check(
        "
id: wrap
language: ts
rule: { pattern: go($A) }
fix: |-
  run(
    $A,
  )
",
        "function f() {\n    go({\n        a: 1,\n    });\n}\n",
        &expect![[r#"
            wrap Hint `go({
                    a: 1,
                })`:  -> `run(
                  {
                      a: 1,
                  },
                )`
            function f() {
                run(
                  {
                      a: 1,
                  },
                );
            }
        "#]],
    );
}

#[test]
fn ru4_a_fix_keeps_line_ends() {
    check(
        "{ id: a, language: ts, rule: { pattern: go($A) }, fix: \"run(\\n  $A,\\n)\" }",
        "x()\r\ngo({\r\n  a: 1\r\n})\r\n",
        &expect![[r#"
            a Hint `go({␍
              a: 1␍
            })`:  -> `run(␍
              {␍
                a: 1␍
              },␍
            )`
            x()␍
            run(␍
              {␍
                a: 1␍
              },␍
            )␍
        "#]],
    );
}

/// A mark at the start, other line ends, comments and empty documents.
#[test]
fn ru4_rule_files_come_as_editors_write_them() {
    check(
        "\u{feff}# One\r\n---\r\nid: a\r\nlanguage: ts\r\nrule:\r\n  pattern: |\r\n    f(\r\n      $A\r\n    )\r\n---\r\n...\r\n",
        "f(1)",
        &expect![[r#"
            a Hint `f(1)`: 
        "#]],
    );
}

#[test]
fn ru4_a_pattern_below_an_expression_needs_its_context() {
    check(
        "
id: key
language: ts
rule:
  pattern: { context: 'const a = { secret: $V }', selector: pair }
",
        "g({ secret: 1, other: 2 })",
        &expect![[r#"
            key Hint `secret: 1`: 
        "#]],
    );
}

#[test]
fn ru4_files_and_ignores_say_where_a_rule_applies() {
    let rules = load(
        "
id: a
language: ts
rule: { pattern: f() }
files: ['src/**', { glob: 'LIB/*.ts', caseInsensitive: true }]
ignores: ['**/*.test.ts']
",
    );
    for (path, language, expected) in [
        ("src/a.ts", Language::TypeScript, true),
        ("src/b/a.ts", Language::TypeScript, true),
        ("src/a.test.ts", Language::TypeScript, false),
        ("test/a.ts", Language::TypeScript, false),
        ("lib/a.ts", Language::TypeScript, true),
        ("src/a.tsx", Language::Tsx, false),
        ("src/a.md", Language::Markdown, false),
    ] {
        assert_eq!(rules.wants(path, language), expected, "{path}");
        assert_eq!(
            rules.find(path, language, "f()").matches.len(),
            usize::from(expected),
            "{path}"
        );
    }
}

#[test]
fn ru4_ast_grep_suppressions_are_left_to_the_caller() {
    check(
        "{ id: a, language: ts, rule: { pattern: f() } }",
        "// ast-grep-ignore\nf()",
        &expect![[r#"
            a Hint `f()`: 
        "#]],
    );
}

#[test]
fn ru4_a_rule_says_what_it_is() {
    let rules = load(
        "
# A comment.
id: a
language: js
severity: error
message: no $A
url: https://example.com/a
rule: { pattern: f($A) }
fix: g($A)
metadata: { since: 1 }
",
    );
    expect![[r#"
        [
            RuleInfo {
                id: "a",
                language: JavaScript,
                severity: Some(
                    Error,
                ),
                message: "no $A",
                note: None,
                url: Some(
                    "https://example.com/a",
                ),
                has_fix: true,
                path: "rules/a.yml",
                line: 3,
            },
        ]
    "#]]
    .assert_debug_eq(&rules.iter().collect::<Vec<_>>());
}
