//! JavaScript, TypeScript and TSX.
//!
//! Specifiers are as written, without their quotes. The parser is `oxc`, several times faster than tree-sitter; it recurses,
//! and it gives nothing for a file that it cannot read to its end. Such files, and those whose shape makes recursion
//! dangerous, are read with tree-sitter (`loose`).

mod collect;
mod loose;
mod modules;
mod react;
mod scan;
mod stack;
mod value;
mod walk;

use std::cell::RefCell;

use oxc_allocator::Allocator;
use oxc_parser::{ParseOptions, Parser, ParserReturn};
use oxc_span::SourceType;

use self::collect::Collector;
pub use self::stack::{STACK, spawn};
use self::walk::Walk;
use crate::facts::Facts;
use crate::language::Language;

pub(super) fn extract(language: Language, text: &str) -> Facts {
    let has_types = language != Language::JavaScript;
    if scan::is_tangled(text, has_types) {
        return loose::extract_tangled(text);
    }
    let quick = scan::stack_needed_at_most(text);
    let needed = if quick <= stack::room() { quick } else { scan::stack_needed(text) };
    stack::with_room(needed, || strict(language, text))
        .flatten()
        .unwrap_or_else(|| loose::extract(language, text))
}

/// Hands the syntax tree of a text to `work`; `None` where the parser gives none, or could not be trusted with the text.
pub fn with_program<T: Send>(
    language: Language,
    text: &str,
    work: impl FnOnce(&ParserReturn<'_>) -> T + Send,
) -> Option<T> {
    if scan::is_tangled(text, language != Language::JavaScript) {
        return None;
    }
    let quick = scan::stack_needed_at_most(text);
    let needed = if quick <= stack::room() { quick } else { scan::stack_needed(text) };
    stack::with_room(needed, || {
        let arena = Allocator::default();
        parse(language, text, &arena).map(|parsed| work(&parsed))
    })
    .flatten()
}

/// Where the parser stumbles over a text that it gives no tree for.
pub(crate) fn error_offsets(language: Language, text: &str) -> Vec<u32> {
    if scan::is_tangled(text, language != Language::JavaScript) {
        return Vec::new();
    }
    let offsets = || {
        let arena = Allocator::default();
        let source_type = dialects(language)[0];
        let parsed = Parser::new(&arena, text, source_type).with_options(options()).parse();
        let labels = parsed.diagnostics.iter().filter_map(|it| it.labels.first());
        labels.map(oxc_span::LabeledSpan::offset).collect()
    };
    stack::with_room(scan::stack_needed(text), offsets).unwrap_or_default()
}

thread_local! {
    static ARENA: RefCell<Allocator> = RefCell::default();
}

/// Memory that is kept for the next file.
const KEPT: usize = 8 << 20;

/// `None` where the parser could make nothing of the text.
fn strict(language: Language, text: &str) -> Option<Facts> {
    ARENA.with_borrow_mut(|arena| {
        let facts = parse(language, text, arena).map(|parsed| read(text, arena, &parsed));
        if arena.capacity() > KEPT {
            *arena = Allocator::default();
        } else {
            arena.reset();
        }
        facts
    })
}

fn read<'a>(text: &'a str, arena: &'a Allocator, parsed: &ParserReturn<'a>) -> Facts {
    let mut walk = Walk::new(Collector::new(text, arena, &parsed.program.comments));
    walk.program(&parsed.program);
    let mut facts = walk.collect.finish();
    facts.syntax_errors = u32::try_from(parsed.diagnostics.len()).unwrap_or(u32::MAX);
    facts
}

/// The first reading without an error, or the one with the fewest.
fn parse<'a>(language: Language, text: &'a str, arena: &'a Allocator) -> Option<ParserReturn<'a>> {
    let mut best: Option<ParserReturn<'a>> = None;
    for (attempt, &source_type) in dialects(language).iter().enumerate() {
        if attempt > 0 && source_type.is_typescript() && scan::is_tangled(text, true) {
            break;
        }
        let parsed = Parser::new(arena, text, source_type).with_options(options()).parse();
        if parsed.diagnostics.is_empty() {
            return Some(parsed);
        }
        let fewest = best.as_ref().map_or(usize::MAX, |best| best.diagnostics.len());
        if !parsed.panicked && parsed.diagnostics.len() < fewest {
            best = Some(parsed);
        }
    }
    best
}

const JS: SourceType = SourceType::unambiguous().with_jsx(true);
const TS: SourceType = SourceType::ts();
const D_TS: SourceType = SourceType::d_ts();
const TSX: SourceType = SourceType::tsx();

/// What a file may be, judged by its extension; the usual first.
fn dialects(language: Language) -> &'static [SourceType] {
    match language {
        // Flow is often TypeScript too.
        Language::JavaScript => &[JS, TSX],
        // The extension of a declaration file ends like that of any other.
        Language::TypeScript => &[TS, D_TS, TSX],
        _ => &[TSX, TS],
    }
}

fn options() -> ParseOptions {
    ParseOptions {
        allow_return_outside_function: true,
        preserve_parens: false,
        enable_ident_hashes: false,
        ..ParseOptions::default()
    }
}

#[cfg(test)]
mod tests;
