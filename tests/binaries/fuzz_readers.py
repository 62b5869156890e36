"""Feeds spoiled files to every reader; run under coverage, with its memory bounded, by `fuzz_test.py`.

Prints how many files were read without and with faults. Anything but a record, or a refusal in so many words, is a bug;
so is a file that takes long.
"""

from __future__ import annotations

import random
import resource
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from firstlight.binaries import kept, streaming
from firstlight.binaries.model import Fault, Piece, Report
from firstlight.binaries.reading import read
from firstlight.binaries.report import inspect
from firstlight.binaries.source import Held
from firstlight.binaries.streaming import read_stream
from firstlight.binaries.unpacking import BrokenError
from firstlight.errors import FirstlightError

from .layers import Made, sound
from .odd_seeds import ODD_CONTAINERS, ODD_FILES, Odd
from .seeds import CONTAINERS, SEEDS
from .spoiling import Spoiler, cuts

MEMORY = 1 << 30
"""Bytes of address space, far more than what Python itself needs."""
LONGEST_S = 2.0
"""Under coverage, on a busy machine; some milliseconds are usual."""
CHUNK = 1021


class Tally:
    """What came out."""

    def __init__(self) -> None:
        self.clean = self.faulty = 0
        self.slowest: tuple[float, str] = (0.0, "")

    def judge(self, name: str, action: Callable[[], Piece | Report | None]) -> None:
        """Runs one reader on one file."""
        start = time.perf_counter()
        try:
            found = action()
        except (FirstlightError, BrokenError):
            found = None
        self.slowest = max(self.slowest, (time.perf_counter() - start, name))
        faults = _faults(found)
        for fault in faults:
            if not (fault.detail and isinstance(fault.where, str) and len(fault.detail) < 1000):
                raise AssertionError(f"{name}: a fault without words: {fault}")
        self.faulty += bool(faults) or found is None
        self.clean += bool(found and not faults)


def _faults(found: Piece | Report | None) -> tuple[Fault, ...]:
    if found is None:
        return ()
    inner = tuple(fault for piece in found.pieces for fault in piece.faults) if isinstance(found, Report) else ()
    return (*found.faults, *inner)


def chunks(data: bytes) -> Iterator[bytes]:
    """As a container gives a member."""
    for at in range(0, len(data), CHUNK):
        yield data[at : at + CHUNK]


TIGHT = (
    (streaming, "_HEAD", 128),
    (streaming, "_FIRST", 0),
    (streaming, "_DATA", 64),
    (streaming, "_AROUND", 64),
    (streaming, "HELD", 512),
    (kept, "_BEFORE", 8),
    (kept, "_AFTER", 24),
)


@contextmanager
def tight() -> Iterator[None]:
    """With next to nothing kept of a file that passes by, as if it were of many GiB."""
    usual = [getattr(module, name) for module, name, _ in TIGHT]
    for module, name, value in TIGHT:
        setattr(module, name, value)
    try:
        yield
    finally:
        for (module, name, _), value in zip(TIGHT, usual, strict=True):
            setattr(module, name, value)


def file(path: str, data: bytes, tally: Tally) -> None:
    """Read at any place, and as it passes by."""

    def passing() -> Piece | None:
        return read_stream(lambda: chunks(data), len(data), path)

    tally.judge(path, lambda: read(Held(data), path))
    tally.judge(f"{path}, passing by", passing)
    with tight():
        tally.judge(f"{path}, passing by, hardly kept", passing)


def container(name: str, data: bytes, tally: Tally, folder: Path) -> None:
    """From disk, as a user names it."""
    place = folder / name
    place.write_bytes(data)
    tally.judge(name, lambda: inspect(str(place)))


def truncations(seed: Odd, feed: Callable[[str, bytes], None]) -> None:
    """A file as it was made, and all cuts of it."""
    path, make = seed
    made = make(sound)
    for data in (made.data, *cuts(made)):
        feed(path, data)


def mutations(seed: Odd, feed: Callable[[str, bytes], None], chance: random.Random, rounds: int) -> None:
    """Files with one or more layers spoiled."""
    path, make = seed
    for _ in range(rounds):
        spoiler = Spoiler(chance, chance.choice((0.05, 0.15, 0.4)))
        made: Made = make(spoiler)
        feed(path, spoiler(made).data if not spoiler.done else made.data)


def main(rounds: int) -> None:
    """Every seed so many times, containers a quarter as often."""
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    tally, chance = Tally(), random.Random(5)
    with tempfile.TemporaryDirectory() as scratch:

        def whole(name: str, data: bytes) -> None:
            container(name, data, tally, Path(scratch))

        def alone(path: str, data: bytes) -> None:
            file(path, data, tally)

        files, containers = ([(path, make) for path, make, _ in seeds] for seeds in (SEEDS, CONTAINERS))
        for seeds, feed, often in (
            (files, alone, rounds),
            (ODD_FILES, alone, rounds // 2),
            (containers, whole, rounds // 4),
            (ODD_CONTAINERS, whole, rounds // 4),
        ):
            for seed in seeds:
                truncations(seed, feed)
                mutations(seed, feed, chance, often)
    sys.stdout.write(f"{tally.clean} {tally.faulty}\n")
    if tally.slowest[0] > LONGEST_S:
        raise SystemExit(f"{tally.slowest[1]} took {tally.slowest[0]:.1f} s")


if __name__ == "__main__":
    main(int(sys.argv[1]))
