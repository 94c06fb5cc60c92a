#!/usr/bin/env python3
"""Time and memory of planning each recipe, as ratios to checking all rules of the same repository, measured in one run.

    bench/recipes.py --binary target/release/refactor-bot --repo ../cal.com [--rounds 5] [--symbol path#name] [--json FILE]

Every command runs with a home that knows the repository. They take turns in each round, and the median of the rounds counts.
`rename` is planned for `--symbol`; without it, it is left out. Nothing is written to the repository.
"""

import argparse
import json
import statistics
import sys
import tempfile
from pathlib import Path

import measure

RECIPES = ["fs-async", "sql-parameters", "indexed-lookup", "unused-imports", "dead-code", "own-barrels"]
# 1 says that something was found; anything above is a failure.
SILENT = '"$@" > /dev/null; [ $? -le 1 ]'


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--binary", type=Path, required=True)
    options.add_argument("--repo", type=Path, required=True)
    options.add_argument("--symbol")
    options.add_argument("--rounds", type=int, default=5)
    options.add_argument("--json", type=Path, help="also write the numbers here")
    options = options.parse_args()
    with tempfile.TemporaryDirectory(prefix="bench-") as scratch:
        costs = run(options, Path(scratch) / "home")
    numbers = report(costs)
    if options.json:
        options.json.write_text(json.dumps(numbers, indent=1))


def run(options, home):
    binary, repo = options.binary.resolve(), options.repo.resolve()
    base = ["--home", home, "--json"]
    turn = {"rules check": [binary, "rules", "check", "--all", repo, *base]}
    for recipe in RECIPES:
        turn[recipe] = [binary, "rules", "fix", repo, "--recipe", recipe, "--plan", *base]
    if options.symbol:
        named = ["--symbol", options.symbol, "--to", "renamedByTheBenchmark"]
        turn["rename"] = [binary, "rules", "fix", repo, "--recipe", "rename", "--plan", *named, *base]
    # Twice: the files of a fresh checkout may be too young for their times to be trusted.
    for _ in range(2):
        silent(turn["rules check"])
    costs = {}
    for _ in range(options.rounds):
        for name, command in turn.items():
            costs.setdefault(name, []).append(silent(command))
    return costs


def silent(command):
    return measure.run(["sh", "-c", SILENT, "sh", *command])


def report(costs):
    median = {name: statistics.median(it.wall for it in runs) for name, runs in costs.items()}
    numbers = {}
    print(f"{'':<16} {'seconds':>8} {'ratio':>7} {'MB':>6}")
    for name, seconds in median.items():
        memory = max(it.rss_mb for it in costs[name])
        ratio = seconds / median["rules check"]
        numbers[name] = {"seconds": seconds, "ratio": ratio, "megabytes": memory}
        print(f"{name:<16} {seconds:>8.2f} {ratio:>7.2f} {memory:>6.0f}")
    return numbers


if __name__ == "__main__":
    sys.exit(main())
