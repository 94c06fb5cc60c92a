//! What a call takes beyond its HTTP request, for `bench/models.py`.
//!
//!     overhead serve             answers on this machine until its standard input ends; prints its address
//!     overhead calls URL ROUNDS  a line of JSON: each kind of call beside plain requests with the same bodies
//!     overhead many URL CALLS    a line of JSON: so many calls at once
//!
//! Nothing is judged here.
#![expect(
    clippy::print_stdout,
    clippy::unwrap_used,
    reason = "its output is what it is for, and a measurement that fails is none"
)]

use std::collections::BTreeMap;
use std::hint::black_box;
use std::io::Read as _;
use std::sync::Arc;
use std::time::{Duration, Instant};

use rb_core::{Cancel, Usd};
use rb_http::{HttpContext, HttpOptions, Secret, SystemClock};
use rb_models::providers::anthropic::{Anthropic, AnthropicOptions};
use rb_models::providers::chat::{Chat, ChatOptions};
use rb_models::{
    Catalog, Models, ModelsContext, Patience, Price, Provider, Purse, Request, Route, Routes, Tape,
};
use rb_schema::Schema;
use rb_testkit::stub::{Reply, Stub};
use serde_json::{Value, json};

/// Pieces of each answer.
const PIECES: usize = 50;

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    match args.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["serve"] => serve(),
        ["calls", url, rounds] => println!("{}", calls(url, rounds.parse().unwrap())),
        ["many", url, count] => println!("{}", many(url, count.parse().unwrap())),
        _ => panic!("serve, calls or many"),
    }
}

fn serve() {
    let stub = Stub::new(|seen, _| match seen.line.as_str() {
        "POST /v1/messages" => messages(),
        _ => completions(),
    });
    println!("{}", stub.url());
    let _ = std::io::stdin().read_to_end(&mut Vec::new());
}

/// The value of the answer, in pieces.
fn pieces() -> Vec<String> {
    let note = "word ".repeat(PIECES);
    let text = json!({ "ok": true, "note": note }).to_string();
    let size = text.len().div_ceil(PIECES);
    text.as_bytes().chunks(size).map(|piece| String::from_utf8(piece.to_vec()).unwrap()).collect()
}

fn messages() -> Reply {
    let event =
        |value: Value| format!("event: {}\ndata: {value}\n\n", value["type"].as_str().unwrap());
    let usage = json!({ "input_tokens": 1000, "output_tokens": 1 });
    let message = json!({ "id": "msg_1", "model": "some-model", "usage": usage });
    let block = json!({ "type": "tool_use", "id": "toolu_1", "name": "reply", "input": {} });
    let mut events = vec![
        event(json!({ "type": "message_start", "message": message })),
        event(json!({ "type": "content_block_start", "index": 0, "content_block": block })),
    ];
    events.extend(pieces().into_iter().map(|piece| {
        let delta = json!({ "type": "input_json_delta", "partial_json": piece });
        event(json!({ "type": "content_block_delta", "index": 0, "delta": delta }))
    }));
    let stop = json!({ "stop_reason": "tool_use" });
    events.extend([
        event(json!({ "type": "content_block_stop", "index": 0 })),
        event(json!({ "type": "message_delta", "delta": stop, "usage": { "output_tokens": 60 } })),
        event(json!({ "type": "message_stop" })),
    ]);
    Reply::events(events)
}

fn completions() -> Reply {
    let chunk = |delta: Value, finish: Option<&str>, usage: Value| {
        let choice = json!({ "index": 0, "delta": delta, "finish_reason": finish });
        let (id, model) = ("chatcmpl-1", "some-model");
        format!(
            "data: {}\n\n",
            json!({ "id": id, "model": model, "choices": [choice], "usage": usage })
        )
    };
    let content = |piece: String| chunk(json!({ "content": piece }), None, Value::Null);
    let mut events: Vec<String> = pieces().into_iter().map(content).collect();
    let usage = json!({ "prompt_tokens": 1000, "completion_tokens": 60, "total_tokens": 1060 });
    events.push(chunk(json!({}), Some("stop"), usage));
    events.push("data: [DONE]\n\n".to_owned());
    Reply::events(events)
}

fn context() -> HttpContext {
    HttpContext { clock: Arc::new(SystemClock), cancel: Cancel::new() }
}

fn anthropic(url: &str) -> Arc<dyn Provider> {
    let key = Some(Secret::new("key"));
    let options =
        AnthropicOptions { base_url: url.to_owned(), key, ..AnthropicOptions::new(context()) };
    Arc::new(Anthropic::new(options).unwrap())
}

fn chat(url: &str) -> Arc<dyn Provider> {
    let options = ChatOptions {
        spec: Catalog::bundled().get("openai").unwrap().clone(),
        base_url: Some(url.to_owned()),
        key: Some(Secret::new("key")),
        key_setting: String::new(),
        http: HttpOptions::default(),
        context: context(),
    };
    Arc::new(Chat::new(options).unwrap())
}

