//! The retriever: what a model is shown for a task, under hard budgets, each file with its reason.

use std::collections::BTreeMap;
use std::path::PathBuf;

use rb_change::{Changing as _, placed_proposal};
use rb_core::fs::{self, Durability};
use rb_core::{Proposer, RepoPath, Task, TaskId};
use rb_flow::graph::{Node, Update, View};
use rb_pack::{Need, Pack};
use rb_plan::{Leftover, Plan};
use rb_workspace::ledger::LedgerEntry;

use crate::error::RunError;
use crate::event::{Event, RefactorEvent};
use crate::packing::{self, PackRequest, touched};
use crate::run_files::RunFiles as _;
use crate::standing::stands;
use crate::state::{Proposal, State};
use crate::tries::Tries;
use crate::workflow::Refactor;
use crate::world::World;

pub(crate) struct Retriever;

pub(crate) struct Reads<'s> {
    /// The task at hand, and those that can be proposed beside it.
    tasks: Vec<&'s Task>,
    /// What was proposed for the task at hand already.
    proposal: Option<&'s Proposal>,
    directive: Option<&'s str>,
    ledger: &'s [LedgerEntry],
    /// What went wrong with the task at hand so far.
    tries: Tries<'s>,
    /// The code that models asked to see.
    needs: &'s BTreeMap<TaskId, Vec<String>>,
    active_rules: &'s [String],
    plan: Option<&'s PathBuf>,
}

impl<'s> View<'s, State> for Reads<'s> {
    fn of(state: &'s State) -> Self {
        let current = state.current_task();
        Reads {
            tasks: current.into_iter().chain(state.beside()).collect(),
            proposal: current.and_then(|task| state.proposals.get(&task.id)),
            directive: state.started.orders.directive.as_deref(),
            ledger: &state.change.ledger,
            tries: Tries::of(state, current),
            needs: &state.needs,
            active_rules: &state.active_rules,
            plan: state.plan.as_ref(),
        }
    }
}

pub(crate) struct Packed(Vec<(Pack, PathBuf)>);

impl Update<Refactor> for Packed {
    fn events(self) -> Vec<Event> {
        let made = self.0.into_iter().map(|(pack, file)| RefactorEvent::PackMade {
            task: pack.task,
            files: pack.files.len(),
            lines: pack.sizes.excerpt_lines,
            chars: pack.sizes.chars,
            tokens: pack.sizes.tokens,
            file,
        });
        made.map(Event::Own).collect()
    }
}

impl Node<Refactor> for Retriever {
    const NAME: &'static str = "retrieve";
    const DOES: &'static str = "collects the context for the model, within its budgets";
    type Reads<'s> = Reads<'s>;
    type Writes = Packed;

    fn run(reads: Reads<'_>, world: &mut World) -> Result<Packed, RunError> {
        // Nobody is asked, so that what was shown stays what is kept.
        if let (Some(task), Some(proposal)) = (reads.tasks.first(), reads.proposal)
            && stands(world, task, proposal)?
        {
            return Ok(Packed(Vec::new()));
        }
        let plan = read_plan(reads.plan)?;
        let beside = world.models.as_ref().map_or(0, |desk| desk.beside());
        let mut packs = Vec::new();
        for task in reads.tasks.iter().take(1 + beside).filter(|task| task.by == Proposer::Model) {
            let pack = pack(world, task, &reads, &plan)?;
            report_suspicions(world, task, &pack)?;
            let file = world.change.run.dir.pack(task.id);
            fs::create_dir_all(file.parent().expect("a file of the run"))?;
            let text = serde_json::to_vec_pretty(&pack).expect("a pack is plain data");
            fs::write(&file, &text, Durability::Relaxed)?;
            packs.push((pack, file));
        }
        Ok(Packed(packs))
    }
}

fn read_plan(file: Option<&PathBuf>) -> Result<Plan, RunError> {
    let Some(file) = file else { return Ok(Plan::default()) };
    let text = fs::read(file)?;
    // One that cannot be read costs places to look at, nothing else.
    Ok(serde_json::from_slice(&text).unwrap_or_default())
}

fn report_suspicions(world: &World, task: &Task, pack: &Pack) -> Result<(), RunError> {
    for (path, findings) in pack.suspicious() {
        if let Ok(path) = RepoPath::new(&path) {
            world.change.suspect(Some(task.id), path, findings)?;
        }
    }
    Ok(())
}

fn pack(world: &mut World, task: &Task, reads: &Reads<'_>, plan: &Plan) -> Result<Pack, RunError> {
    let mut request = PackRequest {
        directive: reads.directive,
        ledger: reads.ledger,
        active_rules: reads.active_rules,
        places: places(task, plan),
        ..PackRequest::default()
    };
    if reads.tries.are_of(task) {
        let run = &world.change.run;
        request.errors = reads.tries.words(run)?;
        request.tried = reads.tries.patch(run)?;
        let asked = reads.needs.get(&task.id).into_iter().flatten();
        request.needs = asked.cloned().map(Need::Asked).collect();
        if request.tried.is_some() {
            let patch = placed_proposal(&mut world.change, task)?;
            request
                .needs
                .extend(patch.iter().flat_map(|it| touched(it, "changed by the last try")));
        }
        let root = world.change.worktree()?.dir().to_owned();
        request.needs.extend(reads.tries.failing_tests(&world.change.run, &root)?);
    }
    packing::pack(world, task, &request)
}

/// What was found in the files of the task, and is what the task is about.
fn places(task: &Task, plan: &Plan) -> Vec<rb_pack::TaskSite> {
    let files: Vec<String> = task.files.iter().map(ToString::to_string).collect();
    let is_meant = |left: &&Leftover| {
        let is_of_its_rules = task.rules.contains(&left.found_by) && !left.is_candidate();
        files.contains(&left.path) && (task.rules.is_empty() || is_of_its_rules)
    };
    let place = |left: &Leftover| rb_pack::TaskSite {
        path: left.path.clone(),
        line: left.line,
        why: format!("{}: {}", left.found_by, left.what),
    };
    plan.leftovers.iter().filter(is_meant).map(place).collect()
}
