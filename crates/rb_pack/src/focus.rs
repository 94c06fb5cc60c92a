//! Which lines of a file matter for a task: those around its places, then all parts of the file, the nearest to the goal first.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use rb_lang::{Facts, Symbol, SymbolKind};

use crate::input::TaskSite;
use crate::needs::WantedLines;
use crate::outline::parent;
use crate::source::Source;
use crate::text::inline;
use crate::words::{PartText, Words};

/// Lines that are worth an excerpt. Counted from 1, both ends included.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Focus {
    pub(crate) first: u32,
    pub(crate) last: u32,
    /// The line that it is about.
    pub(crate) anchor: u32,
    /// A few lines around the anchor are better than nothing.
    pub(crate) may_shrink: bool,
    /// How the goal or a site refers to it. What is referred to is listed if there is no room to show it.
    pub(crate) matched: Matched,
    pub(crate) why: String,
}

/// How a goal refers to lines, the surest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Matched {
    /// They are asked for, or declare what the goal names as code.
    Named,
    /// They use what the goal names as code.
    Mentioned,
    /// They share its words.
    Near,
    Not,
}

/// After the name of a part that the goal refers to.
pub(crate) const MATCHES: &str = ": matches the goal";

const IMPORTS: &str = "the imports";

impl Focus {
    pub(crate) fn is_imports(&self) -> bool {
        self.why == IMPORTS
    }
}

/// A function of more lines is not shown whole.
const LONGEST_FUNCTION: u32 = 150;
/// Around a place that no function of that size holds.
const AROUND: u32 = 15;
/// Around what is shown, so that a hunk that begins at its first line has its kept lines.
const CONTEXT: u32 = 2;
/// Lines of comments, attributes and decorators that belong to what they stand above.
const ABOVE: u32 = 5;
/// The part of its weight that a part of a file gives to those that it calls or that call it.
const CALLED: f64 = 0.5;
/// Lines of the parts of a long function.
const WINDOW: u32 = 40;
/// Lines between declarations that are one part although a blank line is among them.
const GAP_LINES: u32 = 12;
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
    let mut found = around(facts, source, &places);
    let none = Facts::default();
    found.extend(parts(facts.unwrap_or(&none), source, words));
    if let Some(imports) = facts.and_then(|facts| imports(facts, source)) {
        found.insert(1.min(found.len()), imports);
    }
    found
}

/// Lines that were asked for, with the functions in which they begin and end.
pub(crate) fn asked(facts: Option<&Facts>, source: &Source, wanted: &[WantedLines]) -> Vec<Focus> {
    let one = |it: &WantedLines| {
        let last = it.last.min(source.lines()).max(it.first);
        let (begin, end) =
            (lines_around(facts, source, it.first), lines_around(facts, source, last));
        let mut focus = within(source, begin.first, end.last, it.first, it.why.clone());
        focus.may_shrink = true;
        focus
    };
    wanted.iter().map(one).collect()
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
    let anchor = anchor.clamp(first, last);
    Focus { first, last, anchor, may_shrink: false, matched: Matched::Named, why }
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

/// A part of a file: a declaration, some lines of a long one, or lines between declarations.
struct Unit<'f> {
    first: u32,
    last: u32,
    symbol: Option<&'f Symbol>,
    /// Its name speaks for it: it is a whole declaration, or the beginning of one.
    has_name: bool,
    /// The names of what it is declared in.
    outer: String,
}

/// All of a file in parts: those that speak of the goal first, then the most complex ones.
fn parts(facts: &Facts, source: &Source, words: &Words) -> Vec<Focus> {
    let units = units(facts, source);
    let part = |it: &Unit<'_>| PartText {
        name: it.symbol.filter(|_| it.has_name).map(|it| it.name.to_string()).unwrap_or_default(),
        outer: it.outer.clone(),
        text: source.text(it.first, it.last),
    };
    let texts: Vec<PartText> = units.iter().map(part).collect();
    let shared = with_calls(facts, &units, &words.weigh(&texts));
    let best = shared.iter().copied().fold(0.0, f64::max);
    // What shares a word by chance is not what is meant.
    let is_near = |shared: f64| shared > 0.0 && shared >= best / 2.0;
    let how = |shared: f64, part: &PartText| {
        if words.name(&part.name) {
            Matched::Named
        } else if words.name_something_in(&part.text) {
            Matched::Mentioned
        } else if is_near(shared) {
            Matched::Near
        } else {
            Matched::Not
        }
    };
    let matches: Vec<Matched> =
        shared.iter().zip(&texts).map(|(shared, part)| how(*shared, part)).collect();
    let mut ranked: Vec<(f64, Matched, &Unit<'_>)> =
        units.iter().enumerate().map(|(at, unit)| (shared[at], matches[at], unit)).collect();
    ranked.sort_by(|(a, _, one), (b, _, other)| {
        let rank = |it: &Unit<'_>| {
            let complexity = it.symbol.map_or(0, |it| it.complexity);
            (Reverse(it.symbol.is_some_and(is_function)), Reverse(complexity), it.first)
        };
        b.total_cmp(a).then_with(|| rank(one).cmp(&rank(other)))
    });
    let why = |matched: Matched, unit: &Unit<'_>| {
        let name = unit.symbol.map_or("code outside declarations", |it| &*it.name);
        let name = inline(name, 80);
        if matched == Matched::Not { name } else { format!("{name}{MATCHES}") }
    };
    let focus = |(_, matched, unit): (f64, Matched, &Unit<'_>)| {
        let (first, last) = (unit.first.saturating_sub(CONTEXT), unit.last.saturating_add(CONTEXT));
        // Not the comments above it.
        let anchor =
            unit.symbol.filter(|_| unit.has_name).map_or(unit.first, |it| it.span.first_line);
        let focus = within(source, first, last, anchor, why(matched, unit));
        Focus { matched, ..focus }
    };
    ranked.into_iter().map(focus).collect()
}

