//! Our request in the words of chat completions.

use std::borrow::Cow;

use rb_schema::Schema;
use serde::Serialize;
use serde_json::{Value, json};

use crate::call::{Message, Request, Tool, ToolCall, ToolResult};
use crate::catalog::{CostSaid, OutputLimit, ProviderSpec, SchemaAs, SystemRole, Thinking};
use crate::error::Fault;

/// A request, and what it means to this provider and model.
pub(super) struct RequestBody<'a> {
    pub(super) spec: &'a ProviderSpec,
    pub(super) request: &'a Request,
    pub(super) model: &'a str,
    /// What the answer may have at most.
    pub(super) output: u64,
    pub(super) form: Option<Form<'a>>,
}

/// The form of the answer, and how it is asked for.
pub(super) struct Form<'a> {
    pub(super) schema: &'a Schema,
    pub(super) way: SchemaAs,
    /// As it is sent, where it differs.
    strict: Option<Schema>,
    /// Why it is not asked for as the provider would have it.
    pub(super) note: Option<String>,
}

/// Written in the order of its keys: models answer in the order of the schema.
#[derive(Serialize)]
pub(super) struct Body<'a> {
    model: &'a str,
    messages: Vec<Value>,
    stream: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    max_tokens: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    max_completion_tokens: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    temperature: Option<u8>,
    #[serde(skip_serializing_if = "Option::is_none")]
    stream_options: Option<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    usage: Option<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    thinking: Option<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    response_format: Option<Format<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    tools: Vec<Function<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tool_choice: Option<Value>,
}

#[derive(Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum Format<'a> {
    JsonObject,
    JsonSchema { json_schema: Named<'a> },
}

#[derive(Serialize)]
struct Named<'a> {
    name: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    strict: Option<bool>,
    schema: &'a Schema,
}

impl<'a> Form<'a> {
    fn new(spec: &ProviderSpec, model: &str, schema: &'a Schema) -> Self {
        let plain = |way, note| Form { schema, way, strict: None, note };
        match spec.quirks.schema {
            SchemaAs::Tool if !spec.quirks.takes_forced_tool(model) => {
                plain(SchemaAs::Prompt, None)
            }
            SchemaAs::JsonSchemaStrict => match schema.strict() {
                Ok(strict) => Form {
                    schema,
                    way: SchemaAs::JsonSchemaStrict,
                    strict: Some(strict),
                    note: None,
                },
                Err(error) => {
                    let note = format!("the schema has no strict form: {error}");
                    plain(SchemaAs::JsonSchema, Some(note))
                }
            },
            way => plain(way, None),
        }
    }

    fn format(&self) -> Option<Format<'_>> {
        let strict = self.strict.is_some().then_some(true);
        let schema = self.strict.as_ref().unwrap_or(self.schema);
        match self.way {
            SchemaAs::JsonSchemaStrict | SchemaAs::JsonSchema => {
                let json_schema = Named { name: name(self.schema), strict, schema };
                Some(Format::JsonSchema { json_schema })
            }
            SchemaAs::JsonObject => Some(Format::JsonObject),
            SchemaAs::Tool | SchemaAs::Prompt => None,
        }
    }
}

impl<'a> RequestBody<'a> {
    pub(super) fn new(
        spec: &'a ProviderSpec,
        request: &'a Request,
        model: &'a str,
    ) -> Result<Self, Fault> {
        if !request.tools.is_empty() && !spec.quirks.tools {
            return Err(Fault::Unable { what: format!("{} calls no tools", spec.title) });
        }
        let most = spec.max_output(model).unwrap_or(u64::MAX);
        let output = request.limits.output_tokens.min(most);
        let form = request.schema.as_deref().map(|schema| Form::new(spec, model, schema));
        Ok(RequestBody { spec, request, model, output, form })
    }

