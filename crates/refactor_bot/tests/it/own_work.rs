//! Work of the person's that git does not show at a glance, and odd repositories: none of it is lost, and
//! nothing foreign runs.

use std::fs;

use rb_testkit::{Cli, Ran, Repo};

use crate::cli;

const FIXTURE: &str = "//- a.txt\none\ntwo\nthree\n//- d/b.txt\nx\n";
const EDIT: &str = "--- a/a.txt\n+++ b/a.txt\n@@ -1,3 +1,3 @@\n one\n-two\n+TWO\n three\n";
const CREATE: &str = "--- /dev/null\n+++ b/gen/out.txt\n@@ -0,0 +1 @@\n+made by the run\n";

struct Case {
    repo: Repo,
    cli: Cli,
}

impl Case {
    fn new() -> Self {
        Case { repo: Repo::git_repo(FIXTURE), cli: cli() }
    }

    fn run(&self, patch: &str) -> String {
        self.try_run(patch).expect_code(0).run_id()
    }

    fn try_run(&self, patch: &str) -> Ran {
        let file = self.repo.beside("change.patch");
        fs::write(&file, patch).unwrap();
        let (root, file) = (self.repo.root().to_str().unwrap(), file.to_str().unwrap());
        self.cli.run(["run", root, "--patch", file])
    }

    /// `accept` is refused as unsafe, and every byte is as before it.
    #[track_caller]
    fn accept_is_refused(&self, id: &str, words: &str) {
        let before = self.repo.state();
        let ran = self.cli.run(["accept", id]);
        ran.expect_code(6);
        assert!(ran.stderr.contains(words), "{}", ran.stderr);
        before.assert_same(&self.repo.state(), "by a refused accept");
    }

    fn stands(&self, id: &str) -> String {
        let listed = self.cli.run(["runs", "list"]).stdout;
        listed.lines().find(|line| line.starts_with(id)).unwrap_or_default().to_owned()
    }
}

#[test]
fn sa1_an_ignored_file_is_not_overwritten_when_the_branch_went_on() {
    let case = Case::new();
    let id = case.run(CREATE);
    case.repo.write(".gitignore", "gen/\n");
    case.repo.commit_all("ignore");
    case.repo.write("gen/out.txt", "precious");
    case.accept_is_refused(&id, "was changed in your checkout");
}

#[test]
fn sa1_a_repository_inside_is_never_written() {
    let case = Case::new();
    let inner = case.repo.root().join("gen");
    fs::create_dir(&inner).unwrap();
    rb_testkit::git(&inner, &["init", "--quiet"]);
    case.repo.write("gen/own.txt", "own");
    let id = case.run(CREATE);
    case.accept_is_refused(&id, "inside yours");
    case.repo.git(&["commit", "--quiet", "--allow-empty", "--message", "moved"]);
    case.accept_is_refused(&id, "inside yours");
}

#[test]
fn sa1_an_edit_that_git_was_told_to_overlook_is_not_overwritten() {
    for flag in ["--assume-unchanged", "--skip-worktree"] {
        let case = Case::new();
        case.repo.git(&["update-index", flag, "a.txt"]);
        case.repo.write("a.txt", "one\ntwo\nthree\nmine\n");
        let id = case.run(EDIT);
        case.accept_is_refused(&id, "was changed in your checkout");
    }
}

#[test]
fn sa2_rollback_leads_back_to_just_before_the_landing() {
    let case = Case::new();
    let id = case.run(EDIT);
    case.repo.write("a.txt", "mine\none\ntwo\nthree\n");
    case.repo.commit_all("my own commit");
    case.repo.write("d/b.txt", "not committed\n");
    case.repo.write("staged.txt", "staged\n");
    case.repo.git(&["add", "staged.txt"]);
    let (before, head) = (case.repo.state().files(), case.repo.head());
    case.cli.run(["accept", &id]).expect_code(0);
    assert_eq!(case.repo.read("a.txt"), "mine\none\nTWO\nthree\n");
    case.cli.run(["rollback", &id]).expect_code(0);
    before.assert_same(&case.repo.state().files(), "by accept and rollback");
    assert_eq!(case.repo.head(), head);
    let status = case.repo.git(&["status", "--porcelain"]);
    assert_eq!(status, " M d/b.txt\nA  staged.txt\n");
    case.cli.run(["runs", "gc", "--older-than", "0"]).expect_code(0);
}

