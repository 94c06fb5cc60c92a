//! How dangerous a text is to a parser that recurses and backtracks, told without parsing it.
//!
//! `stack_needed` is a bound that holds for every text, whatever its brackets and quotes seem to say: no token can make the
//! parser or the walk go deeper than its share. `is_tangled` is a guess that spares the parser texts which it would take
//! too long over. It reads quotes, comments and brackets as a person would and can be misled, at the price of time alone.

use std::mem;

use crate::tree::end_of_string;

/// Bytes of stack for one token, measured with room to spare: for every shape of nesting that the grammar has, the
/// parser and the walk stay below the sum over its tokens, optimised or not.
const OPENER: u16 = 2600;
const WORD: u16 = 900;
const MARK: u16 = 1000;

/// More open brackets than this are not written by hand. What is in brackets may be parsed once for each of them.
const MAX_DEPTH: usize = 256;
/// More tokens than this without a comma, a semicolon or a new statement are not written by hand.
const MAX_CHAIN: u32 = 20_000;
/// `<` may open type arguments or compare; `({` and `([` may start a value, a pattern or a type. The parser tries the
/// one, then the other: each level inside of another doubles its work.
const MAX_DOUBTS: u16 = 9;
/// `a ? (b) : c => d` may give the arrow function `(b): c => d` or the one `c => d`. All that follows is read twice.
const MAX_CHOICES: u16 = 200;

/// The stack that parsing and walking the text takes at most.
pub(super) fn stack_needed(text: &str) -> usize {
    let mut needed: usize = 0;
    let mut before = Kind::Space;
    for byte in text.bytes() {
        let kind = KINDS[usize::from(byte)];
        needed += match kind {
            Kind::Space | Kind::Line => 0,
            Kind::Word => usize::from(WORD) * usize::from(before != Kind::Word),
            Kind::Open | Kind::Less => usize::from(OPENER),
            _ => usize::from(MARK),
        };
        before = kind;
    }
    needed
}

/// A cheap bound for `stack_needed`.
pub(super) fn stack_needed_at_most(text: &str) -> usize {
    text.len() * usize::from(OPENER)
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Space,
    Line,
    Word,
    Open,
    Close,
    Less,
    Greater,
    Quote,
    Template,
    Slash,
    Semicolon,
    Comma,
    Mark,
}

static KINDS: [Kind; 256] = kinds();

const fn kinds() -> [Kind; 256] {
    let mut kinds = [Kind::Mark; 256];
    let mut byte = 0;
    while byte < 256 {
        #[expect(clippy::cast_possible_truncation, reason = "below 256")]
        let kind = match byte as u8 {
            b'\n' => Kind::Line,
            b' ' | b'\t' | b'\r' => Kind::Space,
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'_' | b'$' | 0x80.. => Kind::Word,
            b'(' | b'[' | b'{' => Kind::Open,
            b')' | b']' | b'}' => Kind::Close,
            b'<' => Kind::Less,
            b'>' => Kind::Greater,
            b'"' | b'\'' => Kind::Quote,
            b'`' => Kind::Template,
            b'/' => Kind::Slash,
            b';' => Kind::Semicolon,
            b',' => Kind::Comma,
            _ => Kind::Mark,
        };
        kinds[byte] = kind;
        byte += 1;
    }
    kinds
}

/// Would the parser take far longer over the text than its length explains?
pub(super) fn is_tangled(text: &str, has_types: bool) -> bool {
    let top = Open { bracket: b'\n', doubts: 0, asked: false, choices: 0 };
    let bytes = text.as_bytes();
    Scan {
        bytes,
        at: 0,
        before: b'\n',
        word: (0, 0),
        open: vec![top],
        chain: 0,
        unclosed: 0,
        has_types,
    }
    .finds_a_tangle()
}

struct Scan<'t> {
    bytes: &'t [u8],
    at: usize,
    /// The last byte that is neither space nor comment.
    before: u8,
    /// Where the last word stands.
    word: (usize, usize),
    open: Vec<Open>,
    /// Tokens since something that ends what they belong to.
    chain: u32,
    /// Up to here, quotes and slashes stand for themselves: something was looked for in this line and not found.
    unclosed: usize,
    has_types: bool,
}

#[derive(Clone, Copy)]
struct Open {
    bracket: u8,
    /// How often its content may be read twice. `<` directly inside of `<` is a type in a type, which is no question.
    doubts: u16,
    /// `?` was seen in it, and no arrow since.
    asked: bool,
    /// Arrows that were seen after `?`.
    choices: u16,
}

/// `${`, which `}` closes to go on with the template.
const SUBSTITUTION: u8 = b'$';

