//! From a plan to texts: chain by chain, each as a whole.
//!
//! All edits refer to the texts that were planned over, so that a chain can be left out without harm to the others. A chain
//! that would break a file, or that meets another one, is refused: that is a fault of its recipe, and is said.

use std::collections::BTreeMap;
use std::sync::Arc;

use rb_core::{Edit, edit};
use rb_rules::World;
use rb_rules::engine::still_parses;

use crate::plan::{Chain, Plan};

/// What came of a plan.
#[derive(Debug, Clone, Default)]
pub struct Applied {
    /// In the order of the plan. The text before is the one that the chain before left.
    pub changes: Vec<ChainChange>,
    pub refused: Vec<Refused>,
}

#[derive(Debug, Clone)]
pub struct ChainChange {
    /// Its place in the plan.
    pub chain: usize,
    /// Texts before and after, by path.
    pub files: BTreeMap<String, (Arc<str>, Arc<str>)>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refused {
    pub chain: usize,
    pub path: String,
    pub reason: String,
}

/// The texts after each chain.
pub fn apply(world: &dyn World, plan: &Plan) -> Applied {
    let mut texts: BTreeMap<&str, Text> = BTreeMap::new();
    let mut applied = Applied::default();
    for (at, chain) in plan.chains.iter().enumerate() {
        match step(world, &mut texts, chain) {
            Ok(files) if files.is_empty() => {}
            Ok(files) => applied.changes.push(ChainChange { chain: at, files }),
            Err((path, reason)) => applied.refused.push(Refused { chain: at, path, reason }),
        }
    }
    applied
}

/// A file in the making: its first text, the edits made to it, what they give.
struct Text {
    first: Arc<str>,
    edits: Vec<Edit>,
    now: Arc<str>,
}

type Files = BTreeMap<String, (Arc<str>, Arc<str>)>;

fn step<'p>(
    world: &dyn World,
    texts: &mut BTreeMap<&'p str, Text>,
    chain: &'p Chain,
) -> Result<Files, (String, String)> {
    let mut next: Vec<(&'p str, Text)> = Vec::new();
    for (path, edits) in &chain.edits {
        let wrong = |reason: &str| (path.clone(), reason.to_owned());
        let (first, done, now) = match texts.get(path.as_str()) {
            Some(text) => (Arc::clone(&text.first), text.edits.clone(), Arc::clone(&text.now)),
            None => {
                let text = world.text(path).ok_or_else(|| wrong("the file cannot be read"))?;
                (Arc::clone(&text), Vec::new(), text)
            }
        };
        let mut all = done;
        for edit in edits {
            if all.contains(edit) {
                continue;
            }
            if all.iter().any(|it| it.touches(edit) && !(is_insertion(it) && is_insertion(edit))) {
                return Err(wrong("its edits overlap those of another chain"));
            }
            all.push(edit.clone());
        }
        let after = edit::apply(&first, &all).map_err(|error| wrong(&error.to_string()))?;
        if !still_parses(path, &now, &after) {
            return Err(wrong("the file would not parse"));
        }
        next.push((path, Text { first, edits: all, now: after.into() }));
    }
    let mut files = Files::new();
    for (path, text) in next {
        let before = match texts.get(path) {
            Some(before) => Arc::clone(&before.now),
            None => Arc::clone(&text.first),
        };
        if before != text.now {
            files.insert(path.to_owned(), (before, Arc::clone(&text.now)));
        }
        texts.insert(path, text);
    }
    Ok(files)
}

fn is_insertion(edit: &Edit) -> bool {
    edit.start == edit.end
}
