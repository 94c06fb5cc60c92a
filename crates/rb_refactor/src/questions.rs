//! What all questions to models about a task have in common.

use rb_core::fs;
use rb_core::{Task, TaskId};
use rb_models::{Family, Purpose};
use rb_pack::Pack;
use rb_schema::roles::patcher;

use crate::error::RunError;
use crate::run_files::RunFiles as _;
use crate::world::World;

/// What a call about a task is booked to.
pub(crate) fn purpose(task: &Task) -> Purpose {
    Purpose { role: String::new(), task: Some(task.id), files: task.files.clone() }
}

pub(crate) fn read_pack(world: &World, task: TaskId) -> Result<Pack, RunError> {
    let text = fs::read(&world.change.run.dir.pack(task))?;
    let bad = |error| format!("the pack of {task} cannot be read: {error}");
    let pack = serde_json::from_slice(&text);
    Ok(pack.map_err(|error: serde_json::Error| world.change.bad_journal(&bad(error)))?)
}

/// Whose tokens are counted.
pub(crate) fn family(world: &World) -> Family {
    let route = world.models.as_ref().map(|desk| desk.models.route(patcher::ROLE.name));
    route.map_or(Family::of(""), |route| Family::of(&route.model))
}
