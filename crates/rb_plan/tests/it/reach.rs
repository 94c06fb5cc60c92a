//! Where a model may work: in the places that a directive names, and in no others.

use rb_plan::{Plan, refine};
use rb_schema::roles::planner::PlannerResponse;
use serde_json::{Value, json};

use crate::support::{Repo, many, shown};

/// Twelve files in three folders, one with a test; all of them use `src/base.js`.
fn fixture() -> String {
    let mut text = many(12, |at| {
        let folder = ["api", "lib", "web"][at / 4];
        format!(
            "//- src/{folder}/f{at}.js\nimport {{ base }} from '../base.js';\nexport const f{at} = () => base({at});\n"
        )
    });
    text += "//- src/base.js\nexport const base = (it) => it;\n//- README.md\n# It\n\
             //- test/f0.test.js\nimport { f0 } from '../src/api/f0.js';\nf0();\n\
             //- test/f1.test.js\nimport { f1 } from '../src/api/f1.js';\nf1();\n";
    text
}

fn asked(directive: &str, found: &[&str]) -> Repo {
    let mut repo = Repo::asked(&fixture(), directive).with_model();
    repo.found = found.iter().map(|it| (*it).to_owned()).collect();
    repo
}

fn files(plan: &Plan) -> Vec<String> {
    let all = plan.tasks.iter().flat_map(|it| &it.files).map(ToString::to_string);
    let mut all: Vec<String> = all.collect();
    all.sort();
    all.dedup();
    all
}

#[track_caller]
fn check(repo: &Repo, expected: &[&str]) {
    let plan = repo.plan();
    assert_eq!(files(&plan), expected, "{}", shown(&plan));
}

#[test]
fn rf3_a_models_tasks_are_about_the_places_of_the_directive() {
    let found = &["src/web/f8.js", "src/lib/f4.js", "src/api/f1.js", "README.md"];
    check(
        &asked("Use guard clauses in src/api/f0.js", found),
        &["src/api/f0.js", "test/f0.test.js"],
    );
    check(&asked("Use guard clauses in src/lib", found), &["src/lib/f4.js"]);
    // None was found there.
    let lib = &["src/lib/f4.js", "src/lib/f5.js", "src/lib/f6.js", "src/lib/f7.js"];
    check(&asked("Use guard clauses in src/lib", &["src/web/f8.js"]), lib);
    check(
        &asked("Use guard clauses except in src/web", found),
        &["src/api/f1.js", "src/lib/f4.js", "test/f1.test.js"],
    );
    // Also a test that is named after a file must not be touched.
    check(
        &asked("Use guard clauses except in src/web and test", found),
        &["src/api/f1.js", "src/lib/f4.js"],
    );
    check(&asked("Use guard clauses in test/f0.test.js", found), &["test/f0.test.js"]);
    // A part beside one that is served.
    let plan = asked("Remove dead code and use guard clauses in src/lib", found).plan();
    assert_eq!(files(&plan), ["src/lib/f4.js"], "{}", shown(&plan));
}

#[test]
fn rf3_where_something_is_to_be_made_is_not_where_all_is_to_be_done() {
    let found = &["src/web/f8.js", "src/api/f1.js"];
    let all = &["src/api/f1.js", "src/web/f8.js", "test/f1.test.js"];
    for directive in [
        "Let f1 and f8 build the base with one shared function in src/lib",
        "Use a common helper in src/lib to build the base in f1 and f8",
        "Move the base of f1 and f8 into a new module in src/lib",
    ] {
        let repo = asked(directive, found);
        check(&repo, all);
        let made = batch(&["src/api/f1.js", "src/lib/made.js"], &["edit", "create-file"]);
        let scope = ["/src/api/f1.js", "/test/f1.test.js", "/src/lib/made.js"];
        assert_eq!(added(&repo, &made), (scope.map(str::to_owned).to_vec(), Vec::new()));
    }
    // Beside other places it is one of them.
    let made = "Move the base of src/web/f8.js and src/web/f9.js into a new module in src/lib";
    check(&asked(made, found), &["src/web/f8.js", "src/web/f9.js"]);
    // What is used everywhere in a place, and any function there, are no such thing.
    check(&asked("Use one import style in src/web", found), &["src/web/f8.js"]);
    check(&asked("Start with each exported function in src/web", found), &["src/web/f8.js"]);
}

