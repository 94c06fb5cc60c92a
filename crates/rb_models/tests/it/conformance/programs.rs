//! Programs in place of a provider: one that we wrote ourselves, and doubles of two that people have.

use std::sync::Arc;

use rb_http::Secret;
use rb_models::providers::claude_code::{ClaudeCode, ClaudeOptions};
use rb_models::providers::codex::{Codex, CodexOptions};
use rb_models::providers::command::{Command, CommandOptions};

use super::case::Case;
use super::{Scene, Stand};
use crate::doubles::{KEY, Place};

const CLAUDE: &str = include_str!("../../doubles/claude.py");
const CODEX: &str = include_str!("../../doubles/codex.py");

/// A program that does one line of shell for each time it is started, the last one again and again.
fn program(place: &Place, name: &str, turns: &[String]) {
    let at = |file: &str| place.at(file).display().to_string();
    std::fs::write(place.at("turns"), turns.join("\n") + "\n").unwrap();
    let (turns, count) = (at("turns"), at("count"));
    let text = format!(
        "#!/bin/sh\n\
         n=$(cat '{count}' 2>/dev/null || echo 1)\n\
         echo $((n + 1)) > '{count}'\n\
         line=$(sed -n \"${{n}}p\" '{turns}')\n\
         [ -n \"$line\" ] || line=$(tail -n 1 '{turns}')\n\
         eval \"$line\"\n"
    );
    place.program(name, &text);
}

/// Any program that keeps to the form of `command`.
pub(super) struct OfCommand;

fn says(json: &str) -> String {
    format!("cat > /dev/null; echo '{json}'")
}

