//! What comes after what: the three workflows as graphs. Conditions are pure functions of the state.

use rb_change::proposals::is_by_person;
use rb_change::{
    Apply, Auditor, BackUp, Baseliner, Changing as _, Clean, Compare, Current, Decide, Decision,
    Land, MakeWorktree, PlanRollback, RollBack, Validator, WholeValidator,
};
use rb_core::{Proposer, Verdict};
use rb_flow::graph::Graph;
use rb_workspace::ledger::TaskStatus;

use crate::agents::{Critic, Executor, Indexer, Planner, PrWriter, Refiner, Retriever, Weigher};
use crate::event::{Mode, Recovery};
use crate::recovery::SHOWN_MORE;
use crate::state::State;
use crate::steps::{
    Approve, Checkpoint, Choose, Close, Confirm, FindCause, Finish, Recover, TakeBack,
};
use crate::workflow::Refactor;

pub(crate) type RunGraph = Graph<Refactor>;

pub(crate) fn of(mode: &Mode) -> RunGraph {
    match mode {
        Mode::Refactor => refactor(),
        Mode::Plan => plan(),
        Mode::Verify => verify(),
        Mode::Rollback { .. } => rollback(),
    }
}

fn refactor() -> RunGraph {
    let graph = Graph::new("refactor")
        .node::<MakeWorktree>()
        .when::<Indexer>("planning is on", plans)
        .then::<BackUp>()
        .node::<Indexer>()
        .then::<Planner>()
        .node::<Planner>()
        .when::<PrWriter>("nothing to do", plans_nothing)
        .then::<BackUp>()
        .node::<BackUp>()
        .when::<Baseliner>("verification is on", State::verifies)
        .when::<Refiner>("a model is available", refines_at_once)
        .when::<Confirm>("planning is on", plans)
        .then::<Choose>()
        .node::<Baseliner>()
        .when::<PrWriter>("it fails", State::baseline_stops)
        .when::<Refiner>("a model is available", refines_at_once)
        .when::<Confirm>("planning is on", plans)
        .then::<Choose>()
        .node::<Refiner>()
        .when::<Choose>("you agreed before", |state| state.started.orders.ask_first)
        .then::<Confirm>()
        .node::<Confirm>()
        .waits_while(waits_for_confirmation)
        .when::<Refiner>("you allowed a model", refines_after)
        .then::<Choose>();
    ending(task(graph))
}

/// One task: from its choice to its checkpoint, or out of it.
fn task(graph: RunGraph) -> RunGraph {
    graph
        .node::<Choose>()
        .when::<Retriever>("a model proposes", |state| proposer(state) == Some(&Proposer::Model))
        .when::<Executor>("there is a task", |state| state.change.current.is_some())
        .when::<Choose>("another task is left", has_another)
        .when::<WholeValidator>("there are changes to verify", verifies_a_change)
        .then::<Compare>()
        .node::<Retriever>()
        .then::<Executor>()
        .node::<Executor>()
        .when::<Close>("nothing to change", is_nothing)
        .when::<Recover>("it failed", has_failed)
        .when::<Critic>("a critic is enabled", wants_critic)
        .then::<Apply>()
        .node::<Critic>()
        .when::<Close>("nothing to change", is_nothing)
        .when::<Recover>("it objects", has_failed)
        .when::<Validator>("it was applied before", verifies_what_is_applied)
        .when::<Weigher>("it was applied before, verification is off", is_applied)
        .then::<Apply>()
        .node::<Apply>()
        .when::<Close>("nothing to change", is_nothing)
        .when::<Recover>("it was refused", has_failed)
        .then::<Auditor>()
        .node::<Auditor>()
        .again::<Apply>("it fails with its mends", fails_with_mends, attempts)
        .when::<Recover>("it fails", has_failed)
        .when::<Critic>("it removes behaviour that no test reaches", wants_second_look)
        .when::<Validator>("verification is on", State::verifies)
        .then::<Weigher>()
        .node::<Validator>()
        .again::<Apply>("it fails with its mends", fails_with_mends, attempts)
        .when::<Recover>("it fails", has_failed)
        .then::<Weigher>()
        .node::<Weigher>()
        .when::<Approve>("you review each change", waits_for_approval)
        .then::<Checkpoint>()
        .node::<Approve>()
        .waits_while(waits_for_approval)
        .when::<Recover>("you reject it", has_failed)
        .then::<Checkpoint>()
        .node::<Checkpoint>()
        .then::<Choose>()
        .node::<Recover>()
        .again::<Retriever>("retry with a model", |state| retries(state, true), tries_of_models)
        .again::<Executor>("retry", |state| retries(state, false), tries)
        .then::<Close>()
        .node::<Close>()
        .when::<TakeBack>("the subtree is reverted", takes_back)
        .then::<Choose>()
        .node::<TakeBack>()
        .then::<Choose>()
}

