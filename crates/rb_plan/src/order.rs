//! The order of tasks: by stage, then by risk, each after those that it depends on.
//!
//! Pure functions of tasks. The order is stable, so that equal tasks stay as they came.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, BinaryHeap};

use rb_core::{Proposer, RepoPath, Task, TaskId};
use thiserror::Error;

use crate::input::Limits;

/// Why tasks have no order.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum CycleIn {
    #[error("{} depend on each other", names(.0))]
    Circle(Vec<TaskId>),
    #[error("{task} depends on {missing}, which is not a task of the plan")]
    Unknown { task: TaskId, missing: TaskId },
    #[error("two tasks are named {0}")]
    Twice(TaskId),
}

fn names(tasks: &[TaskId]) -> String {
    tasks.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
}

/// The tasks in the order in which they are to be done, numbered from 1.
pub fn order(tasks: Vec<Task>) -> Result<Vec<Task>, CycleIn> {
    let places = sequence(&tasks, |_, task| u64::from(task.risk_score))?;
    Ok(renumbered(tasks, &places))
}

/// The places of the tasks in their order: by stage, then by `within`, then as they came; dependencies before all.
pub(crate) fn sequence(
    tasks: &[Task],
    within: impl Fn(usize, &Task) -> u64,
) -> Result<Vec<usize>, CycleIn> {
    let mut place: BTreeMap<TaskId, usize> = BTreeMap::new();
    for (at, task) in tasks.iter().enumerate() {
        if place.insert(task.id, at).is_some() {
            return Err(CycleIn::Twice(task.id));
        }
    }
    let mut waiting: Vec<BTreeSet<usize>> = Vec::with_capacity(tasks.len());
    for task in tasks {
        let known = task.depends_on.iter().map(|missing| {
            let unknown = CycleIn::Unknown { task: task.id, missing: *missing };
            place.get(missing).copied().ok_or(unknown)
        });
        waiting.push(known.collect::<Result<_, _>>()?);
    }
    let mut dependents: Vec<Vec<usize>> = vec![Vec::new(); tasks.len()];
    for (at, needed) in waiting.iter().enumerate() {
        for &it in needed {
            dependents[it].push(at);
        }
    }
    let key = |at: usize| Reverse((tasks[at].stage, within(at, &tasks[at]), at));
    let mut open: BinaryHeap<_> =
        (0..tasks.len()).filter(|&at| waiting[at].is_empty()).map(key).collect();
    let mut sequence = Vec::with_capacity(tasks.len());
    while let Some(Reverse((_, _, at))) = open.pop() {
        sequence.push(at);
        for &next in &dependents[at] {
            waiting[next].remove(&at);
            if waiting[next].is_empty() {
                open.push(key(next));
            }
        }
    }
    if sequence.len() < tasks.len() {
        return Err(CycleIn::Circle(circle(tasks, &waiting)));
    }
    Ok(sequence)
}

/// The tasks on one circle. Each that is left waits for one that is left, so that following them leads into it.
fn circle(tasks: &[Task], waiting: &[BTreeSet<usize>]) -> Vec<TaskId> {
    let mut way: Vec<usize> = Vec::new();
    let mut next = waiting.iter().position(|it| !it.is_empty());
    while let Some(at) = next {
        if let Some(first) = way.iter().position(|it| *it == at) {
            way.drain(..first);
            break;
        }
        way.push(at);
        next = waiting[at].first().copied();
    }
    let mut ids: Vec<TaskId> = way.into_iter().map(|at| tasks[at].id).collect();
    ids.sort_unstable();
    ids
}

/// Puts tasks into their places, with new numbers; dependencies on what is not among them are dropped.
pub(crate) fn renumbered(tasks: Vec<Task>, places: &[usize]) -> Vec<Task> {
    let number = |at: usize| TaskId(u32::try_from(at + 1).expect("fewer than four billion tasks"));
    let new: BTreeMap<TaskId, TaskId> =
        places.iter().enumerate().map(|(at, &old)| (tasks[old].id, number(at))).collect();
    let mut slots: Vec<Option<Task>> = tasks.into_iter().map(Some).collect();
    let taken = places.iter().filter_map(|&old| slots[old].take());
    taken
        .map(|mut task| {
            task.id = new[&task.id];
            task.depends_on =
                task.depends_on.iter().filter_map(|it| new.get(it).copied()).collect();
            task.depends_on.sort_unstable();
            task.depends_on.dedup();
            task
        })
        .collect()
}

