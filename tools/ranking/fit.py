#!/usr/bin/env python3
"""Chooses how much each feature weighs in a search, from questions whose answers are known.

    fit.py --out ranking.json FEATURES... [--test FEATURES...]

FEATURES are files of `cargo run --release -p rb_index --example features`, one a repository. The weights are linear (listwise softmax, L2), one list
for each choice of signals. What is printed for the first files is cross-validated by repository; the files after `--test` are scored once, by
what is written. Needs numpy and scipy.
"""
import argparse
import json
import re
from pathlib import Path

import numpy as np
from scipy.optimize import minimize

# Only the best of the rough ranking are learnt from.
CANDIDATES, FOLDS, L2 = 60, 5, 1e-4
SOURCE = Path(__file__).resolve().parents[2] / "crates/rb_index/src/search/features.rs"


def feature_names():
    """Names and groups, in the order of the source."""
    text = SOURCE.read_text()
    text = text[text.index("features! {") :]
    text = text[: text.index("\n}")]
    groups, names = [], []
    for line in text.splitlines():
        if found := re.match(r"    (\w+) \{$", line):
            group = found.group(1)
        elif found := re.match(r"        (\w+),$", line):
            names.append(found.group(1))
            groups.append(group)
    return names, groups


NAMES, GROUPS = feature_names()


class Set:
    """The questions of one repository: features, what is asked for, and which places are filled."""

    def __init__(self, path):
        data = path.read_bytes()
        count = int.from_bytes(data[:4], "little")
        assert count == len(NAMES), f"{path} has {count} features, the source {len(NAMES)}"
        row = np.dtype([("gold", "u1"), ("features", "<f4", count)])
        at, x, y, real = 4, [], [], []
        while at < len(data):
            files = int.from_bytes(data[at : at + 4], "little")
            rows = np.frombuffer(data, row, files, at + 4)[:CANDIDATES]
            at += 4 + files * row.itemsize
            x.append(np.zeros((CANDIDATES, count), np.float32))
            y.append(np.zeros(CANDIDATES, bool))
            x[-1][: len(rows)], y[-1][: len(rows)] = rows["features"], rows["gold"] == 1
            real.append(np.arange(CANDIDATES) < len(rows))
        self.x, self.y, self.real = np.array(x), np.array(y), np.array(real)


def columns(*groups):
    return [i for i, group in enumerate(GROUPS) if group in groups]


def linear(sets, cols):
    x, y, real = (np.concatenate([getattr(s, k) for s in sets]) for k in ("x", "y", "real"))
    asked = y.any(1)
    x, y, real = x[asked][..., cols], y[asked], real[asked]
    spread = x.reshape(-1, x.shape[2]).std(0) + 1e-9
    z, empty = x / spread, np.where(real, 0, -1e9).astype(np.float32)

    def loss(w):
        s = z @ w.astype(np.float32) + empty
        e = np.exp(s - s.max(1, keepdims=True))
        p, gold = e / e.sum(1, keepdims=True), e * y
        share = gold / np.maximum(gold.sum(1, keepdims=True), 1e-30)
        value = -np.log(np.maximum((p * y).sum(1), 1e-30)).mean() + L2 * (w**2).sum()
        return float(value), (np.tensordot((p - share) / len(z), z, ((0, 1), (0, 1))) + 2 * L2 * w).astype(np.float64)

    found = minimize(loss, np.zeros(len(cols)), jac=True, method="L-BFGS-B", options={"maxiter": 200})
    weights = np.zeros(len(NAMES))
    weights[cols] = found.x / spread
    return weights


def places(scores, s):
    order = np.argsort(-np.where(s.real, scores, -1e9), 1, kind="stable")
    hits = np.take_along_axis(s.y, order, 1)
    return np.where(hits.any(1), hits.argmax(1), 10**6)


def line(name, found):
    p = np.concatenate(found)
    hit = "/".join(f"{(p < k).mean():.3f}" for k in (1, 5, 10))
    print(f"{name:34} n={len(p):5} hit@1/5/10 {hit} MRR {np.where(p < 100, 1 / (p + 1), 0).mean():.4f}", flush=True)


CHOICES = {"words": ("words", "file"), "vectors": ("meaning", "file"), "both": ("words", "meaning", "file"), "all": ("words", "meaning", "graph", "file")}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--test", type=Path, nargs="*", default=[])
    parser.add_argument("files", type=Path, nargs="+")
    args = parser.parse_args()
    sets = [s for s in map(Set, sorted(args.files)) if len(s.y)]
    test = [s for s in map(Set, sorted(args.test)) if len(s.y)]
    order = np.random.default_rng(1).permutation(len(sets))
    folds = [set(order[k::FOLDS].tolist()) for k in range(FOLDS)]
    result = {"features": NAMES}
    for choice, groups in CHOICES.items():
        scores, cols = {}, columns(*groups)
        for fold in folds:
            weights = linear([s for i, s in enumerate(sets) if i not in fold], cols)
            scores |= {i: sets[i].x @ weights for i in fold}
        line(choice, [places(scores[i], s) for i, s in enumerate(sets)])
        weights = linear(sets, cols)
        result[choice] = [round(float(w), 4) for w in weights]
        if test:
            line(f"{choice}, test", [places(s.x @ weights, s) for s in test])
    args.out.write_text("{\n" + ",\n".join(f"{json.dumps(k)}: {json.dumps(v)}" for k, v in result.items()) + "\n}\n")


if __name__ == "__main__":
    main()
