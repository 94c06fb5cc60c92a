//! Schemas and types agree on every value of the corpus (`tests/data`): right by one is right by the other.

use rb_schema::roles::critic::CriticResponse;
use rb_schema::roles::explorer::ExplorerResponse;
use rb_schema::roles::fix_agent::FixResponse;
use rb_schema::roles::impl_agent::ImplResponse;
use rb_schema::roles::implementer::CodeResponse;
use rb_schema::roles::patcher::PatchResponse;
use rb_schema::roles::planner::PlannerResponse;
use rb_schema::roles::pr_agent::PrResponse;
use rb_schema::roles::refactorer::RefactoringResponse;
use rb_schema::roles::supervisor::SupervisorResponse;
use rb_schema::roles::tester::TestResponse;
use rb_schema::roles::translator::TranslatorResponse;
use rb_schema::roles::verify_agent::VerifyResponse;
use rb_schema::{Answer as _, Faults, Role, Schema};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::ROLES;

/// A line of the corpus: `{"why": …, "value": …}`, and for a wrong value `"says"`, its faults.
#[derive(serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Row {
    pub(crate) why: String,
    pub(crate) value: Value,
    says: Option<String>,
}

pub(crate) fn rows(role: Role, valid: bool) -> Vec<Row> {
    let kind = if valid { "valid" } else { "invalid" };
    let file = format!("{}/tests/data/{}.{kind}.jsonl", env!("CARGO_MANIFEST_DIR"), role.name);
    let text = std::fs::read_to_string(file).expect("every role has a corpus");
    text.lines()
        .map(|line| serde_json::from_str(line).unwrap_or_else(|error| panic!("{line}: {error}")))
        .collect()
}

/// What the type alone says, without the schema: from a value, and from text.
pub(crate) fn type_takes(role: Role, value: &Value) -> bool {
    match role.name {
        "planner" => takes::<PlannerResponse>(value),
        "patcher" => takes::<PatchResponse>(value),
        "critic" => takes::<CriticResponse>(value),
        "explorer" => takes::<ExplorerResponse>(value),
        "tester" => takes::<TestResponse>(value),
        "implementer" => takes::<CodeResponse>(value),
        "refactorer" => takes::<RefactoringResponse>(value),
        "supervisor" => takes::<SupervisorResponse>(value),
        "impl-agent" => takes::<ImplResponse>(value),
        "verify-agent" => takes::<VerifyResponse>(value),
        "fix-agent" => takes::<FixResponse>(value),
        "pr-agent" => takes::<PrResponse>(value),
        "translator" => takes::<TranslatorResponse>(value),
        other => panic!("the type of {other}"),
    }
}

/// What the program reads, whatever schema was sent.
pub(crate) fn read(role: Role, value: &Value) -> Result<(), Faults> {
    match role.name {
        "planner" => PlannerResponse::read(value).map(drop),
        "patcher" => PatchResponse::read(value).map(drop),
        "critic" => CriticResponse::read(value).map(drop),
        "explorer" => ExplorerResponse::read(value).map(drop),
        "tester" => TestResponse::read(value).map(drop),
        "implementer" => CodeResponse::read(value).map(drop),
        "refactorer" => RefactoringResponse::read(value).map(drop),
        "supervisor" => SupervisorResponse::read(value).map(drop),
        "impl-agent" => ImplResponse::read(value).map(drop),
        "verify-agent" => VerifyResponse::read(value).map(drop),
        "fix-agent" => FixResponse::read(value).map(drop),
        "pr-agent" => PrResponse::read(value).map(drop),
        "translator" => TranslatorResponse::read(value).map(drop),
        other => panic!("the type of {other}"),
    }
}

fn takes<T: DeserializeOwned + Serialize + PartialEq + std::fmt::Debug>(value: &Value) -> bool {
    let by_value = serde_json::from_value::<T>(value.clone());
    let by_text = serde_json::from_str::<T>(&value.to_string());
    assert_eq!(by_value.is_ok(), by_text.is_ok(), "{value}");
    let Ok(answer) = by_value else { return false };
    let written = serde_json::to_value(&answer).expect("an answer can be written");
    assert_eq!(serde_json::from_value::<T>(written).expect("and read again"), answer);
    true
}

fn schema(role: Role) -> Schema {
    role.schema(None).expect("it is sound")
}

#[test]
fn mo5_valid_answers_are_valid_by_schema_and_by_type() {
    for role in ROLES {
        let (schema, rows) = (schema(role), rows(role, true));
        assert!(rows.len() >= 25, "{} has {} rows", role.name, rows.len());
        for row in rows {
            assert_eq!(schema.check(&row.value), Ok(()), "{}: {}", role.name, row.why);
            assert!(type_takes(role, &row.value), "{}: {}", role.name, row.why);
            assert_eq!(read(role, &row.value), Ok(()), "{}: {}", role.name, row.why);
        }
    }
}

#[test]
fn mo5_invalid_answers_are_invalid_by_schema_and_by_type() {
    for role in ROLES {
        let (schema, rows) = (schema(role), rows(role, false));
        assert!(rows.len() >= 40, "{} has {} rows", role.name, rows.len());
        for row in rows {
            let faults = schema.check(&row.value).expect_err(&row.why);
            assert_eq!(Some(faults.to_string()), row.says, "{}: {}", role.name, row.why);
            assert!(!type_takes(role, &row.value), "{}: {}", role.name, row.why);
        }
    }
}
