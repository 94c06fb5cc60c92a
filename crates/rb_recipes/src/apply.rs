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

/// Texts before and after; none for a file that is not there.
pub type Texts = (Option<Arc<str>>, Option<Arc<str>>);

#[derive(Debug, Clone)]
pub struct ChainChange {
    /// Its place in the plan.
    pub chain: usize,
    /// By path.
    pub files: BTreeMap<String, Texts>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refused {
    pub chain: usize,
    pub path: String,
    pub reason: String,
}

/// The texts after each chain.
pub fn apply(world: &dyn World, plan: &Plan) -> Applied {
    let mut files: BTreeMap<&str, FileState> = BTreeMap::new();
    let mut applied = Applied::default();
    for (at, chain) in plan.chains.iter().enumerate() {
        match step(world, &files, chain) {
            Ok(next) => {
                let changed = changed(&files, &next);
                files.extend(next);
                if !changed.is_empty() {
                    applied.changes.push(ChainChange { chain: at, files: changed });
                }
            }
            Err((path, reason)) => applied.refused.push(Refused { chain: at, path, reason }),
        }
    }
    applied
}

/// A file in the making: its first text, the edits made to it, what they give.
#[derive(Clone)]
struct FileState {
    first: Option<Arc<str>>,
    edits: Vec<Edit>,
    now: Option<Arc<str>>,
}

type FileStates<'p> = BTreeMap<&'p str, FileState>;

/// What a chain makes of its files; or the file that is in its way, and why.
fn step<'p>(
    world: &dyn World,
    files: &FileStates<'p>,
    chain: &'p Chain,
) -> Result<FileStates<'p>, (String, String)> {
    let mut next = FileStates::new();
    let state = |path: &str| match files.get(path) {
        Some(state) => state.clone(),
        None => {
            let text = world.text(path);
            FileState { first: text.clone(), edits: Vec::new(), now: text }
        }
    };
    let wrong = |path: &str| {
        let path = path.to_owned();
        move |reason: String| (path, reason)
    };
    for (path, edits) in &chain.edits {
        next.insert(path, edited(path, state(path), edits).map_err(wrong(path))?);
    }
    for (path, text) in &chain.created {
        // What is there and is no text is not replaced either.
        let is_known = files.contains_key(path.as_str());
        let is_there = state(path).now.is_some() || !is_known && world.size(path).is_some();
        next.insert(path, created(path, is_there, state(path), text).map_err(wrong(path))?);
    }
    for path in &chain.removed {
        let is_edited = chain.edits.contains_key(path) || chain.created.contains_key(path);
        next.insert(path, removed(state(path), is_edited).map_err(wrong(path))?);
    }
    Ok(next)
}

fn edited(path: &str, state: FileState, edits: &[Edit]) -> Result<FileState, String> {
    let (Some(first), Some(now)) = (state.first, state.now) else {
        return Err("the file cannot be read".to_owned());
    };
    let mut all = state.edits;
    for edit in edits {
        if all.contains(edit) {
            continue;
        }
        if all.iter().any(|it| it.touches(edit) && !(is_insertion(it) && is_insertion(edit))) {
            return Err("its edits overlap those of another chain".to_owned());
        }
        all.push(edit.clone());
    }
    let after = edit::apply(&first, &all).map_err(|error| error.to_string())?;
    if !still_parses(path, &now, &after) {
        return Err("the file would not parse".to_owned());
    }
    Ok(FileState { first: Some(first), edits: all, now: Some(after.into()) })
}

fn created(path: &str, is_there: bool, state: FileState, text: &str) -> Result<FileState, String> {
    if is_there {
        return Err("a file of this name exists".to_owned());
    }
    if !still_parses(path, "", text) {
        return Err("the file would not parse".to_owned());
    }
    // Its first text is none, so that no later chain edits it by offsets that it cannot know.
    Ok(FileState { now: Some(text.into()), ..state })
}

fn removed(state: FileState, is_edited: bool) -> Result<FileState, String> {
    if is_edited || !state.edits.is_empty() {
        return Err("the file is edited and removed".to_owned());
    }
    if state.first.is_none() || state.now.is_none() {
        return Err("the file cannot be read".to_owned());
    }
    Ok(FileState { now: None, ..state })
}