/// What calls a part that matters, or is called by it, matters too.
fn with_calls(facts: &Facts, units: &[Unit<'_>], shared: &[f64]) -> Vec<f64> {
    let mut declared: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (at, unit) in units.iter().enumerate() {
        if let Some(symbol) = unit.symbol.filter(|_| unit.has_name) {
            declared.entry(&*symbol.name).or_default().push(at);
        }
    }
    let holds = |unit: &Unit<'_>, line: u32| {
        unit.symbol.is_some() && (unit.first..=unit.last).contains(&line)
    };
    let mut linked = vec![0.0_f64; units.len()];
    for reference in &facts.references {
        // A name that many declare says little.
        let Some(called) = declared.get(&*reference.name).filter(|it| it.len() <= 2) else {
            continue;
        };
        let user = units.iter().position(|unit| holds(unit, reference.line));
        for (&used, user) in called.iter().zip(user.into_iter().cycle()) {
            if used != user {
                linked[used] = linked[used].max(shared[user]);
                linked[user] = linked[user].max(shared[used]);
            }
        }
    }
    shared.iter().zip(linked).map(|(own, linked)| own + CALLED * linked).collect()
}

/// The declarations of a file, long ones in windows, and what stands between them. Blank lines end a part that is long enough.
fn units<'f>(facts: &'f Facts, source: &Source) -> Vec<Unit<'f>> {
    let outer = facts.symbols.iter().enumerate();
    let outer = outer.filter(|&(at, it)| is_outer(facts, at) && it.span.first_line > 0);
    let mut units: Vec<Unit<'f>> = outer.flat_map(|(at, _)| windows(facts, at, source)).collect();
    let mut covered = vec![false; source.lines() as usize + 2];
    for unit in &units {
        for line in unit.first..=unit.last {
            covered[line as usize] = true;
        }
    }
    let is_blank = |line: u32| source.text(line, line).trim().is_empty();
    for unit in units.iter_mut().filter(|unit| unit.has_name) {
        // Comments, attributes and decorators right above belong to it.
        let least = unit.first.saturating_sub(ABOVE);
        while unit.first > 1
            && unit.first > least
            && !covered[unit.first as usize - 1]
            && !is_blank(unit.first - 1)
        {
            unit.first -= 1;
            covered[unit.first as usize] = true;
        }
    }
    let mut open: Option<u32> = None;
    for line in 1..=source.lines() + 1 {
        let is_free = line <= source.lines() && !covered[line as usize];
        let is_blank = is_blank(line);
        let is_long = open.is_some_and(|first| line - first >= GAP_LINES);
        if let Some(first) = open
            && (!is_free || is_blank && is_long || line - first >= WINDOW)
        {
            let (last, outer) = (line - 1, String::new());
            units.push(Unit { first, last, symbol: None, has_name: false, outer });
            open = None;
        }
        if is_free && !is_blank && open.is_none() {
            open = Some(line);
        }
    }
    units
}

/// A declaration as one part, or a long one as several.
fn windows<'f>(facts: &'f Facts, at: usize, source: &Source) -> Vec<Unit<'f>> {
    let symbol = &facts.symbols[at];
    let around = std::iter::successors(parent(facts, at), |&at| parent(facts, at));
    let outer: Vec<&str> = around.map(|at| &*facts.symbols[at].name).collect();
    let outer = outer.join(" ");
    let (first, last) = (symbol.span.first_line, symbol.span.last_line.min(source.lines()));
    let lines = if lines_of(symbol) <= LONGEST_FUNCTION { LONGEST_FUNCTION } else { WINDOW };
    let begins = (first..=last).step_by(lines as usize);
    let unit = |from: u32| Unit {
        first: from,
        last: last.min(from.saturating_add(lines - 1)),
        symbol: Some(symbol),
        has_name: from == first,
        outer: outer.clone(),
    };
    begins.map(unit).collect()
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
    Some(within(source, first, last, first, IMPORTS.to_owned()))
}
