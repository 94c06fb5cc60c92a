//! Which lines of a file matter for a task: those around its places, or else the functions nearest to its goal.

use rb_lang::{Facts, Symbol, SymbolKind};

use crate::input::TaskSite;
use crate::outline::parent;
use crate::source::Source;
use crate::text::inline;
use crate::words::Words;

/// Lines that are worth an excerpt. Counted from 1, both ends included.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Focus {
    pub(crate) first: u32,
    pub(crate) last: u32,
    /// The line that it is about.
    pub(crate) anchor: u32,
    /// A few lines around the anchor are better than nothing.
    pub(crate) may_shrink: bool,
    pub(crate) why: String,
}

/// A function of more lines is not shown whole.
const LONGEST_FUNCTION: u32 = 120;
/// Around a place that no function of that size holds.
const AROUND: u32 = 15;
/// Around what is shown, so that a hunk that begins at its first line has its kept lines.
const CONTEXT: u32 = 3;
/// Functions of a file that no place is in: near to the goal, or else complex.
const NEAR: usize = 4;
const COMPLEX: usize = 3;
/// Lines of the parts of a long function, and how many of them.
const WINDOW: u32 = 40;
const WINDOWS: usize = 4;
/// Of a text that has no functions.
const BEGINNING: u32 = 60;
const LONGEST_IMPORTS: u32 = 40;
const LONGEST_WHY: usize = 200;

/// The lines of a file that a task is about, what matters most first.
pub(crate) fn focus(
    facts: Option<&Facts>,
    source: &Source,
    places: &[&TaskSite],
    words: &Words,
) -> Vec<Focus> {
    let inside = |place: &&&TaskSite| (1..=source.lines()).contains(&place.line);
    let places: Vec<&TaskSite> = places.iter().filter(inside).copied().collect();
    let mut found = if places.is_empty() {
        facts.map(|facts| functions(facts, source, words)).unwrap_or_default()
    } else {
        around(facts, source, &places)
    };
    if found.is_empty() && source.lines() > 0 {
        let last = BEGINNING.min(source.lines());
        let why = "the beginning of the file".to_owned();
        found.push(Focus { first: 1, last, anchor: 1, may_shrink: true, why });
    }
    if let Some(imports) = facts.and_then(|facts| imports(facts, source)) {
        found.insert(1.min(found.len()), imports);
    }
    found
}

/// The most places first.
fn around(facts: Option<&Facts>, source: &Source, places: &[&TaskSite]) -> Vec<Focus> {
    let mut found: Vec<(Vec<&TaskSite>, Focus)> = Vec::new();
    let mut places = places.to_vec();
    places.sort_by_key(|place| (place.line, &place.why));
    for place in places {
        let holds = |focus: &Focus| (focus.first..=focus.last).contains(&place.line);
        match found.iter_mut().find(|(_, focus)| holds(focus)) {
            Some((here, _)) => here.push(place),
            None => found.push((vec![place], lines_around(facts, source, place.line))),
        }
    }
    found.sort_by_key(|(here, focus)| (usize::MAX - here.len(), focus.first));
    let with_why = |(here, mut focus): (Vec<&TaskSite>, Focus)| {
        let said = |place: &&TaskSite| format!("line {}: {}", place.line, inline(&place.why, 90));
        let mut why: Vec<String> = here.iter().take(3).map(said).collect();
        if here.len() > why.len() {
            why.push(format!("{} more", here.len() - why.len()));
        }
        focus.why = inline(&why.join("; "), LONGEST_WHY);
        focus.may_shrink = true;
        focus
    };
    found.into_iter().map(with_why).collect()
}

/// The function around a line, or the lines next to it.
pub(crate) fn lines_around(facts: Option<&Facts>, source: &Source, line: u32) -> Focus {
    let enclosing = facts.and_then(|facts| enclosing(facts, line));
    let (first, last, margin) = match enclosing {
        Some(symbol) => (symbol.span.first_line, symbol.span.last_line, CONTEXT),
        None => (line, line, AROUND),
    };
    within(source, first.saturating_sub(margin), last.saturating_add(margin), line, String::new())
}

/// A few lines around one.
pub(crate) fn few_lines(source: &Source, line: u32, around: u32, why: String) -> Focus {
    within(source, line.saturating_sub(around), line.saturating_add(around), line, why)
}

fn within(source: &Source, first: u32, last: u32, anchor: u32, why: String) -> Focus {
    let all = source.lines().max(1);
    let (first, last) = (first.clamp(1, all), last.clamp(1, all));
    Focus { first, last, anchor: anchor.clamp(first, last), may_shrink: false, why }
}

/// The largest function around a line that can be shown whole: what is nested in it lives of its names. Where there is none,
/// another declaration of that size.
fn enclosing(facts: &Facts, line: u32) -> Option<&Symbol> {
    let around = || {
        facts.symbols.iter().filter(|symbol| {
            let span = symbol.span;
            let holds = (span.first_line..=span.last_line).contains(&line);
            holds && lines_of(symbol) <= LONGEST_FUNCTION
        })
    };
    let function = around().filter(|symbol| is_function(symbol)).max_by_key(|it| lines_of(it));
    function.or_else(|| around().max_by_key(|it| lines_of(it)))
}