/// Files that have another text than before the chain.
fn changed(before: &FileStates<'_>, after: &FileStates<'_>) -> BTreeMap<String, Texts> {
    let mut changed = BTreeMap::new();
    for (path, state) in after {
        let old = before.get(path).map_or(&state.first, |before| &before.now);
        if *old != state.now {
            changed.insert((*path).to_owned(), (old.clone(), state.now.clone()));
        }
    }
    changed
}

fn is_insertion(edit: &Edit) -> bool {
    edit.start == edit.end
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::fmt::Write as _;

    use expect_test::{Expect, expect};

    use super::*;
    use crate::testing::Project;

    const FILES: &str = "//- a.py\na = 1\n//- b.py\nb = 1\n";

    fn chain(edited: &[&str], created: &[(&str, &str)], removed: &[&str]) -> Chain {
        let edit = |path: &&str| ((*path).to_owned(), vec![Edit::insert(0, "# new\n")]);
        let made = |(path, text): &(&str, &str)| ((*path).to_owned(), (*text).to_owned());
        Chain {
            edits: edited.iter().map(edit).collect(),
            created: created.iter().map(made).collect(),
            removed: removed.iter().map(|path| (*path).to_owned()).collect::<BTreeSet<String>>(),
            ..Chain::default()
        }
    }

    #[track_caller]
    fn check(chains: Vec<Chain>, expected: &Expect) {
        let plan = Plan { chains, ..Plan::default() };
        let applied = Project::new(FILES).with_world(|planning| apply(planning.world, &plan));
        let mut shown = String::new();
        for change in applied.changes {
            for (path, (before, after)) in change.files {
                writeln!(shown, "{}: {path}: {before:?} -> {after:?}", change.chain).unwrap();
            }
        }
        for it in applied.refused {
            writeln!(shown, "{}: {}: {}", it.chain, it.path, it.reason).unwrap();
        }
        expected.assert_eq(&shown);
    }

    #[test]
    fn st1_a_chain_creates_and_removes_files() {
        check(
            vec![chain(&["b.py"], &[("c/d.py", "d = 1\n")], &["a.py"])],
            &expect![[r##"
                0: a.py: Some("a = 1\n") -> None
                0: b.py: Some("b = 1\n") -> Some("# new\nb = 1\n")
                0: c/d.py: None -> Some("d = 1\n")
            "##]],
        );
    }

    #[test]
    fn st1_what_is_there_is_not_created_and_what_is_not_is_not_removed() {
        check(
            vec![
                chain(&[], &[("a.py", "x = 1\n")], &[]),
                chain(&[], &[], &["none.py"]),
                chain(&["a.py"], &[], &["a.py"]),
                chain(&[], &[("bad.py", "def (:\n")], &[]),
            ],
            &expect![[r#"
                0: a.py: a file of this name exists
                1: none.py: the file cannot be read
                2: a.py: the file is edited and removed
                3: bad.py: the file would not parse
            "#]],
        );
    }

    #[test]
    fn st1_chains_see_what_others_created_and_removed() {
        check(
            vec![
                chain(&[], &[("c.py", "c = 1\n")], &["a.py"]),
                chain(&["a.py"], &[], &[]),
                chain(&["c.py"], &[], &[]),
                chain(&[], &[("c.py", "c = 2\n")], &[]),
                chain(&["b.py"], &[], &[]),
                chain(&[], &[], &["b.py"]),
                chain(&[], &[("a.py", "a = 2\n")], &[]),
            ],
            &expect![[r##"
                0: a.py: Some("a = 1\n") -> None
                0: c.py: None -> Some("c = 1\n")
                4: b.py: Some("b = 1\n") -> Some("# new\nb = 1\n")
                6: a.py: None -> Some("a = 2\n")
                1: a.py: the file cannot be read
                2: c.py: the file cannot be read
                3: c.py: a file of this name exists
                5: b.py: the file is edited and removed
            "##]],
        );
    }
}