#[test]
fn rf3_words_that_no_file_has_lead_to_the_files_that_matter() {
    let mut repo = asked("Use guard clauses instead of nested ifs", &[]);
    repo.hot = vec!["src/web/f9.js".to_owned()];
    let plan = repo.plan();
    assert!((3..=6).contains(&plan.tasks.len()), "{}", shown(&plan));
    let found = files(&plan);
    assert!(found.contains(&"src/web/f9.js".to_owned()), "{found:?}");
    assert!(found.contains(&"src/base.js".to_owned()), "{found:?}");
    assert_eq!(plan.unserved, None);
    let mut nothing = Repo::asked("//- README.md\n# It\n", "Use guard clauses").with_model();
    nothing.found = vec!["README.md".to_owned()];
    let why = nothing.plan().unserved.expect("the directive is not served").why;
    assert_eq!(why, "there is no source file that a model could change");
}

fn batch(globs: &[&str], operations: &[&str]) -> Value {
    json!({
        "id": "x", "goal": "Do it", "scope_globs": globs, "allowed_operations": operations,
        "diff_budget_loc": 50, "risk_score": 10, "verifier_level": "fast",
    })
}

/// What is made of one new batch: the scope of its task, and what was refused.
#[track_caller]
fn added(repo: &Repo, batch: &Value) -> (Vec<String>, Vec<String>) {
    let plan = repo.plan();
    let answer: PlannerResponse =
        serde_json::from_value(json!({ "batches": [batch] })).expect("an answer");
    let refined = repo.with(|input| refine(input, &plan, &answer));
    repo.check(&refined.plan);
    let new = refined.plan.tasks.iter().filter(|it| it.goal == "Do it");
    (new.flat_map(|it| it.scope_globs.clone()).collect(), refined.refused)
}

#[test]
fn rf3_a_new_batch_keeps_to_the_places_of_the_directive() {
    let found = &["src/lib/f4.js", "src/api/f1.js", "src/web/f8.js"];
    let edit = |globs: &[&str]| batch(globs, &["edit"]);
    let lib = asked("Use guard clauses in src/lib", found);
    let (scope, refused) = added(&lib, &edit(&["**/*"]));
    assert_eq!(scope, ["/src/lib/f4.js"]);
    assert_eq!(
        refused,
        ["x: without README.md and 15 more files, which the plan does not mention"]
    );
    let (scope, refused) = added(&lib, &edit(&["src/lib/f4.js", "src/base.js"]));
    assert_eq!(
        (scope.len(), refused),
        (0, vec!["x: src/base.js is not a file that the directive refers to".to_owned()])
    );
    // A named file may be split; what it gives lies beside it.
    let split = asked("Split src/api/f0.js into modules", found);
    let new = |path: &str| batch(&["src/api/f0.js", path], &["create-file"]);
    let (scope, refused) = added(&split, &new("src/api/part.js"));
    assert_eq!((scope.last().map(String::as_str), refused), (Some("/src/api/part.js"), Vec::new()));
    let (_, refused) = added(&split, &new("src/web/part.js"));
    assert_eq!(refused, ["x: `src/web/part.js` matches no existing file"]);
    let moved = asked("Move src/api/f0.js to src/web/part.js", found);
    assert_eq!(added(&moved, &new("src/web/part.js")).1, Vec::<String>::new());
    // The directive asks for it, so that the batch need not say so.
    let (scope, refused) = added(&moved, &edit(&["src/api/f0.js", "src/web/part.js"]));
    assert_eq!((scope.last().map(String::as_str), refused), (Some("/src/web/part.js"), Vec::new()));
    // What is left out stays out, whoever imports it.
    let except = asked("Use guard clauses except in src/api", found);
    let (_, refused) = added(&except, &edit(&["src/api/f1.js", "src/lib/f4.js"]));
    assert_eq!(refused, ["x: src/api/f1.js is not a file that the directive refers to"]);
}

#[test]
fn rf3_without_places_a_new_batch_is_about_what_the_brief_names() {
    let repo = asked("Use guard clauses", &["src/lib/f4.js", "README.md", "package.json"]);
    let (scope, refused) = added(&repo, &batch(&["**/*"], &["edit"]));
    assert_eq!(scope, ["/src/base.js", "/src/lib/f4.js"]);
    assert_eq!(
        refused,
        ["x: without README.md and 14 more files, which the plan does not mention"]
    );
}
