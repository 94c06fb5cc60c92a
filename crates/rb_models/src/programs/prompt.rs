//! A conversation as one text, for programs that take nothing else.

use crate::call::{Message, ToolCall, ToolResult};

/// One message is left as it is. Of several, each says who it is from: nobody remembers the earlier ones.
pub(crate) fn prompt(messages: &[Message]) -> String {
    if let [Message::User { text }] = messages {
        return text.clone();
    }
    let parts: Vec<String> = messages.iter().map(part).collect();
    parts.join("\n\n")
}

fn part(message: &Message) -> String {
    match message {
        Message::User { text } => format!("[The user said:]\n{text}"),
        Message::Assistant { text, tool_calls } => {
            let calls: String = tool_calls.iter().map(call).collect();
            format!("[You answered:]\n{text}{calls}")
        }
        Message::Tools { results } => {
            format!("[What came of it:]{}", results.iter().map(result).collect::<String>())
        }
    }
}

fn call(call: &ToolCall) -> String {
    format!("\n[You called {} ({}) with:] {}", call.name, call.id, call.input)
}

fn result(result: &ToolResult) -> String {
    let failed = if result.failed { " failed" } else { "" };
    format!("\n[{} ({}){failed}:]\n{}", result.name, result.id, result.text)
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};
    use serde_json::json;

    use super::*;

    fn check(messages: &[Message], wanted: &Expect) {
        wanted.assert_eq(&prompt(messages));
    }

    #[test]
    fn mo2_a_conversation_becomes_one_text() {
        let user = |text: &str| Message::User { text: text.to_owned() };
        check(&[user("What is [this]?")], &expect![[r#"What is [this]?"#]]);
        let tool_calls = vec![ToolCall {
            id: "c1".to_owned(),
            name: "read".to_owned(),
            input: json!({"path": "a"}),
        }];
        let results = vec![ToolResult {
            id: "c1".to_owned(),
            name: "read".to_owned(),
            text: "no such file".to_owned(),
            failed: true,
        }];
        let messages = [
            user("What is in it?"),
            Message::Assistant { text: "I look.".to_owned(), tool_calls },
            Message::Tools { results },
            user("Well?"),
        ];
        check(
            &messages,
            &expect![[r#"
                [The user said:]
                What is in it?

                [You answered:]
                I look.
                [You called read (c1) with:] {"path":"a"}

                [What came of it:]
                [read (c1) failed:]
                no such file

                [The user said:]
                Well?"#]],
        );
    }
}
