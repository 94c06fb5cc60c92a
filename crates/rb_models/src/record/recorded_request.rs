//! A request as it is recorded and compared: what decides the answer, and nothing that differs by itself.
//!
//! Times, the folder, the server of tools and the files that the cost is shared among are left out.

use std::fmt::Write as _;

use rb_core::{Sha256, TaskId};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::stand_ins::StandIns;
use super::texts::{self, Change};
use crate::call::{Message, Request, Tool, ToolCall};

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct RecordedRequest {
    pub(super) role: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) task: Option<TaskId>,
    model: String,
    system: String,
    messages: Vec<Message>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    tools: Vec<Tool>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    schema: Option<Form>,
    limits: Most,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct Form {
    name: String,
    schema: Value,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct Most {
    output_tokens: u64,
    turns: u32,
}

impl RecordedRequest {
    /// With everything in it that is volatile.
    pub(super) fn of(request: &Request) -> Self {
        let form = |schema: &rb_schema::Schema| Form {
            name: schema.name().to_owned(),
            schema: schema.value().clone(),
        };
        RecordedRequest {
            role: request.purpose.role.clone(),
            task: request.purpose.task,
            model: request.model.clone(),
            system: request.system.clone(),
            messages: request.messages.clone(),
            tools: request.tools.clone(),
            schema: request.schema.as_deref().map(form),
            limits: Most {
                output_tokens: request.limits.output_tokens,
                turns: request.limits.turns,
            },
        }
    }

    pub(super) fn standing_in(self, stand_ins: &StandIns) -> Self {
        self.map(|text| stand_ins.put(text))
    }

    pub(super) fn map(self, change: impl Fn(&str) -> String) -> Self {
        let change: Change<'_> = &change;
        let form = |form: Form| Form {
            name: change(&form.name),
            schema: texts::in_value(form.schema, change),
        };
        let message = |message| texts::in_message(message, change);
        RecordedRequest {
            role: change(&self.role),
            task: self.task,
            model: change(&self.model),
            system: change(&self.system),
            messages: self.messages.into_iter().map(message).collect(),
            tools: self.tools.into_iter().map(|tool| texts::in_tool(tool, change)).collect(),
            schema: self.schema.map(form),
            limits: self.limits,
        }
    }

    pub(super) fn digest(&self) -> Sha256 {
        Sha256::of(self.canonical().as_bytes())
    }

    /// JSON without blanks whose keys are sorted, as `Value` keeps them.
    fn canonical(&self) -> String {
        serde_json::to_value(self).expect("a request is plain data").to_string()
    }

    /// Such as `planner batch-001`.
    pub(super) fn title(&self) -> String {
        match self.task {
            Some(task) => format!("{} {task}", self.role),
            None => self.role.clone(),
        }
    }

    /// For people to compare: a text is shown with the lines that it has.
    pub(super) fn lines(&self) -> String {
        let Most { output_tokens, turns } = self.limits;
        let mut lines = format!("{}\n", self.title());
        let _ = writeln!(lines, "model: {}", self.model);
        let _ = writeln!(lines, "limits: {output_tokens} tokens, {turns} turns");
        section(&mut lines, "system", &self.system);
        for message in &self.messages {
            message_lines(&mut lines, message);
        }
        for tool in &self.tools {
            let text = format!("{}\n{:#}", tool.description, tool.input);
            section(&mut lines, &format!("tool {}", tool.name), &text);
        }
        if let Some(form) = &self.schema {
            section(&mut lines, &format!("schema {}", form.name), &format!("{:#}", form.schema));
        }
        lines
    }
}

fn message_lines(lines: &mut String, message: &Message) {
    match message {
        Message::User { text } => section(lines, "user", text),
        Message::Assistant { text, tool_calls } => {
            section(lines, "assistant", text);
            for ToolCall { id, name, input } in tool_calls {
                section(lines, &format!("call {id} of {name}"), &format!("{input:#}"));
            }
        }
        Message::Tools { results } => {
            for result in results {
                let end = if result.failed { " failed" } else { "" };
                let title = format!("result {} of {}{end}", result.id, result.name);
                section(lines, &title, &result.text);
            }
        }
    }
}

fn section(lines: &mut String, title: &str, text: &str) {
    let _ = writeln!(lines, "{title}:");
    for line in text.split('\n') {
        let _ = writeln!(lines, "  {line}");
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn mo6_the_digest_is_of_sorted_keys() {
        let mut request = Request::new("planner", "s", "u");
        let tool = |input: &str| Tool {
            name: "t".to_owned(),
            description: String::new(),
            input: serde_json::from_str(input).unwrap(),
        };
        request.tools = vec![tool(r#"{"b": 1, "a": {"d": 2, "c": 3}}"#)];
        let canonical = RecordedRequest::of(&request).canonical();
        assert!(canonical.contains(r#""input":{"a":{"c":3,"d":2},"b":1}"#), "{canonical}");
        assert!(canonical.starts_with(r#"{"limits":"#), "{canonical}");
        let digest = RecordedRequest::of(&request).digest();
        request.tools = vec![tool(r#"{"a": {"c": 3, "d": 2}, "b": 1}"#)];
        assert_eq!(RecordedRequest::of(&request).digest(), digest);
        request.tools[0].input = json!({"a": {"c": 3, "d": 2}, "b": 2});
        assert_ne!(RecordedRequest::of(&request).digest(), digest);
    }
}
