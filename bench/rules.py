#!/usr/bin/env python3
"""Speed of the React rules, as ratios to two linters on the same files, all measured in one run.

    bench/rules.py --binary target/release/refactor-bot --repo ../cal.com
        [--oxlint BIN --oxlint-config FILE] [--eslint BIN --eslint-config FILE] [--rounds 5] [--eslint-rounds 1] [--json FILE]

`--repo` is a git checkout. The linters are given its tracked TypeScript and JavaScript files by name, with the configuration that is
named and no other; `rules check` finds the files by itself. All take turns in each round, and the median of the rounds counts. Ours is
measured with a fresh home (cold) and with one that knows the repository (warm). ESLint may be slow: it has rounds of its own.
Findings are written to nowhere, and are no failure. Nothing is built and nothing downloaded.
Goals are those of the design: a ratio that misses its limit is marked.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

import measure

ENDINGS = ["*.ts", "*.tsx", "*.js", "*.jsx"]
# ESLint may not be less than this many times as slow as we are, and we not more than this many times as slow as oxlint.
ESLINT, OXLINT = 20.0, 4.0
# 1 says that something was found; anything above is a failure.
SILENT = '"$@" > /dev/null; [ $? -le 1 ]'


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--binary", type=Path, required=True)
    options.add_argument("--repo", type=Path, required=True)
    for peer in ("oxlint", "eslint"):
        options.add_argument(f"--{peer}", type=Path)
        options.add_argument(f"--{peer}-config", type=Path)
    options.add_argument("--rounds", type=int, default=5)
    options.add_argument("--eslint-rounds", type=int, default=1)
    options.add_argument("--json", type=Path, help="also write the numbers here")
    options = options.parse_args()
    for peer in ("oxlint", "eslint"):
        if (getattr(options, peer) is None) != (getattr(options, f"{peer}_config") is None):
            sys.exit(f"--{peer} and --{peer}-config go together")
    with tempfile.TemporaryDirectory(prefix="bench-") as scratch:
        costs = Bench(options, Path(scratch)).run()
    numbers = report(costs)
    if options.json:
        options.json.write_text(json.dumps(numbers, indent=1))


class Bench:
    def __init__(self, options, scratch):
        self.options, self.scratch = options, scratch
        self.binary, self.repo = options.binary.resolve(), options.repo.resolve()
        self.files = tracked(self.repo)
        print(f"{self.repo.name}: {len(self.files)} files, {os.cpu_count()} processors")

    def run(self):
        warm = self.scratch / "warm"
        # Twice: the files of a fresh checkout may be too young for their times to be trusted.
        self.check(warm), self.check(warm)
        costs = {}
        for number in range(self.options.rounds):
            turn = {
                "ours, cold": lambda: self.check(self.scratch / f"cold{number}"),
                "ours, warm": lambda: self.check(warm),
            }
            if self.options.oxlint:
                turn["oxlint"] = self.oxlint
            if self.options.eslint and number < self.options.eslint_rounds:
                turn["eslint"] = self.eslint
            for name, work in turn.items():
                costs.setdefault(name, []).append(work())
        return costs

    def check(self, home):
        return self.silent([self.binary, "rules", "check", "--all", self.repo, "--json", "--home", home])

    def oxlint(self):
        config = ["-c", self.options.oxlint_config.resolve(), "--disable-nested-config", "--no-ignore", "-f", "json"]
        return self.silent([self.options.oxlint.absolute(), *config, *self.files])

    def eslint(self):
        config = ["-c", self.options.eslint_config.resolve(), "--no-config-lookup", "--no-inline-config", "-f", "json"]
        return self.silent([self.options.eslint.absolute(), *config, *self.files])

    def silent(self, command):
        return measure.run(["sh", "-c", SILENT, "sh", *command], cwd=self.repo)


def tracked(repo):
    names = subprocess.run(["git", "ls-files", "-z", *ENDINGS], cwd=repo, check=True, capture_output=True).stdout
    names = [os.fsdecode(name) for name in names.split(b"\0") if name]
    return [name for name in names if (repo / name).is_file() and not (repo / name).is_symlink()]


def report(costs):
    numbers = {}
    for name, all_costs in costs.items():
        wall = statistics.median(cost.wall for cost in all_costs)
        cpu = statistics.median(cost.cpu for cost in all_costs)
        memory = max(cost.rss_mb for cost in all_costs)
        numbers[name] = {"wall_s": wall, "cpu_s": cpu, "rss_mb": memory, "rounds": len(all_costs)}
        print(f"  {name:12} {wall:9.3f} s wall {cpu:9.3f} s processor {memory:7.0f} MB   ({len(all_costs)} rounds)")
    for ours in ("ours, cold", "ours, warm"):
        if "eslint" in numbers:
            ratio(numbers, "eslint", ours, lambda times: times >= ESLINT, f"BELOW {ESLINT:g}")
        if "oxlint" in numbers:
            ratio(numbers, ours, "oxlint", lambda times: times <= OXLINT, f"ABOVE {OXLINT:g}")
    return numbers


def ratio(numbers, above, below, is_good, mark):
    times = numbers[above]["wall_s"] / max(numbers[below]["wall_s"], 1e-9)
    numbers[f"{above} / {below}"] = times
    print(f"  {above + ' / ' + below:26} {times:9.2f}{'' if is_good(times) else '   ' + mark}")


if __name__ == "__main__":
    sys.exit(main())
