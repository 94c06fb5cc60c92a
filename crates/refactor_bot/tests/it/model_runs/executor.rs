//! What a patch may do, and what becomes of answers that bring none.

use serde_json::{Value, json};

use super::has_node;
use super::scripted::{GREETINGS, NEW, OLD, Scripted, answer, batch, batches, good, replaces};

fn one_task(answers: &[Value]) -> Value {
    let plan = batches(&[batch("batch-001", "Use a template", &["lib/alpha.js"])]);
    json!({"planner": [plan], "patcher": answers})
}

#[test]
fn rf5_the_style_of_a_file_is_kept() {
    if !has_node() {
        return;
    }
    // Line ends of another system, and no line end at the end; the model knows nothing of either.
    let case = Scripted::new(GREETINGS, &one_task(&[good("alpha")]));
    let text = case.repo.read("lib/alpha.js").replace('\n', "\r\n");
    let text = text.trim_end().to_owned();
    case.repo.write("lib/alpha.js", &text);
    case.repo.commit_all("other line ends");
    let ran = case.run(&["--yes"]);
    ran.expect_code(0);
    assert_eq!(case.repo.read("lib/alpha.js"), text.replace(OLD, NEW));
}

/// What a package promises to others.
fn package() -> String {
    let package = "\"private\": true,";
    GREETINGS.replace(package, "\"main\": \"lib/alpha.js\",")
}

/// The export gets another name, and so do its uses: no test fails.
fn renaming() -> Value {
    let changes = "--- a/lib/alpha.js\n+++ b/lib/alpha.js\n@@ ... @@\n-function alpha(name) {\n+function salute(name) {\n\
                   @@ ... @@\n-module.exports = { alpha };\n+module.exports = { salute };\n\
                   --- a/test/alpha.test.js\n+++ b/test/alpha.test.js\n@@ ... @@\n\
                   -const { alpha } = require('../lib/alpha');\n+const { salute: alpha } = require('../lib/alpha');\n";
    answer("ok", "a better name", changes, &["lib/alpha.js", "test/alpha.test.js"])
}

#[test]
fn rf5_a_change_of_the_public_interface_is_refused() {
    if !has_node() {
        return;
    }
    let case = Scripted::new(&package(), &one_task(&[renaming()]));
    let ran = case.run(&["--max-retries", "1"]);
    let run = ran.expect_code(1).run_id();
    assert_eq!(
        case.failures(&run),
        ["batch-001 1 contract retry_narrowed", "batch-001 2 contract abort"]
    );
    let again = case.call("patcher batch-001", 1);
    assert!(again.prompt().contains("the public interface changed"), "{}", again.prompt());
    assert_eq!(case.ledger(&run), ["batch-001 refused"]);
}

#[test]
fn rf5_a_change_of_the_public_interface_that_is_allowed_is_made_and_said() {
    if !has_node() {
        return;
    }
    let mut case = Scripted::new(&package(), &one_task(&[renaming()]));
    case.cli.set_env("REFACTOR_BOT_ALLOW_PUBLIC_API_CHANGES", "true");
    let ran = case.run(&["--yes"]);
    let run = ran.expect_code(0).run_id();
    assert_eq!(case.ledger(&run), ["batch-001 applied"]);
    let notes = case.events(&run, "task_ended")[0]["entry"]["notes"].to_string();
    assert!(notes.contains("the public interface changed"), "{notes}");
    assert!(case.repo.read("lib/alpha.js").contains("{ salute }"));
}

#[test]
fn rf5_nothing_to_do_is_a_success_and_blocked_has_its_reason() {
    if !has_node() {
        return;
    }
    // Both are said while the first task is at hand; neither is asked again in its turn.
    let answers = json!({
        "patcher batch-001": [good("alpha")],
        "patcher batch-002": [answer("noop", "it is a template already", "", &[])],
        "patcher batch-003": [answer("blocked", "the caller is not shown", "", &[])],
    });
    let case = Scripted::new(GREETINGS, &answers);
    let ran = case.run(&[]);
    let run = ran.expect_code(7).run_id();
    assert_eq!(case.ledger(&run), ["batch-001 applied", "batch-002 noop", "batch-003 skipped"]);
    let asked = ["patcher batch-001", "patcher batch-002", "patcher batch-003", "planner"];
    assert_eq!(case.asked(), asked);
    let ended = case.events(&run, "task_ended");
    assert_eq!(ended[1]["entry"]["notes"], json!(["it is a template already"]));
    assert_eq!(ended[2]["entry"]["reasons"], json!(["the caller is not shown"]));
    assert!(ran.stdout.contains("the caller is not shown"), "{}", ran.stdout);
}

