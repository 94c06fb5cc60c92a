//! `run`, `accept` and `reject` as they are read, and what they leave behind.

use std::fs;
use std::path::{Path, PathBuf};

use expect_test::expect;
use rb_testkit::{Cli, Ran, Repo, State};

use crate::cli;

pub(crate) const FIXTURE: &str = "
//- .gitignore
node_modules/
//- a.txt
one
two
three
//- src/b.txt
beta
";

pub(crate) const CHANGE: &str = "\
--- a/a.txt
+++ b/a.txt
@@ -1,3 +1,3 @@
 one
-two
+TWO
 three
";

pub(crate) const CHANGED: &str = "one\nTWO\nthree\n";

/// A target of some kind, and what is done to it.
pub(crate) struct Case {
    pub(crate) repo: Repo,
    pub(crate) cli: Cli,
    pub(crate) target: PathBuf,
    patch: String,
    args: Vec<&'static str>,
}

impl Case {
    pub(crate) fn new(repo: Repo) -> Self {
        let beside = fs::canonicalize(repo.beside("")).unwrap();
        let cli = cli().hide(beside.display().to_string(), "[TMP]");
        Case {
            target: repo.root().to_owned(),
            repo,
            cli,
            patch: CHANGE.to_owned(),
            args: Vec::new(),
        }
    }

    pub(crate) fn git() -> Self {
        Case::new(Repo::git_repo(FIXTURE))
    }

    pub(crate) fn at(mut self, target: &Path) -> Self {
        self.target = fs::canonicalize(target).unwrap();
        self
    }

    pub(crate) fn patch(mut self, patch: impl Into<String>) -> Self {
        self.patch = patch.into();
        self
    }

    pub(crate) fn allow_no_git(mut self) -> Self {
        self.args.push("--allow-no-git");
        self
    }

    pub(crate) fn allow_dirty(mut self) -> Self {
        self.args.push("--allow-dirty");
        self
    }

    /// Every byte of the repository and of the target, where that is elsewhere.
    pub(crate) fn states(&self) -> (State, State) {
        (State::of(self.repo.root()), State::of(&self.target))
    }

    /// Runs the patch and sees that nothing in the checkout changed.
    pub(crate) fn run(&self) -> Ran {
        let before = self.states();
        let file = self.repo.beside("fix.patch");
        fs::write(&file, &self.patch).unwrap();
        let (target, file) = (self.target.to_str().unwrap(), file.to_str().unwrap());
        let args = [&["run", target, "--patch", file][..], &self.args].concat();
        let ran = self.cli.run(args);
        ran.expect_code(0);
        let after = self.states();
        before.0.assert_same(&after.0, "by the run");
        before.1.assert_same(&after.1, "by the run");
        ran
    }

    pub(crate) fn accept(&self, ran: &Ran) {
        self.cli.run(["accept", &ran.run_id()]).expect_code(0);
    }

    fn report(&self, run: &str) -> PathBuf {
        self.cli.home().join("runs").join(run).join("report")
    }

    pub(crate) fn worktree(&self, ran: &Ran) -> PathBuf {
        self.cli.home().join("worktrees").join(ran.run_id())
    }
}

