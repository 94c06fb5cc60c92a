//! A model's refinement of a plan, as far as it keeps to what is there.
//!
//! A batch over the files of a task refines it: order within its stage, goal, a smaller budget, a higher risk, more verification,
//! for a model also fewer files. A model's task that no batch names is dropped. A computed task stays, unless it is dropped by its id
//! with a reason; its proposal stays what it is. A new batch is a task for a model, over files that the plan speaks of. A batch waits
//! for those that its notes name. Everything else is refused and said.

use std::collections::{BTreeMap, BTreeSet};

use rb_core::{Proposer, RepoPath, Task, TaskId, at_most, plural};
use rb_index::FileId;
use rb_lang::Language;
use rb_schema::roles::planner::{Batch, Dropped, PlannerResponse};

use crate::batch_files::{BatchFiles, meant};
use crate::batch_names::BatchNames;
use crate::batch_terms::{LONGEST_REASON, level, line, note, operations, stage};
use crate::brief::shown_tasks;
use crate::documents;
use crate::draft::for_model;
use crate::input::PlanInput;
use crate::make::{is_past_directive, set_critical, within_directive};
use crate::order::{faults, renumbered, sequence};
use crate::plan::{Leftover, Plan, Prepared};
use crate::reach::Reach;
use crate::readable::first_of;
use crate::repo_facts::{RepoFacts, scope_glob, text};
use crate::whole_symbol;

/// A plan after a model looked at it, and what of its answer was not taken.
#[derive(Debug, Clone)]
pub struct Refined {
    pub plan: Plan,
    pub refused: Vec<String>,
}

/// A new batch is about so many files at most.
const FILES: usize = 20;
const LONGEST_GOAL: usize = 600;

/// Takes in what a model made of a plan.
pub fn refine(input: &PlanInput<'_>, plan: &Plan, answer: &PlannerResponse) -> Refined {
    let repo = RepoFacts::new(input);
    // What a part of the directive is about may lie elsewhere.
    let by_model = plan.tasks.iter().filter(|it| it.by == Proposer::Model);
    let reach = Reach::input(&repo).with(by_model.flat_map(|it| &it.files).map(text));
    let known = known(&repo, plan, &reach);
    let mut refining = Refining {
        repo: &repo,
        plan,
        reach,
        known,
        taken: BTreeSet::new(),
        dropped: BTreeMap::new(),
        created: BTreeSet::new(),
        tasks: Vec::new(),
        refused: Vec::new(),
    };
    let most = input.limits.max_batches;
    for batch in answer.batches.iter().take(most) {
        refining.batch(batch);
    }
    if let Some(more) = answer.batches.len().checked_sub(most).filter(|it| *it > 0) {
        refining.refused.push(format!("{more} batches over the limit of {most}").into());
    }
    let shown = shown_tasks(input, plan);
    refining.drop_named(answer.dropped.as_deref().unwrap_or_default(), shown);
    refining.keep_the_rest(shown);
    refining.finish()
}

/// Whether a program knows the change of a task, so that keeping it costs nothing and losing it loses work.
fn is_computed(plan: &Plan, task: &Task) -> bool {
    task.by != Proposer::Model || plan.prepared.contains_key(&task.id)
}

/// The files that the model was told of, as far as the directive means them.
fn known(repo: &RepoFacts<'_>, plan: &Plan, reach: &Reach) -> BTreeSet<String> {
    let by_model = plan.tasks.iter().filter(|it| it.by == Proposer::Model);
    let of_models: BTreeSet<String> =
        by_model.flat_map(|it| &it.files).map(|it| text(it).to_owned()).collect();
    let mut known: BTreeSet<String> = plan.leftovers.iter().map(|it| it.path.clone()).collect();
    known.extend(plan.tasks.iter().flat_map(|it| &it.files).map(|it| text(it).to_owned()));
    let documents = plan.tasks.iter().flat_map(|it| documents::of(repo, it));
    known.extend(documents.map(str::to_owned));
    let is_code = |id: FileId| repo.view().file(id).language.is_some_and(Language::is_read);
    let path = |id: FileId| repo.view().tree.get(id).path.to_string();
    let edges = repo.view().edges().into_iter().filter(|it| is_code(it.0) && is_code(it.1));
    for (user, used) in edges.map(|it| (path(it.0), path(it.1))) {
        // The brief names who uses the files of a model's task, and what they import.
        if of_models.contains(&user) {
            known.insert(used);
        } else if of_models.contains(&used) {
            known.insert(user);
        }
    }
    known.retain(|it| reach.allows(it));
    known.extend(reach.files(repo).map(str::to_owned));
    known.retain(|it| repo.exists(it) && (repo.input.may_touch)(it));
    let tests: Vec<&str> = known.iter().flat_map(|it| repo.tests_named_after(it)).collect();
    known.extend(tests.into_iter().filter(|it| !reach.leaves_out(it)).map(str::to_owned));
    known
}

