//! The gate before a patch is applied: scope, claims, budget, lockfiles, and whether it fits.
//!
//! `check` alone makes a `Checked`, and later code applies nothing else. All refusals are collected, so
//! that whoever proposed the patch learns of all of them at once.

use std::collections::BTreeSet;

use rb_core::RepoPath;
use rb_core::fs::FsError;
use rb_core::patch::{Change, Patch};
use thiserror::Error;

use super::apply::{FileChange, attempt, sentences};
use super::conflict::Conflict;
use super::folded::Folded;
use super::lockfile::is_lockfile;
use super::scope::Scope;
use super::tree::Tree;

/// What one task may change.
#[derive(Debug, Clone)]
pub struct Policy {
    pub scope: Scope,
    /// The most lines that may be added and removed together.
    pub diff_budget: Option<usize>,
    pub lockfiles: Lockfiles,
    /// The proposal's own `touched_files`, where it made any.
    pub claimed: Option<BTreeSet<RepoPath>>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Lockfiles {
    Refused,
    Allowed,
}

/// A patch that passed, with what it does. Only `check` makes one.
#[derive(Debug, Clone)]
pub struct Checked {
    patch: Patch,
    changes: Vec<FileChange>,
}

/// Why a patch may not be applied. Sorted as listed, then by path.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Error)]
pub enum Refusal {
    #[error("the patch changes nothing")]
    Empty,
    #[error("the patch touches {lines} lines, the budget is {budget}")]
    OverBudget { lines: usize, budget: usize },
    #[error("`{path}` is out of scope")]
    OutOfScope { path: RepoPath },
    #[error("`{path}` is changed but not listed in `touched_files`")]
    NotClaimed { path: RepoPath },
    #[error("`{path}` is listed in `touched_files` but not changed")]
    OnlyClaimed { path: RepoPath },
    #[error("`{path}` is a lockfile, which only its package manager may change")]
    Lockfile { path: RepoPath },
    #[error("`{path}` differs only by case from `{existing}`")]
    CaseTwin { path: RepoPath, existing: RepoPath },
    #[error(transparent)]
    DoesNotApply(Conflict),
}

#[derive(Debug, Error)]
pub enum CheckError {
    #[error("the patch is refused: {}", sentences(.0))]
    Refused(Vec<Refusal>),
    #[error("the files to change cannot be read")]
    Tree(#[from] FsError),
}

impl Checked {
    pub fn patch(&self) -> &Patch {
        &self.patch
    }

