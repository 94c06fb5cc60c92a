//! Transcripts for people: one Markdown file per model call, in a folder per agent.
//!
//! A file has what was new to the model in this call, and what came of it. Nothing reads it again; `answers` is what a resumed run
//! goes on from. Marks of fences are named, keys are struck out, and long texts are cut.

use std::fmt::Write as _;
use std::path::PathBuf;

use rb_core::fs::{self, Durability, FsError};
use rb_models::{Answer, Message, ModelError, Request, record};
use serde_json::Value;

use crate::answers::Question;
use crate::runs::RunDir;

/// Characters of one text. A prompt has fewer, unless somebody allowed more.
const LONGEST: usize = 200_000;

/// Removes keys from a text.
pub(crate) type Strike = dyn Fn(&str) -> String + Send + Sync;

/// Where the transcript of a call goes. Names sort by task, try and turn of the conversation.
fn place(run_dir: &RunDir, question: &Question) -> PathBuf {
    let Question { request, attempt } = question;
    let of = request.purpose.task.map_or_else(String::new, |task| format!("{task}-"));
    let digest = record::digest(request).to_string();
    let name = format!("{of}{attempt}-{:03}-{}.md", turn(request), &digest[..8]);
    run_dir.transcripts().join(&request.purpose.role).join(name)
}

pub(crate) fn is_kept(run_dir: &RunDir, question: &Question) -> bool {
    place(run_dir, question).exists()
}

pub(crate) fn keep(
    run_dir: &RunDir,
    question: &Question,
    came: &Result<Answer, ModelError>,
    strike: &Strike,
) -> Result<(), FsError> {
    let place = place(run_dir, question);
    if let Some(folder) = place.parent() {
        fs::create_dir_all(folder)?;
    }
    let text = strike(&text(question, came));
    fs::write(&place, text.as_bytes(), Durability::Relaxed)
}

/// Counted from 1 in a conversation with tools.
fn turn(request: &Request) -> usize {
    let is_answer = |message: &&Message| matches!(message, Message::Assistant { .. });
    request.messages.iter().filter(is_answer).count() + 1
}

fn text(question: &Question, came: &Result<Answer, ModelError>) -> String {
    let Question { request, attempt } = question;
    let of = request.purpose.task.map_or_else(String::new, |task| format!(", {task}"));
    let (role, turn) = (&request.purpose.role, turn(request));
    let mut out = format!("# {role}{of}, attempt {attempt}, turn {turn}\n\n");
    match came {
        Ok(Answer { facts, usage, .. }) => {
            let (sent, received) = (usage.all_input(), usage.output);
            let _ = writeln!(out, "{}: {sent} tokens in, {received} tokens out", facts.model);
        }
        Err(_) => out.push_str("The call failed.\n"),
    }
    if turn == 1 {
        section(&mut out, "System prompt", &request.system);
    }
    for message in new_messages(&request.messages) {
        write_message(&mut out, message);
    }
    match came {
        Ok(answer) => write_answer(&mut out, answer),
        Err(error) => section(&mut out, "Error", &error.to_string()),
    }
    // Drawn at random for each run.
    let volatile = request.volatile.iter().filter(|it| !it.text.is_empty());
    volatile.fold(out, |out, it| out.replace(&it.text, it.stands_for))
}

/// Those after the model's last turn; the ones before are in earlier transcripts.
fn new_messages(messages: &[Message]) -> &[Message] {
    let is_answer = |message: &Message| matches!(message, Message::Assistant { .. });
    let begin = messages.iter().rposition(is_answer).map_or(0, |at| at + 1);
    &messages[begin..]
}

fn write_message(out: &mut String, message: &Message) {
    match message {
        Message::User { text } => section(out, "Prompt", text),
        Message::Assistant { text, .. } => section(out, "Model", text),
        Message::Tools { results } => {
            for result in results {
                let title = if result.failed { "Failed call of" } else { "Result of" };
                section(out, &format!("{title} {}", result.name), &result.text);
            }
        }
    }
}

fn write_answer(out: &mut String, answer: &Answer) {
    if !answer.text.is_empty() {
        section(out, "Text", &answer.text);
    }
    let json = |value: &Value| serde_json::to_string_pretty(value).expect("plain data");
    for call in &answer.tool_calls {
        section(out, &format!("Call of {}", call.name), &json(&call.input));
    }
    if let Some(value) = &answer.value {
        section(out, "Answer", &json(value));
    }
}

fn section(out: &mut String, title: &str, text: &str) {
    let _ = write!(out, "\n## {title}\n\n");
    let kept = text.char_indices().nth(LONGEST).map_or(text, |(end, _)| &text[..end]);
    out.push_str(kept.trim_end());
    out.push('\n');
    if kept.len() < text.len() {
        let _ = writeln!(out, "\n(cut after {LONGEST} characters)");
    }
}
