#!/usr/bin/env python3
"""Speed and memory of the index, as ratios to other tools on the same files, all measured in one run.

    bench/index.py --repo ../express --repo ../django [--aider VENV] [--semble VENV --model FOLDER] [--questions SET.jsonl] [--times 3]

Each repository is a git checkout that may be written to (one file is changed and put back). `ctags` is
universal-ctags. `--aider` is a virtual environment that has the package aider-chat, `--semble` one that has semble, with a model2vec
folder for it. `--questions` are asked in a process that stays; each line has `query`. Nothing is downloaded.
Goals are those of the design: a ratio that is above its limit is marked.
"""

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import measure

HERE = Path(__file__).resolve().parent
TARGET = Path(os.environ.get("CARGO_TARGET_DIR", HERE.parent / "target"))
SOURCE = {"py", "js", "jsx", "mjs", "cjs", "ts", "tsx", "mts", "cts", "rs", "go", "java"}
AIDER = """
import sys, time
from aider.repomap import RepoMap
from aider.io import InputOutput
class Model:
    def token_count(self, text): return len(text) // 4
root, files = sys.argv[1], [line.rstrip("\\n") for line in open(sys.argv[2])]
began = time.process_time()
map = RepoMap(map_tokens=1024, root=root, main_model=Model(), io=InputOutput(yes=True, pretty=False), refresh="always")
map.get_repo_map([], files)
print(time.process_time() - began)
"""


SEMBLE = """
import sys, time
from semble import SembleIndex
began = time.process_time()
SembleIndex.from_path(sys.argv[1], model_path=sys.argv[2])
print(time.process_time() - began)
"""


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--repo", action="append", type=Path, required=True)
    options.add_argument("--aider", type=Path)
    options.add_argument("--semble", type=Path)
    options.add_argument("--model", type=Path)
    options.add_argument("--questions", type=Path)
    options.add_argument("--times", type=int, default=3)
    options.add_argument("--json", type=Path, help="also write the numbers here")
    options = options.parse_args()
    build()
    results = {}
    for repo in options.repo:
        results[repo.name] = measure_repo(repo.resolve(), options)
    if options.json:
        options.json.write_text(json.dumps(results, indent=1))


def build():
    subprocess.run(["cargo", "build", "--release", "-q", "-p", "refactor_bot"], cwd=HERE.parent, check=True)
    for package, example in (("rb_lang", "parse_floor"), ("rb_index", "search_speed")):
        subprocess.run(["cargo", "build", "--release", "-q", "-p", package, "--example", example], cwd=HERE.parent, check=True)


def measure_repo(repo, options):
    with tempfile.TemporaryDirectory(prefix="bench-") as scratch:
        return Bench(repo, Path(scratch), options).run()