/// Files of a dropped task that are named.
const FEW: usize = 3;

struct Refining<'r, 'g> {
    repo: &'r RepoFacts<'g>,
    plan: &'r Plan,
    reach: Reach,
    known: BTreeSet<String>,
    /// Tasks that a batch has refined, or that stay as they are.
    taken: BTreeSet<TaskId>,
    /// Tasks that are dropped by their ids, and why.
    dropped: BTreeMap<TaskId, String>,
    /// Files that batches up to now may create.
    created: BTreeSet<String>,
    tasks: Vec<Chosen>,
    refused: Vec<Refusal>,
}

/// A task of the refined plan.
struct Chosen {
    task: Task,
    /// The number that it had; none for a new one.
    old: Option<TaskId>,
    /// What the model calls it; none where it stays as it is.
    name: Option<String>,
    /// The batches that it waits for, among other words.
    after: Vec<String>,
}

impl Chosen {
    fn kept(task: &Task) -> Chosen {
        Chosen { task: task.clone(), old: Some(task.id), name: None, after: Vec::new() }
    }
}

/// Why something of the answer was not taken.
struct Refusal {
    before: String,
    /// Tasks that it names, by the numbers that they had.
    tasks: Vec<TaskId>,
    after: &'static str,
}

impl From<String> for Refusal {
    fn from(before: String) -> Refusal {
        Refusal { before, tasks: Vec::new(), after: "" }
    }
}

impl Refusal {
    /// With the numbers that the tasks have now; one that has no other keeps its own.
    fn words(&self, now: &BTreeMap<TaskId, TaskId>) -> String {
        let mut ids: Vec<TaskId> =
            self.tasks.iter().map(|old| now.get(old).copied().unwrap_or(*old)).collect();
        ids.sort_unstable();
        let names: Vec<String> = ids.iter().map(ToString::to_string).collect();
        format!("{}{}{}", self.before, names.join(", "), self.after)
    }
}

/// The refined tasks in their order.
struct Ordered {
    tasks: Vec<Task>,
    prepared: BTreeMap<TaskId, Prepared>,
    names: BatchNames,
    /// The numbers of the tasks of the first plan, as they were and as they are.
    now: BTreeMap<TaskId, TaskId>,
}

