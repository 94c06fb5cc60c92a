//! The weigher: how far a change can be trusted, from what was measured of it.

use std::collections::BTreeMap;

use rb_change::checkpoint::entry;
use rb_change::{ChangeFiles as _, Changing as _, Current, Examination};
use rb_core::patch::{FilePatch, LineKind};
use rb_core::{Task, TaskId, fs};
use rb_flow::graph::{Node, Update, View};
use rb_schema::roles::critic::Decision;
use rb_workspace::ledger::TaskStatus;
use rb_workspace::patch;

use crate::confidence::{Confidence, Material, confidence};
use crate::error::RunError;
use crate::event::{Event, RefactorEvent};
use crate::state::State;
use crate::workflow::Refactor;
use crate::world::World;

pub(crate) struct Weigher;

pub(crate) struct Reads<'s> {
    task: Option<&'s Task>,
    current: Option<&'s Current>,
    critic: Option<Decision>,
}

impl<'s> View<'s, State> for Reads<'s> {
    fn of(state: &'s State) -> Self {
        Reads {
            task: state.current_task(),
            current: state.change.current.as_ref(),
            critic: state.review.critic,
        }
    }
}

pub(crate) struct Weighed(Option<(TaskId, u8, Vec<String>)>);

impl Update<Refactor> for Weighed {
    fn events(self) -> Vec<Event> {
        let weighed = self.0.into_iter();
        weighed
            .map(|(task, confidence, parts)| RefactorEvent::Weighed { task, confidence, parts })
            .map(Event::Own)
            .collect()
    }
}

impl Node<Refactor> for Weigher {
    const NAME: &'static str = "weigh";
    const DOES: &'static str = "rates the confidence in the change, with reasons";
    type Reads<'s> = Reads<'s>;
    type Writes = Weighed;

    fn run(reads: Reads<'_>, world: &mut World) -> Result<Weighed, RunError> {
        let (Some(task), Some(current)) = (reads.task, reads.current) else {
            return Ok(Weighed(None));
        };
        let Some(commit) = &current.candidate else { return Ok(Weighed(None)) };
        let examination = match &current.audited {
            Some(_) => read_examination(world, task.id)?,
            None => None,
        };
        let lines = changed_lines(world, commit)?;
        let entry = entry(task, Some(current), TaskStatus::Applied, Vec::new());
        let material = Material {
            task,
            entry: &entry,
            untested: current.untested,
            examination: examination.as_ref(),
            critic: reads.critic,
            lines: &lines,
        };
        let Confidence { score, parts, .. } = confidence(&material.signals());
        let words = parts.iter().map(|part| format!("{:+} {}", part.points, part.what));
        Ok(Weighed(Some((task.id, score, words.collect()))))
    }
}

fn read_examination(world: &World, task: TaskId) -> Result<Option<Examination>, RunError> {
    let Some(bytes) = fs::read_optional(&world.change.run.dir.audit(task))? else {
        return Ok(None);
    };
    Ok(serde_json::from_slice(&bytes).ok())
}

/// Lines that the change adds and removes, by file.
fn changed_lines(world: &mut World, commit: &str) -> Result<BTreeMap<String, usize>, RunError> {
    let tip = world.change.tip()?;
    let diff = world.change.worktree()?.diff(&tip, commit)?;
    // What git shows and we cannot read (a binary file) has no lines.
    let files = patch::parse(&diff).map(|patch| patch.files).unwrap_or_default();
    let count = |file: &FilePatch| {
        let lines = file.hunks.iter().flat_map(|hunk| &hunk.lines);
        lines.filter(|line| line.kind != LineKind::Context).count()
    };
    Ok(files.iter().map(|file| (file.change.path().to_string(), count(file))).collect())
}
