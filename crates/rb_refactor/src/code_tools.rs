//! What a model may look up while it works on a task: code of the worktree, read through the index. Nothing can be changed with it.

use rb_flow::ask::Tools;
use rb_models::Tool;
use rb_pack::Lookup;
use serde_json::{Value, json};

pub(crate) struct CodeTools<'w> {
    pub(crate) lookup: Lookup<'w>,
}

const SHOW: &str = "show_code";
const SEARCH: &str = "search_text";

impl Tools for CodeTools<'_> {
    fn list(&self) -> Vec<Tool> {
        let input = |key: &str, description: &str| {
            json!({
                "type": "object",
                "properties": { key: { "type": "string", "description": description } },
                "required": [key],
                "additionalProperties": false
            })
        };
        vec![
            Tool {
                name: SHOW.to_owned(),
                description: "Shows code of the repository that the request does not show."
                    .to_owned(),
                input: input(
                    "what",
                    "A path (\"src/a.ts\"), lines (\"src/a.ts:10-80\"), a declared name (\"parseHeader\") or \
                     \"callers of parseHeader\".",
                ),
            },
            Tool {
                name: SEARCH.to_owned(),
                description:
                    "Lists the lines of the repository that contain a text, case-sensitive."
                        .to_owned(),
                input: input("text", "The text, as it stands on one line."),
            },
        ]
    }

    fn call(&mut self, name: &str, input: &Value) -> Result<String, String> {
        let argument = |key: &str| {
            let text = input[key].as_str().map(str::trim).filter(|it| !it.is_empty());
            text.ok_or_else(|| format!("`{key}` is missing."))
        };
        let found = match name {
            SHOW => self.lookup.show(argument("what")?),
            SEARCH => self.lookup.search(argument("text")?),
            other => return Err(format!("There is no tool `{other}`.")),
        };
        found.map_err(|error| error.to_string())
    }
}
