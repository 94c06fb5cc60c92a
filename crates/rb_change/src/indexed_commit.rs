//! What is known of the worktree at one commit: its index and its contracts.

use std::path::Path;

use rb_contracts::{self as contracts, Snapshot};
use rb_core::RepoPath;
use rb_core::fs;
use rb_index::search::Searchable;
use rb_index::{IndexError, Indexed, OnDisk};
use rb_repo::{Opener, ReadOptions};
use rb_workspace::worktree::WorktreeError;

use crate::error::ChangeError;
use crate::host::Host;
use crate::world::ChangeWorld;

pub struct IndexedCommit {
    pub commit: String,
    pub indexed: Indexed,
    pub contracts: Snapshot,
}

impl ChangeWorld {
    /// Takes in the worktree at the last good commit, where it is. Costs nothing where the task before left it known.
    pub fn know(&mut self) -> Result<&IndexedCommit, ChangeError> {
        let commit = self.tip()?;
        if self.known.as_ref().is_none_or(|known| known.commit != commit) {
            self.worktree()?.reset(&commit)?;
            let indexed = self.index()?;
            let root = self.worktree()?.dir().to_owned();
            let contracts = {
                let view = indexed.view().map_err(IndexError::from)?;
                self.contracts.snapshot(&view, &OnDisk { root: &root }, &self.host.cancel)?
            };
            write_contracts(&root, &contracts)?;
            self.known = Some(IndexedCommit { commit, indexed, contracts });
        }
        Ok(self.known.as_ref().expect("it was made sure of just now"))
    }

    /// The index of the worktree as it is now; what did not change since the last one is not read again.
    pub fn index(&mut self) -> Result<Indexed, ChangeError> {
        let root = self.worktree()?.dir().to_owned();
        let Host { home, env, cancel, search, .. } = &self.host;
        let needs = self.options.index;
        let base = if needs.history { self.base.clone() } else { None };
        let repo = Opener { home, env, cancel }.worktree(root, &self.repo.root, base);
        let search = if needs.search { search.searchable() } else { Searchable::Nothing };
        Ok(repo.update(&ReadOptions { rebuild: false, search }, &rb_core::progress::Silent)?)
    }
}

/// A suite may have put a link in the way, which must not lead us out of the worktree.
pub(crate) fn write_contracts(root: &Path, contracts: &Snapshot) -> Result<(), ChangeError> {
    let place = RepoPath::new(".refactor-bot/CONTRACTS/public_api_snapshot.json");
    fs::contained(root, &place.expect("a plain name")).map_err(WorktreeError::from)?;
    contracts::write(&root.join(".refactor-bot"), contracts)?;
    Ok(())
}
