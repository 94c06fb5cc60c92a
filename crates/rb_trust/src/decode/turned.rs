//! Text with its letters moved by thirteen, or written backwards. English only: a few long words give either away.

use std::sync::LazyLock;

use aho_corasick::AhoCorasick;

use super::Candidate;
use crate::finding::Disguise;

const WORDS: [&str; 14] = [
    "ignore",
    "disregard",
    "instruction",
    "previous",
    "prompt",
    "forget",
    "system",
    "override",
    "assistant",
    "reveal",
    "language model",
    "api key",
    "environment",
    "restrictions",
];
/// How much text around such a word is read, either way.
const AROUND: usize = 400;
const MOST: usize = 200;

static FINDER: LazyLock<AhoCorasick> = LazyLock::new(|| {
    let turned = WORDS.iter().map(|word| rot13(word));
    let reversed = WORDS.iter().map(|word| word.chars().rev().collect());
    AhoCorasick::builder()
        .ascii_case_insensitive(true)
        .build(turned.chain(reversed))
        .expect("a few words make an automaton")
});

pub(super) fn find(text: &str, out: &mut Vec<Candidate>) {
    let mut done = [0, 0];
    for found in FINDER.find_iter(text).take(MOST) {
        let is_reversed = found.pattern().as_usize() >= WORDS.len();
        let end = &mut done[usize::from(is_reversed)];
        if found.start() < *end {
            continue;
        }
        let (start, stop) = window(text, found.start(), found.end());
        *end = stop;
        let piece = &text[start..stop];
        let (coding, text) = if is_reversed {
            (Disguise::Reversed, piece.chars().rev().collect())
        } else {
            (Disguise::Rot13, rot13(piece))
        };
        out.push(Candidate { start, end: stop, coding, text });
    }
}

fn window(text: &str, start: usize, end: usize) -> (usize, usize) {
    let mut from = start.saturating_sub(AROUND);
    while !text.is_char_boundary(from) {
        from += 1;
    }
    let mut to = (end + AROUND).min(text.len());
    while !text.is_char_boundary(to) {
        to -= 1;
    }
    // Another paragraph is another text.
    let from = text[from..start].rfind("\n\n").map_or(from, |n| from + n);
    let to = text[end..to].find("\n\n").map_or(to, |n| end + n);
    (from, to)
}

fn rot13(text: &str) -> String {
    let turn = |c: char| match c {
        'a'..='m' | 'A'..='M' => char::from(c as u8 + 13),
        'n'..='z' | 'N'..='Z' => char::from(c as u8 - 13),
        _ => c,
    };
    text.chars().map(turn).collect()
}
