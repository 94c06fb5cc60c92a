//! From a tree-sitter tree to facts: the walk that every language shares.
//!
//! A language says which kinds of node it cares about (`Grammar::new`) and what each means (`visit`); `Reader` collects.
//! The walk goes through the tree once, without recursion, so that no nesting can exhaust the stack. Parsing is
//! bounded by counted work, never by time: the same text is cut off at the same place on every machine.

mod open;
mod reader;
mod text;

use std::borrow::Cow;
use std::cell::{Cell, RefCell};
use std::ops::ControlFlow;

use tree_sitter::{Node, ParseOptions, Parser};
use tree_sitter_language::LanguageFn;

pub(crate) use self::open::end_of_string;
pub(crate) use self::reader::{Declaration, Reader};
pub(crate) use self::text::{
    MAX_HEAD, clean_comment, clip, line_count, line_of, one_line, one_line_without, span_of,
    without_spaces,
};
use crate::facts::{Cut, Facts};

/// A tree-sitter grammar with the kinds of node that a language looks at, as its own small enum.
///
/// `K::default()` stands for every other kind; `visit` is not called for it and the walk goes on below it.
pub(crate) struct Grammar<K> {
    language: tree_sitter::Language,
    /// By the grammar's id of the kind.
    kinds: Box<[K]>,
    /// Its scanner looks for the end of a line or a word and does not notice that of the text.
    needs_last_line_end: bool,
}

/// Does the walk go on below a node?
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Below {
    Walk,
    Skip,
}

impl<K: Copy + Default + PartialEq> Grammar<K> {
    /// `kinds` names nodes as the grammar does. A name that the grammar does not know is a mistake in this program.
    pub(crate) fn new(language: LanguageFn, kinds: &[(&str, K)]) -> Self {
        let language = tree_sitter::Language::new(language);
        let mut by_id = vec![K::default(); language.node_kind_count()].into_boxed_slice();
        for &(name, kind) in kinds {
            let mut known = false;
            // Several ids may share one name; all of them mean the same to us.
            for (id, slot) in by_id.iter_mut().enumerate() {
                let id = u16::try_from(id).expect("a grammar has fewer than 65536 kinds");
                if language.node_kind_for_id(id) == Some(name) {
                    *slot = kind;
                    known = true;
                }
            }
            assert!(known, "the grammar has no node `{name}`");
        }
        Grammar { language, kinds: by_id, needs_last_line_end: false }
    }

    /// However a text ends, or where it is cut, the parser sees a line end there.
    pub(crate) fn with_last_line_end(self) -> Self {
        Grammar { needs_last_line_end: true, ..self }
    }

    /// Parses the text and walks the tree once, top down; `visit` is called for each node of a named kind.
    pub(crate) fn read<'t>(
        &self,
        text: &'t str,
        visit: impl Fn(K, Node<'_>, &mut Reader<'t>) -> Below,
    ) -> Facts {
        let mut reader = Reader::new(text, self.language.clone());
        let (readable, cut) = open::readable(text);
        reader.facts.cut = cut;
        let last_line_end = if self.needs_last_line_end { "\n" } else { "" };
        let Some(tree) = parse(&self.language, &without_nul(readable), last_line_end) else {
            reader.facts.cut = Some(Cut::Effort);
            return reader.finish();
        };
        let broken = tree.root_node().has_error();
        let mut cursor = tree.walk();
        loop {
            let node = cursor.node();
            if broken && (node.is_error() || node.is_missing()) {
                reader.facts.syntax_errors += 1;
            }
            let id = node.kind_id();
            let kind = self.kinds.get(usize::from(id)).copied().unwrap_or_default();
            let below = if reader.is_skipped(node) {
                Below::Skip
            } else if kind == K::default() {
                Below::Walk
            } else {
                visit(kind, node, &mut reader)
            };
            if below == Below::Walk && reader.may_go_deeper() && cursor.goto_first_child() {
                reader.go_down(id);
                continue;
            }
            loop {
                reader.leave();
                if cursor.goto_next_sibling() {
                    break;
                }
                if !cursor.goto_parent() {
                    return reader.finish();
                }
                reader.go_up();
            }
        }
    }
}

