//! MO6, MO3: the file of a recording: no keys in it, and neither a kill nor damage goes unnoticed.

use std::path::Path;

use expect_test::expect;
use rb_http::Secret;
use rb_models::{Fault, ModelError, Recorder, Replay};
use serde_json::json;

use crate::calls::{answer, deep, request, with_volatile};
use crate::record::{Call, place, recorded, replay};

#[test]
fn mo3_keys_are_never_in_a_recording() {
    let place = place();
    let secrets = ["swordfish", "sword", "k\"e\\y", ""].map(Secret::new);
    let recorder = Recorder::new(&place.path, &secrets).unwrap();
    let mut asked = request("planner", None, "my key is swordfish, or k\"e\\y");
    asked.system = "swordfish".to_owned();
    asked = with_volatile(asked, "fish", "fence");
    let mut given = answer("swordfish");
    given.value = Some(json!({"swordfish": ["k\"e\\y", {"a": "xswordfishx"}]}));
    given.facts.notes = vec!["swordfish".to_owned()];
    recorder.record(&asked, &Ok(given)).unwrap();
    let fault = Fault::BadKey { words: "swordfish is wrong".to_owned() };
    let error = ModelError::new("anthropic", fault).hint("not swordfish");
    recorder.record(&request("swordfish", None, ""), &Err(error)).unwrap();
    let text = std::fs::read_to_string(&place.path).unwrap();
    for key in ["sword", "fish", "k\\\"e", "e\\\\y"] {
        assert!(!text.contains(key), "{key}: {text}");
    }
    // It is asked with the key again, and there need not be a secret by then.
    let again = replay(&text).answer(&asked).unwrap();
    assert_eq!(again.value, Some(json!({"[key]": ["[key]", {"a": "x[key]x"}]})));
    let other = request("planner", None, "swordfish, but other words");
    let replay = Replay::open(&place.path, &secrets).unwrap();
    let shown = replay.answer(&other).unwrap_err().to_string();
    assert!(shown.contains("[key], but other words") && !shown.contains("sword"), "{shown}");
}

#[test]
fn mo6_a_recording_goes_on_after_a_kill() {
    let calls: Vec<Call> =
        ["a", "b", "c"].map(|user| (request("planner", None, user), Ok(answer(user)))).into();
    let (_place, whole) = recorded(&calls);
    let ends: Vec<usize> = whole.match_indices('\n').map(|(at, _)| at + 1).collect();
    for cut in 0..whole.len() {
        let survived = ends.iter().filter(|&&end| end <= cut).count();
        let torn = Replay::read(&whole.as_bytes()[..cut], "calls.jsonl", &[]);
        let unused = torn.map_or(0, |replay| replay.unused().len());
        assert_eq!(unused, survived.saturating_sub(1), "cut at {cut}");
    }
    for cut in [0, 5, ends[0], ends[0] + 1, ends[1], ends[1] + 40, ends[3] - 1] {
        let place = place();
        std::fs::write(&place.path, &whole.as_bytes()[..cut]).unwrap();
        let survived = ends.iter().filter(|&&end| end <= cut).count().saturating_sub(1);
        let recorder = Recorder::new(&place.path, &[]).unwrap();
        for (request, came) in &calls[survived..] {
            recorder.record(request, came).unwrap();
        }
        assert_eq!(std::fs::read_to_string(&place.path).unwrap(), whole, "cut at {cut}");
    }
}

#[test]
fn mo6_damage_is_named_by_its_line() {
    let calls: Vec<Call> =
        ["a", "b"].map(|user| (request("planner", None, user), Ok(answer(user)))).into();
    let (_place, good) = recorded(&calls);
    let check = |text: &str, expected: &str| {
        let place = place();
        std::fs::write(&place.path, text).unwrap();
        let place_is_not_shown = |fault: Fault| {
            let name = place.path.display().to_string();
            fault.to_string().replace(&name, "F").replace("the recording cannot be used: ", "")
        };
        let unreadable = Replay::open(&place.path, &[]).err().map(place_is_not_shown);
        assert_eq!(unreadable.as_deref(), Some(expected));
        // An empty file may be begun; nothing else is written over.
        let unwritable = Recorder::new(&place.path, &[]).err().map(place_is_not_shown);
        assert_eq!(unwritable.as_deref(), (!text.is_empty()).then_some(expected));
        if !text.is_empty() {
            assert_eq!(std::fs::read_to_string(&place.path).unwrap(), text);
        }
    };
    let lines: Vec<&str> = good.lines().collect();
    let header = lines[0];
    for text in ["", "my notes\n", "{}\n", "{\"recording\":\"else\",\"v\":1}\n", &lines[1][..80]] {
        check(text, "F is not a recording of calls");
    }
    let torn = format!("{header}\n{}\n{}\n", &lines[1][..50], lines[2]);
    check(&torn, "line 2 of F is damaged: EOF while parsing a string");
    let blank = format!("{header}\n{}\n\n", lines[1]);
    check(&blank, "line 3 of F is damaged: EOF while parsing a value");
    let replaced = |from: &str, to: &str, expected: &str| check(&good.replace(from, to), expected);
    let neither = "line 2 of F is damaged: there is neither an answer nor an error";
    replaced("\"answer\"", "\"anwser\"", neither);
    let digest = "line 2 of F is damaged: the digest is not that of the request";
    replaced("Be brief.", "Be long.", digest);
    let variant = "line 2 of F is damaged: \
                   unknown variant `fin`, expected one of `end`, `tools`, `length`, `refusal`";
    replaced("\"stop\":\"end\"", "\"stop\":\"fin\"", variant);
    let newer = "F was written by a newer version of refactor-bot (format 2)";
    replaced("\"v\":1", "\"v\":2", newer);
    check(&good.replace("{\"v\":1", "{\"v\":2"), newer);
}

#[test]
fn mo6_a_missing_file_and_a_second_writer_are_said() {
    let place = place();
    let missing = Replay::open(Path::new("no/such/file"), &[]).err().unwrap().to_string();
    expect!["the recording cannot be used: cannot read no/such/file: No such file or directory (os error 2)"].assert_eq(&missing);
    let _first = Recorder::new(&place.path, &[]).unwrap();
    let second = Recorder::new(&place.path, &[]).err().unwrap().to_string();
    let name = place.path.display().to_string();
    expect!["the recording cannot be used: calls.jsonl is being written by another run"]
        .assert_eq(&second.replace(&name, "calls.jsonl"));
}

#[test]
fn mo6_what_could_not_be_read_again_is_not_written() {
    let place = place();
    let recorder = Recorder::new(&place.path, &[]).unwrap();
    let mut given = answer("");
    given.value = Some(deep(126));
    let asked = request("planner", None, "plan");
    let refused = recorder.record(&asked, &Ok(given.clone())).unwrap_err().to_string();
    expect!["the recording cannot be used: call 1 of planner cannot be recorded: recursion limit exceeded at line 1 column 405"].assert_eq(&refused);
    given.value = Some(deep(100));
    recorder.record(&asked, &Ok(given.clone())).unwrap();
    assert_eq!(Replay::open(&place.path, &[]).unwrap().answer(&asked), Ok(given));
}
