//! What was found, for a person: where, which symbols and lines, and why.

use std::fmt::Write as _;

use rb_index::Indexed;
use rb_index::search::{Answer, Hit, HitSymbol, Parts, Question, Related};

use super::super::index;
use crate::numbers::plural;
use crate::ui::{Ui, printable};

/// A longer line of code is cut.
const WIDTH: usize = 110;

pub(super) fn text(
    ui: &Ui,
    indexed: &Indexed,
    question: &Question,
    answer: &Answer,
    related: Option<&[Related]>,
) -> String {
    let mut text = String::new();
    if answer.hits.is_empty() {
        nothing(&mut text, question, answer);
    }
    for (place, hit) in (1..).zip(&answer.hits) {
        one(&mut text, ui, place, hit);
    }
    if let Some(related) = related.filter(|related| !related.is_empty()) {
        let _ = writeln!(text, "Related");
        for related in related {
            let symbol = related.symbol.as_ref().map(|name| format!(" {name}")).unwrap_or_default();
            let line = related.line.map(|line| format!(":{line}")).unwrap_or_default();
            let place = printable(&format!("{}{line}{symbol}", related.path));
            let _ = writeln!(text, "  {place}  {}", ui.out.dim(&printable(&related.reason)));
        }
        text.push('\n');
    }
    let searched = plural(answer.searched as u64, "file");
    let state = index::state_words(&indexed.update);
    let _ = writeln!(text, "{}", ui.out.dim(&format!("searched {searched} · {state}")));
    text
}

fn nothing(text: &mut String, question: &Question, answer: &Answer) {
    let filtered =
        !(question.languages.is_empty() && question.kinds.is_empty() && question.paths.is_empty());
    let _ = writeln!(text, "Nothing found for \"{}\".", printable(&question.text));
    let advice = match (answer.searched, filtered) {
        (0, true) => "No file passes the filters: leave out --lang, --kind or --path.",
        (0, false) => "There is no text to search here.",
        (_, true) => "Try other words, or leave out --lang, --kind or --path.",
        (_, false) => "Try other words, or the name of something in the code.",
    };
    let _ = writeln!(text, "{advice}\n");
}

fn one(text: &mut String, ui: &Ui, place: usize, hit: &Hit) {
    let path = ui.out.cyan(&printable(&hit.path));
    let _ = writeln!(text, "{place:>2}. {path}  {}", ui.out.dim(&format!("{:.2}", hit.score)));
    if !hit.symbols.is_empty() {
        let symbols: Vec<String> = hit.symbols.iter().map(symbol).collect();
        let _ = writeln!(text, "    {}", printable(&symbols.join(" · ")));
    }
    for line in &hit.lines {
        let code: String = line.text.replace('\t', "    ").chars().take(WIDTH).collect();
        let number = ui.out.dim(&format!("{:>6}", line.line));
        let _ = writeln!(text, "{number}  {}", printable(&code));
    }
    let _ = writeln!(text, "    {}\n", ui.out.dim(&printable(&why(hit))));
}

fn symbol(symbol: &HitSymbol) -> String {
    let lines = if symbol.first_line == symbol.last_line {
        symbol.first_line.to_string()
    } else {
        format!("{}-{}", symbol.first_line, symbol.last_line)
    };
    format!("{} {} {lines}", symbol.kind, symbol.name)
}

/// The words that matched, and what the score is made of.
fn why(hit: &Hit) -> String {
    let mut reasons = Vec::new();
    if !hit.matched.is_empty() {
        reasons.push(format!("has {}", hit.matched.join(", ")));
    }
    let parts: Vec<String> = parts(&hit.parts)
        .into_iter()
        .filter(|(_, part)| part.abs() >= 0.005)
        .map(|(name, part)| format!("{name} {part:+.2}"))
        .collect();
    reasons.push(parts.join(" "));
    reasons.join(" · ")
}

fn parts(parts: &Parts) -> Vec<(&'static str, f32)> {
    let Parts { words, meaning, exact, graph, file } = *parts;
    vec![("words", words), ("meaning", meaning), ("name", exact), ("graph", graph), ("file", file)]
}
