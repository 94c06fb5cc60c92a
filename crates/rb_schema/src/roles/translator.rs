//! The translator: puts a directive into operations that the program carries out, and changes no code.

use serde::{Deserialize, Serialize};

use super::fields::{objects, present, words};
use super::{Answer, Role};

pub const ROLE: Role = Role {
    name: "translator",
    prompt: include_str!(concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../prompts/translator.system.txt"
    )),
    schema: include_str!(concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../schemas/translator.schema.json"
    )),
};

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(remote = "Self")]
pub struct TranslatorResponse {
    pub operations: Vec<ProposedOperation>,
    /// What of the directive they do not do.
    pub rest: String,
}

/// An operation as a model names it: every key that one of them has. Which belong together is for `rb_operations` to say.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(remote = "Self")]
pub struct ProposedOperation {
    pub operation: OperationName,
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub symbol: Option<String>,
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub symbols: Option<Vec<String>>,
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub to: Option<String>,
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub keep_name_in: Option<Vec<String>>,
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub alias: Option<bool>,
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub rename_tests: Option<bool>,
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub rename_files: Option<bool>,
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub modules: Option<Vec<String>>,
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub into: Option<String>,
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub merge_tests: Option<bool>,
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub function: Option<String>,
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub functions: Option<Vec<String>>,
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub methods: Option<Vec<String>>,
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub class: Option<String>,
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub module: Option<String>,
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub parameter: Option<String>,
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub parameters: Option<Vec<String>>,
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub order: Option<Vec<String>>,
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub default: Option<String>,
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub annotation: Option<String>,
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub values: Option<Vec<ProposedValue>>,
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub logs: Option<bool>,
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub files: Option<Vec<String>>,
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub keep: Option<String>,
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub remove: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(remote = "Self")]
pub struct ProposedValue {
    pub value: String,
    pub calls: Calls,
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub within: Option<Vec<String>>,
}

words! {
    OperationName {
        Rename = "rename",
        RenameParameter = "rename-parameter",
        RenameModule = "rename-module",
        Move = "move",
        MoveMethod = "move-method",
        Merge = "merge",
        AddParameter = "add-parameter",
        RemoveParameter = "remove-parameter",
        ReorderParameters = "reorder-parameters",
        ParameterObject = "parameter-object",
        Encapsulate = "encapsulate",
        InlineReexport = "inline-reexport",
        ReplaceDuplicate = "replace-duplicate",
    }
}

words! {
    /// The calls that pass a value.
    Calls {
        All = "all",
        Tests = "tests",
        NotTests = "not-tests",
    }
}

objects!(TranslatorResponse, ProposedOperation, ProposedValue);

impl Answer for TranslatorResponse {
    const ROLE: Role = ROLE;
}
