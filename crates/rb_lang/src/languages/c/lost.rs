//! C that the parser loses its way in.
//!
//! Braces that hide in `#ifdef`s and macros make it put one function into another, or give up on a body. What it did
//! read is still in the tree; here it is told apart from what was meant to be there.

use std::cell::Cell;

use rb_core::Sha256;
use tree_sitter::Node;

use super::{Declared, MAX_HEAD, What, declared};
use crate::facts::{Symbol, SymbolKind};
use crate::tree::{Declaration, Reader, clip, line_count, one_line};

/// No function holds another: what looks like one there is a macro with a block, as in `FOR_EACH(x) {…}`.
pub(in crate::languages) fn is_inside_function(node: Node<'_>, reader: &Reader<'_>) -> bool {
    let inside = matches!(reader.scope_kind(), Some(SymbolKind::Function | SymbolKind::Method));
    inside && !is_misplaced(node, reader)
}

/// Did the parser put a function into the one before it, because a brace of that hides in an `#ifdef`?
pub(in crate::languages) fn is_misplaced(node: Node<'_>, reader: &Reader<'_>) -> bool {
    reader.facts.syntax_errors > 0 && node.start_position().column == 0 && reader.in_function()
}

/// Functions whose body the parser could not read. Their heads are still in the tree, as declarators that belong to
/// nothing, and their ends are where C is nearly always written to have them: at a brace that begins a line.
#[derive(Default)]
pub(in crate::languages) struct Lost {
    /// Declarators before this belong to a declaration.
    claimed: Cell<usize>,
    /// Where the body of the last lost function ends.
    end: Cell<usize>,
}

impl Lost {
    pub(in crate::languages) fn claim(&self, node: Node<'_>) {
        self.claimed.set(self.claimed.get().max(node.end_byte()));
    }

    /// Is the node in the body of a lost function?
    pub(in crate::languages) fn around(&self, node: Node<'_>) -> bool {
        node.start_byte() < self.end.get() && node.start_position().column > 0
    }

    /// `declarator` is the head of a lost function when nobody claims it, its line begins without a space and a body
    /// or a semicolon follows.
    pub(in crate::languages) fn find(&self, declarator: Node<'_>, reader: &mut Reader<'_>) {
        let (start, end) = (declarator.start_byte(), declarator.end_byte());
        if start < self.claimed.get() {
            return;
        }
        let column = declarator.start_position().column;
        let line = head_before(start, column, reader.text);
        let rest = reader.text.get(end..).unwrap_or_default().trim_start();
        if column > MAX_HEAD
            || line.starts_with([' ', '\t', '#', '}'])
            || !rest.starts_with(['{', ';'])
        {
            return;
        }
        self.claim(declarator);
        let Some(Declared { name, what: What::Function }) = declared(declarator) else { return };
        let name = reader.text(name);
        let symbol = reader.declare(&Declaration {
            name,
            kind: SymbolKind::Function,
            node: declarator,
            body: None,
            exported: !line.starts_with("static"),
        }) as usize;
        reader.facts.symbols[symbol].parent = None;
        reader.facts.symbols[symbol].signature =
            one_line(&format!("{line} {}", clip(reader.text(declarator), MAX_HEAD))).into();
        if rest.starts_with('{') {
            self.extend(start, end, &mut reader.facts.symbols[symbol], reader.text);
        }
    }

    /// The span of a lost function reaches to the end of its body. Of several heads before one end, the first has it.
    fn extend(&self, start: usize, head_end: usize, symbol: &mut Symbol, text: &str) {
        symbol.complexity = 1;
        if head_end <= self.end.get() {
            return;
        }
        let body = text.get(head_end..).unwrap_or_default();
        self.end.set(head_end + body.find("\n}").map_or(body.len(), |at| at + 2));
        let whole = text.get(start..self.end.get()).unwrap_or_default();
        symbol.hash = Sha256::of(whole.as_bytes());
        symbol.span.end = u32::try_from(self.end.get()).unwrap_or(u32::MAX);
        symbol.span.last_line =
            symbol.span.first_line.saturating_add(line_count(whole).saturating_sub(1));
    }
}

