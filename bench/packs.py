#!/usr/bin/env python3
"""Whether a pack holds the code that a change needs, on real history: no model is asked.

    packs.py --bin target/release/examples/pack [--plan-bin target/release/examples/plan] [--commits N] [--list] GIT_DIR...

Of each repository, N commits are taken, evenly over its history: no merges, one to eight changed source files that existed before, at
most 30 hunks and 400 changed lines, a subject of three words or more that speaks of no release, merge or revert. The message is the
goal, the changed files are the scope, the parent commit is what is packed.

A hunk is covered if the lines it removes (or the two between which it inserts) are shown, and with them the innermost function around
them; of a function of more than 150 lines, the 20 lines around the hunk. Prints a row a repository, then one a language and one for all:
share of hunks covered, median tokens of a pack, and of the files shown the share that the commit changed. With `--plan-bin`, the message
is also planned as a directive, and of the files that the commit changed the share is printed that the first three tasks have.
"""
import argparse
import json
import re
import statistics
import subprocess
import tempfile
from pathlib import Path

LANGUAGES = {"ts": "TypeScript", "tsx": "TypeScript", "js": "JavaScript", "jsx": "JavaScript", "mjs": "JavaScript", "cjs": "JavaScript",
             "py": "Python", "rs": "Rust", "go": "Go", "java": "Java"}
DULL = re.compile(r"\b(bump|release|merge|revert|changelog|version|typos?|lint|format|prettier|gofmt|rustfmt|black)\b|v?\d+\.\d+\.\d+", re.I)
LONG, AROUND, TASKS = 150, 20, 3


def git(repo, *args):
    return subprocess.run(["git", "-C", repo, *args], capture_output=True, check=True).stdout.decode(errors="replace")


def language(path):
    return LANGUAGES.get(path.rsplit(".", 1)[-1])


def hunks(repo, commit):
    """By file, the first and last line of each hunk in the parent; None if the commit is not one that counts."""
    found, path, changed = {}, None, 0
    for line in git(repo, "diff", "-U0", "--no-color", "--no-renames", "--no-ext-diff", f"{commit}^", commit).splitlines():
        if line.startswith("--- "):
            path = line[6:] if line.startswith("--- a/") else None
        elif line.startswith("+++ ") and line == "+++ /dev/null":
            path = None
        elif line.startswith("@@ ") and path and language(path):
            first, count = re.match(r"@@ -(\d+)(?:,(\d+))? ", line).groups()
            first, count = int(first), int(count or 1)
            found.setdefault(path, []).append((first, first + count - 1) if count else (max(first, 1), first + 1))
        elif line[:1] in "+-":
            changed += 1
    number = sum(map(len, found.values()))
    return found if 1 <= len(found) <= 8 and number <= 30 and changed <= 400 else None