/// An answer that asks for code.
fn asks_for(needs: &[&str]) -> Value {
    let mut answer = answer("blocked", "the helper is not shown", "", &[]);
    answer["value"]["needs"] = json!(needs);
    answer
}

/// A helper that has nothing to do with the files of the task.
fn with_helper() -> String {
    format!(
        "{GREETINGS}//- lib/far/helper.js\nfunction polish(text) {{\n  return text.trim();\n}}\nmodule.exports = {{ polish }};\n"
    )
}

#[test]
fn rf5_a_blocked_task_is_asked_again_with_the_code_that_it_names() {
    if !has_node() {
        return;
    }
    let answers = [asks_for(&["polish", "no_such_name"]), good("alpha")];
    let case = Scripted::new(&with_helper(), &one_task(&answers));
    let ran = case.run(&["--max-retries", "0"]);
    let run = ran.expect_code(0).run_id();
    assert_eq!(case.ledger(&run), ["batch-001 applied"]);
    assert_eq!(case.failures(&run), ["batch-001 1 blocked show_more"]);
    let first = case.call("patcher batch-001", 0);
    assert!(!first.prompt().contains("return text.trim();"), "{}", first.prompt());
    let again = case.call("patcher batch-001", 1);
    let prompt = again.prompt();
    assert!(prompt.contains("return text.trim();"), "{prompt}");
    assert!(prompt.contains("(asked for: no_such_name): the index has no such"), "{prompt}");
}

#[test]
fn rf5_a_task_that_keeps_asking_for_code_is_skipped_and_the_run_says_so() {
    if !has_node() {
        return;
    }
    let plan = batches(&[
        batch("batch-001", "Use a template in alpha", &["lib/alpha.js"]),
        batch("batch-002", "Use a template in beta", &["lib/beta.js"]),
    ]);
    let answers = json!({
        "planner": [plan],
        "patcher batch-001": [asks_for(&["polish"])],
        "patcher batch-002": [good("beta")],
    });
    let case = Scripted::new(&with_helper(), &answers);
    let ran = case.run(&["--yes"]);
    let run = ran.expect_code(7).run_id();
    assert_eq!(case.ledger(&run), ["batch-001 skipped", "batch-002 applied"]);
    assert_eq!(
        case.failures(&run),
        [
            "batch-001 1 blocked show_more",
            "batch-001 2 blocked show_more",
            "batch-001 3 blocked skip"
        ]
    );
    let summary = case.report(&run, "pr-summary.md");
    assert!(summary.lines().next().unwrap_or_default().contains("(partial)"), "{summary}");
    assert!(case.repo.read("lib/beta.js").contains(NEW), "the other task is kept");
}

#[test]
fn rf5_an_answer_that_cannot_be_used_is_a_failed_try_and_counts() {
    if !has_node() {
        return;
    }
    // A call is asked once more in stronger words; then it is a failed try, also of a task that was asked ahead of its turn.
    let nonsense = json!({"text": "I would rather not."});
    let answers = json!({
        "patcher batch-001": [good("alpha")],
        "patcher batch-002": [nonsense],
        "patcher batch-003": [good("gamma")],
    });
    let case = Scripted::new(GREETINGS, &answers);
    let ran = case.run(&["--max-retries", "1"]);
    let run = ran.expect_code(7).run_id();
    assert_eq!(case.ledger(&run), ["batch-001 applied", "batch-002 skipped", "batch-003 applied"]);
    assert_eq!(case.failures(&run), ["batch-002 1 model retry_narrowed", "batch-002 2 model skip"]);
    let asked = case.asked().into_iter().filter(|key| key == "patcher batch-002").count();
    assert_eq!(asked, 4, "two tries, each once more in stronger words");
}

