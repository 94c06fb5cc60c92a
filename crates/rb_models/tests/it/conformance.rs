//! Every provider in every case, through `Models::call`: one table of what came of it.
//!
//! A dash: the provider cannot come to this, or its stand (a double, the real program) does not play it.
//! Whatever is told, handed back or written down in a cell is searched for the planted key, and every cell is
//! played again from its recording with the same outcome.

mod case;
mod cell;
mod programs;
mod real;
mod wires;

use std::fmt::Write as _;
use std::sync::Arc;

use expect_test::expect;
use rb_models::Provider;
use rb_testkit::stub::Stub;

use crate::doubles::Place;
use case::Case;
use cell::{Row, row};
use programs::{OfClaude, OfCodex, OfCommand};
use real::RealClaude;
use wires::{Completions, Messages, Native, Server};

/// A provider, and who is behind it in each case.
trait Stand: Sync {
    fn name(&self) -> &'static str;

    /// `None`: it cannot come to this, or this stand does not play it.
    fn play(&self, case: Case) -> Option<Scene>;

    /// Whether the list of prices knows the model.
    fn is_priced(&self) -> bool {
        true
    }
}

/// All that one cell needs; what is behind the provider lives as long.
struct Scene {
    provider: Arc<dyn Provider>,
    _stub: Option<Stub>,
    place: Option<Place>,
}

impl Scene {
    fn of(provider: Arc<dyn Provider>) -> Self {
        Scene { provider, _stub: None, place: None }
    }

    fn with(self, stub: Stub) -> Self {
        Scene { _stub: Some(stub), ..self }
    }

    fn within(self, place: Place) -> Self {
        Scene { place: Some(place), ..self }
    }
}

fn stands() -> Vec<Box<dyn Stand>> {
    let chat = |name| -> Box<dyn Stand> { Box::new(Server { name, wire: Completions(name) }) };
    vec![
        Box::new(Server { name: "anthropic", wire: Messages }),
        chat("openai"),
        chat("deepseek"),
        chat("perplexity"),
        chat("openrouter"),
        chat("custom"),
        Box::new(Server { name: "ollama", wire: Native }),
        Box::new(OfCommand),
        Box::new(OfClaude),
        Box::new(RealClaude),
        Box::new(OfCodex),
    ]
}

/// For each case, its rows; providers that fare alike share one.
fn table(columns: &[(&str, Vec<Option<String>>)]) -> String {
    let mut text = String::new();
    for (at, (_, title)) in Case::ALL.iter().enumerate() {
        writeln!(text, "{title}").unwrap();
        let mut rows: Vec<(&str, Vec<&str>)> = Vec::new();
        let mut never = Vec::new();
        for (name, cells) in columns {
            let Some(row) = &cells[at] else {
                never.push(*name);
                continue;
            };
            match rows.iter_mut().find(|(known, _)| known == row) {
                Some((_, names)) => names.push(name),
                None => rows.push((row, vec![name])),
            }
        }
        for (row, names) in rows {
            writeln!(text, "  {row} | {}", names.join(", ")).unwrap();
        }
        if !never.is_empty() {
            writeln!(text, "  – | {}", never.join(", ")).unwrap();
        }
    }
    text
}

/// The cells of one provider, and the same cells from their recordings.
fn column(stand: &dyn Stand) -> Vec<Option<(Row, Row)>> {
    let cell = |(case, _): &(Case, &str)| stand.play(*case).map(|scene| row(&scene, stand, *case));
    Case::ALL.iter().map(cell).collect()
}

