//! Whatever a server sends, and however it cuts it.

use proptest::prelude::*;
use rb_core::Cancel;
use serde_json::{Value, json};

use super::*;
use crate::call::{Answer, Request, Tool};
use crate::catalog::Catalog;

fn read(name: &str, data: &[String]) -> Result<Answer, Fault> {
    let catalog = Catalog::bundled();
    let spec = catalog.get(name).expect("it is one of ours");
    let mut request = Request::new("role", "", "");
    let input = json!({});
    request.tools = vec![Tool { name: "look".to_owned(), description: String::new(), input }];
    let asked = RequestBody::new(spec, &request, "model")?;
    let cancel = Cancel::new();
    let calling = Calling { cancel: &cancel, heard: &|_| {} };
    let mut reading = Reading::new(&asked, &calling);
    for data in data {
        if reading.take(data)?.is_over() {
            break;
        }
    }
    reading.answer()
}

fn delta(delta: &Value) -> String {
    json!({ "choices": [{ "index": 0, "delta": delta }] }).to_string()
}

/// Cut at characters.
fn cut(text: &str, size: usize) -> Vec<String> {
    let chars: Vec<char> = text.chars().collect();
    chars.chunks(size).map(|piece| piece.iter().collect()).collect()
}

fn any_json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        "[a-z<>/]{0,9}".prop_map(Value::from),
    ];
    let keys = prop_oneof![
        Just("choices"),
        Just("delta"),
        Just("message"),
        Just("content"),
        Just("tool_calls"),
        Just("index"),
        Just("id"),
        Just("function"),
        Just("name"),
        Just("arguments"),
        Just("usage"),
        Just("prompt_tokens"),
        Just("total_tokens"),
        Just("cost"),
        Just("finish_reason"),
        Just("error"),
        Just("code"),
        Just("object"),
        Just("citations"),
    ];
    leaf.prop_recursive(5, 40, 6, move |inner| {
        let pair = (keys.clone().prop_map(str::to_owned), inner.clone());
        prop_oneof![
            prop::collection::vec(inner, 0..4).prop_map(Value::from),
            prop::collection::vec(pair, 0..6).prop_map(|pairs| pairs.into_iter().collect()),
        ]
    })
}

proptest! {
    #[test]
    fn mo1_nothing_that_arrives_breaks_the_reader(
        data in prop::collection::vec(prop_oneof![any_json().prop_map(|json| json.to_string()), ".{0,40}"], 0..6)
    ) {
        let _ = read("openai", &data);
        let _ = read("together", &data);
    }

    #[test]
    fn mo1_any_cut_of_an_answer_gives_the_same(
        text in ".{1,60}", argument in ".{0,40}", size in 1_usize..20
    ) {
        prop_assume!(!text.trim().is_empty());
        let arguments = json!({ "at": argument });
        let mut data: Vec<String> =
            cut(&text, size).iter().map(|piece| delta(&json!({ "content": piece }))).collect();
        data.extend(cut(&arguments.to_string(), size).iter().map(|piece| {
            let function = json!({ "name": "look", "arguments": piece });
            delta(&json!({ "tool_calls": [{ "index": 0, "function": function }] }))
        }));
        data.push("[DONE]".to_owned());
        let answer = read("openai", &data).expect("it is whole");
        prop_assert_eq!(&answer.text, &text);
        prop_assert_eq!(&answer.tool_calls[0].input, &arguments);
        prop_assert_eq!(answer.tool_calls.len(), 1);
    }
}
