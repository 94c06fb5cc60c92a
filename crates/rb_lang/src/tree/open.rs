//! How much a text leaves open, told without parsing it.
//!
//! A parser keeps all that is not complete yet on a stack. At the end of the text it copies that stack for each way to
//! read it: for some grammars memory by the square of its height, gigabytes for a small file of `A<A<A<`. The scan
//! reads quotes, comments and brackets as a person would who does not know the language. A text that was made to mislead
//! it can do so, code that somebody works with does not.

use crate::facts::Cut;

/// More open brackets than this are not written by hand.
const MAX_OPEN: u32 = 2500;
/// Nor more types inside of types. Here memory goes by the square.
const MAX_ANGLES: u32 = 250;
/// More tokens than this without a comma, a semicolon or a new statement are not left open at the end of a text.
const MAX_CHAIN: usize = 5000;
/// More tokens than this are data. What is parsed takes hundreds of bytes for each.
const MAX_TOKENS: usize = 1_000_000;

/// The beginning of the text that a parser can be trusted with: most often all of it, else with why it ends there.
pub(super) fn readable(text: &str) -> (&str, Option<Cut>) {
    let mut scan = Scan {
        bytes: text.as_bytes(),
        at: 0,
        before: b'\n',
        open: 0,
        brackets: [0; 3],
        angles: 0,
        chain: 0,
        never_ends: false,
        unclosed: 0,
    };
    match scan.end() {
        Some((end, cut)) => (super::clip(text, end), Some(cut)),
        None => (text, None),
    }
}

struct Scan<'t> {
    bytes: &'t [u8],
    at: usize,
    /// The last byte that is no space.
    before: u8,
    /// All that is open.
    open: u32,
    /// Open `(`, `[` and `{`. They are counted apart, so that a stray one does not keep others from being closed.
    brackets: [u32; 3],
    /// `<` that may open something: since the last thing that cannot stand between `<` and `>`.
    angles: u32,
    /// Tokens since something that ends what they belong to.
    chain: usize,
    /// No `*/` is left.
    never_ends: bool,
    /// Up to here, quotes stand for themselves: one was looked for in this line and not found.
    unclosed: usize,
}

impl Scan<'_> {
    fn end(&mut self) -> Option<(usize, Cut)> {
        let mut tokens = 0;
        let mut chain_end = 0;
        let mut end = None;
        while let Some(&byte) = self.bytes.get(self.at) {
            let start = self.at;
            self.at += 1;
            if byte.is_ascii_whitespace() {
                if byte == b'\n' && self.ends_statement() {
                    self.end_statement();
                    // In some languages it is a token itself.
                    tokens += 1;
                }
                continue;
            }
            if byte == b'/' && self.comment() {
                continue;
            }
            self.token(byte);
            self.before = byte;
            self.chain += 1;
            tokens += 1;
            if self.open > MAX_OPEN || self.angles > MAX_ANGLES {
                return Some((start, Cut::Depth));
            }
            if self.chain == MAX_CHAIN {
                chain_end = start;
            }
            if tokens > MAX_TOKENS {
                end = Some((start, Cut::Effort));
                break;
            }
        }
        if self.chain < MAX_CHAIN { end } else { Some((chain_end, Cut::Depth)) }
    }

    fn token(&mut self, byte: u8) {
        match byte {
            b'(' => self.open(0),
            b'[' => self.open(1),
            b'{' => {
                self.close_angles();
                self.open(2);
            }
            b')' => self.close(0),
            b']' => self.close(1),
            b'}' => {
                self.close(2);
                self.end_statement();
            }
            b'<' => {
                self.angles += 1;
                self.open += 1;
            }
            b'>' if !matches!(self.before, b'=' | b'-') && self.angles > 0 => {
                self.angles -= 1;
                self.open -= 1;
            }
            b',' => self.chain = 0,
            b';' => self.end_statement(),
            b'"' | b'\'' | b'`' => self.string(byte),
            b'\\' => self.at += 1,
            _ if is_word(byte) => {
                while self.bytes.get(self.at).is_some_and(|&byte| is_word(byte)) {
                    self.at += 1;
                }
            }
            _ => {}
        }
    }

    fn open(&mut self, bracket: usize) {
        self.brackets[bracket] += 1;
        self.open += 1;
    }

    fn close(&mut self, bracket: usize) {
        if self.brackets[bracket] > 0 {
            self.brackets[bracket] -= 1;
            self.open -= 1;
        }
    }

    /// What is still open was a comparison.
    fn close_angles(&mut self) {
        self.open -= self.angles;
        self.angles = 0;
    }

    fn end_statement(&mut self) {
        self.close_angles();
        self.chain = 0;
    }

    /// Does the line end stand between two things that no operator joins?
    fn ends_statement(&self) -> bool {
        let rest = self.bytes.get(self.at..).unwrap_or_default();
        let next = rest.iter().find(|byte| !matches!(byte, b' ' | b'\t' | b'\r'));
        is_operand_end(self.before) && next.is_none_or(|&byte| is_operand_start(byte))
    }

    /// To the end of a comment. What is none in some languages is skipped in them too: it opens little.
    fn comment(&mut self) -> bool {
        let rest = self.bytes.get(self.at + 1..).unwrap_or_default();
        let length = match self.bytes.get(self.at) {
            Some(b'/') => rest.iter().position(|&byte| byte == b'\n').unwrap_or(rest.len()),
            Some(b'*') if !self.never_ends => {
                let Some(end) = rest.windows(2).position(|end| end == b"*/") else {
                    self.never_ends = true;
                    return false;
                };
                end + 2
            }
            _ => return false,
        };
        self.at += 1 + length;
        true
    }

    /// To the quote that ends the string, if there is one on this line.
    fn string(&mut self, quote: u8) {
        match end_of_string(self.bytes, self.at, self.unclosed, quote) {
            Ok(end) => self.at = end,
            Err(looked_until) => self.unclosed = self.unclosed.max(looked_until),
        }
    }
}

