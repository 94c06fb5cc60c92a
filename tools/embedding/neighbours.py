#!/usr/bin/env python3
"""Lists for each token of a table those that are nearest to it, so that a search can ask for a word in other words without a table scan.

    neighbours.py code.vec near.bin

Little endian: `CODENEAR`, u32 number of tokens n, u32 x (n + 1) where each token's entries begin, counted in entries, then the entries:
u16 token, u8 cosine x 255; nearest first. Tokens of fewer than three letters have none and are none.
"""
import sys
from pathlib import Path

import numpy as np

from table import Table

MOST, LEAST, SHORTEST, BATCH = 12, 0.5, 3, 1024


def main():
    table = Table.read(sys.argv[1])
    tokens = list(table.tokens)
    rows = table.rows.astype(np.float32)
    rows /= np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-9)
    short = np.array([len(t) < SHORTEST for t in tokens])
    starts, entries = [0], []
    for first in range(0, len(tokens), BATCH):
        cosines = rows[first:first + BATCH] @ rows.T
        cosines[:, short] = 0
        for i, line in enumerate(cosines):
            line[first + i] = 0
            if not short[first + i]:
                best = np.argsort(-line, kind="stable")[:MOST]
                entries += [(int(t), int(line[t] * 255)) for t in best if line[t] >= LEAST]
            starts.append(len(entries))
    out = b"CODENEAR" + np.array([len(tokens)], "<u4").tobytes() + np.array(starts, "<u4").tobytes()
    out += b"".join(int(t).to_bytes(2, "little") + bytes([c]) for t, c in entries)
    Path(sys.argv[2]).write_bytes(out)


if __name__ == "__main__":
    main()
