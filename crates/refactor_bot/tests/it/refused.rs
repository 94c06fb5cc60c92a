//! Every refused situation in one table: what is said, the exit code, and what to do next. After each
//! refusal the checkout is, byte for byte, what it was.

mod decisions;
mod patches;
mod targets;

use std::fs;
use std::os::unix::fs::chown;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use expect_test::expect;
use rb_testkit::{Cli, Ran, Repo, State, write_fixture};

use crate::cli;

const FIXTURE: &str = "
//- .gitattributes
*.psd filter=lfs diff=lfs merge=lfs -text
//- .gitignore
ignored/
//- a.txt
one
two
three
//- twice.txt
x
y
x
y
//- src/b.txt
beta
//- package-lock.json
{}
//- art.psd
version https://git-lfs.github.com/spec/v1
oid sha256:4d7a214614ab2935c943f9e0ff69d22eadbb8f32b1258daaa5e2ca24d17e2393
size 12345
//- link -> a.txt
";

const CHANGE: &str = "\
--- a/a.txt
+++ b/a.txt
@@ -1,3 +1,3 @@
 one
-two
+TWO
 three
";

/// A repository with a home and a good patch, in which one thing goes wrong.
struct Bench {
    repo: Repo,
    cli: Cli,
}

impl Bench {
    fn new() -> Self {
        Bench::of(Repo::git_repo(FIXTURE))
    }

    fn of(repo: Repo) -> Self {
        let beside = fs::canonicalize(repo.beside("")).unwrap();
        Bench { repo, cli: cli().hide(beside.display().to_string(), "[TMP]") }
    }

    fn root(&self) -> &str {
        self.repo.root().to_str().unwrap()
    }

    fn patch(&self, text: impl AsRef<[u8]>) -> String {
        let path = self.repo.beside("fix.patch");
        fs::write(&path, text).unwrap();
        path.display().to_string()
    }

    /// Makes the call that is to be refused, and sees that it changes nothing.
    fn call(&self, args: &[&str]) -> Ran {
        let before = State::of(self.repo.root());
        let ran = self.cli.run(args);
        before.assert_same(&State::of(self.repo.root()), &format!("by {args:?}"));
        ran
    }

    fn run_on(&self, target: &Path) -> Ran {
        self.call(&["run", target.to_str().unwrap(), "--patch", &self.patch(CHANGE)])
    }

    fn run(&self) -> Ran {
        self.run_on(self.repo.root())
    }

    fn run_with(&self, patch: &str, args: &[&str]) -> Ran {
        let patch = self.patch(patch);
        self.call(&[&["run", self.root(), "--patch", &patch], args].concat())
    }

    /// A finished run that waits for a decision.
    fn waiting(&self) -> String {
        let patch = self.patch(CHANGE);
        self.cli.run(["run", self.root(), "--patch", &patch]).expect_code(0).run_id()
    }

    fn accepted(&self) -> String {
        let id = self.waiting();
        self.cli.run(["accept", &id]).expect_code(0);
        id
    }

    fn journal(&self, id: &str) -> PathBuf {
        self.cli.home().join("runs").join(id).join("journal.jsonl")
    }

    /// Replaces the text of a run's journal.
    fn rewrite(&self, id: &str, change: impl Fn(&str) -> String) {
        let path = self.journal(id);
        let text = change(&fs::read_to_string(&path).unwrap());
        fs::write(path, text).unwrap();
    }

    fn path(&mut self, programs: &str) {
        let bin = self.repo.beside("bin");
        fs::create_dir(&bin).unwrap();
        write_fixture(&bin, programs);
        self.cli.set_env("PATH", &bin);
    }

    /// `| situation | message | exit code | hint |`
    fn line(&self, what: &str, ran: &Ran) -> String {
        let shown = self.cli.shown(ran);
        let (mut message, mut hints) = (Vec::new(), Vec::new());
        for line in shown.lines() {
            if let Some(hint) = line.strip_prefix("hint: ") {
                hints.push(hint);
            } else if let Some(error) = line.strip_prefix("error: ") {
                message.push(error);
            } else if let Some(next) = line.strip_prefix("Nothing changed: ") {
                hints.push(next);
            } else if line.starts_with("caused by: ") || line.starts_with("      ") {
                message.push(line.trim());
            }
        }
        format!("| {what} | {} | {} | {} |\n", message.join("; "), ran.code, hints.join("; "))
    }
}