/// Reads a text as if its last line had an end, for a grammar that needs one.
pub(crate) fn with_line_end(text: &str, read: impl Fn(&str) -> Facts) -> Facts {
    if text.is_empty() || text.ends_with('\n') {
        return read(text);
    }
    let mut facts = read(&format!("{text}\n"));
    let end = u32::try_from(text.len()).unwrap_or(u32::MAX);
    for symbol in &mut facts.symbols {
        symbol.span.end = symbol.span.end.min(end);
    }
    facts
}

/// Scanners take a NUL for the end of the text, or of a word that they compare with, and read on behind it. A space takes as
/// much room.
fn without_nul(text: &str) -> Cow<'_, str> {
    if text.contains('\0') { Cow::Owned(text.replace('\0', " ")) } else { Cow::Borrowed(text) }
}

thread_local! {
    static PARSER: RefCell<Parser> = RefCell::new(Parser::new());
}

/// Bytes that are handed to the parser at a time.
const CHUNK: usize = 1024;
/// A text is foreign if its beginnings of both sizes have an error in this many bytes. Prose has one in sixteen.
const PROBES: [usize; 2] = [512, 2048];
const BYTES_PER_ERROR: usize = 8;
/// Of a text as large as this, less is put up with: each error takes memory.
const LARGE: usize = 512 << 10;
const BYTES_PER_ERROR_IN_LARGE: usize = 32;

/// As `Grammar::read` parses it, for whoever walks the tree in a way of his own.
pub(crate) fn parse_text(language: LanguageFn, text: &str) -> Option<tree_sitter::Tree> {
    let (readable, _) = open::readable(text);
    parse(&tree_sitter::Language::new(language), &without_nul(readable), "\n")
}

/// `None` when the text cost far more work than its size explains, or was going to. The text is read as if it ended
/// in `then`, also where only its beginning is looked at.
fn parse(language: &tree_sitter::Language, text: &str, then: &str) -> Option<tree_sitter::Tree> {
    PARSER.with_borrow_mut(|parser| {
        parser.set_language(language).expect("grammar and runtime are built together");
        if text.len() > PROBES[1] && is_foreign(parser, text, then) {
            return None;
        }
        parse_bounded(parser, text, then)
    })
}

/// Is the text in another language, or in none?
///
/// The parser gathers errors at the end of a text, all at once, where it cannot be stopped any more. For some grammars that
/// takes memory by the square of their number: gigabytes for a small file that is all errors.
fn is_foreign(parser: &mut Parser, text: &str, then: &str) -> bool {
    let per_error = if text.len() < LARGE { BYTES_PER_ERROR } else { BYTES_PER_ERROR_IN_LARGE };
    PROBES.iter().all(|&size| {
        let tree = parse_bounded(parser, clip(text, size), then);
        tree.is_none_or(|tree| has_more_errors(&tree, size / per_error))
    })
}

