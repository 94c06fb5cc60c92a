#!/usr/bin/env python3
"""Answers without a model: how good they are on questions with known files, and how fast they come.

    ask.py --bin target/release/refactor-bot suite --repos DIR evals/onboarding.json [-- FLAGS OF eval …]
    ask.py --bin target/release/refactor-bot swe-qa --repos DIR [--part tuning|reporting] [--list] QUESTIONS
    ask.py --bin target/release/refactor-bot speed --repo ../django [--question "…"] [--times 5]

`suite` prints the metrics of `eval` a repository and overall. Flags after `--` choose a model.

`swe-qa` takes the folder of SWE-QA's questions (NAME.jsonl with `question` and `answer` a line); the repository is DIR/NAME at the commit
that the benchmark names. Gold are the files that the reference answer mentions: a whole path, or the end of one that no other
file shares. Questions whose answer mentions none are counted and left out. Prints, of the rest, the share with a gold file among
the first 5 files of `search` and among the first 5 and 10 that `ask` cites, a repository and for each part. Weights are fitted
on the tuning part alone; results are those of the reporting part. Repositories that are set aside for judging are refused.

`speed` prints processor seconds, wall seconds and memory with a warm index, as ratios to `index` on the same files, which only looks for
changes; and the time until a tool of the MCP server gives its first answer. The limits are those of the design.

Nothing is downloaded.
"""
import argparse
import json
import re
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import measure

TUNING = ("astropy", "flask", "reflex", "scikit-learn", "sympy")
REPORTING = ("django", "matplotlib", "requests", "sphinx", "streamlink")
SET_ASIDE = ("conan", "pylint", "pytest", "sqlfluff", "xarray")
MENTION = re.compile(r"[\w./-]*\w\.(?:pyx|pxd|pyi|py|rst|md|txt|toml|cfg|ini|json|ya?ml|html|js|jsx|tsx|ts|css|cpp|hpp|h|c)\b")
QUESTION = "How does a request find the function that answers it?"


def called(binary, home, *args):
    """Standard output of a call. What it says on the way is shown if it fails."""
    run = subprocess.run([binary, "--home", str(home), "--quiet", *map(str, args)], capture_output=True, text=True)
    if run.returncode not in (0, 7):
        sys.exit(f"{' '.join(map(str, args[:2]))} ended with {run.returncode}: {run.stderr.strip()[:2000]}")
    return run.stdout


def share(part, whole):
    return f"{100 * part / whole:5.1f} %" if whole else "    n/a"


# suite


def suite(args):
    with tempfile.TemporaryDirectory() as home:
        out = called(args.bin, home, "eval", args.suite, "--repos", args.repos, "--json", *args.flags)
    report = json.loads(out)
    for one in report["repositories"]:
        if one["skipped"]:
            print(f"{one['name']:16} skipped: {one['skipped']}")
            continue
        print(f"{one['name']:16} passed {one['passed']} of {one['passed'] + one['failed']}  {metrics(one['values'])}")
    print(f"{'all':16} {metrics(report['overall'])}")
    times = list(report["timing"]["question_ms"].values())
    if times:
        print(f"{'ms a question':16} median {statistics.median(times):.0f}  max {max(times)}")


def metrics(values):
    shown = (("gold_in_first_5", "gold@5"), ("gold_in_first_10", "gold@10"), ("pass_rate", "pass"), ("citation_precision", "precision"),
             ("citation_recall", "recall"), ("grounding", "grounded"), ("hallucination_rate", "hallucinated"), ("important_reads", "important"))
    shares = [f"{name} {share(values[key], 1) if values[key] is not None else 'n/a'}" for key, name in shown]
    counts = [f"{name} {values[key]:.1f}" for key, name in (("trivial_reads", "trivial"), ("rereads", "re-reads"), ("tool_calls", "calls"), ("tokens", "tokens"))
              if values[key] is not None]
    return "  ".join(shares + counts)


# swe-qa


def gold_files(answer, files):
    """The files that an answer mentions, in its order: a whole path, or an end of a path that only one file has."""
    ends = {}
    for path in files:
        parts = path.split("/")
        for at in range(len(parts)):
            ends.setdefault("/".join(parts[at:]), []).append(path)
    found = []
    for mention in MENTION.findall(answer):
        mention = mention.removeprefix("./").lstrip("/")
        named = [mention] if mention in files else ends.get(mention, [])
        if len(named) == 1 and named[0] not in found:
            found.append(named[0])
    return found


def tracked(root):
    out = subprocess.run(["git", "-C", root, "ls-files", "-z"], capture_output=True, check=True).stdout
    return {path for path in out.decode(errors="replace").split("\0") if path}


def swe_qa(args):
    names = {"tuning": TUNING, "reporting": REPORTING, "all": TUNING + REPORTING}[args.part]
    rows = {}
    with tempfile.TemporaryDirectory() as home:
        for path in sorted(args.questions.glob("*.jsonl")):
            name = path.stem
            if name in SET_ASIDE:
                print(f"{name:16} is set aside for judging")
            elif name in names and (args.repos / name).is_dir():
                rows[name] = measured(args, Path(home), name, path)
                row(name, rows[name])
            elif name in names:
                print(f"{name:16} there is no folder {args.repos / name}")
    for part, members in (("tuning", TUNING), ("reporting", REPORTING)):
        all_of_it = [result for name in members for result in rows.get(name, [])]
        if all_of_it:
            row(part, all_of_it)


