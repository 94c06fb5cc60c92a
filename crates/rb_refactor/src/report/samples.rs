//! Runs made by hand, for the tests of every artifact: a journal, the records beside it, the diffs that git would show.

use std::collections::BTreeMap;
use std::path::PathBuf;

use rb_change::{ChangeEvent, Failure, Verify};
use rb_core::clock::Timestamp;
use rb_core::fs::{self, Durability};
use rb_core::{Proposer, RepoPath, RunId, Stage, Task, TaskId, TaskKind, Verdict};
use rb_flow::event::VERSION;
use rb_models::{Booking, Cost, Usage};
use rb_schema::roles::critic::Decision as CriticDecision;
use rb_verify::Effort;
use rb_workspace::answer::Rung;
use rb_workspace::ledger::{LedgerEntry, TaskStatus};
use rb_workspace::repo::Kind;
use serde_json::{Value, json};

use super::Facts;
use crate::event::{
    Event, Mode, Orders, Outcome, Record, Recovery, RefactorEvent, RunEvent, RunStarted,
};

const BASE: &str = "ba5eba5eba5eba5eba5eba5eba5eba5eba5eba5e";

pub(super) struct Sample {
    dir: tempfile::TempDir,
    pub(super) records: Vec<Record>,
    diffs: BTreeMap<(String, String), Vec<u8>>,
    tip: String,
    pub(super) now: i64,
}

impl Sample {
    fn new(tasks: Vec<Task>, verify: bool, orders: Orders) -> Sample {
        let mut sample = Sample {
            dir: tempfile::tempdir().unwrap(),
            records: Vec::new(),
            diffs: BTreeMap::new(),
            tip: BASE.to_owned(),
            now: 1_769_860_800_000,
        };
        let verify = verify.then(|| {
            Box::new(Verify {
                runs_commands: true,
                options: rb_verify::Options::default(),
                full_every: 5,
                allow_failing_baseline: false,
                allow_public_api_changes: true,
                max_residue: None,
            })
        });
        sample.event(RunEvent::RunStarted(RunStarted {
            run: run(),
            workflow: Mode::Refactor,
            repo: PathBuf::from("/home/you/shop"),
            kind: Kind::Git,
            scope: None,
            allow_dirty: false,
            diff_budget: 300,
            excludes: Vec::new(),
            tasks,
            verify,
            orders: Box::new(orders),
        }));
        sample.json("backup/backup.bundle", &json!(""));
        sample.json("backup/snapshot.tar.gz", &json!(""));
        let dir = PathBuf::from("backup");
        sample.change(ChangeEvent::BackupMade { dir, files: 9, bytes: 4096, ms: 40 });
        let (branch, base) = (run().branch(), BASE.to_owned());
        sample.change(ChangeEvent::WorktreeStarted { branch, base, carried: false });
        sample
    }

    pub(super) fn facts(&self) -> Facts {
        let diff = |_: Option<TaskId>, from: &str, to: &str| {
            let known = self.diffs.get(&(from.to_owned(), to.to_owned()));
            Ok(known.cloned().unwrap_or_default())
        };
        Facts::assemble(self.dir.path(), &self.records, BASE, &self.tip, &diff).unwrap()
    }

    /// A second later.
    fn change(&mut self, event: ChangeEvent) {
        self.event(RefactorEvent::Change(event));
    }

    pub(super) fn event(&mut self, event: impl Into<Event>) {
        let (seq, at) = (self.records.len() as u64 + 1, Timestamp::from_unix_ms(self.now));
        self.records.push(Record { v: VERSION, seq, at, event: event.into() });
        self.now += 1000;
    }

    fn json(&self, name: &str, value: &Value) -> PathBuf {
        let place = self.dir.path().join(name);
        fs::create_dir_all(place.parent().unwrap()).unwrap();
        fs::write(&place, value.to_string().as_bytes(), Durability::Relaxed).unwrap();
        PathBuf::from(name)
    }

