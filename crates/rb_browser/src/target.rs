//! Which element of a page is meant.

use std::fmt;

use serde::{Deserialize, Serialize};

/// Written as `{"css": ".."}`, `{"text": ".."}`, `{"role": "button", "name": "Save"}` or `{"label": ".."}`. Displayed in words.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "Fields", into = "Fields")]
pub enum Target {
    Css(String),
    /// The innermost element with this text. Case and spacing do not count.
    Text(String),
    /// By the browser's own accessibility tree. An empty name fits every element of the role.
    Role {
        role: String,
        name: String,
    },
    /// A form field by its label, accessible name or placeholder.
    Label(String),
}

#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Fields {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    css: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    text: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    role: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    name: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    label: Option<String>,
}

const SHAPES: &str = "a target is one of {\"css\": ..}, {\"text\": ..}, {\"role\": .., \"name\": ..} and {\"label\": ..}, and not empty";

impl TryFrom<Fields> for Target {
    type Error = &'static str;

    fn try_from(fields: Fields) -> Result<Self, Self::Error> {
        let target = match fields {
            Fields { css: Some(css), text: None, role: None, name: None, label: None } => {
                Target::Css(css)
            }
            Fields { css: None, text: Some(text), role: None, name: None, label: None } => {
                Target::Text(text)
            }
            Fields { css: None, text: None, role: Some(role), name, label: None } => {
                Target::Role { role, name: name.unwrap_or_default() }
            }
            Fields { css: None, text: None, role: None, name: None, label: Some(label) } => {
                Target::Label(label)
            }
            _ => return Err(SHAPES),
        };
        let (Target::Css(main)
        | Target::Text(main)
        | Target::Role { role: main, .. }
        | Target::Label(main)) = &target;
        if main.trim().is_empty() { Err(SHAPES) } else { Ok(target) }
    }
}

impl From<Target> for Fields {
    fn from(target: Target) -> Self {
        match target {
            Target::Css(css) => Fields { css: Some(css), ..Fields::default() },
            Target::Text(text) => Fields { text: Some(text), ..Fields::default() },
            Target::Role { role, name } => {
                let name = Some(name).filter(|name| !name.is_empty());
                Fields { role: Some(role), name, ..Fields::default() }
            }
            Target::Label(label) => Fields { label: Some(label), ..Fields::default() },
        }
    }
}

impl fmt::Display for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Target::Css(css) => write!(f, "the element `{css}`"),
            Target::Text(text) => write!(f, "the text \"{text}\""),
            Target::Role { role, name } if name.is_empty() => write!(f, "the first {role}"),
            Target::Role { role, name } => write!(f, "the {role} \"{name}\""),
            Target::Label(label) => write!(f, "the field \"{label}\""),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tk4_a_target_is_read_written_and_said_in_words() {
        let check = |json: &str, words: &str| {
            let target: Target = serde_json::from_str(json).unwrap();
            assert_eq!(target.to_string(), words);
            assert_eq!(serde_json::to_string(&target).unwrap(), json);
        };
        check(r##"{"css":"#save"}"##, "the element `#save`");
        check(r#"{"text":"Save"}"#, r#"the text "Save""#);
        check(r#"{"role":"button","name":"Save"}"#, r#"the button "Save""#);
        check(r#"{"role":"button"}"#, "the first button");
        check(r#"{"label":"Email"}"#, r#"the field "Email""#);
    }

    #[test]
    fn tk4_a_target_of_two_kinds_or_of_none_is_refused() {
        for json in [
            "{}",
            r#"{"css":"a","text":"b"}"#,
            r#"{"name":"b"}"#,
            r#"{"css":" "}"#,
            r#"{"xpath":"b"}"#,
        ] {
            assert!(serde_json::from_str::<Target>(json).is_err(), "{json}");
        }
    }
}
