//! `rollback` from outside: what it says, and that it can itself be undone.

use std::fs;

use expect_test::expect;
use rb_testkit::{Cli, Repo, State};

use crate::cli;

const FIXTURE: &str = "//- a.txt\none\n//- b.txt\nbeta\n";
const CHANGE: &str = "--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-one\n+ONE\n";

struct Accepted {
    repo: Repo,
    cli: Cli,
    id: String,
    before: State,
    index: Vec<u8>,
}

fn accepted() -> Accepted {
    let repo = Repo::git_repo(FIXTURE);
    let beside = fs::canonicalize(repo.beside("")).unwrap();
    let cli = cli().hide(beside.display().to_string(), "[TMP]");
    let (before, index) = (repo.state().files(), index(&repo));
    let patch = repo.beside("fix.patch");
    fs::write(&patch, CHANGE).unwrap();
    let (root, patch) = (repo.root().to_str().unwrap(), patch.to_str().unwrap());
    let id = cli.run(["run", root, "--patch", patch, "--yes"]).expect_code(0).run_id();
    assert_eq!(repo.read("a.txt"), "ONE\n");
    Accepted { repo, cli, id, before, index }
}

fn index(repo: &Repo) -> Vec<u8> {
    fs::read(repo.root().join(".git/index")).unwrap()
}

