//! Plans of an exploration: which questions deserve one, and the tool that a model states it with.
//!
//! A plan binds nobody. It is asked for because a model that says what it is going to look for searches less at random, and it is
//! recorded so that a person can see it, and why it changed.

use rb_models::Tool;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// What the model is going to do.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Plan {
    pub steps: Vec<String>,
    /// Why it takes the place of the one before; empty for the first.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub reason: String,
}

/// The name of the tool.
pub const SET_PLAN: &str = "set_plan";

const MOST_STEPS: usize = 10;
/// Characters of a step and of a reason.
const LONGEST: usize = 300;
/// A question of more words has more than one thing in it.
const SIMPLE_WORDS: usize = 30;

/// What a question says that cannot be answered from one place.
const WIDE: [&str; 26] = [
    "architecture",
    "compare",
    "data flow",
    "difference between",
    "differ from",
    "end to end",
    "end-to-end",
    "every place",
    "everywhere",
    "fit together",
    "hang together",
    "interact with",
    "interaction",
    "life cycle",
    "lifecycle",
    "overview",
    "pipeline",
    "relate to",
    "relationship",
    "step by step",
    "step-by-step",
    "the flow",
    "trace",
    "walk me through",
    "walk through",
    "what happens when",
];

/// What joins two questions.
const JOINS: [&str; 10] = [
    "and how",
    "and what",
    "and when",
    "and where",
    "and which",
    "and who",
    "and why",
    "as well as",
    "and then",
    "also explain",
];

/// Whether the question deserves a plan: it has several parts, or asks how several parts of the code work together.
pub fn is_complex(question: &str) -> bool {
    let words: Vec<String> = question.split_whitespace().map(str::to_lowercase).collect();
    let text = format!(" {} ", words.join(" "));
    let has = |phrase: &&str| text.contains(*phrase);
    let questions = question.matches('?').count();
    let items = question.lines().filter(|line| is_list_item(line)).count();
    questions > 1
        || items > 1
        || words.len() > SIMPLE_WORDS
        || WIDE.iter().any(has)
        || JOINS.iter().any(|phrase| text.contains(&format!(" {phrase} ")))
        || leads_somewhere(&text)
}

fn is_list_item(line: &str) -> bool {
    let line = line.trim_start();
    let after_number = line.trim_start_matches(|c: char| c.is_ascii_digit());
    let is_numbered = after_number.len() < line.len() && after_number.starts_with(['.', ')']);
    is_numbered || line.starts_with("- ") || line.starts_with("* ")
}

/// "How does a request get from the router to the database": a way through the code.
fn leads_somewhere(text: &str) -> bool {
    let from = text.find(" from ");
    let asks_how = text.starts_with(" how ") || text.contains(" path ") || text.contains(" way ");
    asks_how && from.is_some_and(|at| text[at..].contains(" to "))
}

/// The advice for a model that explores a complex question without a plan.
pub const PLAN_FIRST: &str = "This question has several parts. Call `set_plan` first, with the steps in which you want to find the \
     answer. Then make this call again.";

/// The tool as the model is offered it.
pub fn tool() -> Tool {
    Tool {
        name: SET_PLAN.to_owned(),
        description: "States the steps in which you want to find the answer. Needed for questions with several parts; call it again, \
             with the reason, when what you find changes the plan."
            .to_owned(),
        input: json!({
            "type": "object",
            "properties": {
                "steps": {
                    "type": "array",
                    "items": { "type": "string" },
                    "description": "What to find out, one short sentence for each step, in order."
                },
                "reason": {
                    "type": "string",
                    "description": "What you found that changes the plan. Not needed for the first plan."
                }
            },
            "required": ["steps"],
            "additionalProperties": false
        }),
    }
}

/// The plan of a call, or what is wrong with it.
pub fn read(input: &Value, is_first: bool) -> Result<Plan, String> {
    let steps: Vec<String> = match &input["steps"] {
        Value::Array(steps) => steps.iter().filter_map(Value::as_str).map(one_line).collect(),
        Value::String(steps) => steps.lines().map(one_line).collect(),
        _ => Vec::new(),
    };
    let steps: Vec<String> = steps.into_iter().filter(|step| !step.is_empty()).collect();
    if steps.is_empty() {
        return Err("`steps` must be a list of at least one sentence.".to_owned());
    }
    if steps.len() > MOST_STEPS {
        return Err(format!("A plan has at most {MOST_STEPS} steps. Join some of them."));
    }
    let reason = input["reason"].as_str().map(one_line).unwrap_or_default();
    if !is_first && reason.is_empty() {
        let why = "`reason` is missing: say what you found that changes the plan.";
        return Err(why.to_owned());
    }
    Ok(Plan { steps, reason })
}

fn one_line(text: &str) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    line.chars().take(LONGEST).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn as1_a_question_with_several_parts_is_complex() {
        let check = |expected: bool, questions: &[&str]| {
            for question in questions {
                assert_eq!(is_complex(question), expected, "{question}");
            }
        };
        check(
            false,
            &[
                "",
                "What is this?",
                "Where is the password checked?",
                "Who calls `save_attachment`?",
                "How does the rate limiter work?",
                "Which function parses durations such as 1h 30m?",
                "How are tickets and users stored?",
                "Is the mail sent from the worker or to the worker?",
            ],
        );
        check(
            true,
            &[
                "What happens when a ticket is assigned?",
                "How does login work, and where are sessions stored?",
                "What is a session? Who creates it?",
                "Walk me through an upload.",
                "Trace a request end to end.",
                "Explain the architecture.",
                "How does a ticket get from the page to the database?",
                "Compare the two queues.",
                "What is the difference between `Queue` and `Backoff`?",
                "Tell me:\n1. what it is\n2. who uses it",
                "- how mail is sent\n- how it is retried",
                "How do the worker and the server fit together?",
                "word ".repeat(31).as_str(),
            ],
        );
    }

    #[test]
    fn as1_a_later_plan_needs_a_reason() {
        let check = |input: Value, is_first: bool, expected: Result<usize, &str>| {
            let read = read(&input, is_first);
            let shown = read.as_ref().map(|plan| plan.steps.len()).map_err(String::as_str);
            match expected {
                Ok(steps) => assert_eq!(shown, Ok(steps), "{input}"),
                Err(words) => assert!(shown.is_err_and(|why| why.contains(words)), "{input}"),
            }
        };
        check(json!({"steps": ["Find the router", " "]}), true, Ok(1));
        check(json!({"steps": "one\ntwo"}), true, Ok(2));
        check(json!({"steps": ["a"], "reason": "x"}), true, Ok(1));
        check(json!({"steps": ["a"]}), false, Err("`reason` is missing"));
        check(json!({"steps": ["a"], "reason": "  "}), false, Err("`reason` is missing"));
        check(json!({"steps": ["a"], "reason": "there is no router"}), false, Ok(1));
        check(json!({"steps": []}), true, Err("at least one"));
        check(json!({"steps": [1, null]}), true, Err("at least one"));
        check(json!({}), true, Err("at least one"));
        check(json!(null), true, Err("at least one"));
        check(json!({ "steps": vec!["s"; 11] }), true, Err("at most 10"));
    }

    #[test]
    fn as1_what_a_model_writes_stays_on_its_line() {
        let plan = read(&json!({"steps": ["a\n  b", "x".repeat(1000)]}), true).unwrap();
        assert_eq!(plan.steps[0], "a b");
        assert_eq!(plan.steps[1].len(), LONGEST);
    }
}
