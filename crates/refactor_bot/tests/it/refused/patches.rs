//! Proposals that are not applied.

use std::os::unix::fs::symlink;

use super::{CHANGE, Situation, created};

pub(super) const PATCHES: &[Situation] = &[
    ("no patch", |b| b.call(&["run", b.root()])),
    ("missing patch file", |b| b.call(&["run", b.root(), "--patch", "no-such.patch"])),
    ("empty patch file", |b| b.run_with(" \n", &[])),
    ("text without a change", |b| b.run_with("Please make it better.\n", &[])),
    ("bad --exclude", |b| b.run_with(CHANGE, &["--exclude", "a["])),
    ("excluded file", |b| b.run_with(CHANGE, &["--exclude", "*.txt"])),
    ("outside the folder named as REPO", |b| b.run_on(&b.repo.root().join("src"))),
    ("over the budget", |b| b.run_with(CHANGE, &["--diff-budget", "1"])),
    ("lockfile", |b| {
        b.run_with("--- a/package-lock.json\n+++ b/package-lock.json\n@@ -1 +1 @@\n-{}\n+[]\n", &[])
    }),
    ("binary patch", |b| {
        b.run_with("diff --git a/x.bin b/x.bin\nBinary files a/x.bin and b/x.bin differ\n", &[])
    }),
    ("new link", |b| {
        b.run_with(
            "diff --git a/l b/l\nnew file mode 120000\n--- /dev/null\n+++ b/l\n@@ -0,0 +1 @@\n+/etc/passwd\n\\ No newline at end of file\n",
            &[],
        )
    }),
    ("edit of a link", |b| b.run_with("--- a/link\n+++ b/link\n@@ -1 +1 @@\n-one\n+two\n", &[])),
    ("submodule", |b| {
        b.run_with(
            "diff --git a/sub b/sub\nnew file mode 160000\n--- /dev/null\n+++ b/sub\n@@ -0,0 +1 @@\n+Subproject commit 0123456789012345678901234567890123456789\n",
            &[],
        )
    }),
    ("path outside", |b| b.run_with(&created("../evil"), &[])),
    ("absolute path", |b| b.run_with(&created("/etc/evil"), &[])),
    (".git/config", |b| b.run_with(&created(".git/config"), &[])),
    ("behind a link", |b| {
        symlink("/tmp", b.repo.root().join("out")).unwrap();
        b.repo.commit_all("link");
        b.run_with(&created("out/evil"), &[])
    }),
    ("file that does not exist", |b| {
        b.run_with("--- a/src/c.txt\n+++ b/src/c.txt\n@@ -1 +1 @@\n-beta\n+gamma\n", &[])
    }),
    ("new file that exists", |b| b.run_with(&created("a.txt"), &[])),
    ("lines that are not there", |b| {
        b.run_with("--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-zwei\n+drei\n", &[])
    }),
    ("lines that are there twice", |b| {
        b.run_with("--- a/twice.txt\n+++ b/twice.txt\n@@ -9 +9 @@\n-x\n+z\n", &[])
    }),
    ("name that differs by case", |b| b.run_with(&created("src/B.txt"), &[])),
    ("ignored file", |b| b.run_with(&created("ignored/new.txt"), &[])),
    ("file kept by git-lfs", |b| {
        b.run_with("--- a/art.psd\n+++ b/art.psd\n@@ -3 +3 @@\n-size 12345\n+size 1\n", &[])
    }),
    ("formatter that fails", |b| b.call(&["run", b.root(), "--format", "echo broken >&2; exit 3"])),
    ("formatter that creates a file", |b| b.call(&["run", b.root(), "--format", "echo > new.txt"])),
    ("formatter that removes a file", |b| b.call(&["run", b.root(), "--format", "rm a.txt"])),
    ("formatter outside the scope", |b| {
        let src = b.repo.root().join("src");
        b.call(&["run", src.to_str().unwrap(), "--format", "echo more >> a.txt"])
    }),
    ("formatter that changes a lockfile", |b| {
        b.call(&["run", b.root(), "--format", "echo >> package-lock.json"])
    }),
];
