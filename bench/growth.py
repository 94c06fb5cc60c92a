#!/usr/bin/env python3
"""How the cost of the index grows with the repository: synthetic repositories of 1k, 10k and 100k files.

    bench/growth.py [--sizes 1000,10000,100000] [--times 3] [--binary refactor-bot] [--scratch FOLDER] [--seed 1]

A repository is a third Python, a third TypeScript and a third Go, ten files to a folder, folders three deep; a file has
40 to 80 lines, a handful of symbols and three to five imports of other files, most of them near, some of a file that many
import. Imports never form a cycle. The same seed and size give the same bytes. Everything is below the scratch folder
(100k files: about 1.5 GB with git's copy and the index) and is deleted at the end. No network.

Measured: an index from nothing, one where nothing changed, one where one file got a comment, one where it got a function, and a question
in a new process.
A cost per file that rises by more than a quarter from one size to the next is marked; so is what one changed file costs
above none, in processor time or bytes written, for it should not depend on the size at all.
"""

import argparse
import itertools
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

import measure

HERE = Path(__file__).resolve().parent
TARGET = Path(os.environ.get("CARGO_TARGET_DIR", HERE.parent / "target"))
ALLOWED = 1.25
# Less than this is noise, whatever the ratio.
NOISE_S, NOISE_MB = 0.010, 0.016
PER_FOLDER = 10
VERBS = "load parse build check merge apply render store fetch split count group sort trim encode decode open close find list".split()
NOUNS = "order user price stock route token batch queue event cache frame report ledger policy session invoice record region filter channel".split()


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--sizes", type=lambda text: [int(size) for size in text.split(",")], default=[1000, 10000, 100000])
    options.add_argument("--times", type=int, default=3)
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--binary", type=Path, default=TARGET / "release" / "refactor-bot")
    options.add_argument("--scratch", type=Path, help="a folder with room; the system's own for temporary files if not given")
    options = options.parse_args()
    options.binary = options.binary.resolve()
    before = None
    for size in options.sizes:
        with tempfile.TemporaryDirectory(prefix="growth-", dir=options.scratch) as scratch:
            now = Bench(Path(scratch), size, options).run()
            print_size(now, before)
        before = now


# --- The repository ---------------------------------------------------------------------------------------------------


@dataclass
class Source:
    """A file to be: where it is and what others can import from it."""

    path: PurePosixPath
    language: str
    functions: list
    type: str


def make_repository(root, size, seed):
    random_ = random.Random(f"{seed} {size}")
    sources = [plan(number, random_) for number in range(size)]
    per_language = {name: [s for s in sources if s.language == name] for name in WRITERS}
    for same in per_language.values():
        for place, source in enumerate(same):
            text = WRITERS[source.language](source, pick_imports(same, place, random_), random_)
            path = root / source.path
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
    (root / "go.mod").write_text("module example.com/growth\n\ngo 1.22\n")
    (root / "package.json").write_text('{ "name": "growth", "private": true, "type": "module" }\n')
    (root / "pyproject.toml").write_text('[project]\nname = "growth"\nversion = "1.0"\n')
    git = ["git", "-c", "user.name=bench", "-c", "user.email=bench@example.com", "-c", "gc.auto=0"]
    for command in (["init", "-q"], ["add", "-A"], ["commit", "-q", "-m", "growth"]):
        subprocess.run(git + command, cwd=root, check=True)
    return sources


def plan(number, random_):
    folder, place = divmod(number, PER_FOLDER)
    language = list(WRITERS)[folder % 3]
    folder //= 3
    noun = random_.choice(NOUNS)
    ending = {"python": "py", "typescript": "ts", "go": "go"}[language]
    path = PurePosixPath(language, f"area{folder // 400}", f"part{folder // 20 % 20}", f"unit{folder % 20}", f"{noun}_{place}.{ending}")
    # The same names come back all over a real repository; half of these are of one area only.
    tail = random_.choice(["", f"_area{folder // 400}"])
    verbs = random_.sample(VERBS, random_.randint(3, 6))
    return Source(path, language, [f"{verb}_{noun}{tail}_{place}" for verb in verbs], f"{noun.title()}{place}")


def pick_imports(same, place, random_):
    """Files before this one, in other folders: near ones, ones of anywhere, and the first few, which many import."""
    first = place - place % PER_FOLDER
    chosen = {}
    for _ in range(random_.randint(3, 5) if first else 0):
        kind = random_.random()
        if kind < 0.65:
            at = random_.randrange(max(0, first - 10 * PER_FOLDER), first)
        elif kind < 0.90:
            at = random_.randrange(first)
        else:
            at = random_.randrange(min(first, 2 * PER_FOLDER))
        chosen[same[at].path.parent if same[at].language == "go" else same[at].path] = same[at]
    return list(chosen.values())


