"""`python -m tests.oracles.apt`: random requests in every kind of root, and what differs."""

from __future__ import annotations

import argparse
import random
import sys
from pathlib import Path

from .comparing import compare, solver
from .kinds import KINDS, build
from .requests import requests
from .roots import stanzas


def main() -> int:
    """0 if nothing differs."""
    parser = argparse.ArgumentParser(prog="python -m tests.oracles.apt", description=__doc__)
    parser.add_argument("folder", type=Path, help="where roots and fetched indices are kept")
    parser.add_argument("--requests", type=int, default=1000, help="in all")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--kinds", nargs="*", default=list(KINDS), choices=list(KINDS))
    told = parser.parse_args()
    random_ = random.Random(told.seed)
    wrong = total = yes = 0
    for kind in told.kinds:
        root = build(kind, told.folder, random_)
        ours = solver(root, told.folder / "cache")
        count = -(-told.requests // len(told.kinds))
        names = sorted(stanzas(root))
        names += [f"{name}:{KINDS[kind].foreign}" for name in names[::4] if KINDS[kind].foreign]
        for wanted in requests(names, count, random_):
            one = compare(root, ours, wanted)
            total, yes, wrong = total + 1, yes + one.theirs, wrong + (not one.right)
            if not one.right:
                sys.stdout.write(f"DIFFERENT {kind} {' '.join(wanted)}: ours {one.ours}, apt {one.theirs}\n{one.why}\n")
                sys.stdout.flush()
        sys.stdout.write(f"{kind}: {total} requests so far, {yes} possible, {wrong} different\n")
        sys.stdout.flush()
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
