//! Any text is read into facts that agree with it, and into the same facts again.
//!
//! `RB_FUZZ_LANGUAGE` names the language by its id; without it, the first byte of the input picks one.
#![no_main]

use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use rb_lang::{Facts, Language, Span, extract};

static READ: LazyLock<Vec<Language>> =
    LazyLock::new(|| Language::ALL.iter().copied().filter(|language| language.is_read()).collect());

static CHOSEN: LazyLock<Option<Language>> = LazyLock::new(|| {
    let id = std::env::var("RB_FUZZ_LANGUAGE").ok()?;
    let language = READ.iter().copied().find(|language| language.id() == id);
    assert!(language.is_some(), "RB_FUZZ_LANGUAGE: `{id}` is not read");
    language
});

/// A mark in comments of JavaScript. Built to check itself, as it is here, the parser stops at some uses of it; as it
/// is used, it does not.
const PURE: &str = "__PURE__";

fuzz_target!(|bytes: &[u8]| {
    let Some((language, bytes)) = pick(bytes) else { return };
    let text = String::from_utf8_lossy(bytes);
    if text.contains(PURE) {
        return;
    }
    let facts = extract(language, &text).expect("the language is read");
    check(&text, &facts);
    assert_eq!(extract(language, &text).as_ref(), Some(&facts), "a second reading differs");
});

fn pick(bytes: &[u8]) -> Option<(Language, &[u8])> {
    if let Some(language) = *CHOSEN {
        return Some((language, bytes));
    }
    let (&first, rest) = bytes.split_first()?;
    Some((READ[usize::from(first) % READ.len()], rest))
}

fn check(text: &str, facts: &Facts) {
    assert_eq!(facts.lines as usize, text.split_inclusive('\n').count());
    for (index, symbol) in facts.symbols.iter().enumerate() {
        check_span(text, symbol.span);
        assert!(symbol.parent.is_none_or(|parent| (parent as usize) < index), "{symbol:?}");
    }
    // The end of the text may be the start of a line that does not exist yet.
    let lines = 1..=facts.lines + 1;
    for reference in &facts.references {
        let from = reference.from.unwrap_or_default() as usize;
        assert!(reference.from.is_none() || from < facts.symbols.len(), "{reference:?}");
        assert!(lines.contains(&reference.line) && reference.count > 0, "{reference:?}");
        assert!(!reference.name.is_empty(), "{reference:?}");
    }
    for import in &facts.imports {
        assert!(lines.contains(&import.line), "{import:?}");
    }
}

fn check_span(text: &str, span: Span) {
    let (start, end) = (span.start as usize, span.end as usize);
    assert!(text.get(start..end).is_some(), "{span:?} is no piece of the text");
    let last = end.saturating_sub(1).max(start);
    assert_eq!(span.first_line, line_at(text, start), "{span:?}");
    assert_eq!(span.last_line, line_at(text, last), "{span:?}");
}

/// Counted from 1.
fn line_at(text: &str, at: usize) -> u32 {
    let ends = text.as_bytes()[..at].iter().filter(|&&byte| byte == b'\n').count();
    u32::try_from(ends + 1).expect("fewer lines than 4 GB")
}
