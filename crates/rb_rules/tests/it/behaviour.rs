//! Programs that run before and after the edits of a rule: what can be seen of them must be the same.
//!
//! A case is a file below `tests/behaviour/cases/RULE/`. Its first lines say how it is run (`// mode: dom`), what the project is
//! (`// given: es2023`), and, for rules that repair what is seen, what changes (`// differs: …`).

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use expect_test::expect_file;
use rb_core::fs;
use rb_rules::engine::rule;
use rb_rules::testing::Setup;
use rb_rules::{Applicability, FixKind, Realm, Rule};
use serde_json::{Value, json};

use crate::harness;

struct Case {
    id: String,
    rule: &'static Rule,
    file: String,
    before: String,
    after: String,
    mode: String,
    differs: bool,
}

#[test]
fn ru1_proved_edits_keep_behaviour() {
    let cases = cases();
    let traces = run(&cases);
    let mut differences = String::new();
    let mut wrong = Vec::new();
    for case in &cases {
        let before = &traces[&format!("{} before", case.id)];
        let after = &traces[&format!("{} after", case.id)];
        assert!(!before.is_empty(), "{} shows nothing", case.id);
        if case.differs {
            writeln!(differences, "{}\n{}", case.id, difference(before, after))
                .expect("a string takes it");
            if before == after {
                wrong.push(format!("{} is said to differ, and does not", case.id));
            }
        } else if before != after {
            wrong.push(format!("{}\n{}\n{}", case.id, difference(before, after), case.after));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
    expect_file!["../behaviour/differences.txt"].assert_eq(&differences);
}

/// Every rule that edits without asking was run.
#[test]
fn ru1_every_rule_with_proved_edits_has_cases() {
    let cases = cases();
    let proves = |rule: &&&Rule| matches!(rule.fix, FixKind::Auto | FixKind::AssistWithAuto);
    let missing: Vec<&str> = rb_rules::rules::ALL
        .iter()
        .filter(proves)
        .map(|rule| rule.id)
        .filter(|id| cases.iter().filter(|case| case.rule.id == *id).count() < 3)
        // Its cases are packages: `ru1_barrels_give_the_same_bindings`.
        .filter(|id| *id != "bundle-barrel-imports")
        .collect();
    assert_eq!(missing, Vec::<&str>::new());
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/behaviour")
}

fn cases() -> Vec<Case> {
    let root = folder().join("cases");
    let mut cases = Vec::new();
    for id in names(&root) {
        let rule = rule(&id).unwrap_or_else(|| panic!("there is no rule {id}"));
        for file in names(&root.join(&id)) {
            cases.push(read(rule, &root.join(&id).join(&file), &file));
        }
    }
    cases
}

fn names(folder: &Path) -> Vec<String> {
    let mut names: Vec<String> = fs::list(folder)
        .expect("the folder of the cases")
        .into_iter()
        .map(|name| name.into_string().expect("a plain name"))
        .collect();
    names.sort();
    names
}

fn read(rule: &'static Rule, path: &Path, file: &str) -> Case {
    let before = String::from_utf8(fs::read(path).expect("a case")).expect("a text");
    let said = |what: &str| {
        let head = before.lines().take_while(|line| line.starts_with("//"));
        let mut found = head
            .filter_map(|line| line.strip_prefix("// ")?.strip_prefix(what)?.strip_prefix(": "));
        found.next().map(str::to_owned)
    };
    let mut setup = Setup::new().path(&format!("src/{file}"));
    for word in said("given").unwrap_or_default().split_whitespace() {
        setup = given(setup, word);
    }
    let after = setup.fixed(rule, &before, Applicability::Auto);
    let after = after.unwrap_or_else(|| panic!("{} makes no proved edit in {file}", rule.id));
    Case {
        id: format!("{}/{file}", rule.id),
        rule,
        file: file.to_owned(),
        mode: said("mode").unwrap_or_else(|| panic!("{file} does not say how it is run")),
        differs: said("differs").is_some(),
        before,
        after,
    }
}

fn given(setup: Setup, word: &str) -> Setup {
    let version = |text: &str| {
        let (major, minor) = text.split_once('.').unwrap_or((text, "0"));
        (major.parse().expect("a number"), minor.parse().expect("a number"))
    };
    if let Some(year) = word.strip_prefix("es") {
        let year = year.parse().expect("a year");
        return setup.package(|it| it.es_year = Some(year));
    }
    if let Some(text) = word.strip_prefix("react") {
        let (major, minor) = version(text);
        return setup.react(major, minor);
    }
    if let Some(text) = word.strip_prefix("next") {
        let (major, minor) = version(text);
        return setup.next(major, minor);
    }
    match word {
        "ssr" => setup.ssr(),
        "server" => setup.realm(Realm::Server),
        "client" => setup.realm(Realm::Client),
        other => panic!("what is `{other}`?"),
    }
}

/// All cases in one process of Node, each before and after.
fn run(cases: &[Case]) -> BTreeMap<String, Vec<String>> {
    let forms = cases
        .iter()
        .flat_map(|case| [(case, "before", &case.before), (case, "after", &case.after)]);
    let input: Vec<Value> = forms
        .map(|(case, form, text)| {
            json!({
                "id": format!("{} {form}", case.id),
                "files": { case.file.clone(): text },
                "entry": case.file,
                "mode": case.mode,
            })
        })
        .collect();
    harness::run(&input)
}

fn difference(before: &[String], after: &[String]) -> String {
    let mut lines = Vec::new();
    for at in 0..before.len().max(after.len()) {
        let (old, new) = (before.get(at), after.get(at));
        if old == new {
            lines.push(format!("  {}", old.expect("one of them is there")));
        } else {
            lines.extend(old.map(|it| format!("- {it}")));
            lines.extend(new.map(|it| format!("+ {it}")));
        }
    }
    lines.join("\n")
}
