//! The roles: files, registry, types; and the schemas as specified.

mod specified;

use std::collections::BTreeSet;
use std::path::Path;

use rb_schema::Answer as _;
use rb_schema::roles::critic::{self, CriticResponse, Decision};
use rb_schema::roles::explorer::ExplorerResponse;
use rb_schema::roles::fix_agent::FixResponse;
use rb_schema::roles::impl_agent::{ImplResponse, ImplStatus};
use rb_schema::roles::implementer::{CodeResponse, CodeStatus};
use rb_schema::roles::patcher::{Edit, NewFile, PatchResponse, PatchStatus};
use rb_schema::roles::planner::{Dropped, PlannerResponse, VerifierLevel};
use rb_schema::roles::pr_agent::PrResponse;
use rb_schema::roles::refactorer::{RefactoringResponse, RefactoringStatus};
use rb_schema::roles::supervisor::{self, SupervisorResponse};
use rb_schema::roles::tester::{TestResponse, TestStatus};
use rb_schema::roles::verify_agent::{
    Action, Expected, PlannedCheck, PlannedExpectation, PlannedStep, Uncheckable, VerifyResponse,
};
use rb_schema::roles::{Integer, Percent};
use serde_json::{Value, json};

use crate::ROLES;

#[test]
fn mo5_schemas_are_as_specified() {
    for role in ROLES {
        let specified: Value = serde_json::from_str(specified::schema(role)).expect("it is JSON");
        assert_eq!(role.schema(None).expect("it is sound").value(), specified, "{}", role.name);
    }
}

/// A schema or prompt without a role, or a role without its files, is a mistake.
#[test]
fn mo5_every_schema_and_prompt_has_a_role_and_a_type() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let names = |folder: &str, end: &str| -> BTreeSet<String> {
        let entries = std::fs::read_dir(root.join(folder)).expect(folder);
        let names =
            entries.map(|entry| entry.expect(folder).file_name().into_string().expect("UTF-8"));
        names.filter_map(|name| name.strip_suffix(end).map(str::to_owned)).collect()
    };
    let roles: BTreeSet<String> = ROLES.iter().map(|role| role.name.to_owned()).collect();
    assert_eq!(names("schemas", ".schema.json"), roles);
    assert_eq!(names("prompts", ".system.txt"), roles);
    let mut files = names("crates/rb_schema/src/roles", ".rs");
    for shared in ["fields", "prompt"] {
        assert!(files.remove(shared), "{shared}");
    }
    let modules: BTreeSet<String> = roles.iter().map(|role| role.replace('-', "_")).collect();
    assert_eq!(files, modules);
}

