"""Digests of many files, on all cores: hashlib works without the interpreter's lock."""

from __future__ import annotations

import base64
import hashlib
import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from typing import NamedTuple

from .env_tree import opened, reason

BLOCK = 1 << 20
FEW = 16
"""So many files are read without threads: starting those takes longer."""


class Wanted(NamedTuple):
    """One file to be read."""

    path: str
    """Absolute."""
    algorithm: str
    size: int
    """What is more than that is not read: a file that grows has no end."""


class Digest(NamedTuple):
    """Exactly one is there."""

    text: str | None
    """URL-safe base64 without padding, as RECORD has it."""
    unread: str | None


def digests(wanted: Sequence[Wanted], told: Callable[[int], None]) -> list[Digest]:
    """In the order of `wanted`; `told` is called with the number of bytes of each file that is done."""
    if len(wanted) < FEW:
        return [_one(one, told) for one in wanted]
    # the largest first: else one of them is left for the end, and the other cores wait
    order = sorted(range(len(wanted)), key=lambda at: -wanted[at].size)
    found: list[Digest] = [Digest(None, "unreadable")] * len(wanted)
    pool = ThreadPoolExecutor(min(8, os.cpu_count() or 1))
    try:
        running = {pool.submit(digest, wanted[at]): at for at in order}
        for done in as_completed(running):
            at = running[done]
            found[at] = done.result()
            told(wanted[at].size)
    finally:
        pool.shutdown(cancel_futures=True)
    return found


def _one(wanted: Wanted, told: Callable[[int], None]) -> Digest:
    found = digest(wanted)
    told(wanted.size)
    return found


def digest(wanted: Wanted) -> Digest:
    """Of one file."""
    total = hashlib.new(wanted.algorithm)
    block = memoryview(bytearray(min(BLOCK, wanted.size + 1)))
    left = wanted.size
    try:
        with open(opened(wanted.path), "rb", buffering=0) as file:
            while left >= 0 and (count := file.readinto(block)):
                total.update(block[:count])
                left -= count
    except OSError as error:
        return Digest(None, reason(error))
    return Digest(base64.urlsafe_b64encode(total.digest()).rstrip(b"=").decode(), None)
