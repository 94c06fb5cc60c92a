//! What became of a call, from what the program said and how it ended.
//!
//! By the result object first, then by the words in it, then by the exit and what was said beside it.

use rb_core::Usd;
use rb_core::process::Exit;
use rb_http::Secret;
use serde_json::Value;

use super::events::SessionResult;
use super::{ClaudeLogin, ClaudeOptions, INSTALL, LOG_IN, NAME};
use crate::call::{Answer, Cost, Counted, Request, Stop, Usage};
use crate::error::{Fault, ModelError, Spent};
use crate::programs::{Ran, is_any, last_words, of_status, of_words, printable_of, shown};

pub(super) struct CallContext<'a> {
    pub(super) options: &'a ClaudeOptions,
    pub(super) login: &'a ClaudeLogin,
    pub(super) request: &'a Request,
    pub(super) secrets: &'a [&'a Secret],
}

pub(super) struct Judged {
    pub(super) answer: Answer,
    pub(super) model: String,
    pub(super) id: Option<String>,
    pub(super) notes: Vec<String>,
}

pub(super) fn judge(
    asked: &CallContext<'_>,
    said: &SessionResult,
    ran: &Ran,
) -> Result<Judged, ModelError> {
    let Some(result) = &said.result else {
        return Err(ModelError::new(NAME, without_result(asked, said, ran)));
    };
    let spent = Spent { usage: usage(&result["usage"]), cost: cost(result) };
    let failed = |fault: Fault| {
        let hint = hint(asked, &fault, &words(asked, result));
        let spent = Some(Box::new(spent));
        Err(ModelError { hint, spent, ..ModelError::new(NAME, fault) })
    };
    if result["is_error"] != false {
        return failed(of_result(asked, said, result));
    }
    if ran.exit != Exit::Code(0) {
        let why = format!("it said that all is well and ended with {}", shown(ran.exit));
        return failed(Fault::Program { why });
    }
    if result["stop_reason"] == "refusal" {
        return failed(Fault::Refusal { words: words(asked, result) });
    }
    let structured = result.get("structured_output").filter(|value| !value.is_null());
    let value = match (&asked.request.schema, structured) {
        (None, _) => None,
        (Some(_), Some(value)) => Some(value.clone()),
        (Some(_), None) => return failed(not_structured(said)),
    };
    let text = result["result"].as_str().unwrap_or_default().to_owned();
    if text.trim().is_empty() && value.is_none() {
        return failed(Fault::Malformed { why: "it ended well and said nothing".to_owned() });
    }
    let answer = Answer {
        text,
        value,
        stop: Stop::End,
        usage: spent.usage,
        cost: spent.cost,
        ..Answer::default()
    };
    let model = model(result).unwrap_or_else(|| asked.request.model.clone());
    let id = result["session_id"].as_str().map(str::to_owned);
    Ok(Judged { answer, model, id, notes: denials(asked, result) })
}

/// What a person can do about it, or the program's own words where the fault has others.
fn hint(asked: &CallContext<'_>, fault: &Fault, words: &str) -> Option<String> {
    let is_own = *asked.login == ClaudeLogin::Own;
    match fault {
        Fault::NotLoggedIn { .. } | Fault::AnswerCut { .. } => {
            Some(format!("Claude Code said: {words}"))
        }
        Fault::BadKey { .. } if is_own => {
            Some("run `claude` interactively to see what is wrong with its login".to_owned())
        }
        Fault::NoSuchModel { .. } => Some("choose another model with `--model`".to_owned()),
        _ => None,
    }
}

/// A model that only talks, or a schema that this version did not take.
fn not_structured(said: &SessionResult) -> Fault {
    let offered =
        said.tools.as_ref().is_none_or(|all| all.iter().any(|it| it == "StructuredOutput"));
    if offered {
        let why = "the model wrote text and did not call `StructuredOutput`".to_owned();
        return Fault::NotAsAsked { why };
    }
    let words = "this version of Claude Code did not take the schema, and did not say so";
    Fault::BadRequest { words: words.to_owned() }
}

fn of_result(asked: &CallContext<'_>, said: &SessionResult, result: &Value) -> Fault {
    let words = words(asked, result);
    match result["subtype"].as_str() {
        Some("error_max_turns" | "error_max_structured_output_retries") => {
            return Fault::NotAsAsked { why: words };
        }
        Some("error_max_budget_usd") => {
            let spent = cost(result).usd().unwrap_or_default();
            let cap = asked.options.max_usd.unwrap_or(spent);
            return Fault::OverCap { estimate: spent, cap, spent };
        }
        _ => {}
    }
    if result["terminal_reason"] == "aborted_streaming" {
        return Fault::Half { why: "Claude Code was interrupted".to_owned() };
    }
    if result["stop_reason"] == "refusal" {
        return Fault::Refusal { words };
    }
    let status = result["api_error_status"].as_u64().and_then(|status| u16::try_from(status).ok());
    match status {
        Some(401 | 403) => not_let_in(asked, status, words),
        Some(status) => of_status(status, &asked.request.model, words),
        None => of_its_words(asked, said, words),
    }
}

