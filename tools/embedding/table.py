"""The table `code.vec`: its bytes, how words are cut into its tokens, how a text becomes a vector. README.md says the same in prose.

    table.py code.vec > checks.json       texts with their tokens and vectors, for another reader of the table to be tested by
"""
import json
import struct
import sys

import numpy as np

from words import distinct, words

MAGIC = b"CODEVEC1"
ROLES = ("query", "path", "symbol", "doc", "body")
# Distinct words of a text that count, by role.
LIMITS = {"query": 40, "path": 20, "symbol": 40, "doc": 80, "body": 160}
SHORTEST_PIECE = 3


class Cutter:
    """Known words are one token; others are cut from the left into the longest known pieces, what fits nowhere is left out."""

    def __init__(self, tokens):
        self.place = {t: i for i, t in enumerate(tokens)}
        self.longest = max(map(len, tokens), default=0)

    def cut(self, word):
        if word in self.place:
            return [self.place[word]]
        out, at = [], 0
        while at + SHORTEST_PIECE <= len(word):
            for end in range(min(len(word), at + self.longest), at + SHORTEST_PIECE - 1, -1):
                if word[at:end] in self.place:
                    out.append(self.place[word[at:end]])
                    at = end
                    break
            else:
                at += 1
        return out


class Table(Cutter):
    def __init__(self, tokens, rows, scales, codes, mix):
        super().__init__(tokens)
        self.tokens, self.rows, self.scales, self.codes = tokens, rows, scales, codes
        self.mix = dict(zip(ROLES, mix))

    @classmethod
    def quantise(cls, tokens, vectors, weights, mix):
        """From floats: rows to int8 with a scale each, token weights to steps of a sixteenth of a power of two; tokens sorted."""
        order = sorted(range(len(tokens)), key=lambda i: tokens[i])
        vectors = vectors[order].astype(np.float32)
        scales = np.maximum(np.abs(vectors).max(1), 1e-12).astype(np.float32) / 127
        rows = np.rint(vectors / scales[:, None]).astype(np.int8)
        codes = np.clip(np.rint(np.log2(np.maximum(weights[:, order], 1e-9)) * 16 + 128), 0, 255).astype(np.uint8)
        return cls([tokens[i] for i in order], rows, scales, codes, np.asarray(mix, np.float32))

    @classmethod
    def read(cls, path):
        data = open(path, "rb").read()
        magic, count, dims, text_bytes = struct.unpack_from("<8sIII", data)
        assert magic == MAGIC, "not a code.vec"
        at = 20
        mix = np.frombuffer(data, "<f4", len(ROLES), at)
        at += 4 * len(ROLES)
        tokens = data[at:at + text_bytes].decode("ascii").split("\n")
        at += text_bytes
        codes = np.frombuffer(data, np.uint8, len(ROLES) * count, at).reshape(len(ROLES), count)
        at += len(ROLES) * count
        scales = np.frombuffer(data, "<f4", count, at)
        at += 4 * count
        rows = np.frombuffer(data, np.int8, count * dims, at).reshape(count, dims)
        assert at + count * dims == len(data) and len(tokens) == count, "the file is cut short or too long"
        return cls(tokens, rows, scales, codes, mix)

    def write(self, path):
        text = "\n".join(self.tokens).encode("ascii")
        with open(path, "wb") as out:
            out.write(struct.pack("<8sIII", MAGIC, len(self.tokens), self.rows.shape[1], len(text)))
            out.write(np.array([self.mix[r] for r in ROLES], "<f4").tobytes() + text + self.codes.tobytes())
            out.write(self.scales.astype("<f4").tobytes() + self.rows.tobytes())

    def weights(self, role):
        return np.exp2((self.codes[ROLES.index(role)].astype(np.float32) - 128) / 16)

    def bags(self, role, names, ids, ends):
        """Weighted mean of rows for ragged bags of words: bag i is names[ids[ends[i]:ends[i+1]]]. A bag of nothing known is 0."""
        weights, dims = self.weights(role), self.rows.shape[1]
        sums, mass = np.zeros((len(names) + 1, dims), np.float32), np.zeros(len(names) + 1, np.float32)
        for i, name in enumerate(names):
            for t in self.cut(name):
                sums[i] += weights[t] * self.scales[t] * self.rows[t]
                mass[i] += weights[t]
        out = np.zeros((len(ends) - 1, dims), np.float32)
        for i in range(len(ends) - 1):
            bag = ids[ends[i]:ends[i + 1]]
            total = mass[bag].sum()
            if total > 0:
                out[i] = sums[bag].sum(0) / total
        return out

    def text(self, parts):
        """Mixes the means of the roles and gives them length 1."""
        mixed = sum(self.mix[role] * part for role, part in parts.items())
        return mixed / np.maximum(np.linalg.norm(mixed, axis=1, keepdims=True), 1e-12)

    def embed(self, texts):
        """One text, given by role: its tokens by role, and its vector."""
        tokens, parts = {}, {}
        for role, text in texts.items():
            bag = distinct(words(text), LIMITS[role])
            tokens[role] = [self.tokens[t] for word in bag for t in self.cut(word)]
            parts[role] = self.bags(role, bag, np.arange(len(bag)), [0, len(bag)])
        return tokens, self.text(parts)[0]


CHECKS = (
    {"query": "fix deadlock when a visitor panics"},
    {"query": "parseHTTPRequest2xx: retry on UTF-8 errors, 404 and 50000"},
    {"query": "zzqx"},
    {"query": ""},
    {"query": "qqhandlerfoobarxparse defaultdictwalker reauthenticationfoobarhandler"},
    {"path": "crates/ignore/src/walk.rs"},
    {"symbol": "fn build_parallel(&self) -> WalkParallel"},
    {"doc": "Returns true if the path is hidden, the path is hidden."},
    {"path": "src/middleware/cors/index.ts", "symbol": "cors", "body": "const allowOrigin = options.origin ?? '*'; headers.set('Vary', 'Origin')"},
    {"path": "lib/session_store.py", "symbol": "SessionStore load", "doc": "Loads the session, or creates one.",
     "body": "class SessionStore: def load(self): return self.cache.get(self.cache_key) or self.create()"},
)


def main():
    table = Table.read(sys.argv[1])
    rows = []
    for texts in CHECKS:
        tokens, vector = table.embed(texts)
        rows.append({"texts": texts, "tokens": tokens, "first": [round(float(x), 5) for x in vector[:8]], "length": round(float(np.linalg.norm(vector)), 4)})
    print("[\n" + ",\n".join("  " + json.dumps(row) for row in rows) + "\n]")


if __name__ == "__main__":
    main()
