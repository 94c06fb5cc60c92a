//! The agent that plans how the criteria of a ticket are tried in a browser.

use std::ops::RangeInclusive;

use serde::de::{Error, Unexpected};
use serde::{Deserialize, Deserializer, Serialize};

use super::fields::{Integer, objects, words};
use super::{Answer, Role};

pub const ROLE: Role = Role {
    name: "verify-agent",
    prompt: include_str!(concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../prompts/verify-agent.system.txt"
    )),
    schema: include_str!(concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../schemas/verify-agent.schema.json"
    )),
};

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(remote = "Self")]
pub struct VerifyResponse {
    pub reason: String,
    pub checks: Vec<PlannedCheck>,
    pub uncheckable: Vec<Uncheckable>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(remote = "Self")]
pub struct PlannedCheck {
    /// The id of the criterion: "C2".
    pub criterion: String,
    pub says: String,
    pub path: String,
    /// Of the window, in pixels: 200 to 4000.
    #[serde(default, deserialize_with = "width", skip_serializing_if = "Option::is_none")]
    pub width: Option<Integer>,
    pub steps: Vec<PlannedStep>,
    pub expect: Vec<PlannedExpectation>,
}

/// What a person would do. A field that does not apply is empty.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(remote = "Self")]
pub struct PlannedStep {
    pub action: Action,
    /// An element in words: `button "Save"`.
    pub target: String,
    pub value: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(remote = "Self")]
pub struct PlannedExpectation {
    pub kind: Expected,
    pub target: String,
    pub value: String,
}

/// A criterion that no browser can try.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(remote = "Self")]
pub struct Uncheckable {
    pub criterion: String,
    pub why: String,
}

words! {
    Action {
        Goto = "goto",
        Click = "click",
        Type = "type",
        Select = "select",
        Hover = "hover",
        Press = "press",
        WaitForText = "wait_for_text",
    }
}

words! {
    Expected {
        TextPresent = "text_present",
        TextAbsent = "text_absent",
        Exists = "exists",
        Absent = "absent",
        Count = "count",
        Enabled = "enabled",
        Disabled = "disabled",
        ValueIs = "value_is",
        UrlIs = "url_is",
        TitleIs = "title_is",
        Status = "status",
        NoOverflow = "no_overflow",
        LooksLike = "looks_like",
    }
}

/// As in the schema.
const WIDTHS: RangeInclusive<i64> = 200..=4_000;

/// A width that may be absent but is not null.
fn width<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Integer>, D::Error> {
    let Integer(pixels) = Integer::deserialize(deserializer)?;
    if WIDTHS.contains(&pixels) {
        Ok(Some(Integer(pixels)))
    } else {
        Err(D::Error::invalid_value(Unexpected::Signed(pixels), &"200 to 4000"))
    }
}

objects!(VerifyResponse, PlannedCheck, PlannedStep, PlannedExpectation, Uncheckable);

impl Answer for VerifyResponse {
    const ROLE: Role = ROLE;
}
