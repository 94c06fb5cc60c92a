#!/usr/bin/env python3
"""Measures a table on localisation: a commit message is asked, the files that the commit changed are looked for.

    evaluate.py queries --out SETS REPO...               makes query sets from git repositories (one snapshot each, later commits asked)
    evaluate.py prepare --repos DIR --out CACHE SET...   reads each snapshot, keeps its words and the lexical scores
    evaluate.py score --table code.vec CACHE...          prints hit@1/5/10 and MRR: lexical, vectors, both fused in several ways

A set is NAME.jsonl, its repository DIR/NAME or DIR/NAME/repo. The lexical part is BM25 over whole files (names and paths
weighted) and BM25 over 50-line chunks, as a common search would have it. Vectors: a file scores as its best chunk.
"""
import argparse
import collections
import json
import math
import re
import subprocess
from pathlib import Path

import numpy as np

from pairs import clean, git, is_dull, log, name_of, order
from table import LIMITS, ROLES, Table
from words import SOURCE, distinct, split_roles, words

CHUNK, STEP = 50, 40
LOOKED_AT, ASKED, FILES = 700, 25, 4
# In a handful of files anything finds the right one.
FEWEST = 25
# The files of the public baseline, so that its numbers can be repeated.
BASELINE_SOURCE = SOURCE[:-2]
BASELINE_TEST = re.compile(r"(^|/)(tests?|__tests__|specs?|fixtures|testdata|examples|benches|docs?)(/|$)|\.test\.|\.spec\.|_test\.")
WORD = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
PART = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|\d+")
DEFINED = re.compile(r"^\s*(?:export\s+)?(?:default\s+)?(?:async\s+)?(?:pub(?:\([^)]*\))?\s+)?"
                     r"(?:class|def|function|func|fn|struct|enum|trait|interface|type|const|impl)\s+(?:\([^)]*\)\s*)?([A-Za-z_]\w*)", re.M)
STOP = set("the a an of to in for on and or with when is it be by from as that this not if are was".split())


def wanted(path):
    return path.endswith(BASELINE_SOURCE) and not BASELINE_TEST.search(path)


# --- query sets

def make_queries(repo):
    """Commits after a snapshot, asked by their message; gold is what they changed of the files that were there."""
    rows = list(log(repo, 0, LOOKED_AT))
    snapshot = rows[-1][0]
    tree = subprocess.run(git(repo, "ls-tree", "-r", "--name-only", "-z", snapshot), capture_output=True, check=True)
    there = {p for p in tree.stdout.decode("utf-8", "replace").split("\0") if wanted(p)}
    found = []
    if len(there) < FEWEST:
        return found
    for commit, author, subject, body, files in rows[:-1]:
        gold = [p for p in files if wanted(p)]
        query = clean(subject, body)
        if not is_dull(subject, author) and 1 <= len(gold) <= FILES and set(gold) <= there and len(words(query)) >= 3:
            found.append({"commit": commit, "snapshot": snapshot, "query": query, "gold_files": sorted(gold)})
    return sorted(found, key=lambda q: order(q["commit"]))[:ASKED]


# --- lexical part

def stem(word):
    for end in ("ings", "ing", "ies", "ied", "es", "ed", "s"):
        if word.endswith(end) and len(word) - len(end) >= 3:
            return word[: -len(end)] + ("y" if end in ("ies", "ied") else "")
    return word


def terms(text, query=False):
    out = []
    for match in WORD.finditer(text):
        parts = [p.lower() for p in PART.findall(match.group())]
        if len(parts) > 1:
            out.append(match.group().lower())
        out += [stem(p) for p in parts if len(p) > 1 and not (query and p in STOP)]
    return out


class Bm25:
    def __init__(self, k1=1.5, b=0.75):
        self.k1, self.b, self.lengths, self.postings = k1, b, [], collections.defaultdict(list)

    def add(self, document):
        for term, n in collections.Counter(document).items():
            self.postings[term].append((len(self.lengths), n))
        self.lengths.append(max(1, len(document)))

    def scores(self, query):
        lengths = np.array(self.lengths, np.float64)
        norm = self.k1 * (1 - self.b + self.b * lengths / lengths.mean())
        total = np.zeros(len(lengths))
        for term in set(query):
            hits = self.postings.get(term, ())
            idf = math.log(1 + (len(lengths) - len(hits) + 0.5) / (len(hits) + 0.5))
            for i, n in hits:
                total[i] += idf * n * (self.k1 + 1) / (n + norm[i])
        return total