/// What follows the last task.
fn ending(graph: RunGraph) -> RunGraph {
    graph
        .node::<WholeValidator>()
        .when::<FindCause>("it fails", fails_as_a_whole)
        .then::<Compare>()
        .node::<FindCause>()
        .again::<Choose>("without the cause", goes_on_without_it, tasks)
        .then::<Compare>()
        .node::<Compare>()
        .then::<PrWriter>()
        .node::<PrWriter>()
        .when::<Decide>("a decision is needed", asks)
        .then::<Clean>()
        .node::<Decide>()
        .waits_while(|state| state.change.decision.is_none())
        .when::<Land>("accepted", |state| state.change.decision == Some(Decision::Accept))
        .then::<Clean>()
        .node::<Land>()
        .when::<Decide>("your files changed meanwhile", |state| state.change.decision.is_none())
        .then::<Clean>()
        .node::<Clean>()
        .then::<Finish>()
        .node::<Finish>()
        .end()
}

fn plan() -> RunGraph {
    Graph::new("plan")
        .node::<MakeWorktree>()
        .then::<Indexer>()
        .node::<Indexer>()
        .then::<Planner>()
        .node::<Planner>()
        .when::<Refiner>("a model is available", refines_at_once)
        .then::<Clean>()
        .node::<Refiner>()
        .then::<Clean>()
        .node::<Clean>()
        .then::<Finish>()
        .node::<Finish>()
        .end()
}

fn verify() -> RunGraph {
    Graph::new("verify")
        .node::<MakeWorktree>()
        .then::<Baseliner>()
        .node::<Baseliner>()
        .then::<Clean>()
        .node::<Clean>()
        .then::<Finish>()
        .node::<Finish>()
        .end()
}

fn rollback() -> RunGraph {
    Graph::new("rollback")
        .node::<BackUp>()
        .then::<PlanRollback>()
        .node::<PlanRollback>()
        .then::<RollBack>()
        .node::<RollBack>()
        .then::<Finish>()
        .node::<Finish>()
        .end()
}

fn plans(state: &State) -> bool {
    state.started.orders.plans
}

/// What takes minutes (backup, baseline) is not begun for a plan without a task.
fn plans_nothing(state: &State) -> bool {
    state.tasks.is_empty() && state.started.orders.models.is_none()
}

/// The plan is refined before it is shown, unless that costs money that nobody has spoken of.
fn refines_at_once(state: &State) -> bool {
    state.started.orders.models.is_some() && !state.started.orders.ask_first
}

fn refines_after(state: &State) -> bool {
    let orders = &state.started.orders;
    orders.models.is_some() && orders.ask_first && state.confirmed
}

fn waits_for_confirmation(state: &State) -> bool {
    let orders = &state.started.orders;
    // Where nothing was found, there is nothing to agree to but that a model is asked for more.
    let something = !state.tasks.is_empty() || (orders.ask_first && orders.models.is_some());
    orders.confirm && !state.confirmed && something
}

fn waits_for_approval(state: &State) -> bool {
    let is_open = state.change.current.is_some() && state.review.approved.is_none();
    state.started.orders.approve_each && is_open
}

