//! Git's word on our patches: what `apply` accepts, `git apply` accepts, with the same result.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::{Command, Stdio};

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::Index;
use proptest::test_runner::{Config, TestRunner};
use rb_core::RepoPath;
use rb_core::patch::{Change, Mode, Patch};
use rb_workspace::patch::{File, FileChange, MemoryTree, apply, diff, parse, write};

use crate::generate::{Files, States, states};
use crate::patch_properties::{damaged, trimmed};

/// How many cases share one run of git.
const BATCH: usize = 50;

#[derive(Debug, Clone)]
enum Variant {
    AsComputed,
    Trimmed(Vec<(usize, usize)>),
    Damaged(Vec<(Index, u8, u8)>),
}

fn variant() -> impl Strategy<Value = Variant> {
    let cuts = vec((0usize..4, 0usize..4), 1..4);
    let damage = vec((any::<Index>(), any::<u8>(), any::<u8>()), 1..3);
    prop_oneof![
        2 => Just(Variant::AsComputed),
        1 => cuts.prop_map(Variant::Trimmed),
        1 => damage.prop_map(Variant::Damaged),
    ]
}

#[test]
fn sa4_git_accepts_what_is_accepted_here_and_agrees_on_the_result() {
    let work = Worktree::new();
    let config =
        Config { cases: 60, failure_persistence: None, max_shrink_iters: 0, ..Config::default() };
    let accepted = Cell::new(0);
    TestRunner::new(config)
        .run(&vec((states(), variant()), BATCH), |batch| {
            match work.agrees(&batch) {
                Ok(count) => accepted.set(accepted.get() + count),
                // One case alone tells more than fifty.
                Err(all) => {
                    let alone = batch.chunks(1).find_map(|case| work.agrees(case).err());
                    return Err(TestCaseError::fail(alone.unwrap_or(all)));
                }
            }
            Ok(())
        })
        .unwrap_or_else(|error| panic!("{error}"));
    // Most variants must pass here, or git was asked about nothing.
    assert!(accepted.get() > 2000, "only {} cases were accepted", accepted.get());
}

/// One tree and one patch out of all cases that `apply` accepts, each in a folder of its own.
fn gathered(batch: &[(States, Variant)]) -> (Files, Patch, (usize, Vec<FileChange>)) {
    let (mut before, mut patch, mut changes) = (Files::new(), Patch::default(), Vec::new());
    let mut accepted = 0;
    for (number, (states, variant)) in batch.iter().enumerate() {
        let inside = |files: &Files| -> Files {
            let moved = |(path, file): (&RepoPath, &File)| (below(number, path), file.clone());
            files.iter().map(moved).collect()
        };
        let (old, new) = (inside(&states.before), inside(&states.after));
        let computed = diff(&old, &new).unwrap();
        let varied = match variant {
            Variant::AsComputed => computed,
            Variant::Trimmed(cuts) => trimmed(&computed, cuts),
            Variant::Damaged(damage) => match parse(&damaged(&write(&computed), damage)) {
                // Damage may lead a path out of the folder of its case.
                Ok(read) if read.paths().iter().all(|path| is_below(number, path)) => read,
                Ok(_) | Err(_) => continue,
            },
        };
        if let Ok(made) = apply(&varied, &MemoryTree::new(old.clone())) {
            accepted += 1;
            before.extend(old);
            patch.files.extend(varied.files);
            changes.extend(made);
        }
    }
    // Git knows no patch that only sets a mode that is there already.
    patch.files.retain(
        |file| !matches!(file.change, Change::Modify { mode: None, .. } if file.hunks.is_empty()),
    );
    (before, patch, (accepted, changes))
}

fn below(number: usize, path: &RepoPath) -> RepoPath {
    RepoPath::new([format!("case-{number}/").as_bytes(), path.as_bytes()].concat()).unwrap()
}

fn is_below(number: usize, path: &RepoPath) -> bool {
    path.is_within(&RepoPath::new(format!("case-{number}")).unwrap())
}

