"""What a route would fetch and take up."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence

from .model import Wheel

UNPACKED = 2.6
"""Bytes on disk for each byte of a wheel that is not here. Measured on torch 2.13's CPU wheel and its dependencies;
GPU builds, mostly compressed device code, unpack to less."""
ENTRIES = 200_000
"""Files in one wheel that are counted."""


def download_bytes(wheels: Sequence[Wheel]) -> int | None:
    """Of the files that are fetched from the network; None if one of them has no stated size."""
    sizes = [wheel.size for wheel in wheels if wheel.url is not None]
    return None if any(size is None for size in sizes) else sum(size or 0 for size in sizes)


def disk_bytes(wheels: Sequence[Wheel], paths: dict[str, str]) -> int | None:
    """Unpacked: exact for wheels in `paths` (file name -> where it lies), estimated by UNPACKED for the others."""
    total = 0.0
    for wheel in wheels:
        exact = _unpacked(paths[wheel.filename]) if wheel.filename in paths else None
        if exact is None and wheel.size is None:
            return None
        total += exact if exact is not None else (wheel.size or 0) * UNPACKED
    return int(total)


def _unpacked(path: str) -> int | None:
    import zipfile

    try:
        with zipfile.ZipFile(path) as archive:
            return sum(entry.file_size for entry in archive.infolist()[:ENTRIES])
    except (OSError, ValueError, zipfile.BadZipFile, NotImplementedError):
        return None


def age_days(uploaded: str | None, now: object) -> int | None:
    """Whole days since the index published it; None if either date is unknown."""
    if uploaded is None or not isinstance(now, (int, float)):
        return None
    try:
        day = dt.date.fromisoformat(uploaded)
        today = dt.datetime.fromtimestamp(now, tz=dt.timezone.utc).date()
    except (ValueError, OverflowError, OSError):
        return None
    return max(0, (today - day).days)