/// Behind the quote that ends a string which begins at `from`, if it is on this line; else how far was looked. Nothing
/// before `unclosed` is looked at again, so that a text of quotes takes no square of its length.
pub(crate) fn end_of_string(
    bytes: &[u8],
    from: usize,
    unclosed: usize,
    quote: u8,
) -> Result<usize, usize> {
    let mut at = from;
    while let Some(&byte) = bytes.get(at)
        && at >= unclosed
    {
        match byte {
            b'\n' => break,
            b'\\' => at += 1,
            _ if byte == quote => return Ok(at + 1),
            _ => {}
        }
        at += 1;
    }
    Err(at)
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$' | 0x80..)
}

fn is_operand_end(byte: u8) -> bool {
    is_word(byte) || matches!(byte, b')' | b']' | b'}' | b'"' | b'\'' | b'`')
}

fn is_operand_start(byte: u8) -> bool {
    is_word(byte)
        || matches!(byte, b'(' | b'[' | b'{' | b'\n' | b'"' | b'\'' | b'`' | b'#' | b'/' | b'@')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: usize, cut: Option<Cut>) {
        let (readable, why) = readable(text);
        assert_eq!((readable.len(), why), (expected, cut));
    }

    #[track_caller]
    fn check_whole(text: &str) {
        check(text, text.len(), None);
    }

    #[test]
    fn ix1_a_text_ends_where_too_much_is_open() {
        check(&"(".repeat(60_000), 2500, Some(Cut::Depth));
        check(&"if (a) { b[(".repeat(60_000), 10_006, Some(Cut::Depth));
        check(&format!("class C {{}}\n{}", "A<".repeat(60_000)), 512, Some(Cut::Depth));
        check(&"ü<".repeat(60_000), 752, Some(Cut::Depth));
        check(&"A<//;\n".repeat(60_000), 1501, Some(Cut::Depth));
        check(&"A</*>*/".repeat(60_000), 1751, Some(Cut::Depth));
        check(&format!("/*{}", "A<".repeat(60_000)), 503, Some(Cut::Depth));
        check(&"a => ".repeat(60_000), 8332, Some(Cut::Depth));
        check(&"a,".repeat(600_000), 1_000_000, Some(Cut::Effort));
        check(&"(A) ".repeat(600_000), 6665, Some(Cut::Depth));
    }

    #[test]
    fn ix1_what_is_closed_again_is_read() {
        check_whole(&"f(a[i], {x}); ".repeat(20_000));
        check_whole(&format!("{}{}", "(".repeat(2000), ")".repeat(2000)));
        // A stray bracket keeps no other from being closed.
        check_whole(&"{ f(1}".repeat(2000));
        check_whole(&format!("f({}b);", "a + ".repeat(20_000)));
        check_whole(&"int a[] = {\n1, 2,\n3, 4 };\n".repeat(20_000));
        check_whole(&format!("x = [{}]", "1,\n".repeat(20_000)));
    }

    #[test]
    fn ix1_comparisons_and_brackets_in_strings_open_nothing() {
        check_whole(&"if a < b:\n    c << d\n".repeat(20_000));
        check_whole(&"for (i = 0; i < n; i++) { a<b }".repeat(20_000));
        check_whole(&"x == '(' || y == \"\\\"(\" || `[`\n".repeat(20_000));
        check_whole(&"f() // don't (\n/* { */ /* [ \n */".repeat(20_000));
        check_whole(&"don't {}\n".repeat(20_000));
        check_whole(&"x =~ /\\(\\[/ && y\n".repeat(20_000));
        check_whole(&"echo a b c\n".repeat(20_000));
    }
}
