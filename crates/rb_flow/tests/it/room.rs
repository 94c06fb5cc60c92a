//! Conversations that end by the tools' own word, or run out of room for results.

use rb_core::Home;
use rb_core::clock::Timestamp;
use rb_flow::ask::{OpenResult, ToolLimits, Tools, call_in_words};
use rb_flow::{FlowError, Journal, Log, Query, Reply, Run, RunDir};
use rb_models::{Message, Request, Tool, ToolCall, ToolResult};
use rb_trust::Fence;
use serde_json::{Value, json};

use crate::scripted::{Script, calls, desk, says};
use crate::toy::{Adding, Total};

/// A shelf of long texts: `page` gives one by its name.
#[derive(Default)]
struct Shelf {
    pages: u32,
    /// The conversation ends after so many pages.
    most: Option<u32>,
    /// Each page is put off when it is first asked for.
    puts_off: bool,
    put_off: Vec<Value>,
    /// What had to go, by the number of the call and the name.
    gone: Vec<(u32, String)>,
    numbers: Vec<u32>,
    /// It says how many pages were read when a round is over.
    counts: bool,
}

impl Tools for Shelf {
    fn list(&self) -> Vec<Tool> {
        let (name, description) = ("page".to_owned(), "A long text".to_owned());
        vec![Tool { name, description, input: json!({"type": "object"}) }]
    }

    fn call(&mut self, _: &str, input: &Value) -> Result<String, String> {
        if self.puts_off && !self.put_off.contains(input) {
            self.put_off.push(input.clone());
            return Err("Not yet.".to_owned());
        }
        self.pages += 1;
        Ok(format!("{} {}", input["name"].as_str().unwrap_or_default(), "x".repeat(900)))
    }

    fn begin_call(&mut self, number: u32) {
        self.numbers.push(number);
    }

    fn advice(&mut self) -> Option<String> {
        (self.pages == 1).then(|| "One page is read.".to_owned())
    }

    fn may_repeat(&mut self, _: &str, input: &Value) -> bool {
        self.put_off.iter().filter(|put_off| *put_off == input).count() == 1 && self.pages == 0
    }

    fn ended(&mut self) -> Option<String> {
        let most = self.most?;
        (self.pages >= most).then(|| "The shelf is empty.".to_owned())
    }

    fn end_round(&mut self) -> Option<String> {
        self.counts.then(|| format!("{} pages by now.", self.pages))
    }