fn fails(kind: &str, after: Option<u64>) -> String {
    let after = after.map(|after| format!(r#", "retry_after_s": {after}"#)).unwrap_or_default();
    let words = format!(r#""kind": "{kind}", "message": "it did not work {KEY}""#);
    says(&format!(r#"{{"error": {{{words}{after}}}}}"#))
}

impl Stand for OfCommand {
    fn name(&self) -> &'static str {
        "command"
    }

    fn play(&self, case: Case) -> Option<Scene> {
        let usage = r#""usage": {"input": 300, "output": 5}"#;
        let good = says(&format!(r#"{{"text": "It is well.", {usage}}}"#));
        let right = says(&format!(r#"{{"value": {{"ok": true}}, {usage}}}"#));
        let wrong = says(&format!(r#"{{"value": {{"ok": "maybe"}}, {usage}}}"#));
        let half = r#"cat > /dev/null; printf '{"text": "It is'"#.to_owned();
        let turns = match case {
            Case::Plain => vec![good],
            Case::Structured => vec![right],
            Case::WrongOnce => vec![wrong, right],
            Case::WordsOnce => vec![good, right],
            Case::WrongAlways => vec![wrong],
            Case::ToolCall => {
                let call = r#"{"id": "c1", "name": "look", "input": {"path": "a"}}"#;
                vec![says(&format!(r#"{{"tool_calls": [{call}], {usage}}}"#)), good]
            }
            Case::LimitedSeconds => vec![fails("retry", Some(7)), good],
            Case::LimitedForHours => vec![fails("retry", Some(7200))],
            Case::FaultOnce => vec![fails("retry", None), good],
            Case::ConnectionRefused => vec![fails("retry", None)],
            Case::HangUp => vec!["cat > /dev/null".to_owned()],
            Case::Half => vec![half],
            Case::HalfOnce => vec![half, good],
            Case::Malformed => vec![says(&format!("Well {KEY}"))],
            Case::Page => vec![says(&format!("<html>{KEY}</html>"))],
            Case::TooLong | Case::Length => vec![fails("tell", None)],
            Case::BadKey | Case::NoCredit | Case::NoModel | Case::Refusal => {
                vec![fails("stop", None)]
            }
            Case::Silence => vec!["exec sleep 600".to_owned()],
            Case::Cancelled => vec!["printf '{'; exec sleep 600".to_owned()],
            // It says "retry" or how long to wait, and nothing between.
            Case::Limited | Case::Overloaded | Case::LimitedDate | Case::ErrorInside => {
                return None;
            }
        };
        let place = Place::empty();
        program(&place, "answers", &turns);
        let options = CommandOptions {
            argv: vec!["answers".to_owned()],
            env: vec![("MY_KEY".to_owned(), Secret::new(KEY))],
        };
        let provider = Arc::new(Command::new(place.host(&[]), options));
        Some(Scene::of(provider).within(place))
    }
}

/// A program that never says a word.
const SLEEPS: &str = "sleeps";

/// A double in one of its modes; a wrong value is a right one with another type.
fn double(variable: &str, mode: &str) -> String {
    match mode.strip_suffix(" wrong") {
        _ if mode == SLEEPS => "exec sleep 600".to_owned(),
        Some(mode) => format!("{variable}={mode} double \"$@\" | sed 's/true/7/g'"),
        None => format!("{variable}={mode} exec double \"$@\""),
    }
}

fn place_of(name: &str, script: &str, variable: &str, modes: &[&str]) -> Place {
    let place = Place::with("double", script);
    let turns: Vec<String> = modes.iter().map(|mode| double(variable, mode)).collect();
    program(&place, name, &turns);
    place
}

pub(super) struct OfClaude;

impl Stand for OfClaude {
    fn name(&self) -> &'static str {
        "claude-code"
    }

    fn play(&self, case: Case) -> Option<Scene> {
        let modes: &[&str] = match case {
            // It has no tools of ours: the call is never made.
            Case::Plain | Case::Structured | Case::ToolCall => &["ok"],
            Case::WrongOnce => &["ok wrong", "ok"],
            Case::WordsOnce => &["no_structured", "ok"],
            Case::WrongAlways => &["ok wrong"],
            Case::Limited => &["http:429"],
            Case::FaultOnce => &["http:500", "ok"],
            Case::Overloaded => &["http:529"],
            Case::ConnectionRefused => &["refused"],
            Case::HangUp => &["dropped"],
            Case::Half => &["truncate"],
            Case::HalfOnce => &["truncate", "ok"],
            Case::Malformed => &["garbage"],
            Case::Page => &["html"],
            Case::TooLong => &["http:long"],
            Case::BadKey => &["http:401"],
            Case::NoCredit => &["http:credit"],
            Case::NoModel => &["http:404"],
            Case::Length => &["max_tokens"],
            Case::Refusal => &["refusal"],
            Case::Silence => &["hang"],
            Case::Cancelled => &["hang_in_words"],
            Case::LimitedSeconds
            | Case::LimitedDate
            | Case::LimitedForHours
            | Case::ErrorInside => return None,
        };
        let place = place_of("claude", CLAUDE, "FAKE_CLAUDE_MODE", modes);
        let provider = ClaudeCode::new(place.host(&[]), ClaudeOptions::default());
        Some(Scene::of(Arc::new(provider)).within(place))
    }
}

pub(super) struct OfCodex;

impl Stand for OfCodex {
    fn name(&self) -> &'static str {
        "codex"
    }

    fn play(&self, case: Case) -> Option<Scene> {
        let modes: &[&str] = match case {
            Case::Plain | Case::Structured | Case::ToolCall => &["ok"],
            Case::WrongOnce => &["ok wrong", "ok"],
            Case::WordsOnce => &["prose", "ok"],
            Case::WrongAlways => &["ok wrong"],
            Case::Limited => &["fail:429"],
            Case::FaultOnce => &["fail:500", "ok"],
            Case::HangUp => &["fail:lost"],
            Case::Half => &["half"],
            Case::HalfOnce => &["half", "ok"],
            Case::Malformed => &["garbage"],
            Case::TooLong => &["fail:long"],
            Case::BadKey => &["fail:401"],
            Case::NoCredit => &["fail:quota"],
            Case::NoModel => &["fail:404"],
            Case::Silence => &[SLEEPS],
            Case::Cancelled => &["offline"],
            Case::LimitedSeconds
            | Case::LimitedDate
            | Case::LimitedForHours
            | Case::Overloaded
            | Case::ConnectionRefused
            | Case::Page
            | Case::ErrorInside
            | Case::Length
            | Case::Refusal => return None,
        };
        let place = place_of("codex", CODEX, "FAKE_CODEX_MODE", modes);
        let provider = Codex::new(place.host(&[]), CodexOptions::default());
        Some(Scene::of(Arc::new(provider)).within(place))
    }

    fn is_priced(&self) -> bool {
        false
    }
}
