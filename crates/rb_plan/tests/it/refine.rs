//! A model's refinement, also of the hostile kind.

use rb_core::{Proposer, Stage, TaskId, VerifierLevel};
use rb_plan::{Leftover, Limits, Plan, Refined, refine};
use rb_schema::roles::planner::{PlannerResponse, ROLE};
use serde_json::{Value, json};

use crate::support::{Repo, many, shown, task};
use crate::whole::fixture;

fn repo() -> Repo {
    Repo::new(&fixture()).with_model()
}

fn batch(id: &str, goal: &str, globs: &[&str]) -> Value {
    json!({
        "id": id, "goal": goal, "scope_globs": globs, "allowed_operations": ["extract-function"],
        "diff_budget_loc": 50, "risk_score": 10, "verifier_level": "fast",
    })
}

/// Every task as it is, as a model would name it.
fn as_it_is(plan: &Plan) -> Vec<Value> {
    let all = plan.tasks.iter().map(|it| {
        let globs: Vec<String> = it.files.iter().map(ToString::to_string).collect();
        let mut batch = batch(
            &it.id.to_string(),
            &it.goal,
            &globs.iter().map(String::as_str).collect::<Vec<_>>(),
        );
        batch["diff_budget_loc"] = json!(it.diff_budget_loc);
        batch["risk_score"] = json!(it.risk_score);
        batch
    });
    all.collect()
}

#[track_caller]
fn refined(repo: &Repo, plan: &Plan, batches: &[Value]) -> Refined {
    answered(repo, plan, json!({ "batches": batches }))
}

/// With tasks that are dropped: ids and reasons.
#[track_caller]
fn dropping(repo: &Repo, plan: &Plan, batches: &[Value], dropped: &[(&str, &str)]) -> Refined {
    let dropped = dropped.iter().map(|(id, reason)| json!({ "id": id, "reason": reason }));
    let dropped: Vec<Value> = dropped.collect();
    answered(repo, plan, json!({ "batches": batches, "dropped": dropped }))
}

#[track_caller]
fn answered(repo: &Repo, plan: &Plan, answer: Value) -> Refined {
    let answer: PlannerResponse = serde_json::from_value(answer).expect("an answer");
    let refined = repo.with(|input| refine(input, plan, &answer));
    repo.check(&refined.plan);
    refined
}

fn goals(plan: &Plan) -> Vec<&str> {
    plan.tasks.iter().map(|it| it.goal.as_str()).collect()
}

#[test]
fn rf3_the_same_plan_comes_back() {
    let repo = repo();
    let plan = repo.plan();
    let back = refined(&repo, &plan, &as_it_is(&plan));
    assert_eq!(back.refused, [""; 0]);
    assert_eq!(shown(&back.plan), shown(&plan));
    assert_eq!(back.plan.prepared, plan.prepared);
}

#[test]
fn rf3_a_task_can_be_reworded_bounded_and_made_safer() {
    let repo = repo();
    let plan = repo.plan();
    let mut batches = as_it_is(&plan);
    batches[0]["goal"] = json!("Remove what nobody\n uses");
    batches[0]["diff_budget_loc"] = json!(1);
    batches[0]["risk_score"] = json!(60);
    batches[0]["notes"] = json!("look at   the tests");
    let back = refined(&repo, &plan, &batches).plan;
    let safer = task(&back, "Remove what nobody uses");
    let needed = plan.prepared[&TaskId(1)].added + plan.prepared[&TaskId(1)].removed;
    assert_eq!(safer.diff_budget_loc, Some(needed));
    assert_eq!((safer.risk_score, safer.verifier_level), (60, VerifierLevel::Full));
    assert!(safer.notes.contains(&"planner: look at the tests".to_owned()));
    assert_eq!((&safer.by, &safer.files), (&plan.tasks[0].by, &plan.tasks[0].files));
    assert_eq!(back.prepared[&safer.id], plan.prepared[&TaskId(1)]);
    // It cannot be made less safe.
    let mut batches = as_it_is(&back);
    let at = usize::try_from(safer.id.0).unwrap() - 1;
    batches[at]["risk_score"] = json!(0);
    batches[at]["diff_budget_loc"] = json!(100_000);
    let again = refined(&repo, &back, &batches).plan;
    let same = task(&again, "Remove what nobody uses");
    assert_eq!(
        (same.risk_score, same.verifier_level, same.diff_budget_loc),
        (60, VerifierLevel::Full, Some(needed))
    );
}