/// The task and all that depend on it, directly or not, in the order of the plan.
pub fn subtree(tasks: &[Task], root: TaskId) -> Vec<TaskId> {
    let mut inside: BTreeSet<TaskId> =
        tasks.iter().map(|it| it.id).filter(|id| *id == root).collect();
    loop {
        let before = inside.len();
        for task in tasks {
            if task.depends_on.iter().any(|it| inside.contains(it)) {
                inside.insert(task.id);
            }
        }
        if inside.len() == before {
            break;
        }
    }
    tasks.iter().map(|it| it.id).filter(|id| inside.contains(id)).collect()
}

/// All that a plan must not have. A recipe or a rule may need more lines than a task usually has, because what it changes
/// holds together; nobody else may.
pub fn faults(tasks: &[Task], exists: &dyn Fn(&RepoPath) -> bool, limits: Limits) -> Vec<String> {
    let mut faults = Vec::new();
    if tasks.len() > limits.max_batches {
        faults.push(format!("{} tasks, more than {}", tasks.len(), limits.max_batches));
    }
    let ids: BTreeSet<TaskId> = tasks.iter().map(|it| it.id).collect();
    let mut done: BTreeSet<TaskId> = BTreeSet::new();
    for (at, task) in tasks.iter().enumerate() {
        let id = task.id;
        if usize::try_from(id.0).ok() != Some(at + 1) {
            faults.push(format!("{id} is at position {}", at + 1));
        }
        if task.files.is_empty() {
            faults.push(format!("{id} has no files"));
        }
        for file in task.files.iter().filter(|it| !exists(it)) {
            faults.push(format!("{id} names {file}, which does not exist"));
        }
        for needed in &task.depends_on {
            if !ids.contains(needed) {
                faults.push(format!("{id} depends on {needed}, which is not a task of the plan"));
            } else if !done.contains(needed) {
                faults.push(format!("{id} depends on {needed}, which does not come before it"));
            }
        }
        if task.risk_score > 100 {
            faults.push(format!("{id} has a risk of {}", task.risk_score));
        }
        faults.extend(budget_fault(task, limits));
        done.insert(id);
    }
    if let Err(CycleIn::Circle(circle)) = sequence(tasks, |_, _| 0) {
        faults.push(CycleIn::Circle(circle).to_string());
    }
    faults
}

fn budget_fault(task: &Task, limits: Limits) -> Option<String> {
    let (id, budget) = (task.id, task.diff_budget_loc?);
    match task.by {
        _ if budget == 0 => Some(format!("{id} may not change any line")),
        Proposer::Given | Proposer::Model if budget > limits.diff_budget => {
            Some(format!("{id} may change {budget} lines, more than {}", limits.diff_budget))
        }
        Proposer::Given | Proposer::Model | Proposer::Recipe { .. } | Proposer::Rule { .. } => None,
    }
}

#[cfg(test)]
mod tests {
    use rb_core::{Stage, TaskKind};

    use super::*;

