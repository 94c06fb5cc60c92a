//! The budgets hold for any repository, any task and any budget.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use proptest::prelude::*;
use rb_models::Family;
use rb_pack::{Budgets, Pack, PackError, Shown};

use crate::support::{Ask, Repo, functions, rule};

fn excerpt_lines(pack: &Pack) -> usize {
    let lines = |shown: &Shown| match shown {
        Shown::Excerpt { text, .. } => text.lines().count(),
        Shown::Whole { .. } | Shown::Signatures { .. } => 0,
    };
    pack.files.iter().flat_map(|file| &file.shown).map(lines).sum()
}

fn tokens(text: &str) -> u64 {
    (rb_models::tokens::count(text) * Family::Claude.permille()).div_ceil(1000)
}

/// Everything that must hold of a pack.
fn hold(ask: &Ask, pack: &Pack) {
    let prompt = ask.prompt(pack);
    let Budgets { chars, excerpt_lines: lines, ledger_entries, tokens: most, .. } = pack.budgets;
    assert!(prompt.chars().count() <= chars, "{} > {chars}", prompt.chars().count());
    assert_eq!(prompt.chars().count(), pack.sizes.chars);
    assert!(prompt.len() <= pack.budgets.bytes && prompt.len() == pack.sizes.bytes);
    assert!(excerpt_lines(pack) <= lines);
    assert_eq!(excerpt_lines(pack), pack.sizes.excerpt_lines);
    assert!(pack.ledger.len() <= ledger_entries);
    assert!(tokens(&prompt) <= pack.sizes.tokens, "reckoned on the high side");
    assert!(most.is_none_or(|most| pack.sizes.tokens <= most));
    let asked = ask.budgets;
    assert!(chars <= asked.most_chars.max(asked.chars), "{chars}");
    assert!(
        most.zip(asked.tokens).is_none_or(|(most, usual)| most <= asked.most_tokens.max(usual))
    );
    for file in &pack.files {
        assert!(!file.reason.is_empty() && !file.shown.is_empty(), "{}", file.path);
        assert!(prompt.contains(&format!("### {}\n", file.path)), "{} is in the prompt", file.path);
    }
    assert!(pack.omitted.iter().all(|it| !it.path.is_empty() && !it.reason.is_empty()));
    let patch = "+ a line\n".repeat(lines);
    let fence = crate::support::fence();
    let critic =
        pack.critic_prompt(&ask.asked(), &fence, &patch, &patch).expect("a fence that holds");
    assert!(critic.chars().count() <= chars);
    assert!(most.is_none_or(|most| tokens(&critic) <= most));
    let mut other = ask.clone();
    other.conventions = vec!["Another convention. ".repeat(40); 40];
    other.directive = Some("words ".repeat(900));
    assert!(other.prompt(pack).chars().count() <= chars, "whatever else is asked");
}

/// Files that import each other, of any size, with long lines in some.
fn repository() -> impl Strategy<Value = Vec<(usize, usize, Vec<usize>, bool)>> {
    let file = (0..9_usize, 1..70_usize, prop::collection::vec(0..8_usize, 0..4), any::<bool>());
    prop::collection::vec(file, 1..8)
}

fn written(files: &[(usize, usize, Vec<usize>, bool)]) -> Repo {
    let mut all: BTreeMap<String, Vec<u8>> = BTreeMap::new();
    for (nth, (count, lines, imports, wide)) in files.iter().enumerate() {
        let mut text = String::new();
        for import in imports.iter().filter(|import| **import < files.len() && **import != nth) {
            let _ = writeln!(text, "import {{ f{import}x1 }} from './f{import}'");
        }
        text += &functions(&format!("f{nth}x"), *count, *lines);
        for import in imports {
            let _ = writeln!(text, "export const u{import} = f{import}x1({nth})");
        }
        if *wide {
            let _ = writeln!(text, "export const wide = '{}'", "漢x🦀 ".repeat(300));
        }
        all.insert(format!("src/f{nth}.ts"), text.into_bytes());
    }
    Repo::of(all)
}

