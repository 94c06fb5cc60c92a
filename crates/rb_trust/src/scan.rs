//! The scanner: every look at a text, what each is worth where it was found, and the report of it.
//!
//! Long texts are looked at in overlapping blocks, decoded ones to a fixed depth, so that work grows with the text alone.

use crate::finding::{Disguise, Finding, Kind, REPORTED, printable};
use crate::fold::{Skeleton, fold};
use crate::hits::{self, Edges};
use crate::place::TextKind;
use crate::rules::{ScanContext, Suspect, suspects};
use crate::words::Class;
use crate::{bidi, decode, hidden, mixed, spaced, terminal, tokens, unseen};

/// How often what was decoded is decoded again.
const DEEPEST: u8 = 3;
const BLOCK: usize = 1 << 20;
const OVERLAP: usize = 8 << 10;
/// A text that holds more is a table of such things; the first ones say enough.
const MOST: usize = 200;

/// A finding before its line and excerpt are known.
#[derive(Debug, Clone)]
pub(crate) struct Draft {
    pub(crate) kind: Kind,
    pub(crate) disguises: Vec<Disguise>,
    pub(crate) start: usize,
    pub(crate) end: usize,
    pub(crate) score: i32,
    pub(crate) why: String,
}

/// What is suspicious in `text`, by place in it; only what scores `REPORTED` or more.
pub fn scan(text: &str, place: TextKind) -> Vec<Finding> {
    let mut drafts = Vec::new();
    for (from, to) in blocks(text) {
        let block = &text[from..to];
        let mut found = look(block, place, 0);
        if !block.is_ascii() {
            unseen::look(block, from == 0, &mut found);
            bidi::look(block, place, &mut found);
            mixed::look(block, place, &mut found);
        }
        terminal::look(block, place, &mut found);
        for draft in &mut found {
            draft.start += from;
            draft.end += from;
        }
        drafts.append(&mut found);
    }
    drafts.retain(|draft| draft.score >= i32::from(REPORTED));
    report(text, settle(drafts))
}

fn blocks(text: &str) -> Vec<(usize, usize)> {
    let mut out = Vec::new();
    let mut from = 0;
    loop {
        let mut to = (from + BLOCK).min(text.len());
        while !text.is_char_boundary(to) {
            to += 1;
        }
        out.push((from, to));
        if to == text.len() {
            return out;
        }
        from = to - OVERLAP;
        while !text.is_char_boundary(from) {
            from -= 1;
        }
    }
}

/// Instructions in a text and in what it decodes to, with any score.
pub(crate) fn look(text: &str, place: TextKind, depth: u8) -> Vec<Draft> {
    let view = fold(text);
    let mut out = phrases(&view, text, place, Edges::Gaps);
    for run in spaced::runs(&view) {
        let close = phrases(&run, text, place, Edges::Anywhere);
        out.extend(close.into_iter().map(|mut draft| {
            draft.disguises.push(Disguise::Spaced);
            draft.score += 25;
            draft
        }));
    }
    tokens::look(text, place, &mut out);
    if depth < DEEPEST {
        decoded(text, depth, &mut out);
    }
    out
}

/// What decoding brings to light and was not to be read before.
fn decoded(text: &str, depth: u8, out: &mut Vec<Draft>) {
    let plain = out.clone();
    for candidate in decode::candidates(text) {
        let inner = look(&candidate.text, TextKind::Message, depth + 1);
        let Some(best) = inner.into_iter().max_by_key(|draft| draft.score) else { continue };
        let (start, end) = (candidate.start, candidate.end);
        let known = plain.iter().any(|it| it.kind == best.kind && it.start < end && start < it.end);
        if known || best.score < 35 {
            continue;
        }
        let mut disguises = vec![candidate.coding];
        disguises.extend(best.disguises);
        let why = format!("{}: {}", best.why, printable(&candidate.text[best.start..best.end]));
        out.push(Draft { kind: best.kind, disguises, start, end, score: best.score + 25, why });
    }
}

