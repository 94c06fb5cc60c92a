//! Plans of an exploration: which questions deserve one, the first plan, and the tool that a model revises it with.
//!
//! A plan binds nobody. The program makes the first one from the parts of the question, so that no call has to wait for it. It is
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

const AS_WELL: &str = "as well as";

/// What joins two questions.
const JOINS: [&str; 10] = [
    "and how",
    "and what",
    "and when",
    "and where",
    "and which",
    "and who",
    "and why",
    AS_WELL,
    "and then",
    "also explain",
];

/// The second step of a plan for a question that has one part, but needs more than one place to answer.
const FOLLOW: &str = "Follow the calls and imports from there";

/// The plan that the program begins with: the parts of the question, in its own words. `None` for a question that needs no plan.
pub fn first(question: &str) -> Option<Plan> {
    if !is_complex(question) {
        return None;
    }
    let items: Vec<&str> = question.lines().filter(|line| is_list_item(line)).collect();
    let mut steps: Vec<String> = if items.len() > 1 {
        items.into_iter().map(without_marker).filter_map(step).collect()
    } else {
        parts(question)
    };
    if steps.len() > MOST_STEPS {
        let rest = steps.split_off(MOST_STEPS - 1).join("; ");
        steps.push(one_line(&rest));
    }
    if steps.len() == 1 {
        steps.push(FOLLOW.to_owned());
    }
    (!steps.is_empty()).then_some(Plan { steps, reason: String::new() })
}

/// The sentences of a question, and what is joined to them.
fn parts(question: &str) -> Vec<String> {
    let words: Vec<&str> = question.split_whitespace().collect();
    let mut parts: Vec<Vec<&str>> = vec![Vec::new()];
    let mut at = 0;
    while let Some(&word) = words.get(at) {
        let joining = joining_words(&words[at..]);
        if joining > 0 {
            parts.push(Vec::new());
            at += joining;
            continue;
        }
        if let Some(part) = parts.last_mut() {
            part.push(word);
        }
        if ends_sentence(word, words.get(at + 1).copied()) {
            parts.push(Vec::new());
        }
        at += 1;
    }
    parts.iter().filter_map(|part| step(&part.join(" "))).collect()
}

/// How many words only join what follows to what stands before; 0 where a part goes on.
fn joining_words(words: &[&str]) -> usize {
    let is_next = |join: &&&str| {
        let mut joined = join.split(' ').zip(words).map(|(join, word)| word.to_lowercase() == join);
        join.split(' ').count() <= words.len() && joined.all(|is_same| is_same)
    };
    match JOINS.iter().find(is_next) {
        // "and where" asks: only the "and" goes.
        Some(&join) if join != AS_WELL => 1,
        Some(_) => AS_WELL.split(' ').count(),
        None => 0,
    }
}

/// `Store.get` is no end of a sentence, and neither is "e.g. a".
fn ends_sentence(word: &str, next: Option<&str>) -> bool {
    let is_new = next.is_some_and(|next| next.starts_with(char::is_uppercase));
    word.ends_with('?') || (word.ends_with(['.', '!', ';']) && is_new)
}

fn without_marker(item: &str) -> &str {
    let is_marker = |c: char| c.is_ascii_digit() || matches!(c, '.' | ')' | '-' | '*');
    item.trim_start().trim_start_matches(is_marker)
}

/// A part of a question as a step; `None` for one without words.
fn step(part: &str) -> Option<String> {
    let is_end = |c: char| c.is_whitespace() || matches!(c, '?' | '.' | '!' | ',' | ';' | ':');
    let step = one_line(part.trim_matches(is_end));
    (!step.is_empty()).then_some(step)
}

/// A plan in a line: "1. Find the router; 2. Read it".
pub fn in_a_line(steps: &[String]) -> String {
    let steps = (1..).zip(steps).map(|(number, step)| format!("{number}. {step}"));
    steps.collect::<Vec<String>>().join("; ")
}

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

/// The tool as the model is offered it.
pub fn tool() -> Tool {
    Tool {
        name: SET_PLAN.to_owned(),
        description: "Revises the plan of the search. The program makes the first plan from the parts of the question; call this, with \
             the reason, when what you find changes it. It can be called together with other tools."
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
                    "description": "What you found that changes the plan."
                }
            },
            "required": ["steps"],
            "additionalProperties": false
        }),
    }
}

/// The plan of a call, or what is wrong with it. The first one of a model needs no reason.
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
    fn as1_the_first_plan_is_made_of_the_parts_of_the_question() {
        let check = |question: &str, expected: &[&str]| {
            let steps = first(question).map(|plan| plan.steps).unwrap_or_default();
            assert_eq!(steps, expected, "{question}");
        };
        check("Where is the password checked?", &[]);
        check(
            "How does login work, and where are sessions stored?",
            &["How does login work", "where are sessions stored"],
        );
        check(
            "What is a session? Who creates it, e.g. `Store.get`?",
            &["What is a session", "Who creates it, e.g. `Store.get`"],
        );
        check(
            "What happens when mail is sent as well as who retries it and why.",
            &["What happens when mail is sent", "who retries it and why"],
        );
        check("Tell me:\n1. what it is\n2. who uses it?", &["what it is", "who uses it"]);
        check(
            "- how mail is sent,\n* how it is retried",
            &["how mail is sent", "how it is retried"],
        );
        // One part that needs more than one place.
        check("Walk me through an upload.", &["Walk me through an upload", FOLLOW]);
        check("? ?", &[]);
        let many = first(&"Why? ".repeat(30)).unwrap();
        assert_eq!(
            (many.steps.len(), many.steps[9].as_str()),
            (10, ["Why"; 21].join("; ").as_str())
        );
        assert_eq!(in_a_line(&many.steps[..2]), "1. Why; 2. Why");
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