#[test]
fn rf3_the_order_is_the_models_within_stages() {
    let repo = repo();
    let plan = repo.plan();
    let mut batches = as_it_is(&plan);
    batches.reverse();
    for (at, batch) in batches.iter_mut().enumerate() {
        batch["id"] = json!(format!("batch-{:03}", at + 1));
    }
    let back = refined(&repo, &plan, &batches).plan;
    let stages: Vec<Stage> = back.tasks.iter().map(|it| it.stage).collect();
    assert!(stages.is_sorted(), "{stages:?}");
    assert_eq!(back.tasks.len(), plan.tasks.len());
    let small = |plan: &Plan| -> Vec<String> {
        let small = plan.tasks.iter().filter(|it| it.stage == Stage::Small);
        small.map(|it| it.goal.clone()).collect()
    };
    let mut reversed = small(&plan);
    reversed.reverse();
    assert_eq!(small(&back), reversed);
}

#[test]
fn rf3_a_models_task_that_is_not_named_is_dropped_and_said() {
    let repo = repo();
    let plan = repo.plan();
    let is_idea = |it: &&rb_core::Task| it.by == Proposer::Model;
    let back = refined(&repo, &plan, &[]);
    assert_eq!(back.refused, [""; 0]);
    let computed = plan.tasks.iter().filter(|it| !is_idea(it)).map(|it| it.goal.as_str());
    assert_eq!(goals(&back.plan), computed.collect::<Vec<_>>());
    for idea in plan.tasks.iter().filter(is_idea) {
        let note = format!("dropped by the planner: {}", idea.title());
        assert!(back.plan.notes.contains(&note), "{:?}", back.plan.notes);
    }
    // Nothing is worth it.
    let mut ideas = plan;
    ideas.tasks.retain(|it| it.by == Proposer::Model);
    ideas.prepared.clear();
    assert!(!ideas.tasks.is_empty());
    assert!(refined(&repo, &ideas, &[]).plan.tasks.is_empty());
}

#[test]
fn rf9_a_part_of_the_directive_that_is_dropped_is_named_by_its_place() {
    let repo = texts();
    let plan = repo.plan();
    let back = dropping(&repo, &plan, &[], &[("batch-001", "it is fine as it is")]);
    let places = plan.tasks.iter().map(|it| it.goal.strip_prefix("Cut texts in one place, in "));
    let mut expected: Vec<String> = places
        .map(|it| format!("dropped by the planner: the part in {}", it.expect("a place")))
        .collect();
    expected[0] += "; reason: it is fine as it is";
    assert!(expected.len() > 1);
    let notes = back.plan.notes.into_iter().filter(|it| it.starts_with("dropped by the planner: "));
    assert_eq!(notes.collect::<Vec<_>>(), expected);
    // The symbol stands for the directive as well.
    let repo = crate::named::separators();
    let plan = repo.plan();
    let back = dropping(&repo, &plan, &[], &[("batch-001", "it is risky")]);
    let note = "dropped by the planner: `null_separator` in 3 files; reason: it is risky";
    assert_eq!(back.plan.notes.last().map(String::as_str), Some(note));
}

/// As the prompt of the planner says.
#[test]
fn rf3_batches_of_a_model_are_joined_by_a_new_one() {
    let says = "Batches that do not build alone must be joined: drop them, and give one new batch with all their files.";
    assert!(ROLE.prompt.contains(says));
    let repo = texts();
    let plan = repo.plan();
    let files: Vec<String> =
        plan.tasks.iter().flat_map(|it| &it.files).map(ToString::to_string).collect();
    let names: Vec<&str> = files.iter().map(String::as_str).collect();
    let ids: Vec<String> = plan.tasks.iter().map(|it| it.id.to_string()).collect();
    assert!(ids.len() > 1);
    let dropped: Vec<(&str, &str)> = ids.iter().map(|it| (it.as_str(), "it is joined")).collect();
    let back = dropping(&repo, &plan, &[batch("batch-009", "All at once", &names)], &dropped);
    assert_eq!(back.refused, [""; 0]);
    assert_eq!(goals(&back.plan), ["All at once"]);
    assert_eq!(back.plan.tasks[0].files.len(), files.len());
    let notes = |back: Refined| -> Vec<String> {
        back.plan.notes.into_iter().filter(|it| it.starts_with("dropped by")).collect()
    };
    assert_eq!(notes(back), [""; 0], "nothing is lost");
    // Without one file that file is.
    let (first, others) = names.split_first().unwrap();
    let back = dropping(&repo, &plan, &[batch("batch-009", "All at once", others)], &dropped);
    let note = format!("dropped by the planner: the part in {first}; reason: it is joined");
    assert_eq!(notes(back), [note]);
}