fn lines_of(symbol: &Symbol) -> u32 {
    symbol.span.last_line.saturating_sub(symbol.span.first_line).saturating_add(1)
}

pub(crate) fn is_function(symbol: &Symbol) -> bool {
    match symbol.kind {
        SymbolKind::Function | SymbolKind::Method | SymbolKind::Component | SymbolKind::Macro => {
            true
        }
        SymbolKind::Class
        | SymbolKind::Struct
        | SymbolKind::Interface
        | SymbolKind::Trait
        | SymbolKind::Enum
        | SymbolKind::Type
        | SymbolKind::Constant
        | SymbolKind::Variable
        | SymbolKind::Module => false,
    }
}

/// The functions that share the most words with the goal, or else the most complex ones.
fn functions(facts: &Facts, source: &Source, words: &Words) -> Vec<Focus> {
    let text = |symbol: &Symbol| source.text(symbol.span.first_line, symbol.span.last_line);
    let mut ranked: Vec<(usize, &Symbol)> = facts
        .symbols
        .iter()
        .enumerate()
        .filter(|&(at, symbol)| is_outer(facts, at) && symbol.span.first_line > 0)
        .map(|(_, symbol)| (words.shared(&symbol.name, &text(symbol)), symbol))
        .collect();
    let best = ranked.iter().map(|(shared, _)| *shared).max().unwrap_or(0);
    let meant = best > 0;
    if meant {
        // What shares a word by chance is not what is meant.
        ranked.retain(|(shared, _)| *shared > 0 && *shared >= best / 4);
        ranked.sort_by_key(|(shared, it)| (usize::MAX - shared, it.span.first_line));
    } else {
        ranked.retain(|(_, it)| is_function(it));
        ranked.sort_by_key(|(_, it)| (u32::MAX - it.complexity, it.span.first_line));
    }
    ranked.truncate(if meant { NEAR } else { COMPLEX });
    let why = |symbol: &Symbol| {
        let name = inline(&symbol.name, 80);
        if meant {
            format!("{name}: near to the goal")
        } else {
            format!("{name}: complexity {}", symbol.complexity)
        }
    };
    let parts = |(_, symbol): &(usize, &Symbol)| of_symbol(source, symbol, words, &why(symbol));
    ranked.iter().flat_map(parts).collect()
}

/// The whole of it; of a long one the parts that speak of the goal, or else its beginning.
fn of_symbol(source: &Source, symbol: &Symbol, words: &Words, why: &str) -> Vec<Focus> {
    let (first, last) = (symbol.span.first_line, symbol.span.last_line);
    let part = |from: u32, to: u32| {
        let (begin, end) = (from.saturating_sub(CONTEXT), to.saturating_add(CONTEXT));
        within(source, begin, end, from, why.to_owned())
    };
    if lines_of(symbol) <= LONGEST_FUNCTION {
        return vec![part(first, last)];
    }
    let mut windows: Vec<(usize, u32, u32)> = Vec::new();
    let mut from = first;
    while from <= last.min(source.lines()) {
        let to = last.min(from.saturating_add(WINDOW - 1));
        let shared = |line: &str| words.shared("", line);
        windows.push((source.text(from, to).lines().map(shared).sum(), from, to));
        from = to.saturating_add(1);
    }
    windows.retain(|(shared, _, _)| *shared > 0);
    windows.sort_by_key(|&(shared, from, _)| (usize::MAX - shared, from));
    if windows.is_empty() {
        windows.push((0, first, first.saturating_add(LONGEST_FUNCTION - 1)));
    }
    windows.iter().take(WINDOWS).map(|&(_, from, to)| part(from, to)).collect()
}

/// Functions that are not inside another one, and declarations that are in nothing and can be shown whole.
fn is_outer(facts: &Facts, at: usize) -> bool {
    let symbol = &facts.symbols[at];
    let mut around = std::iter::successors(parent(facts, at), |&at| parent(facts, at));
    if is_function(symbol) {
        !around.any(|at| is_function(&facts.symbols[at]))
    } else {
        around.next().is_none() && lines_of(symbol) <= LONGEST_FUNCTION
    }
}

/// The imports at the top: whoever changes a file may have to add one.
fn imports(facts: &Facts, source: &Source) -> Option<Focus> {
    let begin = facts.symbols.iter().map(|symbol| symbol.span.first_line).min();
    let at_top = |line: &u32| *line > 0 && begin.is_none_or(|begin| *line < begin);
    let lines: Vec<u32> = facts.imports.iter().map(|import| import.line).filter(at_top).collect();
    let (first, last) = (*lines.iter().min()?, *lines.iter().max()?);
    let last = last.saturating_add(1).min(first.saturating_add(LONGEST_IMPORTS - 1));
    Some(within(source, first, last, first, "the imports".to_owned()))
}
