//! Where the files of a refactor run are, beside those of every run that changes a repository.

use std::path::PathBuf;

use rb_core::TaskId;
use rb_flow::RunDir;

pub trait RunFiles {
    /// The whole plan.
    fn plan(&self) -> PathBuf;

    /// What a model is shown for a task.
    fn pack(&self, task: TaskId) -> PathBuf;
}

impl RunFiles for RunDir {
    fn plan(&self) -> PathBuf {
        self.join("plan.json")
    }

    fn pack(&self, task: TaskId) -> PathBuf {
        self.join("packs").join(format!("{task}.json"))
    }
}
