//! What the nodes of a question's run have effects with: the repository, its index, and the models.

use std::path::PathBuf;
use std::sync::Arc;

use rb_core::{Cancel, Progress};
use rb_flow::{Desk, Log, Run};
use rb_index::Indexed;
use rb_models::{McpServer, Route};
use rb_repo::{ReadOptions, Repo, SearchModel};
use rb_schema::roles::explorer;
use rb_tools::Repository;

use super::Ask;
use crate::answer::Author;
use crate::error::AskError;

/// Everything around the state of one run, in this process.
pub struct World {
    pub(crate) run: Run,
    pub(crate) log: Log<Ask>,
    pub(crate) desk: Arc<Desk>,
    pub(crate) repo: Repo,
    pub(crate) search: Arc<SearchModel>,
    pub(crate) progress: Arc<dyn Progress + Send + Sync>,
    pub(crate) cancel: Cancel,
    pub(crate) memory: Option<PathBuf>,
    /// A server of the same tools, for a provider that calls tools by itself.
    pub(crate) mcp: Option<McpServer>,
    /// Made when it is first needed in this process.
    pub(crate) indexed: Option<Indexed>,
}

impl World {
    /// Indexes the repository, unless this process has done so.
    pub(crate) fn index(&mut self) -> Result<(), AskError> {
        if self.indexed.is_none() {
            let options = ReadOptions { rebuild: false, search: self.search.searchable() };
            self.indexed = Some(self.repo.update(&options, &*self.progress)?);
        }
        Ok(())
    }

    /// The repository as it was indexed; `None` before that.
    pub(crate) fn repository(&self) -> Option<Repository<'_>> {
        let World { repo, search, cancel, .. } = self;
        let indexed = self.indexed.as_ref()?;
        Some(Repository { repo, indexed, search, cancel })
    }

    pub(crate) fn route(&self) -> &Route {
        self.desk.models.route(explorer::ROLE.name)
    }

    /// Whoever the model's drafts are by.
    pub(crate) fn author(&self) -> Author {
        let Route { provider, model, .. } = self.route();
        Author::Model { provider: provider.name().to_owned(), model: model.clone() }
    }
}

impl rb_flow::World<Ask> for World {
    fn run(&self) -> &Run {
        &self.run
    }

    fn cancel(&self) -> &Cancel {
        &self.cancel
    }
}
