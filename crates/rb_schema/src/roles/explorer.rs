//! The explorer: answers a question about a repository, every statement with the lines that show it.

use serde::{Deserialize, Serialize};

use super::fields::{Integer, objects, present};
use super::{Answer, Role};

pub const ROLE: Role = Role {
    name: "explorer",
    prompt: include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../../prompts/explorer.system.txt")),
    schema: include_str!(concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../schemas/explorer.schema.json"
    )),
};

/// An answer as the model gives it: nothing in it has been checked.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(remote = "Self")]
pub struct ExplorerResponse {
    pub sections: Vec<Section>,
    /// What was looked for in vain, in words.
    pub not_found: Vec<String>,
    /// What it has to see before it can answer, where it cannot call tools: paths, lines, names, searches.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub needs: Option<Vec<String>>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(remote = "Self")]
pub struct Section {
    /// Empty for none.
    pub heading: String,
    pub statements: Vec<Statement>,
}

/// One or two sentences, and the lines that show them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(remote = "Self")]
pub struct Statement {
    pub text: String,
    pub citations: Vec<Citation>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(remote = "Self")]
pub struct Citation {
    pub path: String,
    /// The schema allows any whole number, also one that is no line.
    pub first_line: Integer,
    pub last_line: Integer,
    pub quote: String,
}

objects!(ExplorerResponse, Section, Statement, Citation);

impl Answer for ExplorerResponse {
    const ROLE: Role = ROLE;
}
