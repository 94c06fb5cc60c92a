#!/usr/bin/env python3
"""What verification costs: over the bare command of a repository, and where no command is run at all.

    bench/verify.py --binary target/release/refactor-bot [--repo ../express --bare 'npm test'] [--times 5] [--json FILE]

`--repo` is a git checkout whose `--bare` command line passes; both are run there and by `verify`, turn and turn about, and the
quickest of each counts. The static examination (audit, contracts, and the index that they need) is timed on a repository that is
made for it: TypeScript and Python, `--files` of them, each importing two others, and a change of `--changed` of them. What is taken
in before a change is paid once a run, and read from the cache by later runs.
Nothing is built and nothing downloaded. Goals are those of the design: what is above its limit is marked.
"""

import argparse
import datetime
import json
import subprocess
import sys
import tempfile
from pathlib import Path

import measure

# A verified command may take this many times as long as the bare one, and so many seconds more.
SHARE, FIXED = 1.03, 0.200
# Seconds for the examination of a change.
EXAMINED = 1.0

TYPESCRIPT = """\
import {{ area{left} }} from "../{left_folder}/shape{left}";
import {{ area{right} }} from "../{right_folder}/shape{right}";

export interface Shape{number} {{
  width: number;
  height: number;
}}

export function area{number}(shape: Shape{number}, scale = 1): number {{
  const own = shape.width * shape.height * scale;
  return own > 0 ? own : 0;
}}

export function around{number}(shape: Shape{number}): number {{
  return area{left}(shape) + area{right}(shape, 2) + area{number}(shape);
}}
"""

PYTHON = """\
from {left_folder}.shape{left} import area{left}
from {right_folder}.shape{right} import area{right}


class Shape{number}:
    def __init__(self, width, height):
        self.width = width
        self.height = height


def area{number}(shape, scale=1):
    own = shape.width * shape.height * scale
    return own if own > 0 else 0


def around{number}(shape):
    return area{left}(shape) + area{right}(shape, 2) + area{number}(shape)
"""


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--binary", type=Path, required=True)
    options.add_argument("--repo", type=Path)
    options.add_argument("--bare", help="the command line that `verify` is compared with")
    options.add_argument("--files", type=int, default=5000)
    options.add_argument("--changed", type=int, default=10)
    options.add_argument("--times", type=int, default=5)
    options.add_argument("--json", type=Path, help="also write the numbers here")
    options = options.parse_args()
    options.binary = options.binary.resolve()
    if (options.repo is None) != (options.bare is None):
        sys.exit("--repo and --bare go together")
    numbers = {}
    with tempfile.TemporaryDirectory(prefix="bench-") as scratch:
        if options.repo:
            numbers["overhead"] = overhead(options, options.repo.resolve(), Path(scratch))
        numbers["examination"] = examination(options, Path(scratch))
    if options.json:
        options.json.write_text(json.dumps(numbers, indent=1))


def overhead(options, repo, scratch):
    """Whole processes are compared: the worktree, the sandbox and the reading of results are part of the price."""
    def bare():
        return measure.run(["sh", "-c", options.bare], cwd=repo)

    def verify():
        lines = [f"--set={key}={options.bare}" for key in ("fast_verifier", "full_verifier")]
        return measure.run([options.binary, "verify", repo, "--json", "--home", scratch / "home", *lines])

    # Both once for nothing: caches are warm, and a command that fails is found out.
    bare(), verify()
    bares, verifies = [], []
    for _ in range(options.times):
        bares.append(bare())
        verifies.append(verify())
    commands = json.loads(verifies[-1].out)["commands"]
    if [run["command"]["line"] for run in commands] != [options.bare]:
        sys.exit(f"verify ran {[run['command']['line'] for run in commands]}")
    best_bare, best_verify = min(cost.wall for cost in bares), min(cost.wall for cost in verifies)
    inside = min(json.loads(cost.out)["commands"][0]["ms"] for cost in verifies) / 1000
    print(f"\n{repo.name}: {options.bare}")
    row("bare command", best_bare)
    row("the same in its sandbox", inside)
    row("`verify` as a whole", best_verify, best_bare * SHARE + FIXED)
    extra = best_verify - best_bare
    print(f"  {'overhead':44} {best_verify / best_bare:9.3f} x   {extra * 1000:+9.0f} ms")
    return {"bare_s": best_bare, "inside_s": inside, "verify_s": best_verify, "extra_s": extra}


def examination(options, scratch):
    repo, patch = scratch / "made", scratch / "change.patch"
    generate(repo, options.files)
    change(repo, patch, options.files, options.changed)
    first, later = [], []
    for number in range(options.times):
        home = scratch / f"home{number}"
        first.append(examine(options, repo, patch, home))
        later.append(examine(options, repo, patch, home))
    best = {
        "before_first_s": min(before for before, _ in first),
        "before_later_s": min(before for before, _ in later),
        "examined_s": min(change for _, change in first + later),
    }
    print(f"\na change of {options.changed} files in {options.files} files")
    row("taken in before it, in the first run", best["before_first_s"])
    row("taken in before it, in a later run", best["before_later_s"])
    row("examined", best["examined_s"], EXAMINED)
    return best


def examine(options, repo, patch, home):
    """By the journal: from the start of the task to its change, and from the checkpoint of it to the end of its audit."""
    line = [options.binary, "run", repo, "--patch", patch, "--json", "--home", home]
    events = [json.loads(text) for text in measure.run(line).out.splitlines() if text.startswith(b"{")]
    times = {event["event"]: datetime.datetime.fromisoformat(event["at"]) for event in events if "event" in event}
    def between(began, ended):
        return (times[ended] - times[began]).total_seconds()

    return between("task_started", "patch_proposed"), between("checkpoint_started", "audit_ended")


def generate(repo, files):
    """Half of the files in each language, fifty in a folder; all imports resolve."""
    (repo / "package.json").parent.mkdir(parents=True)
    (repo / "package.json").write_text('{ "name": "made", "version": "1.0.0" }\n')
    half = files // 2
    for root, ending, template in (("web", "ts", TYPESCRIPT), ("server", "py", PYTHON)):
        for number in range(half):
            # Only earlier files are imported, but by the first: so there are no cycles.
            left, right = number // 2, max(number - 7, 0)
            text = template.format(
                number=number, left=left, right=right, left_folder=folder(left), right_folder=folder(right))
            path = repo / root / folder(number) / f"shape{number}.{ending}"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
    git(repo, "init", "-q")
    git(repo, "add", "-A")
    git(repo, "-c", "user.name=bench", "-c", "user.email=bench@example.com", "commit", "-q", "-m", "made")


def change(repo, patch, files, changed):
    """Other logic in some functions, the same interface: a good change, so that all of it is looked at."""
    for number in range(changed):
        root, ending = (("web", "ts"), ("server", "py"))[number % 2]
        at = (number + 1) * (files // 2) // (changed + 1)
        path = repo / root / folder(at) / f"shape{at}.{ending}"
        path.write_text(path.read_text().replace("shape.width * shape.height * scale", "scale * shape.height * shape.width"))
    patch.write_bytes(git(repo, "diff"))
    git(repo, "checkout", "-q", ".")


def folder(number):
    return f"part{number // 50}"


def git(repo, *words):
    return subprocess.run(["git", *words], cwd=repo, check=True, capture_output=True).stdout


def row(what, seconds, limit=None):
    mark = "" if limit is None or seconds <= limit else f"   ABOVE {limit * 1000:.0f}"
    print(f"  {what:44} {seconds * 1000:9.0f} ms{mark}")


if __name__ == "__main__":
    sys.exit(main())
