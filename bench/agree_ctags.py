#!/usr/bin/env python3
"""Recall of our symbols against universal-ctags, per repository, language and kind.

    bench/agree_ctags.py --repo ../hono [--repo ../next.js --under packages/next]
        [--binary refactor-bot] [--differences FILE] [--typescript FOLDER]

The index writes SYMBOL_REGISTRY.json; ctags reads the same files. A tag is found when a symbol of its file has its name
and begins on its line, or holds its line and begins at most three lines above it (a decorator, `export default`, a signature
that is broken over lines). Each symbol answers for one tag, and what ctags tags twice on a line is asked for once. Files
that are not in the registry (too large, lines too long to be read) are counted, not compared. Names that ctags makes up
are not asked for.

ctags errs too: to it an object literal is a class, and `import { type A }` declares A. With `--typescript`, the folder of the
npm package `typescript`, its parser is the judge for JavaScript and TypeScript: a tag that it knows nothing of within three
lines is counted as an error of ctags, and the recall of the others stands beside the recall of all.

Tags that are not found, and symbols whose name no tag of the file has, go to the file of `--differences`, one per line with
what the judge says and the source. `--under` goes with the `--repo` before it. A kind below its goal is marked.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections import Counter, defaultdict
from pathlib import Path

HERE = Path(__file__).resolve().parent
TARGET = Path(os.environ.get("CARGO_TARGET_DIR", HERE.parent / "target"))
GOAL = 0.98
NEAR = 3

# Per language of ctags: how files end, and the kinds that a symbol must answer for. Variables, fields and the like are
# left out: which of them are symbols is a choice.
LANGUAGES = {
    "JavaScript": (("js", "jsx", "mjs", "cjs"), ("function", "class", "method", "generator", "getter", "setter")),
    "TypeScript": (("ts", "mts", "cts", "tsx"), ("function", "class", "method", "generator", "interface", "enum", "alias", "namespace")),
    "Python": (("py", "pyi"), ("function", "class", "member")),
    "Go": (("go",), ("func", "type", "struct", "interface", "methodSpec")),
    "Rust": (("rs",), ("function", "struct", "enum", "interface", "method", "module", "macro", "typedef")),
    "Java": (("java",), ("annotation", "class", "enum", "interface", "method")),
}
LANGUAGE_OF = {ending: language for language, (endings, _) in LANGUAGES.items() for ending in endings}


def main():
    options = read_arguments()
    different = []
    below = False
    for repo, under in options.repo:
        rows, lines = compare(repo.resolve(), under, options)
        below |= print_rows(rows)
        different += lines
    if options.differences:
        options.differences.write_text("".join(line + "\n" for line in different))
    return 1 if below else 0


def read_arguments():
    class Under(argparse.Action):
        def __call__(self, parser, found, value, option=None):
            if not found.repo:
                parser.error("--under goes with the --repo before it")
            found.repo[-1] = (found.repo[-1][0], value.strip("/") + "/")

    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--repo", action="append", type=lambda path: (Path(path), ""), required=True)
    options.add_argument("--under", action=Under, metavar="FOLDER", help="only this folder of the repository")
    options.add_argument("--binary", type=Path, default=TARGET / "release" / "refactor-bot")
    options.add_argument("--differences", type=Path)
    options.add_argument("--typescript", type=Path, metavar="FOLDER")
    return options.parse_args()


def compare(repo, under, options):
    print(f"\n{repo.name}{'/' + under.rstrip('/') if under else ''}")
    symbols = read_symbols(repo, options.binary)
    tracked = subprocess.run(["git", "ls-files", "-z", under or "."], cwd=repo, check=True, capture_output=True).stdout
    files = [name for name in os.fsdecode(tracked).split("\0") if is_asked(repo, name)]
    compared = [name for name in files if name in symbols]
    print(f"  {len(compared)} files, {len(files) - len(compared)} more that are not in the registry")
    rows, lines = defaultdict(Row), []
    tags = read_tags(repo, compared)
    judge = Judge(repo, compared, options.typescript)
    for name in compared:
        lines += compare_file(repo, name, tags[name], symbols[name], judge, rows)
    return rows, lines


def is_asked(repo, name):
    path = repo / name
    return path.suffix[1:] in LANGUAGE_OF and path.is_file() and not path.is_symlink()


def read_symbols(repo, binary):
    with tempfile.TemporaryDirectory(prefix="agree-") as scratch:
        subprocess.run(
            [binary.resolve(), "index", repo, "--quiet", "--home", f"{scratch}/home", "--artifacts", f"{scratch}/out"],
            check=True, stdout=subprocess.DEVNULL)
        registry = json.loads(Path(scratch, "out", "SYMBOL_REGISTRY.json").read_text())
    return {entry["file_path"]: entry["symbols"] for entry in registry["files"]}


def read_tags(repo, files):
    command = ["ctags", "--options=NONE", "--output-format=json", "--fields=+nK", "--extras=-{anonymous}", "--sort=no", "-f", "-", "-L", "-"]
    for language, (endings, _) in LANGUAGES.items():
        command += [f"--map-{language}=+.{ending}" for ending in endings]
    out = subprocess.run(command, cwd=repo, check=True, input="\n".join(files).encode(), capture_output=True).stdout
    tags = defaultdict(dict)
    for line in out.decode(errors="replace").split("\n")[:-1]:
        tag = json.loads(line)
        if tag["_type"] == "tag" and "line" in tag:
            tags[tag["path"]].setdefault((tag["line"], tag["name"]), set()).add(tag["kind"])
    return tags


class Judge:
    """What TypeScript's parser says is declared, per file and name: (line, kind, what it is inside of)."""

    def __init__(self, repo, files, typescript):
        self.files = {}
        asked = [name for name in files if LANGUAGE_OF[name.rsplit(".", 1)[1]] in ("JavaScript", "TypeScript")]
        if not typescript or not asked:
            return
        command = ["node", HERE / "agree_typescript" / "declared.mjs", repo, "--typescript", typescript]
        out = subprocess.run(command, check=True, input="\n".join(asked).encode(), capture_output=True).stdout
        for line in out.decode().split("\n")[:-1]:
            entry = json.loads(line)
            names = self.files[entry["path"]] = defaultdict(list)
            for found in entry["declared"]:
                names[plain(found["name"])].append((found["line"], found["kind"], "/".join(found["inside"])))

    def ask(self, file, name, line):
        """The declaration that a tag means; None if there is none; of a file that is not judged, the tag itself."""
        if file not in self.files:
            return line, "not judged", ""
        near = [found for found in self.files[file][plain(name)] if abs(found[0] - line) <= NEAR]
        return min(near, key=lambda found: abs(found[0] - line), default=None)