#[test]
fn ux1_a_run_from_beginning_to_end() {
    let case = Case::git();
    let ran = case.run();
    expect![[r#"
        exit 0
        --- stdout
        run [RUN]  [TMP]/project
          batch-001  applied  fix  (1 file, +1 -1)  confidence 30 of 100
        tests    not run; only static checks: syntax, imports, exports, calls, cycles, public interface
        backup   [USER]/home/backups/project-[HASH]/[RUN]
        report   [USER]/home/runs/[RUN]/report

        Your checkout is unchanged. Review the diffs, then accept or reject:
          refactor-bot runs show [RUN] --diff
          refactor-bot accept [RUN]
          refactor-bot reject [RUN]
        --- stderr
        saving the history
        checking the saved history
        saving files
        checking the saved files
    "#]]
    .assert_eq(&case.cli.shown(&ran));
    let shown = case.cli.shown(&case.cli.run(["accept", &ran.run_id()]));
    expect![[r#"
        exit 0
        --- stdout
        run [RUN]  [TMP]/project
          batch-001  applied  fix  (1 file, +1 -1)  confidence 30 of 100
        tests    not run; only static checks: syntax, imports, exports, calls, cycles, public interface
        backup   [USER]/home/backups/project-[HASH]/[RUN]
        report   [USER]/home/runs/[RUN]/report

        Accepted: the changes are in your checkout, committed on main. To undo:
          refactor-bot rollback [RUN]
    "#]]
    .assert_eq(&shown);
    assert_eq!(case.repo.git(&["log", "-1", "--format=%s"]), "checkpoint: batch-001 fix\n");
    assert_eq!(case.repo.git(&["branch", "--list"]), "* main\n");
    assert_eq!(case.repo.git(&["worktree", "list"]).lines().count(), 1);
}

#[test]
fn sa1_a_rejected_run_leaves_nothing() {
    let case = Case::git();
    let before = case.states();
    let id = case.run().run_id();
    let shown = case.cli.shown(&case.cli.run(["reject", &id]));
    expect![[r#"
        exit 0
        --- stdout
        run [RUN]  [TMP]/project
          batch-001  applied  fix  (1 file, +1 -1)  confidence 30 of 100
        tests    not run; only static checks: syntax, imports, exports, calls, cycles, public interface
        backup   [USER]/home/backups/project-[HASH]/[RUN]
        report   [USER]/home/runs/[RUN]/report

        Rejected: removed 1 task with 1 commit, the worktree and the branch refactor-bot/[RUN]. Your checkout is unchanged.
    "#]]
    .assert_eq(&shown);
    before.0.assert_same(&case.states().0, "by the whole run");
    assert_eq!(case.repo.git(&["for-each-ref", "--format=%(refname)"]), "refs/heads/main\n");
    assert!(!case.cli.home().join("worktrees").join(&id).exists());
}

#[test]
fn rf8_rf9_the_report_says_what_was_decided() {
    let check = |decision: &[&str], expected: &str, has_branch: bool| {
        let case = Case::git();
        let id = case.run().run_id();
        let read = |name: &str| fs::read_to_string(case.report(&id).join(name)).unwrap();
        let branch = format!(" on `refactor-bot/{id}`.");
        let before = read("pr-summary.md");
        assert!(before.contains("Before you accept it") && before.contains(&branch), "{before}");
        case.cli.run([&[decision[0], &id], &decision[1..]].concat()).expect_code(0);
        let after = read("pr-summary.md");
        assert!(after.contains(expected), "{decision:?}: {after}");
        assert!(!after.contains("you accept it"), "{decision:?}: {after}");
        assert_eq!(after.contains(&branch), has_branch, "{decision:?}: {after}");
        assert!(after.contains("1 task changed 1 file (+1 −1)"), "{decision:?}: {after}");
        assert!(!read("report.html").contains("To decide"), "{decision:?}");
        assert!(!read("validation-report.json").contains("\"outcome\": null"), "{decision:?}");
        assert!(read("agent-log.json").contains("\"run_ended\""), "{decision:?}");
    };
    check(&["accept"], "The change is in your checkout.\n\nUndo it with", false);
    check(&["accept", "--keep-branch"], "The change is on its own branch.", true);
    check(&["reject"], "The change was rejected and removed.", false);
}

/// Without git no commit and no worktree of git is left to look at.
#[test]
fn rf8_rf9_the_report_of_a_folder_without_git_says_that_it_was_accepted() {
    let case = Case::new(Repo::plain(FIXTURE)).allow_no_git();
    let ran = case.run();
    case.accept(&ran);
    let summary = fs::read_to_string(case.report(&ran.run_id()).join("pr-summary.md")).unwrap();
    assert!(summary.contains("The change is in your checkout."), "{summary}");
    assert!(summary.contains("1 task changed 1 file (+1 −1)"), "{summary}");
}

#[test]
fn rf8_rf9_a_report_that_cannot_be_updated_is_a_note_and_the_change_lands() {
    let case = Case::git();
    let id = case.run().run_id();
    fs::remove_file(case.report(&id).join("tasks/batch-001.patch")).unwrap();
    let accepted = case.cli.run(["accept", &id]);
    let note = "note: the report could not be updated: cannot read ";
    assert!(accepted.expect_code(0).stdout.contains(note), "{}", accepted.stdout);
    assert_eq!(case.repo.read("a.txt"), CHANGED);
    assert!(case.report(&id).join("pr-summary.md").is_file(), "the one of before stays");
    // A report that was thrown away is not missed.
    let case = Case::git();
    let id = case.run().run_id();
    fs::remove_dir_all(case.report(&id)).unwrap();
    let accepted = case.cli.run(["accept", &id]);
    assert!(!accepted.expect_code(0).stdout.contains("note:"), "{}", accepted.stdout);
    assert!(!case.report(&id).exists());
}

#[test]
fn sa4_a_refused_task_stops_the_run_and_the_ones_before_it_stay() {
    let case = Case::git();
    let before = case.states();
    let patches = [CHANGE, "--- a/no.txt\n+++ b/no.txt\n@@ -1 +1 @@\n-x\n+y\n", CHANGE];
    let mut args = vec!["run".to_owned(), case.target.display().to_string(), "--yes".to_owned()];
    for (number, text) in patches.iter().enumerate() {
        let file = case.repo.beside(&format!("{number}.patch"));
        fs::write(&file, text).unwrap();
        args.extend(["--patch".to_owned(), file.display().to_string()]);
    }
    let ran = case.cli.run(args);
    expect![[r#"
        exit 1
        --- stdout
        run [RUN]  [TMP]/project
          batch-001  applied  0  (1 file, +1 -1)  confidence 30 of 100
          batch-002  refused  1
              line 3 of the proposal, `no.txt`: the file does not exist
          1 task after it not attempted
        tests    not run; only static checks: syntax, imports, exports, calls, cycles, public interface
        backup   [USER]/home/backups/project-[HASH]/[RUN]
        report   [USER]/home/runs/[RUN]/report

        Your checkout is unchanged. Review the diffs, then accept or reject:
          refactor-bot runs show [RUN] --diff
          refactor-bot accept [RUN]
          refactor-bot reject [RUN]
        --- stderr
        saving the history
        checking the saved history
        saving files
        checking the saved files
    "#]]
    .assert_eq(&case.cli.shown(&ran));
    before.0.assert_same(&case.states().0, "although --yes was given");
    case.accept(&ran);
    assert_eq!(case.repo.read("a.txt"), CHANGED);
}

#[test]
fn ux2_json_is_the_journal_line_by_line() {
    let case = Case::git();
    let file = case.repo.beside("fix.patch");
    fs::write(&file, CHANGE).unwrap();
    let (target, file) = (case.target.to_str().unwrap(), file.to_str().unwrap());
    let ran = case.cli.run(["run", target, "--patch", file, "--yes", "--json"]);
    ran.expect_code(0);
    let mut names = Vec::new();
    for (at, line) in ran.stdout.lines().enumerate() {
        let record: serde_json::Value = serde_json::from_str(line).unwrap();
        assert_eq!((record["v"].as_u64(), record["seq"].as_u64()), (Some(5), Some(at as u64 + 1)));
        names.push(record["event"].as_str().unwrap().to_owned());
    }
    expect![[r#"
        run_started
        entered
        worktree_started
        worktree_made
        entered
        backup_started
        backup_made
        entered
        baseline_started
        baseline_taken
        entered
        task_started
        entered
        patch_proposed
        entered
        patch_applying
        patch_applied
        checkpoint_started
        candidate_made
        entered
        audit_ended
        entered
        verify_started
        verify_ended
        entered
        weighed
        entered
        checkpoint_made
        checkout_compared
        task_ended
        entered
        entered
        verify_started
        verify_ended
        entered
        checkout_compared
        entered
        report_written
        entered
        waiting
        decided
        landing_started
        entered
        entered
        landed
        entered
        cleaned
        entered
        run_ended"#]]
    .assert_eq(&names.join("\n"));
    let journal = case.cli.home().join("runs").join(ran.run_id()).join("journal.jsonl");
    assert_eq!(ran.stdout, fs::read_to_string(journal).unwrap());
}

#[test]
fn sa1_keep_branch_leaves_the_checkout_alone() {
    let case = Case::git();
    let ran = case.run();
    let before = case.states();
    case.cli.run(["accept", &ran.run_id(), "--keep-branch"]).expect_code(0);
    before.0.assert_same(&case.states().0, "by accepting");
    case.cli.run(["runs", "gc", "--older-than", "0"]).expect_code(0);
    case.repo.git(&["merge", "--quiet", &format!("refactor-bot/{}", ran.run_id())]);
    assert_eq!(case.repo.read("a.txt"), CHANGED);
}

#[test]
fn sa1_an_accept_that_is_refused_can_be_tried_again() {
    let case = Case::git();
    let ran = case.run();
    case.repo.write("a.txt", "one\ntwo\nthree\nfour\n");
    case.cli.run(["accept", &ran.run_id()]).expect_code(6);
    let branch = format!("refactor-bot/{}", ran.run_id());
    assert!(case.repo.git_ok(&["rev-parse", "--verify", &branch]), "the checkpoints stay");
    case.repo.write("a.txt", "one\ntwo\nthree\n");
    case.accept(&ran);
    assert_eq!(case.repo.read("a.txt"), CHANGED);
}