/// With a cap that is never reached.
fn models(provider: Arc<dyn Provider>) -> Models {
    let usd = |dollars| Usd::new(dollars).unwrap();
    let price = Price {
        input: usd(3.0),
        output: usd(15.0),
        cache_read: usd(0.3),
        cache_write: usd(3.75),
        published: "2026-01-01".to_owned(),
        over: None,
    };
    let model = "some-model".to_owned();
    let usual =
        Route { provider, model, price: Some(price), window: Some(1_000_000), max_output: None };
    let context = ModelsContext {
        clock: Arc::new(SystemClock),
        cancel: Cancel::new(),
        told: Box::new(|told| {
            black_box(told);
        }),
    };
    let routes = Routes { usual, roles: BTreeMap::new() };
    let purse = Purse::new(Some(usd(1_000_000.0)), Usd::default());
    Models::new(routes, Tape::Off, purse, Patience::default(), context)
}

/// Code of about this many bytes.
fn request(bytes: usize) -> Request {
    let line = "    let total = items.iter().map(|item| item.price * item.count).sum::<u64>();\n";
    let text = line.repeat(bytes.div_ceil(line.len()));
    let mut request = Request::new("patcher", "You improve code.", text);
    let schema = r#"{"type": "object", "properties": {"ok": {"type": "boolean"}, "note": {"type": "string"}}, "required": ["ok", "note"], "additionalProperties": false}"#;
    request.schema = Some(Arc::new(Schema::parse("reply", schema).unwrap()));
    request
}

fn took(work: impl FnOnce()) -> f64 {
    let started = Instant::now();
    work();
    ms(started.elapsed())
}

fn ms(time: Duration) -> f64 {
    time.as_secs_f64() * 1000.0
}

/// The same bytes by the same client, without anything of ours.
fn plain(agent: &ureq::Agent, url: &str, body: &str) -> f64 {
    took(|| {
        let sent = agent.post(url).header("content-type", "application/json").send(body);
        black_box(sent.unwrap().body_mut().read_to_vec().unwrap());
    })
}

/// One kind of call, and the same bytes without us.
struct Pair<'a> {
    models: &'a Models,
    request: Request,
    agent: ureq::Agent,
    address: String,
    body: String,
}

impl Pair<'_> {
    fn call(&self) -> f64 {
        let request = self.request.clone();
        took(|| assert!(black_box(self.models.call(request)).unwrap().value.is_some()))
    }

    fn plain(&self) -> f64 {
        plain(&self.agent, &self.address, &self.body)
    }

    /// They take turns, and both begin as often.
    fn rounds(&self, rounds: usize) -> Value {
        let (mut calls, mut plain, mut counting) = (Vec::new(), Vec::new(), Vec::new());
        for round in 0..rounds {
            if round % 2 == 0 {
                plain.push(self.plain());
            }
            calls.push(self.call());
            if round % 2 == 1 {
                plain.push(self.plain());
            }
            counting.push(took(|| {
                black_box(rb_models::tokens::count(&self.body));
            }));
        }
        // What a busy machine does to a time, it does not do to this.
        let call_cpu = busy(rounds, || self.call());
        let plain_cpu = busy(rounds, || self.plain());
        json!({
            "call_ms": calls, "plain_ms": plain, "counting_ms": counting,
            "call_cpu_ms": call_cpu, "plain_cpu_ms": plain_cpu,
        })
    }
}

/// Processor time of this process for each of so many.
fn busy(times: usize, work: impl Fn() -> f64) -> f64 {
    let before = processor_ms();
    for _ in 0..times {
        black_box(work());
    }
    #[expect(clippy::cast_precision_loss, reason = "both are small")]
    let each = (processor_ms() - before) as f64 / times as f64;
    each
}

/// As the system tells it, in steps of 10; zero where it does not.
fn processor_ms() -> u64 {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let fields = stat.rsplit(')').next().unwrap_or_default();
    fields
        .split_whitespace()
        .skip(11)
        .take(2)
        .filter_map(|field| field.parse::<u64>().ok())
        .sum::<u64>()
        * 10
}

fn calls(url: &str, rounds: usize) -> Value {
    let vocabulary = took(|| {
        black_box(rb_models::tokens::count("a"));
    });
    let wires = [
        ("anthropic", models(anthropic(url)), "/v1/messages"),
        ("chat", models(chat(url)), "/chat/completions"),
    ];
    let mut rows = Vec::new();
    for size in [4_096, 32_768] {
        for (name, models, path) in &wires {
            let request = request(size);
            let body = json!({ "prompt": request.messages }).to_string();
            let (agent, address) = (ureq::Agent::new_with_defaults(), format!("{url}{path}"));
            let mut row = Pair { models, request, agent, address, body }.rounds(rounds);
            (row["wire"], row["prompt"]) = (json!(name), json!(size));
            rows.push(row);
        }
    }
    json!({ "vocabulary_ms": vocabulary, "rows": rows })
}

fn many(url: &str, count: usize) -> Value {
    let models = models(anthropic(url));
    let request = request(4_096);
    models.call(request.clone()).unwrap();
    let before = resident("VmRSS:");
    let started = Instant::now();
    std::thread::scope(|scope| {
        for _ in 0..count {
            scope.spawn(|| black_box(models.call(request.clone()).unwrap()));
        }
    });
    let wall = ms(started.elapsed());
    let booked = models.ledger().total().calls;
    json!({ "calls": count, "booked": booked - 1, "wall_ms": wall, "before_kb": before, "peak_kb": resident("VmHWM:") })
}

/// As the system tells it; zero where it does not.
fn resident(field: &str) -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix(field));
    line.and_then(|line| line.trim().trim_end_matches(" kB").parse().ok()).unwrap_or(0)
}