fn parse_bounded(parser: &mut Parser, text: &str, then: &str) -> Option<tree_sitter::Tree> {
    // The parser reports back after every hundred steps. Plain code takes about one step per byte.
    let mut reports_left = 20_000 + text.len() / 5;
    // Plain code is read about twice. Scanners of some grammars look ahead to the end of the text from any place.
    let reads_left = Cell::new(2000 + text.len() / CHUNK * 32);
    let bytes = text.as_bytes();
    let then = if text.ends_with(then) { "" } else { then };
    // Where the reads are spent the text ends for the parser.
    let ends_at = Cell::new(bytes.len());
    let mut read = |at: usize, _| {
        reads_left.set(reads_left.get().saturating_sub(1));
        if reads_left.get() == 0 {
            ends_at.set(ends_at.get().min(at));
        }
        match bytes.get(at..ends_at.get().min(at + CHUNK)) {
            Some(chunk) if !chunk.is_empty() => chunk,
            _ => then.as_bytes().get(at - ends_at.get().min(at)..).unwrap_or_default(),
        }
    };
    let mut stop_when_spent = |_: &tree_sitter::ParseState| {
        reports_left = reports_left.saturating_sub(1);
        if reports_left == 0 || reads_left.get() == 0 {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    };
    let options = ParseOptions::new().progress_callback(&mut stop_when_spent);
    let tree = parser.parse_with_options(&mut read, None, Some(options));
    parser.reset();
    tree.filter(|_| reads_left.get() > 0)
}

fn has_more_errors(tree: &tree_sitter::Tree, limit: usize) -> bool {
    if !tree.root_node().has_error() {
        return false;
    }
    let mut errors = 0;
    let mut cursor = tree.walk();
    loop {
        errors += usize::from(cursor.node().is_error() || cursor.node().is_missing());
        if errors > limit {
            return true;
        }
        if cursor.goto_first_child() {
            continue;
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                return false;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::language::Language;
    use crate::languages::extract;

    #[track_caller]
    fn check(language: Language, text: &str, expected: Option<Cut>) -> Facts {
        let facts = extract(language, text).unwrap();
        assert_eq!(facts.cut, expected);
        facts
    }

    #[test]
    fn ix1_a_deep_nest_of_symbols_is_cut() {
        let nest = |depth: usize| format!("{}{}", "mod a { ".repeat(depth), "}".repeat(depth));
        assert_eq!(check(Language::Rust, &nest(60), None).symbols.len(), 60);
        let facts = check(Language::Rust, &nest(2000), Some(Cut::Depth));
        assert!((60..100).contains(&facts.symbols.len()));
    }

    #[test]
    fn ix1_a_deep_expression_is_read() {
        let sum = format!("fn f() {{ {}g() }}", "a + ".repeat(20_000));
        assert_eq!(check(Language::Rust, &sum, None).references.len(), 1);
    }

    #[test]
    fn ix1_text_of_another_language_is_not_parsed() {
        check(Language::Java, &"a => ".repeat(20_000), Some(Cut::Effort));
        check(Language::Java, &"a => ".repeat(20), None);
        // Of a large text, fewer errors are enough.
        check(Language::Java, &"A<A<A<A<;".repeat(1000), None);
        check(Language::Java, &"A<A<A<A<;".repeat(60_000), Some(Cut::Effort));
        // A comment that is longer than what is looked at is no sign of another language.
        let header = format!("/* {} */ class A {{}}", "If it is so, do as we do. ".repeat(500));
        assert_eq!(check(Language::Java, &header, None).symbols.len(), 1);
    }

    #[test]
    fn ix1_what_stands_before_an_endless_nest_is_read() {
        for language in [Language::Java, Language::CSharp] {
            let text = format!("class C {{ void f() {{}} }}\n{}\n", "A<".repeat(30_000));
            let facts = check(language, &text, Some(Cut::Depth));
            assert_eq!((facts.symbols.len(), facts.lines), (2, 2));
        }
        let facts = check(
            Language::Bash,
            &format!("f() {{ g; }}\n{}", "a | ".repeat(9000)),
            Some(Cut::Depth),
        );
        assert_eq!(facts.symbols.len(), 1);
    }

    #[test]
    fn ix1_a_scanner_that_reads_ahead_without_end_is_stopped() {
        let code = "fun f() { g(1) }\n".repeat(500);
        assert_eq!(check(Language::Kotlin, &code, None).symbols.len(), 500);
        check(Language::Kotlin, &format!("{code}{}", "/*".repeat(20_000)), Some(Cut::Effort));
    }

    #[test]
    fn ix1_a_nul_in_the_text_is_no_end() {
        let text = "struct A {\n  #if DEBUG\n  var a: Int\n  #endif\0(\n}\nstruct B {}\n";
        let facts = extract(Language::Swift, text).unwrap();
        let names: Vec<&str> = facts.symbols.iter().map(|symbol| &*symbol.name).collect();
        assert!(names.contains(&"B"), "{names:?}");
        assert_eq!(without_nul("a\0b\0"), "a b ");
    }

    #[test]
    fn ix2_a_comment_beside_code_documents_nothing() {
        let facts =
            check(Language::Go, "package a\n// One\nimport \"x\" // two\nfunc F() {}\n", None);
        assert_eq!(&*facts.symbols[0].doc, "");
    }
}