/// Two hundred files with something to remove, ten of them in a task at most: the first nineteen tasks.
fn nineteen() -> (Repo, Plan) {
    let fixture = many(200, |at| {
        format!("//- src/m{at}.js\nimport path from 'node:path';\nexport const m{at} = 1;\n")
    });
    let repo = Repo::new(&fixture).with_model();
    let mut plan = repo.plan();
    plan.tasks.truncate(19);
    plan.prepared.retain(|id, _| plan.tasks.iter().any(|it| it.id == *id));
    assert_eq!((plan.tasks.len(), plan.prepared.len()), (19, 19), "{}", shown(&plan));
    (repo, plan)
}

/// A new batch, over files of two tasks.
fn beyond(plan: &Plan, id: &str, goal: &str) -> Value {
    let files = [0, 18].map(|at: usize| plan.tasks[at].files[0].to_string());
    batch(id, goal, &files.each_ref().map(String::as_str))
}

#[test]
fn rf3_rf4_computed_tasks_stay_without_being_named() {
    let (repo, plan) = nineteen();
    let back = refined(&repo, &plan, &[]);
    assert_eq!(back.refused, [""; 0]);
    assert_eq!(back.plan, plan);
    // Each has its place, also beside those that are named and put in another order.
    let all = as_it_is(&plan);
    let back = refined(&repo, &plan, &[all[4].clone(), all[2].clone()]).plan;
    let order = [4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 2, 3];
    let expected: Vec<&str> =
        [0, 1].iter().chain(&order).map(|at: &usize| plan.tasks[*at].goal.as_str()).collect();
    assert_eq!(goals(&back), expected);
    assert_eq!(back.prepared.len(), 19);
}

#[test]
fn rf3_rf4_a_computed_task_is_dropped_by_its_id_and_with_a_reason() {
    let (repo, plan) = nineteen();
    let back = dropping(&repo, &plan, &[], &[("batch-003", "batch-004 needs\n the import")]);
    assert_eq!(back.refused, [""; 0]);
    let mut expected = goals(&plan);
    expected.remove(2);
    assert_eq!(goals(&back.plan), expected);
    // What was batch-004 is batch-003 now.
    let note = format!(
        "dropped by the planner: {}; reason: batch-003 needs the import",
        plan.tasks[2].goal
    );
    assert_eq!(back.plan.notes.last(), Some(&note));
    let first = &as_it_is(&plan)[..1];
    let check = |batches: &[Value], id: &str, reason: &str, refused: &str| {
        let back = dropping(&repo, &plan, batches, &[(id, reason)]);
        assert_eq!(back.refused, [refused]);
        assert_eq!(goals(&back.plan), goals(&plan));
    };
    check(&[], "batch-003", " \n", "batch-003: it cannot be dropped without a reason");
    check(&[], "batch-020", "it is risky", "batch-020: there is no such batch to drop");
    check(&[], "all", "it is risky", "all: there is no such batch to drop");
    check(first, "batch-001", "it is risky", "batch-001: it is refined, so it cannot be dropped");
}

#[test]
fn rf3_rf4_new_batches_do_not_push_out_computed_tasks() {
    let (mut repo, plan) = nineteen();
    repo.limits = Limits { max_batches: 20, ..Limits::default() };
    let many: Vec<Value> =
        (0..5).map(|at| beyond(&plan, &format!("new-{at}"), &format!("Do {at}"))).collect();
    let back = refined(&repo, &plan, &many);
    assert_eq!(back.refused, ["4 tasks over the limit of 20"]);
    assert_eq!(goals(&back.plan)[..19], goals(&plan));
    assert_eq!(goals(&back.plan)[19..], ["Do 0"]);
}

