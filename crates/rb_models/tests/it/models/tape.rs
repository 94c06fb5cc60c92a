//! Recorded, and played again: the same answers to the byte, in whatever order they are asked for.

use std::path::Path;

use rb_models::{Answer, Fault, ModelError, Recorder, Replay, Tape};
use serde_json::json;

use super::{Desk, Setting, Turn, fails, formed, gives, half, question, says};

fn desk(turns: Vec<Turn>, tape: Tape) -> Desk {
    Desk::new(turns, Setting { tape, ..Setting::default() })
}

fn replay(file: &Path) -> Tape {
    Tape::Replay(Replay::open(file, &[]).unwrap())
}

const CALLS: usize = 20;

/// All at once; the results by number.
fn all(desk: &Desk, order: impl Iterator<Item = usize>) -> Vec<Result<Answer, ModelError>> {
    let ask = |n: usize| desk.models.call(question(&format!("Question {n}?")));
    let mut came: Vec<_> = std::thread::scope(|scope| {
        let threads: Vec<_> = order.map(|n| (n, scope.spawn(move || ask(n)))).collect();
        threads.into_iter().map(|(n, thread)| (n, thread.join().unwrap())).collect()
    });
    came.sort_by_key(|(n, _)| *n);
    came.into_iter().map(|(_, result)| result).collect()
}

#[test]
fn mo8_a_recording_answers_as_it_was_answered_in_any_order() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("calls.jsonl");
    let turns = (0..CALLS).map(|n| Ok(says(&format!("The answer that came as number {n}."))));
    let recorded = desk(turns.collect(), Tape::Record(Recorder::new(&file, &[]).unwrap()));
    let first = all(&recorded, 0..CALLS);
    let again = desk(Vec::new(), replay(&file));
    let second = all(&again, (0..CALLS).rev());
    let text = |all: &[Result<Answer, ModelError>]| {
        let answers: Vec<&Answer> = all.iter().map(|result| result.as_ref().unwrap()).collect();
        serde_json::to_string(&answers).unwrap()
    };
    assert_eq!(text(&second), text(&first));
    assert_eq!(again.models.ledger().total(), recorded.models.ledger().total());
    assert_eq!(again.models.purse().spent(), rb_core::Usd::default());
    assert!(again.asked().is_empty() && again.models.unused().is_empty());
}

#[test]
fn mo8_a_recording_has_both_questions_and_the_fault() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("calls.jsonl");
    let turns = vec![
        gives(json!({ "ok": 7 })),
        fails(half()),
        gives(json!({ "ok": true })),
        fails(Fault::BadKey { words: "no".to_owned() }),
    ];
    let recorded = desk(turns, Tape::Record(Recorder::new(&file, &[]).unwrap()));
    let first = (recorded.models.call(formed()), recorded.models.call(question("And now?")));
    let again = desk(Vec::new(), replay(&file));
    let second = (again.models.call(formed()), again.models.call(question("And now?")));
    assert!(first.0.is_ok() && first.1.is_err());
    assert_eq!(first, second);
    assert!(again.clock.asked().is_empty(), "nothing is waited for");
}

#[test]
fn mo8_another_question_is_a_stop_and_what_is_left_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("calls.jsonl");
    let recorded = desk(vec![Ok(says("Yes."))], Tape::Record(Recorder::new(&file, &[]).unwrap()));
    recorded.models.call(question("Is it well?")).unwrap();
    let again = desk(Vec::new(), replay(&file));
    let error = again.models.call(question("Is it bad?")).unwrap_err();
    let Fault::ReplayDiffers { difference } = &error.fault else { panic!("{error}") };
    assert!(difference.contains("Is it well?") && difference.contains("Is it bad?"));
    assert_eq!(again.models.unused().len(), 1);
}
