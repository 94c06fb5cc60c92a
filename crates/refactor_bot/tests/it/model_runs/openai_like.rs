//! An OpenAI-like server as the model of a run: the tools that it may call, and the room that each answer gets.

use rb_testkit::stub::{Reply, Stub};
use serde_json::{Value, json};

use super::has_node;
use super::scripted::{DIRECTIVE, GREETINGS, Scripted, batch, batches, good};
use super::stops::acme;

/// A server that gives these replies, one after the other.
fn server(replies: Vec<Reply>) -> Stub {
    Stub::new(move |_, number| {
        let nothing = || Reply::status(500, "{\"error\": {\"message\": \"nothing is left\"}}");
        replies.get(number).cloned().unwrap_or_else(nothing)
    })
}

fn streamed(delta: &Value, why_it_ends: &str) -> Reply {
    counted(delta, why_it_ends, 1_000)
}

fn counted(delta: &Value, why_it_ends: &str, prompt_tokens: u64) -> Reply {
    let choice = |delta: &Value, why: Option<&str>| json!([{"index": 0, "delta": delta, "finish_reason": why}]);
    let piece = json!({"id": "c", "model": "m", "choices": choice(delta, None)});
    let end = json!({
        "id": "c", "model": "m", "choices": choice(&json!({}), Some(why_it_ends)),
        "usage": {"prompt_tokens": prompt_tokens, "completion_tokens": 100, "total_tokens": prompt_tokens + 100},
    });
    Reply::events([format!("data: {piece}\n\n"), format!("data: {end}\n\ndata: [DONE]\n\n")])
}

/// The answer that the scripted model would give.
fn says(answer: &Value) -> Reply {
    streamed(&json!({"content": answer["value"].to_string()}), "stop")
}

fn calls(tools: &[(&str, Value)]) -> Reply {
    calls_after(1_000, tools)
}

fn calls_after(prompt_tokens: u64, tools: &[(&str, Value)]) -> Reply {
    let call = |(at, (name, input)): (usize, &(&str, Value))| {
        let function = json!({"name": name, "arguments": input.to_string()});
        json!({"index": at, "id": format!("c{at}"), "type": "function", "function": function})
    };
    let all: Vec<Value> = tools.iter().enumerate().map(call).collect();
    counted(&json!({ "tool_calls": all }), "tool_calls", prompt_tokens)
}

fn one_task() -> Value {
    batches(&[batch("batch-001", "Use a template", &["lib/alpha.js"])])
}

/// A run with this server; what it was sent, in order.
#[track_caller]
fn asked(case: &mut Scripted, stub: &Stub, more: &[&str]) -> (String, Vec<Value>) {
    case.cli.set_env("ACME_KEY", "sk-0123456789");
    // One that thinks before it answers gets more room.
    acme(case, stub, "[quirks]\nno_temperature = [\"thinker\"]\n");
    let root = case.repo.root().display().to_string();
    let usual = ["run", &root, "--directive", DIRECTIVE, "--provider", "acme"];
    let limits = ["--budget-usd", "5", "--no-verify"];
    let ran = case.cli.run(usual.iter().chain(&limits).chain(more));
    let run = ran.expect_code(0).run_id();
    let bodies = stub.seen().iter().map(|seen| serde_json::from_str(&seen.body).unwrap()).collect();
    (run, bodies)
}