    pub(super) fn body(&self) -> Body<'_> {
        let quirks = &self.spec.quirks;
        let (max_tokens, max_completion_tokens) = match quirks.output_limit {
            OutputLimit::MaxTokens => (Some(self.output), None),
            OutputLimit::MaxCompletionTokens => (None, Some(self.output)),
        };
        let (tools, tool_choice) = self.tools();
        Body {
            model: self.model,
            messages: self.messages(),
            stream: true,
            max_tokens,
            max_completion_tokens,
            temperature: quirks.takes_temperature(self.model).then_some(0),
            stream_options: quirks.stream_usage.then(|| json!({ "include_usage": true })),
            usage: match quirks.cost {
                CostSaid::UsageCost => Some(json!({ "include": true })),
                CostSaid::Never | CostSaid::UsageTotalCost => None,
            },
            thinking: match quirks.thinking {
                Thinking::Off => Some(json!({ "type": "disabled" })),
                Thinking::Unset => None,
            },
            response_format: self.form.as_ref().and_then(Form::format),
            tools,
            tool_choice,
        }
    }

    /// Ours, and the one whose input is the answer.
    fn tools(&self) -> (Vec<Function<'_>>, Option<Value>) {
        let mut tools: Vec<Function<'_>> = self.request.tools.iter().map(Function::of).collect();
        let Some(Form { schema, way: SchemaAs::Tool, .. }) = &self.form else {
            return (tools, None);
        };
        // With tools of ours beside it, the model may call those first.
        let choice = if tools.is_empty() {
            json!({ "type": "function", "function": { "name": name(schema) } })
        } else {
            "required".into()
        };
        tools.push(Function::answering(schema));
        (tools, Some(choice))
    }

    fn messages(&self) -> Vec<Value> {
        let role = match self.spec.quirks.system {
            SystemRole::System => "system",
            SystemRole::Developer => "developer",
        };
        let mut messages = Vec::new();
        let system = self.system();
        if !system.is_empty() {
            messages.push(json!({ "role": role, "content": system }));
        }
        for message in &self.request.messages {
            match message {
                Message::User { text } => messages.push(json!({ "role": "user", "content": text })),
                Message::Assistant { text, tool_calls } => {
                    messages.push(assistant(text, tool_calls));
                }
                Message::Tools { results } => messages.extend(results.iter().map(result)),
            }
        }
        messages
    }

    fn system(&self) -> String {
        let system = self.request.system.as_str();
        match &self.form {
            Some(Form { schema, way: SchemaAs::JsonObject | SchemaAs::Prompt, .. }) => {
                in_words(system, schema)
            }
            Some(_) | None => system.to_owned(),
        }
    }
}

/// The system prompt with the form of the answer in it.
pub(crate) fn in_words(system: &str, schema: &Schema) -> String {
    let gap = if system.is_empty() { "" } else { "\n\n" };
    format!(
        "{system}{gap}Your final answer is one JSON object that follows this JSON schema, and nothing \
         else: no text around it, no code fence.\n{}",
        schema.text()
    )
}

/// As far as services take it: letters, digits, `_` and `-`, 64 at most.
pub(super) fn name(schema: &Schema) -> String {
    let fits = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    schema.name().chars().map(|c| if fits(c) { c } else { '_' }).take(64).collect()
}

/// Something that can be called, as it is described to the model.
#[derive(Serialize)]
pub(crate) struct Function<'a> {
    r#type: &'static str,
    function: Described<'a>,
}

#[derive(Serialize)]
struct Described<'a> {
    name: Cow<'a, str>,
    description: &'a str,
    parameters: Parameters<'a>,
}

#[derive(Serialize)]
#[serde(untagged)]
enum Parameters<'a> {
    Ours(&'a Value),
    Answer(&'a Schema),
}

impl<'a> Function<'a> {
    pub(crate) fn of(tool: &'a Tool) -> Self {
        let (name, parameters) = (Cow::from(&tool.name), Parameters::Ours(&tool.input));
        let function = Described { name, description: &tool.description, parameters };
        Function { r#type: "function", function }
    }

    fn answering(schema: &'a Schema) -> Self {
        let (name, parameters) = (Cow::from(name(schema)), Parameters::Answer(schema));
        let function = Described { name, description: "Gives the answer.", parameters };
        Function { r#type: "function", function }
    }
}

fn assistant(text: &str, calls: &[ToolCall]) -> Value {
    if calls.is_empty() {
        return json!({ "role": "assistant", "content": text });
    }
    let calls: Vec<Value> = calls
        .iter()
        .map(|call| {
            let function = json!({ "name": call.name, "arguments": call.input.to_string() });
            json!({ "id": call.id, "type": "function", "function": function })
        })
        .collect();
    let text = Some(text).filter(|text| !text.is_empty());
    json!({ "role": "assistant", "content": text, "tool_calls": calls })
}

/// There is no field for a failure, so the words say it.
fn result(result: &ToolResult) -> Value {
    json!({ "role": "tool", "tool_call_id": result.id, "content": said(result) })
}

pub(crate) fn said(result: &ToolResult) -> String {
    if result.failed { format!("error: {}", result.text) } else { result.text.clone() }
}