    /// Page `a` is dear to it; the others go, the newest first.
    fn least_useful(&mut self, open: &[OpenResult<'_>]) -> Option<usize> {
        let is_a = |result: &OpenResult<'_>| result.input["name"] == "a";
        let nth = open.iter().rposition(|result| !is_a(result))?;
        self.gone.push((open[nth].call, call_in_words(open[nth].name, open[nth].input)));
        Some(nth)
    }
}

/// One conversation in a folder of its own; made again in the same folder, the model is not asked: the same requests are sent.
fn converse(script: Script, shelf: impl Fn() -> Shelf, limits: ToolLimits) -> (Shelf, Total) {
    let temp = tempfile::tempdir().unwrap();
    let home = Home::new(temp.path());
    let at = Timestamp::from_unix_ms(0);
    let run = Run::create(&home, at, |_| Ok::<_, FlowError>(false)).unwrap();
    let (first, total, asked) = talk(&run.dir, script, shelf(), limits);
    assert!(asked > 0);
    let (again, total_again, asked) = talk(&run.dir, script, shelf(), limits);
    assert_eq!(asked, 0, "a resumed conversation sends what was sent");
    assert_eq!((&first.gone, &first.numbers), (&again.gone, &again.numbers));
    assert_eq!(total.total, total_again.total);
    (first, total)
}

fn talk(
    dir: &RunDir,
    script: Script,
    mut shelf: Shelf,
    limits: ToolLimits,
) -> (Shelf, Total, usize) {
    let (journal, _) = Journal::<Adding>::open(dir).unwrap();
    let log = Log::new(dir, journal);
    let (desk, provider) = desk(script);
    let query = Query::new("Read.".to_owned(), Fence::new(rb_core::random::bytes()));
    let mut replies = desk.ask_with_tools(&log, vec![query], &mut shelf, limits).unwrap();
    let Some(Reply::Answer(total)) = replies.pop() else { panic!("an answer") };
    (shelf, total, provider.calls())
}

/// The results that the model sees, each in a few words.
fn results(request: &Request) -> Vec<String> {
    let in_words = |result: &ToolResult| match result.text.strip_prefix("Removed") {
        Some(_) => result.text.trim_end().to_owned(),
        None => result.text.lines().nth(1).unwrap_or_default().chars().take(8).collect(),
    };
    let mut shown = Vec::new();
    for message in &request.messages {
        if let Message::Tools { results } = message {
            shown.extend(results.iter().map(in_words));
        }
    }
    shown
}

fn page(name: &str) -> Value {
    json!({ "name": name })
}

#[test]
fn as3_the_tools_end_a_conversation_with_a_sentence_of_their_own() {
    let reads: Script = |request| {
        let Some(Message::Tools { results }) = request.messages.last() else {
            return calls("page", &page("a"));
        };
        let text = &results[0].text;
        if text.ends_with("\nThe shelf is empty. Answer now, with what you have.\n") {
            return says("ended");
        }
        calls("page", &page(&request.messages.len().to_string()))
    };
    let shelf = || Shelf { most: Some(2), ..Shelf::default() };
    let (shelf, total) = converse(reads, shelf, ToolLimits::default());
    assert_eq!((shelf.pages, total.total.as_str()), (2, "ended"));
}

#[test]
fn as9_the_least_useful_results_make_room_and_can_be_called_again() {
    // Four pages, then `b` again, which had to go.
    let reads: Script = |request| match results(request).len() {
        made @ 0..5 => calls("page", &page(["a", "b", "c", "d", "b"][made])),
        _ => says(&results(request).join(" | ")),
    };
    let limits = ToolLimits { context_chars: 2_500, ..ToolLimits::default() };
    let (shelf, total) = converse(reads, Shelf::default, limits);
    assert_eq!(shelf.pages, 5, "`b` was carried out twice");
    assert_eq!(shelf.numbers, [1, 2, 3, 4, 5]);
    let gone: Vec<&str> = shelf.gone.iter().map(|(_, named)| named.as_str()).collect();
    assert_eq!(gone, ["page b", "page c", "page d"]);
    let removed =
        |name: &str| format!("Removed to make room: page {name}. Call it again if you need it.");
    let expected = ["a xxxxxx", &removed("b"), &removed("c"), &removed("d"), "b xxxxxx"];
    assert_eq!(total.total, expected.join(" | "));
}

/// What the program says itself is no data.
#[test]
fn as6_advice_stands_outside_of_the_fence() {
    let reads: Script = |request| match request.messages.last() {
        Some(Message::Tools { results }) => {
            let lines: Vec<&str> = results[0].text.lines().rev().take(3).collect();
            says(if lines[2].starts_with("</data ") { lines[0] } else { "inside" })
        }
        _ => calls("page", &page("a")),
    };
    let (_, total) = converse(reads, Shelf::default, ToolLimits::default());
    assert_eq!(total.total, "One page is read.");
}

#[test]
fn as6_a_round_of_calls_is_looked_back_at_once_after_its_last_result() {
    let reads: Script = |request| match request.messages.last() {
        Some(Message::Tools { results }) => {
            let ends = results.iter().map(|result| result.text.lines().last().unwrap_or_default());
            says(&ends.collect::<Vec<_>>().join(" | "))
        }
        _ => {
            let mut said = calls("page", &page("a"));
            let (id, name) = ("c2".to_owned(), "page".to_owned());
            said.tool_calls.push(ToolCall { id, name, input: page("b") });
            said
        }
    };
    let (_, total) =
        converse(reads, || Shelf { counts: true, ..Shelf::default() }, ToolLimits::default());
    assert_eq!(total.total, "One page is read. | 2 pages by now.");
    // A conversation that is over is not looked back at.
    let limits = ToolLimits { calls: 2, ..ToolLimits::default() };
    let (_, total) = converse(reads, || Shelf { counts: true, ..Shelf::default() }, limits);
    assert!(total.total.ends_with("Answer now, with what you have."), "{}", total.total);
    assert!(!total.total.contains("by now"), "{}", total.total);
}

#[test]
fn as9_results_that_are_all_dear_stay() {
    let reads: Script = |request| match results(request).len() {
        0 => calls("page", &page("a")),
        1 => calls("page", &page("b")),
        _ => says(&results(request).join(" | ")),
    };
    let limits = ToolLimits { context_chars: 10, ..ToolLimits::default() };
    let (shelf, total) = converse(reads, Shelf::default, limits);
    assert_eq!((shelf.gone.len(), total.total.as_str()), (0, "a xxxxxx | b xxxxxx"));
}

#[test]
fn as1_a_call_that_was_put_off_is_carried_out_when_it_is_made_again() {
    let reads: Script = |request| match results(request).len() {
        0 | 1 => calls("page", &page("a")),
        _ => says(&results(request).join(" | ")),
    };
    let shelf = || Shelf { puts_off: true, ..Shelf::default() };
    let (shelf, total) = converse(reads, shelf, ToolLimits::default());
    assert_eq!((shelf.pages, total.total.as_str()), (1, "Not yet. | a xxxxxx"));
}

#[test]
fn as9_a_call_is_named_by_its_values_paths_first() {
    let check = |input: Value, expected: &str| {
        assert_eq!(call_in_words("read_file", &input), expected, "{input}");
    };
    check(json!({"path": "lib/a.js"}), "read_file lib/a.js");
    check(json!({"first": 10, "last": 80, "path": "lib/a.js"}), "read_file lib/a.js 10 80");
    check(json!({"path": "a\n  b"}), "read_file a b");
    check(json!({}), "read_file");
    check(json!(null), "read_file");
    check(json!("a.js"), "read_file a.js");
    let long = call_in_words("read_file", &json!({ "path": "x".repeat(500) }));
    assert_eq!(long.chars().count(), "read_file ".len() + 120);
}
