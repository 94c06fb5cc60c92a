#!/usr/bin/env python3
"""Makes training pairs (what people say, the code they mean) from the history of git repositories.

    pairs.py --out DIR REPO...        each REPO a clone, a bare git directory, or a folder that holds one at `repo`

Writes DIR/NAME.jsonl.gz per repository, whole or not at all, and skips those already there: stop it at any time and start
it again. The same repository at the same commit gives the same file. Git's output is read as a stream and every kind of
pair is capped, so memory does not grow with the repository.

A line is {"k": kind, "q": the words asked, "f": path, "s"/"d"/"b": distinct words of names, comments, code}. Kinds: commit
(message, its file names removed -> the changed hunks as they were before), doc (first sentence -> the function without it),
test (title of a test -> the function under test), name (name of a function -> its body).
"""
import argparse
import collections
import gzip
import hashlib
import json
import re
import subprocess
import sys
from pathlib import Path

from words import SOURCE, TEST, VENDORED, defined_name, distinct, is_source, split_roles, words

CAPS = {"commit": 2500, "doc": 800, "test": 300, "name": 400}
LOG_BYTES = 80 << 20
COMMITS = 4000
HEAD_FILES = 900
CONTEXT, HUNK_LINES, FUNCTION_LINES = 14, 90, 45
DULL = re.compile(r"\b(bump|release|changelog|typos?|prettier|rustfmt|gofmt|clippy|eslint|lint(er|ing)?|formatting|reformat|whitespace"
                  r"|copyright|license|readme|spelling|wip|merge|revert|upgrade dep\w*|update dep\w*|flaky|version \d|v\d+\.\d)\b"
                  r"|^(docs?|tests?|ci|style|build|deps|release)\b|^\W*v?\d+\.\d", re.I)
BOT = re.compile(r"\[bot\]|dependabot|renovate|greenkeeper|-bot\b|weblate|crowdin", re.I)
TYPED = re.compile(r"^(?:feat|fix|refactor|perf|chore|improvement|fixed|feature|bugfix|hotfix|enhancement)\s*(?:\(([^)]*)\))?!?:\s*", re.I)
FILE_NAME = re.compile(r"\S*\w\.(?:" + "|".join(e[1:] for e in SOURCE) + r"|md|json|ya?ml|toml)\b")
NOISE = re.compile(r"\(?#\d+\)?|https?://\S+|\b[0-9a-f]{7,40}\b|^\[[^\]]*\]\s*|<[^>]*@[^>]*>|GH-\d+|\b[A-Z]{2,10}-\d+\b:?")
TEST_TITLE = re.compile(r"""^\s*(?:(?:it|test|describe)\(\s*["'`]([^"'`]{12,120})["'`]"""
                        r"|(?:async\s+)?def\s+test_(\w{8,})|func\s+Test(\w{6,})\(|fn\s+(?:test_)?(\w{8,})\(\)|(?:public\s+)?void\s+(?:test)?(\w{8,})\(\))")
CALLED = re.compile(r"\b([A-Za-z_]\w{3,})\s*\(")
ANNOTATION = re.compile(r"^\s*(?:#\[|@\w|#!\[|\[\w)")


def git(repo, *args):
    return ["git", "-C", str(repo), "-c", "core.quotePath=false", "-c", "diff.renames=false", *args]


def clean(subject, body=""):
    """The message as a person would ask it: no type, issue number, link or file name; its first sentence of prose if it has one."""
    typed = TYPED.match(subject)
    if typed:
        subject = (typed.group(1) + ": " if typed.group(1) else "") + subject[typed.end():]
    paragraph = re.split(r"\n\s*\n", body.strip())[0] if body.strip() else ""
    if re.match(r"^(?:[\w-]+-by:|co-authored|fixes|closes|refs?\b|see\b|change-id|reviewed|\*|-|#|<)", paragraph, re.I):
        paragraph = ""
    sentence = re.split(r"(?<=[.!?])\s", paragraph.replace("\n", " "))[0][:240]
    text = subject + (". " + sentence if len(sentence.split()) > 3 else "")
    return re.sub(r"\s+", " ", FILE_NAME.sub(" ", NOISE.sub(" ", text))).strip()


def is_dull(subject, author):
    return bool(DULL.search(subject) or BOT.search(author) or len(words(subject)) < 3)


