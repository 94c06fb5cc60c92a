//! Where the files of a run that changes a repository are, beside those that every run has.

use std::path::PathBuf;

use rb_core::TaskId;
use rb_flow::RunDir;

pub trait ChangeFiles {
    /// A file or folder of the run by its name.
    fn file(&self, name: &str) -> PathBuf;

    /// What the checkout looked like when it was backed up.
    fn fingerprint(&self) -> PathBuf {
        self.file("fingerprint.json")
    }

    /// Everything about the proposals of tasks.
    fn proposals(&self) -> PathBuf {
        self.file("proposals")
    }

    /// The proposal of a task that is tried next.
    fn proposal(&self, task: TaskId) -> PathBuf {
        self.proposals().join(format!("{task}.patch"))
    }

    /// The files that the author of a proposal says it touches.
    fn claims(&self, task: TaskId) -> PathBuf {
        self.proposals().join(format!("{task}.touched.json"))
    }

    /// How far the edits of a proposal had to be searched for, where it was kept as the patch that they come to.
    fn rung(&self, task: TaskId) -> PathBuf {
        self.proposals().join(format!("{task}.rung.json"))
    }

    /// The whole answer of the model that made a proposal.
    fn answer(&self, task: TaskId) -> PathBuf {
        self.proposals().join(format!("{task}.answer.json"))
    }

    /// The change of a task that waits for approval.
    fn diff(&self, task: TaskId) -> PathBuf {
        self.proposals().join(format!("{task}.diff"))
    }

    /// Records of what checks said.
    fn verify(&self) -> PathBuf {
        self.file("verify")
    }

    fn verification(&self, name: &str) -> PathBuf {
        self.verify().join(format!("{name}.json"))
    }

    fn audit(&self, task: TaskId) -> PathBuf {
        self.verification(&format!("{task}-audit"))
    }
}

impl ChangeFiles for RunDir {
    fn file(&self, name: &str) -> PathBuf {
        self.join(name)
    }
}