    /// Sorted by path, each path once.
    pub fn changes(&self) -> &[FileChange] {
        &self.changes
    }
}

/// Lets the patch pass, or gives every reason against it.
pub fn check(patch: Patch, tree: &dyn Tree, policy: &Policy) -> Result<Checked, CheckError> {
    let (changes, conflicts) = attempt(&patch, tree)?;
    let mut refusals: Vec<Refusal> = conflicts.into_iter().map(Refusal::DoesNotApply).collect();
    if refusals.is_empty() && changes.iter().all(|change| change.before == change.after) {
        refusals.push(Refusal::Empty);
    }
    let (added, removed) = patch.size();
    if let Some(budget) = policy.diff_budget.filter(|&budget| added + removed > budget) {
        refusals.push(Refusal::OverBudget { lines: added + removed, budget });
    }
    for path in patch.paths() {
        if !policy.scope.contains(path) {
            refusals.push(Refusal::OutOfScope { path: path.clone() });
        }
        if policy.lockfiles == Lockfiles::Refused && is_lockfile(path) {
            refusals.push(Refusal::Lockfile { path: path.clone() });
        }
    }
    refusals.extend(untrue_claims(&patch, policy));
    refusals.extend(case_twins(&patch, tree)?);
    refusals.sort();
    refusals.dedup();
    if refusals.is_empty() {
        Ok(Checked { patch, changes })
    } else {
        Err(CheckError::Refused(refusals))
    }
}

/// `touched_files` must name every path of the patch, both ends of a rename included, and no other.
fn untrue_claims(patch: &Patch, policy: &Policy) -> Vec<Refusal> {
    let Some(claimed) = &policy.claimed else { return Vec::new() };
    let touched: BTreeSet<&RepoPath> = patch.paths().into_iter().collect();
    let silent = touched.iter().filter(|path| !claimed.contains(**path));
    let empty = claimed.iter().filter(|path| !touched.contains(path));
    silent
        .map(|&path| Refusal::NotClaimed { path: path.clone() })
        .chain(empty.map(|path| Refusal::OnlyClaimed { path: path.clone() }))
        .collect()
}

/// New paths that some file systems would take for one that is there: the file itself or a folder on
/// its way. What the patch removes does not count, so a file may change the case of its name.
fn case_twins(patch: &Patch, tree: &dyn Tree) -> Result<Vec<Refusal>, FsError> {
    let mut created = Vec::new();
    let mut removed = BTreeSet::new();
    for file in &patch.files {
        match &file.change {
            Change::Create { path, .. } => created.push(path),
            Change::Delete { path, .. } => drop(removed.insert(path)),
            Change::Modify { .. } => {}
            Change::Rename { from, to, .. } => {
                removed.insert(from);
                created.push(to);
            }
        }
    }
    if created.is_empty() {
        return Ok(Vec::new());
    }
    let mut folded = Folded::default();
    for path in tree.paths()?.iter().filter(|path| !removed.contains(path)) {
        folded.insert(path);
    }
    let twin = |path: &RepoPath| {
        let existing = folded.insert(path)?;
        Some(Refusal::CaseTwin { path: path.clone(), existing })
    };
    Ok(created.into_iter().filter_map(twin).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::patch::{Entry, File, MemoryTree, parse};

    fn path(text: &str) -> RepoPath {
        RepoPath::new(text).unwrap()
    }

    fn tree() -> MemoryTree {
        let files = ["src/a.ts", "src/b.ts", "docs/x.md", "yarn.lock"];
        let mut tree = MemoryTree::new(files.map(|name| (path(name), File::regular("1\n2\n3\n"))));
        tree.insert(path("link"), Entry::Link);
        tree
    }

    fn policy() -> Policy {
        Policy {
            scope: Scope::default(),
            diff_budget: None,
            lockfiles: Lockfiles::Refused,
            claimed: None,
        }
    }

    /// The refusals of a patch, one sentence each.
    fn check_against(policy: &Policy, patch: &str, refusals: &[&str]) {
        let found = match check(parse(patch.as_bytes()).unwrap(), &tree(), policy) {
            Ok(checked) => {
                assert!(!checked.changes().is_empty());
                Vec::new()
            }
            Err(CheckError::Refused(refusals)) => {
                refusals.iter().map(ToString::to_string).collect()
            }
            Err(CheckError::Tree(error)) => panic!("{error}"),
        };
        assert_eq!(found, refusals, "{patch}");
    }

    fn modify(path: &str) -> String {
        format!("--- a/{path}\n+++ b/{path}\n@@ -1,3 +1,3 @@\n 1\n-2\n+two\n 3\n")
    }

    fn create(path: &str) -> String {
        format!("--- /dev/null\n+++ b/{path}\n@@ -0,0 +1 @@\n+1\n")
    }

    #[test]
    fn sa4_a_patch_in_scope_and_budget_passes() {
        let claimed = Some(BTreeSet::from([path("src/a.ts")]));
        let scope = Scope::new(&["src/**"], &["*.md"], None).unwrap();
        let policy = Policy { scope, diff_budget: Some(2), claimed, ..policy() };
        check_against(&policy, &modify("src/a.ts"), &[]);
    }

    #[test]
    fn sa4_every_reason_is_given_at_once() {
        let policy = Policy {
            scope: Scope::new(&["src/**"], &[""; 0], None).unwrap(),
            diff_budget: Some(3),
            claimed: Some(BTreeSet::from([path("src/a.ts"), path("src/b.ts")])),
            ..policy()
        };
        check_against(
            &policy,
            &[modify("src/a.ts"), modify("docs/x.md"), modify("src/gone.ts")].concat(),
            &[
                "the patch touches 6 lines, the budget is 3",
                "`docs/x.md` is out of scope",
                "`docs/x.md` is changed but not listed in `touched_files`",
                "`src/gone.ts` is changed but not listed in `touched_files`",
                "`src/b.ts` is listed in `touched_files` but not changed",
                "`src/gone.ts` does not exist",
            ],
        );
    }

    #[test]
    fn sa4_refuses_a_lockfile() {
        let lockfile = |path: &str| {
            format!("`{path}` is a lockfile, which only its package manager may change")
        };
        check_against(&policy(), &modify("yarn.lock"), &[&lockfile("yarn.lock")]);
        check_against(&policy(), &create("src/Cargo.lock"), &[&lockfile("src/Cargo.lock")]);
        let rename = "diff --git a/yarn.lock b/x\nrename from yarn.lock\nrename to x\n";
        check_against(&policy(), rename, &[&lockfile("yarn.lock")]);
        let allowed = Policy { lockfiles: Lockfiles::Allowed, ..policy() };
        check_against(&allowed, &modify("yarn.lock"), &[]);
    }

    #[test]
    fn sa4_refuses_what_does_not_apply() {
        let refused = |patch: &str, refusal: &str| check_against(&policy(), patch, &[refusal]);
        refused("", "the patch changes nothing");
        refused(&create("src/a.ts"), "`src/a.ts` exists already");
        refused(&create("src"), "`src` exists already");
        refused(&create("src/a.ts/x"), "`src/a.ts/x` cannot exist because `src/a.ts` is a file");
        refused(&create("link/x"), "`link/x` cannot exist because `link` is a symbolic link");
        refused(&modify("link"), "`link` is a symbolic link, not a file");
        refused(
            &modify("src/a.ts").replace("-2", "-4"),
            "`src/a.ts` line 2 is not what the patch expects",
        );
        refused(
            &modify("src/a.ts").replace("-1,3 +1,3", "-9,3 +9,3"),
            "`src/a.ts` has 3 lines, the patch expects line 9",
        );
        refused(
            "--- a/src/a.ts\n+++ b/src/a.ts\n@@ -1 +1 @@\n-1\n+one\n",
            "`src/a.ts` goes on after line 1, where a hunk without trailing context must end the file",
        );
        refused(
            "--- a/src/a.ts\n+++ /dev/null\n@@ -1,2 +0,0 @@\n-1\n-2\n",
            "`src/a.ts` goes on after line 2, where a hunk without trailing context must end the file",
        );
        refused(
            "diff --git a/src/a.ts b/src/a.ts\ndeleted file mode 100644\n",
            "`src/a.ts` would not be empty after its deletion",
        );
        refused(
            "diff --git a/src/a.ts b/src/a.ts\nold mode 100755\nnew mode 100644\n",
            "`src/a.ts` has mode 100644, the patch expects 100755",
        );
        refused(
            "diff --git a/src/a.ts b/src/b.ts\nrename from src/a.ts\nrename to src/b.ts\n",
            "`src/b.ts` exists already",
        );
    }

    #[test]
    fn sa4_refuses_a_name_that_differs_only_by_case() {
        let refused = |patch: &str, refusal: &str| check_against(&policy(), patch, &[refusal]);
        refused(&create("src/A.ts"), "`src/A.ts` differs only by case from `src/a.ts`");
        refused(&create("SRC/new.ts"), "`SRC/new.ts` differs only by case from `src`");
        refused(
            &(create("src/n.ts") + &create("src/N.ts")),
            "`src/N.ts` differs only by case from `src/n.ts`",
        );
        let rename = "diff --git a/src/a.ts b/src/A.ts\nrename from src/a.ts\nrename to src/A.ts\n";
        check_against(&policy(), rename, &[]);
    }
}