#[test]
fn mo5_answers_are_read() {
    let plan = json!({"batches": [{
        "id": "batch-001", "goal": "g", "scope_globs": ["src/*.rs"], "allowed_operations": ["rename"],
        "diff_budget_loc": 1e30, "risk_score": 12.0, "verifier_level": "full"
    }]});
    let plan = PlannerResponse::read(&plan).expect("a plan");
    assert_eq!(plan.dropped, None);
    let batch = &plan.batches[0];
    assert_eq!(batch.diff_budget_loc, Integer(i64::MAX));
    assert_eq!(Some(batch.risk_score), Percent::new(12));
    assert_eq!((batch.verifier_level, &batch.notes), (VerifierLevel::Full, &None));
    let plan = json!({"batches": [], "dropped": [{"id": "batch-002", "reason": "others use it"}]});
    let plan = PlannerResponse::read(&plan).expect("a plan");
    let dropped = Dropped { id: "batch-002".to_owned(), reason: "others use it".to_owned() };
    assert_eq!(plan.dropped, Some(vec![dropped]));

    let patch = json!({
        "status": "noop", "rationale": "r", "risk_notes": [], "patch_unified_diff": "", "touched_files": [],
        "expected_verifier": [], "followups": ["f"], "beyond": 1
    });
    let patch = PatchResponse::read(&patch).expect("a patch");
    assert_eq!((patch.status, patch.followups), (PatchStatus::Noop, Some(vec!["f".to_owned()])));
    assert_eq!((patch.edits, patch.new_files), (None, None));

    let patch = json!({
        "status": "ok", "rationale": "r", "risk_notes": [], "patch_unified_diff": "", "touched_files": ["a"],
        "edits": [{"path": "a", "search": "b", "replace": "c"}], "new_files": [{"path": "d", "content": "e"}],
        "expected_verifier": []
    });
    let patch = PatchResponse::read(&patch).expect("a patch of edits");
    let text = str::to_owned;
    let edit = Edit { path: text("a"), search: text("b"), replace: text("c") };
    assert_eq!(patch.edits, Some(vec![edit]));
    let new_file = NewFile { path: text("d"), content: text("e") };
    assert_eq!(patch.new_files, Some(vec![new_file]));

    let review =
        json!({"decision": "shrink_diff", "reasons": ["r"], "suggested_constraints": {"a": [1]}});
    let review = CriticResponse::read(&review).expect("a review");
    assert_eq!(review.decision, Decision::ShrinkDiff);
    assert_eq!(review.suggested_constraints.and_then(|it| it.get("a").cloned()), Some(json!([1])));

    let citation = json!({"path": "a.ts", "first_line": 3.0, "last_line": -1, "quote": "q"});
    let statement = json!({"text": "t", "citations": [citation]});
    let answer = json!({"sections": [{"heading": "", "statements": [statement]}], "not_found": []});
    let answer = ExplorerResponse::read(&answer).expect("an answer");
    let cited = &answer.sections[0].statements[0].citations[0];
    assert_eq!((cited.first_line, cited.last_line), (Integer(3), Integer(-1)));
    assert_eq!(answer.needs, None);
}

#[test]
fn mo5_answers_of_a_kata_are_read() {
    let file = json!({"path": "a.rs", "content": "b"});
    let new_file = NewFile { path: "a.rs".to_owned(), content: "b".to_owned() };
    let test = json!({
        "reason": "r", "status": "test", "requirement": "q", "test_name": "t", "files": [file], "beyond": 1
    });
    let test = TestResponse::read(&test).expect("a test");
    assert_eq!((test.status, test.test_name.as_str()), (TestStatus::Test, "t"));
    assert_eq!(test.files, std::slice::from_ref(&new_file));

    let code = json!({"reason": "r", "status": "blocked", "summary": "", "files": []});
    let code = CodeResponse::read(&code).expect("no code");
    assert_eq!((code.status, code.deleted_files), (CodeStatus::Blocked, None));

    let better = json!({
        "reason": "r", "status": "ok", "summary": "s", "files": [file], "deleted_files": ["c.rs"]
    });
    let better = RefactoringResponse::read(&better).expect("a refactoring");
    assert_eq!((better.status, better.files), (RefactoringStatus::Ok, vec![new_file]));
    assert_eq!(better.deleted_files, Some(vec!["c.rs".to_owned()]));

    for decision in supervisor::Decision::ALL {
        let decided = json!({"reason": "r", "decision": decision.name(), "guidance": "g"});
        let decided = SupervisorResponse::read(&decided).expect("a decision");
        assert_eq!((decided.decision, decided.guidance.as_str()), (*decision, "g"));
    }
}

#[test]
fn mo5_answers_of_a_ticket_are_read() {
    let text = str::to_owned;
    let change = json!({
        "reason": "r", "status": "done", "summary": "s", "edits": [{"path": "a", "search": "b", "replace": "c"}],
        "new_files": [{"path": "d", "content": "e"}], "beyond": 1
    });
    let expected = ImplResponse {
        reason: text("r"),
        status: ImplStatus::Done,
        summary: text("s"),
        edits: vec![Edit { path: text("a"), search: text("b"), replace: text("c") }],
        new_files: vec![NewFile { path: text("d"), content: text("e") }],
    };
    assert_eq!(ImplResponse::read(&change), Ok(expected.clone()));
    assert_eq!(FixResponse::read(&change), Ok(FixResponse(expected)));
    for status in ImplStatus::ALL {
        let answer = json!({
            "reason": "r", "status": status.name(), "summary": "", "edits": [], "new_files": []
        });
        assert_eq!(ImplResponse::read(&answer).expect("a status").status, *status);
    }

    let words = json!({"title": "t", "summary": "s", "risk": "r", "rollback": "b"});
    let expected =
        PrResponse { title: text("t"), summary: text("s"), risk: text("r"), rollback: text("b") };
    assert_eq!(PrResponse::read(&words), Ok(expected));
}