fn of_its_words(asked: &CallContext<'_>, said: &SessionResult, words: String) -> Fault {
    if is_any(&words, &["not logged in", "/login", "invalid api key", "failed to authenticate"]) {
        return not_let_in(asked, None, words);
    }
    if is_any(&words, &["output token maximum"]) {
        return Fault::AnswerCut { limit: asked.request.limits.output_tokens };
    }
    if is_any(&words, &["malformed response"]) {
        return Fault::Malformed { why: words };
    }
    if let Some(fault) = of_words(&words) {
        return fault;
    }
    match said.retried {
        Some(status @ 500..) => Fault::Overloaded { status, words, wait: None },
        Some(429) => Fault::RateLimited { words, wait: None },
        _ => Fault::Program { why: words },
    }
}

/// A login that is missing, has run out or is not accepted any more. A key is the user's to mend, by its name.
fn not_let_in(asked: &CallContext<'_>, status: Option<u16>, words: String) -> Fault {
    let is_own = *asked.login == ClaudeLogin::Own;
    if is_any(&words, &["not logged in"]) || (is_own && status != Some(403)) {
        return Fault::NotLoggedIn { what: LOG_IN.to_owned() };
    }
    Fault::BadKey { words }
}

/// It ended before it could say how it went.
fn without_result(asked: &CallContext<'_>, said: &SessionResult, ran: &Ran) -> Fault {
    let beside = last_words(&ran.stderr, asked.secrets);
    if said.events > 0 {
        return Fault::Half { why: format!("it ended with {} before its result", shown(ran.exit)) };
    }
    if let Some(stray) = &said.stray {
        let stray = printable_of(stray, asked.secrets);
        return Fault::Malformed { why: format!("`{stray}` is no line of it") };
    }
    match ran.exit {
        Exit::Code(0) => Fault::Half { why: "it ended without a word".to_owned() },
        Exit::Code(_) if is_any(&beside, &["native binary not installed"]) => {
            Fault::NotInstalled { what: format!("{beside} {INSTALL}") }
        }
        Exit::Code(_) if is_any(&beside, &["exceeds 10mb"]) => Fault::TooLong { words: beside },
        Exit::Code(_) if is_any(&beside, &["--json-schema"]) => Fault::BadRequest { words: beside },
        Exit::Code(_) if is_any(&beside, &["unknown option", "is invalid. allowed choices"]) => {
            let what = format!("This version of Claude Code cannot be used: {beside}. {INSTALL}");
            Fault::NotInstalled { what }
        }
        exit @ (Exit::Code(_) | Exit::Signal(_)) => {
            let beside = if beside.is_empty() { beside } else { format!(": {beside}") };
            Fault::Program { why: format!("it ended with {}{beside}", shown(exit)) }
        }
    }
}

/// What it says about itself: an answer or, with some errors, a list of them.
fn words(asked: &CallContext<'_>, result: &Value) -> String {
    let said = result["result"].as_str().or_else(|| result["errors"][0].as_str());
    match said.map(str::trim) {
        None | Some("") => "no reason was given".to_owned(),
        Some(said) => printable_of(said, asked.secrets),
    }
}

fn usage(usage: &Value) -> Usage {
    let count = |name: &str| usage[name].as_u64().unwrap_or_default();
    if !usage.is_object() {
        return Usage { counted: Counted::Estimate, ..Usage::default() };
    }
    Usage {
        input: count("input_tokens"),
        output: count("output_tokens"),
        cache_read: count("cache_read_input_tokens"),
        cache_write: count("cache_creation_input_tokens"),
        reasoning: usage["output_tokens_details"]["thinking_tokens"].as_u64().unwrap_or_default(),
        counted: Counted::ByProvider,
    }
}

fn cost(result: &Value) -> Cost {
    let usd = result["total_cost_usd"].as_f64().and_then(Usd::new);
    usd.map_or(Cost::Unknown, Cost::Reported)
}

/// The one that wrote the most, where several had a part in it.
fn model(result: &Value) -> Option<String> {
    let models = result["modelUsage"].as_object()?;
    let wrote = |used: &Value| used["outputTokens"].as_u64().unwrap_or_default();
    models.iter().max_by_key(|(_, used)| wrote(used)).map(|(name, _)| name.clone())
}

const MOST_NOTES: usize = 20;

fn denials(asked: &CallContext<'_>, result: &Value) -> Vec<String> {
    let denials = result["permission_denials"].as_array();
    let note = |denial: &Value| {
        let tool = denial["tool_name"].as_str().unwrap_or("a tool");
        printable_of(&format!("{tool} was denied: {}", denial["tool_input"]), asked.secrets)
    };
    denials.into_iter().flatten().take(MOST_NOTES).map(note).collect()
}