#[test]
fn rf3_a_new_batch_is_bounded_and_about_known_files() {
    let repo = repo();
    let plan = repo.plan();
    let known =
        batch("batch-090", "Split `main` in src/long.js", &["src/long.js", "./src/read.js"]);
    let back = refined(&repo, &plan, &[known]);
    assert_eq!(back.refused, [""; 0]);
    let new = task(&back.plan, "Split `main`");
    assert_eq!((&new.by, new.diff_budget_loc), (&Proposer::Model, Some(50)));
    assert_eq!(new.scope_globs, ["/src/long.js", "/src/read.js"]);
    // Without a model there is nobody to do it.
    let mut alone = repo;
    alone.has_model = false;
    let known = batch("batch-090", "Split `main` in src/long.js", &["src/long.js", "src/read.js"]);
    assert_eq!(refined(&alone, &plan, &[known]).refused, ["batch-090: it needs a model"]);
}

#[test]
fn rf3_hostile_batches_are_refused_with_a_reason() {
    #[track_caller]
    fn check(repo: &Repo, plan: &Plan, batch: Value, reason: &str) {
        let mut batches = as_it_is(plan);
        batches.push(batch);
        let back = refined(repo, plan, &batches);
        assert_eq!(back.refused, [format!("x: {reason}")]);
        assert_eq!(shown(&back.plan), shown(plan));
    }
    let repo = repo();
    let plan = repo.plan();
    let with = |key: &str, value: Value| {
        let mut batch = batch("x", "Do it", &["src/long.js", "src/read.js"]);
        batch[key] = value;
        batch
    };
    let globs = |globs: &[&str]| with("scope_globs", json!(globs));
    check(&repo, &plan, globs(&["src/invented.js"]), "`src/invented.js` matches no existing file");
    check(&repo, &plan, globs(&["src/long.js", "gone.js"]), "`gone.js` matches no existing file");
    check(
        &repo,
        &plan,
        globs(&["../../etc/passwd"]),
        "`../../etc/passwd` is not a pattern for files in the repository",
    );
    check(
        &repo,
        &plan,
        globs(&["src/../../x"]),
        "`src/../../x` is not a pattern for files in the repository",
    );
    check(&repo, &plan, globs(&["/etc/passwd"]), "`/etc/passwd` matches no existing file");
    check(&repo, &plan, globs(&[".git/config"]), "`.git/config` matches no existing file");
    check(&repo, &plan, globs(&[""]), "`` is not a pattern for files in the repository");
    check(&repo, &plan, globs(&[]), "it has 0 patterns");
    check(&repo, &plan, globs(&["a["]), "`a[` is not a valid pattern");
    check(
        &repo,
        &plan,
        globs(&["package.json"]),
        "package.json is not a file that the plan mentions",
    );
    check(
        &repo,
        &plan,
        with("diff_budget_loc", json!(-5)),
        "a budget of -5 lines; at most 300 are allowed",
    );
    check(
        &repo,
        &plan,
        with("diff_budget_loc", json!(0)),
        "a budget of 0 lines; at most 300 are allowed",
    );
    check(
        &repo,
        &plan,
        with("diff_budget_loc", json!(301)),
        "a budget of 301 lines; at most 300 are allowed",
    );
    check(&repo, &plan, with("goal", json!(" \n ")), "it has no goal");
}

#[test]
fn rf3_a_pattern_for_everything_joins_no_tasks() {
    let repo = repo();
    let plan = repo.plan();
    let back = refined(&repo, &plan, &[batch("all", "Rewrite it all", &["**"])]);
    assert!(back.refused[0].starts_with("all: batch-001, "), "{:?}", back.refused);
    assert!(back.plan.tasks.iter().all(|it| plan.tasks.iter().any(|old| old.goal == it.goal)));
}

#[test]
fn rf3_five_hundred_batches_are_cut_at_the_limit() {
    let mut repo = repo();
    repo.limits = Limits { max_batches: 5, ..Limits::default() };
    let plan = repo.plan();
    let many: Vec<Value> = (0..500)
        .map(|at| batch(&format!("b{at}"), &format!("Do {at}"), &["src/long.js", "src/read.js"]))
        .collect();
    let back = refined(&repo, &plan, &many);
    assert_eq!(back.plan.tasks.len(), 5);
    assert_eq!(back.refused, ["495 batches over the limit of 5", "3 tasks over the limit of 5"]);
    assert_eq!(back.plan.prepared.len(), 3);
}

