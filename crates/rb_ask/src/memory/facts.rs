//! Facts from the sentences of an answer, each of which can be understood by itself.
//!
//! Sentences of one statement stay together, and one that begins with "It" or "Otherwise" stays with the one before it.

use super::Fact;
use crate::answer::{Statement, Support};
use crate::citation::CheckedCitation;

/// Characters of a fact, beyond which no other statement is added.
const LONGEST: usize = 400;

/// Words that a sentence begins with if it goes on from the one before it.
const BEGINNINGS: &str = "afterwards also else finally instead it its itself last next otherwise so that their then these they this";
/// The same in the second place: "If it", "Last, they".
const PRONOUNS: &str = "it its their them these they";

/// What is verified of a section.
pub(super) fn facts(sentences: &[Statement]) -> Vec<Fact> {
    let mut groups: Vec<Vec<&Statement>> = Vec::new();
    for sentence in sentences {
        match groups.last_mut().filter(|group| goes_on(group, sentence)) {
            Some(group) => group.push(sentence),
            None => groups.push(vec![sentence]),
        }
    }
    groups.iter().filter_map(|group| fact(group)).collect()
}

fn goes_on(group: &[&Statement], sentence: &Statement) -> bool {
    let is_same_statement = group.last().is_some_and(|before| {
        let is_one = sentence.goes_on || before.citations == sentence.citations;
        is_one && !sentence.citations.is_empty()
    });
    let chars = || group.iter().map(|before| before.text.chars().count()).sum::<usize>();
    is_same_statement || (refers_back(&sentence.text) && chars() < LONGEST)
}

/// Whether a sentence is about what another one before it names.
pub(super) fn refers_back(sentence: &str) -> bool {
    let is_mark = |c: char| ",;:.()*_\"'-".contains(c);
    let words = sentence.split_whitespace().map(|word| word.trim_matches(is_mark));
    let mut words = words.filter(|word| !word.is_empty()).map(str::to_lowercase);
    let mut next_is_of =
        |list: &str| words.next().is_some_and(|word| list.split(' ').any(|listed| listed == word));
    next_is_of(BEGINNINGS) || next_is_of(PRONOUNS)
}

/// The sentences up to the first that is not verified: those after it may go on from that one.
fn fact(group: &[&Statement]) -> Option<Fact> {
    let mut texts: Vec<&str> = Vec::new();
    let mut citations: Vec<CheckedCitation> = Vec::new();
    for sentence in group.iter().take_while(|sentence| !sentence.is_unverified()) {
        if sentence.support == Support::Verified {
            let is_usable = |cited: &&CheckedCitation| cited.is_valid() && cited.hash.is_some();
            let usable: Vec<_> = sentence.citations.iter().filter(is_usable).collect();
            if usable.is_empty() {
                break;
            }
            for cited in usable {
                if !citations.contains(cited) {
                    citations.push(cited.clone());
                }
            }
        }
        texts.push(&sentence.text);
    }
    (!citations.is_empty()).then(|| Fact { text: texts.join(" "), citations })
}
