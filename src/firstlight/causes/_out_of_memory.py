"""The numbers in torch's out-of-memory text."""

from __future__ import annotations

import re

_NUMBER = r"Tried to allocate ([\d.]+) ([KMG])iB"
_FREE = r"(?:of which |; )([\d.]+) ([KMG])iB (?:is )?free"
_RESERVED = r"([\d.]+) ([KMG])iB is reserved by PyTorch but unallocated"
_OLD = r"([\d.]+) ([KMG])iB already allocated.*?([\d.]+) ([KMG])iB reserved in total"
_UNIT = {"K": 2**10, "M": 2**20, "G": 2**30}


def fragmented(text: str) -> bool:
    """Whether more than what was asked for, and more than a tenth of a GiB, is reserved and idle or simply free."""
    wanted = _bytes(re.search(_NUMBER, text))
    idle = _bytes(re.search(_RESERVED, text))
    if old := re.search(_OLD, text):
        idle = max(idle, float(old[3]) * _UNIT[old[4]] - float(old[1]) * _UNIT[old[2]])
    if not wanted:
        return False
    return _bytes(re.search(_FREE, text)) > wanted or (idle > wanted and idle > 2**27) or idle > 4 * 2**30


def _bytes(found: re.Match[str] | None) -> float:
    return float(found[1]) * _UNIT[found[2]] if found else 0.0