    /// The answer of the model that a task's change comes from.
    pub(super) fn answered(&self, task: TaskId, risks: &[&str], followups: &[&str]) {
        let answer = json!({
            "status": "ok", "rationale": "It is `a` now:\nno <b>loop</b>.", "risk_notes": risks, "patch_unified_diff": "",
            "touched_files": [], "expected_verifier": [], "followups": followups,
        });
        self.json(&format!("proposals/{task}.answer.json"), &answer);
    }

    fn baseline(&mut self, verdict: Verdict, commands: &[Value]) {
        let reasons = match verdict {
            Verdict::Pass => Vec::new(),
            Verdict::Fail => vec!["2 of 12 tests failed".to_owned()],
            Verdict::NoVerifierRan => {
                vec!["no command was found that verifies this repository".to_owned()]
            }
        };
        let record = json!({
            "surroundings": {
                "sandbox": {"kind": "bubblewrap", "network": "cut", "writes": "confined", "home": "hidden", "processes": "own_namespace"},
                "versions": [["node", "v20.11.0"]], "lockfiles": [], "dependencies": [],
            },
            "commands": commands, "flaky": [], "benchmark": null,
            "verdict": verdict, "reasons": reasons, "notes": [],
        });
        let file = self.json("verify/baseline.json", &record);
        self.change(ChangeEvent::BaselineTaken { verdict, untested: false, reasons, file });
    }

    fn verified(
        &mut self,
        task: Option<TaskId>,
        effort: Effort,
        verdict: Verdict,
        commands: &[Value],
        standing: &Value,
    ) {
        let name = task.map_or("whole".to_owned(), |task| task.to_string());
        let reasons: Vec<String> = match verdict {
            Verdict::Pass => Vec::new(),
            Verdict::Fail => vec!["broken, passed before (1): `cart › <b>adds</b>`".to_owned()],
            Verdict::NoVerifierRan => vec!["no command was found".to_owned()],
        };
        let record = json!({
            "effort": effort, "commands": commands, "flaky": [], "standing": standing,
            "benchmark": null, "verdict": verdict, "reasons": reasons,
        });
        let file = self.json(&format!("verify/{name}.json"), &record);
        let (untested, failure) = (false, None);
        let ended =
            ChangeEvent::VerifyEnded { task, effort, verdict, untested, reasons, file, failure };
        self.change(ended);
    }

    fn audited(&mut self, task: TaskId, record: &Value) {
        let file = self.json(&format!("verify/{task}-audit.json"), record);
        let verdict: Verdict = serde_json::from_value(record["verdict"].clone()).unwrap();
        let reasons = serde_json::from_value(record["reasons"].clone()).unwrap();
        self.change(ChangeEvent::AuditEnded {
            task,
            verdict,
            reasons,
            notes: Vec::new(),
            unreached: serde_json::from_value(record["unreached"].clone()).unwrap_or_default(),
            file,
            failure: None,
        });
    }

    /// Ends the task with a checkpoint that holds `patch`.
    fn applied(&mut self, task: &Task, patch: &str, rung: Option<Rung>, verdict: Verdict) {
        let commit = format!("{:040x}", 0xc0de_0000_u64 + u64::from(task.id.0));
        self.diffs.insert((self.tip.clone(), commit.clone()), patch.as_bytes().to_vec());
        let before = self.diffs.get(&(BASE.to_owned(), self.tip.clone())).cloned();
        let whole = [before.unwrap_or_default(), patch.as_bytes().to_vec()].concat();
        self.diffs.insert((BASE.to_owned(), commit.clone()), whole);
        self.tip.clone_from(&commit);
        let files = super::diffs::split(patch.as_bytes());
        let entry = LedgerEntry {
            commit: Some(commit),
            touched_files: files.iter().map(|file| file.path.clone()).collect(),
            added: files.iter().map(|file| file.added).sum(),
            removed: files.iter().map(|file| file.removed).sum(),
            rung,
            verdict,
            ..entry(task, TaskStatus::Applied, &[])
        };
        self.change(ChangeEvent::TaskEnded { entry });
    }

