//! The skeleton of a text: what is left when case, look-alikes, fancy forms, accents, unseen characters and punctuation no
//! longer make a difference, with the way back to offsets of the text.
//!
//! Words are parted by one space, sentences by one full stop. Digits become the letters they stand in for, and `l` becomes
//! `i`, because `1` and `|` may be either; `hits` looks at the text again and tells them apart. The text is not changed.

use unicode_normalization::char::decompose_compatible;

use crate::confusable::{is_mark, is_unseen, look_alike};

/// A folded text. `marks` says where the offset in the text stops growing in step with the one in the skeleton.
#[derive(Debug, Default)]
pub(crate) struct Skeleton {
    pub(crate) text: String,
    marks: Vec<(u32, u32)>,
}

impl Skeleton {
    /// Where in the text the byte at `at` of the skeleton comes from.
    pub(crate) fn origin(&self, at: usize) -> usize {
        let at = narrow(at);
        let nth = self.marks.partition_point(|mark| mark.0 <= at);
        let (folded, source) = nth.checked_sub(1).map_or((0, 0), |n| self.marks[n]);
        (source + (at - folded)) as usize
    }

    /// Adds one character that comes from `source`.
    pub(crate) fn push(&mut self, c: char, source: usize) {
        let (at, source) = (narrow(self.text.len()), narrow(source));
        let (folded, from) = self.marks.last().copied().unwrap_or_default();
        if from + (at - folded) != source {
            self.marks.push((at, source));
        }
        self.text.push(c);
    }
}

/// Texts are cut to `LONGEST` before they are folded, far below what 32 bits count.
fn narrow(at: usize) -> u32 {
    u32::try_from(at).expect("a text is cut to its longest length first")
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Gap {
    None,
    Words,
    Sentences,
}

/// What stands between two words so far.
struct Between {
    gap: Gap,
    /// The byte before.
    last: u8,
    /// A value of a table ended.
    value: bool,
    start: usize,
    lines: u8,
    stop: bool,
}

pub(crate) fn fold(text: &str) -> Skeleton {
    let mut folder = Folder { out: Skeleton::default(), between: Between::none() };
    folder.out.text.reserve(text.len());
    let bytes = text.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        let byte = bytes[at];
        if is_escaped_gap(&bytes[at..]) {
            folder.separator(b'\n', at);
            at += 2;
        } else if byte.is_ascii() {
            let next = bytes.get(at + 1).copied().unwrap_or(b' ');
            let before = if at == 0 { b' ' } else { bytes[at - 1] };
            folder.ascii(byte, before, next, at);
            at += 1;
        } else {
            let c = text[at..].chars().next().expect("a lead byte begins a character");
            folder.wide(c, at);
            at += c.len_utf8();
        }
    }
    folder.out
}

/// The end of a line or a tab, as string literals write it.
fn is_escaped_gap(bytes: &[u8]) -> bool {
    matches!(bytes, [b'\\', b'n' | b'r' | b't', ..])
}

/// The letters of a piece of text as they are before digits and `l` are taken for other letters; no gaps.
pub(crate) fn letters(text: &str) -> Vec<char> {
    let mut out = Vec::new();
    let mut chars = text.char_indices();
    while let Some((at, c)) = chars.next() {
        if is_escaped_gap(&text.as_bytes()[at..]) {
            chars.next();
        } else if !c.is_ascii() {
            each_letter(c, |letter| out.push(letter));
        } else if fold_ascii(c as u8, b'a', b'a').is_some() {
            out.push(c.to_ascii_lowercase());
        }
    }
    out
}

struct Folder {
    out: Skeleton,
    between: Between,
}

impl Between {
    fn none() -> Self {
        Between { gap: Gap::None, last: 0, value: false, start: 0, lines: 0, stop: false }
    }
}

impl Folder {
    fn ascii(&mut self, byte: u8, before: u8, next: u8, at: usize) {
        match fold_ascii(byte, before, next) {
            Some(letter) => self.letter(char::from(letter), at),
            None if byte == b'-' && next == b' ' && self.between.lines > 0 && before != b'-' => {
                self.separator(b';', at);
            }
            None => self.separator(byte, at),
        }
    }