#[test]
fn sa3_a_run_can_land_as_one_commit() {
    let log = |case: &Case| case.repo.git(&["log", "--format=%B%P", "-1"]);
    for (args, message) in [
        (&["--squash"][..], "change\n"),
        (&["--message", "Shout two\n\nBecause."], "Shout two\n\nBecause.\n"),
    ] {
        for meanwhile in [false, true] {
            let case = Case::new();
            let id = case.run(EDIT);
            if meanwhile {
                case.repo.write("d/b.txt", "mine\n");
                case.repo.commit_all("meanwhile");
            }
            let head = case.repo.head();
            case.cli.run([&["accept", &id], args].concat()).expect_code(0);
            assert_eq!(log(&case), format!("{message}{head}\n"));
            assert_eq!(case.repo.read("a.txt"), "one\nTWO\nthree\n");
            assert_eq!(case.repo.git(&["status", "--porcelain"]), "");
            case.cli.run(["rollback", &id]).expect_code(0);
            assert_eq!(case.repo.head(), head);
        }
    }
}

#[test]
fn sa1_a_run_lands_only_in_the_repository_that_it_was_begun_in() {
    let case = Case::new();
    let id = case.run(EDIT);
    let clone = case.repo.beside("clone");
    let (from, to) = (case.repo.root().to_str().unwrap(), clone.to_str().unwrap());
    rb_testkit::git(
        case.repo.root(),
        &["clone", "--quiet", "--mirror", from, &format!("{to}/.git")],
    );
    rb_testkit::git(&clone, &["config", "core.bare", "false"]);
    rb_testkit::git(&clone, &["reset", "--quiet", "--hard", "main"]);
    let journal = case.cli.home().join("runs").join(&id).join("journal.jsonl");
    let text = fs::read_to_string(&journal).unwrap();
    fs::write(&journal, text.replace(&format!("{from}\""), &format!("{to}\""))).unwrap();
    let ran = case.cli.run(["accept", &id]);
    ran.expect_code(6);
    assert!(ran.stderr.contains("was not started in"), "{}", ran.stderr);
    assert_eq!(fs::read_to_string(clone.join("a.txt")).unwrap(), "one\ntwo\nthree\n");
    fs::write(&journal, text).unwrap();
    case.cli.run(["accept", &id]).expect_code(0);
}

#[test]
fn ux5_a_branch_that_was_renamed_is_not_offered_as_one_to_switch_to() {
    let case = Case::new();
    let id = case.run(EDIT);
    case.repo.git(&["branch", "-m", "trunk"]);
    case.accept_is_refused(&id, "the run began on main, which is gone; the checkout is on trunk");
    let hint = case.cli.run(["accept", &id]).stderr;
    assert!(hint.contains("git branch -m trunk main") && !hint.contains("git switch"), "{hint}");
    case.repo.git(&["branch", "-m", "main"]);
    case.cli.run(["accept", &id]).expect_code(0);
    case.repo.git(&["branch", "-m", "trunk"]);
    let ran = case.cli.run(["rollback", &id]);
    ran.expect_code(6);
    assert!(ran.stderr.contains("git branch -m trunk main"), "{}", ran.stderr);
}

#[test]
fn sa2_a_refused_rollback_leaves_the_run_as_it_was() {
    let case = Case::new();
    let id = case.run(EDIT);
    case.repo.write("d/b.txt", "mine\n");
    case.cli.run(["rollback", &id]).expect_code(6);
    assert!(case.stands(&id).contains("waiting for you"), "{}", case.stands(&id));
    case.repo.git(&["checkout", "--quiet", "--", "d/b.txt"]);
    case.cli.run(["accept", &id]).expect_code(0);
    assert_eq!(case.repo.read("a.txt"), "one\nTWO\nthree\n");
}

#[test]
fn sa1_of_two_that_land_at_once_both_can_be_finished() {
    let case = Case::new();
    let other = "--- a/d/b.txt\n+++ b/d/b.txt\n@@ -1 +1 @@\n-x\n+X\n";
    let ids = [case.run(EDIT), case.run(other)];
    let children = ids.clone().map(|id| case.cli.command().args(["accept", &id]).spawn().unwrap());
    for mut child in children {
        child.wait().unwrap();
    }
    for id in &ids {
        if !case.stands(id).contains("accepted") {
            case.cli.run(["accept", id]).expect_code(0);
        }
    }
    assert_eq!(
        (case.repo.read("a.txt").as_str(), case.repo.read("d/b.txt").as_str()),
        ("one\nTWO\nthree\n", "X\n")
    );
    assert_eq!(case.repo.git(&["status", "--porcelain"]), "");
}