    fn end(&mut self, task: &Task, status: TaskStatus, attempts: u32, reasons: &[&str]) {
        let entry = LedgerEntry { attempts, ..entry(task, status, reasons) };
        self.change(ChangeEvent::TaskEnded { entry });
    }

    fn compared(&mut self, full: bool) {
        self.change(ChangeEvent::CheckoutCompared { full, differences: Vec::new() });
    }
}

fn run() -> RunId {
    "20260131T120000Z".parse().unwrap()
}

fn entry(task: &Task, status: TaskStatus, reasons: &[&str]) -> LedgerEntry {
    LedgerEntry {
        task: task.id,
        goal: task.goal.clone(),
        status,
        commit: None,
        touched_files: Vec::new(),
        added: 0,
        removed: 0,
        rung: None,
        verdict: Verdict::NoVerifierRan,
        attempts: 1,
        confidence: None,
        reasons: reasons.iter().map(ToString::to_string).collect(),
        notes: Vec::new(),
        at: Timestamp::from_unix_ms(0),
    }
}

fn task(id: u32, goal: &str, by: Proposer, stage: Stage, risk_score: u8) -> Task {
    let kind = TaskKind::Change { format: None };
    Task { by, stage, risk_score, ..Task::new(TaskId(id), goal, kind) }
}

fn suite(line: &str, passed: u64, failed: u64, verdict: Verdict) -> Value {
    json!({
        "command": {"purpose": "test", "folder": "", "line": line, "found": "package.json scripts.test"},
        "how": {"how": "exit", "code": i32::from(failed > 0)}, "ms": 1500,
        "cpu_ms": null, "peak_memory": null, "stdout": null, "stderr": null, "said": "",
        "tests": {"counts": {"passed": passed, "failed": failed, "skipped": 1}, "detail": "PerTest", "results": [], "troubles": []},
        "verdict": verdict, "reasons": [],
    })
}

/// A build whose files come to so many bytes, gzipped.
fn build(gzipped: u64) -> Value {
    let built = [("app.css", 400), ("app.js", gzipped - 400)]
        .map(|(path, gzipped)| json!({"path": path, "bytes": gzipped * 3, "gzipped": gzipped}));
    let mut run = suite("vite build", 0, 0, Verdict::Pass);
    run["command"]["purpose"] = json!("build");
    (run["tests"], run["built"]) = (Value::Null, json!(built));
    run
}

fn compared(run: &Value, kept: usize, broken: &[&str], verdict: Verdict) -> Value {
    json!({
        "run": run, "verdict": verdict, "reasons": [],
        "comparison": {
            "broken": broken, "fixed": [], "still_failing": [], "new": [], "new_failing": [],
            "gone": [], "now_skipped": [], "flaky": ["cart › sometimes"], "kept": kept,
        },
    })
}

fn examined(tested: &[&str], imported: &[&str], findings: &Value, lost: &Value) -> Value {
    let removed = 2 + lost.as_array().map_or(0, Vec::len);
    json!({
        "findings": findings, "allowed": [], "refused": [],
        "residue": {"removed": removed, "lost": lost},
        "around": {"tested": tested, "imported": imported},
        "verdict": "pass", "reasons": [],
    })
}

fn patch(path: &str, old: &str, new: &str) -> String {
    format!(
        "diff --git a/{path} b/{path}\nindex 1111111..2222222 100644\n--- a/{path}\n+++ b/{path}\n@@ -1,2 +1,2 @@\n-{old}\n+{new}\n export {{}};\n"
    )
}

