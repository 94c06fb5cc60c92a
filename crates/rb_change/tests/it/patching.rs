//! The toy workflow, from its beginning to its rollback.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use rb_change::gc::{GcMode, GcOptions, gc};
use rb_change::proposals::{self, Loaded};
use rb_change::{
    ChangeError, Commits, Context, Decision, GivenChange, Host, RolledBack, accept, begin, prepare,
    reject, reopen, rollback, summary,
};
use rb_core::process::Env;
use rb_core::progress::Silent;
use rb_core::{Cancel, Home, Proposer, RunId};
use rb_repo::SearchModel;
use rb_testkit::{Repo, git_env};
use rb_verify::Shell;
use rb_workspace::preflight::{Dirty, NoRepository};
use rb_workspace::rollback::Insist;

use crate::toy::{Outcome, Patching, Start, State};

const PATCH: &str = "\
--- a/src/a.js
+++ b/src/a.js
@@ -1,1 +1,1 @@
-export const a = 1;
+export const a = 2;
";

pub(crate) struct Fixture {
    pub(crate) repo: Repo,
    pub(crate) context: Context<Patching>,
    _alone: MutexGuard<'static, ()>,
}

/// Between fork and exec, a git of one test holds the locks of the runs of all others.
static ALONE: Mutex<()> = Mutex::new(());

impl Fixture {
    fn new() -> Fixture {
        Fixture::of("//- src/a.js\nexport const a = 1;\n//- src/b.js\nlet b;\n")
    }

    pub(crate) fn of(files: &str) -> Fixture {
        let alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
        let repo = Repo::git_repo(files);
        let env = git_env(&repo.beside("")).into_iter();
        let env = env.fold(Env::default(), |env, (name, value)| env.with(name, value));
        let host = Host {
            home: Home::new(repo.beside("home")),
            env,
            shell: Shell::new(Vec::new()),
            cancel: Cancel::new(),
            progress: Arc::new(Silent),
            search: Arc::new(SearchModel::local()),
            shim: None,
        };
        let context = Context { host, observer: None, models: None };
        Fixture { repo, context, _alone: alone }
    }

    /// A run that has begun and done nothing yet.
    fn begin(&self, patch: &str) -> rb_flow::Driver<Patching> {
        self.begin_by(Proposer::Given, patch)
    }

    /// The same with a change by somebody else.
    pub(crate) fn begin_by(&self, by: Proposer, patch: &str) -> rb_flow::Driver<Patching> {
        let host = &self.context.host;
        let (run, target) =
            prepare(host, self.repo.root(), Dirty::Refuse, NoRepository::Refuse).unwrap();
        let goal = "Raise it".to_owned();
        let patch = patch.as_bytes().to_vec();
        let api_changes = rb_core::ApiChanges::default();
        let change = GivenChange::Computed { goal, patch, format: None, api_changes };
        let loaded = proposals::load(&[change]);
        let Loaded { mut task, text } = loaded.unwrap().pop().unwrap();
        task.by = by;
        proposals::keep(&run, task.id, &text.unwrap(), None).unwrap();
        let start = Start::new(run.id.clone(), &target, Some(task));
        begin(&self.context, run, &start, target).unwrap()
    }

    pub(crate) fn id(state: &State) -> RunId {
        rb_flow::RunState::start(state).run.clone()
    }

    pub(crate) fn accept(&self, id: RunId) -> State {
        accept(&self.context, id, Decision::Accept, Commits::All).unwrap()
    }
}

#[test]
fn vo1_a_workflow_changes_a_repository_lands_and_is_taken_back() {
    let fixture = Fixture::new();
    let before = fixture.repo.state();
    let waiting = fixture.begin(PATCH).drive().unwrap();
    assert!(waiting.course.waiting, "{:?}", waiting.course.left_off);
    fixture.repo.state().assert_same(&before, "before anybody accepted");
    let id = Fixture::id(&waiting);

    let landed = fixture.accept(id.clone());
    assert_eq!(landed.course.outcome, Some(Outcome::Ended));
    assert_eq!(fixture.repo.read("src/a.js"), "export const a = 2;\n");
    assert_eq!(
        fixture.repo.git(&["log", "-1", "--format=%s"]).trim(),
        "checkpoint: batch-001 Raise it"
    );

    let undone = rollback(&fixture.context, &id, Insist::No).unwrap();
    assert!(matches!(undone, RolledBack::Done(_)));
    assert_eq!(fixture.repo.read("src/a.js"), "export const a = 1;\n");
    fixture.repo.state().files().assert_same(&before.files(), "after the rollback");
}

#[test]
fn vo1_a_run_that_was_dropped_is_gone_on_with_by_another_process() {
    let fixture = Fixture::new();
    let driver = fixture.begin(PATCH);
    let id = Fixture::id(&driver.state);
    drop(driver);
    let waiting = reopen(&fixture.context, id.clone()).unwrap().drive().unwrap();
    assert!(waiting.change.has_changes());
    fixture.accept(id);
    assert_eq!(fixture.repo.read("src/a.js"), "export const a = 2;\n");
}

#[test]
fn vo1_what_is_refused_changes_nothing_and_what_is_rejected_can_be_cleared_away() {
    let fixture = Fixture::new();
    let before = fixture.repo.state();
    let outside = PATCH.replace("src/a.js", "../a.js");
    let waiting = fixture.begin(&outside).drive().unwrap();
    assert!(!waiting.change.has_changes());
    assert_eq!(waiting.change.ledger.len(), 1);
    assert!(!waiting.change.ledger[0].reasons.is_empty());

    let id = Fixture::id(&waiting);
    let options = GcOptions { older_than: Duration::ZERO, mode: GcMode::Remove };
    assert_eq!(gc::<Patching>(&fixture.context.host, options).unwrap(), [], "it is undecided");
    let rejected = reject(&fixture.context, id.clone()).unwrap();
    assert_eq!(rejected.course.outcome, Some(Outcome::Rejected));
    fixture.repo.state().files().assert_same(&before.files(), "after it was rejected");

    let cleared = gc::<Patching>(&fixture.context.host, options).unwrap();
    assert_eq!(cleared.iter().map(|it| &it.run).collect::<Vec<_>>(), [&id]);
    let gone = summary::<Patching>(&fixture.context.host, &id).err().unwrap();
    assert!(matches!(gone, ChangeError::Flow(_)), "{gone}");
}

#[test]
fn st4_what_a_change_leaves_behind_is_a_note_of_its_task() {
    let fixture = Fixture::of(
        "//- src/a.py\ndef _usual_price(): return 1\nprint(_usual_price())\n//- README.md\nSee `_usual_price`.\n",
    );
    let patch = "\
--- a/src/a.py
+++ b/src/a.py
@@ -1,2 +1,2 @@
-def _usual_price(): return 1
-print(_usual_price())
+def _best_price(): return 1
+print(_best_price())
";
    let waiting = fixture.begin(patch).drive().unwrap();
    let entry = &waiting.change.ledger[0];
    let note = "README.md:1: the text still names `_usual_price`, but the change renamed it to `_best_price`";
    assert_eq!(
        (entry.notes.as_slice(), entry.reasons.as_slice()),
        (&[note.to_owned()][..], &[][..])
    );
}
