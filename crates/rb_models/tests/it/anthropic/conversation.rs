//! What is sent of a conversation that goes on, and what of it is kept for the next call.

use expect_test::expect;
use rb_models::{Message, Request, ToolCall, ToolResult};
use serde_json::{Value, json};

use super::requests::{check, sent};
use super::{look, plain};

/// Two files were looked at, one in vain, and there is another question.
fn looked() -> Vec<Message> {
    let user = |text: &str| Message::User { text: text.to_owned() };
    let calls = ["a.rs", "b.rs"].map(|path| ToolCall {
        id: format!("toolu_{path}"),
        name: "look".to_owned(),
        input: json!({ "path": path }),
    });
    let result = |path: &str, text: &str, failed: bool| ToolResult {
        id: format!("toolu_{path}"),
        name: "look".to_owned(),
        text: text.to_owned(),
        failed,
    };
    let results = vec![result("a.rs", "fn main() {}", false), result("b.rs", "", true)];
    vec![
        user("Look."),
        Message::Assistant { text: String::new(), tool_calls: calls.to_vec() },
        Message::Tools { results },
        Message::Assistant { text: "Seen.".to_owned(), tool_calls: Vec::new() },
        user(" "),
        user("And?"),
    ]
}

#[test]
#[expect(clippy::too_many_lines, reason = "a whole request is long")]
fn mo5_a_conversation_is_sent_whole() {
    let request = Request { messages: looked(), tools: vec![look()], ..plain() };
    check(
        &request,
        &expect![[r#"
        {
          "max_tokens": 1000,
          "messages": [
            {
              "content": [
                {
                  "cache_control": {
                    "type": "ephemeral"
                  },
                  "text": "Look.",
                  "type": "text"
                }
              ],
              "role": "user"
            },
            {
              "content": [
                {
                  "id": "toolu_a.rs",
                  "input": {
                    "path": "a.rs"
                  },
                  "name": "look",
                  "type": "tool_use"
                },
                {
                  "id": "toolu_b.rs",
                  "input": {
                    "path": "b.rs"
                  },
                  "name": "look",
                  "type": "tool_use"
                }
              ],
              "role": "assistant"
            },
            {
              "content": [
                {
                  "content": "fn main() {}",
                  "tool_use_id": "toolu_a.rs",
                  "type": "tool_result"
                },
                {
                  "is_error": true,
                  "tool_use_id": "toolu_b.rs",
                  "type": "tool_result"
                }
              ],
              "role": "user"
            },
            {
              "content": [
                {
                  "text": "Seen.",
                  "type": "text"
                }
              ],
              "role": "assistant"
            },
            {
              "content": [
                {
                  "cache_control": {
                    "type": "ephemeral"
                  },
                  "text": "And?",
                  "type": "text"
                }
              ],
              "role": "user"
            }
          ],
          "model": "claude-test-1",
          "stream": true,
          "system": [
            {
              "cache_control": {
                "type": "ephemeral"
              },
              "text": "Be brief.",
              "type": "text"
            }
          ],
          "temperature": 0,
          "tools": [
            {
              "description": "Shows a file.",
              "input_schema": {
                "properties": {
                  "path": {
                    "type": "string"
                  }
                },
                "type": "object"
              },
              "name": "look"
            }
          ]
        }
    "#]],
    );
}

#[test]
fn mo7_a_long_system_prompt_is_kept_for_the_next_call() {
    let system = "Rule. ".repeat(20_000);
    let seen = sent(&Request { system: system.clone(), ..plain() });
    let body: Value = serde_json::from_str(&seen.body).unwrap();
    assert_eq!(body["system"][0]["text"], json!(system));
    assert_eq!(body["system"][0]["cache_control"], json!({ "type": "ephemeral" }));
    assert_eq!(seen.body.matches("cache_control").count(), 1);
    let seen = sent(&Request { system: String::new(), ..plain() });
    assert!(!seen.body.contains("system"), "{}", seen.body);
}