# --- what a table needs of a snapshot

class Bags:
    """Bags of words, ragged, over a vocabulary of their own, so that any table can be laid over them."""

    def __init__(self):
        self.names, self.ids, self.ends = {}, [], [0]

    def add(self, bag):
        self.ids += [self.names.setdefault(w, len(self.names)) for w in bag]
        self.ends.append(len(self.ids))


def snapshot_files(repo, commit):
    listing = subprocess.run(git(repo, "ls-tree", "-r", "-z", commit), capture_output=True, check=True).stdout.decode("utf-8", "replace")
    rows = [(r.split("\t", 1)[1], r.split()[2]) for r in listing.split("\0") if r and r.split()[0] != "120000"]
    process = subprocess.Popen(git(repo, "cat-file", "--batch"), stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    for path, blob in sorted(r for r in rows if wanted(r[0])):
        process.stdin.write(blob.encode() + b"\n")
        process.stdin.flush()
        size = int(process.stdout.readline().split()[2])
        yield path, process.stdout.read(size + 1)[:-1].decode("utf-8", "replace")
    process.stdin.close()
    process.wait()


def prepare(repo, queries):
    whole, chunks, owner, files, owner50 = Bm25(), Bm25(), [], [], []
    bags = {role: Bags() for role in ROLES}
    for path, text in snapshot_files(repo, queries[0]["snapshot"]):
        at, lines = terms(re.sub(r"[/.\-]", " ", path)), text.split("\n")
        whole.add(terms(text) + at * 5 + terms(" ".join(DEFINED.findall(text))) * 3)
        for start in range(0, len(lines), CHUNK):
            chunks.add(terms("\n".join(lines[start:start + CHUNK])) + at * 2)
            owner50.append(len(files))
        for start in range(0, max(1, len(lines) - (CHUNK - STEP)), STEP):
            symbol, doc, body = split_roles(lines[start:start + CHUNK], path)
            for role, bag in zip(ROLES[1:], (words(path), symbol, doc, body)):
                bags[role].add(distinct(bag, LIMITS[role]))
            owner.append(len(files))
        files.append(path)
    place = {p: i for i, p in enumerate(files)}
    lexical = np.zeros((2, len(queries), len(files)), np.float32)
    for i, q in enumerate(queries):
        asked = terms(q["query"], query=True)
        lexical[0, i] = whole.scores(asked)
        np.maximum.at(lexical[1, i], owner50, chunks.scores(asked).astype(np.float32))
        bags["query"].add(distinct(words(q["query"]), LIMITS["query"]))
    gold = np.zeros((len(queries), len(files)), bool)
    for i, q in enumerate(queries):
        gold[i, [place[p] for p in q["gold_files"] if p in place]] = True
    out = {"lexical": lexical, "gold": gold, "owner": np.array(owner, np.int32)}
    for role, bag in bags.items():
        out |= {role + "_ids": np.array(bag.ids, np.int32), role + "_ends": np.array(bag.ends, np.int32),
                role + "_words": np.array(list(bag.names), dtype=np.str_)}
    return out


# --- scores

def vector_scores(cache, table):
    """Queries x files: the best chunk of each file."""
    parts = {}
    for role in ROLES:
        ids, ends = cache[role + "_ids"], cache[role + "_ends"]
        parts[role] = table.bags(role, [str(w) for w in cache[role + "_words"]], ids, ends)
    query = table.text({"query": parts["query"]})
    chunk = table.text({r: parts[r] for r in ROLES[1:]})
    best = np.full(cache["gold"].shape, -1.0, np.float32)
    for i, row in enumerate(query @ chunk.T):
        np.maximum.at(best[i], cache["owner"], row)
    return best


def reciprocal(scores, floor=None):
    """1 / (60 + place) per file; a file without any score gets nothing."""
    order = np.argsort(-scores, axis=1, kind="stable")
    out = np.zeros_like(scores)
    np.put_along_axis(out, order, np.broadcast_to(1 / (60 + np.arange(scores.shape[1], dtype=np.float32)), scores.shape).copy(), axis=1)
    return out if floor is None else np.where(scores > floor, out, 0)


def to_one(scores):
    return scores / np.maximum(scores.max(axis=1, keepdims=True), 1e-9)


def spread(scores):
    """Standard scores per query, so that a table's narrow cosines and another's wide ones weigh alike."""
    return (scores - scores.mean(1, keepdims=True)) / (scores.std(1, keepdims=True) + 1e-6)


def ways(lexical, vector, weights):
    words_rrf = reciprocal(lexical[0], 0) + reciprocal(lexical[1], 0)
    linear = to_one(lexical[0]) + to_one(lexical[1])
    out = {"lexical (reciprocal rank)": words_rrf, "lexical (linear)": linear, "vectors": vector}
    for w in (1, 2, 3):
        out[f"both, reciprocal rank, vectors x{w}"] = words_rrf + w * reciprocal(vector)
    for w in weights:
        out[f"both, linear, vectors x{w}"] = linear + w * vector
        out[f"both, linear, spread vectors x{w / 10:g}"] = linear + w / 10 * spread(vector)
    return out


def first_places(scores, gold):
    order = np.argsort(-scores, axis=1, kind="stable")
    hit = np.take_along_axis(gold, order, axis=1)
    return np.where(hit.any(1), hit.argmax(1), 10**6)


def line(places):
    places = np.asarray(places)
    found = np.where(places < 100, 1 / (places + 1), 0)
    return f"{(places < 1).mean():.3f} {(places < 5).mean():.3f} {(places < 10).mean():.3f} {found.mean():.3f}"


def score(args):
    table = Table.read(args.table)
    every = collections.defaultdict(list)
    for path in args.caches:
        cache = dict(np.load(path))
        places = {name: first_places(s, cache["gold"]) for name, s in ways(cache["lexical"], vector_scores(cache, table), args.weights).items()}
        for name, p in places.items():
            every[name] += list(p)
        if args.each:
            print(path.stem, len(cache["gold"]), "queries", *(f"\n  {line(p)}  {name}" for name, p in places.items()))
    print(f"{args.table.name}: {len(args.caches)} repositories, {len(every['vectors'])} queries; hit@1 hit@5 hit@10 MRR")
    for name, p in every.items():
        print(f"  {line(p)}  {name}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    sub = commands.add_parser("queries")
    sub.add_argument("--out", type=Path, required=True)
    sub.add_argument("repos", nargs="+", type=Path)
    sub = commands.add_parser("prepare")
    sub.add_argument("--repos", type=Path, required=True)
    sub.add_argument("--out", type=Path, required=True)
    sub.add_argument("sets", nargs="+", type=Path)
    sub = commands.add_parser("score")
    sub.add_argument("--table", type=Path, required=True)
    sub.add_argument("--weights", type=float, nargs="*", default=[1, 2, 3, 4, 6])
    sub.add_argument("--each", action="store_true", help="each repository's numbers too")
    sub.add_argument("caches", nargs="+", type=Path)
    args = parser.parse_args()
    if args.command == "score":
        return score(args)
    args.out.mkdir(parents=True, exist_ok=True)
    if args.command == "queries":
        for repo in args.repos:
            repo = repo / "repo" if (repo / "repo").is_dir() else repo
            rows = make_queries(repo)
            if rows:
                (args.out / (name_of(repo) + ".jsonl")).write_text("".join(json.dumps(r) + "\n" for r in rows))
            print(name_of(repo), len(rows), flush=True)
    else:
        for path in args.sets:
            repo = args.repos / path.stem
            target = args.out / (path.stem + ".npz")
            if not target.exists():
                rows = [json.loads(text) for text in path.read_text().splitlines()]
                np.savez_compressed(target, **prepare(repo / "repo" if (repo / "repo").is_dir() else repo, rows))
                print(path.stem, len(rows), flush=True)


if __name__ == "__main__":
    main()
