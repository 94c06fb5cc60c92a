//! MO6: what was recorded is answered again, byte for byte, and nothing else is.

use std::path::PathBuf;

use expect_test::expect;
use proptest::prelude::*;
use rb_http::Secret;
use rb_models::{Answer, Fault, ModelError, Recorder, Replay, Request, ToolCall};
use serde_json::json;
use tempfile::TempDir;

use crate::calls::{answer, any_outcome, any_request, faults, request, schema, with_volatile};

pub(crate) type Call = (Request, Result<Answer, ModelError>);

pub(crate) struct Place {
    _dir: TempDir,
    pub(crate) path: PathBuf,
}

pub(crate) fn place() -> Place {
    let dir = tempfile::tempdir().unwrap();
    Place { path: dir.path().join("calls.jsonl"), _dir: dir }
}

pub(crate) fn recorded(calls: &[Call]) -> (Place, String) {
    let place = place();
    let recorder = Recorder::new(&place.path, &[]).unwrap();
    for (request, came) in calls {
        recorder.record(request, came).unwrap();
    }
    let text = std::fs::read_to_string(&place.path).unwrap();
    (place, text)
}

pub(crate) fn replay(text: &str) -> Replay {
    Replay::read(text.as_bytes(), "calls.jsonl", &[]).unwrap_or_else(|fault| panic!("{fault}"))
}