#[test]
fn rf3_one_task_is_refined_once() {
    let repo = repo();
    let plan = repo.plan();
    let mut batches = as_it_is(&plan);
    batches.push(batches[0].clone());
    let back = refined(&repo, &plan, &batches);
    assert_eq!(back.refused, ["batch-001: an earlier batch already refines batch-001"]);
    let mut bad = as_it_is(&plan);
    bad[0]["diff_budget_loc"] = json!(-1);
    let back = refined(&repo, &plan, &bad);
    assert_eq!(back.refused, ["batch-001: invalid budget of -1 lines"]);
    assert_eq!(back.plan.tasks[0].diff_budget_loc, plan.tasks[0].diff_budget_loc);
}

/// Item 8 of RF4: a reader of the refusals sees the refined plan, and not the numbers of the first one.
#[test]
fn rf4_refusals_name_tasks_by_their_new_numbers() {
    let repo = repo();
    let plan = repo.plan();
    let mut batches = as_it_is(&plan);
    // The two tasks that clean up change places.
    batches.swap(0, 1);
    let swapped = |more: Value| {
        let all: Vec<Value> = batches.iter().cloned().chain([more]).collect();
        refined(&repo, &plan, &all)
    };
    let back = swapped(batches[1].clone());
    assert_eq!(back.plan.tasks[1].goal, plan.tasks[0].goal);
    assert_eq!(back.refused, ["batch-001: an earlier batch already refines batch-002"]);

    // A new task of a model comes before the one that is computed.
    let first = batch("batch-090", "Split `main` in src/long.js", &["src/long.js", "src/read.js"]);
    let joining = batch("all", "Do it at once", &["src/users.js", "src/main.js"]);
    let all = [vec![first], as_it_is(&plan), vec![joining]].concat();
    let back = refined(&repo, &plan, &all);
    let (old, new) = (task(&plan, "Pass SQL values").id, task(&back.plan, "Pass SQL values").id);
    assert_ne!(old, new);
    assert_eq!(back.refused, [format!("all: {new} is not merged")]);
}

#[test]
fn rf3_a_task_of_a_model_can_be_split_over_the_same_files() {
    let repo = repo();
    let plan = repo.plan();
    let task = plan.tasks.iter().find(|it| it.by == Proposer::Model).expect("one is a model's");
    let files: Vec<String> = task.files.iter().map(ToString::to_string).collect();
    let files: Vec<&str> = files.iter().map(String::as_str).collect();
    let steps = ["First this", "Then that", "Then that"];
    let batches: Vec<Value> =
        steps.iter().enumerate().map(|(at, goal)| batch(&format!("s{at}"), goal, &files)).collect();
    let back = refined(&repo, &plan, &batches);
    let of_model = back.plan.tasks.iter().filter(|it| it.by == Proposer::Model);
    let goals: Vec<&str> = of_model.map(|it| it.goal.as_str()).collect();
    assert_eq!(goals, ["First this", "Then that", "Then that"]);
    assert_eq!(back.refused, Vec::<String>::new());
}

/// A model cannot drop what it was not shown.
#[test]
fn rf12_tasks_that_did_not_fit_into_the_brief_stay() {
    let fixture = many(400, |at| {
        let folder = format!("{}/{}", "long-folder-name".repeat(4), at % 60);
        format!("//- {folder}/file{at:03}.js\nimport path from 'node:path';\nexport const a = 1;\n")
    });
    let repo = Repo::new(&fixture).with_model();
    let mut plan = repo.plan();
    plan.tasks.iter_mut().for_each(|it| it.by = Proposer::Model);
    plan.prepared.clear();
    let back = refined(&repo, &plan, &[]);
    assert!(!back.plan.tasks.is_empty() && back.plan.tasks.len() < plan.tasks.len());
    let last = plan.tasks.last().expect("a task").id.to_string();
    let again = dropping(&repo, &plan, &[], &[(last.as_str(), "it is risky")]);
    assert_eq!(again.refused, [format!("{last}: there is no such batch to drop")]);
    assert_eq!(goals(&again.plan), goals(&back.plan));
}

