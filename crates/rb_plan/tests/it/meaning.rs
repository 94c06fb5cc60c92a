//! Directives that must not lead to edits: the opposite of what is done here, questions, contradictions, and too many words.

use rb_plan::Plan;

use crate::directed::FILES;
use crate::support::{Repo, shown};

#[track_caller]
fn unserved(plan: &Plan) -> (&str, bool) {
    let unserved = plan.unserved.as_ref().unwrap_or_else(|| panic!("{}", shown(plan)));
    assert!(plan.tasks.is_empty() && plan.matched.is_empty(), "{}", shown(plan));
    (&unserved.why, !unserved.settings.is_empty())
}

#[test]
fn rf3_the_opposite_is_not_done_and_a_model_could_do_it() {
    let directive = "Convert all async file operations to synchronous";
    let plan = Repo::asked(FILES, directive).plan();
    let why = "no recipe or rule does this: Convert all async file operations to synchronous; it is the opposite of what \
               fs-async does, which removes synchronous file calls";
    assert_eq!(unserved(&plan), (why, true));
    // Who wants it sync is not offered the way to async.
    let offered = plan.unserved.expect("the directive is not served").instead;
    assert!(offered.is_empty(), "{offered:?}");
    let mut repo = Repo::asked(FILES, directive).with_model();
    repo.found = vec!["src/logs/tail.js".to_owned()];
    let plan = repo.plan();
    assert_eq!(plan.unserved, None);
    assert_eq!(plan.tasks[0].goal, format!("{directive}, in src/logs/tail.js"));
    assert_eq!(plan.tasks[0].by, rb_core::Proposer::Model);
}

#[test]
fn rf3_parts_that_want_one_opposite_are_said_together() {
    let directive = "Revert the parallel fetching and make requests sequential again";
    let plan = Repo::asked(FILES, directive).plan();
    let why = "no recipe or rule does this: Revert the parallel fetching, make requests sequential again; it is the opposite of \
               the rules about sequential awaits that could run in parallel";
    assert_eq!(unserved(&plan), (why, true));
}

#[test]
fn rf3_beside_what_is_done_the_opposite_is_said() {
    let plan = Repo::asked(
        FILES,
        "Convert sync file operations to async and replace parameterized queries with raw SQL",
    )
    .plan();
    assert!(plan.tasks.len() >= 3, "{}", shown(&plan));
    let why = plan.unserved.expect("the directive is not served").why;
    assert!(why.contains("the opposite of what sql-parameters does"), "{why}");
}

#[test]
fn rf3_a_question_is_nothing_for_a_model_either() {
    let directive = "Which files use synchronous file operations?";
    for repo in [Repo::asked(FILES, directive), Repo::asked(FILES, directive).with_model()] {
        let plan = repo.plan();
        let (why, has_settings) = unserved(&plan);
        assert!(why.contains("this is a question, not a change"), "{why}");
        assert!(why.contains("`refactor-bot search`"), "{why}");
        assert!(!has_settings && plan.is_mistaken(), "{}", shown(&plan));
    }
}

#[test]
fn rf3_a_contradiction_changes_nothing() {
    let directive = "Convert sync file operations to async, but keep everything synchronous";
    for repo in [Repo::asked(FILES, directive), Repo::asked(FILES, directive).with_model()] {
        let plan = repo.plan();
        let (why, has_settings) = unserved(&plan);
        assert!(!has_settings && plan.is_mistaken(), "{}", shown(&plan));
        assert!(why.ends_with("and to keep them: keep everything synchronous"), "{why}");
    }
}

#[test]
fn rf3_a_directive_that_is_too_long_is_a_mistake() {
    let long = "Convert sync file operations to async. ".repeat(600);
    let plan = Repo::asked(FILES, &long).with_model().plan();
    let (why, has_settings) = unserved(&plan);
    let length = long.chars().count();
    assert!(
        why.starts_with(&format!(
            "the directive has {length} characters, but the maximum is 20000"
        )),
        "{why}"
    );
    assert!(plan.is_mistaken() && !has_settings);
    let plan = Repo::asked(FILES, &long[..19_500]).plan();
    assert!(plan.unserved.is_none() && plan.tasks.len() >= 3, "{}", shown(&plan));
}

/// What the run may not touch is said to be so, and not that it could not be edited safely.
#[test]
fn rf3_patterns_that_leave_nothing_are_said_to() {
    let mut repo = Repo::asked(FILES, "Convert sync file ops to async");
    repo.closed = vec![String::new()];
    let plan = repo.plan();
    let why = "no files to change: --include and --exclude leave none";
    assert_eq!(plan.unserved.as_ref().expect("the directive is not served").why, why);
    assert!(plan.is_mistaken() && plan.tasks.is_empty() && plan.leftovers.is_empty());
    repo.directive = None;
    assert_eq!(repo.plan().notes, [why]);
    // Something is left, and it is not about this.
    let mut repo = Repo::asked(FILES, "Convert sync file ops to async");
    repo.closed = vec!["src/".to_owned()];
    let plan = repo.plan();
    assert_eq!(
        plan.notes,
        [
            "looked for synchronous file calls: 5 places found, all in files that this run may not touch: src/config/load.js and 3 more files"
        ]
    );
    assert!(plan.leftovers.is_empty() && plan.tasks.is_empty(), "{}", shown(&plan));
}