def camel(name):
    first, *rest = name.split("_")
    return first + "".join(word.title() for word in rest)


def pascal(name):
    return "".join(word.title() for word in name.split("_"))


def write_python(source, imports, random_):
    lines = [f'"""Handling of {source.type}."""', "", "import json", ""]
    names = []
    for other in imports:
        name = random_.choice(other.functions)
        alias = f"{name}_{len(names)}"
        lines.append(f"from {'.'.join(other.path.with_suffix('').parts)} import {name} as {alias}")
        names.append(alias)
    lines += ["", "", f"class {source.type}:", f'    """One {source.type}."""', "", "    def __init__(self, values):"]
    lines += ["        self.values = values", "", "    def total(self):", "        return sum(self.values)"]
    for name in source.functions:
        lines += ["", "", f"def {name}(values, limit=10):", f'    """{name.replace("_", " ")}."""', "    result = []", "    for value in values:"]
        lines += ["        if value > limit:", "            continue", f"        result.append({call(names, random_)}(value))"]
        lines += ["    return json.dumps(result)"]
    return finish(lines, "#", random_)


def write_typescript(source, imports, random_):
    lines, names = [], []
    for other in imports:
        name = camel(random_.choice(other.functions))
        alias = f"{name}{len(names)}"
        here = os.path.relpath(other.path.with_suffix(""), source.path.parent)
        lines.append(f"import {{ {name} as {alias} }} from '{here if here.startswith('.') else './' + here}'")
        names.append(alias)
    lines += ["", f"export interface {source.type}Options {{", "  limit: number", "  label?: string", "}", ""]
    lines += [f"export class {source.type} {{", "  constructor(private readonly values: number[]) {}", "", "  total(): number {"]
    lines += ["    return this.values.reduce((sum, value) => sum + value, 0)", "  }", "}"]
    for name in map(camel, source.functions):
        lines += ["", f"/** {name}. */", f"export function {name}(values: number[], options: {source.type}Options = {{ limit: 10 }}): string {{"]
        lines += ["  const result: unknown[] = []", "  for (const value of values) {", "    if (value > options.limit) continue"]
        lines += [f"    result.push({call(names, random_, 'String')}([value] as never))", "  }", "  return JSON.stringify(result)", "}"]
    return finish(lines, "//", random_)


def write_go(source, imports, random_):
    lines, names = [f"package {source.path.parent.name}", "", "import (", '\t"fmt"'], []
    for other in imports:
        alias = f"{other.path.parent.name}x{len(names)}"
        lines.append(f'\t{alias} "example.com/growth/{other.path.parent}"')
        names.append(f"{alias}.{pascal(random_.choice(other.functions))}")
    lines += [")", "", f"// {source.type} holds values.", f"type {source.type} struct {{", "\tValues []int", "}", ""]
    lines += ["// Total adds them up.", f"func (s *{source.type}) Total() int {{", "\tsum := 0", "\tfor _, value := range s.Values {", "\t\tsum += value", "\t}", "\treturn sum", "}"]
    for name in map(pascal, source.functions):
        lines += ["", f"// {name} goes through the values.", f"func {name}(values []int) string {{", '\tresult := ""', "\tfor _, value := range values {"]
        lines += [f"\t\tresult += fmt.Sprint({call(names, random_, 'fmt.Sprint')}([]int{{value}}))", "\t}", "\treturn result", "}"]
    return finish(lines, "//", random_)


WRITERS = {"python": write_python, "typescript": write_typescript, "go": write_go}
COMMENT = {"python": "\n# {}\n", "typescript": "\n// {}\n", "go": "\n// {}\n"}
FUNCTION = {
    "python": "\n\ndef added_{}():\n    return 1\n",
    "typescript": "\nexport function added{}() {{\n  return 1\n}}\n",
    "go": "\nfunc Added{}() int {{\n\treturn 1\n}}\n",
}


def call(names, random_, otherwise="str"):
    return random_.choice(names) if names else otherwise


def finish(lines, comment, random_):
    """Comments up to the length that was drawn, so that no two sizes differ in what a file is."""
    length = random_.randint(max(40, len(lines)), max(80, len(lines)))
    words = lambda: " ".join(random_.choice(NOUNS) for _ in range(8))
    return "\n".join(lines + [""] + [f"{comment} {words()}" for _ in range(length - len(lines) - 1)]) + "\n"


# --- The measurement --------------------------------------------------------------------------------------------------


@dataclass
class Numbers:
    files: int
    cold: measure.Cost
    git: measure.Cost
    same: measure.Cost
    comment: measure.Cost
    function: measure.Cost
    search: measure.Cost
    words: measure.Cost