#[cfg(feature = "fault")]
mod cut_off {
    use super::*;

    /// The number of the effect that follows `what` when `verb` is let through on a fresh case.
    fn effect_after(prepare: fn() -> (Case, String), verb: &str, what: &str) -> usize {
        let (mut traced, id) = prepare();
        let trace = traced.repo.beside("trace");
        traced.cli.set_env("REFACTOR_BOT_FAULT", format!("trace:{}", trace.display()));
        traced.cli.run([verb, &id]).expect_code(0);
        let effect = format!("{what}\t{}", traced.repo.root().join("a.txt").display());
        let trace = fs::read_to_string(trace).unwrap();
        trace.lines().position(|line| line.ends_with(&effect)).unwrap() + 2
    }

    fn kill(case: &mut Case, effect: usize, verb: &str, id: &str) {
        case.cli.set_env("REFACTOR_BOT_FAULT", format!("kill:{effect}"));
        case.cli.run([verb, id]).expect_code(137);
        case.cli.unset_env("REFACTOR_BOT_FAULT");
    }

    fn waiting() -> (Case, String) {
        let case = Case::new();
        let id = case.run(EDIT);
        (case, id)
    }

    fn landed() -> (Case, String) {
        let (case, id) = waiting();
        case.cli.run(["accept", &id]).expect_code(0);
        (case, id)
    }

    /// A landing that was killed when the file stood and the branch had not moved.
    fn cut_off() -> (Case, String) {
        let effect = effect_after(waiting, "accept", "exchange");
        let (mut case, id) = waiting();
        kill(&mut case, effect, "accept", &id);
        case.assert_in_landing();
        (case, id)
    }

    impl Case {
        /// The file is replaced, and what stood there is kept beside it.
        fn assert_in_landing(&self) {
            assert_eq!(self.repo.read("a.txt"), "one\nTWO\nthree\n");
            assert_eq!(self.repo.git(&["status", "--porcelain"]), " M a.txt\n");
            assert!(self.repo.exists(".git/refactor-bot"));
        }
    }

    #[test]
    fn sa1_a_file_that_is_saved_meanwhile_takes_the_landing_back() {
        let (case, id) = cut_off();
        case.repo.write("a.txt", "one\ntwo\nthree\nmine\n");
        let ran = case.cli.run(["accept", &id]);
        ran.expect_code(6);
        let said = "error: `a.txt` was changed in your checkout while the changes were landing\n\
                    hint: nothing was applied, and your own changes are in place\n\
                    hint: commit or undo that change, then accept again\n";
        assert!(ran.stderr.ends_with(said), "{}", ran.stderr);
        assert_eq!(case.repo.git(&["status", "--porcelain"]), " M a.txt\n");
        assert_eq!(case.repo.read("a.txt"), "one\ntwo\nthree\nmine\n");
        assert!(case.stands(&id).contains("waiting for you"), "{}", case.stands(&id));
        case.repo.commit_all("mine");
        case.cli.run(["accept", &id]).expect_code(0);
        assert_eq!(case.repo.read("a.txt"), "one\nTWO\nthree\nmine\n");
        assert_eq!(case.repo.git(&["status", "--porcelain"]), "");
    }

    #[test]
    fn sa6_a_rollback_that_is_resumed_later_does_not_overwrite_newer_work() {
        let effect = effect_after(landed, "rollback", "exchange") - 1;
        let (mut case, id) = landed();
        kill(&mut case, effect, "rollback", &id);
        let rollback =
            case.cli.run(["runs", "list"]).stdout.lines().last().unwrap()[..18].trim().to_owned();
        case.repo.write("a.txt", "newer\n");
        let ran = case.cli.run(["resume", &rollback]);
        ran.expect_code(6);
        assert_eq!(case.repo.read("a.txt"), "newer\n");
        // Neither the run nor its backup can be cleared away or landed again meanwhile.
        case.cli.run(["accept", &id]).expect_code(2);
        case.cli.run(["runs", "gc", "--older-than", "0"]).expect_code(0);
        case.repo.write("a.txt", "one\nTWO\nthree\n");
        case.cli.run(["resume", &rollback]).expect_code(0);
        assert_eq!(case.repo.read("a.txt"), "one\ntwo\nthree\n");
        assert_eq!(case.repo.git(&["status", "--porcelain"]), "");
    }

