#!/usr/bin/env python3
"""What a call of a model takes beyond its HTTP request, and how many calls at once fare.

    cargo build --release -p rb_models --example overhead
    bench/models.py --binary target/release/examples/overhead [--rounds 101] [--calls 200] [--json FILE]

A server on this machine, in a process of its own, answers with a stream of 50 events. Calls go through the cap, the
schema and the booking; plain requests take turns with them, with bodies of the same size. The median of the rounds counts. The
first use reads the vocabulary of the tokenizer; it is told apart. Times mean something on a machine that is idle
only; the processor time of the process (`cpu`) is told beside them. The exit code is 1 where a call takes over 5 ms more.
"""

import argparse
import json
import statistics
import subprocess
import sys
from pathlib import Path

MOST_MS = 5


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--binary", type=Path, required=True)
    options.add_argument("--rounds", type=int, default=101)
    options.add_argument("--calls", type=int, default=200)
    options.add_argument("--json", type=Path, help="also write the numbers here")
    options = options.parse_args()
    binary = options.binary.resolve()
    with subprocess.Popen([binary, "serve"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as server:
        url = server.stdout.readline().strip()
        calls = told(binary, "calls", url, options.rounds)
        many = told(binary, "many", url, options.calls)
        server.stdin.close()
    numbers = {"vocabulary_ms": calls["vocabulary_ms"], "calls": [medians(row) for row in calls["rows"]], "many": many}
    report(numbers)
    if options.json:
        options.json.write_text(json.dumps(numbers, indent=1))
    sys.exit(any(row["more_ms"] > MOST_MS for row in numbers["calls"]))


def told(binary, *words):
    return json.loads(subprocess.run([binary, *map(str, words)], check=True, stdout=subprocess.PIPE).stdout)


def medians(row):
    # The first round of each kind opens what later ones find open.
    ours, plain, counting = (statistics.median(row[key][1:]) for key in ("call_ms", "plain_ms", "counting_ms"))
    return {
        "wire": row["wire"], "prompt": row["prompt"], "call_ms": ours, "plain_ms": plain, "more_ms": ours - plain,
        "counting_ms": counting, "call_cpu_ms": row["call_cpu_ms"], "plain_cpu_ms": row["plain_cpu_ms"],
    }


def report(numbers):
    print(f"reading the vocabulary, once: {numbers['vocabulary_ms']:.0f} ms")
    print(f"{'wire':10} {'prompt':>7} {'call':>8} {'plain':>8} {'more':>8} {'counting':>9} {'cpu':>8} {'plain cpu':>10}   ms")
    for row in numbers["calls"]:
        print(
            f"{row['wire']:10} {row['prompt']:7} {row['call_ms']:8.2f} {row['plain_ms']:8.2f} {row['more_ms']:8.2f} "
            f"{row['counting_ms']:9.2f} {row['call_cpu_ms']:8.2f} {row['plain_cpu_ms']:10.2f}")
    many = numbers["many"]
    print(
        f"{many['calls']} calls at once: {many['wall_ms']:.0f} ms, {many['booked']} booked; "
        f"{many['before_kb'] / 1024:.0f} MB before, {many['peak_kb'] / 1024:.0f} MB at most")


if __name__ == "__main__":
    main()