/// Two tasks of a plan, both good: one by a rule, one by a recipe.
pub(super) fn good() -> Sample {
    let directive = Some("use promises instead of callbacks. Keep the interface.".to_owned());
    let orders = Orders { plans: true, directive, max_retries: 3, ..Orders::default() };
    let mut sample = Sample::new(Vec::new(), true, orders);
    sample.event(RefactorEvent::Indexed { files: 18, symbols: 90 });
    sample.baseline(Verdict::Pass, &[build(10_000), suite("npm test", 12, 0, Verdict::Pass)]);
    let rule = Proposer::Rule { id: "async-parallel".to_owned() };
    let one = task(1, "Await independent calls together", rule, Stage::Small, 20);
    let recipe = by_recipe("callbacks-to-promises");
    let two = task(2, "Turn callbacks of store_file into promises", recipe, Stage::Transform, 65);
    let plan = json!({
        "tasks": [], "matched": [], "is_react_project": false, "active_rules": [], "notes": [], "unserved": null,
        "left": {"places": [{"path": "src/old.js", "line": 4, "found_by": "callbacks-to-promises", "what": "callback is called twice", "reason": "its order cannot be told", "suggestion": "split it"}]},
    });
    let file = sample.json("plan.json", &plan);
    let tasks = vec![one.clone(), two.clone()];
    let (is_react_project, active_rules) = (false, vec!["async-parallel".to_owned()]);
    sample.event(RefactorEvent::Planned { tasks, is_react_project, active_rules, file });
    enter(&mut sample, "plan", "task", 400);
    sample.change(ChangeEvent::TaskStarted { task: one.id, goal: one.goal.clone() });
    sample.audited(one.id, &examined(&["src/api.js"], &["src/http.js"], &json!([]), &json!([])));
    sample.verified(Some(one.id), Effort::Fast, Verdict::Pass, &[], &Value::Null);
    sample.compared(false);
    sample.applied(&one, &patch("src/api.js", "a", "b"), None, Verdict::Pass);
    sample.change(ChangeEvent::TaskStarted { task: two.id, goal: two.goal.clone() });
    let warning = json!([{"path": "src/store_file.js", "line": 7, "kind": "orphaned_function", "severity": "warning", "message": "`oldSave` is called by nobody now", "cause": null}]);
    let lost = json!([{"path": "src/store_file.js", "line": 3, "text": "callback(null, data)"}]);
    sample.audited(two.id, &examined(&[], &[], &warning, &lost));
    sample.verified(Some(two.id), Effort::Fast, Verdict::Pass, &[], &Value::Null);
    sample.compared(false);
    sample.applied(&two, &patch("src/store_file.js", "x", "y"), None, Verdict::Pass);
    enter(&mut sample, "task", "verify", 6000);
    let after = compared(&suite("npm test", 12, 0, Verdict::Pass), 11, &[], Verdict::Pass);
    let standing = json!({"passed": 11, "failed": 0, "level": "wanted", "unstable": false});
    let built = json!({"run": build(9_570), "verdict": "pass", "reasons": [], "comparison": null});
    sample.verified(None, Effort::Full, Verdict::Pass, &[built, after], &standing);
    sample.compared(true);
    sample
}

fn enter(sample: &mut Sample, from: &str, node: &str, ms: u64) {
    let (from, node) = (Some(from.to_owned()), node.to_owned());
    sample.event(RunEvent::Entered { node, from, ms });
}

