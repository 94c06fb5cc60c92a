//! Tickets as JSON: our own shape, a GitHub issue, a Jira issue.

use serde::Deserialize;
use serde_json::Value;

use super::IntakeError;
use super::adf;
use super::draft::Draft;
use super::wiki;
use crate::ticket::{Attachment, Criterion, Hints, Origin};

pub(super) fn draft(value: &Value) -> Result<Draft, IntakeError> {
    let has = |name: &str| value.get(name).is_some_and(|field| !field.is_null());
    if has("fields") && has("key") {
        Ok(jira(value))
    } else if has("title") && has("number") {
        Ok(github(value))
    } else if has("title") {
        own(value)
    } else {
        Err(IntakeError::UnknownJson)
    }
}

fn text(value: &Value, pointer: &str) -> Option<String> {
    value.pointer(pointer).and_then(Value::as_str).map(str::to_owned)
}

fn list<'v>(value: &'v Value, pointer: &str) -> impl Iterator<Item = &'v Value> {
    value.pointer(pointer).and_then(Value::as_array).into_iter().flatten()
}

/// As the REST API or `gh issue view --json` writes it. `comments` may be the comments themselves.
fn github(value: &Value) -> Draft {
    let comments = list(value, "/comments").filter_map(|comment| {
        let author = text(comment, "/user/login").or_else(|| text(comment, "/author/login"));
        Some((author.unwrap_or_else(|| "unknown".to_owned()), text(comment, "/body")?))
    });
    Draft {
        key: value.get("number").and_then(Value::as_u64).map(|number| format!("#{number}")),
        title: text(value, "/title"),
        body: text(value, "/body").unwrap_or_default(),
        comments: comments.collect(),
        ..Draft::default()
    }
}

fn jira(value: &Value) -> Draft {
    let rich = |value: &Value| match value {
        Value::String(text) => wiki::markdown(text),
        document => adf::markdown(document),
    };
    let comments = list(value, "/fields/comment/comments").map(|comment| {
        let author = text(comment, "/author/displayName").unwrap_or_else(|| "unknown".to_owned());
        (author, comment.get("body").map(rich).unwrap_or_default())
    });
    let comments: Vec<(String, String)> = comments.collect();
    let total = value.pointer("/fields/comment/total").and_then(Value::as_u64).unwrap_or_default();
    let attachments = list(value, "/fields/attachment").filter_map(|attachment| {
        let name = text(attachment, "/filename")?;
        Some(Attachment { name, location: text(attachment, "/content")? })
    });
    Draft {
        key: text(value, "/key"),
        title: text(value, "/fields/summary"),
        body: value.pointer("/fields/description").map(rich).unwrap_or_default(),
        lacks_comments: total > comments.len() as u64,
        comments,
        attachments: attachments.collect(),
        ..Draft::default()
    }
}

/// What a person writes. A whole `Ticket` is read too; what was stripped from it is not taken over.
#[derive(Deserialize)]
struct Own {
    key: Option<String>,
    title: String,
    summary: Option<String>,
    #[serde(default)]
    requirements: Vec<String>,
    #[serde(default, alias = "acceptance_criteria")]
    criteria: Vec<OwnCriterion>,
    #[serde(default)]
    hints: OwnHints,
    #[serde(default)]
    attachments: Vec<OwnAttachment>,
    #[serde(default, alias = "description", alias = "body")]
    text: String,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum OwnCriterion {
    Text(String),
    Steps {
        #[serde(default)]
        text: String,
        #[serde(default)]
        given: Vec<String>,
        #[serde(default)]
        when: Vec<String>,
        #[serde(default)]
        then: Vec<String>,
        from: Option<Origin>,
    },
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct OwnHints {
    paths: Vec<String>,
    symbols: Vec<String>,
    urls: Vec<String>,
}

#[derive(Deserialize)]
struct OwnAttachment {
    #[serde(default)]
    name: String,
    #[serde(alias = "url", alias = "path")]
    location: String,
}

fn own(value: &Value) -> Result<Draft, IntakeError> {
    let own = Own::deserialize(value)
        .map_err(|error| IntakeError::BadJson { why: rb_http::printable(&error.to_string()) })?;
    let OwnHints { paths, symbols, urls } = own.hints;
    let attachments = own.attachments.into_iter();
    Ok(Draft {
        key: own.key,
        title: Some(own.title),
        summary: own.summary,
        body: own.text,
        comments: Vec::new(),
        lacks_comments: false,
        requirements: own.requirements,
        criteria: own.criteria.into_iter().map(criterion).collect(),
        hints: Hints { paths, symbols, urls },
        attachments: attachments
            .map(|OwnAttachment { name, location }| Attachment { name, location })
            .collect(),
    })
}

fn criterion(own: OwnCriterion) -> Criterion {
    let none = Vec::new;
    let (text, given, when, then, from) = match own {
        OwnCriterion::Text(text) => (text, none(), none(), none(), None),
        OwnCriterion::Steps { text, given, when, then, from } => (text, given, when, then, from),
    };
    let text = if text.is_empty() { then.join("; ") } else { text };
    let is_gherkin = !given.is_empty() || !when.is_empty();
    let from = from.unwrap_or(if is_gherkin { Origin::Gherkin } else { Origin::Section });
    Criterion { id: String::new(), text, given, when, then, from }
}