    fn wide(&mut self, c: char, at: usize) {
        if is_unseen(c) || is_mark(c) {
            return;
        }
        let mut any = false;
        each_letter(c, |letter| {
            any = true;
            self.letter(canonical(letter), at);
        });
        if !any {
            let is_stop = matches!(c, '。' | '！' | '？' | '।' | '؟' | '．' | '｡');
            self.separator(if is_stop { b';' } else { b',' }, at);
        }
    }

    fn letter(&mut self, c: char, at: usize) {
        match self.between.gap {
            Gap::None => {}
            Gap::Words => self.out.push(' ', self.between.start),
            Gap::Sentences => self.out.push('.', self.between.start),
        }
        self.between = Between::none();
        self.out.push(c, at);
    }

    fn separator(&mut self, byte: u8, at: usize) {
        let between = &mut self.between;
        if between.gap == Gap::None {
            between.gap = Gap::Words;
            between.start = at;
        }
        match byte {
            b'\n' => {
                between.lines += u8::from(between.lines < 2);
                if between.stop || between.lines > 1 || between.value {
                    between.gap = Gap::Sentences;
                }
            }
            b' ' | b'\t' | b'\r' if between.stop => between.gap = Gap::Sentences,
            b'.' | b'?' | b'!' => between.stop = true,
            b';' | b'{' | b'}' => between.gap = Gap::Sentences,
            // `"…": "…",` parts names and values.
            b':' if between.last == b'"' => between.gap = Gap::Sentences,
            b',' if between.last == b'"' => between.value = true,
            _ => {}
        }
        between.last = byte;
    }
}

/// The letters that one character stands for, lower-case, in Latin where it looks Latin.
fn each_letter(c: char, mut give: impl FnMut(char)) {
    if is_unseen(c) || is_mark(c) {
        return;
    }
    if let Some(latin) = look_alike(c) {
        return give(latin);
    }
    decompose_compatible(c, |part| {
        if is_unseen(part) || is_mark(part) {
            return;
        }
        if let Some(latin) = look_alike(part) {
            return give(latin);
        }
        for lower in part.to_lowercase() {
            match look_alike(lower) {
                Some(latin) => give(latin),
                None if is_word(lower) => give(lower),
                None => {}
            }
        }
    });
}

/// Letters, digits, and the vowel signs of Indic and Japanese writing, which are no letters to Unicode.
fn is_word(c: char) -> bool {
    c.is_alphanumeric()
        || matches!(c, '\u{900}'..='\u{dff}' | '\u{3099}' | '\u{309a}') && !matches!(c, '।' | '॥')
}

fn canonical(c: char) -> char {
    match u8::try_from(c) {
        Ok(byte) if byte.is_ascii() => fold_ascii(byte, b'a', b'a').map_or(c, char::from),
        _ => c,
    }
}

/// The letter for an ASCII byte. A symbol stands for a letter only where it leads on to another one: `pr@mpt`, `!gnore`.
fn fold_ascii(byte: u8, before: u8, next: u8) -> Option<u8> {
    match byte {
        b'l' | b'L' | b'1' => Some(b'i'),
        b'a'..=b'z' => Some(byte),
        b'A'..=b'Z' => Some(byte.to_ascii_lowercase()),
        b'0' => Some(b'o'),
        b'2' => Some(b'z'),
        b'3' => Some(b'e'),
        b'4' => Some(b'a'),
        b'5' => Some(b's'),
        b'6' | b'9' => Some(b'g'),
        b'7' => Some(b't'),
        b'8' => Some(b'b'),
        b'@' | b'$' | b'!' | b'|' => {
            let leads = |byte: u8| byte.is_ascii_alphanumeric() || is_stand_in(byte);
            let inside = leads(next) && (leads(before) || before.is_ascii_whitespace());
            inside.then_some(match byte {
                b'@' => b'a',
                b'$' => b's',
                _ => b'i',
            })
        }
        _ => None,
    }
}

/// Whether an ASCII symbol may have been taken for a letter.
pub(crate) fn is_stand_in(byte: u8) -> bool {
    matches!(byte, b'@' | b'$' | b'!' | b'|')
}