impl<'r> Refining<'r, '_> {
    fn batch(&mut self, batch: &Batch) {
        let id = line(&batch.id, 40);
        match meant(self.repo, &self.reach, &self.created, batch) {
            Err(reason) => self.refused.push(format!("{id}: {reason}").into()),
            Ok(meant) => match self.task_of(batch, &meant.files) {
                Some(task) if self.is_another_step(task, batch) => self.add(batch, &meant, &id),
                Some(task) if !self.taken.insert(task.id) => {
                    self.refused.push(Refusal {
                        before: format!("{id}: an earlier batch already refines "),
                        tasks: vec![task.id],
                        after: "",
                    });
                }
                Some(task) => {
                    let refined = self.refined(task, batch, &meant, &id);
                    self.choose(refined, Some(task.id), batch, &meant);
                }
                None if self.keep_joined(&meant.files, &id) => {}
                None => self.add(batch, &meant, &id),
            },
        }
    }

    fn add(&mut self, batch: &Batch, meant: &BatchFiles, id: &str) {
        let made = self.cut(meant, id).and_then(|files| self.new_task(batch, &files));
        match made {
            Ok(task) => self.choose(task, None, batch, meant),
            Err(reason) => self.refused.push(format!("{id}: {reason}").into()),
        }
    }

    /// The files of a new batch, without those that its patterns reach and the plan does not speak of.
    fn cut(&mut self, meant: &BatchFiles, id: &str) -> Result<BTreeSet<String>, String> {
        let is_known = |it: &&String| self.known.contains(*it);
        let other = |all: &BTreeSet<String>| all.iter().find(|it| !is_known(it)).cloned();
        let kept: BTreeSet<String> = meant.files.iter().filter(is_known).cloned().collect();
        let refused =
            other(&meant.named).or_else(|| other(&meant.files).filter(|_| kept.is_empty()));
        if let Some(other) = refused.filter(|_| self.repo.input.has_model) {
            return Err(format!(
                "{} is not a file that {}",
                line(&other, 200),
                self.speaker(&other)
            ));
        }
        let gone: BTreeSet<&str> =
            meant.files.iter().filter(|it| !is_known(it)).map(String::as_str).collect();
        if !gone.is_empty() && self.repo.input.has_model {
            let gone = line(&first_of(&gone), 200);
            let words = format!("{id}: without {gone}, which the plan does not mention");
            self.refused.push(words.into());
        }
        Ok(kept)
    }

    /// Who does not speak of a file.
    fn speaker(&self, path: &str) -> &'static str {
        if self.reach.allows(path) { "the plan mentions" } else { "the directive refers to" }
    }

    /// A model's task may be split: a later batch over its files with a goal of its own is a task of its own.
    fn is_another_step(&self, task: &Task, batch: &Batch) -> bool {
        let goal = line(&batch.goal, LONGEST_GOAL);
        let mut refined = self.tasks.iter().filter(|it| it.old == Some(task.id));
        task.by == Proposer::Model && refined.any(|it| it.task.goal != goal)
    }

    fn choose(&mut self, mut task: Task, old: Option<TaskId>, batch: &Batch, meant: &BatchFiles) {
        if task.by == Proposer::Model {
            task.scope_globs.extend(meant.new.iter().map(|path| scope_glob(path)));
            self.created.extend(meant.new.iter().cloned());
        }
        let is_part = |c: char| c.is_ascii_alphanumeric() || c == '-';
        let notes = batch.notes.as_deref().unwrap_or_default();
        let words = notes.split(|c: char| !is_part(c)).filter(|it| !it.is_empty());
        let after = words.map(str::to_owned).collect();
        self.tasks.push(Chosen { task, old, name: Some(batch.id.clone()), after });
    }

    /// The task that a batch refines: the one with its files, or with its number and some of its files, or one that is made whole
    /// or not at all and has all of its files, unless more was found in them than that one is about.
    fn task_of(&self, batch: &Batch, files: &BTreeSet<String>) -> Option<&'r Task> {
        let of = |task: &Task| -> BTreeSet<String> {
            task.files.iter().map(|it| text(it).to_owned()).collect()
        };
        // The documents of a task may be repeated among its files.
        let asked = |task: &Task| -> BTreeSet<String> {
            let beside = documents::of(self.repo, task);
            files.iter().filter(|it| !beside.contains(&it.as_str())).cloned().collect()
        };
        let has_id = |task: &&Task| task.id.to_string() == batch.id;
        let tasks = &self.plan.tasks;
        let same: Vec<&Task> = tasks.iter().filter(|it| of(it) == asked(it)).collect();
        let free = |it: &&&Task| !self.taken.contains(&it.id);
        let exact = same.iter().filter(free).find(|it| has_id(it));
        let exact = exact.or_else(|| same.iter().find(free)).or(same.first());
        let is_part = |it: &Task| !asked(it).is_empty() && asked(it).is_subset(&of(it));
        let named = || tasks.iter().find(|it| has_id(it) && is_part(it));
        let is_more = |path: &String| self.plan.leftovers.iter().any(|it| it.path == *path);
        let whole = || tasks.iter().find(|it| it.by != Proposer::Model && files.is_subset(&of(it)));
        // A batch with the number of another task is not this one.
        let is_other = tasks.iter().any(|it| has_id(&it) && it.by == Proposer::Model);
        let whole = || if is_other || files.iter().any(is_more) { None } else { whole() };
        exact.copied().or_else(named).or_else(whole)
    }

    /// Tasks whose change is computed are not joined: where a batch has all files of some, these stay as they are.
    fn keep_joined(&mut self, files: &BTreeSet<String>, id: &str) -> bool {
        let is_computed = |task: &&Task| is_computed(self.plan, task);
        let is_inside = |task: &&Task| task.files.iter().all(|it| files.contains(text(it)));
        let tasks: &'r [Task] = &self.plan.tasks;
        let joined: Vec<&Task> = tasks.iter().filter(is_computed).filter(is_inside).collect();
        if joined.is_empty() {
            return false;
        }
        self.refused.push(Refusal {
            before: format!("{id}: "),
            tasks: joined.iter().map(|it| it.id).collect(),
            after: if joined.len() == 1 { " is not merged" } else { " are not merged" },
        });
        for task in joined {
            if self.taken.insert(task.id) {
                self.tasks.push(Chosen::kept(task));
            }
        }
        true
    }

    fn refined(&mut self, task: &Task, batch: &Batch, meant: &BatchFiles, id: &str) -> Task {
        let mut refined = task.clone();
        if task.by == Proposer::Model {
            self.keep_files(&mut refined, &meant.files);
        }
        let goal = line(&batch.goal, LONGEST_GOAL);
        if !goal.is_empty() {
            refined.goal = goal;
        }
        match usize::try_from(batch.diff_budget_loc.0).ok().filter(|it| *it > 0) {
            None => {
                let words = format!("{id}: invalid budget of {} lines", batch.diff_budget_loc.0);
                self.refused.push(words.into());
            }
            Some(budget) => {
                let prepared = self.plan.prepared.get(&task.id);
                let needed = prepared.map_or(1, |it| it.added + it.removed);
                let now = task.diff_budget_loc.unwrap_or(self.repo.input.limits.diff_budget);
                refined.diff_budget_loc = Some(budget.max(needed).min(now));
            }
        }
        refined.risk_score = task.risk_score.max(batch.risk_score.get());
        refined.verifier_level = task.verifier_level.max(level(batch, refined.risk_score));
        if task.by == Proposer::Model {
            refined.allowed_operations = operations(batch, &task.allowed_operations);
        }
        // Before ours, of which the last are cut where there are many.
        refined.notes.splice(0..0, note(batch));
        refined
    }

    /// Of a model's task these files stay. The tests that are named after them may be changed, but are not what it is about.
    fn keep_files(&self, task: &mut Task, files: &BTreeSet<String>) {
        let tests = files.iter().flat_map(|it| self.repo.tests_named_after(it));
        let tests: BTreeSet<&str> = tests.collect();
        let mut beside: Vec<String> =
            documents::of(self.repo, task).into_iter().map(scope_glob).collect();
        let gone = task.files.extract_if(.., |it| !files.contains(text(it)));
        let gone: Vec<String> = gone.map(|it| text(&it).to_owned()).collect();
        let tests = gone.iter().filter(|it| tests.contains(it.as_str()));
        beside.extend(tests.map(|it| scope_glob(it)));
        whole_symbol::forget(&mut task.notes, &gone);
        task.scope_globs = task.files.iter().map(|it| scope_glob(text(it))).collect();
        task.scope_globs.extend(beside);
    }

    fn new_task(&self, batch: &Batch, files: &BTreeSet<String>) -> Result<Task, String> {
        let limits = self.repo.input.limits;
        if !self.repo.input.has_model {
            return Err("it needs a model".to_owned());
        }
        if files.len() > FILES {
            return Err(format!("it affects {}, more than {FILES}", plural(files.len(), "file")));
        }
        let budget = usize::try_from(batch.diff_budget_loc.0).ok().filter(|it| *it > 0);
        let budget = budget.filter(|it| *it <= limits.diff_budget).ok_or_else(|| {
            format!(
                "a budget of {} lines; at most {} are allowed",
                batch.diff_budget_loc.0, limits.diff_budget
            )
        })?;
        let goal = line(&batch.goal, LONGEST_GOAL);
        if goal.is_empty() {
            return Err("it has no goal".to_owned());
        }
        let files: Vec<&str> = files.iter().map(String::as_str).collect();
        let operations = operations(batch, &["edit".to_owned()]);
        let words: Vec<&str> = operations.iter().map(String::as_str).collect();
        let mut task = for_model(self.repo, &goal, &files, stage(&operations), &words).task;
        self.reach.trim(&mut task);
        task.diff_budget_loc = Some(budget);
        task.risk_score = task.risk_score.max(batch.risk_score.get());
        task.verifier_level = task.verifier_level.max(level(batch, task.risk_score));
        task.notes.extend(note(batch));
        let asked = self.plan.tasks.iter().flat_map(|it| &it.api_changes.names);
        let is_here = |it: &&String| it.split('#').next().is_some_and(|it| files.contains(&it));
        task.api_changes.names = asked.filter(is_here).cloned().collect();
        Ok(task)
    }

    /// Takes the tasks that are dropped by their ids. The model was shown the first `shown`, and knows no others.
    fn drop_named(&mut self, dropped: &[Dropped], shown: usize) {
        let most = self.repo.input.limits.max_batches;
        for Dropped { id, reason } in dropped.iter().take(most) {
            let mut known = self.plan.tasks.iter().take(shown);
            let reason = line(reason, LONGEST_REASON);
            let refused = match known.find(|it| it.id.to_string() == *id) {
                None => "there is no such batch to drop",
                Some(task) if self.taken.contains(&task.id) => {
                    "it is refined, so it cannot be dropped"
                }
                Some(_) if reason.is_empty() => "it cannot be dropped without a reason",
                Some(task) => {
                    self.dropped.insert(task.id, reason);
                    continue;
                }
            };
            self.refused.push(format!("{}: {refused}", line(id, 40)).into());
        }
        if let Some(more) = dropped.len().checked_sub(most).filter(|it| *it > 0) {
            self.refused.push(format!("{more} dropped batches over the limit of {most}").into());
        }
    }

    /// Keeps what no batch refines and is not dropped, each behind the task before it in the plan: what is computed, and what did not
    /// fit into the first `shown` that the model saw.
    fn keep_the_rest(&mut self, shown: usize) {
        let mut next = 0;
        for (at, task) in self.plan.tasks.iter().enumerate() {
            let place = self.tasks.iter().position(|it| it.old == Some(task.id));
            let is_dropped = self.dropped.contains_key(&task.id);
            if let Some(place) = place {
                next = place + 1;
            } else if at >= shown || (is_computed(self.plan, task) && !is_dropped) {
                self.taken.insert(task.id);
                self.tasks.insert(next, Chosen::kept(task));
                next += 1;
            }
        }
    }

    fn finish(mut self) -> Refined {
        self.keep_to_limit();
        let has_directive = self.repo.input.directive.is_some();
        let left = if has_directive { self.keep_to_directive() } else { Vec::new() };
        match self.ordered() {
            Err(reason) => {
                self.refused.push(reason.into());
                Refined { plan: self.plan.clone(), refused: self.refused_words(&BTreeMap::new()) }
            }
            Ok(Ordered { tasks, prepared, names, now }) => {
                let mut plan = Plan { tasks, prepared, ..self.plan.clone() };
                let words = self.dropped_words(&names, &plan.tasks);
                plan.notes.extend(words);
                plan.leftovers.retain(|it| !self.is_taken_up(it));
                let is_known = |path: &String| plan.leftovers.iter().any(|it| it.path == *path);
                let left: Vec<_> = left.into_iter().filter(|it| !is_known(&it.path)).collect();
                plan.leftovers.extend(left);
                plan.leftovers.sort();
                Refined { plan, refused: self.refused_words(&now) }
            }
        }
    }

    fn refused_words(&self, now: &BTreeMap<TaskId, TaskId>) -> Vec<String> {
        self.refused.iter().map(|it| it.words(now)).collect()
    }

    /// What is not in the plan any more, with the reason where the model gave one. What other tasks of a model took up is no loss.
    fn dropped_words(&self, names: &BatchNames, kept: &[Task]) -> Vec<String> {
        let by_model = kept.iter().filter(|it| it.by == Proposer::Model);
        let taken_up: BTreeSet<&RepoPath> = by_model.flat_map(|it| &it.files).collect();
        let dropped = self.plan.tasks.iter().filter(|it| !self.taken.contains(&it.id));
        let words = |task: &Task| {
            let is_left = |it: &&RepoPath| task.by.is_computed() || !taken_up.contains(it);
            let left: BTreeSet<&str> = task.files.iter().filter(is_left).map(text).collect();
            if left.is_empty() && !task.files.is_empty() {
                return None;
            }
            let what = self.short(task, &left);
            Some(match self.dropped.get(&task.id) {
                Some(reason) => {
                    let reason = names.put_into(reason);
                    format!("dropped by the planner: {what}; reason: {reason}")
                }
                None => format!("dropped by the planner: {what}"),
            })
        };
        dropped.filter_map(words).collect()
    }

    /// A task in a few words: "the part in src/exec/" where the rest of its goal is the directive. `left`: the files that it is
    /// about.
    fn short(&self, task: &Task, left: &BTreeSet<&str>) -> String {
        let directive = self.repo.input.directive.unwrap_or_default();
        let directive = directive.trim().trim_end_matches('.');
        let rest = task.goal.strip_prefix(directive).unwrap_or_default();
        match (rest.strip_prefix(", in "), rest.strip_prefix(": ")) {
            (Some(_), _) if left.len() < task.files.len() => {
                let left: Vec<String> = left.iter().map(|it| (*it).to_owned()).collect();
                format!("the part in {}", at_most(FEW, left.into_iter()).join(", "))
            }
            (Some(place), _) => format!("the part in {place}"),
            (None, Some(symbols)) => symbols.to_owned(),
            (None, None) => task.title(),
        }
    }

    /// The last tasks over the limit of a plan are left: a model's first.
    fn keep_to_limit(&mut self) {
        let most = self.repo.input.limits.max_batches;
        let more = self.tasks.len().saturating_sub(most);
        if more > 0 {
            self.refused.push(format!("{} over the limit of {most}", plural(more, "task")).into());
        }
        for _ in 0..more {
            let of_model = self.tasks.iter().rposition(|it| !is_computed(self.plan, &it.task));
            self.tasks.remove(of_model.unwrap_or(self.tasks.len() - 1));
        }
    }

    /// What had no room in the first plan may be what a new task is about.
    fn is_taken_up(&self, left: &Leftover) -> bool {
        let mut new = self.tasks.iter().filter(|it| it.old.is_none());
        is_past_directive(left)
            && new.any(|it| it.task.files.iter().any(|it| text(it) == left.path))
    }

    /// The last tasks that a directive has no room for are left, and said.
    fn keep_to_directive(&mut self) -> Vec<Leftover> {
        let tasks: Vec<Task> = self.tasks.iter().map(|it| it.task.clone()).collect();
        let (places, left) = within_directive(&tasks);
        let gone = tasks.len() - places.len();
        if gone > 0 {
            let most = plural(places.len(), "task");
            let words =
                format!("{} over the limit of {most} for a directive", plural(gone, "task"));
            self.refused.push(words.into());
        }
        let mut at = 0..;
        self.tasks.retain(|_| at.next().is_some_and(|at| places.contains(&at)));
        left
    }

    /// The places of the tasks by what the model calls them: the ids of its batches, and for what stays those that it was shown.
    fn called(&self) -> BTreeMap<String, Vec<usize>> {
        let mut called: BTreeMap<String, Vec<usize>> = BTreeMap::new();
        for (at, chosen) in self.tasks.iter().enumerate() {
            if let Some(name) = &chosen.name {
                called.entry(name.clone()).or_default().push(at);
            }
        }
        for (at, chosen) in self.tasks.iter().enumerate() {
            if let Some(old) = chosen.old {
                called.entry(old.to_string()).or_insert_with(|| vec![at]);
            }
        }
        called
    }

    /// The tasks in the model's order, within stages and dependencies.
    fn ordered(&self) -> Result<Ordered, String> {
        let number = |at: usize| TaskId(u32::try_from(at + 1).expect("few tasks"));
        let new: BTreeMap<TaskId, TaskId> = self
            .tasks
            .iter()
            .enumerate()
            .filter_map(|(at, chosen)| Some((chosen.old?, number(at))))
            .collect();
        let called = self.called();
        let mut tasks: Vec<Task> = self.tasks.iter().map(|it| it.task.clone()).collect();
        for (at, task) in tasks.iter_mut().enumerate() {
            task.id = number(at);
            let named = self.tasks[at].after.iter().filter_map(|name| called.get(name)).flatten();
            let waits = named.filter(|earlier| **earlier < at).map(|earlier| number(*earlier));
            let known = task.depends_on.iter().filter_map(|it| new.get(it).copied());
            task.depends_on = known.chain(waits).collect();
        }
        let places = sequence(&tasks, |at, _| at as u64).map_err(|error| error.to_string())?;
        let mut tasks = renumbered(tasks, &places);
        let number_at: BTreeMap<usize, TaskId> =
            places.iter().copied().zip(tasks.iter().map(|it| it.id)).collect();
        let names = BatchNames::new(called.into_iter().map(|(name, at)| (name, number_at[&at[0]])));
        let old = self.tasks.iter().enumerate();
        let now = old.filter_map(|(at, chosen)| Some((chosen.old?, number_at[&at]))).collect();
        let mut prepared = BTreeMap::new();
        for (task, &place) in tasks.iter_mut().zip(&places) {
            let chosen = &self.tasks[place];
            let ready = chosen.old.and_then(|it| self.plan.prepared.get(&it));
            prepared.extend(ready.map(|it| (task.id, it.clone())));
            if chosen.name.is_some() {
                names.put_into_task(task);
            }
        }
        set_critical(&mut tasks, self.repo.input.directive.is_some());
        let exists = |path: &rb_core::RepoPath| self.repo.exists(text(path));
        match faults(&tasks, &exists, self.repo.input.limits).into_iter().next() {
            Some(fault) => Err(fault),
            None => Ok(Ordered { tasks, prepared, names, now }),
        }
    }
}