/// A model's change that held at the second try, one that was skipped, and one that was refused and ended the loop.
pub(super) fn mixed() -> Sample {
    let orders = Orders { plans: true, max_retries: 2, critic: true, ..Orders::default() };
    let mut sample = Sample::new(Vec::new(), true, orders);
    sample.baseline(Verdict::Pass, &[suite("npm test", 12, 0, Verdict::Pass)]);
    let one = task(1, "Split `total` of cart.ts", Proposer::Model, Stage::Restructure, 45);
    let two = task(2, "Rename qty to quantity", Proposer::Model, Stage::Small, 30);
    let three = task(3, "Remove the legacy client", Proposer::Given, Stage::Clean, 10);
    let four = task(4, "Format everything", Proposer::Given, Stage::Format, 0);
    let tasks = vec![one.clone(), two.clone(), three.clone(), four];
    let file = PathBuf::from("no-such-plan.json");
    sample.event(RefactorEvent::Planned {
        tasks,
        is_react_project: true,
        active_rules: Vec::new(),
        file,
    });
    let shown = ["src/cart.ts", "src/money.ts", "src/unrelated.ts"].map(
        |path| json!({"path": path, "reason": "", "may_be_changed": true, "shown": [], "lines": 9}),
    );
    let pack = json!({
        "task": 1, "omitted": [], "rules": [], "ledger": [], "errors": [],
        "files": shown,
        "budgets": {"chars": 1, "excerpt_lines": 1, "ledger_entries": 1, "ledger_lines": 1, "tokens": null},
        "sizes": {"chars": 1, "excerpt_lines": 1, "ledger_entries": 1, "tokens": 1},
    });
    sample.change(ChangeEvent::TaskStarted { task: one.id, goal: one.goal.clone() });
    let file = sample.json("packs/batch-001.json", &pack);
    sample.event(RefactorEvent::PackMade {
        task: one.id,
        files: 3,
        lines: 27,
        chars: 900,
        tokens: 300,
        file,
    });
    for (input, output) in [(4000, 500), (4200, 700)] {
        let booking = Booking {
            role: "patcher".to_owned(),
            task: Some(one.id),
            files: vec![RepoPath::new("src/cart.ts").unwrap()],
            usage: Usage { input, output, ..Usage::default() },
            cost: Cost::Priced(rb_core::Usd::new(0.01).unwrap()),
            ms: 2500,
            tries: 1,
            ..Booking::default()
        };
        sample.event(RunEvent::ModelCalled { booking: booking.into() });
    }
    sample.event(RefactorEvent::TryFailed {
        task: one.id,
        attempt: 1,
        failure: Failure::Patch,
        reasons: vec!["`src/cart.ts` is not what the patch was made for".to_owned()],
        recovery: Recovery::RetryNarrowed,
    });
    sample.event(RefactorEvent::CriticEnded {
        task: one.id,
        decision: CriticDecision::ShrinkDiff,
        reasons: vec!["the comment at the top need not move".to_owned()],
    });
    let lost = json!([{"path": "src/cart.ts", "line": 9, "text": "if (cart.closed) return 0;"}]);
    sample.audited(one.id, &examined(&["src/cart.ts"], &["src/money.ts"], &json!([]), &lost));
    sample.verified(Some(one.id), Effort::Fast, Verdict::Pass, &[], &Value::Null);
    let change = patch("src/cart.ts", "total()", "sum()");
    sample.applied(&one, &change, Some(Rung::Whitespace), Verdict::Pass);
    if let Some(Record {
        event: Event::Own(RefactorEvent::Change(ChangeEvent::TaskEnded { entry })),
        ..
    }) = sample.records.last_mut()
    {
        entry.attempts = 2;
    }
    sample.change(ChangeEvent::TaskStarted { task: two.id, goal: two.goal.clone() });
    sample.event(RunEvent::ModelFailed {
        role: "patcher".to_owned(),
        task: Some(two.id),
        reason: "the answer was cut off".to_owned(),
    });
    sample.end(&two, TaskStatus::Skipped, 3, &["the model gave no usable answer"]);
    sample.change(ChangeEvent::TaskStarted { task: three.id, goal: three.goal.clone() });
    sample.end(&three, TaskStatus::Refused, 1, &["`legacy/client.js` is out of scope"]);
    let after = compared(&suite("npm test", 12, 0, Verdict::Pass), 11, &[], Verdict::Pass);
    let standing = json!({"passed": 11, "failed": 0, "level": "wanted", "unstable": false});
    sample.verified(None, Effort::Full, Verdict::Pass, &[after], &standing);
    sample.compared(true);
    sample
}

/// No verifier, and nothing to do.
pub(super) fn nothing() -> Sample {
    let one = task(1, "Sort the imports", Proposer::Given, Stage::Clean, 0);
    let mut sample = Sample::new(vec![one.clone()], false, Orders::default());
    sample.change(ChangeEvent::TaskStarted { task: one.id, goal: one.goal.clone() });
    sample.compared(false);
    sample.end(&one, TaskStatus::Noop, 1, &[]);
    sample.compared(true);
    sample
}