fn proposer(state: &State) -> Option<&Proposer> {
    state.current_task().map(|task| &task.by)
}

fn has_another(state: &State) -> bool {
    state.refusal().is_none() && state.aborted.is_none() && state.next_task().is_some()
}

fn verifies_a_change(state: &State) -> bool {
    state.verifies() && state.change.has_changes()
}

fn is_nothing(state: &State) -> bool {
    state.change.current.as_ref().is_some_and(|current| current.nothing.is_some())
}

fn has_failed(state: &State) -> bool {
    state.change.current.as_ref().is_some_and(|current| current.failed.is_some())
}

/// It is applied once more, without the mends.
fn fails_with_mends(state: &State) -> bool {
    state.change.current.as_ref().is_some_and(Current::fails_with_mends)
}

fn attempts(state: &State) -> u32 {
    state.change.current.as_ref().map_or(0, |current| current.attempt)
}

/// Where no test can speak, a critic does.
fn wants_critic(state: &State) -> bool {
    let is_model = proposer(state) == Some(&Proposer::Model);
    is_model && has_critic(state) && (state.started.orders.critic || state.change.no_test_speaks())
}

/// Where behaviour is gone and no test would notice, a critic looks, unless it has looked already.
fn wants_second_look(state: &State) -> bool {
    let current = state.change.current.as_ref();
    proposer(state) == Some(&Proposer::Model)
        && has_critic(state)
        && state.review.critic.is_none()
        && current.is_some_and(|current| !current.unreached.is_empty())
}

/// An agent proposes without any model, and then there is nobody to review it.
fn has_critic(state: &State) -> bool {
    let orders = &state.started.orders;
    orders.agent.is_none() || orders.models.is_some()
}

fn is_applied(state: &State) -> bool {
    state.change.current.as_ref().is_some_and(|current| current.candidate.is_some())
}

fn verifies_what_is_applied(state: &State) -> bool {
    is_applied(state) && state.verifies()
}

fn retries(state: &State, by_model: bool) -> bool {
    let Some(current) = &state.change.current else { return false };
    let last = state.errors.last().filter(|error| error.task == current.task);
    let is_retry = last.is_some_and(|error| {
        matches!(error.recovery, Recovery::RetryNarrowed | Recovery::ShowMore)
    });
    is_retry
        && state.review.recovery.is_none()
        && (proposer(state) == Some(&Proposer::Model)) == by_model
}

/// Each time one task less is done again.
fn tasks(state: &State) -> u32 {
    u32::try_from(state.tasks.len()).unwrap_or(u32::MAX)
}

/// Where nothing was taken back, the verdict stands.
fn goes_on_without_it(state: &State) -> bool {
    state.change.verified_in_full.is_none() && (state.change.has_changes() || has_another(state))
}

/// What a person brought is judged as a whole; of all else the cause is found.
fn fails_as_a_whole(state: &State) -> bool {
    state.change.verified_in_full == Some(Verdict::Fail)
        && state.change.has_changes()
        && !state.tasks.iter().any(is_by_person)
}

fn tries(state: &State) -> u32 {
    state.started.orders.max_retries
}

/// A model may also ask to see more.
fn tries_of_models(state: &State) -> u32 {
    tries(state).saturating_add(SHOWN_MORE)
}

fn takes_back(state: &State) -> bool {
    let Some(entry) = state.change.ledger.last() else { return false };
    let last = state.errors.last().filter(|error| error.task == entry.task);
    entry.status == TaskStatus::RolledBack
        && last.is_some_and(|error| error.recovery == Recovery::RollBackSubtree)
}

