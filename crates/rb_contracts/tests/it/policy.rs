use std::fmt::Write as _;

use expect_test::expect;
use rb_contracts::{Policy, compare, judge};

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
