//! Whatever a rule file holds, loading it, matching with it and testing it comes back.

use std::sync::LazyLock;

use proptest::prelude::*;
use rb_core::edit::apply;
use rb_lang::Language;
use rb_patterns::Rules;

use crate::load;

const SEED: &str = r#"id: no-console-log
language: TypeScript
severity: warning
message: use the logger, not console.log($$$A)
rule:
  any:
    - pattern: console.log($$$A)
    - { kind: call_expression, has: { matches: dbg, stopBy: end, field: function } }
  not: { inside: { pattern: { context: "{ $$$A }", selector: statement_block }, stopBy: end } }
utils: { dbg: { regex: ^debug, nthChild: { position: 2n+1, reverse: true } } }
constraints: { A: { kind: string } }
transform: { B: { replace: { source: $A, replace: "a+", by: b } }, C: "substring($B, startChar=1)" }
fix: { template: "logger.info($$$A, $C)", expandEnd: { regex: ";" } }
files: ["src/**"]
tests:
  valid: ["logger.info(1)"]
  invalid:
    - code: console.log(x)
      fixed: logger.info(x)
"#;

const CODE: &str = "console.log('a'); debugIt(1);\nfunction f() { console.log('a', b); debugIt(1); return [1, 2]; }\n";

/// Divided by spaces; `_` stands for one.
const PIECES: &str = "$ $$$ $_ $A { } [ ] : :_ -_ \n \n---\n ' \" | > &a_ *a !!str_ # \t \0 ä 99999999999 -1 null all:_ not:_ \
    matches:_dbg ( (? {9999} \\ <<:_ ?_ pattern:_ kind:_ inside:_ stopBy:_ µ";

/// What to do, where, over how many characters, and with which piece.
type Change = (u8, usize, usize, usize);

fn changes() -> impl Strategy<Value = Vec<Change>> {
    prop::collection::vec((0..3_u8, any::<usize>(), 0..24_usize, any::<usize>()), 1..4)
}

/// Cuts, doubles and inserts.
fn mutated(text: &str, changes: &[Change]) -> String {
    let pieces: Vec<String> = PIECES.split(' ').map(|piece| piece.replace('_', " ")).collect();
    let mut chars: Vec<char> = text.chars().collect();
    for &(what, at, length, piece) in changes {
        let start = at % (chars.len() + 1);
        let end = (start + length).min(chars.len());
        match what {
            0 => drop(chars.drain(start..end)),
            1 => drop(chars.splice(start..start, pieces[piece % pieces.len()].chars())),
            _ => chars.extend_from_within(start..end),
        }
    }
    chars.into_iter().collect()
}

static RULES: LazyLock<Rules> = LazyLock::new(|| load(SEED));

/// What is mutated is a rule that works.
#[test]
fn ru4_the_seed_finds_and_fixes() {
    let findings = RULES.find("src/a.ts", Language::TypeScript, CODE);
    let edits = findings.matches.iter().flat_map(|found| &found.edits).count();
    assert_eq!((findings.matches.len(), edits), (2, 2));
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(512) })]

    #[test]
    fn ru4_no_rule_file_stops_the_program(changes in changes()) {
        let file = mutated(SEED, &changes);
        let (rules, errors) = Rules::load(&[("a.yml", &file)], &|_| false);
        for error in &errors {
            let lines = u32::try_from(file.lines().count()).expect("a few lines");
            prop_assert!((1..=lines + 1).contains(&error.line), "{error}");
        }
        rules.test();
        rules.find("src/a.ts", Language::TypeScript, CODE);
    }

    #[test]
    fn ru4_no_code_stops_the_program(changes in changes()) {
        let code = mutated(CODE, &changes);
        let findings = RULES.find("src/a.ts", Language::TypeScript, &code);
        for found in &findings.matches {
            prop_assert!(code.get(found.start as usize..found.end as usize).is_some());
            prop_assert!(apply(&code, &found.edits).is_ok());
        }
    }
}
