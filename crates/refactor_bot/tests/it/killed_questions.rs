//! SIGKILL while a question to a paid model is under way: what that call may have cost counts when the question is resumed.

use std::fs;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use rb_testkit::stub::{Reply, Stub};
use serde_json::{Value, json};

use crate::model_runs::scripted::{GREETINGS, Scripted};
use crate::replayed::events;

/// A service that costs ten dollars for a million tokens. It never answers the first question.
fn service() -> Stub {
    let questions = AtomicUsize::new(0);
    Stub::new(move |seen, _| {
        if seen.line.starts_with("GET ") {
            return Reply::ok("{\"data\":[{\"id\":\"m\"}]}");
        }
        if questions.fetch_add(1, Ordering::SeqCst) == 0 {
            return Reply::silence();
        }
        let value = json!({"sections": [], "not_found": ["anything"]});
        let delta = json!({"content": value.to_string()});
        let piece = json!({"id": "c", "model": "m", "choices": [{"index": 0, "delta": delta}]});
        let end = json!({
            "id": "c", "model": "m", "choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}],
            "usage": {"prompt_tokens": 1_000, "completion_tokens": 100, "total_tokens": 1_100},
        });
        Reply::events([format!("data: {piece}\n\n"), format!("data: {end}\n\ndata: [DONE]\n\n")])
    })
}

fn asked(stub: &Stub) -> usize {
    stub.seen().iter().filter(|seen| !seen.line.starts_with("GET ")).count()
}

fn case(stub: &Stub) -> Scripted {
    let mut case = Scripted::new(GREETINGS, &json!({}));
    case.cli.set_env("ACME_KEY", "sk-0123456789");
    let folder = case.cli.home().join("providers");
    fs::create_dir_all(&folder).unwrap();
    let own = format!(
        "name = \"acme\"\nwire = \"chat\"\nbase_url = \"{}/v1\"\nkeys = [\"ACME_KEY\"]\ndefault_model = \"m\"\n\
         [[model]]\nname = \"m\"\npublished = \"2026-05-01\"\ninput = 10\noutput = 10\n",
        stub.url()
    );
    fs::write(folder.join("acme.toml"), own).unwrap();
    case
}

#[test]
fn mo7_a_call_of_a_question_that_a_kill_cut_off_counts_against_the_cap() {
    let stub = service();
    let case = case(&stub);
    let root = case.repo.root().to_str().unwrap();
    let question = "how does alpha greet?";
    let args = ["ask", root, question, "--provider", "acme", "--budget-usd", "5"];
    let mut child = case.cli.command().args(args).spawn().unwrap();
    let begun = Instant::now();
    while asked(&stub) == 0 {
        assert!(begun.elapsed() < Duration::from_mins(1), "the model is asked");
        std::thread::yield_now();
    }
    child.kill().unwrap();
    child.wait().unwrap();
    let runs = case.cli.home().join("runs");
    let run = fs::read_dir(&runs).unwrap().next().unwrap().unwrap().file_name();
    let run = run.into_string().unwrap();
    let journal = fs::read_to_string(runs.join(&run).join("journal.jsonl")).unwrap();
    let mut started: Vec<Value> = events(&journal);
    started.retain(|event| event["event"] == "model_call_started");
    assert_eq!(started.len(), 1, "{started:?}");
    assert_eq!(started[0]["booking"]["role"], "explorer");
    // In billionths of a dollar. There is money for this call and for half of another one.
    let presumed = started[0]["booking"]["presumed"].as_u64().unwrap();
    let cap = presumed + presumed / 2;
    let cap = format!("{}.{:09}", cap / 1_000_000_000, cap % 1_000_000_000);
    let ran = case.cli.run(["resume", &run, "--budget-usd", &cap]);
    assert!(ran.expect_code(4).stderr.contains("over the cap"), "{}", ran.stderr);
    assert_eq!(asked(&stub), 1, "nobody is asked again");
    case.cli.run(["resume", &run, "--budget-usd", "5"]).expect_code(0);
    assert_eq!(asked(&stub), 2);
    let shown = case.cli.run(["runs", "show", &run]);
    assert!(shown.expect_code(0).stdout.contains("2 model calls,"), "{}", shown.stdout);
}
