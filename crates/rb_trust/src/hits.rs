//! Where the words of `words` stand in a skeleton, and whether they were written in disguise.

use std::collections::HashSet;

use unicode_normalization::char::decompose_compatible;

use crate::confusable::{Script, is_mark, is_unseen, look_alike, script};
use crate::finding::Disguise;
use crate::fold::{self, Skeleton};
use crate::words::{Class, LEXICON, Lang, Sense, Word};

/// A word at a place of the skeleton.
#[derive(Debug, Clone)]
pub(crate) struct Hit {
    pub(crate) start: usize,
    pub(crate) end: usize,
    pub(crate) lang: Lang,
    pub(crate) class: Class,
    word: usize,
}

/// What ends a word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Edges {
    /// Only gaps: a text.
    Gaps,
    /// Nothing: letters without gaps.
    Anywhere,
}

#[derive(Clone, Copy)]
struct Raw {
    start: usize,
    end: usize,
    word: usize,
    left: bool,
    right: bool,
}

/// All words, by place. The text of the skeleton is `source`.
pub(crate) fn hits(view: &Skeleton, source: &str, edges: Edges) -> Vec<Hit> {
    let (mut raws, mut loose) =
        raws(view, source, edges).into_iter().partition::<Vec<Raw>, _>(Raw::fits);
    match edges {
        Edges::Gaps if loose.iter().any(Raw::opens_row) => {
            loose.extend(raws.iter().copied());
            loose.sort_by_key(|raw| (raw.start, raw.end, raw.word));
            let glued = glued(&loose);
            raws.extend(
                loose
                    .into_iter()
                    .filter(|raw| !raw.fits() && glued.contains(&(raw.start, raw.end))),
            );
        }
        Edges::Gaps => {}
        Edges::Anywhere => {
            raws.append(&mut loose);
            raws.retain(|raw| raw.end - raw.start > 2);
        }
    }
    let mut out = Vec::with_capacity(raws.len());
    for raw in &raws {
        let word = &LEXICON.words[raw.word];
        if !is_written(word, span(view, source, raw.start, raw.end)) {
            continue;
        }
        let is_loose = edges == Edges::Anywhere || !raw.fits();
        for sense in word.senses.iter().filter(|sense| is_loose || raw.fits_sense(sense)) {
            let (lang, class) = (sense.lang, sense.class);
            out.push(Hit { start: raw.start, end: raw.end, lang, class, word: raw.word });
        }
    }
    out.sort_by_key(|hit| (hit.start, hit.end, hit.lang, hit.class));
    out
}

impl Raw {
    fn fits(&self) -> bool {
        LEXICON.words[self.word].senses.iter().any(|sense| self.fits_sense(sense))
    }

    fn fits_sense(&self, sense: &Sense) -> bool {
        (self.left || sense.goes_before) && (self.right || sense.goes_on)
    }

    /// A verb at the start of a word that goes on.
    fn opens_row(&self) -> bool {
        let is_verb = |sense: &Sense| matches!(sense.class, Class::Ignore | Class::Reveal);
        self.left && !self.right && LEXICON.words[self.word].senses.iter().any(is_verb)
    }
}

fn raws(view: &Skeleton, source: &str, edges: Edges) -> Vec<Raw> {
    let finder = match edges {
        Edges::Gaps => &LEXICON.finder,
        Edges::Anywhere => &LEXICON.squeezed,
    };
    let bytes = view.text.as_bytes();
    let is_stand_in =
        |at: usize| source.as_bytes().get(view.origin(at)).is_some_and(|b| fold::is_stand_in(*b));
    // A letter of ASCII goes on to the word unless it is a symbol that was taken for one.
    let is_edge = |at: usize| match bytes[at] {
        b' ' | b'.' => true,
        byte if byte.is_ascii() => {
            byte == b'a' && is_stand_in(at) || matches!(byte, b's' | b'i') && is_stand_in(at)
        }
        _ => is_foreign(&view.text, at),
    };
    let mut out = Vec::new();
    for found in finder.find_overlapping_iter(&view.text) {
        let (start, end) = (found.start(), found.end());
        let left = start == 0 || is_edge(start - 1);
        let right = end == bytes.len() || is_edge(end);
        if left || right || end - start > 2 {
            out.push(Raw { start, end, word: found.pattern().as_usize(), left, right });
        }
    }
    out
}

/// Whether the character that holds byte `at` belongs to writing without spaces.
fn is_foreign(text: &str, at: usize) -> bool {
    let mut from = at;
    while !text.is_char_boundary(from) {
        from -= 1;
    }
    text[from..]
        .chars()
        .next()
        .is_some_and(|c| matches!(c, '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{9fff}'))
}

