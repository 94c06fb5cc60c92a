//! What can happen to a call, whoever the provider is, and the question that it happens to.

use rb_models::{Limits, Request, Tool};
use serde_json::json;

use crate::doubles;
use crate::support::{SOON, unhurried};

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Case {
    Plain,
    Structured,
    WrongOnce,
    WordsOnce,
    WrongAlways,
    ToolCall,
    Limited,
    LimitedSeconds,
    LimitedDate,
    LimitedForHours,
    FaultOnce,
    Overloaded,
    ConnectionRefused,
    HangUp,
    Half,
    HalfOnce,
    Malformed,
    Page,
    ErrorInside,
    TooLong,
    BadKey,
    NoCredit,
    NoModel,
    Length,
    Refusal,
    Silence,
    Cancelled,
}

impl Case {
    pub(super) const ALL: [(Case, &str); 27] = [
        (Case::Plain, "an answer in words"),
        (Case::Structured, "a structured answer"),
        (Case::WrongOnce, "a wrong value, then a right one"),
        (Case::WordsOnce, "words in place of the value, then a right one"),
        (Case::WrongAlways, "a wrong value, always"),
        (Case::ToolCall, "a tool is called, and the answer follows its result"),
        (Case::Limited, "429, always"),
        (Case::LimitedSeconds, "429 for 7 seconds, then an answer"),
        (Case::LimitedDate, "429 until a date in 9 seconds, then an answer"),
        (Case::LimitedForHours, "429 for two hours"),
        (Case::FaultOnce, "500, then an answer"),
        (Case::Overloaded, "529, always"),
        (Case::ConnectionRefused, "the connection is refused"),
        (Case::HangUp, "the connection ends before an answer"),
        (Case::Half, "half an answer, always"),
        (Case::HalfOnce, "half an answer, then a whole one"),
        (Case::Malformed, "an answer that cannot be read"),
        (Case::Page, "a web page with status 200"),
        (Case::ErrorInside, "an error inside of a 200"),
        (Case::TooLong, "the request is too long"),
        (Case::BadKey, "a key or login that is not accepted"),
        (Case::NoCredit, "no credit"),
        (Case::NoModel, "an unknown model"),
        (Case::Length, "the limit of the answer is reached"),
        (Case::Refusal, "the model refuses"),
        (Case::Silence, "silence"),
        (Case::Cancelled, "cancelled in the answer"),
    ];

    pub(super) fn request(self) -> Request {
        let mut request = Request::new("patcher", "You patch.", "Is it well?");
        "some-model".clone_into(&mut request.model);
        request.limits = self.limits();
        if matches!(self, Case::Structured | Case::WrongOnce | Case::WordsOnce | Case::WrongAlways)
        {
            request.schema = Some(doubles::schema());
        }
        if self == Case::ToolCall {
            request.tools = vec![look()];
        }
        request
    }

    fn limits(self) -> Limits {
        match self {
            Case::Silence => Limits { first: SOON, idle: SOON, whole: SOON * 10, ..unhurried() },
            _ => unhurried(),
        }
    }
}

fn look() -> Tool {
    Tool {
        name: "look".to_owned(),
        description: "Shows a file.".to_owned(),
        input: json!({ "type": "object", "properties": { "path": { "type": "string" } } }),
    }
}