#[test]
fn rf5_pk1_a_model_looks_code_up_with_the_tools_of_the_run() {
    if !has_node() {
        return;
    }
    let stub = server(vec![
        says(&one_task()),
        calls(&[
            ("show_code", json!({"what": "lib/beta.js"})),
            ("search_text", json!({"text": "in the voice of gamma"})),
            ("show_code", json!({})),
            ("delete_file", json!({"path": "lib/beta.js"})),
        ]),
        says(&good("alpha")),
    ]);
    let mut case = Scripted::new(GREETINGS, &json!({}));
    let (run, bodies) = asked(&mut case, &stub, &[]);
    assert_eq!(case.ledger(&run), ["batch-001 applied"]);
    let offered: Vec<&Value> =
        bodies[1]["tools"].as_array().unwrap().iter().map(|it| &it["function"]["name"]).collect();
    assert_eq!(offered, ["show_code", "search_text"]);
    let messages = bodies[2]["messages"].as_array().unwrap();
    let results: Vec<&str> = messages
        .iter()
        .filter(|it| it["role"] == "tool")
        .map(|it| it["content"].as_str().unwrap())
        .collect();
    let expected = [
        "lib/beta.js, lines 1-6 of 6:\n// Greets in the voice of beta.\nfunction beta(name) {\n",
        "lib/gamma.js:1: // Greets in the voice of gamma.\n",
        "`what` is missing.",
        "There is no tool `delete_file`.",
    ];
    assert_eq!(results.len(), expected.len(), "{results:?}");
    for (result, expected) in results.iter().zip(expected) {
        assert!(result.contains(expected), "{expected}: {result}");
    }
    let called = case.events(&run, "tool_called");
    let failed: Vec<&Value> = called.iter().map(|it| &it["failed"]).collect();
    assert_eq!(failed, [&json!(false), &json!(false), &json!(true), &json!(true)]);
}

#[test]
fn rf5_as3_a_run_makes_ten_calls_a_task_and_then_wants_the_answer() {
    if !has_node() {
        return;
    }
    let looks = |at: usize| ("search_text", json!({"text": format!("voice {at}")}));
    let stub = server(vec![
        says(&one_task()),
        calls(&(0..6).map(looks).collect::<Vec<_>>()),
        calls(&(6..12).map(looks).collect::<Vec<_>>()),
        says(&good("alpha")),
    ]);
    let mut case = Scripted::new(GREETINGS, &json!({}));
    let (run, bodies) = asked(&mut case, &stub, &[]);
    assert_eq!(case.ledger(&run), ["batch-001 applied"]);
    let called = case.events(&run, "tool_called");
    let made = called.iter().filter(|it| it["failed"] == false).count();
    assert_eq!((called.len(), made), (12, 10));
    let said = bodies[3]["messages"].to_string();
    assert!(said.contains("You have made 10 calls, which is the limit. Answer now"), "{said}");
}

#[test]
fn rf5_as3_the_look_ups_of_a_task_have_a_budget_of_tokens() {
    if !has_node() {
        return;
    }
    let look = |text: &str| [("search_text", json!({ "text": text }))];
    let stub = server(vec![
        says(&one_task()),
        calls_after(150_000, &look("beta")),
        calls_after(50_000, &look("gamma")),
        says(&good("alpha")),
    ]);
    let mut case = Scripted::new(GREETINGS, &json!({}));
    let (run, bodies) = asked(&mut case, &stub, &[]);
    assert_eq!(case.ledger(&run), ["batch-001 applied"]);
    let wants = |at: usize| bodies[at]["messages"].to_string().contains("Answer now");
    assert_eq!((wants(2), wants(3)), (false, true));
}

#[test]
fn mo7_each_answer_gets_the_room_that_it_needs() {
    if !has_node() {
        return;
    }
    let accept = json!({"value": {"decision": "accept", "reasons": ["the same"]}});
    let stub = server(vec![says(&one_task()), says(&good("alpha")), says(&accept)]);
    let mut case = Scripted::new(GREETINGS, &json!({}));
    let (_, bodies) = asked(&mut case, &stub, &["--critic"]);
    let room: Vec<u64> = bodies.iter().map(|body| body["max_tokens"].as_u64().unwrap()).collect();
    let [plan, patch, judgement] = room[..] else { panic!("{room:?}") };
    assert_eq!((plan, judgement), (5_000, 2_000), "a plan of three tasks");
    assert!((2_100..4_000).contains(&patch), "a patch of a few lines: {patch}");
}
