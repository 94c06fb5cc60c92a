#!/usr/bin/env python3
from __future__ import annotations
from ..a import (b as c, d)
import os.path as p, sys
# How many.
LIMIT: int = 3
@dec(1)
class A(B, metaclass=M):
    """Doc \u00fc."""
    SIZE = 1
    async def f(self, *a, k=1, **kw) -> dict[str, int]:  # noqa
        with open(p) as h, g():
            x = [i for i in a if i and k]
        try:
            return await super().f(f"{x!r:>{k}} {'a' 'b'}")
        except (E, F) as e: raise
def g(a, /, b, *, c): return lambda z: z if a else b
match x:
    case {"k": [1, *_]} | None: pass
if __name__ == "__main__":
    g(1,
      2)