fn asks(state: &State) -> bool {
    state.change.has_changes() && !state.started.orders.dry_run
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use rb_change::checkpoint::entry;
    use rb_change::{AgentOrder, ChangeEvent};
    use rb_core::{RepoPath, Task, TaskId, TaskKind};
    use rb_flow::RunState as _;
    use rb_flow::event::ModelChoice;
    use rb_schema::roles::critic::Decision as CriticDecision;
    use rb_workspace::ledger::LedgerEntry;
    use rb_workspace::repo::Kind;

    use super::*;
    use crate::event::{Event, RefactorEvent, RunStarted};

    /// A task whose change was audited, in a run that verifies nothing.
    fn audited(by: Proposer, unreached: &[&str]) -> State {
        let kind = TaskKind::Change { format: None };
        let task = Task { by, ..Task::new(TaskId(1), "Tidy up", kind) };
        let (id, goal) = (task.id, task.goal.clone());
        let mut state = State::new(RunStarted {
            run: "20260131T120000Z".parse().unwrap(),
            workflow: Mode::Refactor,
            repo: PathBuf::from("/shop"),
            kind: Kind::Git,
            scope: None,
            allow_dirty: false,
            diff_budget: 300,
            excludes: Vec::new(),
            tasks: vec![task],
            verify: None,
            orders: Box::default(),
        });
        let events = [
            ChangeEvent::TaskStarted { task: id, goal },
            ChangeEvent::CandidateMade { task: id, commit: "c0de".to_owned(), lines: None },
            ChangeEvent::AuditEnded {
                task: id,
                verdict: Verdict::Pass,
                reasons: Vec::new(),
                notes: Vec::new(),
                unreached: unreached.iter().map(ToString::to_string).collect(),
                file: PathBuf::from("audit.json"),
                failure: None,
            },
        ];
        for event in events {
            state.take(&Event::Own(RefactorEvent::Change(event)));
        }
        state
    }

    fn judge(state: &mut State, decision: CriticDecision) {
        let ended = RefactorEvent::CriticEnded { task: TaskId(1), decision, reasons: Vec::new() };
        state.take(&Event::Own(ended));
    }

    fn next(state: &State, node: &str) -> &'static str {
        refactor().next(node, state, &state.course.position)
    }

    const REMOVED: &[&str] = &["src/a.js:2: removed call: `send(x);`"];

    #[test]
    fn ve6_rf7_where_behaviour_is_removed_that_no_test_reaches_a_critic_is_asked() {
        assert_eq!(next(&audited(Proposer::Model, &[]), "audit"), "weigh");
        assert_eq!(next(&audited(Proposer::Given, REMOVED), "audit"), "weigh");
        let state = audited(Proposer::Model, REMOVED);
        assert_eq!(next(&state, "audit"), "criticise");
        // It goes on from there, whatever came of it, and does not apply the change again.
        assert_eq!(next(&state, "criticise"), "weigh");
        for (decision, expected) in [
            (CriticDecision::Accept, "weigh"),
            (CriticDecision::Reject, "recover"),
            (CriticDecision::ShrinkScope, "recover"),
            (CriticDecision::Noop, "close"),
        ] {
            let mut state = audited(Proposer::Model, REMOVED);
            judge(&mut state, decision);
            assert_eq!(next(&state, "criticise"), expected, "{decision:?}");
        }
        // It was asked before the patch was applied.
        let mut state = audited(Proposer::Model, REMOVED);
        judge(&mut state, CriticDecision::Accept);
        assert_eq!(next(&state, "audit"), "weigh");
    }

    #[test]
    fn st5_rf7_a_change_that_fails_with_its_mends_is_applied_without_them() {
        let task = TaskId(1);
        let take = |state: &mut State, event: ChangeEvent| {
            state.take(&Event::Own(RefactorEvent::Change(event)));
        };
        let fails = || ChangeEvent::AuditEnded {
            task,
            verdict: Verdict::Fail,
            reasons: vec!["a.py:1: broken".to_owned()],
            notes: Vec::new(),
            unreached: Vec::new(),
            file: PathBuf::from("audit.json"),
            failure: None,
        };
        let mut state = audited(Proposer::Model, &[]);
        let mends = vec!["a.py:1: removed the import `x`, which nothing uses any more".to_owned()];
        take(&mut state, ChangeEvent::LeftoversMended { task, paths: Vec::new(), mends });
        assert_eq!(next(&state, "audit"), "weigh");
        take(&mut state, fails());
        assert_eq!(next(&state, "audit"), "apply");
        assert_eq!(next(&state, "validate"), "apply");
        take(&mut state, ChangeEvent::MendsDropped { task, reasons: Vec::new() });
        assert_eq!(next(&state, "apply"), "audit");
        // Without its mends it is judged by itself.
        take(&mut state, fails());
        assert_eq!(next(&state, "audit"), "recover");
    }

    #[test]
    fn ve6_rf8_removed_behaviour_that_nobody_vouches_for_is_remembered() {
        let keep = |mut state: State| {
            let task = state.tasks[0].clone();
            let current = state.change.current.clone();
            let commit = Some("c0de".to_owned());
            let entry = entry(&task, current.as_ref(), TaskStatus::Applied, Vec::new());
            let entry = LedgerEntry { commit, ..entry };
            state.take(&Event::Own(RefactorEvent::Change(ChangeEvent::TaskEnded { entry })));
            state.unvouched()
        };
        let (one, none): ([TaskId; 1], [TaskId; 0]) = ([TaskId(1)], []);
        assert_eq!(keep(audited(Proposer::Given, REMOVED)), one);
        assert_eq!(keep(audited(Proposer::Model, REMOVED)), one);
        assert_eq!(keep(audited(Proposer::Model, &[])), none);
        let mut judged = audited(Proposer::Model, REMOVED);
        judge(&mut judged, CriticDecision::Accept);
        assert_eq!(keep(judged), none);
        let mut approved = audited(Proposer::Given, REMOVED);
        approved.take(&Event::Own(RefactorEvent::Approved {
            task: TaskId(1),
            approved: true,
            comment: None,
        }));
        assert_eq!(keep(approved), none);
    }

    fn with_agent(mut state: State) -> State {
        state.started.orders.agent = Some(AgentOrder {
            agent: "codex".to_owned(),
            model: None,
            max_usd: None,
            timeout_s: 60,
            network: false,
            program: None,
        });
        state
    }

    #[test]
    fn ag1_a_critic_needs_a_model_beside_an_agent() {
        let mut state = with_agent(audited(Proposer::Model, REMOVED));
        assert_eq!(next(&state, "audit"), "weigh");
        state.started.orders.critic = true;
        assert_eq!(next(&state, "propose"), "apply");
        state.started.orders.models = Some(ModelChoice::default());
        assert_eq!(next(&state, "audit"), "criticise");
        assert_eq!(next(&state, "propose"), "criticise");
    }

    #[test]
    fn ag1_tests_that_an_agent_changed_are_remembered_and_those_of_others_not() {
        let keep = |mut state: State, path: &str| {
            let task = state.tasks[0].clone();
            let entry =
                entry(&task, state.change.current.as_ref(), TaskStatus::Applied, Vec::new());
            let touched_files = vec![RepoPath::new(path).unwrap()];
            let entry = LedgerEntry { commit: Some("c0de".to_owned()), touched_files, ..entry };
            state.take(&Event::Own(RefactorEvent::Change(ChangeEvent::TaskEnded { entry })));
            state.changed_tests()
        };
        let agents = || with_agent(audited(Proposer::Model, &[]));
        assert_eq!(keep(agents(), "test/a.test.js"), [TaskId(1)]);
        assert_eq!(keep(agents(), "src/a.js"), [TaskId(0); 0]);
        assert_eq!(keep(audited(Proposer::Model, &[]), "test/a.test.js"), [TaskId(0); 0]);
        let rule = Proposer::Rule { id: "no-send".to_owned() };
        assert_eq!(keep(with_agent(audited(rule, &[])), "test/a.test.js"), [TaskId(0); 0]);
    }

    #[test]
    fn rf2_every_graph_is_whole() {
        for graph in [refactor(), plan(), verify(), rollback()] {
            assert_eq!(graph.faults(), Vec::<String>::new(), "{}", graph.name);
        }
    }
}
