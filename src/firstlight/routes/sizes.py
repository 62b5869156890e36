"""What a route would fetch and take up."""

from __future__ import annotations

from collections.abc import Sequence

from ..project.model import Backend
from .model import Wheel

UNPACKED: dict[Backend, float] = {"cpu": 3.7, "cuda": 1.6, "rocm": 2.1}
"""Bytes on disk for each byte of a wheel that is not here, of torch and all that it brings. Read from the directories
of wheels: 3.65 for torch 2.13.0+cpu; 1.6 for torch 2.14.1 (CUDA 13.0) with its NVIDIA libraries together. For ROCm no
wheel was at hand: the figure is that of the CUDA torch wheel by itself (2.06)."""
ENTRIES = 200_000
"""Files in one wheel that are counted."""


def download_bytes(wheels: Sequence[Wheel]) -> int | None:
    """Of the files that are fetched from the network; None if one of them has no stated size."""
    sizes = [wheel.size for wheel in wheels if wheel.url is not None]
    return None if any(size is None for size in sizes) else sum(size or 0 for size in sizes)


def minutes(fetched: int | None, megabits: float | None) -> float | None:
    """To fetch so many bytes at so many Mbit/s. Nothing is measured for it: that would be one more download."""
    return round(fetched * 8 / (megabits * 1e6) / 60, 1) if fetched and megabits else None


def disk_bytes(wheels: Sequence[Wheel], paths: dict[str, str], backend: Backend) -> int | None:
    """Unpacked: exact for wheels in `paths` (file name -> where it lies), estimated by UNPACKED for the others."""
    total = 0.0
    for wheel in wheels:
        exact = _unpacked(paths[wheel.filename]) if wheel.filename in paths else None
        if exact is None and wheel.size is None:
            return None
        total += exact if exact is not None else (wheel.size or 0) * UNPACKED[backend]
    return int(total)


def _unpacked(path: str) -> int | None:
    import zipfile

    try:
        with zipfile.ZipFile(path) as archive:
            return sum(entry.file_size for entry in archive.infolist()[:ENTRIES])
    except (OSError, ValueError, zipfile.BadZipFile, NotImplementedError):
        return None
