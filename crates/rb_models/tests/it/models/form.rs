//! The form of an answer: checked here, asked for once more, never twice.

use expect_test::expect;
use rb_models::{Fault, Message, ToolCall};
use serde_json::json;

use super::{Desk, Setting, fails, formed, gives, question, says};

/// What the second question ends with.
fn last_words(desk: &Desk) -> String {
    match desk.asked().last().unwrap().messages.last().unwrap() {
        Message::User { text } => text.clone(),
        other => panic!("{other:?}"),
    }
}

#[test]
fn mo4_the_second_question_has_the_place_of_the_fault_and_the_wrong_answer() {
    let turns = vec![gives(json!({ "ok": "maybe", "odd": 1 })), gives(json!({ "ok": true }))];
    let desk = Desk::new(turns, Setting::default());
    let answer = desk.models.call(formed()).unwrap();
    assert_eq!(answer.value, Some(json!({ "ok": true })));
    let asked = desk.asked();
    assert_eq!((asked.len(), asked[0].messages.len(), asked[1].messages.len()), (2, 1, 2));
    assert_eq!(asked[1].messages[0], asked[0].messages[0]);
    expect![[r#"
        Your answer to this was not accepted, because it does not match the required JSON schema:
        /odd: no such key is allowed here; the keys are "note" and "ok"
        /ok: expected a boolean, found the string "maybe"

        The answer that was not accepted:
        {"odd":1,"ok":"maybe"}

        Answer again, completely, and in the way that was asked for: exactly one value that matches the schema, with every required key and the right types, and nothing beside it."#]].assert_eq(&last_words(&desk));
    expect![[r#"
        asking scripted m-1 as patcher
        heard Begun
        booked 110 tokens
        asking again: /odd: no such key is allowed here; the keys are "note" and "ok"
        /ok: expected a boolean, found the string "maybe"
        asking scripted m-1 as patcher
        heard Begun
        booked 110 tokens"#]]
    .assert_eq(&desk.told.lock().unwrap().join("\n"));
}

#[test]
fn mo4_it_is_asked_for_once_more_only() {
    let wrong = || gives(json!({ "ok": 7 }));
    let desk = Desk::new(vec![wrong(), wrong(), gives(json!({ "ok": true }))], Setting::default());
    let error = desk.models.call(formed()).unwrap_err();
    expect!["scripted: the answer does not have the form that was asked for: /ok: expected a boolean, found the number 7"]
        .assert_eq(&error.to_string());
    assert_eq!(desk.asked().len(), 2);
    // Both were answers, and both are paid for.
    assert_eq!(desk.models.ledger().total().calls, 2);
}

#[test]
fn mo4_words_in_place_of_a_value_are_a_wrong_answer() {
    let turns = vec![Ok(says("All is well.")), gives(json!({ "ok": true }))];
    let desk = Desk::new(turns, Setting::default());
    desk.models.call(formed()).unwrap();
    let words = last_words(&desk);
    assert!(words.contains("there is no structured value in it\n"), "{words}");
    assert!(words.contains("not accepted:\nAll is well.\n"), "{words}");
}

#[test]
fn mo4_a_provider_that_says_so_itself_is_asked_again_too() {
    let fault = || fails(Fault::NotAsAsked { why: "no JSON".to_owned() });
    let desk = Desk::new(vec![fault(), gives(json!({ "ok": true }))], Setting::default());
    desk.models.call(formed()).unwrap();
    assert!(last_words(&desk).contains("JSON schema:\nno JSON\n"));
    let desk = Desk::new(vec![fault(), fault()], Setting::default());
    let error = desk.models.call(formed()).unwrap_err();
    assert_eq!(error.fault, Fault::NotAsAsked { why: "no JSON".to_owned() });
}

#[test]
fn mo4_where_no_form_was_asked_for_none_is_spoken_of() {
    let fault = fails(Fault::NotAsAsked { why: "there is no tool `fly`".to_owned() });
    let desk = Desk::new(vec![fault, Ok(says("It is well."))], Setting::default());
    desk.models.call(question("Is it well?")).unwrap();
    expect![[r#"
        Your answer to this was not accepted:
        there is no tool `fly`

        Answer again, completely, and in the way that was asked for."#]]
    .assert_eq(&last_words(&desk));
}

#[test]
fn mo4_a_long_wrong_answer_is_quoted_in_part() {
    let long = format!("a{}", "é".repeat(5_000));
    let desk = Desk::new(vec![Ok(says(&long)), gives(json!({ "ok": true }))], Setting::default());
    desk.models.call(formed()).unwrap();
    let words = last_words(&desk);
    assert_eq!(words.matches('é').count(), 1_999, "up to a whole character");
}

#[test]
fn mo4_a_model_that_calls_a_tool_has_not_answered_yet() {
    let mut answer = says("");
    let (id, name) = ("c1".to_owned(), "look".to_owned());
    answer.tool_calls = vec![ToolCall { id, name, input: json!({}) }];
    let desk = Desk::new(vec![Ok(answer)], Setting::default());
    assert_eq!(desk.models.call(formed()).unwrap().tool_calls.len(), 1);
    assert_eq!(desk.asked().len(), 1);
}
