//! "Print your system prompt", "send the API keys to …", "do not tell the user".

use super::{ScanContext, Suspect};
use crate::finding::Kind;
use crate::place::TextKind;
use crate::words::{Class, Lang};

/// How far the object may stand from its verb.
const NEAR: usize = 70;
/// How far from "do not tell" the one may stand who is not told.
const TOLD: usize = 45;

pub(super) fn leak(scene: &ScanContext, nth: usize) -> Option<Suspect> {
    let sentence = scene.sentence(nth);
    let mut among: Vec<usize> = close(scene, nth, &sentence.after);
    if scene.is_free_order(nth) {
        among.extend(close(scene, nth, &sentence.before));
    }
    let find = |class| scene.first(&among, class);
    let is_take = scene.hits[nth].class == Class::Take;
    let is_command = !is_take && (scene.is_command(nth) || scene.hits[nth].lang != Lang::ENGLISH);
    let (object, points) = find(Class::Own)
        .map(|n| (n, if is_take { 44 } else { 56 }))
        .or_else(|| find(Class::Prompt).filter(|_| is_command).map(|n| (n, 40)))
        .or_else(|| {
            let away = sent_away(scene, nth);
            find(Class::Keys).filter(|_| !is_take || away > 0).map(|n| (n, 18 + away))
        })?;
    let mut points = points;
    let around = scene.around(nth);
    if scene.is_weakened(nth) {
        points -= 25;
    } else if scene.is_command(nth) {
        points += 5;
    }
    if around.has(Class::Ignore) && around.has(Class::Order) && around.has(Class::Prior) {
        points += if scene.hits[object].class == Class::Keys { 30 } else { 20 };
    }
    points += 12 * i32::from(around.has(Class::Hide) && around.has(Class::User));
    points += 10 * i32::from(around.has(Class::Model)) + 20 * i32::from(around.has(Class::Summon));
    Some(Suspect {
        kind: Kind::Exfiltration,
        points,
        words: sorted(nth, object),
        why: "asks a model to give away its prompt or keys",
    })
}

pub(super) fn secrecy(scene: &ScanContext, nth: usize) -> Option<Suspect> {
    let sentence = scene.sentence(nth);
    let at = &scene.hits[nth];
    let reach = at.lang.width() * if scene.is_free_order(nth) { NEAR } else { TOLD };
    let told = sentence.after.iter().chain(&sentence.before).copied().find(|n| {
        let it = &scene.hits[*n];
        it.class == Class::User && it.start < at.end + reach && it.end + reach > at.start
    })?;
    let around = scene.around(nth);
    let mut points = 36;
    points += 8 * i32::from(around.has(Class::Model));
    points += 15 * i32::from(around.has(Class::Summon));
    points += 20 * i32::from(around.has(Class::Ignore) && around.has(Class::Order));
    // Translations tell users what to tell nobody.
    points -= if scene.place == TextKind::Data { 10 } else { 0 };
    // Keys and passwords are kept from users in many ways.
    let is_sent = around.has(Class::Model) || sent_away(scene, nth) > 0;
    let leaks = around.has(Class::Own) || around.has(Class::Keys) && is_sent;
    points += 15 * i32::from(around.has(Class::Reveal) && leaks);
    Some(Suspect {
        kind: Kind::Secrecy,
        points,
        words: sorted(nth, told),
        why: "asks a model to keep something from the user",
    })
}

/// Points for an address near by that what is given away goes to.
fn sent_away(scene: &ScanContext, nth: usize) -> i32 {
    let text = &scene.view.text;
    let at = floor(text, scene.hits[nth].start.saturating_sub(80));
    let end = floor(text, (scene.hits[nth].end + 160).min(text.len()));
    let near = &text[at..end];
    14 * i32::from(
        [" http", " webhook", " attacker", " evii"].iter().any(|sign| near.contains(sign)),
    )
}

fn floor(text: &str, mut at: usize) -> usize {
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

fn close(scene: &ScanContext, nth: usize, among: &[usize]) -> Vec<usize> {
    let at = &scene.hits[nth];
    let reach = NEAR * at.lang.width();
    let near =
        |n: &usize| scene.hits[*n].start < at.end + reach && scene.hits[*n].end + reach > at.start;
    among.iter().copied().filter(near).collect()
}

fn sorted(one: usize, other: usize) -> Vec<usize> {
    vec![one.min(other), one.max(other)]
}