#[test]
fn mo5_checks_of_a_ticket_are_read() {
    let text = str::to_owned;
    let steps: Vec<Value> = Action::ALL
        .iter()
        .map(|action| json!({"action": action.name(), "target": "t", "value": "v"}))
        .collect();
    let expect: Vec<Value> = Expected::ALL
        .iter()
        .map(|kind| json!({"kind": kind.name(), "target": "t", "value": "v"}))
        .collect();
    let check = json!({
        "criterion": "C1", "says": "s", "path": "/p", "width": 375.0, "steps": steps, "expect": expect
    });
    let bare = json!({"criterion": "C2", "says": "", "path": "/", "steps": [], "expect": []});
    let answer = json!({
        "reason": "r", "checks": [check, bare], "uncheckable": [{"criterion": "C3", "why": "w"}]
    });
    let step =
        |action: &Action| PlannedStep { action: *action, target: text("t"), value: text("v") };
    let expectation =
        |kind: &Expected| PlannedExpectation { kind: *kind, target: text("t"), value: text("v") };
    let check = PlannedCheck {
        criterion: text("C1"),
        says: text("s"),
        path: text("/p"),
        width: Some(Integer(375)),
        steps: Action::ALL.iter().map(step).collect(),
        expect: Expected::ALL.iter().map(expectation).collect(),
    };
    let bare = PlannedCheck {
        criterion: text("C2"),
        says: String::new(),
        path: text("/"),
        width: None,
        steps: Vec::new(),
        expect: Vec::new(),
    };
    let expected = VerifyResponse {
        reason: text("r"),
        checks: vec![check, bare],
        uncheckable: vec![Uncheckable { criterion: text("C3"), why: text("w") }],
    };
    assert_eq!(VerifyResponse::read(&answer), Ok(expected));
}

#[test]
fn mo5_faults_of_answers_are_said_by_their_place() {
    let plan =
        json!({"batches": [{"id": 7, "risk_score": 120, "verifier_level": "some", "notes": null}]});
    let faults = PlannerResponse::read(&plan).expect_err("much is missing");
    expect_test::expect![[r#"
        /batches/0: the key "allowed_operations" is missing
        /batches/0: the key "diff_budget_loc" is missing
        /batches/0: the key "goal" is missing
        /batches/0: the key "scope_globs" is missing
        /batches/0/id: expected a string, found the number 7
        /batches/0/notes: expected a string, found null
        /batches/0/risk_score: 120 is more than 100
        /batches/0/verifier_level: "some" is none of "fast" and "full""#]]
    .assert_eq(&faults.to_string());
}

/// A user's own schema is what is sent; what the program can read stays what it was.
#[test]
fn mo5_a_users_own_schema_takes_the_place() {
    let own = r#"{"type": "object", "properties": {"decision": {"const": "accept"}}}"#;
    let schema = critic::ROLE.schema(Some(own)).expect("it is sound");
    assert_eq!(
        (schema.name(), schema.value()["properties"]["decision"]["const"].as_str()),
        ("critic", Some("accept"))
    );
    let answer = json!({"decision": "accept"});
    schema.check(&answer).expect("right by the user's own");
    let faults = CriticResponse::read(&answer).expect_err("the type needs reasons");
    expect_test::expect![[r#"(root): the key "reasons" is missing"#]]
        .assert_eq(&faults.to_string());
    let error = critic::ROLE.schema(Some("{")).expect_err("it is not JSON");
    expect_test::expect![
        "schema critic is not JSON: EOF while parsing an object at line 1 column 1"
    ]
    .assert_eq(&error.to_string());
}