type Situation = (&'static str, fn(&mut Bench) -> Ran);

/// Lines of a table, in order, each worked out on its own repository.
fn table(situations: &[Situation]) -> String {
    let next = AtomicUsize::new(0);
    let work = || {
        let mut lines = Vec::new();
        while let Some((at, (what, meet))) = {
            let at = next.fetch_add(1, Ordering::SeqCst);
            situations.get(at).map(|situation| (at, situation))
        } {
            let mut bench = Bench::new();
            let ran = meet(&mut bench);
            lines.push((at, bench.line(what, &ran)));
        }
        lines
    };
    let workers = thread::available_parallelism().map_or(1, usize::from);
    let mut lines: Vec<(usize, String)> = thread::scope(|scope| {
        let threads: Vec<_> = (0..workers).map(|_| scope.spawn(work)).collect();
        threads.into_iter().flat_map(|thread| thread.join().unwrap()).collect()
    });
    lines.sort();
    lines.into_iter().map(|(_, line)| line).collect()
}

/// A commit on `main` and one on `other` that do not merge.
fn diverge(b: &Bench) {
    b.repo.git(&["switch", "--quiet", "--create", "other"]);
    b.repo.write("a.txt", "theirs\n");
    b.repo.commit_all("theirs");
    b.repo.git(&["switch", "--quiet", "main"]);
    b.repo.write("a.txt", "ours\n");
    b.repo.commit_all("ours");
}

fn created(path: &str) -> String {
    format!("--- /dev/null\n+++ b/{path}\n@@ -0,0 +1 @@\n+new\n")
}

#[test]
fn sa1_sa2_sa4_ux5_every_refusal_says_what_to_do_next() {
    expect![[r#"
        | missing path | [TMP]/nowhere does not exist | 2 | name the folder of a repository |
        | a file | [TMP]/project/a.txt is not a folder | 2 | name the folder of a repository |
        | bare repository | [TMP]/bare.git is a bare repository: it has no working files | 6 | clone it and name the clone |
        | inside .git | [TMP]/project/.git/refs is git's own folder, not a checkout | 6 | name the folder that holds the working files |
        | inside the home | [USER]/home/worktrees/[RUN] lies inside the home folder of refactor-bot | 6 | name your own checkout, not a worktree or a backup of a run |
        | path that is not UTF-8 | the path [TMP]/odd� is not valid UTF-8 | 2 | rename it, or name a copy whose path is plain text |
        | staged change | 1 file has uncommitted changes: a.txt | 6 | commit or stash them, or pass --allow-dirty to include them |
        | unstaged change | 1 file has uncommitted changes: a.txt | 6 | commit or stash them, or pass --allow-dirty to include them |
        | deleted file | 1 file has uncommitted changes: src/b.txt | 6 | commit or stash them, or pass --allow-dirty to include them |
        | staged, unstaged, deleted, executable | 4 files have uncommitted changes: a.txt, package-lock.json, src/b.txt, … | 6 | commit or stash them, or pass --allow-dirty to include them |
        | no commit yet | the repository has no commit yet | 6 | commit something first, or pass --allow-dirty to begin from the files as they are |
        | merge in progress | a merge is in progress | 6 | finish or abort the merge first |
        | rebase in progress | a rebase is in progress | 6 | finish or abort the rebase first |
        | cherry-pick in progress | a cherry-pick is in progress | 6 | finish or abort the cherry-pick first |
        | revert in progress | a revert is in progress | 6 | finish or abort the revert first |
        | bisect in progress | a bisect is in progress | 6 | finish or abort the bisect first |
        | index.lock | another git process is running here or crashed: [TMP]/project/.git/index.lock exists | 6 | wait for the other git process; if there is none, remove that file |
        | partial clone | this is a partial clone: some of its history is only on the remote, so it cannot be backed up | 6 | clone it again without --filter |
        | core.worktree elsewhere | the repository's configuration sets core.worktree to [TMP]/elsewhere, which is not where its files lie | 6 | remove core.worktree from .git/config if you did not set it |
        | names that differ by case, core.ignorecase | `A.txt` and `a.txt` differ only by case, and this file system takes them for one file | 6 | rename one of the two files on a case-sensitive file system |
        | a branch named refactor-bot | a branch named refactor-bot stands where the branches of runs go | 6 | rename it: git branch --move refactor-bot OTHER-NAME |
        | broken .git | git cannot read the repository: not a git repository (or any of the parent directories): .git | 6 | `git status` in that folder shows more |
        | folder inside a broken repository | git cannot read the repository: not a git repository (or any of the parent directories): .git | 6 | `git status` in that folder shows more |
        | .git that points nowhere | git cannot read the repository: not a git repository: /no/such/place | 6 | `git status` in that folder shows more |
        | no git | git was not found | 3 | install git, then run `refactor-bot doctor` |
        | old git | git 2.20.1 is too old; 2.34 or newer is needed | 3 | update git, then run `refactor-bot doctor` |
        | no patch |  | 0 |  |
        | missing patch file | cannot read no-such.patch; caused by: No such file or directory (os error 2) | 2 | give the path of a patch |
        | empty patch file | [TMP]/fix.patch is empty | 6 | make it with `git diff` or `git format-patch` |
        | text without a change | the proposal holds no edit: give a unified diff, search/replace blocks or whole files | 1 |  |
        | bad --exclude | `a[` is no valid pattern; caused by: error parsing glob '**/a[/**': unclosed character class; missing ']' | 2 | patterns look like `src/**/*.ts` |
        | excluded file | `a.txt` is out of scope | 1 |  |
        | outside the folder named as REPO | `a.txt` is out of scope | 1 |  |
        | over the budget | the patch touches 2 lines, the budget is 1 | 1 |  |
        | lockfile | `package-lock.json` is a lockfile, which only its package manager may change | 1 |  |
        | binary patch | line 2 of the proposal: binary changes, links, submodules and copies are not supported | 1 |  |
        | new link | line 2 of the proposal: binary changes, links, submodules and copies are not supported | 1 |  |
        | edit of a link | line 3 of the proposal, `link`: it is a symbolic link, not a file | 1 |  |
        | submodule | line 2 of the proposal: binary changes, links, submodules and copies are not supported | 1 |  |
        | path outside | line 1 of the proposal: `../evil` leads outside the repository or is not in its plain form | 1 |  |
        | absolute path | line 1 of the proposal: `/etc/evil` is absolute; paths are relative to the repository | 1 |  |
        | .git/config | line 1 of the proposal: `.git/config` reaches into git's own folder | 1 |  |
        | behind a link | `out/evil` cannot exist because `out` is a symbolic link | 1 |  |
        | file that does not exist | line 3 of the proposal, `src/c.txt`: the file does not exist | 1 |  |
        | new file that exists | line 1 of the proposal, `a.txt`: the file exists already | 1 |  |
        | lines that are not there | line 3 of the proposal, `a.txt`: the text is not found | 1 |  |
        | lines that are there twice | line 3 of the proposal, `twice.txt`: the text is found at lines 1, 3; give more lines around it | 1 |  |
        | name that differs by case | `src/B.txt` differs only by case from `src/b.txt` | 1 |  |
        | ignored file | `ignored/new.txt` is ignored by git | 1 |  |
        | file kept by git-lfs | `art.psd` is stored in Git LFS, and only its pointer is present | 1 |  |
        | formatter that fails | `echo broken >&2; exit 3` exited with code 3: broken | 1 |  |
        | formatter that creates a file | the formatter created `new.txt`, but may only change files | 1 |  |
        | formatter that removes a file | the formatter removed `a.txt`, but may only change files | 1 |  |
        | formatter outside the scope | `a.txt` is out of scope | 1 |  |
        | formatter that changes a lockfile | `package-lock.json` is a lockfile | 1 |  |
        | malformed run id | invalid value '../../etc' for '<RUN>': `../../etc` is not a run id (they look like [RUN]) | 2 |  |
        | unknown run id | there is no run [RUN] | 2 | `refactor-bot runs list` shows the runs there are |
        | show an unknown run | there is no run [RUN] | 2 | `refactor-bot runs list` shows the runs there are |
        | accept before the end | run [RUN] has not finished; resume it first | 2 | `refactor-bot runs show [RUN]` shows its state |
        | accept twice | run [RUN] has already ended (accepted) | 2 | `refactor-bot runs show [RUN]` shows its state |
        | reject after accept | run [RUN] has already ended (accepted) | 2 | `refactor-bot runs show [RUN]` shows its state |
        | accept after reject | run [RUN] has already ended (rejected) | 2 | `refactor-bot runs show [RUN]` shows its state |
        | accept, file edited meanwhile | `a.txt` was changed in your checkout since the run began | 6 | commit or undo that change and accept again, or take the branch with --keep-branch |
        | accept, file staged meanwhile | `a.txt` was changed in your checkout since the run began | 6 | commit or undo that change and accept again, or take the branch with --keep-branch |
        | accept, new file stands there meanwhile | `new.txt` was changed in your checkout since the run began | 6 | commit or undo that change and accept again, or take the branch with --keep-branch |
        | accept, conflicting commits meanwhile | your branch has moved since the run began, and the merge has conflicts: a.txt | 1 | keep the run's branch with `accept --keep-branch` and merge it by hand; your checkout is unchanged |
        | accept on another branch | the checkout is on other; the run began on main | 6 | `git switch main` first, or take the run's branch with --keep-branch |
        | accept during a merge | a merge is in progress | 6 | finish or abort the merge first |
        | accept with index.lock | another git process is running here or crashed: [TMP]/project/.git/index.lock exists | 6 | wait for the other git process; if there is none, remove that file |
        | accept, repository gone | [TMP]/project is gone, or is no longer a repository | 6 | move the repository back to its place |
        | accept, checkpoint gone | the checkpoint [OID] of run [RUN] is gone from the repository | 6 | drop the run with `refactor-bot reject [RUN]` and start again |
        | rollback, file edited since | other work was done since: src/b.txt | 6 | pass --force to undo that work too; it is backed up first and can be restored |
        | rollback, commits since | other work was done since: src/b.txt, commits on main, src/b.txt in the index | 6 | pass --force to undo that work too; it is backed up first and can be restored |
        | rollback on another branch | the checkout is on other; the backup was made on main | 6 | check out main first |
        | rollback, a folder in the way | [TMP]/project/a.txt stands where a saved file or its folder goes | 6 | move it away first |
        | rollback, damaged snapshot | the backup is damaged: [USER]/home/backups/project-[HASH]/[RUN]/snapshot.tar.gz is not what it was when it was made | 3 | nothing was changed; put that file back from a copy, or undo the run's commits with git |
        | rollback, damaged bundle | the backup is damaged: [USER]/home/backups/project-[HASH]/[RUN]/backup.bundle is not what it was when it was made | 3 | nothing was changed; put that file back from a copy, or undo the run's commits with git |
        | rollback, no backup | there is no backup of run [RUN] | 2 | it ended before it changed anything, or the backup was removed; `refactor-bot runs show [RUN]` shows which |
        | busy run | another process is working on run [RUN] | 6 | wait for it to finish, or stop it first |
        | damaged journal | line 3 of [USER]/home/runs/[RUN]/journal.jsonl is damaged: it is numbered 33 | 6 | the files of the run were changed from outside; the backup below ~/.refactor-bot/backups is not affected |
        | newer journal | [USER]/home/runs/[RUN]/journal.jsonl was written by a newer version of refactor-bot (format 9) | 3 | update refactor-bot |
    "#]].assert_eq(&table(&[targets::TARGETS, patches::PATCHES, decisions::DECISIONS].concat()));
}

/// Only the superuser can give a folder to somebody else.
#[test]
fn sa1_a_repository_of_another_user_is_refused() {
    if !rustix::process::geteuid().is_root() {
        return;
    }
    let b = Bench::new();
    chown(b.repo.root(), Some(12345), None).unwrap();
    chown(b.repo.root().join(".git"), Some(12345), None).unwrap();
    let ran = b.run();
    expect![[r#"
        | repository of another user | git does not trust [TMP]/project: detected dubious ownership in repository at '[TMP]/project' | 6 | it belongs to another user; if you trust it: git config --global --add safe.directory DIR |
    "#]].assert_eq(&b.line("repository of another user", &ran));
}

#[test]
#[cfg(target_os = "linux")]
fn sa1_a_read_only_repository_is_refused() {
    let b = Bench::new();
    let script = format!(
        "mount --bind '{0}' '{0}' && mount -o remount,ro,bind '{0}' && exec \"$@\"",
        b.root()
    );
    let under = ["unshare", "--map-root-user", "--mount", "sh", "-c", &script, "sh"];
    // Not every system lets a test mount something.
    if b.cli.run_under(&under, ["--version"]).code != 0 {
        return;
    }
    let patch = b.patch(CHANGE);
    let ran = b.cli.run_under(&under, ["run", b.root(), "--patch", &patch]);
    expect![[r#"
        | read-only repository | [TMP]/project/.git cannot be written | 3 | make it writable, or copy the repository to a place that is (git keeps the run's branch there) |
    "#]].assert_eq(&b.line("read-only repository", &ran));
}