def chosen(repo, most):
    log = git(repo, "log", "--no-merges", "--format=%H%x09%P%x09%s", "HEAD").strip().split("\n")
    rows = [row.split("\t", 2) for row in log]
    rows = [(commit, subject) for commit, parents, subject in rows
            if parents and len(subject.split()) >= 3 and not DULL.search(subject)]
    taken, step = [], max(1, len(rows) // (most * 3))
    for commit, subject in rows[::step]:
        if len(taken) < most and (found := hunks(repo, commit)):
            taken.append((commit, subject, found))
    return taken


def wanted(hunk, functions):
    """The lines that must be shown for a hunk."""
    first, last = hunk
    around = [span for span in functions if span[0] <= first and last <= span[1]]
    if not around:
        return hunk
    start, end = min(around, key=lambda span: span[1] - span[0])
    if end - start >= LONG:
        start, end = max(start, first - AROUND), min(end, last + AROUND)
    return min(start, first), max(end, last)


def is_shown(span, ranges, length):
    first, last = span
    return any(start <= first and min(last, length) <= end for start, end in ranges)


def planned(binary, store, tree, goal, files, listing):
    """By language, whether each file is in one of the first tasks of the first plan."""
    run = subprocess.run([binary, "--json", store, tree, goal], capture_output=True, text=True)
    tasks = json.loads(run.stdout)["tasks"][:TASKS] if run.returncode == 0 else []
    first, found = {path for task in tasks for path in task}, {}
    for path in files:
        found.setdefault(language(path), []).append(path in first)
        if listing and path not in first:
            print(f"  {path} is not planned: {run.stderr.strip()[:200]}")
    return found


def measure(binary, plan_binary, repo, most, listing):
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        tree, store, plan_store = f"{folder}/tree", f"{folder}/store", f"{folder}/plan"
        git(repo, "worktree", "add", "--quiet", "--detach", "--force", tree, "HEAD")
        try:
            for commit, _, found in chosen(repo, most):
                git(tree, "checkout", "--quiet", "--force", "--detach", f"{commit}^")
                files = {path: spans for path, spans in found.items() if Path(tree, path).is_file()}
                goal = git(repo, "log", "-1", "--format=%B", commit).strip()[:4000]
                run = subprocess.run([binary, "--json", store, tree, goal, *files], capture_output=True, text=True)
                if run.returncode != 0 or not files:
                    print(f"  {commit[:10]}: {run.stderr.strip()[:200]}")
                    continue
                pack = json.loads(run.stdout)
                shown = {file["path"]: file["lines"] for file in pack["files"]}
                by_language = {}
                for path, spans in files.items():
                    length = sum(1 for _ in open(Path(tree, path), "rb"))
                    for span in spans:
                        need = wanted(span, pack["functions"].get(path, []))
                        is_there = is_shown(need, shown.get(path, []), length)
                        by_language.setdefault(language(path), []).append(is_there)
                        if listing and not is_there:
                            print(f"  {commit[:10]} {path}:{span[0]}-{span[1]} needs {need[0]}-{need[1]} of {length}, shown {shown.get(path)}")
                plan = planned(plan_binary, plan_store, tree, goal, files, listing) if plan_binary else {}
                rows.append({"hunks": by_language, "tokens": pack["tokens"], "shown": len(shown), "planned": plan, "scope": len(files),
                             "changed": sum(path in files for path in shown)})
        finally:
            git(repo, "worktree", "remove", "--force", tree)
    return rows


def row(name, rows, only=None):
    hunks, plan = ([ok for row in rows for lang, all in row[name].items() if only in (None, lang) for ok in all]
                   for name in ("hunks", "planned"))
    rows = [row for row in rows if only is None or only in row["hunks"]]
    if not hunks:
        return
    tokens = [row["tokens"] for row in rows]
    share = sum(row["changed"] for row in rows) / max(1, sum(row["shown"] for row in rows))
    print(f"{name:24} commits {len(rows):4}  hunks {len(hunks):5}  covered {100 * sum(hunks) / len(hunks):5.1f} %"
          f"  tokens median {statistics.median(tokens):7.0f} mean {statistics.mean(tokens):7.0f} max {max(tokens):6}"
          f"  a file of the scope {sum(tokens) / sum(row['scope'] for row in rows):6.0f}  shown that changed {100 * share:5.1f} %"
          + (f"  planned {100 * sum(plan) / len(plan):5.1f} %" if plan else ""), flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin", required=True)
    parser.add_argument("--plan-bin")
    parser.add_argument("--commits", type=int, default=30)
    parser.add_argument("--list", action="store_true", help="name the hunks that are not covered")
    parser.add_argument("repos", nargs="+")
    args = parser.parse_args()
    binary, total = str(Path(args.bin).resolve()), []
    plan_binary = args.plan_bin and str(Path(args.plan_bin).resolve())
    for repo in args.repos:
        rows = measure(binary, plan_binary, repo, args.commits, args.list)
        row(Path(repo.rstrip("/")).parent.name if Path(repo).name == "repo" else Path(repo).name, rows)
        total += rows
    for name in sorted({name for row in total for name in row["hunks"]}):
        row(name, total, name)
    row("all", total)


if __name__ == "__main__":
    main()