impl Scan<'_> {
    fn finds_a_tangle(mut self) -> bool {
        while let Some(&byte) = self.bytes.get(self.at) {
            let start = self.at;
            self.at += 1;
            match KINDS[usize::from(byte)] {
                Kind::Space => continue,
                Kind::Line => {
                    if self.ends_statement() {
                        self.chain = 0;
                    }
                    continue;
                }
                Kind::Word => {
                    while self
                        .bytes
                        .get(self.at)
                        .is_some_and(|&byte| KINDS[usize::from(byte)] == Kind::Word)
                    {
                        self.at += 1;
                    }
                    self.word = (start, self.at);
                }
                Kind::Open => self.open(byte),
                Kind::Close => self.close(byte),
                Kind::Less if self.has_types => self.open(byte),
                Kind::Greater if self.before == b'=' => self.arrow(),
                Kind::Greater => {
                    self.open.pop_if(|open| open.bracket == b'<');
                }
                Kind::Quote => self.string(byte),
                Kind::Template => self.template(),
                Kind::Slash => {
                    if self.slash() {
                        continue;
                    }
                }
                Kind::Semicolon => {
                    self.close_angles();
                    self.innermost().choices = 0;
                    self.chain = 0;
                }
                Kind::Comma => self.chain = 0,
                Kind::Mark if byte == b'?' => self.innermost().asked = true,
                Kind::Less | Kind::Mark => {}
            }
            self.before = byte;
            self.chain += 1;
            let &mut Open { doubts, choices, .. } = self.innermost();
            if self.open.len() > MAX_DEPTH
                || self.chain > MAX_CHAIN
                || (self.has_types && (doubts > MAX_DOUBTS || choices > MAX_CHOICES))
            {
                return true;
            }
        }
        false
    }

    fn innermost(&mut self) -> &mut Open {
        self.open.last_mut().expect("the file itself is never closed")
    }

    fn open(&mut self, bracket: u8) {
        let around = *self.innermost();
        let doubtful = match bracket {
            b'<' => around.bracket != b'<',
            b'{' | b'[' => self.before == b'(',
            _ => false,
        };
        let doubts = around.doubts + u16::from(doubtful);
        self.open.push(Open { bracket, doubts, asked: false, choices: 0 });
    }

    fn arrow(&mut self) {
        let innermost = self.innermost();
        if mem::take(&mut innermost.asked) {
            innermost.choices = innermost.choices.saturating_add(1);
        }
    }

    /// Does a line end stand between two things that no operator joins?
    fn ends_statement(&self) -> bool {
        let ends = matches!(
            KINDS[usize::from(self.before)],
            Kind::Word | Kind::Close | Kind::Quote | Kind::Template
        );
        let rest = self.bytes.get(self.at..).unwrap_or_default();
        let next =
            rest.iter().map(|&byte| KINDS[usize::from(byte)]).find(|&kind| kind != Kind::Space);
        ends && next.is_none_or(|kind| {
            matches!(kind, Kind::Word | Kind::Open | Kind::Close | Kind::Quote | Kind::Template)
        })
    }

    fn close(&mut self, bracket: u8) {
        self.close_angles();
        let opener = match bracket {
            b')' => b'(',
            b']' => b'[',
            _ => b'{',
        };
        if bracket == b'}' && self.open.pop_if(|open| open.bracket == SUBSTITUTION).is_some() {
            self.template();
        } else {
            self.open.pop_if(|open| open.bracket == opener);
        }
    }

    /// What is still open was a comparison.
    fn close_angles(&mut self) {
        while self.open.pop_if(|open| open.bracket == b'<').is_some() {}
    }

    /// To the quote that ends the string. Where the line ends first, the quote is an apostrophe in the text of an element.
    fn string(&mut self, quote: u8) {
        match end_of_string(self.bytes, self.at, self.unclosed, quote) {
            Ok(end) => self.at = end,
            Err(looked_until) => self.unclosed = self.unclosed.max(looked_until),
        }
    }

    /// To the end of a template, or into its next substitution.
    fn template(&mut self) {
        while let Some(&byte) = self.bytes.get(self.at) {
            self.at += 1;
            match byte {
                b'\\' => self.at += 1,
                b'`' => return,
                b'$' if self.bytes.get(self.at) == Some(&b'{') => {
                    self.at += 1;
                    self.open(SUBSTITUTION);
                    return;
                }
                _ => {}
            }
        }
    }

    /// `true` for a comment, which is as good as nothing.
    fn slash(&mut self) -> bool {
        match self.bytes.get(self.at) {
            Some(b'/') => {
                self.at = self.find(b'\n', self.at);
                true
            }
            Some(b'*') => {
                self.at += 1;
                loop {
                    self.at = self.find(b'*', self.at) + 1;
                    if self.bytes.get(self.at).is_none_or(|&byte| byte == b'/') {
                        self.at += 1;
                        return true;
                    }
                }
            }
            _ => {
                if self.starts_expression() {
                    self.regex();
                }
                false
            }
        }
    }

    /// Can an expression start here, or is a slash a division?
    fn starts_expression(&self) -> bool {
        match KINDS[usize::from(self.before)] {
            Kind::Word => {
                let word = self.bytes.get(self.word.0..self.word.1).unwrap_or_default();
                matches!(
                    word,
                    b"return"
                        | b"typeof"
                        | b"case"
                        | b"in"
                        | b"of"
                        | b"do"
                        | b"else"
                        | b"void"
                        | b"throw"
                )
            }
            Kind::Close => self.before == b'}',
            Kind::Quote | Kind::Template => false,
            _ => true,
        }
    }

    /// To the end of a regular expression, if there is one on this line.
    fn regex(&mut self) {
        let mut at = self.at;
        let mut in_class = false;
        while let Some(&byte) = self.bytes.get(at)
            && at >= self.unclosed
        {
            match byte {
                b'\n' => break,
                b'\\' => at += 1,
                b'[' => in_class = true,
                b']' => in_class = false,
                b'/' if !in_class => {
                    self.at = at + 1;
                    return;
                }
                _ => {}
            }
            at += 1;
        }
        self.unclosed = self.unclosed.max(at);
    }

    fn find(&self, byte: u8, from: usize) -> usize {
        let rest = self.bytes.get(from..).unwrap_or_default();
        rest.iter().position(|&other| other == byte).map_or(self.bytes.len(), |found| from + found)
    }
}