class Bench:
    def __init__(self, repo, scratch, options):
        self.repo, self.scratch, self.options = repo, scratch, options
        tracked = subprocess.run(["git", "ls-files", "-z"], cwd=repo, check=True, capture_output=True).stdout
        paths = [repo / os.fsdecode(name) for name in tracked.split(b"\0") if name]
        self.files = [p for p in paths if p.is_file() and not p.is_symlink()]
        self.source = [p for p in self.files if p.suffix[1:] in SOURCE]
        self.list = scratch / "list.txt"
        self.list.write_text("\n".join(map(str, self.source)) + "\n")
        self.binary = TARGET / "release" / "refactor-bot"
        self.floor = TARGET / "release" / "examples" / "parse_floor"
        self.numbers = {}

    def best(self, work):
        return measure.best(self.options.times, work)

    def index(self, home, repo=None, command="map"):
        return measure.run([self.binary, command, repo or self.repo, "--home", home])

    def cold(self):
        home = self.scratch / "cold"
        shutil.rmtree(home, ignore_errors=True)
        return self.index(home)

    def search(self, *words):
        """What a first question costs where the files are indexed, and nothing can be searched yet."""
        home = self.scratch / "cold"
        shutil.rmtree(home, ignore_errors=True)
        self.index(home)
        return measure.run([self.binary, "search", self.repo, "x", "--home", home, *words])

    def semble(self):
        if not self.options.semble:
            return
        home = self.scratch / "vectors"
        def cold():
            shutil.rmtree(home, ignore_errors=True)
            return self.index(home, command="index")
        ours = self.best(cold)
        out = measure.run([self.options.semble / "bin" / "python", "-c", SEMBLE, self.repo, self.options.model]).out
        spent = float(out.decode().split()[-1])
        self.numbers["G4"] = spent / ours.cpu
        print(f"  G4   semble's index / cold index with vectors              {spent:8.3f} / {ours.cpu:.3f} = {spent / ours.cpu:.1f}x")
        self.value("G9v", "peak memory with vectors, MB", ours.rss_mb)

    def ask(self):
        if not self.options.questions:
            return
        program = TARGET / "release" / "examples" / "search_speed"
        asked = json.loads(measure.run([program, self.repo, self.scratch / "speed", self.options.questions]).out)
        for goal, signals, limits in (("G11", "words", (1, 3)), ("G12", "both", (10, 20))):
            for share, limit in zip(("p50", "p95"), limits):
                self.row(f"{goal}", f"a question by {signals}, ranked, {share}, ms", asked[signals][f"rank_{share}"], limit, 1.0)
            self.value(goal, f"a question by {signals}, with lines shown, p50, ms", asked[signals]["p50"])

    def run(self):
        print(f"\n{self.repo.name}: {len(self.files)} files, {len(self.source)} source files")
        parse = self.best(lambda: measure.run([self.floor, "parse", self.list]))
        read = self.best(lambda: measure.run(
            ["sh", "-c", "tr '\\n' '\\0' < \"$0\" | xargs -0 cat > /dev/null", self.list]))
        ctags = self.best(lambda: measure.run(
            ["ctags", "-f", self.scratch / "tags", "-L", self.list, "--fields=+nKS", "--extras=+r"]))
        cold = self.best(self.cold)
        words = self.best(lambda: self.search("--signals", "words"))
        self.row("G1", "cold index, rank and postings / tree-sitter parse", cold.cpu + words.cpu, parse.cpu, 2.0)
        self.row("G2", "cold index, wall / processor", cold.wall, cold.cpu, 0.60)
        self.row("G5", "cold index / ctags", cold.cpu, ctags.cpu, 8.0)
        self.aider(cold)
        self.semble()
        self.ask()
        self.value("G9", "peak memory, MB", cold.rss_mb)

        home = self.scratch / "warm"
        self.index(home)
        # Twice: the files of a fresh checkout may be too young for their times to be trusted.
        self.index(home)
        git = self.best(lambda: measure.run(["git", "status", "--porcelain"], cwd=self.repo))
        same = self.best(lambda: self.index(home))
        self.row("G6", "nothing changed / (2 x git status + 20 ms)", same.cpu, 2 * git.cpu + 0.020, 1.0)
        self.touched(home, git)
        self.clone(home, read)
        return self.numbers

    def touched(self, home, git):
        victim = sorted(self.source, key=lambda p: p.stat().st_size)[len(self.source) // 2]
        text, costs, overviews = victim.read_bytes(), [], []
        try:
            for number in range(self.options.times):
                victim.write_bytes(text + b"\n" * (2 * number + 1))
                costs.append(self.index(home, command="index"))
                victim.write_bytes(text + b"\n" * (2 * number + 2))
                overviews.append(self.index(home))
        finally:
            victim.write_bytes(text)
        limit = 2 * git.cpu + 0.050
        cost = min(costs, key=lambda cost: cost.cpu)
        self.row("G7", "one file changed / (2 x git status + 50 ms)", cost.cpu, limit, 1.0)
        overview = min(overviews, key=lambda cost: cost.cpu)
        self.row("G7o", "the same, and a new overview", overview.cpu, limit, 1.0)
        written = min(cost.written for cost in costs)
        self.row("G10", f"bytes written ({written}) / (20 x file + 64 KiB)", written, 20 * len(text) + 65536, 1.0)

    def clone(self, home, read):
        """The same content in another place, every time stamp new, the same origin."""
        costs = []
        for number in range(self.options.times):
            copy = self.scratch / f"clone{number}"
            subprocess.run(["git", "clone", "-q", "--no-hardlinks", self.repo, copy], check=True)
            origin = subprocess.run(["git", "config", "remote.origin.url"], cwd=self.repo, capture_output=True, text=True).stdout.strip()
            if origin:
                subprocess.run(["git", "remote", "set-url", "origin", origin], cwd=copy, check=True)
            costs.append(self.index(home, copy))
            shutil.rmtree(copy)
        cost = min(costs, key=lambda cost: cost.cpu)
        self.row("G8", "fresh clone, known content / reading all source", cost.cpu, read.cpu, 4.0)

    def aider(self, cold):
        if not self.options.aider:
            return
        relative = self.scratch / "relative.txt"
        relative.write_text("\n".join(map(str, self.files)) + "\n")
        for cache in self.repo.glob(".aider.tags.cache*"):
            shutil.rmtree(cache)
        out = measure.run([self.options.aider / "bin" / "python", "-c", AIDER, self.repo, relative], cwd=self.repo).out
        for cache in self.repo.glob(".aider.tags.cache*"):
            shutil.rmtree(cache)
        spent = float(out.decode().split()[-1])
        self.numbers["G3"] = spent / cold.cpu
        print(f"  G3   aider's map / cold index                              {spent:8.3f} / {cold.cpu:.3f} = {spent / cold.cpu:.1f}x")

    def row(self, goal, what, ours, theirs, limit):
        ratio = ours / max(theirs, 1e-9)
        self.numbers[goal] = ratio
        mark = "" if ratio <= limit else f"   ABOVE {limit}"
        print(f"  {goal:4} {what:53} {ours:10.3f} / {theirs:.3f} = {ratio:.2f}{mark}")

    def value(self, goal, what, value):
        self.numbers[goal] = value
        print(f"  {goal:4} {what:53} {value:10.1f}")


if __name__ == "__main__":
    sys.exit(main())