/// A change that nothing was run on.
pub(super) fn unverified() -> Sample {
    let one = task(1, "Use a map", Proposer::Given, Stage::Small, 0);
    let mut sample = Sample::new(vec![one.clone()], true, Orders::default());
    sample.baseline(Verdict::NoVerifierRan, &[]);
    sample.change(ChangeEvent::TaskStarted { task: one.id, goal: one.goal.clone() });
    sample.audited(one.id, &examined(&["a.js"], &[], &json!([]), &json!([])));
    sample.verified(Some(one.id), Effort::Full, Verdict::NoVerifierRan, &[], &Value::Null);
    let change = patch("a.js", "x", "y");
    sample.applied(&one, &change, Some(Rung::Exact), Verdict::NoVerifierRan);
    sample
}

/// Ended early, with one change that stood before; the whole fails.
pub(super) fn aborted() -> Sample {
    let one = task(1, "Use a map", Proposer::Given, Stage::Small, 0);
    let two = task(2, "Use a set", Proposer::Given, Stage::Small, 0);
    let mut sample = Sample::new(vec![one.clone(), two.clone()], true, Orders::default());
    sample.baseline(Verdict::Pass, &[suite("npm test", 12, 0, Verdict::Pass)]);
    sample.change(ChangeEvent::TaskStarted { task: one.id, goal: one.goal.clone() });
    sample.applied(&one, &patch("a.js", "x", "y"), Some(Rung::Exact), Verdict::Pass);
    let reason = "only 75.0% of the tests pass, below the limit of 85%".to_owned();
    sample.event(RefactorEvent::Aborted { reason });
    let after =
        compared(&suite("npm test", 9, 3, Verdict::Fail), 9, &["a", "b", "c"], Verdict::Fail);
    let standing = json!({"passed": 9, "failed": 3, "level": "abort", "unstable": true});
    sample.verified(None, Effort::Full, Verdict::Fail, &[after], &standing);
    sample
}

/// A model's change and one that a person brought, both of which remove behaviour: one that a test reaches, and two that none does.
pub(super) fn removing() -> Sample {
    let one = task(1, "Tidy the form", Proposer::Model, Stage::Small, 0);
    let two = task(2, "Drop the beacon", Proposer::Given, Stage::Small, 0);
    let mut sample = Sample::new(vec![one.clone(), two.clone()], true, Orders::default());
    sample.baseline(Verdict::Pass, &[suite("npm test", 12, 0, Verdict::Pass)]);
    let removed = |path: &str, line: u32, message: &str| json!({"path": path, "line": line, "kind": "removed_behaviour", "severity": "warning", "message": message, "cause": {"path": path, "line": 1}});
    sample.change(ChangeEvent::TaskStarted { task: one.id, goal: one.goal.clone() });
    let found = json!([removed("src/form.js", 3, "removed event handling: `e.preventDefault()`")]);
    sample.audited(one.id, &examined(&["src/form.js"], &[], &found, &json!([])));
    sample.verified(Some(one.id), Effort::Fast, Verdict::Pass, &[], &Value::Null);
    sample.applied(&one, &patch("src/form.js", "x", "y"), Some(Rung::Exact), Verdict::Pass);
    sample.change(ChangeEvent::TaskStarted { task: two.id, goal: two.goal.clone() });
    let found = json!([
        removed("src/beacon.js", 2, "removed call: `beacon.send(x);`"),
        removed("src/beacon.js", 7, "removed throw: `throw new Error('off');`"),
    ]);
    let mut record = examined(&[], &[], &found, &json!([]));
    record["unreached"] = json!(["src/beacon.js:2", "src/beacon.js:7"]);
    sample.audited(two.id, &record);
    sample.verified(Some(two.id), Effort::Fast, Verdict::Pass, &[], &Value::Null);
    sample.applied(&two, &patch("src/beacon.js", "x", "y"), Some(Rung::Exact), Verdict::Pass);
    let after = compared(&suite("npm test", 12, 0, Verdict::Pass), 12, &[], Verdict::Pass);
    sample.verified(None, Effort::Full, Verdict::Pass, &[after], &Value::Null);
    sample
}