/// What stands before the name of a function: on its line or, where that begins with the name, on the line before.
fn head_before(start: usize, column: usize, text: &str) -> &str {
    if column > 0 {
        return text.get(start.saturating_sub(column)..start).unwrap_or_default();
    }
    let from = text.floor_char_boundary(start.saturating_sub(MAX_HEAD));
    let line = text[from..start].trim_end().rsplit('\n').next().unwrap_or_default();
    if line.starts_with(['#', '/', ' ', '\t']) || line.ends_with([';', '}', '{', '/']) {
        ""
    } else {
        line
    }
}

/// Is the text so far from C that the parser would drown in it?
///
/// Its work on an expression that it cannot read grows with the square of the assignments in it: ten kilobytes of
/// `a => a => …` take it gigabytes. No statement assigns so often; comments and strings do not count.
pub(super) fn is_hopeless(text: &str) -> bool {
    let mut assignments = 0;
    let mut rest = text.as_bytes();
    while let [byte, after @ ..] = rest {
        rest = after;
        match (byte, after) {
            (b'/', [b'/', ..]) => rest = skip_past(after, b"\n"),
            (b'/', [b'*', after @ ..]) => rest = skip_past(after, b"*/"),
            (b'"' | b'\'', _) => rest = skip_string(after, *byte),
            (b';' | b'{' | b'}' | b',', _) | (b'\n', [b'#', ..]) => assignments = 0,
            // `==` and its like compare.
            (b'=' | b'!' | b'<' | b'>', [b'=', after @ ..]) => rest = after,
            (b'=', _) => assignments += 1,
            _ => {}
        }
        if assignments > MAX_ASSIGNMENTS {
            return true;
        }
    }
    false
}

const MAX_ASSIGNMENTS: u32 = 64;

fn skip_past<'t>(text: &'t [u8], end: &[u8]) -> &'t [u8] {
    let found = text.windows(end.len()).position(|window| window == end);
    found.map_or(&[], |at| &text[at + end.len()..])
}

/// A string ends at its line, lest a quote in a comment of another language swallow the file.
fn skip_string(mut text: &[u8], quote: u8) -> &[u8] {
    while let [byte, after @ ..] = text {
        match (*byte, after) {
            (b'\n', _) => return text,
            (b'\\', [_, after @ ..]) => text = after,
            (byte, after) if byte == quote => return after,
            (_, after) => text = after,
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};

    use super::*;
    use crate::language::Language;
    use crate::languages::shown;

    #[track_caller]
    fn check(text: &str, expected: &Expect) {
        expected.assert_eq(&shown(Language::C, text));
    }

    #[test]
    fn ix2_functions_with_hidden_braces_are_found() {
        check(
            r#"int before(void) { return 1; }

#ifdef WIN32
int wide(int argc, char *argv[]) {
#else
int narrow(int argc, char *argv[]) {
#endif
	int local = 3;
	return go(local);
}

char *after(const char *text)
{
	char *other = 0;
	if (text)
#if X
	{
		other = 1;
#endif
		return other;
	}
}

int last(void) { return 1; }

static int
first(int a)
{
#ifdef X
	if (a) {
#else
	if (!a) {
#endif
		int local;
		go();
	}
}

int second(int x) { return x; }
"#,
            &expect![[r#"
                +function before 1..1 `int before(void)`
                +function wide 4..10 `int wide(int argc, char *argv[])`
                +function narrow 6..10 `int narrow(int argc, char *argv[])`
                +function after 12..22 `char * after(const char *text)`
                +function last 24..24 `int last(void)`
                -function first 27..37 `static int first(int a)`
                +function second 39..39 `int second(int x)`
                Call go from narrow
                Call go from top
                syntax errors 3
            "#]],
        );
    }

    #[test]
    fn ix1_what_is_not_c_is_not_parsed() {
        let check = |text: &str, expected: bool| assert_eq!(is_hopeless(text), expected, "{text}");
        check(&"a => ".repeat(100), true);
        check(&"a => b,\n".repeat(100), false);
        check(&"a == b ".repeat(100), false);
        check(&"/* a = */ \"b = \" '=' // c =\n".repeat(100), false);
        check(&"\"\\\" = \"".repeat(100), false);
        check(&"#define A = 1\n".repeat(100), false);
        check(&"it's = here\n".repeat(100), false);
    }
}