#[test]
fn mo6_a_call_is_one_line() {
    let mut asked = request("planner", Some(1), "plan");
    asked.schema = Some(schema());
    let mut given = answer("");
    given.value = Some(json!({"steps": []}));
    let failed = ModelError::new("anthropic", Fault::NoKey).hint("set a key");
    let (_place, text) =
        recorded(&[(asked, Ok(given)), (request("critic", None, "look"), Err(failed))]);
    expect![[r#"
        {"recording":"refactor-bot","v":1}
        {"v":1,"n":1,"digest":"524a5b96d17256efb31680e5c22a66c44ca15f2f2a34f43b111cd7d7cdfff271","request":{"role":"planner","task":"batch-001","model":"m-1","system":"You plan.\nBe brief.","messages":[{"from":"user","text":"plan"}],"schema":{"name":"plan","schema":{"properties":{"steps":{"type":"array"}},"required":["steps"],"type":"object"}},"limits":{"output_tokens":16000,"turns":10}},"answer":{"text":"","value":{"steps":[]},"stop":"end","usage":{"input":12,"output":3,"cache_read":0,"cache_write":0,"reasoning":0,"counted":"by_provider"},"cost":{"priced":1000000},"timing":{"first_ms":5,"whole_ms":40},"facts":{"provider":"anthropic","model":"m-1-20260101","id":"req_1","tries":1}}}
        {"v":1,"n":2,"digest":"2500261edfb69d3266e5ea582f571a815cc8f071e977a5832847ad46ef953275","request":{"role":"critic","model":"m-1","system":"You plan.\nBe brief.","messages":[{"from":"user","text":"look"}],"limits":{"output_tokens":16000,"turns":10}},"error":{"provider":"anthropic","fault":"no_key","hint":"set a key"}}
    "#]].assert_eq(&text);
}

#[test]
fn mo6_every_kind_of_outcome_is_replayed_as_it_was() {
    for (n, fault) in faults().into_iter().enumerate() {
        let error = ModelError::new("anthropic", fault).hint("look there");
        let call = (request("planner", None, &n.to_string()), Err(error));
        let (_place, text) = recorded(std::slice::from_ref(&call));
        assert_eq!(replay(&text).answer(&call.0), call.1);
    }
}

#[test]
fn mo6_every_value_is_replayed_as_it_was() {
    let odd = [json!(null), json!(-0.0), json!(u64::MAX), json!(f64::MIN_POSITIVE), json!("")];
    // Reading without care gives a neighbour of some of them.
    let thirds = (1..500).map(|n| json!(f64::from(n) * 1e17 / 3.0)).collect();
    let tiny = (1..500).map(|n| json!(1.0 / f64::from(n) / 1e20)).collect();
    for value in odd.into_iter().chain([thirds, tiny]) {
        let mut given = answer("");
        given.value = Some(value);
        let call = (request("planner", None, "plan"), Ok(given));
        let (_place, recorded) = recorded(std::slice::from_ref(&call));
        assert_eq!(replay(&recorded).answer(&call.0), call.1);
    }
}

#[test]
fn mo6_equal_requests_are_answered_in_the_recorded_order_and_others_in_any() {
    let calls: Vec<Call> = [("a", "1"), ("b", "2"), ("a", "3"), ("c", "4"), ("a", "5")]
        .map(|(user, text)| (request("planner", None, user), Ok(answer(text))))
        .into();
    let (_place, text) = recorded(&calls);
    let (header, lines) = text.split_once('\n').unwrap();
    let turned: Vec<&str> = lines.lines().rev().collect();
    for text in [text.clone(), format!("{header}\n{}\n", turned.join("\n"))] {
        let replay = replay(&text);
        let ask = |user: &str| replay.answer(&request("planner", None, user)).unwrap().text;
        assert_eq!(["c", "a", "b", "a", "a"].map(ask), ["4", "1", "2", "3", "5"]);
        assert_eq!(replay.unused(), []);
        assert!(replay.answer(&request("planner", None, "a")).is_err(), "recorded three times");
    }
}

#[test]
fn mo6_what_is_volatile_may_differ_and_is_put_back() {
    let at = |path: &str, fence: &str| {
        let user = format!("<{fence}>\nsee {path}/a.rs\n</{fence}>");
        let request = with_volatile(request("planner", None, &user), path, "worktree");
        with_volatile(request, fence, "fence")
    };
    let mut given = answer("change /t/old/a.rs, not ⟦worktree⟧");
    let input = json!({"path": "/t/old/a.rs", "/t/old": [true]});
    given.tool_calls = vec![ToolCall { id: "1".to_owned(), name: "read".to_owned(), input }];
    let (_place, text) = recorded(&[(at("/t/old", "k3k9"), Ok(given.clone()))]);
    assert!(!text.contains("/t/old") && !text.contains("k3k9"), "{text}");
    let again = replay(&text).answer(&at("/t/new", "zz11")).unwrap();
    assert_eq!(again.text, "change /t/new/a.rs, not ⟦worktree⟧");
    assert_eq!(again.tool_calls[0].input, json!({"path": "/t/new/a.rs", "/t/new": [true]}));
    assert_eq!(replay(&text).answer(&at("/t/old", "k3k9")), Ok(given));
}

#[test]
fn mo6_times_and_folders_are_no_part_of_a_request() {
    let asked = request("planner", None, "plan");
    let (_place, text) = recorded(&[(asked.clone(), Ok(answer("yes")))]);
    let mut later = asked;
    later.limits.whole *= 2;
    later.folder = Some("/elsewhere".into());
    assert_eq!(replay(&text).answer(&later), Ok(answer("yes")));
    later.limits.output_tokens += 1;
    assert!(replay(&text).answer(&later).is_err());
}

fn check_difference(recorded_calls: &[Request], asked: &Request, expected: &expect_test::Expect) {
    let calls: Vec<Call> =
        recorded_calls.iter().map(|asked| (asked.clone(), Ok(answer("yes")))).collect();
    let (_place, text) = recorded(&calls);
    let secrets = [Secret::new("swordfish")];
    let replay = Replay::read(text.as_bytes(), "calls.jsonl", &secrets).unwrap();
    let error = replay.answer(asked).unwrap_err();
    assert!(matches!(error.fault, Fault::ReplayDiffers { .. }));
    expected.assert_eq(&format!("{error}\n"));
}

#[test]
fn mo6_another_request_stops_and_shows_the_difference() {
    let calls = [
        request("planner", None, "plan\nthe work"),
        request("patcher", Some(1), "change\na.rs"),
        request("patcher", Some(2), "change\nb.rs\nand\nnothing\nelse\nat\nall\n"),
    ];
    let mut other = calls[2].clone();
    other.messages = request("", None, "change\nc.rs\nand\nnothing\nelse\nat\nall ").messages;
    other.model = "m-2".to_owned();
    check_difference(
        &calls,
        &other,
        &expect![[r#"
        replay: the call is not the recorded one
        --- recorded call 3: patcher batch-002
        +++ this call: patcher batch-002
        @@ line 1 @@
         patcher batch-002
        -model: m-1
        +model: m-2
         limits: 16000 tokens, 10 turns
         system:
        @@ line 7 @@
         user:
           change
        -  b.rs
        +  c.rs
           and
           nothing
           else
           at
        -  all
        -··
        +  all·
        recorded calls left: 3 (1: planner, 2: patcher batch-001, 3: patcher batch-002)
    "#]],
    );
    // Nothing of that role and task is left: the first call is shown.
    check_difference(
        &calls,
        &request("critic", None, "look"),
        &expect![[r#"
        replay: the call is not the recorded one
        --- recorded call 1: planner
        +++ this call: critic
        @@ line 1 @@
        -planner
        +critic
         model: m-1
         limits: 16000 tokens, 10 turns
        @@ line 6 @@
           Be brief.
         user:
        -  plan
        -  the work
        +  look
        recorded calls left: 3 (1: planner, 2: patcher batch-001, 3: patcher batch-002)
    "#]],
    );
    check_difference(
        &[],
        &request("critic", None, "look"),
        &expect![[r#"
        replay: the call is not the recorded one
        this call: critic
        recorded calls left: none
    "#]],
    );
}

#[test]
fn mo6_a_difference_is_short_and_fit_for_a_terminal() {
    let long = "x".repeat(5_000);
    let many: String = (0..200).flat_map(|n: i32| [n.to_string(), "\n".to_owned()]).collect();
    let ask = |text: String| request("planner", None, &text);
    check_difference(
        &[ask(format!("{long}one{long}"))],
        &ask(format!("{long}\u{1b}[2Jtwo\u{202e}{long}")),
        &expect![[r#"
            replay: the call is not the recorded one
            --- recorded call 1: planner
            +++ this call: planner
            @@ line 6 @@
               Be brief.
             user:
            -…xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxonexxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx…
            +…xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\u{1b}[2Jtwo\u{202e}xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx…
            recorded calls left: 1 (1: planner)
        "#]],
    );
    check_difference(
        &[ask("swordfish 1".into())],
        &ask("swordfish 2".into()),
        &expect![[r#"
            replay: the call is not the recorded one
            --- recorded call 1: planner
            +++ this call: planner
            @@ line 6 @@
               Be brief.
             user:
            -  [key] 1
            +  [key] 2
            recorded calls left: 1 (1: planner)
        "#]],
    );
    let calls: Vec<Request> = (1..10).map(|n| request("patcher", Some(n), "")).collect();
    let (_place, text) =
        recorded(&calls.into_iter().map(|asked| (asked, Ok(answer("")))).collect::<Vec<_>>());
    let shown = replay(&text).answer(&ask(many)).unwrap_err().to_string();
    assert_eq!(shown.lines().count(), 45, "{shown}");
    expect![[r#"
        … 169 more lines
        recorded calls left: 9 (1: patcher batch-001, 2: patcher batch-002, 3: patcher batch-003, 4: patcher batch-004, 5: patcher batch-005 and 4 more)"#]].assert_eq(&shown.lines().skip(43).collect::<Vec<_>>().join("\n"));
}

#[test]
fn mo6_a_run_that_asks_for_less_can_be_told() {
    let calls: Vec<Call> =
        (1..4).map(|n| (request("patcher", Some(n), "change"), Ok(answer("yes")))).collect();
    let (_place, text) = recorded(&calls);
    let replay = replay(&text);
    replay.answer(&calls[1].0).unwrap();
    let unused: Vec<String> = replay.unused().iter().map(ToString::to_string).collect();
    assert_eq!(unused, ["1: patcher batch-001", "3: patcher batch-003"]);
}

/// Each thread's answers come back to it, whatever the order in which they were written down.
#[test]
fn mo6_calls_of_many_threads_are_recorded_whole() {
    let place = place();
    let recorder = Recorder::new(&place.path, &[]).unwrap();
    std::thread::scope(|scope| {
        for thread in 1..=50 {
            let recorder = &recorder;
            scope.spawn(move || {
                let asked = request("patcher", Some(thread), "change");
                for n in 0..4 {
                    recorder.record(&asked, &Ok(answer(&format!("{thread} {n}")))).unwrap();
                }
            });
        }
    });
    let replay = Replay::open(&place.path, &[]).unwrap();
    std::thread::scope(|scope| {
        for thread in 1..=50 {
            let replay = &replay;
            scope.spawn(move || {
                let asked = request("patcher", Some(thread), "change");
                let texts = [0, 1, 2, 3].map(|_| replay.answer(&asked).unwrap().text);
                assert_eq!(texts, [0, 1, 2, 3].map(|n| format!("{thread} {n}")));
            });
        }
    });
    assert_eq!(replay.unused(), []);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]

    #[test]
    fn mo6_record_then_replay_is_the_same(
        calls in prop::collection::vec((any_request(), any_outcome()), 0..6),
    ) {
        let (_place, text) = recorded(&calls);
        let replay = replay(&text);
        for (request, came) in &calls {
            prop_assert_eq!(&replay.answer(request), came);
        }
        prop_assert_eq!(replay.unused(), []);
        let (_place, again) = recorded(&calls);
        prop_assert_eq!(again, text);
    }

    #[test]
    fn mo6_any_bytes_are_a_recording_or_a_fault(
        bytes in prop::collection::vec(any::<u8>(), 0..200),
        call in (any_request(), any_outcome()),
        damage in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..4),
    ) {
        prop_assert!(Replay::read(&bytes, "calls.jsonl", &[]).is_err());
        let (_place, text) = recorded(std::slice::from_ref(&call));
        let mut damaged = text.into_bytes();
        for (at, byte) in damage {
            let at = at.index(damaged.len());
            damaged[at] = byte;
        }
        if let Ok(replay) = Replay::read(&damaged, "calls.jsonl", &[]) {
            let _ = replay.answer(&call.0);
        }
    }
}
