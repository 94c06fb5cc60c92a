//! A file in pieces: what is found, scored and embedded as one.
//!
//! Every line belongs to the innermost symbol around it, long symbols are cut into windows, and lines outside of symbols make
//! pieces of their own. A text without symbols is cut into windows. Nothing is left out, nothing is in two pieces.

use std::ops::Range;

use rb_lang::{Language, Symbol, SymbolKind};

/// Lines of a piece. A longer symbol is cut into equal windows.
const WINDOW: usize = 50;
/// A little more than a window is not worth a cut.
const LONGEST: usize = 60;
/// Constants and variables of fewer lines are told with what is around them.
const SMALL: u32 = 5;
/// No file needs more to be found; what is behind them goes into the last.
const MOST: usize = 2000;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Piece {
    /// The symbol that it is, or is a part of; as an index into the facts.
    pub(crate) symbol: Option<u32>,
    /// Its lines, counted from zero, in order.
    pub(crate) lines: Vec<Range<u32>>,
}

impl Piece {
    /// From its first line to its last, counted from one.
    pub(crate) fn span(&self) -> (u32, u32) {
        let first = self.lines.first().map_or(0, |range| range.start);
        let last = self.lines.last().map_or(0, |range| range.end);
        (first + 1, last.max(1))
    }

    pub(crate) fn holds(&self, line: u32) -> bool {
        line > 0 && self.lines.iter().any(|range| range.contains(&(line - 1)))
    }
}

/// The pieces of a text, in the order of their first lines.
pub(crate) fn pieces(lines: &[&str], symbols: &[Symbol]) -> Vec<Piece> {
    let mut owner = owners(lines.len(), symbols);
    take_heads(lines, &mut owner);
    let mut of_symbol: Vec<Vec<u32>> = vec![Vec::new(); symbols.len() + 1];
    for (line, owner) in (0..).zip(&owner) {
        of_symbol[owner.map_or(symbols.len(), |symbol| symbol as usize)].push(line);
    }
    let mut pieces = Vec::new();
    for (symbol, lines_of) in (0..).zip(of_symbol) {
        let symbol = Some(symbol).filter(|symbol| (*symbol as usize) < symbols.len());
        let blank = |line: &u32| lines[*line as usize].trim().is_empty();
        for window in windows(&lines_of) {
            if !window.iter().all(blank) {
                pieces.push(Piece { symbol, lines: ranges(window) });
            }
        }
    }
    pieces.sort_by_key(|piece| piece.lines[0].start);
    if pieces.len() > MOST {
        let rest = pieces.split_off(MOST);
        let last = pieces.last_mut().expect("there are many");
        last.lines.extend(rest.into_iter().flat_map(|piece| piece.lines));
        last.lines.sort_by_key(|range| range.start);
    }
    pieces
}

/// The innermost symbol around each line.
fn owners(count: usize, symbols: &[Symbol]) -> Vec<Option<u32>> {
    let mut order: Vec<u32> = (0..).take(symbols.len()).collect();
    order.retain(|&at| owns_lines(&symbols[at as usize]));
    order.sort_by_key(|&at| {
        let span = symbols[at as usize].span;
        (span.first_line, std::cmp::Reverse(span.last_line), at)
    });
    let mut owner = vec![None; count];
    let mut open: Vec<u32> = Vec::new();
    let mut line = 0;
    let mut fill = |open: &mut Vec<u32>, until: usize| {
        while line < until.min(count) {
            while open
                .last()
                .is_some_and(|&at| (symbols[at as usize].span.last_line as usize) <= line)
            {
                open.pop();
            }
            owner[line] = open.last().copied();
            line += 1;
        }
    };
    for at in order {
        fill(&mut open, (symbols[at as usize].span.first_line as usize).saturating_sub(1));
        open.push(at);
    }
    fill(&mut open, count);
    owner
}

fn owns_lines(symbol: &Symbol) -> bool {
    let lines = symbol.span.last_line.saturating_sub(symbol.span.first_line) + 1;
    !matches!(symbol.kind, SymbolKind::Constant | SymbolKind::Variable) || lines >= SMALL
}

/// Comments and annotations right above a symbol are its own.
fn take_heads(lines: &[&str], owner: &mut [Option<u32>]) {
    for line in (1..lines.len()).rev() {
        let (above, below) = (owner[line - 1], owner[line]);
        if below.is_some()
            && above != below
            && is_head(lines[line - 1])
            && !owner[..line - 1].ends_with(&[below])
        {
            owner[line - 1] = below;
        }
    }
}

fn is_head(line: &str) -> bool {
    let line = line.trim_start();
    ["//", "/*", "*", "@", "#[", "# ", "##", "--", "[["].iter().any(|mark| line.starts_with(mark))
}

fn windows(lines: &[u32]) -> impl Iterator<Item = &[u32]> {
    let count = if lines.len() > LONGEST { lines.len().div_ceil(WINDOW) } else { 1 };
    lines.chunks(lines.len().div_ceil(count).max(1))
}

fn ranges(lines: &[u32]) -> Vec<Range<u32>> {
    lines.chunk_by(|a, b| a + 1 == *b).map(|run| run[0]..run[run.len() - 1] + 1).collect()
}

/// Is the line all comment? As far as one line can tell.
pub(crate) fn is_comment(line: &str, language: Option<Language>) -> bool {
    let line = line.trim_start();
    let star = line.strip_prefix('*');
    let is_star = star.is_some_and(|rest| {
        !rest.starts_with(|c: char| c.is_alphanumeric() || c == '_' || c == '(')
    });
    is_star
        || ["//", "/*", "\"\"\"", "'''"].iter().any(|mark| line.starts_with(mark))
        || (line.starts_with('#') && language.is_some_and(has_hash_comments))
}

fn has_hash_comments(language: Language) -> bool {
    use Language as L;
    matches!(language, L::Python | L::Ruby | L::Bash | L::Elixir | L::Perl | L::R)
}
