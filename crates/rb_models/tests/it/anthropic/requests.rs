//! What is sent.

use expect_test::{Expect, expect};
use rb_core::Cancel;
use rb_models::providers::anthropic::{Anthropic, AnthropicOptions};
use rb_models::{Calling, Provider as _, Request};
use rb_testkit::stub::{Reply, Seen, Stub};
use serde_json::Value;

use super::{message, options, plain, provider, stream, text, with_schema, with_tools};
use crate::support::{ask, key, refused, still};

pub(super) fn sent(request: &Request) -> Seen {
    let stub = Stub::always(stream(&message(&[text(0, &["{\"ok\":true}"])], "end_turn")));
    ask(&provider(&stub.url()), request, &Cancel::new()).0.unwrap();
    stub.seen().remove(0)
}

/// The whole body. Four marks for caching are allowed.
pub(super) fn check(request: &Request, expected: &Expect) {
    let seen = sent(request);
    let body: Value = serde_json::from_str(&seen.body).unwrap();
    assert!(seen.body.matches("cache_control").count() <= 4);
    expected.assert_eq(&format!("{body:#}\n"));
}

#[test]
fn mo1_headers_name_the_key_and_the_version() {
    let seen = sent(&plain());
    assert_eq!(seen.line, "POST /v1/messages");
    assert_eq!(seen.header("x-api-key"), Some("swordfish"));
    assert_eq!(seen.header("anthropic-version"), Some("2023-06-01"));
    assert_eq!(seen.header("content-type"), Some("application/json"));
    assert_eq!(seen.header("authorization"), None);
}

#[test]
fn mo1_the_address_may_end_in_the_version() {
    let stub = Stub::always(stream(&message(&[text(0, &["ok"])], "end_turn")));
    for end in ["", "/", "/v1", "/v1/"] {
        let provider = provider(&format!("{}{end}", stub.url()));
        ask(&provider, &plain(), &Cancel::new()).0.unwrap();
    }
    assert!(stub.seen().iter().all(|seen| seen.line == "POST /v1/messages"));
    assert_eq!(stub.seen().len(), 4);
}