class Row:
    """One kind of one language: all tags, and those that the judge confirms."""

    def __init__(self):
        self.asked, self.found, self.real, self.real_found, self.ours = 0, 0, 0, 0, Counter()

    def count(self, real, match):
        self.asked += 1
        self.real += real
        if match:
            self.found += 1
            self.real_found += real
            self.ours[match["type"]] += 1


def compare_file(repo, name, tags, symbols, judge, rows):
    ending = name.rsplit(".", 1)[1]
    language = LANGUAGE_OF[ending]
    # ctags reads JSX in TypeScript as TypeScript, so that it is counted apart.
    label = f"{language} (tsx)" if ending == "tsx" else language
    source = (repo / name).read_text(errors="replace").split("\n")

    def difference(what, kind, word, line, verdict):
        text = source[line - 1].strip()[:140] if 0 < line <= len(source) else ""
        return "\t".join((what, label, kind, word, f"{repo.name}/{name}:{line}", verdict, text))

    free = defaultdict(list)
    for symbol in symbols:
        free[plain(symbol["symbol"])].append(symbol)
    lines = []
    for (line, word), kinds in sorted(tags.items()):
        kind = next((kind for kind in LANGUAGES[language][1] if kind in kinds), None)
        if not kind:
            continue
        verdict = judge.ask(name, word, line)
        match = take(free[plain(word)], line) or (verdict and take(free[plain(word)], verdict[0]))
        rows[label, kind].count(verdict is not None, match)
        if not match:
            said = "not declared" if verdict is None else f"{verdict[1]} in {verdict[2] or 'file'}"
            lines.append(difference("missed", kind, word, line, said))
    known = {plain(word) for _, word in tags}
    for symbol in symbols:
        if plain(symbol["symbol"]) not in known:
            line = symbol["lines"][0]
            said = "declared" if judge.ask(name, symbol["symbol"], line) else "not declared"
            lines.append(difference("ours alone", symbol["type"], symbol["symbol"], line, said))
    return lines


def plain(name):
    """Without its class, without quotes or the mark of a private name: ctags keeps these or drops them by chance."""
    return name.strip("'\"`[]").rsplit(".", 1)[-1].lstrip("#").replace(" ", "")


def take(candidates, line):
    fits = [s for s in candidates if s["lines"][0] <= line <= s["lines"][1] and line - s["lines"][0] <= NEAR]
    if not fits:
        return None
    best = max(fits, key=lambda symbol: symbol["lines"][0])
    candidates.remove(best)
    return best


def print_rows(rows):
    below = False
    for (label, kind), row in sorted(rows.items()):
        low = row.real_found < GOAL * row.real
        below |= low
        ours = ", ".join(f"{name} {count}" for name, count in row.ours.most_common())
        # Where there is no judge, all of them are as good as declared.
        declared = f"  declared {share(row.real_found, row.real)}" if row.real < row.asked else ""
        print(f"  {label:16} {kind:10} {share(row.found, row.asked)}{declared}  as {ours or 'nothing'}{f'   BELOW {GOAL}' if low else ''}")
    total = lambda field: sum(getattr(row, field) for row in rows.values())
    print(f"  {'all':27} {share(total('found'), total('asked'))}  declared {share(total('real_found'), total('real'))}")
    return below


def share(part, whole):
    return f"{part:6} of {whole:6} {100 * part / max(whole, 1):6.2f} %"


if __name__ == "__main__":
    sys.exit(main())