#[test]
fn rf5_what_a_patch_may_not_do_is_refused_and_told() {
    if !has_node() {
        return;
    }
    let check = |patch: Value, told: &str| {
        let case = Scripted::new(GREETINGS, &one_task(&[patch, good("alpha")]));
        let ran = case.run(&[]);
        let run = ran.expect_code(0).run_id();
        assert_eq!(case.failures(&run), ["batch-001 1 patch retry_narrowed"], "{told}");
        let again = case.call("patcher batch-001", 1);
        assert!(again.prompt().contains(told), "{told}: {}", again.prompt());
        assert_eq!(case.ledger(&run), ["batch-001 applied"]);
    };
    check(replaces("lib/beta.js", OLD, NEW), "out of scope");
    check(replaces("lib/nowhere.js", OLD, NEW), "lib/nowhere.js");
    let long = "  // more\n".repeat(60);
    check(replaces("lib/alpha.js", OLD, &format!("{long}{NEW}")), "the budget is 40");
    let undeclared = answer("ok", "", &super::scripted::diff("lib/alpha.js", OLD, NEW), &[]);
    check(undeclared, "lib/alpha.js");
}

/// An answer about `lib/alpha.js` with edits and new files, and perhaps a diff beside them.
fn edits(edits: &Value, new_files: &Value, diff: &str) -> Value {
    let mut answer = answer("ok", "one line", diff, &["lib/alpha.js"]);
    answer["value"]["edits"] = edits.clone();
    answer["value"]["new_files"] = new_files.clone();
    answer
}

fn edit(search: &str, replace: &str) -> Value {
    json!([{"path": "lib/alpha.js", "search": search, "replace": replace}])
}

#[test]
fn rf5_edits_and_small_files_in_full_are_patches_too() {
    if !has_node() {
        return;
    }
    let file = |line: &str| {
        let head = "// Greets in the voice of alpha.\nfunction alpha(name) {\n";
        format!("{head}{line}\n  return greeting;\n}}\nmodule.exports = {{ alpha }};\n")
    };
    let check = |answer: Value, rung: &str| {
        let case = Scripted::new(GREETINGS, &one_task(&[answer]));
        assert_eq!(case.repo.read("lib/alpha.js"), file(OLD));
        let run = case.run(&["--yes"]).expect_code(0).run_id();
        assert_eq!(case.ledger(&run), ["batch-001 applied"]);
        assert_eq!(case.events(&run, "task_ended")[0]["entry"]["rung"], rung);
        assert_eq!(case.repo.read("lib/alpha.js"), file(NEW));
    };
    let none = json!([]);
    check(edits(&edit(OLD, NEW), &none, ""), "exact");
    // That the model copied the line without its indentation is not forgotten.
    check(edits(&edit(OLD.trim_start(), NEW.trim_start()), &none, ""), "whitespace");
    let whole = json!([{"path": "lib/alpha.js", "content": file(NEW)}]);
    check(edits(&none, &whole, ""), "exact");
}

#[test]
fn rf5_edits_without_a_place_are_told_and_asked_for_again() {
    if !has_node() {
        return;
    }
    let check = |first: Value, told: &[&str]| {
        let case = Scripted::new(GREETINGS, &one_task(&[first, good("alpha")]));
        let run = case.run(&[]).expect_code(0).run_id();
        assert_eq!(case.failures(&run), ["batch-001 1 model retry_narrowed"], "{told:?}");
        let again = case.call("patcher batch-001", 1);
        for words in told {
            assert!(again.prompt().contains(words), "{words}: {}", again.prompt());
        }
        assert_eq!(case.ledger(&run), ["batch-001 applied"]);
    };
    let none = json!([]);
    let nowhere = "  const greeting = nowhere;";
    check(
        edits(&edit(nowhere, NEW), &none, ""),
        &["edit 1, `lib/alpha.js`: the text is not found", "differs first at line 3", OLD, nowhere],
    );
    let diff = super::scripted::diff("lib/alpha.js", OLD, NEW);
    check(
        edits(&edit(OLD, NEW), &none, &diff),
        &["the answer has both a unified diff and edits or new files"],
    );
    check(edits(&none, &none, ""), &["the patch is empty"]);
}

