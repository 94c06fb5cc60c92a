//! What is known of the worktree at one commit: its index and its contracts.

use std::path::Path;
use std::sync::Arc;

use rb_contracts::{self as contracts, Snapshot};
use rb_core::RepoPath;
use rb_core::fs;
use rb_index::search::Searchable;
use rb_index::search::table::Local;
use rb_index::walk::WalkOptions;
use rb_index::{
    IndexError, Indexed, NoHistory, OnDisk, Options, Request, StoreError, folder_name, update,
};
use rb_workspace::history::History;
use rb_workspace::worktree::WorktreeError;

use crate::error::ChangeError;
use crate::host::Host;
use crate::weighted_history::WeightedHistory;
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

    fn searchable(&self) -> Searchable {
        let is_wanted = self.options.index.search;
        if is_wanted { Searchable::Meaning(Arc::new(Local)) } else { Searchable::Nothing }
    }

    /// The index of the worktree as it is now; what did not change since the last one is not read again.
    pub fn index(&mut self) -> Result<Indexed, ChangeError> {
        let root = self.worktree()?.dir().to_owned();
        let Host { home, env, cancel, .. } = &self.host;
        // The store that all checkouts of the repository share: what the user's own holds is not read again.
        let (name, identity) = History::of(&self.repo.root, env, cancel).identity(&self.repo.root);
        let folder = home.index().join(folder_name(&name, &identity));
        // As of the beginning: what the run itself commits says nothing about who changes often.
        let git = History::of(&root, env, cancel);
        let recent = WeightedHistory { git, head: self.base.clone() };
        let is_wanted = self.options.index.history;
        let history: &(dyn rb_index::History + Sync) = if is_wanted { &recent } else { &NoHistory };
        let walk = WalkOptions { own: Some(root.join(".refactor-bot")), ..WalkOptions::default() };
        let at = |rebuild| {
            update(&Request {
                root: &root,
                folder: &folder,
                options: &Options {
                    walk: walk.clone(),
                    rebuild,
                    search: self.searchable(),
                    ..Options::default()
                },
                history,
                progress: &rb_core::progress::Silent,
                cancel,
            })
        };
        match at(false) {
            Err(IndexError::Store(StoreError::Damaged(_))) => Ok(at(true)?),
            done => Ok(done?),
        }
    }
}

/// A suite may have put a link in the way, which must not lead us out of the worktree.
pub(crate) fn write_contracts(root: &Path, contracts: &Snapshot) -> Result<(), ChangeError> {
    let place = RepoPath::new(".refactor-bot/CONTRACTS/public_api_snapshot.json");
    fs::contained(root, &place.expect("a plain name")).map_err(WorktreeError::from)?;
    contracts::write(&root.join(".refactor-bot"), contracts)?;
    Ok(())
}
