//! Keeps a memory small: facts about the same files become one, then the oldest go.

use std::collections::BTreeSet;

use super::{Fact, Memory, path_of};

/// The longest text of a merged fact, in characters.
const MERGED: usize = 600;

impl Memory {
    /// Makes at most `limit` facts of all facts. Returns how many facts had to be dropped, which `dropped_facts` adds up.
    pub fn summarise(&mut self, limit: usize) -> usize {
        if self.facts.len() <= limit {
            return 0;
        }
        // From the newest on, so that a merged fact counts as new as its newest part.
        let mut groups: Vec<Group> = Vec::new();
        for fact in self.facts.drain(..).rev() {
            let files = files_of(&fact);
            let has_room = |group: &&mut Group| group.files == files && group.has_room_for(&fact);
            match groups.iter_mut().find(has_room) {
                Some(group) => group.facts.push(fact),
                None => groups.push(Group { files, facts: vec![fact] }),
            }
        }
        let dropped: usize = groups.iter().skip(limit).map(|group| group.facts.len()).sum();
        groups.truncate(limit);
        self.facts = groups.into_iter().rev().map(Group::merged).collect();
        let count = u32::try_from(dropped).unwrap_or(u32::MAX);
        self.dropped_facts = self.dropped_facts.saturating_add(count);
        dropped
    }
}

/// Facts that cite the same files, newest first.
struct Group {
    files: BTreeSet<String>,
    facts: Vec<Fact>,
}

impl Group {
    fn has_room_for(&self, fact: &Fact) -> bool {
        let chars = |fact: &Fact| fact.text.chars().count() + 1;
        self.facts.iter().map(chars).sum::<usize>() + chars(fact) <= MERGED
    }

    fn merged(self) -> Fact {
        let mut whole = Fact { text: String::new(), citations: Vec::new() };
        for fact in self.facts.into_iter().rev() {
            if !whole.text.is_empty() {
                whole.text.push(' ');
            }
            whole.text.push_str(&fact.text);
            for cited in fact.citations {
                if !whole.citations.contains(&cited) {
                    whole.citations.push(cited);
                }
            }
        }
        whole
    }
}

fn files_of(fact: &Fact) -> BTreeSet<String> {
    fact.citations.iter().map(|cited| path_of(cited).to_owned()).collect()
}