/// A change of the file that a program starts with, and of one that a test could import. No test imports either of them.
pub(super) fn unreached() -> Sample {
    let one = task(1, "Name the limit", Proposer::Model, Stage::Small, 0);
    let mut sample = Sample::new(vec![one.clone()], true, Orders::default());
    sample.baseline(Verdict::Pass, &[suite("cargo test", 12, 0, Verdict::Pass)]);
    sample.change(ChangeEvent::TaskStarted { task: one.id, goal: one.goal.clone() });
    sample.audited(one.id, &examined(&[], &[], &json!([]), &json!([])));
    sample.verified(Some(one.id), Effort::Full, Verdict::Pass, &[], &Value::Null);
    let change = patch("src/main.rs", "x", "y") + &patch("src/limits.rs", "x", "y");
    sample.applied(&one, &change, Some(Rung::Exact), Verdict::Pass);
    sample
}

/// The repository fails before any change.
pub(super) fn red() -> Sample {
    let one = task(1, "Use a map", Proposer::Given, Stage::Small, 0);
    let mut sample = Sample::new(vec![one], true, Orders::default());
    sample.baseline(Verdict::Fail, &[suite("npm test", 10, 2, Verdict::Fail)]);
    sample.event(RunEvent::RunEnded { outcome: Outcome::BaselineFailed });
    sample
}

/// The repository fails before any change, which was allowed, and no more afterwards; much was left.
pub(super) fn no_worse() -> Sample {
    let one = task(1, "Use a map in a.js (1 place)", by_recipe("indexed-lookup"), Stage::Small, 0);
    let mut sample = Sample::new(vec![one.clone()], true, Orders::default());
    if let Event::Run(RunEvent::RunStarted(RunStarted { verify: Some(verify), .. })) =
        &mut sample.records[0].event
    {
        verify.allow_failing_baseline = true;
    }
    let test = suite("npm test", 61, 1, Verdict::Fail);
    let mut lint = suite("npx eslint .", 0, 0, Verdict::Fail);
    (lint["tests"], lint["command"]["purpose"]) = (Value::Null, json!("lint"));
    sample.baseline(Verdict::Fail, &[test.clone(), lint.clone()]);
    let place = |line: u32, what: &str, reason: &str| json!({"path": "src/db.js", "line": line, "found_by": "sql-parameters", "what": what, "reason": reason, "suggestion": ""});
    let unknown = "`mssql` is not a supported driver";
    let touch = |file: &str| format!("it would change {file}, which this run may not touch");
    let places = [
        place(1, "`LIMIT ${limit}`", "it is an SQL fragment, not a value"),
        place(2, "`SELECT ${a}`", unknown),
        place(3, "`SELECT ${b}`", unknown),
        place(4, "`SELECT ${c}`", unknown),
        place(5, "`SELECT ${d}`", unknown),
        place(6, "`SELECT ${e}`", &touch("lib/a.js")),
        place(7, "`SELECT ${f}`", &touch("lib/b.js")),
    ];
    let plan = json!({
        "tasks": [], "matched": [], "is_react_project": false, "active_rules": [], "notes": [], "unserved": null,
        "left": {"places": places},
    });
    let file = sample.json("plan.json", &plan);
    let tasks = vec![one.clone()];
    sample.event(RefactorEvent::Planned {
        tasks,
        is_react_project: false,
        active_rules: Vec::new(),
        file,
    });
    sample.change(ChangeEvent::TaskStarted { task: one.id, goal: one.goal.clone() });
    sample.audited(one.id, &examined(&["a.js"], &[], &json!([]), &json!([])));
    sample.applied(&one, &patch("a.js", "x", "y"), None, Verdict::Pass);
    let mut lint = compared(&lint, 0, &[], Verdict::Pass);
    lint["comparison"] = Value::Null;
    let after = [compared(&test, 61, &[], Verdict::Pass), lint];
    sample.verified(None, Effort::Full, Verdict::Pass, &after, &Value::Null);
    sample
}

