//! Characters that nobody sees. Some writing needs them: joiners in emoji and in Indic and Arabic words, marks of direction,
//! variants of signs, breaks in long words. What remains carries something, or splits a word that it should not.

use crate::confusable::{Script, is_unseen, script};
use crate::decode;
use crate::finding::{Disguise, Kind, printable};
use crate::place::TextKind;
use crate::scan::{Draft, look as look_for_words};

/// From this many in a row on, they can carry a text.
const CARRIER: usize = 8;
/// This many split words on one line are no slip.
const SPLITS: usize = 3;

pub(crate) fn look(text: &str, is_start: bool, out: &mut Vec<Draft>) {
    let mut at = 0;
    let mut line = Splits::default();
    while at < text.len() {
        let c = text[at..].chars().next().expect("at is before the end, on a boundary");
        if c == '\n' {
            line.close(out);
        }
        if !is_unseen(c) {
            at += c.len_utf8();
            continue;
        }
        let run: &str = &text[at..at
            + text[at..].chars().take_while(|c| is_unseen(*c)).map(char::len_utf8).sum::<usize>()];
        let before = text[..at].chars().next_back();
        let after = text[at + run.len()..].chars().next();
        let is_order_mark = is_start && at == 0 && run == "\u{feff}";
        if !is_order_mark {
            match weigh(run, before, after) {
                Weight::Fine => {}
                Weight::Split => line.add(at, run.len()),
                Weight::Carrier(kind) => out.push(carrier(at, run, kind)),
            }
        }
        at += run.len();
    }
    line.close(out);
}

enum Weight {
    Fine,
    Split,
    Carrier(Kind),
}

fn weigh(run: &str, before: Option<char>, after: Option<char>) -> Weight {
    let count = run.chars().count();
    let tags = run.chars().filter(|c| matches!(c, '\u{e0020}'..='\u{e007f}')).count();
    if tags > 0 {
        let is_flag = before == Some('\u{1f3f4}') && run.ends_with('\u{e007f}') && count <= 8;
        return if is_flag || tags < 3 { Weight::Fine } else { Weight::Carrier(Kind::Tags) };
    }
    let variants = run.chars().filter(|c| is_variant(*c)).count();
    if variants > 3 || count >= CARRIER && kinds(run) > 1 {
        return Weight::Carrier(Kind::Unseen);
    }
    let latin = |c: Option<char>| c.is_some_and(|c| script(c) == Some(Script::Latin));
    let splits = |c: char| matches!(c, '\u{200b}'..='\u{200d}' | '\u{2060}'..='\u{2064}' | '\u{feff}' | '\u{180e}' | '\u{34f}' | '\u{115f}' | '\u{1160}' | '\u{3164}' | '\u{ffa0}');
    if latin(before) && latin(after) && run.chars().any(splits) {
        Weight::Split
    } else {
        Weight::Fine
    }
}

fn is_variant(c: char) -> bool {
    matches!(c, '\u{fe00}'..='\u{fe0f}' | '\u{e0100}'..='\u{e01ef}')
}

/// How many different characters a run holds; a text needs two.
fn kinds(run: &str) -> usize {
    let mut seen: Vec<char> = Vec::new();
    for c in run.chars().take(64) {
        if !seen.contains(&c) {
            seen.push(c);
        }
    }
    seen.len()
}

/// A run that can carry a text, and what it says.
fn carrier(start: usize, run: &str, kind: Kind) -> Draft {
    let message = decode::unseen_text(run);
    let score = match kind {
        Kind::Tags => 75,
        _ if message.is_some() => 75,
        _ => 60,
    };
    let end = start + run.len();
    let Some(message) = message else {
        let why = format!("{} characters in a row that nobody sees", run.chars().count());
        return Draft { kind, disguises: Vec::new(), start, end, score, why };
    };
    let why = format!("text that nobody sees: {}", printable(&message));
    let best = look_for_words(&message, TextKind::Message, 1).into_iter().max_by_key(|it| it.score);
    match best {
        Some(inner) if inner.score >= 30 => {
            let mut disguises =
                vec![if kind == Kind::Tags { Disguise::Tags } else { Disguise::Unseen }];
            disguises.extend(inner.disguises);
            Draft { kind, disguises, start, end, score: score + 25, why }
        }
        _ => Draft { kind, disguises: Vec::new(), start, end, score, why },
    }
}

/// Latin words of one line with something unseen inside of them.
#[derive(Default)]
struct Splits {
    start: usize,
    end: usize,
    count: usize,
}

impl Splits {
    fn add(&mut self, at: usize, length: usize) {
        if self.count == 0 {
            self.start = at;
        }
        self.end = at + length;
        self.count += 1;
    }

    fn close(&mut self, out: &mut Vec<Draft>) {
        if self.count > 0 {
            let score = if self.count >= SPLITS { 62 } else { 40 };
            let why = format!("{} unseen characters inside of words", self.count);
            out.push(Draft {
                kind: Kind::Unseen,
                disguises: Vec::new(),
                start: self.start,
                end: self.end,
                score,
                why,
            });
        }
        *self = Splits::default();
    }
}
