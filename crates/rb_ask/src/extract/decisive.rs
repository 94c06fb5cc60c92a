//! The function of a file in which most of a question's words come together. Search knows symbols by their names and comments; what
//! decides often stands in a body, in a function whose name the question does not have.

use std::collections::BTreeSet;

use rb_index::FileId;
use rb_lang::{Symbol, SymbolKind};
use rb_tools::ToolError;

use crate::extract::names::Names;
use crate::extract::sources::{SourceText, Sources};
use crate::extract::testing::test_module;
use crate::extract::topic::{SymbolAt, TopicFile};

/// How many files are looked at, best first.
const FILES: usize = 4;
/// A function has to have so many words of the question.
const LEAST: usize = 3;
/// Longer functions have words by chance.
const LONGEST: u32 = 120;

/// Finds the functions of the best files, and adds each to the symbols that are shown of its file, after the best.
pub(crate) fn add(
    sources: &mut Sources<'_, '_>,
    subject: &Names,
    files: &mut [TopicFile],
) -> Result<(), ToolError> {
    let stems: BTreeSet<String> = subject.words.iter().map(|word| stem(word)).collect();
    let product = files.iter_mut().filter(|file| sources.is_product(file.file));
    let product: Vec<&mut TopicFile> = product.take(FILES).collect();
    for file in product {
        let Some(symbol) = decisive(sources, file.file, &stems)? else { continue };
        let at = SymbolAt { file: file.file, symbol };
        if !file.symbols.iter().take(2).any(|known| *known == at) {
            file.symbols.retain(|known| *known != at);
            file.symbols.insert(file.symbols.len().min(1), at);
        }
    }
    Ok(())
}

fn decisive(
    sources: &mut Sources<'_, '_>,
    file: FileId,
    stems: &BTreeSet<String>,
) -> Result<Option<u32>, ToolError> {
    let (Some(facts), Some(text)) = (sources.facts(file)?, sources.text(file)) else {
        return Ok(None);
    };
    let tests = test_module(&facts).map(|module| module.span.first_line..=module.span.last_line);
    let candidates = (0..).zip(&facts.symbols).filter(|(_, symbol)| {
        let is_called = matches!(symbol.kind, SymbolKind::Function | SymbolKind::Method);
        let lines = symbol.span.last_line - symbol.span.first_line;
        let is_test = tests.as_ref().is_some_and(|tests| tests.contains(&symbol.span.first_line));
        is_called && !is_test && lines > 0 && lines < LONGEST
    });
    let scored = candidates.map(|(at, symbol)| (words_of(symbol, &text, stems), at, symbol));
    let best = scored.filter(|(words, ..)| *words >= LEAST).max_by_key(|(words, at, symbol)| {
        let lines = symbol.span.last_line - symbol.span.first_line;
        (*words, std::cmp::Reverse(lines), std::cmp::Reverse(*at))
    });
    Ok(best.map(|(_, at, _)| at))
}

/// How many words of the question a function has, in its name, its comment or its body.
fn words_of(symbol: &Symbol, text: &SourceText, stems: &BTreeSet<String>) -> usize {
    let (first, last) = (symbol.span.first_line as usize, symbol.span.last_line as usize);
    let body = text.lines.get(first.saturating_sub(1)..last).unwrap_or_default();
    let all = format!("{}\n{}", symbol.doc, body.join("\n")).to_lowercase();
    stems.iter().filter(|stem| all.contains(stem.as_str())).count()
}

/// A word without the usual endings, so that "skipped" is found in `should_skip`.
fn stem(word: &str) -> String {
    /// What is left of a word has to say something.
    const LEAST: usize = 4;
    let mut left = word;
    for end in ["ing", "ed", "es", "s"] {
        if let Some(rest) = word.strip_suffix(end)
            && rest.len() >= LEAST
        {
            left = rest;
            break;
        }
    }
    let mut ends = left.chars().rev();
    let is_doubled = left.len() < word.len() && ends.next() == ends.next();
    let left = if is_doubled && left.len() > LEAST { &left[..left.len() - 1] } else { left };
    left.to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn as1_words_are_compared_without_their_endings() {
        let check = |word: &str, expected: &str| assert_eq!(stem(word), expected);
        check("skipped", "skip");
        check("matched", "match");
        check("handlers", "handler");
        check("routes", "rout");
        check("used", "used");
        check("parallel", "parallel");
        check("größe", "größe");
    }
}