class Bench:
    def __init__(self, scratch, size, options):
        self.scratch, self.size, self.options = scratch, size, options
        self.repo, self.home = scratch / "repo", scratch / "home"
        self.repo.mkdir()

    def index(self, *words):
        return measure.run([self.options.binary, "index", self.repo, "--quiet", "--home", self.home, *words])

    def search(self, *words):
        question = "where is the price of an order merged into the ledger"
        return measure.run([self.options.binary, "search", self.repo, question, "--quiet", "--home", self.home, *words])

    def cold(self):
        shutil.rmtree(self.home, ignore_errors=True)
        return self.index()

    def run(self):
        print(f"\n{self.size} files", flush=True)
        sources = make_repository(self.repo, self.size, self.options.seed)
        best = lambda work: measure.best(self.options.times, work)
        cold = best(self.cold)
        # Files that are as young as the index may not be trusted yet: once more, before it counts.
        self.index()
        git = best(lambda: measure.run(["git", "status", "--porcelain"], cwd=self.repo))
        same = best(self.index)
        comment = self.changed("a comment more", sources, COMMENT)
        function = self.changed("a function more", sources, FUNCTION)
        self.index()
        search, words = best(self.search), best(lambda: self.search("--signals", "words"))
        self.check_imports()
        return Numbers(self.size, cold, git, same, comment, function, search, words)

    def changed(self, what, sources, added):
        """A file in the middle, one of each language; the dearest counts."""
        costs = {language: self.changed_in(language, sources, added[language]) for language in WRITERS}
        print(f"  {what}, processor s: " + ", ".join(f"{language} {cost.cpu:.3f}" for language, cost in costs.items()), flush=True)
        return max(costs.values(), key=lambda cost: cost.cpu)

    def changed_in(self, language, sources, added):
        same = [source for source in sources if source.language == language]
        victim = self.repo / same[len(same) // 2].path
        text = victim.read_text()
        numbers = itertools.count()

        def change():
            victim.write_text(text + added.format(next(numbers)))
            return self.index()

        return measure.best(self.options.times, change)

    def check_imports(self):
        """Numbers of a repository whose imports lead nowhere would say nothing."""
        out = self.scratch / "out"
        self.index("--artifacts", out)
        with open(out / "DEPENDENCY_GRAPH.json") as graph:
            imports = json.load(graph)["imports"]
        shutil.rmtree(out)
        print(f"  imports {imports}", flush=True)
        if imports["unresolved"] or imports["inside"] < 2.5 * self.size:
            raise RuntimeError("the imports of the synthetic repository do not lead to its files")


# What is shown, how it is read, whether it may grow with the number of files, and what difference is noise.
ROWS = [
    ("cold, processor s", lambda n: n.cold.cpu, True, 0),
    ("cold, wall s", lambda n: n.cold.wall, True, 0),
    ("cold, peak memory MB", lambda n: n.cold.rss_mb, True, 0),
    ("git status, processor s", lambda n: n.git.cpu, True, NOISE_S),
    ("nothing changed, processor s", lambda n: n.same.cpu, True, NOISE_S),
    ("nothing changed, wall s", lambda n: n.same.wall, True, NOISE_S),
    ("a comment more, processor s", lambda n: n.comment.cpu, True, NOISE_S),
    ("a comment more, wall s", lambda n: n.comment.wall, True, NOISE_S),
    ("a function more, processor s", lambda n: n.function.cpu, True, NOISE_S),
    ("a function more, wall s", lambda n: n.function.wall, True, NOISE_S),
    ("a search by words, wall s", lambda n: n.words.wall, True, NOISE_S),
    ("a search, processor s", lambda n: n.search.cpu, True, NOISE_S),
    ("a search, wall s", lambda n: n.search.wall, True, NOISE_S),
    ("a search, peak memory MB", lambda n: n.search.rss_mb, True, 0),
    ("comment above nothing, processor s", lambda n: n.comment.cpu - n.same.cpu, False, NOISE_S),
    ("function above nothing, processor s", lambda n: n.function.cpu - n.same.cpu, False, NOISE_S),
    ("a comment more, MB written", lambda n: n.comment.written / 1e6, False, NOISE_MB),
    ("a function more, MB written", lambda n: n.function.written / 1e6, False, NOISE_MB),
]


def print_size(now, before):
    print(f"  {'':36} {'':>12} {'/ M files':>12}")
    for what, read, may_grow, noise in ROWS:
        value = read(now)
        per_file = f"{1e6 * value / now.files:12.1f}" if may_grow else " " * 12
        print(f"  {what:36} {value:12.3f} {per_file}{growth(now, before, read, may_grow, noise)}", flush=True)


def growth(now, before, read, may_grow, noise):
    if before is None:
        return ""
    allowed = ALLOWED * (now.files / before.files if may_grow else 1)
    ratio = read(now) / max(read(before), 1e-9)
    above = ratio > allowed and read(now) - read(before) > noise
    return f"  x {ratio:.2f}" + (f"   ABOVE {allowed:.2f}" if above else "")


if __name__ == "__main__":
    sys.exit(main())