#[test]
fn mo6_a_plain_question() {
    check(
        &plain(),
        &expect![[r#"
        {
          "max_tokens": 1000,
          "messages": [
            {
              "content": [
                {
                  "text": "Why?",
                  "type": "text"
                }
              ],
              "role": "user"
            }
          ],
          "model": "claude-test-1",
          "stream": true,
          "system": [
            {
              "cache_control": {
                "type": "ephemeral"
              },
              "text": "Be brief.",
              "type": "text"
            }
          ],
          "temperature": 0
        }
    "#]],
    );
}

#[test]
fn mo4_a_schema_is_one_forced_tool() {
    check(
        &with_schema(),
        &expect![[r#"
            {
              "max_tokens": 1000,
              "messages": [
                {
                  "content": [
                    {
                      "text": "Why?",
                      "type": "text"
                    }
                  ],
                  "role": "user"
                }
              ],
              "model": "claude-test-1",
              "stream": true,
              "system": [
                {
                  "cache_control": {
                    "type": "ephemeral"
                  },
                  "text": "Be brief.",
                  "type": "text"
                }
              ],
              "temperature": 0,
              "tool_choice": {
                "name": "verdict",
                "type": "tool"
              },
              "tools": [
                {
                  "description": "Give the final answer with this tool, once.",
                  "input_schema": {
                    "properties": {
                      "ok": {
                        "type": "boolean"
                      }
                    },
                    "required": [
                      "ok"
                    ],
                    "type": "object"
                  },
                  "name": "verdict"
                }
              ]
            }
        "#]],
    );
}

#[test]
fn mo4_a_schema_among_tools_is_one_of_them() {
    check(
        &with_tools(),
        &expect![[r#"
            {
              "max_tokens": 1000,
              "messages": [
                {
                  "content": [
                    {
                      "cache_control": {
                        "type": "ephemeral"
                      },
                      "text": "Why?",
                      "type": "text"
                    }
                  ],
                  "role": "user"
                }
              ],
              "model": "claude-test-1",
              "stream": true,
              "system": [
                {
                  "cache_control": {
                    "type": "ephemeral"
                  },
                  "text": "Be brief.",
                  "type": "text"
                }
              ],
              "temperature": 0,
              "tool_choice": {
                "type": "any"
              },
              "tools": [
                {
                  "description": "Shows a file.",
                  "input_schema": {
                    "properties": {
                      "path": {
                        "type": "string"
                      }
                    },
                    "type": "object"
                  },
                  "name": "look"
                },
                {
                  "description": "Give the final answer with this tool, once.",
                  "input_schema": {
                    "properties": {
                      "ok": {
                        "type": "boolean"
                      }
                    },
                    "required": [
                      "ok"
                    ],
                    "type": "object"
                  },
                  "name": "verdict"
                }
              ]
            }
        "#]],
    );
}

#[test]
fn mo6_what_the_newest_models_refuse_is_not_sent() {
    let request = Request { model: "claude-opus-5-5".to_owned(), ..with_schema() };
    check(
        &request,
        &expect![[r#"
            {
              "max_tokens": 1000,
              "messages": [
                {
                  "content": [
                    {
                      "text": "Why?",
                      "type": "text"
                    }
                  ],
                  "role": "user"
                }
              ],
              "model": "claude-opus-5-5",
              "stream": true,
              "system": [
                {
                  "text": "Be brief.",
                  "type": "text"
                },
                {
                  "cache_control": {
                    "type": "ephemeral"
                  },
                  "text": "Give your answer by calling the tool `verdict` exactly once, and not as text.",
                  "type": "text"
                }
              ],
              "tool_choice": {
                "type": "auto"
              },
              "tools": [
                {
                  "description": "Give the final answer with this tool, once.",
                  "input_schema": {
                    "properties": {
                      "ok": {
                        "type": "boolean"
                      }
                    },
                    "required": [
                      "ok"
                    ],
                    "type": "object"
                  },
                  "name": "verdict"
                }
              ]
            }
        "#]],
    );
}

#[test]
fn mo4_the_tool_of_the_form_has_a_name_of_its_own() {
    let mut request = with_tools();
    request.tools[0].name = "verdict".to_owned();
    let body: Value = serde_json::from_str(&sent(&request).body).unwrap();
    let names: Vec<&Value> = body["tools"].as_array().unwrap().iter().map(|t| &t["name"]).collect();
    assert_eq!(names, ["verdict", "verdict_answer"]);
}

#[test]
fn mo3_without_a_key_nothing_is_sent() {
    let stub = Stub::always(stream(&[]));
    for key in [None, Some(rb_http::Secret::new(" "))] {
        let options =
            AnthropicOptions { key, key_setting: "MY_KEY".to_owned(), ..options(&stub.url()) };
        let provider = Anthropic::new(options).unwrap();
        let error = ask(&provider, &plain(), &Cancel::new()).0.unwrap_err();
        let expected = "anthropic: no key is set\nNoKey: stop: Environment\nhint: set MY_KEY\n";
        assert_eq!(refused(&error), expected);
    }
    assert_eq!(stub.seen().len(), 0);
}

#[test]
fn mo3_a_probe_asks_no_model() {
    let stub = Stub::always(stream(&[]));
    let cancel = Cancel::new();
    let calling = Calling { cancel: &cancel, heard: &|_| {} };
    let probe = provider(&stub.url()).probe(&calling).unwrap();
    assert_eq!(probe.found, format!("127.0.0.1:{}", stub.port()));
    assert_eq!(probe.login, "key from ANTHROPIC_API_KEY");
    let keyless = Anthropic::new(AnthropicOptions { key: None, ..options(&stub.url()) }).unwrap();
    let error = keyless.probe(&calling).unwrap_err();
    assert_eq!(error.hint.as_deref(), Some("set ANTHROPIC_API_KEY"));
    assert_eq!(stub.seen().len(), 0);
    let real =
        Anthropic::new(AnthropicOptions { key: Some(key()), ..AnthropicOptions::new(still()) });
    assert_eq!(real.unwrap().probe(&calling).unwrap().found, "api.anthropic.com");
}

#[test]
fn mo3_a_model_is_looked_for_without_asking_it() {
    const NONE: &str = r#"{"error":{"type":"not_found_error","message":"model: gone"}}"#;
    let stub = Stub::new(|seen, _| match seen.line.as_str() {
        "GET /v1/models" => Reply::ok(r#"{"data":[]}"#),
        "GET /v1/models/here" => Reply::ok(r#"{"id":"here"}"#),
        _ => Reply::status(404, NONE),
    });
    let other = Stub::always(Reply::status(404, NONE));
    let check = |stub: &Stub, model: &str, expected: Expect| {
        let cancel = Cancel::new();
        let calling = Calling { cancel: &cancel, heard: &|_| {} };
        let said = match provider(&stub.url()).check_model(model, &calling) {
            Ok(()) => "ok".to_owned(),
            Err(error) => error.to_string(),
        };
        expected.assert_eq(&said);
    };
    check(&stub, "here", expect!["ok"]);
    assert_eq!(stub.seen()[0].header("anthropic-version"), Some("2023-06-01"));
    check(
        &stub,
        "gone",
        expect!["anthropic: there is no model `gone` for this account: model: gone"],
    );
    // It knows no models at all.
    check(&other, "gone", expect!["ok"]);
}

#[test]
fn mo1_a_model_must_be_named() {
    let stub = Stub::always(stream(&[]));
    let request = Request { model: String::new(), ..plain() };
    let error = ask(&provider(&stub.url()), &request, &Cancel::new()).0.unwrap_err();
    expect![[r#"
        anthropic: the provider cannot do this: answer without the name of a model
        Unable: stop: Usage
        hint: name a model of this provider with `--model`
    "#]]
    .assert_eq(&refused(&error));
}