fn expected(mut files: Files, changes: &[FileChange]) -> Files {
    for change in changes {
        files.remove(&change.path);
    }
    for change in changes {
        files.extend(change.after.clone().map(|after| (change.path.clone(), after)));
    }
    files
}

struct Worktree(tempfile::TempDir);

impl Worktree {
    fn new() -> Self {
        let work = Worktree(tempfile::tempdir().unwrap());
        std::fs::create_dir(work.root()).unwrap();
        work.git(&["init", "--quiet"], b"").unwrap();
        work
    }

    /// Lets git apply all accepted cases at once; gives how many these were.
    fn agrees(&self, cases: &[(States, Variant)]) -> Result<usize, String> {
        let (before, patch, (accepted, changes)) = gathered(cases);
        self.fill(&before);
        let applied = self.git_apply(&write(&patch));
        let found = self.files();
        self.clear();
        applied?;
        let expected = expected(before, &changes);
        if found == expected {
            Ok(accepted)
        } else {
            Err(format!("{found:?}\nis not {expected:?}"))
        }
    }

    fn root(&self) -> std::path::PathBuf {
        self.0.path().join("work")
    }

    fn fill(&self, files: &Files) {
        for (path, file) in files {
            let place = path.below(&self.root());
            std::fs::create_dir_all(place.parent().unwrap()).unwrap();
            std::fs::write(&place, &file.bytes).unwrap();
            if file.mode == Mode::Executable {
                std::fs::set_permissions(&place, std::fs::Permissions::from_mode(0o755)).unwrap();
            }
        }
    }

    fn git_apply(&self, patch: &[u8]) -> Result<(), String> {
        if patch.is_empty() {
            return Ok(());
        }
        self.git(&["apply", "--check"], patch)?;
        self.git(&["apply", "--whitespace=nowarn"], patch)
    }

    fn git(&self, args: &[&str], stdin: &[u8]) -> Result<(), String> {
        use std::io::Write as _;
        let mut child = Command::new("git")
            .args(args)
            .current_dir(self.root())
            .env_clear()
            .env("PATH", "/usr/bin:/bin:/usr/local/bin")
            .env("HOME", self.0.path())
            .env("GIT_CONFIG_NOSYSTEM", "1")
            .env("GIT_CONFIG_GLOBAL", "/dev/null")
            .env("GIT_CEILING_DIRECTORIES", self.0.path())
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        child.stdin.take().unwrap().write_all(stdin).unwrap();
        let output = child.wait_with_output().unwrap();
        if output.status.success() {
            return Ok(());
        }
        Err(format!("git {args:?}: {}\n{}", output.stderr.escape_ascii(), stdin.escape_ascii()))
    }

    fn files(&self) -> Files {
        let mut files = BTreeMap::new();
        collect(&self.root(), &self.root(), &mut files);
        files
    }

    fn clear(&self) {
        for entry in std::fs::read_dir(self.root()).unwrap().map(Result::unwrap) {
            if entry.file_name() != ".git" {
                std::fs::remove_dir_all(entry.path()).unwrap();
            }
        }
    }
}

fn collect(root: &Path, folder: &Path, files: &mut Files) {
    use std::os::unix::ffi::OsStrExt as _;
    for entry in std::fs::read_dir(folder).unwrap().map(Result::unwrap) {
        let place = entry.path();
        if entry.file_type().unwrap().is_dir() {
            if entry.file_name() != ".git" {
                collect(root, &place, files);
            }
            continue;
        }
        let relative = place.strip_prefix(root).unwrap().as_os_str().as_bytes();
        let executable = entry.metadata().unwrap().permissions().mode() & 0o100 != 0;
        let mode = if executable { Mode::Executable } else { Mode::Regular };
        let file = File { bytes: std::fs::read(&place).unwrap(), mode };
        files.insert(RepoPath::new(relative).unwrap(), file);
    }
}
