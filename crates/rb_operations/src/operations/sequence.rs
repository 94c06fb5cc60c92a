//! Several steps of one operation, each on the files as the one before left them.

use crate::files::{Files, Overlay};
use crate::outcome::{Outcome, Refusal};
use crate::project::Project;

pub(super) struct Sequence<'f> {
    files: Overlay<'f>,
    outcome: Outcome,
}

impl<'f> Sequence<'f> {
    pub(super) fn new(files: &'f dyn Files) -> Self {
        Sequence { files: Overlay::new(files), outcome: Outcome::default() }
    }

    pub(super) fn step(
        &mut self,
        plan: impl FnOnce(&Project<'_>) -> Result<Outcome, Refusal>,
    ) -> Result<(), Refusal> {
        let one = plan(&Project::new(&self.files))?;
        for (path, change) in one.files {
            self.files.put(&path, change);
        }
        if !self.outcome.title.is_empty() && !one.title.is_empty() {
            self.outcome.title.push_str("; ");
        }
        self.outcome.title.push_str(&one.title);
        self.outcome.sites.extend(one.sites);
        self.outcome.api.extend(one.api);
        self.outcome.notes.extend(one.notes);
        self.outcome.mentions.extend(one.mentions);
        Ok(())
    }

    pub(super) fn finish(mut self) -> Outcome {
        self.outcome.files = self.files.into_changes();
        self.outcome.mentions.sort();
        self.outcome.mentions.dedup();
        self.outcome
    }
}
