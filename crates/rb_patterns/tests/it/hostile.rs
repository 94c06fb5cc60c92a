//! Rules and files that were made to hang, to crash or to fill the memory.

use std::fmt::Write as _;

use rb_lang::Language;
use rb_patterns::{Problem, Rules};

use crate::load;

#[test]
fn ru4_a_tangled_file_is_not_looked_at() {
    let rules = load("{ id: a, language: ts, rule: { pattern: f() } }");
    for text in ["(".repeat(60_000), "f();".repeat(600_000), "A<".repeat(60_000)] {
        let findings = rules.find("a.ts", Language::TypeScript, &text);
        assert!(findings.unreadable && findings.matches.is_empty());
    }
}

#[test]
fn ru4_a_deep_file_is_matched() {
    let rules = load(
        "
id: a
language: ts
rule: { pattern: f(), inside: { kind: array, stopBy: end } }
---
id: same
language: ts
rule: { pattern: $A == $A }
",
    );
    let text = format!("{}f(){}", "[".repeat(2000), "]".repeat(2000));
    assert_eq!(rules.find("a.ts", Language::TypeScript, &text).matches.len(), 1);
    let sum = format!("{}a", "a + ".repeat(20_000));
    let findings = rules.find("a.ts", Language::TypeScript, &format!("({sum}) == ({sum})"));
    assert_eq!(findings.matches.len(), 1);
}

/// A utility that looks for itself below goes as deep as the tree.
#[test]
fn ru4_a_rule_that_recurses_down_a_deep_file_ends() {
    let rules = load(
        "
id: a
language: ts
rule: { kind: expression_statement, has: { matches: sum } }
utils:
  sum: { any: [{ kind: identifier }, { kind: binary_expression, has: { matches: sum } }] }
",
    );
    let text = format!("{}a", "a + ".repeat(20_000));
    let findings = rules.find("a.ts", Language::TypeScript, &text);
    assert_eq!((findings.matches.len(), findings.exhausted.len()), (1, 0));
}

#[test]
fn ru4_a_rule_that_takes_too_much_work_is_given_up_on() {
    let mut rule = "{ kind: zzz }".replace("zzz", "debugger_statement");
    for _ in 0..8 {
        rule = format!("{{ any: [{{ has: {{ any: [{rule}], stopBy: end }} }}] }}");
    }
    let file = format!(
        "
id: a
language: ts
rule: {{ kind: statement_block, all: [{rule}] }}
---
id: b
language: ts
rule: {{ pattern: f() }}
"
    );
    let text = format!("{}f();{}", "{ a; ".repeat(60), "}".repeat(60));
    let findings = load(&file).find("a.ts", Language::TypeScript, &text);
    assert_eq!(findings.exhausted, ["a"]);
    // The others go on.
    assert_eq!(findings.matches.len(), 1);
}

#[test]
fn ru4_utilities_that_double_are_refused() {
    let mut file = "id: a\nlanguage: ts\nrule: { matches: u0 }\nutils:\n".to_owned();
    for level in 0..40 {
        let next = level + 1;
        let _ = writeln!(
            file,
            "  u{level}: {{ all: [{{ matches: u{next} }}, {{ matches: u{next} }}] }}"
        );
    }
    file += "  u40: { kind: number }\n";
    let (_, errors) = Rules::load(&[("a.yml", &file)], &|_| false);
    assert!(matches!(errors[0].problem, Problem::TooMuch { .. }), "{}", errors[0]);
}

#[test]
fn ru4_utilities_that_use_each_other_in_a_circle_are_refused() {
    let file = "
id: a
language: ts
rule: { matches: one }
utils: { one: { all: [{ matches: two }] }, two: { any: [{ matches: one }] } }
";
    let (_, errors) = Rules::load(&[("a.yml", file)], &|_| false);
    assert!(errors[0].to_string().contains("cyclic"), "{}", errors[0]);
}

#[test]
fn ru4_a_fix_that_would_fill_the_memory_is_not_made() {
    let many = "$A".repeat(4000);
    let text = format!("f(`{}`)", "x\n".repeat(2000));
    let file =
        format!("id: a\nlanguage: ts\nmessage: {many}\nrule: {{ pattern: f($A) }}\nfix: {many}");
    let findings = load(&file).find("a.ts", Language::TypeScript, &text);
    assert_eq!(findings.matches.len(), 1);
    assert!(findings.matches[0].edits.is_empty());
}

#[test]
fn ru4_transformations_that_grow_without_end_are_given_up_on() {
    let mut file = "id: a\nlanguage: ts\nrule: { pattern: f($A) }\ntransform:\n".to_owned();
    file += "  B0: { substring: { source: $A } }\n";
    for level in 1..30 {
        let before = level - 1;
        let by = "x".repeat(200);
        let _ = writeln!(
            file,
            "  B{level}: {{ replace: {{ source: $B{before}, replace: x, by: {by} }} }}"
        );
    }
    file += "fix: g($B29)\n";
    let findings = load(&file).find("a.ts", Language::TypeScript, "f(x)");
    assert_eq!(findings.exhausted, ["a"]);
}

#[test]
fn ru4_deep_rules_are_refused_or_loaded() {
    for depth in [10, 100, 5000] {
        let file = format!(
            "id: a\nlanguage: ts\nrule: {}{{ kind: number }}{}\n",
            "{ not: ".repeat(depth),
            " }".repeat(depth)
        );
        let (rules, errors) = Rules::load(&[("a.yml", &file)], &|_| false);
        assert_eq!(rules.is_empty(), !errors.is_empty());
    }
    let pattern = format!("{}1{}", "[".repeat(300), "]".repeat(300));
    let file = format!("id: a\nlanguage: ts\nrule: {{ pattern: '{pattern}' }}\n");
    let (rules, errors) = Rules::load(&[("a.yml", &file)], &|_| false);
    assert_eq!(rules.is_empty(), !errors.is_empty());
    let findings = rules.find("a.ts", Language::TypeScript, &format!("{pattern};"));
    assert_eq!(findings.matches.len(), usize::from(errors.is_empty()));
}
