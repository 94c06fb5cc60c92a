//! A model that adds, as a function says.

use std::sync::Arc;

use rb_flow::Desk;
use rb_flow::scripted::{self, Can, Scripted};
use rb_models::{Answer, Request};
use serde_json::json;

pub(crate) use rb_flow::scripted::calls;

pub(crate) type Script = fn(&Request) -> Answer;

pub(crate) fn desk(script: Script) -> (Arc<Desk>, Arc<Scripted>) {
    Scripted::desk(move |request| Ok(script(request)), Can::CallTools)
}

pub(crate) fn says(total: &str) -> Answer {
    scripted::answer(json!({ "total": total }))
}