/// With room for the batch and hardly anything more, a word on what is missing may be too much.
#[test]
fn rf4_hardly_any_room_is_not_passed() {
    let repo = written(&[(0, 1, Vec::new(), false)]);
    let scope: Vec<String> = (0..5).map(|nth| format!("src/f{nth}.ts")).collect();
    let mut ask = Ask::new("Simplify f1x2 and whatever is wide", &scope.join(" "));
    ask.errors = vec![String::new()];
    let mut built = 0;
    for tokens in 200..400 {
        let excerpt_lines = 0;
        ask.budgets =
            Budgets { chars: 8_000, tokens: Some(tokens), excerpt_lines, ..Budgets::default() };
        if let Ok(pack) = repo.build(&ask) {
            hold(&ask, &pack);
            built += 1;
        }
    }
    assert!(built > 100, "{built}");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 40, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn rf4_no_budget_is_ever_passed(
        files in repository(),
        in_scope in 1..8_usize,
        places in prop::collection::vec((0..8_usize, 0..400_u32), 0..12),
        chars in prop_oneof![0..12_000_usize, 8_000..60_000_usize],
        bytes in 4 * Budgets::LEAST_CHARS..100_000_usize,
        lines in prop_oneof![0..40_usize, 0..700_usize],
        most_tokens in prop_oneof![Just(None), (0..12_000_u64).prop_map(Some)],
        grown in prop_oneof![Just((0, 0)), (0..90_000_usize, 0..30_000_u64)],
        ledger in (0..12_usize, 0..9_usize),
        rules in 0..20_usize,
        errors in prop::collection::vec(0..200_usize, 0..5),
    ) {
        let repo = written(&files);
        let scope: Vec<String> = (0..in_scope).map(|nth| format!("src/f{nth}.ts")).collect();
        let mut ask = Ask::new("Simplify f1x2 and whatever is wide", &scope.join(" "));
        for (file, line) in places {
            ask = ask.place(&format!("src/f{file}.ts"), line, "a finding");
        }
        ask.rules = (0..rules).map(|nth| rule(&format!("rule-{nth}"))).collect();
        ask.errors = errors.iter().map(|lines| "error: it failed\n".repeat(*lines)).collect();
        ask.budgets = Budgets {
            chars,
            most_chars: grown.0,
            bytes,
            excerpt_lines: lines,
            ledger_entries: ledger.0,
            ledger_lines: ledger.1,
            tokens: most_tokens,
            most_tokens: grown.1,
        };
        match repo.build(&ask) {
            Ok(pack) => {
                hold(&ask, &pack);
                prop_assert_eq!(&pack, &repo.pack(&ask), "the same input, the same pack");
                let json = serde_json::to_string(&pack).unwrap();
                prop_assert_eq!(serde_json::from_str::<Pack>(&json).unwrap(), pack);
            }
            Err(PackError::FewChars { chars }) => prop_assert!(chars < Budgets::LEAST_CHARS),
            Err(PackError::FewTokens { tokens, least }) => prop_assert!(tokens < least),
            Err(error) => prop_assert!(false, "{error}"),
        }
    }
}

#[test]
fn rf4_with_the_least_budget_the_batch_stands_alone() {
    let repo = Repo::new(&format!("\n//- src/a.ts\n{}", functions("step", 30, 40)));
    let long = "\u{202e}long ".repeat(3_000);
    let mut ask = Ask::new(&long, "src/a.ts");
    ask.directive = Some(long.clone());
    ask.task.scope_globs = vec![long.clone(); 50];
    ask.task.allowed_operations = vec![long.clone(); 50];
    ask.task.notes = vec![long.clone(); 50];
    ask.task.files = (0..200)
        .map(|nth| rb_core::RepoPath::new(format!("{nth}é\u{1}/{}", "n".repeat(200))).unwrap())
        .collect();
    ask.verifiers = vec![long.clone(); 50];
    ask.budgets.chars = Budgets::LEAST_CHARS;
    let pack = repo.pack(&ask);
    hold(&ask, &pack);
    assert_eq!(pack.files, []);
    ask.budgets.chars -= 1;
    assert!(matches!(repo.build(&ask), Err(PackError::FewChars { chars: 7_999 })));
}

#[test]
fn rf4_no_file_takes_it_all() {
    let mut fixture = "\n".to_owned();
    for nth in 1..=4 {
        let _ =
            write!(fixture, "//- src/big{nth}.ts\n{}", functions(&format!("big{nth}x"), 20, 100));
    }
    let repo = Repo::new(&fixture);
    let ask = Ask::new("Tidy", "src/big1.ts src/big2.ts src/big3.ts src/big4.ts");
    let pack = repo.pack(&ask);
    hold(&ask, &pack);
    let paths: Vec<&str> = pack.files.iter().map(|file| file.path.as_str()).collect();
    assert_eq!(paths, ["src/big1.ts", "src/big2.ts", "src/big3.ts", "src/big4.ts"]);
    let has_excerpt = |shown: &Shown| !matches!(shown, Shown::Signatures { .. });
    assert!(
        pack.files.iter().all(|file| file.shown.iter().any(has_excerpt)),
        "each has its turn: {}",
        crate::support::summary(&pack)
    );
    let lines = pack.sizes.excerpt_lines;
    assert!((200..450).contains(&lines), "what nothing refers to takes half of the room: {lines}");
}

#[test]
fn rf4_an_interrupted_build_stops() {
    let repo = Repo::new("\n//- a.ts\nexport const a = 1\n");
    assert!(matches!(repo.interrupted(&Ask::new("Tidy", "a.ts")), Err(PackError::Interrupted)));
}
