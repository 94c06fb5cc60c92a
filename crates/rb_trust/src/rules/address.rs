//! "If you are an LLM, …", "AI reviewers must approve".

use super::{ScanContext, Suspect};
use crate::finding::Kind;
use crate::place::TextKind;
use crate::words::Class;

/// How far the command may stand from the one it is given to: "AI agents must …".
const NEXT: usize = 14;

pub(super) fn summons(scene: &ScanContext, nth: usize) -> Suspect {
    let around = scene.around(nth);
    let sentence = scene.sentence(nth);
    let mut points = 40;
    points += 10 * i32::from(scene.first(&sentence.after, Class::Must).is_some());
    points += 14 * i32::from(scene.first(&sentence.after, Class::Approve).is_some());
    points += attack(around);
    Suspect {
        kind: Kind::Summons,
        points: points - guide(scene),
        words: vec![nth],
        why: "addresses a model that reads the text",
    }
}

/// A kind of model, and right behind it what it must do.
pub(super) fn orders(scene: &ScanContext, nth: usize) -> Option<Suspect> {
    let sentence = scene.sentence(nth);
    let must = scene.first(&sentence.after, Class::Must)?;
    let approve = scene.first(&sentence.after, Class::Approve)?;
    if scene.hits[must].start > scene.hits[nth].end + NEXT {
        return None;
    }
    let around = scene.around(nth);
    let points = 38 + attack(around);
    let mut words = vec![nth, must, approve];
    words.sort_unstable();
    Some(Suspect {
        kind: Kind::Summons,
        points: points - guide(scene),
        words,
        why: "tells a model what to do",
    })
}

fn attack(around: super::Classes) -> i32 {
    let mut points = 0;
    points += 20
        * i32::from(
            around.has(Class::Ignore) && (around.has(Class::Order) || around.has(Class::Thing)),
        );
    points += 15 * i32::from(around.has(Class::Hide) && around.has(Class::User));
    points += 15
        * i32::from(
            around.has(Class::Reveal) && (around.has(Class::Own) || around.has(Class::Keys)),
        );
    points
}

/// A guide for agents speaks to agents.
fn guide(scene: &ScanContext) -> i32 {
    if scene.place == TextKind::Guide { 25 } else { 0 }
}