def log(repo, context, limit, revision="HEAD"):
    """Yields (commit, author, subject, body, {path: [hunk lines before the change]}) from the newest back."""
    command = git(repo, "log", "--no-merges", f"-n{limit}", "-p", f"-U{context}", "--diff-filter=M", "--no-color", "--no-ext-diff",
                  "--format=%x01%H%x02%an%x02%s%x02%b%x03", revision, "--", *("*" + e for e in SOURCE))
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    head, files, lines, read, message = None, {}, None, 0, None
    for raw in process.stdout:
        read += len(raw)
        if read > LOG_BYTES:
            break
        line = raw.decode("utf-8", "replace").rstrip("\n")
        if line.startswith("\x01"):
            if head:
                yield (*head, files)
            head, files, lines, message = None, {}, None, [line[1:]]
        elif message is not None:
            message.append(line)
        elif line.startswith("--- a/"):
            lines = files[line[6:]] = []
        elif lines is not None:
            take_hunk_line(lines, line)
        if message is not None and message[-1].endswith("\x03"):
            head, message = "\n".join(message)[:-1].split("\x02", 3), None
    process.kill()
    process.wait()
    if head:
        yield (*head, files)


def take_hunk_line(lines, line):
    if line.startswith("@@"):
        lines.append(line.split("@@", 2)[-1])
    elif line[:1] in (" ", "-") and len(lines) < HUNK_LINES:
        lines.append(line[1:401])


def record(kind, query, path, lines):
    symbol, doc, body = split_roles(lines, path)
    return {"k": kind, "q": " ".join(distinct(words(query), 60)), "f": path, "s": " ".join(distinct(symbol, 40)),
            "d": " ".join(distinct(doc, 80)), "b": " ".join(distinct(body, 160))}


def commit_pairs(repo):
    for commit, author, subject, body, files in log(repo, CONTEXT, COMMITS):
        files = {p: lines[:HUNK_LINES] for p, lines in files.items() if is_source(p)}
        if is_dull(subject, author) or not 1 <= len(files) <= 6:
            continue
        query = clean(subject, body if int(commit[:2], 16) % 2 else "")
        for path in sorted(files, key=lambda p: -len(files[p]))[:3]:
            if len(files[path]) > 3:
                yield record("commit", query, path, files[path])


def order(text):
    return hashlib.sha1(text.encode("utf-8", "replace")).hexdigest()