    #[test]
    fn sa1_a_landing_that_was_begun_is_not_decided_again() {
        let (case, id) = cut_off();
        case.cli.run(["accept", &id, "--keep-branch"]).expect_code(2);
        case.assert_in_landing();
    }

    #[test]
    fn sa6_a_landing_goes_to_the_branch_it_was_planned_for_or_nowhere() {
        let (case, id) = cut_off();
        case.repo.git(&["switch", "--quiet", "--create", "other"]);
        let head = case.repo.head();
        case.cli.run(["resume", &id]).expect_code(6);
        assert_eq!(case.repo.head(), head);
        case.repo.git(&["switch", "--quiet", "main"]);
        case.cli.run(["resume", &id]).expect_code(0);
        assert_eq!(case.repo.git(&["status", "--porcelain"]), "");
    }

    #[test]
    fn sa6_a_landing_whose_branch_moved_says_so_and_stages_nothing() {
        let (case, id) = cut_off();
        case.repo.commit_all("wip");
        let before = case.repo.state();
        let ran = case.cli.run(["resume", &id]);
        ran.expect_code(6);
        assert!(ran.stderr.contains("main moved on"), "{}", ran.stderr);
        before.assert_same(&case.repo.state(), "by a landing that cannot be finished");
        case.cli.run(["rollback", &id, "--force"]).expect_code(0);
        assert_eq!(case.repo.read("a.txt"), "one\ntwo\nthree\n");
    }

    #[test]
    fn sa6_work_staged_meanwhile_is_not_overwritten() {
        let (case, id) = cut_off();
        case.repo.write("a.txt", "staged\n");
        case.repo.git(&["add", "a.txt"]);
        case.repo.write("a.txt", "one\ntwo\nthree\n");
        case.cli.run(["resume", &id]).expect_code(6);
        assert_eq!(case.repo.git(&["show", ":a.txt"]), "staged\n");
    }
}

#[test]
fn trust_a_filter_with_a_name_that_is_no_text_does_not_run() {
    use std::io::Write as _;
    use std::os::unix::ffi::OsStrExt as _;
    let case = Case::new();
    let canary = case.repo.beside("canary");
    let attributes = case.repo.root().join(".gitattributes");
    fs::write(attributes, b"a.txt filter=\xff\xfe\n").unwrap();
    case.repo.commit_all("attributes");
    let config = case.repo.root().join(".git/config");
    let mut config = fs::OpenOptions::new().append(true).open(config).unwrap();
    config.write_all(b"[filter \"\xff\xfe\"]\n\tclean = touch ").unwrap();
    config.write_all(canary.as_os_str().as_bytes()).unwrap();
    config.write_all(b"; cat\n").unwrap();
    case.repo.write("a.txt", "one\ntwo\nthree\n");
    let ran = case.try_run(EDIT);
    ran.expect_code(6);
    assert!(ran.stderr.contains("not UTF-8"), "{}", ran.stderr);
    assert!(!canary.exists());
}

#[test]
fn sa2_a_split_index_is_saved_whole() {
    let case = Case::new();
    case.repo.git(&["update-index", "--split-index"]);
    let id = case.run(EDIT);
    case.cli.run(["accept", &id]).expect_code(0);
    case.repo.git(&["update-index", "--no-split-index"]);
    for entry in fs::read_dir(case.repo.root().join(".git")).unwrap() {
        let path = entry.unwrap().path();
        if path.to_string_lossy().contains("sharedindex") {
            fs::remove_file(path).unwrap();
        }
    }
    case.cli.run(["rollback", &id]).expect_code(0);
    assert_eq!(case.repo.git(&["status", "--porcelain"]), "");
    assert_eq!(case.repo.read("a.txt"), "one\ntwo\nthree\n");
}

