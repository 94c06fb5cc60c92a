//! Servers on this machine, one for each language: the cases as each of them tells them.

mod completions;
mod messages;
mod native;

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use rb_models::Provider;
use rb_testkit::stub::{Reply, Stub};
use serde_json::{Value, json};

use super::case::Case;
use super::{Scene, Stand};
use crate::support::KEY;

pub(super) use completions::Completions;
pub(super) use messages::Messages;
pub(super) use native::Native;

/// How an answer in words ends.
#[derive(Clone, Copy)]
pub(super) enum End {
    Whole,
    Length,
    Refusal,
}

/// One language. A stream is a list of pieces, of which all but the last two are not yet an answer.
pub(super) trait Wire: Sync {
    fn words(&self, end: End) -> Option<Vec<String>>;
    fn value(&self, value: &Value) -> Vec<String>;
    fn tool_call(&self) -> Vec<String>;
    /// Status, and what kind of error it is; the words repeat the key.
    fn refused(&self, case: Case) -> Reply;
    fn error_inside(&self) -> String;
    fn unreadable(&self) -> String;
    fn stream(&self, pieces: Vec<String>) -> Reply;
    fn provider(&self, url: &str) -> Arc<dyn Provider>;
    /// What is asked before the call itself.
    fn before(&self, _line: &str) -> Option<Reply> {
        None
    }
}

pub(super) struct Server<W> {
    pub(super) name: &'static str,
    pub(super) wire: W,
}

impl<W: Wire> Stand for Server<W> {
    fn name(&self) -> &'static str {
        self.name
    }

    fn is_priced(&self) -> bool {
        self.name != "custom"
    }

    fn play(&self, case: Case) -> Option<Scene> {
        if case == Case::ConnectionRefused {
            // Nobody listens there.
            return Some(Scene::of(self.wire.provider("http://127.0.0.1:1")));
        }
        let replies = replies(&self.wire, case)?;
        let before = ["POST /api/show"].map(|line| (line, self.wire.before(line)));
        let asked = AtomicUsize::new(0);
        let stub = Stub::new(move |seen, _| {
            let early = before.iter().find(|(line, _)| *line == seen.line);
            if let Some((_, Some(reply))) = early {
                return reply.clone();
            }
            let turn = asked.fetch_add(1, Ordering::SeqCst);
            replies[turn.min(replies.len() - 1)].clone()
        });
        Some(Scene::of(self.wire.provider(&stub.url())).with(stub))
    }
}

/// In turn; the last one again and again.
pub(super) fn replies(wire: &impl Wire, case: Case) -> Option<Vec<Reply>> {
    let words = |end: End| Some(wire.stream(wire.words(end)?));
    let good = words(End::Whole)?;
    let value = |value: Value| wire.stream(wire.value(&value));
    let (right, wrong) = (value(json!({ "ok": true })), value(json!({ "ok": "maybe" })));
    let begun = |more: Vec<String>| {
        let mut pieces = wire.words(End::Whole).unwrap_or_default();
        pieces.truncate(pieces.len().saturating_sub(2));
        pieces.extend(more);
        wire.stream(pieces)
    };
    let half = begun(Vec::new()).then_hang_up();
    Some(match case {
        Case::Plain => vec![good],
        Case::Structured => vec![right],
        Case::WrongOnce => vec![wrong, right],
        Case::WordsOnce => vec![good, right],
        Case::WrongAlways => vec![wrong],
        Case::ToolCall => vec![wire.stream(wire.tool_call()), good],
        Case::LimitedSeconds => vec![wire.refused(case).header("retry-after", "7"), good],
        Case::LimitedDate => {
            let date = "Sun, 06 Nov 1994 08:49:46 GMT";
            vec![wire.refused(case).header("retry-after", date), good]
        }
        Case::LimitedForHours => vec![wire.refused(case).header("retry-after", "7200")],
        Case::FaultOnce => vec![wire.refused(case), good],
        Case::HangUp => vec![Reply::hang_up()],
        Case::Half => vec![half],
        Case::HalfOnce => vec![half, good],
        Case::Malformed => vec![begun(vec![wire.unreadable()])],
        Case::Page => vec![Reply::ok(format!("<!doctype html><title>{KEY}</title>"))],
        Case::ErrorInside => vec![begun(vec![wire.error_inside()])],
        Case::Limited
        | Case::Overloaded
        | Case::TooLong
        | Case::BadKey
        | Case::NoCredit
        | Case::NoModel => vec![wire.refused(case)],
        Case::Length => vec![words(End::Length)?],
        Case::Refusal => vec![words(End::Refusal)?],
        Case::Silence => vec![Reply::silence()],
        Case::Cancelled => vec![begun(Vec::new()).then_silence()],
        Case::ConnectionRefused => return None,
    })
}
