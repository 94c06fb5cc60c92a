//! Answers and memories as people and programs read them.
//!
//! `rb_ask::render` makes answers safe for a terminal; whatever else comes from the repository or from a model passes `clean` here.

use std::fmt::Write as _;

use rb_ask::memory::Fact;
use rb_ask::render::{self, Style};
use rb_ask::{CheckedCitation, Citation, Memory};
use rb_core::Usd;
use serde_json::json;

use super::links::Links;
use crate::ask_question::Asked;
use crate::color::Palette;
use crate::numbers::plural;
use crate::ui::{Ui, printable};

/// The choice of `--format`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(super) enum Format {
    Terminal,
    Markdown,
    Json,
}

/// The answer for a terminal, or for a pipe that a person reads.
pub(super) fn terminal(ui: &Ui, links: &Links, asked: &Asked) -> String {
    let link = |cited: &CheckedCitation, shown: &str| {
        links.around(&cited.citation.path, cited.citation.first_line, shown)
    };
    let text = render::terminal(&asked.answer, &link, &Colors(ui.out));
    text + &footer(asked, ui.out)
}

/// The same without codes, for a file.
pub(super) fn plain(asked: &Asked) -> String {
    let link = |_: &CheckedCitation, shown: &str| shown.to_owned();
    let colors = Palette { on: false };
    render::terminal(&asked.answer, &link, &Colors(colors)) + &footer(asked, colors)
}

/// The colours of an answer.
struct Colors(Palette);

impl Style for Colors {
    fn heading(&self, text: &str) -> String {
        self.0.bold(text)
    }

    fn dim(&self, text: &str) -> String {
        self.0.dim(text)
    }

    fn warn(&self, text: &str) -> String {
        self.0.yellow(text)
    }
}

pub(super) fn markdown(asked: &Asked) -> String {
    render::markdown(&asked.answer)
}

/// One object on one line. The time that it took is left out: the same question has the same answer.
pub(super) fn json(asked: &Asked) -> String {
    let mut value = serde_json::to_value(&asked.answer).expect("an answer is plain data");
    value["run"] = json!(asked.run);
    value["plan"] = json!(asked.plan);
    value["session"] = json!({
        "calls": asked.session.calls,
        "files_read": asked.session.files_read,
        "model_calls": asked.model_calls,
        "tokens": asked.session.tokens,
        "usd": asked.session.usd,
    });
    format!("{value}\n")
}

/// All questions and answers of a session.
pub(super) fn session_markdown(all: &[Asked]) -> String {
    let answers = all.iter().map(|asked| markdown(asked).trim_end().to_owned());
    format!("{}\n", answers.collect::<Vec<_>>().join("\n\n---\n\n"))
}

/// What a question with a model took; nothing without one.
fn footer(asked: &Asked, colors: Palette) -> String {
    let Some(run) = &asked.run else { return String::new() };
    let mut parts = vec![
        format!("run {run}"),
        plural(asked.session.files_read.len() as u64, "file") + " read",
        plural(asked.session.calls.into(), "tool call"),
        plural(asked.model_calls, "model call"),
        plural(asked.session.tokens, "token"),
    ];
    if asked.spent > Usd::default() {
        parts.push(asked.spent.to_string());
    }
    format!("\n{}\n", colors.dim(&parts.join(" · ")))
}

/// Which files were read, in this session and before.
pub(super) fn files(memory: &Memory) -> String {
    if memory.files_read.is_empty() {
        return "no files read yet\n".to_owned();
    }
    let mut text = String::new();
    for read in &memory.files_read {
        let _ = writeln!(text, "{:>4} ×  {}", read.times, clean(&read.path));
    }
    text
}

/// How much is remembered, in words.
pub(super) fn size(memory: &Memory) -> String {
    let count = |number: usize, word: &str| plural(number as u64, word);
    let facts = count(memory.facts.len(), "fact");
    let files = count(memory.files_read.len(), "file");
    let questions = count(memory.questions.len(), "question");
    format!("{facts}, {files} read, {questions}")
}

/// What is remembered: facts, newest last, then searches and questions.
pub(super) fn memory(memory: &Memory) -> String {
    let mut text = format!("{}\n", size(memory));
    for fact in &memory.facts {
        let _ = writeln!(text, "  {}  [{}]", clean(&fact.text), places(fact));
    }
    for search in &memory.searches {
        let _ = writeln!(text, "  searched: {}", clean(&search.query));
    }
    for asked in &memory.questions {
        let (verified, all) = (asked.verified_claims, plural(asked.claims.into(), "claim"));
        let question = clean(&asked.question);
        let _ = writeln!(text, "  asked: {question}  ({verified} of {all} verified)");
    }
    if memory.dropped_facts > 0 {
        let dropped = plural(memory.dropped_facts.into(), "older fact");
        let _ = writeln!(text, "  {dropped} dropped to keep the memory small");
    }
    text
}

fn places(fact: &Fact) -> String {
    let places = fact.citations.iter().map(|cited| {
        let Citation { path, first_line, last_line, .. } = &cited.citation;
        format!("{}:{first_line}-{last_line}", clean(path))
    });
    places.collect::<Vec<_>>().join(", ")
}

/// The plan of the last question.
pub(super) fn plan(last: Option<&Asked>) -> String {
    let Some(asked) = last else { return "nothing was asked yet\n".to_owned() };
    if asked.run.is_none() {
        return "no plan: without a model, the answer is extracted in one step\n".to_owned();
    }
    if asked.plan.is_empty() {
        return "no plan: the question was answered without one\n".to_owned();
    }
    let mut text = String::new();
    for (number, step) in (1..).zip(&asked.plan) {
        let _ = writeln!(text, "{number:>3}. {}", clean(step));
    }
    text
}

/// Foreign text that cannot steer a terminal.
fn clean(text: &str) -> String {
    printable(&text.replace('\t', "    "))
}