#[test]
fn ux5_settings_of_the_person_do_not_change_what_a_run_does() {
    let settings = "
[user]\n\tname = T\n\temail = t@example.com
[safe]\n\tbareRepository = explicit
[core]\n\tignoreStat = true\n\tpreloadIndex = false
[diff]\n\tnoprefix = true\n\torderFile = /nonexistent\n\tcontext = 0
[rerere]\n\tenabled = true\n\tautoupdate = true
[status]\n\tshowUntrackedFiles = no
[merge]\n\tff = only
[commit]\n\ttemplate = /nonexistent\n\tgpgSign = true
[apply]\n\twhitespace = error
";
    let case = Case::new();
    fs::write(case.cli.user_dir().join(".gitconfig"), settings).unwrap();
    let id = case.run(EDIT);
    let diff = case.cli.run(["runs", "show", &id, "--diff"]).stdout;
    assert!(diff.contains("--- a/a.txt\n+++ b/a.txt\n@@ -1,3 +1,3 @@\n one\n"), "{diff}");
    case.repo.write("d/b.txt", "mine\n");
    case.repo.commit_all("moved on");
    case.cli.run(["accept", &id]).expect_code(0);
    assert_eq!(case.repo.read("a.txt"), "one\nTWO\nthree\n");
    assert!(!case.repo.exists(".git/rr-cache"));
}

#[test]
fn sa1_a_home_inside_the_checkout_is_refused() {
    let case = Case::new();
    let before = case.repo.state();
    let home = case.repo.root().join(".rb");
    let patch = case.repo.beside("change.patch");
    fs::write(&patch, EDIT).unwrap();
    let args = ["run", case.repo.root().to_str().unwrap(), "--patch", patch.to_str().unwrap()];
    let ran = case.cli.run([&args[..], &["--home", home.to_str().unwrap()]].concat());
    ran.expect_code(6);
    assert!(ran.stderr.contains("lies inside"), "{}", ran.stderr);
    before.files().assert_same(&case.repo.state().files(), "by a refused home");
}

#[test]
fn sa1_commits_that_were_taken_back_do_not_come_back_with_a_landing() {
    let case = Case::new();
    case.repo.write("secret.txt", "secret");
    case.repo.commit_all("with a secret");
    let id = case.run(EDIT);
    case.repo.git(&["reset", "--quiet", "--hard", "HEAD~1"]);
    case.accept_is_refused(&id, "no longer has the commit");
}

#[test]
fn trust_a_setting_without_a_name_is_no_obstacle() {
    let case = Case::new();
    case.repo.git(&["config", "filter.clean", "cat"]);
    case.run(EDIT);
}

#[test]
fn trust_what_lies_behind_a_linked_folder_is_not_backed_up() {
    let case = Case::new();
    let outside = case.repo.beside("outside");
    fs::create_dir(&outside).unwrap();
    fs::write(outside.join("b.txt"), "secret of somebody").unwrap();
    fs::remove_dir_all(case.repo.root().join("d")).unwrap();
    std::os::unix::fs::symlink(&outside, case.repo.root().join("d")).unwrap();
    // For git nothing is changed, and `d/b.txt` is still one of its files.
    case.repo.git(&["update-index", "--skip-worktree", "d/b.txt"]);
    fs::write(case.repo.root().join(".git/info/exclude"), "d\n").unwrap();
    let patch = case.repo.beside("change.patch");
    fs::write(&patch, EDIT).unwrap();
    let args = ["run", case.repo.root().to_str().unwrap(), "--patch", patch.to_str().unwrap()];
    case.cli.run(args);
    let backups = case.cli.home().join("backups");
    let snapshots = std::process::Command::new("sh")
        .arg("-c")
        .arg(format!("for f in {}/*/*/snapshot.tar.gz; do tar xzOf $f; done", backups.display()))
        .output()
        .unwrap();
    let content = String::from_utf8_lossy(&snapshots.stdout).into_owned();
    assert!(content.contains("three") && !content.contains("secret"), "{content}");
}

#[test]
fn trust_a_file_whose_filter_is_not_run_is_neither_patched_nor_carried() {
    let case = Case::new();
    case.repo.write(".gitattributes", "a.txt filter=crypt\n");
    case.repo.git(&["config", "filter.crypt.clean", "cat"]);
    case.repo.git(&["config", "filter.crypt.smudge", "cat"]);
    case.repo.commit_all("a filter");
    let ran = case.try_run(EDIT);
    ran.expect_code(1);
    assert!(ran.stdout.contains("passes through the filter `crypt`"), "{}", ran.stdout);
    case.repo.write("a.txt", "one\ntwo\nthree\nplain\n");
    let root = case.repo.root().to_str().unwrap().to_owned();
    let patch = case.repo.beside("change.patch").display().to_string();
    let ran = case.cli.run(["run", &root, "--allow-dirty", "--patch", &patch]);
    ran.expect_code(6);
    assert!(ran.stderr.contains("commit that file first"), "{}", ran.stderr);
}
