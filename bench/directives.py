#!/usr/bin/env python3
"""Directives on real repositories, checked from outside: a row of a table for each.

    bench/directives.py --repo ../x-press --directive "Replace raw SQL string interpolation with parameterized queries" \\
        [--folder packages/server] [--test "npm test"] [--binary refactor-bot] [--row] [-- FLAGS OF run …]

It works on a copy: a clone that shares the objects, with the ignored `node_modules` of the checkout linked into it. There the
directive is run, and then looked at without the program's help:

- the copy is, byte for byte, what it was until the run is accepted;
- every patch of `diffs/` applies to the original alone (`git apply --check`), and all of them together are the tree of the branch;
- `--test`, called by hand on the original and on the patched tree, ends as it did;
- after `accept` the same directive finds nothing to change; `rollback` brings everything back.

A check that fails is named, and the exit code is 1. `--row` prints the row alone. No network but what the tests use.
"""

import argparse
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path


def main():
    args = arguments()
    failed = []
    with tempfile.TemporaryDirectory(prefix="directives-") as scratch:
        case = Case(args, Path(scratch))
        row = case.row(failed)
    if not args.row:
        print("| repository | tasks | files, lines | tests, by the program | by hand | audit | s | second run | left |")
        print("|---|---|---|---|---|---|---|---|---|")
    print(row)
    for words in failed:
        print(f"FAILED: {words}", file=sys.stderr)
    return 1 if failed else 0


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repo", type=Path, required=True)
    parser.add_argument("--folder", default="")
    parser.add_argument("--directive", help="without it the whole repository is looked through")
    parser.add_argument("--test")
    parser.add_argument("--binary", default="refactor-bot")
    parser.add_argument("--row", action="store_true")
    parser.add_argument("flags", nargs="*", help="behind `--`, for `run`")
    return parser.parse_args()


class Case:
    def __init__(self, args, scratch):
        self.args = args
        self.repo = scratch / args.repo.resolve().name
        self.patched = scratch / "patched"
        self.output = scratch / "output"
        binary = shutil.which(args.binary) or args.binary
        self.binary = os.path.abspath(binary)
        self.env = dict(os.environ, REFACTOR_BOT_HOME=str(scratch / "home"))
        copy(args.repo.resolve(), self.repo)

    def bot(self, *words):
        command = [self.binary, *words]
        return subprocess.run(command, cwd=self.repo, env=self.env, stdin=subprocess.DEVNULL, capture_output=True, text=True)

    def directed(self, *more):
        target = self.repo / self.args.folder
        words = ["run", str(target), *more, *self.args.flags]
        return self.bot(*words, *(["--directive", self.args.directive] if self.args.directive else []))

    def row(self, failed):
        before = fingerprint(self.repo)
        begun = time.monotonic()
        ran = self.directed("--output", str(self.output))
        seconds = time.monotonic() - begun
        report = self.output / "validation-report.json"
        if not report.exists():
            failed.append(f"no report: {ran.stdout}{ran.stderr}")
            return f"| {self.repo.name} | – |"
        report = json.loads(report.read_text())
        if fingerprint(self.repo) != before:
            failed.append("the checkout changed before anything was accepted")
        by_hand = self.patches(report["run"], failed)
        second = self.second(report["run"], before, failed) if report["files"] else "nothing to change"
        return self.words(report, by_hand, seconds, second)

    def patches(self, run, failed):
        """The tests by hand, before and after."""
        copy(self.repo, self.patched)
        patches = sorted((self.output / "diffs").rglob("*.patch")) if (self.output / "diffs").is_dir() else []
        alone = [it.name for it in patches if not git_applies(self.patched, it, "--check")]
        if alone:
            failed.append(f"patches that do not apply alone: {', '.join(alone)}")
        before = self.tested()
        # What the tests left behind is no part of the change.
        git(self.patched, "reset", "--quiet", "--hard")
        git(self.patched, "clean", "--quiet", "-d", "--force")
        together = [it.name for it in patches if not git_applies(self.patched, it)]
        if together:
            failed.append(f"patches that do not apply together: {', '.join(together)}")
        if patches:
            git(self.patched, "add", "--all")
            branch = git(self.repo, "rev-parse", f"refactor-bot/{run}^{{tree}}")
            if git(self.patched, "write-tree") != branch:
                failed.append("the patches are not the branch")
        after = self.tested()
        if after != before:
            failed.append(f"tests by hand: {before}, then {after}")
        return f"{before} → {after}" if self.args.test else "–"

    def tested(self):
        if not self.args.test:
            return None
        folder = self.patched / self.args.folder
        ran = subprocess.run(self.args.test, shell=True, cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, text=True)
        lines = re.sub(r"\x1b\[[0-9;]*m", "", ran.stdout + ran.stderr).splitlines()
        counts = [re.sub(r" *\([\d.]+ ?m?s\)", "", it.strip()) for it in lines if COUNTS.match(it.strip())]
        return f"exit {ran.returncode}" + (f", {'; '.join(counts)}" if counts else "")

    def second(self, run, before, failed):
        accepted = self.bot("accept", run)
        if accepted.returncode:
            failed.append(f"accept: {accepted.stdout}{accepted.stderr}")
            return "–"
        again = self.directed()
        noop = "nothing to change" in again.stdout and again.returncode == 0
        if not noop:
            failed.append(f"the second run is no noop: {again.stdout}")
        back = self.bot("rollback", run)
        if back.returncode or fingerprint(self.repo) != before:
            failed.append(f"rollback does not bring it back: {back.stdout}{back.stderr}")
        return "noop" if noop else f"exit {again.returncode}"

    def words(self, report, by_hand, seconds, second):
        standing = [task for task in report["tasks"] if task["commit"]]
        added = sum(task["added"] for task in standing)
        removed = sum(task["removed"] for task in standing)
        side = lambda it: f"{it['passed']} of {it['passed'] + it['failed']}" if it else "none ran"
        tests = f"{side(report['tests']['baseline'])} → {side(report['tests']['after'])}"
        audits = [task["audit"] for task in standing if task["audit"]]
        audit = f"{sum(it['errors'] for it in audits)}/{sum(it['warnings'] for it in audits)}"
        name = f"{self.repo.name} {self.args.folder}".strip()
        left = len(report["left"]["places"])
        sizes = f"{len(report['files'])}, +{added} −{removed}"
        tasks = f"{len(standing)} of {len(report['tasks'])}"
        return f"| {name} | {tasks} | {sizes} | {tests} | {by_hand} | {audit} | {seconds:.0f} | {second} | {left} |"