def head_files(repo):
    """Yields (path, lines) of a fixed sample of source and test files at HEAD."""
    listing = subprocess.run(git(repo, "ls-tree", "-r", "-l", "-z", "HEAD"), capture_output=True).stdout.decode("utf-8", "replace")
    chosen = []
    for row in listing.split("\0"):
        meta, _, path = row.partition("\t")
        meta = meta.split()
        if len(meta) == 4 and meta[1] == "blob" and path.endswith(SOURCE) and not VENDORED.search(path) and 200 < int(meta[3]) < 150_000:
            chosen.append((order(path), meta[2], path))
    chosen = sorted(chosen)[:HEAD_FILES]
    process = subprocess.Popen(git(repo, "cat-file", "--batch"), stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    for _, blob, path in chosen:
        process.stdin.write(blob.encode() + b"\n")
        process.stdin.flush()
        size = int(process.stdout.readline().split()[2])
        yield path, process.stdout.read(size + 1).decode("utf-8", "replace").split("\n")
    process.stdin.close()
    process.wait()


def indent(line):
    return len(line) - len(line.lstrip())


def functions(lines, path):
    """Yields (name, doc sentence, lines without the doc) for each definition, its end told by indentation."""
    for i, line in enumerate(lines):
        name = defined_name(line)
        if not name:
            continue
        end = i + 1
        while end < len(lines) and end - i < FUNCTION_LINES and (not lines[end].strip() or indent(lines[end]) > indent(line)
                                                                or lines[end].strip()[0] in "){}]"):
            end += 1
        body = lines[i:end]
        doc, body = take_docstring(body) if path.endswith(".py") else (doc_above(lines, i, path), body)
        if sum(bool(b.strip()) for b in body) >= 4:
            yield name, first_sentence(doc), body


def take_docstring(body):
    for at, line in enumerate(body[1:6], 1):
        quote = re.match(r'\s*[rbu]?("""|\'\'\')(.*)', line)
        if quote:
            mark, rest = quote.groups()
            if mark in rest:
                return rest.split(mark)[0], body[:at] + body[at + 1:]
            close = next((j for j in range(at + 1, len(body)) if mark in body[j]), len(body) - 1)
            return "\n".join([rest, *body[at + 1:close]]), body[:at] + body[close + 1:]
    return "", body


def doc_above(lines, i, path):
    comment = re.compile(r"^\s*#(?!\[)") if path.endswith(".rb") else re.compile(r"^\s*(///?|/\*|\*)")
    j = i - 1
    while j >= 0 and ANNOTATION.match(lines[j]):
        j -= 1
    last = j
    while j >= 0 and last - j < 40 and comment.match(lines[j]):
        j -= 1
    return "\n".join(re.sub(r"^\s*(?:/\*\*?|\*/|\*|//[/!]?|#)\s?|\*/", "", text) for text in lines[j + 1:last + 1])


def first_sentence(doc):
    doc = re.split(r"\n\s*\n|\n\s*@|\n\s*:param|```", doc.strip())[0]
    doc = re.sub(r"<[^>]*>|\{@\w+ ([^}]*)\}", r" \1", doc.replace("\n", " "))
    sentence = re.split(r"(?<=[.!?])\s", doc.strip())[0][:240]
    dull = re.search(r"eslint|copyright|licen[sc]e|todo|fixme|@ts-|noinspection|inheritdoc|deprecated|generated", sentence, re.I)
    return "" if dull or len(words(sentence)) < 4 or sentence.startswith("@") else sentence


def tree_pairs(repo):
    """Documented and named functions, and tests with the one function that they and few others call."""
    defined, tests, used = {}, [], collections.Counter()
    for path, lines in head_files(repo):
        if TEST.search(path):
            tests += test_calls(lines)
            continue
        for name, doc, body in functions(lines, path):
            whole = record("doc", doc, path, body)
            defined[name] = None if name in defined else whole
            if doc:
                yield whole
            elif len(distinct(words(name), 9)) >= 2 and len(body) > 5:
                rest = [body[0].replace(name, " ", 1), *body[1:]]
                yield record("name", name, path, rest)
    for _, calls in tests:
        used.update(calls)
    for title, calls in tests:
        known = sorted((used[c], c) for c in calls if defined.get(c))
        if known and known[0][0] <= 25:
            yield {**defined[known[0][1]], "k": "test", "q": " ".join(distinct(words(title), 60))}


def test_calls(lines):
    out, calls = [], None
    for line in lines:
        found = TEST_TITLE.match(line)
        if found:
            title, calls = next(g for g in found.groups() if g), set()
            if len(words(title)) >= 3:
                out.append((title, calls))
        elif calls is not None:
            calls.update(CALLED.findall(line))
    return out[:200]


def enough(pair):
    return len(pair["q"].split()) >= 2 and len(pair["b"].split()) >= 8


def write(repo, target):
    kept, seen = collections.Counter(), set()
    part = target.with_suffix(".part")
    with gzip.GzipFile(part, "wb", 5, mtime=0) as out:
        for source in (commit_pairs(repo), tree_pairs(repo)):
            for pair in source:
                key = (pair["q"], pair["f"], pair["b"][:80])
                if kept[pair["k"]] >= CAPS[pair["k"]]:
                    if pair["k"] == "commit":
                        break
                    continue
                if key not in seen and enough(pair):
                    seen.add(key)
                    kept[pair["k"]] += 1
                    out.write(json.dumps(pair, separators=(",", ":")).encode() + b"\n")
    part.rename(target)
    return kept


def name_of(repo):
    return repo.parent.name if repo.name in ("repo", ".git") else repo.name.removesuffix(".git")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("repos", nargs="+", type=Path)
    args = parser.parse_args()
    args.out.mkdir(parents=True, exist_ok=True)
    for repo in args.repos:
        repo = repo / "repo" if (repo / "repo").is_dir() else repo
        target = args.out / (name_of(repo) + ".jsonl.gz")
        if not target.exists():
            print(name_of(repo), dict(write(repo, target)), flush=True, file=sys.stderr)


if __name__ == "__main__":
    main()