#[test]
fn rf3_what_was_found_beyond_a_computed_task_can_be_a_batch_of_its_own() {
    let fixture = many(8, |at| {
        format!("//- src/m{at}.js\nimport path from 'node:path';\nexport const m{at} = 1;\n")
    });
    let repo = Repo::asked(&fixture, "Remove unused imports").with_model();
    let mut plan = repo.plan();
    plan.tasks.retain(|it| it.files.len() > 1);
    plan.tasks.truncate(1);
    let file = plan.tasks[0].files[0].to_string();
    let mut batches = as_it_is(&plan);
    batches.push(batch("other", "Say what one is for", &[&file]));
    let back = refined(&repo, &plan, &batches);
    let whole = back.plan.tasks[0].id;
    assert_eq!(back.refused, [format!("other: an earlier batch already refines {whole}")]);
    plan.leftovers.push(Leftover {
        path: file,
        line: 2,
        found_by: "long-function".to_owned(),
        what: "it is long".to_owned(),
        reason: "no recipe".to_owned(),
        suggestion: String::new(),
    });
    let back = refined(&repo, &plan, &batches);
    assert_eq!(back.refused, [""; 0]);
    assert_eq!(back.plan.tasks[1].goal, "Say what one is for");
}

/// Two files that know each other and one that a test knows, and a model that is asked about all three.
fn texts() -> Repo {
    let fixture = "//- package.json\n{\"private\": true, \"type\": \"module\"}\n\
        //- src/line.js\nimport { cut } from './cut.js';\nexport const line = (it) => cut(it);\n\
        //- src/cut.js\nexport const cut = (it) => it.slice(1);\n\
        //- src/find.js\nexport const find = (it) => it.slice(1);\n\
        //- src/far.js\nimport { find } from './find.js';\nexport const far = find;\n\
        //- test/find.test.js\nimport { find } from '../src/find.js';\nfind('');\n";
    let mut repo = Repo::asked(fixture, "Cut texts in one place").with_model();
    repo.found = ["src/line.js", "src/cut.js", "src/find.js"].map(str::to_owned).to_vec();
    repo
}

#[test]
fn rf3_a_directive_has_six_tasks_also_with_a_model() {
    let repo = texts();
    let plan = repo.plan();
    let many: Vec<Value> = (1..=8)
        .map(|at| batch(&format!("b{at}"), &format!("Step {at}"), &["src/find.js", "src/cut.js"]))
        .collect();
    let back = refined(&repo, &plan, &many);
    assert_eq!(goals(&back.plan), ["Step 1", "Step 2", "Step 3", "Step 4", "Step 5", "Step 6"]);
    assert_eq!(back.refused, ["2 tasks over the limit of 6 tasks for a directive"]);
    let left = back.plan.leftovers.iter().map(|it| format!("{}: {}", it.what, it.reason));
    let expected = ["Step 7", "Step 8"].map(|it| format!("{it}: a directive has at most 6 tasks"));
    assert_eq!(left.collect::<Vec<_>>(), expected);
    let brief = repo.with(|input| rb_plan::brief(input, &plan));
    assert!(brief.contains("At most 6 batches."), "{brief}");
}

#[test]
fn rf3_a_models_task_can_be_given_fewer_files() {
    let mut repo = texts();
    repo.found.push("src/far.js".to_owned());
    let plan = repo.plan();
    let has_two = |it: &&rb_core::Task| {
        it.scope_globs.iter().filter(|it| it.starts_with("/src")).count() == 2
    };
    let wide = plan.tasks.iter().find(has_two).expect("files that belong together");
    let id = wide.id.to_string();
    let names: Vec<String> = wide.files.iter().map(ToString::to_string).collect();
    let back = refined(&repo, &plan, &[batch(&id, "Only this", &[&names[0]])]);
    let narrow = task(&back.plan, "Only this");
    let kept: Vec<String> = narrow.files.iter().map(ToString::to_string).collect();
    assert_eq!(kept, names[..1]);
    assert_eq!(narrow.scope_globs, [format!("/{}", names[0])]);
}

