//! "You are now …", "new instructions:".

use super::{ScanContext, Suspect};
use crate::finding::Kind;
use crate::words::Class;

/// How far the new part may stand from "you are now".
const NEAR: usize = 80;

pub(super) fn another(scene: &ScanContext, nth: usize) -> Option<Suspect> {
    let sentence = scene.sentence(nth);
    let at = &scene.hits[nth];
    let reach = NEAR * at.lang.width();
    let near =
        |n: &usize| scene.hits[*n].start < at.end + reach && scene.hits[*n].end + reach > at.start;
    let mut among: Vec<usize> = sentence.after.iter().copied().filter(near).collect();
    if scene.is_free_order(nth) {
        among.extend(sentence.before.iter().copied().filter(near));
    }
    let persona = scene.first(&among, Class::Persona)?;
    let around = scene.around(nth);
    // Machines act as this and that, too.
    let opens = |n: usize, words: &[&str]| words.iter().any(|word| scene.text(n).starts_with(word));
    let is_vague = opens(nth, &["act as", "behave"]) && opens(persona, &["no ", "without"]);
    let personas = among.iter().filter(|n| scene.hits[**n].class == Class::Persona).count();
    let mut points = if is_vague { 46 } else { 52 } + 8 * i32::from(personas > 1);
    points += 8 * i32::from(around.has(Class::Model));
    points += 15 * i32::from(around.has(Class::Ignore) && around.has(Class::Order));
    if scene.is_weakened(nth) {
        points -= 25;
    }
    let mut words = vec![nth, persona];
    words.sort_unstable();
    Some(Suspect { kind: Kind::Role, points, words, why: "gives a model another role" })
}

/// "New instructions:" at the start of a sentence.
pub(super) fn fresh(scene: &ScanContext, nth: usize) -> Option<Suspect> {
    let at = &scene.hits[nth];
    let from = scene.view.origin(at.end - 1) + 1;
    let rest = scene
        .source
        .get(from..)?
        .trim_start_matches(|c: char| c == '*' || c == ']' || c.is_alphanumeric());
    let announces = rest.trim_start_matches(' ').starts_with([':', '：']);
    if !announces && !scene.is_command(nth) {
        return None;
    }
    let around = scene.around(nth);
    let mut points = 24 + 16 * i32::from(announces) + 6 * i32::from(scene.is_command(nth));
    points += 12
        * i32::from(
            around.has(Class::Reveal) && (around.has(Class::Keys) || around.has(Class::Own)),
        );
    points += 20
        * i32::from(
            around.has(Class::Ignore) && around.has(Class::Order) && around.has(Class::Prior),
        );
    points += 8 * i32::from(around.has(Class::Approve)) + 6 * i32::from(around.has(Class::Model));
    points += 10 * i32::from(around.has(Class::Hide) && around.has(Class::User));
    Some(Suspect { kind: Kind::Role, points, words: vec![nth], why: "announces new instructions" })
}
