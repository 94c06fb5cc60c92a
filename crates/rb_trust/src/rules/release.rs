//! "Ignore all previous instructions", and "previous instructions no longer apply".

use super::{ScanContext, Suspect};
use crate::finding::Kind;
use crate::place::TextKind;
use crate::words::Class;

/// How far behind the object a word may stand that belongs to it: "the rules you were given".
const BEHIND: usize = 26;
/// How far from its verb the object may stand.
const OBJECT: usize = 64;
/// How much of that may be other words.
const FILL: usize = 25;
/// How far before an English verb its object may stand: "previous instructions should be ignored".
const AHEAD: usize = 40;

/// A verb that lets go, with what it lets go of.
pub(super) fn dropped(scene: &ScanContext, nth: usize) -> Option<Suspect> {
    let sentence = scene.sentence(nth);
    let after = object(scene, nth, &sentence.after);
    let before = if scene.is_free_order(nth) { object(scene, nth, &sentence.before) } else { None };
    let (mut points, words) = after.into_iter().chain(before).max_by_key(|found| found.0)?;
    if scene.hits[nth].class == Class::Quit {
        points -= if words.iter().any(|n| scene.text(*n).starts_with("prompt")) { 45 } else { 28 };
    }
    if scene.is_weakened(nth) {
        points -= 30;
    } else if scene.is_command(nth) {
        points += 5;
    }
    // A guide says which of other instructions do not count.
    if scene.place == TextKind::Guide && !words.iter().any(|n| scene.hits[*n].class == Class::Prior)
    {
        points -= 15;
    }
    if points >= 30 {
        points += scene.around(nth).company();
    }
    Some(Suspect {
        kind: Kind::Override,
        points,
        words,
        why: "tells a model to drop its instructions",
    })
}

/// "… are void": the object stands before.
pub(super) fn moot(scene: &ScanContext, nth: usize) -> Option<Suspect> {
    let sentence = scene.sentence(nth);
    let near: Vec<usize> = sentence
        .before
        .iter()
        .copied()
        .filter(|n| scene.hits[*n].end + AHEAD > scene.hits[nth].start || scene.is_free_order(nth))
        .collect();
    let (points, words) = object(scene, nth, &near)?;
    let mut points = points - 14;
    if points >= 30 {
        points += scene.around(nth).company();
    }
    Some(Suspect {
        kind: Kind::Override,
        points,
        words,
        why: "says that a model's instructions no longer hold",
    })
}

/// What a verb lets go of: the object, and the words that say which.
struct Parts {
    order: Option<usize>,
    thing: Option<usize>,
    prior: Option<usize>,
    all: Option<usize>,
    your: Option<usize>,
}

/// Points for the object among words of one side of the verb, and the words used.
fn object(scene: &ScanContext, verb: usize, among: &[usize]) -> Option<(i32, Vec<usize>)> {
    let order = scene.first(among, Class::Order).filter(|n| is_near(scene, verb, *n));
    let thing = scene.first(among, Class::Thing).filter(|n| is_near(scene, verb, *n));
    let object = order.or(thing);
    let limit = object.map_or(usize::MAX, |n| scene.hits[n].end + BEHIND);
    let floor = object.map_or(0, |n| scene.hits[n].start.saturating_sub(BEHIND * 2));
    let part = |class: Class| {
        among.iter().copied().filter(|n| scene.hits[*n].class == class).find(|n| {
            let it = &scene.hits[*n];
            let is_other = object.is_none_or(|o| !overlap(scene, o, *n));
            // "instructions of the system" are hardly the reader's.
            let leads =
                class != Class::Your || scene.is_free_order(verb) || object.is_none_or(|o| *n < o);
            is_other && leads && it.start < limit && it.end >= floor
        })
    };
    let (prior, all, your) = (part(Class::Prior), part(Class::All), part(Class::Your));
    let points = worth(scene, verb, &Parts { order, thing, prior, all, your })?;
    let mut words: Vec<usize> =
        [Some(verb), object, prior, all, your].into_iter().flatten().collect();
    words.sort_unstable();
    Some((points, words))
}

fn is_near(scene: &ScanContext, verb: usize, other: usize) -> bool {
    let (at, it) = (&scene.hits[verb], &scene.hits[other]);
    let (reach, fill) = (OBJECT * at.lang.width(), FILL * at.lang.width());
    it.start < at.end + reach
        && it.end + reach > at.start
        && scene.unknown_between(verb, other) <= fill
}

fn worth(scene: &ScanContext, verb: usize, parts: &Parts) -> Option<i32> {
    let Parts { order, thing, prior, all, your } = *parts;
    let is_wide = all.is_some() || your.is_some();
    let opens = |n: usize, word: &str| scene.text(n).starts_with(word);
    Some(match (order, thing) {
        (Some(_), _) if prior.is_some() => 70 + 4 * i32::from(is_wide),
        (Some(_), _) if your.is_some() => 57,
        // Programs have prompts that can all be skipped.
        (Some(n), _) if all.is_some() && opens(n, "prompt") => 40,
        (Some(_), _) if all.is_some() => 57,
        (Some(n), _) if opens(n, "system") => 46,
        (Some(_), _) => 22,
        (None, Some(_)) if prior.is_some() && is_wide => 50,
        (None, Some(_)) if prior.is_some() => 38,
        (None, Some(_)) if your.is_some() => 42,
        (None, None) if [prior?, all?].iter().all(|n| is_near(scene, verb, *n)) => 46,
        (None, _) => return None,
    })
}

/// "system" inside of "system prompt" says nothing more.
fn overlap(scene: &ScanContext, one: usize, other: usize) -> bool {
    let (one, other) = (&scene.hits[one], &scene.hits[other]);
    one.start < other.end && other.start < one.end
}
