//! Words that borrow letters of another alphabet to look like something else: `раypal`.
//!
//! A line that is written in that alphabet anyway is left alone: there a Latin letter slipped in, which happens to every
//! translator. So are words with letters that look like nothing else: `Δt`, `µs`.

use crate::confusable::{Script, look_alike, script};
use crate::finding::Kind;
use crate::place::TextKind;
use crate::scan::Draft;

const SHORTEST: usize = 4;

pub(crate) fn look(text: &str, place: TextKind, out: &mut Vec<Draft>) {
    let mut from = 0;
    for line in text.split_inclusive('\n') {
        if !line.is_ascii()
            && line.chars().any(|c| matches!(c, '\u{370}'..='\u{58f}' | '\u{13a0}'..='\u{13ff}'))
        {
            one_line(line, from, place, out);
        }
        from += line.len();
    }
}

fn one_line(line: &str, from: usize, place: TextKind, out: &mut Vec<Draft>) {
    let mut pure: Vec<Script> = Vec::new();
    let mut mixed: Vec<(usize, &str, Script)> = Vec::new();
    for word in
        line.split(|c: char| !c.is_alphabetic()).filter(|word| !word.is_empty() && !word.is_ascii())
    {
        let at = word.as_ptr() as usize - line.as_ptr() as usize;
        match mixture(word) {
            Some(foreign) => mixed.push((at, word, foreign)),
            None => pure.extend(word.chars().filter_map(script).find(|s| *s != Script::Latin)),
        }
    }
    for (at, word, foreign) in mixed {
        if pure.contains(&foreign)
            || place == TextKind::Data && is_in_sentence(line, at, word.len())
        {
            continue;
        }
        let plain: String = word.chars().map(|c| look_alike(c).unwrap_or(c)).collect();
        let why = format!("looks like `{plain}` and is another word");
        let (start, end) = (from + at, from + at + word.len());
        out.push(Draft {
            kind: Kind::MixedScript,
            disguises: Vec::new(),
            start,
            end,
            score: 60,
            why,
        });
    }
}

/// Whether a value of a table is more than one word. Names matter there, slips in translations do not.
fn is_in_sentence(line: &str, at: usize, length: usize) -> bool {
    let ends = ['"', '\'', ',', '\t', ';', ':', '='];
    let before = line[..at].rsplit(ends).next().unwrap_or_default();
    let after = line[at + length..].split(ends).next().unwrap_or_default();
    let is_title = line[at..].chars().next().is_some_and(char::is_uppercase);
    is_title
        || before.trim_start().contains(' ')
        || after.trim_end().contains(' ')
        || before.ends_with(' ') && after.starts_with(' ')
}

/// The other alphabet of a mostly Latin word whose foreign letters all look Latin.
fn mixture(word: &str) -> Option<Script> {
    let (mut latin, mut count, mut foreign) = (0, 0, None);
    for c in word.chars() {
        match script(c)? {
            // Accents are of a language; what is imitated has none.
            Script::Latin if !c.is_ascii() => return None,
            Script::Latin => latin += 1,
            other
                if c != 'µ' && look_alike(c).is_some() && foreign.is_none_or(|it| it == other) =>
            {
                foreign = Some(other);
                count += 1;
            }
            _ => return None,
        }
    }
    foreign.filter(|_| latin + count >= SHORTEST && latin >= count)
}
