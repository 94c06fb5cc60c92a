//! Runs with a model whose answers are written beforehand: what it is asked and how often, and what becomes of each answer.

mod ask;
mod critic;
mod executor;
mod leftovers;
mod openai_like;
mod parallel;
mod planner;
mod recovery;
mod resume;
pub(crate) mod scripted;
mod shown;
mod stops;
mod translator;

/// Whether node is there. Without it neither the tests of the fixtures nor the model can run.
pub(crate) fn has_node() -> bool {
    let found = std::process::Command::new("node").arg("--version").output();
    found.is_ok_and(|out| out.status.success())
}