def measured(args, home, name, path):
    """A result for each question: None if its answer mentions no file."""
    root = args.repos / name
    files = tracked(root)
    lines = [json.loads(line) for line in path.read_text().splitlines() if line.strip()]
    gold = [gold_files(line["answer"], files) for line in lines]
    questions = [{"id": f"{at:03}", "repo": name, "question": line["question"], "gold_files": found}
                 for at, (line, found) in enumerate(zip(lines, gold)) if found]
    suite = home / f"{name}.json"
    suite.write_text(json.dumps({"name": name, "repos": [{"name": name, "path": name}], "questions": questions}))
    report = json.loads(called(args.bin, home / "home", "eval", suite, "--repos", args.repos.resolve(), "--json"))
    cited = {one["id"]: one for one in report["questions"]}
    results = []
    for at, (line, found) in enumerate(zip(lines, gold)):
        if not found:
            results.append(None)
            continue
        one = cited[f"{at:03}"]
        if one["verdict"]["kind"] == "skipped":
            print(f"  {name} {at}: {one['verdict']['reason']}")
            results.append(None)
            continue
        hits = json.loads(called(args.bin, home / "home", "search", root, line["question"], "--limit", 10, "--json"))["results"]
        searched = [hit["path"] for hit in hits]
        results.append({"search": first(searched, found), "ask": first(one["cited_files"], found), "cited": len(one["cited_files"])})
        if args.list and results[-1]["ask"] is None:
            print(f"  {name} {at}: {line['question'][:150]}\n    gold {found[:4]}\n    cited {one['cited_files'][:5]}\n    searched {searched[:5]}")
    return results


def first(paths, gold):
    """The place of the first gold file, from 0."""
    return next((at for at, path in enumerate(paths) if path in gold), None)


def row(name, results):
    known = [result for result in results if result]
    within = lambda key, most: share(sum(one[key] is not None and one[key] < most for one in known), len(known))
    print(f"{name:16} questions {len(results):4}  with gold {len(known):4}  search@5 {within('search', 5)}  ask@5 {within('ask', 5)}"
          f"  ask@10 {within('ask', 10)}", flush=True)


# speed


def speed(args):
    for repo in args.repo:
        with tempfile.TemporaryDirectory() as home:
            one_speed(args, repo.resolve(), home)


def one_speed(args, repo, home):
    base = [args.bin, "--home", home, "--quiet"]
    cold = measure.run([*base, "index", repo])
    # What an unchanged repository costs at least: its files are looked at.
    floor = measure.best(args.times, lambda: measure.run([*base, "index", repo]))
    print(f"{repo.name}: first index {cold.cpu:.2f} s cpu, {cold.wall:.2f} s, {cold.rss_mb:.0f} MB; unchanged {floor.cpu:.3f} s cpu, {floor.wall:.3f} s")
    for name, command, limit in (("search", ["search", repo, args.question], None), ("overview", ["map", repo], 1.0),
                                 ("ask", ["ask", repo, args.question], 1.0), ("ask --tour", ["ask", repo, "--tour"], None)):
        cost = measure.best(args.times, lambda: measure.run([*base, *command]))
        over = f"  ABOVE {limit} s" if limit and cost.wall > limit else ""
        print(f"  {name:12} cpu {cost.cpu:.3f} s  wall {cost.wall:.3f} s  {cost.cpu / max(floor.cpu, 1e-3):5.1f} × unchanged  {cost.rss_mb:.0f} MB{over}")
    tool_answers(base, repo, args.question)


def tool_answers(base, repo, question):
    """The time until the server answers, and of each tool afterwards."""
    began = time.monotonic()
    server = subprocess.Popen([*base, "mcp", repo], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    number = 0

    def ask(method, params):
        nonlocal number
        number += 1
        server.stdin.write(json.dumps({"jsonrpc": "2.0", "id": number, "method": method, "params": params}) + "\n")
        server.stdin.flush()
        for line in server.stdout:
            message = json.loads(line)
            if message.get("id") == number:
                return message
        raise RuntimeError("the server ended")

    try:
        ask("initialize", {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "bench", "version": "1"}})
        server.stdin.write(json.dumps({"jsonrpc": "2.0", "method": "notifications/initialized"}) + "\n")
        for at, (tool, arguments) in enumerate((("list_files", {}), ("overview", {}), ("search", {"query": question}), ("search", {"query": "error handling"}))):
            asked = time.monotonic()
            answer = ask("tools/call", {"name": tool, "arguments": arguments})
            took, size = time.monotonic() - asked, len(json.dumps(answer))
            fault = "" if not answer.get("error") and not answer.get("result", {}).get("isError") else "  FAILED"
            since = f", {1000 * (time.monotonic() - began):.0f} ms after the start" if at == 0 else ""
            over = "  ABOVE 100 ms" if at == 0 and took > 0.1 else ""
            print(f"  mcp {tool:10} {1000 * took:7.1f} ms{since}  {size} bytes{over}{fault}")
    finally:
        server.stdin.close()
        server.terminate()
        server.wait()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin", required=True)
    what = parser.add_subparsers(required=True)
    one = what.add_parser("suite")
    one.add_argument("--repos", type=Path, required=True)
    one.add_argument("suite", type=Path)
    one.add_argument("flags", nargs="*", help="behind `--`, for `eval`")
    one.set_defaults(work=suite)
    one = what.add_parser("swe-qa")
    one.add_argument("--repos", type=Path, required=True)
    one.add_argument("--part", choices=("tuning", "reporting", "all"), default="reporting")
    one.add_argument("--list", action="store_true", help="show the questions for which no gold file is cited")
    one.add_argument("questions", type=Path)
    one.set_defaults(work=swe_qa)
    one = what.add_parser("speed")
    one.add_argument("--repo", action="append", type=Path, required=True)
    one.add_argument("--question", default=QUESTION)
    one.add_argument("--times", type=int, default=5)
    one.set_defaults(work=speed)
    args = parser.parse_args()
    args.bin = str(Path(args.bin).resolve())
    args.work(args)


if __name__ == "__main__":
    main()