#[test]
fn sa2_rollback_and_its_undoing() {
    let Accepted { repo, cli, id, before, index: index_before } = accepted();
    let (landed, landed_head) = (repo.state().files(), repo.head());
    let first = cli.run(["rollback", &id]);
    expect![[r#"
        exit 0
        --- stdout
        run [RUN]  [TMP]/project
        rollback of [RUN]
        backup   [USER]/home/backups/project-[HASH]/[RUN]

        Rolled back: your checkout is as it was before the run. To undo:
          refactor-bot rollback [RUN]
        --- stderr
        saving the history
        checking the saved history
        saving files
        checking the saved files
    "#]]
    .assert_eq(&cli.shown(&first));
    before.assert_same(&repo.state().files(), "after the rollback");
    assert_eq!(index(&repo), index_before);
    assert_ne!(repo.head(), landed_head);

    cli.run(["rollback", &first.run_id()]).expect_code(0);
    landed.assert_same(&repo.state().files(), "after the rollback of the rollback");
    assert_eq!(repo.head(), landed_head);
    assert_eq!(repo.git(&["status", "--porcelain"]), "");
}

#[test]
fn rf9_sa2_the_report_says_that_its_change_was_rolled_back() {
    let Accepted { repo: _repo, cli, id, .. } = accepted();
    let report = cli.home().join("runs").join(&id).join("report");
    let read = |name: &str| fs::read_to_string(report.join(name)).unwrap();
    let landed = "The change is in your checkout.";
    assert!(read("pr-summary.md").contains(landed));
    let rollback = cli.run(["rollback", &id]);
    rollback.expect_code(0);
    assert!(read("pr-summary.md").contains("The change was rolled back: it is no longer in"));
    assert!(read("validation-report.json").contains("\"outcome\": \"rolled back\""));
    cli.run(["rollback", &rollback.run_id()]).expect_code(0);
    assert!(read("pr-summary.md").contains(landed), "the rollback was taken back");
    assert!(read("validation-report.json").contains("\"outcome\": \"accepted\""));
}

#[test]
fn sa2_nothing_to_roll_back() {
    let Accepted { repo, cli, id, before, .. } = accepted();
    cli.run(["rollback", &id]).expect_code(0);
    let again = cli.run(["rollback", &id]);
    expect![[r#"
        exit 0
        --- stdout
        Nothing to roll back: your checkout is already as it was before the run.
    "#]]
    .assert_eq(&cli.shown(&again));
    before.assert_same(&repo.state().files(), "by the second rollback");
    assert_eq!(cli.run(["runs", "list"]).stdout.lines().count(), 2, "no run is made for it");
}

#[test]
fn sa2_force_undoes_later_work_and_keeps_it_in_a_backup() {
    let Accepted { repo, cli, id, before, .. } = accepted();
    repo.write("b.txt", "later\n");
    repo.write("c.txt", "later\n");
    repo.commit_all("later");
    let later = (repo.state().files(), repo.head());
    cli.run(["rollback", &id]).expect_code(6);
    later.0.assert_same(&repo.state().files(), "by a refused rollback");
    let forced = cli.run(["rollback", &id, "--force"]);
    forced.expect_code(0);
    before.assert_same(&repo.state().files(), "after the rollback");
    cli.run(["rollback", &forced.run_id()]).expect_code(0);
    later.0.assert_same(&repo.state().files(), "after bringing it back");
    assert_eq!(repo.head(), later.1);
}

#[test]
fn sa6_a_run_that_waits_is_not_dropped_by_rollback() {
    let repo = Repo::git_repo(FIXTURE);
    let cli = cli();
    let patch = repo.beside("fix.patch");
    fs::write(&patch, CHANGE).unwrap();
    let (root, patch) = (repo.root().to_str().unwrap(), patch.to_str().unwrap());
    let id = cli.run(["run", root, "--patch", patch]).expect_code(0).run_id();
    let before = repo.state();
    for force in [&[][..], &["--force"]] {
        let refused = cli.run([&["rollback", &id], force].concat());
        expect![[r#"
            exit 6
            --- stderr
            error: run [RUN] was not applied to the checkout: there is nothing to roll back
            hint: `refactor-bot accept [RUN]` continues it; `refactor-bot reject [RUN]` drops it
        "#]]
        .assert_eq(&cli.shown(&refused));
    }
    before.assert_same(&repo.state(), "by a refused rollback");
    cli.run(["accept", &id]).expect_code(0);
    assert_eq!(repo.read("a.txt"), "ONE\n");
}

#[test]
fn sa6_an_interrupted_run_is_not_dropped_by_rollback() {
    let repo = Repo::git_repo(FIXTURE);
    let cli = cli();
    let patch = repo.beside("fix.patch");
    fs::write(&patch, CHANGE).unwrap();
    let (root, patch) = (repo.root().to_str().unwrap(), patch.to_str().unwrap());
    let id = cli.run(["run", root, "--patch", patch]).expect_code(0).run_id();
    let journal = cli.home().join("runs").join(&id).join("journal.jsonl");
    let text = fs::read_to_string(&journal).unwrap();
    let cut = text.find("\"event\":\"audit_ended\"").unwrap();
    let begun = text[..cut].rfind('\n').unwrap() + 1;
    fs::write(&journal, &text[..begun]).unwrap();
    let refused = cli.run(["rollback", &id]);
    refused.expect_code(6);
    assert!(refused.stderr.contains(&format!("refactor-bot resume {id}")), "{}", refused.stderr);
    cli.run(["resume", &id]).expect_code(0);
    cli.run(["accept", &id]).expect_code(0);
    assert_eq!(repo.read("a.txt"), "ONE\n");
}

#[test]
fn sa2_a_run_that_never_landed_has_nothing_to_roll_back() {
    let repo = Repo::git_repo(FIXTURE);
    let cli = cli();
    let patch = repo.beside("fix.patch");
    fs::write(&patch, CHANGE).unwrap();
    let (root, patch) = (repo.root().to_str().unwrap(), patch.to_str().unwrap());
    let id = cli.run(["run", root, "--patch", patch]).expect_code(0).run_id();
    cli.run(["reject", &id]).expect_code(0);
    repo.write("b.txt", "later\n");
    repo.commit_all("later");
    let before = repo.state();
    expect![[r#"
        exit 0
        --- stdout
        Nothing to roll back: the run never changed your checkout.
    "#]]
    .assert_eq(&cli.shown(&cli.run(["rollback", &id])));
    before.assert_same(&repo.state(), "by a rollback of nothing");
}