/// Two tasks in each other's way, by a plan that came twice, in a large repository, slowly.
pub(super) fn clashing() -> Sample {
    let orders = Orders { plans: true, max_retries: 1, ..Orders::default() };
    let mut sample = Sample::new(Vec::new(), false, orders);
    sample.event(RefactorEvent::Indexed { files: 500, symbols: 9000 });
    let one = task(1, "Name the total", Proposer::Model, Stage::Small, 0);
    let two = task(2, "Name it again", Proposer::Model, Stage::Small, 0);
    let planned = RefactorEvent::Planned {
        tasks: vec![one.clone(), two.clone()],
        is_react_project: false,
        active_rules: Vec::new(),
        file: PathBuf::from("plan.json"),
    };
    // Made again before anything was begun, as after a kill, it is one plan.
    sample.event(planned.clone());
    sample.event(planned.clone());
    let lines = ["const total = 1;", "const sum = 1;", "const total = 1;"];
    for (task, pair) in [&one, &two].into_iter().zip(lines.windows(2)) {
        sample.change(ChangeEvent::TaskStarted { task: task.id, goal: task.goal.clone() });
        sample.now += 400_000;
        if task.id == one.id {
            sample.event(planned.clone());
        }
        let change = patch("a.js", pair[0], pair[1]);
        sample.applied(task, &change, Some(Rung::Exact), Verdict::NoVerifierRan);
    }
    sample
}

/// Every foreign text tries to be markup.
pub(super) fn hostile() -> Sample {
    let bad =
        "<script>alert(1)</script>\"'><img src=x onerror=alert(1)> **b** [l](http://e.org) @team";
    let orders = Orders { directive: Some(bad.to_owned()), ..Orders::default() };
    let one = task(1, bad, by_recipe(bad), Stage::Small, 0);
    let two = task(2, bad, Proposer::Model, Stage::Small, 0);
    let mut sample = Sample::new(vec![one.clone(), two.clone()], true, orders);
    sample.baseline(Verdict::Pass, &[suite(bad, 12, 0, Verdict::Pass)]);
    sample.change(ChangeEvent::TaskStarted { task: one.id, goal: bad.to_owned() });
    let (decision, reasons) = (CriticDecision::Reject, vec![bad.to_owned()]);
    sample.event(RefactorEvent::CriticEnded { task: one.id, decision, reasons });
    let finding = json!([{"path": bad, "line": 1, "kind": "new_cycle", "severity": "warning", "message": bad, "cause": null}]);
    let lost = json!([{"path": bad, "line": 1, "text": bad}]);
    sample.audited(one.id, &examined(&[], &[], &finding, &lost));
    let name = "src/<script>alert(1)<\\/script>.js";
    let change = format!(
        "diff --git \"a/{name}\" \"b/{name}\"\n--- \"a/{name}\"\n+++ \"b/{name}\"\n@@ -1 +1 @@ <script>\n-<script>\n+{bad}\u{202e}\n"
    );
    sample.applied(&one, &change.replace("\\/", "|"), Some(Rung::Exact), Verdict::Pass);
    sample.event(RunEvent::ModelFailed {
        role: bad.to_owned(),
        task: None,
        reason: bad.to_owned(),
    });
    sample.end(&two, TaskStatus::Skipped, 1, &[bad]);
    enter(&mut sample, bad, "end", 5);
    let after = compared(&suite(bad, 11, 1, Verdict::Fail), 11, &[bad], Verdict::Fail);
    sample.verified(None, Effort::Full, Verdict::Fail, &[after], &Value::Null);
    sample
}

/// All of them, with the name that the test uses.
pub(super) fn all() -> Vec<(&'static str, Sample)> {
    vec![
        ("good", good()),
        ("mixed", mixed()),
        ("nothing", nothing()),
        ("unverified", unverified()),
        ("aborted", aborted()),
        ("removing", removing()),
        ("red", red()),
        ("clashing", clashing()),
        ("hostile", hostile()),
    ]
}

fn by_recipe(id: &str) -> Proposer {
    Proposer::Recipe {
        id: id.to_owned(),
        arguments: BTreeMap::new(),
        sites: Vec::new(),
        chains: Vec::new(),
    }
}
