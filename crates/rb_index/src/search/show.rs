//! Why a file answers: its symbols and lines that fit the question best.

use rb_lang::Symbol;

use super::answer::{Hit, HitSymbol, MatchedLine};
use super::corpus::DocAt;
use super::doc::Source;
use super::pieces::Piece;
use super::question::Filter;
use super::searcher::{Scored, Scores, Searcher};
use super::terms;
use crate::store::StoreError;

/// The most symbols and lines shown of a file.
const SYMBOLS: usize = 3;
const LINES: usize = 3;
/// The most lines if the question is about the whole file.
const ALL_LINES: usize = 12;

pub(super) fn hit(
    searcher: &Searcher<'_>,
    file: &Scored,
    scores: &Scores,
    filter: &Filter<'_>,
) -> Result<Hit, StoreError> {
    let doc = &searcher.corpus.docs[file.doc as usize];
    let matched = matched(scores, file.doc);
    let mut hit = Hit {
        path: doc.path.clone(),
        language: doc.head.language.map(rb_lang::Language::name),
        score: file.score(),
        parts: file.parts,
        matched,
        symbols: Vec::new(),
        lines: Vec::new(),
    };
    if let Some((row, content)) = searcher.text(doc)? {
        let symbols = searcher.indexed.store.symbols_of(&row)?;
        if let Some(source) = Source::of(&row, &doc.path, Some(&content), &symbols) {
            Showing { doc, scores, filter, file }.fill(&mut hit, &source);
        }
    }
    Ok(hit)
}

/// Words of the question that the file has.
fn matched(scores: &Scores, doc: u32) -> Vec<String> {
    let bits = scores.words.docs[doc as usize].matched;
    let asked = scores.asked.iter().take(64).enumerate();
    asked.filter(|(at, _)| bits & (1 << at) != 0).map(|(_, asked)| asked.text.to_string()).collect()
}

struct Showing<'a> {
    doc: &'a DocAt,
    scores: &'a Scores,
    filter: &'a Filter<'a>,
    file: &'a Scored,
}

impl Showing<'_> {
    fn fill(&self, hit: &mut Hit, source: &Source<'_>) {
        let pieces = source.pieces();
        let heads = self.doc.head.pieces.get(1..).unwrap_or_default();
        // What the pieces were made of is the same text, so they are the same.
        if pieces.len() != heads.len() {
            return;
        }
        let mut order: Vec<(f32, usize)> = (0..pieces.len())
            .filter(|&at| self.filter.passes_piece(&heads[at]))
            .map(|at| (self.score(at + 1), at))
            .collect();
        order.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        hit.symbols = self.symbols(&order, &pieces, source.symbols);
        if let Some(&(_, best)) = order.first() {
            hit.lines = if self.filter.shows_whole_file() {
                self.lines(|_| true, ALL_LINES, source)
            } else {
                self.lines(|line| pieces[best].holds(line), LINES, source)
            };
        }
    }

    fn score(&self, piece: usize) -> f32 {
        let at = self.doc.first_piece as usize + piece;
        let exact = self
            .scores
            .exact
            .iter()
            .filter(|(doc, of, _)| *doc == self.file.doc && *of as usize == piece);
        let exact: f32 = exact.map(|(_, _, worth)| worth).sum();
        let cosine = self.similarity(piece);
        exact + self.scores.words.pieces[at].all + cosine
    }

    fn similarity(&self, piece: usize) -> f32 {
        let at = self.doc.first_piece as usize + piece;
        self.scores.cosines.as_ref().map_or(0.0, |cosines| cosines[at].max(0.0))
    }

    fn symbols(
        &self,
        order: &[(f32, usize)],
        pieces: &[Piece],
        symbols: &[Symbol],
    ) -> Vec<HitSymbol> {
        let mut shown: Vec<HitSymbol> = Vec::new();
        let mut seen: Vec<u32> = Vec::new();
        for &(score, at) in order {
            let Some(symbol) = pieces[at].symbol.filter(|symbol| !seen.contains(symbol)) else {
                continue;
            };
            if score <= 0.0 || shown.len() == SYMBOLS {
                break;
            }
            seen.push(symbol);
            let symbol = &symbols[symbol as usize];
            shown.push(HitSymbol {
                name: symbol.name.to_string(),
                kind: symbol.kind.name(),
                first_line: symbol.span.first_line,
                last_line: symbol.span.last_line,
                similarity: self.similarity(at + 1),
            });
        }
        shown
    }

    /// Those of these lines that have most of what was asked; the first of them where none has any.
    fn lines(
        &self,
        is_of_these: impl Fn(u32) -> bool,
        most: usize,
        source: &Source<'_>,
    ) -> Vec<MatchedLine> {
        let mut lines: Vec<(f32, u32, &str)> = Vec::new();
        for (line, text) in (1..).zip(source.text().lines()) {
            if is_of_these(line) && !text.trim().is_empty() {
                lines.push((self.worth(text), line, text));
            }
        }
        let first = lines.first().copied();
        lines.retain(|(worth, ..)| *worth > 0.0);
        lines.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        lines.truncate(most);
        lines.sort_by_key(|(_, line, _)| *line);
        let lines = if lines.is_empty() { first.into_iter().collect() } else { lines };
        let show = |(_, line, text): (f32, u32, &str)| MatchedLine {
            line,
            text: text.trim_end().to_owned(),
        };
        lines.into_iter().map(show).collect()
    }

    fn worth(&self, line: &str) -> f32 {
        let mut found: Vec<usize> = Vec::new();
        terms::each_term(line, |term| {
            let at = self.scores.asked.iter().position(|asked| asked.term == term);
            if let Some(at) = at.filter(|at| !found.contains(at)) {
                found.push(at);
            }
        });
        found.iter().filter_map(|&at| self.scores.words.weights.get(at)).sum()
    }
}