/// Words written together without a gap: `ignorepreviousinstructions`. They count when the row of them ends at gaps.
fn glued(raws: &[Raw]) -> HashSet<(usize, usize)> {
    let long: Vec<&Raw> = raws.iter().filter(|raw| raw.end - raw.start > 2).collect();
    let mut open: HashSet<usize> = HashSet::new();
    for raw in &long {
        if raw.opens_row() || open.contains(&raw.start) {
            open.insert(raw.end);
        }
    }
    let mut out = HashSet::new();
    let mut closed: HashSet<usize> = HashSet::new();
    for raw in long.iter().rev() {
        let leads_on = (raw.right && open.contains(&raw.start)) || closed.contains(&raw.end);
        if leads_on && (open.contains(&raw.start) || raw.left) {
            closed.insert(raw.start);
            out.insert((raw.start, raw.end));
        }
    }
    out
}

/// The piece of the text that a piece of the skeleton was made of.
pub(crate) fn span<'s>(view: &Skeleton, source: &'s str, start: usize, end: usize) -> &'s str {
    let (from, to) = range(view, source, start, end);
    &source[from..to]
}

pub(crate) fn range(view: &Skeleton, source: &str, start: usize, end: usize) -> (usize, usize) {
    let mut last = end - 1;
    while !view.text.is_char_boundary(last) {
        last -= 1;
    }
    let from = view.origin(start);
    let tail = view.origin(last);
    let to = tail + source[tail..].chars().next().map_or(0, char::len_utf8);
    (from, to.max(from))
}

/// The skeleton takes `l` for `i`. A word of the text that differs in that is another word, unless it is long enough for
/// the likeness to be meant.
fn is_written(word: &Word, text: &str) -> bool {
    let mut letters = word.letters.iter();
    let same =
        |b: u8| letters.next().is_some_and(|letter| *letter == char::from(b.to_ascii_lowercase()));
    if text.bytes().filter(u8::is_ascii_alphabetic).all(same) && letters.next().is_none() {
        return true;
    }
    let written = fold::letters(text);
    let pairs = written.iter().zip(&word.letters);
    let unlike =
        pairs.filter(|(a, b)| a != b && a.is_ascii_alphabetic() && b.is_ascii_alphabetic()).count();
    let is_meant = word.letters.len() > 4
        && word
            .senses
            .iter()
            .any(|sense| sense.lang == Lang::ENGLISH && sense.class != Class::Summon);
    unlike == 0 || is_meant && unlike < 3
}

/// In what disguise a hit was written, if in any.
pub(crate) fn disguise(hit: &Hit, text: &str) -> Option<Disguise> {
    let word = &LEXICON.words[hit.word];
    if text.chars().any(is_unseen) {
        return Some(Disguise::Unseen);
    }
    if hit.lang.is_cyrillic() || !word.letters.iter().all(char::is_ascii) {
        return None;
    }
    if text.chars().any(|c| {
        look_alike(c).is_some()
            && script(c).is_some_and(|s| !matches!(s, Script::Latin | Script::Other))
    }) {
        return Some(Disguise::LookAlike);
    }
    if text.chars().any(is_fancy) || text.chars().filter(|c| is_mark(*c)).count() > 1 {
        return Some(Disguise::Fancy);
    }
    if is_leet(word, text) {
        return Some(Disguise::Leet);
    }
    is_zigzag(text).then_some(Disguise::Case)
}

fn is_leet(word: &Word, text: &str) -> bool {
    text.bytes().any(|b| b.is_ascii_digit() || fold::is_stand_in(b))
        && !word.letters.iter().any(char::is_ascii_digit)
        || fold::letters(text)
            .iter()
            .zip(&word.letters)
            .any(|(a, b)| a != b && a.is_ascii_alphabetic())
}

/// Full-width, mathematical, circled, small capitals: drawn for show, or to be missed.
fn is_fancy(c: char) -> bool {
    if c.is_ascii() {
        return false;
    }
    let mut plain = false;
    let mut accent = false;
    decompose_compatible(c, |part| {
        plain |= part.is_ascii_alphanumeric();
        accent |= is_mark(part);
    });
    plain && !accent && !matches!(c, 'ª' | 'º') || look_alike(c).is_some() && is_drawn(c)
}

/// Small capitals, phonetic letters and letters in boxes: no language is written in them.
fn is_drawn(c: char) -> bool {
    matches!(c, '\u{250}'..='\u{2af}' | '\u{1d00}'..='\u{1dbf}' | '\u{a720}'..='\u{a7ff}' | '\u{1f100}'..='\u{1f1ff}')
}

/// `IgNoRe`: capitals in more than one place inside of one word.
fn is_zigzag(text: &str) -> bool {
    text.split(|c: char| !c.is_ascii_alphabetic()).any(|word| {
        word.as_bytes()
            .windows(2)
            .filter(|w| w[0].is_ascii_lowercase() && w[1].is_ascii_uppercase())
            .count()
            > 1
    })
}