#[test]
#[expect(clippy::too_many_lines, reason = "most of them are the table")]
fn mo8_every_provider_in_every_case() {
    let stands = stands();
    let columns: Vec<_> = std::thread::scope(|scope| {
        let threads: Vec<_> =
            stands.iter().map(|stand| scope.spawn(|| column(stand.as_ref()))).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    let text = |row: &Row| row.to_string();
    let replayed = columns[0].iter().map(|cell| cell.as_ref().map(|(_, again)| text(again)));
    let replayed = replayed.collect();
    let lived = columns.iter().map(|cells| {
        cells.iter().map(|cell| cell.as_ref().map(|(row, _)| text(row))).collect::<Vec<_>>()
    });
    let names = stands.iter().map(|stand| stand.name());
    let mut columns: Vec<_> = names.zip(lived).collect();
    columns.push(("replay", replayed));
    expect![[r#"
        an answer in words
          ok | 1 try | no wait | 305 priced | anthropic, openai, deepseek
          ok | 1 try | no wait | 305 reported | perplexity, openrouter, claude-code (real)
          ok | 1 try | no wait | 305 unknown | custom
          ok | 1 try | no wait | 305 free | ollama, command
          ok | 1 try | no wait | 26 reported | claude-code
          ok | 1 try | no wait | 15 unknown | codex
          ok | 0 tries | no wait | 305 priced replayed | replay
        a structured answer
          ok | 1 try | no wait | 305 priced | anthropic, openai, deepseek
          ok | 1 try | no wait | 305 reported | perplexity, openrouter, claude-code (real)
          ok | 1 try | no wait | 305 unknown | custom
          ok | 1 try | no wait | 305 free | ollama, command
          ok | 1 try | no wait | 26 reported | claude-code
          ok | 1 try | no wait | 15 unknown | codex
          ok | 0 tries | no wait | 305 priced replayed | replay
        a wrong value, then a right one
          ok | 2 tries | no wait | 2 × 305 priced | anthropic, openai, deepseek
          ok | 2 tries | no wait | 2 × 305 reported | perplexity, openrouter
          ok | 2 tries | no wait | 2 × 305 unknown | custom
          ok | 2 tries | no wait | 2 × 305 free | ollama, command
          ok | 2 tries | no wait | 2 × 26 reported | claude-code
          ok | 2 tries | no wait | 2 × 15 unknown | codex
          ok | 0 tries | no wait | 2 × 305 priced replayed | replay
          – | claude-code (real)
        words in place of the value, then a right one
          ok | 2 tries | no wait | 2 × 305 priced | anthropic, openai, deepseek
          ok | 2 tries | no wait | 2 × 305 reported | perplexity, openrouter
          ok | 2 tries | no wait | 2 × 305 unknown | custom
          ok | 2 tries | no wait | 2 × 305 free | ollama, command
          ok | 2 tries | no wait | 2 × 26 reported | claude-code
          ok | 2 tries | no wait | 2 × 15 unknown | codex
          ok | 0 tries | no wait | 2 × 305 priced replayed | replay
          – | claude-code (real)
        a wrong value, always
          NotAsAsked, Refused | 2 tries | no wait | 2 × 305 priced | anthropic, openai, deepseek
          NotAsAsked, Refused | 2 tries | no wait | 2 × 305 reported | perplexity, openrouter
          NotAsAsked, Refused | 2 tries | no wait | 2 × 305 unknown | custom
          NotAsAsked, Refused | 2 tries | no wait | 2 × 305 free | ollama, command
          NotAsAsked, Refused | 2 tries | no wait | 2 × 26 reported | claude-code
          NotAsAsked, Refused | 2 tries | no wait | 2 × 15 unknown | codex
          NotAsAsked, Refused | 0 tries | no wait | 2 × 305 priced replayed | replay
          – | claude-code (real)
        a tool is called, and the answer follows its result
          ok | 2 tries | no wait | 2 × 305 priced | anthropic, openai, deepseek
          Unable, Usage | 1 try | no wait | nothing | perplexity, claude-code, claude-code (real), codex
          ok | 2 tries | no wait | 2 × 305 reported | openrouter
          ok | 2 tries | no wait | 2 × 305 unknown | custom
          ok | 2 tries | no wait | 2 × 305 free | ollama, command
          ok | 0 tries | no wait | 2 × 305 priced replayed | replay
        429, always
          RateLimited, Limit | 6 tries | 0.9 1.9 3.9 6.3 9.2 | nothing | anthropic, openai, deepseek, perplexity, openrouter, custom, ollama, codex
          RateLimited, Limit | 6 tries | 0.9 1.9 3.9 6.3 9.2 | 6 × 26 reported | claude-code
          RateLimited, Limit | 0 tries | no wait | nothing | replay
          – | command, claude-code (real)
        429 for 7 seconds, then an answer
          ok | 2 tries | 7.4 | 305 priced | anthropic, openai, deepseek
          ok | 2 tries | 7.4 | 305 reported | perplexity, openrouter
          ok | 2 tries | 7.4 | 305 unknown | custom
          ok | 2 tries | 7.4 | 305 free | ollama, command
          ok | 0 tries | no wait | 305 priced replayed | replay
          – | claude-code, claude-code (real), codex
        429 until a date in 9 seconds, then an answer
          ok | 2 tries | 9.4 | 305 priced | anthropic, openai, deepseek
          ok | 2 tries | 9.4 | 305 reported | perplexity, openrouter
          ok | 2 tries | 9.4 | 305 unknown | custom
          ok | 2 tries | 9.4 | 305 free | ollama
          ok | 0 tries | no wait | 305 priced replayed | replay
          – | command, claude-code, claude-code (real), codex
        429 for two hours
          RateLimited, Limit | 1 try | no wait | nothing | anthropic, openai, deepseek, perplexity, openrouter, custom, ollama, command
          RateLimited, Limit | 0 tries | no wait | nothing | replay
          – | claude-code, claude-code (real), codex
        500, then an answer
          ok | 2 tries | 0.9 | 305 priced | anthropic, openai, deepseek
          ok | 2 tries | 0.9 | 305 reported | perplexity, openrouter
          ok | 2 tries | 0.9 | 305 unknown | custom
          ok | 2 tries | 0.9 | 305 free | ollama, command
          ok | 2 tries | 0.9 | 2 × 26 reported | claude-code
          ok | 2 tries | 0.9 | 15 unknown | codex
          ok | 0 tries | no wait | 305 priced replayed | replay
          – | claude-code (real)
        529, always
          Overloaded, Limit | 6 tries | 0.9 1.9 3.9 6.3 9.2 | nothing | anthropic, openai, deepseek, perplexity, openrouter, custom, ollama
          Overloaded, Limit | 6 tries | 0.9 1.9 3.9 6.3 9.2 | 6 × 26 reported | claude-code
          Overloaded, Limit | 0 tries | no wait | nothing | replay
          – | command, claude-code (real), codex
        the connection is refused
          Unreachable, Environment | 4 tries | 0.9 1.9 3.9 | nothing | anthropic, openai, deepseek, perplexity, openrouter, custom, ollama, command
          Unreachable, Environment | 4 tries | 0.9 1.9 3.9 | 4 × 26 reported | claude-code
          Unreachable, Environment | 0 tries | no wait | nothing | replay
          – | claude-code (real), codex
        the connection ends before an answer
          Unreachable, Environment | 4 tries | 0.9 1.9 3.9 | nothing | anthropic, openai, deepseek, perplexity, openrouter, custom, ollama, codex
          Half, Limit | 2 tries | 0.9 | nothing | command
          Unreachable, Environment | 4 tries | 0.9 1.9 3.9 | 4 × 26 reported | claude-code
          Unreachable, Environment | 0 tries | no wait | nothing | replay
          – | claude-code (real)
        half an answer, always
          Half, Limit | 2 tries | 0.9 | 2 × ~301 priced | anthropic
          Half, Limit | 2 tries | 0.9 | ~0 presumed | openai, deepseek, perplexity, openrouter, claude-code
          Half, Limit | 2 tries | 0.9 | ~0 unknown | custom, codex
          Half, Limit | 2 tries | 0.9 | nothing | ollama
          Malformed, Environment | 2 tries | 0.9 | nothing | command
          Half, Limit | 0 tries | no wait | ~301 priced replayed | replay
          – | claude-code (real)
        half an answer, then a whole one
          ok | 2 tries | 0.9 | ~301 priced + 305 priced | anthropic
          ok | 2 tries | 0.9 | 305 priced and presumed | openai, deepseek
          ok | 2 tries | 0.9 | 305 reported and presumed | perplexity, openrouter
          ok | 2 tries | 0.9 | 305 unknown | custom
          ok | 2 tries | 0.9 | 305 free | ollama, command
          ok | 2 tries | 0.9 | 26 reported and presumed | claude-code
          ok | 2 tries | 0.9 | 15 unknown | codex
          ok | 0 tries | no wait | 305 priced replayed | replay
          – | claude-code (real)
        an answer that cannot be read
          Malformed, Environment | 2 tries | 0.9 | 2 × ~301 priced | anthropic
          Malformed, Environment | 2 tries | 0.9 | ~0 presumed | openai, deepseek, perplexity, openrouter, claude-code
          Malformed, Environment | 2 tries | 0.9 | ~0 unknown | custom, codex
          Malformed, Environment | 2 tries | 0.9 | nothing | ollama, command
          Malformed, Environment | 0 tries | no wait | ~301 priced replayed | replay
          – | claude-code (real)
        a web page with status 200
          Malformed, Environment | 2 tries | 0.9 | ~0 presumed | anthropic, openai, deepseek, perplexity, openrouter
          Malformed, Environment | 2 tries | 0.9 | ~0 unknown | custom
          Malformed, Environment | 2 tries | 0.9 | nothing | ollama, command
          Malformed, Environment | 2 tries | 0.9 | 2 × 26 reported | claude-code
          Malformed, Environment | 2 tries | 0.9 | 2 × 0 reported | claude-code (real)
          Malformed, Environment | 0 tries | no wait | nothing | replay
          – | codex
        an error inside of a 200
          Overloaded, Limit | 6 tries | 0.9 1.9 3.9 6.3 9.2 | 6 × ~301 priced | anthropic
          Overloaded, Limit | 6 tries | 0.9 1.9 3.9 6.3 9.2 | nothing | openai, deepseek, perplexity, openrouter, custom, ollama
          Overloaded, Limit | 0 tries | no wait | ~301 priced replayed | replay
          – | command, claude-code, claude-code (real), codex
        the request is too long
          TooLong, Refused | 1 try | no wait | nothing | anthropic, openai, deepseek, perplexity, openrouter, custom, ollama, codex
          NotAsAsked, Refused | 2 tries | no wait | nothing | command
          TooLong, Refused | 1 try | no wait | 26 reported | claude-code
          TooLong, Refused | 1 try | no wait | 0 reported | claude-code (real)
          TooLong, Refused | 0 tries | no wait | nothing | replay
        a key or login that is not accepted
          BadKey, Environment | 1 try | no wait | nothing | anthropic, openai, deepseek, perplexity, openrouter, custom, ollama
          Program, Environment | 1 try | no wait | nothing | command
          NotLoggedIn, Environment | 1 try | no wait | 26 reported | claude-code
          BadKey, Environment | 1 try | no wait | 0 reported | claude-code (real)
          NotLoggedIn, Environment | 1 try | no wait | nothing | codex
          BadKey, Environment | 0 tries | no wait | nothing | replay
        no credit
          NoCredit, Environment | 1 try | no wait | nothing | anthropic, openai, deepseek, perplexity, openrouter, custom, ollama, codex
          Program, Environment | 1 try | no wait | nothing | command
          NoCredit, Environment | 1 try | no wait | 26 reported | claude-code
          NoCredit, Environment | 1 try | no wait | 0 reported | claude-code (real)
          NoCredit, Environment | 0 tries | no wait | nothing | replay
        an unknown model
          NoSuchModel, Usage | 1 try | no wait | nothing | anthropic, openai, deepseek, perplexity, openrouter, custom, ollama, codex
          Program, Environment | 1 try | no wait | nothing | command
          NoSuchModel, Usage | 1 try | no wait | 26 reported | claude-code
          NoSuchModel, Usage | 1 try | no wait | 0 reported | claude-code (real)
          NoSuchModel, Usage | 0 tries | no wait | nothing | replay
        the limit of the answer is reached
          AnswerCut, Refused | 1 try | no wait | 305 priced | anthropic, openai, deepseek
          AnswerCut, Refused | 1 try | no wait | 305 reported | perplexity, openrouter
          AnswerCut, Refused | 1 try | no wait | 305 unknown | custom
          AnswerCut, Refused | 1 try | no wait | 305 free | ollama
          NotAsAsked, Refused | 2 tries | no wait | nothing | command
          AnswerCut, Refused | 1 try | no wait | 26 reported | claude-code
          AnswerCut, Refused | 0 tries | no wait | 305 priced replayed | replay
          – | claude-code (real), codex
        the model refuses
          Refusal, Refused | 1 try | no wait | 305 priced | anthropic, openai, deepseek
          Refusal, Refused | 1 try | no wait | 305 reported | perplexity, openrouter
          Refusal, Refused | 1 try | no wait | 305 unknown | custom
          Program, Environment | 1 try | no wait | nothing | command
          Refusal, Refused | 1 try | no wait | 26 reported | claude-code
          Refusal, Refused | 0 tries | no wait | 305 priced replayed | replay
          – | ollama, claude-code (real), codex
        silence
          Stalled, Limit | 2 tries | 0.9 | ~0 presumed | anthropic, openai, deepseek, perplexity, openrouter, claude-code
          Stalled, Limit | 2 tries | 0.9 | ~0 unknown | custom, codex
          Stalled, Limit | 2 tries | 0.9 | nothing | ollama
          TooSlow, Limit | 1 try | no wait | nothing | command
          Stalled, Limit | 0 tries | no wait | nothing | replay
          – | claude-code (real)
        cancelled in the answer
          Interrupted, Interrupted | 1 try | no wait | ~0 presumed | anthropic, openai, deepseek, perplexity, openrouter, claude-code
          Interrupted, Interrupted | 1 try | no wait | ~0 unknown | custom, codex
          Interrupted, Interrupted | 1 try | no wait | nothing | ollama, command
          Interrupted, Interrupted | 0 tries | no wait | nothing | replay
          – | claude-code (real)
    "#]].assert_eq(&table(&columns));
}
