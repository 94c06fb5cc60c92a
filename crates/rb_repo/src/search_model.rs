//! The model that a repository is searched with, and where its vectors are kept.

use std::sync::Arc;

use rb_core::Progress;
use rb_index::search::embed::Embedder;
use rb_index::search::remote::VectorServer;
use rb_index::search::table::Local;
use rb_index::search::{Answer, Meaning, Question, Searchable, Searcher, Share};
use rb_index::{IndexError, Indexed};

/// An embedding model, and the server that keeps its vectors if one does.
pub struct SearchModel {
    embedder: Arc<dyn Embedder>,
    server: Option<Box<dyn VectorServer>>,
}

impl SearchModel {
    pub fn new(embedder: Arc<dyn Embedder>, server: Option<Box<dyn VectorServer>>) -> Self {
        SearchModel { embedder, server }
    }

    /// The model that comes with the program.
    pub fn local() -> Self {
        SearchModel::new(Arc::new(Local), None)
    }

    pub fn name(&self) -> &str {
        self.embedder.model()
    }

    /// What the index must have ready. Vectors that a server keeps are not part of it.
    pub fn searchable(&self) -> Searchable {
        match self.server {
            Some(_) => Searchable::Words,
            None => Searchable::Meaning(Arc::clone(&self.embedder)),
        }
    }

    /// Sends the server what it lacks of the indexed files. Does nothing if the vectors are in the index.
    pub fn publish(&self, indexed: &Indexed, progress: &dyn Progress) -> Result<(), IndexError> {
        if self.server.is_some() {
            self.shared(&indexed.searcher()?, progress)?;
        }
        Ok(())
    }

    /// Needs an index that is `searchable`.
    pub fn ask(
        &self,
        indexed: &Indexed,
        question: &Question,
        progress: &dyn Progress,
    ) -> Result<Answer, IndexError> {
        let searcher = indexed.searcher()?;
        match self.shared(&searcher, progress)? {
            Some(share) => searcher.ask(question, Meaning::Shared(&share)),
            None => searcher.ask(question, Meaning::Stored(&*self.embedder)),
        }
    }

    /// The server, with vectors of all indexed files; `None` if the vectors are in the index.
    fn shared(
        &self,
        searcher: &Searcher<'_>,
        progress: &dyn Progress,
    ) -> Result<Option<Share<'_>>, IndexError> {
        let Some(server) = &self.server else { return Ok(None) };
        let share = Share { server: &**server, embedder: &*self.embedder };
        searcher.share(&share, progress)?;
        Ok(Some(share))
    }
}