#[test]
fn rf4_rf7_what_was_tried_is_shown_whatever_was_answered_since() {
    if !has_node() {
        return;
    }
    let nowhere = "  const greeting = nowhere;";
    let broken = "  const greeting = `bye ${name}`;";
    let answers = [
        replaces("lib/alpha.js", OLD, broken),
        asks_for(&["polish"]),
        edits(&edit(nowhere, NEW), &json!([]), ""),
        json!({"text": "I would rather not."}),
        json!({"text": "I would rather not."}),
        good("alpha"),
    ];
    // So many that one failure is no collapse.
    let others = "test('other', () => {});\n".repeat(12);
    let fixture = format!(
        "{}//- test/other.test.js\nconst test = require('node:test');\n{others}",
        with_helper()
    );
    let case = Scripted::new(&fixture, &one_task(&answers));
    let run = case.run(&["--max-retries", "3"]).expect_code(0).run_id();
    assert_eq!(
        case.failures(&run),
        [
            "batch-001 1 verify retry_narrowed",
            "batch-001 2 blocked show_more",
            "batch-001 3 model retry_narrowed",
            "batch-001 4 model retry_narrowed"
        ]
    );
    let prompt = |call: usize| case.call("patcher batch-001", call).prompt().to_owned();
    let (tried, failing) = (format!("+{broken}"), "test('alpha greets', () =>");
    for call in [1, 2, 3, 5] {
        let prompt = prompt(call);
        assert!(prompt.contains("+ 'bye you'"), "what the test said, {call}: {prompt}");
        assert!(prompt.contains(failing), "the failing test, {call}: {prompt}");
        assert_eq!(prompt.contains(&tried), call != 3, "the patch, {call}: {prompt}");
        let has_edits = prompt.contains("lib/alpha.js: search\n  const greeting = nowhere;");
        assert_eq!(has_edits, call == 3, "the edits that had no place, {call}: {prompt}");
    }
}

/// No import leads to the test, so that only its failure can.
#[test]
fn rf4_rf7_a_retry_is_shown_the_test_that_failed() {
    if !has_node() {
        return;
    }
    let apart = "test('each voice greets', () => assert.match(greet('you'), /hello/));";
    // So many that one failure is no collapse.
    let others = "test('other', () => {});\n".repeat(12);
    let fixture = format!(
        "{GREETINGS}//- checks/voices.test.js\nconst test = require('node:test');\nconst assert = require('node:assert');\n\
         const greet = Object.values(require(['..', 'lib', 'al' + 'pha'].join('/')))[0];\n{apart}\n{others}"
    );
    let mut task = batch("batch-001", "Use a template", &["lib/alpha.js"]);
    task["verifier_level"] = json!("full");
    let broken = replaces("lib/alpha.js", OLD, "  const greeting = `bye ${name}`;");
    let answers = json!({"planner": [batches(&[task])], "patcher": [broken, good("alpha")]});
    let case = Scripted::new(&fixture, &answers);
    let run = case.run(&[]).expect_code(0).run_id();
    assert_eq!(case.failures(&run), ["batch-001 1 verify retry_narrowed"]);
    let shown = [0, 1].map(|at| case.call("patcher batch-001", at).prompt().contains(apart));
    assert_eq!(shown, [false, true]);
}

#[test]
fn rf5_mo2_the_form_that_is_asked_for_is_a_setting() {
    if !has_node() {
        return;
    }
    let check = |form: &str, asked: &str| {
        let mut case = Scripted::new(GREETINGS, &one_task(&[good("alpha")]));
        case.cli.set_env("REFACTOR_BOT_MODELS_ANSWER_FORM", form);
        case.run(&["--yes"]).expect_code(0);
        let call = case.call("patcher batch-001", 0);
        assert!(call.prompt().contains(asked), "{form}: {}", call.prompt());
        // A diff is taken whatever was asked for.
        assert!(case.repo.read("lib/alpha.js").contains(NEW), "{form}");
    };
    let diff = "for batch-001 alone, as one unified diff in \"patch_unified_diff\":";
    check("auto", diff);
    check("diff", diff);
    check("edits", "for batch-001 alone, as \"edits\" and \"new_files\":");
    let mut case = Scripted::new(GREETINGS, &one_task(&[good("alpha")]));
    case.cli.set_env("REFACTOR_BOT_MODELS_ANSWER_FORM", "prose");
    let ran = case.run(&["--yes"]);
    ran.expect_code(2);
    assert!(ran.stderr.contains("`prose` is not a form of answers"), "{}", ran.stderr);
}
