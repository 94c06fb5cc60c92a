use std::fmt::Write as _;

use expect_test::expect;
use rb_contracts::{Policy, compare, judge, take_consequences};

use crate::support::{change_words, of_fixture};

const BEFORE: &str = "
//- package.json
{ \"name\": \"p\", \"main\": \"a.js\" }
//- a.js
export function keep(a) {}
export function drop() {}
export class Old { go() {} }
";
const AFTER: &str = "
//- package.json
{ \"name\": \"p\", \"main\": \"a.js\" }
//- a.js
export function keep(a, b) {}
export class Old {}
export function fresh() {}
";

#[test]
fn ve7_what_breaks_is_refused_unless_it_is_allowed() {
    let changes = || compare(&of_fixture(BEFORE), &of_fixture(AFTER));
    let all = Policy { allow_public_api_changes: true, ..Policy::default() };
    let some = Policy { allowed: vec!["Old.*".into(), "dr?p".into()], ..Policy::default() };
    let mut out = String::new();
    for policy in [Policy::default(), some, all] {
        let (allowed, refused) = judge(changes(), &policy).unwrap();
        let _ =
            writeln!(out, "allowed\n{}refused\n{}", change_words(&allowed), change_words(&refused));
    }
    expect![[r#"
        allowed
        ~ added: `fresh` of `p` was added: function `()` (a.js:3)
        refused
        ! narrowed: `keep` of `p` takes one more required argument: `b` (a.js:1)
        ! removed: `drop` of `p` was removed (a.js:2)
        ! removed: `Old.go` of `p` was removed (a.js:3)

        allowed
        ! removed: `drop` of `p` was removed (a.js:2)
        ! removed: `Old.go` of `p` was removed (a.js:3)
        ~ added: `fresh` of `p` was added: function `()` (a.js:3)
        refused
        ! narrowed: `keep` of `p` takes one more required argument: `b` (a.js:1)

        allowed
        ! narrowed: `keep` of `p` takes one more required argument: `b` (a.js:1)
        ! removed: `drop` of `p` was removed (a.js:2)
        ! removed: `Old.go` of `p` was removed (a.js:3)
        ~ added: `fresh` of `p` was added: function `()` (a.js:3)
        refused
        no change

    "#]]
    .assert_eq(&out);
    let wrong = Policy { allowed: vec!["a[".into()], ..Policy::default() };
    expect!["`a[` is not a valid name pattern"]
        .assert_eq(&judge(changes(), &wrong).unwrap_err().to_string());
}

#[test]
fn st1_what_was_asked_for_is_allowed_in_its_file_alone() {
    let asked = |names: &[(&str, &str)]| {
        let asked = names.iter().map(|(file, name)| ((*file).to_owned(), (*name).to_owned()));
        let policy = Policy { asked: asked.collect(), ..Policy::default() };
        let changes = compare(&of_fixture(BEFORE), &of_fixture(AFTER));
        let (_, refused) = judge(changes, &policy).unwrap();
        refused.into_iter().map(|change| change.name).collect::<Vec<_>>()
    };
    assert_eq!(asked(&[("a.js", "drop"), ("b.js", "keep")]), ["keep", "Old.go"]);
    assert_eq!(asked(&[("a.js", "Old"), ("a.js", "ke")]), ["keep", "drop"]);
    assert!(asked(&[("a.js", "*")]).is_empty());
}

#[test]
fn st1_what_follows_from_a_rename_is_taken_apart() {
    let of = |module: &str, more: &str| {
        of_fixture(&format!(
            "//- pyproject.toml\n[project]\nname = \"p\"\n//- p/__init__.py\n//- p/{module}.py\nclass Depends: ...\n\
             //- p/api.py\nfrom p import {module}\n\ndef go(by: {module}.Depends{more}): ...\n\n\
             def keep(by: Annotated[{module}.Depends, 'of params']): ...\n"
        ))
    };
    let (before, after) = (of("params", ""), of("param", ", more: int"));
    let mut refused = compare(&before, &after);
    refused.retain(|change| change.breaking && change.file == "p/api.py");
    let names = |changes: &[rb_contracts::ContractChange]| {
        changes.iter().map(|change| change.name.clone()).collect::<Vec<_>>()
    };
    assert_eq!(names(&refused), ["go", "go", "keep"], "{refused:#?}");
    let renames = [("params".to_owned(), "param".to_owned())].into();
    let taken = take_consequences(&mut refused, &before, &after, &renames);
    assert_eq!(
        (names(&taken), names(&refused)),
        (vec!["keep".to_owned()], vec!["go".to_owned(); 2])
    );
}
