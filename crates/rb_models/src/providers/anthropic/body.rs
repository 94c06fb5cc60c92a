//! A request in the words of the API.

use rb_schema::Schema;
use serde::Serialize;
use serde_json::{Value, json};

use super::capabilities::Capabilities;
use crate::call::{Message, Request, Tool, ToolResult};
use crate::error::Fault;

/// A request, and what is only decided once it goes to this API.
pub(super) struct RequestBody<'r> {
    pub(super) request: &'r Request,
    taken: Capabilities,
    /// The tool that stands for the form of the answer.
    pub(super) form: Option<String>,
}

/// In the order in which it is sent.
#[derive(Serialize)]
pub(super) struct Body<'r> {
    model: &'r str,
    max_tokens: u64,
    stream: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    temperature: Option<u8>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    system: Vec<Value>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    tools: Vec<Offered<'r>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tool_choice: Option<Value>,
    messages: Vec<Value>,
}

#[derive(Serialize)]
struct Offered<'r> {
    name: &'r str,
    description: &'r str,
    input_schema: Input<'r>,
}

#[derive(Serialize)]
#[serde(untagged)]
enum Input<'r> {
    Tool(&'r Value),
    /// Its keys in the order of its author: a model answers in that order.
    Form(&'r Schema),
}

/// The longest name that a tool may have.
const NAME: usize = 64;

impl<'r> RequestBody<'r> {
    pub(super) fn new(request: &'r Request, taken: Capabilities) -> Result<Self, Fault> {
        if request.model.is_empty() {
            return Err(Fault::Unable { what: "answer without the name of a model".to_owned() });
        }
        let form = request.schema.as_ref().map(|schema| name(schema.name(), &request.tools));
        Ok(RequestBody { request, taken, form })
    }

    pub(super) fn body(&self) -> Body<'_> {
        Body {
            model: &self.request.model,
            max_tokens: self.request.limits.output_tokens,
            stream: true,
            temperature: self.taken.temperature.then_some(0),
            system: self.system(),
            tools: self.tools(),
            tool_choice: self.choice(),
            messages: self.messages(),
        }
    }

    fn system(&self) -> Vec<Value> {
        let mut blocks = text(&self.request.system);
        if let (Some(form), false) = (&self.form, self.taken.forced_tool) {
            let words = format!(
                "Give your answer by calling the tool `{form}` exactly once, and not as text."
            );
            blocks.extend(text(&words));
        }
        blocks.last_mut().map(mark);
        blocks
    }

    fn tools(&self) -> Vec<Offered<'_>> {
        let offered = self.request.tools.iter().map(|tool| Offered {
            name: &tool.name,
            description: &tool.description,
            input_schema: Input::Tool(&tool.input),
        });
        let form = self.form.iter().zip(&self.request.schema).map(|(name, schema)| Offered {
            name,
            description: "Give the final answer with this tool, once.",
            input_schema: Input::Form(schema),
        });
        offered.chain(form).collect()
    }

    /// With tools of ours there, the model may call one of them first.
    fn choice(&self) -> Option<Value> {
        let form = self.form.as_ref()?;
        Some(match (self.taken.forced_tool, self.request.tools.is_empty()) {
            (true, true) => json!({ "type": "tool", "name": form }),
            (true, false) => json!({ "type": "any" }),
            (false, _) => json!({ "type": "auto" }),
        })
    }

    fn messages(&self) -> Vec<Value> {
        let mut messages: Vec<Value> = self.request.messages.iter().filter_map(message).collect();
        // What is read again is worth the price of keeping it: the beginning of a conversation and all that
        // was said so far, but not a question that is asked once.
        if messages.len() > 1 || !self.request.tools.is_empty() {
            let last = messages.len().saturating_sub(1);
            for at in [0, last] {
                messages.get_mut(at).and_then(last_block).map(mark);
            }
        }
        messages
    }
}

fn last_block(message: &mut Value) -> Option<&mut Value> {
    message.get_mut("content")?.as_array_mut()?.last_mut()
}

/// Everything up to this block is kept for the next request. Four marks are allowed; three are set at most.
fn mark(block: &mut Value) {
    block["cache_control"] = json!({ "type": "ephemeral" });
}

/// Blocks without a word are refused by the API, and so are messages without a block.
fn message(message: &Message) -> Option<Value> {
    let (role, content) = match message {
        Message::User { text: words } => ("user", text(words)),
        Message::Assistant { text: words, tool_calls } => {
            let calls = tool_calls.iter().map(|call| {
                json!({ "type": "tool_use", "id": call.id, "name": call.name, "input": call.input })
            });
            ("assistant", text(words).into_iter().chain(calls).collect())
        }
        Message::Tools { results } => ("user", results.iter().map(result).collect()),
    };
    let is_empty = content.is_empty();
    (!is_empty).then(|| json!({ "role": role, "content": content }))
}

fn text(words: &str) -> Vec<Value> {
    match words.trim() {
        "" => Vec::new(),
        _ => vec![json!({ "type": "text", "text": words })],
    }
}

fn result(result: &ToolResult) -> Value {
    let mut block = json!({ "type": "tool_result", "tool_use_id": result.id });
    if !result.text.trim().is_empty() {
        block["content"] = json!(result.text);
    }
    if result.failed {
        block["is_error"] = json!(true);
    }
    block
}

/// The name of the schema, as far as a tool may be called so and none is.
fn name(schema: &str, tools: &[Tool]) -> String {
    let plain = |c: char| if c.is_ascii_alphanumeric() || c == '-' { c } else { '_' };
    let mut name: String = schema.chars().map(plain).take(NAME - "_answer".len()).collect();
    if name.is_empty() || tools.iter().any(|tool| tool.name == name) {
        name.push_str("_answer");
    }
    while tools.iter().any(|tool| tool.name == name) {
        name.insert(0, '_');
    }
    name
}