#[test]
fn rf3_a_batch_waits_for_those_that_its_notes_name() {
    let repo = texts();
    let plan = repo.plan();
    let noted = |id: &str, goal: &str, files: &[&str], notes: &str| {
        let mut batch = batch(id, goal, files);
        batch["notes"] = json!(notes);
        batch
    };
    let back = refined(
        &repo,
        &plan,
        &[
            noted("batch-001", "First", &["src/cut.js"], "before batch-002"),
            noted("batch-002", "Second", &["src/find.js"], "after batch-001, and after batch-009"),
            // Who uses a file of the plan is named in the brief, too.
            noted("batch-003", "Third", &["src/far.js"], ""),
        ],
    );
    assert_eq!(back.refused, [""; 0]);
    let first = task(&back.plan, "First");
    assert_eq!(first.depends_on, []);
    assert_eq!(task(&back.plan, "Second").depends_on, [first.id]);
    assert_eq!(task(&back.plan, "Third").depends_on, []);
    assert!(first.is_critical);
}

#[test]
fn rf4_batches_keep_their_names_where_tasks_get_other_numbers() {
    let repo = texts();
    let plan = repo.plan();
    let named = |id: &str, goal: &str, files: &[&str], operation: &str, notes: &str| {
        let mut batch = batch(id, goal, files);
        batch["allowed_operations"] = json!([operation]);
        batch["notes"] = json!(notes);
        batch
    };
    // Tests come after small changes, so that the two change places.
    let (far, find) = (&["src/far.js"], &["src/find.js"]);
    let back = refined(
        &repo,
        &plan,
        &[
            named("batch-001", "Test what batch-002 left", far, "add-test", "before batch-002"),
            named("batch-002", "Lead to batch-001", find, "edit", "batch-009 is not there"),
        ],
    );
    assert_eq!(back.refused, [""; 0]);
    assert_eq!(goals(&back.plan), ["Lead to batch-002", "Test what batch-001 left"]);
    let note = |at: usize| back.plan.tasks[at].notes.last().map(String::as_str);
    assert_eq!(note(0), Some("planner: a batch that was left out is not there"));
    assert_eq!(note(1), Some("planner: before batch-001"));
}

#[test]
fn rf4_a_batch_waits_for_a_computed_task_that_is_not_repeated() {
    let (repo, plan) = nineteen();
    let mut new = beyond(&plan, "batch-020", "Say what it is for");
    new["notes"] = json!("after batch-002");
    let back = refined(&repo, &plan, &[new]);
    assert_eq!(back.refused, [""; 0]);
    assert_eq!(task(&back.plan, "Say what it is for").depends_on, [TaskId(2)]);
}

#[test]
fn rf3_a_file_is_created_only_where_the_batch_says_so() {
    let mut repo = texts();
    repo.closed = vec!["src/closed".to_owned()];
    let plan = repo.plan();
    let creating = |path: &str| {
        let mut batch = batch("x", "Do it", &["src/line.js", path]);
        batch["allowed_operations"] = json!(["create-file"]);
        batch
    };
    let back = refined(
        &repo,
        &plan,
        &[creating("src/text.js"), batch("y", "Use it", &["src/find.js", "src/text.js"])],
    );
    assert_eq!(back.refused, [""; 0]);
    let new = task(&back.plan, "Do it");
    let names: Vec<String> = new.files.iter().map(ToString::to_string).collect();
    assert!(!names.contains(&"src/text.js".to_owned()), "{names:?}");
    assert!(new.scope_globs.contains(&"/src/text.js".to_owned()), "{:?}", new.scope_globs);
    // A later batch may go on with what an earlier one creates.
    assert!(task(&back.plan, "Use it").scope_globs.contains(&"/src/text.js".to_owned()));
    let refused = |batch: Value| refined(&repo, &plan, &[batch]).refused;
    for path in [
        "src/new/text.js",
        "src/text.sh",
        "src/closed.js",
        "src/*.mjs",
        "lib/text.js",
        "src/te xt.js",
        ".git/text.js",
    ] {
        assert_eq!(refused(creating(path)), [format!("x: `{path}` matches no existing file")]);
    }
    let silent = batch("x", "Do it", &["src/line.js", "src/text.js"]);
    assert_eq!(refused(silent), ["x: `src/text.js` matches no existing file"]);
    let mut alone = creating("src/text.js");
    alone["scope_globs"] = json!(["src/text.js"]);
    assert_eq!(refused(alone), ["x: it matches no existing file"]);
}
