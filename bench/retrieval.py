#!/usr/bin/env python3
"""How well a search finds the files that a change touched, by which signals take part, and whether vectors earn their place.

    retrieval.py --bin target/release/refactor-bot --repos DIR SET.jsonl...

Each line of a set has `query`, `gold_files` and perhaps `lexical_hint`; its repository is DIR/NAME, checked out at the state that is asked about,
where NAME is the set's file name. Prints hit@1/5/10 and MRR for each choice of signals, and the paired difference of the shipped one
to words alone with its 95 % interval by bootstrap over questions.
"""
import argparse
import json
import random
import subprocess
import tempfile
from pathlib import Path

CHOICES = ("words", "vectors", "words,vectors", "words,vectors,graph")
SHIPPED, ROUNDS = "words,vectors", 5000


def place(binary, home, root, question, signals):
    args = [binary, "--home", home, "--json", "search", root, question["query"], "--limit", "20", "--signals", signals]
    run = subprocess.run(args, capture_output=True, text=True, check=True)
    gold = set(question["gold_files"])
    paths = [hit["path"] for hit in json.loads(run.stdout)["results"]]
    return next((at for at, path in enumerate(paths) if path in gold), None)


def reciprocal(at):
    return 0.0 if at is None else 1 / (at + 1)


def show(name, places):
    n = len(places)
    hits = "  ".join(f"hit@{k} {sum(p is not None and p < k for p in places) / n:.3f}" for k in (1, 5, 10))
    print(f"{name:44} n={n:4}  {hits}  MRR {sum(map(reciprocal, places)) / n:.3f}", flush=True)


def paired(ours, theirs, value):
    """The mean difference and its interval; the same questions on both sides."""
    differences = [value(a) - value(b) for a, b in zip(ours, theirs)]
    draw = random.Random(7)
    means = sorted(sum(draw.choices(differences, k=len(differences))) / len(differences) for _ in range(ROUNDS))
    return sum(differences) / len(differences), means[int(ROUNDS * 0.025)], means[int(ROUNDS * 0.975)]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin", required=True)
    parser.add_argument("--repos", type=Path, required=True)
    parser.add_argument("sets", nargs="+", type=Path)
    args = parser.parse_args()
    every, without_hint = {choice: [] for choice in CHOICES}, {choice: [] for choice in CHOICES}
    with tempfile.TemporaryDirectory() as home:
        for path in args.sets:
            questions = [json.loads(line) for line in path.read_text().splitlines()]
            for choice in CHOICES:
                places = [place(args.bin, home, str(args.repos / path.stem), q, choice) for q in questions]
                show(f"{path.stem}, {choice}", places)
                every[choice] += places
                without_hint[choice] += [p for p, q in zip(places, questions) if not q.get("lexical_hint", True)]
    for choice in CHOICES:
        show(f"all, {choice}", every[choice])
    for choice in CHOICES:
        if without_hint[choice]:
            show(f"without a word in common, {choice}", without_hint[choice])
    for name, value in (("MRR", reciprocal), ("hit@5", lambda at: float(at is not None and at < 5))):
        mean, low, high = paired(every[SHIPPED], every["words"], value)
        print(f"{SHIPPED} over words, paired, {name}: {mean:+.3f} [{low:+.3f}, {high:+.3f}]")


if __name__ == "__main__":
    main()
