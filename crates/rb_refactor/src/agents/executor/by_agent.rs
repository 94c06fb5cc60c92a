//! A coding agent does the task in a copy of the worktree. What its files come to goes the way of every proposal; what it says is a note.

use rb_change::{
    AgentOrder, AgentTask, AgentWork, BUDGET_SPENT, proposals, run_agent, verify_setup,
    within_budget,
};
use rb_core::{Proposer, Task};
use rb_flow::fence;

use super::{NewProposal, Proposed, Reads, of_text};
use crate::error::RunError;
use crate::questions::{family, read_pack};
use crate::workflow::Refactor;
use crate::world::World;

pub(super) fn propose(
    world: &mut World,
    task: &Task,
    reads: &Reads<'_>,
    order: &AgentOrder,
    base: String,
) -> Result<Proposed, RunError> {
    let Some(order) = within_budget::<Refactor>(&world.change.run.dir, order)? else {
        let why = BUDGET_SPENT.to_owned();
        return Ok(Proposed(vec![(task.id, NewProposal::Blocked { why, needs: Vec::new() })]));
    };
    let prompt = prompt(world, task, reads)?;
    let name = format!("{}-{}", task.id, reads.attempt);
    world.change.host.progress.begin(&format!("the agent works on {}", task.id), 0);
    let done = run_agent(
        &mut world.change,
        &AgentTask {
            order: &order,
            prompt: &prompt,
            name: &name,
            task: Some(task.id),
            files: &task.files,
        },
    );
    world.change.host.progress.end();
    let proposal = match done? {
        AgentWork::Patch { patch, claims: _ } => {
            proposals::keep(&world.change.run, task.id, &patch, None)?;
            of_text(&patch, Proposer::Model, base)
        }
        // Its words do not count, so nothing says that the task is done. The same question gives the same answer.
        AgentWork::Nothing { claims: _ } => {
            NewProposal::Blocked { why: "the agent changed no file".to_owned(), needs: Vec::new() }
        }
        AgentWork::Failed { reasons } => NewProposal::Failed(reasons.join("\n")),
    };
    Ok(Proposed(vec![(task.id, proposal)]))
}

/// What a patcher would be shown, with words about how an agent works here.
fn prompt(world: &mut World, task: &Task, reads: &Reads<'_>) -> Result<String, RunError> {
    let pack = read_pack(world, task.id)?;
    let verifiers = verify_setup::lines(&mut world.change, task.verifier_level)?;
    let (directive, family) = (reads.directive, family(world));
    let assignment = rb_pack::Assignment { task, directive, verifiers: &verifiers, family };
    let (text, fence) = fence::enclosed::<RunError>(&world.change.run.dir, |fence| {
        pack.agent_prompt(&assignment, fence)
    })?;
    Ok(format!("{INSTRUCTIONS}\n{}\n\n{text}", fence.explanation()))
}

/// The rules of a patcher, for somebody who edits files.
const INSTRUCTIONS: &str = "\
You carry out exactly one batch of a refactoring by editing the files in the current folder, which is a copy of the repository.
A program compares the files with what they were, checks the difference against the limits of the batch and runs the tests
itself. Only the files count: nothing that you say is read as a result.

- Change only files in the scope of the batch. A change outside of it is refused as a whole.
- Preserve behaviour, except where the goal asks otherwise: results, side effects and their order, errors and their texts.
  Preserve public contracts: exported names, signatures, routes, schemas, flags, file formats.
- Stay within the diff budget. Added and removed lines both count. Do not reformat.
- Do not weaken, skip or delete tests. Do not silence a checker. Change no lockfile and no generated file.
- Leave nothing half done. If you rename or move something, change every use in scope.
- Do not commit, and leave no other files behind. You can run commands; the network may be closed to them.
- If nothing should be changed, or the goal cannot be reached within these limits, change nothing and say why.
";