COUNTS = re.compile(r"^(Tests?:? +\d|Tests: |# (pass|fail) |ℹ (pass|fail) |\d+ (passing|failing))")


def git(folder, *words):
    ran = subprocess.run(["git", *words], cwd=folder, capture_output=True, text=True, check=True)
    return ran.stdout.strip()


def git_applies(folder, patch, *flags):
    return subprocess.run(["git", "apply", *flags, str(patch)], cwd=folder, capture_output=True).returncode == 0


def copy(source, target):
    """A clone at the commit of the source, with what is installed there."""
    subprocess.run(["git", "-c", "advice.defaultBranchName=false", "clone", "--quiet", "--shared", str(source), str(target)], check=True)
    git(target, "checkout", "--quiet", "-B", "measured", git(source, "rev-parse", "HEAD"))
    for root, folders, _ in os.walk(source):
        if ".git" in folders:
            folders.remove(".git")
        if "node_modules" in folders:
            folders.remove("node_modules")
            place = target / os.path.relpath(root, source)
            if place.is_dir() and not (place / "node_modules").exists():
                subprocess.run(["cp", "-al", os.path.join(root, "node_modules"), str(place)], check=True)


def fingerprint(repo):
    """Every file that git knows or would take, the index, HEAD."""
    listed = git(repo, "ls-files", "-z", "--cached", "--others", "--exclude-standard").split("\0")
    digest = hashlib.sha256()
    for name in sorted(set(listed) - {""}):
        path = repo / name
        digest.update(name.encode())
        if path.is_symlink():
            digest.update(os.readlink(path).encode())
        elif path.is_file():
            digest.update(path.read_bytes())
    state = [git(repo, *words) for words in (["rev-parse", "HEAD"], ["status", "--porcelain"], ["ls-files", "--stage"])]
    return digest.hexdigest(), *state


if __name__ == "__main__":
    sys.exit(main())