    /// `(id, stage, risk, depends on)`
    type Row<'r> = (u32, Stage, u8, &'r [u32]);

    fn tasks(rows: &[Row<'_>]) -> Vec<Task> {
        let task = |(id, stage, risk, depends_on): &Row<'_>| {
            let kind = TaskKind::Change { format: None };
            Task {
                stage: *stage,
                risk_score: *risk,
                depends_on: depends_on.iter().map(|it| TaskId(*it)).collect(),
                files: vec![RepoPath::new("a.ts").unwrap()],
                ..Task::new(TaskId(*id), format!("was {id}"), kind)
            }
        };
        rows.iter().map(task).collect()
    }

    fn ids(ids: &[u32]) -> Vec<TaskId> {
        ids.iter().copied().map(TaskId).collect()
    }

    #[test]
    fn rf3_stages_then_risk_then_as_they_came() {
        #[track_caller]
        fn check(rows: &[Row<'_>], expected: &[(&str, &[u32])]) {
            let ordered = order(tasks(rows)).expect("an order");
            let found: Vec<(&str, Vec<TaskId>)> =
                ordered.iter().map(|it| (it.goal.as_str(), it.depends_on.clone())).collect();
            let wanted: Vec<(&str, Vec<TaskId>)> =
                expected.iter().map(|(goal, on)| (*goal, ids(on))).collect();
            assert_eq!(found, wanted);
            let numbers: Vec<TaskId> = ordered.iter().map(|it| it.id).collect();
            assert_eq!(numbers, ids(&(1..=u32::try_from(rows.len()).unwrap()).collect::<Vec<_>>()));
        }
        use Stage::{Clean, Small, Transform};
        check(&[], &[]);
        check(
            &[(1, Transform, 0, &[]), (2, Small, 9, &[]), (3, Small, 5, &[]), (4, Clean, 90, &[])],
            &[("was 4", &[]), ("was 3", &[]), ("was 2", &[]), ("was 1", &[])],
        );
        check(&[(7, Small, 5, &[]), (3, Small, 5, &[])], &[("was 7", &[]), ("was 3", &[])]);
        // What it depends on comes first, whatever its stage.
        check(
            &[(1, Clean, 1, &[9]), (9, Transform, 80, &[]), (5, Small, 1, &[])],
            &[("was 5", &[]), ("was 9", &[]), ("was 1", &[2])],
        );
    }

    #[test]
    fn rf3_what_has_no_order_is_named() {
        use Stage::Small;
        let circle = tasks(&[
            (1, Small, 0, &[]),
            (2, Small, 0, &[4]),
            (3, Small, 0, &[2]),
            (4, Small, 0, &[3, 1]),
        ]);
        assert_eq!(order(circle), Err(CycleIn::Circle(ids(&[2, 3, 4]))));
        assert_eq!(order(tasks(&[(1, Small, 0, &[1])])), Err(CycleIn::Circle(ids(&[1]))));
        let unknown = CycleIn::Unknown { task: TaskId(1), missing: TaskId(8) };
        assert_eq!(order(tasks(&[(1, Small, 0, &[8])])), Err(unknown));
        let twice = tasks(&[(1, Small, 0, &[]), (1, Small, 0, &[])]);
        assert_eq!(order(twice), Err(CycleIn::Twice(TaskId(1))));
    }

    /// Every graph of five tasks that a small generator gives: what depends comes later, and a second time changes nothing.
    #[test]
    fn rf3_an_order_is_topological_and_stable() {
        let mut seed: u32 = 7;
        let mut next = |below: u32| {
            seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (seed >> 16) % below
        };
        for _ in 0..500 {
            let edges: Vec<Vec<u32>> = (0..8)
                .map(|at| (0..at).filter(|_| next(4) == 0).map(|it| it + 1).collect())
                .collect();
            let rows: Vec<Row<'_>> = (0..8_u32)
                .map(|at| {
                    let stage = Stage::ALL[next(6) as usize];
                    (at + 1, stage, u8::try_from(next(3)).unwrap(), edges[at as usize].as_slice())
                })
                .collect();
            let ordered = order(tasks(&rows)).expect("edges lead backwards");
            for task in &ordered {
                assert!(task.depends_on.iter().all(|it| *it < task.id), "{ordered:#?}");
            }
            assert_eq!(order(ordered.clone()).as_ref(), Ok(&ordered));
            assert!(faults(&ordered, &|_| true, Limits::default()).is_empty());
        }
    }

    #[test]
    fn rf3_a_subtree_is_all_that_depends_on_a_task() {
        use Stage::Small;
        let tasks = tasks(&[
            (1, Small, 0, &[]),
            (2, Small, 0, &[1]),
            (3, Small, 0, &[]),
            (4, Small, 0, &[2, 3]),
        ]);
        assert_eq!(subtree(&tasks, TaskId(1)), ids(&[1, 2, 4]));
        assert_eq!(subtree(&tasks, TaskId(3)), ids(&[3, 4]));
        assert_eq!(subtree(&tasks, TaskId(9)), ids(&[]));
    }

    #[test]
    fn rf3_faults_of_a_plan_are_said() {
        use Stage::Small;
        let limits = Limits { max_batches: 3, ..Limits::default() };
        let mut bad = tasks(&[
            (1, Small, 0, &[3]),
            (2, Small, 0, &[8]),
            (3, Small, 101, &[1]),
            (5, Small, 0, &[]),
        ]);
        bad[0].files.clear();
        bad[1].files = vec![RepoPath::new("gone.ts").unwrap()];
        bad[2].diff_budget_loc = Some(0);
        bad[3].diff_budget_loc = Some(301);
        let found = faults(&bad, &|path| path.as_bytes() == b"a.ts", limits);
        expect_test::expect![[r#"
            4 tasks, more than 3
            batch-001 has no files
            batch-001 depends on batch-003, which does not come before it
            batch-002 names gone.ts, which does not exist
            batch-002 depends on batch-008, which is not a task of the plan
            batch-003 has a risk of 101
            batch-003 may not change any line
            batch-005 is at position 4
            batch-005 may change 301 lines, more than 300"#]]
        .assert_eq(&found.join("\n"));
        bad[3].by = Proposer::Rule { id: "x".to_owned() };
        let held_together = faults(&bad[3..], &|_| true, limits);
        assert_eq!(held_together, ["batch-005 is at position 1"]);
    }
}
