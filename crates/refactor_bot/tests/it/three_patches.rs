//! The scripted run that the fault tests cut off: a repository and three patches with every kind of
//! change that a patch can make.

use std::path::PathBuf;

use rb_testkit::{Cli, Ran, Repo, State};

const FIXTURE: &str = "
//- .gitignore
build/
//- README.md
# Notes

A small thing.
//- src/list.js
export function list(items) {
  return items.map((item) => item.name);
}

export const EMPTY = [];
//- src/old/name.js
export const name = 'notes';
//- src/gone.js
export const gone = true;
//- bin/notes
#!/usr/bin/env node
console.log('notes');
";

const FIRST: &str = "\
diff --git a/src/list.js b/src/list.js
--- a/src/list.js
+++ b/src/list.js
@@ -1,5 +1,5 @@
 export function list(items) {
-  return items.map((item) => item.name);
+  return items.map(({ name }) => name);
 }
 
 export const EMPTY = [];
diff --git a/bin/notes b/bin/notes
old mode 100644
new mode 100755
";

const SECOND: &str = "\
diff --git a/src/deep/new.js b/src/deep/new.js
new file mode 100644
--- /dev/null
+++ b/src/deep/new.js
@@ -0,0 +1,2 @@
+export const made = 'new';
+export const here = true;
diff --git a/src/gone.js b/src/gone.js
deleted file mode 100644
--- a/src/gone.js
+++ /dev/null
@@ -1 +0,0 @@
-export const gone = true;
";

const THIRD: &str = "\
diff --git a/src/old/name.js b/src/name.js
similarity index 60%
rename from src/old/name.js
rename to src/name.js
--- a/src/old/name.js
+++ b/src/name.js
@@ -1 +1,2 @@
-export const name = 'notes';
+export const name = 'Notes';
+export const short = 'n';
";

/// A repository with the three patches beside it, and a home of its own.
pub(crate) struct ThreePatches {
    pub(crate) repo: Repo,
    pub(crate) cli: Cli,
    pub(crate) patches: Vec<PathBuf>,
    pub(crate) before: State,
    /// A git was killed at its work here: its locks may lie about, and are no change of the checkout.
    pub(crate) git_died: bool,
}

impl ThreePatches {
    pub(crate) fn new() -> Self {
        let repo = Repo::git_repo(FIXTURE);
        // Ignored and untracked files are the person's and must not be touched either.
        repo.write("build/out.js", "ignored");
        repo.write("scratch.txt", "untracked");
        let patches: Vec<PathBuf> =
            (1..=3).map(|number| repo.beside(&format!("{number}.patch"))).collect();
        for (path, text) in patches.iter().zip([FIRST, SECOND, THIRD]) {
            std::fs::write(path, text).unwrap();
        }
        let before = repo.state();
        ThreePatches {
            repo,
            cli: Cli::new(env!("CARGO_BIN_EXE_refactor-bot")),
            patches,
            before,
            git_died: false,
        }
    }

    pub(crate) fn run_args(&self) -> Vec<String> {
        let mut args = vec!["run".to_owned(), self.repo.root().display().to_string()];
        for patch in &self.patches {
            args.extend(["--patch".to_owned(), patch.display().to_string()]);
        }
        args
    }

    pub(crate) fn run(&self) -> Ran {
        self.cli.run(self.run_args())
    }

    /// A run that waits for a decision.
    pub(crate) fn waiting() -> (Self, String) {
        let case = ThreePatches::new();
        let id = case.run().expect_code(0).run_id();
        (case, id)
    }

    /// The run that the home knows of, with where it stands; none when it never got to begin.
    pub(crate) fn listed(&self) -> Vec<(String, String)> {
        let listed = self.cli.run(["runs", "list", "--json"]);
        let field = |line: &str, name: &str| {
            let value: serde_json::Value = serde_json::from_str(line).expect("one object a line");
            value[name].as_str().expect("a text").to_owned()
        };
        let lines = listed.expect_code(0).stdout.lines();
        lines.map(|line| (field(line, "run"), field(line, "stands"))).collect()
    }

    /// Every byte of the checkout is what it was, and nothing of the run is left in the repository.
    pub(crate) fn assert_untouched(&self, when: &str) {
        let now = self.repo.state();
        let now = if self.git_died { now.without_locks_of_git() } else { now };
        self.before.assert_same(&now, when);
    }

    pub(crate) fn assert_no_trace(&self, when: &str) {
        self.assert_untouched(when);
        assert_eq!(self.repo.git(&["branch", "--list", "refactor-bot/*"]), "", "{when}");
        assert_eq!(self.repo.git(&["worktree", "list"]).lines().count(), 1, "{when}");
    }

    /// All three patches are in the checkout, committed, and git finds nothing else changed.
    pub(crate) fn assert_landed(&self, when: &str) {
        let log = self.repo.git(&["log", "--format=%s", "main"]);
        let goals =
            "checkpoint: batch-003 3\ncheckpoint: batch-002 2\ncheckpoint: batch-001 1\nfirst\n";
        assert_eq!(log, goals, "{when}");
        assert_eq!(self.repo.git(&["status", "--porcelain"]), "?? scratch.txt\n", "{when}");
        assert_eq!(
            self.repo.read("src/name.js"),
            "export const name = 'Notes';\nexport const short = 'n';\n"
        );
        assert!(!self.repo.exists("src/old") && !self.repo.exists("src/gone.js"), "{when}");
        assert_eq!(self.repo.read("build/out.js"), "ignored", "{when}");
        assert_eq!(self.repo.git(&["branch", "--list", "refactor-bot/*"]), "", "{when}");
        assert_eq!(self.repo.git(&["worktree", "list"]).lines().count(), 1, "{when}");
        let leftovers = self.repo.git(&["status", "--porcelain", "--ignored"]);
        assert!(!leftovers.contains(".refactor-bot-"), "{when}: {leftovers}");
    }

    /// Branch, index and files are what they were; only git's logs know of the excursion.
    pub(crate) fn assert_rolled_back(&self, when: &str) {
        let now = self.repo.state();
        self.before.files().assert_same(&now.files(), when);
        assert_eq!(self.repo.git(&["log", "--format=%s", "main"]), "first\n", "{when}");
        assert_eq!(self.repo.git(&["status", "--porcelain"]), "?? scratch.txt\n", "{when}");
    }
}