fn phrases(view: &Skeleton, source: &str, place: TextKind, edges: Edges) -> Vec<Draft> {
    let hits = hits::hits(view, source, edges);
    let scene = ScanContext { view, source, hits: &hits, place };
    suspects(&scene)
        .iter()
        .filter(|suspect| suspect.points >= 15)
        .map(|suspect| judge(&scene, suspect))
        .collect()
}

/// Points as they are for words in plain sight, and what hiding them adds or speaking about them takes away.
fn judge(scene: &ScanContext, suspect: &Suspect) -> Draft {
    let words = || suspect.words.iter().map(|nth| &scene.hits[*nth]);
    let first = words().map(|hit| hit.start).min().expect("a suspect has words");
    let last = words().map(|hit| hit.end).max().expect("a suspect has words");
    let (start, end) = hits::range(scene.view, scene.source, first, last);
    let mut disguises: Vec<Disguise> = words()
        // Passwords of examples are written so.
        .filter(|hit| hit.class != Class::Keys)
        .filter_map(|hit| {
            hits::disguise(hit, hits::span(scene.view, scene.source, hit.start, hit.end))
        })
        .collect();
    disguises.sort_unstable();
    disguises.dedup();
    let mut score = suspect.points;
    if let Some(disguise) = disguises.first() {
        score += if *disguise == Disguise::Case { 12 } else { 25 };
    }
    if let Some(place) = hidden::hidden(scene.source, start, end) {
        score += 25;
        disguises.insert(0, place);
    }
    if disguises.is_empty() && scene.around(suspect.words[0]).has(Class::Talk) {
        score -= if is_quoted(scene.source, start, end) { 30 } else { 15 };
    }
    if scene.place != TextKind::Message && is_name(&scene.source[start..end]) {
        score -= 25;
    }
    let lang = scene.hits[suspect.words[0]].lang.name();
    let why =
        if lang == "en" { suspect.why.to_owned() } else { format!("{} ({lang})", suspect.why) };
    Draft { kind: suspect.kind, disguises, start, end, score, why }
}

/// `forget_previous_instruction` in a file is a name before it is anything else.
fn is_name(text: &str) -> bool {
    text.contains(['_', '-'])
        && text.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_' || b == b'-')
}

/// Whether quotes stand around a place, on its line.
fn is_quoted(text: &str, start: usize, end: usize) -> bool {
    let line = text[..start].rfind('\n').map_or(0, |n| n + 1);
    let stop = text[end..].find('\n').map_or(text.len(), |n| end + n);
    let marks = ['"', '\'', '`', '“', '”', '«', '»', '‘', '’', '「', '」'];
    text[line..start].contains(marks) && text[end..stop].contains(marks)
}

/// By place; of drafts of one kind that overlap the surest, and no more than `MOST`.
fn settle(mut drafts: Vec<Draft>) -> Vec<Draft> {
    drafts
        .sort_by(|a, b| (a.start, b.score, a.end, a.kind).cmp(&(b.start, a.score, b.end, b.kind)));
    let mut out: Vec<Draft> = Vec::new();
    for draft in drafts {
        match out.iter_mut().rev().find(|kept| kept.kind == draft.kind) {
            Some(kept) if draft.start < kept.end => {
                if draft.score > kept.score {
                    let end = kept.end.max(draft.end);
                    *kept = Draft { start: kept.start, end, ..draft };
                }
            }
            _ => out.push(draft),
        }
    }
    out.sort_by_key(|draft| (draft.start, draft.end, draft.kind));
    out.truncate(MOST);
    out
}

fn report(text: &str, drafts: Vec<Draft>) -> Vec<Finding> {
    let (mut line, mut from, mut at) = (1, 0, 0);
    let mut out = Vec::with_capacity(drafts.len());
    for draft in drafts {
        for (offset, _) in text[at..draft.start].match_indices('\n') {
            line += 1;
            from = at + offset + 1;
        }
        at = draft.start;
        out.push(Finding {
            kind: draft.kind,
            disguises: draft.disguises,
            start: draft.start,
            end: draft.end,
            line,
            column: text[from..draft.start].chars().count() + 1,
            score: u8::try_from(draft.score.clamp(0, 100)).expect("clamped"),
            excerpt: printable(&text[draft.start..draft.end]),
            why: draft.why,
        });
    }
    out
}
