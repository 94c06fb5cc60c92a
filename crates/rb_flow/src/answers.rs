//! Answers of models in the run's folder, each as soon as it came: whoever goes on after a kill does not ask, and pay, again.
//!
//! An answer belongs to one try: the same question in a later try is asked anew. What failed is not kept.

use std::path::{Path, PathBuf};

use rb_core::fs::{self, Durability, FsError};
use rb_models::{Answer, Request, record};

use crate::runs::RunDir;

/// One question of one try.
pub(crate) struct Question {
    pub(crate) request: Request,
    /// Counted from 1.
    pub(crate) attempt: u32,
}

/// Where the answer to a question is kept.
pub(crate) fn place(run_dir: &RunDir, question: &Question) -> PathBuf {
    let Question { request, attempt } = question;
    let of = request.purpose.task.map_or_else(String::new, |task| format!("{task}-"));
    let digest = record::digest(request).to_string();
    let name = format!("{}-{of}{attempt}-{}.json", request.purpose.role, &digest[..16]);
    run_dir.answers().join(name)
}

/// The answer that came before this process. One that cannot be read is asked for again.
pub(crate) fn kept(place: &Path) -> Result<Option<Answer>, FsError> {
    let text = fs::read_optional(place)?;
    Ok(text.and_then(|text| serde_json::from_slice(&text).ok()))
}

pub(crate) fn keep(place: &Path, answer: &Answer) -> Result<(), FsError> {
    if let Some(folder) = place.parent() {
        fs::create_dir_all(folder)?;
    }
    let text = serde_json::to_vec(answer).expect("an answer is plain data");
    fs::write(place, &text, Durability::Synced)
}
