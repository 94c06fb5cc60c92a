//! What all questions to models about a task have in common.

use rb_core::fs;
use rb_core::{Task, TaskId};
use rb_models::{Family, Purpose};
use rb_pack::{Pack, Shown};
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

/// Tokens of an answer beside what it is about: the reasons, the notes, the frame of the JSON.
const FRAME: u64 = 2_000;
/// Tokens of a line of code, on the high side.
const LINE: usize = 20;
/// Tokens of a batch in a plan.
const BATCH: u64 = 300;

/// What a critic's answer needs: a decision, and the reasons for it.
pub(crate) const CRITIC_NEED: u64 = FRAME;

/// What a translation into operations needs.
pub(crate) const TRANSLATION_NEED: u64 = 2 * FRAME;

/// What a plan needs in which a model may split each of the program's tasks.
pub(crate) fn plan_need(tasks: usize) -> u64 {
    (tasks as u64).saturating_mul(2).saturating_add(4).saturating_mul(BATCH).saturating_add(FRAME)
}

/// What a patch needs for the files that are shown to be changed, with this many lines to change at most.
pub(crate) fn patch_need(pack: &Pack, budget: usize) -> u64 {
    let files = pack.files.iter().filter(|file| file.may_be_changed);
    let texts = files.flat_map(|file| file.shown.iter().map(Shown::text));
    let (lines, bytes) = texts
        .fold((0, 0), |(lines, bytes), text| (lines + text.lines().count(), bytes + text.len()));
    need_of_lines(lines, bytes, budget)
}

/// All lines go and come at most. Each brings a line around it; where lines are long, a token has three bytes.
fn need_of_lines(lines: usize, bytes: usize, budget: usize) -> u64 {
    let changed = if lines == 0 { budget } else { budget.min(lines * 2) };
    let line = (bytes / 3).checked_div(lines).unwrap_or_default().max(LINE);
    (changed.saturating_mul(2).saturating_mul(line) as u64).saturating_add(FRAME)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mo7_an_answer_needs_what_its_task_may_change() {
        let check = |(lines, bytes): (usize, usize), budget: usize, need: u64| {
            assert_eq!(need_of_lines(lines, bytes, budget), need, "{lines} lines, {budget}");
        };
        // A small file, a small budget, both large, lines of a thousand bytes, a new file.
        check((12, 400), 300, 2_000 + 24 * 40);
        check((900, 30_000), 20, 2_000 + 20 * 40);
        check((900, 30_000), 300, 2_000 + 300 * 40);
        check((10, 9_990), 300, 2_000 + 20 * 2 * 333);
        check((0, 0), 50, 2_000 + 50 * 40);
        check((usize::MAX / 4, usize::MAX), usize::MAX, u64::MAX);
        assert_eq!((plan_need(0), plan_need(3)), (3_200, 5_000));
    }
}
